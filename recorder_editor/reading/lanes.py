"""Where actors are on the lanes of a road map, and what every life does on them.

`LanePlaces` are the lanes at any positions, `LaneUse` one pass over a recording: the share of time off the road,
changes of lanes, and stretches where a vehicle should not be.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ..arrays import AnyArray, BoolArray, FloatArray, IntArray, StructuredArray
from ..progress import SILENT, Progress
from ..recording.snapshot import Snapshot
from ..roads import DRIVABLE, LANE_TYPES, LOCATION, RoadMap
from .actors import Actors
from .motion import steps
from .tracks import Tracks

"""The classes of actors that lanes are found for."""

AGAINST = 120.0
"""Degrees: a heading that differs more from that of its lane is against the direction."""

NEAR = 5.0
"""Metres from a lane within which a vehicle counts as on the map."""

LEAST_SHARE = 0.5
"""With less than this share of the vehicles' positions near its lanes, it is the map of another town."""

MAX_RECORDS = 2_000_000
"""Number of positions up to which every frame is looked at; of longer recordings every second, third... frame."""

OFF_ROAD, WRONG_WAY, SIDEWALK = range(3)
"""The kinds of a stretch."""

STRETCH: Final = np.dtype([("kind", "i1"), ("life", "i4"), ("first", "i4"), ("last", "i4"), ("seconds", "f8")])
"""A life (index) that is somewhere from frame `first` to frame `last` (indices, both in)."""

CHANGE: Final = np.dtype([("life", "i4"), ("frame", "i4"), ("before", "i4"), ("after", "i4")])
"""A life (index) that is on another lane from that frame on; lanes are rows of `RoadMap.lanes`."""

_FARTHEST = 1e7  # m
_WELL_IN = 0.25  # m from the border: who drives on the line changes lanes once
_ON_DRIVING = np.array([*(name in DRIVABLE for name in LANE_TYPES), False])
_SIDEWALK, _NONE, _BOTH_WAYS = (LANE_TYPES.index(name) for name in ("sidewalk", "none", "bidirectional"))
_ROW = np.dtype(
    [("life", "i4"), ("frame", "i4"), ("lane", "i4"), ("kinds", "?", 3), ("near", "?"), ("x", "f8"), ("y", "f8")]
)


