"""Split: the frames of each part, and each part as a state that replays alone."""

import math
from collections.abc import Iterator

import numpy as np

from ..errors import EditError
from ..recording.frames import RAW, START_SIZE
from ..recording.snapshot import Snapshot
from .boundary_frame import boundary_frame
from .place import RecordingLike
from .trim import trim


def parts_of_seconds(recording: RecordingLike, seconds: float) -> list[range]:
    """Parts (frame indices) that begin every so many seconds. Raises `EditError`."""
    snapshot = recording.snapshot
    _refuse_empty(snapshot)
    if not (math.isfinite(seconds) and seconds > 0):
        raise EditError(f"A part cannot last {seconds:g} s; the time is a number above 0.")
    elapsed = snapshot.elapsed
    if not (elapsed[1:] >= elapsed[:-1]).all() or not np.isfinite(elapsed).all():
        raise EditError("Time does not rise in this recording; split it by frames instead.")
    # A tolerance of a microsecond: elapsed is a sum of floats.
    with np.errstate(over="ignore"):
        numbers = np.floor((elapsed - elapsed[:1] + 1e-6) / seconds)
    if not np.isfinite(numbers).all():
        raise EditError(f"The recording is too long to be split every {seconds:g} s; split it by frames instead.")
    return _ranges(np.flatnonzero(np.diff(numbers, prepend=-1.0)).tolist(), len(elapsed))


def parts_of_frames(recording: RecordingLike, frames: int) -> list[range]:
    """Parts of `frames` frames; the last one may be shorter. Raises `EditError`."""
    _refuse_empty(recording.snapshot)
    if frames < 1:
        raise EditError(f"A part cannot have {frames} frames.")
    number = len(recording.snapshot)
    return _ranges(list(range(0, number, frames)), number)


def parts_of_bytes(recording: RecordingLike, size: int) -> Iterator[range]:
    """The longest parts of at most `size` bytes as files. Raises `EditError` if that is too small for a frame."""
    snapshot = recording.snapshot
    _refuse_empty(snapshot)
    positions = _positions(snapshot)
    first = 0
    while first < len(snapshot):
        # Bytes before the second frame: the header, and the first frame with the state of the world.
        opening = len(boundary_frame(snapshot, first, None)) if first else int(positions[1] - positions[0])
        limit = size - len(snapshot.header_bytes) - opening + int(positions[first + 1])
        stop = int(np.searchsorted(positions, limit, side="right")) - 1
        if stop <= first:
            least = len(snapshot.header_bytes) + opening
            raise EditError(
                f"Frame {first + 1} alone, with all living actors, takes {least:,} bytes; parts of {size:,} bytes "
                "are too small.",
                frame=first + 1,
            )
        yield range(first, stop)
        first = stop


def part(recording: RecordingLike, frames: range) -> Snapshot:
    """The state with these frames alone. Raises `EditError`."""
    snapshot = recording.snapshot
    return snapshot if len(frames) == len(snapshot) else snapshot.after(trim(snapshot, frames))


def _refuse_empty(snapshot: Snapshot) -> None:
    if not len(snapshot):
        raise EditError("The recording has no frames; there is nothing to split.")


def _ranges(starts: list[int], end: int) -> list[range]:
    return [range(start, stop) for start, stop in zip(starts, [*starts[1:], end], strict=True)]


def _positions(snapshot: Snapshot) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The offset of each frame and of the end, without bytes outside of frames."""
    table = snapshot.table
    sizes = table.column("size")[table.column("kind") != RAW] + START_SIZE
    return np.concatenate(([0], np.cumsum(sizes)))
