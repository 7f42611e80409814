"""How much of what: packets, bytes and records by type, time steps, file health. Reads headers, not bodies."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..format.codec import decode
from ..recording.frames import RAW, START_SIZE, Layouts
from ..recording.snapshot import Snapshot

LARGEST_BODY_COUNTED = 64 << 20


@dataclass
class PacketCount:
    """Of one packet type: `count` packets, `bytes` of their bodies, `records` in them (0 for opaque bodies)."""

    count: int = 0
    bytes: int = 0
    records: int = 0


def packet_counts(snapshot: Snapshot) -> dict[int, PacketCount]:
    """Counts by packet id over all rows, FrameStart included."""
    counts: dict[int, PacketCount] = {}
    frames = len(snapshot)
    if frames:
        counts[0] = PacketCount(frames, 24 * frames, frames)
    column = snapshot.table.column("layout")
    numbers, times = np.unique(column[column >= 0], return_counts=True)
    for number, rows in zip(numbers.tolist(), times.tolist(), strict=True):
        layout = snapshot.layouts.get(number)
        for one, size in zip(layout.ids.tolist(), layout.sizes.tolist(), strict=True):
            _add(snapshot, counts, one, size, rows)
    for row in np.flatnonzero(column < 0).tolist():
        record = snapshot.table.row(row)
        if record["kind"] != RAW and record["size"] <= LARGEST_BODY_COUNTED:
            data = snapshot.store.read(int(record["source"]), int(record["offset"]), int(record["size"]))
            walked = Layouts.walk(data)
            for one, size in zip(walked.ids.tolist(), walked.sizes.tolist(), strict=True):
                _add(snapshot, counts, one, size, 1)
    for number, records in _counted_one_by_one(snapshot):
        counts[number].records += records
    return counts


def _add(snapshot: Snapshot, counts: dict[int, PacketCount], number: int, size: int, rows: int) -> None:
    found = counts.setdefault(number, PacketCount())
    found.count += rows
    found.bytes += size * rows
    kind = snapshot.dialect.packet(number)
    if kind.body == "single":
        found.records += rows
    elif kind.body == "list" and kind.record.size:
        found.records += rows * ((size - 2) // kind.record.size if size > 2 else 0)


def _counted_one_by_one(snapshot: Snapshot) -> Iterator[tuple[int, int]]:
    """(id, records) of the non-empty bodies whose records differ in length: their counts have to be read."""
    variable = {n for n, kind in snapshot.dialect.packets.items() if kind.body == "list" and kind.record.size is None}
    column = snapshot.table.column("layout")
    for number in np.unique(column[column >= 0]).tolist():
        layout = snapshot.layouts.get(number)
        wanted = [
            (one, at + 5, size)
            for one, at, size in zip(layout.ids.tolist(), layout.offsets.tolist(), layout.sizes.tolist(), strict=True)
            if one in variable and 2 < size <= LARGEST_BODY_COUNTED
        ]
        for row in np.flatnonzero(column == number).tolist() if wanted else ():
            record = snapshot.table.row(row)
            for one, at, size in wanted:
                body = snapshot.store.read(int(record["source"]), int(record["offset"]) + at, size)
                yield one, len(decode(snapshot.dialect.packet(one), body))


def time_steps(snapshot: Snapshot) -> dict[str, float | bool | None]:
    """The frames' steps in seconds: `least`, `median`, `greatest`, and whether they are `fixed` (to a microsecond)."""
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


def bytes_outside_frames(snapshot: Snapshot) -> int:
    """Bytes that belong to no frame."""
    raw = snapshot.table.column("kind") == RAW
    return int(snapshot.table.column("size")[raw].sum())


def frame_bytes(snapshot: Snapshot) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Bytes of every frame as saved, shape (len,)."""
    sizes: np.ndarray[tuple[int], np.dtype[np.int64]] = snapshot.table.column("size")
    frames: np.ndarray[tuple[int], np.dtype[np.int64]] = sizes[snapshot.table.column("kind") != RAW] + START_SIZE
    return frames
