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
_SMALLEST_PIECE, _PIECE = 4 << 10, 256 << 10  # searched at once
_LOOK_AHEAD_AFTER = 16  # single frames of one layout in a row before a look ahead
_GUESSES = 4  # wrong guesses in a row before guessing stops
_MAX_MATCHERS = 2048  # layouts that are remembered
_CHURN, _MAX_CHURN = 4, 96  # churn per new layout (any other frame subtracts 1), and its limit
_SKIPPED_LAYOUTS = 512  # frames that are then taken without their layouts
_STRAYS = 64  # packets outside of frames that are walked before a frame is searched for


class ScanResult(NamedTuple):
    """The result of a scan.

    Attributes: `table`, `layouts` (the pool of its layouts), `damage` (findings in file order).
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
    """The frame table of the `size` bytes from `start` on; the saved sizes of the rows add up to `size`.

    `layouts` and `keys` are extended (default: new ones, keys from 0); layouts that hardly ever recur are not kept. If
    the file header is not `credible`, everything is one raw row. `progress` counts bytes and is updated at each block;
    `first` is called once with the rows of the first block. A FrameEnd with a body does not end a frame (format
    reference, sections 3 and 4.1). Raises `Cancelled`, `SourceChanged`, ValueError for a span outside of the source.
    """
    if start < 0 or size < 0 or start + size > store.size(source):
        raise ValueError(f"{size} bytes at {start} reach beyond the source")
    if layouts is None:
        layouts = Layouts()
    buffer = ScanBuffer(store, source, min(max(block, _SMALL), size))
    builder = TableBuilder(source, buffer, KeySource() if keys is None else keys)
    if credible:
        _Scan(buffer, builder, layouts, start, start + size, block, progress).run(first)
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


class _Packets(NamedTuple):
    """Contiguous packets: the first headers (one more than a layout may have), their number, and their end.

    `odd`: a FrameEnd with a body is among them; `closed`: the last one is a FrameEnd without a body.
    """

    heads: list[Head]
    number: int
    stop: int
    odd: bool
    closed: bool


@dataclass(eq=False)
class _Scan:
    """The scan of a span of a source, buffer by buffer."""

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
        at = self._begin
        while at < self._end:
            self._load(at, self._block)
            at = self._walk(at)
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

    def _walk(self, at: int) -> int:
        """Scan from `at` to the end of the buffer; returns where to continue."""
        buffer = self._buffer
        while buffer.holds(at, 1):
            before = at
            at, why = self._walk_frames(at)
            if why is _StopReason.NO_FRAME:
                at = self._take_strays(at)
            elif why is _StopReason.BROKEN_FRAME:
                at = self._take_broken_frame(at)
            elif at == before == buffer.start and buffer.end - at >= min(self._block, self._end - at):
                at = self._long_frame(at)
            else:
                break
        return at

    def _walk_frames(self, at: int) -> tuple[int, _StopReason]:
        """Take the frames from `at` on; returns where this stopped, and why."""
        base = self._buffer.start
        limit = self._buffer.length
        here = at - base
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
        return base + here, _StopReason.NO_FRAME if here < limit == self._end - base else _StopReason.BUFFER_END

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
        """Parse the frame at `here` in the buffer; returns its end, or why it cannot be taken."""
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
        if len(places) > MAX_IN_FRAME or there - here > LARGEST_FRAME:
            self._builder.put_raw("frame-too-large" if kind == FRAME else "unread-packets", base + here, base + there)
            return there
        if len(places) > MAX_PACKETS:
            layout = NO_LAYOUT
            self._matcher = None
            self._skipped_layouts = _SKIPPED_LAYOUTS
        else:
            heads = b"".join([data[place : place + HEADER] for place in places])
            if not odd:
                layout = self._learn(heads, there - here, kind)
            else:
                layout = self._layouts.add(heads)
        self._builder.put_frame(kind, base + here, base + there, layout, odd=odd)
        return there

    def _learn(self, heads: bytes, stride: int, kind: int) -> int:
        """Remember the order of layouts for the next guess; returns the number of the layout."""
        last = self._matcher
        matcher = self._matchers.get(heads)
        if matcher is None:
            if len(self._matchers) >= _MAX_MATCHERS:
                self._matchers.clear()
            matcher = self._matchers[heads] = LayoutMatcher(heads, stride, self._layouts.add(heads), kind)
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

    def _long_frame(self, at: int) -> int:
        """Take one frame that is larger than the buffer; returns its end."""
        values = self._buffer.peek(at + HEADER, START_SIZE - HEADER)
        packets = self._packets(at + START_SIZE, self._end, in_frame=True)
        if not packets.closed and packets.stop != self._end:
            head = self._head(packets.stop)
            if head is None or head[0] != 0 or not is_likely(head) or packets.stop + HEADER + head[1] > self._end:
                return self._take_broken_frame(at)
        self._put_frame(at, packets, values)
        return packets.stop

    def _packets(self, at: int, stop: int, *, most: int | None = None, in_frame: bool = False) -> _Packets:
        """The complete packets from `at` to `stop`, as far as they are credible; moves the buffer.

        In a frame they end with a FrameEnd or before a FrameStart, outside before a FrameStart of 24 bytes.
        """
        buffer = self._buffer
        heads: list[Head] = []
        count = 0
        odd = False
        going = True
        while going and count != most and at + HEADER <= self._end:
            if not buffer.holds(at, HEADER):
                self._load(at, _SMALL)
            data = buffer.data
            limit = buffer.length
            here = at - buffer.start
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
            at = buffer.start + here
        return _Packets(heads, count, at, odd, closed=False)

    def _head(self, at: int) -> Head | None:
        """The packet header at an offset, None if it does not fit before the end; moves the buffer."""
        if at + HEADER > self._end:
            return None
        if not self._buffer.holds(at, HEADER):
            self._load(at, _SMALL)
        return unpack_head(self._buffer.data, at - self._buffer.start)

    # --- damage -----------------------------------------------------------------------------------------

    def _take_broken_frame(self, at: int) -> int:
        """Take a frame without an end, then the bytes after its packets; returns the next frame.

        A packet that runs past the end of the file is truncated, or its size is wrong. An earlier size may also be
        wrong, so the next frame is searched from the first packet on.
        """
        values = self._buffer.peek(at + HEADER, START_SIZE - HEADER)
        found = self._search(at + START_SIZE)
        packets = self._packets(at + START_SIZE, found, in_frame=True)
        self._put_frame(at, packets, values)
        self._put_rest(packets.stop, found)
        return found

    def _take_strays(self, at: int) -> int:
        """Take the bytes between frames; returns the next frame."""
        packets = self._packets(at, self._end, most=_STRAYS)
        if packets.number and (packets.stop == self._end or self._starts_frame(packets.stop)):
            self._put_strays(at, packets)
            return packets.stop
        # No short run of packets ends at a frame: find the next frame, then parse what is before it.
        found = self._search(at + 1)
        packets = self._packets(at, found)
        if _is_too_large(at, packets):
            self._put_strays(at, packets)
            at = packets.stop
        while at < found:
            packets = self._packets(at, found, most=MAX_PACKETS)
            if not packets.number:
                break
            self._put_strays(at, packets)
            at = packets.stop
            if self._starts_frame(at):
                return at
        self._put_rest(at, found)
        return found

    def _starts_frame(self, at: int) -> bool:
        return at + START_SIZE <= self._end and self._head(at) == START

    def _put_frame(self, at: int, packets: _Packets, values: bytes) -> None:
        kind = FRAME if packets.closed else OPEN_FRAME
        if _is_too_large(at, packets):
            self._builder.put_raw("frame-too-large" if kind == FRAME else "unread-packets", at, packets.stop)
            return
        layout = self._layouts.add(_packed(packets.heads))
        self._builder.put_frame(kind, at, packets.stop, layout, odd=packets.odd, values=values)

    def _put_strays(self, at: int, packets: _Packets) -> None:
        if _is_too_large(at, packets):
            self._builder.put_raw("unread-packets", at, packets.stop)
            return
        layout = self._layouts.add(_packed(packets.heads))
        self._builder.put_packets(at, packets.stop, layout, packets.number, odd=packets.heads[0][0] == 0)

    def _put_rest(self, at: int, stop: int) -> None:
        if at < stop:
            torn = stop == self._end and may_be_torn(self._buffer.peek(at, min(stop - at, HEADER)))
            self._builder.put_raw("torn-tail" if torn else "junk", at, stop)

    def _search(self, at: int) -> int:
        """The next credible FrameStart from `at` on, or the end; moves the buffer."""
        searched_from, found = self._searched
        if searched_from <= at <= found:
            return found
        buffer = self._buffer
        since = at
        piece = _SMALLEST_PIECE
        found = self._end
        while self._end - at >= START_SIZE:
            if not buffer.holds(at, START_SIZE):
                self._load(at, self._block)
            stop = min(at + piece, buffer.end)
            places = buffer.frame_starts(at, stop)
            credible = next((place for place in places if buffer.is_followed_by_packets(place, self._end)), None)
            if credible is not None:
                found = credible
                break
            at = stop - START_SIZE + 1
            piece = min(4 * piece, _PIECE)
        self._searched = since, found
        return found


def _is_too_large(at: int, packets: _Packets) -> bool:
    return packets.number > MAX_IN_FRAME or packets.stop - at > LARGEST_FRAME


def _packed(heads: Sequence[Head]) -> bytes:
    return struct.pack("<" + "BI" * len(heads), *chain.from_iterable(heads))
