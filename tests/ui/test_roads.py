"""The road map in the window: found, drawn, chosen, hovered over, dragged onto, and refused where it does not fit."""

import tracemalloc
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QHelpEvent, QImage, QMouseEvent, QPainter, QPainterPath
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QToolTip
from pytestqt.qtbot import QtBot

from recorder_editor.reading.rigid import Ghost
from recorder_editor.roads import RoadMap, read_road_map
from recorder_editor.simulator.road_maps import map_cache
from recorder_editor.ui.app import NoPicture, screenshot
from recorder_editor.ui.dialogs.preferences import PreferencesDialog
from recorder_editor.ui.panes.scene.camera import Camera
from recorder_editor.ui.panes.scene.layers import LAYERS, Roads
from recorder_editor.ui.panes.scene.road_paths import path_of_quads, quads_within
from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.panes.scene.state import SceneState
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.session.preferences import MAP_FOLDERS, ROADS, SPEED, RoadsMode
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import SCENE
from recorder_editor.ui.style.colors import DARK, LIGHT
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import MenuChip
from recorder_editor.views.frame_actors import FrameActors, Kind
from recorder_editor.views.lane_texts import ghost_place as place_of_ghost
from recorder_editor.views.lane_texts import lane_text, moved_to_lane
from recorder_editor.views.road_shapes import Quads, RoadShapes, road_shapes
from recorder_editor.views.units import Units

from ..extent import is_long
from ..real_recordings import MAPS, missing
from ..roads.builders import arc, geometry, lane, mark, opendrive, profile, road, section
from ..simulator import answer_with_map
from .parts import Parts, close_dialogs
from .test_actor_actions import press, shown
from .test_main_window import drop
from .test_scene import HERO, LEFT, PARKED, SHIFT, click, drag, record_of, steps, town
from .windows import OpenWindow, place_of

SIDES = [lane(-1), lane(-2, "shoulder", ((0.0, 2.0),)), lane(-3, "sidewalk", ((0.0, 2.0),))]
STREET = section(left=[lane(1)], right=SIDES, centre=mark("broken", "yellow"))
SPEED_LIMIT = '<type s="0" type="town"><speed max="30" unit="km/h"/></type>'
MAP = opendrive(road(8, 300.0, geometry(length=300.0, x=-100.0), STREET, more=SPEED_LIMIT))
"""From x = -100 m to 200 m; the lane -1 is right of it: y from 0 to 3.5 m in the simulator."""

