"""Distance, path and intervals of movement of many trajectories, built block by block from positions.

Blocks are sorted by trajectory, and the state of each trajectory between blocks is one row of a few arrays.
Trajectories are numbers here; `trajectories` maps them to lives.
"""

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray, Int32Array, StructuredArray
from .motion import steps

POINT = np.dtype([("frame", "i4"), ("x", "f8"), ("y", "f8")], align=True)
"""A point of a path: frame index, metres. A row with NaN for x and y separates two pieces; its frame is that of the
next piece.
"""

PAUSE = 0.5
"""Seconds: shorter stops are ignored."""

MOVING = 0.1
"""Speed in m/s above which an actor is moving."""

_FIRST_SPACING = 0.5  # m
_LARGEST_SPACING = 1e6
_KEPT = np.dtype(
    [("trajectory", "i4"), ("frame", "i4"), ("x", "f8"), ("y", "f8"), ("along", "f8"), ("begins", "?"), ("holds", "?")]
)


def _sorted(trajectory: Int32Array) -> IndexArray:
    """The stable order of a block's records by trajectory."""
    if not len(trajectory):
        return np.zeros(0, np.intp)
    present = np.zeros(int(trajectory.max()) + 1, np.bool_)
    present[trajectory] = True
    ranks = np.cumsum(present) - 1
    # Sorting numbers of 16 bits is ten times as fast.
    kind = np.uint16 if ranks[-1] < 1 << 16 else np.int32
    return np.argsort(ranks.astype(kind)[trajectory], kind="stable")


def _heads(trajectory: Int32Array) -> IndexArray:
    """The first record of each trajectory in a sorted block."""
    return np.flatnonzero(
        np.concatenate((np.ones(min(1, len(trajectory)), np.bool_), trajectory[1:] != trajectory[:-1]))
    )


class MovingIntervals:
    """Collects the intervals in which trajectories move."""

    def __init__(self, places: int, seconds: FloatArray) -> None:
        self._seconds = seconds
        self._moving = np.zeros(places, np.bool_)
        self._last = np.full(places, -1, np.int32)
        self._changes: list[tuple[Int32Array, Int32Array, BoolArray]] = []

    def add(self, trajectory: Int32Array, frame: Int32Array, moving: BoolArray) -> None:
        """Add a block in file order: which trajectories move in which frames."""
        order = _sorted(trajectory)
        trajectory, frame, moving = trajectory[order], frame[order], moving[order]
        heads = _heads(trajectory)
        if not len(heads):
            return
        whose = trajectory[heads]
        before = np.concatenate((moving[:1], moving[:-1]))
        before[heads] = self._moving[whose]
        (changed,) = np.nonzero(moving != before)
        tails = np.append(heads[1:], len(trajectory)) - 1
        self._moving[whose], self._last[whose] = moving[tails], frame[tails]
        self._changes.append(self._without_pauses(trajectory[changed], frame[changed], moving[changed]))

    def _without_pauses(
        self, trajectory: Int32Array, at: Int32Array, moving: BoolArray
    ) -> tuple[Int32Array, Int32Array, BoolArray]:
        """Changes, sorted by trajectory, without stops shorter than half a second."""
        if len(trajectory) < 2:
            return trajectory, at, moving
        stops = (trajectory[1:] == trajectory[:-1]) & ~moving[:-1]
        with np.errstate(over="ignore", invalid="ignore"):
            when = self._seconds[np.minimum(at, len(self._seconds) - 1)]
            short = stops & (when[1:] - when[:-1] < PAUSE)
        keep = ~(np.append(short, False) | np.append(False, short))
        return trajectory[keep], at[keep], moving[keep]

    def intervals(self) -> list[Int32Array]:
        """The frames `[start, stop)` in which each trajectory moves: int32[n, 2] for each."""
        if not self._changes:
            return [np.zeros((0, 2), np.int32)] * len(self._moving)
        columns = zip(*self._changes, strict=True)
        trajectory, at, moving = (np.concatenate(column) for column in columns)
        (open_,) = np.nonzero(self._moving)
        trajectory = np.concatenate((trajectory, open_.astype(np.int32)))
        at = np.concatenate((at, self._last[open_] + 1))
        moving = np.concatenate((moving, np.zeros(len(open_), np.bool_)))
        order = _sorted(trajectory)
        trajectory, at, moving = self._without_pauses(trajectory[order], at[order], moving[order])
        pairs = np.stack((at[moving], at[~moving]), axis=1).astype(np.int32)
        ends = np.searchsorted(trajectory[moving], np.arange(len(self._moving)), side="right")
        return np.split(pairs, ends[:-1])


