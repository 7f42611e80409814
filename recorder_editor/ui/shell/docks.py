"""Docks: titles that are tabs, panes that are made when they are seen, and a grip wider than the line it moves."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QMouseEvent, QMoveEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QVBoxLayout, QWidget

from ..session.debounce import Debounce
from ..style.boxes import fill, keep_room
from ..style.theme import Theme
from ..widgets import DockTitle
from ..widgets.focus_ring import FocusRing
from ..widgets.pane import Pane

GRIP = 7
Slot = Literal["tabs", "below", "selected", "right", "bottom"]


class Placement(NamedTuple):
    """Where a dock stands.

    Attributes: `side` (of the window, where a person opens it), `places` (by name of a layout that it is open in: a
    slot and its number there), `joins` (opened by a person it is a further tab of its side, or stands below it),
    `is_quiet` (it has no title while it stands alone). Slots: `tabs` (docks in one place at the upper left, the first
    one in front), `below` (them), `selected` (there too, while something is selected, the further ones as its tabs),
    `right` (from the top), `bottom` (over the whole width).
    """

    side: Literal["left", "right", "bottom"]
    places: Mapping[str, tuple[Slot, int]] = MappingProxyType({})
    joins: Literal["", "behind", "below"] = ""
    is_quiet: bool = False


class QuietTitle(DockTitle):
    """A title that takes no room while its dock stands alone in its place: the pane says itself what it is."""

    def _height(self) -> int:
        if self._is_quiet():
            return 0
        return super()._height()

    def _is_quiet(self) -> bool:
        dock = self.parent()
        return isinstance(dock, QDockWidget) and not dock.isFloating() and len(self.titles()) < 2


class Dock(QDockWidget):
    """The place of one pane. Keys that the pane does not take go to the window, also while it floats.

    Attributes: `pane` (None before it is seen), `keep_focus` (of `FocusKeeper`). Signals: `closed` (a person closed
    it), `seen` (it came into sight and holds no pane yet).
    """

    closed = Signal()
    seen = Signal()

    def __init__(self, name: str, title: str, placement: Placement, theme: Theme, window: QMainWindow) -> None:
        super().__init__(title, window)
        self.name = name
        self.placement = placement
        self.pane: Pane | None = None
        self.keep_focus: Callable[[QWidget], bool] = lambda _window: False
        self.theme = theme
        self.setObjectName(f"dock.{name}")
        make_title = QuietTitle if placement.is_quiet else DockTitle
        self.title = make_title(theme, title, self)
        self.title.attach(self)
        self.topLevelChanged.connect(self._show_edge)
        FocusRing(theme, self)  # while it floats

    def set_pane(self, pane: Pane) -> None:
        """Hold this pane from now on."""
        _entitle(self.title, pane, "right")
        pane.keep_height(pane.minimumHeight())
        keep_room(pane)
        pane.hide()
        # Qt shows the widget of a dock, also behind another dock: the pane is to rest there.
        holder = QWidget()
        self.setWidget(holder)
        fill(QVBoxLayout(holder), pane)
        self.take_room()
        pane.setVisible(self.is_in_front())
        self.pane = pane

    def take_room(self) -> None:
        """Ask at once for the room that the pane needs; Qt does once its events have run."""
        holder: QWidget | None = self.widget()  # the stub leaves None out
        if holder is not None:
            for layout in (holder.layout(), self.layout()):
                if layout is not None:
                    layout.activate()

    def look(self) -> None:
        """Announce that the dock is in sight where it holds no pane yet."""
        if self.pane is None and self.isVisible() and self.is_in_front():
            self.seen.emit()

    def is_in_front(self) -> bool:
        """Whether no dock is in front of it: Qt calls one that is behind visible, and moves it out of the window."""
        return self.isFloating() or self.geometry().right() >= 0

    def _show_edge(self, floats: bool) -> None:
        # With a title of its own it has no frame of the desktop: the style sheet draws an edge.
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, floats)
        self.title.updateGeometry()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look_unless_laid_out()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        pane = self.pane
        shown = self.is_in_front()
        if pane is not None:
            pane.setVisible(shown)
        self._look_unless_laid_out()

    def _look_unless_laid_out(self) -> None:
        # While the docks are put into a layout nothing is painted, and they stand where they will not stay.
        if self.updatesEnabled():
            self.look()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def focusNextPrevChild(self, forward: bool) -> bool:
        if self.isWindow() and self.keep_focus(self):
            return True
        return super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        window = self.parentWidget()
        if self.isFloating() and window is not None:
            QApplication.sendEvent(window, event)
        else:
            super().keyPressEvent(event)


class CentralPane(QWidget):
    """The place of the pane in the centre of the window. Signal: `seen` (it is shown and holds no pane yet)."""

    seen = Signal()

    def __init__(self, title: str, theme: Theme) -> None:
        super().__init__()
        self.title = DockTitle(theme, title)
        self.pane: Pane | None = None
        self._box = fill(QVBoxLayout(self), self.title, spacing=0)

    def set_pane(self, pane: Pane) -> None:
        """Hold this pane from now on."""
        self.pane = pane
        _entitle(self.title, pane, "left")
        self._box.addWidget(pane, 1)
        pane.show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.pane is None:
            self.seen.emit()


def _entitle(title: DockTitle, pane: Pane, side: Literal["left", "right"]) -> None:
    """Show the switches and the caption of a pane in a title."""
    for switch in pane.switches:
        title.add_switch(switch)

    def show_caption() -> None:
        title.set_caption(pane.caption, side, pane.short_caption)

    show_caption()
    pane.caption_changed.connect(show_caption)


class Grips(QObject):
    """Widens the one-pixel lines between docks to grips of seven, by transparent widgets that hand the mouse on: a line
    of Qt is gripped where it is drawn and nowhere else.

    Signal: `dragged` (a person gives the panes other lengths).
    """

    dragged = Signal()

    def __init__(self, window: QMainWindow, docks: Iterable[QDockWidget], theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._docks = tuple(docks)
        self._grips: list[_Grip] = []
        self._soon = Debounce(self, self.place, 0)
        window.installEventFilter(self)
        for dock in self._docks:
            dock.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide):
            self._soon.start()
        return False

    def place(self) -> None:
        """Lay a grip over every line."""
        lines = self._lines()
        while len(self._grips) < len(lines):
            self._grips.append(_Grip(self._window, self.dragged.emit))
        for grip, line in zip(self._grips, lines, strict=False):
            grip.lay_over(line)
        for grip in self._grips[len(lines) :]:
            grip.hide()

    def _lines(self) -> list[QRect]:
        """The one-pixel lines at the right of and below what has something on its other side."""
        rects = []
        centre = self._window.centralWidget()
        if centre is not None and centre.isVisible():
            rects.append(centre.geometry())
        for dock in self._docks:
            if dock.isVisible() and not dock.isFloating():
                rects.append(dock.geometry())
        whole = QRect()
        for rect in rects:
            whole |= rect
        beside = [QRect(rect.right() + 1, rect.top(), 1, rect.height()) for rect in rects]
        below = [QRect(rect.left(), rect.bottom() + 1, rect.width(), 1) for rect in rects]
        return [line for line in beside + below if whole.contains(line)]


class _Grip(QWidget):
    """An invisible strip over a line: the window gets the mouse as if the line itself had been hit."""

    def __init__(self, window: QMainWindow, dragged: Callable[[], None]) -> None:
        super().__init__(window)
        self._window = window
        self._dragged = dragged
        self._line = QRect()
        self._offset = QPoint()
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)

    def lay_over(self, line: QRect) -> None:
        """Cover a line of the window."""
        half = GRIP // 2
        upright = line.width() == 1
        self._line = line
        if upright:
            self.setCursor(Qt.CursorShape.SplitHCursor)
            self.setGeometry(line.adjusted(-half, 0, half, 0))
        else:
            self.setCursor(Qt.CursorShape.SplitVCursor)
            self.setGeometry(line.adjusted(0, -half, 0, half))
        self.raise_()  # over docks that came since
        self.show()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self.mapTo(self._window, event.position().toPoint())
        if self._line.width() == 1:
            on_line = QPoint(self._line.x(), at.y())
        else:
            on_line = QPoint(at.x(), self._line.y())
        self._offset = on_line - at
        self._hand_on(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hand_on(event)
        self._dragged()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._hand_on(event)

    def _hand_on(self, event: QMouseEvent) -> None:
        at = QPointF(self.mapTo(self._window, event.position().toPoint()) + self._offset)
        on_screen = self._window.mapToGlobal(at)
        copy = QMouseEvent(event.type(), at, on_screen, event.button(), event.buttons(), event.modifiers())
        QApplication.sendEvent(self._window, copy)
        event.accept()
