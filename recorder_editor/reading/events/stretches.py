"""From moments in which something holds to events: stretches of frames, joined over short gaps."""

from typing import Final, Literal

import numpy as np

from ...arrays import AnyArray, BoolArray, FloatArray, IndexArray, StructuredArray, row_type, run_starts

MOMENT: Final = row_type("life:i4 other:i4 frame:i4 value x y")
"""A frame in which something holds of a life, or of two (`other`; -1: none), with its value and place (m)."""

STRETCH: Final = row_type("life:i4 other:i4 first:i4 last:i4 worst:i4 value x y")
"""Frames `first` to `last`, and the place and value of the worst one."""

_ROUNDING = 1e-6  # s: times are sums of steps

Worst = Literal["least", "greatest", "first"]
"""Which value is that of a stretch."""


def moments(
    life: AnyArray, other: AnyArray | int, frame: AnyArray, value: AnyArray, x: AnyArray, y: AnyArray
) -> StructuredArray:
    """Return moments of columns: dtype `MOMENT`, shape (n,)."""
    table = np.zeros(len(life), MOMENT)
    table["life"] = life
    table["other"] = other
    table["frame"] = frame
    table["value"] = value
    table["x"] = x
    table["y"] = y
    return table


def stretches_of(table: StructuredArray, worst: Worst) -> StructuredArray:
    """Return the stretches of frames that follow one another.

    Args:
        table: Moments, dtype `MOMENT`; of those of the same lives and frame one counts.
        worst: Which value counts.

    Returns:
        Stretches, dtype `STRETCH`, by lives and frame.
    """
    if not len(table):
        return np.zeros(0, STRETCH)
    table = table[np.lexsort((table["frame"], table["other"], table["life"]))]
    table = table[run_starts(table["life"], table["other"], table["frame"])]
    begins = run_starts(table["life"], table["other"])
    begins[1:] |= np.diff(table["frame"]) != 1
    return _folded(_single(table), begins, worst)


def _single(table: StructuredArray) -> StructuredArray:
    """Return each moment as a stretch of one frame."""
    stretches = np.zeros(len(table), STRETCH)
    for name in ("life", "other", "value", "x", "y"):
        stretches[name] = table[name]
    for name in ("first", "last", "worst"):
        stretches[name] = table["frame"]
    return stretches


def joined(stretches: StructuredArray, elapsed: FloatArray, gap: float, worst: Worst) -> StructuredArray:
    """Join stretches of the same lives that overlap, follow one another, or are no more than `gap` seconds apart."""
    if not len(stretches):
        return stretches
    stretches = stretches[np.lexsort((stretches["first"], stretches["other"], stretches["life"]))]
    begins = run_starts(stretches["life"], stretches["other"])
    # The last frame of all stretches of the same lives so far: one may lie inside an earlier one.
    group = np.cumsum(begins) - 1
    wide = stretches["last"].astype(np.int64) + group * (int(stretches["last"].max()) + 2)
    reached = np.maximum.accumulate(wide)[:-1] - group[:-1] * (int(stretches["last"].max()) + 2)
    following = stretches["first"][1:]
    with np.errstate(invalid="ignore"):
        seconds = elapsed[following] - elapsed[np.clip(reached, 0, len(elapsed) - 1)]
    begins[1:] |= ~((following <= reached + 1) | (seconds <= gap))
    return _folded(stretches, begins, worst)


def _folded(stretches: StructuredArray, begins: BoolArray, worst: Worst) -> StructuredArray:
    """Fold the stretches from each that begins to the next one."""
    heads = np.flatnonzero(begins)
    folded: StructuredArray = stretches[_worst_rows(stretches["value"], begins, heads, worst)].copy()
    folded["first"] = np.minimum.reduceat(stretches["first"], heads)
    folded["last"] = np.maximum.reduceat(stretches["last"], heads)
    return folded


def _worst_rows(values: FloatArray, begins: BoolArray, heads: IndexArray, worst: Worst) -> IndexArray:
    if worst == "first":
        return heads
    group = np.cumsum(begins)
    keys = values
    if worst == "greatest":
        keys = -values
    return np.asarray(np.lexsort((keys, group))[heads])


def lasting(stretches: StructuredArray, elapsed: FloatArray, seconds: float, frames: int = 1) -> StructuredArray:
    """Return the stretches that last long enough: from the first frame to the last one, and so many frames."""
    with np.errstate(invalid="ignore"):
        length = elapsed[stretches["last"]] - elapsed[stretches["first"]]
    is_long = length >= seconds - _ROUNDING
    kept: StructuredArray = stretches[is_long & (stretches["last"] - stretches["first"] + 1 >= frames)]
    return kept
