"""The recording of a window as pictures of its scene are painted of it."""

from collections.abc import Callable

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

    def reading(self) -> Callable[[Progress], SceneSource]:
        """Return what reads the present state, for a thread.

        Raises:
            EditError: Nothing is open.
        """
        session = self._session
        snapshot = session.snapshot_or_refuse()
        survey = session.background.trajectories
        if survey is not None and survey.version != snapshot.version:
            survey = None
        road_map = session.roads.map

        def read(progress: Progress) -> SceneSource:
            source = self._source
            if source is None or source.snapshot is not snapshot:
                source = SceneSource.of(snapshot, road_map, survey, progress)
                self._source = source
            return source

        return read
