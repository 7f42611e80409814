"""Language, theme, workspace and file change with every pane open; then the window is worked in as before."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from recorder_editor.ui.app import Program, settle, wait_for_jobs
from recorder_editor.ui.session.preferences import LANGUAGE
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ATTRIBUTES, BYTES, TIMELINE
from recorder_editor.ui.style import language
from recorder_editor.ui.style.language import use_language
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.value_edit import ValueEdit

from .. import builders
from .windows import beginning, bring_up

HERO = 3890
TOWN05 = "carla-0.9.13-town05-collisions.log"


@pytest.fixture
def program(
    qapp: QApplication, settings: Settings, theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Program]:
    """A program that speaks English, and may speak Chinese without fonts for that."""
    monkeypatch.setattr(language, "has_letters", lambda _name: True)
    settings[LANGUAGE] = "en"
    program = Program(qapp, settings, theme)
    yield program
    for window in tuple(program.windows):
        window.close_anyway()
    settle()
    use_language(qapp, "en")
    program.deleteLater()


def open_every_pane(window: MainWindow, qtbot: QtBot) -> None:
    for name, spec in window.panes.specs.items():
        if name in window.panes.docks:
            window.panes.show(name)
        window.panes.get(spec)
        settle()
    window.panes.show(ATTRIBUTES.name)
    bring_up(window, qtbot)
    rest(window, qtbot)


def rest(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the recording is there, the paths are read and it was checked."""
    session = window.session
    qtbot.waitUntil(lambda: session.background.trajectories is not None and not window.documents.is_busy)
    wait_for_jobs(window)


def type_a_value(window: MainWindow, qtbot: QtBot) -> None:
    """Type another yaw of the selected actor into Attributes, and Enter."""
    lines = [each for each in window.panes.get(ATTRIBUTES).findChildren(ValueEdit) if each.isVisible()]
    *_, yaw, _id = lines
    steps = window.session.steps.position
    yaw.setFocus()
    yaw.selectAll()
    qtbot.keyClicks(yaw, str(steps * 7 % 90 + 1))
    qtbot.keyClick(yaw, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.steps.position == steps + 1)


def problems_on_the_timeline(window: MainWindow) -> int:
    """How many problems the lane marks; those without a frame have no mark."""
    lane = next(each for each in window.panes.get(TIMELINE).canvas.timeline_lanes if each.name == "Problems")
    return sum(len(group.targets) for group in lane.groups)


def work(window: MainWindow, qtbot: QtBot) -> None:
    """Look at what the checks found, edit, play, undo, and look again."""
    session = window.session
    found = [each for each in session.background.findings if each.frame_index is not None and each.severity != "info"]
    assert found
    assert problems_on_the_timeline(window) == len(found)
    session.selection.go_to_frame(session.frames // 2)
    session.selection.select_actor(HERO if session.actors.of_id(HERO) else 100)
    settle()
    before = session.steps.position
    type_a_value(window, qtbot)
    window.panes.get(BYTES).view.go_to(session.selection.span[0])
    rest(window, qtbot)
    shown = session.selection.frame_index
    window.registry.run("play.toggle")
    qtbot.waitUntil(lambda: session.selection.frame_index > shown)
    window.registry.run("play.toggle")
    window.registry.run("edit.undo")
    window.registry.run("edit.redo")
    rest(window, qtbot)
    assert session.steps.position == before + 1
    assert session.is_modified
    assert [each.objectName() for each in window.findChildren(QDialog) if each.isVisible()] == []
    named = [each for each in session.background.findings if each.frame_index is not None and each.severity != "info"]
    assert problems_on_the_timeline(window) == len(named)


def speak(program: Program, qtbot: QtBot, name: str) -> MainWindow:
    """Choose a language, and reopen the window."""
    (before,) = program.windows
    program.settings[LANGUAGE] = name
    work(before, qtbot)  # before anything was reopened, too
    qtbot.mouseClick(before.language_notice.reopen, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(program.windows) == 1 and not isValid(before))
    (window,) = program.windows
    rest(window, qtbot)
    return window


@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["small", "whole"])
def test_everything_is_changed_with_every_pane_open_and_nothing_fails(
    is_whole: bool, program: Program, recordings: Path, tmp_path: Path, qtbot: QtBot, capfd: pytest.CaptureFixture[str]
) -> None:
    path, other = tmp_path / "town05.log", tmp_path / "other.log"
    if is_whole:
        shutil.copy(recordings / TOWN05, path)
    else:
        path.write_bytes(beginning(recordings / TOWN05, frames=90, actor=HERO) + b"junk")
    other.write_bytes(builders.drive(40, vehicles=3) + b"junk")
    window = program.new_window(path)
    rest(window, qtbot)
    open_every_pane(window, qtbot)
    work(window, qtbot)

    steps = len(window.session.recording.history.steps)
    window = speak(program, qtbot, "zh_CN")
    assert len(window.session.recording.history.steps) == steps + 1
    assert window.menus["File"].title() == "文件(&F)"
    if is_whole:
        work(window, qtbot)
    open_every_pane(window, qtbot)
    work(window, qtbot)

    program.theme.set_mode("dark")
    work(window, qtbot)
    program.theme.set_mode("light")

    for name in ("trim", "repair", "inspect") if is_whole else ("repair",):
        window.workspaces.choose(name)
        open_every_pane(window, qtbot)
        work(window, qtbot)

    window.documents.save()
    qtbot.waitUntil(lambda: not window.session.is_modified and not window.documents.is_busy)
    window.documents.open(other)
    qtbot.waitUntil(lambda: window.documents.path == other)
    rest(window, qtbot)
    open_every_pane(window, qtbot)
    work(window, qtbot)

    window = speak(program, qtbot, "en")
    assert window.menus["File"].title() == "&File"
    work(window, qtbot)
    assert capfd.readouterr().err == ""
