"""The window around the panes: layouts, keys, opening, saving, closing, what is said when it goes wrong."""

import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, QRect, Qt, QTimer, QUrl
from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from recorder_editor import edits, resources
from recorder_editor.errors import Cancelled, RecorderError, WouldReplace
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.progress import Progress
from recorder_editor.recording.recording import Recording, open_recording
from recorder_editor.simulator.replay import Replay
from recorder_editor.ui.app import NoPicture, Program, screenshot, settle, wait_for_jobs
from recorder_editor.ui.dialogs.base import Question
from recorder_editor.ui.dialogs.closing import ClosePrompt
from recorder_editor.ui.dialogs.dialect import DialectDialog
from recorder_editor.ui.dialogs.error import ErrorDialog
from recorder_editor.ui.dialogs.import_trajectories import ImportDialog
from recorder_editor.ui.dialogs.replay import ReplayDialog, replay_of
from recorder_editor.ui.dialogs.script import SaveScriptDialog
from recorder_editor.ui.session import file_watcher
from recorder_editor.ui.session import session as session_module
from recorder_editor.ui.session.file_watcher import FileNews
from recorder_editor.ui.session.preferences import THEME
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.dock_layout import PRESETS
from recorder_editor.ui.shell.docks import GRIP
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ACTORS, ATTRIBUTES, BYTES, PACKETS, PROBLEMS, SCENE, TIMELINE, TRIM
from recorder_editor.ui.shell.start_page import StartPage
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.file_dialogs import edited_path
from recorder_editor.ui.widgets.focus_ring import FocusRing
from recorder_editor.views.units import size_text

from .. import builders as b
from .parts import Parts, begin_anew, in_turn
from .windows import OpenWindow, bring_up, workspace_cell

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
COLLISIONS = "carla-0.9.13-town05-collisions.log"
HERO = 3890
_MOST_LOOKS = 200
_SECONDS_BETWEEN_REPORTS = 0.005
FILES = Parts()
"""Each has a file of its own in one window."""
TOWN = pytest.mark.parametrize("path", [COLLISIONS], indirect=True)
"""For what is told of a real recording, and for what takes a while: most of the window does not depend on it."""


@pytest.fixture
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A recording that may be saved over: a small drive, or with `TOWN` a copy of a real one."""
    path = tmp_path / "town05.log"
    if hasattr(request, "param"):
        return Path(shutil.copy(request.getfixturevalue("recordings") / request.param, path))
    path.write_bytes(b.drive(60, vehicles=3))
    return path


@pytest.fixture(autouse=True)
def looks_are_frequent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the next look at the file; the tests change it between two turns of the event loop."""
    monkeypatch.setattr(file_watcher, "MS_BETWEEN_CHECKS", 10)


@pytest.fixture
def window(open_window: OpenWindow, path: Path) -> MainWindow:
    """A window with the recording open."""
    window = open_window(path)
    window.activateWindow()
    return window


@pytest.fixture
def empty(open_window: OpenWindow) -> MainWindow:
    """A window with nothing open."""
    window = open_window()
    window.activateWindow()
    return window


def dialog(qtbot: QtBot, kind: type[QDialog]) -> QDialog:
    """The dialog of that kind, as soon as it is there."""
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), kind))
    found = QApplication.activeModalWidget()
    assert isinstance(found, kind)
    return found


def words(widget: QWidget) -> str:
    """All that a dialog says."""
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if not label.isHidden())


def press(dialog: QDialog, text: str) -> None:
    """Click the button with these words."""
    next(button for button in dialog.findChildren(QPushButton) if button.text() == text).click()


def turn(window: MainWindow, yaw: float = 92.5) -> None:
    """One edit."""
    session = window.session
    place = edits.place(session.snapshot_or_refuse(), frame=0, packet="Position", record=0, field="rotation.yaw")
    session.editing.apply(edits.set_field(session.snapshot_or_refuse(), place, yaw))


