"""Signals as CSV."""

import csv
import io
import math

import numpy as np

from ....format import Dialect
from ....recording import Snapshot
from ....texts import ENGLISH, speaking
from ....views.signal_catalog import title_of
from .series import Trace


def table_of(snapshot: Snapshot, traces: list[Trace], frames: range) -> str:
    """Write the values of signals as CSV; as `cells_of` returns them."""
    heads, rows = cells_of(snapshot, traces, frames)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([heads, *rows])
    return out.getvalue()


def cells_of(snapshot: Snapshot, traces: list[Trace], frames: range) -> tuple[list[str], list[list[str]]]:
    """Return the values of signals as a table.

    Args:
        snapshot: State of the recording.
        traces: The signals.
        frames: Frames that are written.

    Returns:
        Headings, and a row for each frame in which a signal has a value: `frame` from 1, `elapsed` in seconds, exact
        numbers, and empty cells where there is no value.
    """
    table = np.full((len(traces), len(frames)), np.nan)
    headings = ["frame", "frame_id", "elapsed [s]"]
    for index, trace in enumerate(traces):
        table[index] = trace.column(frames)
        headings.append(heading_of(trace, snapshot.dialect))
    elapsed = snapshot.elapsed
    frame_ids = snapshot.frame_column("frame_id")
    rows = []
    for row in np.flatnonzero(~np.isnan(table).all(axis=0)).tolist():
        frame = frames.start + row
        cells = [str(frame + 1), str(int(frame_ids[frame])), repr(float(elapsed[frame]))]
        for value in table[:, row].tolist():
            cells.append("" if math.isnan(value) else repr(value))
        rows.append(cells)
    return headings, rows


def heading_of(trace: Trace, dialect: Dialect) -> str:
    """Return the heading of a signal's column: its title and unit, in English."""
    with speaking(ENGLISH):
        title = title_of(trace.key, dialect)
    if trace.texts.unit:
        return f"{title} [{trace.texts.unit}]"
    return title
