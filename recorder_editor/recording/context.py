"""The context of a recording, which is not in its file: the road map under it, and the notes."""

from dataclasses import dataclass
from pathlib import Path

from ..roads import RoadMap
from .note import Note


@dataclass
class Context:
    """Data from outside the file. All states of a recording share one object, which the code that opens it fills.

    Attributes:
        road_map: The map under the recording, or None.
        road_file: The file that the map was read from, or None.
        notes: The notes of the state that is shown.
    """

    road_map: RoadMap | None = None
    road_file: Path | None = None
    notes: tuple[Note, ...] = ()

    def use_road_map(self, road_map: RoadMap | None, file: Path | None = None) -> None:
        """Put the recording on a road map.

        Args:
            road_map: The map; None: none.
            file: The file that it was read from.
        """
        self.road_map = road_map
        self.road_file = file
