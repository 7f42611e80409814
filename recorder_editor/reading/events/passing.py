"""Vehicles that drive in the same direction: one cuts in before another one, or overtakes it."""

from collections.abc import Iterator

import numpy as np

from ...arrays import BoolArray, FloatArray, StructuredArray, run_starts
from ..measures import time_headway
from ..near_users import Pairs
from ..thresholds import Thresholds
from .stretches import MOMENT, STRETCH, moments

_BEFORE = 1.0  # s that one that cuts in was beside the way of the other
_OWN_SHARE = 0.5  # of what it comes nearer is by its own way across
_BESIDE = 5.0  # m between the middles of one that overtakes and the other


def cutting_in(pairs: Pairs, elapsed: FloatArray, thresholds: Thresholds) -> StructuredArray:
    """Return the moments in which `b` comes from beside the way of `a` to close before it.

    It was beside that way for the second before, and moves across it: that the road bends is not enough.

    Args:
        pairs: What `driving_together` gives.
        elapsed: The seconds of every frame.
        thresholds: What is close.

    Returns:
        Moments of the one that cuts in, with the time headway (s) of the other one.
    """
    if not len(pairs):
        return np.zeros(0, MOMENT)
    a, b = pairs.boxes
    headway = time_headway(a, b)
    across = (b.y - a.y) * a.cos - (b.x - a.x) * a.sin
    aside = np.abs(across) - a.half_width - b.reach(-a.sin, a.cos)
    # Its speed towards the way of `a`, across the heading of `a`.
    towards = -np.sign(across) * (b.vy * a.cos - b.vx * a.sin)
    begins = _breaks(pairs)
    run = np.cumsum(begins)
    heads = np.flatnonzero(begins)
    is_in = aside <= 0
    with np.errstate(invalid="ignore"):
        enters = is_in & ~np.append(True, is_in[:-1]) & ~begins & (headway < thresholds.cut_in)
    chosen = []
    for row in np.flatnonzero(enters).tolist():
        times = elapsed[pairs.frame[heads[run[row] - 1] : row]]
        start = row - len(times) + int(np.searchsorted(times, elapsed[pairs.frame[row]] - _BEFORE))
        is_long = elapsed[pairs.frame[row]] - times[0] >= _BEFORE
        nearer = aside[start] - aside[row]
        own = float(np.mean(towards[start : row + 1])) * (elapsed[pairs.frame[row]] - elapsed[pairs.frame[start]])
        if is_long and bool((aside[start:row] > 0).all()) and own >= _OWN_SHARE * nearer:
            chosen.append(row)
    rows = np.array(chosen, np.intp)
    return moments(
        pairs.b["life"][rows],
        pairs.a["life"][rows],
        pairs.frame[rows],
        headway[rows],
        pairs.b["x"][rows],
        pairs.b["y"][rows],
    )


def overtaking(pairs: Pairs) -> StructuredArray:
    """Return where `a` passes `b`, from when it is last behind to when it is first before it: dtype `STRETCH`.

    Args:
        pairs: What `driving_together` gives.
    """
    if not len(pairs):
        return np.zeros(0, STRETCH)
    a, b = pairs.boxes
    along = (b.x - a.x) * a.cos + (b.y - a.y) * a.sin
    across = np.abs((b.y - a.y) * a.cos - (b.x - a.x) * a.sin)
    reach = a.half_length + b.half_length
    is_beside = across <= _BESIDE
    begins = _breaks(pairs)
    begins[1:] |= is_beside[1:] != is_beside[:-1]
    side = np.where(along > reach, 1, np.where(along < -reach, -1, 0))
    found = np.array(list(_passed(side, begins, is_beside)), np.intp).reshape(-1, 2)
    first, last = found.T
    middle = (first + last) // 2
    stretches = np.zeros(len(found), STRETCH)
    stretches["life"] = pairs.a["life"][middle]
    stretches["other"] = pairs.b["life"][middle]
    stretches["first"] = pairs.frame[first]
    stretches["last"] = pairs.frame[last]
    stretches["worst"] = pairs.frame[middle]
    stretches["value"] = pairs.pace[middle]
    stretches["x"] = pairs.a["x"][middle]
    stretches["y"] = pairs.a["y"][middle]
    return stretches


def _passed(side: np.ndarray, begins: BoolArray, is_beside: BoolArray) -> Iterator[tuple[int, int]]:
    """Yield the last row behind and the first row before it of each time that one passes the other."""
    heads = np.flatnonzero(begins)
    run = np.cumsum(begins) - 1
    arrives = np.flatnonzero((side == -1) & (np.append(0, side[:-1]) != -1) & is_beside & ~begins)
    for row in arrives.tolist():
        behind = np.flatnonzero(side[heads[run[row]] : row] == 1)
        if len(behind):
            yield int(heads[run[row]] + behind[-1]), row


def _breaks(pairs: Pairs) -> BoolArray:
    """Return where other lives begin, or frames are missing."""
    begins = run_starts(pairs.a["life"], pairs.b["life"])
    begins[1:] |= np.diff(pairs.frame) != 1
    return begins
