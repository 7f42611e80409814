"""Frames in order: rising ids and times, no frame and no block twice.

Misplaced frames with unique ids that agree with their times are sorted, without a change of bytes. Otherwise the
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
    """Put the frames in order.

    Args:
        snapshot: The state of the recording.
        beginning_is_lost: Whether frames are missing before the first one, so that a late first time is correct, and an
            empty placeholder frame is inserted.

    Returns:
        The change; `doubled` are the bytes of duplicate frames, `added` those of a placeholder.
    """
    work = _Ordering(snapshot)
    if snapshot.table.frames:
        work.drop_duplicates()
        work.sort()
        work.number_frames()
        work.set_times(beginning_is_lost=beginning_is_lost)
    return work.result()


class _Ordering:
    """Puts the frames of a state in order, one step after another."""

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
        """Return the change: one splice from the first row that changes to the last one."""
        changed = np.zeros(len(self._rows), np.bool_)
        for name in ("frame_id", "elapsed", "duration"):
            changed |= self._rows[name].view("u8") != self._before[name].view("u8")
        self._rows["stored"][changed] = 0
        touched = np.flatnonzero(changed | ~self._keep | (self._origin != np.arange(len(self._rows))))
        if self._new is None and not len(touched):
            return self._result
        first = 0
        stop = 0
        if len(touched):
            first = int(touched[0])
            stop = int(touched[-1]) + 1
        if self._new is not None:
            first = 0
        rows = self._rows[first:stop][self._keep[first:stop]]
        if self._new is not None:
            rows = np.concatenate([self._new, rows])
        self._result.splices.append(Splice(first, stop - first, FrameTable.from_rows(rows)))
        for code, indices in self._changed.items():
            self._result.findings += self._findings(code, self._origin[indices].tolist())
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

    def _is_same(self, first_row: int, second_row: int) -> bool:
        """Whether two frames of the same id are equal, byte for byte."""
        first = self._rows[first_row]
        second = self._rows[second_row]
        if first["size"] != second["size"] or first["elapsed"].tobytes() != second["elapsed"].tobytes():
            return False
        size = int(first["size"])
        store = self._snapshot.store
        first_bytes = store.read(int(first["source"]), int(first["offset"]), size)
        return first_bytes == store.read(int(second["source"]), int(second["offset"]), size)

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
        """Correct elapsed (rising from 0) and durations (the steps; -1 for the last).

        Args:
            beginning_is_lost: Whether frames are missing before the first one.
        """
        rows = self._frames
        ids = self._rows["frame_id"][rows].astype(np.int64)
        elapsed = self._rows["elapsed"][rows]
        duration = self._rows["duration"][rows]
        times = _corrected_times(ids, elapsed, duration)
        late = float(times[0])
        if late != 0:
            if beginning_is_lost and late > 0 and int(ids[0]) > 1:
                self._insert_placeholder(late)
            else:
                times = times - late
        durations = _corrected_durations(ids, times, duration)
        self._rows["elapsed"][rows] = times
        self._rows["duration"][rows] = durations
        self._changed["time-goes-back"] = rows[_differ(times, elapsed)].tolist()
        self._changed["duration-differs"] = rows[_differ(durations, duration)].tolist()
        self._changed = {code: indices for code, indices in self._changed.items() if indices}

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
        """Yield one finding for each run of rows of the snapshot."""
        is_chosen = np.zeros(self._snapshot.rows, np.bool_)
        is_chosen[rows] = True
        for first, stop in runs(is_chosen):
            frame = self._snapshot.table.frame_of_row(first)
            last = self._snapshot.table.frame_of_row(stop - 1)
            if last == frame:
                here = say("Frame {frame:,}", frame=frame + 1)
            else:
                here = say("Frames {frame:,} to {last:,}", frame=frame + 1, last=last + 1)
            text = say(_MESSAGES[code], here=here)
            yield Finding(code, "error", text, self._snapshot.position(first), frame, first, START_SIZE)


def _differ(new: FloatArray, old: FloatArray) -> BoolArray:
    """Find the doubles that differ in any bit: bool[n]."""
    return np.asarray(np.ascontiguousarray(new).view("u8") != np.ascontiguousarray(old).view("u8"))


def _corrected_times(ids: IntArray, elapsed: FloatArray, duration: FloatArray) -> FloatArray:
    """Return rising times: those that fit are kept, others follow from the durations."""
    with np.errstate(all="ignore"):
        credible = np.isfinite(elapsed) & (np.abs(elapsed) < _MAX_SECONDS)
        plausible = _time_fits_neighbours(ids, elapsed, duration)
        if credible.all() and plausible.all() and (elapsed[1:] > elapsed[:-1]).all():
            return elapsed.copy()
        steps = np.where(np.isfinite(duration) & (duration > _LEAST) & (duration < 1e3), duration, np.nan)
    right = longest_rising(elapsed, credible & plausible)
    usual = _STEP
    if np.isfinite(steps).any():
        usual = float(np.nanmedian(steps))
    if 2 * int(right.sum()) < len(right):
        # Time restarts somewhere: the steps are correct, not the sums.
        return _accumulated(elapsed, steps, usual)
    times = elapsed.copy()
    known_steps = np.where(np.isfinite(steps), steps, usual)
    for first, stop in runs(~right):
        if first == 0:
            if ids[0] == 1 or stop == len(times):
                times[0] = 0.0
            else:
                times[0] = max(float(times[stop]) - usual * stop, 0.0)
        _continue_times(times, max(first, 1), stop, known_steps)
    if not (times[1:] > times[:-1]).all():
        return _accumulated(elapsed, steps, usual)
    return times


def _corrected_durations(ids: IntArray, elapsed: FloatArray, duration: FloatArray) -> FloatArray:
    """Return durations: those that are not the time to the next frame become it, the last one is -1."""
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


def _continue_times(times: FloatArray, first: int, stop: int, steps: FloatArray) -> None:
    """Replace a run of times by the one before and the steps, or evenly where these do not fit before the next time.

    Args:
        times: All times; those of `[first, stop)` are replaced.
        first: The first frame of the run, from 1.
        stop: The frame behind it.
        steps: The seconds from each frame to the next one.
    """
    for index in range(first, stop):
        before = float(times[index - 1])
        time = before + float(steps[index - 1])
        if stop < len(times) and time >= times[stop]:
            time = before + (float(times[stop]) - before) / (stop - index + 1)
        times[index] = time


def _id_fits_neighbours(ids: UInt64Array, elapsed: FloatArray, duration: FloatArray) -> BoolArray:
    """Find the ids that follow a neighbour's, or with times that do not follow a neighbour's either: bool[n]."""
    plausible = np.ones(len(ids), np.bool_)
    with np.errstate(all="ignore"):
        follows = np.abs(elapsed[:-1] + duration[:-1] - elapsed[1:]) <= _MISFIT
        fits = ids[1:] - ids[:-1] == 1
    # The first frame may be a placeholder for those before the second.
    follows[:1] &= (ids[:1] != 1) | (elapsed[:1] != 0) | fits[:1]
    if 2 * int((fits & follows).sum()) < int(follows.sum()):
        return plausible
    fits_any = np.append(False, fits) | np.append(fits, False)
    follows_any = np.append(False, follows) | np.append(follows, False)
    return np.asarray(fits_any | ~follows_any)


def _time_fits_neighbours(ids: IntArray, elapsed: FloatArray, duration: FloatArray) -> BoolArray:
    """Find the times that follow a neighbour's, or have no neighbour to be compared with: bool[n]."""
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
    """Return ids with those that are `right` unchanged; all are renumbered if too few ids are free between them."""
    fixed = ids.astype(np.int64)
    for first, stop in runs(~right):
        number = stop - first
        has_next = stop < len(fixed)
        low = int(fixed[first - 1]) if first else 0
        room = _MAX_ID
        if has_next:
            room = int(fixed[stop]) - low - 1
        if room < number:
            return np.arange(1, len(fixed) + 1, dtype=np.uint64)
        begin = low + 1
        if not first and has_next:
            begin = int(fixed[stop]) - number
        fixed[first:stop] = np.arange(begin, begin + number)
    return fixed.astype(np.uint64)


