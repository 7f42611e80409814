"""Repair of damaged rows: salvaged packets are assigned to frames by the frames before and after.

The ids of these frames tell how many are missing between them, so that packets without a FrameStart belong either to
the frame before or to one of the missing. Missing frames are taken from another copy of the recording: two files are
copies of one if a frame with the same id is the same in both, byte for byte.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..arrays import BoolArray
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
from ..texts import N_, say
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
    """A copy of a recording. Raises `EditError` if it is none."""

    def __init__(self, snapshot: Snapshot, of: Snapshot) -> None:
        self.snapshot = snapshot
        self._rows = _frames_of(snapshot)
        _require_copy(self._rows, snapshot, of)

    def frames(self, after: int | None, before: int | None) -> list[bytes] | None:
        """The bytes of all frames with ids between `after` (None: from the first) and `before` (None: to the last).

        None if one is missing.
        """
        if after is None:
            first = 1
        else:
            first = after + 1
        if before is None:
            last = max(self._rows, default=0)
        else:
            last = before - 1
        if last - first > _MAX_TAKEN or (before is None and last < first):
            return None
        rows = []
        for number in range(first, last + 1):
            rows.append(self._rows.get(number))
        if any(row is None for row in rows):
            return None
        return [row_bytes(self.snapshot, row) for row in rows if row is not None]


def _frames_of(snapshot: Snapshot) -> dict[int, int]:
    """The rows of undamaged frames by frame id."""
    kinds = snapshot.table.column("kind")
    ids = snapshot.table.column("frame_id")
    rows = np.flatnonzero(kinds == FRAME)
    return dict(zip(ids[rows].tolist(), rows.tolist(), strict=True))


def _require_copy(rows: dict[int, int], donor: Snapshot, of: Snapshot) -> None:
    mine = _frames_of(of)
    both = sorted(rows.keys() & mine.keys())
    some = both[:: max(1, len(both) // _LOOKED_AT)]
    if any(row_bytes(of, mine[number]) == row_bytes(donor, rows[number]) for number in some):
        return
    raise EditError(
        say("The other file is not a copy of this recording: no frame of the same number is the same in both.")
    )


def row_bytes(snapshot: Snapshot, row: int) -> bytes:
    """The bytes of a row as saved."""
    low = snapshot.position(row)
    return snapshot.read(low, snapshot.position(row + 1) - low)


# --- damaged regions -------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class Region(RepairChange):
    """Damaged rows `[first, stop)` and the frames that replace them: `drafts`, and `frames` (their bytes)."""

    first: int
    stop: int
    drafts: list[Draft] = field(default_factory=list)
    frames: list[bytes] = field(default_factory=list)

    def join(self, behind: "Region") -> "Region":
        """This region and the following one as one."""
        self.add(behind)
        return replace(self, stop=behind.stop, drafts=self.drafts + behind.drafts, frames=[])

    def splice(self, snapshot: Snapshot) -> Splice:
        """The splice that replaces the rows; bytes are written to the scratch file."""
        parts: list[np.ndarray[tuple[int], np.dtype[np.void]]] = []
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
        if parts:
            rows = np.concatenate(parts)
        else:
            rows = snapshot.table.rows(0, 0)
        return Splice(self.first, self.stop - self.first, FrameTable.from_rows(rows))


def regions(snapshot: Snapshot, donor: Donor | None, progress: Progress = SILENT) -> list[Region]:
    """The damaged regions and their repair, in file order, without overlaps."""
    spans = _spans(snapshot, progress.part(0.0, 0.5))
    if donor is not None:
        spans = _with_gaps(snapshot, spans)
    work = _Structure(snapshot, donor)
    for first, stop in progress.part(0.5, 1.0).over(spans):
        work.repair(first, stop)
    return work.regions


# --- damaged rows ---------------------------------------------------------------------------------------


def _spans(snapshot: Snapshot, progress: Progress) -> list[tuple[int, int]]:
    """Ranges of damaged rows, each frame with the raw rows after it."""
    kinds = snapshot.table.column("kind")
    is_bad = kinds != FRAME
    for block in blocks(snapshot, 0, snapshot.rows):
        progress.update(block.first, snapshot.rows)
        for span in block.spans(snapshot.dialect):
            for row, _ in damaged_bodies(block, *span):
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
    spans = []
    for a, b in zip(firsts.tolist(), stops.tolist(), strict=True):
        spans.append((int(bad[a]), int(bad[b - 1]) + 1))
    return _with_false_starts(snapshot, spans)


def _too_large(snapshot: Snapshot) -> BoolArray:
    """bool[rows]: rows that are too large to be read."""
    found: BoolArray = snapshot.table.column("size") > len(FRAME_END) * MAX_IN_FRAME
    for row in np.flatnonzero(found).tolist():
        found[row] = snapshot.is_too_large(row)
    return found


def _with_false_starts(snapshot: Snapshot, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans; one that begins with a FrameStart whose id cannot follow is added to the open frame before it.

    Records of actor 24 contain the bytes of a FrameStart header.
    """
    kinds = snapshot.table.column("kind")
    ids = snapshot.table.column("frame_id")
    found: list[tuple[int, int]] = []
    for first, stop in spans:
        before = None
        if found and found[-1][1] == first:
            before = found[-1]
        if before is not None and kinds[first] == OPEN_FRAME and kinds[before[0]] == OPEN_FRAME:
            low = int(ids[before[0]])
            if stop < len(kinds) and kinds[stop] != RAW:
                high = int(ids[stop])
            else:
                high = low + _MAX_MISSING
            if not low < int(ids[first]) < high:
                found[-1] = before[0], stop
                continue
        found.append((first, stop))
    return found


