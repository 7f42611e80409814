"""One pass over many frames that changes bytes in place, or drops and adds records and packets.

Neighbouring frames of one layout are one array of bytes, and become one array again with common packet headers. Frames
keep their key, kind and FrameStart; unchanged rows are not written.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ..arrays import BoolArray, IndexArray, StructuredArray
from ..errors import EditError
from ..format import MAX_RECORDS, PACKET_HEADER, Dialect
from ..progress import SILENT, Progress
from ..recording import START_SIZE, Bytes, FrameBlock, FrameTable, Snapshot, Splice
from ..recording.blocks import BLOCK, blocks, runs
from ..texts import say
from .rows import insertion_index
from .uniform_frames import Records, UniformFrames

_AHEAD = 4  # blocks that may be queued for writing
_BLOCK = 2 << 20  # input and output both fit into the processor's cache


@dataclass(frozen=True)
class RewrittenFrames:
    """New bytes of some frames of a block.

    Attributes: `rows` (indices in the block, rising), `data` (their bytes with FrameStart, shape (rows, bytes)),
    `headers` (packet headers after the FrameStart, 5 bytes each, joined, the same for all; None: unchanged).
    """

    rows: IndexArray
    data: Bytes
    headers: bytes | None = None

    @property
    def flat(self) -> memoryview:
        """All bytes in order."""
        return np.ascontiguousarray(self.data).reshape(-1).data


def frames_within(snapshot: Snapshot, frames: range) -> range:
    """The range, limited to the recording. Raises `EditError` for a step other than 1."""
    if frames.step != 1:
        raise EditError(say("An edit runs over frames that follow one another."))
    return range(max(frames.start, 0), min(frames.stop, len(snapshot)))


def patch_blocks(
    snapshot: Snapshot,
    frames: range | Sequence[range],
    visit: Callable[[FrameBlock], BoolArray],
    progress: Progress = SILENT,
) -> tuple[Splice, ...]:
    """Splices for the frames that `visit` changed: it changes `block.data` in place and returns bool[rows].

    `frames` as of `rewrite_blocks`. Raises `Cancelled`.
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
    """Splices for the frames that `visit` yields new bytes for.

    `frames` are indices from 0 (step 1), one range or several that rise and do not overlap. `in_place`: few bytes and
    no sizes change, so that blocks are larger. Raises `Cancelled`.
    """
    table = snapshot.table
    wanted = []
    for part in [frames] if isinstance(frames, range) else frames:
        wanted.append(frames_within(snapshot, part))
    spans = []
    for part in wanted:
        if len(part):
            spans.append((table.row_of_frame(part[0]), table.row_of_frame(part[-1]) + 1))
    total = sum(stop - first for first, stop in spans)
    done = 0
    changed: list[tuple[int, StructuredArray]] = []
    writing: deque[_Writing] = deque()
    # One thread writes bytes while this one computes the next block.
    with ThreadPoolExecutor(1) as writer:
        for first, stop in spans:
            for block in blocks(snapshot, first, stop, BLOCK if in_place else _BLOCK):
                progress.check()
                writing.append(_Writing(snapshot, block, visit(block), writer))
                if len(writing) > _AHEAD:
                    changed.extend(writing.popleft().rows())
                progress.update(done + block.first + len(block) - first, total)
            done += stop - first
        for each in writing:
            changed.extend(each.rows())
    return splices_of_rows(changed)


class _Writing:
    """New bytes of a block while they are written to the scratch file."""

    def __init__(
        self, snapshot: Snapshot, block: FrameBlock, parts: Iterable[RewrittenFrames], writer: Executor
    ) -> None:
        self._snapshot = snapshot
        self._first = block.first
        self._rows = block.rows
        self._parts = [
            (part.rows, part.data.shape[1], part.headers, writer.submit(snapshot.store.append, part.flat))
            for part in parts
            if len(part.rows)
        ]

    def rows(self) -> list[tuple[int, StructuredArray]]:
        """Runs of changed rows, each with the number of its first row; waits for the writes."""
        if not self._parts:
            return []
        rows = self._rows.copy()
        changed = np.zeros(len(rows), np.bool_)
        for chosen, width, headers, written in self._parts:
            source, offset = written.result()
            rows["source"][chosen] = source
            rows["offset"][chosen] = offset + START_SIZE + np.arange(len(chosen)) * width
            rows["size"][chosen] = width - START_SIZE
            if headers is not None:
                rows["layout"][chosen] = self._snapshot.layouts.add(headers)
            rows["stored"][chosen] = 1
            changed[chosen] = True
        return [(self._first + start, rows[start:stop]) for start, stop in runs(changed)]


def splices_of_rows(changed: list[tuple[int, StructuredArray]]) -> tuple[Splice, ...]:
    """Splices of runs of rows, given as (number of the first row, rows), rising; adjacent runs are joined."""
    splices: list[Splice] = []
    run: list[StructuredArray] = []
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


# --- uniform frames -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ListChange:
    """Changes of a record list.

    Attributes: `keep` (bool[records]; None: all), `added` (bytes to append, shape (frames or 1, bytes), or None),
    `number` (of the added records).
    """

    keep: BoolArray | None = None
    added: Bytes | None = None
    number: int = 0


