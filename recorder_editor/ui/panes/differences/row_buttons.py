"""Buttons in the rows of a list or tree: painted by its delegate, pressed with the mouse.

What a button does can be done by a key or the context menu, too: painted buttons have no keyboard.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QToolTip

from ...style.painting import draw_box, draw_text
from ...style.theme import Theme

_HEIGHT = 22  # px
_PADDING = 9
_BETWEEN = 6

Index = QModelIndex | QPersistentModelIndex


class RowButton(NamedTuple):
    """A button of a row.

    Attributes:
        name: What it does, for the view.
        text: Its text.
        tip: Its tooltip.
        is_enabled: It can be pressed.
        is_on: It is switched on.
        is_framed: It has an edge while the row is not the current one.
    """

    name: str
    text: str
    tip: str
    is_enabled: bool = True
    is_on: bool = False
    is_framed: bool = False


Placed = Sequence[tuple[RowButton, QRect]]
"""Buttons and where they are in the view, px."""


def place_buttons(theme: Theme, rect: QRect, buttons: Sequence[RowButton]) -> Placed:
    """Return buttons at the right end of a row.

    Args:
        theme: The theme.
        rect: The row.
        buttons: From left to right.
    """
    placed = []
    height = theme.px(_HEIGHT)
    right = rect.right() - theme.px(_BETWEEN)
    metrics = theme.metrics(theme.small)
    for button in reversed(buttons):
        width = metrics.horizontalAdvance(button.text) + 2 * theme.px(_PADDING)
        top = rect.top() + (rect.height() - height) // 2
        placed.append((button, QRect(right - width + 1, top, width, height)))
        right -= width + theme.px(_BETWEEN)
    return placed[::-1]


def left_of(placed: Placed, rect: QRect) -> int:
    """Return where the buttons of a row begin; its right end without any."""
    if not placed:
        return rect.right()
    return placed[0][1].left()


def paint_buttons(painter: QPainter, theme: Theme, placed: Placed, *, is_current: bool, pointed: str) -> None:
    """Draw buttons.

    Args:
        painter: The painter.
        theme: The theme.
        placed: The buttons.
        is_current: Their row is the current one: all of them have an edge.
        pointed: The name of the button under the pointer.
    """
    palette = theme.palette
    for button, rect in placed:
        is_pointed = button.name == pointed and button.is_enabled
        ink = palette.text
        if not button.is_enabled:
            ink = palette.faint
        elif button.is_on:
            ink = palette.selection
        elif not (button.is_framed or is_current or is_pointed):
            ink = palette.muted
        if button.is_framed or is_current or is_pointed:
            ground = palette.control
            if not button.is_enabled:
                ground = palette.window
            elif button.is_on:
                ground = palette.hover
            edge = palette.edge
            if not button.is_enabled:
                edge = palette.hairline
            elif is_pointed:
                edge = palette.faint
            draw_box(painter, rect, ground, edge)
        draw_text(painter, rect, button.text, theme.small, ink, Qt.AlignmentFlag.AlignCenter)


class RowButtons(QObject):
    """The mouse on the buttons of a view.

    Signals:
        pressed(QModelIndex, str): A button was pressed: its row and its name.

    Attributes:
        row: The row under the pointer; invalid: none.
        name: The name of the button under the pointer; empty: none.
    """

    pressed = Signal(QModelIndex, str)

    def __init__(self, view: QAbstractItemView, buttons_of: Callable[[Index], Placed]) -> None:
        """Watch the mouse in a view; `buttons_of` returns the buttons of a row, as they are painted."""
        super().__init__(view)
        self._view = view
        self._buttons_of = buttons_of
        self._held: tuple[QPersistentModelIndex, str] | None = None
        self.row = QPersistentModelIndex()
        self.name = ""
        view.viewport().setMouseTracking(True)
        view.viewport().installEventFilter(self)

    def at(self, point: QPoint) -> tuple[QModelIndex, RowButton | None]:
        """Return the row, and the button, under a point of the view."""
        index = self._view.indexAt(point)
        if index.isValid():
            for button, rect in self._buttons_of(index):
                if rect.contains(point):
                    return index, button
        return index, None

    def points_at(self, index: Index) -> bool:
        """Return whether the pointer is over a row."""
        return self.row.isValid() and self.row == QPersistentModelIndex(index)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._point(QModelIndex(), "")
        elif isinstance(event, QMouseEvent):
            return self._handle_mouse(event)
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            _, button = self.at(event.pos())
            if button is not None:
                QToolTip.showText(event.globalPos(), button.tip, self._view)
                return True
        return False

    def _handle_mouse(self, event: QMouseEvent) -> bool:
        index, button = self.at(event.position().toPoint())
        name = button.name if button is not None else ""
        if event.type() == QEvent.Type.MouseMove:
            self._point(index, name)
            return False
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        if event.type() == QEvent.Type.MouseButtonRelease and self._held is not None:
            held, self._held = self._held, None
            if button is not None and held == (QPersistentModelIndex(index), name):
                self.pressed.emit(index, name)
            return True
        if button is None:
            return False
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            self._view.setFocus(Qt.FocusReason.MouseFocusReason)
            if button.is_enabled:
                self._held = (QPersistentModelIndex(index), name)
            return True
        return False

    def _point(self, index: QModelIndex, name: str) -> None:
        row = QPersistentModelIndex(index)
        if (row, name) != (self.row, self.name):
            self.row = row
            self.name = name
            self._view.viewport().update()
