"""Grammars with packets of users: they read what the files describe as the program does, and nothing injects code."""

import json
import random
import re
import struct
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from kaitaistruct import KaitaiStream

from recorder_editor.format.codec import decode
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.format.packet_file import PacketFile
from recorder_editor.format.packet_files import parse_packet_file, read_packet_file
from recorder_editor.format.schema import Array, PacketType, Struct
from recorder_editor.formats.grammars import GRAMMARS, grammar_lines
from recorder_editor.resources import path
from tests import builders, forks
from tests.builders import exactly
from tests.recording import naive

from .hexpat import Pattern
from .kaitai import compiled
from .test_grammars import pattern_values, plain, snake, values

GUIDE = re.findall(r"```json\n(.*?)```", path("guide/own-packets.md").read_text(encoding="utf-8"), re.DOTALL)
DREYEVR = path("packets/dreyevr.packets.json")
NAMES = list(DIALECTS)


class Grammars:
    """Both grammars with files, made once for all recordings that are read by them."""

    def __init__(self, folder: Path, *files: PacketFile) -> None:
        self.kaitai = compiled("\n".join(grammar_lines(".ksy", files)), folder)
        self.hexpat = folder / "own.hexpat"
        self.hexpat.write_text("\n".join(grammar_lines(".hexpat", files)), encoding="utf-8")

    def packets(self, data: bytes, dialect: str, *of_fork: int) -> tuple[list[Any], list[Any]]:
        """The packets of a recording by Kaitai's reader and by the pattern."""
        reader = self.kaitai.CarlaRecorder
        recording = reader(reader.Dialect[snake(dialect)], *of_fork, KaitaiStream(BytesIO(data)))
        inputs = dict(zip(["of_fork"], of_fork, strict=False))
        pattern = Pattern(self.hexpat, data, dialect=NAMES.index(dialect) + 1, **inputs)
        return recording.packets, pattern.names["packets"]

    def agree(self, data: bytes, dialect: str, kinds: dict[int, PacketType], *of_fork: int) -> None:
        """Both read the packets of these ids as the program does."""
        bodies = [(each.id, each.body) for each in naive.packets(data)]
        by_kaitai, by_pattern = self.packets(data, dialect, *of_fork)
        assert len(bodies) == len(by_kaitai) == len(by_pattern)
        for one, other, (number, body) in zip(by_kaitai, by_pattern, bodies, strict=True):
            if number in kinds:
                records = list(decode(kinds[number], body))
                assert values(one, records) == exactly(records)
                assert pattern_values(other, records) == exactly(records)


def file_of(packets: object, name: str = "own.packets.json", **others: object) -> PacketFile:
    return parse_packet_file(json.dumps({"packets": packets, **others}).encode(), Path(name))


def own(members: Sequence[object], **others: object) -> dict[str, object]:
    return {"id": 150, "name": "Own", "members": members, **others}


def bytes_of(record: Struct, chance: random.Random) -> bytes:
    """A record of bytes that a seed draws."""
    parts = []
    for member in record.members:
        if isinstance(member, Array):
            elements = [bytes_of(member.element, chance) for _ in range(chance.randrange(3))]
            parts.append(len(elements).to_bytes(2 if member.count == "u16" else 4, "little") + b"".join(elements))
        elif member.type == "str":
            parts.append(chance.choice([b"\0\0", b"\1\0x", b"\2\0\xc3\xa9"]))
        elif member.type == "bool":
            parts.append(bytes([chance.randrange(2)]))
        elif member.type in ("f32", "f64"):
            parts.append(struct.pack("<f" if member.type == "f32" else "<d", chance.uniform(-9, 9)))
        else:
            parts.append(chance.randbytes(member.width or 0))
    return b"".join(parts)


def recordings(file: PacketFile) -> Iterator[tuple[str, bytes]]:
    """For each dialect a recording of packets of a file."""
    chance = random.Random(7)
    for name, dialect in DIALECTS.items():
        packets = []
        for number, kind in dialect.described_by(file).items():
            if number < 100:  # another packet in some dialects
                continue
            for count in (0, 1, 3):
                body = b"".join(bytes_of(kind.record, chance) for _ in range(count))
                if kind.body == "list":
                    packets.append(builders.packet(number, struct.pack("<H", count) + body))
                elif count == 1:
                    packets.append(builders.packet(number, body))
        yield name, builders.recording(*packets)


