"""The window's programmable face: opening and closing a recording, and what a job finds out about it.

Views read from `session.snapshot`, call `select` and `apply`, and listen; they never talk to each other. Nothing here
draws.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ...checks import check, fix, updated_findings
from ...errors import SourceChanged
from ...progress import Progress
from ...recording.findings import Finding
from ...recording.history import MAX_BYTES
from ...recording.recording import Change, Recording, open_recording
from ...recording.snapshot import Snapshot
from ...recording.trajectories import Trajectories, find_trajectories
from ..jobs import Job
from ..latest_job import LatestJob
from .comparing import Comparing
from .editing import Editing
from .traffic import Traffic


class Session(Editing):
    """One recording in one window: what `Shown`, `Selecting` and `Editing` offer, and the file.

    Attributes: `survey` (paths, distances; None until the job is through), `findings`, `comparing` (with another
    recording), `traffic` (its analysis).

    Signals: `opened` (another recording, or none, or the rest of one that is being read), `taken_over` (every view has
    followed that), `surveyed`, `checked` (findings).
    """

    opened = Signal()
    taken_over = Signal()
    surveyed = Signal()
    checked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._undo_bytes = MAX_BYTES
        self.survey: Trajectories | None = None
        self.findings: tuple[Finding, ...] = ()
        self._surveying = LatestJob(self, self.jobs, self._survey)
        self.comparing = Comparing(self)
        self.traffic = Traffic(self)

    def set_undo_bytes(self, most: int) -> None:
        """Let the steps of undo use so much memory, of this recording and of later ones."""
        self._undo_bytes = most
        if self.recording is not None:
            self.recording.history.max_bytes = most

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

        def work(progress: Progress) -> Recording:
            return open_recording(path, progress=progress, first=first.append)

        def finish(recording: Recording) -> None:
            self.show(recording)
            if done is not None:
                done()

        def give_up(error: Exception) -> None:
            self.drop_half_read()
            failed(error)

        def look() -> None:
            # Not for what is read already: the whole of it is about to be shown.
            if first and not job.is_cancelled and not job.wait(0):
                self.show_first(first.pop())

        job = self.jobs.start(f"Opening {path.name}", work, finish, give_up)
        job.progressed.connect(look)
        return job

    def reload_later(self, failed: Callable[[Exception], None]) -> Job:
        """Open the same file anew as a job; the old state stays until it is read.

        The frame and the actor stay; who was at the end is at the new end.
        """
        before = self.recording
        assert before is not None

        def work(progress: Progress) -> Recording:
            return open_recording(before.path, progress=progress)

        def finish(recording: Recording) -> None:
            frame, actor = self.frame_index, self.actor
            if frame == self.frames - 1:
                frame = len(recording) - 1
            self.show(recording, frame_index=frame)
            if actor is not None and self.place_of_actor(actor) is not None:
                self.select_actor(actor)

        return self.jobs.start(f"Reading {before.path.name} again", work, finish, failed)

    def show(self, recording: Recording, *, frame_index: int | None = None) -> None:
        """Make a recording the window's, and show a frame; the recording shown before is closed."""
        keep = self.frame_index if self.recording is None and self.snapshot is not None else 0
        keep = keep if frame_index is None else max(0, frame_index)
        self.close()
        self.recording = recording
        recording.history.max_bytes = self._undo_bytes
        self.snapshot = recording.snapshot
        self.findings = recording.findings
        with suppress(OSError):  # who may write nowhere edits all the same, and is told
            recording.keep_journal()
        self._begin(keep)
        self._surveying.begin(at_once=True)
        self.traffic.look()

    def show_first(self, snapshot: Snapshot) -> None:
        """Show the first frames of a file that is still being scanned."""
        self.close()
        self.snapshot = snapshot
        self._begin(0)

    def close(self, *, keep_edits: bool = False) -> None:
        """Close the recording, whatever was not saved; `keep_edits` leaves that to the next start of the program."""
        self._surveying.stop()
        self.comparing.stop()
        self.traffic.stop()
        if self.recording is not None and keep_edits and self.is_modified:
            self.recording.release()
        elif self.recording is not None:
            self.recording.close()
        self.recording = None
        self.snapshot = None
        self.survey = None
        self.findings = ()

    def show_none(self) -> None:
        """Close the recording, whatever was not saved, and show none."""
        self.close()
        self.opened.emit()
        self.taken_over.emit()

    def drop_half_read(self) -> None:
        """Show none where only the first frames of a file are shown."""
        if self.recording is None and self.snapshot is not None:
            self.show_none()

    def _begin(self, frame_index: int) -> None:
        self._range = self._spent = None
        self._selections.clear()
        self._select_first(frame_index)
        self.opened.emit()
        self.taken_over.emit()
        self.selected.emit(self.selection)
        self.range_changed.emit()
        self.surveyed.emit()
        self.checked.emit()
        self.state_changed.emit()

    def _moved(self, change: Change, select: Callable[[], None] | None = None) -> None:
        super()._moved(change, select)
        found = self.findings
        # The file may have been rewritten; then the findings stay as they were told.
        with suppress(SourceChanged):
            found = updated_findings(self.findings, change.before, change.after, change.splices)
        if found != self.findings:
            self.findings = found
            self.checked.emit()
        self._surveying.begin()
        self.comparing.look()
        self.traffic.look()

    def fix_later(self, findings: Sequence[Finding]) -> Job:
        """Mend findings of one kind as a job, in one undo step; that it cannot be done is announced as a sentence.

        Raises `EditError` where nothing can be edited.
        """
        chosen = tuple(findings)
        return self.attempt_later("Mending", lambda snapshot, _progress: fix(snapshot, chosen))

    def _survey(self) -> None:
        """Read the paths of all actors and check the recording, as a job; an older result stays until it is through."""
        snapshot = self.snapshot
        if snapshot is None:
            return

        def work(progress: Progress) -> tuple[Trajectories, tuple[Finding, ...]]:
            paths = find_trajectories(snapshot, progress.part(0.0, 0.5))
            return paths, tuple(check(snapshot, progress.part(0.5, 1.0)))

        def done(result: tuple[Trajectories, tuple[Finding, ...]]) -> None:
            self.survey, self.findings = result
            self.surveyed.emit()
            self.checked.emit()

        self._surveying.run("Reading paths and checking", work, done)
