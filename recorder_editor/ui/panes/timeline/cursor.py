"""The cursor of the timeline: its lines and the tag with its time. It is painted over the picture; knows no widget."""

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from ...style.painting import draw_text, set_colors
from .timeline_layout import OVERVIEW, TimelineLayout


class Cursor:
    """The cursor at a frame.

    It asks the session of the layout for nothing: a video paints it in a thread, while that may be edited.

    Attributes:
        layout: The layout that it is painted over.
        labels: Rectangles of texts of that; those that the tag would cut are covered whole.
        grips: Rectangles of the grips of its handles.
        now: Its moment on the axis.
    """

    def __init__(self, layout: TimelineLayout, labels: list[QRectF], grips: list[QRectF], frame: int) -> None:
        """Put it at a frame (its index, from 0) of a layout with frames."""
        self.layout = layout
        self.labels = labels
        self.grips = grips
        self.now = float(layout.axis.times[min(frame, len(layout.axis.times) - 1)])

    def tag(self) -> QRectF:
        """Return the rectangle of its time; beside grips of handles that it would cover."""
        layout = self.layout
        theme = layout.theme
        axis = layout.axis
        x = axis.x(self.now)
        height = theme.px(16)
        width = theme.metrics(theme.mono).horizontalAdvance(axis.label(self.now)) + 12
        left = max(axis.left, min(x - width / 2, axis.right - width))
        top = min(theme.px(OVERVIEW) + 1, layout.height - 1 - height)
        tag = QRectF(round(left), top, width, height)
        near = tag.adjusted(-width / 2, 0, width / 2, 0)
        grips = [grip for grip in self.grips if grip.intersects(near)]
        if any(grip.intersects(tag) for grip in grips):
            # On the nearer side that has room.
            before = grips[0].left() - 1 - width
            behind = grips[-1].right() + 1
            is_before = x - grips[0].left() < grips[-1].right() - x or behind + width > axis.right
            tag.moveLeft(before if is_before and before >= axis.left else behind)
        return tag

    def paint(self, painter: QPainter) -> None:
        """Paint it: a line in the overview, and one with the tag below that, where it is in sight."""
        layout = self.layout
        theme = layout.theme
        palette = theme.palette
        axis = layout.axis
        top = theme.px(OVERVIEW)
        over = round(layout.overview_x(self.now))
        painter.setPen(QPen(palette.text, 1))
        painter.drawLine(QPoint(over, 2), QPoint(over, top - 1))
        x = round(axis.x(self.now))
        if not axis.left - 1 <= x <= axis.right + 1:
            return
        painter.drawLine(QPoint(x, top), QPoint(x, layout.bottom))
        tag = self.tag()
        for label in self.labels:
            if label.intersects(tag.adjusted(-3, 0, 3, 0)):
                painter.fillRect(label, palette.window)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        set_colors(painter, palette.tag)
        painter.drawRoundedRect(tag, 3, 3)
        draw_text(painter, tag, axis.label(self.now), theme.mono, palette.on_tag, Qt.AlignmentFlag.AlignCenter)
