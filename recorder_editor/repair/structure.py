"""Repair of damaged rows: salvaged packets are assigned to frames by the frames before and after.

The ids of these frames tell how many are missing between them, so that packets without a FrameStart belong either to
the frame before or to one of the missing. Missing frames are taken from another copy of the recording: two files are
copies of one if a frame with the same id is the same in both, byte for byte.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..arrays import BoolArray, StructuredArray
from ..checks.structure import damaged_bodies
from ..edits.rows import rows_of
from ..errors import EditError
from ..format import decode
from ..progress import SILENT, Progress
from ..reading import Actors
from ..recording import FRAME, FRAME_START_HEADER, RAW, START_SIZE, Finding, FrameTable, Snapshot, Splice
from ..recording.blocks import blocks
from ..recording.frames import MAX_IN_FRAME, OPEN_FRAME
from ..recording.snapshot import FRAME_END
from ..texts import say
from .packet_finder import PacketFinder
from .report import RepairChange, Tally
from .salvage import Draft, Note, Salvage, Values

MAX_READ = 4 << 20
"""Bytes of one damaged region that are searched; of a longer one, this many at each end."""

_BATCH = 8 << 20
_STEP = 0.05
_MISFIT = 1e-3
_MAX_MISSING = 1 << 20
_LARGEST_ID = 2**64 - 1
_LOOKED_AT = 64
_MAX_TAKEN = 1 << 20


# --- another copy of the recording -------------------------------------------------------------------


class Donor:
    """A copy of a recording.

    Attributes:
        snapshot: The state of the copy.
    """

    def __init__(self, snapshot: Snapshot, of: Snapshot) -> None:
        """Compare the two.

        Args:
            snapshot: The state of the copy.
            of: The recording.

        Raises:
            EditError: It is no copy.
        """
        self.snapshot = snapshot
        self._rows = _frames_of(snapshot)
        _require_copy(self._rows, snapshot, of)

    def frames(self, after: int | None, before: int | None) -> list[bytes] | None:
        """Return the bytes of all frames with ids between two others.

        Args:
            after: The id of the frame before them; None: from the first.
            before: The id of the frame behind them; None: to the last.

        Returns:
            The bytes of each frame; None if one is missing.
        """
        first = 1 if after is None else after + 1
        last = max(self._rows, default=0) if before is None else before - 1
        if last - first > _MAX_TAKEN or (before is None and last < first):
            return None
        rows = []
        for number in range(first, last + 1):
            row = self._rows.get(number)
            if row is None:
                return None
            rows.append(row)
        return [row_bytes(self.snapshot, row) for row in rows]


def _frames_of(snapshot: Snapshot) -> dict[int, int]:
    """Return the rows of undamaged frames by frame id."""
    kinds = snapshot.table.column("kind")
    ids = snapshot.table.column("frame_id")
    rows = np.flatnonzero(kinds == FRAME)
    return dict(zip(ids[rows].tolist(), rows.tolist(), strict=True))


def _require_copy(rows: dict[int, int], donor: Snapshot, of: Snapshot) -> None:
    """Raise `EditError` if no frame of the same id is the same in both."""
    own_rows = _frames_of(of)
    shared = sorted(rows.keys() & own_rows.keys())
    for number in shared[:: max(1, len(shared) // _LOOKED_AT)]:
        if row_bytes(of, own_rows[number]) == row_bytes(donor, rows[number]):
            return
    raise EditError(
        say("The other file is not a copy of this recording: no frame of the same number is the same in both.")
    )


def row_bytes(snapshot: Snapshot, row: int) -> bytes:
    """Return the bytes of a row as saved."""
    low = snapshot.position(row)
    return snapshot.read(low, snapshot.position(row + 1) - low)


# --- damaged regions -------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class Region(RepairChange):
    """Damaged rows and the frames that replace them.

    Attributes:
        first: The first row.
        stop: The row behind the last one.
        drafts: The frames as far as they could be read.
        frames: The bytes of the frames.
    """

    first: int
    stop: int
    drafts: list[Draft] = field(default_factory=list)
    frames: list[bytes] = field(default_factory=list)

    def join(self, behind: "Region") -> "Region":
        """Return this region and the following one as one."""
        self.add(behind)
        return replace(self, stop=behind.stop, drafts=self.drafts + behind.drafts, frames=[])

    def splice(self, snapshot: Snapshot) -> Splice:
        """Return the splice that replaces the rows; bytes are written to the scratch file."""
        parts: list[StructuredArray] = []
        batch: list[bytes] = []
        size = 0
        for number, frame in enumerate(self.frames):
            batch.append(frame)
            size += len(frame)
            if size >= _BATCH or number == len(self.frames) - 1:
                like = self.first if not parts and self.first < self.stop else None
                parts.append(rows_of(snapshot, b"".join(batch), like=like).rows())
                batch = []
                size = 0
        rows = np.concatenate(parts) if parts else snapshot.table.rows(0, 0)
        return Splice(self.first, self.stop - self.first, FrameTable.from_rows(rows))


def regions(snapshot: Snapshot, donor: Donor | None, progress: Progress = SILENT) -> list[Region]:
    """Repair the damaged regions.

    Args:
        snapshot: The state of the recording.
        donor: Another copy of the recording, from which frames are taken; None for none.
        progress: Counts rows, then regions.

    Returns:
        The regions in file order, without overlaps.
    """
    spans = _spans(snapshot, progress.part(0.0, 0.5))
    if donor is not None:
        spans = _with_gaps(snapshot, spans)
    work = _Structure(snapshot, donor)
    for first, stop in progress.part(0.5, 1.0).over(spans):
        work.repair(first, stop)
    return work.regions


# --- damaged rows ---------------------------------------------------------------------------------------


def _spans(snapshot: Snapshot, progress: Progress) -> list[tuple[int, int]]:
    """Return ranges of damaged rows, each frame with the raw rows after it."""
    kinds = snapshot.table.column("kind")
    is_bad = kinds != FRAME
    for block in blocks(snapshot, 0, snapshot.rows):
        progress.update(block.first, snapshot.rows)
        for kind, start, size in block.spans(snapshot.dialect):
            if kind.described_by:
                continue  # the description may be wrong, and not the bytes
            for row in damaged_bodies(block, kind, start, size):
                is_bad[block.first + row] = True
    is_large = _too_large(snapshot)
    for row in np.flatnonzero(is_large).tolist():
        is_bad[row] = not snapshot.is_large_frame(row)
    bad = np.flatnonzero(is_bad)
    if not len(bad):
        return []
    follows = np.zeros(len(bad), np.bool_)
    is_large = is_large[bad]
    follows[1:] = (np.diff(bad) == 1) & (kinds[bad[1:]] == RAW) & ~is_large[1:] & ~is_large[:-1]
    firsts = np.flatnonzero(~follows)
    stops = np.append(firsts[1:], len(bad))
    spans = list(zip(bad[firsts].tolist(), (bad[stops - 1] + 1).tolist(), strict=True))
    return _with_false_starts(snapshot, spans)


def _too_large(snapshot: Snapshot) -> BoolArray:
    """Find the rows that are too large to be read: bool[rows]."""
    is_large: BoolArray = snapshot.table.column("size") > len(FRAME_END) * MAX_IN_FRAME
    for row in np.flatnonzero(is_large).tolist():
        is_large[row] = snapshot.is_too_large(row)
    return is_large


def _with_false_starts(snapshot: Snapshot, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans, where one that begins with a false FrameStart is added to the open frame before it.

    The bytes of a FrameStart header are also those of records of actor 24; then its id cannot follow.
    """
    kinds = snapshot.table.column("kind")
    ids = snapshot.table.column("frame_id")
    joined: list[tuple[int, int]] = []
    for first, stop in spans:
        if joined and joined[-1][1] == first and kinds[first] == OPEN_FRAME:
            before = joined[-1][0]
            low = int(ids[before])
            high = low + _MAX_MISSING
            if stop < len(kinds) and kinds[stop] != RAW:
                high = int(ids[stop])
            if kinds[before] == OPEN_FRAME and not low < int(ids[first]) < high:
                joined[-1] = (before, stop)
                continue
        joined.append((first, stop))
    return joined


