"""The scene with mouse and keys: what a click picks, what a drag writes, what the keys do, and what is drawn."""

import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.ui.panes.scene.camera import Camera
from recorder_editor.ui.panes.scene.label_layout import Board, Wish
from recorder_editor.ui.panes.scene.layers import label_layer as labels
from recorder_editor.ui.panes.scene.layers import trail_lines
from recorder_editor.ui.panes.scene.layers.overlays import Overlays
from recorder_editor.ui.panes.scene.layers.tool_layer import Ghosts
from recorder_editor.ui.panes.scene.layers.trail_lines import TrailShape
from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.panes.scene.state import wedge_of
from recorder_editor.ui.panes.scene.trails import Trail
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.session.preferences import FOLLOW_MODE
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.frame_actors import TrafficLight

from .. import builders as b
from .parts import Parts
from .windows import place_of

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
KEYS = Qt.Key

HERO, PARKED, WALKER, BIKE, LIGHT = 1, 2, 3, 4, 9
FRAMES = 60
STEP = 0.1

part = Parts()


def births() -> bytes:
    role = b.attribute(5, "role_name", "hero")
    wheels = b.attribute(2, "number_of_wheels", "2")
    return b.packet(
        2,
        b.event_add(
            [
                b.actor(HERO, 1, "vehicle.tesla.model3", attributes=[role]),
                b.actor(PARKED, 1, "vehicle.audi.tt", b.xyz(2000.0, 1000.0)),
                b.actor(WALKER, 2, "walker.pedestrian.0001", b.xyz(1000.0, -1000.0)),
                b.actor(BIKE, 1, "vehicle.bh.crossbike", b.xyz(-500.0, 600.0), attributes=[wheels]),
                b.actor(LIGHT, 3, "traffic.traffic_light", b.xyz(0.0, 1500.0)),
                b.actor(20, 4, "static.prop.mailbox", b.xyz(300.0, 1200.0)),
            ]
        ),
    )


def moment(index: int, *, last: bool = False) -> bytes:
    """A frame: the hero drives along x at 5 m/s, everybody else stands."""
    places = [
        b.pose(HERO, b.xyz(50.0 * index, 0.0, 2.0)),
        b.pose(PARKED, b.xyz(2000.0, 1000.0, 2.0), b.turn(0.0, 0.0, 90.0)),
        b.pose(WALKER, b.xyz(1000.0, -1000.0)),
        b.pose(BIKE, b.xyz(-500.0, 600.0)),
    ]
    speeds = [
        {"id": n, "linear_velocity": b.xyz(v), "angular_velocity": b.xyz()} for n, v in ((HERO, 5.0), (PARKED, 0.0))
    ]
    hits = [{"id": 1, "actor1": HERO, "actor2": PARKED, "hero1": True, "hero2": False}] if index == 30 else []
    packets = [
        *([births()] if index == 0 else []),
        b.packet(5, b.collision(hits)),
        b.packet(6, b.position(places)),
        b.packet(7, b.traffic_light_state([{"id": LIGHT, "frozen": False, "elapsed": 4.5, "state": 2}])),
        b.packet(10, b.vehicle_light([{"id": HERO, "lights": 0x38}])),
        b.packet(12, b.kinematics(speeds)),
    ]
    return b.frame(index + 1, index * STEP, -1.0 if last else STEP, packets)


def town(frames: int = FRAMES) -> bytes:
    return b.recording(*(moment(index, last=index == frames - 1) for index in range(frames)))


@pytest.fixture
def show(qtbot: QtBot, theme: Theme, session: Session, settings: Settings, tmp_path: Path) -> Callable[..., ScenePane]:
    """Opens bytes, or a file, in a scene of 640 x 480, and waits for the paths."""

    def make(data: bytes | Path | None, dialect: str | None = "ue4-0.9.12", size: tuple[int, int] = (640, 480)) -> Any:
        if data is not None:
            path = data if isinstance(data, Path) else tmp_path / "town.log"
            if isinstance(data, bytes):
                path.write_bytes(data)
            session.open(path, dialect=dialect)
        pane = ScenePane(session, theme, Player(session, session), settings)
        qtbot.addWidget(pane)
        pane.resize(size[0], size[1] + pane.hints.height())
        with qtbot.waitExposed(pane):
            pane.show()
        if data is not None:
            qtbot.waitUntil(lambda: session.background.trajectories is not None)
        return pane

    return make


def mode_titles(pane: ScenePane) -> list[str]:
    """What the chips of the modes say."""
    return [chip.label.text() for chip in pane.modes.chips.values() if not chip.isHidden()]


def point_of(view: SceneView, actor: int) -> QPoint:
    point = place_of(view, actor)
    assert point is not None
    return point.toPoint()


def click(qtbot: QtBot, view: SceneView, at: QPoint, modifier: Any = Qt.KeyboardModifier.NoModifier) -> None:
    qtbot.mouseClick(view.viewport(), LEFT, modifier, at)


def drag(
    qtbot: QtBot,
    view: SceneView,
    start: QPoint,
    stop: QPoint,
    modifier: Any = Qt.KeyboardModifier.NoModifier,
    *,
    drop: bool = True,
) -> None:
    qtbot.mousePress(view.viewport(), LEFT, modifier, start)
    for part in (0.3, 0.7, 1.0):
        qtbot.mouseMove(view.viewport(), start + (stop - start) * part)
    if drop:
        qtbot.mouseRelease(view.viewport(), LEFT, modifier, stop)


