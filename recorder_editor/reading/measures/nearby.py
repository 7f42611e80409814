"""Which pairs may matter at all: those whose ways over a time come near each other, by a grid of cells.

The cost grows with the number of such pairs, not with that of all pairs.
"""

from collections.abc import Iterator

import numpy as np

from ...arrays import BoolArray, FloatArray, IndexArray, IntArray, run_starts
from .boxes import Boxes

_CELL = 10.0  # m at least
_MOST_CELLS = 64  # along one side of a way
_AT_ONCE = 1 << 20  # cells of rows, and pairs in cells, that are in memory


def near_pairs(group: IntArray, boxes: Boxes, seconds: float, reach: float = 0.0) -> tuple[IndexArray, IndexArray]:
    """Find the pairs of boxes of the same group whose ways come near each other.

    A way is all that a box may cover within a time while it keeps its velocity, as a rectangle along the axes.

    Args:
        group: The group of each box, as the frame, int64[n].
        boxes: The boxes.
        seconds: The time.
        reach: m that the rectangles may be apart.

    Returns:
        Two rows for each pair, the lower one first, in order.
    """
    low_x, high_x = _swept(boxes.x, boxes.vx, boxes.radius + reach / 2, seconds)
    low_y, high_y = _swept(boxes.y, boxes.vy, boxes.radius + reach / 2, seconds)
    size = max(_CELL, reach)  # so that a way covers few cells
    along_x = _cells(low_x, high_x, size)
    along_y = _cells(low_y, high_y, size)
    firsts = [np.zeros(0, np.intp)]
    seconds_of_pairs = [np.zeros(0, np.intp)]
    for rows in _portions(group, along_x[1] * along_y[1]):
        for first, second in _in_one_cell(rows, group, along_x, along_y):
            meet = (low_x[first] <= high_x[second]) & (low_x[second] <= high_x[first])
            meet &= (low_y[first] <= high_y[second]) & (low_y[second] <= high_y[first])
            firsts.append(first[meet])
            seconds_of_pairs.append(second[meet])
    first = np.concatenate(firsts)
    second = np.concatenate(seconds_of_pairs)
    order = np.argsort(first * len(group) + second)
    return first[order], second[order]


def _swept(place: FloatArray, pace: FloatArray, radius: FloatArray, seconds: float) -> tuple[FloatArray, FloatArray]:
    way = pace * seconds
    return place + np.minimum(way, 0.0) - radius, place + np.maximum(way, 0.0) + radius


def _cells(low: FloatArray, high: FloatArray, size: float) -> tuple[IntArray, IntArray]:
    """Return the first cell of each way and the number of cells along one axis; cells are `size` m long."""
    first = np.floor(low / size).astype(np.int64)
    number = np.floor(high / size).astype(np.int64) - first + 1
    return first, np.minimum(number, _MOST_CELLS)


def _portions(group: IntArray, counts: IntArray) -> Iterator[IndexArray]:
    """Yield the rows of whole groups that are in about `_AT_ONCE` cells; `counts`: the cells of each row."""
    if not len(group):
        return
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(run_starts(group[order]))
    done = np.cumsum(np.add.reduceat(counts[order], starts))
    cuts = starts[1:][np.diff(done // _AT_ONCE) > 0].tolist()
    for start, stop in zip([0, *cuts], [*cuts, len(group)], strict=True):
        yield order[start:stop]


def _in_one_cell(
    part: IndexArray, group: IntArray, along_x: tuple[IntArray, IntArray], along_y: tuple[IntArray, IntArray]
) -> Iterator[tuple[IndexArray, IndexArray]]:
    """Yield the pairs of some rows of the same group that share a cell: each once, though they may share several."""
    first_x, number_x = along_x
    first_y, number_y = along_y
    counts = number_x[part] * number_y[part]
    rows = np.repeat(part, counts)
    nth = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    x = first_x[rows] + nth % number_x[rows]
    y = first_y[rows] + nth // number_x[rows]
    order = np.lexsort((rows, y, x, group[rows]))
    rows = rows[order]
    x = x[order]
    y = y[order]
    for a, b in _pairs_in_runs(run_starts(group[rows], x, y)):
        first = rows[a]
        second = rows[b]
        # What two ways share is a rectangle of cells: the pair counts in the lowest one.
        is_lowest = x[a] == np.maximum(first_x[first], first_x[second])
        is_lowest &= y[a] == np.maximum(first_y[first], first_y[second])
        yield first[is_lowest], second[is_lowest]


def _pairs_in_runs(begins: BoolArray) -> Iterator[tuple[IndexArray, IndexArray]]:
    """Yield all pairs of places in the same run, the earlier one first, about `_AT_ONCE` at a time.

    Args:
        begins: Whether a place is the first one of its run, bool[n].
    """
    heads = np.flatnonzero(begins)
    ends = np.append(heads[1:], len(begins))
    # Each place goes with all that follow it in its run.
    follow = np.repeat(ends, ends - heads) - np.arange(len(begins)) - 1
    cuts = (np.flatnonzero(np.diff(np.cumsum(follow) // _AT_ONCE)) + 1).tolist()
    for start, stop in zip([0, *cuts], [*cuts, len(begins)], strict=True):
        counts = follow[start:stop]
        first = np.repeat(np.arange(start, stop), counts)
        nth = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
        yield first, first + 1 + nth
