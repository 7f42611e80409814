"""Tables of lanes: where road users are on them, and the lanes of a road map themselves."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...arrays import AnyArray, IntArray
from ...edits.rows import frames_with
from ...format import Field
from ...progress import Progress
from ...reading import Actors, Subset, Tracks
from ...reading.lanes import LanePlaces
from ...reading.tracks import COLUMNS
from ...recording import Snapshot
from ...roads import LANE_TYPES, RoadMap
from ...texts import N_, say
from .table import ACTOR_COLUMNS, TIME_COLUMNS, FrameTimes, Table
from .values import DictionaryColumn, TableBlock, Values, or_nothing, with_missing

NAME = "lanes"

_LANE_COLUMNS = (
    Field("road_id", "i64", N_("Id of the road in the map")),
    Field("section", "i32", N_("Lane section of the road, from 0")),
    Field("lane_id", "i32", N_("Id of the lane; positive to the left of the road's reference line")),
    Field("lane_type", "str", N_("Type of the lane")),
    Field("s_m", "f64", N_("Distance along the reference line of the road"), unit="m"),
)
_JUNCTION_COLUMNS = (Field("in_junction", "bool", N_("The lane belongs to a junction")),)

_PLACE_COLUMNS = (
    Field("offset_m", "f64", N_("From the middle of the lane, to the right in driving direction positive"), unit="m"),
    Field("heading_error_deg", "f64", N_("Heading minus that of the lane, clockwise, -180 to 180"), unit="°"),
    Field("lane_width_m", "f64", N_("Width of the lane there"), unit="m"),
)

_POINT_COLUMNS = (
    Field("x_m", "f64", N_("Position, world: X"), unit="m"),
    Field("y_m", "f64", N_("Position, world: Y"), unit="m"),
    Field("z_m", "f64", N_("Position, world: Z, up"), unit="m"),
    Field("heading_deg", "f64", N_("Heading in driving direction, clockwise from above"), unit="°"),
    Field("width_m", "f64", N_("Width of the lane there"), unit="m"),
)
_LANES_AT_ONCE = 1 << 16  # rows of a block


def lanes_table(snapshot: Snapshot, roads: RoadMap) -> Table:
    """Return the table of the lane of every road user in every frame; nothing where none is within 10 m."""
    frame_column, _, time_column = TIME_COLUMNS
    columns = [frame_column, time_column, ACTOR_COLUMNS[0]]
    columns.extend(_LANE_COLUMNS)
    columns.extend(_PLACE_COLUMNS)
    columns.extend(_JUNCTION_COLUMNS)

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        actors = Actors.of(snapshot, progress.quiet())
        times = FrameTimes(snapshot)
        # The last entry is for index -1, no life.
        is_road_user = np.array([life.is_road_user for life in actors] + [False], np.bool_)
        for records in Tracks(snapshot).blocks("positions", subset.ids, subset.frames, progress=progress):
            chosen = is_road_user[actors.indices_of(records["id"], records["frame"])]
            if subset.spans is not None:
                chosen &= subset.mask(records["id"], records["frame"])
            records = records[chosen]
            places = LanePlaces.of(roads, records)
            frame, _, seconds = times.columns(records["frame"])
            lane = _lane_values(roads, places.locations["lane"])
            values = (
                frame,
                seconds,
                np.ascontiguousarray(records["id"]),
                lane.road_id,
                lane.section,
                lane.lane_id,
                lane.type,
                or_nothing(places.locations["s"]),
                or_nothing(places.locations["offset"]),
                or_nothing(places.heading_error),
                or_nothing(places.locations["width"]),
                lane.in_junction,
            )
            yield TableBlock(len(records), values)

    def find_frames(frames: range) -> IntArray:
        kind = snapshot.dialect.by_name(COLUMNS["positions"][0])
        if kind is None:
            return np.zeros(0, np.int64)
        return frames_with(snapshot, kind, frames)

    meaning = say("The lane of every vehicle and walker, by the road map")
    return Table(name=NAME, meaning=meaning, columns=tuple(columns), read=read, find_frames=find_frames)


class _LaneValues(NamedTuple):
    """Columns that tell the lane of each row.

    Attributes:
        road_id: Values of the column of this name, as the others.
        section: Numbers of sections, from 0 in each road.
        lane_id: Values of the column of this name.
        type: Types as texts.
        in_junction: Whether the lane belongs to a junction.
    """

    road_id: DictionaryColumn
    section: DictionaryColumn
    lane_id: DictionaryColumn
    type: DictionaryColumn
    in_junction: DictionaryColumn


def _lane_values(roads: RoadMap, lane: AnyArray) -> _LaneValues:
    """Return columns for rows of `RoadMap.lanes`; values are missing for row -1."""
    lanes = roads.lanes
    # Sections are numbered through all roads in the map, and ordered by road.
    _, first, road = np.unique(lanes["road"], return_index=True, return_inverse=True)
    section = lanes["section"] - lanes["section"][first][road]
    codes = np.where(lane >= 0, lane, len(lanes)).astype(np.int32)
    types = np.append(lanes["type"], len(LANE_TYPES)).astype(np.int32)

    def column(values: AnyArray) -> DictionaryColumn:
        return DictionaryColumn(with_missing(values), codes)

    return _LaneValues(
        road_id=column(lanes["road_id"]),
        section=column(section),
        lane_id=column(lanes["lane_id"]),
        type=DictionaryColumn((*LANE_TYPES, ""), types[codes]),
        in_junction=column(lanes["junction"] >= 0),
    )


def road_map_table(roads: RoadMap, step: float) -> Table:
    """Return the table of points along the middle of every lane of a map.

    Args:
        roads: The road map.
        step: Distance of points, m; each lane has one at both ends, too.
    """
    columns = _LANE_COLUMNS + _POINT_COLUMNS + _JUNCTION_COLUMNS

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        points = roads.sample(step)
        for begin in range(0, len(points), _LANES_AT_ONCE):
            progress.update(begin, len(points))
            part = points[begin : begin + _LANES_AT_ONCE]
            lane = _lane_values(roads, part["lane"])
            values: list[Values] = [lane.road_id, lane.section, lane.lane_id, lane.type]
            for name in ("s", "x", "y", "z", "heading_deg", "width"):
                values.append(np.ascontiguousarray(part[name]))
            values.append(lane.in_junction)
            yield TableBlock(len(part), tuple(values))
        progress.update(len(points), len(points))

    return Table(name=NAME, meaning=say("Points along every lane"), columns=columns, read=read)
