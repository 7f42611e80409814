"""Comparison of two frames: packets by name, records by id, fields by path.

Records of fixed size are compared as columns; only differing values become Python objects.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...arrays import AnyArray, BoolArray, IntArray
from ...edits.pairing import is_sound, match_records, pair_packets, record_keys
from ...format import Body, Field
from ...format.schema import Value
from ...recording import Frame, Packet

Key = tuple[str, int | None, str, str]
"""What the differences of a group have in common: packet, id, path without indices, side that alone has it."""


class Difference(NamedTuple):
    """One difference between two frames; values are None if one side has none.

    Attributes:
        frame_a: The index of the first frame.
        frame_b: The index of the second frame.
        packet: The name of the packet.
        packet_a: Its index in the first frame.
        packet_b: Its index in the second frame.
        record_a: The ordinal of the record in the first.
        record_b: The ordinal of the record in the second.
        id: The id of the record, an actor's in most packets.
        path: The path of the field; empty for whole packets and records, and for opaque bodies.
        field: The field.
        value_a: Its value in the first.
        value_b: Its value in the second.
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
        if a is None or b is None or isinstance(a, (str, bytes)) or isinstance(b, (str, bytes)):
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
    """Yield the differences of two frames, in the order of their packets.

    Args:
        a: The first frame.
        b: The second frame.
        tolerance: Floating-point numbers that differ by no more are equal, in the fields' own units (angles modulo
            360). With 0, only the same bits are.
        key: A group of differences: others may be left out. None: all.
    """
    for packet_a, packet_b in pair_packets(a.packets, b.packets):
        packet = packet_a or packet_b
        assert packet is not None
        if key is not None and key[0] != packet.name:
            continue
        if packet_a is None or packet_b is None:
            index_a = None
            index_b = None
            if packet_a is not None:
                index_a = packet_a.index
            if packet_b is not None:
                index_b = packet_b.index
            yield Difference(a.index, b.index, packet.name, index_a, index_b)
        elif packet_a.body != packet_b.body or not _is_same_layout(packet_a, packet_b):
            base = Difference(a.index, b.index, packet_a.name, packet_a.index, packet_b.index)
            yield from _compare_bodies(base, packet_a.decoded, packet_b.decoded, tolerance, key)


def is_ordered_otherwise(a: Frame, b: Frame) -> bool:
    """Return whether two frames without a difference hold their packets, or the records of one, in another order."""
    if [packet.name for packet in a.packets] != [packet.name for packet in b.packets]:
        return True
    for packet_a, packet_b in zip(a.packets, b.packets, strict=True):
        if packet_a.body == packet_b.body:
            continue
        if is_sound(packet_a.decoded) and record_keys(packet_a.decoded) != record_keys(packet_b.decoded):
            return True
    return False


def _is_same_layout(a: Packet, b: Packet) -> bool:
    """Whether both bodies have the same layout, so that equal bytes are equal values."""
    return a.type.body == b.type.body and a.type.record is b.type.record


def _compare_bodies(base: Difference, a: Body, b: Body, tolerance: float, key: Key | None) -> Iterator[Difference]:
    if not (is_sound(a) and is_sound(b)):
        yield base
        return
    ids_a = record_keys(a)
    ids_b = record_keys(b)
    pairs_a, pairs_b, only_a, only_b = match_records(ids_a, ids_b)
    if key is not None and key[1] is not None:
        is_chosen = np.isin(np.array(ids_a)[pairs_a], key[1])
        pairs_a = pairs_a[is_chosen]
        pairs_b = pairs_b[is_chosen]
    if a.type.dtype is not None and b.type.dtype is not None:
        yield from _compare_columns(base, a, b, (pairs_a, pairs_b), tolerance)
    else:
        for record_a, record_b in zip(pairs_a.tolist(), pairs_b.tolist(), strict=True):
            yield from _compare_leaves(base, a, b, (record_a, record_b), tolerance)
    for record in only_a.tolist():
        yield base._replace(record_a=record, id=_id_of(a, record))
    for record in only_b.tolist():
        yield base._replace(record_b=record, id=_id_of(b, record))


def _id_of(body: Body, record: int) -> int | None:
    if "id" in body.type.record.fields:
        return int(body.get(record, "id"))
    return None


def _compare_columns(
    base: Difference, a: Body, b: Body, pairs: tuple[IntArray, IntArray], tolerance: float
) -> Iterator[Difference]:
    """The fields of pairs of records of one size that differ, in the order of the records, then of the fields."""
    records_a, records_b = pairs
    fields_a = a.type.record.fields
    fields_b = b.type.record.fields
    places: list[tuple[int, int, str]] = []
    for order, (path, field) in enumerate(fields_a.items()):
        if path in fields_b:
            values_a = a.array[path][records_a]
            values_b = b.array[path][records_b]
            is_different = _differing_values(values_a, values_b, field, tolerance)
            for pair in np.flatnonzero(is_different).tolist():
                places.append((pair, order, path))
    for pair, _, path in sorted(places):
        record_a = int(records_a[pair])
        record_b = int(records_b[pair])
        yield base._replace(
            record_a=record_a,
            record_b=record_b,
            id=_id_of(a, record_a),
            path=path,
            field=fields_a[path],
            value_a=a.get(record_a, path),
            value_b=b.get(record_b, path),
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
    record_a, record_b = records
    base = base._replace(record_a=record_a, record_b=record_b, id=_id_of(a, record_a))
    leaves_a = {leaf.path: leaf for leaf in a.leaves(record_a)}
    leaves_b = {leaf.path: leaf for leaf in b.leaves(record_b)}
    for path in dict.fromkeys((*leaves_a, *leaves_b)):
        leaf_a = leaves_a.get(path)
        leaf_b = leaves_b.get(path)
        leaf = leaf_a or leaf_b
        assert leaf is not None
        value_a = None
        if leaf_a is not None:
            value_a = a.value(leaf_a)
        value_b = None
        if leaf_b is not None:
            value_b = b.value(leaf_b)
        if leaf_a is not None and leaf_b is not None and value_a == value_b:
            # Equal values of one type may have other bytes, as 0 and -0.
            has_same_bytes = a.data[leaf_a.start : leaf_a.stop] == b.data[leaf_b.start : leaf_b.stop]
            if has_same_bytes or leaf_a.field.type != leaf_b.field.type:
                continue
        difference = base._replace(path=path, field=leaf.field, value_a=value_a, value_b=value_b)
        if not _is_within(difference, tolerance):
            yield difference


def _is_within(difference: Difference, tolerance: float) -> bool:
    """Whether a difference of floating-point numbers is tolerated."""
    if tolerance <= 0 or not isinstance(difference.value_a, float):
        return False
    delta = difference.delta
    return delta is not None and delta <= tolerance
