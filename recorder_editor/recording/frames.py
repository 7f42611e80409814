"""The frame table: a recording as an immutable list of rows, one row for each frame or run of other bytes.

`splice` returns a new table that shares all unchanged chunks, so that the cost of an edit does not depend on the length
of the recording. Knows no files: a row refers to a span of bytes in a numbered source.
"""

import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np

from ..arrays import AnyArray, BoolArray, ByteArray, IntArray, StructuredArray, UInt32Array, row_type
from .store import SCRATCH

FRAME = 0
OPEN_FRAME = 1
RAW = 2
"""The kinds of rows: a FrameStart of 24 bytes, whole packets and a FrameEnd of size 0; the same without the FrameEnd;
everything else."""

ROW = row_type(
    "key:i8 offset:i8 size:i8 frame_id:u8 elapsed duration layout:i4 source:u2 kind:u1 stored:u1", align=True
)
"""One row, 56 bytes. Of a frame, `offset` and `size` are the span after its FrameStart, whose three values are in
the row; `stored` is 1 if the 29 bytes before `offset` are that FrameStart, 0 if the values were changed."""

START_SIZE = 29
"""Bytes of a FrameStart: packet header (5), frame id, duration, elapsed (8 each)."""

CHUNK = 4096
NO_LAYOUT = -1
MAX_PACKETS = 4096
POOL_BYTES = 24 << 20

LARGEST_FRAME = 64 << 20
MAX_IN_FRAME = 16_384
"""Limits of bytes and packets of a frame, or of packets outside of one. A larger one becomes a raw row, whose bytes are
kept but not decoded, to bound memory and time."""


_HEADER = np.dtype([("id", "u1"), ("size", "<u4")])
_UNPACK = struct.Struct("<BI").unpack_from
_POOL_OVERHEAD = 180  # bytes of memory per entry of the pool, without its headers
_ROWS, _FRAMES, _BYTES, _EDITED = 0, 1, 2, 3  # counts per chunk


# --- layouts --------------------------------------------------------------------------------------------


class Layout(NamedTuple):
    """The places of the packets of a span.

    Attributes: `ids` (uint8[n]), `offsets` (int64[n], of the 5-byte headers from the span's start), `sizes` (uint32[n],
    of the bodies). A whole frame's last packet is its FrameEnd.
    """

    ids: ByteArray
    offsets: IntArray
    sizes: UInt32Array

    def packets(self) -> Iterator[tuple[int, int, int]]:
        """(id, offset of the header, size of the body) of each packet."""
        return zip(self.ids.tolist(), self.offsets.tolist(), self.sizes.tolist(), strict=True)

    @property
    def end(self) -> int:
        """The offset after the last packet."""
        if len(self.ids):
            return int(self.offsets[-1]) + 5 + int(self.sizes[-1])
        return 0


class Layouts:
    """A pool of layouts, each stored once: five bytes for a packet. Grows, never changes; any thread may use it.

    Bounded: a layout of more than `MAX_PACKETS` packets, and every new one once the pool holds `pool_bytes`, is not
    stored, and its rows have `NO_LAYOUT`: their headers are parsed when needed.
    """

    def __init__(self, pool_bytes: int = POOL_BYTES) -> None:
        self._left = pool_bytes
        self._numbers: dict[bytes, int] = {}
        self._headers: list[bytes] = []
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._headers)

    def add(self, headers: bytes) -> int:
        """The number of the layout with these packet headers (5 bytes each, joined), or `NO_LAYOUT`."""
        number = self._numbers.get(headers)
        if number is not None:
            return number
        if len(headers) > 5 * MAX_PACKETS:
            return NO_LAYOUT
        with self._lock:
            if headers not in self._numbers and self._left < 0:
                return NO_LAYOUT
            number = self._numbers.setdefault(headers, len(self._headers))
            if number == len(self._headers):
                self._headers.append(headers)
                self._left -= len(headers) + _POOL_OVERHEAD
        return number

    def get(self, number: int) -> Layout:
        """The layout of that number; its arrays are read-only. Raises IndexError."""
        return _parsed(self.headers_of(number))

    def headers_of(self, number: int) -> bytes:
        """The packet headers of the layout of that number, as `add` takes them; raises IndexError."""
        if number < 0:
            raise IndexError("a row without a layout has to be walked")
        return self._headers[number]

    @staticmethod
    def headers(data: bytes | bytearray | memoryview) -> bytes:
        """The joined headers of the contiguous complete packets from the beginning of `data`."""
        found: list[bytes] = []
        at = 0
        end = len(data)
        while at + 5 <= end:
            _, size = _UNPACK(data, at)
            if at + 5 + size > end:
                break
            found.append(bytes(data[at : at + 5]))
            at += 5 + size
        return b"".join(found)

    @classmethod
    def walk(cls, data: bytes | bytearray | memoryview) -> Layout:
        """The contiguous complete packets from the beginning of `data`."""
        return _parsed(cls.headers(data))


