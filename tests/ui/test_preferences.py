"""Preferences: what is declared is kept, found by its words, chosen in one dialog, and takes effect at once."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor.edits import Place
from recorder_editor.option_specs import options_of
from recorder_editor.reading.thresholds import STANDARD, Thresholds
from recorder_editor.recording.files import SCRATCH_ENDING
from recorder_editor.recording.store import state_folder
from recorder_editor.recording.user_folders import usual_state_folder
from recorder_editor.ui.app import settle
from recorder_editor.ui.dialogs.key_table import KeysRow
from recorder_editor.ui.dialogs.preferences import FolderRow, PreferencesDialog
from recorder_editor.ui.session.preferences import (
    APPLY_TO,
    FOLDER,
    FOLLOWS_PLAYBACK,
    KEEPS_BACKUP,
    KEYS,
    PREFERENCES,
    TEXT_SIZE_PIXELS,
    THEME,
    THRESHOLDS,
    UNDO_MEMORY,
    Preference,
    preference_table,
)
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.commands.file import show_preferences
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import BYTES, PACKETS, SCENE, SIGNALS, TIMELINE
from recorder_editor.ui.style.look import LARGEST_TEXT
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import CheckEdit, ChoiceEdit, NumberEdit
from recorder_editor.ui.widgets.actions import Actions

from .parts import Parts, begin_anew
from .windows import OpenWindow, bring_up

CONTROL = Qt.KeyboardModifier.ControlModifier

of_dialog, of_keys, of_window = Parts(), Parts(), Parts()


def another(preference: Preference[Any]) -> Any:
    """A value that is not the default."""
    if preference.choices:
        return preference.choices[-1] if preference.default == preference.choices[0] else "system"
    if isinstance(preference.default, str):
        return '{"file.open": "F2"}'
    return not preference.default if isinstance(preference.default, bool) else preference.default + preference.step


@pytest.fixture
def dialog(settings: Settings, theme: Theme, qtbot: QtBot) -> PreferencesDialog:
    owner = QWidget()
    qtbot.addWidget(owner)
    dialog = PreferencesDialog(settings, theme, Actions(owner, theme.icons))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    bring_up(dialog, qtbot)
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


@pytest.mark.parametrize("text", ["", "nan", "inf", "soon", "1,5", "None"])
def test_a_spoilt_threshold_is_the_default_and_one_out_of_range_the_nearest(settings: Settings, text: str) -> None:
    near_miss = THRESHOLDS[0]
    settings.store.setValue(near_miss.name, text)
    assert settings.thresholds == STANDARD
    for given, taken in (("0", 0.1), ("-4", 0.1), ("1e9", 10.0), ("0.75", 0.75)):
        settings.store.setValue(near_miss.name, given)
        assert settings.thresholds == replace(STANDARD, near_miss=taken)


def test_each_threshold_is_a_preference_with_the_texts_of_its_option(settings: Settings) -> None:
    declared = options_of(Thresholds)
    assert [each.option for each in THRESHOLDS] == [option.spec for option in declared]
    for preference, option in zip(THRESHOLDS, declared, strict=True):
        settings[preference] = another(preference)
        assert settings.thresholds == replace(STANDARD, **{option.name: another(preference)})
        settings[preference] = option.default
    assert THRESHOLDS[0].texts.explanation == "2D-TTC of a near miss, s (default 1.5); van der Horst and Hogema (1993)"


def test_preferences_are_those_of_the_table_in_its_order() -> None:
    assert [each.name for each in PREFERENCES if each.option is None] == list(preference_table())


@pytest.mark.parametrize("preference", PREFERENCES, ids=lambda preference: preference.name)
def test_what_is_said_of_a_preference_is_texts_with_one_for_each_choice(preference: Preference[Any]) -> None:
    *texts, choices, unit, source = preference.texts
    assert all(isinstance(text, str) and text for text in (*texts, *choices.values()))
    assert tuple(choices) == preference.choices
    assert isinstance(unit, str)
    assert (preference in THRESHOLDS) == bool(source)


# --- the dialog -----------------------------------------------------------------------------------------


@of_dialog
def a_group_is_chosen_at_the_left(dialog: PreferencesDialog, qtbot: QtBot) -> None:
    for row, group in enumerate(dict.fromkeys(each.texts.group for each in PREFERENCES if each is not KEYS)):
        item = dialog.groups.item(row)
        assert item.text() == group
        place = dialog.groups.visualItemRect(item).center()
        qtbot.mouseClick(dialog.groups.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert shown(dialog) == [each.name for each in PREFERENCES if each.texts.group == group]


@of_dialog
def words_find_preferences_of_all_groups(dialog: PreferencesDialog, qtbot: QtBot) -> None:
    qtbot.keyClicks(dialog.search, "night")
    assert shown(dialog) == [THEME.name]
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "follow play")
    assert shown(dialog) == [FOLLOWS_PLAYBACK.name]
    qtbot.keyClicks(dialog.search, " xyzzy")
    assert shown(dialog) == []
    dialog.groups.setCurrentItem(dialog.groups.findItems("Appearance", Qt.MatchFlag.MatchExactly)[0])
    assert dialog.search.text() == ""
    assert THEME.name in shown(dialog)


@of_dialog
def a_choice_is_made_by_keys_and_taken_back_by_reset(
    dialog: PreferencesDialog, settings: Settings, qtbot: QtBot
) -> None:
    dialog.show_preference(THEME)
    row = dialog.rows[THEME.name]
    assert isinstance(row.editor, ChoiceEdit)
    assert row.editor.hasFocus()
    assert not row.reset.isVisible()
    qtbot.keyClick(row.editor, Qt.Key.Key_End)
    assert settings[THEME] == "contrast_dark"
    qtbot.mouseClick(row.reset, Qt.MouseButton.LeftButton)
    assert settings[THEME] == "system"
    assert row.editor.currentText() == "System"
    assert not row.reset.isVisible()


@of_dialog
def a_switch_and_a_number_are_taken_at_once(dialog: PreferencesDialog, settings: Settings, qtbot: QtBot) -> None:
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


@of_dialog
def the_dialog_shows_what_is_chosen_elsewhere(dialog: PreferencesDialog, settings: Settings) -> None:
    settings[APPLY_TO] = "life"
    editor = dialog.rows[APPLY_TO.name].editor
    assert isinstance(editor, ChoiceEdit)
    assert editor.currentText() == "Whole life"


# --- the window -----------------------------------------------------------------------------------------


def opened(window: MainWindow) -> PreferencesDialog:
    dialog = window.findChild(PreferencesDialog)
    assert isinstance(dialog, PreferencesDialog)
    return dialog


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


# --- keys -----------------------------------------------------------------------------------------------


@pytest.fixture
def keys(open_window: OpenWindow, qtbot: QtBot) -> KeysRow:
    window = open_window()
    show_preferences(window.services, KEYS)
    bring_up(opened(window), qtbot)
    row = opened(window).rows[KEYS.name]
    assert isinstance(row, KeysRow)
    return row


def choose(row: KeysRow, action: str) -> None:
    row.table.selectRow(next(number for number, spec in enumerate(row._specs) if spec.id == action))


def pressed(row: KeysRow, qtbot: QtBot, key: Qt.Key, modifiers: Qt.KeyboardModifier = CONTROL) -> None:
    qtbot.keyClick(row.table, Qt.Key.Key_Return)
    qtbot.keyClick(row.edit, key, modifiers)


@of_window
def context_menus_show_the_keys_that_were_chosen(
    window: MainWindow, path: Path, settings: Settings, qtbot: QtBot
) -> None:
    settings.keys = {"edit.duplicate": "Ctrl+B", "edit.copy_json": "Ctrl+J"}
    packets, found = window.panes.get(PACKETS), window.panes.get(BYTES)
    window.session.selection.select(Place(0, 1))

    def keys_of(menu: QMenu) -> dict[str, str]:
        keys = {action.text(): action.shortcut().toString() for action in menu.actions() if action.text()}
        menu.deleteLater()
        return keys

    shown = keys_of(packets.menu())
    assert [shown[text] for text in ("Copy", "Copy as JSON", "Duplicate", "Delete", "Move up")] == [
        "Ctrl+C",
        "Ctrl+J",
        "Ctrl+B",
        "Del",
        "Alt+Up",
    ]
    settings.keys = {"edit.find": "Ctrl+Shift+B", "edit.delete": "", "edit.fill": "Ctrl+J"}
    assert keys_of(packets.menu())["Delete"] == ""
    shown = keys_of(found.context_menu())
    assert [shown[text] for text in ("Find...", "Fill...", "Paste", "Insert mode", "Select all")] == [
        "Ctrl+Shift+B",
        "Ctrl+J",
        "Ctrl+V",
        "Ins",
        "Ctrl+A",
    ]


@of_keys
def a_key_that_another_command_has_is_taken_over_only_when_asked(
    keys: KeysRow, settings: Settings, qtbot: QtBot
) -> None:
    choose(keys, "file.properties")
    pressed(keys, qtbot, Qt.Key.Key_S)
    assert settings.keys == {}
    assert keys.words.text() == "Ctrl+S is the key of “Save”."
    qtbot.mouseClick(keys.take_over, Qt.MouseButton.LeftButton)
    assert settings.keys == {"file.properties": "Ctrl+S", "file.save": ""}
    choose(keys, "file.save")
    assert keys.edit.keySequence().isEmpty()
    qtbot.mouseClick(keys.reset, Qt.MouseButton.LeftButton)
    assert settings.keys == {"file.properties": ""}
    qtbot.mouseClick(keys.reset_all, Qt.MouseButton.LeftButton)
    assert settings.keys == {}


@of_keys
def a_key_that_bytes_takes_can_neither_be_changed_nor_taken(keys: KeysRow, settings: Settings, qtbot: QtBot) -> None:
    choose(keys, "tools.insert")
    assert not keys.edit.isEnabled()
    assert keys.words.text() == "This key belongs to the pane; it cannot be changed."
    choose(keys, "file.properties")
    pressed(keys, qtbot, Qt.Key.Key_C)
    assert keys.words.text() == "Ctrl+C is the key of “Copy” (every pane) and cannot be reassigned."
    assert not keys.take_over.isVisible()
    qtbot.keyClick(keys.edit, Qt.Key.Key_Escape)
    assert keys.edit.keySequence().toString() == "Alt+Return"
    assert keys.table.hasFocus()
    assert keys.isVisible()
    assert settings.keys == {}


@of_keys
def the_field_for_a_key_is_scrolled_to_in_a_low_dialog(keys: KeysRow, qtbot: QtBot) -> None:
    dialog = keys.window()
    assert isinstance(dialog, PreferencesDialog)
    dialog.resize(700, 300)
    dialog.area.verticalScrollBar().setValue(0)
    qtbot.keyClick(keys.table, Qt.Key.Key_Return)
    assert keys.edit.hasFocus()
    for part in (keys.edit, keys.words):
        assert dialog.area.viewport().rect().contains(part.mapTo(dialog.area.viewport(), part.rect().center()))


@of_keys
def commands_are_found_by_name_and_by_key(keys: KeysRow, qtbot: QtBot) -> None:
    dialog = keys.window()
    assert isinstance(dialog, PreferencesDialog)
    qtbot.keyClicks(dialog.search, "ctrl+shift+s")
    rows = [row for row in range(keys.table.rowCount()) if not keys.table.isRowHidden(row)]
    assert [keys.table.item(row, 0).text() for row in rows] == ["File > Save as"]
    assert shown(dialog) == [KEYS.name]


@of_window
def playback_letters_are_changed_like_other_keys(
    window: MainWindow, settings: Settings, path: Path, qtbot: QtBot
) -> None:
    settings.keys = {"range.in": "B", "play.toggle": "P"}
    window.session.selection.go_to_frame(4)
    window.panes.get(SCENE).setFocus()
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_I)
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_Space)
    assert not window.session.range.is_set
    assert not window.player.is_playing
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_B)
    assert window.session.range.frames.start == 4
    settings.keys = {}
    window.session.selection.go_to_frame(6)
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_I)
    assert window.session.range.frames.start == 6


@of_window
def keys_of_panes_are_changed_where_they_act(window: MainWindow, settings: Settings, path: Path, qtbot: QtBot) -> None:
    scene, timeline = window.panes.get(SCENE).view, window.panes.get(TIMELINE).canvas
    settings.keys = {
        "scene.trails": "G",
        "range.in": "B",
        "play.toggle": "P",
        "range.clear": "",
        "signals.cursors": "G",
    }
    transport = window.panes.get(TIMELINE).transport
    assert transport.buttons["play"].toolTip() == "Play or pause (P)"
    assert transport.buttons["first"].toolTip() == "First frame (Home)"
    assert transport.clears[0].toolTip() == "Clear in"
    signals = window.panes.get(SIGNALS)
    assert signals.chip.toolTip() == "Two cursors, with values and differences (G)"
    assert signals.buttons["back"].toolTip() == "Previous view (Backspace)"
    window.session.selection.go_to_frame(4)
    on = scene.switches["trails"]
    scene.setFocus()
    qtbot.keyClick(scene, Qt.Key.Key_T)
    assert scene.switches["trails"] == on
    qtbot.keyClick(scene, Qt.Key.Key_G)
    assert scene.switches["trails"] != on
    timeline.setFocus()
    qtbot.keyClick(timeline, Qt.Key.Key_G)
    assert scene.switches["trails"] != on
    qtbot.keyClick(timeline, Qt.Key.Key_I)
    assert not window.session.range.is_set
    qtbot.keyClick(timeline, Qt.Key.Key_B)
    assert window.session.range.frames.start == 4
    settings.keys = {}
    scene.setFocus()
    qtbot.keyClick(scene, Qt.Key.Key_T)
    assert scene.switches["trails"] == on


@of_keys
def one_key_may_belong_to_two_panes(keys: KeysRow, settings: Settings, qtbot: QtBot) -> None:
    choose(keys, "signals.cursors")
    pressed(keys, qtbot, Qt.Key.Key_R, Qt.KeyboardModifier.NoModifier)
    assert settings.keys == {"signals.cursors": "R"}
    choose(keys, "file.properties")
    pressed(keys, qtbot, Qt.Key.Key_R, Qt.KeyboardModifier.NoModifier)
    qtbot.mouseClick(keys.take_over, Qt.MouseButton.LeftButton)
    assert settings.keys == {"file.properties": "R", "scene.roads": "", "signals.cursors": ""}


@of_keys
def a_key_is_typed_and_shown_wherever_keys_are(keys: KeysRow, settings: Settings, qtbot: QtBot) -> None:
    window = keys.window().parent()
    assert isinstance(window, MainWindow)
    choose(keys, "palette.open")
    pressed(keys, qtbot, Qt.Key.Key_B)
    assert settings.keys == {"palette.open": "Ctrl+B"}
    assert window.registry["palette.open"].shortcut().toString() == "Ctrl+B"
    assert "(Ctrl+B)" in window.registry["palette.open"].toolTip()
    assert keys.table.item(keys.table.currentRow(), 1).text() == "Ctrl+B"
    assert "Ctrl+B" in {cap.text() for cap in window.start_page.findChildren(QLabel) if cap.property("keycap")}
    choose(keys, "file.properties")
    pressed(keys, qtbot, Qt.Key.Key_J)
    assert window.search_field.search.find("properties")[0].keys == "Ctrl+J"
    choose(keys, "file.properties")
    qtbot.mouseClick(keys.reset, Qt.MouseButton.LeftButton)
    assert not keys.reset.isVisible()
    keys.window().close()
    bring_up(window, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    assert not window.search_field.is_open
    qtbot.keyClick(window, Qt.Key.Key_B, CONTROL)
    assert window.search_field.is_open
    settings.keys = {}
    assert window.registry["palette.open"].shortcut().toString() == "Ctrl+K"


@of_window
def what_is_chosen_takes_effect_at_once(window: MainWindow, settings: Settings, path: Path, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_Comma, CONTROL)
    dialog = opened(window)
    window.registry.run("file.preferences")
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


SPOILT_KEYS = [
    "[]",
    "{",
    '{"nothing": "Ctrl+B", "file.open": 7}',
    '{"file.open": "Ctrl+S", "file.save": "Ctrl+S"}',
    '{"file.open": "\\u0000", "file.save": "Hyper+9999"}',
    '{"file.open": "Ctrl+C"}',
]


@pytest.mark.sampled(cases=1)
@pytest.mark.parametrize("text", SPOILT_KEYS[::-1])
def test_spoilt_keys_leave_a_window_in_which_no_two_actions_have_one_key(
    open_window: OpenWindow, settings: Settings, text: str
) -> None:
    settings[KEYS] = text
    no_two_actions_have_one_key(open_window())


@of_window.each("text", SPOILT_KEYS)
def spoilt_keys_are_taken_by_a_window_that_is_there(window: MainWindow, settings: Settings, text: str) -> None:
    settings[KEYS] = text
    no_two_actions_have_one_key(window)


def no_two_actions_have_one_key(window: MainWindow) -> None:
    keys = [key.toString() for spec in window.registry if not spec.places for key in spec.keys]
    assert len(keys) == len(set(keys))
    assert "Ctrl+C" not in keys


# --- folders --------------------------------------------------------------------------------------------


@of_dialog
def a_folder_row_says_how_much_it_holds_and_empties_what_nobody_needs(dialog: PreferencesDialog, qtbot: QtBot) -> None:
    stray = state_folder() / "scratch" / f"{'0' * 16}{SCRATCH_ENDING}"
    stray.parent.mkdir(parents=True)
    stray.write_bytes(bytes(4_000))
    dialog.show_preference(FOLDER)
    row = dialog.rows[FOLDER.name]
    assert isinstance(row, FolderRow)
    assert row.path.text() == str(state_folder())
    assert row.use.text() == "Scratch files 4.0 kB, journals 0 B"
    qtbot.mouseClick(row.empty, Qt.MouseButton.LeftButton)
    assert not stray.exists()
    assert row.words.text() == "Removed 4.0 kB. "


@of_dialog
def another_folder_is_chosen_and_reset(
    dialog: PreferencesDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    dialog.show_preference(FOLDER)
    row = dialog.rows[FOLDER.name]
    assert isinstance(row, FolderRow)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    qtbot.mouseClick(row.choose, Qt.MouseButton.LeftButton)
    assert state_folder() == tmp_path / "recorder-editor"
    assert row.path.text() == str(tmp_path / "recorder-editor")
    qtbot.mouseClick(row.reset, Qt.MouseButton.LeftButton)
    assert state_folder() == usual_state_folder()
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "file"))
    qtbot.mouseClick(row.choose, Qt.MouseButton.LeftButton)
    assert row.words.text().endswith("Not a directory.")
    assert state_folder() == usual_state_folder()


def test_the_dialog_of_preferences(
    dialog: PreferencesDialog, settings: Settings, theme: Theme, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    def begin() -> dict[str, object]:
        dialog.search.clear()
        dialog.groups.setCurrentRow(0)
        return {}

    of_dialog.run(subtests, begin, dialog=dialog, settings=settings, tmp_path=tmp_path, qtbot=qtbot)


def test_the_table_of_keys(keys: KeysRow, settings: Settings, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    dialog = keys.window()
    assert isinstance(dialog, PreferencesDialog)

    def begin() -> dict[str, object]:
        settings.keys = {}
        dialog.search.clear()
        dialog.show_preference(KEYS)
        bring_up(dialog, qtbot)
        return {}

    of_keys.run(subtests, begin, keys=keys, settings=settings, qtbot=qtbot)


def test_preferences_in_a_window(
    open_window: OpenWindow, settings: Settings, path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    window = open_window(path)
    bring_up(window, qtbot)
    begin_with_a_copy = begin_anew(window, path, qtbot)

    def begin() -> dict[str, Path]:
        settings.keys = {}
        window.activateWindow()
        return begin_with_a_copy()

    of_window.run(subtests, begin, window=window, settings=settings, qtbot=qtbot)


def test_preferences_open_again_before_the_closed_dialog_is_gone(open_window: OpenWindow) -> None:
    window = open_window()
    show_preferences(window.services)
    opened(window).close()
    show_preferences(window.services)
    settle()
    assert [dialog.isVisible() for dialog in window.findChildren(PreferencesDialog)] == [True]
