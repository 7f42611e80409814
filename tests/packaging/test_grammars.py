"""The grammars for other programs read recordings as the program itself does, and as the tests wrote them."""

import re
import struct
import sys
import textwrap
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from kaitaistruct import KaitaiStream

import recorder_editor
from recorder_editor.format.codec import decode
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.resources import path
from tests import builders
from tests.builders import RELEASES, Bits32, Bits64, Record, exactly
from tests.recording import naive

from ..real_recordings import only_one
from .hexpat import Pattern
from .kaitai import compiled


@pytest.fixture(scope="session")
def grammar(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The Python module that Kaitai's compiler makes of the grammar."""
    return compiled(path("formats/carla-recorder.ksy").read_text(encoding="utf-8"), tmp_path_factory.mktemp("kaitai"))


def parsed(grammar: ModuleType, data: bytes, dialect: str = "by_header") -> Any:
    recorder = grammar.CarlaRecorder
    return recorder(recorder.Dialect[snake(dialect)], KaitaiStream(BytesIO(data)))


def plain(value: Any, like: Any) -> Any:
    """What Kaitai read, in the form of what it is compared with: records, text, numbers, and floats with their bits."""
    if isinstance(like, Mapping):
        return {name: plain(getattr(value, name), each) for name, each in like.items()}
    if isinstance(like, list):
        assert len(value) == len(like)
        return [plain(each, other) for each, other in zip(value, like, strict=True)]
    if isinstance(like, bytes):
        return value if isinstance(value, bytes) else value.bytes
    if isinstance(like, str):
        assert value.bytes == like.encode()
        return value.value
    if isinstance(like, Bits32) or getattr(like, "width", 0) == 32:
        return Bits32(*struct.unpack("<I", struct.pack("<f", value)))
    if isinstance(like, Bits64) or getattr(like, "width", 0) == 64:
        return Bits64(*struct.unpack("<Q", struct.pack("<d", value)))
    number = getattr(value, "value", value)
    return bool(number) if isinstance(like, bool) and number in (0, 1) else number


def quiet(value: Any) -> Any:
    """Values with NaN of 32 bits made quiet, as Python's own floats, which Kaitai uses, make them."""
    if isinstance(value, Mapping):
        return {name: quiet(each) for name, each in value.items()}
    if isinstance(value, list):
        return [quiet(each) for each in value]
    is_nan = isinstance(value, Bits32) and value.bits & 0x7F800000 == 0x7F800000 and value.bits & 0x7FFFFF
    return Bits32(value.bits | 0x400000) if is_nan else value


def snake(name: str) -> str:
    """A name of the table as the grammar writes it."""
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()).strip(
        "_"
    )


def compare(grammar: ModuleType, file: Path) -> None:
    """Header, packets and values of a sound recording, floats by their bits, with what the program reads."""
    data = file.read_bytes()
    with recorder_editor.open(file) as recording:
        dialect, header = recording.dialect, recording.header
    there = parsed(grammar, data, dialect.name)
    assert header is not None
    assert (there.header.version, there.header.date, there.header.map.value) == (1, header.date, header.map_name)
    packets = list(naive.packets(data))
    assert [(each.id, each.size) for each in there.packets] == [(each.id, len(each.body)) for each in packets]
    for packet, (*_, number, body) in zip(there.packets, packets, strict=True):
        kind = dialect.packet(number)
        if kind.body in ("list", "single"):
            records = list(decode(kind, body))
            assert values(packet, records) == exactly(records)
        else:
            assert packet.body == body


def values(packet: Any, like: list[Record]) -> Any:
    """All records in the body of a packet, to compare with what they should be like."""
    assert packet.body.tail == b""
    return exactly(plain(getattr(packet.body, "records", [packet.body]), like))


@only_one
def test_the_first_frames_of_a_real_recording_have_the_same_values(grammar: ModuleType, short_recording: Path) -> None:
    compare(grammar, short_recording)


