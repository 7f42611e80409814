"""The path that is edited by keys: its shape while a key is dragged, its warnings, and the edit on release.

Knows no view.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

import recorder_editor as library

from ...arrays import FloatArray
from ...errors import EditError, RecorderError
from ...progress import Progress
from ...reading import Life
from ...recording import Edit, Snapshot
from ...texts import say
from .editing import Editing
from .jobs import Job, LatestJob
from .selection import CurrentSelection
from .state import SessionState

if TYPE_CHECKING:
    from ...checks.path_warnings import PathJudge, PathWarning
    from ...edits.paths.keyed import KeyedPath


class PathEditing(QObject):
    """The keys of one actor, until it is gone or `end` is called.

    After each edit, undo and redo the path is read anew, with keys at the times at which they were.

    Attributes:
        life: The life whose path is edited; None: no path is.
        base: The path as recorded; None until it is read.
        path: The path with what is dragged; None until it is read.
        key: The index of the chosen key.
        warnings: Of the path with what is dragged.
        refusal: Why a key cannot be where it was dragged to; empty where it can.

    Signals:
        changed(): Any of them is another.
    """

    changed = Signal()

    def __init__(self, state: SessionState, selection: CurrentSelection, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self._selection = selection
        self._editing = editing
        self._reading = LatestJob(self, state.jobs)
        self._judging = LatestJob(self, state.jobs, self._start_judging)
        self.life: Life | None = None
        self.path: KeyedPath | None = None
        self.base: KeyedPath | None = None
        self._judge: PathJudge | None = None
        self.warnings: tuple[PathWarning, ...] = ()
        self._applying: Job | None = None
        self._times: dict[int, FloatArray] = {}  # of the keys (s), by the step of history that made the state
        self.key = 0
        self.refusal = ""
        self._frame = -1
        editing.followed.connect(self._follow)
        selection.changed.connect(self._choose_near)

    def begin(self, life: Life) -> None:
        """Edit the path of a life from now on; where it cannot be read a refusal is emitted."""
        self.stop()
        self.life = life
        self._read(None)
        self._state.state_changed.emit()

    def end(self) -> None:
        """End the editing of a path; what is dragged is dropped."""
        if self.life is not None:
            self.stop()
            self.changed.emit()
            self._state.state_changed.emit()

    def stop(self) -> None:
        """End it without a signal: the recording is about to be closed."""
        self._reading.stop()
        self._judging.stop()
        self.life = None
        self.path = None
        self.base = None
        self._judge = None
        self._applying = None
        self.key = 0
        self.warnings = ()
        self.refusal = ""
        self._frame = -1
        self._times.clear()

    @property
    def is_busy(self) -> bool:
        """Whether the path is being read or changed: its keys cannot be dragged then."""
        if self.base is None or self._reading.is_running:
            return True
        return self._applying is not None and not self._applying.wait(0)

    # --- keys -------------------------------------------------------------------------------------------

    def release(self, key: int, was_dragged: bool) -> None:
        """Apply a drag as one edit; without one choose the key, and go to its frame."""
        if was_dragged or self.path is None:
            self.apply()
            return
        recorded = self.path.recorded
        time = self.path.keys["time"][key]
        nearest = np.argmin(np.abs(recorded.times - time))
        self._selection.go_to_frame(int(recorded.frames[nearest]))
        self.key = key
        self.changed.emit()

    def add(self, time: float) -> None:
        """Add a key where the actor is at a time (s); the path stays as it is."""
        self._change_keys(lambda path: path.with_key_at(time))
        self._choose_near(time=time)

    def delete(self, *, straight: bool = False) -> None:
        """Remove the chosen key.

        Args:
            straight: Lead the path straight past it, as an edit; False: the path stays as it is.
        """
        self._change_keys(lambda path: path.without_key(self.key), is_edit=straight)

    def _change_keys(self, change: "Callable[[KeyedPath], KeyedPath]", *, is_edit: bool = False) -> None:
        """Take the keys of a changed path, and the path itself only where that `is_edit`."""
        if not self.preview(self.key, change):
            self._refuse(self.refusal or say("The path is being read."))
        elif is_edit:
            self.apply()
        elif self.path is not None:
            self._set_recorded(self.path.as_recorded(self.path.recorded, self.path.keys["time"]))

    def preview(self, key: int, change: "Callable[[KeyedPath], KeyedPath]") -> bool:
        """Show the path with a change of a key; False where that cannot be, and the path stays as it was.

        Args:
            key: The index of the key.
            change: Returns the changed path; raises `EditError`.
        """
        self.key = key
        self.refusal = ""
        if self.is_busy or self.base is None:
            return False
        try:
            self.path = change(self.base)
        except EditError as error:
            self.refusal = error.message
        if not self._judging.is_pending:
            self._judging.begin(opening=True)
        self.changed.emit()
        return not self.refusal

    def cancel(self) -> None:
        """Drop what was dragged, without an edit."""
        self.path = self.base
        self.warnings = ()
        self.refusal = ""
        self.changed.emit()

    def apply(self) -> None:
        """Apply what was dragged as one edit."""
        life = self.life
        path = self.path
        if life is None or path is None or path.span is None or self.is_busy:
            self.cancel()
            return

        def make(snapshot: Snapshot, progress: Progress) -> Edit:
            return library.edits.edit_path(snapshot, life, path.to_json(), progress=progress)

        frames = int(np.ptp(np.searchsorted(path.recorded.times, path.span)))
        title = say("Editing the path of {actor}", actor=life.actor)
        self._applying = self._editing.attempt_over(frames, title, make, refuse=self._refuse)

    def _refuse(self, sentence: str) -> None:
        self.cancel()
        self._state.refused.emit(sentence)

    # --- following --------------------------------------------------------------------------------------

    def _follow(self, _change: object) -> None:
        """Read the path of another state, with keys where they were in it, or where they are."""
        life = self.life
        actors = self._state.actors
        if life is None:
            return
        counterpart = None
        if actors:
            counterpart = _life_born_at(actors.of_id(life.actor), life.born)
        if counterpart is None:
            self.end()
            return
        self.life = counterpart
        times = None
        if self.path is not None:
            times = self.path.keys["time"]
        self._read(self._times.get(self._step, times))

    @property
    def _step(self) -> int:
        """The number of the step of history that made this state; 0 for the file."""
        recording = self._state.recording
        if recording is None or not recording.history.position:
            return 0
        history = recording.history
        return history.steps[history.position - 1].number

    def _read(self, times: FloatArray | None) -> None:
        """Read the path as a job, with keys at these times (s); None: at the knots of the fitted curve."""
        # The first picture does without. Not in the job: two threads that load a package could wait for each other.
        from ...edits.paths.keyed import KeyedPath, RecordedPath

        snapshot = self._state.snapshot_or_refuse()
        life = self.life
        assert life is not None
        self._judging.cancel()
        self._judge = None

        def work(_progress: Progress) -> KeyedPath:
            return KeyedPath.as_recorded(RecordedPath.of(snapshot, life), times)

        self._reading.run(say("Reading the path"), work=work, done=self._set_recorded, failed=self._fail)

    def _set_recorded(self, path: "KeyedPath") -> None:
        """Take a path as it is recorded, which further changes begin with."""
        self.base = path
        self._times[self._step] = path.keys["time"]
        self.key = min(self.key, len(path.keys) - 1)
        self._choose_near()
        self.cancel()

    def _fail(self, error: Exception) -> None:
        self.end()
        if isinstance(error, RecorderError):
            self._state.refused.emit(error.message)
        else:
            self._state.jobs.failed.emit(error)

    def _choose_near(self, _selection: object = None, *, time: float | None = None) -> None:
        """Choose the key that is nearest to a time (s); None: to the time of the frame that is shown."""
        snapshot = self._state.snapshot
        frame = self._selection.frame_index
        if self.base is None or snapshot is None:
            return
        if time is None and frame == self._frame:
            return
        self._frame = frame
        if time is None:
            time = float(snapshot.elapsed[frame])
        self.key = int(np.argmin(np.abs(self.base.keys["time"] - time)))
        self.changed.emit()

    def _start_judging(self) -> None:
        """Judge what is dragged, as a job, and again where it was dragged on meanwhile.

        Only now and then: a thread that runs Python beside every picture would hold them up.
        """
        from ...checks.path_warnings import PathJudge

        snapshot = self._state.snapshot
        life = self.life
        path = self.path
        judge = self._judge
        if snapshot is None or life is None or path is None:
            return

        def work(_progress: Progress) -> "tuple[PathJudge, tuple[PathWarning, ...]]":
            path_judge = judge or PathJudge(snapshot, life)
            return path_judge, path_judge.warnings(path)

        def done(result: "tuple[PathJudge, tuple[PathWarning, ...]]") -> None:
            self._judge, self.warnings = result
            if self.path is path:
                self.changed.emit()
            else:
                self._judging.begin(opening=True)

        self._judging.run(say("Judging the path"), work=work, done=done, failed=self._fail)


def _life_born_at(lives: Iterable[Life], frame_index: int) -> Life | None:
    """Return the life that was born in a frame, or None."""
    for life in lives:
        if life.born == frame_index:
            return life
    return None
