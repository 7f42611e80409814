"""Tables of what is selected in the tree of packets, as they are copied: cells hold exact values. No Qt."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..format import Array, Struct, exact_text
from ..format.header import FIELDS
from ..formats.dump import json_record
from ..recording import Packet, Place, Row, Snapshot
from ..texts import say
from .selection import HEADER, look_up


class CellTable(NamedTuple):
    """A table of texts.

    Attributes:
        heads: The heading of each column, with its unit in brackets.
        rows: The cells.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


def selected_table(snapshot: Snapshot, places: Sequence[Place]) -> CellTable:
    """Return what is selected as a table.

    Args:
        snapshot: State of the recording.
        places: The places that are selected, of one kind.

    Returns:
        Of a record, or of several of one type, a row each, with a column for each field or for the selected one; of a
        packet its records, of a frame its packets, of the file header a row for each field.

    Raises:
        RecorderError: The bytes cannot be read.
        OSError: The file cannot be read.
    """
    place = places[0]
    if place.row == HEADER:
        return _header_table(snapshot)
    parts = look_up(snapshot, place)
    if parts.packet is None:
        assert parts.row is not None
        return _packets_table(parts.row)
    if parts.packet.type.body not in ("list", "single"):
        rows = [(parts.packet.name, str(parts.packet.id), parts.packet.body.hex(" "))]
        return CellTable((say("Packet"), say("Id"), say("Bytes")), rows)
    if place.record is None:
        records = [(parts.packet, record) for record in range(len(parts.packet.decoded))]
        return _records_table(parts.packet.type.record, records, place.field)
    records = []
    for each in places:
        packet = look_up(snapshot, each).packet
        if packet is not None and each.record is not None and packet.type is parts.packet.type:
            records.append((packet, each.record))
    return _records_table(parts.packet.type.record, records, place.field)


def fields_table(snapshot: Snapshot, place: Place) -> CellTable:
    """Return a record as a table with a row for each field: its path, its exact value and its unit.

    Args:
        snapshot: State of the recording.
        place: The record.

    Raises:
        RecorderError: The bytes cannot be read.
        OSError: The file cannot be read.
    """
    packet = look_up(snapshot, place).packet
    assert packet is not None
    assert place.record is not None
    record = packet.type.record
    cells = _record_cells(record, packet.decoded.record(place.record))
    rows = []
    for path, text in cells.items():
        unit = ""
        if path in record.fields:
            unit = record.fields[path].unit
        rows.append((path, text, unit))
    return CellTable((say("Field"), say("Value"), say("Unit")), rows)


def _header_table(snapshot: Snapshot) -> CellTable:
    header = snapshot.header
    rows = []
    if header is not None:
        values = (header.version, header.magic, header.date, header.map_name)
        for field, value in zip(FIELDS, values, strict=True):
            rows.append((field.path, exact_text(field, value)))
    return CellTable((say("Field"), say("Value")), rows)


def _packets_table(row: Row) -> CellTable:
    rows = []
    for packet in row.packets:
        records = ""
        if packet.type.body == "list":
            records = str(len(packet.decoded))
        rows.append((packet.name, str(packet.id), records, str(len(packet.body))))
    return CellTable((say("Packet"), say("Id"), say("Records"), say("Bytes")), rows)


def _records_table(record: Struct, records: Iterable[tuple[Packet, int]], field: str | None) -> CellTable:
    rows = []
    paths: dict[str, None] = {}
    for packet, number in records:
        cells = _record_cells(record, packet.decoded.record(number))
        if field in cells:
            cells = {field: cells[field]}
        paths.update(dict.fromkeys(cells))
        rows.append(list(cells.values()))
    heads = []
    for path in paths:
        unit = ""
        if path in record.fields:
            unit = record.fields[path].unit
        heads.append(f"{path} [{unit}]" if unit else path)
    return CellTable(heads, rows)


def _record_cells(record: Struct, values: Mapping[str, Any]) -> dict[str, str]:
    """Return the exact value of each field, by its path; an array as JSON."""
    cells = {}
    for member in record.members:
        if isinstance(member, Array):
            elements = [json_record(member.element, element) for element in values[member.path]]
            cells[member.path] = json.dumps(elements, ensure_ascii=False)
            continue
        group, _, name = member.path.rpartition(".")
        inner = values[group] if group else values
        cells[member.path] = exact_text(member, inner[name])
    return cells
