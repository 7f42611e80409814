"""Every byte of every file belongs to one row, and a sound file gives what a plain walk over its headers gives."""

import os
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recorder_editor.errors import Cancelled, SourceChanged
from recorder_editor.progress import Progress
from recorder_editor.recording import table_builder
from recorder_editor.recording.frames import (
    FRAME,
    MAX_IN_FRAME,
    NO_LAYOUT,
    OPEN_FRAME,
    RAW,
    FrameTable,
    KeySource,
    Layouts,
)
from recorder_editor.recording.scan import ScanResult, scan
from recorder_editor.recording.store import Store
from tests import builders
from tests.builders import frame, frame_end, frame_start, packet

from ..extent import examples
from ..real_recordings import only_one

BLOCKS = (64, 1000, 1 << 16, 1 << 21)
ROAD = 34  # the header with a map name of six letters

Scan = Callable[..., ScanResult]


class Walked(NamedTuple):
    """A row as a plain walk sees it."""

    kind: int
    offset: int
    size: int
    start: bytes | None  # the FrameStart's body
    packets: list[tuple[int, int, int]] | None  # id, offset in the span, size


def plain_walk(data: bytes, at: int) -> list[Walked]:
    """The frames of a sound recording."""
    rows = []
    while at < len(data):
        assert struct.unpack_from("<BI", data, at) == (0, 24)
        start, span, packets = data[at + 5 : at + 29], at + 29, []
        number, at = 0, span
        while number != 1:
            number, size = struct.unpack_from("<BI", data, at)
            packets.append((number, at - span, size))
            at += 5 + size
        rows.append(Walked(FRAME, span, at - span, start, packets))
    return rows


def seen(result: ScanResult, data: bytes) -> list[Walked]:
    """The rows a scan found, and on the way everything that must hold for any file."""
    rows = result.table.rows()
    found = []
    place = None
    for row in rows:
        kind, offset, size, layout = (int(row[name]) for name in ("kind", "offset", "size", "layout"))
        begin = offset if kind == RAW else offset - 29
        assert place is None or begin == place
        place = offset + size
        assert size > 0 or kind == OPEN_FRAME
        start = None
        if kind != RAW:
            start = row["frame_id"].tobytes() + row["duration"].tobytes() + row["elapsed"].tobytes()
            assert data[begin : begin + 29] == b"\x00\x18\x00\x00\x00" + start
        packets = None
        if layout != NO_LAYOUT:
            ids, offsets, sizes = result.layouts.get(layout)
            packets = list(zip(ids.tolist(), offsets.tolist(), sizes.tolist(), strict=True))
            assert result.layouts.get(layout).end == size
            walked = Layouts.walk(data[offset : offset + size])
            assert [part.tolist() for part in walked] == [ids.tolist(), offsets.tolist(), sizes.tolist()]
        if kind == FRAME:
            assert data[offset + size - 5 : offset + size] == b"\x01\x00\x00\x00\x00"
        found.append(Walked(kind, offset, size, start, packets))
    assert len(set(rows["key"].tolist())) == len(rows)
    assert (rows["source"] == Store.file).all()
    damaged = {index for index, row in enumerate(found) if row.kind != FRAME}
    assert damaged <= {finding.row for finding in result.damage}
    assert [finding.row for finding in result.damage] == sorted(finding.row or 0 for finding in result.damage)
    return found


@pytest.fixture
def scanned(tmp_path: Path) -> Scan:
    def run(data: bytes, start: int = 0, **options: Any) -> ScanResult:
        path = tmp_path / "some.log"
        path.write_bytes(data)
        with Store(path) as store:
            result = scan(store, Store.file, start, len(data) - start, **options)
        assert result.table.size == len(data) - start
        return result

    return run


def codes(result: ScanResult) -> list[str]:
    return [finding.code for finding in result.damage]


def kinds(result: ScanResult) -> list[int]:
    return [int(kind) for kind in result.table.column("kind")]


