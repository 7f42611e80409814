"""The header of a table that is sorted by a click on it."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QCursor, QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from ..style.icons import ROW_SIZE
from ..style.theme import Theme

_CHEVRON = 12
_MARGIN = 4


class SortHeader(QHeaderView):
    """Words at the side their column is aligned to; what it is sorted by carries the chevron."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.theme = theme
        self.setSectionsClickable(True)
        theme.changed.connect(self.viewport().update)

    def sectionSizeFromContents(self, logicalIndex: int) -> QSize:
        return QSize(self.width_of(logicalIndex) + _CHEVRON, super().sectionSizeFromContents(logicalIndex).height())

    def width_of(self, column: int) -> int:
        """How much room the words of a column need."""
        words = str(self.model().headerData(column, Qt.Orientation.Horizontal) or "")
        return self.theme.metrics(self.theme.small).horizontalAdvance(words) + 2 * _MARGIN

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        palette = self.theme.palette
        model = self.model()
        words = str(model.headerData(logicalIndex, Qt.Orientation.Horizontal) or "")
        alignment = model.headerData(logicalIndex, Qt.Orientation.Horizontal, int(Qt.ItemDataRole.TextAlignmentRole))
        is_right = bool(int(alignment or 0) & int(Qt.AlignmentFlag.AlignRight.value))
        painter.fillRect(rect, palette.alternate)
        painter.setPen(palette.hairline)
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        is_sorted = self.isSortIndicatorShown() and self.sortIndicatorSection() == logicalIndex
        hovered = rect.contains(self.viewport().mapFromGlobal(QCursor.pos())) and self.underMouse()
        painter.setFont(self.theme.small)
        painter.setPen(palette.text if hovered or is_sorted else palette.muted)
        room = rect.adjusted(_MARGIN, 0, -_MARGIN, -1)
        text = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        side = Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, text)
        if is_sorted:
            width = painter.fontMetrics().horizontalAdvance(text)
            if is_right:
                left = room.right() - width - _CHEVRON - 1
            else:
                left = room.left() + width + 2
            rising = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
            sign = "chevron-up" if rising else "chevron-down"
            top = rect.top() + (rect.height() - ROW_SIZE) // 2
            self.theme.icons.draw(painter, sign, max(rect.left(), left) - 1, top, color=palette.text)
