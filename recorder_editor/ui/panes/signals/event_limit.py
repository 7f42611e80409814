"""The threshold of a kind of traffic event in a plot: a line with its word, and tinted where a signal is below it."""

from collections.abc import Iterable, Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainterPath, QPolygonF
from PySide6.QtWidgets import QGraphicsPathItem

from ....arrays import FloatArray
from ....reading.events import KINDS, EventKind, Thresholds
from ....texts import say
from ....views.below import areas_below
from ...style.colors import with_alpha
from ...style.theme import Theme
from .series import Trace

LIMITED: tuple[EventKind, ...] = tuple(kind for kind in KINDS if kind.measure)
"""The kinds whose threshold is one of a measure of pairs."""

_TINT = 0.22
_GROUND = 0.7
_DASHES = (4, 3)
_OVER = (1, 0.9)
_UNDER = (1, 0.1)
"""Anchors of the word: its right end over the line, or under it."""
_ASIDE = 0.5
"""Where the word ends, as a share of the width, beside the words of other lines."""


class EventLimit:
    """The line and the areas of one kind in one plot.

    Attributes:
        kind: The kind.
        line: The line; its label has the word.
        area: The areas of the signals below it.
        is_shown: Whether a signal of its measure is in the plot.
        value: The threshold as it is drawn.
    """

    def __init__(self, kind: EventKind) -> None:
        self.kind = kind
        self.is_shown = False
        self.value = 0.0
        self.line = pg.InfiniteLine(angle=0, label="", labelOpts={"position": 1.0, "anchors": [_UNDER, _OVER]})
        self.line.setZValue(1)  # its word lies over the curves
        self.area = QGraphicsPathItem()
        self.area.setPen(Qt.PenStyle.NoPen)
        self.area.setZValue(-5)
        self._traces: list[Trace] = []

    def hold(self, traces: Iterable[Trace], *, aside: bool) -> None:
        """Show the threshold where one of the signals is of its measure.

        Args:
            traces: The signals of the plot.
            aside: Further lines are in the plot, near which the word would lie.
        """
        self._traces = [trace for trace in traces if self._is_of(trace)]
        self.is_shown = bool(self._traces)
        self.line.setVisible(self.is_shown)
        self.area.setVisible(self.is_shown)
        self.line.label.anchors = [_UNDER, _UNDER if aside else _OVER]
        self.line.label.setPosition(_ASIDE if aside else 1.0)

    def _is_of(self, trace: Trace) -> bool:
        return trace.key.kind == "pair" and trace.key.name == self.kind.measure

    def restyle(self, theme: Theme, thresholds: Thresholds, ratio: float) -> None:
        """Apply the threshold, and the colours, fonts and units of the theme; lines are `ratio` pixels wide."""
        palette = theme.palette
        limit = self.kind.limit(thresholds)
        assert limit is not None  # of a kind with a measure
        self.value = limit * theme.units.factor(self.kind.unit)
        limit_text = theme.units.short(limit, self.kind.unit)
        self.line.label.setFormat(say("{kind} {limit}", kind=self.kind.title.lower(), limit=limit_text))
        self.line.setPen(pg.mkPen(palette.error, width=ratio, dash=_DASHES))
        self.line.label.setFont(theme.small)
        self.line.label.setColor(palette.text)
        self.line.label.fill = pg.mkBrush(with_alpha(palette.in_range, _GROUND))
        self.area.setBrush(with_alpha(palette.error, _TINT))

    def draw(self, height: float, curves: Sequence[tuple[Trace, FloatArray, FloatArray]]) -> None:
        """Draw the line and the areas.

        Args:
            height: Where the threshold is on the axis; NaN where it is not on it.
            curves: Of each signal of the plot the moments and heights of its points.
        """
        self.line.setVisible(self.is_shown and bool(np.isfinite(height)))
        if not self.line.isVisible():
            self.area.setPath(QPainterPath())
            return
        self.line.setPos(height)
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)  # where two are below it the tint is the same
        for trace, x, y in curves:
            if trace in self._traces:
                for area in areas_below(x, y, height):
                    path.addPolygon(QPolygonF([QPointF(*corner) for corner in area.tolist()]))
        self.area.setPath(path)
