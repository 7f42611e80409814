"""Items about frames that follow edits: their frames are found again by the keys of their rows, which edits keep."""

from collections.abc import Sequence
from typing import Protocol, Self, TypeVar

import numpy as np

from ..arrays import IntArray
from .snapshot import Snapshot


class FrameItem(Protocol):
    """An item about frames: a note, a segment."""

    @property
    def frames(self) -> range:
        """Its frames; none where they are gone."""

    def placed(self, span: range) -> Self:
        """The same for these frames; an empty `span` says that its own are gone."""


T = TypeVar("T", bound=FrameItem)


class FrameKeys:
    """The frames of a state by the keys of their rows.

    Attributes:
        keys: The key of every frame, int64 (frames,).
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.keys: IntArray = snapshot.frame_column("key").astype(np.int64)
        self._order = np.argsort(self.keys, kind="stable")
        self._sorted = self.keys[self._order]

    def of(self, item: FrameItem) -> IntArray:
        """The keys of the frames of an item."""
        return self.keys[item.frames.start : item.frames.stop]

    def frames(self, held: IntArray) -> IntArray:
        """The frames with certain keys.

        Args:
            held: The keys, int64 (n,).

        Returns:
            The indices of the frames that have one of them, rising.
        """
        if not len(self._sorted):
            return np.empty(0, np.int64)
        indices = np.minimum(self._sorted.searchsorted(held), len(self._sorted) - 1)
        return np.sort(self._order[indices[self._sorted[indices] == held]])


def follow(before: Snapshot, after: Snapshot, held: Sequence[tuple[T, IntArray]]) -> list[tuple[T, IntArray]]:
    """Find the frames of items after an edit.

    What stands between the first and the last frame of an item belongs to it, whatever becomes of those two. Where all
    frames are new ones, as after resampling, they are found by their times, at least one for each item.

    Args:
        before: The state before the edit.
        after: The state after it.
        held: The items with the keys that they hold, int64 (n,).

    Returns:
        The items at their new frames, with the keys that they hold from now on.
    """
    if not held:
        return []
    old_keys = FrameKeys(before).keys
    keys = FrameKeys(after)
    is_same = np.array_equal(old_keys, keys.keys)
    is_new = len(after) > 0 and not is_same and not len(keys.frames(old_keys))
    followed = list[tuple[T, IntArray]]()
    for item, own in held:
        if is_same and len(own) >= len(item.frames) > 0:
            followed.append((item, own))
            continue
        if is_new and item.frames and not len(keys.frames(own)):
            span = _at_same_times(before, after, item.frames)
            own = np.append(own, keys.keys[span.start : span.stop])
        frames = keys.frames(own)
        span = range(0)
        if len(frames):
            span = range(int(frames[0]), int(frames[-1]) + 1)
        between = np.delete(keys.keys[span.start : span.stop], frames - span.start)
        followed.append((item.placed(span), np.append(own, between)))
    return followed


def _at_same_times(before: Snapshot, after: Snapshot, frames: range) -> range:
    """The frames of a state at the times that frames had in another one, at least one."""
    bounds = np.append(before.elapsed, np.inf)
    start, stop = after.elapsed.searchsorted(bounds[[frames.start, frames.stop]]).tolist()
    start = min(start, len(after) - 1)
    return range(start, max(stop, start + 1))
