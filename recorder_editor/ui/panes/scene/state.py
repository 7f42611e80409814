"""What the scene shows at a moment, as one frozen value that the layers paint, and which actor is at a point of it.

Knows no session but the path that is drawn in it, and no widget.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor

from ....reading import Ghost
from ....texts import say
from ....views.conflict import Conflict
from ....views.frame_actors import EMPTY, FrameActors, FrameContents, Kind, Mask, Reals, TrafficLight
from ....views.frame_rays import FrameRay
from ....views.road_shapes import RoadShapes
from ....views.streets import NO_STREETS, Streets
from ...session.path_drawing import PathDrawing
from ...session.preferences import IdsMode
from .camera import Camera
from .coloring import Coloring
from .path_handles import PathHandle, handles_of
from .shapes import lamp_box, lamp_size, walker_radius
from .trails import LeaderLine, Trail, moment_at

if TYPE_CHECKING:
    from ....checks.path_warnings import PathWarning
    from ....edits.paths.keyed import KeyedPath

LABELS_FROM = 2.0
"""Pixels a metre from which plain labels are drawn."""

REACH_OF_IDS: Mapping[IdsMode, float] = {"near": 30.0, "all": math.inf}
"""Metres from a hero, a selected actor or the pointer within which road users have their id beside them."""

_MARGIN = 12.0
"""Metres beyond the view within which an actor may still be seen in part."""

_RAY = 30.0
"""Metres that a level ray is drawn."""
_SHORTEST_RAY = 60.0  # px

Lamp = tuple[TrafficLight, QRectF]
"""A traffic light in the view, and the room it takes, px."""


class Compared(NamedTuple):
    """A thing that differs from another recording, to be highlighted.

    Attributes:
        ids: Ids of its actors.
        text: What stands beside the first of them.
    """

    ids: tuple[int, ...]
    text: str


@dataclass(frozen=True, eq=False)
class Wipe:
    """The line between two recordings: at one side of it is this one, at the other side the other one.

    Attributes:
        there: What the other recording shows.
        x: Where the line is, px.
        is_swapped: This recording is at the right.
    """

    there: "SceneState"
    x: float
    is_swapped: bool = False

    def sides(self, width: float, *, here: bool) -> tuple[float, float]:
        """Return the columns of a recording in a view of a width, px."""
        if here != self.is_swapped:
            return 0.0, self.x
        return self.x, width


@dataclass(frozen=True, eq=False)
class MarkedPath:
    """The path of an actor with marks of time, for a picture of several moments.

    Attributes:
        actor: Id of the actor.
        color: Colour of the path.
        x: Places of the path, m; NaN where it is interrupted.
        y: Places of the path, m.
        marks: Place (m) and text of each mark.
    """

    actor: int
    color: QColor
    x: Reals
    y: Reals
    marks: tuple[tuple[float, float, str], ...]


@dataclass(frozen=True, eq=False)
class SceneState:
    """What to draw; the defaults draw nothing.

    Attributes:
        camera: The part of the world that is visible.
        contents: The actors and lights of the frame.
        streets: The streets that the recorded paths make.
        roads: The shapes of the road map; None without one.
        selected: Ids of the selected actors, the first one first.
        pointed: Ids of the actors of the traffic event under the pointer.
        editable: Whether actors may be dragged.
        trails: The trails of selected actors, each with its id.
        colliding: Ids of actors in a collision.
        coloring: What actors are filled with; None: the colour of their class.
        ids: Whether plain labels are drawn.
        id_reach: How near to a hero, a selected actor or the pointer an actor is that has one, m; inf: all have.
        pointer: The place under the pointer, m; None while it is elsewhere.
        signs: Whether the legend of the signs is drawn.
        packets: Whether places, gazes and beams of packets are drawn.
        conflict: The two of the chosen traffic event; None without one.
        leaders: Lines from selected actors to their leaders.
        other: Actors of the recording that this one is compared with.
        compared: What of it is chosen; None: nothing.
        wipe: The line between both recordings; None: only outlines of the other one are drawn.
        sides: Between which columns the actors of this state are drawn, px; None: everywhere.
        is_there: It is what the other recording shows: `other` are the actors of this one.
        former: Where selected actors are in the saved file, if they were edited in this frame.
        ghosts: Where actors would be after an edit.
        ghost_scope: The frames that a drag is for, beside its ghost.
        ghost_lane: The lane beneath what is dragged; empty without one.
        measured: The ends of a distance, m; None while none is measured.
        band: The rubber band, px.
        path: The path that is edited by keys.
        path_key: Index of its chosen key.
        path_warnings: What is wrong with it.
        path_refusal: Why it cannot be applied; empty where it can.
        drawn: The path of a new actor.
        marked_paths: Paths with marks of time.
        covered: What lies over the scene at its edges, px.
        message: Drawn in the middle.
    """

    camera: Camera = field(default_factory=Camera)
    contents: FrameContents = EMPTY
    streets: Streets = NO_STREETS
    roads: RoadShapes | None = None
    selected: tuple[int, ...] = ()
    pointed: tuple[int, ...] = ()
    editable: bool = False
    trails: tuple[tuple[int, Trail], ...] = ()
    colliding: frozenset[int] = frozenset()
    coloring: Coloring | None = None
    ids: bool = True
    id_reach: float = math.inf
    pointer: tuple[float, float] | None = None
    signs: bool = False
    packets: bool = True
    conflict: Conflict | None = None
    leaders: tuple[LeaderLine, ...] = ()
    other: FrameActors | None = None
    compared: Compared | None = None
    wipe: "Wipe | None" = None
    sides: tuple[float, float] | None = None
    is_there: bool = False
    former: tuple[Ghost, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    ghost_scope: str = ""
    ghost_lane: str = ""
    measured: tuple[tuple[float, float], tuple[float, float]] | None = None
    band: QRectF | None = None
    path: "KeyedPath | None" = None
    path_key: int = 0
    path_warnings: "tuple[PathWarning, ...]" = ()
    path_refusal: str = ""
    drawn: PathDrawing | None = None
    marked_paths: tuple[MarkedPath, ...] = ()
    covered: tuple[QRectF, ...] = ()
    message: str = ""

    @property
    def actors(self) -> FrameActors:
        """All actors with a position in the frame."""
        return self.contents.actors

    def sees(self, x: Reals, y: Reals) -> Mask:
        """Return which places (m) are in the view or just outside it."""
        view = self.camera.view.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
        return (x > view.left()) & (x < view.right()) & (y > view.top()) & (y < view.bottom())

    @cached_property
    def halves(self) -> "tuple[SceneState, ...]":
        """This state and that of the other recording, each with its side of the line; without a line this one."""
        wipe = self.wipe
        if wipe is None:
            return (self,)
        width = self.camera.width
        here = replace(self, sides=wipe.sides(width, here=True))
        return here, replace(wipe.there, sides=wipe.sides(width, here=False))

    def is_at_side(self, x: float) -> bool:
        """Return whether a column (px) is at the side of this state."""
        return self.sides is None or self.sides[0] <= x <= self.sides[1]

    def half_at(self, point: QPointF) -> "SceneState":
        """Return the state of the recording that is shown at a point."""
        for half in self.halves:
            if half.is_at_side(point.x()):
                return half
        return self

    @cached_property
    def seen(self) -> Mask:
        """Which actors are in the view."""
        return self.sees(self.actors.x, self.actors.y)

    @cached_property
    def labelled(self) -> Mask:
        """Which actors may have a plain label."""
        actors = self.actors
        if not self.ids or self.camera.scale < LABELS_FROM:
            return np.zeros(len(actors), np.bool_)
        if math.isinf(self.id_reach):
            return np.ones(len(actors), np.bool_)
        near: Mask = self.near_pointer.copy()
        if self.coloring is not None and self.coloring.roles:
            near |= np.isin(actors.life, list(self.coloring.roles))  # who sees few colours reads the roles
        for index in (*np.flatnonzero(actors.hero).tolist(), *actors.indices_of(self.selected)):
            near |= np.hypot(actors.x - actors.x[index], actors.y - actors.y[index]) <= self.id_reach
        return near

    @cached_property
    def near_pointer(self) -> Mask:
        """Which actors are so near to the pointer that they may have a plain label, from their middle to it."""
        if self.pointer is None:
            return np.zeros(len(self.actors), np.bool_)
        x, y = self.pointer
        near: Mask = np.hypot(self.actors.x - x, self.actors.y - y) <= self.id_reach
        return near

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
        width, height = lamp_size(self.camera)
        reach_x = width / 2 / self.camera.scale
        reach_y = height / 2 / self.camera.scale
        view = self.camera.view.adjusted(-reach_x, -reach_y, reach_x, reach_y)
        lamps = []
        for light in self.contents.lights:
            if view.contains(light.x, light.y):
                lamps.append((light, lamp_box(self.camera, light)))
        return lamps

    @cached_property
    def ray_lines(self) -> list[tuple[FrameRay, QLineF]]:
        """The rays that are drawn, px."""
        lines: list[tuple[FrameRay, QLineF]] = []
        if not self.packets:
            return lines
        length = max(_RAY, _SHORTEST_RAY / self.camera.scale)
        for ray in self.contents.rays:
            end = self.camera.point(ray.x + ray.dx * length, ray.y + ray.dy * length)
            lines.append((ray, QLineF(self.camera.point(ray.x, ray.y), end)))
        return lines

    @cached_property
    def leader_ends(self) -> list[tuple[LeaderLine, QLineF]]:
        """The lines from followers to leaders, px."""
        ends = []
        for line in self.leaders:
            follower = self.actors.index_of(line.actor)
            leader = self.actors.index_of(line.leader)
            if follower is None or leader is None:
                continue
            if self.seen[follower] or self.seen[leader]:
                ends.append((line, QLineF(self.centre(follower), self.centre(leader))))
        return ends

    def centre(self, index: int) -> QPointF:
        """Return where the actor of an index is, px."""
        return self.camera.point(float(self.actors.x[index]), float(self.actors.y[index]))

    def place_of(self, actor: int) -> QPointF | None:
        """Return where an actor is, px; None where it has no position."""
        index = self.actors.index_of(actor)
        if index is not None and math.isfinite(float(self.actors.x[index])):
            return self.centre(index)
        return None

    def entries(self, ids: Iterable[int]) -> list[int]:
        """Return the indices of those of these actors that are in the view."""
        return [index for index in self.actors.indices_of(ids) if self.seen[index]]


def message_of(contents: FrameContents) -> str:
    """Return why there is no actor to see in a frame; empty where there is one."""
    if len(contents.actors):
        return ""
    return say("No positions in this frame")


_REACH = 6.0  # px around an actor, and beside a ray
_REACH_OF_LAMP = 5.0  # px from the middle of a lamp, at least


def actor_at(state: SceneState, point: QPointF) -> int | None:
    """Return the id of the actor under a point: road users first, then lamps, then everything else."""
    actors = state.actors
    x, y = state.camera.world(point)
    dx = x - actors.x
    dy = y - actors.y
    cos = np.cos(actors.yaw)
    sin = np.sin(actors.yaw)
    along = np.abs(dx * cos + dy * sin)
    across = np.abs(dy * cos - dx * sin)
    reach = _REACH / state.camera.scale
    half = np.maximum(actors.half, reach)
    matches = np.flatnonzero((along <= half[:, 0]) & (across <= half[:, 1]))
    best = None
    if len(matches):
        # What is drawn on top wins: two-wheelers over cars, walkers over both; then the nearest.
        rank = np.where(actors.road_users, -actors.kind, 1)[matches]
        best = matches[np.lexsort((np.hypot(dx, dy)[matches], rank))[0]]
        if actors.road_users[best]:
            return int(actors.ids[best])
    light = _light_at(state, point)
    if light is not None:
        return light.actor
    if best is not None:
        return int(actors.ids[best])
    return None


def _light_at(state: SceneState, point: QPointF) -> TrafficLight | None:
    width, height = lamp_size(state.camera)
    reach_x = max(width / 2, _REACH_OF_LAMP)
    reach_y = max(height / 2, _REACH_OF_LAMP)
    for light in reversed(state.contents.lights):
        centre = state.camera.point(light.x, light.y)
        if abs(centre.x() - point.x()) <= reach_x and abs(centre.y() - point.y()) <= reach_y:
            return light
    return None


def rays_at(state: SceneState, point: QPointF) -> list[FrameRay]:
    """Return the rays under a point."""
    return [ray for ray, line in state.ray_lines if _distance(line, point) <= _REACH]


def _distance(line: QLineF, point: QPointF) -> float:
    """Return how far a point is from a line, which ends at both ends, px."""
    way = line.p2() - line.p1()
    square = QPointF.dotProduct(way, way)
    if not square:
        return QLineF(line.p1(), point).length()
    share = QPointF.dotProduct(point - line.p1(), way) / square
    return QLineF(line.pointAt(min(max(share, 0.0), 1.0)), point).length()


def actors_in(state: SceneState, rect: QRectF) -> tuple[int, ...]:
    """Return the ids of the road users in a rectangle (px), or of all actors in it where it holds no road user."""
    actors = state.actors
    x, y = state.camera.points(actors.x, actors.y)
    chosen = (x >= rect.left()) & (x <= rect.right()) & (y >= rect.top()) & (y <= rect.bottom())
    users = chosen & actors.road_users
    if users.any():
        chosen = users
    return tuple(actors.ids[chosen].tolist())


def wedge_of(state: SceneState, actor: int) -> QPointF | None:
    """Return where the handle is that turns an actor, px: on the front of its box; None where it has no position."""
    actors = state.actors
    index = state.actors.index_of(actor)
    if index is None:
        return None
    reach = max(0.75 * float(actors.half[index, 0]), 8.0 / state.camera.scale) * state.camera.scale
    yaw = float(actors.yaw[index]) + state.camera.angle
    return state.centre(index) + QPointF(math.cos(yaw), math.sin(yaw)) * reach


def frame_on_trail(state: SceneState, point: QPointF) -> int | None:
    """Return the frame of a trail that is under a point; None beside all trails."""
    for _, trail in state.trails:
        frame = moment_at(trail, state.camera, point)
        if frame is not None:
            return frame
    return None
