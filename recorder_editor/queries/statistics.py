"""How much of what: packets, bytes and records by type, time steps, actors by class. Reads headers and counts."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..progress import SILENT, Progress
from ..recording.actors import CLASSES, ActorClass, Actors
from ..recording.frames import RAW
from ..recording.packet_headers import heads
from ..recording.snapshot import Snapshot


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
    for number, rows in zip(numbers.tolist(), np.split(order, firsts)[1:], strict=True):
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
    snapshot: Snapshot,
    counts: dict[int, PacketCount],
    number: int,
    body: int,
    size: int,
    rows: np.ndarray[tuple[int], np.dtype[np.intp]],
) -> None:
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


class TimeSteps(NamedTuple):
    """Seconds from frame to frame: None without two times. `fixed`: all the same, to a microsecond."""

    least: float | None = None
    median: float | None = None
    greatest: float | None = None
    fixed: bool | None = None


def time_steps(snapshot: Snapshot) -> TimeSteps:
    """The frames' steps; those that are no number are left out."""
    with np.errstate(invalid="ignore", over="ignore"):
        steps = np.diff(snapshot.elapsed)
    steps = steps[np.isfinite(steps)]
    if not len(steps):
        return TimeSteps()
    least, greatest = float(steps.min()), float(steps.max())
    return TimeSteps(least, float(np.median(steps)), greatest, greatest - least < 1e-6)


def duration(snapshot: Snapshot) -> float:
    """Seconds from the first to the last frame, as the simulator counts them: elapsed of the last frame."""
    return float(snapshot[-1].elapsed) if len(snapshot) else 0.0


@dataclass(frozen=True, slots=True)
class Summary:
    """A recording in numbers.

    Attributes: `frames`, `duration` (s), `steps`, `packets` (by packet id, rising), `classes` (lives of each class, in
    the order of `CLASSES`, those that occur), `collisions` (records), `contacts` (collisions as people count them).
    """

    frames: int
    duration: float
    steps: TimeSteps
    packets: Mapping[int, PacketCount]
    classes: Mapping[ActorClass, int]
    collisions: int
    contacts: int


def summary(snapshot: Snapshot, progress: Progress = SILENT) -> Summary:
    """The numbers of a recording; `progress` as in `Actors.of`."""
    actors = Actors.of(snapshot, progress)
    counted = Counter(life.class_ for life in actors)
    return Summary(
        len(snapshot),
        duration(snapshot),
        time_steps(snapshot),
        dict(sorted(packet_counts(snapshot).items())),
        {each: counted[each] for each in CLASSES if counted[each]},
        len(actors.collisions),
        len(actors.contacts),
    )
