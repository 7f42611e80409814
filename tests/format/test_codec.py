"""Bodies decoded, located, encoded and patched, held against bytes that were written by hand."""

import struct
import tracemalloc
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor.errors import FieldError
from recorder_editor.format import codec
from recorder_editor.format.codec import (
    Body,
    Leaf,
    decode,
    encode,
    encode_array,
    encode_record,
    packet_bytes,
    patch,
    splice_records,
    without_records,
)
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.format.schema import Array, Field, PacketType, RawFloat, Struct, Value
from recorder_editor.format.values import exact_text, parse_value
from tests import builders
from tests.builders import (
    DOORS,
    PAYLOAD_32,
    PAYLOAD_64,
    RELEASES,
    SIGNALLING_32,
    SIGNALLING_64,
    Bits32,
    Bits64,
    Record,
    Sample,
    exactly,
    f32,
    f64,
    samples,
    u16,
    u32,
)

CODES = {
    "u8": "<B",
    "i8": "<b",
    "u16": "<H",
    "u32": "<I",
    "i32": "<i",
    "u64": "<Q",
    "i64": "<q",
    "f32": "<f",
    "f64": "<d",
    "bool": "<B",
}


def all_cases() -> list[tuple[str, Sample]]:
    """Each distinct body once, with the first release that writes it."""
    seen = set()
    cases = []
    for dialect in RELEASES:
        start: Record = {"frame_id": 2**63 + 5, "duration": PAYLOAD_64, "elapsed": SIGNALLING_64}
        body = builders.frame_start_body(2**63 + 5, SIGNALLING_64, PAYLOAD_64)
        first = Sample(0, "FrameStart", body, [start], None)
        written = [first, *samples(dialect)]
        if 18 in DIALECTS[dialect].packets and DIALECTS[dialect].packets[18].name == "FrameCounter":
            written.append(Sample(18, "FrameCounter", builders.frame_counter(2**63), [{"counter": 2**63}], None))
        for sample in written:
            key = (sample.name, sample.body)
            if key not in seen:
                seen.add(key)
                cases.append((dialect, sample))
    return cases


ALL = all_cases()
READABLE = [(dialect, sample) for dialect, sample in ALL if sample.records is not None]
LISTS = [(d, s) for d, s in READABLE if s.name not in ("FrameStart", "PlatformTime", "VisualTime", "FrameCounter")]


def every(cases: list[tuple[str, Sample]]) -> pytest.MarkDecorator:
    names = [f"{dialect}-{sample.name}" for dialect, sample in cases]
    return pytest.mark.parametrize(("dialect", "sample"), cases, ids=names)


def kind_of(dialect: str, name: str) -> PacketType:
    found = DIALECTS[dialect].by_name(name)
    assert found is not None
    return found


def opened(dialect: str, sample: Sample) -> Body:
    return decode(DIALECTS[dialect].packet(sample.id), sample.body)


def put_in(sample: Sample) -> list[Record]:
    assert sample.records is not None
    return sample.records


def parts(body: Body) -> Iterator[tuple[int, int]]:
    """Every span a body is told in: its count, its leaves, its tail; an opaque body is one piece."""
    if body.type.body == "opaque":
        yield 0, len(body.data)
    if body.count_leaf is not None:
        yield body.count_leaf.start, body.count_leaf.stop
    for index in range(len(body)):
        for leaf in body.leaves(index):
            yield leaf.start, leaf.stop
    yield body.tail


def assert_parts_cover_every_byte_once(body: Body) -> None:
    at = 0
    for start, stop in parts(body):
        assert start == at
        assert stop >= start
        at = stop
    assert at == len(body.data)


