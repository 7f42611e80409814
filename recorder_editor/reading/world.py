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
from itertools import islice
from operator import itemgetter
from threading import Lock
from typing import Literal, NamedTuple

import numpy as np

from ..arrays import StructuredArray
from ..format import Body, PacketType, decode
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
    """An attachment: its row, its frame, the life of the parent, and whether an earlier parent was still there."""

    row: int
    frame: int
    parent: int
    is_handed_over: bool


class Mount(NamedTuple):
    """The parent from which an EventAdd is an offset, and the frame in which it becomes one."""

    parent: Life
    frame_index: int


class PoseSource(NamedTuple):
    """The source of the pose of a life, and the (life, frame) whose poses determine it.

    Attributes: `by` (`birth`: its EventAdd; `sight`: its last Position; `offset`: its EventAdd is an offset from the
    parent; `place`: an earlier pose of its own in the world is an offset from the parent; `carried`: it moved with the
    parent from the poses of both in an earlier frame; `moved`: it kept its offset from an earlier parent in a frame),
    `sources` (its own earlier pose, that of the parent at that time, and the present one of the parent, as far as they
    count).
    """

    by: Literal["birth", "sight", "offset", "place", "carried", "moved"]
    sources: tuple[tuple[int, int], ...]


class LastingRecord(NamedTuple):
    """A record that is valid until the next one of its key: its place and bytes."""

    row: int
    packet: int
    ordinal: int
    record: bytes


_Series = list[LastingRecord]
"""Records of one packet type and key, in file order."""


