"""A signal as it is shown: its colour and its sign, whether it is hidden, its values, and which lane it stands in."""

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from ..palette import Palette
from ..timeline.axis import Axis
from .catalog import Key, Words
from .reading import NOTHING, Reals, Series, thinned

COLOURS = ("selection", "edited", "fine", "walker", "error", "hero", "two_wheeler", "vehicle")
"""Palette names; each goes with a sign of its own, so that colour is never alone."""

SIDES = (0, 4, 3, 5, 6, 8, 7, 9)
"""The signs: 0 is a disc, others are shapes with so many corners (see `draw_sign`)."""


@dataclass(eq=False)
class Trace:
    """One signal of the pane.

    Attributes: `key`, `words`, `title`, `number` (colour and sign), `is_shown`, `series` (empty until it is read),
    `is_read`, `reason` (why it could not be read).
    """

    key: Key
    words: Words
    title: str
    number: int
    is_shown: bool = True
    series: Series = NOTHING
    is_read: bool = False
    reason: str = ""

    @property
    def is_rare(self) -> bool:
        """Its packet comes now and then only: a value holds until the next."""
        frames = self.series.frames
        return 0 < len(frames) < 2 or (len(frames) > 1 and float(np.median(np.diff(frames[:1000]))) > 1)

    @property
    def holds(self) -> bool:
        """A value holds until the next one: it is drawn as steps."""
        return self.words.is_stepped or self.is_rare

    def at(self, frame: int) -> float:
        """The value in a frame; NaN without one."""
        return self.series.at(frame, holds=self.holds)

    def text(self, value: float) -> str:
        """A value as the legend writes it: by its name where it has one, whole where all are."""
        if value.is_integer() and int(value) in (self.words.choices or {}):
            return (self.words.choices or {})[int(value)]
        return f"{value:.0f}" if self.words.is_stepped and value.is_integer() else number_text(value)

    def color(self, palette: Palette) -> QColor:
        """Its colour."""
        return palette.color(COLOURS[self.number % len(COLOURS)])

    def points(self, axis: Axis) -> tuple[Reals, Reals]:
        """What of it is to be drawn: moments and values, as few as show it all."""
        frames, values = self.series
        if not len(frames) or not len(axis.times):
            return np.zeros(0), np.zeros(0)
        x = axis.times[np.minimum(frames, len(axis.times) - 1)]
        if self.holds:
            x = np.append(x, axis.last if self.is_rare else axis.end_of(min(int(frames[-1]), len(axis.times) - 1)))
            values = np.append(values, values[-1])
        x, y = thinned(x, values, axis.low, axis.high, max(1, round(axis.width)))
        if self.holds and len(x) > 1:
            x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
        return x, y


def draw_sign(painter: QPainter, number: int, centre: QPointF, size: float, color: QColor, edge: QColor | None) -> None:
    """The sign of a signal; `edge` is what it is set off with, None draws it hollow."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(edge or color, 1.2))
    painter.setBrush(color if edge is not None else QColor(0, 0, 0, 0))
    half = size / 2
    sides = SIDES[number % len(SIDES)]
    if sides == 0:
        painter.drawEllipse(centre, half, half)
    elif sides == 4:
        painter.drawRect(QRectF(centre.x() - half + 0.5, centre.y() - half + 0.5, size - 1, size - 1))
    elif sides == 5:
        _polygon(painter, centre, half * 1.15, 4, 0)
    elif sides == 6:
        _polygon(painter, centre, half * 1.15, 3, math.pi)
    elif sides == 7:
        _star(painter, centre, half * 1.2)
    elif sides == 8:
        _polygon(painter, centre, half * 1.1, 6, 0)
    elif sides == 9:
        painter.drawRect(QRectF(centre.x() - half * 0.5, centre.y() - half, size * 0.5, size))
    else:
        _polygon(painter, centre, half * 1.15, 3, 0)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _polygon(painter: QPainter, centre: QPointF, radius: float, corners: int, turned: float) -> None:
    angles = (turned + 2 * math.pi * corner / corners for corner in range(corners))
    painter.drawPolygon(
        QPolygonF([centre + QPointF(radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles])
    )


def _star(painter: QPainter, centre: QPointF, radius: float) -> None:
    points = []
    for corner in range(10):
        reach, angle = radius * (1 if corner % 2 == 0 else 0.45), math.pi * corner / 5
        points.append(centre + QPointF(reach * math.sin(angle), -reach * math.cos(angle)))
    painter.drawPolygon(QPolygonF(points))


def number_text(value: float) -> str:
    """A value as the legend writes it: three decimals, none of a whole number that is large; a dash for none."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "−∞" if value < 0 else "∞"
    if value and not 1e-3 <= abs(value) < 1e9:
        return f"{value:.3g}"
    return f"{value:.3f}" if abs(value) < 1e5 else f"{value:.1f}"
