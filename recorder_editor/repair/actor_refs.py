"""Records of actors who are not there: never created, already deleted, created twice, parents unknown.

One idea: neighbouring frames that tell of the same actors lose the same bytes, so that a life whose beginning is lost
goes out of thousands of frames in one numpy step. Knows nothing of where the damage was.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..edits.block_patch import joined
from ..format.codec import Body, decode
from ..format.schema import PacketType
from ..progress import SILENT, Progress
from ..recording.blocks import Block, blocks
from ..recording.findings import Finding
from ..recording.frames import ROW, START_SIZE
from ..recording.history import Splice
from ..recording.snapshot import Snapshot
from .order import runs
from .report import Tally

Rows = npt.NDArray[np.void]
Bytes = np.ndarray[tuple[int, int], np.dtype[np.uint8]]
Ids = npt.NDArray[np.uint32]


@dataclass
class Strangers:
    """What was taken out.

    Attributes: `splices`, `lost` (what told of nobody), `doubled` (bytes of actors created a second time, word for
    word), `findings`, `actors` (whose records went).
    """

    splices: tuple[Splice, ...] = ()
    lost: Tally = field(default_factory=Tally)
    doubled: int = 0
    findings: list[Finding] = field(default_factory=list)
    actors: tuple[int, ...] = ()


@dataclass
class _Told:
    """What was told of one stranger."""

    offset: int
    frame: int
    row: int
    last: int
    kinds: Counter[str] = field(default_factory=Counter)


@dataclass
class _Cut:
    """What goes out of a frame: spans of its bytes; sizes and counts that are others then, by their place."""

    spans: list[tuple[int, int]] = field(default_factory=list)
    patches: list[tuple[int, bytes]] = field(default_factory=list)


def strangers(snapshot: Snapshot, progress: Progress = SILENT) -> Strangers:
    """What tells of actors that are not there, and the splices that take it out. Raises `Cancelled`."""
    work = _Watch(snapshot)
    changed: list[tuple[int, Rows]] = []
    for block in blocks(snapshot, 0, snapshot.rows):
        progress.update(block.first, snapshot.rows)
        for first, part in work.alike(block):
            rows = work.cleaned(block, first, part)
            if rows is not None:
                changed.append((block.first + first, rows))
    return work.result(joined(changed))


class _Watch:
    """Who lives while frames pass, and what is told of others."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._alive: dict[int, bytes] = {}
        self._lost = Tally()
        self._doubled = 0
        self._twice: list[Finding] = []
        self._told: dict[int, _Told] = {}

    def result(self, splices: tuple[Splice, ...]) -> Strangers:
        findings = [self._finding(actor, told) for actor, told in self._told.items()]
        return Strangers(splices, self._lost, self._doubled, [*self._twice, *findings], tuple(self._told))

    def _finding(self, actor: int, told: _Told) -> Finding:
        some = ", ".join(f"{number:,} of {name}" for name, number in told.kinds.most_common())
        frames = (
            f"frame {told.frame + 1:,}"
            if told.last == told.frame
            else f"frames {told.frame + 1:,} to {told.last + 1:,}"
        )
        message = f"Actor {actor} does not exist in {frames}, and what is told of it there means nobody: {some}."
        return Finding("replay-unknown-actor", "error", message, told.offset, told.frame, told.row, 4)

    # --- frames that tell of the same actors ------------------------------------------------------------------

    def alike(self, block: Block) -> Iterator[tuple[int, Bytes]]:
        """(first, bytes) of neighbouring frames of a block that tell of the same actors and hold no events."""
        told = self._ids_of(block)
        if told is None:
            yield from ((number, block.data[number : number + 1]) for number in range(len(block)))
            return
        changes = np.zeros(len(block) - 1, np.bool_)
        for ids in told:
            changes |= (ids[1:] != ids[:-1]).any(axis=1)
        edges = np.flatnonzero(changes) + 1
        for first, stop in zip([0, *edges.tolist()], [*edges.tolist(), len(block)], strict=True):
            yield first, block.data[first:stop]

    def _ids_of(self, block: Block) -> list[Ids] | None:
        """The ids in each packet, shape (frames, records); None where frames have to be looked at one by one."""
        found: list[Ids] = []
        for kind, at, size in self._packets(block):
            if size <= 2:
                continue
            if _is_of_lives(kind):
                return None
            if kind.actor_field is None:
                continue
            bodies = block.data[:, at : at + size]
            if kind.body != "list" or (bodies[:, :2] != bodies[0, :2]).any():
                return None
            if kind.record.size is not None:
                shape, strides = (len(block), (size - 2) // kind.record.size), (block.data.shape[1], kind.record.size)
                found.append(np.ndarray(shape, np.dtype("<u4"), block.data, at + 2, strides))
                continue
            ids = self._ids_between(kind, bodies)
            if ids is None:
                return None
            found.append(ids)
        return found

    def _packets(self, block: Block) -> Iterator[tuple[PacketType, int, int]]:
        """(type, first byte of the body in a row of the block, size)."""
        for number, at, size in zip(*(part.tolist() for part in block.layout), strict=True):
            yield self._snapshot.dialect.packet(number), START_SIZE + at + 5, size

    @staticmethod
    def _ids_between(kind: PacketType, bodies: Bytes) -> Ids | None:
        """The ids in bodies whose records differ in length, where they are alike in all; else None."""
        if len(bodies) > 1 and kind.name != "AnimVehicleWheels":
            return None
        first = decode(kind, bodies[0].tobytes())
        starts = np.array([first.span(index)[0] for index in range(len(first))], np.intp)
        lengths = (starts[:, None] + np.arange(4, 8)).reshape(-1)
        if len(bodies) > 1 and (bodies[:, lengths] != bodies[0, lengths]).any():
            return None
        return np.ascontiguousarray(bodies[:, (starts[:, None] + np.arange(4)).reshape(-1)]).view("<u4")

    # --- what goes ------------------------------------------------------------------------------------------

    def cleaned(self, block: Block, first: int, data: Bytes) -> Rows | None:
        """The rows of frames that tell of the same actors, without what tells of nobody; None where all is well."""
        cut = _Cut()
        for kind, at, size in self._packets(block):
            if size > 2 and kind.body == "list" and (_is_of_lives(kind) or kind.actor_field is not None):
                body = decode(kind, data[0, at : at + size].tobytes())
                gone = self._gone(kind, body, block.first + first, len(data), at)
                if gone:
                    self._take_out(cut, kind, body, gone, at, len(data))
        if not cut.spans:
            return None
        return self._written(block.rows[first : first + len(data)], data, cut, block)

    def _gone(self, kind: PacketType, body: Body, row: int, frames: int, at: int) -> list[int]:
        """The records of a body that tell of nobody; who lives is others afterwards."""
        if kind.name == "EventAdd":
            return self._added(body, row, at)
        if kind.name == "EventParent":
            told = body.array
            known = np.isin(told["child"], list(self._alive)) & np.isin(told["parent"], list(self._alive))
            gone = np.flatnonzero(~known).tolist()
            for index in gone:
                child, parent = int(told["child"][index]), int(told["parent"][index])
                nobody = child if child not in self._alive else parent
                self._tell(nobody, kind, row, frames, at + body.span(index)[0])
            return gone
        if kind.dtype is not None:
            ids = body.array["id"].tolist()
        else:
            ids = [
                int.from_bytes(body.data[begin : begin + 4], "little") for begin, _ in map(body.span, range(len(body)))
            ]
        if kind.name != "EventDel" and self._alive.keys() >= set(ids):
            return []
        gone = []
        for index, actor in enumerate(ids):
            if actor not in self._alive:
                gone.append(index)
                self._tell(actor, kind, row, frames, at + body.span(index)[0])
            elif kind.name == "EventDel":
                del self._alive[actor]
        return gone

    def _added(self, body: Body, row: int, at: int) -> list[int]:
        gone = []
        for index in range(len(body)):
            begin, end = body.span(index)
            raw = body.data[begin:end]
            actor = int.from_bytes(raw[:4], "little")
            if self._alive.get(actor) == raw:
                gone.append(index)
                self._doubled += end - begin
                frame = self._snapshot.table.frame_of_row(row)
                message = f"Frame {frame + 1:,} creates actor {actor} a second time, in the same words."
                offset = self._snapshot.position(row) + at + begin
                self._twice.append(Finding("replay-added-twice", "error", message, offset, frame, row, end - begin))
            self._alive[actor] = raw
        return gone

    def _tell(self, actor: int, kind: PacketType, row: int, frames: int, at: int) -> None:
        frame = self._snapshot.table.frame_of_row(row)
        told = self._told.get(actor)
        if told is None:
            told = self._told[actor] = _Told(self._snapshot.position(row) + at, frame, row, frame)
        told.last = frame + frames - 1
        told.kinds[kind.name] += frames

    def _take_out(self, cut: _Cut, kind: PacketType, body: Body, gone: list[int], at: int, frames: int) -> None:
        spans = [body.span(index) for index in gone]
        taken = sum(end - begin for begin, end in spans)
        cut.spans += [(at + begin, at + end) for begin, end in spans]
        cut.patches.append((at - 4, (len(body.data) - taken).to_bytes(4, "little")))
        cut.patches.append((at, (len(body) - len(gone)).to_bytes(2, "little")))
        if kind.name != "EventAdd":
            self._lost.bytes += taken * frames
            self._lost.records_by_type[kind.name] += len(gone) * frames

    def _written(self, rows: Rows, data: Bytes, cut: _Cut, block: Block) -> Rows:
        stays = np.ones(data.shape[1], np.bool_)
        for begin, end in cut.spans:
            stays[begin:end] = False
        places = np.cumsum(stays) - 1
        made = np.empty((len(data), int(stays.sum())), np.uint8)
        for begin, end in runs(stays):
            # Stretches are copied many times as fast as columns that are chosen one by one.
            made[:, places[begin] : places[begin] + end - begin] = data[:, begin:end]
        for at, raw in cut.patches:
            made[:, places[at] : places[at] + len(raw)] = np.frombuffer(raw, np.uint8)
        source, offset = self._snapshot.store.append(np.ascontiguousarray(made).reshape(-1).data)
        after = np.zeros(len(rows), ROW)
        after[:] = rows
        size = made.shape[1]
        after["source"], after["stored"], after["size"] = source, 1, size - START_SIZE
        after["offset"] = offset + START_SIZE + np.arange(len(rows)) * size
        headers = bytearray(5 * len(block.layout.ids))
        for number, at in enumerate(START_SIZE + block.layout.offsets):
            low = int(places[at])
            headers[5 * number : 5 * number + 5] = made[0, low : low + 5].tobytes()
        after["layout"] = self._snapshot.layouts.add(bytes(headers))
        return after


def _is_of_lives(kind: PacketType) -> bool:
    """The replayer creates, destroys or attaches by it."""
    return kind.lifetime == "event" and kind.replayed == "run"
