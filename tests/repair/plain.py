"""A recording taken apart by hand, so that what the repair says can be held against bytes it has not read itself.

Knows the vectors of UE4 (floats) and nothing of the library.
"""

import struct
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

START = b"\x00\x18\x00\x00\x00"
END = b"\x01\x00\x00\x00\x00"
FIXED = {3: 4, 4: 8, 5: 14, 6: 28, 7: 10, 8: 21, 9: 8, 10: 8, 11: 26, 12: 28, 13: 28, 16: 16, 17: 28}
SINGLE = {14, 18, 20}
VARIABLE = {2, 15, 21}
BIKER = 22
OF_ACTORS = {6, 7, 8, 9, 10, 12, 13, 15, 16, 17, 21, 22}


class Packet(NamedTuple):
    """`id`, `body`, and `at`: where its header begins, from the beginning of its frame."""

    id: int
    body: bytes
    at: int


class Frame(NamedTuple):
    """`number`, `duration`, `elapsed`, `start` and `stop` in the file, `packets` (FrameStart and FrameEnd left out)."""

    number: int
    duration: float
    elapsed: float
    start: int
    stop: int
    packets: tuple[Packet, ...]


def header_size(data: bytes) -> int:
    return 28 + int.from_bytes(data[26:28], "little")


def frames_of(data: bytes) -> list[Frame]:
    """The frames of a sound recording; raises AssertionError where it is none."""
    found = []
    at = header_size(data)
    while at < len(data):
        assert data[at : at + 5] == START, f"no frame begins at {at}"
        number, duration, elapsed = struct.unpack_from("<Qdd", data, at + 5)
        begin, at, packets = at, at + 29, []
        while True:
            kind, size = struct.unpack_from("<BI", data, at)
            assert kind != 0
            assert at + 5 + size <= len(data)
            if kind == 1:
                assert size == 0
                at += 5
                break
            packets.append(Packet(kind, data[at + 5 : at + 5 + size], at - begin))
            at += 5 + size
        found.append(Frame(number, duration, elapsed, begin, at, tuple(packets)))
    return found


def records_of(packet: Packet, long_wheels: bool = True) -> list[bytes]:
    """The records of a body, whole and exact."""
    body = packet.body
    if packet.id in SINGLE:
        return [body]
    (count,) = struct.unpack_from("<H", body)
    size = 12 if packet.id == BIKER else FIXED.get(packet.id)
    if size is not None:
        assert len(body) == 2 + count * size
        return [body[2 + i * size : 2 + (i + 1) * size] for i in range(count)]
    found, at = [], 2
    for _ in range(count):
        end = _end(packet.id, body, at, long_wheels)
        found.append(body[at:end])
        at = end
    assert at == len(body)
    return found


def _end(kind: int, body: bytes, at: int, long_wheels: bool) -> int:
    if kind == 21:
        return at + 8 + 9 * int.from_bytes(body[at + 4 : at + 8], "little")
    if kind == 15:
        at += 4 + 20 + 1 + 16 + 12
        for size in (8, 12, 8, 48 if long_wheels else 36):
            at += 4 + size * struct.unpack_from("<I", body, at)[0]
        return at
    at += 33
    at += 2 + struct.unpack_from("<H", body, at)[0]
    (number,) = struct.unpack_from("<H", body, at)
    at += 2
    for _ in range(number):
        at += 1
        for _ in range(2):
            at += 2 + struct.unpack_from("<H", body, at)[0]
    return at


def actor_of(record: bytes) -> int:
    return int.from_bytes(record[:4], "little")


def counted(frames: list[Frame]) -> tuple[Counter[int], Counter[int]]:
    """Packets and records by packet id."""
    packets: Counter[int] = Counter()
    records: Counter[int] = Counter()
    for _, packet in pieces(frames):
        packets[packet.id] += 1
        if packet.id in FIXED or packet.id in VARIABLE or packet.id == BIKER:
            records[packet.id] += int.from_bytes(packet.body[:2], "little")
        elif packet.id in SINGLE:
            records[packet.id] += 1
    return packets, records


class Census:
    """Who lives, frame by frame."""

    def __init__(self) -> None:
        self.alive: set[int] = set()

    def without_strangers(self, frame: Frame, data: bytes, long_wheels: bool) -> bytes:
        """The bytes of a frame without records of actors that are not alive; moves on to behind it."""
        parts = [data[frame.start : frame.start + 29]]
        for packet in frame.packets:
            body = packet.body
            told = len(body) > 2 and (packet.id in OF_ACTORS or packet.id in (2, 3, 4))
            if told and (packet.id < 5 or not self._knows_all(packet)):
                kept = [record for record in records_of(packet, long_wheels) if self._keeps(packet.id, record)]
                body = struct.pack("<H", len(kept)) + b"".join(kept)
            parts += [struct.pack("<BI", packet.id, len(body)), body]
        return b"".join([*parts, END])

    def _knows_all(self, packet: Packet) -> bool:
        size = FIXED.get(packet.id)
        return size is not None and self.alive.issuperset(
            actor for actor, *_ in struct.iter_unpack(f"<I{size - 4}x", packet.body[2:])
        )

    def _keeps(self, kind: int, record: bytes) -> bool:
        actor = actor_of(record)
        if kind == 2:
            self.alive.add(actor)
            return True
        if kind == 3:
            known = actor in self.alive
            self.alive.discard(actor)
            return known
        if kind == 4:
            return {actor, actor_of(record[4:])} <= self.alive
        return actor in self.alive


def pieces(frames: list[Frame]) -> Iterator[tuple[Frame, Packet]]:
    """Every packet with its frame."""
    for frame in frames:
        for packet in frame.packets:
            yield frame, packet
