"""Car following: the row of each leader.

The leader of a row is another row of the same frame. Knows arrays only; `leaders` searches leaders that are not given.
"""

import numpy as np
import numpy.typing as npt

from ..arrays import IntArray

NO_LEADER = -1
"""The row of the leader, where there is none."""


def find_rows(
    track: npt.NDArray[np.integer], frame: npt.NDArray[np.integer], wanted: npt.NDArray[np.integer]
) -> IntArray:
    """The row of the track `wanted` in the same frame, `NO_LEADER` without one: int64[n].

    Rows are ordered by track, then frame, each pair once. 0 means none, even if there is a track 0.
    """
    if not len(track):
        return np.zeros(0, np.int64)
    tracks, starts = np.unique(track, return_index=True)
    ends = np.append(starts[1:], len(track)) - 1
    which = np.clip(tracks.searchsorted(wanted), 0, len(tracks) - 1)
    first, last = starts[which], ends[which]
    # A track without a gap holds the frame as many rows after its first as frames lie between.
    row = np.clip(first + frame - frame[first], first, last)
    known = (tracks[which] == wanted) & (wanted != 0)
    missed = known & (frame[row] != frame)
    if missed.any():
        low, high = int(frame.min()), int(frame.max()) + 1
        keys = track.astype(np.int64) * (high - low) + (frame - low)
        asked = wanted[missed].astype(np.int64) * (high - low) + (frame[missed] - low)
        row[missed] = np.minimum(keys.searchsorted(asked), len(keys) - 1)
        known[missed] = keys[row[missed]] == asked
    return np.where(known, row, NO_LEADER)
