"""After a crash the window offers what was not saved: Restore, Show, Discard, or later."""

import os
import signal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor.recording.recovery import find_leftovers, has_leftovers
from recorder_editor.ui.app import Program
from recorder_editor.ui.dialogs.base import Question
from recorder_editor.ui.dialogs.error import ErrorDialog
from recorder_editor.ui.dialogs.recovery import RecoveryDialog
from recorder_editor.ui.shell import recovery
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.style.theme import Theme
from tests.recording.journal.crashes import crash
from tests.recording.steps import DRIVE, content, turn

from .parts import Parts, close_dialogs
from .windows import OpenWindow, bring_up, idle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "town.log"
    path.write_bytes(DRIVE)
    return path


def crashed(file: Path, edits: int = 2) -> bytes:
    """Edit a recording and crash; what it held."""
    recording = recorder_editor.open(file)
    recording.keep_journal()
    for frame in range(edits):
        recording.apply(turn(recording, frame % 40, 3.0 + frame % 170))
    held = content(recording)
    crash(recording)
    return held


def dialog_of(window: MainWindow) -> RecoveryDialog:
    shown = [each for each in window.findChildren(RecoveryDialog) if each.isVisible()]
    assert len(shown) == 1
    return shown[0]


def look(window: MainWindow) -> None:
    """Let a window without a recording offer what a crash has left meanwhile."""
    window.recovery.changed.emit()


def restore_shows_the_edits_again(window: MainWindow, file: Path, qtbot: QtBot) -> None:
    held = crashed(file)
    look(window)
    assert window.start_page.leftovers_button.isVisible()
    assert "town.log" in window.start_page.leftovers_button.text()
    qtbot.mouseClick(window.start_page.leftovers_button, LEFT)
    dialog = dialog_of(window)
    assert dialog.heading.text() == "Unsaved edits of town.log were found"
    assert "2 edits, the last one made on " in dialog.words.text()
    qtbot.mouseClick(dialog.restore, LEFT)
    qtbot.waitUntil(lambda: window.session.is_complete)
    assert window.session.recording is not None
    assert content(window.session.recording) == held
    assert window.isWindowModified()
    assert [step.label for step in window.session.recording.history.steps] == ["Set yaw of 100 in 1 frame"] * 2
    window.session.editing.undo()
    window.session.editing.undo()
    assert not window.isWindowModified()
    assert file.read_bytes() == DRIVE


def a_window_that_restores_many_edits_does_not_look_for_others_before_it_is_done(
    window: MainWindow, file: Path, qtbot: QtBot
) -> None:
    held = crashed(file, edits=500)
    look(window)
    shown: list[bool] = []
    window.recovery.changed.connect(lambda: shown.append(window.session.is_complete))
    window.recovery.ask()
    qtbot.mouseClick(dialog_of(window).restore, LEFT)
    qtbot.waitUntil(lambda: bool(shown))
    assert shown == [True]
    assert window.session.recording is not None
    assert content(window.session.recording) == held
    assert not window.start_page.leftovers_button.isVisible()


def show_lists_the_edits_and_later_keeps_them(
    window: MainWindow, theme: Theme, file: Path, qtbot: QtBot, artefacts: Path
) -> None:
    crashed(file, edits=12)
    look(window)
    window.registry.run("file.restore")
    dialog = dialog_of(window)
    assert not dialog.edits.isVisible()
    qtbot.mouseClick(dialog.show_edits, LEFT)
    assert dialog.edits.isVisible()
    assert dialog.folder.isVisible()
    assert dialog.edits.toPlainText().count("Set yaw of 100 in 1 frame") == 12
    for mode in ("light", "dark"):
        theme.set_mode("dark" if mode == "dark" else "light")
        dialog.grab().save(str(artefacts / f"leftover-{mode}.png"))
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert len(find_leftovers()) == 1
    assert window.session.snapshot is None


def discard_asks_once_more(window: MainWindow, file: Path, qtbot: QtBot) -> None:
    crashed(file)
    look(window)
    window.recovery.ask()
    qtbot.mouseClick(dialog_of(window).discard, LEFT)
    question = window.findChild(Question, "discardQuestion")
    assert question is not None
    assert "permanently" in question.heading.text()
    qtbot.mouseClick(question.buttons["Discard"], LEFT)
    assert find_leftovers() == []
    assert not window.start_page.leftovers_button.isVisible()
    assert file.read_bytes() == DRIVE


