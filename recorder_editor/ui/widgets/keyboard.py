"""The keyboard: the order of Tab, keys that views handle themselves, keys that step frames.

Tab goes in the order of reading: bars, then the columns from the left, each from above, at last the timeline. Qt's own
order is that in which widgets were made, and forms are made anew all the time.
"""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QKeyCombination, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QScrollArea, QWidget

from ..session import Session


def tab_stops(window: QWidget, parts: Sequence[QWidget], present: QWidget | None = None) -> list[QWidget]:
    """Return the widgets of a window that Tab stops at.

    Args:
        window: The window.
        parts: Its parts, in the order of Tab.
        present: A further widget, which counts as a stop.

    Returns:
        Part by part; within a part from above, then from the left.
    """
    result: list[QWidget] = []
    for part in parts:
        inside = []
        for widget in part.findChildren(QWidget):
            if widget is present or _is_stop(widget, window):
                inside.append(widget)
        inside.sort(key=lambda widget: _reading_place(widget, window))
        result.extend(inside)
    return result


def next_tab_stop(
    window: QWidget, parts: Sequence[QWidget], present: QWidget | None, *, forward: bool
) -> QWidget | None:
    """Return the widget that Tab, or Shift+Tab, leads to.

    Args:
        window: The window.
        parts: Its parts, in the order of Tab.
        present: The widget that has the keyboard.
        forward: Tab; False: Shift+Tab.

    Returns:
        None where there is no widget to stop at.
    """
    widgets = tab_stops(window, parts)
    stop = present
    while stop is not None and stop not in widgets:
        stop = stop.parentWidget()
    if stop is None:
        widgets = tab_stops(window, parts, present)
        stop = present
    if not widgets:
        return None
    if stop in widgets and forward:
        return widgets[(widgets.index(stop) + 1) % len(widgets)]
    if stop in widgets:
        return widgets[widgets.index(stop) - 1]
    if forward:
        return widgets[0]
    return widgets[-1]


def _is_stop(widget: QWidget, window: QWidget) -> bool:
    if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or widget.focusProxy() is not None:
        return False
    if not widget.isVisible() or not widget.isEnabled():
        return False
    # The tabs that Qt makes for docks have no height: titles take their place.
    return widget.height() > 1 and widget.window() is window


def _reading_place(widget: QWidget, window: QWidget) -> list[tuple[int, int]]:
    """Return row and column of a widget in the window, behind those of the pages that it scrolls with."""
    middle = widget.mapTo(window, QPoint(0, widget.height() // 2))
    # Widgets beside one another are seldom aligned to the pixel.
    own = (middle.y() // 12, middle.x())
    page = widget.parentWidget()
    while page is not None and page is not window:
        if isinstance(page, QScrollArea):
            places = _reading_place(page, window)
            places.append(own)
            return places
        page = page.parentWidget()
    return [own]


class ViewKeys(QObject):
    """Keys that a view handles before the window does, while it has the focus itself, and no editor in it."""

    def __init__(self, view: QWidget, does: Mapping[str, Callable[[], object]], *, letters_pass: bool = False) -> None:
        """Handle keys of a view.

        Args:
            view: The view.
            does: What is called, by its keys, separated by `; `.
            letters_pass: Letters do not search a row by its text: they are keys of the window.
        """
        super().__init__(view)
        self._view = view
        self._actions: dict[str, Callable[[], object]] = {}
        for keys, action in does.items():
            for key in QKeySequence.listFromString(keys):
                self._actions[key.toString()] = action
        self._letters_pass = letters_pass
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.KeyRelease or not self._view.hasFocus():
            return False
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key())))
        action = self._actions.get(key.toString())
        if action is not None:
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                action()
            return True
        is_letter = bool(event.text().strip()) and not modifiers & Qt.KeyboardModifier.ControlModifier
        if self._letters_pass and is_letter:
            event.ignore()
            return True
        return False


def step_by_key(session: Session, event: QKeyEvent) -> bool:
    """Step frames by Left and Right (with Ctrl to the next event, with Shift by a second), Home and End.

    Returns:
        False for another key.
    """
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
