"""Packets of a user of every kind, described by a file, in the recording that random edits begin with.

Gazes last and are told of actors, with texts and arrays; a horn is an event that names an actor; a pulse moves as its
actor does; notes are a text that lasts for all. The actor of a record is not what it begins with.
"""

import json
import struct
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from recorder_editor.format.packet_files import parse_packet_file

from .. import builders as b
from .choices import street

GAZE, HORN, NOTE, PULSE = 160, 161, 162, 163
FILE = parse_packet_file(
    json.dumps(
        {
            "packets": [
                {
                    "id": GAZE,
                    "name": "DriverGaze",
                    "lifetime": "lasting",
                    "members": [
                        ["whom", "actor", "The one that is looked at"],
                        ["id", "actor", "The one that looks"],
                        ["eyes", "vector", "The eyes, world", "cm", {"world": "place"}],
                        ["head", "rotator", "The head, world", {"world": "rotation"}],
                        ["target", "str", "What is looked at"],
                        {
                            "path": "glances",
                            "count": "u16",
                            "element": "glance",
                            "meaning": "Glances since the last record",
                            "members": [["point", "f32", "Where"], ["said", "str", "What"]],
                        },
                    ],
                },
                {
                    "id": HORN,
                    "name": "Horn",
                    "lifetime": "event",
                    "members": [["id", "actor", "The one that honks"], ["length", "f32", "How long", "s"]],
                },
                {
                    "id": PULSE,
                    "name": "Pulse",
                    "motion": True,
                    "members": [
                        ["doctor", "actor", "The one that listens"],
                        ["rate", "f32", "How fast"],
                        ["id", "actor", "The one that is alive"],
                    ],
                },
                {
                    "id": NOTE,
                    "name": "Note",
                    "lifetime": "lasting",
                    "members": [["text", "str", "What is noted"], ["loud", "f32", "How loud"]],
                },
            ]
        }
    ).encode(),
    Path("gazes.packets.json"),
)


def gaze(
    actor: int,
    whom: int,
    x: float,
    target: str,
    glances: int = 0,
    *,
    eyes: tuple[float, float, float] | None = None,
    yaw: float = 0.0,
) -> bytes:
    """A record of a gaze with so many glances; without `eyes` they are at x."""
    place = eyes or (x, 7.0, 150.0)
    data = struct.pack("<2I6f", whom, actor, *place, 0.0, 3.0 * actor, yaw) + b.string(target) + b.u16(glances)
    for number in range(glances):
        data += b.f32(0.5 * number) + b.string("!" * number)
    return data


def _listed(*records: bytes) -> bytes:
    return b.u16(len(records)) + b"".join(records)


def pulse(actor: int, rate: float) -> bytes:
    """A record of a pulse, to which the car listens."""
    return struct.pack("<IfI", 7, rate, actor)


_STORY: Mapping[int, list[bytes]] = {
    0: [
        b.packet(PULSE, _listed(pulse(7, 60.0), pulse(8, 70.0))),
        b.packet(GAZE, _listed(gaze(7, 8, 5000.0, "sign", 2), gaze(8, 3, 6000.0, ""))),
        b.packet(NOTE, _listed(b.string("begun") + b.f32(1.0))),
    ],
    2: [b.packet(HORN, _listed(struct.pack("<If", 7, 0.5), struct.pack("<If", 14, 1.5)))],
    1: [b.packet(PULSE, _listed(pulse(7, 62.0), pulse(8, 72.0)))],
    3: [b.packet(GAZE, _listed(gaze(12, 7, 5300.0, "a car", 1)))],
    4: [b.packet(GAZE, _listed(gaze(7, 12, 5400.0, "é")))],
    6: [
        b.packet(GAZE, _listed(gaze(8, 12, 6500.0, "walker", 3))),
        b.packet(NOTE, _listed(b.string("half") + b.f32(2.0), b.string("") + b.f32(3.0))),
    ],
}


@cache
def street_with_gazes() -> bytes:
    """The street, with these packets at the ends of its frames."""
    data = street()
    at = len(b.header(version=2))
    result = data[:at]
    frame = 0
    while at < len(data):
        number, size = struct.unpack_from("<BI", data, at)
        if number == 1:
            result += b"".join(_STORY.get(frame, ()))
            frame += 1
        result += data[at : at + 5 + size]
        at += 5 + size
    return result