@pytest.mark.long
def test_every_packet_and_value_of_a_real_recording_is_the_same(grammar: ModuleType, sound_recording: Path) -> None:
    compare(grammar, sound_recording)


@pytest.mark.parametrize("dialect", RELEASES)
def test_every_packet_of_every_release_has_the_values_that_were_written(grammar: ModuleType, dialect: str) -> None:
    file = parsed(grammar, builders.everything(dialect), dialect)
    samples = builders.samples(dialect)
    for sample, packet in zip(samples, file.packets[1:], strict=False):
        assert (packet.id, packet.size, snake(sample.name)) == (sample.id, len(sample.body), packet.kind.name)
        if sample.records is None:
            assert packet.body == sample.body
        else:
            assert values(packet, sample.records) == exactly(quiet(sample.records))
    assert [packet.kind.name for packet in file.packets].count("frame_end") == 3


@pytest.mark.parametrize("dialect", RELEASES)
def test_types_of_actors_and_attributes_have_the_names_of_their_release(grammar: ModuleType, dialect: str) -> None:
    attributes = [builders.attribute(number, "id", "") for number in range(8)]
    actors = [builders.actor(1 + number, kind=number, attributes=attributes) for number in range(8)]
    packet = builders.packet(2, builders.event_add(actors, RELEASES[dialect].wide))
    read = parsed(grammar, builders.recording(packet), dialect).packets[0].body.records
    record = DIALECTS[dialect].packets[2].record
    kinds = record.fields["type"].choices or {}
    types = record.arrays["attributes"].element.fields["type"].choices or {}
    assert [name_of(actor.type_name) for actor in read] == [snake(kinds.get(number, "")) for number in range(8)]
    assert [name_of(each.type_name) for each in read[0].attributes] == [snake(types.get(n, "")) for n in range(8)]


def name_of(value: Any) -> str:
    """The name of an enumeration's value, or nothing for a number that means nothing."""
    return getattr(value, "name", "")


@pytest.mark.parametrize(("version", "newest"), [(1, "ue4-0.9.15"), (2, "ue4-2026")])
def test_without_a_dialect_the_version_of_the_header_decides(grammar: ModuleType, version: int, newest: str) -> None:
    data = builders.recording(builders.frame(1), version=version)
    assert snake(newest) == parsed(grammar, data).spoken.name


def test_packets_of_forks_and_unknown_ones_are_bytes(grammar: ModuleType) -> None:
    file = parsed(grammar, builders.dreyevr(), "ue4-0.9.12")
    foreign = {packet.id: packet for packet in file.packets}
    assert [(each.id, foreign[each.id].body) for each in builders.FOREIGN] == [
        (each.id, each.body) for each in builders.FOREIGN
    ]
    assert name_of(foreign[139].kind) == "d_reye_vr_sensor"


def test_a_recording_that_ends_anywhere_is_read_up_to_there(grammar: ModuleType) -> None:
    whole = builders.drive(frames=1)
    ids = [packet.id for packet in parsed(grammar, whole).packets]
    for size in range(len(builders.header()), len(whole)):
        packets = parsed(grammar, whole[:size]).packets
        assert [packet.id for packet in packets] == ids[: len(packets)]
        assert len(builders.header()) + sum(map(bytes_of, packets)) == size


def bytes_of(packet: Any) -> int:
    """How much of the file a packet takes, its header included."""
    return (5 if packet.has_size else 1) + packet.raw._io.size()


def test_a_damaged_packet_spoils_nothing_but_itself(grammar: ModuleType) -> None:
    added = builders.event_add([builders.actor(1, blueprint=builders.NOT_UTF8)])
    torn = builders.packet(2, added[:-1])
    behind = builders.packet(3, builders.event_del([{"id": 7}]) + b"more")
    file = parsed(grammar, builders.recording(torn, builders.packet(2, added), behind, map_name="Görlitz"))
    first, second, third = file.packets
    assert file.header.map.value == "Görlitz"
    with pytest.raises(EOFError):
        _ = first.body
    assert second.body.records[0].blueprint.bytes == builders.NOT_UTF8
    assert ([actor.id for actor in third.body.records], third.body.tail) == ([7], b"more")


