"""The folder of unsaved edits can be another one, and edits are found in it and in the usual one."""

from pathlib import Path

import pytest

from recorder_editor import edits
from recorder_editor.api import Recording, open_recording
from recorder_editor.errors import EditError
from recorder_editor.recording.place import Place
from recorder_editor.recording.recovery import choose_state_folder, find_leftovers, state_use
from recorder_editor.recording.store import CHOICE, state_folder
from recorder_editor.recording.user_folders import usual_state_folder

from ... import builders as b


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "town.log"
    path.write_bytes(b.drive(10))
    return path


def opened(file: Path) -> Recording:
    """An open recording with a journal."""
    recording = open_recording(file)
    recording.keep_journal()
    return recording


def edited(file: Path) -> Recording:
    """The same with edits."""
    recording = opened(file)
    edit(recording)
    return recording


def edit(recording: Recording) -> None:
    recording.apply(edits.set_header(recording.snapshot, map_name="Elsewhere"))
    recording.apply(edits.set_field(recording.snapshot, Place(3, 5, 0, "location.x"), 7.0))
    assert recording.journal is not None
    recording.journal.flush()


def names(folder: Path) -> set[str]:
    return {path.parent.name for path in folder.rglob("*") if path.is_file()} - {folder.name}


def test_edits_are_kept_in_the_chosen_folder_and_restored_from_it(file: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "other" / "place"
    choose_state_folder(chosen)
    assert state_folder() == chosen
    recording = edited(file)
    expected = recording.snapshot.read(0, recording.snapshot.size)
    recording.release()
    assert names(chosen) == {"journals", "scratch"}
    assert not names(usual_state_folder())
    assert state_use().scratch > 0
    (leftover,) = find_leftovers()
    restored = leftover.restore().recording
    assert restored.snapshot.read(0, restored.snapshot.size) == expected
    restored.close()
    assert not names(chosen)


def test_edits_in_the_usual_folder_are_found_after_another_was_chosen(file: Path, tmp_path: Path) -> None:
    recording = opened(file)
    choose_state_folder(tmp_path / "other")
    edit(recording)
    expected = recording.snapshot.read(0, recording.snapshot.size)
    recording.release()
    assert not names(tmp_path / "other")
    (leftover,) = find_leftovers()
    restored = leftover.restore().recording
    assert restored.snapshot.read(0, restored.snapshot.size) == expected
    restored.close()


def test_a_folder_with_unsaved_edits_in_it_is_not_left(file: Path, tmp_path: Path) -> None:
    choose_state_folder(tmp_path / "other")
    recording = edited(file)
    for release in (False, True):
        if release:
            recording.release()
        with pytest.raises(EditError, match="Save or discard these first"):
            choose_state_folder(None)
    assert state_folder() == tmp_path / "other"
    (leftover,) = find_leftovers()
    leftover.discard()
    choose_state_folder(None)
    assert state_folder() == usual_state_folder()


@pytest.mark.parametrize("content", [b"", b"relative", b"/nowhere/at/all", b"\0", b"\xff" * 50, b"x" * 100_000])
def test_a_choice_that_is_no_folder_is_none(content: bytes) -> None:
    usual = usual_state_folder()
    usual.mkdir(parents=True, exist_ok=True)
    (usual / CHOICE).write_bytes(content)
    assert state_folder() == usual