def _accumulated(elapsed: FloatArray, steps: FloatArray, usual: float) -> FloatArray:
    """Return times from 0; each step is that of elapsed, else the duration, else `usual`."""
    with np.errstate(all="ignore"):
        differences = np.diff(elapsed)
        sound = np.isfinite(differences) & (differences > _LEAST) & (differences < 1e3)
        durations = np.where(np.isfinite(steps[:-1]), steps[:-1], usual)
        seconds = np.where(sound, differences, durations)
    return np.append(0.0, np.cumsum(seconds))


def longest_rising(values: FloatArray, usable: BoolArray) -> BoolArray:
    """Find the longest strictly rising subsequence.

    Args:
        values: float64[n].
        usable: Which values may be in it, bool[n].

    Returns:
        Which values are in it, bool[n].
    """
    # By length, the least last value of a subsequence, and its index.
    tails: list[float] = []
    ends: list[int] = []
    before = np.full(len(values), -1, np.int64)
    for index in np.flatnonzero(usable).tolist():
        value = float(values[index])
        length = bisect_left(tails, value)
        if length:
            before[index] = ends[length - 1]
        if length == len(tails):
            tails.append(value)
            ends.append(index)
        else:
            tails[length] = value
            ends[length] = index
    right = np.zeros(len(values), np.bool_)
    index = ends[-1] if ends else -1
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
    """Return the removal of the first duplicate block that holds the beginning of a frame, or None."""
    for low, high in _candidates(snapshot):
        change = _between(snapshot, low, high)
        if change is not None:
            return change
    return None


