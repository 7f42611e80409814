"""What a recording would be without some of its frames: at once what is known, and as a job what is exact.

Numbers for a person to look at before; knows no widget, and changes nothing.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .. import edits
from ..arrays import BoolArray
from ..checks import check
from ..progress import Progress
from ..recording import RAW, START_SIZE, Actors, Edit, Finding, Frame, Snapshot

_SEVERITIES = ("error", "warning", "info")
Masks = tuple[BoolArray, BoolArray, BoolArray]


@dataclass(frozen=True, slots=True)
class Glance:
    """What frames that stay are, as far as the lives and the frame table tell.

    Attributes: `frames`, `length` (s, from the first to where time goes on behind the last), `plays` (s; the last frame
    is never shown), `size` (bytes, an estimate), `ended` (who goes at the gap), `carried` (who is created where the
    frames begin, or behind the gap), `vehicles` (of those), `born` (who comes in later frames), `collisions` (records).
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


class Glances:
    """Glances at one state of a recording."""

    def __init__(self, snapshot: Snapshot, actors: Actors) -> None:
        self.snapshot = snapshot
        self._elapsed = snapshot.elapsed
        table = snapshot.table
        sizes = table.column("size")[table.column("kind") != RAW].astype(np.int64) + START_SIZE
        self._ends = np.concatenate(([0], np.cumsum(sizes)))
        self._born, self._gone = actors.spans
        self._drives = np.array([life.class_ in ("vehicle", "two-wheeler") for life in actors], np.bool_)
        self._hits = actors.collisions["frame_index"]

    def of(self, frames: range, *, cuts: bool) -> Glance:
        """What is left when these frames alone stay, or when they go."""
        return self._without(frames) if cuts else self._only(frames)

    def whole(self) -> Glance:
        """The recording as it is."""
        return self._only(range(len(self.snapshot)))

    def _only(self, frames: range) -> Glance:
        start, stop = frames.start, frames.stop
        carried = (self._born < start) & (self._gone > start)
        born = (self._born >= start) & (self._born < stop)
        if not start:
            # Who is there from the first frame on is what a recording begins with.
            carried, born = born & (self._born == 0), born & (self._born > 0)
        hits = (self._hits >= start) & (self._hits < stop)
        times = self._length(start, stop), self._elapsed[stop - 1] - self._elapsed[start]
        return self._glance(len(frames), times, (carried, born, hits), self._ends[stop] - self._ends[start])

    def _without(self, frames: range) -> Glance:
        start, stop, end = frames.start, frames.stop, len(self.snapshot)
        if not start or stop == end:
            return self._only(range(start) if start else range(stop, end))
        before = (self._born < start) & (self._gone > start - 1)
        after = (self._born < stop) & (self._gone > stop)
        coming, going = after & ~before, before & ~after & (self._gone != stop)
        born = (self._born >= stop) | ((self._born < start) & (self._born > 0))
        hits = (self._hits < start) | (self._hits >= stop)
        gap = self._length(start, stop)
        times = self._length(0, end) - gap, self._elapsed[-1] - self._elapsed[0] - gap
        size = self._ends[-1] - self._ends[stop] + self._ends[start]
        return self._glance(end - len(frames), times, (coming, born, hits), size, int(going.sum()))

    def _length(self, start: int, stop: int) -> float:
        return float(self._elapsed[min(stop, len(self._elapsed) - 1)] - self._elapsed[start])

    def _glance(self, frames: int, times: tuple[float, float], masks: Masks, size: int, ended: int = 0) -> Glance:
        """`times`: length and how long it plays (s); `masks`: who is carried, who is born, the collisions."""
        carried, born, hits = masks
        counts = [int(mask.sum()) for mask in (carried, carried & self._drives, born, hits)]
        return Glance(frames, *times, len(self.snapshot.header_bytes) + int(size), ended, *counts)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """An edit, and what the recording would be after it.

    Attributes: `edit`, `outcome`, `written` (records by packet name that are told where the frames begin or go on, and
    were not), `findings` (of the checks and of the replay model, the gravest first).
    """

    edit: Edit
    outcome: edits.RecordingSize
    written: Mapping[str, int]
    findings: tuple[Finding, ...]


def foresee(snapshot: Snapshot, frames: range, cuts: bool, rebase_clocks: bool, progress: Progress) -> Foreseen:
    """The edit that keeps these frames, or takes them out, looked at closely. Raises `EditError`, `Cancelled`."""
    make = edits.cut if cuts else edits.trim
    edit = make(snapshot, frames, rebase_clocks=rebase_clocks, progress=progress)
    after = snapshot.after(edit)
    told = frames.stop if cuts else frames.start
    at = (frames.start if frames.stop < len(snapshot) else 0) if cuts else 0
    written: Mapping[str, int] = {}
    if told < len(snapshot) and (told or at):
        # Positive counts alone: what frames have in common is not written.
        written = _records(after.frame(at)) - _records(snapshot.frame(told))
    findings = sorted(check(after, progress), key=lambda finding: _SEVERITIES.index(finding.severity))
    return Foreseen(edit, edits.outcome(after), written, tuple(findings))


def _records(frame: Frame) -> Counter[str]:
    counts: Counter[str] = Counter()
    for packet in frame:
        if packet.type.body == "list":
            counts[packet.name] += len(packet.decoded)
    return counts
