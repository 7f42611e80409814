"""Files that a recording was saved over are let go of, and nothing that can be reached is lost by that."""

import gc
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import Recording
from recorder_editor.recording import history as history_module
from recorder_editor.recording import source_refs
from tests.recording.steps import DAMAGED, DRIVE, content, linux, retime, turn
from tests.recording.test_save_failures import open_files

SAVES = 40


def held(folder: Path) -> int:
    """How many files of a folder are open, those that were replaced among them."""
    return sum(name.startswith(str(folder)) for name in open_files())


def sweep(opened: Recording) -> None:
    """Save once more when states that are over are really gone: one that was read from refers to itself."""
    gc.collect()
    opened.save()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "drive.log"
    path.write_bytes(DRIVE)
    return path


@linux
def test_saving_again_and_again_opens_no_more_files(file: Path) -> None:
    with recorder_editor.open(file) as opened:
        for _ in range(SAVES):
            opened.save()
        assert held(file.parent) <= 2


@linux
@pytest.mark.parametrize("data", [DRIVE, DAMAGED], ids=["sound", "damaged"])
def test_edits_between_many_saves_are_undone_without_the_old_files(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    with recorder_editor.open(file) as opened:
        states = [content(opened)]
        for number in range(SAVES):
            frame = number % len(opened)
            opened.apply(retime(opened, slice(0, 3)) if number % 5 == 0 else turn(opened, frame, float(number)))
            states.append(content(opened))
            opened.save()
            assert file.read_bytes() == states[-1]
        sweep(opened)
        assert held(file.parent) <= 2
        for state in reversed(states[:-1]):
            opened.undo()
            assert content(opened) == state
        for state in states[1:]:
            opened.redo()
            assert content(opened) == state
        opened.undo()
        opened.save()
        assert file.read_bytes() == states[-2]


@linux
def test_a_state_that_is_still_looked_at_stays_readable(file: Path) -> None:
    with recorder_editor.open(file) as opened:
        before = opened.snapshot
        for number in range(5):
            opened.apply(turn(opened, number))
            opened.save()
        assert before.read(0, before.size) == DRIVE
        del before
        sweep(opened)
        assert held(file.parent) <= 2


def trimmed_and_saved(opened: Recording) -> None:
    half = len(opened.snapshot.table) // 2
    opened.apply(recorder_editor.edits.delete_rows(opened, half, half // 2))
    opened.save()


@linux
def test_a_step_that_is_too_large_to_copy_keeps_its_file_until_it_is_forgotten(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_refs, "MAX_BYTES", 100)
    monkeypatch.setattr(history_module, "MAX_STEPS", 3)
    with recorder_editor.open(file) as opened:
        trimmed_and_saved(opened)
        sweep(opened)
        sweep(opened)
        assert held(file.parent) == 3  # the first one, the state before the last saving, the present one
        assert len(opened) < 40
        opened.undo()
        assert content(opened) == DRIVE
        opened.redo()
        for number in range(3):
            opened.apply(turn(opened, number))
            gc.collect()
            assert held(file.parent) == (3 if number < 2 else 1)


@linux
def test_a_step_whose_file_was_written_over_keeps_it(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "other.log"
    with recorder_editor.open(file) as opened:
        opened.apply(turn(opened, 3))
        file.write_bytes(b"x" * 10)
        with pytest.raises(recorder_editor.errors.SourceChanged):
            opened.save(copy)
        assert not copy.exists()
    file.write_bytes(DRIVE)
    with recorder_editor.open(file) as opened:
        opened.apply(turn(opened, 3))
        opened.save(copy)
        file.write_bytes(b"x" * len(DRIVE))
        opened.save()
        opened.undo()
        assert content(opened) == DRIVE


def test_steps_that_were_undone_let_go_as_well(file: Path) -> None:
    with recorder_editor.open(file) as opened:
        opened.apply(turn(opened, 3))
        opened.save()
        opened.undo()
        opened.apply(turn(opened, 4))
        opened.undo()
        assert content(opened) == DRIVE
