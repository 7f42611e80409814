"""The pane Events and its lane: what they show, and what a click, a key or a button does with an event."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from recorder_editor.edits import remove_actors
from recorder_editor.reading import Actors
from recorder_editor.reading.events.moments import Seconds
from recorder_editor.ui.panes.events.events_pane import EventsPane
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import EVENTS, SCENE, TIMELINE

from .. import builders as b
from ..reading.films import Actor, along, braking, film
from .windows import bring_up, idle

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


def rows(pane: EventsPane) -> list[tuple[str, ...]]:
    """Kind, actor and other of each row."""
    model = pane.model
    return [tuple(model.index(row, column).data() for column in (0, 3, 4)) for row in range(model.rowCount())]


def click(pane: EventsPane, row: int, qtbot: QtBot) -> None:
    rect = pane.table.visualRect(pane.model.index(row, 0))
    qtbot.mouseClick(pane.table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())


SHOWN = [("Near miss", "4", "5"), ("Boxes overlap", "2", "1")]


def test_the_worst_events_stand_first_and_frequent_kinds_are_folded(pane: EventsPane, qtbot: QtBot) -> None:
    assert rows(pane) == SHOWN
    assert pane.place.text() == "1 Hard braking"
    qtbot.mouseClick(pane.frequent, Qt.MouseButton.LeftButton)
    assert ("Hard braking", "3", "–") in rows(pane)
    assert pane.place.text() == ""
    qtbot.mouseClick(pane.frequent, Qt.MouseButton.LeftButton)
    assert rows(pane) == SHOWN


def test_the_filter_takes_expressions_and_tells_where_one_is_wrong(pane: EventsPane, qtbot: QtBot) -> None:
    qtbot.keyClicks(pane.filter, "kind == 'hard-braking'")
    assert rows(pane) == [("Hard braking", "3", "–")]
    pane.filter.clear()
    qtbot.keyClicks(pane.filter, "actor == 2 and severity > 0.5")
    assert rows(pane) == SHOWN[1:]
    pane.filter.clear()
    qtbot.keyClicks(pane.filter, "valu < 1")
    assert pane.error.isVisible()
    assert pane.error.message == "Event has no field “valu”. Did you mean “value”?"
    pane.filter.clear()
    assert not pane.error.isVisible()
    qtbot.keyClicks(pane.filter, "value > 1000")
    assert rows(pane) == []
    assert pane.empty.text() == "No event matches"


def test_a_click_goes_to_the_worst_moment_and_selects_the_two(
    pane: EventsPane, window: MainWindow, qtbot: QtBot
) -> None:
    click(pane, 0, qtbot)
    session = window.session
    assert session.events.found is not None
    assert session.events.chosen is not None
    worst = int(session.events.found.table["worst"][session.events.chosen])
    assert session.selection.frame_index == worst
    assert session.selection.actors == (4, 5)
    assert pane.place.text() == "1 of 2"


def test_keys_in_the_table_choose_and_enter_zooms(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    click(pane, 0, qtbot)
    qtbot.keyClick(pane.table, Qt.Key.Key_Down)
    assert window.session.selection.actors == (2, 1)
    scene = window.panes.get(SCENE).view
    before = scene.camera.scale
    qtbot.keyClick(pane.table, Qt.Key.Key_Return)
    assert scene.camera.scale > before


def test_keys_go_from_the_worst_to_the_next_and_round_the_end(
    pane: EventsPane, window: MainWindow, qtbot: QtBot
) -> None:
    told = []
    window.session.announced.connect(told.append)
    window.setFocus()
    chosen = []
    for action in ("next", "next", "next", "previous"):
        window.registry.run(f"go.{action}_traffic_event")
        chosen.append(pane.table.currentIndex().row())
    assert chosen == [0, 1, 0, 1]
    assert told[1] == "Boxes overlap: 2, 1, 3.00 m/s"


def test_trim_around_this_keeps_the_seconds_about_it(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    assert not pane.trim.isEnabled()
    click(pane, 1, qtbot)
    session = window.session
    kept = range(max(session.selection.frame_index - 100, 0), session.selection.frame_index + 100)
    assert len(kept) < session.frames
    qtbot.mouseClick(pane.trim, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.frames == len(kept))


def test_a_note_tells_what_the_event_was(pane: EventsPane, window: MainWindow, qtbot: QtBot) -> None:
    click(pane, 0, qtbot)
    qtbot.mouseClick(pane.note_button, Qt.MouseButton.LeftButton)
    idle(window, qtbot)
    (note,) = window.session.notes.items
    assert note.text.startswith("Near miss: 4, 5, ")
    assert note.actor == 4


def test_what_is_shown_is_exported_in_the_order_of_time(
    pane: EventsPane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    out = tmp_path / "events.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    qtbot.keyClicks(pane.filter, "actor == 2")
    pane.ask_export()
    head, line = out.read_text(encoding="utf-8").splitlines()
    assert head.startswith("frame,frame_id,time_s,kind,start_s,end_s,actor")
    assert line.split(",")[3] == "collision"
    pane.filter.clear()
    pane.ask_export()
    lines = out.read_text(encoding="utf-8").splitlines()[1:]
    assert [line.split(",")[3] for line in lines] == ["near-miss", "collision"]


def test_each_event_that_is_shown_becomes_a_recording(
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


def test_what_the_recordings_lack_of_the_frames_before_is_told(
    open_window: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    late = {1: Actor(along(-60, 0, 0, 10)), 2: Actor(along(10, 0, 0, 0))}
    unknown = b.packet(150, b"\1")
    window = open_window(film(tmp_path / "late.log", late, 9.0, lambda index: [unknown] if not index else []))
    window.show()
    window.panes.show(EVENTS.name)
    idle(window, qtbot)
    pane = window.panes.get(EVENTS)
    refused: list[str] = []
    window.session.refused.connect(refused.append)
    window.session.events.set_seconds(Seconds(before=1.0, after=1.0))
    pane.write_recordings(tmp_path / "moments")
    qtbot.waitUntil(lambda: len(refused) == 1)
    assert "150" in refused[0]


def test_a_heading_sorts(pane: EventsPane, qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    qtbot.mouseClick(pane.frequent, Qt.MouseButton.LeftButton)
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


def test_after_an_edit_events_are_found_again_and_the_chosen_one_stays(
    pane: EventsPane, window: MainWindow, qtbot: QtBot
) -> None:
    click(pane, 0, qtbot)
    session = window.session
    snapshot = session.snapshot_or_refuse()
    (driver,) = (life for life in Actors.of(snapshot) if life.actor == 1)
    session.editing.apply(remove_actors(snapshot, [driver]))
    qtbot.waitUntil(lambda: rows(pane) == SHOWN[:1])
    assert pane.place.text() == "1 of 1"
    session.editing.undo()
    qtbot.waitUntil(lambda: rows(pane) == SHOWN)
    assert pane.place.text() == "1 of 2"


def test_the_lane_has_a_mark_for_each_and_a_click_chooses_it(window: MainWindow, qtbot: QtBot) -> None:
    canvas = window.panes.get(TIMELINE).canvas
    (lane,) = (lane for lane in canvas.timeline_lanes if lane.name == "Events")
    assert sum(len(group.targets) for group in lane.groups) == 2


def test_where_only_frequent_kinds_were_found_it_is_said(
    open_window: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_window(film(tmp_path / "braking.log", {1: ACTORS[3]}, 5.0))
    window.show()
    window.panes.show(EVENTS.name)
    idle(window, qtbot)
    pane = window.panes.get(EVENTS)
    assert pane.empty.text() == "Only frequent kinds"
    assert pane.empty._detail.text() == "1 Hard braking"
    qtbot.mouseClick(pane.frequent, Qt.MouseButton.LeftButton)
    assert rows(pane) == [("Hard braking", "1", "–")]


def test_a_recording_without_events_says_what_was_not_looked_for(
    open_window: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_window(film(tmp_path / "calm.log", {1: Actor(along(0, 0, 0, 3))}, 1.0))
    window.show()
    window.panes.show(EVENTS.name)
    idle(window, qtbot)
    pane = window.panes.get(EVENTS)
    assert pane.empty.text() == "No events in 21 frames"
    assert pane.empty._detail.text() == "Wrong way, Off the road, Lane change: these need a road map."
    assert not pane.trim.isEnabled()
    window.registry.run("file.close")
    idle(window, qtbot)
    assert pane.empty.text() == "No recording open"