def several_are_offered_one_after_another(window: MainWindow, file: Path, qtbot: QtBot) -> None:
    other = file.with_name("other.log")
    other.write_bytes(DRIVE)
    crashed(file)
    crashed(other)
    look(window)
    assert window.start_page.leftovers_button.text() == "Unsaved edits of 2 recordings were found..."
    window.recovery.ask()
    assert dialog_of(window).leftover.path == other
    qtbot.mouseClick(dialog_of(window).later, LEFT)
    qtbot.waitUntil(lambda: dialog_of(window).leftover.path == file)
    qtbot.mouseClick(dialog_of(window).later, LEFT)
    assert len(find_leftovers()) == 2


def a_file_that_is_another_one_by_now_says_so_and_keeps_the_edits(window: MainWindow, file: Path, qtbot: QtBot) -> None:
    crashed(file)
    leftover = find_leftovers()[0]
    os.utime(file, ns=(1, 1))
    look(window)
    window.recovery.ask()
    dialog = dialog_of(window)
    assert not dialog.restore.isEnabled()
    qtbot.mouseClick(dialog.later, LEFT)
    window.documents.restore(leftover)
    qtbot.waitUntil(lambda: window.findChild(ErrorDialog) is not None)
    trouble = window.findChild(ErrorDialog)
    assert trouble is not None
    assert "town.log has been changed since the edits were made" in trouble.report.what
    trouble.close()
    assert len(find_leftovers()) == 1


def test_a_window_without_a_recording_offers_what_a_crash_left(
    open_window: OpenWindow, theme: Theme, file: Path, qtbot: QtBot, artefacts: Path, subtests: pytest.Subtests
) -> None:
    """In one window, which offers at once what is there; nothing is left of a part when the next one begins."""
    crashed(file)
    window = open_window()
    assert window.start_page.leftovers_button.isVisible()
    parts = Parts()
    for part in (
        restore_shows_the_edits_again,
        a_window_that_restores_many_edits_does_not_look_for_others_before_it_is_done,
        show_lists_the_edits_and_later_keeps_them,
        discard_asks_once_more,
        several_are_offered_one_after_another,
        a_file_that_is_another_one_by_now_says_so_and_keeps_the_edits,
    ):
        parts(part)

    def begin() -> dict[str, object]:
        close_dialogs()
        window.session.show_none()
        for leftover in find_leftovers():
            leftover.discard()
        look(window)
        file.write_bytes(DRIVE)
        theme.set_mode("light")
        bring_up(window, qtbot)
        assert not window.start_page.leftovers_button.isVisible()
        return {}

    parts.run(subtests, begin, window=window, theme=theme, file=file, qtbot=qtbot, artefacts=artefacts)


def unsaved_edits_are_asked_for_in_the_menu_only_while_there_are_some(
    window: MainWindow, file: Path, qtbot: QtBot
) -> None:
    menu, action = window.menus["File"], window.registry["file.restore"]
    menu.aboutToShow.emit()
    assert not action.isEnabled()
    assert action.statusTip() == "No unsaved edits of earlier runs were found."
    other = file.with_name("other.log")
    other.write_bytes(DRIVE)
    crashed(other)
    menu.aboutToShow.emit()
    assert action.isEnabled()
    action.trigger()
    dialog_of(window).close()
    find_leftovers()[0].discard()
    menu.aboutToShow.emit()
    assert not action.isEnabled()
    with qtbot.waitSignal(window.session.informed) as said:  # another window was faster
        window.recovery.ask_or_say()
    assert said.args == [action.statusTip()]


