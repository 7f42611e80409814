"""Measures of how near two road users are to a collision.

The names and definitions are those of Westhofen et al., "Criticality Metrics for Automated Driving: A Review and
Suitability Analysis of the State of the Art", 2023, where no other source is named.
"""

import numpy as np

from ...arrays import BoolArray, FloatArray
from .boxes import Boxes, Gap, are_apart, axes_of, gap
from .following import SLOWEST, deceleration_to_avoid, time_gap

LONGEST_PET = 60.0
"""s: that of nearly parallel ways may be any time, and tells nothing."""

_PARALLEL = 1e-9
_STEP = 0.05  # s


def ttc2d(a: Boxes, b: Boxes) -> FloatArray:
    """Return the time to collision of boxes that keep their velocities and headings.

    At any time the boxes touch unless an axis separates them, and along each axis they meet in one stretch of time:
    |p + v t| <= r. The TTC is the first time that is in all four stretches. After Jiao et al., "Inferring
    heterogeneous treatment effects of crashes on highway traffic", 2023 (two-dimensional TTC).

    Returns:
        s, float64[n]: 0 while they touch, NaN where they never will.
    """
    enter, leave = _contact(a, b)
    with np.errstate(invalid="ignore"):
        meets = (enter <= leave) & (leave >= 0)
    return np.where(meets, np.maximum(enter, 0.0), np.nan)


def _contact(a: Boxes, b: Boxes) -> tuple[FloatArray, FloatArray]:
    """Return when boxes begin and cease to touch, s; the first is the later one where they never do."""
    enter = np.full(len(a.x), -np.inf)
    leave = np.full(len(a.x), np.inf)
    for x, y in axes_of(a, b):
        place = (b.x - a.x) * x + (b.y - a.y) * y
        pace = (b.vx - a.vx) * x + (b.vy - a.vy) * y
        reach = a.reach(x, y) + b.reach(x, y)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            one = (-reach - place) / pace
            other = (reach - place) / pace
        first = np.minimum(one, other)
        last = np.maximum(one, other)
        stands = pace == 0
        is_inside = np.abs(place) <= reach
        first = np.where(stands, np.where(is_inside, -np.inf, np.inf), first)
        last = np.where(stands, np.where(is_inside, np.inf, -np.inf), last)
        enter = np.maximum(enter, first)
        leave = np.minimum(leave, last)
    return enter, leave


def meet_turning(a: Boxes, b: Boxes, turn_a: FloatArray, turn_b: FloatArray, seconds: float) -> BoolArray:
    """Return which boxes touch within a time if they keep their speeds and go on turning as they do now.

    Looked at every 0.05 s. In bends the velocity of a moment leads off the road, where a 2D-TTC says nothing.

    Args:
        a: Boxes.
        b: The other boxes.
        turn_a: Their rates of turn, radians/s, float64[n].
        turn_b: Those of the others.
        seconds: The time.

    Returns:
        bool[n].
    """
    touch = np.zeros(len(a.x), np.bool_)
    for moment in np.arange(0.0, seconds + _STEP / 2, _STEP).tolist():
        touch |= ~are_apart(a.after_turning(moment, turn_a), b.after_turning(moment, turn_b))
    return touch


def closing_speed(a: Boxes, b: Boxes) -> FloatArray:
    """Return the speed at which boxes close, along the shortest line between them.

    Returns:
        m/s, float64[n]: negative where they part, NaN where they touch.
    """
    return _closing_along(gap(a, b), a, b)


def _closing_along(line: Gap, a: Boxes, b: Boxes) -> FloatArray:
    return np.asarray((a.vx - b.vx) * line.x + (a.vy - b.vy) * line.y)


def drac(a: Boxes, b: Boxes) -> FloatArray:
    """Return the deceleration to avoid a crash, `deceleration_to_avoid`, along the shortest line between boxes.

    Returns:
        m/s², float64[n]: 0 where they do not close, NaN where they touch.
    """
    line = gap(a, b)
    return deceleration_to_avoid(line.length, _closing_along(line, a, b))


def longitudinal_deceleration(a: Boxes, b: Boxes) -> FloatArray:
    """Return the constant deceleration along its heading by which `a` avoids to touch `b`: v / (2 TTC).

    v is the speed of `a` along its heading less that of `b`; the way until they touch is v TTC, and v² / (2 v TTC)
    brakes it down (a_long,req).

    Returns:
        m/s², float64[n]: NaN where they are on no collision course, or touch.
    """
    seconds = ttc2d(a, b)
    closing = (a.vx - b.vx) * a.cos + (a.vy - b.vy) * a.sin
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(seconds > 0, np.maximum(closing, 0.0) / (2 * seconds), np.nan)


