"""The recording of a window as pictures of its scene are painted of it, and the analysis that their colours need."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from ...formats.scene_options import SceneOptions
from ...progress import Progress
from ...recording import Snapshot
from ..panes.scene.coloring import NEEDS_ANALYSIS
from ..panes.scene.painter import SceneSource
from ..session import Session

if TYPE_CHECKING:
    from ...analysis import Analysis


class Analyse(Protocol):
    """What analyses the traffic of a recording, as `analysis.of_recording`."""

    def __call__(self, snapshot: Snapshot, /, *, progress: Progress) -> "Analysis":
        """Return the analysis of a state."""


def analyser(options: SceneOptions) -> Analyse | None:
    """Return what analyses the traffic where the colours of a picture need it; in the thread of the application."""
    if options.color not in NEEDS_ANALYSIS:
        return None
    from ...analysis import of_recording  # most pictures do without

    return of_recording


def with_analysis(source: SceneSource, analyse: Analyse | None, progress: Progress) -> SceneSource:
    """Return the same with the analysis of traffic, where that is needed and is not there.

    Raises:
        LibraryMissing: A package of the analysis is not installed.
        Cancelled: The user stopped it.
    """
    if analyse is None or source.analysis is not None:
        return source
    return replace(source, analysis=analyse(source.snapshot, progress=progress))


class WindowScene:
    """Reads what pictures of a window's recording need, once for all of one state."""

    def __init__(self, session: Session) -> None:
        """Make it, and read nothing yet.

        Args:
            session: The session of the window.
        """
        self._session = session
        self._source: SceneSource | None = None

    def reading(self, options: SceneOptions) -> Callable[[Progress], SceneSource]:
        """Return what reads the present state, for a thread.

        Args:
            options: The choices of the picture or video.

        Raises:
            EditError: Nothing is open.
        """
        session = self._session
        snapshot = session.snapshot_or_refuse()
        survey = session.background.trajectories
        if survey is not None and survey.version != snapshot.version:
            survey = None
        road_map = session.roads.map
        analyse = analyser(options)
        analysis = None
        if analyse is not None and session.traffic.is_current:
            analysis = session.traffic.analysis

        def read(progress: Progress) -> SceneSource:
            source = self._source
            if source is None or source.snapshot is not snapshot:
                source = SceneSource.of(snapshot, road_map, survey, progress)
            if analysis is not None:
                source = replace(source, analysis=analysis)
            self._source = with_analysis(source, analyse, progress)
            return self._source

        return read
