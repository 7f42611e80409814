"""Tables of packet types: a column for each field, and a table for each list inside a record.

Records of fixed size are read as arrays, about a million at a time; records of variable size are decoded one by one,
from the frames that hold any. Stored values keep the file's units and width.
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np

from ...arrays import AnyArray, BoolArray, Int32Array, StructuredArray, UInt32Array, begins
from ...edits.rows import frames_with
from ...format import Array, Body, Field, PacketType, Struct
from ...progress import Progress
from ...reading import SelectorError, Subset, Tracks
from ...recording import Snapshot
from ...texts import say
from .table import ACTOR_COLUMNS, TIME_COLUMNS, ActorNames, FrameTimes, Table
from .values import TableBlock, Values, column_for, column_of, snake_case, stored_column

_RECORD = Field("record", "u32", "Number of the record among those of its type in the frame, from 1")
_ELEMENT = Field("element", "u32", "Number in the list, from 1")
_ROWS = 1 << 16  # of a block, where records are decoded one by one
_CHECKED_EVERY = 64


def packet_tables(snapshot: Snapshot) -> Iterator[Table]:
    """A table for each packet of the dialect with known records, and for each list inside a record."""
    for kind in snapshot.dialect.packets.values():
        if kind.name == "FrameStart":
            yield _frames(snapshot, kind)
        elif kind.body not in ("list", "single"):
            continue
        elif kind.dtype is not None:
            yield _fixed_size_table(snapshot, kind)
        else:
            yield _variable_size_table(snapshot, kind, None)
            yield from (_variable_size_table(snapshot, kind, array) for array in kind.record.arrays.values())


# --- columns ----------------------------------------------------------------------------------------------


def _told(record: Struct) -> dict[str, Field]:
    """The fields that are columns, by path; raw bytes, as padding, are none."""
    return {path: field for path, field in record.fields.items() if not field.is_raw}


def _fields(kind: PacketType) -> list[Field]:
    """The plain fields as columns."""
    fields = _told(kind.record)
    if kind.body == "single" and len(fields) == 1:
        # `time_s` alone would be the frame's time.
        return [column_for(snake_case(kind.name), field) for field in fields.values()]
    return [column_for(path, field) for path, field in fields.items()]


def _names(kind: PacketType) -> tuple[Field, ...]:
    """The columns blueprint and role, where records belong to an actor and do not store them."""
    if kind.actor_field is None:
        return ()
    return tuple(field for field in ACTOR_COLUMNS[1:] if field.path not in kind.record.fields)


def _leading_columns(kind: PacketType) -> tuple[Field, ...]:
    if kind.body == "list":
        return (*TIME_COLUMNS, _RECORD)
    return TIME_COLUMNS


def _frames(snapshot: Snapshot, kind: PacketType) -> Table:
    """The table FrameStart, read from the frame table."""
    duration = column_for("duration", kind.record.fields["duration"])

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        times = FrameTimes(snapshot)
        durations = snapshot.frame_column("duration")
        _check_no_actors(subset, kind)
        frames = np.arange(subset.frames.start, subset.frames.stop, subset.frames.step)
        for start in range(0, len(frames), _ROWS):
            part = frames[start : start + _ROWS]
            yield TableBlock(len(part), (*times.columns(part), durations[part]))

    return Table(kind.name, kind.meaning, (*TIME_COLUMNS, duration), read, lambda frames: np.array(frames, np.int64))


def _check_no_actors(subset: Subset, kind: PacketType) -> None:
    if subset.spans is not None:
        raise SelectorError(say("{name} has no actors; leave out the choice of actors.", name=kind.name))


# --- records of one size ----------------------------------------------------------------------------------


def _fixed_size_table(snapshot: Snapshot, kind: PacketType) -> Table:
    fields = _fields(kind)
    names = _names(kind)
    columns = (*_leading_columns(kind), *fields[:1], *names, *fields[1:])

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        times = FrameTimes(snapshot)
        known = None
        if names:
            known = ActorNames(snapshot)
        ordinals = _Ordinals()
        if not _actor_paths(kind):
            _check_no_actors(subset, kind)
        for records in Tracks(snapshot).blocks(kind.name, None, subset.frames, progress=progress):
            if kind.body == "list":
                places = [ordinals.of(records["frame"])]
            else:
                places = []
            if subset.spans is not None:
                mask = _subset_mask(subset, kind, records)
                records, places = records[mask], [each[mask] for each in places]
            frames = records["frame"]
            stored: list[Values] = []
            for path, field in _told(kind.record).items():
                stored.append(stored_column(records[path], field))
            if known is not None:
                stored[1:1] = known.columns(records["id"], _frames_alive(kind, frames))
            yield TableBlock(len(records), (*times.columns(frames), *places, *stored))

    return Table(kind.name, kind.meaning, columns, read, lambda frames: frames_with(snapshot, kind, frames))


def _subset_mask(subset: Subset, kind: PacketType, records: StructuredArray) -> BoolArray:
    """Which records name a chosen actor: bool[n]."""
    found = np.zeros(len(records), np.bool_)
    for path in _actor_paths(kind):
        found |= subset.mask(records[path], _frames_alive(kind, records["frame"]))
    return found


def _actor_paths(kind: PacketType) -> list[str]:
    """The fields that name actors."""
    return [path for path, field in kind.record.fields.items() if field.actor]


def _frames_alive(kind: PacketType, frames: AnyArray) -> AnyArray:
    """The frames in which to look up the actors of records; deleted actors are alive only in the frame before."""
    if kind.name == "EventDel":
        return frames - 1
    return frames


class _Ordinals:
    """Numbers records within their frames, from 1, across blocks."""

    def __init__(self) -> None:
        self._frame = -1
        self._count = 0

    def of(self, frames: Int32Array) -> UInt32Array:
        first = np.flatnonzero(begins(frames))
        base = first.copy()
        if frames[0] == self._frame:
            base[0] -= self._count
        lengths = np.diff(np.append(first, len(frames)))
        ordinals: UInt32Array = (np.arange(1, len(frames) + 1) - np.repeat(base, lengths)).astype(np.uint32)
        self._frame = int(frames[-1])
        self._count = int(ordinals[-1])
        return ordinals


# --- records that differ in length ------------------------------------------------------------------------


def _variable_size_table(snapshot: Snapshot, kind: PacketType, array: Array | None) -> Table:
    """A table of records of variable size, or of the elements of one of their lists."""
    owner = kind.actor_field
    assert owner is not None
    names = _names(kind)
    identity = column_for(owner.path, owner)
    if array is None:
        counts = []
        for path, each in kind.record.arrays.items():
            counts.append(Field(path, "u32", each.count_field.meaning))
        rest = []
        for path, field in _told(kind.record).items():
            if path != owner.path:
                rest.append(column_for(path, field))
        columns: tuple[Field, ...] = (*_leading_columns(kind), identity, *names, *rest, *counts)
        name = kind.name
        meaning = kind.meaning
    else:
        elements = []
        for path, field in _told(array.element).items():
            elements.append(column_for(path, field, f"{array.path}."))
        columns = (*_leading_columns(kind), identity, *ACTOR_COLUMNS[1:], _ELEMENT, *elements)
        name = f"{kind.name}.{array.path}"
        meaning = array.meaning

    def read(subset: Subset, progress: Progress) -> Iterator[TableBlock]:
        times = FrameTimes(snapshot)
        known = ActorNames(snapshot)
        rows: list[tuple[Any, ...]] = []

        def block() -> TableBlock:
            frames, ordinals, ids, *rest = (list(column) for column in zip(*rows, strict=True))
            rows.clear()
            at = np.array(frames, np.int64)
            actors = np.array(ids, np.uint32)
            found = dict(zip(("blueprint", "role"), known.columns(actors, at), strict=True))
            values = iter(rest)
            stored = []
            for column in columns[len(TIME_COLUMNS) + 2 :]:
                stored.append(found[column.path] if column in ACTOR_COLUMNS else column_of(column, next(values)))
            return TableBlock(len(at), (*times.columns(at), np.array(ordinals, np.uint32), actors, *stored))

        for frame, body, first in _bodies(snapshot, kind, subset.frames, progress):
            for index, record in enumerate(body):
                actor = record[owner.path]
                if subset.spans is None or subset.mask(np.array([actor]), np.array([frame]))[0]:
                    rows.extend((frame, first + index, actor, *row) for row in _rows(kind, record, array))
                if len(rows) >= _ROWS:
                    yield block()
        if rows:
            yield block()

    return Table(name, meaning, columns, read, lambda frames: frames_with(snapshot, kind, frames))


def _rows(kind: PacketType, record: Mapping[str, Any], array: Array | None) -> Iterator[tuple[Any, ...]]:
    """The rows of a record, without its id: one, or one for each element of the list."""
    if array is None:
        yield tuple(
            chain(
                (_value(record, path) for path, field in _told(kind.record).items() if field is not kind.actor_field),
                (len(record[path]) for path in kind.record.arrays),
            )
        )
        return
    for number, element in enumerate(record[array.path], 1):
        yield (number, *(_value(element, path) for path in _told(array.element)))


def _value(values: Mapping[str, Any], path: str) -> Any:
    group, _, name = path.rpartition(".")
    if group:
        return values[group][name]
    return values[name]


def _bodies(snapshot: Snapshot, kind: PacketType, frames: range, progress: Progress) -> Iterator[tuple[int, Body, int]]:
    """(frame, body, ordinal of its first record) of each packet of a kind that holds records."""
    for index in progress.over(frames_with(snapshot, kind, frames).tolist(), _CHECKED_EVERY):
        ordinal = 1
        for packet in snapshot.frame(index).packets:
            if packet.id == kind.id and len(packet.decoded):
                yield index, packet.decoded, ordinal
                ordinal += len(packet.decoded)
