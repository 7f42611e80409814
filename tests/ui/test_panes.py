"""The list of panes: what a pane costs before it is shown, and that a further one takes its file and one line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.ui.app import settle
from recorder_editor.ui.session import traffic
from recorder_editor.ui.shell import main_window
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import (
    ACTORS,
    BYTES,
    HISTORY,
    PACKETS,
    PANES,
    REPAIR,
    SCENE,
    SIGNALS,
    TIMELINE,
    TRIM,
)
from recorder_editor.ui.widgets.pane import Pane

from .pane_of_a_test import COUNTER
from .parts import Parts, begin_anew
from .windows import OpenWindow, idle

INSPECTING = {"packets", "bytes", "attributes", "history", "timeline", "scene"}

part = Parts()


def made(window: MainWindow) -> set[str]:
    """The names of the panes that were made."""
    return {name for name, spec in window.panes.specs.items() if window.panes.if_made(spec) is not None}


class Shown(QObject):
    """Notes which widgets are shown as windows of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.windows: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.windows.append(repr(watched))
        return False


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch, open_window: OpenWindow) -> Callable[..., MainWindow]:
    """Makes windows with a further pane: the one line of the list."""
    monkeypatch.setattr(main_window, "PANES", (*PANES, COUNTER))
    return open_window


def test_no_pane_is_made_before_a_recording_is_shown(open_window: OpenWindow) -> None:
    assert made(open_window()) == set()


def a_pane_is_made_when_it_is_first_seen(window: MainWindow, qtbot: QtBot) -> None:
    assert made(window) == INSPECTING
    tab = next(
        tab for tab in window.panes.docks["packets"].title.findChildren(QWidget) if tab.accessibleName() == "Actors"
    )
    qtbot.mouseClick(tab, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: made(window) == INSPECTING | {"actors"})
    assert window.panes.get(ACTORS).isVisible()
    window.panes.set_preset("trim")
    assert made(window) == INSPECTING | {"actors", "trim"}
    window.panes.show("signals")
    assert made(window) == INSPECTING | {"actors", "trim", "signals"}
    window.panes.show("signals", False)


def test_the_trim_layout_makes_no_pane_of_the_others(open_window: OpenWindow, path: Path) -> None:
    assert made(open_window(path, preset="trim")) == {"trim", "timeline", "scene"}


def test_panes_that_are_made_late_do_what_those_do_that_were_there_and_show_no_window_of_their_own(
    open_window: OpenWindow, path: Path, qtbot: QtBot
) -> None:
    window = open_window(path)
    idle(window, qtbot)
    for action in window.registry:
        window.registry.is_enabled(action.id)
    assert made(window) == INSPECTING
    shown, application = Shown(), QApplication.instance()
    assert application is not None
    application.installEventFilter(shown)
    try:
        actions_of_panes_work_before_these_are_made(window)
        panes_that_are_made_late_show_what_is_open_and_edited(window, qtbot)
    finally:
        application.removeEventFilter(shown)
    assert shown.windows == []
    window.panes.focus("signals")
    assert window.panes.get(SIGNALS).isVisible()


def actions_of_panes_work_before_these_are_made(window: MainWindow) -> None:
    window.session.range.set_in(3)
    window.registry.run("range.command")
    assert QApplication.clipboard().text() == window.panes.get(TRIM).command_line() != ""
    assert not window.panes.get(TRIM).isVisible()
    window.registry.run("repair.command")
    assert QApplication.clipboard().text() == window.panes.get(REPAIR).command_line() != ""
    window.session.editing.undo()
    assert not window.session.range.is_set


def panes_that_are_made_late_show_what_is_open_and_edited(window: MainWindow, qtbot: QtBot) -> None:
    window.panes.show("history", False)
    session = window.session
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 4))
    session.range.set_in(3)
    idle(window, qtbot)
    for spec in window.panes.specs.values():
        window.panes.get(spec)
    assert window.panes.get(HISTORY).list.currentIndex().row() == 2  # the deletion, and the in point
    assert window.panes.get(ACTORS).caption == f"{len(session.actors or ()):,}"
    assert window.panes.get(PACKETS).model.rowCount() > 0
    assert len(window.panes.get(TIMELINE).canvas.axis.times) == session.frames


@part
def the_panes_behind_others_rest_until_they_are_seen(window: MainWindow, path: Path) -> None:
    for name in ("actors", "problems", "repair"):
        pane = window.panes.get(window.panes.specs[name])
        assert not pane.isVisible()
        window.panes.focus(name)
        assert pane.isVisible()


