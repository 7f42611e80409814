"""What the bytes of a stretch mean, as one code a byte: the view only has to paint it.

Looks at the rows and packets that are visible and at nothing else, however large the recording is.
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
    """Bytes from `start` on: the `data`, their `codes` (uint8), and which differ from the saved file (`edited`)."""

    start: int
    data: bytes
    codes: ByteArray
    edited: BoolArray


def shade(
    snapshot: Snapshot, saved: Snapshot | None, start: int, stop: int, lost: Sequence[tuple[int, int]] = ()
) -> Shading:
    """The shading of the bytes `[start, stop)` of a recording; `saved` is the state that the file holds, and the spans
    of `lost` are to be seen as damage."""
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
    """Which of the bytes `[start, stop)` of a recording are not what the saved state holds, wherever that stood."""
    edited = np.zeros(max(0, min(stop, snapshot.size) - start), np.bool_)
    if saved is not snapshot:
        if start < len(snapshot.header_bytes):
            _compare(edited, start, 0, snapshot.header_bytes, saved.header_bytes)
        for row in _rows_in(snapshot, start, stop):
            _mark_edits(snapshot, saved, row, edited, start, stop)
    return edited


def _rows_in(snapshot: Snapshot, start: int, stop: int) -> Iterator[int]:
    """The rows of which something lies in `[start, stop)`."""
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
    found = snapshot.row(row)
    end = found.offset
    for packet in found.packets:
        end = packet.offset + 5 + packet.size
        if packet.offset >= stop:
            return
        if end > base:
            _fill(codes, base, packet.offset, packet.offset + 5, PACKET_HEADER)
            _shade_body(packet, codes, base, stop)
    _fill(codes, base, end, found.offset + found.size, DAMAGED)


def _shade_body(packet: Packet, codes: ByteArray, base: int, stop: int) -> None:
    body = packet.decoded
    start = packet.offset + 5
    if body.count_leaf is not None:
        _fill(codes, base, start, start + 2, FIELD_A)
    fields: list[tuple[int, int]] = []
    for record, low, _high in _in_sight(packet, base, stop):
        if not fields or packet.type.record.size is None:
            fields = []
            for leaf in body.leaves(record):
                fields.append((leaf.start - low, leaf.stop - low))
        for turn, (first, last) in enumerate(fields):
            _fill(codes, base, start + low + first, start + low + last, FIELD_B - turn % 2)
    low, high = body.tail
    if body.damage is not None and high > low:
        _fill(codes, base, start + low, start + high, DAMAGED)


def _in_sight(packet: Packet, base: int, stop: int) -> Iterator[tuple[int, int, int]]:
    """The records of which something lies in `[base, stop)`, each with where it begins and ends in the body."""
    body = packet.decoded
    start = packet.offset + 5
    first = bisect_right(range(len(body)), base - start, key=lambda record: body.span(record)[1])
    for record in range(first, len(body)):
        low, high = body.span(record)
        if start + low >= stop:
            break
        yield record, low, high


def _mark_edits(snapshot: Snapshot, saved: Snapshot, row: int, edited: BoolArray, base: int, stop: int) -> None:
    now = snapshot.table.row(row)
    before = row_of_key(saved, int(now["key"]), row)
    position = snapshot.position(row)
    if before is None:
        _fill(edited, base, position, snapshot.position(row + 1), True)
        return
    then = saved.table.row(before)
    same = all(now[name] == then[name] for name in ("source", "offset", "size", "stored", "kind"))
    if same and _times(now) == _times(then):
        return
    if now["size"] == then["size"] and now["kind"] == then["kind"]:
        low, high = max(position, base), min(snapshot.position(row + 1), stop)
        theirs = saved.read(saved.position(before) + low - position, high - low)
        _compare(edited, base, low, snapshot.read(low, high - low), theirs)
    elif max(now["size"], then["size"]) > LARGEST_FRAME:
        _fill(edited, base, position, snapshot.position(row + 1), True)
    else:
        _compare_rows(edited, base, snapshot.row(row), saved.row(before))


def _compare_rows(edited: BoolArray, base: int, now: Row, then: Row) -> None:
    """Mark what differs between rows of different size: packet by packet where they have the same ones."""
    if not now.packets or [packet.id for packet in now.packets] != [packet.id for packet in then.packets]:
        _compare(edited, base, now.offset, now.data, then.data)
        return
    for ours, theirs in zip(now.packets, then.packets, strict=True):
        if ours.offset >= base + len(edited) or ours.offset + 5 + ours.size <= base:
            continue
        # The size and the count change with every byte inserted; what stands between is as it was.
        _compare(edited, base, ours.offset, ours.to_bytes()[:5], theirs.to_bytes()[:5])
        counted = 2 if ours.decoded.count_leaf is not None and theirs.decoded.count_leaf is not None else 0
        _compare(edited, base, ours.offset + 5, ours.body[:counted], theirs.body[:counted])
        if len(ours.decoded) != len(theirs.decoded) and not ours.decoded.damage and not theirs.decoded.damage:
            _compare_records(edited, base, ours, theirs)
        else:
            _compare(edited, base, ours.offset + 5 + counted, ours.body[counted:], theirs.body[counted:])
    ends = []
    for row in (now, then):
        ends.append(row.packets[-1].offset + 5 + row.packets[-1].size - row.offset)
    _compare(edited, base, now.offset + ends[0], now.data[ends[0] :], then.data[ends[1] :])


def _compare_records(edited: BoolArray, base: int, now: Packet, then: Packet) -> None:
    """Mark what differs in records in sight, each from what it was, wherever that stood; new ones as a whole."""
    start = now.offset + 5
    for record, low, high in _in_sight(now, base, base + len(edited)):
        before = same_record(now.decoded, then.decoded, record)
        if before is None:
            _fill(edited, base, start + low, start + high, True)
        else:
            was_low, was_high = then.decoded.span(before)
            _compare(edited, base, start + low, now.body[low:high], then.body[was_low:was_high])


def _times(record: np.void) -> bytes:
    return b"".join(record[name].tobytes() for name in ("frame_id", "elapsed", "duration"))


def _compare(edited: BoolArray, base: int, position: int, now: bytes, then: bytes) -> None:
    """Mark what differs; where the length changed, what lies between the equal beginning and the equal end."""
    if now == then or not now:
        return
    ours = np.frombuffer(now, np.uint8)
    theirs = np.frombuffer(then, np.uint8)
    if len(now) == len(then):
        changed = ours != theirs
    else:
        short = min(len(now), len(then))
        front = int(np.argmin(np.append(ours[:short] == theirs[:short], False)))
        back = int(np.argmin(np.append((ours[::-1][:short] == theirs[::-1][:short])[: short - front], False)))
        changed = np.zeros(len(now), np.bool_)
        changed[front : max(front, len(now) - back)] = True
        if len(now) < len(then):
            # Where bytes were taken out, the one behind them says so.
            changed[min(front, len(now) - 1)] = True
    low = max(0, position - base)
    skip = max(0, base - position)
    part = changed[skip:][: max(0, len(edited) - low)]
    edited[low : low + len(part)] |= part
