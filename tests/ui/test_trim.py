"""The layout for trimming: handles on the timeline, the pane with what stays, and what its buttons do."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from recorder_editor import open as open_recording
from recorder_editor import resources
from recorder_editor.cli import main
from recorder_editor.recording.findings import Finding
from recorder_editor.ui.app import settle
from recorder_editor.ui.panes.timeline.timeline_layout import Side
from recorder_editor.ui.panes.trim.trim_pane import CUT, KEEP, TrimPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import TIMELINE, TRIM
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import ElidedLabel

from .parts import in_turn
from .windows import OpenWindow, bring_up, data_of, idle, workspace_cell

LEFT = Qt.MouseButton.LeftButton


@dataclass(frozen=True)
class Alone:
    """The pane without a window around it."""

    session: Session
    trim: TrimPane


Shown = Alone | MainWindow


def pane_of(shown: Shown) -> TrimPane:
    return shown.trim if isinstance(shown, Alone) else shown.panes.get(TRIM)


def looked(shown: Shown, qtbot: QtBot) -> None:
    """Waits until the pane has looked at the choice closely."""
    qtbot.waitUntil(lambda: pane_of(shown).preview is not None)
    idle(shown, qtbot)


def labels(shown: Shown) -> list[str]:
    assert shown.session.recording is not None
    return [step.label for step in shown.session.recording.history.steps]


def figure(shown: Shown, label: str) -> tuple[str, str, str]:
    return next((number, unit, beside) for name, number, unit, beside in pane_of(shown).figures.rows if name == label)


@pytest.fixture
def alone(session: Session, theme: Theme, path: Path, qtbot: QtBot) -> Iterator[Alone]:
    pane = TrimPane(session, theme)
    pane.resize(344, 800)
    pane.show()
    session.open(path)
    qtbot.waitUntil(lambda: not session.jobs.running)
    yield Alone(session, pane)
    pane.close()
    pane.deleteLater()


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(path)
    window.resize(1440, 900)
    window.show()
    idle(window, qtbot)
    window.panes.set_preset("trim")
    idle(window, qtbot)
    return window


def drag_handle(window: MainWindow, which: Side, frame_index: int, qtbot: QtBot) -> None:
    """Take a handle by its grip, and let go of it at the middle of a frame."""
    canvas = window.panes.get(TIMELINE).canvas
    layout = canvas.timeline_layout
    start = layout.grip(which).center().toPoint()
    end = round(layout.axis.x(float(layout.axis.times[frame_index])))
    qtbot.mousePress(canvas, LEFT, pos=start)
    for x in (start.x() + (3 if end > start.x() else -3), end):
        qtbot.mouseMove(canvas, QPoint(x, start.y()))
    qtbot.mouseRelease(canvas, LEFT, pos=QPoint(end, start.y()))


# --- choosing -------------------------------------------------------------------------------------------


def test_without_a_range_it_names_the_keys_of_this_moment(alone: Alone) -> None:
    _, detail = alone.trim.empty.findChildren(QLabel)
    alone.trim.show_keys({"range.in": "Ctrl+Alt+I", "range.out": "Ctrl+Alt+O"})
    assert "press Ctrl+Alt+I and Ctrl+Alt+O at" in detail.text()
    alone.trim.show_keys({"range.in": "", "range.out": "O"})
    ways = "Drag the handles at the ends of the timeline, or take ± 5 s round the cursor or an event."
    assert detail.text() == ways


def the_toolbar_and_the_menu_trim_cut_and_export_in_any_layout(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    window.panes.set_preset("inspect")
    idle(window, qtbot)
    with subtests.test("the toolbar leads to the pane and back"):
        assert window.panes.docks["trim"].isHidden()
        qtbot.mouseClick(workspace_cell(window, "trim"), LEFT)
        assert window.panes.docks["trim"].isVisible()
        assert window.panes.docks["attributes"].isHidden()
        qtbot.mouseClick(workspace_cell(window, "inspect"), LEFT)
        assert window.panes.docks["trim"].isHidden()
    with subtests.test("the menu trims and cuts in any layout"):
        assert not window.registry.is_enabled("range.trim")
        window.session.range.set(10, 20)
        window.registry.run("range.cut")
        idle(window, qtbot)
        assert labels(window) == ["Cut out frames 11 to 20"]
        window.session.range.set(5, 10)
        window.registry.run("range.trim")
        idle(window, qtbot)
        assert labels(window) == ["Cut out frames 11 to 20", "Trim to frames 6 to 10"]
        assert window.session.frames == 5
    with subtests.test("the menu shows what it is about to export"):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_arguments: ("", ""))
        window.session.range.set(1, 3)
        window.registry.run("range.export")
        assert window.panes.docks["trim"].isVisible()
        assert not window.panes.get(TRIM).job_panel.is_busy


def test_without_a_range_the_pane_says_how_to_choose_one(alone: Alone) -> None:
    assert alone.trim.empty.isVisible()
    assert alone.trim.empty.text() == "Choose what to keep"
    assert not alone.trim.go.isEnabled()
    assert not alone.trim.export.isEnabled()


def test_in_a_low_pane_the_buttons_are_whole(alone: Alone, qtbot: QtBot) -> None:
    pane = alone.trim
    pane.keep_height(0)
    foot = pane.go.parentWidget()
    assert foot is not None
    for height in (400, 73):
        pane.resize(220, height)
        settle()
        assert pane.height() == height
        for button in (pane.export, pane.go):
            assert button.height() >= button.sizeHint().height()
        assert pane.rect().contains(QRect(foot.mapTo(pane, QPoint()), foot.size()))
        assert foot.height() >= foot.sizeHint().height()


def handles_and_keys_choose_a_range_and_what_goes_is_shown(
    window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("the handles stand at the ends and are dragged"):
        assert window.panes.get(TIMELINE).canvas.timeline_layout.handles() == ["in", "out"]
        drag_handle(window, "in", 10, qtbot)
        assert window.session.range.is_set
        assert window.session.range.frames.stop == 40
        assert window.session.range.frames.start == 10
        drag_handle(window, "out", 30, qtbot)
        assert window.session.range.frames.start == 10
        assert 29 <= window.session.range.frames.stop <= 31
        assert window.panes.get(TRIM).heading.text().startswith("Keep 0.500 s to ")
    with subtests.test("the keys set in and out and clear them"):
        window.session.range.clear()
        window.session.selection.go_to_frame(12)
        qtbot.keyClick(window.panes.get(TIMELINE).canvas, Qt.Key.Key_I)
        window.session.selection.go_to_frame(19)
        qtbot.keyClick(window.panes.get(TIMELINE).canvas, Qt.Key.Key_O)
        assert window.session.range.frames == range(12, 20)
        assert figure(window, "frames") == ("8", "", "of 40")
        window.activateWindow()
        qtbot.waitUntil(window.registry["range.clear"].isEnabled)
        qtbot.keyClick(window.panes.get(TIMELINE).canvas, Qt.Key.Key_X, Qt.KeyboardModifier.AltModifier)
        assert not window.session.range.is_set
    with subtests.test("what goes is shown on the timeline"):
        window.session.range.set(10, 20)
        layout = window.panes.get(TIMELINE).canvas.timeline_layout
        assert not layout.is_cut
        assert (layout.points_right("in"), layout.points_right("out")) == (True, False)
        qtbot.mouseClick(window.panes.get(TRIM).means.segment(CUT), LEFT)
        assert layout.is_cut
        assert (layout.points_right("in"), layout.points_right("out")) == (False, True)
        assert window.panes.get(TRIM).heading.text() == "Cut out 0.500 s to 1.000 s"
        assert figure(window, "frames") == ("30", "", "of 40")
        window.panes.set_preset("inspect")
        assert not layout.is_cut


# --- looking before -------------------------------------------------------------------------------------


def test_the_figures_are_those_of_the_edit(alone: Alone, qtbot: QtBot) -> None:
    alone.session.range.set(10, 20)
    assert figure(alone, "frames") == ("10", "", "of 40")
    assert figure(alone, "length") == ("0.500", "s", "of 1.950 s")
    assert figure(alone, "playable") == ("0.450", "s", "to the last frame")
    assert figure(alone, "size")[0].startswith("≈ ")
    assert alone.trim.verdict.text() == "Checking what is kept..."
    looked(alone, qtbot)
    assert not figure(alone, "size")[0].startswith("≈ ")
    assert alone.trim.written_heading.text() == "Written into frame 11, so that it starts with the complete world"
    assert alone.trim.tally.rows[0][:2] == ("EventAdd", "3")
    assert alone.trim.verdict.text() == "No problems in what is kept, 10 frames"
    alone.session.range.set(10, 11)
    looked(alone, qtbot)
    assert alone.trim.verdict.text() == "No problems in what is kept, 1 frame"


def test_records_that_are_written_stand_in_two_columns_where_their_names_have_room(alone: Alone, qtbot: QtBot) -> None:
    alone.session.open(resources.path("sample/town.log"))
    qtbot.waitUntil(lambda: not alone.session.jobs.running)
    alone.session.range.set(140, 301)
    looked(alone, qtbot)
    assert alone.trim.preview is not None
    written = [(name, f"{count:,}") for name, count in alone.trim.preview.written.items()]
    assert alone.trim.tally.rows[0] == (*written[0], "", *written[1])
    alone.trim.resize(200, 800)
    qtbot.waitUntil(lambda: len(alone.trim.tally.rows) == len(written))
    settle()
    assert [(row[0], row[-1]) for row in alone.trim.tally.rows] == written
    cells = [each for each in alone.trim.tally.findChildren(ElidedLabel) if each.text()]
    assert all(each.width() >= each.sizeHint().width() for each in cells)


def test_the_preview_is_what_comes_of_it(alone: Alone, qtbot: QtBot) -> None:
    alone.session.range.set(10, 20)
    looked(alone, qtbot)
    foreseen = alone.trim.preview
    assert foreseen is not None
    qtbot.mouseClick(alone.trim.go, LEFT)
    snapshot = alone.session.snapshot
    assert snapshot is not None
    assert (len(snapshot), snapshot.size) == (foreseen.outcome.frames, foreseen.outcome.size)


def test_a_range_that_moves_is_looked_at_anew(alone: Alone, qtbot: QtBot) -> None:
    alone.session.range.set(10, 20)
    looked(alone, qtbot)
    first = alone.trim.preview
    alone.session.range.set(12, 20)
    assert alone.trim.preview is None
    looked(alone, qtbot)
    assert alone.trim.preview is not first
    assert alone.trim.preview is not None
    assert alone.trim.preview.outcome.frames == 8


def test_problems_of_what_stays_are_told_those_that_are_new_first(alone: Alone, qtbot: QtBot) -> None:
    alone.session.range.set(10, 20)
    looked(alone, qtbot)
    foreseen = alone.trim.preview
    assert foreseen is not None
    old = Finding("old", "warning", "As it was.", None, None, None)
    new = Finding("new", "warning", "Brought by the edit.", None, None, None)
    alone.session.background.findings = (old,)
    alone.trim._show_findings(replace(foreseen, findings=(old, new)))
    assert alone.trim.verdict.text() == "Trimming brings 1 problem, 1 of 1 stay"
    shown = [line.text() for line in alone.trim.findings if line.text()]
    assert shown == ["Brought by the edit.", "As it was."]
    for before, after, text in (
        ((old,), (old,), "Trimming removes no problem (1 of 1 stay)"),
        ((old, old, new), (old,), "Trimming removes problems (1 of 3 stay)"),
        ((), (new, new), "Trimming brings 2 problems"),
    ):
        alone.session.background.findings = before
        alone.trim._show_findings(replace(foreseen, findings=after))
        assert alone.trim.verdict.text() == text


# --- doing ----------------------------------------------------------------------------------------------


def test_trimming_is_one_step_that_is_undone(alone: Alone, qtbot: QtBot) -> None:
    before = data_of(alone)
    alone.session.range.set(10, 20)
    looked(alone, qtbot)
    qtbot.mouseClick(alone.trim.go, LEFT)
    assert labels(alone) == ["Trim to frames 11 to 20"]
    assert alone.session.frames == 10
    assert not alone.session.range.is_set
    assert alone.trim.job_panel.sentence.text() == "Trim to frames 11 to 20. Undo takes it back."
    alone.session.editing.undo()
    assert data_of(alone) == before


def after_an_export_and_after_a_trim_the_space_bar_plays(
    window: MainWindow, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    with subtests.test("after an export the space bar plays"):
        window.activateWindow()
        window.session.range.set(10, 20)
        looked(window, qtbot)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path.with_name("piece.log")), ""))
        export = window.panes.get(TRIM).export
        export.setFocus()
        qtbot.mouseClick(export, LEFT)
        assert not export.isEnabled()
        assert not window.toolbar.isAncestorOf(QApplication.focusWidget() or window)
        qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Space)
        assert window.player.is_playing
        window.player.pause()
    with subtests.test("after a trim the space bar plays"):
        window.activateWindow()
        window.session.range.set(10, 20)
        looked(window, qtbot)
        window.panes.get(TRIM).go.setFocus()
        qtbot.mouseClick(window.panes.get(TRIM).go, LEFT)
        assert not window.panes.get(TRIM).go.isEnabled()
        assert not window.toolbar.isAncestorOf(QApplication.focusWidget() or window)
        qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Space)
        assert window.player.is_playing
        window.player.pause()


def test_ranges_are_chosen_trimmed_and_exported_in_a_window(
    request: pytest.FixtureRequest, window: MainWindow, qtbot: QtBot
) -> None:
    def begin() -> None:
        window.panes.set_preset("trim")
        bring_up(window, qtbot)

    in_turn(
        request,
        window,
        handles_and_keys_choose_a_range_and_what_goes_is_shown,
        after_an_export_and_after_a_trim_the_space_bar_plays,
        the_toolbar_and_the_menu_trim_cut_and_export_in_any_layout,
        between=begin,
    )


def test_a_range_chosen_later_is_taken_back_first(alone: Alone, qtbot: QtBot) -> None:
    alone.session.range.set(10, 20)
    looked(alone, qtbot)
    qtbot.mouseClick(alone.trim.go, LEFT)
    qtbot.waitUntil(lambda: not alone.session.range.is_set)
    alone.session.range.set(2, 4)
    alone.session.editing.undo()
    assert not alone.session.range.is_set
    assert alone.session.frames == 10
    alone.session.editing.undo()
    assert alone.session.range.frames == range(10, 20)


def test_a_damaged_recording_is_told_and_one_without_frames_is_sent_to_repair(
    window: MainWindow, path: Path, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("a damaged recording is told before it is trimmed"):
        assert not window.panes.get(TRIM).damaged.isVisible()
        assert "--damaged" not in window.panes.get(TRIM).command_line()
        path.write_bytes(path.read_bytes()[:-3])
        window.documents.reload()
        qtbot.waitUntil(lambda: not window.documents.is_busy)
        window.session.range.set(10, 39)
        assert window.panes.get(TRIM).damaged.isVisible()
        assert (
            window.panes.get(TRIM)
            .damaged.text()
            .startswith("Damaged in 2 places. The damage stays in what is kept; repair it first")
        )
        words = shlex.split(window.panes.get(TRIM).command_line())[1:]
        words[1:3] = [str(path), str(tmp_path / "out.log")]
        assert main(words) == 0
        idle(window, qtbot)
    with subtests.test("a file without frames is sent to repair"):
        path.write_bytes(b"\x89PNG" * 50)
        window.documents.reload()
        qtbot.waitUntil(lambda: not window.documents.is_busy)
        idle(window, qtbot)
        assert window.panes.get(TRIM).empty.isVisible()
        assert window.panes.get(TRIM).empty.text() == "No frame can be read"


def test_who_is_in_a_hurry_need_not_wait_for_the_look(alone: Alone, qtbot: QtBot) -> None:
    alone.session.range.set(10, 20)
    alone.trim.go.click()
    assert alone.trim.job_panel.is_busy
    idle(alone, qtbot)
    assert alone.session.frames == 10
    assert labels(alone) == ["Trim to frames 11 to 20"]


def test_a_trim_that_is_cancelled_leaves_no_trace(alone: Alone, qtbot: QtBot) -> None:
    before = data_of(alone)
    alone.session.range.set(10, 20)
    alone.trim.go.click()
    alone.trim.job_panel.strip.cancel_button.click()
    idle(alone, qtbot)
    assert data_of(alone) == before
    assert labels(alone) == []
    assert alone.session.range.is_set
    assert alone.trim.go.isEnabled()


def test_trim_and_cut_are_undone_cancelled_and_the_range_comes_back(
    window: MainWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    with subtests.test("a trim from the menu is cancelled in the status bar"):
        before = data_of(window)
        window.session.range.set(10, 20)
        window.registry.run("range.trim")
        for job in window.session.jobs.running:
            job.cancel()
        idle(window, qtbot)
        assert data_of(window) == before
        assert window.session.range.is_set
    for action in ("", "range.trim", "range.cut"):
        with subtests.test("the range comes back with the frames", action=action):
            window.session.range.set(10, 20)
            if action:
                window.registry.run(action)
            else:
                looked(window, qtbot)
                qtbot.mouseClick(window.panes.get(TRIM).go, LEFT)
            idle(window, qtbot)
            assert not window.session.range.is_set
            window.registry.run("edit.undo")
            assert window.session.range.frames == range(10, 20)
            window.registry.run("edit.redo")
            assert not window.session.range.is_set
            window.registry.run("edit.undo")
    with subtests.test("cutting out is one step that is undone"):
        before = data_of(window)
        window.session.range.set(10, 20)
        qtbot.mouseClick(window.panes.get(TRIM).means.segment(CUT), LEFT)
        assert window.panes.get(TRIM).go.text() == "Cut out"
        looked(window, qtbot)
        qtbot.mouseClick(window.panes.get(TRIM).go, LEFT)
        assert labels(window) == ["Cut out frames 11 to 20"]
        assert window.session.frames == 30
        window.registry.run("edit.undo")
        assert data_of(window) == before


def test_the_copied_command_does_the_same(
    alone: Alone, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone.session.range.set(10, 20)
    alone.trim.means.set_current(CUT)
    alone.trim.rebase.click()
    qtbot.mouseClick(alone.trim.copy, LEFT)
    words = shlex.split(QGuiApplication.clipboard().text())
    assert words[:2] == ["recorder-editor", "cut"]
    assert words[-1] == "--rebase-clocks"
    looked(alone, qtbot)
    alone.trim.go.click()
    monkeypatch.chdir(path.parent)
    assert main(words[1:]) == 0
    assert Path(words[3]).read_bytes() == data_of(alone)


def test_the_range_is_exported_and_the_document_stays(
    alone: Alone, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = data_of(alone)
    target = path.with_name("piece.log")
    offered: list[str] = []

    def answer(_parent: object, _title: str, place: str, _filter: str) -> tuple[str, str]:
        offered.append(Path(place).name)
        return str(target), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    alone.session.range.set(10, 20)
    qtbot.mouseClick(alone.trim.export, LEFT)
    idle(alone, qtbot)
    assert offered == ["town 1-11-20.log"]
    assert data_of(alone) == before
    assert not alone.session.is_modified
    with open_recording(target) as piece:
        assert len(piece) == 10
    assert alone.trim.job_panel.sentence.text().startswith("Wrote piece.log: 10 frames, ")


def test_the_open_file_is_not_written_over_by_an_export(alone: Alone, path: Path, qtbot: QtBot) -> None:
    before = path.read_bytes()
    alone.session.range.set(10, 20)
    alone.trim.write(path)
    idle(alone, qtbot)
    assert "is the file that is open" in alone.trim.job_panel.sentence.text()
    assert path.read_bytes() == before


# --- how it looks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "mode"), [((1280, 800), "light"), pytest.param((1920, 1080), "dark", marks=pytest.mark.pictures)]
)
def test_the_layout_for_trimming_in_pictures(
    open_window: OpenWindow,
    settings: Settings,
    recordings: Path,
    artefacts: Path,
    qtbot: QtBot,
    mode: str,
    size: tuple[int, int],
) -> None:
    window = open_window(recordings / "carla-0.9.13-town05-collisions.log")
    window.theme.set_mode("dark" if mode == "dark" else "light")
    window.resize(*size)
    window.show()
    idle(window, qtbot)
    window.panes.set_preset("trim")
    window.session.range.set(420, 520)
    window.session.selection.go_to_frame(469)
    for means, name in ((KEEP, "keep"), (CUT, "cut")):
        window.panes.get(TRIM).means.set_current(means)
        looked(window, qtbot)
        assert window.grab().save(str(artefacts / f"trim-{name}-{mode}-{size[0]}.png"))
        assert (
            window.panes.get(TRIM).verdict.visibleRegion().boundingRect().height()
            == window.panes.get(TRIM).verdict.height()
        )
        layout = window.panes.get(TIMELINE).canvas.timeline_layout
        for which in layout.handles():
            assert layout.grip(which).contains(layout.grip(which).center())
            assert window.panes.get(TIMELINE).canvas.rect().contains(QPointF(layout.grip(which).center()).toPoint())
    assert figure(window, "collisions") == ("0", "", "of 38")
