"""The window's programmable face: the open recording, the one selection, apply and undo.

Views read from `session.snapshot`, call `select` and `apply`, and listen; they never talk to each other. Nothing here
draws.
"""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Concatenate, Literal, ParamSpec

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from ..checks import check
from ..edits.place import Place
from ..errors import EditError, RecorderError
from ..recording.actors import Actors
from ..recording.contents import Frame, Row
from ..recording.findings import Finding
from ..recording.history import Edit
from ..recording.lives import Life
from ..recording.recording import Change, Recording, open_recording
from ..recording.snapshot import Snapshot
from ..recording.survey import Survey, survey
from .jobs import Cancel, Job, Jobs, Progress
from .selection import (
    HEADER,
    Found,
    Selection,
    carried,
    frame_of,
    look_up,
    place_at,
    place_of_span,
    same_in,
    settled,
    span_of,
)

FrameRange = range
"""Frame indices; the session has a property of the built-in name."""
Scope = Literal["frame", "range", "onward", "life"]
_Given = ParamSpec("_Given")
_TRAIL_OF_SELECTIONS = 200
_MS_BEFORE_SURVEY = 250


def _reading(method: Callable[Concatenate["Session", _Given], None]) -> Callable[Concatenate["Session", _Given], None]:
    """What is selected is read at once; where the file was changed beneath, the reason is told and nothing moves."""

    @wraps(method)
    def read(session: "Session", /, *given: _Given.args, **named: _Given.kwargs) -> None:
        try:
            method(session, *given, **named)
        except RecorderError as error:
            session.refused.emit(error.message)
        except OSError as error:
            session.refused.emit(f"The file cannot be read: {error.strerror or error}.")

    return read