def _candidates(snapshot: Snapshot) -> Iterator[tuple[int, int]]:
    """Yield pairs of positions at which the same frame may begin."""
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
        if kinds[row] == OPEN_FRAME:
            # The second beginning of the frame may lie within bytes that were read as another packet.
            data = snapshot.read(low, _NEAR)
            again = data.find(data[:START_SIZE], START_SIZE)
            if again > 0:
                yield low, low + again


def _between(snapshot: Snapshot, low: int, high: int) -> RepairChange | None:
    """Return the removal of the duplicate block between two beginnings of one frame; None if the bytes differ."""
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
    start = snapshot.position(head)
    stop = snapshot.position(tail + 1)
    data = snapshot.read(start, begin - start) + snapshot.read(begin + size, stop - begin - size)
    frame = snapshot.table.frame_of_row(head)
    text = say("From frame {frame:,} on, {size:,} bytes are in the file twice.", frame=frame + 1, size=size)
    finding = Finding("doubled-block", "error", text, begin, frame, head, size)
    like = head if data and start < begin else None
    splice = Splice(head, tail + 1 - head, rows_of(snapshot, data, like=like))
    return RepairChange([splice], [finding], doubled=size)


def _same(snapshot: Snapshot, low: int, high: int, most: int, *, backwards: bool) -> int:
    """Return the number of equal bytes before or behind two positions, at most `most`."""
    done = 0
    while done < most:
        size = min(_PIECE, most - done)
        shift = -done - size if backwards else done
        first = np.frombuffer(snapshot.read(low + shift, size), np.uint8)
        second = np.frombuffer(snapshot.read(high + shift, size), np.uint8)
        differ = np.flatnonzero(first != second)
        if len(differ):
            if backwards:
                return done + size - 1 - int(differ[-1])
            return done + int(differ[0])
        done += size
    return done
