"""The text of `show_recorder_file_info`, read back: the inverse of `info`, with the same templates for each release.

The text has six digits of each number, and not all fields; what it does not have is not made up here.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, BinaryIO, NamedTuple

from .. import resources
from ..errors import RecorderError
from ..format import MAX_RECORDS, NEWEST, VEHICLE_LIGHTS
from ..format.packets import DOORS
from ..texts import say
from .info import LIGHT_ORDER, WEATHER, WEATHER_TITLE, weather_line
from .text import FAMILIES, Family

_TABLE = resources.table("reports")
_LONGEST_LINE = 1 << 20
"""Bytes of a line; the longest one of a recorder, of an attribute of 65,535 bytes, is far below."""

_MOST_VEHICLES = 1_000

_INTEGER = r"(-?\d{1,20})"
_NUMBER = r"(-?(?:\d{1,40}(?:\.\d{0,40})?(?:e[-+]\d{1,3})?|inf|nan))"
_PARTS = {"%d": _INTEGER, "%g": _NUMBER}
_READERS: Mapping[str, Callable[[str], int | float]] = {"%d": int, "%g": float}

_EVENT_STARTS = (" Create ", " Destroy ", " Parenting ", " Collision id ", " Current platform time: ")
_FRAME = re.compile(rf"Frame {_INTEGER} at {_NUMBER} seconds")
_TITLE = re.compile(rf" ([^ :][^:]{{0,80}}): {_INTEGER}")
_ID = re.compile(rf"  Id: {_INTEGER}")
_CREATION = re.compile(rf" Create {_INTEGER}: (.*) \({_INTEGER}\) at \({_NUMBER}, {_NUMBER}, {_NUMBER}\)", re.DOTALL)
_VEHICLE = re.compile(r" Create \d{1,10}: (vehicle\.[\w.-]{1,80}) \(")
_DESTRUCTION = re.compile(rf" Destroy {_INTEGER}")
_ATTACHMENT = re.compile(rf" Parenting {_INTEGER} with {_INTEGER} \(parent\)")
_COLLISION = re.compile(
    rf" Collision id {_INTEGER} between {_INTEGER}( \(hero\) )? with {_INTEGER}( \(hero\) )?", re.DOTALL
)
_STATE = re.compile(rf"  Id: {_INTEGER} state: (.) frozen: {_INTEGER} elapsedTime: {_NUMBER}", re.DOTALL)
_SCENE_LIGHT = re.compile(
    rf"  Id: {_INTEGER} enabled: (True|False) intensity: {_NUMBER} RGB_color: \({_NUMBER}, {_NUMBER}, {_NUMBER}\)"
)
_VEHICLE_LIGHT = re.compile(rf"  Id: {_INTEGER} (.*)")
_DOOR = re.compile(r"  Doors opened: (.*)", re.DOTALL)
_BONE = re.compile(
    rf'     Bone: "(.*)" relative: Loc\({_NUMBER}, {_NUMBER}, {_NUMBER}\) Rot\({_NUMBER}, {_NUMBER}, {_NUMBER}\)',
    re.DOTALL,
)
_PLATFORM_TIME = re.compile(rf" Current platform time: {_NUMBER}")
_POINT = re.compile(rf" \({_NUMBER}, {_NUMBER}\)")

_PACKETS: Mapping[str, str] = {
    **{record["title"]: name for name, record in _TABLE["records"].items() if record["title"]},
    WEATHER_TITLE: WEATHER,
}
"""The packets by their titles."""

_LIGHTS = {VEHICLE_LIGHTS[bit]: bit for bit in LIGHT_ORDER}
_DOOR_NUMBERS = {f" {name.title()} ": number for number, name in DOORS.items()}
_UNKNOWN_DOOR = 0xFF

Values = tuple[Any, ...]
"""The values of a record of fixed size, in the order of its fields."""


class ReportError(RecorderError):
    """A text is no report of all packets, or a line of it is wrong."""


class UnfinishedReport(Exception):
    """The text ends in the middle of a packet."""


@dataclass
class ReportPacket:
    """A packet of a report.

    Attributes:
        name: Its name.
        records: Its records: `Values`, or nested dictionaries where records differ in size.
        line: The number of its first line.
    """

    name: str
    records: list[Any]
    line: int


@dataclass
class ReportFrame:
    """A frame of a report.

    Attributes:
        frame_id: Its id.
        elapsed: Its time, s.
        packets: The packets that are printed, in the order of the text.
    """

    frame_id: int
    elapsed: float
    packets: list[ReportPacket] = field(default_factory=list)


class ReportTraits(NamedTuple):
    """What a whole report shows of the release that wrote it.

    Attributes:
        family: The release whose lines it has.
        version: The version of the file header.
        map_name: The map.
        date: The date, as it is printed.
        titles: The titles of packets that are in it.
        has_old_sensors: Sensors have no class of their own.
        vehicles: Blueprints of vehicles, the first ones of many.
        is_unreal_5: It has physics of Unreal 5.
        frames: The number of frames.
    """

    family: Family
    version: int
    map_name: str
    date: str
    titles: frozenset[str]
    has_old_sensors: bool
    vehicles: frozenset[str]
    is_unreal_5: bool
    frames: int


class _Lines:
    """The lines of a text, without their ends, one of which can be looked at before it is taken.

    Attributes:
        number: The number of the line that was taken last, from 1.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.number = 0
        self._stream = stream
        self._next: str | None = None
        self._is_read = False

    def peek(self) -> str | None:
        """Return the next line; None at the end. Raises `ReportError`."""
        if not self._is_read:
            self._next = self._read()
            self._is_read = True
        return self._next

    def take(self) -> str | None:
        """Return the next line and go behind it; None at the end. Raises `ReportError`."""
        line = self.peek()
        self._is_read = False
        if line is not None:
            self.number += 1
        return line

    def put_back(self, line: str) -> None:
        """Have the rest of the line that was taken last as the next one."""
        self._next = line
        self._is_read = True
        self.number -= 1

    def need(self) -> str:
        """Return the next line of a packet. Raises `UnfinishedReport` at the end."""
        line = self.take()
        if line is None:
            raise UnfinishedReport
        return line

    def wrong(self) -> Exception:
        """Return the error that the line that was taken last is not what a report has there; the last one is cut."""
        if self.peek() is None:
            return UnfinishedReport()
        return ReportError(say("Line {line:,}: this is not a line that a report has here.", line=self.number))

    def match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """Take a line of a packet that has a form. Raises `ReportError`, `UnfinishedReport`."""
        match = pattern.fullmatch(self.need())
        if match is None:
            raise self.wrong()
        return match

    def _read(self) -> str | None:
        data = self._stream.readline(_LONGEST_LINE + 2)
        if not data:
            return None
        if len(data) > _LONGEST_LINE:
            raise ReportError(
                say("Line {line:,}: it has more than {most:,} bytes.", line=self.number + 1, most=_LONGEST_LINE)
            )
        return data.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "surrogateescape")


