"""What a job finds out about the recording: the paths of its actors, what they do on lanes, and its problems.

Found again after edits, and with another road map."""

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
    """Paths and problems of the newest state that was looked at.

    Attributes: `trajectories` (None until the job is through), `lane_use` (None also without a road map), `findings`.
    Signals: `trajectories_changed` (these, or the use of lanes), `findings_changed`.
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
        """Look at the recording that is shown now."""
        self._latest.begin(opening=True)

    def stop(self) -> None:
        """Let go of the recording; tells nobody."""
        self._latest.stop()
        self.trajectories = None
        self.lane_use = None
        self.findings = ()

    def lanes_of(self, life: Life) -> tuple[float, IntArray]:
        """The share of a life's time off the road (NaN: unknown), and the frames in which it is on another lane."""
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
        # The first picture does without. Not in the job: two threads that load a package could wait for each other.
        from ...checks import check

        snapshot = self._state.snapshot
        if snapshot is None:
            return
        known = self.trajectories
        if known is not None and known.version != snapshot.version:
            known = None

        def work(progress: Progress) -> tuple[Trajectories, LaneUse | None, tuple[Finding, ...]]:
            paths = known or find_trajectories(snapshot, progress.part(0.0, 0.5))
            use = LaneUse.of(snapshot, progress.part(0.5, 0.6))
            return paths, use, tuple(check(snapshot, progress.part(0.6, 1.0)))

        def done(result: tuple[Trajectories, LaneUse | None, tuple[Finding, ...]]) -> None:
            self.trajectories, self.lane_use, self.findings = result
            self.trajectories_changed.emit()
            self.findings_changed.emit()

        self._latest.run(say("Reading paths and checking"), work, done)
