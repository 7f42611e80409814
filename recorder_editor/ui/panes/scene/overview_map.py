"""The overview map in a corner of the scene: the whole ground, the road users on it, and what of it is in view."""

import math
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from ....arrays import FloatArray, quantile
from ....texts import say
from ....views.frame_actors import Kind
from ....views.road_shapes import RoadShapes
from ....views.streets import Streets
from ...style.painting import draw_box, set_colors
from ...style.theme import Theme
from ...widgets.base import ThemedWidget
from .camera import FAR, Camera
from .road_paths import path_of_quads
from .shapes import EDGE, polygon_of
from .state import SceneState

_WIDTH = 204
_HEIGHT = 150
_LEAST_WIDTH = 560
_LEAST_HEIGHT = 360
"""Pixels of a scene below which there is no room for it."""

_MOST_IN_VIEW = 1 / 3
"""The share of the map in view from which the scene itself is overview enough."""

_DOT = 2.6  # px
_HERO_RING = 6.0  # px
_FRAME = 1.5  # px
_SMALLEST_FRAME = 8.0  # px
_STREET = 2.8  # px
_BESIDE = 5.0  # m around the ground: one straight street has an area, too
_STEP = 0.1  # of the view: how far an arrow key goes
_CLOSER = 1.25

Ground = Streets | RoadShapes


def box_of_ground(ground: Ground) -> QRectF | None:
    """Return the world rectangle of streets or roads, m; far-away pieces are left out. None without any."""
    if isinstance(ground, Streets):
        low = ground.boxes[:, :2]
        high = ground.boxes[:, 2:]
    else:
        corners = [quads.corners for quads in ground.far.values()]
        if not corners:
            return None
        all_corners = np.concatenate(corners)
        low = all_corners.min(axis=1)
        high = all_corners.max(axis=1)
    is_finite = np.isfinite(low).all(axis=1) & np.isfinite(high).all(axis=1)
    low = low[is_finite]
    high = high[is_finite]
    if not len(low):
        return None
    if isinstance(ground, Streets):
        # A road map may be large; of recorded paths one that is kilometres away is a car that fell out of the world.
        middle_x = quantile(low[:, 0], 0.5)
        middle_y = quantile(low[:, 1], 0.5)
        is_near = np.hypot(low[:, 0] - middle_x, low[:, 1] - middle_y) <= FAR
        if is_near.any():  # else they are in several towns, and none is in the middle of all
            low = low[is_near]
            high = high[is_near]
    left, top = low.min(axis=0).tolist()
    right, bottom = high.max(axis=0).tolist()
    return QRectF(QPointF(left, top), QPointF(right, bottom)).adjusted(-_BESIDE, -_BESIDE, _BESIDE, _BESIDE)


def share_in_view(box: QRectF, camera: Camera) -> float:
    """Return how much of a world rectangle (m) a camera shows, 0 to 1."""
    seen = box.intersected(camera.level.view)
    return seen.width() * seen.height() / max(box.width() * box.height(), 1e-9)


def _covers_any(rect: QRectF, circles: FloatArray) -> bool:
    """Return whether a rectangle covers something of any of these circles: x, y and radius, px, float64[n, 3]."""
    x, y, radius = circles.T
    beside_x = np.abs(x - rect.center().x()) - rect.width() / 2
    beside_y = np.abs(y - rect.center().y()) - rect.height() / 2
    return bool((np.maximum(beside_x, beside_y) < radius).any())


