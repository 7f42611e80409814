"""Editing a path by its keys: places, headings, velocities, controls and wheels of a life between changed keys.

Steering and pedals are those recorded, and what a plain model of a vehicle with two axles adds for another curvature
and another acceleration.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ...arrays import BoolArray, FloatArray, IndexArray, StructuredArray
from ...errors import NothingToDo
from ...format import PacketType
from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...reading.motion import steps
from ...recording import Bytes, Edit, RecordingLike, Snapshot
from ...texts import N_, say
from ..records import elements_of
from .followed import FollowedPath
from .keyed import KeyedPath, RecordedPath
from .motion import CM, rates, wrapped
from .moved_actors import MovedActors, elapsed_in

MAX_STEERING = 70.0
"""The angle of the wheels at a steering of 1, degrees."""

THROTTLE = 5.0
BRAKE = 8.0
"""What full throttle and full brakes add to the acceleration, m/s²."""

_WHEELBASE = 0.6  # of the length of the box
_LENGTH = 4.7  # m, of a car without a box
_RADIUS = 0.36  # m, of a wheel
_STANDING = 0.02  # of the recorded speed


@np.errstate(all="ignore")  # files may hold any number
def edit_path(
    recording: RecordingLike, life: Life, keys: Sequence[Mapping[str, object]], *, progress: Progress = SILENT
) -> Edit:
    """Return the edit that leads the path of a life by keys.

    Only frames between a changed key and those beside it change. There the velocities are those of the new places,
    headings turn with the path, roll and pitch stay; wheels, steering, throttle and brake follow; so do attached actors
    with a Position.

    Args:
        recording: The recording, which is not changed.
        life: The life.
        keys: JSON objects, see `KeyedPath.from_json`.
        progress: Reports progress and cancels.

    Raises:
        EditError: It is a traffic actor or has no Position, keys are not possible, or times do not rise.
        NothingToDo: The keys are all as recorded.
    """
    snapshot = recording.snapshot
    MovedActors(snapshot, [life], None).refuse_without_path()
    path = KeyedPath.from_json(RecordedPath.of(snapshot, life), keys)
    times = elapsed_in(snapshot, life.within(range(len(snapshot))))
    span = path.span
    if span is None:
        raise NothingToDo(say("The keys of actor {actor} are as it was recorded.", actor=life.actor))
    first, stop = np.searchsorted(times, span, side="right").tolist()
    # With a frame on either side, since the velocity in a frame is that from the one before to the one after.
    frames = range(life.born + max(0, first - 2), life.born + min(len(times), stop + 1))
    moved = MovedActors(snapshot, [life], frames)
    edited = _EditedPath(moved, path)
    return moved.edit(
        "edit_path",
        N_("Edit the path of {actors}"),
        edited,
        progress,
        change_block=edited.visit,
        timed=False,
        keys=list(keys),
    )


def wheelbase(snapshot: Snapshot, life: Life) -> float:
    """Return the distance between the axles (m), by the box of a life."""
    length = _LENGTH
    box = Actors.of(snapshot).boxes.get(life.index)
    if box is not None:
        half = box.extent[0] / CM
        if 0.1 < half < 20.0:
            length = 2 * half
    return _WHEELBASE * length


class _EditedPath(FollowedPath):
    """The change of a life by a path with keys."""

    def __init__(self, moved: MovedActors, path: KeyedPath) -> None:
        """Prepare the change; raises `NothingToDo` if the actor is nowhere else."""
        times = elapsed_in(moved.snapshot, moved.frames)
        (life,) = moved.lives
        motion = path.motion(times)
        super().__init__(moved, moved.frames, times, path=motion["path"], ratio=motion["ratio"])
        self.after[:, :2] += motion["shift"] * CM
        turned = motion["turn"] != 0.0
        self.after[turned, 5] = wrapped(self.after[turned, 5] + motion["turn"][turned])
        moves = self.settle()
        if not moves.any():
            raise NothingToDo(say("Actor {actor} is where it was with these keys.", actor=life.actor))
        self._compute_velocities(moves)
        self._steering = self._added_steering(motion, wheelbase(moved.snapshot, life))
        recorded = path.recorded
        speed = np.interp(motion["path"], recorded.times, recorded.speeds)
        recorded_push = np.interp(motion["path"], recorded.times, np.gradient(recorded.speeds, recorded.times))
        self._push = np.where(moves, np.gradient(speed * self.ratio, times) - recorded_push, 0.0)
        self._stands = self.ratio < _STANDING
        turns = self._added_turns(speed, motion["pace"])
        self._turns = np.where(moves, 360.0 * turns, 0.0)

    def _compute_velocities(self, moves: BoolArray) -> None:
        """Set the velocities of frames that move to those of the new places, except at jumps."""
        poses = np.column_stack((self.after[:, :3] / CM, self.after[:, 5]))
        here = np.flatnonzero(np.isfinite(poses).all(axis=1))
        times = self.times[here]
        velocities = rates(poses[here], times)
        dx, dy = np.diff(poses[here, :2] * CM, axis=0).T
        _, _, jumps = steps(dx, dy, np.diff(times))
        driven = ~(np.append(jumps, False) | np.append(False, jumps))
        self.velocity_after[np.ix_(here[driven], (0, 1, 2, 5))] = velocities[driven]
        self.velocity_after[~moves] = self.velocity_before[~moves]

    def _added_steering(self, motion: StructuredArray, wheelbase: float) -> FloatArray:
        """Return the angles (degrees) that the front wheels steer more, by the curvatures; negated when it reverses."""
        yaw = np.radians(self.before[:, 5])
        dx, dy = np.gradient(self.before[:, :2], self.times, axis=0).T
        sense = np.where(dx * np.cos(yaw) + dy * np.sin(yaw) < 0, -1.0, 1.0)
        angles = np.degrees(np.arctan(motion["bends"] * wheelbase))
        return np.asarray(sense * (angles[:, 1] - angles[:, 0]))

    def _added_turns(self, speed: FloatArray, pace: FloatArray) -> FloatArray:
        """Return how often the wheels have turned more than recorded, at each frame.

        At the end these are whole turns, so that the wheels of the frames after it fit.

        Args:
            speed: Recorded speed at the place of each frame, m/s.
            pace: Pace of each frame.
        """
        seconds = np.gradient(self.times)
        distance = np.cumsum(speed * self.ratio * seconds)
        added_distance = np.cumsum(speed * (self.ratio - pace) * seconds)
        turns = added_distance / (2 * np.pi * _RADIUS)
        turns += (np.round(turns[-1]) - turns[-1]) * distance / max(distance[-1], 1e-9)
        return np.asarray(turns)

    def control(self, table: StructuredArray, index: IndexArray) -> None:
        """Steer for the curvature; throttle or brake for the acceleration, and brake where it stands."""
        push = self._push[index]
        stands = self._stands[index]
        steering = self._steering[index] / MAX_STEERING
        table["steering"] = np.where(steering, np.clip(table["steering"] + steering, -1.0, 1.0), table["steering"])
        acceleration = THROTTLE * table["throttle"] - BRAKE * table["brake"] + push
        acceleration[stands] = -BRAKE
        is_changed = (push != 0.0) | stands
        for name, full in (("throttle", THROTTLE), ("brake", -BRAKE)):
            table[name] = np.where(is_changed, np.clip(acceleration / full, 0.0, 1.0), table[name])

    def change(self, kind: PacketType, records: Bytes, index: IndexArray) -> None:
        """Steer and turn the wheels of records of AnimVehicleWheels."""
        if kind.name == "AnimVehicleWheels":
            place, wheels = elements_of(kind, records, "wheels")
            front = (wheels["location"] == 0) | ((wheels["location"] == 1) & (wheels.shape[1] > 2))
            wheels["steering"] += np.where(front, self._steering[index, None], 0.0).astype("<f4")
            wheels["rotation"] -= self._turns[index, None].astype("<f4")
            records[:, place] = wheels.view(np.uint8)
