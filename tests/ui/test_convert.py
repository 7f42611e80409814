"""The dialog that makes the recording one of another release."""

from pathlib import Path
from typing import Literal

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from recorder_editor.edits import set_header
from recorder_editor.reading import Actors
from recorder_editor.ui.dialogs.convert import ConvertDialog
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import ChoiceEdit

from .. import builders as b
from .alone import Alone
from .windows import data_of, idle

SOURCE = "ue4-0.9.15"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "town 1.log"
    path.write_bytes(b.everything(SOURCE))
    return path


@pytest.fixture
def dialog(alone: Alone, qtbot: QtBot) -> ConvertDialog:
    alone.run("recording.convert")
    dialog = alone.findChildren(ConvertDialog)[0]
    idle(alone, qtbot)
    return dialog


def choose(dialog: ConvertDialog, name: str, alone: Alone, qtbot: QtBot) -> None:
    number = dialog.names.index(name)
    dialog.choice.setCurrentIndex(number)
    dialog.choice.activated.emit(number)
    idle(alone, qtbot)


def listed(dialog: ConvertDialog) -> list[tuple[str, str]]:
    return [
        (item.text(), first.text())
        for row in range(dialog.list.rowCount())
        if (item := dialog.list.item(row, 0)) is not None and (first := dialog.list.item(row, 1)) is not None
    ]


def test_every_other_dialect_is_offered_the_next_one_first(dialog: ConvertDialog) -> None:
    assert set(dialog.names) == set(b.RELEASES) - {SOURCE}
    assert dialog.dialect == "ue4-doors"
    assert dialog.list.isHidden()
    assert dialog.empty.text() == "Nothing is lost"
    assert dialog.go.isEnabled()


def test_what_would_be_lost_is_listed(dialog: ConvertDialog, alone: Alone, qtbot: QtBot) -> None:
    choose(dialog, "ue4-0.9.14", alone, qtbot)
    assert listed(dialog) == [
        ("2 records of AnimBiker are left out: ue4-0.9.14 has none.", "1"),
        ("3 records of AnimVehicleWheels are left out: ue4-0.9.14 has none.", "1"),
        ("1 actor gets the blueprint uid of ue4-0.9.14: vehicle.lincoln.mkz_2017.", "1"),
        ("1 actor keeps its blueprint uid, which is not known for ue4-0.9.14: vehicle.\\xff\\xfe\\x80.", "1"),
    ]
    assert dialog.go.text() == "Convert with loss"
    assert data_of(alone) == b.everything(SOURCE)
    choose(dialog, "ue4-doors", alone, qtbot)
    assert dialog.go.text() == "Convert"


def test_between_the_engines_a_sentence_warns(dialog: ConvertDialog, alone: Alone, qtbot: QtBot) -> None:
    assert dialog.caution.isHidden()
    choose(dialog, "ue5-2026", alone, qtbot)
    assert "Unreal 4 and 5" in dialog.caution.text()
    assert dialog.caution.isVisible()


def test_converting_is_one_step_that_is_undone(dialog: ConvertDialog, alone: Alone, qtbot: QtBot) -> None:
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not alone.findChildren(ConvertDialog))
    session = alone.session
    assert session.recording is not None
    assert [step.label for step in session.recording.history.steps] == ["Convert to ue4-doors"]
    assert session.snapshot is not None
    assert session.snapshot.dialect.name == "ue4-doors"
    assert data_of(alone) != b.everything(SOURCE)
    alone.session.editing.undo()
    assert data_of(alone) == b.everything(SOURCE)
    assert session.snapshot.dialect.name == SOURCE


def test_a_recording_that_changed_meanwhile_is_not_converted(dialog: ConvertDialog, alone: Alone, qtbot: QtBot) -> None:
    session = alone.session
    session.editing.apply(set_header(session.snapshot_or_refuse(), map_name="Town02"))
    before = data_of(alone)
    dialog.convert()
    idle(alone, qtbot)
    assert "changed since" in dialog.job_panel.sentence.text()
    assert dialog.isVisible()
    assert data_of(alone) == before


