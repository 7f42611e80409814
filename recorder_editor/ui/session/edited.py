"""How many records of each frame differ from the file: counted as a job when edits have come to rest."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from ...errors import RecorderError
from ...progress import Progress
from ...recording import Change
from ...texts import say
from ...views.time_axis import Integers
from ...views.timeline_marks import Heat, edited_rows
from .editing import Editing
from .jobs import LatestJob
from .state import SessionState

if TYPE_CHECKING:
    from ...views.edited_records import EditCounts


class EditedFrames(QObject):
    """The heat of the edited frames.

    Signals:
        changed(): Other records were counted.
    """

    changed = Signal()

    def __init__(self, state: SessionState, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self._counts: EditCounts | None = None
        self._latest = LatestJob(self, state.jobs, self._start)
        editing.followed.connect(self._follow)

    def _follow(self, _change: Change) -> None:
        self._latest.begin()

    def begin(self) -> None:
        """Begin with the recording that is shown now, which may have edits that a crash left."""
        if self._state.is_modified:
            self._latest.begin(opening=True)

    def stop(self) -> None:
        """Release the recording, without a signal."""
        self._latest.stop()
        self._counts = None

    def heat(self, frames: Integers, keys: Integers) -> Heat:
        """Return the heat of the edited frames of the state that is shown; what is not counted yet is weakly marked.

        Args:
            frames: These frames, rising, int64[n].
            keys: The keys of their rows, int64[n].
        """
        if self._counts is None:
            return Heat(frames, np.ones(len(frames), np.int64))
        return self._counts.heat(frames, keys)

    def _start(self) -> None:
        # The first picture does without. Not in the job: two threads that load a package could wait for each other.
        from ...views.edited_records import count_edits

        snapshot = self._state.snapshot
        recording = self._state.recording
        if snapshot is None or recording is None or not recording.is_modified:
            return
        saved = recording.saved
        before = self._counts
        rows = edited_rows(snapshot)

        def work(progress: Progress) -> "EditCounts":
            return count_edits(snapshot, saved, rows, before, progress)

        self._latest.run(say("Counting edits"), work, self._take, self._refuse)

    def _take(self, counts: "EditCounts") -> None:
        self._counts = counts
        self.changed.emit()

    def _refuse(self, error: Exception) -> None:
        # The file was rewritten meanwhile: the message bar says so, and the frames stay marked.
        if not isinstance(error, (RecorderError, OSError)):
            self._state.jobs.failed.emit(error)
