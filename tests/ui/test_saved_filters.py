"""Filters that are kept under a name."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from recorder_editor.ui.panes.packets.saved_filters import SavedFilters
from recorder_editor.ui.session.settings import MOST_TEXTS, Settings
from recorder_editor.ui.style.theme import Theme

from .windows import bring_up, inner_menu


def test_a_filter_is_kept_under_a_name_taken_from_the_menu_and_forgotten(
    settings: Settings, theme: Theme, qtbot: QtBot
) -> None:
    line = QLineEdit()
    qtbot.addWidget(line)
    bring_up(line, qtbot)
    saved = SavedFilters(settings, theme, line)

    def choose(name: str, inner: str = "") -> None:
        menu = saved.menu()
        under = inner_menu(menu, name) if inner else menu
        next(action for action in under.actions() if action.text() == (inner or name)).trigger()
        menu.deleteLater()

    def keep(name: str, text: str) -> None:
        line.setText(text)
        choose("Save filter...")
        dialog = line.window().findChild(QDialog, "askName")
        assert isinstance(dialog, QDialog)
        qtbot.keyClicks(dialog.findChild(QLineEdit), name)
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: line.window().findChild(QDialog, "askName") is None)

    keep("Hero", 'Position where role == "hero"')
    keep("Fast", "Position where speed > 8")
    keep("Fast", "Position where speed > 9")
    fast = ("Fast", "Position where speed > 9")
    assert Settings(settings.path).filters == (fast, ("Hero", 'Position where role == "hero"'))
    choose("Hero")
    assert line.text() == 'Position where role == "hero"'
    choose("Delete filter", "Hero")
    assert settings.filters == (fast,)
    line.customContextMenuRequested.emit(QPoint(3, 3))
    shown = QApplication.activePopupWidget()
    assert isinstance(shown, QMenu)
    assert "Fast" in [action.text() for action in shown.actions()]
    shown.close()


def test_a_spoilt_list_is_an_empty_one_and_a_long_one_is_cut(settings: Settings) -> None:
    settings.filters = [(f"n{number}", "Position") for number in range(MOST_TEXTS + 9)]
    kept = Settings(settings.path).filters
    assert (len(kept), kept[0]) == (MOST_TEXTS, ("n0", "Position"))
    settings.store.setValue("filters", "[1, [2]]")
    assert settings.filters == ()


def test_no_more_are_kept_than_there_is_room_for_and_none_is_pushed_out(
    settings: Settings, theme: Theme, qtbot: QtBot
) -> None:
    line = QLineEdit("Position")
    qtbot.addWidget(line)
    saved = SavedFilters(settings, theme, line)
    for count, is_enabled in ((MOST_TEXTS - 1, True), (MOST_TEXTS, False)):
        settings.filters = [(f"n{number}", "Position") for number in range(count)]
        menu = saved.menu()
        save = next(action for action in menu.actions() if action.text() == "Save filter...")
        assert save.isEnabled() == is_enabled
        menu.deleteLater()
    assert save.toolTip() == "50 filters are the most that are kept; delete one first."
