"""What is selected: one value, shared by every view.

Knows snapshots and places, no widget.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ..format import Leaf
from ..recording import Frame, Packet, Place, Row, Snapshot
from .saved_rows import same_record

HEADER = -1
"""The row that stands for the file header in a `Place`; its fields are `version`, `magic`, `date`, `map`."""


class Selection(NamedTuple):
    """A place, and what was chosen beside it.

    Attributes: `place` (row, packet, record, field), `more` (further records, by Shift or rubber band), `span` (bytes
    `(start, stop)` chosen by hand; None: those the place covers).
    """

    place: Place
    more: tuple[Place, ...] = ()
    span: tuple[int, int] | None = None


class Found(NamedTuple):
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
            if isinstance(named, int):
                return named
            return None
        for field in self.packet.type.record.fields.values():
            if field.actor:
                owner = self.packet.decoded.get(self.record, field.path)
                if isinstance(owner, int):
                    return owner
                return None
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


def followed(before: Snapshot, after: Snapshot, place: Place, splices: tuple[tuple[int, int, int], ...]) -> Place:
    """Where a place is after an edit: the same packet and the same record, by what they are and not by their number.

    What is gone falls back to what held it; a row that is gone, to the same actor in the row that is there now.
    """
    if place.row == HEADER:
        return place
    row = place.row
    is_same = True
    for at, removed, inserted in splices:
        if row >= at + removed:
            row += inserted - removed
        elif row >= at:
            is_same = is_same and removed == inserted
            row = at + min(row - at, max(0, inserted - 1))
    row = max(0, min(row, after.rows - 1))
    found = look_up(before, place)
    if found.row is None or found.packet is None or not after.rows:
        return Place(row)
    if not is_same:
        return same_in(after, row, place, found.packet.id, found.actor)
    packets = after.row(row).packets
    packet = _packet_after(found.row.packets, packets, found.packet.index)
    if packet is None:
        return Place(row)
    record = None
    if found.record is not None:
        record = same_record(found.packet.decoded, packets[packet].decoded, found.record)
    kept = record is not None or place.record is None
    return settled(after, Place(row, packet, record, place.field if kept else None))


def _packet_after(before: Sequence[Packet], after: Sequence[Packet], index: int) -> int | None:
    kind = before[index].id
    there, here = ([packet.index for packet in packets if packet.id == kind] for packets in (before, after))
    if len(there) == len(here):
        return here[there.index(index)]
    return _item_after([(one.id, one.body) for one in before], [(one.id, one.body) for one in after], index)


def _item_after(before: Sequence[object], after: Sequence[object], index: int) -> int | None:
    """Where an item is in a list that was changed in one place: as far from the beginning, or from the end, as it was.

    In between it is the same one where the lists are of one length, else gone.
    """
    most = min(len(before), len(after))
    begin = 0
    end = 0
    while begin < most and before[begin] == after[begin]:
        begin += 1
    while end < most - begin and before[-1 - end] == after[-1 - end]:
        end += 1
    if index >= len(before) - end:
        return index + len(after) - len(before)
    if index < begin or len(before) == len(after):
        return index
    return None


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
    if before.packet is not None:
        here = packets[before.packet : before.packet + 1]
    else:
        here = ()
    packet = next((packet for packet in (*here, *packets) if packet.id == kind), None)
    if packet is None:
        return Place(row)
    if actor is not None:
        record = packet.decoded.find_actor(actor)
    else:
        record = before.record
    return settled(snapshot, Place(row, packet.index, record, before.field))


def frame_of(snapshot: Snapshot, row: int) -> int:
    """The frame index of a row; for a raw row that of the frame before it."""
    if not len(snapshot):
        return 0
    found = None
    if 0 <= row < snapshot.rows:
        found = snapshot.row(row)
    if isinstance(found, Frame):
        return found.index
    return max(0, snapshot.table.frame_of_row(max(0, min(row, snapshot.rows))) - 1)