def test_the_recording_that_a_text_editor_destroyed_is_read_to_its_end(
    grammar: ModuleType, damaged_recording: Path
) -> None:
    data = damaged_recording.read_bytes()
    file = parsed(grammar, data)
    assert file.packets[0]._io.pos() == len(data)
    assert file.packets[-1].size > file.packets[-1].raw._io.size()


def test_the_example_of_the_guide_works(
    grammar: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = path("guide/export.md").read_text(encoding="utf-8")
    example = textwrap.dedent(page[page.index("    from carla_recorder") : page.index("In C++, ")])
    monkeypatch.setitem(sys.modules, "carla_recorder", grammar)
    exec(example.replace("town.log", str(path("sample/town.log"))), {})
    with recorder_editor.open(path("sample/town.log")) as recording:
        positions = sum(len(packet.records) for frame in recording for packet in frame if packet.name == "Position")
    assert len(capsys.readouterr().out.splitlines()) == 1 + positions


# --- the pattern for ImHex -------------------------------------------------------------------------------------


def by_pattern(data: bytes, dialect: str = "") -> Pattern:
    """What the pattern reads in a dialect, or in that of the header."""
    number = list(DIALECTS).index(dialect) + 1 if dialect else 0
    return Pattern(path("formats/carla-recorder.hexpat"), data, dialect=number)


@only_one
def test_the_pattern_reads_every_packet_of_a_real_recording(short_recording: Path) -> None:
    data = short_recording.read_bytes()
    with recorder_editor.open(short_recording) as recording:
        dialect = recording.dialect
    file = by_pattern(data, dialect.name).names
    assert file["header"].map.value == recording.header.map_name
    packets = list(naive.packets(data))
    assert [(each.id, each.size) for each in file["packets"]] == [(each.id, len(each.body)) for each in packets]
    for packet, (*_, number, body) in zip(file["packets"], packets, strict=True):
        kind = dialect.packet(number)
        if kind.body in ("list", "single"):
            records = list(decode(kind, body))
            assert pattern_values(packet, records) == exactly(records)


def pattern_values(packet: Any, like: list[Record]) -> Any:
    """All records in the body of a packet of the pattern, to compare with what they should be like."""
    assert not hasattr(packet, "bytes")
    return exactly(plain(getattr(packet.body, "records", [packet.body]), like))


@pytest.mark.parametrize("dialect", RELEASES)
def test_the_pattern_reads_every_packet_of_every_release(dialect: str) -> None:
    packets = by_pattern(builders.everything(dialect), dialect).names["packets"]
    for sample, packet in zip(builders.samples(dialect), packets[1:], strict=False):
        if sample.records is None:
            assert packet.bytes == sample.body
        else:
            assert pattern_values(packet, sample.records) == exactly(quiet(sample.records))


@pytest.mark.parametrize(("version", "wide"), [(1, "ue4-0.9.15"), (2, "ue4-2026")])
def test_the_pattern_chooses_by_the_header_without_a_dialect(version: int, wide: str) -> None:
    file = by_pattern(builders.recording(builders.frame(1), version=version)).names
    assert list(DIALECTS)[file["spoken"] - 1] == wide


def test_the_pattern_leaves_what_nobody_defines_as_bytes() -> None:
    torn = builders.packet(6, b"\xff\xff12345")
    data = builders.recording(torn, builders.packet(200, b"mine"), builders.packet(3, b"\1\0\7\0\0\0more"))
    first, second, third = by_pattern(data + b"\0\0").names["packets"]
    assert (first.bytes, second.bytes) == (b"12345", b"mine")
    assert ([each.id for each in third.body.records], third.bytes) == ([7], b"more")
