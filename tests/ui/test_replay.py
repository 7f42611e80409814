"""The dialog that replays the recording in a simulator: the simulator's own package against a server of the tests."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Literal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor.edits import set_header
from recorder_editor.ui.dialogs.replay import ReplayDialog
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from ..simulator import SimulatorServer, running_simulator
from .alone import Alone
from .windows import idle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A drive of 0.9.13 in Town05 whose vehicles are 100 to 102."""
    path = tmp_path / "town 1.log"
    path.write_bytes(b.drive(40, vehicles=3))
    with recorder_editor.open(path) as recording:
        recording.apply(set_header(recording, map_name="Town05"))
        recording.save()
    return path


@pytest.fixture
def server(carla: ModuleType) -> Iterator[SimulatorServer]:
    with running_simulator() as server:
        server.release = "0.9.13"
        yield server


Show = Callable[[], ReplayDialog]


@pytest.fixture
def show(alone: Alone, server: SimulatorServer, qtbot: QtBot) -> Show:
    """Shows the dialog, types the simulator's address, and waits until it was asked."""

    def show() -> ReplayDialog:
        dialog = ReplayDialog(alone.session, alone.theme, None, alone)
        dialog.open_()
        qtbot.waitUntil(dialog.isActiveWindow)
        type_into(dialog, "host", "127.0.0.1")
        type_into(dialog, "port", str(server.port))
        qtbot.waitUntil(lambda: not dialog.looking.is_pending)
        return dialog

    return show


def type_into(dialog: ReplayDialog, name: str, text: str) -> None:
    editor = dialog.form.editors[name]
    editor.setFocus()
    editor.selectAll()  # type: ignore[union-attr]
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Tab)


def press(dialog: ReplayDialog, text: str) -> None:
    button = next(each for each in dialog.findChildren(QPushButton) if each.text() == text)
    QTest.mouseClick(button, LEFT)


def test_what_the_simulator_shows_is_told_and_its_answer_after_a_click(
    show: Show, alone: Alone, server: SimulatorServer, path: Path, qtbot: QtBot
) -> None:
    alone.session.selection.go_to_frame(10)
    alone.session.selection.select_actor(101)
    dialog = show()
    there = f"CARLA 0.9.13 answers at 127.0.0.1:{server.port}, and shows Town05."
    doubt = "The package carla is of 0.9.16 here, the simulator of 0.9.13: some calls may fail."
    assert (dialog.shown.text(), dialog.shown.kind) == (f"{there} {doubt}", "warning")
    assert server.calls == []
    QTest.keyClick(dialog.form.editors["ignore_hero"], Qt.Key.Key_Space)
    wanted = f"--host=127.0.0.1 --port={server.port} --from=0.5 --follow=101 --ignore-hero"
    assert dialog.command.text == f"recorder-editor replay 'town 1.log' {wanted}"
    press(dialog, "Replay")
    idle(alone, qtbot)
    assert server.calls[0] == ("set_replayer_ignore_hero", [True])
    assert server.calls[-1][1][:5] == [str(path), 0.5, 0.0, 101, False]
    assert dialog.job_panel.sentence.text().startswith(f"Replaying File: {path}\nTotal time recorded")
    assert dialog.job_panel.sentence.kind == "fine"
    assert dialog.isVisible()


def test_unsaved_edits_are_replayed_from_a_copy(
    show: Show, alone: Alone, server: SimulatorServer, path: Path, qtbot: QtBot
) -> None:
    session = alone.session
    session.editing.apply(set_header(session.snapshot_or_refuse(), date=1_600_000_000))
    dialog = show()
    words = "Unsaved edits are replayed from a copy; the call and the script name the file, without them."
    assert dialog.words.text().endswith(words)
    press(dialog, "Replay")
    idle(alone, qtbot)
    name = server.calls[-1][1][0]
    assert name != str(path)
    with recorder_editor.open(name) as copy:
        assert copy.header is not None
        assert copy.header.date == 1_600_000_000
    assert session.is_modified


def test_what_is_amiss_is_offered_to_be_overcome(
    show: Show, alone: Alone, server: SimulatorServer, path: Path, qtbot: QtBot
) -> None:
    server.release, server.map = "0.9.16", "Town01"
    before = path.read_bytes()
    dialog = show()
    assert dialog.shown.kind == "warning"
    assert "would misread this recording" in dialog.shown.text()
    assert "shows Town01, and this recording is of Town05" in dialog.shown.text()
    assert dialog.go.isEnabled()
    QTest.keyClick(dialog.form.editors["load_map"], Qt.Key.Key_Space)
    assert not dialog.go.isEnabled()
    assert "--load-map" not in dialog.command.text
    QTest.keyClick(dialog.form.editors["load_map"], Qt.Key.Key_Space)
    assert dialog.command.text.endswith("--load-map --convert")
    press(dialog, "Replay")
    idle(alone, qtbot)
    assert server.map == "Town05"
    with recorder_editor.open(server.calls[-1][1][0]) as copy:
        assert copy.dialect.name == "ue4-0.9.16"
    assert path.read_bytes() == before
    assert not alone.session.is_modified


