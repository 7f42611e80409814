"""Opening, editing, saving and recovering where an open file can neither be replaced nor removed, as on Windows."""

import errno
import os
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor.errors import SaveRefused
from recorder_editor.recording import locking
from recorder_editor.recording.atomic_file import atomic_write
from recorder_editor.recording.journal.log_file import ENDING
from recorder_editor.recording.locking import claim, is_held, sweep
from recorder_editor.recording.store import state_folder
from tests.recording.journal.crashes import crash, restored
from tests.recording.steps import DRIVE, content, linux, names, turn

from .windows import HELD, stand_in

pytestmark = linux


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "folder" / "town.log"
    path.parent.mkdir()
    path.write_bytes(DRIVE)
    return path


def test_the_stand_in_refuses_to_rename_or_remove_an_open_file(file: Path) -> None:
    other = file.with_name("other.log")
    os.link(file, other)
    with open(file, "rb"):
        for path in (file, other):
            with pytest.raises(PermissionError, match=HELD):
                path.unlink()
            with pytest.raises(PermissionError, match=HELD):
                path.replace(file.with_name("new.log"))
    other.unlink()


@pytest.mark.parametrize("backup", [False, True])
@pytest.mark.parametrize("links", [False, True])
def test_a_recording_is_edited_saved_undone_and_saved_again(
    file: Path, monkeypatch: pytest.MonkeyPatch, backup: bool, links: bool
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    with recorder_editor.open(file) as opened:
        opened.keep_journal()
        states = [DRIVE]
        for frame in (3, 5):
            opened.apply(turn(opened, frame))
            states.append(content(opened))
            opened.save(backup=backup)
            assert file.read_bytes() == states[-1]
        for state in reversed(states[:-1]):
            opened.undo()
            assert content(opened) == state
        opened.save(backup=backup)
        assert file.read_bytes() == DRIVE
        opened.save(file.with_name("other.log"))
    assert names(file.parent) == ["other.log", "town.log", *(["town.log.bak"] if backup else [])]
    assert [path for path in state_folder().rglob("*") if path.is_file()] == []


def test_a_file_that_another_program_holds_stays_whole(file: Path) -> None:
    with recorder_editor.open(file) as opened:
        opened.apply(turn(opened, 3))
        wanted = content(opened)
        with open(file, "rb"), pytest.raises(PermissionError, match=HELD):
            opened.save()
        assert file.read_bytes() == DRIVE
        assert names(file.parent) == [file.name]
        assert content(opened) == wanted
        opened.save()
        assert file.read_bytes() == wanted
    assert names(file.parent) == [file.name]


def test_edits_are_restored_after_a_crash(file: Path) -> None:
    opened = recorder_editor.open(file)
    opened.keep_journal()
    opened.apply(turn(opened, 3))
    wanted = content(opened)
    crash(opened)
    with restored() as again:
        assert content(again) == wanted
        again.save()
    assert file.read_bytes() == wanted
    assert list(state_folder().rglob(f"*{ENDING}")) == []


def test_a_table_is_written_over_another_one(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    for text in (b"old", b"new"):
        with atomic_write(path) as out:
            out.write(text)
    assert path.read_bytes() == b"new"
    with open(path, "rb"), pytest.raises(PermissionError, match=HELD), atomic_write(path) as out:
        out.write(b"newer")
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == [path.name]


def test_one_of_two_that_write_a_file_is_refused(file: Path) -> None:
    with atomic_write(file, overwrite=True) as out:
        out.write(b"first")
        with pytest.raises(SaveRefused, match="is being written by another"), atomic_write(file):
            pass
    assert file.read_bytes() == b"first"


def test_locks_are_held_tested_and_swept(tmp_path: Path) -> None:
    held, left = tmp_path / "held", tmp_path / "left"
    for path in (held, left):
        path.write_bytes(b"content")
    mine = claim(held)
    assert mine is not None
    assert is_held(held)
    assert not is_held(left)
    assert claim(held) is None
    sweep([held, left])
    assert names(tmp_path) == ["held"]
    locking.remove(held, mine)
    assert names(tmp_path) == []


def test_who_claims_a_file_waits_for_one_who_looks_at_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are no shared locks: to look excludes everybody for a moment."""
    looks = os.open(file, os.O_RDONLY)
    assert locking._attempt(locking._lock, looks)
    monkeypatch.setattr(locking.time, "sleep", lambda _: os.close(looks))
    mine = claim(file)
    assert mine is not None
    os.close(mine)
