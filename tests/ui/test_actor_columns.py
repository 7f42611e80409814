"""A column of the pane Actors is one entry: what is declared of it is found in the table."""

import math
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from recorder_editor.ui.panes.actors import actors_model
from recorder_editor.ui.panes.actors.actors_model import COLUMNS, ActorRow
from recorder_editor.ui.panes.actors.actors_pane import ActorsTable
from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.table_columns import NumberColumn, TextColumn
from recorder_editor.views.units import Units

from .windows import bring_up

WIDTH = 900
LATEST = 20  # frames


def mean_speed(row: ActorRow) -> float | None:
    if row.trajectory is None or row.life.born > LATEST:
        return None
    return row.trajectory.distance / 20


NEW = NumberColumn(
    "mean_speed",
    title="Mean speed",
    tooltip="Mean speed ({unit})",
    width=150,
    shown_from=800,
    needs="trajectories",
    value=mean_speed,
    unit="m/s",
)
POSITION = 3


@pytest.fixture
def table(
    session: Session, theme: Theme, recordings: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> ActorsTable:
    """The pane with one more column, in the middle."""
    monkeypatch.setattr(actors_model, "COLUMNS", (*COLUMNS[:POSITION], NEW, *COLUMNS[POSITION:]))
    table = ActorsTable(session, theme)
    qtbot.addWidget(table)
    table.resize(WIDTH, 400)
    session.open(recordings / "carla-0.9.13-town05-collisions.log")
    bring_up(table, qtbot)
    return table


@pytest.fixture
def known(table: ActorsTable, session: Session, qtbot: QtBot) -> ActorsTable:
    """The same, once trajectories are known."""
    qtbot.waitUntil(lambda: session.background.trajectories is not None and not session.jobs.running)
    return table


def texts(table: ActorsTable) -> list[str]:
    """What the column says, from above."""
    return [str(table.model.index(row, POSITION).data()) for row in range(table.model.rowCount())]


def heading(table: ActorsTable, role: Qt.ItemDataRole) -> object:
    return table.model.headerData(POSITION, Qt.Orientation.Horizontal, role)


def test_keys_name_one_column_each() -> None:
    keys = [column.key for column in COLUMNS]
    assert len(set(keys)) == len(keys)


def test_its_heading_has_title_and_tooltip_in_the_unit_that_is_shown(known: ActorsTable, theme: Theme) -> None:
    assert heading(known, Qt.ItemDataRole.DisplayRole) == "Mean speed"
    assert heading(known, Qt.ItemDataRole.ToolTipRole) == "Mean speed (m/s)"
    theme.set_units(Units(speed="km/h"))
    assert heading(known, Qt.ItemDataRole.ToolTipRole) == "Mean speed (km/h)"
    assert known.model.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) is None


def test_its_cells_are_figures_in_that_unit_and_those_that_are_missing_are_told(
    known: ActorsTable, theme: Theme
) -> None:
    speeds = [mean_speed(row) for row in known.model.rows]
    assert texts(known) == [f"{speed:.1f}" if speed is not None else "–" for speed in speeds]
    assert {"–"} < set(texts(known))
    cell = known.model.index(0, POSITION)
    right = int(Qt.AlignmentFlag.AlignRight.value)
    assert cell.data(Qt.ItemDataRole.TextAlignmentRole) & right
    assert heading(known, Qt.ItemDataRole.TextAlignmentRole) == cell.data(Qt.ItemDataRole.TextAlignmentRole)
    assert cell.data(Qt.ItemDataRole.FontRole) == theme.mono
    theme.set_units(Units(speed="km/h"))
    assert texts(known) == [f"{3.6 * speed:.1f}" if speed is not None else "–" for speed in speeds]


