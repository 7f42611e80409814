"""Files of packets of users: what they may hold, what is said of faults, and which recording gets which packets."""

import json
import struct
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recorder_editor
from recorder_editor.format import DIALECTS, decode, encode_record
from recorder_editor.format.detection import Detection, Sample, detect
from recorder_editor.format.packet_files import (
    LARGEST_FILE,
    PacketFile,
    PacketFileError,
    claimed_twice,
    describe,
    entries_of,
    like,
    parse_packet_file,
    with_entries,
    with_packets,
)
from recorder_editor.recording.packet_search import own_packet_files

from ..real_recordings import DAMAGED, SOUND

OLD = DIALECTS["ue4-0.9.12"]
WIDE = DIALECTS["ue5-2026"]

GAZE: Mapping[str, Any] = {
    "id": 150,
    "name": "Gaze",
    "meaning": "Where a driver looks",
    "lifetime": "lasting",
    "rays": [{"origin": "eye", "direction": "look", "rotation": "head"}],
    "members": [
        ["id", "actor", "The driver"],
        ["eye", "vector", "The eye, world", "cm", {"world": "place"}],
        ["look", "vector", "The direction, in the axes of the head"],
        ["head", "rotator", "The head, world", {"world": "rotation"}],
        ["mood", "u8", "The mood", {"choices": "moods", "default": 1}],
        ["target", "str", "What is looked at"],
        {"path": "blinks", "count": "u16", "element": "blink", "meaning": "Blinks", "members": [
            ["length", "f32", "Length", "s"]]},
    ],
}  # fmt: skip


def file_of(*packets: Mapping[str, Any], name: str = "own.packets.json", **more: Any) -> PacketFile:
    content = {"choices": {"moods": ["calm", "angry"]}, "packets": list(packets), **more}
    return parse_packet_file(json.dumps(content).encode(), Path(name))


def faults(content: object) -> tuple[str, ...]:
    text = content if isinstance(content, bytes) else json.dumps(content, indent=1).encode()
    with pytest.raises(PacketFileError) as caught:
        parse_packet_file(text, Path("own.packets.json"))
    return caught.value.faults


OWN = {"id": 150, "name": "Own", "members": [["x", "u8", "m"]]}


def packet(*members: object, **more: object) -> dict[str, object]:
    return {"packets": [{"id": 150, "name": "Gaze", "members": list(members), **more}]}


def array(path: str, *members: object, count: str = "u16") -> dict[str, object]:
    return {"path": path, "count": count, "element": "e", "meaning": "m", "members": list(members)}


# --- what a file makes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dialect", "real"), [(OLD, "f"), (WIDE, "d")])
def test_its_packets_are_read_and_written_as_the_engine_writes_vectors(dialect: Any, real: str) -> None:
    kind = dialect.described_by(file_of(GAZE))[150]
    record = struct.pack(f"<I9{real}B", 7, 1, 2, 3, 0, 1, 0, 10, 20, 30, 1)
    record += struct.pack("<H3sHf", 3, b"car", 1, 0.5)
    body = decode(kind, struct.pack("<H", 1) + record)
    assert body.damage is None
    (values,) = body.records()
    assert values["head"] == {"pitch": 10.0, "roll": 20.0, "yaw": 30.0}
    assert values["target"] == "car"
    assert values["blinks"] == [{"length": 0.5}]
    assert encode_record(kind.record, values) == record
    assert kind.record.fields["mood"].choices == {0: "calm", 1: "angry"}
    assert kind.record.default_record()["mood"] == 1
    assert kind.key == ("id",)
    assert kind.lifetime == "lasting"
    assert kind.rays[0].direction == "look"


def test_the_same_content_gives_the_same_packet_types() -> None:
    one = file_of(GAZE)
    other = file_of(GAZE, name="other.packets.json")
    assert one == other
    assert OLD.described_by(one)[150] is OLD.described_by(other)[150]
    assert OLD.described_by(one)[150] is not WIDE.described_by(one)[150]


def test_members_since_and_until_a_release_are_there_in_these() -> None:
    members = [
        ["x", "u8", "m"],
        ["old", "u8", "m", {"until": "ue4-0.9.12"}],
        ["new", "u16", "m", {"since": "ue4-0.9.14"}],
    ]
    file = file_of({"id": 150, "name": "Gaze", "members": members})
    assert list(OLD.described_by(file)[150].record.fields) == ["x", "old"]
    assert list(DIALECTS["ue4-2026"].described_by(file)[150].record.fields) == ["x", "new"]