def turn_wheel(view: SceneView, at: QPoint, steps: int, *, sideways: int = 0) -> None:
    event = QWheelEvent(
        QPointF(at),
        QPointF(view.viewport().mapToGlobal(at)),
        QPoint(),
        QPoint(120 * sideways, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def record_of(session: Session, frame: int, actor: int, packet: str = "Position") -> dict[str, Any]:
    assert session.snapshot is not None
    found = session.snapshot.frame(frame).packet(packet)
    assert found is not None
    index = found.decoded.find_actor(actor)
    assert index is not None
    return found.decoded.record(index)


def all_bytes(session: Session) -> bytes:
    assert session.snapshot is not None
    return session.snapshot.read(0, session.snapshot.size)


def steps(session: Session) -> int:
    assert session.recording is not None
    return session.recording.history.position


def refusals(session: Session) -> list[str]:
    heard: list[str] = []
    session.refused.connect(heard.append)
    return heard


# --- selecting --------------------------------------------------------------------------------------------


@part
def a_click_picks_the_record_of_whoever_stands_there(qtbot: QtBot, view: SceneView, session: Session) -> None:
    click(qtbot, view, point_of(view, PARKED))
    assert session.selection.actor == PARKED
    packet = session.selection.target.packet
    assert packet is not None
    assert packet.name == "Position"


@part
def a_click_on_a_lamp_picks_its_state(qtbot: QtBot, view: SceneView, session: Session) -> None:
    click(qtbot, view, point_of(view, LIGHT))
    packet = session.selection.target.packet
    assert packet is not None
    assert (session.selection.actor, packet.name) == (LIGHT, "State")


def test_the_small_one_on_top_of_a_car_is_the_one_that_is_picked(
    qtbot: QtBot, show: Callable[..., ScenePane], session: Session
) -> None:
    bike = b.actor(BIKE, 1, "vehicle.bh.crossbike", attributes=[b.attribute(2, "number_of_wheels", "2")])
    born = b.packet(2, b.event_add([bike, b.actor(HERO)]))
    here = b.packet(6, b.position([b.pose(BIKE, b.xyz(40.0)), b.pose(HERO)]))
    view = show(b.recording(b.frame(1, 0.0, 0.1, [born, here]))).view
    click(qtbot, view, point_of(view, BIKE))
    assert session.selection.actor == BIKE


@part
def shift_adds_and_takes_away(qtbot: QtBot, view: SceneView, session: Session) -> None:
    click(qtbot, view, point_of(view, PARKED))
    click(qtbot, view, point_of(view, BIKE), SHIFT)
    assert session.selection.actors == (PARKED, BIKE)
    click(qtbot, view, point_of(view, PARKED), SHIFT)
    assert session.selection.actors == (BIKE,)


@part
def a_rubber_band_picks_the_road_users_in_it(qtbot: QtBot, view: SceneView, session: Session) -> None:
    hero, bike = point_of(view, HERO), point_of(view, BIKE)
    drag(qtbot, view, QPoint(bike.x() - 25, hero.y() - 30), QPoint(hero.x() + 25, bike.y() + 25), SHIFT)
    assert set(session.selection.actors) == {HERO, BIKE}
    assert steps(session) == 0


@part
def a_click_on_the_ground_lets_go(qtbot: QtBot, view: SceneView, session: Session) -> None:
    click(qtbot, view, point_of(view, PARKED))
    click(qtbot, view, point_of(view, WALKER) + QPoint(0, 60))
    assert session.selection.actor is None


@part
def the_selection_of_others_is_followed(view: SceneView, session: Session) -> None:
    session.selection.select_actor(PARKED)
    assert view.state.selected == (PARKED,)
    session.selection.go_to_frame(12)
    assert view.contents.frame is session.selection.frame


@part
def hovering_tells_what_it_is(qtbot: QtBot, view: SceneView) -> None:
    at = point_of(view, HERO)
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at)))
    qtbot.waitUntil(lambda: "tesla.model3" in QToolTip.text())
    QToolTip.hideText()


# --- the camera -------------------------------------------------------------------------------------------


def test_the_first_view_holds_everybody(show: Callable[..., ScenePane]) -> None:
    view = show(town()).view
    for actor in (HERO, PARKED, WALKER, BIKE):
        assert view.viewport().rect().contains(point_of(view, actor))


def test_one_car_far_away_does_not_shrink_the_crossing(show: Callable[..., ScenePane]) -> None:
    places = [b.pose(n, b.xyz(400.0 * n)) for n in range(1, 12)] + [b.pose(50, b.xyz(9e5, 9e5))]
    born = b.packet(2, b.event_add([b.actor(place["id"]) for place in places]))
    view = show(b.recording(b.frame(1, 0.0, 0.1, [born, b.packet(6, b.position(places))]))).view
    assert view.camera.scale > 5
    assert not view.viewport().rect().contains(point_of(view, 50))


@part
def the_wheel_zooms_at_the_pointer(view: SceneView) -> None:
    at = QPoint(150, 300)
    before, scale = view.camera.world(QPointF(at)), view.camera.scale
    turn_wheel(view, at, 3)
    assert view.camera.scale == pytest.approx(scale * 1.2**3)
    assert view.camera.world(QPointF(at)) == pytest.approx(before)
    turn_wheel(view, at, -3)
    assert view.camera.scale == pytest.approx(scale)


