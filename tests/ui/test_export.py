"""The dialogs that write a recording for other programs, and that tell what it is."""

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import make_reader
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from recorder_editor.cli import main
from recorder_editor.demo import make_town
from recorder_editor.format import DIALECTS
from recorder_editor.formats.export import TableOptions, export, suffixes
from recorder_editor.reading import Actors
from recorder_editor.reports.statistics import sizes_over_time
from recorder_editor.ui.dialogs.base import Question
from recorder_editor.ui.dialogs.export import ExportDialog, _short
from recorder_editor.ui.dialogs.properties import PropertiesDialog
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import SIGNALS
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import ChoiceEdit
from recorder_editor.views.signal_key import Key

from .. import builders as b
from ..recording.films import add, film, opened
from .parts import Parts
from .windows import OpenWindow, idle

Ask = Callable[[type[ExportDialog] | type[PropertiesDialog]], Any]


@pytest.fixture
def ask(session: Session, theme: Theme, qtbot: QtBot) -> Iterator[Ask]:
    dialogs: list[QDialog] = []

    def ask(kind: type[ExportDialog] | type[PropertiesDialog]) -> Any:
        qtbot.waitUntil(lambda: not session.jobs.running)
        dialog = kind(session, theme)
        dialogs.append(dialog)
        dialog.open_()
        if isinstance(dialog, ExportDialog):
            looked(dialog, qtbot)
        return dialog

    yield ask
    for dialog in dialogs:
        if isValid(dialog):
            dialog.close()


def looked(dialog: ExportDialog, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not dialog.looking.is_pending)


@pytest.fixture
def dialog(town: Session, ask: Ask) -> ExportDialog:
    dialog: ExportDialog = ask(ExportDialog)
    return dialog


def choose_table(dialog: ExportDialog, name: str, qtbot: QtBot) -> None:
    number = next(number for number, table in enumerate(dialog._tables) if table[0] == name)
    dialog.table.setCurrentIndex(number)
    dialog.table.activated.emit(number)
    looked(dialog, qtbot)


