"""What is done to the recording: edits with undo and redo, which frames they are meant for, and saving.

Knows the document's edits, no file name that was not given and no dialog.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

import recorder_editor as library

from ...errors import FieldError, RecorderError, error_sentence
from ...format import parse_header, parse_value
from ...format.header import FIELDS
from ...progress import SILENT, Progress
from ...reading import Life
from ...recording import Change, Edit, Place, Recording, Snapshot
from ...recording.history import loss_text
from ...texts import N_, say
from ...views.saved_rows import differences
from ...views.selection import Selection
from .jobs import Failed, Job
from .range import InOutRange, Span, within
from .selection import CurrentSelection, Kept
from .state import SessionState

Scope = Literal["frame", "range", "onward", "life"]
SCOPES: tuple[tuple[Scope, str], ...] = (
    ("life", N_("Whole life")),
    ("range", N_("In-out range")),
    ("onward", N_("From here on")),
    ("frame", N_("This frame")),
)
Make = Callable[[Snapshot, Progress], Edit]
"""Makes an edit of a state."""

MakeNow = Callable[[], Edit]
Refuse = Callable[[str], object]
"""Is told why not, in a sentence."""

FRAMES_AT_ONCE = 2_000
"""Frames that are changed on the spot; more of them as a job."""


class Editing(QObject):
    """Edits of the open recording, which take its selection and its range along.

    Attribute: `scope` (the frames an edit of an actor is meant for: Apply to).

    Signals: `changed(Change)` (the selection's follows it, always), `followed(Change)` (every view has followed),
    `applied(Edit, Change)` (an edit was made, not undone or redone, and every view has followed), `scope_changed`.
    """

    changed = Signal(object)
    followed = Signal(object)
    applied = Signal(object, object)
    scope_changed = Signal()

    def __init__(self, state: SessionState, selection: CurrentSelection, frames: InOutRange) -> None:
        super().__init__(state)
        self._state = state
        self._selection = selection
        self._range = frames
        self.scope: Scope = "frame"
        self._kept_of: dict[int, tuple[Kept, Kept]] = {}
        self._range_of: dict[int, tuple[Span, Span]] = {}

    def forget(self) -> None:
        """Forget what was selected at the steps of another recording."""
        self._kept_of.clear()
        self._range_of.clear()

    def set_scope(self, scope: Scope) -> None:
        """Choose the frames that edits of an actor are meant for."""
        if scope != self.scope:
            self.scope = scope
            self.scope_changed.emit()

    def frames_for(self, scope: Scope | None = None, life: Life | None = None) -> range:
        """The frames that an edit is to be applied to: this frame, the in-out range, from here on, the whole life.

        `scope` is the one of the session and `life` the selected one where they are not given.
        """
        scope = self.scope if scope is None else scope
        if scope == "range":
            return self._range.frames
        if scope == "onward":
            return range(self._selection.frame_index, self._state.frames)
        life = self._selection.life if life is None else life
        if scope == "life" and life is not None:
            return range(life.born, life.gone if life.gone is not None else self._state.frames)
        return range(self._selection.frame_index, self._selection.frame_index + 1)

    def apply(
        self, edit: Edit, *, gesture: str | None = None, then: Place | None = None, clears_range: bool = False
    ) -> Change:
        """Make an edit, and tell what it takes away besides what was asked for.

        Args:
            edit: An edit of what is shown.
            gesture: Edits of the same one in a row are one undo step.
            then: Is selected afterwards (counted in the new state).
            clears_range: The edit was made of the in-out range, which goes with it, and comes back with undo.

        Raises:
            RecorderError: The edit cannot be made.
        """
        self._state.snapshot_or_refuse()
        recording = self._state.recording
        assert recording is not None
        selected = self._selection.saved_state()
        span = self._range.value
        change = recording.apply(edit, gesture=self._state.steps.gesture(gesture))
        self._state.steps.take_edit()
        number = recording.history.steps[recording.history.position - 1].number
        if clears_range:
            later_span = None
        else:
            later_span = within(span, len(change.after))
        self._range_of[number] = self._range_of.get(number, (span, span))[0], later_span
        self._moved(change, partial(self._selection.choose, then) if then is not None else None, later_span)
        self._kept_of[number] = self._kept_of.get(number, (selected, selected))[0], self._selection.saved_state()
        self.applied.emit(edit, change)
        if edit.losses:
            self._state.refused.emit(loss_text(edit.losses))
        return change

    def attempt(
        self,
        make: MakeNow,
        *,
        gesture: str | None = None,
        then: Place | None = None,
        refuse: Refuse | None = None,
        clears_range: bool = False,
    ) -> Change | None:
        """Make an edit and apply it; a refusal goes to `refuse` as a sentence (None: `refused`)."""
        try:
            return self.apply(make(), gesture=gesture, then=then, clears_range=clears_range)
        except (RecorderError, OSError) as error:
            (refuse or self._state.refused.emit)(_sentence(error))
        return None

    def set_header(self, path: str, text: str, refuse: Refuse) -> Change | None:
        """Give a field of the file header what was typed; a refusal goes to `refuse` as a sentence."""

        def make() -> Edit:
            field = next(field for field in FIELDS if field.path == path)
            change: dict[str, Any] = {"map_name" if path == "map" else path: parse_value(field, text)}
            edit = library.edits.set_header(self._state.snapshot_or_refuse(), **change)
            if edit.header is not None and parse_header(edit.header.encode()) is None:
                sentence = say("With this {name} the file would not be recognised as a recording.", name=path)
                raise FieldError(sentence, field=path)
            return edit

        return self.attempt(make, refuse=refuse)

    def attempt_later(
        self,
        title: str,
        make: Make,
        *,
        done: Callable[[Change], object] | None = None,
        refuse: Refuse | None = None,
        clears_range: bool = False,
    ) -> Job:
        """The same as a job on what is shown now, then `done`. Raises `EditError` where nothing can be edited."""
        snapshot = self._state.snapshot_or_refuse()

        def take(edit: Edit) -> None:
            change = self.attempt(lambda: edit, refuse=refuse, clears_range=clears_range)
            if change is not None and done is not None:
                done(change)

        def fail(error: Exception) -> None:
            if isinstance(error, (RecorderError, OSError)):
                (refuse or self._state.refused.emit)(_sentence(error))
            else:
                self._state.jobs.failed.emit(error)

        return self._state.jobs.start(title, lambda progress: make(snapshot, progress), take, fail)

    def attempt_over(self, frames: int, title: str, make: Make, *, refuse: Refuse | None = None) -> Job | None:
        """Make an edit of so many frames: here and now (None) where they are few, else as a job of that title."""
        if frames > FRAMES_AT_ONCE:
            return self.attempt_later(title, make, refuse=refuse)
        snapshot = self._state.snapshot_or_refuse()
        self.attempt(lambda: make(snapshot, SILENT), refuse=refuse)
        return None

    def undo(self) -> None:
        """Take the last step back; of an edit select what was selected before it."""
        self.go_to_step(self._state.steps.position - 1)

    def redo(self) -> None:
        """Do the step that was taken back again; of an edit select what was selected after it."""
        self.go_to_step(self._state.steps.position + 1)

    def go_to_step(self, position: int) -> None:
        """Undo or redo until so many steps are done; views are told once for edits in a row.

        A step beside the file that cannot be taken back any more is told, and forgotten.
        """
        steps = self._state.steps
        position = max(0, min(position, len(steps.entries)))
        while steps.position != position:
            is_back = steps.position > position
            if is_back:
                mark = steps.next_back()
            else:
                mark = steps.next_forward()
            if mark is None:
                if not self._move_edits(position, is_back=is_back):
                    break
                continue
            if is_back:
                present, wanted = (mark.after, mark.before)
            else:
                present, wanted = (mark.before, mark.after)
            try:
                mark.move(present, wanted)
            except RecorderError as error:
                self._state.refused.emit(error.message)
                steps.forget(mark)
                position -= not is_back
            else:
                steps.move(-1 if is_back else 1)
        self._state.state_changed.emit()

    def _move_edits(self, position: int, *, is_back: bool) -> bool:
        """Undo or redo the edits that come next, as far as the position; False where there is none."""
        recording = self._state.recording
        steps = self._state.steps
        changes: list[Change] = []
        kept: Kept | None = None
        span = self._range.value
        while recording is not None and steps.position != position:
            if (steps.next_back() if is_back else steps.next_forward()) is not None:
                break
            if is_back:
                change = recording.undo()
            else:
                change = recording.redo()
            if change is None:
                break
            steps.move(-1 if is_back else 1)
            changes.append(change)
            history = recording.history
            number = history.steps[history.position - (0 if is_back else 1)].number
            sides = self._kept_of.get(number)
            kept = None
            if sides is not None:
                kept = sides[0 if is_back else 1]
            before, after = self._range_of.get(number, (None, None))
            if is_back:
                present, wanted = (after, before)
            else:
                present, wanted = (before, after)
            # A range that was set beside the edit stays.
            if span == present:
                later = wanted
            else:
                later = within(span, len(change.after))
            if is_back:
                self._range_of[number] = (later, span)
            else:
                self._range_of[number] = (span, later)
            span = later
        if changes:
            splices = tuple(splice for change in changes for splice in change.splices)
            header = any(change.header for change in changes)
            dialect = any(change.dialect for change in changes)
            self._show_change(Change(changes[0].before, changes[-1].after, splices, header, dialect), kept, span)
        return bool(changes)

    def decode_as(self, dialect: str | None) -> None:
        """Read the bodies with the tables of another dialect; None: with those the bytes show."""
        if self._state.recording is not None:
            self._moved(self._state.recording.decode_as(dialect), None, self._range.value)

    def save(self, path: Path | None = None, progress: Progress = SILENT) -> None:
        """Save, here and now, also over a file that exists; raises what `Recording.save` raises."""
        if self._state.recording is not None:
            self._moved(self._state.recording.save(path, overwrite=True, progress=progress), None, self._range.value)

    def save_later(
        self, path: Path | None, failed: Failed, done: Callable[[str], None], *, backup: bool = False
    ) -> Job:
        """Save as a job, over the open file where `path` is None; `done` is told what differs from the saved file.

        The recording stays usable meanwhile. A file that exists is replaced: its name was asked for.
        """
        recording = self._state.recording
        assert recording is not None

        def work(progress: Progress) -> str:
            told = differences(recording.saved, recording.snapshot)  # the file may be another one afterwards
            recording.save(path, backup=backup, overwrite=True, progress=progress)
            return told

        def finish(told: str) -> None:
            self._take_saved(recording)
            done(told)

        job = self._state.jobs.start(say("Saving {name}", name=(path or recording.path).name), work, finish, failed)
        # A job that was cancelled too late has saved all the same, and its `finish` is never called.
        job.ended.connect(partial(self._take_saved, recording))
        return job

    def _take_saved(self, recording: Recording) -> None:
        if self._state.recording is not recording:
            return
        shown = self._state.snapshot
        if shown is not None and shown is not recording.snapshot:
            self._moved(Change(shown, recording.snapshot, ()), None, self._range.value)
        else:
            self._state.state_changed.emit()

    def _show_change(self, change: Change, kept: Kept | None, span: Span) -> None:
        """Show what was done: the row stays where it is one of those that changed.

        `kept` is what to select, `span` the range.
        """
        # The splices of a step that is undone are in falling order.
        first = min((row for row, _, _ in change.splices), default=0)
        stop = max((row + inserted for row, _, inserted in change.splices), default=0)
        changed = range(first, max(stop, first + 1))

        def take_up() -> None:
            chosen = kept or self._selection.saved_state()
            here = chosen[0].place.row
            rows = (row for row in (self._selection.row, here) if row in changed)
            shown = next(rows, min(first, change.after.rows - 1))
            if kept is not None or shown != here:
                elsewhere = change.splices and change.after.rows and shown != here
                self._selection.restore(chosen, shown if elsewhere else None)

        self._moved(change, take_up, span)

    def _moved(self, change: Change, select: Callable[[], None] | None, span: Span) -> None:
        """Tell everybody once, after `select` has said what is selected now (None: the same); `span` is the range."""
        self._state.snapshot = change.after
        try:
            self._selection.rebase(change)
            if select is not None:
                select()
        except (RecorderError, OSError):  # the file was rewritten beneath: views say so when they read
            row = max(0, min(self._selection.row, change.after.rows - 1))
            self._selection.restore((Selection(Place(row)), None), None)
        if span is not None or self._range.is_set:
            self._range.put(span)
        self.changed.emit(change)
        self._selection.tell()
        self._state.state_changed.emit()
        self.followed.emit(change)


def _sentence(error: RecorderError | OSError) -> str:
    """Why nothing was done, also where the system did not take, or give, the bytes of an edit."""
    said = error_sentence(error)
    if isinstance(error, RecorderError):
        return said
    return say("Nothing was changed. {reason}", reason=said)
