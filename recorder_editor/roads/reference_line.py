"""The reference lines of all roads: place, heading and curvature at any s, in the file's coordinates (y to the left).

A line, an arc and a spiral are one thing, a clothoid, whose curvature changes with s; it is cut into parts that turn at
most 1 radian, on which five points of Gauss and Legendre integrate the heading exactly as far as float64 goes. A poly3
and a paramPoly3 are a curve of polynomials; where s is its length, a table tells its parameter at s.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray, StructuredArray
from ..errors import MapError
from ..texts import say
from .intervals import Cubics, Intervals, repeated
from .opendrive import CURVE

MAX_PARTS = 2_000_000
_NODES, _WEIGHTS = (
    each / 2 + shift for each, shift in zip(np.polynomial.legendre.leggauss(5), (0.5, 0.0), strict=True)
)
_PARTS_OF_CURVE = 16, 1024
_LENGTH_OF_PART = 1.0


class LinePoints(NamedTuple):
    """Points of reference lines, float64[n] each: `x`, `y` (m), `heading` (radians), `curvature` (1/m), `speed` (the
    length of the derivative of the place with respect to s; 1 but for a paramPoly3 that is not exact)."""

    x: FloatArray
    y: FloatArray
    heading: FloatArray
    curvature: FloatArray
    speed: FloatArray


class ReferenceLine:
    """The reference lines of roads. `geometries` is the table of `OpenDrive`; its rows may come in any order.

    Attributes: `parts` (where another geometry or part of one begins, by road).
    """

    def __init__(self, geometries: StructuredArray, roads: int) -> None:
        rows = geometries[np.lexsort((geometries["s"], geometries["road"]))]
        is_curve = rows["kind"] == CURVE
        # One that reaches past the begin of the next one ends there.
        reach = np.where(np.append(np.diff(rows["road"]) == 0, False)[: len(rows)], np.roll(rows["s"], -1), np.inf)
        reached = np.minimum(rows["length"], reach - rows["s"])
        turn = np.maximum(np.abs(rows["p0"]), np.abs(rows["p1"])) * reached
        counts = np.where(is_curve, 1, np.ceil(np.maximum(turn, 1.0))).astype(np.intp)
        if counts.sum() > MAX_PARTS:
            raise MapError(say("The bends of the map are more than can be read."))
        whole, number = repeated(counts)
        self._curves = _Curves(rows[is_curve])
        self._curve = np.where(is_curve, np.cumsum(is_curve) - 1, -1)[whole]
        share = number / counts[whole]
        length = reached[whole]
        # Of each part: its begin behind that of the geometry, and the clothoid that begins there.
        begin = share * length
        self._change = np.where(is_curve, 0.0, (rows["p1"] - rows["p0"]) / rows["length"])[whole]
        first = np.where(is_curve, 0.0, rows["p0"])[whole]
        self._curvature = first + self._change * begin
        self._heading = rows["heading"][whole] + begin * (first + self._change * begin / 2)
        size = length / counts[whole]
        dx, dy = _integral(self._heading, self._curvature, self._change, size)
        self._x, self._y = (rows[name][whole] + _sum_before(step, counts) for name, step in (("x", dx), ("y", dy)))
        self.parts = Intervals(rows["road"][whole].astype(np.intp), rows["s"][whole] + begin, roads)

    def at(self, road: IndexArray, s: FloatArray, found_at: FloatArray | None = None) -> LinePoints:
        """The points of roads at s, on the part that holds there or at `found_at`; parts go on beyond their ends."""
        part = self.parts.find(road, s if found_at is None else found_at)
        ds = s - self.parts.s[part]
        heading = self._heading[part]
        curvature = self._curvature[part]
        change = self._change[part]
        dx, dy = _integral(heading, curvature, change, ds)
        x, y = self._x[part] + dx, self._y[part] + dy
        heading = heading + ds * (curvature + change * ds / 2)
        points = LinePoints(x, y, heading, curvature + change * ds, np.ones(np.shape(x)))
        curved = np.flatnonzero(self._curve[part] >= 0)
        if len(curved):
            at = part[curved]
            u, v, turn, bend, speed = self._curves.at(self._curve[at], ds[curved])
            cos, sin = np.cos(self._heading[at]), np.sin(self._heading[at])
            points.x[curved] = self._x[at] + u * cos - v * sin
            points.y[curved] = self._y[at] + u * sin + v * cos
            points.heading[curved] = self._heading[at] + turn
            points.curvature[curved] = bend
            points.speed[curved] = speed
        return points


def has_wrong_length(rows: StructuredArray) -> BoolArray:
    """Which geometries are paramPoly3 and less than half or more than twice as long as they say."""
    end = np.where(rows["is_normalized"] > 0, 1.0, rows["length"])
    u, v = (np.stack([rows[f"p{number}"] for number in each], axis=-1) for each in (range(4), range(4, 8)))
    shares = (np.arange(16) + 0.5) / 16
    length = sum(np.hypot(_slope(u, share * end), _slope(v, share * end)) for share in shares) * end / 16
    is_wrong = (length < rows["length"] / 2) | (length > 2 * rows["length"])
    return np.asarray((rows["kind"] == CURVE) & (rows["is_normalized"] >= 0) & is_wrong)


class _Curves:
    """Curves (u, v) of cubics in a parameter p, and p at the distance ds along each."""

    def __init__(self, rows: StructuredArray) -> None:
        self._u = np.stack([rows[f"p{number}"] for number in range(4)], axis=-1)
        self._v = np.stack([rows[f"p{number}"] for number in range(4, 8)], axis=-1)
        # A poly3 (-1) has its length up to some p below it, an arcLength (0) up to it, a normalized (1) up to 1.
        kind = rows["is_normalized"]
        length = rows["length"]
        end = np.where(kind > 0, 1.0, length)
        counts = np.where(kind == 0, 1, np.clip(np.ceil(length / _LENGTH_OF_PART), *_PARTS_OF_CURVE)).astype(np.intp)
        curve, number = repeated(counts)
        step = (end / counts)[curve]
        p = number * step
        nodes = zip(_NODES, _WEIGHTS, strict=True)
        lengths = sum(weight * step * self._speed(curve, p + node * step) for node, weight in nodes)
        s = _sum_before(np.asarray(lengths), counts)
        total = np.bincount(curve, lengths, len(rows)) if len(rows) else np.empty(0)
        # A normalized curve ends at its length also where the file's length is rounded.
        stretch = np.where((kind > 0) & (total > 0), length / np.where(total > 0, total, 1.0), 1.0)[curve]
        size = np.maximum(lengths * stretch, 1e-9)
        slopes = []
        for at in (p, p + step):
            slopes.append(1 / np.maximum(self._speed(curve, at) * stretch, 1e-6))
        is_plain = (kind == 0)[curve]
        c, d = hermite(step, slopes[0] * size, slopes[1] * size)
        linear = np.stack([p, np.ones_like(p), np.zeros_like(p), np.zeros_like(p)], axis=-1)
        cubic = np.stack([p, slopes[0], c / size**2, d / size**3], axis=-1)
        self._p = Cubics(curve, s * stretch, np.where(is_plain[:, None], linear, cubic), len(rows))

    def _speed(self, curve: IndexArray, p: FloatArray) -> FloatArray:
        return np.hypot(_slope(self._u[curve], p), _slope(self._v[curve], p))

    def at(self, curve: IndexArray, ds: FloatArray) -> tuple[FloatArray, ...]:
        """u, v, direction of the tangent, curvature, and the length of the derivative with respect to s."""
        p, change = self._p.values(curve, np.maximum(ds, 0.0))
        u = self._u[curve]
        v = self._v[curve]
        du = _slope(u, p)
        dv = _slope(v, p)
        speed = np.hypot(du, dv)
        cross = du * _bend(v, p) - dv * _bend(u, p)
        return _value(u, p), _value(v, p), np.arctan2(dv, du), cross / np.maximum(speed, 1e-6) ** 3, speed * change


def hermite(rise: FloatArray, first: FloatArray, last: FloatArray) -> tuple[FloatArray, FloatArray]:
    """c and d of the cubic on 0 to 1 that rises by so much between the slopes `first` and `last`."""
    return 3 * rise - 2 * first - last, first + last - 2 * rise


def _integral(
    heading: FloatArray, curvature: FloatArray, change: FloatArray, length: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """How far a clothoid leads: x and y of its end."""
    x, y = np.zeros(np.shape(length)), np.zeros(np.shape(length))
    for node, weight in zip(_NODES, _WEIGHTS, strict=True):
        at = node * length
        angle = heading + at * (curvature + change * at / 2)
        x += weight * np.cos(angle)
        y += weight * np.sin(angle)
    return x * length, y * length


def _sum_before(values: FloatArray, counts: IndexArray) -> FloatArray:
    """The sum of the values of the same group that come before each."""
    sums = np.cumsum(values) - values
    return sums - np.repeat(sums[np.cumsum(counts) - counts], counts) if len(values) else sums


def _value(cubic: FloatArray, p: FloatArray) -> FloatArray:
    a, b, c, d = cubic.T
    return np.asarray(a + p * (b + p * (c + p * d)))


def _slope(cubic: FloatArray, p: FloatArray) -> FloatArray:
    _, b, c, d = cubic.T
    return np.asarray(b + p * (2 * c + 3 * p * d))


def _bend(cubic: FloatArray, p: FloatArray) -> FloatArray:
    _, _, c, d = cubic.T
    return np.asarray(2 * c + 6 * p * d)
