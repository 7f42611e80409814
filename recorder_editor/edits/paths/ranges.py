"""Changes of paths over a range of frames, with easing.

Rigid moves of lives by an offset and a turn, or to a place; one path smoothed, shifted sideways (a change of lanes), or
put on the lanes of a road map.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...arrays import FloatArray, IntArray
from ...errors import EditError, error_sentence
from ...progress import SILENT, Progress
from ...reading import Actors, Life, Tracks
from ...recording import Edit, RecordingLike, Snapshot
from ...roads import read_road_map
from ...texts import N_, say
from ..intents import moment
from .motion import CM, Motion, centimetres, eased, need_measures, wrapped
from .moved_actors import MovedActors, elapsed_in

Point = tuple[float, float, float]


def move_actors(
    recording: RecordingLike,
    lives: Sequence[Life],
    offset: Point = (0.0, 0.0, 0.0),
    turn: float = 0.0,
    frames: range | None = None,
    *,
    pivot: tuple[float, float] | None = None,
    ease_in: float = 0.0,
    ease_out: float = 0.0,
    progress: Progress = SILENT,
) -> Edit:
    """The edit that shifts paths by `offset` (m, world axes), turned by `turn` degrees about `pivot` (x, y, m).

    `frames` are indices (None: whole lives). Without a pivot each path is turned about the place of its actor in the
    first of them. The change grows from 0 within the first `ease_in` seconds and returns to 0 within the last
    `ease_out`. Velocities are turned with the path, and that of the easing is added. A range with the EventAdd moves
    that, too; actors without Position are moved by the EventAdd, without easing (an offset: by the change in the first
    of the frames; not if the parent is among the lives). Attached actors with a Position move along. Raises `EditError`
    for traffic actors and if nothing would move.
    """
    snapshot = recording.snapshot
    need_measures(N_("A path is moved by numbers of metres and degrees."), *offset, turn, *(pivot or ()))
    moved = MovedActors(snapshot, lives, frames)
    if pivot is not None or not turn:
        pivots = np.full((len(Actors.of(snapshot)), 2), [centimetres(axis) for axis in pivot or (0.0, 0.0)])
    else:
        pivots = _where_they_are(snapshot, moved)
    shift = np.array([centimetres(axis) for axis in offset])
    if turn and not any(offset):
        label = N_("Turn {actors}")
    else:
        label = N_("Move {actors}")
    given: dict[str, object] = {"offset": list(offset), "turn": turn, "pivot": list(pivot) if pivot else None}
    return _rigid(moved, "move_actors", label, shift, turn, pivots, ease_in, ease_out, progress, given)


def place_actors(
    recording: RecordingLike,
    lives: Sequence[Life],
    at: int,
    *,
    location: tuple[float | None, float | None, float | None] = (None, None, None),
    yaw: float | None = None,
    frames: range | None = None,
    ease_in: float = 0.0,
    ease_out: float = 0.0,
    progress: Progress = SILENT,
) -> Edit:
    """The edit that moves the first life to `location` (m; None: unchanged) and `yaw` (degrees) in frame `at` (index).

    Its path over `frames` and those of the other lives are moved by the same transform. Easing, velocities and errors
    as in `move_actors`; raises `EditError` also if the actor is not alive in that frame.
    """
    snapshot = recording.snapshot
    given = [value for value in (*location, yaw) if value is not None]
    need_measures(N_("A position is numbers of metres, a heading a number of degrees."), *given)
    if not given:
        raise EditError(say("No position and no heading is given."))
    moved = MovedActors(snapshot, lives, frames, at)
    first = lives[0]
    state = None
    if 0 <= at < len(snapshot):
        state = Actors.of(snapshot).world_at(at).of(first.actor)
    if state is None or state.life.index != first.index:
        raise EditError(say("Actor {actor} is not alive in frame {at}.", actor=first.actor, at=at + 1), frame=at + 1)
    if at not in moved.frames and first.index not in moved.without_position:
        raise EditError(say("Frame {at} is not among the frames that are to be moved.", at=at + 1), frame=at + 1)
    rests = first.index in moved.without_position and first.index not in moved.mounts
    there = first.transform if rests else state.transform
    pose = np.array(there, np.float64)
    wanted = zip(location, pose[:3].tolist(), strict=True)
    shift = np.array([0.0 if to is None else centimetres(to) - be for to, be in wanted])
    if yaw is None:
        turn = 0.0
    else:
        turn = yaw - float(pose[5])
    if not (np.isfinite(shift).all() and math.isfinite(turn) and (not turn or np.isfinite(pose[:2]).all())):
        raise EditError(
            say(
                "Actor {actor} has no finite position and heading in frame {at}, so its path cannot be moved.",
                actor=first.actor,
                at=at + 1,
            ),
            frame=at + 1,
        )
    pivots = np.full((len(Actors.of(snapshot)), 2), pose[:2])
    placed: dict[str, object] = {"at": moment(snapshot, at), "location": list(location), "yaw": yaw}
    return _rigid(moved, "place_actors", N_("Place {actors}"), shift, turn, pivots, ease_in, ease_out, progress, placed)


def _rigid(
    moved: MovedActors,
    operation: str,
    label: str,
    shift: FloatArray,
    turn: float,
    pivots: FloatArray,
    ease_in: float,
    ease_out: float,
    progress: Progress,
    given: Mapping[str, Any],
) -> Edit:
    """The edit by a shift (cm) and a turn about pivots (cm, shape (lives, 2)), with easing; at rest without it."""

    def pivot(frames: IntArray, lives: IntArray) -> FloatArray:
        return np.asarray(pivots[lives])

    weight, rate = weights(moved.snapshot, moved.frames, ease_in, ease_out)
    eased_in = weight * turn, weight[:, None] * shift, rate * turn, rate[:, None] * shift
    motion = Motion(moved.frames.start, *eased_in, pivot)
    at_rest = Motion(None, np.array([turn]), shift[None], np.zeros(1), np.zeros((1, 3)), pivot)
    return moved.edit(operation, label, motion, progress, at_rest=at_rest, **given, ease_in=ease_in, ease_out=ease_out)


def weights(snapshot: Snapshot, frames: range, ease_in: float, ease_out: float) -> tuple[FloatArray, FloatArray]:
    """`eased` over the times of the frames. Raises `EditError` for easing that is invalid or does not fit."""
    need_measures(N_("A change is eased over a number of seconds."), ease_in, ease_out)
    if ease_in < 0 or ease_out < 0:
        raise EditError(say("A change is eased over 0 seconds or more."))
    if not ease_in and not ease_out:
        return np.ones(len(frames)), np.zeros(len(frames))
    times = elapsed_in(snapshot, frames)
    if len(times):
        span = float(times[-1] - times[0])
    else:
        span = 0.0
    # A tolerance of a microsecond: elapsed is a sum of floats.
    if ease_in + ease_out > span + 1e-6:
        raise EditError(
            say(
                "Easing over {ease_in:g} s and {ease_out:g} s does not fit into the {span:g} s "
                "of these frames; take more frames, or ease faster.",
                ease_in=ease_in,
                ease_out=ease_out,
                span=span,
            )
        )
    return eased(times, ease_in, ease_out)


def _where_they_are(snapshot: Snapshot, moved: MovedActors) -> FloatArray:
    """Pivots (x, y, cm; shape (lives, 2)): places in the first frame of the range, or of the EventAdd; attached actors
    have that of their parent."""
    actors = Actors.of(snapshot)
    at = moved.frames.start
    if 0 <= at < len(snapshot) and len(moved.frames):
        state = actors.world_at(at).actors
    else:
        state = ()
    now = {one.life.index: one.transform for one in state}
    found = np.zeros((len(actors), 2))
    chosen = {life.index for life in moved.lives}
    for index in (*chosen, *moved.chosen.spans):
        life = actors.lives[index]
        rests = index in moved.without_position and index not in moved.mounts
        found[index] = (life.transform if rests else now.get(index, life.transform))[:2]
    for index in moved.chosen.spans.keys() - chosen:
        above: Life | None = actors.lives[index]
        for _ in range(len(moved.chosen.spans)):
            if above is not None:
                above = actors.parent_of(above)
            else:
                above = None
            if above is not None and above.index in chosen:
                found[index] = found[above.index]
                break
    return found


# --- shapes of one path ---------------------------------------------------------------------------------

_CROSSING = 45.0
"""Degrees between a path and a lane from which the lane crosses it."""


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
    need_measures(N_("A path is smoothed over a number of seconds above 0."), window)
    if window <= 0:
        raise EditError(say("A path is smoothed over a number of seconds above 0."))
    path = _Path(snapshot, life, frames)
    if len(path.at) < 3:
        raise EditError(
            say(
                "Actor {actor} has fewer than three positions in these frames; nothing can be smoothed.",
                actor=life.actor,
            )
        )
    values = np.column_stack((path.poses[:, :3], np.degrees(np.unwrap(np.radians(path.poses[:, 5])))))
    gained = _means(path.times, values, window) - values
    rate = np.gradient(gained, path.times, axis=0)
    motion = path.motion(gained[:, 3], gained[:, :3], rate[:, 3], rate[:, :3])
    return path.moved.edit("smooth_path", N_("Smooth the path of {actors}"), motion, progress, window=window)


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
    need_measures(N_("A path is shifted sideways by a number of metres other than 0."), metres)
    if not metres:
        raise EditError(say("A path is shifted sideways by a number of metres other than 0."))
    path = _Path(snapshot, life, frames)
    weight, rate = (values[path.at] for values in weights(snapshot, path.moved.frames, ease_in, ease_out))
    yaw = np.unwrap(np.radians(path.poses[:, 5]))
    if len(yaw) > 1:
        turning = np.gradient(yaw, path.times)
    else:
        turning = np.zeros(len(yaw))
    right = np.column_stack((-np.sin(yaw), np.cos(yaw)))
    forward = np.column_stack((np.cos(yaw), np.sin(yaw)))
    shift, growth = np.zeros((2, len(yaw), 3))
    shift[:, :2] = metres * CM * weight[:, None] * right
    growth[:, :2] = metres * CM * (rate[:, None] * right - (weight * turning)[:, None] * forward)
    nothing = np.zeros(len(yaw))
    motion = path.motion(nothing, shift, nothing, growth)
    code = N_("Shift {actors} sideways by {metres:g} m")
    return path.moved.edit("offset_path", code, motion, progress, metres=metres, ease_in=ease_in, ease_out=ease_out)


def put_on_lane(
    recording: RecordingLike,
    life: Life,
    frames: range | None,
    xodr: str | Path,
    *,
    ease_in: float = 0.0,
    ease_out: float = 0.0,
    progress: Progress = SILENT,
) -> Edit:
    """The edit that moves each place of a path to the middle of the nearest lane for vehicles, with its heading.

    `xodr` is the road map, an OpenDRIVE file. Who drives against a lane goes on to do so; where the nearest lane
    crosses the path, the change is that between the frames before and after. Heights stay. The velocity of the change
    is added. Easing, EventAdds, attached actors and errors as in `move_actors`; raises `EditError` also for an actor
    without Position or farther than 10 m from every lane, and for a file that cannot be read; `MapError`.
    """
    snapshot = recording.snapshot
    path = _Path(snapshot, life, frames)
    weight = weights(snapshot, path.moved.frames, ease_in, ease_out)[0][path.at]
    try:
        road_map = read_road_map(Path(xodr), progress=progress.part(0.0, 0.5))
    except OSError as error:
        raise EditError(error_sentence(error)) from None
    found = road_map.locate(path.poses[:, :3] / CM)
    if (found["lane"] < 0).any():
        frame = path.moved.frames.start + int(path.at[np.argmax(found["lane"] < 0)]) + 1
        raise EditError(
            say("Actor {actor} is more than 10 m from every lane of {name}.", actor=life.actor, name=road_map.name),
            frame=frame,
        )
    middle = road_map.lane_points(found["lane"], found["s"])
    turn = wrapped(2 * (middle["heading_deg"] - path.poses[:, 5])) / 2
    along = np.flatnonzero(np.abs(turn) <= _CROSSING)
    if not len(along):
        raise EditError(
            say(
                "Actor {actor} drives across the lanes of {name}, not along them.", actor=life.actor, name=road_map.name
            )
        )
    gained = np.column_stack((middle["x"] * CM - path.poses[:, 0], middle["y"] * CM - path.poses[:, 1], turn))
    gained = np.column_stack([np.interp(path.times, path.times[along], column[along]) for column in gained.T])
    gained *= weight[:, None]
    if len(gained) > 1:
        rate = np.gradient(gained, path.times, axis=0)
    else:
        rate = np.zeros_like(gained)
    shift, growth = (np.column_stack((values[:, :2], np.zeros(len(values)))) for values in (gained, rate))
    motion = path.motion(gained[:, 2], shift, rate[:, 2], growth)
    return path.moved.edit(
        "put_on_lane",
        N_("Put {actors} on its lane"),
        motion,
        progress.part(0.5, 1.0),
        xodr=str(xodr),
        ease_in=ease_in,
        ease_out=ease_out,
    )


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
            columns = []
            for name in ("x", "y", "z", "roll", "pitch", "yaw"):
                columns.append(found[name].astype(np.float64))
        poses = np.column_stack(columns)
        finite = np.isfinite(poses[:, [0, 1, 2, 5]]).all(axis=1)
        if not finite.any():
            raise EditError(say("Actor {actor} has no position in these frames.", actor=life.actor))
        self.at = found["frame"][finite].astype(np.int64) - self.moved.frames.start
        self.poses = poses[finite]
        self.times = elapsed_in(snapshot, self.moved.frames)[self.at]

    def motion(self, turn: FloatArray, shift: FloatArray, turn_rate: FloatArray, shift_rate: FloatArray) -> Motion:
        """The motion with these values at the places of the path, about the actor itself; 0 in other frames."""
        points = self._spread(self.poses[:, :2])
        start = self.moved.frames.start

        def pivot(frames: IntArray, lives: IntArray) -> FloatArray:
            return np.asarray(points[frames - start])

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
        return np.asarray(area[before] + level[before] * since + 0.5 * slope * since * since)

    inner = half > 0
    made = values.copy()
    width = 2 * half[inner, None]
    made[inner] = (area_to(times[inner] + half[inner]) - area_to(times[inner] - half[inner])) / width + middle
    return made
