"""The world at a frame: the actors, their poses, and the lasting records in force.

Lasting records (attachments, boxes, physics, lights of the map, doors, weather) are recorded once and hold until the
next one. Their packets are read once; the world at any frame then takes a few lookups and one read. Records are kept as
bytes.

An actor that is attached keeps its relative transform, in every release and whichever frame its EventParent is in. An
actor without a parent is relative to the world, so the place of its EventAdd becomes its offset from the parent, also
if it was attached long after it was created; a second parent takes over the offset. Every real recording has a camera
at (-550, 0, 280) cm, pitch -15, attached to a car that is 140 m away. Poses here follow this rule, with two exceptions,
which are what the author of a file meant and not what a simulator makes of it (`checks/attached.py` reports both):

- Other programs write places in the world into the EventAdds of attached actors. Whether a recording as a whole holds
  such places is detected once from its data (`rigid.are_offsets`); then an attached actor keeps its place in the world
  when it is attached.
- A Position is always a place in the world. Simulators from 0.9.12 on take that of an attached actor as its offset.
"""

import math
import struct
from bisect import bisect_left
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from threading import Lock
from typing import Literal, NamedTuple

import numpy as np

from ..arrays import StructuredArray
from ..format import PACKET_HEADER, Body, PacketType, decode
from ..recording.frames import RAW
from ..recording.snapshot import Snapshot
from .actor_state import ActorState, PoseKind, World, last_records, numbers_of
from .event_index import EventPacket, EventRow
from .lives import Life
from .motion import keys_of
from .rigid import Pose, are_offsets, carried, composed, relative
from .tracks import Tracks

_FRAMES_KEPT = 16
_POSES_KEPT = 1 << 16
_ROW = itemgetter(0)


class _Attached(NamedTuple):
    """An attachment of a life.

    Attributes:
        row: The row of its EventParent.
        frame: The frame of that row.
        parent: The index of the parent's life.
        is_handed_over: Whether an earlier parent was still there.
    """

    row: int
    frame: int
    parent: int
    is_handed_over: bool


class Mount(NamedTuple):
    """The parent from which an EventAdd is an offset.

    Attributes:
        parent: The parent.
        frame_index: The frame in which the EventAdd becomes an offset from it.
    """

    parent: Life
    frame_index: int


class PoseSource(NamedTuple):
    """The source of the pose of a life.

    Attributes:
        by: `birth`: its EventAdd; `sight`: its last Position; `offset`: its EventAdd is an offset from the parent;
            `place`: an earlier pose of its own in the world is an offset from the parent; `carried`: it moved with the
            parent from the poses of both in an earlier frame; `moved`: it kept its offset from an earlier parent in a
            frame.
        sources: The (life, frame) of the poses that determine it: its own earlier pose, that of the parent at that
            time, and the present one of the parent, as far as they count.
    """

    by: Literal["birth", "sight", "offset", "place", "carried", "moved"]
    sources: tuple[tuple[int, int], ...]


class LastingRecord(NamedTuple):
    """A record that is valid until the next one of its key.

    Attributes:
        row: The row of its packet.
        packet: The index of the packet in the row.
        ordinal: Its index in the packet.
        record: Its bytes.
    """

    row: int
    packet: int
    ordinal: int
    record: bytes


_Series = list[LastingRecord]
"""Records of one packet type and key, in file order."""


