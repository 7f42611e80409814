"""Curves that a town is drawn with, all kept in flat tables so that many points are looked up at once.

Metres and radians on CARLA's ground: x forward, y to the right, angles clockwise from above. Knows no roads.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

SPACING = 0.5
HILL = 1.3
HILL_X, HILL_Y = 95.0, 80.0


class Curve(NamedTuple):
    """Points along a line at an even `spacing`; `heading` runs on without jumps of a whole turn."""

    x: Floats
    y: Floats
    heading: Floats
    spacing: float

    @property
    def length(self) -> float:
        """Metres from end to end."""
        return self.spacing * (len(self.x) - 1)

    def reversed(self) -> "Curve":
        """The same line from its other end."""
        return Curve(self.x[::-1], self.y[::-1], self.heading[::-1] + np.pi, self.spacing)

    def beside(self, right: float) -> "Curve":
        """The line that runs `right` metres to the right of this one."""
        return curve_through(self.x - right * np.sin(self.heading), self.y + right * np.cos(self.heading))

    def part(self, start: float, stop: float) -> "Curve":
        """The piece between two distances from the beginning."""
        along = np.linspace(start, stop, max(3, round((stop - start) / SPACING) * 4))
        own = np.arange(len(self.x)) * self.spacing
        return curve_through(np.interp(along, own, self.x), np.interp(along, own, self.y))

    def at(self, along: float) -> tuple[float, float, float]:
        """Place and heading at a distance from the beginning."""
        own = np.arange(len(self.x)) * self.spacing
        values = (np.interp(along, own, column) for column in (self.x, self.y, self.heading))
        x, y, heading = (float(value) for value in values)
        return x, y, heading


def curve_through(x: Floats, y: Floats) -> Curve:
    """An evenly spaced curve through points that may lie unevenly."""
    steps = np.hypot(np.diff(x), np.diff(y))
    keep = np.concatenate(([True], steps > 1e-9))
    x, y = x[keep], y[keep]
    along = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))))
    count = max(2, round(float(along[-1]) / SPACING)) + 1
    even = np.linspace(0.0, float(along[-1]), count)
    x, y = np.interp(even, along, x), np.interp(even, along, y)
    pieces = np.unwrap(np.arctan2(np.diff(y), np.diff(x)))
    inner = (pieces[1:] + pieces[:-1]) / 2
    first, last = 1.5 * pieces[0] - 0.5 * pieces[1], 1.5 * pieces[-1] - 0.5 * pieces[-2]
    return Curve(x, y, np.concatenate(([first], inner, [last])), float(even[1]))


def bend(start: tuple[float, float], out: float, end: tuple[float, float], back: float, pull: float) -> Curve:
    """A smooth way from `start`, leaving at heading `out`, to `end`, arriving at heading `back`.

    `pull` is how far the curve keeps to its first and last direction, as a share of the straight distance.
    """
    reach = pull * float(np.hypot(end[0] - start[0], end[1] - start[1]))
    t = np.linspace(0.0, 1.0, 400)
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    corners = (
        start,
        (start[0] + reach * np.cos(out), start[1] + reach * np.sin(out)),
        (end[0] - reach * np.cos(back), end[1] - reach * np.sin(back)),
        end,
    )
    x, y = (
        np.sum([weight * corner[axis] for weight, corner in zip(weights, corners, strict=True)], axis=0)
        for axis in (0, 1)
    )
    return curve_through(x, y)


class Curves:
    """Many curves in one table: `at(which, along)` looks any number of points up in one go.

    Attributes: `length` and `first` (place of the curve's first point in the table), both of shape (curves,).
    """

    def __init__(self, curves: list[Curve]) -> None:
        counts = np.array([len(curve.x) for curve in curves], dtype=np.int64)
        self.first = np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.int64)
        self.last = counts - 1
        self.spacing = np.array([curve.spacing for curve in curves])
        self.length = self.last * self.spacing
        self.x = np.concatenate([curve.x for curve in curves])
        self.y = np.concatenate([curve.y for curve in curves])
        self.heading = np.concatenate([curve.heading for curve in curves])

    def place(self, which: Ints, along: Floats) -> tuple[Ints, Floats]:
        """The table row before each point and the share of the way to the next row."""
        steps = np.clip(along / self.spacing[which], 0.0, self.last[which] - 1e-9)
        whole = steps.astype(np.int64)
        return self.first[which] + whole, steps - whole

    def at(self, which: Ints, along: Floats) -> tuple[Floats, Floats, Floats]:
        """x, y and heading of points; beyond its ends a curve goes straight on."""
        row, share = self.place(which, along)
        following = row + 1
        x = self.x[row] + share * (self.x[following] - self.x[row])
        y = self.y[row] + share * (self.y[following] - self.y[row])
        heading = self.heading[row] + share * (self.heading[following] - self.heading[row])
        beyond = along - np.clip(along, 0.0, self.length[which])
        return x + beyond * np.cos(heading), y + beyond * np.sin(heading), heading


def ground(x: Floats, y: Floats) -> Floats:
    """Height of the land: gentle hills, nowhere steeper than a degree."""
    return HILL * np.sin(x / HILL_X) * np.cos(y / HILL_Y)


def slope(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """How fast the land rises along x and along y."""
    return (
        HILL / HILL_X * np.cos(x / HILL_X) * np.cos(y / HILL_Y),
        -HILL / HILL_Y * np.sin(x / HILL_X) * np.sin(y / HILL_Y),
    )


def turned(angle: Floats) -> Floats:
    """Angles brought into -pi to pi."""
    return (angle + np.pi) % (2 * np.pi) - np.pi