def agree_everywhere(folder: Path, file: PacketFile) -> Grammars:
    """Both grammars with a file read all its packets in all dialects as the program does."""
    grammars = Grammars(folder, file)
    for dialect, data in recordings(file):
        grammars.agree(data, dialect, dict(DIALECTS[dialect].described_by(file)))
    return grammars


# --- what files describe ---------------------------------------------------------------------------------------


def test_the_example_of_the_guide_has_its_values_and_names(tmp_path: Path) -> None:
    file = parse_packet_file(GUIDE[1].encode(), Path("gaze.packets.json"))
    grammars = agree_everywhere(tmp_path, file)
    record = struct.pack("<I10f2BH5sH2f", 7, *range(9), 0.5, 1, 2, 5, b"gaze!", 2, 0.25, 0.5)
    data = builders.recording(builders.packet(150, struct.pack("<H", 1) + record))
    (packet,), (by_pattern,) = grammars.packets(data, "ue4-0.9.15")
    assert packet.kind.name == "driver_gaze"
    (gaze,) = packet.body.records
    assert (gaze.id, gaze.look.z, gaze.mood.name, gaze.target.value) == (7, 8.0, "angry", "gaze!")
    assert (gaze.warned_sound, gaze.warned_light) == (False, True)
    assert [blink.length for blink in gaze.blinks] == [0.25, 0.5]
    assert [blink.length for blink in by_pattern.body.records[0].blinks] == [0.25, 0.5]


def test_members_of_some_dialects_are_read_in_those_alone(tmp_path: Path) -> None:
    since, until = {"since": "ue4-0.9.12"}, {"until": "ue4-0.9.14"}
    members = [
        ["always", "u8", "Always"],
        ["text", "str", "A text", since],
        ["old", "vector", "A vector", until],
        ["wide", "vector", "A vector of Unreal 5", {"since": "ue5-0.10.0"}],
        ["pupil.x", "f32", "X", since],
        ["pupil.y", "u16", "Y"],
        ["eye.left", "u8", "Left", since],
        ["eye.right", "u8", "Right", since],
        {
            "path": "rows", "count": "u32", "element": "row", "meaning": "Rows", **since,
            "members": [
                ["height", "u8", "Height"],
                ["name", "str", "Name", {"until": "ue4-0.9.15"}],
                ["place", "rotation", "A rotation", {"since": "ue4-2026"}],
                {
                    "path": "cells", "count": "u16", "element": "cell", "meaning": "Cells", **until,
                    "members": [["value", "i32", "Value"], ["late", "f64", "Late", since]],
                },
            ],
        },
        {
            "path": "never", "count": "u16", "element": "cell", "meaning": "In no dialect",
            "since": "ue4-2026", "until": "ue4-0.9.4", "members": [["value", "vector", "Value"]],
        },
    ]  # fmt: skip
    single = {"id": 151, "name": "Single", "body": "single", "members": [["a", "u8", "A"], ["b", "vector", "B", since]]}
    agree_everywhere(tmp_path, file_of([own(members), single]))


def test_an_array_is_read_where_optional_texts_are_missing(tmp_path: Path) -> None:
    """The pattern asks for room for the smallest elements: those without the text."""
    members = [["a", "u8", "A"], ["text", "str", "A text", {"since": "ue4-2026"}]]
    array = {"path": "rows", "count": "u16", "element": "row", "meaning": "Rows", "members": members}
    grammars = Grammars(tmp_path, file_of([own([array])]))
    data = builders.recording(builders.packet(150, b"\1\0\3\0abc"))
    (packet,), (by_pattern,) = grammars.packets(data, "ue4-0.9.12")
    assert [row.a for row in packet.body.records[0].rows] == [*b"abc"]
    assert [row.a for row in by_pattern.body.records[0].rows] == [*b"abc"]


def test_arrays_within_arrays_are_read(tmp_path: Path) -> None:
    members: list[object] = [["depth", "u8", "Depth"], ["text", "str", "Text"]]
    for depth in range(4):
        array = {"path": f"inner_{depth}", "count": "u16", "element": "inner", "meaning": "More", "members": members}
        members = [["before", "i16", "Before"], array, ["behind", "rotator", "Behind"]]
    agree_everywhere(tmp_path, file_of([own(members)]))


