"""GIF files, written picture by picture: what did not change is not written again, so that nothing flickers.

Pillow writes GIF, too, but the program does without it elsewhere: it would come into every package for this alone. The
format is that of the specification of GIF89a; `lzw` is its Appendix F.
"""

import struct
from typing import BinaryIO

import numpy as np

from ...arrays import ByteArray

FASTEST_GIF = 50
"""Pictures a second: browsers show those that are to last less than 2/100 s ten times as long."""

_COLOURS = 256
_TRANSPARENT = 255
_CLEAR = 256
_END = 257
_FIRST_CODE = 258
_MOST_CODES = 4096
_NETSCAPE = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
"""The extension that lets a GIF play again and again."""


class GifWriter:
    """Writes a GIF to a file.

    Attributes:
        has_begun: A picture was added: none is held back for long.
    """

    def __init__(self, file: BinaryIO, size: tuple[int, int], rate: int) -> None:
        """Write the head.

        Args:
            file: The file.
            size: Width and height, px.
            rate: Pictures a second, at most `FASTEST_GIF`.
        """
        self._file = file
        self._rate = rate
        self._count = 0
        self.has_begun = False
        self._last: ByteArray | None = None
        self._waiting: tuple[bytes, int] | None = None  # a picture without its head, and when it is shown, 1/100 s
        file.write(b"GIF89a" + struct.pack("<HHBBB", *size, 0x70, 0, 0) + _NETSCAPE)

    def add(self, pixels: ByteArray) -> None:
        """Add a picture: blue, green, red and a byte without meaning, uint8[height, width, 4]."""
        shown = round(self._count * 100 / self._rate)
        self._count += 1
        self.has_begun = True
        colors = pixels[:, :, :3]
        top, bottom, left, right = 0, colors.shape[0], 0, colors.shape[1]
        changed = np.ones(colors.shape[:2], np.bool_)
        if self._last is not None:
            changed = (colors != self._last).any(axis=2)
            rows = np.flatnonzero(changed.any(axis=1))
            if not len(rows):
                return  # the picture before lasts longer
            columns = np.flatnonzero(changed.any(axis=0))
            top, bottom = int(rows[0]), int(rows[-1]) + 1
            left, right = int(columns[0]), int(columns[-1]) + 1
        self._last = colors.copy()
        self._write_waiting(shown)
        part = changed[top:bottom, left:right]
        palette, inks = _reduced(colors[top:bottom, left:right][part])
        indices = np.full(part.shape, _TRANSPARENT, np.uint8)
        indices[part] = inks
        head = struct.pack("<BHHHHB", 0x2C, left, top, right - left, bottom - top, 0x87)
        self._waiting = (head + palette + b"\x08" + _in_blocks(lzw(indices.tobytes())), shown)

    def close(self) -> None:
        """Write the last picture and the end."""
        self._write_waiting(round(self._count * 100 / self._rate))
        self._file.write(b"\x3b")

    def _write_waiting(self, until: int) -> None:
        """Write the picture before, which is shown until then (1/100 s)."""
        if self._waiting is not None:
            data, since = self._waiting
            delay = min(until - since, 0xFFFF)
            self._file.write(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0x05, delay, _TRANSPARENT, 0) + data)


def _reduced(colors: ByteArray) -> tuple[bytes, ByteArray]:
    """Choose a palette.

    Args:
        colors: Blue, green and red of each pixel, uint8[n, 3].

    Returns:
        The palette, 768 bytes, and the entry of each pixel, uint8[n]. Colours that differ in the last three bits share
        one; where more than 255 are left, the rarer ones take the nearest of the frequent ones.
    """
    bins = (colors[:, 2].astype(np.int32) >> 3 << 10) | (colors[:, 1].astype(np.int32) >> 3 << 5) | (colors[:, 0] >> 3)
    counts = np.bincount(bins, minlength=1 << 15)
    used = np.flatnonzero(counts)
    means = np.empty((len(used), 3))
    for position, channel in enumerate((2, 1, 0)):
        sums = np.bincount(bins, weights=colors[:, channel], minlength=1 << 15)
        means[:, position] = sums[used] / counts[used]
    kept = np.argsort(-counts[used], kind="stable")[:_TRANSPARENT]
    entries = np.zeros(1 << 15, np.uint8)
    distances = ((means[:, None, :] - means[None, kept, :]) ** 2).sum(axis=2)
    entries[used] = distances.argmin(axis=1)
    palette = np.zeros((_COLOURS, 3), np.uint8)
    palette[: len(kept)] = means[kept].round()
    return palette.tobytes(), entries[bins]


def lzw(indices: bytes) -> bytes:
    """Compress bytes as GIF does, with codes from 9 to 12 bits."""
    out = bytearray()
    codes: dict[int, int] = {}
    width = 9
    following = _FIRST_CODE
    held = _CLEAR  # bits that are not written yet, the first one lowest
    bits = width
    prefix = -1
    for index in indices:
        if prefix < 0:
            prefix = index
            continue
        key = prefix << 8 | index
        code = codes.get(key)
        if code is not None:
            prefix = code
            continue
        held |= prefix << bits
        bits += width
        if following < _MOST_CODES:
            codes[key] = following
            if following == 1 << width:
                width += 1
            following += 1
        else:
            held |= _CLEAR << bits
            bits += width
            codes.clear()
            following = _FIRST_CODE
            width = 9
        prefix = index
        if bits >= 64:
            whole = bits >> 3
            out += (held & (1 << (whole << 3)) - 1).to_bytes(whole, "little")
            held >>= whole << 3
            bits &= 7
    if prefix >= 0:
        held |= prefix << bits
        bits += width
        if following == 1 << width and width < 12:
            width += 1
    held |= _END << bits
    bits += width
    return bytes(out + held.to_bytes((bits + 7) >> 3, "little"))


def _in_blocks(data: bytes) -> bytes:
    """Return data in blocks of at most 255 bytes, each behind its length, and an empty one."""
    blocks = bytearray()
    for start in range(0, len(data), 255):
        block = data[start : start + 255]
        blocks.append(len(block))
        blocks += block
    blocks.append(0)
    return bytes(blocks)
