"""What a job finds out about the recording: the paths of its actors, and its problems. Found again after edits."""

from contextlib import suppress

from PySide6.QtCore import QObject, Signal

from ...errors import SourceChanged
from ...progress import Progress
from ...recording.findings import Finding
from ...recording.recording import Change
from ...recording.trajectories import Trajectories, find_trajectories
from ..latest_job import LatestJob
from .editing import Editing
from .state import SessionState


class Background(QObject):
    """Paths and problems of the newest state that was looked at.

    Attributes: `trajectories` (None until the job is through), `findings`. Signals: `trajectories_changed`,
    `findings_changed`.
    """

    trajectories_changed = Signal()
    findings_changed = Signal()

    def __init__(self, state: SessionState, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self.trajectories: Trajectories | None = None
        self.findings: tuple[Finding, ...] = ()
        self._latest = LatestJob(self, state.jobs, self._start)
        editing.followed.connect(self._follow)

    def begin(self) -> None:
        """Look at the recording that is shown now."""
        self._latest.begin(opening=True)

    def stop(self) -> None:
        """Let go of the recording; tells nobody."""
        self._latest.stop()
        self.trajectories, self.findings = None, ()

    def _follow(self, change: Change) -> None:
        from ...checks import updated_findings

        found = self.findings
        # The file may have been rewritten; then the findings stay as they were told.
        with suppress(SourceChanged):
            found = updated_findings(self.findings, change.before, change.after, change.splices)
        if found != self.findings:
            self.findings = found
            self.findings_changed.emit()
        self._latest.begin()

    def _start(self) -> None:
        """Read the paths of all actors and check the recording, as a job; an older result stays until it is through."""
        snapshot = self._state.snapshot
        if snapshot is None:
            return

        def work(progress: Progress) -> tuple[Trajectories, tuple[Finding, ...]]:
            # Loaded in the job: the first picture does without.
            from ...checks import check

            paths = find_trajectories(snapshot, progress.part(0.0, 0.5))
            return paths, tuple(check(snapshot, progress.part(0.5, 1.0)))

        def done(result: tuple[Trajectories, tuple[Finding, ...]]) -> None:
            self.trajectories, self.findings = result
            self.trajectories_changed.emit()
            self.findings_changed.emit()

        self._latest.run("Reading paths and checking", work, done)
