"""Tables with declared columns: an entry has everything of its column, and the model knows none of them."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from PySide6.QtCore import QObject, Qt

from ...texts import say
from ...views.describe import number_text
from ...views.units import Units
from ..style.theme import Theme
from .cells import CELL, Bar, Cell, Piece
from .copied import heading
from .rows_model import DISPLAY, RowsModel

Need = Literal["trajectories", "road map"]
"""What a job of the session computes in the background, so that values may have to wait for it."""

NOTHING = "–"
"""Is shown where a number is missing."""

_DECIMALS = 1  # of a number in a unit
_FIXED_BELOW = 1e6
_DIGITS = 7  # of a copied number: those of a float of 32 bits
R = TypeVar("R")


@dataclass(frozen=True)
class Column(ABC, Generic[R]):
    """One column of a table. Declare a `TextColumn`, a `NumberColumn`, a `PiecesColumn` or a `BarColumn`.

    Attributes:
        key: Its name among the columns of the table.
        title: The heading, marked by `N_`.
        tooltip: The tooltip of the heading, marked by `N_`; `{unit}` stands for the unit in which numbers are shown.
        width: The least width at normal size, in px; 0 for the column that takes the room left.
        shown_from: The width of the pane, in px at normal size, from which on the column is shown.
        needs: What its values are made of, if a job of the session computes that in the background.
        icon: The name of the icon beside the text of a row.
        is_number: Whether its texts stand at the right, in the font of numbers.
    """

    key: str
    title: str = field(kw_only=True)
    tooltip: str = field(default="", kw_only=True)
    width: int = field(default=0, kw_only=True)
    shown_from: int = field(default=0, kw_only=True)
    needs: Need | None = field(default=None, kw_only=True)
    icon: Callable[[R], str] | None = field(default=None, kw_only=True)
    is_number: bool = field(default=False, kw_only=True)

    @abstractmethod
    def text(self, row: R, units: Units) -> str:
        """Return what is shown of a row."""

    @abstractmethod
    def sort_key(self, row: R) -> str | float:
        """Return what a row is sorted by."""

    def tooltip_text(self, units: Units) -> str:
        """Return the tooltip of the heading."""
        return say(self.tooltip)

    def cell(self, row: R, units: Units) -> Cell | None:
        """Return what is painted of a row where it is more than a text."""
        return None

    def copied_title(self, units: Units) -> str:
        """Return the heading of the copied column; a number's unit stands behind it, in brackets."""
        return say(self.title)

    def copied(self, row: R, units: Units) -> str:
        """Return what is copied of a row: its text; empty where a value is missing."""
        text = self.text(row, units)
        if text == NOTHING:
            return ""
        return text


@dataclass(frozen=True, kw_only=True)
class TextColumn(Column[R]):
    """A column of texts.

    Attributes:
        value: The text of a row, by which rows are sorted.
        format: How the text is shown.
    """

    value: Callable[[R], str]
    format: Callable[[str], str] = str

    def text(self, row: R, units: Units) -> str:
        return self.format(self.value(row))

    def sort_key(self, row: R) -> str:
        return self.value(row)


@dataclass(frozen=True, kw_only=True)
class NumberColumn(Column[R]):
    """A column of numbers.

    Attributes:
        value: The number of a row, by which rows are sorted; None or NaN where it is missing.
        format: How the number is shown, for one without a unit.
        unit: The unit of the number, which is shown in the unit that the person has chosen for such quantities.
        missing: The number that a missing one is sorted as.
    """

    value: Callable[[R], float | None]
    format: Callable[[float], str] = str
    unit: str = ""
    missing: float = -math.inf
    is_number: bool = True

    def text(self, row: R, units: Units) -> str:
        value = self._number(row)
        if value is None:
            return NOTHING
        if not self.unit:
            return self.format(value)
        value *= units.factor(self.unit)
        if abs(value) >= _FIXED_BELOW:
            return number_text(value)
        decimals = units.decimals(self.unit, _DECIMALS)
        return f"{value:.{decimals}f}"

    def sort_key(self, row: R) -> float:
        value = self._number(row)
        if value is None:
            return self.missing
        return value

    def tooltip_text(self, units: Units) -> str:
        if not self.unit:
            return say(self.tooltip)
        return say(self.tooltip, unit=units.unit(self.unit))

    def copied_title(self, units: Units) -> str:
        return heading(say(self.title), units.unit(self.unit))

    def copied(self, row: R, units: Units) -> str:
        """Return the number with the digits of a float of 32 bits, and without marks between thousands."""
        value = self._number(row)
        if value is None:
            return ""
        if self.unit:
            return f"{value * units.factor(self.unit):.{_DIGITS}g}"
        if self.format is grouped:
            return str(value)
        return super().copied(row, units)

    def _number(self, row: R) -> float | None:
        """Return the number of a row; None where it is missing."""
        value = self.value(row)
        if value is None or math.isnan(value):
            return None
        return value


