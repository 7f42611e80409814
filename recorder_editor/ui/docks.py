"""Docks and their places: titles that are tabs, three designed layouts, and a grip wider than the line it moves."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QMouseEvent, QMoveEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from .theme import Theme
from .widgets import DockTitle

GRIP = 7
_LOWEST = 36
_NARROW = 1400
_SMALL = 1120
_SIGNALS = (140, 240)
_LOWEST_TIMELINE = 142
"""With its transport, overview, ruler and three lanes."""
_GIVES_WAY = 120
"""What the timeline gives to Signals below it."""


@dataclass(frozen=True, slots=True)
class Widths:
    """Lengths of a layout in pixels of the design: columns and the timeline below; `below` are the lower left and
    lower right docks."""

    left: int
    right: int
    timeline: int
    lower_left: int = 198
    lower_right: int = 64


@dataclass(frozen=True, slots=True)
class Preset:
    """A designed layout.

    Attributes: `name`, `tabs` (dock names at the upper left, the open one first), `lower_left`, `right` (from the top),
    `wide` (from 1,400 pixels on), `narrow`, `small` (below 1,120).
    """

    name: str
    tabs: tuple[str, ...]
    lower_left: str
    right: tuple[str, ...]
    wide: Widths
    narrow: Widths
    small: Widths

    def widths(self, width: int) -> Widths:
        """The lengths for a window so wide."""
        return self.wide if width >= _NARROW else self.narrow if width >= _SMALL else self.small


INSPECT = Preset(
    "inspect",
    ("packets", "actors", "problems"),
    "bytes",
    ("attributes", "history"),
    Widths(500, 292, 228),
    Widths(340, 268, 196, 179),
    Widths(310, 252, 168, 150),
)
TRIM = Preset("trim", (), "", ("trim",), Widths(0, 344, 368), Widths(0, 320, 320), Widths(0, 272, 250))
REPAIR = Preset(
    "repair",
    ("problems", "packets", "actors"),
    "bytes",
    ("repair",),
    Widths(560, 352, 244, 290),
    Widths(440, 300, 212, 240),
    Widths(340, 252, 180, 170),
)
PRESETS = {preset.name: preset for preset in (INSPECT, TRIM, REPAIR)}


class QuietTitle(DockTitle):
    """A title that takes no room while its dock stands alone in its place: the pane says itself what it is."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 0) if self._is_quiet() else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 0) if self._is_quiet() else super().minimumSizeHint()

    def _is_quiet(self) -> bool:
        dock = self.parent()
        return isinstance(dock, QDockWidget) and not dock.isFloating() and len(self.titles()) < 2


class Dock(QDockWidget):
    """One pane in the window. Keys that a pane does not take go to the window, also while it floats.

    Signal: `closed` (a person closed it).
    """

    closed = Signal()

    def __init__(self, name: str, title: str, pane: QWidget, theme: Theme, window: QMainWindow, *, quiet: bool) -> None:
        super().__init__(title, window)
        self.name = name
        self.pane = pane
        self.setObjectName(f"dock.{name}")
        self.title = (QuietTitle if quiet else DockTitle)(theme, title)
        for switch in getattr(pane, "title_switches", ()):
            self.title.add_switch(switch)
        self.title.set_caption(str(getattr(pane, "caption", "")))
        changed = getattr(pane, "caption_changed", None)
        if changed is not None:
            changed.connect(self.title.set_caption)
        pane.setMinimumHeight(theme.px(_LOWEST))
        kept = pane.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        pane.setSizePolicy(kept)
        self.setWidget(pane)
        self.title.attach(self)

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        # Qt calls a dock behind another one visible, and moves it out of the window: its pane is to rest meanwhile.
        shown = self.isFloating() or self.geometry().right() >= 0
        focus = QApplication.focusWidget()
        if not shown and focus is not None and self.pane.isAncestorOf(focus):
            # Else Qt hands the keyboard to the next pane, in which typing may change bytes.
            focus.clearFocus()
        self.pane.setVisible(shown)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        window = self.parentWidget()
        if self.isFloating() and window is not None:
            QApplication.sendEvent(window, event)
        else:
            super().keyPressEvent(event)


def arrange(window: QMainWindow, docks: dict[str, Dock], preset: Preset) -> None:
    """Put the docks where a preset wants them, the others out of sight."""
    for dock in docks.values():
        dock.setFloating(False)
        window.removeDockWidget(dock)
    area = Qt.DockWidgetArea
    window.addDockWidget(area.BottomDockWidgetArea, docks["timeline"])
    window.splitDockWidget(docks["timeline"], docks["signals"], Qt.Orientation.Vertical)
    shown = ["timeline"]
    if preset.tabs:
        upper = docks[preset.tabs[0]]
        window.addDockWidget(area.LeftDockWidgetArea, upper)
        window.splitDockWidget(upper, docks[preset.lower_left], Qt.Orientation.Vertical)
        for name in preset.tabs[1:]:
            window.tabifyDockWidget(upper, docks[name])
        shown += [*preset.tabs, preset.lower_left]
    for name in preset.right:
        window.addDockWidget(area.RightDockWidgetArea, docks[name])
        shown.append(name)
    for name in ("packets", "actors", "problems", "bytes", "attributes", "history", "trim", "repair", "differences"):
        if name == "differences" and preset.tabs:
            window.tabifyDockWidget(docks[preset.tabs[-1]], docks[name])
        elif name not in shown:
            is_right = name in ("attributes", "history", "trim", "repair")
            side = area.RightDockWidgetArea if is_right else area.LeftDockWidgetArea
            window.addDockWidget(side, docks[name])
    for name, dock in docks.items():
        dock.setVisible(name in shown)
    if preset.tabs:
        docks[preset.tabs[0]].raise_()