def _with_gaps(snapshot: Snapshot, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans, and empty ones where ids are missing between two sound frames, and at both ends."""
    ids = snapshot.table.column("frame_id")
    jumps = np.flatnonzero(ids[1:] > ids[:-1] + np.uint64(1)) + 1
    touched: set[int] = set()
    for first, stop in spans:
        touched.update(range(first, stop + 1))
    result = list(spans)
    for row in (0, *jumps.tolist(), snapshot.rows):
        if row not in touched:
            result.append((row, row))
    return sorted(result)


# --- repair ---------------------------------------------------------------------------------------------


class _Structure:
    """Repairs damaged spans in file order.

    Attributes:
        regions: The regions so far.
    """

    def __init__(self, snapshot: Snapshot, donor: Donor | None) -> None:
        self._snapshot = snapshot
        self._donor = donor
        self.regions: list[Region] = []

    def repair(self, first: int, stop: int) -> None:
        """Repair the rows `[first, stop)`."""
        snapshot = self._snapshot
        region = Region(first=first, stop=stop)
        before = self._values_before(first)
        after = self._values(stop)
        if first < stop and snapshot.is_too_large(first):
            size = snapshot.position(stop) - snapshot.position(first)
            region.lost.bytes = size
            text = say("{size:,} bytes are too large to be decoded", size=size)
            self._note(region, first, "unread-packets", text, size)
            self._count_missing(region, before, after)
            self.regions.append(region)
            return
        self._salvage(region)
        region = self._place_drafts(region, before, after)
        self._take_from_donor(region, self._values_before(region.first), after)
        self._count_missing(region, self._values_before(region.first), after)
        self._ignore_foreign_bytes(region, before, after)
        if not region.frames and region.drafts:
            for draft in region.drafts:
                if not draft.closed:
                    region.added += len(FRAME_END)
                region.frames.append(draft.to_bytes())
        self.regions.append(region)

    def _salvage(self, region: Region) -> None:
        """Read the bytes of a region; of a long one both ends."""
        snapshot = self._snapshot
        first = region.first
        stop = region.stop
        low = snapshot.position(first)
        size = snapshot.position(stop) - low
        spans = [(0, size)]
        if size > 2 * MAX_READ:
            spans = [(0, MAX_READ), (size - MAX_READ, size)]
        left = size
        for begin, end in spans:
            data = snapshot.read(low + begin, end - begin)
            left -= end - begin
            is_end = stop == snapshot.rows and end == size
            packets = PacketFinder(data, snapshot.dialect, self._ids, is_end=is_end)
            salvage = Salvage(
                packets, is_frame=begin == 0 and self._has_start(first, stop), actors=self._known_actors(first, stop)
            )
            region.drafts += salvage.drafts
            region.lost.add(salvage.lost)
            region.doubled += salvage.doubled
            for note in salvage.notes:
                region.findings.append(self._finding(region, low + begin, note))
        if left:
            region.lost.bytes += left
            note = Note("junk", size - left, say("no frame was found in it"), size)
            region.findings.append(self._finding(region, low, note))

    def _finding(self, region: Region, low: int, note: Note) -> Finding:
        """Return a note as a finding; `low` is the position of the data that its offset counts from."""
        frame = self._snapshot.table.frame_of_row(min(region.first, self._snapshot.rows))
        if self._has_start(region.first, region.stop):
            here = say("Frame {frame:,}", frame=frame + 1)
        else:
            # It belongs to the frame before.
            frame -= 1
            if frame >= 0:
                here = say("After frame {frame:,}", frame=frame + 1)
            else:
                here = say("Before the first frame")
        if note.text:
            text = say("{here}: {what}.", here=here, what=note.text)
        else:
            text = say("{here} is never ended: its FrameEnd is missing.", here=here)
        return Finding(
            note.code,
            "error",
            text,
            offset=low + note.offset,
            frame_index=max(frame, 0),
            row=region.first,
            size=max(note.size, 1),
        )

    def _has_start(self, first: int, stop: int) -> bool:
        """Whether the rows `[first, stop)` begin with a FrameStart."""
        return first < stop and int(self._snapshot.table.row(first)["kind"]) != RAW

    def _note(self, region: Region, row: int, code: str, text: str, size: int = 0) -> None:
        """Add a finding at a row to a region."""
        region.findings.append(self._finding(region, self._snapshot.position(row), Note(code, 0, text, size)))

    # --- context ----------------------------------------------------------------------------------------

    @cached_property
    def _ids(self) -> frozenset[int]:
        """The accepted packet ids: those of the dialect and of undamaged frames."""
        table = self._snapshot.table
        layouts = self._snapshot.layouts
        sound = table.column("layout")[table.column("kind") == FRAME]
        ids = {0, 1}
        ids.update(self._snapshot.dialect.packets)
        ids.discard(18)
        for number in np.unique(sound[sound >= 0])[:4096].tolist():
            ids.update(layouts.get(number).ids.tolist())
        return frozenset(ids)

    @cached_property
    def _actors(self) -> frozenset[int]:
        return frozenset(life.actor for life in Actors.of(self._snapshot))

    def _known_actors(self, first: int, stop: int) -> frozenset[int] | None:
        """Return the ids of all actors; None if only bodies are damaged, or there are no actors."""
        is_raw = (self._snapshot.table.column("kind", first, stop) == RAW).any()
        if is_raw:
            return self._actors or None
        return None

    def _values(self, row: int) -> Values | None:
        """Return the FrameStart of a row; None without one, or beyond the end."""
        if not 0 <= row < self._snapshot.rows:
            return None
        if not self._has_start(row, self._snapshot.rows):
            first = self._snapshot.position(row) + len(FRAME_START_HEADER)
            if self._snapshot.is_large_frame(row):
                return Values.decode(self._snapshot.read(first, 24))
            return None
        record = self._snapshot.table.row(row)
        return Values(int(record["frame_id"]), float(record["duration"]), float(record["elapsed"]))

    def _values_before(self, row: int) -> Values | None:
        """Return the FrameStart of the last frame before a row, repaired."""
        if not self.regions or self.regions[-1].stop != row:
            return self._values(row - 1)
        last = self.regions[-1]
        for draft in reversed(last.drafts):
            if draft.values is not None:
                return Values.decode(draft.values)
        if last.first < row:
            return self._values_before(last.first)
        return None

    # --- frames without a FrameStart --------------------------------------------------------------------

    def _place_drafts(self, region: Region, before: Values | None, after: Values | None) -> Region:
        """Assign drafts without a FrameStart to frames; the region may be extended by the frame before it.

        Args:
            region: The region.
            before: The FrameStart of the frame before it, or None.
            after: The FrameStart of the frame behind it, or None.

        Returns:
            The region, maybe extended.
        """
        drafts = region.drafts
        region.drafts = []
        for index, draft in enumerate(drafts):
            if draft.values is not None:
                region.drafts.append(draft)
                before = Values.decode(draft.values)
                continue
            if not draft.packets:
                self._drop_empty(region, draft)
                continue
            following = after
            waiting = len(drafts) - index
            for number, later in enumerate(drafts[index:]):
                if later.values is not None:
                    following = Values.decode(later.values)
                    waiting = number
                    break
            values = self._made_values(region, draft, before, following, waiting)
            if values is not None:
                draft.values = values.encode()
                region.added += START_SIZE
                region.drafts.append(draft)
                text = say(
                    "frame {frame:,} had lost its FrameStart, which was made anew from its neighbours",
                    frame=values.frame_id,
                )
                self._note(region, region.first, "no-frame-start", text)
                before = values
            elif region.drafts or before is not None:
                region = self._merge_draft(region, draft)
            else:
                self._count_dropped(region, draft)
        return region

    @staticmethod
    def _drop_empty(region: Region, draft: Draft) -> None:
        """Drop a draft without packets; its FrameEnd may be that of the frame before."""
        if draft.continues and region.drafts:
            region.drafts[-1].closed = True
        elif draft.closed:
            region.doubled += len(FRAME_END)

    def _made_values(
        self, region: Region, draft: Draft, before: Values | None, after: Values | None, waiting: int
    ) -> Values | None:
        """Return the FrameStart of a draft without one, by its neighbours; None if no frame is missing between them.

        The frame before is removed if the draft continues it and its FrameStart is probably wrong.

        Args:
            region: The region with the drafts before this one.
            draft: The draft.
            before: The FrameStart before it, or None.
            after: The FrameStart behind it, or None.
            waiting: The number of frames without one up to `after`.
        """
        values = _missing_values(before, after, waiting, is_rest=draft.continues)
        if values is None or not self._continues_empty_draft(region, draft):
            return values
        if len(region.drafts) < 2:
            earlier = self._values_before(region.first)
        else:
            earlier = Values.decode(region.drafts[-2].values)
        better = _missing_values(earlier, after, waiting, is_rest=False)
        if better is None:
            return values
        region.drafts.pop()
        region.lost.bytes += START_SIZE
        return better

    @staticmethod
    def _continues_empty_draft(region: Region, draft: Draft) -> bool:
        """Whether the draft continues a frame without packets, so that the FrameStart of that is probably wrong."""
        if not region.drafts or not draft.continues:
            return False
        last = region.drafts[-1]
        return not last.closed and not last.packets

    def _merge_draft(self, region: Region, draft: Draft) -> Region:
        """Return the region with the packets of a draft added to the frame before."""
        if not region.drafts:
            region = self._extended(region)
        target = region.drafts[-1]
        if len(region.drafts) > 1 and draft.closed:
            earlier = region.drafts[-2]
            if not earlier.closed and self._can_follow(earlier, draft):
                target = earlier
        if target.closed and draft.closed:
            region.doubled += len(FRAME_END)
        target.packets += draft.packets
        target.closed = target.closed or draft.closed
        if not draft.continues:
            text = say("packets outside of any frame were put into the frame they follow")
            self._note(region, region.stop - 1, "stray-packets", text)
        return region

    def _can_follow(self, open_draft: Draft, draft: Draft) -> bool:
        """Whether the first packet of a draft comes after the packets of another one in the recorder's order."""
        rank_of = {number: rank for rank, number in enumerate(self._snapshot.dialect.order)}
        last = -1
        for number, _ in open_draft.packets:
            last = max(last, rank_of.get(number, -1))
        return rank_of.get(draft.packets[0][0], last) > last

    def _extended(self, region: Region) -> Region:
        """Return the region with the frame before it, joined with an adjacent region before that."""
        first = region.first
        if self.regions and self.regions[-1].stop == first:
            return self.regions.pop().join(region)
        row = self._snapshot.row(first - 1)
        packets = [(packet.id, packet.body) for packet in row.packets[1:] if packet.id != 1]
        draft = Draft(row.data[5:START_SIZE], packets=packets, closed=True)
        grown = Region(first=first - 1, stop=first, drafts=[draft])
        if self.regions and self.regions[-1].stop == first - 1:
            last = self.regions[-1]
            if last.drafts and not last.drafts[-1].closed:
                self.regions.pop()
                last.added -= len(FRAME_END)
                grown = last.join(grown)
        return grown.join(region)

    def _count_dropped(self, region: Region, draft: Draft) -> None:
        """Count a draft that belongs to no frame as lost."""
        for number, body in draft.packets:
            decoded = decode(self._snapshot.dialect.packet(number), body)
            region.lost.count(decoded.type.name, 1, len(decoded), 5 + len(body))
        if draft.closed:
            region.lost.bytes += len(FRAME_END)

    # --- missing frames ---------------------------------------------------------------------------------

    def _take_from_donor(self, region: Region, before: Values | None, after: Values | None) -> None:
        """Replace damaged or missing frames by those of the donor, if it has them all."""
        if self._donor is None:
            return
        first = None
        if before is not None:
            first = before.frame_id
        last = None
        if after is not None:
            last = after.frame_id
        frames = self._donor.frames(first, last)
        if frames is None or (not frames and region.first == region.stop):
            return
        region.frames = frames
        region.lost = Tally()
        region.doubled = 0
        size = self._snapshot.position(region.stop) - self._snapshot.position(region.first)
        region.added = sum(map(len, frames)) - size
        if not region.findings:
            text = say("{number:,} frames are missing, and were taken from the other copy", number=len(frames))
            self._note(region, region.first, "missing-frames", text)

    def _count_missing(self, region: Region, before: Values | None, after: Values | None) -> None:
        """Count the frames that are missing by their ids as lost."""
        if region.frames or after is None:
            return
        first = before.frame_id if before is not None else 0
        missing = after.frame_id - first - 1 - len(region.drafts)
        if 0 < missing < 1 << 32:
            region.lost.frames += missing

    def _ignore_foreign_bytes(self, region: Region, before: Values | None, after: Values | None) -> None:
        """Count bytes between two consecutive frames as foreign, not as lost."""
        is_between = region.first < region.stop and not self._has_start(region.first, region.stop)
        holds_frames = bool(region.drafts or region.frames or region.lost.packets)
        if not is_between or holds_frames or after is None:
            return
        if before is None:
            follows = after.frame_id == 1 and after.elapsed == 0
        else:
            step = after.elapsed - before.elapsed
            follows = after.frame_id == before.frame_id + 1 and abs(step - before.duration) < _MISFIT
        if follows:
            region.doubled += region.lost.bytes
            region.lost.bytes = 0


def _missing_values(before: Values | None, after: Values | None, waiting: int, *, is_rest: bool) -> Values | None:
    """Return the FrameStart of a frame without one, by its neighbours; None if no frame is missing between them.

    Args:
        before: The FrameStart before it, or None.
        after: The FrameStart behind it, or None.
        waiting: The number of frames without one up to `after`.
        is_rest: Whether it may belong to the frame before.
    """
    has_step = before is not None and before.duration > 0
    if after is None:
        if before is None or is_rest or not has_step:
            return None
        return Values(min(before.frame_id + 1, _LARGEST_ID), -1.0, before.elapsed + before.duration)
    number = after.frame_id - waiting
    if number < 1 or (before is not None and number <= before.frame_id):
        return None
    step = before.duration if before is not None and has_step else after.duration
    if not 0 < step < 1e3:
        step = _STEP
    elapsed = after.elapsed - waiting * step
    if before is not None:
        if has_step and number == before.frame_id + 1:
            elapsed = before.elapsed + before.duration
        if not before.elapsed < elapsed < after.elapsed:
            elapsed = (before.elapsed + after.elapsed) / 2
    if number == 1:
        elapsed = 0.0
    return Values(number, after.elapsed - elapsed, elapsed)
