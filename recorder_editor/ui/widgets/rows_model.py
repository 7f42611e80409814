"""Models of rows: what Qt asks of every list and table, answered in one place."""

from collections.abc import Container, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
R = TypeVar("R")


class RowsModel(QAbstractTableModel, Generic[R]):
    """A row for each of `rows`. Attributes of a table: `columns`, how many, and `numbers`, which stand at the right."""

    rows: Sequence[R] = ()
    columns = 1
    numbers: Container[int] = ()

    def show(self, rows: Sequence[R]) -> None:
        """Take other rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def head(self, column: int) -> str:
        """What stands above a column."""
        return ""

    def alignment(self, column: int) -> int:
        """At which side the texts of a column stand."""
        if column in self.numbers:
            return _RIGHT
        return _LEFT

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt declares it
        if parent.isValid():
            return 0
        return len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if parent.isValid():
            return 0
        return self.columns

    def data(self, index: Index, role: int = DISPLAY) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.alignment(index.column())
        return self.shown(self.rows[index.row()], index.column(), role)

    def shown(self, row: R, column: int, role: int) -> object:
        """What a cell has for a role other than its alignment; None for nothing."""

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.alignment(section)
        if role == DISPLAY:
            return self.head(section)
        return None
