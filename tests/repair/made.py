"""Small recordings written by hand, of releases of which no real one is at hand as well."""

from random import Random

from tests import builders as b


def small_recordings() -> dict[str, bytes]:
    """By a name that says what is in it."""
    return {
        "few-cars": town(frames=40, cars=3, seed=1),
        "come-and-go": town(frames=60, cars=8, seed=2, lifetime=9),
        "alone": town(frames=12, cars=1, seed=3),
    }


def town(frames: int, cars: int, seed: int, lifetime: int | None = None) -> bytes:
    """Cars that drive, and after `lifetime` frames give way to others."""
    chance = Random(seed)
    ids = list(range(100, 100 + cars))
    parts = []
    following = 100 + cars
    for number in range(frames):
        born, gone = (ids, []) if number == 0 else ([], [])
        if lifetime and number and number % lifetime == 0:
            gone, born = [ids[0]], [following]
            ids = [*ids[1:], following]
            following += 1
        parts.append(_frame(number, frames, ids, born, gone, chance))
    return b.recording(*parts)


def _frame(number: int, frames: int, ids: list[int], born: list[int], gone: list[int], chance: Random) -> bytes:
    step = 0.05
    places = [b.pose(each, b.xyz(chance.uniform(-1e4, 1e4), chance.uniform(-1e4, 1e4), 30.0)) for each in ids]
    packets = [
        b.packet(
            2, b.event_add([b.actor(each, attributes=[b.attribute(3, "role_name", "autopilot")]) for each in born])
        ),
        b.packet(3, b.event_del([{"id": each} for each in gone])),
        b.packet(4, b.event_parent([])),
        b.packet(5, b.collision([])),
        b.packet(6, b.position(places)),
        b.packet(7, b.traffic_light_state([])),
        b.packet(8, b.anim_vehicle([_control(each, chance) for each in ids])),
        b.packet(9, b.anim_walker([])),
        b.packet(10, b.vehicle_light([{"id": each, "lights": 3} for each in ids])),
        b.packet(14, b.platform_time({"time": number * 0.07})),
    ]
    last = number == frames - 1
    return b.frame(number + 1, number * step, -1.0 if last else step, packets)


def _control(actor: int, chance: Random) -> b.Record:
    return {
        "id": actor,
        "steering": chance.uniform(-1, 1),
        "throttle": chance.random(),
        "brake": 0.0,
        "handbrake": False,
        "gear": 2,
    }
