"""Ways that cross: the time from when one road user left a place to when another one reached it."""

from typing import Final

import numpy as np

from ...arrays import FloatArray, IndexArray, IntArray, StructuredArray, row_type, run_starts
from ..measures import are_apart, post_encroachment_time
from ..motion import median_step
from ..near_users import HEIGHT, Company
from ..road_users import boxes_of
from ..thresholds import Thresholds
from .stretches import STRETCH

_CELL = 3.0  # m
_SLOWEST = 0.3  # m/s: what stands sweeps nothing
_CROSSING = float(np.cos(np.radians(30.0)))
"""Headings that differ by less are those of followers, more than 150 degrees those of lanes side by side."""
_SLOWEST_STEP = 4.0  # of the median step
_AT_ONCE = 1 << 20  # pairs of boxes

_VISIT: Final = row_type("x:i4 y:i4 life:i4 first:i4 last:i4 begin:i8 end:i8")
"""A stretch of frames in which a road user covers parts of a cell, and its rows."""


def crossing(rows: StructuredArray, elapsed: FloatArray, company: Company, thresholds: Thresholds) -> StructuredArray:
    """Return where one road user comes to a place shortly after another one left it.

    Args:
        rows: Road users, dtype `ROAD_USER`, by frame and life.
        elapsed: The seconds of every frame.
        company: What they are to each other.
        thresholds: What is short.

    Returns:
        Stretches of the one that came second (`life`) and the one that was there first, from the frame in which the
        first one left to that in which the second one came, with the PET (s).
    """
    moving = rows[np.hypot(rows["vx"], rows["vy"]) > _SLOWEST]
    moving = moving[np.lexsort((moving["frame"], moving["life"]))]
    if not len(moving):
        return np.zeros(0, STRETCH)
    visits = _visits(moving)
    first, second = _shortly_after(visits, elapsed, thresholds.short_pet)
    lives = visits["life"]
    chosen = company.may_meet(lives[first], lives[second])
    return _least(moving, *_meetings(moving, visits[first[chosen]], visits[second[chosen]]), elapsed, thresholds)


def _visits(rows: StructuredArray) -> StructuredArray:
    """Return the visits of cells, by cell and first frame: dtype `_VISIT`; rows are by life and frame."""
    boxes = boxes_of(rows)
    wide = boxes.reach(np.ones(len(rows)), np.zeros(len(rows)))
    high = boxes.reach(np.zeros(len(rows)), np.ones(len(rows)))
    left = np.floor((boxes.x - wide) / _CELL).astype(np.int64)
    top = np.floor((boxes.y - high) / _CELL).astype(np.int64)
    columns = np.floor((boxes.x + wide) / _CELL).astype(np.int64) - left + 1
    lines = np.floor((boxes.y + high) / _CELL).astype(np.int64) - top + 1
    counts = columns * lines
    row = np.repeat(np.arange(len(rows)), counts)
    nth = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    x = left[row] + nth % columns[row]
    y = top[row] + nth // columns[row]
    order = np.lexsort((row, y, x))
    x = x[order]
    y = y[order]
    row = row[order]
    lives = rows["life"]
    frames = rows["frame"]
    begins = run_starts(x, y, lives[row])
    begins[1:] |= np.diff(row) != 1
    heads = np.flatnonzero(begins)
    tails = np.append(heads[1:], len(row)) - 1
    visits = np.zeros(len(heads), _VISIT)
    visits["x"] = x[heads]
    visits["y"] = y[heads]
    visits["life"] = lives[row[heads]]
    visits["first"] = frames[row[heads]]
    visits["last"] = frames[row[tails]]
    visits["begin"] = row[heads]
    visits["end"] = row[tails] + 1
    return visits[np.lexsort((visits["first"], visits["y"], visits["x"]))]


def _shortly_after(visits: StructuredArray, elapsed: FloatArray, most: float) -> tuple[IndexArray, IndexArray]:
    """Return pairs of visits of the same cell by different lives, the second one at most `most` s later."""
    cell = np.cumsum(run_starts(visits["x"], visits["y"]))
    frames = len(elapsed) + 1
    begins = visits["first"]
    lives = visits["life"]
    keys = cell * frames + begins
    until = _frames_until(visits["last"], elapsed, most)
    stop = np.searchsorted(keys, cell * frames + until, side="left")
    follow = np.maximum(stop - np.arange(len(visits)) - 1, 0)
    first = np.repeat(np.arange(len(visits)), follow)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(follow) - follow, follow)
    differ = lives[first] != lives[second]
    return first[differ], second[differ]


