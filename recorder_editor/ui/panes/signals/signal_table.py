"""Signals as CSV."""

import csv
import io
import math
from collections.abc import Sequence

import numpy as np

from ....format import Dialect
from ....recording import Snapshot
from ....texts import ENGLISH, speaking
from ....views.signal_catalog import title_of
from .series import Trace


def table_of(snapshot: Snapshot, traces: list[Trace], frames: range) -> str:
    """Write the values of signals as CSV.

    Args:
        snapshot: State of the recording.
        traces: The signals.
        frames: Frames that are written.

    Returns:
        A line for each frame in which a signal has a value: `frame` from 1, `elapsed` in seconds, exact numbers, and
        empty cells where there is no value.
    """
    table = np.full((len(traces), len(frames)), np.nan)
    headings = ["frame", "frame_id", "elapsed [s]"]
    for index, trace in enumerate(traces):
        table[index] = trace.column(frames)
        headings.append(heading_of(trace, snapshot.dialect))
    elapsed = snapshot.elapsed
    frame_ids = snapshot.frame_column("frame_id")
    rows: list[Sequence[object]] = [headings]
    for row in np.flatnonzero(~np.isnan(table).all(axis=0)).tolist():
        frame = frames.start + row
        cells: list[object] = [frame + 1, int(frame_ids[frame]), repr(float(elapsed[frame]))]
        for value in table[:, row].tolist():
            cells.append("" if math.isnan(value) else repr(value))
        rows.append(cells)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def heading_of(trace: Trace, dialect: Dialect) -> str:
    """Return the heading of a signal's column: its title and unit, in English."""
    with speaking(ENGLISH):
        title = title_of(trace.key, dialect)
    if trace.texts.unit:
        return f"{title} [{trace.texts.unit}]"
    return title
