"""The preview of a trim or cut: an estimate at once, and the exact result as a job.

Knows no widget, and changes nothing.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .. import edits
from ..arrays import BoolArray
from ..checks import check
from ..progress import Progress
from ..reading import Actors
from ..reading.bodies import is_empty
from ..recording import RAW, START_SIZE, Edit, Finding, Frame, Snapshot

_SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class TrimEstimate:
    """The result of a trim or cut as far as the lives and the frame table tell.

    Attributes:
        frames: Number of frames.
        length: Length, s, from the first frame to the next one behind the last.
        plays: Length, s, that is played; the last frame is never shown.
        size: Number of bytes, about.
        ended: Number of actors that are destroyed at the gap.
        carried: Number of actors that are created in the first frame, or behind the gap.
        vehicles: Number of vehicles among these.
        born: Number of actors that are created in later frames.
        collisions: Number of records of collisions.
    """

    frames: int
    length: float
    plays: float
    size: int
    ended: int
    carried: int
    vehicles: int
    born: int
    collisions: int


class TrimEstimator:
    """Estimates trims and cuts of one state of a recording.

    Attributes:
        snapshot: The state.
    """

    def __init__(self, snapshot: Snapshot, actors: Actors) -> None:
        self.snapshot = snapshot
        self._elapsed = snapshot.elapsed
        table = snapshot.table
        sizes = table.column("size")[table.column("kind") != RAW].astype(np.int64) + START_SIZE
        self._ends = np.concatenate(([0], np.cumsum(sizes)))
        self._born, self._gone = actors.spans
        self._is_vehicle = np.array([life.class_ in ("vehicle", "two-wheeler") for life in actors], np.bool_)
        self._hits = actors.collisions["frame_index"]

    def whole(self) -> TrimEstimate:
        """Return the numbers of the recording as it is."""
        return self._trim(range(len(self.snapshot)))

    def of(self, frames: range, *, cuts: bool) -> TrimEstimate:
        """Estimate the result.

        Args:
            frames: Frames of the range, at least one.
            cuts: Whether these frames are removed; else all others are.
        """
        if not cuts:
            return self._trim(frames)
        # A cut at one end of the recording is a trim.
        end = len(self.snapshot)
        if frames.stop == end and frames.start:
            return self._trim(range(frames.start))
        if not frames.start:
            return self._trim(range(frames.stop, end))
        return self._cut(frames)

    def _trim(self, frames: range) -> TrimEstimate:
        start = frames.start
        stop = frames.stop
        if start:
            is_carried = (self._born < start) & (self._gone > start)
        else:
            is_carried = self._born == 0
        is_born = (self._born >= start) & (self._born < stop) & (self._born > 0)
        is_hit = (self._hits >= start) & (self._hits < stop)
        return TrimEstimate(
            frames=len(frames),
            length=self._seconds(start, min(stop, len(self.snapshot) - 1)),
            plays=self._seconds(start, stop - 1),
            size=len(self.snapshot.header_bytes) + self._bytes(start, stop),
            ended=0,
            carried=_count(is_carried),
            vehicles=_count(is_carried & self._is_vehicle),
            born=_count(is_born),
            collisions=_count(is_hit),
        )

    def _cut(self, frames: range) -> TrimEstimate:
        start = frames.start
        stop = frames.stop
        end = len(self.snapshot)
        # Actors in the last frame before the gap, and in the first frame behind it.
        is_before = (self._born < start) & (self._gone > start - 1)
        is_behind = (self._born < stop) & (self._gone > stop)
        is_carried = is_behind & ~is_before
        is_ended = is_before & ~is_behind & (self._gone != stop)
        is_born = ((self._born < start) | (self._born >= stop)) & (self._born > 0)
        is_hit = (self._hits < start) | (self._hits >= stop)
        seconds = self._seconds(0, -1) - self._seconds(start, min(stop, end - 1))
        return TrimEstimate(
            frames=end - len(frames),
            length=seconds,
            plays=seconds,
            size=len(self.snapshot.header_bytes) + int(self._ends[-1]) - self._bytes(start, stop),
            ended=_count(is_ended),
            carried=_count(is_carried),
            vehicles=_count(is_carried & self._is_vehicle),
            born=_count(is_born),
            collisions=_count(is_hit),
        )

    def _seconds(self, start: int, stop: int) -> float:
        """Return the time from one frame to another, s."""
        return float(self._elapsed[stop] - self._elapsed[start])

    def _bytes(self, start: int, stop: int) -> int:
        return int(self._ends[stop] - self._ends[start])


def _count(mask: BoolArray) -> int:
    return int(mask.sum())


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
