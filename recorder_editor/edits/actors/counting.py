"""The number of records of some lives."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...progress import SILENT, Progress
from ...recording.blocks import blocks
from ...recording.lives import Life
from ..place import RecordingLike
from ..uniform_frames import Patterns
from .id_spans import event_dels, id_span_of
from .rewrite import RecordMatcher


class RecordCount(NamedTuple):
    """Number of records, and of frames with such records."""

    records: int
    frames: int


def count_records(recording: RecordingLike, lives: Sequence[Life], *, progress: Progress = SILENT) -> RecordCount:
    """Count the records of all packets that name one of these lives. Raises `Cancelled`."""
    snapshot = recording.snapshot
    if not lives:
        return RecordCount(0, 0)
    id_spans = [id_span_of(snapshot, life) for life in lives]
    matcher, patterns = RecordMatcher(id_spans), Patterns(snapshot.dialect.packet)
    start, stop = min(id_span.first for id_span in id_spans), max(id_span.last for id_span in id_spans) + 1
    exact = [life.added.row for life in lives] + [place.row for place in event_dels(snapshot, lives).values()]
    number, rows = len(exact), set(exact)
    for block in blocks(snapshot, start, stop):
        for uniform in patterns.groups(block, np.arange(len(block))):
            progress.check()
            for _, mask in matcher.of(uniform):
                number += int(mask.sum())
                rows.update((uniform.rows[mask.any(axis=1)] + block.first).tolist())
        progress.update(block.first + len(block) - start, stop - start)
    return RecordCount(number, len(rows))
