"""Following, seeking, zooming to the selection, and back and forward through the views, with mouse and keys."""

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from recorder_editor.recording.findings import Finding
from recorder_editor.ui.dialogs.goto_parser import target_of
from recorder_editor.ui.panes.scene.camera import Camera
from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.color_rules import ColorRules
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.session.preferences import FOLLOW_MODE, FOLLOWS_PLAYBACK, FollowMode
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.pane_list import SCENE
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.selection import span_of

from .test_scene import drag, turn_wheel
from .test_scene_opening import FRAMES, drives
from .windows import OpenWindow, place_of

LEFT, KEYS, SHIFT = Qt.MouseButton.LeftButton, Qt.Key, Qt.KeyboardModifier.ShiftModifier
HERO, OTHER = 1, 2


@pytest.fixture
def player(session: Session) -> Player:
    """Plays a second at each tick."""
    seconds = itertools.count()
    return Player(session, session, clock=lambda: float(next(seconds)))


@pytest.fixture
def show(
    qtbot: QtBot, theme: Theme, session: Session, settings: Settings, player: Player, tmp_path: Path
) -> Callable[..., ScenePane]:
    """A hero that drives 20 m a second along x, and a car that stands 30 m beside its way."""

    def make(hero: int = HERO) -> ScenePane:
        path = tmp_path / "drive.log"
        path.write_bytes(drives(((0.0, 0.0), (10.0, 0.0)), ((0.0, 30.0), (0.0, 0.0)), hero=hero))
        session.open(path, dialect="ue4-0.9.12")
        pane = ScenePane(session, theme, player, settings)
        qtbot.addWidget(pane)
        pane.resize(640, 480 + pane.hints.height())
        with qtbot.waitExposed(pane):
            pane.show()
        qtbot.waitUntil(lambda: session.background.trajectories is not None)
        return pane

    return make


@pytest.fixture
def pane(show: Callable[..., ScenePane]) -> ScenePane:
    return show()


@pytest.fixture
def view(pane: ScenePane) -> SceneView:
    return pane.view


def place(view: SceneView, actor: int = HERO) -> QPointF:
    point = place_of(view, actor)
    assert point is not None
    return point


def is_seen(view: SceneView, actor: int = HERO) -> bool:
    return view.camera.pane.contains(place(view, actor))


def chip(pane: ScenePane) -> QWidget:
    return next(switch for switch in pane.switches if switch.objectName() == "scene-follow")


def play_to_the_end(player: Player) -> None:
    player.play()
    for _ in range(FRAMES):
        player.tick()
    player.pause()


def test_playing_keeps_the_hero_in_view_from_the_moment_it_would_leave(pane: ScenePane, player: Player) -> None:
    view = pane.view
    before = view.camera
    player.play()
    assert (view.followed, view.camera) == (HERO, before)
    for _ in range(FRAMES):
        player.tick()
        assert is_seen(view)
    player.pause()
    assert view.camera.x > before.x + 50
    assert [active.title for active in view.situation.modes] == ["Following 1"]
    assert pane._chips["follow"].isChecked()


def test_playing_follows_who_is_selected_and_nobody_who_is_out_of_sight(
    view: SceneView, session: Session, player: Player
) -> None:
    view.box.set_camera(Camera(5000.0, 0.0, 5.0, 640.0, 480.0))
    play_to_the_end(player)
    assert (view.followed, view.camera.x) == (None, 5000.0)
    session.selection.select_actor(OTHER)
    session.selection.go_to_frame(0)
    view.fit()
    player.play()
    assert view.followed == OTHER


def test_the_chip_ends_following_and_is_remembered(
    qtbot: QtBot, pane: ScenePane, player: Player, settings: Settings
) -> None:
    qtbot.mouseClick(chip(pane), LEFT)
    assert pane.view.followed == HERO
    qtbot.mouseClick(chip(pane), LEFT)
    assert pane.view.followed is None
    player.play()
    assert pane.view.followed is None
    assert not Settings(settings.path)[FOLLOWS_PLAYBACK]


def test_the_preference_begins_and_ends_following_while_it_plays(
    view: SceneView, player: Player, settings: Settings
) -> None:
    player.play()
    settings[FOLLOWS_PLAYBACK] = False
    assert view.followed is None
    settings[FOLLOWS_PLAYBACK] = True
    assert view.followed == HERO
    player.pause()


@pytest.mark.parametrize("how", ["escape", "pan"])
def test_escape_and_moving_the_ground_end_following(qtbot: QtBot, pane: ScenePane, how: str) -> None:
    qtbot.mouseClick(chip(pane), LEFT)
    if how == "escape":
        qtbot.keyClick(pane.view, KEYS.Key_Escape)
    else:
        drag(qtbot, pane.view, QPoint(30, 30), QPoint(60, 60))
    assert pane.view.followed is None
    assert not pane._chips["follow"].isChecked()


