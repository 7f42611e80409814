"""A new actor: its path is drawn in the scene by clicks and by keys, along lanes where there is a map."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QPushButton
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.arrays import FloatArray
from recorder_editor.edits.new_actors.add_actor import WantedActor, add_wanted
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.lives import Life
from recorder_editor.reading.tracks import Tracks
from recorder_editor.recording.snapshot import Snapshot
from recorder_editor.ui.dialogs.form import FormDialog
from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import SCENE
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import TextEdit

from .parts import in_turn
from .test_actor_actions import data_of, give, positions, press, shown, steps
from .test_path_keys import built
from .test_roads import MAP
from .test_roads import settle as settle_map
from .windows import OpenWindow, beginning, bring_up, idle, inner_menu

LEFT, KEYS = Qt.MouseButton.LeftButton, Qt.Key
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def make_view(
    qtbot: QtBot, theme: Theme, session: Session, settings: Settings, tmp_path: Path
) -> Callable[..., SceneView]:
    """A scene of 640 x 480 around x = 50 m, 6 px a metre, that draws; with a map, if one is given."""

    def make(xodr: bytes | None = None) -> SceneView:
        path = tmp_path / "drive.log"
        path.write_bytes(built())
        if xodr is not None:
            (tmp_path / "Town01.xodr").write_bytes(xodr)
        session.open(path, dialect="ue4-0.9.12")
        pane = ScenePane(session, theme, Player(session, session), settings)
        qtbot.addWidget(pane)
        pane.resize(640, 480)
        with qtbot.waitExposed(pane):
            pane.show()
        idle(pane, qtbot)
        settle_map(qtbot, session, pane.view)
        pane.view.box.set_camera(pane.view.camera._replace(x=50.0, y=0.0, scale=6.0))
        session.drawing.set_on(on=True)
        return pane.view

    return make


def at(view: SceneView, x: float, y: float) -> QPoint:
    return view.camera.point(x, y).toPoint()


def click(qtbot: QtBot, view: SceneView, x: float, y: float, with_keys: Qt.KeyboardModifier = NONE) -> None:
    qtbot.mouseClick(view.viewport(), LEFT, with_keys, at(view, x, y))


def rounded(view: SceneView) -> list[tuple[int, int]]:
    return [(round(x), round(y)) for x, y in view.session.drawing.points]


def test_clicks_draw_a_path(qtbot: QtBot, make_view: Callable[..., SceneView]) -> None:
    view = make_view()
    drawing, selected = view.session.drawing, view.session.selection.actors
    click(qtbot, view, 40.0, -10.0)
    click(qtbot, view, 50.0, 0.0)  # on a car, which stays unselected
    click(qtbot, view, 70.0, 10.0)
    assert rounded(view) == [(40, -10), (50, 0), (70, 10)]
    assert view.session.selection.actors == selected
    qtbot.keyClick(view, KEYS.Key_Backspace)
    assert rounded(view) == [(40, -10), (50, 0)]
    qtbot.keyClick(view, KEYS.Key_Return)
    assert not drawing.is_on
    assert rounded(view) == [(40, -10), (50, 0)]
    click(qtbot, view, 80.0, 20.0)
    assert rounded(view) == [(40, -10), (50, 0)]  # ended: a click draws no more


def test_a_drag_moves_the_ground_while_a_path_is_drawn(qtbot: QtBot, make_view: Callable[..., SceneView]) -> None:
    view = make_view()
    start = at(view, 50.0, 0.0)
    qtbot.mousePress(view.viewport(), LEFT, NONE, start)
    qtbot.mouseMove(view.viewport(), start + QPoint(60, 0))
    qtbot.mouseRelease(view.viewport(), LEFT, NONE, start + QPoint(60, 0))
    assert view.camera.x == pytest.approx(40.0)
    assert not view.session.drawing.legs


def test_a_double_click_ends_with_its_place(qtbot: QtBot, make_view: Callable[..., SceneView]) -> None:
    view = make_view()
    click(qtbot, view, 40.0, -10.0)
    click(qtbot, view, 60.0, -10.0)
    qtbot.mouseDClick(view.viewport(), LEFT, NONE, at(view, 60.0, -10.0))
    assert not view.session.drawing.is_on
    assert rounded(view) == [(40, -10), (60, -10)]


def test_escape_leaves_no_path(qtbot: QtBot, make_view: Callable[..., SceneView]) -> None:
    view = make_view()
    click(qtbot, view, 40.0, -10.0)
    qtbot.keyClick(view, KEYS.Key_Escape)
    assert not view.session.drawing.is_on
    assert not view.session.drawing.legs


def test_keys_alone_draw_a_path(qtbot: QtBot, make_view: Callable[..., SceneView]) -> None:
    """The first place is that of the selected actor, or the middle; arrows go on by 1 m, with Shift by 10 m."""
    view = make_view()
    assert view.hasFocus()
    qtbot.keyClick(view, KEYS.Key_Return)
    assert rounded(view) == [(50, 0)]
    for key, modifier in ((KEYS.Key_Right, SHIFT), (KEYS.Key_Right, NONE), (KEYS.Key_Up, NONE)):
        qtbot.keyClick(view, key, modifier)
    said = view.spoken()
    assert said.line(said.current) == "path of 1 places, x 61.0 m, y -1.0 m"
    qtbot.keyClick(view, KEYS.Key_Return)
    assert rounded(view) == [(50, 0), (61, -1)]
    assert view.session.drawing.is_on
    qtbot.keyClick(view, KEYS.Key_Return)  # where nothing was moved it ends
    assert not view.session.drawing.is_on
    assert rounded(view) == [(50, 0), (61, -1)]


def test_on_a_map_a_click_leads_along_the_lanes(qtbot: QtBot, make_view: Callable[..., SceneView]) -> None:
    view = make_view(MAP)
    drawing = view.session.drawing
    click(qtbot, view, 20.0, 1.0)
    click(qtbot, view, 80.0, 2.5)
    assert {y for _, y in drawing.points} == {1.75}  # the middle of the lane on the right
    assert [round(each) for each in (drawing.points[0][0], drawing.points[-1][0])] == [20, 80]
    assert len(drawing.legs) == 2
    click(qtbot, view, 30.0, 2.0)
    assert len(drawing.legs) == 2
    assert view.session.messages[-1].startswith("No lanes lead from the last place to this one.")
    click(qtbot, view, 30.0, -20.0, SHIFT)
    assert rounded(view)[-1] == (30, -20)
    qtbot.keyClick(view, KEYS.Key_Backspace)
    assert rounded(view)[-1] == (80, 2)


def test_a_path_of_somebody_on_foot_heeds_no_lanes(qtbot: QtBot, make_view: Callable[..., SceneView]) -> None:
    view = make_view(MAP)
    view.session.drawing.on_lanes = False
    click(qtbot, view, 40.0, -10.0)
    click(qtbot, view, 40.0, 10.0)
    assert rounded(view) == [(40, -10), (40, 10)]


# --- in the window ------------------------------------------------------------------------------------------


@pytest.fixture
def window(open_window: OpenWindow, recordings: Path, maps: Path, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """A real recording with the map of its town, at frame 151; the hero drives down the screen, 7 px a metre."""
    shutil.copy(maps / "Town01.xodr", tmp_path)
    path = tmp_path / "carla-0.9.13-town01.log"
    path.write_bytes((recordings / path.name).read_bytes())
    window = open_window(path)
    bring_up(window, qtbot)
    idle(window, qtbot)
    look_at_the_hero(window, qtbot)
    return window


def look_at_the_hero(window: MainWindow, qtbot: QtBot) -> None:
    window.session.selection.go_to_frame(150)
    view = scene(window)
    settle_map(qtbot, window.session, view)
    view.box.set_camera(view.camera._replace(x=392.5, y=205.0, scale=7.0))


def scene(window: MainWindow) -> SceneView:
    return window.panes.get(SCENE).view


def add_form(window: MainWindow, qtbot: QtBot) -> FormDialog:
    window.registry.run("actor.add")
    return shown(window, qtbot)


def known(window: MainWindow) -> set[int]:
    return {life.actor for life in Actors.of(window.session.snapshot_or_refuse())}


def new_life(window: MainWindow, before: set[int]) -> Life:
    return next(life for life in Actors.of(window.session.snapshot_or_refuse()) if life.actor not in before)


def poses(window: MainWindow, actor: int) -> list[tuple[float, float]]:
    return list(positions(window, actor).values())


def a_car_is_added_on_a_path_of_two_clicks(qtbot: QtBot, window: MainWindow) -> None:
    before, data, view = known(window), data_of(window), scene(window)
    form = add_form(window, qtbot)
    assert not form.go.isEnabled()
    give(form, "blueprint", "vehicle.tesla.model3", qtbot)
    give(form, "speed", "6", qtbot)
    click(qtbot, view, 393.0, 185.0)
    click(qtbot, view, 392.0, 230.0)
    idle(window, qtbot)
    previewed = window.session.drawing.actor
    assert previewed is not None
    assert len(previewed.poses) == 282  # a pose for each frame of its life
    qtbot.keyClick(view, KEYS.Key_Return)
    qtbot.waitUntil(form.go.hasFocus)
    announced: list[str] = []
    window.session.announced.connect(announced.append)
    press(form, window, qtbot)
    assert "A new actor needs a place: a path, an actor to follow, or one to copy." not in announced
    life = new_life(window, before)
    assert (life.blueprint, life.born) == ("vehicle.tesla.model3", 150)
    assert window.session.selection.actors == (life.actor,)
    first, last = poses(window, life.actor)[0], poses(window, life.actor)[-1]
    assert first == pytest.approx((392.3, 185.0), abs=1.0)
    assert last == pytest.approx((392.3, 230.0), abs=1.0)
    assert window.session.drawing.actor is None
    window.session.editing.undo()
    assert data_of(window) == data


def a_car_is_added_by_keys_alone(qtbot: QtBot, window: MainWindow) -> None:
    before, view = known(window), scene(window)
    form = add_form(window, qtbot)
    qtbot.keyClicks(form.editors["blueprint"], "tesla.model3")
    offers = popup(form)
    qtbot.keyClick(offers, KEYS.Key_Down)
    qtbot.keyClick(offers, KEYS.Key_Return)
    draw = next(button for button in form.findChildren(QPushButton) if button.text() == "Draw")
    draw.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(draw, KEYS.Key_Space)
    qtbot.waitUntil(view.hasFocus)
    for key, modifier in ((KEYS.Key_Return, NONE), (KEYS.Key_Down, SHIFT), (KEYS.Key_Return, NONE)):
        qtbot.keyClick(view, key, modifier)
    qtbot.keyClick(view, KEYS.Key_Return)
    qtbot.waitUntil(form.go.hasFocus)
    idle(window, qtbot)
    qtbot.keyClick(form.go, KEYS.Key_Return)
    idle(window, qtbot)
    life = new_life(window, before)
    assert life.blueprint == "vehicle.tesla.model3"
    first, last = poses(window, life.actor)[0], poses(window, life.actor)[-1]
    assert last[1] - first[1] == pytest.approx(10.0, abs=1.0)


def popup(form: FormDialog) -> QAbstractItemView:
    editor = form.editors["blueprint"]
    assert isinstance(editor, TextEdit)
    completer = editor.completer()
    assert completer is not None
    return completer.popup()


def blueprints_are_searched_in_a_list_with_sizes(qtbot: QtBot, window: MainWindow) -> None:
    form = add_form(window, qtbot)
    editor = form.editors["blueprint"]
    qtbot.keyClick(editor, KEYS.Key_Down, Qt.KeyboardModifier.AltModifier)
    offers = popup(form).model()
    every = [offers.index(row, 0).data() for row in range(offers.rowCount())]
    assert every[0].startswith("static.prop.dirtdebris01, ")  # of the recording first
    assert "vehicle.lincoln.mkz_2017, 4.90 × 2.13 × 1.51 m" in every
    assert "static.prop.atm, ≈ 1.00 × 1.00 × 1.00 m" in every  # nobody measured one
    assert any(each.startswith("walker.pedestrian.") for each in every)
    popup(form).hide()
    editor.selectAll()
    qtbot.keyClicks(editor, "model3")
    assert [offers.index(row, 0).data().partition(",")[0] for row in range(offers.rowCount())] == [
        "vehicle.tesla.model3"
    ]
    qtbot.keyClick(popup(form), KEYS.Key_Down)
    qtbot.keyClick(popup(form), KEYS.Key_Return)
    assert editor.text().startswith("vehicle.tesla.model3")
    qtbot.waitUntil(lambda: editor.cursorPosition() == 0)  # the beginning of the name is in sight


def somebody_on_foot_goes_straight(qtbot: QtBot, window: MainWindow) -> None:
    before, view = known(window), scene(window)
    form = add_form(window, qtbot)
    give(form, "blueprint", "walker.pedestrian.0002", qtbot)
    click(qtbot, view, 399.0, 200.0)
    click(qtbot, view, 384.0, 205.0)
    idle(window, qtbot)
    press(form, window, qtbot)
    first = poses(window, new_life(window, before).actor)[0]
    assert (round(first[0]), round(first[1])) == (399, 200)


def escape_in_the_scene_leaves_the_form_without_a_path(qtbot: QtBot, window: MainWindow) -> None:
    view, form = scene(window), add_form(window, qtbot)
    click(qtbot, view, 393.0, 185.0)
    idle(window, qtbot)
    assert form.go.isEnabled()
    qtbot.keyClick(view, KEYS.Key_Escape)
    idle(window, qtbot)
    assert form.isVisible()
    assert not form.go.isEnabled()
    form.reject()
    assert not window.session.drawing.is_on


def one_click_adds_a_parked_car_where_the_menu_was_asked_for(qtbot: QtBot, window: MainWindow) -> None:
    add_by_one_click(qtbot, window, "parked", "vehicle.")


def one_click_adds_a_follower_where_the_menu_was_asked_for(qtbot: QtBot, window: MainWindow) -> None:
    add_by_one_click(qtbot, window, "follower", "vehicle.")


def one_click_adds_a_walker_where_the_menu_was_asked_for(qtbot: QtBot, window: MainWindow) -> None:
    add_by_one_click(qtbot, window, "walker", "walker.")


def test_a_new_actor_is_chosen_drawn_and_added(
    request: pytest.FixtureRequest, window: MainWindow, qtbot: QtBot
) -> None:
    in_turn(
        request,
        window,
        blueprints_are_searched_in_a_list_with_sizes,
        a_car_is_added_on_a_path_of_two_clicks,
        a_car_is_added_by_keys_alone,
        somebody_on_foot_goes_straight,
        escape_in_the_scene_leaves_the_form_without_a_path,
        one_click_adds_a_parked_car_where_the_menu_was_asked_for,
        one_click_adds_a_follower_where_the_menu_was_asked_for,
        one_click_adds_a_walker_where_the_menu_was_asked_for,
        between=lambda: look_at_the_hero(window, qtbot),
    )


def add_by_one_click(qtbot: QtBot, window: MainWindow, action: str, blueprint: str) -> None:
    before, data, view = known(window), data_of(window), scene(window)
    where = at(view, 390.0, 215.0)
    menu = window.panes.get(SCENE)._menu(where)
    words = {"parked": "Parked car", "follower": "Car that follows the hero", "walker": "Walker that crosses"}
    entry = next(each for each in inner_menu(menu, "New").actions() if each.text() == words[action])
    entry.trigger()
    menu.deleteLater()
    idle(window, qtbot)
    life = new_life(window, before)
    assert life.blueprint.startswith(blueprint)
    assert window.session.selection.actors == (life.actor,)
    path = poses(window, life.actor)
    away = min(float(np.hypot(x - 390.0, y - 215.0)) for x, y in path)
    assert away < {"parked": 0.2, "follower": 5.0, "walker": 3.0}[action]
    assert len(steps(window)) == 1
    window.session.editing.undo()
    assert data_of(window) == data


def overlaps(window: MainWindow, actor: int) -> list[tuple[int, str]]:
    """Frames from 1, and messages, of the findings about this actor."""
    found = [each for each in window.session.background.findings if each.code == "overlap"]
    return [((each.frame_index or 0) + 1, each.message) for each in found if f" {actor} " in each.message]


def stands(window: MainWindow) -> list[str]:
    return [each for each in window.session.messages if " stands in " in each]


@pytest.fixture
def crowd(qtbot: QtBot, open_window: OpenWindow, recordings: Path, tmp_path: Path) -> MainWindow:
    """A window with 49 vehicles in Town05."""
    path = tmp_path / "carla-0.9.13-town05-collisions.log"
    path.write_bytes(beginning(recordings / path.name, frames=250, others=49))
    window = open_window(path)
    bring_up(window, qtbot)
    idle(window, qtbot)
    return window


def of_a_follower_inside_others_it_is_said_in_whom_from_when_and_what_mends_it(qtbot: QtBot, crowd: MainWindow) -> None:
    before, session = known(crowd), crowd.session
    crowd.registry.run("actor.add_follower")
    qtbot.waitUntil(lambda: len(stands(crowd)) == 1)
    idle(crowd, qtbot)
    actor = new_life(crowd, before).actor
    found = overlaps(crowd, actor)
    assert found
    (said,) = stands(crowd)
    assert said.startswith("Add vehicle.")
    assert ": it stands in " in said
    for frame, message in found:
        (other,) = {int(word) for word in message.split() if word.isdigit() and int(word) in before}
        assert f"{other} from frame {frame:,}" in said
    assert said.endswith("Nearer or farther: undo, and Add actor with another time gap.")
    toast = crowd.panes.get(SCENE).toast
    assert toast.sentence.text().startswith(f"{actor} stands in ")
    session.selection.go_to_frame(0)
    qtbot.mouseClick(toast.other, LEFT)
    assert session.selection.frame_index == min(frame for frame, _ in found) - 1
    assert session.selection.actors == (actor,)
    session.editing.undo()
    session.editing.redo()
    idle(crowd, qtbot)
    assert stands(crowd) == [said]


def of_a_parked_car_inside_others_it_is_said_to_be_dragged(qtbot: QtBot, crowd: MainWindow) -> None:
    session, pane = crowd.session, crowd.panes.get(SCENE)
    hero = next(life for life in session.actors or () if life.is_hero)
    before, way = known(crowd), positions(crowd, hero.actor)
    pane.clicked_place = way[232][:2]
    crowd.registry.run("actor.add_parked")
    qtbot.waitUntil(lambda: len(stands(crowd)) == 1)
    idle(crowd, qtbot)
    actor = new_life(crowd, before).actor
    first = min(frame for frame, message in overlaps(crowd, actor) if f" {hero.actor} " in message)
    (said,) = stands(crowd)
    assert f"{hero.actor} from frame {first:,}" in said
    assert said.endswith("Drag it elsewhere, with Apply to on Whole life.")


def a_copy_inside_its_original_and_one_beside_it(qtbot: QtBot, crowd: MainWindow) -> None:
    session = crowd.session
    hero = next(life for life in session.actors or () if life.is_hero)
    session.editing.attempt(lambda: edits.duplicate_actor(session.snapshot_or_refuse(), hero, offset=(0.0, 0.0, 900.0)))
    idle(crowd, qtbot)
    assert not stands(crowd)
    session.editing.attempt(lambda: edits.duplicate_actor(session.snapshot_or_refuse(), hero))
    qtbot.waitUntil(lambda: len(stands(crowd)) == 1)
    (said,) = stands(crowd)
    assert f": it stands in {hero.actor} from frame {hero.born + 1:,} on" in said
    assert said.endswith("Undo, and copy it with another delay or shift.")


def a_walker_that_crosses_inside_a_car_is_told(qtbot: QtBot, crowd: MainWindow) -> None:
    session = crowd.session
    hero = next(life for life in session.actors or () if life.is_hero)
    x, y, *_ = positions(crowd, hero.actor)[100]
    about = {"blueprint": "walker.pedestrian.0001", "path": [[x, y]]}
    session.editing.attempt(lambda: add_wanted(session.snapshot_or_refuse(), WantedActor.of_arguments(about)))
    qtbot.waitUntil(lambda: len(stands(crowd)) == 1)
    assert f" {hero.actor} from frame " in stands(crowd)[0]


def edits_that_add_nobody_are_told_nothing(qtbot: QtBot, crowd: MainWindow) -> None:
    session = crowd.session
    hero = next(life for life in session.actors or () if life.is_hero)
    session.editing.attempt(lambda: edits.remove_actors(session.snapshot_or_refuse(), [hero]))
    idle(crowd, qtbot)
    session.editing.undo()
    idle(crowd, qtbot)
    assert not stands(crowd)


def the_steps_of_the_guide_make_the_hero_brake_earlier_and_a_walker_step_out(qtbot: QtBot, crowd: MainWindow) -> None:
    """As the guide says, on the real recording that it names: by keys, typed values and the menu of the scene."""
    window = crowd
    session, editing, run = window.session, window.session.path_editing, window.registry.run
    run("actor.hero")
    hero = session.selection.actor
    assert hero is not None
    snapshot = session.snapshot_or_refuse()
    before = speeds(snapshot, hero)
    run("path.edit")
    qtbot.waitUntil(lambda: not editing.is_busy)
    session.selection.go_to_frame(snapshot.frame_at_time(4.8))
    run("path.delete_key")
    session.selection.go_to_frame(snapshot.frame_at_time(4.0))
    run("path.add_key")
    run("path.key")
    form = shown(window, qtbot)
    give(form, "time", "5", qtbot)
    give(form, "speed", "1.5", qtbot)
    press(form, window, qtbot)
    run("path.edit")
    now = speeds(session.snapshot_or_refuse(), hero)
    assert before[50:84].min() > 3.5  # from 2.5 s to 4.2 s
    assert now[50] == now[50:84].max()  # brakes from 2.5 s on
    assert now[70:84].max() < 2.6
    first = known(window)
    session.selection.go_to_frame(20)
    view, pane = scene(window), window.panes.get(SCENE)
    view.centre_on(hero)
    index = view.contents.actors.index_of(hero)
    assert index is not None
    x, y, yaw = (float(getattr(view.contents.actors, name)[index]) for name in ("x", "y", "yaw"))
    menu = pane._menu(at(view, x + 15.0 * np.cos(yaw), y + 15.0 * np.sin(yaw)))
    next(each for each in inner_menu(menu, "New").actions() if each.text() == "Walker that crosses").trigger()
    menu.deleteLater()
    idle(window, qtbot)
    walker = new_life(window, first)
    assert walker.class_ == "walker"
    own, its = positions(window, hero), positions(window, walker.actor)
    assert min(float(np.hypot(own[n][0] - its[n][0], own[n][1] - its[n][1])) for n in own.keys() & its.keys()) > 2.5
    assert session.selection.actors == (walker.actor,)
    assert len(steps(window)) == 2


def test_who_stands_in_others_is_told_in_a_crowd(request: pytest.FixtureRequest, crowd: MainWindow) -> None:
    in_turn(
        request,
        crowd,
        of_a_follower_inside_others_it_is_said_in_whom_from_when_and_what_mends_it,
        of_a_parked_car_inside_others_it_is_said_to_be_dragged,
        a_copy_inside_its_original_and_one_beside_it,
        a_walker_that_crosses_inside_a_car_is_told,
        edits_that_add_nobody_are_told_nothing,
        the_steps_of_the_guide_make_the_hero_brake_earlier_and_a_walker_step_out,
        between=crowd.session.messages.clear,
    )


def speeds(snapshot: Snapshot, actor: int) -> FloatArray:
    """The speed of an actor in each frame, m/s."""
    path = Tracks(snapshot).path(actor)
    times = snapshot.elapsed[path["frame"]]
    return np.hypot(np.gradient(path["x"], times), np.gradient(path["y"], times)) / 100
