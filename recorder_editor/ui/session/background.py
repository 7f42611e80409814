"""What a job computes of the recording: the paths of its actors, their use of lanes, and its problems.

Computed again after edits, and with another road map."""

import math
from contextlib import suppress

import numpy as np
from PySide6.QtCore import QObject, Signal

from ...arrays import IntArray
from ...errors import SourceChanged
from ...progress import Progress
from ...reading import Life, Trajectories
from ...reading.lanes import LaneUse
from ...reading.trajectories import find_trajectories
from ...recording import Change, Finding
from ...texts import say
from .editing import Editing
from .jobs import LatestJob
from .state import SessionState


class Background(QObject):
    """Paths and problems of the newest state that a job has read.

    Attributes:
        trajectories: The paths; None until a job has read them.
        lane_use: None before that, and without a road map.
        findings: The problems.

    Signals:
        trajectories_changed(): The paths, or the use of lanes, are others.
        findings_changed(): The problems are others.
    """

    trajectories_changed = Signal()
    findings_changed = Signal()

    def __init__(self, state: SessionState, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self.trajectories: Trajectories | None = None
        self.lane_use: LaneUse | None = None
        self.findings: tuple[Finding, ...] = ()
        self._latest = LatestJob(self, state.jobs, self._start)
        editing.followed.connect(self._follow)
        state.lanes_changed.connect(self._change_roads)

    def begin(self) -> None:
        """Begin with the recording that is shown now."""
        self._latest.begin(opening=True)

    def stop(self) -> None:
        """Release the recording, without a signal."""
        self._latest.stop()
        self.trajectories = None
        self.lane_use = None
        self.findings = ()

    def lanes_of(self, life: Life) -> tuple[float, IntArray]:
        """Return how a life uses lanes.

        Returns:
            The share of its time off the road (0 to 1; NaN: unknown), and the frames (from 0) in which it is on another
            lane than before.
        """
        use = self.lane_use
        if use is None or life.index >= len(use.off_road):
            return math.nan, np.zeros(0, np.int64)
        return float(use.off_road[life.index]), use.changes_of(life.index)

    def _change_roads(self) -> None:
        if self.lane_use is not None:
            self.lane_use = None
            self.trajectories_changed.emit()
        if self._state.is_complete:
            self.begin()

    def _follow(self, change: Change) -> None:
        from ...checks import updated_findings

        findings = self.findings
        # The file may have been rewritten; then the findings stay as they were.
        with suppress(SourceChanged):
            findings = updated_findings(self.findings, change.before, change.after, change.splices)
        if findings != self.findings:
            self.findings = findings
            self.findings_changed.emit()
        self._latest.begin()

    def _start(self) -> None:
        """Read the paths of all actors and check the recording, as a job; the older result stays until it ends."""
        # The first picture does without. Not in the job: two threads that load a package could wait for each other.
        from ...checks import check

        snapshot = self._state.snapshot
        if snapshot is None:
            return
        current = self.trajectories
        if current is not None and current.version != snapshot.version:
            current = None

        def work(progress: Progress) -> tuple[Trajectories, LaneUse | None, tuple[Finding, ...]]:
            trajectories = current or find_trajectories(snapshot, progress.part(0.0, 0.5))
            lane_use = LaneUse.of(snapshot, progress.part(0.5, 0.6))
            findings = check(snapshot, progress.part(0.6, 1.0))
            return trajectories, lane_use, tuple(findings)

        def done(result: tuple[Trajectories, LaneUse | None, tuple[Finding, ...]]) -> None:
            self.trajectories, self.lane_use, self.findings = result
            self.trajectories_changed.emit()
            self.findings_changed.emit()

        self._latest.run(say("Reading paths and checking"), work, done)
