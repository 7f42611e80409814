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

    `progress` counts bytes, `block` is the size of the buffer, and long ranges are copied by the kernel if
    `kernel_copy`. Raises OSError, `Cancelled`.
    """
    writer = _Writer(snapshot, descriptor, progress, block, kernel=kernel_copy)
    writer.add(snapshot.header_bytes)
    for found in _ranges(snapshot.table):
        writer.add_range(found)
    writer.flush()


# --- ranges -------------------------------------------------------------------------------------------


class _Range(NamedTuple):
    """Neighbouring rows whose bytes are contiguous in one source.

    Attributes: `source`, `offset`, `size`, `places` (int64[n], rising: offsets in the range of FrameStart values to
    replace), `values` (uint8[n, 24], their new bytes).
    """

    source: int
    offset: int
    size: int
    places: IntArray
    values: ByteArray

    def before(self, other: "_Range") -> bool:
        """Whether the other range continues this one, and neither needs patching."""
        follows = self.source == other.source and self.offset + self.size == other.offset
        return follows and not len(self.places) and not len(other.places)


def _ranges(table: FrameTable) -> Iterator[_Range]:
    """The table as ranges of maximum length; patched ones end with their chunk."""
    last: _Range | None = None
    for chunk in table.chunks:
        for found in _ranges_of(chunk):
            if last is not None and last.before(found):
                last = last._replace(size=last.size + found.size)
                continue
            if last is not None:
                yield last
            last = found
    if last is not None:
        yield last


def _ranges_of(rows: StructuredArray) -> Iterator[_Range]:
    starts = np.where(rows["kind"] == RAW, 0, START_SIZE)
    offsets = rows["offset"] - starts
    sizes = rows["size"] + starts
    sources = rows["source"]
    retimed = (starts > 0) & (rows["stored"] == 0)
    broken = (sources[1:] != sources[:-1]) | (offsets[1:] != offsets[:-1] + sizes[:-1])
    edges = [0, *(np.flatnonzero(broken) + 1).tolist(), len(rows)]
    (patched,) = np.nonzero(retimed)
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
        with memoryview(data) as rest:
            at = 0
            while at < len(rest):
                count = min(len(rest) - at, self._room())
                self._view[self._used : self._used + count] = rest[at : at + count]
                self._used += count
                at += count

    def add_range(self, found: _Range) -> None:
        """Append a range, with the FrameStart values of its rows."""
        at = 0
        if self._kernel and found.size >= _WORTH_A_CALL and not len(found.places):
            at = self._copied_by_the_kernel(found)
        while at < found.size:
            count = min(found.size - at, self._room())
            self._store.read_into(found.source, found.offset + at, self._view[self._used : self._used + count])
            if len(found.places):
                self._patch(found, at, count)
            self._used += count
            at += count

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
        if self._used == len(self._view):
            self.flush()
        return len(self._view) - self._used

    def _copied_by_the_kernel(self, found: _Range) -> int:
        self.flush()
        at = 0
        while at < found.size:
            size = min(found.size - at, _KERNEL_STEP)
            count = self._store.copy_to(found.source, found.offset + at, size, self._descriptor)
            if count == 0:
                break
            at += count
            self._advance(count)
        return at

    def _patch(self, found: _Range, at: int, count: int) -> None:
        """Patch the values of the bytes `[at, at + count)` of a range, which are at the end of the buffer."""
        first = int(found.places.searchsorted(at - _VALUES_SIZE, side="right"))
        stop = int(found.places.searchsorted(at + count))
        places = found.places[first:stop, None] + (np.arange(_VALUES_SIZE) - at)
        inside = (places >= 0) & (places < count)  # a block may begin and end in the middle of a FrameStart
        self._bytes[self._used + places[inside]] = found.values[first:stop][inside]
