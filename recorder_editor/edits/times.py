"""Edits of times: stretched, shifted, put in order.

Only columns of the frame table change; times and velocities in packets stay as recorded.
"""

import math

import numpy as np
import numpy.typing as npt

from ..arrays import IndexArray, StructuredArray
from ..errors import EditError, NothingToDo
from ..recording import RAW, Edit, FrameTable, Intent, RecordingLike, Snapshot, Splice
from ..texts import say

_STEP = 0.05
"""The step of frames without one: 20 a second, as in the simulator's examples."""

_LEAST = 1e-6  # s: shorter steps are lost in sums


def retime(recording: RecordingLike, factor: float) -> Edit:
    """Return the edit that makes every frame last `factor` times as long: 2 is half the speed. Raises `EditError`."""
    if not (math.isfinite(factor) and factor > 0):
        raise EditError(say("Time cannot be stretched by {factor:g}; the factor is a number above 0.", factor=factor))
    snapshot = recording.snapshot
    rows, frames = _rows(snapshot)
    with np.errstate(all="ignore"):
        elapsed = rows["elapsed"][frames] * factor
        duration = rows["duration"][frames]
        # The -1 of the last frame is no time.
        duration = np.where(duration > 0, duration * factor, duration)
    intent = Intent("retime", {"factor": factor})
    label = say("Retime by {factor:g}", factor=factor)
    return _edit(snapshot, rows, frames, label, intent, elapsed=elapsed, duration=duration)


def shift(recording: RecordingLike, seconds: float) -> Edit:
    """Return the edit that adds `seconds` to every elapsed; the replayer expects 0 first. Raises `EditError`."""
    if not math.isfinite(seconds):
        raise EditError(say("Time is shifted by a number of seconds."))
    snapshot = recording.snapshot
    rows, frames = _rows(snapshot)
    with np.errstate(all="ignore"):
        elapsed = rows["elapsed"][frames] + seconds
    label = say("Shift by {seconds:g} s", seconds=seconds)
    return _edit(snapshot, rows, frames, label, Intent("shift", {"seconds": seconds}), elapsed=elapsed)


def order_times(recording: RecordingLike) -> Edit:
    """Return the edit that puts frame ids and times in order.

    Ids count from 1, elapsed begins at 0, durations are as long as the steps. A step is that of elapsed, else the
    duration, else the median of the others. The last duration becomes -1 (format reference 6.5).

    Raises:
        EditError: There are no frames, or the steps add up to too much.
        NothingToDo: Nothing is out of order.
    """
    snapshot = recording.snapshot
    rows, frames = _rows(snapshot)
    elapsed = rows["elapsed"][frames]
    duration = rows["duration"][frames]
    with np.errstate(all="ignore"):
        differences = np.diff(elapsed)
        sound = np.isfinite(differences) & (differences > _LEAST)
        steps = np.where(sound, differences, duration[:-1])
        is_usable = np.isfinite(steps) & (steps > _LEAST)
    if is_usable.any():
        steps[~is_usable] = np.median(steps[is_usable])
    else:
        steps[~is_usable] = _STEP
    with np.errstate(over="ignore"):
        if sound.all() and np.isfinite(elapsed).all():
            # Subtracted, not summed: sums of floats would differ in the last digits.
            ordered = elapsed - elapsed[:1]
        else:
            ordered = np.concatenate(([0.0], np.cumsum(steps)))[: len(elapsed)]
    if not np.isfinite(ordered).all():
        raise EditError(say("The steps of time add up to more than a number holds; they cannot be put in order."))
    lasting = np.append(steps, -1.0)[: len(duration)]
    # A duration within a nanosecond of its step is that of the recorder, and keeps its bits.
    with np.errstate(all="ignore"):
        fits = np.abs(lasting - duration) < 1e-9
    return _edit(
        snapshot,
        rows,
        frames,
        say("Put frame ids and times in order"),
        Intent("order_times", {}),
        frame_id=np.arange(1, len(elapsed) + 1, dtype=np.uint64),
        elapsed=ordered,
        duration=np.where(fits, duration, lasting),
    )


def _rows(snapshot: Snapshot) -> tuple[StructuredArray, IndexArray]:
    """Return a copy of all rows, and which of them are frames."""
    rows = snapshot.table.rows().copy()
    frames = np.flatnonzero(rows["kind"] != RAW)
    if not len(frames):
        raise EditError(say("The recording has no frames."))
    return rows, frames


def _edit(
    snapshot: Snapshot,
    rows: StructuredArray,
    frames: IndexArray,
    label: str,
    intent: Intent,
    **columns: npt.NDArray[np.generic],
) -> Edit:
    """Return the edit that sets columns of the frames; replaces the rows from the first to the last that change."""
    changed = np.zeros(len(rows), np.bool_)
    for name, values in columns.items():
        before = rows[name][frames]
        new = values.astype(before.dtype)
        changed[frames] |= before.view("u8") != new.view("u8")
        rows[name][frames] = new
    touched = np.flatnonzero(changed)
    if not len(touched):
        raise NothingToDo(say("The times are like that already."))
    rows["stored"][changed] = 0
    first = int(touched[0])
    last = int(touched[-1])
    splice = Splice(first, last + 1 - first, FrameTable.from_rows(rows[first : last + 1]))
    return Edit(label, snapshot.version, (splice,), intent=intent)
