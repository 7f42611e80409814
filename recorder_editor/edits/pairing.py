"""What belongs together in two recordings: frames by time, packets by name, records by id."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray
from ..format import Body
from ..reading.motion import median_step
from ..recording import Packet
from .interpolation import does_not_fall

NO_FRAME = -1
"""The index of a missing frame."""

_LEAST_STEP = 1e-3  # seconds, for recordings of a single frame


class Alignment(NamedTuple):
    """Frames side by side, in order.

    Attributes:
        pairs: Indices of frames in the first and in the second, `NO_FRAME` where it has none: int64[n, 2].
        by_time: They are paired by time, else by number.
    """

    pairs: IntArray
    by_time: bool

    @property
    def both(self) -> BoolArray:
        """Which pairs have a frame on both sides: bool[n]."""
        both: BoolArray = (self.pairs != NO_FRAME).all(axis=1)
        return both


def align(first: FloatArray, second: FloatArray) -> Alignment:
    """Pair the frames of two recordings.

    Two frames are a pair if their times differ by less than half a step and neither has a nearer neighbour. If times
    are not finite or go back in either recording, frames are paired by their numbers.

    Args:
        first: The elapsed seconds of the first: float64[n].
        second: Those of the second: float64[m].
    """
    if not (does_not_fall(first) and does_not_fall(second)):
        return Alignment(_by_number(len(first), len(second)), False)
    within = min(_step(first), _step(second)) / 2
    if len(first) == len(second) and (np.abs(first - second) < within / 2).all():
        return Alignment(_by_number(len(first), len(second)), True)
    return Alignment(_by_time(first.tolist(), second.tolist(), within), True)


def _step(times: FloatArray) -> float:
    """The usual step of a recording in seconds."""
    return float(np.fmax(median_step(times), _LEAST_STEP))


def _by_number(first: int, second: int) -> IntArray:
    numbers = np.arange(max(first, second), dtype=np.int64)
    return np.where(numbers[:, None] < (first, second), numbers[:, None], NO_FRAME)


def _by_time(first: list[float], second: list[float], within: float) -> IntArray:
    pairs: list[tuple[int, int]] = []
    a = 0
    b = 0
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
                a += 1
                b += 1
        elif first[a] < second[b]:
            pairs.append((a, NO_FRAME))
            a += 1
        else:
            pairs.append((NO_FRAME, b))
            b += 1
    for index in range(a, len(first)):
        pairs.append((index, NO_FRAME))
    for index in range(b, len(second)):
        pairs.append((NO_FRAME, index))
    return np.array(pairs, np.int64).reshape(-1, 2)


def frames_about(pairs: IntArray, frame: int, *, there: bool) -> tuple[int, int]:
    """Return the first and the last of the frames in a row, about one of them, that one recording alone has.

    Args:
        pairs: The pairs of frames, as of `align`.
        frame: Index of a frame that one recording alone has.
        there: That is the other recording.
    """
    side = 1 if there else 0
    row = int(np.flatnonzero(pairs[:, side] == frame)[0])
    is_alone = (pairs[:, side] != NO_FRAME) & (pairs[:, 1 - side] == NO_FRAME)
    before = np.flatnonzero(~is_alone[:row])
    after = np.flatnonzero(~is_alone[row:])
    first = int(before[-1]) + 1 if len(before) else 0
    stop = row + int(after[0]) if len(after) else len(pairs)
    return int(pairs[first, side]), int(pairs[stop - 1, side])


# --- packets and records --------------------------------------------------------------------------------

Matched = tuple[IntArray, IntArray, IntArray, IntArray]


def pair_packets(a: Sequence[Packet], b: Sequence[Packet]) -> Iterator[tuple[Packet | None, Packet | None]]:
    """Pair packets of the same name in order; those that only the second frame has come last."""
    keys_a = with_occurrence([packet.name for packet in a])
    keys_b = with_occurrence([packet.name for packet in b])
    remaining = dict(zip(keys_b, b, strict=True))
    for key, packet in zip(keys_a, a, strict=True):
        yield packet, remaining.pop(key, None)
    for packet in remaining.values():
        yield None, packet


def with_occurrence(keys: Sequence[Hashable]) -> list[tuple[Hashable, int]]:
    """The keys, each with the number of equal keys before it."""
    seen: Counter[Hashable] = Counter()
    numbered = []
    for key in keys:
        numbered.append((key, seen[key]))
        seen[key] += 1
    return numbered


def is_sound(body: Body) -> bool:
    """Whether a body consists of records only."""
    return body.type.body in ("list", "single") and body.damage is None and body.tail[0] == len(body.data)


def record_keys(body: Body) -> list[int]:
    """The keys by which records are matched: their ids, or their ordinals if they have none."""
    if "id" not in body.type.record.fields:
        return list(range(len(body)))
    if body.type.dtype is not None:
        ids: list[int] = body.array["id"].tolist()
        return ids
    return [int(body.get(index, "id")) for index in range(len(body))]


def match_records(ids_a: list[int], ids_b: list[int]) -> Matched:
    """Ordinals of matching records in both, and of those that only the first, or only the second, has."""
    if ids_a == ids_b:
        same = np.arange(len(ids_a), dtype=np.int64)
        none = np.empty(0, np.int64)
        return same, same, none, none
    remaining = {key: index for index, key in enumerate(with_occurrence(ids_b))}
    counterparts = np.array([remaining.pop(key, -1) for key in with_occurrence(ids_a)], np.int64)
    pairs_a = np.flatnonzero(counterparts >= 0)
    only_a = np.flatnonzero(counterparts < 0)
    only_b = np.array(list(remaining.values()), np.int64)
    return pairs_a, counterparts[pairs_a], only_a, only_b
