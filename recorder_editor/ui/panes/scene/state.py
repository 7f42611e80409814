"""What the scene shows at a moment, as one frozen value that the layers paint, and who is at a point of it.

Knows no session but the path that is drawn in it, and no widget.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF

from ....reading import Ghost, Trajectories
from ....views.frame_actors import EMPTY, FrameActors, FrameContents, Kind, Mask, Reals, TrafficLight
from ...session.path_drawing import PathDrawing
from .camera import Camera
from .coloring import Coloring
from .path_handles import PathHandle, handles_of
from .road_shapes import RoadShapes
from .shapes import lamp_box, lamp_size, walker_radius
from .trails import LeaderLine, Trail, moment_at

if TYPE_CHECKING:
    from ....checks.path_warnings import PathWarning
    from ....edits.paths.keyed import KeyedPath

_MARGIN = 12.0
"""Metres beyond the view within which an actor may still be seen in part."""

Lamp = tuple[TrafficLight, QRectF]
"""A traffic light in the view, and the room it takes, px."""


@dataclass(frozen=True, eq=False)
class SceneState:
    """What to draw; the defaults draw nothing.

    Attributes: `camera`; `contents` of the frame; `survey` (the recorded paths, None while there are none);
    `selected` (ids, the first one first); `editable` (actors may be dragged); `trails` (by id, of the
    selected); `colliding` (ids); `coloring` (None: by class); `ids` (plain labels are drawn);
    `leaders`; `other` (actors of the recording compared with); `ghosts`; `ghost_scope` (beside
    a ghost: the frames that a drag is for); `measured` (two places, m); `band` (px); `path` (edited by keys),
    `path_key` (the chosen one), `path_warnings` and `path_refusal` (what is wrong with it); `drawn` (the path of a
    new actor); `message` (drawn in the middle).
    """

    camera: Camera = field(default_factory=Camera)
    contents: FrameContents = EMPTY
    survey: Trajectories | None = None
    roads: RoadShapes | None = None
    selected: tuple[int, ...] = ()
    editable: bool = False
    trails: tuple[tuple[int, Trail], ...] = ()
    colliding: frozenset[int] = frozenset()
    coloring: Coloring | None = None
    ids: bool = True
    leaders: tuple[LeaderLine, ...] = ()
    other: FrameActors | None = None
    ghosts: tuple[Ghost, ...] = ()
    ghost_scope: str = ""
    measured: tuple[tuple[float, float], tuple[float, float]] | None = None
    band: QRectF | None = None
    path: "KeyedPath | None" = None
    path_key: int = 0
    path_warnings: "tuple[PathWarning, ...]" = ()
    path_refusal: str = ""
    drawn: PathDrawing | None = None
    message: str = ""

    @property
    def actors(self) -> FrameActors:
        """Everybody with a position in the frame."""
        return self.contents.actors

    def sees(self, x: Reals, y: Reals) -> Mask:
        """Which places (m) are in the view or just outside it."""
        view = self.camera.view.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
        return (x > view.left()) & (x < view.right()) & (y > view.top()) & (y < view.bottom())

    @cached_property
    def seen(self) -> Mask:
        """Which actors are in the view."""
        return self.sees(self.actors.x, self.actors.y)

    @cached_property
    def path_handles(self) -> list[PathHandle]:
        """What of the edited path can be dragged."""
        if self.path is not None:
            return handles_of(self.path, self.path_key, self.camera)
        return []

    @cached_property
    def radii(self) -> Reals:
        """Radius of the circle round each actor, px."""
        lengths = np.maximum(4.0, self.actors.half[:, 0] * self.camera.scale)
        return np.where(self.actors.kind == Kind.WALKER, walker_radius(self.camera), lengths)

    @cached_property
    def lamps(self) -> list[Lamp]:
        """The traffic lights in the view."""
        wide, high = (length / 2 / self.camera.scale for length in lamp_size(self.camera))
        view = self.camera.view.adjusted(-wide, -high, wide, high)
        lights = (light for light in self.contents.lights if view.contains(light.x, light.y))
        return [(light, lamp_box(self.camera, light)) for light in lights]

    @cached_property
    def leader_ends(self) -> list[tuple[LeaderLine, QLineF]]:
        """The lines from followers to leaders, px."""
        found = []
        for line in self.leaders:
            one, other = self.actors.index_of(line.actor), self.actors.index_of(line.leader)
            if one is not None and other is not None and (self.seen[one] or self.seen[other]):
                found.append((line, QLineF(self.centre(one), self.centre(other))))
        return found

    def centre(self, index: int) -> QPointF:
        """Where an entry of `actors` is, px."""
        return self.camera.point(float(self.actors.x[index]), float(self.actors.y[index]))

    def place_of(self, actor: int) -> QPointF | None:
        """Where an actor is, px; None where it has no position."""
        index = self.actors.index_of(actor)
        if index is not None and math.isfinite(float(self.actors.x[index])):
            return self.centre(index)
        return None

    def entries(self, ids: Iterable[int]) -> list[int]:
        """The entries of these actors that are in the view."""
        found = (self.actors.index_of(actor) for actor in ids)
        return [index for index in found if index is not None and self.seen[index]]


_REACH = 6.0


def actor_at(state: SceneState, point: QPointF) -> int | None:
    """The actor under a point: road users first, then lamps, then everything else."""
    actors = state.actors
    x, y = state.camera.world(point)
    dx, dy = x - actors.x, y - actors.y
    cos, sin = np.cos(actors.yaw), np.sin(actors.yaw)
    along = np.abs(dx * cos + dy * sin)
    across = np.abs(dy * cos - dx * sin)
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
    if best is not None:
        return int(actors.ids[best])
    return None


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
    actors = state.actors
    index = state.actors.index_of(actor)
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
