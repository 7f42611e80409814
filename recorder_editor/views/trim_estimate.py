"""What a trim or cut leaves, by the lives and the frame table: an estimate at once, without the edit.

Knows no widget, and changes nothing.
"""

from dataclasses import dataclass

import numpy as np

from ..arrays import BoolArray
from ..reading import Actors
from ..recording import RAW, START_SIZE, Snapshot


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
