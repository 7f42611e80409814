"""Record selections: the records of chosen lives in a block of frames, within a span of frames for each life."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ..arrays import AnyArray, BoolArray, ByteArray, IndexArray, IntArray, StructuredArray, UInt32Array
from ..format import WIDTHS, PacketType
from ..format.schema import CODES
from ..reading import Life
from ..reading.motion import keys_of
from ..recording import Bytes, FrameBlock
from .uniform_frames import Patterns


@dataclass(frozen=True)
class SelectedRecords:
    """Records in a packet of a block, mostly the last of each actor in each frame: one entry per record.

    Attributes:
        kind: The packet type.
        rows: Rows in the block, shape (n,).
        frames: Frame indices, shape (n,).
        lives: Indices of the lives, shape (n,).
        values: Bytes, a copy of shape (n, size of a record).
    """

    kind: PacketType
    rows: IndexArray
    frames: IntArray
    lives: IntArray
    values: Bytes
    _records: ByteArray
    _columns: IndexArray

    def __len__(self) -> int:
        return len(self.rows)

    def put(self, values: Bytes) -> BoolArray:
        """Write records, shape (n, size), into the block, and return which changed, bool[n]."""
        self._records[self.rows, self._columns] = values
        return np.asarray((values != self.values).any(axis=1))

    def place(self, path: str) -> slice:
        """Return the bytes of a field in each record."""
        field, start = self.kind.record.places[path]
        return slice(start, start + WIDTHS[field.type])

    def column(self, path: str) -> AnyArray:
        """Return a copy of the numbers of a field, shape (n,)."""
        field, _ = self.kind.record.places[path]
        return np.ascontiguousarray(self.values[:, self.place(path)]).view("<" + CODES[field.type])[:, 0]


def elements_of(kind: PacketType, records: Bytes, path: str) -> tuple[slice, StructuredArray]:
    """Return the bytes of a list at the end of records of one length, and a copy of its elements.

    Args:
        kind: The packet type.
        records: Bytes of records, shape (n, size).
        path: The path of the list.

    Returns:
        The place of the elements in a record, and the elements, shape (n, elements).
    """
    array = kind.record.arrays[path]
    dtype = array.element.dtype
    assert dtype is not None
    assert kind.record.members[-1] is array
    head = sum(WIDTHS[field.type] for field, _ in kind.record.head)
    place = slice(head + WIDTHS[array.count], records.shape[1])
    return place, np.ascontiguousarray(records[:, place]).view(dtype)


class RecordSelection:
    """The records of lives, each within its own span of frames.

    Attributes:
        frames: From the first to the last of all spans.
        spans: As given, without empty ones, by index of the life.
    """

    def __init__(self, lives: Mapping[int, Life], spans: Mapping[int, range]) -> None:
        """Prepare the search; `lives` and `spans` are by index of the life, and a span lies within its life."""
        self.spans: dict[int, range] = {}
        for index, span in spans.items():
            if len(span):
                self.spans[index] = span
        order = sorted(self.spans, key=lambda index: (lives[index].actor, self.spans[index].start))
        self._lives = np.array(order, np.int64)
        self._ids = np.zeros(len(order), np.uint64)
        self._stops = np.zeros(len(order), np.int64)
        starts = np.zeros(len(order), np.uint64)
        for entry, index in enumerate(order):
            self._ids[entry] = lives[index].actor
            self._stops[entry] = self.spans[index].stop
            starts[entry] = self.spans[index].start
        self._keys = keys_of(self._ids, starts)
        self._wanted = np.unique(self._ids).astype(np.uint32)
        self.frames = range(0)
        if len(order):
            self.frames = range(int(starts.min()), int(self._stops.max()))

    def __len__(self) -> int:
        return len(self.spans)

    def find(
        self,
        block: FrameBlock,
        first: int,
        kind: PacketType,
        patterns: Patterns | None = None,
        *,
        takes_all: bool = False,
    ) -> Iterator[SelectedRecords]:
        """Yield the selected records of a packet type, those of each length together.

        Args:
            block: The frames.
            first: Index of the first frame of the block.
            kind: The packet type.
            patterns: Finds records that are not all of one size; None: such packets have none.
            takes_all: Take all records of an actor in a frame, as of its parts, not the last one alone.
        """
        if kind.record.size is None and patterns is not None and kind.id in block.layout.ids:
            yield from self._find_uniform(block, first, kind, patterns)
            return
        for records in block.records(kind):
            ids = records.ids
            if len(self._wanted) == 1:
                is_wanted = ids == self._wanted[0]
            else:
                is_wanted = np.isin(ids, self._wanted)
            rows, columns = np.nonzero(is_wanted & records.valid)
            rows, columns, lives = self._living(rows, columns, ids[rows, columns], first, takes_all=takes_all)
            if len(rows):
                yield SelectedRecords(
                    kind=kind,
                    rows=rows,
                    frames=rows + first,
                    lives=lives,
                    values=records.bytes[rows, columns],
                    _records=records.bytes,
                    _columns=columns,
                )

    def _find_uniform(
        self, block: FrameBlock, first: int, kind: PacketType, patterns: Patterns
    ) -> Iterator[SelectedRecords]:
        """Yield the selected records of a packet type with records that differ in size."""
        for uniform in patterns.groups(block, np.arange(len(block))):
            for listed in uniform.lists:
                if listed.kind is not kind:
                    continue
                ids = listed.numbers(uniform.data, kind.actor_offsets[0])
                for number in np.flatnonzero(np.isin(ids, self._wanted).any(axis=0)).tolist():
                    columns = np.zeros_like(uniform.rows)
                    rows, columns, lives = self._living(uniform.rows, columns, ids[:, number], first)
                    if not len(rows):
                        continue
                    records = block.data[:, None, listed.span(number)]
                    yield SelectedRecords(
                        kind=kind,
                        rows=rows,
                        frames=rows + first,
                        lives=lives,
                        values=records[rows, 0],
                        _records=records,
                        _columns=columns,
                    )

    def _living(
        self, rows: IndexArray, columns: IndexArray, ids: UInt32Array, first: int, *, takes_all: bool = False
    ) -> tuple[IndexArray, IndexArray, IntArray]:
        """Return the records within the spans, the last of each id in a row or all of them, and their lives."""
        frames = rows + first
        entry = self._keys.searchsorted(keys_of(ids, frames), side="right") - 1
        is_within = (entry >= 0) & (self._ids[entry] == ids) & (frames < self._stops[entry])
        rows = rows[is_within]
        columns = columns[is_within]
        entry = entry[is_within]
        keys = rows * np.int64(len(self._lives)) + entry
        if len(keys) > 1 and not takes_all:
            _, last = np.unique(keys[::-1], return_index=True)
            if len(last) < len(keys):
                kept = np.sort(len(keys) - 1 - last)
                rows = rows[kept]
                columns = columns[kept]
                entry = entry[kept]
        return rows, columns, self._lives[entry]
