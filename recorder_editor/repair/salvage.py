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
from ..texts import say
from .packet_finder import PacketFinder, whole_records
from .report import Tally

_VALUES = struct.Struct("<Qdd")
_LEAST_DOUBLED = 8
_MAX_MISSING = 1 << 20


class Values(NamedTuple):
    """The values of a FrameStart.

    Attributes:
        frame_id: The number of the frame in the file.
        duration: The seconds to the next frame.
        elapsed: The seconds since the recording began.
    """

    frame_id: int
    duration: float
    elapsed: float

    @classmethod
    def decode(cls, data: bytes | None) -> "Values":
        """Return the values in 24 bytes; zeros for None."""
        return cls(*_VALUES.unpack(data or bytes(24)))

    def encode(self) -> bytes:
        """Return the values as 24 bytes."""
        return _VALUES.pack(*self)


class Note(NamedTuple):
    """A problem that was repaired.

    Attributes:
        code: The code of the finding.
        offset: The offset in the data.
        text: A clause without its place.
        size: The number of bytes.
    """

    code: str
    offset: int
    text: str
    size: int = 0


@dataclass
class Draft:
    """A frame, possibly incomplete.

    Attributes:
        values: The 24 bytes of its FrameStart, or None.
        begin: The offset of its start.
        packets: Id and body of each packet.
        closed: Whether it has a FrameEnd.
        stops: The offsets of the ends of its packets.
        continues: Whether it follows unreadable bytes, so that it may belong to the frame before.
    """

    values: bytes | None
    begin: int = 0
    packets: list[tuple[int, bytes]] = field(default_factory=list)
    closed: bool = False
    stops: list[int] = field(default_factory=list)
    continues: bool = False

    def to_bytes(self) -> bytes:
        """Return the bytes of the frame, with a FrameEnd."""
        parts = [FRAME_START_HEADER, self.values or bytes(24)]
        for number, body in self.packets:
            parts.append(packet_bytes(number, body))
        parts.append(FRAME_END)
        return b"".join(parts)


class _ReadPacket(NamedTuple):
    """A packet that was read.

    Attributes:
        id: Its id; below 0 for one that is left out.
        body: Its body.
        end: The offset of the next packet.
        code: The code of the problem with it; empty for a sound one.
        text: A clause about that problem.
        records: The number of lost records.
    """

    id: int
    body: bytes
    end: int
    code: str = ""
    text: str = ""
    records: int = 0