def test_flags_with_gaps_and_those_that_a_type_has_no_bit_for(tmp_path: Path) -> None:
    flags = {"f": {"1": "first", "4": "second", "7": "last", "40": "high"}}
    types = ["u8", "u16", "u64", "i8", "bool"]
    members = [[f"m_{kind}", kind, "Flags", {"flags": "f"}] for kind in types]
    file = file_of([own(members)], flags=flags)
    grammars = agree_everywhere(tmp_path, file)
    record = struct.pack("<BHQBB", 0x90, 2, 1 << 40, 0x82, 0)
    data = builders.recording(builders.packet(150, b"\1\0" + record))
    (read,) = grammars.packets(data, "ue4-0.9.12")[0][0].body.records
    assert [read.m_u8_first, read.m_u8_second, read.m_u8_last] == [False, True, True]
    assert [read.m_u16_first, read.m_u64_high, read.m_i8_last] == [True, True, True]
    assert not hasattr(read, "m_u8_high")
    lines = "\n".join(grammar_lines(".hexpat", [file]))
    assert "bitfield F {\n    padding : 1;\n    First : 1;\n    padding : 2;\n    Second : 1;\n" in lines
    assert "    Last : 1;\n    padding : 32;\n    High : 1;\n    padding : 23;\n};" in lines


def test_choices_keep_their_numbers_and_those_of_carla_their_release(tmp_path: Path) -> None:
    choices = {"moods": {"-1": "bad", "3": "good", "200": "good", "9999999999999999999": "huge"}}
    members = [
        ["a", "i8", "A", {"choices": "moods"}],
        ["b", "u64", "B", {"choices": "moods"}],
        ["c", "u8", "C", {"choices": "actor types 0.9.8"}],
        ["d", "u8", "D", {"choices": "doors"}],
    ]
    grammars = agree_everywhere(tmp_path, file_of([own(members)], choices=choices))
    body = b"\1\0" + struct.pack("<bQBB", -1, 200, 3, 5)
    (read,) = grammars.packets(builders.recording(builders.packet(150, body)), "ue4-2026")[0][0].body.records
    enums = grammars.kaitai.CarlaRecorder
    assert (read.a, read.b) == (enums.Moods.bad, enums.Moods.good_2)
    record = DIALECTS["ue4-0.9.4"].described_by(file_of([own(members)], choices=choices))[150].record
    assert read.c.name == snake((record.fields["c"].choices or {})[3])
    assert read.d.name == snake((record.fields["d"].choices or {})[5])


# --- ids that others use ---------------------------------------------------------------------------------------


def test_packets_of_a_fork_are_read_with_its_file(tmp_path: Path) -> None:
    file = read_packet_file(DREYEVR)
    grammars = Grammars(tmp_path, file)
    for dialect, data in recordings(file):
        grammars.agree(data, dialect, dict(DIALECTS[dialect].described_by(file)), 0)
    weather = [builders.packet(18, forks.sky(10.0)), builders.packet(21, forks.sky(30.0))]
    kinds = dict(DIALECTS["ue4-0.9.12"].described_by(file))
    grammars.agree(builders.recording(*weather), "ue4-0.9.12", kinds, 0)


def test_an_id_of_carla_is_that_of_a_fork_where_it_is_free_or_where_that_is_said(tmp_path: Path) -> None:
    grammars = Grammars(tmp_path, read_packet_file(DREYEVR))
    weather = builders.packet(21, forks.sky(30.0))
    for dialect, of_fork, name in (
        ("ue4-0.9.14", 0, "d_reye_vr_weather"),
        ("ue4-0.9.15", 0, "anim_vehicle_wheels"),
        ("ue4-0.9.15", 1, "d_reye_vr_weather"),
    ):
        (packet,), (by_pattern,) = grammars.packets(builders.recording(weather), dialect, of_fork)
        assert packet.kind.name == name
        assert hasattr(by_pattern.body.records[0], "cloudiness") == (name == "d_reye_vr_weather")
    assert packet.body.records[0].cloudiness == by_pattern.body.records[0].cloudiness == 30.0


