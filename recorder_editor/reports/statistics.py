"""Statistics of a recording: packets, bytes and records by type, bytes over time, time steps.

Reads packet headers and counts of records, not bodies.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray, IndexArray, IntArray
from ..format import PACKET_HEADER
from ..progress import SILENT, Progress
from ..recording import RAW, START_SIZE, Snapshot
from ..recording.packet_headers import read_headers

Header = tuple[int, int, int]
"""A packet of a row: its id, the offset of its body from the start of the row, the size of its body."""


@dataclass
class PacketCount:
    """Totals of a packet type.

    Attributes:
        count: Packets.
        bytes: Bytes of their bodies.
        records: Records in them; 0 for opaque bodies.
    """

    count: int = 0
    bytes: int = 0
    records: int = 0


def packet_counts(snapshot: Snapshot) -> dict[int, PacketCount]:
    """Return counts by packet id over all rows, FrameStart included.

    Records of fixed size are counted by the size of the body, others by the stored count, at most as many as fit.
    """
    counts: defaultdict[int, PacketCount] = defaultdict(PacketCount)
    frames = len(snapshot)
    if frames:
        counts[0] = PacketCount(frames, 24 * frames, frames)
    for rows, packets in _rows_by_layout(snapshot):
        for number, body, size in packets:
            totals = counts[number]
            totals.count += len(rows)
            totals.bytes += size * len(rows)
            kind = snapshot.dialect.packet(number)
            if kind.body == "single":
                totals.records += len(rows)
            elif kind.body == "list" and size > 2:
                room = (size - 2) // kind.record.least
                if kind.record.size is not None:
                    totals.records += len(rows) * room
                else:
                    totals.records += sum(_stored_counts(snapshot, rows, body, room))
    return dict(counts)


def _rows_by_layout(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[tuple[IndexArray, Iterable[Header]]]:
    """Rows of frames with the same packet headers, and these headers.

    `progress` counts layouts. Frames with too many packets for a layout have their headers read from the file.
    """
    rows = np.flatnonzero(snapshot.table.column("kind") != RAW)
    layouts = snapshot.table.column("layout")[rows]
    order = np.argsort(layouts, kind="stable")
    numbers, firsts = np.unique(layouts[order], return_index=True)
    groups = np.split(rows[order], firsts)[1:]
    for number, members in zip(progress.over(numbers.tolist()), groups, strict=True):
        if number >= 0:
            ids, offsets, sizes = snapshot.layouts.get(number)
            bodies = offsets + PACKET_HEADER.size
            yield members, zip(ids.tolist(), bodies.tolist(), sizes.tolist(), strict=True)
            continue
        for row in members.tolist():
            record = snapshot.table.row(row)
            source = int(record["source"])
            offset = int(record["offset"])
            size = int(record["size"])
            yield np.array([row]), read_headers(snapshot.store, source, offset, size)


def _stored_counts(snapshot: Snapshot, rows: IndexArray, body: int, room: int) -> Iterator[int]:
    """The count of records stored in a packet of each of the rows, at most `room`."""
    for row in rows.tolist():
        record = snapshot.table.row(row)
        offset = int(record["offset"]) + body
        stored = snapshot.store.read(int(record["source"]), offset, 2)
        yield min(int.from_bytes(stored, "little"), room)


class Sizes(NamedTuple):
    """Bytes of packets over the frames, headers included.

    Attributes:
        edges: Indices of the frames at which bins begin, and the end: int64[bins + 1].
        names: Packet types, the largest in all first.
        bytes: Bytes for each frame of a bin: float64[names, bins].
    """

    edges: IntArray
    names: tuple[str, ...]
    bytes: FloatArray


def sizes_over_time(snapshot: Snapshot, bins: int = 400, progress: Progress = SILENT) -> Sizes:
    """Return bytes per frame of each packet type.

    Args:
        snapshot: The recording.
        bins: The most ranges of frames.
        progress: Counts layouts.

    Raises:
        Cancelled: The user cancelled it.
        OSError: The file cannot be read; errors of reading as `Store.read`.
    """
    frames = len(snapshot)
    bins = max(1, min(bins, frames))
    edges = np.linspace(0, frames, bins + 1).astype(np.int64)
    frame_rows = np.flatnonzero(snapshot.table.column("kind") != RAW)
    bin_of_row = np.zeros(snapshot.rows, np.int64)
    bin_of_row[frame_rows] = np.searchsorted(edges, np.arange(frames), side="right") - 1
    totals: defaultdict[str, FloatArray] = defaultdict(lambda: np.zeros(bins))
    totals["FrameStart"] += START_SIZE * np.bincount(bin_of_row[frame_rows], minlength=bins)
    for rows, packets in _rows_by_layout(snapshot, progress):
        counts = np.bincount(bin_of_row[rows], minlength=bins)
        for number, _, size in packets:
            name = snapshot.dialect.packet(number).name
            totals[name] += (size + PACKET_HEADER.size) * counts
    width = np.maximum(np.diff(edges), 1)
    names = tuple(sorted(totals, key=lambda name: -float(totals[name].sum())))
    per_frame = np.array([totals[name] / width for name in names]).reshape(len(names), bins)
    return Sizes(edges, names, per_frame)


class TimeSteps(NamedTuple):
    """Seconds from frame to frame; None without two times.

    Attributes:
        least: The shortest.
        median: The median.
        greatest: The longest.
        fixed: Whether all are equal, to a microsecond.
    """

    least: float | None = None
    median: float | None = None
    greatest: float | None = None
    fixed: bool | None = None


def time_steps(snapshot: Snapshot) -> TimeSteps:
    """Return the time steps of a recording, without those that are not finite."""
    with np.errstate(invalid="ignore", over="ignore"):
        steps = np.diff(snapshot.elapsed)
    steps = steps[np.isfinite(steps)]
    if not len(steps):
        return TimeSteps()
    least = float(steps.min())
    greatest = float(steps.max())
    return TimeSteps(least=least, median=float(np.median(steps)), greatest=greatest, fixed=greatest - least < 1e-6)


def duration(snapshot: Snapshot) -> float:
    """Return the duration in seconds, as the simulator defines it: elapsed of the last frame."""
    if len(snapshot):
        return float(snapshot[-1].elapsed)
    return 0.0
