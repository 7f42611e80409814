"""Ways over the ground that go on from block to block: distance, path, and when somebody was under way.

One idea: a block is sorted by journey, and what each journey needs of the block before it is one row of a few arrays.
Journeys are numbers here; whose they are is `survey`'s business.
"""

import numpy as np
import numpy.typing as npt

from .columns import Table
from .motion import Mask, Reals, steps

POINT = np.dtype([("frame", "i4"), ("x", "f8"), ("y", "f8")], align=True)
"""A point of a path: frame index, metres. A row whose x and y are NaN ends a piece; its frame is that of the next."""

PAUSE = 0.5
"""Seconds: a shorter stop is no stop."""

MOVING = 0.1
"""Metres a second above which an actor is under way."""

_FIRST_SPACING = 0.5  # m
_LARGEST_SPACING = 1e6
_KEPT = np.dtype(
    [("journey", "i4"), ("frame", "i4"), ("x", "f8"), ("y", "f8"), ("along", "f8"), ("begins", "?"), ("holds", "?")]
)

Integers = npt.NDArray[np.int32]
Indices = npt.NDArray[np.intp]


def _sorted(journey: Integers) -> Indices:
    """The order that puts a block's records by journey and leaves them in file order there."""
    if not len(journey):
        return np.zeros(0, np.intp)
    present = np.zeros(int(journey.max()) + 1, np.bool_)
    present[journey] = True
    ranks = np.cumsum(present) - 1
    # Sorting numbers of 16 bits is ten times as fast.
    kind = np.uint16 if ranks[-1] < 1 << 16 else np.int32
    return np.argsort(ranks.astype(kind)[journey], kind="stable")


def _heads(journey: Integers) -> Indices:
    """Where in a sorted block each journey begins."""
    return np.flatnonzero(np.concatenate((np.ones(min(1, len(journey)), np.bool_), journey[1:] != journey[:-1])))


class Pauses:
    """When journeys were under way."""

    def __init__(self, places: int, seconds: Reals) -> None:
        self._seconds = seconds
        self._moving = np.zeros(places, np.bool_)
        self._last = np.full(places, -1, np.int32)
        self._changes: list[tuple[Integers, Integers, Mask]] = []

    def add(self, journey: Integers, frame: Integers, moving: Mask) -> None:
        """Take in a block in file order: which journeys move in which frames."""
        order = _sorted(journey)
        journey, frame, moving = journey[order], frame[order], moving[order]
        heads = _heads(journey)
        if not len(heads):
            return
        whose = journey[heads]
        before = np.concatenate((moving[:1], moving[:-1]))
        before[heads] = self._moving[whose]
        (changed,) = np.nonzero(moving != before)
        tails = np.append(heads[1:], len(journey)) - 1
        self._moving[whose], self._last[whose] = moving[tails], frame[tails]
        self._changes.append(self._without_pauses(journey[changed], frame[changed], moving[changed]))

    def _without_pauses(self, journey: Integers, at: Integers, moving: Mask) -> tuple[Integers, Integers, Mask]:
        """Changes, sorted by journey, without those to a stop that ends within half a second."""
        if len(journey) < 2:
            return journey, at, moving
        stops = (journey[1:] == journey[:-1]) & ~moving[:-1]
        with np.errstate(over="ignore", invalid="ignore"):
            when = self._seconds[np.minimum(at, len(self._seconds) - 1)]
            short = stops & (when[1:] - when[:-1] < PAUSE)
        keep = ~(np.append(short, False) | np.append(False, short))
        return journey[keep], at[keep], moving[keep]

    def intervals(self) -> list[Integers]:
        """The frames `[start, stop)` in which each journey was under way: int32[n, 2] for each place."""
        if not self._changes:
            return [np.zeros((0, 2), np.int32)] * len(self._moving)
        columns = zip(*self._changes, strict=True)
        journey, at, moving = (np.concatenate(column) for column in columns)
        (open_,) = np.nonzero(self._moving)
        journey = np.concatenate((journey, open_.astype(np.int32)))
        at = np.concatenate((at, self._last[open_] + 1))
        moving = np.concatenate((moving, np.zeros(len(open_), np.bool_)))
        order = _sorted(journey)
        journey, at, moving = self._without_pauses(journey[order], at[order], moving[order])
        pairs = np.stack((at[moving], at[~moving]), axis=1).astype(np.int32)
        ends = np.searchsorted(journey[moving], np.arange(len(self._moving)), side="right")
        return np.split(pairs, ends[:-1])


