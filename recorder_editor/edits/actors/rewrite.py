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
from ..block_rewrite import (
    ListChange,
    Masks,
    NewPacket,
    RewrittenFrames,
    group_by_dropped,
    rebuild_frames,
    rewrite_blocks,
)
from ..uniform_frames import Patterns, Records, UniformFrames

EXACT = ("EventAdd", "EventDel")
"""Packets with records that are identified by their place."""


class IdSpan(NamedTuple):
    """The rows `[first, last]` in which an id means one life; empty if `last` is before `first`.

    They include the row of the EventDel: a collision of that frame belongs to the life.
    """

    actor: int
    first: int
    last: int


def id_span_of(snapshot: Snapshot, life: Life) -> IdSpan:
    """Return the rows in which the id of a life means this life."""
    last = snapshot.rows - 1
    if life.gone is not None and life.gone < len(snapshot):
        last = snapshot.table.row_of_frame(life.gone)
    for later in Actors.of(snapshot).of_id(life.actor):
        if later.index > life.index:
            last = min(last, later.added.row - 1)
            break
    return IdSpan(actor=life.actor, first=life.added.row, last=last)


def refuse_other_kinds(lives: object) -> None:
    """Raise an error for what is no life of an actor, as an id or a selector, which the methods of a recording take.

    Raises:
        TypeError: These are no lives, or one of them is none.
    """
    given: Iterable[object] = [lives]
    if isinstance(lives, Iterable) and not isinstance(lives, str | Life):
        given = lives
    for life in given:
        if not isinstance(life, Life):
            raise TypeError(
                say(
                    "{value} is no life of an actor: `lives` of a recording finds those of an id or a selector.",
                    value=repr(life)[:60],
                )
            )


def refuse_outside_frames(snapshot: Snapshot, lives: Sequence[Life]) -> None:
    """Raise an error for a life with an EventAdd outside of frames, which only `repair` can fix.

    Raises:
        EditError: There is such a life.
        TypeError: One of them is no life.
    """
    refuse_other_kinds(lives)
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
    """Raise `EditError` if there are no lives, and `TypeError` for what is none."""
    refuse_other_kinds(lives)
    if not lives:
        raise EditError(say("No actor is named."))


def name_of(life: Life) -> str:
    """Return the name of a life in sentences: `vehicle.tesla.model3 174`."""
    return f"{life.blueprint} {life.actor}"


def label_of(lives: Sequence[Life]) -> str:
    """Return the name of lives in labels of edits: `174`, or `3 actors`."""
    if len(lives) == 1:
        return say("{actor}", actor=lives[0].actor)
    return say_count("{count:,} actor", "{count:,} actors", count=len(lives))


def is_of_level(life: Life) -> bool:
    """Return whether it belongs to the map: traffic lights and signs, the spectator, and `static.*` of the first frame.

    The simulator destroys the movable meshes of the level before a replay; only their EventAdd creates them again
    (format reference 6.1).
    """
    return life.is_traffic or life.is_spectator or (life.blueprint.startswith("static.") and not life.born)


def unused_id(snapshot: Snapshot) -> int:
    """Return an unused id: one above the highest, or the lowest free one if there is none above.

    It is never that of the spectator.
    """
    actors = Actors.of(snapshot)
    used = {SPECTATOR_ID}
    for life in actors:
        used.add(life.actor)
    for attachment in actors.parents:
        used.add(attachment.child)
        used.add(attachment.parent)
    highest = max(used)
    if highest + 1 < 0xFFFFFFFF:
        return highest + 1
    return next(number for number in range(1, len(used) + 2) if number not in used)


