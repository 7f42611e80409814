"""What a screen reader finds in views that paint their contents, and what it is told of without being asked.

A view with a method `spoken` is a list of lines to it; they are made when it asks for them, one by one. Qt passes all
of it on to AT-SPI, UI Automation or NSAccessibility; where none of them listens, nothing is asked and nothing told.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QObject, QRect, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QApplication, QLabel, QScrollArea, QWidget
from shiboken6 import isValid

from ...texts import listed, say
from ..session.debounce import Debounce


class Spoken(NamedTuple):
    """The lines of a view: how many (`size`), the text of one, the current one (-1: none), and what of that is told
    when it changes (`news`; all of it where that is empty)."""

    size: int
    line: Callable[[int], str]
    current: int = -1
    news: str = ""


def spoken_lines(lines: Sequence[str], current: int = -1, news: str = "") -> Spoken:
    """The lines of a view that are few."""
    return Spoken(len(lines), lines.__getitem__, current, news)


def announce(widget: QWidget, sentence: str) -> None:
    """Tell a sentence about a widget at once, without being asked."""
    if sentence and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, sentence))


class _Line(QAccessibleInterface):
    """One line, without children. It stays as long as its view, and is not valid while there are fewer."""

    def __init__(self, view: "_View", number: int) -> None:
        super().__init__()
        self._view = view
        self._number = number

    def isValid(self) -> bool:
        return isValid(self._view) and self._number < self._view.childCount()

    def text(self, kind: QAccessible.Text) -> str:
        if kind == QAccessible.Text.Name and self.isValid():
            return self._view.spoken().line(self._number)
        return ""

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        is_current = self._number == self._view.spoken().current
        state.selectable = state.focusable = True
        state.selected = state.focused = is_current
        return state

    def parent(self) -> QAccessibleInterface:
        return self._view

    def rect(self) -> QRect:
        return self._view.rect()

    def object(self) -> Any:
        return None

    def child(self, index: int) -> Any:
        return None

    def childAt(self, x: int, y: int) -> Any:
        return None

    def childCount(self) -> int:
        return 0


class _View(QAccessibleWidget):
    """A painted view: a list of what is written or drawn in it. Attribute: `spoken`."""

    def __init__(self, view: Any) -> None:
        super().__init__(view, QAccessible.Role.List)
        self.spoken: Callable[[], Spoken] = view.spoken
        self._lines: list[_Line] = []
        view.destroyed.connect(partial(_forget, self._lines))

    def childCount(self) -> int:
        return self.spoken().size

    def child(self, index: int) -> Any:
        if not 0 <= index < self.childCount():
            return None
        # Qt holds none of them, and may ask for each one at any later time.
        self._lines += [_Line(self, number) for number in range(len(self._lines), index + 1)]
        return self._lines[index]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        if child in self._lines:
            return self._lines.index(child)
        return -1

    def focusChild(self) -> Any:
        return self.child(self.spoken().current)


def _forget(lines: list[_Line]) -> None:
    for line in lines:
        QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(line))


@cache
def install() -> None:
    """Have Qt ask here first what a widget is; once in a process."""
    QAccessible.installFactory(_interface_of)


def _interface_of(kind: str, widget: QObject) -> QAccessibleInterface | None:
    if hasattr(widget, "spoken"):
        return _View(widget)
    nameless = {"QScrollBar": say("Scroll bar"), "QLineEditIconButton": say("Clear")}
    if kind in nameless and isinstance(widget, QWidget) and not widget.accessibleName():
        # Later: to be named is told to screen readers, for which Qt would ask for this interface once more.
        QTimer.singleShot(0, widget, partial(widget.setAccessibleName, nameless[kind]))
    if kind == "QComboBox" and isinstance(widget, QWidget):
        QTimer.singleShot(0, widget, partial(_describe, widget))
    if kind == "QKeySequenceEdit" and isinstance(widget, QWidget):
        return QAccessibleWidget(widget, QAccessible.Role.HotkeyField)
    if kind == "QWidget" and isinstance(widget, QWidget) and hasattr(widget, "text"):
        return QAccessibleWidget(widget, QAccessible.Role.StaticText)
    if type(widget) is QScrollArea:
        name = widget.accessibleName() or say("Page")
        return QAccessibleWidget(widget, QAccessible.Role.Grouping, name)
    return None


def _describe(box: QWidget) -> None:
    """Have the description of a choice without a label begin with its name: by AT-SPI, Qt tells its value instead."""
    name = box.accessibleName()
    more = box.accessibleDescription() or box.toolTip()
    if not name:  # Qt's own: asked for its label, PySide gives a widget up that others go on with
        return
    around = box.parentWidget()
    has_label = around is not None and any(label.buddy() is box for label in around.findChildren(QLabel))
    if not (has_label or more.startswith(name)):
        box.setAccessibleDescription(listed((name, more), "clauses"))


class Speaker(QObject):
    """Tells, once nothing has changed for a moment, which of the window's `texts` are others, and the current line of
    the painted view that has the keyboard: while frames are played, nothing until they stop."""

    def __init__(self, window: QWidget, texts: Callable[[], Sequence[str]]) -> None:
        super().__init__(window)
        self._window = window
        self._texts = texts
        self._told: tuple[str, ...] = ()
        self._view: Any = None
        self._painted: QWidget | None = None
        self._line = (-1, "")
        self._rest = Debounce(self, self._tell)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)
        application.clipboard().dataChanged.connect(self._tell_copied)

    def tell_soon(self) -> None:
        """Something may be another."""
        if QAccessible.isActive():
            self._rest.begin()

    def _tell_copied(self) -> None:
        if QApplication.activeWindow() is not None:  # else another program did
            announce(self._window, say("Copied"))

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        if self._painted is not None and isValid(self._painted):
            self._painted.removeEventFilter(self)
        self._view = self._painted = None
        if QAccessible.isActive() and now is not None and hasattr(now, "spoken"):
            self._view = now
            self._line = (-1, "")
            if isinstance(now, QAbstractScrollArea):
                self._painted = now.viewport()
            else:
                self._painted = now
            self._painted.installEventFilter(self)
            self._rest.begin()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._rest.begin()
        return False

    def _tell(self) -> None:
        before, self._told = self._told, tuple(self._texts())
        others = []
        for text in self._told:
            if text and text not in before:
                others.append(text)
        if others:
            announce(self._window, listed(others, "clauses"))
        if self._view is None or not isValid(self._view):
            return
        spoken = self._view.spoken()
        line = spoken.current, spoken.line(spoken.current) if spoken.current >= 0 else ""
        if line[0] >= 0 and line[0] != self._line[0]:
            current = QAccessible.queryAccessibleInterface(self._view).child(line[0])
            QAccessible.updateAccessibility(QAccessibleEvent(current, QAccessible.Event.Focus))
        elif line[1] and line[1] != self._line[1]:
            announce(self._window, spoken.news or line[1])
        self._line = line
