"""Pairs of vehicles with boxes that overlap: the first frame of each pair, and in how many frames it does.

Time and memory grow with the positions, not with the square of a crowd: of a vehicle a bounded number of neighbours is
looked at, and of a crowd only the pairs that are listed are followed; of others only that they were seen is kept.
"""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from ..arrays import AnyArray, BoolArray, IntArray, StructuredArray
from ..progress import Progress

NEIGHBOURS = 64
"""Neighbours along x that a vehicle is compared with in a frame."""

MAX_PAIRS = 1 << 22
"""Number of pairs up to which they are counted exactly."""

_GROUP = 1 << 13  # rows that are compared together: they stay in the cache of the processor
_CROWD = 1 << 17
"""Number of pairs from which on only those that are listed are followed."""

PAIR: Final = np.dtype([("key", "i8"), ("first", "i4"), ("rank", "i8"), ("frames", "i4")])
"""Lives of a pair (`life << 32 | other`, the smaller index first), first frame (index), order in which it was found,
and number of frames."""

Test = Callable[[StructuredArray, StructuredArray], BoolArray]
"""Whether boxes overlap, row by row."""


def lives_of(key: int) -> tuple[int, int]:
    """Return the two lives (indices) of a key."""
    return key >> 32, key & 0xFFFFFFFF


def keys_of(one: AnyArray, other: AnyArray) -> IntArray:
    """Return the keys of pairs of numbers below 2^32, int64[n]; the same for both orders."""
    one = one.astype(np.int64)
    other = other.astype(np.int64)
    return np.minimum(one, other) << 32 | np.maximum(one, other)


class OverlapPairs:
    """Collects pairs block by block.

    Attributes:
        is_complete: All pairs were counted; else there are more than `number`.
    """

    def __init__(self, listed: int, is_excluded: Callable[[IntArray], BoolArray]) -> None:
        """Collect pairs.

        Args:
            listed: The number of pairs that are followed in a crowd, at most `_CROWD`.
            is_excluded: Returns which keys of pairs are no problem, bool[n].
        """
        self.is_complete = True
        self._listed = listed
        self._is_excluded = is_excluded
        self._pairs = np.zeros(0, PAIR)  # by key
        self._seen: IntArray | None = None  # the keys of all pairs of a crowd, rising
        self._rows = 0

    @property
    def number(self) -> int:
        """The number of pairs."""
        if self._seen is None:
            return len(self._pairs)
        return len(self._seen)

    def first(self) -> StructuredArray:
        """Return the pairs to list, dtype `PAIR`, by first frame."""
        order = np.lexsort((self._pairs["rank"], self._pairs["first"]))
        return self._pairs[order[: self._listed]]

    def add(self, placed: StructuredArray, longest: float, test: Test, progress: Progress) -> None:
        """Add the pairs of a block.

        Args:
            placed: Boxes with `life`, `frame`, `x` and `y`, by frame and x.
            longest: The distance along an axis beyond which no boxes overlap.
            test: Whether boxes overlap.
            progress: Is asked whether the user stopped it.

        Raises:
            Cancelled: The user stopped it.
        """
        found = self._found(placed, longest, test, progress)
        self._rows += len(placed) * NEIGHBOURS
        if not len(found):
            return
        if self._seen is not None:
            self._add_to_crowd(found, self._seen)
            return
        if len(self._pairs):
            found = _merged(np.concatenate((self._pairs, found)))
        self._pairs = found
        if len(self._pairs) > _CROWD:
            self._seen = self._pairs["key"].copy()
            listed = self.first()
            self._pairs = listed[np.argsort(listed["key"])]
            self._limit(self._seen)

    def _found(self, placed: StructuredArray, longest: float, test: Test, progress: Progress) -> StructuredArray:
        """Return the pairs of a block, dtype `PAIR`, by key."""
        parts = [np.zeros(0, PAIR)]
        for start, stop in _groups(placed["frame"]):
            group = placed[start:stop]
            steps = self._steps(group, longest, test, progress)
            if _has_repeats(group):
                steps = iter([_once_a_frame(np.concatenate([np.zeros(0, PAIR), *steps]))])
            for step, part in enumerate(steps):
                part["rank"] += self._rows + step * len(placed) + start
                parts.append(_merged(part))
        pairs = np.concatenate(parts)
        parts.clear()  # a crowd has many
        return _merged(pairs)

    def _steps(
        self, placed: StructuredArray, longest: float, test: Test, progress: Progress
    ) -> Iterator[StructuredArray]:
        """Yield the pairs of each vehicle and the next one along x, of the one after that and so on, dtype `PAIR`.

        `rank` is the row of the first one.
        """
        life = placed["life"].copy()
        frame = placed["frame"].copy()
        x = placed["x"].copy()
        y = placed["y"].copy()
        for step in range(1, NEIGHBOURS + 1):
            progress.check()
            is_close = (frame[step:] == frame[:-step]) & (x[step:] - x[:-step] <= longest)
            if not is_close.any():
                break
            rows = np.flatnonzero(is_close)
            rows = rows[np.abs(y[rows + step] - y[rows]) <= longest]
            rows = rows[test(placed[rows], placed[rows + step])]
            part = np.zeros(len(rows), PAIR)
            part["key"] = keys_of(life[rows], life[rows + step])
            part["first"] = frame[rows]
            part["rank"] = rows
            part["frames"] = 1
            yield part[~self._is_excluded(part["key"])]

    def _add_to_crowd(self, found: StructuredArray, seen: IntArray) -> None:
        """Add pairs to a crowd: those that are listed are followed, others only counted."""
        places = np.minimum(self._pairs["key"].searchsorted(found["key"]), len(self._pairs) - 1)
        is_listed = self._pairs["key"][places] == found["key"]
        self._pairs["frames"][places[is_listed]] += found["frames"][is_listed]
        if self.is_complete:
            places = np.minimum(seen.searchsorted(found["key"]), len(seen) - 1)
            new = found["key"][seen[places] != found["key"]]
            self._limit(np.insert(seen, seen.searchsorted(new), new))

    def _limit(self, seen: IntArray) -> None:
        """Keep the keys of pairs, as far as they are counted."""
        self.is_complete = len(seen) <= MAX_PAIRS
        self._seen = seen[:MAX_PAIRS]