def refuse_new_id(
    snapshot: Snapshot, actor: int, born: int, gone: int | None, among: Sequence[Life] = (), *, spectator: bool = False
) -> None:
    """Raise an error for an id that an actor cannot get: one in use, and that of the spectator for other actors.

    Args:
        snapshot: The recording.
        actor: The id.
        born: Index of the first frame with that id.
        gone: Index of the frame after the last one; None: to the end.
        among: Lives that may have the id.
        spectator: Whether the actor is the spectator.

    Raises:
        EditError: The actor cannot get the id.
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
    """Raise an error if another life has an id within some frames.

    A life that ends in the frame in which the other begins is refused, too: within a frame adds run before deletes.

    Args:
        snapshot: The recording.
        actor: The id.
        born: Index of the first frame.
        gone: Index of the frame after the last one; None: to the end.
        among: Lives that do not count.

    Raises:
        EditError: Another life has it, or it is not an id for an actor.
    """
    if not 0 < actor < 0xFFFFFFFF:
        raise EditError(say("{actor} is not an id for an actor; ids go from 1 to 4294967294.", actor=actor))
    excepted = {life.index for life in among}
    for life in Actors.of(snapshot).of_id(actor):
        if life.index in excepted or (gone is not None and life.born > gone):
            continue
        if life.gone is not None and life.gone < born:
            continue
        if life.gone is None:
            template = N_("{actor} has the id {id} from frame {born} on.")
        else:
            template = N_("{actor} has the id {id} from frame {born} to {gone}.")
        raise EditError(say(template, actor=name_of(life), id=actor, born=life.born + 1, gone=life.gone))


_HERO_FLAGS = {4: 12, 8: 13}  # in a Collision, by the offset of the id

Streamed = Mapping[str, Bytes]
"""Records to add by packet name, one for each frame: shape (frames, bytes)."""


class Rename(NamedTuple):
    """Another id within the rows of an id span.

    Attributes:
        id_span: The rows and the id they have.
        new_id: The id they get.
        hero: The hero flag that collisions get; None: unchanged.
    """

    id_span: IdSpan
    new_id: int
    hero: bool | None = None


@dataclass
class Plan:
    """Changes of records of actors.

    Attributes:
        leaving: Id spans that lose their records, but for those of the packets `spared`.
        spared: Names of packets.
        dropped: Places of records to remove.
        renamed: Id spans that get another id, but for EventAdd and EventDel.
        renumbered: Places of EventAdd and EventDel with the id that they get.
        added: Packet name and bytes of records to add, by row.
        stream: Called for uniform frames within the rows `streamed`; yields groups of them, and the records to add to
            each group.
        streamed: Rows.
        removed: The number of records that `rewrite` removed, by packet name.
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
        """Remove the records of id spans in some packets; the plan removes no others.

        Args:
            id_spans: The id spans.
            dialect: The dialect of the recording.
            packets: Names of the packets.
        """
        self.leaving = list(id_spans)
        self.spared = frozenset(kind.name for kind in dialect.packets.values()) - set(packets)

    def add(self, row: int, packet: str, record: bytes) -> None:
        """Add a record to a row, after those of its packet."""
        self.added.setdefault(row, []).append((packet, record))

    def places(self) -> list[int]:
        """Return the rows in which single records change, rising."""
        rows = set(self.added)
        for place in self.dropped:
            rows.add(place.row)
        for place, _ in self.renumbered:
            rows.add(place.row)
        return sorted(rows)

    def rows(self) -> list[range]:
        """Return the rows that may change, rising."""
        id_spans = self.leaving + [rename.id_span for rename in self.renamed]
        spans: list[tuple[int, int]] = []
        for id_span in id_spans:
            if id_span.first <= id_span.last:
                spans.append((id_span.first, id_span.last + 1))
        for row in self.places():
            spans.append((row, row + 1))
        if self.streamed:
            spans.append((self.streamed.start, self.streamed.stop))
        merged: list[range] = []
        for first, stop in sorted(spans):
            if merged and first <= merged[-1].stop:
                merged[-1] = range(merged[-1].start, max(stop, merged[-1].stop))
            else:
                merged.append(range(first, stop))
        return merged


def rewrite(snapshot: Snapshot, plan: Plan, progress: Progress = SILENT) -> tuple[Splice, ...]:
    """Return the splices that apply a plan.

    Raises:
        EditError: A packet would hold too many records, or a single record is outside of frames.
        Cancelled: The user cancelled.
    """
    for row in plan.places():
        if int(snapshot.table.row(row)["kind"]) == RAW:
            raise EditError(
                say("A record of this actor is outside of any frame; repair the recording first."),
                offset=snapshot.position(row),
            )
    frame_of_row = snapshot.table.frame_of_row
    frames = [range(frame_of_row(rows.start), frame_of_row(rows.stop)) for rows in plan.rows()]
    return rewrite_blocks(snapshot, frames, _Pass(snapshot, plan).visit, progress)


