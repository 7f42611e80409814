"""Comparison of two recordings: differences counted by actor and field.

Frames are paired by time, or by number if times do not rise. They are first compared as blocks of bytes, and only
differing ones are decoded. The size of the summary does not depend on the number of differences; `Comparison.details`
computes those of a pair of frames again.
"""

import hashlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, IntArray, StructuredArray
from ...edits.pairing import NO_FRAME, Alignment, align
from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...recording import RAW, Snapshot
from .groups import FieldGroup, Groups, key_of, rows_of_spans
from .packets import Difference, compare_frames
from .things import Thing, Things

_UPDATE_EVERY = 64  # frames between two updates of progress


class HeaderChange(NamedTuple):
    """A field of the file header that differs; None where a file has no credible header."""

    field: str
    value_a: str | int | bytes | None
    value_b: str | int | bytes | None


class ActorChange(NamedTuple):
    """An actor of one recording only, or with another description. Actors are matched by id.

    Attributes:
        life_a: Its life in the first; None: only the second has it.
        life_b: Its life in the second; None: only the first has it.
        fields: Names (`blueprint`, `type`, an attribute) and both values of what differs; empty for an actor of one
            side only.
    """

    life_a: Life | None
    life_b: Life | None
    fields: tuple[tuple[str, str | None, str | None], ...] = ()


class Pair(NamedTuple):
    """A pair of frames that differ.

    Attributes:
        frame_a: The index in the first; None: it has no such frame.
        frame_b: The index in the second, likewise.
    """

    frame_a: int | None
    frame_b: int | None