def test_keys_and_rays_have_no_members_that_a_release_lacks() -> None:
    newer = {"since": "ue4-0.9.14"}
    members = [["id", "actor", "m"], ["part", "u8", "m", newer], ["eye", "vector", "m"], ["look", "vector", "m", newer]]
    rays = [{"origin": "eye", "direction": "look"}, {"origin": "eye", "direction": "eye", "valid": "part"}]
    file = file_of({"id": 150, "name": "Gaze", "key": ["id", "part"], "rays": rays, "members": members})
    old = OLD.described_by(file)[150]
    assert (old.key, old.keyed, old.rays) == (("id",), "actor", ())
    new = DIALECTS["ue4-2026"].described_by(file)[150]
    assert (new.key, len(new.rays)) == (("id", "part"), 2)


def test_packets_stand_before_the_end_of_a_frame_behind_those_of_carla() -> None:
    dialect = with_packets(OLD, [file_of(GAZE)], [150])
    order = dialect.order
    assert order[-2:] == (150, 1)


# --- which packets a recording gets ---------------------------------------------------------------------------


def shown(files: list[PacketFile], bodies: Mapping[int, list[bytes]], version: int = 1) -> Detection:
    sample = Sample([[0, *bodies, 1]], bodies)
    return describe(detect(version, sample), version, sample, files, own_packet_files())


def test_the_first_file_that_has_an_id_counts_and_the_other_is_told() -> None:
    first = file_of(GAZE, name="a.packets.json")
    second = file_of({"id": [150, 151], "name": "Other", "members": [["x", "u8", "m"]]}, name="b.packets.json")
    dialect = shown([first, second], {}).dialect
    assert dialect.packet(150).name == "Gaze"
    assert dialect.packet(151).name == "Other"
    assert list(claimed_twice([first, second, first])) == [
        "a.packets.json and b.packets.json both describe packet 150; that of a.packets.json is used."
    ]


def test_an_id_of_carla_holds_for_the_versions_of_the_header_that_the_file_names() -> None:
    file = file_of({"id": 24, "name": "Mine", "members": [["x", "u8", "m"]]}, header_versions=[1])
    assert shown([file], {}, 1).dialect.packet(24).name == "Mine"
    assert shown([file], {}, 2).dialect.packet(24).name != "Mine"


@pytest.mark.parametrize("is_turned", [False, True])
def test_of_two_files_with_an_id_of_carla_the_one_for_the_header_holds(is_turned: bool) -> None:
    files = [
        file_of({"id": 24, "name": name, "members": [["x", "u8", "m"]]}, header_versions=[version], name=f"{name}.json")
        for version, name in ((1, "Old"), (2, "New"))
    ]
    if is_turned:
        files.reverse()
    for version, name in ((1, "Old"), (2, "New")):
        dialect = shown(files, {}, version).dialect
        assert dialect.packet(24).name == name
        again = with_entries(dialect, json.loads(json.dumps(entries_of(dialect))))
        assert again.packet(24).name == name


def test_an_id_of_carla_holds_for_a_fork_where_its_bodies_fit_and_those_of_carla_do_not() -> None:
    file = file_of({"id": 10, "name": "Mine", "members": [["x", "u8", "m"]]}, fork="Own")
    assert shown([file], {10: [b"\1\0\7"]}).dialect.packet(10).name == "Mine"
    assert shown([file], {10: [struct.pack("<HIf", 1, 7, 1.0)]}).dialect.packet(10).name == "VehicleLight"


@pytest.mark.parametrize("number", [18, 21])
def test_packets_of_dreyevr_are_known_by_their_form(number: int) -> None:
    weather = struct.pack("<H13f", 1, *range(13))
    config = b"\1\0\3\0a=b"
    dialect = shown([], {number: [weather], 141: [config]}).dialect
    assert dialect.packet(number).name == "DReyeVRWeather"
    assert decode(dialect.packet(number), weather).records()[0]["wetness"] == 9.0
    assert decode(dialect.packet(141), config).records() == [{"text": "a=b"}]
    assert shown([], {141: [b"\1\0\xff"]}).dialect.packet(141).body == "opaque"


def test_each_packet_has_a_name_of_its_own() -> None:
    file = file_of({"id": [150, 151], "name": "Own", "members": [["x", "u8", "m"]]})
    dialect = shown([file], {}).dialect
    assert [dialect.packet(number).name for number in (150, 151)] == ["Own", "Own_151"]
    weather = struct.pack("<H13f", 1, *range(13))
    dialect = shown([], {21: [weather], 141: [b"\1\0\3\0a=b"]}).dialect
    assert dialect.by_name("DReyeVRWeather") is dialect.packet(21)