class StateHistory:
    """All lasting records of a snapshot, from which the world at any frame is built. Thread-safe."""

    def __init__(self, snapshot: Snapshot, lines: Iterable[EventRow], lives: tuple[Life, ...]) -> None:
        """Read the lasting records.

        Args:
            snapshot: The state of the recording.
            lines: The rows with events, in file order.
            lives: The lives, in order of birth.
        """
        self._snapshot = snapshot
        self._table = snapshot.table
        self._lives = lives
        self._kinds = {kind.name: kind for kind in snapshot.dialect.kinds("lasting")}
        self._series: defaultdict[tuple[str, int], _Series] = defaultdict(list)
        self._numbered: defaultdict[tuple[str, bytes], _Series] = defaultdict(list)
        self._single: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._attached: defaultdict[int, list[_Attached]] = defaultdict(list)
        self._poses_in: OrderedDict[int, Mapping[int, bytes]] = OrderedDict()
        self._poses: dict[tuple[int, int], tuple[bytes, PoseKind]] = {}
        self._placed_there: dict[tuple[int, int], bool] = {}
        self._lock = Lock()
        self._numbers = struct.Struct("<6d" if snapshot.dialect.wide else "<6f")
        self._read(lines)

    # --- queries ----------------------------------------------------------------------------------------

    def world_at(self, frame: int, alive: Iterable[Life], *, own_events: bool) -> World:
        """Return the world at a frame.

        Args:
            frame: The frame index.
            alive: The lives that are alive in it.
            own_events: Whether the events of the frame itself count.
        """
        if own_events:
            bound = self._bound(frame)
        else:
            bound = self._table.row_of_frame(frame)
        living = {life.index: life for life in alive if life.added.row < bound}
        with self._lock:
            if len(self._poses) > _POSES_KEPT:
                self._poses.clear()
            actors = tuple(self._state_of(life, frame, bound, living) for life in living.values())
        return World(frame, actors, self._beside(bound))

    def records_in_force(self, kind: PacketType, frame: int, alive: Iterable[Life]) -> list[bytes]:
        """Return the records of a lasting packet that hold in a frame, with those of the frame itself.

        Args:
            kind: The packet.
            frame: The frame index.
            alive: The lives that are alive in it.
        """
        bound = self._bound(frame)
        if kind.keyed in ("nothing", "number"):
            return list(self._beside(bound).get(kind.name, {}).values())
        records: list[bytes] = []
        for life in alive:
            records.extend(_in_force(kind, self._series.get((kind.name, life.index), []), bound))
        return records

    def _bound(self, frame: int) -> int:
        """Return the row before which everything counts in a frame; packets after the last frame belong to it."""
        if frame < self._table.frames - 1:
            return self._table.row_of_frame(frame) + 1
        return len(self._table)

    def _beside(self, bound: int) -> dict[str, dict[bytes, bytes]]:
        """Return the lasting records of the rows before `bound` that belong to no actor, by packet and key."""
        lasting: dict[str, dict[bytes, bytes]] = {}
        for (name, key), series in self._numbered.items():
            record = _last(series, bound)
            if record is not None:
                lasting.setdefault(name, {})[key] = record
        for name, places in self._single.items():
            lasting[name] = {}
            for index in reversed(range(bisect_left(places, bound, key=_ROW))):
                row, packet = places[index]
                records = self._records(row, packet)
                if records:
                    lasting[name][self._kinds[name].key_of(records[-1])] = records[-1]
                    break
        return lasting

    def lasting_records_of(self, life: Life) -> list[tuple[str, LastingRecord]]:
        """Return every lasting record of a life, in file order, with the name of its packet."""
        entries: list[tuple[str, LastingRecord]] = []
        for name in self._kinds:
            for record in self._series.get((name, life.index), ()):
                entries.append((name, record))
        return sorted(entries, key=itemgetter(1))

    def mount_of(self, life: Life) -> Mount | None:
        """Return the parent to which the EventAdd of a life is an offset, None for a world position."""
        with self._lock:
            mount = self._mounts.get(life.index)
        if mount is None:
            return None
        return Mount(self._lives[mount.parent], mount.frame)

    def holds_places(self) -> bool:
        """Whether EventAdds of attached actors hold places in the world, which no simulator expects."""
        with self._lock:
            return self._holds_places

    def _state_of(self, life: Life, frame: int, bound: int, living: Mapping[int, Life]) -> ActorState:
        """Return the state of a living actor; rows before `bound` count."""
        pose, pose_source = self._recorded_pose(life, frame) or self._pose(life.index, frame)
        parent = None
        for attachment in self._attached.get(life.index, ()):
            if attachment.row < bound:
                parent = living.get(attachment.parent)
        lasting: dict[str, tuple[bytes, ...]] = {}
        for name, kind in self._kinds.items():
            series = self._series.get((name, life.index))
            if series:
                records = _in_force(kind, series, bound)
                if records:
                    lasting[name] = records
        return ActorState(
            life=life,
            pose=pose,
            spawn=self._spawn(life, frame, pose),
            pose_source=pose_source,
            parent=parent,
            lasting=lasting,
        )

    # --- poses ----------------------------------------------------------------------------------------

    def _recorded_pose(self, life: Life, frame: int) -> tuple[bytes, PoseKind] | None:
        """Return the pose recorded in the frame itself, or None."""
        if life.is_traffic:
            # The simulator finds them by their recorded location (format reference 6.4).
            return self._birth(life), "birth"
        placed = self._positions(frame).get(life.actor)
        if placed is None:
            return None
        return (placed, "position")

    def _pose(self, index: int, frame: int) -> tuple[bytes, PoseKind]:
        """Return the pose of a life in a frame.

        The poses it depends on are computed first, without recursion: a file may attach thousands in a chain.
        """
        waiting = [(index, frame)]
        while waiting:
            life_index, pose_frame = waiting[-1]
            life = self._lives[life_index]
            if pose_frame >= life.born:
                pose = self._recorded_pose(life, pose_frame)
            else:
                pose = (self._birth(life), "birth")
            if pose is None:
                source = self._pose_source(life, pose_frame)
                missing = [key for key in source.sources if key not in self._poses]
                if missing:
                    waiting += missing
                    continue
                pose = self._derived(life, source)
            self._poses[waiting.pop()] = pose
        return self._poses[index, frame]

    def _pose_source(self, life: Life, frame: int) -> PoseSource:
        """Return what determines the pose of a life without a Position in a frame."""
        attached = self._attached.get(life.index, ())
        if attached and self._holds_places:
            return self._source_of_place(life, attached, frame)
        held = [attachment for attachment in attached if attachment.frame <= frame]
        if held:
            return self._source_of_offset(life, held, frame)
        return self._source_in_world(life, frame)

    def _source_in_world(self, life: Life, frame: int) -> PoseSource:
        """Return what determines the pose of a life without a parent."""
        seen = None
        if frame > life.born:
            seen = self._position_index.last(life.actor, life.born, frame)
        elif frame == life.born and life.actor in self._positions(frame):
            seen = frame
        if seen is None:
            return PoseSource("birth", ())
        return PoseSource("sight", ((life.index, seen),))

    def _source_of_place(self, life: Life, attached: Sequence[_Attached], frame: int) -> PoseSource:
        """Return the same if attached actors keep their place in the world: it moved with the parent since then."""
        last = None
        for attachment in attached:
            if attachment.frame < frame:
                last = attachment
        if last is None:
            return self._source_in_world(life, frame)
        since = last.frame
        until = frame
        gone = self._lives[last.parent].gone
        if gone is not None:
            until = max(since, min(frame, gone - 1))
        return PoseSource("carried", ((life.index, since), (last.parent, since), (last.parent, until)))

    def _source_of_offset(self, life: Life, held: Sequence[_Attached], frame: int) -> PoseSource:
        """Return the same if attached actors keep their relative transform; `held` are the attachments so far."""
        attachment = held[-1]
        parent = self._lives[attachment.parent]
        until = frame
        if parent.gone is not None:
            # A parent that is destroyed leaves its children where its pose in the frame before puts them in the world.
            until = min(frame, parent.gone - 1)
        now = (parent.index, until)
        seen = self._last_position(life, attachment, frame)
        if seen is None and attachment.frame <= until < frame and life.actor in self._positions(until):
            seen = until
        if seen is None:
            return self._source_of_relative(life, held, now)
        if parent.gone is not None and seen >= parent.gone:
            return PoseSource("sight", ((life.index, seen),))
        return PoseSource("carried", ((life.index, seen), (parent.index, seen), now))

    def _source_of_relative(self, life: Life, held: Sequence[_Attached], now: tuple[int, int]) -> PoseSource:
        """Return what determines the pose of a life on its last parent: its offset at the last attachment."""
        for number in range(len(held) - 1, 0, -1):
            start = held[number].frame
            earlier = held[number - 1]
            if not held[number].is_handed_over and earlier.frame < start:
                return PoseSource("place", ((life.index, start - 1), now))
            seen = self._last_position(life, earlier, start - 1)
            if seen is not None:
                return PoseSource("moved", ((life.index, seen), (earlier.parent, seen), now))
        before = self._source_in_world(life, held[0].frame - 1)
        if before.by == "birth":
            return PoseSource("offset", (now,))
        own = before.sources[0]
        return PoseSource("place", (own, now))

    def _last_position(self, life: Life, attachment: _Attached, frame: int) -> int | None:
        """Return the last frame up to `frame` in which a life has a Position since an attachment.

        One that is attached when it is created has a Position there, or in no frame in which it is attached, as
        recorders write them: the others need not be searched.
        """
        key = life.index, attachment.frame
        if key not in self._placed_there:
            self._placed_there[key] = life.actor in self._positions(attachment.frame)
        if attachment.frame == life.born and not self._placed_there[key]:
            return None
        return self._position_index.last(life.actor, attachment.frame, frame)

    def _derived(self, life: Life, source: PoseSource) -> tuple[bytes, PoseKind]:
        """Return the pose that follows from a source; the poses that it depends on are known."""
        poses = [self._poses[key][0] for key in source.sources]
        if source.by == "sight":
            return self._poses[source.sources[0]]
        if source.by == "birth":
            return self._birth(life), "birth"
        now = poses[-1]
        if source.by == "offset":
            return self._map_pose(composed, now, self._birth(life)), "attached"
        begin = poses[0]
        if source.by == "place":
            return self._map_pose(composed, now, begin), "attached"
        then = poses[1]
        if source.by == "moved":
            offset = relative(numbers_of(then), numbers_of(begin))
            return _stored(composed(numbers_of(now), offset), len(begin)), "attached"
        if then == now:
            return begin, "attached"
        return _stored(carried(numbers_of(begin), numbers_of(then), numbers_of(now)), len(begin)), "attached"

    def _spawn(self, life: Life, frame: int, pose: bytes) -> bytes:
        """Return the pose for an EventAdd that creates it in a frame, before the EventParent that attaches it there."""
        held = [attachment for attachment in self._attached.get(life.index, ()) if attachment.frame <= frame]
        if not held or life.is_traffic or life.actor in self._positions(frame) or self._holds_places:
            return pose
        parent = self._lives[held[-1].parent]
        if not parent.is_alive(frame):
            return pose
        source = self._source_of_offset(life, held, frame)
        if source.by == "offset":
            return self._birth(life)
        if source.by == "place":
            own, own_frame = source.sources[0]
            return self._pose(own, own_frame)[0]
        return self._map_pose(relative, self._pose(parent.index, frame)[0], pose)

    @cached_property
    def _position_index(self) -> "_PositionIndex":
        return _PositionIndex(self._snapshot)

    @cached_property
    def _holds_places(self) -> bool:
        """Whether EventAdds of attached actors hold places in the world.

        Actors decide that are attached in their first frame and have no Position there, and have a parent with one.
        """
        places: list[Pose] = []
        parents: list[Pose] = []
        attached = [self._lives[index] for index in self._attached]
        attached.sort(key=lambda life: life.born)  # frames are read once
        for life in attached:
            mount = self._first_mount(life)
            if mount is None or mount.frame != life.born:
                continue
            parent = self._lives[mount.parent]
            if parent.is_traffic:
                continue
            pose = self._positions(life.born).get(parent.actor)
            if pose is not None:
                places.append(numbers_of(self._birth(life)))
                parents.append(numbers_of(pose))
        return not are_offsets(places, parents)

    @cached_property
    def _mounts(self) -> Mapping[int, _Attached]:
        """By life, the attachment to which its EventAdd is an offset; empty if EventAdds hold world positions."""
        mounts: dict[int, _Attached] = {}
        if self._holds_places:
            return mounts
        for index in self._attached:
            life = self._lives[index]
            mount = self._first_mount(life)
            if mount is not None and self._source_in_world(life, mount.frame - 1).by == "birth":
                mounts[index] = mount
        return mounts

    def _first_mount(self, life: Life) -> _Attached | None:
        """Return the last attachment in the first frame with one, None if the life has a Position there."""
        attached = self._attached[life.index]
        first = attached[0].frame
        mount = [attachment for attachment in attached if attachment.frame == first][-1]
        if life.is_traffic or life.actor in self._positions(first):
            return None
        if life.is_alive(first) and self._lives[mount.parent].is_alive(first):
            return mount
        return None

    def _map_pose(self, function: Callable[[Pose, Pose], Pose], parent: bytes, pose: bytes) -> bytes:
        """Return the result of a function of two poses; the bytes of the second one if it is unchanged."""
        numbers = numbers_of(pose)
        result = function(numbers_of(parent), numbers)
        if result is numbers:
            return pose
        return _stored(result, len(pose))

    def _birth(self, life: Life) -> bytes:
        """Return the pose in the EventAdd of a life."""
        if not any(map(math.isnan, life.transform)):
            return self._numbers.pack(*life.transform)
        # NaN bits are not preserved in numbers.
        packet = self._snapshot.row(life.added.row).packets[life.added.packet]
        start = packet.decoded.leaf(life.added.record, "location.x").start
        return packet.body[start : start + self._numbers.size]

    def _positions(self, frame: int) -> Mapping[int, bytes]:
        """Return the poses in the Positions of a frame, by id; the last one of several."""
        poses = self._poses_in.get(frame)
        if poses is None:
            poses = self._read_positions(frame)
            self._poses_in[frame] = poses
            if len(self._poses_in) > _FRAMES_KEPT:
                self._poses_in.popitem(last=False)
        return poses

    # --- reading ----------------------------------------------------------------------------------------

    def _read_positions(self, frame: int) -> dict[int, bytes]:
        """Read the poses in the Positions of a frame, by id; the last one of several."""
        poses: dict[int, bytes] = {}
        for packet in self._snapshot.frame(frame).packets:
            if packet.name != "Position":
                continue
            place = packet.type.record.six_numbers
            body = packet.body
            size = packet.array.itemsize
            for number, actor in enumerate(packet.array["id"].tolist()):
                start = 2 + number * size
                poses[actor] = body[start + place.start : start + place.stop]
        return poses

    def _read(self, lines: Iterable[EventRow]) -> None:
        """Read event packets in file order."""
        current: dict[int, int] = {}  # the life of an id
        parents: dict[int, int] = {}  # the life of the parent of a life
        born = 0
        for line in lines:
            for event in line.packets:
                if event.kind == "EventAdd":
                    for added in event.added:
                        parents.pop(current.get(added.actor, -1), None)
                        current[added.actor] = born
                        born += 1
                elif event.kind == "EventDel":
                    for actor in event.table["id"].tolist():
                        parents.pop(current.pop(actor, -1), None)
                elif event.kind == "EventParent":
                    self._attach(line, event.table, current, parents)
                elif event.kind in self._kinds:
                    self._keep(line.row, event, self._kinds[event.kind], current)

    def _attach(
        self, line: EventRow, table: StructuredArray, current: Mapping[int, int], parents: dict[int, int]
    ) -> None:
        """Read a packet of attachments; those that would make a circle do not count."""
        frame = min(line.frame, self._table.frames - 1)
        for child_id, parent_id in zip(table["child"].tolist(), table["parent"].tolist(), strict=True):
            child = current.get(child_id)
            parent = current.get(parent_id)
            if child is None or parent is None or parents.get(child) == parent or _is_above(child, parent, parents):
                continue
            before = parents.get(child)
            is_handed_over = before is not None and current.get(self._lives[before].actor) == before
            parents[child] = parent
            self._attached[child].append(_Attached(line.row, frame, parent, is_handed_over))

    def _keep(self, row: int, event: EventPacket, kind: PacketType, current: Mapping[int, int]) -> None:
        """Add a packet with lasting records."""
        if kind.keyed == "nothing":
            self._single[kind.name].append((row, event.packet))
            return
        size = kind.record.size
        if size is not None and event.records:
            records = []
            for start in range(0, len(event.records), size):
                records.append(event.records[start : start + size])
        else:
            records = self._records(row, event.packet)
        for ordinal, record in enumerate(records):
            entry = LastingRecord(row, event.packet, ordinal, record)
            if kind.keyed == "number":
                self._numbered[kind.name, kind.key_of(record)].append(entry)
                continue
            life = current.get(kind.actor_in(record))
            if life is not None:
                self._series[kind.name, life].append(entry)

    def _records(self, row: int, packet: int) -> list[bytes]:
        """Return the records of a packet."""
        body = self._body(row, packet)
        return [body.raw(index) for index in range(len(body))]

    def _body(self, row: int, packet: int) -> Body:
        """Return the decoded body of a packet; of a row with a layout it alone is read."""
        where = self._table.row(row)
        layout = int(where["layout"])
        if layout < 0:
            return self._snapshot.row(row).packets[packet].decoded
        ids, offsets, sizes = self._snapshot.layouts.get(layout)
        index = packet
        if where["kind"] != RAW:
            index -= 1  # of a frame, the FrameStart is not in the layout
        offset = int(where["offset"]) + int(offsets[index]) + PACKET_HEADER.size
        data = self._snapshot.store.read(int(where["source"]), offset, int(sizes[index]))
        return decode(self._snapshot.dialect.packet(int(ids[index])), data)


