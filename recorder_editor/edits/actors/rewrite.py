"""Which records belong to a life, and one pass over frames that drops, renumbers and adds them, by a `Plan`.

A life has its id from the row of its EventAdd to that of its EventDel, so that a record belongs to a life by its id and
row (`IdSpan`). EventAdd and EventDel need their exact place: two lives of an id may have one in the same row.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, IndexArray, IntArray, UInt32Array
from ...errors import EditError
from ...format import Dialect
from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...reading.lives import SPECTATOR_ID
from ...recording import RAW, Bytes, FrameBlock, RecordPlace, Snapshot, Splice
from ...texts import N_, say, say_count
from ..block_rewrite import ListChange, Masks, NewPacket, RewrittenFrames, group_by_dropped, rebuilt, rewrite_blocks
from ..uniform_frames import Patterns, Records, UniformFrames

EXACT = ("EventAdd", "EventDel")
"""Packets whose records are identified by their place."""


class IdSpan(NamedTuple):
    """The rows `[first, last]` in which an id means one life; empty if `last` is before `first`.

    They include the row of the EventDel: a collision of that frame belongs to the life.
    """

    actor: int
    first: int
    last: int


def id_span_of(snapshot: Snapshot, life: Life) -> IdSpan:
    """The rows in which the id of a life means this life."""
    last = snapshot.rows - 1
    if life.gone is not None and life.gone < len(snapshot):
        last = snapshot.table.row_of_frame(life.gone)
    of_id = Actors.of(snapshot).of_id(life.actor)
    later = next((other for other in of_id if other.index > life.index), None)
    if later is not None:
        last = min(last, later.added.row - 1)
    return IdSpan(life.actor, life.added.row, last)


def refuse_outside_frames(snapshot: Snapshot, lives: Iterable[Life]) -> None:
    """Raises `EditError` for a life whose EventAdd is outside of frames, which only `repair` can fix."""
    for life in lives:
        if int(snapshot.table.row(life.added.row)["kind"]) == RAW:
            raise EditError(
                say(
                    "Actor {actor} is created by a packet outside of any frame; repair the recording first.",
                    actor=life.actor,
                ),
                offset=snapshot.position(life.added.row),
            )


def refuse_empty(lives: Sequence[Life]) -> None:
    """Raises `EditError` if there are no lives."""
    if not lives:
        raise EditError(say("No actor is named."))


def name_of(life: Life) -> str:
    """A life in sentences: `vehicle.tesla.model3 174`."""
    return f"{life.blueprint} {life.actor}"


def label_of(lives: Sequence[Life]) -> str:
    """Lives in labels of edits: `174`, or `3 actors`."""
    if len(lives) == 1:
        return say("{actor}", actor=lives[0].actor)
    return say_count("{count:,} actor", "{count:,} actors", count=len(lives))


def is_of_level(life: Life) -> bool:
    """Whether it belongs to the map: traffic lights and signs, the spectator, and `static.*` of the first frame.

    The simulator destroys the movable meshes of the level before a replay; only their EventAdd creates them again
    (format reference 6.1).
    """
    return life.is_traffic or life.is_spectator or (life.blueprint.startswith("static.") and not life.born)


def unused_id(snapshot: Snapshot) -> int:
    """An unused id: one above the highest, or the lowest free one if there is none above; never the spectator's."""
    actors = Actors.of(snapshot)
    used = {life.actor for life in actors} | {each for pair in actors.parents for each in (pair.child, pair.parent)}
    used.add(SPECTATOR_ID)
    highest = max(used)
    if highest + 1 < 0xFFFFFFFF:
        return highest + 1
    return next(number for number in range(1, len(used) + 2) if number not in used)


def refuse_new_id(
    snapshot: Snapshot, actor: int, born: int, gone: int | None, among: Sequence[Life] = (), *, spectator: bool = False
) -> None:
    """Raises `EditError` for an id that an actor cannot get: one in use, and that of the spectator if it is none.

    `spectator`: it is one. Arguments as in `refuse_used_id`.
    """
    if actor == SPECTATOR_ID and not spectator and snapshot.dialect.ignores_spectator:
        raise EditError(
            say(
                "{actor} is the id of the spectator: from CARLA 0.9.15 on a replay does not "
                "move an actor that has it. Take another one; {unused} is unused.",
                actor=actor,
                unused=unused_id(snapshot),
            )
        )
    refuse_used_id(snapshot, actor, born, gone, among)


