"""An edit refreshes every view once, whoever makes it."""

from collections import Counter
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.ui.panes.actors.actors_pane import ActorsTable
from recorder_editor.ui.panes.attributes.attributes_pane import AttributePanel
from recorder_editor.ui.panes.bytes.hex_view import HexView
from recorder_editor.ui.panes.packets.packets_pane import PacketPane
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.panes.signals.signals_pane import SignalsPane
from recorder_editor.ui.panes.timeline.canvas import Canvas
from recorder_editor.ui.panes.timeline.transport import Transport
from recorder_editor.ui.shell.main_window import MainWindow

from .windows import OpenWindow, idle

VIEWS = (
    (AttributePanel, "_settle"),
    (HexView, "_follow"),
    (PacketPane, "refresh"),
    (SceneView, "redraw"),
    (SignalsPane, "_follow"),
    (ActorsTable, "refresh"),
    (Canvas, "_select"),
    (Transport, "show_frame"),
)
"""What each view does to show what is there now."""

ONCE = {view.__name__: 1 for view, _ in VIEWS}


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each view was refreshed."""
    found: Counter[str] = Counter()

    def counting(name: str, refresh: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(refresh)
        def call(self: Any, *given: Any) -> Any:
            found[name] += 1
            return refresh(self, *given[: refresh.__code__.co_argcount - 1])

        return call

    for view, method in VIEWS:
        monkeypatch.setattr(view, method, counting(view.__name__, getattr(view, method)))
    return found


@pytest.fixture
def window(counted: Counter[str], open_window: OpenWindow, path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(path)
    window.show()
    idle(window, qtbot)
    for spec in window.panes.specs.values():
        window.panes.get(spec)
    counted.clear()
    return window


def test_an_edit_its_undo_and_its_redo_refresh_every_view_once(window: MainWindow, counted: Counter[str]) -> None:
    session = window.session
    place = edits.place(session.snapshot_or_refuse(), frame=0, packet="Position", record=0, field="rotation.yaw")
    for change in (
        lambda: session.editing.apply(edits.set_field(session.snapshot_or_refuse(), place, 92.5)),
        lambda: session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 3)),
        session.editing.undo,
        session.editing.redo,
    ):
        counted.clear()
        change()
        assert dict(counted) == ONCE


def test_an_edit_that_runs_as_a_job_refreshes_every_view_once(
    window: MainWindow, counted: Counter[str], qtbot: QtBot
) -> None:
    session = window.session
    told: list[dict[str, int]] = []
    session.state_changed.connect(lambda: told.append(dict(counted)))
    session.editing.attempt_later(
        "Removing", lambda snapshot, _progress: edits.remove_actors(snapshot, [next(iter(session.actors or ()))])
    )
    qtbot.waitUntil(lambda: bool(told))
    assert told[0] == ONCE
