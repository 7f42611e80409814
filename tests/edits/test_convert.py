"""From every dialect to every other: the bytes that come out are told by hand, and nothing is lost in silence."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder_editor.api import Recording, open_recording
from recorder_editor.checks import structure
from recorder_editor.demo import make_town
from recorder_editor.edits.convert import Conversion, Loss, convert, preview
from recorder_editor.edits.convert.bodies import narrowed, widened
from recorder_editor.errors import Cancelled, EditError
from recorder_editor.progress import Progress
from recorder_editor.recording.recording import detection_of
from recorder_editor.recording.store import Store

from .. import builders as b
from ..extent import examples
from ..recording.films import BIKES, of_real, opened
from .conftest import saved

DIALECTS = tuple(b.RELEASES)
PAIRS = [(source, target) for source in DIALECTS for target in DIALECTS]
TO_OTHERS = [pytest.param(*pair, marks=[pytest.mark.long] * (pair[0] == pair[1])) for pair in PAIRS]
"""The same for a sample, which would else take many of a release and itself: there nothing changes."""
ALWAYS = ("AnimVehicle", "AnimWalker", "VehicleLight", "AnimVehicleWheels", "AnimBiker", "VehicleDoor", "WalkerBones")
NEVER_FILLED = {"ue5-0.10.0": ("AnimVehicleWheels", "AnimBiker")}
"""What recorders of a release write without records (format reference 4.21)."""
STIFFNESS = {"lat_stiff_max_load": 2.0, "lat_stiff_value": 17.0, "long_stiff_value": 1000.0}
ENCODERS: dict[str, Callable[..., bytes]] = {
    "EventAdd": b.event_add,
    "EventDel": b.event_del,
    "EventParent": b.event_parent,
    "Collision": b.collision,
    "Position": b.position,
    "State": b.traffic_light_state,
    "AnimVehicle": b.anim_vehicle,
    "AnimWalker": b.anim_walker,
    "VehicleLight": b.vehicle_light,
    "SceneLight": b.scene_light,
    "Kinematics": b.kinematics,
    "BoundingBox": b.bounding_box,
    "TriggerVolume": b.trigger_volume,
    "PhysicsControl": b.physics_control,
    "TrafficLightTime": b.traffic_light_time,
    "WalkerBones": b.walker_bones,
    "AnimVehicleWheels": b.vehicle_wheels,
    "AnimBiker": b.biker,
    "VehicleDoor": b.vehicle_door,
    "Weather": b.weather,
}
WITH_VECTORS = ("EventAdd", "Position", "Kinematics", "BoundingBox", "TriggerVolume", "WalkerBones")
SENSOR, SIGN = 5, 4
MAPPING_A, MAPPING_B = "ue4-0.9.15", "ue4-doors"


# --- what should come out, told by hand -----------------------------------------------------------------


def real(value: Any, wide: bool) -> Any:
    """A vector's component at the other width; NaNs by their bits."""
    if isinstance(value, b.Bits32) and wide:
        bits = value.bits
        return b.Bits64((bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29)
    if isinstance(value, b.Bits64) and not wide:
        bits = value.bits
        payload = (bits & (1 << 52) - 1) >> 29
        return b.Bits32((bits >> 63) << 31 | 0xFF << 23 | (payload or 1))
    return value


def revalued(value: Any, wide: bool) -> Any:
    """Records with their vectors at the other width."""
    if isinstance(value, list):
        return [revalued(each, wide) for each in value]
    if isinstance(value, dict):
        if set(value) in ({"x", "y", "z"}, {"roll", "pitch", "yaw"}):
            return {name: real(each, wide) for name, each in value.items()}
        return {name: revalued(each, wide) for name, each in value.items()}
    return value


def actor_type(kind: int, target: str) -> int:
    if kind == SENSOR and b.RELEASES[target].newest_kind < SENSOR:
        return 0
    return 0 if kind == SIGN and target == "ue4-0.9.4" else kind


def converted(sample: b.Sample, source: str, target: str) -> bytes:
    """The body of a sample in another release."""
    here, there = b.RELEASES[source], b.RELEASES[target]
    if sample.name in ("VisualTime", "PlatformTime") or sample.records is None:
        return sample.body
    records = sample.records
    if sample.name == "PhysicsControl" and there.wide:
        return b.physics_control_ue5(records)
    if sample.name == "PhysicsControl":
        filled = [{**record, "wheels": [{**STIFFNESS, **wheel} for wheel in record["wheels"]]} for record in records]
        return b.physics_control(filled, there.stiffness)
    if sample.name == "EventAdd":
        records = [
            {
                **record,
                "type": actor_type(record["type"], target),
                "attributes": [{**a, "type": a["type"] + there.shift - here.shift} for a in record["attributes"]],
            }
            for record in records
        ]
    if sample.name in WITH_VECTORS:
        return ENCODERS[sample.name](revalued(records, there.wide), there.wide)
    return ENCODERS[sample.name](records)


def expected(source: str, target: str) -> bytes:
    """`everything` of a release as another release would have it."""
    here = {sample.name: sample for sample in b.samples(source)}
    engines = b.RELEASES[source].wide != b.RELEASES[target].wide
    full: list[bytes] = []
    empty: list[bytes] = []
    for slot in b.samples(target):
        mine = here.get(slot.name)
        if source != target and slot.name in NEVER_FILLED.get(target, ()):
            full.append(b.packet(slot.id, b.u16(0)))
            empty.append(b.packet(slot.id, b.u16(0)))
        elif mine is not None and not (engines and slot.name == "PhysicsControl"):
            full.append(b.packet(slot.id, converted(mine, source, target)))
            if mine.empty is not None:
                empty.append(b.packet(slot.id, mine.empty))
        elif mine is None and slot.name in ALWAYS and (slot.name != "WalkerBones" or "PlatformTime" in here):
            full.append(b.packet(slot.id, b.u16(0)))
            empty.append(b.packet(slot.id, b.u16(0)))
    return b.recording(
        b.frame(1, 0.0, 0.05, full),
        b.frame(2, 0.05, 0.0625, empty),
        b.frame(3, 0.1125, -1.0, empty),
        version=b.RELEASES[target].version,
    )


def done(recording: Recording, target: str) -> Conversion:
    conversion = convert(recording, target, keep_blueprints=True)
    recording.apply(conversion.edit)
    return conversion


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_packet_becomes_what_the_other_release_writes(source: str, target: str) -> None:
    data = b.everything(source)
    with opened(data, source) as recording:
        conversion = done(recording, target)
        assert saved(recording) == expected(source, target)
        assert recording.dialect.name == target
        assert list(structure.find(recording.snapshot)) == []
        theirs = {sample.name for sample in b.samples(target)}
        left_out = {loss.name for loss in conversion.losses if loss.kind == "packet"}
        assert left_out == {sample.name for sample in b.samples(source)} - theirs
        recording.undo()
        assert saved(recording) == data
        assert recording.dialect.name == source


@pytest.mark.parametrize(("source", "target"), TO_OTHERS)
@pytest.mark.sampled
def test_there_and_back_is_the_same_where_nothing_is_listed(source: str, target: str) -> None:
    data = b.everything(source)
    with opened(data, source) as recording:
        there = done(recording, target)
        back = done(recording, source)
        # Other programs than the recorder may fill what it never does: that is lost on the way back.
        never = [loss for loss in back.losses if loss.kind == "always-empty"]
        assert (saved(recording) == data) == (not there.is_lossy and not rounded(there) and not never)
    data = b.nothing_in_it(source)
    with opened(data, source) as recording:
        there = done(recording, target)
        done(recording, source)
        assert saved(recording) == data or {loss.name for loss in there.losses} <= {"VisualTime", "PlatformTime"}


def rounded(conversion: Conversion) -> bool:
    return any(loss.kind == "rounded" for loss in conversion.losses)


@pytest.fixture(scope="module")
def towns(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("towns")
    made = {}
    for name in DIALECTS:
        made[name] = folder / f"{name}.log"
        made[name].write_bytes(b"".join(make_town(0.5, vehicles=5, walkers=4, lights=2, dialect=name)))
    return made


@pytest.mark.parametrize(("source", "target"), TO_OTHERS)
@pytest.mark.sampled
def test_a_town_goes_there_and_back(towns: dict[str, Path], source: str, target: str) -> None:
    with open_recording(towns[source], dialect=source) as recording:
        before = saved(recording)
        conversion = done(recording, target)
        assert list(structure.find(recording.snapshot)) == []
        done(recording, source)
        assert saved(recording) == before or conversion.is_lossy or rounded(conversion)
        if not conversion.losses:
            assert saved(recording) == before


@pytest.mark.parametrize("target", ["ue4-0.9.10", "ue4-doors", "ue4-0.9.16", "ue5-0.10.0", "ue5-2026"])
@of_real(BIKES)
def test_a_real_recording_goes_there_and_back(sound_recording: Path, target: str) -> None:
    with open_recording(sound_recording) as recording:
        source, before = recording.dialect.name, saved(recording)
        conversion = done(recording, target)
        assert recording.dialect.name == target
        assert list(structure.find(recording.snapshot)) == []
        assert detection_of(recording.snapshot).dialect.name in (target, source)
        done(recording, source)
        assert (saved(recording) == before) == (not conversion.is_lossy)


def test_the_damaged_recording_keeps_its_junk(damaged_recording: Path) -> None:
    with open_recording(damaged_recording) as recording:
        size = recording.snapshot.size
        assert done(recording, "ue4-0.9.15").edit.header is None
        assert recording.snapshot.size == size


BONES = st.builds(
    lambda name, x: {"name": name, "location": b.xyz(x, -x), "rotation": b.turn(x)},
    st.sampled_from(("", "a", "bb", "ccc")),
    st.integers(-9, 9),
)
WALKERS = st.lists(st.builds(lambda bones: {"id": 7, "bones": bones}, st.lists(BONES, max_size=3)), max_size=3)


@given(st.lists(WALKERS, min_size=1, max_size=8))
@settings(max_examples=examples(60))
def test_records_of_any_length_are_told_apart_frame_by_frame(frames: list[list[b.Record]]) -> None:
    def file(wide: bool) -> bytes:
        return b.recording(
            *(b.frame(n, packets=[b.packet(19, b.walker_bones(told, wide))]) for n, told in enumerate(frames))
        )

    with opened(file(False), "ue4-0.9.15") as recording:
        assert not done(recording, "ue5-2026").losses
        assert saved(recording) == file(True)
        done(recording, "ue4-0.9.15")
        assert saved(recording) == file(False)


# --- floats ---------------------------------------------------------------------------------------------


ODD_32 = [0x7F800000, 0xFF800000, 0x7F800001, 0xFF800001, 0x7FC00000, 0xFFC00000, 0xFFC12345, 0x7FBFFFFF, 0xFFFFFFFF]


@given(st.lists(st.one_of(st.integers(0, 2**32 - 1), st.sampled_from(ODD_32)), min_size=1))
@settings(max_examples=examples(60))
def test_every_float_comes_back_from_a_double(bits: list[int]) -> None:
    floats = np.array(bits, np.uint32)
    back = narrowed(widened(floats))
    assert back.bits.tolist() == bits
    assert not back.rounded.any()
    assert not back.beyond.any()


@pytest.mark.parametrize(
    ("double", "single", "rounded", "beyond"),
    [
        (0x7FF0000000000000, 0x7F800000, False, False),
        (0xFFF8000000000000, 0xFFC00000, False, False),
        (0x7FF0000000000001, 0x7F800001, True, False),
        (0xFFF8000012345678, 0xFFC00000, True, False),
        (0x7FF4000020000000, 0x7FA00001, False, False),
        (0x8000000000000000, 0x80000000, False, False),
        (0x3FB999999999999A, 0x3DCCCCCD, True, False),
        (0x7E37E43C8800759C, 0x7F800000, False, True),
        (0xFE37E43C8800759C, 0xFF800000, False, True),
        (0x0000000000000001, 0x00000000, True, False),
    ],
)
def test_a_double_becomes_the_nearest_float(double: int, single: int, rounded: bool, beyond: bool) -> None:
    made = narrowed(np.array([double], np.uint64))
    assert (int(made.bits[0]), bool(made.rounded[0]), bool(made.beyond[0])) == (single, rounded, beyond)


def at(*places: float) -> bytes:
    records = [b.pose(7, b.xyz(*places))]
    return b.packet(6, b.position(records, wide=True))


def test_rounding_is_listed_and_no_loss() -> None:
    data = b.recording(b.frame(1, packets=[at(1.0)]), b.frame(2, packets=[at(0.1, 0.2)]))
    with opened(data, "ue5-2026") as recording:
        conversion = convert(recording, "ue4-2026")
        assert [(loss.kind, loss.count, loss.frame_index) for loss in conversion.losses] == [("rounded", 2, 1)]
        assert not conversion.is_lossy
        assert "Unreal 4 and 5" in conversion.warning


@pytest.mark.parametrize(
    ("actor", "target", "is_told"),
    [(24, "ue4-0.9.15", True), (24, "ue5-2026", True), (24, "ue4-0.9.14", False), (1, "ue4-0.9.15", False)],
)
def test_a_spectator_whose_positions_will_move_others_is_told(actor: int, target: str, is_told: bool) -> None:
    eye = b.packet(2, b.event_add([b.actor(actor, 0, "spectator", uid=0)]))
    for told in (b.packet(6, b.position([b.pose(actor)])), b.packet(6, b.position([]))):
        with opened(b.recording(b.frame(1, packets=[eye, told]), b.frame(2))) as recording:
            is_moved = is_told and len(told) > 7
            assert (f"The spectator is actor {actor}" in convert(recording, target).warning) is is_moved


def test_a_double_too_large_for_a_float_is_a_loss() -> None:
    with opened(b.recording(b.frame(1, packets=[at(1e300, -1e300)])), "ue5-2026") as recording:
        conversion = done(recording, "ue4-2026")
        assert [(loss.kind, loss.count) for loss in conversion.losses] == [("beyond", 2)]
        assert conversion.is_lossy
        assert recording[0].packets[1].records[0]["location"] == {"x": float("inf"), "y": -float("inf"), "z": 0.0}


# --- numbers of types -----------------------------------------------------------------------------------


def actors(*records: b.Record, version: int = 1, wide: bool = False) -> bytes:
    return b.recording(b.frame(1, packets=[b.packet(2, b.event_add(records, wide))]), version=version)


def types(recording: Recording) -> list[int]:
    return [record["type"] for record in recording[0].packets[1].records]


def test_sensors_and_signs_are_found_again_by_their_blueprint() -> None:
    told = [
        (5, "sensor.camera.rgb"),
        (4, "traffic.stop"),
        (3, "traffic.traffic_light"),
        (0, "static.prop.mesh"),
        (6, "x"),
    ]
    data = actors(*(b.actor(number, kind, name) for number, (kind, name) in enumerate(told)))
    wanted = {"ue4-0.9.10": [0, 4, 3, 0, 5], "ue4-0.9.4": [0, 0, 3, 0, 4], "ue4-0.9.6": [0, 4, 3, 0, 5]}
    for target, there in wanted.items():
        with opened(data, "ue4-0.9.12") as recording:
            assert not convert(recording, target, keep_blueprints=True).losses
            done(recording, target)
            assert types(recording) == there
            done(recording, "ue4-0.9.12")
            assert saved(recording) == data


def test_the_old_signs_of_0_9_6_stay_what_they_are() -> None:
    data = actors(b.actor(1, 0, "traffic.stop"), b.actor(2, 4, "traffic.stop"))
    with opened(data, "ue4-0.9.6") as recording:
        done(recording, "ue4-0.9.12")
        assert types(recording) == [0, 4]
        done(recording, "ue4-0.9.6")
        done(recording, "ue4-0.9.4")
        assert saved(recording) == data


@pytest.mark.parametrize(
    ("source", "kind", "target"),
    [("ue5-2026", 5, "ue4-0.9.15"), ("ue5-2026", 5, "ue4-2026"), ("ue4-2026", 0, "ue4-0.9.15")],
)
def test_an_attribute_of_no_known_type_becomes_text(source: str, kind: int, target: str) -> None:
    there = b.RELEASES[target]
    record = b.actor(1, attributes=[b.attribute(kind, "odd", "1")])
    with opened(actors(record, version=b.RELEASES[source].version, wide=b.RELEASES[source].wide), source) as recording:
        conversion = done(recording, target)
        assert [loss.kind for loss in conversion.losses] == ["attribute-type"]
        assert conversion.is_lossy
        wanted = actors(b.actor(1, attributes=[b.attribute(3 + there.shift, "odd", "1")]), version=there.version)
        assert saved(recording) == wanted


def test_the_stiffness_of_wheels_is_lost_only_where_it_says_something() -> None:
    wheels = [{**wheel, **STIFFNESS} for wheel in b.physics(True)["wheels"]]
    for record, kinds in ((b.physics(True), ["field"]), ({**b.physics(True), "wheels": wheels}, [])):
        data = b.recording(b.frame(1, packets=[b.packet(15, b.physics_control([record]))]))
        with opened(data, "ue4-0.9.12") as recording:
            conversion = done(recording, "ue4-0.9.10")
            assert [loss.kind for loss in conversion.losses] == kinds
            done(recording, "ue4-0.9.12")
            assert (saved(recording) == data) == (not kinds)


# --- packets of nobody's table, and what stands outside frames --------------------------------------------


@pytest.mark.parametrize("target", DIALECTS)
def test_packets_of_a_fork_are_carried_byte_for_byte(target: str) -> None:
    with opened(b.dreyevr(), "ue4-0.9.12") as recording:
        conversion = done(recording, target)
        assert not any(loss.kind == "id" for loss in conversion.losses)
        assert [loss.name for loss in conversion.losses if "DReyeVR" in loss.name or "Unknown" in loss.name] == []
        own = [packet for packet in recording[0].packets if packet.type.body == "opaque"]
        assert [(packet.id, packet.body) for packet in own] == [(one.id, one.body) for one in b.FOREIGN]
        assert own[0].name == "DReyeVRWeather"


def test_a_packet_whose_id_is_taken_in_the_target_is_left_out() -> None:
    sky = b.packet(21, b.weather(b.SKIES, dust=False))
    everyday = [sample.data for sample in b.samples("ue4-0.9.14")]
    with opened(b.recording(b.frame(1, packets=[*everyday, sky]), b.frame(2)), None) as recording:
        assert recording.dialect.name == "ue4-0.9.14"
        conversion = done(recording, "ue4-0.9.15")
        assert [(loss.kind, loss.name, loss.count) for loss in conversion.losses] == [("id", "DReyeVRWeather", 1)]
        assert conversion.is_lossy


def wheels(number: int) -> bytes:
    return b.packet(number, b.vehicle_wheels(b.WHEELS))


def test_packets_outside_frames_are_converted_and_junk_stays() -> None:
    junk = b"\xee" * 40

    def file(number: int) -> bytes:
        return b.recording(
            b.frame(1, 0.0, 0.05, [wheels(number)]),
            wheels(number),
            wheels(number),
            b.frame(2, 0.05, 0.05),
            junk,
            b.frame(3, 0.1),
        )

    with opened(file(21), MAPPING_A) as recording:
        rows = recording.snapshot.rows
        assert not done(recording, MAPPING_B).losses
        assert saved(recording) == file(22)
        assert recording.snapshot.rows == rows


@pytest.mark.parametrize("source", [MAPPING_A, "ue5-2026"])
def test_records_that_a_release_never_writes_are_left_out_and_listed(source: str) -> None:
    with opened(b.everything(source), source) as recording:
        conversion = done(recording, "ue5-0.10.0")
        lost = [(loss.kind, loss.name, loss.count) for loss in conversion.losses if loss.kind == "always-empty"]
        assert lost == [("always-empty", "AnimBiker", 2), ("always-empty", "AnimVehicleWheels", 3)]
        assert conversion.is_lossy
        assert "2 records of AnimBiker are left out: ue5-0.10.0 never fills it. First in frame 1." in conversion.remarks
        assert [loss for loss in convert_losses(source) if loss.kind == "always-empty"] == [
            loss for loss in conversion.losses if loss.kind == "always-empty"
        ]
        for frame in recording:
            for name in NEVER_FILLED["ue5-0.10.0"]:
                found = frame.packet(name)
                assert found is not None
                assert found.body == b.u16(0)


def convert_losses(source: str) -> Sequence[Loss]:
    with opened(b.everything(source), source) as recording:
        return preview(recording, "ue5-0.10.0", keep_blueprints=True).losses


def test_records_that_a_file_of_that_release_holds_all_the_same_are_converted_as_all_others() -> None:
    with opened(b.everything("ue5-0.10.0"), "ue5-0.10.0") as recording:
        before = saved(recording)
        assert not done(recording, "ue5-0.10.0").losses
        assert saved(recording) == before
        done(recording, "ue5-2026")
        for name, number in (("AnimBiker", 2), ("AnimVehicleWheels", 3)):
            found = recording[0].packet(name)
            assert found is not None
            assert len(found.decoded) == number


def test_packets_outside_frames_that_are_left_out_leave_no_row_behind() -> None:
    first, second = b.frame(1, 0.0, 0.05, [wheels(21)]), b.frame(2, 0.05, -1.0, [wheels(21)])
    data = b.recording(first, wheels(21), second, wheels(21))
    with opened(data, MAPPING_A) as recording:
        rows = recording.snapshot.rows
        conversion = done(recording, "ue4-0.9.14")
        assert saved(recording) == b.recording(b.frame(1, 0.0, 0.05), b.frame(2, 0.05, -1.0))
        assert recording.snapshot.rows == rows - 2
        assert [(loss.name, loss.count, loss.frame_index) for loss in conversion.losses] == [
            ("AnimVehicleWheels", 4 * len(b.WHEELS), 0)
        ]
        recording.undo()
        assert saved(recording) == data
        assert recording.snapshot.rows == rows


def test_a_body_that_cannot_be_read_whole_is_listed_and_keeps_its_end() -> None:
    poses = [b.pose(1, b.xyz(1.0)), b.pose(2, b.xyz(2.0))]
    body = b.position(poses)
    torn = b.recording(b.frame(1, packets=[b.packet(6, body[:-3])]), b.frame(2, packets=[b.packet(6, b"\x01")]))
    with opened(torn, "ue4-0.9.15") as recording:
        conversion = done(recording, "ue5-2026")
        assert [(loss.kind, loss.name, loss.count) for loss in conversion.losses] == [("unreadable", "Position", 2)]
        wide = b.u16(2) + b.position(poses[:1], wide=True)[2:] + body[2 + 28 : -3]
        first, second = recording[0].packets[1], recording[1].packets[1]
        assert (first.body, second.body) == (wide, b"\x01")


def test_an_open_frame_is_converted_without_anything_added() -> None:
    data = b.recording(b.frame_start(1), wheels(21), b.frame(2))
    with opened(data, MAPPING_A) as recording:
        done(recording, MAPPING_B)
        assert saved(recording) == b.recording(b.frame_start(1), wheels(22), b.frame(2))


# --- the edit -------------------------------------------------------------------------------------------


def test_the_document_is_read_in_the_new_dialect_until_it_is_undone() -> None:
    with opened(b.everything(MAPPING_A), None) as recording:
        before = recording.detection
        change = recording.apply(convert(recording, MAPPING_B).edit)
        assert change.dialect
        assert recording.detection.forced
        assert recording.detection.dialect.name == MAPPING_B
        assert recording.history.steps[-1].label == "Convert to ue4-doors"
        undone = recording.undo()
        assert undone is not None
        assert undone.dialect
        assert recording.detection is before
        recording.redo()
        assert recording.dialect.name == MAPPING_B
        assert recording[0].packet("AnimVehicleWheels") is not None


def test_what_the_bytes_show_is_the_new_dialect() -> None:
    with opened(b.everything("ue4-2026"), None) as recording:
        done(recording, "ue4-0.9.14")
        recording.decode_as(None)
        assert recording.dialect.name == "ue4-0.9.14"


def test_the_file_header_gets_the_version_of_the_release() -> None:
    with opened(b.everything("ue4-0.9.15"), None) as recording:
        assert done(recording, "ue4-0.9.16").edit.header is not None
        assert recording.header is not None
        assert recording.header.version == 2
        recording.undo()
        assert recording.header.version == 1


@pytest.mark.sampled
@pytest.mark.parametrize(("source", "target"), TO_OTHERS)
def test_what_is_foreseen_is_what_happens(monkeypatch: pytest.MonkeyPatch, source: str, target: str) -> None:
    with opened(b.everything(source), source) as recording:
        with monkeypatch.context() as nothing_is_written:
            nothing_is_written.delattr(Store, "append")
            foreseen = preview(recording, target).losses
        assert foreseen == convert(recording, target).losses


def test_a_recording_without_a_header_is_converted_where_its_version_does_not_matter() -> None:
    with opened(b.frame(1, packets=[wheels(21)]) + b.frame(2), MAPPING_A) as recording:
        assert recording.header is None
        with pytest.raises(EditError, match="readable header"):
            convert(recording, "ue4-0.9.16")
        done(recording, MAPPING_B)


def test_a_name_that_is_none_is_refused() -> None:
    with opened(b.drive(2)) as recording, pytest.raises(EditError, match=r"no dialect 0\.9\.99"):
        convert(recording, "0.9.99")


def test_the_number_of_a_release_stands_for_its_dialect() -> None:
    with opened(b.drive(2)) as recording:
        assert convert(recording, "0.9.13").edit.detection == convert(recording, "ue4-0.9.12").edit.detection


def test_a_conversion_can_be_stopped() -> None:
    with opened(b.drive(3)) as recording:
        for call in (convert, preview):
            with pytest.raises(Cancelled):
                call(recording, "ue5-2026", progress=Progress(is_cancelled=lambda: True))
        assert saved(recording) == b.drive(3)


def test_progress_ends_with_everything() -> None:
    reports: list[tuple[int, int]] = []
    with opened(b.drive(30)) as recording:
        convert(recording, "ue5-2026", progress=Progress(lambda now, total: reports.append((now, total))))
        assert reports[-1][0] == reports[-1][1]
        preview(recording, "ue5-2026", progress=Progress(lambda now, total: reports.append((now, total))))
        assert reports[-1][0] == reports[-1][1]


def test_a_body_too_large_to_be_converted_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(convert.__globals__, "LARGEST_BODY", 100)
    data = b.recording(b.frame(1), b.frame(2, 0.5, 0.5, [b.packet(2, b.event_add([b.actor(7), b.actor(8)]))]))
    with opened(data) as recording, pytest.raises(EditError, match=r"EventAdd of frame 2 takes .* at most 100"):
        convert(recording, "ue5-0.10.0")
