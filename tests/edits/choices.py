"""Sensible arguments for every edit there is, drawn by chance from what a recording holds.

What is chosen leaves a sound recording sound: whoever deletes the EventAdd of an actor gets what was asked for, and
nothing is learned from it.
"""

import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeVar

from recorder_editor import Recording
from recorder_editor.edits import Place
from recorder_editor.errors import NothingToDo
from recorder_editor.reading.lives import Life
from recorder_editor.recording.snapshot import Frame, Packet

from .. import builders as b

Item = TypeVar("Item")

EVENTS = ("EventAdd", "EventDel", "EventParent")
FREE = ("Position", "AnimVehicle", "AnimWalker", "VehicleLight", "Kinematics", "DriverGaze", "Horn", "Note", "Pulse")
"""Packets that tell of actors in every frame, or are a user's, and whose records may come, go and change."""
CLOCKS = ("PlatformTime", "VisualTime", "FrameCounter")
MAX_FRAMES, MOST_ACTORS = 40, 400


# --- the recording to begin with ------------------------------------------------------------------------------


@cache
def street(frames: int = 9, step: float = 0.1) -> bytes:
    """A street of `ue4-2026` with something of everything: lives that end and come again, sensors at their offsets, a
    thing attached on the way, doors, lamps, weather, collisions, all additional data."""
    role = [b.attribute(4, "role_name", "hero"), b.attribute(4, "color", "1,2,3")]
    comers: dict[int, list[b.Record]] = {
        0: [
            b.actor(1, 0, "spectator", b.xyz(5.0, 5.0, 900.0), uid=0),
            b.actor(3, 3, "traffic.traffic_light", b.xyz(3000.5, 40.25, 10.0), b.turn(yaw=90.0), uid=0),
            b.actor(4, 4, "traffic.stop", b.xyz(-300.5, 40.25, 10.0), uid=0),
            b.actor(7, 1, "vehicle.tesla.model3", b.xyz(5000.0, 7.0, 1.0), b.turn(yaw=30.0), 21, role),
            b.actor(8, 1, "vehicle.carlamotors.truck", b.xyz(6000.0, 8.0, 1.0), b.turn(yaw=-90.0), 22),
            b.actor(9, 5, "sensor.camera.rgb", b.xyz(-550.0, 0.0, 280.0), b.turn(pitch=-15.0), 30),
            b.actor(20, 0, "static.prop.box", b.xyz(4000.0, -700.0, 0.0), uid=40),
        ],
        2: [b.actor(14, 1, "vehicle.bh.crossbike", b.xyz(7000.0, 14.0, 1.0), uid=23)],
        3: [
            b.actor(12, 2, "walker.pedestrian.0001", b.xyz(5300.0, 12.0, 90.0), uid=50),
            b.actor(13, 5, "sensor.other.collision", b.xyz(10.0, 20.0, 30.0), uid=31),
        ],
        6: [b.actor(8, 1, "vehicle.tesla.model3", b.xyz(6500.0, 8.0, 1.0), uid=21)],
    }
    goers = {5: [8], 7: [12, 13]}
    tied = {0: [(9, 7)], 2: [(20, 7)], 3: [(13, 12)]}
    alive: dict[int, b.Record] = {}
    made = []
    for n in range(frames):
        come, gone = comers.get(n, []), goers.get(n, [])
        alive = {actor: each for actor, each in alive.items() if actor not in gone}
        alive |= {each["id"]: each for each in come}
        made.append(
            b.frame(n + 1, n * step, -1.0 if n == frames - 1 else step, _packets(n, alive, come, gone, tied.get(n, [])))
        )
    return b.recording(*made, version=2)


