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
    """Records in a packet of a block, the last of each actor in each frame: one entry per record.

    Attributes: `kind`, `rows` (in the block), `frames` (indices), `lives` (indices), `values` (bytes, a copy of shape
    (n, size of a record)).
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
        """Write records into the block; returns bool[n]: those that changed."""
        self._records[self.rows, self._columns] = values
        return np.asarray((values != self.values).any(axis=1))

    def place(self, path: str) -> slice:
        """The bytes of a field in each record."""
        field, at = self.kind.record.places[path]
        return slice(at, at + WIDTHS[field.type])

    def column(self, path: str) -> AnyArray:
        """A copy of the numbers of a field, shape (n,)."""
        field, _ = self.kind.record.places[path]
        return np.ascontiguousarray(self.values[:, self.place(path)]).view("<" + CODES[field.type])[:, 0]


def elements_of(kind: PacketType, records: Bytes, path: str) -> tuple[slice, StructuredArray]:
    """The bytes of a list at the end of records of one length, and a copy of its elements, shape (n, elements)."""
    array = kind.record.arrays[path]
    dtype = array.element.dtype
    assert dtype is not None
    assert kind.record.members[-1] is array
    head = sum(WIDTHS[field.type] for field, _ in kind.record.head)
    place = slice(head + WIDTHS[array.count], records.shape[1])
    return place, np.ascontiguousarray(records[:, place]).view(dtype)


class RecordSelection:
    """The records of lives, each within its own span of frames.

    Attributes: `frames` (from the first to the last of all spans), `spans` (as given, without empty ones).
    """

    def __init__(self, lives: Mapping[int, Life], spans: Mapping[int, range]) -> None:
        """`lives` and `spans` by index of the life; a span lies within the life."""
        self.spans = {index: span for index, span in spans.items() if len(span)}
        order = sorted(self.spans, key=lambda index: (lives[index].actor, self.spans[index].start))
        self._lives = np.array(order, np.int64)
        self._ids = np.array([lives[index].actor for index in order], np.uint64)
        self._stops = np.array([self.spans[index].stop for index in order], np.int64)
        self._keys = keys_of(self._ids, np.array([self.spans[index].start for index in order], np.uint64))
        self._wanted = np.unique(self._ids).astype(np.uint32)
        first = min((span.start for span in self.spans.values()), default=0)
        self.frames = range(first, max((span.stop for span in self.spans.values()), default=first))

    def __len__(self) -> int:
        return len(self.spans)

    def find(
        self, block: FrameBlock, first: int, kind: PacketType, patterns: Patterns | None = None
    ) -> Iterator[SelectedRecords]:
        """The selected records of a packet kind, those of each length together.

        `first` is the index of the block's first frame; `patterns` finds records that are not all of one size.
        """
        if kind.record.size is None and patterns is not None and kind.id in block.layout.ids:
            for uniform in patterns.groups(block, np.arange(len(block))):
                for listed in uniform.lists:
                    if listed.kind is kind:
                        ids = listed.numbers(uniform.data)
                    else:
                        ids = np.empty((0, 0), np.uint32)
                    for number in np.flatnonzero(np.isin(ids, self._wanted).any(axis=0)).tolist():
                        rows, _, lives = self._living(uniform.rows, uniform.rows * 0, ids[:, number], first)
                        if len(rows):
                            data = block.data[:, None, listed.span(number)]
                            yield SelectedRecords(kind, rows, rows + first, lives, data[rows, 0], data, rows * 0)
            return
        for records in block.records(kind):
            ids = records.ids
            if len(self._wanted) == 1:
                wanted = ids == self._wanted[0]
            else:
                wanted = np.isin(ids, self._wanted)
            rows, columns = np.nonzero(wanted & records.valid)
            rows, columns, lives = self._living(rows, columns, ids[rows, columns], first)
            if len(rows):
                values = records.bytes[rows, columns]
                yield SelectedRecords(kind, rows, rows + first, lives, values, records.bytes, columns)

    def _looked_up(self, ids: UInt32Array, frames: IntArray) -> tuple[IntArray, BoolArray]:
        """For each (id, frame) the index of the candidate life, and whether the frame is in its span."""
        at = self._keys.searchsorted(keys_of(ids, frames), side="right") - 1
        return at, (at >= 0) & (self._ids[at] == ids) & (frames < self._stops[at])

    def _living(
        self, rows: IndexArray, columns: IndexArray, ids: UInt32Array, first: int
    ) -> tuple[IndexArray, IndexArray, IntArray]:
        """The records within the spans, the last of each id in a row, and their lives."""
        at, here = self._looked_up(ids, rows + first)
        rows, columns, at = rows[here], columns[here], at[here]
        lives = self._lives[at]
        keys = rows * np.int64(len(self._lives)) + at
        if len(keys) > 1:
            _, last = np.unique(keys[::-1], return_index=True)
            if len(last) < len(keys):
                kept = np.sort(len(keys) - 1 - last)
                rows, columns, lives = rows[kept], columns[kept], lives[kept]
        return rows, columns, lives
