"""The instruments at the edges of the scene: grid, north, scale bar, and the legend of the trails."""

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen

from ..palette import with_alpha
from ..theme import Theme
from .camera import Camera, nice_length

EDGE = 14.0
_CLOSE = 24.0
_VERY_CLOSE = 90.0


class Corners:
    """Draws them for one camera."""

    def __init__(self, painter: QPainter, theme: Theme, camera: Camera) -> None:
        self.painter = painter
        self.theme = theme
        self.palette = theme.palette
        self.camera = camera

    def taken(self) -> tuple[QRectF, ...]:
        """Where no label may go."""
        width, height = self.camera.width, self.camera.height
        bar, words = self._scale()
        reach = bar + QFontMetricsF(self.theme.small).horizontalAdvance(words) + 2 * EDGE + 6
        return (
            QRectF(0, height - 40, reach, 40),
            QRectF(width - 44, 0, 44, 60),
            QRectF(width - 180, height - 40, 180, 40),
        )

    def grid(self) -> None:
        """Lines every ten metres, or every metre, only where one looks closely."""
        camera = self.camera
        if camera.scale < _CLOSE:
            return
        step = 10.0 if camera.scale < _VERY_CLOSE else 1.0
        view = camera.view
        lines = []
        for x in np.arange(math.ceil(view.left() / step) * step, view.right(), step).tolist():
            px = round(camera.point(x, 0).x()) + 0.5
            lines.append(QLineF(px, 0, px, camera.height))
        for y in np.arange(math.ceil(view.top() / step) * step, view.bottom(), step).tolist():
            py = round(camera.point(0, y).y()) + 0.5
            lines.append(QLineF(0, py, camera.width, py))
        self.painter.setPen(QPen(with_alpha(self.palette.path, 0.35), 1))
        self.painter.drawLines(lines)

    def north(self) -> None:
        """An arrow up: the simulator's top view has no other way."""
        painter = self.painter
        x, top = self.camera.width - EDGE - 8, EDGE + 2
        self._chip(QRectF(x - 11, top - 5, 22, 44))
        painter.setPen(QPen(self.palette.text, 1.3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        arrow = QPainterPath(QPointF(x, top + 22))
        arrow.lineTo(x, top)
        arrow.moveTo(x - 4, top + 5)
        arrow.lineTo(x, top)
        arrow.lineTo(x + 4, top + 5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(arrow)
        painter.setFont(self.theme.small)
        painter.drawText(QRectF(x - 10, top + 23, 20, 14), Qt.AlignmentFlag.AlignCenter, "N")

    def _chip(self, rect: QRectF) -> None:
        """What lies beneath an instrument shows through faintly."""
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(with_alpha(self.palette.scene, 0.85))
        self.painter.drawRoundedRect(rect, 3, 3)

    def _scale(self) -> tuple[float, str]:
        length = nice_length(120 / self.camera.scale)
        if length >= 1000:
            words = f"{length / 1000:g} km"
        else:
            words = f"{length:g} m" if length >= 1 else f"{length * 100:g} cm"
        return length * self.camera.scale, words

    def scale_bar(self) -> None:
        """A round length of at most 120 pixels."""
        painter, palette = self.painter, self.palette
        pixels, text = self._scale()
        width = QFontMetricsF(self.theme.small).horizontalAdvance(text)
        left, base = EDGE, self.camera.height - EDGE
        self._chip(QRectF(left - 6, base - 14, pixels + width + 20, 22))
        painter.setPen(QPen(palette.text, 1.3))
        painter.drawLines(
            [
                QLineF(left, base, left + pixels, base),
                QLineF(left, base - 5, left, base),
                QLineF(left + pixels, base - 5, left + pixels, base),
            ]
        )
        painter.setFont(self.theme.small)
        painter.setPen(palette.muted)
        rect = QRectF(left + pixels + 6, base - 11, width + 4, 16)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, text)

    def legend(self, fastest: float) -> None:
        """What the colours of the trails mean."""
        painter, palette = self.painter, self.palette
        text = f"{fastest:g} m/s"
        width = QFontMetricsF(self.theme.small).horizontalAdvance(text)
        right, middle = self.camera.width - EDGE, self.camera.height - EDGE - 3
        bar = QRectF(right - width - 6 - 72, middle - 2.5, 72, 5)
        self._chip(bar.adjusted(-20, -10, width + 12, 10))
        painter.setPen(Qt.PenStyle.NoPen)
        for step in range(36):
            painter.setBrush(palette.speed_color(step / 35))
            painter.drawRect(QRectF(bar.left() + 2 * step, bar.top(), 2.4, 5))
        painter.setFont(self.theme.small)
        painter.setPen(palette.muted)
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(bar.left() - 14, middle - 8, 12, 16), flags, "0")
        painter.drawText(QRectF(bar.right() + 6, middle - 8, width + 2, 16), flags, text)
