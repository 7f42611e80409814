"""What the bytes of a span mean, as one code a byte: the view only has to paint it.

Reads the rows and packets that are visible and nothing else, however large the recording is.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

import numpy as np

from ..arrays import BoolArray, ByteArray
from ..recording import LARGEST_FRAME, RAW, Packet, Row, Snapshot
from .saved_rows import row_of_key, same_record

PLAIN: Final = 0
PACKET_HEADER: Final = 1
FIELD_A: Final = 2
FIELD_B: Final = 3
DAMAGED: Final = 4

Marks = TypeVar("Marks", ByteArray, BoolArray)


class Shading(NamedTuple):
    """Meaning of the bytes of a span.

    Attributes:
        start: Position of the first byte in the recording.
        data: The bytes.
        codes: What each byte is, uint8[n]: PLAIN, PACKET_HEADER, FIELD_A, FIELD_B or DAMAGED.
        edited: Which bytes differ from the saved file, bool[n].
    """

    start: int
    data: bytes
    codes: ByteArray
    edited: BoolArray


def shade(
    snapshot: Snapshot, saved: Snapshot | None, start: int, stop: int, lost: Sequence[tuple[int, int]] = ()
) -> Shading:
    """Return what the bytes `[start, stop)` of a recording mean.

    Args:
        snapshot: State of the recording.
        saved: State that the file holds; None: no byte counts as edited.
        start: Position of the first byte.
        stop: Position behind the last byte; bytes behind the end of the recording are left out.
        lost: Spans `(start, stop)` of bytes that are coded as damage, whatever they hold.

    Returns:
        The bytes with their codes.
    """
    stop = min(stop, snapshot.size)
    data = snapshot.read(start, stop - start)
    codes = np.zeros(len(data), np.uint8)
    if start < len(snapshot.header_bytes) and snapshot.header is not None:
        for index, (_, low, high) in enumerate(snapshot.header.spans()):
            _fill(codes, start, low, high, FIELD_A + index % 2)
    for row in _rows_in(snapshot, start, stop):
        _shade_row(snapshot, row, codes, start, stop)
    for low, high in lost:
        if low < stop and high > start:
            _fill(codes, start, low, high, DAMAGED)
    if saved is not None:
        edited = edited_bytes(snapshot, saved, start, stop)
    else:
        edited = np.zeros(len(data), np.bool_)
    return Shading(start, data, codes, edited)


def edited_bytes(snapshot: Snapshot, saved: Snapshot, start: int, stop: int) -> BoolArray:
    """Return which bytes of a recording differ from the saved state; rows and records are compared wherever they stood.

    Args:
        snapshot: State of the recording.
        saved: State that the file holds.
        start: Position of the first byte.
        stop: Position behind the last byte; bytes behind the end of the recording are left out.

    Returns:
        One truth value a byte, bool[n].
    """
    length = max(0, min(stop, snapshot.size) - start)
    edited = np.zeros(length, np.bool_)
    if saved is snapshot:
        return edited
    if start < len(snapshot.header_bytes):
        _mark_differences(edited, start, position=0, new=snapshot.header_bytes, old=saved.header_bytes)
    for row in _rows_in(snapshot, start, stop):
        _mark_edits(snapshot, saved, row, edited, start, stop)
    return edited


def _rows_in(snapshot: Snapshot, start: int, stop: int) -> Iterator[int]:
    """Yield the rows of which a byte lies in `[start, stop)`."""
    row = snapshot.row_at(max(start, len(snapshot.header_bytes)))
    while row is not None and row < snapshot.rows and snapshot.position(row) < stop:
        yield row
        row += 1


def _fill(marks: Marks, base: int, start: int, stop: int, mark: int) -> None:
    marks[max(0, start - base) : max(0, stop - base)] = mark


def _shade_row(snapshot: Snapshot, row: int, codes: ByteArray, base: int, stop: int) -> None:
    record = snapshot.table.row(row)
    if record["kind"] == RAW and record["layout"] < 0:
        position = snapshot.position(row)
        _fill(codes, base, position, position + int(record["size"]), DAMAGED)
        return
    content = snapshot.row(row)
    end = content.offset
    for packet in content.packets:
        end = packet.offset + 5 + packet.size
        if packet.offset >= stop:
            return
        if end > base:
            _fill(codes, base, packet.offset, packet.offset + 5, PACKET_HEADER)
            _shade_body(packet, codes, base, stop)
    _fill(codes, base, end, content.offset + content.size, DAMAGED)


def _shade_body(packet: Packet, codes: ByteArray, base: int, stop: int) -> None:
    body = packet.decoded
    start = packet.offset + 5
    if body.count_leaf is not None:
        _fill(codes, base, start, start + 2, FIELD_A)
    field_spans: list[tuple[int, int]] = []
    for record, low, _high in _visible_records(packet, base, stop):
        # Records of a fixed size all have the fields of the first one.
        if not field_spans or packet.type.record.size is None:
            field_spans = [(leaf.start - low, leaf.stop - low) for leaf in body.leaves(record)]
        for index, (first, last) in enumerate(field_spans):
            _fill(codes, base, start + low + first, start + low + last, FIELD_B - index % 2)
    low, high = body.tail
    if body.damage is not None and high > low:
        _fill(codes, base, start + low, start + high, DAMAGED)


def _visible_records(packet: Packet, base: int, stop: int) -> Iterator[tuple[int, int, int]]:
    """Yield the records of which a byte lies in `[base, stop)`, with their start and end in the body."""
    body = packet.decoded
    start = packet.offset + 5
    first = bisect_right(range(len(body)), base - start, key=lambda record: body.span(record)[1])
    for record in range(first, len(body)):
        low, high = body.span(record)
        if start + low >= stop:
            break
        yield record, low, high


def _mark_edits(snapshot: Snapshot, saved: Snapshot, row: int, edited: BoolArray, base: int, stop: int) -> None:
    """Mark the bytes of a row that differ from the row of the same key in the saved state."""
    record = snapshot.table.row(row)
    position = snapshot.position(row)
    end = snapshot.position(row + 1)
    saved_row = row_of_key(saved, int(record["key"]), row)
    if saved_row is None:
        _fill(edited, base, position, end, True)
        return
    saved_record = saved.table.row(saved_row)
    if _content(record) == _content(saved_record):
        return
    if record["size"] == saved_record["size"] and record["kind"] == saved_record["kind"]:
        low = max(position, base)
        high = min(end, stop)
        new = snapshot.read(low, high - low)
        old = saved.read(saved.position(saved_row) + low - position, high - low)
        _mark_differences(edited, base, low, new, old)
    elif max(record["size"], saved_record["size"]) > LARGEST_FRAME:
        _fill(edited, base, position, end, True)
    else:
        _compare_rows(edited, base, new=snapshot.row(row), old=saved.row(saved_row))


def _content(record: np.void) -> tuple[object, ...]:
    """Return what says whether two records of the frame table have the same bytes; times as bytes, for NaN."""
    columns = tuple(record[name] for name in ("source", "offset", "size", "stored", "kind"))
    times = b"".join(record[name].tobytes() for name in ("frame_id", "elapsed", "duration"))
    return (columns, times)


def _compare_rows(edited: BoolArray, base: int, new: Row, old: Row) -> None:
    """Mark what differs between rows of different size: packet by packet where they have the same ones."""
    if not new.packets or [packet.id for packet in new.packets] != [packet.id for packet in old.packets]:
        _mark_differences(edited, base, new.offset, new.data, old.data)
        return
    for packet, old_packet in zip(new.packets, old.packets, strict=True):
        is_visible = packet.offset < base + len(edited) and packet.offset + 5 + packet.size > base
        if is_visible:
            _compare_packets(edited, base, packet, old_packet)
    end = _end_of_packets(new)
    old_end = _end_of_packets(old)
    _mark_differences(edited, base, new.offset + end, new.data[end:], old.data[old_end:])


def _end_of_packets(row: Row) -> int:
    """Return where the last packet of a row ends, in the row."""
    last = row.packets[-1]
    return last.offset + 5 + last.size - row.offset


def _compare_packets(edited: BoolArray, base: int, new: Packet, old: Packet) -> None:
    # The size and the count change with every byte inserted; what stands between is as it was.
    _mark_differences(edited, base, new.offset, new.to_bytes()[:5], old.to_bytes()[:5])
    body = new.offset + 5
    count_size = 0
    if new.decoded.count_leaf is not None and old.decoded.count_leaf is not None:
        count_size = 2
    _mark_differences(edited, base, body, new.body[:count_size], old.body[:count_size])
    is_sound = new.decoded.damage is None and old.decoded.damage is None
    if is_sound and len(new.decoded) != len(old.decoded):
        _compare_records(edited, base, new, old)
    else:
        _mark_differences(edited, base, body + count_size, new.body[count_size:], old.body[count_size:])


def _compare_records(edited: BoolArray, base: int, new: Packet, old: Packet) -> None:
    """Mark what differs in visible records, each compared with itself, wherever it stood; new ones as a whole."""
    start = new.offset + 5
    for record, low, high in _visible_records(new, base, base + len(edited)):
        old_record = same_record(new.decoded, old.decoded, record)
        if old_record is None:
            _fill(edited, base, start + low, start + high, True)
        else:
            old_low, old_high = old.decoded.span(old_record)
            _mark_differences(edited, base, start + low, new.body[low:high], old.body[old_low:old_high])


def _mark_differences(edited: BoolArray, base: int, position: int, new: bytes, old: bytes) -> None:
    """Mark what differs; where the length changed, what lies between the equal beginning and the equal end.

    Args:
        edited: Marks of the bytes from `base` on, bool[n]; changed in place.
        base: Position of the first mark in the recording.
        position: Position of `new` in the recording.
        new: Bytes of the recording.
        old: Bytes that it is compared with.
    """
    if new == old or not new:
        return
    new_bytes = np.frombuffer(new, np.uint8)
    old_bytes = np.frombuffer(old, np.uint8)
    if len(new) == len(old):
        changed = new_bytes != old_bytes
    else:
        shorter = min(len(new), len(old))
        front = _equal_at_start(new_bytes[:shorter], old_bytes[:shorter])
        rest = shorter - front
        back = _equal_at_start(new_bytes[::-1][:rest], old_bytes[::-1][:rest])
        changed = np.zeros(len(new), np.bool_)
        changed[front : max(front, len(new) - back)] = True
        if len(new) < len(old):
            # Where bytes were removed, the one behind them is marked.
            changed[min(front, len(new) - 1)] = True
    low = max(0, position - base)
    skip = max(0, base - position)
    part = changed[skip:][: max(0, len(edited) - low)]
    edited[low : low + len(part)] |= part


def _equal_at_start(new: ByteArray, old: ByteArray) -> int:
    """Return how many bytes at the beginning of two arrays of the same length are equal."""
    is_equal = np.append(new == old, False)
    return int(np.argmin(is_equal))
