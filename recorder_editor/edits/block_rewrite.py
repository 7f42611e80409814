"""One pass over many frames that changes bytes in place, or drops and adds records and packets.

Neighbouring frames of one layout are one array of bytes, and become one array again with common packet headers. Frames
keep their key, kind and FrameStart; unchanged rows are not written.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, IndexArray, StructuredArray
from ..errors import EditError
from ..format import MAX_RECORDS, PACKET_HEADER, Dialect
from ..progress import SILENT, Progress
from ..recording import START_SIZE, Bytes, FrameBlock, FrameTable, Snapshot, Splice
from ..recording.blocks import BLOCK, blocks, runs
from ..texts import say
from .rows import insertion_index, recorder_order
from .uniform_frames import Records, UniformFrames

_AHEAD = 4  # blocks that may be queued for writing
_BLOCK = 2 << 20  # input and output both fit into the processor's cache


@dataclass(frozen=True)
class RewrittenFrames:
    """New bytes of some frames of a block.

    Attributes:
        rows: Indices in the block, rising, shape (rows,).
        data: Their bytes with FrameStart, shape (rows, bytes).
        headers: Packet headers after the FrameStart, 5 bytes each, joined, the same for all; None: unchanged.
    """

    rows: IndexArray
    data: Bytes
    headers: bytes | None = None

    @property
    def flat(self) -> memoryview:
        """All bytes in order."""
        return np.ascontiguousarray(self.data).reshape(-1).data


def frames_within(snapshot: Snapshot, frames: range | None) -> range:
    """Return a range of frames, limited to the recording; None: all. Raises `EditError` for a step other than 1."""
    if frames is None:
        return range(len(snapshot))
    if frames.step != 1:
        raise EditError(say("An edit runs over frames that follow one another."))
    return range(max(frames.start, 0), min(frames.stop, len(snapshot)))


def patch_blocks(
    snapshot: Snapshot,
    frames: range | Sequence[range],
    visit: Callable[[FrameBlock], BoolArray],
    progress: Progress = SILENT,
) -> tuple[Splice, ...]:
    """Return the splices of frames that are changed in place.

    Args:
        snapshot: The recording.
        frames: As of `rewrite_blocks`.
        visit: Changes `block.data` in place and returns which rows changed, bool[rows].
        progress: Reports progress and cancels.

    Raises:
        Cancelled: The user cancelled.
    """

    def changed(block: FrameBlock) -> Iterator[RewrittenFrames]:
        rows = np.flatnonzero(visit(block))
        yield RewrittenFrames(rows, block.data[rows])

    return rewrite_blocks(snapshot, frames, changed, progress, in_place=True)


def rewrite_blocks(
    snapshot: Snapshot,
    frames: range | Sequence[range],
    visit: Callable[[FrameBlock], Iterable[RewrittenFrames]],
    progress: Progress = SILENT,
    *,
    in_place: bool = False,
) -> tuple[Splice, ...]:
    """Return the splices of frames that get new bytes.

    Args:
        snapshot: The recording.
        frames: Frame indices without steps, one range or several that rise and do not overlap.
        visit: Yields the new bytes of frames of a block.
        progress: Reports progress and cancels.
        in_place: Whether few bytes and no sizes change, so that blocks are larger.

    Raises:
        EditError: A range has a step other than 1.
        Cancelled: The user cancelled.
    """
    table = snapshot.table
    if isinstance(frames, range):
        frames = [frames]
    spans: list[tuple[int, int]] = []
    for part in frames:
        within = frames_within(snapshot, part)
        if len(within):
            spans.append((table.row_of_frame(within[0]), table.row_of_frame(within[-1]) + 1))
    block_size = BLOCK if in_place else _BLOCK
    total = sum(stop - first for first, stop in spans)
    done = 0
    changed: list[tuple[int, StructuredArray]] = []
    writing: deque[_Writing] = deque()
    # One thread writes bytes while this one computes the next block.
    with ThreadPoolExecutor(1) as writer:
        for first, stop in spans:
            for block in blocks(snapshot, first, stop, block_size):
                progress.check()
                writing.append(_Writing(snapshot, block, visit(block), writer))
                if len(writing) > _AHEAD:
                    changed.extend(writing.popleft().rows())
                progress.update(done + block.first + len(block) - first, total)
            done += stop - first
        for block_writing in writing:
            changed.extend(block_writing.rows())
    return splices_of_rows(changed)


class _WrittenPart(NamedTuple):
    """Frames with new bytes: rows in the block, bytes of a frame, and packet headers as of `RewrittenFrames`."""

    rows: IndexArray
    width: int
    headers: bytes | None


class _Writing:
    """New bytes of a block while they are written to the scratch file."""

    def __init__(
        self, snapshot: Snapshot, block: FrameBlock, parts: Iterable[RewrittenFrames], writer: Executor
    ) -> None:
        self._snapshot = snapshot
        self._first = block.first
        self._rows = block.rows
        self._parts: list[tuple[_WrittenPart, Future[tuple[int, int]]]] = []
        for part in parts:
            if len(part.rows):
                # Without its bytes, which the writer alone holds until they are written.
                width = part.data.shape[1]
                written = writer.submit(snapshot.store.append, part.flat)
                self._parts.append((_WrittenPart(part.rows, width, part.headers), written))

    def rows(self) -> list[tuple[int, StructuredArray]]:
        """Wait for the writes, and return runs of changed rows, each with the number of its first row."""
        if not self._parts:
            return []
        rows = self._rows.copy()
        changed = np.zeros(len(rows), np.bool_)
        for part, written in self._parts:
            source, offset = written.result()
            chosen = part.rows
            rows["source"][chosen] = source
            rows["offset"][chosen] = offset + START_SIZE + np.arange(len(chosen)) * part.width
            rows["size"][chosen] = part.width - START_SIZE
            if part.headers is not None:
                rows["layout"][chosen] = self._snapshot.layouts.add(part.headers)
            rows["stored"][chosen] = 1
            changed[chosen] = True
        return [(self._first + start, rows[start:stop]) for start, stop in runs(changed)]


def splices_of_rows(changed: list[tuple[int, StructuredArray]]) -> tuple[Splice, ...]:
    """Return the splices of runs of rows; adjacent runs are joined.

    Args:
        changed: The number of the first row of each run, and its rows, rising.
    """
    splices: list[Splice] = []
    run: list[StructuredArray] = []
    start = 0
    following = -1

    def close() -> None:
        if run:
            rows = np.concatenate(run)
            splices.append(Splice(start, len(rows), FrameTable.from_rows(rows)))
            run.clear()

    for first, rows in changed:
        if first != following:
            close()
            start = first
        run.append(rows)
        following = first + len(rows)
    close()
    return tuple(splices)


# --- uniform frames -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ListChange:
    """Changes of a record list.

    Attributes:
        keep: bool[records]; None: all.
        added: Bytes to append, shape (frames or 1, bytes); None: none.
        number: Of the added records.
    """

    keep: BoolArray | None = None
    added: Bytes | None = None
    number: int = 0


@dataclass(frozen=True)
class NewPacket:
    """A packet to add.

    Attributes:
        id: Its id.
        number: Of its records.
        records: Their bytes, shape (frames or 1, bytes).
    """

    id: int
    number: int
    records: Bytes


Masks = Sequence[tuple[Records, BoolArray]]
"""Record lists with a mask of their records each: of shape (frames, records), or (records) for all frames."""

Piece = slice | Bytes


def rebuild_frames(
    dialect: Dialect, uniform: UniformFrames, changes: Mapping[int, ListChange], new: Sequence[NewPacket] = ()
) -> RewrittenFrames:
    """Return uniform frames with changed records.

    New packets are inserted in the recorder's order. A packet that loses its last record is removed if the recorder
    writes no empty one (`presence`), and otherwise has a count of 0.

    Args:
        dialect: The dialect of the recording.
        uniform: The frames.
        changes: Changes of record lists, by index of the packet in the layout.
        new: Packets to add.

    Raises:
        EditError: A packet would hold more than 65,535 records.
    """
    layout = uniform.block.layout
    lists = {records.packet: records for records in uniform.lists}
    pieces: list[Piece] = [slice(0, START_SIZE)]
    headers: list[bytes] = []

    def insert(packets: Sequence[NewPacket]) -> None:
        for packet in packets:
            _refuse_too_many(dialect.packet(packet.id).name, packet.number)
            header = PACKET_HEADER.pack(packet.id, 2 + packet.records.shape[1])
            pieces.append(as_row(header + packet.number.to_bytes(2, "little")))
            pieces.append(packet.records)
            headers.append(header)

    new_by_index = _by_insertion_index(dialect, layout.ids.tolist(), new)
    for index, (packet_id, offset, size) in enumerate(layout.packets()):
        insert(new_by_index.get(index, ()))
        start = START_SIZE + offset
        change = changes.get(index)
        if change is None:
            pieces.append(slice(start, start + 5 + size))
            headers.append(PACKET_HEADER.pack(packet_id, size))
            continue
        body, length = _changed(lists[index], change, size)
        if length:
            header = PACKET_HEADER.pack(packet_id, length)
            pieces.append(as_row(header))
            pieces.extend(body)
            headers.append(header)
    insert(new_by_index.get(len(layout.ids), ()))
    return RewrittenFrames(rows=uniform.rows, data=join_pieces(uniform.data, pieces), headers=b"".join(headers))


def _by_insertion_index(
    dialect: Dialect, present: Sequence[int], new: Sequence[NewPacket]
) -> dict[int, list[NewPacket]]:
    """Return new packets in the recorder's order, by the index of the packet that they are inserted before."""
    order = recorder_order(dialect)
    last = order[1] - 0.5  # of unknown ids: just before FrameEnd
    by_index: dict[int, list[NewPacket]] = {}
    for packet in sorted(new, key=lambda packet: order.get(packet.id, last)):
        by_index.setdefault(insertion_index(dialect, present, packet.id), []).append(packet)
    return by_index


