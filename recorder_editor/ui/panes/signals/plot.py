"""One plot: the signals of one unit as a pyqtgraph plot. It shows what it is given and reads nothing."""

import math
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGraphicsItem

from ....analysis.constants import RISK_TTC
from ....arrays import BoolArray, FloatArray
from ....texts import say
from ....views.signal_scale import LARGEST, Scale, cap_of, limits
from ....views.time_axis import Axis, axis_of
from ...style.colors import with_alpha
from ...style.theme import Theme
from ...widgets.plots import GRID, make_marks, off_scale, style_legend, style_plot
from .plot_events import DragEvent, MouseEvent, WheelEvent
from .series import Trace

if TYPE_CHECKING:
    from ....edits.paths.keyed import KeyedPath

RULER = 20
AXIS = 52
NOW = ""
"""The name of the current frame among the cursors."""

_CACHED = QGraphicsItem.CacheMode.DeviceCoordinateCache
"""What does not move with the current frame is kept as a picture: a step strokes no curve anew."""
_SIGN = 8
_OVER = (1, 0.9)
_UNDER = (1, 0.1)
"""Anchors of the names of thresholds: under the line in the upper half of the plot, over the upper line in the lower
half, so that both are whole and do not overlap."""

_FARTHEST = 1e100
_FEW = 1500
_MOST = 4000  # points of the speed of an edited path
_LOWEST_RULED = 26
_TICKS = 13
_TALL = 64


