"""Edits that make things of a recording as they are in another one: an actor, a field, a packet, frames, the header.

Frames are paired by time (`pairing`). Bytes of the other recording are never converted: where the recordings read them
differently, the edit is refused. What is taken is the same to the byte. What both recordings have keeps its order; what
comes from the other one stands behind what it stands behind there. The edits have no intent, which scripts could
repeat; only removing an actor is the edit of *Remove actor*.
"""

from collections.abc import Hashable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

import numpy as np

from ..arrays import IntArray, StructuredArray
from ..errors import EditError, NothingToDo
from ..format import Body, PacketType
from ..format.codec import counted
from ..progress import SILENT, Progress
from ..reading import Actors
from ..recording import Edit, Frame, FrameTable, Packet, RecordingLike, Snapshot, Splice
from ..texts import say, say_count
from .actors.copying import refuse_other_dialect
from .actors.removing import remove_actors
from .block_rewrite import splices_of_rows
from .header import set_header
from .packets import refuse_other_layout
from .pairing import NO_FRAME, align, frames_about, is_sound, pair_packets, record_keys, with_occurrence
from .rows import RawPacket, raw_packets, rows_of, with_bytes, with_packets
from .wrong_class import refuse_crash

_UPDATE_EVERY = 64  # frames between two updates of progress

RecordKey = tuple[Hashable, int]
"""What identifies a record in its packet: its id or key, and the number of equal ones before it."""


