"""Where actors are on the lanes of a road map, and what every life does on them.

`LanePlaces` are the lanes at any positions, `LaneUse` one pass over a recording: the share of time off the road,
changes of lanes, and stretches where a vehicle should not be.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ..arrays import AnyArray, BoolArray, FloatArray, IntArray, StructuredArray
from ..progress import SILENT, Progress
from ..recording.snapshot import Snapshot
from ..roads import DRIVABLE, LANE_TYPES, LOCATION, RoadMap
from ..texts import say
from .actors import Actors
from .motion import steps
from .tracks import Tracks

AGAINST = 120.0
"""Degrees: a heading that differs more from that of its lane is against the direction."""

NEAR = 5.0
"""Metres from a lane within which a vehicle counts as on the map."""

LEAST_SHARE = 0.5
"""With less than this share of the vehicles' positions near its lanes, it is the map of another town."""

MAX_RECORDS = 2_000_000
"""Number of positions up to which every frame is looked at; of longer recordings every second, third... frame."""

OFF_ROAD = 0
WRONG_WAY = 1
SIDEWALK = 2
"""The kinds of a stretch."""

STRETCH: Final = np.dtype([("kind", "i1"), ("life", "i4"), ("first", "i4"), ("last", "i4"), ("seconds", "f8")])
"""A life (index) that is somewhere from frame `first` to frame `last` (indices, both in)."""

CHANGE: Final = np.dtype([("life", "i4"), ("frame", "i4"), ("before", "i4"), ("after", "i4")])
"""A life (index) that is on another lane from that frame on; lanes are rows of `RoadMap.lanes`."""

_FARTHEST = 1e7  # m
_WELL_IN = 0.25  # m from the border: a vehicle that drives on the line changes lanes once
_ON_DRIVING = np.append(np.isin(LANE_TYPES, DRIVABLE), False)  # by type; the last one for no lane
_SIDEWALK = LANE_TYPES.index("sidewalk")
_NONE = LANE_TYPES.index("none")
_BOTH_WAYS = LANE_TYPES.index("bidirectional")
_ROW = np.dtype(
    [("life", "i4"), ("frame", "i4"), ("lane", "i4"), ("kinds", "?", 3), ("near", "?"), ("x", "f8"), ("y", "f8")]
)


@dataclass(frozen=True, eq=False)
class LanePlaces:
    """Lanes at positions; arrays of shape (n,).

    A lane for driving where a position is on one, else the lane of any type that it is on, else the nearest in 10 m.

    Attributes:
        roads: The road map.
        locations: The lanes, dtype `roads.LOCATION`.
        yaw: The headings of the positions, float64[n] (degrees).
    """

    roads: RoadMap
    locations: StructuredArray
    yaw: FloatArray

    @classmethod
    def at(cls, roads: RoadMap, x: AnyArray, y: AnyArray, z: AnyArray, yaw: AnyArray) -> "LanePlaces":
        """Find the lanes at places.

        Args:
            roads: The road map.
            x: The places as they are stored, of shape (n,) (cm).
            y: The places.
            z: The places.
            yaw: Their headings (degrees).
        """
        with np.errstate(invalid="ignore"):  # a file may hold signalling NaN
            places = np.stack([x, y, z], axis=-1).astype(np.float64)
            points = places / 100
            sound = np.flatnonzero((np.abs(points) < _FARTHEST).all(axis=1))
            headings = np.asarray(yaw, np.float64)
        locations = np.zeros(len(points), LOCATION)
        for name in LOCATION.names or ():
            locations[name] = -1 if name == "lane" else np.nan
        locations[sound] = roads.locate(points[sound])
        beside = sound[~(locations["border"][sound] >= 0)]
        if len(beside):
            locations[beside] = roads.locate(points[beside], types=None)
        return cls(roads, locations, headings)

    @classmethod
    def of(cls, roads: RoadMap, placed: StructuredArray) -> "LanePlaces":
        """Find the lanes at the positions of a table.

        Args:
            roads: The road map.
            placed: A table of `Tracks.positions`.
        """
        return cls.at(roads, x=placed["x"], y=placed["y"], z=placed["z"], yaw=placed["yaw"])

    def of_lane(self, name: str, nothing: float) -> AnyArray:
        """Return a column of `RoadMap.lanes` for every position.

        Args:
            name: The name of the column.
            nothing: The value where there is no lane.
        """
        column: AnyArray = np.append(self.roads.lanes[name], nothing)[self.locations["lane"]]
        return column

    @cached_property
    def type(self) -> AnyArray:
        """The type of the lane, an index of `LANE_TYPES`; the number of types where there is no lane."""
        return self.of_lane("type", len(LANE_TYPES))

    @cached_property
    def on_lane(self) -> BoolArray:
        """Whether a position is on its lane and not beside it."""
        return np.asarray(self.locations["border"] >= 0)

    @cached_property
    def on_driving(self) -> BoolArray:
        """Whether a position is on a lane for driving."""
        return np.asarray(self.on_lane & _ON_DRIVING[self.type])

    @cached_property
    def heading_error(self) -> FloatArray:
        """The heading less that of the lane, clockwise, -180 to 180 degrees; NaN without a lane."""
        with np.errstate(invalid="ignore"):
            return np.asarray((self.yaw - self.locations["heading_deg"] + 180.0) % 360.0 - 180.0)

    @cached_property
    def in_junction(self) -> BoolArray:
        """Whether the lane belongs to a junction."""
        return np.asarray(self.of_lane("junction", -1) >= 0)

    @cached_property
    def off_road(self) -> BoolArray:
        """Whether a position is on no lane, or on one of type none."""
        return np.asarray(~self.on_lane | (self.type == _NONE))

    @cached_property
    def wrong_way(self) -> BoolArray:
        """Whether a heading is against the direction of a driving lane outside of junctions, where lanes cross."""
        against = np.abs(self.heading_error) > AGAINST
        return np.asarray(self.on_driving & (self.type != _BOTH_WAYS) & ~self.in_junction & against)

    @cached_property
    def on_sidewalk(self) -> BoolArray:
        """Whether a position is on a sidewalk."""
        return np.asarray(self.on_lane & (self.type == _SIDEWALK))


