"""How much of what: packets, bytes and records by type, time steps. Reads headers and counts."""

from dataclasses import dataclass

import numpy as np

from ..recording.frames import RAW
from ..recording.snapshot import Snapshot
from ..recording.walk import heads


@dataclass
class PacketCount:
    """Of one packet type: `count` packets, `bytes` of their bodies, `records` in them (0 for opaque bodies)."""

    count: int = 0
    bytes: int = 0
    records: int = 0


def packet_counts(snapshot: Snapshot) -> dict[int, PacketCount]:
    """Counts by packet id over all rows, FrameStart included.

    Records of one size are as many as a body has room for; of others, as many as the body says and may have room for.
    """
    counts: dict[int, PacketCount] = {}
    frames = len(snapshot)
    if frames:
        counts[0] = PacketCount(frames, 24 * frames, frames)
    layouts = snapshot.table.column("layout")
    order = np.argsort(layouts, kind="stable")
    numbers, firsts = np.unique(layouts[order], return_index=True)
    for number, rows in zip(numbers.tolist(), np.split(order, firsts[1:]), strict=True):
        if number >= 0:
            layout = snapshot.layouts.get(number)
            for one, at, size in zip(*(part.tolist() for part in layout), strict=True):
                _add(snapshot, counts, one, at + 5, size, rows)
            continue
        for row in rows.tolist():
            record = snapshot.table.row(row)
            if record["kind"] != RAW:
                span = int(record["source"]), int(record["offset"]), int(record["size"])
                for head in heads(snapshot.store, *span):
                    _add(snapshot, counts, head.id, head.body, head.size, np.array([row]))
    return counts


def _add(
    snapshot: Snapshot, counts: dict[int, PacketCount], number: int, body: int, size: int,
    rows: np.ndarray[tuple[int], np.dtype[np.intp]],
) -> None:  # fmt: skip
    """Count a packet whose body of `size` bytes begins at `body` in the span of each of the rows."""
    found = counts.setdefault(number, PacketCount())
    found.count += len(rows)
    found.bytes += size * len(rows)
    kind = snapshot.dialect.packet(number)
    if kind.body == "single":
        found.records += len(rows)
    elif kind.body == "list" and size > 2:
        room = (size - 2) // kind.record.least
        if kind.record.size is not None:
            found.records += len(rows) * room
            return
        for row in rows.tolist():
            record = snapshot.table.row(row)
            stored = snapshot.store.read(int(record["source"]), int(record["offset"]) + body, 2)
            found.records += min(int.from_bytes(stored, "little"), room)


def time_steps(snapshot: Snapshot) -> dict[str, float | bool | None]:
    """The frames' steps in seconds: `least`, `median`, `greatest`, and whether they are `fixed` (to a microsecond)."""
    with np.errstate(invalid="ignore", over="ignore"):
        steps = np.diff(snapshot.elapsed)
    steps = steps[np.isfinite(steps)]
    if not len(steps):
        return {"least": None, "median": None, "greatest": None, "fixed": None}
    return {
        "least": float(steps.min()),
        "median": float(np.median(steps)),
        "greatest": float(steps.max()),
        "fixed": bool(steps.max() - steps.min() < 1e-6),
    }


def duration(snapshot: Snapshot) -> float:
    """Seconds from the first to the last frame, as the simulator counts them: elapsed of the last frame."""
    return float(snapshot[-1].elapsed) if len(snapshot) else 0.0
