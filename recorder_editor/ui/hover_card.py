"""A tooltip whose link into the guide can be clicked: it stays while the mouse is on its way to it, or on it."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QHoverEvent, QMouseEvent, QSinglePointEvent, QWindow
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLabel, QStyle, QWidget

from .rest import Rest

GUIDE = int(Qt.ItemDataRole.UserRole) + 100
"""The role of items for their place in the guide: a page, `#`, and a heading or words on it."""

_READING = 10_000  # milliseconds, as long as Qt shows a tooltip
_LEAVING = 300
_ENDING = (QEvent.Type.WindowDeactivate, QEvent.Type.FocusIn, QEvent.Type.FocusOut, QEvent.Type.Close)
_PRESSING = (QEvent.Type.MouseButtonPress, QEvent.Type.Wheel)
_MOVING = (QEvent.Type.MouseMove, QEvent.Type.HoverMove)
_TYPING = (QEvent.Type.KeyPress, QEvent.Type.FocusIn)


class Explained(NamedTuple):
    """What is at a point of a view: rich `text`, `place` in the guide as `GUIDE` has it (may be empty), its `rect`."""

    text: str
    place: str
    rect: QRect


class HoverCard(QLabel):
    """The one card of a window, for the views that it watches. Signal: `asked(str)`, the place of its link."""

    asked = Signal(str)

    def __init__(self, window: QWidget) -> None:
        flags = Qt.WindowType
        super().__init__(window, flags.ToolTip | flags.FramelessWindowHint | flags.WindowDoesNotAcceptFocus)
        self.setObjectName("hoverCard")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setIndent(1)
        self.setMargin(1 + self.style().pixelMetric(QStyle.PixelMetric.PM_ToolTipLabelFrameWidth))
        self.linkActivated.connect(self._follow)
        application = QApplication.instance()
        assert application is not None
        self._application = application
        self._asks: dict[QObject, Callable[[QPoint], Explained | None]] = {}
        self._under: tuple[QObject, QPoint] | None = None
        self._shown: tuple[QWidget, Explained] | None = None
        self._distance = 0
        self._timer = Rest(self, self.hide, _READING)

    def watch(self, area: QAbstractScrollArea, ask: Callable[[QPoint], Explained | None]) -> None:
        """Be the tooltip of a view where `ask` knows what the guide says of a point of its viewport."""
        self._asks[area.viewport()] = ask
        area.installEventFilter(self)
        area.viewport().installEventFilter(self)

    def place(self) -> str:
        """What the guide says of what it shows, or of what the mouse was moved to since the last key; or empty."""
        if self._shown is not None:
            return self._shown[1].place
        told = self._asks[self._under[0]](self._under[1]) if self._under is not None else None
        return told.place if told is not None else ""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind, ask = event.type(), self._asks.get(watched)
        if self._shown is not None:
            self._judge(watched, event)
        if ask is None:
            self._under = None if kind in _TYPING else self._under
        elif kind in _MOVING and isinstance(event, QMouseEvent | QHoverEvent):
            self._under = watched, event.position().toPoint()
        elif kind == QEvent.Type.Leave:
            self._under = None
        elif kind == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and isinstance(watched, QWidget):
            told = ask(event.pos())
            if told is not None:
                self._show(watched, told, event.globalPos())
            return told is not None
        return False

    def _show(self, viewport: QWidget, told: Explained, at: QPoint) -> None:
        if (viewport, told) == self._shown:
            return
        self.hide()
        explain = self.tr("Explain in the guide")
        link = f'<br><a href="{told.place}">{explain}</a>' if told.place else ""
        self.setText(f"{told.text}{link}")
        self.resize(self.sizeHint() + QSize(1, 0))  # as Qt does with its own
        room = viewport.screen().availableGeometry()
        x, y = at.x() + 2, at.y() + 16
        x = x if x + self.width() <= room.right() else max(room.left(), at.x() - 4 - self.width())
        y = y if y + self.height() <= room.bottom() else max(room.top(), at.y() - 8 - self.height())
        self.move(x, y)
        self._shown, self._distance = (viewport, told), self._far(at)
        self._application.installEventFilter(self)
        self._timer.start(_READING)
        self.show()

    def _judge(self, watched: QObject, event: QEvent) -> None:
        """Go away as tooltips do; yet a mouse that comes nearer does not end it."""
        kind = event.type()
        is_window = isinstance(watched, QWindow)
        if kind == QEvent.Type.ShortcutOverride:
            QTimer.singleShot(0, self, self.hide)  # after F1 has asked for its place
        elif kind in _PRESSING and isinstance(event, QSinglePointEvent):
            if self._far(event.globalPosition().toPoint()):
                self.hide()
        elif kind in _ENDING:
            self.hide()
        elif kind == QEvent.Type.Leave and is_window:
            self._timer.start(_LEAVING)
        elif kind == QEvent.Type.MouseMove and is_window and isinstance(event, QMouseEvent):
            self._moved(event.globalPosition().toPoint())

    def _moved(self, point: QPoint) -> None:
        assert self._shown is not None
        viewport, told = self._shown
        before, self._distance = self._distance, self._far(point)
        is_at_item = told.rect.intersected(viewport.rect()).contains(viewport.mapFromGlobal(point))
        if not self._distance:
            self._timer.stop()
        elif is_at_item or self._distance <= before:
            self._timer.start(_READING)
        else:
            self.hide()

    def _far(self, point: QPoint) -> int:
        """How far the card is from a point of the screen, in pixels across and down; 0: the point is on it."""
        card = self.geometry()
        across = max(card.left() - point.x(), point.x() - card.right(), 0)
        return across + max(card.top() - point.y(), point.y() - card.bottom(), 0)

    def _follow(self, place: str) -> None:
        self.hide()
        self.asked.emit(place)

    def hide(self) -> None:
        """Go away."""
        self._shown = None
        self._timer.stop()
        self._application.removeEventFilter(self)
        super().hide()
