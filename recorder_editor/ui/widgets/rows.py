"""Tables in which rows are selected and highlighted as a whole."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Signal
from PySide6.QtGui import QSinglePointEvent
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from ..style.painting import LEFT
from ..style.theme import Theme


class WholeRows(QObject):
    """Lets a table select rows, and highlight the one under the pointer, as a whole; without grid or editing.

    Signals:
        pointed(int): The pointer is over another row; -1: over none.
    """

    pointed = Signal(int)

    def __init__(self, table: QTableView, delegate: "RowDelegate | None" = None) -> None:
        """Set up a table.

        Args:
            table: The table.
            delegate: What paints its cells; None: as Qt does.
        """
        super().__init__(table)
        self._table = table
        if delegate is None:
            delegate = RowDelegate(table)
        self._delegate = delegate
        table.setItemDelegate(self._delegate)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        table.verticalHeader().hide()
        table.horizontalHeader().setHighlightSections(False)
        table.viewport().setMouseTracking(True)
        table.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QSinglePointEvent) and event.type() in (QEvent.Type.MouseMove, QEvent.Type.HoverEnter):
            self._highlight(self._table.rowAt(event.position().toPoint().y()))
        elif event.type() == QEvent.Type.Leave:
            self._highlight(-1)
        return False

    def _highlight(self, row: int) -> None:
        if self._delegate.row != row:
            self._delegate.row = row
            self._table.viewport().update()
            self.pointed.emit(row)


class RowDelegate(QStyledItemDelegate):
    """Draws the cells of ``row`` as if the pointer was over each."""

    row = -1

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        if index.row() == self.row:
            option.state |= QStyle.StateFlag.State_MouseOver


def set_read_only(table: QTableView, theme: Theme, name: str) -> None:
    """Give a table the look of one that is only read: a frame, rows of 22, no grid."""
    table.setProperty("framed", True)
    table.setAccessibleName(name)
    table.verticalHeader().setDefaultSectionSize(theme.px(22))
    table.horizontalHeader().setDefaultAlignment(LEFT)
    WholeRows(table)
