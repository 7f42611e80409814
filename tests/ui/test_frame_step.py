"""A step of frames does no work that nobody sees: nothing is laid out, nothing hidden is filled, nothing is sorted."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor.ui.panes.actors.actors_pane import ActorsTable
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import ACTORS, PACKETS
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import NumberEdit, RunningText

from .. import builders as b
from ..recording.films import COLLISIONS, add, beginning, delete, film
from .parts import Parts
from .windows import OpenWindow, bring_up


class Watch(QObject):
    """Counts the events of a kind, by the class of who gets them."""

    def __init__(self, kind: QEvent.Type) -> None:
        super().__init__()
        self.kind = kind
        self.seen: Counter[str] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == self.kind:
            self.seen[type(watched).__name__] += 1
        return False

    def during(self, act: Callable[[], object]) -> Counter[str]:
        """What is counted while something is done, and until all that follows from it is through."""
        application = QApplication.instance()
        assert application is not None
        for _ in range(5):  # one layout asks for the next
            QApplication.processEvents()
        application.installEventFilter(self)
        act()
        QApplication.processEvents()
        application.removeEventFilter(self)
        return self.seen


part = Parts()


@part
def a_step_lays_out_nothing(window: MainWindow) -> None:
    assert Watch(QEvent.Type.LayoutRequest).during(lambda: window.session.selection.step(1)) == {}


@part
def a_step_paints_the_panes_that_show_the_frame(window: MainWindow) -> None:
    painted = Watch(QEvent.Type.Paint).during(lambda: window.session.selection.step(1))
    assert {"PacketView", "HexView", "Transport"} <= set(painted)
    assert not {"ActorsTable", "ProblemsTable", "HistoryView", "DockTitle"} & set(painted)


@part
def a_closed_record_is_not_counted_until_it_is_opened(window: MainWindow) -> None:
    model, place = window.panes.get(PACKETS).model, window.session.selection.place
    index = model.index_of(place._replace(field=None))
    assert model.hasChildren(index)
    before = len(model.nodes.counts)
    window.session.selection.step(1)
    assert len(model.nodes.counts) <= before
    window.panes.get(PACKETS).tree.expand(model.index_of(window.session.selection.place))
    assert model.rowCount(model.index_of(window.session.selection.place)) == 7


@part
def a_pane_behind_another_one_rests_and_is_filled_when_it_comes_up(window: MainWindow) -> None:
    actors = window.panes.get(ACTORS)
    assert not actors.isVisible()
    window.session.selection.select_actor(3906)
    assert not actors.table.selectionModel().hasSelection()
    window.panes.focus("actors")
    assert actors.isVisible()
    assert not window.panes.get(PACKETS).isVisible()
    life = actors.current_life()
    assert life is not None
    assert life.actor == 3906


@part
def a_pane_that_goes_behind_another_one_hands_the_keyboard_to_that(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    window.panes.focus("packets")
    assert window.panes.get(PACKETS).tree.hasFocus()
    window.panes.docks["actors"].raise_()
    qtbot.waitUntil(lambda: window.panes.focused() is window.panes.get(ACTORS))


@part
def a_step_does_not_sort_the_actors_anew(window: MainWindow, qtbot: QtBot) -> None:
    window.panes.focus("actors")
    model = window.panes.get(ACTORS).table.model()
    with qtbot.assertNotEmitted(model.layoutChanged), qtbot.assertNotEmitted(model.dataChanged):
        window.session.selection.step(1)


@part
def a_pane_that_floats_is_shown(window: MainWindow) -> None:
    window.panes.docks["actors"].setFloating(True)
    assert window.panes.get(ACTORS).isVisible()
    assert window.panes.get(PACKETS).isVisible()


def test_steps_of_frames_in_a_window(
    open_window: OpenWindow, recordings: Path, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    """Traffic in which the frames 301 and 302 hold the same packets; a car is selected, all jobs are through."""
    path = tmp_path / "a.log"
    path.write_bytes(beginning(recordings / COLLISIONS, 310))
    window = open_window(path)
    session = window.session

    def begin() -> dict[str, Path]:
        window.panes.set_preset("inspect")
        qtbot.waitUntil(lambda: session.background.trajectories is not None and not session.jobs.running)
        session.selection.go_to_frame(300)
        session.selection.select_actor(3905)
        return {}

    part.run(subtests, begin, window=window, qtbot=qtbot)


def test_a_step_paints_the_actors_where_one_in_sight_comes_or_goes(
    session: Session, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "births.log"
    path.write_bytes(film([add(b.actor(1))], [], [add(b.actor(2))], [], [delete(1)], []))
    session.open(path)
    table = ActorsTable(session, theme)
    qtbot.addWidget(table)
    bring_up(table, qtbot)

    painted = [Watch(QEvent.Type.Paint).during(lambda: session.selection.step(1))["QTableView"] > 0 for _ in range(5)]
    assert painted == [False, True, False, True, False]
    table.hide()
    session.selection.go_to_frame(2)
    table.show()
    assert not Watch(QEvent.Type.Paint).during(lambda: session.selection.step(1))["QTableView"]
    assert Watch(QEvent.Type.Paint).during(lambda: session.selection.step(1))["QTableView"]


def test_running_text_asks_for_room_only_when_it_needs_another(qtbot: QtBot, theme: Theme) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    text = RunningText(theme, "0.050")
    text.setParent(page)
    page.show()
    assert Watch(QEvent.Type.LayoutRequest).during(lambda: text.setText("0.100")) == {}
    assert text.text() == text.accessibleName() == "0.100"
    wider = Watch(QEvent.Type.LayoutRequest).during(lambda: text.setText("10.000"))
    assert wider == {"QWidget": 1}


def test_the_value_that_stands_there_already_is_not_painted_again(qtbot: QtBot, theme: Theme) -> None:
    edit = NumberEdit(theme, "m")
    qtbot.addWidget(edit)
    edit.show()
    edit.set_value(12.5)
    assert Watch(QEvent.Type.Paint).during(lambda: edit.set_value(12.5)) == {}
    edit.selectAll()
    QTest.keyClicks(edit, "7")
    assert edit.dirty
    edit.set_value(12.5)
    assert (edit.text(), edit.dirty) == ("12.5", False)
