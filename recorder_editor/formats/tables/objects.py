"""The table of objects: one row a frame and road user, in the units and axes that data sets have.

Metres, seconds and radians; the axes are those of OpenDRIVE and OSI unless those of the simulator are asked for. What
is not known or not finite is missing.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray, IndexArray, Int32Array, IntArray, StructuredArray
from ...edits.rows import frames_with
from ...format import Field
from ...progress import Progress
from ...reading import Actors, Subset, Tracks
from ...reading.lanes import LanePlaces
from ...reading.motion import (
    accelerations_between,
    last_in_frame,
    matching_rows,
    motion_between,
    neighbours_of,
    rows_in,
)
from ...reading.right_handed import Poses, centre_poses, mirrored, points_at, recorded_poses, right_handed
from ...reading.tracks import COLUMNS
from ...recording import Snapshot
from ...roads import RoadMap
from ...texts import N_, say
from ..road_user_boxes import RoadUserBoxes
from .table import ACTOR_COLUMNS, TIME_COLUMNS, ActorNames, FrameTimes, Table
from .values import DictionaryColumn, TableBlock, Values, or_nothing, text_column, with_missing

OBJECTS = "objects"

Axes = Literal["right-handed", "simulator"]


class ObjectChoices(NamedTuple):
    """What may be chosen of the table.

    Attributes:
        axes: Its axes.
        has_corners: Whether it has the corners of the boxes.
        has_lanes: Whether it has the lanes, if a road map is known.
    """

    axes: Axes = "right-handed"
    has_corners: bool = False
    has_lanes: bool = True


AS_OPENDRIVE = ObjectChoices()
"""The usual choices."""

_ROWS = 1 << 17
"""Rows of a block, about."""

_MOTION_FROM = ("recorded", "positions", "")

_REACH = 2
"""Frames before and after a row that its acceleration depends on: of velocities one, of positions one more."""

# --- columns ----------------------------------------------------------------------------------------------

_FRAME, _, _TIME = TIME_COLUMNS
_ID, _BLUEPRINT, _ROLE = ACTOR_COLUMNS

_FIRST_COLUMNS = (
    _TIME,
    _FRAME,
    _ID,
    _ROLE,
    _BLUEPRINT,
    Field("type", "str", N_("Type of the object by ASAM OSI: VEHICLE or PEDESTRIAN")),
    Field("subtype", "str", N_("Type of the vehicle by ASAM OSI, as CAR or BICYCLE; empty for pedestrians")),
    Field("x", "f64", N_("Middle of the box, world: X, as recorded"), unit="m"),
)
_Y_COLUMNS: Mapping[Axes, Field] = {
    "right-handed": Field("y", "f64", N_("Middle of the box, world: Y, minus the recorded one"), unit="m"),
    "simulator": Field("y", "f64", N_("Middle of the box, world: Y, as recorded"), unit="m"),
}
_MOTION_COLUMNS = (
    Field("z", "f64", N_("Middle of the box, world: Z, up"), unit="m"),
    Field("vel_x", "f64", N_("Velocity along X; nothing where unknown"), unit="m/s"),
    Field("vel_y", "f64", N_("Velocity along Y; nothing where unknown"), unit="m/s"),
    Field("vel_z", "f64", N_("Velocity along Z; nothing where unknown"), unit="m/s"),
    Field("acc_x", "f64", N_("Acceleration along X, by the velocities before and after"), unit="m/s²"),
    Field("acc_y", "f64", N_("Acceleration along Y, by the velocities before and after"), unit="m/s²"),
    Field("acc_z", "f64", N_("Acceleration along Z, by the velocities before and after"), unit="m/s²"),
)
_ROTATION_COLUMNS: Mapping[Axes, tuple[Field, ...]] = {
    "right-handed": (
        Field("yaw", "f64", N_("Rotation about Z, counter-clockwise from above, -π to π"), unit="rad"),
        Field("pitch", "f64", N_("Rotation about Y, nose down"), unit="rad"),
        Field("roll", "f64", N_("Rotation about X, right side down"), unit="rad"),
        Field("yaw_rate", "f64", N_("Rate of turn, counter-clockwise"), unit="rad/s"),
    ),
    "simulator": (
        Field("yaw", "f64", N_("Rotation about Z, clockwise from above, -π to π"), unit="rad"),
        Field("pitch", "f64", N_("Rotation about Y, nose up"), unit="rad"),
        Field("roll", "f64", N_("Rotation about X, right side down"), unit="rad"),
        Field("yaw_rate", "f64", N_("Rate of turn, clockwise"), unit="rad/s"),
    ),
}
_SIZE_COLUMNS = (
    Field("length", "f64", N_("Length of the box"), unit="m"),
    Field("width", "f64", N_("Width of the box"), unit="m"),
    Field("height", "f64", N_("Height of the box"), unit="m"),
    Field("sizes_from", "str", N_("Where the size is from: recorded, catalogue (its blueprint) or class")),
    Field("motion_from", "str", N_("Where velocity and rate of turn are from: recorded or positions; else empty")),
)
_LANE_COLUMNS = (
    Field("road_id", "i64", N_("Id of the road in the map")),
    Field("lane_id", "i32", N_("Id of the lane; positive to the left of the road's reference line")),
    Field("s", "f64", N_("Distance along the reference line of the road"), unit="m"),
)
_LANE_PLACE_COLUMNS: Mapping[Axes, tuple[Field, ...]] = {
    "right-handed": (
        Field("offset", "f64", N_("From the middle of the lane, to the left in driving direction positive"), unit="m"),
        Field("heading_error", "f64", N_("Heading minus that of the lane, counter-clockwise, -π to π"), unit="rad"),
    ),
    "simulator": (
        Field("offset", "f64", N_("From the middle of the lane, to the right in driving direction positive"), unit="m"),
        Field("heading_error", "f64", N_("Heading minus that of the lane, clockwise, -π to π"), unit="rad"),
    ),
}

_CORNERS = (
    ("front_left_bottom", (1, -1, -1)),
    ("front_right_bottom", (1, 1, -1)),
    ("rear_right_bottom", (-1, 1, -1)),
    ("rear_left_bottom", (-1, -1, -1)),
    ("front_left_top", (1, -1, 1)),
    ("front_right_top", (1, 1, 1)),
    ("rear_right_top", (-1, 1, 1)),
    ("rear_left_top", (-1, -1, 1)),
)
"""The corners of a box, and the sides that they are on: forward, right, up."""


def _columns(roads: RoadMap | None, choices: ObjectChoices) -> tuple[Field, ...]:
    axes = choices.axes
    columns = [*_FIRST_COLUMNS, _Y_COLUMNS[axes], *_MOTION_COLUMNS, *_ROTATION_COLUMNS[axes], *_SIZE_COLUMNS]
    if roads is not None:
        columns.extend(_LANE_COLUMNS)
        columns.extend(_LANE_PLACE_COLUMNS[axes])
    if choices.has_corners:
        for corner, _ in _CORNERS:
            for axis in ("x", "y", "z"):
                columns.append(Field(f"{corner}_{axis}", "f64", N_("Corner of the box, world"), unit="m"))
    return tuple(columns)


# --- the table --------------------------------------------------------------------------------------------


def objects_table(snapshot: Snapshot, choices: ObjectChoices) -> Table:
    """Return the table of road users in every frame, with their lanes if a road map is known.

    Args:
        snapshot: The state of the recording.
        choices: Axes, and which columns there are.
    """

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        reader = _Reader(snapshot, choices, progress)
        done = 0
        for frames in _portions(Tracks(snapshot), subset.frames):
            yield reader.block(subset, frames)
            done += len(frames)
            progress.update(done, len(subset.frames))

    def find_frames(frames: range) -> IntArray:
        kind = snapshot.dialect.by_name(COLUMNS["positions"][0])
        if kind is None:
            return np.zeros(0, np.int64)
        return frames_with(snapshot, kind, frames)

    return Table(
        name=OBJECTS,
        meaning=say("Road users for data sets, in SI units: boxes, motion and types"),
        columns=_columns(_roads_of(snapshot, choices), choices),
        read=read,
        find_frames=find_frames,
    )


def _roads_of(snapshot: Snapshot, choices: ObjectChoices) -> RoadMap | None:
    """Return the road map of which there are lanes; None: there are none."""
    if choices.has_lanes:
        return snapshot.roads
    return None


def _portions(tracks: Tracks, frames: range) -> Iterator[range]:
    """Yield frames in portions that have about as many positions as a block has rows, and not many more."""
    records = max(1, tracks.count("positions", frames))
    usual = max(1, _ROWS * len(frames) // records)
    while frames:
        portion = frames[:usual]
        while len(portion) > 1 and tracks.count("positions", portion) > 2 * _ROWS:
            portion = portion[: len(portion) // 2]
        yield portion
        frames = frames[len(portion) :]


class _Motion(NamedTuple):
    """How rows of a table of positions move, in the simulator's axes; NaN where it is unknown.

    Attributes:
        velocity: m/s, float64[3, n].
        acceleration: m/s², float64[3, n].
        turn: Radians/s, float64[n].
        is_recorded: Whether velocity and turn are recorded, bool[n].
    """

    velocity: FloatArray
    acceleration: FloatArray
    turn: FloatArray
    is_recorded: BoolArray

    def take(self, rows: slice | IndexArray) -> "_Motion":
        """Return that of some of the rows."""
        return _Motion(
            velocity=self.velocity[:, rows],
            acceleration=self.acceleration[:, rows],
            turn=self.turn[rows],
            is_recorded=self.is_recorded[rows],
        )


class _Reader:
    """Reads blocks of rows."""

    def __init__(self, snapshot: Snapshot, choices: ObjectChoices, progress: Progress) -> None:
        self._roads = _roads_of(snapshot, choices)
        self._elapsed = snapshot.elapsed
        self._is_right_handed = choices.axes == "right-handed"
        self._has_corners = choices.has_corners
        self._tracks = Tracks(snapshot)
        self._actors = Actors.of(snapshot, progress.quiet())
        self._times = FrameTimes(snapshot)
        self._names = ActorNames(snapshot)
        self._boxes = RoadUserBoxes(self._actors)
        self._types = text_column(type_.type for type_ in self._boxes.types)
        self._subtypes = text_column(type_.subtype for type_ in self._boxes.types)
        self._sizes_from = text_column(self._boxes.sizes_from)

    def block(self, subset: Subset, frames: range) -> TableBlock:
        """Return the rows of some frames of a subset."""
        around = last_in_frame(self._tracks.around(subset.ids, frames, _REACH))
        lives = self._actors.indices_of(around["id"], around["frame"])
        is_user = self._boxes.is_road_user[lives]
        if not is_user.all():
            around = around[is_user]
            lives = lives[is_user]
        rows = rows_in(around, frames)
        if subset.spans is not None:
            chosen = subset.mask(around["id"][rows], around["frame"][rows])
            rows = np.arange(len(around))[rows][chosen]
        motion = self._motion(around, subset.ids, frames).take(rows)
        placed = around[rows]
        lives = lives[rows]
        boxes = centre_poses(recorded_poses(placed), self._boxes.centres[:, lives])
        values: list[Values] = []
        values.extend(self._identity(placed, lives))
        values.extend(self._pose_and_motion(boxes, motion))
        values.extend(self._sizes(lives))
        values.append(_motion_from(motion))
        if self._roads is not None:
            values.extend(self._lanes(self._roads, placed))
        if self._has_corners:
            values.extend(self._corners(boxes, lives))
        return TableBlock(len(placed), tuple(values))

    def _motion(self, around: StructuredArray, ids: tuple[int, ...] | None, frames: range) -> _Motion:
        """Return how the rows of a table move, of which those in the frames have all that they depend on."""
        moved = last_in_frame(self._tracks.around(ids, frames, _REACH, "kinematics"))
        neighbours = neighbours_of(around, self._elapsed)
        velocity = np.full((3, len(around)), np.nan)
        turn = np.full(len(around), np.nan)
        rows, found = matching_rows(around, moved)
        with np.errstate(invalid="ignore"):  # a file may hold signalling NaN
            for axis, column in enumerate(("vx", "vy", "vz")):
                velocity[axis, rows] = moved[column][found]
            turn[rows] = moved["wz"][found]
        is_recorded = np.isfinite(velocity).all(axis=0) & np.isfinite(turn)
        if not is_recorded.all():
            by_position = motion_between(around, neighbours)
            velocity = np.where(is_recorded, velocity, by_position.velocity)
            turn = np.where(is_recorded, turn, by_position.turn)
        acceleration = accelerations_between(velocity, neighbours)
        return _Motion(velocity, acceleration, np.radians(turn), is_recorded)

    def _identity(self, placed: StructuredArray, lives: Int32Array) -> Iterator[Values]:
        """Yield the columns that tell when, who and what."""
        frame, _, time = self._times.columns(placed["frame"])
        ids = np.ascontiguousarray(placed["id"])
        blueprint, role = self._names.of_lives(lives)
        yield time
        yield frame
        yield ids
        yield role
        yield blueprint
        yield DictionaryColumn(self._types.values, self._types.codes[lives])
        yield DictionaryColumn(self._subtypes.values, self._subtypes.codes[lives])

    def _sided(self, values: FloatArray) -> FloatArray:
        """Return values that have the other sign in right-handed axes."""
        if self._is_right_handed:
            return mirrored(values)
        return values

    def _pose_and_motion(self, boxes: Poses, motion: _Motion) -> Iterator[Values]:
        """Yield the columns of position, velocity, acceleration and rotation."""
        poses = right_handed(boxes) if self._is_right_handed else boxes
        yield _known(poses.x)
        yield _known(poses.y)
        yield _known(poses.z)
        for x, y, z in (motion.velocity, motion.acceleration):
            yield _known(x)
            yield _known(self._sided(y))
            yield _known(z)
        yield _known(poses.yaw)
        yield _known(poses.pitch)
        yield _known(poses.roll)
        yield _known(self._sided(motion.turn))

    def _sizes(self, lives: Int32Array) -> Iterator[Values]:
        """Yield the columns of the size."""
        for sizes in self._boxes.sizes:
            yield DictionaryColumn(sizes, lives)
        yield DictionaryColumn(self._sizes_from.values, self._sizes_from.codes[lives])

    def _lanes(self, roads: RoadMap, placed: StructuredArray) -> Iterator[Values]:
        """Yield the columns of the lane, by the positions of the actors as the table of lanes has it."""
        places = LanePlaces.of(roads, placed)
        lane = places.locations["lane"]
        codes = np.where(lane >= 0, lane, len(roads.lanes)).astype(np.int32)
        yield DictionaryColumn(with_missing(roads.lanes["road_id"]), codes)
        yield DictionaryColumn(with_missing(roads.lanes["lane_id"]), codes)
        yield _known(places.locations["s"])
        yield _known(self._sided(places.locations["offset"]))
        yield _known(self._sided(np.radians(places.heading_error)))

    def _corners(self, boxes: Poses, lives: Int32Array) -> Iterator[Values]:
        """Yield the columns of the corners."""
        half = self._boxes.sizes[:, lives] / 2
        for _, sides in _CORNERS:
            x, y, z = points_at(boxes, half * np.array(sides)[:, None])
            yield _known(x)
            yield _known(self._sided(y))
            yield _known(z)


def _known(values: FloatArray) -> Values:
    """Return a column in which what is not finite is missing."""
    finite = np.isfinite(values)
    if finite.all():
        return np.ascontiguousarray(values)
    return or_nothing(np.where(finite, values, np.nan))


def _motion_from(motion: _Motion) -> DictionaryColumn:
    """Return the column that tells where the motion is from."""
    codes = np.where(np.isfinite(motion.velocity).all(axis=0), 1, 2)
    codes[motion.is_recorded] = 0
    return DictionaryColumn(_MOTION_FROM, codes.astype(np.int32))
