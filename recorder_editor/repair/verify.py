"""Verification of a repaired recording by all rules."""

from pathlib import Path

from ..checks import check
from ..progress import SILENT, Progress
from ..recording.findings import Finding
from ..recording.recording import open_recording
from ..recording.snapshot import Snapshot


def find_errors(snapshot: Snapshot, progress: Progress = SILENT) -> list[Finding]:
    """The findings of severity `error` in a state."""
    return [finding for finding in check(snapshot, progress) if finding.severity == "error"]


def find_errors_in_file(path: Path, dialect: str | None = None, progress: Progress = SILENT) -> list[Finding]:
    """The findings of severity `error` in a file, with those of the scan. Raises OSError, `Cancelled`."""
    with open_recording(path, dialect=dialect) as recording:
        found = find_errors(recording.snapshot, progress)
        known = {(finding.code, finding.offset) for finding in found}
        scanned = [each for each in recording.findings if each.severity == "error"]
        return [each for each in scanned if (each.code, each.offset) not in known] + found
