"""The keyboard never falls onto a button of the toolbar, nor anywhere where Space and Enter press what nobody chose."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor.ui.app import wait_for_jobs
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ACTORS, DIFFERENCES, PACKETS, SCENE, TRIM

from ..extent import is_long
from ..simulator import answer_with
from .parts import in_turn
from .windows import LEAVES, PARTS, OpenWindow, ask_nobody, beginning, bring_up, idle

COLLISIONS = "carla-0.9.13-town05-collisions.log"
KEY = Qt.Key


@pytest.fixture
def window(open_window: OpenWindow, recordings: Path, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    path = tmp_path / COLLISIONS
    path.write_bytes(beginning(recordings / COLLISIONS, frames=90))
    window = open_window(path, preset="inspect")
    bring_up(window, qtbot)
    wait_for_jobs(window)
    return window


def put_away(window: MainWindow, qtbot: QtBot) -> None:
    """Close what was opened, as Escape does."""
    for each in QApplication.topLevelWidgets():
        if each is not window and each.isVisible() and isinstance(each, QDialog | QMenu):
            each.close()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def where(window: MainWindow) -> str:
    """What is wrong with the place of the keyboard; empty where nothing is."""
    focus: QWidget | None = QApplication.focusWidget()
    if focus is None:
        return "nowhere"
    if not (focus.isVisible() and focus.isEnabled()):
        return f"{type(focus).__name__} that cannot be used"
    if isinstance(focus, QAbstractButton):
        return f"button {focus.objectName() or focus.accessibleName() or focus.text()}"
    return ""


def settled(window: MainWindow, qtbot: QtBot) -> str:
    """The same once it has come to rest: the keyboard is nowhere while panes change their places."""
    idle(window, qtbot)
    QApplication.processEvents()
    if QApplication.focusWidget() is None:
        qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    return where(window)


def toggles(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Space plays and stops, Enter opens nothing."""
    pressed: list[str] = []
    monkeypatch.setattr(window.documents, "ask_open", lambda: pressed.append("open"))
    player = window.player
    assert isinstance(player, Player)
    for key in (KEY.Key_Return, KEY.Key_Space):
        was_playing = player.is_playing
        qtbot.keyClick(QApplication.focusWidget() or window, key)
        assert player.is_playing == (was_playing != (key == KEY.Key_Space))
    player.pause()
    assert pressed == []