class PathBuilder:
    """Builds the distance and the path of trajectories.

    `seconds` is the elapsed time of every frame; paths hold at most `max_points` points together. Attributes:
    `distance` (m), `spacing` (m between points of a path).
    """

    def __init__(self, places: int, seconds: FloatArray, max_points: int) -> None:
        self.distance = np.zeros(places)
        self.spacing = _FIRST_SPACING
        self._seconds = seconds
        self._most = max_points
        self._frame = np.full(places, -1, np.int32)
        self._place = np.zeros((2, places))
        self._kept = np.empty(0, _KEPT)
        self._fresh: list[StructuredArray] = []
        self._number = 0

    def add(self, trajectory: Int32Array, block: StructuredArray) -> None:
        """Add a block of positions in file order, without those of trajectory -1 and those without a finite place."""
        sound = np.flatnonzero((trajectory >= 0) & np.isfinite(block["x"]) & np.isfinite(block["y"]))
        order = sound[_sorted(trajectory[sound])]
        trajectory, frame = trajectory[order], block["frame"][order]
        place = np.stack([block[axis][order].astype(np.float64) for axis in "xy"])
        last = np.append(
            (trajectory[1:] != trajectory[:-1]) | (frame[1:] != frame[:-1]), np.ones(min(1, len(frame)), np.bool_)
        )
        if not last.all():
            trajectory, frame, place = trajectory[last], frame[last], place[:, last]
        if len(trajectory):
            self._go_on(trajectory, frame, place)

    def _go_on(self, trajectory: Int32Array, frame: Int32Array, place: FloatArray) -> None:
        heads = _heads(trajectory)
        tails = np.append(heads[1:], len(trajectory)) - 1
        whose = trajectory[heads]
        from_frame = np.concatenate((frame[:1], frame[:-1]))
        from_place = np.concatenate((place[:, :1], place[:, :-1]), axis=1)
        from_frame[heads], from_place[:, heads] = self._frame[whose], self._place[:, whose]
        begun = from_frame >= 0
        dx, dy = place - from_place
        with np.errstate(invalid="ignore", over="ignore"):  # a time may be infinite
            seconds = self._seconds[frame] - self._seconds[from_frame]
        length, _, jump = steps(dx, dy, seconds)
        jump &= begun
        driven = np.where(begun & ~jump, length, 0.0)
        passed = np.cumsum(driven)
        along = passed + np.repeat(self.distance[whose] - passed[heads] + driven[heads], tails - heads + 1)
        self._keep(trajectory, frame, place, along, driven, ~begun, jump)
        if jump.any():
            self._keep_before(trajectory[jump], from_frame[jump], from_place[:, jump], along[jump])
        self._frame[whose], self._place[:, whose], self.distance[whose] = frame[tails], place[:, tails], along[tails]
        if self._number > self._most:
            self._thin(self._most // 2)

    # --- paths ------------------------------------------------------------------------------------------

    def _keep(
        self,
        trajectory: Int32Array,
        frame: Int32Array,
        place: FloatArray,
        along: FloatArray,
        driven: FloatArray,
        first: BoolArray,
        jump: BoolArray,
    ) -> None:
        """Keep the points that pass a multiple of the spacing, first points, and points after jumps."""
        passed = np.floor(along / self.spacing) > np.floor((along - driven) / self.spacing)
        (kept,) = np.nonzero(passed | first | jump)
        points = _points(trajectory[kept], frame[kept], place[:, kept], along[kept])
        points["begins"], points["holds"] = jump[kept], first[kept] | jump[kept]
        self._add(points)

    def _keep_before(self, trajectory: Int32Array, frame: Int32Array, place: FloatArray, along: FloatArray) -> None:
        points = _points(trajectory, frame, place, along)
        points["holds"] = True
        self._add(points)

    def _add(self, points: StructuredArray) -> None:
        self._fresh.append(points)
        self._number += len(points)

    def _gather(self) -> None:
        """Sort the points, and keep one for each trajectory and frame."""
        if not self._fresh:
            return
        points = np.concatenate((self._kept, *self._fresh))
        self._fresh = []
        # Of two points of one frame, the one that begins a piece says more, and comes first.
        points = points[np.lexsort((~points["holds"], ~points["begins"], points["frame"], points["trajectory"]))]
        again = (points["trajectory"][1:] == points["trajectory"][:-1]) & (points["frame"][1:] == points["frame"][:-1])
        self._kept = points[np.concatenate((np.ones(min(1, len(points)), np.bool_), ~again))]
        self._number = len(self._kept)

    def _thin(self, most: int) -> None:
        """Double the spacing until at most `most` points are left."""
        self._gather()
        while len(self._kept) > most and self.spacing < _LARGEST_SPACING:
            self.spacing *= 2
            bins = np.floor(self._kept["along"] / self.spacing)
            same = (bins[1:] == bins[:-1]) & (self._kept["trajectory"][1:] == self._kept["trajectory"][:-1])
            self._kept = self._kept[np.concatenate((np.ones(min(1, len(bins)), np.bool_), ~same)) | self._kept["holds"]]
        if len(self._kept) > most:
            # Only where trajectories are more than points, or noise jumps about: any point is as good as another.
            self._kept = self._kept[:: -(-len(self._kept) // most)]
        self._number = len(self._kept)

    def close(self) -> None:
        """Add the last point of each trajectory; nothing can be added after it."""
        self._gather()
        (here,) = np.nonzero(self._frame >= 0)
        last = np.full(len(self._frame), -1.0)
        np.maximum.at(last, self._kept["trajectory"], self._kept["along"])
        here = here[self.distance[here] > last[here]]
        self._add(_points(here.astype(np.int32), self._frame[here], self._place[:, here], self.distance[here]))
        self._gather()
        room = self._most - int(np.count_nonzero(self._kept["begins"]))
        if len(self._kept) > max(1, room):
            self._thin(max(1, room))

    def paths(self) -> list[StructuredArray]:
        """The path of each trajectory: dtype `POINT`."""
        (begins,) = np.nonzero(self._kept["begins"])
        points = np.empty(len(self._kept), POINT)
        points["frame"], points["x"], points["y"] = self._kept["frame"], self._kept["x"], self._kept["y"]
        breaks = points[begins]
        breaks["x"] = breaks["y"] = np.nan
        trajectory = np.insert(self._kept["trajectory"], begins, self._kept["trajectory"][begins])
        ends = np.searchsorted(trajectory, np.arange(len(self._frame)), side="right")
        return np.split(np.insert(points, begins, breaks), ends[:-1])


def _points(trajectory: Int32Array, frame: Int32Array, place: FloatArray, along: FloatArray) -> StructuredArray:
    points = np.zeros(len(trajectory), _KEPT)
    points["trajectory"], points["frame"], points["along"] = trajectory, frame, along
    points["x"], points["y"] = place[0] * 0.01, place[1] * 0.01
    return points
