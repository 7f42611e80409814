"""Differences of one field of one actor together, with their frames and their change.

Memory is bounded, however many fields differ: of the first groups those of the most frames are kept.
"""

import math
from array import array
from dataclasses import dataclass

import numpy as np

from ...arrays import IntArray
from ...format import Field
from ...texts import say
from .packets import Difference, Key

MOST_GROUPS = 10_000
_MOST_KEPT = 100_000  # until the end
MOST_SPANS = 500_000
"""Spans of frames of all groups, and of all things."""

_ROUNDING = 2.0**-21
"""Of the larger of two f32 values: how far their difference is off."""


@dataclass(slots=True, eq=False)
class FieldGroup:
    """The differences of a field, or of a record or packet as a whole (`path` empty).

    Attributes:
        packet: The name of the packet.
        id: The id of the records; None: they have none.
        path: The path of the field, of all elements of arrays together.
        only: The side that has it, `a` or `b`; empty for both.
        field: The field; None for whole records and packets.
        spans: Rows of the alignment: start, stop, start, stop...
        frames: Pairs of frames.
        count: Differences.
        low: The smallest change, the other's value less this one's, in the field's unit; NaN if one is no number.
        high: The largest change, likewise.
    """

    packet: str
    id: int | None
    path: str
    only: str
    field: Field | None
    spans: "array[int]"
    frames: int = 0
    count: int = 0
    low: float = math.inf
    high: float = -math.inf
    _rounding: float = 0.0

    @property
    def key(self) -> Key:
        """What all its differences have in common."""
        return self.packet, self.id, self.path, self.only

    @property
    def title(self) -> str:
        """Packet, id and path: `Position 174 location.x`."""
        parts = [self.packet]
        if self.id is not None:
            parts.append(str(self.id))
        if self.path:
            parts.append(self.path)
        return " ".join(parts)

    @property
    def change(self) -> str:
        """The change with its unit, centimetres from ten on as metres: `+3.00 m`, or `-1.00 to +0.50 m` if it varies.

        Empty if it is no number.
        """
        unit = ""
        if self.field is not None:
            unit = self.field.unit
        if unit == "cm" and max(abs(self.low), abs(self.high)) >= 10:
            return self.change_in("m", 0.01)
        return self.change_in(unit)

    def change_in(self, unit: str, factor: float = 1.0) -> str:
        """Return the change in another unit.

        Args:
            unit: The other unit.
            factor: How many of it the field's unit is.
        """
        low = self.low * factor
        high = self.high * factor
        if not (math.isfinite(low) and math.isfinite(high)):
            return ""
        change = _signed(high, unit)
        if self.high - self.low > self._rounding:
            change = say("{low} to {high}", low=_signed(low, unit), high=change)
        return f"{change} {unit}".rstrip()

    def add(self, difference: Difference, row: int, is_new_span: bool) -> None:
        """Add a difference.

        Args:
            difference: The difference.
            row: The pair of frames, as a row of the alignment; not before the last one.
            is_new_span: There is memory for one more span; else the last one is extended over what lies between.
        """
        self.count += 1
        self._add_row(row, is_new_span)
        change = difference.change
        is_name = self.field is not None and bool(self.field.choices or self.field.flags)
        if change is None or not math.isfinite(change) or is_name:
            self.low = math.nan
            self.high = math.nan
        elif not math.isnan(self.low):
            self.low = min(self.low, change)
            self.high = max(self.high, change)
            a = difference.value_a
            b = difference.value_b
            if isinstance(a, float) and isinstance(b, float):
                rounding = _ROUNDING * max(abs(a), abs(b))
                self._rounding = max(self._rounding, rounding)

    def _add_row(self, row: int, is_new_span: bool) -> None:
        """Extend the last span to a row, or begin a new one if that may be."""
        if extend_spans(self.spans, row, is_new_span):
            self.frames += 1


def extend_spans(spans: "array[int]", row: int, is_new_span: bool) -> bool:
    """Extend the last span to a row, or begin a new one if that may be.

    Args:
        spans: Start, stop, start, stop...; it is changed.
        row: A row, not before the last one.
        is_new_span: There is memory for one more span; else the last one is extended over what lies between.

    Returns:
        Whether the row is another one than the last.
    """
    if spans and spans[-1] == row + 1:
        return False
    if spans and (spans[-1] == row or not is_new_span):
        spans[-1] = row + 1
    else:
        spans.append(row)
        spans.append(row + 1)
    return True


def rows_of_spans(spans: "array[int]") -> IntArray:
    """Return the rows of spans, rising: int64[n]."""
    rows = [np.zeros(0, np.int64)]
    for start, stop in zip(spans[::2], spans[1::2], strict=True):
        rows.append(np.arange(start, stop))
    return np.concatenate(rows)


def _signed(number: float, unit: str) -> str:
    """A number with its sign, metres to the centimetre."""
    if unit == "m":
        return f"{number:+z.2f}"
    if number.is_integer():
        return f"{number:+z,.0f}"
    return f"{number:+z.4g}"


def key_of(difference: Difference) -> Key:
    """Return the key of the group that a difference belongs to."""
    missing_in_b = False
    if difference.level == "packet":
        missing_in_b = difference.packet_b is None
    elif difference.level == "record":
        missing_in_b = difference.record_b is None
    only = ""
    if missing_in_b:
        only = "a"
    elif difference.level in ("packet", "record"):
        only = "b"
    return difference.packet, difference.id, without_indices(difference.path), only


def without_indices(path: str) -> str:
    """Return a path without indices: `attributes[2].value` as `attributes[].value`."""
    head, bracket, rest = path.partition("[")
    if bracket:
        return f"{head}[]{without_indices(rest.partition(']')[2])}"
    return path


class Groups:
    """The groups while differences are added, pair by pair of frames.

    Attributes:
        left_out: Differences of groups that are not kept.
    """

    def __init__(self) -> None:
        self._groups: dict[Key, FieldGroup] = {}
        self._spans = 0
        self.left_out = 0

    def add(self, difference: Difference, row: int) -> None:
        """Add a difference of a row of the alignment, not before the last one."""
        key = key_of(difference)
        group = self._groups.get(key)
        if group is None:
            if len(self._groups) >= _MOST_KEPT:
                self.left_out += 1
                return
            packet, id_, path, only = key
            group = FieldGroup(packet, id_, path, only, difference.field, spans=array("q"))
            self._groups[key] = group
        before = len(group.spans)
        group.add(difference, row, self._spans < MOST_SPANS)
        if len(group.spans) > before:
            self._spans += 1

    def finish(self) -> tuple[FieldGroup, ...]:
        """Return the groups of the most frames, these first; those of as many in their order.

        The others are left out, and counted.
        """
        groups = sorted(self._groups.values(), key=lambda group: -group.frames)
        self.left_out += sum(group.count for group in groups[MOST_GROUPS:])
        return tuple(groups[:MOST_GROUPS])
