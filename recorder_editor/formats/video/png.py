"""PNG pictures of pixels, by zlib alone (ISO/IEC 15948)."""

import struct
import zlib

import numpy as np

from ...arrays import ByteArray

_UP = 2
"""The filter of a row: what differs from the row above it."""


def png_of(pixels: ByteArray) -> bytes:
    """Return a picture as PNG: 8 bits each of red, green and blue, sRGB.

    Args:
        pixels: Blue, green, red and a byte without meaning, uint8[height, width, 4].
    """
    height, width = pixels.shape[:2]
    rows = np.empty((height, 1 + 3 * width), np.uint8)
    rows[:, 0] = _UP
    colors = pixels[:, :, 2::-1].reshape(height, 3 * width)
    rows[0, 1:] = colors[0]
    rows[1:, 1:] = colors[1:] - colors[:-1]
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            _chunk(b"sRGB", b"\x00"),
            _chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