@pytest.mark.parametrize("part", [PARTS[0], PARTS[-1]])
def test_no_action_leaves_the_keyboard_on_a_button(
    window: MainWindow, part: slice, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_nobody(monkeypatch)
    answer_with("raise RuntimeError('nobody is there')", tmp_path, monkeypatch)
    wrong: dict[str, str] = {}
    for spec in list(window.registry)[part]:
        if spec.id in LEAVES or not window.registry.is_enabled(spec.id):
            continue
        if not spec.id.startswith("view.workspace"):
            window.panes.focus(PACKETS.name)
        window.registry.run(spec.id)
        idle(window, qtbot)
        put_away(window, qtbot)
        found = settled(window, qtbot)
        if found:
            wrong[spec.id] = found
    assert wrong == {}


def test_no_pane_leaves_the_keyboard_on_a_button(
    window: MainWindow, request: pytest.FixtureRequest, subtests: pytest.Subtests, qtbot: QtBot
) -> None:
    """In each layout a third of the panes; with `--long` all of them in each."""
    for number, preset in enumerate(("inspect", "trim", "repair")):
        part = slice(None) if is_long(request.config) else slice(number, None, 3)
        window.panes.set_preset(preset)
        wait_for_jobs(window)
        with subtests.test(preset):
            assert panes_that_leave_it(window, part, qtbot) == {}


def panes_that_leave_it(window: MainWindow, part: slice, qtbot: QtBot) -> dict[str, str]:
    """The panes that leave the keyboard at a wrong place as they go, how they went, and what is wrong with it."""
    wrong: dict[str, str] = {}
    for name in list(window.panes.docks)[part]:
        was_open = window.panes.is_open(name)
        for how in ("closed", "disabled", "covered", "floating"):
            window.panes.focus(name)
            pane = window.panes.get(window.panes.specs[name])
            dock = window.panes.docks[name]
            if how == "closed":
                window.panes.show(name, on=False)
            elif how == "disabled":
                pane.setEnabled(False)
            elif how == "covered" and not window.tabifiedDockWidgets(dock):
                continue
            elif how == "covered":
                for other in window.tabifiedDockWidgets(dock):
                    other.raise_()
            else:
                dock.setFloating(True)
                window.panes.focus(name)
                dock.close()
                window.activateWindow()
                qtbot.waitUntil(window.isActiveWindow)
            found = settled(window, qtbot)
            if found:
                wrong[f"{name} {how}"] = found
            pane.setEnabled(True)
            dock.setFloating(False)
        window.panes.show(name, was_open)
    return wrong


def the_keyboard_goes_to_the_pane_that_comes_in_front(window: MainWindow, qtbot: QtBot) -> None:
    window.panes.focus(PACKETS.name)
    window.panes.docks[ACTORS.name].raise_()
    qtbot.waitUntil(lambda: window.panes.focused() is window.panes.get(ACTORS))
    window.panes.show(ACTORS.name, on=False)
    qtbot.waitUntil(lambda: window.panes.focused() not in (None, window.panes.get(ACTORS)))


def what_goes_grey_while_a_dialog_is_open_hands_the_keyboard_on(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.panes.focus(PACKETS.name)
    dialog = QDialog(window)
    dialog.open()
    qtbot.waitUntil(dialog.isActiveWindow)
    for goes in ("grey", "hidden"):
        tree = window.panes.get(PACKETS).tree
        (tree.setDisabled if goes == "grey" else tree.setHidden)(True)
    dialog.reject()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert settled(window, qtbot) == ""
    assert window.panes.focused() is window.panes.get(SCENE)
    toggles(window, qtbot, monkeypatch)


def space_plays_after_a_range_was_saved(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_nobody(monkeypatch)
    monkeypatch.setattr(
        "PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_, **__: (str(tmp_path / "part.log"), "")
    )
    window.panes.set_preset("trim")
    wait_for_jobs(window)
    window.session.range.set(20, 60)
    wait_for_jobs(window)
    window.panes.focus(TRIM.name)
    window.registry.run("range.export")
    wait_for_jobs(window)
    put_away(window, qtbot)
    assert (tmp_path / "part.log").exists()
    assert settled(window, qtbot) == ""
    frames = window.session.frames
    toggles(window, qtbot, monkeypatch)
    assert window.session.frames == frames


def comparing_hands_the_keyboard_to_the_differences_and_back(
    window: MainWindow, qtbot: QtBot, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.panes.focus(PACKETS.name)
    window.session.comparison.begin_later(path, pytest.fail)
    wait_for_jobs(window)
    assert settled(window, qtbot) == ""
    window.panes.focus(DIFFERENCES.name)
    window.registry.run("compare.stop")
    idle(window, qtbot)
    assert settled(window, qtbot) == ""
    window.registry.run("file.preferences")
    put_away(window, qtbot)
    assert settled(window, qtbot) == ""
    toggles(window, qtbot, monkeypatch)


def test_the_keyboard_is_handed_on_and_back(request: pytest.FixtureRequest, window: MainWindow) -> None:
    in_turn(
        request,
        window,
        the_keyboard_goes_to_the_pane_that_comes_in_front,
        comparing_hands_the_keyboard_to_the_differences_and_back,
        space_plays_after_a_range_was_saved,
        what_goes_grey_while_a_dialog_is_open_hands_the_keyboard_on,
        between=lambda: window.panes.set_preset("inspect"),
    )