class StateHistory:
    """All lasting records of a snapshot, from which the world at any frame is built.

    `lines` are the event packets by row, `lives` the lives. Thread-safe.
    """

    def __init__(self, snapshot: Snapshot, lines: Iterable[EventRow], lives: tuple[Life, ...]) -> None:
        self._snapshot = snapshot
        self._table = snapshot.table
        self._lives = lives
        self._kinds = {kind.name: kind for kind in snapshot.dialect.kinds("lasting")}
        self._series: defaultdict[tuple[str, int], _Series] = defaultdict(list)
        self._numbered: defaultdict[tuple[str, bytes], _Series] = defaultdict(list)
        self._single: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._attached: defaultdict[int, list[_Attached]] = defaultdict(list)
        self._placed: OrderedDict[int, Mapping[int, bytes]] = OrderedDict()
        self._poses: dict[tuple[int, int], tuple[bytes, PoseKind]] = {}
        self._placed_there: dict[tuple[int, int], bool] = {}
        self._lock = Lock()
        self._numbers = struct.Struct("<6d" if snapshot.dialect.wide else "<6f")
        self._read(lines)

    # --- queries ----------------------------------------------------------------------------------------

    def world_at(self, frame: int, alive: Iterable[Life], *, own_events: bool) -> World:
        """The world at a frame with these living actors; without its own events, as it was before the frame."""
        row = bound = self._table.row_of_frame(frame)
        if own_events:  # packets after the last frame belong to it, as with lives
            if frame < self._table.frames - 1:
                bound = row + 1
            else:
                bound = len(self._table)
        living = {}
        for life in alive:
            if life.added.row < bound:
                living[life.index] = life
        with self._lock:
            if len(self._poses) > _POSES_KEPT:
                self._poses.clear()
            actors = tuple(self._state_of(life, frame, bound, living) for life in living.values())
        return World(frame, actors, self._beside(bound))

    def _beside(self, bound: int) -> dict[str, dict[bytes, bytes]]:
        """The lasting records that belong to no actor."""
        found: dict[str, dict[bytes, bytes]] = {}
        for (name, key), series in self._numbered.items():
            record = _last(series, bound)
            if record is not None:
                found.setdefault(name, {})[key] = record
        for name, places in self._single.items():
            kind = self._kinds[name]
            before = reversed(range(bisect_left(places, bound, key=_ROW)))
            records = (self._records(*places[number]) for number in before)
            found[name] = {kind.key_of(each[-1]): each[-1] for each in islice(filter(None, records), 1)}
        return found

    def lasting_records_of(self, life: Life) -> list[tuple[str, LastingRecord]]:
        """Every lasting record of a life, in file order, with the name of its packet."""
        found = []
        for name in self._kinds:
            for each in self._series.get((name, life.index), ()):
                found.append((name, each))
        return sorted(found, key=itemgetter(1))

    def mount_of(self, life: Life) -> Mount | None:
        """The parent to which the EventAdd of a life is an offset, None for a world position."""
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
        pose, how = self._recorded_pose(life, frame) or self._pose(life.index, frame)
        attached = []
        for each in self._attached.get(life.index, ()):
            if each.row < bound:
                attached.append(each)
        parent = None
        if attached:
            parent = living.get(attached[-1].parent)
        spawn = self._spawn(life, frame, pose)
        held: dict[str, tuple[bytes, ...]] = {}
        for name, kind in self._kinds.items():
            series = self._series.get((name, life.index))
            if series:
                records = _held(kind, series, bound)
            else:
                records = ()
            if records:
                held[name] = records
        return ActorState(life, pose, spawn, how, parent, held)

    # --- poses ----------------------------------------------------------------------------------------

    def _recorded_pose(self, life: Life, frame: int) -> tuple[bytes, PoseKind] | None:
        """The pose recorded in the frame itself, or None."""
        if life.is_traffic:
            # The simulator finds them by their recorded location (format reference 6.4).
            return self._birth(life), "birth"
        placed = self._positions(frame).get(life.actor)
        if placed is None:
            return None
        return (placed, "position")

    def _pose(self, index: int, frame: int) -> tuple[bytes, PoseKind]:
        """The pose of a life in a frame.

        The poses it depends on are computed first, without recursion: a file may attach thousands in a chain.
        """
        waiting = [(index, frame)]
        while waiting:
            life = self._lives[waiting[-1][0]]
            at = waiting[-1][1]
            if at >= life.born:
                pose = self._recorded_pose(life, at)
            else:
                pose = (self._birth(life), "birth")
            if pose is None:
                source = self._pose_source(life, at)
                missing = []
                for each in source.sources:
                    if each not in self._poses:
                        missing.append(each)
                if missing:
                    waiting += missing
                    continue
                pose = self._derived(life, source)
            self._poses[waiting.pop()] = pose
        return self._poses[index, frame]

    def _pose_source(self, life: Life, frame: int) -> PoseSource:
        """What determines the pose of a life without a Position in a frame: its EventAdd, its last Position, or its
        parent."""
        attached = self._attached.get(life.index, ())
        if attached and self._holds_places:
            return self._source_of_place(life, attached, frame)
        held = [each for each in attached if each.frame <= frame]
        if held:
            return self._source_of_offset(life, held, frame)
        return self._source_in_world(life, frame)

    def _source_in_world(self, life: Life, frame: int) -> PoseSource:
        """What determines the pose of a life without a parent."""
        seen = None
        if frame > life.born:
            seen = self._position_index.last(life.actor, life.born, frame)
        elif frame == life.born and life.actor in self._positions(frame):
            seen = frame
        if seen is None:
            return PoseSource("birth", ())
        return PoseSource("sight", ((life.index, seen),))

    def _source_of_place(self, life: Life, attached: Sequence[_Attached], frame: int) -> PoseSource:
        """The same if attached actors keep their place in the world: it moved with the parent since then."""
        held = [each for each in attached if each.frame < frame]
        if not held:
            return self._source_in_world(life, frame)
        since = held[-1].frame
        parent = held[-1].parent
        gone = self._lives[parent].gone
        if gone is None:
            until = frame
        else:
            until = max(since, min(frame, gone - 1))
        return PoseSource("carried", ((life.index, since), (parent, since), (parent, until)))

    def _source_of_offset(self, life: Life, held: Sequence[_Attached], frame: int) -> PoseSource:
        """The same if attached actors keep their relative transform; `held` are the attachments up to the frame."""
        attachment = held[-1]
        parent = self._lives[attachment.parent]
        # A parent that is destroyed leaves its children where they are in the world.
        if parent.gone is None:
            until = frame
        else:
            until = min(frame, parent.gone - 1)
        now = (parent.index, until)
        if attachment.frame <= until < frame and life.actor in self._positions(until):
            return PoseSource("carried", ((life.index, until), now, now))
        seen = self._last_position(life, attachment, frame)
        if seen is None:
            return self._source_of_relative(life, held, now)
        if parent.gone is not None and seen >= parent.gone:
            return PoseSource("sight", ((life.index, seen),))
        return PoseSource("carried", ((life.index, seen), (parent.index, seen), now))

    def _source_of_relative(self, life: Life, held: Sequence[_Attached], now: tuple[int, int]) -> PoseSource:
        """What determines the pose of a life on its last parent: its relative transform at the last attachment."""
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
        return PoseSource("place", (*before.sources, now))

    def _last_position(self, life: Life, attachment: _Attached, frame: int) -> int | None:
        """The last frame up to `frame` in which a life has a Position since an attachment.

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
        found = [self._poses[each] for each in source.sources]
        if source.by == "sight":
            return found[0]
        if source.by == "birth":
            return self._birth(life), "birth"
        now = found[-1][0]
        if source.by == "offset":
            return self._map_pose(composed, now, self._birth(life)), "attached"
        begin = found[0][0]
        if source.by == "place":
            return self._map_pose(composed, now, begin), "attached"
        then = found[1][0]
        if source.by == "moved":
            offset = relative(numbers_of(then), numbers_of(begin))
            return _stored(composed(numbers_of(now), offset), len(begin)), "attached"
        if then == now:
            return begin, "attached"
        return _stored(carried(numbers_of(begin), numbers_of(then), numbers_of(now)), len(begin)), "attached"

    def _spawn(self, life: Life, frame: int, pose: bytes) -> bytes:
        """The pose for an EventAdd that creates it in a frame, before the EventParent that attaches it there."""
        held = []
        for each in self._attached.get(life.index, ()):
            if each.frame <= frame:
                held.append(each)
        if not held or life.is_traffic or life.actor in self._positions(frame) or self._holds_places:
            return pose
        parent = self._lives[held[-1].parent]
        if not parent.is_alive(frame):
            return pose
        source = self._source_of_offset(life, held, frame)
        if source.by == "offset":
            return self._birth(life)
        if source.by == "place":
            return self._pose(*source.sources[0])[0]
        return self._map_pose(relative, self._pose(parent.index, frame)[0], pose)

    @cached_property
    def _position_index(self) -> "_PositionIndex":
        return _PositionIndex(self._snapshot)

    @cached_property
    def _holds_places(self) -> bool:
        """Whether EventAdds of attached actors hold places in the world.

        Actors decide that are attached in their first frame and have no Position there, and whose parent has one.
        """
        places = list[Pose]()
        parents = list[Pose]()
        attached = [self._lives[index] for index in self._attached]
        for life in sorted(attached, key=lambda each: each.born):  # frames are read once
            mount = self._first_mount(life)
            if mount is None or mount.frame != life.born or self._lives[mount.parent].is_traffic:
                continue
            where = self._positions(life.born).get(self._lives[mount.parent].actor)
            if where is not None:
                places.append(numbers_of(self._birth(life)))
                parents.append(numbers_of(where))
        return not are_offsets(places, parents)

    @cached_property
    def _mounts(self) -> Mapping[int, _Attached]:
        """By life, the attachment to which its EventAdd is an offset; empty if EventAdds hold world positions."""
        found: dict[int, _Attached] = {}
        for index in self._attached if not self._holds_places else ():
            life = self._lives[index]
            mount = self._first_mount(life)
            if mount is not None and self._source_in_world(life, mount.frame - 1).by == "birth":
                found[index] = mount
        return found

    def _first_mount(self, life: Life) -> _Attached | None:
        """The last attachment in the first frame with one, None if the life has a Position there."""
        attached = self._attached[life.index]
        first = attached[0].frame
        mount = [each for each in attached if each.frame == first][-1]
        if life.is_traffic or life.actor in self._positions(first):
            return None
        both_alive = life.is_alive(first) and self._lives[mount.parent].is_alive(first)
        if both_alive:
            return mount
        return None

    def _map_pose(self, by: Callable[[Pose, Pose], Pose], parent: bytes, pose: bytes) -> bytes:
        """The result of a function of two poses; the bytes of the second one if it is unchanged."""
        numbers = numbers_of(pose)
        made = by(numbers_of(parent), numbers)
        if made is numbers:
            return pose
        return _stored(made, len(pose))

    def _birth(self, life: Life) -> bytes:
        if not any(map(math.isnan, life.transform)):
            return self._numbers.pack(*life.transform)
        # NaN bits are not preserved in numbers.
        packet = self._snapshot.row(life.added.row).packets[life.added.packet]
        start = packet.decoded.leaf(life.added.record, "location.x").start
        return packet.body[start : start + self._numbers.size]

    def _positions(self, frame: int) -> Mapping[int, bytes]:
        """The poses in the Positions of a frame, by id; the last one of several."""
        found = self._placed.get(frame)
        if found is None:
            made: dict[int, bytes] = {}
            for packet in self._snapshot.frame(frame).packets:
                if packet.name == "Position":
                    place = packet.type.record.six_numbers
                    body = packet.body
                    size = packet.array.itemsize
                    for number, actor in enumerate(packet.array["id"].tolist()):
                        start = 2 + number * size
                        made[actor] = body[start + place.start : start + place.stop]
            found = self._placed[frame] = made
            if len(self._placed) > _FRAMES_KEPT:
                self._placed.popitem(last=False)
        return found

    # --- reading ----------------------------------------------------------------------------------------

    def _read(self, lines: Iterable[EventRow]) -> None:
        """Read event packets in file order."""
        current, parents, born = dict[int, int](), dict[int, int](), 0  # the life of an id, and its parent
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
        frame = min(line.frame, self._table.frames - 1)
        for pair in zip(table["child"].tolist(), table["parent"].tolist(), strict=True):
            child, parent = map(current.get, pair)
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
            for at in range(0, len(event.records), size):
                records.append(event.records[at : at + size])
        else:
            records = self._records(row, event.packet)
        for ordinal, record in enumerate(records):
            setting = LastingRecord(row, event.packet, ordinal, record)
            if kind.keyed == "number":
                self._numbered[kind.name, kind.key_of(record)].append(setting)
                continue
            life = current.get(kind.actor_in(record))
            if life is not None:
                self._series[kind.name, life].append(setting)

    def _records(self, row: int, packet: int) -> list[bytes]:
        """The records of a packet."""
        body = self._body(row, packet)
        return list(map(body.raw, range(len(body))))

    def _body(self, row: int, packet: int) -> Body:
        where = self._table.row(row)
        layout = int(where["layout"])
        if layout < 0:
            return self._snapshot.row(row).packets[packet].decoded
        ids, offsets, sizes = self._snapshot.layouts.get(layout)
        # of a frame, the FrameStart is not in the layout
        if where["kind"] == RAW:
            index = packet
        else:
            index = packet - 1
        offset = int(where["offset"]) + int(offsets[index]) + 5
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
        first, last = np.concatenate(firsts), np.concatenate(lasts)
        order = np.argsort(first)
        self._first = first[order]
        self._last = last[order]

    def last(self, actor: int, born: int, frame: int) -> int | None:
        """The last frame from `born` to `frame` with a Position of an id, or None."""
        wanted = (actor << 32) | frame
        found = int(self._first.searchsorted(np.uint64(wanted), side="right")) - 1
        if found >= 0:
            seen = min(int(self._last[found]), wanted)
        else:
            seen = -1
        if seen >= (actor << 32) | born:
            return seen & 0xFFFFFFFF
        return None


def _is_above(life: int, other: int | None, parents: Mapping[int, int]) -> bool:
    """Whether a life is `other` or one of its ancestors by attachment, to prevent cycles."""
    while other is not None and other != life:
        other = parents.get(other)
    return other is not None


def _last(series: _Series, bound: int) -> bytes | None:
    """The last record of the rows before `bound`."""
    found = bisect_left(series, bound, key=_ROW)
    if found:
        return series[found - 1].record
    return None


def _held(kind: PacketType, series: _Series, bound: int) -> tuple[bytes, ...]:
    """The last record of each key of the rows before `bound`."""
    if len(kind.key) == 1:
        last = _last(series, bound)
        if last is None:
            return ()
        return (last,)
    return last_records(kind, (each.record for each in series[: bisect_left(series, bound, key=_ROW)]))


def _stored(pose: Pose, size: int) -> bytes:
    with np.errstate(invalid="ignore", over="ignore"):
        return pose.astype("<f4" if size == 24 else "<f8").tobytes()
