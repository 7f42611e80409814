"""The base of all parts of the picture: names, hatches, gaps, ticks."""

import numpy as np
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from ....texts import say
from ....views.time_axis import Reals, joined
from ...style.painting import draw_text, hatch, set_colors
from .timeline_layout import TimelineLayout

NAME = 12
"""Where names begin, px of the design."""
_LEAST_LOST = 6  # pixels
_ARROW = 10  # pixels


class Drawing:
    """Draws a part of the timeline.

    Attributes:
        layout: The layout that is drawn.
        painter: The painter.
        theme: The theme of the layout.
        palette: The colours of that theme.
        axis: The time axis of the layout.
    """

    def __init__(self, layout: TimelineLayout, painter: QPainter) -> None:
        self.layout = layout
        self.painter = painter
        self.theme = layout.theme
        self.palette = layout.theme.palette
        self.axis = layout.axis

    def name(self, text: str, top: int, height: int, left: int = NAME) -> None:
        """Draw a name at the left.

        Args:
            text: The name.
            top: Upper edge, pixels.
            height: Height, pixels.
            left: Where it begins, px of the design.
        """
        theme = self.theme
        room = int(self.axis.left) - theme.px(left) - 4
        rect = QRect(theme.px(left), top, room, height)
        draw_text(self.painter, rect, say(text), theme.small, self.palette.muted, room=room)

    def fold_arrow(self, top: int, height: int, *, is_folded: bool) -> None:
        """Draw the arrow before a name whose lines can be folded away."""
        arrow = "chevron-right" if is_folded else "chevron-down"
        self.theme.icons.draw(self.painter, arrow, 1, top + (height - _ARROW) // 2, _ARROW, self.palette.muted)

    def hatch(self, rect: QRectF, color: QColor | None = None, step: int = 8) -> None:
        """Draw lines at 45 degrees; without a colour those of what is cut away, over a veil."""
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
        """Draw gaps, hatched in the colour of damage, with a frame; those that touch as one.

        Args:
            starts: Left ends, pixels.
            stops: Right ends, pixels.
            top: Upper edge, pixels.
            height: Height, pixels.
        """
        painter = self.painter
        widening = np.maximum(_LEAST_LOST - (stops - starts), 0) / 2
        for low, high in joined(starts - widening, stops + widening):
            if high > self.axis.left and low < self.axis.right:
                left = max(low, self.axis.left)
                right = min(high, self.axis.right)
                rect = QRectF(left, top, right - left, height)
                painter.fillRect(rect, self.palette.window)
                self.hatch(rect, self.palette.error, 5)
                set_colors(painter, None, QPen(self.palette.error, 1))
                painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))

    def strokes(self, xs: list[int], top: float, height: float, color: QColor) -> None:
        """Draw upright ticks, 1.5 wide; 1 where they are less than 2 pixels apart on average."""
        width = 1.5
        if len(xs) >= 2 and xs[-1] - xs[0] < 2 * (len(xs) - 1):
            width = 1.0
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for x in xs:
            self.painter.fillRect(QRectF(x, top, width, height), color)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