def measure(window: QMainWindow, docks: dict[str, Dock], preset: Preset, theme: Theme) -> None:
    """Give the docks of a preset their lengths; the window must have been laid out."""
    widths = preset.widths(round(window.width() / theme.px(100) * 100))
    horizontal = Qt.Orientation.Horizontal
    measure_below(window, docks, preset, theme)
    if preset.tabs:
        window.resizeDocks([docks[preset.tabs[0]]], [theme.px(widths.left)], horizontal)
        _split(window, docks[preset.tabs[0]], docks[preset.lower_left], theme.px(widths.lower_left))
    window.resizeDocks([docks[preset.right[0]]], [theme.px(widths.right)], horizontal)
    if len(preset.right) > 1:
        _split(window, docks[preset.right[0]], docks[preset.right[1]], theme.px(widths.lower_right))


def measure_below(window: QMainWindow, docks: dict[str, Dock], preset: Preset, theme: Theme) -> None:
    """Give the timeline its length, and where Signals stands below it a part of that to it, and more of the window."""
    widths = preset.widths(round(window.width() / theme.px(100) * 100))
    below = [docks["timeline"]]
    lengths = [theme.px(widths.timeline)]
    if not docks["signals"].isHidden() and not docks["signals"].isFloating():
        below.append(docks["signals"])
        signals = min(max(window.height() // 9 * 2, theme.px(_SIGNALS[0])), theme.px(_SIGNALS[1]))
        lengths = [theme.px(max(widths.timeline - _GIVES_WAY, _LOWEST_TIMELINE)), signals]
    window.resizeDocks(below, lengths, Qt.Orientation.Vertical)


def _split(window: QMainWindow, upper: Dock, lower: Dock, height: int) -> None:
    both = upper.height() + lower.height()
    window.resizeDocks([upper, lower], [max(1, both - height), height], Qt.Orientation.Vertical)


class Grips(QObject):
    """Widens the one-pixel lines between docks to grips of seven, by transparent widgets that hand the mouse on.

    Signal: `dragged` (a person gives the panes other lengths).
    """

    dragged = Signal()

    def __init__(self, window: QMainWindow, docks: Iterable[QDockWidget], theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._docks = tuple(docks)
        self._grips: list[_Grip] = []
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.place)
        for watched in (window, *self._docks):
            watched.installEventFilter(self)

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
        """The one-pixel lines beside docks that have something on their other side."""
        window = self._window
        centre = window.centralWidget()
        docked = [dock for dock in self._docks if dock.isVisible() and not dock.isFloating()]
        rects = [dock.geometry() for dock in docked]
        neighbours = [*rects, *([centre.geometry()] if centre is not None and centre.isVisible() else [])]
        lines: dict[tuple[int, int, int, int], QRect] = {}
        for rect in rects:
            for line in (
                QRect(rect.left() - 1, rect.top(), 1, rect.height()),
                QRect(rect.right() + 1, rect.top(), 1, rect.height()),
                QRect(rect.left(), rect.top() - 1, rect.width(), 1),
                QRect(rect.left(), rect.bottom() + 1, rect.width(), 1),
            ):
                if _has_both_sides(line, neighbours):
                    lines[(line.x(), line.y(), line.width(), line.height())] = line
        return _longest(list(lines.values()))


def _has_both_sides(line: QRect, rects: Iterable[QRect]) -> bool:
    if line.width() == 1:
        before, after = line.translated(-1, 0), line.translated(1, 0)
    else:
        before, after = line.translated(0, -1), line.translated(0, 1)
    return any(rect.intersects(before) for rect in rects) and any(rect.intersects(after) for rect in rects)


def _longest(lines: list[QRect]) -> list[QRect]:
    """Without those that another one covers."""
    return [line for line in lines if not any(other is not line and other.contains(line) for other in lines)]


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
        self.setCursor(Qt.CursorShape.SplitHCursor if upright else Qt.CursorShape.SplitVCursor)
        self.setGeometry(line.adjusted(-half, 0, half, 0) if upright else line.adjusted(0, -half, 0, half))
        self.show()
        self.raise_()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self.mapTo(self._window, event.position().toPoint())
        on_line = QPoint(self._line.x(), at.y()) if self._line.width() == 1 else QPoint(at.x(), self._line.y())
        self._offset = on_line - at
        self._hand_on(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hand_on(event)
        self._dragged()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._hand_on(event)

    def _hand_on(self, event: QMouseEvent) -> None:
        at = QPointF(self.mapTo(self._window, event.position().toPoint()) + self._offset)
        copy = QMouseEvent(
            event.type(), at, self._window.mapToGlobal(at), event.button(), event.buttons(), event.modifiers()
        )
        QApplication.sendEvent(self._window, copy)
        event.accept()
