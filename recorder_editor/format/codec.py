"""One packet body: decode, locate, encode, patch.

`decode` never raises for bad bytes: it gives the complete records, the first error with its offset, and the remaining
bytes as a tail; count, records and tail joined are always the input. Stored counts are checked against the bytes left
before anything is allocated.
"""

import struct
from bisect import bisect_right
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..arrays import StructuredArray
from ..errors import FieldError
from ..texts import N_, say, say_count
from .schema import WIDTHS, Array, Field, PacketType, RawFloat, Run, Step, Struct, Value
from .values import LONGEST_STRING, normalize, pack_text, pack_value, text_of, unfit, unpack_value

Record = dict[str, Any]
"""A record as nested plain values: `{"id": 174, "location": {"x": 1.0, ...}, "attributes": [{...}]}`."""

COUNT = Field("count", "u16", N_("Number of records that follow"))
MAX_RECORDS = 0xFFFF
MAX_ELEMENTS = 0xFFFF
"""Elements of one array in a record: a larger 32-bit count is reported as damage."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A field and the bytes `[start, stop)` of the body that hold it. `path` names elements: `attributes[2].value`."""

    path: str
    field: Field
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class BodyDamage:
    """An error in a body: its byte offset there, and a sentence."""

    offset: int
    message: str


class _Truncated(Exception):
    """A record runs past the end of the body; `args`: the offset and the label of what is cut off."""


@dataclass(eq=False, repr=False)
class Body:
    """A decoded body.

    Its length is the number of complete records.

    Attributes:
        type: The type of the packet.
        data: The bytes.
        count: The number of records as stored; None in a body without one.
        damage: The first error; None in a sound body.
    """

    type: PacketType
    data: bytes
    count: int | None
    _starts: range | list[int]
    _end: int
    damage: BodyDamage | None

    @property
    def tail(self) -> tuple[int, int]:
        """The bytes `(start, stop)` after the last record."""
        return self._end, len(self.data)

    def __len__(self) -> int:
        return len(self._starts)

    def span(self, index: int) -> tuple[int, int]:
        """The bytes `(start, stop)` of a record; raises IndexError."""
        if not 0 <= index < len(self._starts):
            raise IndexError(index)
        following = index + 1
        return self._starts[index], self._starts[following] if following < len(self._starts) else self._end

    def raw(self, index: int) -> bytes:
        """The bytes of a record; raises IndexError."""
        start, stop = self.span(index)
        return self.data[start:stop]

    @property
    def count_leaf(self) -> Leaf | None:
        """The location of the stored count, None for a body without one."""
        if self.count is not None:
            return Leaf("count", COUNT, 0, 2)
        return None

    @cached_property
    def array(self) -> StructuredArray:
        """The complete records as a read-only structured view, shape (len,); names are dotted paths.

        Raises TypeError for records of variable length and for opaque bodies.
        """
        dtype = self.type.dtype
        if dtype is None:
            raise TypeError(f"{self.type.name} has no records of one size")
        if len(self):
            first = self._starts[0]
        else:
            first = 0
        return np.frombuffer(self.data, dtype, count=len(self), offset=first)

    @property
    def actors(self) -> list[int]:
        """The actor id of each complete record; for packet types with an actor field."""
        if self.type.dtype is not None:
            ids: list[int] = self.array["id"].tolist()
            return ids
        return [int.from_bytes(self.data[start : start + 4], "little") for start in self._starts]

    def leaves(self, index: int) -> tuple[Leaf, ...]:
        """Every field of a record in file order, including the counts of its arrays."""
        return tuple(self._iter_leaves(index))

    def _iter_leaves(self, index: int) -> Iterator[Leaf]:
        return _locate(self.type.record, self.data, self.span(index)[0], "")

    def leaf(self, index: int, path: str) -> Leaf:
        """The location of a field in a record; raises KeyError."""
        start, _ = self.span(index)
        if path in self.type.record.places:
            field, at = self.type.record.places[path]
            return Leaf(path, field, start + at, start + at + WIDTHS[field.type])
        for leaf in self._iter_leaves(index):
            if leaf.path == path:
                return leaf
        raise KeyError(path)

    def lists(self, index: int) -> Iterator[tuple[Array, int, int]]:
        """The lists of a record: the array, the offset of its first element, the number of elements."""
        at, _ = self.span(index)
        for step in self.type.record.steps:
            if isinstance(step, Array):
                first = at + WIDTHS[step.count]
                yield step, first, int.from_bytes(self.data[at:first], "little")
            at = _measure_step(step, self.data, at)

    def value(self, leaf: Leaf) -> Value:
        """The value of a located field."""
        return unpack_value(leaf.field, self.data[leaf.start : leaf.stop])

    def get(self, index: int, path: str) -> Value:
        """The value of a field in a record; raises KeyError."""
        return self.value(self.leaf(index, path))

    def record(self, index: int) -> Record:
        """A record as nested plain values."""
        return _read(self.type.record, self.data, self.span(index)[0])[0]

    def records(self) -> list[Record]:
        """All complete records as nested plain values; iterate over the body to make one at a time."""
        return list(self)

    def __iter__(self) -> Iterator[Record]:
        return (_read(self.type.record, self.data, start)[0] for start in self._starts)

    def at(self, offset: int) -> tuple[int | None, Leaf | None]:
        """The owner of a byte: (record, field), (None, count field), or (None, None) in tail and opaque bodies."""
        if self.count is not None and offset < 2:
            return None, self.count_leaf
        if not len(self) or not self._starts[0] <= offset < self._end:
            return None, None
        index = bisect_right(self._starts, offset) - 1
        for leaf in self._iter_leaves(index):
            if leaf.start <= offset < leaf.stop:
                return index, leaf
        return index, None

    def find_actor(self, actor: int) -> int | None:
        """The last record of that actor id (it counts where ids repeat), or None."""
        if self.type.actor_field is None or not len(self):
            return None
        if self.type.dtype is not None:
            ids = self.array["id"]
        else:
            ids = np.array(self.actors)
        (matches,) = np.nonzero(ids == actor)
        if len(matches):
            return int(matches[-1])
        return None