class LaneUse:
    """What the lives of a recording do on the lanes of its map. Get it with `LaneUse.of`.

    Attributes:
        roads: The road map.
        near: The share of the vehicles' positions within 5 m of a lane; 1 of none.
        off_road: The share of its time that each life, by index, is off the road: float64[lives], NaN for other actors.
        changes: The changes of lanes of vehicles, dtype `CHANGE`, by life and frame.
        stretches: Where vehicles should not be, dtype `STRETCH`, by life and frame.
    """

    def __init__(self, snapshot: Snapshot, roads: RoadMap, progress: Progress) -> None:
        self.roads = roads
        self._table = snapshot.table
        actors = Actors.of(snapshot, progress.quiet())
        rows = _read(snapshot, roads, actors, progress)
        with np.errstate(invalid="ignore", over="ignore"):  # the times of a damaged file may be any number
            seconds = np.diff(snapshot.elapsed, append=np.nan)
        seconds = np.where((seconds > 0) & np.isfinite(seconds), seconds, 0.0)
        weight = seconds[rows["frame"]]
        number = len(actors)
        whole = np.bincount(rows["life"], weight, number)
        off = np.bincount(rows["life"], np.where(rows["kinds"][:, OFF_ROAD], weight, 0.0), number)
        with np.errstate(invalid="ignore", divide="ignore"):
            self.off_road: FloatArray = off / whole
        if number:
            is_vehicle = np.array([life.class_ != "walker" for life in actors], np.bool_)
            rows = rows[is_vehicle[rows["life"]]]
        self.near = float(rows["near"].mean()) if len(rows) else 1.0
        self.stretches = _stretches(rows, snapshot.elapsed)
        self.changes = _changes(rows, roads, snapshot.elapsed)

    @classmethod
    def of(cls, snapshot: Snapshot, progress: Progress = SILENT) -> "LaneUse | None":
        """Return that of a snapshot, made once for it and its map.

        Args:
            snapshot: The state of the recording.
            progress: Counts frames.

        Returns:
            None without a map.

        Raises:
            Cancelled: The user stopped it.
            OSError: The file cannot be read, as by `Store.read`.
        """
        roads = snapshot.roads
        if roads is None:
            return None
        for cached in snapshot.derived.newest(cls):
            if cached._table is snapshot.table and cached.roads is roads:
                return cached
        use = cls(snapshot, roads, progress)
        snapshot.derived.keep(use)
        return use

    @property
    def fits(self) -> bool:
        """Whether the map may be that of the recording."""
        return self.near >= LEAST_SHARE

    def changes_of(self, life: int) -> IntArray:
        """Return the frames (indices, int64[n]) in which a life, by its index, is on another lane."""
        first, last = self.changes["life"].searchsorted((life, life + 1)).tolist()
        return self.changes["frame"][first:last].astype(np.int64)


def misfit_sentence(file: str, share: float) -> str:
    """Return a sentence that a road map is that of another town.

    Args:
        file: The name of its file.
        share: The share of the vehicles' positions near its lanes, 0 to 1.
    """
    return say(
        "{file} does not fit: {share:.0%} of the vehicles' positions lie within {near:g} m of its lanes.",
        file=file,
        share=share,
        near=NEAR,
    )


