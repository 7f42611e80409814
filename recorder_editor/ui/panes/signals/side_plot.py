"""The base of the plots without a time axis: two axes of values, zooming, a drag that brushes, a tag. No recording."""

from abc import abstractmethod

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGraphicsItem, QGraphicsRectItem

from ....arrays import BoolArray
from ...style.colors import with_alpha
from ...style.theme import Theme
from ...widgets.copied import Copied
from ...widgets.plots import GRID, style_plot
from ...widgets.view_history import ViewHistory
from .plot import PlotBox, ValueAxis
from .plot_events import DragEvent, MouseEvent, WheelEvent

CACHED = QGraphicsItem.CacheMode.DeviceCoordinateCache
"""What does not move with the current frame is kept as a picture, so that a step of frames draws no dot anew."""

LIVE_FRAMES = 20_000
"""Up to so many frames the brush follows each move of a drag; of more it is drawn when the drag ends."""

_BETWEEN_ROWS = 36
_BETWEEN_COLUMNS = 64
"""The least room between two ticks."""

_BEYOND = 16
_LEFT = 52
_BOTTOM = 22
_RIGHT = 24
_TOP = 8
_ZOOM = 1.25
_BRUSH = 0.16
_LEAST_DRAG = 3.0


class EndsAxis(ValueAxis):
    """An axis that shows the labels at its ends, too, of which a half lies beyond it."""

    def boundingRect(self) -> QRectF:
        beyond = self._theme.px(_BEYOND)
        return QRectF(super().boundingRect()).adjusted(-beyond, -beyond, beyond, beyond)


