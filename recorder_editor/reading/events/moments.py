"""The frames about events, and names for files of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...recording.snapshot import Snapshot
from .find import Events

_TOLERANCE = 1e-6  # s: times are sums of floats


class Seconds(NamedTuple):
    """How much of a recording is kept about the worst moment of an event.

    Attributes:
        before: s before it.
        after: s after it.
    """

    before: float
    after: float


def frames_about(snapshot: Snapshot, events: Events, row: int, seconds: Seconds) -> range:
    """Return the frames about the worst moment of an event, see `frames_about_frame`."""
    return frames_about_frame(snapshot, int(events.table["worst"][row]), seconds)


def frames_about_frame(snapshot: Snapshot, frame_index: int, seconds: Seconds) -> range:
    """Return the frames about a moment, as a trim keeps them: the end is not in.

    The frame of that moment always is, and none that lies beyond a frame whose time is none or too far away: times may
    jump back where recordings were put one behind another.
    """
    elapsed = snapshot.elapsed
    begin = float(elapsed[frame_index]) - seconds.before - _TOLERANCE
    end = float(elapsed[frame_index]) + seconds.after - _TOLERANCE
    is_about = (elapsed >= begin) & (elapsed < end)
    before = np.flatnonzero(~is_about[:frame_index])
    after = np.flatnonzero(~is_about[frame_index + 1 :])
    start = int(before[-1]) + 1 if len(before) else 0
    stop = frame_index + 1 + int(after[0]) if len(after) else len(elapsed)
    return range(start, stop)


def moments_about(snapshot: Snapshot, events: Events, seconds: Seconds, path: Path) -> Iterator[tuple[str, range]]:
    """Yield the name of a file for each event, and its frames.

    Args:
        snapshot: The state of the recording.
        events: The events.
        seconds: What is kept about the worst moments.
        path: The file of the recording: the names begin and end as its name does.
    """
    taken: set[str] = set()
    for row, event in enumerate(events.table):
        stem = f"{path.stem}-{events.kind(row).name}-{int(event['worst']) + 1:05}-{events.life(row).actor}"
        name = f"{stem}{path.suffix}"
        if name in taken:
            name = f"{stem}-{row + 1}{path.suffix}"
        taken.add(name)
        yield name, frames_about(snapshot, events, row, seconds)
