"""Go to, Ctrl+K, the dialects, keys, about, troubles: small windows that ask or tell something."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from recorder_editor import __version__, edits
from recorder_editor.errors import FieldError, SaveRefused, SourceChanged
from recorder_editor.ui.app import settle
from recorder_editor.ui.dialogs.about import AboutDialog, surroundings
from recorder_editor.ui.dialogs.closing import ClosePrompt, unsaved
from recorder_editor.ui.dialogs.dialect import DialectDialog
from recorder_editor.ui.dialogs.error import ErrorDialog, ErrorReport, error_report
from recorder_editor.ui.dialogs.goto_parser import target_of
from recorder_editor.ui.dialogs.key_table import KeysRow
from recorder_editor.ui.dialogs.preferences import PreferencesDialog
from recorder_editor.ui.dialogs.search import score
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.preferences import KEYS
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import BYTES, PACKETS, SCENE
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.match_list import MATCH
from recorder_editor.versions import versions

from .windows import OpenWindow, idle

CONTROL = Qt.KeyboardModifier.ControlModifier
IMPALA = 3932


@pytest.fixture
def window(open_window: OpenWindow, recordings: Path) -> MainWindow:
    window = open_window(recordings / "carla-0.9.13-town05-collisions.log")
    window.activateWindow()
    return window


def shown(qtbot: QtBot, kind: type[QDialog]) -> QDialog:
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), kind))
    found = QApplication.activeModalWidget()
    assert isinstance(found, kind)
    return found


# --- where to go ----------------------------------------------------------------------------------------


def test_places_are_understood(town: Session) -> None:
    for typed, text, detail in (
        ("#250", "Frame 250", "12.450 s"),
        (" #1 ", "Frame 1", "0.000 s"),
        ("12.5", "12.5 s", "frame 251, 12.500 s"),
        ("12.5s", "12.5 s", "frame 251, 12.500 s"),
        ("0:00:12.5", "12.5 s", "frame 251, 12.500 s"),
        ("0x1f4a", "Offset 0x001f4a", "frame 1"),
        ("0x05", "Offset 0x000005", "file header"),
        ("id:3932", "Actor 3932", "vehicle.chevrolet.impala"),
        ("ID: 3890", "Actor 3890", "vehicle.lincoln.mkz_2017"),
    ):
        target = target_of(town, typed)
        assert target is not None, typed
        assert target.enabled, typed
        assert (target.text, target.detail) == (text, detail)


def test_places_that_are_not_there_say_why(town: Session) -> None:
    for typed, reason in (
        ("#0", "There is no frame 0; the recording has 555."),
        ("#556", "There is no frame 556; the recording has 555."),
        ("250", "The recording lasts from 0 to 27.700 s. For frame 250 type #250."),
        ("-1", "The recording lasts from 0 to 27.700 s."),
        ("0xffffffff", "The recording ends at 0x1823e6."),
        ("id:7", "No actor 7 exists in this recording."),
    ):
        target = target_of(town, typed)
        assert target is not None, typed
        assert (target.text, target.enabled) == (reason, False)
        target.run()
        assert town.messages[-1] == reason


def test_other_words_are_no_place(town: Session) -> None:
    assert target_of(town, "trim") is None
    assert target_of(town, "speed:12") is None
    assert target_of(town, "") is None


def test_going_to_each_kind_of_place(town: Session) -> None:
    for typed, check in (
        ("#331", lambda: town.selection.frame_index == 330),
        ("id:3932", lambda: town.selection.actor == IMPALA),
        ("0x05", lambda: town.selection.place.row == -1),
        ("3.01", lambda: town.selection.frame_index == 60),
    ):
        target = target_of(town, typed)
        assert target is not None
        target.run()
        assert check()


def test_the_field_leads_to_places(
    window: MainWindow, qtbot: QtBot, artefacts: Path, subtests: pytest.Subtests
) -> None:
    with subtests.test("the field says where it would lead and goes there"):
        qtbot.keyClick(window, Qt.Key.Key_G, CONTROL)
        field = window.search_field
        assert field.is_open
        qtbot.keyClicks(field, "#999")
        assert field.model.rows[-1].text == "There is no frame 999; the recording has 555."
        field.clear()
        qtbot.keyClicks(field, "#331")
        assert field.model.rows[0][:2] == ("Frame 331", "16.500 s")
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert window.session.selection.frame_index == 330
        assert not field.is_open
    with subtests.test("going to an offset puts the caret on that very byte"):
        for offset in (0x1BEC2, 0x1BEC3, 0x22, 0x1BEC1):
            qtbot.keyClick(window, Qt.Key.Key_G, CONTROL)
            qtbot.keyClicks(window.search_field, f"0x{offset:x}")
            qtbot.keyClick(window.search_field, Qt.Key.Key_Return)
            start, stop = window.session.selection.span
            assert start <= offset < stop
            assert window.panes.get(BYTES).view.caret == offset
            first, shown_lines = window.panes.get(BYTES).view.first_line, window.panes.get(BYTES).view.lines_shown
            assert first <= offset // window.panes.get(BYTES).view.per_row < first + shown_lines
    with subtests.test("what is found stands above the place that is not there"):
        window.panes.get(SCENE).view.setFocus()
        field = window.search_field
        qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
        qtbot.keyClicks(field, "3932")
        assert field.model.rows[0].text.startswith("3932")
        assert field.model.rows[0].detail == "scenario, vehicle, frames 177 to 416"
        assert field.model.rows[-1].text.startswith("The recording lasts from 0 to")
        assert field.list.currentIndex().row() == 0
        qtbot.keyClick(window.search_field, Qt.Key.Key_Escape)
    with subtests.test("escape gives the keyboard back"):
        window.panes.get(SCENE).view.setFocus()
        qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_K, CONTROL)
        qtbot.keyClick(window.search_field, Qt.Key.Key_Escape)
        assert not window.search_field.is_open
        assert window.panes.get(SCENE).view.hasFocus()
    with subtests.test("ctrl k takes the forms of places"):
        qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
        qtbot.keyClicks(window.search_field, "#250")
        settle()
        window.grab().save(str(artefacts / "window-palette.png"))
        assert window.search_field.list.isVisible()
        qtbot.keyClick(window.search_field, Qt.Key.Key_Return)
        assert window.session.selection.frame_index == 249


# --- Ctrl+K ---------------------------------------------------------------------------------------------


def test_letters_are_ranked_by_how_well_they_fit() -> None:
    ranked = sorted(
        ("Mark out", "Go to", "Reset layout", "Redo", "Save as"), key=lambda text: -(score("re", text) or 0)
    )
    assert ranked[0] == "Redo"
    assert score("rl", "Reset layout") is not None
    assert score("zz", "Reset layout") is None
    assert score("rem", "Remove actor") is not None
    assert [score("rem", text) for text in ("Retime", "Resample", "CARLA 0.9.15")] == [None] * 3
    assert [score("hero", text) for text in ("Fix the problem", "Repair")] == [None] * 2
    assert (score("life", "Trim life") or 0) > (score("life", "Alife") or 0) > 0
    assert (score("save", "Save") or 0) > (score("save", "Save as") or 0)


def assert_list_leaves_first(window: MainWindow, qtbot: QtBot) -> None:
    field = window.search_field
    seen: list[bool] = []
    window.theme.changing.connect(lambda: seen.append(field.is_open))
    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    qtbot.keyClicks(field, "theme dark")
    row = next(row for row, match in enumerate(field.model.rows) if match.id == "view.theme_dark")
    field.list.setCurrentIndex(field.model.index(row, 0))
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.theme.mode == "dark"
    assert seen == [False]
    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    assert field.is_open
    window.theme.set_mode("light")
    assert not field.is_open


def test_ctrl_k_finds_actions_and_actors(window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    with subtests.test("ctrl k finds and runs an action"):
        window.panes.get(PACKETS).tree.setFocus()
        qtbot.keyClick(window.panes.get(PACKETS).tree, Qt.Key.Key_K, CONTROL)
        field = window.search_field
        assert field.hasFocus()
        assert field.is_open
        qtbot.keyClicks(field, "repair")
        assert field.model.rows[0].text in ("Repair", "Repair layout")
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert window.panes.preset == "repair"
        assert not field.is_open
        assert field.text() == ""
    with subtests.test("the list is gone before another look begins"):
        assert_list_leaves_first(window, qtbot)
    with subtests.test("ctrl k finds actors by blueprint role and id"):
        field = window.search_field
        window.session.selection.go_to_frame(330)
        for typed, actor in (("impala", IMPALA), ("hero", 3890), ("3932", IMPALA)):
            qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
            qtbot.keyClicks(field, typed)
            row = next(row for row, match in enumerate(field.model.rows) if match.text.startswith(str(actor)))
            field.list.setCurrentIndex(field.model.index(row, 0))
            qtbot.keyClick(field, Qt.Key.Key_Return)
            assert window.session.selection.actor == actor
    with subtests.test("an actor that is not alive now is shown at its birth"):
        assert window.session.actors is not None
        life = window.session.actors.of_id(IMPALA)[0]
        window.session.selection.go_to_frame(0)
        qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
        qtbot.keyClicks(window.search_field, "impala")
        assert f"frames {life.born + 1} to" in window.search_field.model.rows[0].detail
        qtbot.keyClick(window.search_field, Qt.Key.Key_Return)
        assert window.session.selection.frame_index == life.born
    with subtests.test("arrows choose and a click runs"):
        field = window.search_field
        qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
        assert field.is_open
        qtbot.keyClicks(field, "frame")
        first = field.list.currentIndex().row()
        qtbot.keyClick(field, Qt.Key.Key_Down)
        assert field.list.currentIndex().row() > first
        qtbot.keyClick(field, Qt.Key.Key_Up)
        assert field.list.currentIndex().row() == first
        row = next(row for row, match in enumerate(field.model.rows) if match.id == "go.last")
        rect = field.list.visualRect(field.model.index(row, 0))
        qtbot.mouseClick(field.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
        assert window.session.selection.frame_index == 554


def test_what_cannot_be_done_says_why_in_the_list(window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    with subtests.test("enter on what cannot be done says why"):
        field = window.search_field
        for typed, down, why in (
            ("undo", 0, "There is nothing to undo."),
            ("stop", 1, "No recording is compared with this one."),
            ("mirror", 0, "Select an actor first, in the scene or in the table of actors."),
            ("#0", 0, "There is no frame 0; the recording has 555."),
        ):
            qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
            qtbot.keyClicks(field, typed)
            for _ in range(down):
                qtbot.keyClick(field, Qt.Key.Key_Down)
            assert not field.list.currentIndex().data(MATCH).enabled
            qtbot.keyClick(field, Qt.Key.Key_Return)
            assert not field.is_open
            assert window.status.note.words.text() == window.session.messages[-1] == why
    with subtests.test("a click on what cannot be done says why"):
        field = window.search_field
        qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
        qtbot.keyClicks(field, "save")
        row = next(row for row, match in enumerate(field.model.rows) if match.id == "file.save")
        rect = field.list.visualRect(field.model.index(row, 0))
        qtbot.mouseClick(field.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
        assert window.session.messages[-1] == "There are no unsaved edits."
    with subtests.test("the key of an action closes the list"):
        qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
        qtbot.keyClicks(window.search_field, "undo")
        qtbot.keyClick(window.search_field, Qt.Key.Key_3, CONTROL)
        assert window.panes.preset == "trim"
        assert not window.search_field.is_open
    with subtests.test("an action is found by its menu and its name"):
        for typed, wanted in (
            ("theme dark", "view.theme_dark"),
            ("theme light", "view.theme_light"),
            ("colour by speed", "scene.color_speed"),
            ("Colour by: Speed", "scene.color_speed"),
            ("View > Scene > Roads", "scene.roads"),
            ("file open", "file.open"),
        ):
            assert window.search_field.search.find(typed)[0].id == wanted, typed


def test_every_action_that_is_grey_says_why(open_window: OpenWindow, path: Path, qtbot: QtBot) -> None:
    for window in (open_window(), open_window(path)):
        idle(window, qtbot)
        window.registry.refresh()
        grey = [spec.id for spec in window.registry if not window.registry[spec.id].isEnabled()]
        assert "edit.undo" in grey
        assert [name for name in grey if not window.registry[name].statusTip().endswith(".")] == []


# --- the rest -------------------------------------------------------------------------------------------


def test_small_dialogs_tell_the_dialect_all_keys_and_the_versions(
    window: MainWindow, qtbot: QtBot, artefacts: Path, subtests: pytest.Subtests
) -> None:
    with subtests.test("the dialect dialog tells why and switches"):
        window.registry.run("dialect.why")
        dialog = shown(qtbot, DialectDialog)
        assert isinstance(dialog, DialectDialog)
        assert dialog.heading.text() == "CARLA 0.9.12 to 0.9.13 (floats)"
        assert dialog.choice.count() == 12
        bullets = [label for label in dialog.findChildren(QLabel) if label.text() == "•"]
        assert bullets
        words = [label for label in dialog.findChildren(QLabel) if label.x() == bullets[0].geometry().right() + 9]
        assert len(words) == len(bullets)  # further lines begin below the first one, not below the bullet
        dialog.grab().save(str(artefacts / "dialog-dialect.png"))
        dialog.choice.setFocus()
        qtbot.keyClick(dialog.choice, Qt.Key.Key_Down)
        assert window.session.snapshot is not None
        assert window.session.snapshot.detection.forced
        dialog.close()
    with subtests.test("ctrl f1 shows all keys those of panes too"):
        qtbot.keyClick(window, Qt.Key.Key_F1, Qt.KeyboardModifier.ControlModifier)
        dialog = window.findChild(PreferencesDialog)
        assert isinstance(dialog, PreferencesDialog)
        row = dialog.rows[KEYS.name]
        assert isinstance(row, KeysRow)
        assert dialog.focusWidget() is row.table
        for words, found in (("undo", ["Edit > Undo"]), ("rectangle", ["Select in a rectangle"])):
            dialog.search.setText(words)
            rows = [row_ for row_ in range(row.table.rowCount()) if not row.table.isRowHidden(row_)]
            assert [row.table.item(row_, 0).text() for row_ in rows] == found
        row.table.selectRow(rows[0])
        assert row.table.item(rows[0], 1).text() == "Shift+drag (scene)"
        assert not row.edit.isEnabled()
        assert row.words.text() == "This key belongs to the pane; it cannot be changed."
        dialog.close()
    with subtests.test("about tells the versions"):
        window.registry.run("help.about")
        dialog = shown(qtbot, AboutDialog)
        next(button for button in dialog.findChildren(QPushButton) if button.text() == "Copy").click()
        text = QGuiApplication.clipboard().text()
        told = [label.text() for label in dialog.findChildren(QLabel)]
        assert text.splitlines() == [*versions(__version__), *surroundings()]
        assert set(text.splitlines()[1:]) <= set(told)
        assert f"Recorder Editor {__version__}" in told
        assert f"Qt {qVersion()}" in text
        dialog.close()


def test_unsaved_edits_are_listed_from_the_saved_state(town: Session) -> None:
    recording = town.recording
    assert recording is not None
    for yaw in (1.0, 2.0):
        place = edits.place(recording, frame=0, packet="Position", record=0, field="rotation.yaw")
        town.editing.apply(edits.set_field(recording, place, yaw))
    assert len(unsaved(recording.history)) == 2
    recording.history.mark_saved(recording.history.bookmark())
    assert unsaved(recording.history) == ()
    town.editing.undo()
    (label,) = unsaved(recording.history)
    assert label.startswith("Undone: Set yaw")


def test_a_long_list_of_edits_shows_the_last_ones(theme: Theme, qtbot: QtBot) -> None:
    labels = tuple(f"Edit {number}" for number in range(20))
    prompt = ClosePrompt(theme, "a.log", labels, lambda: None, lambda: None)
    qtbot.addWidget(prompt)
    assert prompt.words.text() == "20 unsaved edits:"
    assert "12 earlier ones" in [label.text() for label in prompt.findChildren(type(prompt.words))]


@pytest.mark.parametrize(
    ("error", "what", "where", "now"),
    [
        (
            FieldError("Too large.", offset=0x1F4A, frame=3, field="id"),
            "Too large.",
            "offset 0x001f4a, frame 3, field id",
            "Nothing was changed.",
        ),
        (SaveRefused("Another file is there. Use Save As."), "Another file is there. Use Save As.", "", ""),
        (SourceChanged("It was rewritten."), "It was rewritten.", "", "Reload the file to see what it holds now."),
        (
            PermissionError(13, "Permission denied", "/a/b.log"),
            "Permission was denied.",
            "",
            "Ask its owner for permission, or choose another file or folder.",
        ),
        (OSError(28, "No space left on device"), "The disk is full.", "", "Free some space, or save to another disk."),
        (
            IsADirectoryError("x is a folder, not a recording."),
            "That is a folder, not a file.",
            "",
            "Choose a file in it.",
        ),
        (
            OSError(71, "Protocol error"),
            "Protocol error.",
            "",
            "Nothing was changed. Try again, or choose another folder.",
        ),
    ],
)
def test_errors_say_what_where_and_what_now(error: Exception, what: str, where: str, now: str) -> None:
    trouble = error_report(error, Path("/somewhere/x.log"))
    assert (trouble.what, trouble.where, trouble.now) == (what, where, now)


def test_details_unfold_what_lies_behind(theme: Theme, qtbot: QtBot, artefacts: Path) -> None:
    trouble = ErrorReport("It broke.", "offset 0x10", "Try again.", "/a/b.log", "Traceback: line 1")
    dialog = ErrorDialog(theme, "Not opened", trouble, None)
    qtbot.addWidget(dialog)
    dialog.open_()
    assert not dialog.details_text.isVisible()
    assert dialog.details is not None
    qtbot.mouseClick(dialog.details, Qt.MouseButton.LeftButton)
    assert dialog.details_text.isVisible()
    dialog.grab().save(str(artefacts / "dialog-error.png"))
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text().startswith("It broke.\n/a/b.log\noffset 0x10\nTry again.")