def take_actor(
    recording: RecordingLike, other: Snapshot, actor: int, *, rows: IntArray | None = None, progress: Progress = SILENT
) -> Edit:
    """Return the edit that makes an actor as it is in another recording.

    An actor that only the other recording has comes with its id, its EventAdd and all its packets, its attachments and
    collisions included where this recording has the other actor. One that only this recording has is removed; actors
    that are attached to it stay. Of one that both have, all its records become those of the other recording. Frames
    that one recording alone has do not change.

    Args:
        recording: The recording, which is not changed.
        other: The other recording.
        actor: The id.
        rows: Rows of the alignment to look at, rising: int64[n]; None: all.
        progress: Reports progress and cancels.

    Raises:
        EditError: The recordings are of different dialects, its creation lies in a frame that only the other recording
            has, or the simulator would crash on the result.
        NothingToDo: It is the same in both.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    own = Actors.of(snapshot)
    foreign = Actors.of(other)
    lives = own.of_id(actor)
    if lives and not foreign.of_id(actor):
        edit = remove_actors(snapshot, lives, children=False, progress=progress)
        return replace(edit, label=say("Remove {actors}", actors=actor))
    refuse_other_dialect(snapshot, other)
    refuse_without_event(snapshot, other, actor, align(snapshot.elapsed, other.elapsed).pairs)
    absent: frozenset[int] | None = None
    if not lives:
        absent = frozenset(foreign.ids) - frozenset(own.ids) - {actor}
    choice = _Choice("records", ids=frozenset([actor]), absent=absent)
    return _take_records(snapshot, other, choice, rows, say("Take over actor {actor}", actor=actor), progress)


def take_values(
    recording: RecordingLike,
    other: Snapshot,
    packet: str,
    *,
    id: int | None = None,
    path: str = "",
    rows: IntArray | None = None,
    progress: Progress = SILENT,
) -> Edit:
    """Return the edit that makes a packet, its records of an id, or one field of these, as in another recording.

    Args:
        recording: The recording, which is not changed.
        other: The other recording.
        packet: The name of the packet.
        id: The id of the records; None: all.
        path: The path of the field, as groups of differences name it; empty: whole records.
        rows: Rows of the alignment to look at, rising: int64[n]; None: all.
        progress: Reports progress and cancels.

    Raises:
        EditError: The packet is read differently in this recording, it holds the frame together, or the simulator would
            crash on the result.
        NothingToDo: They are the same in both.
        Cancelled: The user cancelled.
    """
    title = packet
    choice = _Choice("whole", packet=packet)
    if id is not None or path:
        choice = _Choice("records", packet=packet, path=path)
    if id is not None:
        choice = replace(choice, ids=frozenset([id]))
        title = f"{title} {id}"
    if path:
        title = f"{title} {path}"
    label = say("Take over {title}", title=title)
    return _take_records(recording.snapshot, other, choice, rows, label, progress)


def take_bare_packet(
    recording: RecordingLike, other: Snapshot, packet: str, *, rows: IntArray | None = None, progress: Progress = SILENT
) -> Edit:
    """Return the edit that takes over a packet of actors where it holds no records, or is damaged, in either recording.

    Args and errors are those of `take_values`.
    """
    choice = _Choice("bare", packet=packet)
    label = say("Take over {title}", title=packet)
    return _take_records(recording.snapshot, other, choice, rows, label, progress)


def take_frames(
    recording: RecordingLike, other: Snapshot, first: int, stop: int, *, there: bool, progress: Progress = SILENT
) -> Edit:
    """Return the edit that takes over frames that one recording alone has: they are inserted, or deleted.

    What both recordings hold once (events, boxes, physics) is taken over in the frame after them, too: a recording
    without these frames has there what happened in them.

    Args:
        recording: The recording, which is not changed.
        other: The other recording.
        first: Index of the first frame, in the recording that has them.
        stop: The index after the last one.
        there: The other recording has them.
        progress: Reports progress and cancels.

    Raises:
        EditError: There are no such frames, both recordings have them, or packets are read differently in this one.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    pairs = align(snapshot.elapsed, other.elapsed).pairs
    side = 1 if there else 0
    rows = np.flatnonzero((pairs[:, side] >= first) & (pairs[:, side] < stop))
    if not len(rows) or len(rows) != stop - first or (pairs[rows, 1 - side] != NO_FRAME).any():
        raise EditError(say("Frames {first:,} to {last:,} are not in one recording only.", first=first + 1, last=stop))
    following = pairs[int(rows[-1]) + 1 :]
    splices = _splices_after(snapshot, other, following)
    if there:
        refuse_other_dialect(snapshot, other)
        data = b"".join(other.frame(index).data for index in progress.over(range(first, stop), _UPDATE_EVERY))
        splices.append(Splice(_row_before(snapshot, following), 0, rows_of(snapshot, data)))
        label = say_count("Take over {count:,} frame", "Take over {count:,} frames", count=stop - first)
    else:
        empty = FrameTable.from_rows(snapshot.table.rows(0, 0))
        own_rows = np.array([snapshot.table.row_of_frame(frame) for frame in range(first, stop)], np.int64)
        # Rows that follow one another are one splice; bytes between frames stay.
        for run in reversed(np.split(own_rows, np.flatnonzero(np.diff(own_rows) != 1) + 1)):
            splices.append(Splice(int(run[0]), len(run), empty))
        label = say_count("Delete {count:,} frame", "Delete {count:,} frames", count=stop - first)
    return refuse_crash(snapshot, Edit(label, snapshot.version, tuple(splices)))


