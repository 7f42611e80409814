"""The lane at a place of the scene: its words, and where an actor stands on it."""

import math

import numpy as np

from ..arrays import FloatArray
from ..reading import Ghost
from ..roads import DRIVABLE, LANE_TYPES, RoadMap
from ..texts import listed, say
from .frame_actors import FrameActors, Kind
from .units import Units


def place_of(actors: FrameActors, ghost: Ghost) -> FloatArray | None:
    """Where a shifted actor is at its own height, m, float64[3]; None for one that is not in the frame."""
    index = actors.index_of(ghost.actor)
    if index is None:
        return None
    return np.array([actors.x[index] + ghost.dx, actors.y[index] + ghost.dy, actors.z[index] + ghost.dz])


def lane_words(road_map: RoadMap, place: FloatArray, units: Units | None = None) -> str:
    """The lane that holds a place (m): `road 8, lane 1`, with units also `, 122.6 m, driving, limit 30 km/h`."""
    found = road_map.locate(place, None, 0.0)[0]
    if found["lane"] < 0:
        return ""
    lane = road_map.lanes[found["lane"]]
    words = [say("road {road_id}, lane {lane_id}", road_id=lane["road_id"], lane_id=lane["lane_id"])]
    limit = float(lane["speed_limit"])
    if units is not None:
        words += [units.text(float(found["s"]), "m", 1), LANE_TYPES[lane["type"]]]
    if units is not None and math.isfinite(limit):
        # Nobody reads limits in m/s, unless that was chosen.
        is_chosen = units.unit("m/s") != "m/s" or units.speed == "m/s"
        if is_chosen:
            shown = units
        else:
            shown = units._replace(speed="km/h")
        words.append(say("limit {short}", short=shown.short(limit, "m/s")))
    return listed(words, "clauses")


def on_lane(road_map: RoadMap, actors: FrameActors, ghost: Ghost) -> Ghost:
    """An actor in the middle of the lane that is nearest to where it would be, as high above it as before, with its
    heading.

    Walkers stand on lanes of any type, everybody else on those for vehicles; without one within 10 m nothing changes.
    """
    before = place_of(actors, Ghost(ghost.actor))
    there = place_of(actors, ghost)
    index = actors.index_of(ghost.actor)
    if before is None or there is None or index is None:
        return ghost
    types = None if actors.kind[index] == Kind.WALKER else DRIVABLE
    found = road_map.locate([before, there], types)
    if found["lane"][1] < 0:
        return ghost
    left, middle = road_map.lane_points(found["lane"], found["s"])
    x, y, rise = (float(middle[name] - each) for name, each in zip("xyz", (*before[:2], left["z"]), strict=True))
    turn = float(middle["heading_deg"]) - math.degrees(float(actors.yaw[index]))
    return Ghost(ghost.actor, x, y, (turn + 180.0) % 360.0 - 180.0, rise if found["lane"][0] >= 0 else 0.0)
