"""Which part of the world the scene shows of a recording that was just opened. Knows no session and no widget."""

import numpy as np
import numpy.typing as npt

from ...recording.snapshot import Snapshot
from ...recording.trajectories import Trajectories, Trajectory
from .camera import FAR, Camera, around, is_placed, near_road_users
from .frame_actors import FrameActors, Mask

_SECONDS = 10.0
"""How much of the ways ahead is seen."""

_CARS_FROM = 1.0
"""Pixels a metre from which cars are more than specks."""

_SHORTEST = 1.0
"""Metres that a way has at least."""

_ROAD_USERS = ("vehicle", "two-wheeler", "walker")


def opening_of(
    camera: Camera, actors: FrameActors, snapshot: Snapshot, survey: Trajectories, begin: int
) -> Camera | None:
    """See the road users of the frame `begin` and their ways of the next seconds; the hero's where that is too wide.

    None without any.
    """
    end = snapshot.frame_at_time(float(snapshot.elapsed[begin]) + _SECONDS)

    ways = [way for way in survey.trajectories if way.life is not None and way.life.class_ in _ROAD_USERS]

    def fitted(chosen: Mask, ways: list[Trajectory]) -> Camera | None:
        box = around(actors.x[chosen], actors.y[chosen])
        if box is None or not ways:
            return None
        points = np.concatenate([_driven(way, begin, end) for way in ways])
        points = points[np.hypot(points["x"] - box.center().x(), points["y"] - box.center().y()) < FAR]
        return camera.fitted(box.united(around(points["x"], points["y"]) or box))

    found = fitted(near_road_users(actors), ways)
    if found is not None and found.scale < _CARS_FROM:
        heroes = [way for way in ways if way.life is not None and way.life.is_hero]
        found = fitted(actors.hero & is_placed(actors), heroes) or found
    return found


def _driven(way: Trajectory, begin: int, end: int) -> npt.NDArray[np.void]:
    """The points of a way in those frames; none of who stands."""
    points: npt.NDArray[np.void] = way.path[(way.path["frame"] >= begin) & (way.path["frame"] <= end)]
    points = points[np.isfinite(points["x"])]
    moves = len(points) > 1 and np.hypot(np.ptp(points["x"]), np.ptp(points["y"])) > _SHORTEST
    return points if moves else points[:0]
