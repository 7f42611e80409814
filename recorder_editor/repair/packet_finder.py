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

    Attributes: `data`, `end` (their number), `is_end` (the file ends with them), `dialect`, `known` (packet ids that
    are accepted).
    """

    def __init__(self, data: bytes, dialect: Dialect, known: frozenset[int], *, is_end: bool) -> None:
        self.data = data
        self.end = len(data)
        self.is_end = is_end
        self.dialect = dialect
        self.known = known
        self._rank = {one: rank for rank, one in enumerate(dialect.order)}

    def remove(self, begin: int, size: int) -> None:
        """Remove bytes."""
        self.data = self.data[:begin] + self.data[begin + size :]
        self.end = len(self.data)

    def head(self, at: int) -> tuple[int, int] | None:
        """Id and size in the packet header at an offset; None at the end."""
        if at + 5 <= self.end:
            return PACKET_HEADER.unpack_from(self.data, at)
        return None

    def count_at(self, at: int) -> int:
        """The u16 count at an offset."""
        return int.from_bytes(self.data[at : at + 2], "little")

    def whole_end(self, at: int) -> int | None:
        """The end of the packet at an offset if its size agrees with its content, else None."""
        head = self.head(at)
        if head is None or head[0] == 0 or head[0] not in self.known:
            return None
        number, size = head
        end = at + 5 + size
        if end > self.end:
            return None
        kind = self.dialect.packet(number)
        if kind.body == "empty":
            if size == 0:
                return end
            return None
        if kind.body == "single":
            if size == kind.record.size:
                return end
            return None
        if kind.body == "opaque":
            return end
        if self._fits(kind, at + 5, size):
            return end
        return None

    def _fits(self, kind: PacketType, at: int, size: int) -> bool:
        if size < 2:
            return False
        count = self.count_at(at)
        if kind.record.size is not None:
            return size == 2 + count * kind.record.size
        if size == 2 or count == 0:
            return size == 2 and count == 0
        if size < 2 + count * kind.record.least:
            return False
        body = self.data[at : at + size]
        found = whole_records(kind, body, stop_early=True)
        return found.lost_records == 0 and found.end == size

    def is_plausible(self, at: int) -> bool:
        """Whether the bytes at an offset could follow a whole packet."""
        if at == self.end:
            return True
        head = self.head(at)
        if head is None:
            return self.is_end and at < self.end
        if head in ((0, 24), (1, 0)) or self.whole_end(at) is not None:
            return True
        return self.is_end and head[0] in self.known and self.end < at + 5 + head[1] < at + LARGEST_FRAME

    def is_plausible_chain(self, at: int) -> bool:
        """Whether the bytes end at an offset, or whole packets begin there."""
        return at == self.end or self.is_chain(at)

    def candidates(self, at: int) -> Iterator[int]:
        """Offsets from `at` on at which a packet header of this recording may begin."""
        for begin in range(at, self.end, _PIECE):
            yield from self._candidates_in(begin, min(begin + _PIECE, self.end)).tolist()

    def _candidates_in(self, begin: int, stop: int) -> IntArray:
        raw = np.frombuffer(self.data, np.uint8)[begin : stop + 6]
        count = len(raw) - 6
        if count <= 0:
            return np.empty(0, np.int64)
        lut = np.zeros(256, np.bool_)
        lut[list(self.known)] = True
        # Sizes above 16 MiB are not searched: four random bytes would match too often.
        places = np.flatnonzero(lut[raw[:count]] & (raw[4 : 4 + count] == 0))
        starts = np.flatnonzero((raw[1 : 1 + count] == 24) & (raw[:count] == 0))
        places = np.union1d(
            places[raw[places] != 0], starts[(raw[starts + 2] | raw[starts + 3] | raw[starts + 4]) == 0]
        )
        sizes = raw[places + 1] | raw[places + 2].astype(np.int64) << 8 | raw[places + 3].astype(np.int64) << 16
        numbers = raw[places]
        counts = raw[places + 5] | raw[places + 6].astype(np.int64) << 8
        fits = begin + places + 5 + sizes <= self.end
        for number in self.known - {0}:
            kind = self.dialect.packet(number)
            if kind.body in ("single", "empty"):
                fits &= (numbers != number) | (sizes == (kind.record.size or 0))
            elif kind.body == "list":
                exact = kind.record.size is not None
                expected = 2 + counts * kind.record.least
                loose = (sizes >= expected) & (sizes >= 2) & (sizes <= _LARGEST_FOUND)
                fits &= (numbers != number) | (sizes == expected if exact else loose)
        return (begin + places[fits]).astype(np.int64)

    def is_chain(self, at: int) -> bool:
        """Whether whole packets in the recorder's order begin here: three, or up to a FrameEnd before a frame."""
        before = -1.0
        for number in range(1, 64):
            head = self.head(at)
            end = self.whole_end(at)
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
            at = end
        return False


