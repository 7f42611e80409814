"""Tables of lanes: where road users are on them, and the lanes of a road map themselves."""

from collections.abc import Iterator

import numpy as np

from ...arrays import AnyArray, FloatArray, IntArray
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
from .values import DictionaryColumn, TableBlock, Values

NAME = "lanes"

_LANE_COLUMNS = (
    Field("road_id", "i64", N_("Id of the road in the map")),
    Field("section", "i32", N_("Lane section of the road, from 0")),
    Field("lane_id", "i32", N_("Id of the lane; positive to the left of the road's reference line")),
    Field("lane_type", "str", N_("Type of the lane")),
    Field("s_m", "f64", N_("Distance along the reference line of the road"), unit="m"),
)
_IN_JUNCTION = Field("in_junction", "bool", N_("The lane belongs to a junction"))

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
    """The lane of every road user in every frame; nothing where none is within 10 m."""
    times = (each for each in TIME_COLUMNS if each.path != "frame_id")
    columns = (*times, ACTOR_COLUMNS[0], *_LANE_COLUMNS, *_PLACE_COLUMNS, _IN_JUNCTION)

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        actors = Actors.of(snapshot, progress.quiet())
        times = FrameTimes(snapshot)
        user = np.array([*(life.is_road_user for life in actors), False], np.bool_)
        for block in Tracks(snapshot).blocks("positions", subset.ids, subset.frames, progress=progress):
            chosen = user[actors.indices_of(block["id"], block["frame"])]
            if subset.spans is not None:
                chosen &= subset.mask(block["id"], block["frame"])
            block = block[chosen]
            places = LanePlaces.of(roads, block)
            frame, _, seconds = times.columns(block["frame"])
            measured = (places.found["s"], places.found["offset"], places.heading_error, places.found["width"])
            *of_lane, in_junction = _columns_of(roads, places.found["lane"])
            ids = np.ascontiguousarray(block["id"])
            yield TableBlock(len(block), (frame, seconds, ids, *of_lane, *map(_or_nothing, measured), in_junction))

    def where(frames: range) -> IntArray:
        kind = snapshot.dialect.by_name(COLUMNS["positions"][0])
        if kind is None:
            return np.zeros(0, np.int64)
        return frames_with(snapshot, kind, frames)

    return Table(NAME, say("The lane of every vehicle and walker, by the road map"), columns, read, where)


def _columns_of(roads: RoadMap, lane: AnyArray) -> tuple[Values, ...]:
    """road_id, section, lane_id, lane_type and in_junction of rows of `RoadMap.lanes`; nothing for -1."""
    lanes = roads.lanes
    # Sections are numbered through all roads in the map, and ordered by road.
    _, first, road = np.unique(lanes["road"], return_index=True, return_inverse=True)
    section = lanes["section"] - lanes["section"][first][road]
    junction = (lanes["junction"] >= 0).tolist()
    numbers = [lanes["road_id"].tolist(), section.tolist(), lanes["lane_id"].tolist(), junction]
    at = np.where(lane >= 0, lane, len(lanes)).astype(np.int32)
    road_id, section_, lane_id, in_junction = (DictionaryColumn([*each, None], at) for each in numbers)
    types = np.append(lanes["type"], len(LANE_TYPES)).astype(np.int32)
    return road_id, section_, lane_id, DictionaryColumn([*LANE_TYPES, ""], types[at]), in_junction


def _or_nothing(values: FloatArray) -> Values:
    """A column in which NaN is a missing value."""
    missing = np.isnan(values)
    if not missing.any():
        return np.ascontiguousarray(values)
    codes = np.where(missing, len(values), np.arange(len(values)))
    return DictionaryColumn([*values.tolist(), None], codes.astype(np.int32))


def road_map_table(roads: RoadMap, step: float) -> Table:
    """Points along the middle of every lane of a map, every `step` metres and at both ends."""
    columns = (*_LANE_COLUMNS, *_POINT_COLUMNS, _IN_JUNCTION)

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        points = roads.sample(step)
        for begin in range(0, len(points), _LANES_AT_ONCE):
            progress.update(begin, len(points))
            part = points[begin : begin + _LANES_AT_ONCE]
            *of_lane, in_junction = _columns_of(roads, part["lane"])
            measured = (np.ascontiguousarray(part[name]) for name in ("s", "x", "y", "z", "heading_deg", "width"))
            yield TableBlock(len(part), (*of_lane, *measured, in_junction))
        progress.update(len(points), len(points))

    return Table(NAME, say("Points along every lane"), columns, read)