class IdSpans:
    """Id spans as columns, and the records of lives that they find by id and row."""

    def __init__(self, id_spans: Sequence[IdSpan]) -> None:
        """Store id spans; `actor` holds their ids."""
        columns = np.array(id_spans, np.int64).reshape(-1, 3)
        self.actor = columns[:, 0].astype(np.uint32)
        self._first = columns[:, 1]
        self._last = columns[:, 2]

    def among(self, first: int, last: int) -> tuple[IntArray, IntArray]:
        """Return indices of the spans that contain all rows `[first, last]`, and of those that contain only some."""
        touching = (self._first <= last) & (self._last >= first)
        whole = touching & (self._first <= first) & (self._last >= last)
        return np.flatnonzero(whole), np.flatnonzero(touching & ~whole)

    def mask(self, index: int, rows: IndexArray) -> BoolArray:
        """Return which rows are within a span, bool[n]."""
        return np.asarray((rows >= self._first[index]) & (rows <= self._last[index]))

    def records(self, uniform: UniformFrames, exact: Mapping[int, list[int]], spared: Collection[str]) -> Masks:
        """Return each list with records, and which of them belong to the lives, bool[frames, records].

        Args:
            uniform: The frames.
            exact: Records that belong to them in any case: ordinals by packet index.
            spared: Names of packets without records that belong to them.
        """
        rows = uniform.rows + uniform.block.first
        whole, some = self.among(int(rows[0]), int(rows[-1]))
        masks: list[tuple[Records, BoolArray]] = []
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
            masks.append((records, mask))
        return masks


