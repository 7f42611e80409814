"""Scans a file into its frame table, at memory speed.

The recorder writes packets of the same sizes frame after frame until an actor is created or destroyed. So the packet
headers of one frame are parsed, and the following frames are compared with it: one at a time with a compiled `struct`,
then many at once with numpy. A frame that differs is parsed again. Bytes outside of frames become raw rows with
findings, so that every byte belongs to exactly one row and any file can be opened. Knows nothing of packet contents.
"""

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import NamedTuple

from ..progress import SILENT, Progress
from .findings import Finding
from .frames import (
    FRAME,
    LARGEST_FRAME,
    MAX_IN_FRAME,
    MAX_PACKETS,
    NO_LAYOUT,
    OPEN_FRAME,
    RAW,
    START_SIZE,
    FrameTable,
    KeySource,
    Layouts,
)
from .scan_buffer import END, HEADER, START, Head, LayoutMatcher, ScanBuffer, is_likely, may_be_torn, unpack_head
from .store import Store
from .table_builder import TableBuilder

First = Callable[[FrameTable], None]

BLOCK = 2 << 20
"""Bytes read at once; data in the second-level cache is compared fastest."""

_SMALL = 64 << 10  # read at once where only packet headers are needed
_SMALLEST_PIECE = 4 << 10  # searched at once, at first
_LARGEST_PIECE = 256 << 10  # searched at once, at most
_LOOK_AHEAD_AFTER = 16  # single frames of one layout in a row before a look ahead
_GUESSES = 4  # wrong guesses in a row before guessing stops
_MAX_MATCHERS = 2048  # layouts that are remembered
_CHURN = 4  # churn per new layout; any other frame subtracts 1
_MAX_CHURN = 96  # above it the following frames are taken without their layouts
_SKIPPED_LAYOUTS = 512  # frames that are then taken without their layouts
_STRAYS = 64  # packets outside of frames that are walked before a frame is searched for


class ScanResult(NamedTuple):
    """The result of a scan.

    Attributes:
        table: The frame table.
        layouts: The pool of its layouts.
        damage: The findings in file order.
    """

    table: FrameTable
    layouts: Layouts
    damage: tuple[Finding, ...]


def scan(
    store: Store,
    source: int,
    start: int,
    size: int,
    *,
    layouts: Layouts | None = None,
    keys: KeySource | None = None,
    credible: bool = True,
    progress: Progress = SILENT,
    first: First | None = None,
    block: int = BLOCK,
) -> ScanResult:
    """Make the frame table of a span of a source; the saved sizes of its rows add up to that of the span.

    A FrameEnd with a body does not end a frame (format reference, sections 3 and 4.1).

    Args:
        store: The sources.
        source: The number of the source.
        start: The offset of the first byte.
        size: The number of bytes.
        layouts: The pool that new layouts are added to, but for those that hardly ever recur; None: a new one.
        keys: The source of keys for the rows; None: a new one, from 0.
        credible: The file header is credible; else everything is one raw row.
        progress: Counts bytes, and is updated at each block.
        first: Is called once with the rows of the first block.
        block: The bytes that are read at once.

    Raises:
        Cancelled: By `progress`.
        SourceChanged: The file was rewritten since it was opened.
        ValueError: The span is outside of the source.
    """
    if start < 0 or size < 0 or start + size > store.size(source):
        raise ValueError(f"{size} bytes at {start} reach beyond the source")
    if layouts is None:
        layouts = Layouts()
    if keys is None:
        keys = KeySource()
    buffer = ScanBuffer(store, source, min(max(block, _SMALL), size))
    builder = TableBuilder(source, buffer, keys)
    if credible:
        whole_scan = _Scan(
            _buffer=buffer,
            _builder=builder,
            _layouts=layouts,
            _begin=start,
            _end=start + size,
            _block=block,
            _progress=progress,
        )
        whole_scan.run(first)
    elif size:
        builder.put_raw("no-header", start, start + size)
        builder.number_rows()
        if first is not None:
            first(builder.table())
    progress.update(size, size)
    return ScanResult(builder.table(), layouts, builder.findings())