def test_the_mode_says_where_who_is_followed_stands_and_is_kept(
    qtbot: QtBot, pane: ScenePane, session: Session, settings: Settings
) -> None:
    qtbot.mouseClick(chip(pane), LEFT)
    session.selection.go_to_frame(30)
    assert place(pane.view).x() == pytest.approx(480)
    settings[FOLLOW_MODE] = "middle"
    assert place(pane.view) == QPointF(320, 240)
    turn_wheel(pane.view, QPoint(10, 10), 2)
    session.selection.go_to_frame(35)
    assert place(pane.view) == QPointF(320, 240)
    assert Settings(settings.path)[FOLLOW_MODE] == "middle"


def test_who_chooses_a_way_to_follow_follows(
    open_window: OpenWindow, path: Path, settings: Settings, subtests: pytest.Subtests
) -> None:
    window = open_window(path)
    pane = window.panes.get(SCENE)
    settings[FOLLOWS_PLAYBACK] = False
    window.session.selection.select_actor(101)
    modes: tuple[FollowMode, ...] = get_args(FollowMode)
    for mode in modes:
        with subtests.test(mode):
            window.registry.run(f"scene.follow_{mode}")
            assert (pane.view.followed, pane.view.follow_mode) == (101, mode)
            assert chip(pane).isChecked()
            settings[FOLLOW_MODE] = next(each for each in modes if each != mode)
            pane.follow(False)
            settings[FOLLOW_MODE] = mode
            assert pane.view.followed is None  # in the preferences it is how one follows, not whether


def test_who_is_asked_for_by_id_is_seen_at_20_pixels(view: SceneView, session: Session) -> None:
    view.box.set_camera(Camera(5000.0, 0.0, 0.1, 640.0, 480.0))
    target = target_of(session, f"id:{OTHER}")
    assert target is not None
    target.run()
    assert is_seen(view, OTHER)
    length = 2 * float(view.contents.actors.half[1, 0]) * view.camera.scale
    assert length == pytest.approx(20.0)
    before = view.camera
    target.run()
    session.selection.select_actor(HERO)
    assert view.camera == before


def test_several_who_are_sought_are_seen_closely_as_far_as_all_fit(view: SceneView, session: Session) -> None:
    actors = view.contents.actors
    session.selection.select_actors((HERO, OTHER))
    placed = actors.indices_of((HERO, OTHER))
    length = 2 * float(actors.half[placed, 0].max())
    apart = float(np.hypot(*np.ptp((actors.x[placed], actors.y[placed]), axis=1)))
    for scale in (0.1, 1.0):
        view.box.set_camera(Camera(0.0, 0.0, scale, 640.0, 480.0))
        session.selection.sought.emit()
        assert is_seen(view, HERO)
        assert is_seen(view, OTHER)
        assert view.camera.scale * length > 39.9 or view.camera.scale * apart > 200
    before = view.camera
    session.selection.sought.emit()
    assert view.camera == before


def test_a_problem_that_is_gone_to_brings_its_actor_into_view(view: SceneView, session: Session) -> None:
    view.box.set_camera(Camera(5000.0, 0.0, 5.0, 640.0, 480.0))
    place = session.selection.place_of_actor(OTHER)
    assert place is not None
    start, stop = span_of(session.snapshot_or_refuse(), place)
    session.selection.select_finding(Finding("made", "warning", "Here.", start, 0, size=stop - start))
    assert session.selection.actor == OTHER
    assert is_seen(view, OTHER)


def test_z_sees_the_selected_and_backspace_goes_back_through_the_views(
    qtbot: QtBot, view: SceneView, session: Session
) -> None:
    opening = view.camera
    session.selection.select_actors((OTHER,))
    qtbot.keyClick(view, KEYS.Key_Z)
    close = view.camera
    assert (close.x, close.y, close.scale) == (0.0, 30.0, 14.0)
    for _ in range(3):
        turn_wheel(view, QPoint(10, 10), -2)
    qtbot.keyClick(view, KEYS.Key_Backspace)
    assert view.camera == close
    qtbot.keyClick(view, KEYS.Key_Backspace)
    assert view.camera == opening
    qtbot.keyClick(view, KEYS.Key_Backspace, SHIFT)
    assert view.camera == close
    session.selection.select_actors((HERO, OTHER))
    qtbot.keyClick(view, KEYS.Key_Z)
    assert is_seen(view, HERO)
    assert is_seen(view, OTHER)
    assert view.camera.scale > opening.scale


