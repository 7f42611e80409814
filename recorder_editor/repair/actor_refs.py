"""Removal of records of actors that do not exist: never created, already deleted, created twice, unknown parents.

Neighbouring frames with records of the same actors lose the same bytes, in one numpy step.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ..arrays import UInt32Array
from ..edits.block_rewrite import RewrittenFrames, rewrite_blocks
from ..format import Body, PacketType, decode
from ..progress import SILENT, Progress
from ..recording import START_SIZE, Block, Finding, Snapshot, Splice
from ..recording.blocks import actor_ids, runs
from ..recording.frames import Layouts
from ..sentences import listed, say
from .report import RepairChange


@dataclass
class UnknownActors(RepairChange):
    """The removal of records of actors that do not exist; `doubled` are the bytes of repeated EventAdd records.

    Attribute: `actors` (ids whose records are removed).
    """

    actors: tuple[int, ...] = ()


@dataclass
class _Unknown:
    """The records of one actor that does not exist: place of the first, last frame, number of each type."""

    offset: int
    frame: int
    row: int
    last: int
    counts: Counter[str] = field(default_factory=Counter)

    def finding(self, actor: int) -> Finding:
        records = (say("repair.records", number=number, packet=name) for name, number in self.counts.most_common())
        code = "repair.frame" if self.last == self.frame else "repair.frames"
        frames = say(code, frame=self.frame + 1, last=self.last + 1)
        message = say("repair.unknown_actor", actor=actor, frames=frames, records=listed(records))
        return Finding("replay-unknown-actor", "error", message, self.offset, self.frame, self.row, 4)


def remove_unknown_actors(snapshot: Snapshot, progress: Progress = SILENT) -> UnknownActors:
    """Find records of actors that do not exist, and the splices that remove them. Raises `Cancelled`."""
    work = _Removal(snapshot)
    # Few frames change, so that blocks may be large.
    return work.result(rewrite_blocks(snapshot, range(len(snapshot)), work.rewritten, progress, in_place=True))


class _Removal:
    """Reads frames in file order and keeps the living actors."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._alive: dict[int, bytes] = {}  # the EventAdd of each
        self._unknown: dict[int, _Unknown] = {}
        self._result = UnknownActors()

    def result(self, splices: tuple[Splice, ...]) -> UnknownActors:
        result = self._result
        result.splices, result.actors = list(splices), tuple(self._unknown)
        result.findings += [unknown.finding(actor) for actor, unknown in self._unknown.items()]
        return result

    # --- frames with records of the same actors ---------------------------------------------------------

    def rewritten(self, block: Block) -> Iterator[RewrittenFrames]:
        """The frames of a block that lose records, in runs that hold the same actors and no events."""
        ids = self._ids_of(block)
        edges = np.ones(len(block) - 1, np.bool_) if ids is None else np.zeros(len(block) - 1, np.bool_)
        for of_packet in ids or ():
            edges |= (of_packet[1:] != of_packet[:-1]).any(axis=1)
        for first, stop in pairwise([0, *(np.flatnonzero(edges) + 1).tolist(), len(block)]):
            frames = self._without_unknown(block, first, stop)
            if frames is not None:
                yield frames

    def _ids_of(self, block: Block) -> list[UInt32Array] | None:
        """The ids in each packet, shape (frames, records); None if frames need to be read one by one."""
        found: list[UInt32Array] = []
        for kind, start, size in block.spans(self._snapshot.dialect):
            if size <= 2:
                continue
            if _changes_lives(kind):
                return None
            if kind.actor_field is None:
                continue
            bodies = block.data[:, start : start + size]
            if kind.body != "list" or (bodies[:, :2] != bodies[0, :2]).any():
                return None
            ids = actor_ids(kind, bodies)
            if ids is None:
                return None
            found.append(ids)
        return found

    # --- removal ----------------------------------------------------------------------------------------

    def _without_unknown(self, block: Block, first: int, stop: int) -> RewrittenFrames | None:
        """The uniform frames `[first, stop)` without records of unknown actors; None if nothing is removed."""
        data = block.data[first:stop]
        keep = np.ones(data.shape[1], np.bool_)
        for kind, start, size in block.spans(self._snapshot.dialect):
            if size <= 2 or kind.body != "list" or (kind.actor_field is None and not _changes_lives(kind)):
                continue
            body = decode(kind, data[0, start : start + size].tobytes())
            removed = self._removed_records(kind, body, block.first + first, len(data), start)
            for begin, end in map(body.span, removed):
                keep[start + begin : start + end] = False
            if removed:
                left = int(keep[start : start + size].sum())
                data[:, start - 4 : start] = np.frombuffer(left.to_bytes(4, "little"), np.uint8)
                data[:, start : start + 2] = np.frombuffer((len(body) - len(removed)).to_bytes(2, "little"), np.uint8)
                if kind.name != "EventAdd":
                    self._result.lost.count(kind.name, 0, len(removed) * len(data), (size - left) * len(data))
        if keep.all():
            return None
        # Copying runs of bytes is many times as fast as selecting single columns.
        made = np.concatenate([data[:, begin:end] for begin, end in runs(keep)], axis=1)
        return RewrittenFrames(np.arange(first, stop), made, Layouts.headers(made[0, START_SIZE:].tobytes()))

    def _removed_records(self, kind: PacketType, body: Body, row: int, frames: int, start: int) -> list[int]:
        """The records of a body to remove; updates the living actors."""
        if kind.name == "EventAdd":
            return self._repeated_adds(body, row, start)
        is_pair = kind.keyed == "actors"
        named = body.array.tolist() if is_pair else body.actors
        if not is_pair and kind.name != "EventDel" and self._alive.keys() >= set(named):
            return []
        removed = []
        for index, each in enumerate(named):
            actors = each if is_pair else (each,)
            unknown = next((actor for actor in actors if actor not in self._alive), None)
            if unknown is not None:
                removed.append(index)
                self._add_unknown(unknown, kind, row, frames, start + body.span(index)[0])
            elif kind.name == "EventDel":
                del self._alive[actors[0]]
        return removed

    def _repeated_adds(self, body: Body, row: int, start: int) -> list[int]:
        removed = []
        for index, actor in enumerate(body.actors):
            begin, end = body.span(index)
            raw = body.data[begin:end]
            if self._alive.get(actor) == raw:
                removed.append(index)
                self._result.doubled += end - begin
                frame = self._snapshot.table.frame_of_row(row)
                message = say("repair.added_twice", frame=frame + 1, actor=actor)
                offset = self._snapshot.position(row) + start + begin
                finding = Finding("replay-added-twice", "error", message, offset, frame, row, end - begin)
                self._result.findings.append(finding)
            self._alive[actor] = raw
        return removed

    def _add_unknown(self, actor: int, kind: PacketType, row: int, frames: int, at: int) -> None:
        frame = self._snapshot.table.frame_of_row(row)
        if actor not in self._unknown:
            self._unknown[actor] = _Unknown(self._snapshot.position(row) + at, frame, row, frame)
        self._unknown[actor].last = frame + frames - 1
        self._unknown[actor].counts[kind.name] += frames


def _changes_lives(kind: PacketType) -> bool:
    """Whether the replayer creates, destroys or attaches actors by it."""
    return kind.lifetime == "event" and kind.replayed == "run"
