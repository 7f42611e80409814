"""Reads the records of one packet type from many frames: locates packets, reads them in batches, copies them to
columns.

Records are located by the layouts of the frame table, a block of frames is read with few calls into a reused buffer,
and its records are copied with one numpy assignment. Counts in bodies are limited by the sizes of packets.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import Int32Array, IntArray, StructuredArray, UInt32Array
from ..format import MAX_RECORDS, PACKET_HEADER, PacketType
from .packet_headers import SpanHeaders
from .snapshot import Snapshot
from .store import Store

BLOCK = 1 << 16
"""Largest number of records in a block: what is computed from it stays in the cache of the processor."""

_BUFFER = 4 << 20  # holds the largest body there can be: 65,535 records of 52 bytes
_PORTION = 1 << 18  # packets located together, about
_WALKED = 64  # bytes of a span without a layout that count as one packet, about
_GAP = 64 << 10  # what is faster read along than left out


class BodySpans(NamedTuple):
    """The places of the bodies of one packet type: one entry for each packet, in file order.

    Attributes: `frames` (indices), `sources`, `starts` (offsets of the bodies in the source), `records` (as many as the
    body's size holds), `ends` (offsets after those).
    """

    frames: IntArray
    sources: npt.NDArray[np.uint16]
    starts: IntArray
    records: IntArray
    ends: IntArray

    def between(self, begin: int, end: int) -> "BodySpans":
        """The entries `[begin, end)`."""
        part = slice(begin, end)
        return BodySpans(self.frames[part], self.sources[part], self.starts[part], self.records[part], self.ends[part])


class PacketLocator:
    """The places of the packets of one type in each layout: entries `[first[n], first[n] + count[n])` of lists."""

    def __init__(self, snapshot: Snapshot, kind: PacketType, headers: SpanHeaders) -> None:
        size = kind.record.size
        assert size is not None
        self._snapshot = snapshot
        self._headers = headers
        self._kind = kind
        self._size = size
        self._head = _head(kind)
        # By layout: first entry (-1: not looked at yet) and number of entries. The last column is for no layout.
        self._index = np.zeros((2, 1), np.int64)
        self._bodies = np.empty(0, np.int64)
        self._records = np.empty(0, np.int64)

    def slots(self, rows: StructuredArray, frames: IntArray) -> Iterator[BodySpans]:
        """The packets in these rows, in portions of bounded size; `frames` are the frame indices of the rows."""
        self._learn(rows["layout"])
        layouts = rows["layout"]
        portion = np.cumsum(np.where(layouts < 0, rows["size"] // _WALKED, self._index[1][layouts])) // _PORTION
        cuts = [0, *(np.flatnonzero(np.diff(portion)) + 1).tolist(), len(rows)]
        for begin, end in pairwise(cuts):
            yield self._slots(rows[begin:end], frames[begin:end])

    def _slots(self, rows: StructuredArray, frames: IntArray) -> BodySpans:
        layout = rows["layout"]
        unknown = layout < 0
        first, count = self._index[0][layout], self._index[1][layout]
        bodies, records = self._bodies, self._records
        if unknown.any():
            of, walked = self._walk(rows[unknown])
            count[unknown] = of
            first[unknown] = len(bodies) + np.cumsum(of) - of
            bodies = np.concatenate([bodies, walked[:, 1]])
            records = np.concatenate([records, self._held(walked[:, 2])])
        index = np.repeat(first, count)
        if len(index) and count.max() > 1:
            index += np.arange(len(index)) - np.repeat(np.cumsum(count) - count, count)
        # The commonest case by far is one packet in every row, and needs no copies of the columns.
        once = len(index) == len(rows) and bool((count == 1).all())
        pick: Any = slice(None) if once else np.repeat(np.arange(len(rows)), count)
        starts = rows["offset"][pick] + bodies[index]
        held = records[index]
        return BodySpans(frames[pick], rows["source"][pick], starts, held, starts + self._head + held * self._size)

    def _learn(self, layouts: Int32Array) -> None:
        pool = self._snapshot.layouts
        if self._index.shape[1] <= len(pool):
            grown = np.full((2, len(pool) + 1), -1, np.int64)
            grown[:, : self._index.shape[1] - 1] = self._index[:, :-1]
            grown[:, -1] = 0
            self._index = grown
        bodies, sizes, count = [self._bodies], [], len(self._bodies)
        for number in np.flatnonzero(np.bincount(layouts[self._index[0][layouts] < 0])).tolist():
            ids, offsets, lengths = pool.get(number)
            (found,) = np.nonzero((ids == self._kind.id) & (lengths >= self._head + self._size))
            self._index[:, number] = count, len(found)
            bodies.append(offsets[found] + PACKET_HEADER.size)
            sizes.append(lengths[found])
            count += len(found)
        if sizes:
            self._bodies = np.concatenate(bodies)
            self._records = np.append(self._records, self._held(np.concatenate(sizes).astype(np.int64)))

    def _walk(self, rows: StructuredArray) -> tuple[IntArray, IntArray]:
        """The number of packets in each row without a layout, and the headers of all (`read_headers`)."""
        spans = zip(*(rows[name].tolist() for name in ("source", "offset", "size")), strict=True)
        found = [self._headers.read(*span) for span in spans]
        headers = np.concatenate(found)
        wanted = (headers[:, 0] == self._kind.id) & (headers[:, 2] >= self._head + self._size)
        row = np.repeat(np.arange(len(found)), [len(part) for part in found])
        return np.bincount(row[wanted], minlength=len(found)), headers[wanted]

    def _held(self, sizes: IntArray) -> IntArray:
        """The number of records in bodies of these sizes."""
        return np.minimum((sizes - 2) // self._size, MAX_RECORDS) if self._head else np.ones_like(sizes)


def _head(kind: PacketType) -> int:
    """The bytes of a body before its first record."""
    return 2 if kind.body == "list" else 0


class Batch(NamedTuple):
    """Bodies that are read together.

    Attributes: `slots`, `places` (where the bodies begin in the buffer), `pieces`: (source, offset, place in the
    buffer, size) of each read.
    """

    slots: BodySpans
    places: IntArray
    pieces: Sequence[tuple[int, int, int, int]]


class LoadedRecords(NamedTuple):
    """Records in the buffer.

    Attributes: `number` (how many), `frames` and `records` (their frame indices and bytes), of shape (number,) or, with
    a frame in each row, (frames, 1) and (frames, records).
    """

    number: int
    frames: IntArray
    records: StructuredArray


class RecordCopier:
    """Reads batches into a buffer and copies their records into tables.

    `columns` are the record's fields and the columns of `dtype` they become; `wanted` are the ids to keep (None: all).
    """

    def __init__(
        self,
        store: Store,
        kind: PacketType,
        columns: Mapping[str, str],
        dtype: np.dtype[np.void],
        wanted: UInt32Array | None,
    ) -> None:
        record = kind.record.dtype
        assert record is not None
        self._store = store
        self._wanted = wanted
        self._size = record.itemsize
        self._head = _head(kind)
        self._record = record
        self._columns = columns
        self._buffer = bytearray(_BUFFER)
        bytes_ = np.frombuffer(self._buffer, np.uint8)
        # Every run of bytes in the buffer as long as a record, so that records anywhere are picked by their places.
        self._windows = np.ndarray((_BUFFER - self._size + 1,), f"V{self._size}", bytes_, 0, (1,))
        self._ids = np.ndarray((_BUFFER - 3,), "<u4", bytes_, 0, (1,))
        self._counts = np.ndarray((_BUFFER - 1,), "<u2", bytes_, 0, (1,))
        self._whole = _as_one(record, dtype, columns)

    # --- what to read together --------------------------------------------------------------------------

    def batches(self, slots: BodySpans) -> Iterator[Batch]:
        """The packets in portions that fit into the buffer and one block."""
        if not len(slots.starts):
            return
        gaps = slots.starts[1:] - slots.ends[:-1]
        joined = np.concatenate(([False], (gaps >= 0) & (gaps <= _GAP) & (slots.sources[1:] == slots.sources[:-1])))
        own = slots.ends - slots.starts
        used = np.cumsum(own + np.where(joined, np.concatenate(([0], gaps)), 0))
        records = np.cumsum(slots.records)
        begin = 0
        while begin < len(used):
            bytes_before = int(used[begin] - own[begin])
            records_before = int(records[begin] - slots.records[begin])
            end = min(
                int(used.searchsorted(bytes_before + _BUFFER, side="right")),
                int(records.searchsorted(records_before + BLOCK, side="right")),
            )
            part = slots.between(begin, end)
            places = used[begin:end] - own[begin:end] - bytes_before
            heads_ = np.flatnonzero(~joined[begin:end])
            heads_ = heads_ if len(heads_) and heads_[0] == 0 else np.concatenate(([0], heads_))
            tails = np.append(heads_[1:], end - begin) - 1
            sizes = part.ends[tails] - part.starts[heads_]
            pieces = zip(
                part.sources[heads_].tolist(),
                part.starts[heads_].tolist(),
                places[heads_].tolist(),
                sizes.tolist(),
                strict=True,
            )
            yield Batch(part, places, tuple(pieces))
            begin = end

    # --- reading and copying ----------------------------------------------------------------------------

    def load(self, batch: Batch) -> LoadedRecords:
        """Read a batch and locate its records, which are valid until the next batch is loaded."""
        with memoryview(self._buffer) as view:
            for source, offset, place, size in batch.pieces:
                self._store.read_into(source, offset, view[place : place + size])
        held = batch.slots.records
        counts = np.minimum(self._counts[batch.places], held) if self._head else held
        if self._wanted is None and bool((counts == held).all()) and (stride := _stride(batch)) is not None:
            shape = len(held), int(held[0])
            first = int(batch.places[0]) + self._head
            records = np.ndarray(shape, self._windows.dtype, self._buffer, first, (stride, self._size))
            return LoadedRecords(shape[0] * shape[1], batch.slots.frames[:, None], records)
        firsts = batch.places + self._head - self._size * (np.cumsum(counts) - counts)
        places = np.repeat(firsts, counts) + self._size * np.arange(int(counts.sum()))
        frames = np.repeat(batch.slots.frames, counts)
        if self._wanted is not None:
            keep = np.isin(self._ids[places], self._wanted)
            places, frames = places[keep], frames[keep]
        return LoadedRecords(len(places), frames, self._windows[places])

    def put(self, found: LoadedRecords, table: StructuredArray) -> int:
        """Write records to the beginning of `table`; returns how many."""
        part = table[: found.number].reshape(found.records.shape)
        part["frame"] = found.frames
        if self._whole is not None:
            part.view(self._whole)["record"] = found.records
        else:
            typed = np.ascontiguousarray(found.records).view(self._record)
            for path, column in self._columns.items():
                part[column] = typed[path]
        return found.number


def _stride(batch: Batch) -> int | None:
    """The distance between bodies in bytes, if it is constant and all hold the same number of records; else None."""
    if (batch.slots.records != batch.slots.records[0]).any():
        return None
    strides = np.diff(batch.places)
    if not len(strides):
        return 0
    return int(strides[0]) if bool((strides == strides[0]).all()) else None


def _as_one(
    record: np.dtype[np.void], table: np.dtype[np.void], columns: Mapping[str, str]
) -> np.dtype[np.void] | None:
    """A dtype that copies a record into a row of the table in one piece; None if the order of the fields differs."""
    assert record.fields is not None
    assert table.fields is not None
    path, column = next(iter(columns.items()))
    base = table.fields[column][1] - record.fields[path][1]
    for path, column in columns.items():
        if table.fields[column][1] - base != record.fields[path][1]:
            return None
    if base + record.itemsize > table.itemsize:
        return None
    return np.dtype(
        {"names": ["record"], "formats": [f"V{record.itemsize}"], "offsets": [base], "itemsize": table.itemsize}
    )