def what_a_crash_left_is_looked_for_when_somebody_may_want_it_and_not_with_every_refresh(
    window: MainWindow, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []
    monkeypatch.setattr(recovery, "has_leftovers", lambda: bool(looks.append("look")) or has_leftovers())
    action, other = window.registry["file.restore"], file.with_name("other.log")
    other.write_bytes(DRIVE)
    crashed(other)
    for _ in range(3):
        window.registry.refresh()
    assert (looks, action.isEnabled()) == ([], False)
    window.registry.run("palette.open")
    assert (looks, action.isEnabled()) == (["look"], True)
    find_leftovers()[0].discard()
    window.documents.close()
    assert not action.isEnabled()


def two_windows_on_one_file_are_told(window: MainWindow, open_window: OpenWindow, file: Path, qtbot: QtBot) -> None:
    assert not window.message_bar.isVisible()
    assert window.session.recording is not None
    assert window.session.recording.journal is not None
    assert window.session.recording.journal.flush(30)
    second = open_window(file)
    assert second.message_bar.isVisible()
    assert "town.log is open in another window, too." in second.message_bar.words.text()
    qtbot.mouseClick(second.message_bar.keep, LEFT)
    assert not second.message_bar.isVisible()


def an_edit_in_a_window_is_in_a_journal_until_it_is_closed(window: MainWindow) -> None:
    session = window.session
    session.editing.apply(turn(session.recording, 3))
    assert session.recording is not None
    keeping = session.recording.journal
    assert keeping is not None
    assert keeping.flush(30)
    assert keeping.path.exists()
    window.close_anyway()
    assert not keeping.path.exists()


def test_a_window_with_a_recording_keeps_a_journal_and_offers_that_of_others(
    open_window: OpenWindow, file: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    """In one window, whose recording is opened again before each part, and which the last part closes."""
    window = open_window(file)
    parts = Parts()
    for part in (
        unsaved_edits_are_asked_for_in_the_menu_only_while_there_are_some,
        what_a_crash_left_is_looked_for_when_somebody_may_want_it_and_not_with_every_refresh,
        two_windows_on_one_file_are_told,
        an_edit_in_a_window_is_in_a_journal_until_it_is_closed,
    ):
        parts(part)

    def begin() -> dict[str, object]:
        close_dialogs()
        window.session.open(file)
        idle(window, qtbot)
        return {}

    parts.run(subtests, begin, window=window, open_window=open_window, file=file, qtbot=qtbot)


def test_a_window_that_shows_another_file_leaves_it_to_a_new_one(program: Program, file: Path, qtbot: QtBot) -> None:
    held = crashed(file)
    other = file.with_name("other.log")
    other.write_bytes(DRIVE)
    window = program.new_window(other)
    qtbot.waitUntil(lambda: window.session.is_complete)
    window.recovery.ask()
    qtbot.mouseClick(dialog_of(window).restore, LEFT)
    qtbot.waitUntil(lambda: len(program.windows) == 2 and program.windows[1].session.is_complete)
    second = program.windows[1].session.recording
    assert second is not None
    assert content(second) == held


def test_a_state_folder_that_cannot_be_written_is_told(
    open_window: OpenWindow, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = file.with_name("a file")
    in_the_way.write_bytes(b"")
    monkeypatch.setenv("RECORDER_EDITOR_STATE_DIR", str(in_the_way / "state"))
    window = open_window(file)
    assert window.message_bar.isVisible()
    assert "would be lost in a crash" in window.message_bar.words.text()
    refused: list[str] = []
    window.session.refused.connect(refused.append)
    window.session.editing.attempt(lambda: turn(window.session.recording, 3))
    assert refused
    assert refused[0].startswith("Nothing was changed. ")
    assert refused[0].endswith("Not a directory.")
    assert not window.session.is_modified


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no such signals")
@pytest.mark.sampled(cases=2)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_program_that_is_asked_to_end_keeps_the_edits(
    program: Program, file: Path, qtbot: QtBot, number: signal.Signals
) -> None:
    before = signal.signal(number, signal.SIG_DFL)  # whoever started the tests may ignore it
    with program.ending_on_signals():
        edited, clean = program.new_window(file), program.new_window(file)
        qtbot.waitUntil(lambda: edited.session.is_complete and clean.session.is_complete)
        edited.session.editing.apply(turn(edited.session.recording, 3))
        os.kill(os.getpid(), number)
        qtbot.waitUntil(lambda: not program.windows)
    signal.signal(number, before)
    assert program.exit_code == 128 + number
    assert [len(leftover.steps) for leftover in find_leftovers()] == [1]
