"""The actors of a recording: lives, descriptions, attachments and events.

The actors belong to a snapshot; after an edit only the changed chunks of the frame table are read again. Positions over
time are read by `tracks`.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from ..arrays import AnyArray, Int32Array, IntArray, StructuredArray, UInt64Array, row_type, run_starts
from ..format import PacketType
from ..progress import SILENT, Progress
from ..recording.frames import frozen
from ..recording.snapshot import Snapshot
from .actor_state import World
from .event_index import ChunkEvents, Descriptions, EventFilter, EventPacket, EventRow, Reader
from .lives import Box, Life, Lifetimes
from .motion import keys_of
from .world import LastingRecord, Mount, StateHistory

_EVENTS = {
    "EventAdd": "born",
    "EventDel": "gone",
    "EventParent": "parent",
    "Collision": "collision",
    "VehicleDoor": "door",
    "PhysicsControl": "physics",
    "SceneLight": "scene light",
    "TrafficLightTime": "light times",
    "Weather": "weather",
}
_AT_ONCE = "light times"  # of all lights together, where they are set

EVENT_KINDS = tuple(_EVENTS.values())
"""The kinds of events; `Actors.events` stores their index."""

EVENT = row_type("frame_index:i8 row:i8 actor:i8 packet:i4 record:i4 kind:u1", align=True)
"""One event. `actor` is -1 for none, and the first actor of a collision. Lights and weather: one event per packet."""

_COLLISION = "id:u4 actor1:u4 actor2:u4 hero1:u1 hero2:u1"
COLLISION = row_type(f"frame_index:i8 row:i8 packet:i4 record:i4 {_COLLISION}", align=True)
"""One record of Collision: its place, and its stored values (format reference 4.5)."""

CONTACT = row_type("first:i8 last:i8 actor1:u4 actor2:u4 records:i8 collision:i8", align=True)
"""Two actors colliding in consecutive frames: `first` and `last` frame, `actor1` <= `actor2`, the number of records,
and the first one as an index into `Actors.collisions`."""

NO_ACTOR = 0xFFFFFFFF
"""The id in Collision of an object that is not a CARLA actor."""


class Actors:
    """The actors of a state of a recording. Get it with `Actors.of`.

    Attributes:
        lives: All lives, in order of birth.
        boxes: The last BoundingBox by index of the life.
        triggers: The last TriggerVolume by index of the life.
        parents: Every record of EventParent.
        is_whole: False if a limit of `event_index` was reached: 250,000 EventAdd records, 64 MiB of another packet
            type, 500,000 different attributes.
    """

    def __init__(
        self, snapshot: Snapshot, watch: EventFilter, pages: tuple[ChunkEvents, ...], descriptions: Descriptions
    ) -> None:
        self._snapshot = snapshot
        self._table = snapshot.table
        self._watch = watch
        self._pages = pages
        self._descriptions = descriptions
        self.is_whole = all(page.whole for page in pages)

    def __repr__(self) -> str:
        return f"<Actors: {len(self.lives):,} lives>"

    @classmethod
    def of(cls, snapshot: Snapshot, progress: Progress = SILENT) -> "Actors":
        """Return the actors of a snapshot, read once; after an edit only the rows that changed are read again.

        Args:
            snapshot: The state of the recording.
            progress: Counts chunks of the frame table.

        Raises:
            Cancelled: The user stopped it.
            OSError: The file cannot be read, as by `Store.read`.
        """
        earlier: Actors | None = None
        for cached in snapshot.derived.newest(cls):
            if cached._watch.dialect is snapshot.dialect:
                if cached._table is snapshot.table:
                    return cached
                earlier = earlier or cached
        if earlier is not None:
            watch = earlier._watch
            pages = earlier._pages
            descriptions = earlier._descriptions
        else:
            watch = EventFilter(snapshot.dialect, snapshot.layouts)
            pages = ()
            descriptions = {}
        reader = Reader(snapshot, watch, pages, descriptions)
        actors = cls(snapshot.with_empty_cache(), watch, reader.read(progress), descriptions)
        if earlier is None or not actors._reuse(earlier):
            actors._take(Lifetimes(len(snapshot), actors._lines))
        snapshot.derived.keep(actors)
        return actors

    def __len__(self) -> int:
        return len(self.lives)

    def __iter__(self) -> Iterator[Life]:
        return iter(self.lives)

    # --- lives ------------------------------------------------------------------------------------------

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of all lives, rising."""
        return tuple(sorted(self._by_id))

    def of_id(self, actor: int) -> tuple[Life, ...]:
        """Return all lives of an id, in order of birth."""
        return tuple(self.lives[index] for index in self._by_id.get(actor, ()))

    def at(self, actor: int, frame_index: int) -> Life | None:
        """Return the life of an id in a frame, or None."""
        indices = self._by_id.get(actor, ())
        rank = bisect_right(indices, frame_index, key=lambda index: self.lives[index].born) - 1
        if rank < 0:
            return None
        life = self.lives[indices[rank]]
        if life.is_alive(frame_index):
            return life
        return None

    def nearest(self, actor: int, frame_index: int) -> Life | None:
        """Return the life of an id in a frame, else the one that begins nearest to it; None without a life."""
        life = self.at(actor, frame_index)
        if life is not None:
            return life
        return min(self.of_id(actor), key=lambda candidate: abs(candidate.born - frame_index), default=None)

    def alive(self, frame_index: int) -> list[Life]:
        """Return the lives that are alive in a frame, in order of birth."""
        born, gone = self.spans
        indices = np.flatnonzero((born <= frame_index) & (gone > frame_index))
        return [self.lives[index] for index in indices.tolist()]

    def world_at(self, frame_index: int, *, own_events: bool = True) -> World:
        """Return the world at a frame: living actors with poses, attachments, and lasting records in force.

        Args:
            frame_index: The frame, from 0.
            own_events: Whether the events of the frame itself count; else only its Positions do: the actors that were
                there before and remain, as at its first packet.

        Raises:
            IndexError: There is no such frame.
        """
        return self._history.world_at(frame_index, self.alive(frame_index), own_events=own_events)

    def records_in_force(self, kind: PacketType, frame_index: int) -> list[bytes]:
        """Return the records of a lasting packet that hold in a frame, with those of the frame itself."""
        return self._history.records_in_force(kind, frame_index, self.alive(frame_index))

    @cached_property
    def _history(self) -> StateHistory:
        return StateHistory(self._snapshot, self._lines, self.lives)

    def lasting_records_of(self, life: Life) -> list[tuple[str, LastingRecord]]:
        """Return every lasting record of a life, in file order, with the name of its packet."""
        return self._history.lasting_records_of(life)

    def offset_parent_of(self, life: Life) -> Life | None:
        """Return the parent to which the EventAdd of a life is an offset, in its axes; None for a world position.

        The simulator writes offsets for attached sensors; `world` detects them.
        """
        mount = self._history.mount_of(life)
        if mount is None:
            return None
        return mount.parent

    def mount_of(self, life: Life) -> Mount | None:
        """Return that parent with the frame in which the life is attached to it, or None."""
        return self._history.mount_of(life)

    @property
    def holds_places(self) -> bool:
        """Whether EventAdds of attached actors hold places in the world, which simulators take as offsets."""
        return self._history.holds_places()

    def parent_of(self, life: Life) -> Life | None:
        """Return the last parent of a life, or None."""
        if life.parent is None:
            return None
        return self.lives[life.parent]

    def children_of(self, life: Life) -> tuple[Life, ...]:
        """Return the lives that were attached to this one last, in order of birth."""
        return tuple(self.lives[index] for index in self._children.get(life.index, ()))

    def indices_of(self, ids: AnyArray, frames: AnyArray) -> Int32Array:
        """Find the life of each id in its frame.

        Args:
            ids: The ids of actors, of shape (n,).
            frames: The frame index of each, of shape (n,).

        Returns:
            The indices of lives, int32[n]; -1 for none.
        """
        if not self.lives or not len(ids):
            return np.full(len(ids), -1, np.int32)
        keys, order, gone = self._keys
        wanted = keys_of(ids, frames)
        rank = keys.searchsorted(wanted, side="right") - 1
        has_same_id = (keys >> np.uint64(32))[rank] == wanted >> np.uint64(32)
        matches = (rank >= 0) & has_same_id & (frames < gone[rank])
        return np.where(matches, order[rank], np.int32(-1))

    # --- events -----------------------------------------------------------------------------------------

    @cached_property
    def events(self) -> StructuredArray:
        """All events in file order: dtype `EVENT`, read-only."""
        parts: list[StructuredArray] = []
        for kind, name in enumerate(_EVENTS):
            places, actors, counts = self._records(name)
            part = self._located(EVENT, places, counts)
            part["kind"] = kind
            part["actor"] = actors
            parts.append(part)
        events = np.concatenate(parts)
        return frozen(events[np.lexsort((events["record"], events["packet"], events["row"]))])

    def _records(self, name: str) -> tuple[list[tuple[int, int, int]], IntArray, list[int]]:
        """Read the packets of a type with events.

        Returns:
            (row, frame, packet) of each packet, the actor of each record (int64[n], -1 for none), the number of records
            of each packet.
        """
        places: list[tuple[int, int, int]] = []
        events: list[EventPacket] = []
        for line in self._lines:
            for event in line.packets:
                if event.kind == name:
                    places.append((line.row, line.frame, event.packet))
                    events.append(event)
        if name == "EventAdd":
            ids: list[int] = []
            counts: list[int] = []
            for event in events:
                counts.append(len(event.added))
                for added in event.added:
                    ids.append(added.actor)
            return places, np.array(ids, np.int64), counts
        kind = self._snapshot.dialect.by_name(name)
        is_list = kind is not None and kind.body == "list" and bool(kind.actor_offsets) and _EVENTS[name] != _AT_ONCE
        stored = b"".join([event.records for event in events])
        if kind is None or not is_list or (kind.record.size is None and not stored):
            return places, np.full(len(places), -1, np.int64), [1] * len(places)
        if kind.record.size is None:
            # Of records that differ in length, the ids alone are kept.
            width = 4
            offset = 0
        else:
            width = kind.record.size
            offset = kind.actor_offsets[0]
        records = np.frombuffer(stored, np.uint8).reshape(-1, width)
        actors = np.ascontiguousarray(records[:, offset : offset + 4]).view("<u4")[:, 0]
        return places, actors.astype(np.int64), [len(event.records) // width for event in events]

    def _located(
        self, dtype: np.dtype[np.void], places: Sequence[tuple[int, int, int]], counts: Sequence[int]
    ) -> StructuredArray:
        """Return records of a dtype with their places; all other fields are zero.

        Args:
            dtype: The dtype of the records.
            places: (row, frame, packet) of each packet.
            counts: The number of records of each packet.
        """
        numbers = np.array(counts, np.int64)
        by_packet = np.array(places, np.int64).reshape(-1, 3)
        by_record = np.repeat(by_packet, numbers, axis=0)
        records = np.zeros(len(by_record), dtype)
        records["row"] = by_record[:, 0]
        records["frame_index"] = by_record[:, 1]
        records["packet"] = by_record[:, 2]
        np.minimum(records["frame_index"], max(0, self._table.frames - 1), out=records["frame_index"])
        records["record"] = np.arange(len(records)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
        return records

    @cached_property
    def collisions(self) -> StructuredArray:
        """Every record of Collision in file order: dtype `COLLISION`, read-only."""
        places, _, counts = self._records("Collision")
        collisions = self._located(COLLISION, places, counts)
        tables: list[StructuredArray] = []
        for line in self._lines:
            tables += [event.table for event in line.packets if event.kind == "Collision"]
        if tables:
            for name in row_type(_COLLISION).names or ():
                collisions[name] = np.concatenate([table[name] for table in tables])
        return frozen(collisions)

    @cached_property
    def contacts(self) -> StructuredArray:
        """Contacts in order of time: dtype `CONTACT`, read-only.

        Records of the same two actors, in either order, in consecutive frames are one contact.
        """
        records = self.collisions
        low = np.minimum(records["actor1"], records["actor2"])
        high = np.maximum(records["actor1"], records["actor2"])
        frames = records["frame_index"]
        order = np.lexsort((frames, high, low))
        low = low[order]
        high = high[order]
        frames = frames[order]
        heads = np.flatnonzero(run_starts(low, high) | np.append(True, np.diff(frames) > 1))
        tails = np.append(heads[1:], len(order)) - 1 if len(heads) else heads
        contacts = np.zeros(len(heads), CONTACT)
        contacts["first"] = frames[heads]
        contacts["last"] = frames[tails]
        contacts["actor1"] = low[heads]
        contacts["actor2"] = high[heads]
        contacts["records"] = tails - heads + 1
        contacts["collision"] = order[heads]
        return frozen(contacts[np.lexsort((contacts["collision"], contacts["first"]))])

    # --- reading ----------------------------------------------------------------------------------------

    def _take(self, lifetimes: Lifetimes) -> None:
        self._lifetimes = lifetimes
        self.lives = lifetimes.lives
        self.parents = tuple(lifetimes.attachments)
        self.boxes: Mapping[int, Box] = lifetimes.boxes
        self.triggers: Mapping[int, Box] = lifetimes.triggers

    def _reuse(self, earlier: "Actors") -> bool:
        """Reuse the results of an earlier state if the events of every chunk are equal and in the same places.

        Returns:
            Whether they are reused.
        """
        if len(self._pages) != len(earlier._pages):
            return False
        for page, before in zip(self._pages, earlier._pages, strict=True):
            if not page.equals(before):
                return False
        self._take(earlier._lifetimes)
        for name in ("_lines", "_by_id", "spans", "_keys", "_children", "events", "collisions", "contacts"):
            if name in earlier.__dict__:
                self.__dict__[name] = earlier.__dict__[name]
        return True

    @cached_property
    def _lines(self) -> list[EventRow]:
        """The rows with events; rows and frames are counted from the beginning of the table."""
        lines: list[EventRow] = []
        row = 0
        frame = 0
        for page in self._pages:
            for line in page.lines:
                if line.packets:
                    lines.append(EventRow(row + line.row, frame + line.frame, line.packets))
            row += len(page.chunk)
            frame += page.frames
        return lines

    # --- indices ----------------------------------------------------------------------------------------

    @cached_property
    def _by_id(self) -> dict[int, list[int]]:
        """The indices of lives, by id."""
        indices: dict[int, list[int]] = {}
        for life in self.lives:
            indices.setdefault(life.actor, []).append(life.index)
        return indices

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        """The indices of lives, by the index of their last parent."""
        indices: dict[int, list[int]] = {}
        for life in self.lives:
            if life.parent is not None:
                indices.setdefault(life.parent, []).append(life.index)
        return indices

    @cached_property
    def spans(self) -> tuple[IntArray, IntArray]:
        """`born` and `gone` of all lives, a very large `gone` for those alive at the end."""
        far = int(np.iinfo(np.int64).max)
        born: list[int] = []
        gone: list[int] = []
        for life in self.lives:
            born.append(life.born)
            gone.append(far if life.gone is None else life.gone)
        return np.array(born, np.int64), np.array(gone, np.int64)

    @cached_property
    def _keys(self) -> tuple[UInt64Array, Int32Array, IntArray]:
        """(id, born) of all lives as one rising number, and in that order their indices and `gone`."""
        born, gone = self.spans
        keys = keys_of(np.array([life.actor for life in self.lives], np.uint64), born)
        order = np.argsort(keys, kind="stable")
        return keys[order], order.astype(np.int32), gone[order]
