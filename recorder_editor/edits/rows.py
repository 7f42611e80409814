"""Replacement of rows: new bytes are written to the scratch file, and a row is replaced by others.

A row that is still a frame (24-byte FrameStart, whole packets, an empty FrameEnd) keeps its key; other bytes are
scanned again.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

import numpy as np

from ..arrays import IntArray
from ..format import Dialect, PacketType, packet_bytes
from ..recording import FRAME, FRAME_START_HEADER, START_SIZE, Edit, FrameTable, RecordPlace, Row, Snapshot, Splice
from ..recording.frames import OPEN_FRAME, ROW, Layouts
from ..recording.scan import scan

RawPacket = tuple[int, bytes]
"""(id, body)."""


def raw_packets(row: Row) -> list[RawPacket]:
    """The packets of a row as (id, body)."""
    return [(packet.id, packet.body) for packet in row.packets]


def insertion_index(dialect: Dialect, present: Sequence[int], number: int) -> int:
    """The index at which the recorder would write a packet; before FrameEnd for unknown ids."""
    order = {one: rank for rank, one in enumerate(dialect.order)}
    rank = order.get(number, order[1] - 0.5)
    for index, one in enumerate(present):
        if order.get(one, -1.0) > rank:
            return index
    return len(present)


def frames_with(snapshot: Snapshot, kind: PacketType, frames: range) -> IntArray:
    """The frames that hold a packet of a kind with records, by their layouts: int64[n]."""
    indices = np.arange(frames.start, frames.stop, frames.step)
    layouts = snapshot.frame_column("layout")[indices].astype(np.int64)
    pool = snapshot.layouts
    holds = np.zeros(len(pool) + 1, np.bool_)
    holds[-1] = True  # no layout: the frame has to be read
    for number in np.unique(layouts[layouts >= 0]).tolist():
        ids, _, sizes = pool.get(number)
        holds[number] = bool(((ids == kind.id) & (sizes > 2)).any())
    return indices[holds[layouts]]


def with_packets(snapshot: Snapshot, row: int, packets: Sequence[RawPacket], label: str) -> Edit:
    """The edit that replaces the packets of a row; bytes after its last whole packet stay."""
    found = snapshot.row(row)
    data = b"".join(packet_bytes(number, body) for number, body in packets)
    last = None
    if found.packets:
        last = found.packets[-1]
    if last is not None:
        rest = found.data[last.offset + 5 + last.size - found.offset :]
    else:
        rest = found.data
    return with_bytes(snapshot, row, data + rest, label)


def with_bodies(snapshot: Snapshot, bodies: Mapping[tuple[int, int], bytes]) -> tuple[Splice, ...]:
    """Splices that replace bodies, by row and index of the packet."""
    splices: list[Splice] = []
    # Written in file order, so that neighbours are read together later.
    for row in sorted({row for row, _ in bodies}):
        packets = []
        for each in snapshot.row(row).packets:
            packets.append((each.id, bodies.get((row, each.index), each.body)))
        splices += with_packets(snapshot, row, packets, "").splices
    return tuple(reversed(splices))


def patched(snapshot: Snapshot, patches: Iterable[tuple[RecordPlace, int, bytes]]) -> dict[tuple[int, int], bytes]:
    """Bodies by row and packet, after overwriting bytes at an offset of each of these records."""
    bodies: dict[tuple[int, int], bytearray] = {}
    for row, group in groupby(sorted(patches), key=lambda each: each[0].row):
        packets = snapshot.row(row).packets
        for place, at, raw in group:
            body = bodies.setdefault((row, place.packet), bytearray(packets[place.packet].body))
            start = packets[place.packet].decoded.span(place.record)[0] + at
            body[start : start + len(raw)] = raw
    return {place: bytes(body) for place, body in bodies.items()}


def with_bytes(snapshot: Snapshot, row: int, data: bytes, label: str) -> Edit:
    """The edit that replaces the bytes of a row, FrameStart included."""
    return Edit(label, snapshot.version, (Splice(row, 1, rows_of(snapshot, data, like=row)),))


def rows_of(snapshot: Snapshot, data: bytes, like: int | None = None) -> FrameTable:
    """Rows of bytes that are written to the scratch file; the first takes the key of row `like`."""
    if not data:
        return FrameTable.from_rows(snapshot.table.rows(0, 0))
    source, offset = snapshot.store.append(data)
    kind = _kind_of(data)
    open_before = like is not None and int(snapshot.table.row(like)["kind"]) == OPEN_FRAME
    if kind is None or (kind == OPEN_FRAME and not open_before):
        table = scan(snapshot.store, source, offset, len(data), layouts=snapshot.layouts, keys=snapshot.keys).table
        rows = table.rows().copy()
    else:
        layout = snapshot.layouts.add(Layouts.headers(data[START_SIZE:]))
        rows = np.zeros(1, ROW)
        rows["kind"], rows["source"], rows["layout"], rows["stored"] = kind, source, layout, 1
        rows["offset"], rows["size"] = offset + START_SIZE, len(data) - START_SIZE
        for name, at in (("frame_id", 5), ("duration", 13), ("elapsed", 21)):
            rows[name] = np.frombuffer(data, rows.dtype[name], count=1, offset=at)
    rows["key"] = snapshot.keys.take(len(rows))
    if like is not None and len(rows):
        rows["key"][0] = snapshot.table.row(like)["key"]
    return FrameTable.from_rows(rows)


def _kind_of(data: bytes) -> int | None:
    """FRAME or OPEN_FRAME if the bytes are exactly one, else None."""
    if data[:5] != FRAME_START_HEADER or len(data) < START_SIZE:
        return None
    layout = Layouts.walk(memoryview(data)[START_SIZE:])
    if START_SIZE + layout.end != len(data) or not layout.ids.all():
        return None
    ends = np.flatnonzero((layout.ids == 1) & (layout.sizes == 0)).tolist()
    if not ends:
        return OPEN_FRAME
    if ends == [len(layout.ids) - 1]:
        return FRAME
    return None
