"""Numbers for the rows of a tree that have been asked for their children: what an index of Qt carries. No Qt here."""

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
            self._places[number] = (parent, row)
            self._numbers[parent, row] = number
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

    def resize(self, parent: int, count: int) -> None:
        """A row has so many children now; further ones went, with all that is below them."""
        gone = [number for number, (above, row) in self._places.items() if above == parent and row >= count]
        while gone:
            number = gone.pop()
            gone += [child for child, (above, _) in self._places.items() if above == number]
            del self._numbers[self._places.pop(number)]
            self.counts.pop(number, None)
        self.counts[parent] = count
