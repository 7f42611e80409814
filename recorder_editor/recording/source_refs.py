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
    """The steps with rows in a file, by their `id`, with those rows copied to the scratch file.

    Empty if that is too much to copy. Raises OSError, and `SourceChanged` if the file was rewritten.
    """
    affected = []
    for step in steps:
        if source in sources_of(tables_of([step])):
            affected.append(step)
    parts = []
    for table in tables_of(affected):
        for chunk in table.chunks:
            parts.append(chunk[chunk["source"] == source])
    if sum(map(len, parts)) > MAX_ROWS or sum(int(part["size"].sum()) for part in parts) > MAX_BYTES:
        return {}
    return {
        id(step): replace(
            step,
            forward=tuple(_copied(store, source, splice) for splice in step.forward),
            backward=tuple(_copied(store, source, splice) for splice in step.backward),
        )
        for step in affected
    }


def _copied(store: Store, source: int, splice: Splice) -> Splice:
    if source not in sources_of([splice.inserted]):
        return splice
    rows = splice.inserted.rows().copy()
    copy_rows(store, store, rows, np.flatnonzero(rows["source"] == source))
    return replace(splice, inserted=FrameTable.from_rows(rows))


def copy_rows(store: Store, into: Store, rows: StructuredArray, chosen: IndexArray) -> None:
    """Copy the bytes of rows of one source (indices, rising, at least one) to a scratch file: neighbours in blocks.

    Frames with their FrameStart, since saving reads both together; no row is split.
    """
    ahead = np.where(rows["kind"][chosen] == RAW, 0, START_SIZE)
    starts = rows["offset"][chosen] - ahead
    sizes = rows["size"][chosen] + ahead
    ends = starts + sizes
    blocks = np.cumsum(sizes) // _BLOCK
    breaks = (starts[1:] != ends[:-1]) | (blocks[1:] != blocks[:-1])
    for first, stop in pairwise([0, *(np.flatnonzero(breaks) + 1).tolist(), len(chosen)]):
        at = int(starts[first])
        _, offset = into.append(store.read(int(rows["source"][chosen[0]]), at, int(ends[stop - 1]) - at))
        rows["offset"][chosen[first:stop]] += offset - at
    rows["source"][chosen] = Store.scratch
