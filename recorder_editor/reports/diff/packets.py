"""Comparison of two frames: packets by name, records by id, fields by path.

Records of fixed size are compared as columns; only differing values become Python objects.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...arrays import AnyArray, BoolArray, IntArray
from ...format import Body, Field
from ...format.schema import Value
from ...recording import Frame, Packet

Matched = tuple[IntArray, IntArray, IntArray, IntArray]
Key = tuple[str, int | None, str, str]
"""What the differences of a group have in common: packet, id, path without indices, side that alone has it."""


class Difference(NamedTuple):
    """One difference between two frames; values are None if one side has none.

    Attributes: `frame_a`, `frame_b` (indices from 0), `packet` (name), `packet_a`, `packet_b` (indices in the frames),
    `record_a`, `record_b` (ordinals), `id` (the record's, an actor's in most packets), `path` (of the field; empty for
    whole packets and records, and for opaque bodies), `field`, `value_a`, `value_b`.
    """

    frame_a: int
    frame_b: int
    packet: str
    packet_a: int | None
    packet_b: int | None
    record_a: int | None = None
    record_b: int | None = None
    id: int | None = None
    path: str = ""
    field: Field | None = None
    value_a: Value | None = None
    value_b: Value | None = None

    @property
    def level(self) -> str:
        """`field`, `record` (one side has it), `packet` (one side has it) or `bytes` (of an opaque or damaged body)."""
        if self.path:
            return "field"
        if self.packet_a is None or self.packet_b is None:
            return "packet"
        if self.record_a is None and self.record_b is None:
            return "bytes"
        return "record"

    @property
    def change(self) -> float | None:
        """The second number less the first, the short way round for angles; None if they are not numbers."""
        a = self.value_a
        b = self.value_b
        if isinstance(a, (str, bytes)) or isinstance(b, (str, bytes)) or a is None or b is None:
            return None
        change = float(b) - float(a)
        if self.field is not None and self.field.angle and math.isfinite(change):
            change = math.remainder(change, 360.0)
        return change

    @property
    def delta(self) -> float | None:
        """The absolute difference of two numbers, the smaller one for angles; None if they are not numbers."""
        if self.change is not None:
            return abs(self.change)
        return None


def compare_frames(a: Frame, b: Frame, tolerance: float = 0.0, key: Key | None = None) -> Iterator[Difference]:
    """The differences of two frames, in the order of their packets; for those of a `key` others may be left out.

    `tolerance` is in the fields' own units: floating-point numbers that differ by no more are equal (angles modulo
    360). With 0, only the same bits are.
    """
    for one, other in _pair_packets(a.packets, b.packets):
        given = one or other
        assert given is not None
        if key is not None and key[0] != given.name:
            continue
        if one is None or other is None:
            yield Difference(a.index, b.index, given.name, one.index if one else None, other.index if other else None)
        elif one.body != other.body or not _is_same_layout(one, other):
            base = Difference(a.index, b.index, one.name, one.index, other.index)
            yield from _compare_bodies(base, one.decoded, other.decoded, tolerance, key)


def _pair_packets(a: Sequence[Packet], b: Sequence[Packet]) -> Iterator[tuple[Packet | None, Packet | None]]:
    """Pair packets of the same name in order; those that only the second frame has come last."""
    theirs = dict(zip(_with_occurrence([packet.name for packet in b]), b, strict=True))
    for key, packet in zip(_with_occurrence([packet.name for packet in a]), a, strict=True):
        yield packet, theirs.pop(key, None)
    for packet in theirs.values():
        yield None, packet


def _is_same_layout(a: Packet, b: Packet) -> bool:
    """Whether both bodies have the same layout, so that equal bytes are equal values."""
    return a.type.body == b.type.body and a.type.record is b.type.record


def _with_occurrence(keys: Sequence[Hashable]) -> list[tuple[Hashable, int]]:
    """The keys, each with the number of equal keys before it."""
    seen: Counter[Hashable] = Counter()
    numbered = []
    for key in keys:
        numbered.append((key, seen[key]))
        seen[key] += 1
    return numbered


def _compare_bodies(base: Difference, a: Body, b: Body, tolerance: float, key: Key | None) -> Iterator[Difference]:
    if not (_is_sound(a) and _is_sound(b)):
        yield base
        return
    ids_a = _ids(a)
    ids_b = _ids(b)
    pairs_a, pairs_b, only_a, only_b = _match_records(ids_a, ids_b)
    if key is not None and key[1] is not None:
        chosen = np.isin(np.array(ids_a)[pairs_a], key[1])
        pairs_a, pairs_b = pairs_a[chosen], pairs_b[chosen]
    if a.type.dtype is not None and b.type.dtype is not None:
        yield from _compare_columns(base, a, b, (pairs_a, pairs_b), tolerance)
    else:
        for one, other in zip(pairs_a.tolist(), pairs_b.tolist(), strict=True):
            yield from _compare_leaves(base, a, b, (one, other), tolerance)
    for one in only_a.tolist():
        yield base._replace(record_a=one, id=_id_of(a, one))
    for other in only_b.tolist():
        yield base._replace(record_b=other, id=_id_of(b, other))


def _is_sound(body: Body) -> bool:
    """Whether a body consists of records only."""
    return body.type.body in ("list", "single") and body.damage is None and body.tail[0] == len(body.data)


def _ids(body: Body) -> list[int]:
    """The keys by which records are matched: their ids, or their ordinals if they have none."""
    if "id" not in body.type.record.fields:
        return list(range(len(body)))
    if body.type.dtype is not None:
        ids: list[int] = body.array["id"].tolist()
        return ids
    return [int(body.get(index, "id")) for index in range(len(body))]


def _id_of(body: Body, record: int) -> int | None:
    if "id" in body.type.record.fields:
        return int(body.get(record, "id"))
    return None


def _match_records(ids_a: list[int], ids_b: list[int]) -> Matched:
    """Ordinals of matching records in both, and of those that only the first, or only the second, has."""
    if ids_a == ids_b:
        same = np.arange(len(ids_a), dtype=np.int64)
        none = np.empty(0, np.int64)
        return same, same, none, none
    theirs = {}
    for index, key in enumerate(_with_occurrence(ids_b)):
        theirs[key] = index
    found = [theirs.pop(key, -1) for key in _with_occurrence(ids_a)]
    others = np.array(found, np.int64)
    pairs_a = np.flatnonzero(others >= 0)
    return pairs_a, others[pairs_a], np.flatnonzero(others < 0), np.array(list(theirs.values()), np.int64)


def _compare_columns(
    base: Difference, a: Body, b: Body, pairs: tuple[IntArray, IntArray], tolerance: float
) -> Iterator[Difference]:
    fields_b = b.type.record.fields
    found: list[tuple[int, int, str]] = []
    for order, (path, field) in enumerate(a.type.record.fields.items()):
        if path in fields_b:
            different = _differing_values(a.array[path][pairs[0]], b.array[path][pairs[1]], field, tolerance)
            found += [(place, order, path) for place in np.flatnonzero(different).tolist()]
    for place, _, path in sorted(found):
        one, other = int(pairs[0][place]), int(pairs[1][place])
        yield base._replace(
            record_a=one,
            record_b=other,
            id=_id_of(a, one),
            path=path,
            field=a.type.record.fields[path],
            value_a=a.get(one, path),
            value_b=b.get(other, path),
        )


def _differing_values(a: AnyArray, b: AnyArray, field: Field, tolerance: float) -> BoolArray:
    """Which of two columns' values differ: bool[n]."""
    if a.dtype == b.dtype:
        bits = f"u{a.dtype.itemsize}"
        different: BoolArray = np.ascontiguousarray(a).view(bits) != np.ascontiguousarray(b).view(bits)
    else:
        # Widening turns a signalling NaN quiet, which numpy would warn about.
        with np.errstate(invalid="ignore"):
            different = (a != b) & ~((a != a) & (b != b))
    if tolerance > 0 and a.dtype.kind == "f" and different.any():
        with np.errstate(invalid="ignore", over="ignore"):
            apart = np.abs(b.astype(np.float64) - a.astype(np.float64))
            if field.angle:
                apart = np.abs(np.remainder(apart + 180.0, 360.0) - 180.0)
            different &= ~((apart <= tolerance) | (np.isnan(a) & np.isnan(b)))
    return different


