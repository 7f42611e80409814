"""The dialogs about the whole of a recording: its time, its parts, another one behind it, and edits as a script."""

import json
import os
import shlex
import threading
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor import open as open_recording
from recorder_editor.cli import main
from recorder_editor.edits import delete_rows, retime, shift
from recorder_editor.recording.source_refs import sources_of
from recorder_editor.ui.dialogs.append import AppendDialog
from recorder_editor.ui.dialogs.base import Question
from recorder_editor.ui.dialogs.form import FormDialog
from recorder_editor.ui.dialogs.script import RunScriptDialog, SaveScriptDialog
from recorder_editor.ui.dialogs.split import BY_BYTES, BY_FRAMES, SplitDialog
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import HISTORY

from .. import builders as b
from .alone import Alone
from .parts import Parts, begin_anew
from .remains import PATIENCE
from .windows import OpenWindow, data_of, idle

LEFT = Qt.MouseButton.LeftButton
Shown = Alone | MainWindow
Dialog = TypeVar("Dialog", bound=QWidget)


part = Parts()


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(path)
    window.show()
    idle(window, qtbot)
    return window


def opened(shown: Shown, action: str, kind: type[Dialog], qtbot: QtBot) -> Dialog:
    (shown if isinstance(shown, Alone) else shown.registry).run(action)
    dialog = shown.findChildren(kind)[0]
    qtbot.waitUntil(dialog.isActiveWindow)
    idle(shown, qtbot)
    return dialog


def gone(shown: Shown, kind: type[QWidget], qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not shown.findChildren(kind))


def labels(shown: Shown) -> list[str]:
    assert shown.session.recording is not None
    return [step.label for step in shown.session.recording.history.steps]


def typed(editor: QWidget, text: str, qtbot: QtBot) -> None:
    editor.setFocus()
    qtbot.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Tab)


def row_of(dialog: SplitDialog, row: int) -> list[str]:
    items = (dialog.list.item(row, column) for column in range(dialog.list.columnCount()))
    return [item.text() for item in items if item is not None]


# --- time -----------------------------------------------------------------------------------------------


def test_retiming_says_what_comes_of_it_and_is_one_step(alone: Alone, qtbot: QtBot) -> None:
    before = data_of(alone)
    dialog = opened(alone, "time.retime", FormDialog, qtbot)
    typed(dialog.editors["factor"], "3", qtbot)
    assert dialog.outlook.text() == "1.950 s become 5.850 s; the frames stay the same 40."
    assert dialog.command_line().endswith("--retime 3")
    qtbot.mouseClick(dialog.go, LEFT)
    gone(alone, FormDialog, qtbot)
    assert labels(alone) == ["Retime by 3"]
    alone.session.editing.undo()
    assert data_of(alone) == before


def test_a_factor_that_is_none_is_refused_in_place(alone: Alone, qtbot: QtBot) -> None:
    before = data_of(alone)
    dialog = opened(alone, "time.retime", FormDialog, qtbot)
    typed(dialog.editors["factor"], "0", qtbot)
    dialog.apply()
    idle(alone, qtbot)
    shown = " ".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())
    assert "the factor is a number above 0" in shown
    assert dialog.isVisible()
    assert data_of(alone) == before


def test_a_closed_dialog_asks_for_nothing_any_more(alone: Alone, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = opened(alone, "time.retime", FormDialog, qtbot)
    asked: list[FormDialog] = []
    monkeypatch.setattr(FormDialog, "update_preview", lambda dialog: asked.append(dialog))
    alone.session.selection.go_to_frame(3)
    alone.session.range.set(2, 8)
    assert asked
    asked.clear()
    dialog.reject()
    alone.session.selection.go_to_frame(4)
    alone.session.range.set(1, 9)
    assert not asked


def test_resampling_gives_frames_of_one_length(alone: Alone, qtbot: QtBot) -> None:
    dialog = opened(alone, "time.resample", FormDialog, qtbot)
    assert dialog.values["step"] == 0.05
    typed(dialog.editors["step"], "0.1", qtbot)
    assert dialog.outlook.text() == "40 frames become 20, the last at 1.900 s of 1.950 s; what happens later adds one."
    qtbot.mouseClick(dialog.go, LEFT)
    gone(alone, FormDialog, qtbot)
    assert alone.session.snapshot is not None
    assert np.allclose(np.diff(alone.session.snapshot.elapsed), 0.1)
    assert labels(alone) == ["Resample to a frame every 0.1 s, the last at 1.900 s (recorded: 1.950 s)"]


@pytest.mark.parametrize(("step", "sentence"), [("2", "longer than the recording"), ("1e-7", "Take a longer step")])
def test_a_step_that_makes_no_sense_is_refused_in_place(alone: Alone, step: str, sentence: str, qtbot: QtBot) -> None:
    dialog = opened(alone, "time.resample", FormDialog, qtbot)
    typed(dialog.editors["step"], step, qtbot)
    shown = " ".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())
    assert sentence in shown


