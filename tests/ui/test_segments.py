"""Segments in the window: their frames through edits, the table, the lane, what is written and what is skipped."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor import open as open_recording
from recorder_editor.cli import main
from recorder_editor.edits.segments import Segment
from recorder_editor.errors import EditError
from recorder_editor.ui.dialogs.split import SplitDialog
from recorder_editor.ui.panes.trim.segment_table import END, NAME, SIZE, START, SegmentTable
from recorder_editor.ui.panes.trim.trim_pane import TrimPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import SCENE, TIMELINE, TRIM
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from ..extent import examples
from .parts import Parts, begin_anew
from .windows import OpenWindow, idle

FRAMES = 24
LEFT = Qt.MouseButton.LeftButton

part = Parts()


@pytest.fixture
def opened(session: Session, tmp_path: Path) -> Session:
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(FRAMES))
    session.open(path)
    return session


@pytest.fixture
def table(opened: Session, theme: Theme, qtbot: QtBot) -> Iterator[SegmentTable]:
    made = SegmentTable(opened, theme)
    opened.segments.set([Segment("one", 0, 8), Segment("two", 8, 16), Segment("three", 16, FRAMES)])
    made.resize(400, 200)
    made.show()
    made.setFocus()
    yield made
    made.close()
    made.deleteLater()


def names(session: Session) -> list[str]:
    return [each.name for each in session.segments.items]


# --- the list and its frames ----------------------------------------------------------------------------

kinds = st.sampled_from(("trim", "cut", "insert", "undo", "redo", "switch"))
steps = st.lists(st.tuples(kinds, st.integers(0, 99), st.integers(0, 99)), max_size=12)


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
@example([("cut", 0, 12), ("trim", 0, 0), ("switch", 0, 0), ("undo", 0, 0)])  # two have the same frames for a while
def test_segments_keep_their_frames_through_edits_and_undo(opened: Session, done: list[tuple[str, int, int]]) -> None:
    """Judged by lists of named frames: a segment goes from the first to the last of its own that are there.

    What comes to stand between those is its own from then on.
    """
    assert opened.recording is not None
    opened.open(opened.recording.path)
    spans = {"a": range(2, 9), "b": range(9, 15), "c": range(12, 20)}
    opened.segments.set([Segment(name, span.start, span.stop) for name, span in spans.items()])
    states, at, fresh = [list(range(FRAMES))], 0, FRAMES
    own = {name: set(span) for name, span in spans.items()}
    for what, one, two in done:
        frames = states[at]
        start, stop = sorted((one % len(frames), two % (len(frames) + 1)))
        opened.steps.open(opened.recording.history)  # undo is of edits here; of both in test_one_undo
        if what == "undo":
            opened.editing.undo()
            at = max(0, at - 1)
        elif what == "redo":
            opened.editing.redo()
            at = min(len(states) - 1, at + 1)
        elif what == "switch":
            items = opened.segments.items
            if items:
                opened.segments.change(one % len(items), is_on=bool(two % 2))
        else:
            try:
                if what == "insert":
                    edit = edits.insert_frame(opened.snapshot_or_refuse(), start, None)
                    after = [*frames[:start], fresh, *frames[start:]]
                    fresh += 1
                elif what == "trim":
                    edit = edits.trim(opened.snapshot_or_refuse(), range(start, max(stop, start + 1)))
                    after = frames[start : max(stop, start + 1)]
                else:
                    edit = edits.cut(opened.snapshot_or_refuse(), range(start, stop))
                    after = frames[:start] + frames[stop:]
            except EditError:
                continue
            opened.editing.apply(edit)
            states, at = [*states[: at + 1], after], at + 1
        present = states[at]
        expected = {
            name: range(there[0], there[-1] + 1)
            for name, frames in own.items()
            if (there := [index for index, frame in enumerate(present) if frame in frames])
        }
        for name, span in expected.items():
            own[name] |= set(present[span.start : span.stop])
        assert {each.name: each.frames for each in opened.segments.items} == expected


def test_a_segment_whose_frames_come_back_has_its_place_in_the_list(opened: Session) -> None:
    assert opened.recording is not None
    opened.segments.set([Segment("a", 2, 5), Segment("b", 8, 12)])
    opened.editing.apply(edits.cut(opened.snapshot_or_refuse(), range(1, 6)))
    opened.segments.change(0, name="later")
    assert names(opened) == ["later"]
    opened.steps.open(opened.recording.history)  # undo is of the edit alone
    opened.editing.undo()
    assert names(opened) == ["a", "later"]


def test_after_resampling_segments_are_found_by_time_and_undo_is_exact(opened: Session) -> None:
    opened.segments.set([Segment("a", 5, 10)])
    elapsed = opened.snapshot_or_refuse().elapsed
    opened.editing.apply(edits.resample(opened.snapshot_or_refuse(), float(elapsed[1] - elapsed[0]) / 3))
    (made,) = opened.segments.items
    times = opened.snapshot_or_refuse().elapsed
    assert times[made.start] == pytest.approx(elapsed[5], abs=0.05)
    assert times[made.stop] == pytest.approx(elapsed[10], abs=0.05)
    opened.editing.undo()
    assert opened.segments.items[0].frames == range(5, 10)


def test_the_list_is_remembered_by_file_as_the_file_is_and_not_as_unsaved_edits_are(
    opened: Session, settings: Settings, tmp_path: Path
) -> None:
    opened.segments.recall = settings.segments_of
    opened.segments.list_changed.connect(settings.keep_segments)
    opened.segments.set([Segment("a", 5, 10, "#112233", is_on=False), Segment("b", 0, 3)])
    opened.editing.apply(edits.cut(opened.snapshot_or_refuse(), range(4)))
    assert [each.frames for each in opened.segments.items] == [range(1, 6)]
    opened.close()
    opened.open(tmp_path / "drive.log")
    assert opened.segments.items == (Segment("a", 5, 10, "#112233", is_on=False), Segment("b", 0, 3))
    opened.segments.set(())
    other = tmp_path / "other.log"
    other.write_bytes(b.drive(3))
    opened.open(other)
    assert not settings.segments_of(str(tmp_path / "drive.log"))
    settings.keep_segments(str(other), '[{"start": "spoilt"}]')
    opened.open(other)
    assert opened.segments.items == ()


def test_how_many_segments_there_are_is_told(opened: Session) -> None:
    told: list[str] = []
    opened.announced.connect(told.append)
    opened.segments.split(8)
    opened.segments.change(0, name="Crossing")
    opened.segments.remove(0)
    assert told == ["2 segments", "1 segment"]


# --- the table ------------------------------------------------------------------------------------------


def typed(table: SegmentTable, row: int, column: int, text: str, qtbot: QtBot) -> None:
    table.setCurrentIndex(table.model().index(row, column))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # the editor of the cell before
    (editor,) = table.findChildren(QLineEdit)
    editor.setText(text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: table.state() == table.State.NoState)  # Qt takes what was typed a moment later


def test_name_start_and_end_are_edited_in_place(table: SegmentTable, opened: Session, qtbot: QtBot) -> None:
    refused: list[str] = []
    opened.refused.connect(refused.append)
    typed(table, 1, NAME, " Overtaking ", qtbot)
    typed(table, 1, START, "#11", qtbot)
    typed(table, 1, END, str(float(opened.snapshot_or_refuse().elapsed[14])), qtbot)
    assert opened.segments.items[1][:3] == ("Overtaking", 10, 14)
    typed(table, 1, END, "#14", qtbot)  # the last frame that stays, as in Out
    assert opened.segments.items[1][:3] == ("Overtaking", 10, 14)
    typed(table, 1, START, "soon", qtbot)
    typed(table, 1, START, "#500", qtbot)
    assert opened.segments.items[1][:3] == ("Overtaking", 13, 14)
    assert len(refused) == 1
    assert "Enter seconds" in refused[0]
    assert table.model().index(1, NAME).data() == "Overtaking"


def test_times_and_sizes_are_those_of_the_edited_recording(table: SegmentTable, opened: Session, qtbot: QtBot) -> None:
    def texts() -> list[str]:
        return [str(table.model().index(1, column).data()) for column in (START, END, SIZE)]

    before = texts()
    with qtbot.waitSignal(table.model().dataChanged):
        opened.editing.apply(edits.shift(opened.snapshot_or_refuse(), 10.0))
    assert texts() == [*(f"{float(text) + 10:.3f}" for text in before[:2]), before[2]]


def test_a_name_that_is_being_typed_goes_with_its_recording(table: SegmentTable, opened: Session, qtbot: QtBot) -> None:
    refused: list[str] = []
    opened.refused.connect(refused.append)
    for leave in (lambda: opened.segments.set(()), opened.show_none):
        opened.segments.split(4)
        table.setCurrentIndex(table.model().index(0, START))
        qtbot.keyClick(table, Qt.Key.Key_F2)
        qtbot.keyClicks(table.findChildren(QLineEdit)[-1], "soon")
        leave()
        assert table.model().rowCount() == 0
        assert not table.isVisible()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert not table.findChildren(QLineEdit)
    assert not refused


def test_keys_switch_move_and_remove_segments(table: SegmentTable, opened: Session, qtbot: QtBot) -> None:
    table.setCurrentIndex(table.model().index(0, NAME))
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert not opened.segments.items[0].is_on
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert names(opened) == ["two", "one", "three"]
    assert table.currentIndex().row() == 1
    qtbot.keyClick(table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert names(opened) == ["one", "two", "three"]
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert names(opened) == ["two", "three"]


def test_a_row_is_dragged_to_another_place_of_the_list(table: SegmentTable, opened: Session, qtbot: QtBot) -> None:
    def middle(row: int) -> QPoint:
        return table.visualRect(table.model().index(row, NAME)).center()

    qtbot.mousePress(table.viewport(), LEFT, pos=middle(0))
    for share in (0.5, 1.0, 1.5, 2.0):
        qtbot.mouseMove(table.viewport(), middle(0) + (middle(1) - middle(0)) * share)
    assert names(opened) == ["two", "three", "one"]
    qtbot.mouseMove(table.viewport(), middle(2) + QPoint(0, 200))  # beyond the list
    qtbot.mouseRelease(table.viewport(), LEFT, pos=middle(2))
    assert names(opened) == ["two", "three", "one"]
    assert table.currentIndex().row() == 2
    qtbot.mouseMove(table.viewport(), middle(0))  # not held any more
    assert names(opened) == ["two", "three", "one"]
    assert [each.is_on for each in opened.segments.items] == [True] * 3


def test_a_click_on_the_box_switches_a_segment_off(table: SegmentTable, opened: Session, qtbot: QtBot) -> None:
    place = table.visualRect(table.model().index(2, NAME))
    qtbot.mouseClick(table.viewport(), LEFT, pos=place.topLeft() + QPoint(10, place.height() // 2))
    assert [each.is_on for each in opened.segments.items] == [True, True, False]


# --- writing --------------------------------------------------------------------------------------------


def test_write_all_writes_the_segments_that_are_on_after_a_look_at_names_and_sizes(
    opened: Session, theme: Theme, tmp_path: Path, qtbot: QtBot
) -> None:
    spans = [range(at, min(at + 5, FRAMES)) for at in range(0, 20, 2)]
    named = [Segment(f"part{at}", span.start, span.stop) for at, span in enumerate(spans)]
    opened.segments.set([*named, Segment("off", 8, 12, is_on=False)])
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "part1.log").write_text("mine")
    dialog = SplitDialog(opened, theme, None, segments=True)
    dialog.open_()
    dialog.set_folder(folder)
    dialog.names.setFocus()
    dialog.names.selectAll()
    qtbot.keyClicks(dialog.names, "{segment}")
    qtbot.keyClick(dialog.names, Qt.Key.Key_Return)
    names = [f"part{at}.log" for at in range(10)]
    qtbot.waitUntil(lambda: dialog.parts is not None and [part.name for part in dialog.parts] == names)
    sizes = [part.size for part in dialog.parts or ()]
    assert dialog.already.text().startswith("1 of these files exists")
    assert "segments drive.log out --segments segments.json" in dialog.command.text
    qtbot.mouseClick(dialog.go, LEFT)
    idle(dialog, qtbot)
    for name, span, size in zip(names, spans, sizes, strict=True):
        words = ["--from", f"#{span.start + 1}", "--to", f"#{span.stop + 1}"]
        words = words[2 * (span.start == 0) : None if span.stop < FRAMES else 2]
        assert main(["trim", str(tmp_path / "drive.log"), str(tmp_path / "single.log"), *words, "-f"]) == 0
        assert (folder / name).read_bytes() == (tmp_path / "single.log").read_bytes()
        assert (folder / name).stat().st_size == size
    assert len(list(folder.iterdir())) == 10
    dialog.reject()


@part
def the_list_is_as_high_as_its_rows(window: MainWindow) -> None:
    table = window.panes.get(TRIM).segments
    lines = table.verticalHeader()
    lines.setMinimumSectionSize(30)  # as with fonts that have Chinese signs, where it is more than usual
    window.session.segments.split(8)
    assert lines.count() == 2
    assert table.height() >= lines.length() + table.horizontalHeader().height() + 2 * table.frameWidth()


@part
def the_window_splits_cuts_out_joins_and_keeps_lists(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, canvas = window.session, window.panes.get(TIMELINE).canvas
    canvas.setFocus()
    for frame in (8, 16):
        session.selection.go_to_frame(frame)
        qtbot.keyClick(canvas, Qt.Key.Key_S)
    assert [each.frames for each in session.segments.items] == [range(8), range(8, 16), range(16, FRAMES)]
    assert window.panes.get(TRIM).segments.items.rowCount() == 3
    listed = tmp_path / "list.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(listed), "CSV (*.csv)"))
    window.registry.run("segments.export")
    assert listed.read_text().splitlines()[0] == "start,end,name"
    session.segments.change(1, is_on=False)
    out = tmp_path / "joined.log"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    window.registry.run("segments.join")
    idle(window, qtbot)
    with open_recording(out) as joined:
        assert len(joined) == 16
    window.registry.run("segments.cut")
    qtbot.waitUntil(lambda: session.frames == 8)
    assert [each.frames for each in session.segments.items] == [range(8)]
    session.editing.undo()
    assert len(session.segments.items) == 3
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(listed), ""))
    window.registry.run("segments.import")
    assert len(session.segments.items) == 6
    listed.write_text("start,end\n0,soon\n")
    window.registry.run("segments.import")
    assert session.messages[-1].startswith("Line 2: ")
    assert len(session.segments.items) == 6


@part
def s_splits_where_the_scene_has_the_keyboard_too(window: MainWindow, qtbot: QtBot) -> None:
    view = window.panes.get(SCENE).view
    view.setFocus()
    window.session.selection.go_to_frame(8)
    qtbot.keyClick(view, Qt.Key.Key_S)
    assert [each.frames for each in window.session.segments.items] == [range(8), range(8, FRAMES)]


@part
def the_ends_of_a_segment_are_dragged_on_the_timeline(window: MainWindow, qtbot: QtBot) -> None:
    session, canvas = window.session, window.panes.get(TIMELINE).canvas
    session.segments.set([Segment("one", 4, 10), Segment("two", 14, 20)])
    lane = next(lane for lane in canvas.timeline_layout.timeline_lanes if lane.meaning == "segment")

    def point(frame: int) -> QPoint:
        return QPoint(round(canvas.axis.x(float(canvas.axis.times[frame]))), lane.top + 8)

    for start, stop, expected in ((10, 12, [(4, 12), (14, 20)]), (14, 17, [(4, 12), (17, 20)])):
        qtbot.mousePress(canvas, LEFT, pos=point(start))
        qtbot.mouseMove(canvas, point(stop))
        qtbot.mouseRelease(canvas, LEFT, pos=point(stop))
        assert [(each.start, each.stop) for each in session.segments.items] == expected
    qtbot.mousePress(canvas, LEFT, pos=point(17))
    qtbot.mouseMove(canvas, point(15))
    assert session.segments.items[1].start == 15
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    qtbot.mouseRelease(canvas, LEFT, pos=point(15))
    assert session.segments.items[1].start == 17
    qtbot.mouseClick(canvas, LEFT, pos=point(19))
    assert session.selection.frame_index == 17
    assert "<b>two</b>" in canvas.tip(point(19).toPointF())
    QApplication.processEvents()


def test_segments_in_a_window(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    path = tmp_path / "drive.log"
    path.write_bytes(b.drive(FRAMES))
    window = open_window(path)
    window.resize(1440, 900)
    window.show()
    window.panes.set_preset("trim")
    part.run(subtests, begin_anew(window, path, qtbot), window=window, tmp_path=tmp_path, qtbot=qtbot)


# --- playing --------------------------------------------------------------------------------------------


def test_playing_leaves_out_what_is_off_unless_something_there_is_on(opened: Session) -> None:
    now = [0.0]
    player = Player(opened, clock=lambda: now[0])
    off = [Segment("off", 4, 12, is_on=False), Segment("end", 20, FRAMES, is_on=False)]
    opened.segments.set([*off, Segment("on", 6, 8)])
    elapsed = opened.snapshot_or_refuse().elapsed
    step = float(elapsed[1] - elapsed[0])

    def played(*, backward: bool = False) -> list[int]:
        seen = []
        player.play(backward=backward)
        while player.is_playing:
            now[0] += step / 2
            player.tick()
            seen.append(opened.selection.frame_index)
        return list(dict.fromkeys(seen))

    opened.selection.go_to_frame(1)
    assert set(played()) == set(range(1, FRAMES))
    opened.segments.skips = True
    opened.selection.go_to_frame(1)
    assert set(played()) == {1, 2, 3, 6, 7, *range(12, 20)}
    assert opened.selection.frame_index == 19
    assert set(played(backward=True)) == {0, 1, 2, 3, 6, 7, *range(12, 19)}
    opened.segments.set([Segment("all", 0, FRAMES, is_on=False)])
    assert not played()[1:]


def test_the_tools_of_segments_have_words_where_there_is_room(opened: Session, theme: Theme, qtbot: QtBot) -> None:
    pane = TrimPane(opened, theme)
    qtbot.addWidget(pane)
    asked: list[str] = []
    for text in ("Split at playhead", "Write all..."):
        action = QAction(text, pane)
        action.triggered.connect(partial(asked.append, text))
        pane.tools.add(action)
    pane.resize(340, 420)
    pane.show()
    assert not pane.tools.icons.isVisible()
    button = next(one for one in pane.tools.words.findChildren(QToolButton) if one.text() == "Split at playhead")
    qtbot.mouseClick(button, LEFT)
    assert asked == ["Split at playhead"]
    pane.resize(340, 200)
    assert pane.tools.icons.isVisible()
    assert not pane.tools.words.isVisible()
    pane.resize(340, 420)
    assert pane.tools.words.isVisible()
    opened.range.set_in(3)  # what is kept stands there now
    assert pane.tools.icons.isVisible()
