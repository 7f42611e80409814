"""The file that is replaced stays under another name, if that is asked for."""

import errno
import os
from pathlib import Path

import pytest

from recorder_editor import Recording
from recorder_editor.errors import SaveRefused
from recorder_editor.recording import save as save_module
from tests.recording.steps import AS_ON_WINDOWS, DRIVE, content, names, turn


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("windows", [True, False])
def test_the_old_file_stays_as_a_backup(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch, links: bool, windows: bool
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    if windows:
        monkeypatch.setattr(save_module, "System", lambda: AS_ON_WINDOWS)
    kept = file.with_name("town.log.bak")
    kept.write_bytes(DRIVE[:40])  # an earlier one
    recording.apply(turn(recording, 3))
    recording.save(backup=True)
    saved = content(recording)
    assert (file.read_bytes(), kept.read_bytes()) == (saved, DRIVE)
    recording.undo()
    recording.save(backup=True)
    assert (file.read_bytes(), kept.read_bytes()) == (DRIVE, saved)
    recording.close()
    assert names(file.parent) == [file.name, kept.name]


def test_a_file_that_is_no_backup_is_not_replaced_by_one(recording: Recording, file: Path) -> None:
    foreign = file.with_name("town.log.bak")
    foreign.write_bytes(b"mine")
    recording.apply(turn(recording, 3))
    with pytest.raises(SaveRefused, match=r"town\.log\.bak is no recording"):
        recording.save(backup=True)
    assert (file.read_bytes(), foreign.read_bytes()) == (DRIVE, b"mine")
    assert names(file.parent) == [file.name, foreign.name]


def test_without_asking_there_is_none(recording: Recording, file: Path) -> None:
    recording.apply(turn(recording, 3))
    recording.save()
    assert names(file.parent) == [file.name]


def test_a_new_file_has_no_backup(recording: Recording, file: Path) -> None:
    recording.save(file.with_name("other.log"), backup=True)
    assert names(file.parent) == ["other.log", file.name]


def test_a_backup_that_cannot_be_made_stops_the_save(
    recording: Recording, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording.apply(turn(recording, 3))
    replace = os.replace

    def refuse(one: Path, other: Path) -> None:
        if str(other).endswith(".bak"):
            raise OSError(errno.EACCES, "Permission denied")
        replace(one, other)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="Permission denied"):
        recording.save(backup=True)
    assert names(file.parent) == [file.name]
    assert file.read_bytes() == DRIVE
    assert recording.is_modified
