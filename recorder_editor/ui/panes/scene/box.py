"""The view box of the scene: it has the camera, its children are the layers, and it handles the mouse."""

import math
from collections.abc import Callable
from functools import cached_property

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import (
    QGraphicsSceneHoverEvent,
    QGraphicsSceneMouseEvent,
    QGraphicsSceneResizeEvent,
    QGraphicsSceneWheelEvent,
    QGraphicsWidget,
)

from ....reading import Ghost
from ...style.theme import Theme
from .camera import Camera
from .gestures import Tool
from .hints import NOWHERE, Pointed
from .layers import LAYERS, Layer, WipeLine
from .path_handles import PathHandle, handle_at
from .state import SceneState, actor_at, wedge_of

_CLICK = 4.0  # px that a click may move
_HANDLE = 7.0  # px around the handle that turns an actor
_GRIP = 7.0  # px on each side of the line between two recordings
Point = tuple[float, float]
Aim = Callable[[], Point]


class SceneBox(QGraphicsWidget):
    """The camera, the layers and the tools of the mouse.

    Signals: `changed` (camera or tool, the state is to be made anew), `panned`, `wheeled(float, QPointF)` (closer by a
    factor), `clicked(QPointF, bool)` (with Shift), `double_clicked(QPointF)`, `banded(QRectF)`, `dragged(Ghost)` (an
    actor was dropped), `handle_dragged(PathHandle, tuple)` (to a place, m), `handle_released(int, bool)` (of a key; was
    it dragged), `dropped` (the handle stays where it was: its button will not be released here), `pointer_moved` (no
    button is held, or the pointer has left the scene), `pointed_changed` (the pointer is at something else, or other
    modifiers are held), `wiped(float)` (the line between two recordings is at this share of the width).

    Attributes:
        layers: What is drawn, the lowest first.
        ghost: Where the actor that is dragged would be; None while none is.
        band: The rubber band, px; None while there is none.
        measured: The ends of a distance that are set, m.
        measuring: Whether clicks measure.
        aim: Gives the second end of a distance while only the first one is set, m.
        snap: Puts an actor that is dragged with Shift on its lane.
        pointer: Where the pointer is, px; None while it is elsewhere.
        pointed: What the pointer is at.
        modifiers: Those that are held, as far as an event told.
    """

    changed = Signal()
    panned = Signal()
    wheeled = Signal(float, QPointF)
    clicked = Signal(QPointF, bool)
    double_clicked = Signal(QPointF)
    banded = Signal(QRectF)
    dragged = Signal(object)
    handle_dragged = Signal(object, object)
    handle_released = Signal(int, bool)
    dropped = Signal()
    pointer_moved = Signal()
    pointed_changed = Signal()
    wiped = Signal(float)

    def __init__(self, theme: Theme, make_state: Callable[[], SceneState]) -> None:
        """Make the box; `make_state` gives what is shown now and is called once after each `forget_shown`."""
        super().__init__()
        self._make_state = make_state
        self._camera = Camera()
        self.setAcceptHoverEvents(True)
        self.layers: tuple[Layer, ...] = tuple(kind(theme) for kind in LAYERS)
        for depth, layer in enumerate(self.layers):
            layer.setZValue(depth)
            layer.setParentItem(self)
            layer.peers = self.layers
        self.measuring = False
        self.pointer: QPointF | None = None
        self.snap: Callable[[Ghost], Ghost] = lambda ghost: ghost
        self._tool: Tool = ""
        self.pointed = NOWHERE
        self.modifiers = Qt.KeyboardModifier.NoModifier
        self._pressed = self._last = QPointF()
        self._dragging: int | None = None
        self._handle: PathHandle | None = None
        self.ghost: Ghost | None = None
        self.band: QRectF | None = None
        self.measured: list[Point] = []
        self.aim: Aim = self._pointed_place

    # --- what is shown ----------------------------------------------------------------------------------

    @cached_property
    def shown(self) -> SceneState:
        """What is shown now."""
        return self._make_state()

    def forget_shown(self) -> None:
        """Make the state anew when it is needed next."""
        self.__dict__.pop("shown", None)

    def prepare_layers(self) -> None:
        """Give the layers what is shown now, before they are painted."""
        shown = self.shown
        is_other = False
        for layer in self.layers:
            if layer.state is not shown:
                layer.set_state(shown)
                is_other = True
        if is_other and self.pointed is not NOWHERE and not self._tool:
            self._point(self._pointed_at(self._last), self.modifiers)

    # --- the camera -------------------------------------------------------------------------------------

    @property
    def camera(self) -> Camera:
        """Which part of the world is seen."""
        return self._camera

    def set_camera(self, camera: Camera) -> None:
        """Show another part of the world."""
        self._camera = camera
        self.changed.emit()

    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:
        """Keep the middle and the scale in another size."""
        super().resizeEvent(event)
        width = max(1.0, self.rect().width())
        height = max(1.0, self.rect().height())
        self.set_camera(self._camera._replace(width=width, height=height))

    # --- the mouse --------------------------------------------------------------------------------------

    def wheelEvent(self, event: QGraphicsSceneWheelEvent) -> None:
        if event.orientation() == Qt.Orientation.Vertical:
            steps = event.delta() / 120
        else:
            steps = 0.0
        if steps:
            self.wheeled.emit(1.2**steps, event.pos())

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        point = event.pos()
        button = event.button()
        if button not in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            event.ignore()
            return
        self._pressed = self._last = point
        if button == Qt.MouseButton.MiddleButton:
            self._tool = "pan"
            return
        pointed = self._pointed_at(point)
        self._tool = pointed.tool
        self._handle = handle_at(self.shown.path_handles, point)
        if self._tool == "turn":
            self._dragging = self.shown.selected[0]
        else:
            self._dragging = pointed.actor
        if self._tool == "measure":
            self.mark(self._pointed_place())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier and pointed.actor is None:
            self._tool = "band"

    def _pointed_at(self, point: QPointF) -> Pointed:
        """Return what is at a point, and what dragging does there without a modifier."""
        shown = self.shown
        actor = actor_at(shown, point)
        if self.measuring:
            return Pointed("measure", actor)
        if shown.drawn is not None and shown.drawn.is_on:
            return Pointed("draw", actor)
        if self.is_on_line(point):
            return Pointed("wipe")
        handle = handle_at(shown.path_handles, point)
        if handle is not None:
            return Pointed("path", actor, handle.part)
        if not shown.selected or not shown.editable:
            return Pointed("pan", actor)
        wedge = wedge_of(shown, shown.selected[0])
        if wedge is not None and QLineF(wedge, point).length() <= _HANDLE:
            return Pointed("turn", shown.selected[0])
        if actor in shown.selected:
            return Pointed("move", actor)
        return Pointed("pan", actor)

    def _point(self, pointed: Pointed, modifiers: Qt.KeyboardModifier) -> None:
        """Note what the pointer is at, and which modifiers are held."""
        if (pointed, modifiers) != (self.pointed, self.modifiers):
            self.pointed = pointed
            self.modifiers = modifiers
            self.pointed_changed.emit()

    def hold(self, modifiers: Qt.KeyboardModifier) -> None:
        """Note which modifiers are held; an actor that is dragged follows Shift at once."""
        self._point(self.pointed, modifiers)
        if self._tool == "move" and self.ghost is not None:
            self.ghost = self._dragged(self._last, snaps=bool(modifiers & Qt.KeyboardModifier.ShiftModifier))
            self.changed.emit()

    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        if event.buttons() == Qt.MouseButton.NoButton:
            self.drop()  # it was released where no event came from: over a menu, in another window
        point = event.pos()
        moved = QLineF(point, self._pressed).length() > _CLICK
        step = point - self._last
        self._last = self.pointer = point
        self._point(self.pointed, event.modifiers())
        if self._tool in ("pan", "draw") and (moved or event.buttons() & Qt.MouseButton.MiddleButton):
            self.panned.emit()
            self.set_camera(self._camera.moved(step.x(), step.y()))
        elif self._tool == "band" and moved:
            self.band = QRectF(self._pressed, point).normalized()
            self.changed.emit()
        elif self._tool in ("move", "turn") and moved:
            self.ghost = self._dragged(point, snaps=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
            self.changed.emit()
        elif self._tool == "wipe" and moved:
            self.wiped.emit(min(max(point.x() / max(1.0, self.rect().width()), 0.0), 1.0))
        elif self._tool == "path" and moved:
            self.handle_dragged.emit(self._handle, self._camera.world(point))
        elif self._tool == "measure":
            self.changed.emit()

    def hoverMoveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        self._last = self.pointer = event.pos()
        pointed = self._pointed_at(self._last)
        if pointed.tool == "wipe":
            cursor = Qt.CursorShape.SplitHCursor
        elif pointed.tool == "move":
            cursor = Qt.CursorShape.SizeAllCursor
        elif pointed.tool != "pan":
            cursor = Qt.CursorShape.CrossCursor
        elif pointed.actor is not None:
            cursor = Qt.CursorShape.PointingHandCursor
        else:
            cursor = Qt.CursorShape.ArrowCursor
        self.setCursor(cursor)
        self._point(pointed, event.modifiers())
        if len(self.measured) == 1:
            self.changed.emit()
        self.pointer_moved.emit()

    def hoverLeaveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        self.pointer = None
        self._point(NOWHERE, event.modifiers())
        self.pointer_moved.emit()

    def _dragged(self, point: QPointF, *, snaps: bool) -> Ghost | None:
        """Return where the dragged actor would be; None where the actor that is turned has gone."""
        actor = self._dragging
        actors = self.shown.actors
        if actor is None:
            return None
        if self._tool == "move":
            dx, dy = self._camera.way(point - self._pressed)
            moved = Ghost(actor, dx, dy)
            if snaps:
                return self.snap(moved)
            return moved
        index = actors.index_of(actor)
        if index is None:
            return None
        x, y = self._camera.world(point)
        angle = math.atan2(y - float(actors.y[index]), x - float(actors.x[index])) - float(actors.yaw[index])
        return Ghost(actor, turn=(math.degrees(angle) + 180.0) % 360.0 - 180.0)

    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        tool = self._tool
        band = self.band
        ghost = self.ghost
        self._tool = ""
        self.band = None
        self.ghost = None
        point = event.pos()
        moved = QLineF(point, self._pressed).length() > _CLICK
        if tool == "band" and moved:
            self.banded.emit(QRectF(self._pressed, point).normalized())
        elif tool in ("move", "turn") and moved and ghost is not None:
            self.dragged.emit(ghost)
        elif tool == "path" and self._handle is not None:
            self.handle_released.emit(self._handle.key, moved)
        elif tool not in ("", "measure", "wipe") and not moved and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(point, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        if band is not None or ghost is not None:
            self.changed.emit()

    def mouseDoubleClickEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        if self.is_on_line(event.pos()):
            self.wiped.emit(0.5)
        else:
            self.double_clicked.emit(event.pos())

    def is_on_line(self, point: QPointF) -> bool:
        """Return whether a point is on the line between two recordings, or on its handle."""
        wipe = self.shown.wipe
        if wipe is None:
            return False
        line = next(layer for layer in self.layers if isinstance(layer, WipeLine))
        return abs(point.x() - wipe.x) <= _GRIP or line.handle().contains(point)

    def sceneEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UngrabMouse:
            self.drop()
        return super().sceneEvent(event)

    def drop(self) -> None:
        """End a drag without its release, and leave everything where it was."""
        tool = self._tool
        self._tool = ""
        if tool:
            self.ghost = None
            self.band = None
            self._handle = None
            if tool == "path":
                self.dropped.emit()
            self.changed.emit()

    @property
    def is_in_use(self) -> bool:
        """Whether a button is held on the scene."""
        return bool(self._tool)

    @property
    def dragged_tool(self) -> Tool:
        """The tool that moves, turns or selects something at this moment; empty without one."""
        is_dragged = self.ghost is not None or self.band is not None or self._handle is not None
        if self._tool in ("move", "turn", "band", "path") and is_dragged:
            return self._tool
        return ""

    @property
    def is_moving(self) -> bool:
        """Whether an actor or a handle of a path is dragged."""
        return self._tool in ("move", "turn", "path")

    def give_up(self) -> bool:
        """Give up what the tool in use has begun, a distance with one end, too; return False where there is nothing."""
        has_begun = bool(self._tool) or len(self.measured) == 1
        self.drop()
        if len(self.measured) == 1:
            self.measured.clear()
            self.changed.emit()
        return has_begun

    def _pointed_place(self) -> Point:
        """Return the place under the pointer, m."""
        return self._camera.world(self._last)

    def mark(self, place: Point, aim: Aim | None = None) -> None:
        """Set an end of a distance: the second one where the first one alone is set, else the first one.

        Args:
            place: The end, m.
            aim: Gives the second end until it is set, m; None for the place under the pointer.
        """
        if len(self.measured) != 1:
            self.measured = []
        self.measured.append(place)
        self.aim = aim or self._pointed_place
        self.changed.emit()

    @property
    def measure(self) -> tuple[Point, Point] | None:
        """The two places of the distance that is measured, m; the second one may still move."""
        if not self.measuring or not self.measured:
            return None
        if len(self.measured) == 1:
            return self.measured[0], self.aim()
        return self.measured[0], self.measured[1]
