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
from ..format import MAX_RECORDS, PACKET_HEADER, PacketType
from ..recording.packet_headers import parse_headers, read_headers
from ..recording.snapshot import Snapshot
from ..recording.store import Store

BLOCK = 1 << 16
"""Largest number of records in a block: what is computed from it stays in the cache of the processor."""

_BUFFER = 4 << 20  # holds the largest body there can be: 65,535 records of 52 bytes
_PORTION = 16 << 20  # bytes of frames that are searched for packets together, about
_GAP = 64 << 10  # what is faster read along than left out


class BodySpans(NamedTuple):
    """The places of the bodies of one packet type: one entry for each packet, in file order.

    Attributes:
        frames: The frame indices.
        sources: The sources that hold them.
        starts: The offsets of the bodies in the source.
        records: The numbers of records, as many as the body's size holds.
        ends: The offsets behind those.
    """

    frames: IntArray
    sources: npt.NDArray[np.uint16]
    starts: IntArray
    records: IntArray
    ends: IntArray

    def between(self, begin: int, end: int) -> "BodySpans":
        """Return the entries `[begin, end)`."""
        part = slice(begin, end)
        return BodySpans(self.frames[part], self.sources[part], self.starts[part], self.records[part], self.ends[part])


def body_spans(snapshot: Snapshot, kind: PacketType, rows: StructuredArray, frames: IntArray) -> Iterator[BodySpans]:
    """Find the packets of a type in some rows.

    Args:
        snapshot: The state of the recording.
        kind: The packet type, of records of one size.
        rows: Rows of the frame table.
        frames: The frame index of each.

    Yields:
        The places of their bodies, in portions of bounded size.
    """
    portion = np.cumsum(rows["size"]) // _PORTION
    bounds = (np.flatnonzero(np.diff(portion)) + 1).tolist()
    for begin, end in pairwise([0, *bounds, len(rows)]):
        yield _body_spans(snapshot, kind, rows[begin:end], frames[begin:end])


