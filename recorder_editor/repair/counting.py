"""Counts of packets and records by type, mostly from packet headers alone."""

import numpy as np

from ..queries.statistics import packet_counts
from ..recording.frames import RAW
from ..recording.snapshot import Snapshot
from .report import Tally


def tally(snapshot: Snapshot) -> Tally:
    """The contents of frames and raw rows; FrameStart and FrameEnd count as the frame."""
    found = Tally(len(snapshot), snapshot.size - len(snapshot.header_bytes))
    for number, counted in packet_counts(snapshot).items():
        if number > 1:
            found.count(snapshot.dialect.packet(number).name, counted.count, counted.records)
    for row in np.flatnonzero(snapshot.table.column("kind") == RAW).tolist():
        for packet in snapshot.row(row).packets:
            if packet.id > 1:
                records = {"single": 1, "list": int.from_bytes(packet.body[:2], "little")}
                found.count(packet.name, 1, records.get(packet.type.body, 0))
    return found
