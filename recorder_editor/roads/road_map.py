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
from .centre_lines import CentreLines, Stations, centre_lines, every, find_stations, sparse
from .furniture import find_marks, find_shapes
from .intervals import Intervals, repeated
from .lane_index import LaneIndex
from .links import LaneLinks
from .opendrive import CROSSWALK, STOP_LINE, OpenDrive
from .surface import Surface, Track, build_surface, mirrored
from .tables import MapProblem
from .vocabulary import DRIVABLE, LANE_TYPES

WAYPOINT: Final = row_type("lane:i4 x y z heading_deg pitch_deg width")
SAMPLE: Final = row_type("lane:i4 s x y z heading_deg width")
LOCATION: Final = row_type("lane:i4 s offset border heading_deg width distance")

MAX_WITHIN = 10.0
_CHUNK = 1 << 16

Numbers = npt.ArrayLike


@dataclass(frozen=True, eq=False)
class RoadMap:
    """The lanes of a map; may be used from several threads.

    Attributes: `name`; `geo_reference` (a PROJ string, or empty); `problems` (what was left out); `lanes` (dtype
    `LANE`: one row for each lane of a lane section without the centre lanes, ordered by road, section and from left to
    right along the road; `type` is an index of `LANE_TYPES`, `direction` 1 if it is driven with s and -1 against it,
    `junction` -1 outside of junctions, `speed_limit` in m/s or NaN); `marks` (dtype `MARK`: what is painted on the
    outer border of `lane`, or in the middle where it is -1; `type` and `color` are indices of `MARK_TYPES` and
    `MARK_COLORS`; where `is_line` it is one line of a mark, `length` and `space` in m, `offset` to the left of the
    border); `crosswalks` (outlines, float64[n, 3]); `stop_lines` (from end to end, float64[n, 3]).
    """

    name: str
    geo_reference: str
    problems: tuple[MapProblem, ...]
    lanes: StructuredArray
    marks: StructuredArray
    crosswalks: Sequence[FloatArray]
    stop_lines: Sequence[FloatArray]
    _surface: Surface = field(repr=False)
    _links: LaneLinks = field(repr=False)
    _indexes: dict[frozenset[str], LaneIndex] = field(default_factory=dict, repr=False)

    # --- points on lanes ----------------------------------------------------------------------------------------

    def waypoint(self, road_id: Numbers, lane_id: Numbers, s: Numbers) -> StructuredArray:
        """The centres of lanes at s, dtype `WAYPOINT`; numbers or arrays that broadcast.

        `heading_deg` and `pitch_deg` (upwards positive) are those of driving. Where there is no such lane `lane` is -1
        and the rest NaN.
        """
        road_id, lane_id, at = np.broadcast_arrays(np.asarray(road_id), np.asarray(lane_id), np.asarray(s, np.float64))
        road = self._surface.road_rows(road_id.ravel())
        section = self._surface.sections_at(np.maximum(road, 0), at.ravel())
        lane = self._surface.rows(np.where(road >= 0, section, -1), lane_id.ravel())
        points = _unknown(lane.size, WAYPOINT)
        known = lane >= 0
        points[known] = self.lane_points(lane[known], at.ravel()[known])
        return points.reshape(at.shape)

    def lane_points(self, lanes: Numbers, s: Numbers) -> StructuredArray:
        """The centres of lanes (rows of `lanes`) at s, dtype `WAYPOINT`, as `waypoint`; s is not checked."""
        lane, at = np.broadcast_arrays(np.asarray(lanes, np.intp), np.asarray(s, np.float64))
        track, half, _ = self._surface.centre(lane.ravel(), at.ravel())
        direction = self.lanes["direction"][lane.ravel()]
        points = np.zeros(lane.size, WAYPOINT)
        points["lane"], points["x"], points["y"], points["z"] = lane.ravel(), track.x, -track.y, track.z
        points["heading_deg"] = _heading(track, direction)
        points["pitch_deg"] = np.degrees(np.arctan2(direction * track.dz, np.hypot(track.dx, track.dy)))
        points["width"] = np.maximum(2 * half, 0.0)
        return points.reshape(lane.shape)

    def edges(self, lanes: Numbers, s: Numbers) -> FloatArray:
        """The inner and outer border of lanes (rows of `lanes`) at s: x, y, z, float64[n, 2, 3]."""
        lane, at = _columns(lanes, s)
        inner, _, outer, _ = self._surface.borders(lane, at)
        road = self.lanes["road"][lane].astype(np.intp)
        until = self._surface.before_end(lane, at)
        return np.stack([mirrored(self._surface.place(road, at, t, 0.0, until)) for t in (inner, outer)], axis=1)

    def mark_points(self, marks: Numbers, s: Numbers) -> FloatArray:
        """Where marks (rows of `marks`) are painted at s: x, y, z, float64[n, 3]."""
        row, at = _columns(marks, s)
        lane = self.marks["lane"][row].astype(np.intp)
        road = self.marks["road"][row].astype(np.intp)
        t = self._surface.middle(self.marks["section"][row].astype(np.intp), at)[0]
        of_lane = np.flatnonzero(lane >= 0)
        t[of_lane] = self._surface.borders(lane[of_lane], at[of_lane])[2]
        return mirrored(self._surface.place(road, at, t + self.marks["offset"][row]))

    def sample(self, step: float = 2.0, tolerance: float | None = None) -> StructuredArray:
        """Points along the centre of every lane, dtype `SAMPLE`, ordered by lane and s.

        Both ends of each lane, and between them one every `step` metres of s; with a `tolerance` (m) instead as few as
        keep straight lines between them that far from the borders. All lanes of a section have points at the same s.
        Raises `ValueError` if that is not above 0.
        """
        if not (step if tolerance is None else tolerance) > 0:
            raise ValueError("a step or tolerance is above 0 m")
        if tolerance is None:
            section, s = every(self._surface, step)
        else:
            section, s = sparse(self._surface, self._stations, tolerance)
        first = self._surface.first_lane
        station, rank = repeated(np.diff(first)[section])
        lane = first[section[station]] + rank
        order = np.argsort(lane, kind="stable")
        lane, s = lane[order], s[station[order]]
        found = self.lane_points(lane, s)
        samples = np.zeros(len(lane), SAMPLE)
        samples["s"] = s
        for name in ("lane", "x", "y", "z", "heading_deg", "width"):
            samples[name] = found[name]
        return samples

    # --- lanes at points ----------------------------------------------------------------------------------------

    def locate(
        self, points: Numbers, types: Collection[str] | None = DRIVABLE, within: float = MAX_WITHIN
    ) -> StructuredArray:
        """The lanes at points (float64[n, 2] or [n, 3], m), dtype `LOCATION`.

        The lane whose area holds the point, of several the one with the nearest centre, else the one whose border is
        nearest and at most `within` metres (up to 10) away; of `types` only (None: of all). Where points have a
        height, lanes within 2.5 m of it come first. `lane` is -1 and the rest NaN where there is none; `offset` is from
        the centre, to the right in driving direction positive; `border` is the distance to the nearest border, negative
        outside of the lane; `distance` is that from the centre.

        A point of a centre is found within 0.1 mm. Beyond the centre of a tight bend (offset times curvature over 1)
        the centre of a lane leads back: heading, offset and width are those of that way. Where it turns its two ways
        lie on each other, and near the centre of a bend many places are as near: s is that of one of them.
        """
        given = np.asarray(points, np.float64)
        if given.ndim < 2:
            if given.size:
                given = given.reshape(1, -1)
            else:
                given = np.empty((0, 2))
        within = min(within, MAX_WITHIN)
        found = _unknown(len(given), LOCATION)
        index = self._index(types)
        lines = self._lines
        for begin in range(0, len(given), _CHUNK):
            part = given[begin : begin + _CHUNK].copy()
            part[:, 1] *= -1
            self._locate(index, lines, part, found[begin : begin + _CHUNK], within)
        return found

    def _locate(
        self, index: LaneIndex, lines: CentreLines, points: FloatArray, found: StructuredArray, within: float
    ) -> None:
        place = index.locate(points)
        known = np.flatnonzero(place.outside <= within)
        segment = place.segment[known]
        share = place.share[known]
        lane = lines.lane[segment]
        direction = self.lanes["direction"][lane]
        powers = (np.ones(len(share)), 2 * share, 3 * share**2)
        dx, dy = (sum(lines.cubics[4 * axis + 1 + n][segment] * powers[n] for n in range(3)) for axis in range(2))
        a, b, c, d = lines.cubics[12:16, segment]
        half = np.maximum(a + share * (b + share * (c + share * d)), 0.0)
        across = place.across[known]
        beyond = place.beyond[known]
        outside = place.outside[known]
        rows = np.empty(len(known), LOCATION)
        rows["lane"] = lane
        rows["s"] = lines.s[segment] + share * lines.size[segment]
        rows["offset"] = -across * direction
        rows["border"] = np.where(outside > 0, -outside, half - np.abs(across))
        rows["heading_deg"] = _wrapped(np.degrees(np.arctan2(-dy * direction, dx * direction)))
        rows["width"] = 2 * half
        rows["distance"] = np.hypot(across, beyond)
        found[known] = rows

    def nearest_lane(self, point: Sequence[float] | FloatArray, types: Collection[str] | None = DRIVABLE) -> int:
        """The lane at one point as `locate` finds it, or -1."""
        return int(self.locate(np.asarray(point, np.float64)[None], types)["lane"][0])

    @cached_property
    def _stations(self) -> Stations:
        return find_stations(self._surface)

    @cached_property
    def _lines(self) -> CentreLines:
        return centre_lines(self._surface, self._stations)

    def _index(self, types: Collection[str] | None) -> LaneIndex:
        names = frozenset(LANE_TYPES if types is None else types)
        index = self._indexes.get(names)
        if index is None:
            chosen = np.isin(self.lanes["type"], [number for number, name in enumerate(LANE_TYPES) if name in names])
            index = LaneIndex(self._lines, np.flatnonzero(chosen[self._lines.lane]), MAX_WITHIN)
            self._indexes[names] = index
        return index

    # --- lanes beside lanes -------------------------------------------------------------------------------------

    def successors(self, lane: int) -> tuple[int, ...]:
        """The lanes that a lane leads to in driving direction."""
        return tuple(self._links.successors(lane).tolist())

    def predecessors(self, lane: int) -> tuple[int, ...]:
        """The lanes that lead to a lane."""
        return tuple(self._links.predecessors(lane).tolist())

    def left(self, lane: int) -> int:
        """The lane on the left in driving direction, of any type and direction, or -1."""
        return int(self._sides[lane, 0])

    def right(self, lane: int) -> int:
        """The lane on the right in driving direction, of any type and direction, or -1."""
        return int(self._sides[lane, 1])

    def ways(self, first: int) -> Iterator[tuple[float, int, int]]:
        """Where one gets to from a lane, the nearest first: metres from its begin to that of a lane, that lane, and the
        one before it (-1 for the first)."""
        queue = [(0.0, first, -1)]
        seen = set()
        while queue:
            metres, lane, before = heapq.heappop(queue)
            if lane not in seen:
                seen.add(lane)
                yield metres, lane, before
                end = metres + float(self.lengths[lane])
                for other in self.successors(lane):
                    heapq.heappush(queue, (end, other, lane))

    @cached_property
    def lengths(self) -> FloatArray:
        """Metres along the centre of each lane, float64[lanes]."""
        return np.diff(self._runs[self._lines.first])

    def along(self, lanes: IndexArray, s: FloatArray) -> FloatArray:
        """Metres along the centres of lanes (rows) from where they begin in driving direction, to s; float64[n]."""
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
        other = self._sides
        direction = self.lanes["direction"]
        fits = drivable[:, None] & drivable[other] & (direction[:, None] == direction[other])
        return np.where((other >= 0) & fits, other, -1)

    @cached_property
    def _segments(self) -> Intervals:
        return Intervals(self._lines.lane, self._lines.s, len(self.lanes))

    @cached_property
    def _runs(self) -> FloatArray:
        """Metres along all centres, one after the other, until each segment, and the whole."""
        return np.append(0.0, np.cumsum(self._lines.lengths()))