def _body_spans(snapshot: Snapshot, kind: PacketType, rows: StructuredArray, frames: IntArray) -> BodySpans:
    """Find the packets of a type in rows: once for each layout, and once for each row without one."""
    head = _head(kind)
    size = kind.record.size
    assert size is not None
    layouts, layout_of = np.unique(rows["layout"], return_inverse=True)
    places: list[IntArray] = []
    for layout in layouts.tolist():
        packets = snapshot.layouts.get(layout).packets() if layout >= 0 else ()
        places.append(_bodies_in(packets, kind, head + size, PACKET_HEADER.size))
    unknown = np.flatnonzero(rows["layout"] < 0)
    layout_of[unknown] = len(places) + np.arange(len(unknown))
    if len(unknown):
        places.extend(_bodies_without_layout(snapshot.store, kind, rows[unknown], head + size))
    # Each row takes the places of its layout, which begin at `first` of all places.
    numbers = np.array(list(map(len, places)))
    first = np.cumsum(numbers) - numbers
    count = numbers[layout_of]
    skipped = first[layout_of] - (np.cumsum(count) - count)
    picked = np.concatenate(places)[np.arange(count.sum()) + np.repeat(skipped, count)]
    index = np.repeat(np.arange(len(rows)), count)
    starts = rows["offset"][index] + picked[:, 0]
    if head:
        records = np.minimum((picked[:, 1] - head) // size, MAX_RECORDS)
    else:
        records = np.ones_like(starts)
    return BodySpans(
        frames=frames[index],
        sources=rows["source"][index],
        starts=starts,
        records=records,
        ends=starts + head + records * size,
    )


def _bodies_without_layout(store: Store, kind: PacketType, rows: StructuredArray, least: int) -> Iterator[IntArray]:
    """Yield what `_bodies_in` returns, for each of some rows without a layout."""
    starts = rows["offset"]
    ends = starts + rows["size"]
    is_small = rows["size"] <= _GAP
    gaps = starts[1:] - ends[:-1]
    is_joined = (gaps >= 0) & (gaps <= _GAP) & is_small[1:] & is_small[:-1]
    is_joined &= (rows["source"][1:] == rows["source"][:-1]) & (starts[1:] // _BUFFER == starts[:-1] // _BUFFER)
    edges = np.flatnonzero(np.concatenate(([True], ~is_joined, [True])))
    for begin, end in pairwise(edges.tolist()):
        source = int(rows["source"][begin])
        first = int(starts[begin])
        size = int(ends[end - 1]) - first
        if not is_small[begin]:
            yield _bodies_in(read_headers(store, source, first, size), kind, least, 0)
            continue
        data = np.empty(size, np.uint8)
        store.read_into(source, first, data.data)
        headers = parse_headers(data, starts[begin:end] - first, ends[begin:end] - first)
        is_wanted = (headers.ids == kind.id) & (headers.sizes >= least)
        spans = headers.spans[is_wanted]
        offsets = headers.bodies[is_wanted] + first - starts[begin:end][spans]
        bodies = np.stack([offsets, headers.sizes[is_wanted]], axis=1)
        yield from np.split(bodies, np.searchsorted(spans, np.arange(1, end - begin)))


def _bodies_in(packets: Iterable[tuple[int, int, int]], kind: PacketType, least: int, shift: int) -> IntArray:
    """Return the offsets of bodies of one packet type with records, and their sizes: int64[n, 2].

    Args:
        packets: Id, offset and size of each packet.
        kind: The packet type.
        least: The size of a body with one record.
        shift: What is added to an offset to get that of the body.
    """
    bodies = []
    for number, offset, size in packets:
        if number == kind.id and size >= least:
            bodies.append((offset + shift, size))
    return np.array(bodies, np.int64).reshape(-1, 2)


def _head(kind: PacketType) -> int:
    """Return the number of bytes of a body before its first record."""
    if kind.body == "list":
        return 2
    return 0


class Batch(NamedTuple):
    """Bodies that are read together.

    Attributes:
        slots: The places of the bodies.
        places: Where they begin in the buffer.
        pieces: (source, offset, place in the buffer, size) of each read.
    """

    slots: BodySpans
    places: IntArray
    pieces: Sequence[tuple[int, int, int, int]]


class LoadedRecords(NamedTuple):
    """Records that were read.

    Attributes:
        frames: The frame index of each, of shape (n,).
        records: The records as they are stored, of shape (n,).
    """

    frames: IntArray
    records: StructuredArray


class RecordCopier:
    """Reads batches into a buffer and copies their records into tables."""

    def __init__(self, store: Store, kind: PacketType, columns: Mapping[str, str], wanted: UInt32Array | None) -> None:
        """Make the buffer.

        Args:
            store: The store of the recording.
            kind: The packet type, of records of one size.
            columns: The columns of tables by the fields of the record.
            wanted: The ids to keep; None for all.
        """
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
        """Yield the packets in portions that fit into the buffer and one block."""
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
            # Neighbours that are joined are one read; the first body of a batch always begins one.
            heads = np.flatnonzero(~joined[begin:end])
            if not (len(heads) and heads[0] == 0):
                heads = np.concatenate(([0], heads))
            tails = np.append(heads[1:], end - begin) - 1
            starts = part.starts[heads]
            pieces = zip(
                part.sources[heads].tolist(),
                starts.tolist(),
                places[heads].tolist(),
                (part.ends[tails] - starts).tolist(),
                strict=True,
            )
            yield Batch(part, places, tuple(pieces))
            begin = end

    # --- reading and copying ----------------------------------------------------------------------------

    def load(self, batch: Batch) -> LoadedRecords:
        """Read a batch, and pick its records."""
        with self._buffer.data as view:
            for source, offset, place, size in batch.pieces:
                self._store.read_into(source, offset, view[place : place + size])
        counts = batch.slots.records
        if self._head:
            counts = np.minimum(self._counts[batch.places], counts)
        firsts = batch.places + self._head - self._size * (np.cumsum(counts) - counts)
        places = np.repeat(firsts, counts) + self._size * np.arange(int(counts.sum()))
        frames = np.repeat(batch.slots.frames, counts)
        if self._wanted is not None:
            keep = np.isin(self._ids[places], self._wanted)
            places = places[keep]
            frames = frames[keep]
        return LoadedRecords(frames, self._windows[places].view(self._record))

    def put(self, loaded: LoadedRecords, table: StructuredArray) -> int:
        """Write records to the beginning of a table.

        Args:
            loaded: The records.
            table: The table, with a column `frame` and those of `columns`.

        Returns:
            The number of records.
        """
        part = table[: len(loaded.frames)]
        part["frame"] = loaded.frames
        for path, column in self._columns.items():
            part[column] = loaded.records[path]
        return len(part)
