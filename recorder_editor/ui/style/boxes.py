"""Rows and columns of widgets, views without a frame and buttons of an icon, each in one statement."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QFormLayout,
    QFrame,
    QGridLayout,
    QLayout,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

Does = Callable[[], object]
"""What a button does."""

Margins = int | tuple[int, int, int, int]
"""Pixels around a layout: on all sides, or left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Room that grows, in proportion to its factor."""

    factor: int = 1


Item = QWidget | QLayout
Part = Item | int | Stretch | tuple[Item, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""A widget or layout, alone or with its stretch factor and alignment, a number of free pixels, or a `Stretch`."""

Box = TypeVar("Box", bound=QBoxLayout)


def fill(box: Box, *parts: Part, spacing: int | None = None, margins: Margins | None = 0) -> Box:
    """Put parts into a row or column, and return it.

    Args:
        box: The row or column.
        parts: What is put into it, in order.
        spacing: Between two parts, pixels; None: that of the style.
        margins: Around the parts, pixels; None: those of the style.
    """
    if margins is not None:
        _set_margins(box, margins)
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        _add_part(box, part)
    return box


def _set_margins(layout: QLayout, margins: Margins) -> None:
    if isinstance(margins, int):
        layout.setContentsMargins(margins, margins, margins, margins)
    else:
        left, top, right, bottom = margins
        layout.setContentsMargins(left, top, right, bottom)


def _add_part(box: QBoxLayout, part: Part) -> None:
    if isinstance(part, Stretch):
        box.addStretch(part.factor)
        return
    if isinstance(part, int):
        box.addSpacing(part)
        return
    item: Item
    factor = 0
    side = Qt.AlignmentFlag(0)
    if not isinstance(part, tuple):
        item = part
    elif len(part) == 3:
        item, factor, side = part
    else:
        item, factor = part
    if isinstance(item, QLayout):
        box.addLayout(item, factor)
    else:
        box.addWidget(item, factor, side)


Grid = TypeVar("Grid", QGridLayout, QFormLayout)


def set_spacing(grid: Grid, across: int, down: int, margins: Margins = 0) -> Grid:
    """Set the pixels between the columns of a grid, between its rows and around it, and return it."""
    _set_margins(grid, margins)
    grid.setHorizontalSpacing(across)
    grid.setVerticalSpacing(down)
    return grid


FRAME = QSize(8, 40)
"""The size of the frame around a window, of most window managers."""


def room_for(window: QWidget) -> QSize:
    """Return how large a window can be on its screen."""
    return window.screen().availableSize() - FRAME


def make_scrolling(page: QWidget) -> QScrollArea:
    """Make a page scroll, without a frame; sideways only where it is wider than its room."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(page)
    return area


View = TypeVar("View", bound=QAbstractItemView)


def frameless(view: View, name: str, title: str) -> View:
    """Make a list, table or tree scroll by pixels, without a frame, and return it.

    Args:
        view: The view.
        name: The name of its object, for layouts and tests.
        title: Its name for screen readers.
    """
    view.setObjectName(name)
    view.setAccessibleName(title)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    return view


def icon_button(icon: QIcon, tip: str, does: Does, size: int | None = None) -> QToolButton:
    """Return a flat button with an icon alone, `size` pixels wide; None: as the style has it."""
    button = QToolButton(autoRaise=True)
    button.setIcon(icon)
    if size is not None:
        button.setIconSize(QSize(size, size))
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.clicked.connect(lambda: does())
    return button


def push_button(text: str, does: Does | None = None, tip: str = "", *, primary: bool = False) -> QPushButton:
    """Return a button with a text; in a dialog Enter presses it only while it has the keyboard."""
    button = QPushButton(text, autoDefault=False)
    button.setProperty("primary", primary)
    button.setToolTip(tip)
    if does is not None:
        button.clicked.connect(lambda: does())
    return button


def keep_room(widget: QWidget) -> None:
    """Let a widget keep its place in the layout while it is hidden."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


def show_what_fits(row: QLayout, width: int, optional: Sequence[Sequence[QWidget]]) -> None:
    """Hide what is only convenient, one after another, until the rest of a row has room.

    Args:
        row: The row.
        width: Its room, pixels.
        optional: What may be hidden, the first ones first; widgets of one entry are hidden together.
    """
    for widgets in optional:
        for widget in widgets:
            widget.setVisible(True)
    for widgets in optional:
        row.invalidate()
        if row.minimumSize().width() <= width:
            break
        for widget in widgets:
            widget.setVisible(False)
    row.activate()  # at once: widgets of another width would overlap until Qt gets to it
