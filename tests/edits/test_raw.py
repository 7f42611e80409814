"""Typing bytes: what is a frame afterwards is decided by the bytes alone."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recorder_editor import edits
from recorder_editor.api import Recording, open_recording
from recorder_editor.edits import raw
from recorder_editor.edits.raw import insert_in_body
from recorder_editor.errors import EditError
from recorder_editor.recording.frames import FRAME, OPEN_FRAME, RAW

from .. import builders as b
from ..extent import examples
from .conftest import FRAMES, poses, saved


def kinds(recording: Recording) -> list[int]:
    return [recording.snapshot.row(row).kind for row in range(recording.snapshot.rows)]


def test_a_typed_byte_changes_that_byte(recording: Recording) -> None:
    before = saved(recording)
    recording.apply(edits.overwrite(recording, 200, b"\xab"))
    assert saved(recording) == before[:200] + b"\xab" + before[201:]
    assert kinds(recording) == [FRAME] * 3


def test_a_frame_whose_size_is_broken_by_hand_is_still_all_there(recording: Recording) -> None:
    before = saved(recording)
    size = recording[1].packets[2].offset + 1
    recording.apply(edits.overwrite(recording, size, b"\xff\xff\xff\x7f"))
    assert saved(recording) == before[:size] + b"\xff\xff\xff\x7f" + before[size + 4 :]
    assert kinds(recording) == [FRAME, OPEN_FRAME, RAW, FRAME]
    recording.undo()
    assert saved(recording) == before
    assert kinds(recording) == [FRAME] * 3


def test_bytes_inserted_in_a_body_take_size_and_count_along(recording: Recording) -> None:
    record = b.position(poses(9, (33,)))[2:]
    recording.apply(insert_in_body(recording, edits.Place(1, 2), 2, record))
    packet = recording[1].packets[2]
    assert packet.array["id"].tolist() == [33, 7, 9]
    recording.apply(insert_in_body(recording, edits.Place(1, 4), 0, b"zz"))
    assert recording[1].packets[4].body == b"zz\x01\x02\x03"


def test_the_header_can_be_typed_as_long_as_it_stays_readable(recording: Recording) -> None:
    recording.apply(edits.overwrite(recording, 28, b"City"))
    assert recording.header is not None
    assert recording.header.map_name == "City01"
    with pytest.raises(EditError):
        edits.overwrite(recording, 4, b"X")


def test_bytes_can_be_appended_at_the_end(recording: Recording) -> None:
    before = saved(recording)
    recording.apply(edits.replace_bytes(recording, len(before), len(before), b"tail"))
    assert saved(recording) == before + b"tail"
    with pytest.raises(EditError):
        edits.overwrite(recording, len(before) + 4, b"x")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(150))
@given(start=st.integers(34, 34 + len(b"".join(FRAMES))), removed=st.integers(0, 400), data=st.binary(max_size=60))
def test_any_replacement_is_right_to_the_byte_and_comes_back(
    recording: Recording, start: int, removed: int, data: bytes
) -> None:
    before = saved(recording)
    stop = min(start + removed, len(before))
    recording.apply(edits.replace_bytes(recording, start, stop, data))
    assert saved(recording) == before[:start] + data + before[stop:]
    recording.undo()
    assert saved(recording) == before


def test_a_frame_end_typed_behind_an_open_frame_closes_it(recording: Recording) -> None:
    before = saved(recording)
    end = recording[2].offset - 5
    recording.apply(edits.replace_bytes(recording, end, end + 5, b""))
    assert kinds(recording) == [FRAME, OPEN_FRAME, FRAME]
    recording.apply(edits.replace_bytes(recording, end, end, before[end : end + 5]))
    assert kinds(recording) == [FRAME] * 3
    assert saved(recording) == before


def test_what_is_missing_at_the_end_can_be_typed_in_pieces(recording: Recording) -> None:
    before = saved(recording)
    cut = recording[2].offset + 11
    recording.apply(edits.replace_bytes(recording, cut, len(before), b""))
    assert kinds(recording) == [FRAME, FRAME, RAW]
    for start, stop in ((cut, cut + 40), (cut + 40, len(before) - 3), (len(before) - 3, len(before))):
        recording.apply(edits.replace_bytes(recording, start, start, before[start:stop]))
    assert kinds(recording) == [FRAME] * 3
    assert saved(recording) == before


def test_bytes_taken_from_between_two_damaged_stretches_make_them_one(recording: Recording) -> None:
    before = saved(recording)
    middle = recording[1].packets[3].offset
    recording.apply(edits.replace_bytes(recording, middle, middle, b"\xff" * 50))
    assert kinds(recording).count(FRAME) == 2
    recording.apply(edits.replace_bytes(recording, middle, middle + 50, b""))
    assert kinds(recording) == [FRAME] * 3
    assert saved(recording) == before


def test_a_byte_typed_into_a_long_stretch_of_junk_leaves_the_rest_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw, "_MAX_ADJACENT", 5000)
    monkeypatch.setattr(raw, "_NEAR", 1000)
    data = b.recording(FRAMES[0]) + b"\x30" * 20_000 + FRAMES[1]
    path = tmp_path / "junk.log"
    path.write_bytes(data)
    with open_recording(path) as recording:
        start, stop = recording.snapshot.position(1), recording.snapshot.position(2)
        for at, typed in ((start, b"x"), (start + 10_000, b"yy"), (stop - 1, b"z"), (start + 500, FRAMES[1])):
            before = saved(recording)
            assert recording.snapshot.table.row(recording.snapshot.row_at(at) or 0)["kind"] == RAW
            recording.apply(edits.replace_bytes(recording, at, at + 1, typed))
            changed = before[:at] + typed + before[at + 1 :]
            assert saved(recording) == changed
            recording.undo()
            assert saved(recording) == before
            recording.redo()
        scratch = recording.store.size(recording.store.scratch)
        assert scratch < 4 * (2 * 1000 + 200) + 2000
        assert len(recording) == 3
        keys = recording.snapshot.table.column("key").tolist()
        assert len(set(keys)) == len(keys)
        recording.save()
        assert path.read_bytes() == saved(recording)