def test_backspace_goes_back_to_the_opening_and_to_where_one_looked_for_a_moment(qtbot: QtBot, view: SceneView) -> None:
    opening = view.camera
    turn_wheel(view, QPoint(10, 10), -2)
    turned = view.camera
    qtbot.waitUntil(lambda: not view._views._debounce.isActive())
    turn_wheel(view, QPoint(200, 10), 1)
    for seen in (turned, opening, opening):
        qtbot.keyClick(view, KEYS.Key_Backspace)
        assert view.camera == seen


# --- heading up -------------------------------------------------------------------------------------------


def test_a_turned_camera_goes_from_the_world_to_the_screen_and_back() -> None:
    camera = Camera(30.0, -20.0, 8.0, 640.0, 480.0).heading_up(0.5)
    at = camera.point(30.0 + 10 * math.cos(0.5), -20.0 + 10 * math.sin(0.5))
    assert (at.x(), at.y()) == pytest.approx((320.0, 160.0))
    assert camera.world(at) == pytest.approx((30.0 + 10 * math.cos(0.5), -20.0 + 10 * math.sin(0.5)))
    x, y = camera.points(np.array([37.0]), np.array([2.0]))
    assert (x[0], y[0]) == pytest.approx(camera.point(37.0, 2.0).toTuple())
    assert camera.moved(30.0, -7.0).point(*camera.world(QPointF(100.0, 50.0))).toTuple() == pytest.approx((130.0, 43.0))
    assert camera.zoomed(1.7, at).world(at) == pytest.approx(camera.world(at))
    corners = [camera.world(QPointF(*corner)) for corner in ((0, 0), (640, 0), (640, 480), (0, 480))]
    assert all(camera.view.contains(*corner) for corner in corners)


def green(image: QImage, at: QPointF) -> bool:
    return image.pixelColor(at.toPoint()) == QColor("#00ff00")


def test_the_heading_of_who_is_followed_is_up_and_stays_so_in_pictures(
    show: Callable[..., ScenePane], qtbot: QtBot, session: Session, settings: Settings
) -> None:
    pane = show()
    view = pane.view
    view.session.rule_colors.show(ColorRules([f"id == {HERO}: #00ff00"]), on=True)
    view.set_color_by("rules")
    settings[FOLLOW_MODE] = "up"
    view.follow_actor(HERO)
    for frame in (2, 6):
        session.selection.go_to_frame(frame)
        (x, y), scale = view._place(0), view.camera.scale
        assert view.camera.point(x, y).toTuple() == pytest.approx((320.0, 240.0))
        assert view.camera.point(x + 3.0, y).toTuple() == pytest.approx((320.0, 240.0 - 3.0 * scale))
    # Behind its wedge it is as long upwards as it was across.
    for picture in (view.grab().toImage(), pane.picture(1.0)):
        assert green(picture, QPointF(320.0, 240.0 + 1.8 * scale))
        assert not green(picture, QPointF(320.0 + 1.8 * scale, 240.0))
    qtbot.keyClick(view, KEYS.Key_Escape)
    assert view.camera.angle == 0
    view.follow_actor(HERO)
    drag(qtbot, view, QPoint(30, 30), QPoint(60, 60))
    assert (view.followed, view.situation.modes) == (None, ())
    assert view.camera.angle
    qtbot.keyClick(view, KEYS.Key_Escape)
    assert view.camera.angle == 0


def test_a_drag_in_a_turned_scene_moves_along_the_turned_ground(
    show: Callable[..., ScenePane], qtbot: QtBot, session: Session, settings: Settings
) -> None:
    view = show().view
    settings[FOLLOW_MODE] = "up"
    view.follow_actor(HERO)
    session.selection.select_actor(HERO)
    (x, y), at = view._place(0), QPoint(320, 240 + round(1.5 * view.camera.scale))
    drag(qtbot, view, at, at - QPoint(0, round(5 * view.camera.scale)))
    assert view._place(0) == pytest.approx((x + 5.0, y), abs=0.05)


def test_a_turned_ground_is_dragged_turned_and_stands_up_again_when_all_is_fitted(
    show: Callable[..., ScenePane], qtbot: QtBot, settings: Settings
) -> None:
    view = show().view
    settings[FOLLOW_MODE] = "up"
    view.follow_actor(HERO)
    ground = view.camera.world(QPointF(100.0, 100.0))
    drag(qtbot, view, QPoint(100, 100), QPoint(160, 130))
    assert view.followed is None
    assert view.camera.point(*ground).toTuple() == pytest.approx((160.0, 130.0))
    qtbot.keyClick(view, KEYS.Key_F)
    assert view.camera.angle == 0
    qtbot.keyClick(view, KEYS.Key_Backspace)
    assert view.camera.point(*ground).toTuple() == pytest.approx((160.0, 130.0))
