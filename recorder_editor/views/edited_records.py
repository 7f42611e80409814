"""How many records of each frame differ from the file, and which: the heat of the timeline's edits. No widget.

Loaded with the first edit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, StructuredArray
from ..progress import Progress
from ..recording import Frame, Place, Row, Snapshot
from ..reports.diff.packets import Difference, compare_frames
from ..texts import field_title, say
from .saved_rows import row_of_key
from .time_axis import Integers
from .timeline_marks import MOST_HEAT, Heat

_BYTES = ("source", "offset", "size", "kind")
"""Columns of the frame table: where they are the same, a row has the same bytes but for its FrameStart."""

_START = ("stored", "frame_id", "elapsed", "duration")
"""Columns with the values of the FrameStart."""

_FRAMES_BETWEEN_REPORTS = 16


@dataclass(frozen=True, eq=False)
class EditCounts:
    """How many records differ from the file in the edited frames of one state.

    Attributes:
        saved: The state in the file.
        rows: Their rows in the frame table, rising by key, dtype `ROW`.
        counts: How many records differ in each, at most `MOST_HEAT`, int64[n].
    """

    saved: Snapshot
    rows: StructuredArray
    counts: Integers

    def heat(self, frames: Integers, keys: Integers) -> Heat:
        """Return the heat of edited frames; those that were not counted yet are weakly marked.

        Args:
            frames: The frames of any later state, rising, int64[n].
            keys: The keys of their rows, int64[n].
        """
        at, is_counted = _places_of(keys, self.rows["key"])
        levels = np.ones(len(frames), np.int64)
        levels[is_counted] = self.counts[at[is_counted]]
        differs = levels > 0
        return Heat(frames[differs], levels[differs])


def _places_of(keys: Integers, rising: Integers) -> tuple[Integers, BoolArray]:
    """Return where keys are among rising ones, int64[n], and whether they are there, bool[n]."""
    if not len(rising):
        return np.zeros(len(keys), np.int64), np.zeros(len(keys), np.bool_)
    at = np.minimum(rising.searchsorted(keys), len(rising) - 1)
    return at, rising[at] == keys


def count_edits(
    snapshot: Snapshot, saved: Snapshot, rows: Integers, before: EditCounts | None, progress: Progress
) -> EditCounts:
    """Count the records that differ from the file, in each edited frame.

    Args:
        snapshot: State of the recording.
        saved: The state in the file.
        rows: The rows of the edited frames, rising, int64[n].
        before: What was counted of an earlier state: rows that are as they were then are not read again.
        progress: Counts the rows that are read.

    Raises:
        SourceChanged: The file was rewritten meanwhile.
        OSError: It cannot be read.
    """
    records = snapshot.table.rows()[rows]
    order = np.argsort(records["key"])
    records = records[order]
    rows = rows[order]
    counts = np.full(len(rows), MOST_HEAT, np.int64)  # what the file has not is new as a whole
    saved_keys = saved.table.column("key")
    if not len(saved_keys):
        return EditCounts(saved, records, counts)
    saved_order = np.argsort(saved_keys)
    at, is_in_file = _places_of(records["key"], saved_keys[saved_order])
    saved_rows = saved_order[at]
    is_restarted = is_in_file & _are_same(records, saved.table.rows()[saved_rows], _BYTES)
    counts[is_restarted] = 1  # only its FrameStart is another
    is_read = is_in_file & ~is_restarted
    if before is not None and before.saved is saved:
        at, is_known = _places_of(records["key"], before.rows["key"])
        if len(before.rows):
            is_known &= _are_same(records, before.rows[at], (*_BYTES, *_START))
        counts[is_known] = before.counts[at[is_known]]
        is_read &= ~is_known
    for index in progress.over(np.flatnonzero(is_read).tolist(), _FRAMES_BETWEEN_REPORTS):
        frame = snapshot.row(int(rows[index]))
        old_frame = saved.row(int(saved_rows[index]))
        counts[index] = len(list(islice(_changed_records(frame, old_frame), MOST_HEAT)))
    return EditCounts(saved, records, counts)


def _are_same(rows: StructuredArray, others: StructuredArray, columns: tuple[str, ...]) -> BoolArray:
    """Return which rows have the same values as others in some columns, bool[n]."""
    is_same = np.ones(len(rows), np.bool_)
    for column in columns:
        is_same &= rows[column] == others[column]
    return is_same


def _changed_records(frame: Row, old_frame: Row) -> Iterator[list[Difference]]:
    """Yield the differences of each record, or whole packet, that a frame has otherwise than in the file."""
    if not isinstance(frame, Frame) or not isinstance(old_frame, Frame):
        return
    differences = compare_frames(frame, old_frame)
    for _, group in groupby(differences, key=attrgetter("packet_a", "packet_b", "record_a", "record_b")):
        yield list(group)


class EditedRecord(NamedTuple):
    """A record of a frame that is otherwise than in the file.

    Attributes:
        place: Where it is, or the one field of it that differs; of what is gone the packet or the frame.
        text: What it is, such as `rotation yaw of 3932`.
    """

    place: Place
    text: str


def edited_records(snapshot: Snapshot, saved: Snapshot, frame_index: int) -> list[EditedRecord]:
    """Return the first records of a frame that differ from the file, at most `MOST_HEAT`; none of a new frame.

    Raises:
        SourceChanged: The file was rewritten meanwhile.
        OSError: It cannot be read.
    """
    row = snapshot.table.row_of_frame(frame_index)
    old_row = row_of_key(saved, int(snapshot.table.row(row)["key"]), row)
    if old_row is None:
        return []
    changed = islice(_changed_records(snapshot.row(row), saved.row(old_row)), MOST_HEAT)
    return [_edited_record(row, differences) for differences in changed]


def _edited_record(row: int, differences: list[Difference]) -> EditedRecord:
    first = differences[0]
    name = say(first.packet)
    if first.id is not None:
        name = say("{name} of {actor}", name=name, actor=first.id)
    if first.packet_a is None:
        return EditedRecord(Place(row), say("{name} removed", name=name))
    if first.level == "packet":
        return EditedRecord(Place(row, first.packet_a), say("{name} added", name=name))
    if first.level == "record" and first.record_a is None:
        return EditedRecord(Place(row, first.packet_a), say("{name} removed", name=name))
    place = Place(row, first.packet_a, first.record_a)
    if first.level == "record":
        return EditedRecord(place, say("{name} added", name=name))
    if first.level == "field" and len(differences) == 1:
        place = place._replace(field=first.path)
        name = say("{field} of {thing}", field=field_title(first.path), thing=first.id or say(first.packet))
    return EditedRecord(place, name)