def drop(window: MainWindow, *paths: Path) -> bool:
    """Drop files on the window; whether it takes them."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths] or [QUrl("https://example.org/a.log")])
    both = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(50, 50), *both)
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(window, QDropEvent(QPointF(50, 50), *both))
    return enter.isAccepted()


def geometry(window: MainWindow, name: str) -> tuple[int, int]:
    dock = window.panes.docks[name]
    return dock.width(), dock.height()


def drag_line(qtbot: QtBot, window: MainWindow, by: int) -> None:
    """Drag the line at the right of the left column."""
    at = QPoint(geometry(window, "packets")[0] + GRIP // 2, 300)
    grip = window.childAt(at)
    assert grip is not None
    assert grip.cursor().shape() == Qt.CursorShape.SplitHCursor
    qtbot.mousePress(grip, Qt.MouseButton.LeftButton, pos=grip.mapFrom(window, at))
    for x in (by // 3, by):
        qtbot.mouseMove(grip, grip.mapFrom(window, at + QPoint(x, 0)))
        settle()
    qtbot.mouseRelease(grip, Qt.MouseButton.LeftButton, pos=grip.mapFrom(window, at + QPoint(by, 0)))


# --- the layouts ----------------------------------------------------------------------------------------


def layouts_have_the_designed_lengths_and_bars_come_back(
    window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("the three layouts have the designed lengths"):
        assert (window.menuBar().height(), window.toolbar.height(), window.statusBar().height()) == (24, 36, 24)
        assert geometry(window, "packets")[0] == 500
        assert geometry(window, "attributes")[0] == 292
        assert geometry(window, "timeline") == (1440, 228)
        window.panes.set_preset("trim")
        wait_for_jobs(window)
        assert geometry(window, "trim")[0] == 344
        assert geometry(window, "timeline") == (1440, 368)
        assert all(window.panes.docks[name].isHidden() for name in ("packets", "actors", "problems", "bytes"))
        window.panes.set_preset("repair")
        wait_for_jobs(window)
        assert geometry(window, "problems")[0] == 560
        assert geometry(window, "repair")[0] == 352
        assert geometry(window, "timeline") == (1440, 244)
    with subtests.test("a kept layout brings no bar that is silent and hides none that speaks"):
        window.panes.set_preset("inspect")
        window.panes.layout.moved_by_hand()
        window.panes.set_preset("trim")
        window.message_bar.say(FileNews("gone", "It is gone."))
        window.toolbar.hide()
        window.panes.set_preset("inspect")
        assert not window.message_bar.isHidden()
        assert not window.toolbar.isHidden()
    with subtests.test("a hidden toolbar comes back with ctrl k and with the layout"):
        window.message_bar.say(FileNews())
        window.toolbar.hide()
        qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
        qtbot.waitUntil(lambda: window.search_field.isVisible() and window.search_field.is_open)
        window.search_field.close_list()
        window.toolbar.hide()
        window.message_bar.show()
        window.registry.run("view.reset")
        assert not window.toolbar.isHidden()
        assert window.message_bar.isHidden()
    with subtests.test("the menu of a title names every entry and hides no bar"):
        title = window.panes.docks["packets"].title
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, title.rect().center(), title.mapToGlobal(QPoint(5, 5))
        )
        QApplication.sendEvent(title, event)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        names = [action.text() for action in menu.actions() if action.isVisible() and not action.isSeparator()]
        menu.close()
        assert "Bytes" in names
        assert all(names)
        for bar in (window.toolbar, window.message_bar):
            assert not bar.toggleViewAction().isVisible()


def test_the_lengths_follow_the_window_until_somebody_drags_a_line_which_is_kept_until_the_layout_is_reset(
    open_window: OpenWindow, path: Path, qtbot: QtBot
) -> None:
    small = open_window(path, size=(960, 600))
    assert small.size().toTuple() == (960, 600)
    assert small.panes.get(SCENE).width() > 300
    assert (geometry(small, "packets")[0], geometry(small, "attributes")[0]) == (310, 252)
    small.resize(1280, 800)
    qtbot.waitUntil(lambda: geometry(small, "packets")[0] == 340)
    assert geometry(small, "attributes")[0] == 268
    assert geometry(small, "timeline")[1] == 214
    small.close()
    window = open_window(path, size=(1920, 1080))
    qtbot.waitUntil(lambda: geometry(window, "packets")[0] == 500)
    drag_line(qtbot, window, -60)
    qtbot.waitUntil(lambda: geometry(window, "packets")[0] == 440)
    window.resize(1280, 800)
    wait_for_jobs(window)
    assert geometry(window, "packets")[0] == 440
    window.panes.show("history", False)
    window.close()
    again = open_window(path)
    qtbot.waitUntil(lambda: geometry(again, "packets")[0] == 440)
    assert again.panes.docks["history"].isHidden()
    again.registry.run("view.reset")
    qtbot.waitUntil(lambda: geometry(again, "packets")[0] == 500)
    assert not again.panes.docks["history"].isHidden()


def test_the_lengths_follow_the_window_after_a_pane_was_opened_closed_or_floated_in_later_runs_too(
    open_window: OpenWindow, path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    window = open_window(path)
    window.registry.run("view.signals")
    window.panes.docks["history"].close()
    window.resize(1000, 700)
    qtbot.waitUntil(lambda: geometry(window, "packets")[0] == 310)
    assert geometry(window, "attributes")[0] == 252
    assert geometry(window, "timeline")[1] < 200
    window.panes.docks["signals"].setFloating(True)
    qtbot.waitUntil(lambda: geometry(window, "timeline")[1] == 200)
    window.registry.run("view.signals")
    window.close()
    again = open_window(path)
    qtbot.waitUntil(lambda: geometry(again, "packets")[0] == 500)
    assert again.panes.docks["history"].isHidden()
    with subtests.test("columns that were dragged wide leave room for the scene"):
        drag_line(qtbot, again, 240)
        qtbot.waitUntil(lambda: geometry(again, "packets")[0] == 740)
        again.resize(1200, 800)
        qtbot.waitUntil(lambda: again.panes.get(SCENE).width() == 360)
        assert 340 < geometry(again, "packets")[0] < 740
        again.resize(1000, 700)
        qtbot.waitUntil(lambda: again.panes.get(SCENE).width() == 360)
        assert (geometry(again, "packets")[0], geometry(again, "attributes")[0]) == (346, 292)


def panes_float_and_are_opened_by_their_tabs_and_the_toolbar(
    window: MainWindow, theme: Theme, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("the toolbar switches to a layout and back"):
        qtbot.mouseClick(workspace_cell(window, "trim"), Qt.MouseButton.LeftButton)
        assert window.panes.preset == "trim"
        assert window.panes.get(SCENE).view.hasFocus()
        window.panes.get(ATTRIBUTES).setFocus()
        qtbot.mouseClick(workspace_cell(window, "inspect"), Qt.MouseButton.LeftButton)
        assert window.panes.preset == "inspect"
        assert window.panes.focused() is window.panes.get(ATTRIBUTES)
        assert not window.panes.docks["packets"].isHidden()
    with subtests.test("a pane that floats has an edge"):
        dock = window.panes.docks["history"]
        dock.setFloating(True)
        settle()
        image = dock.grab().toImage()
        right, bottom = image.width() - 1, image.height() - 1
        corners = [(0, 0), (right, 0), (0, bottom), (right, bottom), (right // 2, 0), (right // 2, bottom)]
        assert {image.pixelColor(*each).name() for each in corners} == {theme.palette.faint.name()}
        assert image.pixelColor(right // 2, 1) == theme.palette.selection
        assert image.pixelColor(right // 2, 20) == theme.palette.hover
    with subtests.test("a double click on its title puts it back, and the title says so"):
        title = dock.title
        assert title.toolTip() == "This pane floats. A double click here puts it back."
        qtbot.mouseDClick(title, Qt.MouseButton.LeftButton, pos=QPoint(title.width() // 2, title.height() // 2))
        assert not dock.isFloating()
        assert title.toolTip() == ""
        settle()
        for docked in (dock, window.panes.docks["timeline"]):
            image = docked.grab().toImage()
            assert theme.palette.faint.name() not in {image.pixelColor(0, y).name() for y in range(image.height())}
    with subtests.test("docks float and come back"):
        window.registry["view.float_timeline"].trigger()
        dock = window.panes.docks["timeline"]
        assert dock.isFloating()
        assert dock.title.sizeHint().height() == 28
        qtbot.keyClick(dock, Qt.Key.Key_I)
        assert window.session.range.frames.start == 0
        window.registry["view.float_timeline"].trigger()
        assert not dock.isFloating()
        assert dock.title.sizeHint().height() == 0
    with subtests.test("tabs are the titles and a click opens one"):
        title = window.panes.docks["packets"].title
        assert title.titles() == ("Packets", "Actors", "Problems", "Events")
        tab = next(tab for tab in title.findChildren(QWidget) if tab.accessibleName() == "Actors")
        qtbot.mouseClick(tab, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not window.panes.get(ACTORS).visibleRegion().isEmpty())
        assert window.panes.docks["actors"].title.titles() == ("Packets", "Actors", "Problems", "Events")


def test_the_lengths_follow_the_size_of_the_text_which_is_remembered(
    window: MainWindow, make_program: Callable[..., Program], settings: Settings, theme: Theme, qtbot: QtBot
) -> None:
    wait_for_jobs(window)
    window.registry.run("view.larger")
    assert window.toolbar.height() == theme.px(36) > 36
    qtbot.waitUntil(lambda: geometry(window, "timeline")[1] == theme.px(214))
    assert window.file_name.geometry().bottom() < window.toolbar.y()
    theme.set_text_size(12)
    make_program(Settings(settings.path))
    assert theme.text_size == 13
    window.registry.run("view.smaller")
    qtbot.waitUntil(lambda: geometry(window, "packets")[0] == 500)


def while_playing_actions_are_looked_at_ten_times_a_second(window: MainWindow) -> None:
    looks: list[float] = []
    window.registry.refreshed.connect(lambda: looks.append(monotonic()))
    wait_for_jobs(window)
    window.player.set_speed(0.1)
    QApplication.processEvents()
    looks.clear()
    begin = monotonic()
    window.player.play()
    assert looks
    for _ in range(10):
        window.session.selection.step(1)
        QApplication.processEvents()
    assert window.player.is_playing
    # A coarse timer may come a twentieth early.
    assert len(looks) <= (monotonic() - begin) / 0.09 + 1
    looks.clear()
    window.player.pause()
    assert looks


def test_what_a_window_shows_and_its_keys(request: pytest.FixtureRequest, window: MainWindow, qtbot: QtBot) -> None:
    in_turn(
        request,
        window,
        keys_go_to_the_pane_that_has_the_keyboard,
        tab_and_the_keys_of_menus_go_through_the_window,
        while_playing_actions_are_looked_at_ten_times_a_second,
        every_action_has_a_name_tells_more_than_that_and_has_a_place,
        layouts_have_the_designed_lengths_and_bars_come_back,
        panes_float_and_are_opened_by_their_tabs_and_the_toolbar,
        between=lambda: bring_up(window, qtbot),
    )


# --- title and status -----------------------------------------------------------------------------------


def test_the_window_tells_of_its_file_its_jobs_and_its_look(
    window: MainWindow, qtbot: QtBot, settings: Settings, subtests: pytest.Subtests
) -> None:
    with subtests.test("the title names the file and marks edits"):
        assert window.windowTitle() == "town05.log[*] - Recorder Editor"
        assert window.file_name.text() == "town05.log"
        assert not window.isWindowModified()
        turn(window)
        assert window.isWindowModified()
        assert window.file_name.text() == "town05.log *"
        window.session.editing.undo()
        assert not window.isWindowModified()
    with subtests.test("a refusal is said for a while and a click ends it"):
        window.session.refused.emit("Traffic lights are found by their place.")
        assert window.status.note.isVisible()
        assert window.status.note.words.text() == "Traffic lights are found by their place."
        assert not window.status.parts["map"].isVisible()
        qtbot.mouseClick(window.status.note, Qt.MouseButton.LeftButton)
        assert not window.status.note.isVisible()
        assert window.status.parts["map"].isVisible()
    with subtests.test("a job shows progress and can be cancelled"):
        wait_for_jobs(window)
        ended: list[bool] = []
        never = Event()

        def work(progress: Progress) -> None:
            while not never.wait(_SECONDS_BETWEEN_REPORTS):
                progress.update(1, 4)

        job = window.session.jobs.start("Counting", work, lambda _: None)
        job.ended.connect(lambda: ended.append(True))
        qtbot.waitUntil(window.status.job.isVisible)
        assert "Counting" in words(window.status.job)
        qtbot.mouseClick(window.status.job.cancel_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: bool(ended))
        assert not window.status.job.isVisible()
    with subtests.test("another dialect is chosen in a dialog and no edit"):
        window.registry["dialect.why"].trigger()
        (dialog,) = window.findChildren(DialectDialog)
        dialog.choice.committed.emit(str(1 + list(DIALECTS).index("ue4-0.9.14")))
        assert window.session.snapshot is not None
        assert window.session.snapshot.dialect.name == "ue4-0.9.14"
        assert not window.session.is_modified
        dialog.choice.committed.emit("0")
        assert window.session.snapshot.dialect.name == "ue4-0.9.12"
        dialog.accept()
    with subtests.test("the theme is remembered"):
        window.registry["view.theme_dark"].trigger()
        assert window.theme.palette.dark
        assert settings[THEME] == "dark"
        window.registry["view.theme_light"].trigger()
        assert not window.theme.palette.dark
    assert window.close()
    assert QApplication.activeModalWidget() is None


def the_status_bar_and_keys_in_a_real_recording(window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    with subtests.test("the status bar tells where one is"):
        wait_for_jobs(window)
        parts = window.status.parts
        assert [parts[name].text() for name in ("map", "dialect", "size", "frame", "mode", "edits", "problems")] == [
            "Town05",
            "CARLA 0.9.12 to 0.9.13",
            "1.6 MB",
            "Frame 1 of 555",
            "OVR",
            "No edits",
            "5 problems",
        ]
        window.session.selection.select_byte(0x1F4A)
        assert parts["offset"].text() == f"0x{window.session.selection.span[0]:06x}"
        turn(window)
        assert parts["edits"].text() == "1 edit"
        window.registry.run("tools.insert")
        assert parts["mode"].text() == "INS"
        assert window.panes.get(BYTES).is_inserting
        window.panes.set_preset("trim")
        window.session.range.set(420, 520)
        assert parts["range"].text() == "In point 421, out point 520"
        assert parts["mode"].text() == ""
    with subtests.test("back and forward walk through selections"):
        window.session.editing.undo()
        window.panes.set_preset("inspect")
        session = window.session
        session.selection.select_actor(HERO)
        hero = session.selection.place
        session.selection.select_byte(5)
        qtbot.keyClick(window, Qt.Key.Key_Left, ALT)
        assert session.selection.place == hero
        qtbot.keyClick(window, Qt.Key.Key_Right, ALT)
        assert session.selection.place.row == -1


# --- keys -----------------------------------------------------------------------------------------------


def keys_go_to_the_pane_that_has_the_keyboard(window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    with subtests.test("keys work from any pane that takes no text"):
        session = window.session
        for pane in (window.panes.get(PACKETS).tree, window.panes.get(SCENE).view, window.panes.get(TIMELINE)):
            pane.setFocus()
            session.selection.go_to_frame(10)
            qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Period)
            assert session.selection.frame_index == 11
            qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Comma)
            assert session.selection.frame_index == 10
            session.range.clear()
            qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_I)
            assert session.range.frames.start == 10
            session.selection.go_to_frame(20)
            qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_O)
            assert session.range.frames == range(10, 21)
            for key, state in (
                (Qt.Key.Key_Space, (True, False, 1.0)),
                (Qt.Key.Key_Space, (False, False, 1.0)),
                (Qt.Key.Key_L, (True, False, 1.0)),
                (Qt.Key.Key_L, (True, False, 2.0)),
                (Qt.Key.Key_J, (True, True, 1.0)),
                (Qt.Key.Key_K, (False, False, 1.0)),
                (Qt.Key.Key_BracketRight, (False, False, 2.0)),
                (Qt.Key.Key_BracketLeft, (False, False, 1.0)),
            ):
                qtbot.keyClick(QApplication.focusWidget(), key)
                assert (window.player.is_playing, window.player.is_backward, window.player.speed) == state
    with subtests.test("keys are text where text is typed"):
        window.session.range.clear()
        window.session.selection.go_to_frame(0)
        window.panes.get(PACKETS).filter.setFocus()
        qtbot.keyClicks(window.panes.get(PACKETS).filter, "jkl, .io[ ]")
        assert window.panes.get(PACKETS).filter.text() == "jkl, .io[ ]"
        assert not window.player.is_playing
        assert window.session.selection.frame_index == 0
        assert not window.session.range.is_set
    with subtests.test("space presses the button that has the keyboard"):
        chip = window.panes.get(SCENE).switches[1]
        chip.setFocus()
        before = window.panes.get(SCENE).view.switches["roads"]
        qtbot.keyClick(chip, Qt.Key.Key_Space)
        assert window.panes.get(SCENE).view.switches["roads"] is not before
        assert not window.player.is_playing
    with subtests.test("ctrl f finds in the pane that has the keyboard"):
        window.panes.get(BYTES).view.setFocus()
        qtbot.keyClick(window.panes.get(BYTES).view, Qt.Key.Key_F, CONTROL)
        assert window.panes.get(BYTES).find_bar.isVisible()
        window.panes.get(SCENE).view.setFocus()
        qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_F, CONTROL)
        assert window.panes.get(PACKETS).filter.hasFocus()


def tab_and_the_keys_of_menus_go_through_the_window(
    window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("tab goes through the window as one reads"):
        wait_for_jobs(window)
        window.panes.get(PACKETS).setFocus()
        names: list[str] = []
        first = QApplication.focusWidget()
        while True:
            present = QApplication.focusWidget()
            assert present is not None
            names.append(present.objectName() or present.accessibleName())
            qtbot.keyClick(present, Qt.Key.Key_Tab)
            if QApplication.focusWidget() is first:
                break
        wanted = [
            "packetTree",
            "hexView",
            "scene-roads",
            "sceneView",
            "frame id",
            "historyView",
            "transport-play",
            "rangeIn",
            "timeline",
            "tool.file.open",
            "palette",
            "packetFilter",
        ]
        assert [name for name in names if name in wanted] == wanted
        assert len(names) == len(set(names))
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab)
        assert QApplication.focusWidget().accessibleName() == "This frame"
    with subtests.test("every menu is reached by keys"):
        texts = [action.text() for action in window.menuBar().actions()]
        letters = [text[text.index("&") + 1].lower() for text in texts]
        assert len(set(letters)) == len(letters)
        qtbot.keyClick(window, Qt.Key.Key_F10)
        assert window.menuBar().activeAction() is window.menuBar().actions()[0]
    with subtests.test("escape leaves the menus at once"):
        qtbot.keyClick(window.menuBar(), Qt.Key.Key_Escape)
        bring_up(window, qtbot)
        bar, before = window.menuBar(), QApplication.focusWidget()
        for key in (Qt.Key.Key_G, Qt.Key.Key_V):
            qtbot.keyClick(window, key, ALT)
            menu = QApplication.activePopupWidget()
            assert isinstance(menu, QMenu)
            qtbot.keyClick(menu, Qt.Key.Key_Escape)
            assert QApplication.activePopupWidget() is None
            assert bar.activeAction() is None
            assert QApplication.focusWidget() is before


def test_the_line_around_what_has_the_keyboard_stays_within_its_pane(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 300)
    ring, pane = FocusRing(theme, window), QWidget(window)
    pane.setGeometry(20, 40, 200, 50)
    view = QTextEdit(pane)
    view.setGeometry(10, 10, 100, 100)
    bring_up(window, qtbot)
    view.setFocus()
    assert ring.isVisible()
    assert ring.geometry() == QRect(30, 50, 100, 40)
    pane.move(20, 140)
    assert ring.geometry() == QRect(30, 150, 100, 40)


def test_f8_goes_through_the_problems_whose_number_goes_with_the_recording(
    open_window: OpenWindow, damaged_recording: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("f8 goes through the problems"):
        window = open_window(damaged_recording)
        wait_for_jobs(window)
        assert window.badge.text().strip() == "2"
        window.session.selection.select_byte(0x100)
        qtbot.keyClick(window, Qt.Key.Key_F8)
        assert window.session.selection.span[0] == window.session.background.findings[0].offset
        assert window.panes.get(PROBLEMS).isVisible()
    with subtests.test("the number of problems goes with the recording"):
        assert window.badge.text().strip() == "2"
        window.documents.close()
        assert window.badge.text() == ""
        settle()
        assert window.badge.width() == 0


def test_tabs_have_one_order_whatever_was_kept(open_window: OpenWindow, path: Path, qtbot: QtBot) -> None:
    def tabs(window: MainWindow) -> list[tuple[str, ...]]:
        return [window.panes.docks[name].title.titles() for name in ("problems", "packets", "actors")]

    path.write_bytes(path.read_bytes()[:-7])
    first = open_window(path)
    assert first.panes.preset == "repair"
    order = ("Problems", "Packets", "Actors")
    qtbot.waitUntil(lambda: tabs(first) == [order] * 3)
    actors = first.panes.docks["actors"]
    actors.setFloating(True)
    actors.setFloating(False)
    first.close_anyway()
    second = open_window(path)
    qtbot.waitUntil(lambda: len(tabs(second)[0]) == 3)
    assert tabs(second) == [order] * 3
    second.panes.set_preset("inspect")
    qtbot.waitUntil(lambda: tabs(second) == [("Packets", "Actors", "Problems", "Events")] * 3)
    second.panes.show("differences")
    qtbot.waitUntil(lambda: tabs(second) == [("Packets", "Actors", "Problems", "Events", "Differences")] * 3)


def every_action_has_a_name_tells_more_than_that_and_has_a_place(window: MainWindow) -> None:
    for spec in window.registry:
        assert spec.plain_text
        assert spec.plain_text[0].isupper() or not spec.plain_text.isascii()
        assert window.registry[spec.id].toolTip()
        assert spec.tooltip not in ("", spec.plain_text), spec.id
        place = window.menus[spec.menu] if spec.menu else window.toolbar
        assert window.registry[spec.id] in place.actions(), spec.id
        if spec.id == "palette.open":  # which is where one is then
            continue
        window.search_field.model.show(window.search_field.search.find(spec.plain_text))
        assert (spec.id, spec.plain_text) in [(match.id, match.text) for match in window.search_field.model.rows]
    assert window.search_field.search.find("road map")[0].id == "roads.choose"


def test_an_empty_window_opens_what_is_a_file(
    empty: MainWindow,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    qtbot: QtBot,
    path: Path,
    subtests: pytest.Subtests,
) -> None:
    with subtests.test("without a recording what needs one is grey"):
        empty.registry.refresh()
        able = {spec.id for spec in empty.registry if empty.registry[spec.id].isEnabled()}
        assert able >= {"file.open", "file.new_window", "file.demo", "help.keys", "palette.open"}
        assert able.isdisjoint(
            {"file.save", "edit.undo", "view.preset_trim", "tools.checks", "go.next", "view.packets"}
        )
    with subtests.test("files are looked for among the documents or at home"):
        monkeypatch.setenv("HOME", str(home))
        assert empty.documents.folder == home
        (home / "Documents").mkdir()
        assert empty.documents.folder == home / "Documents"
    with subtests.test("what is no file is not taken"):
        assert not drop(empty)
    with subtests.test("a file that is not there is told with what to do"):
        empty.documents.open(tmp_path / "gone.log")
        trouble = dialog(qtbot, ErrorDialog)
        assert isinstance(trouble, ErrorDialog)
        assert "gone.log could not be opened" in words(trouble)
        assert "Check the name, or choose another file." in words(trouble)
        assert "Traceback" not in words(trouble)
        press(trouble, "Copy")
        assert "FileNotFoundError" in QGuiApplication.clipboard().text()
        trouble.close()
        assert empty.start_page.isVisible()
    with subtests.test("opening can be cancelled and leaves the start page"):
        never = Event()

        def slow(_path: Path, progress: Progress, **__: object) -> object:
            while not never.wait(_SECONDS_BETWEEN_REPORTS):
                progress.check()
            raise AssertionError

        monkeypatch.setattr(session_module, "open_recording", slow)
        empty.documents.open(path)
        assert empty.start_page.progress.isVisible()
        empty.start_page.progress.cancel_button.click()
        qtbot.waitUntil(lambda: not empty.documents.is_busy)
        assert empty.start_page.isVisible()
        assert empty.start_page.open_button.isVisible()
        assert empty.session.snapshot is None


# --- what actions do ------------------------------------------------------------------------------------


def records_and_frames_of_a_real_recording_are_edited_and_replayed(
    window: MainWindow, path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("the replay call names file time and actor"):
        session = window.session
        assert replay_of(session, None) == Replay()
        session.selection.go_to_frame(100)
        session.selection.select_actor(3891)
        assert replay_of(session, None) == Replay(5.0, 0.0, 3891)
        session.range.set(240, 500)
        window.panes.get(SCENE).view.follow_actor(HERO)
        window.registry.run("recording.replay")
        call = f"client.replay_file({str(path)!r}, 12.000, 13.000, {HERO}, replay_sensors=False)"
        assert QGuiApplication.clipboard().text() == call
        window.registry.run("recording.simulator")
        (dialog,) = window.findChildren(ReplayDialog)
        assert (dialog.how(), dialog.isVisible()) == (Replay(12.0, 13.0, HERO), True)
        dialog.reject()
    with subtests.test("delete and duplicate act on the record in the tree"):
        session = window.session
        session.selection.go_to_frame(330)
        session.selection.select_actor(HERO)
        records, place = len(session.selection.target.packet.decoded), session.selection.place
        window.panes.get(PACKETS).tree.setFocus()
        qtbot.keyClick(window.panes.get(PACKETS).tree, Qt.Key.Key_D, CONTROL)
        assert len(session.selection.target.packet.decoded) == records + 1
        assert session.selection.place == place._replace(record=place.record + 1)
        qtbot.keyClick(window.panes.get(PACKETS).tree, Qt.Key.Key_Delete)
        assert len(session.selection.target.packet.decoded) == records
        assert session.selection.place == place._replace(record=place.record + 1)
    with subtests.test("frames are inserted duplicated and deleted"):
        session = window.session
        session.selection.go_to_frame(5)
        for name, frames, here in (("frame.insert", 556, 6), ("frame.duplicate", 557, 7), ("frame.delete", 556, 7)):
            window.registry.run(name)
            assert (session.frames, session.selection.frame_index) == (frames, here)


@TOWN
def test_a_real_recording_in_a_window(request: pytest.FixtureRequest, window: MainWindow, qtbot: QtBot) -> None:
    in_turn(
        request,
        window,
        the_status_bar_and_keys_in_a_real_recording,
        records_and_frames_of_a_real_recording_are_edited_and_replayed,
        between=lambda: bring_up(window, qtbot),
    )


# --- opening --------------------------------------------------------------------------------------------


class ShownWindows(QObject):
    """Notes what is shown as a window of its own, even if it becomes a part of another one at once."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.names.append(type(watched).__name__)
        return False