def _changed(records: Records, change: ListChange, size: int) -> tuple[list[Piece], int]:
    """Return the pieces of a body, and its size: 0 for a packet to remove."""
    keep = change.keep
    if keep is None:
        keep = np.ones(len(records), np.bool_)
    kept = int(np.count_nonzero(keep))
    count = records.count - (len(records) - kept) + change.number
    _refuse_too_many(records.kind.name, count)
    end = int(records.starts[-1])
    if not count and size == end and records.kind.presence == "filled":
        return [], 0
    pieces: list[Piece] = [as_row(count.to_bytes(2, "little"))]
    length = 2
    for first, stop in runs(keep):
        start = int(records.starts[first])
        end_of_run = int(records.starts[stop])
        pieces.append(slice(records.body + start, records.body + end_of_run))
        length += end_of_run - start
    if change.added is not None:
        pieces.append(change.added)
        length += change.added.shape[1]
    pieces.append(slice(records.body + end, records.body + size))
    return pieces, length + size - end


def _refuse_too_many(name: str, count: int) -> None:
    """Raise `EditError` for more records than a packet can hold."""
    if count > MAX_RECORDS:
        raise EditError(
            say(
                "{name} would hold {count:,} records; its count ends at {most:,}.",
                name=name,
                count=count,
                most=MAX_RECORDS,
            )
        )


