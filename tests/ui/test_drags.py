"""What is dragged ends with its release, or where that goes elsewhere; drags from outside pass without a word."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QGraphicsView, QMenu
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import PACKETS, SCENE, SIGNALS

from .parts import Parts
from .remains import release_mouse_and_keys
from .windows import OpenWindow, beginning, bring_up, data_of, idle, place_of

HERO = 3890
LEFT = Qt.MouseButton.LeftButton


DRAGS = Parts()
"""Each begins with the hero selected."""


def drag(view: SceneView, qtbot: QtBot) -> QPoint:
    """Drag the hero, and hold it."""
    place = place_of(view, HERO)
    assert place is not None
    start = place.toPoint()
    qtbot.mousePress(view.viewport(), LEFT, pos=start)
    for step in (5, 20, 40):
        qtbot.mouseMove(view.viewport(), start + QPoint(step, step))
    end = start + QPoint(40, 40)
    assert view.box.ghost is not None
    return end


@DRAGS.each("how", ["popup", "focus", "undo", "hide", "released elsewhere", "ungrab", "close"])
def a_ghost_ends_with_its_drag_whatever_ends_it(window: MainWindow, qtbot: QtBot, how: str) -> None:
    view, session = window.panes.get(SCENE).view, window.session
    pitch = session.selection.place._replace(field="rotation.pitch")
    if how == "undo":
        session.editing.apply(edits.set_field(session.snapshot_or_refuse(), pitch, 1.0))
        wait_for_jobs(window)
    before = data_of(window)
    end = drag(view, qtbot)
    menu = QMenu(window)
    if how == "popup":
        menu.addAction("one")
        menu.popup(window.mapToGlobal(QPoint(300, 300)))
    elif how == "focus":
        window.panes.focus(PACKETS.name)
    elif how == "undo":
        session.editing.undo()
    elif how == "hide":
        window.centre.setCurrentIndex(0)
    elif how == "ungrab":
        view.box.ungrabMouse()
    elif how == "close":
        session.show_none()
    if how != "released elsewhere":
        assert view.box.ghost is None
    menu.close()
    # The pointer comes back, without a button.
    move = QEvent.Type.MouseMove

    at, none = QPointF(end + QPoint(30, 0)), Qt.MouseButton.NoButton
    on_screen = view.viewport().mapToGlobal(at)
    held = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(view.viewport(), QMouseEvent(move, at, on_screen, none, none, held))
    settle()
    assert view.box.ghost is None
    assert not view.state.ghosts
    if how not in ("undo", "close"):
        idle(window, qtbot)
        assert data_of(window) == before


@DRAGS
def a_drag_that_passes_over_a_picture_says_nothing(window: MainWindow) -> None:
    window.panes.focus(SIGNALS.name)
    data = QMimeData()
    data.setText("a")
    views = window.findChildren(QGraphicsView)
    assert len(views) >= 2
    for view in views:
        assert not view.acceptDrops()
        assert not view.viewport().acceptDrops()
    # As pyqtgraph has it, where they were accepted: an end without a beginning.
    over = window.panes.get(SCENE).view.viewport()
    enter = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(over, enter)
    assert not enter.isAccepted()


def test_what_is_dragged_ends_and_drags_from_outside_say_nothing(
    open_window: OpenWindow, recordings: Path, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    path = tmp_path / "town.log"
    path.write_bytes(beginning(recordings / "carla-0.9.13-town05-collisions.log", frames=60, actor=HERO))
    window = open_window(preset="inspect")

    def begin() -> dict[str, object]:
        release_mouse_and_keys()
        bring_up(window, qtbot)
        window.session.open(path)
        wait_for_jobs(window)
        window.session.selection.go_to_frame(40)
        window.session.selection.select_actor(HERO)
        window.panes.get(SCENE).view.setFocus()
        return {}

    DRAGS.run(subtests, begin, window=window, qtbot=qtbot)
