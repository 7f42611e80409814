"""The dialog that finds and replaces by an expression."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from recorder_editor import edits
from recorder_editor.edits.replace import preview, replace_where
from recorder_editor.texts import speaking
from recorder_editor.ui.dialogs.replace import EXAMPLE, ReplaceDialog, value_text
from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme

from .parts import Parts
from .windows import OpenWindow, bring_up, idle

LEFT = Qt.MouseButton.LeftButton

part = Parts()
LOW = "Position where id == 3932 and location.z < 10: location.z = 12.5"


@pytest.fixture
def ask(town: Session, theme: Theme, qtbot: QtBot) -> Iterator[Callable[[], ReplaceDialog]]:
    dialogs: list[ReplaceDialog] = []

    def ask() -> ReplaceDialog:
        dialogs.append(ReplaceDialog(town, theme))
        dialogs[-1].show()
        looked(dialogs[-1], qtbot)
        return dialogs[-1]

    yield ask
    for dialog in dialogs:
        if isValid(dialog):
            dialog.close()


@pytest.fixture
def dialog(ask: Callable[[], ReplaceDialog]) -> ReplaceDialog:
    return ask()


def looked(dialog: ReplaceDialog, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not dialog.looking.is_pending and not dialog.job_panel.is_busy)


def type_in(dialog: ReplaceDialog, text: str, qtbot: QtBot) -> None:
    dialog.line.selectAll()
    qtbot.keyClick(dialog.line, Qt.Key.Key_Delete)
    qtbot.keyClicks(dialog.line, text)
    looked(dialog, qtbot)


def put_in(dialog: ReplaceDialog, text: str, qtbot: QtBot) -> None:
    """All at once: a look at the recording after each key takes its time."""
    dialog.line.setText(text)
    looked(dialog, qtbot)


def shown(dialog: ReplaceDialog, row: int) -> list[str]:
    return [dialog.model.index(row, column).data() for column in range(dialog.model.columnCount())]


def test_its_key_asks_beside_the_window(open_window: OpenWindow, path: Path, qtbot: QtBot) -> None:
    window = open_window(path)
    bring_up(window, qtbot)
    idle(window, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    (dialog,) = window.findChildren(ReplaceDialog)
    looked(dialog, qtbot)
    type_in(dialog, "Position: location.z = 1", qtbot)
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(lambda: window.session.is_modified)
    looked(dialog, qtbot)


@part
def what_matches_is_listed_before_and_after(dialog: ReplaceDialog, qtbot: QtBot) -> None:
    put_in(dialog, LOW, qtbot)
    told = preview(dialog.session.snapshot_or_refuse(), LOW)
    assert dialog.model.rowCount() == told.changed == 240
    assert dialog.total.text() == "240 records match in 240 frames, 240 of them would change"
    first = shown(dialog, 0)
    assert first[0] == f"{told.changes[0].frame_index + 1}"
    assert first[2].startswith("3932  ")
    assert (first[3], first[5]) == ("location z", "12.5")
    assert float(first[4]) == pytest.approx(told.changes[0].before)
    assert dialog.go.isEnabled()


@part
def apply_is_one_step_that_can_be_taken_back(dialog: ReplaceDialog, town: Session, qtbot: QtBot) -> None:
    session = town
    before = session.snapshot_or_refuse()
    put_in(dialog, LOW, qtbot)
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(lambda: session.is_modified)
    looked(dialog, qtbot)
    assert session.recording is not None
    assert [step.label for step in session.recording.history.steps] == ["Set location z of Position in 240 records"]
    assert dialog.job_panel.sentence.text().startswith("Set location z of Position in 240 records.")
    assert not dialog.go.isEnabled()
    assert dialog.line.isEnabled()
    after = session.snapshot_or_refuse()
    session.editing.undo()
    assert session.snapshot_or_refuse().read(0, before.size) == before.read(0, before.size) != after.read(0, after.size)
    looked(dialog, qtbot)
    assert not dialog.job_panel.sentence.text()
    assert dialog.model.rowCount() == 240
    assert dialog.go.isEnabled()


@part
def enter_applies_what_was_looked_at(dialog: ReplaceDialog, town: Session, qtbot: QtBot) -> None:
    dialog.line.setText(LOW)
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    assert not town.is_modified
    looked(dialog, qtbot)
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: town.is_modified)
    looked(dialog, qtbot)


@part
def what_is_wrong_stands_at_its_column(dialog: ReplaceDialog, qtbot: QtBot) -> None:
    wrong = {"Position where foo > 1": 16, "Position where id = 1": 19, "Nothing": 1, "Position:": 10}
    for text, column in wrong.items():
        put_in(dialog, text, qtbot)
        assert dialog.wrong.column == column
        assert dialog.wrong.message.endswith(".")
        assert dialog.line.property("refused")
        assert not dialog.go.isEnabled()
        cell = dialog.line.fontMetrics().horizontalAdvance("0")
        assert dialog.wrong.mark() == pytest.approx(6 + (column - 0.5) * cell, abs=cell)
        put_in(dialog, LOW, qtbot)
        assert not dialog.wrong.message
        assert not dialog.line.property("refused")


@part
def a_value_that_does_not_fit_is_told_with_its_place(dialog: ReplaceDialog, qtbot: QtBot) -> None:
    put_in(dialog, "AnimVehicle: gear = gear / 2", qtbot)
    assert dialog.empty.text().startswith("In frame 9, record 6 of AnimVehicle (actor 3902), gear would become 0.5")
    assert not dialog.go.isEnabled()
    assert dialog.model.rowCount() == 0


@part
def without_a_colon_it_finds(dialog: ReplaceDialog, qtbot: QtBot) -> None:
    put_in(dialog, "Position where speed > 5", qtbot)
    assert dialog.model.rowCount() > 0
    assert dialog.view.isColumnHidden(5)
    assert not dialog.go.isEnabled()
    assert not dialog.command.isVisible()


@part
def nothing_typed_and_nothing_found_are_said(dialog: ReplaceDialog, qtbot: QtBot) -> None:
    put_in(dialog, "Position where id == 1: location.z = 1", qtbot)
    assert dialog.empty.text() == "No record of Position matches"
    dialog.line.clear()
    looked(dialog, qtbot)
    assert dialog.empty.text().startswith("Type a condition")
    assert dialog.line.placeholderText() == EXAMPLE
    assert not dialog.go.isEnabled()


@part
def a_row_selects_its_record_in_the_window(dialog: ReplaceDialog, town: Session, qtbot: QtBot) -> None:
    put_in(dialog, LOW, qtbot)
    change = dialog.model.rows[2]
    place = dialog.view.visualRect(dialog.model.index(2, 2)).center()
    qtbot.mouseClick(dialog.view.viewport(), LEFT, pos=place)
    session = town
    assert (session.selection.frame_index, session.selection.actor) == (change.frame_index, 3932)
    assert session.selection.place.field == "location.z"
    qtbot.keyClick(dialog.view, Qt.Key.Key_Down)
    assert session.selection.frame_index == dialog.model.rows[3].frame_index
    qtbot.keyClick(dialog.view, Qt.Key.Key_Return)
    looked(dialog, qtbot)
    assert not session.is_modified


@part
def the_scope_limits_what_is_meant(dialog: ReplaceDialog, town: Session, qtbot: QtBot) -> None:
    session = town
    assert not dialog.scope.segment(1).isEnabled()
    session.range.set(200, 220)
    assert dialog.scope.segment(1).isEnabled()
    put_in(dialog, LOW, qtbot)
    qtbot.mouseClick(dialog.scope.segment(1), LEFT)
    looked(dialog, qtbot)
    assert {change.frame_index for change in dialog.model.rows} == set(range(200, 220))
    session.range.set(210, 220)
    looked(dialog, qtbot)
    assert dialog.model.rowCount() == 10
    qtbot.mouseClick(dialog.scope.segment(2), LEFT)
    session.selection.go_to_frame(300)
    looked(dialog, qtbot)
    assert [change.frame_index for change in dialog.model.rows] == [300]
    session.selection.go_to_frame(301)
    looked(dialog, qtbot)
    assert [change.frame_index for change in dialog.model.rows] == [301]
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(lambda: session.is_modified)
    looked(dialog, qtbot)
    session.range.clear()
    assert not dialog.scope.segment(1).isEnabled()


@part
def the_command_says_the_same(dialog: ReplaceDialog, town: Session, qtbot: QtBot) -> None:
    put_in(dialog, LOW, qtbot)
    qtbot.mouseClick(dialog.command.copy, LEFT)
    name = "carla-0.9.13-town05-collisions"
    start = f"recorder-editor edit {name}.log {name}-edited.log --set "
    assert QApplication.clipboard().text() == start + f"'{LOW}'"
    town.range.set(200, 220)
    qtbot.mouseClick(dialog.scope.segment(1), LEFT)
    looked(dialog, qtbot)
    qtbot.mouseClick(dialog.command.copy, LEFT)
    text = QApplication.clipboard().text().removeprefix(start).strip("'")
    assert text == (
        "Position where (id == 3932 and location.z < 10) and frame >= 201 and frame <= 220: location.z = 12.5"
    )
    snapshot = town.snapshot_or_refuse()
    ranged = replace_where(snapshot, LOW, frames=range(200, 220))
    whole, part = snapshot.after(replace_where(snapshot, text)), snapshot.after(ranged)
    assert whole.read(0, whole.size) == part.read(0, part.size)


def test_what_is_selected_is_where_it_begins(town: Session, ask: Callable[[], ReplaceDialog], qtbot: QtBot) -> None:
    session = town
    session.selection.go_to_frame(330)
    session.selection.select(
        edits.place(session.snapshot_or_refuse(), frame=330, packet="Position", actor=3932, field="rotation.yaw")
    )
    dialog = ask()
    assert dialog.line.text().startswith("Position where id == 3932: rotation.yaw = ")
    assert dialog.line.hasSelectedText()
    assert not dialog.wrong.message
    qtbot.mouseClick(dialog.scope.segment(2), LEFT)
    looked(dialog, qtbot)
    assert dialog.empty.text() == "All matching records have these values already"


@part
def an_edit_meanwhile_is_looked_at_again(dialog: ReplaceDialog, town: Session, qtbot: QtBot) -> None:
    put_in(dialog, LOW, qtbot)
    snapshot = town.snapshot_or_refuse()
    town.editing.apply(replace_where(snapshot, LOW, frames=range(300)))
    assert not dialog.go.isEnabled()
    looked(dialog, qtbot)
    assert 0 < dialog.model.rowCount() < 240


@part
def many_thousand_changes_are_counted_and_the_first_are_listed(dialog: ReplaceDialog, qtbot: QtBot) -> None:
    put_in(dialog, "Position: location.z = location.z + 1", qtbot)
    assert dialog.model.rowCount() == 5000
    assert dialog.total.text().endswith("14,135 of them would change; the first 5,000 lines are shown")


@part
def the_list_obeys_the_rules_of_models(dialog: ReplaceDialog, qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    put_in(dialog, LOW, qtbot)
    qtmodeltester.check(dialog.model, force_py=True)


def test_values_are_told_in_full_with_their_names(town: Session) -> None:
    dialect = town.snapshot_or_refuse().dialect
    kinds = {kind.name: kind.record.fields for kind in dialect.packets.values()}
    assert value_text(kinds["State"]["state"], 2) == "2 Green"
    assert value_text(kinds["VehicleLight"]["lights"], 3) == "3 Position LowBeam"
    with speaking("zh_CN"):
        assert value_text(kinds["State"]["state"], 2) == "2 绿灯"
        assert value_text(kinds["VehicleLight"]["lights"], 3) == "3 示廓灯、近光灯"
    assert value_text(kinds["AnimVehicle"]["handbrake"], True) == "true"
    assert value_text(kinds["Position"]["location.x"], 0.10000000149011612) == "0.1"


def test_closing_while_it_looks_leaves_nothing_behind(dialog: ReplaceDialog, town: Session, qtbot: QtBot) -> None:
    dialog.line.setText("Position: location.z = location.z + 1")
    dialog.looking._request()
    assert dialog.looking.is_running
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not town.jobs.running)
    assert not town.is_modified


def test_another_recording_closes_it(dialog: ReplaceDialog, town: Session, path: Path, qtbot: QtBot) -> None:
    town.open(path)
    qtbot.waitUntil(lambda: not isValid(dialog) or not dialog.isVisible())


@pytest.mark.pictures
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_pictures_of_the_dialog(
    dialog: ReplaceDialog, town: Session, theme: Theme, qtbot: QtBot, artefacts: Path, mode: str
) -> None:
    theme.set_mode("light" if mode == "light" else "dark")
    type_in(dialog, "Position where id == 3932 and z < 0.1: location.z = max(location.z, 5), rotation.roll = 0", qtbot)
    qtbot.mouseClick(dialog.view.viewport(), LEFT, pos=dialog.view.visualRect(dialog.model.index(3, 0)).center())
    qtbot.mouseMove(dialog.view.viewport(), QPoint(5, 5))
    assert dialog.grab().save(str(artefacts / f"dialog-replace-{mode}.png"))
    type_in(dialog, "Position where id == 3932 and height < 0: location.z = 0", qtbot)
    assert dialog.grab().save(str(artefacts / f"dialog-replace-wrong-{mode}.png"))
    type_in(dialog, "AnimVehicle: gear = gear / 2", qtbot)
    assert dialog.grab().save(str(artefacts / f"dialog-replace-refused-{mode}.png"))
    type_in(dialog, "State where state in (Red, Yellow) and frozen == false: state = Green", qtbot)
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(lambda: town.is_modified)
    looked(dialog, qtbot)
    assert dialog.grab().save(str(artefacts / f"dialog-replace-applied-{mode}.png"))


@part
def what_is_typed_is_completed_before_enter_applies_it(dialog: ReplaceDialog, town: Session, qtbot: QtBot) -> None:
    type_in(dialog, "Position where id == 3932: loc", qtbot)
    assert dialog.completer.list.isVisible()
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    looked(dialog, qtbot)
    assert (dialog.line.text(), town.is_modified) == ("Position where id == 3932: location.x", False)


@part
def lanes_are_not_looked_for_without_a_road_map(dialog: ReplaceDialog, qtbot: QtBot) -> None:
    put_in(dialog, "Position where off_road: location.z = 1", qtbot)
    assert dialog.wrong.message == "“off_road” needs a road map (.xodr), and none of this town is known."
    assert not dialog.go.isEnabled()


def test_what_the_dialog_does(
    dialog: ReplaceDialog, town: Session, qtbot: QtBot, qtmodeltester: ModelTester, subtests: pytest.Subtests
) -> None:
    def begin() -> dict[str, object]:
        while town.is_modified:
            town.editing.undo()
        town.range.clear()
        town.selection.go_to_frame(0)
        dialog.scope.set_current(0)
        dialog.line.clear()
        looked(dialog, qtbot)
        return {}

    part.run(subtests, begin, dialog=dialog, town=town, qtbot=qtbot, qtmodeltester=qtmodeltester)
