"""From a file to its frame table, at memory speed.

One idea: the recorder writes the same packets of the same sizes frame after frame until an actor comes or goes.  So the
headers of one frame are walked by hand, and the frames after it are compared with it: one at a time with a compiled
`struct`, then many at once with numpy.  What does not fit is walked again; what is no frame becomes a raw row and a
finding, so that every byte belongs to exactly one row and any file opens.  Knows nothing of what is in a packet.
"""

import struct
from collections.abc import Callable, Sequence
from enum import Enum
from itertools import chain
from typing import NamedTuple

from ..progress import SILENT, Progress
from .findings import Finding
from .frames import (
    FRAME,
    LARGEST_FRAME,
    MOST_IN_FRAME,
    MOST_PACKETS,
    NO_LAYOUT,
    OPEN_FRAME,
    RAW,
    START_SIZE,
    FrameTable,
    KeySource,
    Layouts,
)
from .layout_matcher import LayoutMatcher
from .scan_buffer import END, HEADER, START, Head, ScanBuffer, is_likely, may_be_torn, unpack_head
from .store import Store
from .table_builder import TableBuilder

First = Callable[[FrameTable], None]

BLOCK = 2 << 20
"""Bytes read at once: what a processor's second cache holds is compared fastest."""

_SMALL = 64 << 10  # read at once where the walk leaps from packet to packet
_SMALLEST_PIECE, _PIECE = 4 << 10, 256 << 10  # searched at once
_PATIENCE = 4, 64  # single frames of one form in a row before looking further ahead: at least, at most
_WORTH_A_LOOK = 16  # frames a look ahead must find to be repeated as soon
_TRUST = 4  # guesses that must fail in a row before guessing stops
_FORMS = 2048  # forms that are remembered
_STRAIN, _STRAINED = 4, 96  # what a new form adds to the strain (any other frame takes 1 off), and how much is borne
_PLAIN = 512  # frames that are then taken without their layouts
_STRAYS = 64  # packets outside of frames that are walked before a frame is searched for


