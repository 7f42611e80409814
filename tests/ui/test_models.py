"""Every item model of the window keeps Qt's rules, whatever is open and after edits."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractItemView
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.recording.history import Edit
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import PACKETS

from .. import builders as b
from ..recording.films import add, film
from .parts import Parts
from .windows import OpenWindow

POSES = b.packet(6, b.position([b.pose(1), b.pose(2)]))
KINDS = {
    "empty": b"",
    "three bytes": b"CAR",
    "no frames": b.header(),
    "junk": b"\x07" * 300,
    "small": film([add(b.actor(1), b.actor(2)), POSES], [POSES], [b.packet(200, b"unknown")]),
    "torn": film([add(b.actor(1)), POSES], [POSES])[:-9],
}


def models(window: MainWindow) -> dict[str, QAbstractItemModel]:
    """All models behind the views of a window, also of the panes that nobody has shown."""
    for spec in window.panes.specs.values():
        window.panes.get(spec)
    views = enumerate(window.findChildren(QAbstractItemView))
    return {f"{index} {view.objectName()}": view.model() for index, view in views if view.model() is not None}


def check(model: QAbstractItemModel) -> QAbstractItemModelTester:
    """Hold a model against Qt's rules, which warns where one is broken, for as long as the tester is kept."""
    return QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.session.jobs.running)


MODELS = Parts()
"""Each begins with a recording of ten frames."""


@MODELS.each("kind", KINDS)
def every_model_is_sound(kind: str, window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "kind.log"
    path.write_bytes(KINDS[kind])
    window.session.open(path)
    settle(window, qtbot)
    found = models(window)
    assert len(found) >= 5
    for mode in (0, 1):
        window.panes.get(PACKETS).mode.set_current(mode)
        for model in found.values():
            check(model)


@MODELS
def every_model_of_a_real_recording_is_sound(window: MainWindow, recordings: Path, qtbot: QtBot) -> None:
    window.session.open(recordings / "carla-0.9.15-town05-bikes.log")
    settle(window, qtbot)
    for model in models(window).values():
        check(model)


def edit_and_go_back(window: MainWindow, *makes: Callable[..., Edit]) -> None:
    session = window.session
    for make in makes:
        session.editing.apply(make(session.snapshot_or_refuse()))
    for step in (session.editing.undo, session.editing.redo, session.editing.undo):
        for _ in makes:
            step()


@MODELS.each("mode", (0, 1))
def models_are_told_of_every_record_and_packet_that_comes_or_goes(mode: int, window: MainWindow, qtbot: QtBot) -> None:
    window.panes.get(PACKETS).mode.set_current(mode)
    position = edits.place(window.session.snapshot_or_refuse(), frame=3, packet="Position", record=1)
    window.session.selection.select(position)
    # From here on every change is held against Qt's rules as it happens.
    watching = [check(model) for model in models(window).values()]
    assert len(watching) >= 5
    edit_and_go_back(
        window,
        partial(edits.delete_record, where=position),
        partial(edits.duplicate_packet, where=position._replace(record=None)),
        partial(edits.set_header, map_name="Town02"),
    )
    settle(window, qtbot)


@MODELS.each("mode", (0, 1))
def models_are_sound_after_frames_came_and_went(mode: int, window: MainWindow, qtbot: QtBot) -> None:
    # Not watched meanwhile: Qt's tester takes the names of rows for fixed, and frames are counted anew.
    window.panes.get(PACKETS).mode.set_current(mode)
    edit_and_go_back(
        window, partial(edits.delete_rows, first=5, count=3), partial(edits.insert_frame, row=2, copy_of=2)
    )
    settle(window, qtbot)
    for model in models(window).values():
        check(model)


def test_every_model_is_sound_whatever_is_open_and_after_edits(
    tmp_path: Path, recordings: Path, open_window: OpenWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    """In one window: all its panes are made for it."""
    path = tmp_path / "some.log"
    path.write_bytes(film([add(b.actor(1), b.actor(2)), POSES], *([[POSES]] * 9)))
    window = open_window()

    def begin() -> dict[str, object]:
        window.session.open(path)
        window.panes.get(PACKETS).mode.set_current(0)
        settle(window, qtbot)
        return {}

    MODELS.run(subtests, begin, window=window, tmp_path=tmp_path, recordings=recordings, qtbot=qtbot)
