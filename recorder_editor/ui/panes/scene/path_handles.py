"""What of a path with keys can be dragged in the scene, where it is on the screen, and what becomes of the path."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF

from ....arrays import IndexArray
from .camera import Camera
from .gestures import Part

if TYPE_CHECKING:
    from ....edits.paths.keyed import KeyedPath

_BESIDE = 26.0
"""Pixels from a key to the handle of its time."""

_SHORTEST = 8.0  # pixels of a tangent that can be taken hold of
_REACH = 7.0  # px around a handle


class PathHandle(NamedTuple):
    """Something to drag.

    Attributes:
        part: What of the key it is.
        key: Index of the key.
        point: Where it is, px.
    """

    part: Part
    key: int
    point: QPointF


def handles_of(path: "KeyedPath", chosen: int, camera: Camera) -> list[PathHandle]:
    """Return the handles of the chosen key, then those of all keys themselves."""
    points = [camera.point(x, y) for x, y in path.values[:, 0].tolist()]
    handles = []
    here = points[chosen]
    tangent = path.values[chosen, 1]
    size = max(float(np.hypot(*tangent)), 1e-9)
    x, y = (tangent / size).tolist()
    ahead = camera.point(camera.x + x / camera.scale, camera.y + y / camera.scale) - camera.pane.center()
    sides: tuple[tuple[Part, int], ...] = (("out", 1), ("in", -1))
    for part, side in sides:
        reach = _reach(path, chosen, side) * size * camera.scale
        if abs(reach) >= _SHORTEST:
            handles.append(PathHandle(part, chosen, here + ahead * reach))
    if 0 < chosen < len(points) - 1:
        handles.append(PathHandle("time", chosen, here + QPointF(ahead.y(), -ahead.x()) * _BESIDE))
    for key, point in enumerate(points):
        handles.append(PathHandle("point", key, point))
    return handles


def handle_at(handles: list[PathHandle], point: QPointF) -> PathHandle | None:
    """Return the handle under a point, of several the nearest; None for none."""

    def distance(handle: PathHandle) -> float:
        return QLineF(handle.point, point).length()

    near = [handle for handle in handles if distance(handle) <= _REACH]
    return min(near, key=distance, default=None)


def moment_on_path(path: "KeyedPath", camera: Camera, point: QPointF) -> float | None:
    """Return when the actor is at a point of its path, s; None beside it."""
    nearest, distance = _nearest(path, np.arange(len(path.way)), camera.world(point))
    if distance * camera.scale <= _REACH:
        return float(path.recorded.times[nearest])
    return None


def dragged(handle: PathHandle, place: tuple[float, float], path: "KeyedPath") -> "KeyedPath":
    """Return the path after a handle was dragged.

    A tangent is turned and stretched without another speed. A key with its time dragged along the path is passed as
    much earlier as the actor comes to that place later.

    Args:
        handle: What was dragged.
        place: Where it was dragged to, m.
        path: The path before.

    Raises:
        EditError: The path cannot be so.
    """
    key = handle.key
    here, tangent, _ = path.values[key]
    if handle.part == "point":
        return path.with_key(key, point=place)
    if handle.part != "time":
        if handle.part == "out":
            reach = _reach(path, key, 1)
        else:
            reach = _reach(path, key, -1)
        turned = (np.array(place) - here) / reach
        share = np.hypot(*tangent) / max(float(np.hypot(*turned)), 1e-9)  # of the length before, which keeps the speed
        return path.with_key(key, tangent=turned, pace=path.keys["pace"][key] * share)
    before, time, after = path.keys["time"][key - 1 : key + 2].tolist()
    times = path.recorded.times
    nearest, _ = _nearest(path, np.flatnonzero((times >= before) & (times <= after)), place)
    return path.with_key(key, time=path.time_within(key, 2 * time - float(times[nearest])))


def _reach(path: "KeyedPath", key: int, side: int) -> float:
    """Return how far along the recorded path the end of a tangent is, m: a third of the way to the next key."""
    neighbour = min(max(key + side, 0), len(path.keys) - 1)
    return float(path.distance[neighbour] - path.distance[key]) / 3


def _nearest(path: "KeyedPath", among: IndexArray, place: tuple[float, float]) -> tuple[int, float]:
    """Return which of these points of a path is nearest to a place (m), and its distance, m."""
    offsets = path.way[among, :2] - place
    distances = np.hypot(offsets[:, 0], offsets[:, 1])
    return int(among[np.argmin(distances)]), float(distances.min())