@part
def another_recording_is_shown_in_panes_made_for_the_one_before(
    window: MainWindow, path: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window.panes.focus("actors")
    damaged = tmp_path / "damaged.log"
    damaged.write_bytes(path.read_bytes()[:-3])
    window.session.open(damaged)
    idle(window, qtbot)
    assert window.panes.preset == "repair"
    assert window.panes.get(PACKETS).model.session.recording is window.session.recording
    window.session.show_none()
    assert not window.panes.get(PACKETS).isVisible()
    window.session.open(path)
    assert window.panes.preset == "inspect"


def test_a_pane_takes_its_file_and_one_line_of_the_list(
    counting: Callable[..., MainWindow], path: Path, qtbot: QtBot
) -> None:
    window = counting(path)
    assert COUNTER.name not in made(window)
    window.session.editing.apply(edits.delete_rows(window.session.snapshot_or_refuse(), 4))
    assert window.registry["counter.show"].isEnabled()
    toggle = window.registry["view.counter"]
    assert toggle in window.menus["View"].actions()
    assert toggle.isCheckable()
    assert not toggle.isChecked()
    window.registry.run("counter.show")
    pane = window.panes.get(COUNTER)
    assert pane.label.text() == pane.caption == f"{window.session.frames} frames"
    assert window.panes.focused() is pane
    assert pane.refreshed == 1
    window.panes.show(COUNTER.name, False)
    window.session.editing.undo()
    assert pane.refreshed == 1
    window.panes.set_preset("trim")
    assert pane.isVisible()
    assert pane.refreshed == 2
    trim, counter = window.panes.docks["trim"].geometry(), window.panes.docks["counter"].geometry()
    assert counter.top() > trim.bottom()


def test_every_declaration_makes_a_pane_with_a_name_of_its_own(open_window: OpenWindow) -> None:
    panes = open_window().panes
    assert len({spec.name for spec in PANES}) == len({spec.title for spec in PANES}) == len(PANES)
    assert all(isinstance(panes.get(spec), Pane) for spec in PANES)


@part
def a_refresh_of_the_actions_looks_for_no_library_again(
    window: MainWindow, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.registry.refresh()
    monkeypatch.setattr(traffic, "find_spec", lambda package: pytest.fail(f"{package} is looked for again"))
    window.registry.refresh()


@part
def f6_goes_from_pane_to_pane_and_the_view_gets_a_line_around_it(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    window.activateWindow()
    window.panes.focus(PACKETS.name)
    seen = []
    for _ in range(6):
        qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_F6)
        pane = window.panes.focused()
        seen.append(next(name for name, spec in window.panes.specs.items() if window.panes.if_made(spec) is pane))
    assert seen == ["bytes", "scene", "attributes", "history", "timeline", "packets"]
    qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    timeline = QApplication.focusWidget()
    assert timeline is not None
    ring = window.panes.ring
    assert ring.isVisible()
    assert ring.geometry().topLeft() == timeline.mapTo(window, timeline.rect().topLeft())
    for view in (window.panes.get(SCENE).view, timeline, window.panes.get(PACKETS).tree, window.panes.get(BYTES).view):
        qtbot.mouseClick(view.viewport() if isinstance(view, QAbstractScrollArea) else view, Qt.MouseButton.LeftButton)
        there = QApplication.focusWidget()
        assert there is not None
        assert there is view or there.isAncestorOf(view) or view.isAncestorOf(there)
        assert ring.isVisible()
        assert ring.geometry() == QRect(there.mapTo(window, QPoint()), there.size())
    packets = window.panes.get(PACKETS)
    qtbot.mouseClick(packets.filter, Qt.MouseButton.LeftButton)
    assert not ring.isVisible()


@part
def shift_delete_in_the_bytes_asks_about_removing_the_actor(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    window.session.selection.go_to_frame(1)
    window.session.selection.select_actor(
        next(iter(window.session.snapshot_or_refuse().frame(1).packet("Position").decoded.actors))
    )
    window.panes.focus(BYTES.name)
    view = window.panes.get(BYTES).view
    view.setFocus()
    with qtbot.waitSignal(window.registry.ran) as ran:
        qtbot.keyClick(view, Qt.Key.Key_Delete, Qt.KeyboardModifier.ShiftModifier)
    assert ran.args == ["actor.remove"]


@part
def a_pane_that_floats_is_painted_after_another_layout_was_shown(window: MainWindow, path: Path) -> None:
    dock = window.panes.docks["history"]
    dock.setFloating(True)
    for preset in ("trim", "inspect"):
        window.panes.set_preset(preset)
        settle()
    assert dock.isFloating()
    assert dock.isVisible()
    assert dock.updatesEnabled()
    assert window.panes.get(HISTORY).list.viewport().updatesEnabled()
    dock.setFloating(False)


def test_panes_of_one_window(open_window: OpenWindow, path: Path, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    window = open_window(path)
    a_pane_is_made_when_it_is_first_seen(window, qtbot)
    begin = begin_anew(window, path, qtbot)

    def begin_inspecting() -> dict[str, Path]:
        window.panes.set_preset("inspect")
        return begin()

    part.run(subtests, begin_inspecting, window=window, tmp_path=path.parent, qtbot=qtbot)


def test_lanes_that_were_shown_or_hidden_stay_so_in_the_next_run(open_window: OpenWindow, path: Path) -> None:
    def lane(window: MainWindow) -> QAction:
        entries = window.panes.get(TIMELINE).timeline_lane_menu().actions()
        return next(entry for entry in entries if entry.text().startswith("Spawned, gone"))

    window = open_window(path)
    assert not lane(window).isChecked()
    lane(window).trigger()
    window.close()
    again = open_window(path)
    assert lane(again).isChecked()
    lane(again).trigger()
    again.close()
    assert not lane(open_window(path)).isChecked()
