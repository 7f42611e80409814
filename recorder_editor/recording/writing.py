"""Writes a state to an open file: contiguous rows are copied as one range, and changed FrameStarts are patched.

Knows no file names.
"""

import os
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..arrays import ByteArray, IntArray, StructuredArray
from ..progress import Progress
from .frames import RAW, START_SIZE, FrameTable
from .snapshot import Snapshot

_WORTH_A_CALL = 256 << 10  # below it, one write of a whole block beats a kernel copy for each range
_KERNEL_STEP = 32 << 20  # copied between two checks for cancellation
_VALUES_AT = 5  # of a FrameStart packet, after its header
_VALUES_SIZE = 24


def write(snapshot: Snapshot, descriptor: int, progress: Progress, *, kernel_copy: bool, block: int) -> None:
    """Write header and rows.

    Args:
        snapshot: The state to write.
        descriptor: The file, open for writing.
        progress: Counts the bytes.
        kernel_copy: Long ranges are copied by the kernel.
        block: The size of the buffer in bytes.

    Raises:
        OSError: The file cannot be written, or a source not be read.
        SourceChanged: A source was rewritten.
        Cancelled: By `progress`.
    """
    writer = _Writer(snapshot, descriptor, progress, block, kernel=kernel_copy)
    writer.add(snapshot.header_bytes)
    for span in _ranges(snapshot.table):
        writer.add_range(span)
    writer.flush()


# --- ranges -------------------------------------------------------------------------------------------


class _Range(NamedTuple):
    """Neighbouring rows with contiguous bytes in one source.

    Attributes:
        source: The number of the source.
        offset: The offset of the first byte there.
        size: The number of bytes.
        places: The offsets in the range of FrameStart values to replace, rising, int64 (n,).
        values: The new bytes of these values, uint8 (n, 24).
    """

    source: int
    offset: int
    size: int
    places: IntArray
    values: ByteArray

    def is_continued_by(self, following: "_Range") -> bool:
        """Whether another range continues this one, and neither needs patching."""
        is_contiguous = self.source == following.source and self.offset + self.size == following.offset
        return is_contiguous and not len(self.places) and not len(following.places)


def _ranges(table: FrameTable) -> Iterator[_Range]:
    """The table as ranges of maximum length; patched ones end with their chunk."""
    last: _Range | None = None
    for chunk in table.chunks:
        for span in _ranges_of(chunk):
            if last is not None and last.is_continued_by(span):
                last = last._replace(size=last.size + span.size)
                continue
            if last is not None:
                yield last
            last = span
    if last is not None:
        yield last


def _ranges_of(rows: StructuredArray) -> Iterator[_Range]:
    """The ranges of the rows of one chunk."""
    starts = np.where(rows["kind"] == RAW, 0, START_SIZE)
    offsets = rows["offset"] - starts
    sizes = rows["size"] + starts
    sources = rows["source"]
    breaks = (sources[1:] != sources[:-1]) | (offsets[1:] != offsets[:-1] + sizes[:-1])
    edges = [0, *(np.flatnonzero(breaks) + 1).tolist(), len(rows)]
    patched = np.flatnonzero((starts > 0) & (rows["stored"] == 0))
    values = _start_values(rows[patched])
    # Where each range's patches begin among all of them.
    cuts = np.searchsorted(patched, edges).tolist()
    for first, stop, low, high in zip(edges, edges[1:], cuts, cuts[1:], strict=False):
        offset = int(offsets[first])
        size = int(offsets[stop - 1] + sizes[stop - 1]) - offset
        places = offsets[patched[low:high]] + (_VALUES_AT - offset)
        yield _Range(int(sources[first]), offset, size, places, values[low:high])


def _start_values(rows: StructuredArray) -> ByteArray:
    """The FrameStart bodies of the rows, uint8[n, 24], bit for bit."""
    values = np.empty((len(rows), 3), "<u8")
    for column, name in enumerate(("frame_id", "duration", "elapsed")):
        values[:, column] = rows[name].view(np.uint64)
    return values.view(np.uint8)


# --- the file -----------------------------------------------------------------------------------------


class _Writer:
    """Appends ranges to a file: long ones by the kernel, the others through one buffer, in which they are patched."""

    def __init__(self, snapshot: Snapshot, descriptor: int, progress: Progress, block: int, *, kernel: bool) -> None:
        self._store = snapshot.store
        self._descriptor = descriptor
        self._progress = progress
        self._done = 0
        self._size = snapshot.size
        self._kernel = kernel
        self._view = memoryview(bytearray(block))
        self._bytes = np.frombuffer(self._view, np.uint8)
        self._used = 0

    def add(self, data: bytes) -> None:
        """Append bytes."""
        with memoryview(data) as view:
            done = 0
            while done < len(view):
                count = min(len(view) - done, self._room())
                self._view[self._used : self._used + count] = view[done : done + count]
                self._used += count
                done += count

    def add_range(self, span: _Range) -> None:
        """Append a range, with the FrameStart values of its rows."""
        done = 0
        if self._kernel and span.size >= _WORTH_A_CALL and not len(span.places):
            done = self._copy_by_kernel(span)
        while done < span.size:
            count = min(span.size - done, self._room())
            self._store.read_into(span.source, span.offset + done, self._view[self._used : self._used + count])
            if len(span.places):
                self._patch(span, done, count)
            self._used += count
            done += count

    def flush(self) -> None:
        """Write the contents of the buffer."""
        done = 0
        while done < self._used:
            done += os.write(self._descriptor, self._view[done : self._used])
        self._used = 0
        self._advance(done)

    def _advance(self, count: int) -> None:
        self._done += count
        self._progress.update(self._done, self._size)

    def _room(self) -> int:
        """The free bytes of the buffer, which is flushed if it is full."""
        if self._used == len(self._view):
            self.flush()
        return len(self._view) - self._used

    def _copy_by_kernel(self, span: _Range) -> int:
        """Copy a range as far as the kernel can; returns the number of bytes."""
        self.flush()
        done = 0
        while done < span.size:
            size = min(span.size - done, _KERNEL_STEP)
            count = self._store.copy_to(span.source, span.offset + done, size, self._descriptor)
            if count == 0:
                break
            done += count
            self._advance(count)
        return done

    def _patch(self, span: _Range, begin: int, count: int) -> None:
        """Patch FrameStart values in bytes of a range, which are at the end of the buffer.

        Args:
            span: The range.
            begin: The index of the first byte in the range.
            count: The number of bytes.
        """
        first = int(span.places.searchsorted(begin - _VALUES_SIZE, side="right"))
        stop = int(span.places.searchsorted(begin + count))
        places = span.places[first:stop, None] + (np.arange(_VALUES_SIZE) - begin)
        inside = (places >= 0) & (places < count)  # a block may begin and end in the middle of a FrameStart
        self._bytes[self._used + places[inside]] = span.values[first:stop][inside]
