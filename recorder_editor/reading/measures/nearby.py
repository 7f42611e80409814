"""Which pairs may matter at all: those whose ways over a time come near each other, by a grid of cells.

The cost grows with the number of such pairs, not with that of all pairs.
"""

import numpy as np

from ...arrays import BoolArray, FloatArray, IndexArray, IntArray, run_starts
from .boxes import Boxes

_CELL = 10.0  # m at least
_MOST_CELLS = 64  # along one side of a way


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
    first, second = _in_one_cell(group, _cells(low_x, high_x, size), _cells(low_y, high_y, size))
    meet = (low_x[first] <= high_x[second]) & (low_x[second] <= high_x[first])
    meet &= (low_y[first] <= high_y[second]) & (low_y[second] <= high_y[first])
    first = first[meet]
    second = second[meet]
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


def _in_one_cell(
    group: IntArray, along_x: tuple[IntArray, IntArray], along_y: tuple[IntArray, IntArray]
) -> tuple[IndexArray, IndexArray]:
    """Return the pairs of rows of the same group that share a cell: each once, though they may share several."""
    first_x, number_x = along_x
    first_y, number_y = along_y
    counts = number_x * number_y
    rows = np.repeat(np.arange(len(group)), counts)
    nth = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    x = first_x[rows] + nth % number_x[rows]
    y = first_y[rows] + nth // number_x[rows]
    order = np.lexsort((rows, y, x, group[rows]))
    rows = rows[order]
    x = x[order]
    y = y[order]
    a, b = pairs_in_runs(np.arange(len(rows)), run_starts(group[rows], x, y) if len(rows) else None)
    first = rows[a]
    second = rows[b]
    # What two ways share is a rectangle of cells: the pair counts in the lowest one.
    is_lowest = x[a] == np.maximum(first_x[first], first_x[second])
    is_lowest &= y[a] == np.maximum(first_y[first], first_y[second])
    return first[is_lowest], second[is_lowest]


def pairs_in_runs(values: IntArray, begins: BoolArray | None) -> tuple[IndexArray, IndexArray]:
    """Return all pairs of values of the same run, the earlier one first.

    Args:
        values: int64[n].
        begins: Whether a value is the first one of its run, bool[n]; None for no values.
    """
    if begins is None:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    heads = np.flatnonzero(begins)
    ends = np.append(heads[1:], len(values))
    # Each value goes with all that follow it in its run.
    follow = np.repeat(ends, ends - heads) - np.arange(len(values)) - 1
    first = np.repeat(np.arange(len(values)), follow)
    nth = np.arange(len(first)) - np.repeat(np.cumsum(follow) - follow, follow)
    return values[first], values[first + 1 + nth]
