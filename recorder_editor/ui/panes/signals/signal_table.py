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
    """The values of signals in these frames as CSV: a line for each frame in which one of them has a value.

    `frame` counts from 1, `elapsed` is in seconds; numbers are exact, and nothing stands where there is no value.
    """
    columns = [trace.column(frames) for trace in traces]
    if columns:
        table = np.stack(columns)
    else:
        table = np.zeros((0, len(frames)))
    elapsed = snapshot.elapsed
    numbers = snapshot.frame_column("frame_id")
    headings = [heading_of(trace, snapshot.dialect) for trace in traces]
    rows: list[Sequence[object]] = [["frame", "frame_id", "elapsed [s]", *headings]]
    for row in np.flatnonzero(~np.isnan(table).all(axis=0)).tolist():
        frame = frames.start + row
        cells = []
        for value in table[:, row].tolist():
            cells.append("" if math.isnan(value) else repr(value))
        rows.append([frame + 1, int(numbers[frame]), repr(float(elapsed[frame])), *cells])
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def heading_of(trace: Trace, dialect: Dialect) -> str:
    """A signal as the heading of a column: its title and unit, in English."""
    with speaking(ENGLISH):
        title = title_of(trace.key, dialect)
    if trace.words.unit:
        return f"{title} [{trace.words.unit}]"
    return title
