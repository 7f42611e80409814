"""Numbers for the rows of a tree that have been asked for their children: what an index of Qt carries. No Qt here."""

from collections.abc import Sequence
from typing import Any

from .outline import Path

ROOT = 0


class Nodes:
    """Rows that have been parents, numbered as they are first asked for; a parent has a smaller number than its
    children. Attribute: `counts` (children by number, where they were counted)."""

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}
        # Number -> (number of the parent, row there), and back.
        self._places: dict[int, tuple[int, int]] = {}
        self._numbers: dict[tuple[int, int], int] = {}
        self._next = 1

    def __contains__(self, number: int) -> bool:
        return number == ROOT or number in self._places

    def clear(self) -> None:
        """Forget all rows; their numbers are not given out again."""
        self.counts.clear()
        self._places.clear()
        self._numbers.clear()

    def number(self, parent: int, row: int) -> int:
        """The number of a row."""
        number = self._numbers.get((parent, row))
        if number is None:
            number, self._next = self._next, self._next + 1
            self._put(number, parent, row)
        return number

    def place(self, number: int) -> tuple[int, int]:
        """The parent of a row, and which row it is there; not of `ROOT`."""
        return self._places[number]

    def path(self, number: int) -> Path:
        """The rows from the top down to this one."""
        path: list[int] = []
        while number != ROOT:
            number, row = self._places[number]
            path.append(row)
        return tuple(reversed(path))

    def insert(self, parent: int, row: int, count: int) -> None:
        """Rows came before this one."""
        self._shift(parent, row, count)
        self._count(parent, count)

    def remove(self, parent: int, row: int, count: int) -> None:
        """Rows went, with all that is below them."""
        gone = [number for number, key in self._places.items() if key[0] == parent and row <= key[1] < row + count]
        while gone:
            number = gone.pop()
            gone += [child for child, key in self._places.items() if key[0] == number]
            del self._numbers[self._places.pop(number)]
            self.counts.pop(number, None)
        self._shift(parent, row + count, -count)
        self._count(parent, -count)

    def _put(self, number: int, parent: int, row: int) -> None:
        self._places[number] = (parent, row)
        self._numbers[parent, row] = number

    def _count(self, parent: int, more: int) -> None:
        if parent in self.counts:
            self.counts[parent] += more

    def _shift(self, parent: int, row: int, by: int) -> None:
        moved = {number: key for number, key in self._places.items() if key[0] == parent and key[1] >= row}
        for key in moved.values():
            del self._numbers[key]
        for number, (_, at) in moved.items():
            self._put(number, parent, at + by)


def difference(before: Sequence[Any], after: Sequence[Any]) -> tuple[int, int, int]:
    """`(at, removed, inserted)`: from child `at` on, so many gave way to so many; the rest is the same."""
    shorter = min(len(before), len(after))
    at = 0
    while at < shorter and before[at] == after[at]:
        at += 1
    behind = 0
    while behind < shorter - at and before[-1 - behind] == after[-1 - behind]:
        behind += 1
    return at, len(before) - at - behind, len(after) - at - behind
