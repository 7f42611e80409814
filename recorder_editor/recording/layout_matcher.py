"""Recognises frames of a known layout in a buffer, one at a time or many at once. Knows nothing of files and rows."""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from ..arrays import ByteArray, IntArray
from .frames import OPEN_FRAME, START_SIZE

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
        self.reach = self.stride + _HEADER if self.kind == OPEN_FRAME else self.stride
        self.next_guess = self.second_guess = self

    @property
    def check(self) -> Check:
        """Unpacks the header bytes at an offset of a buffer; they equal `headers` if such a frame is there."""
        if self._check is None:
            gaps = "".join([f"5s{size}x" for _, size in struct.iter_unpack("<BI", self.heads)])
            ending = (FRAME_START,) if self.kind == OPEN_FRAME else ()
            self._check = struct.Struct("<5s24x" + gaps + "5s" * len(ending)).unpack_from
            split = [self.heads[at : at + _HEADER] for at in range(0, len(self.heads), _HEADER)]
            self.headers = (FRAME_START, *split, *ending)
        return self._check

    @property
    def columns(self) -> tuple[IntArray, ByteArray]:
        """The offsets of all header bytes in a frame, int64[n], and their values, uint8[n]."""
        if self._columns is None:
            sizes = [size + _HEADER for _, size in struct.iter_unpack("<BI", self.heads)]
            places = [0, *accumulate(sizes[:-1], initial=START_SIZE)] if sizes else [0]
            offsets: IntArray = (np.array(places, np.int64)[:, None] + np.arange(_HEADER)).ravel()
            self._columns = offsets, np.frombuffer(FRAME_START + self.heads, np.uint8)
        return self._columns

    def look_ahead(self, data: ByteArray) -> int:
        """The number of consecutive frames of this layout at the beginning of `data`, uint8[n].

        The number compared grows (galloping search), so that a short run costs little and a long one few steps. The
        last open frame is not counted, since what follows it was not compared.
        """
        offsets, expected = self.columns
        stride, found, count = self.stride, 0, _AT_ONCE
        while room := min(len(data) // stride - found, count):
            frames = data[found * stride : (found + room) * stride].reshape(room, stride)
            same = (frames[:, offsets] == expected).all(axis=1)
            if not same.all():
                found += int(same.argmin())
                break
            found += room
            count *= _GROWTH
        return max(found - 1, 0) if self.kind == OPEN_FRAME else found
