"""Derived tables: positions with speed, controls, lights by name, collisions, actors; all of them in order.

Derived values are in metres, degrees and seconds, and do not depend on how a recording is divided into blocks.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arrays import FloatArray, IntArray, StructuredArray
from ...edits.rows import frames_with
from ...format import LIGHT_STATES, VEHICLE_LIGHTS, Field
from ...format.packets import Real
from ...progress import Progress
from ...reading import Actors, Life, Subset, Tracks
from ...reading.actors import NO_ACTOR
from ...reading.motion import last_in_frame, speed_of, speeds_at, speeds_of
from ...reading.tracks import COLUMNS
from ...reading.trajectories import Trajectories, find_trajectories
from ...recording import Snapshot
from ...recording.note import Note
from ...texts import N_, say, value_name
from .road_users import events_table, pairs_table
from .table import ACTOR_COLUMNS, TIME_COLUMNS, ActorNames, FrameTimes, Table
from .values import DictionaryColumn, TableBlock, Values, block_of, snake_case, stored_column

_WINDOW = 32 << 20  # bytes of a recording of which positions and velocities are read together


_Parts = Callable[[Subset, Progress], Iterator[tuple[StructuredArray, tuple[Values, ...]]]]
"""Reads records, and the values of the columns after time and actor."""


def derived_tables(snapshot: Snapshot) -> tuple[Table, ...]:
    """Return the derived tables of a recording, in the order in which they are offered."""
    return (
        _positions(snapshot),
        _controls(snapshot),
        _lights(snapshot),
        _traffic_lights(snapshot),
        _collisions(snapshot),
        events_table(snapshot),
        pairs_table(snapshot),
        _actors(snapshot),
        _notes(snapshot),
    )


# --- one row a frame and actor ----------------------------------------------------------------------------


def _track_parts(snapshot: Snapshot, track: str, derive: Callable[[StructuredArray], tuple[Values, ...]]) -> _Parts:
    """Return a function that reads the records of one track; `derive` makes the columns from them."""

    def read(subset: Subset, progress: Progress) -> Iterator[tuple[StructuredArray, tuple[Values, ...]]]:
        for records in Tracks(snapshot).blocks(track, subset.ids, subset.frames, progress=progress):
            if subset.spans is not None:
                records = records[subset.mask(records["id"], records["frame"])]
            yield records, derive(records)

    return read


def _actor_table(
    snapshot: Snapshot, *, name: str, track: str, meaning: str, columns: tuple[Field, ...], parts: _Parts
) -> Table:
    """Return a table of the records of a track, with the values of `columns` after time and actor."""

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        times = FrameTimes(snapshot)
        names = ActorNames(snapshot)
        for records, details in parts(subset, progress):
            frames = records["frame"]
            ids = np.ascontiguousarray(records["id"])
            values: list[Values] = list(times.columns(frames))
            values.append(ids)
            values.extend(names.columns(ids, frames))
            values.extend(details)
            yield TableBlock(len(records), tuple(values))

    def find_frames(frames: range) -> IntArray:
        kind = snapshot.dialect.by_name(COLUMNS[track][0])
        if kind is None:
            return np.zeros(0, np.int64)
        return frames_with(snapshot, kind, frames)

    return Table(
        name=name, meaning=meaning, columns=TIME_COLUMNS + ACTOR_COLUMNS + columns, read=read, find_frames=find_frames
    )


_CONTROL_COLUMNS = (
    Field("steering", "f32", N_("Steering, -1 left to 1 right")),
    Field("throttle", "f32", N_("Throttle, 0 to 1")),
    Field("brake", "f32", N_("Brake, 0 to 1")),
    Field("handbrake", "bool", N_("The hand brake is on")),
    Field("gear", "i32", N_("Gear; negative is reverse")),
)


def _controls(snapshot: Snapshot) -> Table:
    def derive(records: StructuredArray) -> tuple[Values, ...]:
        return tuple(stored_column(records[field.path], field) for field in _CONTROL_COLUMNS)

    return _actor_table(
        snapshot,
        name="controls",
        track="controls",
        meaning=say("Steering, throttle, brake and gear of every vehicle"),
        columns=_CONTROL_COLUMNS,
        parts=_track_parts(snapshot, "controls", derive),
    )


def _lights(snapshot: Snapshot) -> Table:
    columns = []
    for name in VEHICLE_LIGHTS.values():
        columns.append(Field(snake_case(name), "bool", say("{light} is on", light=value_name(name))))

    def derive(records: StructuredArray) -> tuple[Values, ...]:
        return tuple((records["lights"] & np.uint32(bit)) != 0 for bit in VEHICLE_LIGHTS)

    return _actor_table(
        snapshot,
        name="lights",
        track="lights",
        meaning=say("The lights of every vehicle, one by one"),
        columns=tuple(columns),
        parts=_track_parts(snapshot, "lights", derive),
    )


_TRAFFIC_LIGHT_COLUMNS = (
    Field("state", "str", N_("State of the light")),
    Field("in_state_s", "f32", N_("Time in the current state"), unit="s"),
    Field("frozen", "bool", N_("The light is frozen in its state")),
)


def _traffic_lights(snapshot: Snapshot) -> Table:
    def derive(records: StructuredArray) -> tuple[Values, ...]:
        states, codes = np.unique(records["state"], return_inverse=True)
        names = [LIGHT_STATES.get(state, str(state)) for state in states.tolist()]
        return (
            DictionaryColumn(names, codes.astype(np.int32)),
            np.ascontiguousarray(records["elapsed"]),
            records["frozen"] != 0,
        )

    return _actor_table(
        snapshot,
        name="traffic_lights",
        track="states",
        meaning=say("The state of every traffic light"),
        columns=_TRAFFIC_LIGHT_COLUMNS,
        parts=_track_parts(snapshot, "states", derive),
    )


# --- positions --------------------------------------------------------------------------------------------


def _position_columns(real: Real) -> tuple[Field, ...]:
    """Return the columns for one type of vectors."""
    return (
        Field("x_m", "f64", N_("Position, world: X, forward"), unit="m"),
        Field("y_m", "f64", N_("Position, world: Y, to the right"), unit="m"),
        Field("z_m", "f64", N_("Position, world: Z, up"), unit="m"),
        Field("roll_deg", real, N_("Rotation about X"), unit="°"),
        Field("pitch_deg", real, N_("Rotation about Y, nose up"), unit="°"),
        Field("heading_deg", real, N_("Rotation about Z (yaw), clockwise from above, as stored"), unit="°"),
        Field(
            "speed_mps",
            "f64",
            N_("From Kinematics where recorded, else from the previous to the next frame"),
            unit="m/s",
        ),
    )


def _positions(snapshot: Snapshot) -> Table:
    def parts(subset: Subset, progress: Progress) -> Iterator[tuple[StructuredArray, tuple[Values, ...]]]:
        tracks = Tracks(snapshot)
        window = max(1, _WINDOW * len(snapshot) // max(1, snapshot.size))
        for begin in range(0, len(subset.frames), window):
            progress.update(begin, len(subset.frames))
            frames = subset.frames[begin : begin + window]
            positions, speed = _positions_with_speed(tracks, snapshot.elapsed, subset.ids, frames)
            if subset.spans is not None:
                chosen = subset.mask(positions["id"], positions["frame"])
                positions = positions[chosen]
                speed = speed[chosen]
            values: list[Values] = []
            for axis in ("x", "y", "z"):
                values.append(_metres(positions[axis]))
            for angle in ("roll", "pitch", "yaw"):
                values.append(np.ascontiguousarray(positions[angle]))
            values.append(speed)
            yield positions, tuple(values)
        progress.update(len(subset.frames), len(subset.frames))

    return _actor_table(
        snapshot,
        name="positions",
        track="positions",
        meaning=say("Position and speed of every actor"),
        columns=_position_columns(snapshot.dialect.real),
        parts=parts,
    )


def _metres(centimetres: npt.NDArray[np.floating[Any]]) -> FloatArray:
    with np.errstate(invalid="ignore"):  # a file may hold signalling NaN
        metres: FloatArray = centimetres.astype(np.float64) / 100
    return metres


def _positions_with_speed(
    tracks: Tracks, elapsed: FloatArray, ids: tuple[int, ...] | None, frames: range
) -> tuple[StructuredArray, FloatArray]:
    """Return the positions in the frames, and their speeds, m/s, float64[n]; NaN where unknown."""
    positions = tracks.positions(ids, frames)
    kinematics = tracks.kinematics(ids, frames)
    position_ids = positions["id"]
    position_frames = positions["frame"]
    if np.array_equal(position_ids, kinematics["id"]) and np.array_equal(position_frames, kinematics["frame"]):
        speed = speed_of(kinematics)
        if np.isfinite(speed).all() and len(last_in_frame(positions)) == len(positions):
            return positions, speed
    speeds = speeds_of(tracks.around(ids, frames), kinematics, elapsed)
    return positions, speeds_at(speeds, position_ids, position_frames)


# --- events and lives -------------------------------------------------------------------------------------


_COLLISION_COLUMNS = (
    Field("last_frame", "u32", N_("The last frame of the contact")),
    Field("last_time_s", "f64", N_("Elapsed time of that frame"), unit="s"),
    Field("records", "u32", N_("Number of its records of Collision")),
    Field("actor1_id", "u32", N_("Id of the first actor; 4294967295 is not a CARLA actor"), actor=True),
    Field("actor1_class", "str", N_("Class of the first actor")),
    Field("actor1_blueprint", "str", N_("Blueprint of the first actor")),
    Field("actor1_role", "str", N_("Role name of the first actor")),
    Field("actor2_id", "u32", N_("Id of the second actor; 4294967295 is not a CARLA actor"), actor=True),
    Field("actor2_class", "str", N_("Class of the second actor")),
    Field("actor2_blueprint", "str", N_("Blueprint of the second actor")),
    Field("actor2_role", "str", N_("Role name of the second actor")),
)


def _collisions(snapshot: Snapshot) -> Table:
    columns = TIME_COLUMNS + _COLLISION_COLUMNS

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        actors = Actors.of(snapshot, progress)
        times = FrameTimes(snapshot)
        contacts = actors.contacts
        first_frames = contacts["first"]
        contacts = contacts[(first_frames >= subset.frames.start) & (first_frames < subset.frames.stop)]
        if subset.spans is not None:
            of_first = subset.mask(contacts["actor1"], contacts["first"])
            of_second = subset.mask(contacts["actor2"], contacts["first"])
            contacts = contacts[of_first | of_second]
        rows = []
        for first, last, records, actor1, actor2 in contacts[["first", "last", "records", "actor1", "actor2"]].tolist():
            last_frame, _, last_time = times.row(last)
            row: list[Any] = list(times.row(first))
            row.extend((last_frame, last_time, records))
            row.extend(_identity(actor1, _life_of(actors, actor1, first)))
            row.extend(_identity(actor2, _life_of(actors, actor2, first)))
            rows.append(row)
        yield block_of(columns, rows)

    return Table(
        name="collisions", meaning=say("Contacts of two actors, with first and last frame"), columns=columns, read=read
    )


def _identity(actor: int, life: Life | None) -> tuple[int, str, str, str]:
    """Return id, class, blueprint and role name of an actor."""
    if life is None:
        return (actor, "", "", "")
    return (actor, life.class_, life.blueprint, life.role_name)


def _life_of(actors: Actors, actor: int, frame: int) -> Life | None:
    """Return the life of a colliding actor; it may be deleted in the same frame."""
    if actor == NO_ACTOR:
        return None
    for life in reversed(actors.of_id(actor)):
        if life.born <= frame:
            return life
    return None


_LIFE_COLUMNS = (
    Field("class", "str", N_("Class of the actor")),
    Field("hero", "bool", N_("It is a hero")),
    Field("parent", "u32", N_("Id of the actor it was attached to last; nothing without one")),
    Field("born_frame", "u32", N_("The frame that creates it, from 1")),
    Field("born_time_s", "f64", N_("Elapsed time of that frame"), unit="s"),
    Field("gone_frame", "u32", N_("The frame that destroys it; nothing if it lives to the end")),
    Field("gone_time_s", "f64", N_("Elapsed time of that frame"), unit="s"),
    Field("distance_m", "f64", N_("Distance over the ground in its whole life"), unit="m"),
    Field("top_speed_mps", "f64", N_("Its maximum speed_mps; nothing where unknown"), unit="m/s"),
    Field("collisions", "u32", N_("Number of its collisions in its whole life")),
)


def _actors(snapshot: Snapshot) -> Table:
    # The class comes between id and blueprint.
    columns = ACTOR_COLUMNS[:1] + _LIFE_COLUMNS[:1] + ACTOR_COLUMNS[1:] + _LIFE_COLUMNS[1:]

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        trajectories = find_trajectories(snapshot, progress)
        elapsed = snapshot.elapsed.tolist()
        rows = []
        for life in trajectories.actors:
            if subset.holds(life):
                rows.append(_life_row(life, trajectories, elapsed))
        yield block_of(columns, rows)

    return Table(name="actors", meaning=say("Every actor from its creation to its end"), columns=columns, read=read)


def _life_row(life: Life, trajectories: Trajectories, elapsed: list[float]) -> tuple[Any, ...]:
    """Return a row of the table of actors; `elapsed` is the time of every frame, s."""
    parent = trajectories.actors.parent_of(life)
    trajectory = trajectories.of(life)
    gone_frame = None
    gone_time = None
    if life.gone is not None:
        gone_frame = life.gone + 1
        gone_time = elapsed[min(life.gone, len(elapsed) - 1)]  # packets after the last frame take its time
    return (
        life.actor,
        life.class_,
        life.blueprint,
        life.role_name,
        life.is_hero,
        None if parent is None else parent.actor,
        life.born + 1,
        elapsed[life.born],
        gone_frame,
        gone_time,
        trajectory.distance,
        None if np.isnan(trajectory.top_speed) else trajectory.top_speed,
        trajectory.collisions,
    )


_NOTE_COLUMNS = (
    Field("last_frame", "u32", N_("The last frame of a range, else its frame")),
    Field("actor", "u32", N_("Id of the actor it is about; nothing without one")),
    Field("text", "str", N_("What it says")),
    Field("color", "str", N_("Its colour, as #RRGGBB")),
    Field("tags", "str", N_("Its tags, each after a #")),
)


def _notes(snapshot: Snapshot) -> Table:
    columns = TIME_COLUMNS + _NOTE_COLUMNS

    def read(subset: Subset, _progress: Progress) -> Iterator[TableBlock]:
        times = FrameTimes(snapshot)
        rows = []
        for note in snapshot.context.notes:
            if _is_chosen(note, subset):
                row: list[Any] = list(times.row(note.start))
                row.extend((note.stop, note.actor, note.text, note.color, note.tag_text))
                rows.append(row)
        yield block_of(columns, rows)

    return Table(name="notes", meaning=say("Notes kept beside the recording, one a row"), columns=columns, read=read)


def _is_chosen(note: Note, subset: Subset) -> bool:
    """Whether a note is about chosen actors and frames."""
    if not note.frames:
        return False
    if subset.ids is not None and note.actor not in subset.ids:
        return False
    return note.start < subset.frames.stop and note.stop > subset.frames.start
