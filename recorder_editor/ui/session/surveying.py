"""What a job finds out beside the window: the paths of all actors, and what is wrong.

Knows snapshots, not what is selected or shown.
"""

from collections.abc import Callable

from ...checks import check
from ...progress import Progress
from ...recording.findings import Finding
from ...recording.snapshot import Snapshot
from ...recording.trajectories import Trajectories, find_trajectories
from ..jobs import Job, Jobs
from ..rest import Rest

_SECONDS_TO_STOP = 5.0
_Findings = tuple[Finding, ...]


class Surveyor:
    """Looks at the newest snapshot it was given, when edits have come to rest; tells `found(survey, findings)`."""

    def __init__(self, jobs: Jobs, found: Callable[[Trajectories, _Findings], None]) -> None:
        self._jobs = jobs
        self._found = found
        self._snapshot: Snapshot | None = None
        self._job: Job | None = None
        self._rest = Rest(jobs, self._start)

    def look(self, snapshot: Snapshot, *, at_once: bool = False) -> None:
        """Find out about this one; what is found about an older one is told while it is looked for."""
        self._snapshot = snapshot
        self._rest.begin(at_once=at_once)

    def stop(self) -> None:
        """Let go of the snapshot: what it reads from is about to be closed."""
        self._rest.stop()
        self._snapshot = None
        if self._job is not None:
            self._job.cancel()
            self._job.wait(_SECONDS_TO_STOP)
            self._job = None

    def _start(self) -> None:
        if self._job is not None:
            self._job.cancel()
        snapshot = self._snapshot
        if snapshot is None:
            return

        def work(progress: Progress) -> tuple[Trajectories, _Findings]:
            paths = find_trajectories(snapshot, progress.part(0.0, 0.5))
            findings = tuple(check(snapshot, progress.part(0.5, 1.0)))
            return paths, findings

        def through(result: tuple[Trajectories, _Findings]) -> None:
            self._job = None
            self._found(*result)

        self._job = self._jobs.start("Reading paths and checking", work, through, quiet=True)
