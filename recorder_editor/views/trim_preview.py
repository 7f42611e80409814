"""The preview of a trim or cut: the exact result, as a job. Knows no widget, and changes nothing."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from .. import edits
from ..checks import check
from ..progress import Progress
from ..reading.bodies import is_empty
from ..recording import Edit, Finding, Frame, Snapshot

_SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class TrimPreview:
    """An edit, and the recording as it would be after it.

    Attributes:
        edit: The edit.
        outcome: Size of the result.
        written: Number of records by packet that are written into the first frame, or the one behind the gap, so that
            it holds the whole state; packets that are not decoded count for one.
        findings: Findings of the checks in the result, errors first.
    """

    edit: Edit
    outcome: edits.RecordingSize
    written: Mapping[str, int]
    findings: tuple[Finding, ...]


def preview_trim(
    snapshot: Snapshot, frames: range, progress: Progress, *, cuts: bool, rebase_clocks: bool
) -> TrimPreview:
    """Make the edit that trims or cuts, and check its result.

    Args:
        snapshot: State of the recording.
        frames: Frames of the range.
        progress: Told how far it is.
        cuts: Whether these frames are removed; else all others are.
        rebase_clocks: Whether the clocks in packets close the gap of a cut, or begin at 0, too.

    Raises:
        EditError: The range cannot be kept or removed.
        Cancelled: The progress was cancelled.
    """
    if cuts:
        edit = edits.cut(snapshot, frames, rebase_clocks=rebase_clocks, progress=progress)
    else:
        edit = edits.trim(snapshot, frames, rebase_clocks=rebase_clocks, progress=progress)
    after = snapshot.after(edit)
    findings = sorted(check(after, progress), key=lambda finding: _SEVERITIES.index(finding.severity))
    return TrimPreview(
        edit=edit,
        outcome=edits.outcome(after),
        written=_written(snapshot, after, frames, cuts=cuts),
        findings=tuple(findings),
    )


def _written(snapshot: Snapshot, after: Snapshot, frames: range, *, cuts: bool) -> Mapping[str, int]:
    """Return the records that the boundary frame has more than before, by packet."""
    frame = frames.start
    frame_after = 0
    if cuts:
        frame = frames.stop
        if frames.stop < len(snapshot):
            frame_after = frames.start
    if frame >= len(snapshot) or (frame == 0 and frame_after == 0):
        return {}
    # Positive counts alone: what frames have in common is not written.
    return _records(after.frame(frame_after)) - _records(snapshot.frame(frame))


def _records(frame: Frame) -> Counter[str]:
    """Return the number of records by packet; an opaque packet that is not empty counts for one."""
    counts: Counter[str] = Counter()
    for packet in frame:
        if packet.type.body == "list":
            counts[packet.name] += len(packet.decoded)
        elif packet.type.body == "opaque" and not is_empty(packet.body):
            counts[packet.name] += 1
    return counts
