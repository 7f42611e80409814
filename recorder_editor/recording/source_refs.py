"""Which files are still needed: one that a recording was saved over is let go of once no row leads into it.

A state that somebody still looks at counts, and so does every step that can be taken back. What small steps need from
an old file is copied into the scratch file, or each save after an edit would keep one more file open.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from .frames import RAW, START_SIZE, FrameTable, Rows
from .history import Splice, Step
from .store import Store

MOST_BYTES = 32 << 20
MOST_ROWS = 10_000
"""What is copied from one old file at the most; for more, the file stays open."""


def tables_of(steps: Iterable[Step]) -> Iterator[FrameTable]:
    """The rows that undoing and redoing the steps needs."""
    for step in steps:
        yield from step.tables


def sources_of(tables: Iterable[FrameTable]) -> set[int]:
    """The sources that their rows lead into."""
    found: set[int] = set()
    for table in tables:
        for chunk in table.chunks:
            found.update(np.unique(chunk["source"]).tolist())
    return found


def freed_from(store: Store, source: int, steps: Iterable[Step]) -> dict[int, Step]:
    """The steps that lead into a file, by their `id`, with those bytes in the scratch file instead.

    Empty where that is too much to copy. Raises OSError, and `SourceChanged` where the file cannot be read any more.
    """
    leading = [step for step in steps if source in sources_of(tables_of([step]))]
    parts = [chunk[chunk["source"] == source] for table in tables_of(leading) for chunk in table.chunks]
    if sum(map(len, parts)) > MOST_ROWS or sum(int(part["size"].sum()) for part in parts) > MOST_BYTES:
        return {}
    return {
        id(step): replace(
            step,
            forward=tuple(_copied(store, source, splice) for splice in step.forward),
            backward=tuple(_copied(store, source, splice) for splice in step.backward),
        )
        for step in leading
    }


def _copied(store: Store, source: int, splice: Splice) -> Splice:
    if source not in sources_of([splice.inserted]):
        return splice
    rows = splice.inserted.rows().copy()
    for at in np.flatnonzero(rows["source"] == source).tolist():
        _copy(store, rows, at)
    return replace(splice, inserted=FrameTable.from_rows(rows))


def _copy(store: Store, rows: Rows, at: int) -> None:
    """A frame goes with its FrameStart, which saving reads in one with it."""
    row = rows[at]
    before = 0 if row["kind"] == RAW else START_SIZE
    data = store.read(int(row["source"]), int(row["offset"]) - before, int(row["size"]) + before)
    scratch, offset = store.append(data)
    row["source"], row["offset"] = scratch, offset + before
