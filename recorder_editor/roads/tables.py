"""What a file is read into: tables of numbers, and the problems found on the way."""

from array import array
from typing import NamedTuple

import numpy as np

from ..arrays import StructuredArray, row_type
from ..errors import MapError
from ..texts import say

MAX_PROBLEMS = 200


class MapProblem(NamedTuple):
    """What was left out of a map, and why. Attributes: `line` (from 1), `element`, `message` (a sentence)."""

    line: int
    element: str
    message: str

    def __str__(self) -> str:
        return str(MapError(self.message, line=self.line, element=self.element))


class Rows:
    """A table of float64 columns that grows row by row."""

    __slots__ = ("_dtype", "_values", "_width")

    def __init__(self, names: str) -> None:
        self._dtype = row_type(names)
        self._values = array("d")
        self._width = len(names.split())

    def add(self, *values: float) -> int:
        """Append a row; returns its index."""
        self._values.extend(values)
        return len(self) - 1

    def __len__(self) -> int:
        return len(self._values) // self._width

    def table(self) -> StructuredArray:
        """All rows, by the names of the columns."""
        return np.array(self._values).view(self._dtype)


class Problems:
    """The first 200 problems, and how many there are."""

    def __init__(self) -> None:
        self._first: list[MapProblem] = []
        self._number = 0

    def add(self, message: str, line: int, element: str) -> None:
        self._number += 1
        if self._number <= MAX_PROBLEMS:
            self._first.append(MapProblem(line, element, message))

    def all(self) -> tuple[MapProblem, ...]:
        """The problems in the order in which they were found; the last one tells the number of others, if any."""
        more = self._number - len(self._first)
        if not more:
            return tuple(self._first)
        last = self._first[-1]
        return *self._first, MapProblem(
            last.line, last.element, say("{more:,} more problems follow this one.", more=more)
        )