def some_frames(count: int, packets: list[bytes] | None = None, first: int = 1) -> bytes:
    body = [packet(2, b"\0\0"), packet(6, b"\1\0" + bytes(28))] if packets is None else packets
    return b"".join(frame(first + n, 0.05 * n, 0.05, body) for n in range(count))


# --- sound files ----------------------------------------------------------------------------------------


@only_one
@pytest.mark.parametrize("block", BLOCKS)
def test_a_real_recording_gives_the_frames_of_a_plain_walk(sound_recording: Path, scanned: Scan, block: int) -> None:
    data = sound_recording.read_bytes()
    start = 28 + struct.unpack_from("<H", data, 26)[0]
    result = scanned(data, start, block=block)
    assert seen(result, data) == plain_walk(data, start)
    assert result.damage == ()


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("dialect", builders.RELEASES)
def test_every_release_gives_the_frames_of_a_plain_walk(dialect: str, scanned: Scan, block: int) -> None:
    data = builders.everything(dialect)
    assert seen(scanned(data, ROAD, block=block), data) == plain_walk(data, ROAD)


@pytest.mark.parametrize("period", [1, 2, 3, 7])
def test_layouts_that_change_from_frame_to_frame_are_followed(scanned: Scan, period: int) -> None:
    data = b"".join(frame(n, n / 20, 0.05, [packet(6, bytes(2 + n % period))]) for n in range(500))
    result = scanned(data)
    assert seen(result, data) == plain_walk(data, 0)
    assert len(result.layouts) == period


def without_packets(rows: list[Walked]) -> list[Walked]:
    return [row._replace(packets=None) for row in rows]


@pytest.mark.parametrize("block", BLOCKS)
def test_layouts_that_never_return_are_not_all_kept(scanned: Scan, block: int) -> None:
    new = b"".join(frame(n, n / 20, 0.05, [packet(6, bytes(n))]) for n in range(1500))
    data = some_frames(50) + new + some_frames(1000)
    result = scanned(data, block=block)
    rows = seen(result, data)
    assert without_packets(rows) == without_packets(plain_walk(data, 0))
    assert rows[:60] == plain_walk(data, 0)[:60]
    assert rows[-400:] == plain_walk(data, 0)[-400:]
    assert len(result.layouts) < 500


@pytest.mark.parametrize("length", [1, 3, 4, 5, 12, 13, 44, 45, 200, 1000])
def test_a_run_of_any_length_ends_where_it_ends(scanned: Scan, length: int) -> None:
    data = some_frames(length) + some_frames(1, [packet(9)]) + some_frames(length) + some_frames(3, [])
    assert seen(scanned(data), data) == plain_walk(data, 0)


def test_a_packet_of_the_same_size_but_another_id_ends_a_run(scanned: Scan) -> None:
    data = b"".join(frame(n, 0.0, 0.0, [packet(7 if n == 77 else 6, bytes(30))]) for n in range(100))
    result = scanned(data)
    assert seen(result, data) == plain_walk(data, 0)
    assert len(result.layouts) == 2