def decode(packet_type: PacketType, data: bytes) -> Body:
    """The body as records, tail and damage; never raises for bad bytes."""
    if packet_type.body == "opaque":
        return Body(packet_type, data, None, [], len(data), None)
    if packet_type.body == "empty":
        damage = None
        if data:
            damage = BodyDamage(
                0,
                say_count(
                    "{name} has no body, but 1 bytes are here",
                    "{name} has no body, but {count} bytes are here",
                    name=packet_type.name,
                    count=len(data),
                ),
            )
        return Body(packet_type, data, None, [], 0, damage)
    if packet_type.body == "single":
        return _decode_single(packet_type, data)
    if len(data) < 2:
        damage = BodyDamage(
            0, say("The count of {name} needs 2 bytes, but the body has {size}", name=packet_type.name, size=len(data))
        )
        return Body(packet_type, data, None, [], 0, damage)
    count = int.from_bytes(data[:2], "little")
    size = packet_type.record.size
    if size is not None:
        whole = min(count, (len(data) - 2) // size)
        end = 2 + whole * size
        starts: range | list[int] = range(2, end, size)
        cut: tuple[int, str] | None = None
        if whole < count:
            cut = (end, say("record {record}", record=whole + 1))
    else:
        starts, end, cut = _measure_all(packet_type.record, data, count)
    return Body(packet_type, data, count, starts, end, _list_damage(packet_type, data, count, len(starts), end, cut))


def _decode_single(packet_type: PacketType, data: bytes) -> Body:
    size = packet_type.record.size
    if size is None or len(data) < size:
        missing = BodyDamage(
            0,
            say(
                "{name} needs {needed} bytes, but the body has {size}",
                name=packet_type.name,
                needed=size,
                size=len(data),
            ),
        )
        return Body(packet_type, data, None, [], 0, missing)
    extra = len(data) - size
    damage = None
    if extra:
        damage = BodyDamage(
            size,
            say_count(
                "1 byte after the end of {name}",
                "{count:,} bytes after the end of {name}",
                count=extra,
                name=packet_type.name,
            ),
        )
    return Body(packet_type, data, None, range(0, size, size), size, damage)


def _list_damage(
    packet_type: PacketType, data: bytes, count: int, whole: int, end: int, cut: tuple[int, str] | None
) -> BodyDamage | None:
    if cut is not None:
        at, what = cut
        return BodyDamage(
            at,
            say(
                "{name} says {count:,} records, but the body ends in {what} ({whole:,} are whole)",
                name=packet_type.name,
                count=count,
                what=what,
                whole=whole,
            ),
        )
    if end < len(data):
        return BodyDamage(
            end,
            say_count(
                "1 byte after the last record of {name}: a simulator would lose its place",
                "{count:,} bytes after the last record of {name}: a simulator would lose its place",
                count=len(data) - end,
                name=packet_type.name,
            ),
        )
    return None


def _measure_all(record: Struct, data: bytes, count: int) -> tuple[list[int], int, tuple[int, str] | None]:
    starts, at = _measure_one_array(record, data, count)
    for index in range(len(starts), count):
        try:
            following = _measure(record, data, at)
        except _Truncated as cut:
            return starts, at, (cut.args[0], say("{what} of record {record}", what=cut.args[1], record=index + 1))
        starts.append(at)
        at = following
    return starts, at, None


def _measure_one_array(record: Struct, data: bytes, count: int) -> tuple[list[int], int]:
    """The starts of the first records that fit, for records of fixed fields and one array of fixed-size elements.

    No call for each record: wheels are in every frame of a recording with additional data.
    """
    starts: list[int] = []
    at = 2
    end = len(data)
    if len(record.steps) == 2:
        fields, array = record.steps
        if isinstance(fields, Run) and isinstance(array, Array) and array.element.size is not None:
            width = WIDTHS[array.count]
            size = array.element.size
            read = int.from_bytes
            head = fields.unpack.size
            while len(starts) < count:
                elements = at + head + width
                number = read(data[at + head : elements], "little")
                following = elements + number * size
                if elements > end or following > end or number > MAX_ELEMENTS:
                    break
                starts.append(at)
                at = following
    return starts, at


def _measure(record: Struct, data: bytes, at: int) -> int:
    """The end of the record that begins at `at`; raises _Truncated."""
    for step in record.steps:
        at = _measure_step(step, data, at)
    return at


def _measure_step(step: Step, data: bytes, at: int) -> int:
    """The end of the fields or the array that begin at `at`; raises _Truncated."""
    if isinstance(step, Run):
        end = at + step.unpack.size
        if end > len(data):
            missing = next(
                field
                for field, place in zip(step.fields, step.places, strict=True)
                if at + place + WIDTHS[field.type] > len(data)
            )
            raise _Truncated(at, missing.label)
    elif isinstance(step, Array):
        end = _measure_array(step, data, at)
    else:
        end = at + 2 + int.from_bytes(data[at : at + 2], "little")
        if at + 2 > len(data) or end > len(data):
            raise _Truncated(at, step.label)
    return end


def _measure_array(array: Array, data: bytes, at: int) -> int:
    width = WIDTHS[array.count]
    if at + width > len(data):
        raise _Truncated(at, say("the count of {path}", path=array.path))
    count = int.from_bytes(data[at : at + width], "little")
    if count * array.element.least > len(data) - at - width:
        raise _Truncated(at, say("{path} ({said:,} said)", path=array.path, said=count))
    if count > MAX_ELEMENTS:
        raise _Truncated(
            at, say("{path} ({said:,} said, {most:,} at most)", path=array.path, said=count, most=MAX_ELEMENTS)
        )
    at += width
    if array.element.size is not None:
        return at + count * array.element.size
    end = _skip_elements(array.element, data, at, count)
    if end is not None:
        return end
    for _ in range(count):
        at = _measure(array.element, data, at)
    return at


def _skip_elements(element: Struct, data: bytes, at: int, count: int) -> int | None:
    """The end of `count` elements; None if they do not fit or contain arrays.

    No call and no object for each element: a body may hold millions of five bytes.
    """
    if element.gaps is None:
        return None
    gaps, rest = element.gaps
    try:
        for _ in range(count):
            for gap in gaps:
                at += gap
                at += data[at - 2] | data[at - 1] << 8
            at += rest
    except IndexError:
        return None
    if at <= len(data):
        return at
    return None


def _locate(record: Struct, data: bytes, at: int, prefix: str) -> Generator[Leaf, None, int]:
    """The leaves of a record in file order; returns its end."""
    for step in record.steps:
        if isinstance(step, Run):
            for field, place in zip(step.fields, step.places, strict=True):
                start = at + place
                yield Leaf(prefix + field.path, field, start, start + WIDTHS[field.type])
            at += step.unpack.size
        elif isinstance(step, Array):
            width = WIDTHS[step.count]
            count = int.from_bytes(data[at : at + width], "little")
            yield Leaf(prefix + step.path, step.count_field, at, at + width)
            at += width
            for index in range(count):
                at = yield from _locate(step.element, data, at, f"{prefix}{step.path}[{index}].")
        else:
            end = at + 2 + int.from_bytes(data[at : at + 2], "little")
            yield Leaf(prefix + step.path, step, at, end)
            at = end
    return at


def _read(record: Struct, data: bytes, at: int) -> tuple[Record, int]:
    values: Record = {}
    for step in record.steps:
        if isinstance(step, Run):
            numbers = step.unpack.unpack_from(data, at)
            for field, place, (group, name), number in zip(step.fields, step.places, step.names, numbers, strict=True):
                if field.type == "bool" or number != number:
                    start = at + place
                    number = normalize(field, number, data[start : start + WIDTHS[field.type]])
                if group:
                    values.setdefault(group, {})[name] = number
                else:
                    values[name] = number
            at += step.unpack.size
        elif isinstance(step, Array):
            width = WIDTHS[step.count]
            count = int.from_bytes(data[at : at + width], "little")
            at += width
            elements = []
            for _ in range(count):
                element, at = _read(step.element, data, at)
                elements.append(element)
            values[step.path] = elements
        else:
            start = at + 2
            at = start + (data[at] | data[at + 1] << 8)
            values[step.path] = text_of(data[start:at])
    return values, at


def _value_of(values: Mapping[str, Any], field: Field, group: str, name: str) -> Value:
    try:
        value: Value = values[group][name] if group else values[name]
    except (KeyError, TypeError):
        raise FieldError(say("{label} is missing.", label=field.label), field=field.path) from None
    return value


def _pack_run(run: Run, values: Mapping[str, Any]) -> bytes:
    try:
        numbers = []
        for group, name in run.names:
            numbers.append(values[group][name] if group else values[name])
        if not run.has_raw and RawFloat not in map(type, numbers):
            return run.unpack.pack(*numbers)
    except (KeyError, TypeError, struct.error, OverflowError):
        pass  # below, the field that is missing or does not fit raises
    pairs = zip(run.fields, run.names, strict=True)
    return b"".join(pack_value(field, _value_of(values, field, *names)) for field, names in pairs)


def encode_record(record: Struct, values: Mapping[str, object]) -> bytes:
    """The bytes of one record given as nested plain values; raises `FieldError` for a missing or invalid one."""
    parts: list[bytes] = []
    for step in record.steps:
        if isinstance(step, Run):
            parts.append(_pack_run(step, values))
        elif isinstance(step, Array):
            elements = values.get(step.path)
            if not isinstance(elements, Sequence) or isinstance(elements, (str, bytes)):
                raise FieldError(say("{path} takes a list.", path=step.path), field=step.path)
            parts.append(pack_value(step.count_field, len(elements)))
            parts.extend(encode_record(step.element, element) for element in elements)
        else:
            parts.append(pack_text(step, _value_of(values, step, "", step.path)))
    return b"".join(parts)


def encode(packet_type: PacketType, records: Iterable[Mapping[str, object]]) -> bytes:
    """A body from records given as nested plain values; raises `FieldError`."""
    if packet_type.body in ("opaque", "empty"):
        if any(True for _ in records):
            raise FieldError(say("{name} has no records.", name=packet_type.name))
        return b""
    encoded = []
    for record in records:
        encoded.append(encode_record(packet_type.record, record))
    if packet_type.body == "single":
        if len(encoded) != 1:
            raise FieldError(
                say("{name} holds exactly one record, not {encoded}.", name=packet_type.name, encoded=len(encoded))
            )
        return encoded[0]
    return counted(packet_type, len(encoded)) + b"".join(encoded)


def encode_array(packet_type: PacketType, records: StructuredArray) -> bytes:
    """A body from a structured array of the type's dtype, shape (n,); raises `FieldError` beyond 65,535 records."""
    if packet_type.dtype != records.dtype or packet_type.body != "list":
        raise TypeError(f"{packet_type.name} does not take records of dtype {records.dtype}")
    return counted(packet_type, len(records)) + records.tobytes()


def counted(packet_type: PacketType, number: int) -> bytes:
    """The count before the records of a list; raises `FieldError` beyond 65,535 records."""
    if number > MAX_RECORDS:
        raise FieldError(
            say(
                "{name} would hold {number:,} records; its count ends at {max_records:,}.",
                name=packet_type.name,
                number=number,
                max_records=MAX_RECORDS,
            )
        )
    return number.to_bytes(2, "little")


def patch(body: Body, index: int, path: str, value: Value) -> bytes:
    """The body with one field of one record replaced; all other bytes are unchanged.

    Raises `FieldError` for a value that does not fit, KeyError or IndexError for a field or record that does not exist.
    """
    leaf = body.leaf(index, path)
    if path in body.type.record.arrays or path.endswith("]") or _is_count(body.type.record, path):
        raise FieldError(
            say("{label} is counted, not typed: add or remove elements.", label=leaf.field.label), field=path
        )
    raw = pack_value(leaf.field, value)
    if leaf.field.type == "str" and len(raw) - 2 > LONGEST_STRING:
        raise unfit(
            leaf.field,
            N_("The text is {raw:,} bytes long; {label} holds at most {longest_string:,}."),
            raw=len(raw) - 2,
            longest_string=LONGEST_STRING,
        )
    return body.data[: leaf.start] + raw + body.data[leaf.stop :]


def _is_count(record: Struct, path: str) -> bool:
    head, dot, rest = path.partition("].")
    if not dot:
        return path in record.arrays
    array = record.arrays.get(head.partition("[")[0])
    return array is not None and _is_count(array.element, rest)


def splice_records(body: Body, at: int, removed: int, inserted: Sequence[bytes]) -> bytes:
    """The body with `removed` records from `at` on replaced by encoded ones, and the count updated.

    Raises `FieldError` for bodies without a record list and beyond 65,535 records, IndexError for a bad index.
    """
    if body.count is None:
        raise FieldError(say("{name} has no list of records.", name=body.type.name))
    if at < 0 or removed < 0 or at + removed > len(body):
        raise IndexError(at)
    if at < len(body):
        start = body.span(at)[0]
    else:
        start = body.tail[0]
    if removed:
        stop = body.span(at + removed - 1)[1]
    else:
        stop = start
    count = counted(body.type, body.count - removed + len(inserted))
    return count + body.data[2:start] + b"".join(inserted) + body.data[stop:]


def without_records(body: Body, removed: Collection[int]) -> bytes:
    """The body without the records of these ordinals, and the count updated.

    Raises `FieldError` for bodies without a record list, IndexError for a bad index.
    """
    if body.count is None:
        raise FieldError(say("{name} has no list of records.", name=body.type.name))
    parts = []
    at = 2
    for index in sorted(set(removed)):
        start, stop = body.span(index)
        parts.append(body.data[at:start])
        at = stop
    return counted(body.type, body.count - len(parts)) + b"".join(parts) + body.data[at:]


PACKET_HEADER = struct.Struct("<BI")
"""The 5 bytes before every body: u8 id, u32 size of the body (format reference 3.1)."""


def packet_bytes(number: int, body: bytes) -> bytes:
    """A whole packet: its 5-byte header and the body."""
    return PACKET_HEADER.pack(number, len(body)) + body
