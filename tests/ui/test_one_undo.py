"""One undo for everything a person does: edits, notes, bookmarks, segments and the in-out range."""

from pathlib import Path
from random import Random

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor import edits
from recorder_editor.edits.script import save_script
from recorder_editor.recording.note import Note
from recorder_editor.recording.notes import NoteBook, notes_path, read_notes
from recorder_editor.recording.recovery import find_leftovers
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import HISTORY, NOTES, TIMELINE, TRIM

from .. import builders as b
from .parts import Parts, begin_anew
from .undo_course import UndoCourse
from .windows import OpenWindow, idle

CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton

part = Parts()


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(path)
    window.resize(1400, 900)
    window.show()
    idle(window, qtbot)
    return window


def labels(window: MainWindow) -> list[str]:
    return [each.label for each in window.session.steps.entries]


def texts(path: Path) -> list[str]:
    return [note.text for note in read_notes(notes_path(path).read_bytes())[1]]


def cut_first(session: Session) -> None:
    session.editing.apply(edits.cut(session.snapshot_or_refuse(), range(1)))


def undo(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_Z, CONTROL)


def redo(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_Y, CONTROL)


@part
def a_note_that_is_deleted_comes_back_and_the_edit_before_it_stays(
    window: MainWindow, path: Path, qtbot: QtBot
) -> None:
    session = window.session
    cut_first(session)
    session.editing.save()
    session.notes.make("brakes late", range(3, 5))
    qtbot.waitUntil(lambda: notes_path(path).exists())
    window.panes.show(NOTES.name)
    table = window.panes.get(NOTES).table
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert session.notes.items == ()
    qtbot.waitUntil(lambda: texts(path) == [])
    frames = session.frames
    undo(window, qtbot)
    assert [note.text for note in session.notes.items] == ["brakes late"]
    assert session.frames == frames
    assert not session.is_modified
    qtbot.waitUntil(lambda: texts(path) == ["brakes late"])
    redo(window, qtbot)
    assert session.notes.items == ()


@part
def undo_and_redo_are_named_in_the_menu_on_the_buttons_and_in_history(window: MainWindow, qtbot: QtBot) -> None:
    action, again = window.registry["edit.undo"], window.registry["edit.redo"]
    assert (action.isEnabled(), action.text(), action.toolTip()) == (False, "Undo", "Undo the last step (Ctrl+Z)")
    qtbot.keyClick(window, Qt.Key.Key_S)
    window.registry.refresh()
    assert [each.name for each in window.session.segments.items] == []
    window.session.selection.go_to_frame(10)
    qtbot.keyClick(window, Qt.Key.Key_S)
    window.registry.refresh()
    assert action.isEnabled()
    assert action.text() == "Undo Split segment"
    assert action.toolTip() == "Undo Split segment (Ctrl+Z)"
    assert labels(window) == ["Split segment"]
    model = window.panes.get(HISTORY).model
    assert [(row.label, row.is_mark) for row in model.rows] == [("Opened", False), ("Split segment", True)]
    assert "No edits" in window.status.parts["edits"].text()
    assert not window.isWindowModified()
    undo(window, qtbot)
    window.registry.refresh()
    assert window.session.segments.items == ()
    assert not action.isEnabled()
    assert again.text() == "Redo Split segment"