def test_a_dialect_takes_over_packets_where_it_has_none_of_its_own() -> None:
    file = file_of(GAZE, {"id": 24, "name": "Mine", "members": [["x", "u8", "m"]]}, header_versions=[1])
    dialect = like(DIALECTS["ue4-2026"], with_packets(OLD, [file], [24, 150]))
    assert dialect.packet(150).name == "Gaze"
    assert dialect.packet(24).name == "Weather"


def test_what_stands_in_a_dump_gives_the_same_packets_again() -> None:
    dialect = with_packets(OLD, [file_of(GAZE)], [150])
    again = with_entries(OLD, json.loads(json.dumps(entries_of(dialect))))
    assert again.packet(150).record.layout == dialect.packet(150).record.layout
    assert again.described == {150}


@pytest.mark.parametrize(
    "entries",
    [[], {"ids": 3, "files": []}, {"ids": [1], "files": [3]}, {"ids": [150], "files": [{"name": "a", "content": []}]}],
)
def test_what_stands_in_a_dump_is_checked(entries: object) -> None:
    with pytest.raises(PacketFileError):
        with_entries(OLD, entries)


# --- faults -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "This is not JSON"),
        (b"\xff", "not UTF-8"),
        (b"[" * 100_000, "nested too deep"),
        (b" " * (LARGEST_FILE + 1), "larger than 1,048,576 bytes"),
        ([], "it holds no object with “packets”"),
        ({}, "“packets” is not a list"),
        ({"packets": [3]}, "3 is not a packet"),
        ({"packets": [], "import": "os"}, "“import” means nothing here"),
        (packet(["x", "u8", "m"], id=300), "300 is not an id"),
        (packet(["x", "u8", "m", {"choices": None}]), "there are no choices null in this file"),
        (packet(["x", "u8", "m", {"flags": None}]), "there are no flags null in this file"),
        (packet(["x", "u8", "m"], id=True), "true is not an id"),
        (packet(["x", "u8", "m"], id=[]), "the packet has no id"),
        (packet(["x", "u8", "m"], id=6), "6 is an id of CARLA's own"),
        (packet(["x", "u8", "m"], name="__class__"), "is not a name of a packet"),
        (packet(["x", "u8", "m"], name="Position"), "Position is a packet of CARLA"),
        (packet(["x", "u8", "m"], lifetime="structural"), "is no lifetime"),
        (packet(["x", "u8", "m"], body="opaque"), "is no body"),
        (packet(["x", "u8", "m"], key=["y"]), "“y” cannot be in the key"),
        (packet(["x", "str", "m"], key=["x"]), "“x” cannot be in the key"),
        (packet(["x", "u8", "m"], motion=True), "“motion” is for a list with one record for each actor"),
        (packet(["x", "u8", "m"], rays=[{"origin": "x", "direction": "x"}]), "origin of a ray is not a vector"),
        (
            packet(["x", "vector", "m"], rays=[{"origin": "x", "direction": "x", "colour": "red"}]),
            "“colour” means nothing here",
        ),
        (packet(), "“members” is not a list of members"),
        (packet(["x", "u8", "m", {"since": "ue4-0.9.12"}], body="single"), "neither “since” nor “until”"),
        (packet(["y", "u8", "m"], array("a", ["x", "u8", "m", {"until": "ue5-2026"}])), "neither “since” nor “until”"),
        (packet(["x", "str", "m"], body="single"), "a single record has no texts and arrays"),
        (packet(array("x", ["x", "u8", "m"]), body="single"), "a single record has no texts and arrays"),
        (packet(["x", "u8"]), "a member has a path, a type, a meaning"),
        (packet(["X", "u8", "m"]), "is not a path of a member"),
        (packet(["a.b.c", "u8", "m"]), "is not a path of a member"),
        (packet(["x", "u128", "m"]), "is not a type"),
        (packet(["x", "bytes65", "m"]), "is not a type"),
        (packet(["x", "u8", "m\n"]), "not a text of one line"),
        (packet(["x", "u8", "m", "u" * 201]), "not a text of one line"),
        (packet(["x", "u8", "m", 3]), "3 is neither a unit nor options"),
        (packet(["x", "u8", "m", {"eval": "1"}]), "“eval” means nothing here"),
        (packet(["x", "u8", "m"], ["x", "u8", "m"]), "“x” is there already"),
        (packet(["x", "vector", "m"], ["x", "u8", "m"]), "“x” is there already"),
        (packet(["a.x", "str", "m"]), "has a dot, which only numbers may have"),
        (packet(["s", "str", "m"], ["id", "actor", "m"]), "an actor is an u32"),
        (packet(["x", "f32", "m", {"choices": "doors"}]), "only whole numbers have “choices”"),
        (packet(["x", "u8", "m", {"choices": "none"}]), 'there are no choices "none" in this file'),
        (packet(["x", "u8", "m", {"default": 256}]), "the default 256 does not fit u8"),
        (packet(["x", "u8", "m", {"every": -1}]), "“every” is not a value"),
        (packet(["x", "u8", "m", {"world": "place"}]), "“world” is for a vector"),
        (packet(["x", "u8", "m", {"since": "1.0"}]), "“since” names no dialect"),
        (packet(["x", "u8", "m", {"since": []}]), "“since” names no dialect"),
        (packet(["x", "u8", "m", {"until": {}}]), "“until” names no dialect"),
        (packet(array("a", ["x", "u8", "m"], count="u8")), "the count of a is not u16 or u32"),
        (packet(array("a.b", ["x", "u8", "m"])), "is not a name of an array"),
        (packet(*([f"x{n}", "u8", "m"] for n in range(401))), "a packet has at most 400 members"),
        ({"packets": [OWN, OWN]}, "packet 150 is described twice"),
        ({"packets": [{}] * 101}, "there are more than 100 packets"),
        ({"packets": [{}], "flags": {"f": ["a"] * 70}}, "there is no bit 64"),
        ({"packets": [{}], "choices": {"doors": ["a"]}}, "“doors” is taken already"),
        ({"packets": [{}], "header_versions": ["1"]}, "is not a list of whole numbers"),
    ],
)  # fmt: skip
def test_each_fault_is_a_sentence_with_file_and_place(content: object, fault: str) -> None:
    told = faults(content)
    assert any(fault in sentence for sentence in told), told
    assert all(sentence.startswith("own.packets.json") and sentence.endswith(".") for sentence in told)
    assert len(told) <= 20


