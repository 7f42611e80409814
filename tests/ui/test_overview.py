"""The overview map of the scene, and the legend of its signs: when they are there, where, and what they do."""

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from recorder_editor.ui.panes.scene.layers.label_layer import Labels
from recorder_editor.ui.panes.scene.layers.sign_legend import SignLegend
from recorder_editor.ui.panes.scene.overview_map import OverviewMap, box_of_ground
from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.preferences import OVERVIEW
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.streets import StreetPiece, Streets

from .pseudo import painted
from .test_scene_coloring import FAST, pane
from .windows import place_of

__all__ = ["pane"]

LEFT = Qt.MouseButton.LeftButton


def closely(pane: ScenePane) -> OverviewMap:
    """The overview while 10 m of the streets are in view."""
    pane.resize(700, 480)
    view = pane.view
    view.box.set_camera(view.camera._replace(x=20.0, y=0.0, scale=70.0))
    assert view.overview.isVisible()
    return view.overview


def middle_of_frame(overview: OverviewMap) -> QPoint:
    return overview.frame().boundingRect().center().toPoint()


def test_it_is_there_while_less_than_a_third_is_in_view_and_there_is_room(pane: ScenePane, settings: Settings) -> None:
    view = pane.view
    pane.resize(700, 480)
    view.box.set_camera(view.camera._replace(scale=3.0))
    assert not view.overview.isVisible()
    overview = closely(pane)
    assert overview.geometry().getRect() == (14, 14, 204, 150)
    for width, height in ((559, 480), (700, 359)):
        pane.resize(width, height)
        assert not overview.isVisible()
    pane.resize(700, 480)
    assert overview.isVisible()
    settings[OVERVIEW] = False
    assert not overview.isVisible()
    settings[OVERVIEW] = True
    assert overview.isVisible()


def test_it_grows_with_the_text_as_far_as_the_scene_has_room(pane: ScenePane, theme: Theme) -> None:
    theme.set_text_size(26)
    pane.resize(840, 480)
    overview = closely(pane)
    width, height = overview.width(), overview.height()
    assert 204 < width < 408
    assert width / pane.view.camera.width <= 204 / 560
    assert height / pane.view.camera.height <= 150 / 360
    pane.resize(1600, 1200)
    assert (overview.width(), overview.height()) == (408, 300)


def test_streets_in_two_towns_have_a_box() -> None:
    """The median of x and that of y are of different pieces: nothing is near to that place."""
    pieces = []
    for x, y in ((0.0, 9000.0), (9000.0, 0.0)):
        pieces.append(StreetPiece(np.array([x, x + 50]), np.array([y, y]), np.arange(2), path=0, is_walked=False))
    box = box_of_ground(Streets(tuple(pieces)))
    assert box is not None
    assert box.getRect() == (-5.0, -5.0, 9060.0, 9010.0)


