"""Recorder bytes read by hand, field by field, for recordings the library wrote.

Every body must be consumed exactly.  This module must never import the library: a mistake both make alike
would cancel out.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Rules(NamedTuple):
    """What a release writes (format reference, sections 3.2 to 3.4)."""

    version: int
    wide: bool
    order: tuple[str, ...]
    ids: dict[str, int]
    long_wheels: bool = True
    shift: int = 0  # added to attribute types
    sensor: int = 5  # actor type of sensors
    sign: int = 4  # actor type of traffic signs


OLDEST = {
    "FrameStart": 0,
    "FrameEnd": 1,
    "EventAdd": 2,
    "EventDel": 3,
    "EventParent": 4,
    "Collision": 5,
    "Position": 6,
    "State": 7,
}
ANIMATED = OLDEST | {"AnimVehicle": 8, "AnimWalker": 9}
TEN = ANIMATED | {
    "VehicleLight": 10,
    "SceneLight": 11,
    "Kinematics": 12,
    "BoundingBox": 13,
    "PlatformTime": 14,
    "PhysicsControl": 15,
    "TrafficLightTime": 16,
    "TriggerVolume": 17,
}
FOURTEEN = TEN | {"WalkerBones": 19, "VisualTime": 20}
FIFTEEN = FOURTEEN | {"AnimVehicleWheels": 21, "AnimBiker": 22}
DOORS = FOURTEEN | {"VehicleDoor": 21, "AnimVehicleWheels": 22, "AnimBiker": 23}
SIXTEEN = FIFTEEN | {"VehicleDoor": 23}
NEWEST = SIXTEEN | {"Weather": 24}
ORDER = (
    "FrameStart",
    "VisualTime",
    "EventAdd",
    "EventDel",
    "EventParent",
    "Collision",
    "VehicleDoor",
    "Position",
    "State",
    "AnimVehicle",
    "AnimWalker",
    "VehicleLight",
    "SceneLight",
    "AnimVehicleWheels",
    "AnimBiker",
    "Weather",
    "Kinematics",
    "BoundingBox",
    "TriggerVolume",
    "PlatformTime",
    "PhysicsControl",
    "TrafficLightTime",
    "WalkerBones",
    "FrameEnd",
)
ONLY_WHEN_NOT_EMPTY = {"SceneLight", "Weather", "Kinematics", "TriggerVolume", "PhysicsControl", "TrafficLightTime"}


def _rules(ids: dict[str, int], version: int = 1, wide: bool = False, **more: Any) -> Rules:
    return Rules(version, wide, tuple(name for name in ORDER if name in ids), ids, **more)


RULES: dict[str, Rules] = {
    "ue4-0.9.4": _rules(OLDEST, sensor=0, sign=0),
    "ue4-0.9.6": _rules(ANIMATED, sensor=0, sign=0),
    "ue4-0.9.10": _rules(TEN, long_wheels=False, sensor=0),
    "ue4-0.9.12": _rules(TEN),
    "ue4-0.9.14": _rules(FOURTEEN),
    "ue4-0.9.15": _rules(FIFTEEN),
    "ue4-doors": _rules(DOORS),
    "ue4-0.9.16": _rules(SIXTEEN, version=2, shift=1),
    "ue4-2026": _rules(NEWEST, version=2, shift=1),
    "ue5-0.10.0": _rules(DOORS, wide=True),
    "ue5-2026": _rules(NEWEST, wide=True),
}


@dataclass
class Frame:
    """A frame: its three values, and every packet's records by the packet's name, in file order."""

    number: int
    duration: float
    elapsed: float
    packets: dict[str, list[Any]] = field(default_factory=dict)


class Added(NamedTuple):
    id: int
    kind: int
    location: tuple[float, ...]
    rotation: tuple[float, ...]
    uid: int
    blueprint: str
    attributes: dict[str, tuple[int, str]]


class Cursor:
    """A place in some bytes that moves on with every read."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def read(self, code: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + code, self.data, self.at)
        self.at += struct.calcsize("<" + code)
        return values

    def one(self, code: str) -> Any:
        return self.read(code)[0]

    def text(self) -> str:
        size = self.one("H")
        self.at += size
        return self.data[self.at - size : self.at].decode("utf-8")


class Recording(NamedTuple):
    version: int
    date: int
    map_name: str
    frames: list[Frame]


def read(data: bytes, dialect: str) -> Recording:
    """The whole recording; fails where a byte is left over, a packet is out of order or comes twice."""
    rules = RULES[dialect]
    cursor = Cursor(data)
    version = cursor.one("H")
    assert cursor.text() == "CARLA_RECORDER"
    date = cursor.one("q")
    result = Recording(version, date, cursor.text(), [])
    assert version == rules.version
    names = {number: name for name, number in rules.ids.items()}
    while cursor.at < len(data):
        number, size = cursor.read("BI")
        name, body = names[number], Cursor(data[cursor.at : cursor.at + size])
        assert len(body.data) == size, "the file ends inside a packet"
        cursor.at += size
        if name == "FrameStart":
            frame_id, duration, elapsed = body.read("Qdd")
            result.frames.append(Frame(frame_id, duration, elapsed))
            records: list[Any] = []
        elif name == "FrameEnd":
            records = []
        else:
            records = _records(name, body, rules)
        assert body.at == size, f"{name} has {size - body.at} bytes left over"
        packets = result.frames[-1].packets
        assert name not in packets, f"{name} comes twice"
        assert records or name not in ONLY_WHEN_NOT_EMPTY, f"{name} is written although it is empty"
        packets[name] = records
    for frame in result.frames:
        assert list(frame.packets) == [name for name in rules.order if name in frame.packets]
        assert "FrameEnd" in frame.packets
    return result


