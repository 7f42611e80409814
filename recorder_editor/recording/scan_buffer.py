"""The part of a source that is in memory while it is scanned, and the search for a frame in it.

One idea: two buffers, used in turn: while the scan works in one, a thread fills the other with what follows.  Knows no
rows, and of packets only what their headers look like.
"""

import struct
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Self

import numpy as np

from ..errors import RecorderError
from .frames import LARGEST_FRAME, START_SIZE
from .store import Store

VALUES = np.dtype([("frame_id", "<u8"), ("duration", "<f8"), ("elapsed", "<f8")])
"""The body of a FrameStart (format reference, 4.0)."""

HEADER = 5
NEWEST = 24
"""The last packet id that the simulator gives out itself."""

Head = tuple[int, int]
"""A packet header: id and size of the body."""

START, END = (0, 24), (1, 0)
"""The headers of a FrameStart and a FrameEnd."""

_ROOM = 256 << 10
"""Bytes before what is read ahead, for what is left of the block before: a frame that goes on there."""

_RARE = 32  # bytes in a row of which one fits: where it is fewer, looking at those alone is faster than at all

_NUMBER_AND_DURATION = struct.Struct("<Qd").unpack_from

unpack_head: Callable[..., Head] = struct.Struct("<BI").unpack_from


class _Buffer:
    """Memory that is read into, and two views of it: bytes, and a FrameStart's body from each byte on."""

    def __init__(self, size: int) -> None:
        self.data = bytearray(size)
        self.bytes = np.frombuffer(self.data, np.uint8)
        self.values = np.ndarray((size - VALUES.itemsize + 1,), VALUES, self.data, strides=(1,))


class ScanBuffer:
    """A buffer over a source. Use it in a `with`: it has a thread where the source is long.

    Attributes: `data` (the buffer), `bytes` (the same as uint8[n]), `values` (a FrameStart's body from each byte of the
    buffer on, dtype `VALUES`), `start` (which byte of the source stands at the beginning of the buffer), `begin` and
    `end` (of the source; the bytes from `begin` up to `end` hold).
    """

    def __init__(self, store: Store, source: int, size: int, stop: int) -> None:
        """At most `size` bytes are loaded at once, and none beyond `stop` is read ahead."""
        self._store = store
        self._source = source
        self._size, self._stop = size, stop
        self._room = min(size, _ROOM)
        self._now = self._next = _Buffer(max(self._room + size, START_SIZE))
        self._reader: ThreadPoolExecutor | None = None
        self._ahead: Future[None] | None = None
        self.start = self.begin = self.end = 0
        self._show(self._now)

    def _show(self, buffer: _Buffer) -> None:
        self._now = buffer
        self.data, self.bytes, self.values = buffer.data, buffer.bytes, buffer.values

    def load(self, offset: int, size: int) -> None:
        """Move to `offset` and read `size` bytes, or more; errors as `Store.read`."""
        if not self._turn_to(offset, size):
            self.start = self.begin = self.end = offset
            self._read(self._now, 0, offset, size)
            self.end = offset + size
        if size == self._size and self._stop - self.end >= size:
            self._read_ahead()

    def _read(self, buffer: _Buffer, place: int, offset: int, size: int) -> None:
        with memoryview(buffer.data) as view:
            self._store.read_into(self._source, offset, view[place : place + size])

    def _read_ahead(self) -> None:
        """Let the thread read what follows, behind room for the end of what is here."""
        if self._reader is None:
            self._reader = ThreadPoolExecutor(1, "reading ahead")
            self._next = _Buffer(len(self.data))
        self._ahead = self._reader.submit(self._read, self._next, self._room, self.end, self._size)

    def _turn_to(self, offset: int, size: int) -> bool:
        """Go on in the other buffer, where that was filled with what is wanted."""
        ahead, self._ahead = self._ahead, None
        kept = self.end - offset
        if ahead is None or size != self._size or offset < self.begin or not 0 <= kept <= self._room:
            return False
        try:
            ahead.result()
        except (OSError, RecorderError):  # met again by whoever asked for these bytes
            return False
        at = offset - self.start
        self._next.data[self._room - kept : self._room] = self.data[at : at + kept]
        self.start, self.begin, self.end = self.end - self._room, offset, self.end + self._size
        before = self._now
        self._show(self._next)
        self._next = before
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._reader is not None:
            self._reader.shutdown()

    @property
    def length(self) -> int:
        """Where in the buffer the bytes end that hold."""
        return self.end - self.start

    def holds(self, offset: int, size: int) -> bool:
        """Whether these bytes are in the buffer."""
        return self.begin <= offset and offset + size <= self.end

    def peek(self, offset: int, size: int) -> bytes:
        """Bytes from anywhere in the source; the window stays where it is."""
        if self.holds(offset, size):
            at = offset - self.start
            return bytes(self.data[at : at + size])
        return self._store.read(self._source, offset, size)

    def frame_starts(self, begin: int, stop: int) -> list[int]:
        """Where in the source, from `begin` to `stop`, a whole FrameStart with credible values may be.

        Both must lie in the window. Compares bytes at memory speed and looks at values only where those fit.
        """
        data = self.bytes[begin - self.start : stop - self.start]
        count = max(len(data) - START_SIZE + 1, 0)
        hits = data[1 : 1 + count] == START[1]
        if _RARE * np.count_nonzero(hits) < count:
            found = np.flatnonzero(hits)
            for at in (4, 3, 2, 0):
                found = found[data[found + at] == 0]
        else:
            for at in (0, 2, 3, 4):
                hits &= data[at : at + count] == 0
            found = np.flatnonzero(hits)
        places = begin - self.start + found
        values = self.values[places + HEADER]
        likely = values["frame_id"] < 1 << 48
        with np.errstate(invalid="ignore"):
            for name in ("elapsed", "duration"):
                seconds = np.abs(values[name])
                # Small integers, read as seconds, give tiny numbers that are not 0.
                likely &= (seconds < 1e9) & ((seconds == 0) | (seconds > 1e-9))
        credible: list[int] = (self.start + places[likely]).tolist()
        return credible

    def leads_on(self, at: int, end: int) -> bool:
        """Whether a FrameStart could be at `at`, judged by what follows it in a source that ends at `end`.

        That is one packet that could be a packet, or three where a number or duration of 0 makes chance likelier, or
        fewer up to a FrameEnd, a FrameStart or a torn end.
        """
        number, duration = _NUMBER_AND_DURATION(self.peek(at + HEADER, 16))
        at += START_SIZE
        for _ in range(1 if number and duration else 3):
            if at + HEADER > end:
                return True
            head = unpack_head(self.peek(at, HEADER))
            if head in (START, END):
                return True
            number, size = head
            at += HEADER + size
            # Bodies of the simulator's own packets hold at least a count.
            if number == 0 or (number <= NEWEST and size < 2):
                return False
            if at > end:
                return size < LARGEST_FRAME
        return True


def is_likely(head: Head) -> bool:
    """Whether these five bytes could be a packet header: zeros are no FrameStart of size 0."""
    return head[0] != 0 or 16 <= head[1] <= 255


def may_be_torn(data: bytes) -> bool:
    """Whether the rest of a file, which begins so, could be a packet that was not written to its end."""
    if len(data) < HEADER:
        return True
    number, size = unpack_head(data)
    return (number <= NEWEST or number >= 100) and 0 < size < LARGEST_FRAME
