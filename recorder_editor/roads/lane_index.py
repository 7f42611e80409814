"""Where points are on the lanes: a grid of cells with the segments that may be nearest to a point in each.

A cell keeps the segments that may hold a point of it, or, where none does, may have the nearest border. So a
point is compared with two or three segments, all points at once. Coordinates are the file's (y to the left).
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray, Int32Array, IntArray, run_starts
from .centre_lines import CentreLines
from .intervals import repeated

LEVEL: Final = 2.5
"""Metres of height within which a point is on a lane, and not on a bridge above or a road below it."""
JOINT: Final = 0.05
"""Metres beyond the end of a lane that are still its own, since roads that meet may turn a little."""

_CELL = 1.0  # m
_HALVINGS = 4  # of a block, in each direction, until it is a cell
_MAX_CELLS = 6_000_000
_MAX_AREA = 8e6  # cells of all segments together
_BATCH = 1 << 15
_PAIRS = 1 << 14  # compared at once: what they take stays in the cache
_OUTSIDE = 1e6  # added to the score of a lane that does not hold the point
_MAX_CELL = 2.0**30
_STILL = 1e-12  # m², of the derivative of a place with respect to the share
_REST = 1e-5  # m along a segment that the last step may leave
_MOST_STEPS = 16
_SETTLED = 1e-9  # of a share
_SHARES = (np.arange(16) + 0.5) / 16  # a cusp is at none of them, also where a segment was halved
_SLOW = 0.25  # of the rest of a segment, where its centre passes that of the bend


class Located(NamedTuple):
    """Where points are on segments.

    Attributes:
        segment: The segment of each point, intp[n]; -1 for nowhere.
        share: The share of the segment that lies before the point, float64[n].
        across: The distance from the centre, to the left along the road positive, float64[n] (m).
        beyond: The distance past the end of the segment, float64[n] (m).
        outside: The distance from the area of the lane, float64[n] (m).
        is_doubtful: Whether the point may be nearer to another place, bool[n].
    """

    segment: IndexArray
    share: FloatArray
    across: FloatArray
    beyond: FloatArray
    outside: FloatArray
    is_doubtful: BoolArray


_Measure = Callable[[IndexArray, FloatArray, FloatArray, int], Located]


class _Pairs(NamedTuple):
    """Segments of cells.

    Attributes:
        column: The column of the cell, int64[n].
        row: The row of the cell, int64[n].
        segment: The segment, intp[n].
    """

    column: IntArray
    row: IntArray
    segment: IndexArray

    def select(self, entries: BoolArray | IndexArray | slice) -> "_Pairs":
        """Return some of the pairs."""
        return _Pairs(self.column[entries], self.row[entries], self.segment[entries])


class LaneIndex:
    """The grid of some segments.

    Attributes:
        within: The distance from a lane up to which points are found, in metres.
    """

    def __init__(self, lines: CentreLines, segments: IndexArray, within: float) -> None:
        """Build the grid.

        Args:
            lines: The segments of all lanes.
            segments: The indices of those in the grid, intp[n].
            within: The distance from a lane up to which points are found, in metres.
        """
        self._segments = segments
        self.within = within
        self._cubics = np.ascontiguousarray(lines.cubics[:, segments])
        chord_x = self._cubics[1:4].sum(axis=0)
        chord_y = self._cubics[5:8].sum(axis=0)
        square = np.maximum(chord_x**2 + chord_y**2, 1e-12)
        self._chord = np.stack([chord_x / square, chord_y / square])
        # Where a centre passes that of the bend it turns back, so that a point has two nearest ones.
        powers = np.stack([np.ones(len(_SHARES)), 2 * _SHARES, 3 * _SHARES**2])
        speed = np.hypot(self._cubics[1:4].T @ powers, self._cubics[5:8].T @ powers)
        self._is_slow = speed.min(axis=1) < _SLOW * speed.max(axis=1)
        low, high = self._boxes()
        area = float(np.prod(high - low + 2 * within, axis=0).sum())
        self._cell = max(_CELL, float(np.sqrt(area / _MAX_AREA)))
        self._halvings = _HALVINGS
        self._origin = low.min(axis=1) if len(segments) else np.zeros(2)
        self._blocks, self._starts, self._entries = self._fill(low, high)

    def _boxes(self) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and largest x and y of each segment with its width, float64[2, n]."""
        low = []
        high = []
        half = np.abs(self._cubics[12:16]).sum(axis=0)
        for axis in range(2):
            a, b, c, d = self._cubics[4 * axis : 4 * axis + 4]
            control = np.stack([a, a + b / 3, a + 2 * b / 3 + c / 3, a + b + c + d])  # the hull of a Bézier curve
            low.append(control.min(axis=0) - half)
            high.append(control.max(axis=0) + half)
        return np.array(low), np.array(high)

    # --- making -------------------------------------------------------------------------------------------------

    def _fill(self, low: FloatArray, high: FloatArray) -> tuple[IntArray, IndexArray, Int32Array]:
        """Return the keys of blocks of cells, ordered; where the entries of each of their cells begin; the segments."""
        size = self._cell * (1 << _HALVINGS)
        reach = self.within + self._cell
        begin = np.floor((low - reach - self._origin[:, None]) / size).astype(np.int64)
        sides = np.floor((high + reach - self._origin[:, None]) / size).astype(np.int64) - begin + 1
        segment, number = repeated(sides[0] * sides[1])
        column = begin[0, segment] + number % sides[0, segment]
        row = begin[1, segment] + number // sides[0, segment]
        pairs = self._pruned(_Pairs(column, row, segment), size)
        blocks = np.unique(_key(pairs.column, pairs.row))
        # Where few segments are spread over many blocks, or many lie on each other, cells may be larger.
        most = max(len(blocks), len(pairs.segment) // 4)
        while most << (2 * self._halvings) > _MAX_CELLS and self._halvings:
            self._halvings -= 1
            self._cell *= 2
        cells = [np.empty(0, np.int32)]
        segments = [np.empty(0, np.int32)]
        for leaf in self._leaves(pairs, size, self._halvings):
            block = np.searchsorted(blocks, _key(leaf.column >> self._halvings, leaf.row >> self._halvings))
            cells.append(self._cell_of(block, leaf.column, leaf.row).astype(np.int32))
            segments.append(leaf.segment.astype(np.int32))
        cell = np.concatenate(cells)
        counts = np.bincount(cell + 1, minlength=(len(blocks) << (2 * self._halvings)) + 1)
        return blocks, np.cumsum(counts), np.concatenate(segments)[np.argsort(cell, kind="stable")]

    def _leaves(self, pairs: _Pairs, size: float, halvings: int) -> Iterator[_Pairs]:
        """Yield the pairs of the smallest cells, some blocks at a time.

        Args:
            pairs: Segments of larger cells.
            size: Metres of a side of these.
            halvings: How often they are halved.
        """
        if not halvings:
            yield pairs
            return
        for part in _batches(pairs):
            quarter = np.tile(np.arange(4), len(part.segment))
            quarters = _Pairs(
                column=2 * np.repeat(part.column, 4) + quarter % 2,
                row=2 * np.repeat(part.row, 4) + quarter // 2,
                segment=np.repeat(part.segment, 4),
            )
            yield from self._leaves(self._pruned(quarters, size / 2), size / 2, halvings - 1)

    def _pruned(self, pairs: _Pairs, size: float) -> _Pairs:
        """Return the pairs without segments that are nearest to no point of the cell, ordered by cell."""
        outside = np.empty(len(pairs.segment))
        for begin in range(0, len(outside), _PAIRS):
            entries = slice(begin, begin + _PAIRS)
            part = pairs.select(entries)
            x = (part.column + 0.5) * size + self._origin[0]
            y = (part.row + 0.5) * size + self._origin[1]
            outside[entries] = self._measured_well(part.segment, x, y, 1).outside
        near = outside <= self.within + JOINT + size
        pairs = pairs.select(near)
        outside = outside[near]
        if not len(outside):
            return pairs
        order = np.argsort(_key(pairs.column, pairs.row), kind="stable")
        pairs = pairs.select(order)
        outside = outside[order]
        key = _key(pairs.column, pairs.row)
        starts = np.flatnonzero(run_starts(key))
        cell = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(key))))
        nearest = np.minimum.reduceat(outside, starts)[cell]
        height = self._cubics[8][pairs.segment]
        levels = (np.maximum.reduceat(height, starts) - np.minimum.reduceat(height, starts))[cell]
        # A point is at most half a diagonal from the middle of its cell, where all of this is measured.
        keep = (outside <= nearest + 1.45 * size) | (levels > LEVEL)
        return pairs.select(keep)

    # --- points -------------------------------------------------------------------------------------------------

    def locate(self, points: FloatArray) -> Located:
        """Find the segments that points are on.

        Args:
            points: float64[n, 2 or 3] (m). Where they have a height, lanes on its level come first.

        Returns:
            Of each point the lane that holds it, of several that with the nearest centre, else the one with the
            nearest border within reach.
        """
        total = len(points)
        best = Located(
            segment=np.full(total, -1),
            share=np.full(total, np.nan),
            across=np.full(total, np.nan),
            beyond=np.full(total, np.nan),
            outside=np.full(total, np.nan),
            is_doubtful=np.zeros(total, bool),
        )
        if not len(self._blocks):
            return best
        inside, cell = self._cells(points)
        first = self._starts[cell]
        counts = self._starts[cell + 1] - first
        has_entries = counts > 0
        inside = inside[has_entries]
        first = first[has_entries]
        counts = counts[has_entries]
        self._find(best, points, inside, first, counts, self._measured)
        again = np.flatnonzero(best.is_doubtful[inside])
        self._find(best, points, inside[again], first[again], counts[again], self._measured_well)
        best.segment[inside] = self._segments[best.segment[inside]]
        return best

    def _find(
        self,
        best: Located,
        points: FloatArray,
        indices: IndexArray,
        first: IndexArray,
        counts: IndexArray,
        measure: _Measure,
    ) -> None:
        """Put into `best` where some points are.

        Args:
            best: What is filled in.
            points: All points.
            indices: Those that are located, intp[n].
            first: The first entry of the cell of each, intp[n].
            counts: The number of entries of that cell, intp[n].
            measure: What measures where a point is beside a segment.
        """
        sums = np.cumsum(counts)
        pairs = int(sums[-1]) if len(sums) else 0
        ends = np.searchsorted(sums, np.arange(_PAIRS, pairs + _PAIRS, _PAIRS))
        bounds = np.unique(np.concatenate([[0], ends, [len(counts)]]))
        for begin, end in pairwise(bounds.tolist()):
            target = indices[begin:end]
            x = points[target, 0]
            y = points[target, 1]
            z = points[target, 2] if points.shape[1] > 2 else None
            segment = self._nearest(first[begin:end], counts[begin:end], x, y, z, measure)
            _put(best, target, measure(segment, x, y, 3))

    def _cells(self, points: FloatArray) -> tuple[IndexArray, IndexArray]:
        """Return the points that lie in a block of cells, and the cell of each."""
        with np.errstate(invalid="ignore"):
            x = (points[:, 0] - self._origin[0]) / self._cell
            y = (points[:, 1] - self._origin[1]) / self._cell
            near = np.flatnonzero((np.abs(x) < _MAX_CELL) & (np.abs(y) < _MAX_CELL))
        column = np.floor(x[near]).astype(np.int64)
        row = np.floor(y[near]).astype(np.int64)
        key = _key(column >> self._halvings, row >> self._halvings)
        block = np.minimum(np.searchsorted(self._blocks, key), len(self._blocks) - 1)
        is_there = self._blocks[block] == key
        return near[is_there], self._cell_of(block, column, row)[is_there]

    def _cell_of(self, block: IndexArray, column: IntArray, row: IntArray) -> IndexArray:
        """Return the index of cells in the table of entries."""
        mask = (1 << self._halvings) - 1
        return (((block << self._halvings) + (column & mask)) << self._halvings) + (row & mask)

    def _nearest(
        self,
        first: IndexArray,
        counts: IndexArray,
        x: FloatArray,
        y: FloatArray,
        z: FloatArray | None,
        measure: _Measure,
    ) -> IndexArray:
        """Return the segment of each point.

        Args:
            first: The first entry of the cell of each point, intp[n].
            counts: The number of entries of that cell, intp[n].
            x: The points, float64[n] (m).
            y: The points, float64[n] (m).
            z: Their heights, or None.
            measure: What measures where a point is beside a segment.
        """
        point, number = repeated(counts)
        segment = self._entries[first[point] + number]
        place = measure(segment, x[point], y[point], 1)
        score = place.across**2 + place.beyond**2
        out = np.flatnonzero(place.outside > 0)
        score[out] = place.outside[out] + _OUTSIDE
        if z is not None:
            over = np.abs(z[point] - _value(self._cubics[8:12].take(segment, axis=1), place.share)) - LEVEL
            off = np.flatnonzero(over > 0)
            score[off] += over[off] + 2 * _OUTSIDE
        starts = np.cumsum(counts) - counts
        least = np.flatnonzero(score == np.minimum.reduceat(score, starts)[point])[::-1]
        chosen = starts.copy()
        chosen[point[least]] = least  # of equal ones the first
        return np.asarray(segment[chosen])

    def _measured_well(self, segment: IndexArray, x: FloatArray, y: FloatArray, steps: int) -> Located:
        """Return the same as `_measured` by a step more, and by most where that is doubtful."""
        place = self._measured(segment, x, y, steps + 1)
        again = np.flatnonzero(place.is_doubtful)
        if len(again):
            _put(place, again, self._measured(segment[again], x[again], y[again], _MOST_STEPS))
        return place

    def _measured(self, segment: IndexArray, x: FloatArray, y: FloatArray, steps: int) -> Located:
        """Measure where one point each is beside segments of this index, by steps of Newton's method.

        One step finds distances within a millimetre or so, three the share within one. What may be farther off, near
        the centre of a bend, is doubtful; most steps begin at the nearest of some points, and find that, too.

        The arithmetic is written out for both axes and reuses what it can: most of the time of `locate` goes here.

        Args:
            segment: The segments, intp[n].
            x: The points, float64[n] (m).
            y: The points, float64[n] (m).
            steps: The number of steps.
        """
        ax, bx, cx, dx, ay, by, cy, dy = cubics = self._cubics[:8].take(segment, axis=1)
        px = x - ax
        py = y - ay
        low = 0.0
        high = 1.0
        least = 0.25
        if steps == _MOST_STEPS:
            off_x = _value(cubics[:4], _SHARES[:, None]) - x
            off_y = _value(cubics[4:], _SHARES[:, None]) - y
            share = _SHARES[np.argmin(np.hypot(off_x, off_y), axis=0)]
            low = np.maximum(share - _SHARES[0] * 2, 0.0)
            high = np.minimum(share + _SHARES[0] * 2, 1.0)
            least = 1e-3
        else:
            ux, uy = self._chord.take(segment, axis=1)
            share = np.minimum(np.maximum(px * ux + py * uy, 0.0), 1.0)
        for step in range(steps + 1):
            # The tangent, and the way from the point of the curve to the point.
            ex = cx + share * dx
            ey = cy + share * dy
            fx = bx + share * ex
            fy = by + share * ey
            rx = px - share * fx
            ry = py - share * fy
            gx = ex + share * dx
            gy = ey + share * dy
            tx = fx + share * gx
            ty = fy + share * gy
            square = np.maximum(tx * tx + ty * ty, _STILL)
            along = rx * tx + ry * ty
            if step < steps:
                bend = 2 * (rx * (gx + share * dx) + ry * (gy + share * dy))
                # Newton's step, and a shorter one where the point is beyond the middle of the bend.
                nearer = np.minimum(np.maximum(share + along / np.maximum(square - bend, square * least), low), high)
                if steps == _MOST_STEPS and not (np.abs(nearer - share) > _SETTLED).any():
                    break
                share = nearer
        long = np.sqrt(square)
        along = along / long
        across = (ry * tx - rx * ty) / long
        # A centre that is that of the bend is a point, and has no direction.
        still = np.flatnonzero(square <= _STILL)
        across[still] = np.hypot(rx[still], ry[still])
        # Inside of a segment what is left along it is nothing but the rest of the last step.
        beyond = np.maximum(np.where(share >= 1, along, 0.0), np.where(share <= 0, -along, 0.0))
        half = np.maximum(_value(self._cubics[12:16].take(segment, axis=1), share), 0.0)
        over = np.maximum(np.abs(across) - half, 0.0)
        past = np.maximum(beyond - JOINT, 0.0)
        is_doubtful = np.zeros(len(segment), bool)
        if 1 < steps < _MOST_STEPS:
            rest = np.abs(along) - beyond
            allowed = _REST if steps > 2 else JOINT
            is_doubtful = (rest > allowed) | (bend > 0.75 * square) | self._is_slow[segment]
        return Located(segment, share, across, beyond, np.sqrt(over * over + past * past), is_doubtful)


def _put(places: Located, indices: IndexArray, values: Located) -> None:
    """Write values to some of the places."""
    for column, new in zip(places, values, strict=True):
        column[indices] = new


def _batches(pairs: _Pairs) -> Iterator[_Pairs]:
    """Yield ordered pairs, some whole cells at a time."""
    key = _key(pairs.column, pairs.row)
    starts = np.flatnonzero(run_starts(key))
    first = starts[np.unique(np.searchsorted(starts, np.arange(0, len(key), _BATCH)).clip(0, len(starts) - 1))]
    for begin, end in pairwise([*first.tolist(), len(key)]):
        yield pairs.select(slice(begin, end))


def _key(column: IntArray, row: IntArray) -> IntArray:
    """Return one number for a cell, by which cells are ordered."""
    return (column << 32) + row


def _value(cubic: FloatArray, share: FloatArray) -> FloatArray:
    """Return the values at shares of cubics; their four coefficients are the rows."""
    a, b, c, d = cubic
    return np.asarray(a + share * (b + share * (c + share * d)))