class OverviewMap(ThemedWidget):
    """The map, at the top left of its parent, or at the top right; it takes the mouse, and the keys with the focus.

    Signals: `moved(float, float)` (this place is to be in the middle, m), `zoomed(float)` (closer by a factor).
    """

    moved = Signal(float, float)
    zoomed = Signal(float)

    def __init__(self, theme: Theme, parent: QWidget, shown: Callable[[], SceneState]) -> None:
        """Make the map; `shown` gives the state of the scene."""
        super().__init__(theme, parent)
        self._shown = shown
        self._ground: Ground | None = None
        self._box: QRectF | None = None
        self._picture: QPixmap | None = None
        self._picture_of: tuple[object, ...] = ()
        self._offset: QPointF | None = None
        self._is_right = False
        self.is_wanted = True
        self.setObjectName("overview-map")
        self.setAccessibleName(say("Overview map"))
        self.setAccessibleDescription(say("Arrow keys move what is in view, + and - zoom"))
        self.setToolTip(say("Drag the frame or click to move, turn the wheel to zoom"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.restyle()
        self.hide()

    def show_ground(self, ground: Ground | None) -> None:
        """Draw other roads or streets."""
        if ground is not self._ground:
            self._ground = ground
            self._box = None
            if ground is not None:
                self._box = box_of_ground(ground)
            self._picture = None

    def follow(self, camera: Camera, pointer: QPointF | None, selected: FloatArray) -> None:
        """Show or hide the map, as the view of the scene wants it.

        Args:
            camera: The camera of the scene.
            pointer: Where something is dragged in the scene, px; None while nothing is.
            selected: Middle and reach of the selected actors: x and y (NaN: nowhere) and radius, px, float64[n, 3].
        """
        is_shown = self.is_wanted and self._box is not None
        is_shown = is_shown and camera.width >= _LEAST_WIDTH and camera.height >= _LEAST_HEIGHT
        if is_shown and self._box is not None:
            is_shown = share_in_view(self._box, camera) < _MOST_IN_VIEW
        if pointer is not None and QRectF(self.geometry()).contains(pointer):
            is_shown = False
        if self._offset is None:  # what is dragged here stays under the pointer
            self._fit(camera)
            self.setVisible(is_shown)
            if not self.underMouse():
                self._choose_corner(camera, selected)

    def _fit(self, camera: Camera) -> None:
        """Grow with the text, and cover no more of the scene than of the smallest one that it is shown in."""
        most = min(camera.width / _LEAST_WIDTH, camera.height / _LEAST_HEIGHT)
        scale = max(1.0, min(self.theme.px(_WIDTH) / _WIDTH, most))
        self.resize(round(scale * _WIDTH), round(scale * _HEIGHT))

    def _choose_corner(self, camera: Camera, selected: FloatArray) -> None:
        """Go to the other corner where a selected actor is beneath this one, and none beneath that one."""
        corners = []
        for left in (EDGE, round(camera.width) - EDGE - self.width()):
            corners.append(QRectF(left, EDGE, self.width(), self.height()))
        is_taken = [_covers_any(corner, selected) for corner in corners]
        if is_taken[self._is_right] and not is_taken[not self._is_right]:
            self._is_right = not self._is_right
        self.move(corners[self._is_right].topLeft().toPoint())

    def restyle(self) -> None:
        super().restyle()
        self._picture = None
        self.setGeometry(self.x(), EDGE, self.theme.px(_WIDTH), self.theme.px(_HEIGHT))

    @property
    def camera(self) -> Camera:
        """From metres to pixels of the map."""
        camera = Camera(width=float(self.width()), height=float(self.height()))
        return camera.fitted(self._box or QRectF())

    def frame(self) -> QPolygonF:
        """Return what is in view of the scene, px of the map; a small view has a frame that can be seen and dragged."""
        scene = self._shown().camera
        camera = self.camera
        least = _SMALLEST_FRAME / camera.scale
        reach_x = max(scene.width / scene.scale, least) / 2
        reach_y = max(scene.height / scene.scale, least) / 2
        middle = camera.point(scene.x, scene.y)
        corners = []
        for side_x, side_y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            corners.append(QPointF(side_x * reach_x, side_y * reach_y) * camera.scale)
        turned = QTransform.fromTranslate(middle.x(), middle.y())
        turned.rotate(-math.degrees(scene.angle))
        return turned.map(QPolygonF(corners))

    # --- painting ---------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        edge = self.theme.palette.edge
        if self.hasFocus():
            edge = self.theme.palette.selection
        draw_box(painter, self.rect(), self.theme.palette.field, edge)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.drawPixmap(0, 0, self._ground_picture())
        self._draw_road_users(painter)
        set_colors(painter, None, QPen(self.theme.palette.selection, _FRAME))
        painter.drawPolygon(self.frame())

    def _ground_picture(self) -> QPixmap:
        """Return the roads or streets, which are drawn once."""
        ratio = self.devicePixelRatioF()
        key = (self.theme.palette, self.size(), ratio)
        if self._picture is None or self._picture_of != key:
            self._picture_of = key
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw_ground(painter)
            painter.end()
        return self._picture

    def _draw_ground(self, painter: QPainter) -> None:
        camera = self.camera
        color = self.theme.palette.kerb
        if isinstance(self._ground, Streets):
            x, y = camera.points(*self._ground.places(0.5 / camera.scale).T)
            painter.setPen(QPen(color, _STREET, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPoints(polygon_of(x, y))
        elif self._ground is not None:
            painter.translate(camera.point(0.0, 0.0))
            painter.scale(camera.scale, camera.scale)
            for quads in self._ground.roads_in_parts():
                painter.fillPath(path_of_quads(quads), color)

    def _draw_road_users(self, painter: QPainter) -> None:
        palette = self.theme.palette
        camera = self.camera
        actors = self._shown().actors
        colors = {Kind.VEHICLE: palette.vehicle, Kind.TWO_WHEELER: palette.two_wheeler, Kind.WALKER: palette.walker}
        for kind, color in colors.items():
            chosen = (actors.kind == kind) & np.isfinite(actors.x) & np.isfinite(actors.y)
            x, y = camera.points(actors.x[chosen], actors.y[chosen])
            # Without an edge, which costs as much again and says nothing at this size.
            painter.setPen(QPen(color, _DOT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPoints(polygon_of(x, y))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(palette.hero, 1.4))
        for index in np.flatnonzero(actors.hero & np.isfinite(actors.x)).tolist():
            place = camera.point(float(actors.x[index]), float(actors.y[index]))
            painter.drawEllipse(place, _HERO_RING / 2, _HERO_RING / 2)

    # --- mouse and keys ---------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        scene = self._shown().camera
        point = event.position()
        middle = self.camera.point(scene.x, scene.y)
        if self.frame().containsPoint(point, Qt.FillRule.WindingFill):
            self._offset = middle - point
        else:
            self._offset = QPointF()
            self._move_to(point)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._offset is not None:
            self._move_to(event.position() + self._offset)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._offset = None

    def hideEvent(self, event: QEvent) -> None:
        self._offset = None

    def _move_to(self, point: QPointF) -> None:
        """Have the place under a point of the map in the middle of the scene."""
        inside = QPointF(min(max(point.x(), 0.0), self.width()), min(max(point.y(), 0.0), self.height()))
        self.moved.emit(*self.camera.world(inside))

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        if steps:
            self.zoomed.emit(1.2**steps)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        scene = self._shown().camera
        ways = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
        way = ways.get(Qt.Key(event.key()))
        if way is not None:
            across, down = way
            x, y = scene.way(QPointF(across * scene.width * _STEP, down * scene.height * _STEP))
            self.moved.emit(scene.x + x, scene.y + y)
        elif event.key() == Qt.Key.Key_Plus:
            self.zoomed.emit(_CLOSER)
        elif event.key() == Qt.Key.Key_Minus:
            self.zoomed.emit(1 / _CLOSER)
        else:
            event.ignore()
