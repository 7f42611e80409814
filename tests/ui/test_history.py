"""The history: a click goes to a state, what was undone is greyed, what is saved is marked, a gesture is one line."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.edits import Place
from recorder_editor.ui.app import settle
from recorder_editor.ui.panes.history.history_pane import HistoryPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from ..recording.films import add, film
from .windows import bring_up

POSES = b.packet(6, b.position([b.pose(1), b.pose(2)]))
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def session(session: Session, tmp_path: Path) -> Session:
    path = tmp_path / "town.log"
    path.write_bytes(film([add(b.actor(1), b.actor(2)), POSES], *([[POSES]] * 5)))
    session.open(path)
    return session


@pytest.fixture
def view(session: Session, theme: Theme, qtbot: QtBot) -> HistoryPane:
    view = HistoryPane(session, theme)
    qtbot.addWidget(view)
    view.resize(292, 300)
    bring_up(view, qtbot)
    return view


def set_x(session: Session, value: float, row: int = 2, gesture: str | None = None) -> None:
    edit = edits.set_field(session.snapshot_or_refuse(), Place(row, 1, 0, "location.x"), value)
    session.editing.apply(edit, gesture=gesture)


def x(session: Session, row: int = 2) -> float:
    packet = session.snapshot_or_refuse().row(row).packets[1]
    return float(packet.array["location.x"][0])


def labels(view: HistoryPane) -> list[str]:
    return [str(view.list.model().index(row, 0).data()) for row in range(view.list.model().rowCount())]


def said(view: HistoryPane, row: int) -> str:
    return str(view.list.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole))


def click(view: HistoryPane, row: int, qtbot: QtBot) -> None:
    qtbot.mouseClick(view.list.viewport(), LEFT, pos=view.list.visualRect(view.list.model().index(row, 0)).center())


def ink(view: HistoryPane, row: int) -> set[str]:
    """The colours that a row is painted with."""
    image = view.list.viewport().grab(view.list.visualRect(view.list.model().index(row, 0))).toImage()
    return {QColor(image.pixel(i, j)).name() for i in range(image.width()) for j in range(image.height())}


def test_each_edit_is_a_line_below_the_opened_state(view: HistoryPane, session: Session) -> None:
    assert labels(view) == ["Opened, no edits yet"]
    assert said(view, 0) == "Opened, no edits yet, shown, saved"
    set_x(session, 1.0)
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 4))
    assert labels(view) == ["Opened", "Set x of 1 in 1 frame", "Delete frame 5"]
    assert view.list.currentIndex().row() == 2


def test_a_click_goes_back_and_forward_to_that_state(view: HistoryPane, session: Session, qtbot: QtBot) -> None:
    for value in (1.0, 2.0, 3.0):
        set_x(session, value)
    changes: list[object] = []
    session.editing.changed.connect(changes.append)
    click(view, 1, qtbot)
    assert x(session) == 1.0
    click(view, 3, qtbot)
    assert x(session) == 3.0
    click(view, 0, qtbot)
    assert x(session) == 0.0
    assert not session.is_modified
    # Three steps at once are one change for the views.
    assert len(changes) == 3
    assert labels(view) == ["Opened", *["Set x of 1 in 1 frame"] * 3]


def test_what_was_undone_is_greyed_and_gives_way_to_another_edit(
    view: HistoryPane, session: Session, theme: Theme, qtbot: QtBot
) -> None:
    for value in (1.0, 2.0, 3.0):
        set_x(session, value)
    click(view, 1, qtbot)
    assert [("undone" in said(view, row)) for row in range(4)] == [False, False, True, True]
    text, faint = theme.palette.text.name(), theme.palette.faint.name()
    assert text in ink(view, 1)
    assert text not in ink(view, 2)
    assert faint in ink(view, 2)
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 4))
    assert labels(view) == ["Opened", "Set x of 1 in 1 frame", "Delete frame 5"]
    assert "undone" not in said(view, 2)


def test_a_gesture_is_one_line(view: HistoryPane, session: Session) -> None:
    for value in range(1, 9):
        set_x(session, value, gesture="drag 1")
    assert labels(view) == ["Opened", "Set x of 1 in 1 frame"]
    session.editing.undo()
    assert x(session) == 0.0
    assert "undone" in said(view, 1)


def test_the_saved_state_is_marked_and_steps_stay_after_saving(
    view: HistoryPane, session: Session, qtbot: QtBot
) -> None:
    set_x(session, 1.0)
    set_x(session, 2.0)
    session.editing.save()
    assert [("saved" in said(view, row)) for row in range(3)] == [False, False, True]
    click(view, 0, qtbot)
    assert x(session) == 0.0
    assert session.is_modified
    assert "saved" in said(view, 2)
    click(view, 2, qtbot)
    assert x(session) == 2.0
    assert not session.is_modified
    # Another way on from before the saved state: nothing that can be reached is what the file holds.
    click(view, 1, qtbot)
    set_x(session, 5.0)
    assert not any("saved" in said(view, row) for row in range(3))


def test_keys_choose_and_enter_goes(view: HistoryPane, session: Session, theme: Theme, qtbot: QtBot) -> None:
    for value in (1.0, 2.0, 3.0):
        set_x(session, value)
    view.setFocus()
    for _ in range(2):
        qtbot.keyClick(view.list, Qt.Key.Key_Up)
    # Where the keys are is seen, and nothing is undone before Enter.
    assert theme.palette.selection.name() in ink(view, 1)
    assert x(session) == 3.0
    qtbot.keyClick(view.list, Qt.Key.Key_Return)
    assert x(session) == 1.0
    assert view.list.currentIndex().row() == 1


def test_going_to_a_state_shows_where_it_was(view: HistoryPane, session: Session, qtbot: QtBot) -> None:
    set_x(session, 1.0, row=4)
    session.selection.go_to_frame(0)
    click(view, 0, qtbot)
    assert session.selection.frame_index == 4


def test_a_selection_elsewhere_leaves_the_view_where_it_was_scrolled_to(
    view: HistoryPane, session: Session, qtbot: QtBot
) -> None:
    for value in range(1, 40):
        set_x(session, value)
    bar = view.list.verticalScrollBar()
    assert bar.value() == bar.maximum()
    bar.setValue(0)
    session.selection.select(Place(3, 1, 1))
    session.selection.select(Place(1))
    assert bar.value() == 0
    session.editing.undo()
    assert bar.value() > 0


def test_another_recording_begins_anew(view: HistoryPane, session: Session, tmp_path: Path) -> None:
    set_x(session, 1.0)
    other = tmp_path / "other.log"
    other.write_bytes(film([POSES]))
    session.open(other)
    assert labels(view) == ["Opened, no edits yet"]


def test_the_model_keeps_qts_rules(view: HistoryPane, session: Session, qtmodeltester: ModelTester) -> None:
    # Not watched meanwhile: Qt's tester takes texts for fixed, and that of the opened state tells whether edits follow.
    set_x(session, 1.0)
    set_x(session, 2.0)
    session.editing.undo()
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 4))
    session.editing.go_to_step(0)
    assert view.list.model().rowCount() == 3
    qtmodeltester.check(view.list.model())


def test_the_pane_keeps_the_height_of_four_rows_once_there_are_edits(view: HistoryPane, session: Session) -> None:
    view.resize(300, 700)
    low = view.minimumHeight()
    for value in range(6):
        set_x(session, float(value))
    assert view.minimumHeight() == 4 * view.list.sizeHintForRow(0) > low


def test_a_long_label_is_seen_whole_and_the_current_one_is_in_view(
    view: HistoryPane, session: Session, theme: Theme
) -> None:
    set_x(session, 1.0)
    place = Place(2, 1, 0, "location.x")
    long = "Move 3891 and 3892 from 20.000 s on over 218 frames along their lanes"
    session.editing.apply(edits.set_field(session.snapshot_or_refuse(), place, 2.0, label=long))
    view.resize(292, 60)
    settle()
    short, tall = (view.list.visualRect(view.list.model().index(row, 0)) for row in (1, 2))
    assert tall.height() >= 2 * theme.metrics().height()
    assert short.height() == theme.px(24)
    assert view.list.model().index(2, 0).data(Qt.ItemDataRole.ToolTipRole) == long
    assert view.list.viewport().rect().contains(tall)
    view.resize(900, 60)
    settle()
    assert view.list.visualRect(view.list.model().index(2, 0)).height() == theme.px(24)
