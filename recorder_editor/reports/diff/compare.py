"""Comparison of two recordings: differences counted by actor and field.

Frames are paired by time, or by number if times do not rise. They are first compared as blocks of bytes, and only
differing ones are decoded. The size of the summary does not depend on the number of differences; `Comparison.details`
computes those of a pair of frames again.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray, IntArray, StructuredArray
from ...edits.interpolation import does_not_fall, median_step
from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...recording import RAW, Snapshot
from .groups import FieldGroup, Groups, key_of
from .packets import Difference, compare_frames

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
    if not (does_not_fall(first) and does_not_fall(second)):
        return Alignment(_by_number(len(first), len(second)), False)
    within = min(float(np.fmax(median_step(times), _LEAST_STEP)) for times in (first, second)) / 2
    if len(first) == len(second) and bool((np.abs(first - second) < within / 2).all()):
        return Alignment(_by_number(len(first), len(second)), True)
    return Alignment(_by_time(first.tolist(), second.tolist(), within), True)


def _by_number(first: int, second: int) -> IntArray:
    numbers = np.arange(max(first, second), dtype=np.int64)
    return np.where(numbers[:, None] < (first, second), numbers[:, None], NO_FRAME)


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


# --- comparison -----------------------------------------------------------------------------------------


_UPDATE_EVERY = 64  # frames between two updates of progress


class HeaderChange(NamedTuple):
    """A field of the file header that differs; None where a file has no credible header."""

    field: str
    value_a: str | int | bytes | None
    value_b: str | int | bytes | None


class ActorChange(NamedTuple):
    """An actor of one recording only (the other life is None), or with another description.

    Actors are matched by id; `fields` are the names of differing values (`blueprint`, `type`, an attribute), empty for
    an actor of one side only.
    """

    life_a: Life | None
    life_b: Life | None
    fields: tuple[tuple[str, str | None, str | None], ...] = ()


class Pair(NamedTuple):
    """A pair of frames that differ: indices from 0 (None if one has no such frame)."""

    frame_a: int | None
    frame_b: int | None


@dataclass(frozen=True)
class Comparison:
    """The result of `compare`.

    Attributes: `a`, `b` (the states compared), `tolerance`, `alignment`, `header`, `actors`, `differing`
    (int64[n]: rows of `alignment.pairs` in which something differs, frames of one side only included), `counts`
    (int64[n]: differences in each; 0 for frames of one side only), `outside` (bytes outside of frames differ),
    `groups` (by actor and field, those of the most frames first), `left_out` (differences of smaller groups than
    there is memory for).
    """

    a: Snapshot
    b: Snapshot
    tolerance: float
    alignment: Alignment
    header: tuple[HeaderChange, ...]
    actors: tuple[ActorChange, ...]
    differing: IntArray
    counts: IntArray
    outside: bool
    groups: tuple[FieldGroup, ...]
    left_out: int

    @property
    def differ(self) -> bool:
        """Whether anything differs."""
        return bool(self.header) or self.outside or len(self.differing) > 0

    def __len__(self) -> int:
        """Pairs of frames that differ."""
        return len(self.differing)

    def pair(self, index: int) -> Pair:
        """A pair of frames that differ, counted from 0 in order of time; raises IndexError."""
        a, b = self.alignment.pairs[self.differing[index]].tolist()
        return Pair(a if a != NO_FRAME else None, b if b != NO_FRAME else None)

    def details(self, index: int, group: FieldGroup | None = None) -> list[Difference]:
        """The differences of a pair that differs, or those of a group; empty if only one side has the frame."""
        pair = self.pair(index)
        if pair.frame_a is None or pair.frame_b is None:
            return []
        key = group.key if group is not None else None
        every = compare_frames(self.a.frame(pair.frame_a), self.b.frame(pair.frame_b), self.tolerance, key)
        return [each for each in every if key is None or key_of(each) == key]

    def pairs_of(self, group: FieldGroup) -> IntArray:
        """The numbers of the pairs of frames in which a group differs, rising: int64[n]."""
        ends = np.searchsorted(self.differing, np.frombuffer(group.spans, np.int64))
        found = np.concatenate([np.arange(start, stop) for start, stop in ends.reshape(-1, 2).tolist()])
        some: IntArray = found[self.counts[found] > 0]
        return some

    @property
    def frames(self) -> "FrameCounts":
        """How many frames differ, and how many have no counterpart."""
        only_b, only_a = np.count_nonzero(self.alignment.pairs == NO_FRAME, axis=0).tolist()
        same = len(self.alignment.pairs) - len(self.differing)
        differ = len(self.differing) - only_a - only_b
        return FrameCounts(same, differ, only_a, only_b)


class FrameCounts(NamedTuple):
    """Numbers of pairs of frames: without a difference, with one; and of frames of one side only."""

    same: int
    differ: int
    only_a: int
    only_b: int


def compare(a: Snapshot, b: Snapshot, tolerance: float = 0.0, progress: Progress = SILENT) -> Comparison:
    """Compare two states, of one recording or of two.

    `tolerance`: see `compare_frames`. `progress` counts frames whose bytes differ. Raises `Cancelled`, and errors of
    reading as `Store.read`.
    """
    alignment = align(a.elapsed, b.elapsed)
    both = alignment.both
    counts = np.zeros(len(alignment.pairs), np.int64)
    groups = Groups()
    same = both.copy()
    same[both] = _same_bytes(a, b, alignment.pairs[both], progress)
    different = np.flatnonzero(both & ~same)
    for row in progress.over(different.tolist(), _UPDATE_EVERY):
        one, other = alignment.pairs[row].tolist()
        for difference in compare_frames(a.frame(one), b.frame(other), tolerance):
            counts[row] += 1
            groups.add(difference, row)
    differing = np.flatnonzero(~both | (counts > 0))
    return Comparison(
        a,
        b,
        tolerance,
        alignment,
        _header_changes(a, b),
        tuple(_actor_changes(a, b)),
        differing,
        counts[differing],
        _digest_outside(a) != _digest_outside(b),
        groups.finish(),
        groups.left_out,
    )


# --- frames -----------------------------------------------------------------------------------------------


def _same_bytes(a: Snapshot, b: Snapshot, pairs: IntArray, progress: Progress) -> BoolArray:
    """Which pairs of frames (int64[n, 2]) are the same to the byte: bool[n]."""
    rows_a = _frames(a)[pairs[:, 0]]
    rows_b = _frames(b)[pairs[:, 1]]
    same: BoolArray = rows_a["size"] == rows_b["size"]
    for name in ("frame_id", "elapsed", "duration"):
        same &= rows_a[name].view("u8") == rows_b[name].view("u8")
    names = ["source", "offset", "size"]
    for index in progress.quiet().over(np.flatnonzero(same).tolist(), _UPDATE_EVERY):
        one, other = rows_a[names][index].item(), rows_b[names][index].item()
        same[index] = a.store.read(*one) == b.store.read(*other)
    return same


def _frames(snapshot: Snapshot) -> StructuredArray:
    rows = snapshot.table.rows()
    return rows if len(snapshot.table) == snapshot.table.frames else rows[rows["kind"] != RAW]


# --- header, actors, other bytes -------------------------------------------------------------------------


def _header_changes(a: Snapshot, b: Snapshot) -> tuple[HeaderChange, ...]:
    if a.header_bytes == b.header_bytes:
        return ()
    found = []
    for name, attribute in (("version", "version"), ("magic", "magic"), ("date", "date"), ("map", "map_name")):
        one, other = (getattr(each.header, attribute) if each.header is not None else None for each in (a, b))
        if one != other:
            found.append(HeaderChange(name, one, other))
    return tuple(found)


def _actor_changes(a: Snapshot, b: Snapshot) -> Iterator[ActorChange]:
    """Lives are matched by id, and in order: the first one of an id with the first one, and so on."""
    actors_a = Actors.of(a)
    actors_b = Actors.of(b)
    for actor in sorted({*actors_a.ids, *actors_b.ids}):
        for one, other in zip_longest(actors_a.of_id(actor), actors_b.of_id(actor)):
            if one is None or other is None:
                yield ActorChange(one, other)
            elif fields := _actor_fields(one, other):
                yield ActorChange(one, other, fields)


def _actor_fields(a: Life, b: Life) -> tuple[tuple[str, str | None, str | None], ...]:
    values: list[tuple[str, str | None, str | None]] = [
        ("blueprint", a.blueprint, b.blueprint),
        ("type", str(a.type), str(b.type)),
        ("uid", str(a.uid), str(b.uid)),
    ]
    names = dict.fromkeys(each.id for each in (*a.attributes, *b.attributes))
    values += [(name, a.attribute(name), b.attribute(name)) for name in names]
    return tuple(value for value in values if value[1] != value[2])


def _digest_outside(snapshot: Snapshot) -> bytes:
    """The SHA-256 of all bytes outside of frames, in order."""
    digest = hashlib.sha256()
    for row in np.flatnonzero(snapshot.table.column("kind") == RAW).tolist():
        for piece in snapshot.pieces(snapshot.position(row), snapshot.position(row + 1)):
            digest.update(piece)
    return digest.digest()
