"""Colour rules: in the scene, the tree, the table of actors and the rows of the timeline, by one list of them."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QTextCharFormat
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.reading import Actors
from recorder_editor.recording import Place, open_recording
from recorder_editor.ui.dialogs.color_rules import RulesDialog
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.color_rules import ColorRules, find_matches
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ACTORS, PACKETS, SCENE, TIMELINE
from recorder_editor.ui.style.colors import RULE_TINT, mix
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from .windows import actors_column, idle, place_of

RED, BLUE = "#d7301f", "#0000ff"
FRAMES, TURN = 40, 20
SLOW, FAST = 1, 2


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two cars: one stands, the other one stands until frame 20 and drives at 20 m/s from then on."""
    born = b.packet(2, b.event_add([b.actor(SLOW), b.actor(FAST)]))

    def frame(index: int) -> bytes:
        places = (SLOW, b.xyz(0, 0)), (FAST, b.xyz(2000 + 100 * max(0, index - TURN), 800))
        poses = b.packet(6, b.position([b.pose(actor, place) for actor, place in places]))
        return b.frame(index + 1, index * 0.05, 0.05, [*([] if index else [born]), poses])

    path = tmp_path / "two.log"
    path.write_bytes(b.recording(*map(frame, range(FRAMES))))
    return path


@pytest.fixture
def window(open_window: Callable[..., MainWindow], path: Path, qtbot: QtBot) -> MainWindow:
    """The window with the two cars, in a frame in which one of them drives."""
    window = open_window(path, size=(1400, 900))
    window.show()
    idle(window, qtbot)
    window.session.selection.go_to_frame(TURN + 10)
    return window


def color_by(window: MainWindow, qtbot: QtBot, *rules: str) -> None:
    """Type rules into the dialog that the menu opens."""
    window.registry.run("scene.color_rules")
    dialog = window.findChild(RulesDialog)
    assert isinstance(dialog, RulesDialog)
    qtbot.keyClick(dialog.editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    for rule in rules:
        qtbot.keyClicks(dialog.editor, rule)
        qtbot.keyClick(dialog.editor, Qt.Key.Key_Return)
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.findChild(RulesDialog) is None)
    qtbot.waitUntil(lambda: len(window.session.rule_colors.matches) > 0)
    idle(window, qtbot)


def in_scene(window: MainWindow, actor: int) -> str:
    view = window.panes.get(SCENE).view
    place = place_of(view, actor)
    assert place is not None
    return view.grab().toImage().pixelColor(place.toPoint() + QPoint(-4, 0)).name()


def in_table(window: MainWindow, actor: int) -> str:
    window.panes.show("actors")
    pane = window.panes.get(ACTORS)
    row = next(row for row in range(2) if pane.model.life(row).actor == actor)
    cell = pane.table.visualRect(pane.model.index(row, actors_column("blueprint")))
    return pane.table.viewport().grab(cell).toImage().pixelColor(cell.width() - 3, 3).name()


def in_tree(window: MainWindow, actor: int) -> str:
    window.panes.show("packets")
    pane, session = window.panes.get(PACKETS), window.session
    session.selection.select(Place(session.selection.row, 1, 0, "location.x"))
    session.selection.select(Place(session.selection.row))
    place = session.selection.place_of_actor(actor)
    assert place is not None
    pane.tree.expand(pane.model.index_of(place._replace(record=None)))
    rect = pane.tree.visualRect(pane.model.index_of(place))
    return pane.tree.viewport().grab().toImage().pixelColor(rect.right() - 2, rect.top() + 2).name()


