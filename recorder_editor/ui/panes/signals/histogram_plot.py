"""The histogram of a signal: how many frames have a value in each bin, of all frames and of the chosen ones."""

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from ....arrays import BoolArray, FloatArray
from ....reading.statistics import Bins, bins_of
from ....texts import listed, say, say_count
from ....views.signal_scale import round_limits
from ...style.theme import Theme
from ...widgets.copied import Copied, copied_table, heading
from ...widgets.screen_reader import Spoken, spoken_lines
from .chosen_frames import ChosenFrames
from .series import Trace, number_text
from .side_plot import CACHED, SidePlot

_GAP = 1
"""Pixels between two bars."""


class HistogramPlot(SidePlot):
    """The histogram of a signal, or of one of several actors together.

    Attributes:
        bins: The bins; None without a value.
        totals: How many frames are in each bin, int64[count].
        counts: How many of these are chosen, int64[count].
        unit: The unit of the signal.
        present: The line at the value in the current frame.
    """

    zooms_up = False

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, say("Histogram"))
        self.bins: Bins | None = None
        self.totals = np.zeros(0, np.int64)
        self.counts = np.zeros(0, np.int64)
        self.unit = ""
        self._traces: Sequence[Trace] = ()
        self._values: list[FloatArray] = []
        self._frames = 0
        self._are_all = True
        self._are_brushed = False
        self._frame = 0
        self._all_bars = pg.BarGraphItem(x=[], height=[], width=1.0)
        self._chosen_bars = pg.BarGraphItem(x=[], height=[], width=1.0)
        for bars in (self._all_bars, self._chosen_bars):
            bars.setCacheMode(CACHED)
            self.addItem(bars, ignoreBounds=True)
        self.present = pg.InfiniteLine(movable=False)
        self.present.setZValue(10)
        self.addItem(self.present, ignoreBounds=True)
        self.restyle()

    def set_data(self, traces: Sequence[Trace], chosen: ChosenFrames) -> None:
        """Show the histogram of a signal.

        Args:
            traces: The signal, of each actor.
            chosen: The chosen frames.
        """
        self._traces = traces
        self._frames = len(chosen.all_frames)
        self._are_all = chosen.are_all
        self._are_brushed = chosen.are_brushed
        self._values = [trace.meant(chosen.all_frames) for trace in traces]
        every = np.concatenate([np.zeros(0), *self._values])
        are_whole = bool(traces) and all(trace.texts.is_stepped for trace in traces)
        self.bins = bins_of(every, are_whole=are_whole)
        self.unit = traces[0].unit if traces else ""
        self.totals = np.zeros(0, np.int64)
        self.counts = np.zeros(0, np.int64)
        if self.bins is not None:
            parts = [values[chosen.are_chosen] for values in self._values]
            self.totals = self.bins.counts(every)
            self.counts = self.bins.counts(np.concatenate(parts))
            edges = self.bins.edges
            self.set_whole((edges[0], edges[-1]), round_limits(np.append(self.totals, 0).astype(np.float64)))
        self.restyle()
        self.go_to(self._frame)

    def copied(self) -> Copied | None:
        """Return the bins: where each begins and ends, how many frames are in it, and how many of these are chosen."""
        if self.bins is None:
            return None
        heads = [heading(say("From"), self.unit), heading(say("To"), self.unit), say("Frames")]
        if not self._are_all:
            heads.append(say("Brushed") if self._are_brushed else say("In the range"))
        edges = self.bins.edges.tolist()
        rows = []
        for number, total in enumerate(self.totals.tolist()):
            cells = [repr(edges[number]), repr(edges[number + 1]), str(total)]
            if not self._are_all:
                cells.append(str(int(self.counts[number])))
            rows.append(cells)
        return copied_table(heads, rows)

    def restyle(self) -> None:
        super().restyle()
        palette = self.theme.palette
        ground = pg.mkPen(palette.field, width=_GAP)
        lefts = np.zeros(0)
        width = 1.0
        if self.bins is not None:
            lefts = self.bins.edges[:-1]
            width = self.bins.width
        self._all_bars.setOpts(x0=lefts, height=self.totals, width=width, brush=palette.packet_header, pen=ground)
        self._chosen_bars.setOpts(x0=lefts, height=self.counts, width=width, brush=palette.selection, pen=ground)
        self.present.setPen(pg.mkPen(palette.text, width=1))

    def go_to(self, frame: int) -> None:
        """Show the value in another frame, where there is one signal with a value."""
        self._frame = frame
        value = math.nan
        if len(self._values) == 1 and frame < self._frames:
            value = float(self._values[0][frame])
        self.present.setVisible(math.isfinite(value))
        if self.present.isVisible():
            self.present.setPos(value)

    # --- mouse ------------------------------------------------------------------------------------------

    def frame_at(self, point: QPointF) -> int | None:
        return None  # a bar is of many frames

    def brush_rect(self, rect: QRectF) -> QRectF:
        bottom, top = self.box.viewRange()[1]
        return QRectF(rect.left(), bottom, rect.width(), top - bottom)

    def frames_in(self, rect: QRectF) -> BoolArray:
        are_in = np.zeros(self._frames, np.bool_)
        if self.bins is not None and rect.right() >= self.bins.edges[0] and rect.left() <= self.bins.edges[-1]:
            for values in self._values:
                are_in |= self.bins.holds(values, rect.left(), rect.right())
        return are_in

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip(QPointF(event.pos())), self)
            return True
        return bool(super().viewportEvent(event))

    def tip(self, point: QPointF) -> str:
        """Return the tooltip of a point of the view: its bin, and how many frames are in that."""
        if self.bins is None or not self.box.sceneBoundingRect().contains(point):
            return ""
        number = int(self.bins.numbers(np.array([self.box.mapSceneToView(point).x()]))[0])
        if number < 0:
            return ""
        return self._line(number)

    def _line(self, number: int) -> str:
        """Return a bin with its frames: `2.750 to 3.000 m/s: 71 frames, 38 of them in the range`."""
        assert self.bins is not None
        edges = self.bins.edges
        total = int(self.totals[number])
        low = number_text(edges[number])
        high = number_text(edges[number + 1])
        span = say("{low} to {high} {unit}", low=low, high=high, unit=self.unit)
        frames = say_count("1 frame", "{count:,} frames", count=total)
        count = int(self.counts[number])
        chosen = ""
        if self._are_brushed:
            chosen = say("{count:,} of them brushed", count=count)
        elif not self._are_all:
            chosen = say("{count:,} of them in the range", count=count)
        return say("{bin}: {frames}", bin=span.strip(), frames=listed((frames, chosen), "clauses"))

    def spoken(self) -> Spoken:
        """Return the bins, for a screen reader."""
        return spoken_lines([self._line(number) for number in range(len(self.totals))], 0 if len(self.totals) else -1)

    @property
    def bin_text(self) -> str:
        """The width of the bins: `frames by bins of 0.25 m/s`."""
        if self.bins is None:
            return ""
        return say("frames by bins of {width:g} {unit}", width=self.bins.width, unit=self.unit).rstrip()
