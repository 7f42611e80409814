"""The core of the window, which continuous integration runs with the Qt of older systems, too."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from recorder_editor.ui.app import settle
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import SCENE, SIGNALS, TIMELINE
from tests.recording.steps import turn

from .parts import in_turn
from .windows import OpenWindow, data_of, idle

pytestmark = pytest.mark.qt

CAR = 100
PAINTS = 200
PAINTS_OF_FIVE_MINUTES = 60
"""Where a plot is painted 200 times by another test."""
ASKING = (
    *("file.import_highd", "file.export", "file.properties", "file.preferences", "edit.replace", "signals.expression"),
    *("recording.split", "recording.convert", "dialect.why", "tools.reports", "help.keys", "help.about"),
)
"""Actions that open a dialog of each kind."""


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(path, size=(1000, 700))
    idle(window, qtbot)
    return window


def scene_at(window: MainWindow, frame: int) -> bytes:
    """The pixels of the scene."""
    window.session.selection.go_to_frame(frame)
    return window.panes.get(SCENE).grab().toImage().constBits().tobytes()


def every_pane_is_shown_and_painted(window: MainWindow) -> None:
    for name, spec in window.panes.specs.items():
        if spec.placement is not None:  # the scene is always there
            window.panes.show(name)
        settle()
        pane = window.panes.get(spec)
        assert pane.isVisible(), name
        assert not pane.grab().isNull(), name


def scene_timeline_and_signals_survive_many_paints(
    window: MainWindow, request: pytest.FixtureRequest, qtbot: QtBot
) -> None:
    """200 with `--long`, and where a Qt is tried (`-m qt`)."""
    paints = PAINTS
    if "not long" in request.config.getoption("markexpr"):
        paints = PAINTS_OF_FIVE_MINUTES
    window.session.selection.select_actor(CAR)
    window.panes.show("signals")
    window.registry.run("signals.plot")
    idle(window, qtbot)
    for name in window.panes.docks.keys() - {TIMELINE.name, SIGNALS.name}:
        window.panes.show(name, on=False)
    panes = [window.panes.get(spec) for spec in (SCENE, TIMELINE, SIGNALS)]
    for number in range(paints):
        window.session.selection.go_to_frame(number % window.session.frames)
        for pane in panes:
            pane.grab()
        if number % 10 == 0:
            settle()
    assert scene_at(window, 0) != scene_at(window, window.session.frames - 1)


def the_dialogs_of_actions_open(window: MainWindow) -> None:
    window.session.selection.select_actor(CAR)
    for name in ASKING:
        window.registry.run(name)
        settle()
        (dialog,) = (dialog for dialog in window.findChildren(QDialog) if dialog.isVisible())
        assert not dialog.grab().isNull(), name
        dialog.close()
        settle()


def an_edit_is_undone_redone_and_saved(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    before, recording = path.read_bytes(), window.session.recording
    assert recording is not None
    window.session.editing.apply(turn(recording, 3))
    edited = data_of(window)
    window.registry.run("edit.undo")
    assert data_of(window) == before != edited
    window.registry.run("edit.redo")
    window.registry.run("file.save")
    qtbot.waitUntil(lambda: not window.session.is_modified)
    assert path.read_bytes() == edited


def test_the_core_of_the_window(request: pytest.FixtureRequest, window: MainWindow) -> None:
    in_turn(
        request,
        window,
        every_pane_is_shown_and_painted,
        the_dialogs_of_actions_open,
        scene_timeline_and_signals_survive_many_paints,
        an_edit_is_undone_redone_and_saved,
    )