# --- what a report shows ------------------------------------------------------------------------------------


def read_traits(stream: BinaryIO) -> ReportTraits:
    """Read all of a report, and return what it shows of its release.

    Args:
        stream: The text, from its beginning.

    Raises:
        ReportError: It is no report, or has not all packets.
        OSError: It cannot be read.
    """
    lines = _Lines(stream)
    version, map_name, date = _header(lines)
    titles: set[str] = set()
    family: Family | None = None
    has_old_sensors = False
    vehicles: set[str] = set()
    is_unreal_5 = False
    frames = 0
    empty = 0  # lines before this one
    has_unexplained = False
    line = lines.take()
    while line is not None:
        if line.startswith("Frame "):
            frames += 1
        elif line.startswith("  Id: "):
            family = family or _family_of(line)
        elif line.startswith("   max_torque = "):
            is_unreal_5 = True
        elif line.startswith(" Create "):
            has_old_sensors |= ": sensor." in line and " (0) at " in line
            match = _VEHICLE.match(line)
            if match is not None and len(vehicles) < _MOST_VEHICLES:
                vehicles.add(match[1])
        elif line.startswith("Frames: "):
            has_unexplained |= _has_unexplained(empty, titles)
        elif line.startswith(" ") and not line.startswith("  "):
            match = _TITLE.fullmatch(line)
            if match is not None and match[1] in _PACKETS:
                titles.add(_PACKETS[match[1]])
        if line:
            empty = 0
        else:
            empty += 1
        line = lines.take()
    if "Position" not in titles:
        raise ReportError(
            say("This report lists events alone; it has to be made with show_all=True (info --all prints it).")
        )
    if has_unexplained or WEATHER in titles:
        family = "newest"
    return ReportTraits(
        family=family or FAMILIES[-2],
        version=version,
        map_name=map_name,
        date=date,
        titles=frozenset(titles),
        has_old_sensors=has_old_sensors,
        vehicles=frozenset(vehicles),
        is_unreal_5=is_unreal_5,
        frames=frames,
    )


