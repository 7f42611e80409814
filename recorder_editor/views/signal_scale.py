"""The vertical scale of a lane: which values its axis spans, what is off the scale.

No widget.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np

from ..arrays import FloatArray
from .signal_key import OFF_SCALE, Key

Mode = Literal["all", "robust", "fixed"]

LARGEST = 1e300
"""Differences of smaller numbers are finite."""

ROBUST = (1.0, 99.0)
_ROOM = 0.08
_NOISE = 1e-6
"""A smaller share of a value is no change that anybody wants to see."""


class Scale(NamedTuple):
    """The scale of a lane.

    Attributes: `mode` ("all": all values in sight; "robust": the 1st to the 99th percentile of them; "fixed": `low` to
    `high`), `is_log`.
    """

    mode: Mode = "all"
    low: float = 0.0
    high: float = 1.0
    is_log: bool = False


def cap_of(key: Key, scale: Scale) -> float:
    """The value above which a signal is off the scale; infinite without one, or where a fixed scale shows more."""
    if key.kind == "traffic":
        cap = OFF_SCALE.get(key.name, np.inf)
    else:
        cap = np.inf
    if scale.mode == "fixed":
        return max(cap, scale.high)
    return cap


def limits(values: FloatArray, scale: Scale, shown: Iterable[float] = ()) -> tuple[float, float]:
    """The least and the greatest value of the axis; values `shown` are within it unless it is fixed.

    `values` may hold NaN and infinities. A logarithmic axis has the logarithms (base 10) as its limits.
    """
    if scale.mode == "fixed":
        low, high = scale.low, scale.high
        if scale.is_log:
            return (float(np.log10(low)), float(np.log10(high)))
        return (low, high)
    values = np.clip(values[np.isfinite(values)], -LARGEST, LARGEST)
    if scale.is_log:
        values = np.log10(values[values > 0])
        shown = (float(np.log10(value)) for value in shown if value > 0)
    if scale.mode == "robust" and len(values):
        values = np.percentile(values, ROBUST)
    every = np.concatenate((values, np.fromiter(shown, np.float64)))
    if len(every):
        low, high = (float(every.min()), float(every.max()))
    else:
        low, high = (0.0, 1.0)
    if is_wide(low, high):
        room = (high - low) * _ROOM
    else:
        room = max(abs(high) * 0.05, 0.6)
    return low - room, high + room


def is_wide(low: float, high: float) -> bool:
    """The values differ by more than noise."""
    return high - low > max(_NOISE * max(abs(low), abs(high)), 1 / LARGEST)