@pytest.mark.parametrize("size", [900, 70_000, 300_000])
def test_frames_go_on_from_block_to_block(scanned: Scan, size: int) -> None:
    numbers = range(1, 3_000_000 // size)
    data = b"".join(frame(each, 0.05 * each, 0.05, [packet(120, bytes(size + each % 5))]) for each in numbers)
    assert seen(scanned(data, block=256 << 10), data) == plain_walk(data, 0)


@pytest.mark.parametrize("block", BLOCKS)
def test_frames_larger_than_a_block_are_whole(scanned: Scan, block: int) -> None:
    large = [packet(2, bytes(5000)), *[packet(6, bytes(300))] * 40, packet(250, bytes(90_000)), packet(7)]
    data = some_frames(3) + some_frames(4, large) + some_frames(2)
    assert seen(scanned(data, block=block), data) == plain_walk(data, 0)


@pytest.mark.parametrize("count", [4095, 4096, 5000])
@pytest.mark.parametrize("block", [64, 1 << 21])
def test_the_layout_of_very_many_packets_is_not_kept(scanned: Scan, count: int, block: int) -> None:
    data = some_frames(2) + some_frames(2, [packet(5)] * count)
    result = scanned(data, block=block)
    expected = plain_walk(data, 0)
    if count >= 4096:  # with its FrameEnd more than 4,096
        expected = [*expected[:2], *[row._replace(packets=None) for row in expected[2:]]]
    assert seen(result, data) == expected
    assert result.damage == ()


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("end", [frame_end(), b""])
def test_a_frame_of_more_packets_than_are_looked_into_is_one_raw_row(scanned: Scan, end: bytes, block: int) -> None:
    much = frame_start(2, 0.05) + packet(77) * (MAX_IN_FRAME + 1 - bool(end)) + end
    most = frame_start(3, 0.1) + packet(77) * MAX_IN_FRAME
    data = builders.recording(frame(1), much, most)
    found = scanned(data, ROAD, block=block)
    assert found.table.column("kind").tolist() == [FRAME, RAW, OPEN_FRAME]
    assert found.table.column("size").tolist()[1] == len(much)
    code = "frame-too-large" if end else "unread-packets"
    assert [finding.code for finding in found.damage] == [code, "no-frame-end"]


@pytest.mark.parametrize("before", [frame_start(2), b""])
def test_packets_larger_than_are_looked_into_are_one_raw_row(tmp_path: Path, before: bytes) -> None:
    path, data = tmp_path / "sparse.log", builders.recording(frame(1))
    path.write_bytes(data + before + struct.pack("<BI", 99, 0xFFFFFFF0))
    end = path.stat().st_size + 0xFFFFFFF0
    with path.open("r+b") as file:
        file.truncate(end)
        file.seek(end)
        file.write(frame_end() * bool(before) + frame(3))
    with Store(path) as store:
        found = scan(store, store.file, ROAD, store.size(store.file) - ROAD)
    assert found.table.column("kind").tolist() == [FRAME, RAW, FRAME]
    assert [finding.code for finding in found.damage] == ["frame-too-large" if before else "unread-packets"]


@pytest.mark.parametrize("block", BLOCKS)
def test_more_packets_outside_of_frames_than_are_looked_into_are_one_raw_row(scanned: Scan, block: int) -> None:
    stray = packet(9, b"") * (MAX_IN_FRAME + 1)
    data = some_frames(2) + stray + some_frames(1)
    found = scanned(data, block=block)
    assert [finding.code for finding in found.damage] == ["unread-packets"]
    assert found.table.column("kind").tolist() == [FRAME, FRAME, RAW, FRAME]
    assert found.table.column("layout")[2] == NO_LAYOUT


def test_a_full_pool_leaves_rows_that_are_walked_when_looked_at(scanned: Scan) -> None:
    data = b"".join(frame(n, n / 20, 0.05, [packet(6, bytes(n))]) for n in range(100))
    result = scanned(data, layouts=Layouts(pool_bytes=2000))
    assert 0 < len(result.layouts) < 20
    assert without_packets(seen(result, data)) == without_packets(plain_walk(data, 0))


def test_frame_start_values_keep_their_bits(scanned: Scan) -> None:
    odd = [builders.SIGNALLING_64, builders.PAYLOAD_64, builders.BOX_NAN_64, builders.Bits64(1), -0.0]
    data = b"".join(frame(2**64 - 1 - n, odd[n % 5], odd[(n + 1) % 5], [packet(6)]) for n in range(60))
    assert seen(scanned(data), data) == plain_walk(data, 0)


def test_a_file_of_one_frame(scanned: Scan) -> None:
    data = builders.recording(frame(1))
    assert seen(scanned(data, ROAD), data) == plain_walk(data, ROAD)


def test_an_empty_span_has_no_rows(scanned: Scan) -> None:
    result = scanned(b"")
    assert (len(result.table), result.damage) == (0, ())


def test_any_packet_id_may_stand_in_a_frame(scanned: Scan) -> None:
    data = some_frames(3, [packet(number, bytes(number)) for number in range(2, 256)])
    assert seen(scanned(data), data) == plain_walk(data, 0)


# --- damage ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", BLOCKS)
def test_a_file_cut_at_any_byte_keeps_all_whole_packets(scanned: Scan, block: int) -> None:
    data = some_frames(2) + some_frames(1, [packet(2, b"\0\0"), packet(14, bytes(8))])
    whole = plain_walk(data, 0)
    for cut in range(len(data)):
        result = scanned(data[:cut], block=block)
        rows = seen(result, data[:cut])
        complete = [row for row in whole if row.offset + row.size <= cut]
        assert rows[: len(complete)] == complete
        rest = rows[len(complete) :]
        begun = [row for row in whole if row.offset <= cut < row.offset + row.size]
        for row, original in zip(rest, begun, strict=False):
            assert row.kind == OPEN_FRAME
            assert row.packets == [p for p in original.packets or [] if original.offset + p[1] + 5 + p[2] <= cut]
        assert [row.kind for row in rest[len(begun) :]] in ([], [RAW])
        torn = ["no-frame-end"] * len(begun) + ["torn-tail"] * (len(rest) - len(begun))
        assert codes(result) == torn


def test_three_bytes_are_a_torn_tail(scanned: Scan) -> None:
    result = scanned(b"\x00\x18\x00")
    assert (kinds(result), codes(result)) == ([RAW], ["torn-tail"])


def test_a_torn_tail_says_where_and_how_much(scanned: Scan) -> None:
    data = some_frames(2) + frame_start(3) + packet(3) + packet(6, bytes(30))[:-1]
    result = scanned(data)
    opened, torn = result.damage
    assert (opened.frame_index, opened.row, opened.offset) == (2, 2, len(some_frames(2)))
    assert opened.message == "Frame 3 is never ended: its FrameEnd is missing."
    assert (torn.row, torn.offset, torn.size) == (3, len(data) - 34, 34)
    assert torn.message == "The file ends in the middle of a packet after frame 3; 34 bytes of it are left."


@pytest.mark.parametrize("block", BLOCKS)
def test_a_frame_without_an_end_is_open_until_the_next_begins(scanned: Scan, block: int) -> None:
    data = some_frames(2) + frame_start(3) + packet(6, bytes(100)) + some_frames(2, first=4)
    result = scanned(data, block=block)
    rows = seen(result, data)
    assert [row.kind for row in rows] == [FRAME, FRAME, OPEN_FRAME, FRAME, FRAME]
    assert rows[2].packets == [(6, 0, 100)]
    assert codes(result) == ["no-frame-end"]


def test_frames_that_all_lack_their_end_are_all_open(scanned: Scan) -> None:
    data = (frame_start(1) + packet(6, bytes(9))) * 300 + frame_start(2)
    result = scanned(data)
    assert {row.kind for row in seen(result, data)} == {OPEN_FRAME}
    assert len(result.damage) == 301


@pytest.mark.parametrize("size", [1, 24, 300])
def test_a_frame_end_with_a_body_ends_no_frame(scanned: Scan, size: int) -> None:
    data = some_frames(2, [packet(6), packet(1, bytes(size)), packet(7)])
    for block in BLOCKS:
        result = scanned(data, block=block)
        assert [row.kind for row in seen(result, data)] == [FRAME, FRAME]
        assert codes(result) == ["odd-frame-end"] * 2


@pytest.mark.parametrize("size", [16, 25, 48, 255])
def test_a_frame_start_of_another_size_begins_no_frame(scanned: Scan, size: int) -> None:
    odd = packet(0, bytes(size)) + packet(6, bytes(12)) + frame_end()
    data = some_frames(2) + odd + some_frames(2)
    result = scanned(data)
    rows = seen(result, data)
    assert [row.kind for row in rows] == [FRAME, FRAME, RAW, FRAME, FRAME]
    assert [p[0] for p in rows[2].packets or []] == [0, 6, 1]
    assert codes(result) == ["odd-frame-start"]


def test_an_odd_frame_start_ends_the_frame_before_it(scanned: Scan) -> None:
    data = frame_start(1) + packet(6) + packet(0, bytes(30)) + some_frames(1)
    result = scanned(data)
    assert (kinds(result), codes(result)) == ([OPEN_FRAME, RAW, FRAME], ["no-frame-end", "odd-frame-start"])


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("count", [1, 63, 64, 65, 5000])
def test_packets_outside_of_frames_stay_packets(scanned: Scan, count: int, block: int) -> None:
    strays = packet(6, bytes(30)) * count
    for data, place in ((strays + some_frames(2), 0), (some_frames(2) + strays + some_frames(1), 2)):
        result = scanned(data, block=block)
        rows = seen(result, data)
        found = [row for row in rows if row.kind == RAW]
        assert rows.index(found[0]) == place
        assert sum(len(row.packets or []) for row in found) == count
        assert set(codes(result)) == {"stray-packets"}


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("junk", [b"\xff" * 7, bytes(3000), b"\xef\xbf\xbd" * 999, b"lorem ipsum " * 20_000])
def test_frames_go_on_behind_junk(scanned: Scan, junk: bytes, block: int) -> None:
    data = some_frames(3) + junk + some_frames(3)
    result = scanned(data, block=block)
    rows = seen(result, data)
    assert [row.kind for row in rows] == [FRAME] * 3 + [RAW] + [FRAME] * 3
    assert rows[3].packets is None
    (finding,) = result.damage
    assert (finding.code, finding.row, finding.size, finding.frame_index) == ("junk", 3, len(junk), 2)


def test_junk_before_the_first_frame_belongs_to_no_frame(scanned: Scan) -> None:
    (finding,) = scanned(b"\xff" * 50 + some_frames(1)).damage
    assert finding.frame_index is None
    assert "before the first frame" in finding.message


@pytest.mark.parametrize("block", BLOCKS)
def test_an_absurd_size_in_the_middle_costs_the_rest_of_its_frame(scanned: Scan, block: int) -> None:
    sick = frame_start(3) + packet(2, b"\0\0") + b"\x06\xff\xff\xff\xf0" + bytes(30) + frame_end()
    data = some_frames(2) + sick + some_frames(3)
    result = scanned(data, block=block)
    rows = seen(result, data)
    assert [row.kind for row in rows] == [FRAME, FRAME, OPEN_FRAME, RAW, FRAME, FRAME, FRAME]
    assert rows[2].packets == [(2, 0, 2)]
    assert codes(result) == ["no-frame-end", "junk"]


def test_a_size_that_swallows_later_frames_is_found_out(scanned: Scan) -> None:
    sick = frame_start(3) + packet(2, b"\0\0") + struct.pack("<BI", 6, 1001) + bytes(30) + frame_end()
    data = some_frames(2) + sick + some_frames(30)
    rows = seen(scanned(data), data)
    assert [row.kind for row in rows] == [FRAME, FRAME, OPEN_FRAME, RAW] + [FRAME] * 30


@pytest.mark.parametrize("block", BLOCKS)
def test_damage_in_every_frame_costs_each_of_them_its_own_rest(scanned: Scan, block: int) -> None:
    data = (frame_start(7, 1.0, 0.05) + packet(6, bytes(30)) + b"\xff" * 9 + frame_end()) * 50
    result = scanned(data, block=block)
    rows = seen(result, data)
    assert [row.kind for row in rows] == [OPEN_FRAME, RAW] * 50
    assert [row.packets for row in rows] == [[(6, 0, 30)], None] * 50


def test_zeros_at_the_end_are_junk(scanned: Scan) -> None:
    result = scanned(some_frames(2) + bytes(4096))
    assert (kinds(result), codes(result)) == ([FRAME, FRAME, RAW], ["junk"])


def test_what_looks_like_a_frame_start_in_a_body_is_not_believed(scanned: Scan) -> None:
    actor_24 = b"\x00" + struct.pack("<I6f", 24, 0, 0, 0, 0, 0, 0) + struct.pack("<I6f", 25, 0, 0, 0, 0, 0, 0)
    data = some_frames(1) + b"\xff" * 10 + actor_24 + b"\xff" * 10 + some_frames(2)
    assert kinds(scanned(data)) == [FRAME, RAW, FRAME, FRAME]


def test_a_frame_start_of_incredible_values_is_believed_in_its_place_alone(scanned: Scan) -> None:
    odd = frame(3, builders.SIGNALLING_64, builders.INFINITE, [packet(6, bytes(2))])
    assert kinds(scanned(some_frames(2) + odd + some_frames(1))) == [FRAME] * 4
    assert kinds(scanned(some_frames(2) + packet(6) * 100 + odd + some_frames(1))) == [FRAME, FRAME, RAW, FRAME, FRAME]
    assert kinds(scanned(some_frames(2) + b"\xff" * 9 + odd + some_frames(1))) == [FRAME, FRAME, RAW, FRAME]


def test_the_recording_that_was_saved_as_text_is_told_to_be_beyond_reading(
    damaged_recording: Path, scanned: Scan
) -> None:
    result = scanned(damaged_recording.read_bytes(), ROAD)
    assert (kinds(result), codes(result)) == ([RAW], ["junk"])


def test_without_a_credible_header_everything_is_one_raw_row(scanned: Scan) -> None:
    result = scanned(some_frames(3), credible=False)
    assert (kinds(result), codes(result)) == ([RAW], ["no-header"])
    assert (len(scanned(b"", credible=False).table), codes(scanned(b"", credible=False))) == (0, [])


def test_very_many_damaged_places_are_told_in_one_sentence(scanned: Scan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_builder, "MAX_FINDINGS", 10)
    result = scanned((some_frames(1) + b"\xff" * 8) * 40)
    assert kinds(result) == [FRAME, RAW] * 40
    assert len(result.damage) == 11
    assert result.damage[-1].message == "30 more places are damaged like these."


DRIVE = builders.drive(frames=6, vehicles=2)[ROAD:]
CHANGES = st.lists(
    st.tuples(st.integers(0, len(DRIVE)), st.integers(0, 60), st.binary(max_size=60)), min_size=1, max_size=5
)
LIKELY = st.lists(
    st.sampled_from(
        [
            some_frames(1),
            frame_start(1),
            frame_end(),
            packet(6, bytes(30)),
            packet(0, bytes(30)),
            packet(1, b"abc"),
            bytes(5),
            bytes(40),
            b"\xff",
            b"\x00\x18\x00\x00\x00",
            b"\x06\xff\x00\x00\x00",
            b"\x06\xff\xff\xff\xff",
            packet(250, some_frames(2)),
            frame_start(1, builders.SIGNALLING_64),
            packet(7) * 70,
        ]
    ),
    max_size=20,
).map(b"".join)


def check_any(scanned: Scan, data: bytes) -> None:
    results = [scanned(data, block=block) for block in (64, 500, 1 << 21)]
    rows = [seen(result, data) for result in results]
    assert rows[0] == rows[1] == rows[2]
    assert results[0].damage == results[1].damage == results[2].damage


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=CHANGES)
def test_a_damaged_recording_gives_the_same_rows_at_any_block_size(
    scanned: Scan, changes: list[tuple[int, int, bytes]]
) -> None:
    data = DRIVE
    for at, count, other in changes:
        data = data[:at] + other + data[at + count :]
    check_any(scanned, data)


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=LIKELY)
def test_pieces_in_any_order_give_the_same_rows_at_any_block_size(scanned: Scan, data: bytes) -> None:
    check_any(scanned, data)