@dataclass(frozen=True, kw_only=True)
class PiecesColumn(Column[R]):
    """A column of cells of several parts.

    Attributes:
        pieces: The parts of a row.
        key_of: What a row is sorted by.
    """

    pieces: Callable[[R, Units], Sequence[Piece]]
    key_of: Callable[[R], str | float]

    def text(self, row: R, units: Units) -> str:
        return " ".join(piece.text for piece in self.pieces(row, units) if piece.text)

    def sort_key(self, row: R) -> str | float:
        return self.key_of(row)

    def cell(self, row: R, units: Units) -> Cell:
        return self.pieces(row, units)


@dataclass(frozen=True, kw_only=True)
class BarColumn(Column[R]):
    """A column of shares, as bars.

    Attributes:
        bar: The bar of a row, by whose share rows are sorted.
    """

    bar: Callable[[R], Bar]

    def text(self, row: R, units: Units) -> str:
        return f"{100 * self.bar(row).share:.0f} %"

    def sort_key(self, row: R) -> float:
        return self.bar(row).share

    def cell(self, row: R, units: Units) -> Cell:
        return self.bar(row)


def grouped(number: float) -> str:
    """Return a number with commas between its thousands."""
    return f"{number:,}"


def unless_zero(number: float) -> str:
    """Return a number, and nothing for 0."""
    if not number:
        return ""
    return str(number)


def percent_unless_zero(share: float) -> str:
    """Return a share of 1 as a percentage, and nothing for 0."""
    if not share:
        return ""
    return f"{100 * share:.0f} %"


class ColumnsModel(RowsModel[R]):
    """A row for each of `rows`, in declared columns.

    Attributes:
        theme: What fonts, icons and units are taken from.
        declared: The columns, from the left.
    """

    def __init__(self, theme: Theme, declared: Sequence[Column[R]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.declared = declared
        self.columns = len(declared)
        self.numbers = [index for index, column in enumerate(declared) if column.is_number]

    def head(self, column: int) -> str:
        return say(self.declared[column].title)

    def text(self, row: R, column: Column[R]) -> str:
        """Return the text of a cell."""
        return column.text(row, self.theme.units)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return self.declared[section].tooltip_text(self.theme.units) or None
        return super().headerData(section, orientation, role)

    def shown(self, row: R, column: int, role: int) -> object:
        """Return the text, the font or the icon of a cell; None for other roles."""
        declared = self.declared[column]
        if role == DISPLAY:
            return self.text(row, declared)
        if role == CELL:
            return declared.cell(row, self.theme.units)
        if role == Qt.ItemDataRole.FontRole and declared.is_number:
            return self.theme.mono
        if role == Qt.ItemDataRole.DecorationRole and declared.icon is not None:
            return self.theme.icons.icon(declared.icon(row))
        return None


NATURAL = -1
"""As if of a column to sort by: the order that a table has by itself."""


class SortedModel(ColumnsModel[R]):
    """A row for each of `rows`, in the order that was asked for; at first in the natural one.

    A subclass gives the rows an identity and a natural order.
    """

    def __init__(self, theme: Theme, declared: Sequence[Column[R]], parent: QObject | None = None) -> None:
        super().__init__(theme, declared, parent)
        self._sorted_by = NATURAL
        self._order = Qt.SortOrder.AscendingOrder

    @abstractmethod
    def identity(self, row: R) -> int:
        """Return the number that tells a row from all others, by which equal ones are in order."""

    @abstractmethod
    def natural_key(self, row: R) -> Any:
        """Return what a row is sorted by where no column is."""

    def sort_key(self, row: R, column: int) -> Any:
        """Return what a row is sorted by when the table is sorted by a column, or by `NATURAL`."""
        if column == NATURAL:
            return self.natural_key(row)
        return self.declared[column].sort_key(row)

    def arrange(self, rows: Iterable[R]) -> None:
        """Take these rows in the order that was asked for."""
        is_descending = self._order == Qt.SortOrder.DescendingOrder
        arranged = sorted(rows, key=self.identity)
        arranged.sort(key=lambda row: self.sort_key(row, self._sorted_by), reverse=is_descending)
        self.rows = arranged

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted_by = column
        self._order = order
        self.layoutAboutToBeChanged.emit()
        # Not by a proxy of Qt's: it asks for both sides of every comparison, a second for ten thousand rows.
        before = self.rows
        self.arrange(before)
        positions = {self.identity(row): number for number, row in enumerate(self.rows)}
        old_indexes = self.persistentIndexList()
        new_indexes = []
        for index in old_indexes:
            new_indexes.append(self.createIndex(positions[self.identity(before[index.row()])], index.column()))
        self.changePersistentIndexList(old_indexes, new_indexes)
        self.layoutChanged.emit()
