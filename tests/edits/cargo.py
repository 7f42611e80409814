"""A packet type of no release, as the table would hold it, a dialect that has it, and a recording of eight frames.

Cargo is told of an actor when it changes, and lasts: how heavy it is, and where in the world it is bound for.
"""

import json
import struct
from pathlib import Path

from recorder_editor.format.dialects import DIALECTS, Dialect, dialect_of
from recorder_editor.format.packet_files import parse_packet_file, with_packets
from recorder_editor.format.packets import ACTOR_TYPES_0912, ATTRIBUTE_TYPES_2, packet_types
from recorder_editor.format.schema import Field, PacketType, Struct

from .. import builders as b
from ..recording.films import add, attach, delete, film

OLDER = DIALECTS["ue4-2026"]
NUMBER, CAR, TRUCK = 25, 7, 8

CARGO = PacketType(
    -1,
    "Cargo",
    "list",
    Struct(
        "cargo",
        (
            Field("id", "u32", "Actor that carries it", actor=True),
            Field("mass", "f32", "Mass", "kg", low=0, step=10),
            Field("bound.x", "f32", "Where it is bound for: X", "cm", world="place"),
            Field("bound.y", "f32", "Where it is bound for: Y", "cm", world="place"),
            Field("bound.z", "f32", "Where it is bound for: Z", "cm", world="place"),
            Field("sealed", "bool", "The doors are sealed"),
        ),
    ),
    "What actors carry, when it changed",
    "lasting",
    "filled",
    key=("id",),
    replayed="applied",
)


def _newer() -> Dialect:
    """The newest release, and one packet more, written before Kinematics."""
    table = dict(
        packet_types("f32", dialect=OLDER.name, actor_types=ACTOR_TYPES_0912, attribute_types=ATTRIBUTE_TYPES_2)
    )
    names = list(table)
    names.insert(names.index("Kinematics"), CARGO.name)
    table = {each: table.get(each, CARGO) for each in names}
    ids = {number: kind.name for number, kind in OLDER.packets.items() if kind.name in table}
    return dialect_of(
        table, {**ids, NUMBER: CARGO.name}, "ue4-cargo", ("next", "next"), engine=4, header_version=2, family="newest"
    )


DIALECT = _newer()


USERS_NUMBER = 150
USERS_FILE = parse_packet_file(
    json.dumps(
        {
            "packets": [
                {
                    "id": USERS_NUMBER,
                    "name": "Cargo",
                    "meaning": "What actors carry, when it changed",
                    "lifetime": "lasting",
                    "members": [
                        ["id", "actor", "Actor that carries it"],
                        ["mass", "f32", "Mass", "kg", {"low": 0, "step": 10}],
                        ["bound", "vector", "Where it is bound for", "cm", {"world": "place"}],
                        ["sealed", "bool", "The doors are sealed"],
                    ],
                }
            ]
        }
    ).encode(),
    Path("cargo.packets.json"),
)
USERS_DIALECT = with_packets(OLDER, [USERS_FILE], [USERS_NUMBER])
"""The same packet, described by a file of a user."""

USERS_CARGO = USERS_DIALECT.packet(USERS_NUMBER)


def cargo(*records: tuple[int, float], at: float = 500.0) -> bytes:
    return b.packet(NUMBER, b.u16(len(records)) + b"".join(bytes_of(*each, at=at) for each in records))


def bytes_of(actor: int, mass: float, at: float = 500.0) -> bytes:
    return struct.pack("<IffffB", actor, mass, at, 0.0, 0.0, 1)


def story() -> bytes:
    """A car and a truck; the car is loaded in frame 2 and again in frame 5, the truck in frame 3, which goes in 6."""
    cars = [b.actor(CAR, 1, "vehicle.car", uid=21), b.actor(TRUCK, 1, "vehicle.truck", b.xyz(900.0), uid=22)]
    more = {1: [cargo((CAR, 10.0))], 2: [cargo((TRUCK, 20.0))], 4: [cargo((CAR, 30.0))]}
    frames = []
    for number in range(8):
        alive = [CAR] if number > 4 else [CAR, TRUCK]
        poses = b.packet(6, b.position([b.pose(each, b.xyz(100.0 * each + number)) for each in alive]))
        frames.append(
            [
                add(*cars) if not number else add(),
                delete(TRUCK) if number == 5 else delete(),
                attach(),
                poses,
                *more.get(number, []),
            ]
        )
    return film(*frames)
