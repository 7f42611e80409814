"""What is wrong with a recording.

Exit code 1 when there are errors (with --strict also for warnings); a file that cannot be read does not keep the
others from being checked. Example: recorder-editor check a.log b.log --json
"""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..checks import check
from ..recording.findings import Finding
from ..recording.recording import Recording
from .files import Unreadable, add_dialect, opened, progress, say, say_json


def add_arguments(parser: ArgumentParser) -> None:
    """FILE..., --json, --strict."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="recordings")
    parser.add_argument("--json", action="store_true", help="findings as JSON")
    parser.add_argument("--strict", action="store_true", help="count warnings as errors")
    add_dialect(parser)


def run(arguments: Namespace) -> bool:
    """Print the findings; true when there is nothing to complain about."""
    reports: list[dict[str, Any]] = []
    unreadable: list[str] = []
    fine = True
    for path in arguments.files:
        try:
            with opened(path, arguments.dialect, quiet=True) as recording:
                findings = check(recording.snapshot, progress(f"Checking {path.name}"))
                bad = ("error", "warning") if arguments.strict else ("error",)
                fine = fine and not any(finding.severity in bad for finding in findings)
                if arguments.json:
                    reports.append(report(path, recording, findings))
                else:
                    say(_lines(path, recording, findings))
        except Unreadable as error:
            unreadable.append(str(error))
    if arguments.json and reports:
        say_json(reports[0] if len(arguments.files) == 1 else reports)
    if unreadable:
        raise Unreadable(" ".join(unreadable))
    return fine


def report(path: Path, recording: Recording, findings: Sequence[Finding]) -> dict[str, Any]:
    """The findings of one file, as the guide documents them."""
    return {
        "file": str(path),
        "findings": [_finding(recording, finding) for finding in findings],
        "counts": _counts(findings),
    }


def _counts(findings: Sequence[Finding]) -> dict[str, int]:
    counted = Counter(finding.severity for finding in findings)
    return {severity: counted[severity] for severity in ("error", "warning", "info")}


def _finding(recording: Recording, finding: Finding) -> dict[str, Any]:
    index = finding.frame_index
    known = index is not None and 0 <= index < len(recording)
    return {
        "code": finding.code,
        "severity": finding.severity,
        "offset": finding.offset,
        "frame": index + 1 if known and index is not None else None,
        "frame_id": recording[index].frame_id if known and index is not None else None,
        "message": finding.message,
        "fixable": False,
    }


def _lines(path: Path, recording: Recording, findings: Sequence[Finding]) -> list[str]:
    lines = []
    for finding in findings:
        offset = f"0x{finding.offset:06x}" if finding.offset is not None else "-"
        index = finding.frame_index
        frame = f"frame {index + 1}" if index is not None and index < len(recording) else "-"
        lines.append(f"{path}: {finding.severity}: {finding.message} [{finding.code}, {offset}, {frame}]")
    if not findings:
        lines.append(f"{path}: no problems found in {len(recording):,} frames.")
    return lines