@dataclass(frozen=True)
class NewPacket:
    """A packet to add: id, `number` of its records, and their bytes, shape (frames or 1, bytes)."""

    id: int
    number: int
    records: Bytes


Masks = Sequence[tuple[Records, BoolArray]]
"""Record lists with a mask of their records each: of shape (frames, records), or (records) for all frames."""

Piece = slice | Bytes


def rebuilt(
    dialect: Dialect, uniform: UniformFrames, changes: Mapping[int, ListChange], new: Sequence[NewPacket] = ()
) -> RewrittenFrames:
    """Uniform frames with changed records; `changes` by index of the packet in the layout.

    New packets are inserted in the recorder's order. A packet that loses its last record is removed if the recorder
    writes no empty one (`presence`), and otherwise has a count of 0. Raises `EditError` beyond 65,535 records.
    """
    layout = uniform.block.layout
    lists = {records.packet: records for records in uniform.lists}
    pieces: list[Piece] = [slice(0, START_SIZE)]
    headers: list[bytes] = []
    order = {one: rank for rank, one in enumerate(dialect.order)}
    waiting: dict[int, list[NewPacket]] = {}
    for packet in sorted(new, key=lambda each: order.get(each.id, order[1] - 0.5)):
        waiting.setdefault(insertion_index(dialect, layout.ids.tolist(), packet.id), []).append(packet)
    for index, (number, at, size) in enumerate((*layout.packets(), (-1, 0, 0))):
        for packet in waiting.get(index, ()):
            _refuse_too_many(dialect.packet(packet.id).name, packet.number)
            header = PACKET_HEADER.pack(packet.id, 2 + packet.records.shape[1])
            pieces += [constant(header + packet.number.to_bytes(2, "little")), packet.records]
            headers.append(header)
        if number < 0:
            break
        start = START_SIZE + at
        change = changes.get(index)
        if change is None:
            pieces.append(slice(start, start + 5 + size))
            headers.append(PACKET_HEADER.pack(number, size))
            continue
        body, length = _changed(lists[index], change, size)
        if length:
            header = PACKET_HEADER.pack(number, length)
            pieces += [constant(header), *body]
            headers.append(header)
    return RewrittenFrames(uniform.rows, joined(uniform.data, pieces), b"".join(headers))


def _changed(records: Records, change: ListChange, size: int) -> tuple[list[Piece], int]:
    """The pieces of a body, and its size: 0 for a packet to remove."""
    if change.keep is None:
        keep = np.ones(len(records), np.bool_)
    else:
        keep = change.keep
    kept = int(np.count_nonzero(keep))
    count = records.count - (len(records) - kept) + change.number
    _refuse_too_many(records.kind.name, count)
    end = int(records.starts[-1])
    if not count and size == end and records.kind.presence == "filled":
        return [], 0
    pieces: list[Piece] = [constant(count.to_bytes(2, "little"))]
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
    if count > MAX_RECORDS:
        raise EditError(
            say(
                "{name} would hold {count:,} records; its count ends at {most:,}.",
                name=name,
                count=count,
                most=MAX_RECORDS,
            )
        )


def constant(data: bytes) -> Bytes:
    return np.frombuffer(data, np.uint8).reshape(1, -1)


def joined(data: Bytes, pieces: Sequence[Piece]) -> Bytes:
    """The pieces joined: slices of the rows of `data`, and other bytes."""
    merged: list[Piece] = []
    for piece in pieces:
        last = None
        if merged:
            last = merged[-1]
        if isinstance(piece, slice) and isinstance(last, slice) and last.stop == piece.start:
            merged[-1] = slice(last.start, piece.stop)
        else:
            merged.append(piece)
    widths = [piece.stop - piece.start if isinstance(piece, slice) else piece.shape[1] for piece in merged]
    made = np.empty((len(data), sum(widths)), np.uint8)
    at = 0
    for piece, width in zip(merged, widths, strict=True):
        if isinstance(piece, slice):
            made[:, at : at + width] = data[:, piece]
        else:
            made[:, at : at + width] = piece
        at += width
    return made


def group_by_dropped(uniform: UniformFrames, dropped: Masks) -> list[tuple[UniformFrames, Masks]]:
    """Groups of uniform frames that lose the same records, with bool[records] for each list."""
    touched = []
    for records, mask in dropped:
        if mask.any():
            touched.append((records, mask))
    if not touched:
        return [(uniform, [])]
    if all(bool((mask == mask[0]).all()) for _, mask in touched):
        return [(uniform, [(records, mask[0]) for records, mask in touched])]
    packed = np.packbits(np.concatenate([mask for _, mask in touched], axis=1), axis=1)
    _, firsts, numbers = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    parts: list[tuple[UniformFrames, Masks]] = []
    for number, first in enumerate(firsts.tolist()):
        chosen = np.flatnonzero(numbers.reshape(-1) == number)
        losses = []
        for records, mask in touched:
            if mask[first].any():
                losses.append((records, mask[first]))
        parts.append((select_frames(uniform, chosen), losses))
    return parts


def select_frames(uniform: UniformFrames, chosen: IndexArray) -> UniformFrames:
    """The frames at these indices."""
    if len(chosen) == len(uniform):
        return uniform
    return UniformFrames(uniform.block, uniform.rows[chosen], uniform.data[chosen], uniform.lists)
