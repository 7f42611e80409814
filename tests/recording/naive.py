"""Recordings read the slow way, packet by packet and record by record, to compare with.

Like `tests.builders`, this never imports the library.
"""

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# What follows the id in each record of a packet, by packet id; vectors are put in for `v` and `V`.
TRACKS = {"positions": 6, "kinematics": 12, "controls": 8, "walkers": 9, "lights": 10, "states": 7}
FORMATS = {6: "<I3v3v", 12: "<I3v3v", 8: "<IfffBi", 9: "<If", 10: "<II", 7: "<IBfb"}


class Packet(NamedTuple):
    frame: int  # from 0
    index: int  # in its frame, FrameStart is 0
    id: int
    body: bytes


def packets(data: bytes) -> Iterator[Packet]:
    """All packets of a sound file, FrameStart and FrameEnd included."""
    (map_length,) = struct.unpack_from("<H", data, 26)
    at = 28 + map_length
    frame, index = -1, 0
    while at < len(data):
        number, size = struct.unpack_from("<BI", data, at)
        if number == 0:
            frame, index = frame + 1, 0
        yield Packet(frame, index, number, data[at + 5 : at + 5 + size])
        at, index = at + 5 + size, index + 1


def elapsed(data: bytes) -> list[float]:
    return [struct.unpack("<Qdd", packet.body)[2] for packet in packets(data) if packet.id == 0]


def records(body: bytes, layout: str) -> list[tuple[Any, ...]]:
    """The whole records of a body, as far as its count goes."""
    if len(body) < 2:
        return []
    size = struct.calcsize(layout)
    (count,) = struct.unpack_from("<H", body)
    return [struct.unpack_from(layout, body, 2 + n * size) for n in range(min(count, (len(body) - 2) // size))]


def raw_records(body: bytes, size: int) -> list[bytes]:
    """The same, undecoded."""
    count = int.from_bytes(body[:2], "little") if len(body) >= 2 else 0
    return [body[2 + n * size : 2 + (n + 1) * size] for n in range(min(count, (len(body) - 2) // size))]


def track(data: bytes, name: str, wide: bool = False) -> list[tuple[int, bytes]]:
    """(frame, bytes of the record) of every record of a track."""
    size = struct.calcsize(FORMATS[TRACKS[name]].replace("v", "d" if wide else "f"))
    return [
        (packet.frame, record)
        for packet in packets(data)
        if packet.id == TRACKS[name]
        for record in raw_records(packet.body, size)
    ]


def speeds(data: bytes) -> dict[tuple[int, int], float]:
    """How fast (m/s) by frame and actor: the one definition, told record by record, for float vectors."""
    times = elapsed(data)
    places = {
        (packet.frame, actor): place
        for packet in packets(data)
        if packet.id == 6
        for actor, *place in records(packet.body, "<I3f12x")
    }
    told = {
        (packet.frame, actor): math.sqrt(sum(axis * axis for axis in velocity))
        for packet in packets(data)
        if packet.id == 12
        for actor, *velocity in records(packet.body, "<I3f12x")
    }

    def is_driven(one: tuple[int, int], other: tuple[int, int]) -> bool:
        if one not in places or other not in places:
            return False
        seconds = times[other[0]] - times[one[0]]
        level = math.dist(places[one][:2], places[other][:2]) / 100
        return seconds > 0 and math.isfinite(level) and (level <= 10 or level / seconds <= 150)

    found = {key: speed for key, speed in told.items() if math.isfinite(speed)}
    for frame, actor in places:
        if (frame, actor) not in found:
            here = frame, actor
            first = (frame - 1, actor) if is_driven((frame - 1, actor), here) else here
            last = (frame + 1, actor) if is_driven(here, (frame + 1, actor)) else here
            seconds = times[last[0]] - times[first[0]]
            found[here] = math.dist(places[first], places[last]) / 100 / seconds if first != last else math.nan
    return found


@dataclass
class Life:
    actor: int
    born: int
    type: int
    transform: tuple[float, ...]
    uid: int
    blueprint: str
    attributes: list[tuple[int, str, str]]
    place: tuple[int, int, int]
    gone: int | None = None
    parent: "Life | None" = None
    box: tuple[float, ...] | None = None
    trigger: tuple[float, ...] | None = None


@dataclass
class World:
    """What a loop over all packets knows of actors, at the end and on the way."""

    lives: list[Life] = field(default_factory=list)
    alive: list[set[int]] = field(default_factory=list)  # ids by frame
    events: list[tuple[int, str, int, int, int]] = field(default_factory=list)  # frame, kind, actor, packet, record
    collisions: list[tuple[int, ...]] = field(default_factory=list)  # frame, id, actor1, actor2, hero1, hero2


def added(body: bytes) -> Iterator[tuple[int, int, tuple[float, ...], int, str, list[tuple[int, str, str]]]]:
    """The records of an EventAdd with float vectors."""
    at = 2

    def text() -> str:
        nonlocal at
        (length,) = struct.unpack_from("<H", body, at)
        at += 2 + length
        return body[at - length : at].decode()

    for _ in range(int.from_bytes(body[:2], "little")):
        actor, kind = struct.unpack_from("<IB", body, at)
        transform = struct.unpack_from("<6f", body, at + 5)
        (uid,) = struct.unpack_from("<I", body, at + 29)
        at += 33
        blueprint = text()
        (count,) = struct.unpack_from("<H", body, at)
        at += 2
        attributes = []
        for _ in range(count):
            at += 1
            attributes.append((body[at - 1], text(), text()))
        yield actor, kind, transform, uid, blueprint, attributes


def world(data: bytes) -> World:
    """Goes through a sound file with float vectors."""
    found = World()
    here: dict[int, Life] = {}
    for frame, index, number, body in packets(data):

        def event(kind: str, actor: int, ordinal: int = 0, frame: int = frame, index: int = index) -> None:
            found.events.append((frame, kind, actor, index, ordinal))

        if number == 1:
            found.alive.append(set(here))
        elif number == 2:
            for n, (actor, kind, transform, uid, blueprint, attributes) in enumerate(added(body)):
                if actor in here:
                    here[actor].gone = frame
                here[actor] = Life(actor, frame, kind, transform, uid, blueprint, attributes, (frame, index, n))
                found.lives.append(here[actor])
                event("born", actor, n)
        elif number == 3:
            for n, (actor,) in enumerate(records(body, "<I")):
                event("gone", actor, n)
                if actor in here:
                    here.pop(actor).gone = frame
        elif number == 4:
            for n, (child, parent) in enumerate(records(body, "<II")):
                event("parent", child, n)
                if child in here:
                    here[child].parent = here.get(parent)
        elif number == 5:
            for n, record in enumerate(records(body, "<IIIBB")):
                event("collision", record[1], n)
                found.collisions.append((frame, *record))
        elif number == 13:
            for actor, *box in records(body, "<I6f"):
                if actor in here:
                    here[actor].box = tuple(box)
        elif number == 17:
            for actor, *box in records(body, "<I6f"):
                if actor in here:
                    here[actor].trigger = tuple(box)
        elif number == 15 and len(body) > 2:
            event("physics", -2)  # the actors are told in another test
        elif number == 11 and len(body) > 2:
            event("scene light", -1)
        elif number == 16 and len(body) > 2:
            event("light times", -1)
    return found
