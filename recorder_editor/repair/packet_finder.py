"""Finds packets in bytes that may be damaged. A packet is accepted if its size agrees with its content.

A record of EventAdd consists of text and few numbers, so that damage is recognised and the next whole record can be
found at any byte.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..arrays import IntArray
from ..format import PACKET_HEADER, WIDTHS, Dialect, PacketType, Struct, decode
from ..recording import FRAME_START_HEADER, LARGEST_FRAME

_LARGEST_FOUND = 4 << 20
_PIECE = 256 << 10
_IN_A_ROW = 3
"""Number of whole packets in a row that are accepted anywhere."""


class PacketFinder:
    """Reads packets from bytes.

    Attributes:
        data: The bytes.
        end: The number of bytes.
        is_end: Whether the file ends with them.
        dialect: The dialect of the recording.
        ids: The packet ids that are accepted.
    """

    def __init__(self, data: bytes, dialect: Dialect, ids: frozenset[int], *, is_end: bool) -> None:
        """Take over bytes.

        Args:
            data: The bytes.
            dialect: The dialect of the recording.
            ids: The packet ids that are accepted.
            is_end: Whether the file ends with these bytes.
        """
        self.data = data
        self.end = len(data)
        self.is_end = is_end
        self.dialect = dialect
        self.ids = ids
        self._rank = {number: rank for rank, number in enumerate(dialect.order)}

    def remove(self, begin: int, size: int) -> None:
        """Remove `size` bytes from an offset on."""
        self.data = self.data[:begin] + self.data[begin + size :]
        self.end = len(self.data)

    def head(self, offset: int) -> tuple[int, int] | None:
        """Return id and size in the packet header at an offset; None at the end."""
        if offset + 5 <= self.end:
            return PACKET_HEADER.unpack_from(self.data, offset)
        return None

    def count_at(self, offset: int) -> int:
        """Return the u16 count at an offset."""
        return int.from_bytes(self.data[offset : offset + 2], "little")

    def whole_end(self, offset: int) -> int | None:
        """Return the end of the packet at an offset if its size agrees with its content, else None."""
        head = self.head(offset)
        if head is None or head[0] == 0 or head[0] not in self.ids:
            return None
        number, size = head
        end = offset + 5 + size
        if end <= self.end and self._fits(self.dialect.packet(number), offset + 5, size):
            return end
        return None

    def _fits(self, kind: PacketType, offset: int, size: int) -> bool:
        """Whether the size of a body at an offset agrees with its content."""
        if kind.body == "empty":
            return size == 0
        if kind.body == "single":
            return size == kind.record.size
        if kind.body == "opaque":
            return True
        if size < 2:
            return False
        count = self.count_at(offset)
        if kind.record.size is not None:
            return size == 2 + count * kind.record.size
        if size == 2 or count == 0:
            return size == 2 and count == 0
        if size < 2 + count * kind.record.least:
            return False
        body = self.data[offset : offset + size]
        whole = whole_records(kind, body, stop_early=True)
        return whole.lost_records == 0 and whole.end == size

    def is_plausible(self, offset: int) -> bool:
        """Whether the bytes at an offset could follow a whole packet."""
        if offset == self.end:
            return True
        head = self.head(offset)
        if head is None:
            return self.is_end and offset < self.end
        if head in ((0, 24), (1, 0)) or self.whole_end(offset) is not None:
            return True
        return self.is_end and head[0] in self.ids and self.end < offset + 5 + head[1] < offset + LARGEST_FRAME

    def is_plausible_chain(self, offset: int) -> bool:
        """Whether the bytes end at an offset, or whole packets begin there."""
        return offset == self.end or self.is_chain(offset)

    def candidates(self, first: int) -> Iterator[int]:
        """Yield the offsets from `first` on at which a packet header of this recording may begin."""
        for begin in range(first, self.end, _PIECE):
            yield from self._candidates_in(begin, min(begin + _PIECE, self.end)).tolist()

    def _candidates_in(self, begin: int, stop: int) -> IntArray:
        """Return the offsets in `[begin, stop)` at which a packet header may begin, int64[n]."""
        raw = np.frombuffer(self.data, np.uint8)[begin : stop + 6]
        count = len(raw) - 6
        if count <= 0:
            return np.empty(0, np.int64)
        is_known = np.zeros(256, np.bool_)
        is_known[list(self.ids)] = True
        # Sizes above 16 MiB are not searched: four random bytes would match too often.
        places = np.flatnonzero(is_known[raw[:count]] & (raw[4 : 4 + count] == 0))
        places = places[raw[places] != 0]
        starts = np.flatnonzero((raw[1 : 1 + count] == 24) & (raw[:count] == 0))
        starts = starts[(raw[starts + 2] | raw[starts + 3] | raw[starts + 4]) == 0]
        places = np.union1d(places, starts)
        sizes = raw[places + 1] | raw[places + 2].astype(np.int64) << 8 | raw[places + 3].astype(np.int64) << 16
        numbers = raw[places]
        counts = raw[places + 5] | raw[places + 6].astype(np.int64) << 8
        fits = begin + places + 5 + sizes <= self.end
        for number in self.ids - {0}:
            kind = self.dialect.packet(number)
            is_other = numbers != number
            if kind.body in ("single", "empty"):
                fits &= is_other | (sizes == (kind.record.size or 0))
            elif kind.body == "list":
                expected = 2 + counts * kind.record.least
                if kind.record.size is not None:
                    fits &= is_other | (sizes == expected)
                else:
                    fits &= is_other | ((sizes >= expected) & (sizes >= 2) & (sizes <= _LARGEST_FOUND))
        return (begin + places[fits]).astype(np.int64)

    def is_chain(self, offset: int) -> bool:
        """Whether whole packets in the recorder's order begin here: three, or up to a FrameEnd before a frame."""
        before = -1.0
        for number in range(1, 64):
            head = self.head(offset)
            end = self.whole_end(offset)
            if head is None or end is None:
                return False
            if head[0] == 1:
                # Five random bytes at the end of a torn file are no FrameEnd.
                is_last = end == self.end and (number > 1 or not self.is_end)
                return is_last or self.data[end : end + 5] == FRAME_START_HEADER
            rank = self._rank.get(head[0], before + 0.5)
            if rank <= before:
                return False
            if number == _IN_A_ROW and self.dialect.packet(head[0]).body != "opaque":
                return True
            before = rank
            offset = end
        return False


