"""The frame table behaves like a plain list of rows, and remembers nothing of how it came about."""

import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recorder_editor.arrays import StructuredArray
from recorder_editor.recording import frames as frames_module
from recorder_editor.recording.frames import (
    CHUNK,
    FRAME,
    NO_LAYOUT,
    OPEN_FRAME,
    RAW,
    ROW,
    FrameTable,
    KeySource,
    Layouts,
)
from recorder_editor.recording.store import SCRATCH


def rows_of(count: int, first: int = 0, kinds: tuple[int, ...] = (FRAME,)) -> StructuredArray:
    rows = np.zeros(count, ROW)
    rows["key"] = np.arange(first, first + count)
    rows["size"] = 1 + (rows["key"] * 7919) % 1000
    rows["kind"] = np.resize(np.array(kinds, "u1"), count)
    rows["source"], rows["stored"] = rows["key"] % 3 % 2 + SCRATCH, rows["key"] % 5 > 0
    return rows


def keys(table: FrameTable) -> list[int]:
    return [int(key) for key in table.column("key")]


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(frames_module, "CHUNK", 8)
        yield


# --- rows, frames and bytes -------------------------------------------------------------------------------


def test_a_row_takes_56_bytes() -> None:
    assert ROW.itemsize == 56
    assert ROW.isalignedstruct


def test_an_empty_table_has_nothing() -> None:
    table = FrameTable()
    assert (len(table), table.frames, table.size, table.position(0), table.frame_of_row(0)) == (0, 0, 0, 0, 0)
    assert (len(table.rows()), len(table.column("size")), table.positions().tolist()) == (0, 0, [0])
    for look in (table.row, table.row_of_frame, table.row_at, table.frame_of_row, table.position):
        with pytest.raises(IndexError):
            look(1)


def test_a_frame_is_saved_with_its_29_bytes_of_frame_start_and_raw_bytes_as_they_are() -> None:
    rows = rows_of(3, kinds=(FRAME, OPEN_FRAME, RAW))
    rows["size"] = (5, 0, 11)
    table = FrameTable.from_rows(rows)
    assert [table.position(row) for row in range(4)] == [0, 34, 63, 74]
    assert table.size == 74
    assert [table.row_at(place) for place in (0, 33, 34, 62, 63, 73)] == [0, 0, 1, 1, 2, 2]


def test_a_table_does_not_see_what_happens_to_the_rows_it_was_made_of() -> None:
    rows = rows_of(10)
    table = FrameTable.from_rows(rows)
    rows["key"] = 0
    assert keys(table) == list(range(10))


def test_the_rows_of_a_table_cannot_be_written() -> None:
    table = FrameTable.from_rows(rows_of(10)).splice(2, 3, rows_of(2))
    for chunk in table.chunks:
        with pytest.raises(ValueError, match="read-only"):
            chunk["key"] = 1


def test_nan_bits_survive_every_way_through_a_table() -> None:
    bits = np.array([0x7FF0000000000001, 0xFFF8000012345678, 1, 1 << 63], "u8")
    rows = rows_of(4)
    rows["elapsed"], rows["duration"] = bits.view("f8"), bits[::-1].view("f8")
    table = FrameTable.from_rows(rows_of(9)).splice(3, 2, rows).splice(8, 1, FrameTable.from_rows(rows))
    assert table.column("elapsed", 3, 7).view("u8").tolist() == bits.tolist()
    assert table.rows(3, 7)["duration"].tobytes() == bits[::-1].tobytes()
    assert b"".join(table.row(row)["elapsed"].tobytes() for row in range(8, 12)) == bits.tobytes()


# --- against a plain list -----------------------------------------------------------------------------------


def check_like(table: FrameTable, rows: list[tuple[Any, ...]]) -> None:
    plain = np.array(rows, ROW)
    framed = plain["kind"] != RAW
    sizes = plain["size"] + 29 * framed
    ends = np.cumsum(sizes)
    assert len(table) == len(rows)
    assert table.frames == framed.sum()
    assert table.size == sizes.sum()
    assert table.rows().tolist() == plain.tolist()
    assert table.positions().tolist() == [0, *ends.tolist()]
    assert all(0 < len(chunk) <= frames_module.CHUNK for chunk in table.chunks)
    assert table.raw_rows.tolist() == np.flatnonzero(~framed).tolist()
    is_edited = (plain["source"] == SCRATCH) | (plain["stored"] == 0)
    assert table.edited_rows.tolist() == np.flatnonzero(is_edited).tolist()
    assert [table.row_of_frame(n) for n in range(table.frames)] == np.flatnonzero(framed).tolist()
    for row in range(len(rows)):
        begin = int(ends[row] - sizes[row])
        assert table.row(row)["key"] == plain["key"][row]
        assert table.position(row) == begin
        assert table.frame_of_row(row) == framed[:row].sum()
        if sizes[row]:
            assert table.row_at(begin) == table.row_at(int(ends[row]) - 1) == row


