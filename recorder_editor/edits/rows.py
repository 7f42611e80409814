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
    """Return the packets of a row as (id, body)."""
    return [(packet.id, packet.body) for packet in row.packets]


def packet_ids(packets: Sequence[RawPacket]) -> list[int]:
    """Return the ids of packets."""
    return [packet_id for packet_id, _ in packets]


def insertion_index(dialect: Dialect, present: Sequence[int], number: int) -> int:
    """Return the index at which the recorder would write a packet; before FrameEnd for unknown ids.

    Args:
        dialect: The dialect of the recording.
        present: Ids of the packets of the frame.
        number: Id of the packet.
    """
    order = recorder_order(dialect)
    rank = order.get(number, order[1] - 0.5)
    for index, packet_id in enumerate(present):
        if order.get(packet_id, -1.0) > rank:
            return index
    return len(present)


def recorder_order(dialect: Dialect) -> dict[int, int]:
    """Return the rank of each packet id in the order in which the recorder writes them."""
    return {packet_id: rank for rank, packet_id in enumerate(dialect.order)}


def frames_with(snapshot: Snapshot, kind: PacketType, frames: range) -> IntArray:
    """Return the frames that hold a packet with records, by their layouts.

    Args:
        snapshot: The recording.
        kind: The packet type.
        frames: Frame indices to look at.

    Returns:
        Frame indices, int64[n].
    """
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
    """Return the edit that replaces the packets of a row; bytes after its last whole packet stay.

    Args:
        snapshot: The recording.
        row: Of the frame table.
        packets: The new packets, FrameStart and FrameEnd included.
        label: Of the edit.
    """
    before = snapshot.row(row)
    data = b"".join(packet_bytes(packet_id, body) for packet_id, body in packets)
    end = 0
    if before.packets:
        last = before.packets[-1]
        end = last.offset + 5 + last.size - before.offset
    return with_bytes(snapshot, row, data + before.data[end:], label)


def with_bodies(snapshot: Snapshot, bodies: Mapping[tuple[int, int], bytes]) -> tuple[Splice, ...]:
    """Return the splices that replace bodies, given by row and index of the packet."""
    splices: list[Splice] = []
    # Written in file order, so that neighbours are read together later.
    for row in sorted({row for row, _ in bodies}):
        packets: list[RawPacket] = []
        for packet in snapshot.row(row).packets:
            packets.append((packet.id, bodies.get((row, packet.index), packet.body)))
        splices += with_packets(snapshot, row, packets, "").splices
    return tuple(reversed(splices))


def patched(snapshot: Snapshot, patches: Iterable[tuple[RecordPlace, int, bytes]]) -> dict[tuple[int, int], bytes]:
    """Return bodies with overwritten bytes.

    Args:
        snapshot: The recording.
        patches: Place of a record, offset in it, and the bytes to write there.

    Returns:
        The bodies by row and index of the packet.
    """
    bodies: dict[tuple[int, int], bytearray] = {}
    for row, group in groupby(sorted(patches), key=_row_of_patch):
        packets = snapshot.row(row).packets
        for place, offset, raw in group:
            packet = packets[place.packet]
            body = bodies.setdefault((row, place.packet), bytearray(packet.body))
            start = packet.decoded.span(place.record)[0] + offset
            body[start : start + len(raw)] = raw
    return {place: bytes(body) for place, body in bodies.items()}


def _row_of_patch(patch: tuple[RecordPlace, int, bytes]) -> int:
    place, _, _ = patch
    return place.row


def with_bytes(snapshot: Snapshot, row: int, data: bytes, label: str) -> Edit:
    """Return the edit that replaces the bytes of a row, FrameStart included."""
    return Edit(label, snapshot.version, (Splice(row, 1, rows_of(snapshot, data, like=row)),))


def rows_of(snapshot: Snapshot, data: bytes, like: int | None = None) -> FrameTable:
    """Write bytes to the scratch file and return their rows.

    Args:
        snapshot: The recording.
        data: The bytes.
        like: The row with the key that the first of the rows takes; None: all get new keys.
    """
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
        rows["kind"] = kind
        rows["source"] = source
        rows["layout"] = layout
        rows["stored"] = 1
        rows["offset"] = offset + START_SIZE
        rows["size"] = len(data) - START_SIZE
        rows["frame_id"] = np.frombuffer(data, rows.dtype["frame_id"], count=1, offset=5)
        rows["duration"] = np.frombuffer(data, rows.dtype["duration"], count=1, offset=13)
        rows["elapsed"] = np.frombuffer(data, rows.dtype["elapsed"], count=1, offset=21)
    rows["key"] = snapshot.keys.take(len(rows))
    if like is not None and len(rows):
        rows["key"][0] = snapshot.table.row(like)["key"]
    return FrameTable.from_rows(rows)


def _kind_of(data: bytes) -> int | None:
    """Return FRAME or OPEN_FRAME if the bytes are exactly one, else None."""
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
