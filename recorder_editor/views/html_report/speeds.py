"""The speed of one road user over time."""

import math
from dataclasses import dataclass

import numpy as np

from ...arrays import AnyArray, FloatArray, IntArray
from ...reading import Trajectory
from ...reading.motion import speeds_of
from ...reading.tracks import Tracks
from ...recording import Snapshot

SPEED_STEPS = 10
"""Colours of speeds on the map."""

_FASTEST = 120.0
"""m/s: what is faster was put elsewhere."""

_ROUND = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True, eq=False)
class SpeedSeries:
    """The speed of a road user.

    Attributes:
        frames: Indices, int64[n], rising.
        times: s, float64[n].
        values: m/s, float64[n]; NaN where it is unknown, or the road user was put elsewhere.
        limit: A round speed that is not exceeded, m/s.
    """

    frames: IntArray
    times: FloatArray
    values: FloatArray
    limit: float

    def steps_at(self, frames: AnyArray) -> IntArray:
        """Return the numbers of colours, 0 to 9, at some frames, int64[n]."""
        known = np.isfinite(self.values)
        if not known.any():
            return np.zeros(len(frames), np.int64)
        speeds = np.interp(frames, self.frames[known], self.values[known])
        return np.clip(speeds / self.limit * SPEED_STEPS, 0, SPEED_STEPS - 1).astype(np.int64)


def speeds_of_mover(snapshot: Snapshot, mover: Trajectory) -> SpeedSeries:
    """Read the speed of a road user in all frames of its life, as `find_trajectories` defines it.

    Raises:
        OSError: The file cannot be read, as by `Store.read`.
    """
    life = mover.life
    frames = range(len(snapshot))
    if life is not None:
        frames = life.within(frames)
    tracks = Tracks(snapshot)
    elapsed = snapshot.elapsed
    around = tracks.around([mover.actor], frames)
    speeds = speeds_of(around, tracks.kinematics([mover.actor], frames), elapsed, frames)
    numbers = speeds["frame"].astype(np.int64)
    values = speeds["speed"].astype(np.float64)
    values[values > _FASTEST] = np.nan
    finite = values[np.isfinite(values)]
    return SpeedSeries(numbers, elapsed[numbers], values, round_up(float(finite.max(initial=0.0))))


def top_speed_of(snapshot: Snapshot, mover: Trajectory) -> float:
    """Return the top speed of a road user, m/s, without frames in which it was put elsewhere; NaN if unknown.

    Raises:
        OSError: The file cannot be read, as by `Store.read`.
    """
    if not mover.top_speed > _FASTEST:
        return mover.top_speed
    values = speeds_of_mover(snapshot, mover).values
    return float(np.max(values[np.isfinite(values)], initial=0.0))


def round_up(value: float) -> float:
    """Return the round number that is not below a value; 1 for what is not above 0."""
    if not value > 0 or not math.isfinite(value):
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    for factor in _ROUND:
        if factor * power >= value:
            return factor * power
    return 10.0 * power
