"""Edits of bytes, as of the hex pane. They have no intent: scripts cannot repeat them."""

import numpy as np

from ..errors import EditError
from ..format import MAX_RECORDS, parse_header
from ..recording import FRAME, RAW, Edit, FrameTable, Place, RecordingLike, Snapshot, Splice
from ..recording.frames import NO_LAYOUT
from ..texts import N_count, say, say_count
from .packets import with_body
from .rows import rows_of

_MAX_ADJACENT = 16 << 20  # bytes of damage next to an edit that are scanned again
_NEAR = 64 << 10  # the same on each side of an edit within a longer raw row


def overwrite(recording: RecordingLike, position: int, data: bytes) -> Edit:
    """Return the edit that overwrites bytes from a position of the recording on; the length stays.

    Raises `EditError` beyond the end, and if the header would no longer be readable.
    """
    end = position + len(data)
    if not data or position < 0 or end > recording.snapshot.size:
        raise EditError(say("There are no bytes to overwrite there."), offset=position)
    label = say_count(
        "Type {count:,} byte at 0x{position:06x}",
        "Type {count:,} bytes at 0x{position:06x}",
        count=len(data),
        position=position,
    )
    return replace_bytes(recording, position, end, data, label=label)


def replace_bytes(recording: RecordingLike, start: int, stop: int, data: bytes, *, label: str | None = None) -> Edit:
    """Return the edit that replaces the bytes `[start, stop)` by `data`; sizes and counts in the file stay.

    The bytes are scanned again for frames; in a raw row of more than 16 MiB, only those near the edit. Raises
    `EditError` across the end of the header.
    """
    snapshot = recording.snapshot
    length = len(snapshot.header_bytes)
    if start == stop:
        template = N_count("Insert {count:,} byte", "Insert {count:,} bytes")
    else:
        template = N_count("Replace {count:,} byte", "Replace {count:,} bytes")
    label = label or say(template, count=stop - start or len(data))
    if start < length:
        return _in_header(recording, start, stop, data, label)
    if not start <= stop <= snapshot.size:
        raise EditError(say("There are no bytes to replace there."), offset=start)
    begin = snapshot.row_at(start)
    end = begin
    if stop > start:
        end = snapshot.row_at(stop - 1)
    first = snapshot.rows if begin is None else begin
    last = snapshot.rows - 1 if end is None else end
    if first == last and _is_long_junk(snapshot, first):
        return Edit(label, snapshot.version, (Splice(first, 1, _split_junk(snapshot, first, start, stop, data)),))
    rows = _rows_between(snapshot, first, last, start, stop, data)
    wider = _with_adjacent_damage(snapshot, first, last, rows)
    if wider != (first, last):
        first, last = wider
        rows = _rows_between(snapshot, first, last, start, stop, data)
    return Edit(label, snapshot.version, (Splice(first, last + 1 - first, rows),))


def _rows_between(snapshot: Snapshot, first: int, last: int, start: int, stop: int, data: bytes) -> FrameTable:
    """Return the new rows for `first` to `last` after replacing the bytes `[start, stop)` in them by `data`."""
    low = snapshot.position(first)
    high = snapshot.position(last + 1)
    joined = snapshot.read(low, start - low) + data + snapshot.read(stop, high - stop)
    like = first if first <= last else None
    return rows_of(snapshot, joined, like=like)


def _is_long_junk(snapshot: Snapshot, row: int) -> bool:
    record = snapshot.table.row(row)
    return bool(record["kind"] == RAW and record["layout"] == NO_LAYOUT and record["size"] > _MAX_ADJACENT)


def _split_junk(snapshot: Snapshot, row: int, start: int, stop: int, data: bytes) -> FrameTable:
    """Return a long raw row in three parts; only the bytes near the edit are scanned again."""
    low = snapshot.position(row)
    high = snapshot.position(row + 1)
    near = max(low, start - _NEAR)
    far = min(high, stop + _NEAR)
    before = snapshot.table.rows(row, row + 1).copy()
    after = before.copy()
    before["size"] = near - low
    after["offset"] += far - low
    after["size"] = high - far
    after["key"] = snapshot.keys.take(1)
    changed = rows_of(snapshot, snapshot.read(near, start - near) + data + snapshot.read(stop, far - stop))
    parts = (before[before["size"] > 0], changed.rows(), after[after["size"] > 0])
    return FrameTable.from_rows(np.concatenate(parts))


def _with_adjacent_damage(snapshot: Snapshot, first: int, last: int, rows: FrameTable) -> tuple[int, int]:
    """Return the first and last row, extended by damaged neighbours that may form frames with the new rows."""
    table = snapshot.table
    room = _MAX_ADJACENT
    if not len(rows) or rows.row(0)["kind"] != FRAME:
        while first > 0 and table.row(first - 1)["kind"] != FRAME and table.row(first - 1)["size"] <= room:
            first -= 1
            room -= int(table.row(first)["size"])
    if not len(rows) or rows.row(len(rows) - 1)["kind"] != FRAME:
        while last + 1 < len(table) and table.row(last + 1)["kind"] == RAW and table.row(last + 1)["size"] <= room:
            last += 1
            room -= int(table.row(last)["size"])
    return first, last


def insert_in_body(recording: RecordingLike, where: Place, at: int, data: bytes, removed: int = 0) -> Edit:
    """Return the edit that inserts bytes at offset `at` of a packet's body (and removes some); the size is updated.

    The count is updated if records have one size and the new length is a multiple of it. Raises `EditError`.
    """
    snapshot = recording.snapshot
    packet = snapshot.row(where.row).packets[where.packet or 0]
    if packet.id in (0, 1) or not 0 <= at <= packet.size - removed:
        raise EditError(say("{name} has no room for bytes there.", name=packet.name), offset=packet.offset)
    body = packet.body[:at] + data + packet.body[at + removed :]
    record = packet.type.record.size
    if packet.type.body == "list" and record and at >= 2 and (len(body) - 2) % record == 0:
        count = (len(body) - 2) // record
        if count > MAX_RECORDS:
            raise EditError(
                say(
                    "{name} would hold {count:,} records; its count ends at {most:,}.",
                    name=packet.name,
                    count=count,
                    most=MAX_RECORDS,
                )
            )
        body = count.to_bytes(2, "little") + body[2:]
    return with_body(snapshot, where, body)


def _in_header(recording: RecordingLike, start: int, stop: int, data: bytes, label: str) -> Edit:
    snapshot = recording.snapshot
    raw = snapshot.header_bytes
    if stop > len(raw):
        raise EditError(say("The file header and what follows it are edited apart."), offset=start)
    changed = raw[:start] + data + raw[stop:]
    parsed = parse_header(changed + snapshot.read(len(raw), 5))
    if parsed is None or parsed[1] != len(changed):
        raise EditError(say("The file header would no longer be readable."), offset=start)
    return Edit(label, snapshot.version, (), header=parsed[0])