@part
def a_wheel_that_is_turned_sideways_zooms_nothing(view: SceneView) -> None:
    before = view.camera
    turn_wheel(view, QPoint(150, 300), 0, sideways=3)
    assert view.camera == before


@part
def dragging_the_ground_moves_the_view_and_nothing_else(qtbot: QtBot, view: SceneView, session: Session) -> None:
    before = view.camera
    start = point_of(view, WALKER) + QPoint(0, 60)
    drag(qtbot, view, start, start + QPoint(40, -24))
    assert view.camera.point(before.x, before.y) == QPointF(320 + 40, 240 - 24)
    assert (steps(session), view.camera.scale) == (0, before.scale)


@part
def the_view_stays_where_it_is_from_frame_to_frame(view: SceneView, session: Session) -> None:
    before = view.camera
    session.selection.go_to_frame(40)
    assert view.camera == before


@part
def f_fits_again(qtbot: QtBot, view: SceneView) -> None:
    qtbot.keyClick(view, KEYS.Key_F)
    before = view.camera
    turn_wheel(view, QPoint(10, 10), 8)
    qtbot.keyClick(view, KEYS.Key_F)
    assert view.camera == before


@part
def a_double_click_follows_and_a_chip_says_so(
    qtbot: QtBot, pane: ScenePane, view: SceneView, session: Session, settings: Settings
) -> None:
    assert pane.caption == "4 road users"
    settings[FOLLOW_MODE] = "middle"
    qtbot.mouseDClick(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, point_of(view, HERO))
    for frame in (10, 55):
        session.selection.go_to_frame(frame)
        assert point_of(view, HERO) == QPoint(320, 240)
    assert mode_titles(pane) == ["Following 1"]
    drag(qtbot, view, QPoint(30, 30), QPoint(60, 60))
    assert mode_titles(pane) == []


@part
def a_lamp_cannot_be_followed(qtbot: QtBot, pane: ScenePane, view: SceneView) -> None:
    qtbot.mouseDClick(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, point_of(view, LIGHT))
    assert mode_titles(pane) == []


@part
def another_recording_is_fitted_anew(view: SceneView, session: Session, tmp_path: Path) -> None:
    far = tmp_path / "far.log"
    here = [b.packet(2, b.event_add([b.actor(5)])), b.packet(6, b.position([b.pose(5, b.xyz(900000.0, 0.0))]))]
    far.write_bytes(b.recording(b.frame(1, 0.0, 0.1, here)))
    session.open(far, dialect="ue4-0.9.12")
    assert point_of(view, 5) == QPoint(320, 240)


# --- dragging ---------------------------------------------------------------------------------------------


@part
def dragging_the_selected_car_is_one_step_with_the_exact_offset(
    qtbot: QtBot, view: SceneView, session: Session
) -> None:
    before = all_bytes(session)
    session.selection.go_to_frame(4)
    click(qtbot, view, point_of(view, PARKED))
    at = point_of(view, PARKED) + QPoint(0, -8)
    drag(qtbot, view, at, at + QPoint(33, -21))
    scale = view.camera.scale
    x, y = (np.float32(value) for value in (2000.0 + 33 / scale * 100, 1000.0 - 21 / scale * 100))
    location = record_of(session, 4, PARKED)["location"]
    assert (location["x"], location["y"], location["z"]) == (x, y, 2.0)
    assert steps(session) == 1
    changed = [at for at, (one, two) in enumerate(zip(before, all_bytes(session), strict=True)) if one != two]
    assert session.snapshot is not None
    packet = session.snapshot.frame(4).packet("Position")
    assert packet is not None
    start = packet.offset + 5 + 2 + 28 + 4
    assert changed
    assert set(changed) <= set(range(start, start + 8))
    assert all_bytes(session)[start : start + 8] == struct.pack("<ff", x, y)
    session.editing.undo()
    assert all_bytes(session) == before


@part
def a_car_that_is_not_selected_is_not_dragged(qtbot: QtBot, view: SceneView, session: Session) -> None:
    start = point_of(view, PARKED)
    drag(qtbot, view, start, start + QPoint(50, 0))
    assert steps(session) == 0
    assert point_of(view, PARKED) == start + QPoint(50, 0)


@part
def a_click_on_the_selected_car_moves_nothing(qtbot: QtBot, view: SceneView, session: Session) -> None:
    click(qtbot, view, point_of(view, PARKED))
    click(qtbot, view, point_of(view, PARKED))
    assert (steps(session), session.selection.actor) == (0, PARKED)


@part
def one_of_several_selected_can_be_dragged(qtbot: QtBot, view: SceneView, session: Session) -> None:
    session.selection.select_actor(PARKED)
    session.selection.select_actor(WALKER, add=True)
    at = point_of(view, WALKER)
    drag(qtbot, view, at, at + QPoint(20, 0))
    assert record_of(session, 0, WALKER)["location"]["x"] == np.float32(1000.0 + 20 / view.camera.scale * 100)
    assert record_of(session, 0, PARKED)["location"]["x"] == 2000.0


