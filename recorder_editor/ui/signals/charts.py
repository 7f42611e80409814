"""Signals without the time axis: the histogram of one, and one against another, of the part that is in sight."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt

from ...arrays import FloatArray, IntArray
from ...sentences import listed, say
from ..dialogs.base import BaseDialog
from ..export_files import ask_picture
from ..language import put
from ..plots import GRID, save_picture, style_plot
from ..screen_reader import Spoken, spoken_lines
from .scale import LARGEST, Scale, cap_of, is_wide, limits
from .series import Trace

if TYPE_CHECKING:
    from .pane import SignalsPane

_FEWEST_BINS, _MOST_BINS = 5, 200
_DOTS = 5_000
_SIZE = (560, 420)


class Chart(BaseDialog):
    """A plot in a window of its own; it follows edits, the current frame and the part of the recording in sight, and
    closes when one of its signals is removed. Attribute: `view`."""

    def __init__(self, pane: "SignalsPane", name: str, title: str, *traces: Trace) -> None:
        super().__init__(pane.theme, pane.window(), f"signals-{name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.say(title, title)
        self.pane, self.session, self.name, self.traces = pane, pane.session, name, traces
        self.view = pg.PlotWidget(background=pane.theme.palette.window, enableMenu=False)
        self.view.spoken = self._spoken
        self.view.setAccessibleName(title)
        self.plot = self.view.getPlotItem()
        self.plot.hideButtons()
        self.plot.layout.setContentsMargins(6, 6, 6, 6)  # the line around what has the keyboard lies over its edge
        self.told = self.add_line("", small=True, muted=True)
        self.body.insertWidget(0, self.view, 1)
        for text, does in (
            (self.tr("Save picture..."), lambda: ask_picture(self, self.session, self.name, self.save_picture)),
        ):
            self.add_button(text, does, left=True)
        self.add_button(self.tr("Close"), self.accept, filled=True)
        self.resize(*(self.theme.px(length) for length in _SIZE))
        pane.model.changed.connect(self._follow_traces)
        pane.model.arrived.connect(self.refresh)
        pane.canvas.moved.connect(self.refresh)
        pane.session.opened.connect(self._follow_traces)
        pane.session.selection.changed.connect(self.mark)
        pane.theme.changed.connect(self.restyle)

    @property
    def frames(self) -> range:
        """The frames in sight."""
        return self.pane.canvas.axis.frames_in_sight()

    def _follow_traces(self) -> None:
        if any(trace not in self.pane.traces for trace in self.traces):
            self.close()
        else:
            self.restyle()

    def restyle(self) -> None:
        """Take over palette and fonts of this moment."""
        self.view.setBackground(self.theme.palette.window)
        style_plot(self.plot, self.theme)
        for side in ("left", "bottom"):
            self.plot.getAxis(side).setGrid(GRID)
        self.refresh()

    def save_picture(self, path: Path) -> None:
        """Write the plot as PNG or SVG. Raises OSError, `SaveRefused`."""
        save_picture(path, self.view)

    def refresh(self) -> None:
        """Draw the values of this moment."""
        raise NotImplementedError

    def mark(self) -> None:
        """Mark the current frame."""
        raise NotImplementedError

    def _spoken(self) -> Spoken:
        """What is drawn, for a screen reader: without more, the values in the current frame."""
        frame = self.session.selection.frame_index
        return spoken_lines([trace.words_at(frame) for trace in self.traces], 0)


class Histogram(Chart):
    """How often a signal has which values. Attributes: `edges`, `counts`."""

    def __init__(self, pane: "SignalsPane", trace: Trace) -> None:
        super().__init__(pane, "histogram", pane.tr("Histogram of %1").replace("%1", trace.title), trace)
        self.trace = trace
        self.edges, self.counts = histogram(np.zeros(0))
        self.bars = pg.BarGraphItem(x0=[], x1=[], height=[])
        self.now = pg.InfiniteLine()
        self.now.setZValue(10)
        for item in (self.bars, self.now):
            self.plot.addItem(item)
        self.plot.setLabel("left", self.tr("frames"))
        self.restyle()

    def refresh(self) -> None:
        values = self.trace.column(self.frames, holds=True) * self.trace.factor
        cap = cap_of(self.trace.key, Scale())
        found = values[np.isfinite(values) & (values <= cap)]
        self.edges, self.counts = histogram(found, is_whole=self.trace.words.is_stepped)
        palette = self.theme.palette
        pen = pg.mkPen(palette.in_range, width=1)
        brush = self.trace.color(palette)
        self.bars.setOpts(x0=self.edges[:-1], x1=self.edges[1:], height=self.counts, pen=pen, brush=brush)
        self.now.setPen(pg.mkPen(palette.text, width=1))
        self.plot.setLabel("bottom", self.trace.heading)
        above = int((values > cap).sum())
        hidden = put(self.tr("%1 above %2 are not shown"), f"{above:,}", f"{cap:g}") if above else ""
        text = listed((say("ui.visible_values", count=len(found)), hidden), "list.parts")
        self.told.setText(put(self.tr("%1."), text))
        self.mark()

    def mark(self) -> None:
        value = self.trace.at(self.session.selection.frame_index)
        self.now.setVisible(bool(self.edges[0] <= value <= self.edges[-1]))
        if self.now.isVisible():
            self.now.setPos(value)

    def _spoken(self) -> Spoken:
        words = self.tr("%1 to %2: %3 frames")

        def line(bar: int) -> str:
            low, high = (f"{edge:.4g}" for edge in self.edges[bar : bar + 2])
            return words.replace("%1", low).replace("%2", high).replace("%3", f"{self.counts[bar]:,}")

        bar = int(np.searchsorted(self.edges, self.trace.at(self.session.selection.frame_index), side="right")) - 1
        return Spoken(len(self.counts), line, bar if 0 <= bar < len(self.counts) else -1)


class Against(Chart):
    """One signal over another, with the current frame marked. Attribute: `shown` (the frames with both values)."""

    def __init__(self, pane: "SignalsPane", across: Trace, up: Trace) -> None:
        title = pane.tr("%1 over %2").replace("%1", up.title).replace("%2", across.title)
        super().__init__(pane, "xy", title, across, up)
        self.shown = np.zeros(0, np.int64)
        self.points = pg.PlotDataItem(symbolPen=None, symbolSize=4)
        self.points.sigPointsClicked.connect(self._go_to)
        self.now = pg.TargetItem(movable=False, size=12, symbol="o")
        self.now.setZValue(10)
        for item in (self.points, self.now):
            self.plot.addItem(item, ignoreBounds=item is self.now)
        self.restyle()

    def refresh(self) -> None:
        palette = self.theme.palette
        x, y = (trace.column(self.frames, holds=True) * trace.factor for trace in self.traces)
        caps = [cap_of(trace.key, Scale()) for trace in self.traces]
        both = np.isfinite(x) & np.isfinite(y) & (x <= caps[0]) & (y <= caps[1])
        self.shown = self.frames.start + np.flatnonzero(both)
        color = self.traces[1].color(palette)
        dots = "o" if len(self.shown) <= _DOTS else None
        follows = np.append(np.diff(self.shown) == 1, np.zeros(min(1, len(self.shown)), np.bool_))
        pen = pg.mkPen(color, width=1)
        self.points.setData(x[both], y[both], connect=follows, pen=pen, symbol=dots, symbolBrush=color)
        self.now.setPen(pg.mkPen(palette.text, width=2))
        self.now.setBrush(pg.mkBrush(None))
        for side, name, trace, values in zip(("bottom", "left"), "XY", self.traces, (x[both], y[both]), strict=True):
            self.plot.setLabel(side, trace.heading)
            # What is constant but for noise is not shown as noise.
            low, high = limits(values, Scale())
            constant = len(values) > 0 and not is_wide(values.min(), values.max())
            self.plot.setLimits(**{f"min{name}Range": high - low if constant else None})
        self.told.setText(self.tr("%1 visible frames have both values.").replace("%1", f"{len(self.shown):,}"))
        self.mark()

    def mark(self) -> None:
        x, y = (trace.at(self.session.selection.frame_index) for trace in self.traces)
        self.now.setVisible(bool(np.isfinite(x) and np.isfinite(y)))
        if self.now.isVisible():
            self.now.setPos(x, y)

    def _go_to(self, _item: object, points: list[Any], _event: object) -> None:
        self.session.selection.go_to_frame(int(self.shown[points[0].index()]))


def histogram(values: FloatArray, *, is_whole: bool = False) -> tuple[FloatArray, IntArray]:
    """Edges and counts of bins: one for each whole number where those are few, else twice the cube root of values."""
    if not len(values):
        return np.array([0.0, 1.0]), np.zeros(1, np.int64)
    values = np.clip(values, -LARGEST, LARGEST)
    low, high = float(values.min()), float(values.max())
    if is_whole and high - low < _MOST_BINS:
        edges = np.arange(np.floor(low), np.floor(high) + 2) - 0.5
        return edges, np.histogram(values, edges)[0]
    bins = int(np.clip(round(2 * len(values) ** (1 / 3)), _FEWEST_BINS, _MOST_BINS))
    room = 0.0 if is_wide(low, high) else max(abs(high) * 0.05, 0.5)
    counts, edges = np.histogram(values, bins, (low - room, high + room))
    return edges, counts
