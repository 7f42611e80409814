"""What is done to the recording: edits with undo and redo, which frames they are meant for, and saving.

Knows the document's edits, no file name that was not given and no dialog.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Signal

from ...edits.place import Place
from ...errors import EditError, RecorderError
from ...progress import SILENT, Progress
from ...recording.history import Edit
from ...recording.lives import Life
from ...recording.recording import Change, Recording
from ...recording.snapshot import Snapshot
from ..jobs import Job, Jobs
from ..selection import Selection
from .selecting import Kept, Selecting

FrameRange = range
"""Frame indices; the session has a property of the built-in name."""
Scope = Literal["frame", "range", "onward", "life"]
Make = Callable[[Snapshot, Progress], Edit]
"""Makes an edit of a state."""

FRAMES_AT_ONCE = 2_000
"""Frames that are changed on the spot; more of them as a job."""


_MOST_SELECTIONS = 20_000


class Editing(Selecting):
    """The open recording with its in-out range.

    Attributes: `jobs`, `recording` (None while nothing is open), `scope` (the frames an edit of an actor is meant for:
    Apply to), `cuts` (the range is looked at as what goes, not as what stays).

    Signals: `changed(Change)` (`selected` follows it, always), `range_changed`, `scope_changed`, `lost_changed`,
    `matched_changed`.
    """

    changed = Signal(object)
    range_changed = Signal()
    scope_changed = Signal()
    lost_changed = Signal()
    matched_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.jobs = Jobs(self)
        self.recording: Recording | None = None
        self.scope: Scope = "frame"
        self.cuts = False
        self._range: tuple[int, int] | None = None
        self._spent: tuple[int, FrameRange] | None = None
        self._lost: tuple[Snapshot | None, tuple[FrameRange, ...]] = (None, ())
        self._bytes_lost: tuple[tuple[int, int], ...] = ()
        self._matched: tuple[Snapshot | None, tuple[int, ...]] = (None, ())
        self._selections: dict[int, tuple[Kept, Kept]] = {}

    @property
    def is_complete(self) -> bool:
        """The whole file is scanned; before that it can be looked at, not changed."""
        return self.recording is not None

    # --- the range --------------------------------------------------------------------------------------

    @property
    def range(self) -> FrameRange:
        """The frames from in to out (indices, stop not included); all frames where neither is set."""
        return FrameRange(*self._range) if self._range is not None else FrameRange(self.frames)

    @property
    def has_range(self) -> bool:
        """In or out is set."""
        return self._range is not None

    def set_range(self, start: int, stop: int) -> None:
        """Keep the frames `[start, stop)`: at least one, within the recording; all of them is no range."""
        frames = self.frames
        if not frames:
            return
        start = max(0, min(start, frames - 1))
        stop = max(start + 1, min(stop, frames))
        self._range = None if (start, stop) == (0, frames) else (start, stop)
        self.range_changed.emit()

    def set_in(self, frame_index: int | None = None) -> None:
        """The range begins with this frame (the current one)."""
        index = self.frame_index if frame_index is None else frame_index
        self.set_range(index, max(self.range.stop, index + 1))

    def set_out(self, frame_index: int | None = None) -> None:
        """This frame (the current one) is the last of the range."""
        index = self.frame_index if frame_index is None else frame_index
        self.set_range(min(self.range.start, index), index + 1)

    def clear_range(self) -> None:
        """No in, no out."""
        self._range = None
        self.range_changed.emit()

    def spend_range(self, frames: FrameRange) -> None:
        """No in, no out: the last edit was made of these frames. Taking it back brings them back."""
        recording = self.recording
        if recording is not None and recording.history.position:
            self._spent = (recording.history.steps[recording.history.position - 1].number, frames)
        self.clear_range()

    def set_cuts(self, cuts: bool) -> None:
        """Look at the range as what goes, or as what stays."""
        if cuts != self.cuts:
            self.cuts = cuts
            self.range_changed.emit()

    @property
    def lost(self) -> tuple[FrameRange, ...]:
        """Frames that a repair which is looked at would leave out; of another state than the present one, none."""
        return self._lost[1] if self._lost[0] is self.snapshot else ()

    @property
    def bytes_lost(self) -> tuple[tuple[int, int], ...]:
        """The same as spans of bytes."""
        return self._bytes_lost if self._lost[0] is self.snapshot else ()

    def set_lost(self, frames: tuple[FrameRange, ...]) -> None:
        """Look at these frames, rising, as lost."""
        before, snapshot = self.lost, self.snapshot
        self._lost, self._bytes_lost = (snapshot, frames), ()
        if snapshot is not None:
            rows = (
                (snapshot.table.row_of_frame(one.start), snapshot.table.row_of_frame(one.stop - 1)) for one in frames
            )
            self._bytes_lost = tuple((snapshot.position(low), snapshot.position(high + 1)) for low, high in rows)
        if frames != before:
            self.lost_changed.emit()

    @property
    def matched(self) -> tuple[int, ...]:
        """Frames, rising, in which the filter found something; of another state than the present one, none."""
        return self._matched[1] if self._matched[0] is self.snapshot else ()

    def set_matched(self, frames: tuple[int, ...]) -> None:
        """Mark these frames, rising, as those in which the filter found something."""
        before = self.matched
        self._matched = (self.snapshot, frames)
        if frames != before:
            self.matched_changed.emit()

    def set_scope(self, scope: Scope) -> None:
        """Choose the frames that edits of an actor are meant for."""
        if scope != self.scope:
            self.scope = scope
            self.scope_changed.emit()

    def frames_for(self, scope: Scope | None = None, life: Life | None = None) -> FrameRange:
        """The frames that an edit is to be applied to: this frame, the in-out range, from here on, the whole life.

        `scope` is the one of the session and `life` the selected one where they are not given.
        """
        scope = self.scope if scope is None else scope
        if scope == "range":
            return self.range
        if scope == "onward":
            return FrameRange(self.frame_index, self.frames)
        life = self.life if life is None else life
        if scope == "life" and life is not None:
            return FrameRange(life.born, life.gone if life.gone is not None else self.frames)
        return FrameRange(self.frame_index, self.frame_index + 1)

    # --- changing ---------------------------------------------------------------------------------------

    @property
    def is_modified(self) -> bool:
        """There is something that the file does not hold."""
        return self.recording is not None and self.recording.is_modified

    def apply(self, edit: Edit, *, gesture: str | None = None, then: Place | None = None) -> Change:
        """Make an edit; `then` is selected afterwards (counted in the new state).

        Edits of the same `gesture` in a row are one undo step. Raises `RecorderError`.
        """
        self.snapshot_or_refuse()
        assert self.recording is not None
        before, history = self._kept(), self.recording.history
        change = self.recording.apply(edit, gesture=gesture)
        self._moved(change, partial(self._choose, then) if then is not None else None)
        number = history.steps[history.position - 1].number
        if len(self._selections) > _MOST_SELECTIONS:
            known = {step.number for step in history.steps}
            self._selections = {one: kept for one, kept in self._selections.items() if one in known}
        self._selections[number] = self._selections.get(number, (before, before))[0], self._kept()
        return change

    def snapshot_or_refuse(self) -> Snapshot:
        """What is shown, for an edit; raises `EditError` where nothing can be edited."""
        if self.recording is None or self.snapshot is None:
            raise EditError("The file is still being read; it can be changed as soon as that is done.")
        return self.snapshot

    def attempt(
        self,
        make: Callable[[], Edit],
        *,
        gesture: str | None = None,
        then: Place | None = None,
        refuse: Callable[[str], object] | None = None,
    ) -> Change | None:
        """Make an edit and apply it; a refusal goes to `refuse` as a sentence (None: `refused`)."""
        try:
            return self.apply(make(), gesture=gesture, then=then)
        except (RecorderError, OSError) as error:
            (refuse or self.refused.emit)(_sentence(error))
        return None

    def attempt_later(
        self,
        title: str,
        make: Make,
        *,
        done: Callable[[Change], object] | None = None,
        refuse: Callable[[str], object] | None = None,
    ) -> Job:
        """The same as a job on what is shown now, then `done`. Raises `EditError` where nothing can be edited."""
        snapshot = self.snapshot_or_refuse()

        def take(edit: Edit) -> None:
            change = self.attempt(lambda: edit, refuse=refuse)
            if change is not None and done is not None:
                done(change)

        def fail(error: Exception) -> None:
            if isinstance(error, (RecorderError, OSError)):
                (refuse or self.refused.emit)(_sentence(error))
            else:
                self.jobs.failed.emit(error)

        return self.jobs.start(title, lambda progress: make(snapshot, progress), take, fail)

    def attempt_over(
        self, frames: int, title: str, make: Make, *, refuse: Callable[[str], object] | None = None
    ) -> Job | None:
        """Make an edit of so many frames: here and now (None) where they are few, else as a job of that title."""
        if frames > FRAMES_AT_ONCE:
            return self.attempt_later(title, make, refuse=refuse)
        snapshot = self.snapshot_or_refuse()
        self.attempt(lambda: make(snapshot, SILENT), refuse=refuse)
        return None

    def undo(self) -> None:
        """Take the last step back, and select what was selected before it."""
        if self.recording is not None:
            self.go_to_step(self.recording.history.position - 1)

    def redo(self) -> None:
        """Make the step that was taken back again, and select what was selected after it."""
        if self.recording is not None:
            self.go_to_step(self.recording.history.position + 1)

    def go_to_step(self, position: int) -> None:
        """Undo or redo until so many steps are applied; views are told once."""
        recording, changes = self.recording, []
        kept: Kept | None = None
        while recording is not None and recording.history.position != position:
            history = recording.history
            back = history.position > position
            change = recording.undo() if back else recording.redo()
            if change is None:
                break
            changes.append(change)
            sides = self._selections.get(history.steps[history.position - (0 if back else 1)].number)
            kept = sides[0 if back else 1] if sides is not None else None
        if changes:
            splices = tuple(splice for change in changes for splice in change.splices)
            header, dialect = any(change.header for change in changes), any(change.dialect for change in changes)
            self._show_change(Change(changes[0].before, changes[-1].after, splices, header, dialect), kept)

    def decode_as(self, dialect: str | None) -> None:
        """Read the bodies with the tables of another dialect; None: with those the bytes show."""
        if self.recording is not None:
            self._moved(self.recording.decode_as(dialect))

    def save(self, path: Path | None = None, progress: Progress = SILENT) -> None:
        """Save, here and now; raises what `Recording.save` raises."""
        if self.recording is not None:
            self._moved(self.recording.save(path, progress=progress))

    def save_later(
        self,
        path: Path | None,
        failed: Callable[[Exception], None],
        done: Callable[[], None] | None = None,
        *,
        backup: bool = False,
    ) -> Job:
        """Save as a job, over the open file where `path` is None; the recording stays usable meanwhile."""
        recording = self.recording
        assert recording is not None

        def work(progress: Progress) -> Change:
            return recording.save(path, backup=backup, progress=progress)

        def finish(_change: Change) -> None:
            self._take_saved(recording)
            if done is not None:
                done()

        job = self.jobs.start(f"Saving {(path or recording.path).name}", work, finish, failed)
        # A job that was cancelled too late has saved all the same, and its `finish` is never called.
        job.ended.connect(lambda: self._take_saved(recording))
        return job

    def _take_saved(self, recording: Recording) -> None:
        if self.recording is recording and self.snapshot is not None and self.snapshot is not recording.snapshot:
            self._moved(Change(self.snapshot, recording.snapshot, ()))
        elif self.recording is recording:
            self.state_changed.emit()

    def _show_change(self, change: Change, kept: Kept | None) -> None:
        """Show what was done: the row stays where it is one of those that changed; `kept` is what to select."""
        first, last = (change.splices[0], change.splices[-1]) if change.splices else ((0, 0, 0), (0, 0, 0))
        changed = range(first[0], max(last[0] + last[2], first[0] + 1))

        def take_up() -> None:
            chosen = kept or self._kept()
            here = chosen[0].place.row
            shown = next((row for row in (self.row, here) if row in changed), min(first[0], change.after.rows - 1))
            if kept is not None or shown != here:
                elsewhere = change.splices and change.after.rows and shown != here
                self._take_up(chosen, shown if elsewhere else None)

        self._moved(change, take_up)

    def _moved(self, change: Change, select: Callable[[], None] | None = None) -> None:
        """Tell everybody once, after `select` has said what is selected now (None: the same as before)."""
        self.snapshot = change.after
        try:
            self._carry_selection(change)
            if select is not None:
                select()
        except (RecorderError, OSError):  # the file was rewritten beneath: views say so when they read
            self._take_up((Selection(Place(max(0, min(self.row, change.after.rows - 1)))), None), None)
        self._carry_range(change)
        self.changed.emit(change)
        self.selected.emit(self.selection)
        self.state_changed.emit()

    def _carry_range(self, change: Change) -> None:
        if self._spent is not None and self.recording is not None and change.splices:
            (number, chosen), history = self._spent, self.recording.history
            at, steps = history.position, history.steps
            if self._range is None and at < len(steps) and steps[at].number == number:
                self.set_range(chosen.start, chosen.stop)
                return
            if at and steps[at - 1].number == number and self._range == (chosen.start, chosen.stop):
                self.clear_range()
        if self._range is None:
            return
        frames = len(change.after)
        start, stop = self._range
        if change.before.rows != change.after.rows:
            start, stop = min(start, max(0, frames - 1)), min(stop, frames)
        self._range = (start, max(start + 1, stop)) if frames else None
        self.range_changed.emit()


def _sentence(error: RecorderError | OSError) -> str:
    """Why nothing was done, also where the system did not take, or give, the bytes of an edit."""
    if isinstance(error, RecorderError):
        return error.message
    reason = (error.strerror or str(error)).rstrip(".")
    where = f" ({error.filename})" if error.filename else ""
    return f"Nothing was changed. {reason}{where}."
