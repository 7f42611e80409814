"""The file header, held against bytes that were written by hand."""

import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor.errors import FieldError
from recorder_editor.format.header import FileHeader, parse_header
from tests import builders
from tests.builders import DATE, frame_start, header

FIRST_SECOND = int(datetime(2015, 1, 1, tzinfo=UTC).timestamp())
LAST_SECOND = int(datetime(2100, 1, 1, tzinfo=UTC).timestamp()) - 1


def parsed(data: bytes) -> FileHeader:
    found = parse_header(data)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("name", builders.RELEASES)
def test_the_header_of_every_release_is_read(name: str) -> None:
    data = builders.everything(name)
    found = parse_header(data)
    assert found == (FileHeader(builders.RELEASES[name].version, DATE, "Town01"), 34)
    assert found[0].encode() == data[:34]


@pytest.mark.parametrize("version", [0, 1, 2, 3, 65535])
def test_no_version_is_turned_away(version: int) -> None:
    assert parsed(header(version=version)).version == version


@pytest.mark.parametrize("name", ["", "T", "Town10HD_Opt", "/Game/Carla/Maps/Town01", "Größe", "x" * 255])
def test_a_map_name_is_read_and_written_back(name: str) -> None:
    data = header(map_name=name)
    found = parse_header(data + frame_start(1))
    assert found == (FileHeader(1, DATE, name), len(data))
    assert found[0].encode() == data


def test_the_date_is_seconds_since_1970_in_utc() -> None:
    assert parsed(header()).when == datetime(2021, 11, 23, 14, 8, 48, tzinfo=UTC)


@pytest.mark.parametrize("date", [-(2**63), 2**63 - 1, 10**15])
def test_a_date_outside_the_calendar_is_none(date: int) -> None:
    assert FileHeader(1, date, "Town01").when is None


def test_fields_cover_every_byte_of_the_header_once_and_in_order() -> None:
    for name in ("", "Town01", "Größe"):
        data = header(map_name=name)
        spans = parsed(data).spans()
        assert [field.path for field, _, _ in spans] == ["version", "magic", "date", "map"]
        assert [start for _, start, _ in spans] == [0, *(stop for _, _, stop in spans[:-1])]
        assert spans[-1][2] == len(data)
        assert spans[0][2:] == (2,)
        assert data[spans[1][1] + 2 : spans[1][2]] == b"CARLA_RECORDER"
        assert struct.unpack("<q", data[spans[2][1] : spans[2][2]]) == (DATE,)
        for field, _, _ in spans:
            assert field.meaning


@pytest.mark.parametrize("cut", range(34))
def test_a_header_cut_short_is_not_credible(cut: int) -> None:
    assert parse_header(header()[:cut]) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        bytes(64),
        header(magic=b"CARLA_RECORDEX"),
        header(magic=b"carla_recorder"),
        header(magic=b"CARLA_RECORDER_"),
        header(magic=b""),
        header(date=FIRST_SECOND - 1),
        header(date=LAST_SECOND + 1),
        header(date=-1),
        header(map_name="x" * 256),
        header(map_name="Town\n01"),
        header(map_name="Town\x0001"),
        header(map_name=b"Town\xff"),
        header() + b"\x19\x00\x00\x00\x00",
        header() + b"\x63\x00\x00\x00\x00",
        header() + b"\x00\xff\xff\xff\xff",
        b"\xef\xbb\xbf" + header(),
    ],
)
def test_what_is_not_credible_is_no_header(data: bytes) -> None:
    assert parse_header(data) is None


@pytest.mark.parametrize("date", [FIRST_SECOND, LAST_SECOND])
def test_the_dates_at_both_ends_are_credible(date: int) -> None:
    assert parsed(header(date=date)).date == date


@pytest.mark.parametrize("following", [b"", b"\x00", b"\x00\x18\x00\x00", frame_start(1), b"\xff\x00\x00\x00\x00"])
def test_a_header_may_be_followed_by_nothing_a_torn_packet_or_a_packet(following: bytes) -> None:
    assert parse_header(header() + following) == (FileHeader(1, DATE, "Town01"), 34)


def test_a_recording_saved_as_text_has_no_header(damaged_recording: Path) -> None:
    assert parse_header(damaged_recording.read_bytes()[:4096]) is None


def test_every_real_recording_has_a_header(sound_recording: Path) -> None:
    data = sound_recording.read_bytes()[:4096]
    found = parse_header(data)
    assert found is not None
    parsed_header, size = found
    assert parsed_header.encode() == data[:size]
    assert parsed_header.version == 1
    assert parsed_header.when is not None
    assert str(parsed_header.map_name).removeprefix("Town").isalnum()


@pytest.mark.parametrize(
    "unfit",
    [
        FileHeader(65536, DATE, "Town01"),
        FileHeader(-1, DATE, "Town01"),
        FileHeader(1, 2**63, "Town01"),
        FileHeader(1, DATE, "x" * 256),
        FileHeader(1, DATE, "ż" * 128),
        FileHeader(1, DATE, b"x" * 256),
        FileHeader(1, DATE, "\ud800"),
        FileHeader(1, 0, "Town01"),
        FileHeader(1, FIRST_SECOND - 1, "Town01"),
        FileHeader(1, LAST_SECOND + 1, "Town01"),
        FileHeader(1, DATE, "Town\n01"),
        FileHeader(1, DATE, b"Town\xff"),
        FileHeader(1, DATE, "Town01", b"CARLA"),
    ],
)
def test_a_header_that_cannot_be_stored_is_refused_with_a_sentence(unfit: FileHeader) -> None:
    with pytest.raises(FieldError) as refused:
        unfit.encode()
    assert refused.value.message.endswith(".")
    assert refused.value.field in ("version", "magic", "date", "map")


@given(
    st.integers(0, 65535),
    st.integers(FIRST_SECOND, LAST_SECOND),
    st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=60),
)
def test_any_header_comes_back_from_its_bytes(version: int, date: int, name: str) -> None:
    data = header(version, name, date)
    found = parse_header(data)
    assert found == (FileHeader(version, date, name), len(data))
    assert found[0].encode() == data


@given(st.binary(max_size=80), st.integers(0, 40))
def test_any_bytes_are_looked_at_without_an_exception(junk: bytes, at: int) -> None:
    data = header()
    parse_header(junk)
    parse_header(data[:at] + junk + data[at:])
    parse_header(data[:at] + junk + data[at + len(junk) :])


@given(
    st.integers(-1, 65536),
    st.integers(-(2**63), 2**63) | st.integers(FIRST_SECOND - 1, LAST_SECOND + 1),
    st.text(max_size=20) | st.binary(max_size=20),
)
def test_what_is_written_as_a_header_is_read_as_one(version: int, date: int, name: str | bytes) -> None:
    try:
        data = FileHeader(version, date, name).encode()
    except FieldError:
        return
    found = parse_header(data + frame_start(1))
    assert found is not None
    assert found[1] == len(data)
    assert found[0].encode() == data
