"""Every edit there is, by its name, with arguments drawn by chance: by kind, or with `choices`."""

import random
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from recorder_editor import Edit, Recording, edits
from recorder_editor.edits import Place
from recorder_editor.edits.operations import OPERATIONS as DECLARED
from recorder_editor.edits.operations import Operation
from recorder_editor.edits.operations.schema import OperationCall
from recorder_editor.errors import NothingToDo
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.reading.lives import Life
from recorder_editor.recording import Snapshot

from .choices import (
    CLOCKS,
    FREE,
    MAX_FRAMES,
    calm_frame,
    metres,
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
"""What long work is watched by: `progress`, or nothing."""

Choice = Callable[[Recording, Chance, Watch], Edit]

PUBLIC = frozenset(name for name, each in vars(edits).items() if callable(each))
NO_EDITS = frozenset(
    ("Conversion", "LostPackets", "RecordingSize", "Place", "Segment", "losses_before", "outcome", "place")
)
"""What `edits` offers beside."""

FIELD = Path(__file__).parent.parent / "roads" / "field.xodr"
"""A map with a lane everywhere, to the east and to the west."""

MOVERS = ("vehicle.", "walker.", "sensor.", "static.", "spectator")
CARRIED = ("vehicle.", "walker.", "sensor.", "static.")


# --- those of the table, by their declaration -----------------------------------------------------------------

GROUPS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("duplicate_actor", "keep_only_actors"), CARRIED),
    "set_blueprint": ("vehicle.", "walker.", "static."),
    "set_hero": ("vehicle.", "walker."),
    "swap_actors": ("vehicle.",),
    "set_vehicle_lights": ("vehicle.",),
    "set_traffic_lights": ("traffic.traffic_light",),
    **dict.fromkeys(("mirror_path", "move_actors", "offset_path", "place_actors", "smooth_path", "hold_actor"), MOVERS),
    "edit_path": ("vehicle.", "walker."),
    "put_on_lane": ("vehicle.",),
}
"""What the blueprints of those begin with to whom an operation is done; the others are done to anybody."""


def _one_of(*values: Any) -> Callable[[Recording, Chance], Any]:
    return lambda recording, chance: chance.choice(values)


def _blueprint(recording: Recording, chance: Chance) -> str:
    groups = ("vehicle.", "walker.", "static.")
    names = {life.blueprint for life in recording.actors.lives if life.blueprint.startswith(groups)}
    return some(chance, sorted(names), "blueprint")


def _expression(recording: Recording, chance: Chance) -> str:
    return chance.choice(
        (
            "Position where location.z < 50: location.z = location.z + 10",
            "AnimVehicle: throttle = 0.25, gear = 2",
            'EventAdd where blueprint like "vehicle.*": uid = 99',
            "VehicleLight where id == 7: lights = 1",
            "AnimBiker: forward_speed = 2.5",
            'EventAdd where id == 14: blueprint = "walker.pedestrian.0001"',
        )
    )


def _points(recording: Recording, chance: Chance) -> list[list[float]]:
    """One point, or several that are apart, some with a height."""
    x, y, points = chance.uniform(-50, 50), chance.uniform(-50, 50), []
    for _ in range(chance.choice((1, 2, 4))):
        points.append([x, y, *chance.choice(([], [chance.uniform(-1, 3)]))])
        x, y = x + chance.uniform(2, 20), y + chance.uniform(-9, 9)
    return points


def _keys(recording: Recording, chance: Chance) -> list[dict[str, Any]]:
    """Keys as of a file: some times of the recording, of which those within are moved and retimed by a little."""
    elapsed = recording.snapshot.elapsed
    at = sorted(chance.uniform(float(elapsed[0]), float(elapsed[-1])) for _ in range(chance.randint(3, 5)))
    keys: list[dict[str, Any]] = [{"at": each} for each in at]
    for key, before, after in zip(keys[1:-1], at, at[2:], strict=False):
        key |= {"time": key["at"] + chance.uniform(0.0, 0.4) * (after - key["at"])} if chance.random() < 0.5 else {}
        key |= {"tangent": [chance.uniform(-1, 2), chance.uniform(-1, 1)]} if chance.random() < 0.5 else {}
        key |= {"plain": True} if before == at[0] else {"pace": chance.uniform(0.0, 2.0)}
    return keys


