"""Cells of tables that show more than a text: parts in several fonts and colours, signs, and bars of a share."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem, QWidget

from ..style.colors import ColorName, with_alpha
from ..style.icons import ROW_SIZE
from ..style.painting import draw_text
from ..style.theme import Theme
from .base import FontName, font_of
from .rows import RowDelegate

CELL = int(Qt.ItemDataRole.UserRole) + 101
"""The role of a `Cell`; a cell without one is painted as Qt does."""

_MARGIN = 4  # that of the headings
_BAR = (56, 6)
_GROUND = 0.35  # opacity of the ground of a bar in a selected row


class Piece(NamedTuple):
    """A part of a cell, from the left; in a selected row it has the colour of text on selection.

    Attributes:
        text: Its text; empty for a sign.
        icon: The name of its icon; empty for a text.
        font: The name of the font of a text.
        color: The name of its colour.
        gap: The room before it where it is not the first, px of the design.
    """

    text: str = ""
    icon: str = ""
    font: FontName = "font"
    color: ColorName = "text"
    gap: int = 6


class Bar(NamedTuple):
    """A share as a bar.

    Attributes:
        share: How much of it is filled, 0 to 1.
        color: The name of the colour of the filling.
    """

    share: float
    color: ColorName


Cell = Sequence[Piece] | Bar


class CellDelegate(RowDelegate):
    """Paints cells that have a `Cell`, and all others as Qt does."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        cell = index.data(CELL)
        if cell is None:
            super().paint(painter, option, index)
            return
        ground = QStyleOptionViewItem(option)
        self.initStyleOption(ground, index)
        is_right = bool(ground.displayAlignment & Qt.AlignmentFlag.AlignRight)
        ground.text = ""
        ground.icon = QIcon()
        style = QApplication.style()
        if isinstance(ground.widget, QWidget):
            style = ground.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, ground, painter, ground.widget)
        ink = None
        if ground.state & QStyle.StateFlag.State_Selected:
            ink = self.theme.palette.on_selection
        margin = self.theme.px(_MARGIN)
        room = ground.rect.adjusted(margin, 0, -margin, 0)
        painter.save()
        painter.setClipRect(room)
        if isinstance(cell, Bar):
            self._bar(painter, room, cell, ink)
        else:
            self._pieces(painter, room, cell, ink, is_right=is_right)
        painter.restore()

    def _bar(self, painter: QPainter, room: QRect, bar: Bar, ink: QColor | None) -> None:
        palette = self.theme.palette
        width, height = map(self.theme.px, _BAR)
        ground = palette.hairline
        color = palette.color(bar.color)
        if ink is not None:
            ground = with_alpha(ink, _GROUND)
            color = ink
        top = room.top() + (room.height() - height) // 2
        left = room.left()
        filled = max(1, round(width * bar.share))
        painter.fillRect(QRectF(left, top, width, height), ground)
        painter.fillRect(QRectF(left, top, filled, height), color)

    def _pieces(
        self, painter: QPainter, room: QRect, pieces: Sequence[Piece], ink: QColor | None, *, is_right: bool
    ) -> None:
        left = room.left()
        if is_right:
            left = max(left, room.right() + 1 - self._width(pieces))
        for number, piece in enumerate(pieces):
            color = ink or self.theme.palette.color(piece.color)
            if number:
                left += self.theme.px(piece.gap)
            if piece.icon:
                top = room.top() + (room.height() - ROW_SIZE) // 2
                self.theme.icons.draw(painter, piece.icon, left, top, ROW_SIZE, color)
            else:
                place = QRect(left, room.top(), room.right() + 1 - left, room.height())
                font = font_of(self.theme, piece.font)
                draw_text(painter, place, piece.text, font, color, room=place.width() + 1)  # widths are rounded
            left += self._width_of(piece)

    def _width(self, pieces: Sequence[Piece]) -> int:
        gaps = sum(self.theme.px(piece.gap) for piece in pieces[1:])
        return gaps + sum(self._width_of(piece) for piece in pieces)

    def _width_of(self, piece: Piece) -> int:
        if piece.icon:
            return ROW_SIZE
        return self.theme.metrics(font_of(self.theme, piece.font)).horizontalAdvance(piece.text)
