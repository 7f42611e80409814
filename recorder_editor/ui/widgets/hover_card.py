"""A tooltip with a link into the guide that can be clicked: it stays for a moment when the mouse leaves its item."""

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


class Explanation(NamedTuple):
    """The tooltip of an item in a view.

    Attributes:
        text: Rich text.
        place: The place in the guide, as `GUIDE` has it; may be empty.
        rect: The rectangle of the item in the viewport.
    """

    text: str
    place: str
    rect: QRect


class HoverCard(QLabel):
    """The one card of a window, for the views that it watches.

    Signals:
        asked(str): Its link was clicked; has the place in the guide.
    """

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
        self._asks: dict[QObject, Callable[[QPoint], Explanation | None]] = {}
        self._shown: tuple[QWidget, Explanation] | None = None
        self._leaving = Debounce(self, self.hide, MS_TO_REACH_IT)

    def watch(self, area: QAbstractScrollArea, ask: Callable[[QPoint], Explanation | None]) -> None:
        """Be the tooltip of a view.

        Args:
            area: The view.
            ask: Returns the tooltip at a point of its viewport; None: there is an ordinary one.
        """
        self._asks[area.viewport()] = ask
        area.viewport().installEventFilter(self)

    def place(self) -> str:
        """Return the place in the guide of what it shows; empty where there is none."""
        if self._shown is None:
            return ""
        _, explained = self._shown
        return explained.place

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        ask = self._asks.get(watched)
        if self._shown is not None:
            viewport, explained = self._shown
            self._hide_after(watched, event, viewport, explained.rect)
        if ask is None or not isinstance(event, QHelpEvent) or not isinstance(watched, QWidget):
            return False
        wanted = ask(event.pos())
        if wanted is not None:
            self._show(watched, wanted, event.globalPos())
        return wanted is not None

    def _show(self, viewport: QWidget, explained: Explanation, mouse: QPoint) -> None:
        if (viewport, explained) == self._shown:
            return
        self.hide()
        link = ""
        if explained.place:
            link_text = say("Explain in the guide")
            link = f'<br><a href="{explained.place}">{link_text}</a>'
        self.setText(f"{explained.text}{link}")
        self.resize(self.sizeHint() + QSize(1, 0))  # as Qt does with its own
        room = viewport.screen().availableGeometry()
        x = mouse.x() + 2
        if x + self.width() > room.right():
            x = max(room.left(), mouse.x() - 4 - self.width())
        y = mouse.y() + 16
        if y + self.height() > room.bottom():
            y = max(room.top(), mouse.y() - 8 - self.height())
        self.move(x, y)
        self._shown = (viewport, explained)
        self._application.installEventFilter(self)
        self.show()

    def _hide_after(self, watched: QObject, event: QEvent, viewport: QWidget, item: QRect) -> None:
        """Hide as tooltips do, and a moment after the mouse has left the item and the card."""
        kind = event.type()
        is_card = watched in (self, self.windowHandle())
        is_near = is_card or watched == viewport
        if kind in _ENDING or (kind in _PRESSING and not is_card):
            self.hide()
        elif kind == QEvent.Type.ShortcutOverride:
            self._leaving.start(0)  # after F1 has asked for its place
        elif kind in _MOVING and isinstance(event, QSinglePointEvent) and is_near:
            if is_card or item.contains(event.position().toPoint()):
                self._leaving.stop()
            elif not self._leaving.isActive():
                self._leaving.start(MS_TO_REACH_IT)
        elif kind == QEvent.Type.Leave and is_near:
            self._leaving.start(MS_TO_REACH_IT)

    def _follow(self, place: str) -> None:
        self.hide()
        self.asked.emit(place)

    def hide(self) -> None:
        """Hide the card."""
        self._shown = None
        self._leaving.stop()
        self._application.removeEventFilter(self)
        super().hide()
