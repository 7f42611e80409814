"""The keyboard: the order in which Tab goes, the line around the view that has it, keys that step frames.

Tab goes as one reads: bars, then the columns from the left, each from above, at last the timeline. Qt's own order is
that in which widgets were made, and forms are made anew all the time. Views do not show the focus themselves, as
buttons and fields do.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import and_

from PySide6.QtCore import QEvent, QKeyCombination, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QScrollArea, QWidget
from shiboken6 import isValid

from ..session import Session
from ..style.theme import Theme
from .pane import Pane


def stops(window: QWidget, parts: Sequence[QWidget], present: QWidget | None = None) -> list[QWidget]:
    """The widgets of a window that Tab stops at, and the `present` one, part by part in this order; within a part from
    above, then from the left."""
    found: list[QWidget] = []
    for part in parts:
        inside = []
        for each in part.findChildren(QWidget):
            if _is_stop(each, window) or each is present:
                inside.append(each)
        found += sorted(inside, key=lambda widget: _place(widget, window))
    return found


def next_stop(window: QWidget, parts: Sequence[QWidget], present: QWidget | None, *, forward: bool) -> QWidget | None:
    """Where Tab goes from the widget that has the keyboard, or Shift+Tab; None where there is nothing."""
    every = stops(window, parts)
    stop = present
    while stop is not None and stop not in every:
        stop = stop.parentWidget()
    if stop is None:
        every = stops(window, parts, present)
        stop = present
    if stop in every:
        return every[(every.index(stop) + (1 if forward else -1)) % len(every)]
    if every:
        return every[0 if forward else -1]
    return None


def _is_stop(widget: QWidget, window: QWidget) -> bool:
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None
    # The tabs that Qt makes for docks are squeezed to nothing: titles take their place.
    return takes_tab and widget.isVisible() and widget.isEnabled() and widget.height() > 1 and widget.window() is window


def _place(widget: QWidget, window: QWidget) -> list[tuple[int, int]]:
    """Its row and column in the window, behind those of the page that it scrolls with."""
    at = widget.mapTo(window, QPoint(0, widget.height() // 2))
    parent = widget.parentWidget()
    while parent is not None and parent is not window and not isinstance(parent, QScrollArea):
        parent = parent.parentWidget()
    # What stands beside one another is seldom aligned to the pixel.
    page = parent if isinstance(parent, QScrollArea) else None
    return [*(_place(page, window) if page is not None else ()), (at.y() // 12, at.x())]


class ViewKeys(QObject):
    """Keys that a view takes while it has the keyboard itself, and no editor in it, whatever the window does with them.

    `does`: what each does, several keys parted by `; `. With `letters_pass`, single letters look for no row: they
    are keys of the window.
    """

    def __init__(self, view: QWidget, does: Mapping[str, Callable[[], object]], *, letters_pass: bool = False) -> None:
        super().__init__(view)
        self._view = view
        self._does = {key.toString(): run for keys, run in does.items() for key in QKeySequence.listFromString(keys)}
        self._letters_pass = letters_pass
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.KeyRelease or not self._view.hasFocus():
            return False
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        run = self._does.get(QKeySequence(QKeyCombination(held, Qt.Key(event.key()))).toString())
        passes = self._letters_pass and event.text().strip() and not held & Qt.KeyboardModifier.ControlModifier
        if run is not None or passes:
            event.setAccepted(run is not None)
        if run is not None and event.type() == QEvent.Type.KeyPress:
            run()
        return run is not None or bool(passes)


class FocusRing(QWidget):
    """Shown wherever the focus came from: some keys act on the view that has it."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._parts: list[QWidget] = []  # the view, and all that it stands in: any of them may move
        self.hide()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._show_around)

    def _show_around(self, _before: QWidget | None, widget: QWidget | None) -> None:
        """Draw the line around this widget if it is a view: controls show themselves that they have the keyboard."""
        self._leave()
        window = self.parentWidget()
        is_view = isinstance(widget, QAbstractScrollArea | Pane) or hasattr(widget, "spoken")
        if widget is None or widget.window() is not window or not is_view:
            return
        while widget is not None and widget is not window:
            self._parts.append(widget)
            widget.installEventFilter(self)
            widget = widget.parentWidget()
        self._place()
        self.raise_()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        elif event.type() == QEvent.Type.Hide:
            self._leave()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        window = self.parentWidget()
        if self._parts and window is not None:
            rects = (QRect(part.mapTo(window, QPoint()), part.size()) for part in self._parts)
            self.setGeometry(reduce(and_, rects))
            self.setMask(QRegion(self.rect()) - QRegion(self.rect().adjusted(2, 2, -2, -2)))

    def _leave(self) -> None:
        for part in filter(isValid, self._parts):
            part.removeEventFilter(self)
        self._parts = []
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self.theme.palette.selection)  # of which the mask leaves the edge


def step_by_key(session: Session, event: QKeyEvent) -> bool:
    """Take Left and Right (with Ctrl to the next event, with Shift by a second), Home and End; False for others."""
    key = event.key()
    modifiers = event.modifiers()
    selection = session.selection
    if key == Qt.Key.Key_Home:
        selection.go_to_frame(0)
    elif key == Qt.Key.Key_End:
        selection.go_to_frame(session.frames - 1)
    elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        by = -1 if key == Qt.Key.Key_Left else 1
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            selection.step_event(by)
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            selection.step_seconds(float(by))
        else:
            selection.step(by)
    else:
        return False
    return True
