"""Items about frames that follow edits: their frames are found again by the keys of their rows, which edits keep."""

from collections.abc import Sequence
from typing import Protocol, Self, TypeVar

import numpy as np

from ..arrays import IntArray
from .snapshot import Snapshot


class FrameItem(Protocol):
    """What stands for frames: a note, a segment."""

    @property
    def frames(self) -> range:
        """Its frames; none where they are gone."""

    def placed(self, span: range) -> Self:
        """The same for these frames; an empty `span` says that its own are gone."""


T = TypeVar("T", bound=FrameItem)


class FrameKeys:
    """The frames of a state by the keys of their rows. Attribute: `keys` (of every frame, int64[frames])."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.keys: IntArray = snapshot.frame_column("key").astype(np.int64)
        self._order = np.argsort(self.keys, kind="stable")
        self._sorted = self.keys[self._order]

    def of(self, item: FrameItem) -> IntArray:
        """The keys of the frames of an item."""
        return self.keys[item.frames.start : item.frames.stop]

    def frames(self, held: IntArray) -> IntArray:
        """The frames (indices, rising) whose keys are among `held`."""
        at = np.minimum(self._sorted.searchsorted(held), max(len(self._sorted) - 1, 0))
        if len(self._sorted):
            return np.sort(self._order[at[self._sorted[at] == held]])
        return at[:0]


def follow(before: Snapshot, after: Snapshot, held: Sequence[tuple[T, IntArray]]) -> list[tuple[T, IntArray]]:
    """Items with the keys that they hold, after an edit.

    What stands between the first and the last frame of an item belongs to it, whatever becomes of those two. Where all
    frames are new ones, as after resampling, they are found by their times, at least one for each item.
    """
    if not held:
        return []
    old = FrameKeys(before).keys
    keys = FrameKeys(after)
    bounds = np.append(before.elapsed, np.inf)
    is_same = np.array_equal(old, keys.keys)
    made = list[tuple[T, IntArray]]()
    is_new = len(after) > 0 and not is_same and not len(keys.frames(old))
    for item, own in held:
        if is_same and len(own) >= len(item.frames) > 0:
            made.append((item, own))
            continue
        if is_new and item.frames and not len(keys.frames(own)):
            start, stop = after.elapsed.searchsorted(bounds[[item.frames.start, item.frames.stop]]).tolist()
            start = min(start, len(after) - 1)
            own = np.append(own, keys.keys[start : max(stop, start + 1)])
        found = keys.frames(own)
        if len(found):
            span = range(int(found[0]), int(found[-1]) + 1)
        else:
            span = range(0)
        between = np.delete(keys.keys[span.start : span.stop], found - span.start)
        made.append((item.placed(span), np.append(own, between)))
    return made
