"""The marks of the timeline: events, edits, problems, gaps, and the size of each frame. Arrays, no widget."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..reading import Actors
from ..reading.actors import EVENT_KINDS
from ..recording import Finding, Snapshot
from .time_axis import Axis, Integers, Reals

BORN, GONE, PARENT, COLLISION, DOOR, PHYSICS, SCENE_LIGHT, LIGHT_TIMES, WEATHER = range(len(EVENT_KINDS))
_MOST_GAPS = 4000
Weights = np.ndarray[tuple[int], np.dtype[np.float32]]


MOST_HEAT = 3
"""So many records, and more of them, are the strongest heat."""


class Heat(NamedTuple):
    """Frames, and how strongly each is marked.

    Attributes:
        frames: The frames, rising, int64[n].
        levels: From 1 to `MOST_HEAT`, int64[n].
    """

    frames: Integers
    levels: Integers


NO_HEAT = Heat(np.zeros(0, np.int64), np.zeros(0, np.int64))


class Gap(NamedTuple):
    """Bytes that belong to no frame, or frames that a repair would leave out.

    Attributes:
        start: Moment at which it begins, on the axis.
        stop: Moment at which it ends.
        row: First row of the frame table.
        size: Number of bytes.
        frames_before: Number of frames before it.
        frames: Number of frames that would be left out.
    """

    start: float
    stop: float
    row: int
    size: int
    frames_before: int
    frames: int = 0


@dataclass(frozen=True, eq=False)
class Marks:
    """The marks of one state of a recording.

    Attributes:
        events: Indices into `Actors.events`, by kind.
        later: Kinds that have an event after the first frame.
        edited: Frames that differ from the file, rising, int64[n].
        edited_keys: The keys of their rows in the frame table, int64[n].
        gaps: Gaps, rising.
        weights: Bytes of each frame, without single peaks, float32[n].
    """

    events: dict[int, Integers]
    later: frozenset[int]
    edited: Integers
    edited_keys: Integers
    gaps: tuple[Gap, ...]
    weights: Weights

    @property
    def lost(self) -> tuple[Reals, Reals]:
        """Moments at which the gaps begin and end, float64[n] each."""
        spans = np.array([(gap.start, gap.stop) for gap in self.gaps], np.float64).reshape(-1, 2)
        return spans[:, 0], spans[:, 1]


NO_MARKS = Marks(
    events={},
    later=frozenset(),
    edited=np.zeros(0, np.int64),
    edited_keys=np.zeros(0, np.int64),
    gaps=(),
    weights=np.zeros(0, np.float32),
)


def edited_rows(snapshot: Snapshot) -> Integers:
    """Return the rows of the frames that were edited since the file was read, rising, int64[n]."""
    table = snapshot.table
    rows: Integers = np.setdiff1d(table.edited_rows, table.raw_rows, assume_unique=True)
    return rows


def marks_of(snapshot: Snapshot, actors: Actors, axis: Axis, *, is_modified: bool) -> Marks:
    """Return the marks of a state; problems are found later.

    Args:
        snapshot: State of the recording.
        actors: Actors of that state.
        axis: Its time axis.
        is_modified: Whether it differs from the file.
    """
    kinds = actors.events["kind"]
    frames = actors.events["frame_index"]
    events = {}
    later = set()
    for kind in range(len(EVENT_KINDS)):
        indices = np.flatnonzero(kinds == kind)
        events[kind] = indices
        if (frames[indices] > 0).any():
            later.add(kind)
    table = snapshot.table
    raw_rows = table.raw_rows
    edited = np.zeros(0, np.int64)
    edited_keys = edited
    if is_modified:
        rows = edited_rows(snapshot)
        edited = rows - raw_rows.searchsorted(rows)
        edited_keys = table.column("key")[rows]
    sizes = table.column("size")
    frame_sizes = sizes
    if len(raw_rows):
        frame_sizes = np.delete(sizes, raw_rows)
    return Marks(
        events=events,
        later=frozenset(later),
        edited=edited,
        edited_keys=edited_keys,
        gaps=_gaps(raw_rows, sizes, axis),
        weights=_smooth(frame_sizes.astype(np.float32)),
    )


def _gaps(rows: Integers, sizes: Integers, axis: Axis) -> tuple[Gap, ...]:
    """Return raw rows as gaps, neighbours as one; each reaches over the time that has no frames.

    Args:
        rows: Raw rows, rising.
        sizes: Bytes of all rows.
        axis: The time axis.
    """
    if not len(rows) or not len(axis.times):
        return ()
    # Neighbours have the same number of frames before them.
    frames_before, first = np.unique(rows - np.arange(len(rows)), return_index=True)
    bytes_lost = np.add.reduceat(sizes[rows], first)
    step = 0.0
    if len(axis.times) > 1:
        step = float(np.median(np.diff(axis.times)))
    gaps: list[Gap] = []
    shown = slice(_MOST_GAPS)
    values = zip(frames_before[shown].tolist(), rows[first][shown].tolist(), bytes_lost[shown].tolist(), strict=True)
    for frames, row, size in values:
        stop = axis.last
        if frames < len(axis.times):
            stop = float(axis.times[frames])
        start = stop
        if frames:
            start = min(float(axis.times[frames - 1]) + step, stop)
        gaps.append(Gap(start=start, stop=stop, row=row, size=size, frames_before=frames))
    return tuple(gaps)


def with_lost(marks: Marks, snapshot: Snapshot, lost: Sequence[range], axis: Axis) -> Marks:
    """Return marks with further gaps.

    Args:
        marks: Marks of a state.
        snapshot: That state.
        lost: Spans of frames that a repair would leave out.
        axis: The time axis.
    """
    if not lost or not len(axis.times):
        return marks
    gaps = list(marks.gaps)
    for frames in lost:
        row = snapshot.table.row_of_frame(frames.start)
        last = snapshot.table.row_of_frame(frames.stop - 1)
        gaps.append(
            Gap(
                start=float(axis.times[frames.start]),
                stop=axis.end_of(frames.stop - 1),
                row=row,
                size=snapshot.position(last + 1) - snapshot.position(row),
                frames_before=frames.start,
                frames=len(frames),
            )
        )
    return replace(marks, gaps=tuple(sorted(gaps)))


def marks_apart(xs: Reals, apart: float, low: float, high: float) -> Integers:
    """Return which of several marks are drawn where those that are nearer to a worse one than a distance are not.

    Args:
        xs: Where the marks are, pixels, the worst one first.
        apart: The distance, pixels.
        low: The left end of what is in view, pixels; what is not in view hides nothing.
        high: The right end.

    Returns:
        Their indices, rising.
    """
    left = np.flatnonzero((xs >= low) & (xs <= high))
    drawn = []
    while len(left):  # once for each that is drawn, for which there is not much room
        worst = left[0]
        drawn.append(worst)
        left = left[np.abs(xs[left] - xs[worst]) >= apart]
    return np.array(drawn, np.int64)


def _smooth(values: Weights) -> Weights:
    """Replace each value by the median of itself and its neighbours."""
    if len(values) < 3:
        return values
    before = values[:-2]
    here = values[1:-1]
    after = values[2:]
    middle = np.maximum(np.minimum(before, here), np.minimum(np.maximum(before, here), after))
    return np.concatenate([values[:1], middle, values[-1:]])


@dataclass(frozen=True, eq=False)
class Problems:
    """Errors and warnings that name a frame.

    Attributes:
        frames: Frame indices, int64[n].
        is_error: Whether it is an error, bool[n].
        findings: Indices of the findings, int64[n].
    """

    frames: Integers
    is_error: np.ndarray[tuple[int], np.dtype[np.bool_]]
    findings: Integers


def problems_of(findings: Sequence[Finding]) -> Problems:
    """Return the errors and warnings among findings that name a frame."""
    rows = []
    for index, finding in enumerate(findings):
        if finding.frame_index is not None and finding.severity != "info":
            rows.append((finding.frame_index, finding.severity == "error", index))
    table = np.array(rows, np.int64).reshape(-1, 3)
    return Problems(frames=table[:, 0], is_error=table[:, 1].astype(np.bool_), findings=table[:, 2])
