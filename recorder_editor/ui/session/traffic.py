"""Traffic analysis of the open recording: made when somebody wants it, as a job, and again after edits.

Knows what is asked for, not how it is shown.
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
    """Who follows whom, and how near it comes to a collision.

    Attributes: `analysis` (of the newest state that was looked at; None before), `reason` (why there is none),
    `is_shown` (risks on the timeline, leaders in the scene). Signal: `changed` (any of them is another).
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
        editing.followed.connect(self.look)
        state.lanes_changed.connect(self.look)

    def lacks(self, *packages: str) -> str:
        """A sentence what is to be installed for these packages and the analysis; empty where all is there."""
        for package in ("scipy", *packages):
            # Asked with every refresh of the actions, and looking for one reads folders.
            if package not in self._installed:
                self._installed[package] = find_spec(package) is not None
            if not self._installed[package]:
                from ...analysis.libraries import library_missing

                return library_missing(package).message
        return ""

    @property
    def is_current(self) -> bool:
        """The analysis is that of the state that is shown."""
        snapshot = self._state.snapshot
        if self.analysis is None or snapshot is None:
            return False
        return self.analysis.snapshot.version == snapshot.version and self.analysis.roads is snapshot.roads

    @property
    def shown(self) -> "Analysis | None":
        """The analysis, where risks and leaders are to be shown."""
        if self.is_shown:
            return self.analysis
        return None

    def show(self, on: bool) -> None:
        """Show risks and leaders, or do not."""
        if on != self.is_shown:
            self.is_shown = on
            self.changed.emit()
        if on:
            self.want()

    def want(self) -> None:
        """Have an analysis from now on."""
        self._is_wanted = True
        self.look(at_once=True)

    def look(self, *, at_once: bool = False) -> None:
        """Analyse again when edits have come to rest, if somebody wants it and there was one since."""
        if self._is_wanted and self._state.is_complete and not self.is_current:
            if not at_once:
                self._latest.begin()
            elif not self._latest.is_pending:
                self._start()

    def stop(self) -> None:
        """Release the recording and forget pending requests; the display switch is kept."""
        self._latest.stop()
        had = self.analysis is not None
        self.analysis = None
        self.reason = ""
        self._is_wanted = self.is_shown
        if had:
            self.changed.emit()

    def _start(self) -> None:
        # Loaded when somebody asks for it: the window starts without.
        from ...analysis import LibraryMissing, of_recording

        snapshot = self._state.snapshot
        if snapshot is None:
            return
        lacking = self.lacks()
        if lacking:
            self._refuse(LibraryMissing(lacking))
            return

        def work(progress: Progress) -> "Analysis":
            found = of_recording(snapshot, progress=progress)
            _ = found.least_ttc  # the window, which draws it, must not wait for it
            return found

        def done(found: "Analysis") -> None:
            self.analysis = found
            self.reason = ""
            self.changed.emit()

        self._latest.run(say("Analysing traffic"), work, done, self._refuse, quiet=False)

    def _refuse(self, error: Exception) -> None:
        if not isinstance(error, RecorderError):
            self._state.jobs.failed.emit(error)
        self.analysis = None
        self.reason = str(error)
        self.changed.emit()