@dataclass(frozen=True, eq=False)
class LanePlaces:
    """Lanes at positions; arrays of shape (n,).

    A lane for driving where a position is on one, else the lane of any type that it is on, else the nearest within
    10 m. Attributes: `roads`, `found` (dtype `roads.LOCATION`), `yaw` (degrees).
    """

    roads: RoadMap
    found: StructuredArray
    yaw: FloatArray

    @classmethod
    def at(cls, roads: RoadMap, x: AnyArray, y: AnyArray, z: AnyArray, yaw: AnyArray) -> "LanePlaces":
        """The lanes at these places (cm) with these headings (degrees), as they are stored."""
        with np.errstate(invalid="ignore"):  # a file may hold signalling NaN
            points = np.stack([np.asarray(each, np.float64) / 100 for each in (x, y, z)], axis=-1)
            sound = np.flatnonzero((np.abs(points) < _FARTHEST).all(axis=1))
            yaw = np.asarray(yaw, np.float64)
        found = np.zeros(len(points), LOCATION)
        for name in LOCATION.names or ():
            found[name] = -1 if name == "lane" else np.nan
        found[sound] = roads.locate(points[sound])
        beside = sound[~(found["border"][sound] >= 0)]
        if len(beside):
            found[beside] = roads.locate(points[beside], types=None)
        return cls(roads, found, yaw)

    @classmethod
    def of(cls, roads: RoadMap, placed: StructuredArray) -> "LanePlaces":
        """The lanes of a table of `Tracks.positions`."""
        return cls.at(roads, *(placed[name] for name in ("x", "y", "z", "yaw")))

    def of_lane(self, name: str, nothing: float) -> AnyArray:
        """A column of `RoadMap.lanes` for every position, `nothing` where there is no lane."""
        column: AnyArray = np.append(self.roads.lanes[name], nothing)[self.found["lane"]]
        return column

    @cached_property
    def type(self) -> AnyArray:
        """The type of the lane, an index of `LANE_TYPES`, whose length stands for none."""
        return self.of_lane("type", len(LANE_TYPES))

    @cached_property
    def on_lane(self) -> BoolArray:
        """Whether a position is on its lane and not beside it."""
        return np.asarray(self.found["border"] >= 0)

    @cached_property
    def on_driving(self) -> BoolArray:
        """Whether a position is on a lane for driving."""
        return np.asarray(self.on_lane & _ON_DRIVING[self.type])

    @cached_property
    def heading_error(self) -> FloatArray:
        """The heading less that of the lane, clockwise, -180 to 180 degrees; NaN without a lane."""
        with np.errstate(invalid="ignore"):
            return np.asarray((self.yaw - self.found["heading_deg"] + 180.0) % 360.0 - 180.0)

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

    Attributes: `roads`, `near` (the share of the vehicles' positions within 5 m of a lane; 1 of none), `off_road` (the
    share of its time that each life, by index, is off the road: float64[lives], NaN for other actors), `changes` (dtype
    `CHANGE`, by life and frame; of vehicles), `stretches` (dtype `STRETCH`, by life and frame; of vehicles).
    """

    def __init__(self, snapshot: Snapshot, roads: RoadMap, progress: Progress) -> None:
        self.roads = roads
        self._table = snapshot.table
        actors = Actors.of(snapshot, progress.quiet())
        rows = _read(snapshot, roads, actors, progress)
        with np.errstate(invalid="ignore", over="ignore"):  # the times of a damaged file may be any number
            seconds = np.diff(snapshot.elapsed, append=np.nan)
        seconds = np.where((seconds > 0) & np.isfinite(seconds), seconds, 0.0)
        vehicle = np.array([life.class_ != "walker" for life in actors], np.bool_)
        weight = seconds[rows["frame"]]
        number = len(actors)
        whole = np.bincount(rows["life"], weight, number)
        off = np.bincount(rows["life"], weight * rows["kinds"][:, OFF_ROAD], number)
        with np.errstate(invalid="ignore", divide="ignore"):
            self.off_road: FloatArray = off / whole
        if number:
            rows = rows[vehicle[rows["life"]]]
        if len(rows):
            self.near = float(rows["near"].mean())
        else:
            self.near = 1.0
        self.stretches = _stretches(rows, snapshot.elapsed)
        self.changes = _changes(rows, roads, snapshot.elapsed)

    @classmethod
    def of(cls, snapshot: Snapshot, progress: Progress = SILENT) -> "LaneUse | None":
        """That of a snapshot, made once for it and its map; None without a map.

        `progress` counts frames. Raises `Cancelled`, and errors of reading as `Store.read`.
        """
        roads = snapshot.roads
        if roads is None:
            return None
        for known in snapshot.derived.newest(cls):
            if known._table is snapshot.table and known.roads is roads:
                return known
        made = cls(snapshot, roads, progress)
        snapshot.derived.keep(made)
        return made

    @property
    def fits(self) -> bool:
        """The map may be that of the recording."""
        return self.near >= LEAST_SHARE

    def changes_of(self, life: int) -> IntArray:
        """The frames (indices) in which a life, by its index, is on another lane."""
        first, last = self.changes["life"].searchsorted((life, life + 1)).tolist()
        return self.changes["frame"][first:last].astype(np.int64)


def _read(snapshot: Snapshot, roads: RoadMap, actors: Actors, progress: Progress) -> StructuredArray:
    """Every position of a road user, by life and frame: where it is, and its lane if it is well in one that leads on
    outside of junctions, else -1."""
    tracks = Tracks(snapshot)
    user = np.array([*(life.is_road_user for life in actors), False], np.bool_)
    ids = sorted({life.actor for life in actors if user[life.index]})
    step = -(-tracks.count("positions") // MAX_RECORDS) or 1

    def parts() -> Iterator[StructuredArray]:
        for block in tracks.blocks("positions", ids, slice(None, None, step), progress=progress):
            life = actors.indices_of(block["id"], block["frame"])
            block, life = block[user[life]], life[user[life]]
            places = LanePlaces.of(roads, block)
            part = np.zeros(len(block), _ROW)
            part["life"], part["frame"] = life, block["frame"]
            part["near"] = places.found["border"] >= -NEAR
            part["kinds"] = np.stack([places.off_road, places.wrong_way, places.on_sidewalk], axis=-1)
            drives = places.on_driving & ~places.in_junction & (places.found["border"] >= _WELL_IN)
            part["lane"] = np.where(drives, places.found["lane"], -1)
            with np.errstate(invalid="ignore"):
                part["x"], part["y"] = block["x"], block["y"]
            yield part

    if ids:
        found = np.concatenate([np.zeros(0, _ROW), *parts()])
    else:
        found = np.zeros(0, _ROW)
    return found[np.lexsort((found["frame"], found["life"]))]


def _stretches(rows: StructuredArray, elapsed: FloatArray) -> StructuredArray:
    found = [np.zeros(0, STRETCH)]
    for kind in (OFF_ROAD, WRONG_WAY, SIDEWALK):
        holds = rows["kinds"][:, kind]
        joined = holds[1:] & holds[:-1] & (rows["life"][1:] == rows["life"][:-1])
        heads = np.flatnonzero(holds & ~np.append(False, joined)[: len(rows)])
        tails = np.flatnonzero(holds & ~np.append(joined, False)[: len(rows)])
        made = np.zeros(len(heads), STRETCH)
        made["kind"], made["life"] = kind, rows["life"][heads]
        made["first"], made["last"] = rows["frame"][heads], rows["frame"][tails]
        with np.errstate(invalid="ignore", over="ignore"):
            made["seconds"] = elapsed[made["last"]] - elapsed[made["first"]]
        found.append(made)
    every = np.concatenate(found)
    return every[np.lexsort((every["first"], every["life"]))]


def _changes(rows: StructuredArray, roads: RoadMap, elapsed: FloatArray) -> StructuredArray:
    """Where two lanes, one after the other, lie side by side and do not lead into each other."""
    with np.errstate(invalid="ignore", over="ignore"):
        dx, dy, seconds = (np.diff(each) for each in (rows["x"], rows["y"], elapsed[rows["frame"]]))
    driven = np.cumsum(np.append(False, steps(dx, dy, seconds)[2]))[: len(rows)]  # rises at a jump
    on = rows["lane"] >= 0
    rows, driven = rows[on], driven[on]
    other = (rows["lane"][1:] != rows["lane"][:-1]) & (rows["life"][1:] == rows["life"][:-1])
    at = np.flatnonzero(other & (driven[1:] == driven[:-1]))
    pairs = np.stack([rows["lane"][at], rows["lane"][at + 1]], axis=-1)
    distinct, which = np.unique(pairs, axis=0, return_inverse=True)
    is_change = np.array([_is_change(roads, *pair) for pair in distinct.tolist()], np.bool_)[which.reshape(-1)]
    made = np.zeros(len(at), CHANGE)
    made["life"], made["frame"] = rows["life"][at + 1], rows["frame"][at + 1]
    made["before"], made["after"] = pairs.T
    return made[is_change]


def _is_change(roads: RoadMap, before: int, after: int) -> bool:
    """Whether a lane lies beside another one, or beside what that leads to."""
    section = roads.lanes["section"]
    onward = (before, *roads.successors(before), *roads.predecessors(before))
    return after not in onward and any(section[after] == section[lane] for lane in onward)
