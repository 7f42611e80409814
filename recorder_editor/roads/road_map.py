"""A road map: its lanes, where they are, and where a point is on them, in the simulator's coordinates.

These are metres, x as in the file, y mirrored, headings clockwise from the x axis. A lane is a row of `RoadMap.lanes`;
its s is in metres along the reference line of its road.
"""

import heapq
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from ..arrays import AnyArray, BoolArray, FloatArray, IndexArray, StructuredArray, row_type
from ..progress import SILENT, Progress
from .centre_lines import CentreLines, Stations, centre_lines, find_stations, sparse_stations, stations_every
from .furniture import find_marks, find_shapes
from .intervals import Intervals, repeated
from .lane_index import LaneIndex
from .links import LaneLinks
from .opendrive import CROSSWALK, STOP_LINE, OpenDrive
from .surface import Surface, build_surface, mirrored
from .tables import MapProblem
from .traffic_lights import find_light_lanes, find_lights
from .vocabulary import DRIVABLE, LANE_TYPES

WAYPOINT: Final = row_type("lane:i4 x y z heading_deg pitch_deg width")
SAMPLE: Final = row_type("lane:i4 s x y z heading_deg width")
LOCATION: Final = row_type("lane:i4 s offset border heading_deg width distance")

MAX_WITHIN = 10.0
_CHUNK = 1 << 16
_BESIDE = 0.5  # m to the left of a point, by which it is found how a road tilts
_LEAST_AREA = 1e-9

Numbers = npt.ArrayLike