@part
def dragging_the_wedge_turns_the_car_and_its_velocities(qtbot: QtBot, view: SceneView, session: Session) -> None:
    session.editing.set_scope("life")
    session.selection.go_to_frame(20)
    session.selection.select_actor(HERO)
    view.centre_on(HERO)
    centre, wedge = place_of(view, HERO), wedge_of(view.state, HERO)
    assert centre is not None
    assert wedge is not None
    reach = wedge.x() - centre.x()
    drag(qtbot, view, wedge.toPoint(), (centre + QPointF(0, 4 * reach)).toPoint())
    assert steps(session) == 1
    turned = record_of(session, 20, HERO)
    assert turned["rotation"]["yaw"] == pytest.approx(90.0, abs=3.0)
    assert (turned["location"]["x"], turned["location"]["y"]) == (1000.0, 0.0)
    yaw = np.radians(turned["rotation"]["yaw"])
    start = record_of(session, 0, HERO)["location"]
    assert (start["x"], start["y"]) == pytest.approx((1000 - 1000 * np.cos(yaw), -1000 * np.sin(yaw)), abs=0.1)
    velocity = record_of(session, 20, HERO, "Kinematics")["linear_velocity"]
    assert (velocity["x"], velocity["y"]) == pytest.approx((5 * np.cos(yaw), 5 * np.sin(yaw)), abs=1e-4)
    born = record_of(session, 0, HERO, "EventAdd")
    assert born["rotation"]["yaw"] == pytest.approx(turned["rotation"]["yaw"], abs=1e-4)


@part
def escape_takes_a_drag_back(qtbot: QtBot, view: SceneView, session: Session) -> None:
    before = all_bytes(session)
    click(qtbot, view, point_of(view, PARKED))
    at = point_of(view, PARKED) + QPoint(0, -8)
    drag(qtbot, view, at, at + QPoint(40, 0), drop=False)
    assert view.box.ghost is not None
    assert view.box.ghost.dx == pytest.approx(40 / view.camera.scale)
    qtbot.keyClick(view, KEYS.Key_Escape)
    assert view.box.ghost is None
    qtbot.mouseRelease(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, at + QPoint(40, 0))
    assert (steps(session), all_bytes(session)) == (0, before)


@part
def the_ghost_is_drawn_while_dragging(qtbot: QtBot, view: SceneView, session: Session, artefacts: Path) -> None:
    click(qtbot, view, point_of(view, PARKED))
    still = view.grab().toImage()
    at = point_of(view, PARKED) + QPoint(0, -8)
    drag(qtbot, view, at, at + QPoint(60, 20), drop=False)
    dragged = view.grab().toImage()
    dragged.save(str(artefacts / "scene-ghost.png"))
    assert dragged != still
    qtbot.keyClick(view, KEYS.Key_Escape)


@part
def s_changes_the_frames_of_a_drag_while_it_lasts_and_history_counts_them(
    qtbot: QtBot, view: SceneView, session: Session
) -> None:
    session.selection.go_to_frame(FRAMES - 2)
    click(qtbot, view, point_of(view, PARKED))
    at = point_of(view, PARKED) + QPoint(0, -8)
    for scope, frames, next_scope in (
        ("frame", "in 1 frame", "from here on"),
        ("onward", "over 2 frames", "whole life"),
    ):
        drag(qtbot, view, at, at + QPoint(40, 0), drop=False)
        if scope != session.editing.scope:
            qtbot.keyClick(view, KEYS.Key_S)
        assert (session.editing.scope, view.state.ghost_scope) == (scope, frames)
        assert view.situation.scope == next_scope
        qtbot.mouseRelease(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, at + QPoint(40, 0))
        assert session.recording is not None
        assert session.recording.history.steps[-1].label == f"Move {PARKED} {frames}"
        session.editing.undo()
    qtbot.keyClick(view, KEYS.Key_S)
    assert session.editing.scope == "onward"


@part
def a_drag_notes_its_length_and_scope_and_labels_keep_off_the_ghost(
    qtbot: QtBot, view: SceneView, session: Session
) -> None:
    click(qtbot, view, point_of(view, PARKED))
    at = point_of(view, PARKED) + QPoint(0, -8)
    drag(qtbot, view, at, at + QPoint(60, 20), drop=False)
    ghosts = next(layer for layer in view.box.layers if isinstance(layer, Ghosts))
    ghosts.set_state(view.state)
    (note,) = ghosts.notes()
    assert note.text.endswith(" m in 1 frame")
    (left, top, right, bottom), *along = ghosts.occupied()
    assert QRectF(QPointF(left, top), QPointF(right, bottom)).contains(note.centre)
    assert along
    qtbot.keyClick(view, KEYS.Key_Escape)


@pytest.mark.parametrize(("seconds", "text"), [(0.0, ""), (0.04, ""), (4.5, "4.5 s"), (1e9, "–")])
def test_a_light_has_seconds_only_where_they_are_recorded(seconds: float, text: str) -> None:
    assert labels._seconds(TrafficLight(9, 0.0, 0.0, 2, seconds)) == text


@part
def north_stands_where_no_traffic_light_and_no_ring_does(view: SceneView) -> None:
    overlays = next(layer for layer in view.box.layers if isinstance(layer, Overlays))
    overlays.set_state(view.state)
    assert overlays._north_x > 600
    x, y = view.camera.world(QPointF(620.0, 30.0))
    light = TrafficLight(9, x, y, 2, 1.0)
    overlays.set_state(replace(view.state, contents=replace(view.contents, lights=(light,))))
    assert overlays._north_x < 40
    # The hero is born at the world's origin; its rings come to lie beneath the arrow, and it beside that.
    camera = view.camera._replace(x=view.camera.x - x, y=view.camera.y - y).moved(-50.0, 20.0)
    overlays.set_state(replace(view.state, camera=camera))
    assert overlays._north_x < 40


