"""Frames that are found again after edits: by the keys of their rows, which edits keep."""

from collections.abc import Sequence

import numpy as np

from ..arrays import IntArray
from .snapshot import Snapshot


class FrameKeys:
    """The frames of a state by the keys of their rows. Attribute: `keys` (of every frame, int64[frames])."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.keys: IntArray = snapshot.frame_column("key").astype(np.int64)
        self._order = np.argsort(self.keys, kind="stable")
        self._sorted = self.keys[self._order]

    def frames(self, held: IntArray) -> IntArray:
        """The frames (indices, rising) whose keys are among `held`."""
        at = np.minimum(self._sorted.searchsorted(held), max(len(self._sorted) - 1, 0))
        return np.sort(self._order[at[self._sorted[at] == held]]) if len(self._sorted) else at[:0]

    def span(self, held: IntArray) -> range:
        """From the first to the last frame whose key is among `held`; empty where there is none."""
        found = self.frames(held)
        return range(int(found[0]), int(found[-1]) + 1) if len(found) else range(0)


def carried(
    before: Snapshot, after: Snapshot, keys: FrameKeys, held: Sequence[tuple[range, IntArray]]
) -> list[IntArray]:
    """The keys to hold after an edit of each of `held`: frames before it, and the keys that were held of them.

    Where all frames are new ones, as after resampling, they are found by their times, at least one for each. `keys` are
    those of `after`.
    """
    made, bounds = [each for _, each in held], np.append(before.elapsed, np.inf)
    if len(after) and not len(keys.frames(before.frame_column("key").astype(np.int64))):
        for number, (frames, own) in enumerate(held):
            if frames and not len(keys.frames(own)):
                start, stop = after.elapsed.searchsorted(bounds[[frames.start, frames.stop]]).tolist()
                start = min(start, len(after) - 1)
                made[number] = np.append(own, keys.keys[start : max(stop, start + 1)])
    return made
