"""Pairs of road users that are near each other, frame after frame, in parts of bounded size."""

from collections.abc import Iterator

import numpy as np

from ..arrays import IntArray, StructuredArray, run_starts
from ..progress import SILENT, Progress
from .events.pairs import Company, Pairs
from .measures import distance
from .measures.conflicts import SLOWEST
from .road_users import RoadUsers

_AT_ONCE = 1 << 18  # pairs of rows of the same frame, near each other or not


def pairs_within(
    users: RoadUsers, metres: float, frames: range | None = None, progress: Progress = SILENT
) -> Iterator[Pairs]:
    """Yield the pairs of road users whose boxes are near each other, and of which at least one moves.

    Left out are two walkers, what is attached to each other, and what is more than 3 m above the other.

    Args:
        users: The road users.
        metres: How far the boxes are apart at most, m.
        frames: Frame indices, rising; None for all.
        progress: Counts frames; raises `Cancelled` when the user stops it.

    Yields:
        Pairs by frame and life, about 262,000 at most, and not less than those of one frame.
    """
    company = Company(users.actors)
    step = 1
    whole = None
    if frames is not None:
        step = frames.step
        whole = range(frames.start, frames.stop)
    for portion, portion_rows in users.portions(progress, frames=whole):
        first = portion.start if whole is None else whole.start
        rows = portion_rows[(portion_rows["frame"] - first) % step == 0]
        for part in _parts(rows):
            progress.check()
            yield _near(Pairs.near(part, company, seconds=0.0, reach=metres), metres)


def _parts(rows: StructuredArray) -> Iterator[StructuredArray]:
    """Yield whole frames of rows, so many that they have about `_AT_ONCE` pairs."""
    if not len(rows):
        return
    heads = np.flatnonzero(run_starts(rows["frame"]))
    counts = np.diff(heads, append=len(rows))
    done: IntArray = np.cumsum(counts * (counts - 1) // 2)
    starts = heads[run_starts(done // _AT_ONCE)].tolist()
    for start, stop in zip(starts, [*starts[1:], len(rows)], strict=True):
        yield rows[start:stop]


def _near(pairs: Pairs, metres: float) -> Pairs:
    a, b = pairs.boxes
    moves = (a.speed >= SLOWEST) | (b.speed >= SLOWEST)
    return pairs.take(np.flatnonzero(moves & (distance(a, b) <= metres)))
