"""Rows and columns of widgets, views without a frame and buttons of an icon, each in one statement."""

from collections.abc import Callable
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


@dataclass(frozen=True, slots=True)
class Stretch:
    """Room that grows, in proportion to its factor."""

    factor: int = 1


Item = QWidget | QLayout
Part = Item | int | Stretch | tuple[Item, int] | tuple[QWidget, int, Qt.AlignmentFlag]
Box = TypeVar("Box", bound=QBoxLayout)


def fill(
    box: Box, *parts: Part, spacing: int | None = None, margins: int | tuple[int, int, int, int] | None = 0
) -> Box:
    """Put parts into a row or column, and return it.

    A part is a widget or layout, alone or with its stretch factor and alignment, a number of free pixels, or `Stretch`.
    `spacing` and `margins` (all, or left, top, right, bottom) in pixels; None leaves what the style has.
    """
    if margins is not None:
        box.setContentsMargins(*(margins if isinstance(margins, tuple) else (margins,) * 4))
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        if isinstance(part, Stretch):
            box.addStretch(part.factor)
        elif isinstance(part, int):
            box.addSpacing(part)
        else:
            if isinstance(part, tuple):
                item = part[0]
            else:
                item = part
            if isinstance(part, tuple):
                factor = part[1]
            else:
                factor = 0
            if isinstance(item, QLayout):
                box.addLayout(item, factor)
            else:
                if isinstance(part, tuple) and len(part) == 3:
                    side = part[2]
                else:
                    side = Qt.AlignmentFlag(0)
                box.addWidget(item, factor, side)
    return box


Grid = TypeVar("Grid", QGridLayout, QFormLayout)


def spaced(grid: Grid, across: int, down: int, margins: int | tuple[int, int, int, int] = 0) -> Grid:
    """A grid with so many pixels between its columns, between its rows and around it."""
    grid.setContentsMargins(*(margins if isinstance(margins, tuple) else (margins,) * 4))
    grid.setHorizontalSpacing(across)
    grid.setVerticalSpacing(down)
    return grid


FRAME = QSize(8, 40)
"""Around windows, of most window managers."""


def room_for(window: QWidget) -> QSize:
    """How large a window can be on its screen."""
    return window.screen().availableSize() - FRAME


def scrolling(page: QWidget) -> QScrollArea:
    """A page that scrolls, sideways only where it is narrower than its numbers are, without a frame."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(page)
    return area


View = TypeVar("View", bound=QAbstractItemView)


def bare(view: View, name: str, title: str) -> View:
    """A list, table or tree without a frame that scrolls by pixels; `title` is what a screen reader says."""
    view.setObjectName(name)
    view.setAccessibleName(title)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    return view


def icon_button(icon: QIcon, tip: str, does: Does, size: int | None = None) -> QToolButton:
    """A flat button with an icon alone, `size` pixels wide; None: as the style has it."""
    button = QToolButton(autoRaise=True)
    button.setIcon(icon)
    if size is not None:
        button.setIconSize(QSize(size, size))
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.clicked.connect(lambda: does())
    return button


def push_button(text: str, does: Does | None = None, tip: str = "", *, primary: bool = False) -> QPushButton:
    """A button of words; in a dialog Enter means it only while it has the keyboard."""
    button = QPushButton(text, autoDefault=False)
    button.setProperty("primary", primary)
    button.setToolTip(tip)
    if does is not None:
        button.clicked.connect(lambda: does())
    return button


def keep_room(widget: QWidget) -> None:
    """Let a widget keep its room while it is hidden."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)
