"""What the scene shows at a moment, as one frozen value that the layers paint. Knows no session and no widget."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF

from ...recording.rigid import Ghost
from ...recording.trajectories import Trajectories
from .camera import Camera
from .coloring import Coloring
from .frame_actors import EMPTY, FrameActors, FrameContents, Kind, Mask, Reals, TrafficLight
from .leader_line import LeaderLine
from .shapes import lamp_box, lamp_size, walker_radius
from .trails import Trail

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
    a ghost: the frames that a drag is for); `measured` (two places, m); `band` (px);
    `message` (drawn in the middle).
    """

    camera: Camera = field(default_factory=Camera)
    contents: FrameContents = EMPTY
    survey: Trajectories | None = None
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
        return self.centre(index) if index is not None and math.isfinite(float(self.actors.x[index])) else None

    def entries(self, ids: Iterable[int]) -> list[int]:
        """The entries of these actors that are in the view."""
        found = (self.actors.index_of(actor) for actor in ids)
        return [index for index in found if index is not None and self.seen[index]]