class _PositionIndex:
    """The frames in which an id has a Position, for actors without one in every frame."""

    def __init__(self, snapshot: Snapshot) -> None:
        firsts = [np.empty(0, np.uint64)]
        lasts = [np.empty(0, np.uint64)]
        for block in Tracks(snapshot).blocks("positions"):
            keys = np.sort(keys_of(block["id"], block["frame"]))
            breaks = np.flatnonzero(np.diff(keys) > 1)
            firsts.append(keys[np.concatenate(([0], breaks + 1))])
            lasts.append(keys[np.append(breaks, len(keys) - 1)])
        first = np.concatenate(firsts)
        order = np.argsort(first)
        self._first = first[order]
        self._last = np.concatenate(lasts)[order]

    def last(self, actor: int, born: int, frame: int) -> int | None:
        """Return the last frame with a Position of an id.

        Args:
            actor: The id.
            born: The first frame that counts.
            frame: The last frame that counts.

        Returns:
            The frame index, or None.
        """
        wanted = (actor << 32) | frame
        run = int(self._first.searchsorted(np.uint64(wanted), side="right")) - 1
        if run < 0:
            return None
        seen = min(int(self._last[run]), wanted)
        if seen < (actor << 32) | born:
            return None
        return seen & 0xFFFFFFFF


def _is_above(life: int, descendant: int, parents: Mapping[int, int]) -> bool:
    """Whether a life is another one or one of its ancestors by attachment, to prevent cycles."""
    current: int | None = descendant
    while current is not None and current != life:
        current = parents.get(current)
    return current is not None


def _last(series: _Series, bound: int) -> bytes | None:
    """Return the last record of the rows before `bound`."""
    count = bisect_left(series, bound, key=_ROW)
    if count:
        return series[count - 1].record
    return None


def _in_force(kind: PacketType, series: _Series, bound: int) -> tuple[bytes, ...]:
    """Return the last record of each key of the rows before `bound`."""
    if len(kind.key) == 1:
        last = _last(series, bound)
        if last is None:
            return ()
        return (last,)
    before = series[: bisect_left(series, bound, key=_ROW)]
    return last_records(kind, (entry.record for entry in before))


def _stored(pose: Pose, size: int) -> bytes:
    """Return a pose as it is stored, in 24 or 48 bytes."""
    dtype = "<f4" if size == 24 else "<f8"
    with np.errstate(invalid="ignore", over="ignore"):
        return pose.astype(dtype).tobytes()
