"""Frames in order: rising ids and times, no frame and no block twice.

Misplaced frames whose ids are unique and agree with their times are sorted, without a change of bytes. Otherwise the
longest rising subsequence of values is taken as correct, and values between two of them are interpolated. Only the
FrameStart of frames out of order changes; if there are too few ids between two frames, all are renumbered.

After the first copy of a block that was written twice in a row, at any offset, frame ids go back, and the following
bytes equal those one block length before. Removing the second copy restores the file.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping

import numpy as np

from ..arrays import BoolArray, FloatArray, IndexArray, IntArray, StructuredArray, UInt64Array
from ..edits.rows import rows_of
from ..recording import FRAME, FRAME_START_HEADER, RAW, START_SIZE, Finding, FrameTable, Snapshot, Splice
from ..recording.blocks import runs
from ..recording.frames import OPEN_FRAME
from ..recording.snapshot import FRAME_END
from ..texts import N_, say
from .report import RepairChange
from .salvage import Values

_STEP = 0.05
_LEAST = 1e-9
_MISFIT = 1e-3
"""Largest difference between duration and step (s) that is no damage."""

_MAX_ID = 1 << 48
_MAX_SECONDS = 1e9

_MESSAGES: Mapping[str, str] = {
    "doubled-frame": N_("{here}: the same frame is there before, byte for byte."),
    "duration-differs": N_("{here}: the duration is not the time to the next frame (-1 for the last one)."),
    "frame-ids": N_("{here}: the number does not follow that of the frame before."),
    "frame-order": N_("{here}: by number and time, it belongs elsewhere."),
    "time-goes-back": N_("{here}: the time does not follow that of the frame before."),
}


def restore_order(snapshot: Snapshot, *, beginning_is_lost: bool) -> RepairChange:
    """Put the frames in order: `doubled` are the bytes of duplicate frames, `added` those of a placeholder.

    `beginning_is_lost`: frames are missing before the first one, so that a late first time is correct, and an empty
    placeholder frame is inserted.
    """
    work = _Ordering(snapshot)
    if snapshot.table.frames:
        work.drop_duplicates()
        work.sort()
        work.number_frames()
        work.set_times(beginning_is_lost=beginning_is_lost)
    return work.result()


class _Ordering:
    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._rows = snapshot.table.rows().copy()
        self._all = np.flatnonzero(self._rows["kind"] != RAW)
        self._keep = np.ones(len(self._rows), np.bool_)
        self._before = self._rows.copy()
        self._origin = np.arange(len(self._rows))  # index of each row in the snapshot
        self._new: StructuredArray | None = None
        self._result = RepairChange()
        self._changed: dict[str, list[int]] = {}

    @property
    def _frames(self) -> IndexArray:
        return self._all[self._keep[self._all]]

    def result(self) -> RepairChange:
        changed = np.zeros(len(self._rows), np.bool_)
        for name in ("frame_id", "elapsed", "duration"):
            changed |= self._rows[name].view("u8") != self._before[name].view("u8")
        self._rows["stored"][changed] = 0
        touched = np.flatnonzero(changed | ~self._keep | (self._origin != np.arange(len(self._rows))))
        if self._new is None and not len(touched):
            return self._result
        if self._new is not None:
            first = 0
        else:
            first = int(touched[0])
        if len(touched):
            last = int(touched[-1])
        else:
            last = -1
        rows = self._rows[first : last + 1][self._keep[first : last + 1]]
        if self._new is not None:
            rows = np.concatenate([self._new, rows])
        self._result.splices.append(Splice(first, last + 1 - first, FrameTable.from_rows(rows)))
        for code, which in self._changed.items():
            self._result.findings += self._findings(code, self._origin[which].tolist())
        return self._result

    # --- duplicate frames -------------------------------------------------------------------------------

    def drop_duplicates(self) -> None:
        """Drop frames that equal an earlier frame of the same id, byte for byte."""
        ids = self._rows["frame_id"][self._frames]
        if (ids[1:] > ids[:-1]).all():
            return
        earlier: dict[int, int] = {}
        for row in self._frames.tolist():
            number = int(self._rows["frame_id"][row])
            first = earlier.setdefault(number, row)
            if first != row and self._is_same(first, row):
                self._drop(row)

    def _drop(self, row: int) -> None:
        self._keep[row] = False
        self._result.doubled += int(self._rows["size"][row]) + START_SIZE
        self._changed.setdefault("doubled-frame", []).append(row)

    def _is_same(self, one: int, other: int) -> bool:
        a = self._rows[one]
        b = self._rows[other]
        if a["size"] != b["size"] or a["elapsed"].tobytes() != b["elapsed"].tobytes():
            return False
        read = self._snapshot.store.read
        size = int(a["size"])
        return read(int(a["source"]), int(a["offset"]), size) == read(int(b["source"]), int(b["offset"]), size)

    # --- misplaced frames -------------------------------------------------------------------------------

    def sort(self) -> None:
        """Sort frames by id, if ids are unique and the times agree with them."""
        rows = self._frames
        ids = self._rows["frame_id"][rows]
        elapsed = self._rows["elapsed"][rows]
        if len(self._all) < len(self._rows) or (ids[1:] > ids[:-1]).all():
            return
        order = np.argsort(ids, kind="stable")
        numbers = ids[order]
        times = elapsed[order]
        with np.errstate(invalid="ignore"):
            agree = (numbers[1:] > numbers[:-1]).all() and (times[1:] >= times[:-1]).all() and np.isfinite(times).all()
        if not agree:
            return
        misplaced = rows[~longest_rising(ids.astype(np.float64), np.ones(len(ids), np.bool_))]
        for column in (self._rows, self._before, self._origin):
            column[rows] = column[rows][order]
        self._changed["frame-order"] = np.flatnonzero(np.isin(self._origin, misplaced)).tolist()

    # --- numbers ----------------------------------------------------------------------------------------

    def number_frames(self) -> None:
        """Correct ids that do not rise."""
        rows = self._frames
        ids = self._rows["frame_id"][rows]
        credible = (ids > 0) & (ids < _MAX_ID)
        plausible = _id_fits_neighbours(ids, self._rows["elapsed"][rows], self._rows["duration"][rows])
        if not ((ids[1:] > ids[:-1]).all() and credible.all() and plausible.all()):
            fixed = _renumbered(ids, longest_rising(ids.astype(np.float64), credible & plausible))
            self._changed["frame-ids"] = rows[fixed != ids].tolist()
            self._rows["frame_id"][rows] = fixed

    # --- times ------------------------------------------------------------------------------------------

    def set_times(self, *, beginning_is_lost: bool) -> None:
        """Correct elapsed (rising from 0) and durations (the steps; -1 for the last)."""
        rows = self._frames
        ids = self._rows["frame_id"][rows].astype(np.int64)
        elapsed = self._rows["elapsed"][rows]
        duration = self._rows["duration"][rows]
        fixed = self._elapsed(ids, elapsed, duration)
        late = float(fixed[0])
        if late != 0:
            if beginning_is_lost and late > 0 and int(ids[0]) > 1:
                self._insert_placeholder(late)
            else:
                fixed = fixed - late
        self._changed["time-goes-back"] = rows[fixed.view("u8") != np.ascontiguousarray(elapsed).view("u8")].tolist()
        durations = self._durations(ids, fixed, duration)
        self._changed["duration-differs"] = rows[
            durations.view("u8") != np.ascontiguousarray(duration).view("u8")
        ].tolist()
        self._rows["elapsed"][rows], self._rows["duration"][rows] = fixed, durations
        self._changed = {code: which for code, which in self._changed.items() if which}

    @staticmethod
    def _elapsed(ids: IntArray, elapsed: FloatArray, duration: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            credible = np.isfinite(elapsed) & (np.abs(elapsed) < _MAX_SECONDS)
            plausible = _time_fits_neighbours(ids, elapsed, duration)
            if credible.all() and plausible.all() and (elapsed[1:] > elapsed[:-1]).all():
                return elapsed.copy()
            steps = np.where(np.isfinite(duration) & (duration > _LEAST) & (duration < 1e3), duration, np.nan)
        right = longest_rising(elapsed, credible & plausible)
        if np.isfinite(steps).any():
            usual = float(np.nanmedian(steps))
        else:
            usual = _STEP
        fixed = elapsed.copy()
        if 2 * int(right.sum()) < len(right):
            # Time restarts somewhere: the steps are correct, not the sums.
            return _accumulated(elapsed, steps, usual)
        for first, stop in runs(~right):
            for place in range(first, stop):
                if place == 0:
                    if stop < len(fixed):
                        following = float(fixed[stop])
                    else:
                        following = 0.0
                    if ids[0] == 1 or stop == len(fixed):
                        fixed[0] = 0.0
                    else:
                        fixed[0] = max(following - usual * stop, 0.0)
                    continue
                if np.isfinite(steps[place - 1]):
                    step = float(steps[place - 1])
                else:
                    step = usual
                value = float(fixed[place - 1]) + step
                if stop < len(fixed) and value >= fixed[stop]:
                    left = stop - place + 1
                    value = float(fixed[place - 1]) + (float(fixed[stop]) - float(fixed[place - 1])) / left
                fixed[place] = value
        if not (fixed[1:] > fixed[:-1]).all():
            return _accumulated(elapsed, steps, usual)
        return fixed

    @staticmethod
    def _durations(ids: IntArray, elapsed: FloatArray, duration: FloatArray) -> FloatArray:
        durations = duration.copy()
        steps = np.diff(elapsed)
        follows = np.diff(ids) == 1
        with np.errstate(all="ignore"):
            wrong = ~(elapsed[:-1] + duration[:-1] > elapsed[:-1]) | ~np.isfinite(duration[:-1])
            wrong |= follows & (np.abs(duration[:-1] - steps) > _MISFIT)
            wrong |= duration[:-1] > steps + _MISFIT
        durations[:-1] = np.where(wrong, steps, duration[:-1])
        durations[-1] = -1.0
        return durations

    def _insert_placeholder(self, late: float) -> None:
        """Insert an empty first frame of `late` seconds, so that all others keep their times."""
        data = FRAME_START_HEADER + Values(1, late, 0.0).encode() + FRAME_END
        self._new = rows_of(self._snapshot, data).rows()
        self._result.added += len(data)
        text = say(
            "The beginning is lost; an empty frame of {late:g} s stands in for it, so that all others keep their time.",
            late=late,
        )
        finding = Finding("lost-beginning", "error", text, len(self._snapshot.header_bytes), 0, 0, 0)
        self._result.findings.append(finding)

    # --- findings ---------------------------------------------------------------------------------------

    def _findings(self, code: str, rows: list[int]) -> Iterator[Finding]:
        """One finding for each run of rows of the snapshot."""
        chosen = np.zeros(self._snapshot.rows, np.bool_)
        chosen[rows] = True
        for first, stop in runs(chosen):
            frame, last = (self._snapshot.table.frame_of_row(row) for row in (first, stop - 1))
            here = say(
                N_("Frame {frame:,}") if last == frame else N_("Frames {frame:,} to {last:,}"),
                frame=frame + 1,
                last=last + 1,
            )
            text = say(_MESSAGES[code], here=here)
            yield Finding(code, "error", text, self._snapshot.position(first), frame, first, START_SIZE)


def _id_fits_neighbours(ids: UInt64Array, elapsed: FloatArray, duration: FloatArray) -> BoolArray:
    """bool[n]: ids that follow a neighbour's, or whose times do not follow a neighbour's either."""
    plausible = np.ones(len(ids), np.bool_)
    with np.errstate(all="ignore"):
        follows = np.abs(elapsed[:-1] + duration[:-1] - elapsed[1:]) <= _MISFIT
        fits = ids[1:] - ids[:-1] == 1
    # The first frame may be a placeholder for those before the second.
    follows[:1] &= (ids[:1] != 1) | (elapsed[:1] != 0) | fits[:1]
    if 2 * int((fits & follows).sum()) < int(follows.sum()):
        return plausible
    before, after = np.concatenate(([False], follows)), np.concatenate((follows, [False]))
    good = np.concatenate(([False], fits)) | np.concatenate((fits, [False]))
    return good | ~(before | after)


def _time_fits_neighbours(ids: IntArray, elapsed: FloatArray, duration: FloatArray) -> BoolArray:
    """bool[n]: times that follow a neighbour's, or have no neighbour to be compared with."""
    plausible = np.ones(len(ids), np.bool_)
    follows = np.diff(ids) == 1
    with np.errstate(all="ignore"):
        fits = follows & (np.abs(elapsed[:-1] + duration[:-1] - elapsed[1:]) <= _MISFIT)
        if 2 * int(fits.sum()) < int(follows.sum()):
            return plausible
        plausible[1:-1] = fits[:-1] | fits[1:] | ~(follows[:-1] | follows[1:])
        if len(ids) > 2:
            # At both ends either the time or the duration is wrong.
            plausible[0] = fits[0] or not follows[0] or (ids[0] == 1 and elapsed[0] == 0)
            step = elapsed[-1] - elapsed[-2]
            before = duration[-3]
            plausible[-1] = fits[-1] or not follows[-1] or abs(step - before) < abs(duration[-2] - before)
    return plausible


