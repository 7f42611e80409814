"""Editing a path by its keys: places, headings, velocities, controls and wheels of a life between changed keys.

Steering and pedals are those recorded, and what a plain model of a vehicle with two axles adds for another curvature
and another acceleration.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ...arrays import IndexArray, StructuredArray
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
    """The edit that leads the path of a life by `keys` (JSON objects, see `KeyedPath.from_json`).

    Only frames between a changed key and those beside it change. There the velocities are those of the new places,
    headings turn with the path, roll and pitch stay; wheels, steering, throttle and brake follow; so do attached actors
    with a Position. Raises `EditError` for traffic actors, for keys that cannot be, and if times do not rise;
    `NothingToDo` for keys that are all as recorded.
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
    changed = _EditedPath(MovedActors(snapshot, [life], frames), path)
    code = N_("Edit the path of {actors}")
    return changed.moved.edit("edit_path", code, changed, progress, extra=changed.visit, timed=False, keys=list(keys))


def wheelbase(snapshot: Snapshot, life: Life) -> float:
    """The distance between the axles, m, by the box of a life."""
    box = Actors.of(snapshot).boxes.get(life.index)
    if box is not None:
        half = box.extent[0] / CM
    else:
        half = np.nan
    return _WHEELBASE * (2 * half if 0.1 < half < 20.0 else _LENGTH)


class _EditedPath(FollowedPath):
    """The change of a life whose path has keys. Raises `NothingToDo` if it is nowhere else."""

    def __init__(self, moved: MovedActors, path: KeyedPath) -> None:
        times, (life,) = elapsed_in(moved.snapshot, moved.frames), moved.lives
        motion = path.motion(times)
        super().__init__(moved, moved.frames, times, motion["path"], motion["ratio"])
        self.after[:, :2] += motion["shift"] * CM
        turned = motion["turn"] != 0.0
        self.after[turned, 5] = wrapped(self.after[turned, 5] + motion["turn"][turned])
        moves = self.settle()
        if not moves.any():
            raise NothingToDo(say("Actor {actor} is where it was with these keys.", actor=life.actor))
        poses = np.column_stack((self.after[:, :3] / CM, self.after[:, 5]))
        (here,) = np.nonzero(np.isfinite(poses).all(axis=1))
        velocities = rates(poses[here], times[here])
        dx, dy = np.diff(poses[here, :2] * CM, axis=0).T
        jumps = steps(dx, dy, np.diff(times[here]))[2]
        driven = ~(np.append(jumps, False) | np.append(False, jumps))
        self.velocity_after[np.ix_(here[driven], (0, 1, 2, 5))] = velocities[driven]
        self.velocity_after[~moves] = self.velocity_before[~moves]
        yaw = np.radians(self.before[:, 5])
        direction = np.gradient(self.before[:, :2], times, axis=0).T
        sense = np.where(direction[0] * np.cos(yaw) + direction[1] * np.sin(yaw) < 0, -1.0, 1.0)
        angles = np.degrees(np.arctan(motion["bends"] * wheelbase(moved.snapshot, life)))
        self._steering = sense * (angles[:, 1] - angles[:, 0])
        recorded = path.recorded
        pushes = np.gradient(recorded.speeds, recorded.times)
        speed, rate = (np.interp(motion["path"], recorded.times, each) for each in (recorded.speeds, pushes))
        self._push = np.where(moves, np.gradient(speed * self.ratio, times) - rate, 0.0)
        self._stands = self.ratio < _STANDING
        # The wheels turn by whole turns more at the end, so that those of the frames after it fit.
        seconds = np.gradient(times)
        way, further = (
            np.cumsum(each * seconds) for each in (speed * self.ratio, speed * (self.ratio - motion["pace"]))
        )
        turns = further / (2 * np.pi * _RADIUS)
        turns += (np.round(turns[-1]) - turns[-1]) * way / max(way[-1], 1e-9)
        self._turns = np.where(moves, 360.0 * turns, 0.0)

    def control(self, table: StructuredArray, at: IndexArray) -> None:
        """Steer for the curvature; throttle or brake for the acceleration, and brake where it stands."""
        push = self._push[at]
        steering = self._steering[at] / MAX_STEERING
        table["steering"] = np.where(steering, np.clip(table["steering"] + steering, -1.0, 1.0), table["steering"])
        wanted = THROTTLE * table["throttle"] - BRAKE * table["brake"] + push
        wanted[self._stands[at]] = -BRAKE
        pressed = (push != 0.0) | self._stands[at]
        for name, full in (("throttle", THROTTLE), ("brake", -BRAKE)):
            table[name] = np.where(pressed, np.clip(wanted / full, 0.0, 1.0), table[name])

    def change(self, kind: PacketType, records: Bytes, at: IndexArray) -> None:
        """Steer and turn the wheels of records of AnimVehicleWheels."""
        if kind.name == "AnimVehicleWheels":
            place, wheels = elements_of(kind, records, "wheels")
            front = (wheels["location"] == 0) | ((wheels["location"] == 1) & (wheels.shape[1] > 2))
            wheels["steering"] += np.where(front, self._steering[at, None], 0.0).astype("<f4")
            wheels["rotation"] -= self._turns[at, None].astype("<f4")
            records[:, place] = wheels.view(np.uint8)
