"""The curves: one lane for each unit, over the time axis of the timeline.

pyqtgraph's view boxes and curves hold what does not move with the cursor; grid, ruler, cursors and signs are drawn in
one go, in the look of the timeline. A step of frames repaints only where the cursor was and is. Reads no recording.
"""

import math
from typing import Any, Literal

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from ..palette import with_alpha
from ..theme import Theme
from ..timeline.axis import Axis, axis_of
from .catalog import MIME, unpacked
from .traces import Trace, draw_sign

NAMES = 104
MARGIN = 14
RULER = 20
_GAP = 7
_SIGN = 8
_STRIP = 9
_REACH = 4
_FEW = 1500
_TICKS = 17
_LOWEST_NAMED = 11
_TAG = 16
_TALL = 64
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
Drag = Literal["", "scrub", "pan", "zoom", "A", "B"]


class Lane:
    """The signals of one unit.

    Attributes: `unit`, `traces`, `rect` (in pixels), `low` and `high` (what is in sight), `box` and `curves` (of
    pyqtgraph; curves may be more than signals).
    """

    def __init__(self) -> None:
        self.unit = ""
        self.traces: list[Trace] = []
        self.rect = QRectF()
        self.low, self.high = 0.0, 1.0
        self.box = pg.ViewBox(enableMouse=False, enableMenu=False)
        self.curves: list[Any] = []

    def hold(self, unit: str, traces: list[Trace]) -> None:
        """Be the lane of these signals."""
        self.unit, self.traces = unit, traces
        while len(self.curves) < len(traces):
            self.curves.append(pg.PlotCurveItem())
            self.box.addItem(self.curves[-1], ignoreBounds=True)
        for number, curve in enumerate(self.curves):
            curve.setVisible(number < len(traces))
        self.box.setVisible(bool(traces))

    def y(self, value: float) -> float:
        """The pixel of a value."""
        return self.rect.bottom() - (value - self.low) / (self.high - self.low) * self.rect.height()

    def ticks(self, room: float) -> list[tuple[float, str]]:
        """Round values, at least so many pixels apart."""
        least = (self.high - self.low) * room / max(1.0, self.rect.height())
        power = 10.0 ** math.floor(math.log10(max(least, 1e-300)))
        step = next((one * power for one in (1.0, 2.0, 5.0, 10.0) if one * power >= least), 10 * power)
        decimals = max(0, math.ceil(-math.log10(step) - 1e-9))
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        shown = [step * number for number in range(first, min(last, first + 40) + 1)]
        if max(abs(self.low), abs(self.high)) >= 1e6 or decimals > 5:
            return [(value, f"{value:.3g}") for value in shown]
        return [(value, f"{value:.{decimals}f}") for value in shown]


