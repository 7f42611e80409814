"""Changes of the shape of one path: smoothed, or shifted sideways (a change of lanes)."""

import numpy as np

from ...arrays import FloatArray, IntArray
from ...errors import EditError
from ...progress import SILENT, Progress
from ...recording.history import Edit
from ...recording.lives import Life
from ...recording.snapshot import Snapshot
from ...recording.tracks import Tracks
from ..place import RecordingLike
from .motion import CM, Motion, need_measures
from .moved_actors import MovedActors, elapsed_in
from .ranges import weights

_SMOOTHED = "A path is smoothed over a number of seconds above 0."
_SIDEWAYS = "A path is shifted sideways by a number of metres other than 0."


def smooth_path(
    recording: RecordingLike, life: Life, frames: range | None, window: float, *, progress: Progress = SILENT
) -> Edit:
    """The edit that replaces location and heading by their mean over `window` seconds; roll and pitch stay.

    The mean is that of the interpolated path, weighted by time, so that uneven steps do not matter and steady motion
    does not change. The window is narrower near the ends, so that the first and last frame stay. The velocity of the
    change is added; attached actors with a Position move along. Raises `EditError` for traffic actors, for paths of
    fewer than three places, and if times do not rise.
    """
    snapshot = recording.snapshot
    need_measures(_SMOOTHED, window)
    if window <= 0:
        raise EditError(_SMOOTHED)
    path = _Path(snapshot, life, frames)
    if len(path.at) < 3:
        raise EditError(f"Actor {life.actor} has fewer than three places in these frames; nothing can be smoothed.")
    values = np.column_stack((path.poses[:, :3], np.degrees(np.unwrap(np.radians(path.poses[:, 5])))))
    gained = _means(path.times, values, window) - values
    rate = np.gradient(gained, path.times, axis=0)
    motion = path.motion(gained[:, 3], gained[:, :3], rate[:, 3], rate[:, :3])
    return path.moved.edit("smooth_path", "Smooth the path of %", motion, progress, window=window)


def offset_path(
    recording: RecordingLike,
    life: Life,
    frames: range | None,
    metres: float,
    *,
    ease_in: float = 0.0,
    ease_out: float = 0.0,
    progress: Progress = SILENT,
) -> Edit:
    """The edit that shifts a path `metres` to the right of its heading (below 0: left), as in a change of lanes.

    Headings stay. The velocity of the shift is added, in curves too. Easing, EventAdds, attached actors and errors as
    in `move_actors`; raises `EditError` also for an actor without Position.
    """
    snapshot = recording.snapshot
    need_measures(_SIDEWAYS, metres)
    if not metres:
        raise EditError(_SIDEWAYS)
    path = _Path(snapshot, life, frames)
    weight, rate = (values[path.at] for values in weights(snapshot, path.moved.frames, ease_in, ease_out))
    yaw = np.unwrap(np.radians(path.poses[:, 5]))
    turning = np.gradient(yaw, path.times) if len(yaw) > 1 else np.zeros(len(yaw))
    right, forward = np.column_stack((-np.sin(yaw), np.cos(yaw))), np.column_stack((np.cos(yaw), np.sin(yaw)))
    shift, growth = np.zeros((2, len(yaw), 3))
    shift[:, :2] = metres * CM * weight[:, None] * right
    growth[:, :2] = metres * CM * (rate[:, None] * right - (weight * turning)[:, None] * forward)
    nothing = np.zeros(len(yaw))
    motion = path.motion(nothing, shift, nothing, growth)
    label = f"Shift % sideways by {metres:g} m"
    return path.moved.edit("offset_path", label, motion, progress, metres=metres, ease_in=ease_in, ease_out=ease_out)


class _Path:
    """The path of a life in a range of frames.

    Attributes: `moved`, `at` (indices in the range of frames with a finite place), `times` (s), `poses` (cm and
    degrees, shape (n, 6)).
    """

    def __init__(self, snapshot: Snapshot, life: Life, frames: range | None) -> None:
        self.moved = MovedActors(snapshot, [life], frames)
        self.moved.refuse_without_path()
        self._every = len(self.moved.frames)
        span = self.moved.chosen.spans.get(life.index, range(0))
        found = Tracks(snapshot).path(life.actor, span)
        with np.errstate(invalid="ignore"):
            columns = [found[name].astype(np.float64) for name in ("x", "y", "z", "roll", "pitch", "yaw")]
        poses = np.column_stack(columns)
        finite = np.isfinite(poses[:, [0, 1, 2, 5]]).all(axis=1)
        if not finite.any():
            raise EditError(f"Actor {life.actor} has no place in these frames.")
        self.at = found["frame"][finite].astype(np.int64) - self.moved.frames.start
        self.poses = poses[finite]
        self.times = elapsed_in(snapshot, self.moved.frames)[self.at]

    def motion(self, turn: FloatArray, shift: FloatArray, turn_rate: FloatArray, shift_rate: FloatArray) -> Motion:
        """The motion with these values at the places of the path, about the actor itself; 0 in other frames."""
        points, start = self._spread(self.poses[:, :2]), self.moved.frames.start

        def pivot(frames: IntArray, lives: IntArray) -> FloatArray:
            found: FloatArray = points[frames - start]
            return found

        turn, shift, turn_rate, shift_rate = map(self._spread, (turn, shift, turn_rate, shift_rate))
        return Motion(start, turn, shift, turn_rate, shift_rate, pivot, follows=True)

    def _spread(self, values: FloatArray) -> FloatArray:
        made = np.zeros((self._every, *values.shape[1:]))
        made[self.at] = values
        return made


def _means(times: FloatArray, values: FloatArray, window: float) -> FloatArray:
    """The mean of each linearly interpolated column over `window` seconds about each time; shape (n, columns)."""
    middle = values.mean(axis=0)
    level = values - middle
    steps = np.diff(times)[:, None]
    area = np.concatenate((np.zeros((1, values.shape[1])), np.cumsum((level[1:] + level[:-1]) * 0.5 * steps, axis=0)))
    half = np.minimum(np.minimum(times - times[0], times[-1] - times), window / 2)

    def area_to(at: FloatArray) -> FloatArray:
        before = np.clip(times.searchsorted(at, side="right") - 1, 0, len(times) - 2)
        since = (at - times[before])[:, None]
        slope = (level[before + 1] - level[before]) / steps[before]
        part: FloatArray = area[before] + level[before] * since + 0.5 * slope * since * since
        return part

    inner = half > 0
    made = values.copy()
    width = 2 * half[inner, None]
    made[inner] = (area_to(times[inner] + half[inner]) - area_to(times[inner] - half[inner])) / width + middle
    return made