def _packets(
    n: int,
    alive: Mapping[int, b.Record],
    come: Sequence[b.Record],
    gone: Sequence[int],
    tied: Sequence[tuple[int, int]],
) -> list[bytes]:
    cars = [actor for actor, each in alive.items() if each["type"] == 1]
    walkers = [actor for actor, each in alive.items() if each["type"] == 2]
    placed = [actor for actor, each in alive.items() if each["type"] in (0, 1, 2) and actor != 20]
    new = {each["id"] for each in come}
    places = {actor: alive[actor]["location"] for actor in placed}
    poses = [
        b.pose(actor, b.xyz(at["x"] + 90.0 * n, at["y"] + 4.0 * n * n, at["z"]), b.turn(yaw=2.0 * n * n))
        for actor, at in places.items()
    ]
    boxes = [{"id": actor, "origin": b.xyz(z=70.0), "extent": b.xyz(200.0, 90.0, 70.0)} for actor in new - {3, 4}]
    spans = [{"id": actor, "origin": b.xyz(1.0, 2.0, 3.0), "extent": b.xyz(90.0, 90.0, 90.0)} for actor in new & {3, 4}]
    lamps = {0: [_lamp(1, 10.0), _lamp(2, 20.0)], 4: [_lamp(2, 25.0)]}.get(n, [])
    doors = {1: [_door(7, 0, True), _door(8, 4, True)], 4: [_door(7, 6, False)], 6: [_door(7, 1, True)]}.get(n, [])
    skies = [dict.fromkeys(b.WEATHER, 3.0 + n)] if n in (0, 4) else []
    hits = {4: [(7, 8), (8, 7)], 5: [(7, 0xFFFFFFFF)]}.get(n, [])
    bone = {"name": "crl_hips__C", "location": b.xyz(), "rotation": b.turn()}
    packets = [
        (20, b.visual_time({"time": 7.0 + n})),
        (2, b.event_add(come)),
        (3, b.event_del([{"id": actor} for actor in gone])),
        (4, b.event_parent([{"child": child, "parent": parent} for child, parent in tied])),
        (
            5,
            b.collision(
                [
                    {"id": 2 * n + k, "actor1": one, "actor2": two, "hero1": one == 7, "hero2": two == 7}
                    for k, (one, two) in enumerate(hits)
                    if {one, two} <= {*alive, 0xFFFFFFFF}
                ]
            ),
        ),
        (6, b.position(poses)),
        (7, b.traffic_light_state([{"id": 3, "frozen": False, "elapsed": 0.1 * n, "state": n // 4}])),
        (
            8,
            b.anim_vehicle(
                [
                    {"id": actor, "steering": 0.1, "throttle": 0.5, "brake": 0.0, "handbrake": False, "gear": 1}
                    for actor in cars
                ]
            ),
        ),
        (9, b.anim_walker([{"id": actor, "speed": 140.0} for actor in walkers])),
        (10, b.vehicle_light([{"id": actor, "lights": 3 + 16 * (n % 2)} for actor in cars])),
        (11, b.scene_light(lamps)),
        (
            21,
            b.vehicle_wheels(
                [
                    {
                        "id": actor,
                        "wheels": [
                            {"location": k, "steering": 3.0 * k, "rotation": 9.0 * n}
                            for k in range(2 if actor == 14 else 4)
                        ],
                    }
                    for actor in cars
                ]
            ),
        ),
        (22, b.biker([{"id": 14, "forward_speed": 4.0, "engine_rotation": 0.5}] if 14 in alive else [])),
        (23, b.vehicle_door([each for each in doors if each["id"] in alive])),
        (24, b.weather(skies)),
        (
            12,
            b.kinematics(
                [
                    {"id": actor, "linear_velocity": b.xyz(9.0), "angular_velocity": b.xyz(z=5.0)}
                    for actor in (*cars, *walkers)
                ]
            ),
        ),
        (13, b.bounding_box(boxes)),
        (17, b.trigger_volume(spans)),
        (14, b.platform_time({"time": 1.0 + 0.2 * n})),
        (15, b.physics_control([b.physics(True) | {"id": actor} for actor in cars if actor in new or n == 4])),
        (16, b.traffic_light_time([{"id": 3, "green": 9.0, "yellow": 3.0, "red": 2.0 + n}] if n in (0, 5) else [])),
        (19, b.walker_bones([{"id": actor, "bones": [bone]} for actor in walkers])),
    ]
    only_filled = (11, 15, 16, 17)
    return [b.packet(number, body) for number, body in packets if body != b"\0\0" or number not in only_filled]


def _lamp(number: int, intensity: float) -> b.Record:
    color = {"r": 1.0, "g": 1.0, "b": 1.0, "a": 1.0}
    return {"id": number, "intensity": intensity, "color": color, "on": True, "group": 2}


def _door(actor: int, door: int, is_open: bool) -> b.Record:
    return {"id": actor, "door": door, "open": is_open}


# --- choosing -------------------------------------------------------------------------------------------------


def some(chance: random.Random, among: Sequence[Item], what: str) -> Item:
    """One of them; there may be nothing to do."""
    if not among:
        raise NothingToDo(f"There is no {what}.")
    return chance.choice(among)


def some_life(recording: Recording, chance: random.Random, *groups: str) -> Life:
    """A life whose blueprint begins with one of these words, or any."""
    lives = [life for life in recording.actors.lives if not groups or life.blueprint.startswith(groups)]
    return some(chance, lives, "such actor")


def some_lives(recording: Recording, chance: random.Random, *groups: str) -> list[Life]:
    first = some_life(recording, chance, *groups)
    second = some_life(recording, chance, *groups)
    return [first] if chance.random() < 0.6 or first.index == second.index else [first, second]


def some_range(recording: Recording, chance: random.Random, most: int | None = None) -> range:
    """Frames next to each other, at least one."""
    count = len(recording)
    first = chance.randrange(count)
    return range(first, min(count, first + chance.randint(1, most or count)))


def perhaps_range(recording: Recording, chance: random.Random) -> range | None:
    return None if chance.random() < 0.3 else some_range(recording, chance)


def metres(chance: random.Random) -> tuple[float, float, float]:
    return tuple(chance.choice((0.0, round(chance.uniform(-3, 3), 2))) for _ in range(3))  # type: ignore[return-value]


def is_calm(frame: Frame) -> bool:
    """Nobody comes, goes or is attached in it."""
    return not any(packet.name in EVENTS and len(packet.decoded) for packet in frame.packets)


def calm_frame(recording: Recording, chance: random.Random) -> Frame:
    """A frame without events, and not the last one."""
    return some(chance, [frame for frame in recording[:-1] if is_calm(frame)], "frame without events")


def some_packet(
    recording: Recording, chance: random.Random, names: Sequence[str], *, records: int = 0
) -> tuple[Frame, Packet]:
    """A packet of one of these names in any frame, of so many records at least."""
    frame = recording[chance.randrange(len(recording))]
    found = [each for each in frame.packets if each.name in names and (not records or len(each.decoded) >= records)]
    return frame, some(chance, found, "such packet")


def some_record(recording: Recording, chance: random.Random, names: Sequence[str] = FREE) -> tuple[Place, Packet]:
    frame, packet = some_packet(recording, chance, names, records=1)
    return Place(frame.row, packet.index, chance.randrange(len(packet.decoded))), packet


def some_number(packet: Packet, where: Place, chance: random.Random) -> Place:
    """A field of a record that holds a float."""
    assert where.record is not None
    paths = [leaf.path for leaf in packet.decoded.leaves(where.record) if leaf.field.type in ("f32", "f64")]
    return where._replace(field=some(chance, paths, "number"))


def refuse_more(recording: Recording, frames: int = 0) -> None:
    """Nothing is to grow for ever."""
    if len(recording) + frames > MAX_FRAMES or len(recording.actors) > MOST_ACTORS:
        raise NothingToDo("It is large enough.")
