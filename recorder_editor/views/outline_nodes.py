"""Numbers for the rows of a tree that were asked for their children: what an index of Qt carries. No Qt here."""

from .outline import Path

ROOT = 0


class Nodes:
    """Rows that were parents, numbered as they are first asked for; a parent has a smaller number than its children.

    Attributes:
        counts: Number of children by number of the row, for rows of which they were counted.
    """

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}
        # Number -> (number of the parent, row there), and back.
        self._places: dict[int, tuple[int, int]] = {}
        self._numbers: dict[tuple[int, int], int] = {}
        self._paths: dict[int, Path] = {ROOT: ()}
        self._next = 1

    def clear(self) -> None:
        """Forget all rows; their numbers are not given out again."""
        self.counts.clear()
        self._places.clear()
        self._numbers.clear()
        self._paths = {ROOT: ()}

    def number(self, parent: int, row: int) -> int:
        """Return the number of a row; a new one where it has none.

        Args:
            parent: Number of its parent.
            row: Index of the row below that parent.
        """
        number = self._numbers.get((parent, row))
        if number is None:
            number = self._next
            self._next += 1
            self._places[number] = (parent, row)
            self._numbers[parent, row] = number
        return number

    def place(self, number: int) -> tuple[int, int]:
        """Return the number of a row's parent and the index of the row there; `ROOT` has none."""
        return self._places[number]

    def path(self, number: int) -> Path:
        """Return the indices of rows from the top down to this one."""
        path = self._paths.get(number)
        if path is None:
            parent, row = self._places[number]
            path = (*self.path(parent), row)
            self._paths[number] = path
        return path

    def resize(self, parent: int, count: int) -> None:
        """Set how many children a row has; further ones are forgotten with all rows below them.

        Args:
            parent: Number of the row.
            count: Number of its children.
        """
        removed = [number for number, (above, row) in self._places.items() if above == parent and row >= count]
        while removed:
            number = removed.pop()
            removed += [child for child, (above, _) in self._places.items() if above == number]
            del self._numbers[self._places.pop(number)]
            self._paths.pop(number, None)
            self.counts.pop(number, None)
        self.counts[parent] = count
