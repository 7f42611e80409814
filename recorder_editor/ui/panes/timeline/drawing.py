"""What all parts of the picture are drawn with: names, hatches, lost stretches, ticks."""

import numpy as np
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from ....texts import say
from ....views.time_axis import Reals, joined
from ...style.painting import draw_text, hatch, set_colors
from .timeline_layout import TimelineLayout

_LEAST_LOST = 6  # pixels


class Drawing:
    """A layout, and the painter that it is drawn with."""

    def __init__(self, layout: TimelineLayout, painter: QPainter) -> None:
        self.layout = layout
        self.painter = painter
        self.theme = layout.theme
        self.palette = layout.theme.palette
        self.axis = layout.axis

    def name(self, text: str, top: int, height: int) -> None:
        """A name at the left."""
        theme = self.theme
        room = int(self.axis.left) - theme.px(12) - 4
        place = QRect(theme.px(12), top, room, height)
        draw_text(self.painter, place, say(text), theme.small, self.palette.muted, room=room)

    def hatch(self, rect: QRectF, color: QColor | None = None, step: int = 8) -> None:
        """Lines at 45 degrees; without a colour those of what is cut away, over a veil."""
        if rect.width() <= 0:
            return
        painter = self.painter
        painter.save()
        if color is None:
            painter.fillRect(rect, self.palette.veil)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hatch(painter, rect, color or self.palette.hatch, step)
        painter.restore()

    def lost(self, starts: Reals, stops: Reals, top: float, height: float) -> None:
        """Stretches that are lost (pixels): hatched in the colour of damage, with a frame; those that touch as one."""
        begin = self.axis.left
        end = self.axis.left + self.axis.width
        painter = self.painter
        missing = np.maximum(_LEAST_LOST - (stops - starts), 0) / 2
        for low, high in joined(starts - missing, stops + missing):
            if high > begin and low < end:
                rect = QRectF(max(low, begin), top, min(high, end) - max(low, begin), height)
                painter.fillRect(rect, self.palette.window)
                self.hatch(rect, self.palette.error, 5)
                set_colors(painter, None, QPen(self.palette.error, 1))
                painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))

    def strokes(self, xs: list[int], top: float, height: float, color: QColor) -> None:
        """Upright ticks, 1.5 wide; 1 where there is one at every pixel."""
        width = 1.5 if len(xs) < 2 or xs[-1] - xs[0] >= 2 * (len(xs) - 1) else 1.0
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for x in xs:
            self.painter.fillRect(QRectF(x, top, width, height), color)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
