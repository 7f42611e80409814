"""`show_recorder_file_info`: events, and with everything asked for each packet's records.

One idea: a packet is told as a title and a text for each record, so a release is a table of those. Between two frames
most records stay as they were, and so does their text.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from operator import getitem
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...format.codec import Body, Record
from ...format.dialects import Dialect
from ...format.packets import DOORS, VEHICLE_LIGHTS
from ...format.schema import PacketType, Run
from ...progress import SILENT, Progress
from ...recording.snapshot import Snapshot
from ...recording.views import Frame, Packet
from .rows import all_rows, rows_with, walk
from .text import NOT_A_RECORDING, Family, family_of, foot, general, head

_PIECE = 1 << 16
_FEW = 4  # records that are told sooner than compared with those before
_EVENTS = ("born", "gone", "parent", "collision", "weather")


def info_report(
    snapshot: Snapshot,
    *,
    show_all: bool = False,
    family: Family | None = None,
    utc: bool = False,
    progress: Progress = SILENT,
) -> Iterator[bytes]:
    """The text of `show_recorder_file_info(name, show_all)` in pieces.

    `family` is the release whose server prints it (None: the one that wrote the recording). `progress` counts rows.
    Raises `Cancelled`. Not promised byte for byte: physics of UE5, of which only the title is told, and
    ids that 0.9.4 does not know.
    """
    if snapshot.header is None:
        yield NOT_A_RECORDING
        return
    yield head(snapshot, utc=utc)
    teller = _Teller(family or family_of(snapshot), show_all, snapshot.dialect)
    numbers = all_rows(snapshot) if teller.needs_all else rows_with(snapshot, _EVENTS, progress)
    for row in walk(snapshot, numbers, progress):
        if isinstance(row, Frame):
            teller.begin(row)
        for packet in row.packets:
            yield from teller.tell(packet)
    teller.end()
    yield teller.take()
    yield foot(snapshot)


class _Teller:
    """The text as it grows.

    Attributes: `needs_all` (rows without an event say something too), `size` (characters waiting).
    """

    def __init__(self, family: Family, show_all: bool, dialect: Dialect) -> None:
        self._family = family
        self._show_all = show_all and family != "0.9.4"
        self.needs_all = self._show_all or family in ("0.9.4", "newest")
        self.size = 0
        self._parts: list[str] = []
        self._frame = "Frame 0 at 0 seconds\n"
        self._is_told = False
        self._was_end = False
        tables = _tables_of(family) | _others_of(dialect) if self._show_all else {}
        self._telling = _events_of(family, dialect) | tables
        self._before: dict[str, _Lines] = {}

    def take(self) -> bytes:
        """What waits, as bytes; texts that are not UTF-8 come out as they were."""
        text = "".join(self._parts)
        self._parts.clear()
        self.size = 0
        return text.encode("utf-8", "surrogateescape")

    def begin(self, frame: Frame) -> None:
        """A frame begins."""
        self._frame = f"Frame {frame.frame_id} at {general(frame.elapsed)} seconds\n"
        self._is_told = False
        if self._show_all:
            self._tell_frame()

    def tell(self, packet: Packet) -> Iterator[bytes]:
        """One packet, as far as this family prints it; gives what waits where that is enough for a piece."""
        self._was_end = packet.name == "FrameEnd"
        told = self._telling.get(packet.name)
        if told is not None:
            yield from self._tell(told, packet.decoded)
        elif self._was_end:
            self._end_frame()
        elif self._family == "0.9.4" and packet.id > 7:
            self._write(f"Unknown packet id: {packet.id}\n")
        if self.size > _PIECE:
            yield self.take()

    def end(self) -> None:
        """The recording ends: the last packet's header is handled once more."""
        if self._was_end:
            self._end_frame()

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self.size += len(text)

    def _tell_frame(self) -> None:
        if not self._is_told:
            self._is_told = True
            self._write(self._frame)

    def _end_frame(self) -> None:
        if self._family == "newest":
            self._write("\n")

    def _tell(self, told: "_Told", body: Body) -> Iterator[bytes]:
        # A body that nobody decodes (physics of UE5) still says how many records it holds.
        count = int.from_bytes(body.data[:2], "little") if body.type.body == "opaque" else len(body)
        if count:
            self._tell_frame()
        if told.title and (count or self._show_all):
            self._write(f" {told.title}: {count}\n")
        if len(body):
            step = body.type.record.steps[0]
            if isinstance(step, Run) and body.type.record.size is not None:
                lines = self._before.setdefault(body.type.name, _Lines(told.line, step))
                self._write(lines.of(body))
            else:
                for record in body:
                    self._write(told.line(record))
                    if self.size > _PIECE:
                        yield self.take()
        if told.end:
            self._write(told.end)


