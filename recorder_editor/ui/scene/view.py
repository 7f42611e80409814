"""The scene as a widget: keeps the camera, follows the session, turns mouse and keys into selections and edits.

pyqtgraph's view holds the world's coordinates (`ViewBox`, so that what it knows of ranges and export works); what is
drawn is drawn in one go by `stage`, since an item a car would cost more than the frame has time for.
"""

import math
from pathlib import Path
from typing import Literal

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from ...edits import move_actors
from ...edits.operations.schema import Ghost
from ...edits.place import Place
from ...progress import Progress
from ...recording.history import Edit
from ...recording.lives import Life
from ...recording.snapshot import Snapshot
from ...recording.trajectories import Trajectory
from ..describe import describe
from ..session import Session
from ..theme import Theme
from .camera import Camera, box_of
from .figures import lamp_size
from .following import Following, followings
from .roads import Roads
from .stage import Show, Stage
from .trails import moment_at, trail_of
from .world import EMPTY, Cast, Crowd, Scenery, TrafficLight, cast_of, scenery_of

_CLICK = 4
_REACH = 6.0
_FLASH = 0.5
Tool = Literal["", "pan", "band", "move", "turn", "measure"]


class SceneView(pg.GraphicsView):  # type: ignore[misc]
    """Signals: `caption_changed(str)`, `toggled(str, bool)` (roads, trails, ids, measure)."""

    caption_changed = Signal(str)
    toggled = Signal(str, bool)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False)
        self.session = session
        self.theme = theme
        self.camera = Camera()
        self.roads = Roads(self)
        self.roads.drawn.connect(self.redraw)
        self.scenery: Scenery = EMPTY
        self.followed: int | None = None
        self.switches = {"roads": True, "trails": True, "ids": True, "measure": False, "colours": False}
        self._cast: Cast | None = None
        self._other_cast: Cast | None = None
        self._own_colours: dict[int, QColor] = {}
        self._fitted = False
        self._path: Path | None = None
        self._tool: Tool = ""
        self._pressed = QPointF()
        self._last = QPointF()
        self._ghost: Ghost | None = None
        self._meant: tuple[Ghost, ...] = ()
        self._dragging: int | None = None
        self._band: QRectF | None = None
        self._measured: list[tuple[float, float]] = []
        self.box = pg.ViewBox(lockAspect=True, invertY=True, enableMouse=False, enableMenu=False)
        self.setCentralItem(self.box)
        self.setObjectName("sceneView")
        self.setAccessibleName(self.tr("Scene from above"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAntialiasing(True)
        self.setViewportUpdateMode(pg.QtWidgets.QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        theme.changed.connect(self.redraw)
        session.opened.connect(self._open)
        session.changed.connect(self._change)
        session.selected.connect(self._follow)
        session.surveyed.connect(self._surveyed)
        session.comparing.changed.connect(self._compare)
        session.traffic.changed.connect(self.redraw)
        self._open()

    # --- following the session --------------------------------------------------------------------------

    def _open(self) -> None:
        path = self.session.recording.path if self.session.recording is not None else None
        if path is None or path != self._path:
            self._fitted = False
            self.followed = None
        # The same file read again: what is looked at stays.
        self._path = path
        self._measured.clear()
        self._ghost = None
        self._take_actors()
        self.roads.set_survey(self.session.survey)
        self._follow()

    def _change(self, _change: object) -> None:
        self._ghost = None
        self._take_actors()  # the picture follows with `selected`

    def _take_actors(self) -> None:
        actors = self.session.actors
        if actors is None:
            self._cast = None
            self._own_colours = {}
            return
        if self._cast is None or self._cast.actors is not actors:
            self._cast = cast_of(actors)
            self._own_colours = {life.index: QColor(*life.colour) for life in actors if life.colour is not None}

    def _compare(self) -> None:
        self._other_cast = None
        self.redraw()

    def _other(self) -> Crowd | None:
        """Everybody in the same moment of the recording that this one is compared with."""
        comparing = self.session.comparing
        frame = comparing.frame_of_other(self.session.frame_index)
        if comparing.other is None or frame is None:
            return None
        snapshot = comparing.other.snapshot
        if self._other_cast is None:
            self._other_cast = cast_of(comparing.other.actors)
        return scenery_of(snapshot, frame, self._other_cast).crowd

    def _surveyed(self) -> None:
        self.roads.set_survey(self.session.survey)
        self.redraw()

    def _follow(self, _selection: object = None, *, anew: bool = False) -> None:
        if not self.isVisible():
            return
        frame, snapshot = self.session.frame, self.session.snapshot
        if self._cast is None or frame is None or snapshot is None:
            self.scenery = EMPTY
        elif anew or self.scenery.frame is not frame:
            self.scenery = scenery_of(snapshot, frame, self._cast)
        if not self._fitted and len(self.scenery.crowd):
            self.fit()
        if self.followed is not None:
            self._centre_on(self.followed)
        self.redraw()
        self.caption_changed.emit(self.caption)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._take_actors()
        self.roads.set_survey(self.session.survey)
        self._follow(anew=True)

    @property
    def caption(self) -> str:
        """`31 road users, following 3890`."""
        if self.scenery.frame is None:
            return ""
        users = int(self.scenery.crowd.road_users.sum())
        words = self.tr("%1 road users").replace("%1", f"{users:,}") if users != 1 else self.tr("1 road user")
        following = self.tr("not following")
        if self.followed is not None:
            following = self.tr("following %1").replace("%1", str(self.followed))
        return f"{words}, {following}"

    # --- the camera -------------------------------------------------------------------------------------

    def set_camera(self, camera: Camera) -> None:
        """Look at another part of the world."""
        self.camera = camera
        self.box.setRange(camera.view, padding=0, disableAutoRange=True)
        self.redraw()

    def redraw(self) -> None:
        """Paint anew."""
        self.viewport().update()

    def fit(self) -> None:
        """See all road users of the frame; everybody, where there are none."""
        box = box_of(self.scenery.crowd) or box_of(self.scenery.crowd, everybody=True)
        if box is None and self.scenery.lights:
            xs, ys = [light.x for light in self.scenery.lights], [light.y for light in self.scenery.lights]
            box = QRectF(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        if box is not None and self.width() > 50:
            self._fitted = True
            self.set_camera(self.camera.sized(self.viewport().width(), self.viewport().height()).fitted(box))

    def centre_on(self, actor: int) -> None:
        """Bring an actor into the middle, closely enough to see it."""
        if self.camera.scale < 6:
            self.camera = Camera(self.camera.x, self.camera.y, 12.0, self.camera.width, self.camera.height)
        self._centre_on(actor)
        self.redraw()

    def _centre_on(self, actor: int) -> None:
        index = self.scenery.crowd.index_of(actor)
        if index is not None:
            x, y = float(self.scenery.crowd.x[index]), float(self.scenery.crowd.y[index])
            if math.isfinite(x) and math.isfinite(y):
                self.set_camera(self.camera.at(x, y))

    def show_ghosts(self, ghosts: tuple[Ghost, ...]) -> None:
        """Show where actors would be after an edit that somebody thinks of; none takes them away."""
        if ghosts != self._meant:
            self._meant = ghosts
            self.redraw()

    def can_follow(self, actor: int) -> bool:
        """It has a position in this frame."""
        return self.scenery.crowd.index_of(actor) is not None

    def follow_actor(self, actor: int | None) -> None:
        """Keep an actor in the middle from now on; None stops that, and so does somebody who has no position."""
        self.followed = actor if actor is not None and self.can_follow(actor) else None
        if actor is not None:
            self.centre_on(actor)
        self.caption_changed.emit(self.caption)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is None:
            # pyqtgraph calls this while it is being made.
            return
        self.camera = self.camera.sized(self.viewport().width(), self.viewport().height())
        self.box.setRange(self.camera.view, padding=0, disableAutoRange=True)
        if not self._fitted and len(self.scenery.crowd):
            self.fit()

    # --- drawing ----------------------------------------------------------------------------------------

    def draw_ground(self, painter: QPainter, *, whole: bool = False) -> None:
        """Draw what is under the frame: the ground and the roads; `whole`: all of them as lines, however many."""
        palette = self.theme.palette
        if not self.switches["roads"] or self.roads.is_empty:
            painter.fillRect(QRectF(0, 0, self.camera.width, self.camera.height), palette.scene)
        elif whole:
            self.roads.draw(painter, self.camera, palette)
        else:
            self.roads.paint(painter, self.camera, self.viewport().devicePixelRatioF(), palette)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.save()
        painter.resetTransform()
        self.draw_ground(painter)
        self.draw(painter)
        painter.restore()

    def draw(self, painter: QPainter) -> None:
        """Draw the frame with any painter in pixels of this view: the screen, a picture, an SVG file."""
        if self.session.snapshot is None:
            return
        Stage(painter, self.theme, self.camera, self._show()).draw()
        if self.scenery.frame is None or not len(self.scenery.crowd):
            painter.setFont(self.theme.font)
            painter.setPen(self.theme.palette.muted)
            text = self.tr("No positions in this frame") if self.session.frames else self.tr("No frames in this file")
            place = QRectF(0, 0, self.camera.width, self.camera.height)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)

    def _show(self) -> Show:
        session, snapshot = self.session, self.session.snapshot
        assert snapshot is not None
        selected = session.actors_selected
        measure = None
        if self.switches["measure"] and self._measured:
            second = self._measured[1] if len(self._measured) > 1 else self.camera.world(self._last)
            measure = self._measured[0], second
        return Show(
            self.scenery,
            selected,
            self._trajectories(),
            session.frame_index,
            snapshot.elapsed,
            self._hits(),
            self._own_colours if self.switches["colours"] else None,
            self.switches["trails"],
            self.switches["ids"],
            (self._ghost,) if self._ghost is not None else self._meant,
            self._other(),
            measure,
            self._band,
            self._leaders(),
        )

    def _leaders(self) -> tuple[Following, ...]:
        """Whom the selected follow, where that is to be shown."""
        analysis, actors = self.session.traffic.shown, self.session.actors
        if analysis is None or actors is None or not self.session.traffic.is_current:
            return ()
        return followings(analysis, actors, self.session.actors_selected[:8], self.session.frame_index)

    def _trajectories(self) -> tuple[Trajectory, ...]:
        """The ways of the selected: of eight of them, or the trails hide what they are about."""
        survey, actors = self.session.survey, self.session.actors
        if survey is None or actors is None:
            return ()
        lives = (actors.at(actor, self.session.frame_index) for actor in self.session.actors_selected[:8])
        indices = (life.index for life in lives if life is not None)
        found = (survey.trajectories[index] for index in indices if index < len(survey.trajectories))
        # After an edit the survey is that of the state before, for a moment.
        return tuple(trajectory for trajectory in found if trajectory.actor in self.session.actors_selected)

    def _hits(self) -> frozenset[int]:
        """Who collides in this frame, or did so less than half a second ago."""
        actors, snapshot, frame = self.session.actors, self.session.snapshot, self.scenery.frame
        if actors is None or snapshot is None or frame is None or not len(actors.collisions):
            return frozenset()
        first = snapshot.frame_at_time(frame.elapsed - _FLASH)
        records = actors.collisions
        low, high = np.searchsorted(records["frame_index"], [first, frame.index + 1])
        return frozenset(records["actor1"][low:high].tolist()) | frozenset(records["actor2"][low:high].tolist())

    # --- who is where -----------------------------------------------------------------------------------

    def actor_at(self, point: QPointF) -> int | None:
        """The actor under a point: road users first, then lamps, then everything else."""
        crowd = self.scenery.crowd
        x, y = self.camera.world(point)
        dx, dy = x - crowd.x, y - crowd.y
        cos, sin = np.cos(crowd.yaw), np.sin(crowd.yaw)
        along, across = np.abs(dx * cos + dy * sin), np.abs(dy * cos - dx * sin)
        reach = _REACH / self.camera.scale
        hit = (along <= np.maximum(crowd.half[:, 0], reach)) & (across <= np.maximum(crowd.half[:, 1], reach))
        (found,) = np.nonzero(hit)
        if len(found):
            # What is drawn on top wins: two-wheelers over cars, walkers over both; then whoever is nearest.
            rank = np.where(crowd.road_users, -crowd.kind, 1)[found]
            best = found[np.lexsort((np.hypot(dx, dy)[found], rank))[0]]
            if crowd.road_users[best]:
                return int(crowd.ids[best])
        light = self._light_at(point)
        if light is not None:
            return light.actor
        return int(crowd.ids[best]) if len(found) else None

    def _light_at(self, point: QPointF) -> TrafficLight | None:
        wide, high = (max(length / 2, 5.0) for length in lamp_size(self.camera))
        for light in reversed(self.scenery.lights):
            centre = self.camera.point(light.x, light.y)
            if abs(centre.x() - point.x()) <= wide and abs(centre.y() - point.y()) <= high:
                return light
        return None

    def point_of(self, actor: int) -> QPointF | None:
        """Where an actor is on the screen."""
        index = self.scenery.crowd.index_of(actor)
        if index is not None:
            return self.camera.point(float(self.scenery.crowd.x[index]), float(self.scenery.crowd.y[index]))
        light = next((light for light in self.scenery.lights if light.actor == actor), None)
        return self.camera.point(light.x, light.y) if light is not None else None

    def wedge_of(self, actor: int) -> QPointF | None:
        """Where the handle is that turns an actor: on the front of its box."""
        index = self.scenery.crowd.index_of(actor)
        if index is None:
            return None
        crowd = self.scenery.crowd
        reach = max(0.75 * float(crowd.half[index, 0]), 8.0 / self.camera.scale)
        yaw = float(crowd.yaw[index])
        x, y = float(crowd.x[index]), float(crowd.y[index])
        return self.camera.point(x + reach * math.cos(yaw), y + reach * math.sin(yaw))

    def _frame_on_trail(self, point: QPointF) -> int | None:
        """The frame of a trail that is shown, under a point."""
        snapshot = self.session.snapshot
        if not self.switches["trails"] or snapshot is None:
            return None
        for trajectory in self._trajectories():
            trail = trail_of(trajectory, snapshot.elapsed, self.session.frame_index)
            frame = moment_at(trail, self.camera, point) if trail is not None else None
            if frame is not None:
                return frame
        return None

    # --- mouse ------------------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        camera = self.camera.zoomed(1.2**steps, event.position())
        if self.followed is not None:
            camera = camera.at(self.camera.x, self.camera.y)
        self.set_camera(camera)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._pressed = self._last = point
        if event.button() == Qt.MouseButton.MiddleButton:
            self._tool = "pan"
        if event.button() != Qt.MouseButton.LeftButton or self.session.snapshot is None:
            return
        if self.switches["measure"]:
            self._tool = "measure"
            begun = self._measured if len(self._measured) == 1 else []
            self._measured = [*begun, self.camera.world(point)]
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self.actor_at(point) is None:
            self._tool = "band"
        else:
            self._tool = self._tool_at(point)
            first = self.session.actor if self._tool == "turn" else self.actor_at(point)
            self._dragging = first if self._tool in ("move", "turn") else None

    def _tool_at(self, point: QPointF) -> Tool:
        """What dragging from a point does: one of the selected is moved or turned, and the ground is moved about."""
        selected = self.session.actors_selected
        if not selected or not self.session.is_complete:
            return "pan"
        wedge = self.wedge_of(selected[0])
        if wedge is not None and math.hypot(wedge.x() - point.x(), wedge.y() - point.y()) <= 7:
            return "turn"
        return "move" if self.actor_at(point) in selected else "pan"

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        moved = math.hypot(point.x() - self._pressed.x(), point.y() - self._pressed.y()) > _CLICK
        step, self._last = point - self._last, point
        if not self._tool:
            self._hover(point)
        elif self._tool == "pan" and (moved or event.buttons() & Qt.MouseButton.MiddleButton):
            self.followed = None
            self.set_camera(self.camera.moved(step.x(), step.y()))
            self.caption_changed.emit(self.caption)
        elif self._tool == "band" and moved:
            self._band = QRectF(self._pressed, point).normalized()
        elif self._tool in ("move", "turn") and moved:
            self._ghost = self._dragged(point)
        self.redraw()

    def _hover(self, point: QPointF) -> None:
        tool = self._tool_at(point) if self.session.snapshot is not None else "pan"
        shapes = {"turn": Qt.CursorShape.CrossCursor, "move": Qt.CursorShape.SizeAllCursor}
        shape = shapes.get(tool)
        if shape is None:
            over = self.actor_at(point) is not None
            shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
        if self.switches["measure"]:
            shape = Qt.CursorShape.CrossCursor
        self.viewport().setCursor(shape)

    def _dragged(self, point: QPointF) -> Ghost | None:
        actor = self._dragging
        if actor is None:
            return None
        if self._tool == "move":
            dx, dy = (point.x() - self._pressed.x(), point.y() - self._pressed.y())
            return Ghost(actor, dx / self.camera.scale, dy / self.camera.scale)
        crowd = self.scenery.crowd
        index = crowd.index_of(actor)
        if index is None:
            return None
        x, y = self.camera.world(point)
        angle = math.degrees(math.atan2(y - float(crowd.y[index]), x - float(crowd.x[index])) - float(crowd.yaw[index]))
        return Ghost(actor, turn=(angle + 180.0) % 360.0 - 180.0)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        tool, self._tool = self._tool, ""
        point = event.position()
        moved = math.hypot(point.x() - self._pressed.x(), point.y() - self._pressed.y()) > _CLICK
        if tool == "band" and moved:
            self._select_band(QRectF(self._pressed, point).normalized())
        elif tool in ("move", "turn") and moved and self._ghost is not None:
            self._apply(self._ghost)
        elif tool in ("pan", "move", "turn", "band") and not moved and event.button() == Qt.MouseButton.LeftButton:
            self._click(point, add=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        self._band = None
        self._ghost = None
        self.redraw()

    def _click(self, point: QPointF, *, add: bool) -> None:
        actor = self.actor_at(point)
        if actor is not None:
            self.session.select_actor(actor, add=add)
            return
        frame = self._frame_on_trail(point)
        if frame is not None:
            self.session.go_to_frame(frame)
        elif not add and self.session.actor is not None:
            self.session.select(Place(self.session.row))

    def _select_band(self, band: QRectF) -> None:
        crowd = self.scenery.crowd
        x, y = self.camera.points(crowd.x, crowd.y)
        inside = (x >= band.left()) & (x <= band.right()) & (y >= band.top()) & (y <= band.bottom())
        chosen = inside & crowd.road_users if (inside & crowd.road_users).any() else inside
        self.session.select_actors(tuple(crowd.ids[chosen].tolist()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        actor = self.actor_at(event.position())
        self.follow_actor(actor)
        if actor is not None:
            self.session.select_actor(actor)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._tip(event)
            return True
        return bool(super().viewportEvent(event))

    def _tip(self, event: QHelpEvent) -> None:
        actor = self.actor_at(QPointF(event.pos()))
        snapshot = self.session.snapshot
        place = self.session.place_of_actor(actor) if actor is not None else None
        if place is None or snapshot is None:
            QToolTip.hideText()
            return
        QToolTip.showText(event.globalPos(), describe(snapshot, place, self.session.actors), self)

    # --- edits ------------------------------------------------------------------------------------------

    def _apply(self, ghost: Ghost) -> None:
        """One edit for a drag, over the frames the panel says."""
        session, actors = self.session, self.session.actors
        life = actors.at(ghost.actor, session.frame_index) if actors is not None else None
        snapshot, frame = session.snapshot, session.frame
        if life is None or snapshot is None or frame is None:
            session.refused.emit(self.tr("Actor %1 is not alive in this frame.").replace("%1", str(ghost.actor)))
            return
        packet = frame.packet("Position")
        record = packet.decoded.find_actor(ghost.actor) if packet is not None else None
        pivot = None
        if packet is not None and record is not None:
            x, y = (float(packet.array[name][record]) / 100 for name in ("location.x", "location.y"))
            pivot = x, y
        self._start(life, (ghost.dx, ghost.dy, 0.0), ghost.turn, pivot)

    def _frames_of(self, life: Life) -> range:
        """The frames an edit of this actor is meant for."""
        if self.session.scope != "life":
            return self.session.frames_for()
        return range(life.born, life.gone if life.gone is not None else self.session.frames)

    def _start(
        self, life: Life, offset: tuple[float, float, float], turn: float, pivot: tuple[float, float] | None
    ) -> None:
        frames = self._frames_of(life)

        def make(snapshot: Snapshot, progress: Progress) -> Edit:
            return move_actors(snapshot, [life], offset, turn, frames, pivot=pivot, progress=progress)

        title = self.tr("Moving %1 over %2 frames").replace("%1", str(life.actor)).replace("%2", f"{len(frames):,}")
        self.session.attempt_over(len(frames), title, make)

    # --- keys -------------------------------------------------------------------------------------------

    def switch(self, name: str, on: bool | None = None) -> None:
        """Turn something on or off: `roads`, `trails`, `ids`, `measure`, `colours`."""
        self.switches[name] = not self.switches[name] if on is None else on
        if name == "measure":
            self._measured.clear()
        self.toggled.emit(name, self.switches[name])
        self.redraw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers()
        plain = not modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        letters = {Qt.Key.Key_T: "trails", Qt.Key.Key_R: "roads", Qt.Key.Key_M: "measure"}
        if key == Qt.Key.Key_Escape:
            self._tool, self._ghost, self._band = "", None, None
            self._measured.clear()
            self.redraw()
        elif plain and key == Qt.Key.Key_F:
            self.fit()
        elif plain and key in letters:
            self.switch(letters[Qt.Key(key)])
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            factor = 1.25 if key == Qt.Key.Key_Plus else 0.8
            self.set_camera(self.camera.zoomed(factor, QPointF(self.camera.width / 2, self.camera.height / 2)))
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._step(-1 if key == Qt.Key.Key_Left else 1, modifiers)
        elif key == Qt.Key.Key_Home:
            self.session.go_to_frame(0)
        elif key == Qt.Key.Key_End:
            self.session.go_to_frame(self.session.frames - 1)
        else:
            event.ignore()

    def _step(self, by: int, modifiers: Qt.KeyboardModifier) -> None:
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self.session.step_event(by)
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            self.session.step_seconds(float(by))
        else:
            self.session.step(by)
