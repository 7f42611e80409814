"""A signal as it is shown: its colour and its sign, whether it is hidden, its values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import renderSymbol
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPixmap

from ....arrays import FloatArray
from ....texts import say
from ....views.signal_catalog import SignalTexts
from ....views.signal_key import Key
from ....views.signal_reading import NOTHING, Series, thinned
from ....views.signal_scale import Scale, cap_of
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

    Attributes:
        key: The signal.
        texts: Its texts.
        title: Its title with the actor.
        number: Number of its colour and sign.
        is_shown: Whether it is drawn.
        is_guest: Whether it is of the chosen event, and goes when that is left.
        units: Units in which it is drawn.
        series: Its values as stored; empty until they are read.
        is_read: Whether its values are those of the current state.
        reason: Why it could not be read; empty where it could.
    """

    key: Key
    texts: SignalTexts
    title: str
    number: int
    is_shown: bool = True
    is_guest: bool = False
    units: Units = AS_STORED
    series: Series = NOTHING
    is_read: bool = False
    reason: str = ""

    @property
    def is_rare(self) -> bool:
        """Whether its packet comes now and then only, so that a value holds until the next one."""
        frames = self.series.frames[:1000]
        if len(frames) < 2:
            return len(frames) == 1
        return float(np.median(np.diff(frames))) > 1

    @property
    def holds(self) -> bool:
        """Whether a value holds until the next one, and is drawn as a step."""
        return self.texts.is_stepped or self.is_rare

    @property
    def unit(self) -> str:
        """Unit in which it is drawn."""
        return self.units.unit(self.texts.unit)

    @property
    def factor(self) -> float:
        """Factor from stored values to those that are drawn."""
        return self.units.factor(self.texts.unit)

    def at(self, frame: int) -> float:
        """Return the value in a frame as it is drawn; NaN without one."""
        return self.series.at(frame, holds=self.holds) * self.factor

    def text(self, value: float) -> str:
        """Write a value for the legend: by its name where it has one, without decimals where all are whole."""
        if not value.is_integer():
            return number_text(value)
        choices = self.texts.choices or {}
        if int(value) in choices:
            return choices[int(value)]
        if self.texts.is_stepped:
            return f"{value:.0f}"
        return number_text(value)

    def text_at(self, frame: int) -> str:
        """Return its title and its value in a frame: `3890 speed: 3.157 m/s`."""
        value = f"{self.text(self.at(frame))} {self.unit}".rstrip()
        return say("{title}: {highest}", title=self.title, highest=value)

    @property
    def symbol(self) -> str:
        """Its sign, as pyqtgraph names it."""
        return SYMBOLS[self.number % len(SYMBOLS)]

    def color(self, palette: Palette) -> QColor:
        """Return its colour."""
        return palette.color(COLOURS[self.number % len(COLOURS)])

    def column(self, frames: range) -> FloatArray:
        """Return the stored values in frames, float64[n]; NaN without one."""
        return self.series.over(frames)

    def meant(self, frames: range) -> FloatArray:
        """Return the values in frames as they are drawn, float64[n].

        NaN stands for frames without one, and for values above the scale, which mean nothing.
        """
        values = self.series.over(frames, holds=self.holds)
        with np.errstate(invalid="ignore"):
            values[values > cap_of(self.key, Scale())] = np.nan
        return values * self.factor

    def visible_values(self, axis: Axis) -> Series:
        """Return the visible part of the values as they are drawn, with one value beyond each end."""
        visible = axis.visible_frames()
        if not len(visible):
            return NOTHING
        frames, values = self.series
        start = max(0, np.searchsorted(frames, visible.start, "right") - 1)
        stop = np.searchsorted(frames, visible.stop) + 1
        return Series(frames[start:stop], values[start:stop] * self.factor)

    def points(self, axis: Axis) -> tuple[FloatArray, FloatArray]:
        """Return the moments and values of its curve, as few as show it all, float64[n] each."""
        frames, values = self.visible_values(axis)
        if not len(frames):
            return np.zeros(0), np.zeros(0)
        x = axis.at(frames)
        if self.holds and frames[-1] == self.series.frames[-1]:
            # The last value holds to the end of its frame, or of the recording.
            end = axis.last
            if not self.is_rare:
                end = axis.end_of(min(int(frames[-1]), len(axis.times) - 1))
            x = np.append(x, end)
            values = np.append(values, values[-1])
        x, y = thinned(x, values, axis.low, axis.high, columns=max(1, round(axis.width)))
        if self.holds and len(x) > 1:
            x = np.repeat(x, 2)[1:]
            y = np.repeat(y, 2)[:-1]
        return x, y


def number_for(key: Key, unit: str, traces: Sequence[Trace]) -> int:
    """Return the number of the colour and sign of a signal that is added to others.

    Where signals of several actors are shown it is that of another signal of its actor that is in another plot, else
    the one that is used least.

    Args:
        key: The signal.
        unit: Its unit, of which there is one plot.
        traces: The signals that are there.
    """
    used = [trace.number for trace in traces]
    numbers_in_plot = {trace.number for trace in traces if trace.texts.unit == unit}
    other_actors = {trace.key.actor for trace in traces} - {key.actor, None}
    if other_actors and key.actor is not None:
        for trace in traces:
            if trace.key.actor == key.actor and trace.number not in numbers_in_plot:
                return trace.number
    return min(range(len(COLOURS)), key=used.count)


def sign_of(trace: Trace, theme: Theme, size: int) -> QPixmap:
    """Return the sign of a signal in its colour, hollow while it is hidden, as a picture of `size` pixels a side."""
    if trace.is_shown:
        color = trace.color(theme.palette)
        brush = pg.mkBrush(color)
    else:
        color = theme.palette.faint
        brush = pg.mkBrush(None)
    picture = QPixmap(2 * size, 2 * size)
    picture.setDevicePixelRatio(2)
    picture.fill(Qt.GlobalColor.transparent)
    renderSymbol(trace.symbol, _SIGN, pg.mkPen(color, width=1.2), brush, picture, 2)
    return picture


def number_text(value: float) -> str:
    """Write a value for the legend, with three decimals, of large numbers fewer; a dash for NaN."""
    if math.isnan(value):
        return "–"
    if value and not 1e-3 <= abs(value) < 1e9:
        return f"{value:.3g}"
    if abs(value) < 1e5:
        return f"{value:.3f}"
    return f"{value:.1f}"
