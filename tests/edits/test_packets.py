"""Adding, removing, copying and moving packets, records and frames."""

from collections.abc import Callable

import pytest

from recorder_editor import edits
from recorder_editor.api import Recording, open_recording
from recorder_editor.edits import Place
from recorder_editor.errors import EditError
from recorder_editor.recording.history import Edit

from .. import builders as b
from .conftest import FRAMES, frame, poses, saved

POSITION = Place(1, 2, 1)


def rebuilt(*frames: bytes) -> bytes:
    return b.recording(*frames)


def test_deleting_a_record_lowers_the_count(recording: Recording) -> None:
    recording.apply(edits.delete_record(recording, POSITION))
    body = recording[1].packets[2]
    assert body.body == b.position(poses(2, (7,)))


def test_inserting_duplicating_and_moving_records_keeps_the_others(recording: Recording) -> None:
    recording.apply(edits.duplicate_record(recording, POSITION))
    recording.apply(edits.move_record(recording, Place(1, 2, 2), 0))
    recording.apply(edits.insert_record(recording, Place(1, 2, None), b.pose(11)))
    assert recording[1].packets[2].array["id"].tolist() == [9, 7, 9, 11]
    for _ in range(3):
        recording.undo()
    assert saved(recording) == rebuilt(*FRAMES)


def test_a_packet_finds_its_place_in_the_recorders_order(recording: Recording) -> None:
    recording.apply(edits.insert_packet(recording, Place(1), 5))
    assert [packet.id for packet in recording[1]] == [0, 2, 5, 6, 12, 77, 1]
    recording.apply(edits.insert_packet(recording, Place(1), 200, b"mine"))
    assert [packet.id for packet in recording[1]] == [0, 2, 5, 6, 12, 77, 200, 1]


def test_packets_are_deleted_duplicated_and_moved(recording: Recording) -> None:
    recording.apply(edits.delete_packet(recording, Place(1, 1)))
    recording.apply(edits.duplicate_packet(recording, Place(1, 1)))
    recording.apply(edits.move_packet(recording, Place(1, 1), 3))
    assert [packet.id for packet in recording[1]] == [0, 6, 12, 6, 77, 1]


@pytest.mark.parametrize(
    "make",
    [
        lambda r: edits.delete_packet(r, Place(1, 0)),
        lambda r: edits.delete_packet(r, Place(1, 5)),
        lambda r: edits.insert_packet(r, Place(1, 0), 6),
        lambda r: edits.move_packet(r, Place(1, 2), 0),
        lambda r: edits.delete_record(r, Place(1, 2, 2)),
        lambda r: edits.delete_record(r, Place(1, 9, 0)),
        lambda r: edits.delete_rows(r, 2, 2),
        lambda r: edits.insert_record(r, Place(1, 4, None), b"x"),
    ],
)
def test_what_would_break_the_frame_or_is_not_there_is_refused(
    recording: Recording, make: Callable[[Recording], Edit]
) -> None:
    with pytest.raises(EditError):
        make(recording)


def test_a_count_does_not_wrap(recording: Recording) -> None:
    recording.apply(edits.replace_body(recording, Place(1, 2), b.u16(65535) + bytes(28 * 65535)))
    with pytest.raises(EditError, match="65,535"):
        edits.duplicate_record(recording, Place(1, 2, 0))


def test_attributes_are_replaced_with_the_whole_record(recording: Recording) -> None:
    record = recording[0].packets[1].records[0]
    record["attributes"] = [{"type": 3, "id": "role_name", "value": "hero"}]
    recording.apply(edits.replace_record(recording, Place(0, 1, 0), record))
    assert recording[0].packets[1].records[0]["attributes"] == record["attributes"]
    assert recording[0].packets[1].decoded.damage is None


def test_frames_are_deleted_and_copied(recording: Recording) -> None:
    recording.apply(edits.delete_rows(recording, 0))
    assert saved(recording) == rebuilt(*FRAMES[1:])
    recording.apply(edits.insert_frame(recording, 0, copy_of=1))
    assert saved(recording) == rebuilt(FRAMES[2], FRAMES[1], FRAMES[2])
    recording.apply(edits.insert_frame(recording, 3))
    assert len(recording) == 4
    assert [packet.id for packet in recording[3]] == [0, 1]


def test_the_table_says_what_the_bytes_say_after_every_edit(recording: Recording, tmp_path: object) -> None:
    recording.apply(edits.delete_record(recording, POSITION))
    recording.apply(edits.insert_frame(recording, 1, copy_of=0))
    path = recording.path.with_name("copy.log")
    path.write_bytes(saved(recording))
    with open_recording(path) as again:
        for ours, theirs in zip(recording, again, strict=True):
            assert ours.data == theirs.data
            assert (ours.kind, ours.offset, ours.frame_id) == (theirs.kind, theirs.offset, theirs.frame_id)


def test_a_frame_has_the_same_key_after_an_edit(recording: Recording) -> None:
    key = recording[1].key
    recording.apply(edits.delete_record(recording, POSITION))
    assert recording[1].key == key
    assert frame(2)[:29] == recording[1].data[:29]


def test_places_that_are_not_there_are_refused_with_a_sentence(recording: Recording) -> None:
    for wrong in (
        lambda: edits.insert_packet(recording, Place(1), 300),
        lambda: edits.insert_packet(recording, Place(1), -1),
        lambda: edits.insert_packet(recording, Place(99), 5),
        lambda: edits.delete_packet(recording, Place(-1, 2)),
        lambda: edits.insert_frame(recording, 99),
        lambda: edits.insert_frame(recording, -1),
        lambda: edits.insert_frame(recording, 1, copy_of=99),
        lambda: edits.place(recording, frame=1, packet=99),
        lambda: edits.delete_records(recording, [Place(1, 0, 0)]),
    ):
        with pytest.raises(EditError) as refused:
            wrong()
        assert refused.value.message.endswith(".")


def test_records_of_several_packets_go_in_one_step(recording: Recording) -> None:
    before = saved(recording)
    chosen = [Place(0, 1, 0), Place(0, 1, 1), Place(1, 2, 1), Place(1, 2, 1)]
    recording.apply(edits.delete_records(recording, chosen))
    assert recording[0].packets[1].records == []
    assert [record["id"] for record in recording[1].packets[2].records] == [7]
    assert len(recording.history.steps) == 1
    recording.undo()
    assert saved(recording) == before
