"""Edits of actors done the slow way: a recording as lists of records, changed in plain Python and written again.

Like `tests.builders`, this never imports the library. It knows the packets of 0.9.15 (floats).
"""

import random
import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests import builders as b

SIZES = {3: 4, 4: 8, 5: 14, 6: 28, 7: 10, 8: 21, 9: 8, 10: 8, 11: 26, 12: 28, 13: 28, 16: 16, 17: 28, 22: 12}
VARIABLE = (2, 15, 19, 21)
ORDER = (0, 20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 21, 22, 12, 13, 17, 14, 15, 16, 19, 1)
ONLY_FILLED = (11, 12, 15, 16, 17)
KINDS = ("vehicle.a.b", "vehicle.a.b", "walker.c", "sensor.d")
ONE_OF_ID = (6, 7, 8, 9, 10, 12, 13, 15, 16, 17, 19, 21, 22)
IN_EVERY_FRAME = (6, 7, 8, 9, 10, 12, 19, 21, 22)

Packets = list[tuple[int, list[bytes] | bytes]]
"""Of a frame: id, and the records of a list or the body of anything else."""


class Span(NamedTuple):
    """A life: frame of its EventAdd, first frame without it (or None), and the frames in which its id means it."""

    born: int
    gone: int | None
    frames: range


# --- taking apart and putting together ------------------------------------------------------------------


def split(data: bytes) -> tuple[bytes, list[Packets]]:
    """The file header, and every frame."""
    at = 28 + struct.unpack_from("<H", data, 26)[0]
    head, frames = data[:at], []
    while at < len(data):
        number, size = struct.unpack_from("<BI", data, at)
        body = data[at + 5 : at + 5 + size]
        at += 5 + size
        if number == 0:
            frames.append([])
        frames[-1].append((number, records(number, body) if number in SIZES or number in VARIABLE else body))
    return head, frames


def records(number: int, body: bytes) -> list[bytes]:
    found, at = [], 2
    ends = {2: added, 15: physics, 19: bones, 21: wheels}
    for _ in range(int.from_bytes(body[:2], "little")):
        end = at + SIZES[number] if number in SIZES else ends[number](body, at)
        found.append(body[at:end])
        at = end
    assert at == len(body), (number, at, len(body))
    return found


def added(body: bytes, at: int) -> int:
    at = after_text(body, at + 33)
    (count,) = struct.unpack_from("<H", body, at)
    at += 2
    for _ in range(count):
        at = after_text(body, after_text(body, at + 1))
    return at


def after_text(body: bytes, at: int) -> int:
    return at + 2 + int(struct.unpack_from("<H", body, at)[0])


def physics(body: bytes, at: int) -> int:
    at += 4 + 5 * 4 + 1 + 4 * 4 + 3 * 4
    for size in (8, 12, 8, 48):
        at += 4 + size * int(struct.unpack_from("<I", body, at)[0])
    return at


def bones(body: bytes, at: int) -> int:
    (count,) = struct.unpack_from("<H", body, at + 4)
    at += 6
    for _ in range(count):
        at = after_text(body, at) + 24
    return at


def wheels(body: bytes, at: int) -> int:
    return at + 8 + 9 * int(struct.unpack_from("<I", body, at + 4)[0])


def joined(head: bytes, frames: list[Packets]) -> bytes:
    parts = [head]
    for packets in frames:
        for number, held in packets:
            body = held if isinstance(held, bytes) else struct.pack("<H", len(held)) + b"".join(held)
            parts.append(b.packet(number, body))
    return b"".join(parts)


# --- whose records --------------------------------------------------------------------------------------


def u32(record: bytes, at: int = 0) -> int:
    return int(struct.unpack_from("<I", record, at)[0])


def ids_of(number: int, record: bytes) -> tuple[int, ...]:
    """Whom a record is about."""
    if number == 4:
        return u32(record), u32(record, 4)
    if number == 5:
        return u32(record, 4), u32(record, 8)
    return (u32(record),) if number in ONE_OF_ID or number in (2, 3) else ()


