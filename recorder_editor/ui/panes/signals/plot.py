"""One plot: the signals of one unit as a pyqtgraph plot. It reads no recording."""

import math
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem

from ....analysis.constants import RISK_TTC
from ....arrays import BoolArray, FloatArray
from ....reading.events import STANDARD, Thresholds
from ....texts import say
from ....views.signal_scale import LARGEST, Scale, cap_of, limits, on_axis, round_step
from ....views.time_axis import Axis, axis_of
from ...style.colors import with_alpha
from ...style.theme import Theme
from ...widgets.plots import GRID, make_marks, off_scale, style_legend, style_plot
from .event_limit import LIMITED, EventLimit
from .plot_cursor import RULER, SIGN, PlotPlace, Sign
from .plot_events import DragEvent, MouseEvent, WheelEvent
from .series import Trace

if TYPE_CHECKING:
    from ....edits.paths.keyed import KeyedPath

AXIS = 52
NOW = ""
"""The name of the current frame among the cursors."""

_CACHED = QGraphicsItem.CacheMode.DeviceCoordinateCache
"""What does not move with the current frame is kept as a picture, so that a step of frames draws no curve anew."""
_OVER = (1, 0.9)
_UNDER = (1, 0.1)
"""Anchors of the names of thresholds: under the line in the upper half of the plot, over the upper line in the lower
half, so that both are whole and do not overlap."""

_FARTHEST = 1e100
_FEW = 1500
_TINT = 0.55
_MOST = 4000  # points of the speed of an edited path
_LOWEST_RULED = 26
_TICKS = 13
_TALL = 64


