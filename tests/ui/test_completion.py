"""The list of completions at the cursor of an expression."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout
from pytestqt.qtbot import QtBot

from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.completion import ExpressionCompleter

from .. import builders as b
from ..recording.films import add, film
from .windows import bring_up

Key = Qt.Key
Press = Callable[..., None]


class Asked(QDialog):
    """A dialog with one expression. Attributes: `line`, `completer`, `entered` (texts that Enter confirmed)."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.line = QLineEdit()
        self.entered: list[str] = []
        self.line.returnPressed.connect(lambda: self.entered.append(self.line.text()))
        QVBoxLayout(self).addWidget(self.line)
        self.completer = ExpressionCompleter(session, theme, self.line)
        self.resize(500, 80)


@pytest.fixture
def asked(session: Session, theme: Theme, tmp_path: Path, qtbot: QtBot) -> Asked:
    path = tmp_path / "town.log"
    path.write_bytes(film([add(b.actor(1, blueprint="vehicle.tesla.model3"))], []))
    session.open(path, dialect="ue4-0.9.12")
    qtbot.waitUntil(lambda: session.actors is not None)
    asked = Asked(session, theme)
    qtbot.addWidget(asked)
    bring_up(asked, qtbot)
    asked.line.setFocus()
    return asked


@pytest.fixture
def press(asked: Asked, qtbot: QtBot) -> Press:
    def press(*keys: Key | str, control: bool = False) -> None:
        modifier = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
        for key in (part for each in keys for part in (each if isinstance(each, str) else (each,))):
            qtbot.keyClick(asked.line, key, modifier)

    return press


def shown(asked: Asked) -> list[str]:
    matches = asked.completer.matches.rows
    return [match.text for match in matches] if asked.completer.list.isVisible() else []


@pytest.mark.xcb
def test_a_query_is_written_by_its_beginnings(asked: Asked, press: Press) -> None:
    press("posi")
    assert shown(asked) == ["Position"]
    press(Key.Key_Tab, " wh", Key.Key_Return, ' blueprint == "te')
    assert shown(asked) == ['"vehicle.tesla.model3"']
    press(Key.Key_Return, " and loc", Key.Key_Down, Key.Key_Return, " < 0")
    assert asked.line.text() == 'Position where blueprint == "vehicle.tesla.model3" and location.y < 0'
    assert (asked.entered, asked.isVisible(), shown(asked)) == ([], True, [])


def test_while_the_list_is_closed_enter_and_escape_are_of_the_line(asked: Asked, press: Press) -> None:
    press("posi", Key.Key_Escape)
    assert (shown(asked), asked.isVisible()) == ([], True)
    press(Key.Key_Return)
    assert asked.entered == ["posi"]
    press("tion")  # the whole word: nothing is left to be proposed
    assert shown(asked) == []
    press(Key.Key_Return)
    assert asked.entered == ["posi", "position"]
    press(Key.Key_Escape)
    assert not asked.isVisible()


def test_control_and_space_shows_all_that_may_stand_at_the_cursor(asked: Asked, press: Press, qtbot: QtBot) -> None:
    asked.line.setText("Position where  > 0")
    assert shown(asked) == []
    asked.line.setCursorPosition(len("Position where "))
    press(Key.Key_Space, control=True)
    assert {"location.x", "speed", "isnan("} <= set(shown(asked))
    row = shown(asked).index("speed")
    asked.completer.list.scrollTo(asked.completer.list.model().index(row, 0))
    place = asked.completer.list.visualRect(asked.completer.list.model().index(row, 0)).center()
    qtbot.mouseClick(asked.completer.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked.line.text() == "Position where speed > 0"
    assert asked.line.cursorPosition() == len("Position where speed")
    assert shown(asked) == []


def test_words_that_begin_nothing_open_no_list(asked: Asked, press: Press) -> None:
    press("tesla")
    assert shown(asked) == []
    press(Key.Key_Return)
    assert asked.entered == ["tesla"]


def test_the_list_closes_when_the_look_changes(asked: Asked, press: Press, theme: Theme) -> None:
    press(Key.Key_Space, control=True)
    assert asked.completer.list.isVisible()
    theme.set_mode("dark")
    assert not asked.completer.list.isVisible()