def _renumbered(ids: UInt64Array, right: BoolArray) -> UInt64Array:
    """Ids with those that are `right` unchanged; all frames are renumbered if too few ids are free between them."""
    fixed = ids.astype(np.int64)
    for first, stop in runs(~right):
        if first:
            low = int(fixed[first - 1])
        else:
            low = 0
        if stop < len(fixed):
            room = int(fixed[stop]) - low - 1
        else:
            room = _MAX_ID
        if room < stop - first:
            return np.arange(1, len(fixed) + 1, dtype=np.uint64)
        if not first and stop < len(fixed):
            begin = int(fixed[stop]) - (stop - first)
        else:
            begin = low + 1
        fixed[first:stop] = np.arange(begin, begin + stop - first)
    return fixed.astype(np.uint64)


def _accumulated(elapsed: FloatArray, steps: FloatArray, usual: float) -> FloatArray:
    """Times from 0; each step is that of elapsed, else the duration, else `usual`."""
    with np.errstate(all="ignore"):
        differences = np.diff(elapsed)
        sound = np.isfinite(differences) & (differences > _LEAST) & (differences < 1e3)
        each = np.where(sound, differences, np.where(np.isfinite(steps[:-1]), steps[:-1], usual))
    return np.concatenate(([0.0], np.cumsum(each)))


