"""The lanes of a map as a table, and their borders and centres at any s.

Every border is one piecewise cubic in s: the lane offset and the widths of all lanes from the centre up to it, added
up once. Functions here use the file's coordinates (y to the left); the simulator mirrors y.
"""

from typing import Final, NamedTuple

import numpy as np

from ..arrays import AnyArray, BoolArray, FloatArray, IndexArray, IntArray, StructuredArray, row_type, run_starts
from ..errors import MapError
from ..texts import say
from .intervals import Cubics, Intervals, repeated
from .opendrive import MAX_LANE_ID, OpenDrive
from .reference_line import ReferenceLine, has_wrong_length
from .tables import Rows

__all__ = ["LANE", "Surface", "Track", "build_surface", "mirrored"]

LANE: Final = row_type(
    "road_id:i8 road:i4 section:i4 lane_id:i4 type:u1 s_begin s_end direction:i1 junction:i4 speed_limit"
)

MAX_PIECES = 2_000_000
MAX_ACROSS = 1e3
MAX_HEIGHT = 1e5
MAX_TILT = np.pi / 2
_NEGATIVE = -0.01  # m; what rounding leaves of a width of 0 is less


class Track(NamedTuple):
    """Points along lanes, and their derivatives with respect to s.

    Attributes:
        x: float64[n] (m).
        y: float64[n] (m), to the left positive.
        z: float64[n] (m).
        dx: float64[n].
        dy: float64[n].
        dz: float64[n].
    """

    x: FloatArray
    y: FloatArray
    z: FloatArray
    dx: FloatArray
    dy: FloatArray
    dz: FloatArray


def mirrored(track: Track) -> FloatArray:
    """Return points in the simulator's coordinates, float64[n, 3] (m)."""
    return np.stack([track.x, -track.y, track.z], axis=-1)


