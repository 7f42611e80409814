"""The recording of a window as pictures of its scene are painted of it."""

from collections.abc import Callable

from ...formats.scene_options import SceneOptions
from ...progress import Progress
from ..panes.scene.painter import SceneSource
from ..session import Session


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
            options: The choices of the picture or video, which may need the analysis of traffic.

        Raises:
            EditError: Nothing is open.
        """
        session = self._session
        snapshot = session.snapshot_or_refuse()
        survey = session.background.trajectories
        if survey is not None and survey.version != snapshot.version:
            survey = None
        road_map = session.roads.map
        analysis = None
        if session.traffic.is_current:
            analysis = session.traffic.analysis

        def read(progress: Progress) -> SceneSource:
            source = self._source
            if source is None or source.snapshot is not snapshot:
                source = SceneSource.of(snapshot, road_map, survey, progress)
            self._source = source.for_options(options, analysis, progress)
            return self._source

        return read
