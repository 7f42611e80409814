"""The records of many frames at once: frames of one layout as a two-dimensional array of bytes, records as views of it.

Many frames are then changed by a numpy assignment without a Python loop. `edits.block_rewrite` writes the result.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..arrays import AnyArray, BoolArray, IndexArray, IntArray, StructuredArray, UInt32Array, run_ends
from ..format import WIDTHS, Array, Dialect, PacketType, decode
from .frames import RAW, START_SIZE, Layout, Layouts
from .snapshot import FRAME_START_HEADER, Snapshot
from .store import Store

BLOCK = 8 << 20
"""Bytes of a block, at most."""

_ROWS = 4096  # read from the table at once
_TOGETHER = 1 << 18  # bytes of small blocks that are read together
_SMALL = _TOGETHER // 8

Bytes = np.ndarray[tuple[int, int], np.dtype[np.uint8]]


class RecordArray:
    """The records of one packet type in bodies of equal length that begin at the same byte: shape (frames, records).

    Only for records of fixed size. `valid` has the records that are within the counts of their bodies.

    Attributes:
        kind: The packet type.
        bytes: uint8 (frames, records, size of a record), a writable view of the bodies.
        values: The same as the record's dtype (frames, records).
    """

    def __init__(self, kind: PacketType, bodies: Bytes) -> None:
        """View the records of bodies.

        Args:
            kind: The packet type, with records of fixed size.
            bodies: uint8 (frames, size of the body).
        """
        record = kind.dtype
        assert record is not None
        self.kind = kind
        self._bodies = bodies
        body_size = bodies.shape[1]
        if kind.body == "list":
            self._head = 2  # bytes of the count
            most = max(0, body_size - self._head) // record.itemsize
        else:
            self._head = 0
            most = min(body_size // record.itemsize, 1)
        stop = self._head + most * record.itemsize
        self.bytes = bodies[:, self._head : stop].reshape(len(bodies), most, record.itemsize)
        self.values: StructuredArray = self.bytes.view(record)[:, :, 0]

    @property
    def shape(self) -> tuple[int, int]:
        """(frames, most records in a body of this size)."""
        return self.bytes.shape[0], self.bytes.shape[1]

    @cached_property
    def valid(self) -> BoolArray:
        """bool (frames, records): the records within the counts of their bodies."""
        frames, most = self.shape
        if not self._head or not most:
            return np.ones((frames, most), np.bool_)
        return np.arange(most) < counts_of(self._bodies)[:, None]

    @cached_property
    def ids(self) -> UInt32Array:
        """The actor ids, uint32 (frames, records), a copy; for packet types with an actor field."""
        field = self.kind.actor_field
        assert field is not None
        return np.ascontiguousarray(self.values[field.path])

    def last_of(self, actor: int) -> tuple[IndexArray, IndexArray]:
        """Find the last valid record of an actor in each frame that has one.

        Returns:
            The indices of these frames and of the records in them, each of shape (n,).
        """
        rows, columns = np.nonzero((self.ids == actor) & self.valid)
        last = run_ends(rows)
        return rows[last], columns[last]


def actor_ids(kind: PacketType, bodies: Bytes) -> UInt32Array | None:
    """The actor ids in bodies of the same number of complete records.

    Args:
        kind: A list type with an actor field.
        bodies: uint8 (n, size of the body), n at least 1.

    Returns:
        uint32 (n, records); None if records may begin at different bytes.
    """
    if kind.dtype is not None:
        return RecordArray(kind, bodies).ids
    first = decode(kind, bodies[0].tobytes())
    starts = np.array([first.span(index)[0] for index in range(len(first))], np.intp)[:, None]
    if len(bodies) > 1:
        array = kind.record.steps[-1]
        if len(kind.record.steps) != 2 or not isinstance(array, Array) or array.element.size is None:
            return None
        width = WIDTHS[array.count]
        # A record without elements is as long as the fields before the count and the count itself.
        counts = (starts + kind.record.least - width + np.arange(width)).reshape(-1)
        if (bodies[:, counts] != bodies[0, counts]).any():
            return None
    ids = (starts + kind.actor_offsets[0] + np.arange(4)).reshape(-1)
    return np.ascontiguousarray(bodies[:, ids]).view("<u4")


def runs(mask: BoolArray) -> list[tuple[int, int]]:
    """The ranges `[first, stop)` in which a mask is true, rising."""
    padded = np.concatenate(([False], mask, [False]))
    edges = np.flatnonzero(padded[1:] != padded[:-1])  # by turns the first of a range and its stop
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def as_bytes(numbers: AnyArray) -> Bytes:
    """The bytes of each row of numbers: uint8 (n, bytes)."""
    return np.ascontiguousarray(numbers).view(np.uint8).reshape(len(numbers), -1)


def counts_of(bodies: Bytes) -> IntArray:
    """The record counts of bodies.

    Args:
        bodies: uint8 (n, 2 or more).

    Returns:
        int64 (n,).
    """
    counts = np.ascontiguousarray(bodies[:, :2]).view("<u2")
    return counts[:, 0].astype(np.int64)


@dataclass(frozen=True)
class FrameBlock:
    """Neighbouring frames of one layout.

    Attributes:
        first: The number of the first row.
        rows: The rows of the frame table, shape (frames,).
        data: All bytes including FrameStart, uint8 (frames, bytes), writable.
        layout: The layout; its offsets count from byte 29.
    """

    first: int
    rows: StructuredArray
    data: Bytes
    layout: Layout

    def __len__(self) -> int:
        return len(self.rows)

    def spans(self, dialect: Dialect) -> Iterator[tuple[PacketType, int, int]]:
        """The type, the first byte of the body in a row of `data`, and the size of the body of each packet."""
        for number, offset, size in self.layout.packets():
            yield dialect.packet(number), START_SIZE + offset + 5, size

    def packets(self, kind: PacketType) -> list[int]:
        """The indices in the layout of the packets of a type."""
        return np.flatnonzero(self.layout.ids == kind.id).tolist()

    def bodies(self, packet: int) -> Bytes:
        """The bodies of a packet, by its index in the layout: uint8 (frames, size), a view of `data`."""
        start = START_SIZE + int(self.layout.offsets[packet]) + 5
        return self.data[:, start : start + int(self.layout.sizes[packet])]

    def records(self, kind: PacketType) -> Iterator[RecordArray]:
        """The records of each packet of a type with records of fixed size."""
        for packet in self.packets(kind):
            yield RecordArray(kind, self.bodies(packet))


def blocks(snapshot: Snapshot, first: int, stop: int, most: int = BLOCK) -> Iterator[FrameBlock]:
    """Read frames in blocks of neighbours of one layout; raw rows are skipped. Errors as `Store.read`.

    Args:
        snapshot: The state.
        first: The first row.
        stop: The row after the last one.
        most: The most bytes of a block; one frame may have more.
    """
    reader = _Reader(snapshot.store)
    for start in range(first, stop, _ROWS):
        rows = snapshot.table.rows(start, min(stop, start + _ROWS))
        stretch_ends = _stretch_ends(rows)
        edges = np.flatnonzero(np.concatenate(([True], _breaks(rows), [True])))
        for begin, end in pairwise(edges.tolist()):
            if rows["kind"][begin] == RAW:
                continue
            stride = int(rows["size"][begin]) + START_SIZE
            step = max(1, most // stride)
            for index in range(begin, end, step):
                part = rows[index : min(index + step, end)].copy()
                # Not in a variable here, which would keep the bytes of a block while the next one is read.
                yield _block(snapshot, start + index, part, reader.read(part, stride, int(stretch_ends[index])))


def _stretch_ends(rows: StructuredArray) -> IntArray:
    """The offsets up to which the bytes of rows follow one another in their source, int64[rows]."""
    ends = rows["offset"] + rows["size"]
    starts = rows["offset"] - np.where(rows["kind"] == RAW, 0, START_SIZE)
    is_last = np.append((starts[1:] != ends[:-1]) | (rows["source"][1:] != rows["source"][:-1]), True)
    last = np.flatnonzero(is_last)
    return np.asarray(ends[last[np.searchsorted(last, np.arange(len(rows)))]])


class _Reader:
    """Reads blocks; small ones that follow one another in a source are read together."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._source = -1
        self._start = 0
        self._data = np.empty(0, np.uint8)  # of the source, from `_start` on

    def read(self, rows: StructuredArray, stride: int, stretch_end: int) -> Bytes:
        """Read the bytes of frames from the first FrameStart on; errors as `Store.read`.

        Args:
            rows: Their rows, which follow one another in the source.
            stride: Bytes of each frame.
            stretch_end: The offset up to which there are frames in the source.

        Returns:
            uint8 (rows, stride), writable.
        """
        data = np.empty((len(rows), stride), np.uint8)
        flat = data.reshape(-1)
        source = int(rows["source"][0])
        offset = int(rows["offset"][0]) - START_SIZE
        if len(flat) > _SMALL:
            self._store.read_into(source, offset, flat.data)
            return data
        skipped = offset - self._start
        if source != self._source or not 0 <= skipped <= len(self._data) - len(flat):
            self._data = np.empty(min(stretch_end - offset, _TOGETHER), np.uint8)
            self._store.read_into(source, offset, self._data.data)
            self._source = source
            self._start = offset
            skipped = 0
        flat[:] = self._data[skipped : skipped + len(flat)]
        return data


def _breaks(rows: StructuredArray) -> BoolArray:
    """Where a new block begins, bool[rows - 1]: another layout, or bytes that do not follow in the source."""
    before = rows[:-1]
    after = rows[1:]
    continues: BoolArray = (
        (before["kind"] != RAW)
        & (after["kind"] != RAW)
        & (before["layout"] >= 0)
        & (before["layout"] == after["layout"])
        & (before["size"] == after["size"])
        & (before["source"] == after["source"])
        & (after["offset"] - before["offset"] == before["size"] + START_SIZE)
    )
    return ~continues


def _block(snapshot: Snapshot, first: int, rows: StructuredArray, data: Bytes) -> FrameBlock:
    if not rows["stored"].all():
        data[:, :5] = np.frombuffer(FRAME_START_HEADER, np.uint8)
        for name, first_byte in (("frame_id", 5), ("duration", 13), ("elapsed", 21)):
            data[:, first_byte : first_byte + 8] = as_bytes(rows[name])
    index = int(rows["layout"][0])
    if index >= 0:
        layout = snapshot.layouts.get(index)
    else:
        layout = Layouts.walk(data[0, START_SIZE:].tobytes())
    return FrameBlock(first, rows, data, layout)