@part
def a_lamp_refuses_with_the_reason(qtbot: QtBot, view: SceneView, session: Session) -> None:
    heard, camera = refusals(session), view.camera
    click(qtbot, view, point_of(view, LIGHT))
    drag(qtbot, view, point_of(view, LIGHT), point_of(view, LIGHT) + QPoint(30, 0))
    assert len(heard) == 1
    assert "finds traffic actors by their position" in heard[0]
    assert (steps(session), view.camera) == (0, camera)


@part.each("scope", ["frame", "range", "onward", "life"])
def a_drag_counts_for_the_frames_that_the_panel_says(
    qtbot: QtBot, view: SceneView, session: Session, scope: Any
) -> None:
    moved = {"frame": [5], "range": [3, 4, 5, 6], "onward": range(5, FRAMES), "life": range(FRAMES)}[scope]
    session.range.set(3, 7)
    session.editing.set_scope(scope)
    session.selection.go_to_frame(5)
    session.selection.select_actor(PARKED)
    at = point_of(view, PARKED) + QPoint(0, -8)
    drag(qtbot, view, at, at + QPoint(25, 0))
    x = np.float32(2000.0 + 25 / view.camera.scale * 100)
    found = [frame for frame in range(FRAMES) if record_of(session, frame, PARKED)["location"]["x"] == x]
    assert found == list(moved)
    assert steps(session) == 1
    born = record_of(session, 0, PARKED, "EventAdd")["location"]["x"]
    assert born == (x if scope == "life" else 2000.0)


def test_a_drag_over_thousands_of_frames_is_a_job_and_still_one_step(
    qtbot: QtBot, show: Callable[..., ScenePane], session: Session
) -> None:
    view = show(town(2_100)).view
    before = all_bytes(session)
    session.editing.set_scope("life")
    session.selection.select_actor(PARKED)
    at = point_of(view, PARKED) + QPoint(0, -8)
    drag(qtbot, view, at, at + QPoint(25, 0))
    assert [job.title for job in session.jobs.running if not job.quiet] == ["Moving 2 over 2,100 frames"]
    assert steps(session) == 0
    qtbot.waitUntil(lambda: steps(session) == 1)
    x = np.float32(2000.0 + 25 / view.camera.scale * 100)
    assert {record_of(session, frame, PARKED)["location"]["x"] for frame in (0, 999, 2_099)} == {x}
    session.editing.undo()
    assert all_bytes(session) == before


def test_an_edit_made_meanwhile_stops_a_long_drag_with_a_reason(
    qtbot: QtBot, show: Callable[..., ScenePane], session: Session
) -> None:
    view = show(town(2_100)).view
    heard = refusals(session)
    session.editing.set_scope("life")
    session.selection.select_actor(PARKED)
    at = point_of(view, PARKED) + QPoint(0, -8)
    drag(qtbot, view, at, at + QPoint(25, 0))
    session.editing.set_scope("frame")
    drag(qtbot, view, at, at + QPoint(0, 25))
    qtbot.waitUntil(lambda: bool(heard))
    assert steps(session) == 1
    assert record_of(session, 5, PARKED)["location"]["x"] == 2000.0


@part
def what_was_moved_is_drawn_where_it_is_now(qtbot: QtBot, view: SceneView, session: Session) -> None:
    session.selection.select_actor(PARKED)
    at = point_of(view, PARKED)
    drag(qtbot, view, at + QPoint(0, -8), at + QPoint(50, -8))
    assert point_of(view, PARKED) == at + QPoint(50, 0)
    session.editing.undo()
    assert point_of(view, PARKED) == at


# --- keys, trails, tools ------------------------------------------------------------------------------------


@part.each("name", ["trails", "roads", "measure"])
def letters_and_chips_switch_the_same_thing(qtbot: QtBot, pane: ScenePane, view: SceneView, name: str) -> None:
    key = {"trails": KEYS.Key_T, "roads": KEYS.Key_R, "measure": KEYS.Key_M}[name]
    chip: Any = next(chip for chip in pane.switches if chip.objectName() == f"scene-{name}")
    before = view.switches[name]
    qtbot.keyClick(view, key)
    assert view.switches[name] is not before
    assert chip.isChecked() is not before
    chip.click()
    assert view.switches[name] is before
    assert chip.isChecked() is before


@part
def the_chips_are_called_as_in_the_title(pane: ScenePane) -> None:
    texts = [chip.text() for chip in pane.switches[1:]]  # type: ignore[attr-defined]
    assert texts == ["Roads", "Trails", "Ids", "Packets", "Other", "Wipe", "Measure", "Follow", "Legend"]


@part
def letters_with_control_are_left_to_the_window(qtbot: QtBot, view: SceneView) -> None:
    before = dict(view.switches)
    qtbot.keyClick(view, KEYS.Key_T, CONTROL)
    qtbot.keyClick(view, KEYS.Key_M, Qt.KeyboardModifier.AltModifier)
    assert view.switches == before


