"""Smoothed speeds and accelerations.

Rows are ordered by track, then time; a run is a stretch of rows without a missing frame, and filters apply to each run
on its own. Knows arrays only; needs SciPy.
"""

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, IntArray
from .libraries import library


def find_runs(track: npt.NDArray[np.integer], frame: npt.NDArray[np.integer]) -> IntArray:
    """Return the first row of each run.

    Args:
        track: Of each row, shape (n,); rows are ordered by track, then frame.
        frame: Of each row, shape (n,); a missing frame ends a run.

    Returns:
        int64[runs].
    """
    if not len(track):
        return np.zeros(0, np.int64)
    breaks = (track[1:] != track[:-1]) | (frame[1:] != frame[:-1] + 1)
    return np.concatenate(([0], np.flatnonzero(breaks) + 1))


def smooth_speed(
    speed: FloatArray, starts: IntArray, step: float, window: int = 9, order: int = 3
) -> tuple[FloatArray, FloatArray]:
    """Step 4: return speed and acceleration by Savitzky-Golay, run by run.

    Runs shorter than `window` use the largest odd window that fits; runs shorter than `order` + 2 keep their speed and
    get `numpy.gradient`, NaN for a single row. Runs with a speed that is not finite keep it, and get NaN.

    Args:
        speed: m/s, shape (n,).
        starts: First rows of runs (see `find_runs`).
        step: Seconds between rows: the filter's `delta`, without which the derivative would be one per row.
        window: Rows, an odd number.
        order: Of the polynomial.

    Returns:
        float64[n] (m/s) and float64[n] (m/s2).

    Raises:
        LibraryMissing: SciPy is not installed.
    """
    filtered = library("scipy.signal").savgol_filter
    lengths = np.diff(np.append(starts, len(speed)))
    finite = np.isfinite(speed)
    is_sound = np.zeros(0, np.bool_)
    if len(starts):
        is_sound = np.logical_and.reduceat(finite, starts)
    value = speed.astype(np.float64)
    slope = np.full(len(speed), np.nan)

    def filter_rows(rows: IntArray, columns: slice, size: int) -> None:
        """Filter rows of shape (runs, length), and store some columns of the result."""
        stretch = speed[rows]
        value[rows[:, columns]] = filtered(stretch, size, order, axis=1)[:, columns]
        slope[rows[:, columns]] = filtered(stretch, size, order, deriv=1, delta=step, axis=1)[:, columns]

    is_whole = is_sound & (lengths >= window)
    if is_whole.any():
        # Over all rows at once; rows nearer than half a window to another run are replaced below, where the
        # filter fits its polynomial to the first and the last window of a run, as it does at the ends of an array.
        usable = speed
        if not is_sound.all():
            usable = np.where(finite, speed, 0.0)
        value[:] = filtered(usable, window, order)
        slope[:] = filtered(usable, window, order, deriv=1, delta=step)
        half = window // 2
        ends = starts + lengths
        filter_rows(starts[is_whole, None] + np.arange(window), slice(0, half), window)
        filter_rows(ends[is_whole, None] - window + np.arange(window), slice(half + 1, window), window)
    for length in np.unique(lengths[~is_whole]).tolist():
        is_chosen = ~is_whole & (lengths == length)
        rows = starts[is_chosen, None] + np.arange(length)
        value[rows] = speed[rows]
        slope[rows] = np.nan
        rows = rows[is_sound[is_chosen]]
        if len(rows) and length >= order + 2:
            odd = length if length % 2 else length - 1
            filter_rows(rows, slice(None), odd)
        elif len(rows) and length > 1:
            slope[rows] = np.gradient(speed[rows], step, axis=1)
    return value, slope


def resample(
    time: FloatArray, value: FloatArray, starts: IntArray, step: float
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Return values at even times.

    Every run is interpolated from its first time on, so that its last time is reached or passed by less than half a
    step. A run with even times keeps its values.

    Args:
        time: s, rising within each run, shape (n,).
        value: Shape (n,).
        starts: First rows of runs.
        step: Seconds between the even times.

    Returns:
        Values float64[m], first rows of runs, times float64[m].
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
    """Return values at other times, run by run: linear between its rows, and those of its ends beyond them.

    Args:
        time: s, rising within each run, shape (n,).
        value: Shape (n,).
        starts: First rows of the runs in `time`.
        wanted: The other times, rising within each run, shape (m,).
        firsts: First rows of the same runs in `wanted`.

    Returns:
        float64[m].
    """
    if not len(wanted):
        return np.zeros(0)
    counts = np.diff(np.append(starts, len(time)))
    wanted_counts = np.diff(np.append(firsts, len(wanted)))
    ends = starts + counts - 1
    # One axis for all runs: each is shifted to a second after the end of the one before.
    spans = time[ends] - time[starts] + 1.0
    shift = np.cumsum(spans) - spans - time[starts]
    axis = time + np.repeat(shift, counts)
    place = wanted + np.repeat(shift, wanted_counts)
    first = np.repeat(starts, wanted_counts)
    last = np.repeat(ends, wanted_counts)
    left = np.clip(axis.searchsorted(place, side="right") - 1, first, last)
    right = np.minimum(left + 1, last)
    width = axis[right] - axis[left]
    share = np.clip((place - axis[left]) / np.where(width > 0, width, 1.0), 0.0, 1.0)
    return value[left] + share * (value[right] - value[left])
