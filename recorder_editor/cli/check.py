"""The verb `check`: what is wrong with recordings."""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..checks import check, fix_all, fixable, is_fixable
from ..progress import Progress
from ..recording import Finding, Recording
from ..recording.findings import Severity
from ..terminal import Line, toned
from ..texts import N_, listed, say, say_count
from . import options
from .files import Unreadable, WrongUsage, open_input
from .output import TONES, finding_as_json, print_error, print_json, print_lines, progress_bar
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
    options.add_dialect(parser)
    options.add_many(parser)


def run(arguments: Namespace) -> bool:
    """Print the findings; returns whether there are none that fail the check."""
    reports: list[dict[str, object]] = []
    unreadable: list[str] = []
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
                    findings = _fix(arguments, recording, failing, bar)
                if any(finding.severity in failing for finding in findings):
                    passed = False
                if arguments.json:
                    reports.append(report(path, recording, findings))
                else:
                    print_lines(_lines(path, recording, findings))
        except Unreadable as error:
            unreadable.append(error.args[0])
    if arguments.json and reports:
        print_json(reports[0] if len(arguments.files) == 1 else reports)
    if unreadable:
        raise Unreadable(listed(unreadable, "sentences"))
    return passed


def _fix(arguments: Namespace, recording: Recording, failing: Sequence[Severity], progress: Progress) -> list[Finding]:
    """Write the copy in which findings of these severities are fixed; returns those that are left."""
    findings = fix_all(recording, failing, progress)
    recording.save(arguments.fix, overwrite=arguments.overwrite)
    for step in recording.history.steps:
        print_error(say("{label}.", label=step.label))
    if "warning" not in failing:
        _print_fixable_warnings(recording, findings)
    return findings


def _print_fixable_warnings(recording: Recording, findings: Sequence[Finding]) -> None:
    """Print how many warnings `--strict` would fix."""
    warnings = fixable(recording.snapshot, [finding for finding in findings if finding.severity == "warning"])
    if warnings:
        print_error(
            say_count(
                "1 warning has a fix; --strict fixes warnings, too.",
                "{count:,} warnings have a fix; --strict fixes warnings, too.",
                count=len(warnings),
            )
        )


def report(path: Path, recording: Recording, findings: Sequence[Finding]) -> dict[str, object]:
    """Return the findings of one file, as the guide documents them."""
    snapshot = recording.snapshot
    rows = []
    counts = {"error": 0, "warning": 0, "info": 0}
    for finding in findings:
        rows.append(finding_as_json(snapshot, finding, fixable=is_fixable(snapshot, finding)))
        counts[finding.severity] += 1
    return {"file": str(path), "findings": rows, "counts": counts}


def _lines(path: Path, recording: Recording, findings: Sequence[Finding]) -> Iterator[Line]:
    for finding in findings:
        offset = "-"
        if finding.offset is not None:
            offset = f"0x{finding.offset:06x}"
        frame = "-"
        if finding.frame_index is not None and finding.frame_index < len(recording):
            frame = say("frame {frame}", frame=finding.frame_index + 1)
        text = say(
            "{path}: {severity}: {message} [{code}, {offset}, {frame}]",
            path=path,
            severity=say(_SEVERITIES[finding.severity]),
            message=finding.message,
            code=finding.code,
            offset=offset,
            frame=frame,
        )
        yield toned(text, severity=TONES[finding.severity])
    if not findings:
        text = say_count(
            "{path}: no problems found in 1 frame.",
            "{path}: no problems found in {count:,} frames.",
            path=path,
            count=len(recording),
        )
        yield toned(text, path="fine")