@lru_cache(maxsize=64)  # neighbouring frames have few layouts
def _parsed(headers: bytes) -> Layout:
    packets = np.frombuffer(headers, _HEADER)
    offsets = np.zeros(len(packets), np.int64)
    np.cumsum(packets["size"][:-1].astype(np.int64) + 5, out=offsets[1:])
    offsets.flags.writeable = False
    return Layout(packets["id"], offsets, packets["size"])


# --- keys -----------------------------------------------------------------------------------------------


class KeySource:
    """Generates the keys of rows; one for each recording."""

    def __init__(self, first: int = 0) -> None:
        self._next = first
        self._lock = threading.Lock()

    def take(self, count: int) -> IntArray:
        """`count` new keys, int64[count], rising."""
        with self._lock:
            first, self._next = self._next, self._next + count
        return np.arange(first, first + count, dtype=np.int64)

    def reserve(self, last: int) -> None:
        """Reserve all keys up to `last`."""
        with self._lock:
            self._next = max(self._next, last + 1)


# --- the table ------------------------------------------------------------------------------------------


class FrameTable:
    """All rows of a recording, in order; immutable.

    Attributes: `chunks` (read-only structured arrays of at most 4,096 rows, dtype `ROW`), `frames` (number of frames
    and open frames), `size` (bytes as saved, without the file header). `len(table)` counts all rows.
    """

    __slots__ = ("__weakref__", "_counts", "_edges", "_starts", "chunks")

    def __init__(self, chunks: Iterable[StructuredArray] = ()) -> None:
        """`chunks`: arrays of dtype `ROW`, none empty, which must not change."""
        kept = tuple(chunks)
        self._set(kept, _counted(kept))

    def _set(self, chunks: tuple[StructuredArray, ...], counts: IntArray) -> None:
        self.chunks = chunks
        self._counts = counts
        self._edges: tuple[int, IntArray] = -1, np.empty(0, np.int64)  # the chunk that was asked for last
        self._starts = np.zeros((len(counts), len(chunks) + 1), np.int64)
        np.cumsum(counts, axis=1, out=self._starts[:, 1:])

    @classmethod
    def from_rows(cls, rows: StructuredArray) -> Self:
        """A table of a copy of `rows` (dtype `ROW`)."""
        return cls(frozen(rows[a : a + CHUNK].copy()) for a in range(0, len(rows), CHUNK))

    def __len__(self) -> int:
        return int(self._starts[_ROWS, -1])

    @property
    def frames(self) -> int:
        """Frames and open frames."""
        return int(self._starts[_FRAMES, -1])

    @property
    def size(self) -> int:
        """Bytes of all rows as saved."""
        return int(self._starts[_BYTES, -1])

    # --- looking ----------------------------------------------------------------------------------------

    def row(self, row: int) -> np.void:
        """One row; raises IndexError."""
        chunk, at = self._place(row)
        found: np.void = self.chunks[chunk][at]
        return found

    def rows(self, start: int = 0, stop: int | None = None) -> StructuredArray:
        """The rows `[start, stop)`: read-only, or a copy if they span several chunks."""
        parts = self._parts(start, stop)
        if len(parts) == 1:
            return parts[0]
        if parts:
            return np.concatenate(parts)
        return np.empty(0, ROW)

    def column(self, name: str, start: int = 0, stop: int | None = None) -> AnyArray:
        """One column of the rows `[start, stop)`, contiguous, in the type that `ROW` gives it."""
        parts = [part[name] for part in self._parts(start, stop)]
        if parts:
            return np.concatenate(parts)
        return np.empty(0, ROW[name])

    def row_of_frame(self, frame_index: int) -> int:
        """The row of a frame (index from 0 among frames and open frames); raises IndexError."""
        if not 0 <= frame_index < self.frames:
            raise IndexError(f"there is no frame {frame_index} among {self.frames}")
        chunk = self._chunk(_FRAMES, frame_index)
        within = frame_index - int(self._starts[_FRAMES, chunk])
        if self._counts[_FRAMES, chunk] != self._counts[_ROWS, chunk]:
            within = int(np.flatnonzero(self.chunks[chunk]["kind"] != RAW)[within])
        return int(self._starts[_ROWS, chunk]) + within

    def frame_of_row(self, row: int) -> int:
        """The number of frames before a row: for a frame its own index. `len(table)` gives the number of frames."""
        if row == len(self):
            return self.frames
        chunk, at = self._place(row)
        before = at
        if self._counts[_FRAMES, chunk] != self._counts[_ROWS, chunk]:
            before = int(np.count_nonzero(self.chunks[chunk]["kind"][:at] != RAW))
        return int(self._starts[_FRAMES, chunk]) + before

    def position(self, row: int) -> int:
        """The offset of a row in the saved bytes, without the file header; `len(table)` gives their end."""
        if row == len(self):
            return self.size
        chunk, at = self._place(row)
        return int(self._edges_in(chunk)[at])

    def positions(self, start: int = 0, stop: int | None = None) -> IntArray:
        """The offsets of the rows `[start, stop)`, and the end of the last one: int64[rows + 1]."""
        parts = self._parts(start, stop)
        found = np.empty(sum(map(len, parts)) + 1, np.int64)
        found[0] = self.position(min(start, len(self)))
        if parts:
            found[1:] = np.concatenate([_saved_sizes(part) for part in parts])
        return np.cumsum(found, out=found)

    def row_at(self, position: int) -> int:
        """The row of a byte of the saved bytes, without the file header; raises IndexError."""
        if not 0 <= position < self.size:
            raise IndexError(f"there is no byte {position} among {self.size}")
        chunk = self._chunk(_BYTES, position)
        within = int(self._edges_in(chunk)[1:].searchsorted(position, side="right"))
        return int(self._starts[_ROWS, chunk]) + within

    @property
    def raw_rows(self) -> IntArray:
        """The rows that are no frames, rising."""
        return self._rows_of(self._counts[_FRAMES] != self._counts[_ROWS], lambda rows: rows["kind"] == RAW)

    @property
    def edited_rows(self) -> IntArray:
        """The rows whose bytes are in the scratch file, or whose FrameStart was changed, rising."""
        return self._rows_of(self._counts[_EDITED] != 0, _is_edited)

    # --- the next table ---------------------------------------------------------------------------------

    def slice(self, start: int, stop: int) -> Self:
        """The rows `[start, stop)` as a table that shares them."""
        return self._made(self._parts(start, stop))

    def detached(self) -> Self:
        """The same rows; parts of chunks are copied, since each would keep the whole one in memory."""
        whole = []
        for chunk in self.chunks:
            whole.append(chunk if chunk.base is None else frozen(chunk.copy()))
        return self._made(whole, self._counts)

    def splice(self, at: int, removed: int, inserted: "FrameTable | StructuredArray") -> Self:
        """The table after one splice; raises IndexError as `splice_at_once`."""
        if isinstance(inserted, FrameTable):
            rows = inserted
        else:
            rows = FrameTable.from_rows(inserted)
        return self.splice_at_once([(at, removed, rows)])

    def splice_at_once(self, splices: "Sequence[tuple[int, int, FrameTable]]") -> Self:
        """The table in which, for each (at, removed, inserted), `inserted` replaces `removed` rows from row `at` on.

        They rise, do not overlap, and count this table's own rows. Raises IndexError if the table has no such rows. The
        cost depends on the chunks from the first to the last splice alone.
        """
        first, stop = splices[0][0], splices[-1][0] + splices[-1][1]
        if first < 0 or stop > len(self):
            raise IndexError(f"there are no rows {first} to {stop} among {len(self)}")
        # The neighbours take part, so that what is left of a cut chunk finds company.
        before = max(self._chunk(_ROWS, first) - 1, 0)
        after = min(self._chunk(_ROWS, stop - 1) + 2, len(self.chunks))
        pieces: list[StructuredArray] = []
        done, end = (int(self._starts[_ROWS, chunk]) for chunk in (before, after))
        for at, removed, inserted in splices:
            if at < done or removed < 0:
                raise IndexError(f"there are no {removed} rows at {at} behind {done}")
            pieces += self._parts(done, at)
            pieces += inserted.chunks
            done = at + removed
        pieces += self._parts(done, end)
        seam = _joined(pieces)
        counts = np.concatenate([self._counts[:, :before], _counted(seam), self._counts[:, after:]], axis=1)
        return self._made((*self.chunks[:before], *seam, *self.chunks[after:]), counts)

    def _made(self, chunks: Sequence[StructuredArray], counts: IntArray | None = None) -> Self:
        table = self.__class__.__new__(self.__class__)
        table._set(tuple(chunks), _counted(chunks) if counts is None else counts)
        return table

    # --- chunks -----------------------------------------------------------------------------------------

    def _chunk(self, which: int, number: int) -> int:
        """The index of the chunk with a row, frame or byte."""
        return int(self._starts[which].searchsorted(number, side="right")) - 1

    def _place(self, row: int) -> tuple[int, int]:
        if not 0 <= row < len(self):
            raise IndexError(f"there is no row {row} among {len(self)}")
        chunk = self._chunk(_ROWS, row)
        return chunk, row - int(self._starts[_ROWS, chunk])

    def _edges_in(self, chunk: int) -> IntArray:
        """The offsets of the rows of a chunk, and the end of the last one."""
        known, edges = self._edges
        if known != chunk:
            edges = np.cumsum(np.append(self._starts[_BYTES, chunk], _saved_sizes(self.chunks[chunk])))
            self._edges = chunk, edges
        return edges

    def _rows_of(self, chunks: BoolArray, is_one: Callable[[StructuredArray], BoolArray]) -> IntArray:
        """The rows of which that is true, looked for in the chunks marked so."""
        found = []
        for at in np.flatnonzero(chunks):
            found.append(self._starts[_ROWS, at] + np.flatnonzero(is_one(self.chunks[at])))
        if found:
            return np.concatenate(found)
        return np.empty(0, np.int64)

    def _parts(self, start: int, stop: int | None) -> list[StructuredArray]:
        start, stop, _ = slice(start, stop).indices(len(self))
        if start >= stop:
            return []
        first, head = self._place(start)
        last, tail = self._place(stop - 1)
        parts = list(self.chunks[first : last + 1])
        if tail + 1 < len(parts[-1]):
            parts[-1] = parts[-1][: tail + 1]
        if head:
            parts[0] = parts[0][head:]
        return parts


