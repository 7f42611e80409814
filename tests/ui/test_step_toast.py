"""The line in the scene that tells each step: what it says and offers, how long it stays, and where it lies."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.ui.app import settle
from recorder_editor.ui.panes.attributes.attributes_pane import AttributePanel
from recorder_editor.ui.panes.scene.layers.overlays import Overlays
from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.panes.scene.step_toast import StepToast
from recorder_editor.ui.session import Session, editing
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.session.preferences import TELLS_STEPS
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ATTRIBUTES, SCENE
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from .parts import Parts, begin_anew
from .test_attributes import editor, page_of, typed
from .windows import OpenWindow, bring_up, idle

CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
FRAMES = 12

part = Parts()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(FRAMES, vehicles=2))
    return path


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(path)
    window.resize(1280, 800)
    bring_up(window, qtbot)
    idle(window, qtbot)
    return window


def toast_of(window: MainWindow) -> StepToast:
    toast: StepToast = window.panes.get(SCENE).toast
    return toast


def told(qtbot: QtBot, toast: StepToast, sentence: str) -> None:
    """Wait until this is told."""
    qtbot.waitUntil(lambda: toast.isVisible() and toast.sentence.text() == sentence)


def labels(window: MainWindow) -> list[str]:
    return [entry.label for entry in window.session.steps.entries]


def yaws(session: Session, actor: int) -> list[float]:
    found = []
    for index in range(session.frames):
        packet = session.snapshot_or_refuse().frame(index).packet("Position")
        assert packet is not None
        record = packet.decoded.find_actor(actor)
        assert record is not None
        found.append(float(packet.array["rotation.yaw"][record]))
    return found


def turn(window: MainWindow, qtbot: QtBot, text: str = "12", frame: int = 5) -> AttributePanel:
    """Type a yaw of the first car in the form."""
    window.session.selection.go_to_frame(frame)
    window.session.selection.select_actor(100)
    panel: AttributePanel = window.panes.get(ATTRIBUTES)
    qtbot.waitUntil(lambda: panel.session.selection.frame_index == frame)
    panel.refresh()
    version = window.session.steps.version
    typed(qtbot, editor(panel, "rotation yaw"), text)
    assert window.session.steps.version > version
    if window.settings[TELLS_STEPS]:
        told(qtbot, toast_of(window), window.session.steps.undo_label)
    return panel


@part
def a_step_is_told_with_its_reach_and_made_for_the_whole_life_instead(window: MainWindow, qtbot: QtBot) -> None:
    panel = turn(window, qtbot)
    toast = toast_of(window)
    name = "Set yaw of 100 in 1 frame"
    assert toast.isVisible()
    assert toast.sentence.text() == toast.accessibleName() == name
    assert [toast.other.text(), toast.main.text()] == ["Whole life", "Undo"]
    assert labels(window) == [name]
    assert window.registry["edit.undo"].text() == f"Undo {name}"
    assert panel.isAncestorOf(window.focusWidget()), "the keyboard stays where it was typed"
    qtbot.mouseClick(toast.other, LEFT)
    assert yaws(window.session, 100) == [12.0] * FRAMES
    assert labels(window) == ["Set yaw of 100 to 12.0 over 12 frames"]
    told(qtbot, toast, labels(window)[0])
    assert toast.other.text() == "This frame"
    window.session.editing.undo()
    assert yaws(window.session, 100) == [0.0] * FRAMES
    window.session.editing.redo()
    assert yaws(window.session, 100) == [12.0] * FRAMES


@part
def and_made_for_this_frame_instead(window: MainWindow, qtbot: QtBot) -> None:
    window.session.editing.set_scope("life")
    turn(window, qtbot, frame=7)
    qtbot.mouseClick(toast_of(window).other, LEFT)
    window.session.editing.set_scope("frame")
    assert yaws(window.session, 100) == [0.0] * 7 + [12.0] + [0.0] * (FRAMES - 8)
    assert labels(window) == ["Set yaw of 100 in 1 frame"]
    window.session.editing.undo()
    assert yaws(window.session, 100) == [0.0] * FRAMES


@part
def undo_and_redo_are_offered_in_turn(window: MainWindow, qtbot: QtBot) -> None:
    turn(window, qtbot)
    toast = toast_of(window)
    qtbot.mouseClick(toast.main, LEFT)
    assert yaws(window.session, 100)[5] == 0.0
    told(qtbot, toast, "Undone: Set yaw of 100 in 1 frame")
    assert toast.main.text() == "Redo"
    assert not toast.other.isVisible()
    qtbot.mouseClick(toast.main, LEFT)
    assert yaws(window.session, 100)[5] == 12.0
    told(qtbot, toast, "Set yaw of 100 in 1 frame")
    assert toast.main.text() == "Undo"


@part
def several_values_that_are_typed_quickly_are_undone_together_before_the_other_reach(
    window: MainWindow, qtbot: QtBot
) -> None:
    panel = turn(window, qtbot, "12")
    panel._last_commit += 3600.0  # however slow the machine is, the next one is of the same gesture
    turn(window, qtbot, "15")
    assert len(labels(window)) == 1
    qtbot.mouseClick(toast_of(window).other, LEFT)
    assert yaws(window.session, 100) == [15.0] * FRAMES
    window.session.editing.undo()
    assert yaws(window.session, 100) == [0.0] * FRAMES


@part
def notes_and_segments_are_told_too_and_have_no_other_reach(window: MainWindow, qtbot: QtBot) -> None:
    turn(window, qtbot)
    window.session.notes.bookmark("here", 3)
    toast = toast_of(window)
    told(qtbot, toast, "Add bookmark")
    assert not toast.other.isVisible()
    assert window.session.editing.other_reach is None
    window.registry.refresh()
    assert not window.registry["edit.other_reach"].isEnabled()
    window.session.editing.undo()
    told(qtbot, toast, "Undone: Add bookmark")
    window.registry.refresh()
    window.registry.run("edit.other_reach")
    assert yaws(window.session, 100) == [12.0] * FRAMES, "the turn is the last step again"


@part
def the_other_reach_of_many_frames_is_made_in_a_job_and_given_up_where_something_else_is_done(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editing, "FRAMES_AT_ONCE", 3)
    turn(window, qtbot)
    window.session.editing.switch_reach()
    assert window.session.jobs.running
    assert yaws(window.session, 100)[5] == 12.0, "the step stays until the other one is made"
    window.session.notes.bookmark("meanwhile", 3)
    qtbot.waitUntil(lambda: not window.session.jobs.running)
    assert labels(window) == ["Set yaw of 100 in 1 frame", "Add bookmark"]
    assert "has changed since" in window.session.messages[-1]
    window.session.editing.undo()
    window.session.editing.switch_reach()
    qtbot.waitUntil(lambda: not window.session.jobs.running)
    assert yaws(window.session, 100) == [12.0] * FRAMES


@part
def saving_leaves_the_step_as_it_is(window: MainWindow, qtbot: QtBot) -> None:
    turn(window, qtbot)
    window.session.editing.save()
    assert window.session.editing.other_reach is None
    window.session.editing.undo()
    assert yaws(window.session, 100) == [0.0] * FRAMES


@part
def a_drag_offers_the_whole_life(window: MainWindow, qtbot: QtBot) -> None:
    turn(window, qtbot)
    view = window.panes.get(SCENE).view
    view.move_by_keys()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    toast = toast_of(window)
    told(qtbot, toast, "Move 100 in 1 frame")
    qtbot.mouseClick(toast.other, LEFT)
    assert labels(window)[1:] == ["Move 100 over 12 frames"]


@part
def an_offer_is_reached_by_the_keyboard_and_escape_leaves_it(window: MainWindow, qtbot: QtBot) -> None:
    turn(window, qtbot)
    toast = toast_of(window)
    view = window.panes.get(SCENE).view
    view.setFocus()
    assert toast.timer.isActive()
    toast.other.setFocus(Qt.FocusReason.TabFocusReason)
    assert not toast.timer.isActive(), "it stays while the keyboard is in it"
    qtbot.keyClick(toast.other, Qt.Key.Key_Space)
    assert labels(window) == ["Set yaw of 100 to 12.0 over 12 frames"]
    told(qtbot, toast, "Set yaw of 100 to 12.0 over 12 frames")
    assert toast.other.hasFocus()
    qtbot.keyClick(toast.other, Qt.Key.Key_Tab)
    assert toast.main.hasFocus()
    qtbot.keyClick(toast.main, Qt.Key.Key_Space)
    assert window.session.steps.position == 0
    told(qtbot, toast, "Undone: Set yaw of 100 to 12.0 over 12 frames")
    qtbot.keyClick(toast.main, Qt.Key.Key_Escape)
    assert not toast.isVisible()
    assert window.focusWidget() is view


@part
def it_is_switched_off_by_a_preference(window: MainWindow, qtbot: QtBot) -> None:
    turn(window, qtbot)
    toast = toast_of(window)
    window.settings[TELLS_STEPS] = False
    assert not toast.isVisible()
    turn(window, qtbot, "13")
    settle()
    assert not toast.isVisible()
    window.settings[TELLS_STEPS] = True
    turn(window, qtbot, "14")


@part
def the_form_says_how_far_it_reaches(window: MainWindow, qtbot: QtBot) -> None:
    panel = turn(window, qtbot)
    apply = page_of(panel).apply
    session = window.session
    assert apply.reach.text() == "1 of 12 frames of its life"
    session.editing.set_scope("onward")
    assert apply.reach.text() == "7 of 12 frames of its life"
    session.range.set(2, 8)
    session.editing.set_scope("range")
    assert apply.reach.text() == "6 of 12 frames of its life"
    session.range.clear()
    session.editing.set_scope("frame")
    place = session.selection.place._replace(field=None)
    session.selection.select(place, more=(place._replace(record=1),))
    assert apply.reach.text() == "2 of 24 frames of their lives"


@part
def what_differs_from_the_file_is_marked_in_the_form_and_in_the_scene(window: MainWindow, qtbot: QtBot) -> None:
    panel = turn(window, qtbot)
    rows = page_of(panel).form.field_rows
    view = window.panes.get(SCENE).view
    qtbot.waitUntil(lambda: rows["rotation.yaw"].is_edited)
    assert [path for path, row in rows.items() if row.is_edited] == ["rotation.yaw"]
    assert bar_colours(panel, "rotation.yaw") == {window.theme.palette.edited.name()}
    assert bar_colours(panel, "rotation.roll").isdisjoint({window.theme.palette.edited.name()})
    (former,) = view.state.former
    assert (former.actor, former.dx, former.dy, round(former.turn, 3)) == (100, 0.0, 0.0, -12.0)
    window.session.selection.select_actor(101)
    assert view.state.former == ()
    window.session.selection.select_actor(100)
    window.session.editing.undo()
    assert view.state.former == ()
    qtbot.waitUntil(lambda: not any(row.is_edited for row in rows.values()))


def bar_colours(panel: AttributePanel, path: str) -> set[str]:
    """The colours at the left of an editor."""
    form = page_of(panel).form
    place = form.field_rows[path].editor.geometry()
    picture = form.grab(QRect(place.left() - 5, place.center().y(), 3, 1)).toImage()
    return {picture.pixelColor(x, 0).name() for x in range(picture.width())}


def test_steps_are_told_in_a_window(window: MainWindow, path: Path, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    part.run(subtests, begin_anew(window, path, qtbot), window=window, qtbot=qtbot)


# --- where it lies, and how long ----------------------------------------------------------------------------


@pytest.fixture
def make_pane(qtbot: QtBot, theme: Theme, session: Session, settings: Settings, path: Path) -> Callable[..., ScenePane]:
    def make(width: int = 640, height: int = 400) -> ScenePane:
        session.open(path)
        pane = ScenePane(session, theme, Player(session, session), settings)
        qtbot.addWidget(pane)
        pane.resize(width, height)
        with qtbot.waitExposed(pane):
            pane.show()
        idle(pane, qtbot)
        pane.show_keys({"edit.undo": "Ctrl+Z"})
        return pane

    return make


def step(pane: ScenePane, qtbot: QtBot) -> None:
    session = pane.session
    place = session.selection.place_of_actor(100)
    assert place is not None
    session.editing.apply(edits.set_field(session.snapshot_or_refuse(), place._replace(field="rotation.yaw"), 30.0))
    told(qtbot, pane.toast, session.steps.undo_label)


def enter(toast: StepToast) -> None:
    """Let the pointer come into it."""
    within = QPointF(20, 10)
    QApplication.sendEvent(toast, QEnterEvent(within, within, within))
    assert toast.underMouse()


def is_at_top(pane: ScenePane) -> bool:
    return bool(pane.toast.y() == pane.view.y() + 14)


def is_at_foot(pane: ScenePane) -> bool:
    """It lies below the middle, and over none of scale bar, legends and chip of the roads."""
    place = QRectF(pane.toast.geometry().translated(-pane.view.pos()))
    overlays = next(layer for layer in pane.view.box.layers if isinstance(layer, Overlays))
    seen = overlays.seen()
    assert seen
    return place.top() > pane.view.height() / 2 and not any(place.intersects(box) for box in seen)


def test_it_lies_at_the_foot_in_the_middle_and_keeps_off_the_pointer(
    make_pane: Callable[..., ScenePane], session: Session, qtbot: QtBot
) -> None:
    pane = make_pane()
    step(pane, qtbot)
    toast = pane.toast
    assert is_at_foot(pane)
    assert toast.height() == 32
    assert abs(toast.geometry().center().x() - pane.view.geometry().center().x()) <= 1
    assert {toast.main.height()} == {22}
    beneath = toast.mapToGlobal(toast.rect().center())
    toast.hide()
    QCursor.setPos(beneath)
    session.editing.undo()
    told(qtbot, toast, f"Undone: {session.steps.redo_label}")
    assert is_at_top(pane)
    enter(toast)
    session.editing.redo()
    told(qtbot, toast, session.steps.undo_label)
    assert is_at_top(pane), "it stays where the pointer has come to it"


def test_it_keeps_off_the_selected_actor(make_pane: Callable[..., ScenePane], session: Session, qtbot: QtBot) -> None:
    pane = make_pane()
    session.selection.select_actor(100)
    view = pane.view
    place = view.state.place_of(100)
    assert place is not None
    x, y = view.camera.world(place)
    low = view.camera._replace(x=x, y=y, scale=10.0)
    foot = low.world(QPointF(low.width / 2, 30.0))
    view.box.set_camera(low._replace(x=foot[0], y=foot[1]))
    view.viewport().repaint()
    step(pane, qtbot)
    assert is_at_top(pane)
    view.box.set_camera(low)
    qtbot.waitUntil(lambda: is_at_foot(pane))


def test_it_goes_after_five_seconds_unless_the_pointer_is_in_it(
    make_pane: Callable[..., ScenePane], session: Session, qtbot: QtBot
) -> None:
    pane = make_pane()
    step(pane, qtbot)
    toast = pane.toast
    assert toast.timer.interval() == 5000
    assert toast.timer.isActive()
    enter(toast)
    assert not toast.timer.isActive()
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    assert toast.timer.isActive()
    toast.timer.start(0)
    qtbot.waitUntil(lambda: not toast.isVisible())


def test_a_narrow_pane_has_it_whole(make_pane: Callable[..., ScenePane], qtbot: QtBot) -> None:
    pane = make_pane(400)
    step(pane, qtbot)
    toast = pane.toast
    assert toast.width() == 400 - 28
    wide = toast.main.sizeHint().width()
    pane.resize(300, 400)
    settle()
    assert toast.width() == 300 - 28
    assert toast.rect().contains(QRect(toast.main.mapTo(toast, QPoint()), toast.main.size()))
    pane.resize(640, 400)
    settle()
    assert toast.main.sizeHint().width() > wide, "with its key"


def test_it_goes_with_the_recording_and_with_the_scene(
    make_pane: Callable[..., ScenePane], session: Session, qtbot: QtBot
) -> None:
    pane = make_pane()
    step(pane, qtbot)
    pane.hide()
    pane.show()
    assert not pane.toast.isVisible()
    step(pane, qtbot)
    session.show_none()
    qtbot.waitUntil(lambda: not pane.toast.isVisible())