def on_bar(window: MainWindow, actor: int, frame: int) -> str:
    canvas = window.panes.get(TIMELINE).canvas
    row = next(row for row in range(2) if canvas.roster.life(row).actor == actor)
    layout = canvas.timeline_layout
    at = QPointF(canvas.axis.x(float(canvas.axis.times[frame])) + 2, layout.life_y(row) + layout.life_height // 2)
    return canvas.grab().toImage().pixelColor(at.toPoint()).name()


def test_the_panes_of_a_window_are_coloured_by_rules(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    rules_colour_the_scene_the_tree_the_table_and_the_bars(window, theme, qtbot)
    tooltips_say_the_rule_that_a_row_meets(window, qtbot)
    an_edit_colours_anew_and_so_does_its_undo(window, theme, qtbot)


def rules_colour_the_scene_the_tree_the_table_and_the_bars(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    palette = theme.palette
    plain = in_table(window, FAST), in_tree(window, FAST), on_bar(window, FAST, 30)
    color_by(window, qtbot, f"speed > 10: {RED}", f"id == {SLOW} and speed < 1: {BLUE}")
    assert [in_scene(window, actor) for actor in (FAST, SLOW)] == [RED, BLUE]
    tints = [mix(palette.field, QColor(color), RULE_TINT).name() for color in (RED, BLUE)]
    assert [in_table(window, actor) for actor in (FAST, SLOW)] == tints
    assert [in_tree(window, actor) for actor in (FAST, SLOW)] == tints
    assert [on_bar(window, FAST, frame) for frame in (5, 30)] == [palette.edge.name(), RED]
    assert on_bar(window, SLOW, 5) == BLUE
    window.session.selection.go_to_frame(3)
    assert in_scene(window, FAST) == palette.edge.name()
    assert in_table(window, FAST) == in_tree(window, FAST) == palette.field.name()
    window.session.selection.go_to_frame(30)
    window.registry.run("scene.color_class")
    assert (in_table(window, FAST), in_tree(window, FAST), on_bar(window, FAST, 30)) == plain


def an_edit_colours_anew_and_so_does_its_undo(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    color_by(window, qtbot, f"speed > 10: {RED}")
    tint = mix(theme.palette.field, QColor(RED), RULE_TINT).name()

    def shown() -> list[str]:
        return [in_scene(window, SLOW), in_table(window, SLOW), in_tree(window, SLOW), on_bar(window, SLOW, 5)]

    before = shown()
    text = f"Position where id == {SLOW}: location.x = 100 * frame"
    window.session.editing.apply(edits.replace_where(window.session.snapshot_or_refuse(), text))
    qtbot.waitUntil(lambda: on_bar(window, SLOW, 5) == RED)
    assert shown() == [RED, tint, tint, RED]
    window.registry.run("edit.undo")
    qtbot.waitUntil(lambda: on_bar(window, SLOW, 5) == before[3])
    assert shown() == before
    window.registry.run("edit.redo")
    qtbot.waitUntil(lambda: on_bar(window, SLOW, 5) == RED)


def tooltips_say_the_rule_that_a_row_meets(window: MainWindow, qtbot: QtBot) -> None:
    color_by(window, qtbot, f"speed > 10 and id < 9: {RED}")
    table, tree, role = window.panes.get(ACTORS).model, window.panes.get(PACKETS).model, Qt.ItemDataRole.ToolTipRole
    tips = {table.life(row).actor: table.data(table.index(row, 0), role) for row in range(2)}
    assert tips[FAST].endswith(", speed > 10 and id < 9")
    assert "speed" not in tips[SLOW]
    places = [window.session.selection.place_of_actor(actor) for actor in (FAST, SLOW)]
    met = [
        tree.data(tree.index_of(place), role).endswith("<br>speed &gt; 10 and id &lt; 9") for place in places if place
    ]
    assert met == [True, False]


RULES = (
    f"speed > 3: {RED}",
    "AnimVehicle where throttle > 0.2: green",
    "AnimVehicleWheels where id > 0: orange",
    "distance < 8 or drac > 0.5: purple",
    f'EventAdd where type == "Vehicle": {BLUE}',
)


def test_over_the_recording_the_same_rules_are_met_as_in_each_frame(short_recording: Path) -> None:
    snapshot = open_recording(short_recording).snapshot
    actors, rules = Actors.of(snapshot), ColorRules(RULES)
    met = find_matches(snapshot, rules.of(snapshot.dialect))
    assert (np.diff(met[:, 0]) >= 0).all()
    for frame in range(0, len(snapshot), 7):
        here = met[(met[:, 1] <= frame) & (frame < met[:, 2])]
        found = rules.first_rules(snapshot, snapshot.frame(frame), actors)
        assert dict(here[:, [0, 3]].tolist()) == {life: rule.color.rgb() for life, rule in found.items()}


def test_each_wrong_rule_is_told_and_marked_where_it_is_wrong_and_good_ones_show_their_colour(
    session: Session, path: Path, theme: Theme, qtbot: QtBot
) -> None:
    session.open(path)
    dialog = RulesDialog(session, ColorRules(), theme)
    qtbot.addWidget(dialog)
    lines = f"speed > 20: {RED}", "", "spead > 1: red", "id == 1: rod", "speed > 10:"
    dialog.editor.setPlainText("\n".join(lines))
    assert [line[:17] for line in dialog.wrong.text().splitlines()] == [
        *("Rule 3, column 1:", "Rule 4, column 9:", "Rule 5, column 12")
    ]
    assert not dialog.go.isEnabled()
    wave = QTextCharFormat.UnderlineStyle.WaveUnderline
    found = dialog.editor.extraSelections()
    marks = [(mark.cursor.selectedText(), mark.format.underlineStyle() == wave) for mark in found]
    assert marks == [(RED, False), ("", False), (lines[2], True), (" rod", True), (":", True)]
    assert found[0].format.background().color().name() == RED
    dialog.editor.setPlainText(f"speed > 20: {RED}")
    assert dialog.wrong.text() == ""
    assert dialog.go.isEnabled()


def test_rules_are_kept_however_many_there_are(settings: Settings) -> None:
    lines = tuple(f"speed > {number}: red" for number in range(200))
    settings.color_rules = lines
    assert Settings(settings.path).color_rules == lines
    settings.store.setValue("color_rules", json.dumps([["speed > 1: red", ""], ["speed > 2: blue", ""]]))
    assert settings.color_rules == ("speed > 1: red", "speed > 2: blue")
