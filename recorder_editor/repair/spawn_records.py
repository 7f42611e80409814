"""The plausible records of a damaged body whose records differ in length.

A record of EventAdd consists of text and few numbers, so that damage is recognised and the next whole record can be
found at any byte.
"""

import struct
from typing import NamedTuple

from ..format.codec import decode
from ..format.schema import PacketType

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


def whole_records(kind: PacketType, body: bytes, wide: bool, *, stop_early: bool = False) -> WholeRecords:
    """The whole records of a body of a list type; of an EventAdd as `parse_spawn_records`."""
    if kind.name == "EventAdd":
        return parse_spawn_records(body, wide, stop_early=stop_early)
    decoded = decode(kind, body)
    number, end = len(decoded), decoded.tail[0]
    return WholeRecords(number.to_bytes(2, "little") + body[2:end], number, (decoded.count or 0) - number, end)


def parse_spawn_records(body: bytes, wide: bool, *, stop_early: bool = False) -> WholeRecords:
    """The plausible records of an EventAdd body; `stop_early` stops at the first damaged one.

    After a damaged record, reading continues at the first offset from which plausible records reach the end of the body
    or the count.
    """
    if len(body) < 2:
        return WholeRecords(b"\0\0", 0, 0, len(body))
    declared = int.from_bytes(body[:2], "little")
    parts: list[bytes] = []
    at, end = 2, 2
    while len(parts) < declared:
        following = _next(body, at, wide)
        if following is not None:
            parts.append(body[at:following])
            at = end = following
            continue
        resumed = None if stop_early else _next_believable(body, at + 1, wide, declared - len(parts))
        if resumed is None:
            break
        at = resumed
    data = b"".join(parts)
    return WholeRecords(len(parts).to_bytes(2, "little") + data, len(parts), declared - len(parts), end)


def _next(body: bytes, at: int, wide: bool) -> int | None:
    """The end of the record at an offset; None if there is none."""
    fixed = 57 if wide else 33
    if at + fixed + 4 > len(body) or body[at + 4] > _MAX_TYPE:
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
        value = _text(body, name, 0) if name is not None else None
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


def _next_believable(body: bytes, at: int, wide: bool, most: int) -> int | None:
    """The next offset from which plausible records reach the end of the body, or None.

    `most` is the largest number of records that may follow.
    """
    fixed = 57 if wide else 33
    leads: dict[int, bool] = {}

    def leads_to_end(place: int) -> bool:
        chain: list[int] = []
        found = False
        while len(chain) < most:
            if place in leads:
                found = leads[place]
                break
            following = _next(body, place, wide)
            if following is None:
                break
            chain.append(place)
            place = following
            if place == len(body):
                found = True
                break
        leads.update(dict.fromkeys(chain, found))
        return found

    for place in range(at, min(at + _MAX_SEARCHED, len(body) - fixed - 3)):
        # The length of a blueprint's name is below 4,096.
        if body[place + fixed + 1] < 16 and body[place + 4] <= _MAX_TYPE and leads_to_end(place):
            return place
    return None