def listed(packets: Packets, number: int) -> list[bytes]:
    return [record for each, held in packets if each == number and isinstance(held, list) for record in held]


def spans(frames: list[Packets]) -> dict[int, list[Span]]:
    """The lives of every id, in sound recordings: adds before deletes, no id twice in a frame."""
    births: dict[int, list[int]] = {}
    deaths: dict[int, list[int]] = {}
    for index, packets in enumerate(frames):
        for record in listed(packets, 2):
            births.setdefault(u32(record), []).append(index)
        for record in listed(packets, 3):
            deaths.setdefault(u32(record), []).append(index)
    found: dict[int, list[Span]] = {}
    for actor, begun in births.items():
        ended = deaths.get(actor, [])
        for number, born in enumerate(begun):
            gone = ended[number] if number < len(ended) else None
            found.setdefault(actor, []).append(Span(born, gone, range(born, len(frames) if gone is None else gone + 1)))
    return found


def parents(frames: list[Packets]) -> dict[tuple[int, int], tuple[int, int]]:
    """(id, number of its life) of whom each was attached to last, by its own."""
    lives = spans(frames)
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for index, packets in enumerate(frames):
        for record in listed(packets, 4):
            here = [
                next(
                    (
                        (actor, number)
                        for number, each in enumerate(lives.get(actor, ()))
                        if each.born <= index and (each.gone is None or index < each.gone)
                    ),
                    None,
                )
                for actor in (u32(record), u32(record, 4))
            ]
            if here[0] is not None:
                found.pop(here[0], None)
                if here[1] is not None:
                    found[here[0]] = here[1]
    return found


# --- the edits --------------------------------------------------------------------------------------------


def with_records(data: bytes, change: Callable[[int, int, bytes], bytes | None]) -> bytes:
    """Every record changed or left out: `change(frame, packet id, record)`; emptied packets go where they should."""
    head, frames = split(data)
    made: list[Packets] = []
    for index, packets in enumerate(frames):
        made.append([])
        for number, held in packets:
            if isinstance(held, list):
                changed = [change(index, number, record) for record in held]
                kept = [record for record in changed if record is not None]
                if held and not kept and number in ONLY_FILLED:
                    continue
                held = kept
            made[-1].append((number, held))
    return joined(head, made)


def without(data: bytes, gone: set[tuple[int, int]]) -> bytes:
    """Without these lives: (id, number of the life)."""
    lives = spans(split(data)[1])

    def change(index: int, number: int, record: bytes) -> bytes | None:
        for actor, life in gone:
            if actor in ids_of(number, record) and index in lives[actor][life].frames:
                return None
        return record

    return with_records(data, change)


def renumbered(data: bytes, actor: int, life: int, new: int) -> bytes:
    """With another id for a life."""
    lives = spans(split(data)[1])

    def change(index: int, number: int, record: bytes) -> bytes:
        if index not in lives[actor][life].frames:
            return record
        for at in {4: (0, 4), 5: (4, 8)}.get(number, (0,) if ids_of(number, record) else ()):
            if u32(record, at) == actor:
                record = record[:at] + b.u32(new) + record[at + 4 :]
        return record

    return with_records(data, change)


