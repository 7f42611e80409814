"""The reference lines of all roads: place, heading and curvature at any s, in the file's coordinates (y to the left).

A line, an arc and a spiral are one thing, a clothoid: its curvature changes with s. It is cut into parts that turn at
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
# Gauss's rule of 5 points as np.polynomial.legendre.leggauss(5) gives it, which would load all of numpy.polynomial.
_LEGENDRE_NODES = np.array([-0.906179845938664, -0.5384693101056831, 0.0, 0.5384693101056831, 0.906179845938664])
_LEGENDRE_WEIGHTS = np.array(
    [0.23692688505618928, 0.4786286704993663, 0.5688888888888887, 0.4786286704993663, 0.23692688505618928]
)
_NODES = _LEGENDRE_NODES / 2 + 0.5  # on 0 to 1
_WEIGHTS = _LEGENDRE_WEIGHTS / 2
_LEAST_PARTS = 16  # of a curve
_MOST_PARTS = 1024
_LENGTH_OF_PART = 1.0


class LinePoints(NamedTuple):
    """Points of reference lines.

    Attributes:
        x: float64[n] (m).
        y: float64[n] (m).
        heading: float64[n] (radians).
        curvature: float64[n] (1/m).
        speed: The length of the derivative of the place with respect to s, float64[n]; 1 but for a paramPoly3 that is
            not exact.
    """

    x: FloatArray
    y: FloatArray
    heading: FloatArray
    curvature: FloatArray
    speed: FloatArray


class ReferenceLine:
    """The reference lines of roads.

    Attributes:
        parts: The rows at which another geometry or part of one begins; the owners are roads.
    """

    def __init__(self, geometries: StructuredArray, roads: int) -> None:
        """Cut geometries into parts.

        Args:
            geometries: The table of `OpenDrive`; its rows may come in any order.
            roads: The number of roads.

        Raises:
            MapError: They turn more than can be read.
        """
        rows = geometries[np.lexsort((geometries["s"], geometries["road"]))]
        is_curve = rows["kind"] == CURVE
        # One that reaches past the begin of the next one ends there.
        reach = np.where(np.append(np.diff(rows["road"]) == 0, False)[: len(rows)], np.roll(rows["s"], -1), np.inf)
        begins = rows["s"]
        reached = np.minimum(rows["length"], reach - begins)
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
        self._x = rows["x"][whole] + _sum_before(dx, counts)
        self._y = rows["y"][whole] + _sum_before(dy, counts)
        self.parts = Intervals(rows["road"][whole].astype(np.intp), rows["s"][whole] + begin, roads)

    def at(self, road: IndexArray, s: FloatArray, found_at: FloatArray | None = None) -> LinePoints:
        """Return points of roads; parts go on beyond their ends.

        Args:
            road: The roads, intp[n].
            s: The s of each, float64[n] (m).
            found_at: The s at which the part is found; None: at `s`.
        """
        part = self.parts.find(road, s if found_at is None else found_at)
        ds = s - self.parts.s[part]
        heading = self._heading[part]
        curvature = self._curvature[part]
        change = self._change[part]
        dx, dy = _integral(heading, curvature, change, ds)
        points = LinePoints(
            x=self._x[part] + dx,
            y=self._y[part] + dy,
            heading=heading + ds * (curvature + change * ds / 2),
            curvature=curvature + change * ds,
            speed=np.ones(np.shape(dx)),
        )
        curved = np.flatnonzero(self._curve[part] >= 0)
        if len(curved):
            bent = part[curved]
            u, v, turn, bend, speed = self._curves.at(self._curve[bent], ds[curved])
            cos = np.cos(self._heading[bent])
            sin = np.sin(self._heading[bent])
            points.x[curved] = self._x[bent] + u * cos - v * sin
            points.y[curved] = self._y[bent] + u * sin + v * cos
            points.heading[curved] = self._heading[bent] + turn
            points.curvature[curved] = bend
            points.speed[curved] = speed
        return points


def has_wrong_length(rows: StructuredArray) -> BoolArray:
    """Find the geometries that are paramPoly3 and less than half or more than twice as long as they say.

    Args:
        rows: Rows of `OpenDrive.geometries`.

    Returns:
        bool[n].
    """
    end = np.where(rows["is_normalized"] > 0, 1.0, rows["length"])
    u = _cubic_of(rows, 0)
    v = _cubic_of(rows, 4)
    total = np.zeros(len(rows))
    for share in (np.arange(16) + 0.5) / 16:
        total += np.hypot(_slope(u, share * end), _slope(v, share * end))
    length = total * end / 16
    is_wrong = (length < rows["length"] / 2) | (length > 2 * rows["length"])
    return np.asarray((rows["kind"] == CURVE) & (rows["is_normalized"] >= 0) & is_wrong)


def _cubic_of(rows: StructuredArray, first: int) -> FloatArray:
    """Return four parameters of geometries as the coefficients of cubics, float64[n, 4]."""
    parameters = [rows[f"p{number}"] for number in range(first, first + 4)]
    return np.stack(parameters, axis=-1)


class _Curves:
    """Curves (u, v) of cubics in a parameter p, and p at the distance ds along each."""

    def __init__(self, rows: StructuredArray) -> None:
        self._u = _cubic_of(rows, 0)
        self._v = _cubic_of(rows, 4)
        # A poly3 (-1) has its length up to some p below it, an arcLength (0) up to it, a normalized (1) up to 1.
        kind = rows["is_normalized"]
        length = rows["length"]
        end = np.where(kind > 0, 1.0, length)
        counts = np.where(kind == 0, 1, np.clip(np.ceil(length / _LENGTH_OF_PART), _LEAST_PARTS, _MOST_PARTS)).astype(
            np.intp
        )
        curve, number = repeated(counts)
        step = (end / counts)[curve]
        p = number * step
        lengths = np.zeros(len(p))
        for node, weight in zip(_NODES, _WEIGHTS, strict=True):
            lengths += weight * step * self._speed(curve, p + node * step)
        s = _sum_before(lengths, counts)
        total = np.bincount(curve, lengths, len(rows)) if len(rows) else np.empty(0)
        # A normalized curve ends at its length also where the file's length is rounded.
        stretch = np.where((kind > 0) & (total > 0), length / np.where(total > 0, total, 1.0), 1.0)[curve]
        size = np.maximum(lengths * stretch, 1e-9)
        slope = 1 / np.maximum(self._speed(curve, p) * stretch, 1e-6)
        last_slope = 1 / np.maximum(self._speed(curve, p + step) * stretch, 1e-6)
        is_plain = (kind == 0)[curve]
        c, d = hermite(step, slope * size, last_slope * size)
        linear = np.stack([p, np.ones_like(p), np.zeros_like(p), np.zeros_like(p)], axis=-1)
        cubic = np.stack([p, slope, c / size**2, d / size**3], axis=-1)
        self._p = Cubics(curve, s * stretch, np.where(is_plain[:, None], linear, cubic), len(rows))

    def _speed(self, curve: IndexArray, p: FloatArray) -> FloatArray:
        """Return the length of the derivative with respect to p."""
        return np.hypot(_slope(self._u[curve], p), _slope(self._v[curve], p))

    def at(self, curve: IndexArray, ds: FloatArray) -> tuple[FloatArray, ...]:
        """Return u, v, direction of the tangent, curvature, and the length of the derivative with respect to s."""
        p, change = self._p.values(curve, np.maximum(ds, 0.0))
        u = self._u[curve]
        v = self._v[curve]
        du = _slope(u, p)
        dv = _slope(v, p)
        speed = np.hypot(du, dv)
        cross = du * _bend(v, p) - dv * _bend(u, p)
        return _value(u, p), _value(v, p), np.arctan2(dv, du), cross / np.maximum(speed, 1e-6) ** 3, speed * change


def hermite(rise: FloatArray, first: FloatArray, last: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Compute cubics on 0 to 1.

    Args:
        rise: The value at 1 less that at 0, float64[n].
        first: The slope at 0, float64[n].
        last: The slope at 1, float64[n].

    Returns:
        The coefficients c and d; those before them are the value and the slope at 0.
    """
    return 3 * rise - 2 * first - last, first + last - 2 * rise