class SidePlot(pg.PlotWidget):
    """A plot of values against values.

    Attributes:
        theme: The theme.
        box: The view of the plot.
        rubber: The rectangle of a drag.
        history: The parts that were visible: the limits of both axes.

    Signals:
        frame_asked(int): A frame is to be shown.
        pointed(object): The frame under the pointer, an int; None: there is none.
        brushed(object): Whether each frame is brushed, bool[n]; None: the brush is taken back.
    """

    frame_asked = Signal(int)
    pointed = Signal(object)
    brushed = Signal(object)
    zooms_up = True
    """Whether the wheel zooms both axes."""

    @abstractmethod
    def copied(self) -> Copied | None:
        """Return what is plotted as a table, with all digits; None for nothing."""

    def __init__(self, theme: Theme, name: str) -> None:
        self.box = PlotBox()
        axes = {
            "left": EndsAxis(theme, spacing=_BETWEEN_ROWS),
            "bottom": EndsAxis(theme, "bottom", spacing=_BETWEEN_COLUMNS),
        }
        super().__init__(background=theme.palette.field, viewBox=self.box, axisItems=axes, enableMenu=False)
        self.theme = theme
        self.history = ViewHistory(self)
        self._whole = (0.0, 1.0, 0.0, 1.0)
        self._is_whole = True
        self._is_dragging = False
        self._pointed: int | None = None
        self.setAccessibleName(name)
        self.setMinimumHeight(1)
        self.setAcceptDrops(False)
        self.setAntialiasing(False)
        self.hideButtons()
        item = self.getPlotItem()
        item.layout.setContentsMargins(0, theme.px(_TOP), theme.px(_RIGHT), 0)
        self.rubber = QGraphicsRectItem()
        self.rubber.setZValue(40)
        self.rubber.hide()
        self.box.addItem(self.rubber, ignoreBounds=True)
        self.box.wheeled.connect(self._wheel)
        self.box.dragged.connect(self._drag)
        self.box.clicked.connect(self._click)
        self.scene().sigMouseMoved.connect(self._move)
        theme.changed.connect(self.restyle)

    # --- the visible part -------------------------------------------------------------------------------

    def set_whole(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Set the limits that show everything; a part that is zoomed to stays."""
        self._whole = (*x, *y)
        if self._is_whole:
            self.show_whole()

    def show_whole(self) -> None:
        """Show everything."""
        self._is_whole = True
        self._show_part(self._whole)

    def _show_part(self, part: tuple[float, ...]) -> None:
        low, high, bottom, top = part
        self.box.setRange(xRange=(low, high), yRange=(bottom, top), padding=0)
        self._note()

    def _note(self) -> None:
        """Remember the visible part when it has stayed for a moment, and draw it."""
        (low, high), (bottom, top) = self.box.viewRange()
        self._is_whole = (low, high, bottom, top) == self._whole
        self.history.note(low, high, bottom, top)
        self.draw_part()

    def draw_part(self) -> None:
        """Draw what depends on the visible part."""

    def _step_back(self, by: int) -> None:
        part = self.history.step(by)
        if part is not None:
            self._show_part(part)

    def _wheel(self, event: WheelEvent) -> None:
        factor = _ZOOM ** (-event.delta() / 120)
        point = self.box.mapSceneToView(event.scenePos())
        scale = (factor, factor if self.zooms_up else 1.0)
        self.box.scaleBy(scale, center=point)
        self._note()

    # --- mouse and keys ---------------------------------------------------------------------------------

    def _click(self, event: MouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            frame = self.frame_at(event.scenePos())
            if frame is not None:
                self.frame_asked.emit(frame)

    def _move(self, point: QPointF) -> None:
        frame = None
        if self.box.sceneBoundingRect().contains(point) and not self._is_dragging:
            frame = self.frame_at(point)
        self._point_at(frame)

    def _point_at(self, frame: int | None) -> None:
        if frame != self._pointed:
            self._pointed = frame
            self.show_pointed(frame)
            self.pointed.emit(frame)

    def leaveEvent(self, event: object) -> None:
        super().leaveEvent(event)
        self._point_at(None)

    def _drag(self, event: DragEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            moved = self.box.mapSceneToView(event.lastScenePos()) - self.box.mapSceneToView(event.scenePos())
            self.box.translateBy(x=moved.x(), y=moved.y() if self.zooms_up else 0.0)
            self._note()
        elif event.button() == Qt.MouseButton.LeftButton:
            self._drag_brush(event)

    def _drag_brush(self, event: DragEvent) -> None:
        """Brush the frames of what lies in the rectangle of a drag."""
        start = event.buttonDownScenePos()
        if event.isStart():
            self._is_dragging = True
            self._point_at(None)
        if not self._is_dragging:
            return  # it was given up
        size = event.scenePos() - start
        rect = QRectF(self.box.mapSceneToView(start), self.box.mapSceneToView(event.scenePos())).normalized()
        rect = self.brush_rect(rect)
        self.rubber.setRect(rect)
        self.rubber.setVisible(not event.isFinish())
        is_long = max(abs(size.x()), abs(size.y())) > _LEAST_DRAG
        brushed = self.frames_in(rect)
        if event.isFinish():
            self._is_dragging = False
        if is_long and (event.isFinish() or len(brushed) <= LIVE_FRAMES):
            self.brushed.emit(brushed if brushed.any() else None)

    def brush_rect(self, rect: QRectF) -> QRectF:
        """Return what a drag over a rectangle of values brushes."""
        return rect

    def frames_in(self, rect: QRectF) -> BoolArray:
        """Return whether each frame has a value in a rectangle, bool[n]."""
        raise NotImplementedError

    def frame_at(self, point: QPointF) -> int | None:
        """Return the frame that is shown at a point of the scene; None for none."""
        raise NotImplementedError

    def show_pointed(self, frame: int | None) -> None:
        """Show that the pointer is over a frame; None: over none."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape and self._is_dragging:
            self._is_dragging = False
            self.rubber.hide()
            self.brushed.emit(None)
        elif key == Qt.Key.Key_Backspace:
            is_forward = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._step_back(1 if is_forward else -1)
        elif key == Qt.Key.Key_0 and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.show_whole()
        else:
            event.ignore()
            return
        event.accept()

    # --- look -------------------------------------------------------------------------------------------

    def restyle(self) -> None:
        """Apply the colours, fonts and lengths of the theme."""
        theme = self.theme
        self.setBackground(theme.palette.field)
        item = self.getPlotItem()
        style_plot(item, theme)
        self.box.setBackgroundColor(None)  # the grid is behind it
        item.layout.setContentsMargins(0, theme.px(_TOP), theme.px(_RIGHT), 0)
        item.getAxis("left").setWidth(theme.px(_LEFT))
        item.getAxis("bottom").setHeight(theme.px(_BOTTOM))
        for side in ("left", "bottom"):
            item.getAxis(side).setGrid(GRID)
            item.getAxis(side).setZValue(-1)
        self.rubber.setPen(pg.mkPen(theme.palette.selection, width=1))
        self.rubber.setBrush(with_alpha(theme.palette.selection, _BRUSH))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None:
            # pyqtgraph calls this while it is being made.
            self.draw_part()

    def sizeHint(self) -> QSize:
        return QSize(300, 200)


class ValueTag:
    """A text on the ground of the time cursor's tag, beside a point and within the plot."""

    def __init__(self, plot: SidePlot) -> None:
        self._plot = plot
        self._item = pg.TextItem(anchor=(0, 1))
        self._item.setZValue(60)
        self._item.textItem.document().setDocumentMargin(3)
        plot.box.addItem(self._item, ignoreBounds=True)
        self.hide()

    @property
    def text(self) -> str:
        """The text; empty while it is hidden."""
        if self._item.isVisible():
            return str(self._item.toPlainText())
        return ""

    def restyle(self) -> None:
        """Apply the colours and fonts of the theme."""
        theme = self._plot.theme
        self._item.setFont(theme.mono)
        self._item.setColor(theme.palette.on_tag)
        self._item.fill = pg.mkBrush(theme.palette.tag)

    def show_at(self, x: float, y: float, text: str) -> None:
        """Show a text beside a point, on the side that has room."""
        (low, high), (bottom, top) = self._plot.box.viewRange()
        self._item.setText(text)
        is_right = (x - low) > (high - low) / 2
        room_above = (top - y) / (top - bottom) * self._plot.box.height()
        is_high = room_above < 1.4 * self._item.textItem.boundingRect().height()
        self._item.setAnchor((1.08 if is_right else -0.08, -0.4 if is_high else 1.4))
        self._item.setPos(x, y)
        self._item.setVisible(low <= x <= high and bottom <= y <= top)

    @property
    def rect(self) -> QRectF:
        """Its rectangle in the scene; empty while it is hidden."""
        if not self._item.isVisible():
            return QRectF()
        self._item.updateTransform(force=True)  # else it is placed when it is painted
        return QRectF(self._item.sceneBoundingRect())

    def hide(self) -> None:
        """Hide it."""
        self._item.hide()