def _has_unexplained(empty: int, titles: Collection[str]) -> bool:
    """Whether there are more empty lines before the last ones than packets with a title leave."""
    explained = 1
    if "WalkerBones" in titles:
        explained = 2
    return empty > explained


def _header(lines: _Lines) -> tuple[int, str, str]:
    """Read version, map and date."""
    texts = []
    for label in ("Version", "Map", "Date"):
        line = lines.take() or ""
        if lines.number == 0:
            raise ReportError(say("The file is empty."))
        if lines.number == 1:
            line = line.removeprefix("\ufeff")
        if not line.startswith(f"{label}: "):
            raise ReportError(
                say(
                    "This is not the text of show_recorder_file_info in UTF-8: “{label}:” is missing in line {line}.",
                    label=label,
                    line=lines.number,
                )
            )
        texts.append(line.removeprefix(f"{label}: "))
    version, map_name, date = texts
    if not re.fullmatch("[0-9]{1,5}", version):
        raise ReportError(say("Line {line:,}: this is not a line that a report has here.", line=1))
    return int(version), map_name, date


def _family_of(line: str) -> Family | None:
    """Return the oldest release that prints a line of Position like this; None for other lines."""
    for release, template in _TABLE["records"]["Position"]["lines"].items():
        if _pattern(template).fullmatch(line) is not None:
            return next(family for family in FAMILIES if family == release)
    return None


# --- reading frames -----------------------------------------------------------------------------------------