@settings(max_examples=examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=500))
def test_random_bytes_give_rows_that_hold_them_all(scanned: Scan, data: bytes) -> None:
    check_any(scanned, data)


# --- how it works -----------------------------------------------------------------------------------------


def test_memory_stays_bounded_whatever_sizes_a_file_claims(tmp_path: Path) -> None:
    path = tmp_path / "large.log"
    path.write_bytes(some_frames(3) + frame_start(4) + b"\x06\xff\xff\xff\xff")
    os.truncate(path, 48 << 20)
    tracemalloc.start()
    with Store(path) as store:
        result = scan(store, Store.file, 0, 48 << 20)
        peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [int(kind) for kind in result.table.column("kind")] == [FRAME] * 3 + [OPEN_FRAME, RAW]
    assert peak < 12 << 20


def test_progress_rises_to_the_end_and_the_first_block_is_given_early(scanned: Scan) -> None:
    data = some_frames(400)
    told: list[tuple[int, int]] = []
    early: list[tuple[FrameTable, int]] = []
    result = scanned(
        data,
        block=4096,
        progress=Progress(lambda *pair: told.append(pair)),
        first=lambda table: early.append((table, len(told))),
    )
    assert told == sorted(told)
    assert told[-1] == (len(data), len(data))
    assert len(told) > 5
    ((table, after),) = early
    assert after == 1
    assert 0 < len(table) < 400
    assert table.rows().tobytes() == result.table.rows(0, len(table)).tobytes()


