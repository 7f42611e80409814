"""Events on the lanes of a road map: lane changes, wrong way, off the road."""

import numpy as np

from ...arrays import StructuredArray
from ..lanes import OFF_ROAD, WRONG_WAY, LaneUse
from ..road_users import RoadUsers
from .kinds import EventName
from .stretches import STRETCH

_SHORTEST = 0.5  # s
_KINDS: tuple[tuple[EventName, int], ...] = (("wrong-way", WRONG_WAY), ("off-road", OFF_ROAD))


def on_lanes(use: LaneUse, users: RoadUsers) -> dict[EventName, StructuredArray]:
    """Return the events on lanes by kind: dtype `STRETCH`.

    Args:
        use: What the lives do on the lanes.
        users: The road users, for their places.
    """
    found: dict[EventName, StructuredArray] = {}
    for name, kind in _KINDS:
        chosen = use.stretches[(use.stretches["kind"] == kind) & (use.stretches["seconds"] >= _SHORTEST)]
        table = np.zeros(len(chosen), STRETCH)
        table["life"] = chosen["life"]
        table["first"] = chosen["first"]
        table["last"] = chosen["last"]
        table["worst"] = chosen["first"]
        table["value"] = chosen["seconds"]
        found[name] = _placed(table, users)
    changes = np.zeros(len(use.changes), STRETCH)
    changes["life"] = use.changes["life"]
    for column in ("first", "last", "worst"):
        changes[column] = use.changes["frame"]
    found["lane-change"] = _placed(changes, users, with_speed=True)
    return found


def _placed(table: StructuredArray, users: RoadUsers, *, with_speed: bool = False) -> StructuredArray:
    """Set `other`, the place and, if asked for, the speed as the value."""
    rows = users.find(table["life"], table["worst"])
    table["other"] = -1
    table["x"] = rows["x"]
    table["y"] = rows["y"]
    if with_speed:
        table["value"] = np.hypot(rows["vx"], rows["vy"])
    return table
