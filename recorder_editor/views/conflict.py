"""Two road users in a frame, where each goes at its present velocity, and where they would touch. No Qt."""

import math
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..reading.events import Events
from ..reading.measures import Boxes, distance, ttc2d
from ..reading.road_users import boxes_of

AHEAD = 2.0
"""Seconds that ways are shown for."""


class Way(NamedTuple):
    """Where a road user goes while it keeps its velocity: x to the right, y down.

    Attributes:
        actor: Its id.
        is_hero: Whether it is a hero.
        x: Where it is, m.
        y: The same.
        vx: Velocity, m/s.
        vy: The same.
        half_width: How far it reaches to the sides of its way, m.
        contact: The corners of its box when both touch, m, float64[4, 2]; None where they do not.
    """

    actor: int
    is_hero: bool
    x: float
    y: float
    vx: float
    vy: float
    half_width: float
    contact: FloatArray | None


class Conflict(NamedTuple):
    """The two road users of an event in a frame.

    Attributes:
        ways: Those of both.
        seconds: The 2D-TTC, s; NaN where they do not meet.
        distance: m between them.
        place: Where they would touch, m; None where they do not.
    """

    ways: tuple[Way, Way]
    seconds: float
    distance: float
    place: tuple[float, float] | None


def conflict_in(events: Events, row: int, frame_index: int) -> Conflict | None:
    """Return the two of an event in a frame; None for an event of one, and where one has no position.

    Args:
        events: The events.
        row: The row of the event.
        frame_index: The frame.
    """
    other = events.other(row)
    if other is None:
        return None
    lives = (events.life(row), other)
    indices = np.array([life.index for life in lives])
    rows = events.users.find(indices, np.full(2, frame_index))
    if not np.isfinite(rows["x"]).all():
        return None
    a = boxes_of(rows[:1])
    b = boxes_of(rows[1:])
    seconds = float(ttc2d(a, b)[0])
    ways = []
    for life, box in zip(lives, (a, b), strict=True):
        contact = None
        if math.isfinite(seconds):
            contact = _corners(box.after(np.array([seconds])))
        ways.append(_way(life.actor, box, contact, is_hero=life.is_hero))
    place = None
    if math.isfinite(seconds):
        place = touching_place(a.after(np.array([seconds])), b.after(np.array([seconds])))
    return Conflict((ways[0], ways[1]), seconds, float(distance(a, b)[0]), place)


def _way(actor: int, box: Boxes, contact: FloatArray | None, *, is_hero: bool) -> Way:
    vx = float(box.vx[0])
    vy = float(box.vy[0])
    speed = math.hypot(vx, vy)
    half_width = float(box.half_width[0])
    if speed:
        half_width = float(box.reach(np.array([-vy / speed]), np.array([vx / speed]))[0])
    return Way(
        actor=actor,
        is_hero=is_hero,
        x=float(box.x[0]),
        y=float(box.y[0]),
        vx=vx,
        vy=vy,
        half_width=half_width,
        contact=contact,
    )


def _corners(box: Boxes) -> FloatArray:
    return np.array([(float(x[0]), float(y[0])) for x, y in box.corners()])


def touching_place(a: Boxes, b: Boxes) -> tuple[float, float]:
    """Return where two boxes touch: between the corners of each that are nearest to the middle of the other."""
    one = _nearest(_corners(a), b)
    other = _nearest(_corners(b), a)
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _nearest(corners: FloatArray, box: Boxes) -> tuple[float, float]:
    x, y = corners[np.hypot(corners[:, 0] - box.x[0], corners[:, 1] - box.y[0]).argmin()].tolist()
    return x, y
