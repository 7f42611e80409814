"""Where points are on the lanes: a grid of cells with the segments that may be nearest to a point in each.

A cell keeps the segments whose area may hold a point of it, or, where none does, may have the nearest border. So a
point is compared with two or three segments, all points at once. Coordinates are the file's (y to the left).
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray, Int32Array, IntArray, begins
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
    """Where points are: `segment` (intp[n], -1 for nowhere), `share` (of the segment), `across` (m, to the left along
    the road positive), `beyond` (m past the end of the segment), `outside` (m from the area of the lane), `is_doubtful`
    (it may be nearer to another place)."""

    segment: IndexArray
    share: FloatArray
    across: FloatArray
    beyond: FloatArray
    outside: FloatArray
    is_doubtful: BoolArray


_Measured = Callable[[IndexArray, FloatArray, FloatArray, int], Located]


class _Pairs(NamedTuple):
    """Segments of cells: `column` and `row` of the cell (int64[n]), `segment`."""

    column: IntArray
    row: IntArray
    segment: IndexArray


class LaneIndex:
    """The grid of some segments of `lines`, for points up to `within` metres from a lane."""

    def __init__(self, lines: CentreLines, segments: IndexArray, within: float) -> None:
        self._segments = segments
        self.within = within
        self._cubics = np.ascontiguousarray(lines.cubics[:, segments])
        chord = self._cubics[1:4].sum(axis=0), self._cubics[5:8].sum(axis=0)
        square = np.maximum(chord[0] ** 2 + chord[1] ** 2, 1e-12)
        self._chord = np.stack([chord[0] / square, chord[1] / square])
        # Where a centre passes that of the bend it turns back, so that a point has two nearest ones.
        powers = np.stack([np.ones(len(_SHARES)), 2 * _SHARES, 3 * _SHARES**2])
        speed = np.hypot(*(self._cubics[4 * axis + 1 : 4 * axis + 4].T @ powers for axis in range(2)))
        self._is_slow = speed.min(axis=1) < _SLOW * speed.max(axis=1)
        low, high = self._boxes()
        area = float(np.prod(high - low + 2 * within, axis=0).sum())
        self._cell = max(_CELL, float(np.sqrt(area / _MAX_AREA)))
        self._halvings = _HALVINGS
        if len(segments):
            self._origin = low.min(axis=1)
        else:
            self._origin = np.zeros(2)
        self._blocks, self._starts, self._entries = self._fill(low, high)

    def _boxes(self) -> tuple[FloatArray, FloatArray]:
        """The smallest and largest x and y of each segment with its width, float64[2, n]."""
        low, high = [], []
        half = np.abs(self._cubics[12:16]).sum(axis=0)
        for axis in range(2):
            a, b, c, d = self._cubics[4 * axis : 4 * axis + 4]
            control = np.stack([a, a + b / 3, a + 2 * b / 3 + c / 3, a + b + c + d])  # the hull of a Bézier curve
            low.append(control.min(axis=0) - half)
            high.append(control.max(axis=0) + half)
        return np.array(low), np.array(high)

    # --- making -------------------------------------------------------------------------------------------------

    def _fill(self, low: FloatArray, high: FloatArray) -> tuple[IntArray, IndexArray, Int32Array]:
        """The keys of blocks of cells, ordered; where the entries of each cell of them begin; the segments."""
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
        """The pairs of the smallest cells, some blocks at a time."""
        if not halvings:
            yield pairs
            return
        for part in _batches(pairs):
            quarter = np.tile(np.arange(4), len(part.segment))
            column, row, segment = (np.repeat(each, 4) for each in part)
            quarters = _Pairs(2 * column + quarter % 2, 2 * row + quarter // 2, segment)
            yield from self._leaves(self._pruned(quarters, size / 2), size / 2, halvings - 1)

    def _pruned(self, pairs: _Pairs, size: float) -> _Pairs:
        """The pairs without segments that are nearest to no point of the cell, ordered by cell."""
        outside = np.empty(len(pairs.segment))
        for begin in range(0, len(outside), _PAIRS):
            part = slice(begin, begin + _PAIRS)
            x, y = ((each[part] + 0.5) * size + at for each, at in zip(pairs, self._origin, strict=False))
            outside[part] = self._measured_well(pairs.segment[part], x, y, 1).outside
        near = outside <= self.within + JOINT + size
        pairs, outside = _Pairs(*(each[near] for each in pairs)), outside[near]
        if not len(outside):
            return pairs
        order = np.argsort(_key(pairs.column, pairs.row), kind="stable")
        pairs, outside = _Pairs(*(each[order] for each in pairs)), outside[order]
        key = _key(pairs.column, pairs.row)
        starts = np.flatnonzero(begins(key))
        cell = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(key))))
        nearest = np.minimum.reduceat(outside, starts)[cell]
        height = self._cubics[8][pairs.segment]
        levels = (np.maximum.reduceat(height, starts) - np.minimum.reduceat(height, starts))[cell]
        # A point is at most half a diagonal from the middle of its cell, where all of this is measured.
        keep = (outside <= nearest + 1.45 * size) | (levels > LEVEL)
        return _Pairs(*(each[keep] for each in pairs))

    # --- points -------------------------------------------------------------------------------------------------

    def locate(self, points: FloatArray) -> Located:
        """Where points (float64[n, 2 or 3]) are: in the lane that holds them, of several in that with the nearest
        centre, else at the nearest border within reach; on the level of their height where they have one."""
        total = len(points)
        best = Located._make([np.full(total, -1), *np.full((4, total), np.nan), np.zeros(total, bool)])
        if not len(self._blocks):
            return best
        known, cell = self._cells(points)
        first = self._starts[cell]
        counts = self._starts[cell + 1] - first
        is_any = counts > 0
        known, first, counts = known[is_any], first[is_any], counts[is_any]
        self._find(best, points, known, first, counts, self._measured)
        again = np.flatnonzero(best.is_doubtful[known])
        self._find(best, points, known[again], first[again], counts[again], self._measured_well)
        best.segment[known] = self._segments[best.segment[known]]
        return best

    def _find(
        self,
        best: Located,
        points: FloatArray,
        known: IndexArray,
        first: IndexArray,
        counts: IndexArray,
        measured: _Measured,
    ) -> None:
        """Put into `best` where the `known` points are, each among the `counts` entries from `first` on."""
        sums = np.cumsum(counts)
        ends = np.searchsorted(sums, np.arange(_PAIRS, int(sums[-1]) + _PAIRS if len(sums) else 0, _PAIRS))
        for begin, end in pairwise(np.unique(np.concatenate([[0], ends, [len(counts)]])).tolist()):
            target = known[begin:end]
            x, y = points[target, 0], points[target, 1]
            z = None
            if points.shape[1] > 2:
                z = points[target, 2]
            segment = self._nearest(first[begin:end], counts[begin:end], x, y, z, measured)
            for into, values in zip(best, measured(segment, x, y, 3), strict=True):
                into[target] = values

    def _cells(self, points: FloatArray) -> tuple[IndexArray, IndexArray]:
        """The points that lie in a block of cells, and the cell of each."""
        with np.errstate(invalid="ignore"):
            column, row = ((points[:, axis] - self._origin[axis]) / self._cell for axis in range(2))
            known = np.flatnonzero((np.abs(column) < _MAX_CELL) & (np.abs(row) < _MAX_CELL))
        column, row = (np.floor(each[known]).astype(np.int64) for each in (column, row))
        key = _key(column >> self._halvings, row >> self._halvings)
        block = np.minimum(np.searchsorted(self._blocks, key), len(self._blocks) - 1)
        hit = self._blocks[block] == key
        return known[hit], self._cell_of(block, column, row)[hit]

    def _cell_of(self, block: IndexArray, column: IntArray, row: IntArray) -> IndexArray:
        mask = (1 << self._halvings) - 1
        return (((block << self._halvings) + (column & mask)) << self._halvings) + (row & mask)

    def _nearest(
        self,
        first: IndexArray,
        counts: IndexArray,
        x: FloatArray,
        y: FloatArray,
        z: FloatArray | None,
        measured: _Measured,
    ) -> IndexArray:
        """The segment of each point, among the `counts` entries from `first` on."""
        point, number = repeated(counts)
        segment = self._entries[first[point] + number]
        place = measured(segment, x[point], y[point], 1)
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
        """As `_measured` by a step more, and by most where that is doubtful."""
        place = self._measured(segment, x, y, steps + 1)
        again = np.flatnonzero(place.is_doubtful)
        if len(again):
            better = self._measured(segment[again], x[again], y[again], _MOST_STEPS)
            for into, values in zip(place, better, strict=True):
                into[again] = values
        return place

    def _measured(self, segment: IndexArray, x: FloatArray, y: FloatArray, steps: int) -> Located:
        """Where one point each is beside segments of this index, by so many steps of Newton's method.

        One step finds distances within a millimetre or so, three the share within one. What may be farther off, near
        the centre of a bend, is doubtful; most steps begin at the nearest of some points, and find that, too.
        """
        ax, bx, cx, dx, ay, by, cy, dy = cubics = self._cubics[:8].take(segment, axis=1)
        px = x - ax
        py = y - ay
        low = 0.0
        high = 1.0
        least = 0.25
        if steps == _MOST_STEPS:
            off = (_value(cubics[4 * axis : 4 * axis + 4], _SHARES[:, None]) - at for axis, at in enumerate((x, y)))
            share = _SHARES[np.argmin(np.hypot(*off), axis=0)]
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
        beyond = np.maximum(along * (share >= 1), along * -(share <= 0).astype(np.float64))
        half = np.maximum(_value(self._cubics[12:16].take(segment, axis=1), share), 0.0)
        over = np.maximum(np.abs(across) - half, 0.0)
        past = np.maximum(beyond - JOINT, 0.0)
        is_doubtful = np.zeros(len(segment), bool)
        if 1 < steps < _MOST_STEPS:
            rest = np.abs(along) - beyond
            is_doubtful = (rest > (_REST if steps > 2 else JOINT)) | (bend > 0.75 * square) | self._is_slow[segment]
        return Located(segment, share, across, beyond, np.sqrt(over * over + past * past), is_doubtful)


def _batches(pairs: _Pairs) -> Iterator[_Pairs]:
    """Ordered pairs, some whole cells at a time."""
    key = _key(pairs.column, pairs.row)
    starts = np.flatnonzero(begins(key))
    first = starts[np.unique(np.searchsorted(starts, np.arange(0, len(key), _BATCH)).clip(0, len(starts) - 1))]
    for begin, end in pairwise([*first.tolist(), len(key)]):
        yield _Pairs(*(each[begin:end] for each in pairs))


def _key(column: IntArray, row: IntArray) -> IntArray:
    return (column << 32) + row


def _value(cubic: FloatArray, share: FloatArray) -> FloatArray:
    a, b, c, d = cubic
    return np.asarray(a + share * (b + share * (c + share * d)))
