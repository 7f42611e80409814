"""One pass over many frames that changes the same thing in each: a block is read, changed, and written to scratch."""

from collections.abc import Callable, Iterator

import numpy as np

from ..errors import EditError
from ..progress import SILENT, Progress
from ..recording.blocks import Block, Mask, blocks
from ..recording.frames import START_SIZE, FrameTable, Rows
from ..recording.history import Splice
from ..recording.snapshot import Snapshot


def held_within(snapshot: Snapshot, frames: range) -> range:
    """The frames that there are; raises `EditError` for a range with gaps."""
    if frames.step != 1:
        raise EditError("An edit runs over frames that follow one another.")
    return range(max(frames.start, 0), min(frames.stop, len(snapshot)))


def sweep(
    snapshot: Snapshot, frames: range, visit: Callable[[Block], Mask], progress: Progress = SILENT
) -> tuple[Splice, ...]:
    """Splices for the frames that `visit` changed: it changes `block.data` and says which rows it touched.

    `frames` are indices from 0, step 1. Raises `Cancelled`; nothing is changed by it.
    """
    if not len(frames):
        return ()
    first, last = snapshot.table.row_of_frame(frames[0]), snapshot.table.row_of_frame(frames[-1])
    changed: list[tuple[int, Rows]] = []
    for block in blocks(snapshot, first, last + 1):
        progress.check()
        mask = visit(block)
        if mask.any():
            changed.extend(_written(snapshot, block, mask))
        progress.update(block.first + len(block) - first, last + 1 - first)
    return joined(changed)


def _written(snapshot: Snapshot, block: Block, mask: Mask) -> Iterator[tuple[int, Rows]]:
    data = block.data[mask]
    source, offset = snapshot.store.append(np.ascontiguousarray(data).reshape(-1).data)
    rows = block.rows.copy()
    rows["source"][mask] = source
    rows["offset"][mask] = offset + START_SIZE + np.arange(len(data)) * data.shape[1]
    rows["stored"][mask] = 1
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    for start, stop in edges.reshape(-1, 2).tolist():
        yield block.first + start, rows[start:stop]


def joined(changed: list[tuple[int, Rows]]) -> tuple[Splice, ...]:
    """Splices of runs of rows, given as (number of the first one, rows) in rising order; neighbours become one."""
    splices: list[Splice] = []
    run: list[Rows] = []
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