def _groups(frames: IntArray) -> Iterator[tuple[int, int]]:
    """Yield the ranges `[first, stop)` of rows of whole frames, of about `_GROUP` rows."""
    ends = np.flatnonzero(np.append(frames[1:] != frames[:-1], True)) + 1
    start = 0
    while start < len(frames):
        index = min(int(ends.searchsorted(start + _GROUP)), len(ends) - 1)
        stop = int(ends[index])
        yield start, stop
        start = stop


def _has_repeats(placed: StructuredArray) -> bool:
    """Whether a life has two boxes in a frame."""
    frames = placed["frame"]
    lives = placed["life"]
    keys = np.sort(frames << 32 | lives)
    return bool((keys[1:] == keys[:-1]).any())


def _once_a_frame(pairs: StructuredArray) -> StructuredArray:
    """Return pairs of one frame each without those that are found twice in a frame, by key and frame."""
    order = np.lexsort((pairs["rank"], pairs["first"], pairs["key"]))
    pairs = pairs[order]
    is_new = np.ones(len(pairs), np.bool_)
    keys = pairs["key"]
    firsts = pairs["first"]
    is_new[1:] = (keys[1:] != keys[:-1]) | (firsts[1:] != firsts[:-1])
    return pairs[is_new]


def _merged(pairs: StructuredArray) -> StructuredArray:
    """Return pairs, each once, by key."""
    if not len(pairs):
        return pairs
    pairs = pairs[np.argsort(pairs["key"], kind="stable")]
    keys = pairs["key"]
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    if len(starts) == len(pairs):
        return pairs
    merged = np.zeros(len(starts), PAIR)
    merged["key"] = pairs["key"][starts]
    merged["first"] = np.minimum.reduceat(pairs["first"], starts)
    merged["rank"] = np.minimum.reduceat(pairs["rank"], starts)
    merged["frames"] = np.add.reduceat(pairs["frames"], starts)
    return merged
