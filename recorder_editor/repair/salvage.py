"""Frames and packets that can be read from damaged bytes, with the whole records of torn packets.

A packet is accepted if its size agrees with its content. If they differ, the one after which another packet begins is
correct; if neither is, the next packet is searched byte by byte. Knows bytes alone, no file and no neighbouring frames.
"""

import struct
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..format import MAX_RECORDS, PacketType, packet_bytes
from ..recording import FRAME_START_HEADER, LARGEST_FRAME, START_SIZE
from ..recording.snapshot import FRAME_END
from ..texts import N_, say
from .packet_finder import PacketFinder, whole_records
from .report import Tally

_VALUES = struct.Struct("<Qdd")
_LEAST_DOUBLED = 8
_MAX_MISSING = 1 << 20


class Values(NamedTuple):
    """The values of a FrameStart."""

    frame_id: int
    duration: float
    elapsed: float

    @classmethod
    def decode(cls, data: bytes | None) -> "Values":
        """From 24 bytes; zeros for None."""
        return cls(*_VALUES.unpack(data or bytes(24)))

    def encode(self) -> bytes:
        """As 24 bytes."""
        return _VALUES.pack(*self)


class Note(NamedTuple):
    """A problem that was repaired: `code`, `offset` in the data, `text` (a clause without its place), `size`."""

    code: str
    offset: int
    text: str
    size: int = 0


@dataclass
class Draft:
    """A frame, possibly incomplete.

    Attributes: `values` (the 24 bytes of its FrameStart, or None), `packets` (id and body), `closed` (it has a
    FrameEnd), `begin` and `stops` (offsets of its start and of the ends of its packets), `continues` (it follows
    unreadable bytes, so that it may belong to the frame before).
    """

    values: bytes | None
    begin: int = 0
    packets: list[tuple[int, bytes]] = field(default_factory=list)
    closed: bool = False
    stops: list[int] = field(default_factory=list)
    continues: bool = False

    def to_bytes(self) -> bytes:
        """The bytes of the frame, with a FrameEnd."""
        packets = (packet_bytes(number, body) for number, body in self.packets)
        return b"".join((FRAME_START_HEADER, self.values or bytes(24), *packets, FRAME_END))


class _ReadPacket(NamedTuple):
    """A packet, the offset of the next one, and the problem with it (empty for a sound one)."""

    id: int
    body: bytes
    end: int
    code: str = ""
    text: str = ""
    records: int = 0  # number of lost records


