"""Which part of the world the scene shows: fits, jumps, earlier views, following. Knows no layer and no edit."""

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView

from ....reading import Trajectories, Trajectory
from ....recording import Snapshot
from ....texts import listed, say, say_count
from ....views.frame_actors import EMPTY, FrameActors, FrameContents, Mask
from ...session import Session
from ...session.preferences import FollowMode
from ...style.theme import Theme
from ...widgets.view_history import ViewHistory
from .box import SceneBox
from .camera import FAR, Camera, around, box_of_contents, is_placed, near_road_users

_HERO_LENGTH = 40.0  # pixels of the hero, seen closely
_LEAST_LENGTH = 20.0  # pixels of an actor that is sought
_LEAST_OF_SEVERAL = 40.0
"""Pixels of the longest of several that are sought, as the two of an event: what is between them is to be read."""

_LEAST_SIZE = 1.5  # metres: walkers need not fill the view
_SECONDS = 10.0
"""How much of the ways ahead is seen."""

_CARS_FROM = 1.0
"""Pixels a metre from which cars are more than specks."""

_SHORTEST = 1.0
"""Metres that a way has at least."""


def opening_of(
    camera: Camera, actors: FrameActors, snapshot: Snapshot, survey: Trajectories, begin: int
) -> Camera | None:
    """Return the camera that a recording is opened with.

    Args:
        camera: The present camera, for the size of the pane.
        actors: The actors of the frame `begin`.
        snapshot: The recording.
        survey: Its trajectories.
        begin: Index of the frame that is shown.

    Returns:
        A camera that shows the road users and their ways of the next seconds, or the hero's where that is too wide;
        None without any.
    """
    end = snapshot.frame_at_time(float(snapshot.elapsed[begin]) + _SECONDS)

    def fitted(chosen: Mask, ways: list[Trajectory]) -> Camera | None:
        box = around(actors.x[chosen], actors.y[chosen])
        if box is None or not ways:
            return None
        points = np.concatenate([_driven(way, begin, end) for way in ways])
        points = points[np.hypot(points["x"] - box.center().x(), points["y"] - box.center().y()) < FAR]
        return camera.fitted(box.united(around(points["x"], points["y"]) or box))

    ways = []
    heroes = []
    for way in survey.trajectories:
        if way.life is not None and way.life.is_road_user:
            ways.append(way)
            if way.life.is_hero:
                heroes.append(way)
    opening = fitted(near_road_users(actors), ways)
    if opening is not None and opening.scale < _CARS_FROM:
        return fitted(actors.hero & is_placed(actors), heroes) or opening
    return opening


def _driven(way: Trajectory, begin: int, end: int) -> npt.NDArray[np.void]:
    """Return the points of a way in the frames from `begin` to `end`; none of an actor that stands."""
    points: npt.NDArray[np.void] = way.path[(way.path["frame"] >= begin) & (way.path["frame"] <= end)]
    points = points[np.isfinite(points["x"])]
    moves = len(points) > 1 and np.hypot(np.ptp(points["x"]), np.ptp(points["y"])) > _SHORTEST
    if moves:
        return points
    return points[:0]