class TimeAxis(pg.AxisItem):  # type: ignore[misc]
    """The ruler of the timeline: the same moments, the same words. Attribute: `axis`."""

    def __init__(self) -> None:
        super().__init__("top", maxTickLength=4)
        self.axis = axis_of(None)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        return [(1.0, [tick.time for tick in self.axis.ticks()])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [tick.text for tick in self.axis.ticks()]


class ValueAxis(pg.AxisItem):  # type: ignore[misc]
    """Values with steps of 1, 2 or 5, as the timeline has them, far enough apart to be read in a low plot."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("left", maxTickLength=0)
        self._theme = theme

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        room = self._theme.px(_TICKS) * (1 if size < self._theme.px(_TALL) else 2)
        least = (high - low) / max(1.0, size) * room
        power = 10.0 ** math.floor(math.log10(max(least, 1 / LARGEST)))
        return [(next((step * power for step in (1.0, 2.0, 5.0) if step * power >= least), 10 * power), 0.0)]


class PlotBox(pg.ViewBox):  # type: ignore[misc]
    """Scales its y axis itself, over that axis; the wheel and drags over time and clicks are for the plot.

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


class Plot(pg.PlotItem):  # type: ignore[misc]
    """The signals of one unit over time.

    Signals: `scaled(Plot)` (a person moved or zoomed the y axis), `cursor_dragged(str, float)` (a cursor, and the
    moment it was dragged to). Attributes: `unit`, `traces`, `scale`, `box`, `curves_of` (the curve of each trace;
    there may be more), `cursors` (the lines by name, `NOW` for the current frame).
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
        self.curves_of: list[pg.PlotCurveItem] = []
        self.hideAxis("bottom")
        self.showAxis("top")
        for axis in (self.ruler, self.getAxis("left")):
            axis.setCacheMode(_CACHED)
        self.hideButtons()
        self.layout.setContentsMargins(0, 0, 0, 0)
        self.kept = pg.LinearRegionItem(movable=False, pen=pg.mkPen(None))
        self.kept.setZValue(-10)
        self.band = pg.LinearRegionItem(movable=False)
        self.band.setZValue(30)
        self.marks = make_marks("t1", size=7)
        self.cursors: dict[str, pg.InfiniteLine] = {}
        self.signs: dict[str, list[pg.TargetItem]] = {}
        self._thresholds: list[pg.InfiniteLine] = []
        for level, (value, anchor) in enumerate(zip(RISK_TTC, (_OVER, _UNDER), strict=True), 1):
            words = say("risk {level}, below {value:g} s", level=level, value=value)
            options = {"position": 1.0, "anchors": [_UNDER, anchor]}
            self._thresholds.append(pg.InfiniteLine(angle=0, label=words, labelOpts=options))
            self._thresholds[-1].setZValue(1)  # its words lie over the curves
            self.addItem(self._thresholds[-1], ignoreBounds=True)
        for name in (NOW, "A", "B"):
            self._add_cursor(name)
        self.path_curve = pg.PlotCurveItem()
        self.path_keys = make_marks("s", size=_SIGN + 1)
        for item in (self.kept, self.band, self.marks, self.path_curve, self.path_keys):
            self.addItem(item, ignoreBounds=True)
        self.names = pg.LegendItem(offset=(8, 2), verSpacing=-6)
        self.names.setParentItem(self.box)
        for hidden in (self.kept, self.band, self.names):
            hidden.hide()
        self.box.sigRangeChangedManually.connect(self._scale_by_hand)

    def _add_cursor(self, name: str) -> None:
        options = None
        if name:
            options = {"position": 0.0, "anchors": [(0.5, 1), (0.5, 1)]}
        line = pg.InfiniteLine(movable=bool(name), label=name or None, labelOpts=options)
        line.setZValue(25 if name else 10)  # its letter lies over the signs of the curves
        line.setVisible(not name)
        if name:
            line.sigDragged.connect(lambda moved: self.cursor_dragged.emit(name, moved.value()))
        self.cursors[name] = line
        self.signs[name] = []
        self.addItem(line, ignoreBounds=True)

    # --- what is shown ----------------------------------------------------------------------------------

    def hold(self, unit: str, traces: list[Trace], scale: Scale) -> None:
        """Be the plot of these signals."""
        self.unit = unit
        self.traces = traces
        self.scale = scale
        self._has_risks = any(trace.key[:2] == ("traffic", "ttc") for trace in traces)
        while len(self.curves_of) < len(traces):
            self.curves_of.append(pg.PlotCurveItem())
            self.curves_of[-1].setCacheMode(_CACHED)
            self.addItem(self.curves_of[-1], ignoreBounds=True)
            for signs in self.signs.values():
                signs.append(pg.TargetItem(movable=False, size=_SIGN, pen=pg.mkPen(None)))
                signs[-1].setZValue(20)
                self.addItem(signs[-1], ignoreBounds=True)
        for number, curve in enumerate(self.curves_of):
            curve.setVisible(number < len(traces))
        for line in self._thresholds:
            line.setVisible(self._has_risks)
        self.setVisible(bool(traces))

    def place(self, rect: QRectF, *, is_first: bool, is_last: bool) -> None:
        """Lie here, in the scene; the first plot carries the ruler, the last one the names of the cursors."""
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
        """Take over palette and fonts of this moment."""
        theme = self.theme
        palette = self.theme.palette
        style_plot(self, theme)
        for axis in (self.ruler, self.getAxis("left")):
            axis.setGrid(GRID)
        self.band.setBrush(with_alpha(palette.selection, 0.14))
        for edge in self.kept.lines:
            edge.setPen(palette.selection)
        style_legend(self.names, theme)
        self.names.setColumnCount(max(1, len(self.traces)))
        for trace, curve in zip(self.traces, self.curves_of, strict=False):
            self.names.addItem(curve, trace.title)
        for name, line in self.cursors.items():
            style = Qt.PenStyle.DashLine if name else Qt.PenStyle.SolidLine
            line.setPen(pg.mkPen(palette.selection if name else palette.text, width=1, style=style))
            line.setHoverPen(pg.mkPen(palette.selection, width=3))
            if name:
                line.label.setFont(theme.mono_bold)
                line.label.setColor(palette.on_selection)
                line.label.fill = pg.mkBrush(palette.selection)
        for line, color in zip(self._thresholds, (palette.warning, palette.error), strict=True):
            line.setPen(pg.mkPen(color, width=1, style=Qt.PenStyle.DashLine))
            line.label.setFont(theme.small)
            line.label.setColor(palette.muted)
            line.label.fill = pg.mkBrush(with_alpha(palette.in_range, 0.7))

    def draw(self, axis: Axis) -> None:
        """Draw the curves within the moments of an axis, and scale the plot as it is told."""
        self.ruler.axis = axis
        found = [trace.points(axis) for trace in self.traces]
        values = [y for _, y in found]
        if self.scale.mode == "robust":
            values = [trace.in_sight(axis).values for trace in self.traces]
        caps = [cap_of(trace.key, self.scale) for trace in self.traces]
        kept = [each[each <= cap] for each, cap in zip(values, caps, strict=True)]
        if self._has_risks:
            shown = [0.0, *RISK_TTC]
        else:
            shown = []
        low, high = limits(np.concatenate(kept), self.scale, shown)
        self.getAxis("left").setLogMode(False, self.scale.is_log)
        self.box.setRange(xRange=(axis.low, axis.high), yRange=(low, high), padding=0)
        spots: list[dict[str, object]] = []
        for number, (trace, curve, cap) in enumerate(zip(self.traces, self.curves_of, caps, strict=False)):
            x, y = found[number]
            heights = self._heights(y)
            few = len(x) <= _FEW
            pen = pg.mkPen(trace.color(self.theme.palette), width=1.6 if few else 1)
            for signs in self.signs.values():
                signs[number].setSymbol(trace.symbol)
                signs[number].setBrush(pen.color())
            curve.setData(x, np.where(y <= cap, heights, np.nan), connect="finite", antialias=few, pen=pen)
            spots += self._off_scale(x, (y > cap) | (heights > high), pen.color(), axis)
        self.marks.setVisible(bool(spots))
        self.marks.setData(spots)
        for line, value in zip(self._thresholds, RISK_TTC, strict=True):
            line.setPos(self.y_of(value))
        self.ruler.picture = None

    def _off_scale(self, x: FloatArray, is_off: BoolArray, color: QColor, axis: Axis) -> list[dict[str, object]]:
        """Marks at the upper edge where a signal leaves the scale and comes back."""
        entries = off_scale(axis.xs(x), is_off)
        entries = entries[(x[entries] >= axis.low) & (x[entries] <= axis.high)]
        (low, high), height = self.box.viewRange()[1], max(1.0, self.box.height())
        top = high - (high - low) * 5 / height
        return [{"pos": (moment, top), "brush": color} for moment in x[entries].tolist()]

    def _heights(self, values: FloatArray) -> FloatArray:
        if not self.scale.is_log:
            return values
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log10(np.where(values > 0, values, np.nan))

    def y_of(self, value: float) -> float:
        """Where a value stands on the axis; NaN for none."""
        return float(self._heights(np.array(value)))

    @property
    def is_positive(self) -> bool:
        """All values in sight are above 0, so that the axis may be logarithmic."""
        values = np.concatenate([trace.points(self.ruler.axis)[1] for trace in self.traces])
        values = values[np.isfinite(values)]
        return len(values) > 0 and bool((values > 0).all())

    def view_values(self) -> tuple[float, float]:
        """The least and the greatest value of the axis."""
        low, high = self.box.viewRange()[1]
        if self.scale.is_log:
            with np.errstate(over="ignore"):
                low, high = np.float_power(10.0, [low, high]).tolist()
        return low, high

    def _scale_by_hand(self) -> None:
        low, high = self.view_values()
        if math.isfinite(low) and math.isfinite(high) and low < high and (low > 0 or not self.scale.is_log):
            self.scale = Scale("fixed", low, high, self.scale.is_log)
        self.scaled.emit(self)

    # --- an edited path ---------------------------------------------------------------------------------

    def show_path(self, path: "KeyedPath | None", chosen: int, factor: float) -> None:
        """Show the speed of a path, and its keys; None: nothing."""
        for item in (self.path_curve, self.path_keys):
            item.setVisible(path is not None)
        if path is None:
            return
        palette = self.theme.palette
        step = 1 + len(path.way) // _MOST
        heights = self._heights(path.way[::step, 2] * factor)
        self.path_curve.setData(path.recorded.times[::step], heights, pen=pg.mkPen(palette.edited, width=1.6))
        brushes = []
        for key in range(len(path.keys)):
            brushes.append(pg.mkBrush(palette.edited if key == chosen else palette.field))
        pen = pg.mkPen(palette.edge_of(palette.edited))
        # The bounds of endless places are no numbers.
        heights = np.clip(self._heights(path.speeds * factor), -_FARTHEST, _FARTHEST)
        self.path_keys.setData(path.keys["time"], heights, brush=brushes, pen=pen)

    def key_at(self, point: QPointF) -> int | None:
        """The key of the path under a point of the scene."""
        if not self.path_keys.isVisible():
            return None
        x, y = self.path_keys.getData()
        away = []
        for place in zip(x, y, strict=True):
            away.append(QLineF(self.box.mapViewToScene(QPointF(*place)), point).length())
        if min(away) <= _SIGN:
            return int(np.argmin(away))
        return None

    def value_at(self, point: QPointF) -> float:
        """The value at a point of the scene."""
        y = float(self.box.mapSceneToView(point).y())
        return 10.0**y if self.scale.is_log else y

    # --- what moves -------------------------------------------------------------------------------------

    def set_cursor(self, name: str, frame: int | None, axis: Axis) -> None:
        """Put a cursor at a frame, with the signs of the values there; None: show it nowhere."""
        line = self.cursors[name]
        line.setVisible(frame is not None)
        if frame is not None:
            moment = float(axis.times[max(0, min(frame, len(axis.times) - 1))])
        else:
            moment = 0.0
        line.setPos(moment)
        top = self.box.viewRange()[1][1]
        for number, sign in enumerate(self.signs[name]):
            trace = None
            if frame is not None and number < len(self.traces):
                trace = self.traces[number]
            if trace is not None and frame is not None:
                y = self.y_of(trace.at(frame))
            else:
                y = math.nan
            sign.setVisible(math.isfinite(y) and y <= top)
            if sign.isVisible():
                sign.setPos(moment, y)

    def set_kept(self, start: float | None, stop: float, *, is_cut: bool) -> None:
        """Veil what goes: everything but the moments from `start` to `stop`, or these alone; None: nothing."""
        palette = self.theme.palette
        self.kept.setVisible(start is not None)
        self.box.setBackgroundColor(palette.cut if start is not None and not is_cut else palette.in_range)
        if start is not None:
            self.kept.setBrush(palette.cut if is_cut else palette.in_range)
            self.kept.setRegion((start, stop))

    def set_band(self, band: tuple[float, float] | None) -> None:
        """Show the stretch that a drag would zoom to; None: no stretch."""
        self.band.setVisible(band is not None)
        if band is not None:
            self.band.setRegion(band)
