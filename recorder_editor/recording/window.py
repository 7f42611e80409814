"""The part of a source that is in memory while it is scanned, and the search for a frame in it.

One idea: one buffer, used again and again.  Knows no rows, and of packets only what their headers look like.
"""

import struct
from collections.abc import Callable

import numpy as np

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

_RARE = 32  # bytes in a row of which one fits: where it is fewer, looking at those alone is faster than at all

_NUMBER_AND_DURATION = struct.Struct("<Qd").unpack_from

unpack_head: Callable[..., Head] = struct.Struct("<BI").unpack_from


class Window:
    """A buffer over a source.

    Attributes: `data` (the buffer), `bytes` (the same as uint8[n]), `values` (a FrameStart's body from each byte of the
    buffer on, dtype `VALUES`), `start` (where in the source the buffer begins), `length` (bytes of it that hold).
    """

    def __init__(self, store: Store, source: int, size: int) -> None:
        self._store = store
        self._source = source
        self.data = bytearray(max(size, START_SIZE))
        self.bytes = np.frombuffer(self.data, np.uint8)
        self.values = np.ndarray((len(self.data) - VALUES.itemsize + 1,), VALUES, self.data, strides=(1,))
        self.start = 0
        self.length = 0

    def load(self, offset: int, size: int) -> None:
        """Move to `offset` and read `size` bytes; errors as `Store.read`."""
        self.start, self.length = offset, 0
        with memoryview(self.data) as view:
            self._store.read_into(self._source, offset, view[:size])
        self.length = size

    def holds(self, offset: int, size: int) -> bool:
        """Whether these bytes are in the buffer."""
        return self.start <= offset and offset + size <= self.start + self.length

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
