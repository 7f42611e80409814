"""What a file is read into: tables of numbers, and the problems found on the way."""

from array import array
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..arrays import StructuredArray, row_type
from ..errors import MapError
from ..texts import say

MAX_PROBLEMS = 200


class MapProblem(NamedTuple):
    """What was left out of a map, and why.

    Attributes:
        line: The line of the file, from 1.
        element: The name of the element.
        message: A sentence.
    """

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
        """Append a row; return its index.

        Args:
            values: A number for each column.
        """
        self._values.extend(values)
        return len(self) - 1

    def append(self, values: Iterable[float]) -> int:
        """Append a row; return its index.

        Args:
            values: A number for each column.
        """
        self._values.extend(values)
        return len(self) - 1

    def __len__(self) -> int:
        return len(self._values) // self._width

    def table(self) -> StructuredArray:
        """Return all rows, by the names of the columns."""
        return np.array(self._values).view(self._dtype)


class Problems:
    """The first 200 problems, and how many there are."""

    def __init__(self) -> None:
        self._first: list[MapProblem] = []
        self._number = 0

    def add(self, message: str, line: int, element: str) -> None:
        """Add a problem; only the first ones are kept.

        Args:
            message: A sentence.
            line: The line of the file, from 1.
            element: The name of the element.
        """
        self._number += 1
        if self._number <= MAX_PROBLEMS:
            self._first.append(MapProblem(line, element, message))

    def all(self) -> tuple[MapProblem, ...]:
        """Return the problems in the order in which they were found; the last one tells the number of others."""
        problems = list(self._first)
        more = self._number - len(problems)
        if more:
            last = problems[-1]
            problems.append(
                MapProblem(last.line, last.element, say("{more:,} more problems follow this one.", more=more))
            )
        return tuple(problems)