class Courses:
    """How far journeys went, and where.

    `seconds` is the elapsed time of every frame; paths hold at most `most_points` points together. Attributes:
    `distance` (m), `spacing` (m between points of a path).
    """

    def __init__(self, places: int, seconds: Reals, most_points: int) -> None:
        self.distance = np.zeros(places)
        self.spacing = _FIRST_SPACING
        self._seconds = seconds
        self._most = most_points
        self._frame = np.full(places, -1, np.int32)
        self._place = np.zeros((2, places))
        self._kept = np.empty(0, _KEPT)
        self._fresh: list[npt.NDArray[np.void]] = []
        self._number = 0

    def add(self, journey: Integers, block: Table) -> None:
        """Take in a block of positions in file order, but for those of journey -1 and those without a finite place."""
        with np.errstate(invalid="ignore"):
            place = np.stack([block[axis].astype(np.float64) for axis in "xy"])
        sound = (journey >= 0) & np.isfinite(place).all(axis=0)
        order = _sorted(journey[sound])
        journey, frame, place = journey[sound][order], block["frame"][sound][order], place[:, sound][:, order]
        last = np.append(
            (journey[1:] != journey[:-1]) | (frame[1:] != frame[:-1]), np.ones(min(1, len(frame)), np.bool_)
        )
        if not last.all():
            journey, frame, place = journey[last], frame[last], place[:, last]
        if len(journey):
            self._go_on(journey, frame, place)

    def _go_on(self, journey: Integers, frame: Integers, place: Reals) -> None:
        heads = _heads(journey)
        tails = np.append(heads[1:], len(journey)) - 1
        whose = journey[heads]
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
        self._keep(journey, frame, place, along, driven, ~begun, jump)
        if jump.any():
            self._keep_before(journey[jump], from_frame[jump], from_place[:, jump], along[jump])
        self._frame[whose], self._place[:, whose], self.distance[whose] = frame[tails], place[:, tails], along[tails]
        if self._number > self._most:
            self._thin(self._most // 2)

    # --- paths ------------------------------------------------------------------------------------------

    def _keep(
        self, journey: Integers, frame: Integers, place: Reals, along: Reals, driven: Reals, first: Mask, jump: Mask
    ) -> None:
        """Keep the points at which a multiple of the spacing was passed, the first ones and those after jumps."""
        passed = np.floor(along / self.spacing) > np.floor((along - driven) / self.spacing)
        (kept,) = np.nonzero(passed | first | jump)
        points = _points(journey[kept], frame[kept], place[:, kept], along[kept])
        points["begins"], points["holds"] = jump[kept], first[kept] | jump[kept]
        self._add(points)

    def _keep_before(self, journey: Integers, frame: Integers, place: Reals, along: Reals) -> None:
        points = _points(journey, frame, place, along)
        points["holds"] = True
        self._add(points)

    def _add(self, points: npt.NDArray[np.void]) -> None:
        self._fresh.append(points)
        self._number += len(points)

    def _gather(self) -> None:
        """Bring the points in order, each place in time once."""
        if not self._fresh:
            return
        points = np.concatenate((self._kept, *self._fresh))
        self._fresh = []
        # Of two points of one frame, the one that begins a piece says more, and comes first.
        points = points[np.lexsort((~points["holds"], ~points["begins"], points["frame"], points["journey"]))]
        again = (points["journey"][1:] == points["journey"][:-1]) & (points["frame"][1:] == points["frame"][:-1])
        self._kept = points[np.concatenate((np.ones(min(1, len(points)), np.bool_), ~again))]
        self._number = len(self._kept)

    def _thin(self, most: int) -> None:
        """Double the spacing until no more than `most` points are left."""
        self._gather()
        while len(self._kept) > most and self.spacing < _LARGEST_SPACING:
            self.spacing *= 2
            bins = np.floor(self._kept["along"] / self.spacing)
            same = (bins[1:] == bins[:-1]) & (self._kept["journey"][1:] == self._kept["journey"][:-1])
            self._kept = self._kept[np.concatenate((np.ones(min(1, len(bins)), np.bool_), ~same)) | self._kept["holds"]]
        if len(self._kept) > most:
            # Only where journeys are more than points, or noise jumps about: any point is as good as another.
            self._kept = self._kept[:: -(-len(self._kept) // most)]
        self._number = len(self._kept)

    def close(self) -> None:
        """Add where the journeys ended; nothing can be added after it."""
        self._gather()
        (here,) = np.nonzero(self._frame >= 0)
        last = np.full(len(self._frame), -1.0)
        np.maximum.at(last, self._kept["journey"], self._kept["along"])
        here = here[self.distance[here] > last[here]]
        self._add(_points(here.astype(np.int32), self._frame[here], self._place[:, here], self.distance[here]))
        self._gather()
        room = self._most - int(np.count_nonzero(self._kept["begins"]))
        if len(self._kept) > max(1, room):
            self._thin(max(1, room))

    def paths(self) -> list[npt.NDArray[np.void]]:
        """The path of each place: dtype `POINT`."""
        (begins,) = np.nonzero(self._kept["begins"])
        points = np.empty(len(self._kept), POINT)
        points["frame"], points["x"], points["y"] = self._kept["frame"], self._kept["x"], self._kept["y"]
        breaks = points[begins]
        breaks["x"] = breaks["y"] = np.nan
        journey = np.insert(self._kept["journey"], begins, self._kept["journey"][begins])
        ends = np.searchsorted(journey, np.arange(len(self._frame)), side="right")
        return np.split(np.insert(points, begins, breaks), ends[:-1])


def _points(journey: Integers, frame: Integers, place: Reals, along: Reals) -> npt.NDArray[np.void]:
    points = np.zeros(len(journey), _KEPT)
    points["journey"], points["frame"], points["along"] = journey, frame, along
    points["x"], points["y"] = place[0] * 0.01, place[1] * 0.01
    return points
