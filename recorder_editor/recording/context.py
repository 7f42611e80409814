"""What is known of a recording from beside its file: the road map under it, and the notes that people took."""

from dataclasses import dataclass
from pathlib import Path

from ..roads import RoadMap
from .note import Note


@dataclass
class Context:
    """What is handed in from outside; all states of a recording share one, and whoever opens it fills it.

    Attributes:
        road_map: The map under the recording, or None.
        road_file: The file that the map was read from, or None.
        notes: The notes of the state that is shown.
    """

    road_map: RoadMap | None = None
    road_file: Path | None = None
    notes: tuple[Note, ...] = ()

    def use_road_map(self, road_map: RoadMap | None, file: Path | None = None) -> None:
        """Put the recording on a road map, which was read from a file; None: on none."""
        self.road_map = road_map
        self.road_file = file