def test_a_click_on_its_heading_sorts_by_it_with_missing_ones_first(known: ActorsTable, qtbot: QtBot) -> None:
    header = known.header
    place = QPoint(header.sectionViewportPosition(POSITION) + 20, header.height() // 2)
    orders = {}
    for _ in range(2):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
        orders[header.sortIndicatorOrder()] = [mean_speed(row) for row in known.model.rows]
    assert header.sortIndicatorSection() == POSITION
    rising = orders[Qt.SortOrder.AscendingOrder]
    missing = rising.count(None)
    assert 0 < missing < len(rising)
    assert rising[:missing] == [None] * missing
    numbers = [speed for speed in rising if speed is not None]
    assert numbers == sorted(numbers)
    falling = orders[Qt.SortOrder.DescendingOrder]
    assert falling == [*reversed(numbers), *[None] * missing]


def test_rows_are_sorted_by_it_anew_once_what_it_needs_is_known(
    table: ActorsTable, session: Session, qtbot: QtBot
) -> None:
    table.table.sortByColumn(POSITION, Qt.SortOrder.DescendingOrder)
    qtbot.waitUntil(lambda: session.background.trajectories is not None)
    numbers = [speed for row in table.model.rows if (speed := mean_speed(row)) is not None]
    assert len(numbers) > 1
    assert numbers == sorted(numbers, reverse=True)


def test_it_is_as_wide_as_declared_and_hidden_in_a_narrow_pane(known: ActorsTable, theme: Theme) -> None:
    assert known.table.columnWidth(POSITION) == theme.px(NEW.width)
    assert not known.table.isColumnHidden(POSITION)
    known.resize(NEW.shown_from - 1, 400)
    assert known.table.isColumnHidden(POSITION)


def test_it_is_copied_with_the_other_columns(known: ActorsTable) -> None:
    known.table.selectRow(0)
    known.copy_content()
    head, row = (line.split("\t") for line in QGuiApplication.clipboard().text().splitlines())
    assert head[POSITION] == f"Mean speed [{NEW.unit}]"
    assert f"{float(row[POSITION]):.1f}" == texts(known)[0]
    assert len(head) == len(row) == len(known.model.available)


def test_one_that_needs_a_road_map_is_hidden_and_not_copied_without_one(
    session: Session, theme: Theme, recordings: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    town: TextColumn[ActorRow] = TextColumn(
        "map", title="Map", width=60, needs="road map", value=lambda row: "known" if row.lane_changes else ""
    )
    monkeypatch.setattr(actors_model, "COLUMNS", (*COLUMNS, town))
    table = ActorsTable(session, theme)
    qtbot.addWidget(table)
    table.resize(WIDTH, 400)
    assert town in table.model.declared
    assert town not in table.model.available
    assert table.table.isColumnHidden(len(COLUMNS))


# --- what is so in the frame that is shown ----------------------------------------------------------------


def shown_columns(table: ActorsTable) -> list[str]:
    declared = table.model.declared
    return [column.key for place, column in enumerate(declared) if not table.table.isColumnHidden(place)]


def test_the_layout_scene_lists_road_users_of_the_frame_the_nearest_to_the_hero_first(
    table: ActorsTable, session: Session, qtbot: QtBot
) -> None:
    session.selection.go_to_frame(260)
    assert "speed" not in shown_columns(table)
    assert not table.alive.isVisible()
    table.show_moment(True)
    assert shown_columns(table) == ["actor", "blueprint", "speed", "to_hero"]
    model = table.model
    rows = model.rows
    assert [row.life.actor for row in rows[:4]] == [3890, 3903, 3923, 3924]
    assert (rows[0].to_hero, round(rows[1].to_hero, 3), round(rows[1].speed, 3)) == (0.0, 3.840, 4.298)
    speed = model.declared[[column.key for column in model.declared].index("speed")]
    assert model.text(rows[1], speed) == "4.298 m/s"
    assert table.alive.segment(0).accessibleName() == "Alive 31"
    assert table.alive.segment(1).accessibleName() == "All 49"
    assert len(rows) == 31
    session.selection.select_actor(3923)
    session.selection.go_to_frame(300)
    qtbot.waitUntil(lambda: [row.life.actor for row in model.rows[:3]] != [3890, 3903, 3923])
    assert [life.actor for life in table.selected_lives()] == [3923]
    qtbot.mouseClick(table.alive.segment(1), Qt.MouseButton.LeftButton)
    assert len(model.rows) == 49
    assert math.isnan(model.rows[-1].to_hero), "those that are not there come last"
    table.show_moment(False)
    assert len(model.rows) == len(model.lives) > 49
    assert "speed" not in shown_columns(table)