def test_the_dialog_keeps_still_whatever_is_said(
    show: Show, alone: Alone, server: SimulatorServer, qtbot: QtBot
) -> None:
    server.release, server.map = "0.9.16", "Town01"
    server.refusals["replay_file"] = "no room"
    dialog = show()
    before = dialog.size(), dialog.go.geometry()
    assert dialog.command.y() > dialog.shown.y() + dialog.shown.heightForWidth(dialog.shown.width()) > 0
    press(dialog, "Replay")
    idle(alone, qtbot)
    QApplication.processEvents()
    assert (dialog.size(), dialog.go.geometry()) == before


def test_what_fields_mean_is_said_beside_them(alone: Alone, qtbot: QtBot) -> None:
    dialog = ReplayDialog(alone.session, alone.theme, None, alone)
    dialog.open_()
    words = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    for sentence in ("0: to the end", "the view follows it; empty: no actor", "1: as recorded; 2: twice as fast"):
        assert sentence in words
    dialog.reject()
    idle(alone, qtbot)


def test_nobody_there_is_a_sentence_and_the_call_is_still_to_be_had(
    show: Show, alone: Alone, server: SimulatorServer, path: Path, qtbot: QtBot
) -> None:
    server.refusals["version"] = "out of order"
    dialog = show()
    words = f"No simulator answers at 127.0.0.1:{server.port}: out of order."
    assert (dialog.shown.text(), dialog.shown.kind) == (words, "error")
    type_into(dialog, "start", "0.5")
    assert dialog.shown.text() == words
    type_into(dialog, "start", "0")
    assert not dialog.go.isEnabled()
    press(dialog, "Copy replay call")
    assert QGuiApplication.clipboard().text() == (
        f"client.replay_file({str(path)!r}, 0.000, 0.000, 0, replay_sensors=False)"
    )
    del server.refusals["version"]
    assert dialog.again.isVisible()
    dialog.again.setFocus()
    press(dialog, "Try again")
    qtbot.waitUntil(lambda: not dialog.looking.is_pending)
    assert dialog.go.isEnabled()
    assert dialog.go.hasFocus()
    assert not dialog.again.isVisible()
    type_into(dialog, "host", "localhost")
    qtbot.waitUntil(lambda: not dialog.looking.is_pending)
    assert dialog.go.isEnabled()


def test_a_simulator_that_hangs_does_not_hold_the_window_and_closing_ends_the_question(
    show: Show, alone: Alone, server: SimulatorServer, qtbot: QtBot
) -> None:
    dialog = show()
    server.hangs_at = "replay_file"
    press(dialog, "Replay")
    qtbot.waitUntil(server.hung.is_set)
    assert dialog.job_panel.is_busy
    QTest.mouseClick(dialog.job_panel.strip.cancel_button, LEFT)
    idle(alone, qtbot)
    assert dialog.go.isEnabled()
    assert dialog.job_panel.sentence.text() == ""
    server.hung.clear()
    press(dialog, "Replay")
    qtbot.waitUntil(server.hung.is_set)
    press(dialog, "Close")
    idle(alone, qtbot)


def test_an_actor_that_is_not_there_and_a_refusal_are_said_in_place(
    show: Show, alone: Alone, server: SimulatorServer, qtbot: QtBot
) -> None:
    dialog = show()
    type_into(dialog, "follow", "77")
    press(dialog, "Replay")
    assert dialog.job_panel.sentence.text() == "There is no actor 77 in this recording."
    type_into(dialog, "follow", "102")
    assert dialog.job_panel.sentence.text() == ""
    server.refusals["replay_file"] = "no room"
    press(dialog, "Replay")
    idle(alone, qtbot)
    assert dialog.job_panel.sentence.text() == f"The simulator at 127.0.0.1:{server.port} refuses: no room."
    assert dialog.job_panel.sentence.kind == "error"


def test_the_collect_script_is_saved_where_it_is_wanted(
    show: Show, alone: Alone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "collect.py"

    def choose(_parent: QWidget, _title: str, proposed: str, *_kinds: str) -> tuple[str, str]:
        assert proposed == str(tmp_path / "town 1.py")
        return str(target), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    told: list[str] = []
    alone.session.informed.connect(told.append)
    dialog = show()
    type_into(dialog, "follow", "102")
    press(dialog, "Save collect script...")
    assert told[-1].startswith("Saved collect.py")
    text = target.read_text("utf-8")
    assert "ACTOR = {'id': 102, 'type_id': 'vehicle.lincoln.mkz_2017'" in text
    assert "HOST = '127.0.0.1'" in text
    type_into(dialog, "follow", "77")
    press(dialog, "Save collect script...")
    assert dialog.job_panel.sentence.text() == "There is no actor 77 in this recording."


@pytest.mark.pictures
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_it_can_be_looked_at(
    show: Show, server: SimulatorServer, theme: Theme, artefacts: Path, mode: Literal["light", "dark"]
) -> None:
    theme.set_mode(mode)
    server.release, server.map = "0.9.16", "Town01"
    assert show().grab().save(str(artefacts / f"dialog-replay-{mode}.png"))
