"""The curves: one plot for each unit, over the time axis of the timeline.

The plots are pyqtgraph's plots, with its axes, lines and regions. What is thinned out here (`reading.thinned`) instead
of there has its reason in its docstring. Reads no recording.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGraphicsRectItem, QToolTip

from ....texts import listed, say
from ....views.signal_key import Key
from ....views.signal_scale import Scale
from ....views.time_axis import Axis, axis_of
from ...style.theme import Theme
from ...widgets.screen_reader import Spoken, spoken_lines
from .plot import AXIS, NOW, RULER, Plot
from .plot_events import DragEvent, MouseEvent, WheelEvent
from .series import Trace

if TYPE_CHECKING:
    from ....edits.paths.keyed import KeyedPath

MARGIN = 14
_GAP = 7
_STAYS = 6.0
"""Pixels by which a key must be dragged along an axis to have another value of it."""


class PlotView(pg.GraphicsView):  # type: ignore[misc]
    """Attributes: `axis`, `plots`, `scales` (of the plots, by unit), `cursors` ("A" and "B": the frames they stand
    at), `frame`, `tag` (its time), `cover` (over the words of the ruler that the tag would cut).

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
        self._pool: list[Plot] = []
        self.cursors: dict[str, int] = {}
        self.kept: range | None = None
        self.is_cut = False
        self.frame = 0
        self._drag = ""
        self._key = 0
        self._path: tuple[KeyedPath | None, int, Key | None] = (None, 0, None)
        self.tag = pg.TextItem(anchor=(0.5, 0.5))
        self.tag.setZValue(100)
        self.tag.textItem.document().setDocumentMargin(3)
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
        """Show these signals, those that are not hidden; one plot a unit, in the order of the first of each."""
        units: dict[str, list[Trace]] = {}
        for trace in traces:
            if trace.is_shown:
                units.setdefault(trace.unit, []).append(trace)
        while len(self._pool) < len(units):
            self._pool.append(self._make_plot())
        # Plots that are not needed rest: an item that is taken out of a scene may still be asked for by Qt.
        self.plots = self._pool[: len(units)]
        for plot, (unit, several) in zip(self.plots, units.items(), strict=True):
            plot.hold(unit, several, self.scales.get(unit, Scale()))
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
        """Scale the y axis of a unit so, from now on."""
        self.scales[unit] = scale
        for plot in self.plots:
            if plot.unit == unit:
                plot.scale = scale
        self.refresh()

    def set_axis(self, axis: Axis) -> None:
        """Look at this part; in the pixels of this view."""
        self.axis = axis
        self.refresh()

    def restyle(self) -> None:
        """Take over palette and fonts of this moment."""
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
        count = len(self.plots)
        self.axis = self.axis.written_in(self.theme.units).sized(left, self.width() - left - self.theme.px(MARGIN))
        ruler = self.theme.px(RULER)
        room, count = self.height() - ruler - 4, max(1, count)
        gap = max(0, min(_GAP, room // (2 * count)))
        height = max(1.0, (room - gap * (count - 1)) / count)
        for number, plot in enumerate(self.plots):
            top = ruler * (number > 0) + number * (height + gap)
            rect = QRectF(0, top, left + self.axis.width, height + ruler * (number == 0))
            plot.place(rect, is_first=number == 0, is_last=number == count - 1)
            if len(self.axis.times):
                plot.draw(self.axis)
        self.show_path(*self._path)
        self._show_range()
        self._show_cursors()
        # The mouse finds the lines where they are now, not where they were painted.
        self.scene().prepareForPaint()

    def show_path(self, path: "KeyedPath | None", chosen: int, key: Key | None) -> None:
        """Show the path that is edited, and its keys, in the plot of this signal: its speed."""
        self._path = path, chosen, key
        for plot in self.plots:
            trace = next((trace for trace in plot.traces if trace.key == key), None)
            plot.show_path(path if trace is not None else None, chosen, trace.factor if trace is not None else 1.0)

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
        """The range from in to out, and whether it goes; the part that goes is veiled. None: no range."""
        if (frames, is_cut) != (self.kept, self.is_cut):
            self.kept = frames
            self.is_cut = is_cut
            self._show_range()

    def _show_range(self) -> None:
        if not len(self.axis.times):
            return
        start, stop = None, 0.0
        if self.kept:
            start = self._time(self.kept.start)
            stop = self.axis.end_of(min(self.kept.stop, len(self.axis.times)) - 1)
        for plot in self.plots:
            plot.set_kept(start, stop, is_cut=self.is_cut)

    def go_to(self, frame: int) -> None:
        """The current frame is another."""
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
        x = max(axis.left + half, min(axis.x(moment), axis.right - half))
        self.tag.setPos(x, self.theme.px(RULER) / 2 - 1)
        self.tag.setVisible(axis.low <= moment <= axis.high)
        width = self.theme.metrics(self.theme.small).horizontalAdvance
        cover = QRectF()
        for tick in axis.ticks():
            at = axis.x(tick.time)
            room = width(tick.text) / 2 + 2
            if self.tag.isVisible() and abs(at - x) < half + room:
                cover |= QRectF(at - room, 0, 2 * room, self.theme.px(RULER) - 5)
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
        """Write the names of the signals into their plots meanwhile, for a picture."""
        for plot in self.plots:
            plot.names.show()
        yield
        for plot in self.plots:
            plot.names.hide()

    # --- mouse ------------------------------------------------------------------------------------------

    def _time(self, frame: int) -> float:
        return float(self.axis.times[max(0, min(frame, len(self.axis.times) - 1))])

    def plot_at(self, point: QPointF) -> Plot | None:
        """The plot under a point, its axes included."""
        return next((plot for plot in self.plots if plot.geometry().contains(point)), None)

    def _click(self, event: MouseEvent) -> None:
        is_left = event.button() == Qt.MouseButton.LeftButton
        if is_left and len(self.axis.times) and event.scenePos().x() >= self.axis.left - 6:
            event.accept()
            self.frame_asked.emit(self.axis.frame(event.scenePos().x()))

    def _drag_time(self, event: DragEvent) -> None:
        axis = self.axis
        x = event.scenePos().x()
        if event.isStart():
            control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            drags = {Qt.MouseButton.LeftButton: "zoom" if control else "scrub", Qt.MouseButton.MiddleButton: "pan"}
            if len(axis.times):
                self._drag = drags.get(event.button(), "")
            else:
                self._drag = ""
            plot = self.plot_at(event.buttonDownScenePos())
            held = None
            if plot is not None and self._drag == "scrub":
                held = plot.key_at(event.buttonDownScenePos())
            if held is not None:
                self._drag = "key"
                self._key = held
        if self._drag == "key":
            self._drag_key(event)
        elif self._drag == "scrub":
            self.frame_asked.emit(axis.frame(x))
        elif self._drag == "pan":
            self.axis_asked.emit(axis.moved((event.lastScenePos().x() - x) / axis.width * (axis.high - axis.low)))
        elif self._drag == "zoom":
            low, high = sorted(axis.time(each) for each in (event.buttonDownScenePos().x(), x))
            band = max(low, axis.low), min(high, axis.high)
            for plot in self.plots:
                plot.set_band(None if event.isFinish() else band)
            if event.isFinish() and axis.x(band[1]) - axis.x(band[0]) > 3:
                self.axis_asked.emit(axis.seeing(*band))
        if event.isFinish():
            self._drag = ""

    def _drag_key(self, event: DragEvent) -> None:
        """Speed and time of a key of the path; what is hardly moved stays."""
        begun = event.buttonDownScenePos()
        point = event.scenePos()
        path, _, key = self._path
        plot = self.plot_at(begun)
        if path is None or plot is None:
            return
        moved: dict[str, float] = {}
        if abs(point.x() - begun.x()) > _STAYS:
            moved["time"] = self.axis.time(point.x())
        if abs(point.y() - begun.y()) > _STAYS:
            factor = next((trace.factor for trace in plot.traces if trace.key == key), 1.0)
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
            self.axis_asked.emit(self.axis.wheeled(event.delta() / 120, event.scenePos().x(), along=along))

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
        """The moment under a point, and the values then of the signals in its plot."""
        axis = self.axis
        if not len(axis.times) or not axis.left <= point.x() <= axis.right:
            return ""
        frame = axis.frame(point.x())
        if axis.in_seconds:
            moment = axis.label_of(frame)
        else:
            moment = ""
        lines = [listed((say("frame {frame:,}", frame=frame + 1), moment), "clauses")]
        plot = self.plot_at(point)
        if plot is not None:
            lines += [one.words_at(frame) for one in plot.traces]
        return "<br>".join(lines)

    def spoken(self) -> Spoken:
        """The signals with their values in the current frame, for a screen reader."""
        lines = []
        for plot in self.plots:
            for one in plot.traces:
                lines.append(one.words_at(self.frame))
        return spoken_lines(lines, 0 if lines else -1)
