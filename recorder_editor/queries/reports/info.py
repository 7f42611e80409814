"""`show_recorder_file_info`: events, and with everything asked for each packet's records.

One idea: a packet of records of one size is a template for a line and the columns that go into it; only packets whose
records differ in length are taken apart record by record.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...errors import Cancelled
from ...format.codec import Body, Record
from ...format.packets import DOORS
from ...recording.contents import Frame, Packet
from ...recording.snapshot import Snapshot
from .text import NOT_A_RECORDING, Family, family_of, foot, general, head

Progress = Callable[[int, int], None]
Cancel = Callable[[], bool]

_PIECE = 1 << 16
_BETWEEN = 64  # rows between two looks at progress and cancel
_GEAR_SWITCH_TIME = "0.5"  # never stored, so always what the class begins with
_DOOR_NAMES = {
    number: {"Rear left": "Rear Left", "Rear right": "Rear Right"}.get(name, name.title())
    for number, name in DOORS.items()
}  # fmt: skip
_LIGHT_NAMES = (
    (0x1, "Position"), (0x2, "LowBeam"), (0x4, "HighBeam"), (0x8, "Brake"), (0x10, "RightBlinker"),
    (0x20, "LeftBlinker"), (0x40, "Reverse"), (0x100, "Interior"), (0x80, "Fog"), (0x200, "Special1"),
    (0x400, "Special2"),
)  # fmt: skip
_VECTOR = "(%s, %s, %s)"


class Lines(NamedTuple):
    """How a packet of records of one size is told: the title's words, a line for each record, and what goes into it."""

    title: str
    line: str
    paths: tuple[str, ...]


def _xyz(group: str) -> tuple[str, str, str]:
    return f"{group}.x", f"{group}.y", f"{group}.z"


_TURN = ("rotation.roll", "rotation.pitch", "rotation.yaw")
_BOX = f"  Id: %s origin: {_VECTOR} extension: {_VECTOR}\n"
_COLON = {"0.9.4": "", "0.9.6": "", "0.9.10": "", "0.9.13": "", "0.9.15": ":", "newest": ":"}


def tables_of(family: Family) -> Mapping[str, Lines]:
    """The packets that a family tells as tables, by name (format reference 7.1)."""
    colon, early = _COLON[family], family in ("0.9.4", "0.9.6")
    place = "Location" if early else "Location:"
    box_paths = ("id", *_xyz("origin"), *_xyz("extent"))
    vehicle_paths = ("id", "steering", "throttle", "brake", "handbrake", "gear")
    vehicle = f"  Id: %s Steering: %s Throttle: %s Brake{colon} %s Handbrake: %s Gear: %s\n"
    walker = "  Id: %s speed: %s\n"
    if early:
        vehicle = "  Vehicle id %s: Steering %s Throttle %s Brake %s Handbrake %s Gear %s\n"
        walker = "  Walker id %s: speed %s\n"
    tables = {
        "Position": Lines("Positions", f"  Id: %s {place} {_VECTOR} Rotation{colon} {_VECTOR}\n",
                          ("id", *_xyz("location"), *_TURN)),
        "State": Lines("State traffic lights", "  Id: %s state: %s frozen: %s elapsedTime: %s\n",
                       ("id", "state", "frozen", "elapsed")),
        "AnimVehicle": Lines("Vehicle animations", vehicle, vehicle_paths),
        "AnimWalker": Lines("Walker animations", walker, ("id", "speed")),
    }  # fmt: skip
    if early:
        return tables
    return {
        **tables,
        "Kinematics": Lines("Dynamic actors", f"  Id: %s linear_velocity: {_VECTOR} angular_velocity: {_VECTOR}\n",
                            ("id", *_xyz("linear_velocity"), *_xyz("angular_velocity"))),
        "BoundingBox": Lines("Actor bounding boxes", _BOX, box_paths),
        "TriggerVolume": Lines("Actor trigger volumes", _BOX, box_paths),
        "TrafficLightTime": Lines("Traffic Light time events",
                                  "  Id: %s green_time: %s yellow_time: %s red_time: %s\n",
                                  ("id", "green", "yellow", "red")),
    }  # fmt: skip


