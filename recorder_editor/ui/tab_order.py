"""In which order Tab goes: as one reads. Bars, then the columns from the left, each from above, at last the timeline.

Qt's own order is that in which widgets were made, and forms are made anew all the time.
"""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget


def stops(window: QWidget, parts: Sequence[QWidget]) -> list[QWidget]:
    """The widgets of a window that Tab stops at, part by part in this order; within a part from above, then from the
    left."""
    found: list[QWidget] = []
    for part in parts:
        inside = [widget for widget in part.findChildren(QWidget) if _is_stop(widget, window)]
        found += sorted(inside, key=lambda widget: _place(widget, window))
    return found


def next_stop(window: QWidget, parts: Sequence[QWidget], present: QWidget | None, *, forward: bool) -> QWidget | None:
    """Where Tab goes from the widget that has the keyboard, or Shift+Tab; None where there is nothing."""
    every = stops(window, parts)
    if not every:
        return None
    while present is not None and present not in every:
        present = present.parentWidget()
    if present is None:
        return every[0 if forward else -1]
    return every[(every.index(present) + (1 if forward else -1)) % len(every)]


def _is_stop(widget: QWidget, window: QWidget) -> bool:
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None
    # The tabs that Qt makes for docks are squeezed to nothing: titles take their place.
    return takes_tab and widget.isVisible() and widget.isEnabled() and widget.height() > 1 and widget.window() is window


def _place(widget: QWidget, window: QWidget) -> tuple[int, int]:
    at = widget.mapTo(window, QPoint(0, widget.height() // 2))
    # What stands beside one another is seldom aligned to the pixel.
    return at.y() // 12, at.x()