def test_an_id_of_carla_holds_with_the_versions_of_the_header_that_a_file_names(tmp_path: Path) -> None:
    first = file_of([{"id": [18, 150], "name": "Own", "members": [["a", "u8", "A"]]}], header_versions=[2])
    second = file_of([{"id": 18, "name": "Own", "members": [["b", "u16", "B"]]}], "b.json", header_versions=[3])
    grammars = Grammars(tmp_path, first, second)
    packets = [builders.packet(18, b"\1\0ab______"), builders.packet(150, b"\1\0a")]
    kinds = {}
    for version in (1, 2, 3):
        data = builders.recording(*packets, version=version)
        by_kaitai, by_pattern = grammars.packets(data, "ue4-0.9.16")
        kinds[version] = [packet.kind.name for packet in by_kaitai]
        if version > 1:
            assert vars(by_pattern[0].body.records[0]) == [{"a": 97}, {"b": 25185}][version - 2]
        assert by_pattern[1].body.records[0].a == 97
    assert kinds == {1: ["frame_counter", "own"], 2: ["own", "own"], 3: ["own_2", "own"]}


def test_the_first_file_counts_that_has_an_id() -> None:
    files = [file_of([own([["a", "u8", "A"]])]), file_of([own([["b", "u8", "B"]])])]
    text = "\n".join(grammar_lines(".hexpat", files))
    assert (text.count("struct Own_body"), "u8 a [[" in text, "u8 b [[" in text) == (1, True, False)


# --- hostile files ---------------------------------------------------------------------------------------------

EVIL = [
    '"""; raise SystemExit #',
    '")]]; evil x; [[comment("',
    "*/ evil /*",
    "ends with a backslash \\",
    "\\u0022 x: y # z",
    "- - [",
    "'''",
    "冷静",
]


def test_names_that_are_words_of_languages_become_others(tmp_path: Path) -> None:
    members = [
        ["class", "u8", "A word of many languages"],
        ["class_value", "u8", "The name that it would get"],
        ["u1.x", "u8", "A type of Kaitai"],
        ["spoken", "u8", "A variable of the grammars"],
        ["text.x", "u8", "A type of the grammars"],
        ["a_b", "u8", "A"],
        ["ab", "u8", "A name that is the same in some languages"],
        ["num_rows", "u8", "The count of the array"],
        {"path": "rows", "count": "u16", "element": "text", "meaning": "Rows", "members": [["in", "u8", "A word"]]},
        ["pupil.x", "u8", "X"],
        ["between", "u8", "Between"],
        ["pupil.y", "u8", "Y"],
        ["parent", "str", "Text"],
    ]
    grammars = Grammars(tmp_path, file_of([own(members, name="None", record="Header")]))
    body = b"\1\0" + bytes(range(8)) + b"\1\0\x09" + bytes([10, 11, 12]) + b"\1\0p"
    (packet,), (by_pattern,) = grammars.packets(builders.recording(builders.packet(150, body)), "ue4-0.9.12")
    for record in (packet.body.records[0], by_pattern.body.records[0]):
        assert [record.class_value, record.class_value_2, record.u1_value.x, record.spoken] == [0, 1, 2, 3]
        assert [record.text.x, record.a_b, record.ab_2, record.num_rows] == [4, 5, 6, 7]
        assert [row.in_value for row in record.rows_2] == [9]
        assert [record.pupil.x, record.between, record.pupil_2.y, record.parent.value] == [10, 11, 12, "p"]


def test_no_name_and_no_text_of_a_file_becomes_code(tmp_path: Path) -> None:
    choices = {f"{text}{number}": [f"{word}{number}" for word in EVIL] for number, text in enumerate(EVIL)}
    rows = []
    for number, (group, text) in enumerate(zip(choices, EVIL, strict=True)):
        rows.append([f"m{number}", "u8", text, text, {"choices": group}])
    array = {"path": "rows", "count": "u16", "element": EVIL[0], "meaning": EVIL[1], "members": [*rows]}
    packet = own([*rows, array], meaning=EVIL[0], record=EVIL[1])
    fork = {"id": 18, "name": "Fork", "meaning": EVIL[2], "members": [["a", "u8", EVIL[3]]]}
    file = parse_packet_file(
        json.dumps({"packets": [packet, fork], "choices": choices, "fork": EVIL[0]}).encode(),
        Path('own"""\n*/ evil\\.packets.json'),
    )
    for suffix in GRAMMARS:
        text = "\n".join(grammar_lines(suffix, [file]))
        without = "\n".join(grammar_lines(suffix))
        assert text.count("\\") == without.count("\\")
        assert text.count("*/") == text.count('"""') == 0
    grammars = Grammars(tmp_path, file)
    for dialect, data in recordings(file):
        kinds = {150: DIALECTS[dialect].described_by(file)[150]}
        grammars.agree(data, dialect, kinds, 0)


