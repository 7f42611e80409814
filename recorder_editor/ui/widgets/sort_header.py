"""The header of a table that is sorted by a click on it."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QCursor, QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from ..style.icons import ROW_SIZE
from ..style.theme import Theme

_CHEVRON = 12
_MARGIN = 4


class SortHeader(QHeaderView):
    """Headings at the side of their column; the one of the column that rows are sorted by has a chevron."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.theme = theme
        self.setSectionsClickable(True)
        theme.changed.connect(self.viewport().update)

    def sectionSizeFromContents(self, logicalIndex: int) -> QSize:
        return QSize(self.width_of(logicalIndex) + _CHEVRON, super().sectionSizeFromContents(logicalIndex).height())

    def width_of(self, column: int) -> int:
        """Return how much room the heading of a column needs, pixels."""
        return self.theme.metrics(self.theme.small).horizontalAdvance(self._heading(column)) + 2 * _MARGIN

    def _heading(self, column: int) -> str:
        return str(self.model().headerData(column, Qt.Orientation.Horizontal) or "")

    def _is_right(self, column: int) -> bool:
        role = int(Qt.ItemDataRole.TextAlignmentRole)
        alignment = self.model().headerData(column, Qt.Orientation.Horizontal, role)
        return bool(int(alignment or 0) & int(Qt.AlignmentFlag.AlignRight.value))

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        palette = self.theme.palette
        is_right = self._is_right(logicalIndex)
        painter.fillRect(rect, palette.alternate)
        painter.setPen(palette.hairline)
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        is_sorted = self.isSortIndicatorShown() and self.sortIndicatorSection() == logicalIndex
        is_hovered = rect.contains(self.viewport().mapFromGlobal(QCursor.pos())) and self.underMouse()
        painter.setFont(self.theme.small)
        if is_hovered or is_sorted:
            painter.setPen(palette.text)
        else:
            painter.setPen(palette.muted)
        room = rect.adjusted(_MARGIN, 0, -_MARGIN, -1)
        heading = self._heading(logicalIndex)
        text = painter.fontMetrics().elidedText(heading, Qt.TextElideMode.ElideRight, room.width())
        side = Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, text)
        if is_sorted:
            width = painter.fontMetrics().horizontalAdvance(text)
            if is_right:
                left = room.right() - width - _CHEVRON - 1
            else:
                left = room.left() + width + 2
            is_rising = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
            sign = "chevron-up" if is_rising else "chevron-down"
            top = rect.top() + (rect.height() - ROW_SIZE) // 2
            self.theme.icons.draw(painter, sign, max(rect.left(), left) - 1, top, color=palette.text)
