"""Edits of the open recording with undo and redo, the frames that they are meant for, and saving.

Knows the document's edits, no file name that was not given and no dialog.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from PySide6.QtCore import QObject, Signal

import recorder_editor as library

from ...errors import FieldError, RecorderError, error_sentence
from ...format import parse_header, parse_value
from ...format.header import FIELDS
from ...progress import SILENT, Progress
from ...reading import Life
from ...recording import Change, Edit, Place, Recording, Snapshot
from ...recording.history import loss_text
from ...recording.store import Store
from ...texts import N_, say
from ...views.byte_shading import edited_bytes
from ...views.saved_rows import differences
from ...views.selection import Selection, span_of
from .jobs import Failed, Job
from .range import InOutRange, Span, within
from .selection import CurrentSelection, SavedSelection
from .state import SessionState
from .undo import MarkStep

Scope = Literal["frame", "range", "onward", "life"]
SCOPES: tuple[tuple[Scope, str], ...] = (
    ("life", N_("Whole life")),
    ("range", N_("In-out range")),
    ("onward", N_("From here on")),
    ("frame", N_("This frame")),
)
Make = Callable[[Snapshot, Progress], Edit]
"""Makes an edit of a snapshot, and tells how far it is."""

MakeNow = Callable[[], Edit]
Refuse = Callable[[str], object]
"""Is called with a sentence that says why nothing was done."""

FRAMES_AT_ONCE = 2_000
"""Frames that are changed on the spot; more of them as a job."""


class Reach(NamedTuple):
    """An edit of an actor for one choice of frames (Apply to).

    Attributes:
        scope: The choice.
        frames: The number of frames that it changes.
        title: The title of the job that makes it, where there are many.
        make: Makes it.
    """

    scope: Scope
    frames: int
    title: str
    make: Make


class Reaches(NamedTuple):
    """An edit that can be made for other frames instead.

    Attributes:
        chosen: The edit as it is made.
        other: The edit that is offered in its place.
    """

    chosen: Reach
    other: Reach


class _Offer(NamedTuple):
    """The other reach of the step that was done last.

    Attributes:
        number: The number of the step in the history of the document.
        before: The state before the step.
        reaches: The edit as it was made, and the one that is offered.
    """

    number: int
    before: Snapshot
    reaches: Reaches


def other_scope(scope: Scope) -> Scope:
    """Return the choice of frames that is offered after an edit: the whole life, or this frame after that."""
    if scope == "life":
        return "frame"
    return "life"


class Editing(QObject):
    """Edits of the open recording, which take its selection and its range along.

    Attributes:
        scope: The frames that an edit of an actor is meant for (Apply to).

    Signals:
        changed(Change): Another state is shown; the `changed` of the selection always follows.
        followed(Change): Every view has followed it.
        applied(Edit, Change): An edit was made, not undone or redone, and every view has followed.
        scope_changed(): Another scope was chosen.
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
        # Before and after each step of the recording's history, by its number.
        self._selections: dict[int, tuple[SavedSelection, SavedSelection]] = {}
        self._ranges: dict[int, tuple[Span, Span]] = {}
        self._offer: _Offer | None = None  # of the state that is shown

    def forget(self) -> None:
        """Forget what was selected at the steps of another recording."""
        self._selections.clear()
        self._ranges.clear()
        self._offer = None

    def is_edited(self, place: Place) -> bool:
        """Return whether a place holds something else than in the saved file."""
        snapshot = self._state.snapshot
        recording = self._state.recording
        if snapshot is None or recording is None or not recording.is_modified or place.row >= snapshot.rows:
            return False
        if place.row >= 0:
            record = snapshot.table.row(place.row)
            if int(record["source"]) != Store.scratch and int(record["stored"]) == 1:
                return False
            if place.packet is None:
                return True
        try:
            start, stop = span_of(snapshot, place)
            return bool(edited_bytes(snapshot, recording.saved, start, stop).any())
        except (RecorderError, OSError):  # the file was rewritten; the message bar says so
            return True

    def set_scope(self, scope: Scope) -> None:
        """Choose the frames that edits of an actor are meant for."""
        if scope != self.scope:
            self.scope = scope
            self.scope_changed.emit()

    def frames_for(self, scope: Scope | None = None, life: Life | None = None) -> range:
        """Return the frames that an edit is to be applied to: this one, the in-out range, from here on, a whole life.

        Args:
            scope: Which of them; None: the scope of the session.
            life: The life; None: the selected one.
        """
        if scope is None:
            scope = self.scope
        if scope == "range":
            return self._range.frames
        index = self._selection.frame_index
        if scope == "onward":
            return range(index, self._state.frames)
        if life is None:
            life = self._selection.life
        if scope == "life" and life is not None:
            stop = life.gone if life.gone is not None else self._state.frames
            return range(life.born, stop)
        return range(index, index + 1)

    def apply(
        self,
        edit: Edit,
        *,
        gesture: str | None = None,
        then: Place | None = None,
        clears_range: bool = False,
        reaches: Reaches | None = None,
    ) -> Change:
        """Apply an edit; what it removes besides what was asked for is emitted as a refusal.

        Args:
            edit: An edit of the snapshot that is shown.
            gesture: Consecutive edits of the same gesture are one step of undo.
            then: The place to select afterwards, in the new state; None: what was selected.
            clears_range: The edit was made of the in-out range, which is cleared, and comes back with undo.
            reaches: The edit can be made for other frames instead; None: it cannot.

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
        later_span = None
        if not clears_range:
            later_span = within(span, len(change.after))
        offer = None
        if reaches is not None:
            offer = self._offer_of(number, change, reaches)
        # A step that further edits of its gesture join keeps what was before the first one.
        first_span, _ = self._ranges.get(number, (span, span))
        self._ranges[number] = (first_span, later_span)
        select = None
        if then is not None:
            select = partial(self._selection.choose, then)
        self._show(change, select, later_span, offer=offer)
        first_selected, _ = self._selections.get(number, (selected, selected))
        self._selections[number] = (first_selected, self._selection.saved_state())
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
        reaches: Reaches | None = None,
    ) -> Change | None:
        """Make an edit and apply it; errors become refusals.

        Args:
            make: Makes the edit.
            gesture: As `apply` takes it.
            then: As `apply` takes it.
            refuse: Is called with a sentence where there is no edit; None: the signal `refused`.
            clears_range: As `apply` takes it.
            reaches: As `apply` takes it.

        Returns:
            None where it was refused.
        """
        try:
            return self.apply(make(), gesture=gesture, then=then, clears_range=clears_range, reaches=reaches)
        except (RecorderError, OSError) as error:
            self._refuse(error, refuse)
        return None

    def _refuse(self, error: RecorderError | OSError, refuse: Refuse | None) -> None:
        if refuse is None:
            refuse = self._state.refused.emit
        refuse(_sentence(error))

    def set_header(self, path: str, text: str, refuse: Refuse) -> Change | None:
        """Set a field of the file header to a text that was typed.

        Args:
            path: The name of the field.
            text: What was typed.
            refuse: Is called with a sentence where that cannot be.
        """

        def make() -> Edit:
            field = next(field for field in FIELDS if field.path == path)
            keyword = path
            if path == "map":
                keyword = "map_name"
            values: dict[str, Any] = {keyword: parse_value(field, text)}
            edit = library.edits.set_header(self._state.snapshot_or_refuse(), **values)
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
        reaches: Reaches | None = None,
    ) -> Job:
        """Make an edit as a job on the snapshot that is shown now, and apply it.

        Args:
            title: The title of the job.
            make: Makes the edit, in the thread of the job.
            done: Is called when the edit is applied.
            refuse: As `attempt` takes it.
            clears_range: As `apply` takes it.
            reaches: As `apply` takes it.

        Raises:
            EditError: Nothing can be edited.
        """
        snapshot = self._state.snapshot_or_refuse()

        def take(edit: Edit) -> None:
            change = self.attempt(lambda: edit, refuse=refuse, clears_range=clears_range, reaches=reaches)
            if change is not None and done is not None:
                done(change)

        return self._start(title, partial(make, snapshot), take, refuse)

    def _start(
        self, title: str, work: Callable[[Progress], Edit], take: Callable[[Edit], None], refuse: Refuse | None = None
    ) -> Job:
        """Start a job that makes an edit; errors of reading and editing become refusals."""

        def fail(error: Exception) -> None:
            if isinstance(error, (RecorderError, OSError)):
                self._refuse(error, refuse)
            else:
                self._state.jobs.failed.emit(error)

        return self._state.jobs.start(title, work=work, done=take, failed=fail)

    def attempt_over(
        self,
        frames: int,
        title: str,
        make: Make,
        *,
        gesture: str | None = None,
        refuse: Refuse | None = None,
        reaches: Reaches | None = None,
    ) -> Job | None:
        """Make an edit of so many frames: at once where they are few, else as a job.

        Args:
            frames: The number of frames.
            title: The title of the job.
            make: Makes the edit.
            gesture: As `apply` takes it, where the edit is made at once.
            refuse: As `attempt` takes it.
            reaches: As `apply` takes it.

        Returns:
            The job; None where the edit was made at once.
        """
        if frames > FRAMES_AT_ONCE:
            return self.attempt_later(title, make, refuse=refuse, reaches=reaches)
        snapshot = self._state.snapshot_or_refuse()
        self.attempt(lambda: make(snapshot, SILENT), gesture=gesture, refuse=refuse, reaches=reaches)
        return None

    def attempt_reach(
        self, chosen: Reach, other: Reach | None, *, gesture: str | None = None, refuse: Refuse | None = None
    ) -> Job | None:
        """Make an edit for the frames that were chosen, and offer it for others.

        Args:
            chosen: The edit.
            other: The edit for other frames; None, or as many frames: none is offered.
            gesture: As `attempt_over` takes it.
            refuse: As `attempt` takes it.

        Returns:
            As `attempt_over`.
        """
        reaches = None
        if other is not None and other.frames != chosen.frames:
            reaches = Reaches(chosen, other)
        return self.attempt_over(
            chosen.frames, chosen.title, chosen.make, gesture=gesture, refuse=refuse, reaches=reaches
        )

    def _offer_of(self, number: int, change: Change, reaches: Reaches) -> _Offer | None:
        """Return the offer of the step of this number; None where the state before it is not known."""
        if number not in self._ranges:
            return _Offer(number, change.before, reaches)
        if self._offer is not None and self._offer.number == number:  # the edit joined the step of its gesture
            return self._offer._replace(reaches=reaches)
        return None

    @property
    def other_reach(self) -> Reach | None:
        """The edit that was done last, for other frames; None where it has none, or was not the last step."""
        steps = self._state.steps
        if self._offer is None or not steps.position or steps.next_back() is not None:
            return None
        return self._offer.reaches.other

    def switch_reach(self) -> None:
        """Make the edit that was done last for other frames instead: one step takes the place of the other."""
        offer = self._offer
        if offer is None or self.other_reach is None:
            return
        other = offer.reaches.other

        def take(edit: Edit) -> None:
            if self._offer is not offer or self.other_reach is None:
                sentence = say("The recording has changed since this edit was prepared; nothing was changed.")
                self._state.refused.emit(sentence)
                return
            self.undo()
            version = self._state.snapshot_or_refuse().version
            reaches = Reaches(chosen=other, other=offer.reaches.chosen)
            if self.attempt(lambda: replace(edit, version=version), reaches=reaches) is None:
                self.redo()

        make = partial(other.make, offer.before)
        if other.frames > FRAMES_AT_ONCE:
            self._start(other.title, make, take)
            return
        try:
            edit = make(SILENT)
        except (RecorderError, OSError) as error:
            self._refuse(error, None)
        else:
            take(edit)

    def undo(self) -> None:
        """Undo the last step; of an edit select what was selected before it."""
        self.go_to_step(self._state.steps.position - 1)

    def redo(self) -> None:
        """Redo the step that was undone last; of an edit select what was selected after it."""
        self.go_to_step(self._state.steps.position + 1)

    def go_to_step(self, position: int) -> None:
        """Undo or redo until so many steps are done; views are notified once for edits in a row.

        A step beside the file that cannot be undone or redone any more is refused with its reason, and forgotten.
        """
        steps = self._state.steps
        position = max(0, min(position, len(steps.entries)))
        while steps.position != position:
            is_back = steps.position > position
            mark = self._next_mark(is_back=is_back)
            if mark is None:
                if not self._move_edits(position, is_back=is_back):
                    break
                continue
            try:
                if is_back:
                    mark.move(mark.after, mark.before)
                else:
                    mark.move(mark.before, mark.after)
            except RecorderError as error:
                self._state.refused.emit(error.message)
                steps.forget(mark)
                if not is_back:
                    position -= 1
            else:
                steps.move(-1 if is_back else 1)
        self._state.state_changed.emit()

    def _next_mark(self, *, is_back: bool) -> MarkStep | None:
        """Return the step beside the file that is undone or redone next; None where that is an edit."""
        if is_back:
            return self._state.steps.next_back()
        return self._state.steps.next_forward()

    def _move_edits(self, position: int, *, is_back: bool) -> bool:
        """Undo or redo the edits that come next, as far as the position; False where there is none."""
        recording = self._state.recording
        steps = self._state.steps
        changes: list[Change] = []
        saved: SavedSelection | None = None
        span = self._range.value
        while recording is not None and steps.position != position:
            if self._next_mark(is_back=is_back) is not None:
                break
            history = recording.history
            if is_back:
                change = recording.undo()
            else:
                change = recording.redo()
            if change is None:
                break
            changes.append(change)
            if is_back:
                steps.move(-1)
                number = history.steps[history.position].number
                span = self._span_before(number, change, span)
                saved, _ = self._selections.get(number, (None, None))
            else:
                steps.move(1)
                number = history.steps[history.position - 1].number
                span = self._span_after(number, change, span)
                _, saved = self._selections.get(number, (None, None))
        if not changes:
            return False
        splices: list[tuple[int, int, int]] = []
        for change in changes:
            splices.extend(change.splices)
        whole = Change(
            before=changes[0].before,
            after=changes[-1].after,
            splices=tuple(splices),
            header=any(change.header for change in changes),
            dialect=any(change.dialect for change in changes),
        )
        self._show_steps(whole, saved, span)
        return True

    def _span_before(self, number: int, change: Change, span: Span) -> Span:
        """Return the range once a step is undone; one that was set beside the edit stays."""
        before, after = self._ranges.get(number, (None, None))
        if span != after:
            before = within(span, len(change.after))
        self._ranges[number] = (before, span)
        return before

    def _span_after(self, number: int, change: Change, span: Span) -> Span:
        """Return the range once a step is redone; one that was set beside the edit stays."""
        before, after = self._ranges.get(number, (None, None))
        if span != before:
            after = within(span, len(change.after))
        self._ranges[number] = (span, after)
        return after

    def decode_as(self, dialect: str | None) -> None:
        """Read the bodies with the tables of another dialect; None: of the one that the bytes show."""
        if self._state.recording is not None:
            change = self._state.recording.decode_as(dialect)
            self._show(change, None, self._range.value)

    def describe_packets(self) -> None:
        """Read the bodies with the files of packets that are there now."""
        if self._state.recording is not None:
            change = self._state.recording.describe_packets()
            self._show(change, None, self._range.value)

    def save(self, path: Path | None = None, progress: Progress = SILENT) -> None:
        """Save in this thread, also over a file that exists.

        Args:
            path: The file; None: the one that is open.
            progress: Is told how far it is.

        Raises:
            RecorderError: As `Recording.save` raises it.
            OSError: As `Recording.save` raises it.
        """
        if self._state.recording is not None:
            change = self._state.recording.save(path, overwrite=True, progress=progress)
            self._show(change, None, self._range.value)

    def save_later(
        self, path: Path | None, failed: Failed, done: Callable[[str], None], *, backup: bool = False
    ) -> Job:
        """Save as a job; the recording stays usable meanwhile.

        Args:
            path: The file, which is replaced where it exists: its name was asked for. None: the one that is open.
            failed: Is called with the error where it cannot be saved.
            done: Is called with a text of what differs from the file that was saved before.
            backup: Keep the old file under another name.
        """
        recording = self._state.recording
        assert recording is not None

        def work(progress: Progress) -> str:
            summary = differences(recording.saved, recording.snapshot)  # the file may be another one afterwards
            recording.save(path, backup=backup, overwrite=True, progress=progress)
            return summary

        def finish(summary: str) -> None:
            self._take_saved(recording)
            done(summary)

        target = path or recording.path
        job = self._state.jobs.start(
            title=say("Saving {name}", name=target.name), work=work, done=finish, failed=failed
        )
        # A job that was cancelled too late has saved all the same, and its `finish` is never called.
        job.ended.connect(partial(self._take_saved, recording))
        return job

    def _take_saved(self, recording: Recording) -> None:
        if self._state.recording is not recording:
            return
        shown = self._state.snapshot
        if shown is not None and shown is not recording.snapshot:
            self._show(Change(shown, recording.snapshot, ()), None, self._range.value)
        else:
            self._state.state_changed.emit()

    def _show_steps(self, change: Change, saved: SavedSelection | None, span: Span) -> None:
        """Show steps that were undone or redone; the row stays where it is one of those that changed.

        Args:
            change: What they changed together.
            saved: What to select; None: what is selected.
            span: The range.
        """
        # The splices of a step that is undone are in falling order.
        first = min((row for row, _, _ in change.splices), default=0)
        stop = max((row + inserted for row, _, inserted in change.splices), default=0)
        changed = range(first, max(stop, first + 1))

        def select() -> None:
            wanted = saved or self._selection.saved_state()
            selected_row = wanted[0].place.row
            if self._selection.row in changed:
                row = self._selection.row
            elif selected_row in changed:
                row = selected_row
            else:
                row = min(first, change.after.rows - 1)
            if row != selected_row and change.splices and change.after.rows:
                self._selection.restore(wanted, row)
            elif row != selected_row or saved is not None:
                self._selection.restore(wanted, None)

        self._show(change, select, span)

    def _show(
        self, change: Change, select: Callable[[], None] | None, span: Span, *, offer: _Offer | None = None
    ) -> None:
        """Show another state, and notify all views once.

        Args:
            change: What leads from the old state to the new one.
            select: Sets the selection, without a signal; None: what was selected stays so.
            span: The range.
            offer: The other reach of the step that led to it; None: it has none.
        """
        self._offer = offer
        self._state.snapshot = change.after
        try:
            self._selection.rebase(change)
            if select is not None:
                select()
                self._selection.picked.emit()
        except (RecorderError, OSError):  # the file was rewritten meanwhile: views say so when they read
            row = max(0, min(self._selection.row, change.after.rows - 1))
            self._selection.restore((Selection(Place(row)), None), None)
        is_range_told = span is not None or self._range.is_shown
        self._range.take(span)
        self.changed.emit(change)
        if is_range_told:
            self._range.changed.emit()
        self._selection.notify()
        self._state.state_changed.emit()
        self.followed.emit(change)


def _sentence(error: RecorderError | OSError) -> str:
    """Return why nothing was done, also where the system could not read or write the bytes of an edit."""
    sentence = error_sentence(error)
    if isinstance(error, RecorderError):
        return sentence
    return say("Nothing was changed. {reason}", reason=sentence)