def info_report(
    snapshot: Snapshot, *, show_all: bool = False, family: Family | None = None, utc: bool = False,
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> Iterator[bytes]:  # fmt: skip
    """The text of `show_recorder_file_info(name, show_all)` in pieces.

    `family` is the release whose server prints it (None: the one that wrote the recording). `progress` gets (rows done,
    rows in all). Raises `Cancelled`. Not promised byte for byte: physics of UE5, of which only the title is told, and
    ids that 0.9.4 does not know.
    """
    if snapshot.header is None:
        yield NOT_A_RECORDING
        return
    yield head(snapshot, utc=utc)
    teller = _Teller(family or family_of(snapshot), show_all)
    rows = range(snapshot.rows) if teller.needs_all else _telling(snapshot)
    for done, number in enumerate(rows):
        if done % _BETWEEN == 0:
            if cancel is not None and cancel():
                raise Cancelled("The report was cancelled.")
            if progress is not None:
                progress(done, len(rows))
            if teller.size > _PIECE:
                yield teller.take()
        row = snapshot.row(number)
        if isinstance(row, Frame):
            teller.begin(row)
        for packet in row.packets:
            teller.tell(packet)
    if teller.ends_frames:
        teller.write("\n")  # the last header is handled once more at the end of the file
    yield teller.take()
    if progress is not None:
        progress(len(rows), len(rows))
    yield foot(snapshot)


def _telling(snapshot: Snapshot) -> list[int]:
    """The rows that hold events, where the census of actors has read them all; else every row."""
    from ...recording.actors import EVENT_KINDS, Actors

    actors = Actors.of(snapshot)
    if not actors.is_whole:
        return list(range(snapshot.rows))
    kinds = [EVENT_KINDS.index(kind) for kind in ("born", "gone", "parent", "collision", "weather")]
    events = actors.events
    rows: list[int] = np.unique(events["row"][np.isin(events["kind"], kinds)]).tolist()
    return rows


class _Teller:
    """The text as it grows.

    Attributes: `show_all`, `ends_frames` (an empty line at each FrameEnd), `size` (characters waiting).
    """

    def __init__(self, family: Family, show_all: bool) -> None:
        self.family = family
        self.show_all = show_all and family != "0.9.4"
        self.ends_frames = family == "newest"
        self.size = 0
        self._parts: list[str] = []
        self._frame = "Frame 0 at 0 seconds\n"
        self._is_told = False
        self._tables = tables_of(family) if self.show_all else {}
        self._special = self._all_special() if self.show_all else {}
        self._events: dict[str, Callable[[Body], None]] = {
            "EventAdd": self._add, "EventDel": self._delete, "EventParent": self._attach, "Collision": self._collide,
        }  # fmt: skip
        if family == "newest":
            self._events["Weather"] = self._weather

    def _all_special(self) -> Mapping[str, Callable[[Packet], None]]:
        if self.family in ("0.9.4", "0.9.6"):
            return {}
        special: dict[str, Callable[[Packet], None]] = {
            "VehicleLight": self._vehicle_lights, "SceneLight": self._scene_lights,
            "PlatformTime": self._platform_time, "PhysicsControl": self._physics, "WalkerBones": self._bones,
        }  # fmt: skip
        if self.family in ("0.9.15", "newest"):
            special["VehicleDoor"] = self._doors
        return special

    @property
    def needs_all(self) -> bool:
        """Rows without an event say something too."""
        return self.show_all or self.ends_frames or self.family == "0.9.4"

    def write(self, text: str) -> None:
        """Add to the text."""
        self._parts.append(text)
        self.size += len(text)

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
        if self.show_all:
            self._tell_frame()

    def _tell_frame(self) -> None:
        if not self._is_told:
            self._is_told = True
            self.write(self._frame)

    def tell(self, packet: Packet) -> None:
        """One packet, as far as this family prints it."""
        name = packet.name
        if name == "FrameEnd":
            if self.ends_frames:
                self.write("\n")
        elif name in self._events:
            if len(packet.decoded):
                self._tell_frame()
                self._events[name](packet.decoded)
        elif name in self._tables:
            self._table(self._tables[name], packet.decoded)
        elif name in self._special:
            self._special[name](packet)
        elif self.family == "0.9.4" and packet.id > 7:
            self.write(f"Unknown packet id: {packet.id}\n")

    # --- events -----------------------------------------------------------------------------------------

    def _add(self, body: Body) -> None:
        for record in body.records():
            place = _vector(record["location"])
            blueprint = _escaped(record["blueprint"])
            self.write(f" Create {record['id']}: {blueprint} ({record['type']}) at {place}\n")
            for attribute in record["attributes"]:
                self.write(f"  {_escaped(attribute['id'])} = {_escaped(attribute['value'])}\n")

    def _delete(self, body: Body) -> None:
        for actor in body.array["id"].tolist():
            self.write(f" Destroy {actor}\n")

    def _attach(self, body: Body) -> None:
        for child, parent in body.array.tolist():
            # The oldest releases print the child twice.
            shown = child if self.family == "0.9.4" else parent
            self.write(f" Parenting {child} with {shown} (parent)\n")

    def _collide(self, body: Body) -> None:
        for number, one, other, hero, hero_too in body.array.tolist():
            heroes = [" (hero) " if flag else "" for flag in (hero, hero_too)]
            self.write(f" Collision id {number} between {one}{heroes[0]} with {other}{heroes[1]}\n")

    def _weather(self, body: Body) -> None:
        self.write(f" Weathers: {len(body)}\n")
        labels = ["".join(word.capitalize() for word in path.split("_")) for path in body.type.record.fields]
        line = "  " + " ".join(f"{label}: %s" for label in labels) + "\n"
        self._rows(line, body.array, tuple(body.type.record.fields))

    # --- tables -----------------------------------------------------------------------------------------

    def _table(self, lines: Lines, body: Body) -> None:
        self._title(lines.title, body)
        if body.type.dtype is not None:
            self._rows(lines.line, body.array, lines.paths)

    def _title(self, words: str, body: Body) -> None:
        self.write(f" {words}: {len(body)}\n")

    def _rows(self, line: str, array: npt.NDArray[Any], paths: tuple[str, ...]) -> None:
        if not len(array):
            return
        columns = [np.ascontiguousarray(array[path]) for path in paths]
        is_real = [column.dtype.kind == "f" for column in columns]
        if any(real and np.isnan(column).any() for real, column in zip(is_real, columns, strict=True)):
            # Only a NaN needs a look at its sign, which a format does not take.
            texts = [
                [general(value) for value in column.tolist()] if real else column.tolist()
                for real, column in zip(is_real, columns, strict=True)
            ]
        else:
            texts = [column.tolist() for column in columns]
            for real in is_real:
                line = line.replace("%s", "%~g" if real else "%~d", 1)
            line = line.replace("%~", "%")
        self.write("".join([line % values for values in zip(*texts, strict=True)]))

    # --- the others -------------------------------------------------------------------------------------

    def _doors(self, packet: Packet) -> None:
        body = packet.decoded
        self._title("Vehicle door animations", body)
        for actor, door, _ in body.array.tolist():
            name = f" {_DOOR_NAMES[door]} \n" if door in _DOOR_NAMES else ""
            self.write(f"  Id: {actor}\n  Doors opened: {name}")

    def _vehicle_lights(self, packet: Packet) -> None:
        body = packet.decoded
        self._title("Vehicle light animations", body)
        names: dict[int, str] = {}
        for actor, bits in body.array.tolist():
            if bits not in names:
                names[bits] = " ".join(name for bit, name in _LIGHT_NAMES if bits & bit) or "None"
            self.write(f"  Id: {actor} {names[bits]}\n")

    def _scene_lights(self, packet: Packet) -> None:
        body = packet.decoded
        self._title("Scene light changes", body)
        for light, intensity, red, green, blue, _, on, _ in body.array.tolist():
            color = ", ".join(map(general, (red, green, blue)))
            self.write(f"  Id: {light} enabled: {bool(on)} intensity: {general(intensity)} RGB_color: ({color})\n")

    def _platform_time(self, packet: Packet) -> None:
        for record in packet.records:
            self.write(f" Current platform time: {general(record['time'])}\n")

    def _physics(self, packet: Packet) -> None:
        body = packet.decoded
        if body.type.body == "opaque":
            count = int.from_bytes(packet.body[:2], "little")
            self.write(f" Physics Control events: {count}\n")
            return
        self._title("Physics Control events", body)
        for record in body.records():
            self.write("".join(line + "\n" for line in _physics_lines(record)))

    def _bones(self, packet: Packet) -> None:
        body = packet.decoded
        self._title("Walkers Bones", body)
        for record in body.records():
            self.write(f"  Id: {record['id']}\n")
            for bone in record["bones"]:
                turn = "(" + ", ".join(general(bone["rotation"][name]) for name in ("roll", "pitch", "yaw")) + ")"
                name = _escaped(bone["name"])
                self.write(f'     Bone: "{name}" relative: Loc{_vector(bone["location"])} Rot{turn}\n')
        if self.family != "newest":
            self.write("\n")


_PHYSICS = (
    ("max_rpm", "max_rpm"), ("MOI", "moi"), ("damping_rate_full_throttle", "damping_full_throttle"),
    ("damping_rate_zero_throttle_clutch_engaged", "damping_zero_throttle_clutch_engaged"),
    ("damping_rate_zero_throttle_clutch_disengaged", "damping_zero_throttle_clutch_disengaged"),
    ("use_gear_auto_box", "use_gear_autobox"), ("gear_switch_time", ""), ("clutch_strength", "clutch_strength"),
    ("final_ratio", "final_ratio"), ("mass", "mass"), ("drag_coefficient", "drag_coefficient"),
)  # fmt: skip
_WHEEL = (
    "tire_friction", "damping_rate", "max_steer_angle", "radius", "max_brake_torque", "max_handbrake_torque",
)  # fmt: skip


def _physics_lines(record: Record) -> Iterator[str]:
    yield f"  Id: {record['id']}"
    for label, path in _PHYSICS:
        if not path:
            yield f"   {label} = {_GEAR_SWITCH_TIME}"
        elif path == "use_gear_autobox":
            yield f"   {label} = {'true' if record[path] else 'false'}"
        else:
            yield f"   {label} = {general(record[path])}"
    yield f"   center_of_mass = {_vector(record['center_of_mass'])}"
    for label, first, second in (("torque_curve", "rpm", "torque"), ("steering_curve", "speed", "value")):
        points = "".join(f" ({general(point[first])}, {general(point[second])})" for point in record[label])
        yield f"   {label} ={points}"
    yield "   forward_gears:"
    for index, gear in enumerate(record["forward_gears"]):
        ratios = " ".join(f"{name} {general(gear[name])}" for name in ("ratio", "down_ratio", "up_ratio"))
        yield f"    gear {index}: {ratios}"
    yield "   wheels:"
    for index, wheel in enumerate(record["wheels"]):
        values = " ".join(f"{name} {general(wheel[name])}" for name in _WHEEL)
        yield f"    wheel {index}: {values} position {_vector(wheel['position'])}"


def _vector(values: Mapping[str, float]) -> str:
    return f"({', '.join(general(values[axis]) for axis in 'xyz')})"


def _escaped(text: str | bytes) -> str:
    """A text that `_Teller.take` turns into the bytes it was."""
    return text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