def test_cancelling_leaves_the_recording_alone(dialog: ConvertDialog, alone: Alone, qtbot: QtBot) -> None:
    dialog.choice.setFocus()
    dialog.convert()
    assert not dialog.go.isEnabled()
    dialog.job_panel.strip.cancel_button.click()
    idle(alone, qtbot)
    assert data_of(alone) == b.everything(SOURCE)
    assert dialog.job_panel.strip.isHidden()
    assert dialog.go.isEnabled()
    assert dialog.focusWidget() is dialog.choice


def test_closing_stops_what_runs(dialog: ConvertDialog, alone: Alone, qtbot: QtBot) -> None:
    dialog.convert()
    qtbot.mouseClick(dialog.close_button, Qt.MouseButton.LeftButton)
    idle(alone, qtbot)
    assert data_of(alone) == b.everything(SOURCE)


def test_a_file_without_a_header_says_why_it_cannot_be(alone: Alone, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "headless.log"
    path.write_bytes(b.frame(1) + b.frame(2))
    alone.session.open(path)
    idle(alone, qtbot)
    alone.run("recording.convert")
    dialog = alone.findChildren(ConvertDialog)[0]
    choose(dialog, "ue4-0.9.16", alone, qtbot)
    assert "no readable header" in dialog.job_panel.sentence.text()
    assert dialog.empty.text() == "This cannot be converted"
    assert not dialog.go.isEnabled()


def test_the_command_that_does_the_same_is_copied(dialog: ConvertDialog, qtbot: QtBot) -> None:
    copy = next(button for button in dialog.findChildren(QPushButton) if button.text() == "Copy command")
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    wanted = "recorder-editor convert 'town 1.log' 'town 1-ue4-doors.log' --write-as ue4-doors"
    assert QGuiApplication.clipboard().text() == wanted == dialog.command.text


@pytest.mark.pictures
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_it_can_be_looked_at(
    dialog: ConvertDialog, alone: Alone, theme: Theme, artefacts: Path, qtbot: QtBot, mode: Literal["light", "dark"]
) -> None:
    theme.set_mode(mode)
    for name in ("ue4-0.9.14", "ue5-2026"):
        choose(dialog, name, alone, qtbot)
        assert dialog.grab().save(str(artefacts / f"dialog-convert-{name}-{mode}.png"))


# --- blueprints that the release does not have ------------------------------------------------------------

MISSING = ("vehicle.tesla.cybertruck", "vehicle.tesla.model3")


@pytest.fixture
def teslas(alone: Alone, tmp_path: Path, qtbot: QtBot) -> tuple[Alone, ConvertDialog]:
    """Two actors of 0.9.15 that Unreal 5 has no blueprint of, and one that it has; the dialog is at `ue5-2026`."""
    path = tmp_path / "teslas.log"
    names = (*MISSING, "vehicle.audi.tt")
    actors = [b.actor(7 + n, 1, name, uid=uid) for n, (name, uid) in enumerate(zip(names, (23, 24, 2), strict=True))]
    wheels = b.packet(21, b.vehicle_wheels([{"id": 7, "wheels": []}]))
    path.write_bytes(b.recording(b.frame(1, 0.0, 0.1, [b.packet(2, b.event_add(actors)), wheels]), b.frame(2, 0.1)))
    alone.session.open(path)
    idle(alone, qtbot)
    alone.run("recording.convert")
    (dialog,) = alone.findChildren(ConvertDialog)
    number = dialog.names.index("ue5-2026")
    dialog.choice.setCurrentIndex(number)
    dialog.choice.activated.emit(number)
    idle(alone, qtbot)
    return alone, dialog


def pick(box: ChoiceEdit, text: str, qtbot: QtBot) -> None:
    """Open a box and click one of its choices."""
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton)
    view = box.view()
    qtbot.waitUntil(view.isVisible)
    index = view.model().index(box.findText(text), 0)
    view.scrollTo(index)
    qtbot.mouseMove(view.viewport(), view.visualRect(index).center())
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    qtbot.waitUntil(lambda: not view.isVisible())


