"""One pass over many frames that changes the same thing in each: read a block, change it, write it to the scratch file.

Neighbouring frames of one layout are one two-dimensional array of bytes, so that a change is a numpy assignment and
no Python loop per frame.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..errors import Cancelled, EditError
from ..format.codec import decode
from ..format.schema import PacketType
from ..recording.frames import RAW, START_SIZE, FrameTable, Layout, Layouts
from ..recording.history import Splice
from ..recording.snapshot import FRAME_START_HEADER, Snapshot

BLOCK = 8 << 20
_ROWS = 4096  # of the table looked at in one go
Bytes = np.ndarray[tuple[int, int], np.dtype[np.uint8]]
Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]
Indices = np.ndarray[tuple[int], np.dtype[np.intp]]


@dataclass(frozen=True)
class Located:
    """An actor's last records in a block: `rows` (indices in it), `values` (bytes, shape (len(rows), record))."""

    rows: Indices
    values: Bytes
    _records: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]
    _columns: Indices

    def write(self) -> None:
        """Put `values` back into the block."""
        self._records[self.rows, self._columns] = self.values


@dataclass(frozen=True)
class Block:
    """Neighbouring frames of one layout.

    Attributes: `first` (row number of the first one), `rows` (their records in the table), `data` (all their bytes,
    FrameStart included, shape (frames, bytes), writable), `layout` (offsets count from byte 29).
    """

    first: int
    rows: np.ndarray[tuple[int], np.dtype[np.void]]
    data: Bytes
    layout: Layout

    def __len__(self) -> int:
        return len(self.rows)

    def packet(self, number: int) -> tuple[int, int] | None:
        """(first byte of the body in a row of `data`, size of the body) of the first packet of that id, or None."""
        (found,) = np.nonzero(self.layout.ids == number)
        if not len(found):
            return None
        return START_SIZE + int(self.layout.offsets[found[0]]) + 5, int(self.layout.sizes[found[0]])

    def locate(self, kind: PacketType, actor: int) -> Located | None:
        """Where the actor's last record of that packet type is, in the frames that have one; None where none has."""
        found, record = self.packet(kind.id), kind.record.size
        if found is None or record is None or found[1] < 2 + record:
            return None
        at, size = found
        whole = (size - 2) // record
        records = self.data[:, at + 2 : at + 2 + whole * record].reshape(len(self), whole, record)
        counts = self.data[:, at].astype(np.int64) | (self.data[:, at + 1].astype(np.int64) << 8)
        ids = np.ascontiguousarray(records[:, :, :4]).view("<u4")[:, :, 0]
        match = (ids == actor) & (np.arange(whole) < counts[:, None])
        (rows,) = np.nonzero(match.any(axis=1))
        if not len(rows):
            return None
        columns = whole - 1 - np.argmax(match[rows, ::-1], axis=1)
        return Located(rows, records[rows, columns], records, columns)

    def field(self, kind: PacketType, row: int, record: int, path: str) -> slice:
        """The bytes of a field of one row of `data`, for records of changing length."""
        found = self.packet(kind.id)
        assert found is not None
        at, size = found
        leaf = decode(kind, self.data[row, at : at + size].tobytes()).leaf(record, path)
        return slice(at + leaf.start, at + leaf.stop)


def held_within(snapshot: Snapshot, frames: range) -> range:
    """The frames that there are; raises `EditError` for a range with gaps."""
    if frames.step != 1:
        raise EditError("An edit runs over frames that follow one another.")
    return range(max(frames.start, 0), min(frames.stop, len(snapshot)))


