"""The selection, one value that every view shares, and the places that it consists of.

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

    Attributes:
        place: Row, packet, record and field.
        more: Further records, by Shift or rubber band.
        span: Bytes `(start, stop)` that were chosen by hand; None: those that the place covers.
    """

    place: Place
    more: tuple[Place, ...] = ()
    span: tuple[int, int] | None = None


class PlaceParts(NamedTuple):
    """The parts of a place that exist in a state, from the left; the others are None.

    Attributes:
        row: Row of the frame table.
        packet: Packet in that row.
        record: Index of a record in that packet.
        leaf: Field of that record, or the count of the packet's records.
    """

    row: Row | None = None
    packet: Packet | None = None
    record: int | None = None
    leaf: Leaf | None = None

    @property
    def actor(self) -> int | None:
        """Id of the actor that the field names, or else that the record belongs to; None without one."""
        if self.packet is None or self.record is None:
            return None
        actor: object = None
        if self.leaf is not None and self.leaf.field.actor:
            actor = self.packet.decoded.value(self.leaf)
        else:
            for field in self.packet.type.record.fields.values():
                if field.actor:
                    actor = self.packet.decoded.get(self.record, field.path)
                    break
        if isinstance(actor, int):
            return actor
        return None


def look_up(snapshot: Snapshot, place: Place) -> PlaceParts:
    """Return the row, packet, record and field of a place, as far as they exist."""
    if not 0 <= place.row < snapshot.rows:
        return PlaceParts()
    row = snapshot.row(place.row)
    if place.packet is None or not 0 <= place.packet < len(row.packets):
        return PlaceParts(row)
    packet = row.packets[place.packet]
    if place.record is None:
        if place.field == "count":
            return PlaceParts(row, packet, None, packet.decoded.count_leaf)
        return PlaceParts(row, packet)
    if not 0 <= place.record < len(packet.decoded):
        return PlaceParts(row, packet)
    if place.field is None:
        return PlaceParts(row, packet, place.record)
    try:
        return PlaceParts(row, packet, place.record, packet.decoded.leaf(place.record, place.field))
    except KeyError:
        return PlaceParts(row, packet, place.record)


def span_of(snapshot: Snapshot, place: Place) -> tuple[int, int]:
    """Return the bytes of a place, or of what holds it where it does not exist.

    Args:
        snapshot: State of the recording.
        place: A place in it.

    Returns:
        Positions of the first byte and of the byte behind the last; the end of the recording for a row that does not
        exist.
    """
    if place.row == HEADER:
        return _span_in_header(snapshot, place.field)
    parts = look_up(snapshot, place)
    if parts.row is None:
        return snapshot.size, snapshot.size
    if parts.packet is None:
        return parts.row.offset, parts.row.offset + parts.row.size
    body = parts.packet.offset + 5
    if parts.leaf is not None:
        return body + parts.leaf.start, body + parts.leaf.stop
    if parts.record is not None:
        start, stop = parts.packet.decoded.span(parts.record)
        return body + start, body + stop
    return parts.packet.offset, body + parts.packet.size


def _span_in_header(snapshot: Snapshot, name: str | None) -> tuple[int, int]:
    """Return the bytes of a field of the header; those of all of it for None, and where it is not readable."""
    if snapshot.header is not None:
        for field, start, stop in snapshot.header.spans():
            if field.path == name:
                return start, stop
    return 0, len(snapshot.header_bytes)


def place_at(snapshot: Snapshot, position: int) -> Place:
    """Return the smallest thing that holds a byte: a field, a record, a packet, a row, or the header.

    Args:
        snapshot: State of the recording.
        position: Position of the byte; behind the end of the recording its last row is returned.
    """
    if position < len(snapshot.header_bytes):
        return _place_in_header(snapshot, position)
    row = snapshot.row_at(position)
    if row is None:
        return Place(max(0, snapshot.rows - 1))
    for packet in snapshot.row(row).packets:
        body = packet.offset + 5
        if packet.offset <= position < body:
            return Place(row, packet.index)
        if body <= position < body + packet.size:
            record, leaf = packet.decoded.find_field(position - body)
            return Place(row, packet.index, record, leaf.path if leaf is not None else None)
    return Place(row)


def _place_in_header(snapshot: Snapshot, position: int) -> Place:
    if snapshot.header is not None:
        for field, start, stop in snapshot.header.spans():
            if start <= position < stop:
                return Place(HEADER, field=field.path)
    return Place(HEADER)


