"""Pairs of road users that are near each other, frame after frame, in parts of bounded size."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray, IntArray, StructuredArray, run_starts
from ..progress import SILENT, Progress
from .actors import Actors
from .measures import SLOWEST, Boxes, distance
from .measures.nearby import near_pairs
from .road_users import RoadUsers, boxes_of

HEIGHT = 3.0
"""m: beyond it one of two is on a bridge."""

_AT_ONCE = 1 << 18  # pairs of rows of the same frame, near each other or not


class Company:
    """Which lives are walkers, heroes, or attached to each other."""

    def __init__(self, actors: Actors) -> None:
        self.is_walker = np.array([life.class_ == "walker" for life in actors], np.bool_)
        self.is_hero = np.array([life.is_hero for life in actors], np.bool_)
        self._parent = np.full(len(actors), -1)
        for life in actors:
            if life.parent is not None:
                self._parent[life.index] = life.parent

    def may_meet(self, a: IntArray, b: IntArray) -> BoolArray:
        """Return which pairs of lives may have events: not two walkers, nor what is attached to each other."""
        with_vehicle = ~(self.is_walker[a] & self.is_walker[b])
        return np.asarray(with_vehicle & (self._parent[a] != b) & (self._parent[b] != a))


def rows_near(
    rows: StructuredArray, boxes: Boxes, company: Company, seconds: float, reach: float = 0.0
) -> tuple[IndexArray, IndexArray]:
    """Find the road users of the same frame that may meet, or come near each other, within a time.

    Left out are two walkers, what is attached to each other, and what is more than 3 m above the other.

    Args:
        rows: Road users, dtype `ROAD_USER`.
        boxes: Their boxes.
        company: What they are to each other.
        seconds: The time.
        reach: m that their ways over this time may be apart.

    Returns:
        Two rows for each pair, the lower one first, in order.
    """
    first, second = near_pairs(rows["frame"].astype(np.int64), boxes, seconds, reach)
    heights = rows["z"]
    is_level = np.abs(heights[first] - heights[second]) < HEIGHT
    lives = rows["life"]
    may_meet = company.may_meet(lives[first], lives[second])
    chosen = np.flatnonzero(may_meet & is_level)
    return first[chosen], second[chosen]


class Pairs:
    """Two road users in the same frame, row by row.

    Attributes:
        frame: The frame index, int[n].
        a: Rows of dtype `ROAD_USER`; a hero is the first of two.
        b: The same of the others.
    """

    def __init__(self, a: StructuredArray, b: StructuredArray) -> None:
        self.frame = a["frame"]
        self.a = a
        self.b = b

    def __len__(self) -> int:
        return len(self.frame)

    @classmethod
    def near(cls, rows: StructuredArray, company: Company, seconds: float, reach: float = 0.0) -> "Pairs":
        """Return the pairs of road users that may meet, or come near each other, within a time.

        Args:
            rows: Road users, dtype `ROAD_USER`.
            company: What they are to each other.
            seconds: The time.
            reach: m that their ways over this time may be apart.
        """
        first, second = rows_near(rows, boxes_of(rows), company, seconds, reach)
        a = rows["life"][first]
        b = rows["life"][second]
        is_turned = company.is_hero[b] & ~company.is_hero[a]
        left = np.where(is_turned, second, first)
        right = np.where(is_turned, first, second)
        return cls(rows[left], rows[right])

    def take(self, rows: IndexArray | BoolArray | slice) -> "Pairs":
        """Return some of the pairs."""
        return Pairs(self.a[rows], self.b[rows])

    def both_ways(self) -> "Pairs":
        """Return each pair twice: with each of the two as `a`."""
        return Pairs(np.concatenate((self.a, self.b)), np.concatenate((self.b, self.a)))

    @cached_property
    def boxes(self) -> tuple[Boxes, Boxes]:
        """The boxes of both."""
        return boxes_of(self.a), boxes_of(self.b)

    @cached_property
    def pace(self) -> FloatArray:
        """The speed of both relative to each other, m/s, float64[n]."""
        a, b = self.boxes
        return np.hypot(a.vx - b.vx, a.vy - b.vy)


def pairs_within(
    users: RoadUsers, metres: float, frames: range | None = None, progress: Progress = SILENT
) -> Iterator[Pairs]:
    """Yield the pairs of road users whose boxes are near each other, and of which at least one moves.

    Left out are two walkers, what is attached to each other, and what is more than 3 m above the other.

    Args:
        users: The road users.
        metres: How far the boxes are apart at most, m.
        frames: Frame indices, rising; None for all.
        progress: Counts frames; raises `Cancelled` when the user stops it.

    Yields:
        Pairs by frame and life, about 262,000 at most, and not less than those of one frame.
    """
    company = Company(users.actors)
    step = 1
    whole = None
    if frames is not None:
        step = frames.step
        whole = range(frames.start, frames.stop)
    for portion, portion_rows in users.portions(progress, frames=whole):
        first = portion.start if whole is None else whole.start
        rows = portion_rows[(portion_rows["frame"] - first) % step == 0]
        for part in parts_of(rows):
            progress.check()
            yield _near(Pairs.near(part, company, seconds=0.0, reach=metres), metres)


def parts_of(rows: StructuredArray) -> Iterator[StructuredArray]:
    """Yield whole frames of rows of dtype `ROAD_USER`, so many that they have about 262,000 pairs, near or not."""
    if not len(rows):
        return
    heads = np.flatnonzero(run_starts(rows["frame"]))
    counts = np.diff(heads, append=len(rows))
    done: IntArray = np.cumsum(counts * (counts - 1) // 2)
    starts = heads[run_starts(done // _AT_ONCE)].tolist()
    for start, stop in zip(starts, [*starts[1:], len(rows)], strict=True):
        yield rows[start:stop]


def _near(pairs: Pairs, metres: float) -> Pairs:
    a, b = pairs.boxes
    moves = (a.speed >= SLOWEST) | (b.speed >= SLOWEST)
    return pairs.take(np.flatnonzero(moves & (distance(a, b) <= metres)))
