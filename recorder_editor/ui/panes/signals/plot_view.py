"""The curves: one plot for each unit, over the time axis of the timeline.

The plots are pyqtgraph's plots, with its axes, lines and regions. `signal_reading.thinned` says why curves are not
thinned out by pyqtgraph. Reads no recording.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QGraphicsItem, QGraphicsRectItem, QToolTip

from ....reading.events import STANDARD
from ....texts import listed, say
from ....views.signal_key import Key
from ....views.signal_scale import Scale
from ....views.time_axis import Axis, axis_of
from ...style.look import Look
from ...style.theme import Theme
from ...widgets.plots import without_caches
from ...widgets.screen_reader import Spoken, spoken_lines
from .plot import AXIS, NOW, Plot
from .plot_cursor import RULER, TAG_MARGIN, PlotCursor, cover_of, tag_place
from .plot_events import DragEvent, MouseEvent, WheelEvent
from .series import Trace

if TYPE_CHECKING:
    from ....edits.paths.keyed import KeyedPath

MARGIN = 14
_GAP = 7
_STAYS = 6.0
"""Pixels by which a key must be dragged along an axis to have another value of it."""


class PlotView(pg.GraphicsView):
    """The plots, one below another.

    Attributes:
        theme: The theme.
        axis: The time axis.
        plots: The plots that are shown.
        scales: Scales of the plots, by unit.
        thresholds: What traffic events are found with.
        cursors: Frames of the cursors "A" and "B".
        kept: The range; None for none.
        is_cut: Whether the range is removed.
        frame: The current frame.
        tag: The time of the current frame.
        cover: Covers the labels of the ruler that the tag would cut.

    Signals: `frame_asked(int)`, `axis_asked(Axis)`, `cursor_asked(str, int)`, `key_dragged(int, dict)` (of the path
    that is edited: its new `time` or `speed`, or both), `key_released`, `key_given_up`.
    """

    frame_asked = Signal(int)
    axis_asked = Signal(object)
    cursor_asked = Signal(str, int)
    key_dragged = Signal(int, object)
    key_released = Signal()
    key_given_up = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(useOpenGL=False, background=theme.palette.window)
        self.theme = theme
        self.axis = axis_of(None)
        self.plots: list[Plot] = []
        self.scales: dict[str, Scale] = {}
        self.thresholds = STANDARD
        self._pool: list[Plot] = []
        self.cursors: dict[str, int] = {}
        self.kept: range | None = None
        self.is_cut = False
        self.frame = 0
        self._spans: list[tuple[float, float]] = []
        self._pointed: int | None = None
        self._drag = ""
        self._key = 0
        self._path: tuple[KeyedPath | None, int, Key | None] = (None, 0, None)
        self.tag = pg.TextItem(anchor=(0.5, 0.5))
        self.tag.setZValue(100)
        self.tag.textItem.document().setDocumentMargin(TAG_MARGIN)
        self.cover = QGraphicsRectItem()
        self.cover.setPen(Qt.PenStyle.NoPen)
        self.cover.setZValue(99)
        for item in (self.tag, self.cover):
            self.scene().addItem(item)
        self.setAccessibleName(say("Signals over time"))
        self.setAcceptDrops(False)  # they are the pane's
        self.setAntialiasing(False)
        self.setMinimumHeight(1)  # Qt's own is that of scroll bars
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self.restyle)

    # --- what is shown ----------------------------------------------------------------------------------

    def show_traces(self, traces: list[Trace]) -> None:
        """Show the signals that are not hidden: one plot a unit, in the order of the first signal of each."""
        units: dict[str, list[Trace]] = {}
        for trace in traces:
            if trace.is_shown:
                units.setdefault(trace.unit, []).append(trace)
        while len(self._pool) < len(units):
            self._pool.append(self._make_plot())
        # Plots that are not needed stay, hidden: an item that is taken out of a scene may still be asked for by Qt.
        self.plots = self._pool[: len(units)]
        for plot, (unit, unit_traces) in zip(self.plots, units.items(), strict=True):
            plot.hold(unit, unit_traces, self.scales.get(unit, Scale()), self.thresholds)
        for plot in self._pool[len(units) :]:
            plot.hold("", [], Scale())
        self.restyle()

    def _make_plot(self) -> Plot:
        plot = Plot(self.theme)
        plot.box.wheeled.connect(self._wheel)
        plot.box.dragged.connect(self._drag_time)
        plot.box.clicked.connect(self._click)
        plot.scaled.connect(lambda scaled: self.set_scale(scaled.unit, scaled.scale))
        plot.cursor_dragged.connect(self._drag_cursor)
        self.scene().addItem(plot)
        return plot

    def set_scale(self, unit: str, scale: Scale) -> None:
        """Set the scale of the plot of a unit."""
        self.scales[unit] = scale
        for plot in self.plots:
            if plot.unit == unit:
                plot.scale = scale
        self.refresh()

    def set_axis(self, axis: Axis) -> None:
        """Show a part of the recording; the pixels of the axis become those of this view."""
        self.axis = axis
        self.refresh()

    def restyle(self) -> None:
        """Apply the colours and fonts of the theme."""
        self.setBackground(self.theme.palette.window)
        self.tag.setFont(self.theme.mono)
        self.tag.setColor(self.theme.palette.on_tag)
        self.tag.fill = pg.mkBrush(self.theme.palette.tag)
        self.cover.setBrush(self.theme.palette.window)
        for plot in self.plots:
            plot.restyle()
        self.refresh()

    def refresh(self) -> None:
        """Lay out and draw everything anew."""
        left = self.theme.px(AXIS)
        self.axis = self.axis.in_units(self.theme.units).with_pixels(left, self.width() - left - self.theme.px(MARGIN))
        self._place_plots()
        if len(self.axis.times):
            for plot in self.plots:
                plot.draw(self.axis)
        self._show_path()
        self._show_range()
        self._show_cursors()
        self.set_stretches(self._spans)
        self.point_at(self._pointed)
        # The mouse finds the lines where they are now, not where they were painted.
        self.scene().prepareForPaint()

    def _place_plots(self) -> None:
        """Share the height among the plots; the first one has the ruler above it."""
        ruler = self.theme.px(RULER)
        count = max(1, len(self.plots))
        room = self.height() - ruler - 4
        gap = max(0, min(_GAP, room // (2 * count)))
        height = max(1.0, (room - gap * (count - 1)) / count)
        width = self.axis.left + self.axis.width
        for index, plot in enumerate(self.plots):
            if index == 0:
                rect = QRectF(0, 0, width, height + ruler)
            else:
                rect = QRectF(0, ruler + index * (height + gap), width, height)
            plot.place(rect, is_first=index == 0, is_last=index == count - 1)

    def show_path(self, path: "KeyedPath | None", chosen: int, key: Key | None) -> None:
        """Show the speed and the keys of the path that is edited, in the plot of a signal.

        Args:
            path: The path; None: none is shown.
            chosen: Index of the selected key.
            key: The signal of its speed; None: it is not shown.
        """
        self._path = (path, chosen, key)
        self._show_path()

    def _show_path(self) -> None:
        path, chosen, key = self._path
        for plot in self.plots:
            trace = _trace_of(plot, key)
            if trace is not None:
                plot.show_path(path, chosen, trace.factor)
            else:
                plot.show_path(None, chosen, 1.0)

    def set_cursors(self, cursors: dict[str, int]) -> None:
        """Show the cursors at these frames."""
        self.cursors = dict(cursors)
        self._show_cursors()

    def _show_cursors(self) -> None:
        if len(self.axis.times):
            for plot in self.plots:
                for name in ("A", "B"):
                    plot.set_cursor(name, self.cursors.get(name), self.axis)
        self.go_to(self.frame)

    def set_range(self, frames: range | None, *, is_cut: bool = False) -> None:
        """Veil what is removed.

        Args:
            frames: The range from in to out; None: no range.
            is_cut: Whether the range is removed; else the rest is.
        """
        if (frames, is_cut) != (self.kept, self.is_cut):
            self.kept = frames
            self.is_cut = is_cut
            self._show_range()

    def _show_range(self) -> None:
        if not len(self.axis.times):
            return
        start = None
        stop = 0.0
        if self.kept:
            start = self._time(self.kept.start)
            stop = self.axis.end_of(min(self.kept.stop, len(self.axis.times)) - 1)
        for plot in self.plots:
            plot.set_kept(start, stop, is_cut=self.is_cut)

    def set_stretches(self, spans: list[tuple[float, float]]) -> None:
        """Tint chosen frames: moments at which each stretch of them begins and ends."""
        self._spans = spans
        for plot in self.plots:
            plot.set_stretches(spans)

    def point_at(self, frame: int | None) -> None:
        """Show a line at the frame under the pointer in another part of the pane; None: no line."""
        self._pointed = frame
        for plot in self.plots:
            plot.set_pointed(self._time(frame) if frame is not None and len(self.axis.times) else None)

    def go_to(self, frame: int) -> None:
        """Show the cursor at another frame."""
        self.frame = frame
        self.tag.setVisible(bool(self.plots) and len(self.axis.times) > 0)
        if not self.tag.isVisible():
            return
        axis = self.axis
        moment = self._time(frame)
        for plot in self.plots:
            plot.set_cursor(NOW, frame, axis)
        self.tag.setText(axis.label(moment))
        half = self.tag.boundingRect().width() / 2
        place = tag_place(axis, self.theme, axis.x(moment), half)
        self.tag.setPos(place)
        self.tag.setVisible(axis.low <= moment <= axis.high)
        cover = QRectF()
        if self.tag.isVisible():
            cover = cover_of(axis, self.theme, place.x(), half)
        self.cover.setRect(cover)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None:
            # pyqtgraph calls this while it is being made.
            self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(600, 160)

    @contextmanager
    def named(self) -> Iterator[None]:
        """Show the names of the signals in their plots within a `with` statement, for a picture."""
        for plot in self.plots:
            plot.names.show()
        yield
        for plot in self.plots:
            plot.names.hide()

    def paint_still(self, painter: QPainter) -> None:
        """Paint everything but the current frame at the origin of a painter, with the names of the signals."""
        moving: list[QGraphicsItem] = [self.tag, self.cover]
        for plot in self.plots:
            moving += [plot.cursors[NOW], *plot.signs[NOW]]
        shown = [item for item in moving if item.isVisible()]
        for item in shown:
            item.hide()
        with self.named(), without_caches(self):
            self.render(painter, QRectF(self.rect()), self.rect())
        for item in shown:
            item.show()

    def lay_out(self, size: QSize, axis: Axis, ratio: float) -> None:
        """Lay out a view that is not shown, for a picture.

        Args:
            size: Its size.
            axis: The time axis; its pixels become those of the view.
            ratio: Pixels of the picture for one of the view.
        """
        self.resize(size)
        self.grab(QRect(0, 0, 1, 1))  # a hidden view gets its size when it is painted
        self.axis = axis
        for plot in self.plots:
            plot.ratio = ratio
        self.restyle()
        for plot in self.plots:
            plot.layout.activate()
        self.refresh()

    def picture_cursor(self, look: Look) -> PlotCursor:
        """Return what paints the current frame over `paint_still`, with these fonts and colours."""
        return PlotCursor(look, self.axis, [plot.picture_place() for plot in self.plots])

    # --- mouse ------------------------------------------------------------------------------------------

    def _time(self, frame: int) -> float:
        return float(self.axis.times[max(0, min(frame, len(self.axis.times) - 1))])

    def plot_at(self, point: QPointF) -> Plot | None:
        """Return the plot under a point, its axes included."""
        for plot in self.plots:
            if plot.geometry().contains(point):
                return plot
        return None

    def _click(self, event: MouseEvent) -> None:
        is_left = event.button() == Qt.MouseButton.LeftButton
        if is_left and len(self.axis.times) and event.scenePos().x() >= self.axis.left - 6:
            event.accept()
            self.frame_asked.emit(self.axis.frame(event.scenePos().x()))

    def _drag_time(self, event: DragEvent) -> None:
        axis = self.axis
        x = event.scenePos().x()
        if event.isStart():
            self._begin_drag(event)
        if self._drag == "key":
            self._drag_key(event)
        elif self._drag == "scrub":
            self.frame_asked.emit(axis.frame(x))
        elif self._drag == "pan":
            self.axis_asked.emit(axis.moved((event.lastScenePos().x() - x) / axis.width * (axis.high - axis.low)))
        elif self._drag == "zoom":
            self._drag_band(event)
        if event.isFinish():
            self._drag = ""

    def _begin_drag(self, event: DragEvent) -> None:
        """Decide what is dragged: a key of the path, the current frame, the visible part, or a band to zoom to."""
        self._drag = ""
        if not len(self.axis.times):
            return
        if event.button() == Qt.MouseButton.MiddleButton:
            self._drag = "pan"
        elif event.button() == Qt.MouseButton.LeftButton:
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._drag = "zoom"
                return
            self._drag = "scrub"
            plot = self.plot_at(event.buttonDownScenePos())
            key = None
            if plot is not None:
                key = plot.key_at(event.buttonDownScenePos())
            if key is not None:
                self._drag = "key"
                self._key = key

    def _drag_band(self, event: DragEvent) -> None:
        """Show the band between the ends of a drag, and zoom to it when it ends."""
        axis = self.axis
        start = axis.time(event.buttonDownScenePos().x())
        end = axis.time(event.scenePos().x())
        low = max(min(start, end), axis.low)
        high = min(max(start, end), axis.high)
        for plot in self.plots:
            plot.set_band(None if event.isFinish() else (low, high))
        if event.isFinish() and axis.x(high) - axis.x(low) > 3:
            self.axis_asked.emit(axis.showing(low, high))

    def _drag_key(self, event: DragEvent) -> None:
        """Drag the speed and time of a key of the path; each stays until it is dragged far enough."""
        start = event.buttonDownScenePos()
        point = event.scenePos()
        path, _, key = self._path
        plot = self.plot_at(start)
        if path is None or plot is None:
            return
        moved: dict[str, float] = {}
        if abs(point.x() - start.x()) > _STAYS:
            moved["time"] = self.axis.time(point.x())
        if abs(point.y() - start.y()) > _STAYS:
            trace = _trace_of(plot, key)
            factor = trace.factor if trace is not None else 1.0
            moved["speed"] = max(0.0, plot.value_at(point) / factor)
        if moved:
            self.key_dragged.emit(self._key, moved)
        if event.isFinish():
            self.key_released.emit()

    def _drag_cursor(self, name: str, moment: float) -> None:
        self.cursor_asked.emit(name, self.axis.nearest(self.axis.x(moment)))

    def _wheel(self, event: WheelEvent) -> None:
        if len(self.axis.times):
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            along = bool(shift) or event.orientation() == Qt.Orientation.Horizontal
            self.axis_asked.emit(self.axis.after_wheel(event.delta() / 120, event.scenePos().x(), along=along))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()
        if event.key() == Qt.Key.Key_Escape and self._drag in ("zoom", "key"):
            if self._drag == "key":
                self.key_given_up.emit()
            self._drag = ""
            event.accept()
            for plot in self.plots:
                plot.set_band(None)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip(QPointF(event.pos())), self)
            return True
        return bool(super().viewportEvent(event))

    def tip(self, point: QPointF) -> str:
        """Return the tooltip of a point: its moment, and the values then of the signals in its plot."""
        axis = self.axis
        if not len(axis.times) or not axis.left <= point.x() <= axis.right:
            return ""
        frame = axis.frame(point.x())
        text = say("frame {frame:,}", frame=frame + 1)
        if axis.in_seconds:
            text = listed((text, axis.label_of(frame)), "clauses")
        lines = [text]
        plot = self.plot_at(point)
        if plot is not None:
            lines += [trace.text_at(frame) for trace in plot.traces]
        return "<br>".join(lines)

    def spoken(self) -> Spoken:
        """Return the signals with their values in the current frame, for a screen reader."""
        lines = []
        for plot in self.plots:
            for trace in plot.traces:
                lines.append(trace.text_at(self.frame))
        return spoken_lines(lines, 0 if lines else -1)


def _trace_of(plot: Plot, key: Key | None) -> Trace | None:
    """Return the trace of a signal in a plot; None where it is not there."""
    for trace in plot.traces:
        if trace.key == key:
            return trace
    return None