def refuse_used_id(snapshot: Snapshot, actor: int, born: int, gone: int | None, among: Sequence[Life] = ()) -> None:
    """Raises `EditError` if another life has this id within the frames from `born` to `gone` (None: to the end).

    Lives in `among` do not count. A life that ends in the frame in which the other begins is refused, too: within a
    frame adds run before deletes.
    """
    if not 0 < actor < 0xFFFFFFFF:
        raise EditError(say("{actor} is not an id for an actor; ids go from 1 to 4294967294.", actor=actor))
    mine = {life.index for life in among}
    for other in Actors.of(snapshot).of_id(actor):
        if other.index in mine or (gone is not None and other.born > gone):
            continue
        if other.gone is None or other.gone >= born:
            if other.gone is None:
                template = N_("{actor} has the id {id} from frame {born} on.")
            else:
                template = N_("{actor} has the id {id} from frame {born} to {gone}.")
            raise EditError(say(template, actor=name_of(other), id=actor, born=other.born + 1, gone=other.gone))


_HERO_FLAGS = {4: 12, 8: 13}  # in a Collision, by the offset of the id

Streamed = Mapping[str, Bytes]
"""Records to add by packet name, one for each frame: shape (frames, bytes)."""


class Rename(NamedTuple):
    """Another id within the rows of an id span; `hero` sets the hero flag of collisions (None: unchanged)."""

    id_span: IdSpan
    new_id: int
    hero: bool | None = None


@dataclass
class Plan:
    """Changes of records of actors.

    Attributes: `leaving` (id spans whose records are removed, without those of the packets `spared`), `dropped` (places
    of records to remove), `renamed` (id spans that get another id, without EventAdd and EventDel), `renumbered`
    (EventAdd and EventDel that get another id), `added` (packet name and bytes of records to add, by row), `stream`
    (called for uniform frames within the rows `streamed`: groups of them, and the records to add to each group),
    `removed` (the number of records that `rewrite` removed, by packet name).
    """

    leaving: list[IdSpan] = field(default_factory=list)
    spared: Collection[str] = EXACT
    dropped: list[RecordPlace] = field(default_factory=list)
    renamed: list[Rename] = field(default_factory=list)
    renumbered: list[tuple[RecordPlace, int]] = field(default_factory=list)
    added: dict[int, list[tuple[str, bytes]]] = field(default_factory=dict)
    stream: Callable[[UniformFrames], Iterable[tuple[UniformFrames, Streamed]]] | None = None
    streamed: range = range(0)
    removed: Counter[str] = field(default_factory=Counter)

    def leave(self, id_spans: Iterable[IdSpan], dialect: Dialect, packets: Collection[str]) -> None:
        """Remove the records of id spans in these packets alone; the plan removes no others."""
        self.leaving = list(id_spans)
        self.spared = frozenset(kind.name for kind in dialect.packets.values()) - set(packets)

    def add(self, row: int, packet: str, record: bytes) -> None:
        """Add a record to a row, after those of its packet."""
        self.added.setdefault(row, []).append((packet, record))

    def places(self) -> list[int]:
        """The rows in which single records change."""
        exact = [place.row for place in self.dropped] + [place.row for place, _ in self.renumbered]
        return sorted({*exact, *self.added})

    def rows(self) -> list[range]:
        """The rows that may change, rising."""
        id_spans = [*self.leaving, *(each.id_span for each in self.renamed)]
        spans = []
        for id_span in id_spans:
            if id_span.first <= id_span.last:
                spans.append((id_span.first, id_span.last + 1))
        spans += [(row, row + 1) for row in self.places()]
        if self.streamed:
            spans += [(self.streamed.start, self.streamed.stop)]
        merged: list[range] = []
        for first, stop in sorted(spans):
            if merged and first <= merged[-1].stop:
                merged[-1] = range(merged[-1].start, max(stop, merged[-1].stop))
            else:
                merged.append(range(first, stop))
        return merged


