"""The lane at a place of the scene: the text about it, and where an actor stands on it."""

import math

import numpy as np

from ..arrays import FloatArray
from ..reading import Ghost
from ..roads import DRIVABLE, LANE_TYPES, RoadMap
from ..texts import listed, say
from .frame_actors import FrameActors, Kind
from .units import Units


def ghost_place(actors: FrameActors, ghost: Ghost) -> FloatArray | None:
    """Return where a shifted actor is, at its own height: m, float64[3]; None for one that is not in the frame."""
    index = actors.index_of(ghost.actor)
    if index is None:
        return None
    return np.array([actors.x[index] + ghost.dx, actors.y[index] + ghost.dy, actors.z[index] + ghost.dz])


def lane_text(road_map: RoadMap, place: FloatArray, units: Units | None = None) -> str:
    """Return the text about the lane at a place.

    Args:
        road_map: Road map.
        place: x, y, z, m.
        units: Units in which quantities are shown; None: road and lane only.

    Returns:
        `road 8, lane 1`, with units also `122.6 m, driving, limit 30 km/h`; empty where there is no lane.
    """
    match = road_map.locate(place, None, 0.0)[0]
    if match["lane"] < 0:
        return ""
    lane = road_map.lanes[match["lane"]]
    texts = [say("road {road_id}, lane {lane_id}", road_id=lane["road_id"], lane_id=lane["lane_id"])]
    if units is not None:
        texts.append(units.text(float(match["s"]), "m", 1))
        texts.append(LANE_TYPES[lane["type"]])
        limit = float(lane["speed_limit"])
        if math.isfinite(limit):
            # Limits are not read in m/s, unless that was chosen.
            if units.unit("m/s") == "m/s" and units.speed != "m/s":
                units = units._replace(speed="km/h")
            texts.append(say("limit {short}", short=units.short(limit, "m/s")))
    return listed(texts, "clauses")


def moved_to_lane(road_map: RoadMap, actors: FrameActors, ghost: Ghost) -> Ghost:
    """Move a shifted actor to the middle of the nearest lane, as high above it as before, with the lane's heading.

    Walkers stand on lanes of any type, other actors on those for vehicles.

    Args:
        road_map: Road map.
        actors: Actors of the frame.
        ghost: The actor and its shift.

    Returns:
        The new shift; the same one without a lane within 10 m, or for an actor that is not in the frame.
    """
    before = ghost_place(actors, Ghost(ghost.actor))
    target = ghost_place(actors, ghost)
    index = actors.index_of(ghost.actor)
    if before is None or target is None or index is None:
        return ghost
    types = None if actors.kind[index] == Kind.WALKER else DRIVABLE
    matches = road_map.locate([before, target], types)
    was_on_lane = matches["lane"][0] >= 0
    if matches["lane"][1] < 0:
        return ghost
    left, middle = road_map.lane_points(matches["lane"], matches["s"])
    rise = 0.0
    if was_on_lane:
        rise = float(middle["z"] - left["z"])
    turn = float(middle["heading_deg"]) - math.degrees(float(actors.yaw[index]))
    return Ghost(
        ghost.actor,
        dx=float(middle["x"] - before[0]),
        dy=float(middle["y"] - before[1]),
        turn=(turn + 180.0) % 360.0 - 180.0,
        dz=rise,
    )