def _records(name: str, body: Cursor, rules: Rules) -> list[Any]:
    if name in ("VisualTime", "PlatformTime"):
        return [body.one("d")]
    count, read_one = body.one("H"), record_reader(name, rules)
    return [read_one(body) for _ in range(count)]


def record_reader(name: str, rules: Rules) -> Callable[[Cursor], Any]:
    """What reads one record of a list."""
    vector = "3d" if rules.wide else "3f"
    plain = {
        "EventDel": "I",
        "EventParent": "II",
        "Collision": "III??",
        "Position": "I" + 2 * vector,
        "State": "I?fb",
        "AnimVehicle": "Ifff?i",
        "AnimWalker": "If",
        "VehicleLight": "II",
        "SceneLight": "if4f?B",
        "AnimBiker": "Iff",
        "VehicleDoor": "IB?",
        "Weather": "14f",
        "Kinematics": "I" + 2 * vector,
        "BoundingBox": "I" + 2 * vector,
        "TriggerVolume": "I" + 2 * vector,
        "TrafficLightTime": "I3f",
    }
    if name in plain:
        return lambda body: body.read(plain[name])
    one = {
        "EventAdd": _added,
        "AnimVehicleWheels": _wheels,
        "WalkerBones": _bones,
        "PhysicsControl": _physics_ue5 if rules.wide else _physics,
    }
    return lambda body: one[name](body, rules)


def without_actor(data: bytes, dialect: str, actor: int) -> bytes:
    """The bytes without the records of an actor, and without packets that have no others and are not written then."""
    rules = RULES[dialect]
    names, at = {number: name for name, number in rules.ids.items()}, 28 + int.from_bytes(data[26:28], "little")
    parts = [data[:at]]
    while at < len(data):
        number, size = struct.unpack_from("<BI", data, at)
        name, body = names[number], Cursor(data[at + 5 : at + 5 + size])
        at += 5 + size
        if name not in ("FrameStart", "FrameEnd", "VisualTime", "PlatformTime"):
            count, kept, read_one = body.one("H"), [], record_reader(name, rules)
            for _ in range(count):
                start = body.at
                read_one(body)
                kept.append(body.data[start : body.at])
            assert body.at == size, f"{name} has {size - body.at} bytes left over"
            is_of_actors = name not in ("Collision", "SceneLight", "Weather")
            mine = [each for each in kept if is_of_actors and each[:4] == struct.pack("<I", actor)]
            if mine:
                kept = [each for each in kept if each not in mine]
                body = Cursor(struct.pack("<H", len(kept)) + b"".join(kept))
                if not kept and name in ONLY_WHEN_NOT_EMPTY:
                    continue
        parts.append(struct.pack("<BI", number, len(body.data)) + body.data)
    return b"".join(parts)


def _added(body: Cursor, rules: Rules) -> Added:
    vector = "3d" if rules.wide else "3f"
    actor, kind = body.read("IB")
    location, rotation = body.read(vector), body.read(vector)
    uid, blueprint = body.one("I"), body.text()
    attributes = {}
    for _ in range(body.one("H")):
        attribute_type = body.one("B")
        name = body.text()
        attributes[name] = (attribute_type, body.text())
    return Added(actor, kind, location, rotation, uid, blueprint, attributes)


def _wheels(body: Cursor, rules: Rules) -> tuple[int, list[tuple[Any, ...]]]:
    return body.one("I"), [body.read("Bff") for _ in range(body.one("I"))]


def _bones(body: Cursor, rules: Rules) -> tuple[int, list[Any]]:
    vector = "3d" if rules.wide else "3f"
    return body.one("I"), [(body.text(), body.read(2 * vector)) for _ in range(body.one("H"))]


def _physics(body: Cursor, rules: Rules) -> tuple[int, list[tuple[Any, ...]]]:
    """The actor and where its wheels are, world cm."""
    actor = body.one("I")
    body.read("5f?4f3f")
    for width in ("2f", "3f", "2f"):
        for _ in range(body.one("I")):
            body.read(width)
    return actor, [body.read("12f" if rules.long_wheels else "9f")[-3:] for _ in range(body.one("I"))]


def _physics_ue5(body: Cursor, rules: Rules) -> tuple[int, list[tuple[Any, ...]]]:
    actor = body.one("I")
    body.read("6fBf?7f3f4f3f2f?")
    for width in ("2f", "f", "f", "2f"):
        for _ in range(body.one("I")):
            body.read(width)
    places = []
    for _ in range(body.one("I")):
        body.at += 72
        assert body.read("3Q") == (0, 0, 0), "a pointer is not null"
        body.at += 72
        places.append(body.read("3f"))
        body.at += 28
    return actor, places
