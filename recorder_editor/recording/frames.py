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
"""One row, 56 bytes. Of a frame, `offset` and `size` are the span after its FrameStart, and the values of that are in
the row; `stored` is 1 if the 29 bytes before `offset` are that FrameStart, 0 if the values were changed."""

START_SIZE = 29
"""Bytes of a FrameStart: packet header (5), frame id, duration, elapsed (8 each)."""

CHUNK = 4096
NO_LAYOUT = -1
MAX_PACKETS = 4096
POOL_BYTES = 24 << 20

LARGEST_FRAME = 64 << 20
MAX_IN_FRAME = 16_384
"""Limits of bytes and packets of a frame, or of packets outside of one. A larger one becomes a raw row: its bytes are
kept but not decoded, to bound memory and time."""


_HEADER = np.dtype([("id", "u1"), ("size", "<u4")])
_UNPACK = struct.Struct("<BI").unpack_from
_POOL_OVERHEAD = 180  # bytes of memory per entry of the pool, without its headers

_ROWS = 0
_FRAMES = 1
_BYTES = 2
_EDITED = 3
"""The rows of the array of counts per chunk: rows, frames, saved bytes, edited rows."""


# --- layouts --------------------------------------------------------------------------------------------


class Layout(NamedTuple):
    """The places of the packets of a span. The last packet of a whole frame is its FrameEnd.

    Attributes:
        ids: The packet ids, uint8 (n,).
        offsets: The offsets of the 5-byte headers from the start of the span, int64 (n,).
        sizes: The sizes of the bodies, uint32 (n,).
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
        """Store a layout.

        Args:
            headers: Its packet headers, 5 bytes each, joined.

        Returns:
            Its number; `NO_LAYOUT` if it is not stored.
        """
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
        """The layout of a number; its arrays are read-only.

        Raises:
            IndexError: There is no such layout.
        """
        return _parsed(self.headers_of(number))

    def headers_of(self, number: int) -> bytes:
        """The packet headers of the layout of a number, as `add` takes them.

        Raises:
            IndexError: There is no such layout.
        """
        if number < 0:
            raise IndexError("a row without a layout has to be walked")
        return self._headers[number]

    @staticmethod
    def headers(data: bytes | bytearray | memoryview) -> bytes:
        """The joined headers of the contiguous complete packets from the beginning of `data`."""
        headers: list[bytes] = []
        offset = 0
        end = len(data)
        while offset + 5 <= end:
            _, size = _UNPACK(data, offset)
            if offset + 5 + size > end:
                break
            headers.append(bytes(data[offset : offset + 5]))
            offset += 5 + size
        return b"".join(headers)

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
        """New keys, rising: int64 (count,)."""
        with self._lock:
            first = self._next
            self._next = first + count
        return np.arange(first, first + count, dtype=np.int64)

    def reserve(self, last: int) -> None:
        """Reserve all keys up to `last`."""
        with self._lock:
            self._next = max(self._next, last + 1)


# --- the table ------------------------------------------------------------------------------------------


class FrameTable:
    """All rows of a recording, in order; immutable. `len(table)` counts all rows.

    Attributes:
        chunks: Read-only structured arrays of at most 4,096 rows, dtype `ROW`.
        frames: The number of frames and open frames.
        size: The bytes as saved, without the file header.
    """

    __slots__ = ("__weakref__", "_counts", "_edges", "_starts", "chunks")

    def __init__(self, chunks: Iterable[StructuredArray] = ()) -> None:
        """Make a table.

        Args:
            chunks: Arrays of dtype `ROW`, none empty, which must not change.
        """
        kept = tuple(chunks)
        self._set(kept, _counts(kept))

    def _set(self, chunks: tuple[StructuredArray, ...], counts: IntArray) -> None:
        self.chunks = chunks
        self._counts = counts
        # The last result of `_edges_in` with its chunk: one value, since threads share the table.
        self._edges: tuple[int, IntArray] = (-1, np.empty(0, np.int64))
        self._starts = np.zeros((len(counts), len(chunks) + 1), np.int64)
        np.cumsum(counts, axis=1, out=self._starts[:, 1:])

    @classmethod
    def from_rows(cls, rows: StructuredArray) -> Self:
        """A table of a copy of `rows` (dtype `ROW`)."""
        return cls(frozen(rows[start : start + CHUNK].copy()) for start in range(0, len(rows), CHUNK))

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

    # --- rows, frames and bytes -------------------------------------------------------------------------

    def row(self, row: int) -> np.void:
        """One row.

        Raises:
            IndexError: There is no such row.
        """
        chunk, index = self._place(row)
        record: np.void = self.chunks[chunk][index]
        return record

    def rows(self, start: int = 0, stop: int | None = None) -> StructuredArray:
        """Some rows.

        Args:
            start: The first row.
            stop: The row after the last one; None: all that follow.

        Returns:
            dtype `ROW`, read-only, or a copy if the rows span several chunks.
        """
        parts = self._parts(start, stop)
        if len(parts) == 1:
            return parts[0]
        if parts:
            return np.concatenate(parts)
        return np.empty(0, ROW)

    def column(self, name: str, start: int = 0, stop: int | None = None) -> AnyArray:
        """One column of some rows.

        Args:
            name: The name of the column in `ROW`.
            start: The first row.
            stop: The row after the last one; None: all that follow.

        Returns:
            A contiguous array of the type that `ROW` gives the column.
        """
        parts = [part[name] for part in self._parts(start, stop)]
        if parts:
            return np.concatenate(parts)
        return np.empty(0, ROW[name])

    def row_of_frame(self, frame_index: int) -> int:
        """The row of a frame.

        Args:
            frame_index: The index among frames and open frames, from 0.

        Raises:
            IndexError: There is no such frame.
        """
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
        chunk, before = self._place(row)
        if self._counts[_FRAMES, chunk] != self._counts[_ROWS, chunk]:
            before = int(np.count_nonzero(self.chunks[chunk]["kind"][:before] != RAW))
        return int(self._starts[_FRAMES, chunk]) + before

    def position(self, row: int) -> int:
        """The offset of a row in the saved bytes, without the file header; `len(table)` gives their end."""
        if row == len(self):
            return self.size
        chunk, index = self._place(row)
        return int(self._edges_in(chunk)[index])

    def positions(self, start: int = 0, stop: int | None = None) -> IntArray:
        """The offsets of some rows in the saved bytes, without the file header.

        Args:
            start: The first row.
            stop: The row after the last one; None: all that follow.

        Returns:
            int64 (rows + 1,): the offset of each row, and the end of the last one.
        """
        parts = self._parts(start, stop)
        sizes = [_saved_sizes(part) for part in parts]
        first = np.array([self.position(min(start, len(self)))], np.int64)
        return np.cumsum(np.concatenate([first, *sizes]))

    def row_at(self, position: int) -> int:
        """The row that holds a byte.

        Args:
            position: The offset in the saved bytes, without the file header.

        Raises:
            IndexError: There is no such byte.
        """
        if not 0 <= position < self.size:
            raise IndexError(f"there is no byte {position} among {self.size}")
        chunk = self._chunk(_BYTES, position)
        within = int(self._edges_in(chunk)[1:].searchsorted(position, side="right"))
        return int(self._starts[_ROWS, chunk]) + within

    @property
    def raw_rows(self) -> IntArray:
        """The rows that are no frames, rising."""
        return self._rows_of(self._counts[_FRAMES] != self._counts[_ROWS], _is_raw)

    @property
    def edited_rows(self) -> IntArray:
        """The rows with bytes in the scratch file or with a changed FrameStart, rising."""
        return self._rows_of(self._counts[_EDITED] != 0, _is_edited)

    # --- the next table ---------------------------------------------------------------------------------

    def slice(self, start: int, stop: int) -> Self:
        """The rows `[start, stop)` as a table that shares them."""
        parts = self._parts(start, stop)
        return self._with(parts, _counts(parts))

    def detached(self) -> Self:
        """The same rows; parts of chunks are copied, since each would keep the whole one in memory."""
        chunks = []
        for chunk in self.chunks:
            if chunk.base is None:
                chunks.append(chunk)
            else:
                chunks.append(frozen(chunk.copy()))
        return self._with(chunks, self._counts)

    def splice(self, at: int, removed: int, inserted: "FrameTable | StructuredArray") -> Self:
        """The table in which other rows replace some of its rows.

        Args:
            at: The first row that is replaced; the number of rows to append.
            removed: The number of rows that are replaced.
            inserted: The rows in their place.

        Raises:
            IndexError: The table has no such rows.
        """
        if isinstance(inserted, FrameTable):
            rows = inserted
        else:
            rows = FrameTable.from_rows(inserted)
        return self.splice_at_once([(at, removed, rows)])

    def splice_at_once(self, splices: "Sequence[tuple[int, int, FrameTable]]") -> Self:
        """The table after several splices; the cost depends only on the chunks from the first to the last one.

        Args:
            splices: At least one (at, removed, inserted): `inserted` replaces `removed` rows from row `at` on. The
                splices rise, do not overlap, and count this table's own rows.

        Raises:
            IndexError: The table has no such rows.
        """
        first, _, _ = splices[0]
        last_at, last_removed, _ = splices[-1]
        stop = last_at + last_removed
        if first < 0 or stop > len(self):
            raise IndexError(f"there are no rows {first} to {stop} among {len(self)}")
        # The neighbours take part, so that what is left of a cut chunk is merged with them.
        before = max(self._chunk(_ROWS, first) - 1, 0)
        after = min(self._chunk(_ROWS, stop - 1) + 2, len(self.chunks))
        pieces: list[StructuredArray] = []
        done = int(self._starts[_ROWS, before])
        end = int(self._starts[_ROWS, after])
        for at, removed, inserted in splices:
            if at < done or removed < 0:
                raise IndexError(f"there are no {removed} rows at {at} behind {done}")
            pieces += self._parts(done, at)
            pieces += inserted.chunks
            done = at + removed
        pieces += self._parts(done, end)
        seam = tuple(_merged(pieces))
        counts = np.concatenate([self._counts[:, :before], _counts(seam), self._counts[:, after:]], axis=1)
        return self._with(self.chunks[:before] + seam + self.chunks[after:], counts)

    def _with(self, chunks: Iterable[StructuredArray], counts: IntArray) -> Self:
        """A table of the same class with other chunks, of which the counts are known."""
        table = self.__class__.__new__(self.__class__)
        table._set(tuple(chunks), counts)
        return table

    # --- chunks -----------------------------------------------------------------------------------------

    def _chunk(self, unit: int, number: int) -> int:
        """The index of the chunk with a row, frame or byte: `unit` is `_ROWS`, `_FRAMES` or `_BYTES`."""
        return int(self._starts[unit].searchsorted(number, side="right")) - 1

    def _place(self, row: int) -> tuple[int, int]:
        """The chunk of a row, and the index of the row in it."""
        if not 0 <= row < len(self):
            raise IndexError(f"there is no row {row} among {len(self)}")
        chunk = self._chunk(_ROWS, row)
        return chunk, row - int(self._starts[_ROWS, chunk])

    def _edges_in(self, chunk: int) -> IntArray:
        """The offsets of the rows of a chunk, and the end of the last one."""
        known_chunk, edges = self._edges
        if known_chunk != chunk:
            edges = np.cumsum(np.append(self._starts[_BYTES, chunk], _saved_sizes(self.chunks[chunk])))
            self._edges = (chunk, edges)
        return edges

    def _rows_of(self, may_hold: BoolArray, is_one: Callable[[StructuredArray], BoolArray]) -> IntArray:
        """The rows that a test is true of; only chunks that `may_hold` any are searched."""
        rows = [np.empty(0, np.int64)]
        for index in np.flatnonzero(may_hold):
            rows.append(self._starts[_ROWS, index] + np.flatnonzero(is_one(self.chunks[index])))
        return np.concatenate(rows)

    def _parts(self, start: int, stop: int | None) -> list[StructuredArray]:
        """The chunks of the rows `[start, stop)`, of which the first and the last one may be cut."""
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
    return np.asarray(rows["size"] + np.where(rows["kind"] != RAW, START_SIZE, 0))


def _counts(chunks: Sequence[StructuredArray]) -> IntArray:
    """Rows, frames, saved bytes and edited rows of each chunk, int64[4, chunks]."""
    counts = np.empty((4, len(chunks)), np.int64)
    for index, chunk in enumerate(chunks):
        frames = int(np.count_nonzero(chunk["kind"] != RAW))
        counts[_ROWS, index] = len(chunk)
        counts[_FRAMES, index] = frames
        counts[_BYTES, index] = int(chunk["size"].sum()) + START_SIZE * frames
        counts[_EDITED, index] = np.count_nonzero(_is_edited(chunk))
    return counts


def _is_edited(rows: StructuredArray) -> BoolArray:
    return np.asarray((rows["source"] == SCRATCH) | (rows["stored"] == 0))


def _is_raw(rows: StructuredArray) -> BoolArray:
    return np.asarray(rows["kind"] == RAW)


def frozen(rows: StructuredArray) -> StructuredArray:
    """The same array, read-only from now on."""
    rows.flags.writeable = False
    return rows


def _merged(pieces: list[StructuredArray]) -> list[StructuredArray]:
    """The same rows with small neighbouring chunks merged, so that many edits do not fragment the table."""
    groups: list[list[StructuredArray]] = []
    room = 0
    for piece in pieces:
        if len(piece) > room:
            groups.append([])
            room = CHUNK
        groups[-1].append(piece)
        room -= len(piece)
    merged = []
    for group in groups:
        if len(group) == 1:
            merged.append(group[0])
        else:
            merged.append(frozen(np.concatenate(group, dtype=ROW)))
    return merged