def test_shifting_offers_to_begin_at_0(alone: Alone, qtbot: QtBot) -> None:
    session = alone.session
    session.editing.apply(shift(session.snapshot_or_refuse(), 2.5))
    dialog = opened(alone, "time.shift", FormDialog, qtbot)
    assert dialog.values["seconds"] == -2.5
    assert dialog.outlook.text() == "The first frame is at 0.000 s then."
    qtbot.mouseClick(dialog.go, LEFT)
    gone(alone, FormDialog, qtbot)
    assert session.snapshot_or_refuse().elapsed[0] == 0


def test_time_in_order_is_said_and_left_alone(alone: Alone, qtbot: QtBot) -> None:
    dialog = opened(alone, "time.order", FormDialog, qtbot)
    shown = " ".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())
    assert "The times are like that already." in shown
    assert dialog.against.kind == "info"  # nothing is wrong


def test_frames_are_put_in_order(alone: Alone, qtbot: QtBot) -> None:
    session = alone.session
    session.editing.apply(delete_rows(session.snapshot_or_refuse(), 0, 3))
    dialog = opened(alone, "time.order", FormDialog, qtbot)
    qtbot.mouseClick(dialog.go, LEFT)
    gone(alone, FormDialog, qtbot)
    snapshot = session.snapshot_or_refuse()
    assert snapshot.elapsed[0] == 0
    assert snapshot.frame_column("frame_id").tolist() == list(range(1, 38))


# --- in a window ---------------------------------------------------------------------------------------


@part
def everything_is_found_by_its_words(window: MainWindow) -> None:
    for words, name in (
        ("retime", "time.retime"),
        ("fixed step", "time.resample"),
        ("shift", "time.shift"),
        ("put in order", "time.order"),
        ("split", "recording.split"),
        ("join", "recording.append"),
        ("run script", "tools.run_script"),
        ("save as script", "tools.save_script"),
        ("trim to", "range.trim"),
        ("cut out", "range.cut"),
        ("save range", "range.export"),
    ):
        assert name in [match.id for match in window.search_field.search.find(words)[:3]]