def rewrite(snapshot: Snapshot, plan: Plan, progress: Progress = SILENT) -> tuple[Splice, ...]:
    """Splices that apply a plan. Raises `Cancelled`, and `EditError` if a packet would hold too many records or a
    single record is outside of frames."""
    for row in plan.places():
        if int(snapshot.table.row(row)["kind"]) == RAW:
            raise EditError(
                say("A record of this actor is outside of any frame; repair the recording first."),
                offset=snapshot.position(row),
            )
    before = snapshot.table.frame_of_row
    frames = []
    for rows in plan.rows():
        frames.append(range(before(rows.start), before(rows.stop)))
    return rewrite_blocks(snapshot, frames, _Pass(snapshot, plan).visit, progress)


class IdSpans:
    """Id spans as columns, and the records of lives that they find by id and row."""

    def __init__(self, id_spans: Sequence[IdSpan]) -> None:
        ids, self._first, self._last = np.array(id_spans, np.int64).reshape(-1, 3).T
        self.actor = ids.astype(np.uint32)

    def among(self, first: int, last: int) -> tuple[IntArray, IntArray]:
        """Indices of the spans that contain all rows `[first, last]`, and of those that contain some."""
        touching = (self._first <= last) & (self._last >= first)
        whole = touching & (self._first <= first) & (self._last >= last)
        return np.flatnonzero(whole), np.flatnonzero(touching & ~whole)

    def mask(self, index: int, rows: IndexArray) -> BoolArray:
        """bool[n]: the rows within a span."""
        return np.asarray((rows >= self._first[index]) & (rows <= self._last[index]))

    def records(self, uniform: UniformFrames, exact: Mapping[int, list[int]], spared: Collection[str]) -> Masks:
        """Each list with records, and bool[frames, records]: those of the lives, without those of packets `spared`.

        Records in `exact` (ordinals by packet index) are included in any case.
        """
        rows = uniform.rows + uniform.block.first
        whole, some = self.among(int(rows[0]), int(rows[-1]))
        found: list[tuple[Records, BoolArray]] = []
        for records in uniform.lists:
            if not len(records):
                continue
            mask = np.zeros((len(uniform), len(records)), np.bool_)
            if (len(whole) or len(some)) and records.kind.name not in spared:
                for offset in records.kind.actor_offsets:
                    ids = records.numbers(uniform.data, offset)
                    mask |= _members(ids, self.actor[whole])
                    for index in some.tolist():
                        mask |= (ids == self.actor[index]) & self.mask(index, rows)[:, None]
            mask[:, exact.get(records.packet, [])] = True
            found.append((records, mask))
        return found