class Plot(pg.GraphicsView):  # type: ignore[misc]
    """Attributes: `axis`, `lanes`, `cursors` ("A" and "B": the frames they stand at), `frame`.

    Signals: `frame_asked(int)`, `axis_asked(Axis)`, `cursor_asked(str, int)`, `dropped(tuple)` of keys,
    `key_pressed(QKeyEvent)`.
    """

    frame_asked = Signal(int)
    axis_asked = Signal(object)
    cursor_asked = Signal(str, int)
    dropped = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self.theme = theme
        self.axis = axis_of(None)
        self.lanes: list[Lane] = []
        self._pool: list[Lane] = []
        self.cursors: dict[str, int] = {}
        self.kept: range | None = None
        self.frame = 0
        self.is_reading = False
        self._drag: Drag = ""
        self._from = QPointF()
        self._band: QRectF | None = None
        self._covered: list[QRect] = []
        self._labels: list[QRectF] = []
        self._still: QPixmap | None = None
        self.setObjectName("signalsPlot")
        self.setAccessibleName(self.tr("Signals over time"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setAntialiasing(False)
        self.setMinimumHeight(60)
        theme.changed.connect(self.refresh)

    # --- what is shown ----------------------------------------------------------------------------------

    def show_traces(self, traces: list[Trace]) -> None:
        """Show these signals, those that are not hidden; one lane a unit, in the order of the first of each."""
        units: dict[str, list[Trace]] = {}
        for trace in traces:
            if trace.is_shown:
                units.setdefault(trace.words.unit, []).append(trace)
        while len(self._pool) < len(units):
            self._pool.append(Lane())
            self.scene().addItem(self._pool[-1].box)
        # Lanes that are not needed rest: an item that is taken out of a scene may still be asked for by Qt.
        self.lanes = self._pool[: len(units)]
        for lane, (unit, several) in zip(self.lanes, units.items(), strict=True):
            lane.hold(unit, several)
        for lane in self._pool[len(units) :]:
            lane.hold("", [])
        self.refresh()

    def set_axis(self, axis: Axis) -> None:
        """Look at this part; in the pixels of this view."""
        self.axis = self._placed(axis)
        self.refresh()

    def _placed(self, axis: Axis) -> Axis:
        left = self.theme.px(NAMES)
        return axis.sized(left, self.width() - left - self.theme.px(MARGIN))

    def refresh(self) -> None:
        """Lay out and paint everything anew."""
        top, count = self.theme.px(RULER), len(self.lanes)
        height = (self.height() - top - 4 - _GAP * max(0, count - 1)) / max(1, count)
        for number, lane in enumerate(self.lanes):
            lane.rect = QRectF(self.axis.left, top + number * (height + _GAP), self.axis.width, max(1.0, height))
            self._draw_curves(lane)
        self._still = None
        self.viewport().update()

    def _draw_curves(self, lane: Lane) -> None:
        found = [trace.points(self.axis) for trace in lane.traces]
        values = np.concatenate([y for _, y in found])
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
        room = (high - low) * 0.08 or max(abs(high) * 0.05, 0.5)
        lane.low, lane.high = low - room, high + room
        for trace, curve, (x, y) in zip(lane.traces, lane.curves, found, strict=False):
            few = len(x) <= _FEW
            pen = pg.mkPen(trace.color(self.theme.palette), width=1.6 if few else 1)
            y = np.clip(y, lane.low, lane.high) if np.isinf(y).any() else y
            curve.setData(x, y, connect="finite", antialias=few, pen=pen)
        lane.box.setGeometry(lane.rect)
        lane.box.setRange(xRange=(self.axis.low, self.axis.high), yRange=(lane.low, lane.high), padding=0)

    def set_cursors(self, cursors: dict[str, int]) -> None:
        """Show the cursors at these frames."""
        self.cursors = dict(cursors)
        self.viewport().update()

    def set_range(self, frames: range | None) -> None:
        """What stays: the rest is veiled; None where all does."""
        if frames != self.kept:
            self.kept = frames
            self._still = None
            self.viewport().update()

    def go_to(self, frame: int) -> None:
        """The current frame is another: repaint where the cursor was and where it is."""
        self.frame = frame
        for place in (*self._covered, *self._places()):
            self.viewport().update(place)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None:
            # pyqtgraph calls this while it is being made.
            self.axis = self._placed(self.axis)
            self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(600, 160)

    # --- painting ---------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """What stays is kept as a picture: a step of frames strokes no curve anew."""
        if self._still is None:
            self._still = self._painted()
        painter = QPainter(self.viewport())
        painter.drawPixmap(0, 0, self._still)
        self.draw_cursors(painter)
        self._covered = self._places()
        painter.end()

    def _painted(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        still = QPixmap(math.ceil(self.width() * ratio), math.ceil(self.height() * ratio))
        still.setDevicePixelRatio(ratio)
        painter = QPainter(still)
        self.draw_ground(painter)
        self.scene().prepareForPaint()
        self.render(painter, QRectF(self.rect()), self.rect())
        painter.end()
        return still

    def draw_ground(self, painter: QPainter) -> None:
        """Ruler, grid, names: what lies behind the curves, in pixels of this view."""
        palette = self.theme.palette
        painter.fillRect(QRect(QPoint(0, 0), self.size()), palette.window)
        if not len(self.axis.times):
            return
        ticks = [tick for tick in self.axis.ticks() if self.axis.low <= tick.time <= self.axis.high]
        for lane in self.lanes:
            painter.fillRect(lane.rect, palette.in_range)
            self._veil(painter, lane.rect)
            painter.setPen(QPen(with_alpha(palette.edge, 0.45), 1))
            for tick in ticks:
                x = round(self.axis.x(tick.time))
                painter.drawLine(QPoint(x, round(lane.rect.top())), QPoint(x, round(lane.rect.bottom())))
            self._scale(painter, lane)
        self._ruler(painter)

    def _veil(self, painter: QPainter, rect: QRectF) -> None:
        if self.kept is None or not len(self.kept):
            return
        axis = self.axis
        start, stop = axis.x(float(axis.times[self.kept.start])), axis.x(axis.end_of(self.kept.stop - 1))
        for low, high in ((rect.left(), min(start, rect.right())), (max(stop, rect.left()), rect.right())):
            if high > low:
                painter.fillRect(QRectF(low, rect.top(), high - low, rect.height()), self.theme.palette.cut)

    def _scale(self, painter: QPainter, lane: Lane) -> None:
        theme, palette = self.theme, self.theme.palette
        painter.setFont(theme.small)
        half = theme.metrics(theme.small).height() / 2
        if lane.rect.height() < _LOWEST_NAMED:
            return
        room = theme.px(_TICKS) if lane.rect.height() < theme.px(_TALL) else 1.6 * theme.px(_TICKS)
        for value, text in lane.ticks(room):
            y = round(lane.y(value))
            painter.setPen(QPen(with_alpha(palette.edge, 0.45), 1))
            painter.drawLine(QPointF(lane.rect.left(), y), QPointF(lane.rect.right(), y))
            if lane.rect.top() + half - 5 <= y <= lane.rect.bottom() - half + 5:
                painter.setPen(palette.muted)
                place = QRectF(theme.px(36), y - half, lane.rect.left() - theme.px(36) - 6, 2 * half)
                painter.drawText(place, RIGHT, text)
        painter.setPen(palette.muted)
        unit = QRectF(theme.px(12), lane.rect.top(), theme.px(40), 2 * half)
        painter.drawText(unit, LEFT, lane.unit)

    def _ruler(self, painter: QPainter) -> None:
        theme, axis, palette = self.theme, self.axis, self.theme.palette
        height, metrics = theme.px(RULER), theme.metrics(theme.small)
        self._labels = []
        painter.setFont(theme.small)
        for time, text in axis.ticks():
            x, width = axis.x(time), metrics.horizontalAdvance(text)
            label = QRectF(x - width / 2 - 1, 0, width + 2, height - 4)
            if axis.left - 2 <= label.left() and label.right() <= axis.left + axis.width + theme.px(MARGIN):
                painter.setPen(palette.edge)
                painter.drawLine(QPointF(x, height - 4), QPointF(x, height - 1))
                painter.setPen(palette.muted)
                painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
                self._labels.append(label)
        painter.setPen(palette.muted)
        words = self.tr("By frame number") if not axis.in_seconds else self.tr("s")
        if axis.in_seconds:
            painter.drawText(QRectF(0, 0, axis.left - 6, height - 4), RIGHT, words)
        else:
            painter.drawText(QRectF(theme.px(12), 0, axis.left, height - 4), LEFT, words)

    def draw_cursors(self, painter: QPainter) -> None:
        """What moves: the current frame with the signs of its values, the two cursors, the band of a zoom."""
        if not len(self.axis.times):
            return
        palette = self.theme.palette
        lines = [(frame, name) for name, frame in self.cursors.items()]
        lines.append((self.frame, self.axis.label(self._time(self.frame))))
        for frame, name in lines:
            self._line(painter, frame, cursor=name in self.cursors)
        for lane in self.lanes:
            painter.setClipRect(lane.rect.adjusted(-_SIGN, -_SIGN, _SIGN, _SIGN))
            for trace in lane.traces:
                for frame in (self.frame, *self.cursors.values()):
                    value, x = trace.at(frame), self.axis.x(self._time(frame))
                    if math.isfinite(value) and self._is_in_sight(x):
                        place = QPointF(x, lane.y(value))
                        draw_sign(painter, trace.number, place, _SIGN, trace.color(palette), palette.in_range)
        painter.setClipping(False)
        for frame, name in lines:
            self._flag(painter, frame, name, cursor=name in self.cursors)
        if self._band is not None:
            painter.setPen(QPen(palette.selection, 1))
            painter.setBrush(with_alpha(palette.selection, 0.14))
            painter.drawRect(self._band)

    def _time(self, frame: int) -> float:
        return float(self.axis.times[max(0, min(frame, len(self.axis.times) - 1))])

    def _is_in_sight(self, x: float) -> bool:
        return self.axis.left - 1 <= x <= self.axis.left + self.axis.width + 1

    def _tag(self, frame: int, text: str) -> QRectF:
        axis, x = self.axis, self.axis.x(self._time(frame))
        width = self.theme.metrics(self.theme.mono).horizontalAdvance(text) + 12
        left = max(axis.left, min(x - width / 2, axis.left + axis.width - width))
        # The flags of the cursors stand at the bottom: the time is to be read wherever they are.
        high = self.theme.px(_TAG)
        return QRectF(round(left), self.height() - high if text in self.cursors else 0, width, high)

    def _line(self, painter: QPainter, frame: int, *, cursor: bool) -> None:
        palette, x = self.theme.palette, round(self.axis.x(self._time(frame)))
        if not self._is_in_sight(x):
            return
        pen = QPen(palette.selection if cursor else palette.text, 1)
        if cursor:
            pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.drawLine(QPoint(x, self.theme.px(RULER) if cursor else 15), QPoint(x, self.height()))

    def _flag(self, painter: QPainter, frame: int, text: str, *, cursor: bool) -> None:
        palette = self.theme.palette
        if not self._is_in_sight(self.axis.x(self._time(frame))):
            return
        tag = self._tag(frame, text)
        for label in self._labels:
            if label.intersects(tag.adjusted(-3, 0, 3, 0)):
                painter.fillRect(label, palette.window)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.selection if cursor else palette.tag)
        painter.drawRoundedRect(tag, 3, 3)
        painter.setFont(self.theme.mono_bold if cursor else self.theme.mono)
        painter.setPen(palette.on_selection if cursor else palette.on_tag)
        painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, text)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _places(self) -> list[QRect]:
        """What the line of the current frame covers, with its signs and its tag."""
        if not len(self.axis.times):
            return []
        x = round(self.axis.x(self._time(self.frame)))
        tag, room = self._tag(self.frame, self.axis.label(self._time(self.frame))).toAlignedRect(), self.theme.px(RULER)
        # With the words beside the tag, which give way to it.
        return [QRect(x - _STRIP, 0, 2 * _STRIP + 1, self.height()), tag.adjusted(-2 * room, -1, 2 * room, 2)]

    # --- mouse ------------------------------------------------------------------------------------------

    def point_of_frame(self, frame: int) -> QPoint:
        """A point in the lanes at which a frame begins, for scripts."""
        return QPoint(math.ceil(self.axis.x(self._time(frame))), self.height() - 12)

    def cursor_at(self, point: QPointF) -> str:
        """The cursor whose line or flag is under a point; an empty text for none."""
        for name, frame in self.cursors.items():
            if self._tag(frame, name).contains(point) or abs(self.axis.x(self._time(frame)) - point.x()) <= _REACH:
                return name
        return ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point, axis = event.position(), self.axis
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()
        self._from = point
        if not len(axis.times):
            return
        if event.button() == Qt.MouseButton.MiddleButton:
            self._drag = "pan"
        elif event.button() == Qt.MouseButton.LeftButton and point.x() >= axis.left - 6:
            cursor = self.cursor_at(point)
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._drag = "zoom"
            elif cursor in ("A", "B"):
                self._drag = "A" if cursor == "A" else "B"
            else:
                self._drag = "scrub"
                self.frame_asked.emit(axis.frame(point.x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point, axis = event.position(), self.axis
        event.accept()
        if self._drag == "scrub":
            self.frame_asked.emit(axis.frame(point.x()))
        elif self._drag in ("A", "B"):
            self.cursor_asked.emit(self._drag, axis.frame(point.x()))
        elif self._drag == "pan":
            seconds = (point.x() - self._from.x()) / axis.width * (axis.high - axis.low)
            self._from = point
            self.axis_asked.emit(axis.seeing(axis.low - seconds, axis.high - seconds))
        elif self._drag == "zoom":
            left, right = sorted((self._from.x(), point.x()))
            left, right = max(left, axis.left), min(right, axis.left + axis.width)
            top = self.theme.px(RULER)
            self._band = QRectF(left, top, max(0.0, right - left), self.height() - top)
            self.viewport().update()
        else:
            over = bool(self.cursor_at(point))
            self.setCursor(Qt.CursorShape.SizeHorCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()
        drag, band = self._drag, self._band
        self._drag, self._band = "", None
        if drag == "zoom" and band is not None:
            self.viewport().update()
            if band.width() > 3:
                self.axis_asked.emit(self.axis.seeing(self.axis.time(band.left()), self.axis.time(band.right())))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        axis, point = self.axis, event.position()
        if not len(axis.times):
            return
        steps, sideways = event.angleDelta().y() / 120, event.angleDelta().x() / 120
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or sideways:
            seconds = -(steps + sideways) * (axis.high - axis.low) / 8
            self.axis_asked.emit(axis.seeing(axis.low + seconds, axis.high + seconds))
        else:
            x = max(axis.left, min(point.x(), axis.left + axis.width))
            self.axis_asked.emit(axis.zoomed(1.25**steps, x))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._drag == "zoom":
            self._drag, self._band = "", None
            self.viewport().update()
        else:
            event.ignore()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tip(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), text, self) if text else QToolTip.hideText()
            return True
        return bool(super().viewportEvent(event))

    def tip(self, point: QPointF) -> str:
        """The moment under a point, and the values then of the signals in its lane."""
        axis = self.axis
        if not len(axis.times) or not axis.left <= point.x() <= axis.left + axis.width:
            return ""
        frame = axis.frame(point.x())
        lines = [self.tr("frame %1").replace("%1", f"{frame + 1:,}")]
        if axis.in_seconds:
            lines[0] += f", {axis.label_of(frame)}"
        for lane in self.lanes:
            if lane.rect.top() <= point.y() <= lane.rect.bottom():
                lines += [f"{one.title}: {one.text(one.at(frame))} {lane.unit}".rstrip() for one in lane.traces]
        return "<br>".join(lines)

    # --- drops ------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._take(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._take(event)

    @staticmethod
    def _take(event: QDragMoveEvent) -> None:
        if event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        keys = unpacked(bytes(event.mimeData().data(MIME).data()))
        if keys:
            event.acceptProposedAction()
            self.dropped.emit(keys)
