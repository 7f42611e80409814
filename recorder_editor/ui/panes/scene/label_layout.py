"""Where labels go: beside what they name, never over anything, the important ones first. No Qt beyond shapes."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

CROWDED = 300  # actors above which plain labels are left out
_GAP = 5.0  # px between a label and its subject, at least
_REACH = 14.0  # px that a plain label may be away
_FAR = 70.0  # px that other labels may be away
_STEP = 9.0  # px between the distances that are tried
_APART = 3.0  # px between labels
_CELL = 64.0  # px of a cell of the grid
_BOX = 10.0  # px along a line for which it takes one box
_MOST_BOXES = 200
NOTE = -1
"""The rank of what a tool says of its work: placed first, and above its subject where there is no room."""

_PLACES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
"""Right, left, above, below, the corners."""

Sides = tuple[float, float, float, float]
"""Left, top, right, bottom, px."""


def sides_of(rect: QRectF) -> Sides:
    """Return the sides of a rectangle."""
    return rect.left(), rect.top(), rect.right(), rect.bottom()


def sides_along(line: QLineF) -> Iterator[Sides]:
    """Yield small boxes along a line that labels keep away from."""
    length = line.length()
    for part in range(1, min(_MOST_BOXES, int(length / _BOX))):
        point = line.pointAt(part * _BOX / length)
        yield point.x() - 3, point.y() - 3, point.x() + 3, point.y() + 3


class Wish(NamedTuple):
    """A label that wants a place.

    Attributes:
        text: What it says.
        centre: The middle of what it names, px.
        half: Half width and half height of what it names, rings included, px.
        width: Width of the label, px.
        height: Height of the label, px.
        rank: `NOTE`, 0 selected, 1 hero, 2 collision, 3 plain; the lowest is placed first.
        actor: Id of the actor; -1 without one.
        shorter: The label that stands in where there is no room for this one.
        edge: Colour of the edge of its chip; None: by its rank.
    """

    text: str
    centre: QPointF
    half: tuple[float, float]
    width: float
    height: float
    rank: int
    actor: int
    shorter: "Wish | None" = None
    edge: "QColor | None" = None


class Board:
    """What is taken on the screen; a coarse grid makes asking cheap."""

    def __init__(self, pane: QRectF) -> None:
        self._pane = (pane.left() + 4, pane.top() + 4, pane.right() - 4, pane.bottom() - 4)
        self._whole = sides_of(pane)
        self._cells: dict[tuple[int, int], list[Sides]] = {}

    def take(self, *taken: Sides) -> None:
        """Keep labels away from rectangles; the parts of them outside the pane are ignored."""
        pane_left, pane_top, pane_right, pane_bottom = self._whole
        for left, top, right, bottom in taken:
            left = max(left, pane_left)
            top = max(top, pane_top)
            right = min(right, pane_right)
            bottom = min(bottom, pane_bottom)
            if left < right and top < bottom:
                sides = (left, top, right, bottom)
                for cell in _cells_of(sides):
                    self._cells.setdefault(cell, []).append(sides)

    def inside(self, sides: Sides) -> Sides:
        """Return a rectangle moved into the pane."""
        left, top, right, bottom = sides
        pane_left, pane_top, pane_right, pane_bottom = self._pane
        dx = max(pane_left - left, min(0.0, pane_right - right))
        dy = max(pane_top - top, min(0.0, pane_bottom - bottom))
        return left + dx, top + dy, right + dx, bottom + dy

    def is_free(self, sides: Sides) -> bool:
        """Return whether a rectangle lies inside the pane and touches nothing."""
        left, top, right, bottom = sides
        pane_left, pane_top, pane_right, pane_bottom = self._pane
        if left < pane_left or top < pane_top or right > pane_right or bottom > pane_bottom:
            return False
        for cell in _cells_of(sides):
            for taken in self._cells.get(cell, ()):
                if taken[0] < right and taken[2] > left and taken[1] < bottom and taken[3] > top:
                    return False
        return True


def _cells_of(sides: Sides) -> Iterable[tuple[int, int]]:
    """Return the cells of the grid that a rectangle touches."""
    left, top, right, bottom = sides
    columns = range(int(left // _CELL), int(right // _CELL) + 1)
    rows = range(int(top // _CELL), int(bottom // _CELL) + 1)
    return product(columns, rows)


def place_labels(wishes: Iterable[Wish], board: Board) -> list[tuple[Wish, QRectF]]:
    """Return the labels that have room, each with its rectangle.

    Places are tried in this order: right, left, above, below, the corners, further and further away.
    """
    placed: list[tuple[Wish, QRectF]] = []
    for wish in sorted(wishes, key=lambda wish: (wish.rank, wish.actor)):
        sides = _place(wish, board)
        while sides is None and wish.shorter is not None:
            wish = wish.shorter
            sides = _place(wish, board)
        if sides is not None:
            left, top, right, bottom = sides
            board.take((left - _APART, top - _APART, right + _APART, bottom + _APART))
            placed.append((wish, QRectF(left, top, wish.width, wish.height)))
    return placed


def _place(wish: Wish, board: Board) -> Sides | None:
    """Return where there is room for a label; None for nowhere."""
    if wish.rank == 3:
        reach = _REACH
    else:
        reach = _FAR
    x = wish.centre.x()
    y = wish.centre.y()
    width = wish.width
    height = wish.height
    distance = _GAP
    while distance <= reach:
        out = wish.half[0] + distance
        up = wish.half[1] + distance * 0.6
        for dx, dy in _PLACES:
            # A ring is round: beside it there is more room at the corners than beside a box.
            if dx and dy and wish.rank < 3:
                share = 0.75
            else:
                share = 1.0
            left = x - width / 2 + dx * (out * share + width / 2)
            top = y - height / 2 + dy * (up * share + height / 2)
            sides = left, top, left + width, top + height
            if board.is_free(sides):
                return sides
        distance += _STEP
    if wish.rank == NOTE and wish.shorter is None:
        bottom = y - wish.half[1] - _GAP
        return board.inside((x - width / 2, bottom - height, x + width / 2, bottom))
    return None
