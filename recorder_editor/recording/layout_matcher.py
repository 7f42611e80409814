"""One layout of a frame, and how it is recognised where it comes again: one frame at a time, or very many.

Knows nothing of files and rows; it looks at bytes in a buffer.
"""

import struct
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .frames import OPEN_FRAME, START_SIZE, Numbers

FRAME_START = struct.pack("<BI", 0, 24)
"""The header of a FrameStart, which every frame begins with."""

_HEADER = 5
_AT_ONCE = 8  # frames that the first look ahead compares, and every look after a miss
_GROWTH = 4

Check = Callable[[bytearray, int], tuple[bytes, ...]]


class LayoutMatcher:
    """A layout as a scan knows it.

    Attributes: `heads` (the packet headers joined, without FrameStart's), `layout` (its number in the pool), `kind`
    (`FRAME`, or `OPEN_FRAME`: the next FrameStart follows at once), `stride` (bytes of such a frame), `reach` (bytes
    that are looked at to recognise one), `follower` and `former` (the forms that came after it last time and before
    that, which are the guesses for the next time).
    """

    __slots__ = ("_check", "_columns", "follower", "former", "headers", "heads", "kind", "layout", "reach", "stride")

    def __init__(self, heads: bytes, stride: int, layout: int, kind: int) -> None:
        self.heads = heads
        self.layout = layout
        self.kind = kind
        self.stride = stride
        self.reach = stride + _HEADER if kind == OPEN_FRAME else stride
        self.follower = self.former = self
        self.headers: tuple[bytes, ...] = ()
        self._check: Check | None = None
        self._columns: tuple[Numbers, npt.NDArray[np.uint8]] | None = None

    @property
    def check(self) -> Check:
        """Takes from a buffer, at a place, what equals `headers` if such a frame is there."""
        if self._check is None:
            gaps = "".join([f"5s{size}x" for _, size in struct.iter_unpack("<BI", self.heads)])
            ending = (FRAME_START,) if self.kind == OPEN_FRAME else ()
            self._check = struct.Struct("<5s24x" + gaps + "5s" * len(ending)).unpack_from
            split = [self.heads[at : at + _HEADER] for at in range(0, len(self.heads), _HEADER)]
            self.headers = (FRAME_START, *split, *ending)
        return self._check

    @property
    def columns(self) -> tuple[Numbers, npt.NDArray[np.uint8]]:
        """The offsets of all header bytes in the frame, int64[n], and what stands there, uint8[n]."""
        if self._columns is None:
            places = [0]
            at = START_SIZE
            for _, size in struct.iter_unpack("<BI", self.heads):
                places.append(at)
                at += _HEADER + size
            offsets: Numbers = (np.array(places, np.int64)[:, None] + np.arange(_HEADER)).ravel()
            self._columns = offsets, np.frombuffer(FRAME_START + self.heads, np.uint8)
        return self._columns

    def look_ahead(self, data: npt.NDArray[np.uint8]) -> int:
        """How many frames of this form stand one behind the other at the beginning of `data`, uint8[n].

        The look gallops, so that a short run costs little and a long one is compared in few steps. The last open
        frame is not counted, since what follows it was not looked at.
        """
        offsets, expected = self.columns
        stride, found, looks = self.stride, 0, _AT_ONCE
        while room := min(len(data) // stride - found, looks):
            frames = data[found * stride : (found + room) * stride].reshape(room, stride)
            same = (frames[:, offsets] == expected).all(axis=1)
            if not same.all():
                found += int(same.argmin())
                break
            found += room
            looks *= _GROWTH
        return max(found - 1, 0) if self.kind == OPEN_FRAME else found
