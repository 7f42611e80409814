"""What two road users that are near each other do in a frame: they touch, nearly collide, drive together."""

import numpy as np

from ...arrays import BoolArray, FloatArray, StructuredArray
from ..measures import are_apart, meet_turning, time_headway, ttc2d
from ..near_users import Company, Pairs
from ..thresholds import Thresholds
from .driving import DRIVES
from .stretches import moments

_TURNING = 4 / 3  # of the threshold: the time in which two that go on turning meet
_SAME_WAY = float(np.cos(np.radians(30.0)))


def _moments_of(pairs: Pairs, holds: BoolArray, value: FloatArray, x: FloatArray, y: FloatArray) -> StructuredArray:
    """Return the moments in which something holds of pairs: dtype `MOMENT`.

    Args:
        pairs: The pairs.
        holds: Whether it does, bool[n].
        value: The value then, float64[n].
        x: The place, m, float64[n].
        y: The place, m, float64[n].
    """
    rows = np.flatnonzero(holds)
    return moments(pairs.a["life"][rows], pairs.b["life"][rows], pairs.frame[rows], value[rows], x[rows], y[rows])


def touching(pairs: Pairs) -> StructuredArray:
    """Return the moments in which boxes touch, with the relative speed (m/s)."""
    a, b = pairs.boxes
    return _moments_of(pairs, ~are_apart(a, b), pairs.pace, (a.x + b.x) / 2, (a.y + b.y) / 2)


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
    return _moments_of(pairs, holds, seconds, (then_a.x + then_b.x) / 2, (then_a.y + then_b.y) / 2)


def walkers_ahead(pairs: Pairs, company: Company, thresholds: Thresholds) -> StructuredArray:
    """Return the moments with a walker close before a car, with the time headway (s) of the car.

    Args:
        pairs: The pairs, both ways.
        company: Who is a walker.
        thresholds: What is close.
    """
    a, b = pairs.boxes
    headway = time_headway(a, b)
    drives = (a.speed > DRIVES) & ~company.is_walker[pairs.a["life"]]
    with np.errstate(invalid="ignore"):
        is_close = headway < thresholds.walker_ahead
    moments_ahead = _moments_of(pairs, drives & company.is_walker[pairs.b["life"]] & is_close, headway, b.x, b.y)
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
    together = vehicles & (ahead_a > DRIVES) & (ahead_b > DRIVES) & (a.cos * b.cos + a.sin * b.sin > _SAME_WAY)
    order = np.lexsort((pairs.frame, pairs.b["life"], pairs.a["life"]))
    return pairs.take(order[together[order]])
