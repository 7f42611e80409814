"""Letters that open menus and press buttons with Alt: in one menu or dialog each is that of one thing."""

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from recorder_editor import resources
from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.session.preferences import LANGUAGE
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.style import language
from recorder_editor.ui.style.boxes import fill

from .windows import PARTS, OpenWindow, ask_nobody, dialogs


def twice(texts: Iterable[str]) -> list[str]:
    """The texts whose letter another one has, too."""
    keys = [(QKeySequence.mnemonic(text).toString(), text) for text in texts]
    count = Counter(key for key, _ in keys if key)
    return [text for key, text in keys if count[key] > 1]


def of_window(window: QWidget) -> Iterator[str]:
    """The texts in a window, or in a dialog, that may have letters."""
    for widget in (each for each in window.findChildren(QWidget) if each.isVisible() and each.window() is window):
        if isinstance(widget, QAbstractButton) or (isinstance(widget, QLabel) and widget.buddy() is not None):
            yield widget.text()
        elif isinstance(widget, QGroupBox):
            yield widget.title()
        elif isinstance(widget, QTabBar):
            yield from (widget.tabText(tab) for tab in range(widget.count()))


@pytest.mark.parametrize("name", language.LANGUAGES)
@pytest.mark.parametrize("part", [PARTS[2], PARTS[-1]])
def test_no_letter_is_that_of_two_things(
    name: str,
    part: slice,
    open_window: OpenWindow,
    settings: Settings,
    qapp: QApplication,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(language, "has_letters", lambda _name: True)
    ask_nobody(monkeypatch)
    settings[LANGUAGE] = name
    window = open_window(resources.path("sample/town.log"), preset="inspect")
    try:
        wait_for_jobs(window)
        window.session.selection.select_actor(25)
        assert not twice([*(each.text() for each in window.menuBar().actions()), *of_window(window)])
        of_texts = QLineEdit(window).createStandardContextMenu()
        for menu in (of_texts, *window.findChildren(QMenu)):
            menu.aboutToShow.emit()
            assert not twice(each.text() for each in menu.actions()), menu.title()
        for action in dialogs(window, part):
            if window.registry.is_enabled(action):
                window.registry.run(action)
                settle()
                for dialog in (each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog)):
                    assert not twice(of_window(dialog)), action
                    dialog.close()
    finally:
        language.use_language(qapp, "en")


def test_two_things_with_one_letter_are_found(qtbot: QtBot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    fill(QHBoxLayout(dialog), *(QPushButton(text) for text in ("&Open", "保存(&S)", "&Stop", "Search && replace")))
    dialog.show()
    assert twice(of_window(dialog)) == ["保存(&S)", "&Stop"]
