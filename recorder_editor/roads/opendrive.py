"""The elements of OpenDRIVE 1.4 to 1.7 as tables of numbers, as the file has them; nothing is computed.

What cannot be used is left out and told as a problem; a road of unknown shape or lanes is left out as a whole.
Not read, and without effect on lanes: the header's offset (the simulator's coordinates are those of the file), lane
heights, controllers, rails.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import MapError
from ..progress import SILENT, Progress
from ..texts import say
from .document import Attributes, ElementReader, Syntax
from .tables import MAX_PROBLEMS, MapProblem, Problems, Rows
from .vocabulary import LANE_TYPES, MARK_COLORS, MARK_TYPES

MAX_LANES = 500_000
MAX_LANE_ID = 255
MAX_SHAPES = 20_000
MAX_TEXT = 1 << 14
LARGEST_NUMBER = 1e7
"""Metres of a road, or from the origin; nor is anything else of a map as large."""

CLOTHOID = 0
CURVE = 1
CROSSWALK = 0
STOP_LINE = 1
TRAFFIC_LIGHT = 2
_PARTS_OF_ROAD = ("planView", "elevationProfile", "lateralProfile", "lanes", "objects", "signals")
_OF_LINE = "sOffset=0 length=0 space=0 tOffset=0 width=nan"
_PARAMETERS = ("aU", "bU", "cU", "dU", "aV", "bV", "cV", "dV")
_MARK_WIDTHS = {"bold": 0.25}
_MARK_WIDTH = 0.12
_ORIENTATIONS = {"+": 1, "-": -1}
_CONTACTS = {"start": 0, "end": 1}
_SPEED_UNITS = {"m/s": 1.0, "mph": 0.44704, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6}
_STOP_SIGNAL = "294"  # the stop line in the catalogue of German signs, which OpenDRIVE and the simulator use
_LIGHT_SIGNALS = frozenset(("F", "W", "A", "1000001", "1000002", *map(str, range(1000007, 1000021))))
"""What the simulator makes a traffic light of (`SignalType::IsTrafficLight`); its own maps have 1000001 alone."""


_Add = Callable[[Attributes], bool | None]


class _Unusable(Exception):
    """An element cannot be used; the message is the sentence."""


class OpenDrive:
    """The tables of a file, filled by `read`.

    `road`, `section`, `lane`, `mark`, `connection` and `object` are rows of the table of that name; an s is in metres
    along the road, `offset` behind the begin of the section. `signals` are stop lines and traffic lights,
    `signal_references` those of any signal, which may stand before it in the file; their `number` is the same for the
    same id, and -1 without one.

    Attributes:
        geo_reference: The PROJ string of the header, or empty.
        problems: What cannot be used.
        broken: The rows of roads that are left out.
    """

    def __init__(self) -> None:
        self.roads = Rows("id junction length is_left_hand line")
        self.geometries = Rows("road s x y heading length kind p0 p1 p2 p3 p4 p5 p6 p7 is_normalized")
        self.elevations = Rows("road s a b c d")
        self.superelevations = Rows("road s a b c d")
        self.lane_offsets = Rows("road s a b c d")
        self.road_speeds = Rows("road s speed")
        self.road_links = Rows("road is_successor is_junction id contact")
        self.sections = Rows("road s line")
        self.lanes = Rows("section id type line")
        self.lane_links = Rows("lane id is_successor")
        self.lane_speeds = Rows("lane offset speed")
        self.widths = Rows("lane offset a b c d is_border")
        self.marks = Rows("lane offset type color width is_bold")
        self.mark_lines = Rows("mark offset length space t width")
        self.connections = Rows("junction incoming connecting contact")
        self.connection_lanes = Rows("connection begin end")
        self.objects = Rows("kind road s t z heading length width")
        self.corners = Rows("object u v z is_local")
        self.signals = Rows("kind number road s t orientation")
        self.signal_lanes = Rows("signal begin end")
        self.signal_references = Rows("number road s")
        self.reference_lanes = Rows("reference begin end")
        self.geo_reference = ""
        self.broken: set[int] = set()
        self.problems = Problems()
        self._reader = ElementReader(self._syntax(), self._text)
        self._ids: dict[str, int] = {}
        self._signal_numbers: dict[str, int] = {}
        self._road_ids: list[int] = []
        self._known_roads: set[int] = set()
        self._geometry: list[float] | None = None
        self._reported: set[str] = set()
        self._junction = -1

    def leave_out_road(self, road: int, message: str, line: int | None = None, element: str | None = None) -> None:
        """Leave out a road; a problem is added for each one once.

        Args:
            road: The row of the road.
            message: The reason, a clause.
            line: The line of the file; None: where it is read.
            element: The element; None: the one that is read.
        """
        if road in self.broken:
            return
        self.broken.add(road)
        sentence = say("{reason}: road {road} is left out.", reason=message, road=self._road_ids[road])
        self._problem(sentence, line, element)

    def _problem(self, message: str, line: int | None = None, element: str | None = None) -> None:
        """Add a problem, without a line and an element at those that are read."""
        if line is None:
            line = self._reader.line
        if element is None:
            element = self._reader.element
        self.problems.add(message, line, element)

    def _problem_once(self, message: str) -> None:
        """Add a problem for the first of such elements."""
        if message not in self._reported and len(self._reported) < MAX_PROBLEMS:
            self._reported.add(message)
            self._problem(message)

    # --- reading ------------------------------------------------------------------------------------------------

    def read(self, source: Path | bytes, progress: Progress = SILENT) -> None:
        """Read a file; once only.

        Args:
            source: A path, or the bytes of the file.
            progress: Counts bytes.

        Raises:
            MapError: The file has no lanes, is no map, or has more than can be read.
            OSError: The file cannot be read.
            Cancelled: The user stopped it.
        """
        error = self._reader.read(source, progress)
        if error is not None:
            if not len(self.lanes):
                raise error
            if "road" in self._reader.contexts:
                self.leave_out_road(self._at_road, say("The file breaks off within it"), error.line, error.element)
            self._problem(say("{reason} What follows is left out.", reason=error.message), error.line, error.element)
        elif not len(self.lanes):
            raise MapError(say("The map has no lanes."), line=self._reader.line)

    def no_road_left(self) -> MapError:
        """Return the error of a map of which everything is left out."""
        problems = self.problems.all()
        if problems:
            first = problems[0]
        else:
            first = MapProblem(self._reader.line, "", say("It has no lanes."))
        message = say("No road of the map can be used. {reason}", reason=first.message)
        return MapError(message, line=first.line, element=first.element)

    def _text(self, context: str, text: str) -> None:
        if context == "geoReference" and len(self.geo_reference) < MAX_TEXT:
            self.geo_reference += text

    def _number(self, attributes: Attributes, name: str, default: float | None = None) -> float:
        """Return the number in an attribute; raise `_Unusable` if it is none, or is missing without a default."""
        text = attributes.get(name)
        if text is None or not text.strip():
            if default is None:
                raise _Unusable(say("The attribute {name} is missing", name=name))
            return default
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise _Unusable(say("{name} is {text}, which is no number", name=name, text=_short(text)))
        if abs(number) > LARGEST_NUMBER:
            raise _Unusable(say("{name} is {number:g}, too large to be meant", name=name, number=number))
        return number

    def _id(self, attributes: Attributes, name: str) -> int:
        """Return an id: a number in the simulator's maps; others get a number below -1."""
        text = attributes.get(name, "").strip()
        try:
            number = int(text)
        except ValueError:
            if not text:
                raise _Unusable(say("The attribute {name} is missing", name=name)) from None
        else:
            if abs(number) < 1 << 31:
                return number
        if text not in self._ids:
            number = -2 - len(self._ids)
            self._ids[text] = number
            self._problem(
                say("The id {text} is no number that fits; it is {number} here.", text=_short(text), number=number)
            )
        return self._ids[text]

    def _index(self, names: tuple[str, ...], attributes: Attributes, name: str, default: str) -> int:
        """Return the index of a word in `names`; that of the default, with a problem, for a word that is not known."""
        text = attributes.get(name) or default
        if text not in names:
            self._problem_once(
                say(
                    "The {name} {text} is not known; it is taken for {default}.",
                    name=name,
                    text=_short(text),
                    default=default,
                )
            )
            text = default
        return names.index(text)

    def _speed(self, attributes: Attributes) -> float:
        """Return a speed limit in m/s, NaN for none."""
        text = attributes.get("max", "")
        if text in ("no limit", "undefined", ""):
            return math.nan
        unit = attributes.get("unit") or "m/s"
        if unit not in _SPEED_UNITS:
            raise _Unusable(say("The unit {text} of a speed is not known", text=_short(unit)))
        speed = self._number(attributes, "max") * _SPEED_UNITS[unit]
        if speed >= 0:
            return speed
        return math.nan

    # --- elements -----------------------------------------------------------------------------------------------

    def _header(self, attributes: Attributes) -> None:
        major = attributes.get("revMajor", "1").strip()
        if major != "1":
            self._problem(say("The map is of OpenDRIVE {text}, and is read as one of 1.7.", text=_short(major)))

    def _road(self, attributes: Attributes) -> bool | None:
        id_ = self._id(attributes, "id")
        line = self._reader.line
        length = self._number(attributes, "length")
        if attributes.get("junction", "-1").strip() in ("", "-1"):
            junction = -1
        else:
            junction = self._id(attributes, "junction")
        if length <= 0:
            raise _Unusable(say("The length of road {road} is {length:g} m", road=id_, length=length))
        if id_ in self._known_roads:
            raise _Unusable(say("There is a road {road} already", road=id_))
        self._known_roads.add(id_)
        self._road_ids.append(id_)
        self._geometry = None
        self.roads.add(id_, junction, length, attributes.get("rule") == "LHT", line)
        return None

    @property
    def _at_road(self) -> int:
        return len(self.roads) - 1

    def _row(self, table: Rows, owner: Rows, names: str, *, flag: bool | None = None) -> _Add:
        """Return what adds a row of an element to a table.

        Args:
            table: The table.
            owner: The table of the element around it, the last row of which is the first column.
            names: The attributes of the next columns; `name=default` for one that may be missing.
            flag: The last column; None: the table has none.
        """
        wanted: list[tuple[str, float | None]] = []
        for part in names.split():
            name, _, default = part.partition("=")
            wanted.append((name, float(default) if default else None))

        def add(attributes: Attributes) -> None:
            row: list[float] = [len(owner) - 1]
            for name, default in wanted:
                row.append(self._number(attributes, name, default))
            if flag is not None:
                row.append(flag)
            table.append(row)

        return add

    def _road_link(self, is_successor: bool) -> _Add:
        """Return what adds a road that is joined, at the end or at the begin."""

        def add(attributes: Attributes) -> None:
            is_junction = attributes.get("elementType") == "junction"
            contact = _contact(attributes)
            id_ = self._id(attributes, "elementId")
            self.road_links.add(self._at_road, is_successor, is_junction, id_, contact)

        return add

    def _road_speed(self, attributes: Attributes) -> None:
        self.road_speeds.add(self._at_road, self._type_s, self._speed(attributes))

    def _road_type(self, attributes: Attributes) -> None:
        self._type_s = self._number(attributes, "s", 0.0)
        self.road_speeds.add(self._at_road, self._type_s, math.nan)

    def _geometry_begins(self, attributes: Attributes) -> None:
        values: list[float] = [self._at_road]
        for name in ("s", "x", "y", "hdg", "length"):
            values.append(self._number(attributes, name))
        if self._geometry is not None:
            raise _Unusable(say("A geometry has no shape that is known"))
        length = values[-1]
        if length > 0:
            self._geometry = values
        else:
            self._problem(say("The length of a geometry is {length:g} m: it is left out.", length=length))

    def _clothoid(self, *names: str) -> _Add:
        """Return what adds the geometry that was begun as a clothoid.

        Args:
            names: The attributes with its curvature at the begin and at the end; none for a line.
        """

        def add(attributes: Attributes) -> None:
            curvatures = [self._number(attributes, name) for name in names]
            if self._geometry is None:
                return
            largest = max(map(abs, curvatures), default=0.0)
            if largest * self._geometry[-1] > _MAX_TURN:
                raise _Unusable(say("A geometry turns more than a hundred times"))
            curvatures += [0.0] * (8 - len(curvatures))
            self._add_geometry(CLOTHOID, curvatures, 1)

        return add

    def _poly3(self, attributes: Attributes) -> None:
        """Add the geometry that was begun as a cubic, the parameter of which is u."""
        cubic = [self._number(attributes, name) for name in ("a", "b", "c", "d")]
        if self._geometry is None:
            return
        if _steepest(cubic[1:], self._geometry[-1]) > _MAX_SLOPE:
            raise _Unusable(say("A geometry is steeper than can be meant"))
        self._add_geometry(CURVE, [0.0, 1.0, 0.0, 0.0, *cubic], -1)

    def _param_poly3(self, attributes: Attributes) -> None:
        """Add the geometry that was begun as two cubics, the parameter of which is s, or goes from 0 to 1."""
        cubics = [self._number(attributes, name) for name in _PARAMETERS]
        if self._geometry is not None:
            self._add_geometry(CURVE, cubics, attributes.get("pRange", "normalized") != "arcLength")

    def _add_geometry(self, kind: int, numbers: Sequence[float], parameter: float) -> None:
        """Add the geometry that was begun.

        Args:
            kind: `CLOTHOID` or `CURVE`.
            numbers: Its eight numbers.
            parameter: What the parameter of a curve is: -1 u, 0 s, 1 a share.
        """
        assert self._geometry is not None
        row = self._geometry
        row.append(kind)
        row += numbers
        row.append(parameter)
        self.geometries.append(row)
        self._geometry = None

    def _not_read(self, message: str) -> _Add:
        """Return what adds a problem, once, for an element that is not read and has an effect."""

        def check(attributes: Attributes) -> bool:
            if any(_nonzero(attributes.get(name)) for name in "abcd"):
                self._problem_once(message)
            return False

        return check

    def _section(self, attributes: Attributes) -> None:
        self.sections.add(self._at_road, max(self._number(attributes, "s"), 0.0), self._reader.line)
        if attributes.get("singleSide") == "true":
            self._problem_once(say("Lane sections of a single side are read as those of both."))

    def _lane(self, attributes: Attributes) -> None:
        id_ = self._number(attributes, "id")
        if id_ != int(id_) or abs(id_) > MAX_LANE_ID:
            text = _short(attributes["id"])
            raise _Unusable(say("The id {text} of a lane is none up to {most}", text=text, most=MAX_LANE_ID))
        if len(self.lanes) >= MAX_LANES:
            self._reader.refuse(say("The map has more than {most:,} lanes.", most=MAX_LANES))
        type_ = self._index(LANE_TYPES, attributes, "type", "none")
        self.lanes.add(len(self.sections) - 1, id_, type_, self._reader.line)

    def _lane_speed(self, attributes: Attributes) -> None:
        self.lane_speeds.add(len(self.lanes) - 1, self._number(attributes, "sOffset", 0.0), self._speed(attributes))

    def _mark(self, attributes: Attributes) -> None:
        weight = attributes.get("weight", "standard")
        width = self._number(attributes, "width", _MARK_WIDTHS.get(weight, _MARK_WIDTH))
        type_ = self._index(MARK_TYPES, attributes, "type", "none")
        color = self._index(MARK_COLORS, attributes, "color", "standard")
        offset = self._number(attributes, "sOffset", 0.0)
        self.marks.add(len(self.lanes) - 1, offset, type_, color, max(width, 0.0), weight == "bold")

    def _junction_begins(self, attributes: Attributes) -> None:
        self._junction = self._id(attributes, "id")

    def _connection(self, attributes: Attributes) -> None:
        name = "connectingRoad" if "connectingRoad" in attributes else "linkedRoad"  # of direct junctions
        incoming = self._id(attributes, "incomingRoad")
        connecting = self._id(attributes, name)
        self.connections.add(self._junction, incoming, connecting, _contact(attributes))

    def _object(self, attributes: Attributes) -> bool | None:
        if len(self.objects) >= MAX_SHAPES:
            return False
        type_ = attributes.get("type", "").lower()
        text = f"{type_} {attributes.get('subtype', '')} {attributes.get('name', '')}".lower()
        if type_ == "crosswalk":
            kind = CROSSWALK
        elif "stopline" in text.replace("_", "").replace(" ", ""):
            kind = STOP_LINE
        else:
            return False
        row: list[float] = [kind, self._at_road]
        for name in ("s", "t", "zOffset", "hdg", "length", "width"):
            row.append(self._number(attributes, name, 0.0))
        self.objects.append(row)
        return None

    def _signal(self, attributes: Attributes) -> bool | None:
        type_ = attributes.get("type", "").strip()
        if type_ == _STOP_SIGNAL or "stopline" in attributes.get("name", "").lower():
            kind = STOP_LINE
        elif type_ in _LIGHT_SIGNALS:
            kind = TRAFFIC_LIGHT
        else:
            return False
        if len(self.signals) >= MAX_SHAPES:
            return False
        s = self._number(attributes, "s", 0.0)
        t = self._number(attributes, "t", 0.0)
        orientation = _ORIENTATIONS.get(attributes.get("orientation", ""), 0)
        self.signals.add(kind, self._signal_number(attributes), self._at_road, s, t, orientation)
        return None

    def _signal_reference(self, attributes: Attributes) -> bool | None:
        if len(self.signal_references) >= MAX_SHAPES:
            return False
        s = self._number(attributes, "s", 0.0)
        self.signal_references.add(self._signal_number(attributes), self._at_road, s)
        return None

    def _signal_number(self, attributes: Attributes) -> int:
        """Return the number of the signal of an id, which may be any text; -1 without one."""
        text = attributes.get("id", "").strip()
        if not text:
            return -1
        return self._signal_numbers.setdefault(text, len(self._signal_numbers))

    def _syntax(self) -> Syntax:
        """Return what elements mean; without those that are vital a road is left out."""
        crossfall = say(
            "The crossfall and the shape of roads across are not read: those roads are as if they were flat."
        )
        vital: dict[tuple[str, str], tuple[str, _Add]] = {
            ("planView", "geometry"): ("geometry", self._geometry_begins),
            ("geometry", "line"): ("end", self._clothoid()),
            ("geometry", "arc"): ("end", self._clothoid("curvature", "curvature")),
            ("geometry", "spiral"): ("end", self._clothoid("curvStart", "curvEnd")),
            ("geometry", "poly3"): ("end", self._poly3),
            ("geometry", "paramPoly3"): ("end", self._param_poly3),
            ("lanes", "laneSection"): ("laneSection", self._section),
            ("lanes", "laneOffset"): ("end", self._row(self.lane_offsets, self.roads, "s a b c d")),
            ("side", "lane"): ("lane", self._lane),
        }
        others: dict[tuple[str, str], tuple[str, _Add]] = {
            ("OpenDRIVE", "header"): ("header", self._header),
            ("OpenDRIVE", "road"): ("road", self._road),
            ("road.link", "predecessor"): ("end", self._road_link(False)),
            ("road.link", "successor"): ("end", self._road_link(True)),
            ("road", "type"): ("type", self._road_type),
            ("type", "speed"): ("end", self._road_speed),
            ("elevationProfile", "elevation"): ("end", self._row(self.elevations, self.roads, "s a b c d")),
            ("lateralProfile", "superelevation"): ("end", self._row(self.superelevations, self.roads, "s a b c d")),
            ("lateralProfile", "crossfall"): ("end", self._not_read(crossfall)),
            ("lateralProfile", "shape"): ("end", self._not_read(crossfall)),
            ("lane", "width"): ("end", self._row(self.widths, self.lanes, "sOffset=0 a b c d", flag=False)),
            ("lane", "border"): ("end", self._row(self.widths, self.lanes, "sOffset=0 a b c d", flag=True)),
            ("lane.link", "predecessor"): ("end", self._row(self.lane_links, self.lanes, "id", flag=False)),
            ("lane.link", "successor"): ("end", self._row(self.lane_links, self.lanes, "id", flag=True)),
            ("lane", "speed"): ("end", self._lane_speed),
            ("lane", "roadMark"): ("roadMark", self._mark),
            ("mark.lines", "line"): ("end", self._row(self.mark_lines, self.marks, _OF_LINE)),
            ("OpenDRIVE", "junction"): ("junction", self._junction_begins),
            ("junction", "connection"): ("connection", self._connection),
            ("connection", "laneLink"): ("end", self._row(self.connection_lanes, self.connections, "from to")),
            ("objects", "object"): ("object", self._object),
            ("outline", "cornerLocal"): ("end", self._row(self.corners, self.objects, "u=0 v=0 z=0", flag=True)),
            ("outline", "cornerRoad"): ("end", self._row(self.corners, self.objects, "s=0 t=0 dz=0", flag=False)),
            ("signals", "signal"): ("signal", self._signal),
            ("signal", "validity"): ("end", self._row(self.signal_lanes, self.signals, "fromLane toLane")),
            ("signals", "signalReference"): ("signalReference", self._signal_reference),
            ("signalReference", "validity"): (
                "end",
                self._row(self.reference_lanes, self.signal_references, "fromLane toLane"),
            ),
        }
        syntax: dict[tuple[str, str], tuple[str, _Add | None]] = {
            ("", "OpenDRIVE"): ("OpenDRIVE", None),
            ("header", "geoReference"): ("geoReference", None),
            ("road", "link"): ("road.link", None),
            ("lane", "link"): ("lane.link", None),
            ("laneSection", "left"): ("side", None),
            ("laneSection", "center"): ("side", None),
            ("laneSection", "right"): ("side", None),
            ("roadMark", "type"): ("mark.lines", None),
            ("roadMark", "explicit"): ("mark.lines", None),
            ("object", "outline"): ("outline", None),
            ("object", "outlines"): ("object", None),
        }
        for name in _PARTS_OF_ROAD:
            syntax["road", name] = (name, None)
        for key, (context, add) in vital.items():
            syntax[key] = (context, self._usable(add, is_vital=True))
        for key, (context, add) in others.items():
            syntax[key] = (context, self._usable(add, is_vital=False))
        return syntax

    def _usable(self, add: _Add, *, is_vital: bool) -> _Add:
        """Return a function that adds a problem if an element cannot be used, or leaves out its road if it is vital."""

        def guarded(attributes: Attributes) -> bool | None:
            try:
                return add(attributes)
            except _Unusable as error:
                if is_vital:
                    self.leave_out_road(self._at_road, error.args[0])
                else:
                    self._problem(say("{reason}: it is left out.", reason=error.args[0]))
                return False

        return guarded


_MAX_TURN = 2 * math.pi * 100
_MAX_SLOPE = 1e3


def _steepest(slopes: list[float], length: float) -> float:
    """Return a bound for the slope of a cubic, of b, c and d."""
    b, c, d = slopes
    return abs(b) + 2 * abs(c) * length + 3 * abs(d) * length**2


def _contact(attributes: Attributes) -> int:
    """Return the end of the other road: 0 start, 1 end, -1 not told."""
    return _CONTACTS.get(attributes.get("contactPoint", ""), -1)


def _nonzero(text: str | None) -> bool:
    """Whether a text is no number, or one that is not 0."""
    try:
        return float(text or 0) != 0
    except ValueError:
        return True


def _short(text: str) -> str:
    """Return a text of the file as it may stand in a sentence."""
    if len(text) > 40:
        text = text[:40] + "..."
    return ascii(text)