class TimeAxis(pg.AxisItem):
    """The ruler of the timeline, with the same moments and labels.

    Attributes:
        axis: The time axis.
    """

    def __init__(self) -> None:
        super().__init__("top", maxTickLength=4)
        self.axis = axis_of(None)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        return [(1.0, [tick.time for tick in self.axis.ticks()])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [tick.text for tick in self.axis.ticks()]


class ValueAxis(pg.AxisItem):
    """Values with steps of 1, 2 or 5, as the timeline has them, far enough apart to be read in a low plot."""

    def __init__(self, theme: Theme, side: Literal["left", "bottom"] = "left", spacing: int | None = None) -> None:
        """Make the axis.

        Args:
            theme: The theme.
            side: Its side of the plot.
            spacing: The least room between two ticks, px of the design; None: as much as a low or a tall plot has.
        """
        super().__init__(side, maxTickLength=0)
        self._theme = theme
        self._spacing = spacing

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        pixels = self._theme.px(_TICKS)
        if self._spacing is not None:
            pixels = self._theme.px(self._spacing)
        elif size >= self._theme.px(_TALL):
            pixels *= 2
        return [(round_step((high - low) / max(1.0, size) * pixels), 0.0)]


class PlotBox(pg.ViewBox):
    """The view of a plot: it scales its y axis itself, over that axis; other events are for the plot.

    Signals, with pyqtgraph's events: `wheeled(object)`, `dragged(object)`, `clicked(object)`.
    """

    wheeled = Signal(object)
    dragged = Signal(object)
    clicked = Signal(object)

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.setMouseEnabled(x=False, y=True)
        self.disableAutoRange()
        self.setLimits(yMin=-LARGEST, yMax=LARGEST)

    def wheelEvent(self, event: WheelEvent, axis: int | None = None) -> None:
        if axis == 1:
            super().wheelEvent(event, axis=1)
        else:
            event.accept()
            self.wheeled.emit(event)

    def mouseDragEvent(self, event: DragEvent, axis: int | None = None) -> None:
        if axis == 1:
            super().mouseDragEvent(event, axis=1)
        else:
            event.accept()
            self.dragged.emit(event)

    def mouseClickEvent(self, event: MouseEvent) -> None:
        self.clicked.emit(event)


class Plot(pg.PlotItem):
    """The signals of one unit over time.

    Attributes:
        theme: The theme.
        unit: Unit of the signals.
        traces: The signals.
        scale: Scale of the y axis.
        thresholds: What traffic events are found with.
        limits: The thresholds of kinds of events that signals can be below.
        box: The view of the plot.
        ruler: The time axis above.
        ratio: Pixels of the device for one of the plot; lines are given their width in those.
        curves_of: The curve of each trace, and further ones that are hidden.
        kept: The range.
        stretches: The chosen frames, where they are what other parts of the pane show.
        pointed: The line at the frame under the pointer in another part of the pane.
        band: The band that a drag would zoom to.
        marks: Marks where signals leave the scale.
        cursors: The lines of the cursors by name, `NOW` for the current frame.
        signs: The signs of the traces at each cursor, by its name.
        path_curve: The speed of the path that is edited.
        path_keys: The keys of that path.
        names: The names of the signals, for pictures.

    Signals: `scaled(Plot)` (a person moved or zoomed the y axis), `cursor_dragged(str, float)` (a cursor, and the
    moment it was dragged to).
    """

    scaled = Signal(object)
    cursor_dragged = Signal(str, float)

    def __init__(self, theme: Theme) -> None:
        self.box = PlotBox()
        self.ruler = TimeAxis()
        super().__init__(viewBox=self.box, axisItems={"top": self.ruler, "left": ValueAxis(theme)}, enableMenu=False)
        self.theme = theme
        self.unit = ""
        self.traces: list[Trace] = []
        self.scale = Scale()
        self.thresholds = STANDARD
        self.ratio = 1.0
        self.curves_of: list[pg.PlotCurveItem] = []
        self.hideAxis("bottom")
        self.showAxis("top")
        for axis in (self.ruler, self.getAxis("left")):
            axis.setCacheMode(_CACHED)
        self.hideButtons()
        self.layout.setContentsMargins(0, 0, 0, 0)
        self.kept = pg.LinearRegionItem(movable=False, pen=pg.mkPen(None))
        self.kept.setZValue(-10)
        self.stretches = QGraphicsPathItem()
        self.stretches.setPen(Qt.PenStyle.NoPen)
        self.stretches.setZValue(-9)
        self._spans: list[tuple[float, float]] = []
        self.pointed = pg.InfiniteLine(movable=False)
        self.pointed.setZValue(9)
        self.pointed.hide()
        self.band = pg.LinearRegionItem(movable=False)
        self.band.setZValue(30)
        self.marks = make_marks("t1", size=7)
        self.cursors: dict[str, pg.InfiniteLine] = {}
        self.signs: dict[str, list[pg.TargetItem]] = {}
        self._thresholds: list[pg.InfiniteLine] = []
        for level, (value, anchor) in enumerate(zip(RISK_TTC, (_OVER, _UNDER), strict=True), 1):
            text = say("risk {level}, below {value:g} s", level=level, value=value)
            self._thresholds.append(self._threshold(text, anchor))
        self.limits: list[EventLimit] = []
        for kind in LIMITED:
            limit = EventLimit(kind)
            self.limits.append(limit)
            self.addItem(limit.area, ignoreBounds=True)
            self.addItem(limit.line, ignoreBounds=True)
        for name in (NOW, "A", "B"):
            self._add_cursor(name)
        self.path_curve = pg.PlotCurveItem()
        self.path_keys = make_marks("s", size=SIGN + 1)
        for item in (self.kept, self.stretches, self.pointed, self.band, self.marks, self.path_curve, self.path_keys):
            self.addItem(item, ignoreBounds=True)
        self.names = pg.LegendItem(offset=(8, 2), verSpacing=-6)
        self.names.setParentItem(self.box)
        for hidden in (self.kept, self.band, self.names):
            hidden.hide()
        self.box.sigRangeChangedManually.connect(self._scale_by_hand)

    def _threshold(self, text: str, anchor: tuple[float, float]) -> pg.InfiniteLine:
        """Add the line of a threshold.

        Args:
            text: Its name.
            anchor: The anchor of its name in the lower half of the plot.
        """
        line = pg.InfiniteLine(angle=0, label=text, labelOpts={"position": 1.0, "anchors": [_UNDER, anchor]})
        line.setZValue(1)  # its name lies over the curves
        self.addItem(line, ignoreBounds=True)
        return line

    def _add_cursor(self, name: str) -> None:
        if name == NOW:
            line = pg.InfiniteLine(movable=False)
            line.setZValue(10)
        else:
            options = {"position": 0.0, "anchors": [(0.5, 1), (0.5, 1)]}
            line = pg.InfiniteLine(movable=True, label=name, labelOpts=options)
            line.setZValue(25)  # its letter lies over the signs of the curves
            line.sigDragged.connect(lambda moved: self.cursor_dragged.emit(name, moved.value()))
        line.setVisible(name == NOW)
        self.cursors[name] = line
        self.signs[name] = []
        self.addItem(line, ignoreBounds=True)

    # --- what is shown ----------------------------------------------------------------------------------

    def hold(self, unit: str, traces: list[Trace], scale: Scale, thresholds: Thresholds = STANDARD) -> None:
        """Show other signals.

        Args:
            unit: Their unit.
            traces: The signals; without any the plot is hidden.
            scale: Scale of the y axis.
            thresholds: What traffic events are found with.
        """
        self.thresholds = thresholds
        self.unit = unit
        self.traces = traces
        self.scale = scale
        self._has_risks = any(trace.key.kind == "traffic" and trace.key.name == "ttc" for trace in traces)
        for limit in self.limits:
            limit.hold(traces, aside=self._has_risks)
        while len(self.curves_of) < len(traces):
            self._add_curve()
        for index, curve in enumerate(self.curves_of):
            curve.setVisible(index < len(traces))
        for line in self._thresholds:
            line.setVisible(self._has_risks)
        self.setVisible(bool(traces))

    def _add_curve(self) -> None:
        """Add a curve, and its sign at each cursor."""
        curve = pg.PlotCurveItem()
        curve.setCacheMode(_CACHED)
        self.curves_of.append(curve)
        self.addItem(curve, ignoreBounds=True)
        for signs in self.signs.values():
            sign = pg.TargetItem(movable=False, size=SIGN, pen=pg.mkPen(None))
            sign.setZValue(20)
            signs.append(sign)
            self.addItem(sign, ignoreBounds=True)

    def place(self, rect: QRectF, *, is_first: bool, is_last: bool) -> None:
        """Place the plot in the scene.

        Args:
            rect: Its rectangle.
            is_first: Whether it is the first plot, which has the ruler.
            is_last: Whether it is the last plot, which has the names of the cursors.
        """
        theme = self.theme
        self.ruler.setStyle(showValues=is_first)
        self.ruler.setHeight(theme.px(RULER) if is_first else 0)
        left = self.getAxis("left")
        left.setWidth(theme.px(AXIS))
        left.setLabel(self.unit if rect.height() > 2 * theme.px(RULER) else "")
        left.setStyle(showValues=rect.height() >= theme.px(_LOWEST_RULED))
        for name in ("A", "B"):
            self.cursors[name].label.setVisible(is_last)
        self.setGeometry(rect)

    def restyle(self) -> None:
        """Apply the colours and fonts of the theme."""
        theme = self.theme
        palette = self.theme.palette
        style_plot(self, theme)
        for axis in (self.ruler, self.getAxis("left")):
            axis.setGrid(GRID)
            axis.setTickPen(pg.mkPen(palette.edge, width=self.ratio))
        self.band.setBrush(with_alpha(palette.selection, 0.14))
        for edge in self.kept.lines:
            edge.setPen(palette.selection)
        self.stretches.setBrush(with_alpha(palette.hover, _TINT))
        self.pointed.setPen(pg.mkPen(palette.text, width=1, style=Qt.PenStyle.DashLine))
        style_legend(self.names, theme)
        self.names.setBrush(with_alpha(palette.in_range, 0.5))
        self.names.setColumnCount(max(1, len(self.traces)))
        for trace, curve in zip(self.traces, self.curves_of, strict=False):
            self.names.addItem(curve, trace.title)
        for name, line in self.cursors.items():
            line.setHoverPen(pg.mkPen(palette.selection, width=3))
            if name == NOW:
                line.setPen(pg.mkPen(palette.text, width=1, style=Qt.PenStyle.SolidLine))
            else:
                line.setPen(pg.mkPen(palette.selection, width=1, style=Qt.PenStyle.DashLine))
                line.label.setFont(theme.mono_bold)
                line.label.setColor(palette.on_selection)
                line.label.fill = pg.mkBrush(palette.selection)
        for limit in self.limits:
            limit.restyle(theme, self.thresholds, self.ratio)
        for line, color in zip(self._thresholds, (palette.warning, palette.error), strict=True):
            line.setPen(pg.mkPen(color, width=self.ratio, style=Qt.PenStyle.DashLine))
            line.label.setFont(theme.small)
            line.label.setColor(palette.muted)
            line.label.fill = pg.mkBrush(with_alpha(palette.in_range, 0.7))

    def draw(self, axis: Axis) -> None:
        """Draw the visible part of the curves, and scale the plot.

        Args:
            axis: The time axis.
        """
        self.ruler.axis = axis
        points = [trace.points(axis) for trace in self.traces]
        low, high = self._limits(axis, points)
        self.getAxis("left").setLogMode(False, self.scale.is_log)
        self.box.setRange(xRange=(axis.low, axis.high), yRange=(low, high), padding=0)
        spots: list[dict[str, object]] = []
        curves: list[tuple[Trace, FloatArray, FloatArray]] = []
        for index, trace in enumerate(self.traces):
            x, y = points[index]
            curves.append((trace, x, on_axis(y, self.scale)))
            color = trace.color(self.theme.palette)
            is_off = self._draw_curve(index, trace, x, y, high)
            spots += self._off_scale(x, is_off, color, axis)
            for signs in self.signs.values():
                signs[index].setSymbol(trace.symbol)
                signs[index].setBrush(color)
        self._draw_stretches()
        self.marks.setVisible(bool(spots))
        self.marks.setData(spots)
        for line, value in zip(self._thresholds, RISK_TTC, strict=True):
            line.setPos(self.y_of(value))
        for limit in self.limits:
            limit.draw(self.y_of(limit.value), curves)
        self.ruler.picture = None

    def _limits(self, axis: Axis, points: list[tuple[FloatArray, FloatArray]]) -> tuple[float, float]:
        """Return the limits of the y axis, for the points of the traces."""
        values = []
        for trace, (_, y) in zip(self.traces, points, strict=True):
            if self.scale.mode == "robust":
                # Percentiles are those of all values, not of those that are drawn.
                y = trace.visible_values(axis).values
            values.append(y[y <= cap_of(trace.key, self.scale)])
        shown: list[float] = []
        if self._has_risks:
            shown = [0.0, *RISK_TTC]
        for limit in self.limits:
            if limit.is_shown:
                shown.extend((0.0, limit.value))
        return limits(np.concatenate(values), self.scale, shown)

    def _draw_curve(self, index: int, trace: Trace, x: FloatArray, y: FloatArray, high: float) -> BoolArray:
        """Draw the curve of a trace, and return which of its points are above the scale."""
        cap = cap_of(trace.key, self.scale)
        heights = on_axis(y, self.scale)
        has_few_points = len(x) <= _FEW
        width = 1.6 if has_few_points else 1.0
        pen = pg.mkPen(trace.color(self.theme.palette), width=width * self.ratio)
        shown = np.where(y <= cap, heights, np.nan)
        self.curves_of[index].setData(x, shown, connect="finite", antialias=has_few_points, pen=pen)
        return (y > cap) | (heights > high)

    def _off_scale(self, x: FloatArray, is_off: BoolArray, color: QColor, axis: Axis) -> list[dict[str, object]]:
        """Return marks at the upper edge where a signal leaves the scale and comes back."""
        entries = off_scale(axis.xs(x), is_off)
        entries = entries[(x[entries] >= axis.low) & (x[entries] <= axis.high)]
        low, high = self.box.viewRange()[1]
        top = high - (high - low) * 5 / max(1.0, self.box.height())
        return [{"pos": (moment, top), "brush": color} for moment in x[entries].tolist()]

    def y_of(self, value: float) -> float:
        """Return where a value is on the axis; NaN where it is not on it."""
        return float(on_axis(np.array(value), self.scale))

    @property
    def is_positive(self) -> bool:
        """Whether all visible values are above 0, so that the axis may be logarithmic."""
        values = np.concatenate([trace.points(self.ruler.axis)[1] for trace in self.traces])
        values = values[np.isfinite(values)]
        return len(values) > 0 and bool((values > 0).all())

    def view_values(self) -> tuple[float, float]:
        """Return the least and the greatest value of the axis."""
        low, high = self.box.viewRange()[1]
        if self.scale.is_log:
            with np.errstate(over="ignore"):
                low, high = np.float_power(10.0, [low, high]).tolist()
        return low, high

    def _scale_by_hand(self) -> None:
        low, high = self.view_values()
        is_sound = math.isfinite(low) and math.isfinite(high) and low < high
        if is_sound and (low > 0 or not self.scale.is_log):
            self.scale = Scale("fixed", low=low, high=high, is_log=self.scale.is_log)
        self.scaled.emit(self)

    # --- an edited path ---------------------------------------------------------------------------------

    def show_path(self, path: "KeyedPath | None", chosen: int, factor: float) -> None:
        """Show the speed of a path, and its keys.

        Args:
            path: The path; None: none is shown.
            chosen: Index of the selected key.
            factor: Factor from m/s to the unit of the plot.
        """
        for item in (self.path_curve, self.path_keys):
            item.setVisible(path is not None)
        if path is None:
            return
        palette = self.theme.palette
        step = 1 + len(path.way) // _MOST
        heights = on_axis(path.way[::step, 2] * factor, self.scale)
        self.path_curve.setData(path.recorded.times[::step], heights, pen=pg.mkPen(palette.edited, width=1.6))
        brushes = []
        for key in range(len(path.keys)):
            brushes.append(pg.mkBrush(palette.edited if key == chosen else palette.field))
        pen = pg.mkPen(palette.edge_of(palette.edited))
        # The bounds of endless places are no numbers.
        heights = np.clip(on_axis(path.speeds * factor, self.scale), -_FARTHEST, _FARTHEST)
        self.path_keys.setData(path.keys["time"], heights, brush=brushes, pen=pen)

    def key_at(self, point: QPointF) -> int | None:
        """Return the index of the path's key under a point of the scene; None for none."""
        if not self.path_keys.isVisible():
            return None
        xs, ys = self.path_keys.getData()
        distances = []
        for x, y in zip(xs, ys, strict=True):
            distances.append(QLineF(self.box.mapViewToScene(QPointF(x, y)), point).length())
        if min(distances) <= SIGN:
            return int(np.argmin(distances))
        return None

    def value_at(self, point: QPointF) -> float:
        """Return the value at a point of the scene."""
        y = float(self.box.mapSceneToView(point).y())
        value: float = 10.0**y if self.scale.is_log else y
        return value

    # --- what moves -------------------------------------------------------------------------------------

    def set_cursor(self, name: str, frame: int | None, axis: Axis) -> None:
        """Show a cursor at a frame, with the signs of the values there.

        Args:
            name: Name of the cursor, `NOW` for the current frame.
            frame: The frame; None: the cursor is hidden.
            axis: The time axis.
        """
        line = self.cursors[name]
        line.setVisible(frame is not None)
        moment = 0.0
        if frame is not None:
            moment = float(axis.times[max(0, min(frame, len(axis.times) - 1))])
        line.setPos(moment)
        top = self.box.viewRange()[1][1]
        for index, sign in enumerate(self.signs[name]):
            y = math.nan
            if frame is not None and index < len(self.traces):
                y = self.y_of(self.traces[index].at(frame))
            sign.setVisible(math.isfinite(y) and y <= top)
            if sign.isVisible():
                sign.setPos(moment, y)

    def picture_place(self) -> PlotPlace:
        """Return where the curves are, for a cursor over a picture of them."""
        low, high = self.box.viewRange()[1]
        signs = []
        for trace in self.traces:
            signs.append(Sign(trace, Symbols[trace.symbol], trace.color(self.theme.palette)))
        return PlotPlace(self.box.mapRectToScene(self.box.rect()), low, high, self.scale, tuple(signs))

    def set_kept(self, start: float | None, stop: float, *, is_cut: bool) -> None:
        """Veil what is removed.

        Args:
            start: Moment at which the range begins; None: no range.
            stop: Moment at which it ends.
            is_cut: Whether the range is removed; else the rest is.
        """
        palette = self.theme.palette
        self.kept.setVisible(start is not None)
        if start is None:
            self.box.setBackgroundColor(palette.in_range)
            return
        if is_cut:
            self.box.setBackgroundColor(palette.in_range)
            self.kept.setBrush(palette.cut)
        else:
            self.box.setBackgroundColor(palette.cut)
            self.kept.setBrush(palette.in_range)
        self.kept.setRegion((start, stop))

    def set_stretches(self, spans: list[tuple[float, float]]) -> None:
        """Tint the chosen frames.

        Args:
            spans: Moments at which each stretch of them begins and ends; empty: nothing is tinted.
        """
        self._spans = spans
        self._draw_stretches()

    def _draw_stretches(self) -> None:
        path = QPainterPath()
        bottom, top = self.box.viewRange()[1]
        for start, stop in self._spans:
            path.addRect(QRectF(start, bottom, stop - start, top - bottom))
        self.stretches.setPath(path)

    def set_pointed(self, moment: float | None) -> None:
        """Show a line at the moment of the frame under the pointer in another part; None: no line."""
        self.pointed.setVisible(moment is not None)
        if moment is not None:
            self.pointed.setPos(moment)

    def set_band(self, band: tuple[float, float] | None) -> None:
        """Show the band that a drag would zoom to, as its moments; None: no band."""
        self.band.setVisible(band is not None)
        if band is not None:
            self.band.setRegion(band)
