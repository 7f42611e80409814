"""Oriented boxes on the ground with velocities, as columns, and how far they are apart."""

from collections.abc import Iterator
from typing import NamedTuple, Self

import numpy as np

from ...arrays import BoolArray, FloatArray, IndexArray

_SIDES = ((1, 1), (1, -1), (-1, -1), (-1, 1))
"""The corners of a box: front right, front left, rear left, rear right in the simulator's axes."""


class Boxes(NamedTuple):
    """Boxes on the ground that move without turning; each column float64[n].

    Attributes:
        x: The middle, m.
        y: The middle, m.
        cos: Cosine of the heading.
        sin: Sine of the heading.
        half_length: Half the length, m.
        half_width: Half the width, m.
        vx: Velocity over the ground, m/s.
        vy: Velocity over the ground, m/s.
    """

    x: FloatArray
    y: FloatArray
    cos: FloatArray
    sin: FloatArray
    half_length: FloatArray
    half_width: FloatArray
    vx: FloatArray
    vy: FloatArray

    def take(self, rows: IndexArray | BoolArray | slice) -> Self:
        """Return some of the boxes."""
        return type(self)(*(column[rows] for column in self))

    def after(self, seconds: FloatArray) -> Self:
        """Return the boxes after they went on for a time with their velocities."""
        return self._replace(x=self.x + self.vx * seconds, y=self.y + self.vy * seconds)

    def after_turning(self, seconds: float, turn: FloatArray) -> Self:
        """Return the boxes after they went on for a time with their speed, and turned at a rate (radians/s)."""
        angle = turn * seconds
        cos = np.cos(angle)
        sin = np.sin(angle)
        # Along an arc: the integrals of cosine and sine over the time.
        ahead = seconds * np.sinc(angle / np.pi)
        aside = seconds * np.sin(angle / 2) * np.sinc(angle / 2 / np.pi)
        return self._replace(
            x=self.x + self.vx * ahead - self.vy * aside,
            y=self.y + self.vy * ahead + self.vx * aside,
            cos=self.cos * cos - self.sin * sin,
            sin=self.sin * cos + self.cos * sin,
        )

    @property
    def speed(self) -> FloatArray:
        """Speed over the ground, m/s, float64[n]."""
        return np.hypot(self.vx, self.vy)

    @property
    def radius(self) -> FloatArray:
        """Half the diagonal, m, float64[n]."""
        return np.hypot(self.half_length, self.half_width)

    def corners(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield the x and y (m) of each of the four corners."""
        for ahead, aside in _SIDES:
            along = ahead * self.half_length
            across = aside * self.half_width
            yield self.x + along * self.cos - across * self.sin, self.y + along * self.sin + across * self.cos

    def reach(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return how far a box reaches from its middle along a direction of length 1, m, float64[n]."""
        return self.half_length * np.abs(x * self.cos + y * self.sin) + self.half_width * np.abs(
            y * self.cos - x * self.sin
        )


def axes_of(a: Boxes, b: Boxes) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the directions along one of which two boxes are apart if they are apart at all: those of their sides.

    The separating axis theorem for convex polygons (Gottschalk, Lin and Manocha, OBBTree, 1996).
    """
    for own in (a, b):
        yield own.cos, own.sin
        yield -own.sin, own.cos


def are_apart(a: Boxes, b: Boxes) -> BoolArray:
    """Return whether boxes do not touch, row by row: bool[n]; those with a number that is NaN are apart."""
    touch = np.ones(len(a.x), np.bool_)
    for x, y in axes_of(a, b):
        touch &= np.abs((b.x - a.x) * x + (b.y - a.y) * y) <= a.reach(x, y) + b.reach(x, y)
    return ~touch


class Gap(NamedTuple):
    """The shortest line between two boxes, row by row.

    Attributes:
        length: m, float64[n]; 0 where they touch.
        x: Its direction from `a` to `b`, of length 1, float64[n]; NaN where they touch.
        y: The same.
    """

    length: FloatArray
    x: FloatArray
    y: FloatArray


def gap(a: Boxes, b: Boxes) -> Gap:
    """Return the shortest line between boxes.

    Of two convex polygons that do not touch, a corner of one is an end of it.
    """
    length = np.full(len(a.x), np.inf)
    gap_x = np.full(len(a.x), np.nan)
    gap_y = np.full(len(a.x), np.nan)
    for own, other, sign in ((a, b, 1.0), (b, a, -1.0)):
        for corner_x, corner_y in other.corners():
            # The corner in the axes of the other box, and how far it is beyond that one's sides.
            along = (corner_x - own.x) * own.cos + (corner_y - own.y) * own.sin
            across = (corner_y - own.y) * own.cos - (corner_x - own.x) * own.sin
            ahead = along - np.clip(along, -own.half_length, own.half_length)
            aside = across - np.clip(across, -own.half_width, own.half_width)
            corner_length = np.hypot(ahead, aside)
            nearer = corner_length < length
            length = np.where(nearer, corner_length, length)
            gap_x = np.where(nearer, sign * (ahead * own.cos - aside * own.sin), gap_x)
            gap_y = np.where(nearer, sign * (ahead * own.sin + aside * own.cos), gap_y)
    apart = are_apart(a, b)
    length = np.where(np.isfinite(length), np.where(apart, length, 0.0), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        gap_x = np.where(apart, gap_x / length, np.nan)
        gap_y = np.where(apart, gap_y / length, np.nan)
    return Gap(length, gap_x, gap_y)


def distance(a: Boxes, b: Boxes) -> FloatArray:
    """Return the shortest distance between boxes, m, float64[n]: 0 where they touch, NaN where a number is missing."""
    return gap(a, b).length