class Surface:
    """The lanes of a map.

    Attributes:
        lanes: The table of lanes, dtype `LANE`, ordered by road, section, and from left to right along the road.
        roads: The table of `OpenDrive`.
        sections: Road, s and s_end of lane sections, ordered.
        first_lane: The first lane of each section, intp[sections + 1].
        line: The reference lines.
        row_of: By lane of `OpenDrive` its row in `lanes`, or -1; intp.
        section_of: By lane of `OpenDrive` its section, or -1; intp.
        side: 1 for lanes to the left of the middle, -1 for those to the right; float64[lanes].
        inside: The next lane towards the centre, -1 where there is none; intp[lanes].
        outside: The next lane away from it, likewise.
    """

    def __init__(
        self, drive: OpenDrive, sections: StructuredArray, section_of: IndexArray, line: ReferenceLine
    ) -> None:
        """Build the tables.

        Args:
            drive: What was read.
            sections: The sections that are used, ordered: road, s and s_end.
            section_of: By lane of `OpenDrive` its section, or -1; intp.
            line: The reference lines.

        Raises:
            MapError: The widths of lanes are more than can be read.
        """
        self.roads = drive.roads.table()
        self.sections = sections
        self.line = line
        self.section_of = section_of
        self.lanes, self.row_of = self._table(drive)
        self.first_lane = np.searchsorted(self.lanes["section"], np.arange(len(sections) + 1))
        self._keys = _lane_key(self.lanes["section"], self.lanes["lane_id"])
        self._sections = Intervals(sections["road"].astype(np.intp), sections["s"], len(self.roads))
        self.side = np.sign(self.lanes["lane_id"]).astype(np.float64)
        self.inside, self.outside, rank = self._order()
        self._elevation = _profile(drive, drive.elevations, self.roads, MAX_HEIGHT, "elevation")
        self._tilt = _profile(drive, drive.superelevations, self.roads, MAX_TILT, "superelevation")
        self._is_tilted = not self._tilt.is_zero
        self._borders = self._add_up(drive, rank)
        # The border towards the centre: of the lane inside, else the one in the middle of the section.
        middle = len(self.lanes) + self.lanes["section"]
        self._inner = np.where(self.inside >= 0, self.inside, middle)

    # --- making -------------------------------------------------------------------------------------------------

    def _table(self, drive: OpenDrive) -> tuple[StructuredArray, IndexArray]:
        """Return the table of lanes, and by lane of `OpenDrive` its row."""
        rows = drive.lanes.table()
        section = self.section_of
        order = np.lexsort((np.arange(len(rows)), -rows["id"], section))
        order = order[(section[order] >= 0) & (rows["id"][order] != 0)]
        is_first = run_starts(section[order], rows["id"][order])
        for again in order[~is_first][:1]:
            message = say(
                "There is a lane {lane:.0f} already: this one is left out, as are all such lanes.",
                lane=rows["id"][again],
            )
            drive.problems.add(message, int(rows["line"][again]), "lane")
        order = order[is_first]
        sections = self.sections[section[order]]
        road = sections["road"].astype(np.intp)
        lanes = np.zeros(len(order), LANE)
        lanes["road_id"] = self.roads["id"][road]
        lanes["road"] = road
        lanes["section"] = section[order]
        lanes["lane_id"] = rows["id"][order]
        lanes["type"] = rows["type"][order]
        lanes["s_begin"] = sections["s"]
        lanes["s_end"] = sections["s_end"]
        lanes["direction"] = np.where((lanes["lane_id"] < 0) != (self.roads["is_left_hand"][road] > 0), 1, -1)
        lanes["junction"] = self.roads["junction"][road]
        lanes["speed_limit"] = _speeds(drive, lanes, order)
        row_of = np.full(len(rows), -1)
        row_of[order] = np.arange(len(order))
        return lanes, row_of

    def _order(self) -> tuple[IndexArray, IndexArray, IndexArray]:
        """Return of each lane the next one towards the centre, the next one away from it, and its number from there."""
        section = self.lanes["section"]
        side = self.side
        inside = np.full(len(side), -1)
        outside = np.full(len(side), -1)
        row = np.flatnonzero((section[1:] == section[:-1]) & (side[1:] == side[:-1]))
        # The table goes from left to right: on the left the next row is nearer to the centre, on the right farther.
        left = row[side[row] > 0]
        right = row[side[row] < 0]
        inside[left] = left + 1
        outside[left + 1] = left
        outside[right] = right + 1
        inside[right + 1] = right
        rank = np.zeros(len(side), np.intp)
        lanes = np.flatnonzero(inside < 0)
        while len(lanes):
            lanes = outside[lanes][outside[lanes] >= 0]
            rank[lanes] = rank[inside[lanes]] + 1
        return inside, outside, rank

    def _add_up(self, drive: OpenDrive, rank: IndexArray) -> Cubics:
        """Return the borders: owners are lanes (their outer border), then sections (the middle)."""
        lanes = self.lanes
        sections = self.sections
        road = sections["road"].astype(np.intp)
        total = len(lanes) + len(sections)
        middle = _profile(drive, drive.lane_offsets, self.roads, MAX_ACROSS, "laneOffset")
        index, s = _starts_within(middle, road, sections["s"], sections["s_end"])
        owners = [index + len(lanes)]
        places = [s]
        cubics = [middle.expanded(road[index], s)]
        number = len(s)
        own, is_border = self._widths(drive)
        inner = Cubics(owners[0], places[0], cubics[0], total)
        for inward_rank in range(int(rank.max(initial=-1)) + 1):
            row = np.flatnonzero(rank == inward_rank)
            inward = np.where(self.inside[row] >= 0, self.inside[row], len(lanes) + lanes["section"][row])
            index, s = _merged(_pieces_of(inner, inward), _pieces_of(own, row), lanes["s_begin"][row])
            lane = row[index]
            outer = self.side[lane, None] * own.expanded(lane, s)
            free = ~is_border[lane]
            outer[free] += inner.expanded(inward[index[free]], s[free])
            owners.append(lane)
            places.append(s)
            cubics.append(outer)
            number += len(s)
            if number > MAX_PIECES:
                raise MapError(say("The widths of the map are more than can be read."))
            inner = Cubics(lane, s, outer, total)
        return Cubics(np.concatenate(owners), np.concatenate(places), np.concatenate(cubics), total)

    def _widths(self, drive: OpenDrive) -> tuple[Cubics, BoolArray]:
        """Return of each lane its width, or where it has none the distance of its border, and whether it is that."""
        widths = drive.widths.table()
        row = self.row_of[widths["lane"].astype(np.intp)]
        has_width = np.zeros(len(self.lanes) + 1, bool)
        has_width[row[widths["is_border"] == 0]] = True
        keep = (row >= 0) & ((widths["is_border"] == 0) | ~has_width[row])
        widths = widths[keep]
        row = row[keep]
        coefficients = _coefficients(widths)
        is_border = ~has_width[:-1]
        # A border is a t, below 0 on the right; some files have the distance from the centre instead.
        sign = np.where(_leading(coefficients) < 0, -1.0, 1.0)
        coefficients[is_border[row]] *= sign[is_border[row], None]
        s = self.lanes["s_begin"][row] + np.maximum(widths["offset"], 0.0)
        within = s < self.lanes["s_end"][row]
        cubics = Cubics(row[within], s[within], coefficients[within], len(self.lanes))
        cubics, poor = cubics.limited(self.lanes["s_end"], MAX_ACROSS)
        value, _ = cubics.values(cubics.owner, cubics.s)
        is_negative = (value < _NEGATIVE) & ~is_border[cubics.owner]
        self._add_problems(drive, poor, say("The width of a lane is too large to be meant: it is taken for 0 there."))
        self._add_problems(
            drive, cubics.owner[is_negative], say("The width of a lane is negative: it is taken for 0 there.")
        )
        return cubics.without(is_negative), is_border

    def _add_problems(self, drive: OpenDrive, rows: IndexArray, message: str) -> None:
        """Add a problem at the line of each of some lanes."""
        lines = drive.lanes.table()["line"]
        index_of = np.full(len(self.lanes), 0)
        index_of[self.row_of[self.row_of >= 0]] = np.flatnonzero(self.row_of >= 0)
        for row in np.unique(rows):
            drive.problems.add(message, int(lines[index_of[row]]), "lane")

    def rows(self, section: IndexArray, lane_id: IndexArray) -> IndexArray:
        """Find lanes.

        Args:
            section: The rows of sections, intp[n].
            lane_id: The ids of lanes in them, intp[n].

        Returns:
            The rows of lanes, intp[n]; -1 where there is none.
        """
        if not len(self.lanes):
            return np.full(np.shape(section), -1)
        key = _lane_key(section, lane_id)
        row = np.minimum(np.searchsorted(self._keys, key), len(self.lanes) - 1)
        is_there = (self._keys[row] == key) & (section >= 0) & (np.abs(lane_id) <= MAX_LANE_ID)
        return np.where(is_there, row, -1)

    def road_rows(self, ids: AnyArray) -> IndexArray:
        """Return the rows of roads by their ids, intp[n]; -1 where there is none."""
        order = np.argsort(self.roads["id"])
        road_ids = self.roads["id"][order]
        index = np.minimum(np.searchsorted(road_ids, ids), len(road_ids) - 1)
        return np.where(road_ids[index] == ids, order[index], -1)

    def sections_at(self, road: IndexArray, s: FloatArray) -> IndexArray:
        """Find sections.

        Args:
            road: The rows of roads, intp[n].
            s: The s on each, float64[n] (m).

        Returns:
            The rows of sections, intp[n]; -1 where there is none.
        """
        section = self._sections.find(road, s)
        if not len(self.sections):
            return section
        rows = self.sections[section]
        return np.where((section >= 0) & (s >= rows["s"]) & (s <= rows["s_end"]), section, -1)

    # --- points -------------------------------------------------------------------------------------------------

    def borders(self, lane: IndexArray, s: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Compute the borders of lanes.

        Args:
            lane: The rows of lanes, intp[n].
            s: The s on each, float64[n] (m).

        Returns:
            t of the inner border (m) and its derivative, and those of the outer one; float64[n] each.
        """
        inner, d_inner = self._borders.values(self._inner[lane], s)
        outer, d_outer = self._borders.values(lane, s)
        return inner, d_inner, outer, d_outer

    def middle(self, section: IndexArray, s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Compute the centre lane of sections.

        Args:
            section: The rows of sections, intp[n].
            s: The s on each, float64[n] (m).

        Returns:
            t (m) and its derivative, float64[n] each.
        """
        return self._borders.values(section + len(self.lanes), s)

    def place(
        self,
        road: IndexArray,
        s: FloatArray,
        t: FloatArray,
        dt: FloatArray | float = 0.0,
        found_at: FloatArray | None = None,
    ) -> Track:
        """Compute points of roads.

        Args:
            road: The rows of roads, intp[n].
            s: The s on each, float64[n] (m).
            t: The distance from the reference line, to the left positive, float64[n] (m).
            dt: The derivative of t with respect to s.
            found_at: The s at which the formulas are found; None: at `s`.
        """
        point = self.line.at(road, s, found_at)
        z, dz = self._elevation.values(road, s, found_at)
        cos = np.cos(point.heading)
        sin = np.sin(point.heading)
        if self._is_tilted:
            tilt, change = self._tilt.values(road, s, found_at)
            flat = np.cos(tilt)
            rise = np.sin(tilt)
            z = z + t * rise
            dz = dz + dt * rise + t * flat * change
            dt = dt * flat - t * rise * change
            t = t * flat
        along = point.speed * (1 - point.curvature * t)
        return Track(
            x=point.x - t * sin,
            y=point.y + t * cos,
            z=z,
            dx=along * cos - dt * sin,
            dy=along * sin + dt * cos,
            dz=np.asarray(dz),
        )

    def centre(self, lane: IndexArray, s: FloatArray) -> tuple[Track, FloatArray, FloatArray]:
        """Compute the centres of lanes.

        Args:
            lane: The rows of lanes, intp[n].
            s: The s on each, float64[n] (m).

        Returns:
            The points, half the width of the lanes (m), and the derivative of that; n each.
        """
        inner, d_inner, outer, d_outer = self.borders(lane, s)
        side = self.side[lane]
        road = self.lanes["road"][lane].astype(np.intp)
        t = (inner + outer) / 2
        dt = (d_inner + d_outer) / 2
        track = self.place(road, s, t, dt, self.before_end(lane, s))
        return track, side * (outer - inner) / 2, side * (d_outer - d_inner) / 2

    def before_end(self, lane: IndexArray, s: FloatArray) -> FloatArray:
        """Return the s at which formulas are found: those just before the end of a lane hold to the end and behind it.

        Args:
            lane: The rows of lanes, intp[n].
            s: The s on each, float64[n] (m).

        Returns:
            float64[n] (m).
        """
        end = self.lanes["s_end"][lane]
        return np.where(s < end, s, np.maximum(end - _LEFT, self.lanes["s_begin"][lane]))

    def breaks(self) -> tuple[IndexArray, FloatArray]:
        """Find where the formula of some point of a section changes, the begin of each section included.

        Returns:
            The rows of sections, intp[n], and s, float64[n] (m); ordered.
        """
        sections = self.sections
        road = sections["road"].astype(np.intp)
        owners = []
        places = []
        for intervals in (self.line.parts, self._elevation, self._tilt):
            index, s = _starts_within(intervals, road, sections["s"], sections["s_end"])
            owners.append(index)
            places.append(s)
        owner = self._borders.owner
        of_lane = owner < len(self.lanes)
        section = owner - len(self.lanes)
        section[of_lane] = self.lanes["section"][owner[of_lane]]
        owners.append(section)
        places.append(self._borders.s)
        return _ordered(np.concatenate(owners), np.concatenate(places))


def build_surface(drive: OpenDrive) -> Surface:
    """Build the lanes of what was read; what is left out becomes a problem.

    Raises:
        MapError: There is more than can be read.
    """
    _leave_out_broken_roads(drive)
    roads = drive.roads.table()
    geometries = drive.geometries.table()
    sound = np.ones(len(roads), bool)
    sound[sorted(drive.broken)] = False
    line = ReferenceLine(geometries[sound[geometries["road"].astype(np.intp)]], len(roads))
    rows = drive.sections.table()
    order = np.lexsort((rows["s"], rows["road"]))
    order = order[sound[rows["road"][order].astype(np.intp)]]
    sections = np.zeros(len(order), row_type("road:i4 s s_end"))
    sections["road"] = rows["road"][order]
    sections["s"] = rows["s"][order]
    sections["s_end"] = roads["length"][sections["road"]]
    follows = np.flatnonzero(sections["road"][1:] == sections["road"][:-1])
    begins = sections["s"]
    ends = sections["s_end"]
    ends[follows] = np.minimum(begins[follows + 1], ends[follows])
    is_long = ends > begins
    for row in order[~is_long][:1]:
        message = say("The lane section has no length: it is left out, as are all such sections.")
        drive.problems.add(message, int(rows["line"][row]), "laneSection")
    section_of = np.full(len(rows) + 1, -1)
    section_of[order[is_long]] = np.arange(int(is_long.sum()))
    lanes = drive.lanes.table()["section"].astype(np.intp)
    surface = Surface(drive, sections[is_long], section_of[lanes], line)
    if np.diff(surface.first_lane)[surface.breaks()[0]].sum() > MAX_PIECES:
        raise MapError(say("The lanes of the map change at more places than can be read."))
    return surface


def _leave_out_broken_roads(drive: OpenDrive) -> None:
    """Leave out the roads along which the geometry does not reach, or with one that is not as long as it says."""
    roads = drive.roads.table()
    geometries = drive.geometries.table()
    begin = np.full(len(roads), np.inf)
    end = np.full(len(roads), -np.inf)
    road = geometries["road"].astype(np.intp)
    np.minimum.at(begin, road, geometries["s"])
    np.maximum.at(end, road, geometries["s"] + geometries["length"])
    for row in np.flatnonzero((end < roads["length"] - _GAP) | (begin > _GAP)):
        message = say("The geometry does not reach along the whole road")
        drive.leave_out_road(int(row), message, int(roads["line"][row]), "road")
    for row in np.unique(road[has_wrong_length(geometries)]):
        message = say("A geometry is not nearly as long as it says")
        drive.leave_out_road(int(row), message, int(roads["line"][row]), "road")


_GAP = 0.1  # m
_LEFT = 1e-7  # m


def _lane_key(section: IndexArray, lane_id: IndexArray) -> IntArray:
    """Return one number for each lane, by which lanes are ordered as in the table."""
    return np.asarray(section, np.int64) * (4 * MAX_LANE_ID) - np.asarray(lane_id, np.int64)


def _profile(drive: OpenDrive, rows: Rows, roads: StructuredArray, limit: float, element: str) -> Cubics:
    """Return a table of cubics by road; those that exceed a limit are 0, and become a problem."""
    table = rows.table()
    cubics = Cubics(table["road"].astype(np.intp), table["s"], _coefficients(table), len(roads))
    cubics, poor = cubics.limited(roads["length"], limit)
    for road in np.unique(poor):
        message = say(
            "Values of road {road:.0f} are too large to be meant: they are taken for 0.", road=roads["id"][road]
        )
        drive.problems.add(message, int(roads["line"][road]), element)
    return cubics


def _speeds(drive: OpenDrive, lanes: StructuredArray, order: IndexArray) -> FloatArray:
    """Return the limit at the begin of each lane: its own, else that of the road; NaN where there is none."""
    of_road = drive.road_speeds.table()
    road = lanes["road"].astype(np.intp)
    s = lanes["s_begin"]
    zeros = np.zeros((len(of_road), 3))
    speeds = Cubics(
        owner=of_road["road"].astype(np.intp),
        s=of_road["s"],
        coefficients=np.column_stack([of_road["speed"], zeros]),
        owners=len(drive.roads),
    )
    road_limit = np.where(speeds.find(road, s) >= 0, speeds.values(road, s)[0], np.nan)
    of_lane = drive.lane_speeds.table()
    own = np.full(len(drive.lanes), np.nan)
    by_offset = of_lane[np.argsort(-of_lane["offset"], kind="stable")]
    own[by_offset["lane"].astype(np.intp)] = by_offset["speed"]
    return np.where(np.isnan(own[order]), road_limit, own[order])


def _coefficients(rows: StructuredArray) -> FloatArray:
    """Return the columns a, b, c, d, float64[n, 4]."""
    return np.stack([rows[name] for name in "abcd"], axis=-1)


def _leading(coefficients: FloatArray) -> FloatArray:
    """Return the first coefficient of each row that is not 0."""
    first = np.argmax(coefficients != 0, axis=1)
    return np.asarray(coefficients[np.arange(len(coefficients)), first])


def _pieces_of(cubics: Intervals, owners: IndexArray) -> tuple[IndexArray, FloatArray]:
    """Return the rows of owners: the index in `owners`, and s."""
    first = cubics.first[owners]
    index, number = repeated(cubics.first[owners + 1] - first)
    return index, cubics.s[first[index] + number]


def _starts_within(
    cubics: Intervals, owners: IndexArray, begin: FloatArray, end: FloatArray
) -> tuple[IndexArray, FloatArray]:
    """Return the rows of owners that begin between `begin` and `end`, and one at each `begin`.

    Returns:
        The index in `owners`, and s; ordered.
    """
    index, s = _pieces_of(cubics, owners)
    within = (s > begin[index]) & (s < end[index])
    return _ordered(np.append(np.arange(len(owners)), index[within]), np.append(begin, s[within]))


def _merged(
    first: tuple[IndexArray, FloatArray], second: tuple[IndexArray, FloatArray], begin: FloatArray
) -> tuple[IndexArray, FloatArray]:
    """Return all rows of both, and one at each begin; as `_pieces_of` returns them."""
    index = np.concatenate([np.arange(len(begin)), first[0], second[0]])
    return _ordered(index, np.concatenate([begin, first[1], second[1]]))


def _ordered(owner: IndexArray, s: FloatArray) -> tuple[IndexArray, FloatArray]:
    """Return rows ordered by owner, then s, each once."""
    order = np.lexsort((s, owner))
    owner = owner[order]
    s = s[order]
    new = run_starts(owner, s)
    return owner[new], s[new]
