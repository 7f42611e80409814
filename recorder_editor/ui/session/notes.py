"""The notes of the open recording: they follow its edits, and are written beside it when nobody edits for a moment.

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

    Attributes: `items`, `newest` (the one made or opened last), `error` (why there are none that can be changed),
    `other` (a file with notes of the same content, to be taken over), `elsewhere` (recordings beside which one may be),
    `reason` (why those that are not written could not be; empty: all are, or wait for their moment).
    Signal: `changed`.
    """

    changed = Signal()

    def __init__(self, state: SessionState, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self._book: NoteBook | None = None
        self.newest: Note | None = None
        self.error = ""
        self.reason = ""
        self._told = ""
        self.other: Path | None = None
        self.elsewhere: Callable[[], Iterable[Path]] = tuple
        self._rest = Debounce(self, self._keep)
        editing.changed.connect(self._follow)

    @property
    def items(self) -> tuple[Note, ...]:
        """Those that are gone come last."""
        if self._book is not None:
            return self._book.items
        return ()

    def open(self) -> None:
        """Read the notes of the recording that was opened."""
        recording = self._state.recording
        self._book = book = NoteBook(recording) if recording is not None else None
        self.error = ""
        self.other = None
        self._forget_failure()
        if book is not None:
            self.error = book.error
            if book.items:
                self.other = None
            else:
                self.other = book.others(map(notes_path, self.elsewhere()))
            if book.error or book.doubt:
                self._state.refused.emit(book.error or book.doubt)
            if self.other is not None:
                self._state.informed.emit(
                    say("{file} has notes of the same content; the Notes pane takes them over.", file=self.other.name)
                )
        self.changed.emit()

    def take_over(self) -> None:
        """Have the notes of the same content that are kept beside another recording."""
        if self._book is not None and self.other is not None:
            self._do(say("Take over notes"), partial(self._book.take_over, self.other))

    def change(self, at: int, **values: Any) -> None:
        """Give a note another text, colour or tags."""
        before = self.items[at]
        after = before._replace(**values)
        if after != before:
            self.set(after, before)

    def remove(self, at: int) -> None:
        """Have a note no more."""
        self.set(None, self.items[at])

    def make(self, text: str, frames: range, actor: int | None = None) -> bool:
        """Have a note about frames, or an actor in them. A refusal is told; False then."""
        return self.set(Note(text, frames.start, frames.stop, actor))

    def bookmark(self, text: str, frame_index: int) -> bool:
        """Have a note that marks a frame. A refusal is told; False then."""
        return self.set(Note(text, frame_index, frame_index + 1), label=say("Add bookmark"))

    def set(self, note: Note | None, instead: Note | None = None, label: str = "") -> bool:
        """Have a note; instead of another one, or with None without it. A refusal is told; False then.

        Args:
            note: The new one.
            instead: The one that it replaces.
            label: The name of the step, where another one says more.
        """
        self.newest = note
        if not label and note is None:
            label = say("Delete note")
        elif not label:
            if instead is None:
                label = say("Add note")
            else:
                label = say("Change note")
        return self._book is not None and self._do(label, partial(self._book.set, note, instead))

    def _do(self, label: str, change: Callable[[], NoteChange]) -> bool:
        """Change notes by a step of that name."""

        def do() -> None:
            done = change()
            self._state.add_step(MarkStep(label, self._move, done.before, done.after))

        return self._attempt(do)

    def _move(self, present: tuple[HeldNote, ...], wanted: tuple[HeldNote, ...]) -> None:
        """Take a step back, or do it again. Raises `EditError` where another window changed one of its notes."""
        book = self._book
        if book is None:
            return
        with suppress(OSError, RecorderError):  # what cannot be read now is told when the notes are written
            book.read()
        try:
            book.move(present, wanted)
        finally:
            self.changed.emit()
            self._rest.begin()
        if len(wanted) > len(present) and book.rivals(wanted):
            self._state.informed.emit(say("Another window changed this note meanwhile; both forms are kept."))

    @property
    def unwritten(self) -> tuple[str, ...]:
        """What could not be written yet: a text for each note."""
        if self._book is not None and self.reason:
            return self._book.unwritten()
        return ()

    def finish(self) -> bool:
        """Write what is not written yet; False where that cannot be, and is tried again later."""
        if self._rest.isActive():
            self._rest.stop()
            self._keep()
        return not self.reason

    def close(self) -> None:
        """Write what is not written yet, and try no more."""
        self.finish()
        self._forget_failure()

    def _keep(self) -> None:
        book = self._book
        if book is None or self.error:
            return
        before = book.items
        try:
            book.save(patience=_PATIENCE)
        except (RecorderError, OSError) as error:
            self._take_failure(book, error_sentence(error))
        else:
            if self._told:
                self._state.informed.emit(say("The notes are written."))
            self._forget_failure()
        if book.items != before:  # others wrote some, or deleted them
            self.changed.emit()

    def _take_failure(self, book: NoteBook, reason: str) -> None:
        """Say which notes are not written, once as long as nothing changes, and try again later."""
        count = len(book.unwritten())
        self.reason = reason if count else ""
        if count:
            told = say_count(
                "1 note is not written yet, and is tried again: {reason}",
                "{count:,} notes are not written yet, and are tried again: {reason}",
                count=count,
                reason=reason,
            )
            if told != self._told:
                self._told = told
                self._state.refused.emit(told)
            self._rest.begin(again=True)

    def _forget_failure(self) -> None:
        self._rest.stop()
        self.reason = ""
        self._told = ""

    def _follow(self, change: Change) -> None:
        if self._book is not None:
            self._attempt(partial(self._book.follow, change.after))

    def _attempt(self, does: Callable[[], object]) -> bool:
        done = self._state.attempt(does)
        self.changed.emit()
        self._rest.begin()
        return done
