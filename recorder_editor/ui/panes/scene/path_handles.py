"""What of a path with keys can be dragged in the scene, where it is on the screen, and what becomes of the path."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF

from ....arrays import IndexArray
from ....texts import N_
from .camera import Camera

if TYPE_CHECKING:
    from ....edits.paths.keyed import KeyedPath

Part = Literal["point", "in", "out", "time"]
"""A key itself, the ends of its tangent, and when the actor is there."""

HINTS: Mapping[Part, str] = {
    "point": N_("A key: drag it to another place; Del removes it"),
    "in": N_("Drag to turn and stretch the path at this key"),
    "out": N_("Drag to turn and stretch the path at this key"),
    "time": N_("Drag along the path to be here earlier or later"),
}

_BESIDE = 26.0
"""Pixels from a key to the handle of its time."""

_SHORTEST = 8.0  # pixels of a tangent that can be taken hold of
_REACH = 7.0


class PathHandle(NamedTuple):
    """Something to drag: the `part` of a `key`, and where it is, px."""

    part: Part
    key: int
    point: QPointF


def handles_of(path: "KeyedPath", chosen: int, camera: Camera) -> list[PathHandle]:
    """Those of the chosen key, then all keys."""
    points = []
    for place in path.values[:, 0].tolist():
        points.append(camera.point(*place))
    found = []
    here = points[chosen]
    tangent = path.values[chosen, 1]
    size = max(float(np.hypot(*tangent)), 1e-9)
    x, y = (tangent / size).tolist()
    ahead = camera.point(camera.x + x / camera.scale, camera.y + y / camera.scale) - camera.pane.center()
    sides: tuple[tuple[Part, int], ...] = (("out", 1), ("in", -1))
    for part, side in sides:
        reach = _reach(path, chosen, side) * size * camera.scale
        if abs(reach) >= _SHORTEST:
            found.append(PathHandle(part, chosen, here + ahead * reach))
    if 0 < chosen < len(points) - 1:
        found.append(PathHandle("time", chosen, here + QPointF(ahead.y(), -ahead.x()) * _BESIDE))
    return [*found, *(PathHandle("point", key, point) for key, point in enumerate(points))]


def handle_at(handles: list[PathHandle], point: QPointF) -> PathHandle | None:
    """The handle under a point; of several the nearest."""
    near = [each for each in handles if QLineF(each.point, point).length() <= _REACH]
    return min(near, key=lambda each: QLineF(each.point, point).length(), default=None)


def moment_on_path(path: "KeyedPath", camera: Camera, point: QPointF) -> float | None:
    """When the actor is at a point of its path, s; None beside it."""
    nearest, distance = _nearest(path, np.arange(len(path.way)), camera.world(point))
    if distance * camera.scale <= _REACH:
        return float(path.recorded.times[nearest])
    return None


def dragged(handle: PathHandle, place: tuple[float, float], path: "KeyedPath") -> "KeyedPath":
    """The path after a handle was dragged to a place (m). Raises `EditError` where it cannot be.

    A tangent is turned and stretched without another speed. A key whose time is dragged along the path is passed as
    much earlier as the actor comes to that place later.
    """
    key, (here, tangent, _) = handle.key, path.values[handle.key]
    if handle.part == "point":
        return path.with_key(key, point=place)
    if handle.part != "time":
        turned = (np.array(place) - here) / _reach(path, key, 1 if handle.part == "out" else -1)
        kept = np.hypot(*tangent) / max(float(np.hypot(*turned)), 1e-9)
        return path.with_key(key, tangent=turned, pace=path.keys["pace"][key] * kept)
    before, time, after = path.keys["time"][key - 1 : key + 2].tolist()
    times = path.recorded.times
    nearest, _ = _nearest(path, np.flatnonzero((times >= before) & (times <= after)), place)
    return path.with_key(key, time=path.time_within(key, 2 * time - float(times[nearest])))


def _reach(path: "KeyedPath", key: int, side: int) -> float:
    """How far along the recorded path the end of a tangent is, m: a third of the way to the next key."""
    other = min(max(key + side, 0), len(path.keys) - 1)
    return float(path.distance[other] - path.distance[key]) / 3


def _nearest(path: "KeyedPath", among: IndexArray, place: tuple[float, float]) -> tuple[int, float]:
    away = np.hypot(*(path.way[among, :2] - place).T)
    return int(among[np.argmin(away)]), float(away.min())
