"""Finds rows by their layouts: each layout is checked once, however many frames have it.

A recording of a million frames has few layouts. Code that needs certain packets reads only the frames with them.
"""

from collections.abc import Callable

import numpy as np

from ..arrays import BoolArray, IndexArray, StructuredArray
from .frames import RAW, FrameTable


class LayoutFilter:
    """The rows that may hold certain packets. Thread-safe."""

    def __init__(self, is_wanted: Callable[[int], bool]) -> None:
        """Make a filter.

        Args:
            is_wanted: Whether rows with the layout of this number may hold the packets; called once for each layout.
        """
        self._is_wanted = is_wanted
        self._known: dict[int, bool] = {}

    def mask(self, rows: StructuredArray) -> BoolArray:
        """Find the rows that may hold the packets.

        Args:
            rows: Rows of a frame table, shape (n,).

        Returns:
            bool (n,): True for frames without a stored layout, too, which have to be walked.
        """
        layout = rows["layout"]
        may_hold = np.bincount(layout + 1).astype(np.bool_)  # by layout, the first without one
        for number in np.flatnonzero(may_hold[1:]).tolist():
            may_hold[1 + number] = self._ask(number)
        mask: BoolArray = may_hold[layout + 1]
        mask &= (layout >= 0) | (rows["kind"] != RAW)  # a raw row without a layout holds no packets
        return mask

    def rows(self, table: FrameTable) -> IndexArray:
        """The numbers of the rows of a table that may hold the packets, rising, shape (n,)."""
        rows = [np.empty(0, np.intp)]
        first = 0
        for chunk in table.chunks:
            rows.append(first + np.flatnonzero(self.mask(chunk)))
            first += len(chunk)
        return np.concatenate(rows)

    def _ask(self, number: int) -> bool:
        may_hold = self._known.get(number)
        if may_hold is None:
            may_hold = self._is_wanted(number)
            self._known[number] = may_hold
        return may_hold
