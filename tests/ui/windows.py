"""What tests do with windows again and again: bring them up, wait until they rest, read what they hold."""

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest
from PySide6.QtCore import QPoint, QPointF, QProcess, QRect, Qt
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor import edits
from recorder_editor.ui.app import settle
from recorder_editor.ui.panes.actors.actors_model import COLUMNS
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.panes.signals.plot_view import PlotView
from recorder_editor.ui.panes.timeline.canvas import Canvas
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.main_window import MainWindow

OpenWindow = Callable[..., MainWindow]

LEAVES = {
    "file.quit",
    "file.close",
    "file.library",
    "file.new_window",
    "help.tour",
    "sample.look",
    "sample.cut",
    "sample.repair",
}
"""Actions after which nothing would be left to try others on, or something else."""

NAMELESS = {"help.guide", "help.keys", "help.about", "file.properties", "tools.reports", "dialect.why"}
"""Actions that open a dialog although three dots do not say so."""

PARTS = [
    *(pytest.param(slice(begin, None, 4), id=f"part{begin + 1}") for begin in range(4)),
    pytest.param(slice(None), id="all", marks=pytest.mark.long),
]
"""Of what a test goes through: a fourth, where others go through another one, and with `--long` all of it."""


class HasSession(Protocol):
    """A window, or what a test shows in its place."""

    @property
    def session(self) -> Session: ...


@cache
def beginning(path: Path, *, frames: int, actor: int = 0, others: int = 4) -> bytes:
    """The first frames of a recording, with one actor and few others that move.

    What a window reads, checks and analyses in the background is little then, and the packets are those of the whole.
    """
    folk = ("vehicle", "two-wheeler", "walker")
    with recorder_editor.open(path) as recording:
        recording.apply(edits.trim(recording, range(frames)))
        lives = [life for life in recording.actors if life.class_ in folk and life.actor != actor]
        if lives[others:]:
            recording.apply(edits.remove_actors(recording, lives[others:]))
        return recording.snapshot.read(0, recording.snapshot.size)


def bring_up(widget: QWidget, qtbot: QtBot) -> None:
    """Show a window, and wait until it has the keyboard."""
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()


def dialogs(window: MainWindow, part: slice) -> list[str]:
    """A part of the actions that open a dialog."""
    every = [each for each in window.registry if each.text.endswith("...") or each.id in NAMELESS]
    return [each.id for each in every if each.id not in LEAVES][part]


def idle(window: HasSession, qtbot: QtBot) -> None:
    """Wait until no job runs."""
    qtbot.waitUntil(lambda: not window.session.jobs.running)


def actors_column(key: str) -> int:
    """The position of a column of the pane Actors."""
    return [column.key for column in COLUMNS].index(key)


def inner_menu(menu: QMenu, title: str) -> QMenu:
    """The menu of that title inside another one.

    Not `QAction.menu`: up to PySide6 6.9.3, what it returns is deleted with the wrapper of the action.
    """
    inner = menu.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return next(each for each in inner if each.title() == title)


def workspace_cell(window: MainWindow, name: str) -> QToolButton:
    """The cell of a layout in the toolbar."""
    cell = window.workspace_switch.findChild(QToolButton, f"tool.view.preset_{name}")
    assert isinstance(cell, QToolButton)
    return cell


def point_of_frame(lanes: Canvas | PlotView, frame: int) -> QPoint:
    """A point in the lanes of the timeline, or of the signals, at which a frame begins."""
    y = lanes.timeline_layout.timeline_lanes_top + 1 if isinstance(lanes, Canvas) else lanes.height() - 12
    return QPoint(math.ceil(lanes.axis.x(float(lanes.axis.times[frame]))), y)


def place_of(view: SceneView, actor: int) -> QPointF | None:
    """Where an actor or a traffic light is on the screen; None for those who are nowhere."""
    state = view.state
    index = state.actors.index_of(actor)
    if index is not None:
        return state.centre(index)
    light = next((light for light in state.contents.lights if light.actor == actor), None)
    return state.camera.point(light.x, light.y) if light is not None else None


def data_of(window: HasSession) -> bytes:
    """The recording as it would be saved."""
    snapshot = window.session.snapshot_or_refuse()
    return snapshot.read(0, snapshot.size)


def ask_nobody(patch: pytest.MonkeyPatch) -> None:
    """Dialogs of the system are given up at once, and no other program is started."""
    for asks in ("getOpenFileName", "getSaveFileName"):
        patch.setattr(QFileDialog, asks, lambda *_arguments, **_more: ("", ""))
    patch.setattr(QFileDialog, "getExistingDirectory", lambda *_arguments, **_more: "")
    patch.setattr(QDesktopServices, "openUrl", lambda *_arguments: True)
    patch.setattr(QProcess, "startDetached", lambda *_arguments: (True, 0))


def picture(widget: QWidget) -> QImage:
    """What stands on the screen where a widget is, after what is due was painted."""
    settle()
    QApplication.processEvents()
    window = widget.window()
    screen = window.screen().grabWindow(window.winId())
    place = QRect(widget.mapTo(window, QPoint()), widget.size())
    scale = screen.devicePixelRatio()
    return screen.copy(QRect(place.topLeft() * scale, place.size() * scale)).toImage()
