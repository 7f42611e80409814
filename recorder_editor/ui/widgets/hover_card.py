"""A tooltip whose link into the guide can be clicked: it stays for a moment when the mouse leaves what it is about."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QSinglePointEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLabel, QStyle, QWidget

from ...texts import say
from ..session.debounce import Debounce

GUIDE = int(Qt.ItemDataRole.UserRole) + 100
"""The role of items for their place in the guide: a page, `#`, and a heading or words on it."""

MS_TO_REACH_IT = 400
_ENDING = (QEvent.Type.WindowDeactivate, QEvent.Type.FocusIn, QEvent.Type.FocusOut, QEvent.Type.Close)
_PRESSING = (QEvent.Type.MouseButtonPress, QEvent.Type.Wheel)
_MOVING = (QEvent.Type.MouseMove, QEvent.Type.HoverMove)


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
        self._shown: tuple[QWidget, Explained] | None = None
        self._leaving = Debounce(self, self.hide, MS_TO_REACH_IT)

    def watch(self, area: QAbstractScrollArea, ask: Callable[[QPoint], Explained | None]) -> None:
        """Be the tooltip of a view where `ask` knows what the guide says of a point of its viewport."""
        self._asks[area.viewport()] = ask
        area.viewport().installEventFilter(self)

    def place(self) -> str:
        """What the guide says of what it shows, or empty."""
        if self._shown is not None:
            return self._shown[1].place
        return ""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        ask = self._asks.get(watched)
        if self._shown is not None:
            self._judge(watched, event, *self._shown)
        if ask is None or not isinstance(event, QHelpEvent) or not isinstance(watched, QWidget):
            return False
        told = ask(event.pos())
        if told is not None:
            self._show(watched, told, event.globalPos())
        return told is not None

    def _show(self, viewport: QWidget, told: Explained, at: QPoint) -> None:
        if (viewport, told) == self._shown:
            return
        self.hide()
        explain = say("Explain in the guide")
        if told.place:
            link = f'<br><a href="{told.place}">{explain}</a>'
        else:
            link = ""
        self.setText(f"{told.text}{link}")
        self.resize(self.sizeHint() + QSize(1, 0))  # as Qt does with its own
        room = viewport.screen().availableGeometry()
        x, y = at.x() + 2, at.y() + 16
        if not (x + self.width() <= room.right()):
            x = max(room.left(), at.x() - 4 - self.width())
        if not (y + self.height() <= room.bottom()):
            y = max(room.top(), at.y() - 8 - self.height())
        self.move(x, y)
        self._shown = viewport, told
        self._application.installEventFilter(self)
        self.show()

    def _judge(self, watched: QObject, event: QEvent, viewport: QWidget, told: Explained) -> None:
        """Go away as tooltips do, and a moment after the mouse was at the item or on the card."""
        kind = event.type()
        is_card = watched in (self, self.windowHandle())
        if kind in _ENDING or (kind in _PRESSING and not is_card):
            self.hide()
        elif kind == QEvent.Type.ShortcutOverride:
            self._leaving.start(0)  # after F1 has asked for its place
        elif kind in _MOVING and isinstance(event, QSinglePointEvent) and (is_card or watched == viewport):
            if is_card or told.rect.contains(event.position().toPoint()):
                self._leaving.stop()
            elif not self._leaving.isActive():
                self._leaving.start(MS_TO_REACH_IT)
        elif kind == QEvent.Type.Leave and (is_card or watched == viewport):
            self._leaving.start(MS_TO_REACH_IT)

    def _follow(self, place: str) -> None:
        self.hide()
        self.asked.emit(place)

    def hide(self) -> None:
        """Go away."""
        self._shown = None
        self._leaving.stop()
        self._application.removeEventFilter(self)
        super().hide()
