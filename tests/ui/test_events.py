"""The pane Events and its lane: what they show, and what a click, a key or a button does with an event."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QToolButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from recorder_editor.edits import remove_actors, trim
from recorder_editor.reading import Actors
from recorder_editor.reading.events import EventName
from recorder_editor.reading.events.moments import Seconds
from recorder_editor.reading.thresholds import STANDARD, Thresholds
from recorder_editor.ui.app import settle
from recorder_editor.ui.dialogs.preferences import PreferenceRow, PreferencesDialog
from recorder_editor.ui.panes.events.events_model import SEVERITY
from recorder_editor.ui.panes.events.events_pane import EventsPane
from recorder_editor.ui.panes.timeline.canvas import Canvas
from recorder_editor.ui.panes.timeline.timeline_layout import TIMELINE_LANE
from recorder_editor.ui.session import traffic_events
from recorder_editor.ui.session.background import Background
from recorder_editor.ui.session.preferences import FollowMode
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import EVENTS, SCENE, TIMELINE
from recorder_editor.ui.widgets import NumberEdit
from recorder_editor.ui.widgets.cells import CELL

from .. import builders as b
from ..reading.films import Actor, along, braking, film
from .parts import in_turn
from .windows import bring_up, idle, place_of

ACTORS = {
    # Drives into a standing hero.
    1: Actor(along(0, 0, 0, 3)),
    2: Actor(along(10, 0, 0, 0), role="hero"),
    # Brakes hard.
    3: Actor(along(0, 40, 0, braking(14, -4.5))),
    # Brakes just before the one ahead.
    4: Actor(along(0, 80, 0, braking(12, -3.9))),
    5: Actor(along(12 + 12**2 / 7.8 + 5.1, 80, 0, 0)),
}


@pytest.fixture
def window(open_window: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(film(tmp_path / "events.log", ACTORS, 7.0))
    window.show()
    idle(window, qtbot)
    return window


@pytest.fixture
def pane(window: MainWindow, qtbot: QtBot) -> EventsPane:
    window.panes.show(EVENTS.name)
    pane = window.panes.get(EVENTS)
    bring_up(pane, qtbot)
    return pane


def open_other(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    """Open a recording in the place of another one, and wait until its events are found and shown."""
    window.session.open(path)
    qtbot.waitUntil(lambda: not window.session.events.is_looking)
    idle(window, qtbot)
    settle()


def rows(pane: EventsPane) -> list[tuple[str, ...]]:
    """Kind and actors of each row."""
    model = pane.model
    return [tuple(model.index(row, column).data() for column in (0, 3)) for row in range(model.rowCount())]


def click(pane: EventsPane, row: int, qtbot: QtBot) -> None:
    rect = pane.table.visualRect(pane.model.index(row, 0))
    qtbot.mouseClick(pane.table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())


def switch(pane: EventsPane, name: EventName, qtbot: QtBot) -> None:
    """Click the switch of a kind, in the menu where it has no room."""
    chip = pane.kinds[name]
    if chip.width() >= chip.sizeHint().width():
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
        return
    (more,) = (button for button in pane.findChildren(QToolButton) if button.text() == "»")
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    menu = more.findChildren(QMenu)[-1]
    entry = next(action for action in menu.actions() if action.text() == chip.text())
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())


def event_lanes(window: MainWindow) -> list[tuple[str, int]]:
    """The lanes of events of the timeline, and how many marks each has."""
    lanes = []
    for lane in window.panes.get(TIMELINE).canvas.timeline_layout.timeline_lanes:
        if lane.meaning == "traffic":
            lanes.append((lane.name, sum(len(group.targets) for group in lane.groups)))
    return lanes


def point_of(canvas: Canvas, frame: int, name: str = "Events") -> QPointF:
    """Where a frame is in a lane."""
    (lane,) = (lane for lane in canvas.timeline_layout.timeline_lanes if lane.name == name)
    x = float(canvas.axis.xs(canvas.axis.at(np.array([frame])))[0])
    return QPointF(x, lane.top + canvas.theme.px(TIMELINE_LANE) / 2)


SHOWN = [("Near miss", "4 5"), ("Boxes overlap", "2 1")]
BRAKES = ("Hard braking", "3")


def the_worst_events_stand_first_and_frequent_kinds_are_off(pane: EventsPane, qtbot: QtBot) -> None:
    assert rows(pane) == SHOWN
    kinds = {chip.text(): chip.isChecked() for chip in pane.kinds.values() if not chip.isHidden()}
    assert kinds == {"Collision 1": True, "Near miss 1": True, "Hard braking 1": False}
    switch(pane, "hard-braking", qtbot)
    assert rows(pane) == [*SHOWN, BRAKES]
    switch(pane, "near-miss", qtbot)
    assert rows(pane) == [SHOWN[1], BRAKES]
    switch(pane, "hard-braking", qtbot)
    switch(pane, "collision", qtbot)
    assert rows(pane) == []
    assert pane.empty.text() == "3 events, of kinds that are off"
    assert pane.empty._detail.text() == "1 Collision, 1 Near miss, 1 Hard braking"
    assert not pane.foot.export.isEnabled()


def the_lane_has_the_marks_of_the_kinds_that_are_on(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    assert event_lanes(window) == [("Events", 2)]
    switch(pane, "hard-braking", qtbot)
    assert event_lanes(window) == [("Events", 3)]
    switch(pane, "near-miss", qtbot)
    assert event_lanes(window) == [("Events", 2)]


def the_switches_belong_to_the_workspace(pane: EventsPane, qtbot: QtBot) -> None:
    kept = pane.workspace_values["kinds"]
    before = kept.read()
    switch(pane, "hard-braking", qtbot)
    switch(pane, "collision", qtbot)
    assert kept.read() == {"hard-braking": True, "collision": False}
    kept.show(before)
    assert rows(pane) == SHOWN
    assert pane.kinds["collision"].isChecked()
    assert kept.allows({"near-miss": False})
    assert not kept.allows({"near-miss": 1})
    assert not kept.allows({"crash": True})


def the_filter_takes_expressions_and_tells_where_one_is_wrong(pane: EventsPane, qtbot: QtBot) -> None:
    qtbot.keyClicks(pane.filter, "actor == 2 and severity > 0.5")
    assert rows(pane) == SHOWN[1:]
    pane.filter.clear()
    qtbot.keyClicks(pane.filter, "valu < 1")
    assert pane.error.isVisible()
    assert pane.error.message == "Event has no field “valu”. Did you mean “value”?"
    assert rows(pane) == SHOWN
    pane.filter.clear()
    assert not pane.error.isVisible()
    qtbot.keyClicks(pane.filter, "value > 1000")
    assert rows(pane) == []
    assert pane.empty.text() == "No event matches"
    pane.filter.clear()
    qtbot.keyClicks(pane.filter, "value < 0")
    assert pane.empty.text() == "1 event, of a kind that is off"


def a_filter_that_asks_for_kinds_looks_through_all(pane: EventsPane, qtbot: QtBot) -> None:
    qtbot.keyClicks(pane.filter, "kind == 'hard-braking'")
    assert rows(pane) == [BRAKES]
    assert not pane.kinds["near-miss"].isEnabled()
    pane.filter.clear()
    assert rows(pane) == SHOWN
    assert pane.kinds["near-miss"].isEnabled()


def a_bar_tells_how_bad_an_event_is(pane: EventsPane, qtbot: QtBot) -> None:
    switch(pane, "hard-braking", qtbot)
    bars = [pane.model.index(row, SEVERITY).data(CELL) for row in range(3)]
    assert [bar.color for bar in bars] == ["warning", "error", "muted"]
    assert [bar.share for bar in bars] == sorted((row.severity for row in pane.model.rows), reverse=True)
    assert bars[1].share == 0.6
    pane.table.clearSelection()
    pane.table.setColumnHidden(SEVERITY, False)
    rect = pane.table.visualRect(pane.model.index(1, SEVERITY))
    palette = pane.theme.palette
    for is_chosen, color in ((False, palette.error), (True, palette.on_selection)):
        if is_chosen:
            click(pane, 1, qtbot)
        picture = pane.table.viewport().grab(rect).toImage()
        drawn = {picture.pixelColor(x, picture.height() // 2).name() for x in range(picture.width())}
        assert color.name() in drawn


def test_a_narrow_pane_leaves_out_the_bar_then_the_unit(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    keys = [column.key for column in pane.model.declared]
    dock = window.panes.docks[EVENTS.name]
    for width, lacking in ((480, {"frame"}), (420, {"frame", "severity"}), (340, {"frame", "severity", "unit"})):
        window.resizeDocks([dock], [width], Qt.Orientation.Horizontal)
        qtbot.waitUntil(lambda width=width: pane.width() == width)
        assert {key for number, key in enumerate(keys) if pane.table.isColumnHidden(number)} == lacking
        foot = pane.foot
        shown = [part for part in (foot.place, foot.key, foot.note, foot.export) if part.isVisible()]
        assert shown[-2:] == [foot.note, foot.export]
        assert all(part.width() >= part.sizeHint().width() for part in shown)


def a_click_goes_to_the_worst_moment_and_selects_the_two(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    click(pane, 0, qtbot)
    session = window.session
    assert session.events.found is not None
    assert session.events.chosen is not None
    worst = int(session.events.found.table["worst"][session.events.chosen])
    assert session.selection.frame_index == worst
    assert session.selection.actors == (4, 5)
    assert pane.foot.place.text() == "1 of 2"
    assert pane.foot.key.text() == "F9"


def the_two_come_into_view_where_they_are_out_of_it(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    scene = window.panes.get(SCENE).view
    click(pane, 1, qtbot)
    seen = scene.camera
    click(pane, 0, qtbot)
    click(pane, 1, qtbot)
    assert scene.camera == seen, "what is in view already does not move"
    scene.zoom(40.0, QPointF(0, 0))
    click(pane, 0, qtbot)
    places = [place_of(scene, actor) for actor in (4, 5)]
    assert all(place is not None and scene.camera.pane.contains(place) for place in places)


def keys_in_the_table_choose_and_enter_zooms(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    click(pane, 0, qtbot)
    qtbot.keyClick(pane.table, Qt.Key.Key_Down)
    assert window.session.selection.actors == (2, 1)
    scene = window.panes.get(SCENE).view
    before = scene.camera.scale
    qtbot.keyClick(pane.table, Qt.Key.Key_Return)
    assert scene.camera.scale > before


def a_double_click_goes_there_and_follows_the_two(
    pane: EventsPane, window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    modes: tuple[FollowMode, ...] = ("keep", "middle", "up")
    for mode in modes:
        with subtests.test(mode):
            assert_a_double_click_follows(pane, window, qtbot, mode)


def assert_a_double_click_follows(pane: EventsPane, window: MainWindow, qtbot: QtBot, mode: FollowMode) -> None:
    scene = window.panes.get(SCENE).view
    scene.set_follow_mode(mode)
    at = pane.table.visualRect(pane.model.index(1, 0)).center()
    click(pane, 1, qtbot)
    qtbot.mouseDClick(pane.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert (scene.followed, scene.beside) == (2, 1)
    assert "Following 2, 1" in [active.title for active in scene.situation.modes]
    session = window.session
    inner = scene.camera.pane.adjusted(5, 5, -5, -5)
    for frame in range(0, session.frames, 5):
        session.selection.go_to_frame(frame)
        for actor in (2, 1):
            place = place_of(scene, actor)
            assert place is not None
            assert inner.contains(place)
    click(pane, 0, qtbot)
    session.selection.select_actor(3)
    window.panes.get(SCENE).follow(True)
    assert (scene.followed, scene.beside) == (3, None)
    scene.set_follow_mode("keep")


def test_of_a_long_recording_those_about_the_shown_frame_come_first(
    open_window: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash = {1: Actor(along(0, 0, 0, 3)), 2: Actor(along(10, 0, 0, 0))}  # 36 frames behind the first
    monkeypatch.setattr(traffic_events, "FRAMES_FIRST", 20)
    read_paths = Background._start
    monkeypatch.setattr(Background, "_start", lambda _background: None)
    window = open_window(film(tmp_path / "long.log", {**crash, 3: ACTORS[3]}, 8.0))
    window.show()
    window.panes.show(EVENTS.name)
    pane = window.panes.get(EVENTS)
    events = window.session.events
    qtbot.waitUntil(lambda: events.found is not None)
    assert not events.is_whole
    assert events.is_looking
    assert ("Boxes overlap", "1 2") not in rows(pane)
    assert pane.caption.endswith(" so far")
    read_paths(window.session.background)
    qtbot.waitUntil(lambda: events.is_whole)
    assert ("Boxes overlap", "1 2") in rows(pane)
    assert not events.is_looking


def keys_go_from_the_worst_to_the_next_and_round_the_end(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    told = []
    window.session.announced.connect(told.append)
    window.setFocus()
    chosen = []
    for action in ("next", "next", "next", "previous"):
        window.registry.run(f"go.{action}_traffic_event")
        chosen.append(pane.table.currentIndex().row())
    assert chosen == [0, 1, 0, 1]
    assert "Boxes overlap: 2, 1, 3.00 m/s" in told
    assert [sentence for sentence in told if sentence.endswith("Esc ends it")] == ["Near miss, Esc ends it"]


def trim_around_this_keeps_the_seconds_about_it(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    click(pane, 1, qtbot)
    session = window.session
    kept = range(max(session.selection.frame_index - 100, 0), session.selection.frame_index + 100)
    assert len(kept) < session.frames
    menu = pane._menu_at(pane.table.visualRect(pane.model.index(1, 0)).center())
    menu.actions()[0].trigger()
    menu.deleteLater()
    qtbot.waitUntil(lambda: session.frames == len(kept))


def a_range_that_is_set_stays_between_the_handles(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    span = window.session.range
    window.session.events.set_seconds(Seconds(0.5, 0.5))
    click(pane, 0, qtbot)
    assert span.is_shown
    assert not span.is_set
    span.set(2, 10)
    click(pane, 1, qtbot)
    assert span.shown == span.frames == range(2, 10)


def an_event_that_is_cut_out_is_chosen_no_more(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    click(pane, 0, qtbot)
    found = session.events.found
    assert found is not None
    first, last = (int(found.table[name][session.events.chosen]) for name in ("first", "last"))
    session.editing.apply(trim(session.snapshot_or_refuse(), range(first)))
    qtbot.waitUntil(lambda: session.events.found is not found and not session.events.is_looking)
    assert session.events.chosen is None
    session.editing.undo()
    qtbot.waitUntil(lambda: rows(pane) == SHOWN)
    click(pane, 0, qtbot)
    before = session.events.found
    session.editing.apply(trim(session.snapshot_or_refuse(), range(first - 5, last + 1)))
    qtbot.waitUntil(lambda: session.events.found is not before and not session.events.is_looking)
    assert session.events.found is not None
    assert session.events.chosen is not None
    assert session.events.found.kind(session.events.chosen).name == "near-miss"


def with_a_wrong_filter_no_rows_of_other_events_stay(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(pane.filter, "value <")
    assert pane.error.isVisible()
    window.session.events.set_thresholds(Thresholds(near_miss=0.3))
    qtbot.waitUntil(lambda: not window.session.events.is_looking and not pane.model.rows)
    assert not pane.foot.export.isEnabled()


def a_note_tells_what_the_event_was(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    click(pane, 0, qtbot)
    qtbot.mouseClick(pane.foot.note, Qt.MouseButton.LeftButton)
    idle(window, qtbot)
    (note,) = window.session.notes.items
    assert note.text.startswith("Near miss: 4, 5, ")
    assert note.actor == 4


def what_is_shown_is_exported_in_the_order_of_time(
    pane: EventsPane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    out = tmp_path / "events.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    qtbot.keyClicks(pane.filter, "actor == 2")
    assert pane.foot.export.text() == "Export these 1"
    qtbot.mouseClick(pane.foot.export, Qt.MouseButton.LeftButton)
    menu = pane.findChildren(QMenu)[-1]
    assert [action.text() for action in menu.actions()] == ["Export these 1...", "Save these 1 as recordings..."]
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(menu.actions()[0]).center())
    head, line = out.read_text(encoding="utf-8").splitlines()
    assert head.startswith("frame,frame_id,time_s,kind,start_s,end_s,actor")
    assert line.split(",")[3] == "collision"
    pane.filter.clear()
    pane.ask_export()
    lines = out.read_text(encoding="utf-8").splitlines()[1:]
    assert [line.split(",")[3] for line in lines] == ["near-miss", "collision"]


def each_event_that_is_shown_becomes_a_recording(
    pane: EventsPane, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    folder = tmp_path / "moments"
    folder.mkdir()
    said: list[str] = []
    refused: list[str] = []
    window.session.informed.connect(said.append)
    window.session.refused.connect(refused.append)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    pane.ask_recordings()
    qtbot.waitUntil(lambda: said == ["Saved 2 recordings in moments."])
    names = sorted(path.name.rpartition("-")[0] for path in folder.iterdir())
    assert [name.rstrip("0123456789") for name in names] == ["events-collision-", "events-near-miss-"]
    pane.ask_recordings()
    qtbot.waitUntil(lambda: len(refused) == 1)
    assert "exist" in refused[0]


def what_the_recordings_lack_of_the_frames_before_is_told(
    pane: EventsPane, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    late = {1: Actor(along(-60, 0, 0, 10)), 2: Actor(along(10, 0, 0, 0))}
    unknown = b.packet(150, b"\1")
    open_other(window, film(tmp_path / "late.log", late, 9.0, lambda index: [unknown] if not index else []), qtbot)
    refused: list[str] = []
    window.session.refused.connect(refused.append)
    window.session.events.set_seconds(Seconds(before=1.0, after=1.0))
    pane.write_recordings(tmp_path / "moments")
    qtbot.waitUntil(lambda: len(refused) == 1)
    assert "150" in refused[0]


def a_heading_sorts(pane: EventsPane, qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    switch(pane, "hard-braking", qtbot)
    qtmodeltester.check(pane.model)
    click(pane, 0, qtbot)
    before = pane.session.events.chosen
    header = pane.header
    place = QPoint(header.sectionViewportPosition(1) + 8, header.height() // 2)
    for is_reversed in (False, True):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
        times = [row.seconds for row in pane.model.rows]
        assert times == sorted(times, reverse=is_reversed)
    assert pane.session.events.chosen == before
    assert pane.model.rows[pane.table.currentIndex().row()].row == before


def after_an_edit_events_are_found_again_and_the_chosen_one_stays(
    pane: EventsPane, window: MainWindow, qtbot: QtBot
) -> None:
    click(pane, 0, qtbot)
    session = window.session
    snapshot = session.snapshot_or_refuse()
    (driver,) = (life for life in Actors.of(snapshot) if life.actor == 1)
    session.editing.apply(remove_actors(snapshot, [driver]))
    qtbot.waitUntil(lambda: rows(pane) == SHOWN[:1])
    assert pane.foot.place.text() == "1 of 1"
    session.editing.undo()
    qtbot.waitUntil(lambda: rows(pane) == SHOWN)
    assert pane.foot.place.text() == "1 of 2"


def typed(editor: NumberEdit, text: str, qtbot: QtBot) -> None:
    editor.setFocus()
    editor.selectAll()
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)


def a_threshold_is_chosen_in_the_preferences_and_events_are_found_again(
    pane: EventsPane, window: MainWindow, qtbot: QtBot
) -> None:
    click(pane, 1, qtbot)
    menu = pane._menu_at(pane.table.visualRect(pane.model.index(1, 0)).center())
    (action,) = (action for action in menu.actions() if action.text() == "Thresholds...")
    action.trigger()
    menu.deleteLater()
    dialog = window.findChild(PreferencesDialog)
    assert isinstance(dialog, PreferencesDialog)
    bring_up(dialog, qtbot)
    near_miss, braking_row = (dialog.rows[f"events/{name}"] for name in ("near_miss", "hard_braking"))
    assert isinstance(near_miss, PreferenceRow)
    assert isinstance(braking_row, PreferenceRow)
    assert near_miss.isVisible()
    assert dialog.focusWidget() is near_miss.editor
    assert isinstance(near_miss.editor, NumberEdit)
    typed(near_miss.editor, "0.3", qtbot)
    qtbot.waitUntil(lambda: rows(pane) == SHOWN[1:])
    assert pane.foot.place.text() == "1 of 1"  # the chosen one stays
    qtbot.waitUntil(lambda: event_lanes(window) == [("Events", 1)])
    typed(near_miss.editor, "0", qtbot)
    assert near_miss.editor.reason == "The smallest value here is 0.1 s."
    assert window.session.events.thresholds.near_miss == 0.3
    qtbot.mouseClick(near_miss.reset, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: rows(pane) == SHOWN)
    assert isinstance(braking_row.editor, NumberEdit)
    typed(braking_row.editor, "-3.8", qtbot)
    qtbot.waitUntil(lambda: pane.session.events.found is not None and len(pane.session.events.found) == 4)
    switch(pane, "hard-braking", qtbot)
    assert ("Hard braking", "4") in rows(pane)


def a_click_on_a_mark_chooses_the_event(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    canvas = window.panes.get(TIMELINE).canvas
    events = window.session.events
    assert events.found is not None
    worst = int(events.found.table["worst"][pane.model.rows[0].row])
    at = point_of(canvas, worst)
    tip = canvas.pointing.tip(at)
    assert tip.startswith("<b>Near miss</b>: 4, 5<br>Minimum 2D-TTC: ")
    assert f"frame {worst + 1} (id {worst + 1}), {worst * 0.05:.3f} s" in tip
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert events.chosen == pane.model.rows[0].row
    assert window.session.selection.actors == (4, 5)


def a_click_at_the_name_of_the_lane_puts_the_kinds_apart(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    timeline = window.panes.get(TIMELINE)
    name = point_of(timeline.canvas, 0).toPoint()
    name.setX(20)
    qtbot.mouseClick(timeline.canvas, Qt.MouseButton.LeftButton, pos=name)
    assert event_lanes(window) == [("Events", 2), ("Collision", 1), ("Near miss", 1)]
    assert timeline.workspace_values["folds_kinds"].read() is False
    switch(pane, "hard-braking", qtbot)
    assert event_lanes(window)[-1] == ("Hard braking", 1)
    qtbot.mouseClick(timeline.canvas, Qt.MouseButton.LeftButton, pos=name)
    assert event_lanes(window) == [("Events", 3)]


def of_marks_that_are_near_the_worse_is_drawn(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    # The second two do the same at the same time, with more room between them.
    later = {6: Actor(along(0, 120, 0, braking(12, -3.9))), 7: Actor(along(12 + 12**2 / 7.8 + 5.15, 120, 0, 0))}
    open_other(window, film(tmp_path / "two.log", {4: ACTORS[4], 5: ACTORS[5], **later}, 6.0), qtbot)
    events = window.session.events
    assert events.found is not None
    assert event_lanes(window) == [("Events", 2)]
    canvas = window.panes.get(TIMELINE).canvas
    frames = [int(events.found.table["worst"][row]) for row in range(2)]
    tips = [canvas.pointing.tip(point_of(canvas, frame)) for frame in frames]
    assert abs(point_of(canvas, frames[0]).x() - point_of(canvas, frames[1]).x()) < 10
    assert tips[0].startswith("<b>Near miss</b>: 4, 5<br>")
    assert tips[0].endswith("<br>and 1 more here")
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=point_of(canvas, frames[0]).toPoint())
    assert window.session.selection.actors == (4, 5)


def marks_of_frequent_kinds_hide_no_others(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    switch(pane, "hard-braking", qtbot)
    found = window.session.events.found
    assert found is not None
    lanes = window.panes.get(TIMELINE).canvas.timeline_lanes
    (lane,) = (lane for lane in lanes if lane.meaning == "traffic")
    kinds = [found.kind(row).name for row in lane.groups[0].targets]
    assert kinds == ["near-miss", "collision", "hard-braking"]


def the_event_under_the_pointer_is_marked_and_nothing_moves(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    canvas = window.panes.get(TIMELINE).canvas
    scene = window.panes.get(SCENE).view
    view = scene.camera.view
    frame = session.selection.frame_index
    worst = int(pane.model.rows[0].events.table["worst"][pane.model.rows[0].row])
    at = point_of(canvas, worst).toPoint()
    spot = QRect(at.x() - 12, at.y() - 9, 24, 18)
    before = canvas.grab(spot).toImage()
    qtbot.mouseMove(pane.table.viewport(), pane.table.visualRect(pane.model.index(0, 0)).center())
    qtbot.waitUntil(lambda: session.events.pointed == pane.model.rows[0].row)
    assert canvas.grab(spot).toImage() != before
    assert scene.state.pointed == (4, 5)
    assert scene.camera.view == view
    assert session.selection.frame_index == frame
    assert session.selection.actors == ()
    QApplication.sendEvent(pane.table.viewport(), QEvent(QEvent.Type.Leave))
    assert session.events.pointed is None
    assert canvas.grab(spot).toImage() == before
    assert scene.state.pointed == ()


def test_a_recording_without_events_says_what_was_not_looked_for(
    open_window: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_window(film(tmp_path / "calm.log", {1: Actor(along(0, 0, 0, 3))}, 1.0))
    window.show()
    window.panes.show(EVENTS.name)
    idle(window, qtbot)
    pane = window.panes.get(EVENTS)
    assert pane.empty.text() == "No events in 21 frames"
    thresholds, lacking = pane.empty._detail.text().splitlines()
    assert thresholds.startswith("Near miss below 1.5 s, Short PET below 1.5 s")
    assert "Hard braking below -4 m/s²" in thresholds
    assert lacking == "Wrong way, Off the road, Lane change: these need a road map."
    qtbot.mouseClick(pane.thresholds, Qt.MouseButton.LeftButton)
    dialog = window.findChild(PreferencesDialog)
    assert isinstance(dialog, PreferencesDialog)
    dialog.reject()
    assert not pane.foot.note.isEnabled()
    window.registry.run("file.close")
    idle(window, qtbot)
    assert pane.empty.text() == "No recording open"
    assert pane.thresholds.isHidden()


def test_events_in_one_window(
    request: pytest.FixtureRequest, window: MainWindow, pane: EventsPane, qtbot: QtBot
) -> None:
    recording = window.session.recording
    assert recording is not None
    path = recording.path
    events = window.session.events
    seconds = events.seconds

    def begin() -> None:
        """Open the recording again, and put back what does not belong to it."""
        pane.filter.clear()
        events.show_kinds({})
        events.set_thresholds(STANDARD)
        events.set_seconds(seconds)
        window.panes.get(TIMELINE).workspace_values["folds_kinds"].show(True)
        open_other(window, path, qtbot)
        window.panes.get(SCENE).view.fit()
        bring_up(pane, qtbot)
        assert rows(pane) == SHOWN

    in_turn(
        request,
        window,
        the_worst_events_stand_first_and_frequent_kinds_are_off,
        the_lane_has_the_marks_of_the_kinds_that_are_on,
        the_switches_belong_to_the_workspace,
        the_filter_takes_expressions_and_tells_where_one_is_wrong,
        a_filter_that_asks_for_kinds_looks_through_all,
        a_bar_tells_how_bad_an_event_is,
        a_click_goes_to_the_worst_moment_and_selects_the_two,
        the_two_come_into_view_where_they_are_out_of_it,
        keys_in_the_table_choose_and_enter_zooms,
        keys_go_from_the_worst_to_the_next_and_round_the_end,
        trim_around_this_keeps_the_seconds_about_it,
        a_range_that_is_set_stays_between_the_handles,
        an_event_that_is_cut_out_is_chosen_no_more,
        with_a_wrong_filter_no_rows_of_other_events_stay,
        what_is_shown_is_exported_in_the_order_of_time,
        each_event_that_is_shown_becomes_a_recording,
        after_an_edit_events_are_found_again_and_the_chosen_one_stays,
        a_click_on_a_mark_chooses_the_event,
        a_click_at_the_name_of_the_lane_puts_the_kinds_apart,
        marks_of_frequent_kinds_hide_no_others,
        the_event_under_the_pointer_is_marked_and_nothing_moves,
        a_double_click_goes_there_and_follows_the_two,
        a_threshold_is_chosen_in_the_preferences_and_events_are_found_again,
        of_marks_that_are_near_the_worse_is_drawn,
        what_the_recordings_lack_of_the_frames_before_is_told,
        a_note_tells_what_the_event_was,
        a_heading_sorts,
        opens=False,
        between=begin,
    )
