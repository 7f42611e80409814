"""Traffic analysis of the open recording: computed on request, as a job, and again after edits.

Knows what is requested, not how it is shown.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ...errors import RecorderError
from ...progress import Progress
from ...texts import say
from .editing import Editing
from .jobs import LatestJob
from .state import SessionState

if TYPE_CHECKING:
    from ...analysis import Analysis


class Traffic(QObject):
    """Which vehicle follows which, and how near each pair comes to a collision.

    Attributes:
        analysis: Of the newest state that was analysed; None before.
        reason: Why there is none.
        is_shown: Risks are shown on the timeline, and leaders in the scene.

    Signals:
        changed(): Any of them has another value.
    """

    changed = Signal()

    def __init__(self, state: SessionState, editing: Editing) -> None:
        super().__init__(state)
        self._state = state
        self.analysis: Analysis | None = None
        self.reason = ""
        self.is_shown = False
        self._is_wanted = False
        self._installed: dict[str, bool] = {}
        self._latest = LatestJob(self, state.jobs, self._start)
        editing.followed.connect(self.update)
        state.lanes_changed.connect(self.update)

    def lacks(self, *packages: str) -> str:
        """Return a sentence that names a package to install for an analysis.

        Args:
            packages: Packages that are needed besides those of the analysis itself.

        Returns:
            An empty text where all are installed.
        """
        for package in ("scipy", *packages):
            # Remembered, since every refresh of the actions calls this and looking for a package reads folders.
            if package not in self._installed:
                self._installed[package] = find_spec(package) is not None
            if not self._installed[package]:
                from ...analysis.libraries import library_missing

                return library_missing(package).message
        return ""

    @property
    def is_current(self) -> bool:
        """Whether the analysis is that of the state that is shown."""
        snapshot = self._state.snapshot
        if self.analysis is None or snapshot is None:
            return False
        return self.analysis.snapshot.version == snapshot.version and self.analysis.roads is snapshot.roads

    @property
    def shown(self) -> "Analysis | None":
        """The analysis, or None where risks and leaders are not to be shown."""
        if self.is_shown:
            return self.analysis
        return None

    def show(self, on: bool) -> None:
        """Show risks and leaders, or hide them."""
        if on != self.is_shown:
            self.is_shown = on
            self.changed.emit()
        if on:
            self.request()

    def request(self) -> None:
        """Request an analysis, now and after each edit from now on."""
        self._is_wanted = True
        self.update(at_once=True)

    def update(self, *, at_once: bool = False) -> None:
        """Analyse again where that was requested and the analysis is not of the state that is shown.

        Args:
            at_once: Start now, unless a request is pending; False: when no edit has followed for a moment.
        """
        if not self._is_wanted or not self._state.is_complete or self.is_current:
            return
        if not at_once:
            self._latest.begin()
        elif not self._latest.is_pending:
            self._start()

    def stop(self) -> None:
        """Release the recording and forget pending requests; the display switch is kept."""
        self._latest.stop()
        had_analysis = self.analysis is not None
        self.analysis = None
        self.reason = ""
        self._is_wanted = self.is_shown
        if had_analysis:
            self.changed.emit()

    def _start(self) -> None:
        # Loaded on the first request: the window starts without.
        from ...analysis import LibraryMissing, of_recording

        snapshot = self._state.snapshot
        if snapshot is None:
            return
        lacking = self.lacks()
        if lacking:
            self._fail(LibraryMissing(lacking))
            return

        def work(progress: Progress) -> "Analysis":
            analysis = of_recording(snapshot, progress=progress)
            _ = analysis.least_ttc  # computed here: the window draws it, and must not wait for it
            return analysis

        def done(analysis: "Analysis") -> None:
            self.analysis = analysis
            self.reason = ""
            self.changed.emit()

        self._latest.run(say("Analysing traffic"), work=work, done=done, failed=self._fail, quiet=False)

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, RecorderError):
            self._state.jobs.failed.emit(error)
        self.analysis = None
        self.reason = str(error)
        self.changed.emit()