DRAWN: Mapping[str, Callable[[Recording, Chance], Any]] = {
    "number": _one_of(0.5, 1.25, 2.0),
    "length": lambda recording, chance: chance.uniform(-3, 3),
    "angle": _one_of(0.0, 30.0, -70.0),
    "seconds": _one_of(0.0, 0.0, 0.08, 0.1, 0.17, 0.3, 0.5, -0.2),
    "space": lambda recording, chance: list(metres(chance)),
    "ground": lambda recording, chance: [chance.uniform(-9, 9), 3.0],
    "place": _one_of([1.0, None, None], [50.0, 2.0, 0.5], [None, None, None]),
    "at": lambda recording, chance: f"#{chance.randrange(len(recording)) + 1}",
    "whole": _one_of(5, 8, 12, 77, 7000),
    "bits": _one_of(1, 0x30, 0),
    "mode": _one_of("set", "add", "remove"),
    "state": _one_of("green", "off"),
    "flag": _one_of(True, False),
    "values": _one_of({"cloudiness": 80.0}, {"wetness": 5.0, "fog_density": 1.5}),
    "text": _one_of("hero", "taxi", "", "Town02"),
    "key": _one_of("color", "role_name", "note"),
    "value": _one_of("9,9,9", "hero", "é" * 9),
    "stamp": _one_of(1_700_000_000),
    "blueprint": _blueprint,
    "dialect": lambda recording, chance: chance.choice([each for each in DIALECTS if each != recording.dialect.name]),
    "expression": _expression,
    "xodr": _one_of(str(FIELD)),
    "keys": _keys,
    "points": _points,
    "life": lambda recording, chance: str(some_life(recording, chance, "vehicle.", "walker.").actor),
}
"""An argument, by the name of its kind; kinds that are missing are left out."""

SELDOM = {"keep_only_actors": 0.7}
"""How often so much is thrown away that it is left."""


def drawn(operation: Operation) -> Choice:
    """An operation with arguments by their kinds; what depends on the situation is drawn as its form proposes it."""

    def choice(recording: Recording, chance: Chance, watch: Watch) -> Edit:
        if chance.random() < SELDOM.get(operation.name, 0.0):
            raise NothingToDo("So much is seldom thrown away.")
        if operation.name == "duplicate_actor":
            refuse_more(recording)
        given: dict[str, Any] = {}
        for each in operation.arguments.values():
            if each.kind.name in DRAWN and (each.needed or chance.random() < 0.5):
                given[each.name] = DRAWN[each.kind.name](recording, chance)
        if "from" in operation.arguments and (operation.needs_frames or chance.random() < 0.7):
            frames = some_range(recording, chance, 3 if operation.name == "cut" else None)
            _refuse_short(recording, operation, frames)
            given |= {"from": f"#{frames.start + 1}", "to": f"#{frames.stop + (operation.frame_range == 'exclusive')}"}
        if (
            operation.name == "resample"
            and not 3 <= recording.snapshot.elapsed[-1] / (given["step"] or 1) <= MAX_FRAMES
        ):
            raise NothingToDo("It would be too short or too long.")
        chosen = _lives(recording, chance, operation) if operation.actors is not None else None
        return operation.do(OperationCall(recording.snapshot, given, **watch, chosen=chosen)).edit

    return choice


def _refuse_short(recording: Recording, operation: Operation, frames: range) -> None:
    left = len(frames) if operation.name == "trim" else len(recording) - len(frames)
    if operation.name in ("trim", "cut") and left < 4:
        raise NothingToDo("It is short enough.")


