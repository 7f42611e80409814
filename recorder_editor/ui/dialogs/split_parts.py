"""The files that a split would write: names, frames, sizes; and writing them. Knows no widget."""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...arrays import IntArray
from ...edits.segments import Segment, chosen, file_names
from ...edits.trim import boundary_frame, part, parts_of_bytes, parts_of_frames, parts_of_seconds
from ...errors import EditError, say
from ...progress import Progress
from ...recording import RAW, START_SIZE, Snapshot
from ...recording.save import save_copies

BY_SECONDS, BY_FRAMES, BY_BYTES, BY_SEGMENTS = range(4)
MOST_PARTS = 1_000
MB = 1_000_000


class Part(NamedTuple):
    """One file that would be written: its `frames`, how long it plays (`seconds`), how many bytes (`size`)."""

    name: str
    frames: range
    seconds: float
    size: int


def parts_of(
    snapshot: Snapshot, path: Path, means: int, value: Any, segments: Sequence[Segment], progress: Progress
) -> list[Part]:
    """The parts, named as the recording at `path` with a number, and segments by a pattern.

    Raises `EditError`, `Cancelled`.
    """
    found: list[range] = []
    names: list[str] = []
    if means == BY_SEGMENTS:
        on = chosen(segments)
        found, names = [each.frames for each in on], file_names(on, path, value)
    elif means == BY_SECONDS:
        found = parts_of_seconds(snapshot, value)
    elif means == BY_FRAMES:
        found = parts_of_frames(snapshot, int(value))
    else:
        for frames in parts_of_bytes(snapshot, round(value * MB)):
            found.append(frames)
            progress.check()
            if len(found) > MOST_PARTS:
                break
    if len(found) > MOST_PARTS:
        raise EditError(say("ui.too_many_parts", most=MOST_PARTS))
    digits = max(3, len(str(len(found))))
    names = names or [f"{path.stem}-{number:0{digits}}{path.suffix}" for number in range(1, len(found) + 1)]
    elapsed, table = snapshot.elapsed, snapshot.table
    ends = np.cumsum(np.append(0, table.column("size")[table.column("kind") != RAW] + START_SIZE))
    parts: list[Part] = []
    for name, frames in zip(names, found, strict=True):
        progress.update(len(parts), len(found))
        seconds = float(elapsed[frames.stop - 1] - elapsed[frames.start])
        parts.append(Part(name, frames, seconds, _size(snapshot, ends, frames)))
    return parts


def _size(snapshot: Snapshot, ends: IntArray, frames: range) -> int:
    """Bytes of a part as a file."""
    first, told = frames.start, 0
    if first:
        first, told = first + 1, len(boundary_frame(snapshot, first, None))
    return told + int(ends[frames.stop] - ends[first]) + len(snapshot.header_bytes)


def write_parts(snapshot: Snapshot, parts: Sequence[Part], folder: Path, progress: Progress) -> int:
    """Write the parts; returns how many. Raises what `save_copies` raises, and leaves no part that is new then."""
    total = max(1, sum(one.size for one in parts))
    job = progress
    starts = accumulate((one.size for one in parts), initial=0)
    save_copies(
        folder,
        (
            (one.name, part(snapshot, one.frames), job.part(start / total, (start + one.size) / total))
            for one, start in zip(parts, starts, strict=False)
        ),
    )
    return len(parts)