def _read(snapshot: Snapshot, roads: RoadMap, actors: Actors, progress: Progress) -> StructuredArray:
    """Read every position of a road user, by life and frame, dtype `_ROW`.

    `lane` is that of a position well in a lane that leads on, outside of junctions, else -1.
    """
    is_user = np.array([life.is_road_user for life in actors], np.bool_)
    ids = sorted({life.actor for life in actors if life.is_road_user})
    if not ids:
        return np.zeros(0, _ROW)
    is_user = np.append(is_user, False)  # for positions without a life, the index of which is -1
    tracks = Tracks(snapshot)
    step = math.ceil(tracks.count("positions") / MAX_RECORDS) or 1
    parts = [np.zeros(0, _ROW)]
    for block in tracks.blocks("positions", ids, slice(None, None, step), progress=progress):
        life = actors.indices_of(block["id"], block["frame"])
        block = block[is_user[life]]
        life = life[is_user[life]]
        places = LanePlaces.of(roads, block)
        border = places.locations["border"]
        part = np.zeros(len(block), _ROW)
        part["life"] = life
        part["frame"] = block["frame"]
        part["near"] = border >= -NEAR
        part["kinds"][:, OFF_ROAD] = places.off_road
        part["kinds"][:, WRONG_WAY] = places.wrong_way
        part["kinds"][:, SIDEWALK] = places.on_sidewalk
        drives = places.on_driving & ~places.in_junction & (border >= _WELL_IN)
        part["lane"] = np.where(drives, places.locations["lane"], -1)
        with np.errstate(invalid="ignore"):
            part["x"] = block["x"]
            part["y"] = block["y"]
        parts.append(part)
    rows = np.concatenate(parts)
    return rows[np.lexsort((rows["frame"], rows["life"]))]


def _stretches(rows: StructuredArray, elapsed: FloatArray) -> StructuredArray:
    """Return where vehicles should not be, dtype `STRETCH`, by life and frame."""
    parts = [np.zeros(0, STRETCH)]
    for kind in (OFF_ROAD, WRONG_WAY, SIDEWALK):
        holds = rows["kinds"][:, kind]
        joined = holds[1:] & holds[:-1] & (rows["life"][1:] == rows["life"][:-1])
        heads = np.flatnonzero(holds & ~np.append(False, joined)[: len(rows)])
        tails = np.flatnonzero(holds & ~np.append(joined, False)[: len(rows)])
        part = np.zeros(len(heads), STRETCH)
        part["kind"] = kind
        part["life"] = rows["life"][heads]
        part["first"] = rows["frame"][heads]
        part["last"] = rows["frame"][tails]
        with np.errstate(invalid="ignore", over="ignore"):
            first = part["first"]
            last = part["last"]
            part["seconds"] = elapsed[last] - elapsed[first]
        parts.append(part)
    stretches = np.concatenate(parts)
    return stretches[np.lexsort((stretches["first"], stretches["life"]))]


def _changes(rows: StructuredArray, roads: RoadMap, elapsed: FloatArray) -> StructuredArray:
    """Return where two lanes, one after the other, lie side by side and do not lead into each other, dtype `CHANGE`."""
    with np.errstate(invalid="ignore", over="ignore"):
        dx = np.diff(rows["x"])
        dy = np.diff(rows["y"])
        seconds = np.diff(elapsed[rows["frame"]])
    _, _, jump = steps(dx, dy, seconds)
    drive = np.cumsum(np.append(False, jump))[: len(rows)]  # rises at a jump
    on_lane = rows["lane"] >= 0
    rows = rows[on_lane]
    drive = drive[on_lane]
    lane = rows["lane"]
    life = rows["life"]
    differs = (lane[1:] != lane[:-1]) & (life[1:] == life[:-1]) & (drive[1:] == drive[:-1])
    before = np.flatnonzero(differs)
    pairs = np.stack([lane[before], lane[before + 1]], axis=-1)
    distinct, pair_of = np.unique(pairs, axis=0, return_inverse=True)
    is_change = np.array([_is_change(roads, first, second) for first, second in distinct.tolist()], np.bool_)
    changes = np.zeros(len(before), CHANGE)
    changes["life"] = life[before + 1]
    changes["frame"] = rows["frame"][before + 1]
    changes["before"] = pairs[:, 0]
    changes["after"] = pairs[:, 1]
    return changes[is_change[pair_of.reshape(-1)]]


def _is_change(roads: RoadMap, before: int, after: int) -> bool:
    """Whether a lane lies beside another one, or beside what that leads to."""
    section = roads.lanes["section"]
    onward = [before]
    onward.extend(roads.successors(before))
    onward.extend(roads.predecessors(before))
    if after in onward:
        return False
    return any(section[after] == section[lane] for lane in onward)
