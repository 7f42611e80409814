"""The current frame over plots that stand still: its line, the signs of the values in it, and the tag with its time.

It is painted as the items of the plots that move are, and needs no widget: a video moves it in a thread of its own.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
    QTextDocument,
    QTransform,
)

from ....views.signal_scale import Scale, on_axis
from ....views.time_axis import Axis
from ...style.look import Look
from .series import Trace

RULER = 20
"""The height of the ruler above the first plot, px of the design."""

TAG_MARGIN = 3.0
"""Pixels around the text of the tag."""

SIGN = 8
"""The size of a sign, pixels."""

_COVERED = 2.0


class Sign(NamedTuple):
    """The sign of a signal.

    Attributes:
        trace: The signal.
        path: Its outline, one pixel large.
        color: Its colour.
    """

    trace: Trace
    path: QPainterPath
    color: QColor


class PlotPlace(NamedTuple):
    """A plot of pictures.

    Attributes:
        box: Where its curves are, px.
        low: The value at the lower edge, on the scale.
        high: The value at the upper edge, on the scale.
        scale: The scale.
        signs: The signs of its signals.
    """

    box: QRectF
    low: float
    high: float
    scale: Scale
    signs: tuple[Sign, ...]


class PlotCursor:
    """Paints the cursor over plots."""

    def __init__(self, look: Look, axis: Axis, plots: Sequence[PlotPlace]) -> None:
        """Make the cursor.

        Args:
            look: Colours and fonts.
            axis: The time axis, with its pixels.
            plots: The plots.
        """
        self._look = look
        self._axis = axis
        self._plots = tuple(plots)

    def paint(self, painter: QPainter, frame: int) -> None:
        """Paint the cursor at a frame (its index, from 0), at the origin of a painter."""
        axis = self._axis
        moment = float(axis.times[max(0, min(frame, len(axis.times) - 1))])
        share = (moment - axis.low) / (axis.high - axis.low)
        for plot in self._plots:
            x = plot.box.left() + share * plot.box.width()
            painter.save()
            painter.setClipRect(plot.box)
            painter.setPen(QPen(self._look.palette.text, 1))
            painter.drawLine(QLineF(x, plot.box.top(), x, plot.box.bottom()))
            painter.setPen(Qt.PenStyle.NoPen)
            for sign in plot.signs:
                value = float(on_axis(np.array(sign.trace.at(frame)), plot.scale))
                if math.isfinite(value) and value <= plot.high:
                    up = (value - plot.low) / (plot.high - plot.low) * plot.box.height()
                    place = QTransform.fromTranslate(x, plot.box.bottom() - up).scale(SIGN, SIGN)
                    painter.setBrush(sign.color)
                    painter.drawPath(place.map(sign.path))
            painter.restore()
        if axis.low <= moment <= axis.high:
            self._paint_tag(painter, axis.label(moment), axis.x(moment))

    def _paint_tag(self, painter: QPainter, text: str, x: float) -> None:
        look = self._look
        document = QTextDocument()
        document.setDocumentMargin(TAG_MARGIN)
        document.setDefaultFont(look.mono)
        document.setPlainText(text)
        size = document.size()
        place = tag_place(self._axis, look, x, size.width() / 2)
        painter.fillRect(cover_of(self._axis, look, place.x(), size.width() / 2), look.palette.window)
        painter.save()
        painter.translate(place.x() - size.width() / 2, place.y() - size.height() / 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.palette.tag)
        painter.drawRect(QRectF(0, 0, size.width(), size.height()))
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette.setColor(QPalette.ColorRole.Text, look.palette.on_tag)
        document.documentLayout().draw(painter, context)
        painter.restore()


def tag_place(axis: Axis, look: Look, x: float, half: float) -> QPointF:
    """Return the middle of the tag with the time of the current frame.

    Args:
        axis: The time axis.
        look: Lengths.
        x: The pixel of the frame.
        half: Half the width of the tag, px.
    """
    return QPointF(max(axis.left + half, min(x, axis.right - half)), look.px(RULER) / 2 - 1)


def cover_of(axis: Axis, look: Look, tag_x: float, tag_half: float) -> QRectF:
    """Return the rectangle around the labels of the ruler that the tag would cut.

    Args:
        axis: The time axis.
        look: Fonts and lengths.
        tag_x: The pixel of the middle of the tag.
        tag_half: Half its width, px.
    """
    cover = QRectF()
    metrics = look.metrics(look.small)
    height = look.px(RULER) - 5
    for tick in axis.ticks():
        x = axis.x(tick.time)
        half = metrics.horizontalAdvance(tick.text) / 2 + _COVERED
        if abs(x - tag_x) < tag_half + half:
            cover |= QRectF(x - half, 0, 2 * half, height)
    return cover