def blueprints_of(alone: Alone) -> list[str]:
    return [life.blueprint for life in Actors.of(alone.session.snapshot_or_refuse())]


def test_a_substitute_is_picked_for_each_blueprint_that_is_missing(
    teslas: tuple[Alone, ConvertDialog], qtbot: QtBot
) -> None:
    alone, dialog = teslas
    before = data_of(alone)
    assert tuple(dialog.boxes) == MISSING
    assert [box.currentText() for box in dialog.boxes.values()] == ["None: it stays"] * 2
    assert dialog.go.text() == "Convert with loss"
    pick(dialog.boxes[MISSING[1]], "vehicle.ue4.ford.mustang", qtbot)
    assert dialog.boxes[MISSING[1]].currentText() == "vehicle.ue4.ford.mustang"
    assert dialog.boxes[MISSING[1]].hasFocus()
    assert dialog.command.text.endswith(f"--write-as ue5-2026 --substitute={MISSING[1]}=vehicle.ue4.ford.mustang")
    texts = [text for text, _ in listed(dialog)]
    assert f"1 actor of {MISSING[1]} becomes vehicle.ue4.ford.mustang: ue5-2026 has no such blueprint." in texts
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not alone.findChildren(ConvertDialog))
    assert blueprints_of(alone) == [MISSING[0], "vehicle.ue4.ford.mustang", "vehicle.ue4.audi.tt"]
    alone.session.editing.undo()
    assert data_of(alone) == before


def test_one_click_takes_the_nearest_for_all_and_none_takes_it_back(
    teslas: tuple[Alone, ConvertDialog], qtbot: QtBot
) -> None:
    alone, dialog = teslas
    qtbot.mouseClick(dialog.all_nearest, Qt.MouseButton.LeftButton)
    assert [box.currentText() for box in dialog.boxes.values()] == ["vehicle.nissan.patrol", "vehicle.lincoln.mkz"]
    assert dialog.command.text.endswith("--write-as ue5-2026 --substitute")
    pick(dialog.boxes[MISSING[0]], "None: it stays", qtbot)
    assert dialog.substitutes == {MISSING[1]: "vehicle.lincoln.mkz"}
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not alone.findChildren(ConvertDialog))
    assert blueprints_of(alone) == [MISSING[0], "vehicle.lincoln.mkz", "vehicle.ue4.audi.tt"]


def test_blueprints_are_kept_by_a_click(teslas: tuple[Alone, ConvertDialog], qtbot: QtBot) -> None:
    alone, dialog = teslas
    qtbot.mouseClick(dialog.all_nearest, Qt.MouseButton.LeftButton)
    box = dialog.form.editors["keep_blueprints"]
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    idle(alone, qtbot)
    assert not dialog.boxes
    assert not dialog.all_nearest.isVisible()
    assert dialog.list.isColumnHidden(2)
    assert dialog.command.text.endswith("--write-as ue5-2026 --keep-blueprints")
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not alone.findChildren(ConvertDialog))
    assert blueprints_of(alone) == [*MISSING, "vehicle.audi.tt"]


@pytest.mark.pictures
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_substitutes_can_be_looked_at(
    teslas: tuple[Alone, ConvertDialog], theme: Theme, artefacts: Path, qtbot: QtBot, mode: Literal["light", "dark"]
) -> None:
    _, dialog = teslas
    dialog.theme.set_mode(mode)
    qtbot.mouseClick(dialog.all_nearest, Qt.MouseButton.LeftButton)
    assert dialog.grab().save(str(artefacts / f"dialog-convert-substitutes-{mode}.png"))