def duplicated(data: bytes, actor: int, life: int, new: int, offset: tuple[float, float, float]) -> bytes:
    """With a copy of a life, moved by an offset (cm) and without a shift in time."""
    head, frames = split(data)
    span = spans(frames)[actor][life]

    def copied(number: int, record: bytes) -> bytes:
        at = {2: 5, 6: 4}.get(number)
        if at is not None:
            here = struct.unpack_from("<3f", record, at)
            moved = struct.pack("<3f", *(x + y for x, y in zip(here, offset, strict=True)))
            record = record[:at] + moved + record[at + 12 :]
        return b.u32(new) + record[4:]

    made = []
    for index, packets in enumerate(frames):
        alive = index in span.frames and index != span.gone
        changed: Packets = []
        for number, held in packets:
            if isinstance(held, list):
                extra: list[bytes] = []
                mine = [record for record in held if ids_of(number, record)[:1] == (actor,)]
                if alive and number == 4:
                    extra = [b.u32(new) + record[4:] for record in mine]
                elif alive and number in IN_EVERY_FRAME:
                    extra = [copied(number, record) for record in mine[-1:]]
                elif (alive and number in (13, 15)) or (number == 2 and index == span.born):
                    extra = [copied(number, record) for record in mine]
                elif number == 3 and index == span.gone:
                    extra = [b.u32(new)]
                held = held + extra
            changed.append((number, held))
        made.append(changed)
    return joined(head, made)


# --- recordings -------------------------------------------------------------------------------------------


def random_recording(chance: random.Random, frames: int, how: str = "wild") -> bytes:
    """Actors that come, go and come again under ids they had before, with all that is told of them.

    `how`: wild; calm (all there from the first frame to the last, so that frames are of one size, in any order); belt
    (one comes and one goes in each frame: frames are of one size, and ids mean somebody else soon).
    """
    alive: dict[int, str] = {}
    parent: dict[int, int] = {}
    rested: set[int] = set()
    made = []
    for index in range(frames):
        born, dead = comers_and_goers(chance, how, index, alive, rested)
        for actor in born:
            alive[actor] = "vehicle.a.b" if how == "belt" else chance.choice(KINDS)
        hit = [actor for actor in alive if how == "wild" and chance.random() < 0.15]
        for actor in dead:
            del alive[actor]
            parent.pop(actor, None)
        rested = set(dead)
        attached = [(actor, chance.choice([*alive])) for actor in born if how != "belt" and chance.random() < 0.3]
        attached = [pair for pair in attached if not above(pair[0], pair[1], parent)]
        parent.update(attached)
        made.append(frame(chance, index, alive, born, dead, attached, hit, how))
    return b.recording(*made)


def comers_and_goers(
    chance: random.Random, how: str, index: int, alive: dict[int, str], rested: set[int]
) -> tuple[list[int], list[int]]:
    if how == "belt":
        return [1 + index % 5], [1 + (index - 3) % 5] if index >= 3 else []
    if how == "calm":
        return list(range(1, 7)) if index == 0 else [], []
    born = [actor for actor in range(1, 7) if actor not in alive and actor not in rested and chance.random() < 0.4]
    return born, [actor for actor in alive if chance.random() < 0.08]


def above(child: int, other: int | None, parent: dict[int, int]) -> bool:
    seen: set[int] = set()
    while other is not None and other not in seen:
        if other == child:
            return True
        seen.add(other)
        other = parent.get(other)
    return False