ELSEWHERE = opendrive(road(1, 100.0, geometry(length=100.0, x=5000.0)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a recording of Town01, without a map."""
    (tmp_path / "town.log").write_bytes(town())
    return tmp_path


def settle(qtbot: QtBot, session: Session, view: SceneView | None = None) -> None:
    """Wait until a map is found, compared and drawn."""

    def is_quiet() -> bool:
        return not (session.roads.is_busy or session.jobs.running or (view is not None and view.is_drawing))

    qtbot.waitUntil(is_quiet)
    if view is not None:
        view.grab()
        qtbot.waitUntil(is_quiet)


@pytest.fixture
def show(qtbot: QtBot, theme: Theme, session: Session, settings: Settings, folder: Path) -> Callable[..., ScenePane]:
    """A scene of 640 x 480, with this map beside the recording."""

    def make(xodr: bytes | None = MAP) -> ScenePane:
        if xodr is not None:
            (folder / "Town01.xodr").write_bytes(xodr)
        session.open(folder / "town.log", dialect="ue4-0.9.12")
        pane = ScenePane(session, theme, Player(session, session), settings)
        qtbot.addWidget(pane)
        pane.resize(640, 480 + pane.hints.height())
        with qtbot.waitExposed(pane):
            pane.show()
        settle(qtbot, session, pane.view)
        return pane

    return make


def chip_of(pane: ScenePane) -> MenuChip:
    return next(chip for chip in pane.switches if isinstance(chip, MenuChip))


def ground(view: SceneView, x: float, y: float) -> QColor:
    """The colour at a place of the world."""
    return view.grab().toImage().pixelColor(view.camera.point(x, y).toPoint())


def hovered(qtbot: QtBot, view: SceneView, x: float, y: float) -> str:
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    at = view.camera.point(x, y).toPoint()
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at)))
    return QToolTip.text() if QToolTip.isVisible() else ""


# --- what is drawn ----------------------------------------------------------------------------------------


def test_a_map_beside_the_recording_lies_under_the_actors_in_place_of_recorded_paths(
    qtbot: QtBot, show: Callable[..., ScenePane]
) -> None:
    pane = show()
    view = pane.view
    assert (view.road_map.isVisible(), view.roads.isVisible()) == (True, False)
    assert ground(view, 12.0, 2.0) == LIGHT.road
    assert ground(view, 15.5, 4.5) == LIGHT.road_shoulder
    assert ground(view, 15.5, 6.5) == LIGHT.road_sidewalk
    assert ground(view, 15.5, -6.0) == LIGHT.scene
    hero = place_of(view, HERO)
    assert hero is not None
    assert view.grab().toImage().pixelColor(hero.toPoint() + QPoint(-6, 0)) == LIGHT.vehicle
    assert chip_of(pane).toolTip() == "Road map: Town01.xodr, beside the recording."
    assert LAYERS[0] is Roads


def test_the_arrow_of_the_switch_offers_map_paths_and_none_and_the_choice_is_kept(
    qtbot: QtBot, show: Callable[..., ScenePane], settings: Settings
) -> None:
    pane = show()
    view, chip = pane.view, chip_of(pane)
    fill(pane, chip)
    for text, mode, drawn in (("Recorded paths", "paths", (False, True)), ("None", "none", (False, False))):
        pick(qtbot, chip, text)
        assert (view.road_map.isVisible(), view.roads.isVisible()) == drawn
        assert settings[ROADS] == mode
        assert chip.isChecked() is (mode != "none")
        assert ground(view, 15.5, 6.5) == LIGHT.scene
    qtbot.mouseClick(chip, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(6, 8))
    assert (view.roads_mode, chip.isChecked()) == ("paths", True)
    pick(qtbot, chip, "Map")
    assert Settings(settings.path)[ROADS] == "map"
    qtbot.keyClick(view, Qt.Key.Key_R)
    assert settings[ROADS] == "none"
    qtbot.keyClick(view, Qt.Key.Key_R)
    assert (view.road_map.isVisible(), settings[ROADS]) == (True, "map")
    settings[ROADS] = "paths"
    assert view.roads.isVisible()


def fill(pane: ScenePane, chip: MenuChip) -> None:
    """Give the switch a place to be clicked at, as the title of the dock does."""
    chip.setParent(pane)
    chip.resize(chip.sizeHint())
    chip.show()


def pick(qtbot: QtBot, chip: MenuChip, text: str) -> None:
    """Click the arrow of the switch, and an entry of its menu."""
    menu = chip.menu()

    def click() -> None:
        action = next(action for action in menu.actions() if action.text() == text)
        qtbot.mouseClick(menu, LEFT, Qt.KeyboardModifier.NoModifier, menu.actionGeometry(action).center())

    QTimer.singleShot(0, click)  # the press comes back when the menu is closed
    qtbot.mouseClick(chip, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(chip.width() - 6, 8))
    assert QApplication.activePopupWidget() is None


def test_without_a_map_paths_are_drawn_and_a_line_tells_where_to_get_one(show: Callable[..., ScenePane]) -> None:
    pane = show(None)
    assert (pane.view.road_map.isVisible(), pane.view.roads.isVisible()) == (False, True)
    assert chip_of(pane).toolTip() == (
        "No map of Town01 was found. The simulator has it in a folder OpenDrive: put Town01.xodr beside the recording, "
        "or choose it under Recording > Road map."
    )
    menu = chip_of(pane).menu()
    menu.aboutToShow.emit()
    assert [action.isEnabled() for action in menu.actions() if action.text().startswith("No map of")] == [False]


def test_a_map_that_cannot_be_read_is_a_sentence_and_paths_are_drawn(
    show: Callable[..., ScenePane], session: Session
) -> None:
    pane = show(b"<OpenDRIVE>\n<road")
    assert pane.view.roads.isVisible()
    assert chip_of(pane).toolTip().startswith("Town01.xodr: ")
    assert any(message.startswith("Town01.xodr: ") for message in session.messages)


def test_pictures_and_a_turned_view_have_the_roads(
    qtbot: QtBot, show: Callable[..., ScenePane], session: Session
) -> None:
    pane = show()
    view = pane.view
    at = view.camera.point(12.0, 2.0) * 2
    assert pane.picture().pixelColor(at.toPoint()) == LIGHT.road
    view.box.set_camera(Camera(12.0, 2.0, 8.0, 640, 480).heading_up(0.0))
    settle(qtbot, session, view)
    assert ground(view, 12.0, 2.6) == LIGHT.road
    assert ground(view, 20.0, 4.5) == LIGHT.road_shoulder
    # East is up: the shoulder lies right of the road.
    assert view.camera.point(12.0, 4.5).x() > view.camera.point(12.0, 2.0).x()


def test_in_the_dark_roads_are_dark(
    qtbot: QtBot, show: Callable[..., ScenePane], theme: Theme, session: Session
) -> None:
    view = show().view
    theme.set_mode("dark")
    view.grab()
    settle(qtbot, session, view)
    assert ground(view, 12.0, 2.0) == DARK.road


# --- the shapes -------------------------------------------------------------------------------------------


def picture(theme: Theme, road_map: RoadMap, camera: Camera) -> QImage:
    """The roads of a map alone, on pink."""
    image = QImage(int(camera.width), int(camera.height), QImage.Format.Format_RGB32)
    image.fill(QColor("#ff00ff"))
    layer = Roads(theme)
    layer.set_state(SceneState(camera=camera, roads=road_shapes(road_map)))
    painter = QPainter(image)
    layer.paint(painter)
    painter.end()
    return image


@pytest.mark.parametrize("scale", [1.7, 3.3, 11.0])
def test_areas_have_no_seams_where_roads_lanes_and_types_meet(theme: Theme, scale: float) -> None:
    first = road(1, 30.0, geometry(length=30.0, x=-30.0, heading=0.0), section(left=[lane(1)], right=SIDES))
    bend = geometry(arc(0.02), 40.0)
    second = road(2, 40.0, bend, section(left=[lane(1)], right=SIDES))
    road_map = read_road_map(opendrive(first, second))
    camera = Camera(0.0, 0.0, scale, 400, 300)
    image = picture(theme, road_map, camera)
    pink = image.pixelColor(5, 5)
    for row in np.flatnonzero(np.isin(road_map.lanes["lane_id"], (-1, -2))).tolist():
        lane_of = road_map.lanes[row]
        ends = (2.0, 30.0) if lane_of["road_id"] == 1 else (0.0, 38.0)
        s = np.linspace(*ends, 300)
        # The border to the next lane, to where the roads meet: neither the ground, nor a mix with it.
        near = [camera.point(x, y) for x, y in road_map.edges(np.full(300, row), s)[:, 1, :2].tolist()]
        found = [
            image.pixelColor(point.toPoint()) for point in near if camera.pane.adjusted(1, 1, -1, -1).contains(point)
        ]
        assert len(found) > 60
        assert pink not in found
        assert min(color.green() for color in found) >= LIGHT.road.green()


def path_in(quads: Quads, world: QRectF, least: float = 0.0) -> QPainterPath:
    """The quadrilaterals that may lie in a rectangle (m), as a path."""
    return path_of_quads(quads_within(quads, world), least)


def test_marks_come_at_their_scale_and_are_never_thinner_than_a_pixel(theme: Theme) -> None:
    shapes = road_shapes(read_road_map(MAP))
    assert [color for color, _ in shapes.at(0.5)] == ["road_sidewalk", "road_shoulder", "road"]
    assert [color for color, _ in shapes.at(2.4)] == ["road_sidewalk", "road_shoulder", "road"]
    assert [color for color, _ in shapes.at(2.5)] == ["road_sidewalk", "road_shoulder", "road", "road_yellow"]
    assert [color for color, _ in shapes.at(6.0)][3:] == ["road_chevron", "road_yellow"]
    yellow = shapes.marks["road_yellow"]
    assert len(yellow.corners) == 40  # of 3 m, every 7.5 m
    world = QRectF(-100, -50, 300, 100)
    assert path_in(yellow, world, 1.1 / 2.5).boundingRect().height() == pytest.approx(0.44)
    assert path_in(yellow, world, 1.1 / 400).boundingRect().height() == pytest.approx(0.12)
    assert path_in(yellow, QRectF(0, -50, 7, 100)).elementCount() < path_in(yellow, world).elementCount() / 10
    assert path_in(yellow, QRectF(0, 60, 7, 10)).isEmpty()


def test_every_kind_of_mark_is_painted_as_it_is_called() -> None:
    def painted(*marks: str) -> RoadShapes:
        centre = section(left=[lane(1)], right=[lane(-1)], centre="".join(marks))
        return road_shapes(read_road_map(opendrive(road(1, 30.0, geometry(length=30.0), centre))))

    def outlines(shapes: RoadShapes) -> list[tuple[str, int, float]]:
        whole = QRectF(-10, -10, 60, 20)
        return [(color, len(q.corners), path_in(q, whole).boundingRect().height()) for color, q in shapes.marks.items()]

    assert outlines(painted(mark("none"))) == outlines(painted(mark("curb"))) == []
    assert outlines(painted(mark("solid", width=0.2))) == [("road_mark", 1, pytest.approx(0.2))]
    assert outlines(painted(mark("solid solid", "yellow", width=0.1))) == [("road_yellow", 2, pytest.approx(0.3))]
    assert outlines(painted(mark("broken", width=0.1, weight="bold"))) == [("road_mark", 4, pytest.approx(0.2))]
    assert outlines(painted(mark("solid broken", width=0.1))) == [("road_mark", 5, pytest.approx(0.3))]
    two = painted(mark("solid", "red", width=0.2), mark("solid", "blue", 10.0, width=0.2))
    assert [color for color, *_ in outlines(two)] == ["road_red", "road_blue"]
    assert path_of_quads(
        quads_within(two.marks["road_red"], QRectF(-10, -10, 60, 20))
    ).boundingRect().right() == pytest.approx(10.0)


def test_crosswalks_are_stripes_along_the_road_and_stop_lines_lie_across() -> None:
    corners = "".join(f'<cornerLocal u="{u}" v="{v}" z="0"/>' for u, v in ((-1.5, -4), (1.5, -4), (1.5, 4), (-1.5, 4)))
    crosswalk = f'<object id="1" type="crosswalk" s="20" t="0" hdg="0"><outline>{corners}</outline></object>'
    stop = '<object id="2" name="Stop" type="stopLine" s="10" t="-1.75" hdg="0" width="3.5" length="0.3"/>'
    plain = road(1, 30.0, geometry(length=30.0))
    shapes = road_shapes(read_road_map(opendrive(plain.replace("</lanes>", f"</lanes><objects>{crosswalk}</objects>"))))
    ((color, stripes),) = shapes.marks.items()
    assert (color, len(stripes.corners)) == ("road_mark", 8)
    box = path_in(stripes, QRectF(0, -10, 40, 20)).boundingRect()
    assert (box.left(), box.right(), box.height()) == pytest.approx((18.5, 21.5, 8.0))
    shapes = road_shapes(read_road_map(opendrive(plain.replace("</lanes>", f"</lanes><objects>{stop}</objects>"))))
    ((color, line),) = shapes.marks.items()
    box = path_in(line, QRectF(0, -10, 40, 20)).boundingRect()
    assert (color, box.width(), box.height()) == ("road_mark", pytest.approx(0.4), pytest.approx(3.5))


def test_what_a_map_tells_of_itself_does_not_decide_how_much_memory_its_picture_takes() -> None:
    dashes = '<type name="x" width="0.1"><line length="1e-9" space="1e-9" tOffset="0" sOffset="0"/></type>'
    centre = mark("broken", inside=dashes) + mark("solid", "red", 1e6)
    huge = '<object id="1" type="crosswalk" s="20" t="0" hdg="0" length="1e6" width="1e6"/>'
    lanes = section(left=[lane(1)], right=[lane(-1)], centre=centre)
    text = road(1, 1e7, geometry(length=1e7), lanes).replace("</lanes>", f"</lanes><objects>{huge}</objects>")
    road_map = read_road_map(opendrive(text))
    assert len(road_map.marks) > 1
    tracemalloc.start()
    shapes = road_shapes(road_map)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000_000
    assert max(len(quads.corners) for level in shapes for quads in level.values()) < 750_000


def test_chevrons_point_where_their_lanes_are_driven(theme: Theme) -> None:
    arms = road_shapes(read_road_map(MAP)).chevrons["road_chevron"].corners
    tips = {-1: (1.75, 1), 1: (-1.75, -1)}
    for y, way in tips.values():
        own = arms[np.abs(arms[:, 1, 1] - y) < 0.1]  # the arm that ends at the tip
        assert len(own) == round(300 / 40)
        assert way * (own[:, 1, 0] - own[:, 0, 0]) == pytest.approx(1.0)


def test_every_published_map_has_shapes_inside_of_its_bounds() -> None:
    if not MAPS.is_dir():
        missing(f"no road maps in {MAPS}")
    for name in ("Town01", "Town04"):
        road_map = read_road_map(MAPS / f"{name}.xodr")
        shapes = road_shapes(road_map)
        lanes = road_map.sample()
        (left, right), (top, bottom) = ((lanes[axis].min(), lanes[axis].max()) for axis in "xy")
        for quads in (quads for level in shapes for quads in level.values()):
            assert np.isfinite(quads.corners).all()
        for quads in (*shapes.near.values(), *shapes.far.values()):
            assert quads.corners.min(axis=(0, 1)) == pytest.approx((left, top), abs=30.0)
            assert quads.corners.max(axis=(0, 1)) == pytest.approx((right, bottom), abs=30.0)


# --- the mouse ----------------------------------------------------------------------------------------------


def test_hovering_over_a_lane_tells_road_lane_place_type_and_limit(
    qtbot: QtBot, show: Callable[..., ScenePane], theme: Theme, settings: Settings
) -> None:
    view = show().view
    assert hovered(qtbot, view, 22.6, 2.0) == "road 8, lane -1, 122.6 m, driving, limit 30 km/h"
    theme.set_units(Units("cm", "m/s"))
    assert hovered(qtbot, view, 22.6, 2.0).startswith("road 8, lane -1, 122")
    assert hovered(qtbot, view, 22.6, 2.0).endswith(" cm, driving, limit 8.33 m/s")
    assert hovered(qtbot, view, 15.0, 6.5).split(", ")[3] == "sidewalk"
    assert hovered(qtbot, view, 15.0, -6.0) == ""
    view.set_roads("none")
    assert hovered(qtbot, view, 22.6, 2.0) == ""
    assert settings[SPEED] == "file"


def test_a_click_on_an_empty_road_selects_nothing(
    qtbot: QtBot, show: Callable[..., ScenePane], session: Session
) -> None:
    view = show().view
    session.selection.select_actor(HERO)
    click(qtbot, view, view.camera.point(15.5, 2.6).toPoint())
    assert session.selection.actor is None


def test_a_drag_tells_the_lane_and_with_shift_stops_in_its_middle_with_its_heading(
    qtbot: QtBot, show: Callable[..., ScenePane], session: Session
) -> None:
    view = show().view
    at = place_of(view, PARKED)
    assert at is not None
    click(qtbot, view, at.toPoint())
    start, stop = at.toPoint() + QPoint(0, -8), view.camera.point(14.0, 2.6).toPoint()
    drag(qtbot, view, start, stop, drop=False)
    assert (view.state.ghost_scope, view.state.ghost_lane) == ("in 1 frame", "road 8, lane -1")
    plain = view.box.ghost
    assert plain is not None
    assert plain.turn == 0
    shift_moves(view, stop)
    assert view.box.ghost is not None
    qtbot.mouseRelease(view.viewport(), LEFT, SHIFT, stop)
    moved = record_of(session, 0, PARKED)
    assert moved["location"]["y"] == pytest.approx(175.0, abs=0.1)
    assert moved["location"]["x"] == pytest.approx(100 * (20.0 + plain.dx), abs=1.0)
    assert moved["rotation"]["yaw"] == pytest.approx(0.0, abs=0.01)
    assert steps(session) == 1


def shift_moves(view: SceneView, at: QPoint) -> None:
    """The mouse moves with its button and Shift down."""
    place = QPointF(at)
    event = QMouseEvent(QEvent.Type.MouseMove, place, QPointF(view.viewport().mapToGlobal(at)), LEFT, LEFT, SHIFT)
    QApplication.sendEvent(view.viewport(), event)


def test_far_from_all_lanes_shift_changes_nothing(
    qtbot: QtBot, show: Callable[..., ScenePane], session: Session
) -> None:
    view = show(opendrive(road(8, 10.0, geometry(length=10.0, x=-500.0)))).view
    at = place_of(view, PARKED)
    assert at is not None
    click(qtbot, view, at.toPoint())
    start = at.toPoint() + QPoint(0, -8)
    drag(qtbot, view, start, start + QPoint(40, 0), drop=False)
    shift_moves(view, start + QPoint(40, 0))
    assert view.box.ghost is not None
    assert (view.box.ghost.turn, view.box.ghost.dy) == (0.0, 0.0)
    assert (view.state.ghost_scope, view.state.ghost_lane) == ("in 1 frame", "")
    qtbot.keyClick(view, Qt.Key.Key_Escape)


def test_on_a_bridge_an_actor_is_put_on_the_lane_of_its_own_height_and_keeps_that_above_it() -> None:
    below = road(1, 100.0, geometry(length=100.0, x=-50.0))
    rising = profile("elevation", (0.0, 6.0, 0.05))
    above = road(2, 100.0, geometry(length=100.0, y=50.0, heading=-np.pi / 2), elevation=rising)
    road_map = read_road_map(opendrive(below, above))
    half, flat = np.tile([2.0, 1.0], (2, 1)), np.zeros(2)
    z = np.array([0.3, 8.3])  # m; where the second one is, the bridge is 8 m high
    ids, kind = np.arange(1, 3), np.full(2, Kind.VEHICLE)
    actors = FrameActors(ids, kind, kind, flat - 0.5, flat - 10.0, z, flat, half, flat > 0, flat, kind)
    shifted = Ghost(2, dx=0.0, dy=9.0)
    where = place_of_ghost(actors, shifted)
    assert where is not None
    assert lane_text(road_map, where) == "road 2, lane -1"
    found = moved_to_lane(road_map, actors, shifted)
    assert (found.dx, found.dy, found.dz) == pytest.approx((-1.25, 9.0, 0.45))
    assert abs(found.turn) == pytest.approx(90.0)
    lower = place_of_ghost(actors, Ghost(1, dx=0.0, dy=9.0))
    assert lower is not None
    assert lane_text(road_map, lower) == "road 1, lane 1"
    assert moved_to_lane(road_map, actors, Ghost(1, dx=0.0, dy=9.0)).dz == 0.0


# --- choosing ------------------------------------------------------------------------------------------------


@pytest.fixture
def window(open_window: OpenWindow, folder: Path, qtbot: QtBot) -> MainWindow:
    """A window with a recording of Town01 without a map."""
    window = open_window(folder / "town.log")
    settle(qtbot, window.session)
    return window


def forget_all_maps(window: MainWindow, folder: Path, settings: Settings, qtbot: QtBot) -> None:
    """Bring a window back to a recording without a map."""
    settings.road_maps = {}
    for each in (*folder.rglob("*.[xX][oO][dD][rR]"), *map_cache().glob("*.xodr")):
        each.unlink()
    window.session.messages.clear()
    window.session.open(folder / "town.log")
    settle(qtbot, window.session)
    assert window.session.roads.map is None


def a_map_is_chosen_remembered_for_its_town_forgotten_and_done_without(
    window: MainWindow, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    roads = window.session.roads
    chosen = folder / "kept" / "any name.xodr"
    chosen.parent.mkdir(exist_ok=True)
    chosen.write_bytes(MAP)
    assert window.registry.reason("roads.forget") == "No map was chosen."
    assert window.registry.reason("path.lane") is not None
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *about: (asked.append(about[2]), (str(chosen), ""))[1])
    window.registry.run("roads.choose")
    qtbot.waitUntil(lambda: roads.map is not None)
    assert asked == [str(folder)]
    assert roads.description == "Road map: any name.xodr, chosen."
    assert Settings(settings.path).road_maps == {"Town01": str(chosen)}
    settle(qtbot, window.session)
    window.registry.run("roads.none")
    qtbot.waitUntil(lambda: roads.map is None)
    assert settings.road_maps == {"Town01": ""}
    window.registry.refresh()
    assert window.registry["roads.none"].isChecked()
    (folder / "Town01.xodr").write_bytes(MAP)
    window.registry.run("roads.forget")
    qtbot.waitUntil(lambda: roads.map is not None)
    assert roads.description == "Road map: Town01.xodr, beside the recording."
    assert settings.road_maps == {}
    settle(qtbot, window.session)


def what_is_chosen_last_holds_whatever_another_window_has_chosen(
    window: MainWindow, folder: Path, qtbot: QtBot, settings: Settings
) -> None:
    roads, chosen = window.session.roads, folder / "any.xodr"
    chosen.write_bytes(MAP)
    roads.choose(chosen)
    settle(qtbot, window.session)
    settings.road_maps = {"Town01": ""}
    roads.choose(chosen)
    assert settings.road_maps == {"Town01": str(chosen)}
    settle(qtbot, window.session)
    assert roads.map is not None
    settings.road_maps = {"Town01": "elsewhere.xodr"}
    roads.forget()
    assert settings.road_maps == {}
    settle(qtbot, window.session)


def a_dropped_map_becomes_that_of_the_recording(window: MainWindow, folder: Path, qtbot: QtBot) -> None:
    (folder / "town 1.XODR").write_bytes(MAP)
    assert drop(window, folder / "town 1.XODR")
    qtbot.waitUntil(lambda: window.session.roads.map is not None)
    settle(qtbot, window.session)
    view = window.panes.get(SCENE).view
    qtbot.waitUntil(lambda: view.road_map.isVisible())


def a_map_that_is_chosen_is_seen_and_told_although_roads_were_off(
    window: MainWindow,
    folder: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    choice: tuple[str, RoadsMode],
) -> None:
    how, mode = choice
    view = window.panes.get(SCENE).view
    view.set_roads(mode)
    (folder / "kept").mkdir(exist_ok=True)
    chosen = folder / "kept" / "any.xodr"
    chosen.write_bytes(MAP)
    if how == "chosen":
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(chosen), ""))
        window.registry.run("roads.choose")
    elif how == "dropped":
        assert drop(window, chosen)
    else:
        window.session.roads.choose(chosen)
    qtbot.waitUntil(lambda: window.session.roads.map is not None)
    settle(qtbot, window.session, view)
    assert view.road_map.isVisible()
    assert chip_of(window.panes.get(SCENE)).isChecked()
    assert settings[ROADS] == "map"
    assert window.session.messages[-1] == "any.xodr, 1 road"
    view.switch("roads", False)
    window.session.roads.update()
    settle(qtbot, window.session, view)
    assert settings[ROADS] == "none"
    assert window.session.messages[-1] == "any.xodr, 1 road"
    assert [*window.session.messages].count("any.xodr, 1 road") == 1  # it was not chosen again


def paths_in_place_of_a_map_are_seen_although_roads_were_off(
    window: MainWindow, folder: Path, qtbot: QtBot, action: str
) -> None:
    (folder / "any.xodr").write_bytes(MAP)
    view = window.panes.get(SCENE).view
    window.session.roads.choose(folder / "any.xodr")
    settle(qtbot, window.session, view)
    view.switch("roads", False)
    window.registry.run(action)
    settle(qtbot, window.session, view)
    assert view.roads.isVisible()
    assert chip_of(window.panes.get(SCENE)).isChecked()


def test_a_map_that_is_found_leaves_roads_off(open_window: OpenWindow, folder: Path, qtbot: QtBot) -> None:
    (folder / "Town01.xodr").write_bytes(MAP)
    empty = open_window()
    view = empty.panes.get(SCENE).view
    view.switch("roads", False)
    empty.documents.open(folder / "town.log")
    qtbot.waitUntil(lambda: empty.session.roads.map is not None)
    settle(qtbot, empty.session, view)
    assert not view.road_map.isVisible()
    assert not [each for each in empty.session.messages if "road" in each]


def test_a_map_dropped_with_a_recording_is_seen_although_roads_were_off(
    open_window: OpenWindow, folder: Path, qtbot: QtBot
) -> None:
    empty = open_window()
    view = empty.panes.get(SCENE).view
    view.switch("roads", False)
    (folder / "any.xodr").write_bytes(MAP)
    drop(empty, folder / "any.xodr", folder / "town.log")
    qtbot.waitUntil(lambda: empty.session.roads.map is not None)
    settle(qtbot, empty.session, view)
    assert view.road_map.isVisible()
    assert "any.xodr, 1 road" in empty.session.messages


def test_a_map_dropped_on_an_empty_window_says_what_comes_first(open_window: OpenWindow, tmp_path: Path) -> None:
    empty = open_window()
    (tmp_path / "a.xodr").write_bytes(MAP)
    drop(empty, tmp_path / "a.xodr")
    assert empty.session.messages[-1] == "Open a recording first; then drop its road map."


def test_a_map_dropped_with_a_recording_is_that_of_it(
    open_window: OpenWindow, folder: Path, qtbot: QtBot, settings: Settings
) -> None:
    empty = open_window()
    (folder / "any.xodr").write_bytes(MAP)
    drop(empty, folder / "any.xodr", folder / "town.log")
    qtbot.waitUntil(lambda: empty.session.roads.map is not None)
    settle(qtbot, empty.session)
    assert empty.session.roads.description == "Road map: any.xodr, chosen."
    assert settings.road_maps == {}


def a_map_of_another_town_is_said_and_others_are_offered(
    window: MainWindow, folder: Path, qtbot: QtBot, settings: Settings
) -> None:
    (folder / "maps").mkdir()
    (folder / "maps" / "Town01.xodr").write_bytes(MAP)
    (folder / "wrong.xodr").write_bytes(ELSEWHERE)
    roads, notice = window.session.roads, window.road_notice
    roads.choose(folder / "wrong.xodr")
    qtbot.waitUntil(lambda: notice.isVisible())
    assert notice.words.text() == "wrong.xodr does not fit: 0% of the vehicles' positions lie within 5 m of its lanes."
    texts = [button.text() for button in notice.answers]
    assert texts == ["Use Town01.xodr in maps beside the recording", "Choose...", "Recorded paths", "Dismiss"]
    qtbot.mouseClick(notice.answers[0], LEFT)
    qtbot.waitUntil(lambda: roads.map is not None and not notice.isVisible())
    assert (roads.misfit, settings.road_maps) == (None, {"Town01": str(folder / "maps" / "Town01.xodr")})
    settle(qtbot, window.session)


def the_notice_can_be_dismissed(window: MainWindow, folder: Path, qtbot: QtBot) -> None:
    (folder / "wrong.xodr").write_bytes(ELSEWHERE)
    window.session.roads.choose(folder / "wrong.xodr")
    qtbot.waitUntil(lambda: window.road_notice.isVisible())
    qtbot.mouseClick(window.road_notice.answers[-1], LEFT)
    assert not window.road_notice.isVisible()
    settle(qtbot, window.session)


def the_running_simulator_is_asked_and_its_map_is_used(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer_with_map("Carla/Maps/Town01_Opt", MAP, tmp_path, monkeypatch)
    window.registry.run("roads.simulator")
    qtbot.waitUntil(lambda: window.session.roads.map is not None)
    assert "The map of Town01 was taken from the simulator." in window.session.messages
    assert (map_cache() / "Town01.xodr").read_bytes() == MAP
    settle(qtbot, window.session)


def a_simulator_with_another_map_is_a_sentence(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer_with_map("Town03", MAP, tmp_path, monkeypatch)
    window.registry.run("roads.simulator")
    words = "The simulator at localhost:2000 shows Town03, and this recording is of Town01."
    qtbot.waitUntil(lambda: words in window.session.messages)
    assert window.session.roads.map is None


def folders_of_maps_are_a_preference(
    window: MainWindow, folder: Path, qtbot: QtBot, settings: Settings, theme: Theme
) -> None:
    kept = folder / "all maps"
    kept.mkdir()
    (kept / "town01.xodr").write_bytes(MAP)
    dialog = PreferencesDialog(settings, theme, window.registry, window)
    dialog.show()
    dialog.show_preference(MAP_FOLDERS)
    editor = dialog.rows[MAP_FOLDERS.name].editor  # type: ignore[union-attr]
    line = editor if isinstance(editor, QLineEdit) else editor.findChild(QLineEdit)
    assert isinstance(line, QLineEdit)
    line.selectAll()
    QTest.keyClicks(line, str(kept))
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.roads.map is not None)
    assert window.session.roads.description == f"Road map: town01.xodr, in {kept}."
    settle(qtbot, window.session)
    dialog.close()


def an_actor_is_put_on_its_lane_by_the_menu(window: MainWindow, folder: Path, qtbot: QtBot) -> None:
    session = window.session
    (folder / "any.xodr").write_bytes(MAP)
    session.roads.choose(folder / "any.xodr")
    qtbot.waitUntil(lambda: session.roads.map is not None)
    settle(qtbot, session)
    session.selection.select_actor(HERO)
    window.registry.run("path.lane")
    form = shown(window, qtbot)
    press(form, window, qtbot)
    assert [abs(record_of(session, frame, HERO)["location"]["y"]) for frame in (0, 59)] == pytest.approx([175.0, 175.0])
    settle(qtbot, session)


def test_maps_are_chosen_dropped_refused_taken_from_the_simulator_and_lead(
    request: pytest.FixtureRequest,
    window: MainWindow,
    folder: Path,
    tmp_path: Path,
    settings: Settings,
    theme: Theme,
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    """Each way of choosing with another mode before; with `--long` with all of them."""
    ways = ("chosen", "dropped", "offered")
    modes = ("none", "paths", "map")
    choices = [*zip(ways, modes, strict=True)]
    if is_long(request.config):
        choices = [*product(ways, modes)]
    parts = Parts()
    for part in (
        a_map_is_chosen_remembered_for_its_town_forgotten_and_done_without,
        what_is_chosen_last_holds_whatever_another_window_has_chosen,
        a_dropped_map_becomes_that_of_the_recording,
        a_map_of_another_town_is_said_and_others_are_offered,
        the_notice_can_be_dismissed,
        an_actor_is_put_on_its_lane_by_the_menu,
        a_simulator_with_another_map_is_a_sentence,
        the_running_simulator_is_asked_and_its_map_is_used,
    ):
        parts(part)
    parts.each("choice", choices)(a_map_that_is_chosen_is_seen_and_told_although_roads_were_off)
    parts.each("action", ("roads.none", "roads.forget"))(paths_in_place_of_a_map_are_seen_although_roads_were_off)
    parts(folders_of_maps_are_a_preference)

    def begin() -> dict[str, object]:
        close_dialogs()
        window.panes.get(SCENE).view.set_roads("map")
        forget_all_maps(window, folder, settings, qtbot)
        return {}

    given = {"window": window, "folder": folder, "tmp_path": tmp_path, "settings": settings}
    parts.run(subtests, begin, theme=theme, qtbot=qtbot, **given)


# --- the command line ------------------------------------------------------------------------------------------


def test_a_screenshot_takes_a_map_and_refuses_what_is_none(theme: Theme, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "any.xodr").write_bytes(MAP)
    plain, drawn = tmp_path / "plain.png", tmp_path / "drawn.png"
    screenshot(folder / "town.log", plain, frame=3, size=(1000, 640))
    screenshot(folder / "town.log", drawn, frame=3, size=(1000, 640), xodr=tmp_path / "any.xodr")
    places = [(x, y) for x in range(400, 700, 3) for y in range(80, 400, 3)]
    names = [{image.pixelColor(*place).name() for place in places} for image in map(QImage, map(str, (plain, drawn)))]
    assert [LIGHT.road_sidewalk.name() in each for each in names] == [False, True]
    with pytest.raises(NoPicture, match=r"gone\.xodr: No such file"):
        screenshot(folder / "town.log", plain, xodr=tmp_path / "gone.xodr")
