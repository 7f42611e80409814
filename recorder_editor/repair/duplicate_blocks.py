"""Blocks of bytes that were written twice in a row, at any offset.

Frame ids go back after the first copy, and the following bytes equal those one block length before. Removing the second
copy restores the file.
"""

from collections.abc import Iterator

import numpy as np

from ..edits.rows import rows_of
from ..recording.findings import Finding
from ..recording.frames import OPEN_FRAME, RAW, START_SIZE
from ..recording.history import Splice
from ..recording.snapshot import Snapshot
from .report import RepairChange

_MAX_LOOKED_AT = 256
_MAX_BYTES = 32 << 20
_PIECE = 1 << 20
_NEAR = 1 << 20


def find_duplicate_block(snapshot: Snapshot) -> RepairChange | None:
    """The removal of the first duplicate block that holds the beginning of a frame, or None."""
    return next((block for places in _candidates(snapshot) if (block := _between(snapshot, *places)) is not None), None)


def _candidates(snapshot: Snapshot) -> Iterator[tuple[int, int]]:
    """Pairs of positions at which the same frame may begin."""
    kinds = snapshot.table.column("kind")
    rows = np.flatnonzero(kinds != RAW)
    ids = snapshot.table.column("frame_id")[rows]
    back = np.flatnonzero(ids[1:] <= ids[:-1]) + 1
    for place in back[:_MAX_LOOKED_AT].tolist():
        (earlier,) = np.nonzero(ids[:place] == ids[place])
        for first in earlier[::-1][:2].tolist():
            yield snapshot.position(int(rows[first])), snapshot.position(int(rows[place]))
    for row in np.flatnonzero(kinds == OPEN_FRAME)[:_MAX_LOOKED_AT].tolist():
        # The second beginning of the frame may lie within bytes that were read as another packet.
        low = snapshot.position(row)
        data = snapshot.read(low, _NEAR)
        again = data.find(data[:START_SIZE], START_SIZE)
        if again > 0:
            yield low, low + again


def _between(snapshot: Snapshot, low: int, high: int) -> RepairChange | None:
    """The removal of the duplicate block between two beginnings of one frame; None if the bytes differ."""
    size = high - low
    if size > _MAX_BYTES:
        return None
    before = _same(snapshot, low, high, min(size, low - len(snapshot.header_bytes)), backwards=True)
    behind = _same(snapshot, low, high, min(size, snapshot.size - high), backwards=False)
    if before + behind < size:
        return None
    begin = high - before
    head, tail = snapshot.row_at(begin), snapshot.row_at(begin + size - 1)
    if head is None or tail is None:
        return None
    start, stop = snapshot.position(head), snapshot.position(tail + 1)
    data = snapshot.read(start, begin - start) + snapshot.read(begin + size, stop - begin - size)
    frame = snapshot.table.frame_of_row(head)
    text = f"From frame {frame + 1:,} on, {size:,} bytes are in the file twice."
    finding = Finding("doubled-block", "error", text, begin, frame, head, size)
    like = head if data and start < begin else None
    return RepairChange([Splice(head, tail + 1 - head, rows_of(snapshot, data, like=like))], [finding], doubled=size)


def _same(snapshot: Snapshot, low: int, high: int, most: int, *, backwards: bool) -> int:
    """Number of equal bytes before or after two positions, at most `most`."""
    done = 0
    while done < most:
        size = min(_PIECE, most - done)
        shift = -done - size if backwards else done
        one, other = (np.frombuffer(snapshot.read(place + shift, size), np.uint8) for place in (low, high))
        differ = np.flatnonzero(one != other)
        if len(differ):
            return done + (size - 1 - int(differ[-1]) if backwards else int(differ[0]))
        done += size
    return done
