"""Damage of every kind, done to a sound recording by a seed, with what it touched and what must come of it."""

import struct
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random

from tests.repair.plain import END, FIXED, Frame, header_size, pieces

NEVER = 4_000_000_000
"""An id that nobody has."""


@dataclass
class Damaged:
    """What was done.

    Attributes: `data`, `touched` (indices of frames whose bytes were), `hidden` (frames that nothing in the file tells
    of any more), `lossless` (True or False where that is certain, else None), `renumbered` (numbers and times may be
    others), `times` (the values of touched frames' FrameStarts are lost).
    """

    data: bytes
    touched: set[int]
    hidden: int = 0
    lossless: bool | None = None
    first_frame_kept: bool = True


class Source:
    """A sound recording: `data`, `frames`, `begin` (where the first one begins)."""

    def __init__(self, data: bytes, frames: list[Frame]) -> None:
        self.data, self.frames, self.begin = data, frames, header_size(data)

    def within(self, low: int, high: int) -> set[int]:
        """The frames that have a byte in `[low, high)`."""
        return {index for index, frame in enumerate(self.frames) if frame.start < high and low < frame.stop}

    def place(self, chance: Random) -> int:
        """A byte behind the header."""
        return chance.randrange(self.begin, len(self.data))

    def with_bytes(self, at: int, raw: bytes) -> bytes:
        return self.data[:at] + raw + self.data[at + len(raw) :]

    def packet(self, chance: Random, wanted: Callable[[int, bytes], bool]) -> tuple[int, int, int, bytes] | None:
        """(frame index, offset of the header in the file, id, body) of some packet that fits."""
        for _ in range(200):
            index = chance.randrange(len(self.frames))
            frame = self.frames[index]
            if frame.packets:
                packet = chance.choice(frame.packets)
                if wanted(packet.id, packet.body):
                    return index, frame.start + packet.at, packet.id, packet.body
        for frame, packet in pieces(self.frames):
            if wanted(packet.id, packet.body):
                return self.frames.index(frame), frame.start + packet.at, packet.id, packet.body
        return None


# --- the tail -------------------------------------------------------------------------------------------------


def torn(source: Source, chance: Random) -> Damaged:
    """The file breaks off anywhere behind its first packet."""
    return _cut(source, chance.randrange(source.frames[0].start + 40, len(source.data)))


def torn_in_frame_start(source: Source, chance: Random) -> Damaged:
    index = chance.randrange(1, len(source.frames))
    return _cut(source, source.frames[index].start + chance.randrange(1, 30))


def torn_in_packet_header(source: Source, chance: Random) -> Damaged:
    index = chance.randrange(len(source.frames))
    packet = chance.choice(source.frames[index].packets)
    return _cut(source, source.frames[index].start + packet.at + chance.randrange(0 if packet.at > 29 else 1, 5))


def torn_in_body(source: Source, chance: Random) -> Damaged:
    found = source.packet(chance, lambda number, body: len(body) > 10)
    if found is None:
        return torn(source, chance)
    _, at, _, body = found
    return _cut(source, at + 5 + chance.randrange(len(body)))


def torn_before_frame_end(source: Source, chance: Random) -> Damaged:
    return _cut(source, chance.choice(source.frames[1:]).stop - chance.randrange(1, 6))


def torn_between_frames(source: Source, chance: Random) -> Damaged:
    return _cut(source, chance.choice(source.frames[1:]).start)


def _cut(source: Source, at: int) -> Damaged:
    touched = {index for index, frame in enumerate(source.frames) if frame.stop > at}
    # Of the torn frame something is there, or nothing tells of it.
    seen = {index for index in touched if source.frames[index].start < at}
    begun = {index for index in seen if source.frames[index].start + 5 <= at}
    return Damaged(source.data[:at], touched, hidden=len(touched - begun))


def zeros_at_end(source: Source, chance: Random) -> Damaged:
    return Damaged(source.data + bytes(chance.randrange(5, 20_000)), set(), lossless=True)


# --- the middle -----------------------------------------------------------------------------------------------


def _size(chance: Random) -> int:
    return int(2 ** chance.uniform(0, 15))