def as_row(data: bytes) -> Bytes:
    """Return bytes that are the same in all frames, shape (1, bytes)."""
    return np.frombuffer(data, np.uint8).reshape(1, -1)


def join_pieces(data: Bytes, pieces: Sequence[Piece]) -> Bytes:
    """Return the pieces joined, shape (rows, bytes).

    Args:
        data: Bytes of frames, shape (rows, bytes).
        pieces: Slices of the rows of `data`, and other bytes, shape (rows or 1, bytes).
    """
    merged: list[Piece] = []
    for piece in pieces:
        last = merged[-1] if merged else None
        if isinstance(piece, slice) and isinstance(last, slice) and last.stop == piece.start:
            merged[-1] = slice(last.start, piece.stop)
        else:
            merged.append(piece)
    widths: list[int] = []
    for piece in merged:
        if isinstance(piece, slice):
            widths.append(piece.stop - piece.start)
        else:
            widths.append(piece.shape[1])
    result = np.empty((len(data), sum(widths)), np.uint8)
    start = 0
    for piece, width in zip(merged, widths, strict=True):
        if isinstance(piece, slice):
            result[:, start : start + width] = data[:, piece]
        else:
            result[:, start : start + width] = piece
        start += width
    return result


def group_by_dropped(uniform: UniformFrames, dropped: Masks) -> list[tuple[UniformFrames, Masks]]:
    """Return groups of uniform frames that lose the same records, with bool[records] for each list that loses any."""
    touched: list[tuple[Records, BoolArray]] = []
    for records, mask in dropped:
        if mask.any():
            touched.append((records, mask))
    if not touched:
        return [(uniform, [])]
    is_same_everywhere = all(bool((mask == mask[0]).all()) for _, mask in touched)
    if is_same_everywhere:
        return [(uniform, [(records, mask[0]) for records, mask in touched])]
    packed = np.packbits(np.concatenate([mask for _, mask in touched], axis=1), axis=1)
    _, firsts, numbers = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    parts: list[tuple[UniformFrames, Masks]] = []
    for number, first in enumerate(firsts.tolist()):
        chosen = np.flatnonzero(numbers.reshape(-1) == number)
        losses: list[tuple[Records, BoolArray]] = []
        for records, mask in touched:
            if mask[first].any():
                losses.append((records, mask[first]))
        parts.append((select_frames(uniform, chosen), losses))
    return parts


def select_frames(uniform: UniformFrames, chosen: IndexArray) -> UniformFrames:
    """Return the frames at some indices."""
    if len(chosen) == len(uniform):
        return uniform
    return UniformFrames(block=uniform.block, rows=uniform.rows[chosen], data=uniform.data[chosen], lists=uniform.lists)