def frame(
    chance: random.Random,
    index: int,
    alive: dict[int, str],
    born: list[int],
    dead: list[int],
    attached: list[tuple[int, int]],
    hit: list[int],
    how: str,
) -> bytes:
    def number() -> float:
        return float(chance.randrange(-4000, 4000))

    def place() -> b.Record:
        # So far from the middle of the map that no place of birth can be taken for an offset from the parent.
        return b.xyz(100_000.0 + number(), number(), 1.0)

    moving = [actor for actor, kind in alive.items() if kind != "sensor.d"]
    driving = [actor for actor, kind in alive.items() if kind == "vehicle.a.b"]
    walking = [actor for actor, kind in alive.items() if kind == "walker.c"]
    for each in (moving, driving, walking):
        chance.shuffle(each)

    def lengths(actors: list[int]) -> list[int]:
        """As often the same ones in every frame of so many actors, but not in the same places."""
        found = [1 + n % 3 + (how == "wild" and chance.random() < 0.2) for n in range(len(actors))]
        chance.shuffle(found)
        return found

    kinds = {actor: {"vehicle.a.b": 1, "walker.c": 2, "sensor.d": 5}[kind] for actor, kind in alive.items()}
    packets = [
        b.packet(20, struct.pack("<d", index * 0.5)),
        b.packet(
            2,
            b.event_add(
                [
                    b.actor(
                        actor,
                        kinds[actor],
                        alive[actor],
                        place(),
                        uid=7,
                        attributes=[b.attribute(3, "role_name", "x" * (chance.randrange(3) if how == "wild" else 1))],
                    )
                    for actor in born
                ]
                + [b.actor(90, 3, "traffic.traffic_light", uid=0)] * (index == 0)
            ),
        ),
        b.packet(3, b.event_del([{"id": actor} for actor in dead])),
        b.packet(4, b.event_parent([{"child": child, "parent": other} for child, other in attached])),
        b.packet(
            5,
            b.collision(
                [
                    {
                        "id": n,
                        "actor1": actor,
                        "actor2": chance.choice([*alive, 0xFFFFFFFF]),
                        "hero1": False,
                        "hero2": False,
                    }
                    for n, actor in enumerate(hit)
                ]
            ),
        ),
        b.packet(6, b.position([b.pose(actor, place()) for actor in moving])),
        b.packet(7, b.traffic_light_state([{"id": 90, "frozen": False, "elapsed": 1.0, "state": 2}])),
        b.packet(
            8,
            b.anim_vehicle(
                [
                    {"id": actor, "steering": 0.5, "throttle": 0.0, "brake": 1.0, "handbrake": False, "gear": index}
                    for actor in driving
                ]
            ),
        ),
        b.packet(9, b.anim_walker([{"id": actor, "speed": number()} for actor in walking])),
        b.packet(10, b.vehicle_light([{"id": actor, "lights": index} for actor in driving])),
        b.packet(
            21,
            b.vehicle_wheels(
                [
                    {
                        "id": actor,
                        "wheels": [
                            {"location": n, "steering": number(), "rotation": 1.0}
                            for n in range(2 if how == "belt" else length)
                        ],
                    }
                    for actor, length in zip(driving, lengths(driving), strict=True)
                ]
            ),
        ),
        b.packet(22, b.biker([])),
    ]
    if moving:
        packets.append(
            b.packet(
                12,
                b.kinematics(
                    [
                        {"id": actor, "linear_velocity": b.xyz(number(), 1.0, 2.0), "angular_velocity": b.xyz()}
                        for actor in moving
                    ]
                ),
            )
        )
    packets.append(
        b.packet(
            13,
            b.bounding_box([{"id": actor, "origin": b.xyz(), "extent": b.xyz(number(), 1.0, 1.0)} for actor in born]),
        )
    )
    packets.append(b.packet(14, struct.pack("<d", index * 0.7)))
    strong = [b.physics(True) | {"id": actor} for actor in born if actor in driving]
    if strong:
        packets.append(b.packet(15, b.physics_control(strong)))
    packets.append(
        b.packet(
            19,
            b.walker_bones(
                [
                    {
                        "id": actor,
                        "bones": [
                            {"name": "b" * (5 - length), "location": b.xyz(number()), "rotation": b.turn()}
                            for _ in range(2)
                        ],
                    }
                    for actor, length in zip(walking, lengths(walking), strict=True)
                ]
            ),
        )
    )
    return b.frame(index + 1, index * 0.5, 0.5, packets)


def walk(frames: list[Packets]) -> Iterator[tuple[int, int, int]]:
    """(frame, packet id, actor) of every record that names an actor who is not alive: none in a sound recording."""
    alive: set[int] = set()
    for index, packets in enumerate(frames):
        alive |= {u32(record) for record in listed(packets, 2)}
        for number, held in packets:
            for record in held if isinstance(held, list) and number != 2 else ():
                for actor in ids_of(number, record):
                    if actor not in alive and actor != 0xFFFFFFFF:
                        yield index, number, actor
        alive -= {u32(record) for record in listed(packets, 3)}
