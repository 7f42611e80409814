"""The actors of which records meet the condition of a query."""

from collections import Counter

import numpy as np

from ...progress import SILENT, Progress
from ...recording.snapshot import Snapshot
from ..tracks import Tracks
from .query import Query
from .records import TrackRecords


def find_matching_actors(
    query: Query, snapshot: Snapshot, frames: range | None = None, progress: Progress = SILENT
) -> list[int]:
    """Find the actors that meet the condition of a query in at least one frame.

    Args:
        query: A query of a packet that is recorded for each actor, with records of one size.
        snapshot: The state of the recording.
        frames: Indices of the frames that are meant; None: all.
        progress: Counts frames.

    Returns:
        Their ids: those that meet it in the most frames come first, of as many the lower ids.

    Raises:
        ExpressionError: The condition asks for lanes, and no road map is known.
        Cancelled: The progress was cancelled.
    """
    query.need_map(snapshot)
    counts: Counter[int] = Counter()
    for block in Tracks(snapshot).blocks(query.kind.name, frames=frames, progress=progress):
        is_match = query.mask(TrackRecords(query.kind, block, snapshot), block.shape)
        ids, numbers = np.unique(block["id"][is_match], return_counts=True)
        counts.update(dict(zip(ids.tolist(), numbers.tolist(), strict=True)))
    return sorted(counts, key=lambda actor: (-counts[actor], actor))