class CameraView(QGraphicsView):
    """The part of the scene that chooses what is in view.

    Signals: `caption_changed(str)`, `toggled(str, bool)` (a switch, or `follow`).

    Attributes:
        box: The view box, with range, mouse and layers.
        session: The session.
        theme: The theme.
        contents: The actors and lights of the frame.
        followed: Id of the followed actor; None while none is followed.
        beside: Id of another one that is kept in view with it; None: none.
        follow_mode: The followed actor is kept (`keep`) in view, in the `middle`, or there with its heading `up`.
    """

    caption_changed = Signal(str)
    toggled = Signal(str, bool)
    box: SceneBox

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setScene(QGraphicsScene(self))
        self.setAcceptDrops(False)  # they are the window's
        self.viewport().setAcceptDrops(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.session = session
        self.theme = theme
        self.contents: FrameContents = EMPTY
        self.followed: int | None = None
        self.beside: int | None = None
        self.follow_mode: FollowMode = "keep"
        self._views = ViewHistory(self)
        self._fitted = False
        self._opening: Camera | None = None

    def set_box(self, box: SceneBox) -> None:
        """Let a box fill the view."""
        self.box = box
        self.scene().addItem(box)
        self._fit_box()

    def _fit_box(self) -> None:
        pane = QRectF(self.viewport().rect())
        self.setSceneRect(pane)
        self.box.setGeometry(pane)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_box()

    def paintEvent(self, event: QPaintEvent) -> None:
        self.box.prepare_layers()
        super().paintEvent(event)

    @property
    def short_caption(self) -> str:
        """The number of road users alone."""
        if self.contents.frame is None:
            return ""
        return f"{int(self.contents.actors.road_users.sum()):,}"

    @property
    def caption(self) -> str:
        """What is in view, as in `31 road users, 2 of them far away`."""
        if self.contents.frame is None:
            return ""
        users = int(self.contents.actors.road_users.sum())
        far = users - int(near_road_users(self.contents.actors).sum())
        clauses = [say_count("1 road user", "{count:,} road users", count=users)]
        if far:
            clauses.append(say("{far:,} of them far away", far=far))
        return listed(clauses, "clauses")

    def redraw(self) -> None:
        """Paint anew."""
        self.box.forget_shown()
        self.viewport().update()

    @property
    def camera(self) -> Camera:
        """The part of the world that is visible."""
        return self.box.camera

    def show_opening(self, *, closely: bool = False) -> None:
        """See all road users and where they drive in the next seconds.

        Args:
            closely: See the hero in the middle and 40 pixels long; without one as else.
        """
        self.fit()
        hero = self._hero_camera() if closely else None
        if hero is not None:
            self.box.set_camera(hero)
            self._opening = None
        else:
            self._show_ways()
        self._views.clear()
        self._note_view()

    def _hero_camera(self) -> Camera | None:
        actors = self.contents.actors
        heroes = np.flatnonzero(actors.hero & is_placed(actors))
        if not len(heroes) or not self._fitted:
            return None
        x, y = self._place(int(heroes[0]))
        scale = _HERO_LENGTH / max(_LEAST_SIZE, 2 * float(actors.half[heroes[0], 0]))
        return self.camera._replace(x=x, y=y, scale=scale)

    def _show_ways(self) -> None:
        snapshot = self.session.snapshot
        survey = self.session.background.trajectories
        camera = self.camera
        if self._fitted and snapshot is not None and survey is not None and self.session.selection.frame is not None:
            frame_index = self.session.selection.frame_index
            opening = opening_of(camera, self.contents.actors, snapshot, survey, frame_index)
            self.box.set_camera(opening or camera)
        if survey is None:
            self._opening = self.camera
        else:
            self._opening = None

    def _show_paths(self) -> None:
        """Draw the recorded paths; show the opening once more if the camera was not moved since."""
        if self._opening == self.camera and self.session.selection.actor is None:
            self.show_opening()
        self.redraw()

    def fit(self) -> None:
        """See all road users of the frame; without any all actors, and without those all traffic lights."""
        box = box_of_contents(self.contents)
        if box is not None and self.width() > 50:
            self._fitted = True
            self._jump(self.camera.fitted(box))

    def zoom(self, factor: float, fixed: QPointF) -> None:
        """Go closer by a factor; what is under the point `fixed` stays there, unless an actor is followed."""
        self.box.set_camera(self.camera.zoomed(factor, fixed))
        self._keep_in_view()

    def _pan(self) -> None:
        self.followed = None  # the world stays turned while it is dragged
        self.beside = None
        self._notify_following()

    def centre_on(self, actor: int) -> None:
        """Bring an actor into the middle, closely enough to see it."""
        index = self._placed(actor)
        if index is None:
            return
        x, y = self._place(index)
        scale = self.camera.scale
        if scale < 6:
            scale = 12.0
        self._jump(self.camera._replace(x=x, y=y, scale=scale))

    def show_selection(self) -> None:
        """Have the selected actors in view, one alone no smaller than 20 pixels, several than 40 if all fit then."""
        actors = self.contents.actors
        placed = [index for index in map(self._placed, self.session.selection.actors) if index is not None]
        box = around(actors.x[placed], actors.y[placed])
        if box is None:
            return
        length = max(_LEAST_SIZE, 2 * float(actors.half[placed, 0].max()))
        if len(placed) == 1:
            scale = max(self.camera.scale, _LEAST_LENGTH / length)
        else:
            closest = self.camera.fitted(box).scale
            scale = max(self.camera.scale, min(_LEAST_OF_SEVERAL / length, closest))
        inner = self.camera.pane.adjusted(20, 20, -20, -20)
        if scale == self.camera.scale and all(inner.contains(self.camera.point(*self._place(one))) for one in placed):
            return
        if len(placed) > 1:
            scale = min(scale, self.camera.fitted(box).scale)
        self._jump(self.camera._replace(x=box.center().x(), y=box.center().y(), scale=scale))

    def zoom_to_selection(self) -> None:
        """See the selected actors as closely as they fit; without any, the road users."""
        actors = self.contents.actors
        chosen = np.isin(actors.ids, self.session.selection.actors) & is_placed(actors)
        box = around(actors.x[chosen], actors.y[chosen])
        if box is None:
            self.fit()
        else:
            self._jump(self.camera.fitted(box))

    def step_view(self, *, back: bool) -> None:
        """Show the part of the world that was seen before, or the one after it; no actor is followed then."""
        self._note_view()
        if back:
            view = self._views.step(-1)
        else:
            view = self._views.step(1)
        if view is not None:
            self.follow_actor(None)
            x, y, scale, angle = view
            self.box.set_camera(self.camera._replace(x=x, y=y, scale=scale, angle=angle))

    def _jump(self, camera: Camera) -> None:
        self._note_view(at_once=True)
        self.box.set_camera(camera)
        self._note_view(at_once=True)

    def _note_view(self, *, at_once: bool = False) -> None:
        x, y, scale, _, _, angle = self.camera
        self._views.note(x, y, scale, angle, at_once=at_once)

    def can_follow(self, actor: int | None) -> bool:
        """Whether an actor has a position in this frame; None has none."""
        return self._placed(actor) is not None

    def _placed(self, actor: int | None) -> int | None:
        """Return the index of an actor that has a place in this frame; None for others."""
        if actor is None:
            return None
        index = self.contents.actors.index_of(actor)
        if index is not None and is_placed(self.contents.actors)[index]:
            return index
        return None

    def _place(self, index: int) -> tuple[float, float]:
        return float(self.contents.actors.x[index]), float(self.contents.actors.y[index])

    def _selected_place(self) -> tuple[float, float]:
        """Return where the selected actor is, else what is in the middle, m."""
        index = self._placed(self.session.selection.actor)
        if index is not None:
            return self._place(index)
        return self.camera[:2]

    def follow_actor(self, actor: int | None) -> None:
        """Follow an actor from now on; None, or an actor without a position, ends following."""
        self.beside = None
        if self._placed(actor) is not None:
            self.followed = actor
        else:
            self.followed = None
        if actor is not None:
            self.centre_on(actor)
            self._keep_in_view()
        elif self.camera.angle:
            self.box.set_camera(self.camera.level)
        self._notify_following()

    def follow_both(self, actor: int, beside: int) -> None:
        """Follow an actor and keep another one in view with it, at first as closely as both fit."""
        self.follow_actor(actor)
        if self.followed is not None:
            self.beside = beside
            box = self._box_of_both()
            if box is not None:
                self._jump(self.camera.fitted(box))
                self._keep_both(box)
            self._notify_following()

    def _box_of_both(self) -> QRectF | None:
        """Return what the two that are followed are around, m; None where not both have a place in this frame."""
        first = self._placed(self.followed)
        second = self._placed(self.beside)
        if first is None or second is None:
            return None
        actors = self.contents.actors
        return around(actors.x[[first, second]], actors.y[[first, second]])

    @property
    def to_follow(self) -> int | None:
        """The selected actor, or else the hero, whichever has a position; None without either."""
        actors = self.contents.actors
        selected = self.session.selection.actor
        if self._placed(selected) is not None:
            return selected
        for hero in actors.ids[actors.hero].tolist():
            if self._placed(hero) is not None:
                return int(hero)
        return None

    def follow_playback(self) -> None:
        """Follow `to_follow` without moving yet, if it is in view and no actor is followed."""
        if self.followed is not None:
            return
        actor = self.to_follow
        index = self._placed(actor)
        if index is None:
            return
        x, y = self._place(index)
        if self.camera.pane.contains(self.camera.point(x, y)):
            self.followed = actor
            self.beside = None
            self._notify_following()

    def set_follow_mode(self, mode: FollowMode) -> None:
        """Keep the followed actor in view, in the middle, or there with its heading up."""
        self.follow_mode = mode
        self._keep_in_view()
        self._notify_following()

    def _notify_following(self) -> None:
        self.redraw()
        self.toggled.emit("follow", self.followed is not None)

    def _keep_in_view(self) -> None:
        """Move the camera so that the followed actor is where the follow mode wants it, or the middle of both."""
        index = self._placed(self.followed)
        if index is None:
            return
        both = self._box_of_both()
        if both is not None:
            self._keep_both(both)
            return
        x, y = self._place(index)
        yaw = float(self.contents.actors.yaw[index])
        self.box.set_camera(self.camera.following(x, y, yaw, self.follow_mode))

    def _keep_both(self, box: QRectF) -> None:
        """Move the camera so that what is between both is in the middle, and both are in view, whichever way is up."""
        turns = self.follow_mode == "up"
        if turns:
            reach = math.hypot(box.width(), box.height()) / 2
            box = QRectF(box.center().x() - reach, box.center().y() - reach, 2 * reach, 2 * reach)
        fitted = self.camera.fitted(box)
        camera = fitted._replace(scale=min(fitted.scale, self.camera.scale))
        index = self._placed(self.followed)
        if turns and index is not None:
            camera = camera.heading_up(float(self.contents.actors.yaw[index]))
        self.box.set_camera(camera)
