"""Streets of recorded paths in the scene: how they look, what they tell, and the chip that offers a road map."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.style.theme import Theme

from .test_scene_coloring import pane

__all__ = ["pane"]


def test_a_street_has_an_edge_a_surface_and_tells_of_its_traffic(qtbot: QtBot, pane: ScenePane, theme: Theme) -> None:
    view = pane.view
    view.box.set_camera(view.camera._replace(x=30.0, y=0.0, scale=6.0))
    qtbot.waitUntil(lambda: not view.is_drawing)
    middle = view.camera.point(20.0, 0.0).toPoint()
    picture = view.grab().toImage()
    palette = theme.palette

    def color(across: float) -> str:
        return picture.pixelColor(middle + QPoint(11, round(across))).name()

    assert color(2.0 * 6) == palette.road.name()
    assert color(2.3 * 6 + 0.6) == palette.kerb.name()
    assert color(4.0 * 6) == palette.scene.name()
    help_event = QHelpEvent(QEvent.Type.ToolTip, middle, view.viewport().mapToGlobal(middle))
    QApplication.sendEvent(view.viewport(), help_event)
    assert QToolTip.text().startswith("1 vehicle drove here, at ")
    QToolTip.hideText()
    before = pane.session.selection.place
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert pane.session.selection.place == before


def test_the_chip_says_what_streets_are_made_of_and_offers_a_road_map(qtbot: QtBot, pane: ScenePane) -> None:
    chip = pane.view.street_caption
    assert chip.isVisible()
    assert chip.text() == "Streets from 2 recorded paths, no road map"
    corner = pane.view.rect().bottomRight() - chip.geometry().bottomRight()
    assert (corner.x(), corner.y()) == (14, 14)
    with qtbot.waitSignal(pane.action_asked) as asked:
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert asked.args == ["roads.choose"]
    with qtbot.waitSignal(pane.action_asked):
        qtbot.keyClick(chip, Qt.Key.Key_Space)
    pane.resize(400, 480)
    assert chip.text() == "No road map"
    assert chip.accessibleName() == "Streets from 2 recorded paths, no road map"
    pane.view.switch("roads")
    assert not chip.isVisible()
    pane.view.switch("roads")
    assert chip.isVisible()


def test_far_away_streets_stay_wide_enough_to_be_seen(qtbot: QtBot, pane: ScenePane, theme: Theme) -> None:
    view = pane.view
    view.box.set_camera(view.camera._replace(x=30.0, y=0.0, scale=0.4))
    qtbot.waitUntil(lambda: not view.is_drawing)
    picture = view.grab().toImage()
    at = view.camera.point(20.0, 0.0)
    column = [picture.pixelColor(QPointF(at.x(), at.y() + down).toPoint()).name() for down in range(-4, 5)]
    assert column.count(theme.palette.road.name()) >= 2
