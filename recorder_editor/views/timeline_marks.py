"""What there is to mark: events, edits, problems, lost stretches, and how much each frame holds. Arrays, no widget."""

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


class Gap(NamedTuple):
    """Bytes that belong to no frame, or frames that a repair would leave out: `start` and `stop` on the axis, `row`
    (the first of them), `size` in bytes, `frames_before`, `frames` (0 where there are none)."""

    start: float
    stop: float
    row: int
    size: int
    frames_before: int
    frames: int = 0


@dataclass(frozen=True, eq=False)
class Marks:
    """The marks of one state of a recording.

    Attributes: `events` (by kind: indices into `Actors.events`), `later` (kinds of which something happens after the
    first frame), `edited` (frames that the file holds differently, rising), `gaps`, `weights` (bytes of each frame,
    single peaks taken out).
    """

    events: dict[int, Integers]
    later: frozenset[int]
    edited: Integers
    gaps: tuple[Gap, ...]
    weights: Weights

    @property
    def lost(self) -> tuple[Reals, Reals]:
        """When the gaps begin and end: float64[n] each."""
        both = np.array([gap[:2] for gap in self.gaps], np.float64).reshape(-1, 2)
        return both[:, 0], both[:, 1]


NO_MARKS = Marks({}, frozenset(), np.zeros(0, np.int64), (), np.zeros(0, np.float32))


def marks_of(snapshot: Snapshot, actors: Actors, axis: Axis, *, is_modified: bool) -> Marks:
    """Everything but the problems, which are found later."""
    kinds = actors.events["kind"]
    events = {}
    for kind in range(len(EVENT_KINDS)):
        events[kind] = np.flatnonzero(kinds == kind)
    frames = actors.events["frame_index"]
    later = frozenset(kind for kind, where in events.items() if bool((frames[where] > 0).any()))
    table = snapshot.table
    raw = table.raw_rows
    edited = np.zeros(0, np.int64)
    if is_modified:
        rows = np.setdiff1d(table.edited_rows, raw, assume_unique=True)
        edited = rows - raw.searchsorted(rows)
    sizes = table.column("size")
    weights = (np.delete(sizes, raw) if len(raw) else sizes).astype(np.float32)
    return Marks(events, later, edited, _gaps(raw, sizes, axis), _smooth(weights))


def _gaps(rows: Integers, sizes: Integers, axis: Axis) -> tuple[Gap, ...]:
    """Raw rows as gaps, those beside one another as one; each reaches over the time that has no frames."""
    if not len(rows) or not len(axis.times):
        return ()
    before, first = np.unique(rows - np.arange(len(rows)), return_index=True)
    bytes_lost = np.add.reduceat(sizes[rows], first)
    if len(axis.times) > 1:
        step = float(np.median(np.diff(axis.times)))
    else:
        step = 0.0
    gaps: list[Gap] = []
    both = zip(before.tolist(), rows[first].tolist(), bytes_lost.tolist(), strict=True)
    for frames, row, size in list(both)[:_MOST_GAPS]:
        if frames < len(axis.times):
            stop = float(axis.times[frames])
        else:
            stop = axis.last
        if frames:
            start = min(float(axis.times[frames - 1]) + step, stop)
        else:
            start = stop
        gaps.append(Gap(start, stop, row, size, frames))
    return tuple(gaps)


def with_lost(marks: Marks, snapshot: Snapshot, lost: Sequence[range], axis: Axis) -> Marks:
    """The marks with frames that would be left out as gaps, too."""
    if not lost or not len(axis.times):
        return marks
    gaps = list(marks.gaps)
    for frames in lost:
        row = snapshot.table.row_of_frame(frames.start)
        last = snapshot.table.row_of_frame(frames.stop - 1)
        size = snapshot.position(last + 1) - snapshot.position(row)
        start, stop = float(axis.times[frames.start]), axis.end_of(frames.stop - 1)
        gaps.append(Gap(start, stop, row, size, frames.start, len(frames)))
    return replace(marks, gaps=tuple(sorted(gaps)))


def _smooth(values: Weights) -> Weights:
    """Each value replaced by the middle one of itself and its neighbours."""
    if len(values) < 3:
        return values
    before = values[:-2]
    here = values[1:-1]
    after = values[2:]
    middle = np.maximum(np.minimum(before, here), np.minimum(np.maximum(before, here), after))
    return np.concatenate([values[:1], middle, values[-1:]])


@dataclass(frozen=True, eq=False)
class Problems:
    """Errors and warnings that name a frame. Attributes: `frames`, `is_error`, `which` (indices of the findings)."""

    frames: Integers
    is_error: np.ndarray[tuple[int], np.dtype[np.bool_]]
    which: Integers


def problems_of(findings: Sequence[Finding]) -> Problems:
    """Where the checks found something."""
    named = []
    for index, finding in enumerate(findings):
        if finding.frame_index is not None and finding.severity != "info":
            named.append((finding.frame_index, finding.severity == "error", index))
    table = np.array(named, np.int64).reshape(-1, 3)
    return Problems(table[:, 0], table[:, 1].astype(np.bool_), table[:, 2])
