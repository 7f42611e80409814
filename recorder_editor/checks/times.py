"""Time: ids that count from 1, seconds that rise from 0, and frames that last until the next one.

These values stand in the frame table, so a million frames are three comparisons. What the replayer makes of them is
said by the replay model; here is what no recorder writes.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..edits import order_times
from ..edits.times import shift
from ..recording.findings import Finding
from ..recording.history import Edit
from ..recording.snapshot import Snapshot
from .rule import Rule, runs

_CLOSE = 1e-3  # s: real recordings hold to 1e-12, sums of other writers' floats to a few microseconds


def in_order(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that puts all ids and times of a recording in order; it mends every finding of its kind at once."""
    return order_times(snapshot)


def to_zero(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit after which time begins at 0; where the first elapsed is no number, times are put in order."""
    first = float(snapshot.elapsed[0])
    return shift(snapshot, -first) if np.isfinite(first) else order_times(snapshot)


FRAME_IDS = Rule(
    "frame-ids",
    "warning",
    "Frame ids do not count 1, 2, 3.",
    "The simulator does not use them, but its reports print them, and people and programs take them for the frame's "
    "number.",
    "time",
    in_order,
    "Put ids and times in order",
)
TIME_BACK = Rule(
    "time-goes-back",
    "warning",
    "Elapsed seconds do not rise, or are no number.",
    "The simulator runs forward through the file: a frame that lies before the time already reached is skipped. The "
    "elapsed of the last frame is the length of the replay.",
    "time",
    in_order,
    "Put ids and times in order",
)
DURATION = Rule(
    "duration-differs",
    "warning",
    "A frame does not last until the next one begins.",
    "The simulator shows a frame from its elapsed for as long as its duration. Where that ends early, positions are "
    "stretched beyond the frame; where it ends late, the next frame is partly skipped.",
    "time",
    in_order,
    "Put ids and times in order",
)

RULES = (FRAME_IDS, TIME_BACK, DURATION)


def found(snapshot: Snapshot) -> Iterator[Finding]:
    """What is wrong with the times; one finding for each run of frames."""
    frames = len(snapshot)
    if not frames:
        return
    ids, elapsed = snapshot.frame_column("frame_id").astype(np.uint64), snapshot.elapsed
    duration = snapshot.frame_column("duration")
    wrong = ids != np.arange(1, frames + 1, dtype=np.uint64)
    if wrong.any():
        at, number = int(np.argmax(wrong)), int(np.count_nonzero(wrong))
        others = f", and {number - 1:,} more have other ids than their number" if number > 1 else ""
        message = f"Frame {at + 1:,} has the id {int(ids[at])}{others}."
        yield FRAME_IDS.found_in_frame(snapshot, at, message)
    with np.errstate(all="ignore"):
        back = ~np.isfinite(elapsed)
        back[1:] |= np.isfinite(elapsed[:-1]) & ~(elapsed[1:] > elapsed[:-1])
        left = elapsed[1:] - elapsed[:-1] - duration[:-1]
        # Frames that are never shown, and times that go back, are told by rules of their own.
        differs = (np.abs(left) > _CLOSE) & (duration[:-1] > 0) & (elapsed[1:] > elapsed[:-1])
    for at, number in runs(back):
        yield TIME_BACK.found_in_frame(snapshot, at, _back(elapsed, at, number))
    for at, number in runs(differs):
        gap = float(elapsed[at + 1]) - float(elapsed[at])
        more = f"; so do the {number - 1:,} frames after it" if number > 1 else ""
        message = f"Frame {at + 1:,} lasts {duration[at]:g} s, but the next one begins {gap:g} s later{more}."
        yield DURATION.found_in_frame(snapshot, at, message)


def _back(elapsed: np.ndarray[tuple[int], np.dtype[np.float64]], at: int, number: int) -> str:
    more = f" The {number - 1:,} frames after it do not rise either." if number > 1 else ""
    if not np.isfinite(elapsed[at]):
        return f"Frame {at + 1:,} has an elapsed of {elapsed[at]}, which is no time.{more}"
    return (
        f"Frame {at + 1:,} is at {elapsed[at]:g} s, which is not after frame {at:,} at {elapsed[at - 1]:g} s: the "
        f"simulator may skip it.{more}"
    )
