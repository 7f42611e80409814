"""Addresses in a recording: row, packet, record, field."""

from collections.abc import Callable, Container, Iterator
from typing import NamedTuple

from ..errors import EditError
from ..format import Leaf, PacketType
from ..texts import N_, say
from .recording import Recording
from .snapshot import Packet, Row, Snapshot

RecordingLike = Recording | Snapshot
"""Argument of edits; a recording stands for its present state."""


class RecordPlace(NamedTuple):
    """The place of a record: row of the frame table, packet in the row (FrameStart is 0), ordinal in the packet."""

    row: int
    packet: int
    record: int


def records_of(row: Row, actors: Container[int], is_wanted: Callable[[PacketType], bool]) -> Iterator[RecordPlace]:
    """Yield the places of the records of actors in a row.

    Args:
        row: The row of the frame table.
        actors: Ids of actors.
        is_wanted: Says of a type of packets with an actor field whether its records are meant.
    """
    for packet in row.packets:
        if packet.type.actor_field is None or not is_wanted(packet.type):
            continue
        for record, actor in enumerate(packet.decoded.actors):
            if actor in actors:
                yield RecordPlace(row.row, packet.index, record)


class Place(NamedTuple):
    """An address; each part may be missing from the right.

    Attributes: `row` (of the frame table), `packet` (index in the row, FrameStart is 0), `record` (ordinal, never an
    id), `field` (dotted path).
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
    """An address by frame index (from 0), packet name or index, and record ordinal or actor id.

    Raises `EditError` where the frame has no such packet or the packet no record of that actor, IndexError for a frame
    that is not there.
    """
    snapshot = recording.snapshot
    found = snapshot.frame(frame)
    if isinstance(packet, str):
        named = found.packet(packet)
        if named is None:
            raise EditError(
                say("Frame {frame} has no {packet} packet.", frame=frame + 1, packet=packet), frame=frame + 1
            )
        packet = named.index
    if packet is not None and not 0 <= packet < len(found.packets):
        raise EditError(say("Frame {frame} has no packet {packet}.", frame=frame + 1, packet=packet), frame=frame + 1)
    if actor is not None and packet is not None:
        record = found.packets[packet].decoded.find_actor(actor)
        if record is None:
            name = found.packets[packet].name
            raise EditError(
                say("{name} of frame {frame} has no record of actor {actor}.", name=name, frame=frame + 1, actor=actor),
                frame=frame + 1,
            )
    if field is not None and record is None:
        record = 0
    return Place(found.row, packet, record, field)


def row_of(snapshot: Snapshot, number: int) -> Row:
    """The row of a number. Raises `EditError` if there is none."""
    if not 0 <= number < snapshot.rows:
        raise EditError(say("There is no row {number}; the recording has {rows:,}.", number=number, rows=snapshot.rows))
    return snapshot.row(number)


def packet_of(snapshot: Snapshot, where: Place) -> tuple[Row, Packet]:
    """The row and packet at an address. Raises `EditError` if there are none."""
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
    """The packet and field at an address. Raises `EditError` if there are none."""
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
    found = snapshot.row(row)
    index = getattr(found, "index", None)
    if index is not None:
        return say("frame {frame}", frame=index + 1)
    return say("the damaged stretch at 0x{offset:06x}", offset=found.offset)