def _lives(recording: Recording, chance: Chance, operation: Operation) -> list[Life]:
    groups = GROUPS.get(operation.name, ())
    if operation.most is None:
        return some_lives(recording, chance, *groups)
    return [some_life(recording, chance, *groups) for _ in range(operation.most)]


# --- actors -------------------------------------------------------------------------------------------------


def paste_actor(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    refuse_more(recording)
    at = chance.uniform(0.0, 0.5)
    life = some_life(recording, chance, *CARRIED)
    return edits.paste_actor(recording, recording.snapshot, life, at=at, offset=metres(chance), **watch)


def remove_from_frame(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    return edits.remove_from_frame(recording, some_lives(recording, chance), chance.randrange(len(recording)))


# --- frames and times ---------------------------------------------------------------------------------------


def join(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    refuse_more(recording, len(recording))
    others = [recording.snapshot]
    return edits.join(recording, others, gap=chance.choice((None, 0.3)), match_actors=chance.random() < 0.5, **watch)


def delete_rows(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    if len(recording) < 5:
        raise NothingToDo("It is short enough.")
    return edits.delete_rows(recording, calm_frame(recording, chance).row)


def append_frames(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    refuse_more(recording, 3)
    return edits.append_frames(recording, chance.randint(1, 3), 0.05)


def insert_frame(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    refuse_more(recording, 1)
    frame = calm_frame(recording, chance)
    return edits.insert_frame(recording, frame.row, chance.choice((None, frame.row)))


def take_frame(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    refuse_more(recording, 1)
    frame = calm_frame(recording, chance)
    return edits.take_frame(recording, frame.row, frame)


def set_frame_start(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    row = recording[chance.randrange(len(recording))].row
    last = row == recording.snapshot.rows - 1
    values: dict[str, Any] = {"frame_id": chance.randrange(1, 99)}
    return edits.set_frame_start(recording, row, values if last or chance.random() < 0.5 else {"duration": 0.07})


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


def _edited(recording: Recording, edit: Edit) -> Snapshot:
    """The recording after an edit, as another one to take over from."""
    return recording.snapshot.after(edit)


def take_actor(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    life = some_life(recording, chance, *CARRIED)
    frames = some_range(recording, chance)
    other = _edited(recording, edits.move_actors(recording, [life], metres(chance), 0.0, frames))
    return edits.take_actor(recording, other, life.actor, **watch)


def take_values(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    where, packet = some_record(recording, chance, ("Position", "AnimVehicle"))
    place = some_number(packet, where, chance)
    assert place.field is not None
    other = _edited(recording, edits.set_field(recording, place, chance.uniform(-9, 9)))
    return edits.take_values(recording, other, packet.name, path=place.field, **watch)


def take_frames(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    if len(recording) < 5:
        raise NothingToDo("It is short enough.")
    frame = calm_frame(recording, chance)
    other = _edited(recording, edits.delete_rows(recording, frame.row))
    return edits.take_frames(recording, other, frame.index, frame.index + 1, there=False)


def take_header(recording: Recording, chance: Chance, watch: Watch) -> Edit:
    other = _edited(recording, edits.set_header(recording, date=1_600_000_000 + chance.randrange(1000)))
    return edits.take_header(recording, other)


_BY_HAND: tuple[Choice, ...] = (
    paste_actor,
    remove_from_frame,
    join,
    delete_rows,
    append_frames,
    insert_frame,
    take_frame,
    set_frame_start,
    delete_packet,
    delete_record,
    delete_records,
    duplicate_packet,
    duplicate_record,
    insert_packet,
    insert_record,
    move_packet,
    move_record,
    overwrite,
    replace_body,
    replace_bytes,
    replace_record,
    set_field,
    set_fields,
    set_over,
    add_over,
    take_packet,
    take_record,
    take_actor,
    take_values,
    take_frames,
    take_header,
)

OPERATIONS: Mapping[str, Choice] = {
    **{name: drawn(each) for name, each in DECLARED.items()},
    **{each.__name__: each for each in _BY_HAND},
}
"""By the name of the edit."""
