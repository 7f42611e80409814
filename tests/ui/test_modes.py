"""Modes of the scene and the row of hints: what is on is seen and can be ended, and keys say what they do."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.panes.scene.gestures import SCENE_GESTURES
from recorder_editor.ui.panes.scene.hint_row import HintRow
from recorder_editor.ui.panes.scene.hints import ACTIONS, Hint
from recorder_editor.ui.panes.scene.mode_chips import ModeChip
from recorder_editor.ui.panes.scene.modes import MODES
from recorder_editor.ui.panes.scene.scene_pane import ScenePane
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.session.preferences import HINTS
from recorder_editor.ui.shell.main_window import SMALLEST, MainWindow
from recorder_editor.ui.shell.pane_list import ACTORS, ATTRIBUTES, BYTES, PACKETS, SCENE, TIMELINE
from recorder_editor.ui.style.theme import Theme

from .parts import in_turn
from .windows import OpenWindow, beginning, bring_up, idle, place_of, workspace_cell

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
KEY = Qt.Key
HERO = 3890


@pytest.fixture
def window(open_window: OpenWindow, recordings: Path, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    path = tmp_path / "town.log"
    path.write_bytes(beginning(recordings / "carla-0.9.13-town05-collisions.log", frames=40, actor=HERO))
    window = open_window(path, preset="inspect")
    bring_up(window, qtbot)
    wait_for_jobs(window)
    begin(window, qtbot)
    return window


def begin(window: MainWindow, qtbot: QtBot) -> None:
    """The hero is selected and in the middle, the pointer in a corner; no mode is on."""
    wait_for_jobs(window)
    view = scene(window).view
    while view.give_up():
        pass
    window.session.selection.go_to_frame(20)
    window.session.selection.select_actor(HERO)
    x, y = view._selected_place()
    view.box.set_camera(view.camera._replace(x=x, y=y, scale=9.0))
    view.setFocus()
    for corner in (QPoint(9, 9), QPoint(10, 10)):
        qtbot.mouseMove(view.viewport(), corner)
    settle()


def scene(window: MainWindow) -> ScenePane:
    return window.panes.get(SCENE)


def hinted(pane: ScenePane) -> list[str]:
    """The hints of the moment, as `Drag moves 3890`."""
    QApplication.processEvents()
    return [hint.phrase for hint in pane.hints.hints]


def chips(pane: ScenePane) -> list[str]:
    """What the chips of modes say that are seen, from the left."""
    return [chip.label.text() for chip in shown_chips(pane)]


def shown_chips(pane: ScenePane) -> list[ModeChip]:
    return sorted(
        (chip for chip in pane.modes.chips.values() if chip.isVisible()),
        key=lambda chip: chip.mapToGlobal(QPoint()).x(),
    )


def point_at(view: SceneView, qtbot: QtBot, actor: int) -> QPoint:
    """Move the pointer over an actor, and return where it is."""
    place = place_of(view, actor)
    assert place is not None
    qtbot.mouseMove(view.viewport(), place.toPoint() - QPoint(2, 0))
    qtbot.mouseMove(view.viewport(), place.toPoint())
    return place.toPoint()


def edit_path(window: MainWindow, qtbot: QtBot) -> None:
    window.registry.run("path.edit")
    qtbot.waitUntil(lambda: not window.session.jobs.running and not window.session.path_editing.is_busy)


# --- hints ------------------------------------------------------------------------------------------------


def hints_tell_what_the_pointer_is_at_and_held_shift_leaves_what_shift_does(window: MainWindow, qtbot: QtBot) -> None:
    pane, view = scene(window), scene(window).view
    before = hinted(pane)
    assert before[:3] == ["Drag moves the view", "Wheel zooms", "Shift drag selects many"]
    qtbot.keyPress(view, KEY.Key_Shift)
    assert hinted(pane) == ["Shift drag selects many"]
    qtbot.keyRelease(view, KEY.Key_Shift)
    assert hinted(pane) == before
    tree = window.panes.get(PACKETS).tree
    tree.setFocus()
    qtbot.keyPress(tree, KEY.Key_Shift)
    assert hinted(pane) == ["Shift drag selects many"], "the keyboard is elsewhere, and the pointer is here"
    qtbot.keyRelease(tree, KEY.Key_Shift)
    assert hinted(pane) == before
    view.setFocus()
    actors = view.contents.actors
    seen = actors.ids[view.state.seen & actors.road_users & ~actors.hero].tolist()
    other = next(one for one in seen if view.camera.pane.contains(place_of(view, one) or QPointF(-1, -1)))
    at = point_at(view, qtbot, other)
    assert hinted(pane)[0] == f"Click selects {other}"
    qtbot.mouseClick(view.viewport(), LEFT, pos=at)
    view.grab()
    assert hinted(pane)[0] == f"Drag moves {other}", "it is selected now, and the pointer has not moved"


def hints_of_actions_have_the_keys_of_the_moment_and_those_that_cannot_be_done_have_none(window: MainWindow) -> None:
    pane, registry = scene(window), window.registry
    assert "G moves by keys" in hinted(pane)
    registry.choose_keys({"scene.move": "Ctrl+Shift+U"})
    assert "Ctrl Shift U moves by keys" in hinted(pane)
    registry.choose_keys({})
    window.session.selection.select(window.session.selection.place._replace(packet=None, record=None))
    registry.refresh()
    assert not [hint for hint in hinted(pane) if "moves by keys" in hint]


def a_drag_says_its_keys_in_the_row_and_not_beside_the_ghost(window: MainWindow, qtbot: QtBot) -> None:
    pane, view = scene(window), scene(window).view
    at = point_at(view, qtbot, HERO)
    qtbot.mousePress(view.viewport(), LEFT, pos=at)
    for step in (5, 40):
        qtbot.mouseMove(view.viewport(), at + QPoint(0, step))
    assert hinted(pane) == ["S from here on", "Esc puts it back"]
    qtbot.keyClick(view, KEY.Key_S)
    assert hinted(pane) == ["S whole life", "Esc puts it back"]
    assert view.state.ghost_scope == "over 20 frames"
    qtbot.keyClick(view, KEY.Key_Escape)
    qtbot.mouseRelease(view.viewport(), LEFT, pos=at)
    window.session.editing.set_scope("frame")
    assert chips(pane) == []


def the_row_can_be_turned_off_and_comes_back_with_what_holds_then(window: MainWindow, qtbot: QtBot) -> None:
    pane = scene(window)
    high = pane.view.height()
    assert pane.hints.height() == pane.theme.px(20)
    window.settings[HINTS] = False
    qtbot.waitUntil(lambda: pane.view.height() == high + pane.theme.px(20))
    qtbot.keyClick(pane.view, KEY.Key_M)
    window.settings[HINTS] = True
    assert hinted(pane)[0] == "Click sets an end"


# --- modes ------------------------------------------------------------------------------------------------


def a_path_says_how_to_add_and_remove_keys_and_to_leave_in_whatever_workspace(window: MainWindow, qtbot: QtBot) -> None:
    pane = scene(window)
    edit_path(window, qtbot)
    assert chips(pane) == [f"Path of {HERO}"]
    hints = hinted(pane)
    assert {"Double-click adds a key", "Del removes it", "Esc done"} <= set(hints)
    fitting = [hint.phrase for hint, _, _ in pane.hints.places()]
    assert "Esc done" in fitting
    for name in ("trim", "scene", "inspect"):
        qtbot.mouseClick(workspace_cell(window, name), LEFT)
        idle(window, qtbot)
        assert chips(pane) == [f"Path of {HERO}"]
    assert window.session.path_editing.life is not None


def esc_ends_a_mode_wherever_the_keyboard_is(window: MainWindow, qtbot: QtBot) -> None:
    pane = scene(window)
    told: list[str] = []
    window.session.announced.connect(told.append)
    button = window.toolbar.widgetForAction(window.registry["file.open"])
    places: list[QWidget] = [
        window.panes.get(PACKETS).tree,
        window.panes.get(BYTES).view,
        window.panes.get(TIMELINE).canvas,
        window.panes.get(ATTRIBUTES).area,
        button,
    ]
    for place in places:
        edit_path(window, qtbot)
        assert told[-1] == f"Path of {HERO}, Esc ends it"
        place.setFocus()
        assert place.hasFocus()
        qtbot.keyClick(place, KEY.Key_Escape)
        assert chips(pane) == []
        assert told[-1] == f"Path of {HERO}: ended"
    window.panes.show(ACTORS.name)
    edit_path(window, qtbot)
    table = window.panes.get(ACTORS).table
    table.setFocus()
    qtbot.keyClick(table, KEY.Key_Escape)
    assert window.session.path_editing.life is None


def a_field_that_is_edited_keeps_its_own_esc(window: MainWindow, qtbot: QtBot) -> None:
    edit_path(window, qtbot)
    line = next(
        each for each in window.panes.get(ATTRIBUTES).findChildren(QLineEdit) if each.isVisible() and each.isEnabled()
    )
    before = line.text()
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "7")
    qtbot.keyClick(line, KEY.Key_Escape)
    assert line.text() == before
    assert window.session.path_editing.life is not None
    qtbot.keyClick(line, KEY.Key_Escape)
    assert window.session.path_editing.life is None


def esc_ends_the_innermost_mode_first(window: MainWindow, qtbot: QtBot) -> None:
    pane, view = scene(window), scene(window).view
    other = window.session.path.with_name("other.log")
    other.write_bytes(window.session.path.read_bytes())
    window.documents.compare(other)
    wait_for_jobs(window)
    view.follow_actor(HERO)
    edit_path(window, qtbot)
    view.setFocus()
    qtbot.keyClick(view, KEY.Key_M)
    qtbot.keyClick(view, KEY.Key_G)
    titles = ["Moving the key", "Measure", f"Path of {HERO}", f"Following {HERO}", "Comparing"]
    settle()
    window.resize(SMALLEST)
    settle()
    assert chips(pane) == titles
    title = window.panes.centre.title
    for chip in shown_chips(pane):
        corner = chip.cross.mapTo(title, QPoint(chip.cross.width(), 0))
        assert corner.x() <= title.width(), "where there is little room, every mode can still be ended"
    while titles:
        qtbot.keyClick(QApplication.focusWidget(), KEY.Key_Escape)
        del titles[0]
        settle()
        assert chips(pane) == titles
    assert window.session.comparison.other is None


def a_cross_ends_its_own_mode(window: MainWindow, qtbot: QtBot) -> None:
    pane, view = scene(window), scene(window).view
    view.follow_actor(HERO)
    qtbot.keyClick(view, KEY.Key_M)
    settle()
    follow = pane.modes.chips["follow"]
    assert follow.cross.accessibleName() == f"End: Following {HERO} (Esc)"
    follow.cross.setFocus()
    qtbot.keyClick(follow.cross, KEY.Key_Space)
    assert chips(pane) == ["Measure"]
    assert view.hasFocus(), "the keyboard does not stay on what is gone"
    qtbot.mouseClick(pane.modes.chips["measure"].cross, LEFT)
    assert chips(pane) == []
    assert not view.switches["measure"]


def a_bookmark_is_told_in_the_status_line(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(scene(window).view, KEY.Key_B)
    assert window.session.messages[-1] == "Frame 21 is marked"
    assert window.status.note.words.text() == "Frame 21 is marked"
    qtbot.keyClick(QApplication.focusWidget(), KEY.Key_Escape)


def test_hints_and_modes(request: pytest.FixtureRequest, window: MainWindow, qtbot: QtBot) -> None:
    in_turn(
        request,
        window,
        hints_tell_what_the_pointer_is_at_and_held_shift_leaves_what_shift_does,
        hints_of_actions_have_the_keys_of_the_moment_and_those_that_cannot_be_done_have_none,
        a_drag_says_its_keys_in_the_row_and_not_beside_the_ghost,
        the_row_can_be_turned_off_and_comes_back_with_what_holds_then,
        a_path_says_how_to_add_and_remove_keys_and_to_leave_in_whatever_workspace,
        esc_ends_a_mode_wherever_the_keyboard_is,
        a_field_that_is_edited_keeps_its_own_esc,
        a_cross_ends_its_own_mode,
        a_bookmark_is_told_in_the_status_line,
        esc_ends_the_innermost_mode_first,
        opens=False,
        between=lambda: begin(window, qtbot),
    )


# --- the row and its declarations -------------------------------------------------------------------------


def test_hints_that_do_not_fit_go_from_the_right_whole(qtbot: QtBot, theme: Theme) -> None:
    row = HintRow(theme)
    qtbot.addWidget(row)
    hints = tuple(Hint("Drag", text) for text in ("moves the view", "turns", "zooms"))
    row.show_hints(hints)

    def fitting(width: int) -> Sequence[Hint]:
        row.resize(width, row.height())
        places = row.places()
        assert all(word.right() < width for _, _, word in places)
        return [hint for hint, _, _ in places]

    assert fitting(600) == list(hints)
    enough = row.places()[-1][2].right() + 1 + theme.px(6)
    assert fitting(enough) == list(hints)
    assert fitting(enough - 1) == list(hints[:2])
    assert fitting(30) == []
    assert row.accessibleName() == "Drag moves the view, Drag turns, Drag zooms"


def test_every_hint_is_of_an_action_with_a_key_or_of_a_gesture_of_the_scene(open_window: OpenWindow) -> None:
    registry = open_window().registry
    for name in ACTIONS:
        spec = registry.spec(name)
        assert spec.hint
        assert spec.key_text
    assert set(SCENE_GESTURES) <= set(registry.gestures)
    assert all(gesture.hint or gesture.action or gesture.keys == "Esc" for gesture in SCENE_GESTURES)
    assert len({mode.name for mode in MODES}) == len(MODES)
