"""The picture of the lanes: a sign for each mark, or how many there are where they would cover one another."""

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from ..painting import draw_text, set_colors
from .axis import Reals
from .drawing import LEFT, Drawing, tr
from .lanes import KEPT_AND_LOST, Group, Lane, Sign
from .layout import LANE

_COLUMN = 3  # pixels, of the bars that stand for many marks
_FEW = 30  # that many signs may cover one another
_COLORS = {"born": "fine", "gone": "muted", "hit": "error", "tick": "muted", "low": "warning", "high": "error"}
"""Colours of signs that are not called like theirs."""

_WIDTHS: dict[Sign, int] = {"born": 7, "gone": 7, "warning": 9, "error": 8, "edited": 6}  # others: 2


class LanePicture(Drawing):
    """Paints lanes."""

    def paint(self, lane: Lane) -> None:
        """One lane, with its name."""
        height, painter = self.theme.px(LANE), self.painter
        self.name(lane.name, lane.top, height)
        if lane.name == KEPT_AND_LOST:  # what is kept is a thin line, the normal case
            rect = QRectF(self.axis.left, lane.top + height / 2 - 3, self.axis.width, 6)
            painter.fillRect(rect, self.palette.fine)
        elif lane.is_empty:
            self._note(lane, height)
            return
        for group in lane.groups:
            self._group(group, lane.top, height)

    def _note(self, lane: Lane, height: int) -> None:
        """An empty lane says so, where it is not cut away."""
        layout, axis = self.layout, self.axis
        start = max(axis.left, layout.handle_x("in")) if layout.session.range.is_set and not layout.goes else axis.left
        if start > axis.left + axis.width - self.theme.px(60):
            start = axis.left
        place = QRectF(start + 14, lane.top, 300, height)
        draw_text(self.painter, place, tr(lane.note), self.theme.small, self.palette.muted, LEFT)

    def _group(self, group: Group, top: int, height: int) -> None:
        starts, stops = self.axis.xs(group.starts), self.axis.xs(group.stops)
        if group.sign == "lost":
            self.lost(starts, stops, top + height / 2 - 6, 12)
            return
        seen = (stops >= self.axis.left - 1) & (starts <= self.axis.left + self.axis.width + 1)
        starts, stops = starts[seen], stops[seen]
        if group.sign in ("low", "high"):
            self._bars(starts, stops, top + height - 3, 6 if group.sign == "low" else height - 5, self._color(group))
            return
        xs: list[int] = np.unique(starts.astype(np.int64)).tolist()
        if len(xs) > _FEW and float(np.median(np.diff(xs))) < _WIDTHS.get(group.sign, 2):
            self._density(group, starts, top, height)
            return
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._signs(group, xs, top, height)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _color(self, group: Group) -> QColor:
        return self.palette.color(_COLORS.get(group.sign, group.sign))

    def _density(self, group: Group, xs: Reals, top: int, height: int) -> None:
        """Bars as high as the logarithm of how many there are; births above the middle, ends below it."""
        low, room = top + height - 3.0, height - 5.0
        if group.sign in ("born", "gone"):
            room /= 2
            low -= room if group.sign == "born" else 0
        columns = ((xs - self.axis.left) // _COLUMN).astype(np.int64)
        where, counts = np.unique(columns, return_counts=True)
        tall = np.log1p(counts) / math.log1p(int(counts.max())) * room
        color = self._color(group)
        for column, bar in zip(where.tolist(), np.maximum(tall, 1.0).tolist(), strict=True):
            up = low - bar if group.sign != "gone" else low - room
            self.painter.fillRect(QRectF(self.axis.left + column * _COLUMN, up, _COLUMN, bar), color)

    def _bars(self, starts: Reals, stops: Reals, bottom: int, tall: int, color: QColor) -> None:
        """Stretches as bars, at least 2 wide."""
        ends = np.maximum(stops, starts + 2)
        begin, end = round(self.axis.left), round(self.axis.left + self.axis.width)
        for left, right in np.unique(np.stack((starts, ends), axis=1).astype(np.int64), axis=0).tolist():
            left, right = max(left, begin), min(right, end)
            self.painter.fillRect(QRectF(left, bottom - tall, max(1, right - left), tall), color)

    def _signs(self, group: Group, xs: list[int], top: int, height: int) -> None:
        """Born, gone: arrows; edited: a dot; error: a cross; warning: a triangle; the others: ticks."""
        painter, color, middle = self.painter, self._color(group), top + height / 2
        lines: list[QLineF] = []
        set_colors(painter, color)
        if group.sign in ("born", "gone"):
            painter.setPen(QPen(color, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            low, high, by = top + height - 3.0, top + 3.0, 3.0
            end, inner = (high, high + by) if group.sign == "born" else (low, low - by)
            for x in xs:
                lines += [QLineF(x, low, x, high), QLineF(x, end, x - by, inner), QLineF(x, end, x + by, inner)]
        elif group.sign == "error":
            painter.setPen(QPen(color, 1.6))
            low, high, by = middle - 3.5, middle + 3.5, 3.5
            for x in xs:
                lines += [QLineF(x - by, low, x + by, high), QLineF(x - by, high, x + by, low)]
        elif group.sign == "warning":
            for x in xs:
                corners = [QPointF(x, middle - 4.5), QPointF(x - 4.5, middle + 4), QPointF(x + 4.5, middle + 4)]
                painter.drawPolygon(QPolygonF(corners))
        elif group.sign == "edited":
            for x in xs:
                painter.drawEllipse(QPointF(x, middle), 2.6, 2.6)
        else:
            self.strokes(xs, top + 3, height - 6, color)
        painter.drawLines(lines)