def lateral_deceleration(a: Boxes, b: Boxes) -> FloatArray:
    """Return the constant acceleration across its heading by which `a` passes `b`: 2 s / TTC².

    s is how far the boxes overlap across the heading of `a` when they touch, towards the nearer side (a_lat,req).

    Returns:
        m/s², float64[n]: NaN where they are on no collision course, or touch.
    """
    seconds = ttc2d(a, b)
    with np.errstate(invalid="ignore"):
        then_a = a.after(seconds)
        then_b = b.after(seconds)
    across = (then_b.y - then_a.y) * a.cos - (then_b.x - then_a.x) * a.sin
    room = a.half_width + b.reach(-a.sin, a.cos) - np.abs(across)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(seconds > 0, 2 * np.maximum(room, 0.0) / seconds**2, np.nan)


def time_headway(a: Boxes, b: Boxes) -> FloatArray:
    """Return the time in which the front of `a` reaches where `b` is now: `time_gap` of the gap ahead.

    Returns:
        s, float64[n]: 0 where they touch, NaN where `b` is not ahead in the width of `a`, and below 0.1 m/s.
    """
    speed = a.vx * a.cos + a.vy * a.sin
    along = (b.x - a.x) * a.cos + (b.y - a.y) * a.sin
    across = (b.y - a.y) * a.cos - (b.x - a.x) * a.sin
    room = along - a.half_length - b.reach(a.cos, a.sin)
    is_ahead = (along > 0) & (np.abs(across) <= a.half_width + b.reach(-a.sin, a.cos)) & (speed >= SLOWEST)
    return np.where(is_ahead, time_gap(np.maximum(room, 0.0), speed), np.nan)


def _visits(a: Boxes, b: Boxes) -> tuple[FloatArray, FloatArray]:
    """Return when corners of `a` and of `b` are at the same place, s: float64[16, n] for each of both.

    A place that both boxes sweep is one that `a` covers after s and `b` after u: p + v_b u - v_a s lies in the polygon
    of all differences of their points. What is linear in s and u is least and greatest at a corner of that polygon.
    """
    bend = b.vy * a.vx - b.vx * a.vy
    speeds = np.hypot(a.vx, a.vy) * np.hypot(b.vx, b.vy)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        bend = np.where(np.abs(bend) > _PARALLEL * speeds, bend, np.nan)
        of_a = []
        of_b = []
        for corner_ax, corner_ay in a.corners():
            for corner_bx, corner_by in b.corners():
                x = corner_ax - corner_bx
                y = corner_ay - corner_by
                of_a.append((b.vx * y - b.vy * x) / bend)
                of_b.append((a.vx * y - a.vy * x) / bend)
    return np.array(of_a), np.array(of_b)


def post_encroachment_time(a: Boxes, b: Boxes) -> FloatArray:
    """Return the time from when one box leaves a place to when the other reaches it, if both keep their velocities.

    Of all places that both sweep, that with the shortest time (Allen, Shin and Cooper, 1978); `a` and `b` may be boxes
    of different moments, whose difference is then added.

    Returns:
        s, float64[n]: positive where `a` is first, negative where `b` is, 0 where they collide; NaN for parallel ways.
    """
    return _shortest_lag(*_visits(a, b))


def _shortest_lag(of_a: FloatArray, of_b: FloatArray) -> FloatArray:
    """Return the difference of visits that is nearest to 0, s, float64[n]; 0 where they overlap."""
    with np.errstate(invalid="ignore"):
        lag = of_b - of_a
        earliest = lag.min(axis=0)
        latest = lag.max(axis=0)
        return np.asarray(np.where(earliest > 0, earliest, np.where(latest < 0, latest, earliest - earliest)))


def predicted_pet(a: Boxes, b: Boxes) -> FloatArray:
    """Return the post-encroachment time that boxes of the same moment will have if both keep their velocities.

    Returns:
        s, float64[n], signed as by `post_encroachment_time`; NaN also where both have passed the place, and where it
        is longer than `LONGEST_PET`.
    """
    of_a, of_b = _visits(a, b)
    seconds = _shortest_lag(of_a, of_b)
    with np.errstate(invalid="ignore"):
        is_ahead = (of_a.max(axis=0) > 0) | (of_b.max(axis=0) > 0)
        return np.where(is_ahead & (np.abs(seconds) <= LONGEST_PET), seconds, np.nan)


def encroachment_time(a: Boxes, b: Boxes) -> FloatArray:
    """Return how long `a` covers parts of what both boxes sweep, if both keep their velocities.

    Returns:
        s, float64[n]; NaN for parallel ways, and where `a` stands.
    """
    of_a, _ = _visits(a, b)
    return np.asarray(of_a.max(axis=0) - of_a.min(axis=0))
