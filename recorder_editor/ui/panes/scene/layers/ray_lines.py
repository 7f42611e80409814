"""The places and rays of the frame: a dot at each, and a line that fades in the direction of a ray."""

from collections.abc import Iterator

from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QBrush, QLinearGradient, QPainter, QPen

from ....style.colors import with_alpha
from ....style.painting import set_colors
from ..label_layout import Sides, sides_along
from .layer import Layer

_DOT = 2.5  # px


class RayLines(Layer):
    """Places, gazes and beams, from packets of users that declare them."""

    is_faint = True

    def occupied(self) -> Iterator[Sides]:
        for _, line in self.state.ray_lines:
            yield from sides_along(line)

    def draw(self, painter: QPainter) -> None:
        color = self.palette.sensor
        end = with_alpha(color, 0.1)
        for _, line in self.state.ray_lines:
            fading = QLinearGradient(line.p1(), line.p2())
            fading.setStops([(0, color), (1, end)])
            painter.setPen(QPen(QBrush(fading), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawLine(QLineF(line))
            set_colors(painter, color)
            painter.drawEllipse(line.p1(), _DOT, _DOT)