def test_a_small_file_gives_its_first_block_too(scanned: Scan) -> None:
    early: list[FrameTable] = []
    scanned(some_frames(2), first=early.append)
    assert [len(table) for table in early] == [2]


def test_a_scan_can_be_cancelled(scanned: Scan) -> None:
    asked = iter([False, False, True])
    with pytest.raises(Cancelled):
        scanned(some_frames(400), block=4096, progress=Progress(is_cancelled=lambda: next(asked)))


@pytest.mark.parametrize("junk", [bytes(1 << 20), packet(5) * 200_000], ids=["junk", "strays"])
def test_damage_can_be_cancelled_too(scanned: Scan, junk: bytes) -> None:
    asked = iter([False] * 3 + [True] * 9)
    with pytest.raises(Cancelled):
        scanned(junk + b"\xff", block=4096, progress=Progress(is_cancelled=lambda: next(asked)))


def test_a_file_rewritten_during_the_scan_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "some.log"
    path.write_bytes(some_frames(400))

    def rewrite(done: int, total: int) -> None:
        if done > total // 2:
            os.truncate(path, 100)

    with Store(path) as store, pytest.raises(SourceChanged):
        scan(store, Store.file, 0, store.size(Store.file), block=4096, progress=Progress(rewrite))


def test_a_span_outside_of_the_source_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.log"
    path.write_bytes(some_frames(1))
    with Store(path) as store:
        for start, size in ((-1, 5), (0, 9999), (5, -1)):
            with pytest.raises(ValueError, match="beyond"):
                scan(store, Store.file, start, size)


def test_keys_go_on_from_the_source_that_is_given(scanned: Scan) -> None:
    keys = KeySource(1000)
    assert scanned(some_frames(3), keys=keys).table.column("key").tolist() == [1000, 1001, 1002]
    assert keys.take(1).tolist() == [1003]


def test_a_store_without_positional_reads_gives_the_same(sound_recording: Path) -> None:
    tables = []
    for positional in (True, False):
        with Store(sound_recording, positional=positional) as store:
            tables.append(scan(store, Store.file, ROAD, store.size(Store.file) - ROAD, block=10_000).table)
    assert tables[0].rows().tobytes() == tables[1].rows().tobytes()


def test_a_part_of_a_source_may_be_scanned(tmp_path: Path) -> None:
    with Store(state=tmp_path) as store:
        store.append(b"\xff" * 11)
        source, offset = store.append(some_frames(2))
        store.append(b"\xff" * 11)
        table = scan(store, source, offset, len(some_frames(2))).table
        assert [int(kind) for kind in table.column("kind")] == [FRAME, FRAME]
        assert np.array_equal(table.column("source"), [Store.scratch, Store.scratch])
