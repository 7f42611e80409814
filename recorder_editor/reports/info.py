"""`show_recorder_file_info`: events and, with `show_all`, the records of every packet.

Each release has a table of templates: a title, and a line for each record; `resources/reports.json` has them, each line
with the first release that prints it.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, SupportsInt

import numpy as np

from .. import resources
from ..arrays import StructuredArray
from ..format import DIALECTS, VEHICLE_LIGHTS, Body, Dialect, PacketType
from ..format.codec import Record
from ..format.packets import DOORS, dialect_line
from ..format.schema import Run, Struct
from ..progress import SILENT, Progress
from ..recording import RAW, Frame, Packet, Row, Snapshot
from ..recording.frames import NO_LAYOUT, Layouts
from ..recording.layout_filter import LayoutFilter
from .text import (
    FAMILIES,
    Family,
    family_of,
    format_fixed,
    format_general,
    read_rows,
    read_runs,
    report_footer,
    report_header,
    report_without_header,
    rows_with_events,
)

_TABLE = resources.table("reports")
_PIECE = 1 << 16
WEATHER = "Weather"
WEATHER_TITLE = "Weathers"
LIGHT_ORDER = (0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x100, 0x80, 0x200, 0x400)
"""The lights of vehicles in the order of the text."""
_EVENTS = ("born", "gone", "parent", "collision", "weather")


def info_report(
    snapshot: Snapshot,
    *,
    show_all: bool = False,
    family: Family | None = None,
    utc: bool = False,
    progress: Progress = SILENT,
) -> Iterator[bytes]:
    """Yield the text of `show_recorder_file_info(name, show_all)` in pieces.

    Not byte for byte: physics of UE5 of a server for Windows, or with pointers in a wheel, and ids that 0.9.4 does not
    know.

    Args:
        snapshot: The recording.
        show_all: The records of every packet are printed, not events alone.
        family: The release of the server that prints it; None: the one that wrote the recording.
        utc: The date is in UTC, not in local time.
        progress: Counts rows.

    Raises:
        Cancelled: The user cancelled it.
    """
    if snapshot.header is None:
        yield report_without_header(snapshot)
        return
    yield report_header(snapshot, utc=utc)
    writer = _InfoWriter(family or family_of(snapshot), show_all, snapshot.dialect)
    if writer.needs_all:
        needed = LayoutFilter(lambda layout: not writer.is_plain(snapshot.layouts, layout))
        rows: Iterator[Row | StructuredArray] = read_runs(snapshot, needed, progress)
    else:
        rows = read_rows(snapshot, rows_with_events(snapshot, _EVENTS, progress), progress)
    for row in rows:
        if isinstance(row, np.ndarray):
            yield from writer.write_plain(row)
            continue
        if isinstance(row, Frame):
            writer.begin_frame(row.frame_id, row.elapsed)
        for packet in row.packets:
            yield from writer.write_packet(packet)
    writer.end()
    yield writer.flush()
    yield report_footer(snapshot)


class _Plain(NamedTuple):
    """The text of a layout, the same in every frame.

    Attributes:
        text: The text.
        ends_frame: Its last packet is a FrameEnd.
    """

    text: str
    ends_frame: bool


def info_reads(dialect: Dialect, family: Family, *, show_all: bool) -> frozenset[str]:
    """Return the packets that this report of a release reads by their content; it skips others by their size."""
    events = _event_templates(family, dialect).keys()
    if not show_all or family == "0.9.4":
        return frozenset(events)
    return frozenset(events | _record_templates(family, dialect).keys())


class _InfoWriter:
    """Formats packets and buffers the text.

    Attributes:
        needs_all: Rows without events have output, too.
        size: Characters in the buffer.
    """

    def __init__(self, family: Family, show_all: bool, dialect: Dialect) -> None:
        self._family = family
        self._show_all = show_all and family != "0.9.4"
        self.needs_all = self._show_all or family in ("0.9.4", "newest")
        self.size = 0
        self._parts: list[str] = []
        self._frame = "Frame 0 at 0 seconds\n"
        self._has_title = False
        self._was_end = False
        self._frame_end = ""
        if family == "newest":
            self._frame_end = "\n"
        self._dialect = dialect
        self._plain: dict[int, _Plain] = {}
        templates = _event_templates(family, dialect)
        if self._show_all:
            templates |= _record_templates(family, dialect)
        self._templates: dict[str, _Template] = {}
        for name, template in templates.items():
            self._templates[name] = _of_known_fields(template, dialect, name)
        if self._show_all:
            self._templates |= _other_templates(dialect)

    def flush(self) -> bytes:
        """Empty the buffer; texts that are not UTF-8 come out as the bytes they were."""
        text = "".join(self._parts)
        self._parts.clear()
        self.size = 0
        return text.encode("utf-8", "surrogateescape")

    def begin_frame(self, frame_id: int, elapsed: float) -> None:
        """Start a frame."""
        self._frame = f"Frame {frame_id} at {format_general(elapsed)} seconds\n"
        self._has_title = False
        if self._show_all:
            self._write_frame_title()

    def write_packet(self, packet: Packet) -> Iterator[bytes]:
        """Format a packet, if this family prints it; yields the buffer once it is large enough."""
        self._was_end = packet.name == "FrameEnd"
        template = self._templates.get(packet.name)
        if template is not None:
            yield from self._write_records(template, packet.decoded)
        else:
            self._write(self._text_without_records(packet.type))
        if self.size > _PIECE:
            yield self.flush()

    def is_plain(self, layouts: Layouts, number: int) -> bool:
        """Whether the text of the packets of a layout is the same in every frame, whatever their bodies are."""
        parts = []
        ends_frame = False
        for packet_id, _, size in layouts.get(number).packets():
            kind = self._dialect.packet(packet_id)
            if size and kind.name in self._templates:
                return False
            parts.append(self._text_without_records(kind))
            ends_frame = kind.name == "FrameEnd"
        self._plain[number] = _Plain("".join(parts), ends_frame)
        return True

    def write_plain(self, rows: StructuredArray) -> Iterator[bytes]:
        """Format rows of the frame table whose layouts are plain; yields the buffer once it is large enough."""
        row_kinds = rows["kind"].tolist()
        layouts = rows["layout"].tolist()
        frame_ids = rows["frame_id"].tolist()
        times = rows["elapsed"].tolist()
        for row_kind, layout, frame_id, elapsed in zip(row_kinds, layouts, frame_ids, times, strict=True):
            if layout == NO_LAYOUT:  # bytes that are no packets
                continue
            plain = self._plain[layout]
            if row_kind != RAW:
                self.begin_frame(frame_id, elapsed)
            self._write(plain.text)
            self._was_end = plain.ends_frame
            if self.size > _PIECE:
                yield self.flush()

    def end(self) -> None:
        """End the report: servers handle the header of the last packet once more."""
        if self._was_end:
            self._write(self._frame_end)

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self.size += len(text)

    def _write_frame_title(self) -> None:
        if not self._has_title:
            self._has_title = True
            self._write(self._frame)

    def _text_without_records(self, kind: PacketType) -> str:
        """What is printed of a packet without records."""
        template = self._templates.get(kind.name)
        if template is not None:
            if template.title and self._show_all:
                return f" {template.title}: 0\n{template.end}"
            return template.end
        if kind.name == "FrameEnd":
            return self._frame_end
        if self._family == "0.9.4" and kind.id > 7:
            return f"Unknown packet id: {kind.id}\n"
        return ""

    def _write_records(self, template: "_Template", body: Body) -> Iterator[bytes]:
        count = len(body)
        if count:
            self._write_frame_title()
        if template.title and (count or self._show_all):
            self._write(f" {template.title}: {count}\n")
        if len(body):
            step = body.type.record.steps[0]
            records: Iterator[object] = iter(body)
            if isinstance(step, Run) and body.type.record.size is not None:
                start, _ = body.span(0)
                _, stop = body.span(len(body) - 1)
                records = step.unpack.iter_unpack(body.data[start:stop])
            for record in records:
                self._write(template.line(record))
                if self.size > _PIECE:
                    yield self.flush()
        if template.end:
            self._write(template.end)


# --- what a release prints ----------------------------------------------------------------------------------


_Line = Callable[[Any], str]
"""A function that formats the values of a record: a tuple, or a nested dict where records differ in length."""


class _Template(NamedTuple):
    """The format of a packet: its title, the text of a record, and the text after the last record."""

    title: str
    line: _Line
    end: str = ""


def _with_sign(value: object) -> object:
    """A float as a text with the sign of NaN; other values stay."""
    if isinstance(value, float):
        return format_general(value)
    return value


def _formatter(template: str) -> Callable[[tuple[object, ...]], str]:
    """A function that formats the values of a record with a template of `%d` and `%g`."""
    with_signs = template.replace("%g", "%s")

    def line(values: tuple[object, ...]) -> str:
        text = template % values
        if "nan" in text:  # `%g` does not print its sign
            return with_signs % tuple(_with_sign(value) for value in values)
        return text

    return line


def _known_fields(dialect: Dialect, name: str) -> tuple[str, ...]:
    """The paths of the fields that a packet has had from the first on, which are those that CARLA prints."""
    for older_name in dialect_line(dialect.name):
        older = DIALECTS.get(older_name)
        if older is not None and older.engine == dialect.engine:
            kind = older.by_name(name)
            if kind is not None:
                return tuple(kind.record.fields)
    kind = dialect.by_name(name)
    assert kind is not None
    return tuple(kind.record.fields)


def _of_known_fields(template: _Template, dialect: Dialect, name: str) -> _Template:
    """A template that is given no values of fields that came later."""
    kind = dialect.by_name(name)
    if kind is None or kind.record.size is None:
        return template
    printed = _known_fields(dialect, name)
    paths = tuple(kind.record.fields)
    if paths == printed or not printed:
        return template
    indices = [paths.index(path) for path in printed]

    def line(values: tuple[object, ...]) -> str:
        return template.line(tuple(values[index] for index in indices))

    return template._replace(line=line)


def _event_templates(family: Family, dialect: Dialect) -> dict[str, _Template]:
    """The templates of packets that are always printed."""
    attachment = _attachment
    if family == "0.9.4":
        attachment = _attachment_without_parent
    events = {
        "EventAdd": _Template("", _creation),
        "EventDel": _Template("", _formatter(" Destroy %d\n")),
        "EventParent": _Template("", attachment),
        "Collision": _Template("", _collision),
    }
    if family == "newest" and dialect.by_name(WEATHER) is not None:
        events[WEATHER] = _Template(WEATHER_TITLE, _formatter(weather_line(dialect)))
    return events


def weather_line(dialect: Dialect) -> str:
    """Return the template of a record of Weather, of a dialect that has it."""
    parts = []
    for path in _known_fields(dialect, WEATHER):
        label = "".join([word.capitalize() for word in path.split("_")])
        parts.append(f"{label}: %g")
    return "  " + " ".join(parts) + "\n"


def _attachment(pair: tuple[int, int]) -> str:
    child, parent = pair
    return f" Parenting {child} with {parent} (parent)\n"


def _attachment_without_parent(pair: tuple[int, int]) -> str:
    """The line of the oldest releases, which print the child twice."""
    child, _ = pair
    return f" Parenting {child} with {child} (parent)\n"


def _creation(record: Record) -> str:
    place = _vector(record["location"])
    blueprint = _escaped(record["blueprint"])
    lines = [f" Create {record['id']}: {blueprint} ({record['type']}) at {place}\n"]
    for attribute in record["attributes"]:
        name = _escaped(attribute["id"])
        value = _escaped(attribute["value"])
        lines.append(f"  {name} = {value}\n")
    return "".join(lines)


def _collision(values: tuple[int, ...]) -> str:
    number, first, second, is_first_hero, is_second_hero = values
    return (
        f" Collision id {number} between {first}{_hero_mark(is_first_hero)} with {second}{_hero_mark(is_second_hero)}\n"
    )


def _hero_mark(is_hero: int) -> str:
    if is_hero:
        return " (hero) "
    return ""


def _record_templates(family: Family, dialect: Dialect) -> dict[str, _Template]:
    """The templates of packets that are printed with `show_all`."""
    releases = FAMILIES[: FAMILIES.index(family) + 1]
    templates = {}
    for name, record in _TABLE["records"].items():
        lines = [record["lines"][release] for release in releases if release in record["lines"]]
        if not lines:
            continue
        end = ""
        if name == "WalkerBones" and family != "newest":
            end = "\n"
        line = _LINES.get(name)
        if line is None:
            line = _formatter(lines[-1])
        templates[name] = _Template(record["title"], line, end)
    physics = dialect.by_name("PhysicsControl")
    if physics is not None and physics.name in templates and dialect.engine == 5:
        line = _unreal_5_physics(physics.record.arrays["wheels"].element)
        templates[physics.name] = templates[physics.name]._replace(line=line)
    return templates


def _other_templates(dialect: Dialect) -> dict[str, _Template]:
    """The templates of packets that no release of CARLA prints: each field with its path."""
    printed = _event_templates("newest", dialect).keys() | _record_templates("newest", dialect).keys()
    templates = {}
    for kind in dialect.kinds():
        if kind.reported and kind.name not in printed:
            templates[kind.name] = _Template(kind.name, _field_list(kind))
    return templates


def _field_list(kind: PacketType) -> _Line:
    """A function that formats the numbers at the beginning of a record."""
    paths = [field.path for field, _ in kind.record.head]

    def line(values: tuple[object, ...] | Record) -> str:
        if isinstance(values, dict):
            record = values
            values = tuple(_value_at(record, path) for path in paths)
        parts = [f"{path}: {_with_sign(value)}" for path, value in zip(paths, values, strict=True)]
        return "  " + " ".join(parts) + "\n"

    return line


def _value_at(record: Record, path: str) -> object:
    value: Any = record
    for name in path.split("."):
        value = value[name]
    return value


_STATE = _formatter("  Id: %d state: %s frozen: %d elapsedTime: %g\n")


def _traffic_light(values: tuple[int, int, float, int]) -> str:
    actor, frozen, elapsed, state = values
    # The state is added to the character 0, modulo one byte.
    letter = bytes([0x30 + state & 0xFF]).decode("utf-8", "surrogateescape")
    return _STATE((actor, letter, frozen, elapsed))


def _vehicle_lights(values: tuple[int, int]) -> str:
    actor, bits = values
    names = [VEHICLE_LIGHTS[bit] for bit in LIGHT_ORDER if bits & bit]
    text = " ".join(names) or "None"
    return f"  Id: {actor} {text}\n"


def _scene_light(values: tuple[int, float, float, float, float, int, int, int]) -> str:
    light, intensity, red, green, blue, _, is_on, _ = values
    color = _numbers((red, green, blue))
    return f"  Id: {light} enabled: {bool(is_on)} intensity: {format_general(intensity)} RGB_color: {color}\n"


def _door(values: tuple[int, int, int]) -> str:
    actor, door, _ = values
    text = ""
    if door in DOORS:
        text = f" {DOORS[door].title()} \n"
    return f"  Id: {actor}\n  Doors opened: {text}"


def _physics(record: Record) -> str:
    lines = [f"  Id: {record['id']}"]
    for label, path in _TABLE["engine"].items():
        lines.append(f"   {label} = {format_general(record[path])}")
    lines.append(f"   use_gear_auto_box = {_truth(record['use_gear_autobox'])}")
    lines.append("   gear_switch_time = 0.5")  # not recorded: always the default
    for path in _TABLE["drive"]:
        lines.append(f"   {path} = {format_general(record[path])}")
    lines.append(f"   center_of_mass = {_vector(record['center_of_mass'])}")
    lines.append(f"   torque_curve ={_curve(_points(record['torque_curve'], _TORQUE))}")
    lines.append(f"   steering_curve ={_curve(_points(record['steering_curve'], _STEERING))}")
    lines.append("   forward_gears:")
    for index, gear in enumerate(record["forward_gears"]):
        lines.append(f"    gear {index}: {_named(gear, ('ratio', 'down_ratio', 'up_ratio'))}")
    lines.append("   wheels:")
    for index, wheel in enumerate(record["wheels"]):
        values = _named(wheel, _TABLE["wheel"])
        lines.append(f"    wheel {index}: {values} position {_vector(wheel['position'])}")
    return "\n".join(lines) + "\n"


_TORQUE = ("rpm", "torque")
_STEERING = ("speed", "value")
_DEFAULT_TORQUE = ((0.0, 500.0), (5000.0, 500.0))
_DEFAULT_STEERING = ((0.0, 1.0), (10.0, 0.5))
"""The points of a new object of the simulator, to which a server of Unreal 5 adds those of the file."""


def _unreal_5_physics(wheel: Struct) -> Callable[[Record], str]:
    """A function that formats physics of Unreal 5, as a server for Linux does; `wheel` is the type of its wheels."""

    def line(record: Record) -> str:
        lines = [f"  Id: {record['id']}"]
        for label, path in _TABLE["unreal 5 engine"].items():
            lines.append(f"   {label} = {_printed(record[path])}")
        lines.append(f"   differential_type = {_character(record['differential_type'])}")
        lines.append(f"   front_rear_split = {format_general(record['front_rear_split'])}")
        lines.append(f"   use_gear_auto_box = {_truth(record['use_automatic_gears'])}")
        for path in _TABLE["unreal 5 drive"]:
            lines.append(f"   {path} = {format_general(record[path])}")
        torque = _merged(_DEFAULT_TORQUE, _points(record["torque_curve"], _TORQUE))
        steering = _merged(_DEFAULT_STEERING, _points(record["steering_curve"], _STEERING))
        lines.append(f"   center_of_mass = {_vector(record['center_of_mass'])}")
        lines.append(f"   torque_curve ={_curve(torque)}")
        lines.append(f"   steering_curve ={_curve(steering)}")
        lines.append("   forward_gear_ratios:")
        for index, gear in enumerate(record["forward_gear_ratios"]):
            lines.append(f"    gear {index}: {_named(gear, ('ratio',))}")
        lines.append("   reverse_gear_ratios:")
        for index, gear in enumerate(record["reverse_gear_ratios"]):
            lines.append(f"    gear {index}: {_named(gear, ('ratio',))}")
        lines.append("   wheels:")
        for index, values in enumerate(record["wheels"]):
            lines.append(f"wheel #{index}:\n{_unreal_wheel(wheel, values)}")
        return "\n".join(lines) + "\n"

    return line


def _truth(value: object) -> str:
    if value:
        return "true"
    return "false"


def _unreal_wheel(wheel: Struct, values: Record) -> str:
    """All that a wheel holds, in its order."""
    texts: dict[str, str] = {}
    for path, field in wheel.fields.items():
        if field.group:
            numbers = [format_fixed(number) for number in values[field.group].values()]
            texts[field.group] = f"({', '.join(numbers)})"
        elif field.pointers:
            # The server follows the pointers, where there may be anything by now.
            texts[path] = "[]"
            if any(values[path]):
                texts[path] = "[?]"
        elif field.type == "u8" and not field.is_raw:
            texts[path] = _character(values[path])
        elif not field.is_raw:
            texts[path] = _printed(values[path])
    return "".join([f" {name}: {text}" for name, text in texts.items()])


def _printed(value: SupportsInt) -> str:
    if isinstance(value, float):
        return format_general(value)
    return str(int(value))


def _character(value: int) -> str:
    """A number of one byte as the character that streams take it for."""
    return bytes([value]).decode("utf-8", "surrogateescape")


_Point = tuple[float, float]


def _points(records: list[Record], axes: tuple[str, str]) -> list[_Point]:
    """The points of a curve."""
    x, y = axes
    return [(record[x], record[y]) for record in records]


def _merged(defaults: Sequence[_Point], points: Sequence[_Point]) -> list[_Point]:
    """The default points, and those of the file as a curve of Unreal sorts them: a new one before its equals."""
    starts: list[float] = []
    ordered: list[_Point] = []
    for point in points:
        index = bisect_left(starts, point[0])
        starts.insert(index, point[0])
        ordered.insert(index, point)
    return list(defaults) + ordered


def _curve(points: Sequence[_Point]) -> str:
    return "".join([f" {_numbers(point)}" for point in points])


def _numbers(values: Iterable[float]) -> str:
    """Numbers in brackets."""
    texts = [format_general(value) for value in values]
    return f"({', '.join(texts)})"


def _named(values: Record, names: Sequence[str]) -> str:
    return " ".join([f"{name} {format_general(values[name])}" for name in names])


def _bones(record: Record) -> str:
    lines = [f"  Id: {record['id']}\n"]
    for bone in record["bones"]:
        name = _escaped(bone["name"])
        location = _vector(bone["location"])
        rotation = _vector(bone["rotation"])
        lines.append(f'     Bone: "{name}" relative: Loc{location} Rot{rotation}\n')
    return "".join(lines)


def _vector(values: Mapping[str, float]) -> str:
    return _numbers(values.values())


def _escaped(text: str | bytes) -> str:
    """A text that `_InfoWriter.flush` turns back into the same bytes."""
    if isinstance(text, str):
        return text
    return text.decode("utf-8", "surrogateescape")


_LINES: Mapping[str, _Line] = {
    "State": _traffic_light,
    "VehicleLight": _vehicle_lights,
    "SceneLight": _scene_light,
    "VehicleDoor": _door,
    "PhysicsControl": _physics,
    "WalkerBones": _bones,
}
"""The lines that are more than a format of the values."""