class InfoReader:
    """Reads the frames of a report.

    Attributes:
        left_out: The number of records that are left out, by the title of the packet.
        is_cut: The text ends without its last lines; a packet that it ends in is left out, and so is its frame.
    """

    def __init__(self, stream: BinaryIO, traits: ReportTraits) -> None:
        """Read a report from its beginning; raises `ReportError` if it is none."""
        self.left_out: Counter[str] = Counter()
        self.is_cut = True
        self._lines = _Lines(stream)
        self._is_unreal_5 = traits.is_unreal_5
        self._patterns = _record_patterns(traits.family)
        _header(self._lines)

    def frames(self) -> Iterator[ReportFrame]:
        """Yield the frames.

        Raises:
            ReportError: A line is wrong.
            OSError: The text cannot be read.
        """
        frame: ReportFrame | None = None
        line = self._lines.take()
        while line is not None and not line.startswith("Frames: "):
            match = _FRAME.fullmatch(line)
            if match is not None:
                if frame is not None:
                    yield frame
                frame = ReportFrame(int(match[1]), float(match[2]))
            elif line:
                try:
                    self._add(frame, line)
                except UnfinishedReport:
                    return
            line = self._lines.take()
        self.is_cut = line is None
        if frame is not None:
            yield frame

    def _add(self, frame: ReportFrame | None, line: str) -> None:
        """Add what begins with a line to a frame."""
        if frame is None:
            raise self._lines.wrong()
        start = self._lines.number
        event = self._event(line)
        if event is not None:
            name, record = event
            if not frame.packets or frame.packets[-1].name != name:
                frame.packets.append(ReportPacket(name, [], start))
            records = frame.packets[-1].records
            if len(records) == MAX_RECORDS:
                raise _too_many(start)
            records.append(record)
            return
        platform_time = _PLATFORM_TIME.fullmatch(line)
        if platform_time is not None:
            frame.packets.append(ReportPacket("PlatformTime", [(float(platform_time[1]),)], start))
            return
        match = _TITLE.fullmatch(line)
        if match is None:
            raise self._lines.wrong()
        number = int(match[2])
        if not 0 <= number <= MAX_RECORDS:
            raise _too_many(start)
        name = _PACKETS.get(match[1], "")
        if not self._is_read(name):
            self.left_out[match[1]] += number
            self._skip()
            return
        packet = ReportPacket(name, [], start)
        for _ in range(number):
            packet.records.append(self._record(name))
        frame.packets.append(packet)

    def _is_read(self, name: str) -> bool:
        """Whether a packet of a name (empty: an unknown one) is read; lines of physics of Unreal 5 hold raw bytes."""
        if self._is_unreal_5 and _RECORDS.get(name) is InfoReader._physics:
            return False
        return name in _RECORDS or name in self._patterns

    def _skip(self) -> None:
        """Skip the lines of a packet that is not read."""
        line = self._lines.peek()
        while line and not line.startswith("Frame ") and not _begins_packet(line):
            self._lines.take()
            line = self._lines.peek()

    def _event(self, line: str) -> tuple[str, Any] | None:
        """Return the packet and the record of an event; None for other lines."""
        if line.startswith(" Create "):
            return "EventAdd", self._creation(line)
        if line.startswith(" Destroy "):
            return "EventDel", _integers(self._matched(_DESTRUCTION, line))
        if line.startswith(" Parenting "):
            return "EventParent", _integers(self._matched(_ATTACHMENT, line))
        if line.startswith(" Collision id "):
            match = self._matched(_COLLISION, line)
            heroes = (match[3] is not None, match[5] is not None)
            return "Collision", (int(match[1]), int(match[2]), int(match[4]), *heroes)
        return None

    def _matched(self, pattern: re.Pattern[str], line: str) -> re.Match[str]:
        match = pattern.fullmatch(line)
        if match is None:
            raise self._lines.wrong()
        return match

    def _creation(self, line: str) -> dict[str, Any]:
        match = self._matched(_CREATION, line)
        attributes = []
        following = self._lines.peek()
        while following is not None and following.startswith("  "):
            name, sign, value = self._lines.need()[2:].partition(" = ")
            if not sign:
                raise self._lines.wrong()
            attributes.append({"id": name, "value": value})
            following = self._lines.peek()
        return {
            "id": int(match[1]),
            "blueprint": match[2],
            "type": int(match[3]),
            "location": _vector(match, 4),
            "attributes": attributes,
        }

    def _record(self, name: str) -> Any:
        """Take the lines of a record."""
        read = _RECORDS.get(name)
        if read is not None:
            return read(self)
        groups = self._lines.match(self._patterns[name]).groups()
        return tuple(reader(text) for reader, text in zip(_readers(name), groups, strict=True))

    def _traffic_light(self) -> Values:
        match = self._lines.match(_STATE)
        state = match[2].encode("utf-8", "surrogateescape")[0] - 0x30
        return (int(match[1]), int(match[3]), float(match[4]), (state + 0x80) % 0x100 - 0x80)

    def _vehicle_light(self) -> Values:
        match = self._lines.match(_VEHICLE_LIGHT)
        return (int(match[1]), self._lights(match[2]))

    def _scene_light(self) -> Values:
        match = self._lines.match(_SCENE_LIGHT)
        color = [float(match[group]) for group in (4, 5, 6)]
        return (int(match[1]), float(match[3]), *color, 1.0, match[2] == "True", 0)

    def _vehicle_door(self) -> Values:
        return (int(self._lines.match(_ID)[1]), self._door(), True)

    def _lights(self, text: str) -> int:
        lights = 0
        for name in text.split(" "):
            if name != "None":
                bit = _LIGHTS.get(name)
                if bit is None:
                    raise self._lines.wrong()
                lights |= bit
        return lights

    def _door(self) -> int:
        """Take the line of a door; an unknown door has neither a name nor the end of its line."""
        text = self._lines.match(_DOOR)[1]
        number = _DOOR_NUMBERS.get(text)
        if number is None:
            self._lines.put_back(text)
            return _UNKNOWN_DOOR
        return number

    def _skeleton(self) -> dict[str, Any]:
        actor = int(self._lines.match(_ID)[1])
        bones = []
        following = self._lines.peek()
        while following is not None and following.startswith("     Bone: "):
            match = self._lines.match(_BONE)
            rotation = [float(match[group]) for group in (5, 6, 7)]
            bones.append({"name": match[1], "location": _vector(match, 2), "rotation": rotation})
            following = self._lines.peek()
        return {"id": actor, "bones": bones}

    # --- physics of Unreal 4 ----------------------------------------------------------------------------

    def _physics(self) -> dict[str, Any]:
        record: dict[str, Any] = {"id": int(self._lines.match(_ID)[1])}
        for label, path in _TABLE["engine"].items():
            record[path] = float(self._value(label, _NUMBER)[1])
        record["use_gear_autobox"] = self._value("use_gear_auto_box", "(true|false)")[1] == "true"
        self._value("gear_switch_time", _NUMBER)
        for path in _TABLE["drive"]:
            record[path] = float(self._value(path, _NUMBER)[1])
        record["center_of_mass"] = _vector(self._value("center_of_mass", rf"\({_NUMBER}, {_NUMBER}, {_NUMBER}\)"), 1)
        record["torque_curve"] = self._curve("torque_curve", ("rpm", "torque"))
        record["steering_curve"] = self._curve("steering_curve", ("speed", "value"))
        record["forward_gears"] = self._elements("forward_gears", "gear", ("ratio", "down_ratio", "up_ratio"))
        record["wheels"] = self._elements("wheels", "wheel", _TABLE["wheel"], place="position")
        return record

    def _value(self, label: str, pattern: str) -> re.Match[str]:
        return self._lines.match(re.compile(f"   {label} = {pattern}"))

    def _curve(self, label: str, axes: tuple[str, str]) -> list[dict[str, float]]:
        text = self._lines.match(re.compile(f"   {label} =(.*)"))[1]
        points = []
        end = 0
        for match in _POINT.finditer(text):
            if match.start() != end:
                raise self._lines.wrong()
            end = match.end()
            points.append({axes[0]: float(match[1]), axes[1]: float(match[2])})
        if end != len(text):
            raise self._lines.wrong()
        return points

    def _elements(self, label: str, element: str, names: tuple[str, ...], place: str = "") -> list[dict[str, Any]]:
        """Take a list of gears or wheels, each a line."""
        self._lines.match(re.compile(f"   {label}:"))
        values = " ".join(f"{name} {_NUMBER}" for name in names)
        if place:
            values += rf" {place} \({_NUMBER}, {_NUMBER}, {_NUMBER}\)"
        pattern = re.compile(rf"    {element} \d{{1,10}}: {values}")
        elements = []
        following = self._lines.peek()
        while following is not None and following.startswith(f"    {element} "):
            match = self._lines.match(pattern)
            values_of_element: dict[str, Any] = {}
            for index, name in enumerate(names, 1):
                values_of_element[name] = float(match[index])
            if place:
                values_of_element[place] = _vector(match, len(names) + 1)
            elements.append(values_of_element)
            following = self._lines.peek()
        return elements