@part
def arrows_walk_through_time(qtbot: QtBot, view: SceneView, session: Session) -> None:
    for key, modifier, frame in (
        (KEYS.Key_Left, Qt.KeyboardModifier.NoModifier, 19),
        (KEYS.Key_Right, Qt.KeyboardModifier.NoModifier, 21),
        (KEYS.Key_Left, SHIFT, 10),
        (KEYS.Key_Right, SHIFT, 30),
        (KEYS.Key_Right, CONTROL, 30),
        (KEYS.Key_Left, CONTROL, 0),
        (KEYS.Key_Home, Qt.KeyboardModifier.NoModifier, 0),
        (KEYS.Key_End, Qt.KeyboardModifier.NoModifier, FRAMES - 1),
    ):
        session.selection.go_to_frame(20)
        qtbot.keyClick(view, key, modifier)
        assert session.selection.frame_index == frame, (key, modifier)


@part
def plus_and_minus_zoom(qtbot: QtBot, view: SceneView) -> None:
    scale = view.camera.scale
    qtbot.keyClick(view, KEYS.Key_Plus)
    assert view.camera.scale == pytest.approx(1.25 * scale)
    qtbot.keyClick(view, KEYS.Key_Minus)
    assert view.camera.scale == pytest.approx(scale)


@part.each("seconds", [-1.5, 2.5])
def a_click_on_the_trail_goes_to_that_moment(qtbot: QtBot, view: SceneView, session: Session, seconds: float) -> None:
    session.selection.go_to_frame(25)
    session.selection.select_actor(HERO)
    at = view.camera.point(0.5 * 25 + 5.0 * seconds, 0.0).toPoint()
    click(qtbot, view, at)
    assert session.selection.frame_index == pytest.approx(25 + 10 * seconds, abs=2)
    assert session.selection.actor == HERO