def test_a_window_opens_alone_and_makes_the_start_page_when_it_is_needed(
    open_window: OpenWindow, qapp: QApplication, path: Path
) -> None:
    shown = ShownWindows()
    qapp.installEventFilter(shown)
    window = open_window(path)
    assert window.findChild(StartPage) is None
    assert window.focusWidget() is window.panes.get(PACKETS).tree
    window.registry.run("file.close")
    page = window.findChild(StartPage)
    assert page is window.start_page
    assert page.isVisible()
    assert window.focusWidget() is page.first_stop()
    qapp.removeEventFilter(shown)
    assert shown.names == ["MainWindow"]


def test_files_are_opened_by_the_menu_dropped_or_in_another_window(
    empty: MainWindow,
    path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    recordings: Path,
    subtests: pytest.Subtests,
) -> None:
    with subtests.test("a file is opened by the menu as a job"):
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
        qtbot.keyClick(empty, Qt.Key.Key_O, CONTROL)
        qtbot.waitUntil(lambda: empty.session.is_complete)
        assert empty.panes.get(SCENE).isVisible()
        assert empty.windowTitle().startswith("town05.log")
    with subtests.test("closing the recording shows the start page"):
        empty.registry.run("file.close")
        assert empty.start_page.isVisible()
        assert empty.windowTitle() == "Recorder Editor"
        assert empty.status.parts["map"].text() == "No recording open"
        assert all(dock.isHidden() for dock in empty.panes.docks.values())
    with subtests.test("a file dropped on an empty window is opened"):
        assert drop(empty, path)
        qtbot.waitUntil(lambda: empty.session.is_complete)
    with subtests.test("a second file asks where"):
        second = recordings / "carla-0.9.13-opendrive.log"
        asked: list[str] = []
        empty.window_asked.connect(asked.append)
        drop(empty, second)
        question = dialog(qtbot, Question)
        assert "carla-0.9.13-opendrive.log" in words(question)
        press(question, "New window")
        assert asked == [str(second)]
        assert empty.documents.path is not None
        assert empty.documents.path.name == "town05.log"
        drop(empty, second)
        press(dialog(qtbot, Question), "Open here")
        qtbot.waitUntil(lambda: empty.documents.path == second)
    with subtests.test("a table is imported"):
        table = path.with_name("tracks.csv")
        table.write_text("t,id,x,y\n0,1,2,3\n1,1,4,3\n")
        drop(empty, table)
        shown = dialog(qtbot, ImportDialog)
        assert shown.source.path == table
        wait_for_jobs(empty)
        shown.reject()


