"""What the window tells of lanes once a road map is known: signals, the Actors table, the timeline, the analysis."""

import importlib.util
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from recorder_editor.edits.replace import replace_where
from recorder_editor.reading.expression import ExpressionError
from recorder_editor.ui.panes.actors.actors_pane import ActorsTable
from recorder_editor.ui.panes.timeline.timeline_pane import TimelinePane
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.color_rules import ColorRules
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.packet_filter import filter_of
from recorder_editor.views.signal_catalog import LANES, signals_of_actor, texts_of, title_of
from recorder_editor.views.signal_key import Key, packed, unpacked
from recorder_editor.views.signal_reading import read_signals
from recorder_editor.views.timeline_lives import bar_of

from ..recording.street import AWAY, CHANGE, CHANGING, FRAMES, LAMP, STREET, WALKER, WRONG, street_recording
from ..roads.builders import geometry, opendrive, road
from .windows import actors_column, bring_up

OFF_ROAD = actors_column("off_road")
CHANGES = actors_column("lane_changes")
KEYS = [Key("motion", name, "", CHANGING) for name in LANES]


@pytest.fixture
def town(session: Session, tmp_path: Path, qtbot: QtBot) -> Session:
    """The session with the street and its map, looked through."""
    path = tmp_path / "town.log"
    path.write_bytes(street_recording())
    path.with_name("Town01.xodr").write_bytes(STREET)
    session.open(path, dialect="ue4-0.9.12")
    qtbot.waitUntil(lambda: session.background.lane_use is not None and not session.jobs.running)
    return session


def codes(session: Session) -> set[str]:
    return {finding.code for finding in session.background.findings}


def test_the_map_of_the_window_is_checked_with_and_forgotten_again(town: Session, qtbot: QtBot) -> None:
    assert {"off-road", "wrong-way", "on-sidewalk"} < codes(town)
    paths = town.background.trajectories
    town.use_lanes(None)
    qtbot.waitUntil(lambda: "off-road" not in codes(town) and not town.jobs.running)
    assert town.background.lane_use is None
    assert town.background.trajectories is paths


