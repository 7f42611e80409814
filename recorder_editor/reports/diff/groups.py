"""Differences of one field of one actor together, with their frames and their change.

Memory is bounded, however many fields differ: of the first groups those of the most frames are kept.
"""

import math
from array import array
from dataclasses import dataclass

from ...format import Field
from ...texts import say
from .packets import Difference, Key

MOST_GROUPS = 10_000
_MOST_KEPT = 100_000  # until the end
_MOST_SPANS = 500_000
"""Spans of frames of all groups."""

_ROUNDING = 2.0**-21
"""Of the larger of two f32 values: how far their difference is off."""


@dataclass(slots=True, eq=False)
class FieldGroup:
    """The differences of a field, or of a record or packet as a whole (`path` empty).

    Attributes: `packet` (name), `id` (of the records, None without), `path` (elements of arrays together), `only` (the
    side that has it, `a` or `b`; empty for both), `field`, `spans` (rows of the alignment: start, stop, start, stop),
    `frames` (pairs of frames), `count` (differences), `low`, `high` (smallest and largest change, the other's value
    less this one's, in the field's unit; NaN if one is no number).
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
        return " ".join(filter(None, (self.packet, str(self.id) if self.id is not None else "", self.path)))

    @property
    def change(self) -> str:
        """The change with its unit, centimetres from ten on as metres: `+3.00 m`, or `-1.00 to +0.50 m` if it varies.

        Empty if it is no number.
        """
        unit = self.field.unit if self.field is not None else ""
        is_long = unit == "cm" and max(abs(self.low), abs(self.high)) >= 10
        if is_long:
            return self.change_in("m", 0.01)
        return self.change_in(unit)

    def change_in(self, unit: str, factor: float = 1.0) -> str:
        """The change in another unit, which is `factor` times the field's."""
        ends = [self.low * factor, self.high * factor]
        if not (math.isfinite(ends[0]) and math.isfinite(ends[1])):
            return ""
        texts = []
        for end in ends:
            texts.append(f"{end:+z.2f}" if unit == "m" else _rounded(end))
        is_constant = self.high - self.low <= self._rounding
        if is_constant:
            change = texts[1]
        else:
            change = say("{low} to {high}", low=texts[0], high=texts[1])
        return f"{change} {unit}".rstrip()

    def add(self, difference: Difference, row: int, is_new_span: bool) -> None:
        """Add a difference of a pair of frames that is not before the last one."""
        self.count += 1
        if self.spans and self.spans[-1] == row + 1:
            pass
        elif self.spans and (self.spans[-1] == row or not is_new_span):
            self.spans[-1] = row + 1
            self.frames += 1
        else:
            self.spans.extend((row, row + 1))
            self.frames += 1
        change = difference.change
        a = difference.value_a
        b = difference.value_b
        if change is None or not math.isfinite(change) or (self.field and (self.field.choices or self.field.flags)):
            self.low = self.high = math.nan
        elif not math.isnan(self.low):
            self.low, self.high = min(self.low, change), max(self.high, change)
            if isinstance(a, float) and isinstance(b, float):
                self._rounding = max(self._rounding, _ROUNDING * max(abs(a), abs(b)))


def _rounded(number: float) -> str:
    if number.is_integer():
        return f"{number:+z,.0f}"
    return f"{number:+z.4g}"


def key_of(difference: Difference) -> Key:
    """The group that a difference belongs to."""
    only = ""
    if difference.level in ("packet", "record"):
        is_of_a = (difference.packet_b if difference.level == "packet" else difference.record_b) is None
        only = "a" if is_of_a else "b"
    return difference.packet, difference.id, without_indices(difference.path), only


def without_indices(path: str) -> str:
    """`attributes[2].value` as `attributes[].value`."""
    head, bracket, rest = path.partition("[")
    if bracket:
        return f"{head}[]{without_indices(rest.partition(']')[2])}"
    return path


class Groups:
    """The groups while differences are added, pair by pair of frames.

    Attributes: `left_out` (differences of groups that are not kept).
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
            group = self._groups[key] = FieldGroup(*key, difference.field, array("q"))
        spans = len(group.spans)
        group.add(difference, row, self._spans < _MOST_SPANS)
        self._spans += len(group.spans) > spans

    def finish(self) -> tuple[FieldGroup, ...]:
        """The groups of the most frames, these first; those of as many in their order. The others are left out."""
        found = sorted(self._groups.values(), key=lambda group: -group.frames)
        self.left_out += sum(each.count for each in found[MOST_GROUPS:])
        return tuple(found[:MOST_GROUPS])