@part
def a_segment_that_is_removed_comes_back_with_its_name_and_colour(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.segments.add(range(4, 9))
    session.segments.change(0, name="the turn", color="#228833")
    before = session.segments.items
    window.panes.set_preset("trim")
    table = window.panes.get(TRIM).segments
    qtbot.waitUntil(table.isVisible)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert session.segments.items == ()
    undo(window, qtbot)
    assert session.segments.items == before
    undo(window, qtbot)
    assert session.segments.items[0].name != "the turn"


@part
def a_handle_that_is_dragged_is_one_step_and_escape_leaves_none(window: MainWindow, qtbot: QtBot) -> None:
    session, canvas = window.session, window.panes.get(TIMELINE).canvas
    session.range.set(5, 30)

    def pull(frame: int) -> None:
        grip = canvas.timeline_layout.grip("out").center().toPoint()
        qtbot.mousePress(canvas, LEFT, pos=grip)
        for by in (-3, -6, 0):
            qtbot.mouseMove(canvas, QPoint(round(canvas.axis.x(canvas.axis.end_of(frame - 1))) + by, grip.y()))

    pull(20)
    qtbot.mouseRelease(canvas, LEFT)
    dragged = session.range.frames
    assert dragged.stop < 30
    assert labels(window) == ["Mark in and out", "Mark out"]
    session.selection.go_to_frame(12)
    qtbot.keyClick(window, Qt.Key.Key_O)
    assert session.range.frames == range(5, 13)
    assert len(labels(window)) == 3
    pull(10)
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    qtbot.mouseRelease(canvas, LEFT)
    assert len(labels(window)) == 3
    for expected in (dragged, range(5, 30), range(session.frames)):
        undo(window, qtbot)
        assert session.range.frames == expected
    redo(window, qtbot)
    assert session.range.frames == range(5, 30)


@part
def a_step_beside_the_file_leaves_undone_edits_to_be_redone(window: MainWindow, qtbot: QtBot) -> None:
    session, frames = window.session, window.session.frames
    cut_first(session)
    undo(window, qtbot)
    session.notes.bookmark("here", 4)
    assert labels(window) == ["Add bookmark", "Cut out frame 1"]
    redo(window, qtbot)
    assert session.frames == frames - 1
    undo(window, qtbot)
    undo(window, qtbot)
    assert session.notes.items == ()
    assert session.frames == frames


@part
def neither_scripts_nor_the_library_know_of_steps_beside_the_file(window: MainWindow, qtbot: QtBot) -> None:
    session, recording = window.session, window.session.recording
    assert recording is not None
    assert not window.registry.is_enabled("tools.save_script")
    session.notes.bookmark("here", 4)
    window.registry.refresh()
    assert not window.registry.is_enabled("tools.save_script")
    cut_first(session)
    session.range.set(3, 9)
    assert [step.label for step in recording.history.steps] == ["Cut out frame 1"]
    assert save_script(recording.history.steps).text.count('"operation"') == 1
    frames = len(recording)
    recording.undo()
    assert len(recording) == frames + 1
    assert len(session.notes.items) == 1


def test_edits_of_one_gesture_do_not_join_over_a_step_beside_the_file(session: Session, path: Path) -> None:
    session.open(path)

    def turn(yaw: float) -> None:
        where = edits.place(session.snapshot_or_refuse(), frame=3, packet="Position", record=0, field="rotation.yaw")
        session.editing.apply(edits.set_field(session.snapshot_or_refuse(), where, yaw), gesture="drag")

    turn(10.0)
    turn(20.0)
    session.notes.bookmark("here", 4)
    turn(30.0)
    turn(40.0)
    assert len(session.steps.entries) == 3
    session.editing.undo()
    assert len(session.notes.items) == 1
    session.editing.undo()
    assert session.notes.items == ()
    assert session.is_modified
    session.editing.undo()
    assert not session.is_modified


def test_edits_of_one_gesture_do_not_join_over_undo_and_redo(session: Session, path: Path) -> None:
    session.open(path)
    for yaw in (10.0, 20.0):
        where = edits.place(session.snapshot_or_refuse(), frame=3, packet="Position", record=0, field="rotation.yaw")
        session.editing.apply(edits.set_field(session.snapshot_or_refuse(), where, yaw), gesture="typing")
        session.editing.undo()
        session.editing.redo()
    assert len(session.steps.entries) == 2


@part.each("change", ["changed", "deleted"])
def a_note_that_another_window_changed_is_told_and_stays(
    window: MainWindow, path: Path, change: str, qtbot: QtBot
) -> None:
    session = window.session
    session.notes.make("mine", range(3, 5))
    session.notes.change(0, text="mine, too")
    assert session.notes.finish()
    with recorder_editor.open(path) as recording:
        book = NoteBook(recording)
        note = book.items[0]
        book.set(note._replace(text="theirs") if change == "changed" else None, note)
        book.save()
    undo(window, qtbot)
    assert "Another window changed or deleted this note" in session.messages[-1]
    assert [each.text for each in session.notes.items] == (["theirs"] if change == "changed" else [])
    assert labels(window) == ["Add note"]  # the next one is tried by the next key
    undo(window, qtbot)
    assert labels(window) == []
    assert session.notes.finish()
    assert texts(path) == (["theirs"] if change == "changed" else [])


@part
def a_deleted_note_that_another_window_changed_comes_back_beside_it(
    window: MainWindow, path: Path, qtbot: QtBot
) -> None:
    session = window.session
    session.notes.make("mine", range(3, 5))
    assert session.notes.finish()
    with recorder_editor.open(path) as recording:
        book = NoteBook(recording)
        session.notes.remove(0)
        assert session.notes.finish()
        book.set(book.items[0]._replace(text="theirs"), book.items[0])
        book.save()
    undo(window, qtbot)
    assert sorted(note.text for note in session.notes.items) == ["mine", "theirs"]
    assert "both forms are kept" in session.messages[-1]
    assert session.notes.finish()
    assert sorted(texts(path)) == ["mine", "theirs"]


@part
def notes_that_are_taken_over_go_again_at_once(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    with recorder_editor.open(path) as recording:
        book = NoteBook(recording)
        book.set(Note("one", 2, 3))
        book.set(Note("two", 4, 5))
        book.save()
    copy = path.with_name("copy.log")
    copy.write_bytes(path.read_bytes())
    window.session.open(copy)
    idle(window, qtbot)
    window.session.notes.take_over()
    assert len(window.session.notes.items) == 2
    assert labels(window) == ["Take over notes"]
    undo(window, qtbot)
    assert window.session.notes.items == ()


def test_one_undo_in_a_window(window: MainWindow, path: Path, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    begin_with_a_copy = begin_anew(window, path, qtbot)

    def begin() -> dict[str, Path]:
        window.panes.set_preset("inspect")
        return begin_with_a_copy()

    part.run(subtests, begin, window=window, qtbot=qtbot)


@pytest.fixture
def remembering(session: Session, settings: Settings) -> Session:
    """A session that remembers segments, as that of a window does."""
    session.segments.recall = settings.segments_of
    session.segments.list_changed.connect(settings.keep_segments)
    return session


def go(session: Session, folder: Path, seed: int, steps: int) -> None:
    path = folder / "drive.log"
    path.write_bytes(b.drive(12, vehicles=2))
    course = UndoCourse(session, path, Random(seed))
    try:
        course.run(steps)
    finally:
        session.close()
        for leftover in find_leftovers():
            leftover.discard()


@pytest.mark.sampled(cases=4)
@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_done_last_is_taken_back_first(remembering: Session, tmp_path: Path, seed: int) -> None:
    go(remembering, tmp_path, seed, 40)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 400))
def test_long_courses_are_taken_back(remembering: Session, tmp_path: Path, seed: int) -> None:
    go(remembering, tmp_path, seed, 120)
