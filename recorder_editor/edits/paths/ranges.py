"""Changes of paths over a range of frames, with easing.

Rigid moves of lives by an offset and a turn, or to a place; one path smoothed, shifted sideways (a change of lanes), or
put on the lanes of a road map.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...arrays import FloatArray, IntArray
from ...errors import EditError, error_sentence
from ...progress import SILENT, Progress
from ...reading import Actors, Life, Tracks
from ...reading.event_index import Transform
from ...reading.rigid import Pose
from ...recording import Edit, RecordingLike, Snapshot
from ...roads import RoadMap, read_road_map
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
    """Return the edit that shifts and turns paths.

    The change grows from 0 and returns to 0 with easing. Velocities are turned with the path, and that of the easing is
    added. A range with the EventAdd moves that, too; actors without Position are moved by the EventAdd, without easing
    (an offset: by the change in the first of the frames; not if the parent is among the lives). Attached actors with a
    Position move along.

    Args:
        recording: The recording, which is not changed.
        lives: The lives to move.
        offset: Shift along the axes of the world, m.
        turn: Turn, degrees.
        frames: Frame indices; None: whole lives.
        pivot: The point to turn about (x, y; m); None: for each path the place of its actor in the first of the frames.
        ease_in: Seconds at the beginning within which the change grows.
        ease_out: Seconds at the end within which it returns to 0.
        progress: Reports progress and cancels.

    Raises:
        EditError: A life is a traffic actor, easing does not fit into the frames, or nothing would move.
    """
    snapshot = recording.snapshot
    numbers = [*offset, turn]
    if pivot is not None:
        numbers.extend(pivot)
    need_measures(N_("A path is moved by numbers of metres and degrees."), *numbers)
    moved = MovedActors(snapshot, lives, frames)
    if pivot is not None:
        point = (centimetres(pivot[0]), centimetres(pivot[1]))
        pivots = _same_pivot(snapshot, point)
    elif turn:
        pivots = _own_pivots(snapshot, moved)
    else:
        pivots = _same_pivot(snapshot, (0.0, 0.0))
    shift = np.array([centimetres(axis) for axis in offset])
    if turn and not any(offset):
        label = N_("Turn {actors}")
    else:
        label = N_("Move {actors}")
    return _rigid(
        moved,
        "move_actors",
        label,
        _RigidMove(shift, turn, pivots),
        ease_in=ease_in,
        ease_out=ease_out,
        progress=progress,
        arguments={"offset": list(offset), "turn": turn, "pivot": list(pivot) if pivot else None},
    )


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
    """Return the edit that moves the first life to a pose in a frame, and the other lives by the same transform.

    Easing and velocities are as in `move_actors`.

    Args:
        recording: The recording, which is not changed.
        lives: The lives to move.
        at: Index of the frame.
        location: The place of the first life in that frame (x, y, z; m); None: unchanged.
        yaw: Its heading there, degrees; None: unchanged.
        frames: Frame indices of the paths that are moved; None: whole lives.
        ease_in: Seconds at the beginning within which the change grows.
        ease_out: Seconds at the end within which it returns to 0.
        progress: Reports progress and cancels.

    Raises:
        EditError: As `move_actors`; also if the first life is not alive in that frame, or has no finite pose there.
    """
    snapshot = recording.snapshot
    numbers = [value for value in (*location, yaw) if value is not None]
    need_measures(N_("A position is numbers of metres, a heading a number of degrees."), *numbers)
    if not numbers:
        raise EditError(say("No position and no heading is given."))
    moved = MovedActors(snapshot, lives, frames, mount_frame=at)
    first = lives[0]
    pose = _pose_to_place(snapshot, moved, at)
    shift = np.zeros(3)
    for axis, metres in enumerate(location):
        if metres is not None:
            shift[axis] = centimetres(metres) - float(pose[axis])
    turn = 0.0
    if yaw is not None:
        turn = yaw - float(pose[5])
    is_finite = bool(np.isfinite(shift).all()) and math.isfinite(turn)
    if turn and not np.isfinite(pose[:2]).all():
        is_finite = False
    if not is_finite:
        raise EditError(
            say(
                "Actor {actor} has no finite position and heading in frame {at}, so its path cannot be moved.",
                actor=first.actor,
                at=at + 1,
            ),
            frame=at + 1,
        )
    return _rigid(
        moved,
        "place_actors",
        N_("Place {actors}"),
        _RigidMove(shift, turn, _same_pivot(snapshot, pose[:2])),
        ease_in=ease_in,
        ease_out=ease_out,
        progress=progress,
        arguments={"at": moment(snapshot, at), "location": list(location), "yaw": yaw},
    )


def _pose_to_place(snapshot: Snapshot, moved: MovedActors, frame_index: int) -> Pose:
    """Return the pose of the first life in a frame, float64[6], cm and degrees.

    Raises:
        EditError: It is not alive in that frame, or the frame is not among those that are moved.
    """
    first = moved.lives[0]
    state = None
    if 0 <= frame_index < len(snapshot):
        state = Actors.of(snapshot).world_at(frame_index).state_of(first.actor)
    frame = frame_index + 1
    if state is None or state.life.index != first.index:
        raise EditError(say("Actor {actor} is not alive in frame {at}.", actor=first.actor, at=frame), frame=frame)
    if frame_index not in moved.frames and first.index not in moved.without_position:
        raise EditError(say("Frame {at} is not among the frames that are to be moved.", at=frame), frame=frame)
    if _is_placed_by_event_add(moved, first):
        return np.array(first.transform, np.float64)
    return np.array(state.transform, np.float64)


def _is_placed_by_event_add(moved: MovedActors, life: Life) -> bool:
    """Return whether only the EventAdd of a life says where it is, by a place in the world."""
    return life.index in moved.without_position and life.index not in moved.mounts


class _RigidMove(NamedTuple):
    """A shift and a turn of whole paths.

    Attributes:
        shift: x, y, z; cm.
        turn: Degrees.
        pivots: The points that lives are turned about (x, y; cm), by index of the life, shape (lives, 2).
    """

    shift: FloatArray
    turn: float
    pivots: FloatArray


def _rigid(
    moved: MovedActors,
    operation: str,
    label: str,
    move: _RigidMove,
    *,
    ease_in: float,
    ease_out: float,
    progress: Progress,
    arguments: Mapping[str, Any],
) -> Edit:
    """Return the edit by a rigid move, with easing; lives at rest are moved without it."""

    def pivot(frames: IntArray, lives: IntArray) -> FloatArray:
        return np.asarray(move.pivots[lives])

    weight, rate = weights(moved.snapshot, moved.frames, ease_in, ease_out)
    motion = Motion(
        first=moved.frames.start,
        turn=weight * move.turn,
        shift=weight[:, None] * move.shift,
        turn_rate=rate * move.turn,
        shift_rate=rate[:, None] * move.shift,
        pivot=pivot,
    )
    at_rest = Motion(
        first=None,
        turn=np.array([move.turn]),
        shift=move.shift[None],
        turn_rate=np.zeros(1),
        shift_rate=np.zeros((1, 3)),
        pivot=pivot,
    )
    return moved.edit(
        operation, label, motion, progress, at_rest=at_rest, **arguments, ease_in=ease_in, ease_out=ease_out
    )


def weights(snapshot: Snapshot, frames: range, ease_in: float, ease_out: float) -> tuple[FloatArray, FloatArray]:
    """Return the weight of a change in each frame, and its rate, as `eased`.

    Args:
        snapshot: The recording.
        frames: Frame indices, n of them.
        ease_in: Seconds at the beginning within which the change grows.
        ease_out: Seconds at the end within which it returns to 0.

    Returns:
        Weights, 0 to 1, and rates (1/s), shape (n,) each.

    Raises:
        EditError: Easing is invalid or does not fit, or times do not rise.
    """
    need_measures(N_("A change is eased over a number of seconds."), ease_in, ease_out)
    if ease_in < 0 or ease_out < 0:
        raise EditError(say("A change is eased over 0 seconds or more."))
    if not ease_in and not ease_out:
        return np.ones(len(frames)), np.zeros(len(frames))
    times = elapsed_in(snapshot, frames)
    span = 0.0
    if len(times):
        span = float(times[-1] - times[0])
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


def _same_pivot(snapshot: Snapshot, point: Sequence[float] | FloatArray) -> FloatArray:
    """Return one point (x, y; cm) as the pivot of all lives, shape (lives, 2)."""
    return np.full((len(Actors.of(snapshot)), 2), point)


def _own_pivots(snapshot: Snapshot, moved: MovedActors) -> FloatArray:
    """Return the place of each actor as its pivot (x, y; cm), shape (lives, 2).

    It is that of the first frame of the range, or of the EventAdd; attached actors have that of their parent.
    """
    actors = Actors.of(snapshot)
    start = moved.frames.start
    transforms: dict[int, Transform] = {}
    if 0 <= start < len(snapshot) and len(moved.frames):
        transforms = {state.life.index: state.transform for state in actors.world_at(start).actors}
    pivots = np.zeros((len(actors), 2))
    chosen = {life.index for life in moved.lives}
    for index in chosen | moved.chosen.spans.keys():
        life = actors.lives[index]
        transform = life.transform
        if not _is_placed_by_event_add(moved, life):
            transform = transforms.get(index, transform)
        pivots[index] = transform[:2]
    for index in moved.chosen.spans.keys() - chosen:
        parent = _chosen_parent(actors, actors.lives[index], chosen, len(moved.chosen.spans))
        if parent is not None:
            pivots[index] = pivots[parent.index]
    return pivots


def _chosen_parent(actors: Actors, life: Life, chosen: Collection[int], most: int) -> Life | None:
    """Return the nearest actor above a life, at most `most` steps up, that is among the chosen indices."""
    parent = actors.parent_of(life)
    for _ in range(most):
        if parent is None or parent.index in chosen:
            return parent
        parent = actors.parent_of(parent)
    return None


# --- shapes of one path ---------------------------------------------------------------------------------

_CROSSING = 45.0
"""Degrees between a path and a lane from which the lane crosses it."""


def smooth_path(
    recording: RecordingLike, life: Life, frames: range | None, window: float, *, progress: Progress = SILENT
) -> Edit:
    """Return the edit that replaces location and heading by their mean over some seconds; roll and pitch stay.

    The mean is that of the interpolated path, weighted by time, so that uneven steps do not matter and steady motion
    does not change. The window is narrower near the ends, so that the first and last frame stay. The velocity of the
    change is added; attached actors with a Position move along.

    Args:
        recording: The recording, which is not changed.
        life: The life.
        frames: Frame indices; None: its whole life.
        window: Width of the window, s, above 0.
        progress: Reports progress and cancels.

    Raises:
        EditError: It is a traffic actor, its path has fewer than three places, or times do not rise.
    """
    snapshot = recording.snapshot
    need_measures(N_("A path is smoothed over a number of seconds above 0."), window)
    if window <= 0:
        raise EditError(say("A path is smoothed over a number of seconds above 0."))
    path = _Path(snapshot, life, frames)
    if len(path.offsets) < 3:
        raise EditError(
            say(
                "Actor {actor} has fewer than three positions in these frames; nothing can be smoothed.",
                actor=life.actor,
            )
        )
    yaw = np.degrees(np.unwrap(np.radians(path.poses[:, 5])))
    values = np.column_stack((path.poses[:, :3], yaw))
    gained = _means(path.times, values, window) - values
    rate = np.gradient(gained, path.times, axis=0)
    motion = path.motion(turn=gained[:, 3], shift=gained[:, :3], turn_rate=rate[:, 3], shift_rate=rate[:, :3])
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
    """Return the edit that shifts a path to the side of its heading, as in a change of lanes.

    Headings stay. The velocity of the shift is added, in curves too. Easing, EventAdds and attached actors are as in
    `move_actors`.

    Args:
        recording: The recording, which is not changed.
        life: The life.
        frames: Frame indices; None: its whole life.
        metres: How far to the right; below 0: to the left.
        ease_in: Seconds at the beginning within which the shift grows.
        ease_out: Seconds at the end within which it returns to 0.
        progress: Reports progress and cancels.

    Raises:
        EditError: As `move_actors`; also for an actor without Position.
    """
    snapshot = recording.snapshot
    need_measures(N_("A path is shifted sideways by a number of metres other than 0."), metres)
    if not metres:
        raise EditError(say("A path is shifted sideways by a number of metres other than 0."))
    path = _Path(snapshot, life, frames)
    weight, rate = weights(snapshot, path.moved.frames, ease_in, ease_out)
    weight = weight[path.offsets]
    rate = rate[path.offsets]
    yaw = np.unwrap(np.radians(path.poses[:, 5]))
    count = len(yaw)
    turning = np.zeros(count)
    if count > 1:
        turning = np.gradient(yaw, path.times)
    right = np.column_stack((-np.sin(yaw), np.cos(yaw)))
    forward = np.column_stack((np.cos(yaw), np.sin(yaw)))
    shift = np.zeros((count, 3))
    shift[:, :2] = metres * CM * weight[:, None] * right
    shift_rate = np.zeros((count, 3))
    shift_rate[:, :2] = metres * CM * (rate[:, None] * right - (weight * turning)[:, None] * forward)
    motion = path.motion(turn=np.zeros(count), shift=shift, turn_rate=np.zeros(count), shift_rate=shift_rate)
    return path.moved.edit(
        "offset_path",
        N_("Shift {actors} sideways by {metres:g} m"),
        motion,
        progress,
        metres=metres,
        ease_in=ease_in,
        ease_out=ease_out,
    )


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
    """Return the edit that moves each place of a path to the middle of the nearest lane for vehicles, with its heading.

    An actor that drives against a lane goes on to do so; where the nearest lane crosses the path, the change is that
    between the frames before and after. Heights stay. The velocity of the change is added. Easing, EventAdds and
    attached actors are as in `move_actors`.

    Args:
        recording: The recording, which is not changed.
        life: The life.
        frames: Frame indices; None: its whole life.
        xodr: The road map, an OpenDRIVE file.
        ease_in: Seconds at the beginning within which the change grows.
        ease_out: Seconds at the end within which it returns to 0.
        progress: Reports progress and cancels.

    Raises:
        EditError: As `move_actors`; also for an actor without Position or farther than 10 m from every lane, and for a
            file that cannot be read.
        MapError: The file is not a road map.
    """
    snapshot = recording.snapshot
    path = _Path(snapshot, life, frames)
    weight = weights(snapshot, path.moved.frames, ease_in, ease_out)[0][path.offsets]
    try:
        road_map = read_road_map(Path(xodr), progress=progress.part(0.0, 0.5))
    except OSError as error:
        raise EditError(error_sentence(error)) from None
    gained = _to_lanes(path, road_map) * weight[:, None]
    rate = np.zeros_like(gained)
    if len(gained) > 1:
        rate = np.gradient(gained, path.times, axis=0)
    level = np.zeros(len(gained))
    motion = path.motion(
        turn=gained[:, 2],
        shift=np.column_stack((gained[:, :2], level)),
        turn_rate=rate[:, 2],
        shift_rate=np.column_stack((rate[:, :2], level)),
    )
    return path.moved.edit(
        "put_on_lane",
        N_("Put {actors} on its lane"),
        motion,
        progress.part(0.5, 1.0),
        xodr=str(xodr),
        ease_in=ease_in,
        ease_out=ease_out,
    )


def _to_lanes(path: "_Path", road_map: RoadMap) -> FloatArray:
    """Return what brings each place of a path to the middle of its lane: x, y (cm) and turn (degrees), shape (n, 3).

    Raises:
        EditError: A place is farther than 10 m from every lane, or the path crosses all lanes.
    """
    (life,) = path.moved.lives
    located = road_map.locate(path.poses[:, :3] / CM)
    is_off = located["lane"] < 0
    if is_off.any():
        frame = path.moved.frames.start + int(path.offsets[np.argmax(is_off)]) + 1
        raise EditError(
            say("Actor {actor} is more than 10 m from every lane of {name}.", actor=life.actor, name=road_map.name),
            frame=frame,
        )
    middle = road_map.lane_points(located["lane"], located["s"])
    # Of the two directions of a lane the nearer one.
    turn = wrapped(2 * (middle["heading_deg"] - path.poses[:, 5])) / 2
    along = np.flatnonzero(np.abs(turn) <= _CROSSING)
    if not len(along):
        raise EditError(
            say(
                "Actor {actor} drives across the lanes of {name}, not along them.", actor=life.actor, name=road_map.name
            )
        )
    gained = np.column_stack((middle["x"] * CM - path.poses[:, 0], middle["y"] * CM - path.poses[:, 1], turn))
    times_along = path.times[along]
    return np.column_stack([np.interp(path.times, times_along, column[along]) for column in gained.T])


class _Path:
    """The path of a life in a range of frames: n places.

    Attributes:
        moved: The life, and the records to change.
        offsets: For each place its frame, counted from the first of the range, shape (n,).
        times: Seconds, shape (n,).
        poses: cm and degrees, shape (n, 6).
    """

    def __init__(self, snapshot: Snapshot, life: Life, frames: range | None) -> None:
        """Read the places that are finite.

        Args:
            snapshot: The recording.
            life: The life.
            frames: Frame indices; None: its whole life.

        Raises:
            EditError: It cannot be moved, or has no position in these frames.
        """
        self.moved = MovedActors(snapshot, [life], frames)
        self.moved.refuse_without_path()
        self._count = len(self.moved.frames)
        span = self.moved.chosen.spans.get(life.index, range(0))
        table = Tracks(snapshot).path(life.actor, span)
        with np.errstate(invalid="ignore"):
            columns = [table[name].astype(np.float64) for name in ("x", "y", "z", "roll", "pitch", "yaw")]
        poses = np.column_stack(columns)
        finite = np.isfinite(poses[:, [0, 1, 2, 5]]).all(axis=1)
        if not finite.any():
            raise EditError(say("Actor {actor} has no position in these frames.", actor=life.actor))
        self.offsets = table["frame"][finite].astype(np.int64) - self.moved.frames.start
        self.poses = poses[finite]
        self.times = elapsed_in(snapshot, self.moved.frames)[self.offsets]

    def motion(self, *, turn: FloatArray, shift: FloatArray, turn_rate: FloatArray, shift_rate: FloatArray) -> Motion:
        """Return the motion with these values at the places of the path, about the actor itself; 0 in other frames."""
        points = self._by_frame(self.poses[:, :2])
        start = self.moved.frames.start

        def pivot(frames: IntArray, lives: IntArray) -> FloatArray:
            return np.asarray(points[frames - start])

        return Motion(
            first=start,
            turn=self._by_frame(turn),
            shift=self._by_frame(shift),
            turn_rate=self._by_frame(turn_rate),
            shift_rate=self._by_frame(shift_rate),
            pivot=pivot,
            follows=True,
        )

    def _by_frame(self, values: FloatArray) -> FloatArray:
        """Return values of places by frame of the range; 0 where there is no place."""
        by_frame = np.zeros((self._count, *values.shape[1:]))
        by_frame[self.offsets] = values
        return by_frame


def _means(times: FloatArray, values: FloatArray, window: float) -> FloatArray:
    """Return the mean of each linearly interpolated column about each time.

    Args:
        times: Seconds, rising, shape (n,).
        values: Columns, shape (n, columns).
        window: Width of the window, s.

    Returns:
        Means, shape (n, columns).
    """
    middle = values.mean(axis=0)
    level = values - middle
    steps = np.diff(times)[:, None]
    areas = np.cumsum((level[1:] + level[:-1]) * 0.5 * steps, axis=0)
    area = np.concatenate((np.zeros((1, values.shape[1])), areas))
    half = np.minimum(np.minimum(times - times[0], times[-1] - times), window / 2)

    def area_to(ends: FloatArray) -> FloatArray:
        before = np.clip(times.searchsorted(ends, side="right") - 1, 0, len(times) - 2)
        since = (ends - times[before])[:, None]
        slope = (level[before + 1] - level[before]) / steps[before]
        return np.asarray(area[before] + level[before] * since + 0.5 * slope * since * since)

    inner = half > 0
    means = values.copy()
    width = 2 * half[inner, None]
    means[inner] = (area_to(times[inner] + half[inner]) - area_to(times[inner] - half[inner])) / width + middle
    return means
