"""Preferences: what is declared is kept, found by its words, chosen in one dialog, and takes effect at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from recorder_editor.ui.dialogs.preferences import PreferencesDialog
from recorder_editor.ui.main_window import MainWindow
from recorder_editor.ui.preferences import (
    APPLY_TO,
    FOLLOWS_PLAYBACK,
    KEEPS_BACKUP,
    PREFERENCES,
    TEXT_SIZE_PIXELS,
    THEME,
    UNDO_MEMORY,
    Preference,
)
from recorder_editor.ui.settings import Settings
from recorder_editor.ui.theme import LARGEST_TEXT, Theme
from recorder_editor.ui.widgets import CheckEdit, ChoiceEdit, NumberEdit

from .windows import OpenWindow

CONTROL = Qt.KeyboardModifier.ControlModifier


def another(preference: Preference[Any]) -> Any:
    """A value that is not the default."""
    if preference.choices:
        return list(preference.choices)[-1] if preference.default == next(iter(preference.choices)) else "system"
    return not preference.default if isinstance(preference.default, bool) else preference.default + preference.step


@pytest.fixture
def dialog(settings: Settings, theme: Theme, qtbot: QtBot) -> PreferencesDialog:
    dialog = PreferencesDialog(settings, theme)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def shown(dialog: PreferencesDialog) -> list[str]:
    return [name for name, row in dialog.rows.items() if row.isVisible()]


def typed(qtbot: QtBot, editor: QWidget, text: str) -> None:
    assert isinstance(editor, NumberEdit)
    editor.setFocus()
    editor.selectAll()
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)


# --- what is kept ---------------------------------------------------------------------------------------


def test_every_preference_is_kept_and_announced_once(settings: Settings) -> None:
    told: list[Preference[Any]] = []
    settings.changed.connect(told.append)
    for each in PREFERENCES:
        assert settings[each] == each.default
        settings[each] = another(each)
        settings[each] = another(each)
    assert [each.name for each in told] == [each.name for each in PREFERENCES]
    later = Settings(settings.path)
    assert all(later[each] == another(each) for each in PREFERENCES)


@pytest.mark.parametrize("text", ["", "yes please", "-3", "99999999999999", "٣", "None"])
def test_a_spoilt_preference_is_one_that_can_be_chosen(text: str) -> None:
    assert THEME.read(text) == "system"
    assert KEEPS_BACKUP.read(text) is False
    assert TEXT_SIZE_PIXELS.read(text) == 12
    assert TEXT_SIZE_PIXELS.read("700") == LARGEST_TEXT


def test_names_in_the_file_are_each_used_once() -> None:
    assert len({each.name for each in PREFERENCES}) == len(PREFERENCES)


# --- the dialog -----------------------------------------------------------------------------------------


def test_a_group_is_chosen_at_the_left(dialog: PreferencesDialog, qtbot: QtBot) -> None:
    for row, group in enumerate(dict.fromkeys(each.group for each in PREFERENCES)):
        item = dialog.groups.item(row)
        assert item.text() == group
        place = dialog.groups.visualItemRect(item).center()
        qtbot.mouseClick(dialog.groups.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert shown(dialog) == [each.name for each in PREFERENCES if each.group == group]


def test_words_find_preferences_of_all_groups(dialog: PreferencesDialog, qtbot: QtBot) -> None:
    qtbot.keyClicks(dialog.search, "night")
    assert shown(dialog) == [THEME.name]
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "follow play")
    assert shown(dialog) == [FOLLOWS_PLAYBACK.name]
    qtbot.keyClicks(dialog.search, " xyzzy")
    assert shown(dialog) == []
    dialog.groups.setCurrentRow(dialog.groups.count() - 1)
    assert dialog.search.text() == ""
    assert THEME.name in shown(dialog)


def test_a_choice_is_made_by_keys_and_taken_back_by_reset(
    dialog: PreferencesDialog, settings: Settings, qtbot: QtBot
) -> None:
    dialog.show_preference(THEME)
    row = dialog.rows[THEME.name]
    assert isinstance(row.editor, ChoiceEdit)
    assert row.editor.hasFocus()
    assert not row.reset.isVisible()
    qtbot.keyClick(row.editor, Qt.Key.Key_End)
    assert settings[THEME] == "dark"
    qtbot.mouseClick(row.reset, Qt.MouseButton.LeftButton)
    assert settings[THEME] == "system"
    assert row.editor.currentText() == "System"
    assert not row.reset.isVisible()


def test_a_switch_and_a_number_are_taken_at_once(dialog: PreferencesDialog, settings: Settings, qtbot: QtBot) -> None:
    dialog.show_preference(KEEPS_BACKUP)
    box = dialog.rows[KEEPS_BACKUP.name].editor
    assert isinstance(box, CheckEdit)
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert settings[KEEPS_BACKUP]
    memory = dialog.rows[UNDO_MEMORY.name].editor
    typed(qtbot, memory, "512")
    assert settings[UNDO_MEMORY] == 512
    assert dialog.isVisible()
    typed(qtbot, memory, "1")
    assert isinstance(memory, NumberEdit)
    assert memory.reason == "The smallest value here is 16 MB."
    assert settings[UNDO_MEMORY] == 512


def test_the_dialog_shows_what_is_chosen_elsewhere(dialog: PreferencesDialog, settings: Settings) -> None:
    settings[APPLY_TO] = "life"
    editor = dialog.rows[APPLY_TO.name].editor
    assert isinstance(editor, ChoiceEdit)
    assert editor.currentText() == "Whole life"


# --- the window -----------------------------------------------------------------------------------------


def opened(window: MainWindow) -> PreferencesDialog:
    dialog = window.findChild(PreferencesDialog)
    assert isinstance(dialog, PreferencesDialog)
    return dialog


def test_what_is_chosen_takes_effect_at_once(
    open_window: OpenWindow, settings: Settings, path: Path, qtbot: QtBot
) -> None:
    window = open_window(path)
    qtbot.keyClick(window, Qt.Key.Key_Comma, CONTROL)
    dialog = opened(window)
    qtbot.keyClick(window, Qt.Key.Key_Comma, CONTROL)
    assert window.findChildren(PreferencesDialog) == [dialog]
    typed(qtbot, dialog.rows[TEXT_SIZE_PIXELS.name].editor, "15")
    assert window.theme.text_size == 15
    settings[THEME] = "dark"
    assert window.theme.palette.dark
    settings[APPLY_TO] = "onward"
    assert window.session.editing.scope == "onward"
    settings[UNDO_MEMORY] = 32
    assert window.session.recording is not None
    assert window.session.recording.history.max_bytes == 32 << 20
    window.session.open(path)
    assert window.session.recording.history.max_bytes == 32 << 20


def test_a_preference_is_found_under_ctrl_k_and_opens_the_dialog_at_it(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    field = window.search_field
    qtbot.keyClicks(field, "undo memory")
    assert field.model.matches[0].detail == "Preferences > Editing"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert opened(window).rows[UNDO_MEMORY.name].isVisible()


def test_the_action_stands_in_the_program_menu_of_macos(open_window: OpenWindow) -> None:
    assert open_window().registry["file.preferences"].menuRole() == QAction.MenuRole.PreferencesRole


def test_a_new_window_begins_with_what_was_chosen(
    make_program: Callable[..., Any], settings: Settings, theme: Theme
) -> None:
    settings[APPLY_TO] = "life"
    settings[TEXT_SIZE_PIXELS] = 14
    program = make_program(settings)
    assert theme.text_size == 14
    assert program.new_window().session.editing.scope == "life"
