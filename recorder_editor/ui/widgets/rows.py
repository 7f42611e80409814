"""Rows of tables: the whole row under the pointer is lit, where Qt lights one cell."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTableView

from recorder_editor.ui.style import HOVERED_ROW


class RowHover(QObject):
    """Follows the pointer over one table."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        table.viewport().setMouseTracking(True)
        table.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove:
            self._light(self._table.rowAt(event.position().toPoint().y()))
        elif event.type() == QEvent.Type.Leave:
            self._light(-1)
        return False

    def _light(self, row: int) -> None:
        if self._table.property(HOVERED_ROW) != row:
            self._table.setProperty(HOVERED_ROW, row)
            self._table.viewport().update()