def sweep(
    snapshot: Snapshot,
    frames: range,
    visit: Callable[[Block], Mask],
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> tuple[Splice, ...]:
    """Splices for the frames that `visit` changed: it changes `block.data` and says which rows it touched.

    `frames` are indices from 0, step 1. Raises `Cancelled`; nothing is changed by it.
    """
    if not len(frames):
        return ()
    first, last = snapshot.table.row_of_frame(frames[0]), snapshot.table.row_of_frame(frames[-1])
    changed: list[tuple[int, np.ndarray[tuple[int], np.dtype[np.void]]]] = []
    for block in blocks(snapshot, first, last + 1):
        if cancel is not None and cancel():
            raise Cancelled
        mask = visit(block)
        if mask.any():
            changed.extend(_written(snapshot, block, mask))
        if progress is not None:
            progress(block.first + len(block) - first, last + 1 - first)
    return joined(changed)


def _written(
    snapshot: Snapshot, block: Block, mask: Mask
) -> Iterator[tuple[int, np.ndarray[tuple[int], np.dtype[np.void]]]]:
    data = block.data[mask]
    source, offset = snapshot.store.append(np.ascontiguousarray(data).reshape(-1).data)
    rows = block.rows.copy()
    rows["source"][mask] = source
    rows["offset"][mask] = offset + START_SIZE + np.arange(len(data)) * data.shape[1]
    rows["stored"][mask] = 1
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    for start, stop in edges.reshape(-1, 2).tolist():
        yield block.first + start, rows[start:stop]


def joined(changed: list[tuple[int, np.ndarray[tuple[int], np.dtype[np.void]]]]) -> tuple[Splice, ...]:
    """Splices of runs of rows, given as (number of the first one, rows) in rising order; neighbours become one."""
    splices: list[Splice] = []
    run: list[np.ndarray[tuple[int], np.dtype[np.void]]] = []
    at = following = -1

    def close() -> None:
        if run:
            rows = np.concatenate(run)
            splices.append(Splice(at, len(rows), FrameTable.from_rows(rows)))
            run.clear()

    for first, rows in changed:
        if first != following:
            close()
            at = first
        run.append(rows)
        following = first + len(rows)
    close()
    return tuple(splices)


def blocks(snapshot: Snapshot, first: int, stop: int, most: int = BLOCK) -> Iterator[Block]:
    """The frames among the rows `[first, stop)`, read in blocks of neighbours of one layout; raw rows are left out.

    A block is at most `most` bytes, or one frame.
    """
    for start in range(first, stop, _ROWS):
        rows = snapshot.table.rows(start, min(stop, start + _ROWS))
        edges = np.flatnonzero(np.concatenate(([True], _breaks(rows), [True])))
        for begin, end in zip(edges.tolist(), edges[1:].tolist(), strict=False):
            if rows["kind"][begin] == RAW:
                continue
            stride = int(rows["size"][begin]) + START_SIZE
            step = max(1, most // stride)
            for at in range(begin, end, step):
                yield _block(snapshot, start + at, rows[at : min(at + step, end)].copy(), stride)


def _breaks(rows: np.ndarray[tuple[int], np.dtype[np.void]]) -> Mask:
    """Where a row does not go on as the one before, bool[rows - 1]: another layout, or bytes elsewhere."""
    before, after = rows[:-1], rows[1:]
    goes_on: Mask = (
        (before["kind"] != RAW) & (after["kind"] != RAW) & (before["layout"] >= 0)
        & (before["layout"] == after["layout"]) & (before["size"] == after["size"])
        & (before["source"] == after["source"]) & (after["offset"] - before["offset"] == before["size"] + START_SIZE)
    )  # fmt: skip
    return ~goes_on


def _block(snapshot: Snapshot, first: int, rows: np.ndarray[tuple[int], np.dtype[np.void]], stride: int) -> Block:
    data = np.empty((len(rows), stride), np.uint8)
    offset = int(rows["offset"][0]) - START_SIZE
    snapshot.store.read_into(int(rows["source"][0]), offset, data.reshape(-1).data)
    data[:, :5] = np.frombuffer(FRAME_START_HEADER, np.uint8)
    for name, at in (("frame_id", 5), ("duration", 13), ("elapsed", 21)):
        data[:, at : at + 8] = np.ascontiguousarray(rows[name]).view(np.uint8).reshape(-1, 8)
    index = int(rows["layout"][0])
    layout = snapshot.layouts.get(index) if index >= 0 else Layouts.walk(data[0, START_SIZE:].tobytes())
    return Block(first, rows, data, layout)
