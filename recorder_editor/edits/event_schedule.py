"""The new frame of every event of a recording that is resampled.

One pass over the events in file order decides when each life begins, is named and ends, so that no record names an
actor that is not alive, and no id is deleted and added in one frame.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..arrays import BoolArray, IntArray, UInt32Array
from ..errors import EditError
from ..format import MAX_RECORDS, PACKET_HEADER, Dialect, PacketType, decode, without_records
from ..progress import SILENT, Progress
from ..recording import LARGEST_FRAME, Packet, Snapshot
from ..recording.frames import NO_LAYOUT, Layout
from ..texts import say


@dataclass(slots=True, eq=False)
class _Mention:
    """A record that names lives.

    Attributes:
        frame: The old frame.
        kind: Id of its packet.
        record: Its bytes.
        lives: The lives that it names.
        number: The new frame.
    """

    frame: int
    kind: int
    record: bytes
    lives: Sequence["_Life"]
    number: int


@dataclass(slots=True, eq=False)
class _Life:
    """A life that has not ended.

    Attributes:
        born: A new frame.
        mentions: Those of the last new frame with any.
    """

    born: int
    mentions: list[_Mention] = field(default_factory=list)

    @property
    def mentioned(self) -> int:
        """The last new frame in which it is created or named."""
        last = self.born
        for mention in self.mentions:
            last = max(last, mention.number)
        return last

    def mention(self, mention: _Mention) -> None:
        """Add a record that names it."""
        if mention.number > self.mentioned:
            self.mentions.clear()
        self.mentions.append(mention)


class EventSchedule:
    """The events of a recording by new frame.

    Attributes:
        frames: Least number of new frames.
        id_reuses: Old frames with an EventAdd of an id with a previous life that ends there or did not end.
    """

    def __init__(self, snapshot: Snapshot, targets: IntArray, most: int, progress: Progress = SILENT) -> None:
        """Read the events.

        Args:
            snapshot: The recording.
            targets: For each old frame the first new frame at or after it.
            most: The largest number of new frames.
            progress: Cancels.

        Raises:
            EditError: There are too few new frames for the events.
            Cancelled: The user cancelled.
        """
        self.frames = 0
        self._most = most
        self._dialect = snapshot.dialect
        self._targets = targets
        self._records: dict[int, dict[int, list[bytes]]] = {}
        self._snapshot = snapshot
        # By new frame and packet id: (position, size) of the bodies of opaque packets, of any size.
        self._bodies: dict[int, dict[int, list[tuple[int, int]]]] = {}
        self._origins: dict[int, set[int]] = {}
        self._displaced: set[int] = set()
        self._delayed: dict[int, set[int]] = {}
        self._reused: dict[int, set[int]] = {}
        self._lives: dict[int, _Life] = {}
        self._free: dict[int, int] = {}
        self._gone: dict[int, int] = {}
        for count, frame in enumerate(_frames_with_events(snapshot)):
            if count % 256 == 0:
                progress.check()
            for packet in snapshot.frame(frame).packets:
                self._read(frame, packet)
        self.id_reuses = np.array(sorted(self._reused), np.int64)

    # --- queries ----------------------------------------------------------------------------------------

    def bodies_of(self, number: int) -> dict[int, list[bytes]]:
        """Return the bodies of the events of a new frame, by packet id.

        Raises:
            EditError: One frame cannot hold them.
        """
        opaque = self._bodies.get(number, {})
        total = 0
        for places in opaque.values():
            for _, size in places:
                total += size
        if total > LARGEST_FRAME:
            raise EditError(
                say(
                    "One frame would hold packets of other writers of more than {largest_frame} "
                    "MiB, too many to be read again. Take a shorter step.",
                    largest_frame=LARGEST_FRAME >> 20,
                )
            )
        bodies: dict[int, list[bytes]] = {}
        for kind, places in opaque.items():
            bodies[kind] = [self._snapshot.read(position, size) for position, size in places]
        for kind, records in self._records.get(number, {}).items():
            if len(records) > MAX_RECORDS:
                name = self._dialect.packet(kind).name
                raise EditError(
                    say(
                        "{name} would hold {records:,} records in one frame; its count ends at "
                        "{most:,}. Take a shorter step.",
                        name=name,
                        records=len(records),
                        most=MAX_RECORDS,
                    )
                )
            bodies[kind] = [len(records).to_bytes(2, "little") + b"".join(records)]
        return bodies

    def has_events(self, frames: int) -> BoolArray:
        """Return which new frames have events or delayed lives, bool[frames]."""
        result = np.zeros(frames, np.bool_)
        result[list(self._origins)] = True
        result[list(self._delayed)] = True
        return result

    def is_unchanged(self, number: int, frame: int) -> bool:
        """Return whether a new frame (`number`) has exactly the events of an old one."""
        return self._origins.get(number) == {frame} and frame not in self._displaced and number not in self._delayed

    def is_reused(self, ids: UInt32Array, frame: int) -> BoolArray:
        """Return which ids belong to another life in an old frame than in the frame before, bool[n]."""
        return np.isin(ids, list(self._reused.get(frame, ())))

    def without_delayed(self, kind: PacketType, body: bytes, number: int) -> bytes:
        """Return a body without the records of lives that are delayed in a new frame (`number`)."""
        delayed = self._delayed.get(number)
        if delayed is None or kind.actor_field is None:
            return body
        decoded = decode(kind, body)
        removed: list[int] = []
        for ordinal in range(len(decoded)):
            if decoded.get(ordinal, "id") in delayed:
                removed.append(ordinal)
        if removed:
            return without_records(decoded, removed)
        return body

    # --- schedule ---------------------------------------------------------------------------------------

    def _read(self, frame: int, packet: Packet) -> None:
        """Schedule the events of a packet of an old frame."""
        kind = packet.type
        target = int(self._targets[frame])
        if kind.body == "opaque":
            place = (packet.offset + PACKET_HEADER.size, packet.size)
            self._bodies.setdefault(target, {}).setdefault(kind.id, []).append(place)
            self._note(frame, target)
            return
        if not kind.is_recorded_once:
            return
        body = packet.decoded
        if body.damage is not None:
            raise EditError(
                say(
                    "{name} of frame {frame} is damaged; `repair` the recording first.", name=kind.name, frame=frame + 1
                ),
                frame=frame + 1,
            )
        for index in range(len(body)):
            record = body.raw(index)
            number = self._target_frame(frame, target, kind, record)
            if number < self._most:
                self._records.setdefault(number, {}).setdefault(kind.id, []).append(record)
                self._note(frame, number)
            elif kind.name == "EventDel":
                self._displaced.add(frame)  # the life lasts to the end
            else:
                raise EditError(
                    say(
                        "{name} of frame {frame} finds no frame to be moved to, since an id is deleted "
                        "and added too often just before. Take a shorter step.",
                        name=kind.name,
                        frame=frame + 1,
                    ),
                    frame=frame + 1,
                )

    def _note(self, frame: int, number: int) -> None:
        """Record that an event of an old frame is in a new one (`number`)."""
        self._origins.setdefault(number, set()).add(frame)
        if number != self._targets[frame]:
            self._displaced.add(frame)
        self.frames = max(self.frames, number + 1)

    def _target_frame(self, frame: int, target: int, kind: PacketType, record: bytes) -> int:
        """Return the new frame of an event."""
        ids = [int.from_bytes(record[offset : offset + 4], "little") for offset in kind.actor_offsets]
        if kind.name == "EventAdd":
            return self._begin(frame, target, ids[0])
        if kind.name == "EventDel":
            return self._end(frame, target, ids[0])
        lives: list[_Life] = []
        number = target
        for actor in ids:
            life = self._lives.get(actor)
            if life is not None:
                lives.append(life)
                number = max(number, life.born)
        mention = _Mention(frame=frame, kind=kind.id, record=record, lives=lives, number=number)
        for life in lives:
            life.mention(mention)
        return number

    def _begin(self, frame: int, target: int, actor: int) -> int:
        """Begin a life of an id, and return its new frame."""
        before = self._lives.get(actor)
        number = max(target, self._free.get(actor, 0))
        if before is not None:
            number = max(number, before.mentioned + 1)
        if before is not None or self._gone.get(actor) == frame:
            self._reused.setdefault(frame, set()).add(actor)
        self._lives[actor] = _Life(number)
        for delayed in range(target, min(number, self._most)):
            self._delayed.setdefault(delayed, set()).add(actor)
        return number

    def _end(self, frame: int, target: int, actor: int) -> int:
        """End the life of an id, and return its new frame."""
        life = self._lives.pop(actor, None)
        if life is None:
            # An EventDel without a life is kept, but not before the end of the last life, nor where the next begins.
            number = max(target, self._free.get(actor, 0) - 1)
        else:
            number = max(target, life.born + 1)
            number = max(number, self._move_before(life, number))
        self._free[actor] = number + 1
        self._gone[actor] = frame
        return number

    def _move_before(self, life: _Life, number: int) -> int:
        """Move records that name a life before its end, and return the new frame in which it can end."""
        late = [mention for mention in life.mentions if mention.number >= number]
        for mention in late:
            if any(named.born >= number for named in mention.lives):
                return life.mentioned + 1
        for mention in late:
            records = self._records[mention.number][mention.kind]
            _remove_same(records, mention.record)
            self._records.setdefault(number - 1, {}).setdefault(mention.kind, []).append(mention.record)
            mention.number = number - 1
            self._note(mention.frame, number - 1)
        return number


def _remove_same(records: list[bytes], record: bytes) -> None:
    """Remove this very record, not an equal one."""
    for index, other in enumerate(records):
        if other is record:
            del records[index]
            return
    raise LookupError(record)


def has_no_events(layout: Layout, dialect: Dialect) -> bool:
    """Return whether frames of a layout hold neither events nor opaque packets."""
    for number, _, size in layout.packets():
        kind = dialect.packet(number)
        if kind.body == "opaque" or (kind.is_recorded_once and size != 2):
            return False
    return True


def _frames_with_events(snapshot: Snapshot) -> Iterator[int]:
    """Yield the frames with events; every row is a frame."""
    layouts = snapshot.table.column("layout")
    eventful: list[int] = []
    for number in np.unique(layouts).tolist():
        if number == NO_LAYOUT or not has_no_events(snapshot.layouts.get(number), snapshot.dialect):
            eventful.append(number)
    yield from np.flatnonzero(np.isin(layouts, eventful)).tolist()