class _Lines:
    """The lines of the last packet of a kind: a record with the bytes of the one before in its place keeps its line."""

    def __init__(self, line: Callable[[Any], str], run: Run) -> None:
        self._line = line
        self._unpack = run.unpack
        self._records: npt.NDArray[np.uint8] = np.zeros((0, run.unpack.size), np.uint8)
        self._lines: list[str] = []

    def of(self, body: Body) -> str:
        """The lines of a packet."""
        start, size, count = body.span(0)[0], self._unpack.size, len(body)
        if count <= _FEW:
            return "".join(map(self._line, self._unpack.iter_unpack(body.data[start : start + count * size])))
        records = np.frombuffer(body.data, np.uint8, count * size, start).reshape(count, size)
        known = min(count, len(self._records))
        changed = np.flatnonzero((records[:known] != self._records[:known]).any(axis=1))
        lines = self._lines[:known] + [""] * (count - known)
        for index in (*changed.tolist(), *range(known, count)):
            lines[index] = self._line(self._unpack.unpack_from(body.data, start + index * size))
        self._records, self._lines = records, lines
        return "".join(lines)


# --- what a release prints ----------------------------------------------------------------------------------


class _Told(NamedTuple):
    """How a packet is told: the title's words, the text of a record, and what stands after the last one.

    `line` gets the values of a record as a tuple, as a nested dict where records differ in length.
    """

    title: str
    line: Callable[[Any], str]
    end: str = ""


def _filled(template: str) -> Callable[[tuple[Any, ...]], str]:
    """Puts the values of a record into a template of `%d` and `%g`."""
    careful = template.replace("%g", "%s")

    def line(values: tuple[Any, ...]) -> str:
        told = template % values
        if "nan" in told:  # a format does not show its sign
            return careful % tuple(general(value) if isinstance(value, float) else value for value in values)
        return told

    return line


def _events_of(family: Family, dialect: Dialect) -> dict[str, _Told]:
    """The packets that are told whether everything is asked for or not."""
    shown = 0 if family == "0.9.4" else 1  # the oldest releases print the child twice
    events = {
        "EventAdd": _Told("", _birth),
        "EventDel": _Told("", _filled(" Destroy %d\n")),
        "EventParent": _Told("", lambda pair: f" Parenting {pair[0]} with {pair[shown]} (parent)\n"),
        "Collision": _Told("", _collision),
    }
    weather = dialect.by_name("Weather")
    if family == "newest" and weather is not None:
        labels = ["".join(map(str.capitalize, path.split("_"))) for path in weather.record.fields]
        events["Weather"] = _Told("Weathers", _filled("  " + " ".join(f"{label}: %g" for label in labels) + "\n"))
    return events


def _birth(record: Record) -> str:
    place, blueprint = _vector(record["location"]), _escaped(record["blueprint"])
    attributes = "".join(f"  {_escaped(each['id'])} = {_escaped(each['value'])}\n" for each in record["attributes"])
    return f" Create {record['id']}: {blueprint} ({record['type']}) at {place}\n{attributes}"


def _collision(values: tuple[int, ...]) -> str:
    number, one, other, hero, hero_too = values
    heroes = [" (hero) " if flag else "" for flag in (hero, hero_too)]
    return f" Collision id {number} between {one}{heroes[0]} with {other}{heroes[1]}\n"


def _tables_of(family: Family) -> dict[str, _Told]:
    """The packets that are told where everything is asked for."""
    is_early = family == "0.9.6"
    colon = ":" if family in ("0.9.15", "newest") else ""
    pose = f"  Id: %d Location{'' if is_early else ':'} (%g, %g, %g) Rotation{colon} (%g, %g, %g)\n"
    vehicle = f"  Id: %d Steering: %g Throttle: %g Brake{colon} %g Handbrake: %d Gear: %d\n"
    walker = "  Id: %d speed: %g\n"
    if is_early:
        vehicle = "  Vehicle id %d: Steering %g Throttle %g Brake %g Handbrake %d Gear %d\n"
        walker = "  Walker id %d: speed %g\n"
    tables = {
        "Position": _Told("Positions", _filled(pose)),
        "State": _Told("State traffic lights", _light),
        "AnimVehicle": _Told("Vehicle animations", _filled(vehicle)),
        "AnimWalker": _Told("Walker animations", _filled(walker)),
    }
    if not is_early:
        motion = "  Id: %d linear_velocity: (%g, %g, %g) angular_velocity: (%g, %g, %g)\n"
        box = "  Id: %d origin: (%g, %g, %g) extension: (%g, %g, %g)\n"
        times = "  Id: %d green_time: %g yellow_time: %g red_time: %g\n"
        tables |= {
            "VehicleLight": _Told("Vehicle light animations", _lamps),
            "SceneLight": _Told("Scene light changes", _scene_light),
            "Kinematics": _Told("Dynamic actors", _filled(motion)),
            "BoundingBox": _Told("Actor bounding boxes", _filled(box)),
            "TriggerVolume": _Told("Actor trigger volumes", _filled(box)),
            "PlatformTime": _Told("", _filled(" Current platform time: %g\n")),
            "PhysicsControl": _Told("Physics Control events", _physics),
            "TrafficLightTime": _Told("Traffic Light time events", _filled(times)),
            "WalkerBones": _Told("Walkers Bones", _bones, "" if family == "newest" else "\n"),
        }
    if family in ("0.9.15", "newest"):
        tables["VehicleDoor"] = _Told("Vehicle door animations", _door)
    return tables