def test_names_that_differ_only_in_how_they_are_written_stay_apart(tmp_path: Path) -> None:
    names = ["Mood", "mood", "MOOD", "Event_Add", "Mood_body", "DReyeVRSensor"]
    packets = []
    for number, name in enumerate(names, 150):
        packets.append({"id": number, "name": name, "record": "body", "members": [["a", "u8", "A"]]})
    file = file_of(packets)
    grammars = agree_everywhere(tmp_path, file)
    data = builders.recording(*(builders.packet(number, b"\1\0a") for number in range(150, 156)))
    by_kaitai, by_pattern = grammars.packets(data, "ue4-2026")
    assert len({packet.kind.name for packet in by_kaitai}) == len(names)
    assert [packet.body.records[0].a for packet in by_kaitai] == [97] * 6
    assert [packet.body.records[0].a for packet in by_pattern] == [97] * 6


def drawn_member(chance: random.Random, depth: int, groups: Sequence[str]) -> tuple[str, object]:
    """A member of a random type, and its name."""
    name = chance.choice(["class", "from", "a", "b", "c", "text", "size", "tail", "count", "value", "kind", "spoken"])
    options = {}
    if chance.random() < 0.4:
        options[chance.choice(["since", "until"])] = chance.choice(NAMES)
    if depth < 4 and chance.random() < 0.3:
        members = drawn_members(chance, depth + 1, groups)
        return name, {
            "path": name, "count": chance.choice(["u16", "u32"]), "element": chance.choice([name, *EVIL]),
            "meaning": chance.choice(EVIL), "members": members, **options,
        }  # fmt: skip
    kind = chance.choice(["u8", "i16", "u32", "i64", "f32", "f64", "bool", "str", "bytes5", "vector", "rotator"])
    if kind in ("u8", "i16", "u32", "i64", "bool") and chance.random() < 0.5:
        options[chance.choice(["choices", "flags"])] = chance.choice(groups)
    is_dotted = kind not in ("str", "vector", "rotator") and chance.random() < 0.3
    return name, [f"{name}.x" if is_dotted else name, kind, chance.choice(EVIL), options]


def drawn_members(chance: random.Random, depth: int, groups: Sequence[str]) -> list[object]:
    members: dict[str, object] = {"first": ["first", "u8", "The first one"]}
    for _ in range(chance.randrange(8)):
        name, member = drawn_member(chance, depth, groups)
        members.setdefault(name, member)
    return list(members.values())


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 30))])
def test_files_that_a_seed_draws_are_read_as_the_program_reads_them(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    groups = {"moods": ["calm", "Calm", *EVIL], "text": {"-1": "minus", "1": "one", "300": "many"}}
    flags = {"class": {"0": "a", "3": "A", "63": "last"}}
    packets = []
    for number in range(3):
        members = drawn_members(chance, 0, [*groups, *flags, "doors", "actor types 0.9.8", "vehicle lights"])
        packets.append({"id": 150 + number, "name": f"Drawn{number}", "members": members})
    file = file_of(packets, choices=groups, flags=flags)
    grammars = Grammars(tmp_path, file)
    for dialect, data in recordings(file):
        kinds = DIALECTS[dialect].described_by(file)
        by_kaitai, by_pattern = grammars.packets(data, dialect)
        bodies = [(each.id, each.body) for each in naive.packets(data)]
        for one, other, (number, body) in zip(by_kaitai, by_pattern, bodies, strict=True):
            records = list(decode(kinds[number], body))
            assert one.body.tail == b""
            assert not hasattr(other, "bytes")
            assert values_in(one.body.records, records) == exactly(records)
            assert values_in(other.body.records, records) == exactly(records)


RENAMED = {"class": "class_value", "from": "from_value"}


def values_in(value: Any, like: Any) -> Any:
    """As `plain`, with the names that words of languages got."""
    if isinstance(like, dict):
        return {name: values_in(getattr(value, RENAMED.get(name, name)), each) for name, each in like.items()}
    if isinstance(like, list):
        return [values_in(each, other) for each, other in zip(value, like, strict=True)]
    return exactly(plain(value, like))
