"""Pointers that a server left in a recording with other memory, and the edit that sets them to zero.

Wheels of Unreal 5 are recorded as they are in memory, with the pointers of their slip graph (format reference 4.15).
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ..edits.rows import frames_with, with_bodies
from ..errors import EditError
from ..format import WIDTHS, Body, Struct
from ..progress import SILENT, Progress
from ..recording import Edit, Finding, Frame, Packet, Snapshot
from ..texts import N_, say, say_count
from .rule import Fix, Rule, new_finding, record_of


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """Yield a finding for each record with pointers that are not zero.

    Raises:
        Cancelled: The user stopped it.
    """
    kinds = [kind for kind in snapshot.dialect.kinds() if _has_pointers(kind.record)]
    for kind in kinds:
        for index in progress.over(frames_with(snapshot, kind, range(len(snapshot))).tolist()):
            frame = snapshot.frame(index)
            for packet in frame.packets:
                if packet.id == kind.id:
                    yield from _in_packet(packet, frame)


def _has_pointers(record: Struct) -> bool:
    """Whether a field of a record, or of the elements of one of its lists, is a pointer."""
    fields = list(record.fields.values())
    for array in record.arrays.values():
        fields.extend(array.element.fields.values())
    return any(field.pointers for field in fields)


def _in_packet(packet: Packet, frame: Frame) -> Iterator[Finding]:
    body = packet.decoded
    for index in range(len(body)):
        places = _pointers_in(body, index)
        if places:
            actor = packet.type.actor_in(body.raw(index))
            message = say_count(
                "Frame {frame:,}: {packet} of actor {actor} holds pointers of the server that recorded it, in a wheel.",
                "Frame {frame:,}: {packet} of actor {actor} holds pointers of the server that "
                "recorded it, in {count:,} wheels.",
                packet=packet.name,
                actor=actor,
                frame=frame.index + 1,
                count=len(places),
            )
            offset, size = packet.record_span(index)
            yield new_finding(STALE_POINTERS, message, offset=offset, frame=frame.index, row=frame.row, size=size)


def _pointers_in(body: Body, index: int) -> list[tuple[int, int]]:
    """Return the bytes `(start, stop)` of the body with pointers of a record that are not zero."""
    start, _ = body.span(index)
    places = list(_nonzero(body.type.record, body.data, first=start, count=1))
    for array, first, count in body.arrays_of(index):
        if array.element.size is not None:
            places.extend(_nonzero(array.element, body.data, first=first, count=count))
    return places


def _nonzero(element: Struct, data: bytes, first: int, count: int) -> Iterator[tuple[int, int]]:
    """Yield the bytes `(start, stop)` of pointers that are not zero.

    Args:
        element: The type of the elements.
        data: The bytes of the body.
        first: Where the first element begins.
        count: The number of neighbouring elements.
    """
    for field, offset in element.head:
        if field.pointers:
            width = WIDTHS[field.type]
            size = element.size or offset + width
            memory = np.frombuffer(data, np.uint8, count * size, first).reshape(count, size)
            for number in np.flatnonzero(memory[:, offset : offset + width].any(axis=1)).tolist():
                start = first + number * size + offset
                yield start, start + width


def clear(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that sets the pointers in the records of the findings to zero."""
    chosen: dict[tuple[int, int], list[int]] = {}
    for finding in findings:
        _, place, _ = record_of(snapshot, finding)
        chosen.setdefault((place.row, place.packet), []).append(place.record)
    bodies = {}
    for (row, packet), records in chosen.items():
        bodies[(row, packet)] = _cleared(snapshot.row(row).packets[packet].decoded, records)
    splices = with_bodies(snapshot, bodies)
    if not splices:
        raise EditError(say("The data of this finding no longer exists."))
    return Edit(
        say_count(
            "Set the pointers of a record to zero", "Set the pointers of {count:,} records to zero", count=len(findings)
        ),
        snapshot.version,
        splices,
    )


def _cleared(body: Body, records: Iterable[int]) -> bytes:
    data = bytearray(body.data)
    for index in records:
        for start, stop in _pointers_in(body, index):
            data[start:stop] = bytes(stop - start)
    return bytes(data)


STALE_POINTERS = Rule(
    "stale-pointers",
    subject="replay",
    severity="warning",
    title=N_("Wheels of Unreal 5 hold pointers."),
    why=N_(
        "They point into the memory of the server that recorded them. Replays skip them; a server that prints all "
        "records (show_recorder_file_info with show_all) follows them and crashes."
    ),
    fix=Fix(N_("Set the pointers to zero"), clear),
)

RULES = (STALE_POINTERS,)
"""The rules of this module, in the order in which their findings are fixed."""