def in_library_terms(value: Any) -> Any:
    """Records as the library takes them: bits as its own kind of float."""
    if isinstance(value, Mapping):
        return {key: in_library_terms(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [in_library_terms(inner) for inner in value]
    if isinstance(value, Bits32):
        return RawFloat(value.bits, 32)
    if isinstance(value, Bits64):
        return RawFloat(value.bits, 64)
    return value


def flattened(record: Record, prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, dict):
            flat |= flattened(value, f"{prefix}{key}.")
        elif isinstance(value, list):
            flat[prefix + key] = len(value)
            for index, inner in enumerate(value):
                flat |= flattened(inner, f"{prefix}{key}[{index}].")
        else:
            flat[prefix + key] = value
    return flat


def value_from_bits(field: Field, raw: bytes) -> Value:
    """What a fixed-width field holds, read without the library."""
    if field.is_raw:
        return raw
    value: int | float = struct.unpack(CODES[field.type], raw)[0]
    if field.type == "bool" and value in (0, 1):
        return bool(value)
    return RawFloat(int.from_bytes(raw, "little"), len(raw) * 8) if value != value else value


# --- decoding ---------------------------------------------------------------------------------------------


@every(READABLE)
def test_decoding_gives_what_was_put_in(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    assert body.damage is None
    assert body.tail == (len(sample.body), len(sample.body))
    assert len(body) == len(put_in(sample))
    assert exactly(body.records()) == exactly(put_in(sample))
    assert exactly([body.record(index) for index in range(len(body))]) == exactly(put_in(sample))


@every(READABLE)
def test_fields_come_in_the_order_they_are_written(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    for index, record in enumerate(put_in(sample)):
        assert [leaf.path for leaf in body.leaves(index)] == list(flattened(record))


@every(LISTS)
def test_the_count_is_told_as_stored(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    assert body.count == len(put_in(sample))
    assert body.count_leaf is not None
    assert (body.count_leaf.start, body.count_leaf.stop) == (0, 2)
    assert body.value(body.count_leaf) == body.count


@every(ALL)
def test_count_fields_and_tail_cover_every_byte_once_and_in_order(dialect: str, sample: Sample) -> None:
    assert_parts_cover_every_byte_once(opened(dialect, sample))


@every(READABLE)
def test_every_located_field_holds_what_was_put_in(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    for index, record in enumerate(put_in(sample)):
        for path, value in flattened(record).items():
            assert exactly(body.get(index, path)) == exactly(value), path
            leaf = body.leaf(index, path)
            assert leaf in body.leaves(index)
            assert exactly(body.value(leaf)) == exactly(value), path


@every(ALL)
def test_every_byte_finds_the_field_that_holds_it(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    owners: list[tuple[int | None, Leaf | None]] = []
    if body.count_leaf is not None:
        owners += [(None, body.count_leaf)] * 2
    for index in range(len(body)):
        for leaf in body.leaves(index):
            owners += [(index, leaf)] * (leaf.stop - leaf.start)
    owners += [(None, None)] * (len(body.data) - len(owners))
    assert [body.find_field(offset) for offset in range(len(body.data))] == owners
    assert body.find_field(len(body.data)) == (None, None)


@every(READABLE)
def test_spans_of_records_follow_one_another(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    at = 0 if body.count is None else 2
    for index in range(len(body)):
        start, stop = body.span(index)
        assert start == at
        assert (body.leaves(index)[0].start, body.leaves(index)[-1].stop) == (start, stop)
        at = stop
    assert at == len(sample.body)


def test_a_record_or_a_field_that_is_not_there_is_said_so() -> None:
    body = decode(kind_of("ue4-0.9.12", "EventDel"), builders.event_del([{"id": 5}]))
    for index in (1, -1, 65535):
        with pytest.raises(IndexError):
            body.span(index)
        with pytest.raises(IndexError):
            body.leaf(index, "id")
    with pytest.raises(KeyError):
        body.leaf(0, "location.x")
    added = decode(kind_of("ue4-0.9.12", "EventAdd"), builders.event_add([builders.actor(1)]))
    with pytest.raises(KeyError):
        added.leaf(0, "attributes[0].id")


def test_a_boolean_of_two_is_neither_true_nor_one() -> None:
    body = decode(kind_of("ue4-doors", "VehicleDoor"), builders.vehicle_door(DOORS))
    opened_doors = [body.get(index, "open") for index in range(3)]
    assert exactly(opened_doors) == exactly([True, False, 2])


def test_text_that_is_not_utf8_stays_bytes() -> None:
    record = builders.actor(1, blueprint=builders.NOT_UTF8)
    body = decode(kind_of("ue4-0.9.12", "EventAdd"), builders.event_add([record]))
    assert body.get(0, "blueprint") == builders.NOT_UTF8
    assert body.leaf(0, "blueprint").stop - body.leaf(0, "blueprint").start == 2 + len(builders.NOT_UTF8)


@pytest.mark.parametrize("text", ["", "\x00", "a\nb", "\ufeff", "zażółć", "𝔸", "x" * 32767, "x" * 65535])
def test_any_utf8_text_comes_back_as_it_was(text: str) -> None:
    body = decode(kind_of("ue4-0.9.12", "EventAdd"), builders.event_add([builders.actor(1, blueprint=text)]))
    assert body.get(0, "blueprint") == text
    assert encode(body.type, body.records()) == body.data


@pytest.mark.parametrize(
    ("sample", "width"),
    [(bits, 32) for bits in (0x7F800001, 0xFF800001, 0x7FBFFFFF, 0x7FC00000, 0xFFC00000, 0xFFFFFFFF)]
    + [(bits, 64) for bits in (0x7FF0000000000001, 0xFFF0000000000001, 0x7FF8000000000000, 2**64 - 1)],
)
def test_the_bits_of_a_nan_survive(sample: int, width: int) -> None:
    raw = sample.to_bytes(width // 8, "little")
    if width == 32:
        kind, data = kind_of("ue4-0.9.12", "AnimWalker"), u16(1) + u32(7) + raw
        path = "speed"
    else:
        kind, data, path = kind_of("ue4-0.9.14", "VisualTime"), raw, "time"
    body = decode(kind, data)
    value = body.get(0, path)
    assert isinstance(value, RawFloat)
    assert (value.bits, value.width) == (sample, width)
    assert value == body.record(0)[path]
    assert encode(kind, body.records()) == data
    assert patch(body, 0, path, value) == data


@pytest.mark.parametrize("name", ["FrameStart", "PlatformTime", "VisualTime"])
def test_bodies_without_a_count_have_one_record(name: str) -> None:
    kind = kind_of("ue4-0.9.14", name)
    body = decode(kind, bytes(24 if name == "FrameStart" else 8))
    assert body.count is None
    assert body.count_leaf is None
    assert len(body) == 1


def test_frame_end_is_empty_and_anything_in_it_is_damage() -> None:
    kind = kind_of("ue4-0.9.12", "FrameEnd")
    assert decode(kind, b"").damage is None
    assert len(decode(kind, b"")) == 0
    body = decode(kind, b"\x01\x02")
    assert body.damage is not None
    assert body.damage.offset == 0
    assert body.tail == (0, 2)
    assert body.records() == []


@pytest.mark.parametrize("sample", builders.FOREIGN, ids=lambda sample: str(sample.id))
def test_packets_nobody_knows_are_kept_whole(sample: Sample) -> None:
    body = decode(DIALECTS["ue4-0.9.12"].packet(sample.id), sample.body)
    assert body.damage is None
    assert len(body) == 0
    assert body.data == sample.body
    assert all(body.find_field(offset) == (None, None) for offset in range(len(sample.body)))


@pytest.mark.parametrize("dialect", ["ue5-0.10.0", "ue5-2026"])
@pytest.mark.parametrize("wheels", [0, 1, 4])
def test_physics_of_ue5_is_told_by_actor(dialect: str, wheels: int) -> None:
    records = [builders.physics_ue5(actor, wheels) for actor in (174, 175)]
    body = decode(kind_of(dialect, "PhysicsControl"), builders.physics_control_ue5(records))
    assert body.damage is None
    assert body.actors == [174, 175]
    assert exactly(body.records()) == exactly(records)


@pytest.mark.parametrize("raw", [b"", bytes(23), bytes(25), "hex:00", 0])
def test_raw_bytes_have_their_width(raw: Any) -> None:
    kind = kind_of("ue5-2026", "PhysicsControl")
    body = decode(kind, builders.physics_control_ue5([builders.physics_ue5(7)]))
    with pytest.raises(FieldError) as refused:
        patch(body, 0, "wheels[1].lateral_slip_graph", raw)
    assert_is_a_sentence(refused.value)
    record = body.record(0)
    record["wheels"][1]["lateral_slip_graph"] = raw
    with pytest.raises(FieldError):
        encode(kind, [record])


def test_raw_bytes_are_typed_as_hexadecimal_digits() -> None:
    body = decode(kind_of("ue5-2026", "PhysicsControl"), builders.physics_control_ue5([builders.physics_ue5(7)]))
    leaf = body.leaf(0, "wheels[0].padding_1")
    assert exact_text(leaf.field, body.value(leaf)) == "hex:cdcdcd"
    assert parse_value(leaf.field, "hex:00 01 ff") == parse_value(leaf.field, "0001ff") == b"\x00\x01\xff"
    for text in ("hex:00 01", "12 34 5g", "nothing"):
        with pytest.raises(FieldError):
            parse_value(leaf.field, text)


@every(LISTS)
def test_a_body_with_a_count_of_zero_is_sound(dialect: str, sample: Sample) -> None:
    body = decode(DIALECTS[dialect].packet(sample.id), u16(0))
    assert body.damage is None
    assert (body.count, len(body), body.records()) == (0, 0, [])
    assert encode(body.type, []) == u16(0)


def test_the_last_record_of_an_actor_is_the_one_in_force() -> None:
    times = decode(kind_of("ue4-0.9.12", "TrafficLightTime"), builders.traffic_light_time(builders.LIGHT_TIMES))
    assert times.find_actor(2) == 1
    assert times.find_actor(3) is None
    added = decode(kind_of("ue4-0.9.12", "EventAdd"), builders.event_add(builders.actors_added(False, 0, 5)))
    assert added.find_actor(174) == 3
    assert added.find_actor(1) == 0
    assert added.find_actor(99) is None
    lights = decode(kind_of("ue4-0.9.12", "SceneLight"), builders.scene_light(builders.SCENE_LIGHTS))
    assert lights.find_actor(4) is None
    assert decode(times.type, u16(0)).find_actor(2) is None


# --- arrays -----------------------------------------------------------------------------------------------


@every(
    [(d, s) for d, s in READABLE if s.name not in ("EventAdd", "PhysicsControl", "WalkerBones", "AnimVehicleWheels")]
)
def test_arrays_hold_the_very_bits_that_were_put_in(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    array = body.array
    records = [flattened(record) for record in put_in(sample)]
    assert array.shape == (len(records),)
    assert array.dtype.names == tuple(records[0])
    assert not array.flags.writeable
    assert array.tobytes() == sample.body[0 if body.count is None else 2 :]
    for path in records[0]:
        field = body.type.record.fields[path]
        column = array[path]
        assert column.dtype.itemsize == struct.calcsize(CODES[field.type])
        for stored, record in zip(column, records, strict=True):
            value = record[path]
            if isinstance(value, Bits32 | Bits64):
                expected = f32(value) if isinstance(value, Bits32) else f64(value)
            else:
                expected = struct.pack(CODES[field.type], value)
            assert stored.tobytes() == expected, path


@every([(d, s) for d, s in LISTS if s.name not in ("EventAdd", "PhysicsControl", "WalkerBones", "AnimVehicleWheels")])
def test_arrays_can_be_written_back(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    assert encode_array(body.type, body.array) == sample.body
    assert encode_array(body.type, body.array[:0]) == u16(0)


@pytest.mark.parametrize("name", ["EventAdd", "PhysicsControl", "WalkerBones", "AnimVehicleWheels", "FrameEnd"])
def test_records_of_many_sizes_have_no_array(name: str) -> None:
    body = decode(kind_of("ue4-0.9.15", name), u16(0))
    assert body.type.dtype is None
    with pytest.raises(TypeError):
        _ = body.array


def test_an_array_of_a_damaged_body_has_the_whole_records() -> None:
    kind = kind_of("ue4-0.9.12", "EventDel")
    body = decode(kind, u16(3) + u32(7) + u32(8) + b"\x01\x02")
    assert body.array["id"].tolist() == [7, 8]
    assert len(decode(kind, u16(9)).array) == 0
    assert len(decode(kind, b"").array) == 0
    assert len(decode(kind_of("ue4-0.9.12", "FrameStart"), b"\x00" * 23).array) == 0


def test_an_array_of_the_wrong_kind_or_length_is_refused() -> None:
    deleted = kind_of("ue4-0.9.12", "EventDel")
    with pytest.raises(TypeError):
        encode_array(deleted, np.zeros(1, "<u4"))
    with pytest.raises(FieldError) as refused:
        encode_array(deleted, np.zeros(65536, deleted.dtype))
    assert_is_a_sentence(refused.value)
    assert encode_array(deleted, np.zeros(65535, deleted.dtype)) == u16(65535) + bytes(4 * 65535)


# --- encoding ---------------------------------------------------------------------------------------------


@every(READABLE)
def test_encoding_what_was_decoded_gives_the_same_bytes(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    assert encode(body.type, body.records()) == sample.body
    for index in range(len(body)):
        start, stop = body.span(index)
        assert encode_record(body.type.record, body.record(index)) == sample.body[start:stop]


@every(READABLE)
def test_encoding_what_was_put_in_gives_the_hand_written_bytes(dialect: str, sample: Sample) -> None:
    kind = DIALECTS[dialect].packet(sample.id)
    assert encode(kind, in_library_terms(put_in(sample))) == sample.body


@pytest.mark.parametrize("dialect", RELEASES)
def test_every_packet_of_every_release_comes_back_from_its_records(dialect: str) -> None:
    for sample in samples(dialect):
        body = opened(dialect, sample)
        if sample.records is not None:
            assert exactly(body.records()) == exactly(sample.records), sample.name
            assert packet_bytes(sample.id, encode(body.type, body.records())) == sample.data, sample.name
        assert_parts_cover_every_byte_once(body)


def test_opaque_and_empty_packets_have_nothing_to_encode() -> None:
    for kind in (kind_of("ue4-0.9.12", "FrameEnd"), DIALECTS["ue4-0.9.12"].packet(77)):
        assert encode(kind, []) == b""
        with pytest.raises(FieldError) as refused:
            encode(kind, [{}])
        assert_is_a_sentence(refused.value)


def test_packets_without_a_count_take_exactly_one_record() -> None:
    kind = kind_of("ue4-0.9.14", "VisualTime")
    for records in ([], [{"time": 1.0}, {"time": 2.0}]):
        with pytest.raises(FieldError) as refused:
            encode(kind, records)
        assert_is_a_sentence(refused.value)


def test_more_records_than_the_count_can_say_are_refused() -> None:
    kind = kind_of("ue4-0.9.12", "EventDel")
    assert len(encode(kind, [{"id": 1}] * 65535)) == 2 + 4 * 65535
    with pytest.raises(FieldError) as refused:
        encode(kind, [{"id": 1}] * 65536)
    assert_is_a_sentence(refused.value)
    assert "65,536" in str(refused.value)


def test_more_attributes_than_their_count_can_say_are_refused() -> None:
    actor = builders.actor(1, attributes=[builders.attribute(0, "", "")] * 65536)
    with pytest.raises(FieldError) as refused:
        encode(kind_of("ue4-0.9.12", "EventAdd"), [actor])
    assert_is_a_sentence(refused.value)


@every(READABLE)
def test_a_record_with_a_missing_field_is_refused(dialect: str, sample: Sample) -> None:
    kind = DIALECTS[dialect].packet(sample.id)
    record = in_library_terms(put_in(sample)[-1])
    for key in record:
        less = {name: value for name, value in record.items() if name != key}
        with pytest.raises(FieldError) as refused:
            encode_record(kind.record, less)
        assert_is_a_sentence(refused.value)
        assert str(refused.value.field).startswith(key)


@pytest.mark.parametrize("wrong", [None, 7, "text", b"bytes", {}, [7], ["text"], [None]])
def test_elements_that_are_no_records_are_refused(wrong: Any) -> None:
    record = builders.actor(1) | {"attributes": wrong}
    with pytest.raises(FieldError):
        encode(kind_of("ue4-0.9.12", "EventAdd"), [record])


@pytest.mark.parametrize("dialect", RELEASES)
def test_a_default_record_can_be_encoded(dialect: str) -> None:
    for kind in DIALECTS[dialect].packets.values():
        if kind.body in ("list", "single"):
            record = kind.record.default_record()
            body = decode(kind, encode(kind, [record]))
            assert body.damage is None
            assert exactly(body.records()) == exactly([record])
            assert set(body.data[2 if kind.body == "list" else 0 :]) <= {0}
            for array in kind.record.arrays.values():
                array.element.default_record()


# --- patching ---------------------------------------------------------------------------------------------


@every(READABLE)
def test_patching_changes_the_located_bytes_and_no_others(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    for index in range(len(body)):
        for leaf in body.leaves(index):
            if leaf.field.width is None or leaf.path in in_arrays_counts(body.type.record, body, index):
                continue
            flipped = bytes(byte ^ 0xFF for byte in sample.body[leaf.start : leaf.stop])
            value = value_from_bits(leaf.field, flipped)
            patched = patch(body, index, leaf.path, value)
            assert patched == sample.body[: leaf.start] + flipped + sample.body[leaf.stop :], leaf.path
            assert exactly(decode(body.type, patched).get(index, leaf.path)) == exactly(value), leaf.path


def in_arrays_counts(record: Struct, body: Body, index: int) -> set[str]:
    return {path for path in flattened(body.record(index)) if path in record.arrays}


@every(READABLE)
def test_patching_a_field_with_what_it_holds_changes_nothing(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    for index in range(len(body)):
        for leaf in body.leaves(index):
            if leaf.path not in in_arrays_counts(body.type.record, body, index):
                assert patch(body, index, leaf.path, body.value(leaf)) == sample.body, leaf.path


@pytest.mark.parametrize(
    "text", ["", "vehicle.audi.tt", "a much longer name than there was before", "żółw", b"\xff", b"plain"]
)
def test_a_string_that_is_patched_takes_the_room_it_needs(text: str | bytes) -> None:
    records = builders.actors_added(False, 0, 5)
    body = decode(kind_of("ue4-0.9.12", "EventAdd"), builders.event_add(records))
    assert patch(body, 1, "blueprint", text) == builders.event_add(
        [records[0], records[1] | {"blueprint": text}, *records[2:]]
    )
    attributes = list(records[1]["attributes"])
    attributes[2] = attributes[2] | {"value": text}
    assert patch(body, 1, "attributes[2].value", text) == builders.event_add(
        [records[0], records[1] | {"attributes": attributes}, *records[2:]]
    )


def test_a_bone_deep_inside_a_packet_can_be_patched() -> None:
    records = builders.bones(True)
    body = decode(kind_of("ue5-2026", "WalkerBones"), builders.walker_bones(records, wide=True))
    changed = decode(body.type, patch(body, 1, "bones[2].name", "crl_neck__C"))
    changed = decode(body.type, patch(changed, 1, "bones[2].rotation.yaw", -0.0))
    records[1]["bones"][2] |= {"name": "crl_neck__C"}
    records[1]["bones"][2]["rotation"] |= {"yaw": -0.0}
    assert changed.data == builders.walker_bones(records, wide=True)


def test_what_does_not_exist_cannot_be_patched() -> None:
    body = decode(kind_of("ue4-0.9.12", "EventAdd"), builders.event_add([builders.actor(1)]))
    with pytest.raises(KeyError):
        patch(body, 0, "attributes[0].value", "x")
    with pytest.raises(IndexError):
        patch(body, 1, "id", 5)


@pytest.mark.parametrize(
    ("dialect", "name", "path"),
    [
        ("ue4-0.9.12", "EventAdd", "attributes"),
        ("ue4-0.9.12", "PhysicsControl", "torque_curve"),
        ("ue4-0.9.12", "PhysicsControl", "wheels"),
        ("ue5-2026", "PhysicsControl", "forward_gear_ratios"),
        ("ue5-2026", "PhysicsControl", "wheels"),
        ("ue4-0.9.15", "AnimVehicleWheels", "wheels"),
        ("ue4-0.9.14", "WalkerBones", "bones"),
    ],
)
def test_the_count_of_a_list_is_not_a_value_to_type(dialect: str, name: str, path: str) -> None:
    sample = next(sample for sample in samples(dialect) if sample.name == name)
    with pytest.raises(FieldError) as refused:
        patch(opened(dialect, sample), 0, path, 1)
    assert_is_a_sentence(refused.value)


def assert_is_a_sentence(error: FieldError) -> None:
    assert error.message[0] not in " ,."
    assert error.message.endswith(".")
    assert len(error.message.split()) >= 3
    assert "Error" not in error.message
    assert "struct" not in error.message


@every(READABLE)
def test_values_that_do_not_fit_are_refused_with_a_sentence(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    longest = max(range(len(body)), key=lambda index: len(body.leaves(index)))
    for leaf in body.leaves(longest):
        if leaf.path in body.type.record.arrays:
            continue
        for value in unfit(leaf.field):
            with pytest.raises(FieldError) as refused:
                patch(body, longest, leaf.path, value)
            assert_is_a_sentence(refused.value)
            assert refused.value.field is not None


def unfit(field: Field) -> list[Any]:
    """Values no field of that type can hold."""
    if field.type == "str":
        return [7, 1.5, None, "x" * 32768, "ż" * 16384, b"x" * 32768, "\ud800", "x" * 70000]
    if field.type == "f32":
        return ["1.5", b"1", None, 1e39, -1e300, 10**400, RawFloat(0x7FF0000000000001, 64)]
    if field.type == "f64":
        return ["1.5", b"1", None, 10**400, -(10**400), RawFloat(0x7F800001, 32)]
    if field.is_raw:
        return [7, 1.5, None, "hex:00", b"", bytes(25), bytes(1)]
    low, high = {
        "u8": (0, 255),
        "i8": (-128, 127),
        "u32": (0, 2**32 - 1),
        "i32": (-(2**31), 2**31 - 1),
        "u64": (0, 2**64 - 1),
        "bool": (0, 255),
    }[field.type]
    return [low - 1, high + 1, 2**70, 1.5, float("inf"), float("nan"), "7", b"7", None, 1e300]


def test_whole_numbers_of_python_and_numpy_fit_where_their_value_does() -> None:
    body = decode(kind_of("ue4-0.9.12", "AnimVehicle"), builders.anim_vehicle(builders.CONTROLS))
    whole: list[Any] = [3, 3.0, np.int64(3), np.uint8(3)]
    for value in whole:
        assert decode(body.type, patch(body, 0, "gear", value)).get(0, "gear") == 3
    numbers: list[Any] = [3, 3.0, np.int64(3), np.float32(3.0), np.float64(3.0), True]
    for number in numbers:
        assert decode(body.type, patch(body, 0, "steering", number)).get(0, "steering") == float(number)


# --- lists of records --------------------------------------------------------------------------------------


@every(LISTS)
def test_records_can_be_taken_out_put_in_and_replaced(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    pieces = [sample.body[slice(*body.span(index))] for index in range(len(body))]
    for at in range(len(pieces) + 1):
        for removed in range(len(pieces) - at + 1):
            for inserted in ([], [pieces[0]], [pieces[-1], pieces[0]]):
                expected = [*pieces[:at], *inserted, *pieces[at + removed :]]
                spliced = splice_records(body, at, removed, inserted)
                assert spliced == u16(len(expected)) + b"".join(expected)


@every(LISTS)
def test_several_records_are_taken_out_as_one_after_another(dialect: str, sample: Sample) -> None:
    body = opened(dialect, sample)
    ordinals = [0, len(body) - 1, 0]
    slow = body
    for ordinal in sorted(set(ordinals), reverse=True):
        slow = decode(body.type, splice_records(slow, ordinal, 1, []))
    assert without_records(body, ordinals) == slow.data
    assert without_records(body, []) == body.data
    with pytest.raises(IndexError):
        without_records(body, [len(body)])


def test_records_of_a_packet_without_a_list_are_not_taken_out() -> None:
    with pytest.raises(FieldError):
        without_records(decode(kind_of("ue4-0.9.12", "PlatformTime"), f64(1.0)), [0])


def test_a_splice_outside_the_list_is_refused() -> None:
    body = decode(kind_of("ue4-0.9.12", "EventDel"), builders.event_del(builders.DELETED))
    for at, removed in ((4, 0), (3, 1), (-1, 0), (0, -1), (0, 4)):
        with pytest.raises(IndexError):
            splice_records(body, at, removed, [])


@pytest.mark.parametrize("name", ["FrameStart", "FrameEnd", "PlatformTime"])
def test_packets_without_a_list_take_no_further_records(name: str) -> None:
    body = decode(kind_of("ue4-0.9.12", name), bytes({"FrameStart": 24, "FrameEnd": 0, "PlatformTime": 8}[name]))
    with pytest.raises(FieldError) as refused:
        splice_records(body, 0, 0, [b"\x00" * 8])
    assert_is_a_sentence(refused.value)


def test_a_count_that_says_more_than_is_there_goes_on_doing_so() -> None:
    body = decode(kind_of("ue4-0.9.12", "EventDel"), struct.pack("<HII", 5, 7, 8))
    assert splice_records(body, 1, 1, [b"\x09\0\0\0", b"\x0a\0\0\0"]) == struct.pack("<HIII", 6, 7, 9, 10)


def test_a_full_list_takes_no_further_record() -> None:
    kind = kind_of("ue4-0.9.12", "EventDel")
    body = decode(kind, u16(65535) + bytes(4 * 65535))
    assert len(body) == 65535
    with pytest.raises(FieldError) as refused:
        splice_records(body, 0, 0, [bytes(4)])
    assert_is_a_sentence(refused.value)
    assert len(splice_records(body, 65534, 1, [u32(7)])) == len(body.data)


def test_a_tail_survives_a_splice_and_a_patch() -> None:
    kind = kind_of("ue4-0.9.12", "EventDel")
    body = decode(kind, builders.event_del(builders.DELETED) + b"tail")
    assert splice_records(body, 1, 2, [u32(9)]) == u16(2) + u32(180) + u32(9) + b"tail"
    assert splice_records(body, 3, 0, [u32(9)]) == u16(4) + u32(180) + u32(0) + u32(180) + u32(9) + b"tail"
    assert patch(body, 2, "id", 7) == u16(3) + u32(180) + u32(0) + u32(7) + b"tail"


# --- damage -----------------------------------------------------------------------------------------------


@every(READABLE)
def test_a_body_cut_at_any_byte_keeps_its_whole_records(dialect: str, sample: Sample) -> None:
    whole = opened(dialect, sample)
    ends = [whole.span(index)[1] for index in range(len(whole))]
    records = exactly(put_in(sample))
    for cut in range(len(sample.body)):
        body = decode(whole.type, sample.body[:cut])
        kept = sum(end <= cut for end in ends)
        assert len(body) == kept
        assert exactly(body.records()) == records[:kept]
        assert body.damage is not None
        assert 0 <= body.tail[0] <= body.damage.offset <= cut == body.tail[1]
        assert len(body.damage.message.split()) >= 4
        assert_parts_cover_every_byte_once(body)
        assert [body.find_field(offset)[0] for offset in range(body.tail[0], cut)] == [None] * (cut - body.tail[0])


@every(READABLE)
def test_bytes_after_the_last_record_are_damage_but_survive(dialect: str, sample: Sample) -> None:
    for extra in (b"\x00", b"\xff" * 3, sample.body):
        body = decode(DIALECTS[dialect].packet(sample.id), sample.body + extra)
        assert exactly(body.records()) == exactly(put_in(sample))
        assert body.damage is not None
        assert body.damage.offset == len(sample.body)
        assert body.tail == (len(sample.body), len(sample.body) + len(extra))
        assert_parts_cover_every_byte_once(body)
        path = body.leaves(0)[0].path
        assert patch(body, 0, path, body.get(0, path)) == sample.body + extra


@every(LISTS)
def test_a_count_that_is_too_small_leaves_a_tail(dialect: str, sample: Sample) -> None:
    records = put_in(sample)
    for count in range(len(records)):
        body = decode(DIALECTS[dialect].packet(sample.id), u16(count) + sample.body[2:])
        assert body.count == count
        assert exactly(body.records()) == exactly(records[:count])
        assert body.damage is not None
        assert body.damage.offset == body.tail[0]
        assert body.tail[1] == len(sample.body)
        assert_parts_cover_every_byte_once(body)


@every(LISTS)
def test_a_count_that_is_too_large_keeps_what_is_there(dialect: str, sample: Sample) -> None:
    records = put_in(sample)
    for count in (len(records) + 1, 65535):
        body = decode(DIALECTS[dialect].packet(sample.id), u16(count) + sample.body[2:])
        assert (body.count, len(body)) == (count, len(records))
        assert exactly(body.records()) == exactly(records)
        assert body.damage is not None
        assert body.damage.offset == len(sample.body)
        assert f"{count:,}" in body.damage.message
        assert_parts_cover_every_byte_once(body)


def enormous_lists() -> dict[str, tuple[PacketType, bytes]]:
    """Bodies of a few bytes that speak of billions of elements."""
    physics = builders.physics_control([builders.bare_physics()])
    at = len(physics) - 16
    most = u32(0xFFFFFFFF)
    cases = {
        f"{path} of physics": (kind_of("ue4-0.9.12", "PhysicsControl"), physics[:at] + bytes(4 * n) + most)
        for n, path in enumerate(("torque_curve", "forward_gears", "steering_curve", "wheels"))
    }
    physics = builders.physics_control_ue5([builders.bare_physics_ue5()])
    at = len(physics) - 20
    lists = ("torque_curve", "forward_gear_ratios", "reverse_gear_ratios", "steering_curve", "wheels")
    for n, path in enumerate(lists):
        body = physics[:at] + bytes(4 * n) + most + bytes(300)
        cases[f"{path} of physics of Unreal 5"] = (kind_of("ue5-2026", "PhysicsControl"), body)
    wheels = kind_of("ue4-0.9.15", "AnimVehicleWheels")
    cases["wheels"] = (wheels, u16(1) + u32(7) + most + bytes(27))
    cases["a billion vehicles' wheels"] = (wheels, u16(65535) + (u32(7) + most) * 100)
    cases["bones"] = (kind_of("ue4-0.9.14", "WalkerBones"), u16(1) + u32(7) + u16(65535) + bytes(40))
    added = builders.event_add([builders.actor(1)])
    cases["attributes"] = (kind_of("ue4-0.9.12", "EventAdd"), added[:-2] + u16(65535) + bytes(5))
    for dialect, sample in LISTS:
        kind = DIALECTS[dialect].packet(sample.id)
        cases[f"65,535 of {dialect} {sample.name}"] = (kind, u16(65535))
    return cases


@pytest.mark.parametrize(("kind", "data"), enormous_lists().values(), ids=enormous_lists().keys())
def test_an_absurd_count_costs_no_memory(kind: PacketType, data: bytes) -> None:
    decode(kind, data)
    tracemalloc.start()
    try:
        body = decode(kind, data)
        records = body.records()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100_000
    assert records == []
    assert body.damage is not None
    assert_parts_cover_every_byte_once(body)


def test_damage_names_the_field_that_is_cut() -> None:
    data = builders.event_add([builders.actor(1), builders.actor(2)])
    body = decode(kind_of("ue4-0.9.12", "EventAdd"), data[:-10])
    assert body.damage is not None
    assert "blueprint" in body.damage.message
    assert "record 2" in body.damage.message
    assert "1" in body.damage.message
    # a count, two records of one length, the second cut inside the string that begins at its byte 33
    assert body.damage.offset == 2 + len(data[2:]) // 2 + 33


# --- anything at all ----------------------------------------------------------------------------------------

KINDS = [
    kind
    for dialect in ("ue4-0.9.10", "ue4-2026", "ue5-2026")
    for kind in DIALECTS[dialect].packets.values()
    if kind.body in ("list", "single")
]
WHOLE_NUMBERS = {
    "u8": st.integers(0, 255),
    "i8": st.integers(-128, 127),
    "u32": st.integers(0, 2**32 - 1),
    "i32": st.integers(-(2**31), 2**31 - 1),
    "u64": st.integers(0, 2**64 - 1),
}


def values_of(field: Field) -> st.SearchStrategy[Value]:
    """Anything a field can hold, in the one form the library gives it back in."""
    if field.type == "str":
        undecodable = st.binary(max_size=8).filter(lambda raw: not is_utf8(raw))
        return st.text(max_size=12) | undecodable
    if field.is_raw:
        return st.binary(min_size=field.width or 0, max_size=field.width)
    if field.type == "bool":
        return st.booleans() | st.integers(2, 255)
    if field.width is not None and field.type in ("f32", "f64"):
        return st.binary(min_size=field.width, max_size=field.width).map(lambda raw: value_from_bits(field, raw))
    return WHOLE_NUMBERS[field.type]


def is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@st.composite
def records_of(draw: st.DrawFn, record: Struct) -> Record:
    values: Record = {}
    for member in record.members:
        if isinstance(member, Array):
            values[member.path] = draw(st.lists(records_of(member.element), max_size=3))
            continue
        group, _, name = member.path.rpartition(".")
        (values.setdefault(group, {}) if group else values)[name] = draw(values_of(member))
    return values


@st.composite
def packets_with_records(draw: st.DrawFn) -> tuple[PacketType, list[Record]]:
    kind = draw(st.sampled_from(KINDS))
    most = 1 if kind.body == "single" else 4
    least = 1 if kind.body == "single" else 0
    return kind, draw(st.lists(records_of(kind.record), min_size=least, max_size=most))


@given(packets_with_records())
def test_any_records_come_back_from_their_bytes(case: tuple[PacketType, list[Record]]) -> None:
    kind, records = case
    body = decode(kind, encode(kind, records))
    assert body.damage is None
    assert exactly(body.records()) == exactly(records)
    assert encode(kind, body.records()) == body.data
    assert_parts_cover_every_byte_once(body)


@st.composite
def bytes_in_disguise(draw: st.DrawFn) -> tuple[PacketType, bytes]:
    """Random bytes, or a sound body that something ran over."""
    kind = draw(st.sampled_from(KINDS))
    if draw(st.booleans()):
        return kind, draw(st.binary(max_size=200))
    fitting = [s.body for d, s in READABLE if s.name == kind.name and DIALECTS[d].packet(s.id) == kind]
    data = bytearray(draw(st.sampled_from(fitting)) if fitting else bytes(40))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        stop = draw(st.integers(start, min(len(data), start + 8)))
        data[start:stop] = draw(st.binary(max_size=8))
    return kind, bytes(data)


@given(bytes_in_disguise())
def test_any_bytes_decode_without_an_exception_and_join_to_themselves(case: tuple[PacketType, bytes]) -> None:
    kind, data = case
    body = decode(kind, data)
    assert_parts_cover_every_byte_once(body)
    if body.damage is not None:
        assert 0 <= body.damage.offset <= len(data)
    else:
        assert encode(kind, body.records()) == data
    told = b"" if body.count is None else data[:2]
    told += b"".join(encode_record(kind.record, record) for record in body.records())
    assert told + data[slice(*body.tail)] == data
    for index in range(len(body)):
        for leaf in body.leaves(index):
            body.value(leaf)
    if kind.dtype is not None:
        assert len(body.array) == len(body)


def test_the_signalling_bits_of_the_builders_are_signalling() -> None:
    assert SIGNALLING_32.bits & 0x7FC00000 == 0x7F800000
    assert PAYLOAD_32.bits & 0x7FC00000 == 0x7FC00000


def test_the_builders_know_nothing_of_the_library() -> None:
    assert builders.__file__ is not None
    assert "recorder_editor" not in Path(builders.__file__).read_text(encoding="utf-8")
    assert all(len(builders.everything(dialect)) < 4096 for dialect in RELEASES)


ADDED = DIALECTS["ue4-0.9.12"].packet(2)
MANY_ATTRIBUTES = builders.event_add(
    [builders.actor(number, attributes=[builders.attribute(3, "", "")] * 1_000) for number in range(20)]
)
"""100 KB, of which an object for each attribute would make fifty times as much."""


def test_a_body_of_many_elements_is_gone_through_in_the_memory_of_one_record() -> None:
    body = decode(ADDED, MANY_ATTRIBUTES)
    encode(ADDED, decode(ADDED, builders.event_add([builders.actor(1)])))
    tracemalloc.start()
    try:
        again = encode(ADDED, body)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert again == MANY_ATTRIBUTES
    assert peak < 10 * len(MANY_ATTRIBUTES)


def test_elements_are_measured_without_a_call_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    measure = codec._measure
    monkeypatch.setattr(codec, "_measure", lambda *given: calls.append(given) or measure(*given))
    assert len(decode(ADDED, MANY_ATTRIBUTES)) == len(calls) == 20


def test_a_field_is_found_without_locating_what_follows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    body, made = decode(ADDED, MANY_ATTRIBUTES), []
    leaf = codec.Leaf
    monkeypatch.setattr(codec, "Leaf", lambda *given: made.append(given) or leaf(*given))
    assert body.find_actor(19) == 19
    assert [body.get(index, "blueprint") for index in range(20)] == ["vehicle.lincoln.mkz_2017"] * 20
    assert len(made) < 20 * 12


@pytest.mark.parametrize("name", ["attributes", "bones"])
def test_elements_that_are_cut_anywhere_are_told_as_short(name: str) -> None:
    data = {
        "attributes": builders.event_add([builders.actor(1, attributes=[builders.attribute(3, "ab", "c")] * 2)]),
        "bones": u16(1) + u32(7) + u16(2) + (builders.string("hip") + bytes(24)) * 2,
    }[name]
    kind = ADDED if name == "attributes" else kind_of("ue4-0.9.14", "WalkerBones")
    whole = decode(kind, data)
    assert whole.damage is None
    assert whole.leaves(0)[-1].stop == len(data)
    for end in range(2, len(data)):
        body = decode(kind, data[:end])
        assert len(body) == 0
        assert body.damage is not None
        assert body.damage.offset <= end


@pytest.mark.parametrize("number", [65_535, 65_536])
def test_a_list_inside_a_record_ends_where_sixteen_bits_do(number: int) -> None:
    kind = kind_of("ue4-0.9.15", "AnimVehicleWheels")
    data = u16(2) + u32(7) + u32(0) + u32(8) + u32(number) + bytes(9 * number)
    body = decode(kind, data)
    if number == 65_535:
        assert (len(body), body.damage) == (2, None)
    else:
        assert len(body) == 1
        assert body.damage is not None
        assert "wheels (65,536 said, 65,535 at most)" in body.damage.message
        assert_parts_cover_every_byte_once(body)