def _frames_until(last: IntArray, elapsed: FloatArray, most: float) -> IndexArray:
    """Return the frames that lie so many seconds behind others; few where times jump back, as in damaged files."""
    if len(elapsed) < 2:
        return np.full(len(last), len(elapsed))
    step = median_step(elapsed)
    if not step > 0:
        return last + 1
    times = np.maximum.accumulate(np.nan_to_num(elapsed, nan=0.0))
    by_time = np.searchsorted(times, elapsed[last] + most + 2 * step, side="right")
    return np.minimum(by_time, last + int(min(_SLOWEST_STEP * most / step, len(elapsed))) + 2)


def _meetings(rows: StructuredArray, one: StructuredArray, other: StructuredArray) -> tuple[IndexArray, IndexArray]:
    """Return the rows of boxes at different times that overlap and head in different directions."""
    found_a = [np.zeros(0, np.intp)]
    found_b = [np.zeros(0, np.intp)]
    begin_a = one["begin"]
    begin_b = other["begin"]
    end_a = one["end"]
    end_b = other["end"]
    count_a = end_a - begin_a
    count_b = end_b - begin_b
    yaw = rows["yaw"]
    z = rows["z"]
    number = count_a * count_b
    portion = np.cumsum(number) // _AT_ONCE
    for part in np.split(np.arange(len(one)), np.flatnonzero(np.diff(portion)) + 1):
        counts = number[part]
        visit = np.repeat(part, counts)
        nth = np.arange(len(visit)) - np.repeat(np.cumsum(counts) - counts, counts)
        a = begin_a[visit] + nth // count_b[visit]
        b = begin_b[visit] + nth % count_b[visit]
        angle = np.abs(np.cos(yaw[a] - yaw[b]))
        near = (angle < _CROSSING) & (np.abs(z[a] - z[b]) < HEIGHT)
        a = a[near]
        b = b[near]
        touch = ~are_apart(boxes_of(rows[a]), boxes_of(rows[b]))
        found_a.append(a[touch])
        found_b.append(b[touch])
    return np.concatenate(found_a), np.concatenate(found_b)


def _least(
    rows: StructuredArray, a: IndexArray, b: IndexArray, elapsed: FloatArray, thresholds: Thresholds
) -> StructuredArray:
    """Return the shortest time of each pair of lives of which the first one left before the second one came."""
    if not len(a):
        return np.zeros(0, STRETCH)
    lives = rows["life"]
    times = elapsed[rows["frame"]]
    lag = times[b] - times[a]
    # Each pair of lives in the order of their first meeting; those that are at one place at once collide.
    low = np.minimum(lives[a], lives[b]).astype(np.int64)
    high = np.maximum(lives[a], lives[b])
    swapped = lives[a] > lives[b]
    lag = np.where(swapped, -lag, lag)
    order = np.lexsort((np.abs(lag), high, low))
    begins = run_starts(low[order], high[order])
    heads = np.flatnonzero(begins)
    least = np.minimum.reduceat(lag[order], heads)
    greatest = np.maximum.reduceat(lag[order], heads)
    best = order[heads[(least > 0) | (greatest < 0)]]
    one = np.where(lag[best] * np.where(swapped[best], -1, 1) > 0, a[best], b[best])
    other = np.where(one == a[best], b[best], a[best])
    between = times[other] - times[one]
    pet = between + post_encroachment_time(boxes_of(rows[one]), boxes_of(rows[other]))
    with np.errstate(invalid="ignore"):
        is_short = (pet > 0) & (pet < thresholds.short_pet)
    return _as_stretches(rows, one[is_short], other[is_short], pet[is_short])


def _as_stretches(rows: StructuredArray, one: IndexArray, other: IndexArray, pet: FloatArray) -> StructuredArray:
    x = rows["x"]
    y = rows["y"]
    lives = rows["life"]
    frames = rows["frame"]
    stretches = np.zeros(len(one), STRETCH)
    stretches["life"] = lives[other]
    stretches["other"] = lives[one]
    stretches["first"] = frames[one]
    stretches["last"] = frames[other]
    stretches["worst"] = frames[other]
    stretches["value"] = pet
    stretches["x"] = (x[one] + x[other]) / 2
    stretches["y"] = (y[one] + y[other]) / 2
    return stretches