def _with_gaps(snapshot: Snapshot, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans, and empty ones where ids are missing between two sound frames, and at both ends."""
    ids = snapshot.table.column("frame_id")
    jumps = np.flatnonzero(ids[1:] > ids[:-1] + np.uint64(1)) + 1
    touched: set[int] = set()
    for first, stop in spans:
        touched.update(range(first, stop + 1))
    gaps = []
    for row in (0, *jumps.tolist(), snapshot.rows):
        if row not in touched:
            gaps.append((row, row))
    return sorted([*spans, *gaps])


# --- repair ---------------------------------------------------------------------------------------------


class _Structure:
    """Repairs damaged spans in file order."""

    def __init__(self, snapshot: Snapshot, donor: Donor | None) -> None:
        self._snapshot = snapshot
        self._donor = donor
        self.regions: list[Region] = []

    def repair(self, first: int, stop: int) -> None:
        snapshot = self._snapshot
        region = Region(first=first, stop=stop)
        before, after = self._values_before(first), self._values(stop)
        low = snapshot.position(first)
        size = snapshot.position(stop) - snapshot.position(first)
        if first < stop and snapshot.is_too_large(first):
            region.lost.bytes = size
            self._note(
                region, first, "unread-packets", say("{size:,} bytes are too large to be decoded", size=size), size
            )
            self._count_missing(region, before, after)
            self.regions.append(region)
            return
        # Of a long region, both ends.
        if size <= 2 * MAX_READ:
            spans = [(0, size)]
        else:
            spans = [(0, MAX_READ), (size - MAX_READ, size)]
        for begin, end in spans:
            data = snapshot.read(low + begin, end - begin)
            is_frame = begin == 0 and self._has_start(first, stop)
            is_end = stop == snapshot.rows and end == size
            actors = self._known_actors(first, stop)
            packets = PacketFinder(data, snapshot.dialect, self._ids, is_end=is_end)
            found = Salvage(packets, is_frame=is_frame, actors=actors)
            region.drafts += found.drafts
            region.lost.add(found.lost)
            region.doubled += found.doubled
            region.findings += [self._finding(region, low + begin, note) for note in found.notes]
        inside = sum(end - begin for begin, end in spans)
        region.lost.bytes += size - inside
        if size > inside:
            note = Note("junk", inside, say("no frame was found in it"), size)
            region.findings.append(self._finding(region, low, note))
        region = self._place_drafts(region, before, after)
        self._take_from_donor(region, self._values_before(region.first), after)
        self._count_missing(region, self._values_before(region.first), after)
        self._ignore_foreign_bytes(region, before, after)
        if not region.frames and region.drafts:
            region.added += sum(len(FRAME_END) for draft in region.drafts if not draft.closed)
            region.frames = [draft.to_bytes() for draft in region.drafts]
        self.regions.append(region)

    def _finding(self, region: Region, low: int, note: Note) -> Finding:
        frames = self._snapshot.table.frame_of_row(min(region.first, self._snapshot.rows))
        has_start = self._has_start(region.first, region.stop)
        if has_start:
            frame = frames
        else:
            frame = frames - 1
        if has_start:
            where = N_("Frame {frame:,}")
        elif frames:
            where = N_("After frame {frame:,}")
        else:
            where = N_("Before the first frame")
        here = say(where, frame=frame + 1)
        text = say(
            N_("{here}: {what}.") if note.text else N_("{here} is never ended: its FrameEnd is missing."),
            here=here,
            what=note.text,
        )
        return Finding(note.code, "error", text, low + note.offset, max(frame, 0), region.first, max(note.size, 1))

    def _has_start(self, first: int, stop: int) -> bool:
        """Whether the rows `[first, stop)` begin with a FrameStart."""
        return first < stop and int(self._snapshot.table.row(first)["kind"]) != RAW

    def _note(self, region: Region, row: int, code: str, text: str, size: int = 0) -> None:
        region.findings.append(self._finding(region, self._snapshot.position(row), Note(code, 0, text, size)))

    # --- context ----------------------------------------------------------------------------------------

    @cached_property
    def _ids(self) -> frozenset[int]:
        """The accepted packet ids: those of the dialect and of undamaged frames."""
        table = self._snapshot.table
        layouts = self._snapshot.layouts
        sound = table.column("layout")[table.column("kind") == FRAME]
        some = np.unique(sound[sound >= 0])[:4096].tolist()
        seen = set()
        for number in some:
            seen.update(layouts.get(number).ids.tolist())
        return frozenset({0, 1} | {number for number in self._snapshot.dialect.packets if number != 18} | seen)

    @cached_property
    def _actors(self) -> frozenset[int]:
        return frozenset(life.actor for life in Actors.of(self._snapshot))

    def _known_actors(self, first: int, stop: int) -> frozenset[int] | None:
        """The ids of all actors; None if only bodies are damaged, or there are no actors."""
        is_raw = (self._snapshot.table.column("kind", first, stop) == RAW).any()
        if is_raw:
            return self._actors or None
        return None

    def _values(self, row: int) -> Values | None:
        """The FrameStart of a row; None without one, or beyond the end."""
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
        """The FrameStart of the last frame before a row, repaired."""
        if self.regions and self.regions[-1].stop == row:
            valued = []
            for draft in self.regions[-1].drafts:
                if draft.values is not None:
                    valued.append(draft)
            if valued:
                return Values.decode(valued[-1].values)
            if self.regions[-1].first < row:
                return self._values_before(self.regions[-1].first)
            return None
        return self._values(row - 1)

    # --- frames without a FrameStart --------------------------------------------------------------------

    def _place_drafts(self, region: Region, before: Values | None, after: Values | None) -> Region:
        """Assign drafts without a FrameStart to frames; the region may be extended by the frame before it."""
        drafts, region.drafts = region.drafts, []
        for index, draft in enumerate(drafts):
            if draft.values is not None:
                region.drafts.append(draft)
                before = Values.decode(draft.values)
                continue
            if not draft.packets:
                if draft.closed:
                    region.doubled += len(FRAME_END)
                if draft.continues and region.drafts:
                    if draft.closed:
                        region.doubled -= len(FRAME_END)
                    region.drafts[-1].closed = True
                continue
            rest = drafts[index:]
            valued = next((Values.decode(each.values) for each in rest if each.values is not None), after)
            waiting = next((n for n, each in enumerate(rest) if each.values is not None), len(rest))
            values = _missing_values(before, valued, waiting, is_rest=draft.continues)
            if values is not None and self._continues_empty_draft(region, draft):
                is_first = len(region.drafts) < 2
                if is_first:
                    earlier = self._values_before(region.first)
                else:
                    earlier = Values.decode(region.drafts[-2].values)
                better = _missing_values(earlier, valued, waiting, is_rest=False)
                if better is not None:
                    region.drafts.pop()
                    region.lost.bytes += START_SIZE
                    values = better
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
    def _continues_empty_draft(region: Region, draft: Draft) -> bool:
        """Whether the draft continues a frame without packets, whose FrameStart is probably wrong."""
        last = None
        if region.drafts:
            last = region.drafts[-1]
        return last is not None and draft.continues and not last.closed and not last.packets

    def _merge_draft(self, region: Region, draft: Draft) -> Region:
        """The region with the packets of a draft added to the frame before."""
        if not region.drafts:
            region = self._extended(region)
        target = region.drafts[-1]
        if len(region.drafts) > 1 and draft.closed:
            earlier = region.drafts[-2]
            target = earlier if not earlier.closed and self._can_follow(earlier, draft) else target
        if target.closed and draft.closed:
            region.doubled += len(FRAME_END)
        target.packets += draft.packets
        target.closed = target.closed or draft.closed
        if not draft.continues:
            self._note(
                region,
                region.stop - 1,
                "stray-packets",
                say("packets outside of any frame were put into the frame they follow"),
            )
        return region

    def _can_follow(self, open_one: Draft, draft: Draft) -> bool:
        order = {}
        for rank, number in enumerate(self._snapshot.dialect.order):
            order[number] = rank
        last = max((order.get(number, -1) for number, _ in open_one.packets), default=-1)
        return order.get(draft.packets[0][0], last) > last

    def _extended(self, region: Region) -> Region:
        """The region with the frame before it, joined with an adjacent region before that."""
        first = region.first
        if self.regions and self.regions[-1].stop == first:
            return self.regions.pop().join(region)
        row = self._snapshot.row(first - 1)
        packets = []
        for packet in row.packets[1:]:
            if packet.id != 1:
                packets.append((packet.id, packet.body))
        draft = Draft(row.data[5:START_SIZE], packets=packets, closed=True)
        grown = Region(first=first - 1, stop=first, drafts=[draft])
        last = None
        if self.regions and self.regions[-1].stop == first - 1:
            last = self.regions[-1]
        if last is not None and last.drafts and not last.drafts[-1].closed:
            self.regions.pop()
            last.added -= len(FRAME_END)
            grown = last.join(grown)
        return grown.join(region)

    def _count_dropped(self, region: Region, draft: Draft) -> None:
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
        frames = self._donor.frames(before.frame_id if before else None, after.frame_id if after else None)
        if frames is None or (not frames and region.first == region.stop):
            return
        region.frames = frames
        region.lost, region.doubled = Tally(), 0
        size = self._snapshot.position(region.stop) - self._snapshot.position(region.first)
        region.added = sum(map(len, frames)) - size
        if not region.findings:
            self._note(
                region,
                region.first,
                "missing-frames",
                say("{number:,} frames are missing, and were taken from the other copy", number=len(frames)),
            )

    def _count_missing(self, region: Region, before: Values | None, after: Values | None) -> None:
        if region.frames or after is None:
            return
        first = before.frame_id if before is not None else 0
        missing = after.frame_id - first - 1 - len(region.drafts)
        if 0 < missing < 1 << 32:
            region.lost.frames += missing

    def _ignore_foreign_bytes(self, region: Region, before: Values | None, after: Values | None) -> None:
        """Count bytes between two consecutive frames as foreign, not as lost."""
        is_between = region.first < region.stop and not self._has_start(region.first, region.stop)
        if not is_between or region.drafts or region.frames or after is None or region.lost.packets:
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
    """The FrameStart of a frame without one, by its neighbours; None if no frame is missing between them.

    `waiting` is the number of frames without one up to `after`; `is_rest`: it may belong to the frame before.
    """
    if after is None:
        if before is None or is_rest or not before.duration > 0:
            return None
        return Values(min(before.frame_id + 1, _LARGEST_ID), -1.0, before.elapsed + before.duration)
    number = after.frame_id - waiting
    if number < 1 or (before is not None and number <= before.frame_id):
        return None
    step = before.duration if before is not None and before.duration > 0 else after.duration
    step = step if 0 < step < 1e3 else _STEP
    elapsed = after.elapsed - waiting * step
    if before is not None and number == before.frame_id + 1 and before.duration > 0:
        elapsed = before.elapsed + before.duration
    if before is not None and not before.elapsed < elapsed < after.elapsed:
        elapsed = (before.elapsed + after.elapsed) / 2
    if number == 1:
        elapsed = 0.0
    return Values(number, after.elapsed - elapsed, elapsed)
