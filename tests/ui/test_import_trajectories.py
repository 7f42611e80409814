"""*File > Import*: what columns are, the first seconds in the scene, what is wrong, and the opened recording."""

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from recorder_editor.ui.dialogs import import_trajectories
from recorder_editor.ui.dialogs.import_trajectories import ImportDialog
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.widgets import ChoiceEdit, Label
from recorder_editor.views.trajectory_import import write_import
from tests.formats.trajectory_files import traffic, write

from .windows import OpenWindow, idle

LEFT = Qt.MouseButton.LeftButton
MEANING = 2
UNIT = 3

OpenDialog = Callable[[], tuple[MainWindow, ImportDialog]]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two seconds of five road users."""
    return write(tmp_path / "tracks.csv", traffic(50))


@pytest.fixture
def open_dialog(open_window: OpenWindow) -> OpenDialog:
    def open_it() -> tuple[MainWindow, ImportDialog]:
        window = open_window()
        window.show()
        window.registry.run("file.import")
        dialog = window.findChild(ImportDialog)
        assert dialog is not None
        return window, dialog

    return open_it


def rest(dialog: ImportDialog, qtbot: QtBot) -> None:
    """Wait until the preview is shown, and the whole file was read."""
    qtbot.waitUntil(lambda: not dialog.looking.is_pending and not dialog.surveying.is_pending)


def choose(dialog: ImportDialog, name: str, column: int, text: str) -> None:
    """Choose what a column of the file is, or its unit."""
    names = [shown.name for shown in dialog.found.columns]
    choice = dialog.columns.cellWidget(names.index(name), column)
    assert isinstance(choice, ChoiceEdit)
    index = choice.findText(text)
    assert index >= 0
    choice.setCurrentIndex(index)
    choice.activated.emit(index)


def meanings(dialog: ImportDialog) -> dict[str, str]:
    return {column.name: column.meaning for column in dialog.found.columns}


def test_a_table_is_shown_and_what_its_columns_are_is_chosen(
    open_dialog: OpenDialog,
    table: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    _window, dialog = open_dialog()
    view = dialog.scene
    assert isinstance(view, SceneView)
    assert not dialog.go.isEnabled()
    with subtests.test("a chosen file is shown"):
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(table), ""))
        qtbot.mouseClick(dialog.source.button, LEFT)
        rest(dialog, qtbot)
        assert meanings(dialog)["track_id"] == "id"
        assert "" not in meanings(dialog).values()
        assert dialog.total.text() == "Writes 5 road users, 250 rows, 50 frames, 1.960 s"
        assert len(view.contents.actors) == 5
        assert dialog.sentences[0].text() == "No problems found."
        assert dialog.go.isEnabled()
        assert list(tmp_path.iterdir()) == [table]  # nothing is written
    with subtests.test("the preview plays, and is not edited"):
        dialog.slider.setValue(20)
        assert dialog.preview_session.selection.frame_index == 20
        assert dialog.time.text() == "0.800 / 1.960 s"
        assert not view.state.editable
        qtbot.keyClick(view, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: dialog.preview_session.selection.frame_index > 20)
        qtbot.mouseClick(dialog.play, LEFT)
    with subtests.test("another unit is another place"):
        far = float(abs(view.contents.actors.x).max())
        choose(dialog, "x", UNIT, "cm")
        rest(dialog, qtbot)
        assert "--unit x=cm" in dialog.command.text
        assert float(abs(view.contents.actors.x).max()) < far / 10
    with subtests.test("a column that is needed is left out"):
        choose(dialog, "time", MEANING, "left out")
        rest(dialog, qtbot)
        assert meanings(dialog)["time"] == ""
        assert not dialog.go.isEnabled()
        assert dialog.preview_session.snapshot is None
        choose(dialog, "time", MEANING, "time")
        rest(dialog, qtbot)
        assert dialog.go.isEnabled()
    with subtests.test("a file without columns has no table of them"):
        (tmp_path / "cut.mcap").write_bytes(b"\x89MCAP0\r\n")
        dialog.set_file(tmp_path / "cut.mcap")
        rest(dialog, qtbot)
        assert dialog.columns.isHidden()
    dialog.reject()


def test_a_table_is_imported_and_opened(
    open_dialog: OpenDialog, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window, dialog = open_dialog()
    dialog.set_file(table)
    rest(dialog, qtbot)
    hero = dialog.form.editors["hero"]
    assert isinstance(hero, QLineEdit)
    dialog.activateWindow()
    hero.setFocus()
    qtbot.waitUntil(hero.hasFocus)
    qtbot.keyClicks(hero, "2")
    completer = hero.completer()
    assert completer is not None
    assert completer.completionModel().rowCount() == 1  # the ids of the file are proposed
    popup = completer.popup()
    assert popup is not None
    popup.hide()
    qtbot.keyClick(hero, Qt.Key.Key_Tab)
    rest(dialog, qtbot)
    assert "--hero 2" in dialog.command.text
    target = tmp_path / "made.log"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(target), ""))
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(lambda: window.documents.path == target)
    idle(window, qtbot)
    assert window.session.frames == 50
    assert window.session.actors is not None
    lives = list(window.session.actors)
    assert sorted(life.actor for life in lives) == [100001, 100002, 100003, 100004, 100005]
    assert [life.actor for life in lives if life.is_hero] == [100002]


def test_what_is_wrong_is_said(
    open_dialog: OpenDialog, tmp_path: Path, table: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    _window, dialog = open_dialog()

    def said() -> str:
        return " ".join(part.text() for part in dialog.empty.findChildren(Label))

    with subtests.test("a table without times"):
        columns = traffic(5)
        del columns["time"]
        dialog.set_file(write(tmp_path / "timeless.csv", columns))
        rest(dialog, qtbot)
        assert "No column tells the time. Choose one among the columns." in said()
        assert meanings(dialog)["track_id"] == "id"
        assert not dialog.go.isEnabled()
    with subtests.test("a broken row"):
        lines = table.read_text().splitlines()
        lines[7] += ",1,2"
        (tmp_path / "broken.csv").write_text("\n".join(lines) + "\n")
        dialog.set_file(tmp_path / "broken.csv")
        rest(dialog, qtbot)
        assert "Row 8" in said()
        assert not dialog.go.isEnabled()
    with subtests.test("no table"):
        (tmp_path / "zero.csv").write_bytes(b"a\0b\n")
        dialog.set_file(tmp_path / "zero.csv")
        rest(dialog, qtbot)
        assert "NUL byte" in said()
        assert dialog.columns.rowCount() == 0
    with subtests.test("a hero that is nowhere"):
        dialog.set_file(table)
        dialog.form.set_value("hero", "77")
        dialog.on_change()
        rest(dialog, qtbot)
        assert "77" in dialog.sentences[0].text()
        assert not dialog.go.isEnabled()
        dialog.form.set_value("hero", "")
    with subtests.test("odd rows"):
        lines = table.read_text().splitlines()
        fields = lines[30].split(",")
        fields[2] = "nan"
        lines[30] = ",".join(fields)
        (tmp_path / "odd.csv").write_text("\n".join(lines) + "\n")
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(tmp_path / "odd.csv"))])
        actions = Qt.DropAction.CopyAction
        drop = QDropEvent(QPointF(9, 9), actions, data, LEFT, Qt.KeyboardModifier.NoModifier)
        dialog.dropEvent(drop)
        rest(dialog, qtbot)
        assert dialog.sentences[0].text().startswith("Row 31, column x: there is no number.")
        assert dialog.go.isEnabled()
    dialog.reject()


def test_a_cancelled_import_leaves_no_file(
    open_dialog: OpenDialog, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    _window, dialog = open_dialog()
    dialog.set_file(table)
    rest(dialog, qtbot)
    is_cancelled = Event()

    def write_later(*arguments: Any) -> object:
        is_cancelled.wait(10)
        return write_import(*arguments)

    monkeypatch.setattr(import_trajectories, "write_import", write_later)
    dialog.import_to(tmp_path / "out.log")
    assert not dialog.go.isEnabled()
    dialog.job_panel.cancel()
    is_cancelled.set()
    qtbot.waitUntil(lambda: not dialog.job_panel.is_busy)
    assert list(tmp_path.iterdir()) == [table]
    assert dialog.go.isEnabled()
    assert dialog.files.exists()
    dialog.reject()
    assert not dialog.files.exists()