@TOWN
def test_the_first_frames_are_shown_while_the_rest_is_read(
    empty: MainWindow, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()

    def slow(path: Path, progress: Progress, **given: Any) -> Recording:
        recording = open_recording(path, **given)
        while not go_on.wait(_SECONDS_BETWEEN_REPORTS):
            try:
                progress.update(1, 2)
            except Cancelled:
                recording.close()
                raise
        return recording

    monkeypatch.setattr(session_module, "open_recording", slow)
    for cancelled in (True, False):
        empty.documents.open(path)
        qtbot.waitUntil(empty.panes.get(SCENE).isVisible)
        assert not empty.session.is_complete
        assert empty.status.parts["edits"].text() == "Reading"
        empty.registry.refresh()
        assert not empty.registry["frame.delete"].isEnabled()
        qtbot.waitUntil(empty.status.job.isVisible)
        if cancelled:
            empty.status.job.cancel_button.click()
            qtbot.waitUntil(empty.start_page.isVisible)
            assert empty.session.snapshot is None
        else:
            empty.session.selection.go_to_frame(40)
            go_on.set()
            qtbot.waitUntil(lambda: empty.session.is_complete)
            assert empty.session.selection.frame_index == 40


# --- saving and closing ---------------------------------------------------------------------------------


@FILES
def save_and_save_as_write_the_edit_and_nothing_else_and_a_file_that_is_gone_is_told(
    window: MainWindow, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    other = path.with_name("other.log")
    mine = path.with_name("mine.log")
    with subtests.test("save writes the edit and nothing else"):
        before = path.read_bytes()
        turn(window)
        qtbot.keyClick(window, Qt.Key.Key_S, CONTROL)
        qtbot.waitUntil(lambda: not window.session.is_modified)
        qtbot.waitUntil(
            lambda: window.status.note.words.text().startswith(f"Saved town05.log, {size_text(len(before))}, ")
        )
        after = path.read_bytes()
        assert len(after) == len(before)
        number = sum(a != b for a, b in zip(before, after, strict=True))
        assert 2 <= number <= 4
        assert window.status.note.words.text().endswith(f", {number} bytes differ.")
        window.session.editing.undo()
        assert window.session.is_modified
    with subtests.test("save as goes on with the new name"):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
        before = path.read_bytes()
        turn(window, 12.5)
        qtbot.keyClick(window, Qt.Key.Key_S, CONTROL | SHIFT)
        qtbot.waitUntil(lambda: window.documents.path == other)
        qtbot.waitUntil(lambda: window.windowTitle().startswith("other.log"))
        assert path.read_bytes() == before
        assert not window.session.is_modified
    with subtests.test("the sample is not saved over"):
        before = other.read_bytes()
        turn(window, 30.0)
        monkeypatch.setattr(resources, "_folders", lambda: (path.with_name("none"), path.parent))
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(mine), ""))
        window.registry.run("file.save")
        qtbot.waitUntil(lambda: not window.session.is_modified and not window.documents.is_busy)
        assert other.read_bytes() == before
        assert window.documents.path == mine
    with subtests.test("a file that is gone is told"):
        mine.unlink()
        qtbot.waitUntil(window.message_bar.isVisible)
        assert "was deleted or moved" in window.message_bar.words.text()
        assert not window.message_bar.reload.isVisible()


