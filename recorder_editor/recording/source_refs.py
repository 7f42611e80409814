"""References from rows to files: a file that was saved over is closed once no row refers to it.

Snapshots in use and all steps that can be undone count. Small steps are copied from an old file into the scratch file,
since otherwise each save after an edit would keep one more file open.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..arrays import IndexArray, StructuredArray
from .frames import RAW, START_SIZE, FrameTable
from .history import Splice, Step
from .store import Store

MAX_BYTES = 32 << 20
MAX_ROWS = 10_000
"""The most that is copied from one old file; for more, the file stays open."""

_BLOCK = 4 << 20  # bytes that are copied at once, about


def tables_of(steps: Iterable[Step]) -> Iterator[FrameTable]:
    """The rows needed to undo and redo the steps."""
    for step in steps:
        yield from step.tables


def sources_of(tables: Iterable[FrameTable]) -> set[int]:
    """The sources of their rows."""
    sources: set[int] = set()
    for table in tables:
        for chunk in table.chunks:
            sources.update(np.unique(chunk["source"]).tolist())
    return sources


def detached_from(store: Store, source: int, steps: Iterable[Step]) -> dict[int, Step]:
    """Copy the rows that steps have in a file to the scratch file.

    Args:
        store: The sources.
        source: The number of the file.
        steps: The steps.

    Returns:
        The steps that have rows in the file, by their `id`, with the copied rows. Empty if that is too much to copy.

    Raises:
        OSError: The bytes cannot be copied.
        SourceChanged: The file was rewritten.
    """
    affected = []
    rows = 0
    size = 0
    for step in steps:
        if source not in sources_of(step.tables):
            continue
        affected.append(step)
        for table in step.tables:
            for chunk in table.chunks:
                part = chunk[chunk["source"] == source]
                rows += len(part)
                size += int(part["size"].sum())
    if rows > MAX_ROWS or size > MAX_BYTES:
        return {}
    copied = {}
    for step in affected:
        forward = tuple(_copied(store, source, splice) for splice in step.forward)
        backward = tuple(_copied(store, source, splice) for splice in step.backward)
        copied[id(step)] = replace(step, forward=forward, backward=backward)
    return copied


def _copied(store: Store, source: int, splice: Splice) -> Splice:
    if source not in sources_of([splice.inserted]):
        return splice
    rows = splice.inserted.rows().copy()
    copy_rows(store, store, rows, np.flatnonzero(rows["source"] == source))
    return replace(splice, inserted=FrameTable.from_rows(rows))


def copy_rows(store: Store, into: Store, rows: StructuredArray, chosen: IndexArray) -> None:
    """Copy the bytes of rows of one source to a scratch file, and change the rows so that they refer to it.

    Neighbours are copied in blocks, frames with their FrameStart, since saving reads both together. No row is split.

    Args:
        store: The sources to read from.
        into: The sources to append to.
        rows: Rows of a frame table, which are changed.
        chosen: The indices of the rows to copy, rising, at least one.
    """
    ahead = np.where(rows["kind"][chosen] == RAW, 0, START_SIZE)
    starts = rows["offset"][chosen] - ahead
    sizes = rows["size"][chosen] + ahead
    ends = starts + sizes
    blocks = np.cumsum(sizes) // _BLOCK
    breaks = (starts[1:] != ends[:-1]) | (blocks[1:] != blocks[:-1])
    source = int(rows["source"][chosen[0]])
    for first, stop in pairwise([0, *(np.flatnonzero(breaks) + 1).tolist(), len(chosen)]):
        start = int(starts[first])
        data = store.read(source, start, int(ends[stop - 1]) - start)
        _, offset = into.append(data)
        rows["offset"][chosen[first:stop]] += offset - start
    rows["source"][chosen] = Store.scratch
