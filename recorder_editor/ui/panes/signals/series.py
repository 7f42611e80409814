"""A signal as it is shown: its colour and its sign, whether it is hidden, its values."""

import math
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import renderSymbol
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPixmap

from ....arrays import FloatArray
from ....texts import say
from ....views.signal_catalog import Words
from ....views.signal_key import Key
from ....views.signal_reading import NOTHING, Series, thinned
from ....views.time_axis import Axis
from ....views.units import AS_STORED, Units
from ...style.colors import ColorName, Palette
from ...style.theme import Theme

COLOURS: tuple[ColorName, ...] = ("selection", "edited", "fine", "walker", "error", "hero", "two_wheeler", "vehicle")
"""Palette names; each goes with a sign of its own, so that colour is never alone."""

SYMBOLS = ("o", "s", "t1", "d", "t", "h", "star", "p")
"""The signs, as pyqtgraph names them."""

_SIGN = 9


@dataclass(eq=False)
class Trace:
    """One signal of the pane.

    Attributes: `key`, `words`, `title`, `number` (colour and sign), `is_shown`, `units` (in which it is drawn),
    `series` (as stored; empty until it is read), `is_read`, `reason` (why it could not be read).
    """

    key: Key
    words: Words
    title: str
    number: int
    is_shown: bool = True
    units: Units = AS_STORED
    series: Series = NOTHING
    is_read: bool = False
    reason: str = ""

    @property
    def is_rare(self) -> bool:
        """Its packet comes now and then only: a value holds until the next."""
        frames = self.series.frames[:1000]
        return len(frames) == 1 or (len(frames) > 1 and float(np.median(np.diff(frames))) > 1)

    @property
    def holds(self) -> bool:
        """A value holds until the next one: it is drawn as steps."""
        return self.words.is_stepped or self.is_rare

    @property
    def unit(self) -> str:
        """The unit in which it is drawn."""
        return self.units.unit(self.words.unit)

    @property
    def factor(self) -> float:
        """What stored values are multiplied by to be drawn."""
        return self.units.factor(self.words.unit)

    def at(self, frame: int) -> float:
        """The value in a frame as it is drawn; NaN without one."""
        return self.series.at(frame, holds=self.holds) * self.factor

    def text(self, value: float) -> str:
        """A value as the legend writes it: by its name where it has one, whole where all are."""
        if value.is_integer() and int(value) in (self.words.choices or {}):
            return (self.words.choices or {})[int(value)]
        if self.words.is_stepped and value.is_integer():
            return f"{value:.0f}"
        return number_text(value)

    def words_at(self, frame: int) -> str:
        """Its title and its value in a frame: `3890 speed: 3.157 m/s`."""
        return say("{title}: {highest}", title=self.title, highest=f"{self.text(self.at(frame))} {self.unit}".rstrip())

    @property
    def symbol(self) -> str:
        """Its sign."""
        return SYMBOLS[self.number % len(SYMBOLS)]

    def color(self, palette: Palette) -> QColor:
        """Its colour."""
        return palette.color(COLOURS[self.number % len(COLOURS)])

    def column(self, frames: range) -> FloatArray:
        """The stored values in these frames, NaN without one."""
        wanted = np.arange(frames.start, frames.stop)
        values = self.series.values
        found = np.searchsorted(self.series.frames, wanted, side="right") - 1
        has = found >= 0
        has[has] = self.series.frames[found[has]] == wanted[has]
        column = np.full(len(wanted), np.nan)
        column[has] = values[found[has]]
        return column

    def in_sight(self, axis: Axis) -> Series:
        """What lies between the moments of the axis, with one value beyond each end."""
        frames, values = self.series
        seen = axis.frames_in_sight()
        part = slice(max(0, np.searchsorted(frames, seen.start, "right") - 1), np.searchsorted(frames, seen.stop) + 1)
        if len(seen):
            return Series(frames[part], values[part] * self.factor)
        return NOTHING

    def points(self, axis: Axis) -> tuple[FloatArray, FloatArray]:
        """What of it is to be drawn: moments and values, as few as show it all."""
        frames, values = self.in_sight(axis)
        if not len(frames):
            return np.zeros(0), np.zeros(0)
        x = axis.at(frames)
        if self.holds and frames[-1] == self.series.frames[-1]:
            x = np.append(x, axis.last if self.is_rare else axis.end_of(min(int(frames[-1]), len(axis.times) - 1)))
            values = np.append(values, values[-1])
        x, y = thinned(x, values, axis.low, axis.high, max(1, round(axis.width)))
        if self.holds and len(x) > 1:
            x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
        return x, y


def sign_of(trace: Trace, theme: Theme, size: int) -> QPixmap:
    """The sign of a signal in its colour, hollow while it is hidden, in a picture of `size` pixels a side."""
    palette = theme.palette
    if trace.is_shown:
        color = trace.color(palette)
    else:
        color = palette.faint
    brush = pg.mkBrush(color if trace.is_shown else None)
    picture = QPixmap(2 * size, 2 * size)
    picture.setDevicePixelRatio(2)
    picture.fill(Qt.GlobalColor.transparent)
    renderSymbol(trace.symbol, _SIGN, pg.mkPen(color, width=1.2), brush, picture, 2)
    return picture


def number_text(value: float) -> str:
    """A value as the legend writes it: three decimals, none of a whole number that is large; a dash for none."""
    if math.isnan(value):
        return "–"
    if value and not 1e-3 <= abs(value) < 1e9:
        return f"{value:.3g}"
    if abs(value) < 1e5:
        return f"{value:.3f}"
    return f"{value:.1f}"