@pytest.mark.parametrize(
    ("name", "there", "proposed"),
    [
        ("town05.log", (), "town05-edited.log"),
        ("town05.log", ("town05-edited.log",), "town05-edited-2.log"),
        ("town05.log", ("town05-edited.log", "town05-edited-2.log"), "town05-edited-3.log"),
        ("town05-edited.log", (), "town05-edited-2.log"),
        ("town05-edited-2.log", ("town05-edited.log",), "town05-edited-3.log"),
        ("a.b", (), "a-edited.b"),
        ("town 1", (), "town 1-edited"),
    ],
)
def test_save_as_proposes_a_name_of_no_file(tmp_path: Path, name: str, there: tuple[str, ...], proposed: str) -> None:
    for each in (name, *there):
        tmp_path.joinpath(each).touch()
    assert edited_path(tmp_path / name) == tmp_path / proposed


def _selected_when_asked(window: MainWindow) -> str:
    """What is selected in the name that the dialog of the system proposes."""
    seen: list[str] = []
    looks = QTimer(window)

    def look() -> None:
        """Give the dialog up as soon as what is selected is not all, or after many looks."""
        found = QApplication.activeModalWidget()
        if not isinstance(found, QFileDialog):
            return
        (line,) = found.findChildren(QLineEdit)
        seen.append(line.selectedText())
        if seen[-1] not in ("", line.text()) or len(seen) == _MOST_LOOKS:
            looks.stop()
            found.reject()

    looks.timeout.connect(look)
    looks.start(10)
    window.registry.run("file.save_as")
    return seen[-1]


