"""A path is edited by its keys: dragged in the scene and in Signals, typed, added, deleted, given up, undone."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.edits.paths.keyed import KeyedPath
from recorder_editor.errors import NothingToDo
from recorder_editor.reading.lives import Life
from recorder_editor.recording import Place
from recorder_editor.ui.dialogs.form import FormDialog
from recorder_editor.ui.dialogs.path_key import path_key_form
from recorder_editor.ui.panes.scene.path_handles import Part
from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.path_editing import PathEditing
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import PACKETS, SCENE, SIGNALS
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from ..edits.drives import drive
from .parts import Parts, begin_anew
from .windows import OpenWindow, data_of, idle

LEFT, NONE, KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.Key
CAR, PARKED, CAMERA, LIGHT = 7, 11, 8, 3
FRAMES = 101

of_scene, of_window = Parts(), Parts()


def bends(frame: int) -> tuple[float, float, float, float]:
    """Along x at 10 m/s, 4 m to the side on the way, and back."""
    share = frame * np.pi / 100.0
    return 100.0 * frame, 400.0 * np.sin(share), 50.0, float(np.degrees(np.arctan(0.126 * np.cos(share))))


def built() -> bytes:
    poses = {CAR: bends, PARKED: lambda frame: (5000.0, 900.0, 50.0, 0.0)}
    others = b.packet(2, b.event_add([b.actor(CAMERA, 5, "sensor.camera.rgb"), b.actor(LIGHT, 3, "traffic.stop")]))
    return drive(poses, FRAMES, more=lambda frame: [others] if frame == 0 else [])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "bend.log"
    path.write_bytes(built())
    return path


def edit_the_path(pane: ScenePane, path: Path, qtbot: QtBot) -> None:
    """The scene shows the whole drive, whose path is edited; the chosen key is in the middle."""
    session = pane.session
    session.open(path, dialect="ue4-0.9.12")
    session.selection.go_to_frame(50)
    session.selection.select_actor(CAR)
    idle(pane, qtbot)
    pane.view.box.set_camera(pane.view.camera._replace(x=50.0, y=0.0, scale=6.0))
    session.path_editing.begin(life_of(session))
    settle(session, qtbot)


def life_of(session: Session, actor: int = CAR) -> Life:
    assert session.actors is not None
    return session.actors.of_id(actor)[0]


def settle(session: Session, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not session.jobs.running and not session.path_editing.is_busy)


def path_of(editing: PathEditing) -> KeyedPath:
    assert editing.path is not None
    return editing.path


def handle(view: SceneView, part: Part, key: int | None = None) -> QPoint:
    """Where a handle is: of the chosen key, if no other is named."""
    wanted = view.session.path_editing.key if key is None else key
    found = (each.point for each in view.state.path_handles if (each.part, each.key) == (part, wanted))
    return next(found).toPoint()


def drag(qtbot: QtBot, view: SceneView, start: QPoint, by: tuple[int, int], *, drop: bool = True) -> None:
    stop = start + QPoint(*by)
    qtbot.mousePress(view.viewport(), LEFT, NONE, start)
    for share in (0.3, 0.7, 1.0):
        qtbot.mouseMove(view.viewport(), start + (stop - start) * share)
    if drop:
        qtbot.mouseRelease(view.viewport(), LEFT, NONE, stop)
        settle(view.session, qtbot)


def changed_frames(session: Session, before: bytes) -> list[int]:
    """The frames whose bytes are others; frames stay as long as they were."""
    now, snapshot = data_of_session(session), session.snapshot_or_refuse()
    assert len(now) == len(before)
    rows = (snapshot.table.row_of_frame(index) for index in range(len(snapshot)))
    spans = [slice(snapshot.position(row), snapshot.position(row + 1)) for row in rows]
    return [index for index, span in enumerate(spans) if now[span] != before[span]]


def data_of_session(session: Session) -> bytes:
    snapshot = session.snapshot_or_refuse()
    return snapshot.read(0, snapshot.size)


def steps_of(session: Session) -> int:
    assert session.recording is not None
    return session.recording.history.position


# --- in the scene -------------------------------------------------------------------------------------------


@of_scene
def a_key_is_dragged_in_one_step_that_changes_only_frames_between_its_neighbours(view: SceneView, qtbot: QtBot) -> None:
    session, editing, before = view.session, view.session.path_editing, data_of_session(view.session)
    key, times = editing.key, path_of(editing).keys["time"]
    x, y = path_of(editing).values[key, 0]
    drag(qtbot, view, handle(view, "point"), (0, -12))
    assert steps_of(session) == 1
    assert path_of(editing).values[key, 0] == pytest.approx((x, y - 2.0), abs=0.15)
    frames = changed_frames(session, before)
    assert 10 * times[key - 1] < min(frames) < max(frames) < 10 * times[key + 1]
    assert path_of(editing).keys["time"].tolist() == times.tolist()
    session.editing.undo()
    settle(session, qtbot)
    assert data_of_session(session) == before
    assert path_of(editing).values[key, 0] == pytest.approx((x, y))


@of_scene
def escape_takes_a_drag_back_and_then_ends_the_editing(view: SceneView, qtbot: QtBot) -> None:
    session, editing, before = view.session, view.session.path_editing, data_of_session(view.session)
    place = path_of(editing).values[editing.key, 0].tolist()
    drag(qtbot, view, handle(view, "point"), (0, -30), drop=False)
    assert path_of(editing).values[editing.key, 0].tolist() != place
    qtbot.keyClick(view, KEYS.Key_Escape)
    assert path_of(editing).values[editing.key, 0].tolist() == place
    qtbot.mouseRelease(view.viewport(), LEFT, NONE, QPoint(9, 9))
    settle(session, qtbot)
    assert data_of_session(session) == before
    assert steps_of(session) == 0
    qtbot.keyClick(view, KEYS.Key_Escape)
    assert editing.life is None
    assert view.state.path_handles == []


@of_scene
def the_end_of_a_tangent_turns_the_path_and_keeps_the_speed(view: SceneView, qtbot: QtBot) -> None:
    editing = view.session.path_editing
    key, before = editing.key, path_of(editing)
    drag(qtbot, view, handle(view, "out"), (0, 10))
    after = path_of(editing)
    assert steps_of(view.session) == 1
    assert after.values[key, 0] == pytest.approx(before.values[key, 0], abs=0.01)
    turned = np.arctan2(*after.values[key, 1, ::-1]) - np.arctan2(*before.values[key, 1, ::-1])
    assert np.degrees(turned) > 5
    assert after.speeds[key] == pytest.approx(before.speeds[key], rel=0.05)


@of_scene
def the_handle_of_a_time_is_dragged_along_the_path(view: SceneView, qtbot: QtBot) -> None:
    editing = view.session.path_editing
    key, before = editing.key, path_of(editing)
    drag(qtbot, view, handle(view, "time"), (30, 0))
    after = path_of(editing)
    assert steps_of(view.session) == 1
    assert after.keys["time"][key] < before.keys["time"][key] - 0.1
    assert after.values[key, 0] == pytest.approx(before.values[key, 0], abs=0.02)


@of_scene
def a_key_is_chosen_by_a_click_which_goes_to_its_frame_and_by_frames(view: SceneView, qtbot: QtBot) -> None:
    session, editing = view.session, view.session.path_editing
    qtbot.mouseClick(view.viewport(), LEFT, NONE, handle(view, "point", 1))
    assert editing.key == 1
    assert session.selection.frame_index == pytest.approx(10 * path_of(editing).keys["time"][1], abs=0.5)
    qtbot.keyClick(view, KEYS.Key_End)
    assert editing.key == len(path_of(editing).keys) - 1
    assert session.selection.actor == CAR


@of_scene
def keys_are_added_by_a_double_click_and_removed_by_delete_without_an_edit(view: SceneView, qtbot: QtBot) -> None:
    session, editing = view.session, view.session.path_editing
    path = path_of(editing)
    keys, moment = len(path.keys), path.keys["time"][1:3].mean()
    place = path.way[np.argmin(np.abs(path.recorded.times - moment)), :2]
    point = view.camera.point(*place.tolist()).toPoint()
    qtbot.mouseClick(view.viewport(), LEFT, NONE, point)
    assert session.selection.actor == CAR  # the curve is no empty ground
    qtbot.mouseDClick(view.viewport(), LEFT, NONE, point)
    assert len(path_of(editing).keys) == keys + 1
    assert path_of(editing).keys["time"][editing.key] == pytest.approx(moment, abs=0.15)
    for left in (keys, keys - 1):
        qtbot.keyClick(view, KEYS.Key_Delete)
        assert len(path_of(editing).keys) == left
    assert not path_of(editing).moved.any()
    assert steps_of(session) == 0
    editing.release(0, False)
    qtbot.keyClick(view, KEYS.Key_Delete)
    assert session.messages[-1] == "The first and the last key of a path stay."
    assert len(path_of(editing).keys) == keys - 1


@of_scene
def where_a_key_stands_no_other_is_added(view: SceneView) -> None:
    editing, refused = view.session.path_editing, list[str]()
    view.session.refused.connect(refused.append)
    times = path_of(editing).keys["time"].tolist()
    editing.add(times[editing.key])
    assert refused == ["There is a key at this time already."]
    assert path_of(editing).keys["time"].tolist() == times


@of_scene
def a_path_is_led_straight_on_without_a_key(view: SceneView, qtbot: QtBot) -> None:
    session, editing, before = view.session, view.session.path_editing, data_of_session(view.session)
    keys = path_of(editing).keys["time"].tolist()
    editing.release(2, False)
    editing.delete(straight=True)
    settle(session, qtbot)
    assert path_of(editing).keys["time"].tolist() == [*keys[:2], *keys[3:]]
    assert steps_of(session) == 1
    assert data_of_session(session) != before
    session.editing.undo()
    settle(session, qtbot)
    assert path_of(editing).keys["time"].tolist() == keys
    assert data_of_session(session) == before


@of_scene
def what_is_wrong_is_told_on_the_path_while_a_key_is_dragged(view: SceneView, qtbot: QtBot) -> None:
    session, editing = view.session, view.session.path_editing
    drag(qtbot, view, handle(view, "point"), (0, 30), drop=False)
    qtbot.waitUntil(lambda: bool(editing.warnings) and not session.jobs.running)
    view.grab()
    told = [wish.text for layer in view.box.layers for wish in layer.notes()]
    assert "tesla.model3 11 is in the way" in told
    qtbot.keyClick(view, KEYS.Key_Escape)
    assert editing.warnings == ()


@of_scene
def no_thread_that_judges_runs_beside_every_picture_of_a_drag(view: SceneView, qtbot: QtBot) -> None:
    session, editing = view.session, view.session.path_editing
    for side in (-2.0, -4.0):
        editing.preview(editing.key, lambda path, side=side: path.with_key(2, point=path.values[2, 0] + (0.0, side)))
        assert not session.jobs.running
    with qtbot.waitSignal(session.jobs.changed):
        pass  # one begins
    settle(session, qtbot)
    editing.cancel()


@of_scene
def a_handle_says_what_it_is_for(view: SceneView) -> None:
    for part, words in (("point", "Drag moves the key"), ("out", "turns"), ("time", "earlier or later")):
        at = handle(view, part)
        QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at)))
        assert words in QToolTip.text()
    QToolTip.hideText()


# --- the recording beneath ----------------------------------------------------------------------------------


@of_scene
def the_path_is_read_anew_after_other_edits_and_ends_with_its_actor(view: SceneView, qtbot: QtBot) -> None:
    session, editing = view.session, view.session.path_editing
    times, (x, y) = path_of(editing).keys["time"].tolist(), path_of(editing).values[2, 0]
    session.editing.apply(edits.move_actors(session.snapshot_or_refuse(), [life_of(session)], (3.0, 0.0, 0.0)))
    settle(session, qtbot)
    assert path_of(editing).keys["time"].tolist() == times
    assert path_of(editing).values[2, 0] == pytest.approx((x + 3.0, y), abs=0.02)
    session.editing.apply(edits.remove_actors(session.snapshot_or_refuse(), [life_of(session)]))
    assert editing.life is None
    editing.begin(life_of(session, PARKED))
    session.show_none()
    assert editing.life is None


def test_an_actor_with_a_single_position_is_refused(session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "single.log"
    path.write_bytes(drive({CAR: bends}, 1))
    session.open(path, dialect="ue4-0.9.12")
    session.path_editing.begin(life_of(session))
    qtbot.waitUntil(lambda: session.path_editing.life is None)
    assert session.messages[-1] == "Actor 7 has fewer than two positions, so its path has no keys."


def test_every_path_of_a_damaged_recording_is_edited_or_refused(
    damaged_recording: Path, session: Session, qtbot: QtBot
) -> None:
    session.open(damaged_recording)
    editing = session.path_editing
    for life in list(session.actors or ())[:12]:
        before = len(session.messages)
        editing.begin(life)
        qtbot.waitUntil(lambda before=before: not editing.is_busy or len(session.messages) > before)
        if editing.path is not None and len(editing.path.keys) > 2:
            editing.preview(1, lambda path: path.with_key(1, point=path.values[1, 0] + 0.5))
            editing.apply()
            qtbot.waitUntil(lambda: not session.jobs.running)
    editing.end()


# --- the window ---------------------------------------------------------------------------------------------


@of_window
def p_edits_the_path_of_the_selected_actor_and_says_why_it_cannot(window: MainWindow, qtbot: QtBot) -> None:
    session, registry = window.session, window.registry
    for actor, words in (
        (None, "Select an actor first"),
        (CAMERA, "has no path: only its EventAdd says where it is"),
        (LIGHT, "finds traffic actors by their position"),
    ):
        if actor is not None:
            session.selection.select(Place(*life_of(session, actor).added))
        assert words in (registry.reason("path.edit") or "")
    session.selection.go_to_frame(50)
    session.selection.select_actor(CAR)
    assert registry.reason("path.add_key") == "Edit a path first (P)."
    window.panes.focus(PACKETS.name)
    qtbot.keyClick(window.panes.get(PACKETS).tree, KEYS.Key_P)
    settle(session, qtbot)
    assert session.path_editing.life == life_of(session)
    assert window.focusWidget() is window.panes.get(SCENE).view  # or Del would remove the record
    registry.refresh()
    assert registry["path.edit"].isChecked()
    keys = len(path_of(session.path_editing).keys)
    qtbot.keyClick(window.panes.get(SCENE).view, KEYS.Key_Delete)
    assert len(path_of(session.path_editing).keys) == keys - 1
    assert steps_of(session) == 0  # the actor is still there
    registry.run("path.straighten")
    settle(session, qtbot)
    assert steps_of(session) == 1
    qtbot.keyClick(window.panes.get(SCENE).view, KEYS.Key_P)
    assert session.path_editing.life is None


@of_window
def exact_values_of_a_key_are_typed(window: MainWindow, qtbot: QtBot) -> None:
    session, editing = window.session, window.session.path_editing
    session.selection.go_to_frame(50)
    session.selection.select_actor(CAR)
    window.registry.run("path.edit")
    settle(session, qtbot)
    window.registry.run("path.add_key")
    key = editing.key
    assert path_of(editing).keys["time"][key] == pytest.approx(5.0)
    window.registry.run("path.key")
    (form,) = (each for each in window.findChildren(FormDialog) if each.isVisible())
    corner = window.mapToGlobal(window.rect().topRight()) - form.geometry().topRight()
    assert max(abs(corner.x()), abs(corner.y())) < 80  # not over the key, whose path the scene shows
    assert form.values == pytest.approx({"x": 50.0, "y": 4.0, "time": 5.0, "speed": 10.0}, abs=0.05)
    assert not form.go.isEnabled()
    form.form.set_value("time", 99.0)
    form.form.changed.emit("time")
    assert "order of their times" in form.against.text()
    assert not form.go.isEnabled()
    for name, value in (("time", 5.1), ("x", 51.0), ("speed", 8.0)):
        form.form.set_value(name, value)
        form.form.changed.emit(name)
    qtbot.mouseClick(form.go, LEFT)
    settle(session, qtbot)
    path = path_of(editing)
    assert path.values[key, 0] == pytest.approx((51.0, 4.0), abs=0.05)
    assert path.keys["time"][key] == pytest.approx(5.1)
    assert path.speeds[key] == pytest.approx(8.0, abs=0.3)
    assert steps_of(session) == 1


@of_scene
def values_of_a_key_have_six_decimals_and_those_that_are_not_typed_stay_exact(view: SceneView) -> None:
    editing = view.session.path_editing
    editing.add(4.7)
    spec, exact = path_key_form(editing), path_of(editing).values[editing.key, 0].tolist()
    values = {each.name: each.value for each in spec.fields}
    assert all(each == round(each, 6) for each in values.values())
    assert spec.tell is not None
    with pytest.raises(NothingToDo):
        spec.tell(values)
    spec.tell(values | {"x": 48.0})
    assert path_of(editing).values[editing.key, 0].tolist() == [48.0, exact[1]]
    editing.cancel()


@of_window
def the_speed_of_a_key_is_dragged_in_signals(window: MainWindow, qtbot: QtBot) -> None:
    session, editing = window.session, window.session.path_editing
    session.selection.select_actor(CAR)
    window.registry.run("path.edit")
    settle(session, qtbot)
    window.panes.focus("signals")
    signals = window.panes.get(SIGNALS)
    qtbot.waitUntil(lambda: bool(signals.traces) and signals.traces[0].is_read)
    idle(window, qtbot)
    plot_view, before, data = signals.plot_view, path_of(editing), data_of(window)
    (plot,) = plot_view.plots
    x, y = (each[2] for each in plot.path_keys.getData())
    assert (x, y) == pytest.approx((before.keys["time"][2], before.speeds[2]))
    start = plot.box.mapViewToScene(QPointF(x, y)).toPoint()
    for drop in (False, True):
        qtbot.mouseMove(plot_view.viewport(), start)
        qtbot.mousePress(plot_view.viewport(), LEFT, NONE, start)
        for share in (4, 8, 15):
            qtbot.mouseMove(plot_view.viewport(), start + QPoint(0, share))
        assert path_of(editing).speeds[2] < before.speeds[2]
        assert path_of(editing).keys["time"][2] == before.keys["time"][2]
        if not drop:
            qtbot.keyClick(plot_view, KEYS.Key_Escape)
            assert path_of(editing) is editing.base
        qtbot.mouseRelease(plot_view.viewport(), LEFT, NONE, start + QPoint(0, 15))
        settle(session, qtbot)
        assert steps_of(session) == int(drop)
    assert path_of(editing).speeds[2] < before.speeds[2]
    window.registry.run("path.edit")
    assert not plot.path_keys.isVisible()
    window.registry.run("edit.undo")
    assert data_of(window) == data


def test_paths_in_the_scene(
    session: Session, theme: Theme, settings: Settings, path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    session.open(path, dialect="ue4-0.9.12")
    pane = ScenePane(session, theme, Player(session, session), settings)
    qtbot.addWidget(pane)
    pane.resize(640, 480 + pane.hints.height())
    with qtbot.waitExposed(pane):
        pane.show()

    def begin() -> dict[str, object]:
        edit_the_path(pane, path, qtbot)
        return {}

    of_scene.run(subtests, begin, view=pane.view, qtbot=qtbot)


def test_paths_in_a_window(open_window: OpenWindow, path: Path, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    window = open_window(path)
    window.resize(1280, 800)
    window.show()
    of_window.run(subtests, begin_anew(window, path, qtbot), window=window, qtbot=qtbot)