def _junk(chance: Random, size: int) -> bytes:
    kind = chance.randrange(4)
    if kind == 0:
        return bytes(size)
    if kind == 1:
        return b"\xff" * size
    if kind == 2:
        return (b"GET /index.html HTTP/1.1\r\nHost: carla.org\r\n\r\n" * (size // 20 + 1))[:size]
    return chance.randbytes(size)


def hole(source: Source, chance: Random) -> Damaged:
    at = source.place(chance)
    raw = _junk(chance, min(_size(chance), len(source.data) - at))
    return _overwritten(source, at, raw)


def _overwritten(source: Source, at: int, raw: bytes) -> Damaged:
    touched = source.within(at, at + len(raw))
    return Damaged(source.with_bytes(at, raw), touched, hidden=_hidden(source, at, at + len(raw)))


def _hidden(source: Source, low: int, high: int) -> int:
    """Frames at the very end whose FrameStart has a byte in `[low, high)`: nothing tells of them any more."""
    count = 0
    for frame in reversed(source.frames):
        if not (frame.start < high and low < frame.start + 29):
            break
        count += 1
    return count


def missing_block(source: Source, chance: Random) -> Damaged:
    at = source.place(chance)
    size = min(_size(chance), len(source.data) - at)
    touched = source.within(at, at + size)
    hidden = _hidden(source, at, at + size)
    return Damaged(source.data[:at] + source.data[at + size :], touched, hidden=hidden)


def doubled_block(source: Source, chance: Random) -> Damaged:
    at = source.place(chance)
    size = min(_size(chance) + 16, len(source.data) - at)
    data = source.data[: at + size] + source.data[at:]
    return Damaged(data, source.within(at, at + size))


def doubled_frames(source: Source, chance: Random) -> Damaged:
    """Whole frames stand there twice, one behind the other."""
    first = chance.randrange(len(source.frames))
    last = min(len(source.frames) - 1, first + chance.randrange(4))
    low, high = source.frames[first].start, source.frames[last].stop
    return Damaged(source.data[:high] + source.data[low:], set(), lossless=True)


def foreign_between_frames(source: Source, chance: Random) -> Damaged:
    at = chance.choice(source.frames[1:]).start
    return Damaged(source.data[:at] + _junk(chance, _size(chance)) + source.data[at:], set(), lossless=True)


def foreign_inside(source: Source, chance: Random) -> Damaged:
    at = source.place(chance)
    return Damaged(source.data[:at] + _junk(chance, _size(chance)) + source.data[at:], source.within(at, at + 1))


def flipped_bit(source: Source, chance: Random) -> Damaged:
    at = source.place(chance)
    return _overwritten(source, at, bytes([source.data[at] ^ 1 << chance.randrange(8)]))


# --- packets --------------------------------------------------------------------------------------------------


def wrong_size(source: Source, chance: Random) -> Damaged:
    """The size of a packet says something else than its content."""
    found = source.packet(chance, lambda number, body: number in FIXED and len(body) > 2)
    if found is None:
        return hole(source, chance)
    index, at, _, body = found
    size = chance.choice([0, 1, 2, len(body) - 1, len(body) + 1, len(body) + 7, 2 * len(body), 0xFFFFFFFF, 1 << 30])
    return Damaged(source.with_bytes(at + 1, struct.pack("<I", size)), {index}, lossless=True)


def wrong_count(source: Source, chance: Random) -> Damaged:
    """The count of a packet says something else than its size."""
    found = source.packet(chance, lambda number, body: number in FIXED and len(body) > 2)
    if found is None:
        return hole(source, chance)
    index, at, _, body = found
    count = int.from_bytes(body[:2], "little")
    wrong = chance.choice([each for each in (0, count - 1, count + 1, 2 * count, 0xFFFF) if each != count])
    return Damaged(source.with_bytes(at + 5, struct.pack("<H", wrong)), {index}, lossless=True)


def trailing_bytes(source: Source, chance: Random) -> Damaged:
    """Bytes behind the last record, which the size takes in."""
    found = source.packet(chance, lambda number, body: number in FIXED)
    if found is None:
        return hole(source, chance)
    index, at, number, body = found
    extra = chance.randbytes(chance.randrange(1, FIXED[number]))
    raw = struct.pack("<BI", number, len(body) + len(extra)) + body + extra
    return Damaged(source.data[:at] + raw + source.data[at + 5 + len(body) :], {index}, lossless=False)


def missing_frame_end(source: Source, chance: Random) -> Damaged:
    index = chance.randrange(len(source.frames))
    stop = source.frames[index].stop
    return Damaged(source.data[: stop - 5] + source.data[stop:], {index}, lossless=True)


def missing_frame_start(source: Source, chance: Random) -> Damaged:
    index = chance.randrange(1, len(source.frames))
    start = source.frames[index].start
    hidden = int(index == len(source.frames) - 1)
    return Damaged(source.data[:start] + source.data[start + 29 :], {index, index - 1}, hidden=hidden)


def frame_inside_frame(source: Source, chance: Random) -> Damaged:
    """The frame behind it stands in the middle of a frame, between two packets."""
    index = chance.randrange(len(source.frames) - 1)
    one, other = source.frames[index], source.frames[index + 1]
    at = one.start + chance.choice(one.packets).at
    data = source.data[:at] + source.data[other.start : other.stop] + source.data[at : one.stop]
    return Damaged(data + source.data[other.stop :], {index, index + 1}, lossless=True)


def stray_packets(source: Source, chance: Random) -> Damaged:
    """A packet stands behind the frame it belongs to."""
    index = chance.randrange(len(source.frames))
    frame = source.frames[index]
    at = frame.start + frame.packets[-1].at
    data = source.data[:at] + END + source.data[at : frame.stop - 5] + source.data[frame.stop :]
    return Damaged(data, {index}, lossless=True)


def odd_frame_start(source: Source, chance: Random) -> Damaged:
    index = chance.randrange(1, len(source.frames))
    at = source.frames[index].start + 1
    size = chance.choice([0, 16, 23, 25, 32, 255, 4096])
    return Damaged(source.with_bytes(at, struct.pack("<I", size)), {index})


# --- values ---------------------------------------------------------------------------------------------------


def wrong_times(source: Source, chance: Random) -> Damaged:
    """A number, time or duration is something else."""
    index = chance.randrange(len(source.frames))
    at = source.frames[index].start + 5
    real = (0.0, -1.0, -12.5, 1e300, float("nan"), float("inf"), 1e-300, 123456.0)
    which = chance.randrange(3)
    if which == 0:
        raw = struct.pack("<Q", chance.choice([0, 1, 2**63, 10**6, max(source.frames[index].number - 5, 0)]))
    else:
        raw = struct.pack("<d", chance.choice(real))
    return Damaged(source.with_bytes(at + 8 * which, raw), {index}, lossless=True)


def _with_records(source: Source, at: int, number: int, body: bytes, extra: bytes) -> bytes:
    (count,) = struct.unpack_from("<H", body)
    made = struct.pack("<H", count + 1) + body[2:] + extra
    return source.data[:at] + struct.pack("<BI", number, len(made)) + made + source.data[at + 5 + len(body) :]


def unknown_actors(source: Source, chance: Random) -> Damaged:
    """A record of somebody who was never created, or whose parent was not."""
    kinds = (3, 4, 6, 7, 8, 10)
    found = source.packet(chance, lambda number, body: number in kinds)
    if found is None:
        return hole(source, chance)
    index, at, number, body = found
    extra = struct.pack("<I", NEVER) + bytes(FIXED[number] - 4)
    return Damaged(_with_records(source, at, number, body, extra), {index}, lossless=False)


def added_twice(source: Source, chance: Random) -> Damaged:
    """The actors of a frame are created once more, word for word, in the one behind it."""
    found = source.packet(chance, lambda number, body: number == 2 and len(body) > 2)
    if found is None or found[0] + 1 >= len(source.frames):
        return doubled_frames(source, chance)
    index, _, _, body = found
    frame = source.frames[index + 1]
    packet = next(each for each in frame.packets if each.id == 2)
    gone = next((each.body for each in frame.packets if each.id == 3), b"")
    if len(packet.body) > 2 or len(gone) > 2:
        return doubled_frames(source, chance)
    at = frame.start + packet.at
    raw = struct.pack("<BI", 2, len(body)) + body
    return Damaged(source.data[:at] + raw + source.data[at + 7 :], {index + 1}, lossless=True)


# --- the order ------------------------------------------------------------------------------------------------


def shuffled(source: Source, chance: Random) -> Damaged:
    return _reordered(source, chance.sample(range(len(source.frames)), len(source.frames)))


def reversed_order(source: Source, chance: Random) -> Damaged:
    return _reordered(source, range(len(source.frames) - 1, -1, -1))


def out_of_place(source: Source, chance: Random) -> Damaged:
    """One to three frames stand elsewhere, and perhaps another one stands in two places."""
    order = list(range(len(source.frames)))
    for _ in range(chance.randrange(1, 4)):
        order.insert(chance.randrange(len(order)), order.pop(chance.randrange(len(order))))
    if chance.random() < 0.5:
        order.insert(chance.randrange(len(order)), chance.choice(order))
    return _reordered(source, order)


def _reordered(source: Source, order: Iterable[int]) -> Damaged:
    frames = (source.data[source.frames[index].start : source.frames[index].stop] for index in order)
    return Damaged(source.data[: source.begin] + b"".join(frames), set(), lossless=True)


# --- the file -------------------------------------------------------------------------------------------------


def damaged_header(source: Source, chance: Random) -> Damaged:
    at = chance.randrange(0, source.begin)
    raw = _junk(chance, chance.randrange(1, source.begin - at + 1))
    return Damaged(source.with_bytes(at, raw), set())


def missing_header(source: Source, chance: Random) -> Damaged:
    return Damaged(source.data[chance.randrange(1, source.begin + 1) :], set())


def text_mode(source: Source, chance: Random) -> Damaged:
    return Damaged(source.data.replace(b"\n", b"\r\n"), set(), lossless=True)


def copied_behind_itself(source: Source, chance: Random) -> Damaged:
    return Damaged(source.data + source.data, set())


KINDS: Mapping[str, Callable[[Source, Random], Damaged]] = {
    each.__name__: each
    for each in (
        torn,
        torn_in_frame_start,
        torn_in_packet_header,
        torn_in_body,
        torn_before_frame_end,
        torn_between_frames,
        zeros_at_end,
        hole,
        missing_block,
        doubled_block,
        doubled_frames,
        foreign_between_frames,
        foreign_inside,
        flipped_bit,
        wrong_size,
        wrong_count,
        trailing_bytes,
        missing_frame_end,
        missing_frame_start,
        frame_inside_frame,
        stray_packets,
        odd_frame_start,
        wrong_times,
        unknown_actors,
        added_twice,
        damaged_header,
        missing_header,
        text_mode,
        copied_behind_itself,
        shuffled,
        reversed_order,
        out_of_place,
    )
}
