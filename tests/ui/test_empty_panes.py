"""No pane is a blank rectangle: without frames, actors, problems or a selection each says so, and what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractItemView, QLabel, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import (
    ACTORS,
    ATTRIBUTES,
    BYTES,
    DIFFERENCES,
    PANES,
    SCENE,
    SIGNALS,
    TIMELINE,
    TRIM,
)
from recorder_editor.ui.style import painting
from recorder_editor.ui.widgets import EmptyState

from .. import builders as b
from .clipping import replaced_in_window
from .windows import OpenWindow

EMPTY = b""
HEADER = b.recording()
BARE = b.recording(*(b.frame(n + 1, n * 0.05, 0.05, []) for n in range(3)))
NO_FRAMES = "No frames in this file"
EXPECTED: dict[tuple[str, bytes], str] = {
    (ACTORS.name, EMPTY): "No actors in this recording",
    (ACTORS.name, BARE): "No actors in this recording",
    (BYTES.name, EMPTY): "The file is empty",
    (ATTRIBUTES.name, EMPTY): "Nothing selected",
    (DIFFERENCES.name, BARE): "No other recording",
    (SCENE.name, EMPTY): f"{NO_FRAMES}; Repair shows what can be recovered",
    (SCENE.name, BARE): "No positions in this frame",
    (SIGNALS.name, BARE): "Plot numbers over time",
    (TIMELINE.name, HEADER): f"{NO_FRAMES}; Repair shows what can be recovered",
    (TRIM.name, EMPTY): "No frame can be read",
    (TRIM.name, HEADER): "No frame can be read",
    (TRIM.name, BARE): "Choose what to keep",
}


@contextmanager
def painted(found: list[str]) -> Iterator[None]:
    draw = painting.draw_text

    def note(painter: Any, rect: Any, text: str, *more: Any, **named: Any) -> None:
        found.append(text)
        draw(painter, rect, text, *more, **named)

    with replaced_in_window("draw_text", note):
        yield


def show(window: MainWindow, name: str) -> QWidget:
    preset = name if name in ("trim", "repair") else "inspect"
    if window.panes.preset != preset:
        window.panes.set_preset(preset)
    if name in window.panes.docks:
        window.panes.show(name)
    wait_for_jobs(window)
    return window.panes.get(window.panes.specs[name])


def test_every_pane_says_something(open_window: OpenWindow, tmp_path: Path, subtests: pytest.Subtests) -> None:
    window = open_window(size=(1440, 1000))
    for name, data in (("empty", EMPTY), ("header", HEADER), ("bare", BARE)):
        path = tmp_path / f"{name}.log"
        path.write_bytes(data)
        window.session.open(path)
        window.panes.set_preset("inspect")
        wait_for_jobs(window)
        with subtests.test(name):
            assert_all_say_something(window, data)


def assert_all_say_something(window: MainWindow, data: bytes) -> None:
    for spec in PANES:
        pane, said = show(window, spec.name), []
        with painted(said):
            pane.grab()
        said += [each.text() for each in pane.findChildren(EmptyState) if each.isVisible()]
        views = [each for each in pane.findChildren(QAbstractItemView) if each.isVisible()]
        rows = sum(view.model().rowCount(view.rootIndex()) for view in views if view.model() is not None)
        labels = [each for each in pane.findChildren(QLabel) if each.isVisible() and each.text()]
        assert said or rows or labels, spec.name
        expected = EXPECTED.get((spec.name, data))
        assert expected is None or expected in said, (spec.name, said)
    assert bool(window.panes.get(SCENE).hints.hints) == (data is BARE), "without a frame the mouse does nothing there"


def test_a_filter_that_leaves_no_actor_says_how_to_see_all(open_window: OpenWindow, path: Path, qtbot: QtBot) -> None:
    window = open_window(path)
    actors = window.panes.get(ACTORS)
    window.panes.show(ACTORS.name)
    wait_for_jobs(window)
    assert not actors.empty.isVisible()
    qtbot.keyClicks(actors.filter, "nobody")
    assert actors.empty.isVisible()
    assert actors.empty.text() == "No actor matches"
    assert actors.empty.size() == actors.table.viewport().size()
    window.resize(1100, 700)
    settle()
    assert actors.empty.size() == actors.table.viewport().size()
    actors.filter.clear()
    assert not actors.empty.isVisible()