@dataclass(frozen=True, eq=False)
class RoadMap:
    """The lanes of a map; may be used from several threads.

    Attributes:
        name: The name of the map, which may be empty.
        geo_reference: A PROJ string, or empty.
        problems: What was left out.
        lanes: One row for each lane of a lane section without the centre lanes, dtype `LANE`, ordered by road,
            section and from left to right along the road. `type` is an index of `LANE_TYPES`, `direction` 1 if it is
            driven with s and -1 against it, `junction` -1 outside of junctions, `speed_limit` in m/s or NaN.
        marks: What is painted on the outer border of `lane`, or in the middle where it is -1, dtype `MARK`. `type`
            and `color` are indices of `MARK_TYPES` and `MARK_COLORS`; where `is_line` it is one line of a mark,
            `length` and `space` in m, `offset` to the left of the border.
        crosswalks: The outlines, float64[n, 3] (m).
        stop_lines: The lines from end to end, float64[n, 3] (m).
        lights: The traffic lights, dtype `LIGHT`.
        light_lanes: The lanes that lead to the junctions where each light holds, dtype `LIGHT_LANE`: `light` is a row
            of `lights`, `lane` one of `lanes`, at the end of which vehicles wait while it is red, or `within` (m)
            farther.
    """

    name: str
    geo_reference: str
    problems: tuple[MapProblem, ...]
    lanes: StructuredArray
    marks: StructuredArray
    crosswalks: Sequence[FloatArray]
    stop_lines: Sequence[FloatArray]
    lights: StructuredArray
    light_lanes: StructuredArray
    _surface: Surface = field(repr=False)
    _links: LaneLinks = field(repr=False)
    _indexes: dict[frozenset[str], LaneIndex] = field(default_factory=dict, repr=False)

    # --- points on lanes ----------------------------------------------------------------------------------------

    def waypoint(self, road_id: Numbers, lane_id: Numbers, s: Numbers) -> StructuredArray:
        """Return the centres of lanes.

        Args:
            road_id: The ids of roads, a number or an array that broadcasts.
            lane_id: The ids of lanes, likewise.
            s: The s on each (m), likewise.

        Returns:
            Points of dtype `WAYPOINT`; `heading_deg` and `pitch_deg` (upwards positive) are those of driving. Where
            there is no such lane `lane` is -1 and the rest NaN.
        """
        roads, lanes, places = np.broadcast_arrays(np.asarray(road_id), np.asarray(lane_id), np.asarray(s, np.float64))
        distance = places.ravel()
        road = self._surface.road_rows(roads.ravel())
        section = self._surface.sections_at(np.maximum(road, 0), distance)
        lane = self._surface.rows(np.where(road >= 0, section, -1), lanes.ravel())
        points = _unknown(lane.size, WAYPOINT)
        exists = lane >= 0
        points[exists] = self.lane_points(lane[exists], distance[exists])
        return points.reshape(places.shape)

    def lane_points(self, lanes: Numbers, s: Numbers) -> StructuredArray:
        """Return the centres of lanes; s is not checked.

        Args:
            lanes: Rows of `lanes`, a number or an array that broadcasts.
            s: The s on each (m), likewise.

        Returns:
            Points of dtype `WAYPOINT`, as `waypoint` returns them.
        """
        rows, places = np.broadcast_arrays(np.asarray(lanes, np.intp), np.asarray(s, np.float64))
        lane = rows.ravel()
        track, half, _ = self._surface.centre(lane, places.ravel())
        direction = self.lanes["direction"][lane]
        points = np.zeros(lane.size, WAYPOINT)
        points["lane"] = lane
        points["x"] = track.x
        points["y"] = -track.y
        points["z"] = track.z
        points["heading_deg"] = _heading(track.dx, track.dy, direction)
        points["pitch_deg"] = np.degrees(np.arctan2(direction * track.dz, np.hypot(track.dx, track.dy)))
        points["width"] = np.maximum(2 * half, 0.0)
        return points.reshape(rows.shape)

    def edges(self, lanes: Numbers, s: Numbers) -> FloatArray:
        """Return points of both borders of lanes.

        Args:
            lanes: Rows of `lanes`, a number or an array that broadcasts.
            s: The s on each (m), likewise.

        Returns:
            x, y, z of the inner and of the outer border, float64[n, 2, 3] (m).
        """
        lane, places = _columns(lanes, s)
        inner, _, outer, _ = self._surface.borders(lane, places)
        road = self.lanes["road"][lane].astype(np.intp)
        until = self._surface.before_end(lane, places)
        borders = []
        for t in (inner, outer):
            borders.append(mirrored(self._surface.place(road, places, t, 0.0, until)))
        return np.stack(borders, axis=1)

    def mark_points(self, marks: Numbers, s: Numbers) -> FloatArray:
        """Return where marks are painted.

        Args:
            marks: Rows of `marks`, a number or an array that broadcasts.
            s: The s on each (m), likewise.

        Returns:
            x, y, z, float64[n, 3] (m).
        """
        row, places = _columns(marks, s)
        lane = self.marks["lane"][row].astype(np.intp)
        road = self.marks["road"][row].astype(np.intp)
        t = self._surface.middle(self.marks["section"][row].astype(np.intp), places)[0]
        of_lane = np.flatnonzero(lane >= 0)
        t[of_lane] = self._surface.borders(lane[of_lane], places[of_lane])[2]
        return mirrored(self._surface.place(road, places, t + self.marks["offset"][row]))

    def sample(self, step: float = 2.0, tolerance: float | None = None) -> StructuredArray:
        """Return points along the centre of every lane.

        All lanes of a section have points at the same s, and each has its two ends.

        Args:
            step: Metres of s between two points.
            tolerance: Metres that straight lines between points may be off the borders, with as few points as keep them
                so; None: points are `step` apart.

        Returns:
            Points of dtype `SAMPLE`, ordered by lane and s.

        Raises:
            ValueError: The one that counts is not above 0.
        """
        distance = step if tolerance is None else tolerance
        if not distance > 0:
            raise ValueError("a step or tolerance is above 0 m")
        if tolerance is None:
            section, s = stations_every(self._surface, step)
        else:
            section, s = sparse_stations(self._surface, self._stations, tolerance)
        first = self._surface.first_lane
        station, rank = repeated(np.diff(first)[section])
        lane = first[section[station]] + rank
        order = np.argsort(lane, kind="stable")
        lane = lane[order]
        s = s[station[order]]
        points = self.lane_points(lane, s)
        samples = np.zeros(len(lane), SAMPLE)
        samples["s"] = s
        for name in ("lane", "x", "y", "z", "heading_deg", "width"):
            samples[name] = points[name]
        return samples

    # --- lanes at points ----------------------------------------------------------------------------------------

    def locate(
        self, points: Numbers, types: Collection[str] | None = DRIVABLE, within: float = MAX_WITHIN
    ) -> StructuredArray:
        """Find the lanes at points.

        It is the lane that holds the point in its area, of several the one with the nearest centre, else the one with
        the nearest border.

        A point of a centre is found within 0.1 mm. Beyond the centre of a tight bend (offset times curvature over 1)
        the centre of a lane leads back: heading, offset and width are those of that way. Where it turns its two ways
        lie on each other, and near the centre of a bend many places are as near: s is that of one of them.

        Args:
            points: float64[n, 2] or [n, 3] (m), in the simulator's axes as positions of recordings are: y is that of
                the OpenDRIVE file with the other sign. Where they have a height, lanes within 2.5 m of it come first.
            types: The types of lanes, words of `LANE_TYPES`; None: all.
            within: Metres that a border is away at most, up to 10.

        Returns:
            Rows of dtype `LOCATION`. `lane` is -1 and the rest NaN where there is none; `offset` is from the centre,
            to the right in driving direction positive; `border` is the distance to the nearest border, negative
            outside of the lane; `distance` is that from the centre.
        """
        given = np.asarray(points, np.float64)
        if given.ndim < 2:
            given = given.reshape(1, -1) if given.size else np.empty((0, 2))
        within = min(within, MAX_WITHIN)
        locations = _unknown(len(given), LOCATION)
        index = self._index(types)
        lines = self._lines
        for begin in range(0, len(given), _CHUNK):
            part = given[begin : begin + _CHUNK].copy()
            part[:, 1] *= -1
            self._locate(index, lines, part, locations[begin : begin + _CHUNK], within)
        return locations

    def _locate(
        self, index: LaneIndex, lines: CentreLines, points: FloatArray, locations: StructuredArray, within: float
    ) -> None:
        """Fill in the locations of points, which are in the file's coordinates."""
        place = index.locate(points)
        near = np.flatnonzero(place.outside <= within)
        segment = place.segment[near]
        share = place.share[near]
        lane = lines.lane[segment]
        direction = self.lanes["direction"][lane]
        dx = _slope(lines.cubics[:4], segment, share)
        dy = _slope(lines.cubics[4:8], segment, share)
        a, b, c, d = lines.cubics[12:16, segment]
        half = np.maximum(a + share * (b + share * (c + share * d)), 0.0)
        across = place.across[near]
        outside = place.outside[near]
        rows = np.empty(len(near), LOCATION)
        rows["lane"] = lane
        rows["s"] = lines.s[segment] + share * lines.size[segment]
        rows["offset"] = -across * direction
        rows["border"] = np.where(outside > 0, -outside, half - np.abs(across))
        rows["heading_deg"] = _heading(dx, dy, direction)
        rows["width"] = 2 * half
        rows["distance"] = np.hypot(across, place.beyond[near])
        locations[near] = rows

    def plane_at(self, locations: StructuredArray, points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the plane of the road at points.

        Args:
            locations: The lanes of the points, as `locate` finds them, with a lane each.
            points: float64[n, 2] or [n, 3] (m).

        Returns:
            The height (m), and how much it rises along x and along y (m per m), float64[n] each.
        """
        lane = locations["lane"].astype(np.intp)
        s = locations["s"]
        inner, _, outer, _ = self._surface.borders(lane, s)
        across = (inner + outer) / 2 - locations["offset"] * self.lanes["direction"][lane]
        road = self.lanes["road"][lane].astype(np.intp)
        until = self._surface.before_end(lane, s)
        track = self._surface.place(road, s, across, 0.0, until)
        left = self._surface.place(road, s, across + _BESIDE, 0.0, until)
        side_x = left.x - track.x
        side_y = left.y - track.y
        side_z = left.z - track.z
        area = track.dx * side_y - track.dy * side_x
        is_flat = np.abs(area) < _LEAST_AREA  # a reference line that stands still has no plane
        area = np.where(is_flat, 1.0, area)
        rise_x = np.where(is_flat, 0.0, (track.dz * side_y - track.dy * side_z) / area)
        rise_y = np.where(is_flat, 0.0, (track.dx * side_z - track.dz * side_x) / area)
        height = track.z + rise_x * (points[:, 0] - track.x) + rise_y * (-points[:, 1] - track.y)
        return height, rise_x, -rise_y

    def nearest_lane(self, point: Sequence[float] | FloatArray, types: Collection[str] | None = DRIVABLE) -> int:
        """Find the lane at one point, as `locate`.

        Args:
            point: x, y and maybe z (m).
            types: The types of lanes; None: all.

        Returns:
            The row of the lane, or -1.
        """
        return int(self.locate(np.asarray(point, np.float64)[None], types)["lane"][0])

    @cached_property
    def _stations(self) -> Stations:
        return find_stations(self._surface)

    @cached_property
    def _lines(self) -> CentreLines:
        return centre_lines(self._surface, self._stations)

    def _index(self, types: Collection[str] | None) -> LaneIndex:
        """Return the grid of the lanes of some types, which is built once."""
        names = frozenset(LANE_TYPES) if types is None else frozenset(types)
        index = self._indexes.get(names)
        if index is None:
            numbers = [number for number, name in enumerate(LANE_TYPES) if name in names]
            is_chosen = np.isin(self.lanes["type"], numbers)
            index = LaneIndex(self._lines, np.flatnonzero(is_chosen[self._lines.lane]), MAX_WITHIN)
            self._indexes[names] = index
        return index

    # --- lanes beside lanes -------------------------------------------------------------------------------------

    def successors(self, lane: int) -> tuple[int, ...]:
        """Return the lanes that a lane leads to in driving direction."""
        return tuple(self._links.successors(lane).tolist())

    def predecessors(self, lane: int) -> tuple[int, ...]:
        """Return the lanes that lead to a lane."""
        return tuple(self._links.predecessors(lane).tolist())

    def left(self, lane: int) -> int:
        """Return the lane on the left in driving direction, of any type and direction, or -1."""
        return int(self._sides[lane, 0])

    def right(self, lane: int) -> int:
        """Return the lane on the right in driving direction, of any type and direction, or -1."""
        return int(self._sides[lane, 1])

    def ways(self, first: int) -> Iterator[tuple[float, int, int]]:
        """Yield the lanes that can be reached from a lane, the nearest first.

        Args:
            first: The row of the lane.

        Yields:
            The metres from its begin to that of a lane, that lane, and the one before it (-1 for the first).
        """
        queue = [(0.0, first, -1)]
        seen = set()
        while queue:
            metres, lane, before = heapq.heappop(queue)
            if lane in seen:
                continue
            seen.add(lane)
            yield metres, lane, before
            end = metres + float(self.lengths[lane])
            for successor in self.successors(lane):
                heapq.heappush(queue, (end, successor, lane))

    @cached_property
    def lengths(self) -> FloatArray:
        """Metres along the centre of each lane, float64[lanes]."""
        return np.diff(self._runs[self._lines.first])

    def along(self, lanes: IndexArray, s: FloatArray) -> FloatArray:
        """Measure how far points are along their lanes.

        Args:
            lanes: The rows of lanes, intp[n].
            s: The s on each, float64[n] (m).

        Returns:
            Metres along the centre from where the lane begins in driving direction, float64[n].
        """
        lines = self._lines
        segment = self._segments.find(lanes, s)
        share = np.clip((s - lines.s[segment]) / lines.size[segment], 0.0, 1.0)
        run = self._runs[segment] + share * np.diff(self._runs)[segment] - self._runs[lines.first[lanes]]
        return np.where(self.lanes["direction"][lanes] > 0, run, self.lengths[lanes] - run)

    @cached_property
    def driving_samples(self) -> tuple[IndexArray, FloatArray, FloatArray, FloatArray, FloatArray]:
        """About every metre of drivable lanes: lane, share of its s in driving direction, x, y, half the width."""
        samples = self.sample(1.0)
        samples = samples[self._drivable[samples["lane"]]]
        lane = samples["lane"].astype(np.intp)
        rows = self.lanes[lane]
        share = (samples["s"] - rows["s_begin"]) / (rows["s_end"] - rows["s_begin"])
        share = np.where(rows["direction"] > 0, share, 1 - share)
        return lane, share, samples["x"], samples["y"], samples["width"] / 2

    @cached_property
    def _drivable(self) -> BoolArray:
        return np.isin(self.lanes["type"], [LANE_TYPES.index(name) for name in DRIVABLE])

    @cached_property
    def _sides(self) -> IndexArray:
        """The neighbours on the left and on the right, intp[lanes, 2]."""
        section = self.lanes["section"]
        row = np.arange(len(section))
        same = np.append(section[1:] == section[:-1], False)[: len(row)]
        after = np.where(same, row + 1, -1)
        before = np.where(np.roll(same, 1), row - 1, -1)
        with_s = self.lanes["direction"] > 0
        return np.stack([np.where(with_s, before, after), np.where(with_s, after, before)], axis=-1)

    @cached_property
    def beside(self) -> IndexArray:
        """The neighbours on the left and on the right that vehicles of a lane may change to, or -1: intp[lanes, 2]."""
        drivable = self._drivable
        neighbour = self._sides
        direction = self.lanes["direction"]
        fits = drivable[:, None] & drivable[neighbour] & (direction[:, None] == direction[neighbour])
        return np.where((neighbour >= 0) & fits, neighbour, -1)

    @cached_property
    def _segments(self) -> Intervals:
        return Intervals(self._lines.lane, self._lines.s, len(self.lanes))

    @cached_property
    def _runs(self) -> FloatArray:
        """Metres along all centres, one after the other, until each segment, and the whole."""
        return np.append(0.0, np.cumsum(self._lines.lengths()))


def read_road_map(source: str | Path | bytes, *, name: str = "", progress: Progress = SILENT) -> RoadMap:
    """Read an OpenDRIVE map, 1.4 to 1.7; what cannot be used is left out and told in `problems`.

    Args:
        source: A path, or the bytes of the file.
        name: The name of the map; empty: that of the file without its suffix.
        progress: Counts bytes.

    Raises:
        MapError: There is nothing left, or more than can be read; with the line and the element.
        OSError: The file cannot be read.
        Cancelled: The user stopped it.
    """
    if isinstance(source, str):
        source = Path(source)
    drive = OpenDrive()
    drive.read(source, progress)
    surface = build_surface(drive)
    lanes = surface.lanes
    if not len(lanes):
        raise drive.no_road_left()
    marks = find_marks(drive, surface)
    links = LaneLinks(drive, surface)
    lights = find_lights(drive, surface)
    light_lanes = find_light_lanes(drive, surface, links)
    for table in (lanes, marks, lights, light_lanes):
        table.flags.writeable = False
    if not name and isinstance(source, Path):
        name = source.stem
    return RoadMap(
        name=name,
        geo_reference=drive.geo_reference.strip(),
        problems=drive.problems.all(),
        lanes=lanes,
        marks=marks,
        crosswalks=tuple(find_shapes(drive, surface, CROSSWALK)),
        stop_lines=tuple(find_shapes(drive, surface, STOP_LINE)),
        lights=lights,
        light_lanes=light_lanes,
        _surface=surface,
        _links=links,
    )


def _columns(rows: Numbers, s: Numbers) -> tuple[IndexArray, FloatArray]:
    """Return rows of a table and s, numbers or arrays that broadcast, as columns."""
    row, places = np.broadcast_arrays(np.asarray(rows, np.intp), np.asarray(s, np.float64))
    return row.ravel(), places.ravel()


def _unknown(number: int, dtype: np.dtype[np.void]) -> StructuredArray:
    """Return rows of lane -1 and NaN."""
    rows = np.zeros(number, dtype)
    for name in dtype.names or ():
        rows[name] = -1 if name == "lane" else np.nan
    return rows


def _heading(dx: FloatArray, dy: FloatArray, direction: AnyArray) -> FloatArray:
    """Return headings of driving in the simulator's coordinates, in degrees from -180 up to, but not, 180; -0 is 0.

    Args:
        dx: The derivative of x with respect to s.
        dy: The derivative of y, in the file's coordinates.
        direction: 1 for lanes that are driven with s, -1 against it.
    """
    degrees = np.degrees(np.arctan2(-dy * direction, dx * direction))
    return np.where(degrees >= 180.0, degrees - 360.0, degrees) + 0.0


def _slope(cubics: FloatArray, segment: IndexArray, share: FloatArray) -> FloatArray:
    """Return the slopes at shares of segments of cubics; their four coefficients are the rows."""
    _, b, c, d = cubics
    return np.asarray(b[segment] + c[segment] * (2 * share) + d[segment] * (3 * share**2))
