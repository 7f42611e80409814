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
    """A field of a record, and where it is in the body.

    Attributes:
        path: The path, which names elements of arrays: `attributes[2].value`.
        field: The field.
        start: The offset of its first byte in the body.
        stop: The offset after its last byte.
    """

    path: str
    field: Field
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class BodyDamage:
    """An error in a body.

    Attributes:
        offset: The byte in the body.
        message: The error in words.
    """

    offset: int
    message: str


class _Truncated(Exception):
    """A record runs past the end of the body.

    Attributes:
        offset: The offset of what is cut off.
        what: The label of what is cut off.
    """

    def __init__(self, offset: int, what: str) -> None:
        super().__init__(offset, what)
        self.offset = offset
        self.what = what


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
        """The bytes `(start, stop)` of a record.

        Raises:
            IndexError: There is no such record.
        """
        starts = self._starts
        if not 0 <= index < len(starts):
            raise IndexError(index)
        if index == len(starts) - 1:
            stop = self._end
        else:
            stop = starts[index + 1]
        return starts[index], stop

    def raw(self, index: int) -> bytes:
        """The bytes of a record.

        Raises:
            IndexError: There is no such record.
        """
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
        """The complete records as a read-only structured view.

        Returns:
            Shape (len,), of the dtype of the record: names are dotted paths.

        Raises:
            TypeError: The records have variable length, or the body is opaque.
        """
        dtype = self.type.dtype
        if dtype is None:
            raise TypeError(f"{self.type.name} has no records of one size")
        offset = 0
        if len(self):
            offset = self._starts[0]
        return np.frombuffer(self.data, dtype, count=len(self), offset=offset)

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
        start, _ = self.span(index)
        return _locate(self.type.record, self.data, start, "")

    def leaf(self, index: int, path: str) -> Leaf:
        """The location of a field in a record.

        Args:
            index: The number of the record, from 0.
            path: The path, which names elements of arrays: `attributes[2].value`.

        Raises:
            IndexError: There is no such record.
            KeyError: There is no such field in it.
        """
        record_start, _ = self.span(index)
        if path in self.type.record.places:
            field, offset = self.type.record.places[path]
            start = record_start + offset
            return Leaf(path, field, start, start + WIDTHS[field.type])
        for leaf in self._iter_leaves(index):
            if leaf.path == path:
                return leaf
        raise KeyError(path)

    def arrays_of(self, index: int) -> Iterator[tuple[Array, int, int]]:
        """The lists of a record: the array, the offset of its first element, the number of elements."""
        offset, _ = self.span(index)
        for step in self.type.record.steps:
            if isinstance(step, Array):
                first = offset + WIDTHS[step.count]
                yield step, first, int.from_bytes(self.data[offset:first], "little")
            offset = _measure_step(step, self.data, offset)

    def value(self, leaf: Leaf) -> Value:
        """The value of a located field."""
        return unpack_value(leaf.field, self.data[leaf.start : leaf.stop])

    def get(self, index: int, path: str) -> Value:
        """The value of a field in a record; errors as `leaf`."""
        return self.value(self.leaf(index, path))

    def record(self, index: int) -> Record:
        """A record as nested plain values.

        Raises:
            IndexError: There is no such record.
        """
        start, _ = self.span(index)
        record, _ = _read(self.type.record, self.data, start)
        return record

    def records(self) -> list[Record]:
        """All complete records as nested plain values; iterate over the body to make one at a time."""
        return list(self)

    def __iter__(self) -> Iterator[Record]:
        for start in self._starts:
            record, _ = _read(self.type.record, self.data, start)
            yield record

    def find_field(self, offset: int) -> tuple[int | None, Leaf | None]:
        """The record and the field that hold a byte.

        Args:
            offset: The offset of the byte in the body.

        Returns:
            (record, field); (None, count field) in the count; (None, None) in the tail and in opaque bodies.
        """
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
        """The last record of an actor id, which counts where ids repeat; None without one."""
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
        return Body(packet_type, data, count=None, _starts=[], _end=len(data), damage=None)
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
        return Body(packet_type, data, count=None, _starts=[], _end=0, damage=damage)
    if packet_type.body == "single":
        return _decode_single(packet_type, data)
    if len(data) < 2:
        damage = BodyDamage(
            0, say("The count of {name} needs 2 bytes, but the body has {size}", name=packet_type.name, size=len(data))
        )
        return Body(packet_type, data, count=None, _starts=[], _end=0, damage=damage)
    count = int.from_bytes(data[:2], "little")
    size = packet_type.record.size
    if size is not None:
        whole = min(count, (len(data) - 2) // size)
        end = 2 + whole * size
        starts: range | list[int] = range(2, end, size)
        cut: _Cut | None = None
        if whole < count:
            cut = (end, say("record {record}", record=whole + 1))
    else:
        starts, end, cut = _measure_all(packet_type.record, data, count)
    if cut is not None:
        damage = _cut_damage(packet_type, count, len(starts), cut)
    else:
        damage = _tail_damage(packet_type, data, end)
    return Body(packet_type, data, count, starts, end, damage)


_Cut = tuple[int, str]
"""Where a list is cut off: the offset, and what is not whole there."""


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
        return Body(packet_type, data, count=None, _starts=[], _end=0, damage=missing)
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
    return Body(packet_type, data, count=None, _starts=range(0, size, size), _end=size, damage=damage)


def _cut_damage(packet_type: PacketType, count: int, whole: int, cut: _Cut) -> BodyDamage:
    """The damage of a body that ends before its last record: `count` records are stored, `whole` are there."""
    offset, what = cut
    return BodyDamage(
        offset,
        say(
            "{name} says {count:,} records, but the body ends in {what} ({whole:,} are whole)",
            name=packet_type.name,
            count=count,
            what=what,
            whole=whole,
        ),
    )


def _tail_damage(packet_type: PacketType, data: bytes, end: int) -> BodyDamage | None:
    """The damage of a body with bytes after the last record, which ends at `end`; None without such bytes."""
    if end >= len(data):
        return None
    if packet_type.described_by:
        return BodyDamage(
            end,
            say_count(
                "1 byte after the last record of {name} is not described by {file}",
                "{count:,} bytes after the last record of {name} are not described by {file}",
                count=len(data) - end,
                name=packet_type.name,
                file=packet_type.described_by,
            ),
        )
    return BodyDamage(
        end,
        say_count(
            "1 byte after the last record of {name}: a simulator would lose its place",
            "{count:,} bytes after the last record of {name}: a simulator would lose its place",
            count=len(data) - end,
            name=packet_type.name,
        ),
    )


def _measure_all(record: Struct, data: bytes, count: int) -> tuple[list[int], int, _Cut | None]:
    """The starts of the whole records of a list, the end of the last one, and where the list is cut off."""
    starts, offset = _measure_one_array(record, data, count)
    for index in range(len(starts), count):
        try:
            following = _measure(record, data, offset)
        except _Truncated as error:
            what = say("{what} of record {record}", what=error.what, record=index + 1)
            return starts, offset, (error.offset, what)
        starts.append(offset)
        offset = following
    return starts, offset, None


def _measure_one_array(record: Struct, data: bytes, count: int) -> tuple[list[int], int]:
    """The starts of the first records that fit, and their end.

    For records of fixed fields and one array of fixed-size elements; other records give none. No call for each record:
    wheels are in every frame of a recording with additional data.
    """
    starts: list[int] = []
    offset = 2
    if len(record.steps) != 2:
        return starts, offset
    fields, array = record.steps
    if not isinstance(fields, Run) or not isinstance(array, Array) or array.element.size is None:
        return starts, offset
    end = len(data)
    width = WIDTHS[array.count]
    size = array.element.size
    read = int.from_bytes
    head = fields.unpack.size
    while len(starts) < count:
        elements = offset + head + width
        number = read(data[offset + head : elements], "little")
        following = elements + number * size
        if elements > end or following > end or number > MAX_ELEMENTS:
            break
        starts.append(offset)
        offset = following
    return starts, offset


def _measure(record: Struct, data: bytes, offset: int) -> int:
    """The end of the record that begins at an offset; raises `_Truncated`."""
    for step in record.steps:
        offset = _measure_step(step, data, offset)
    return offset


def _measure_step(step: Step, data: bytes, offset: int) -> int:
    """The end of the fields or the array that begin at an offset; raises `_Truncated`."""
    if isinstance(step, Run):
        end = offset + step.unpack.size
        if end > len(data):
            raise _Truncated(offset, _first_missing(step, len(data) - offset).label)
    elif isinstance(step, Array):
        end = _measure_array(step, data, offset)
    else:
        end = offset + 2 + int.from_bytes(data[offset : offset + 2], "little")
        if offset + 2 > len(data) or end > len(data):
            raise _Truncated(offset, step.label)
    return end


def _first_missing(run: Run, size: int) -> Field:
    """The first field of a run that does not fit in `size` bytes."""
    for field, place in zip(run.fields, run.places, strict=True):
        if place + WIDTHS[field.type] > size:
            return field
    raise ValueError(f"{size} bytes hold the whole run")


def _measure_array(array: Array, data: bytes, offset: int) -> int:
    width = WIDTHS[array.count]
    first = offset + width
    if first > len(data):
        raise _Truncated(offset, say("the count of {path}", path=array.path))
    count = int.from_bytes(data[offset:first], "little")
    if count * array.element.least > len(data) - first:
        raise _Truncated(offset, say("{path} ({said:,} said)", path=array.path, said=count))
    if count > MAX_ELEMENTS:
        what = say("{path} ({said:,} said, {most:,} at most)", path=array.path, said=count, most=MAX_ELEMENTS)
        raise _Truncated(offset, what)
    if array.element.size is not None:
        return first + count * array.element.size
    end = _skip_elements(array.element, data, first, count)
    if end is not None:
        return end
    end = first
    for _ in range(count):
        end = _measure(array.element, data, end)
    return end


def _skip_elements(element: Struct, data: bytes, offset: int, count: int) -> int | None:
    """The end of `count` elements; None if they do not fit or contain arrays.

    No call and no object for each element: a body may hold millions of five bytes.
    """
    if element.gaps is None:
        return None
    gaps, rest = element.gaps
    try:
        for _ in range(count):
            for gap in gaps:
                offset += gap
                offset += data[offset - 2] | data[offset - 1] << 8
            offset += rest
    except IndexError:
        return None
    if offset <= len(data):
        return offset
    return None


def _locate(record: Struct, data: bytes, offset: int, prefix: str) -> Generator[Leaf, None, int]:
    """The leaves of a record in file order; returns its end."""
    for step in record.steps:
        if isinstance(step, Run):
            for field, place in zip(step.fields, step.places, strict=True):
                start = offset + place
                yield Leaf(prefix + field.path, field, start, start + WIDTHS[field.type])
            offset += step.unpack.size
        elif isinstance(step, Array):
            first = offset + WIDTHS[step.count]
            count = int.from_bytes(data[offset:first], "little")
            yield Leaf(prefix + step.path, step.count_field, offset, first)
            offset = first
            for index in range(count):
                offset = yield from _locate(step.element, data, offset, f"{prefix}{step.path}[{index}].")
        else:
            end = offset + 2 + int.from_bytes(data[offset : offset + 2], "little")
            yield Leaf(prefix + step.path, step, offset, end)
            offset = end
    return offset


def _read(record: Struct, data: bytes, offset: int) -> tuple[Record, int]:
    """The values of the record that begins at an offset, and the end of it."""
    values: Record = {}
    for step in record.steps:
        if isinstance(step, Run):
            numbers = step.unpack.unpack_from(data, offset)
            for field, place, (group, name), number in zip(step.fields, step.places, step.names, numbers, strict=True):
                if field.type == "bool" or number != number:
                    start = offset + place
                    number = normalize(field, number, data[start : start + WIDTHS[field.type]])
                if group:
                    values.setdefault(group, {})[name] = number
                else:
                    values[name] = number
            offset += step.unpack.size
        elif isinstance(step, Array):
            first = offset + WIDTHS[step.count]
            count = int.from_bytes(data[offset:first], "little")
            offset = first
            elements = []
            for _ in range(count):
                element, offset = _read(step.element, data, offset)
                elements.append(element)
            values[step.path] = elements
        else:
            start = offset + 2
            offset = start + (data[offset] | data[offset + 1] << 8)
            values[step.path] = text_of(data[start:offset])
    return values, offset


def _value_of(values: Mapping[str, Any], field: Field, group: str, name: str) -> Value:
    try:
        if group:
            values = values[group]
        value: Value = values[name]
    except (KeyError, TypeError):
        raise FieldError(say("{label} is missing.", label=field.label), field=field.path) from None
    return value


def _pack_run(run: Run, values: Mapping[str, Any]) -> bytes:
    try:
        numbers = []
        for group, name in run.names:
            if group:
                numbers.append(values[group][name])
            else:
                numbers.append(values[name])
        if not run.has_raw and RawFloat not in map(type, numbers):
            return run.unpack.pack(*numbers)
    except (KeyError, TypeError, struct.error, OverflowError):
        pass  # below, the field that is missing or does not fit raises
    parts = []
    for field, (group, name) in zip(run.fields, run.names, strict=True):
        parts.append(pack_value(field, _value_of(values, field, group, name)))
    return b"".join(parts)


def encode_record(record: Struct, values: Mapping[str, object]) -> bytes:
    """The bytes of one record.

    Args:
        record: The form of the record.
        values: The record as nested plain values.

    Raises:
        FieldError: A value is missing or does not fit its field.
    """
    parts: list[bytes] = []
    for step in record.steps:
        if isinstance(step, Run):
            parts.append(_pack_run(step, values))
        elif isinstance(step, Array):
            elements = values.get(step.path)
            if not isinstance(elements, Sequence) or isinstance(elements, (str, bytes)):
                raise FieldError(say("{path} takes a list.", path=step.path), field=step.path)
            parts.append(pack_value(step.count_field, len(elements)))
            for element in elements:
                parts.append(encode_record(step.element, element))
        else:
            parts.append(pack_text(step, _value_of(values, step, "", step.path)))
    return b"".join(parts)


def encode(packet_type: PacketType, records: Iterable[Mapping[str, object]]) -> bytes:
    """A body from records given as nested plain values.

    Raises:
        FieldError: A record cannot be encoded, or a body of this type does not hold so many records.
    """
    if packet_type.body in ("opaque", "empty"):
        for _ in records:
            raise FieldError(say("{name} has no records.", name=packet_type.name))
        return b""
    encoded = [encode_record(packet_type.record, record) for record in records]
    if packet_type.body == "single":
        if len(encoded) != 1:
            raise FieldError(
                say("{name} holds exactly one record, not {encoded}.", name=packet_type.name, encoded=len(encoded))
            )
        return encoded[0]
    return counted(packet_type, len(encoded)) + b"".join(encoded)


def encode_array(packet_type: PacketType, records: StructuredArray) -> bytes:
    """A body from a structured array.

    Args:
        packet_type: A list type with records of fixed size.
        records: Shape (n,), of the type's dtype.

    Raises:
        TypeError: The records have another dtype, or the type is no list.
        FieldError: There are more than 65,535 records.
    """
    if packet_type.dtype != records.dtype or packet_type.body != "list":
        raise TypeError(f"{packet_type.name} does not take records of dtype {records.dtype}")
    return counted(packet_type, len(records)) + records.tobytes()


def counted(packet_type: PacketType, number: int) -> bytes:
    """The bytes of the count before the records of a list.

    Raises:
        FieldError: There are more than 65,535 records.
    """
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

    Args:
        body: The body.
        index: The number of the record, from 0.
        path: The path of the field, which names elements of arrays.
        value: The new value.

    Raises:
        FieldError: The value does not fit the field, or the field is a count.
        KeyError: There is no such field.
        IndexError: There is no such record.
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
    array_path, _, _ = head.partition("[")
    array = record.arrays.get(array_path)
    return array is not None and _is_count(array.element, rest)


def splice_records(body: Body, at: int, removed: int, inserted: Sequence[bytes]) -> bytes:
    """The body with some records replaced by others, and the count updated.

    Args:
        body: The body.
        at: The number of the first record that is replaced, from 0; the number of records to append.
        removed: How many records are removed.
        inserted: The encoded records that are inserted there.

    Raises:
        FieldError: The body has no list of records, or there would be more than 65,535.
        IndexError: There are no such records.
    """
    if body.count is None:
        raise FieldError(say("{name} has no list of records.", name=body.type.name))
    if at < 0 or removed < 0 or at + removed > len(body):
        raise IndexError(at)
    if at < len(body):
        start, _ = body.span(at)
    else:
        start, _ = body.tail
    stop = start
    if removed:
        _, stop = body.span(at + removed - 1)
    count = counted(body.type, body.count - removed + len(inserted))
    return count + body.data[2:start] + b"".join(inserted) + body.data[stop:]


def without_records(body: Body, removed: Collection[int]) -> bytes:
    """The body without some records, and the count updated.

    Args:
        body: The body.
        removed: The numbers of the records, from 0.

    Raises:
        FieldError: The body has no list of records.
        IndexError: There is no such record.
    """
    if body.count is None:
        raise FieldError(say("{name} has no list of records.", name=body.type.name))
    kept = []
    end = 2  # of the last record that is removed
    for index in sorted(set(removed)):
        start, stop = body.span(index)
        kept.append(body.data[end:start])
        end = stop
    return counted(body.type, body.count - len(kept)) + b"".join(kept) + body.data[end:]


PACKET_HEADER = struct.Struct("<BI")
"""The 5 bytes before every body: u8 id, u32 size of the body (format reference 3.1)."""


def packet_bytes(number: int, body: bytes) -> bytes:
    """A whole packet: its 5-byte header and the body."""
    return PACKET_HEADER.pack(number, len(body)) + body
