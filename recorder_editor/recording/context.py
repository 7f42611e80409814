"""The context of a recording, which is not in its file: the road map under it, notes, packets of users."""

from dataclasses import dataclass, field
from pathlib import Path

from ..roads import RoadMap
from .note import Note
from .packet_search import FoundPackets


@dataclass
class Context:
    """Data from outside the file. All states of a recording share one object, which the code that opens it fills.

    Attributes:
        road_map: The map under the recording, or None.
        road_file: The file that the map was read from, or None.
        notes: The notes of the state that is shown.
        packets: The files that describe packets of users.
    """

    road_map: RoadMap | None = None
    road_file: Path | None = None
    notes: tuple[Note, ...] = ()
    packets: FoundPackets = field(default_factory=FoundPackets)

    def use_road_map(self, road_map: RoadMap | None, file: Path | None = None) -> None:
        """Put the recording on a road map.

        Args:
            road_map: The map; None: none.
            file: The file that it was read from.
        """
        self.road_map = road_map
        self.road_file = file
