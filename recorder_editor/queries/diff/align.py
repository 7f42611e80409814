"""Alignment of the frames of two recordings, by time, or by number if times do not rise."""

from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray, IntArray

NO_FRAME = -1
"""The index of a missing frame."""

_LEAST_STEP = 1e-3  # seconds, for recordings of a single frame


class Alignment(NamedTuple):
    """Frames side by side, in order.

    Attributes: `pairs` (int64[n, 2]: frame indices in the first and in the second, `NO_FRAME` where it has none),
    `by_time` (False: by number).
    """

    pairs: IntArray
    by_time: bool

    @property
    def both(self) -> BoolArray:
        """Which pairs have a frame on both sides: bool[n]."""
        found: BoolArray = (self.pairs != NO_FRAME).all(axis=1)
        return found


def align(first: FloatArray, second: FloatArray) -> Alignment:
    """Pair the frames of two recordings, given their elapsed seconds (float64[n] and float64[m]).

    Two frames are a pair if their times differ by less than half a step and neither has a nearer neighbour. If times
    are not finite or go back in either recording, frames are paired by their numbers.
    """
    if not (_rises(first) and _rises(second)):
        return Alignment(_by_number(len(first), len(second)), False)
    within = min(_step(first), _step(second)) / 2
    if len(first) == len(second) and bool((np.abs(first - second) < within / 2).all()):
        return Alignment(_by_number(len(first), len(second)), True)
    return Alignment(_by_time(first.tolist(), second.tolist(), within), True)


def _rises(times: FloatArray) -> bool:
    return bool(np.isfinite(times).all() and (times[1:] >= times[:-1]).all())


def _step(times: FloatArray) -> float:
    steps = np.diff(times)
    steps = steps[steps > 0]
    return max(float(np.median(steps)), _LEAST_STEP) if len(steps) else _LEAST_STEP


def _by_number(first: int, second: int) -> IntArray:
    numbers = np.arange(max(first, second), dtype=np.int64)
    return np.stack(
        [np.where(numbers < first, numbers, NO_FRAME), np.where(numbers < second, numbers, NO_FRAME)], axis=1
    )


def _by_time(first: list[float], second: list[float], within: float) -> IntArray:
    pairs: list[tuple[int, int]] = []
    a = b = 0
    while a < len(first) and b < len(second):
        apart = abs(second[b] - first[a])
        if apart < within:
            if a + 1 < len(first) and abs(second[b] - first[a + 1]) < apart:
                pairs.append((a, NO_FRAME))
                a += 1
            elif b + 1 < len(second) and abs(second[b + 1] - first[a]) < apart:
                pairs.append((NO_FRAME, b))
                b += 1
            else:
                pairs.append((a, b))
                a, b = a + 1, b + 1
        elif first[a] < second[b]:
            pairs.append((a, NO_FRAME))
            a += 1
        else:
            pairs.append((NO_FRAME, b))
            b += 1
    pairs += [(index, NO_FRAME) for index in range(a, len(first))]
    pairs += [(NO_FRAME, index) for index in range(b, len(second))]
    return np.array(pairs, np.int64).reshape(-1, 2)
