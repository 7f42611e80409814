"""The registry of actions: one specification feeds menus, keys, tooltips and the list under Ctrl+K."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QMenuBar
from pytestqt.qtbot import QtBot

from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.actions import Actions, ActionSpec
from recorder_editor.ui.widgets.menus import fill_menus


class Doings:
    """What was done, and what can be done."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.can = True
        self.on = False

    def do(self) -> None:
        self.done.append("done")

    def switch(self, on: bool) -> None:
        self.on = on


@pytest.fixture
def doings() -> Doings:
    return Doings()


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    return window


@pytest.fixture
def actions(window: QMainWindow, theme: Theme) -> Actions:
    return Actions(window, theme.icons)


def test_a_key_of_the_window_runs_its_action(
    qtbot: QtBot, window: QMainWindow, actions: Actions, doings: Doings
) -> None:
    actions.add(ActionSpec("file.open", "Open...", doings.do, "Ctrl+O"))
    qtbot.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    assert doings.done == ["done"]


def test_a_key_of_a_pane_is_shown_but_not_taken(
    qtbot: QtBot, window: QMainWindow, actions: Actions, doings: Doings
) -> None:
    actions.add(ActionSpec("scene.fit", "Fit", doings.do, "F", context="pane"))
    qtbot.keyClick(window, Qt.Key.Key_F)
    assert doings.done == []
    assert actions["scene.fit"].text() == "Fit\tF"
    assert actions["scene.fit"].toolTip() == "Fit (F)"


def test_an_action_that_cannot_be_done_is_grey_and_does_nothing(actions: Actions, doings: Doings) -> None:
    actions.add(ActionSpec("edit.undo", "Undo", doings.do, enabled=lambda: doings.can))
    assert actions["edit.undo"].isEnabled()
    doings.can = False
    actions.refresh()
    assert not actions["edit.undo"].isEnabled()
    actions.run("edit.undo")
    assert doings.done == []


def test_run_asks_anew_whether_it_can_be_done(actions: Actions, doings: Doings) -> None:
    doings.can = False
    actions.add(ActionSpec("edit.undo", "Undo", doings.do, enabled=lambda: doings.can))
    doings.can = True
    actions.run("edit.undo")
    assert doings.done == ["done"]
    assert actions["edit.undo"].isEnabled()
    doings.can = False
    actions.refresh()
    assert not actions["edit.undo"].isEnabled()


def test_a_checkable_action_gives_its_new_state_and_shows_it(actions: Actions, doings: Doings) -> None:
    actions.add(ActionSpec("view.roads", "Roads", doings.switch, checked=lambda: doings.on))
    actions["view.roads"].trigger()
    assert doings.on
    actions.refresh()
    assert actions["view.roads"].isChecked()


def test_what_is_on_is_turned_off_although_its_tick_was_not_set_yet(actions: Actions, doings: Doings) -> None:
    actions.add(ActionSpec("view.roads", "Roads", doings.switch, checked=lambda: doings.on))
    doings.on = True
    assert not actions["view.roads"].isChecked()
    actions["view.roads"].trigger()
    assert not doings.on


def test_the_tooltip_is_a_sentence_and_the_key(actions: Actions, doings: Doings) -> None:
    actions.add(ActionSpec("file.save", "Save", doings.do, "Ctrl+S", tooltip="Write the edits to the file"))
    assert actions["file.save"].toolTip() == "Write the edits to the file (Ctrl+S)"


def test_several_keys_lead_to_one_action(qtbot: QtBot, window: QMainWindow, actions: Actions, doings: Doings) -> None:
    actions.add(ActionSpec("edit.redo", "Redo", doings.do, "Ctrl+Shift+Z; Ctrl+Y"))
    qtbot.keyClick(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert doings.done == ["done", "done"]


def test_an_id_or_a_key_that_is_taken_is_refused(actions: Actions, doings: Doings) -> None:
    actions.add(ActionSpec("file.open", "Open", doings.do, "Ctrl+O"))
    with pytest.raises(ValueError, match=r"file\.open"):
        actions.add(ActionSpec("file.open", "Open again", doings.do))
    with pytest.raises(ValueError, match="the same key"):
        actions.add(ActionSpec("other", "Other", doings.do, "Ctrl+O"))


def test_menus_follow_paths_and_part_sections_by_lines(qtbot: QtBot, actions: Actions, doings: Doings) -> None:
    actions.add(
        ActionSpec("a", "A", doings.do, menu="File"),
        ActionSpec("b", "B", doings.do, menu="File", section="more"),
        ActionSpec("c", "C", doings.do, menu="File/Inner"),
        ActionSpec("d", "D", doings.do, menu=""),
    )
    bar = QMenuBar()
    qtbot.addWidget(bar)
    menus = fill_menus(bar, ("File", "Edit"), actions, str)
    file = menus["File"]
    assert [action.text() for action in file.actions() if not action.isSeparator()] == ["A", "B", "Inner"]
    assert [action.isSeparator() for action in file.actions()] == [False, True, False, True, False]
    assert [action.text() for action in menus["File/Inner"].actions()] == ["C"]
    assert [menu.title() for menu in (menus["File"], menus["Edit"])] == ["&File", "&Edit"]


def test_what_is_added_later_is_there_when_it_is_asked_for_in_its_place_and_its_menu(
    window: QMainWindow, actions: Actions, doings: Doings
) -> None:
    made: list[str] = []

    def later() -> list[ActionSpec]:
        made.append("made")
        return [ActionSpec("b", "B", doings.do, "Ctrl+B", menu="File")]

    bar = QMenuBar(window)
    actions.add(ActionSpec("a", "A", doings.do, menu="File"), ActionSpec("c", "C", doings.do, menu="Edit"))
    actions.add_later(1, later)
    actions.choose_keys({"b": "Ctrl+K"})
    menus = fill_menus(bar, ("File", "Edit"), actions, str)
    assert "a" in [spec.id for spec in actions.present]
    assert not made
    actions.run("b")
    assert doings.done == ["done"]
    assert [spec.id for spec in actions] == ["a", "b", "c"]
    assert [action.text() for action in menus["File"].actions()] == ["A", "B"]
    assert actions.spec("b").shortcut == "Ctrl+K"
    assert made == ["made"]
    with pytest.raises(KeyError):
        actions.spec("d")


def test_a_menu_that_opens_holds_what_was_to_be_added_later(
    window: QMainWindow, actions: Actions, doings: Doings
) -> None:
    menus = fill_menus(QMenuBar(window), ("File",), actions, str)
    actions.add_later(0, lambda: [ActionSpec("a", "A", doings.do, menu="File")])
    menus["File"].aboutToShow.emit()
    assert [action.text() for action in menus["File"].actions()] == ["A"]
