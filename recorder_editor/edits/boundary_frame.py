"""The first frame after a gap, rebuilt so that a replay is correct from here on.

The difference between the world before the gap (empty at the start of a recording) and the world before this frame is
written as events and lasting records, merged with those of the frame.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from ..errors import EditError
from ..format.codec import MAX_RECORDS, decode, packet_bytes, without_records
from ..format.dialects import Dialect
from ..recording.actor_state import ActorState, World
from ..recording.actors import Actors
from ..recording.snapshot import Snapshot
from ..recording.views import Frame
from .attachments import event_add_record
from .rows import insertion_index


class FrameDraft:
    """The packets of a frame, to be changed record by record.

    All other bytes stay; a missing packet is inserted in the recorder's order.
    """

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._dialect: Dialect = frame.dialect
        self.packets: list[tuple[int, bytes]] = [(packet.id, packet.body) for packet in frame.packets]

    def to_bytes(self) -> bytes:
        """The bytes of the frame, with FrameStart."""
        data = b"".join(packet_bytes(number, body) for number, body in self.packets)
        last = self._frame.packets[-1]
        return data + self._frame.data[last.offset + 5 + last.size - self._frame.offset :]

    def records(self, name: str) -> list[bytes]:
        """The whole records of all packets of a name, in file order."""
        found: list[bytes] = []
        for index in self._indices(name):
            number, body = self.packets[index]
            decoded = decode(self._dialect.packet(number), body)
            found += map(decoded.raw, range(len(decoded)))
        return found

    def drop(self, name: str, chosen: Iterable[int]) -> None:
        """Remove records, by index in `records(name)`; an empty packet is removed if the recorder writes none."""
        left = sorted(set(chosen))
        before = 0
        for index in self._indices(name):
            number, body = self.packets[index]
            decoded = decode(self._dialect.packet(number), body)
            here = [each - before for each in left if before <= each < before + len(decoded)]
            before += len(decoded)
            if here:
                self.packets[index] = (number, without_records(decoded, here))
        kind = self._dialect.by_name(name)
        if left and kind is not None and kind.presence == "filled":
            self.packets[:] = [each for each in self.packets if each != (kind.id, b"\0\0")]

    def put_first(self, name: str, records: Sequence[bytes]) -> None:
        """Insert records before those of the first packet of a name. Raises `EditError` for too many."""
        kind = self._dialect.by_name(name)
        if not records or kind is None:
            return
        indices = self._indices(name)
        if indices:
            body = self.packets[indices[0]][1]
        else:
            at = insertion_index(self._dialect, [number for number, _ in self.packets], kind.id)
            self.packets.insert(at, (kind.id, b"\0\0"))
            indices, body = [at], b"\0\0"
        count = int.from_bytes(body[:2], "little") + len(records)
        if count > MAX_RECORDS:
            raise EditError(
                f"{name} of frame {self._frame.index + 1} would hold {count:,} records; its count ends at "
                f"{MAX_RECORDS:,}.",
                frame=self._frame.index + 1,
            )
        self.packets[indices[0]] = (kind.id, count.to_bytes(2, "little") + b"".join(records) + body[2:])

    def drop_naming(self, actors: Collection[int]) -> None:
        """Remove the records that hold one of these actor ids."""
        for kind in dict.fromkeys(self._dialect.packet(number) for number, _ in self.packets):
            if kind.body == "list" and kind.actor_offsets:
                ids = [{_number(record, at) for at in kind.actor_offsets} for record in self.records(kind.name)]
                self.drop(kind.name, [index for index, named in enumerate(ids) if not named.isdisjoint(actors)])

    def _indices(self, name: str) -> list[int]:
        return [index for index, (number, _) in enumerate(self.packets) if self._dialect.packet(number).name == name]


def boundary_frame(snapshot: Snapshot, frame_index: int, before: World | None) -> bytes:
    """The bytes of a frame that follows the world `before` (None: an empty one).

    Records of actors that are no longer alive are removed, with their EventDel; other events of the frame stay. No life
    may have the id of another one in `before` (see `id_clashes`). Raises `EditError` if a packet would hold too many
    records.
    """
    after = Actors.of(snapshot).world_at(frame_index, own_events=False)
    frame = snapshot.frame(frame_index)
    draft = FrameDraft(frame)
    previous = {state.life.index: state for state in before.actors} if before is not None else {}
    staying = {state.life.index for state in after.actors}
    ending = {state.life.actor: None for state in previous.values() if state.life.index not in staying}
    _add_event_dels(snapshot, frame_index, draft, after, ending)
    _add_state(snapshot.dialect, draft, after, before, previous)
    draft.put_first(
        "EventAdd",
        [event_add_record(snapshot, each.life, each.spawn) for each in after.actors if each.life.index not in previous],
    )
    return draft.to_bytes()


def id_clashes(snapshot: Snapshot, frame_index: int, before: World) -> list[int]:
    """Indices of lives that need another id: another life of theirs ends in this frame, and adds run before deletes."""
    actors = Actors.of(snapshot)
    after = actors.world_at(frame_index, own_events=False)
    coming = {state.life.index for state in after.actors}
    ending = {each.life.actor for each in before.actors if each.life.index not in coming}
    known = {each.life.index for each in before.actors}
    born = [life for life in actors.alive(frame_index) if life.born == frame_index]
    return [
        life.index
        for life in (*(each.life for each in after.actors), *born)
        if life.index not in known and life.actor in ending
    ]


def _add_event_dels(
    snapshot: Snapshot, frame_index: int, draft: FrameDraft, after: World, ending: dict[int, None]
) -> None:
    """Add the EventDel of actors that are no longer alive, and remove records of unknown ones."""
    actors = Actors.of(snapshot)
    alive_before = {life.actor for life in actors.alive(frame_index - 1)} if frame_index else set()
    own = {int.from_bytes(record[:4], "little") for record in draft.records("EventAdd")}
    missing = dict(ending)
    unknown: set[int] = set()
    dropped: list[int] = []
    for index, record in enumerate(draft.records("EventDel")):
        actor = _number(record, 0)
        if actor in missing:
            del missing[actor]
        elif actor in alive_before and actor not in own:
            dropped.append(index)
            unknown.add(actor)
    draft.drop("EventDel", dropped)
    draft.put_first("EventDel", [actor.to_bytes(4, "little") for actor in missing])
    unknown -= {state.life.actor for state in after.actors}
    if unknown:
        draft.drop_naming(unknown)


def _add_state(
    dialect: Dialect, draft: FrameDraft, after: World, before: World | None, previous: Mapping[int, ActorState]
) -> None:
    """Add attachments and lasting records that differ from those before, unless the frame has them itself."""
    attached = {index: state.parent.index for index, state in previous.items() if state.parent is not None}
    draft.put_first(
        "EventParent",
        [
            each.life.actor.to_bytes(4, "little") + each.parent.actor.to_bytes(4, "little")
            for each in after.actors
            if each.parent is not None
            and (attached.get(each.life.index) != each.parent.index or each.parent.index not in previous)
        ],
    )
    for kind in dialect.kinds("lasting"):
        present = {kind.key_of(record) for record in draft.records(kind.name)}
        held = before.records(kind.name) if before is not None else {}
        records = [record for key, record in after.records(kind.name).items() if held.get(key) != record]
        for each in after.actors:
            earlier = previous.get(each.life.index)
            if earlier is None:
                records += each.records_of_new(kind.name)
            elif each.records(kind.name) != earlier.records(kind.name):
                records += each.records(kind.name)
        draft.put_first(
            kind.name,
            [each for each in records if kind.key_of(each) not in present and kind.every_key(each) not in present],
        )


def _number(record: bytes, at: int) -> int:
    return int.from_bytes(record[at : at + 4], "little")
