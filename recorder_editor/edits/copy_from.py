"""Copies of a frame, a packet or a record of another recording, byte for byte.

Bytes are never converted: if the recordings read them differently, the edit is refused.
"""

from dataclasses import replace as changed

from ..errors import EditError
from ..recording.history import Edit, Splice
from ..recording.snapshot import Snapshot
from ..recording.views import Frame, Packet
from .packets import insert_packet, insert_record, replace_body, replace_record
from .place import Place, RecordingLike, packet_of, row_name
from .rows import rows_of, with_bytes


def take_frame(recording: RecordingLike, row: int, other: Frame, *, replace: bool = True) -> Edit:
    """The edit that replaces a row by a frame of another recording, or inserts it before the row (`replace` False).

    Its frame id, times and packets do not change. Raises `EditError` if a packet would be read differently here.
    """
    snapshot = recording.snapshot
    for packet in other.packets:
        _refuse_incompatible(snapshot, packet)
    if replace:
        return with_bytes(snapshot, row, other.data, f"Take {row_name(snapshot, row)} from the other recording")
    label = f"Take frame {other.index + 1} of the other recording"
    return Edit(label, snapshot.version, (Splice(row, 0, rows_of(snapshot, other.data)),))


def take_packet(recording: RecordingLike, where: Place, other: Packet) -> Edit:
    """The edit that replaces a packet's body by another, or inserts the other packet (`where.packet` None). Raises
    `EditError`."""
    snapshot = recording.snapshot
    _refuse_incompatible(snapshot, other)
    if where.packet is None:
        made = insert_packet(snapshot, where, other.id, other.body)
    else:
        _, packet = packet_of(snapshot, where)
        if packet.id != other.id:
            raise EditError(f"{other.name} cannot take the place of {packet.name}.", offset=packet.offset)
        made = replace_body(snapshot, where, other.body)
    return changed(made, label=f"Take {other.name} from the other recording")


def take_record(recording: RecordingLike, where: Place, other: Packet, record: int) -> Edit:
    """The edit that replaces a record by one of another recording, or appends it (`where.record` None).

    Raises `EditError` if the packets differ in type or the other has no such record.
    """
    snapshot = recording.snapshot
    _refuse_incompatible(snapshot, other)
    _, packet = packet_of(snapshot, where)
    if packet.id != other.id:
        raise EditError(f"A record of {other.name} does not fit into {packet.name}.", offset=packet.offset)
    try:
        start, stop = other.decoded.span(record)
    except IndexError:
        raise EditError(f"{other.name} of the other recording has no record {record + 1}.") from None
    raw = other.body[start:stop]
    made = insert_record(snapshot, where, raw) if where.record is None else replace_record(snapshot, where, raw)
    return changed(made, label=f"Take a record of {other.name} from the other recording")


def _refuse_incompatible(snapshot: Snapshot, other: Packet) -> None:
    mine = snapshot.dialect.packet(other.id)
    if mine.name != other.name or mine.body != other.type.body or mine.record is not other.type.record:
        raise EditError(
            f"The other recording's {other.name} (packet {other.id}) is read differently in this one "
            f"({snapshot.dialect.title}); only recordings of one dialect share bytes."
        )
