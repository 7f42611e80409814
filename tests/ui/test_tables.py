"""The tables of actors and of problems: sorted, filtered, linked with the selection, worked with by mouse and keys."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.edits import Place
from recorder_editor.recording.findings import Finding
from recorder_editor.ui.panes.actors.actors_pane import ActorsTable
from recorder_editor.ui.panes.problems.problems_pane import ProblemsPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.pane_list import PACKETS, PROBLEMS
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from ..recording.films import add, film
from .parts import Parts
from .windows import OpenWindow, actors_column, bring_up

LEFT = Qt.MouseButton.LeftButton
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
HERO, BIKE, TRUCK = 3890, 3891, 3932
ID = actors_column("actor")
CLASS = actors_column("class")
BLUEPRINT = actors_column("blueprint")
DISTANCE = actors_column("distance")
of_actors = Parts()

TITLES = ["Id", "Class", "Blueprint", "Role", "First", "Last", "Distance", "Top speed", "Collisions"]
"""Of the columns without a road map."""


@pytest.fixture
def actors(session: Session, theme: Theme, recordings: Path, qtbot: QtBot) -> ActorsTable:
    table = ActorsTable(session, theme)
    qtbot.addWidget(table)
    table.resize(760, 500)
    session.open(recordings / "carla-0.9.13-town05-collisions.log")
    bring_up(table, qtbot)
    qtbot.waitUntil(lambda: session.background.trajectories is not None)
    session.selection.go_to_frame(330)
    return table


def column(actors: ActorsTable, number: int) -> list[str]:
    """What a column says, from above."""
    model = actors.table.model()
    return [str(model.index(row, number).data()) for row in range(model.rowCount())]


def click_header(actors: ActorsTable, number: int, qtbot: QtBot) -> None:
    header = actors.table.horizontalHeader()
    at = QPoint(header.sectionViewportPosition(number) + header.sectionSize(number) // 2, header.height() // 2)
    qtbot.mouseClick(header.viewport(), LEFT, pos=at)


def row_of(actors: ActorsTable, actor: int) -> int:
    return column(actors, ID).index(str(actor))


def click_row(actors: ActorsTable, actor: int, qtbot: QtBot, keys: Qt.KeyboardModifier | None = None) -> None:
    index = actors.table.model().index(row_of(actors, actor), BLUEPRINT)
    actors.table.scrollTo(index)
    at = actors.table.visualRect(index).center()
    qtbot.mouseClick(actors.table.viewport(), LEFT, keys or Qt.KeyboardModifier.NoModifier, at)


def selected(actors: ActorsTable) -> list[int]:
    return [life.actor for life in actors.selected_lives()]


# --- actors ---------------------------------------------------------------------------------------------


@of_actors
def the_hero_vehicles_and_walkers_stand_first(actors: ActorsTable) -> None:
    lives = [actors.model.life(row) for row in range(actors.model.rowCount())]
    assert lives[0].is_hero
    kinds = [life.class_ for life in lives[1:]]
    users = [kind in ("vehicle", "two-wheeler", "walker") for kind in kinds]
    assert users == sorted(users, reverse=True)
    assert "traffic light" in kinds


@of_actors
def a_click_on_a_header_sorts_by_that_column_and_another_turns_it(actors: ActorsTable, qtbot: QtBot) -> None:
    header = actors.table.horizontalHeader()
    for number in range(len(TITLES)):
        if number == header.sortIndicatorSection():
            click_header(actors, CLASS, qtbot)
        click_header(actors, number, qtbot)
        assert header.sortIndicatorSection() == number
        order = header.sortIndicatorOrder()
        falls = order == Qt.SortOrder.DescendingOrder
        keys = sort_keys(actors, number)
        assert keys == sorted(keys, reverse=falls), TITLES[number]
        before = column(actors, ID)
        click_header(actors, number, qtbot)
        assert header.sortIndicatorOrder() != order
        assert sort_keys(actors, number) == sorted(keys, reverse=not falls)
        assert sorted(before) == sorted(column(actors, ID))


def sort_keys(actors: ActorsTable, number: int) -> list[object]:
    """What a column is sorted by, from above."""
    return [actors.model.sort_key(row, number) for row in actors.model.rows]


@of_actors
def numbers_are_sorted_as_numbers_and_missing_ones_last(actors: ActorsTable, qtbot: QtBot) -> None:
    click_header(actors, DISTANCE, qtbot)
    click_header(actors, DISTANCE, qtbot)
    texts = column(actors, DISTANCE)
    driven = [float(text) for text in texts if text != "–"]
    assert driven == sorted(driven, reverse=True)
    assert texts[: len(driven)] == [f"{value:.1f}" for value in driven]


@of_actors
def the_filter_takes_words_and_counts(actors: ActorsTable, qtbot: QtBot) -> None:
    every = len(actors.model.lives)
    told: list[str] = []
    actors.caption_changed.connect(told.append)
    qtbot.keyClicks(actors.filter, "hero vehicle")
    assert column(actors, ID) == [str(HERO)]
    assert actors.caption == f"1 of {every:,}"
    assert told[-1] == actors.caption
    qtbot.keyClick(actors.filter, Qt.Key.Key_Escape)
    assert actors.caption == f"{every:,}"
    assert actors.table.hasFocus()
    qtbot.keyClicks(actors.filter, "vehicle.chevrolet.impala")
    assert str(TRUCK) in column(actors, ID)
    assert set(column(actors, BLUEPRINT)) == {"chevrolet.impala"}


@of_actors
def keys_lead_from_the_filter_into_the_table_and_back(actors: ActorsTable, session: Session, qtbot: QtBot) -> None:
    actors.filter.setFocus()
    qtbot.keyClicks(actors.filter, "hero")
    qtbot.keyClick(actors.filter, Qt.Key.Key_Down)
    assert actors.table.hasFocus()
    assert session.selection.actor == HERO
    qtbot.keyClick(actors.table, Qt.Key.Key_F, CONTROL)
    assert actors.filter.hasFocus()


@of_actors
def a_click_selects_the_actor_and_goes_to_where_it_lives(actors: ActorsTable, session: Session, qtbot: QtBot) -> None:
    click_row(actors, TRUCK, qtbot)
    assert session.selection.actor == TRUCK
    assert session.selection.frame_index == 330
    assert session.selection.target.packet is not None
    assert session.selection.target.packet.name == "Position"
    gone = next(life for life in actors.model.lives if life.gone is not None and life.gone < 300)
    click_row(actors, gone.actor, qtbot)
    assert session.selection.actor == gone.actor
    assert session.selection.frame_index == gone.born


@of_actors
def several_rows_are_several_actors(actors: ActorsTable, session: Session, qtbot: QtBot) -> None:
    click_row(actors, 3928, qtbot)
    click_row(actors, 3930, qtbot, SHIFT)
    assert session.selection.actors == (3928, 3929, 3930)
    click_row(actors, TRUCK, qtbot, CONTROL)
    assert set(session.selection.actors) == {3928, 3929, 3930, TRUCK}
    assert set(selected(actors)) == set(session.selection.actors)


@of_actors
def a_selection_from_elsewhere_is_shown(actors: ActorsTable, session: Session) -> None:
    session.selection.select_actor(TRUCK)
    assert selected(actors) == [TRUCK]
    assert actors.table.visualRect(actors.table.currentIndex()).top() >= 0
    session.selection.select_actor(HERO, add=True)
    assert set(selected(actors)) == {TRUCK, HERO}
    session.selection.select(Place(0))
    assert selected(actors) == []


@of_actors
def arrow_keys_walk_through_the_actors(actors: ActorsTable, session: Session, qtbot: QtBot) -> None:
    session.selection.select_actor(3930)
    actors.table.setFocus()
    qtbot.keyClick(actors.table, Qt.Key.Key_Down)
    assert session.selection.actor == 3931
    qtbot.keyClick(actors.table, Qt.Key.Key_Up)
    qtbot.keyClick(actors.table, Qt.Key.Key_Up)
    assert session.selection.actor == 3929


@of_actors
def enter_and_a_double_click_go_to_the_birth(actors: ActorsTable, session: Session, qtbot: QtBot) -> None:
    session.selection.select_actor(TRUCK)
    actors.table.setFocus()
    qtbot.keyClick(actors.table, Qt.Key.Key_Return)
    life = actors.current_life()
    assert life is not None
    assert session.selection.frame_index == life.born
    session.selection.go_to_frame(330)
    at = actors.table.visualRect(actors.table.currentIndex()).center()
    qtbot.mouseClick(actors.table.viewport(), LEFT, pos=at)
    qtbot.mouseDClick(actors.table.viewport(), LEFT, pos=at)
    assert session.selection.frame_index == life.born
    assert session.selection.actor == TRUCK


@of_actors
def a_right_click_opens_the_menu_on_that_row(actors: ActorsTable, session: Session, qtbot: QtBot) -> None:
    session.selection.select_actor(TRUCK)
    at = actors.table.visualRect(actors.table.currentIndex()).center()
    actors.table.customContextMenuRequested.emit(at)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert "Copy id" in [action.text() for action in menu.actions()]
    menu.close()
    qtbot.waitUntil(lambda: not actors.findChildren(QMenu))


def test_the_menu_goes_and_copies(actors: ActorsTable, session: Session, qtbot: QtBot) -> None:
    session.selection.select_actor(TRUCK)
    life = actors.current_life()
    assert life is not None
    assert life.gone is not None

    def choose(text: str) -> str:
        menu = actors.menu()
        next(action for action in menu.actions() if action.text() == text).trigger()
        return QGuiApplication.clipboard().text()

    choose("Go to last frame")
    assert session.selection.frame_index == life.gone - 1
    choose("Go to first frame")
    assert session.selection.frame_index == life.born
    choose("Go to its EventAdd")
    assert session.selection.place == Place(*life.added)
    assert choose("Copy id") == str(TRUCK)
    assert choose("Copy blueprint") == "vehicle.chevrolet.impala"
    session.selection.go_to_frame(330)
    session.selection.select_actor(HERO)
    session.selection.select_actor(TRUCK, add=True)
    assert choose("Copy ids").splitlines() == [str(HERO), str(TRUCK)]
    actors.table.setFocus()
    qtbot.keyClick(actors.table, Qt.Key.Key_C, CONTROL)
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert [title.partition(" [")[0] for title in lines[0]] == TITLES
    assert lines[0][DISTANCE] == "Distance [m]"
    assert [line[ID] for line in lines[1:]] == [str(HERO), str(TRUCK)]


@of_actors
def columns_come_with_room(actors: ActorsTable, qtbot: QtBot) -> None:
    def shown() -> set[str]:
        return {name for number, name in enumerate(TITLES) if not actors.table.isColumnHidden(number)}

    assert shown() == set(TITLES)
    actors.resize(600, 400)
    assert shown() == set(TITLES) - {"Class"}
    actors.resize(500, 400)
    assert shown() == set(TITLES) - {"Class", "Role", "Collisions"}
    actors.resize(340, 400)
    assert shown() == {"Id", "Blueprint", "First", "Last", "Distance"}


@of_actors
def lives_follow_edits(actors: ActorsTable, session: Session) -> None:
    every = len(actors.model.lives)
    life = next(life for life in actors.model.lives if life.actor == TRUCK)
    session.editing.apply(edits.delete_record(session.snapshot_or_refuse(), Place(*life.added)))
    assert len(actors.model.lives) == every - 1
    assert str(TRUCK) not in column(actors, ID)
    session.editing.undo()
    assert len(actors.model.lives) == every
    session.selection.select_actor(TRUCK)
    assert selected(actors) == [TRUCK]


@of_actors
def the_model_keeps_qts_rules(actors: ActorsTable, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(actors.model)
    for number in (BLUEPRINT, DISTANCE, ID):
        actors.table.sortByColumn(number, Qt.SortOrder.DescendingOrder)
    actors.filter.setText("vehicle")
    actors.filter.clear()


def test_no_recording_has_no_actors(session: Session, theme: Theme, qtbot: QtBot) -> None:
    table = ActorsTable(session, theme)
    qtbot.addWidget(table)
    table.show()
    assert table.caption == ""
    assert table.current_life() is None
    table.go_to()
    table.go_to("end")
    table.go_to("description")


@of_actors
def sorting_and_filtering_keep_the_selection(actors: ActorsTable, session: Session, qtbot: QtBot) -> None:
    session.selection.select_actor(TRUCK)
    session.selection.select_actor(HERO, add=True)
    click_header(actors, DISTANCE, qtbot)
    assert set(selected(actors)) == {TRUCK, HERO}
    qtbot.keyClicks(actors.filter, "hero")
    assert selected(actors) == [HERO]
    assert set(session.selection.actors) == {TRUCK, HERO}
    actors.filter.clear()
    assert set(selected(actors)) == {TRUCK, HERO}


def test_the_table_of_actors(
    actors: ActorsTable, session: Session, qtbot: QtBot, qtmodeltester: ModelTester, subtests: pytest.Subtests
) -> None:
    order = actors.table.horizontalHeader().sortIndicatorSection(), actors.table.horizontalHeader().sortIndicatorOrder()

    def begin() -> dict[str, object]:
        actors.resize(760, 500)
        actors.filter.clear()
        actors.table.sortByColumn(*order)
        session.selection.select(Place(0))
        session.selection.go_to_frame(330)
        return {}

    of_actors.run(subtests, begin, actors=actors, session=session, qtbot=qtbot, qtmodeltester=qtmodeltester)


# --- problems -------------------------------------------------------------------------------------------


POSES = b.packet(6, b.position([b.pose(1), b.pose(2, b.xyz(900.0))]))
BROKEN = b.packet(6, b.u16(40) + bytes(28))


@pytest.fixture
def wounded(tmp_path: Path) -> Path:
    path = tmp_path / "wounded.log"
    frames = film([add(b.actor(1), b.actor(2)), POSES], [BROKEN], [POSES], [POSES])
    path.write_bytes(frames + b.packet(6, b"\0\0") + b.frame_start(9)[:12])
    return path


@pytest.fixture
def problems(session: Session, theme: Theme, wounded: Path, qtbot: QtBot) -> ProblemsPane:
    table = ProblemsPane(session, theme)
    qtbot.addWidget(table)
    table.resize(440, 300)
    session.open(wounded, dialect="ue4-0.9.12")
    bring_up(table, qtbot)
    qtbot.waitUntil(lambda: session.background.trajectories is not None)
    assert table.model.rowCount() >= 3
    return table


def click_problem(problems: ProblemsPane, row: int, qtbot: QtBot) -> Finding:
    index = problems.model.index(row, 0)
    problems.list.scrollTo(index)
    qtbot.mouseClick(problems.list.viewport(), LEFT, pos=problems.list.visualRect(index).center())
    return problems.model.rows[row]


def is_shown(session: Session, finding: Finding) -> bool:
    """The bytes of a finding are selected."""
    assert finding.offset is not None
    start, stop = session.selection.span
    size = session.snapshot_or_refuse().size
    return (start, stop) == (finding.offset, min(finding.offset + max(1, finding.size), size))


def test_a_click_selects_the_bytes(problems: ProblemsPane, session: Session, qtbot: QtBot) -> None:
    for row in reversed(range(problems.model.rowCount())):
        finding = click_problem(problems, row, qtbot)
        assert is_shown(session, finding)


def test_arrow_keys_select_and_the_pane_alone_does_not(problems: ProblemsPane, session: Session, qtbot: QtBot) -> None:
    before = session.selection.value
    problems.list.setFocus()
    assert session.selection.value == before
    click_problem(problems, 0, qtbot)
    qtbot.keyClick(problems.list, Qt.Key.Key_Down)
    assert is_shown(session, problems.model.rows[1])
    session.selection.select(Place(0))
    qtbot.keyClick(problems.list, Qt.Key.Key_Return)
    assert is_shown(session, problems.model.rows[1])


def test_severity_code_sentence_and_place_are_told(problems: ProblemsPane) -> None:
    index = problems.model.index(0, 0)
    finding = problems.model.rows[0]
    assert index.data() == finding.message
    assert finding.code in str(index.data(Qt.ItemDataRole.ToolTipRole))
    told = str(index.data(Qt.ItemDataRole.AccessibleTextRole))
    assert told.startswith({"error": "Error", "warning": "Warning", "info": "Note"}[finding.severity])
    assert f"0x{finding.offset:06x}" in told
    assert finding.message in told


def test_the_caption_counts_and_follows_edits(problems: ProblemsPane, session: Session, qtbot: QtBot) -> None:
    counts = {key: sum(one.severity == key for one in problems.model.rows) for key in ("error", "warning")}
    assert f"{counts['error']} error" in problems.caption
    told: list[str] = []
    problems.caption_changed.connect(told.append)
    before = problems.model.rowCount()
    session.editing.apply(edits.delete_packet(session.snapshot_or_refuse(), Place(1, 1)))
    qtbot.waitUntil(lambda: problems.model.rowCount() < before)
    assert told[-1] == problems.caption
    assert not any(one.row == 1 and one.code.startswith("count") for one in problems.model.rows)
    session.editing.undo()
    qtbot.waitUntil(lambda: problems.model.rowCount() == before)


def test_the_current_problem_stays_the_current_one_over_an_edit(
    problems: ProblemsPane, session: Session, qtbot: QtBot
) -> None:
    last = problems.model.rowCount() - 1
    finding = click_problem(problems, last, qtbot)
    selection = session.selection.value
    session.editing.apply(edits.delete_packet(session.snapshot_or_refuse(), Place(1, 1)))
    qtbot.waitUntil(lambda: problems.model.rowCount() <= last)
    current = problems.model.rows[problems.list.currentIndex().row()]
    assert (current.code, current.message) == (finding.code, finding.message)
    assert session.selection.place == selection.place


def test_a_mended_recording_says_that_nothing_was_found(problems: ProblemsPane, session: Session, qtbot: QtBot) -> None:
    snapshot = session.snapshot_or_refuse()
    session.editing.apply(edits.delete_rows(snapshot, 4, snapshot.rows - 4))
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 1))
    session.editing.apply(edits.order_times(session.snapshot_or_refuse()))
    qtbot.waitUntil(lambda: not problems.model.rows)
    assert problems.caption == ""
    assert problems.empty.isVisible()


def test_f8_goes_from_problem_to_problem_from_any_pane(open_window: OpenWindow, wounded: Path, qtbot: QtBot) -> None:
    window = open_window(wounded)
    bring_up(window, qtbot)
    session, table = window.session, window.panes.get(PROBLEMS)
    qtbot.waitUntil(lambda: session.background.trajectories is not None)
    window.panes.get(PACKETS).tree.setFocus()
    number = table.model.rowCount()
    assert number >= 3
    current = table.list.currentIndex().row()
    seen = []
    for _ in range(number + 1):
        qtbot.keyClick(window, Qt.Key.Key_F8)
        seen.append(table.list.currentIndex().row())
        assert is_shown(session, table.model.rows[seen[-1]])
    assert seen == [(current + step) % number for step in range(1, number + 2)]
    qtbot.keyClick(window, Qt.Key.Key_F8, SHIFT)
    assert table.list.currentIndex().row() == seen[-2]
    assert table.isVisible()