class _StopReason(Enum):
    """Why parsing of frames stopped."""

    BUFFER_END = 1
    NO_FRAME = 2
    BROKEN_FRAME = 3


class _ParsedFrame(NamedTuple):
    """A frame in the buffer.

    Attributes:
        places: The offsets of its packet headers in the buffer, without its FrameStart.
        stop: The offset after it in the buffer.
        kind: `FRAME` or `OPEN_FRAME`.
        odd: It holds a FrameEnd with a body.
    """

    places: list[int]
    stop: int
    kind: int
    odd: bool


class _Packets(NamedTuple):
    """Contiguous packets.

    Attributes:
        heads: The headers of the first packets, at most one more than a layout may have.
        number: The number of packets.
        stop: The offset after the last one.
        odd: A FrameEnd with a body is among them.
        closed: The last one is a FrameEnd without a body.
    """

    heads: list[Head]
    number: int
    stop: int
    odd: bool
    closed: bool


@dataclass(eq=False)
class _Scan:
    """The scan of a span of a source, buffer by buffer.

    Offsets that are called `here` and `there` count from the start of the buffer, all others in the source.
    """

    _buffer: ScanBuffer
    _builder: TableBuilder
    _layouts: Layouts
    _begin: int
    _end: int
    _block: int
    _progress: Progress
    _matcher: LayoutMatcher | None = None
    _guesses: int = _GUESSES
    _churn: int = 0
    _skipped_layouts: int = 0
    _done: int = 0

    def __post_init__(self) -> None:
        self._matchers: dict[bytes, LayoutMatcher] = {}
        self._searched = (self._begin, self._begin)  # range without a credible FrameStart

    def run(self, first: First | None) -> None:
        offset = self._begin
        while offset < self._end:
            self._load(offset, self._block)
            offset = self._walk(offset)
            self._builder.number_rows()
            if first is not None:
                first(self._builder.table())
                first = None

    def _load(self, offset: int, size: int) -> None:
        self._builder.number_rows()
        self._done = max(self._done, offset - self._begin)
        self._progress.update(self._done, self._end - self._begin)
        self._buffer.load(offset, min(size, self._end - offset))

    # --- frames -----------------------------------------------------------------------------------------

    def _walk(self, offset: int) -> int:
        """Scan from an offset to the end of the buffer; returns where to continue."""
        buffer = self._buffer
        while buffer.holds(offset, 1):
            before = offset
            offset, why = self._walk_frames(offset)
            if why is _StopReason.NO_FRAME:
                offset = self._take_strays(offset)
            elif why is _StopReason.BROKEN_FRAME:
                offset = self._take_broken_frame(offset)
            else:
                is_full = buffer.end - offset >= min(self._block, self._end - offset)
                if offset != before or offset != buffer.start or not is_full:
                    break
                offset = self._long_frame(offset)
        return offset

    def _walk_frames(self, offset: int) -> tuple[int, _StopReason]:
        """Take the frames from an offset on; returns where this stopped, and why."""
        base = self._buffer.start
        limit = self._buffer.length
        here = offset - base
        while limit - here >= START_SIZE:
            if self._skipped_layouts:
                here = self._walk_without_layouts(here)
            elif self._guesses:
                here = self._take_expected(here)
            if limit - here < START_SIZE:
                break
            there = self._walk_one(here)
            if isinstance(there, _StopReason):
                return base + here, there
            here = there
        if here < limit and limit == self._end - base:
            return base + here, _StopReason.NO_FRAME
        return base + here, _StopReason.BUFFER_END

    def _take_expected(self, here: int) -> int:
        """Take frames from `here` on, as long as each has the layout that followed the one before it last time."""
        matcher = self._matcher
        if matcher is None:
            return here
        buffer = self._buffer
        runs = self._builder.runs
        data = buffer.data
        base = buffer.start
        limit = buffer.length
        since = here
        count = 0
        taken = 0
        frames_left = _LOOK_AHEAD_AFTER
        while True:
            guess = matcher.next_guess
            if here + guess.reach > limit:
                break
            if guess.check(data, here) != guess.headers:
                guess = matcher.second_guess
                is_another = guess is not matcher.next_guess and here + guess.reach <= limit
                if not is_another or guess.check(data, here) != guess.headers:
                    break
                matcher.second_guess, matcher.next_guess = matcher.next_guess, guess
            if guess is not matcher:
                if count:
                    runs.append((base + since, matcher.stride, count, matcher.layout, matcher.kind))
                matcher = guess
                since = here
                count = 0
                frames_left = _LOOK_AHEAD_AFTER
            count += 1
            taken += 1
            here += guess.stride
            frames_left -= 1
            if not frames_left:
                ahead = matcher.look_ahead(buffer.bytes[here:limit])
                count += ahead
                here += ahead * matcher.stride
                frames_left = _LOOK_AHEAD_AFTER
        if count:
            runs.append((base + since, matcher.stride, count, matcher.layout, matcher.kind))
        if taken:
            self._guesses = _GUESSES
            self._churn = max(self._churn - taken, 0)
        self._matcher = matcher
        return here

    def _walk_one(self, here: int) -> int | _StopReason:
        """Take the frame at `here` in the buffer; returns its end, or why it cannot be taken."""
        frame = self._parse_frame(here)
        if isinstance(frame, _StopReason):
            return frame
        places, there, kind, odd = frame
        base = self._buffer.start
        if len(places) > MAX_IN_FRAME or there - here > LARGEST_FRAME:
            self._builder.put_raw(_too_large_code(kind), base + here, base + there)
            return there
        if len(places) > MAX_PACKETS:
            layout = NO_LAYOUT
            self._matcher = None
            self._skipped_layouts = _SKIPPED_LAYOUTS
        else:
            data = self._buffer.data
            heads = b"".join([data[place : place + HEADER] for place in places])
            if odd:
                layout = self._layouts.add(heads)
            else:
                layout = self._learn(heads, there - here, kind)
        self._builder.put_frame(kind, base + here, base + there, layout, odd=odd)
        return there

    def _parse_frame(self, here: int) -> _ParsedFrame | _StopReason:
        """Parse the packet headers of the frame at `here` in the buffer, or say why it cannot be taken."""
        data = self._buffer.data
        base = self._buffer.start
        limit = self._buffer.length
        end = self._end
        if unpack_head(data, here) != START:
            return _StopReason.NO_FRAME
        places: list[int] = []
        add = places.append
        there = here + START_SIZE
        kind = RAW
        odd = False
        while there + HEADER <= limit:
            number, size = unpack_head(data, there)
            if number < 2:
                if number == 0:
                    if is_likely((number, size)) and base + there + HEADER + size <= end:
                        kind = OPEN_FRAME
                    break
                if size == 0:
                    add(there)
                    there += HEADER
                    kind = FRAME
                    break
                odd = True
            add(there)
            there += HEADER + size
        if kind == RAW:
            if base + there != end:
                if limit < there + HEADER <= end - base:
                    return _StopReason.BUFFER_END
                return _StopReason.BROKEN_FRAME
            kind = OPEN_FRAME
        return _ParsedFrame(places, there, kind, odd)

    def _learn(self, heads: bytes, stride: int, kind: int) -> int:
        """Remember the order of layouts for the next guess; returns the number of the layout."""
        last = self._matcher
        matcher = self._matchers.get(heads)
        if matcher is None:
            if len(self._matchers) >= _MAX_MATCHERS:
                self._matchers.clear()
            matcher = LayoutMatcher(heads=heads, stride=stride, layout=self._layouts.add(heads), kind=kind)
            self._matchers[heads] = matcher
            self._churn += _CHURN
            if self._churn > _MAX_CHURN:
                self._churn = _MAX_CHURN // 2
                self._skipped_layouts = _SKIPPED_LAYOUTS
        elif self._churn:
            self._churn -= 1
        if last is not None and last.next_guess is matcher:
            self._guesses = max(self._guesses, 1)
        elif last is not None:
            self._guesses = max(self._guesses - 1, 0)
            last.second_guess, last.next_guess = last.next_guess, matcher
        self._matcher = matcher
        return matcher.layout

    def _walk_without_layouts(self, here: int) -> int:
        """Take frames from `here` on without their layouts, since these hardly ever recur."""
        buffer = self._buffer
        runs = self._builder.runs
        data = buffer.data
        base = buffer.start
        limit = buffer.length
        while self._skipped_layouts and limit - here >= START_SIZE and unpack_head(data, here) == START:
            there = here + START_SIZE
            number, size = START
            while there + HEADER <= limit:
                number, size = unpack_head(data, there)
                there += HEADER + size
                if number < 2:
                    break
            if (number, size) != END or there - here > HEADER * MAX_IN_FRAME:
                break
            runs.append((base + here, there - here, 1, NO_LAYOUT, FRAME))
            self._skipped_layouts -= 1
            here = there
        return here

    def _long_frame(self, offset: int) -> int:
        """Take one frame that is larger than the buffer; returns its end."""
        values = self._buffer.peek(offset + HEADER, START_SIZE - HEADER)
        packets = self._packets(offset + START_SIZE, self._end, in_frame=True)
        if not packets.closed and packets.stop != self._end and not self._is_whole_frame_start(packets.stop):
            return self._take_broken_frame(offset)
        self._put_frame(offset, packets, values)
        return packets.stop

    def _is_whole_frame_start(self, offset: int) -> bool:
        """Whether a credible and whole FrameStart of any size is there; moves the buffer."""
        head = self._head(offset)
        if head is None:
            return False
        number, size = head
        return number == 0 and is_likely(head) and offset + HEADER + size <= self._end

    def _packets(self, offset: int, stop: int, *, most: int | None = None, in_frame: bool = False) -> _Packets:
        """The complete packets of a span, as far as they are credible; moves the buffer.

        In a frame they end with a FrameEnd or before a FrameStart, outside before a FrameStart of 24 bytes.

        Args:
            offset: The offset of the first packet.
            stop: The end of the span.
            most: The most packets to take; None: any number.
            in_frame: The packets are in a frame.
        """
        buffer = self._buffer
        heads: list[Head] = []
        count = 0
        odd = False
        going = True
        while going and count != most and offset + HEADER <= self._end:
            if not buffer.holds(offset, HEADER):
                self._load(offset, _SMALL)
            data = buffer.data
            limit = buffer.length
            here = offset - buffer.start
            edge = stop - buffer.start
            while here + HEADER <= limit and count != most:
                head = unpack_head(data, here)
                number, size = head
                there = here + HEADER + size
                if there > edge or (number == 0 and (in_frame or head == START or not is_likely(head))):
                    going = False
                    break
                if count <= MAX_PACKETS:
                    heads.append(head)
                count += 1
                here = there
                if number == 1:
                    if in_frame and size == 0:
                        return _Packets(heads, count, buffer.start + here, odd, closed=True)
                    odd = odd or size > 0
            offset = buffer.start + here
        return _Packets(heads, count, offset, odd, closed=False)

    def _head(self, offset: int) -> Head | None:
        """The packet header at an offset, None if it does not fit before the end; moves the buffer."""
        if offset + HEADER > self._end:
            return None
        if not self._buffer.holds(offset, HEADER):
            self._load(offset, _SMALL)
        return unpack_head(self._buffer.data, offset - self._buffer.start)

    # --- damage -----------------------------------------------------------------------------------------

    def _take_broken_frame(self, offset: int) -> int:
        """Take a frame without an end, then the bytes after its packets; returns the next frame.

        A packet that runs past the end of the file is truncated, or its size is wrong. An earlier size may also be
        wrong, so the next frame is searched from the first packet on.
        """
        values = self._buffer.peek(offset + HEADER, START_SIZE - HEADER)
        next_frame = self._search(offset + START_SIZE)
        packets = self._packets(offset + START_SIZE, next_frame, in_frame=True)
        self._put_frame(offset, packets, values)
        self._put_rest(packets.stop, next_frame)
        return next_frame

    def _take_strays(self, offset: int) -> int:
        """Take the bytes between frames; returns the next frame."""
        packets = self._packets(offset, self._end, most=_STRAYS)
        if packets.number and (packets.stop == self._end or self._starts_frame(packets.stop)):
            self._put_strays(offset, packets)
            return packets.stop
        # No short run of packets ends at a frame: find the next frame, then parse what is before it.
        next_frame = self._search(offset + 1)
        packets = self._packets(offset, next_frame)
        if _is_too_large(offset, packets):
            self._put_strays(offset, packets)
            offset = packets.stop
        while offset < next_frame:
            packets = self._packets(offset, next_frame, most=MAX_PACKETS)
            if not packets.number:
                break
            self._put_strays(offset, packets)
            offset = packets.stop
            if self._starts_frame(offset):
                return offset
        self._put_rest(offset, next_frame)
        return next_frame

    def _starts_frame(self, offset: int) -> bool:
        return offset + START_SIZE <= self._end and self._head(offset) == START

    def _put_frame(self, offset: int, packets: _Packets, values: bytes) -> None:
        kind = OPEN_FRAME
        if packets.closed:
            kind = FRAME
        if _is_too_large(offset, packets):
            self._builder.put_raw(_too_large_code(kind), offset, packets.stop)
            return
        layout = self._layouts.add(_packed(packets.heads))
        self._builder.put_frame(kind, offset, packets.stop, layout, odd=packets.odd, values=values)

    def _put_strays(self, offset: int, packets: _Packets) -> None:
        if _is_too_large(offset, packets):
            self._builder.put_raw("unread-packets", offset, packets.stop)
            return
        layout = self._layouts.add(_packed(packets.heads))
        first_number, _ = packets.heads[0]
        self._builder.put_packets(offset, packets.stop, layout, packets.number, odd=first_number == 0)

    def _put_rest(self, offset: int, stop: int) -> None:
        """Enter bytes that are no packets, if there are any."""
        if offset == stop:
            return
        code = "junk"
        if stop == self._end and may_be_torn(self._buffer.peek(offset, min(stop - offset, HEADER))):
            code = "torn-tail"
        self._builder.put_raw(code, offset, stop)

    def _search(self, offset: int) -> int:
        """The next credible FrameStart from an offset on, or the end; moves the buffer."""
        searched_from, frame_start = self._searched
        if not searched_from <= offset <= frame_start:
            frame_start = self._search_anew(offset)
            self._searched = (offset, frame_start)
        return frame_start

    def _search_anew(self, offset: int) -> int:
        buffer = self._buffer
        piece = _SMALLEST_PIECE
        while self._end - offset >= START_SIZE:
            if not buffer.holds(offset, START_SIZE):
                self._load(offset, self._block)
            stop = min(offset + piece, buffer.end)
            for place in buffer.frame_starts(offset, stop):
                if buffer.is_followed_by_packets(place, self._end):
                    return place
            offset = stop - START_SIZE + 1
            piece = min(4 * piece, _LARGEST_PIECE)
        return self._end


def _is_too_large(offset: int, packets: _Packets) -> bool:
    return packets.number > MAX_IN_FRAME or packets.stop - offset > LARGEST_FRAME


def _too_large_code(kind: int) -> str:
    """The code of the finding about a frame of a kind that is too large."""
    if kind == FRAME:
        return "frame-too-large"
    return "unread-packets"


def _packed(heads: Sequence[Head]) -> bytes:
    return struct.pack("<" + "BI" * len(heads), *chain.from_iterable(heads))
