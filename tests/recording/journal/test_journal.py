"""What is done to a recording outlives a crash: every edit, undo and redo, with the steps, up to the last save."""

import os
import re
import signal
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor import Edit, Recording, edits
from recorder_editor.edits.intents import over_frames
from recorder_editor.errors import RestoreRefused
from recorder_editor.progress import Progress
from recorder_editor.recording.frames import FrameTable
from recorder_editor.recording.history import Splice
from recorder_editor.recording.journal import log_file
from recorder_editor.recording.journal.codec import label_of, sentence_entry
from recorder_editor.recording.recovery import find_leftovers, other_sessions
from recorder_editor.recording.store import state_folder
from recorder_editor.texts import say, speaking
from tests.recording.journal.crashes import crash, python, restored, the_leftover
from tests.recording.steps import DAMAGED, DRIVE, content, names, retime, turn


def opened(file: Path) -> Recording:
    recording = recorder_editor.open(file)
    recording.keep_journal()
    return recording


def labels(recording: Recording) -> list[str]:
    return [step.label for step in recording.history.steps]


def left() -> list[str]:
    """The files in the state folder."""
    return sorted(path.name for path in state_folder().rglob("*") if path.is_file())


# --- what is restored ---------------------------------------------------------------------------------------


def test_steps_are_restored_in_the_language_that_is_spoken_then(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    recording.apply(retime(recording, slice(0, 9)))
    crash(recording)
    assert the_leftover().labels == ("Set yaw of 100 in 1 frame", "Retime")
    with speaking("zh_CN"):
        wanted = [over_frames(say("Set {field} of {actor}", field="yaw", actor=100), 1), "Retime"]
        leftover = the_leftover()
        assert list(leftover.labels) == wanted, "Retime is no sentence: it is a label that somebody gave"
        with restored(leftover) as again:
            assert labels(again) == wanted


@pytest.mark.parametrize(
    "entry",
    [
        None,
        5,
        "Set {field} of {actor}",
        ["Set {field} of {actor}"],
        ["Set {field} of {actor}", {}],
        ["Set {field} of {actor}", {"field": "yaw"}],
        ["Set {field:99999999} of {actor}", {"field": "yaw", "actor": 7}],
        ["Read as {dialect}", {"dialect": ["Read as {dialect}", {}]}],
        [["{count} edit", "{count} edits"], {"count": []}],
        [["{count} edit", "{count} edits"], {}],
    ],
    ids=str,
)
def test_a_label_that_cannot_be_said_in_another_language_stays_as_it_was_written(entry: Any) -> None:
    assert label_of({"label": "Set yaw", "sentence": entry}) == "Set yaw"


def test_only_a_sentence_that_json_holds_is_written_for_another_language() -> None:
    held = say("{before:g} s to {after:g} s, {frames} frames", before=0.5, after=np.float64(1.0), frames=np.int64(3))
    when = say("made on {last:%Y-%m-%d}", last=datetime.now().astimezone())
    assert sentence_entry(held) is not None
    assert sentence_entry(when) is None
    assert sentence_entry("Retime") is None


def test_edits_undo_and_redo_are_there_again_with_their_steps(file: Path) -> None:
    recording = opened(file)
    states = [content(recording)]
    for edit in (turn(recording, 3),):
        recording.apply(edit)
    states.append(content(recording))
    recording.apply(retime(recording, slice(0, 9)))
    states.append(content(recording))
    recording.apply(turn(recording, 8, 3.0))
    states.append(content(recording))
    recording.undo()
    recording.undo()
    recording.redo()
    wanted = labels(recording)
    crash(recording)
    leftover = the_leftover()
    assert (leftover.path, leftover.labels) == (file, tuple(wanted[:2]))
    assert leftover.obstacle() == ""
    assert leftover.describe().startswith("2 edits, the last one made on 2")
    with speaking("zh_CN"):
        assert re.fullmatch(r"2 项编辑，最近一项完成于 \d{4}年\d\d月\d\d日 \d\d:\d\d", leftover.describe())
    with restored(leftover) as again:
        assert again.is_modified
        assert labels(again) == wanted
        assert content(again) == states[2]
        again.redo()
        assert content(again) == states[3]
        for state in reversed(states[:3]):
            again.undo()
            assert content(again) == state
        assert not again.is_modified
    assert file.read_bytes() == DRIVE
    assert left() == []


def test_a_frame_is_written_as_its_row_says_whatever_stands_before_its_bytes(file: Path) -> None:
    """Nobody vouches for what a journal that was tampered with says of that."""
    recording = opened(file)
    recording.apply(turn(recording, 3, 1.0))
    wanted = content(recording)
    crash(recording)
    with restored() as again:
        assert again.snapshot.table.row(3)["stored"] == 0
        assert content(again) == wanted


def test_a_drag_is_one_step_again(file: Path) -> None:
    recording = opened(file)
    for yaw in (1.0, 2.0, 3.0):
        recording.apply(turn(recording, 3, yaw), gesture="drag")
    wanted = content(recording)
    crash(recording)
    assert the_leftover().labels == ("Set yaw of 100 in 1 frame",)
    with restored() as again:
        assert len(again.history.steps) == 1
        assert content(again) == wanted
        again.undo()
        assert content(again) == DRIVE


def test_header_dialect_and_intents_are_there_again(file: Path) -> None:
    recording = opened(file)
    recording.apply(edits.set_header(recording, map_name="Town07", date=1_700_000_000))
    recording.decode_as("ue4-0.9.6")
    recording.apply(edits.convert(recording, "ue5-0.10.0").edit)
    wanted, header, dialect = content(recording), recording.header, recording.dialect
    intents = [step.intent for step in recording.history.steps]
    crash(recording)
    with restored() as again:
        assert content(again) == wanted
        assert again.header == header
        assert again.dialect == dialect
        assert [step.intent for step in again.history.steps] == intents
        again.undo()
        again.undo()
        assert content(again) == DRIVE
        assert again.dialect.name == "ue4-0.9.6"


@pytest.mark.parametrize("data", [DRIVE, DAMAGED], ids=["sound", "damaged"])
def test_what_follows_a_save_is_there_again(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    recording = opened(file)
    recording.apply(edits.delete_rows(recording, 0))
    recording.apply(turn(recording, 2))
    recording.save()
    saved = content(recording)
    recording.apply(turn(recording, 3, 7.0))
    recording.apply(edits.delete_rows(recording, 4))
    keys = recording.snapshot.table.column("key").tolist()
    wanted = content(recording)
    crash(recording)
    leftover = the_leftover()
    assert leftover.was_saved
    assert len(leftover.labels) == 2
    with restored(leftover) as again:
        assert content(again) == wanted
        assert again.snapshot.table.column("key").tolist() == keys
        again.undo()
        again.undo()
        assert not again.is_modified
        assert content(again) == saved == file.read_bytes()
        again.undo()
        assert content(again) == saved  # steps from before the save do not outlive a crash


def test_steps_taken_back_over_a_save_are_there_again(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    recording.apply(edits.set_header(recording, map_name="Town07"))
    recording.apply(retime(recording, slice(None)))
    recording.save()
    saved = content(recording)
    for _ in range(3):
        recording.undo()
    recording.redo()
    wanted = content(recording)
    crash(recording)
    leftover = the_leftover()
    turned = "Set yaw of 100 in 1 frame"
    town = "Set map to Town07"
    assert leftover.labels == ("Undone: Retime", f"Undone: {town}")
    with restored(leftover) as again:
        assert again.is_modified
        assert content(again) == wanted
        assert labels(again) == [turned, town, "Retime"]
        assert (again.history.position, again.history.clean_position) == (1, 3)
        again.undo()
        assert content(again) == DRIVE
        for _ in range(3):
            again.redo()
        assert content(again) == saved
        assert not again.is_modified


def test_new_frames_after_a_recovery_have_keys_that_no_other_has(file: Path) -> None:
    """Notes and segments find their frames by keys."""
    recording = opened(file)
    for _ in range(3):
        recording.apply(edits.insert_frame(recording, 5, None))
    recording.save()
    recording.apply(turn(recording, 2))
    crash(recording)
    with restored() as again:
        again.apply(edits.insert_frame(again, 20, None))
        keys = again.snapshot.table.column("key").tolist()
        assert len(set(keys)) == len(keys)


def test_undo_and_redo_over_a_save_are_no_edits(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    recording.apply(edits.set_header(recording, map_name="Town07"))
    recording.save()
    for _ in range(2):
        recording.undo()
        recording.undo()
        recording.redo()
        recording.redo()
    recording.apply(turn(recording, 5))
    wanted = content(recording)
    crash(recording)
    leftover = the_leftover()
    assert leftover.labels == ("Set yaw of 100 in 1 frame",)
    with restored(leftover) as again:
        assert content(again) == wanted
        assert (again.history.position, again.history.clean_position) == (3, 2)
        for _ in range(3):
            again.undo()
        assert content(again) == DRIVE


def test_undo_and_redo_over_a_save_alone_leave_nothing(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    recording.save()
    recording.undo()
    recording.redo()
    crash(recording)
    assert find_leftovers() == []
    assert left() == []


def test_what_was_undone_before_a_save_is_redone_as_a_step(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    recording.apply(edits.set_header(recording, map_name="Town07"))
    recording.undo()
    recording.save()
    recording.undo()
    recording.redo()
    recording.redo()
    wanted = content(recording)
    crash(recording)
    leftover = the_leftover()
    assert leftover.labels == ("Set map to Town07",)
    with restored(leftover) as again:
        assert content(again) == wanted
        again.undo()
        assert not again.is_modified
        again.undo()
        assert content(again) == DRIVE


def test_what_was_saved_while_edits_were_made_is_the_clean_state(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    saved = content(recording)

    def edit_meanwhile(done: int, _total: int) -> None:
        if recording.history.position == 1 and done:
            recording.apply(turn(recording, 5))

    recording.save(progress=Progress(edit_meanwhile))
    assert file.read_bytes() == saved
    assert recording.is_modified
    recording.undo()
    assert not recording.is_modified
    recording.undo()
    assert recording.is_modified
    assert content(recording) == DRIVE
    recording.close()


def test_a_typed_byte_after_an_undo_over_a_save_is_there_again(file: Path) -> None:
    """What is typed further joins a step from before the save; undone, it leads to before that step."""
    recording = opened(file)
    recording.apply(turn(recording, 3, 1.0), gesture="type")
    recording.apply(turn(recording, 9))
    recording.save()
    recording.undo()
    recording.apply(turn(recording, 3, 2.0), gesture="type")
    assert len(recording.history.steps) == 1
    recording.undo()
    recording.redo()
    wanted = content(recording)
    crash(recording)
    with restored() as again:
        assert content(again) == wanted
        again.undo()
        assert content(again) == DRIVE


def test_saving_under_another_name_goes_on_with_that(file: Path) -> None:
    recording = opened(file)
    other = file.with_name("other.log")
    recording.apply(turn(recording, 3))
    recording.save(other)
    recording.apply(turn(recording, 4))
    wanted = content(recording)
    crash(recording)
    with restored() as again:
        assert again.path == other
        assert content(again) == wanted
    assert file.read_bytes() == DRIVE


def test_edits_made_while_a_job_saves_are_there_again(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))

    def edit_meanwhile(done: int, _total: int) -> None:
        if recording.history.position == 1 and done:
            recording.apply(turn(recording, 5))
            recording.apply(retime(recording, slice(0, 20)))

    recording.save(progress=Progress(edit_meanwhile))
    assert recording.history.position == 3
    wanted = content(recording)
    crash(recording)
    assert the_leftover().labels == ("Edits made while saving",)
    with restored() as again:
        assert content(again) == wanted


def test_a_crash_after_a_crash_loses_nothing(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    crash(recording)
    again = restored()
    again.apply(turn(again, 5))
    again.undo()
    again.undo()
    again.redo()
    again.apply(turn(again, 6))
    wanted, steps = content(again), labels(again)
    crash(again)
    last = restored()
    assert (content(last), labels(last)) == (wanted, steps)
    last.save()
    last.apply(turn(last, 7))
    wanted = content(last)
    crash(last)
    with restored() as once_more:
        assert content(once_more) == wanted


def test_rows_of_another_file_lead_there_again_as_long_as_it_is_the_same(file: Path) -> None:
    other = file.with_name("other.log")
    other.write_bytes(DRIVE)
    recording = opened(file)
    rows = recording.snapshot.table.rows(3, 9).copy()
    rows["source"] = recording.store.add_file(other)
    rows["key"] = recording.snapshot.keys.take(len(rows))
    recording.apply(Edit("Put in", recording.snapshot.version, (Splice(0, 0, FrameTable.from_rows(rows)),)))
    wanted = content(recording)
    crash(recording)
    again = restored()
    assert content(again) == wanted
    crash(again)
    os.utime(other, ns=(1, 1))
    result = the_leftover().restore()
    with result.recording as without:
        assert "other.log, which was put into this recording, is another file by now." in result.warning
        assert content(without) == DRIVE


# --- what is not restored -----------------------------------------------------------------------------------


def change_in_place(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[100] ^= 1
    file.write_bytes(data)
    os.utime(file, ns=(5, 5))


def replace_file(file: Path) -> None:
    status = file.stat()
    other = file.with_name("new")
    other.write_bytes(file.read_bytes())
    os.utime(other, ns=(status.st_mtime_ns, status.st_mtime_ns))
    other.replace(file)


@pytest.mark.parametrize("change", [change_in_place, replace_file, Path.unlink])
def test_edits_are_not_applied_to_another_file_and_are_kept(file: Path, change: object) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    crash(recording)
    kept = file.with_name("kept")
    os.link(file, kept)
    assert callable(change)
    change(file)
    leftover = the_leftover()
    assert "town.log" in leftover.obstacle()
    with pytest.raises(RestoreRefused, match=r"they are kept until then|which are kept until then"):
        leftover.restore()
    if change is not change_in_place:
        kept.replace(file)
        with restored() as again:
            assert again.is_modified
    else:
        the_leftover().discard()
        assert left() == []


def test_ends_that_differ_are_another_file(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    status = file.stat()
    crash(recording)
    with open(file, "r+b") as same_inode:
        same_inode.seek(-1, os.SEEK_END)
        same_inode.write(b"\x07")
    os.utime(file, ns=(status.st_mtime_ns, status.st_mtime_ns))
    with pytest.raises(RestoreRefused, match="has been changed since"):
        the_leftover().restore()


def test_another_row_within_the_same_size_and_time_is_another_file(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    status = file.stat()
    at = recording.snapshot.position(20)
    crash(recording)
    with open(file, "r+b") as same_inode:
        same_inode.seek(at + 5)
        same_inode.write(b"\x07")
    os.utime(file, ns=(status.st_mtime_ns, status.st_mtime_ns))
    with pytest.raises(RestoreRefused, match="has been changed since"):
        the_leftover().restore()


def test_a_torn_line_ends_what_is_told(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    wanted = content(recording)
    recording.apply(turn(recording, 4))
    assert recording.journal is not None
    path = recording.journal.path
    crash(recording)
    path.write_bytes(path.read_bytes()[:-9])
    again = restored()
    assert content(again) == wanted
    again.apply(turn(again, 5))
    wanted = content(again)
    crash(again)
    with restored() as once_more:
        assert content(once_more) == wanted


def test_bytes_that_never_reached_the_disk_end_what_is_restored(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    wanted = content(recording)
    assert recording.journal is not None
    assert recording.journal.flush(30)
    scratch = recording.store.scratch_path
    assert scratch is not None
    size = scratch.stat().st_size
    recording.apply(turn(recording, 4))
    recording.apply(turn(recording, 5))
    crash(recording)
    os.truncate(scratch, size)
    result = the_leftover().restore()
    assert result.warning.startswith("The last 2 changes could not be restored. Bytes of these edits")
    assert content(result.recording) == wanted
    result.recording.apply(turn(result.recording, 6))
    wanted = content(result.recording)
    crash(result.recording)
    with restored() as once_more:
        assert content(once_more) == wanted


def test_a_journal_that_says_nonsense_is_no_offer(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    assert recording.journal is not None
    path = recording.journal.path
    crash(recording)
    whole = path.read_bytes()
    for cut in range(0, len(whole), 41):
        path.write_bytes(whole[:cut])
        assert all(leftover.steps for leftover in find_leftovers())
        path.write_bytes(whole[:cut] + b"\xff" * 30 + whole[cut:])
        assert all(leftover.steps for leftover in find_leftovers())


# --- what is left over, and what is not ------------------------------------------------------------------------


def test_a_clean_close_leaves_nothing(file: Path) -> None:
    with opened(file) as recording:
        recording.apply(turn(recording, 3))
        assert len(left()) == 2
    assert left() == []


def test_without_unsaved_edits_nothing_is_offered(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    recording.save()
    crash(recording)
    assert find_leftovers() == []
    assert left() == []


def test_a_journal_in_use_is_no_leftover(file: Path) -> None:
    with opened(file) as recording:
        recording.apply(turn(recording, 3))
        assert recording.journal is not None
        assert recording.journal.flush(30)
        assert find_leftovers() == []


def test_only_one_restores(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    crash(recording)
    leftover = the_leftover()
    with restored(leftover):
        with pytest.raises(RestoreRefused, match="by another window"):
            leftover.restore()
        with pytest.raises(RestoreRefused, match="by another window"):
            leftover.discard()
        assert find_leftovers() == []


def test_discarding_removes_the_edits_and_leaves_the_file(file: Path) -> None:
    recording = opened(file)
    recording.apply(turn(recording, 3))
    crash(recording)
    the_leftover().discard()
    assert left() == []
    assert names(file.parent) == [file.name]
    assert file.read_bytes() == DRIVE


def test_two_windows_know_of_each_other(file: Path) -> None:
    with opened(file) as one:
        assert other_sessions(one) == []
        with opened(file) as two:
            for each in (one, two):
                assert each.journal is not None
                assert each.journal.flush(30)
            assert len(other_sessions(one)) == len(other_sessions(two)) == 1
        assert other_sessions(one) == []


def test_a_state_folder_that_cannot_be_written_is_told_and_stops_nobody(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(file) as recording:
        keeping = recording.journal
        assert keeping is not None
        assert keeping.flush(30)
        with monkeypatch.context() as patch:
            patch.setattr(log_file.os, "fsync", raising)
            recording.apply(turn(recording, 3))
            assert not keeping.flush(30)
            assert isinstance(keeping.error, OSError)
        recording.apply(turn(recording, 4))
        assert keeping.flush(30)
        assert keeping.error is None
        wanted = content(recording)
        crash(recording)
        with restored() as again:
            assert content(again) == wanted


def raising(*_: object) -> None:
    raise OSError(28, "No space left on device")


# --- a process that is killed -----------------------------------------------------------------------------------

EDIT_AND_WAIT = """
import sys
from pathlib import Path
import recorder_editor
from tests.recording.steps import content, retime, turn

recording = recorder_editor.open(Path(sys.argv[1]))
recording.keep_journal()
for frame in range(12):
    recording.apply(turn(recording, frame, float(frame)))
recording.undo()
assert recording.journal.flush(60)
Path(sys.argv[2]).write_bytes(content(recording))
import os, signal
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_a_killed_process_leaves_its_edits(file: Path, tmp_path: Path) -> None:
    done = python(EDIT_AND_WAIT, file, tmp_path / "wanted")
    assert done.returncode == -signal.SIGKILL, done.stderr
    leftover = the_leftover()
    assert len(leftover.steps) == 11
    with restored(leftover) as again:
        assert content(again) == (tmp_path / "wanted").read_bytes()
        assert len(again.history.steps) == 12
    assert left() == []