def test_the_map_that_the_window_finds_is_taken_unless_it_is_of_another_town(
    town: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    session = town
    elsewhere = tmp_path / "elsewhere.xodr"
    elsewhere.write_bytes(opendrive(road(plan=geometry(x=9000.0))))
    session.roads.choose(elsewhere)
    qtbot.waitUntil(lambda: session.roads.misfit is not None and not session.jobs.running)
    assert session.snapshot_or_refuse().roads is None
    assert "off-road" not in codes(session)
    session.roads.forget()
    qtbot.waitUntil(lambda: session.background.lane_use is not None and not session.jobs.running)


def test_an_edit_is_looked_through_with_the_same_map(town: Session, qtbot: QtBot) -> None:
    town.editing.apply(replace_where(town.snapshot_or_refuse(), "Position where wrong_way: rotation.yaw = 180"))
    qtbot.waitUntil(lambda: "wrong-way" not in codes(town) and not town.jobs.running)
    assert "off-road" in codes(town)


def test_signals_of_lanes_are_offered_and_made_with_a_map(town: Session) -> None:
    snapshot, actors = town.snapshot, town.actors
    assert snapshot is not None
    assert actors is not None
    assert [key for key in signals_of_actor(snapshot, actors, CHANGING, 0) if key.name in LANES] == KEYS
    assert unpacked(packed(tuple(KEYS))) == tuple(KEYS)
    assert texts_of(KEYS[1], snapshot.dialect).unit == "°"
    assert title_of(KEYS[0], snapshot.dialect) == f"{CHANGING} lane offset"
    wrong = KEYS[1]._replace(actor=WRONG)
    found = read_signals(snapshot, [*KEYS, wrong], None, None)
    assert not found.refused
    values = [found.series[key].values for key in KEYS]
    np.testing.assert_allclose(values[0], [0.0] * CHANGE + [-0.25] * (FRAMES - CHANGE), atol=1e-6)
    np.testing.assert_allclose(values[1], [0.0] * FRAMES, atol=1e-6)
    np.testing.assert_allclose(values[2], [1.75] * CHANGE + [1.5] * (FRAMES - CHANGE), atol=1e-6)
    np.testing.assert_allclose(found.series[wrong].values, [-170.0] * FRAMES, atol=1e-6)
    town.use_lanes(None)
    assert not [key for key in signals_of_actor(snapshot, actors, CHANGING, 0) if key.name in LANES]
    refused = read_signals(snapshot, [KEYS[0]], None, None).refused
    assert refused == {KEYS[0]: "This needs a road map, and none of this town is known."}


@pytest.fixture
def table(town: Session, theme: Theme, qtbot: QtBot) -> ActorsTable:
    table = ActorsTable(town, theme)
    qtbot.addWidget(table)
    table.resize(1000, 400)
    bring_up(table, qtbot)
    return table


def row_of(table: ActorsTable, actor: int) -> int:
    (row,) = (row for row in range(table.model.rowCount()) if table.model.life(row).actor == actor)
    return row


def cell(table: ActorsTable, actor: int, column: int) -> object:
    return table.model.index(row_of(table, actor), column).data()


def sort_key(table: ActorsTable, actor: int, column: int) -> object:
    return table.model.sort_key(table.model.rows[row_of(table, actor)], column)


def test_the_actors_table_tells_the_share_off_the_road_and_changes_of_lanes(table: ActorsTable, town: Session) -> None:
    assert [cell(table, actor, OFF_ROAD) for actor in (AWAY, CHANGING, LAMP)] == ["86 %", "", "–"]
    assert [cell(table, actor, CHANGES) for actor in (AWAY, CHANGING, WALKER)] == ["", "1", ""]
    assert [sort_key(table, actor, OFF_ROAD) for actor in (CHANGING, LAMP)] == [0.0, -math.inf]
    assert not table.table.isColumnHidden(OFF_ROAD)
    town.use_lanes(None)
    assert table.table.isColumnHidden(OFF_ROAD)
    assert table.table.isColumnHidden(CHANGES)


@pytest.fixture
def timeline(town: Session, theme: Theme, qtbot: QtBot) -> Iterator[TimelinePane]:
    player = Player(town)
    pane = TimelinePane(town, theme, player)
    qtbot.addWidget(pane)
    pane.resize(1440, 400)
    bring_up(pane, qtbot)
    yield pane
    player.pause()


def test_a_change_of_lanes_is_marked_in_the_row_of_the_actor(timeline: TimelinePane, town: Session) -> None:
    actors, background, axis = town.actors, town.background, timeline.canvas.axis
    assert actors is not None
    (life,) = actors.of_id(CHANGING)
    bar = bar_of(life, axis, background.trajectories, actors, background.lanes_of(life)[1])
    assert bar is not None
    (mark,) = bar.changes
    assert mark == pytest.approx(axis.x(float(axis.times[CHANGE])), abs=1)
    (other,) = actors.of_id(WRONG)
    straight_on = bar_of(other, axis, background.trajectories, actors, background.lanes_of(other)[1])
    assert straight_on is not None
    assert straight_on.changes == []


def test_the_mark_is_seen_and_its_tooltip_tells_the_frame(timeline: TimelinePane, town: Session) -> None:
    canvas = timeline.canvas
    layout = canvas.timeline_layout
    (row,) = (row for row in range(layout.rows) if layout.roster.life(row).actor == CHANGING)
    at = QPointF(canvas.axis.x(float(canvas.axis.times[CHANGE])), layout.life_y(row) + layout.life_height / 2)
    assert f"lane change: frame {CHANGE + 1}" in canvas.pointing.tip(at)
    assert "lane change" not in canvas.pointing.tip(at - QPointF(40, 0))
    marked = canvas.grab().toImage()
    town.use_lanes(None)
    bare = canvas.grab().toImage()
    near = [QPointF(x, y).toPoint() for x in (at.x() - 2, at.x(), at.x() + 2) for y in (at.y() - 4, at.y() + 4)]
    assert any(marked.pixelColor(point) != bare.pixelColor(point) for point in near)
    assert "lane change" not in canvas.pointing.tip(at)


def test_filters_and_colour_rules_know_lanes(town: Session) -> None:
    snapshot, actors = town.snapshot, town.actors
    assert snapshot is not None
    assert actors is not None
    rules = ColorRules(["wrong_way: red", 'lane_type == "sidewalk": blue'])
    met = rules.first_rules(snapshot, snapshot[0], actors)
    colors = {actors.lives[life].actor: rule.color.name() for life, rule in met.items()}
    assert colors[WRONG] == "#ff0000"
    assert colors[WALKER] == "#0000ff"
    assert filter_of("Position where off_road", snapshot).query is not None
    assert rules.missing_map_sentence(snapshot) == ""
    town.use_lanes(None)
    assert rules.first_rules(snapshot, snapshot[0], actors) == {}
    assert rules.missing_map_sentence(snapshot).startswith("wrong_way: “wrong_way” needs a road map (.xodr)")
    assert rules.errors(snapshot.dialect) == []
    with pytest.raises(ExpressionError, match="needs a road map"):
        filter_of("Position where off_road", snapshot)


@pytest.mark.skipif(importlib.util.find_spec("scipy") is None, reason="SciPy is not installed")
def test_traffic_is_analysed_again_with_another_map(town: Session, qtbot: QtBot) -> None:
    town.traffic.request()
    qtbot.waitUntil(lambda: town.traffic.is_current)
    analysis = town.traffic.analysis
    assert analysis is not None
    assert analysis.roads is not None
    town.use_lanes(None)
    assert not town.traffic.is_current
    qtbot.waitUntil(lambda: town.traffic.is_current)
    again = town.traffic.analysis
    assert again is not None
    assert again.roads is None
