"""The base of the models of lists and tables: the methods of Qt that are the same for all."""

from collections.abc import Container, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
R = TypeVar("R")


class RowsModel(QAbstractTableModel, Generic[R]):
    """A row for each item.

    Attributes:
        rows: The items.
        columns: How many columns there are.
        numbers: The columns of numbers, which are at the right.
    """

    rows: Sequence[R] = ()
    columns = 1
    numbers: Container[int] = ()

    def show(self, rows: Sequence[R]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def head(self, column: int) -> str:
        """Return the heading of a column."""
        return ""

    def alignment(self, column: int) -> int:
        """Return the side of the texts of a column, as a number of Qt's."""
        if column in self.numbers:
            return _RIGHT
        return _LEFT

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        if parent.isValid():
            return 0
        return len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
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
        """Return the data of a cell for a role other than its alignment; None: there are none."""

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.alignment(section)
        if role == DISPLAY:
            return self.head(section)
        return None
