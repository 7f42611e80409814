"""Edits that add, remove, copy and move packets, records and rows, also from another recording.

Bytes of another recording are never converted: if the recordings read them differently, the edit is refused. So is one
that would leave a record on which the simulator crashes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace as changed

import numpy as np

from ..errors import EditError, FieldError
from ..format import PacketType, decode, encode_record, packet_bytes, without_records
from ..format.codec import encode, splice_records
from ..recording import FRAME_START_HEADER, Edit, Frame, FrameTable, Packet, Place, RecordingLike, Snapshot, Splice
from ..recording.frames import NO_LAYOUT
from ..recording.place import packet_of, row_name, row_of
from ..recording.snapshot import frame_start
from ..texts import say, say_count
from .rows import RawPacket, insertion_index, packet_ids, raw_packets, rows_of, with_bodies, with_packets
from .wrong_class import refuse_crash


def with_body(snapshot: Snapshot, where: Place, body: bytes) -> Edit:
    """Return the edit that gives a packet another body, whatever the simulator does with it. Raises `EditError`."""
    row, packet = packet_of(snapshot, where)
    packets = raw_packets(row)
    packets[packet.index] = (packet.id, body)
    return with_packets(snapshot, where.row, packets, say("Replace the body of {name}", name=packet.name))


def _change_body(snapshot: Snapshot, where: Place, body: bytes, label: str) -> Edit:
    _, packet = packet_of(snapshot, where)
    edit = changed(with_body(snapshot, where, body), label=label)
    return refuse_crash(snapshot, edit, [packet.type])


def _record_name(packet: Packet, record: int) -> str:
    owner = packet.type.actor_field
    if owner is not None and record < len(packet.decoded):
        return say("{name} of {actor}", name=packet.type.record.name, actor=packet.decoded.get(record, "id"))
    return f"{packet.type.record.name} {record + 1}"


def replace_body(recording: RecordingLike, where: Place, body: bytes) -> Edit:
    """Return the edit that gives a packet another body; its size follows. Raises `EditError`."""
    _, packet = packet_of(recording.snapshot, where)
    return _change_body(recording.snapshot, where, body, say("Replace the body of {name}", name=packet.name))


def insert_packet(
    recording: RecordingLike, where: Place, number: int, records: Sequence[Mapping[str, object]] | bytes | None = None
) -> Edit:
    """Return the edit that inserts a packet.

    Args:
        recording: The recording, which is not changed.
        where: The packet is inserted before `where.packet`; None: where the recorder would write it.
        number: Id of the packet.
        records: Nested values, or the bytes of the body; None: the emptiest body that decodes.

    Raises:
        EditError: The id is beyond a byte, or the place is before FrameStart or behind FrameEnd.
        FieldError: A value does not fit.
    """
    snapshot = recording.snapshot
    row = row_of(snapshot, where.row)
    if not 0 <= number <= 0xFF:
        raise EditError(
            say("A packet's id is a number from 0 to 255, not {number:,}.", number=number), offset=row.offset
        )
    kind = snapshot.dialect.packet(number)
    if records is None:
        if kind.body == "single":
            records = [kind.record.default_record()]
        else:
            records = []
    if isinstance(records, bytes):
        body = records
    else:
        body = encode(kind, records)
    packets = raw_packets(row)
    if where.packet is not None:
        at = where.packet
    else:
        at = insertion_index(snapshot.dialect, packet_ids(packets), number)
    is_frame = bool(packets) and packets[0][0] == 0
    if is_frame and packets[-1][0] == 1:
        last = len(packets) - 1
    else:
        last = len(packets)
    first = 1 if is_frame else 0
    if not first <= at <= last:
        raise EditError(say("A packet belongs between FrameStart and FrameEnd."), offset=row.offset)
    packets.insert(at, (number, body))
    label = say("Insert {name} in {row}", name=kind.name, row=row_name(snapshot, where.row))
    return refuse_crash(snapshot, with_packets(snapshot, where.row, packets, label), [kind])


def delete_packet(recording: RecordingLike, where: Place) -> Edit:
    """Return the edit that removes a packet.

    Raises:
        EditError: It is FrameStart or FrameEnd: remove the frame instead.
    """
    packet, packets = _inner_packet(recording.snapshot, where)
    del packets[packet.index]
    edit = with_packets(recording.snapshot, where.row, packets, say("Delete {name}", name=packet.name))
    return refuse_crash(recording.snapshot, edit, [packet.type])


def _inner_packet(snapshot: Snapshot, where: Place) -> tuple[Packet, list[RawPacket]]:
    """Return a packet but FrameStart and FrameEnd, and the packets of its row."""
    row, packet = packet_of(snapshot, where)
    if packet.id in (0, 1):
        raise EditError(
            say("{name} holds the frame together; delete the frame instead.", name=packet.name), offset=packet.offset
        )
    return packet, raw_packets(row)


def duplicate_packet(recording: RecordingLike, where: Place) -> Edit:
    """Return the edit that inserts a copy of a packet after it. Raises `EditError` for FrameStart and FrameEnd."""
    packet, packets = _inner_packet(recording.snapshot, where)
    packets.insert(packet.index + 1, packets[packet.index])
    return with_packets(recording.snapshot, where.row, packets, say("Duplicate {name}", name=packet.name))


def move_packet(recording: RecordingLike, where: Place, to: int) -> Edit:
    """Return the edit that moves a packet to index `to` of its row.

    Raises:
        EditError: It is FrameStart or FrameEnd, or would be beyond these.
    """
    packet, packets = _inner_packet(recording.snapshot, where)
    moved = packets.pop(packet.index)
    low = 1 if packets and packets[0][0] == 0 else 0
    if packets and packets[-1][0] == 1:
        high = len(packets) - 1
    else:
        high = len(packets)
    if not low <= to <= high:
        raise EditError(say("A packet stays between FrameStart and FrameEnd."), offset=packet.offset)
    packets.insert(to, moved)
    return with_packets(recording.snapshot, where.row, packets, say("Move {name}", name=packet.name))


def insert_record(recording: RecordingLike, where: Place, values: Mapping[str, object] | bytes | None = None) -> Edit:
    """Return the edit that inserts a record before `where.record` (None: at the end); the count follows.

    `values` are nested values or the record's bytes; None gives zeros. Raises `EditError`, `FieldError`.
    """
    _, packet = packet_of(recording.snapshot, where)
    kind = packet.type.record
    if values is None:
        values = kind.default_record()
    if isinstance(values, bytes):
        raw = values
    else:
        raw = encode_record(kind, values)
    if where.record is None:
        at = len(packet.decoded)
    else:
        at = where.record
    body = _spliced(packet, at, 0, [raw])
    return _change_body(
        recording.snapshot, where, body, say("Insert {name} in {packet}", name=kind.name, packet=packet.name)
    )


def _spliced(packet: Packet, at: int, removed: int, inserted: Sequence[bytes]) -> bytes:
    try:
        return splice_records(packet.decoded, at, removed, inserted)
    except IndexError:
        raise EditError(
            say("{name} has no record {record}.", name=packet.name, record=at + 1), offset=packet.offset
        ) from None
    except FieldError as error:
        raise EditError(error.message, offset=packet.offset) from None


def _record_at(snapshot: Snapshot, where: Place) -> tuple[Packet, int, bytes]:
    """Return the packet, the ordinal and the bytes of the record of an address; raises `EditError`."""
    _, packet = packet_of(snapshot, where)
    if where.record is None:
        raise EditError(say("No record is named."))
    try:
        return packet, where.record, packet.decoded.raw(where.record)
    except IndexError:
        raise EditError(
            say("{name} has no record {record}.", name=packet.name, record=where.record + 1), offset=packet.offset
        ) from None


def delete_record(recording: RecordingLike, where: Place) -> Edit:
    """Return the edit that removes a record; the count follows. Raises `EditError`."""
    packet, record, _ = _record_at(recording.snapshot, where)
    body = _spliced(packet, record, 1, [])
    return _change_body(recording.snapshot, where, body, say("Delete {name}", name=_record_name(packet, record)))


def delete_records(recording: RecordingLike, places: Sequence[Place]) -> Edit:
    """Return the edit that removes several records, of one row or several; one undo step. Raises `EditError`."""
    snapshot = recording.snapshot
    chosen: dict[tuple[int, int], set[int]] = {}
    packets: dict[tuple[int, int], Packet] = {}
    for where in places:
        packet, record, _ = _record_at(snapshot, where)
        chosen.setdefault((where.row, packet.index), set()).add(record)
        packets[where.row, packet.index] = packet
    bodies: dict[tuple[int, int], bytes] = {}
    for place, records in chosen.items():
        try:
            bodies[place] = without_records(packets[place].decoded, records)
        except FieldError as error:
            raise EditError(error.message, offset=packets[place].offset) from None
    edit = Edit(
        say_count("Delete {count:,} record", "Delete {count:,} records", count=len(places)),
        snapshot.version,
        with_bodies(snapshot, bodies),
    )
    return refuse_crash(snapshot, edit, [packet.type for packet in packets.values()])


def duplicate_record(recording: RecordingLike, where: Place) -> Edit:
    """Return the edit that inserts a copy of a record after it; the count follows. Raises `EditError`."""
    packet, record, raw = _record_at(recording.snapshot, where)
    body = _spliced(packet, record + 1, 0, [raw])
    return _change_body(recording.snapshot, where, body, say("Duplicate {name}", name=_record_name(packet, record)))


def move_record(recording: RecordingLike, where: Place, to: int) -> Edit:
    """Return the edit that moves a record to ordinal `to` of its packet. Raises `EditError`."""
    packet, record, raw = _record_at(recording.snapshot, where)
    shorter = decode(packet.type, _spliced(packet, record, 1, []))
    if not 0 <= to <= len(shorter):
        raise EditError(say("{name} has no place {to}.", name=packet.name, to=to + 1), offset=packet.offset)
    body = splice_records(shorter, to, 0, [raw])
    return _change_body(recording.snapshot, where, body, say("Move {name}", name=_record_name(packet, record)))


def replace_record(
    recording: RecordingLike, where: Place, values: Mapping[str, object] | bytes, label: str | None = None
) -> Edit:
    """Return the edit that gives a record other values, arrays included (attributes, wheels), or other bytes.

    Raises `EditError`, `FieldError`.
    """
    packet, record, _ = _record_at(recording.snapshot, where)
    if isinstance(values, bytes):
        raw = values
    else:
        raw = encode_record(packet.type.record, values)
    if packet.type.body == "single":
        body = raw + packet.body[packet.decoded.tail[0] :]
    else:
        body = _spliced(packet, record, 1, [raw])
    label = label or say("Change {name}", name=_record_name(packet, record))
    return _change_body(recording.snapshot, where, body, label)


def delete_rows(recording: RecordingLike, first: int, count: int = 1) -> Edit:
    """Return the edit that removes rows; ids, times and events of the others stay (`trim` and `cut` keep the state)."""
    snapshot = recording.snapshot
    if count < 1 or first < 0 or first + count > snapshot.rows:
        raise EditError(say("There are no rows {first} to {last}.", first=first, last=first + count - 1))
    if count == 1:
        label = say("Delete {row}", row=row_name(snapshot, first))
    else:
        label = say_count("Delete {count:,} frame", "Delete {count:,} frames", count=count)
    empty = FrameTable.from_rows(snapshot.table.rows(0, 0))
    edit = Edit(label, snapshot.version, (Splice(first, count, empty),))
    return refuse_crash(snapshot, edit, _kinds_in(snapshot, first, first + count))


def _kinds_in(snapshot: Snapshot, first: int, stop: int) -> set[PacketType] | None:
    """Return the packets with records in rows, by their layouts; None if a row has none."""
    kinds: set[PacketType] = set()
    for number in np.unique(snapshot.table.column("layout")[first:stop]).tolist():
        if number == NO_LAYOUT:
            return None
        layout = snapshot.layouts.get(number)
        kinds.update(map(snapshot.dialect.packet, layout.ids[layout.sizes > 2].tolist()))
    return kinds


def insert_frame(recording: RecordingLike, row: int, copy_of: int | None = None) -> Edit:
    """Return the edit that inserts a frame before `row` (or at the end): a copy of row `copy_of`, or an empty frame.

    Raises `EditError` for a row that does not exist.
    """
    snapshot = recording.snapshot
    if not 0 <= row <= snapshot.rows:
        raise EditError(say("There is no row {row} to insert a frame before.", row=row))
    if copy_of is not None:
        data = row_of(snapshot, copy_of).data
        label = say("Duplicate {row}", row=row_name(snapshot, copy_of))
    else:
        start = FRAME_START_HEADER + bytes(24)
        if snapshot.rows:
            start = frame_start(snapshot.table.row(min(row, snapshot.rows - 1)))
        data = start + packet_bytes(1, b"")
        label = say("Insert an empty frame")
    edit = Edit(label, snapshot.version, (Splice(row, 0, rows_of(snapshot, data)),))
    kinds = () if copy_of is None else _kinds_in(snapshot, copy_of, copy_of + 1)
    return refuse_crash(snapshot, edit, kinds)


# --- from another recording -----------------------------------------------------------------------------


def take_frame(recording: RecordingLike, row: int, other: Frame) -> Edit:
    """Return the edit that inserts a frame of another recording before a row.

    Its frame id, times and packets do not change. Raises `EditError` if a packet would be read differently here.
    """
    snapshot = recording.snapshot
    for packet in other.packets:
        refuse_other_layout(snapshot, packet)
    label = say("Take frame {frame} of the other recording", frame=other.index + 1)
    edit = Edit(label, snapshot.version, (Splice(row, 0, rows_of(snapshot, other.data)),))
    return refuse_crash(snapshot, edit, [packet.type for packet in other.packets if packet.size > 2])


def take_packet(recording: RecordingLike, where: Place, other: Packet) -> Edit:
    """Return the edit that replaces the body of a packet by that of another recording.

    Args:
        recording: The recording, which is not changed.
        where: The packet; without a `packet` the other one is inserted.
        other: The packet of the other recording.

    Raises:
        EditError: The packets are of different types, or are read differently.
    """
    snapshot = recording.snapshot
    refuse_other_layout(snapshot, other)
    if where.packet is None:
        edit = insert_packet(snapshot, where, other.id, other.body)
    else:
        _, packet = packet_of(snapshot, where)
        if packet.id != other.id:
            raise EditError(
                say("{name} cannot take the place of {of}.", name=other.name, of=packet.name), offset=packet.offset
            )
        edit = replace_body(snapshot, where, other.body)
    return changed(edit, label=say("Take {name} from the other recording", name=other.name))


def take_record(recording: RecordingLike, where: Place, other: Packet, record: int) -> Edit:
    """Return the edit that replaces a record by one of another recording, or appends it (`where.record` None).

    Raises `EditError` if the packets differ in type or the other has no such record.
    """
    snapshot = recording.snapshot
    refuse_other_layout(snapshot, other)
    _, packet = packet_of(snapshot, where)
    if packet.id != other.id:
        raise EditError(
            say("A record of {name} does not fit into {into}.", name=other.name, into=packet.name), offset=packet.offset
        )
    try:
        raw = other.decoded.raw(record)
    except IndexError:
        raise EditError(
            say("{name} of the other recording has no record {record}.", name=other.name, record=record + 1)
        ) from None
    if where.record is None:
        edit = insert_record(snapshot, where, raw)
    else:
        edit = replace_record(snapshot, where, raw)
    return changed(edit, label=say("Take a record of {name} from the other recording", name=other.name))


def refuse_other_layout(snapshot: Snapshot, other: Packet) -> None:
    """Raise `EditError` for a packet that is read differently in this recording."""
    own = snapshot.dialect.packet(other.id)
    if own.name != other.name or own.body != other.type.body or own.record is not other.type.record:
        raise EditError(
            say(
                "The other recording's {name} (packet {id}) is read differently in this one "
                "({title}); only recordings of one dialect share bytes.",
                name=other.name,
                id=other.id,
                title=snapshot.dialect.title,
            )
        )
