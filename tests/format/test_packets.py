"""The table of packets, held against the format reference."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from recorder_editor.format.dialects import DIALECTS
from recorder_editor.format.schema import (
    Array,
    BodyKind,
    Field,
    FieldType,
    Lifetime,
    PacketType,
    Presence,
    Replayed,
    Struct,
    World,
    WrongClass,
)
from recorder_editor.reading.event_index import CLASSES
from tests.builders import RELEASES, WEATHER, samples

FIXED_SIZES = {
    "FrameStart": (24, 24),
    "EventDel": (4, 4),
    "EventParent": (8, 8),
    "Collision": (14, 14),
    "Position": (28, 52),
    "State": (10, 10),
    "AnimVehicle": (21, 21),
    "AnimWalker": (8, 8),
    "VehicleLight": (8, 8),
    "SceneLight": (26, 26),
    "Kinematics": (28, 52),
    "BoundingBox": (28, 52),
    "PlatformTime": (8, 8),
    "TrafficLightTime": (16, 16),
    "TriggerVolume": (28, 52),
    "FrameCounter": (8, 8),
    "VisualTime": (8, 8),
    "AnimBiker": (12, 12),
    "VehicleDoor": (6, 6),
    "Weather": (56, 56),
}
VECTORS = ("location.", "rotation.", "origin.", "extent.", "linear_velocity.", "angular_velocity.")
LENGTHS = ("location.", "origin.", "extent.", "position.", "center_of_mass.")


def every_packet() -> Iterator[tuple[str, PacketType]]:
    for name, dialect in DIALECTS.items():
        for kind in dialect.packets.values():
            yield name, kind


def every_struct(record: Struct) -> Iterator[Struct]:
    yield record
    for array in record.arrays.values():
        yield from every_struct(array.element)


def every_field() -> Iterator[tuple[str, Field]]:
    for name, kind in every_packet():
        for struct in every_struct(kind.record):
            for field in struct.fields.values():
                yield f"{name} {kind.name} {field.path}", field


def packet_type(dialect: str, name: str) -> PacketType:
    found = DIALECTS[dialect].by_name(name)
    assert found is not None
    return found


def element(kind: PacketType, path: str) -> Struct:
    return kind.record.arrays[path].element


def test_the_table_uses_the_words_of_the_schema() -> None:
    for _, kind in every_packet():
        assert kind.body in get_args(BodyKind)
        assert kind.lifetime in get_args(Lifetime)
        assert kind.presence in get_args(Presence)
        assert kind.replayed in get_args(Replayed)
        assert kind.wrong_class in get_args(WrongClass)
        assert set(kind.actors) <= set(CLASSES)
        assert not kind.actors or kind.body == "opaque" or kind.actor_field is not None
        # Those that crash the simulator are found as columns.
        assert kind.wrong_class == "ignored" or (kind.actors and kind.dtype is not None)
    for name, field in every_field():
        assert field.type in get_args(FieldType), name
        assert field.world in (None, *get_args(World)), name


def test_there_are_eleven_dialects() -> None:
    assert list(DIALECTS) == list(RELEASES)


@pytest.mark.parametrize("dialect", RELEASES)
def test_a_dialect_knows_every_packet_its_release_writes_under_its_id(dialect: str) -> None:
    known = DIALECTS[dialect].packets
    assert known[0].name == "FrameStart"
    assert known[1].name == "FrameEnd"
    assert {sample.id: known[sample.id].name for sample in samples(dialect)} == {
        sample.id: sample.name for sample in samples(dialect)
    }
    assert all(kind.id == number for number, kind in known.items())


@pytest.mark.parametrize("dialect", RELEASES)
def test_a_dialect_knows_no_packet_that_came_later(dialect: str) -> None:
    written = {0, 1, *(sample.id for sample in samples(dialect))}
    newest = max(written)
    later = {number for number in DIALECTS[dialect].packets if newest < number < 100}
    assert later <= {18}


@pytest.mark.parametrize("dialect", RELEASES)
def test_the_order_of_packets_is_the_recorders_own(dialect: str) -> None:
    order = DIALECTS[dialect].order
    written = [0, *(sample.id for sample in samples(dialect)), 1]
    assert [number for number in order if number in written] == written
    assert set(order) == set(written)


@pytest.mark.parametrize("name", FIXED_SIZES)
def test_records_of_one_size_have_the_size_of_the_reference(name: str) -> None:
    for dialect in DIALECTS.values():
        kind = dialect.by_name(name)
        if kind is not None:
            assert kind.record.size == FIXED_SIZES[name][dialect.wide]
            assert kind.dtype is not None
            assert kind.dtype.itemsize == kind.record.size


def test_packets_not_in_that_list_have_records_of_many_sizes_or_none() -> None:
    others = {kind.name for _, kind in every_packet() if kind.dtype is None and kind.id < 100}
    assert others == {"FrameEnd", "EventAdd", "PhysicsControl", "WalkerBones", "AnimVehicleWheels", "DReyeVRWeather"}


def test_wheels_of_physics_grew_from_36_to_48_bytes_with_0_9_12() -> None:
    sizes = {
        name: element(packet_type(name, "PhysicsControl"), "wheels").size
        for name, dialect in DIALECTS.items()
        if not dialect.wide and 15 in dialect.packets
    }
    assert sizes.pop("ue4-0.9.10") == 36
    assert set(sizes.values()) == {48}


def test_elements_of_the_other_arrays_have_the_sizes_of_the_reference() -> None:
    physics = packet_type("ue4-0.9.15", "PhysicsControl")
    assert {path: element(physics, path).size for path in physics.record.arrays} == {
        "torque_curve": 8,
        "forward_gears": 12,
        "steering_curve": 8,
        "wheels": 48,
    }
    assert element(packet_type("ue4-0.9.15", "AnimVehicleWheels"), "wheels").size == 9
    # the shortest bone has no name: a length of two bytes and two vectors
    assert element(packet_type("ue4-0.9.15", "WalkerBones"), "bones").least == 2 + 24
    assert element(packet_type("ue5-2026", "WalkerBones"), "bones").least == 2 + 48


def test_the_shortest_records_that_vary_are_as_long_as_the_reference_says() -> None:
    # 33 or 57 bytes up to the blueprint, its length, and the number of attributes
    assert packet_type("ue4-0.9.4", "EventAdd").record.least == 33 - 4 + 4 + 2 + 2
    assert packet_type("ue5-2026", "EventAdd").record.least == 57 + 2 + 2
    assert packet_type("ue4-0.9.12", "PhysicsControl").record.least == 4 + 5 * 4 + 1 + 4 * 4 + 12 + 4 * 4


def test_vectors_are_doubles_in_ue5_and_colours_stay_floats() -> None:
    for name, field in every_field():
        if field.path.startswith(VECTORS) and "PhysicsControl" not in name:
            assert field.type == ("f64" if name.startswith("ue5") else "f32"), name
        if field.path.startswith("color."):
            assert field.type == "f32", name


@pytest.mark.parametrize("name", ["ue5-0.10.0", "ue5-2026"])
def test_physics_of_ue5_has_the_layout_of_the_reference(name: str) -> None:
    physics = packet_type(name, "PhysicsControl")
    assert physics.record.least == 111 + 5 * 4
    sizes = [(path, element(physics, path).size) for path in physics.record.arrays]
    assert sizes == [
        ("torque_curve", 8),
        ("forward_gear_ratios", 4),
        ("reverse_gear_ratios", 4),
        ("steering_curve", 8),
        ("wheels", 208),
    ]
    wheel = element(physics, "wheels")
    places = {
        path: wheel.places[path][1]
        for path in (
            "offset.x",
            "wheel_radius",
            "affected_by_steering",
            "max_wheelspin_rotation",
            "lateral_slip_graph",
            "suspension_axis.x",
            "suspension_smoothing",
            "sweep_shape",
            "max_brake_torque",
            "wheel_index",
            "location.x",
            "velocity.x",
            "padding_204",
        )
    }
    assert list(places.values()) == [4, 16, 52, 60, 72, 96, 144, 152, 156, 164, 168, 192, 204]
    assert [field.path for field in wheel.fields.values() if field.pointers] == ["lateral_slip_graph"]


def test_a_rotation_is_stored_as_roll_pitch_yaw() -> None:
    turns = [name for name in packet_type("ue4-0.9.12", "Position").record.fields if "rotation" in name]
    assert turns == ["rotation.roll", "rotation.pitch", "rotation.yaw"]


def test_weather_is_stored_in_the_order_of_the_reference() -> None:
    assert tuple(packet_type("ue4-2026", "Weather").record.fields) == WEATHER


def test_every_field_says_what_it_means() -> None:
    for name, field in every_field():
        assert len(field.meaning) >= 3, name
        assert field.meaning[0].isupper(), name
        assert not field.meaning.endswith("."), name


def test_every_array_and_every_packet_says_what_it_means() -> None:
    for name, kind in every_packet():
        assert kind.meaning, f"{name} {kind.name}"
        for struct in every_struct(kind.record):
            assert struct.name or kind.body in ("opaque", "empty"), f"{name} {kind.name}"
            for member in struct.members:
                if isinstance(member, Array):
                    assert member.meaning, f"{name} {kind.name} {member.path}"
                    assert member.count_field.meaning, f"{name} {kind.name} {member.path}"


def test_labels_are_words() -> None:
    for name, field in every_field():
        assert re.fullmatch(r"[a-z0-9 ]+", field.label), name
    assert Field("linear_velocity.x", "f32", "").label == "linear velocity x"
    assert Field("linear_velocity.x", "f32", "").group == "linear_velocity"
    assert Field("gear", "i32", "").group == ""


def test_paths_are_unique_inside_a_record() -> None:
    for name, kind in every_packet():
        for struct in every_struct(kind.record):
            paths = [member.path for member in struct.members]
            assert len(paths) == len(set(paths)), f"{name} {kind.name}"


def test_what_can_be_measured_has_its_unit() -> None:
    for name, field in every_field():
        if field.path.startswith("rotation."):
            assert field.unit == "°", name
            assert field.angle, name
        elif field.path.startswith("center_of_mass."):
            assert field.unit == "m", name
        elif "ue5" in name and "PhysicsControl location." in name:
            assert field.unit == "", name  # the reference does not say it
        elif field.path.startswith(LENGTHS):
            assert field.unit == "cm", name
        elif field.path.startswith("linear_velocity."):
            assert field.unit == "m/s", name
        elif field.path.startswith("angular_velocity."):
            assert field.unit == "°/s", name
        elif field.path in ("duration", "elapsed", "time", "green", "yellow", "red"):
            assert field.unit == "s", name
    assert packet_type("ue4-0.9.6", "AnimWalker").record.fields["speed"].unit == "cm/s"
    assert packet_type("ue4-0.9.12", "PhysicsControl").record.fields["mass"].unit == "kg"
    assert packet_type("ue4-2026", "Weather").record.fields["fog_distance"].unit == "m"


def test_only_numbers_have_units_choices_and_flags() -> None:
    for name, field in every_field():
        if field.type in ("str", "bool"):
            assert not any((field.unit, field.choices, field.flags)), name
        if field.choices or field.flags:
            assert field.type in ("u8", "i8", "u32"), name
        for label in {**(field.choices or {}), **(field.flags or {})}.values():
            assert label, name


def test_actor_types_follow_the_release() -> None:
    def names(dialect: str) -> list[str]:
        choices = packet_type(dialect, "EventAdd").record.fields["type"].choices
        assert choices is not None
        assert list(choices) == list(range(len(choices)))
        return list(choices.values())

    always = ["Other", "Vehicle", "Walker", "TrafficLight"]
    assert names("ue4-0.9.4") == [*always, "Invalid"]
    assert names("ue4-0.9.10") == [*always, "TrafficSign", "Invalid"]
    for dialect in ("ue4-0.9.12", "ue4-0.9.15", "ue4-doors", "ue4-2026", "ue5-0.10.0", "ue5-2026"):
        assert names(dialect) == [*always, "TrafficSign", "Sensor", "Invalid"]


def test_attribute_types_are_counted_from_one_since_0_9_16_but_not_in_ue5() -> None:
    def choices(dialect: str) -> dict[int, str]:
        field = element(packet_type(dialect, "EventAdd"), "attributes").fields["type"]
        return dict(field.choices or {})

    first = {0: "Bool", 1: "Int", 2: "Float", 3: "String", 4: "RGBColor"}
    shifted = {number + 1: name for number, name in first.items()}
    for dialect, release in RELEASES.items():
        if dialect == "ue5-2026":
            assert choices(dialect) == first | {5: "Vector"}
        elif release.version == 2:
            assert choices(dialect) | shifted == choices(dialect)
        else:
            assert choices(dialect) == first


def test_lamps_lights_doors_and_wheels_are_named_in_order() -> None:
    state = packet_type("ue4-0.9.12", "State").record.fields["state"]
    assert state.type == "i8"
    assert state.choices == {0: "Red", 1: "Yellow", 2: "Green", 3: "Off", 4: "Unknown"}
    lights = packet_type("ue4-0.9.12", "VehicleLight").record.fields["lights"].flags
    assert lights is not None
    assert list(lights) == [1 << bit for bit in range(11)]
    assert [name for bit, name in lights.items() if bit in (0x80, 0x100)] == ["Fog", "Interior"]
    door = packet_type("ue4-doors", "VehicleDoor").record.fields["door"].choices
    assert door is not None
    assert [door[number] for number in (0, 3, 4, 5, 6)] == ["Front left", "Rear right", "Hood", "Trunk", "All"]
    wheel = element(packet_type("ue4-0.9.15", "AnimVehicleWheels"), "wheels").fields["location"].choices
    assert wheel is not None
    assert list(wheel) == [0, 1, 2, 3, 4, 5]
    group = packet_type("ue4-0.9.12", "SceneLight").record.fields["group"].choices
    assert group == {0: "None", 1: "Vehicle", 2: "Street", 3: "Building", 4: "Other"}


def test_ids_of_actors_are_told_from_ids_of_lights_and_collisions() -> None:
    without = {
        "FrameStart",
        "FrameEnd",
        "EventParent",
        "Collision",
        "SceneLight",
        "PlatformTime",
        "FrameCounter",
        "VisualTime",
        "Weather",
        "DReyeVRWeather",
        "DReyeVRSensor",
        "DReyeVRCustomActor",
        "DReyeVRConfig",
    }
    for name, kind in every_packet():
        expected = None if kind.name in without or kind.body == "opaque" else "id"
        assert (kind.actor_field.path if kind.actor_field else None) == expected, f"{name} {kind.name}"
    for name, paths in (("Collision", {"actor1", "actor2"}), ("EventParent", {"child", "parent"})):
        fields = packet_type("ue4-0.9.12", name).record.fields.values()
        assert {field.path for field in fields if field.actor} == paths


def test_bounds_offered_by_an_editor_are_in_order() -> None:
    for name, field in every_field():
        if field.low is not None and field.high is not None:
            assert field.low < field.high, name
        assert field.step is None or field.step > 0, name
        if field.low is not None or field.high is not None or field.step is not None:
            assert field.type != "str", name


@pytest.mark.parametrize("number", [25, 77, 99, 100, 128, 200, 255])
def test_an_unknown_id_is_an_opaque_packet_with_a_name(number: int) -> None:
    for dialect in DIALECTS.values():
        kind = dialect.packet(number)
        assert (kind.id, kind.name, kind.body) == (number, f"Unknown {number}", "opaque")
        assert kind.meaning
        assert kind.dtype is None


@pytest.mark.parametrize("number", [139, 140, 141])
def test_packets_of_a_known_fork_are_opaque_and_named(number: int) -> None:
    kind = DIALECTS["ue4-0.9.12"].packet(number)
    assert kind.body == "opaque"
    assert kind.name.startswith("DReyeVR")


def test_each_packet_and_dialect_names_the_sections_that_it_comes_from() -> None:
    reference = Path(__file__).resolve().parents[3] / "shared" / "format" / "recorder-format.md"
    named = {kind.name: kind.source for dialect in DIALECTS.values() for kind in dialect.kinds()}
    named |= {dialect.name: dialect.source for dialect in DIALECTS.values()}
    assert all(named.values())
    if not reference.is_file():
        pytest.skip("the format reference is not beside the project")
    headings = re.findall(r"^#+ ([\d.]+?)\.? ", reference.read_text(encoding="utf-8"), re.MULTILINE)
    assert {section for source in named.values() for section in source.split(", ")} <= set(headings)
