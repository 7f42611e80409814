"""Statistics of a number over frames: a summary, the correlation of two numbers, the bins of a histogram.

What is not finite is no value: NaN stands for frames without one. Knows no recording.
"""

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray

MOST_BINS = 20
"""The number of bins that a histogram has at most: so many can be told apart in a plot of 340 pixels."""

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Widths of bins, times a power of ten."""

_NOISE = 1e-6
"""A range of a smaller share of the values is noise: they are one bin."""

_FARTHEST = 1e300
"""Values farther from 0 are in no bin: edges beyond them overflow."""

_NARROWEST = 1e-300
"""Quotients of smaller widths overflow."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a number is over some frames; NaN and None without any value.

    Attributes:
        count: How many frames have a value.
        least: The least value.
        least_frame: Index of the first frame that has it.
        greatest: The greatest value.
        greatest_frame: Index of the first frame that has it.
        mean: The arithmetic mean.
        median: The middle value; the mean of the two in the middle of an even number.
        deviation: The standard deviation of these frames, which are all there are: the sum is divided by their number.
        first: The value in the first frame.
        last: The value in the last frame.
    """

    count: int
    least: float
    least_frame: int | None
    greatest: float
    greatest_frame: int | None
    mean: float
    median: float
    deviation: float
    first: float
    last: float

    @property
    def difference(self) -> float:
        """The value in the last frame less that in the first one; NaN where one has none."""
        return self.last - self.first


def summarize(values: FloatArray, frames: IntArray) -> Summary:
    """Summarize a number over frames.

    Args:
        values: The value in each frame, float64[n]; what is not finite is no value.
        frames: Indices of the frames, int64[n], rising.

    Returns:
        The summary, in the unit of the values.
    """
    first = math.nan
    last = math.nan
    if len(values):
        first = _finite(values[0])
        last = _finite(values[-1])
    is_value = np.isfinite(values)
    finite = values[is_value]
    if not len(finite):
        return Summary(
            count=0,
            least=math.nan,
            least_frame=None,
            greatest=math.nan,
            greatest_frame=None,
            mean=math.nan,
            median=math.nan,
            deviation=math.nan,
            first=first,
            last=last,
        )
    finite_frames = frames[is_value]
    least = int(np.argmin(finite))
    greatest = int(np.argmax(finite))
    with np.errstate(over="ignore", invalid="ignore"):  # of values near the largest float
        mean = float(np.mean(finite))
        deviation = float(np.std(finite))
    return Summary(
        count=len(finite),
        least=float(finite[least]),
        least_frame=int(finite_frames[least]),
        greatest=float(finite[greatest]),
        greatest_frame=int(finite_frames[greatest]),
        mean=mean,
        median=_median(finite),
        deviation=deviation,
        first=first,
        last=last,
    )


def _finite(value: float) -> float:
    """Return a value as a float, NaN for what is not finite."""
    if math.isfinite(value):
        return float(value)
    return math.nan


def _median(values: FloatArray) -> float:
    # `np.median` loads numpy's masked arrays.
    ordered = np.sort(values)
    lower = float(ordered[(len(ordered) - 1) // 2])
    upper = float(ordered[len(ordered) // 2])
    return lower / 2 + upper / 2


def correlation(first: FloatArray, second: FloatArray) -> float:
    """Return Pearson's correlation of two numbers over the frames in which both have a value.

    Args:
        first: The values of one, float64[n].
        second: Those of the other in the same frames, float64[n].

    Returns:
        -1 to 1; NaN with fewer than two such frames, or where one of them never changes.
    """
    are_values = np.isfinite(first) & np.isfinite(second)
    if np.count_nonzero(are_values) < 2:
        return math.nan
    one = first[are_values]
    other = second[are_values]
    if one.min() == one.max() or other.min() == other.max():
        return math.nan  # the rounded mean may differ from all of them
    with np.errstate(over="ignore", invalid="ignore"):
        one = one - np.mean(one)
        other = other - np.mean(other)
        size = float(np.sqrt(np.sum(one * one)) * np.sqrt(np.sum(other * other)))
        product = float(np.sum(one * other))
    if not (math.isfinite(size) and size > 0 and math.isfinite(product)):
        return math.nan
    return max(-1.0, min(product / size, 1.0))


@dataclass(frozen=True, slots=True)
class Bins:
    """The bins of a histogram: all of one width, each with its lower edge and without its upper one.

    Attributes:
        first: Number of the first bin: its lower edge is `first * width + shift`.
        count: How many bins there are.
        width: The width.
        shift: By how much the edges are beside multiples of the width: half a number for whole numbers.
    """

    first: int
    count: int
    width: float
    shift: float = 0.0

    @property
    def edges(self) -> FloatArray:
        """The lower edges and the upper edge of the last bin, float64[count + 1]."""
        numbers = np.arange(self.first, self.first + self.count + 1, dtype=np.float64)
        edges: FloatArray = numbers * self.width + self.shift
        return edges

    def numbers(self, values: FloatArray) -> IntArray:
        """Return the bin of each value, int64[n]; -1 for what is in none."""
        numbers = np.full(len(values), -1, np.int64)
        is_value = np.isfinite(values)
        with np.errstate(over="ignore"):  # of values far beyond all bins
            places = np.floor((values[is_value] - self.shift) / self.width) - self.first
        is_in = (places >= 0) & (places < self.count)
        numbers[is_value] = np.where(is_in, places, -1).astype(np.int64)
        return numbers

    def counts(self, values: FloatArray) -> IntArray:
        """Return how many values are in each bin, int64[count]."""
        numbers = self.numbers(values)
        return np.bincount(numbers[numbers >= 0], minlength=self.count).astype(np.int64)

    def holds(self, values: FloatArray, low: float, high: float) -> BoolArray:
        """Return whether each value is in a bin of which a part lies from `low` to `high`, bool[n]."""
        first, last = self.numbers(np.clip(np.array([low, high]), self.edges[0], self.edges[-2]))
        numbers = self.numbers(values)
        are_held: BoolArray = (numbers >= first) & (numbers <= last)
        return are_held


def bins_of(values: FloatArray, *, are_whole: bool = False, most: int = MOST_BINS) -> Bins | None:
    """Return the bins of a histogram: round widths, and about as many bins as can be told apart.

    Args:
        values: The values that it is of, float64[n]; what is not finite is no value, nor what is beyond 1e300.
        are_whole: Whether they are whole numbers, of which each is in the middle of a bin.
        most: How many bins there are at most, but for one or two at the ends.

    Returns:
        The bins; None without a value.
    """
    finite = values[np.abs(values) <= _FARTHEST]
    if not len(finite):
        return None
    low = float(finite.min())
    high = float(finite.max())
    size = max(abs(low), abs(high))
    with np.errstate(over="ignore"):
        span = high / most - low / most
    least = max(size * _NOISE, _NARROWEST)
    if span < least:
        span = max(size / most, least)
    width = _round_width(span)
    shift = 0.0
    if are_whole:
        width = max(1.0, width)
        shift = -0.5
    first = math.floor((low - shift) / width)
    last = math.floor((high - shift) / width)
    return Bins(first, last - first + 1, width, shift)


def _round_width(least: float) -> float:
    """Return the smallest round width that is not below a number."""
    power = 10.0 ** math.floor(math.log10(least))
    for step in _STEPS:
        if step * power >= least:
            return step * power
    return 10.0 * power