def test_the_trails_of_all_who_are_selected_have_one_scale_of_speed(
    show: Callable[..., ScenePane], session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = [
        b.frame(
            index + 1,
            index * STEP,
            STEP,
            [
                *([b.packet(2, b.event_add([b.actor(1), b.actor(2)]))] if index == 0 else []),
                b.packet(6, b.position([b.pose(1, b.xyz(50.0 * index)), b.pose(2, b.xyz(200.0 * index, 500.0))])),
            ],
        )
        for index in range(30)
    ]
    pane = show(b.recording(*frames))
    session.selection.go_to_frame(15)
    session.selection.select_actors((1, 2))
    drawn: list[tuple[float, float]] = []

    def look(trail: Trail, camera: Camera, here: QPointF | None) -> TrailShape:
        drawn.append((float(np.nanmax(trail.speed)), trail.fastest))
        return TrailShape([], [], [])

    monkeypatch.setattr(trail_lines, "trail_shape", look)
    pane.picture()
    assert drawn == [(pytest.approx(5.0), 20.0), (pytest.approx(20.0), 20.0)]


@part
def who_is_outside_of_the_pane_has_no_label_in_it(view: SceneView, monkeypatch: pytest.MonkeyPatch) -> None:
    named: set[int] = set()

    def look(wishes: list[Wish], board: Board) -> list[tuple[Wish, QRectF]]:
        named.update(wish.actor for wish in wishes)
        return []

    monkeypatch.setattr(labels, "place_labels", look)
    view.grab()
    assert PARKED in named
    named.clear()
    actors = view.contents.actors
    index = actors.index_of(PARKED)
    assert index is not None
    # The car stands upright on the screen, 4 pixels beyond the left edge.
    left = float(actors.x[index]) + float(actors.half[index, 1]) + (320 + 4) / 10.0
    view.box.set_camera(Camera(left, 10.0, 10.0, 640, 480))
    view.grab()
    assert PARKED not in named


@part
def a_way_that_is_not_shown_is_not_clicked(qtbot: QtBot, view: SceneView, session: Session) -> None:
    session.selection.select_actor(HERO)
    qtbot.keyClick(view, KEYS.Key_T)
    click(qtbot, view, view.camera.point(15.0, 0.0).toPoint())
    assert (session.selection.frame_index, session.selection.actor) == (0, None)


@part
def two_clicks_measure(qtbot: QtBot, view: SceneView, session: Session) -> None:
    qtbot.keyClick(view, KEYS.Key_M)
    scale = view.camera.scale
    click(qtbot, view, QPoint(100, 100))
    click(qtbot, view, QPoint(100 + 80, 100 + 60))
    first, second = view.state.measured or ((0, 0), (0, 0))
    assert np.hypot(second[0] - first[0], second[1] - first[1]) == pytest.approx(100 / scale)
    assert session.selection.actor is None
    click(qtbot, view, QPoint(300, 300))
    assert view.box.measured == [view.camera.world(QPointF(300, 300))]
    qtbot.keyClick(view, KEYS.Key_Escape)
    assert view.state.measured is None


@part
def every_switch_changes_the_picture(qtbot: QtBot, view: SceneView, session: Session) -> None:
    session.selection.go_to_frame(30)
    session.selection.select_actor(HERO)
    for name in ("roads", "trails", "ids"):
        before = view.grab().toImage()
        view.switch(name)
        assert view.grab().toImage() != before, name


def test_own_colours_are_those_of_the_attribute(show: Callable[..., ScenePane]) -> None:
    paint = b.attribute(4, "color", "250,10,20")
    born = b.packet(2, b.event_add([b.actor(5, attributes=[paint])]))
    here = b.packet(6, b.position([b.pose(5)]))
    view = show(b.recording(b.frame(1, 0.0, 0.1, [born, here]), b.frame(2, 0.1, 0.1, [here]))).view
    beside = point_of(view, 5) + QPoint(-8, 0)
    assert view.grab().toImage().pixelColor(beside).getRgb()[:3] == (250, 10, 20)
    view.set_color_by("class")
    assert view.grab().toImage().pixelColor(beside) == view.theme.palette.vehicle


@part
def the_menu_is_about_whoever_is_under_the_pointer(
    qtbot: QtBot, pane: ScenePane, view: SceneView, session: Session
) -> None:
    session.selection.select_actor(PARKED)
    view.customContextMenuRequested.emit(point_of(view, WALKER))
    menu = pane.findChild(QMenu)
    assert menu is not None
    words = {action.text(): action for action in menu.actions()}
    assert [text for text in words if text][:2] == ["Follow 3", "Fit road users"]
    assert session.selection.actor == WALKER
    words["Follow 3"].trigger()
    assert mode_titles(pane) == ["Following 3"]
    menu.close()


# --- pictures -----------------------------------------------------------------------------------------------


@part
def the_picture_is_copied(pane: ScenePane, artefacts: Path) -> None:
    pane.session.selection.go_to_frame(30)
    pane.session.selection.select_actor(HERO)
    pane.copy_picture()
    image = QGuiApplication.clipboard().image()
    assert (image.width(), image.height()) == (1280, 960)
    image.save(str(artefacts / "scene-copy.png"))


def test_a_small_picture_of_another_frame_leaves_the_scene_as_it_is(show: Callable[..., ScenePane]) -> None:
    pane = show(town())
    before = pane.picture()
    small = pane.picture_at(20)
    assert small is not None
    assert small.size().width() == 320
    assert pane.picture() == before
    assert small != pane.picture_at(0)
    pane.session.selection.go_to_frame(20)
    assert pane.picture(320 / 640) == small
    pane.hide()
    assert pane.picture_at(20) is None


def test_a_hidden_scene_forgets_the_actors_of_the_state_before(
    show: Callable[..., ScenePane], session: Session
) -> None:
    """Their lives are those of that state, which colours are looked up by."""
    pane = show(town())
    assert len(pane.view.contents.actors)
    pane.hide()
    assert session.actors is not None
    session.editing.apply(edits.remove_actors(session.snapshot_or_refuse(), list(session.actors)))
    assert not session.actors.lives
    assert not len(pane.view.state.actors)
    pane.view.spoken()


# --- odd recordings -----------------------------------------------------------------------------------------


def test_without_a_recording_nothing_is_drawn_and_nothing_happens(
    qtbot: QtBot, show: Callable[..., ScenePane], session: Session
) -> None:
    pane = show(None)
    assert pane.caption == ""
    for key in (KEYS.Key_F, KEYS.Key_T, KEYS.Key_Left, KEYS.Key_End, KEYS.Key_Escape):
        qtbot.keyClick(pane.view, key)
    click(qtbot, pane.view, QPoint(100, 100))
    drag(qtbot, pane.view, QPoint(100, 100), QPoint(150, 100), SHIFT)
    turn_wheel(pane.view, QPoint(100, 100), 1)
    assert pane.view.grab().toImage().pixelColor(300, 200) == pane.theme.palette.scene


@pytest.mark.parametrize(
    "data",
    [b.recording(), b.recording(b"\xee" * 300), b.recording(b.frame(1), b.frame(2, 0.1)), b"not a recording"],
    ids=["no frames", "only junk", "frames without positions", "no recording at all"],
)
def test_recordings_without_anybody_say_so(
    qtbot: QtBot, show: Callable[..., ScenePane], session: Session, data: bytes
) -> None:
    pane = show(data)
    before = pane.view.grab().toImage()
    click(qtbot, pane.view, QPoint(100, 100))
    for key in (KEYS.Key_F, KEYS.Key_Right, KEYS.Key_End, KEYS.Key_Home):
        qtbot.keyClick(pane.view, key)
    colours = {before.pixelColor(x, y).rgb() for x in range(200, 440) for y in range(230, 250)}
    assert len(colours) > 5, "words in the middle"


def test_poses_that_are_no_places_are_left_out(qtbot: QtBot, show: Callable[..., ScenePane], session: Session) -> None:
    nan, inf = float("nan"), float("inf")
    odd = [b.xyz(nan, 0.0), b.xyz(inf, -inf), b.xyz(3e38, 3e38), b.xyz(b.Bits32(0x7FA01234)), b.xyz(100.0, 100.0)]
    places = [b.pose(n, place, b.turn(nan, nan, (nan, inf, -inf, 1e38, nan)[n])) for n, place in enumerate(odd)]
    born = b.packet(2, b.event_add([b.actor(n) for n in range(5)]))
    here = b.packet(6, b.position(places))
    view = show(b.recording(b.frame(1, 0.0, 0.1, [born, here]), b.frame(2, 0.1, 0.1, [here]))).view
    view.grab()
    click(qtbot, view, point_of(view, 4))
    assert session.selection.actor == 4
    session.selection.step(1)
    view.grab()


def test_ids_nobody_was_born_with_are_drawn_all_the_same(show: Callable[..., ScenePane], session: Session) -> None:
    here = b.packet(6, b.position([b.pose(77, b.xyz(100.0, 100.0))]))
    view = show(b.recording(b.frame(1, 0.0, 0.1, [here]), b.frame(2, 0.1, 0.1, [here]))).view
    assert place_of(view, 77) is not None
    session.selection.select_actor(77)
    view.grab()


def test_a_thousand_cars_are_drawn_and_only_the_marked_ones_are_labelled(
    qtbot: QtBot, show: Callable[..., ScenePane], session: Session, artefacts: Path
) -> None:
    places = [b.xyz(600.0 * (n % 40), 600.0 * (n // 40)) for n in range(1000)]
    born = b.packet(2, b.event_add([b.actor(n) for n in range(1000)]))
    here = b.packet(6, b.position([b.pose(n, place) for n, place in enumerate(places)]))
    pane = show(b.recording(b.frame(1, 0.0, 0.1, [born, here]), b.frame(2, 0.1, 0.1, [here])))
    assert pane.caption == "1,000 road users"
    session.selection.select_actor(512)
    picture = pane.view.grab().toImage()
    picture.save(str(artefacts / "scene-thousand.png"))
    click(qtbot, pane.view, point_of(pane.view, 640))
    assert session.selection.actor == 640


def test_what_is_gone_is_drawn_no_more(show: Callable[..., ScenePane], session: Session) -> None:
    born = b.packet(2, b.event_add([b.actor(5), b.actor(20, 4, "static.prop.bench", b.xyz(300.0))]))
    here = b.packet(6, b.position([b.pose(5)]))
    gone = b.packet(3, b.event_del([{"id": 20}]))
    view = show(b.recording(b.frame(1, 0.0, 0.1, [born, here]), b.frame(2, 0.1, 0.1, [gone, here]))).view
    assert len(view.contents.fixtures) == 1
    session.selection.step(1)
    assert len(view.contents.fixtures) == 0


@part
def a_hidden_scene_does_no_work_until_it_is_seen(pane: ScenePane, session: Session) -> None:
    drawn = pane.view.contents
    pane.hide()
    session.selection.go_to_frame(33)
    assert pane.view.contents is drawn
    pane.show()
    assert pane.view.contents.frame is session.selection.frame


@part
def a_file_that_is_still_read_can_be_looked_at_and_not_changed(qtbot: QtBot, view: SceneView, session: Session) -> None:
    snapshot = session.snapshot
    session.selection.select_actor(PARKED)
    recording, session.recording = session.recording, None
    at = point_of(view, PARKED) + QPoint(0, -8)
    drag(qtbot, view, at, at + QPoint(40, 0))
    assert session.snapshot is snapshot
    session.recording = recording
    assert steps(session) == 0


def test_the_scene_of_a_town(
    show: Callable[..., ScenePane],
    session: Session,
    settings: Settings,
    tmp_path: Path,
    artefacts: Path,
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    pane = show(town())
    path, switches = tmp_path / "town.log", dict(pane.view.switches)

    def begin() -> dict[str, object]:
        """The recording as it was, in a scene that was not touched."""
        for name in switches:
            if pane.view.switches[name] != switches[name]:
                pane.view.switch(name)
        settings[FOLLOW_MODE] = FOLLOW_MODE.default
        session.editing.set_scope("frame")
        session.open(path, dialect="ue4-0.9.12")
        pane.show()
        qtbot.waitUntil(lambda: session.background.trajectories is not None)
        pane.view.fit()
        return {}

    given = {"pane": pane, "view": pane.view, "session": session, "settings": settings, "artefacts": artefacts}
    part.run(subtests, begin, qtbot=qtbot, tmp_path=tmp_path, **given)


# --- what it looks like -------------------------------------------------------------------------------------

REAL = [
    ("carla-0.9.13-town05-collisions.log", 331, 3932),
    ("carla-0.9.13-town05-collisions.log", 470, 3890),
    ("carla-0.9.6-town03-walkers.rec", 239, 4864),
    ("carla-0.9.10-town01-scene-lights.log", 100, 259),
    ("carla-0.9.13-town01.log", 301, 234),
    ("carla-0.9.15-town05-bikes.log", 60, None),
]


@pytest.mark.sampled(cases=2)
@pytest.mark.parametrize("mode", [pytest.param("light", marks=pytest.mark.pictures), "dark"])
@pytest.mark.parametrize(("name", "frame", "actor"), REAL, ids=[f"{name[6:12]}-{frame}" for name, frame, _ in REAL])
def test_pictures_of_real_recordings(
    show: Callable[..., ScenePane],
    theme: Theme,
    session: Session,
    recordings: Path,
    artefacts: Path,
    mode: Any,
    name: str,
    frame: int,
    actor: int | None,
) -> None:
    theme.set_mode(mode)
    pane = show(recordings / name, None)
    session.selection.go_to_frame(frame - 1)
    pane.view.fit()
    if actor is not None:
        session.selection.select_actor(actor)
        pane.view.centre_on(actor)
    picture = pane.view.grab().toImage()
    assert picture.pixelColor(2, 2).lightness() > 200 if mode == "light" else picture.pixelColor(2, 2).lightness() < 60
    picture.save(str(artefacts / f"scene-{name.removesuffix('.log').removesuffix('.rec')}-{frame}-{mode}.png"))