def read_road_map(source: Path | bytes, *, name: str = "", progress: Progress = SILENT) -> RoadMap:
    """Read an OpenDRIVE map, 1.4 to 1.7.

    `progress` counts bytes. What cannot be used is left out and told in `problems`. Raises `MapError` with the line and
    the element where there is nothing left, or more than can be read; `OSError`; `Cancelled`.
    """
    drive = OpenDrive()
    drive.read(source, progress)
    surface = build_surface(drive)
    if not len(surface.lanes):
        raise drive.nothing_left()
    marks = find_marks(drive, surface)
    crosswalks, stop_lines = (tuple(find_shapes(drive, surface, kind)) for kind in (CROSSWALK, STOP_LINE))
    links = LaneLinks(drive, surface)
    lanes = surface.lanes
    for table in (lanes, marks):
        table.flags.writeable = False
    name = name or (source.stem if isinstance(source, Path) else "")
    geo_reference = drive.geo_reference.strip()
    return RoadMap(name, geo_reference, drive.problems.all(), lanes, marks, crosswalks, stop_lines, surface, links)


def _columns(rows: Numbers, s: Numbers) -> tuple[IndexArray, FloatArray]:
    """Rows of a table and s, numbers or arrays that broadcast, as columns."""
    row, at = np.broadcast_arrays(np.asarray(rows, np.intp), np.asarray(s, np.float64))
    return row.ravel(), at.ravel()


def _unknown(number: int, dtype: np.dtype[np.void]) -> StructuredArray:
    """Rows of lane -1 and NaN."""
    row = np.array((-1, *[np.nan] * (len(dtype.names or ()) - 1)), dtype)
    return np.full(number, row)


def _heading(track: Track, direction: AnyArray) -> FloatArray:
    return _wrapped(np.degrees(np.arctan2(-track.dy * direction, track.dx * direction)))


def _wrapped(degrees: FloatArray) -> FloatArray:
    """From -180 up to, but not, 180; -0 is 0."""
    return np.where(degrees >= 180.0, degrees - 360.0, degrees) + 0.0
