"""Signals as CSV."""

import csv
import io
import math
from pathlib import Path

import numpy as np

from ...recording.atomic_file import atomic_write
from ...recording.snapshot import Snapshot
from .reading import Integers, Reals
from .series import Trace


def table_of(snapshot: Snapshot, traces: list[Trace], frames: range) -> str:
    """The values of signals in these frames as CSV: a line for each frame in which one of them has a value.

    `frame` counts from 1, `elapsed` is in seconds; numbers are exact, and nothing stands where there is no value.
    """
    columns = [trace.column(frames) for trace in traces]
    table = np.stack(columns) if columns else np.zeros((0, len(frames)))
    elapsed, numbers = snapshot.elapsed, snapshot.frame_column("frame_id")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["frame", "frame_id", "elapsed [s]", *(heading_of(trace) for trace in traces)])
    for row in np.flatnonzero(~np.isnan(table).all(axis=0)).tolist():
        frame = frames.start + row
        cells = ["" if math.isnan(value) else repr(value) for value in table[:, row].tolist()]
        writer.writerow([frame + 1, int(numbers[frame]), repr(float(elapsed[frame])), *cells])
    return out.getvalue()


def histogram_table(trace: Trace, edges: Reals, counts: Integers) -> str:
    """The bins of a histogram as CSV: where each begins and ends, and how many frames have a value in it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([f"{heading_of(trace)} from", "to", "frames"])
    for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True):
        writer.writerow([repr(low), repr(high), count])
    return out.getvalue()


def heading_of(trace: Trace) -> str:
    """A signal as the heading of a column: its title and unit."""
    return f"{trace.title} [{trace.words.unit}]" if trace.words.unit else trace.title


def save_text(path: Path, text: str) -> None:
    """Write a text; it appears under its name when it is whole. Raises OSError, `SaveRefused`."""
    with atomic_write(path) as file:
        file.write(text.encode())
