"""Notes in the window: keys and menus make them, the pane edits, filters and jumps, the timeline shows them."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QColorDialog, QLabel, QLineEdit, QMenu, QToolButton
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor import Edit, edits
from recorder_editor.recording.note import Note
from recorder_editor.recording.notes import NoteBook, notes_path, read_notes
from recorder_editor.recording.recovery import find_leftovers
from recorder_editor.ui.dialogs.reports import ReportsDialog
from recorder_editor.ui.panes.notes.notes_pane import NotesPane
from recorder_editor.ui.panes.signals.signals_menu import context_menu
from recorder_editor.ui.panes.timeline.note_field import NoteField
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import NOTES, PROBLEMS, SCENE, SIGNALS, TIMELINE
from recorder_editor.views.signal_key import Key

from .. import builders as b
from ..extent import examples
from ..recording.notes_course import STEPS, Course, end, step
from .alone import Alone
from .parts import Parts, begin_anew
from .windows import OpenWindow, idle

LEFT = Qt.MouseButton.LeftButton
TEXT, TAGS, FRAMES = range(3)

part = Parts()


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(path)
    window.resize(1400, 900)
    window.show()
    idle(window, qtbot)
    return window


def open_again(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    """Open a recording beside which notes were written meanwhile."""
    window.session.open(path)
    idle(window, qtbot)


def pane_of(window: MainWindow) -> NotesPane:
    window.panes.show(NOTES.name)
    return window.panes.get(NOTES)


def note_field(window: MainWindow) -> NoteField:
    """The field at the cursor."""
    (field,) = (each for each in window.findChildren(NoteField) if each.isVisible())
    return field


def editor(pane: NotesPane) -> QLineEdit:
    (found,) = (each for each in pane.table.findChildren(QLineEdit) if each.isVisible())
    return found


def choose(pane: NotesPane, row: int, column: int = TEXT) -> None:
    pane.table.setFocus()
    pane.table.setCurrentIndex(pane.items.index(row, column))


def said(pane: NotesPane, column: int) -> list[str]:
    return [pane.items.index(row, column).data() for row in range(pane.items.rowCount())]


def kept(path: Path) -> list[Note]:
    file = notes_path(path)
    return read_notes(file.read_bytes())[1] if file.exists() else []


def menu_texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions()]


@part
def b_marks_the_frame_and_takes_the_text_at_the_cursor_and_again_the_text_that_is_there(
    window: MainWindow, path: Path, qtbot: QtBot
) -> None:
    session, canvas = window.session, window.panes.get(TIMELINE).canvas
    session.selection.go_to_frame(5)
    view = window.panes.get(SCENE).view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_B)
    assert [(note.text, note.frames) for note in session.notes.items] == [("Bookmark", range(5, 6))]
    field = note_field(window)
    assert field.hasFocus()
    assert field.placeholderText() == f"Note at {canvas.axis.times[5]:.3f} s"
    assert abs(field.x() - canvas.axis.x(float(canvas.axis.times[5]))) < 10
    before = session.snapshot, session.range.frames
    qtbot.keyClicks(field, "brakes if late #rain")  # letters are no commands
    assert before == (session.snapshot, session.range.frames)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert view.hasFocus()
    qtbot.waitUntil(lambda: session.notes.items[0].every_tag == ("rain",))
    qtbot.waitUntil(lambda: [note.text for note in kept(path)] == ["brakes if late #rain"])
    qtbot.keyClick(view, Qt.Key.Key_B)
    assert note_field(window).selectedText() == "brakes if late #rain"
    qtbot.keyClicks(note_field(window), "brakes")
    canvas.setFocus()
    assert [note.text for note in session.notes.items] == ["brakes"], "going elsewhere keeps it"


@part
def escape_leaves_the_plain_mark(window: MainWindow, qtbot: QtBot) -> None:
    session, canvas = window.session, window.panes.get(TIMELINE).canvas
    session.selection.go_to_frame(session.frames - 1)
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_B)
    field = note_field(window)
    assert field.x() + field.width() <= canvas.width(), "at the end of the recording it is whole, too"
    qtbot.keyClicks(field, "brakes")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert [note.text for note in session.notes.items] == ["Bookmark"]
    assert canvas.hasFocus()
    qtbot.waitUntil(lambda: canvas.findChild(NoteField) is None)


@part
def the_enter_that_keeps_the_text_presses_no_button(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    button = next(each for each in window.panes.get(TIMELINE).transport.findChildren(QToolButton) if each.isEnabled())
    button.setFocus()
    session.selection.go_to_frame(4)
    window.registry.run("notes.frame")
    pressed: list[bool] = []
    button.clicked.connect(pressed.append)
    qtbot.keyClicks(note_field(window), "brakes")
    qtbot.keyClick(note_field(window), Qt.Key.Key_Return)
    assert [note.text for note in session.notes.items] == ["brakes"]
    assert pressed == []
    assert session.selection.frame_index == 4


@part
def without_a_timeline_the_text_is_typed_in_the_pane(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    window.panes.show(TIMELINE.name, False)
    pane = window.panes.get(NOTES)
    pane.filter.setText("nobody")
    window.registry.run("notes.frame")
    window.registry.run("notes.frame")
    assert pane.filter.text() == ""
    assert pane.isVisible()
    line = editor(pane)
    assert line.selectedText() == "Bookmark"
    qtbot.keyClicks(line, "brakes late")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.notes.items[0].text == "brakes late")
    window.panes.show(TIMELINE.name)


@part
def where_the_notes_cannot_be_read_b_says_that_the_note_is_not_kept_and_why(
    window: MainWindow, path: Path, qtbot: QtBot
) -> None:
    notes_path(path).write_text('[{"notes": 1}\n,{"frame": 0, "text": "odd"}\n]')
    open_again(window, path, qtbot)
    told: list[str] = []
    window.session.announced.connect(told.append)
    canvas = window.panes.get(TIMELINE).canvas
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_B)
    assert told == []
    assert window.session.notes.items == ()
    message = window.session.messages[-1]
    assert message.startswith("The note is not kept, because the notes cannot be read: ")
    assert "Line 2" in message
    window.session.range.set(1, 3)
    window.registry.run("notes.range")
    assert window.session.messages[-1] == message


@part
def notes_without_a_fingerprint_are_shown_it_is_said_and_the_first_change_writes_one(
    window: MainWindow, path: Path, qtbot: QtBot
) -> None:
    notes_path(path).write_text('[{"notes": 1}\n,{"frame": 3, "text": "by hand"}\n]')
    open_again(window, path, qtbot)
    assert window.session.messages[-1].startswith("The file of the notes has no fingerprint")
    window.session.notes.change(0, text="late")
    qtbot.waitUntil(lambda: [note.text for note in kept(path)] == ["late"])
    with recorder_editor.open(path) as recording:
        assert not NoteBook(recording).doubt


@part
def range_and_actor_are_marked_by_their_actions(window: MainWindow) -> None:
    session, run = window.session, window.registry.run
    assert window.registry.reason("notes.range")
    session.range.set(3, 9)
    run("notes.range")
    session.selection.go_to_frame(12)
    assert window.registry.reason("notes.actor")
    session.selection.select_actor(101)
    run("notes.actor")
    frames = session.frames
    assert {(note.frames, note.actor) for note in session.notes.items} == {(range(3, 9), None), (range(frames), 101)}
    timeline = window.panes.get(TIMELINE)
    assert "Note of the range" in menu_texts(timeline.context_menu(4))
    menu = QMenu()
    timeline.menu_asked.emit(menu)
    assert "Note of the actor" in menu_texts(menu)


@part
def a_note_in_the_timeline_is_told_and_gone_to_with_a_click(window: MainWindow, qtbot: QtBot) -> None:
    session, canvas = window.session, window.panes.get(TIMELINE).canvas
    session.notes.set(Note("<b> late", 20, 30, None, "#EE6677"))
    lane = next(lane for lane in canvas.timeline_layout.timeline_lanes if lane.name == "Notes")
    point = QPointF(canvas.axis.x(float(canvas.axis.times[25])), lane.top + canvas.timeline_layout.lane_height - 1)
    assert "&lt;b&gt; late" in canvas.pointing.tip(point)
    color = canvas.grab().toImage().pixelColor((point * canvas.devicePixelRatioF()).toPoint())
    assert color.hue() == pytest.approx(QColor("#EE6677").hue(), abs=3)
    qtbot.mouseClick(canvas, LEFT, pos=point.toPoint())
    assert session.selection.frame_index == 20
    session.notes.set(Note("all of it", 0, session.frames))
    assert "&lt;b&gt; late" in canvas.pointing.tip(point)  # the shortest one


@part
def the_table_goes_to_the_note_filters_by_words_and_tags_and_deletes(window: MainWindow, qtbot: QtBot) -> None:
    session, pane = window.session, pane_of(window)
    session.notes.set(Note("brakes late", 8, 9, 100, tags=("brake", "to do")))
    session.notes.set(Note("turns", 3, 6))
    table = pane.table
    assert said(pane, FRAMES) == ["4–6", "9 · 100"]
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(pane.items.index(1, TEXT)).center())
    assert (session.selection.frame_index, session.selection.actor) == (8, 100)
    qtbot.keyClick(table, Qt.Key.Key_Up)
    assert session.selection.frame_index == 3
    session.selection.go_to_frame(20)
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(pane.items.index(0, TEXT)).center())
    assert session.selection.frame_index == 3
    assert pane.open_find()
    qtbot.keyClicks(pane.filter, "LATE #to")
    assert [table.isRowHidden(row) for row in range(2)] == [True, False]
    pane.filter.clear()
    qtbot.keyClicks(pane.filter, "nobody")
    assert pane.empty.isVisible()
    qtbot.keyClick(pane.filter, Qt.Key.Key_Escape)
    choose(pane, 1)
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert [note.text for note in session.notes.items] == ["turns"]


@part
def behind_a_filter_that_hid_all_frames_are_read_in_full_again(window: MainWindow, qtbot: QtBot) -> None:
    pane = pane_of(window)
    window.session.notes.set(Note("a drive", 0, 40, 100_000))
    pane.filter.setText("nobody")
    for name in ("packets", NOTES.name):  # when it is in sight again Qt finds out how wide columns are to be
        window.panes.show(name)
        QApplication.processEvents()
    pane.filter.clear()
    assert pane.table.columnWidth(FRAMES) >= pane.table.sizeHintForColumn(FRAMES)


@part
def tags_are_written_in_place(window: MainWindow, qtbot: QtBot) -> None:
    session, pane = window.session, pane_of(window)
    session.notes.set(Note("turns", 3, 6, tags=("old",)))
    choose(pane, 0, TAGS)
    qtbot.keyClick(pane.table, Qt.Key.Key_F2)
    qtbot.keyClicks(editor(pane), "to do, #wet #wet")
    qtbot.keyClick(editor(pane), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.notes.items[0].tags == ("to do", "wet"))
    assert said(pane, TAGS) == ["#to do #wet"]


@part.each("kind", ["frame", "range", "actor"])
def a_word_after_a_number_sign_is_a_tag_of_what_is_typed_into_the_text(
    window: MainWindow, path: Path, qtbot: QtBot, kind: str
) -> None:
    session, pane = window.session, pane_of(window)
    session.range.set(1, 3)
    session.selection.select_actor(100)
    window.registry.run(f"notes.{kind}")
    line = note_field(window) if kind == "frame" else editor(pane)
    qtbot.keyClicks(line, "first contact #crash")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.notes.items[0].text == "first contact #crash")
    assert said(pane, TEXT) == ["first contact #crash"]
    assert said(pane, TAGS) == ["#crash"]
    session.editing.undo()
    assert said(pane, TAGS) == [""]
    session.editing.redo()
    qtbot.waitUntil(lambda: [note.text for note in kept(path)] == ["first contact #crash"])
    assert kept(path)[0].tags == ()


@part
def tags_of_the_text_are_not_written_a_second_time(window: MainWindow, qtbot: QtBot) -> None:
    session, pane = window.session, pane_of(window)
    session.notes.set(Note("late #brake", 3, 6, tags=("wet", "Brake")))
    before = session.notes.items
    choose(pane, 0, TAGS)
    qtbot.keyClick(pane.table, Qt.Key.Key_F2)
    assert editor(pane).text() == "#wet #Brake"
    qtbot.keyClick(editor(pane), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pane.table.state() != pane.table.State.EditingState)
    assert session.notes.items == before
    session.notes.change(0, tags=())
    qtbot.keyClick(pane.table, Qt.Key.Key_F2)
    qtbot.keyClicks(editor(pane), "#brake #todo")
    qtbot.keyClick(editor(pane), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.notes.items[0].tags == ("todo",))
    assert said(pane, TAGS) == ["#todo #brake"]
    assert pane.open_find()
    qtbot.keyClicks(pane.filter, "#todo #brake")
    assert not pane.table.isRowHidden(0)


@part
def notes_follow_edits_and_undo_and_are_kept_where_they_are_in_the_file(
    window: MainWindow, path: Path, qtbot: QtBot
) -> None:
    session = window.session
    session.notes.set(Note("here", 10, 12))
    session.editing.apply(edits.cut(session.snapshot_or_refuse(), range(4)))
    assert session.notes.items[0].frames == range(6, 8)
    session.editing.apply(edits.trim(session.snapshot_or_refuse(), range(5)))
    assert session.notes.items[0].is_gone
    assert said(pane_of(window), FRAMES) == ["gone"]
    qtbot.waitUntil(lambda: bool(kept(path)))
    assert kept(path)[0].frames == range(10, 12)
    session.editing.undo()
    session.editing.save()
    qtbot.waitUntil(lambda: kept(path)[0].frames == range(6, 8))
    with recorder_editor.open(path) as recording:
        assert not NoteBook(recording).doubt


class InWindow(Course):
    """The same in the session of a window, which opens the recording and keeps the notes itself."""

    def __init__(self, session: Session, path: Path) -> None:
        self.session = session
        super().__init__(session.open(path), list(range(9)))

    @property
    def items(self) -> tuple[Note, ...]:
        return self.session.notes.items

    def set(self, note: Note, instead: Note | None = None) -> None:
        self.session.notes.set(note, instead)

    def apply(self, edit: Edit) -> None:
        self.session.editing.apply(edit)

    def undo(self, *, back: bool) -> None:
        assert self.session.recording is not None
        self.session.steps.open(self.session.recording.history)  # undo is of edits here; of both in test_one_undo
        (self.session.editing.undo if back else self.session.editing.redo)()

    def save(self, path: Path | None) -> None:
        self.session.editing.save(path)


@given(STEPS, st.booleans())
@example([("insert", 4, 0), ("note", 5, 0), ("save", 0, 0), ("copy", 5, 0), ("note", 5, 1)], True)
@example([("note", 3, 2), ("cut", 4, 1), ("note", 3, 0), ("save as", 0, 0), ("insert", 0, 0)], True)
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_notes_of_a_window_keep_their_frames_through_edits_undo_saving_and_a_crash(
    session: Session, tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, int]], crashes: bool
) -> None:
    path = tmp_path_factory.mktemp("course") / "drive.log"
    path.write_bytes(b.drive(9, vehicles=2))
    course = InWindow(session, path)
    try:
        for number, (deed, a, z) in enumerate(steps):
            step(course, deed, a, z, number)
            course.check()
        if not crashes:
            session.editing.save()
        session.notes.finish()
        session.show(end(course, crashes=crashes))
        assert {note.text: note.frames for note in course.items if note.frames} == {
            text: range(start, stop) for text, is_gone, start, stop in course.naive.places() if not is_gone
        }
        assert len(course.items) == len(course.naive.held)
    finally:
        session.close()
        for leftover in find_leftovers():
            leftover.discard()


@part
def a_finding_becomes_a_note_at_its_frame(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-60])
    open_again(window, path, qtbot)
    window.panes.show(PROBLEMS.name)
    problems = window.panes.get(PROBLEMS)
    qtbot.waitUntil(lambda: problems.model.rowCount() > 0)
    problems.step(1)
    entry = next(action for action in problems.menu().actions() if action.text() == "Make a note of this")
    entry.trigger()
    (note,) = window.session.notes.items
    assert problems.current is not None
    assert note.text == problems.current.message


@part
def a_copy_is_offered_the_notes_of_its_content(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    with recorder_editor.open(path) as recording:
        book = NoteBook(recording)
        book.set(Note("of the first", 2, 3))
        book.save()
    copy = path.with_name("copy.log")
    copy.write_bytes(path.read_bytes())
    open_again(window, copy, qtbot)
    assert window.session.messages[-1].startswith(f"{notes_path(path).name} has notes of the same content")
    pane = pane_of(window)
    assert any(notes_path(path).name in label.text() for label in pane.empty.findChildren(QLabel))
    assert not notes_path(copy).exists()
    middle = pane.adopt.mapTo(window, pane.adopt.rect().center())
    assert window.childAt(middle) is pane.adopt  # nothing that takes no mouse lies around it
    qtbot.mouseClick(pane.adopt, LEFT)
    assert [note.text for note in window.session.notes.items] == ["of the first"]
    qtbot.waitUntil(lambda: notes_path(copy).exists())
    assert kept(copy) == kept(path)


@part
def a_file_that_cannot_be_read_is_told_and_stays(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    notes_path(path).write_text('[{"notes": 1, "fingerprint": "m"}\n,{"frame": 0}\n]')
    before = notes_path(path).read_bytes()
    open_again(window, path, qtbot)
    assert any("Line 2" in message for message in window.session.messages)
    window.registry.run("notes.frame")
    assert window.session.notes.items == ()
    assert "Line 2" in window.session.messages[-1]
    window.session.editing.apply(edits.delete_rows(window.session.snapshot_or_refuse(), 0, 1))
    idle(window, qtbot)
    assert notes_path(path).read_bytes() == before


@part
def opening_alone_writes_nothing(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    line = {"frame": 3, "text": "kept", "color": "#123456"}
    notes_path(path).write_text("[" + json.dumps({"notes": 1, "fingerprint": "of another"}) + "\n" + json.dumps(line))
    before = notes_path(path).read_bytes()
    open_again(window, path, qtbot)
    assert [note.text for note in window.session.notes.items] == ["kept"]
    window.session.close()
    assert notes_path(path).read_bytes() == before


@part
def the_values_of_a_signal_in_this_frame_become_a_note_of_its_actor(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    window.panes.show(SIGNALS.name)
    signals = window.panes.get(SIGNALS)
    signals.model.add(Key("motion", "speed", "", 101))
    qtbot.waitUntil(lambda: bool(signals.traces) and signals.traces[0].is_read)
    session.selection.go_to_frame(7)
    entry = next(
        each for each in context_menu(signals, signals.traces).actions() if each.text() == "Make a note of this"
    )
    entry.trigger()
    (note,) = session.notes.items
    assert (note.frames, note.actor) == (range(7, 8), 101)
    assert "speed" in note.text.lower()
    assert "10" in note.text


def test_the_report_of_notes_follows_them(alone: Alone, qtbot: QtBot) -> None:
    alone.session.notes.make("brakes late", range(4, 9), 100)
    dialog = ReportsDialog(alone.session, alone.theme, alone)
    dialog.show()
    dialog.kind.set_current(4)
    qtbot.waitUntil(lambda: dialog.text is not None and dialog.text.lines == 1)
    assert dialog.view.toPlainText() == "5-9  0.200 s  actor 100  brakes late\n"


@part
def a_colour_is_chosen_in_the_menu_of_a_row_and_only_of_it(window: MainWindow, qtbot: QtBot) -> None:
    session, pane = window.session, pane_of(window)
    session.notes.set(Note("one", 3, 4))
    session.notes.set(Note("two", 8, 9))
    choose(pane, 1)
    next(each for each in pane.table.actions() if each.text() == "Colour...").trigger()
    (dialog,) = pane.table.findChildren(QColorDialog)
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 0, 1))  # notes move meanwhile
    dialog.setCurrentColor(QColor("#228833"))
    dialog.accept()
    assert [(note.text, note.color, note.start) for note in session.notes.items] == [
        ("one", "#CCBB44", 2),
        ("two", "#228833", 7),
    ]


def test_notes_of_a_window(window: MainWindow, path: Path, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    part.run(subtests, begin_anew(window, path, qtbot), window=window, qtbot=qtbot)