def _integral(
    heading: FloatArray, curvature: FloatArray, change: FloatArray, length: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return x and y of the end of clothoids that begin at the origin.

    Args:
        heading: The heading at the begin (radians).
        curvature: The curvature at the begin (1/m).
        change: The change of curvature with s (1/m²).
        length: Metres of the clothoid.
    """
    x = np.zeros(np.shape(length))
    y = np.zeros(np.shape(length))
    for node, weight in zip(_NODES, _WEIGHTS, strict=True):
        s = node * length
        angle = heading + s * (curvature + change * s / 2)
        x += weight * np.cos(angle)
        y += weight * np.sin(angle)
    return x * length, y * length


def _sum_before(values: FloatArray, counts: IndexArray) -> FloatArray:
    """Return the sum of the values of the same group that come before each; `counts` are the sizes of groups."""
    if not len(values):
        return np.empty(0)
    sums = np.cumsum(values) - values
    return np.asarray(sums - np.repeat(sums[np.cumsum(counts) - counts], counts))


def _value(cubic: FloatArray, p: FloatArray) -> FloatArray:
    a, b, c, d = cubic.T
    return np.asarray(a + p * (b + p * (c + p * d)))


def _slope(cubic: FloatArray, p: FloatArray) -> FloatArray:
    _, b, c, d = cubic.T
    return np.asarray(b + p * (2 * c + 3 * p * d))


def _bend(cubic: FloatArray, p: FloatArray) -> FloatArray:
    _, _, c, d = cubic.T
    return np.asarray(2 * c + 6 * p * d)
