"""Whatever keeps a window from saving: a sentence that says what and what now, and nothing is lost."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor.ui.dialogs.closing import ClosePrompt
from recorder_editor.ui.dialogs.error import ErrorDialog
from recorder_editor.ui.session.preferences import KEEPS_BACKUP
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ATTRIBUTES
from recorder_editor.ui.widgets.value_edit import ValueEdit
from tests.recording.steps import DRIVE, content, names, turn

from .parts import Parts, begin_anew
from .windows import OpenWindow, bring_up

Patch = pytest.MonkeyPatch

part = Parts()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "town.log"
    path.write_bytes(DRIVE)
    return path


def failing(number: int) -> Callable[..., Any]:
    def call(*_: object, **__: object) -> Any:
        raise OSError(number, os.strerror(number))

    return call


def full_before(patch: Patch, _: Path) -> None:
    usage = shutil.disk_usage("/")._replace(total=10_000, free=100)
    patch.setattr(shutil, "disk_usage", lambda path: usage)


def full_meanwhile(patch: Patch, _: Path) -> None:
    write = os.write
    patch.setattr(os, "write", lambda to, data: failing(errno.ENOSPC)() if len(data) > 5000 else write(to, data))


def read_only(patch: Patch, _: Path) -> None:
    opened = os.open

    def refuse(path: Any, flags: int, *more: Any) -> int:
        return (
            failing(errno.EROFS)() if str(path).endswith(".tmp") and flags & os.O_CREAT else opened(path, flags, *more)
        )

    patch.setattr(os, "open", refuse)


def not_allowed(patch: Patch, _: Path) -> None:
    patch.setattr(os, "replace", failing(errno.EACCES))


def failing_disk(patch: Patch, _: Path) -> None:
    patch.setattr(os, "fsync", failing(errno.EIO))


def removed(_: Patch, file: Path) -> None:
    file.parent.rename(file.parent.with_name("away"))


def replaced(_: Patch, file: Path) -> None:
    other = file.with_name("new")
    other.write_bytes(b"what another program wrote")
    other.replace(file)


def saved_elsewhere(_: Patch, file: Path) -> None:
    with recorder_editor.open(file) as other:
        other.apply(turn(other, 20, 5.0))
        other.save()


TROUBLES: dict[str, tuple[Callable[[Patch, Path], None], str]] = {
    "a full disk": (full_before, "The disk is full."),
    "a disk that becomes full": (full_meanwhile, "The disk is full."),
    "a disk that can only be read": (read_only, "The disk is read-only."),
    "a folder that takes nothing": (not_allowed, "Permission was denied."),
    "a disk that fails": (failing_disk, "The disk does not answer, or is failing."),
    "a disk that was removed": (removed, "it was replaced or removed"),
    "another file under the name": (replaced, "it was replaced or removed"),
    "another window that saved first": (saved_elsewhere, "it was replaced or removed"),
}


@part.each("what", TROUBLES)
def a_save_that_cannot_be_is_said_and_loses_nothing(
    window: MainWindow, path: Path, qtbot: QtBot, monkeypatch: Patch, what: str
) -> None:
    trouble, words = TROUBLES[what]
    file, session = path, window.session
    recording = session.recording
    assert recording is not None
    session.editing.apply(turn(recording, 3))
    wanted = content(recording)
    with monkeypatch.context() as patch:
        trouble(patch, file)
        there = file.read_bytes() if file.exists() else None
        window.documents.save()
        qtbot.waitUntil(lambda: window.findChild(ErrorDialog) is not None)
    dialog = window.findChild(ErrorDialog)
    assert dialog is not None
    assert dialog.heading.text() == "town.log was not saved"
    assert words in dialog.report.what
    assert dialog.remedy is not None
    assert dialog.remedy.text() == "Save as..."
    dialog.close()
    qtbot.waitUntil(lambda: window.findChild(ErrorDialog) is None)
    assert (file.read_bytes() if file.exists() else None) == there
    assert session.is_modified
    assert content(recording) == wanted
    rescued = file.parent.parent / f"{what}.log"
    recording.save(rescued)
    assert rescued.read_bytes() == wanted
    if file.parent.exists():
        assert names(file.parent) == [file.name]


@part
def a_backup_is_kept_where_it_was_asked_for(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    recording = window.session.recording
    assert recording is not None
    window.registry["file.backup"].trigger()
    assert window.settings[KEEPS_BACKUP]
    window.session.editing.apply(turn(recording, 3))
    window.documents.save()
    qtbot.waitUntil(lambda: not window.session.is_modified)
    assert path.with_name("town.log.bak").read_bytes() == DRIVE
    window.registry["file.backup"].trigger()
    assert not window.settings[KEEPS_BACKUP]


@part
def what_is_still_being_typed_is_taken_before_a_window_closes(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    session = window.session
    bring_up(window, qtbot)
    session.selection.go_to_frame(3)
    window.registry.run("notes.frame")
    field = QApplication.focusWidget()
    qtbot.keyClicks(field, "brakes")
    window.documents.ask_before_losing(lambda: None)
    assert [note.text for note in session.notes.items] == ["brakes"]
    poses = session.snapshot_or_refuse().frame(3).packet("Position")
    assert poses is not None
    session.selection.select_actor(int(poses.array["id"][0]))
    form = window.panes.get(ATTRIBUTES)
    value = next(each for each in form.findChildren(ValueEdit) if each.isVisible())
    value.setFocus()
    value.selectAll()
    qtbot.keyClicks(value, "12.5")
    assert not session.is_modified
    window.close()
    assert session.is_modified
    prompt = window.findChild(ClosePrompt)
    assert prompt is not None
    assert window.isVisible()
    prompt.reject()
    qtbot.waitUntil(lambda: window.findChild(ClosePrompt) is None)
    window.hide()


def test_saving_in_a_window(open_window: OpenWindow, file: Path, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    window = open_window(file)
    part.run(subtests, begin_anew(window, file, qtbot), window=window, qtbot=qtbot)
