"""How many records of each frame differ from the file, and which."""

from collections.abc import Callable

import numpy as np
import pytest

from recorder_editor import edits
from recorder_editor.progress import SILENT
from recorder_editor.recording import Edit, Place, Recording
from recorder_editor.views.edited_records import EditCounts, EditedRecord, count_edits, edited_records
from recorder_editor.views.timeline_marks import edited_rows

from .. import builders
from ..recording.films import film, opened

POSES = builders.packet(6, builders.position([builders.pose(1), builders.pose(2), builders.pose(3), builders.pose(4)]))
FRAMES = film([POSES], [POSES], [POSES])
AT = Place(1, 1)  # the poses of the second frame


def counted(recording: Recording, before: EditCounts | None = None) -> EditCounts:
    rows = edited_rows(recording.snapshot)
    return count_edits(recording.snapshot, recording.saved, rows, before, SILENT)


def levels(recording: Recording, counts: EditCounts) -> dict[int, int]:
    rows = edited_rows(recording.snapshot)
    heat = counts.heat(rows, recording.snapshot.table.column("key")[rows])
    return dict(zip(heat.frames.tolist(), heat.levels.tolist(), strict=True))


def yaw(recording: Recording, row: int, record: int, value: float) -> Edit:
    return edits.set_field(recording, Place(row, 1, record, "rotation.yaw"), value)


@pytest.mark.parametrize(
    ("edit", "place", "text"),
    [
        (lambda at: yaw(at, 1, 2, 5.0), Place(1, 1, 2, "rotation.yaw"), "rotation yaw of 3"),
        (
            lambda at: edits.set_fields(at, [(Place(1, 1, 0, "location.x"), 1.0), (Place(1, 1, 0, "location.y"), 1.0)]),
            Place(1, 1, 0),
            "Position of 1",
        ),
        (lambda at: edits.delete_record(at, Place(1, 1, 3)), AT, "Position of 4 removed"),
        (lambda at: edits.insert_record(at, Place(1, 1, 4), builders.pose(9)), Place(1, 1, 4), "Position of 9 added"),
        (lambda at: edits.delete_packet(at, AT), Place(1), "Position removed"),
        (
            lambda at: edits.set_frame_start(at, 1, {"duration": 0.1}),
            Place(1, 0, 0, "duration"),
            "duration of FrameStart",
        ),
    ],
    ids=["field", "record", "removed record", "added record", "removed packet", "frame start"],
)
def test_what_was_edited_is_told_with_its_place(edit: Callable[[Recording], Edit], place: Place, text: str) -> None:
    with opened(FRAMES) as recording:
        recording.apply(edit(recording))
        assert edited_records(recording.snapshot, recording.saved, 1) == [EditedRecord(place, text)]
        assert levels(recording, counted(recording)) == {1: 1}


def test_records_are_counted_up_to_three_and_a_new_frame_is_all_new() -> None:
    with opened(FRAMES) as recording:
        for record in range(4):
            recording.apply(yaw(recording, 0, record, 5.0))
        recording.apply(edits.insert_frame(recording, 2, 1))
        assert levels(recording, counted(recording)) == {0: 3, 2: 3}
        assert len(edited_records(recording.snapshot, recording.saved, 0)) == 3
        assert edited_records(recording.snapshot, recording.saved, 2) == []


def test_a_frame_of_a_file_without_frames_is_all_new() -> None:
    with opened(builders.recording()) as recording:
        recording.apply(edits.insert_frame(recording, 0))
        assert levels(recording, counted(recording)) == {0: 3}


def test_a_value_that_is_put_back_is_no_edit() -> None:
    with opened(FRAMES) as recording:
        recording.apply(yaw(recording, 1, 0, 5.0))
        recording.apply(yaw(recording, 1, 0, 0.0))
        assert levels(recording, counted(recording)) == {}


def test_what_was_counted_before_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(FRAMES) as recording:
        recording.apply(yaw(recording, 0, 0, 5.0))
        before = counted(recording)
        recording.apply(yaw(recording, 2, 0, 5.0))
        assert levels(recording, before) == {0: 1, 2: 1}, "weakly marked until it is counted"
        read = []
        snapshot = recording.snapshot
        get = type(snapshot).row
        monkeypatch.setattr(type(snapshot), "row", lambda state, row: read.append(row) or get(state, row))
        counts = counted(recording, before)
        assert set(read) == {2}
        np.testing.assert_array_equal(counts.counts, [1, 1])
