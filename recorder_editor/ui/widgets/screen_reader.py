"""The contents of painted views for screen readers, and announcements.

A view with a method `spoken` is a list of lines to a screen reader; they are made when it requests them, one by one. Qt
passes all of it to AT-SPI, UI Automation or NSAccessibility; where none of them is active, nothing is made.
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
    """The lines of a view.

    Attributes:
        size: How many there are.
        line: Returns the text of a line, by its index.
        current: The index of the current line; -1: none.
        news: What is announced when the text of the current line changes; empty: all of it.
    """

    size: int
    line: Callable[[int], str]
    current: int = -1
    news: str = ""


def spoken_lines(lines: Sequence[str], current: int = -1, news: str = "") -> Spoken:
    """Return the lines of a view that has few."""
    return Spoken(len(lines), lines.__getitem__, current, news)


def announce(widget: QWidget, sentence: str) -> None:
    """Let screen readers read a sentence about a widget now."""
    if sentence and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, sentence))


class _Line(QAccessibleInterface):
    """One line, without children. It exists as long as its view, and is not valid while there are fewer lines."""

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
        is_current = self._number == self._view.spoken().current
        state = QAccessible.State()
        state.selectable = True
        state.focusable = True
        state.selected = is_current
        state.focused = is_current
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
    """A painted view as a list of lines.

    Attributes:
        spoken: Returns the lines.
    """

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
        # Qt does not own the lines, and may use each one at any later time.
        while len(self._lines) <= index:
            self._lines.append(_Line(self, len(self._lines)))
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
    """Let Qt use the interfaces of this module; once in a process."""
    QAccessible.installFactory(_interface_of)


def _interface_of(kind: str, widget: QObject) -> QAccessibleInterface | None:
    """Return what a widget is to screen readers; None: what Qt makes of it. Names some widgets, too."""
    if hasattr(widget, "spoken"):
        return _View(widget)
    if not isinstance(widget, QWidget):
        return None
    nameless = {"QScrollBar": say("Scroll bar"), "QLineEditIconButton": say("Clear")}
    if kind in nameless and not widget.accessibleName():
        # Later: screen readers are told of a new name, for which Qt would request this interface once more.
        QTimer.singleShot(0, widget, partial(widget.setAccessibleName, nameless[kind]))
    if kind == "QComboBox":
        QTimer.singleShot(0, widget, partial(_describe, widget))
    if kind == "QKeySequenceEdit":
        return QAccessibleWidget(widget, QAccessible.Role.HotkeyField)
    if kind == "QWidget" and hasattr(widget, "text"):
        return QAccessibleWidget(widget, QAccessible.Role.StaticText)
    if type(widget) is QScrollArea:
        name = widget.accessibleName() or say("Page")
        return QAccessibleWidget(widget, QAccessible.Role.Grouping, name)
    return None


def _describe(box: QWidget) -> None:
    """Let the description of a choice without a label begin with its name: Qt gives AT-SPI its value as its name."""
    name = box.accessibleName()
    description = box.accessibleDescription() or box.toolTip()
    if not name:  # Qt's own box: looking for its label makes PySide release a widget that is still in use
        return
    if not description.startswith(name) and not _has_label(box):
        box.setAccessibleDescription(listed((name, description), "clauses"))


def _has_label(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    if parent is None:
        return False
    return any(label.buddy() is widget for label in parent.findChildren(QLabel))


class Speaker(QObject):
    """Announces changes in a window, once nothing has changed for a moment: while frames are played, when they stop.

    It announces those of the window's texts that are others, and the current line of the painted view that has the
    focus.
    """

    def __init__(self, window: QWidget, texts: Callable[[], Sequence[str]]) -> None:
        """Make a speaker; ``texts`` returns the texts of the window that are announced."""
        super().__init__(window)
        self._window = window
        self._texts = texts
        self._announced: tuple[str, ...] = ()
        self._view: Any = None
        self._painted: QWidget | None = None
        self._line_index = -1
        self._line_text = ""
        self._debounce = Debounce(self, self._announce_changes)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)
        application.clipboard().dataChanged.connect(self._announce_copied)

    def announce_soon(self) -> None:
        """Announce what is another in a moment."""
        if QAccessible.isActive():
            self._debounce.begin()

    def _announce_copied(self) -> None:
        if QApplication.activeWindow() is not None:  # else another program has copied something
            announce(self._window, say("Copied"))

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        if self._painted is not None and isValid(self._painted):
            self._painted.removeEventFilter(self)
        self._view = None
        self._painted = None
        if QAccessible.isActive() and now is not None and hasattr(now, "spoken"):
            self._view = now
            self._line_index = -1
            self._line_text = ""
            if isinstance(now, QAbstractScrollArea):
                self._painted = now.viewport()
            else:
                self._painted = now
            self._painted.installEventFilter(self)
            self._debounce.begin()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._debounce.begin()
        return False

    def _announce_changes(self) -> None:
        before = self._announced
        self._announced = tuple(self._texts())
        new = [text for text in self._announced if text and text not in before]
        if new:
            announce(self._window, listed(new, "clauses"))
        if self._view is not None and isValid(self._view):
            self._announce_line(self._view.spoken())

    def _announce_line(self, spoken: Spoken) -> None:
        """Give the focus of screen readers to the current line, or announce its text where only that is another."""
        index = spoken.current
        text = ""
        if index >= 0:
            text = spoken.line(index)
        if index >= 0 and index != self._line_index:
            line = QAccessible.queryAccessibleInterface(self._view).child(index)
            QAccessible.updateAccessibility(QAccessibleEvent(line, QAccessible.Event.Focus))
        elif text and text != self._line_text:
            announce(self._window, spoken.news or text)
        self._line_index = index
        self._line_text = text
