"""Functions of s that change piece by piece, of many owners in one table: the rows are found and evaluated together.

An owner is a row of another table (a road, a lane); s is in metres along the road's reference line.
"""

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray, run_ends

__all__ = ["Cubics", "Intervals", "repeated"]


def repeated(counts: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Number the items of groups.

    Args:
        counts: The number of items of each group, intp[groups].

    Returns:
        The group of every item, and its number within the group; both intp[n].
    """
    group = np.repeat(np.arange(len(counts)), counts)
    return group, np.arange(len(group)) - np.repeat(np.cumsum(counts) - counts, counts)


class Intervals:
    """The rows of owners; each holds from its s to that of the next one, and the first one also before it.

    `owner` and `s` must be ordered by owner, then s.

    Attributes:
        owner: The owner of each row, intp[rows].
        s: The s at which it begins, float64[rows] (m).
        first: The first row of each owner, intp[owners + 1]; its rows are `first[owner]:first[owner + 1]`.
    """

    def __init__(self, owner: IndexArray, s: FloatArray, owners: int) -> None:
        """Take over ordered rows.

        Args:
            owner: The owner of each row, intp[rows].
            s: The s at which it begins, float64[rows] (m).
            owners: The number of owners.
        """
        self.owner = owner
        self.s = s
        self.first = np.searchsorted(owner, np.arange(owners + 1))
        edges = np.append(s, 0.0)
        has_rows = self.first[1:] > self.first[:-1]
        self._low = np.where(has_rows, edges[self.first[:-1]], 0.0)
        self._span = np.where(has_rows, edges[self.first[1:] - 1] - self._low, 0.0)
        # One axis on which the owners follow each other, so that one search finds the rows of all of them.
        if owners:
            self._base = np.concatenate([[0.0], np.cumsum(self._span + 1.0)[:-1]])
        else:
            self._base = np.empty(0)
        self._keys = self._base[owner] + (s - self._low[owner])

    def find(self, owner: IndexArray, s: FloatArray) -> IndexArray:
        """Find the rows that hold.

        Args:
            owner: The owners, intp[n].
            s: The s of each, float64[n] (m).

        Returns:
            The rows, intp[n]; -1 where an owner has none.
        """
        if not len(self.s):
            return np.full(np.shape(owner), -1)
        key = self._base[owner] + np.clip(s - self._low[owner], 0.0, self._span[owner])
        row = np.searchsorted(self._keys, key, side="right") - 1
        row = np.clip(row, self.first[owner], self.first[np.add(owner, 1)] - 1)
        return np.where(self.first[owner] == self.first[np.add(owner, 1)], -1, row)


class Cubics(Intervals):
    """A piecewise cubic in s for each owner: a + b ds + c ds² + d ds³ behind the s of a row, 0 where it has no row.

    `coefficients` is float64[rows, 4]. Rows may come in any order; of those that begin at the same s the last one
    holds. Before its first row a function has the value at the begin of that row.
    """

    def __init__(self, owner: IndexArray, s: FloatArray, coefficients: FloatArray, owners: int) -> None:
        """Order the rows.

        Args:
            owner: The owner of each row, intp[rows].
            s: The s at which it begins, float64[rows] (m).
            coefficients: a, b, c and d of each, float64[rows, 4].
            owners: The number of owners.
        """
        order = np.lexsort((s, owner))
        owner = owner[order]
        s = s[order]
        last = run_ends(owner, s)
        super().__init__(owner[last], s[last], owners)
        self._coefficients = np.vstack([coefficients[order[last]], np.zeros((1, 4))])  # row -1 is 0 everywhere

    @property
    def is_zero(self) -> bool:
        """Whether all of them are 0 everywhere."""
        return not self._coefficients.any()

    def values(
        self, owner: IndexArray, s: FloatArray, found_at: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Compute values and derivatives.

        Args:
            owner: The owners, intp[n].
            s: The s of each, float64[n] (m).
            found_at: The s at which the rows are found; None: at `s`.

        Returns:
            The values, and the derivatives with respect to s; float64[n] each.
        """
        row = self.find(owner, s if found_at is None else found_at)
        a, b, c, d = self._coefficients[row].T
        ds = self._behind(row, s)
        return a + ds * (b + ds * (c + ds * d)), b + ds * (2 * c + 3 * ds * d)

    def expanded(self, owner: IndexArray, s: FloatArray) -> FloatArray:
        """Compute the coefficients of the same functions as from other s on.

        Args:
            owner: The owners, intp[n].
            s: The s of each, float64[n] (m).

        Returns:
            float64[n, 4].
        """
        row = self.find(owner, s)
        a, b, c, d = self._coefficients[row].T
        ds = self._behind(row, s)
        value = a + ds * (b + ds * (c + ds * d))
        return np.stack([value, b + ds * (2 * c + 3 * ds * d), c + 3 * ds * d, d], axis=-1)

    def _behind(self, row: IndexArray, s: FloatArray) -> FloatArray:
        """Return how far s lies behind the begin of rows, at least 0."""
        if len(self.s):
            return np.maximum(s - self.s[row], 0.0)
        return np.zeros(np.shape(s))

    def limited(self, end: FloatArray, limit: float) -> tuple["Cubics", IndexArray]:
        """Put 0 in place of rows that may exceed a limit on their way to the next one.

        Args:
            end: Where the last row of each owner ends, float64[owners] (m).
            limit: The largest magnitude of a value.

        Returns:
            The functions, and the owners of the rows that were replaced.
        """
        if len(self.s):
            size = np.append(self.s[1:], 0.0) - self.s
        else:
            size = np.empty(0)
        last = self.first[1:][self.first[1:] > self.first[:-1]] - 1
        size[last] = end[self.owner[last]] - self.s[last]
        powers = np.maximum(size, 0.0)[:, None] ** np.arange(4)
        poor = (np.abs(self._coefficients[:-1]) * powers).sum(axis=1) > limit
        return self.without(poor), self.owner[poor]

    def without(self, rows: BoolArray) -> "Cubics":
        """Put 0 in place of some rows.

        Args:
            rows: Which rows, bool[rows].
        """
        coefficients = np.where(rows[:, None], 0.0, self._coefficients[:-1])
        if rows.any():
            return Cubics(self.owner, self.s, coefficients, len(self.first) - 1)
        return self
