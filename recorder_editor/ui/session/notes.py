"""The notes of the open recording: they follow its edits, and are written beside it when no edit follows for a moment.

What a person does to them is a step of undo.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from ...errors import RecorderError, error_sentence
from ...recording import Change
from ...recording.note import Note
from ...recording.notes import HeldNote, NoteBook, NoteChange, notes_path
from ...texts import say, say_count
from .debounce import Debounce
from .editing import Editing
from .state import SessionState
from .undo import MarkStep

_PATIENCE = 0.1  # seconds that the window stands still while another one writes the notes


class Notes(QObject):
    """The notes in the order of their frames.

    Attributes:
        newest: The note that was made or opened last.
        error: Why there are no notes that can be changed; empty where there are.
        other: A file with notes of the same content, which can be taken over.
        elsewhere: Returns recordings beside which such a file may be.
        reason: Why notes could not be written; empty where all are, or wait for the pause after an edit.

    Signals:
        changed(): The notes, or one of these attributes, are others.
    """

    changed = Signal()

    def __init__(self, state: SessionState, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self._book: NoteBook | None = None
        self.newest: Note | None = None
        self.error = ""
        self.reason = ""
        self._warning = ""  # the last sentence about notes that are not written
        self.other: Path | None = None
        self.elsewhere: Callable[[], Iterable[Path]] = tuple
        self._debounce = Debounce(self, self._write)
        editing.changed.connect(self._follow)

    @property
    def items(self) -> tuple[Note, ...]:
        """The notes; those whose frames are gone come last. Without an open recording those of the state itself."""
        if self._book is not None:
            return self._book.items
        if self._state.snapshot is not None:
            return self._state.snapshot.context.notes
        return ()

    def open(self) -> None:
        """Read the notes of the recording that was opened."""
        recording = self._state.recording
        book = None
        if recording is not None:
            book = NoteBook(recording)
        self._book = book
        self.error = ""
        self.other = None
        self._forget_failure()
        if book is not None:
            self.error = book.error
            if not book.items:
                self.other = book.others(map(notes_path, self.elsewhere()))
            if book.error or book.doubt:
                self._state.refused.emit(book.error or book.doubt)
            if self.other is not None:
                self._state.informed.emit(
                    say("{file} has notes of the same content; the Notes pane takes them over.", file=self.other.name)
                )
        self.changed.emit()

    def take_over(self) -> None:
        """Add the notes of the same content that are kept beside another recording."""
        if self._book is not None and self.other is not None:
            self._change_by_step(say("Take over notes"), partial(self._book.take_over, self.other))

    def change(self, index: int, **values: Any) -> None:
        """Change the text, colour or tags of a note.

        Args:
            index: Its place among `items`.
            values: New values of attributes of `Note`.
        """
        before = self.items[index]
        after = before._replace(**values)
        if after != before:
            self.set(after, before)

    def remove(self, index: int) -> None:
        """Delete a note, by its index among `items`."""
        self.set(None, self.items[index])

    def make(self, text: str, frames: range, actor: int | None = None) -> bool:
        """Add a note about frames, or about an actor in them; a refusal is emitted, and False returned."""
        return self.set(Note(text, start=frames.start, stop=frames.stop, actor=actor))

    def bookmark(self, text: str, frame_index: int) -> bool:
        """Add a note that marks a frame; a refusal is emitted, and False returned."""
        return self.set(Note(text, frame_index, frame_index + 1), label=say("Add bookmark"))

    def set(self, note: Note | None, instead: Note | None = None, label: str = "") -> bool:
        """Add, change or delete a note.

        Args:
            note: The new note; None: only delete.
            instead: The note that it replaces; None: only add.
            label: The name of the step, where another one says more.

        Returns:
            False where it was refused; the refusal is emitted.
        """
        self.newest = note
        if not label:
            label = _label(note, instead)
        if self._book is None:
            return False
        return self._change_by_step(label, partial(self._book.set, note, instead))

    def _change_by_step(self, label: str, change: Callable[[], NoteChange]) -> bool:
        """Change notes by a step of that name."""

        def change_and_add_step() -> None:
            note_change = change()
            step = MarkStep(label, move=self._move, before=note_change.before, after=note_change.after)
            self._state.add_step(step)

        return self._attempt(change_and_add_step)

    def _move(self, present: tuple[HeldNote, ...], wanted: tuple[HeldNote, ...]) -> None:
        """Undo or redo a step; raises `EditError` where another window changed one of its notes."""
        book = self._book
        if book is None:
            return
        with suppress(OSError, RecorderError):  # what cannot be read now is reported when the notes are written
            book.read()
        try:
            book.move(present, wanted)
        finally:
            self.changed.emit()
            self._debounce.begin()
        if len(wanted) > len(present) and book.is_contested(wanted):
            self._state.informed.emit(say("Another window changed this note meanwhile; both forms are kept."))

    @property
    def unwritten(self) -> tuple[str, ...]:
        """The notes that could not be written yet, each as a text."""
        if self._book is not None and self.reason:
            return self._book.unwritten()
        return ()

    def finish(self) -> bool:
        """Write what is not written yet; False where that failed, and is tried again later."""
        if self._debounce.isActive():
            self._debounce.stop()
            self._write()
        return not self.reason

    def close(self) -> None:
        """Write what is not written yet, and do not try again."""
        self.finish()
        self._forget_failure()

    def _write(self) -> None:
        book = self._book
        if book is None or self.error:
            return
        before = book.items
        try:
            book.save(patience=_PATIENCE)
        except (RecorderError, OSError) as error:
            self._take_failure(book, error_sentence(error))
        else:
            if self._warning:
                self._state.informed.emit(say("The notes are written."))
            self._forget_failure()
        if book.items != before:  # others wrote some, or deleted them
            self.changed.emit()

    def _take_failure(self, book: NoteBook, reason: str) -> None:
        """Report how many notes are not written, once as long as nothing changes, and try again later."""
        count = len(book.unwritten())
        if not count:
            self.reason = ""
            return
        self.reason = reason
        warning = say_count(
            "1 note is not written yet, and is tried again: {reason}",
            "{count:,} notes are not written yet, and are tried again: {reason}",
            count=count,
            reason=reason,
        )
        if warning != self._warning:
            self._warning = warning
            self._state.refused.emit(warning)
        self._debounce.begin(again=True)

    def _forget_failure(self) -> None:
        self._debounce.stop()
        self.reason = ""
        self._warning = ""

    def _follow(self, change: Change) -> None:
        if self._book is not None:
            self._attempt(partial(self._book.follow, change.after))

    def _attempt(self, change: Callable[[], object]) -> bool:
        is_done = self._state.attempt(change)
        self.changed.emit()
        self._debounce.begin()
        return is_done


def _label(note: Note | None, instead: Note | None) -> str:
    """Return the name of a step, by what `Notes.set` takes."""
    if note is None:
        return say("Delete note")
    if instead is None:
        return say("Add note")
    return say("Change note")