class Salvage:
    """The contents of damaged bytes that end where a sound frame begins, or with the file.

    Attributes: `drafts` (in file order), `lost`, `doubled` (bytes removed without loss), `notes`.
    """

    def __init__(self, packets: PacketFinder, *, is_frame: bool, actors: frozenset[int] | None = None) -> None:
        """`is_frame`: the bytes begin with a FrameStart; `actors`: ids that records of a torn packet may have (None:
        any)."""
        self.drafts: list[Draft] = []
        self.lost = Tally()
        self.doubled = 0
        self.notes: list[Note] = []
        self._packets = packets
        self._dialect = packets.dialect
        self._actors = actors
        self._draft: Draft | None = None
        self._is_after_junk = False
        at = 0
        while at < self._packets.end:
            if (at == 0 and is_frame) or self._starts_frame(at):
                self._begin(at)
                at += START_SIZE
                continue
            packet = self._packet(at)
            if packet is None:
                at = self._skip(at)
                continue
            self._add_packet(at, packet)
            at = packet.end

    @property
    def _is_outside(self) -> bool:
        """Whether no frame is open."""
        return self._draft is None or self._draft.closed

    # --- drafts -----------------------------------------------------------------------------------------

    def _begin(self, at: int) -> None:
        self._is_after_junk = False
        if self._draft is not None and not self._draft.closed and self._draft.values is not None:
            self._note("no-frame-end", self._draft.begin, "", at - self._draft.begin)
        self._draft = Draft(self._packets.data[at + 5 : at + START_SIZE], at)
        self.drafts.append(self._draft)

    def _add_packet(self, at: int, packet: _ReadPacket) -> None:
        if packet.code:
            self._note(packet.code, at, packet.text, packet.end - at)
        if packet.id < 0:
            return
        if packet.id == 0:
            self._begin(at)
            self.lost.bytes += packet.end - at - START_SIZE
            return
        draft = self._current_draft(at)
        if packet.id == 1:
            draft.closed = True
        else:
            draft.packets.append((packet.id, packet.body))
            draft.stops.append(packet.end)
        self._count_lost(packet.id, packet.end - at - 5 - len(packet.body), records=packet.records)

    def _current_draft(self, at: int) -> Draft:
        """The frame that a packet at an offset belongs to."""
        if self._draft is None or self._draft.closed or self._is_after_junk:
            self._draft = Draft(None, at, continues=self._is_after_junk)
            self.drafts.append(self._draft)
        self._is_after_junk = False
        return self._draft

    def _count_lost(self, number: int, size: int, *, packets: int = 0, records: int = 0) -> None:
        self.lost.count(self._dialect.packet(number).name, packets, records, size)

    def _note(self, code: str, at: int, text: str, size: int) -> None:
        self.notes.append(Note(code, at, text, size))

    # --- damaged packets --------------------------------------------------------------------------------

    def _packet(self, at: int) -> _ReadPacket | None:
        end = self._packets.whole_end(at)
        if end is not None:
            return _ReadPacket(self._packets.data[at], self._packets.data[at + 5 : end], end)
        head = self._packets.head(at)
        if head is None:
            return None
        number, size = head
        kind = self._dialect.packet(number)
        if number == 0:
            return self._odd_start(at, size)
        if number not in self._packets.known:
            return None
        if kind.body == "list":
            by_count = self._by_content(kind, at, size)
            by_size = self._by_size(kind, at, size)
            if by_count is not None and by_size is not None:
                # If both are plausible, the shorter one contains no packet that follows it.
                far = [each for each in (by_count, by_size) if self._packets.is_plausible_chain(each.end)] or [by_count]
                return min(far, key=lambda each: each.end)
            return by_count or by_size
        if kind.body == "opaque":
            return None
        return self._odd_single(kind, at, size)

    def _odd_start(self, at: int, size: int) -> _ReadPacket | None:
        values = self._packets.data[at + 5 : at + START_SIZE]
        if size == 24 or len(values) < 24 or not is_credible(values) or not self._can_follow(values):
            return None
        text = say("its FrameStart says {size:,} bytes instead of 24", size=size)
        for end in (at + START_SIZE, at + 5 + size):
            if at + START_SIZE <= end < self._packets.end and self._packets.is_plausible(end):
                return _ReadPacket(0, values, end, "odd-frame-start", text)
        return None

    def _can_follow(self, values: bytes) -> bool:
        """Whether a FrameStart with these values could follow the one before."""
        now = Values.decode(values)
        before = self._draft.values if self._draft is not None else None
        if before is None:
            return now.frame_id > 0 and now.elapsed >= 0
        earlier = Values.decode(before)
        return 0 < now.frame_id - earlier.frame_id < _MAX_MISSING and now.elapsed > earlier.elapsed

    def _odd_single(self, kind: PacketType, at: int, size: int) -> _ReadPacket | None:
        right = kind.record.size or 0
        for end in (at + 5 + right, at + 5 + size):
            if end <= self._packets.end and end >= at + 5 + right and self._packets.is_plausible(end):
                text = say("{packet} says {size:,} bytes and needs {needed}", packet=kind.name, size=size, needed=right)
                return _ReadPacket(kind.id, self._packets.data[at + 5 : at + 5 + right], end, "body-size", text)
        if size < right and at + 5 + size < self._packets.end and self._packets.is_plausible(at + 5 + size):
            self._count_lost(kind.id, 5 + size, packets=1, records=1)
            self._note("body-size", at, say("{packet} is shorter than it must be", packet=kind.name), 5 + size)
            return _ReadPacket(-1, b"", at + 5 + size)
        return None

    def _by_content(self, kind: PacketType, at: int, size: int) -> _ReadPacket | None:
        """The packet if its count is correct and its size is not, else None."""
        if at + 7 > self._packets.end:
            return None
        count = self._packets.count_at(at + 5)
        least = 2 + count * kind.record.least
        if at + 5 + least > self._packets.end:
            return None
        if kind.record.size is not None:
            end = at + 5 + least
        else:
            rest = self._packets.data[at + 5 : self._packets.end]
            whole = whole_records(kind, rest, stop_early=True)
            if whole.lost_records:
                return None
            end = at + 5 + whole.end
        is_at_end = end == self._packets.end and self._packets.is_end
        if end == at + 5 + size or is_at_end or not self._packets.is_plausible(end):
            return None
        text = say(
            "{packet} says {size:,} bytes, its {count:,} records take {needed:,}",
            packet=kind.name,
            size=size,
            count=count,
            needed=end - at - 5,
        )
        return _ReadPacket(kind.id, self._packets.data[at + 5 : end], end, "body-size", text)

    def _by_size(self, kind: PacketType, at: int, size: int) -> _ReadPacket | None:
        """The packet if its size is correct and its count or a record is not, else None."""
        end = at + 5 + size
        if size < 2 or end > self._packets.end or not self._packets.is_plausible(end):
            return None
        count, body = self._records(kind, self._packets.data[at + 5 : end], cut=False)
        declared = self._packets.count_at(at + 5)
        text = say(
            "{packet} says {said:,} records, and {whole:,} are whole", packet=kind.name, said=declared, whole=count
        )
        # A wrong count is no evidence of lost records.
        if 2 + declared * kind.record.least <= size and kind.record.size is None:
            missing = max(declared - count, 0)
        else:
            missing = 0
        return _ReadPacket(kind.id, body, end, "body-size", text, missing)

    def _records(self, kind: PacketType, body: bytes, *, cut: bool) -> tuple[int, bytes]:
        """The number of whole records of a body, and the body with these; `cut`: its end is missing."""
        declared = int.from_bytes(body[:2], "little")
        if kind.record.size is None:
            whole = whole_records(kind, body)
            return whole.number, whole.body
        room, rest = divmod(len(body) - 2, kind.record.size)
        if rest == 0 and not cut:
            count = min(room, MAX_RECORDS)
        else:
            count = min(declared, room)
        return count, count.to_bytes(2, "little") + body[2 : 2 + count * kind.record.size]

    # --- torn packets, and the search for the next one --------------------------------------------------

    def _skip(self, at: int) -> int:
        """Salvage an unreadable packet; returns the offset of the next packet."""
        found = self._next_packet(at + 1)
        again = self._remove_duplicate(at, found)
        if again is not None:
            return again
        head = self._packets.head(at)
        if head is not None:
            number, size = head
        else:
            number, size = (-1, 0)
        kind = self._dialect.packet(max(number, 0))
        is_torn = found == self._packets.end and self._packets.is_end
        code = "torn-tail" if is_torn else "junk"
        if is_torn and FRAME_END.startswith(self._packets.data[at:found]) and not self._is_outside:
            self.doubled += found - at
            self._note("torn-tail", at, say("the FrameEnd is torn"), found - at)
            return found
        if head == (0, 24) and is_torn and self._is_outside:
            self.lost.frames += 1
            self._count_lost(0, found - at, packets=1)
            text: str = say("the FrameStart of the next frame is torn")
        elif self._may_hold_records(number, size, at):
            text = self._salvage_records(kind, at, size, found, is_torn=is_torn and at + 5 + size > self._packets.end)
        else:
            self.lost.bytes += found - at
            is_zero = not self._packets.data[at:found].strip(b"\0")
            if is_zero and is_torn and found - at >= 5 and self._is_outside:
                self.lost.bytes -= found - at
                self.doubled += found - at
                code = "zeros-at-end"
            text = say(
                N_("{size:,} bytes are zero") if is_zero else N_("{size:,} bytes are no packets"), size=found - at
            )
        self._note(code, at, text, found - at)
        self._is_after_junk = not self._is_outside
        return found

    def _may_hold_records(self, number: int, size: int, at: int) -> bool:
        """Whether id and size are those of a packet whose body is damaged."""
        if number < 2 or number not in self._packets.known or not 0 < size < LARGEST_FRAME:
            return False
        kind = self._dialect.packet(number)
        if kind.body == "single":
            return size == kind.record.size
        if kind.body == "opaque" or at + 7 > self._packets.end:
            return self._packets.is_end
        count = self._packets.count_at(at + 5)
        if kind.record.size is not None:
            return size == 2 + count * kind.record.size
        return size >= 2 + count * kind.record.least

    def _salvage_records(self, kind: PacketType, at: int, size: int, found: int, *, is_torn: bool) -> str:
        """Keep the whole records of a torn packet; returns the text of its note."""
        body = self._packets.data[at + 5 : min(found, at + 5 + size)]
        declared = 1 if kind.body == "single" else 0
        if kind.body == "list":
            if len(body) >= 2:
                declared = int.from_bytes(body[:2], "little")
            else:
                declared = (size - 2) // kind.record.least
            if len(body) < 2 and kind.record.size is None:
                declared = 0
        count = 0
        kept = b""
        if kind.body == "list" and len(body) >= 2:
            count, kept = self._records(kind, body, cut=True)
            if not is_torn:
                count, kept = self._known_records(kind, count, kept)
        if not count:
            self._count_lost(kind.id, found - at, packets=1, records=declared)
            return say("{packet} is torn, and nothing of it is whole", packet=kind.name)
        draft = self._current_draft(at)
        draft.packets.append((kind.id, kept))
        draft.stops.append(found)
        self._count_lost(kind.id, found - at - 5 - len(kept), records=max(declared - count, 0))
        return say(
            "{packet} is torn: {whole:,} of {said:,} records are whole", packet=kind.name, whole=count, said=declared
        )

    def _known_records(self, kind: PacketType, count: int, body: bytes) -> tuple[int, bytes]:
        """The records before the first one with an unknown or repeated id: bytes after a gap are something else."""
        size = kind.record.size
        if self._actors is None or kind.actor_field is None or size is None:
            return count, body
        ids = np.frombuffer(body, [("id", "<u4"), ("rest", f"V{size - 4}")], count, 2)["id"].tolist()
        seen: set[int] = set()
        for whole, actor in enumerate(ids):
            if actor not in self._actors or actor in seen:
                return whole, whole.to_bytes(2, "little") + body[2 : 2 + whole * size]
            seen.add(actor)
        return count, body

    def _remove_duplicate(self, at: int, found: int) -> int | None:
        """Remove a block that was written twice in a row, so that the packet at an offset has its size.

        Returns the offset to read again from; None if there is no such block.
        """
        head = self._packets.head(at)
        draft = self._draft
        if head is None or draft is None or draft.closed or found == self._packets.end:
            return None
        extra = found - (at + 5 + head[1])
        low = max(draft.begin, at - extra)
        if extra < _LEAST_DOUBLED or found - low < 2 * extra:
            return None
        raw = np.frombuffer(self._packets.data, np.uint8)[low:found]
        same = np.concatenate(([0], np.cumsum(raw[:-extra] == raw[extra:])))
        places = np.flatnonzero(same[extra:] - same[:-extra] == extra)
        if not len(places):
            return None
        cut = low + int(places[0]) + extra
        self._packets.remove(cut, extra)
        self.doubled += extra
        self._note("doubled-block", cut, say("{size:,} bytes are there twice", size=extra), extra)
        while draft.stops and draft.stops[-1] > cut:
            draft.stops.pop()
            draft.packets.pop()
        first = draft.begin + (START_SIZE if draft.values is not None else 0)
        if draft.stops:
            return draft.stops[-1]
        return first

    def _starts_frame(self, at: int) -> bool:
        if self._packets.data[at : at + 5] != FRAME_START_HEADER or at + START_SIZE > self._packets.end:
            return False
        if is_credible(self._packets.data[at + 5 : at + START_SIZE]):
            return self._is_outside or self._packets.is_plausible(at + START_SIZE)
        return self._is_outside and self._packets.whole_end(at + START_SIZE) is not None

    def _next_packet(self, at: int) -> int:
        """The offset of the next packet, or the end."""
        for place in self._packets.candidates(at):
            if self._packets.data[place] == 0:
                if self._starts_frame(place) and self._packets.is_plausible(place + START_SIZE):
                    return place
            elif self._packets.is_chain(place):
                return place
        return self._packets.end


def is_credible(values: bytes) -> bool:
    """Whether 24 bytes are plausible values of a FrameStart."""
    number, duration, elapsed = Values.decode(values)
    # Small integers read as doubles give tiny numbers other than 0.
    return number < 1 << 48 and all(abs(each) < 1e9 and (each == 0 or abs(each) > 1e-9) for each in (duration, elapsed))