MIXED = (FRAME, FRAME, RAW, OPEN_FRAME, FRAME)
SPLICES = st.lists(
    st.tuples(st.floats(0, 1), st.one_of(st.just(1), st.integers(0, 30)), st.integers(0, 40), st.booleans()),
    max_size=25,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(start=st.integers(0, 60), splices=SPLICES)
def test_any_splices_do_what_they_do_to_a_list(
    small_chunks: None, start: int, splices: list[tuple[float, int, int, bool]]
) -> None:
    first = rows_of(start, kinds=MIXED)
    table, plain, used = FrameTable.from_rows(first), first.tolist(), start
    history = []
    for place, removed, added, as_table in splices:
        at = int(place * len(plain))
        removed = min(removed, len(plain) - at)
        rows = rows_of(added, used, MIXED)
        used += added
        history.append((table, plain))
        table = table.splice(at, removed, FrameTable.from_rows(rows) if as_table else rows)
        plain = plain[:at] + rows.tolist() + plain[at + removed :]
    check_like(table, plain)
    for before, rows_before in history[-2:]:
        check_like(before, rows_before)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(count=st.integers(0, 40), start=st.integers(-5, 45), stop=st.integers(-5, 45))
def test_parts_are_what_they_are_of_a_list(small_chunks: None, count: int, start: int, stop: int) -> None:
    rows = rows_of(count, kinds=MIXED)
    table = FrameTable.from_rows(rows)
    expected = rows[start:stop]
    assert keys(table.slice(start, stop)) == expected["key"].tolist()
    assert table.rows(start, stop).tolist() == expected.tolist()
    assert table.column("size", start, stop).tolist() == expected["size"].tolist()


@pytest.mark.parametrize(("at", "removed"), [(-1, 0), (0, -1), (0, 11), (11, 0), (10, 1)])
def test_a_splice_of_rows_that_are_not_there_is_refused(at: int, removed: int) -> None:
    with pytest.raises(IndexError):
        FrameTable.from_rows(rows_of(10)).splice(at, removed, rows_of(1))


# --- chunks -------------------------------------------------------------------------------------------------


def test_a_splice_shares_all_chunks_but_those_around_it() -> None:
    table = FrameTable.from_rows(rows_of(50 * CHUNK))
    after = table.splice(20 * CHUNK + 5, 1, rows_of(1))
    shared = {id(chunk) for chunk in table.chunks} & {id(chunk) for chunk in after.chunks}
    assert len(shared) >= 47


def test_very_many_edits_leave_no_crumbs(small_chunks: None) -> None:
    table = FrameTable.from_rows(rows_of(400))
    for step in range(3000):
        at = (step * 7919) % (len(table) - 2)
        table = table.splice(at, step % 3, rows_of((step + 1) % 3))
    assert len(table.chunks) <= 2 * (len(table) / 8) + 1
    for a, b in zip(table.chunks, table.chunks[1:], strict=False):
        assert len(a) + len(b) > 8


def test_rows_inserted_one_by_one_fill_their_chunks(small_chunks: None) -> None:
    table = FrameTable()
    for number in range(100):
        table = table.splice(len(table), 0, rows_of(1, number))
    assert keys(table) == list(range(100))
    assert len(table.chunks) == 13


# --- layouts ------------------------------------------------------------------------------------------------


def headers(*packets: tuple[int, int]) -> bytes:
    return b"".join(struct.pack("<BI", *packet) for packet in packets)


def test_a_layout_is_kept_once_and_comes_back_as_arrays() -> None:
    layouts = Layouts()
    first = layouts.add(headers((2, 2), (6, 30), (1, 0)))
    second = layouts.add(headers((1, 0)))
    assert layouts.add(headers((2, 2), (6, 30), (1, 0))) == first != second
    assert len(layouts) == 2
    layout = layouts.get(first)
    assert layout.ids.tolist() == [2, 6, 1]
    assert layout.offsets.tolist() == [0, 7, 42]
    assert layout.sizes.tolist() == [2, 30, 0]
    assert layout.end == 47
    assert (layout.ids.dtype, layout.offsets.dtype, layout.sizes.dtype) == (np.uint8, np.int64, np.uint32)
    for part in layout:
        assert not part.flags.writeable


def test_an_empty_layout_is_one_too() -> None:
    layouts = Layouts()
    layout = layouts.get(layouts.add(b""))
    assert (len(layout.ids), layout.end) == (0, 0)


def test_sizes_of_four_gigabytes_do_not_overflow() -> None:
    layouts = Layouts()
    layout = layouts.get(layouts.add(headers(*[(200, 0xFFFFFFFF)] * 3)))
    assert layout.offsets.tolist() == [0, 2**32 + 4, 2 * (2**32 + 4)]
    assert layout.end == 3 * (2**32 + 4)


def test_walking_takes_the_whole_packets_alone() -> None:
    data = headers((6, 3)) + b"abc" + headers((7, 0)) + headers((8, 4)) + b"abc"
    layout = Layouts.walk(data)
    assert (layout.ids.tolist(), layout.offsets.tolist(), layout.sizes.tolist()) == ([6, 7], [0, 8], [3, 0])
    assert Layouts.headers(memoryview(data)) == headers((6, 3), (7, 0))


def test_a_full_pool_keeps_what_it_has_and_takes_nothing_new() -> None:
    layouts = Layouts(pool_bytes=1000)
    numbers = [layouts.add(headers((6, size))) for size in range(100)]
    kept = [number for number in numbers if number != NO_LAYOUT]
    assert numbers == [*range(len(kept)), *[NO_LAYOUT] * (100 - len(kept))]
    assert 0 < len(kept) == len(layouts) < 10
    assert layouts.add(headers((6, 0))) == 0
    assert layouts.add(headers(*[(6, 0)] * 5000)) == NO_LAYOUT
    with pytest.raises(IndexError):
        layouts.get(NO_LAYOUT)


def test_layouts_added_by_several_threads_get_one_number_each() -> None:
    layouts = Layouts()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: (n % 500, layouts.add(headers((6, n % 500)))), range(8000)))
    assert len(set(found)) == len(layouts) == 500
    assert all(layouts.get(number).sizes[0] == size for size, number in found)


# --- keys -----------------------------------------------------------------------------------------------------


def test_a_key_is_given_out_once() -> None:
    source = KeySource(5)
    with ThreadPoolExecutor(4) as pool:
        taken = np.concatenate(list(pool.map(source.take, [3] * 1000)))
    assert sorted(taken.tolist()) == list(range(5, 3005))
    assert source.take(0).tolist() == []