def test_a_click_jumps_a_drag_of_the_frame_pans_and_the_wheel_zooms(qtbot: QtBot, pane: ScenePane) -> None:
    overview = closely(pane)
    view = pane.view
    place = overview.camera.point(60.0, 0.0)
    qtbot.mouseClick(overview, LEFT, pos=place.toPoint())
    assert abs(view.camera.x - 60.0) < 1 / overview.camera.scale
    start = middle_of_frame(overview)
    before = view.camera.x
    qtbot.mousePress(overview, LEFT, pos=start)
    assert view.camera.x == before  # a press into the frame moves nothing yet
    qtbot.mouseMove(overview, start - QPoint(20, 0))
    qtbot.mouseRelease(overview, LEFT, pos=start - QPoint(20, 0))
    assert abs(view.camera.x - (before - 20 / overview.camera.scale)) < 0.01
    after = view.camera
    qtbot.mouseMove(overview, start + QPoint(40, 0))
    assert view.camera == after  # the button is not held any more
    at = QPointF(start)
    wheel = QWheelEvent(
        at,
        QPointF(overview.mapToGlobal(start)),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(overview, wheel)
    assert view.camera.scale == after.scale * 1.2
    assert (view.camera.x, view.camera.y) == (after.x, after.y)


def put_at(pane: ScenePane, actor: int, x: float) -> None:
    """Have an actor at a pixel of the view, at the height of the map."""
    view = pane.view
    view.box.set_camera(view.camera._replace(scale=25.0))
    there = view.state.place_of(actor)
    assert there is not None
    view.box.set_camera(view.camera.moved(x - there.x(), 80.0 - there.y()))
    assert view.overview.isVisible()


def test_it_goes_to_the_other_corner_from_a_selected_actor(pane: ScenePane, session: Session) -> None:
    overview = closely(pane)
    session.selection.select_actor(FAST)
    right = 700 - 14 - 204
    for x, left in ((100.0, right), (350.0, right), (600.0, 14), (350.0, 14)):  # it does not go to and fro
        put_at(pane, FAST, x)
        assert overview.pos() == QPoint(left, 14)


def test_it_is_used_by_keys_and_ends_following(qtbot: QtBot, pane: ScenePane) -> None:
    overview = closely(pane)
    view = pane.view
    view.follow_actor(FAST)
    view.box.set_camera(view.camera._replace(scale=70.0))
    before = view.camera
    qtbot.keyClick(overview, Qt.Key.Key_Right)
    assert view.followed is None
    assert view.camera.x == before.x + 70 / 70.0
    qtbot.keyClick(overview, Qt.Key.Key_Down)
    assert view.camera.y == before.y + before.height / 10 / 70.0
    qtbot.keyClick(overview, Qt.Key.Key_Plus)
    assert view.camera.scale == before.scale * 1.25
    qtbot.keyClick(overview, Qt.Key.Key_Minus)
    assert abs(view.camera.scale - before.scale) < 1e-9
    assert overview.accessibleName() == "Overview map"
    assert overview.accessibleDescription()


def test_it_gives_way_to_what_is_dragged_beneath_it(qtbot: QtBot, pane: ScenePane) -> None:
    overview = closely(pane)
    port = pane.view.viewport()
    qtbot.mousePress(port, LEFT, pos=QPoint(400, 300))
    qtbot.mouseMove(port, QPoint(300, 200))
    assert overview.isVisible()
    qtbot.mouseMove(port, QPoint(100, 100))
    assert not overview.isVisible()
    qtbot.mouseRelease(port, LEFT, pos=QPoint(100, 100))
    qtbot.mouseMove(port, QPoint(400, 300))
    assert overview.isVisible()


def test_no_label_lies_under_it(pane: ScenePane, session: Session) -> None:
    overview = closely(pane)
    session.selection.select_actor(FAST)
    put_at(pane, FAST, 100.0)
    put_at(pane, FAST, overview.x() - 80.0)  # its label would stand at the right of it, under the map
    pane.grab()
    labels = next(layer for layer in pane.view.box.layers if isinstance(layer, Labels))
    _, label = labels.selected_boxes
    assert not label.intersects(QRectF(overview.geometry()))
    assert QRectF(overview.geometry()) in pane.view.state.covered


def test_the_map_is_drawn_once_and_follows_the_theme(pane: ScenePane, theme: Theme) -> None:
    overview = closely(pane)
    first = overview.grab().toImage()
    picture = overview._ground_picture()
    pane.view.box.set_camera(pane.view.camera._replace(x=40.0))
    moved = overview.grab().toImage()
    assert moved != first
    assert overview._ground_picture() is picture
    theme.set_mode("dark")
    assert overview._ground_picture() is not picture
    assert overview.grab().toImage().pixelColor(100, 5) == theme.palette.field


def words(pane: ScenePane) -> list[str]:
    found: list[tuple[str, str]] = []
    with painted(found):
        pane.view.grab()
    return [text for _, text in found]


def test_the_legend_names_the_signs_in_view_and_no_others(qtbot: QtBot, pane: ScenePane, session: Session) -> None:
    assert "hero" not in words(pane)
    qtbot.keyClick(pane.view, Qt.Key.Key_H)
    qtbot.waitUntil(lambda: not pane.view.is_drawing)
    assert [text for text in words(pane) if text[0].islower() or text == "hero"][-3:] == [
        "car, in its own colour",
        "hero",
        "street as driven, arrow: direction",
    ]
    pane.view.set_color_by("class")
    session.selection.select_actor(FAST)
    shown = words(pane)
    assert "car" in shown
    assert "selected" in shown
    assert "walker" not in shown
    pane.resize(400, 480)
    assert "car" not in words(pane)
    pane.resize(640, 480)
    assert "car" in words(pane)
    pane.view.switch("roads")
    assert "street as driven, arrow: direction" not in words(pane)
    qtbot.keyClick(pane.view, Qt.Key.Key_H)
    assert "car" not in words(pane)


def test_the_legend_keeps_out_of_the_corner_of_road_users_and_off_instruments(pane: ScenePane) -> None:
    view = pane.view
    view.switch("signs")
    legend = next(layer for layer in view.box.layers if isinstance(layer, SignLegend))
    for x, y in ((2.0, 2.0), (60.0, 10.0), (2.0, -20.0), (90.0, -20.0)):
        view.box.set_camera(view.camera._replace(x=x, y=y, scale=8.0))
        view.grab()
        (sides,) = legend.occupied()
        box = QRectF(QPointF(*sides[:2]), QPointF(*sides[2:]))
        assert view.camera.pane.contains(box)
        for actor in (1, 2):
            place = place_of(view, actor)
            assert place is None or not box.contains(place)
        for rect in view.state.covered:
            assert not rect.intersects(box)
