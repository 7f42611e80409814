"""Where labels go: beside what they name, never over anything, the important ones first. No Qt beyond rectangles."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

CROWDED = 300
_GAP = 5.0
_REACH = 14.0
_FAR = 70.0
_CELL = 64


@dataclass(frozen=True, slots=True)
class Wish:
    """A label that wants a place.

    Attributes: `text`, `centre` and `radius` (of what it names, px), `width`/`height` (of the label), `rank`
    (0 selected, 1 hero, 2 collision, 3 plain), `actor`.
    """

    text: str
    centre: QPointF
    radius: float
    width: float
    height: float
    rank: int
    actor: int


class Board:
    """What is taken on the screen; a coarse grid makes asking cheap."""

    def __init__(self, pane: QRectF) -> None:
        self.pane = pane.adjusted(4, 4, -4, -4)
        self._cells: dict[tuple[int, int], list[QRectF]] = {}

    def take(self, rect: QRectF) -> None:
        """Nothing else may go here."""
        for cell in self._over(rect):
            self._cells.setdefault(cell, []).append(rect)

    def is_free(self, rect: QRectF) -> bool:
        """Inside the pane, and touching nothing."""
        if not self.pane.contains(rect):
            return False
        return not any(other.intersects(rect) for cell in self._over(rect) for other in self._cells.get(cell, ()))

    def _over(self, rect: QRectF) -> Iterable[tuple[int, int]]:
        left, right = int(rect.left() // _CELL), int(rect.right() // _CELL)
        top, bottom = int(rect.top() // _CELL), int(rect.bottom() // _CELL)
        if (right - left) * (bottom - top) > 400:
            return ()
        return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


def place_labels(wishes: Iterable[Wish], board: Board) -> list[tuple[Wish, QRectF]]:
    """A rectangle for each label that found one: right, left, above, below, the corners, further and further away."""
    placed: list[tuple[Wish, QRectF]] = []
    for wish in sorted(wishes, key=lambda wish: (wish.rank, wish.actor)):
        rect = _place(wish, board)
        if rect is not None:
            board.take(rect)
            placed.append((wish, rect))
    return placed


def _place(wish: Wish, board: Board) -> QRectF | None:
    reach = _REACH if wish.rank == 3 else _FAR
    x, y, width, height = wish.centre.x(), wish.centre.y(), wish.width, wish.height
    distance = _GAP
    while distance <= reach:
        out = wish.radius + distance
        slant = out * 0.75
        for left, top in (
            (x + out, y - height / 2), (x - out - width, y - height / 2), (x - width / 2, y - out - height),
            (x - width / 2, y + out), (x + slant, y - slant - height), (x - slant - width, y - slant - height),
            (x + slant, y + slant), (x - slant - width, y + slant),
        ):  # fmt: skip
            rect = QRectF(left, top, width, height)
            if board.is_free(rect):
                return rect
        distance += 9.0
    return None
