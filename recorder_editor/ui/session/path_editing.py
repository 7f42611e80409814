"""The path that is edited by keys: what it is while a key is dragged, what is wrong with it, and the edit on release.

Knows no view.
"""

from collections.abc import Callable
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

    Attributes: `life` (None: no path is edited), `base` and `path` (as recorded, and with what is dragged; None until
    it is read), `key` (the chosen one), `warnings` (of what is dragged), `refusal` (why a key cannot be where it was
    dragged to). Signal: `changed`.
    """

    changed = Signal()

    def __init__(self, state: SessionState, selection: CurrentSelection, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self._selection = selection
        self._editing = editing
        self._reading, self._judging = LatestJob(self, state.jobs), LatestJob(self, state.jobs, self._look)
        self.life: Life | None = None
        self.path: KeyedPath | None = None
        self.base: KeyedPath | None = None
        self._judge: PathJudge | None = None
        self.warnings: tuple[PathWarning, ...] = ()
        self._applying: Job | None = None
        self._times: dict[int, FloatArray] = {}  # of the keys, by the step of history that made this state
        self.key = 0
        self.refusal = ""
        self._frame = -1
        editing.followed.connect(self._follow)
        selection.changed.connect(self._choose_near)

    def begin(self, life: Life) -> None:
        """Edit the path of a life from now on; a refusal is told."""
        self.stop()
        self.life = life
        self._read(None)
        self._state.state_changed.emit()

    def end(self) -> None:
        """Edit no path any more; what is dragged is given up."""
        if self.life is not None:
            self.stop()
            self.changed.emit()
            self._state.state_changed.emit()

    def stop(self) -> None:
        """The same, told to nobody: the recording is about to be closed."""
        self._reading.stop()
        self._judging.stop()
        self.life = self.path = self.base = self._judge = self._applying = None
        self.key = 0
        self.warnings = ()
        self.refusal = ""
        self._frame = -1
        self._times.clear()

    @property
    def is_busy(self) -> bool:
        """The path is being read, or changed: its keys cannot be dragged."""
        return self.base is None or self._reading.is_running or not (self._applying is None or self._applying.wait(0))

    # --- keys -------------------------------------------------------------------------------------------

    def release(self, key: int, was_dragged: bool) -> None:
        """Make a drag one edit; without one choose the key, and go to its frame."""
        if was_dragged or self.path is None:
            self.drop()
            return
        recorded = self.path.recorded
        time = self.path.keys["time"][key]
        self._selection.go_to_frame(int(recorded.frames[np.argmin(np.abs(recorded.times - time))]))
        self.key = key
        self.changed.emit()

    def add(self, time: float) -> None:
        """Have a further key where the actor is at a time; that alone changes nothing."""
        self._take(lambda path: path.with_key_at(time))
        self._choose_near(time=time)

    def delete(self, *, straight: bool = False) -> None:
        """Have the chosen key no more, which alone changes nothing; or lead the path straight on without it."""
        self._take(lambda path: path.without_key(self.key), drops=straight)

    def _take(self, change: "Callable[[KeyedPath], KeyedPath]", *, drops: bool = False) -> None:
        """Have the keys after a change, and the path only where it `drops` that."""
        if not self.preview(self.key, change):
            self._refuse(self.refusal or say("The path is being read."))
        elif drops:
            self.drop()
        elif self.path is not None:
            self.rest(self.path.as_recorded(self.path.recorded, self.path.keys["time"]))

    def preview(self, key: int, change: "Callable[[KeyedPath], KeyedPath]") -> bool:
        """Show the path with a change of a key; where it cannot be (False) it stays as it was."""
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
        """Give up what was dragged."""
        self.path = self.base
        self.warnings = ()
        self.refusal = ""
        self.changed.emit()

    def drop(self) -> None:
        """Make what was dragged one edit."""
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

    def _refuse(self, words: str) -> None:
        self.cancel()
        self._state.refused.emit(words)

    # --- following --------------------------------------------------------------------------------------

    def _follow(self, _change: object) -> None:
        """Read the path of another state, with keys where they were in it, or where they are."""
        life = self.life
        actors = self._state.actors
        if life is None:
            return
        same = None
        if actors:
            same = next((each for each in actors.of_id(life.actor) if each.born == life.born), None)
        if same is None:
            self.end()
        else:
            self.life = same
            self._read(self._times.get(self._step, self.path.keys["time"] if self.path is not None else None))

    @property
    def _step(self) -> int:
        """The number of the step of history that made this state; 0 for the file."""
        history = self._state.recording.history if self._state.recording is not None else None
        if history is not None and history.position:
            return history.steps[history.position - 1].number
        return 0

    def _read(self, times: FloatArray | None) -> None:
        # The first picture does without. Not in the job: two threads that load a package could wait for each other.
        from ...edits.paths.keyed import KeyedPath, RecordedPath

        snapshot = self._state.snapshot_or_refuse()
        life = self.life
        assert life is not None
        self._judging.cancel()
        self._judge = None

        def work(_progress: Progress) -> KeyedPath:
            return KeyedPath.as_recorded(RecordedPath.of(snapshot, life), times)

        self._reading.run(say("Reading the path"), work, self.rest, self._fail)

    def rest(self, path: "KeyedPath") -> None:
        """Take a path as it is recorded, which further changes begin with."""
        self.base, self._times[self._step] = path, path.keys["time"]
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
        """Choose the key that is nearest in time to a frame that was gone to."""
        snapshot = self._state.snapshot
        frame = self._selection.frame_index
        if self.base is None or snapshot is None or (frame == self._frame and time is None):
            return
        self._frame = frame
        if time is None:
            time = float(snapshot.elapsed[frame])
        self.key = int(np.argmin(np.abs(self.base.keys["time"] - time)))
        self.changed.emit()

    def _look(self) -> None:
        """Judge what is dragged, as a job; what has become of it meanwhile comes next.

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
            used = judge or PathJudge(snapshot, life)
            return used, used.warnings(path)

        def done(found: "tuple[PathJudge, tuple[PathWarning, ...]]") -> None:
            self._judge, self.warnings = found
            if self.path is path:
                self.changed.emit()
            else:
                self._judging.begin(opening=True)

        self._judging.run(say("Judging the path"), work, done, self._fail)
