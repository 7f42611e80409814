"""An error that nobody foresaw: one dialog that tells it, a report to copy, and no edit that is lost."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor.ui.app import Program
from recorder_editor.ui.dialogs import error as error_module
from recorder_editor.ui.dialogs.about import facts
from recorder_editor.ui.dialogs.error import ErrorDialog
from recorder_editor.ui.shell.main_window import MainWindow
from tests.recording.journal.crashes import python, restored
from tests.recording.steps import DRIVE, content, turn

from .parts import Parts, begin_anew
from .windows import idle

KEPT = "All edits are in the journal; if the program ends, they are offered at its next start."
NOT_KEPT = "The journal does not hold all edits: save under another name now."
PAGE = "https://example.org/issues"


part = Parts()


@pytest.fixture
def window(program: Program, path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    """A window of the program on a recording with an edit that is not saved."""
    window = program.new_window(path)
    qtbot.waitUntil(lambda: window.session.is_complete)
    idle(window, qtbot)
    yield window
    for dialog in dialogs(window):
        dialog.close()


@pytest.fixture
def break_it(program: Program, capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Raises an error, as a slot does, and looks at what stderr says."""

    def break_it(words: str) -> None:
        try:
            raise ValueError(words)
        except ValueError as error:
            program.tell(type(error), error, error.__traceback__)
        assert f"ValueError: {words}" in capsys.readouterr().err

    return break_it


def dialogs(window: MainWindow) -> list[ErrorDialog]:
    return window.findChildren(ErrorDialog)


def button(dialog: ErrorDialog, text: str) -> QPushButton | None:
    return next((each for each in dialog.findChildren(QPushButton) if each.text() == text), None)


@part
def it_is_said_where_the_journal_does_not_hold_the_edits(
    window: MainWindow, break_it: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    assert window.session.is_kept
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        recording = window.session.recording
        assert recording is not None
        window.session.editing.apply(turn(recording, 4))
        break_it("a journal failed")
    (dialog,) = dialogs(window)
    assert NOT_KEPT in dialog.report.now
    window.session.editing.apply(turn(recording, 5))
    assert window.session.is_kept


@part
def the_report_has_all_facts_and_the_issue_page_is_opened(
    window: MainWindow, break_it: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    monkeypatch.setattr(error_module, "issue_page", lambda: PAGE)
    break_it("a report failed")
    (dialog,) = dialogs(window)
    dialog.copy.click()
    report = QGuiApplication.clipboard().text()
    assert "Traceback (most recent call last)" in report
    assert report.endswith(facts())
    page = button(dialog, "Open issue page")
    assert page is not None
    assert opened == []
    page.click()
    assert opened == [QUrl(PAGE)]


@part
def an_error_that_was_foreseen_has_no_issue_page(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_module, "issue_page", lambda: PAGE)
    window.documents.tell("Not opened", PermissionError(errno.EACCES, "Permission denied", "/a/b.log"))
    (dialog,) = dialogs(window)
    assert button(dialog, "Open issue page") is None


@part
def an_error_is_told_once_and_keeps_nobody_from_saving(
    window: MainWindow, break_it: Callable[[str], None], path: Path, qtbot: QtBot
) -> None:
    for words in ("a paint failed", "a paint failed", "another one"):
        break_it(words)
    (dialog,) = dialogs(window)
    said = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "ValueError: a paint failed" in said
    assert KEPT in said
    assert window.session.messages[-1] == "An unexpected error occurred. ValueError: another one"
    dialog.close()
    qtbot.waitUntil(lambda: not dialogs(window))
    break_it("a paint failed")
    assert dialogs(window) == []
    window.registry.run("file.save")
    qtbot.waitUntil(lambda: not window.session.is_modified)
    assert path.read_bytes() != DRIVE
    break_it("another one")
    assert len(dialogs(window)) == 1


def test_errors_in_a_window(
    window: MainWindow, break_it: Callable[[str], None], path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    begin_with_a_copy = begin_anew(window, path, qtbot)

    def begin() -> dict[str, Path]:
        window.raise_()
        own = begin_with_a_copy()
        qtbot.waitUntil(lambda: not dialogs(window))
        recording = window.session.recording
        assert recording is not None
        window.session.editing.apply(turn(recording, 3))
        return own

    part.run(subtests, begin, window=window, break_it=break_it, qtbot=qtbot)


KILLED = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from recorder_editor.ui.app import Program, application
from recorder_editor.ui.dialogs.error import ErrorDialog
from tests.recording.steps import turn

app = application()
program = Program(app)
sys.excepthook = program.tell
window = program.new_window()
window.session.open(Path(sys.argv[1]))

def breaks():
    window.session.editing.apply(turn(window.session.recording, 3))
    raise ValueError("nobody foresaw this")

def look():
    dialog = window.findChild(ErrorDialog)
    if dialog is not None and dialog.isVisible():
        print(dialog.report.where, dialog.report.now, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

QTimer.singleShot(0, breaks)
timer = QTimer()
timer.timeout.connect(look)
timer.start(0)
app.exec()
"""


def test_edits_outlive_an_error_in_a_slot_and_the_end_of_the_program(path: Path) -> None:
    done = python(KILLED, path)
    assert f"ValueError: nobody foresaw this The file on disk is unchanged. {KEPT}" in done.stdout, done.stderr
    with recorder_editor.open(path) as expected, restored() as found:
        expected.apply(turn(expected, 3))
        assert content(found) == content(expected) != path.read_bytes()
