"""Many messages of protobuf that differ in numbers only.

Protobuf writes one of them with a mark for each number, and numpy puts the numbers of all frames in place of the marks.
Needs the package protobuf.
"""

import struct
from typing import Any

import numpy as np

from ..arrays import ByteArray, FloatArray, IntArray
from .mcap_values import LAST_SECOND

_NANOS = (1 << 31) - 1
_STAMP = b"\x08\xff\xff\xff\xff\x3f\x10\xff\xff\xff\xff\x07"
"""A time of these seconds and nanoseconds in protobuf: two numbers of five bytes, in which any other has room."""
_MARKS = 0x7A5C3E1200000000
"""The bits of the first mark, an unlikely number; those of the others follow."""


class Template:
    """A message in which the numbers of many frames are put in place of marks."""

    def __init__(self) -> None:
        self._columns: list[FloatArray] = []

    def put(self, message: Any, field: str, values: FloatArray) -> None:
        """Give a field of the message these values.

        Args:
            message: The message, or a part of it.
            field: The name of a number; fields are put in the order of their numbers.
            values: The number for each frame, float64[frames]. What is always 0 is left out where 0 is what a field
                without a value has.
        """
        if values.any():
            setattr(message, field, _mark(len(self._columns)))
            self._columns.append(values)
        elif message.DESCRIPTOR.fields_by_name[field].has_presence:
            setattr(message, field, 0.0)

    def rows(self, message: Any, times: IntArray) -> list[bytes]:
        """Return the bytes of the message in each frame.

        Args:
            message: The message with the marks.
            times: Times of the frames, ns, int64[frames].
        """
        text = message.SerializeToString()
        rows = np.tile(np.frombuffer(text, np.uint8), (len(times), 1))
        offset = 0
        for number, values in enumerate(self._columns):
            offset = text.index(struct.pack("<d", _mark(number)), offset)
            rows[:, offset : offset + 8] = values.astype("<f8")[:, None].view(np.uint8)
        stamps = _stamps(times)
        offset = text.find(_STAMP)
        while offset >= 0:
            rows[:, offset : offset + len(_STAMP)] = stamps
            offset = text.find(_STAMP, offset + 1)
        return [row.tobytes() for row in rows]


def _mark(number: int) -> float:
    """Return the number that stands for those of a column."""
    mark: float = struct.unpack("<d", struct.pack("<Q", _MARKS + number))[0]
    return mark


def _stamps(times: IntArray) -> ByteArray:
    """Return times (ns) as protobuf has them where `_STAMP` stands, uint8[n, 12]."""
    rows = np.tile(np.frombuffer(_STAMP, np.uint8), (len(times), 1))
    for offset, number in ((1, times // 10**9), (7, times % 10**9)):
        digits = (number[:, None] >> np.arange(0, 35, 7)) & 0x7F
        rows[:, offset : offset + 5] = digits | (0x80, 0x80, 0x80, 0x80, 0)
    return rows


def mark_stamp(timestamp: Any) -> None:
    """Make a time that which `Template.rows` replaces."""
    timestamp.seconds = LAST_SECOND
    timestamp.nanos = _NANOS
