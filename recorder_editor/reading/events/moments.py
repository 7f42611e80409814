"""The frames about events, and names for files of them."""

from collections.abc import Iterator
from pathlib import Path

from ...recording.snapshot import Snapshot
from .find import Events


def frames_about(snapshot: Snapshot, events: Events, row: int, seconds: float) -> range:
    """Return the frames so many seconds before and after the worst moment of an event."""
    worst = float(snapshot.elapsed[events.table["worst"][row]])
    return range(snapshot.frame_at_time(worst - seconds), snapshot.frame_at_time(worst + seconds) + 1)


def moments_about(snapshot: Snapshot, events: Events, seconds: float, path: Path) -> Iterator[tuple[str, range]]:
    """Yield the name of a file for each event, and its frames.

    Args:
        snapshot: The state of the recording.
        events: The events.
        seconds: Seconds before and after the worst moment.
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