def _saved_sizes(rows: StructuredArray) -> IntArray:
    """Bytes of each row as saved, for a frame with its FrameStart."""
    return np.asarray(rows["size"] + START_SIZE * (rows["kind"] != RAW))


def _counted(chunks: Sequence[StructuredArray]) -> IntArray:
    """Rows, frames, saved bytes and edited rows of each chunk, int64[4, chunks]."""
    counts = np.empty((4, len(chunks)), np.int64)
    for index, chunk in enumerate(chunks):
        frames = int(np.count_nonzero(chunk["kind"] != RAW))
        counts[:, index] = len(chunk), frames, int(chunk["size"].sum()) + START_SIZE * frames, 0
        counts[_EDITED, index] = np.count_nonzero(_is_edited(chunk))
    return counts


def _is_edited(rows: StructuredArray) -> BoolArray:
    return np.asarray((rows["source"] == SCRATCH) | (rows["stored"] == 0))


def frozen(rows: StructuredArray) -> StructuredArray:
    """The same array, read-only from now on."""
    rows.flags.writeable = False
    return rows


def _joined(pieces: list[StructuredArray]) -> list[StructuredArray]:
    """The same rows with small neighbouring chunks merged, so that many edits do not fragment the table."""
    groups: list[list[StructuredArray]] = []
    room = 0
    for piece in pieces:
        if len(piece) > room:
            groups.append([])
            room = CHUNK
        groups[-1].append(piece)
        room -= len(piece)
    return [group[0] if len(group) == 1 else frozen(np.concatenate(group, dtype=ROW)) for group in groups]