def _compare_leaves(
    base: Difference, a: Body, b: Body, records: tuple[int, int], tolerance: float
) -> Iterator[Difference]:
    """The fields of one pair of records that differ, elements of their arrays by position."""
    base = base._replace(record_a=records[0], record_b=records[1], id=_id_of(a, records[0]))
    leaves_a = {leaf.path: leaf for leaf in a.leaves(records[0])}
    leaves_b = {leaf.path: leaf for leaf in b.leaves(records[1])}
    for path in [*leaves_a, *(path for path in leaves_b if path not in leaves_a)]:
        one, other = leaves_a.get(path), leaves_b.get(path)
        value_a = None
        if one is not None:
            value_a = a.value(one)
        value_b = None
        if other is not None:
            value_b = b.value(other)
        if one is not None and other is not None:
            if value_a == value_b and a.data[one.start : one.stop] == b.data[other.start : other.stop]:
                continue
            if one.field.type != other.field.type and value_a == value_b:
                continue
        given = one or other
        assert given is not None
        difference = base._replace(path=path, field=given.field, value_a=value_a, value_b=value_b)
        if not _is_within(difference, tolerance):
            yield difference


def _is_within(difference: Difference, tolerance: float) -> bool:
    delta = difference.delta if isinstance(difference.value_a, float) else None
    return tolerance > 0 and delta is not None and delta <= tolerance
