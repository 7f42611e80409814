"""The two road users of the chosen traffic event: where they go, where they would touch, and in how many seconds."""

import math
from collections.abc import Iterator

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from .....texts import say
from .....views.conflict import AHEAD, Way
from ....style.colors import with_alpha
from ....style.painting import set_colors
from ..label_layout import NOTE, Sides, Wish, sides_along
from ..shapes import chip_wish
from .layer import Layer

_BAND = 0.13  # opacity
_TICK = 0.5  # s
_TICK_LENGTH = 6.0  # px
_RING = 9.0  # px
_STANDS = 0.3  # m/s


class Conflicts(Layer):
    """Bands of the ways that the two of an event take at their present velocities, and the point where they meet."""

    is_faint = True

    def occupied(self) -> Iterator[Sides]:
        if self.state.conflict is not None:
            for way in self.state.conflict.ways:
                yield from sides_along(self._line(way))

    def notes(self) -> Iterator[Wish]:
        conflict = self.state.conflict
        if conflict is None or conflict.place is None:
            return
        text = say("{seconds:.2f} s", seconds=conflict.seconds)
        if not conflict.seconds:
            text = say("touch")
        yield chip_wish(self.theme, text, self.state.camera.point(*conflict.place), (_RING, _RING), rank=NOTE)

    def draw(self, painter: QPainter) -> None:
        conflict = self.state.conflict
        if conflict is None:
            return
        for way in conflict.ways:
            color = self.palette.hero if way.is_hero else self.palette.selection
            if math.hypot(way.vx, way.vy) > _STANDS:
                self._band(painter, way, color)
            if way.contact is not None:
                painter.setPen(QPen(color, 1.3, Qt.PenStyle.CustomDashLine))
                pen = painter.pen()
                pen.setDashPattern([3, 3])
                painter.setPen(pen)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                corners = [self.state.camera.point(x, y) for x, y in way.contact.tolist()]
                painter.drawConvexPolygon(QPolygonF(corners))
        if conflict.place is not None:
            self._point(painter, self.state.camera.point(*conflict.place))

    def _line(self, way: Way) -> QLineF:
        camera = self.state.camera
        return QLineF(camera.point(way.x, way.y), camera.point(way.x + way.vx * AHEAD, way.y + way.vy * AHEAD))

    def _band(self, painter: QPainter, way: Way, color: QColor) -> None:
        """Draw a way: its width, its middle with a tick each half second, and the seconds."""
        line = self._line(way)
        if not line.length():
            return
        across = QPointF(-line.dy(), line.dx()) / line.length()
        side = across * (way.half_width * self.state.camera.scale)
        set_colors(painter, with_alpha(color, _BAND))
        painter.drawConvexPolygon(QPolygonF([line.p1() + side, line.p2() + side, line.p2() - side, line.p1() - side]))
        pen = QPen(color, 1.3, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([5, 4])
        painter.setPen(pen)
        painter.drawLine(line)
        painter.setPen(QPen(color, 1.3))
        painter.setFont(self.theme.small)
        metrics = QFontMetricsF(self.theme.small)
        for number in range(1, round(AHEAD / _TICK) + 1):
            place = line.pointAt(number * _TICK / AHEAD)
            painter.drawLine(QLineF(place - across * _TICK_LENGTH, place + across * _TICK_LENGTH))
            seconds = number * _TICK
            if seconds.is_integer():
                text = say("{seconds:g} s", seconds=seconds)
                beside = place + across * (_TICK_LENGTH + metrics.height())
                width = metrics.horizontalAdvance(text)
                rect = QRectF(beside.x() - width / 2, beside.y() - metrics.height() / 2, width, metrics.height())
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)

    def _point(self, painter: QPainter, place: QPointF) -> None:
        """Draw a ring with a cross where the two would touch."""
        set_colors(painter, with_alpha(self.palette.scene, 0.75), QPen(self.palette.error, 1.8))
        painter.drawEllipse(place, _RING, _RING)
        arm = _RING / 2
        for dx, dy in ((arm, arm), (arm, -arm)):
            painter.drawLine(QLineF(place - QPointF(dx, dy), place + QPointF(dx, dy)))
