"""Signals as CSV."""

import csv
import io
import math
from pathlib import Path

import numpy as np

from ...recording.atomic_file import atomic_write
from ...recording.snapshot import Snapshot
from .series import Trace


def table_of(snapshot: Snapshot, traces: list[Trace], frames: range) -> str:
    """The values of signals in these frames as CSV: a line for each frame in which one of them has a value.

    `frame` counts from 1, `elapsed` is in seconds; numbers are exact, and nothing stands where there is no value.
    """
    columns = []
    for trace in traces:
        values = np.full(len(frames), np.nan)
        low, high = np.searchsorted(trace.series.frames, (frames.start, frames.stop))
        values[trace.series.frames[low:high] - frames.start] = trace.series.values[low:high]
        columns.append(values)
    table = np.stack(columns) if columns else np.zeros((0, len(frames)))
    elapsed, numbers = snapshot.elapsed, snapshot.frame_column("frame_id")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    units = [f"{trace.title} [{trace.words.unit}]" if trace.words.unit else trace.title for trace in traces]
    writer.writerow(["frame", "frame_id", "elapsed [s]", *units])
    for row in np.flatnonzero(~np.isnan(table).all(axis=0)).tolist():
        frame = frames.start + row
        cells = ["" if math.isnan(value) else repr(value) for value in table[:, row].tolist()]
        writer.writerow([frame + 1, int(numbers[frame]), repr(float(elapsed[frame])), *cells])
    return out.getvalue()


def save_table(path: Path, snapshot: Snapshot, traces: list[Trace], frames: range) -> None:
    """Write the CSV; it appears under its name when it is whole. Raises OSError, `SaveRefused`."""
    with atomic_write(path) as file:
        file.write(table_of(snapshot, traces, frames).encode())