class ScanResult(NamedTuple):
    """What a scan found.

    Attributes: `table`, `layouts` (the pool its rows name), `damage` (findings in the order of the file).
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
    """The frame table of the `size` bytes from `start` on; the rows' sizes as saved add up to `size`.

    `layouts` and `keys` are added to (default: new ones, keys from 0); frames of layouts that hardly ever return have
    none kept.  Where the file header is not `credible`, all of it is one raw row.  `progress` counts bytes, and is
    updated at each block; `first` is called once with the rows of the first block.  A FrameEnd
    with a body is an odd packet like others and ends no frame (format reference, sections 3 and 4.1).  Raises
    `Cancelled`, `SourceChanged`, ValueError for a span outside of the source.
    """
    if start < 0 or size < 0 or start + size > store.size(source):
        raise ValueError(f"{size} bytes at {start} reach beyond the source")
    layouts = Layouts() if layouts is None else layouts
    with ScanBuffer(store, source, min(max(block, _SMALL), size), start + size) as window:
        builder = TableBuilder(source, window, KeySource() if keys is None else keys)
        if credible:
            _Scan(window, builder, layouts, start, start + size, block, progress).run(first)
        elif size:
            builder.put_raw("no-header", start, start + size)
            builder.number_rows()
            if first is not None:
                first(builder.table())
    progress.update(size, size)
    return ScanResult(builder.table(), layouts, builder.findings())


class _Why(Enum):
    """Why a walk over frames came to a stand."""

    MORE = "the window ends"
    ODD = "no frame begins here"
    LOST = "the frame that begins here leads past the end, or to what is no packet"


class _Packets(NamedTuple):
    """Packets that follow one another: the first heads (one more than a layout may have), how many, where they end.

    `odd`: there is a FrameEnd with a body among them; `closed`: the last one is a FrameEnd without.
    """

    heads: list[Head]
    number: int
    stop: int
    odd: bool
    closed: bool


class _Scan:
    """One walk over a span of a source, window by window."""

    def __init__(
        self,
        window: ScanBuffer,
        builder: TableBuilder,
        layouts: Layouts,
        begin: int,
        end: int,
        block: int,
        progress: Progress,
    ) -> None:
        self._window, self._builder, self._layouts = window, builder, layouts
        self._begin, self._end, self._block = begin, end, block
        self._progress = progress
        self._done = 0
        self._forms: dict[bytes, LayoutMatcher] = {}
        self._form: LayoutMatcher | None = None
        self._trust = _TRUST
        self._patience = _PATIENCE[0]
        self._strain = 0
        self._plain = 0
        self._searched = (begin, begin)  # from, to: no credible FrameStart lies between

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
        self._window.load(offset, min(size, self._end - offset))

    # --- frames -----------------------------------------------------------------------------------------

    def _walk(self, at: int) -> int:
        """Walk on from `at`, as far as the window reaches; returns where to go on."""
        window = self._window
        while window.holds(at, 1):
            before = at
            at, why = self._walk_frames(at)
            if why is _Why.ODD:
                at = self._outside(at)
            elif why is _Why.LOST:
                at = self._lost(at)
            elif at == before == window.begin and window.end - at >= min(self._block, self._end - at):
                at = self._long_frame(at)
            else:
                break
        return at

    def _walk_frames(self, at: int) -> tuple[int, _Why]:
        """Take frame after frame from `at` on; returns the first place that needs more than this, and why."""
        base, limit = self._window.start, self._window.length
        here = at - base
        while limit - here >= START_SIZE:
            if self._plain:
                here = self._walk_plainly(here)
            elif self._trust:
                here = self._follow(here)
            if limit - here < START_SIZE:
                break
            there = self._walk_one(here)
            if isinstance(there, _Why):
                return base + here, there
            here = there
        return base + here, _Why.ODD if here < limit == self._end - base else _Why.MORE

    def _follow(self, here: int) -> int:
        """Take frames of the window from `here` on, as long as each is what came last after the one before it."""
        form = self._form
        if form is None:
            return here
        window, runs = self._window, self._builder.runs
        data, base, limit = window.data, window.start, window.length
        since, count, taken, patience = here, 0, 0, self._patience
        while True:
            guess = form.follower
            if here + guess.reach > limit:
                break
            if guess.check(data, here) != guess.headers:
                guess = form.former
                if guess is form.follower or here + guess.reach > limit or guess.check(data, here) != guess.headers:
                    break
                form.former, form.follower = form.follower, guess
            if guess is not form:
                if count:
                    runs.append((base + since, form.stride, count, form.layout, form.kind))
                form, since, count, patience = guess, here, 0, self._patience
            count += 1
            taken += 1
            here += guess.stride
            patience -= 1
            if not patience:
                ahead = form.look_ahead(window.bytes[here:limit])
                count += ahead
                here += ahead * form.stride
                self._learn_patience(ahead)
                patience = self._patience
        if count:
            runs.append((base + since, form.stride, count, form.layout, form.kind))
        if taken:
            self._trust = _TRUST
            self._strain = max(self._strain - taken, 0)
        self._form = form
        return here

    def _learn_patience(self, found: int) -> None:
        least, most = _PATIENCE
        self._patience = least if found >= _WORTH_A_LOOK else min(2 * self._patience, most)

    def _walk_one(self, here: int) -> int | _Why:
        """Take the frame at `here` in the window, header by header; returns where it ends, or why it cannot."""
        data, base, limit, end = self._window.data, self._window.start, self._window.length, self._end
        if unpack_head(data, here) != START:
            return _Why.ODD
        places: list[int] = []
        add = places.append
        there, kind, odd = here + START_SIZE, RAW, False
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
                return _Why.MORE if limit < there + HEADER <= end - base else _Why.LOST
            kind = OPEN_FRAME
        if len(places) > MOST_IN_FRAME or there - here > LARGEST_FRAME:
            self._builder.put_raw("frame-too-large" if kind == FRAME else "unread-packets", base + here, base + there)
            return there
        if len(places) > MOST_PACKETS:
            layout, self._form, self._plain = NO_LAYOUT, None, _PLAIN
        else:
            heads = b"".join([data[place : place + HEADER] for place in places])
            layout = self._learn(heads, there - here, kind) if not odd else self._layouts.add(heads)
        self._builder.put_frame(kind, base + here, base + there, layout, odd=odd)
        return there

    def _learn(self, heads: bytes, stride: int, kind: int) -> int:
        """Remember what came after what, for the next guess; returns the layout's number."""
        last, form = self._form, self._forms.get(heads)
        if form is None:
            if len(self._forms) >= _FORMS:
                self._forms.clear()
            form = self._forms[heads] = LayoutMatcher(heads, stride, self._layouts.add(heads), kind)
            self._strain += _STRAIN
            if self._strain > _STRAINED:
                self._strain, self._plain = _STRAINED // 2, _PLAIN
        elif self._strain:
            self._strain -= 1
        if last is not None and last.follower is form:
            self._trust = max(self._trust, 1)
        elif last is not None:
            self._trust = max(self._trust - 1, 0)
            last.former, last.follower = last.follower, form
        self._form = form
        return form.layout

    def _walk_plainly(self, here: int) -> int:
        """Take frames of the window from `here` on without their layouts, where hardly one is seen twice."""
        window, runs = self._window, self._builder.runs
        data, base, limit = window.data, window.start, window.length
        while self._plain and limit - here >= START_SIZE and unpack_head(data, here) == START:
            there = here + START_SIZE
            number, size = START
            while there + HEADER <= limit:
                number, size = unpack_head(data, there)
                there += HEADER + size
                if number < 2:
                    break
            if (number, size) != END or there - here > HEADER * MOST_IN_FRAME:
                break
            runs.append((base + here, there - here, 1, NO_LAYOUT, FRAME))
            self._plain -= 1
            here = there
        return here

    def _long_frame(self, at: int) -> int:
        """Take one frame that the window does not hold; returns where it ends, or what follows it begins."""
        values = self._window.peek(at + HEADER, START_SIZE - HEADER)
        packets = self._packets(at + START_SIZE, self._end, in_frame=True)
        if not packets.closed and packets.stop != self._end:
            head = self._head(packets.stop)
            if head is None or head[0] != 0 or not is_likely(head) or packets.stop + HEADER + head[1] > self._end:
                return self._lost(at)
        self._put_frame(at, packets, values)
        return packets.stop

    def _packets(self, at: int, stop: int, *, most: int | None = None, in_frame: bool = False) -> _Packets:
        """The whole packets from `at` to `stop`, as far as they are credible; moves the window.

        In a frame they end with a FrameEnd or before a FrameStart, outside before a FrameStart of 24 bytes.
        """
        window = self._window
        heads: list[Head] = []
        count, odd, going = 0, False, True
        while going and count != most and at + HEADER <= self._end:
            if not window.holds(at, HEADER):
                self._load(at, _SMALL)
            data, limit, here, edge = window.data, window.length, at - window.start, stop - window.start
            while here + HEADER <= limit and count != most:
                head = unpack_head(data, here)
                number, size = head
                there = here + HEADER + size
                if there > edge or (number == 0 and (in_frame or head == START or not is_likely(head))):
                    going = False
                    break
                if count <= MOST_PACKETS:
                    heads.append(head)
                count += 1
                here = there
                if number == 1:
                    if in_frame and size == 0:
                        return _Packets(heads, count, window.start + here, odd, closed=True)
                    odd = odd or size > 0
            at = window.start + here
        return _Packets(heads, count, at, odd, closed=False)

    def _head(self, at: int) -> Head | None:
        """The packet header at a place, or None where the end is nearer; moves the window."""
        if at + HEADER > self._end:
            return None
        if not self._window.holds(at, HEADER):
            self._load(at, _SMALL)
        return unpack_head(self._window.data, at - self._window.start)

    # --- damage -----------------------------------------------------------------------------------------

    def _lost(self, at: int) -> int:
        """Take the frame that begins here without an end, then what is no packet; returns where frames go on.

        A packet that runs past the end of the file is the torn last one, or its size is wrong.  A wrong size may also
        have led astray unnoticed before, so frames are looked for from the first packet on.
        """
        values = self._window.peek(at + HEADER, START_SIZE - HEADER)
        found = self._search(at + START_SIZE)
        packets = self._packets(at + START_SIZE, found, in_frame=True)
        self._put_frame(at, packets, values)
        self._put_rest(packets.stop, found)
        return found

    def _outside(self, at: int) -> int:
        """Take what is between frames; returns where they go on."""
        packets = self._packets(at, self._end, most=_STRAYS)
        if packets.number and (packets.stop == self._end or self._starts_frame(packets.stop)):
            self._put_strays(at, packets)
            return packets.stop
        # No short run of packets leads to a frame: first find one, then see what is before it.
        found = self._search(at + 1)
        packets = self._packets(at, found)
        if _is_too_large(at, packets):
            self._put_strays(at, packets)
            at = packets.stop
        while at < found:
            packets = self._packets(at, found, most=MOST_PACKETS)
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
            torn = stop == self._end and may_be_torn(self._window.peek(at, min(stop - at, HEADER)))
            self._builder.put_raw("torn-tail" if torn else "junk", at, stop)

    def _search(self, at: int) -> int:
        """Where the next credible FrameStart is, from `at` on, or the end; moves the window."""
        nothing_from, found = self._searched
        if nothing_from <= at <= found:
            return found
        window, since, piece = self._window, at, _SMALLEST_PIECE
        found = self._end
        while self._end - at >= START_SIZE:
            if not window.holds(at, START_SIZE):
                self._load(at, self._block)
            stop = min(at + piece, window.end)
            places = window.frame_starts(at, stop)
            credible = next((place for place in places if window.leads_on(place, self._end)), None)
            if credible is not None:
                found = credible
                break
            at = stop - START_SIZE + 1
            piece = min(4 * piece, _PIECE)
        self._searched = since, found
        return found


def _is_too_large(at: int, packets: _Packets) -> bool:
    return packets.number > MOST_IN_FRAME or packets.stop - at > LARGEST_FRAME


def _packed(heads: Sequence[Head]) -> bytes:
    return struct.pack("<" + "BI" * len(heads), *chain.from_iterable(heads))