def take_order(recording: RecordingLike, other: Snapshot, rows: IntArray, *, progress: Progress = SILENT) -> Edit:
    """Return the edit that takes over whole frames that hold the same in another order.

    Args:
        recording: The recording, which is not changed.
        other: The other recording.
        rows: Rows of the alignment with a frame on both sides, rising: int64[n].
        progress: Reports progress and cancels.

    Raises:
        EditError: The recordings are of different dialects.
        NothingToDo: The frames are the same.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    refuse_other_dialect(snapshot, other)
    pairs = align(snapshot.elapsed, other.elapsed).pairs[rows]
    splices: list[Splice] = []
    for own_index, other_index in progress.over(pairs.tolist(), _UPDATE_EVERY):
        data = other.frame(other_index).data
        if data != snapshot.frame(own_index).data:
            row = snapshot.table.row_of_frame(own_index)
            splices += with_bytes(snapshot, row, data, "").splices
    if not splices:
        raise NothingToDo(say("This is the same in both recordings."))
    label = say_count(
        "Take over the order of {count:,} frame", "Take over the order of {count:,} frames", count=len(splices)
    )
    return refuse_crash(snapshot, Edit(label, snapshot.version, tuple(reversed(splices))))


def take_header(recording: RecordingLike, other: Snapshot) -> Edit:
    """Return the edit that gives a recording the file header of another one.

    Raises:
        EditError: One of the two has none, or the recording would be read as another release.
    """
    header = other.header
    if header is None or isinstance(header.map_name, bytes):
        raise EditError(say("The other recording has no readable file header."))
    edit = set_header(recording, map_name=header.map_name, date=header.date, version=header.version)
    return replace(edit, label=say("Take over the file header"))


# --- refusals -------------------------------------------------------------------------------------------


def refuse_without_event(snapshot: Snapshot, other: Snapshot, actor: int, pairs: IntArray) -> None:
    """Raise `EditError` for an actor that begins or ends in frames that only the other recording has.

    Frames of the other recording behind the last one of this recording need no end of the actor.

    Args:
        snapshot: The recording.
        other: The other recording.
        actor: The id.
        pairs: Their frames side by side, as of `align`.
    """
    is_paired = (pairs != NO_FRAME).all(axis=1)
    for own, foreign in zip_longest(Actors.of(snapshot).of_id(actor), Actors.of(other).of_id(actor)):
        if own is not None or foreign is None:
            continue
        span = foreign.within(range(len(other)))
        rows = np.flatnonzero(is_paired & (pairs[:, 1] >= span.start))
        if not len(rows):
            raise _refusal(pairs, span.start)
        frames = pairs[rows, 1]
        is_alive_in_pair = bool((frames < span.stop).any())
        if int(frames[0]) != span.start or not is_alive_in_pair:
            raise _refusal(pairs, span.start)
        if foreign.gone is not None and foreign.gone not in frames and bool((frames > foreign.gone).any()):
            raise _refusal(pairs, foreign.gone)


def _refusal(pairs: IntArray, frame: int) -> EditError:
    """Return the error that names the frames about one that only the other recording has."""
    first, last = frames_about(pairs, frame, there=True)
    return EditError(
        say(
            "It begins or ends in {frames} of the other recording, which this one lacks: take these over first.",
            frames=frames_text(first, last),
        )
    )


def frames_text(first: int, last: int) -> str:
    """Return `frames 12 to 30`, or `frame 12`, of the indices of the first and the last."""
    if first == last:
        return say("frame {frame:,}", frame=first + 1)
    return say("frames {first:,} to {last:,}", first=first + 1, last=last + 1)


# --- frames ---------------------------------------------------------------------------------------------


def _row_before(snapshot: Snapshot, following: IntArray) -> int:
    """Return the row before which frames are inserted that these pairs follow."""
    own = following[following[:, 0] != NO_FRAME, 0]
    if len(own):
        return snapshot.table.row_of_frame(int(own[0]))
    if len(snapshot):
        return snapshot.table.row_of_frame(len(snapshot) - 1) + 1
    return snapshot.rows


def _splices_after(snapshot: Snapshot, other: Snapshot, following: IntArray) -> list[Splice]:
    """Return what takes over, in the first of these pairs with both frames, what is recorded once."""
    both = following[(following != NO_FRAME).all(axis=1)]
    if not len(both):
        return []
    own_index, other_index = both[0].tolist()
    own = snapshot.frame(own_index)
    packets = _merged_packets(snapshot, own, other.frame(other_index), _Choice("whole"))
    if packets == raw_packets(own):
        return []
    return list(with_packets(snapshot, snapshot.table.row_of_frame(own_index), packets, "").splices)


# --- records --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Choice:
    """What of two frames is taken over.

    Attributes:
        takes: Whole packets, records in them, or packets that hold no record or are damaged (`bare`).
        packet: The name of the packet; empty: of records all packets that name actors, else all that are recorded once.
        ids: Ids of the records, of actors where `packet` is empty; None: all.
        path: The path of a field; empty: whole records.
        absent: Actors with which no records of two actors are taken; None: none are taken at all.
    """

    takes: Literal["whole", "records", "bare"]
    packet: str = ""
    ids: frozenset[int] | None = None
    path: str = ""
    absent: frozenset[int] | None = None

    def concerns(self, kind: PacketType) -> bool:
        """Return whether something of a packet may be taken."""
        if self.packet:
            return kind.name == self.packet
        if self.takes == "whole":
            return kind.is_recorded_once
        return kind.actor_field is not None or (kind.keyed == "actors" and self.absent is not None)

    def chooses(self, body: Body) -> list[bool]:
        """Return for each record of a sound body whether it is taken."""
        if self.ids is None:
            return [True] * len(body)
        if self.packet or body.type.actor_field is not None:
            if "id" not in body.type.record.fields:
                return [False] * len(body)
            return [key in self.ids for key in record_keys(body)]
        assert self.absent is not None
        chosen = []
        for index in range(len(body)):
            raw = body.raw(index)
            actors = {int.from_bytes(raw[start : start + 4], "little") for start in body.type.actor_offsets}
            chosen.append(bool(actors & self.ids) and not actors & self.absent)
        return chosen


def _take_records(
    snapshot: Snapshot, other: Snapshot, choice: _Choice, rows: IntArray | None, label: str, progress: Progress
) -> Edit:
    """Return the edit that takes over a choice in pairs of frames."""
    pairs = align(snapshot.elapsed, other.elapsed).pairs
    if rows is not None:
        pairs = pairs[rows]
    pairs = pairs[(pairs != NO_FRAME).all(axis=1)]
    runs: list[tuple[int, StructuredArray]] = []
    parted: list[Splice] = []
    for own_index, other_index in progress.over(pairs.tolist(), _UPDATE_EVERY):
        own = snapshot.frame(own_index)
        packets = _merged_packets(snapshot, own, other.frame(other_index), choice)
        if packets == raw_packets(own):
            continue
        row = snapshot.table.row_of_frame(own_index)
        for splice in with_packets(snapshot, row, packets, "").splices:
            if len(splice.inserted) == 1:
                runs.append((row, splice.inserted.rows()))
            else:
                parted.append(splice)
    if not runs and not parted:
        raise NothingToDo(say("This is the same in both recordings."))
    # Splices are applied one after another: those that change the number of rows come last, from the end.
    splices = splices_of_rows(runs) + tuple(reversed(parted))
    kinds = [kind for kind in snapshot.dialect.packets.values() if choice.concerns(kind)]
    return refuse_crash(snapshot, Edit(label, snapshot.version, splices), kinds)


def _merged_packets(snapshot: Snapshot, own: Frame, other: Frame, choice: _Choice) -> list[RawPacket]:
    """Return the packets of a frame with a choice of those of another one, in the order of `_in_order`."""
    own_keys = with_occurrence([packet.name for packet in own.packets])
    other_keys = with_occurrence([packet.name for packet in other.packets])
    merged: dict[RecordKey, RawPacket] = {}
    for key, packet in zip(own_keys, own.packets, strict=True):
        merged[key] = (packet.id, packet.body)
    for own_packet, other_packet in pair_packets(own.packets, other.packets):
        if own_packet is not None:
            packet = own_packet
            key = own_keys[packet.index]
        else:
            assert other_packet is not None
            packet = other_packet
            key = other_keys[packet.index]
        if not choice.concerns(packet.type):
            continue
        body = _merged_body(snapshot, own_packet, other_packet, choice)
        if body is not None:
            merged[key] = (packet.id, body)
        elif packet.id in (0, 1):
            raise EditError(say("{name} holds the frame together; delete the frame instead.", name=packet.name))
        else:
            merged.pop(key, None)
    return [merged[key] for key in _in_order(own_keys, other_keys, merged.keys())]


def _merged_body(snapshot: Snapshot, own: Packet | None, other: Packet | None, choice: _Choice) -> bytes | None:
    """Return the body of a packet with a choice of that of another one; None: there is no such packet."""
    kept = None
    taken = None
    bodies: list[Body] = []
    if own is not None:
        kept = own.body
        bodies.append(own.decoded)
    if other is not None:
        refuse_other_layout(snapshot, other)
        taken = other.body
        bodies.append(other.decoded)
    if kept == taken or choice.takes == "whole":
        return taken
    are_sound = all(is_sound(body) for body in bodies)
    if choice.takes == "bare":
        holds_records = any(len(body) for body in bodies)
        return kept if are_sound and holds_records else taken
    if not are_sound:
        return kept
    if own is None:
        return _merged_records(None, bodies[0], choice)
    if other is None:
        return _merged_records(bodies[0], None, choice)
    return _merged_records(bodies[0], bodies[1], choice)


def _merged_records(own: Body | None, other: Body | None, choice: _Choice) -> bytes | None:
    """Return a sound body with chosen records of another one; None where neither side needs such a packet."""
    own_keys, own_chosen = _keys_of(own, choice)
    other_keys, other_chosen = _keys_of(other, choice)
    body = own if own is not None else other
    assert body is not None
    if not own_chosen and not other_chosen:
        return own.data if own is not None else None
    records: dict[RecordKey, bytes] = {}
    if own is not None:
        for index, key in enumerate(own_keys):
            records[key] = own.raw(index)
    for key, index in own_chosen.items():
        if key not in other_chosen and not choice.path:
            del records[key]
        elif key in other_chosen and choice.path:
            assert own is not None
            assert other is not None
            records[key] = _with_field(own, index, other, other_chosen[key], choice.path)
    if other is not None and not choice.path:
        for key, index in other_chosen.items():
            records[key] = other.raw(index)
    if not records and other is None:
        return None
    joined = b"".join(records[key] for key in _in_order(own_keys, other_keys, records.keys()))
    if body.type.body == "single":
        return joined
    return counted(body.type, len(records)) + joined


def _keys_of(body: Body | None, choice: _Choice) -> tuple[list[RecordKey], dict[RecordKey, int]]:
    """Return the keys of all records of a body, and the ordinals of those that are chosen by key."""
    if body is None:
        return [], {}
    keys = with_occurrence(_record_names(body))
    chosen: dict[RecordKey, int] = {}
    for index, is_chosen in enumerate(choice.chooses(body)):
        if is_chosen:
            chosen[keys[index]] = index
    return keys, chosen


def _record_names(body: Body) -> Sequence[Hashable]:
    """Return what records are known by: those of two actors by both, others as differences name them."""
    kind = body.type
    if kind.keyed == "actors":
        return [kind.key_of(body.raw(index)) for index in range(len(body))]
    return record_keys(body)


def _with_field(own: Body, own_index: int, other: Body, other_index: int, path: str) -> bytes:
    """Return a record with one field of another one, or the other one where the field is in a list."""
    raw = own.raw(own_index)
    if "[" in path or path in own.type.record.arrays:
        return other.raw(other_index)
    start, _ = own.span(own_index)
    own_leaf = own.leaf(own_index, path)
    other_leaf = other.leaf(other_index, path)
    value = other.data[other_leaf.start : other_leaf.stop]
    return raw[: own_leaf.start - start] + value + raw[own_leaf.stop - start :]


def _in_order(own: Sequence[RecordKey], other: Sequence[RecordKey], present: Set[RecordKey]) -> list[RecordKey]:
    """Return those that are present: in their own order, and those of the other side alone behind what they follow."""
    order = [key for key in own if key in present]
    known = set(order)
    before: RecordKey | None = None
    for key in other:
        if key not in present:
            continue
        if key not in known:
            at = 0
            if before is not None:
                at = order.index(before) + 1
            order.insert(at, key)
        before = key
    return order
