"""How much a recording holds: packets and records by type, mostly from headers alone."""

import numpy as np

from ..format.dialects import Dialect
from ..recording.frames import RAW, START_SIZE
from ..recording.snapshot import Snapshot
from .report import Tally


def tally(snapshot: Snapshot, first: int = 0, stop: int | None = None) -> Tally:
    """What the rows `[first, stop)` hold; FrameStart and FrameEnd count as the frame, raw rows by their bytes alone."""
    found = Tally()
    rows = snapshot.table.rows(first, snapshot.rows if stop is None else stop)
    framed = rows["kind"] != RAW
    found.frames = int(framed.sum())
    found.bytes = int(rows["size"].sum()) + START_SIZE * found.frames
    layouts, numbers = np.unique(rows["layout"], return_counts=True)
    for layout, number in zip(layouts.tolist(), numbers.tolist(), strict=True):
        if layout < 0:
            for row in np.flatnonzero(rows["layout"] < 0).tolist():
                _add_walked(found, snapshot, first + row)
            continue
        ids, offsets, sizes = snapshot.layouts.get(layout)
        for each, at, size in zip(ids.tolist(), offsets.tolist(), sizes.tolist(), strict=True):
            if each in (0, 1):
                continue
            kind = snapshot.dialect.packet(each)
            found.packets_by_type[kind.name] += number
            if kind.body == "single":
                found.records_by_type[kind.name] += number
            elif kind.body == "list" and size > 2 and kind.record.size is not None:
                found.records_by_type[kind.name] += number * ((size - 2) // kind.record.size)
            elif kind.body == "list" and size > 2:
                for row in np.flatnonzero(rows["layout"] == layout).tolist():
                    place = int(rows["offset"][row]) + at + 5
                    count = snapshot.store.read(int(rows["source"][row]), place, 2)
                    found.records_by_type[kind.name] += int.from_bytes(count, "little")
    return found


def _add_walked(found: Tally, snapshot: Snapshot, row: int) -> None:
    for packet in snapshot.row(row).packets:
        if packet.id not in (0, 1):
            add_packet(found, snapshot.dialect, packet.id, packet.body)


def add_packet(found: Tally, dialect: Dialect, number: int, body: bytes) -> None:
    """Take one packet in, without its bytes."""
    kind = dialect.packet(number)
    found.packets_by_type[kind.name] += 1
    if kind.body == "single":
        found.records_by_type[kind.name] += 1
    elif kind.body == "list":
        found.records_by_type[kind.name] += int.from_bytes(body[:2], "little")
