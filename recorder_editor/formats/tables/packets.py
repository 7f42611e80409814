"""Tables of packet types: a column for each field, and a table for each list inside a record.

Records of fixed size are read as arrays, about a million at a time; records of variable size are decoded one by one,
from the frames that hold any. Stored values keep the file's units and width.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...arrays import AnyArray, BoolArray, Int32Array, IntArray, StructuredArray, UInt32Array, run_starts
from ...edits.rows import frames_with
from ...format import Array, Body, Field, PacketType, Struct
from ...progress import Progress
from ...reading import SelectorError, Subset, Tracks
from ...recording import Snapshot
from ...texts import say
from .table import ACTOR_COLUMNS, TIME_COLUMNS, ActorNames, FrameTimes, Read, Table
from .values import TableBlock, Values, column_for, column_of, snake_case, stored_column

_RECORD_COLUMNS = (Field("record", "u32", "Number of the record among those of its type in the frame, from 1"),)
_ELEMENT = Field("element", "u32", "Number in the list, from 1")
_ROWS = 1 << 16  # of a block, where records are decoded one by one
_CHECKED_EVERY = 64


def packet_tables(snapshot: Snapshot) -> Iterator[Table]:
    """Yield a table for each packet of the dialect with known records, and for each list inside a record."""
    for kind in snapshot.dialect.packets.values():
        if kind.name == "FrameStart":
            yield _frames_table(snapshot, kind)
        elif kind.body not in ("list", "single"):
            continue
        elif kind.dtype is not None:
            yield _fixed_size_table(snapshot, kind)
        else:
            yield _variable_size_table(snapshot, kind)
            for array in kind.record.arrays.values():
                yield _elements_table(snapshot, kind, array)


# --- columns ----------------------------------------------------------------------------------------------


def _column_fields(record: Struct) -> dict[str, Field]:
    """Return the fields that are columns, by path; raw bytes, as padding, are none."""
    return {path: field for path, field in record.fields.items() if not field.is_raw}


def _record_columns(kind: PacketType) -> tuple[Field, ...]:
    """Return the plain fields as columns."""
    fields = _column_fields(kind.record)
    if kind.body == "single" and len(fields) == 1:
        (field,) = fields.values()
        return (column_for(snake_case(kind.name), field),)  # `time_s` alone would be the frame's time
    return tuple(column_for(path, field) for path, field in fields.items())


def _name_columns(kind: PacketType) -> tuple[Field, ...]:
    """Return the columns blueprint and role, where records belong to an actor and do not store them."""
    if kind.actor_field is None:
        return ()
    columns = []
    for column in ACTOR_COLUMNS[1:]:
        if column.path not in kind.record.fields:
            columns.append(column)
    return tuple(columns)


def _leading_columns(kind: PacketType) -> tuple[Field, ...]:
    if kind.body == "list":
        return TIME_COLUMNS + _RECORD_COLUMNS
    return TIME_COLUMNS


def _table(snapshot: Snapshot, kind: PacketType, columns: tuple[Field, ...], read: Read) -> Table:
    """Return the table of the records of a packet."""

    def find_frames(frames: range) -> IntArray:
        return frames_with(snapshot, kind, frames)

    return Table(name=kind.name, meaning=kind.meaning, columns=columns, read=read, find_frames=find_frames)


def _frames_table(snapshot: Snapshot, kind: PacketType) -> Table:
    """Return the table FrameStart, read from the frame table."""
    duration = column_for("duration", kind.record.fields["duration"])

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        times = FrameTimes(snapshot)
        durations = snapshot.frame_column("duration")
        _check_no_actors(subset, kind)
        frames = np.arange(subset.frames.start, subset.frames.stop, subset.frames.step)
        for start in range(0, len(frames), _ROWS):
            part = frames[start : start + _ROWS]
            values: list[Values] = list(times.columns(part))
            values.append(durations[part])
            yield TableBlock(len(part), tuple(values))

    def find_frames(frames: range) -> IntArray:
        return np.array(frames, np.int64)

    return Table(
        name=kind.name, meaning=kind.meaning, columns=(*TIME_COLUMNS, duration), read=read, find_frames=find_frames
    )


def _check_no_actors(subset: Subset, kind: PacketType) -> None:
    if subset.spans is not None:
        raise SelectorError(say("{name} has no actors; leave out the choice of actors.", name=kind.name))


# --- records of one size ----------------------------------------------------------------------------------


def _fixed_size_table(snapshot: Snapshot, kind: PacketType) -> Table:
    fields = _record_columns(kind)
    name_columns = _name_columns(kind)
    columns = _leading_columns(kind) + fields[:1] + name_columns + fields[1:]

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        times = FrameTimes(snapshot)
        names = ActorNames(snapshot) if name_columns else None
        record_numbers = _RecordNumbers()
        if not _actor_paths(kind):
            _check_no_actors(subset, kind)
        for records in Tracks(snapshot).blocks(kind.name, None, subset.frames, progress=progress):
            numbers = None
            if kind.body == "list":
                numbers = record_numbers.next_block(records["frame"])
            if subset.spans is not None:
                mask = _subset_mask(subset, kind, records)
                records = records[mask]
                if numbers is not None:
                    numbers = numbers[mask]
            frames = records["frame"]
            stored: list[Values] = []
            for path, field in _column_fields(kind.record).items():
                stored.append(stored_column(records[path], field))
            if names is not None:
                stored[1:1] = names.columns(records["id"], _frames_alive(kind, frames))
            values: list[Values] = list(times.columns(frames))
            if numbers is not None:
                values.append(numbers)
            values.extend(stored)
            yield TableBlock(len(records), tuple(values))

    return _table(snapshot, kind, columns, read)


def _subset_mask(subset: Subset, kind: PacketType, records: StructuredArray) -> BoolArray:
    """Return which records name a chosen actor: bool[n]."""
    mask = np.zeros(len(records), np.bool_)
    for path in _actor_paths(kind):
        mask |= subset.mask(records[path], _frames_alive(kind, records["frame"]))
    return mask


def _actor_paths(kind: PacketType) -> list[str]:
    """Return the paths of the fields that name actors."""
    return [path for path, field in kind.record.fields.items() if field.actor]


def _frames_alive(kind: PacketType, frames: AnyArray) -> AnyArray:
    """Return the frames in which to look up actors of records; deleted ones are alive only in the frame before."""
    if kind.name == "EventDel":
        return frames - 1
    return frames


class _RecordNumbers:
    """Numbers records within their frames, from 1, across blocks."""

    def __init__(self) -> None:
        self._frame = -1
        self._count = 0

    def next_block(self, frames: Int32Array) -> UInt32Array:
        """Return the number of each record of the next block, in these frames (indices)."""
        first = np.flatnonzero(run_starts(frames))
        base = first.copy()
        if frames[0] == self._frame:
            base[0] -= self._count
        lengths = np.diff(np.append(first, len(frames)))
        numbers: UInt32Array = (np.arange(1, len(frames) + 1) - np.repeat(base, lengths)).astype(np.uint32)
        self._frame = int(frames[-1])
        self._count = int(numbers[-1])
        return numbers


# --- records that differ in length ------------------------------------------------------------------------


_RecordRows = Callable[[Mapping[str, Any]], Iterator[list[Any]]]
"""Yields the rows of a decoded record, without its id: values of the columns that hold no names."""


def _variable_size_table(snapshot: Snapshot, kind: PacketType) -> Table:
    """Return the table of records of variable size."""
    columns = list(_leading_columns(kind))
    columns.extend(_owner_columns(kind))
    columns.extend(_name_columns(kind))
    fields = {path: field for path, field in _column_fields(kind.record).items() if field is not kind.actor_field}
    for path, field in fields.items():
        columns.append(column_for(path, field))
    for path, array in kind.record.arrays.items():
        columns.append(Field(path, "u32", array.count_field.meaning))

    def rows_of(record: Mapping[str, Any]) -> Iterator[list[Any]]:
        values = [_value(record, path) for path in fields]
        for path in kind.record.arrays:
            values.append(len(record[path]))
        yield values

    return _table(snapshot, kind, tuple(columns), _reader(snapshot, kind, columns, rows_of))


def _elements_table(snapshot: Snapshot, kind: PacketType, array: Array) -> Table:
    """Return the table of the elements of a list inside records of variable size."""
    fields = _column_fields(array.element)
    columns = list(_leading_columns(kind))
    if kind.actor_field is not None:
        columns.extend(_owner_columns(kind))
        columns.extend(ACTOR_COLUMNS[1:])
    columns.append(_ELEMENT)
    for path, field in fields.items():
        columns.append(column_for(path, field, prefix=f"{array.path}."))

    def rows_of(record: Mapping[str, Any]) -> Iterator[list[Any]]:
        for number, element in enumerate(record[array.path], 1):
            values = [number]
            for path in fields:
                values.append(_value(element, path))
            yield values

    table = _table(snapshot, kind, tuple(columns), _reader(snapshot, kind, columns, rows_of))
    return replace(table, name=f"{kind.name}.{array.path}", meaning=array.meaning)


def _owner_columns(kind: PacketType) -> tuple[Field, ...]:
    """Return the column of the actor to which a record belongs; none where it belongs to no actor."""
    if kind.actor_field is None:
        return ()
    return (column_for(kind.actor_field.path, kind.actor_field),)


def _value(values: Mapping[str, Any], path: str) -> Any:
    group, _, name = path.rpartition(".")
    if group:
        return values[group][name]
    return values[name]


def _reader(snapshot: Snapshot, kind: PacketType, columns: Sequence[Field], rows_of: _RecordRows) -> Read:
    """Return the function that reads a table of records that are decoded one by one.

    Args:
        snapshot: The state of the recording.
        kind: The packet of the records.
        columns: All columns of the table.
        rows_of: Yields the rows of a record.
    """
    actors = _actor_paths(kind)
    owner = kind.actor_field

    def owner_of(record: Mapping[str, Any]) -> int:
        if owner is None:
            return 0
        return int(record[owner.path])

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        if not actors:
            _check_no_actors(subset, kind)
        rows = _Rows(snapshot, kind, columns)
        for frame, body, first in _bodies(snapshot, kind, subset.frames, progress):
            for number, record in enumerate(body, first):
                named = [_value(record, path) for path in actors]
                if subset.spans is None or subset.mask(np.array(named), np.full(len(named), frame)).any():
                    for values in rows_of(record):
                        rows.add(frame=frame, number=number, actor=owner_of(record), values=values)
                if len(rows) >= _ROWS:
                    yield rows.take_block()
        if len(rows):
            yield rows.take_block()

    return read


class _Rows:
    """Rows of decoded records that become the next block."""

    def __init__(self, snapshot: Snapshot, kind: PacketType, columns: Sequence[Field]) -> None:
        self._times = FrameTimes(snapshot)
        self._names = ActorNames(snapshot)
        self._is_list = kind.body == "list"
        self._has_owner = kind.actor_field is not None
        # Behind the number of the record, and its actor.
        self._columns = columns[len(_leading_columns(kind)) + len(_owner_columns(kind)) :]
        self._frames: list[int] = []
        self._numbers: list[int] = []
        self._actors: list[int] = []
        self._values: list[list[Any]] = []

    def __len__(self) -> int:
        return len(self._values)

    def add(self, frame: int, number: int, actor: int, values: list[Any]) -> None:
        """Add a row.

        Args:
            frame: Index of the frame.
            number: Number of the record in the frame, from 1.
            actor: Id of the actor to which the record belongs; 0 where it belongs to none.
            values: Values of the columns after the actor that hold no names.
        """
        self._frames.append(frame)
        self._numbers.append(number)
        self._actors.append(actor)
        self._values.append(values)

    def take_block(self) -> TableBlock:
        """Return the rows as a block, and begin another one."""
        frames = np.array(self._frames, np.int64)
        actors = np.array(self._actors, np.uint32)
        values: list[Values] = list(self._times.columns(frames))
        if self._is_list:
            values.append(np.array(self._numbers, np.uint32))
        names = {}
        if self._has_owner:
            values.append(actors)
            blueprints, roles = self._names.columns(actors, frames)
            names = {"blueprint": blueprints, "role": roles}
        stored = zip(*self._values, strict=True)
        for column in self._columns:
            if column in ACTOR_COLUMNS:
                values.append(names[column.path])
            else:
                values.append(column_of(column, list(next(stored))))
        self._frames.clear()
        self._numbers.clear()
        self._actors.clear()
        self._values.clear()
        return TableBlock(len(frames), tuple(values))


def _bodies(snapshot: Snapshot, kind: PacketType, frames: range, progress: Progress) -> Iterator[tuple[int, Body, int]]:
    """Yield frame, body and the number of its first record for each packet of a kind that holds records."""
    for index in progress.over(frames_with(snapshot, kind, frames).tolist(), _CHECKED_EVERY):
        number = 1
        for packet in snapshot.frame(index).packets:
            if packet.id == kind.id and len(packet.decoded):
                yield index, packet.decoded, number
                number += len(packet.decoded)
