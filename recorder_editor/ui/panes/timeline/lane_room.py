"""Which timeline lanes have room, and how high they are. Numbers, no widget.

The rows of actors give way first, down to one; then lanes go from the bottom, those that are told elsewhere first.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from .timeline_lanes import TimelineLane


class LaneRoom(NamedTuple):
    """The room below the ruler; heights in pixels, each with the line below it.

    Attributes:
        height: All of it.
        tall: Height of a lane where all have room.
        low: Least height of a lane.
        tall_heading: Height of the line that names the actors, above it tall lanes.
        low_heading: The same, above it low lanes.
        life: Height of the row of an actor.
        fewest: So many actors have rows before lanes that are told elsewhere have room.
        foot: Height of the line that names the lanes without room.
    """

    height: int
    tall: int
    low: int
    tall_heading: int
    low_heading: int
    life: int
    fewest: int
    foot: int

    def rows(self, lanes: int, *, is_tall: bool = False, has_foot: bool = False) -> int:
        """Return how many actors have room below so many lanes; negative where not even their heading has."""
        room = self.height
        if is_tall:
            room -= lanes * self.tall + self.tall_heading
        else:
            room -= lanes * self.low + self.low_heading
        if has_foot:
            room -= self.foot
        return room // self.life


class LaneFit(NamedTuple):
    """The timeline lanes that have room.

    Attributes:
        shown: These lanes, from above.
        hidden: Those that have none, from above.
        is_tall: Whether lanes have more than their least height.
        has_foot: Whether the line that names the hidden ones has room.
        lacks: So many pixels more give room to all.
    """

    shown: tuple[TimelineLane, ...]
    hidden: tuple[TimelineLane, ...] = ()
    is_tall: bool = False
    has_foot: bool = False
    lacks: int = 0


def fit_lanes(lanes: Sequence[TimelineLane], room: LaneRoom, minor: Collection[str]) -> LaneFit:
    """Return which timeline lanes have room.

    Args:
        lanes: Those that are wanted, from above.
        room: The room.
        minor: The names of those that are told elsewhere, too.
    """
    count = len(lanes)
    least = min(1, room.fewest)
    if room.rows(count, is_tall=True) >= room.fewest:
        return LaneFit(tuple(lanes), is_tall=True)
    major = [lane for lane in lanes if lane.name not in minor]
    fewest = room.fewest
    if len(major) == count:
        fewest = least
    if room.rows(count) >= fewest:
        return LaneFit(tuple(lanes))
    lacks = count * room.low + room.low_heading + fewest * room.life - room.height
    from_the_bottom = [lane for lane in reversed(lanes) if lane.name in minor] + major[::-1]
    hidden: list[TimelineLane] = []
    for lane in from_the_bottom:
        hidden.append(lane)
        rows = least if len(hidden) >= count - len(major) else room.fewest
        if room.rows(count - len(hidden), has_foot=True) >= rows:
            break
    has_foot = room.rows(count - len(hidden), has_foot=True) >= least
    return LaneFit(
        shown=tuple(lane for lane in lanes if lane not in hidden),
        hidden=tuple(lane for lane in lanes if lane in hidden),
        has_foot=has_foot,
        lacks=lacks,
    )
