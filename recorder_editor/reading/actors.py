"""The actors of a recording: lives, descriptions, attachments and events.

The actors belong to a snapshot; after an edit only the changed chunks of the frame table are read again. Positions over
time are read by `tracks`.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from ..arrays import AnyArray, Int32Array, IntArray, StructuredArray, UInt64Array, begins, row_type
from ..progress import SILENT, Progress
from ..recording.frames import frozen
from ..recording.snapshot import Snapshot
from .actor_state import World
from .event_index import ChunkEvents, Descriptions, EventFilter, EventRow, Reader
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

    Attributes: `lives` (in order of birth), `boxes` and `triggers` (last BoundingBox and TriggerVolume by index of the
    life), `parents` (every record of EventParent), `is_whole` (False if a limit of `event_index` was reached: 250,000
    EventAdd records, 64 MiB of another packet type, 500,000 different attributes).
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

    @classmethod
    def of(cls, snapshot: Snapshot, progress: Progress = SILENT) -> "Actors":
        """The actors of a snapshot, read once; after an edit only the rows that changed are read again.

        `progress` counts chunks of the frame table. Raises `Cancelled`, and errors of reading as `Store.read`.
        """
        earlier: Actors | None = None
        for known in snapshot.derived.newest(cls):
            if known._watch.dialect is snapshot.dialect:
                if known._table is snapshot.table:
                    return known
                earlier = earlier or known
        if earlier is not None:
            watch = earlier._watch
        else:
            watch = EventFilter(snapshot.dialect, snapshot.layouts)
        descriptions: Descriptions = {}
        if earlier is not None:
            descriptions = earlier._descriptions
        reader = Reader(snapshot, watch, earlier._pages if earlier is not None else (), descriptions)
        made = cls(snapshot.without_derived(), watch, reader.read(progress), descriptions)
        if earlier is None or not made._share(earlier):
            made._take(Lifetimes(len(snapshot), made._lines))
        snapshot.derived.keep(made)
        return made

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
        """All lives of an id, in order of birth."""
        return tuple(self.lives[index] for index in self._by_id.get(actor, ()))

    def at(self, actor: int, frame_index: int) -> Life | None:
        """The life of an id in a frame, or None."""
        indices = self._by_id.get(actor, ())
        found = bisect_right(indices, frame_index, key=lambda index: self.lives[index].born) - 1
        life = None
        if found >= 0:
            life = self.lives[indices[found]]
        if life is not None and life.is_alive(frame_index):
            return life
        return None

    def nearest(self, actor: int, frame_index: int) -> Life | None:
        """The life of an id in a frame, else the one that begins nearest to it; None for an id that never was."""
        lives = self.of_id(actor)
        return self.at(actor, frame_index) or min(lives, key=lambda life: abs(life.born - frame_index), default=None)

    def alive(self, frame_index: int) -> list[Life]:
        """The lives that are alive in a frame, in order of birth."""
        born, gone = self.spans
        return [self.lives[index] for index in np.flatnonzero((born <= frame_index) & (gone > frame_index)).tolist()]

    def world_at(self, frame_index: int, *, own_events: bool = True) -> World:
        """The world at a frame: living actors with poses, attachments, and lasting records in force.

        Without `own_events` only the Positions of the frame itself count: the actors that were there before and remain,
        as at its first packet. Raises IndexError for a frame that does not exist.
        """
        return self._history.world_at(frame_index, self.alive(frame_index), own_events=own_events)

    @cached_property
    def _history(self) -> StateHistory:
        return StateHistory(self._snapshot, self._lines, self.lives)

    def lasting_records_of(self, life: Life) -> list[tuple[str, LastingRecord]]:
        """Every lasting record of a life, in file order, with the name of its packet."""
        return self._history.lasting_records_of(life)

    def offset_parent_of(self, life: Life) -> Life | None:
        """The parent to which the EventAdd of a life is an offset, in the parent's axes; None for a world position.

        The simulator writes offsets for attached sensors; `world` detects them.
        """
        mount = self._history.mount_of(life)
        if mount is None:
            return None
        return mount.parent

    def mount_of(self, life: Life) -> Mount | None:
        """That parent with the frame in which the life is attached to it, or None."""
        return self._history.mount_of(life)

    @property
    def holds_places(self) -> bool:
        """Whether EventAdds of attached actors hold places in the world, which simulators take as offsets."""
        return self._history.holds_places()

    def parent_of(self, life: Life) -> Life | None:
        """The last parent of a life, or None."""
        if life.parent is None:
            return None
        return self.lives[life.parent]

    def children_of(self, life: Life) -> tuple[Life, ...]:
        """The lives that were attached to this one last, in order of birth."""
        return tuple(self.lives[index] for index in self._children.get(life.index, ()))

    def indices_of(self, ids: AnyArray, frames: AnyArray) -> Int32Array:
        """The index of the life of each id in its frame (frame indices), -1 for none: int32[n]."""
        if not self.lives or not len(ids):
            return np.full(len(ids), -1, np.int32)
        keys, order, gone = self._keys
        wanted = keys_of(ids, frames)
        found = keys.searchsorted(wanted, side="right") - 1
        matches = (found >= 0) & ((keys >> np.uint64(32))[found] == wanted >> np.uint64(32)) & (frames < gone[found])
        return np.where(matches, order[found], np.int32(-1))

    # --- events -----------------------------------------------------------------------------------------

    @cached_property
    def events(self) -> StructuredArray:
        """All events in file order: dtype `EVENT`, read-only."""
        parts: list[StructuredArray] = []
        for kind, name in enumerate(_EVENTS):
            lines, actors, counts = self._records(name)
            part = self._located(EVENT, lines, counts)
            part["kind"] = kind
            part["actor"] = actors
            parts.append(part)
        events = np.concatenate(parts)
        return frozen(events[np.lexsort((events["record"], events["packet"], events["row"]))])

    def _records(self, name: str) -> tuple[list[tuple[int, int, int]], IntArray, list[int]]:
        """(row, frame, packet) of each packet of a type, the actor of each record, the number of records of each
        packet.
        """
        found = []
        for line in self._lines:
            for event in line.packets:
                if event.kind == name:
                    found.append((line, event))
        lines = []
        for line, event in found:
            lines.append((line.row, line.frame, event.packet))
        if name == "EventAdd":
            ids = np.array([added.actor for _, event in found for added in event.added], np.int64)
            return lines, ids, [len(event.added) for _, event in found]
        kind = self._snapshot.dialect.by_name(name)
        is_one = kind is None or kind.body != "list" or not kind.actor_offsets or _EVENTS[name] == _AT_ONCE
        size = None if kind is None else kind.record.size
        if kind is None or is_one or (size is None and not any(event.records for _, event in found)):
            return lines, np.full(len(lines), -1, np.int64), [1] * len(lines)
        # Of records that differ in length, the ids alone are kept.
        if size is None:
            width, at = (4, 0)
        else:
            width, at = (size, kind.actor_offsets[0])
        records = np.frombuffer(b"".join(event.records for _, event in found), np.uint8).reshape(-1, width)
        ids = np.ascontiguousarray(records[:, at : at + 4]).view("<u4")[:, 0]
        return lines, ids.astype(np.int64), [len(event.records) // width for _, event in found]

    def _located(
        self, dtype: np.dtype[np.void], lines: Sequence[tuple[int, int, int]], counts: Sequence[int]
    ) -> StructuredArray:
        """Records of a dtype with their places; all other fields are zero."""
        numbers = np.array(counts, np.int64)
        places = np.array(lines, np.int64).reshape(-1, 3)
        made = np.zeros(int(numbers.sum()), dtype)
        made["row"], made["frame_index"], made["packet"] = np.repeat(places, numbers, axis=0).T
        np.minimum(made["frame_index"], max(0, self._table.frames - 1), out=made["frame_index"])
        made["record"] = np.arange(len(made)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
        return made

    @cached_property
    def collisions(self) -> StructuredArray:
        """Every record of Collision in file order: dtype `COLLISION`, read-only."""
        lines, _, counts = self._records("Collision")
        events = (event for line in self._lines for event in line.packets if event.kind == "Collision")
        made = self._located(COLLISION, lines, counts)
        tables = [event.table for event in events]
        for name in row_type(_COLLISION).names or ():
            if tables:
                made[name] = np.concatenate([table[name] for table in tables])
        return frozen(made)

    @cached_property
    def contacts(self) -> StructuredArray:
        """Contacts in order of time: dtype `CONTACT`, read-only.

        Records of the same two actors, in either order, in consecutive frames are one contact.
        """
        records = self.collisions
        low, high = np.minimum(records["actor1"], records["actor2"]), np.maximum(records["actor1"], records["actor2"])
        frames = records["frame_index"]
        order = np.lexsort((frames, high, low))
        low, high, frames = low[order], high[order], frames[order]
        heads = np.flatnonzero(begins(low, high) | np.append(True, np.diff(frames) > 1))
        if len(heads):
            tails = np.append(heads[1:], len(order)) - 1
        else:
            tails = heads
        made = np.zeros(len(heads), CONTACT)
        made["first"], made["last"] = frames[heads], frames[tails]
        made["actor1"], made["actor2"] = low[heads], high[heads]
        made["records"], made["collision"] = tails - heads + 1, order[heads]
        return frozen(made[np.lexsort((made["collision"], made["first"]))])

    # --- reading ----------------------------------------------------------------------------------------

    def _take(self, found: Lifetimes) -> None:
        self._lifetimes = found
        self.lives = found.lives
        self.parents = tuple(found.attachments)
        self.boxes: Mapping[int, Box] = found.boxes
        self.triggers: Mapping[int, Box] = found.triggers

    def _share(self, earlier: "Actors") -> bool:
        """Reuse the results of an earlier state if the events of every chunk are equal and in the same places."""
        pages = list(zip(self._pages, earlier._pages, strict=False))
        if len(self._pages) != len(earlier._pages) or not all(page.equals(before) for page, before in pages):
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
        row = frame = 0
        for page in self._pages:
            lines += [EventRow(row + line.row, frame + line.frame, line.packets) for line in page.lines if line.packets]
            row, frame = row + len(page.chunk), frame + page.frames
        return lines

    # --- indices ----------------------------------------------------------------------------------------

    @cached_property
    def _by_id(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for life in self.lives:
            found.setdefault(life.actor, []).append(life.index)
        return found

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for life in self.lives:
            if life.parent is not None:
                found.setdefault(life.parent, []).append(life.index)
        return found

    @cached_property
    def spans(self) -> tuple[IntArray, IntArray]:
        """`born` and `gone` of all lives, a very large `gone` for those alive at the end."""
        far = np.iinfo(np.int64).max
        born = np.array([life.born for life in self.lives], np.int64)
        return born, np.array([far if life.gone is None else life.gone for life in self.lives], np.int64)

    @cached_property
    def _keys(self) -> tuple[UInt64Array, Int32Array, IntArray]:
        """(id, born) of all lives as one rising number, and in that order their indices and `gone`."""
        born, gone = self.spans
        keys = keys_of(np.array([life.actor for life in self.lives], np.uint64), born)
        order = np.argsort(keys, kind="stable")
        return keys[order], order.astype(np.int32), gone[order]