def _others_of(dialect: Dialect) -> dict[str, _Told]:
    """The packets that no release of CARLA knows: each field with its path."""
    known = _events_of("newest", dialect).keys() | _tables_of("newest").keys()
    others = [kind for kind in dialect.kinds() if kind.reported and kind.name not in known]
    return {kind.name: _Told(kind.name, _plain(kind)) for kind in others}


def _plain(kind: PacketType) -> Callable[[Any], str]:
    """Tells the numbers at the beginning of a record."""
    paths = [field.path for field, _ in kind.record.head]

    def line(values: Any) -> str:
        if isinstance(values, dict):
            values = [reduce(getitem, path.split("."), values) for path in paths]
        told = [general(value) if isinstance(value, float) else str(value) for value in values]
        return "  " + " ".join(f"{path}: {text}" for path, text in zip(paths, told, strict=True)) + "\n"

    return line


_STATE = _filled("  Id: %d state: %s frozen: %d elapsedTime: %g\n")


def _light(values: tuple[Any, ...]) -> str:
    actor, frozen, elapsed, state = values
    # The state is added to the character 0, and what comes out is one byte, whatever it is.
    letter = bytes([0x30 + state & 0xFF]).decode("utf-8", "surrogateescape")
    return _STATE((actor, letter, frozen, elapsed))


_LAMPS = (0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x100, 0x80, 0x200, 0x400)
"""The lights in the order of the text."""


def _lamps(values: tuple[int, int]) -> str:
    actor, bits = values
    return f"  Id: {actor} {' '.join(VEHICLE_LIGHTS[bit] for bit in _LAMPS if bits & bit) or 'None'}\n"


def _scene_light(values: tuple[Any, ...]) -> str:
    light, intensity, red, green, blue, _, on, _ = values
    color = ", ".join(map(general, (red, green, blue)))
    return f"  Id: {light} enabled: {bool(on)} intensity: {general(intensity)} RGB_color: ({color})\n"


def _door(values: tuple[int, int, int]) -> str:
    actor, door, _ = values
    return f"  Id: {actor}\n  Doors opened: " + (f" {DOORS[door].title()} \n" if door in DOORS else "")


_ENGINE = (
    ("max_rpm", "max_rpm"),
    ("MOI", "moi"),
    ("damping_rate_full_throttle", "damping_full_throttle"),
    ("damping_rate_zero_throttle_clutch_engaged", "damping_zero_throttle_clutch_engaged"),
    ("damping_rate_zero_throttle_clutch_disengaged", "damping_zero_throttle_clutch_disengaged"),
)
_DRIVE = ("clutch_strength", "final_ratio", "mass", "drag_coefficient")
_WHEEL = ("tire_friction", "damping_rate", "max_steer_angle", "radius", "max_brake_torque", "max_handbrake_torque")


def _physics(record: Record) -> str:
    gears, wheels = record["forward_gears"], record["wheels"]
    lines = [
        f"  Id: {record['id']}",
        *(f"   {label} = {general(record[path])}" for label, path in _ENGINE),
        f"   use_gear_auto_box = {'true' if record['use_gear_autobox'] else 'false'}",
        "   gear_switch_time = 0.5",  # never stored, so always what the class begins with
        *(f"   {path} = {general(record[path])}" for path in _DRIVE),
        f"   center_of_mass = {_vector(record['center_of_mass'])}",
        f"   torque_curve ={_curve(record['torque_curve'])}",
        f"   steering_curve ={_curve(record['steering_curve'])}",
        "   forward_gears:",
        *(f"    gear {at}: {_named(gear, ('ratio', 'down_ratio', 'up_ratio'))}" for at, gear in enumerate(gears)),
        "   wheels:",
        *(
            f"    wheel {at}: {_named(wheel, _WHEEL)} position {_vector(wheel['position'])}"
            for at, wheel in enumerate(wheels)
        ),
    ]
    return "\n".join(lines) + "\n"


def _curve(points: list[Record]) -> str:
    return "".join(f" ({', '.join(map(general, point.values()))})" for point in points)


def _named(values: Record, names: tuple[str, ...]) -> str:
    return " ".join(f"{name} {general(values[name])}" for name in names)


def _bones(record: Record) -> str:
    return f"  Id: {record['id']}\n" + "".join(
        f'     Bone: "{_escaped(bone["name"])}" relative: Loc{_vector(bone["location"])} '
        f"Rot{_vector(bone['rotation'])}\n"
        for bone in record["bones"]
    )


def _vector(values: Mapping[str, float]) -> str:
    return f"({', '.join(map(general, values.values()))})"


def _escaped(text: str | bytes) -> str:
    """A text that `_Teller.take` turns into the bytes it was."""
    return text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
