"""The vertical scale of a plot: the values that its axis spans, and those that are off the scale. No widget."""

import math
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
_STEPS = (1.0, 2.0, 5.0)
_NOISE = 1e-6
"""A change by a smaller share of a value is noise."""


class Scale(NamedTuple):
    """The scale of a plot.

    Attributes:
        mode: "all": all visible values; "robust": the 1st to the 99th percentile of them; "fixed": `low` to `high`.
        low: Least value of a fixed scale.
        high: Greatest value of a fixed scale.
        is_log: Whether the axis is logarithmic.
    """

    mode: Mode = "all"
    low: float = 0.0
    high: float = 1.0
    is_log: bool = False


def cap_of(key: Key, scale: Scale) -> float:
    """Return the value above which a signal is off the scale.

    Args:
        key: The signal.
        scale: Scale of its plot; one that is fixed shows at least its own values.

    Returns:
        The value; infinite where all values are on the scale.
    """
    cap = np.inf
    if key.kind in ("traffic", "pair"):
        cap = OFF_SCALE.get(key.name, np.inf)
    if scale.mode == "fixed":
        return max(cap, scale.high)
    return cap


def on_axis(values: FloatArray, scale: Scale) -> FloatArray:
    """Return where values are on the axis: themselves, or their logarithms (base 10), NaN where they have none."""
    if not scale.is_log:
        return values
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(np.where(values > 0, values, np.nan))


def limits(values: FloatArray, scale: Scale, shown: Iterable[float] = ()) -> tuple[float, float]:
    """Return the least and the greatest value of the axis.

    Args:
        values: The visible values, float64[n], with NaN and infinities.
        scale: Scale of the plot.
        shown: Values that have to be within the limits, unless the scale is fixed.

    Returns:
        The limits; their logarithms (base 10) for a logarithmic axis.
    """
    if scale.mode == "fixed":
        if scale.is_log:
            return float(np.log10(scale.low)), float(np.log10(scale.high))
        return scale.low, scale.high
    values = np.clip(values[np.isfinite(values)], -LARGEST, LARGEST)
    if scale.is_log:
        values = np.log10(values[values > 0])
        shown = [float(np.log10(value)) for value in shown if value > 0]
    if scale.mode == "robust" and len(values):
        values = np.percentile(values, ROBUST)
    every = np.concatenate((values, np.fromiter(shown, np.float64)))
    low = 0.0
    high = 1.0
    if len(every):
        low = float(every.min())
        high = float(every.max())
    if is_wide(low, high):
        room = (high - low) * _ROOM
    else:
        room = max(abs(high) * 0.05, 0.6)
    return low - room, high + room


def round_limits(values: FloatArray, steps: int = 5) -> tuple[float, float]:
    """Return round limits of an axis that holds all values, and 0 where it is near.

    Args:
        values: The values, float64[n], with NaN and infinities.
        steps: About how many ticks lie between the limits.

    Returns:
        The limits, which differ; 0 and 1 without a value.
    """
    values = np.clip(values[np.isfinite(values)], -LARGEST, LARGEST)
    if not len(values):
        return 0.0, 1.0
    low = float(values.min())
    high = float(values.max())
    if not is_wide(low, high):
        return limits(values, Scale())
    if 0 < low < high - low:
        low = 0.0
    elif low - high < high < 0:
        high = 0.0
    step = round_step((high - low) / steps)
    return math.floor(low / step) * step, math.ceil(high / step) * step


def round_step(least: float) -> float:
    """Return the smallest 1, 2 or 5 times a power of ten that is not below a number."""
    power = 10.0 ** math.floor(math.log10(max(least, 1 / LARGEST)))
    for step in _STEPS:
        if step * power >= least:
            return step * power
    return 10.0 * power


def is_wide(low: float, high: float) -> bool:
    """Return whether two values differ by more than noise."""
    noise = _NOISE * max(abs(low), abs(high))
    return high - low > max(noise, 1 / LARGEST)
