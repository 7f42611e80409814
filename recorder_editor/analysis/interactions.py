"""Car following: the row of each leader, gaps, closing speeds and time headways.

The leader of a row is another row of the same frame. Knows arrays only; `leaders` searches leaders that are not given.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, IntArray
from .constants import MIN_HEADWAY_SPEED

NO_LEADER = -1
"""The row of the leader, where there is none."""


class Following(NamedTuple):
    """Measures between each row and its leader, float64[n] each, NaN without one, named as in the L1 table.

    The leader's position (m), speed (m/s) and acceleration (m/s2), the headway (m, bumper to bumper), the closing speed
    (m/s, positive when the gap shrinks) and the time headway (s; NaN below 0.1 m/s).
    """

    leader_s_long: FloatArray
    leader_v_long: FloatArray
    leader_a_long: FloatArray
    dist_headway: FloatArray
    rel_velocity: FloatArray
    time_headway: FloatArray


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


def follow_leader(
    leader: IntArray,
    s_long: FloatArray,
    speed: FloatArray,
    acceleration: FloatArray,
    length: FloatArray,
    leader_s: FloatArray | None = None,
) -> Following:
    """Step 5: the measures of car following.

    `leader` is the row of each row's leader or `NO_LEADER`; `s_long` (m) is the position of the middle of a vehicle,
    `length` (m) its length; all of shape (n,). `leader_s` is the position of the leader along the path of the follower;
    without it, the leader's own `s_long`. The headway is negative where the two overlap.
    """
    alone = leader == NO_LEADER

    def of_leader(column: FloatArray) -> FloatArray:
        return np.where(alone, np.nan, column[leader]) if len(column) else np.zeros(0)

    place = of_leader(s_long) if leader_s is None else np.where(alone, np.nan, leader_s)
    pace = of_leader(speed)
    headway = place - s_long - 0.5 * (of_leader(length) + length)
    with np.errstate(divide="ignore", invalid="ignore"):
        seconds = np.where(speed < MIN_HEADWAY_SPEED, np.nan, headway / speed)
    return Following(place, pace, of_leader(acceleration), headway, speed - pace, seconds)