def longest_rising(values: FloatArray, usable: BoolArray) -> BoolArray:
    """bool[n]: the longest strictly rising subsequence of the usable values."""
    tails: list[float] = []
    ends: list[int] = []
    before = np.full(len(values), -1, np.int64)
    for index in np.flatnonzero(usable).tolist():
        value = float(values[index])
        at = bisect_left(tails, value)
        if at:
            before[index] = ends[at - 1]
        if at == len(tails):
            tails.append(value)
            ends.append(index)
        else:
            tails[at], ends[at] = value, index
    right = np.zeros(len(values), np.bool_)
    if ends:
        index = ends[-1]
    else:
        index = -1
    while index >= 0:
        right[index] = True
        index = int(before[index])
    return right


# --- blocks that were written twice ------------------------------------------------------------------


_MAX_LOOKED_AT = 256
_MAX_BYTES = 32 << 20
_PIECE = 1 << 20
_NEAR = 1 << 20


def find_duplicate_block(snapshot: Snapshot) -> RepairChange | None:
    """The removal of the first duplicate block that holds the beginning of a frame, or None."""
    return next((block for places in _candidates(snapshot) if (block := _between(snapshot, *places)) is not None), None)


def _candidates(snapshot: Snapshot) -> Iterator[tuple[int, int]]:
    """Pairs of positions at which the same frame may begin."""
    kinds = snapshot.table.column("kind")
    rows = np.flatnonzero(kinds != RAW)
    ids = snapshot.table.column("frame_id")[rows]
    back = np.flatnonzero(ids[1:] <= ids[:-1]) + 1
    for place in back[:_MAX_LOOKED_AT].tolist():
        (earlier,) = np.nonzero(ids[:place] == ids[place])
        for first in earlier[::-1][:2].tolist():
            yield snapshot.position(int(rows[first])), snapshot.position(int(rows[place]))
    for row in np.flatnonzero(kinds != FRAME)[:_MAX_LOOKED_AT].tolist():
        low = snapshot.position(row)
        following = rows[rows > row]
        if len(following):
            yield low, snapshot.position(int(following[0]))
        # The second beginning of the frame may lie within bytes that were read as another packet.
        if kinds[row] == OPEN_FRAME:
            data = snapshot.read(low, _NEAR)
        else:
            data = b""
        again = data.find(data[:START_SIZE], START_SIZE)
        if again > 0:
            yield low, low + again


