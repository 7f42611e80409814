"""Signals as a figure for a paper: a plot for each unit, one below another, over one axis of time. No widget."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from ....arrays import FloatArray
from ....texts import say
from ....views.signal_reading import thinned
from ....views.signal_scale import round_limits, round_step
from ...style.colors import ColorName
from ...style.look import Look

_COLORS: tuple[ColorName, ...] = ("selection", "vehicle", "error", "two_wheeler", "hero", "walker")
_DASHES: tuple[tuple[float, ...], ...] = ((), (5.0, 2.5), (1.2, 2.2), (7.0, 2.0, 1.2, 2.0), (3.0, 1.5), (9.0, 3.0))
"""Lengths of dashes and gaps, in widths of the line: curves differ without colour, too."""

_WIDTH = 1.4  # px
_SAMPLE = 22.0  # px of a line in the legend
_GAP = 6.0
_BETWEEN = 10.0  # px between plots
_TICK = 3.0
_FINE = 4
"""Points of a curve for each pixel: print is finer than a screen."""

_PLOT = 96.0
"""Height of a plot without its legend, px, unless the height of the picture is given."""


class Curve(NamedTuple):
    """A signal of a figure.

    Attributes:
        title: Its title.
        unit: Its unit; empty for none.
        times: Moments, s, rising, float64[n].
        values: Values; NaN where there is none, float64[n].
        holds: A value holds until the next one.
    """

    title: str
    unit: str
    times: FloatArray
    values: FloatArray
    holds: bool = False


class CurvesFigure:
    """Draws curves in a size.

    Attributes:
        width: Width, px.
        height: Height, px.
    """

    def __init__(
        self, look: Look, curves: Sequence[Curve], span: tuple[float, float], width: float, height: float | None = None
    ) -> None:
        """Lay the figure out.

        Args:
            look: Colours and fonts.
            curves: The signals.
            span: First and last moment of the axis, s.
            width: Width, px.
            height: Height, px; None: by the number of plots.
        """
        self._look = look
        self._span = span
        self._metrics = QFontMetricsF(look.small)
        self._line = self._metrics.height()
        self._plots: dict[str, list[tuple[int, Curve]]] = {}
        for curve in curves:
            plot = self._plots.setdefault(curve.unit, [])
            plot.append((len(plot), curve))
        self.width = width
        self._limits = {unit: _limits_of(plot) for unit, plot in self._plots.items()}
        self._left = self._room_at_left()
        # Half of the last label of the time axis reaches beyond it.
        self._right = self._metrics.horizontalAdvance(_number(span[1], span[1] - span[0])) / 2 + 4
        self._legends = {unit: self._legend_rows(plot) for unit, plot in self._plots.items()}
        self._foot = 2 * self._line + _TICK + 8
        fixed = self._foot + (len(self._plots) - 1) * _BETWEEN
        for rows in self._legends.values():
            fixed += len(rows) * self._line + 4
        if height is None:
            height = fixed + _PLOT * len(self._plots)
        self.height = height
        self._plot_height = max(3 * self._line, (height - fixed) / len(self._plots))

    def _room_at_left(self) -> float:
        """Return the width of the labels of values and of the unit beside them, px."""
        widest = 0.0
        for low, high, step in self._limits.values():
            for value in _ticks(low, high, step):
                widest = max(widest, self._metrics.horizontalAdvance(_number(value, step * 9)))
        return self._line + 4 + widest + _TICK + 4

    def _legend_rows(self, plot: Sequence[tuple[int, Curve]]) -> list[list[tuple[int, Curve, float]]]:
        """Return the entries of a legend in rows, each with where it begins, px."""
        rows: list[list[tuple[int, Curve, float]]] = [[]]
        x = self._left
        for number, curve in plot:
            width = _SAMPLE + 4 + self._metrics.horizontalAdvance(curve.title) + 14
            if rows[-1] and x + width > self.width:
                rows.append([])
                x = self._left
            rows[-1].append((number, curve, x))
            x += width
        return rows

    def paint(self, painter: QPainter) -> None:
        """Paint the figure at the origin of a painter."""
        painter.fillRect(QRectF(0, 0, self.width, self.height), self._look.palette.scene)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._look.small)
        top = 0.0
        for index, (unit, plot) in enumerate(self._plots.items()):
            for row in self._legends[unit]:
                self._legend(painter, row, top)
                top += self._line
            top += 4
            box = QRectF(self._left, top, self.width - self._left - self._right, self._plot_height)
            self._frame(painter, box, unit, is_last=index == len(self._plots) - 1)
            for number, curve in plot:
                self._curve(painter, box, number, curve, self._limits[unit])
            top = box.bottom() + _BETWEEN

    def _pen(self, number: int) -> QPen:
        color = self._look.palette.color(_COLORS[number % len(_COLORS)])
        pen = QPen(color, _WIDTH, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin)
        dashes = _DASHES[number % len(_DASHES)]
        if dashes:
            pen.setDashPattern(dashes)
        return pen

    def _legend(self, painter: QPainter, row: Sequence[tuple[int, Curve, float]], top: float) -> None:
        for number, curve, x in row:
            middle = top + self._line / 2
            painter.setPen(self._pen(number))
            painter.drawLine(QLineF(x, middle, x + _SAMPLE, middle))
            painter.setPen(self._look.palette.text)
            start = x + _SAMPLE + 4
            room = self.width - start
            text = self._metrics.elidedText(curve.title, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(start, top, room, self._line), Qt.AlignmentFlag.AlignVCenter, text)

    def _frame(self, painter: QPainter, box: QRectF, unit: str, *, is_last: bool) -> None:
        """Draw the axes of a plot with their ticks, labels and fine lines."""
        palette = self._look.palette
        low, high, step = self._limits[unit]
        grid = QPen(palette.hairline, 0.6)
        edge = QPen(palette.text, 0.8)
        for value in _ticks(low, high, step):
            y = box.bottom() - (value - low) / (high - low) * box.height()
            painter.setPen(grid)
            painter.drawLine(QLineF(box.left(), y, box.right(), y))
            painter.setPen(edge)
            painter.drawLine(QLineF(box.left() - _TICK, y, box.left(), y))
            place = QRectF(0, y - self._line / 2, box.left() - _TICK - 3, self._line)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(place, right, _number(value, step * 9))
        self._times(painter, box, has_texts=is_last)
        painter.setPen(edge)
        painter.drawRect(box)
        if unit:
            painter.save()
            painter.translate(self._line / 2, box.center().y())
            painter.rotate(-90)
            place = QRectF(-box.height() / 2, -self._line / 2, box.height(), self._line)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, unit)
            painter.restore()

    def _times(self, painter: QPainter, box: QRectF, *, has_texts: bool) -> None:
        palette = self._look.palette
        first, last = self._span
        widest = self._metrics.horizontalAdvance(_number(last, last - first)) + 14
        step = round_step((last - first) * widest / box.width())
        for value in _ticks(first, last, step):
            x = box.left() + (value - first) / (last - first) * box.width()
            painter.setPen(QPen(palette.hairline, 0.6))
            painter.drawLine(QLineF(x, box.top(), x, box.bottom()))
            painter.setPen(QPen(palette.text, 0.8))
            painter.drawLine(QLineF(x, box.bottom(), x, box.bottom() + _TICK))
            if has_texts:
                place = QRectF(x - 40, box.bottom() + _TICK + 1, 80, self._line)
                painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, _number(value, step * 9))
        if has_texts:
            place = QRectF(box.left(), box.bottom() + _TICK + 1 + self._line, box.width(), self._line)
            painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, say("time in s"))

    def _curve(
        self, painter: QPainter, box: QRectF, number: int, curve: Curve, limits: tuple[float, float, float]
    ) -> None:
        low, high, _ = limits
        first, last = self._span
        x, y = thinned(curve.times, curve.values, first, last, columns=max(1, round(box.width() * _FINE)))
        if curve.holds and len(x) > 1:
            x = np.repeat(x, 2)[1:]
            y = np.repeat(y, 2)[:-1]
        across = box.left() + (x - first) / (last - first) * box.width()
        up = box.bottom() - (y - low) / (high - low) * box.height()
        painter.save()
        painter.setClipRect(box)
        painter.setPen(self._pen(number))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        gaps = np.flatnonzero(~np.isfinite(up))
        for part in np.split(np.column_stack((across, up)), gaps):
            points = [QPointF(px, py) for px, py in part[np.isfinite(part[:, 1])].tolist()]
            if len(points) > 1:
                painter.drawPolyline(QPolygonF(points))
        painter.restore()


def _limits_of(plot: Sequence[tuple[int, Curve]]) -> tuple[float, float, float]:
    """Return the ends of the axis of values, and the step of its ticks."""
    values = np.concatenate([curve.values for _, curve in plot])
    low, high = round_limits(values, 4)
    return low, high, round_step((high - low) / 5)


def _ticks(low: float, high: float, step: float) -> list[float]:
    """Return round values between two others, both included."""
    first = np.ceil(low / step - 1e-9)
    last = np.floor(high / step + 1e-9)
    ticks: list[float] = (np.arange(first, last + 1) * step).tolist()
    return ticks


def _number(value: float, span: float) -> str:
    """Write a tick with as many decimals as its axis needs."""
    decimals = max(0, -int(np.floor(np.log10(max(span / 9, 1e-12)))))
    value = round(value, decimals + 3) + 0.0  # no -0.0
    if abs(value) >= 1e6 or decimals > 6:
        return f"{value:.3g}"
    return f"{value:.{decimals}f}".replace("-", "−")
