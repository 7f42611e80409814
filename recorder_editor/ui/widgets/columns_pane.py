"""A pane with a filter above a table of declared columns, some of which hide where the pane is narrow."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from ..session import Session
from ..style.theme import Theme
from . import WholeRows
from .cells import CellDelegate
from .copied import Copied, copied_table
from .pane_parts import FilteredPane
from .sort_header import SortHeader
from .table_columns import NATURAL, Column, SortedModel

_ROW = 22
_NARROWEST = 24


class ColumnsPane(FilteredPane):
    """The table and its filter. A subclass makes its model and gives it to `show_model`.

    Attributes:
        table: The table.
        header: Its header; a click on a heading sorts.
        whole_rows: Highlights the row under the pointer.
    """

    def __init__(self, session: Session, theme: Theme, table: QTableView, hint: str) -> None:
        super().__init__(session, theme, table, hint)
        self.table = table
        self.header = SortHeader(theme, table)
        self.whole_rows = WholeRows(table, CellDelegate(theme, table))
        self._columns: SortedModel[Any] | None = None
        self.give(table, self.copied_rows)

    def show_model(self, model: SortedModel[Any]) -> None:
        """Show the rows of a model, in their natural order."""
        self._columns = model
        self.table.setHorizontalHeader(self.header)
        self.table.setModel(model)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(NATURAL, Qt.SortOrder.AscendingOrder)
        self.header.setMinimumSectionSize(_NARROWEST)
        for position, column in enumerate(model.declared):
            if not column.width:
                self.header.setSectionResizeMode(position, QHeaderView.ResizeMode.Stretch)
        self.restyle()
        self.theme.changed.connect(self.restyle)

    def copied_rows(self) -> Copied | None:
        """Return the selected rows, or all where none is, in all columns that there may be values in."""
        model = self._columns
        if model is None:
            return None
        chosen = [model.rows[index.row()] for index in self.table.selectionModel().selectedRows()]
        return copied_table(*self.cells_of(chosen or model.rows))

    def cells_of(self, rows: Sequence[Any]) -> tuple[list[str], list[list[str]]]:
        """Return headings and cells of rows as they are copied."""
        units = self.theme.units
        columns: list[Column[Any]] = []
        if self._columns is not None:
            columns = [column for column in self._columns.declared if self.is_available(column)]
        heads = [column.copied_title(units) for column in columns]
        cells = []
        for row in rows:
            cells.append([column.copied(row, units) for column in columns])
        return heads, cells

    def is_available(self, column: Column[Any]) -> bool:
        """Return whether there may be something in a column."""
        return True

    def restyle(self) -> None:
        """Take over lengths."""
        self.table.verticalHeader().setDefaultSectionSize(self.theme.px(_ROW))
        if self._columns is None:
            return
        for position, column in enumerate(self._columns.declared):
            if column.width:
                width = max(self.theme.px(column.width), self.header.width_of(position))
                self.table.setColumnWidth(position, width)
        self.fit_columns()

    def fit_columns(self) -> None:
        """Hide the columns that the pane has no room for, and those that are empty."""
        if self._columns is None:
            return
        for position, column in enumerate(self._columns.declared):
            fits = self.width() >= self.theme.px(column.shown_from)
            self.table.setColumnHidden(position, not (fits and self.is_available(column)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()
