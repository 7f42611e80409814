"""The buffer of a scan, the search for frames in it, and the recognition of frames of a known layout.

Knows no rows, and of packets only their headers.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from ..arrays import ByteArray, IntArray
from ..format.dialects import LARGEST_KNOWN_ID
from .frames import LARGEST_FRAME, OPEN_FRAME, START_SIZE
from .store import Store

VALUES = np.dtype([("frame_id", "<u8"), ("duration", "<f8"), ("elapsed", "<f8")])
"""The body of a FrameStart (format reference, 4.0)."""

HEADER = 5
Head = tuple[int, int]
"""A packet header: id and size of the body."""

START = (0, 24)
END = (1, 0)
"""The headers of a FrameStart and a FrameEnd."""

_RARE = 32  # if fewer than one byte of so many match, testing only those is faster

_NUMBER_AND_DURATION = struct.Struct("<Qd").unpack_from

unpack_head: Callable[..., Head] = struct.Struct("<BI").unpack_from


class ScanBuffer:
    """A buffer over a source.

    Attributes: `data` (the buffer), `bytes` (the same as uint8[n]), `values` (the body of a FrameStart at each byte,
    dtype `VALUES`), `start` and `end` (the range of the source that is loaded).
    """

    def __init__(self, store: Store, source: int, size: int) -> None:
        """`size`: bytes loaded at once, at most."""
        self._store = store
        self._source = source
        self.data = bytearray(max(size, START_SIZE))
        self.bytes = np.frombuffer(self.data, np.uint8)
        self.values = np.ndarray((len(self.data) - VALUES.itemsize + 1,), VALUES, self.data, strides=(1,))
        self.start = self.end = 0

    def load(self, offset: int, size: int) -> None:
        """Move to `offset` and read `size` bytes; errors as `Store.read`."""
        self.start = self.end = offset
        with memoryview(self.data) as view:
            self._store.read_into(self._source, offset, view[:size])
        self.end = offset + size

    @property
    def length(self) -> int:
        """The end of the loaded bytes in the buffer."""
        return self.end - self.start

    def holds(self, offset: int, size: int) -> bool:
        """Whether these bytes of the source are loaded."""
        return self.start <= offset and offset + size <= self.end

    def peek(self, offset: int, size: int) -> bytes:
        """Bytes from anywhere in the source; does not move the buffer."""
        if self.holds(offset, size):
            at = offset - self.start
            return bytes(self.data[at : at + size])
        return self._store.read(self._source, offset, size)

    def frame_starts(self, begin: int, stop: int) -> list[int]:
        """The offsets in the source, from `begin` to `stop`, of complete FrameStarts with credible values.

        Both must be loaded. Headers are compared at memory speed, and values only where those match.
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
                # Small integers read as floats are tiny numbers other than 0.
                likely &= (seconds < 1e9) & ((seconds == 0) | (seconds > 1e-9))
        credible: list[int] = (self.start + places[likely]).tolist()
        return credible

    def is_followed_by_packets(self, at: int, end: int) -> bool:
        """Whether a FrameStart at `at` is followed by credible packets, in a source that ends at `end`.

        One credible packet is enough, or three if the frame id or duration is 0, which is likelier by chance; or fewer
        before a FrameEnd, a FrameStart or a truncated end.
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
            # Bodies of the simulator's packets contain at least a count.
            if number == 0 or (number <= LARGEST_KNOWN_ID and size < 2):
                return False
            if at > end:
                return size < LARGEST_FRAME
        return True


def is_likely(head: Head) -> bool:
    """Whether five bytes can be a packet header; zeros are not a FrameStart of size 0."""
    return head[0] != 0 or 16 <= head[1] <= 255


def may_be_torn(data: bytes) -> bool:
    """Whether the rest of a file can be a truncated packet, by its first bytes."""
    if len(data) < HEADER:
        return True
    number, size = unpack_head(data)
    return (number <= LARGEST_KNOWN_ID or number >= 100) and 0 < size < LARGEST_FRAME


# --- frames of a known layout ------------------------------------------------------------------------


FRAME_START = struct.pack("<BI", 0, 24)
"""The packet header of a FrameStart."""

_HEADER = 5
_AT_ONCE = 8  # frames that a look ahead compares first
_GROWTH = 4

Check = Callable[[bytearray, int], tuple[bytes, ...]]


@dataclass(slots=True, eq=False, repr=False)
class LayoutMatcher:
    """Matches frames of one layout.

    Attributes: `heads` (the joined packet headers without FrameStart's), `layout` (its number in the pool), `kind`
    (`FRAME`, or `OPEN_FRAME`: the next FrameStart follows directly), `stride` (size of a frame in bytes), `reach`
    (bytes compared to recognise one), `next_guess` and `second_guess` (the matchers of the layouts that followed it the
    last time and the time before).
    """

    heads: bytes
    stride: int
    layout: int
    kind: int
    reach: int = field(init=False)
    next_guess: "LayoutMatcher" = field(init=False)
    second_guess: "LayoutMatcher" = field(init=False)
    headers: tuple[bytes, ...] = ()
    _check: Check | None = None
    _columns: tuple[IntArray, ByteArray] | None = None

    def __post_init__(self) -> None:
        if self.kind == OPEN_FRAME:
            self.reach = self.stride + _HEADER
        else:
            self.reach = self.stride
        self.next_guess = self.second_guess = self

    @property
    def check(self) -> Check:
        """Unpacks the header bytes at an offset of a buffer; they equal `headers` if such a frame is there."""
        if self._check is None:
            gaps = "".join([f"5s{size}x" for _, size in struct.iter_unpack("<BI", self.heads)])
            ending = (FRAME_START,) if self.kind == OPEN_FRAME else ()
            self._check = struct.Struct("<5s24x" + gaps + "5s" * len(ending)).unpack_from
            split = []
            for at in range(0, len(self.heads), _HEADER):
                split.append(self.heads[at : at + _HEADER])
            self.headers = (FRAME_START, *split, *ending)
        return self._check

    @property
    def columns(self) -> tuple[IntArray, ByteArray]:
        """The offsets of all header bytes in a frame, int64[n], and their values, uint8[n]."""
        if self._columns is None:
            sizes = []
            for _, size in struct.iter_unpack("<BI", self.heads):
                sizes.append(size + _HEADER)
            if sizes:
                places = [0, *accumulate(sizes[:-1], initial=START_SIZE)]
            else:
                places = [0]
            offsets: IntArray = (np.array(places, np.int64)[:, None] + np.arange(_HEADER)).ravel()
            self._columns = offsets, np.frombuffer(FRAME_START + self.heads, np.uint8)
        return self._columns

    def look_ahead(self, data: ByteArray) -> int:
        """The number of consecutive frames of this layout at the beginning of `data`, uint8[n].

        The number compared grows (galloping search), so that a short run costs little and a long one few steps. The
        last open frame is not counted, since what follows it was not compared.
        """
        offsets, expected = self.columns
        stride = self.stride
        found = 0
        count = _AT_ONCE
        while room := min(len(data) // stride - found, count):
            frames = data[found * stride : (found + room) * stride].reshape(room, stride)
            same = (frames[:, offsets] == expected).all(axis=1)
            if not same.all():
                found += int(same.argmin())
                break
            found += room
            count *= _GROWTH
        if self.kind == OPEN_FRAME:
            return max(found - 1, 0)
        return found
