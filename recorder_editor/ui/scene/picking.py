"""Who or what is at a point of the view, from a state of the scene alone."""

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from .frame_actors import TrafficLight
from .shapes import lamp_size
from .state import SceneState
from .trails import moment_at

_REACH = 6.0


def actor_at(state: SceneState, point: QPointF) -> int | None:
    """The actor under a point: road users first, then lamps, then everything else."""
    actors = state.actors
    x, y = state.camera.world(point)
    dx, dy = x - actors.x, y - actors.y
    cos, sin = np.cos(actors.yaw), np.sin(actors.yaw)
    along, across = np.abs(dx * cos + dy * sin), np.abs(dy * cos - dx * sin)
    reach = _REACH / state.camera.scale
    half = np.maximum(actors.half, reach)
    found = np.flatnonzero((along <= half[:, 0]) & (across <= half[:, 1]))
    best = None
    if len(found):
        # What is drawn on top wins: two-wheelers over cars, walkers over both; then whoever is nearest.
        rank = np.where(actors.road_users, -actors.kind, 1)[found]
        best = found[np.lexsort((np.hypot(dx, dy)[found], rank))[0]]
        if actors.road_users[best]:
            return int(actors.ids[best])
    light = _light_at(state, point)
    if light is not None:
        return light.actor
    return int(actors.ids[best]) if best is not None else None


def _light_at(state: SceneState, point: QPointF) -> TrafficLight | None:
    wide, high = (max(length / 2, 5.0) for length in lamp_size(state.camera))
    for light in reversed(state.contents.lights):
        centre = state.camera.point(light.x, light.y)
        if abs(centre.x() - point.x()) <= wide and abs(centre.y() - point.y()) <= high:
            return light
    return None


def actors_in(state: SceneState, rect: QRectF) -> tuple[int, ...]:
    """Those in a rectangle: the road users among them, everybody where there are none."""
    actors = state.actors
    x, y = state.camera.points(actors.x, actors.y)
    inside = (x >= rect.left()) & (x <= rect.right()) & (y >= rect.top()) & (y <= rect.bottom())
    users = inside & actors.road_users
    return tuple(actors.ids[users if users.any() else inside].tolist())


def wedge_of(state: SceneState, actor: int) -> QPointF | None:
    """Where the handle is that turns an actor: on the front of its box."""
    actors, index = state.actors, state.actors.index_of(actor)
    if index is None:
        return None
    reach = max(0.75 * float(actors.half[index, 0]), 8.0 / state.camera.scale) * state.camera.scale
    yaw = float(actors.yaw[index]) + state.camera.angle
    return state.centre(index) + QPointF(math.cos(yaw), math.sin(yaw)) * reach


def frame_on_trail(state: SceneState, point: QPointF) -> int | None:
    """The frame of a trail under a point."""
    for _, trail in state.trails:
        frame = moment_at(trail, state.camera, point)
        if frame is not None:
            return frame
    return None
