"""Functions of s that change piece by piece, of many owners in one table: the rows are found and evaluated together.

An owner is a row of another table (a road, a lane); s is in metres along the road's reference line.
"""

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray, ends

__all__ = ["Cubics", "Intervals", "repeated"]


def repeated(counts: IndexArray) -> tuple[IndexArray, IndexArray]:
    """For groups of so many items each: the group of every item, and its number within the group; both intp[n]."""
    group = np.repeat(np.arange(len(counts)), counts)
    return group, np.arange(len(group)) - np.repeat(np.cumsum(counts) - counts, counts)


class Intervals:
    """The row of an owner that holds at s: the last one that begins there or before, else its first.

    `owner` and `s` must be ordered by owner, then s. Attributes: `owner` (intp[rows]), `s` (float64[rows]), `first`
    (intp[owners + 1], the rows of an owner are `first[owner]:first[owner + 1]`).
    """

    def __init__(self, owner: IndexArray, s: FloatArray, owners: int) -> None:
        self.owner = owner
        self.s = s
        self.first = np.searchsorted(owner, np.arange(owners + 1))
        edges = np.append(s, 0.0)
        has = self.first[1:] > self.first[:-1]
        self._low = np.where(has, edges[self.first[:-1]], 0.0)
        self._span = np.where(has, edges[self.first[1:] - 1] - self._low, 0.0)
        # One axis on which the owners follow each other, so that one search finds the rows of all of them.
        if owners:
            self._base = np.concatenate([[0.0], np.cumsum(self._span + 1.0)[:-1]])
        else:
            self._base = np.empty(0)
        self._keys = self._base[owner] + (s - self._low[owner])

    def find(self, owner: IndexArray, s: FloatArray) -> IndexArray:
        """The rows of owners at s, intp[n]; -1 where an owner has none."""
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
        order = np.lexsort((s, owner))
        owner, s = owner[order], s[order]
        last = ends(owner, s)
        super().__init__(owner[last], s[last], owners)
        self._coefficients = np.vstack([coefficients[order[last]], np.zeros((1, 4))])  # row -1 is 0 everywhere

    @property
    def is_zero(self) -> bool:
        """All of them are 0 everywhere."""
        return not self._coefficients.any()

    def values(
        self, owner: IndexArray, s: FloatArray, found_at: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """The values at s and their derivatives, float64[n] each, of the rows that hold there or at `found_at`."""
        row = self.find(owner, s if found_at is None else found_at)
        a, b, c, d = self._coefficients[row].T
        ds = self._behind(row, s)
        return a + ds * (b + ds * (c + ds * d)), b + ds * (2 * c + 3 * ds * d)

    def expanded(self, owner: IndexArray, s: FloatArray) -> FloatArray:
        """The coefficients of the same function as from s on, float64[n, 4]."""
        row = self.find(owner, s)
        a, b, c, d = self._coefficients[row].T
        ds = self._behind(row, s)
        value = a + ds * (b + ds * (c + ds * d))
        return np.stack([value, b + ds * (2 * c + 3 * ds * d), c + 3 * ds * d, d], axis=-1)

    def _behind(self, row: IndexArray, s: FloatArray) -> FloatArray:
        if len(self.s):
            return np.maximum(s - self.s[row], 0.0)
        return np.zeros(np.shape(s))

    def limited(self, end: FloatArray, limit: float) -> tuple["Cubics", IndexArray]:
        """These with 0 in place of rows that may exceed `limit` on their way to the next one, and their owners.

        `end` (by owner) is where the last row of each ends.
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
        """These with 0 in place of some rows."""
        coefficients = np.where(rows[:, None], 0.0, self._coefficients[:-1])
        if rows.any():
            return Cubics(self.owner, self.s, coefficients, len(self.first) - 1)
        return self