@FILES
def no_copy_is_proposed_under_the_name_of_a_file(
    window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    offered: list[str] = []

    def give_up(_parent: object, _title: str, place: str, _kinds: str) -> tuple[str, str]:
        offered.append(place)
        return "", ""

    def save_the_sample() -> None:
        monkeypatch.setattr(resources, "_folders", lambda: (path.parent / "none", path.parent))
        window.documents.save()

    with subtests.test("the ending of a proposed name is not selected"):
        assert _selected_when_asked(window) == "town05-edited"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", give_up)
    mine = path.parent / "mine"
    mine.mkdir()
    monkeypatch.setattr("recorder_editor.ui.shell.documents._documents", lambda: mine)
    window.session.range.set(2, 4)
    trim = window.panes.get(TRIM)
    asks = (window.documents.ask_save_as, trim.ask_export, trim.ask_join, window.documents.ask_demo, save_the_sample)
    for ask in asks:
        with subtests.test(ask.__name__):
            offered.clear()
            ask()
            Path(offered[0]).touch()
            ask()
            first, second = map(Path, offered)
            assert second.name == f"{first.stem}-2{first.suffix}"
            assert first != path
            if ask == window.documents.ask_save_as:
                assert first == path.with_name("town05-edited.log")


@FILES
def a_refused_save_offers_another_name(
    window: MainWindow, path: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn(window)
    path.rename(tmp_path / "moved.log")
    path.write_bytes(b"another file")
    window.registry.run("file.save")
    trouble = dialog(qtbot, ErrorDialog)
    assert "town05.log was not saved" in words(trouble)
    other = tmp_path / "kept.log"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    press(trouble, "Save as...")
    qtbot.waitUntil(lambda: not window.session.is_modified)
    assert other.exists()
    assert path.read_bytes() == b"another file"


def test_closing_with_edits_lists_them_and_can_save_first(
    window: MainWindow, qtbot: QtBot, path: Path, subtests: pytest.Subtests
) -> None:
    with subtests.test("closing with edits lists them and cancel keeps the window"):
        turn(window)
        assert not window.close()
        prompt = dialog(qtbot, ClosePrompt)
        assert "1 unsaved edit:" in words(prompt)
        assert "Set yaw" in words(prompt)
        press(prompt, "Cancel")
        assert window.isVisible()
        assert window.session.is_modified
    with subtests.test("closing can save first"):
        before = path.read_bytes()
        turn(window)
        window.close()
        press(dialog(qtbot, ClosePrompt), "Save")
        qtbot.waitUntil(lambda: not window.isVisible())
        assert path.read_bytes() != before


def test_closing_can_discard(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    before = path.read_bytes()
    turn(window)
    window.close()
    press(dialog(qtbot, ClosePrompt), "Discard")
    qtbot.waitUntil(lambda: not window.isVisible())
    assert path.read_bytes() == before


# --- what others do to the file -------------------------------------------------------------------------


@FILES
def a_file_that_replaced_this_one_can_be_compared(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    other = Path(shutil.copy(path, path.with_name("next.log")))
    turn(window)
    other.replace(path)
    qtbot.waitUntil(window.message_bar.isVisible)
    qtbot.mouseClick(window.message_bar.compare, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.panes.docks["differences"].isVisible)
    qtbot.waitUntil(lambda: window.session.comparison.other is not None)
    assert window.session.frames == 60
    assert window.session.is_modified


@FILES
def a_file_that_was_rewritten_is_told_and_mine_can_be_kept(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    path.write_bytes(path.read_bytes()[:1000])
    qtbot.waitUntil(window.message_bar.isVisible)
    assert "rewritten town05.log" in window.message_bar.words.text()
    assert window.message_bar.reload.isVisible()
    assert not window.message_bar.follow.isVisible()
    qtbot.mouseClick(window.message_bar.keep, Qt.MouseButton.LeftButton)
    assert not window.message_bar.isVisible()


@FILES
def the_edits_of_a_file_that_was_rewritten_can_be_kept_as_a_script(
    window: MainWindow, path: Path, qtbot: QtBot
) -> None:
    turn(window)
    path.write_bytes(path.read_bytes()[:1000])
    qtbot.waitUntil(window.message_bar.isVisible)
    assert "the edits are still here" in window.message_bar.words.text()
    qtbot.mouseClick(window.message_bar.script, Qt.MouseButton.LeftButton)
    assert isinstance(dialog(qtbot, SaveScriptDialog), SaveScriptDialog)
    QApplication.activeModalWidget().close()
    with qtbot.capture_exceptions():  # panes that cannot read any more: the notice stands for them in the program
        window.registry.run("edit.undo")
    assert not window.message_bar.script.isVisible()
    assert "edits" not in window.message_bar.words.text()


@pytest.fixture
def half(path: Path) -> tuple[Path, bytes]:
    """A recording in progress, and what is still to be written."""
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return path, data[len(data) // 2 :]


def written_on(path: Path, data: bytes) -> None:
    """The simulator goes on."""
    with path.open("ab") as stream:
        stream.write(data)


@TOWN
def test_a_recording_in_progress_is_said_to_be_one_and_can_be_followed(
    open_window: OpenWindow, half: tuple[Path, bytes], qtbot: QtBot
) -> None:
    path, rest = half
    window = open_window(path)
    session = window.session
    session.selection.go_to_frame(session.frames - 1)
    wait_for_jobs(window)  # with the ways of all the scene shows more
    camera, frames = window.panes.get(SCENE).view.camera, session.frames
    told: list[str] = []
    window.documents.watcher.reported.connect(lambda news: told.append(news.sentence))
    written_on(path, rest[:100_000])
    qtbot.waitUntil(window.message_bar.isVisible)
    assert "town05.log is still being written: it has 0.1 MB more" in told[0]  # later it is at rest again
    session.selection.go_to_frame(0)
    session.selection.go_to_frame(session.frames - 1)
    assert window.message_bar.follow.text() == "Reload as it grows"
    qtbot.mouseClick(window.message_bar.follow, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.frames > frames)
    assert session.selection.frame_index == session.frames - 1
    assert window.message_bar.words.text() == "town05.log is reloaded whenever it grows."
    now = window.panes.get(SCENE).view.camera
    assert (now.x, now.y, now.scale) == (camera.x, camera.y, camera.scale)
    written_on(path, rest[100_000:])
    qtbot.waitUntil(lambda: session.frames == 555)
    assert session.selection.frame_index == 554
    qtbot.mouseClick(window.message_bar.keep, Qt.MouseButton.LeftButton)
    assert not window.message_bar.isVisible()
    assert not window.documents.watcher.is_following


@TOWN
def test_a_recording_in_progress_is_read_again_where_one_is_or_not_mentioned_again(
    open_window: OpenWindow, half: tuple[Path, bytes], qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    path, rest = half
    window = open_window(path)
    with subtests.test("a recording in progress is read again where one is"):
        window.session.selection.go_to_frame(40)
        window.session.selection.select_actor(HERO)
        written_on(path, rest)
        qtbot.waitUntil(window.message_bar.isVisible)
        qtbot.mouseClick(window.message_bar.reload, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: window.session.frames == 555)
        assert (window.session.selection.frame_index, window.session.selection.actor) == (40, HERO)
        assert not window.message_bar.isVisible()
    with subtests.test("that a recording grows is not said again when it was waved aside"):
        qtbot.waitUntil(lambda: window.session.is_complete and not window.documents.is_busy)
        assert not window.message_bar.isVisible()
        written_on(path, rest[:1000])
        qtbot.waitUntil(window.message_bar.isVisible)
        qtbot.mouseClick(window.message_bar.keep, Qt.MouseButton.LeftButton)
        written_on(path, rest[1000:2000])
        window.documents.look_at_disk()
        assert not window.message_bar.isVisible()


@FILES
def a_file_that_is_replaced_is_told_and_saving_is_no_such_change(
    window: MainWindow, qtbot: QtBot, path: Path, recordings: Path, subtests: pytest.Subtests
) -> None:
    with subtests.test("saving over the file is no change by others"):
        turn(window)
        window.registry.run("file.save")
        qtbot.waitUntil(lambda: not window.session.is_modified and not window.documents.is_busy)
        window.documents.look_at_disk()
        assert not window.message_bar.isVisible()
    with subtests.test("a file that is replaced after it was saved is told and read again"):
        turn(window, 12.5)
        window.registry.run("file.save")
        qtbot.waitUntil(lambda: not window.session.is_modified and not window.documents.is_busy)
        other = Path(shutil.copy(recordings / "carla-0.9.13-opendrive.log", path.with_name("next.log")))
        other.replace(path)
        qtbot.waitUntil(window.message_bar.isVisible)
        assert "town05.log was replaced by another file" in window.message_bar.words.text()
        assert window.session.frames == 60
        qtbot.mouseClick(window.message_bar.reload, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: window.session.is_complete and window.session.frames != 60)
        qtbot.waitUntil(lambda: not window.message_bar.isVisible())


def test_the_other_file_of_a_comparison_that_changes_is_told_and_compared_again(
    window: MainWindow, qtbot: QtBot, path: Path
) -> None:
    comparison = window.session.comparison
    notice = window.compared_notice
    other = Path(shutil.copy(path, path.with_name("other.log")))
    window.documents.compare(other)
    qtbot.waitUntil(lambda: comparison.result is not None)
    first = comparison.result
    assert not notice.isVisible()
    saved = path.with_name("saved.log")
    saved.write_bytes(b.drive(61, vehicles=3))
    saved.replace(other)
    qtbot.waitUntil(notice.isVisible)
    assert notice.words.text() == "other.log, with which this recording is compared, has changed on the disk."
    assert comparison.result is first
    qtbot.mouseClick(notice.reload, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: comparison.result not in (None, first))
    assert comparison.result is not None
    assert len(comparison.result.b) == 61
    assert not notice.isVisible()
    other.unlink()
    qtbot.waitUntil(notice.isVisible)
    assert not notice.reload.isVisible()
    window.registry.run("compare.stop")
    assert not notice.isVisible()


def test_the_file_of_a_window_is_kept_and_what_others_do_to_it_is_told(
    window: MainWindow, path: Path, recordings: Path, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    begin_next = begin_anew(window, path, qtbot)

    def begin() -> dict[str, object]:
        return {**begin_next(), "subtests": subtests}

    FILES.run(subtests, begin, window=window, recordings=recordings, qtbot=qtbot, tmp_path=tmp_path)


# --- the program ----------------------------------------------------------------------------------------


def test_windows_come_and_go_and_a_free_one_takes_a_file_of_macos(
    program: Program, path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    first = program.new_window()
    with subtests.test("new windows come and go"):
        with qtbot.waitActive(first):
            first.activateWindow()
        qtbot.keyClick(first, Qt.Key.Key_N, CONTROL)
        assert len(program.windows) == 2
        second = program.windows[1]
        second.documents.open(path)
        qtbot.waitUntil(lambda: second.session.is_complete)
        assert first.session.snapshot is None
        second.close()
        assert program.windows == [first]
    with subtests.test("a file of macos is opened in a free window else in another"):
        program.open(path)
        qtbot.waitUntil(lambda: first.session.is_complete)
        assert program.windows == [first]
        program.open(path)
        second = program.windows[1]
        qtbot.waitUntil(lambda: second.session.is_complete)
        assert first.documents.path == second.documents.path == path


def test_what_nobody_foresaw_is_a_dialog_without_a_stack_trace(
    program: Program, qtbot: QtBot, capsys: pytest.CaptureFixture[str]
) -> None:
    program.new_window()
    try:
        raise RecorderError("Something broke.", offset=0x1F4A, frame=3)
    except RecorderError as error:
        program.tell(type(error), error, error.__traceback__)
    trouble = dialog(qtbot, ErrorDialog)
    assert "Something broke." in words(trouble)
    assert "offset 0x001f4a, frame 3" in words(trouble)
    assert "Traceback" in capsys.readouterr().err
    trouble.close()


def test_a_damaged_file_is_shown_in_the_layout_that_was_asked_for(open_window: OpenWindow, path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])
    window = open_window(path, preset="trim")
    assert window.panes.preset == "trim"
    assert window.panes.docks["trim"].isVisible()


def test_a_screenshot_is_a_picture_of_that_size(theme: Theme, path: Path, tmp_path: Path) -> None:
    out = tmp_path / "shot.png"
    out.write_bytes(path.read_bytes())
    with pytest.raises(NoPicture, match="no picture is written"):
        screenshot(path, tmp_path / "shot.unknown")
    with pytest.raises(WouldReplace):
        screenshot(path, out, size=(1000, 640))
    assert out.read_bytes() == path.read_bytes()
    screenshot(path, out, frame=31, size=(1000, 640), mode="dark", preset="repair", overwrite=True)
    assert out.read_bytes()[1:4] == b"PNG"
    assert out.read_bytes()[16:24] == (1000).to_bytes(4, "big") + (640).to_bytes(4, "big")


# --- pictures -------------------------------------------------------------------------------------------


@TOWN
@pytest.mark.pictures
@pytest.mark.parametrize(("size", "mode"), [((1280, 800), "light"), ((1920, 1080), "dark")])
@pytest.mark.parametrize("preset", PRESETS)
def test_pictures_of_the_window(
    open_window: OpenWindow, path: Path, theme: Theme, artefacts: Path, mode: str, size: tuple[int, int], preset: str
) -> None:
    theme.set_mode("dark" if mode == "dark" else "light")
    window = open_window(path, size=size, preset=preset)
    session = window.session
    session.range.set(240, 500)
    session.selection.go_to_frame(330)
    session.selection.select_actor(3932)
    wait_for_jobs(window)
    assert window.size().toTuple() == size
    assert window.grab().save(str(artefacts / f"window-{preset}-{mode}-{size[0]}.png"))
