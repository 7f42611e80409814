"""Smoothed speeds and accelerations.

Rows are ordered by track, then time; a run is a stretch of rows without a missing frame, and filters apply to each run
on its own. Knows arrays only; needs SciPy.
"""

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, IntArray
from .libraries import library


def find_runs(track: npt.NDArray[np.integer], frame: npt.NDArray[np.integer]) -> IntArray:
    """The first row of each run, int64[r]: rows are ordered by track, then frame; a missing frame ends a run."""
    if not len(track):
        return np.zeros(0, np.int64)
    breaks = (track[1:] != track[:-1]) | (frame[1:] != frame[:-1] + 1)
    return np.concatenate(([0], np.flatnonzero(breaks) + 1))


def smooth_speed(
    speed: FloatArray, starts: IntArray, step: float, window: int = 9, order: int = 3
) -> tuple[FloatArray, FloatArray]:
    """Step 4: speed and acceleration by Savitzky-Golay, run by run: float64[n] (m/s) and float64[n] (m/s2).

    `starts` are the first rows of runs (see `find_runs`), `step` the seconds between rows: it is the filter's `delta`,
    without which the derivative would be one per row. Runs shorter than `window` use the largest odd window that fits;
    runs shorter than `order` + 2 keep their speed and get `numpy.gradient`, NaN for a single row. Runs with a speed
    that is not finite keep it, and get NaN. Raises `LibraryMissing`.
    """
    filtered = library("scipy.signal").savgol_filter
    lengths = np.diff(np.append(starts, len(speed)))
    finite = np.isfinite(speed)
    if len(starts):
        sound = np.logical_and.reduceat(finite, starts)
    else:
        sound = np.zeros(0, np.bool_)
    value = speed.astype(np.float64)
    slope = np.full(len(speed), np.nan)

    def put(rows: IntArray, taken: slice, size: int) -> None:
        """Filter rows of shape (runs, length), and store some columns of the result."""
        stretch = speed[rows]
        value[rows[:, taken]] = filtered(stretch, size, order, axis=1)[:, taken]
        slope[rows[:, taken]] = filtered(stretch, size, order, deriv=1, delta=step, axis=1)[:, taken]

    whole = sound & (lengths >= window)
    if whole.any():
        # Over all rows at once; rows nearer than half a window to another run are replaced below, where the
        # filter fits its polynomial to the first and the last window of a run, as it does at the ends of an array.
        if sound.all():
            calm = speed
        else:
            calm = np.where(finite, speed, 0.0)
        value[:] = filtered(calm, window, order)
        slope[:] = filtered(calm, window, order, deriv=1, delta=step)
        half = window // 2
        ends = starts + lengths
        put(starts[whole, None] + np.arange(window), slice(0, half), window)
        put(ends[whole, None] - window + np.arange(window), slice(half + 1, window), window)
    for length in np.unique(lengths[~whole]).tolist():
        short = ~whole & (lengths == length)
        rows = starts[short, None] + np.arange(length)
        value[rows], slope[rows] = speed[rows], np.nan
        rows = rows[sound[short]]
        if len(rows) and length >= order + 2:
            put(rows, slice(None), length if length % 2 else length - 1)
        elif len(rows) and length > 1:
            slope[rows] = np.gradient(speed[rows], step, axis=1)
    return value, slope


def resample(
    time: FloatArray, value: FloatArray, starts: IntArray, step: float
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Values at even times: values float64[m], first rows of runs, times float64[m].

    Every run of `value`, whose times rise, is interpolated from its first time on in steps of `step` seconds, so that
    its last time is reached or passed by less than half a step. A run whose times are even keeps its values.
    """
    ends = np.append(starts[1:], len(time))
    counts = np.rint((time[ends - 1] - time[starts]) / step).astype(np.int64) + 1
    firsts = np.cumsum(counts) - counts
    run = np.repeat(np.arange(len(starts)), counts)
    even = time[starts][run] + (np.arange(int(counts.sum())) - firsts[run]) * step
    return interpolate(time, value, starts, even, firsts), firsts, even


def interpolate(
    time: FloatArray, value: FloatArray, starts: IntArray, wanted: FloatArray, firsts: IntArray
) -> FloatArray:
    """Values at the wanted times, run by run, linear between its rows and its ends' beyond them: float64[len(wanted)].

    Times rise within each run; `starts` and `firsts` are the first rows of the same runs in both.
    """
    if not len(wanted):
        return np.zeros(0)
    before, after = np.diff(np.append(starts, len(time))), np.diff(np.append(firsts, len(wanted)))
    ends = starts + before - 1
    # One axis for all runs: each is shifted to a second after the end of the one before.
    spans = time[ends] - time[starts] + 1.0
    shift = np.cumsum(spans) - spans - time[starts]
    axis = time + np.repeat(shift, before)
    asked = wanted + np.repeat(shift, after)
    last = np.repeat(ends, after)
    left = np.clip(axis.searchsorted(asked, side="right") - 1, np.repeat(starts, after), last)
    right = np.minimum(left + 1, last)
    width = axis[right] - axis[left]
    share = np.clip((asked - axis[left]) / np.where(width > 0, width, 1.0), 0.0, 1.0)
    return value[left] + share * (value[right] - value[left])