_RECORDS: Mapping[str, Callable[[InfoReader], Any]] = {
    "State": InfoReader._traffic_light,
    "VehicleLight": InfoReader._vehicle_light,
    "SceneLight": InfoReader._scene_light,
    "VehicleDoor": InfoReader._vehicle_door,
    "PhysicsControl": InfoReader._physics,
    "WalkerBones": InfoReader._skeleton,
}
"""What reads lines that are more than a format of the values, as `info` writes them."""


# --- forms of lines -----------------------------------------------------------------------------------------


def _pattern(template: str) -> re.Pattern[str]:
    """Return the form of the lines of a template of `%d` and `%g`."""
    escaped = re.escape(template.removesuffix("\n"))
    return re.compile(re.sub("%[dg]", lambda part: _PARTS[part[0]], escaped))


def _template_of(name: str, family: Family) -> str:
    """Return the line of a packet in a release; empty if it is more than a format of the values."""
    if name == WEATHER:
        return weather_line(NEWEST[4])
    template = ""
    for release in FAMILIES[: FAMILIES.index(family) + 1]:
        template = _TABLE["records"][name]["lines"].get(release, template)
    return template


def _record_patterns(family: Family) -> dict[str, re.Pattern[str]]:
    """Return the form of the lines of each packet in a release."""
    patterns = {}
    for name in (*_TABLE["records"], WEATHER):
        template = _template_of(name, family)
        if template:
            patterns[name] = _pattern(template)
    return patterns


@cache
def _readers(name: str) -> Sequence[Callable[[str], int | float]]:
    """Return what reads each value of a line of a packet."""
    template = _template_of(name, FAMILIES[-1])
    return [_READERS[part] for part in re.findall("%[dg]", template)]


def _too_many(line: int) -> ReportError:
    """Return the error that a packet has more records than its count can tell."""
    return ReportError(say("Line {line:,}: a packet has at most {most:,} records.", line=line, most=MAX_RECORDS))


def _begins_packet(line: str) -> bool:
    """Whether a line is the first one of a packet."""
    return line.startswith(_EVENT_STARTS) or _TITLE.fullmatch(line) is not None


def _integers(match: re.Match[str]) -> Values:
    return tuple(int(text) for text in match.groups())


def _vector(match: re.Match[str], first: int) -> dict[str, float]:
    """Return three numbers of a line, from a group on."""
    return {"x": float(match[first]), "y": float(match[first + 1]), "z": float(match[first + 2])}