@dataclass(frozen=True)
class Comparison:
    """The result of `compare`.

    Attributes:
        a: The first state.
        b: The second state.
        tolerance: As of `compare_frames`.
        alignment: The pairs of frames.
        header: Fields of the file header that differ.
        actors: Actors that differ.
        differing: Rows of `alignment.pairs` that differ, frames of one side only included: int64[n].
        counts: Differences in each; 0 for frames of one side only: int64[n].
        outside: Bytes outside of frames differ.
        groups: Differences by actor and field, those of the most frames first.
        left_out: Differences of smaller groups than there is memory for.
        things: The differences by actors, frames, packets and the header.
        unlisted: How many more actors differ than there is memory for.
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
    things: tuple[Thing, ...]
    unlisted: int

    @property
    def differ(self) -> bool:
        """Whether anything differs."""
        return bool(self.header) or self.outside or len(self.differing) > 0 or self.frames.reordered > 0

    def count_things(self) -> IntArray:
        """Return how many things differ in each row of `alignment.pairs`, 0 where none does: int64[n]."""
        changes = np.zeros(len(self.alignment.pairs) + 1, np.int64)
        for thing in self.things:
            spans = np.frombuffer(thing.spans, np.int64)
            changes[spans[::2]] += 1
            changes[spans[1::2]] -= 1
        counts: IntArray = np.cumsum(changes[:-1])
        # What is not listed as a thing is one all the same.
        counts[self.differing] = np.maximum(counts[self.differing], 1)
        return counts

    def __len__(self) -> int:
        """Pairs of frames that differ."""
        return len(self.differing)

    def pair(self, index: int) -> Pair:
        """Return a pair of frames that differ, counted from 0 in order of time.

        Raises:
            IndexError: There are not so many.
        """
        a, b = self.alignment.pairs[self.differing[index]].tolist()
        return Pair(_index_or_none(a), _index_or_none(b))

    def details(self, index: int, group: FieldGroup | None = None) -> list[Difference]:
        """Return the differences of a pair that differs; empty if only one side has the frame.

        Args:
            index: The number of the pair, from 0.
            group: Only differences of this group; None: all.
        """
        pair = self.pair(index)
        if pair.frame_a is None or pair.frame_b is None:
            return []
        a = self.a.frame(pair.frame_a)
        b = self.b.frame(pair.frame_b)
        if group is None:
            return list(compare_frames(a, b, self.tolerance))
        differences = compare_frames(a, b, self.tolerance, group.key)
        return [difference for difference in differences if key_of(difference) == group.key]

    def pairs_of(self, group: FieldGroup) -> IntArray:
        """Return the numbers of the pairs of frames in which a group differs, rising: int64[n]."""
        ends = np.searchsorted(self.differing, np.frombuffer(group.spans, np.int64))
        numbers = rows_of_spans(array("q", ends.tolist()))
        result: IntArray = numbers[self.counts[numbers] > 0]
        return result

    @property
    def frames(self) -> "FrameCounts":
        """How many frames differ, and how many have no counterpart."""
        only_b, only_a = np.count_nonzero(self.alignment.pairs == NO_FRAME, axis=0).tolist()
        reordered = sum(thing.frames for thing in self.things if thing.kind == "order")
        return FrameCounts(
            same=len(self.alignment.pairs) - len(self.differing) - reordered,
            differ=len(self.differing) - only_a - only_b,
            reordered=reordered,
            only_a=only_a,
            only_b=only_b,
        )


def _index_or_none(index: int) -> int | None:
    if index == NO_FRAME:
        return None
    return index


class FrameCounts(NamedTuple):
    """Numbers of frames.

    Attributes:
        same: Pairs without a difference.
        differ: Pairs with one.
        reordered: Pairs without one whose packets or records are in another order.
        only_a: Frames of the first side only.
        only_b: Frames of the second side only.
    """

    same: int
    differ: int
    reordered: int
    only_a: int
    only_b: int


def compare(a: Snapshot, b: Snapshot, tolerance: float = 0.0, progress: Progress = SILENT) -> Comparison:
    """Compare two states, of one recording or of two.

    Args:
        a: The first state.
        b: The second state.
        tolerance: As of `compare_frames`.
        progress: Counts frames with bytes that differ.

    Raises:
        Cancelled: The user cancelled it.
        OSError: A file cannot be read; errors of reading as `Store.read`.
    """
    alignment = align(a.elapsed, b.elapsed)
    both = alignment.both
    counts = np.zeros(len(alignment.pairs), np.int64)
    groups = Groups()
    things = Things(a, b, alignment)
    same = both.copy()
    same[both] = _same_bytes(a, b, alignment.pairs[both], progress)
    different = np.flatnonzero(both & ~same)
    for row in progress.over(different.tolist(), _UPDATE_EVERY):
        frame_a, frame_b = alignment.pairs[row].tolist()
        first = a.frame(frame_a)
        second = b.frame(frame_b)
        for difference in compare_frames(first, second, tolerance):
            counts[row] += 1
            groups.add(difference, row)
            things.add(difference, row, first, second)
        if not counts[row]:
            things.add_order(row, first, second)
    differing = np.flatnonzero(~both | (counts > 0))
    most = groups.finish()  # first: it counts what is left out
    header = _header_changes(a, b)
    outside = _digest_outside(a) != _digest_outside(b)
    return Comparison(
        a=a,
        b=b,
        tolerance=tolerance,
        alignment=alignment,
        header=header,
        actors=tuple(_actor_changes(a, b)),
        differing=differing,
        counts=counts[differing],
        outside=outside,
        groups=most,
        left_out=groups.left_out,
        things=things.finish(header=bool(header), outside=outside),
        unlisted=len(things.unlisted),
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
        source_a, offset_a, size = rows_a[names][index].item()
        source_b, offset_b, _ = rows_b[names][index].item()
        same[index] = a.store.read(source_a, offset_a, size) == b.store.read(source_b, offset_b, size)
    return same


def _frames(snapshot: Snapshot) -> StructuredArray:
    """The rows of frames."""
    rows = snapshot.table.rows()
    if len(snapshot.table) == snapshot.table.frames:
        return rows
    frames: StructuredArray = rows[rows["kind"] != RAW]
    return frames


# --- header, actors, other bytes -------------------------------------------------------------------------


def _header_changes(a: Snapshot, b: Snapshot) -> tuple[HeaderChange, ...]:
    if a.header_bytes == b.header_bytes:
        return ()
    fields_a = _header_fields(a)
    fields_b = _header_fields(b)
    changes = []
    for name, value_a in fields_a.items():
        value_b = fields_b[name]
        if value_a != value_b:
            changes.append(HeaderChange(name, value_a, value_b))
    return tuple(changes)


def _header_fields(snapshot: Snapshot) -> dict[str, str | int | bytes | None]:
    """The fields of the file header by name; None where there is no credible header."""
    header = snapshot.header
    if header is None:
        return {"version": None, "magic": None, "date": None, "map": None}
    return {"version": header.version, "magic": header.magic, "date": header.date, "map": header.map_name}


def _actor_changes(a: Snapshot, b: Snapshot) -> Iterator[ActorChange]:
    """Lives are matched by id, and in order: the first one of an id with the first one, and so on."""
    actors_a = Actors.of(a)
    actors_b = Actors.of(b)
    ids = set(actors_a.ids) | set(actors_b.ids)
    for actor in sorted(ids):
        for life_a, life_b in zip_longest(actors_a.of_id(actor), actors_b.of_id(actor)):
            if life_a is None or life_b is None:
                yield ActorChange(life_a, life_b)
                continue
            fields = _actor_fields(life_a, life_b)
            if fields:
                yield ActorChange(life_a, life_b, fields)


def _actor_fields(a: Life, b: Life) -> tuple[tuple[str, str | None, str | None], ...]:
    """Names and both values of what differs between two lives."""
    fields: list[tuple[str, str | None, str | None]] = [
        ("blueprint", a.blueprint, b.blueprint),
        ("type", str(a.type), str(b.type)),
        ("uid", str(a.uid), str(b.uid)),
    ]
    names = set()
    for attribute in (*a.attributes, *b.attributes):
        name = attribute.id
        if name not in names:
            names.add(name)
            fields.append((name, a.attribute(name), b.attribute(name)))
    return tuple(field for field in fields if field[1] != field[2])


def _digest_outside(snapshot: Snapshot) -> bytes:
    """The SHA-256 of all bytes outside of frames, in order."""
    digest = hashlib.sha256()
    for row in np.flatnonzero(snapshot.table.column("kind") == RAW).tolist():
        for piece in snapshot.pieces(snapshot.position(row), snapshot.position(row + 1)):
            digest.update(piece)
    return digest.digest()