class _Pass:
    """Applies a plan, block by block."""

    def __init__(self, snapshot: Snapshot, plan: Plan) -> None:
        self._dialect = snapshot.dialect
        self._plan = plan
        self._patterns = Patterns(self._dialect.packet)
        self._leaving = IdSpans(plan.leaving)
        self._renamed = IdSpans([each.id_span for each in plan.renamed])
        self._places = np.array(plan.places(), np.int64)
        self._dropped: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for place in plan.dropped:
            # The layout does not count the FrameStart.
            self._dropped[place.row][place.packet - 1].append(place.record)
        self._renumbered: dict[int, list[tuple[RecordPlace, int]]] = defaultdict(list)
        for place, new in plan.renumbered:
            self._renumbered[place.row].append((place, new))

    def visit(self, block: FrameBlock) -> Iterator[RewrittenFrames]:
        """The changed frames of a block."""
        low, high = np.searchsorted(self._places, (block.first, block.first + len(block))).tolist()
        single = self._places[low:high] - block.first
        others = np.setdiff1d(np.arange(len(block)), single, assume_unique=True)
        for uniform in self._patterns.groups(block, others):
            yield from self._rebuilt(uniform, None)
        for row in single:
            for uniform in self._patterns.groups(block, np.array([row])):
                yield from self._rebuilt(uniform, block.first + int(row))

    def _rebuilt(self, uniform: UniformFrames, single: int | None) -> Iterator[RewrittenFrames]:
        """Uniform frames, changed; `single` is the row if it is one frame with changes of single records."""
        if single is not None:
            exact = self._dropped.get(single, {})
        else:
            exact = {}
        dropped = self._leaving.records(uniform, exact, self._plan.spared)
        for records, mask in dropped:
            self._plan.removed[records.kind.name] += int(np.count_nonzero(mask))
        renamed = self._with_new_ids(uniform, single)
        if single is not None:
            added = self._plan.added.get(single, [])
        else:
            added = []
        stream = self._plan.stream
        for part, lost in group_by_dropped(renamed, dropped):
            for piece, streamed in [(part, {})] if stream is None else stream(part):
                if lost or added or streamed:
                    yield self._with_changes(piece, lost, added, streamed)
                elif renamed is not uniform:
                    yield rebuilt(self._dialect, piece, {})

    # --- renamed ids ------------------------------------------------------------------------------------

    def _with_new_ids(self, uniform: UniformFrames, single: int | None) -> UniformFrames:
        """The frames with renamed ids; the same object if there are none."""
        rows = uniform.rows + uniform.block.first
        whole, some = self._renamed.among(int(rows[0]), int(rows[-1]))
        indices = [*whole.tolist(), *some.tolist()]
        changes: list[tuple[int, BoolArray, bytes]] = []
        for records in uniform.lists if indices else ():
            if records.kind.name in EXACT or not len(records):
                continue
            for offset in records.kind.actor_offsets:
                ids = records.numbers(uniform.data, offset)
                for index in indices:
                    mask = (ids == self._renamed.actor[index]) & self._renamed.mask(index, rows)[:, None]
                    rename = self._plan.renamed[index]
                    for column in np.flatnonzero(mask.any(axis=0)).tolist():
                        start = records.body + int(records.starts[column])
                        changes.append((start + offset, mask[:, column], rename.new_id.to_bytes(4, "little")))
                        if rename.hero is not None and records.kind.name == "Collision":
                            changes.append((start + _HERO_FLAGS[offset], mask[:, column], bytes([rename.hero])))
        for place, new in self._renumbered.get(single, ()) if single is not None else ():
            records = next(each for each in uniform.lists if each.packet == place.packet - 1)
            changes.append((records.span(place.record).start, np.ones(1, np.bool_), new.to_bytes(4, "little")))
        if not changes:
            return uniform
        data = uniform.data.copy()
        for at, mask, raw in changes:
            data[mask, at : at + len(raw)] = np.frombuffer(raw, np.uint8)
        return UniformFrames(uniform.block, uniform.rows, data, uniform.lists)

    # --- added records ----------------------------------------------------------------------------------

    def _with_changes(
        self, uniform: UniformFrames, lost: Masks, added: Sequence[tuple[str, bytes]], streamed: Streamed
    ) -> RewrittenFrames:
        changes = {records.packet: ListChange(keep=~mask) for records, mask in lost}
        coming: dict[str, list[Bytes]] = defaultdict(list)
        for name, record in added:
            coming[name].append(np.frombuffer(record, np.uint8).reshape(1, -1))
        for name, records in streamed.items():
            coming[name].append(records)
        additional = any(self._dialect.packet(number).additional for number in uniform.block.layout.ids.tolist())
        new: list[NewPacket] = []
        for name, parts in coming.items():
            if len(parts) == 1:
                bytes_ = parts[0]
            else:
                bytes_ = np.concatenate(parts, axis=1)
            target = next((each for each in reversed(uniform.lists) if each.kind.name == name), None)
            kind = self._dialect.by_name(name)
            if target is not None:
                kept = changes.get(target.packet, ListChange()).keep
                changes[target.packet] = ListChange(kept, bytes_, len(parts))
            elif kind is not None and (additional or not kind.additional):
                new.append(NewPacket(kind.id, len(parts), bytes_))
        return rebuilt(self._dialect, uniform, changes, new)


def _members(ids: UInt32Array, wanted: UInt32Array) -> BoolArray:
    """bool[frames, records]: wanted ids. If all frames hold the same ids, only the first is compared."""
    if len(wanted) == 1:
        return np.asarray(ids == wanted[0])
    if not len(wanted) or bool((ids == ids[0]).all()):
        return np.broadcast_to(np.isin(ids[0], wanted), ids.shape)
    return np.isin(ids, wanted)