def _between(snapshot: Snapshot, low: int, high: int) -> RepairChange | None:
    """The removal of the duplicate block between two beginnings of one frame; None if the bytes differ."""
    size = high - low
    if size > _MAX_BYTES:
        return None
    before = _same(snapshot, low, high, min(size, low - len(snapshot.header_bytes)), backwards=True)
    behind = _same(snapshot, low, high, min(size, snapshot.size - high), backwards=False)
    if before + behind < size:
        return None
    begin = high - before
    head = snapshot.row_at(begin)
    tail = snapshot.row_at(begin + size - 1)
    if head is None or tail is None:
        return None
    start, stop = snapshot.position(head), snapshot.position(tail + 1)
    data = snapshot.read(start, begin - start) + snapshot.read(begin + size, stop - begin - size)
    frame = snapshot.table.frame_of_row(head)
    text = say("From frame {frame:,} on, {size:,} bytes are in the file twice.", frame=frame + 1, size=size)
    finding = Finding("doubled-block", "error", text, begin, frame, head, size)
    like = head if data and start < begin else None
    return RepairChange([Splice(head, tail + 1 - head, rows_of(snapshot, data, like=like))], [finding], doubled=size)


def _same(snapshot: Snapshot, low: int, high: int, most: int, *, backwards: bool) -> int:
    """Number of equal bytes before or after two positions, at most `most`."""
    done = 0
    while done < most:
        size = min(_PIECE, most - done)
        if backwards:
            shift = -done - size
        else:
            shift = done
        one, other = (np.frombuffer(snapshot.read(place + shift, size), np.uint8) for place in (low, high))
        differ = np.flatnonzero(one != other)
        if len(differ):
            return done + (size - 1 - int(differ[-1]) if backwards else int(differ[0]))
        done += size
    return done
