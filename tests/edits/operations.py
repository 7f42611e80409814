"""Every edit there is, by its name, with arguments that `choices` draws by chance."""

import random
import struct
from collections.abc import Callable, Mapping
from typing import Any

from recorder_editor import Edit, Recording, edits
from recorder_editor.edits import Place
from recorder_editor.errors import NothingToDo
from recorder_editor.format.dialects import DIALECTS

from .choices import (
    CLOCKS,
    FREE,
    MOST_FRAMES,
    calm_frame,
    metres,
    perhaps_range,
    refuse_more,
    some,
    some_life,
    some_lives,
    some_number,
    some_packet,
    some_range,
    some_record,
)

Chance = random.Random
Watch = dict[str, Any]
"""What long work is watched by: `progress` and `cancel`, or nothing."""

Choice = Callable[[Recording, Chance, Watch], Edit]

NO_EDITS = frozenset(("move_actor", "Conversion", "Outcome", "Place", "outcome", "place"))
"""What `edits` offers beside, and one under an old name."""

MOVERS = ("vehicle.", "walker.", "sensor.", "static.", "spectator")
CARRIED = ("vehicle.", "walker.", "sensor.", "static.")


# --- actors -------------------------------------------------------------------------------------------------


def duplicate_actor(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    refuse_more(recording)
    return edits.duplicate_actor(
        recording, some_life(recording, chance, *CARRIED), offset=metres(chance), turn=chance.choice((0.0, 40.0)),
        seconds=chance.choice((0.0, 0.0, 0.17, -0.2)), **watch,
    )  # fmt: skip


def paste_actor(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    refuse_more(recording)
    at = chance.uniform(0.0, 0.5)
    life = some_life(recording, chance, *CARRIED)
    return edits.paste_actor(recording, recording.snapshot, life, at=at, offset=metres(chance), **watch)


def remove_actors(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    chosen = some_lives(recording, chance)
    return edits.remove_actors(recording, chosen, children=chance.random() < 0.5, **watch)


def remove_from_frame(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    return edits.remove_from_frame(recording, some_lives(recording, chance), chance.randrange(len(recording)))


def keep_only_actors(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    if chance.random() < 0.7:
        raise NothingToDo("So much is seldom thrown away.")
    return edits.keep_only_actors(recording, some_lives(recording, chance, *CARRIED), **watch)


def set_actor_id(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    return edits.set_actor_id(
        recording, some_life(recording, chance), chance.choice((5, 8, 12, 7000, 4 << 29)), **watch
    )


def set_attribute(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    key, value = chance.choice((("color", "9,9,9"), ("role_name", "hero"), ("note", "é" * 9), ("color", None)))
    return edits.set_attribute(recording, some_lives(recording, chance), key, value)


def set_blueprint(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    names = sorted({life.blueprint for life in recording.actors if life.blueprint.startswith(("vehicle.", "walker."))})
    return edits.set_blueprint(
        recording, some_lives(recording, chance, "vehicle."), some(chance, names, "blueprint"),
        chance.choice((None, 77)),
    )  # fmt: skip


def set_hero(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    return edits.set_hero(recording, some_life(recording, chance, "vehicle.", "walker."))


def set_role(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    return edits.set_role(recording, some_lives(recording, chance), chance.choice(("hero", "taxi", "")))


def swap_actors(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    group = chance.choice(("vehicle.", "vehicle.", "sensor.", "walker."))
    return edits.swap_actors(
        recording, some_life(recording, chance, group), some_life(recording, chance, group), **watch
    )


def trim_life(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    return edits.trim_life(recording, some_life(recording, chance), some_range(recording, chance), **watch)


# --- paths and states ---------------------------------------------------------------------------------------


def mirror_path(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    chosen = some_lives(recording, chance, *MOVERS)
    point = chance.uniform(-9, 9), chance.uniform(-9, 9)
    return edits.mirror_path(
        recording, chosen, perhaps_range(recording, chance), point, chance.choice((0, 30)), **watch
    )


def move_actors(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    ease = chance.choice((0.0, 0.0, 0.1))
    return edits.move_actors(
        recording, some_lives(recording, chance, *MOVERS), metres(chance), chance.choice((0.0, -70.0)),
        perhaps_range(recording, chance), pivot=chance.choice((None, (1.0, 2.0))), ease_in=ease, ease_out=ease, **watch,
    )  # fmt: skip


def offset_path(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    life = some_life(recording, chance, *MOVERS)
    return edits.offset_path(recording, life, perhaps_range(recording, chance), chance.uniform(-3, 3), **watch)


def place_actors(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    at = chance.randrange(len(recording))
    location = chance.choice(((1.0, None, None), (50.0, 2.0, 0.5), (None, None, None)))
    chosen = some_lives(recording, chance, *MOVERS)
    return edits.place_actors(recording, chosen, at, location=location, yaw=chance.choice((None, 45.0)), **watch)


def smooth_path(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    life = some_life(recording, chance, *MOVERS)
    return edits.smooth_path(recording, life, perhaps_range(recording, chance), chance.choice((0.15, 0.5)), **watch)


def set_traffic_lights(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    lives = some_lives(recording, chance, "traffic.traffic_light")
    state, frozen = chance.choice(("green", "off", 1)), chance.choice((None, True))
    return edits.set_traffic_lights(recording, lives, state, perhaps_range(recording, chance), frozen=frozen, **watch)


def set_vehicle_lights(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    lives, mask = some_lives(recording, chance, "vehicle."), chance.choice((1, 0x30, 0))
    return edits.set_vehicle_lights(recording, lives, mask, perhaps_range(recording, chance), **watch)


def set_weather(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    values = chance.choice(({"cloudiness": 80.0}, {"wetness": 5.0, "fog_density": 1.5}))
    return edits.set_weather(recording, values, perhaps_range(recording, chance), **watch)


# --- frames and times ---------------------------------------------------------------------------------------


def cut(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    frames = some_range(recording, chance, 3)
    if len(recording) - len(frames) < 3:
        raise NothingToDo("It is short enough.")
    return edits.cut(recording, frames, rebase_clocks=chance.random() < 0.3, **watch)


def trim(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    frames = some_range(recording, chance)
    if len(frames) < 4:
        raise NothingToDo("It is short enough.")
    return edits.trim(recording, frames, rebase_clocks=chance.random() < 0.3, **watch)


def join(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    refuse_more(recording, len(recording))
    others = [recording.snapshot]
    return edits.join(recording, others, gap=chance.choice((None, 0.3)), match_actors=chance.random() < 0.5, **watch)


def resample(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    step = chance.choice((0.05, 0.08, 0.1, 0.15, 0.3))
    if not 3 <= recording.snapshot.elapsed[-1] / step <= MOST_FRAMES:
        raise NothingToDo("It would be too short or too long.")
    return edits.resample(recording, step, **watch)


def retime(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    return edits.retime(recording, chance.choice((0.5, 1.25, 2.0)))


def shift(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    first = float(recording.snapshot.elapsed[0])
    return edits.shift(recording, -first if first else chance.choice((0.5, 3.0)))


def order_times(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    return edits.order_times(recording)


def convert(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    others = [name for name in DIALECTS if name != recording.dialect.name]
    return edits.convert(recording, chance.choice(others), **watch).edit


def delete_rows(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    if len(recording) < 5:
        raise NothingToDo("It is short enough.")
    return edits.delete_rows(recording, calm_frame(recording, chance).row)


def insert_frame(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    refuse_more(recording, 1)
    frame = calm_frame(recording, chance)
    return edits.insert_frame(recording, frame.row, chance.choice((None, frame.row)))


def take_frame(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    refuse_more(recording, 1)
    frame = calm_frame(recording, chance)
    return edits.take_frame(recording, frame.row, frame, replace=chance.random() < 0.5)


def set_frame_start(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    row = recording[chance.randrange(len(recording))].row
    last = row == recording.snapshot.rows - 1
    values: dict[str, Any] = {"frame_id": chance.randrange(1, 99)}
    return edits.set_frame_start(recording, row, values if last or chance.random() < 0.5 else {"duration": 0.07})


def set_header(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    return edits.set_header(
        recording, map_name=chance.choice(("Town02", "Town10HD_Opt")), date=chance.choice((None, 1_700_000_000))
    )


# --- packets, records, fields, bytes ------------------------------------------------------------------------


def delete_packet(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    frame, packet = some_packet(recording, chance, (*FREE, *CLOCKS, "BoundingBox", "Collision"))
    return edits.delete_packet(recording, Place(frame.row, packet.index))


def delete_record(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    return edits.delete_record(recording, some_record(recording, chance)[0])


def delete_records(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    places = {some_record(recording, chance)[0] for _ in range(2)}
    return edits.delete_records(recording, sorted(places))


def duplicate_packet(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    frame, packet = some_packet(recording, chance, (*FREE, *CLOCKS))
    if sum(each.name == packet.name for each in frame.packets) > 2:
        raise NothingToDo("There are enough of them.")
    return edits.duplicate_packet(recording, Place(frame.row, packet.index))


def duplicate_record(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    return edits.duplicate_record(recording, some_record(recording, chance)[0])


def insert_packet(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    frame = recording[chance.randrange(len(recording))]
    if len(frame.packets) > 40:
        raise NothingToDo("There are enough of them.")
    number, body = chance.choice(((18, None), (14, None), (150, b"of another program"), (6, None)))
    return edits.insert_packet(recording, Place(frame.row), number, body)


def insert_record(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    where, packet = some_record(recording, chance)
    assert where.record is not None
    record = packet.decoded.record(where.record)
    return edits.insert_record(recording, where._replace(record=chance.choice((None, where.record))), record)


def move_packet(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    frame, packet = some_packet(recording, chance, CLOCKS)
    return edits.move_packet(recording, Place(frame.row, packet.index), chance.randrange(1, len(frame.packets) - 1))


def move_record(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    where, packet = some_record(recording, chance)
    return edits.move_record(recording, where, chance.randrange(len(packet.decoded)))


def overwrite(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    where, packet = some_record(recording, chance)
    place = some_number(packet, where, chance)
    assert place.record is not None
    assert place.field is not None
    leaf = packet.decoded.leaf(place.record, place.field)
    return edits.overwrite(recording, packet.offset + 5 + leaf.start, chance.randbytes(leaf.stop - leaf.start))


def replace_body(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    where, packet = some_record(recording, chance)
    spans = [packet.decoded.span(index) for index in range(len(packet.decoded))]
    body = packet.body[:2] + b"".join(packet.body[start:stop] for start, stop in reversed(spans))
    return edits.replace_body(recording, where._replace(record=None), body)


def replace_bytes(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    _, packet = some_packet(recording, chance, (*CLOCKS, "Kinematics"))
    start = packet.offset
    other = struct.pack("<BI", 151, 3) + b"abc"
    return edits.replace_bytes(recording, start, chance.choice((start, start + 5 + packet.size)), other)


def replace_record(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    where, packet = some_record(recording, chance, ("AnimVehicle", "AnimWalker", "VehicleLight"))
    assert where.record is not None
    values = packet.decoded.record(where.record)
    name = {"AnimVehicle": "throttle", "AnimWalker": "speed", "VehicleLight": "lights"}[packet.name]
    return edits.replace_record(recording, where, {**values, name: 1})


def replace_where(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    text = chance.choice((
        "Position where location.z < 50: location.z = location.z + 10",
        "AnimVehicle: throttle = 0.25, gear = 2", 'EventAdd where blueprint like "vehicle.*": uid = 99',
        "VehicleLight where id == 7: lights = 1",
    ))  # fmt: skip
    return edits.replace_where(recording, text, frames=perhaps_range(recording, chance), **watch)


def set_field(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    where, packet = some_record(recording, chance)
    if packet.name == "VehicleLight":
        return edits.set_field(recording, where._replace(field="lights"), 5)
    return edits.set_field(recording, some_number(packet, where, chance), chance.uniform(-50, 50))


def set_fields(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    places = []
    for _ in range(3):
        where, packet = some_record(recording, chance, ("Position", "AnimVehicle"))
        places.append((some_number(packet, where, chance), chance.uniform(-50, 50)))
    return edits.set_fields(recording, places)


def set_over(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    where, packet = some_record(recording, chance, ("Position", "AnimVehicle", "Kinematics"))
    place = some_number(packet, where, chance)
    return edits.set_over(recording, place, chance.uniform(-9, 9), some_range(recording, chance), **watch)


def add_over(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    where, packet = some_record(recording, chance, ("Position", "AnimVehicle", "Kinematics"))
    place = some_number(packet, where, chance)
    return edits.add_over(recording, place, chance.uniform(-9, 9), some_range(recording, chance), **watch)


def take_packet(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    frame, packet = some_packet(recording, chance, CLOCKS)
    _, other = some_packet(recording, chance, (packet.name,))
    return edits.take_packet(recording, Place(frame.row, chance.choice((packet.index, None))), other)


def take_record(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    where, packet = some_record(recording, chance)
    assert where.record is not None
    actor = packet.decoded.get(where.record, "id")
    _, other = some_packet(recording, chance, (packet.name,), records=1)
    assert isinstance(actor, int)
    record = other.decoded.find_actor(actor)
    if record is None:
        raise NothingToDo("The other packet does not tell of that actor.")
    return edits.take_record(recording, where._replace(record=chance.choice((None, where.record))), other, record)


_ALL: tuple[Choice, ...] = (
    duplicate_actor, paste_actor, remove_actors, remove_from_frame, keep_only_actors, set_actor_id, set_attribute,
    set_blueprint, set_hero, set_role, swap_actors, trim_life, mirror_path, move_actors, offset_path,
    place_actors, smooth_path, set_traffic_lights, set_vehicle_lights, set_weather, cut, trim, join, resample, retime,
    shift, order_times, convert, delete_rows, insert_frame, take_frame, set_frame_start, set_header, delete_packet,
    delete_record, delete_records, duplicate_packet, duplicate_record, insert_packet, insert_record, move_packet,
    move_record, overwrite, replace_body, replace_bytes, replace_record, replace_where, set_field, set_fields,
    set_over, add_over, take_packet, take_record,
)  # fmt: skip

OPERATIONS: Mapping[str, Choice] = {each.__name__: each for each in _ALL}
"""By the name of the edit."""