# --- records that differ in length -------------------------------------------------------------------


_MAX_TYPE = 16
_MAX_ATTRIBUTE_TYPE = 16
_MAX_ATTRIBUTES = 1_000
_MAX_TEXT = 4096
_MAX_SEARCHED = 1 << 20


class WholeRecords(NamedTuple):
    """The records that were accepted.

    Attributes:
        body: A body with these records.
        number: The number of records.
        lost_records: The number of records that the count promises and that are not there.
        end: The offset behind the last record that was read.
    """

    body: bytes
    number: int
    lost_records: int
    end: int


def whole_records(kind: PacketType, body: bytes, *, stop_early: bool = False) -> WholeRecords:
    """Find the whole records of a body of a list type.

    Args:
        kind: The packet type.
        body: The bytes, from the count on.
        stop_early: Whether to stop at the first damaged record of an EventAdd, as `parse_spawn_records`.
    """
    if kind.name == "EventAdd":
        return parse_spawn_records(kind, body, stop_early=stop_early)
    decoded = decode(kind, body)
    number = len(decoded)
    end = decoded.tail[0]
    return WholeRecords(
        body=number.to_bytes(2, "little") + body[2:end],
        number=number,
        lost_records=(decoded.count or 0) - number,
        end=end,
    )


def parse_spawn_records(kind: PacketType, body: bytes, *, stop_early: bool = False) -> WholeRecords:
    """Find the plausible records of an EventAdd body.

    After a damaged record, reading continues at the first offset from which two plausible records follow, or one up to
    the end of the body.

    Args:
        kind: The packet type.
        body: The bytes, from the count on.
        stop_early: Whether to stop at the first damaged record.
    """
    if len(body) < 2:
        return WholeRecords(b"\0\0", 0, 0, len(body))
    declared = int.from_bytes(body[:2], "little")
    records: list[bytes] = []
    offset: int | None = 2
    end = 2
    while len(records) < declared and offset is not None:
        following = _record_end(kind.record, body, offset)
        if following is not None:
            records.append(body[offset:following])
            offset = following
            end = following
        elif stop_early:
            break
        else:
            offset = _next_believable(kind.record, body, offset + 1)
    return WholeRecords(
        body=len(records).to_bytes(2, "little") + b"".join(records),
        number=len(records),
        lost_records=declared - len(records),
        end=end,
    )


def _size_of_head(record: Struct) -> int:
    """Return the number of bytes before the blueprint of an EventAdd."""
    field, offset = record.head[-1]
    return offset + WIDTHS[field.type]


def _record_end(record: Struct, body: bytes, offset: int) -> int | None:
    """Return the end of the EventAdd record at an offset; None if there is none."""
    fixed = _size_of_head(record)
    _, type_offset = record.places["type"]
    if offset + fixed + 4 > len(body) or body[offset + type_offset] > _MAX_TYPE:
        return None
    place = _text_end(body, offset + fixed, 1)
    if place is None or place + 2 > len(body):
        return None
    number = int.from_bytes(body[place : place + 2], "little")
    place += 2
    if number > _MAX_ATTRIBUTES or place + 5 * number > len(body):
        return None
    for _ in range(number):
        if place >= len(body) or body[place] > _MAX_ATTRIBUTE_TYPE:
            return None
        name_end = _text_end(body, place + 1, 1)
        if name_end is None:
            return None
        value_end = _text_end(body, name_end, 0)
        if value_end is None:
            return None
        place = value_end
    return place


def _text_end(body: bytes, offset: int, least: int) -> int | None:
    """Return the end of the string at an offset; None if it is not printable or shorter than `least`."""
    if offset + 2 > len(body):
        return None
    size: int = struct.unpack_from("<H", body, offset)[0]
    end = offset + 2 + size
    if not least <= size <= _MAX_TEXT or end > len(body):
        return None
    try:
        text = body[offset + 2 : end].decode("utf-8")
    except UnicodeDecodeError:
        return None
    if text.isprintable():
        return end
    return None


def _next_believable(record: Struct, body: bytes, offset: int) -> int | None:
    """Return the next offset from which two plausible records, or one at the end of the body, can be read; or None."""
    fixed = _size_of_head(record)
    for place in range(offset, min(offset + _MAX_SEARCHED, len(body) - fixed - 3)):
        if body[place + fixed + 1] >= 16:
            continue  # the length of a blueprint's name is below 4,096
        following = _record_end(record, body, place)
        if following is None:
            continue
        if following == len(body) or _record_end(record, body, following) is not None:
            return place
    return None
