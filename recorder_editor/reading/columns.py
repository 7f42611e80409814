"""Reads the records of one packet type from many frames: locates packets, reads them in batches, copies them to
columns.

Records are located by the layouts of the frame table, a block of frames is read with few calls into a reused buffer,
and each field of its records is copied with one numpy assignment. Counts in bodies are limited by the sizes of packets.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import IntArray, StructuredArray, UInt32Array
from ..format import MAX_RECORDS, PacketType
from ..recording.packet_headers import read_headers
from ..recording.snapshot import Snapshot
from ..recording.store import Store

BLOCK = 1 << 16
"""Largest number of records in a block: what is computed from it stays in the cache of the processor."""

_BUFFER = 4 << 20  # holds the largest body there can be: 65,535 records of 52 bytes
_PORTION = 16 << 20  # bytes of frames whose packets are located together, about
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


def body_spans(snapshot: Snapshot, kind: PacketType, rows: StructuredArray, frames: IntArray) -> Iterator[BodySpans]:
    """The packets of a type in these rows, in portions of bounded size; `frames` are the frame indices of the rows."""
    portion = np.cumsum(rows["size"]) // _PORTION
    for begin, end in pairwise([0, *(np.flatnonzero(np.diff(portion)) + 1).tolist(), len(rows)]):
        yield _body_spans(snapshot, kind, rows[begin:end], frames[begin:end])


def _body_spans(snapshot: Snapshot, kind: PacketType, rows: StructuredArray, frames: IntArray) -> BodySpans:
    head = _head(kind)
    size = kind.record.size
    assert size is not None

    def places(packets: Iterable[tuple[int, int, int]], before: int = 0) -> IntArray:
        """The places of bodies with records, and their sizes: int64[n, 2]; `before` them in a packet."""
        found = []
        for number, at, length in packets:
            if number == kind.id and length >= head + size:
                found.append((at + before, length))
        return np.array(found, np.int64).reshape(-1, 2)

    layouts, which = np.unique(rows["layout"], return_inverse=True)
    found = []
    for each in layouts.tolist():
        found.append(places(snapshot.layouts.get(each).packets() if each >= 0 else (), 5))
    unknown = np.flatnonzero(rows["layout"] < 0)
    which[unknown] = len(found) + np.arange(len(unknown))
    spans = zip(*(rows[name][unknown].tolist() for name in ("source", "offset", "size")), strict=True)
    found += [places(read_headers(snapshot.store, *span)) for span in spans]
    numbers = np.array([len(each) for each in found])
    count = numbers[which]
    skipped = (np.cumsum(numbers) - numbers)[which] - (np.cumsum(count) - count)
    bodies, sizes = np.concatenate(found)[np.arange(count.sum()) + np.repeat(skipped, count)].T
    pick = np.repeat(np.arange(len(rows)), count)
    starts = rows["offset"][pick] + bodies
    if head:
        records = np.minimum((sizes - 2) // size, MAX_RECORDS)
    else:
        records = np.ones_like(sizes)
    return BodySpans(frames[pick], rows["source"][pick], starts, records, starts + head + records * size)


def _head(kind: PacketType) -> int:
    """The bytes of a body before its first record."""
    if kind.body == "list":
        return 2
    return 0


class Batch(NamedTuple):
    """Bodies that are read together.

    Attributes: `slots`, `places` (where the bodies begin in the buffer), `pieces`: (source, offset, place in the
    buffer, size) of each read.
    """

    slots: BodySpans
    places: IntArray
    pieces: Sequence[tuple[int, int, int, int]]


class LoadedRecords(NamedTuple):
    """Records that were read: their frame indices, and the records, both of shape (number,)."""

    frames: IntArray
    records: StructuredArray


class RecordCopier:
    """Reads batches into a buffer and copies their records into tables.

    `columns` are the record's fields and the columns they become; `wanted` are the ids to keep (None: all).
    """

    def __init__(self, store: Store, kind: PacketType, columns: Mapping[str, str], wanted: UInt32Array | None) -> None:
        record = kind.record.dtype
        assert record is not None
        self._store = store
        self._wanted = wanted
        self._size = record.itemsize
        self._head = _head(kind)
        self._record = record
        self._columns = columns
        self._buffer = np.empty(_BUFFER, np.uint8)
        # Every run of bytes in the buffer as long as a record, so that records anywhere are picked by their places.
        self._windows = np.ndarray((_BUFFER - self._size + 1,), f"V{self._size}", self._buffer, 0, (1,))
        self._ids = np.ndarray((_BUFFER - 3,), "<u4", self._buffer, 0, (1,))
        self._counts = np.ndarray((_BUFFER - 1,), "<u2", self._buffer, 0, (1,))

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
            in_buffer = used.searchsorted(bytes_before + _BUFFER, side="right")
            end = int(min(in_buffer, records.searchsorted(records_before + BLOCK, side="right")))
            part = slots.between(begin, end)
            places = used[begin:end] - own[begin:end] - bytes_before
            heads_ = np.flatnonzero(~joined[begin:end])
            if not (len(heads_) and heads_[0] == 0):
                heads_ = np.concatenate(([0], heads_))
            tails = np.append(heads_[1:], end - begin) - 1
            sources = part.sources[heads_]
            starts = part.starts[heads_]
            columns = sources, starts, places[heads_], part.ends[tails] - starts
            pieces = zip(*(column.tolist() for column in columns), strict=True)
            yield Batch(part, places, tuple(pieces))
            begin = end

    # --- reading and copying ----------------------------------------------------------------------------

    def load(self, batch: Batch) -> LoadedRecords:
        """Read a batch and pick its records."""
        with self._buffer.data as view:
            for source, offset, place, size in batch.pieces:
                self._store.read_into(source, offset, view[place : place + size])
        held = batch.slots.records
        if self._head:
            counts = np.minimum(self._counts[batch.places], held)
        else:
            counts = held
        firsts = batch.places + self._head - self._size * (np.cumsum(counts) - counts)
        places = np.repeat(firsts, counts) + self._size * np.arange(int(counts.sum()))
        frames = np.repeat(batch.slots.frames, counts)
        if self._wanted is not None:
            keep = np.isin(self._ids[places], self._wanted)
            places, frames = places[keep], frames[keep]
        return LoadedRecords(frames, self._windows[places].view(self._record))

    def put(self, found: LoadedRecords, table: StructuredArray) -> int:
        """Write records to the beginning of `table`; returns how many."""
        part = table[: len(found.frames)]
        part["frame"] = found.frames
        for path, column in self._columns.items():
            part[column] = found.records[path]
        return len(part)