class Session(QObject):
    """One recording in one window.

    Attributes: `jobs`, `recording` (None while nothing is open), `snapshot` (what is shown; None as well),
    `is_complete` (the scan is through: editing is possible), `selection`, `row` (shown in the tree), `frame_index`
    (from 0; of a raw row the frame before it), `survey` (paths, distances; None until the job is through), `findings`,
    `scope` (the frames an edit of an actor is meant for: Apply to).

    Signals: `opened` (another recording, or none, or the rest of one that is being read), `changed(Change)`,
    `selected(Selection)`, `range_changed`, `surveyed`, `checked` (findings), `scope_changed`, `state_changed` (undo,
    redo, modified, path), `refused(str)` (a sentence why something was not done).
    """

    opened = Signal()
    changed = Signal(object)
    selected = Signal(object)
    range_changed = Signal()
    surveyed = Signal()
    checked = Signal()
    state_changed = Signal()
    scope_changed = Signal()
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.jobs = Jobs(self)
        self.recording: Recording | None = None
        self.snapshot: Snapshot | None = None
        self.selection = Selection(Place(HEADER))
        self.row = 0
        self.frame_index = 0
        self.survey: Survey | None = None
        self.findings: tuple[Finding, ...] = ()
        self.scope: Scope = "frame"
        self._range: tuple[int, int] | None = None
        self._sticky: tuple[int, int | None] | None = None
        self._back: list[Selection] = []
        self._forward: list[Selection] = []
        self._survey_job: Job | None = None
        self._survey_timer = QTimer(self, singleShot=True, interval=_MS_BEFORE_SURVEY)
        self._survey_timer.timeout.connect(self._start_survey)

    # --- opening and closing ----------------------------------------------------------------------------

    @property
    def is_complete(self) -> bool:
        """The whole file is scanned; before that it can be looked at, not changed."""
        return self.recording is not None

    def open(self, path: Path, *, dialect: str | None = None) -> Recording:
        """Open a file and wait for it; raises OSError and `RecorderError`, and leaves what is open as it is."""
        recording = open_recording(path, dialect=dialect)
        self.show(recording)
        return recording

    def open_later(
        self, path: Path, failed: Callable[[Exception], None], done: Callable[[], None] | None = None
    ) -> Job:
        """Open a file as a job; its first frames are shown before the scan is through."""
        first: list[Snapshot] = []

        def work(progress: Progress, cancel: Cancel) -> Recording:
            return open_recording(path, progress=progress, cancel=cancel, first=first.append)

        def finish(recording: Recording) -> None:
            self.show(recording)
            if done is not None:
                done()

        def give_up(error: Exception) -> None:
            if self.recording is None and self.snapshot is not None:
                self.close()
                self.opened.emit()
            failed(error)

        def look() -> None:
            # Not for what is read already: the whole of it is about to be shown.
            if first and not job.is_cancelled and not job.wait(0):
                self.show_first(first.pop())

        job = self.jobs.start(f"Opening {path.name}", work, finish, give_up)
        job.progressed.connect(look)
        return job

    def show(self, recording: Recording) -> None:
        """Make a recording the window's; the one shown before is closed."""
        keep = self.frame_index if self.recording is None and self.snapshot is not None else 0
        self.close()
        self.recording = recording
        self.snapshot = recording.snapshot
        self.findings = recording.findings
        self._begin(keep)
        self._survey_timer.start(0)

    def show_first(self, snapshot: Snapshot) -> None:
        """Show the first frames of a file that is still being scanned."""
        self.close()
        self.snapshot = snapshot
        self._begin(0)

    def close(self) -> None:
        """Close the recording, whatever was not saved."""
        self._survey_timer.stop()
        if self._survey_job is not None:
            self._survey_job.cancel()
            self._survey_job.wait(5)
            self._survey_job = None
        if self.recording is not None:
            self.recording.close()
        self.recording = None
        self.snapshot = None
        self.survey = None
        self.findings = ()

    def _begin(self, frame_index: int) -> None:
        self._range, self._sticky = None, None
        self._back.clear()
        self._forward.clear()
        snapshot = self.snapshot
        assert snapshot is not None
        self.row = snapshot.table.row_of_frame(min(frame_index, len(snapshot) - 1)) if len(snapshot) else 0
        self.frame_index = frame_of(snapshot, self.row)
        self.selection = Selection(Place(self.row if snapshot.rows else HEADER))
        self.opened.emit()
        self.selected.emit(self.selection)
        self.range_changed.emit()
        self.surveyed.emit()
        self.checked.emit()
        self.state_changed.emit()

    # --- what is shown ----------------------------------------------------------------------------------

    @property
    def current(self) -> Row | None:
        """The row that is shown: a frame, or a raw stretch; None where there is none."""
        if self.snapshot is None or not 0 <= self.row < self.snapshot.rows:
            return None
        return self.snapshot.row(self.row)

    @property
    def frame(self) -> Frame | None:
        """The current frame, or None where the recording has none."""
        if self.snapshot is None or not len(self.snapshot):
            return None
        return self.snapshot.frame(min(self.frame_index, len(self.snapshot) - 1))

    @property
    def frames(self) -> int:
        """Frames of what is shown."""
        return len(self.snapshot) if self.snapshot is not None else 0

    @property
    def actors(self) -> Actors | None:
        """Lives and events of what is shown."""
        return Actors.of(self.snapshot) if self.snapshot is not None else None

    @property
    def found(self) -> Found:
        """The selected place, looked up."""
        return look_up(self.snapshot, self.selection.place) if self.snapshot is not None else Found()

    @property
    def span(self) -> tuple[int, int]:
        """The selected bytes `(start, stop)`."""
        if self.snapshot is None:
            return 0, 0
        return self.selection.span or span_of(self.snapshot, self.selection.place)

    @property
    def actor(self) -> int | None:
        """The selected actor: also while its record is missing in the current frame."""
        actor = self.found.actor
        return actor if actor is not None else self._sticky[1] if self._sticky is not None else None

    @property
    def actors_selected(self) -> tuple[int, ...]:
        """All selected actors, the first one first."""
        if self.snapshot is None:
            return ()
        more = (look_up(self.snapshot, place).actor for place in self.selection.more)
        every = dict.fromkeys((self.actor, *more))
        return tuple(actor for actor in every if actor is not None)

    @property
    def life(self) -> Life | None:
        """The life of the selected actor that holds the current frame, or its nearest one."""
        actor, actors = self.actor, self.actors
        if actor is None or actors is None:
            return None
        here = actors.at(actor, self.frame_index)
        if here is not None:
            return here
        lives = actors.of_id(actor)
        return min(lives, key=lambda life: abs(life.born - self.frame_index)) if lives else None

    # --- selecting --------------------------------------------------------------------------------------

    @_reading
    def select(self, place: Place, *, more: tuple[Place, ...] = (), span: tuple[int, int] | None = None) -> None:
        """Select a place; the frame that holds it becomes the current one."""
        if self.snapshot is None:
            return
        place = settled(self.snapshot, place)
        found = look_up(self.snapshot, place)
        self._sticky = (found.packet.id, found.actor) if found.packet is not None else None
        self._select(Selection(place, more, span), remember=True)

    @_reading
    def select_byte(self, position: int) -> None:
        """Select the smallest field that holds a byte."""
        if self.snapshot is not None:
            self.select(place_at(self.snapshot, position))

    @_reading
    def select_span(self, start: int, stop: int) -> None:
        """Select bytes, and the packet, record or field that spans them."""
        if self.snapshot is not None and stop > start:
            self.select(place_of_span(self.snapshot, start, stop), span=(start, stop))

    @_reading
    def select_actor(self, actor: int, *, add: bool = False) -> None:
        """Select an actor's record in the current frame, or its EventAdd; `add` adds it to the others or removes it."""
        place = self.place_of_actor(actor)
        if place is None:
            self.refused.emit(f"Actor {actor} is nowhere in this recording.")
            return
        if not add:
            self.select(place)
            return
        every = list(dict.fromkeys((self.selection.place, *self.selection.more)))
        every = [one for one in every if one.record is not None and one.row == place.row]
        if place in every:
            every.remove(place)
        else:
            every.append(place)
        if every:
            self.select(every[0], more=tuple(every[1:]))

    @_reading
    def select_actors(self, actors: tuple[int, ...]) -> None:
        """Select several actors' records in the current frame."""
        places = [place for place in map(self.place_of_actor, actors) if place is not None and place.row == self.row]
        if places:
            self.select(places[0], more=tuple(places[1:]))

    def place_of_actor(self, actor: int) -> Place | None:
        """Where an actor is: its record in the current frame (position, light, control), else its EventAdd."""
        frame, actors = self.frame, self.actors
        if frame is None or actors is None:
            return None
        for name in ("Position", "State", "AnimVehicle", "AnimWalker", "EventAdd"):
            packet = frame.packet(name)
            record = packet.decoded.find_actor(actor) if packet is not None else None
            if packet is not None and record is not None:
                return Place(frame.row, packet.index, record)
        lives = actors.of_id(actor)
        if not lives:
            return None
        life = actors.at(actor, self.frame_index) or lives[0]
        return Place(*life.added)

    def go_to_frame(self, index: int) -> None:
        """Show a frame (from 0, held within the recording); the same actor, packet and field stay selected."""
        if self.snapshot is None or not len(self.snapshot):
            return
        self.go_to_row(self.snapshot.table.row_of_frame(max(0, min(index, len(self.snapshot) - 1))))

    @_reading
    def go_to_row(self, row: int) -> None:
        """Show a row; what is selected in it stays the same as far as it is there."""
        snapshot = self.snapshot
        if snapshot is None or not 0 <= row < snapshot.rows or row == self.selection.place.row:
            return
        before = self.selection
        place = Place(row)
        more: tuple[Place, ...] = ()
        if self._sticky is not None:
            place = same_in(snapshot, row, before.place, *self._sticky)
            actors = self.actors_selected[1:]
            same = (same_in(snapshot, row, before.place, self._sticky[0], actor) for actor in actors)
            more = tuple(one for one in same if one.record is not None)
        self._select(Selection(place, more), remember=False)

    def go_to_time(self, seconds: float) -> None:
        """Show the last frame whose elapsed is at most `seconds`."""
        if self.snapshot is not None:
            self.go_to_frame(self.snapshot.frame_at_time(seconds))

    def step(self, frames: int) -> None:
        """Go so many frames on, or back."""
        self.go_to_frame(self.frame_index + frames)

    def step_seconds(self, seconds: float) -> None:
        """Go so many seconds on, or back; at least one frame."""
        snapshot = self.snapshot
        if snapshot is None or not len(snapshot):
            return
        before = self.frame_index
        target = snapshot.frame_at_time(float(snapshot.elapsed[before]) + seconds)
        self.go_to_frame(target if target != before else before + (1 if seconds > 0 else -1))

    @_reading
    def step_event(self, by: int) -> None:
        """Go to the next frame (or the one before) in which something happens: a birth, an end, a collision, a door."""
        actors = self.actors
        if actors is None:
            return
        frames = np.unique(actors.events["frame_index"])
        here = int(np.searchsorted(frames, self.frame_index, side="right" if by > 0 else "left")) - (0 if by > 0 else 1)
        if 0 <= here < len(frames):
            self.go_to_frame(int(frames[here]))

    @property
    def can_go_back(self) -> bool:
        """There is an earlier selection."""
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        """There is a later selection."""
        return bool(self._forward)

    @_reading
    def back(self) -> None:
        """The selection before this one."""
        if self._back:
            self._forward.append(self.selection)
            self._return_to(self._back.pop())

    @_reading
    def forward(self) -> None:
        """The selection that `back` left."""
        if self._forward:
            self._back.append(self.selection)
            self._return_to(self._forward.pop())

    def _return_to(self, selection: Selection) -> None:
        if self.snapshot is not None:
            place = carried(self.snapshot, selection.place, ())
            found = look_up(self.snapshot, place)
            self._sticky = (found.packet.id, found.actor) if found.packet is not None else None
            self._select(Selection(place, selection.more), remember=False)
            self.state_changed.emit()

    def _select(self, selection: Selection, *, remember: bool) -> None:
        if selection == self.selection:
            return
        if selection.place.row != HEADER and self.snapshot is not None:
            # Read before anything changes: what the views are about to ask for is then there.
            _ = self.snapshot.row(selection.place.row).packets
        if remember:
            self._back.append(self.selection)
            del self._back[:-_TRAIL_OF_SELECTIONS]
            self._forward.clear()
        self.selection = selection
        if selection.place.row != HEADER and self.snapshot is not None:
            self.row = selection.place.row
            self.frame_index = frame_of(self.snapshot, self.row)
        self.selected.emit(selection)
        if remember:
            self.state_changed.emit()

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

    def set_scope(self, scope: Scope) -> None:
        """Choose the frames that edits of an actor are meant for."""
        if scope != self.scope:
            self.scope = scope
            self.scope_changed.emit()

    def frames_for(self, scope: Scope | None = None) -> FrameRange:
        """The frames that an edit is to be applied to: this frame, the in-out range, from here on, the whole life."""
        scope = self.scope if scope is None else scope
        if scope == "range":
            return self.range
        if scope == "onward":
            return FrameRange(self.frame_index, self.frames)
        life = self.life
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
        change = self.recording.apply(edit, gesture=gesture)
        self._moved(change)
        if then is not None:
            self.select(then)
        return change

    def snapshot_or_refuse(self) -> Snapshot:
        """What is shown, for an edit; raises `EditError` where nothing can be edited."""
        if self.recording is None or self.snapshot is None:
            raise EditError("The file is still being read; it can be changed as soon as that is done.")
        return self.snapshot

    def attempt(
        self, make: Callable[[], Edit], *, gesture: str | None = None, then: Place | None = None
    ) -> Change | None:
        """Make an edit and apply it; a refusal is announced as a sentence (`refused`), and gives None."""
        try:
            return self.apply(make(), gesture=gesture, then=then)
        except RecorderError as error:
            self.refused.emit(error.message)
            return None

    def undo(self) -> None:
        """Take the last step back, and show where it was."""
        if self.recording is not None:
            self._show_change(self.recording.undo())

    def redo(self) -> None:
        """Make the step that was taken back again, and show where it is."""
        if self.recording is not None:
            self._show_change(self.recording.redo())

    def go_to_step(self, position: int) -> None:
        """Undo or redo until so many steps are applied."""
        while self.recording is not None and self.recording.history.position != position:
            before = self.recording.history.position
            (self.undo if before > position else self.redo)()
            if self.recording.history.position == before:
                break

    def decode_as(self, dialect: str | None) -> None:
        """Read the bodies with the tables of another dialect; None: with those the bytes show."""
        if self.recording is not None:
            self._moved(self.recording.decode_as(dialect))

    def save(self, path: Path | None = None, progress: Progress | None = None, cancel: Cancel | None = None) -> None:
        """Save, here and now; raises what `Recording.save` raises."""
        if self.recording is not None:
            self._moved(self.recording.save(path, progress=progress, cancel=cancel))

    def save_later(
        self, path: Path | None, failed: Callable[[Exception], None], done: Callable[[], None] | None = None
    ) -> Job:
        """Save as a job, over the open file where `path` is None; the recording stays usable meanwhile."""
        recording = self.recording
        assert recording is not None

        def work(progress: Progress, cancel: Cancel) -> Change:
            return recording.save(path, progress=progress, cancel=cancel)

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

    def _show_change(self, change: Change | None) -> None:
        if change is None:
            return
        self._moved(change)
        if change.splices and self.snapshot is not None:
            first, last = change.splices[0], change.splices[-1]
            if not first[0] <= self.row < max(last[0] + last[2], first[0] + 1):
                self.go_to_row(min(first[0], self.snapshot.rows - 1))

    def _moved(self, change: Change) -> None:
        assert self.recording is not None
        snapshot = change.after
        self.snapshot = snapshot
        selection = self.selection
        place = carried(snapshot, selection.place, change.splices)
        more = tuple(carried(snapshot, one, change.splices) for one in selection.more)
        self.selection = Selection(place, tuple(one for one in more if one.record is not None))
        self._back = [Selection(carried(snapshot, one.place, change.splices)) for one in self._back[-20:]]
        self._forward.clear()
        self.row = place.row if place.row != HEADER else max(0, min(self.row, snapshot.rows - 1))
        self.frame_index = frame_of(snapshot, self.row)
        self._carry_range(change)
        self.changed.emit(change)
        self.selected.emit(self.selection)
        self.state_changed.emit()
        self._survey_timer.start(_MS_BEFORE_SURVEY)

    def _carry_range(self, change: Change) -> None:
        if self._range is None:
            return
        frames = len(change.after)
        start, stop = self._range
        if change.before.rows != change.after.rows:
            start, stop = min(start, max(0, frames - 1)), min(stop, frames)
        self._range = (start, max(start + 1, stop)) if frames else None
        self.range_changed.emit()

    # --- what a job finds out ---------------------------------------------------------------------------

    def _start_survey(self) -> None:
        if self._survey_job is not None:
            self._survey_job.cancel()
        snapshot = self.snapshot
        if snapshot is None or self.recording is None:
            return

        def work(progress: Progress, cancel: Cancel) -> tuple[Snapshot, Survey, tuple[Finding, ...]]:
            half = 2
            found = survey(snapshot, lambda done, total: progress(done, half * total), cancel)
            findings = tuple(check(snapshot, lambda done, total: progress(done + total, half * total), cancel))
            return snapshot, found, findings

        self._survey_job = self.jobs.start("Reading paths and checking structure", work, self._surveyed, quiet=True)

    def _surveyed(self, result: tuple[Snapshot, Survey, tuple[Finding, ...]]) -> None:
        snapshot, self.survey, self.findings = result
        self._survey_job = None
        self.surveyed.emit()
        self.checked.emit()
        if snapshot is not self.snapshot:
            self._survey_timer.start(_MS_BEFORE_SURVEY)
