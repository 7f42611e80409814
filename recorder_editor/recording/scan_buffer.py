"""The buffer of a scan, the search for frames in it, and the recognition of frames of a known layout.

Knows no rows, and of packets only their headers.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field

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

    Attributes:
        data: The buffer, of n bytes.
        bytes: The same as uint8 (n,).
        values: The body of a FrameStart at each byte, dtype `VALUES` (n - 23,): the elements overlap.
        start: The offset in the source of the first byte that is loaded.
        end: The offset after the last byte that is loaded.
    """

    def __init__(self, store: Store, source: int, size: int) -> None:
        """Make an empty buffer.

        Args:
            store: The sources.
            source: The number of the source.
            size: The bytes that are loaded at once, at most.
        """
        self._store = store
        self._source = source
        self.data = bytearray(max(size, START_SIZE))
        self.bytes = np.frombuffer(self.data, np.uint8)
        self.values = np.ndarray((len(self.data) - VALUES.itemsize + 1,), VALUES, self.data, strides=(1,))
        self.start = 0
        self.end = 0

    def load(self, offset: int, size: int) -> None:
        """Move to an offset in the source and read some bytes; errors as `Store.read`."""
        self.start = offset
        self.end = offset  # until they are read
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
            first = offset - self.start
            return bytes(self.data[first : first + size])
        return self._store.read(self._source, offset, size)

    def frame_starts(self, begin: int, stop: int) -> list[int]:
        """Find complete FrameStarts with credible values. Headers are compared at memory speed.

        Args:
            begin: The offset in the source of the first byte to search.
            stop: The offset after the last byte. All of them must be loaded.

        Returns:
            The offsets in the source, rising.
        """
        data = self.bytes[begin - self.start : stop - self.start]
        count = max(len(data) - START_SIZE + 1, 0)
        # The header of a FrameStart is the bytes 0, 24, 0, 0, 0.
        is_start = data[1 : 1 + count] == 24
        if _RARE * np.count_nonzero(is_start) < count:
            places = np.flatnonzero(is_start)
            for index in (4, 3, 2, 0):
                places = places[data[places + index] == 0]
        else:
            for index in (0, 2, 3, 4):
                is_start &= data[index : index + count] == 0
            places = np.flatnonzero(is_start)
        places += begin - self.start
        values = self.values[places + HEADER]
        likely = values["frame_id"] < 1 << 48
        with np.errstate(invalid="ignore"):
            for name in ("elapsed", "duration"):
                seconds = np.abs(values[name])
                # Small integers read as floats are tiny numbers other than 0.
                likely &= (seconds < 1e9) & ((seconds == 0) | (seconds > 1e-9))
        credible: list[int] = (self.start + places[likely]).tolist()
        return credible

    def is_followed_by_packets(self, offset: int, end: int) -> bool:
        """Whether a FrameStart is followed by credible packets.

        One credible packet is enough, or three if the frame id or duration is 0, which is likelier by chance; or fewer
        before a FrameEnd, a FrameStart or a truncated end.

        Args:
            offset: The offset of the FrameStart in the source.
            end: The end of the source.
        """
        frame_id, duration = _NUMBER_AND_DURATION(self.peek(offset + HEADER, 16))
        needed = 3
        if frame_id and duration:
            needed = 1
        offset += START_SIZE
        for _ in range(needed):
            if offset + HEADER > end:
                return True
            head = unpack_head(self.peek(offset, HEADER))
            if head in (START, END):
                return True
            number, size = head
            offset += HEADER + size
            # Bodies of the simulator's packets contain at least a count.
            if number == 0 or (number <= LARGEST_KNOWN_ID and size < 2):
                return False
            if offset > end:
                return size < LARGEST_FRAME
        return True


def is_likely(head: Head) -> bool:
    """Whether five bytes can be a packet header; zeros are not a FrameStart of size 0."""
    number, size = head
    return number != 0 or 16 <= size <= 255


def may_be_torn(data: bytes) -> bool:
    """Whether the rest of a file can be a truncated packet, by its first bytes."""
    if len(data) < HEADER:
        return True
    number, size = unpack_head(data)
    return (number <= LARGEST_KNOWN_ID or number >= 100) and 0 < size < LARGEST_FRAME


# --- frames of a known layout ------------------------------------------------------------------------


FRAME_START = struct.pack("<BI", 0, 24)
"""The packet header of a FrameStart."""

_AT_ONCE = 8  # frames that a look ahead compares first
_GROWTH = 4

Check = Callable[[bytearray, int], tuple[bytes, ...]]


@dataclass(slots=True, eq=False, repr=False)
class LayoutMatcher:
    """Matches frames of one layout.

    Attributes:
        heads: The joined packet headers without that of the FrameStart.
        stride: The size of a frame in bytes.
        layout: The number of the layout in the pool.
        kind: `FRAME`, or `OPEN_FRAME`: the next FrameStart follows directly.
        reach: The bytes that are compared to recognise a frame.
        next_guess: The matcher of the layout that followed this one the last time.
        second_guess: The matcher of the layout that followed this one the time before.
        headers: What `check` returns for such a frame; set by `check`.
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
        self.reach = self.stride
        if self.kind == OPEN_FRAME:
            self.reach += HEADER
        self.next_guess = self
        self.second_guess = self

    @property
    def check(self) -> Check:
        """Unpacks the header bytes at an offset of a buffer; they equal `headers` if such a frame is there."""
        if self._check is None:
            form = "<5s24x"
            headers = [FRAME_START]
            for start in range(0, len(self.heads), HEADER):
                header = self.heads[start : start + HEADER]
                _, size = unpack_head(header)
                form += f"5s{size}x"
                headers.append(header)
            if self.kind == OPEN_FRAME:
                form += "5s"
                headers.append(FRAME_START)
            self._check = struct.Struct(form).unpack_from
            self.headers = tuple(headers)
        return self._check

    @property
    def columns(self) -> tuple[IntArray, ByteArray]:
        """The offsets of all header bytes in a frame, int64[n], and their values, uint8[n]."""
        if self._columns is None:
            places = [0]
            end = START_SIZE
            for _, size in struct.iter_unpack("<BI", self.heads):
                places.append(end)
                end += HEADER + size
            offsets: IntArray = (np.array(places, np.int64)[:, None] + np.arange(HEADER)).ravel()
            self._columns = (offsets, np.frombuffer(FRAME_START + self.heads, np.uint8))
        return self._columns

    def look_ahead(self, data: ByteArray) -> int:
        """Count the consecutive frames of this layout at the beginning of some bytes.

        The number compared grows (galloping search), so that a short run costs little and a long one few steps. The
        last open frame is not counted, since what follows it was not compared.

        Args:
            data: uint8 (n,).
        """
        offsets, expected = self.columns
        stride = self.stride
        whole = len(data) // stride
        matching = 0
        step = _AT_ONCE
        while matching < whole:
            count = min(whole - matching, step)
            frames = data[matching * stride : (matching + count) * stride].reshape(count, stride)
            same = (frames[:, offsets] == expected).all(axis=1)
            if not same.all():
                matching += int(same.argmin())
                break
            matching += count
            step *= _GROWTH
        if self.kind == OPEN_FRAME:
            return max(matching - 1, 0)
        return matching
