"""Where labels go: beside what they name, never over anything, the important ones first. No Qt beyond shapes."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF

CROWDED = 300
_GAP = 5.0
_REACH = 14.0
_FAR = 70.0
_STEP = 9.0
_APART = 3.0
_CELL = 64.0
_BOX = 10.0
_MOST_BOXES = 200
NOTE = -1
"""The rank of what a tool says of its work: placed first, and above its subject where there is no room."""

_PLACES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
"""Right, left, above, below, the corners."""

Sides = tuple[float, float, float, float]
"""Left, top, right, bottom, px."""


def sides_of(rect: QRectF) -> Sides:
    """The sides of a rectangle."""
    return rect.left(), rect.top(), rect.right(), rect.bottom()


def sides_along(line: QLineF) -> Iterator[Sides]:
    """What a line takes."""
    length = line.length()
    for part in range(1, min(_MOST_BOXES, int(length / _BOX))):
        at = line.pointAt(part * _BOX / length)
        yield at.x() - 3, at.y() - 3, at.x() + 3, at.y() + 3


class Wish(NamedTuple):
    """A label that wants a place.

    Attributes: `text`, `centre` and `half` (half width and height of what it names, rings included, px),
    `width`/`height` (of the label), `rank` (`NOTE`, 0 selected, 1 hero, 2 collision, 3 plain), `actor`, `shorter` (what
    is said where there is no room for it).
    """

    text: str
    centre: QPointF
    half: tuple[float, float]
    width: float
    height: float
    rank: int
    actor: int
    shorter: "Wish | None" = None


class Board:
    """What is taken on the screen; a coarse grid makes asking cheap."""

    def __init__(self, pane: QRectF) -> None:
        self._pane = (pane.left() + 4, pane.top() + 4, pane.right() - 4, pane.bottom() - 4)
        self._whole = sides_of(pane)
        self._cells: dict[tuple[int, int], list[Sides]] = {}

    def take(self, *taken: Sides) -> None:
        """Nothing else may go here; what lies outside the pane counts for nothing."""
        left, top, right, bottom = self._whole
        for each in taken:
            sides = max(each[0], left), max(each[1], top), min(each[2], right), min(each[3], bottom)
            if sides[0] < sides[2] and sides[1] < sides[3]:
                for cell in _over(sides):
                    self._cells.setdefault(cell, []).append(sides)

    def inside(self, sides: Sides) -> Sides:
        """The same, moved into the pane."""
        (left, top, right, bottom), pane = sides, self._pane
        dx, dy = max(pane[0] - left, min(0.0, pane[2] - right)), max(pane[1] - top, min(0.0, pane[3] - bottom))
        return left + dx, top + dy, right + dx, bottom + dy

    def is_free(self, sides: Sides) -> bool:
        """Inside the pane, and touching nothing."""
        left, top, right, bottom = sides
        pane = self._pane
        if left < pane[0] or top < pane[1] or right > pane[2] or bottom > pane[3]:
            return False
        for cell in _over(sides):
            for other in self._cells.get(cell, ()):
                if other[0] < right and other[2] > left and other[1] < bottom and other[3] > top:
                    return False
        return True


def _over(sides: Sides) -> Iterable[tuple[int, int]]:
    columns = range(int(sides[0] // _CELL), int(sides[2] // _CELL) + 1)
    return product(columns, range(int(sides[1] // _CELL), int(sides[3] // _CELL) + 1))


def place_labels(wishes: Iterable[Wish], board: Board) -> list[tuple[Wish, QRectF]]:
    """A rectangle for each label that found one: right, left, above, below, the corners, further and further away."""
    placed: list[tuple[Wish, QRectF]] = []
    for wish in sorted(wishes, key=lambda wish: (wish.rank, wish.actor)):
        sides = _place(wish, board)
        while sides is None and wish.shorter is not None:
            wish = wish.shorter
            sides = _place(wish, board)
        if sides is not None:
            board.take((sides[0] - _APART, sides[1] - _APART, sides[2] + _APART, sides[3] + _APART))
            placed.append((wish, QRectF(sides[0], sides[1], wish.width, wish.height)))
    return placed


def _place(wish: Wish, board: Board) -> Sides | None:
    reach = _REACH if wish.rank == 3 else _FAR
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
            share = 0.75 if dx and dy and wish.rank < 3 else 1.0
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