class _Pass:
    """Applies a plan, block by block."""

    def __init__(self, snapshot: Snapshot, plan: Plan) -> None:
        self._dialect = snapshot.dialect
        self._plan = plan
        self._patterns = Patterns(self._dialect.packet)
        self._leaving = IdSpans(plan.leaving)
        self._renamed = IdSpans([rename.id_span for rename in plan.renamed])
        self._places = np.array(plan.places(), np.int64)
        self._dropped: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for place in plan.dropped:
            # The layout does not count the FrameStart.
            self._dropped[place.row][place.packet - 1].append(place.record)
        self._renumbered: dict[int, list[tuple[RecordPlace, int]]] = defaultdict(list)
        for place, new_id in plan.renumbered:
            self._renumbered[place.row].append((place, new_id))

    def visit(self, block: FrameBlock) -> Iterator[RewrittenFrames]:
        """Yield the changed frames of a block."""
        low, high = np.searchsorted(self._places, (block.first, block.first + len(block))).tolist()
        single_rows = self._places[low:high] - block.first
        other_rows = np.setdiff1d(np.arange(len(block)), single_rows, assume_unique=True)
        for uniform in self._patterns.groups(block, other_rows):
            yield from self._rebuilt(uniform, None)
        for row in single_rows:
            for uniform in self._patterns.groups(block, np.array([row])):
                yield from self._rebuilt(uniform, block.first + int(row))

    def _rebuilt(self, uniform: UniformFrames, single: int | None) -> Iterator[RewrittenFrames]:
        """Yield changed uniform frames.

        Args:
            uniform: The frames.
            single: The row, if it is one frame with changes of single records.
        """
        exact: Mapping[int, list[int]] = {}
        added: Sequence[tuple[str, bytes]] = ()
        if single is not None:
            exact = self._dropped.get(single, {})
            added = self._plan.added.get(single, ())
        dropped = self._leaving.records(uniform, exact, self._plan.spared)
        for records, mask in dropped:
            self._plan.removed[records.kind.name] += int(np.count_nonzero(mask))
        renamed = self._with_new_ids(uniform, single)
        for part, lost in group_by_dropped(renamed, dropped):
            for piece, streamed in self._streamed(part):
                if lost or added or streamed:
                    yield self._with_changes(piece, lost, added, streamed)
                elif renamed is not uniform:
                    yield RewrittenFrames(rows=piece.rows, data=piece.data)

    def _streamed(self, uniform: UniformFrames) -> Iterable[tuple[UniformFrames, Streamed]]:
        """Return groups of uniform frames with the records that the stream adds to each group."""
        if self._plan.stream is None:
            return [(uniform, {})]
        return self._plan.stream(uniform)

    # --- renamed ids ------------------------------------------------------------------------------------

    def _with_new_ids(self, uniform: UniformFrames, single: int | None) -> UniformFrames:
        """Return the frames with renamed ids, in the same bytes; the same object if there are none."""
        changes = self._renamed_ids(uniform)
        if single is not None:
            for place, new_id in self._renumbered.get(single, ()):
                start = _start_of(uniform, place)
                changes.append(_IdChange(start, np.ones(1, np.bool_), new_id.to_bytes(4, "little")))
        if not changes:
            return uniform
        data = uniform.data
        for change in changes:
            stop = change.offset + len(change.value)
            data[change.frames, change.offset : stop] = np.frombuffer(change.value, np.uint8)
        return UniformFrames(uniform.block, uniform.rows, data, uniform.lists)

    def _renamed_ids(self, uniform: UniformFrames) -> list["_IdChange"]:
        """Return the changes of records of renamed id spans in uniform frames, but for EventAdd and EventDel."""
        rows = uniform.rows + uniform.block.first
        whole, some = self._renamed.among(int(rows[0]), int(rows[-1]))
        indices = whole.tolist() + some.tolist()
        changes: list[_IdChange] = []
        if not indices:
            return changes
        for records in uniform.lists:
            if records.kind.name in EXACT or not len(records):
                continue
            for offset in records.kind.actor_offsets:
                ids = records.numbers(uniform.data, offset)
                for index in indices:
                    mask = (ids == self._renamed.actor[index]) & self._renamed.mask(index, rows)[:, None]
                    rename = self._plan.renamed[index]
                    new_id = rename.new_id.to_bytes(4, "little")
                    for column in np.flatnonzero(mask.any(axis=0)).tolist():
                        start = records.body + int(records.starts[column])
                        changes.append(_IdChange(start + offset, mask[:, column], new_id))
                        if rename.hero is not None and records.kind.name == "Collision":
                            flag = start + _HERO_FLAGS[offset]
                            changes.append(_IdChange(flag, mask[:, column], bytes([rename.hero])))
        return changes

    # --- added records ----------------------------------------------------------------------------------

    def _with_changes(
        self, uniform: UniformFrames, lost: Masks, added: Sequence[tuple[str, bytes]], streamed: Streamed
    ) -> RewrittenFrames:
        """Return uniform frames without the lost records, with the added and the streamed ones."""
        changes = {records.packet: ListChange(keep=~mask) for records, mask in lost}
        parts_of: dict[str, list[Bytes]] = defaultdict(list)
        for name, record in added:
            parts_of[name].append(np.frombuffer(record, np.uint8).reshape(1, -1))
        for name, records in streamed.items():
            parts_of[name].append(records)
        has_additional = any(self._dialect.packet(number).additional for number in uniform.block.layout.ids.tolist())
        new: list[NewPacket] = []
        for name, parts in parts_of.items():
            joined = parts[0]
            if len(parts) > 1:
                joined = np.concatenate(parts, axis=1)
            target = _last_list(uniform, name)
            kind = self._dialect.by_name(name)
            if target is not None:
                keep = changes.get(target.packet, ListChange()).keep
                changes[target.packet] = ListChange(keep=keep, added=joined, number=len(parts))
            elif kind is not None and (has_additional or not kind.additional):
                new.append(NewPacket(id=kind.id, number=len(parts), records=joined))
        return rebuild_frames(self._dialect, uniform, changes, new)


class _IdChange(NamedTuple):
    """A change of uniform frames: `value` at `offset` in the rows of the data where `frames` (bool[frames]) is true."""

    offset: int
    frames: BoolArray
    value: bytes


def _start_of(uniform: UniformFrames, place: RecordPlace) -> int:
    """Return the first byte of a record in a row of uniform frames."""
    for records in uniform.lists:
        if records.packet == place.packet - 1:
            return records.body + int(records.starts[place.record])
    raise LookupError(place)


def _last_list(uniform: UniformFrames, name: str) -> Records | None:
    """Return the last record list of a packet type in uniform frames, or None."""
    for records in reversed(uniform.lists):
        if records.kind.name == name:
            return records
    return None


def _members(ids: UInt32Array, wanted: UInt32Array) -> BoolArray:
    """Return which ids are wanted, bool[frames, records].

    If all frames hold the same ids, only the first is compared.
    """
    if len(wanted) == 1:
        return np.asarray(ids == wanted[0])
    if not len(wanted) or bool((ids == ids[0]).all()):
        return np.broadcast_to(np.isin(ids[0], wanted), ids.shape)
    return np.isin(ids, wanted)