def test_a_fault_names_its_line() -> None:
    text = b'{"packets": [\n{"id": 150, "name": "A",\n"members": [\n["x", "u8", "m"],\n["y", "u9", "m"]]}]}'
    assert faults(text)[0].startswith('own.packets.json, line 5: "u9" is not a type')


def test_brackets_and_lines_in_texts_begin_nothing() -> None:
    text = rb"""{"source": "[{\" \\", "packets": [
{"id": 150, "name": "A", "meaning": "a [ \" {", "members": [["x", "u8", "]"],

["y", "u9", "m"]]}]}"""
    assert faults(text)[0].startswith('own.packets.json, line 4: "u9" is not a type')


def test_arrays_are_nested_so_deep_and_no_deeper() -> None:
    members: list[object] = [["x", "u8", "m"]]
    for _ in range(4):
        members = [array("a", *members)]
    kind = OLD.described_by(parse_packet_file(json.dumps(packet(*members)).encode(), Path("x")))[150]
    assert kind.record.size is None
    assert "nested more than 4 deep" in faults(packet(array("a", *members)))[0]


WORDS = ("u8", "actor", "vector", "str", "id", "x", "bytes3", "list", "lasting", "moods")
NAMES = ("packets", "id", "name", "members", "path", "count", "element", "meaning", "key", "choices", "rays", "body")
SIMPLE = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8)
JSON = st.recursive(
    SIMPLE | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=4), inner, max_size=6)
    ),
    max_leaves=40,
)


@given(JSON)
def test_whatever_json_holds_is_packets_or_faults(value: object) -> None:
    with suppress(PacketFileError):
        file = parse_packet_file(json.dumps(value).encode(), Path("own.packets.json"))
        for dialect in (OLD, WIDE):
            for kind in dialect.described_by(file).values():
                assert decode(kind, b"\xff" * 100).data == b"\xff" * 100


@given(st.binary(max_size=200))
def test_a_body_of_anything_gives_its_records_and_the_rest(data: bytes) -> None:
    kind = OLD.described_by(file_of(GAZE))[150]
    body = decode(kind, data)
    assert body.data == data
    if body.damage is not None:
        assert 0 <= body.damage.offset <= len(data)


# --- real ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SOUND, DAMAGED])
def test_no_recording_of_carla_is_taken_for_that_of_a_fork(recordings: Path, name: str) -> None:
    with recorder_editor.open(recordings / name) as recording:
        assert recording.dialect.described == frozenset()
