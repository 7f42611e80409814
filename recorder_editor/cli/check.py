"""The verb `check`: what is wrong with recordings."""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..checks import check, fix_all, fixable, is_fixable
from ..recording import Finding, Recording
from ..recording.findings import Severity
from ..texts import N_, listed, say, say_count
from . import options
from .files import Unreadable, WrongUsage, open_input
from .output import finding_as_json, print_error, print_json, print_lines, progress_bar
from .parsing import VerbParser

DESCRIPTION = N_(
    """\
Exit code 1 when there are errors (with --strict also for warnings); files that cannot be read are
skipped. --fix OUT writes a copy in which every error that has a fix is corrected (with --strict every warning, too),
and reports the findings of the copy. Example: recorder-editor check a.log b.log --json"""
)

_SEVERITIES: Mapping[Severity, str] = {"error": N_("error"), "warning": N_("warning"), "info": N_("info")}


def add_arguments(parser: VerbParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help=say("recordings, and folders of them"))
    options.add_json(parser, help=say("findings as JSON"))
    parser.add_argument("--strict", action="store_true", help=say("count warnings as errors"))
    parser.add_written(
        "--fix",
        kind="recording",
        metavar="OUT",
        help=say("write a copy with the errors fixed that can be, and with --strict the warnings"),
    )
    options.add_road_map(parser)
    options.add_language(parser)
    options.add_dialect(parser)
    options.add_many(parser)


def run(arguments: Namespace) -> bool:
    """Print the findings; returns whether there are none that fail the check."""
    reports = list[dict[str, object]]()
    unreadable = list[str]()
    passed = True
    failing: tuple[Severity, ...] = ("error", "warning") if arguments.strict else ("error",)
    if arguments.fix is not None and len(arguments.files) > 1:
        raise WrongUsage(say("{option} takes one recording.", option="--fix"))
    for path in arguments.files:
        try:
            with open_input(path, arguments.dialect, quiet=True, xodr=arguments.xodr) as recording:
                bar = progress_bar(say("Checking {name}", name=path.name))
                if arguments.fix is None:
                    findings = check(recording.snapshot, bar)
                else:
                    findings = fix_all(recording, failing, bar)
                    recording.save(arguments.fix, overwrite=arguments.overwrite)
                    for step in recording.history.steps:
                        print_error(say("{label}.", label=step.label))
                    _tell_left(recording, findings, failing)
                passed = passed and not any(finding.severity in failing for finding in findings)
                if arguments.json:
                    reports.append(report(path, recording, findings))
                else:
                    print_lines(_lines(path, recording, findings))
        except Unreadable as error:
            unreadable.append(str(error))
    if arguments.json and reports:
        print_json(reports[0] if len(arguments.files) == 1 else reports)
    if unreadable:
        raise Unreadable(listed(unreadable, "sentences"))
    return passed


def _tell_left(recording: Recording, findings: Sequence[Finding], failing: Sequence[Severity]) -> None:
    """Print how many warnings `--strict` would fix."""
    if "warning" in failing:
        return
    warnings = []
    for finding in findings:
        if finding.severity == "warning":
            warnings.append(finding)
    left = fixable(recording.snapshot, warnings)
    if left:
        print_error(
            say_count(
                "1 warning has a fix; --strict fixes warnings, too.",
                "{count:,} warnings have a fix; --strict fixes warnings, too.",
                count=len(left),
            )
        )


def report(path: Path, recording: Recording, findings: Sequence[Finding]) -> dict[str, object]:
    """The findings of one file, as the guide documents them."""
    snapshot = recording.snapshot
    counted = Counter(finding.severity for finding in findings)
    return {
        "file": str(path),
        "findings": [finding_as_json(snapshot, each, fixable=is_fixable(snapshot, each)) for each in findings],
        "counts": {severity: counted[severity] for severity in ("error", "warning", "info")},
    }


def _lines(path: Path, recording: Recording, findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        if finding.offset is not None:
            offset = f"0x{finding.offset:06x}"
        else:
            offset = "-"
        index = finding.frame_index
        if index is not None and index < len(recording):
            frame = say("frame {frame}", frame=index + 1)
        else:
            frame = "-"
        found = {"severity": say(_SEVERITIES[finding.severity]), "message": finding.message, "code": finding.code}
        yield say(
            "{path}: {severity}: {message} [{code}, {offset}, {frame}]", path=path, offset=offset, frame=frame, **found
        )
    if not findings:
        yield say_count(
            "{path}: no problems found in 1 frame.",
            "{path}: no problems found in {count:,} frames.",
            path=path,
            count=len(recording),
        )