@part
def the_history_saves_its_edits_as_a_script(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    assert not window.panes.get(HISTORY).as_script.isEnabled()
    edit_a_little(window)
    window.panes.focus("history")
    qtbot.mouseClick(window.panes.get(HISTORY).as_script, LEFT)
    dialog = window.findChildren(SaveScriptDialog)[0]
    shown = items(dialog)
    assert shown[:2] == ["Retime by 2", "Shift by 1.5 s"]
    assert shown[2].endswith("(belongs to this file only)")
    target = path.with_name("edits.json")
    dialog.write(target)
    told = json.loads(target.read_text())
    assert [step["operation"] for step in told["steps"]] == ["retime", "shift"]
    assert dialog.job_panel.sentence.text() == "Wrote edits.json"


@part
def each_action_asks_in_its_dialog(
    window: MainWindow, second: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_arguments: (str(second), ""))
    edit_a_little(window)  # or there is no script to save
    for action, kind, heading in (
        ("time.retime", FormDialog, "Retime"),
        ("time.resample", FormDialog, "Resample"),
        ("time.shift", FormDialog, "Shift time"),
        ("time.order", FormDialog, "Put times in order"),
        ("recording.split", SplitDialog, "Split"),
        ("recording.append", AppendDialog, "Append"),
        ("tools.save_script", SaveScriptDialog, "Save"),
        ("tools.run_script", RunScriptDialog, "Run"),
    ):
        dialog = opened(window, action, kind, qtbot)
        assert heading in dialog.windowTitle()
        dialog.reject()
        gone(window, kind, qtbot)


@part
def a_dropped_file_may_be_appended_or_compared(window: MainWindow, second: Path, qtbot: QtBot) -> None:
    window.documents.dropped([second])
    question = window.findChildren(Question)[0]
    assert list(question.buttons) == ["Cancel", "Append", "Compare", "New window", "Open here"]
    qtbot.waitUntil(lambda: all_fit(question))
    qtbot.mouseClick(question.buttons["Append"], LEFT)
    qtbot.waitUntil(lambda: bool(window.findChildren(AppendDialog)))
    idle(window, qtbot)
    assert window.findChildren(AppendDialog)[0].joined is not None


def test_dialogs_in_a_window(
    window: MainWindow, second: Path, path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    part.run(subtests, begin_anew(window, path, qtbot), window=window, second=second, qtbot=qtbot)


# --- parts ----------------------------------------------------------------------------------------------


def test_the_parts_are_listed_before_they_are_written(alone: Alone, path: Path, qtbot: QtBot) -> None:
    dialog = opened(alone, "recording.split", SplitDialog, qtbot)
    typed(dialog.seconds, "1", qtbot)
    qtbot.waitUntil(lambda: dialog.go.text() == "Write 2 parts" and dialog.go.isEnabled())
    assert row_of(dialog, 0)[:3] == ["town 1-001.log", "1 – 20", "0.950 s"]
    assert dialog.parts is not None
    dialog.set_folder(path.parent / "parts")
    qtbot.mouseClick(dialog.go, LEFT)
    idle(alone, qtbot)
    written = sorted((path.parent / "parts").iterdir())
    assert [file.name for file in written] == ["town 1-001.log", "town 1-002.log"]
    assert [file.stat().st_size for file in written] == [one.size for one in dialog.parts]
    for file in written:
        with open_recording(file) as recording:
            assert len(recording) == 20
    assert dialog.job_panel.sentence.text().startswith("Wrote 2 parts to ")
    assert not alone.session.is_modified


def test_the_split_command_writes_the_same_parts(
    alone: Alone, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(alone, "recording.split", SplitDialog, qtbot)
    qtbot.mouseClick(dialog.means.segment(BY_FRAMES), LEFT)
    typed(dialog.number, "15", qtbot)
    qtbot.waitUntil(lambda: dialog.go.text() == "Write 3 parts" and dialog.go.isEnabled())
    qtbot.mouseClick(dialog.command.copy, LEFT)
    words = shlex.split(QGuiApplication.clipboard().text())
    dialog.set_folder(path.parent / "here")
    dialog.write()
    idle(alone, qtbot)
    monkeypatch.chdir(path.parent)
    assert main(words[1:]) == 0
    theirs, mine = (sorted(Path(name).iterdir()) for name in (words[3], "here"))
    assert [file.read_bytes() for file in mine] == [file.read_bytes() for file in theirs]


def test_parts_that_are_too_small_are_refused_in_place(alone: Alone, qtbot: QtBot) -> None:
    dialog = opened(alone, "recording.split", SplitDialog, qtbot)
    qtbot.mouseClick(dialog.means.segment(BY_BYTES), LEFT)
    typed(dialog.megabytes, "0.0001", qtbot)
    qtbot.waitUntil(lambda: dialog.empty.isVisible() and not dialog.go.isEnabled())
    idle(alone, qtbot)
    assert dialog.empty.text() == "No parts"


def test_a_split_that_is_cancelled_leaves_no_part(
    alone: Alone, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(alone, "recording.split", SplitDialog, qtbot)
    idle(alone, qtbot)
    begun, cancelled = threading.Event(), threading.Event()
    sync = os.fsync

    def held(descriptor: int) -> None:
        begun.set()
        cancelled.wait(PATIENCE)
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", held)
    dialog.write()
    qtbot.waitUntil(begun.is_set)
    assert dialog.folder.exists()
    dialog.job_panel.cancel()
    cancelled.set()
    idle(alone, qtbot)
    assert not dialog.folder.exists()
    assert sorted(path.parent.iterdir()) == [path]


def test_files_that_are_there_are_told_before(alone: Alone, path: Path, qtbot: QtBot) -> None:
    dialog = opened(alone, "recording.split", SplitDialog, qtbot)
    idle(alone, qtbot)
    (path.parent / "town 1-001.log").write_bytes(b"x")
    dialog.set_folder(path.parent)
    assert dialog.already.text() == "1 of these files exists and will be replaced."


# --- another one behind it ------------------------------------------------------------------------------


def appended(shown: Alone, path: Path, qtbot: QtBot) -> AppendDialog:
    shown.append(path)
    dialog = shown.findChildren(AppendDialog)[0]
    idle(shown, qtbot)
    return dialog


@pytest.fixture
def second(tmp_path: Path) -> Path:
    path = tmp_path / "town 2.log"
    path.write_bytes(b.drive(20, vehicles=2))
    return path


def test_what_is_appended_is_shown_before_and_is_one_step(alone: Alone, second: Path, qtbot: QtBot) -> None:
    before = data_of(alone)
    dialog = appended(alone, second, qtbot)
    assert [number for _, number, *_ in dialog.figures.rows[:3]] == ["60", "2.950", "5"]
    assert dialog.figures.rows[0][-1] == "now 40"
    qtbot.mouseClick(dialog.go, LEFT)
    gone(alone, AppendDialog, qtbot)
    assert labels(alone) == ["Append a recording"]
    assert alone.session.frames == 60
    alone.session.editing.undo()
    assert data_of(alone) == before


def test_gap_and_matching_are_looked_at(
    alone: Alone, path: Path, second: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = appended(alone, second, qtbot)
    typed(dialog.gap, "1.5", qtbot)
    qtbot.mouseClick(dialog.matches, LEFT, pos=dialog.matches.rect().center().__class__(8, 12))
    qtbot.waitUntil(lambda: dialog.joined is not None)
    assert [number for _, number, *_ in dialog.figures.rows[:3]] == ["60", "4.400", "3"]
    assert dialog.matches.text() == "Match actors by id and blueprint"
    words = shlex.split(dialog.command_line())
    assert words[-3:] == ["--gap", "1.5", "--match-actors"]
    qtbot.mouseClick(dialog.go, LEFT)
    gone(alone, AppendDialog, qtbot)
    monkeypatch.chdir(path.parent)
    assert main(words[1:]) == 0
    assert Path(words[4]).read_bytes() == data_of(alone)


def test_another_dialect_is_refused_with_the_command_that_helps(alone: Alone, tmp_path: Path, qtbot: QtBot) -> None:
    other = tmp_path / "other.log"
    other.write_bytes(b.everything("ue5-2026"))
    dialog = appended(alone, other, qtbot)
    assert "different dialects" in dialog.job_panel.sentence.text()
    assert not dialog.go.isEnabled()
    words = shlex.split(dialog.command.text)
    snapshot = alone.session.snapshot_or_refuse()
    assert words == [
        "recorder-editor",
        "convert",
        "other.log",
        f"other-{snapshot.dialect.name}.log",
        "--write-as",
        snapshot.dialect.name,
    ]


def test_another_map_is_refused_in_place(alone: Alone, tmp_path: Path, qtbot: QtBot) -> None:
    other = tmp_path / "other.log"
    other.write_bytes(b.drive(5).replace(b"\x06\x00Town01", b"\x06\x00Town02"))
    dialog = appended(alone, other, qtbot)
    assert "different maps: Town01 and Town02" in dialog.job_panel.sentence.text()
    assert not dialog.go.isEnabled()


def test_a_file_that_is_not_there_is_told(alone: Alone, tmp_path: Path, qtbot: QtBot) -> None:
    dialog = appended(alone, tmp_path / "nowhere.log", qtbot)
    assert "nowhere.log" in dialog.job_panel.sentence.text()
    qtbot.mouseClick(dialog.close_button, LEFT)
    gone(alone, AppendDialog, qtbot)


@pytest.mark.parametrize("matched", [False, True])
def test_what_was_only_looked_at_keeps_no_file_open(alone: Alone, second: Path, qtbot: QtBot, matched: bool) -> None:
    snapshot = alone.session.snapshot_or_refuse()
    dialog = appended(alone, second, qtbot)
    if matched:
        dialog.matches.click()
        qtbot.waitUntil(lambda: dialog.joined is not None)
    assert dialog.joined is not None
    sources = sources_of(splice.inserted for splice in dialog.joined.edit.splices)
    others = sources - sources_of([snapshot.table]) - {snapshot.store.scratch}
    assert [snapshot.store.path(source) for source in others] == ([second] if matched else [])
    dialog.reject()
    gone(alone, AppendDialog, qtbot)
    for source in others:
        with pytest.raises(ValueError, match="source"):
            snapshot.store.path(source)


# --- scripts --------------------------------------------------------------------------------------------


def edit_a_little(shown: Shown) -> None:
    session = shown.session
    session.editing.apply(retime(session.snapshot_or_refuse(), 2))
    session.editing.apply(delete_rows(session.snapshot_or_refuse(), 4))
    session.editing.apply(shift(session.snapshot_or_refuse(), 1.5))


def items(dialog: SaveScriptDialog | RunScriptDialog) -> list[str]:
    return [dialog.steps.item(row).text() for row in range(dialog.steps.count())]


def test_what_was_undone_is_no_part_of_the_script(alone: Alone, qtbot: QtBot) -> None:
    edit_a_little(alone)
    alone.session.editing.undo()
    dialog = opened(alone, "tools.save_script", SaveScriptDialog, qtbot)
    assert [step["operation"] for step in json.loads(dialog.text)["steps"]] == ["retime"]
    qtbot.mouseClick(dialog.copy, LEFT)
    assert QGuiApplication.clipboard().text() == dialog.text


def test_choosing_a_script_moves_no_button_and_enter_presses_choose(
    alone: Alone, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = path.with_name("one.json")
    step = {"operation": "retime", "label": "Retime", "arguments": {"factor": 2.0}}
    script.write_text(json.dumps({"script": 2, "steps": [step], "left_out": []}))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(script), ""))
    dialog = opened(alone, "tools.run_script", RunScriptDialog, qtbot)
    size, before = dialog.size(), dialog.go.geometry()
    qtbot.keyClick(dialog.file.button, Qt.Key.Key_Return)
    assert dialog.go.isEnabled()
    dialog.job_panel.show_sentence("A sentence that says in many words why this cannot be done here and now. " * 3)
    idle(alone, qtbot)
    assert (dialog.size(), dialog.go.geometry()) == (size, before)
    dialog.command.copy.setFocus()
    qtbot.keyClick(dialog.command.copy, Qt.Key.Key_Return)
    assert QGuiApplication.clipboard().text() == dialog.command.text
    assert labels(alone) == []
    dialog.close_button.setFocus()
    qtbot.keyClick(dialog.close_button, Qt.Key.Key_Return)
    gone(alone, RunScriptDialog, qtbot)


def test_steps_count_what_they_change_in_this_recording(alone: Alone, path: Path, qtbot: QtBot) -> None:
    script = path.with_name("other.json")
    text = "Position where id == 100 and frame <= 3: location.z = 77"
    step = {"operation": "replace_where", "label": "Set in 1,754 records", "arguments": {"text": text}}
    script.write_text(json.dumps({"script": 2, "steps": [step, {"operation": "retime", "arguments": {"factor": 1}}]}))
    dialog = opened(alone, "tools.run_script", RunScriptDialog, qtbot)
    dialog.read(script)
    assert items(dialog) == ["Find and replace", "Retime"]
    idle(alone, qtbot)
    assert items(dialog) == ["Set location z of Position in 3 records", "Retime (changes nothing)"]


def test_a_script_is_run_as_one_step(alone: Alone, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    before = data_of(alone)
    edit_a_little(alone)
    script = path.with_name("edits.json")
    opened(alone, "tools.save_script", SaveScriptDialog, qtbot).write(script)
    alone.session.editing.go_to_step(0)
    dialog = opened(alone, "tools.run_script", RunScriptDialog, qtbot)
    assert not dialog.go.isEnabled()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_arguments: (str(script), ""))
    qtbot.mouseClick(dialog.file.button, LEFT)
    qtbot.waitUntil(lambda: items(dialog)[:2] == ["Retime by 2", "Shift by 1.5 s"])
    words = shlex.split(dialog.command.text)
    qtbot.mouseClick(dialog.go, LEFT)
    gone(alone, RunScriptDialog, qtbot)
    assert labels(alone) == ["Run edits.json"]
    monkeypatch.chdir(path.parent)
    assert main(words[1:]) == 0
    assert Path(words[4]).read_bytes() == data_of(alone)
    alone.session.editing.undo()
    assert data_of(alone) == before


def test_a_script_that_was_run_is_a_script_again(alone: Alone, path: Path, qtbot: QtBot) -> None:
    edit_a_little(alone)
    script = path.with_name("edits.json")
    opened(alone, "tools.save_script", SaveScriptDialog, qtbot).write(script)
    alone.session.editing.go_to_step(0)
    dialog = opened(alone, "tools.run_script", RunScriptDialog, qtbot)
    dialog.read(script)
    dialog.apply()
    gone(alone, RunScriptDialog, qtbot)
    for old in alone.findChildren(SaveScriptDialog):
        old.reject()
    gone(alone, SaveScriptDialog, qtbot)
    again = opened(alone, "tools.save_script", SaveScriptDialog, qtbot)
    assert [step["operation"] for step in json.loads(again.text)["steps"]] == ["retime", "shift"]


def test_a_step_that_cannot_be_done_is_named_and_nothing_changes(alone: Alone, path: Path, qtbot: QtBot) -> None:
    before = data_of(alone)
    script = path.with_name("edits.json")
    steps = [
        {"operation": "retime", "arguments": {"factor": 2}},
        {"operation": "remove_actors", "arguments": {"actors": [{"id": 77}]}, "label": "Remove 77"},
    ]
    script.write_text(json.dumps({"script": 2, "steps": steps}))
    dialog = opened(alone, "tools.run_script", RunScriptDialog, qtbot)
    dialog.read(script)
    qtbot.mouseClick(dialog.go, LEFT)
    idle(alone, qtbot)
    assert dialog.job_panel.sentence.text().startswith("Step 2 of 2, “Remove 77”, cannot be done: ")
    assert data_of(alone) == before
    assert labels(alone) == []


def run_steps(shown: Alone, path: Path, qtbot: QtBot, *steps: dict[str, object]) -> RunScriptDialog:
    script = path.with_name("edits.json")
    script.write_text(json.dumps({"script": 2, "steps": steps}))
    dialog = opened(shown, "tools.run_script", RunScriptDialog, qtbot)
    dialog.read(script)
    qtbot.mouseClick(dialog.go, LEFT)
    return dialog


SAME: dict[str, object] = {"operation": "retime", "arguments": {"factor": 1}}


def test_a_step_that_changes_nothing_is_a_remark_and_the_others_are_done(
    alone: Alone, path: Path, qtbot: QtBot
) -> None:
    told: list[str] = []
    alone.session.refused.connect(told.append)
    run_steps(alone, path, qtbot, SAME, {"operation": "shift", "arguments": {"seconds": 1.0}})
    gone(alone, RunScriptDialog, qtbot)
    assert labels(alone) == ["Run edits.json"]
    assert told == ["The times are like that already. Nothing is changed by that."]


def test_a_script_of_what_is_so_already_says_so_and_is_no_step(alone: Alone, path: Path, qtbot: QtBot) -> None:
    before = data_of(alone)
    dialog = run_steps(alone, path, qtbot, SAME)
    idle(alone, qtbot)
    assert dialog.job_panel.sentence.text() == "The times are like that already. Nothing is changed by that."
    assert (data_of(alone), labels(alone)) == (before, [])


def test_a_text_that_is_no_script_is_told(alone: Alone, path: Path, qtbot: QtBot) -> None:
    dialog = opened(alone, "tools.run_script", RunScriptDialog, qtbot)
    for number, text in enumerate((b"{}", b"no json", b'{"script": 9, "steps": []}', b"\xff")):
        script = path.with_name(f"edits{number}.json")
        script.write_bytes(text)
        dialog.read(script)
        assert dialog.job_panel.sentence.text().startswith(script.name)
        assert not dialog.go.isEnabled()


# --- how it looks ---------------------------------------------------------------------------------------


def all_fit(dialog: QDialog) -> bool:
    """The words of every button have their room."""
    buttons = [button for button in dialog.findChildren(QPushButton) if button.isVisible()]
    return all(one.width() >= one.fontMetrics().horizontalAdvance(one.text()) + 12 for one in buttons)


@pytest.mark.parametrize("mode", [pytest.param("light", marks=pytest.mark.pictures), "dark"])
def test_the_dialogs_in_pictures(window: MainWindow, second: Path, artefacts: Path, qtbot: QtBot, mode: str) -> None:
    window.theme.set_mode("dark" if mode == "dark" else "light")
    edit_a_little(window)
    names = {"append": AppendDialog, "split": SplitDialog, "retime": FormDialog, "script": SaveScriptDialog}
    for name, kind in names.items():
        action = {"retime": "time.retime", "split": "recording.split", "script": "tools.save_script"}.get(name)
        if action is not None:
            window.registry.run(action)
        else:
            window.documents.append(second)
        idle(window, qtbot)
        dialog: QDialog = window.findChildren(kind)[-1]
        idle(window, qtbot)
        qtbot.waitUntil(partial(all_fit, dialog))
        assert dialog.grab().save(str(artefacts / f"dialog-{name}-{mode}.png"))
        dialog.reject()
