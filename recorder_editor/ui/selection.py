"""What is selected: one value, shared by every view.

Knows snapshots and places, no widget.
"""

from dataclasses import dataclass

from ..edits.place import Place
from ..format.codec import Leaf
from ..recording.contents import Frame, Packet, Row
from ..recording.snapshot import Snapshot

HEADER = -1
"""The row that stands for the file header in a `Place`; its fields are `version`, `magic`, `date`, `map`."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A place, and what was chosen beside it.

    Attributes: `place` (row, packet, record, field), `more` (further records, by Shift or rubber band), `span` (bytes
    `(start, stop)` chosen by hand; None: those the place covers).
    """

    place: Place
    more: tuple[Place, ...] = ()
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A place looked up: the parts that are there, from the left."""

    row: Row | None = None
    packet: Packet | None = None
    record: int | None = None
    leaf: Leaf | None = None

    @property
    def actor(self) -> int | None:
        """The actor whose record this is, or that the field names."""
        if self.packet is None or self.record is None:
            return None
        if self.leaf is not None and self.leaf.field.actor:
            named = self.packet.decoded.value(self.leaf)
            return named if isinstance(named, int) else None
        for field in self.packet.type.record.fields.values():
            if field.actor:
                owner = self.packet.decoded.get(self.record, field.path)
                return owner if isinstance(owner, int) else None
        return None


def look_up(snapshot: Snapshot, place: Place) -> Found:
    """The row, packet, record and field of a place, as far as they are there."""
    if not 0 <= place.row < snapshot.rows:
        return Found()
    row = snapshot.row(place.row)
    if place.packet is None or not 0 <= place.packet < len(row.packets):
        return Found(row)
    packet = row.packets[place.packet]
    if place.record is None:
        count = packet.decoded.count_leaf
        return Found(row, packet, None, count if place.field == "count" else None)
    if not 0 <= place.record < len(packet.decoded):
        return Found(row, packet)
    if place.field is None:
        return Found(row, packet, place.record)
    try:
        return Found(row, packet, place.record, packet.decoded.leaf(place.record, place.field))
    except KeyError:
        return Found(row, packet, place.record)


def span_of(snapshot: Snapshot, place: Place) -> tuple[int, int]:
    """The bytes `(start, stop)` of the recording that a place covers."""
    if place.row == HEADER:
        header = snapshot.header
        for field, start, stop in header.spans() if header is not None else ():
            if field.path == place.field:
                return start, stop
        return 0, len(snapshot.header_bytes)
    found = look_up(snapshot, place)
    if found.row is None:
        return snapshot.size, snapshot.size
    if found.packet is None:
        return found.row.offset, found.row.offset + found.row.size
    body = found.packet.offset + 5
    if found.leaf is not None:
        return body + found.leaf.start, body + found.leaf.stop
    if found.record is not None:
        start, stop = found.packet.decoded.span(found.record)
        return body + start, body + stop
    return found.packet.offset, body + found.packet.size


def place_at(snapshot: Snapshot, position: int) -> Place:
    """The smallest thing that holds a byte of the recording: a field, a record, a packet, a row, or the header."""
    if position < len(snapshot.header_bytes):
        header = snapshot.header
        for field, start, stop in header.spans() if header is not None else ():
            if start <= position < stop:
                return Place(HEADER, field=field.path)
        return Place(HEADER)
    row = snapshot.row_at(position)
    if row is None:
        return Place(max(0, snapshot.rows - 1))
    for packet in snapshot.row(row).packets:
        body = packet.offset + 5
        if packet.offset <= position < body:
            return Place(row, packet.index)
        if body <= position < body + packet.size:
            record, leaf = packet.decoded.at(position - body)
            return Place(row, packet.index, record, leaf.path if leaf is not None else None)
    return Place(row)


def place_of_span(snapshot: Snapshot, start: int, stop: int) -> Place:
    """The smallest thing that holds all bytes `[start, stop)`; the row of the first byte where they span several."""
    first, last = place_at(snapshot, start), place_at(snapshot, max(start, stop - 1))
    if first == last:
        return first
    common = Place(first.row)
    if first.row != last.row:
        return common
    if first.packet == last.packet and first.packet is not None:
        common = Place(first.row, first.packet)
        if first.record == last.record and first.record is not None:
            common = Place(first.row, first.packet, first.record)
    return common


def carried(snapshot: Snapshot, place: Place, splices: tuple[tuple[int, int, int], ...]) -> Place:
    """Where a place is after an edit: rows shift, what is gone falls back to what holds it."""
    row = place.row
    if row == HEADER:
        return place
    for at, removed, inserted in splices:
        if row >= at + removed:
            row += inserted - removed
        elif row >= at:
            row = at + min(row - at, max(0, inserted - 1))
    row = max(0, min(row, snapshot.rows - 1))
    return settled(snapshot, place._replace(row=row))


def settled(snapshot: Snapshot, place: Place) -> Place:
    """The place as far as it is there."""
    if place.row == HEADER:
        return place
    found = look_up(snapshot, place)
    if found.packet is None:
        return Place(place.row)
    if found.record is None:
        return Place(place.row, place.packet, None, "count" if found.leaf is not None else None)
    return Place(place.row, place.packet, place.record, place.field if found.leaf is not None else None)


def same_in(snapshot: Snapshot, row: int, before: Place, kind: int, actor: int | None) -> Place:
    """The place in another row that means the same: the first packet of that id, the actor's record, the same field."""
    packets = snapshot.row(row).packets
    if before.packet is not None and before.packet < len(packets) and packets[before.packet].id == kind:
        packet = packets[before.packet]
    else:
        named = next((packet for packet in packets if packet.id == kind), None)
        if named is None:
            return Place(row)
        packet = named
    record = packet.decoded.find_actor(actor) if actor is not None else before.record
    if record is None:
        return settled(snapshot, Place(row, packet.index, None, before.field))
    return settled(snapshot, Place(row, packet.index, record, before.field))


def frame_of(snapshot: Snapshot, row: int) -> int:
    """The frame index of a row; for a raw row that of the frame before it."""
    if not len(snapshot):
        return 0
    found = snapshot.row(row) if 0 <= row < snapshot.rows else None
    if isinstance(found, Frame):
        return found.index
    return max(0, snapshot.table.frame_of_row(max(0, min(row, snapshot.rows))) - 1)
