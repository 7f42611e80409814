"""Addresses in a recording: row, packet, record, field."""

from collections.abc import Callable, Container, Iterator
from typing import NamedTuple

from ..errors import EditError
from ..format import Leaf, PacketType
from ..texts import N_, say
from .recording import Recording
from .snapshot import Frame, Packet, Row, Snapshot

RecordingLike = Recording | Snapshot
"""Argument of edits; a recording stands for its present state."""


class RecordPlace(NamedTuple):
    """The place of a record.

    Attributes:
        row: The row of the frame table.
        packet: The index of the packet in the row, where FrameStart is 0.
        record: The number of the record in the packet, from 0.
    """

    row: int
    packet: int
    record: int


def records_of(row: Row, actors: Container[int], is_wanted: Callable[[PacketType], bool]) -> Iterator[RecordPlace]:
    """Yield the places of the records of actors in a row.

    Args:
        row: The row of the frame table.
        actors: Ids of actors.
        is_wanted: Whether the records of a type of packets, which has an actor field, are meant.
    """
    for packet in row.packets:
        if packet.type.actor_field is None or not is_wanted(packet.type):
            continue
        for record, actor in enumerate(packet.decoded.actors):
            if actor in actors:
                yield RecordPlace(row.row, packet.index, record)


class Place(NamedTuple):
    """An address, of which the last parts may be None.

    Attributes:
        row: The row of the frame table.
        packet: The index of the packet in the row, where FrameStart is 0.
        record: The number of the record in the packet, from 0; never an id.
        field: The dotted path of the field.
    """

    row: int
    packet: int | None = None
    record: int | None = None
    field: str | None = None


def place(
    recording: RecordingLike,
    *,
    frame: int,
    packet: str | int | None = None,
    record: int | None = None,
    actor: int | None = None,
    field: str | None = None,
) -> Place:
    """Make an address.

    Args:
        recording: The recording.
        frame: The index of the frame, from 0.
        packet: The name of the packet, or its index in the frame; None: the whole frame.
        record: The number of the record in the packet, from 0; None: the whole packet, or the first record if a field
            is given.
        actor: Instead of `record`: the id of its actor.
        field: The dotted path of the field; None: the whole record.

    Raises:
        EditError: The frame has no such packet, or the packet no record of that actor.
        IndexError: There is no such frame.
    """
    snapshot = recording.snapshot
    number = frame + 1
    row = snapshot.frame(frame)
    if isinstance(packet, str):
        named = row.packet(packet)
        if named is None:
            raise EditError(say("Frame {frame} has no {packet} packet.", frame=number, packet=packet), frame=number)
        packet = named.index
    if packet is not None and not 0 <= packet < len(row.packets):
        raise EditError(say("Frame {frame} has no packet {packet}.", frame=number, packet=packet), frame=number)
    if actor is not None and packet is not None:
        record = row.packets[packet].decoded.find_actor(actor)
        if record is None:
            message = say(
                "{name} of frame {frame} has no record of actor {actor}.",
                name=row.packets[packet].name,
                frame=number,
                actor=actor,
            )
            raise EditError(message, frame=number)
    if field is not None and record is None:
        record = 0
    return Place(row.row, packet, record, field)


def row_of(snapshot: Snapshot, number: int) -> Row:
    """The row of a number.

    Raises:
        EditError: There is none.
    """
    if not 0 <= number < snapshot.rows:
        raise EditError(say("There is no row {number}; the recording has {rows:,}.", number=number, rows=snapshot.rows))
    return snapshot.row(number)


def packet_of(snapshot: Snapshot, where: Place) -> tuple[Row, Packet]:
    """The row and packet at an address.

    Raises:
        EditError: There are none.
    """
    row = row_of(snapshot, where.row)
    if where.packet is None or not 0 <= where.packet < len(row.packets):
        raise EditError(
            say(
                "There is no packet {packet} in {row_name}.",
                packet=where.packet,
                row_name=row_name(snapshot, where.row),
            ),
            offset=row.offset,
        )
    return row, row.packets[where.packet]


def leaf_of(snapshot: Snapshot, where: Place) -> tuple[Packet, Leaf]:
    """The packet and field at an address.

    Raises:
        EditError: There are none, or the address names no field.
    """
    _, packet = packet_of(snapshot, where)
    if where.record is None or where.field is None:
        raise EditError(say("No field of {name} is named.", name=packet.name))
    try:
        return packet, packet.decoded.leaf(where.record, where.field)
    except (IndexError, KeyError) as error:
        if isinstance(error, IndexError):
            template = N_("{name} has no record {record}.")
        else:
            template = N_("{name} has no field {typed}.")
        message = say(template, name=packet.name, record=where.record + 1, typed=where.field)
        raise EditError(message, offset=packet.offset) from None


def record_at(snapshot: Snapshot, place: RecordPlace) -> bytes:
    """The bytes of a record."""
    return snapshot.row(place.row).packets[place.packet].decoded.raw(place.record)


def row_name(snapshot: Snapshot, row: int) -> str:
    """A row in sentences: `frame 301`, or `the damaged stretch at 0x01f4a0`."""
    content = snapshot.row(row)
    if isinstance(content, Frame):
        return say("frame {frame}", frame=content.index + 1)
    return say("the damaged stretch at 0x{offset:06x}", offset=content.offset)
