"""Which dialect a file speaks, found out from bytes written by hand and from real recordings."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor.format.codec import decode
from recorder_editor.format.detection import Detection, Sample, detect, force
from recorder_editor.format.dialects import DIALECTS, Dialect
from tests import builders
from tests.builders import RELEASES, exactly, frame, packet, recording

FAMILIES = {
    "ue4-0.9.4": "0.9.4",
    "ue4-0.9.6": "0.9.6",
    "ue4-0.9.10": "0.9.10",
    "ue4-0.9.12": "0.9.13",
    "ue4-0.9.14": "0.9.13",
    "ue4-0.9.15": "0.9.15",
    "ue4-doors": "0.9.15",
    "ue4-0.9.16": "0.9.15",
    "ue4-2026": "newest",
    "ue5-0.10.0": "0.9.15",
    "ue5-2026": "newest",
}
# What is left of a release when all its packets are empty: the bytes of these are the same.
EMPTY_MEANS = {
    "ue4-0.9.10": "ue4-0.9.12",
    "ue4-2026": "ue4-0.9.16",
    "ue5-0.10.0": "ue4-doors",
    "ue5-2026": "ue4-0.9.16",
}
REAL = {
    "carla-0.9.6-town03-walkers.rec": ("ue4-0.9.6", "CARLA 0.9.6 to 0.9.9.4 (floats)"),
    "carla-0.9.6-town03-collision.rec": ("ue4-0.9.6", "CARLA 0.9.6 to 0.9.9.4 (floats)"),
    "carla-0.9.10-town01-scene-lights.log": ("ue4-0.9.10", "CARLA 0.9.10 to 0.9.11 (floats)"),
    "carla-0.9.13-town01.log": ("ue4-0.9.12", "CARLA 0.9.12 to 0.9.13 (floats)"),
    "carla-0.9.13-town05-collisions.log": ("ue4-0.9.12", "CARLA 0.9.12 to 0.9.13 (floats)"),
    "carla-0.9.13-opendrive.log": ("ue4-0.9.12", "CARLA 0.9.12 to 0.9.13 (floats)"),
    "carla-0.9.15-town05-bikes.log": ("ue4-0.9.15", "CARLA 0.9.15 (floats)"),
}


def packets_of(data: bytes) -> list[tuple[int, bytes]]:
    """Every packet after the file header, read without the library."""
    (name_length,) = struct.unpack_from("<H", data, 26)
    at = 28 + name_length
    packets = []
    while at < len(data):
        number, size = struct.unpack_from("<BI", data, at)
        packets.append((number, data[at + 5 : at + 5 + size]))
        at += 5 + size
    assert at == len(data)
    return packets


def sample_of(data: bytes, per_id: int = 4) -> Sample:
    """What a reader hands over: distinct orders of packets, some bodies that are not empty."""
    orders: dict[tuple[int, ...], None] = {}
    bodies: dict[int, list[bytes]] = {}
    order: list[int] = []
    for number, body in packets_of(data):
        order.append(number)
        if len(body) > 2 and len(bodies.setdefault(number, [])) < per_id:
            bodies[number].append(body)
        if number == 1:
            orders[tuple(order)] = None
            order = []
    return Sample(tuple(orders), bodies)


def detected(data: bytes) -> Detection:
    (version,) = struct.unpack_from("<H", data)
    return detect(version, sample_of(data))


def one_frame(*packets: tuple[int, bytes], version: int = 1) -> bytes:
    return recording(frame(1, packets=[packet(number, body) for number, body in packets]), version=version)


def assert_readable(detection: Detection) -> None:
    assert detection.reasons
    assert len(set(detection.reasons)) == len(detection.reasons)
    for reason in detection.reasons:
        assert reason[0].isupper()
        assert reason.endswith(".")
        assert len(reason.split()) >= 3
        assert ".0 bytes" not in reason
        assert "None" not in reason


# --- the table --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RELEASES)
def test_a_dialect_says_what_it_is(name: str) -> None:
    dialect = DIALECTS[name]
    assert dialect.name == name
    assert dialect.family == FAMILIES[name]
    assert dialect.wide == RELEASES[name].wide == name.startswith("ue5")
    assert dialect.engine == (5 if dialect.wide else 4)
    assert dialect.header_version == RELEASES[name].version
    assert dialect.title.startswith("CARLA ")
    assert dialect.title.endswith("(doubles)" if dialect.wide else "(floats)")


def test_titles_tell_dialects_apart() -> None:
    assert len({dialect.title for dialect in DIALECTS.values()}) == len(DIALECTS)
    assert DIALECTS["ue4-0.9.12"].title == "CARLA 0.9.12 to 0.9.13 (floats)"


@pytest.mark.parametrize("name", RELEASES)
def test_a_forced_dialect_is_taken_as_it_is(name: str) -> None:
    detection = force(name)
    assert detection.dialect == DIALECTS[name]
    assert detection.forced
    assert_readable(detection)


def test_a_dialect_that_does_not_exist_cannot_be_forced() -> None:
    with pytest.raises(KeyError):
        force("ue4-0.9.13")


# --- detection --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RELEASES)
def test_a_file_with_everything_is_detected_as_itself(name: str) -> None:
    detection = detected(builders.everything(name))
    assert detection.dialect.name == name
    assert detection.dialect.family == FAMILIES[name]
    assert not detection.forced
    assert_readable(detection)


@pytest.mark.parametrize("name", RELEASES)
def test_what_is_detected_decodes_every_packet_to_what_was_put_in(name: str) -> None:
    dialect = detected(builders.everything(name)).dialect
    for sample in builders.samples(name):
        body = decode(dialect.packet(sample.id), sample.body)
        assert body.type.name == sample.name
        assert body.damage is None
        if sample.records is not None:
            assert exactly(body.records()) == exactly(sample.records)


@pytest.mark.parametrize("name", RELEASES)
def test_a_file_with_everything_empty_is_detected_as_something_with_the_same_bytes(name: str) -> None:
    detection = detected(builders.nothing_in_it(name))
    assert detection.dialect.name == EMPTY_MEANS.get(name, name)
    assert_readable(detection)
    for number, body in packets_of(builders.nothing_in_it(name)):
        assert detection.dialect.packet(number).name == DIALECTS[name].packet(number).name
        assert decode(detection.dialect.packet(number), body).damage is None


@pytest.mark.parametrize("name", REAL)
def test_a_real_recording_is_detected_as_what_wrote_it(recordings: Path, name: str) -> None:
    detection = detected((recordings / name).read_bytes())
    assert (detection.dialect.name, detection.dialect.title) == REAL[name]
    assert_readable(detection)


@pytest.mark.parametrize("name", REAL)
def test_every_body_of_a_real_recording_is_consumed_exactly(recordings: Path, name: str) -> None:
    data = (recordings / name).read_bytes()
    dialect = detected(data).dialect
    for number, raw in packets_of(data):
        body = decode(dialect.packet(number), raw)
        assert body.type.body != "opaque"
        assert body.damage is None
        assert body.tail == (len(raw), len(raw))


def test_a_file_without_packets_has_a_dialect() -> None:
    for data in (recording(), recording(frame(1)), builders.header(version=2)):
        detection = detected(data)
        assert not detection.dialect.wide
        assert_readable(detection)
    assert_readable(detect(None, Sample((), {})))


@pytest.mark.parametrize("packets", [[], [(77, b"mine")], [(139, b"x")]])
def test_a_file_whose_packets_tell_nothing_may_be_of_many_releases(packets: list[tuple[int, bytes]]) -> None:
    detection = detected(one_frame(*packets))
    assert detection.dialect.title == "CARLA 0.9.4 to 0.9.15 (floats)"
    assert_readable(detection)


def test_a_file_without_a_header_is_detected_from_its_packets() -> None:
    for name in RELEASES:
        if RELEASES[name].version == 1:
            assert detect(None, sample_of(builders.everything(name))).dialect.name == name


@pytest.mark.parametrize("packet_id", [6, 12, 13, 17])
def test_one_vector_is_enough_to_tell_doubles(packet_id: int) -> None:
    build = {6: builders.position, 12: builders.kinematics, 13: builders.bounding_box, 17: builders.bounding_box}
    records = {6: builders.poses(True, True), 12: builders.motions(True)}.get(packet_id, builders.boxes(True))
    assert detected(one_frame((packet_id, build[packet_id](records, wide=True)))).dialect.wide
    assert not detected(one_frame((packet_id, build[packet_id](records[:0], wide=True)))).dialect.wide


def test_one_wrong_count_does_not_turn_floats_into_doubles() -> None:
    body = builders.position([builders.pose(number) for number in range(13)])
    wrong = builders.u16(7) + body[2:]
    assert (len(wrong) - 2) / 7 == 52
    frames = [frame(1, packets=[packet(6, one), packet(10, builders.u16(0))]) for one in (wrong, body, body)]
    assert not detected(recording(*frames)).dialect.wide


@pytest.mark.parametrize("wide", [False, True])
def test_without_positions_the_births_tell_floats_from_doubles(wide: bool) -> None:
    births = builders.event_add([builders.actor(1, attributes=[builders.attribute(3, "role_name", "x")])], wide)
    detection = detected(one_frame((2, births), (6, builders.u16(0))))
    assert detection.dialect.wide == wide
    assert any("EventAdd" in reason for reason in detection.reasons)


def test_doubles_with_doors_first_are_0_10_0_and_with_wheels_first_newer() -> None:
    wide = builders.position(builders.poses(True, True), wide=True)
    nothing = builders.u16(0)
    assert detected(one_frame((5, nothing), (21, nothing), (6, wide))).dialect.name == "ue5-0.10.0"
    assert detected(one_frame((5, nothing), (23, nothing), (6, wide))).dialect.name == "ue5-2026"
    undecided = detected(one_frame((5, nothing), (6, wide))).dialect
    assert (undecided.name, undecided.title) == ("ue5-0.10.0", "CARLA 0.10.0 to 0.10 (2026) (doubles)")


@pytest.mark.parametrize(
    ("packets", "name"),
    [
        ([(21, builders.vehicle_door(builders.DOORS))], "ue4-doors"),
        ([(23, builders.biker(builders.BIKERS))], "ue4-doors"),
        ([(22, builders.biker(builders.BIKERS))], "ue4-0.9.15"),
        ([(21, builders.vehicle_wheels(builders.WHEELS))], "ue4-0.9.15"),
        ([(23, builders.vehicle_door(builders.DOORS))], "ue4-0.9.16"),
        ([(22, builders.vehicle_wheels(builders.WHEELS)), (23, builders.biker(builders.BIKERS))], "ue4-doors"),
    ],
)
def test_ids_21_to_23_are_told_by_arithmetic_where_their_place_says_nothing(
    packets: list[tuple[int, bytes]], name: str
) -> None:
    placed = (6, builders.position(builders.poses(False, True)))
    detection = detected(one_frame(placed, (5, builders.u16(0)), *packets))
    assert detection.dialect.name == name
    for number, raw in packets:
        assert decode(detection.dialect.packet(number), raw).damage is None


def test_wheels_of_cars_and_trucks_together_are_not_taken_for_weather() -> None:
    wheel = builders.WHEELS[0]["wheels"][0]
    records = [{"id": n, "wheels": [wheel] * (4 if n < 5 else 6)} for n in range(9)]
    body = builders.vehicle_wheels(records)
    assert (len(body) - 2) / 9 == 52
    detection = detected(one_frame((6, builders.u16(0)), (10, builders.u16(0)), (21, body)))
    assert detection.dialect.name == "ue4-0.9.15"
    assert decode(detection.dialect.packet(21), body).damage is None


@pytest.mark.parametrize(("stiffness", "name"), [(True, "ue4-0.9.12"), (False, "ue4-0.9.10")])
def test_the_size_of_a_wheel_tells_0_9_10_from_0_9_12(stiffness: bool, name: str) -> None:
    for wheels in (1, 2, 3, 4, 6):
        engine = builders.physics(stiffness)
        engine["wheels"] = engine["wheels"][:1] * wheels
        body = builders.physics_control([engine, builders.bare_physics()], stiffness)
        detection = detected(one_frame((10, builders.u16(0)), (15, body)))
        assert detection.dialect.name == name
        assert any("wheels in PhysicsControl are" in reason for reason in detection.reasons)


def test_without_wheels_sensors_tell_0_9_10_from_0_9_12() -> None:
    def with_sensor(kind: int) -> Dialect:
        births = builders.event_add([builders.actor(5, kind, "sensor.camera.rgb")])
        return detected(one_frame((2, births), (10, builders.u16(0)))).dialect

    assert with_sensor(5).title == "CARLA 0.9.12 to 0.9.13 (floats)"
    assert with_sensor(0).title == "CARLA 0.9.10 to 0.9.11 (floats)"


def test_a_range_is_shown_where_the_bytes_allow_one() -> None:
    def with_props_in_position(props: bool) -> Dialect:
        births = builders.event_add([builders.actor(1, 0, "spectator")])
        placed = builders.position([builders.pose(1 if props else 7)])
        return detected(one_frame((2, births), (6, placed), (10, builders.u16(0)))).dialect

    assert with_props_in_position(False).title == "CARLA 0.9.10 to 0.9.13 (floats)"
    assert with_props_in_position(True).title == "CARLA 0.9.11 to 0.9.13 (floats)"


def test_a_collision_with_the_world_tells_0_9_13() -> None:
    bumped = builders.collision(builders.COLLISIONS)
    engines = builders.physics_control([builders.physics(True)])
    detection = detected(one_frame((5, bumped), (10, builders.u16(0)), (15, engines)))
    assert detection.dialect.title == "CARLA 0.9.13 (floats)"


def test_signs_of_a_type_of_their_own_tell_0_9_9() -> None:
    births = builders.event_add([builders.actor(5, 4, "traffic.stop")])
    detection = detected(one_frame((2, births), (8, builders.u16(0)), (9, builders.u16(0))))
    assert detection.dialect.title == "CARLA 0.9.9 to 0.9.9.4 (floats)"


# --- numbering of attributes --------------------------------------------------------------------------------


def births(shift: int) -> bytes:
    return builders.event_add(builders.actors_added(False, shift, 5))


def attribute_type_of_role_name(detection: Detection, shift: int) -> str | None:
    body = decode(detection.dialect.packet(2), births(shift))
    field = body.leaf(1, "attributes[1].type").field
    assert body.get(1, "attributes[1].id") == "role_name"
    value = body.get(1, "attributes[1].type")
    assert isinstance(value, int)
    return (field.choices or {}).get(value)


@pytest.mark.parametrize(("version", "shift"), [(1, 0), (2, 1), (1, 1), (2, 0)])
@pytest.mark.parametrize("doors", [False, True])
def test_well_known_attributes_decide_how_types_are_numbered(version: int, shift: int, doors: bool) -> None:
    between = [(23, builders.u16(0))] if doors else []
    data = one_frame((2, births(shift)), (5, builders.u16(0)), *between, (6, builders.u16(0)), version=version)
    detection = detected(data)
    assert attribute_type_of_role_name(detection, shift) == "String"
    assert_readable(detection)


def test_attributes_of_doubles_with_version_1_keep_their_vector_type() -> None:
    detection = detected(builders.everything("ue5-2026"))
    attributes = detection.dialect.packet(2).record.arrays["attributes"].element
    assert (attributes.fields["type"].choices or {})[5] == "Vector"


# --- forks ------------------------------------------------------------------------------------------------


def test_packets_of_a_fork_are_said_to_be_one_and_kept() -> None:
    detection = detected(builders.dreyevr())
    assert detection.dialect.name == "ue4-0.9.12"
    told = next(reason for reason in detection.reasons if "fork" in reason)
    for number in ("18", "77", "100", "139", "140", "141", "255"):
        assert number in told
    assert_readable(detection)
    for sample in builders.FOREIGN:
        body = decode(detection.dialect.packet(sample.id), sample.body)
        assert (body.type.body, body.damage) == ("opaque", None)


@pytest.mark.parametrize("packet_id", [18, 21])
def test_weather_of_a_fork_is_no_packet_of_carla(packet_id: int) -> None:
    sky = builders.weather(builders.SKIES, dust=False)
    kinds = [(sample.id, sample.body) for sample in builders.samples("ue4-0.9.14")]
    detection = detected(one_frame(*kinds, (packet_id, sky)))
    assert detection.dialect.name == "ue4-0.9.14"
    assert detection.dialect.packet(packet_id).body == "opaque"
    assert detection.dialect.packet(packet_id).id == packet_id
    assert any("fork" in reason for reason in detection.reasons)


def test_a_frame_counter_of_eight_bytes_is_no_fork() -> None:
    kinds = [(sample.id, sample.body) for sample in builders.samples("ue4-0.9.14")]
    detection = detected(one_frame(*kinds, (18, builders.frame_counter(2**63))))
    assert detection.dialect.packet(18).name == "FrameCounter"
    assert decode(detection.dialect.packet(18), builders.frame_counter(2**63)).record(0) == {"counter": 2**63}


# --- anything at all ----------------------------------------------------------------------------------------


@given(
    st.sampled_from([None, 0, 1, 2, 65535]),
    st.lists(st.lists(st.integers(0, 30) | st.sampled_from([100, 139, 255]), max_size=12), max_size=3),
    st.data(),
)
def test_any_packets_have_a_dialect_and_reasons(
    version: int | None, orders: list[list[int]], data: st.DataObject
) -> None:
    bodies = {}
    for number in sorted({number for order in orders for number in order}):
        known = [s.body for name in RELEASES for s in builders.samples(name) if s.id == number]
        anything = st.binary(min_size=3, max_size=80)
        bodies[number] = data.draw(st.lists(st.sampled_from(known) | anything if known else anything, max_size=2))
    detection = detect(version, Sample(orders, bodies))
    assert detection.dialect.name in DIALECTS
    assert_readable(detection)
    for number, raws in bodies.items():
        for raw in raws:
            decode(detection.dialect.packet(number), raw)
