"""The lanes of a map as a table, and their borders and centres at any s.

Every border is one piecewise cubic in s: the lane offset and the widths of all lanes from the centre up to it, added
up once. Functions here use the file's coordinates (y to the left); the simulator mirrors y.
"""

from typing import Final, NamedTuple

import numpy as np

from ..arrays import AnyArray, BoolArray, FloatArray, IndexArray, IntArray, StructuredArray, begins, row_type
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
    """Points along lanes, float64[n] each: `x`, `y`, `z` (m), their derivatives with respect to s, `dx`, `dy`, `dz`."""

    x: FloatArray
    y: FloatArray
    z: FloatArray
    dx: FloatArray
    dy: FloatArray
    dz: FloatArray


def mirrored(track: Track) -> FloatArray:
    """Points in the simulator's coordinates, float64[n, 3]."""
    return np.stack([track.x, -track.y, track.z], axis=-1)


class Surface:
    """The lanes of a map.

    Attributes: `lanes` (dtype `LANE`, ordered by road, section, and from left to right along the road), `roads` (the
    table of `OpenDrive`), `sections` (road, s and s_end, ordered), `first_lane` (intp[sections + 1]), `line`, `row_of`
    (intp, by lane of `OpenDrive`: its row, or -1), `section_of` (intp, likewise its section), `inside` (intp: the next
    lane towards the centre, -1 where there is none), `outside` (likewise away from it).
    """

    def __init__(
        self, drive: OpenDrive, sections: StructuredArray, section_of: IndexArray, line: ReferenceLine
    ) -> None:
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
        found = drive.lanes.table()
        section = self.section_of
        order = np.lexsort((np.arange(len(found)), -found["id"], section))
        order = order[(section[order] >= 0) & (found["id"][order] != 0)]
        is_first = begins(section[order], found["id"][order])
        for again in order[~is_first][:1]:
            message = say(
                "There is a lane {lane:.0f} already: this one is left out, as are all such lanes.",
                lane=found["id"][again],
            )
            drive.problems.add(message, int(found["line"][again]), "lane")
        order = order[is_first]
        lanes = np.zeros(len(order), LANE)
        at = self.sections[section[order]]
        road = at["road"].astype(np.intp)
        lanes["road"], lanes["section"], lanes["lane_id"] = road, section[order], found["id"][order]
        lanes["type"], lanes["s_begin"], lanes["s_end"] = found["type"][order], at["s"], at["s_end"]
        lanes["road_id"], lanes["junction"] = self.roads["id"][road], self.roads["junction"][road]
        lanes["direction"] = np.where((lanes["lane_id"] < 0) != (self.roads["is_left_hand"][road] > 0), 1, -1)
        lanes["speed_limit"] = _speeds(drive, lanes, order)
        row_of = np.full(len(found), -1)
        row_of[order] = np.arange(len(order))
        return lanes, row_of

    def _order(self) -> tuple[IndexArray, IndexArray, IndexArray]:
        """Of each lane the next one towards the centre, the next one away from it, and its number from there (0...)."""
        section = self.lanes["section"]
        side = self.side
        inside, outside = (np.full(len(side), -1) for _ in range(2))
        row = np.flatnonzero((section[1:] == section[:-1]) & (side[1:] == side[:-1]))
        # The table goes from left to right: on the left the next row is nearer to the centre, on the right farther.
        left, right = row[side[row] > 0], row[side[row] < 0]
        inside[left], outside[left + 1] = left + 1, left
        outside[right], inside[right + 1] = right + 1, right
        begin = np.flatnonzero(inside < 0)
        rank = np.zeros(len(side), np.intp)
        while len(begin := outside[begin][outside[begin] >= 0]):
            rank[begin] = rank[inside[begin]] + 1
        return inside, outside, rank

    def _add_up(self, drive: OpenDrive, rank: IndexArray) -> Cubics:
        """The borders: owners are lanes (their outer border), then sections (the middle)."""
        lanes = self.lanes
        sections = self.sections
        middle = _profile(drive, drive.lane_offsets, self.roads, MAX_ACROSS, "laneOffset")
        owner, s = _starts_within(middle, sections["road"].astype(np.intp), sections["s"], sections["s_end"])
        pieces = [(owner + len(lanes), s, middle.expanded(sections["road"][owner].astype(np.intp), s))]
        own, is_border = self._widths(drive)
        inner = Cubics(*pieces[0], len(lanes) + len(sections))
        for number in range(int(rank.max(initial=-1)) + 1):
            row = np.flatnonzero(rank == number)
            inward = np.where(self.inside[row] >= 0, self.inside[row], len(lanes) + lanes["section"][row])
            which, s = _merged(_pieces_of(inner, inward), _pieces_of(own, row), lanes["s_begin"][row])
            lane = row[which]
            outer = self.side[lane, None] * own.expanded(lane, s)
            free = ~is_border[lane]
            outer[free] += inner.expanded(inward[which[free]], s[free])
            pieces.append((lane, s, outer))
            if sum(len(each[1]) for each in pieces) > MAX_PIECES:
                raise MapError(say("The widths of the map are more than can be read."))
            inner = Cubics(lane, s, outer, len(lanes) + len(sections))
        owner, s, coefficients = (np.concatenate(part) for part in zip(*pieces, strict=True))
        return Cubics(owner, s, coefficients, len(lanes) + len(sections))

    def _widths(self, drive: OpenDrive) -> tuple[Cubics, BoolArray]:
        """Of each lane its width, or where it has none the distance of its border, and whether it is that."""
        found = drive.widths.table()
        row = self.row_of[found["lane"].astype(np.intp)]
        has_width = np.zeros(len(self.lanes) + 1, bool)
        has_width[row[found["is_border"] == 0]] = True
        keep = (row >= 0) & ((found["is_border"] == 0) | ~has_width[row])
        found, row = found[keep], row[keep]
        coefficients = _coefficients(found)
        is_border = ~has_width[:-1]
        # A border is a t, below 0 on the right; some files have the distance from the centre instead.
        coefficients[is_border[row]] *= np.where(_leading(coefficients) < 0, -1.0, 1.0)[is_border[row], None]
        s = self.lanes["s_begin"][row] + np.maximum(found["offset"], 0.0)
        within = s < self.lanes["s_end"][row]
        cubics = Cubics(row[within], s[within], coefficients[within], len(self.lanes))
        cubics, poor = cubics.limited(self.lanes["s_end"], MAX_ACROSS)
        value, _ = cubics.values(cubics.owner, cubics.s)
        negative = cubics.owner[(value < _NEGATIVE) & ~is_border[cubics.owner]]
        self._blame(drive, poor, say("The width of a lane is too large to be meant: it is taken for 0 there."))
        self._blame(drive, negative, say("The width of a lane is negative: it is taken for 0 there."))
        return cubics.without((value < _NEGATIVE) & ~is_border[cubics.owner]), is_border

    def _blame(self, drive: OpenDrive, rows: IndexArray, message: str) -> None:
        lines = drive.lanes.table()["line"]
        of = np.full(len(self.lanes), 0)
        of[self.row_of[self.row_of >= 0]] = np.flatnonzero(self.row_of >= 0)
        for row in np.unique(rows):
            drive.problems.add(message, int(lines[of[row]]), "lane")

    def rows(self, section: IndexArray, lane_id: IndexArray) -> IndexArray:
        """The rows of lanes, intp[n]; -1 where there is none."""
        if not len(self.lanes):
            return np.full(np.shape(section), -1)
        row = np.minimum(np.searchsorted(self._keys, _lane_key(section, lane_id)), len(self.lanes) - 1)
        is_there = (self._keys[row] == _lane_key(section, lane_id)) & (section >= 0) & (np.abs(lane_id) <= MAX_LANE_ID)
        return np.where(is_there, row, -1)

    def road_rows(self, ids: AnyArray) -> IndexArray:
        """The rows of roads by their ids, intp[n]; -1 where there is none."""
        order = np.argsort(self.roads["id"])
        known = self.roads["id"][order]
        at = np.minimum(np.searchsorted(known, ids), len(known) - 1)
        return np.where(known[at] == ids, order[at], -1)

    def sections_at(self, road: IndexArray, s: FloatArray) -> IndexArray:
        """The sections of roads at s, intp[n]; -1 where there is none."""
        found = self._sections.find(road, s)
        at = self.sections[found]
        if len(self.sections):
            return np.where((found >= 0) & (s >= at["s"]) & (s <= at["s_end"]), found, -1)
        return found

    # --- points -------------------------------------------------------------------------------------------------

    def borders(self, lane: IndexArray, s: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """t of the inner border and its derivative, and those of the outer one; float64[n] each."""
        return *self._borders.values(self._inner[lane], s), *self._borders.values(lane, s)

    def middle(self, section: IndexArray, s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """t of the centre lane of sections, and its derivative."""
        return self._borders.values(section + len(self.lanes), s)

    def place(
        self,
        road: IndexArray,
        s: FloatArray,
        t: FloatArray,
        dt: FloatArray | float = 0.0,
        found_at: FloatArray | None = None,
    ) -> Track:
        """Points of roads at s and t, where t changes by `dt` with s; by the formulas that hold at `found_at`."""
        point = self.line.at(road, s, found_at)
        z, dz = self._elevation.values(road, s, found_at)
        cos, sin = np.cos(point.heading), np.sin(point.heading)
        if self._is_tilted:
            tilt, change = self._tilt.values(road, s, found_at)
            flat = np.cos(tilt)
            rise = np.sin(tilt)
            z, dz = z + t * rise, dz + dt * rise + t * flat * change
            t, dt = t * flat, dt * flat - t * rise * change
        along = point.speed * (1 - point.curvature * t)
        dx, dy = along * cos - dt * sin, along * sin + dt * cos
        return Track(point.x - t * sin, point.y + t * cos, z, dx, dy, np.asarray(dz))

    def centre(self, lane: IndexArray, s: FloatArray) -> tuple[Track, FloatArray, FloatArray]:
        """Points of the centres of lanes at s, half their width, and the derivative of that."""
        inner, d_inner, outer, d_outer = self.borders(lane, s)
        side = self.side[lane]
        road = self.lanes["road"][lane].astype(np.intp)
        t = (inner + outer) / 2
        dt = (d_inner + d_outer) / 2
        track = self.place(road, s, t, dt, self.before_end(lane, s))
        return track, side * (outer - inner) / 2, side * (d_outer - d_inner) / 2

    def before_end(self, lane: IndexArray, s: FloatArray) -> FloatArray:
        """s, but at the end of a lane and behind it an s just before: what holds there goes on to the end."""
        end = self.lanes["s_end"][lane]
        return np.where(s < end, s, np.maximum(end - _LEFT, self.lanes["s_begin"][lane]))

    def breaks(self) -> tuple[IndexArray, FloatArray]:
        """Sections and s at which the formula of some point of them changes, their begins among them; ordered."""
        sections = self.sections
        road = sections["road"].astype(np.intp)
        begin, end = sections["s"], sections["s_end"]
        found = []
        for each in (self.line.parts, self._elevation, self._tilt):
            found.append(_starts_within(each, road, begin, end))
        owner = self._borders.owner
        at_lane = owner < len(self.lanes)
        section = owner - len(self.lanes)
        section[at_lane] = self.lanes["section"][owner[at_lane]]
        found.append((section, self._borders.s))
        return _ordered(*(np.concatenate(each) for each in zip(*found, strict=True)))


def build_surface(drive: OpenDrive) -> Surface:
    """The lanes of what was read; says as problems what is left out. Raises `MapError`."""
    roads = drive.roads.table()
    geometries = drive.geometries.table()
    begin = np.full(len(roads), np.inf)
    end = np.full(len(roads), -np.inf)
    road = geometries["road"].astype(np.intp)
    np.minimum.at(begin, road, geometries["s"])
    np.maximum.at(end, road, geometries["s"] + geometries["length"])
    for row in np.flatnonzero((end < roads["length"] - _GAP) | (begin > _GAP)):
        drive.leave_out_road(
            int(row), say("The geometry does not reach along the whole road"), int(roads["line"][row]), "road"
        )
    for row in np.unique(road[has_wrong_length(geometries)]):
        drive.leave_out_road(
            int(row), say("A geometry is not nearly as long as it says"), int(roads["line"][row]), "road"
        )
    sound = np.ones(len(roads), bool)
    sound[sorted(drive.broken)] = False
    line = ReferenceLine(geometries[sound[road]], len(roads))
    found = drive.sections.table()
    order = np.lexsort((found["s"], found["road"]))
    order = order[sound[found["road"][order].astype(np.intp)]]
    sections = np.zeros(len(order), row_type("road:i4 s s_end"))
    sections["road"], sections["s"] = found["road"][order], found["s"][order]
    sections["s_end"] = roads["length"][sections["road"]]
    follows = np.flatnonzero(sections["road"][1:] == sections["road"][:-1])
    sections["s_end"][follows] = np.minimum(sections["s"][follows + 1], sections["s_end"][follows])
    is_long = sections["s_end"] > sections["s"]
    for row in order[~is_long][:1]:
        message = say("The lane section has no length: it is left out, as are all such sections.")
        drive.problems.add(message, int(found["line"][row]), "laneSection")
    section_of = np.full(len(found) + 1, -1)
    section_of[order[is_long]] = np.arange(int(is_long.sum()))
    lanes = drive.lanes.table()["section"].astype(np.intp)
    surface = Surface(drive, sections[is_long], section_of[lanes], line)
    if np.diff(surface.first_lane)[surface.breaks()[0]].sum() > MAX_PIECES:
        raise MapError(say("The lanes of the map change at more places than can be read."))
    return surface


_GAP = 0.1  # m
_LEFT = 1e-7  # m


def _lane_key(section: IndexArray, lane_id: IndexArray) -> IntArray:
    """Orders lanes as the table does."""
    return np.asarray(section, np.int64) * (4 * MAX_LANE_ID) - np.asarray(lane_id, np.int64)


def _profile(drive: OpenDrive, rows: Rows, roads: StructuredArray, limit: float, element: str) -> Cubics:
    found = rows.table()
    cubics = Cubics(found["road"].astype(np.intp), found["s"], _coefficients(found), len(roads))
    cubics, poor = cubics.limited(roads["length"], limit)
    for road in np.unique(poor):
        message = say(
            "Values of road {road:.0f} are too large to be meant: they are taken for 0.", road=roads["id"][road]
        )
        drive.problems.add(message, int(roads["line"][road]), element)
    return cubics


def _speeds(drive: OpenDrive, lanes: StructuredArray, order: IndexArray) -> FloatArray:
    """The limit at the begin of each lane: its own, else that of the road; NaN where there is none."""
    of_road = drive.road_speeds.table()
    road = lanes["road"].astype(np.intp)
    s = lanes["s_begin"]
    zeros = np.zeros((len(of_road), 3))
    speeds = Cubics(
        of_road["road"].astype(np.intp), of_road["s"], np.column_stack([of_road["speed"], zeros]), len(drive.roads)
    )
    found = np.where(speeds.find(road, s) >= 0, speeds.values(road, s)[0], np.nan)
    of_lane = drive.lane_speeds.table()
    own = np.full(len(drive.lanes), np.nan)
    by_offset = of_lane[np.argsort(-of_lane["offset"], kind="stable")]
    own[by_offset["lane"].astype(np.intp)] = by_offset["speed"]
    return np.where(np.isnan(own[order]), found, own[order])


def _coefficients(rows: StructuredArray) -> FloatArray:
    return np.stack([rows[name] for name in "abcd"], axis=-1)


def _leading(coefficients: FloatArray) -> FloatArray:
    """The first coefficient of each row that is not 0."""
    first = np.argmax(coefficients != 0, axis=1)
    return np.asarray(coefficients[np.arange(len(coefficients)), first])


def _pieces_of(cubics: Intervals, owners: IndexArray) -> tuple[IndexArray, FloatArray]:
    """The rows of owners: the number of the owner in `owners`, and s."""
    first = cubics.first[owners]
    which, number = repeated(cubics.first[owners + 1] - first)
    return which, cubics.s[first[which] + number]


def _starts_within(
    cubics: Intervals, owners: IndexArray, begin: FloatArray, end: FloatArray
) -> tuple[IndexArray, FloatArray]:
    """Rows of owners that begin between `begin` and `end`, and one at each `begin`: number in `owners`, s; ordered."""
    which, s = _pieces_of(cubics, owners)
    within = (s > begin[which]) & (s < end[which])
    return _ordered(np.append(np.arange(len(owners)), which[within]), np.append(begin, s[within]))


def _merged(
    one: tuple[IndexArray, FloatArray], other: tuple[IndexArray, FloatArray], begin: FloatArray
) -> tuple[IndexArray, FloatArray]:
    """All rows of both, and one at each begin."""
    which = np.concatenate([np.arange(len(begin)), one[0], other[0]])
    return _ordered(which, np.concatenate([begin, one[1], other[1]]))


def _ordered(owner: IndexArray, s: FloatArray) -> tuple[IndexArray, FloatArray]:
    """Ordered by owner, then s, each once."""
    order = np.lexsort((s, owner))
    owner, s = owner[order], s[order]
    new = begins(owner, s)
    return owner[new], s[new]
