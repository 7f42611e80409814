"""Dialogs keep still: whatever is chosen in them, their size and the places of their buttons stay."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from recorder_editor.ui.app import settle
from recorder_editor.ui.dialogs.append import AppendDialog
from recorder_editor.ui.dialogs.base import BaseDialog
from recorder_editor.ui.dialogs.preferences import PreferencesDialog
from recorder_editor.ui.dialogs.preview import PreviewDialog
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.widgets import Segmented

from .windows import OpenWindow, ask_nobody, dialogs, idle

MOST_PREVIEWS = 14
"""Choices of a dialog whose previews are waited for: those of all tables of the export would take seconds."""

Places = tuple[QSize, dict[QPushButton, QRect]]


def places(dialog: BaseDialog) -> Places:
    """The size of a dialog, and where the buttons of its foot are; hidden ones are asked for nothing."""
    foot = dialog._foot
    buttons = {}
    for number in range(foot.count()):
        button = foot.itemAt(number).widget()
        if isinstance(button, QPushButton) and button.isVisible():
            buttons[button] = QRect(button.mapTo(dialog, QPoint()), button.size())
    return dialog.size(), buttons


def shown_dialogs() -> list[BaseDialog]:
    widgets = QApplication.topLevelWidgets()
    return [each for each in widgets if isinstance(each, BaseDialog) and each.isVisible()]


def choose_everything(dialog: BaseDialog) -> Iterator[str]:
    """Choose each value of each field that can be chosen in, as a click would, and the first one again."""
    for switch in dialog.findChildren(Segmented):
        first = switch.current
        for index in (*range(len(switch._segments)), first):
            if switch.isVisible() and switch.segment(index).isEnabled():
                switch.segment(index).click()  # type: ignore[attr-defined]
                yield f"{switch.accessibleName()} {index}"
    for box in dialog.findChildren(QCheckBox):
        for _ in range(2):
            if box.isVisible() and box.isEnabled():
                box.click()
                yield box.accessibleName() or box.text()
    for choice in dialog.findChildren(QComboBox):
        first = choice.currentIndex()
        for index in (*range(choice.count()), first):
            if choice.isVisible() and choice.isEnabled():
                choice.setCurrentIndex(index)
                choice.activated.emit(index)
                yield f"{choice.accessibleName()}: {choice.currentText()}"


def rest(dialog: BaseDialog, qtbot: QtBot) -> None:
    if isinstance(dialog, PreviewDialog):
        qtbot.waitUntil(lambda: not dialog.looking.is_pending)
    QApplication.processEvents()


def assert_still(dialog: BaseDialog, qtbot: QtBot) -> int:
    """Go through all choices; returns how many there were."""
    rest(dialog, qtbot)
    size, buttons = places(dialog)
    chosen = 0
    for choice in choose_everything(dialog):
        if chosen < MOST_PREVIEWS:
            rest(dialog, qtbot)
        QApplication.processEvents()
        later_size, later_buttons = places(dialog)
        assert later_size == size, choice
        moved = [button.text() for button, place in later_buttons.items() if place != buttons.setdefault(button, place)]
        assert moved == [], choice
        chosen += 1
    return chosen


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    ask_nobody(monkeypatch)
    window = open_window(path)
    idle(window, qtbot)
    window.session.selection.go_to_frame(10)
    window.session.selection.select_actor(101)
    window.session.range.set(5, 30)
    return window


def test_all_choices_of_all_dialogs(window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    chosen = {}
    with subtests.test("append"):
        window.documents.append(window.session.path)
        (append,) = window.findChildren(AppendDialog)
        size, buttons = places(append)
        idle(window, qtbot)
        assert append.command.isVisible()
        assert places(append) == (size, buttons)
        chosen["append"] = assert_still(append, qtbot)
        append.close()
    for action in dialogs(window, slice(None)):
        if action == "dialect.why" or not window.registry.is_enabled(action):  # its choice is done to the recording
            continue
        with subtests.test(action):
            window.registry.run(action)
            settle()
            for dialog in shown_dialogs():
                if not isinstance(dialog, PreferencesDialog):  # what is chosen there changes the window and the text
                    chosen[action] = assert_still(dialog, qtbot)
                dialog.close()
    assert chosen["file.export"] > 20
    assert len([number for number in chosen.values() if number]) > 8


def test_what_is_said_takes_no_room_from_the_buttons(window: MainWindow, qtbot: QtBot) -> None:
    """It stands above them at once; what has no room scrolls, and its end is shown."""
    window.registry.run("actor.role")
    (dialog,) = shown_dialogs()
    assert isinstance(dialog, PreviewDialog)
    settle()
    before = places(dialog)
    dialog.go.setFocus()
    for words in ("One sentence.", "Many sentences. " * 12, "Many more sentences. " * 60, ""):
        dialog.job_panel.show_sentence(words)
        settle()
        assert places(dialog) == before
        sentence = dialog.job_panel.sentence
        bottom = sentence.mapTo(dialog, sentence.rect().bottomLeft()).y()
        assert not words or bottom < min(place.top() for place in before[1].values())
        assert sentence.height() >= sentence.heightForWidth(sentence.width()) or not words
    dialog.close()


def test_reports_keep_still_with_large_text(window: MainWindow, qtbot: QtBot) -> None:
    """There the foot has no room to spare: what is said beside the buttons takes none of theirs."""
    window.theme.set_text_size(22)
    window.registry.run("tools.reports")
    settle()
    (dialog,) = shown_dialogs()
    assert assert_still(dialog, qtbot) > 5
    dialog.close()
