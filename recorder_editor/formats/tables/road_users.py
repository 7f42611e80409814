"""Tables of what road users are to each other: traffic events, and measures of the pairs that are near each other."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...arrays import AnyArray, IntArray
from ...edits.rows import frames_with
from ...format import Field
from ...progress import Progress
from ...reading import Subset
from ...reading.events import Events, find_events
from ...reading.measures import (
    distance,
    drac,
    lateral_deceleration,
    longitudinal_deceleration,
    predicted_pet,
    time_headway,
    ttc2d,
)
from ...reading.near_users import Pairs, pairs_within
from ...reading.road_users import RoadUsers
from ...reading.tracks import COLUMNS
from ...recording import Snapshot
from ...roads import RoadMap
from ...texts import N_, say
from .table import TIME_COLUMNS, FrameTimes, Table
from .values import TableBlock, Values, block_of, or_nothing

EVENTS = "events"

FARTHEST = 50.0
"""m: boxes that are farther apart are no pair of the table."""

_AT_ONCE = 1 << 16  # rows of a block

# --- traffic events ---------------------------------------------------------------------------------------

_EVENT_COLUMNS = (
    Field("kind", "str", N_("Kind of the event")),
    Field("start_s", "f64", N_("Elapsed time of its first frame"), unit="s"),
    Field("end_s", "f64", N_("Elapsed time of its last frame"), unit="s"),
    Field("actor", "u32", N_("Id of the actor it is about"), actor=True),
    Field("blueprint", "str", N_("Blueprint of that actor")),
    Field("other", "u32", N_("Id of the other actor; nothing without one"), actor=True),
    Field("other_blueprint", "str", N_("Blueprint of the other actor")),
    Field("value", "f64", N_("What the kind measures, in its worst moment; nothing where unknown")),
    Field("unit", "str", N_("Unit of the value")),
    Field("severity", "f64", N_("How bad it is, 0 to 1")),
    Field("x_m", "f64", N_("Place of the worst moment, world: X"), unit="m"),
    Field("y_m", "f64", N_("Place of the worst moment, world: Y"), unit="m"),
    Field("road_id", "i64", N_("Id of the road there; nothing without a road map")),
    Field("lane_id", "i32", N_("Id of the lane there; nothing without a road map")),
)


EVENT_COLUMNS = TIME_COLUMNS + _EVENT_COLUMNS
"""The columns of the table of traffic events."""


def event_block(snapshot: Snapshot, events: Events) -> TableBlock:
    """Return events as rows of the table of traffic events."""
    return block_of(EVENT_COLUMNS, _event_rows(snapshot, events))


def events_table(snapshot: Snapshot) -> Table:
    """Return the table of traffic events by the usual thresholds, each in the frame of its worst moment."""
    found: list[Events] = []  # once for preview and file

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        if not found:
            found.append(find_events(snapshot, progress=progress))
        yield event_block(snapshot, events_within(found[0], subset))

    return Table(
        name=EVENTS,
        meaning=say("Traffic events, as near misses and hard braking, one a row"),
        columns=EVENT_COLUMNS,
        read=read,
    )


def events_within(events: Events, subset: Subset) -> Events:
    """Return the events of the chosen actors whose worst moments are in the chosen frames."""
    frames = events.table["worst"]
    chosen = (frames >= subset.frames.start) & (frames < subset.frames.stop)
    if subset.spans is not None:
        ids = _ids_of(events.users)
        of_actor = subset.mask(ids[events.table["life"]], frames)
        of_other = subset.mask(ids[events.table["other"]], frames) & (events.table["other"] >= 0)
        chosen &= of_actor | of_other
    return events.of(chosen)


def _ids_of(users: RoadUsers) -> AnyArray:
    """Return the id of each life, and one more for index -1, no life: uint32[lives + 1]."""
    ids = [life.actor for life in users.actors]
    ids.append(0)
    return np.array(ids, np.uint32)


def _event_rows(snapshot: Snapshot, events: Events) -> list[list[Any]]:
    times = FrameTimes(snapshot)
    elapsed = snapshot.elapsed
    lanes = _lanes_of(snapshot.roads, events)
    rows = []
    for number, event in enumerate(events.table):
        life = events.life(number)
        other = events.other(number)
        kind = events.kind(number)
        row: list[Any] = list(times.row(int(event["worst"])))
        row.extend((kind.name, float(elapsed[event["first"]]), float(elapsed[event["last"]])))
        row.extend((life.actor, life.blueprint))
        if other is None:
            row.extend((None, ""))
        else:
            row.extend((other.actor, other.blueprint))
        row.extend((_number(event["value"]), kind.unit, float(event["severity"])))
        row.extend((_number(event["x"]), _number(event["y"])))
        row.extend(lanes[number])
        rows.append(row)
    return rows


def _number(value: float) -> float | None:
    if np.isfinite(value):
        return float(value)
    return None


def _lanes_of(roads: RoadMap | None, events: Events) -> list[tuple[int | None, int | None]]:
    """Return ids of road and lane at the place of each event."""
    lanes: list[tuple[int | None, int | None]] = [(None, None)] * len(events)
    if roads is None:
        return lanes
    for number, row in enumerate(events.lanes(roads).tolist()):
        if row >= 0:
            lanes[number] = (int(roads.lanes["road_id"][row]), int(roads.lanes["lane_id"][row]))
    return lanes


# --- measures of pairs ------------------------------------------------------------------------------------

_PAIR_COLUMNS = (
    Field("actor", "u32", N_("Id of the first actor"), actor=True),
    Field("other", "u32", N_("Id of the other actor"), actor=True),
    Field("distance_m", "f64", N_("Shortest distance of their boxes"), unit="m"),
    Field("ttc2d_s", "f64", N_("2D-TTC; nothing where they are on no collision course"), unit="s"),
    Field("pet_s", "f64", N_("PET if both keep their velocities; negative where the other one is first"), unit="s"),
    Field("drac_mps2", "f64", N_("Deceleration to avoid a crash; 0 where they do not close"), unit="m/s²"),
    Field("headway_s", "f64", N_("Time headway of the actor to the other one ahead"), unit="s"),
    Field("other_headway_s", "f64", N_("Time headway of the other one to the actor ahead"), unit="s"),
    Field("long_decel_mps2", "f64", N_("Deceleration by which the actor avoids to touch the other one"), unit="m/s²"),
    Field("other_long_decel_mps2", "f64", N_("Deceleration by which the other one avoids to touch it"), unit="m/s²"),
    Field("lat_accel_mps2", "f64", N_("Acceleration to the side by which the actor passes the other one"), unit="m/s²"),
    Field("other_lat_accel_mps2", "f64", N_("Acceleration to the side by which the other one passes it"), unit="m/s²"),
)


def pairs_table(snapshot: Snapshot) -> Table:
    """Return the table of measures of the pairs of road users that are near each other, frame by frame."""

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        users = RoadUsers(snapshot, progress)
        times = FrameTimes(snapshot)
        ids = _ids_of(users)
        for near in pairs_within(users, FARTHEST, subset.frames, progress):
            pairs = near
            if subset.spans is not None:
                of_actor = subset.mask(ids[near.a["life"]], near.frame)
                of_other = subset.mask(ids[near.b["life"]], near.frame)
                pairs = near.take(of_actor | of_other)
            for start in range(0, len(pairs), _AT_ONCE):
                part = pairs.take(slice(start, start + _AT_ONCE))
                values: list[Values] = list(times.columns(part.frame))
                values.extend((ids[part.a["life"]], ids[part.b["life"]]))
                values.extend(_measures(part))
                yield TableBlock(len(part), tuple(values))

    def find_frames(frames: range) -> IntArray:
        kind = snapshot.dialect.by_name(COLUMNS["positions"][0])
        if kind is None:
            return np.zeros(0, np.int64)
        return frames_with(snapshot, kind, frames)

    return Table(
        name="pairs",
        meaning=say("Distance, TTC, PET and more of two road users within 50 m, in every frame"),
        columns=TIME_COLUMNS + _PAIR_COLUMNS,
        read=read,
        find_frames=find_frames,
    )


def _measures(pairs: Pairs) -> Iterator[Values]:
    """Yield the columns of measures."""
    a, b = pairs.boxes
    yield or_nothing(distance(a, b))
    yield or_nothing(ttc2d(a, b))
    yield or_nothing(predicted_pet(a, b))
    yield or_nothing(drac(a, b))
    for measure in (time_headway, longitudinal_deceleration, lateral_deceleration):
        yield or_nothing(measure(a, b))
        yield or_nothing(measure(b, a))