# --- records that differ in length -------------------------------------------------------------------


_MAX_TYPE = 16
_MAX_ATTRIBUTE_TYPE = 16
_MAX_ATTRIBUTES = 1_000
_MAX_TEXT = 4096
_MAX_SEARCHED = 1 << 20


class WholeRecords(NamedTuple):
    """The records that were accepted.

    Attributes: `body` (with these records), `number` (of them), `lost_records` (by the count), `end` (of the last
    record that was read).
    """

    body: bytes
    number: int
    lost_records: int
    end: int


def whole_records(kind: PacketType, body: bytes, *, stop_early: bool = False) -> WholeRecords:
    """The whole records of a body of a list type; of an EventAdd as `parse_spawn_records`."""
    if kind.name == "EventAdd":
        return parse_spawn_records(kind, body, stop_early=stop_early)
    decoded = decode(kind, body)
    number = len(decoded)
    end = decoded.tail[0]
    return WholeRecords(number.to_bytes(2, "little") + body[2:end], number, (decoded.count or 0) - number, end)


def parse_spawn_records(kind: PacketType, body: bytes, *, stop_early: bool = False) -> WholeRecords:
    """The plausible records of an EventAdd body; `stop_early` stops at the first damaged one.

    After a damaged record, reading continues at the first offset from which two plausible records follow, or one up to
    the end of the body.
    """
    if len(body) < 2:
        return WholeRecords(b"\0\0", 0, 0, len(body))
    declared = int.from_bytes(body[:2], "little")
    parts: list[bytes] = []
    at = 2
    end = 2
    while len(parts) < declared:
        following = _next(kind.record, body, at)
        if following is not None:
            parts.append(body[at:following])
            at = end = following
            continue
        if stop_early:
            resumed = None
        else:
            resumed = _next_believable(kind.record, body, at + 1)
        if resumed is None:
            break
        at = resumed
    data = b"".join(parts)
    return WholeRecords(len(parts).to_bytes(2, "little") + data, len(parts), declared - len(parts), end)


def _size_of_head(record: Struct) -> int:
    """The bytes before the blueprint of an EventAdd."""
    field, at = record.head[-1]
    return at + WIDTHS[field.type]


def _next(record: Struct, body: bytes, at: int) -> int | None:
    """The end of the EventAdd record at an offset; None if there is none."""
    fixed = _size_of_head(record)
    _, type_at = record.places["type"]
    if at + fixed + 4 > len(body) or body[at + type_at] > _MAX_TYPE:
        return None
    place = _text(body, at + fixed, 1)
    if place is None or place + 2 > len(body):
        return None
    number = int.from_bytes(body[place : place + 2], "little")
    place += 2
    if number > _MAX_ATTRIBUTES or place + 5 * number > len(body):
        return None
    for _ in range(number):
        if place >= len(body) or body[place] > _MAX_ATTRIBUTE_TYPE:
            return None
        name = _text(body, place + 1, 1)
        value = None
        if name is not None:
            value = _text(body, name, 0)
        if value is None:
            return None
        place = value
    return place


def _text(body: bytes, at: int, least: int) -> int | None:
    """The end of the string at an offset; None if it is not printable or shorter than `least`."""
    if at + 2 > len(body):
        return None
    (size,) = struct.unpack_from("<H", body, at)
    stop = at + 2 + size
    if not least <= size <= _MAX_TEXT or stop > len(body):
        return None
    raw = body[at + 2 : stop]
    if raw.isascii():
        return stop if not raw or raw.decode("ascii").isprintable() else None
    try:
        return stop if raw.decode("utf-8").isprintable() else None
    except UnicodeDecodeError:
        return None


def _next_believable(record: Struct, body: bytes, at: int) -> int | None:
    """The next offset from which two plausible records, or one at the end of the body, can be read; or None."""
    fixed = _size_of_head(record)
    for place in range(at, min(at + _MAX_SEARCHED, len(body) - fixed - 3)):
        # The length of a blueprint's name is below 4,096.
        following = None
        if body[place + fixed + 1] < 16:
            following = _next(record, body, place)
        if following is not None and (following == len(body) or _next(record, body, following) is not None):
            return place
    return None