def place_of_span(snapshot: Snapshot, start: int, stop: int) -> Place:
    """Return the smallest thing that holds all bytes of a span.

    Args:
        snapshot: State of the recording.
        start: Position of the first byte.
        stop: Position behind the last byte.

    Returns:
        The place; the row of the first byte where the span reaches over several rows.
    """
    first = place_at(snapshot, start)
    last = place_at(snapshot, max(start, stop - 1))
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


def place_after_edit(
    before: Snapshot, after: Snapshot, place: Place, splices: tuple[tuple[int, int, int], ...]
) -> Place:
    """Return where a place is after an edit: the same packet and record, by what they are and not by their number.

    Args:
        before: State before the edit.
        after: State after it.
        place: Place in the state before.
        splices: The rows that were replaced, each as (row, number of removed rows, number of inserted rows).

    Returns:
        The place; for what is gone that which held it, for a row that is gone the same actor in the row that is there
        now.
    """
    if place.row == HEADER:
        return place
    row = place.row
    is_same = True
    for start, removed, inserted in splices:
        if row >= start + removed:
            row += inserted - removed
        elif row >= start:
            is_same = is_same and removed == inserted
            row = start + min(row - start, max(0, inserted - 1))
    row = max(0, min(row, after.rows - 1))
    parts = look_up(before, place)
    if parts.row is None or parts.packet is None or not after.rows:
        return Place(row)
    if not is_same:
        return matching_place(after, row, place, parts.packet.id, parts.actor)
    packets = after.row(row).packets
    packet = _packet_after(parts.row.packets, packets, parts.packet.index)
    if packet is None:
        return Place(row)
    record = None
    if parts.record is not None:
        record = same_record(parts.packet.decoded, packets[packet].decoded, parts.record)
    if record is None and place.record is not None:
        return existing_place(after, Place(row, packet))
    return existing_place(after, Place(row, packet, record, place.field))


def _packet_after(before: Sequence[Packet], after: Sequence[Packet], index: int) -> int | None:
    """Return the index of a packet of a row after an edit of that row; None where it is gone."""
    packet_id = before[index].id
    same_before = [packet.index for packet in before if packet.id == packet_id]
    same_after = [packet.index for packet in after if packet.id == packet_id]
    if len(same_before) == len(same_after):
        return same_after[same_before.index(index)]
    contents_before = [(packet.id, packet.body) for packet in before]
    contents_after = [(packet.id, packet.body) for packet in after]
    return _item_after(contents_before, contents_after, index)


def _item_after(before: Sequence[object], after: Sequence[object], index: int) -> int | None:
    """Return where an item is in a list that was changed in one place; None where it is gone.

    It is as far from the beginning, or from the end, as it was. In the part that changed it has the same index where
    the lists have one length, and is gone otherwise.
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


def existing_place(snapshot: Snapshot, place: Place) -> Place:
    """Return a place as far as it exists."""
    if place.row == HEADER:
        return place
    parts = look_up(snapshot, place)
    if parts.packet is None:
        return Place(place.row)
    if parts.record is None:
        return Place(place.row, place.packet, None, "count" if parts.leaf is not None else None)
    return Place(place.row, place.packet, place.record, place.field if parts.leaf is not None else None)


def matching_place(snapshot: Snapshot, row: int, before: Place, kind: int, actor: int | None) -> Place:
    """Return the place in another row that means the same.

    Args:
        snapshot: State of the recording.
        row: Row in which it is looked for.
        before: The place in the row before.
        kind: Id of its packet.
        actor: Actor that the place belongs to; None: the record with the same index is meant.

    Returns:
        The same field of the actor's record in a packet of that id, as far as it exists.
    """
    packet = _packet_of_kind(snapshot.row(row).packets, kind, before.packet)
    if packet is None:
        return Place(row)
    record = before.record
    if actor is not None:
        record = packet.decoded.find_actor(actor)
    return existing_place(snapshot, Place(row, packet.index, record, before.field))


def _packet_of_kind(packets: Sequence[Packet], kind: int, index: int | None) -> Packet | None:
    """Return the packet of an id: the one at an index if it has that id, or else the first one."""
    if index is not None and index < len(packets) and packets[index].id == kind:
        return packets[index]
    for packet in packets:
        if packet.id == kind:
            return packet
    return None


def frame_of(snapshot: Snapshot, row: int) -> int:
    """Return the frame index of a row; for a raw row that of the frame before it."""
    if not len(snapshot):
        return 0
    if 0 <= row < snapshot.rows:
        content = snapshot.row(row)
        if isinstance(content, Frame):
            return content.index
    frames_before = snapshot.table.frame_of_row(max(0, min(row, snapshot.rows)))
    return max(0, frames_before - 1)
