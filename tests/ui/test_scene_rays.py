"""Gazes and beams in the scene: drawn, named under the pointer, and hidden by their switch."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import SCENE

from .. import builders as b
from .windows import idle

PACKET = {
    "id": 150,
    "name": "Beam",
    "rays": [{"origin": "eye", "direction": "look"}],
    "members": [["eye", "vector", "The eye, world", "cm"], ["look", "vector", "The direction, world"]],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    beam = b.packet(150, b.u16(1) + b"".join(b.f32(number) for number in (0, 0, 0, 1, 0, 0)))
    added = b.packet(2, b.event_add([b.actor(7)]))
    position = b.packet(6, b.position([b.pose(7, b.xyz(0.0, 1000.0, 0.0))]))
    path = tmp_path / "beams.log"
    path.write_bytes(b.recording(b.frame(1, packets=[added, position, beam]), b.frame(2, 0.1, packets=[position])))
    return path


def scene_of(window: MainWindow, qtbot: QtBot) -> ScenePane:
    window.show()
    idle(window, qtbot)
    return window.panes.get(SCENE)


def is_offered(scene: ScenePane) -> bool:
    (chip,) = (each for each in scene.switches if each.objectName() == "scene-packets")
    return chip.isVisible()


def tip_at(scene: ScenePane, place: QPoint, qtbot: QtBot) -> str:
    view = scene.view
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, view.mapToGlobal(place)))
    return QToolTip.text()


def test_they_are_drawn_named_and_switched_off(
    open_window: Callable[..., MainWindow], path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    (path.parent / "beams.packets.json").write_text(json.dumps({"packets": [PACKET]}), encoding="utf-8")
    window = open_window(path)
    scene = scene_of(window, qtbot)
    assert not is_offered(scene)
    qtbot.mouseClick(window.packets_notice.use, Qt.MouseButton.LeftButton)
    idle(window, qtbot)
    scene.view.fit()
    ((_, line),) = scene.view.state.ray_lines
    middle = line.pointAt(0.3).toPoint()
    with subtests.test("it lies east of its start, and is named under the pointer"):
        assert line.dx() > 0
        assert line.dy() == pytest.approx(0, abs=1e-6)
        assert tip_at(scene, middle, qtbot) == "Beam.look"
    (chip,) = (each for each in scene.switches if each.objectName() == "scene-packets")
    shown = scene.view.grab().toImage()
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    with subtests.test("the switch hides it"):
        assert scene.view.state.ray_lines == []
        assert scene.view.grab().toImage() != shown
    window.registry.run("scene.packets")
    with subtests.test("the action shows it again"):
        assert chip.isChecked()
        assert len(scene.view.state.ray_lines) == 1
    window.session.selection.go_to_frame(1)
    idle(window, qtbot)
    with subtests.test("a frame without one has none"):
        assert scene.view.state.ray_lines == []


def test_without_a_packet_that_has_some_there_is_no_switch(
    open_window: Callable[..., MainWindow], path: Path, qtbot: QtBot
) -> None:
    window = open_window(path)
    assert not is_offered(scene_of(window, qtbot))
    assert window.registry.reason("scene.packets") == "No packet of this recording is described with places or rays."
