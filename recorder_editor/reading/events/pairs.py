"""Pairs of road users that are near each other in a frame, what they are to each other, and their collisions."""

from functools import cached_property

import numpy as np

from ...arrays import BoolArray, FloatArray, IndexArray, IntArray, StructuredArray
from ..actors import Actors
from ..measures import Boxes, are_apart, meet_turning, time_headway, ttc2d
from ..measures.nearby import near_pairs
from ..road_users import boxes_of
from .kinds import Thresholds
from .stretches import moments

_HEIGHT = 3.0  # m: beyond it one of them is on a bridge
_DRIVES = 1.0  # m/s
_TURNING = 4 / 3  # of the threshold: the time in which two that go on turning meet
_SAME_WAY = float(np.cos(np.radians(30.0)))


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
        first, second = near_pairs(rows["frame"].astype(np.int64), boxes_of(rows), seconds, reach)
        a = rows["life"][first]
        b = rows["life"][second]
        is_level = np.abs(rows["z"][first] - rows["z"][second]) < _HEIGHT
        chosen = np.flatnonzero(company.may_meet(a, b) & is_level)
        is_turned = company.is_hero[b[chosen]] & ~company.is_hero[a[chosen]]
        left = np.where(is_turned, second[chosen], first[chosen])
        right = np.where(is_turned, first[chosen], second[chosen])
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

    def moments(self, holds: BoolArray, value: FloatArray, x: FloatArray, y: FloatArray) -> StructuredArray:
        """Return the moments in which something holds: dtype `MOMENT`.

        Args:
            holds: Whether it does, bool[n].
            value: The value then, float64[n].
            x: The place, m, float64[n].
            y: The place, m, float64[n].
        """
        rows = np.flatnonzero(holds)
        return moments(self.a["life"][rows], self.b["life"][rows], self.frame[rows], value[rows], x[rows], y[rows])


def touching(pairs: Pairs) -> StructuredArray:
    """Return the moments in which boxes touch, with the relative speed (m/s)."""
    a, b = pairs.boxes
    return pairs.moments(~are_apart(a, b), pairs.pace, (a.x + b.x) / 2, (a.y + b.y) / 2)


def nearly_colliding(pairs: Pairs, thresholds: Thresholds) -> StructuredArray:
    """Return the moments with a small 2D-TTC (s), at the place where the two would touch.

    They must be on a collision course also if they go on turning, so that bends are no near misses.
    """
    a, b = pairs.boxes
    seconds = ttc2d(a, b)
    with np.errstate(invalid="ignore"):
        chosen = np.flatnonzero((seconds > 0) & (seconds < thresholds.near_miss))
    close = pairs.take(chosen)
    close_a, close_b = close.boxes
    within = _TURNING * thresholds.near_miss
    holds = np.zeros(len(pairs), np.bool_)
    holds[chosen] = meet_turning(close_a, close_b, close.a["turn"], close.b["turn"], within)
    with np.errstate(invalid="ignore"):
        then_a = a.after(seconds)
        then_b = b.after(seconds)
    return pairs.moments(holds, seconds, (then_a.x + then_b.x) / 2, (then_a.y + then_b.y) / 2)


def walkers_ahead(pairs: Pairs, company: Company, thresholds: Thresholds) -> StructuredArray:
    """Return the moments with a walker close before a car, with the time headway (s) of the car.

    Args:
        pairs: The pairs, both ways.
        company: Who is a walker.
        thresholds: What is close.
    """
    a, b = pairs.boxes
    headway = time_headway(a, b)
    drives = (a.speed > _DRIVES) & ~company.is_walker[pairs.a["life"]]
    with np.errstate(invalid="ignore"):
        is_close = headway < thresholds.walker_ahead
    moments_ahead = pairs.moments(drives & company.is_walker[pairs.b["life"]] & is_close, headway, b.x, b.y)
    # The walker is the actor, the car the other.
    swapped = moments_ahead.copy()
    swapped["life"] = moments_ahead["other"]
    swapped["other"] = moments_ahead["life"]
    return swapped


def driving_together(pairs: Pairs, company: Company) -> Pairs:
    """Return the pairs of vehicles that drive in about the same direction, by lives and frame.

    Args:
        pairs: The pairs, both ways.
        company: Who is a walker.
    """
    a, b = pairs.boxes
    ahead_a = a.vx * a.cos + a.vy * a.sin
    ahead_b = b.vx * b.cos + b.vy * b.sin
    vehicles = ~company.is_walker[pairs.a["life"]] & ~company.is_walker[pairs.b["life"]]
    together = vehicles & (ahead_a > _DRIVES) & (ahead_b > _DRIVES) & (a.cos * b.cos + a.sin * b.sin > _SAME_WAY)
    order = np.lexsort((pairs.frame, pairs.b["life"], pairs.a["life"]))
    return pairs.take(order[together[order]])