def the_window_asks_in_dialogs_of_its_own(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    window.session.open(path)
    idle(window, qtbot)
    for name, kind in (("file.export", ExportDialog), ("file.properties", PropertiesDialog)):
        window.registry.run(name)
        (dialog,) = window.findChildren(kind)
        idle(window, qtbot)
        dialog.reject()


# --- export ---------------------------------------------------------------------------------------------


def test_the_first_rows_are_shown_and_what_cannot_be_done_is_said_in_place(
    dialog: ExportDialog, tmp_path: Path, qtbot: QtBot, town: Session, subtests: pytest.Subtests
) -> None:
    with subtests.test("the first rows are shown with what all of it would be"):
        assert dialog.view.rowCount() == 100
        assert dialog.view.model().headerData(0, Qt.Orientation.Horizontal) == "frame"
        assert dialog.view.model().index(0, 0).data() == "1"
        assert "rows" in dialog.total.text()
        assert "MB" in dialog.total.text()
    with subtests.test("numbers have the digits that tell them apart and are not cut"):
        view, target = dialog.view, tmp_path / "all.csv"
        export(dialog.snapshot, target, TableOptions(dialog.table_name))
        written = [line.split(",") for line in target.read_text().splitlines()[1:101]]
        assert all(view.columnWidth(column) >= view.sizeHintForColumn(column) for column in range(view.columnCount()))
        qtbot.waitUntil(lambda: view.columnAt(view.viewport().width() - 1) < view.columnAt(view.viewport().width()))
        numbers = [column for column, text in enumerate(written[1]) if "." in text and column != 4]
        assert max(len(row[column]) for row in written for column in numbers) > 15
        for row, texts in enumerate(written):
            for column in numbers:
                item = view.item(row, column)
                assert item is not None
                assert item.toolTip() == texts[column]
                assert np.float32(item.text()) == np.float32(texts[column])
                assert len(item.text().partition("e")[0].replace(".", "").lstrip("-0")) <= 9
                assert item.textAlignment() & Qt.AlignmentFlag.AlignRight
    with subtests.test("nobody by that name is said in place"):
        qtbot.keyClicks(dialog.actors, "999999")
        looked(dialog, qtbot)
        assert "999999" in dialog.empty.text()
        assert not dialog.go.isEnabled()
        dialog.actors.clear()
        looked(dialog, qtbot)
        assert dialog.go.isEnabled()
    with subtests.test("a folder that is not there is said in place"):
        dialog.write(tmp_path / "missing" / "out.csv")
        qtbot.waitUntil(lambda: "No such file" in dialog.job_panel.sentence.text())
    with subtests.test("the recording itself is not written over"):
        assert town.recording is not None
        dialog.write(town.recording.path)
        assert "the recording itself" in dialog.job_panel.sentence.text()
    with subtests.test("the command that does the same is copied"):
        qtbot.keyClicks(dialog.actors, "role:hero")
        assert dialog.command_line() == (
            "recorder-editor export carla-0.9.13-town05-collisions.log carla-0.9.13-town05-collisions.csv "
            "--actors role:hero"
        )


def test_every_form_is_written(dialog: ExportDialog, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    for form, suffix in enumerate(suffixes()):
        with subtests.test(suffix):
            dialog.format.set_current(form)
            looked(dialog, qtbot)
            target = tmp_path / f"out{suffix}"
            dialog.write(target)
            qtbot.waitUntil(lambda target=target: dialog.job_panel.sentence.text().startswith(f"Wrote {target.name}"))
            assert target.stat().st_size > 1000
            assert not list(tmp_path.glob(".*"))


def the_oldest_dialect_records_no_controls_and_is_written_as_mcap_all_the_same(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "old.log"
    path.write_bytes(b"".join(make_town(0.5, vehicles=2, walkers=1, lights=1, dialect=next(iter(DIALECTS)))))
    window.session.open(path)
    idle(window, qtbot)
    hero = next(life.actor for life in Actors.of(window.session.snapshot_or_refuse()) if life.is_hero)
    window.panes.focus(SIGNALS.name)
    window.session.selection.select_actor(hero)
    model = window.panes.get(SIGNALS).model
    model.add(Key("motion", "speed", "", hero))
    qtbot.waitUntil(lambda: all(trace.is_read for trace in model.traces))
    window.registry.run("file.export")
    (dialog,) = window.findChildren(ExportDialog)
    dialog.format.set_current(suffixes().index(".mcap"))
    looked(dialog, qtbot)
    topics = [dialog.view.item(row, 0).text() for row in range(dialog.view.rowCount())]
    assert f"/signals/{hero}" in topics
    dialog.write(tmp_path / "out.mcap")
    qtbot.waitUntil(lambda: dialog.job_panel.sentence.text().startswith("Wrote out.mcap"))
    dialog.reject()


def what_signals_shows_goes_into_mcap(window: MainWindow, recordings: Path, tmp_path: Path, qtbot: QtBot) -> None:
    window.session.open(recordings / "carla-0.9.13-town05-collisions.log")
    idle(window, qtbot)
    model = window.panes.get(SIGNALS).model
    window.panes.focus(SIGNALS.name)
    model.add(Key("field", "Position", "location.z", 3932), Key("frame", "step"))
    qtbot.waitUntil(lambda: all(trace.is_read for trace in model.traces))
    window.registry.run("file.export")
    (dialog,) = window.findChildren(ExportDialog)
    dialog.format.set_current(suffixes().index(".mcap"))
    editor = dialog.form.editors["signals"]
    assert editor.isVisibleTo(dialog)
    assert isinstance(editor, QLineEdit)
    qtbot.keyClicks(editor, "slip = Kinematics: linear_velocity.y")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    looked(dialog, qtbot)
    rows = {dialog.view.item(row, 0).text(): dialog.view.item(row, 2).text() for row in range(dialog.view.rowCount())}
    assert rows["/scene"] == rows["/signals/3890"] == "555"
    assert {"/signals", "/signals/3932"} <= rows.keys()
    words = dialog.command_line()
    assert words.endswith("town05-collisions.mcap --signals 'slip = Kinematics: linear_velocity.y'")
    qtbot.keyClick(dialog.form.editors["all_poses"], Qt.Key.Key_Space)
    assert dialog.command_line() == f"{words} --all-poses"
    looked(dialog, qtbot)
    assert (
        next(dialog.view.item(row, 2).text() for row in range(3) if dialog.view.item(row, 0).text() == "/poses")
        == "555"
    )
    dialog.write(tmp_path / "out.mcap")
    qtbot.waitUntil(lambda: dialog.job_panel.sentence.text().startswith("Wrote out.mcap"))
    with open(tmp_path / "out.mcap", "rb") as stream:
        summary = make_reader(stream).get_summary()
    assert summary is not None
    assert {channel.topic for channel in summary.channels.values()} == rows.keys()
    signals = next(each for each in summary.schemas.values() if b"slip" in each.data)
    assert signals.name == "recorder_editor.Signals"
    dialog.reject()


def test_what_a_window_exports(request: pytest.FixtureRequest, open_window: OpenWindow, path: Path) -> None:
    window = open_window(path)
    parts = Parts()
    for part in (
        the_window_asks_in_dialogs_of_its_own,
        the_oldest_dialect_records_no_controls_and_is_written_as_mcap_all_the_same,
        what_signals_shows_goes_into_mcap,
    ):
        parts(part)
    given = {name: request.getfixturevalue(name) for name in ("path", "qtbot", "recordings", "tmp_path")}
    parts.run(request.getfixturevalue("subtests"), dict, window=window, **given)


def test_the_in_out_range_is_offered_where_there_is_one(town: Session, ask: Ask, tmp_path: Path, qtbot: QtBot) -> None:
    town.range.set(10, 20)
    dialog = ask(ExportDialog)
    dialog.range.set_current(1)
    dialog.format.set_current(1)
    choose_table(dialog, "actors" if any(t[0] == "actors" for t in dialog._tables) else "positions", qtbot)
    choose_table(dialog, "positions", qtbot)
    dialog.write(tmp_path / "part.jsonl")
    qtbot.waitUntil(lambda: dialog.job_panel.sentence.text().startswith("Wrote"))
    frames = {json.loads(line)["frame"] for line in (tmp_path / "part.jsonl").read_text().splitlines()}
    assert frames == set(range(11, 21))
    assert "--from f11 --to f21" in dialog.command_line()


def choose_style(dialog: ExportDialog, name: str, value: str, qtbot: QtBot) -> None:
    editor = dialog.form.editors[name]
    if isinstance(editor, ChoiceEdit):
        editor.setCurrentIndex(editor.findText(value))
        editor.activated.emit(editor.currentIndex())
    else:
        editor.setFocus()
        editor.selectAll()
        qtbot.keyClicks(editor, f"{value}\r")
    looked(dialog, qtbot)


def test_a_scenario_is_made_for_a_player_as_the_command_line_makes_it(
    dialog: ExportDialog, recordings: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    editors = [dialog.form.editors[name] for name in ("player", "version", "tolerance")]
    assert not any(editor.isVisible() for editor in editors)
    dialog.format.set_current(suffixes().index(".xosc"))
    looked(dialog, qtbot)
    assert all(editor.isVisible() for editor in editors)
    assert dialog.command_line().endswith(".xosc")
    points = dialog.view.item(0, 5).text()
    choose_style(dialog, "player", "esmini", qtbot)
    choose_style(dialog, "version", "1.3", qtbot)
    choose_style(dialog, "tolerance", "0.5", qtbot)
    assert int(dialog.view.item(0, 5).text()) < int(points) / 2
    command = dialog.command_line()
    assert command.endswith(".xosc --for esmini --version 1.3 --tolerance 0.5")
    dialog.write(tmp_path / "window.xosc")
    qtbot.waitUntil(lambda: dialog.job_panel.sentence.text().startswith("Wrote window"))
    recording = recordings / "carla-0.9.13-town05-collisions.log"
    assert main(["export", str(recording), str(tmp_path / "command.xosc"), *command.split()[4:]]) == 0
    assert tmp_path.joinpath("window.xosc").read_bytes() == tmp_path.joinpath("command.xosc").read_bytes()
    choose_style(dialog, "tolerance", "0", qtbot)
    assert dialog.command_line().endswith("--version 1.3 --tolerance 0")


def test_actors_and_frames_are_rows_of_the_form_and_what_does_not_apply_is_hidden(town: Session, ask: Ask) -> None:
    """A field without its row would be drawn in a corner of the dialog, or not at all."""
    dialog = ask(ExportDialog)
    assert not dialog.selected.isVisible()
    assert not dialog.range.isVisible()
    dialog.reject()
    town.selection.select_actor(3890)
    town.range.set(10, 20)
    dialog = ask(ExportDialog)
    for field in (dialog.actors, dialog.selected, dialog.range):
        assert field.parentWidget() is not None
        assert field.isVisible()
        assert field.height() > 10
    assert dialog.table.isVisible()
    dialog.format.set_current(suffixes().index(".mcap"))
    assert not dialog.table.isVisible()


def test_options_of_a_table_are_shown_with_it_and_do_not_stay_with_another(
    town: Session, ask: Ask, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog = ask(ExportDialog)
    axes, corners = dialog.option_rows["axes"], dialog.option_rows["corners"]
    assert not axes.isVisible()
    assert not corners.isVisible()
    choose_table(dialog, "objects", qtbot)
    assert axes.isVisible()
    assert corners.isVisible()
    assert dialog.view.columnCount() == 25
    qtbot.keyClick(dialog.form.editors["corners"], Qt.Key.Key_Space)
    looked(dialog, qtbot)
    assert dialog.view.columnCount() == 49
    assert dialog.command_line().endswith("--table objects --corners")
    dialog.write(tmp_path / "window.csv")
    qtbot.waitUntil(lambda: not dialog.looking.is_pending and (tmp_path / "window.csv").exists())
    assert main(["export", str(town.path), str(tmp_path / "command.csv"), *dialog.command_line().split()[4:]]) == 0
    assert tmp_path.joinpath("window.csv").read_bytes() == tmp_path.joinpath("command.csv").read_bytes()
    choose_table(dialog, "positions", qtbot)
    assert not corners.isVisible()
    assert dialog.command_line().endswith(".csv")
    assert dialog.view.rowCount() > 0


def test_what_is_written_is_told_whole(town: Session, ask: Ask, qtbot: QtBot) -> None:
    dialog = ask(ExportDialog)
    dialog.format.set_current(suffixes().index(".mcap"))
    looked(dialog, qtbot)
    topics = [dialog.view.item(row, 0).text() for row in range(dialog.view.rowCount())]
    messages = sum(int(dialog.view.item(row, 2).text()) for row in range(dialog.view.rowCount()))
    words = dialog.total.text()
    assert words.startswith(f"{len(topics)} topics, {messages:,} messages, about ")
    assert words.endswith("; carla-0.9.13-town05-collisions.layout.json is written beside it")
    dialog.format.set_current(suffixes().index(".xosc"))
    looked(dialog, qtbot)
    assert dialog.total.text().startswith(f"{dialog.view.rowCount()} entities, ")


def test_the_selected_actors_are_taken_over(town: Session, ask: Ask, qtbot: QtBot) -> None:
    town.selection.select_actor(3890)
    dialog = ask(ExportDialog)
    qtbot.mouseClick(dialog.selected, Qt.MouseButton.LeftButton)
    assert dialog.actors.text() == "3890"
    looked(dialog, qtbot)


def test_another_layout_beside_an_mcap_file_is_asked_about(
    session: Session, path: Path, ask: Ask, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    session.open(path)
    dialog = ask(ExportDialog)
    dialog.format.set_current(suffixes().index(".mcap"))
    looked(dialog, qtbot)
    target, layout = tmp_path / "out.mcap", tmp_path / "out.layout.json"
    dialog.write(target)
    qtbot.waitUntil(lambda: dialog.job_panel.sentence.text().startswith("Wrote out.mcap"))
    assert dialog.job_panel.sentence.text().endswith("and out.layout.json")
    own = layout.read_bytes()
    for answer in ("Keep", "Replace"):
        with subtests.test(answer):
            layout.write_text("mine")
            dialog.write(target)
            qtbot.waitUntil(lambda: any(each.isVisible() for each in dialog.findChildren(Question)))
            (question,) = (each for each in dialog.findChildren(Question) if each.isVisible())
            assert layout.read_text() == "mine"
            assert "out.layout.json" not in dialog.job_panel.sentence.text()
            question.buttons[answer].click()
            assert layout.read_bytes() == (own if answer == "Replace" else b"mine")
            assert dialog.job_panel.sentence.text().endswith("and out.layout.json") == (answer == "Replace")


def test_actors_and_the_form_are_chosen_and_a_file_is_written(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("a name that gets its ending replaces no other file"):
        existing = tmp_path / "out.csv"
        existing.write_text("mine")
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out"), ""))
        dialog.ask()
        assert "out.csv exists already" in dialog.job_panel.sentence.text()
        assert existing.read_text() == "mine"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(existing), ""))  # the dialog has asked
        dialog.ask()
        qtbot.waitUntil(lambda: dialog.job_panel.sentence.text().startswith("Wrote out.csv"))
        assert existing.read_text() != "mine"
    with subtests.test("an ending of two parts is completed"):
        dialog.format.set_current(suffixes().index(".omega.mcap"))
        looked(dialog, qtbot)
        for name in ("whole", "half.mcap", "done.omega.mcap"):
            chosen = str(tmp_path / name)
            monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, chosen=chosen: (chosen, ""))
            dialog.ask()
            written = f"{name.split('.')[0]}.omega.mcap"
            qtbot.waitUntil(lambda written=written: dialog.job_panel.sentence.text().startswith(f"Wrote {written}"))
            assert not (tmp_path / "half.mcap").exists()
    with subtests.test("a version that the player does not read is refused in place"):
        dialog.format.set_current(suffixes().index(".xosc"))
        choose_style(dialog, "version", "1.2", qtbot)
        assert dialog.go.isEnabled()
        choose_style(dialog, "player", "ScenarioRunner", qtbot)
        assert dialog.empty.text() == "ScenarioRunner reads OpenSCENARIO 1.0 only."
        assert not dialog.go.isEnabled()
        dialog.format.set_current(0)
        looked(dialog, qtbot)
        assert "--for" not in dialog.command_line()
        dialog.write(tmp_path / "out.csv")
        qtbot.waitUntil(lambda: dialog.job_panel.sentence.text().startswith("Wrote out"))
    with subtests.test("actors and frames are chosen"):
        qtbot.keyClicks(dialog.actors, "hero")
        looked(dialog, qtbot)
        dialog.write(tmp_path / "hero.csv")
        qtbot.waitUntil(lambda: dialog.job_panel.sentence.text().startswith("Wrote hero.csv"))
        with open(tmp_path / "hero.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        assert {row["id"] for row in rows} == {"3890"}
        assert len(rows) == 555
    with subtests.test("closing while it writes leaves nothing"):
        session = dialog.session
        dialog.actors.clear()
        looked(dialog, qtbot)
        dialog.write(tmp_path / "out.csv")
        dialog.reject()
        qtbot.waitUntil(lambda: not session.jobs.running)
        assert not list(tmp_path.glob(".out*"))


@pytest.mark.parametrize("data", [b"", b"CAR", b.header()])
def test_a_file_without_frames_has_no_rows(
    data: bytes, session: Session, ask: Ask, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "none.log"
    path.write_bytes(data)
    session.open(path)
    dialog = ask(ExportDialog)
    looked(dialog, qtbot)
    assert dialog.view.rowCount() == 0


# --- properties -----------------------------------------------------------------------------------------


def test_one_record_is_no_plural(session: Session, recordings: Path, ask: Ask, qtbot: QtBot) -> None:
    session.open(recordings / "carla-0.9.6-town03-collision.rec")
    dialog = ask(PropertiesDialog)
    qtbot.waitUntil(lambda: not dialog.counting.is_running)
    assert dialog.facts["Collisions"].text() == "1 in 1 record"


def test_properties_tell_what_the_recording_is(town: Session, ask: Ask, qtbot: QtBot) -> None:
    dialog = ask(PropertiesDialog)
    qtbot.waitUntil(lambda: not dialog.counting.is_running)
    assert dialog.facts["Recorded"].text().startswith("Town05, 2022-08-30 15:53:35 UTC")
    assert dialog.facts["Frames"].text() == "555 in 27.700 s, fixed steps of 0.0500 s"
    assert dialog.facts["Collisions"].text() == "1 in 38 records"
    assert "59 traffic signs, 54 traffic lights, 48 vehicles" in dialog.facts["Actors"].text()
    first = dialog.table.item(0, 0)
    assert first is not None
    assert first.text() == "Position"
    assert dialog.plot.told_at(10.0).startswith("frame")
    total = dialog.plot._stacked[-1]
    _, top = dialog.plot.plot.viewRange()[1]
    assert np.percentile(total, 99) <= top < total.max() / 2
    marked = dialog.plot.marks.data["x"]
    assert marked[0] == 0.0  # the first frame, of 14,000 bytes
    assert len(marked) == 1


def test_properties_of_even_frames_have_no_marks(session: Session, ask: Ask, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "even.log"
    path.write_bytes(b.recording(*(b.frame(n + 1, n * 0.05, 0.05) for n in range(300))))
    session.open(path)
    dialog = ask(PropertiesDialog)
    qtbot.waitUntil(lambda: not dialog.counting.is_running)
    assert len(dialog.plot.marks.data) == 0
    assert dialog.plot.plot.viewRange()[1][1] > dialog.plot._stacked[-1].max()


@pytest.mark.parametrize("data", [b"", b"CAR", b.header(), film([add(b.actor(1))])])
def test_properties_of_odd_files(data: bytes, session: Session, ask: Ask, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "odd.log"
    path.write_bytes(data)
    session.open(path)
    dialog = ask(PropertiesDialog)
    qtbot.waitUntil(lambda: not dialog.counting.is_running)
    assert f"{len(data):,} bytes" in dialog.facts["Size"].text()


def test_the_sizes_over_time_are_all_bytes_but_the_header(sound_recording: Path) -> None:
    with opened(sound_recording.read_bytes(), None) as recording:
        for bins in (1, 7, 400):
            found = sizes_over_time(recording.snapshot, bins)
            total = float((found.bytes * np.diff(found.edges)).sum())
            assert total == pytest.approx(recording.snapshot.table.size)


@pytest.mark.pictures
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_pictures_of_the_dialogs(
    town: Session, ask: Ask, theme: Theme, qtbot: QtBot, artefacts: Path, mode: str
) -> None:
    theme.set_mode("light" if mode == "light" else "dark")
    export = ask(ExportDialog)
    assert export.grab().save(str(artefacts / f"dialog-export-{mode}.png"))
    export.reject()
    properties = ask(PropertiesDialog)
    qtbot.waitUntil(lambda: not properties.counting.is_running)
    QApplication.processEvents()
    assert properties.grab().save(str(artefacts / f"dialog-properties-{mode}.png"))


def test_the_preview_shows_a_time_beyond_single_precision() -> None:
    assert [_short(text) for text in ("0.10000000149", "1.0e305", "12")] == ["0.1", "1.0e305", "12"]