class Salvage:
    """The contents of damaged bytes that end where a sound frame begins, or with the file.

    Attributes:
        drafts: The frames, in file order.
        lost: What is lost.
        doubled: The number of bytes removed without loss.
        notes: The problems that were repaired.
    """

    def __init__(self, packets: PacketFinder, *, is_frame: bool, actors: frozenset[int] | None = None) -> None:
        """Read the bytes.

        Args:
            packets: Reads packets from the bytes.
            is_frame: Whether the bytes begin with a FrameStart.
            actors: The ids that records of a torn packet may have; None for any.
        """
        self.drafts: list[Draft] = []
        self.lost = Tally()
        self.doubled = 0
        self.notes: list[Note] = []
        self._packets = packets
        self._dialect = packets.dialect
        self._actors = actors
        self._draft: Draft | None = None
        self._is_after_junk = False
        offset = 0
        while offset < self._packets.end:
            if (offset == 0 and is_frame) or self._starts_frame(offset):
                self._begin(offset)
                offset += START_SIZE
                continue
            packet = self._packet(offset)
            if packet is None:
                offset = self._skip(offset)
            else:
                self._add_packet(offset, packet)
                offset = packet.end

    @property
    def _is_outside(self) -> bool:
        """Whether no frame is open."""
        return self._draft is None or self._draft.closed

    # --- drafts -----------------------------------------------------------------------------------------

    def _begin(self, offset: int) -> None:
        """Begin a frame."""
        self._is_after_junk = False
        last = self._draft
        if last is not None and not last.closed and last.values is not None:
            self._note("no-frame-end", last.begin, "", offset - last.begin)
        self._draft = Draft(self._packets.data[offset + 5 : offset + START_SIZE], offset)
        self.drafts.append(self._draft)

    def _add_packet(self, offset: int, packet: _ReadPacket) -> None:
        """Add a packet to its frame, and what is lost of it."""
        if packet.code:
            self._note(packet.code, offset, packet.text, packet.end - offset)
        if packet.id < 0:
            return
        if packet.id == 0:
            self._begin(offset)
            self.lost.bytes += packet.end - offset - START_SIZE
            return
        draft = self._current_draft(offset)
        if packet.id == 1:
            draft.closed = True
        else:
            draft.packets.append((packet.id, packet.body))
            draft.stops.append(packet.end)
        self._count_lost(packet.id, packet.end - offset - 5 - len(packet.body), records=packet.records)

    def _current_draft(self, offset: int) -> Draft:
        """Return the frame that a packet at an offset belongs to."""
        if self._draft is None or self._draft.closed or self._is_after_junk:
            self._draft = Draft(None, offset, continues=self._is_after_junk)
            self.drafts.append(self._draft)
        self._is_after_junk = False
        return self._draft

    def _count_lost(self, number: int, size: int, *, packets: int = 0, records: int = 0) -> None:
        self.lost.count(self._dialect.packet(number).name, packets, records, size)

    def _note(self, code: str, offset: int, text: str, size: int) -> None:
        self.notes.append(Note(code, offset, text, size))

    # --- damaged packets --------------------------------------------------------------------------------

    def _packet(self, offset: int) -> _ReadPacket | None:
        """Read the packet at an offset, corrected if its size or its count is wrong; None if there is none."""
        end = self._packets.whole_end(offset)
        if end is not None:
            return _ReadPacket(self._packets.data[offset], self._packets.data[offset + 5 : end], end)
        head = self._packets.head(offset)
        if head is None:
            return None
        number, size = head
        if number == 0:
            return self._odd_start(offset, size)
        kind = self._dialect.packet(number)
        if number not in self._packets.ids or kind.body == "opaque":
            return None
        if kind.body == "list":
            return self._odd_list(kind, offset, size)
        return self._odd_single(kind, offset, size)

    def _odd_list(self, kind: PacketType, offset: int, size: int) -> _ReadPacket | None:
        """Read a list with a size and a count that do not agree; None if neither is plausible."""
        by_count = self._by_content(kind, offset, size)
        by_size = self._by_size(kind, offset, size)
        if by_count is None or by_size is None:
            return by_count or by_size
        # If both are plausible, the shorter one contains no packet that follows it.
        is_count_plausible = self._packets.is_plausible_chain(by_count.end)
        is_size_plausible = self._packets.is_plausible_chain(by_size.end)
        if is_size_plausible and (not is_count_plausible or by_size.end < by_count.end):
            return by_size
        return by_count

    def _odd_start(self, offset: int, size: int) -> _ReadPacket | None:
        """Read a FrameStart that says another size than 24 bytes; None if it is none."""
        values = self._packets.data[offset + 5 : offset + START_SIZE]
        if size == 24 or len(values) < 24 or not is_credible(values) or not self._can_follow(values):
            return None
        text = say("its FrameStart says {size:,} bytes instead of 24", size=size)
        for end in (offset + START_SIZE, offset + 5 + size):
            if offset + START_SIZE <= end < self._packets.end and self._packets.is_plausible(end):
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

    def _odd_single(self, kind: PacketType, offset: int, size: int) -> _ReadPacket | None:
        """Read a packet of one record that says a wrong size; None if no packet follows it."""
        needed = kind.record.size or 0
        body = offset + 5
        for end in (body + needed, body + size):
            if body + needed <= end <= self._packets.end and self._packets.is_plausible(end):
                text = say(
                    "{packet} says {size:,} bytes and needs {needed}", packet=kind.name, size=size, needed=needed
                )
                return _ReadPacket(kind.id, self._packets.data[body : body + needed], end, "body-size", text)
        end = body + size
        if size < needed and end < self._packets.end and self._packets.is_plausible(end):
            self._count_lost(kind.id, 5 + size, packets=1, records=1)
            self._note("body-size", offset, say("{packet} is shorter than it must be", packet=kind.name), 5 + size)
            return _ReadPacket(-1, b"", end)
        return None

    def _by_content(self, kind: PacketType, offset: int, size: int) -> _ReadPacket | None:
        """Return the packet if its count is correct and its size is not, else None."""
        body = offset + 5
        if body + 2 > self._packets.end:
            return None
        count = self._packets.count_at(body)
        least = 2 + count * kind.record.least
        if body + least > self._packets.end:
            return None
        if kind.record.size is not None:
            end = body + least
        else:
            whole = whole_records(kind, self._packets.data[body : self._packets.end], stop_early=True)
            if whole.lost_records:
                return None
            end = body + whole.end
        is_at_end = end == self._packets.end and self._packets.is_end
        if end == body + size or is_at_end or not self._packets.is_plausible(end):
            return None
        text = say(
            "{packet} says {size:,} bytes, its {count:,} records take {needed:,}",
            packet=kind.name,
            size=size,
            count=count,
            needed=end - body,
        )
        return _ReadPacket(kind.id, self._packets.data[body:end], end, "body-size", text)

    def _by_size(self, kind: PacketType, offset: int, size: int) -> _ReadPacket | None:
        """Return the packet if its size is correct and its count or a record is not, else None."""
        end = offset + 5 + size
        if size < 2 or end > self._packets.end or not self._packets.is_plausible(end):
            return None
        count, body = self._records(kind, self._packets.data[offset + 5 : end], cut=False)
        declared = self._packets.count_at(offset + 5)
        text = say(
            "{packet} says {said:,} records, and {whole:,} are whole", packet=kind.name, said=declared, whole=count
        )
        missing = 0
        # A wrong count is no evidence of lost records.
        if 2 + declared * kind.record.least <= size and kind.record.size is None:
            missing = max(declared - count, 0)
        return _ReadPacket(kind.id, body, end, "body-size", text, missing)

    def _records(self, kind: PacketType, body: bytes, *, cut: bool) -> tuple[int, bytes]:
        """Find the whole records of a body.

        Args:
            kind: The packet type.
            body: The bytes, from the count on.
            cut: Whether the end of the body is missing.

        Returns:
            The number of whole records, and the body with these.
        """
        declared = int.from_bytes(body[:2], "little")
        if kind.record.size is None:
            whole = whole_records(kind, body)
            return whole.number, whole.body
        room, rest = divmod(len(body) - 2, kind.record.size)
        count = min(declared, room)
        if rest == 0 and not cut:
            count = min(room, MAX_RECORDS)
        return count, count.to_bytes(2, "little") + body[2 : 2 + count * kind.record.size]

    # --- torn packets, and the search for the next one --------------------------------------------------

    def _skip(self, offset: int) -> int:
        """Salvage an unreadable packet; return the offset of the next packet."""
        end = self._next_packet(offset + 1)
        again = self._remove_duplicate(offset, end)
        if again is not None:
            return again
        size = end - offset
        is_torn = end == self._packets.end and self._packets.is_end
        skipped = self._packets.data[offset:end]
        if is_torn and FRAME_END.startswith(skipped) and not self._is_outside:
            self.doubled += size
            self._note("torn-tail", offset, say("the FrameEnd is torn"), size)
            return end
        code = "torn-tail" if is_torn else "junk"
        head = self._packets.head(offset)
        if is_torn and head == (0, 24) and self._is_outside:
            self.lost.frames += 1
            self._count_lost(0, size, packets=1)
            text = say("the FrameStart of the next frame is torn")
        elif head is not None and self._may_hold_records(head[0], head[1], offset):
            text = self._salvage_records(offset, end, is_torn=is_torn and offset + 5 + head[1] > self._packets.end)
        elif skipped.strip(b"\0"):
            self.lost.bytes += size
            text = say("{size:,} bytes are no packets", size=size)
        else:
            text = say("{size:,} bytes are zero", size=size)
            if is_torn and size >= 5 and self._is_outside:
                self.doubled += size
                code = "zeros-at-end"
            else:
                self.lost.bytes += size
        self._note(code, offset, text, size)
        self._is_after_junk = not self._is_outside
        return end

    def _may_hold_records(self, number: int, size: int, offset: int) -> bool:
        """Whether id and size are those of a packet with a damaged body."""
        if number < 2 or number not in self._packets.ids or not 0 < size < LARGEST_FRAME:
            return False
        kind = self._dialect.packet(number)
        if kind.body == "single":
            return size == kind.record.size
        if kind.body == "opaque" or offset + 7 > self._packets.end:
            return self._packets.is_end
        count = self._packets.count_at(offset + 5)
        if kind.record.size is not None:
            return size == 2 + count * kind.record.size
        return size >= 2 + count * kind.record.least

    def _salvage_records(self, offset: int, end: int, *, is_torn: bool) -> str:
        """Keep the whole records of a torn packet.

        Args:
            offset: The offset of the packet.
            end: The offset of the next packet.
            is_torn: Whether the file ends within the packet.

        Returns:
            The text of its note.
        """
        head = self._packets.head(offset)
        assert head is not None
        number, size = head
        kind = self._dialect.packet(number)
        body = self._packets.data[offset + 5 : min(end, offset + 5 + size)]
        declared = _declared_records(kind, body, size)
        count = 0
        kept = b""
        if kind.body == "list" and len(body) >= 2:
            count, kept = self._records(kind, body, cut=True)
            if not is_torn:
                count, kept = self._known_records(kind, count, kept)
        if not count:
            self._count_lost(kind.id, end - offset, packets=1, records=declared)
            return say("{packet} is torn, and nothing of it is whole", packet=kind.name)
        draft = self._current_draft(offset)
        draft.packets.append((kind.id, kept))
        draft.stops.append(end)
        self._count_lost(kind.id, end - offset - 5 - len(kept), records=max(declared - count, 0))
        return say(
            "{packet} is torn: {whole:,} of {said:,} records are whole", packet=kind.name, whole=count, said=declared
        )

    def _known_records(self, kind: PacketType, count: int, body: bytes) -> tuple[int, bytes]:
        """Return the records before the first one with an unknown or repeated id; bytes behind a gap are no records."""
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

    def _remove_duplicate(self, offset: int, end: int) -> int | None:
        """Remove a block that was written twice in a row, so that the packet at an offset has its size.

        Args:
            offset: The offset of the packet.
            end: The offset of the next packet.

        Returns:
            The offset to read again from; None if there is no such block.
        """
        head = self._packets.head(offset)
        draft = self._draft
        if head is None or draft is None or draft.closed or end == self._packets.end:
            return None
        extra = end - (offset + 5 + head[1])
        low = max(draft.begin, offset - extra)
        if extra < _LEAST_DOUBLED or end - low < 2 * extra:
            return None
        raw = np.frombuffer(self._packets.data, np.uint8)[low:end]
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
        if draft.stops:
            return draft.stops[-1]
        if draft.values is None:
            return draft.begin
        return draft.begin + START_SIZE

    def _starts_frame(self, offset: int) -> bool:
        """Whether a frame begins at an offset."""
        start = self._packets.data[offset : offset + START_SIZE]
        if start[:5] != FRAME_START_HEADER or offset + START_SIZE > self._packets.end:
            return False
        if is_credible(start[5:]):
            return self._is_outside or self._packets.is_plausible(offset + START_SIZE)
        return self._is_outside and self._packets.whole_end(offset + START_SIZE) is not None

    def _next_packet(self, offset: int) -> int:
        """Return the offset of the next packet, or the end."""
        for place in self._packets.candidates(offset):
            if self._packets.data[place] != 0:
                is_packet = self._packets.is_chain(place)
            else:
                is_packet = self._starts_frame(place) and self._packets.is_plausible(place + START_SIZE)
            if is_packet:
                return place
        return self._packets.end


def _declared_records(kind: PacketType, body: bytes, size: int) -> int:
    """Return the number of records that a torn packet had, by its count or else by its size; 0 if unknown."""
    if kind.body == "single":
        return 1
    if kind.body != "list":
        return 0
    if len(body) >= 2:
        return int.from_bytes(body[:2], "little")
    if kind.record.size is None:
        return 0
    return (size - 2) // kind.record.least


def is_credible(values: bytes) -> bool:
    """Whether 24 bytes are plausible values of a FrameStart."""
    number, duration, elapsed = Values.decode(values)
    return number < 1 << 48 and _is_credible_time(duration) and _is_credible_time(elapsed)


def _is_credible_time(seconds: float) -> bool:
    """Whether a double may be a time: small integers read as doubles give tiny numbers other than 0."""
    return seconds == 0 or 1e-9 < abs(seconds) < 1e9
