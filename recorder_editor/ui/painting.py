"""What painted views draw with: words at a side of a rectangle, and shapes with a ground and an edge."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

Sides = Qt.AlignmentFlag


def draw_text(painter: QPainter, rect: QRect | QRectF, sides: Sides, text: str, font: QFont, color: QColor) -> None:
    """Draw words."""
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(rect, sides, text)


def set_colors(painter: QPainter, ground: QColor | None, edge: QPen | None = None) -> None:
    """Fill the shapes that follow with a colour, and draw their edges; None: not."""
    painter.setPen(edge if edge is not None else Qt.PenStyle.NoPen)
    painter.setBrush(ground if ground is not None else Qt.BrushStyle.NoBrush)
