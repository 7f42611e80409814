"""Segments and notes as tables: cells edited in place, keys and a menu for the current row."""

from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon, QPixmap
from PySide6.QtWidgets import QHeaderView, QTableView

from ...edits.segments import Segment
from ...recording.note import Note
from ...texts import say
from ...views.describe import item_tip
from ..session import Session
from ..session.notes import Notes
from ..session.segments import Segments
from ..style.theme import Theme
from .keyboard import ViewKeys
from .rows import set_read_only
from .rows_model import DISPLAY, Index, RowsModel
from .values import pick_colour

_SWATCH = 28


class Column(NamedTuple):
    """`title`, `text` (of an item), `typed` (what a text typed for an item makes of its attributes; None: none is)."""

    title: str
    text: Callable[[Any], str]
    typed: Callable[[Any, str], Mapping[str, Any]] | None = None


def _swatch(color: str) -> QIcon:
    """A square of a colour, which a selected row does not tint."""
    square = QPixmap(_SWATCH, _SWATCH)
    square.fill(QColor(color))
    icon = QIcon(square)
    icon.addPixmap(square, QIcon.Mode.Selected)
    return icon


class ItemModel(RowsModel[Segment | Note]):
    """The items of a list of the session, with their colours and, where they can be off, a tick."""

    def __init__(
        self, session: Session, theme: Theme, listed: Segments | Notes, every: Sequence[Column], numbers: Container[int]
    ) -> None:
        super().__init__()
        self.session = session
        self.theme = theme
        self.listed = listed
        self.every = every
        self.columns = len(every)
        self.numbers = numbers

    def head(self, column: int) -> str:
        return self.every[column].title

    def refresh(self) -> None:
        """Show the items of the session; of as many as before one may just be edited, whose editor stays."""
        items = self.listed.items
        if len(items) != len(self.rows):
            self.show(items)
        elif items:
            self.rows = items
            self.dataChanged.emit(self.index(0, 0), self.index(len(items) - 1, self.columns - 1))

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.every[index.column()].typed is not None:
            more = Qt.ItemFlag.ItemIsEditable
        else:
            more = Qt.ItemFlag(0)
        return super().flags(index) | more | (Qt.ItemFlag(0) if index.column() else Qt.ItemFlag.ItemIsUserCheckable)

    def shown(self, item: Segment | Note, column: int, role: int) -> object:
        if role in (DISPLAY, Qt.ItemDataRole.EditRole):
            return self.every[column].text(item)
        if role == Qt.ItemDataRole.FontRole:
            if column in self.numbers:
                return self.theme.mono
            return self.theme.font
        if role == Qt.ItemDataRole.ToolTipRole:
            return item_tip(item)
        if role == Qt.ItemDataRole.CheckStateRole and not column and isinstance(item, Segment):
            if item.is_on:
                return Qt.CheckState.Checked
            return Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.DecorationRole and not column:
            return _swatch(item.color)
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = index.row()
        item = self.rows[row]
        typed = self.every[index.column()].typed
        if role == Qt.ItemDataRole.CheckStateRole:
            if isinstance(item, Segment):
                self.listed.change(row, is_on=not item.is_on)
        elif typed is not None:
            self.session.attempt(lambda: self.listed.change(row, **typed(item, str(value).strip())))
        return True


class ItemTable(QTableView):
    """The rows, and what can be done with the current one. Signal: `went(int)` (to another row, by mouse or keys)."""

    went = Signal(int)

    def __init__(self, model: ItemModel, name: str, *deeds: tuple[str, str, Callable[[int], object]]) -> None:
        """`deeds`: name, keys, and what is done with a row; the last one removes it."""
        super().__init__()
        self.items = model
        self.setModel(model)
        set_read_only(self, model.theme, name)
        self.setEditTriggers(self.EditTrigger.DoubleClicked | self.EditTrigger.EditKeyPressed)
        self.setSelectionMode(self.SelectionMode.SingleSelection)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        taken: dict[str, Callable[[], object]] = {}
        edit = (say("Edit"), "Return; Enter", self.write)
        pick = (say("Colour..."), "", self._pick)
        for text, keys, does in (edit, *deeds[:-1], pick, deeds[-1]):
            action = QAction(text, self)
            action.setShortcut(keys.partition(";")[0])  # to be seen in the menu
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(partial(self._do, does))
            self.addAction(action)
            taken[keys] = action.trigger
        ViewKeys(self, taken, letters_pass=True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        model.listed.changed.connect(self.refresh)
        model.theme.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the items of the session; the same place of the list is the current one, at first its beginning."""
        row, column = max(0, self.currentIndex().row()), max(0, self.currentIndex().column())
        with QSignalBlocker(self):
            self.items.refresh()
            self.setCurrentIndex(self.items.index(min(row, self.items.rowCount() - 1), column))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.row() != previous.row():
            self.went.emit(current.row())

    def write(self, row: int) -> None:
        """Let a person edit a row: its current cell, or the first one where nothing is typed into that."""
        column = self.currentIndex().column()
        self.setCurrentIndex(self.items.index(row, column if self.items.every[column].typed is not None else 0))
        self.edit(self.currentIndex())

    def _do(self, does: Callable[[int], object]) -> None:
        """Do something with the current row, unless a filter has hidden it."""
        row = self.currentIndex().row()
        if row >= 0 and not self.isRowHidden(row):
            does(row)

    def _pick(self, row: int) -> None:
        listed = self.items.listed
        color = QColor(self.items.rows[row].color)
        pick_colour(self, color, lambda to: listed.change(self.currentIndex().row(), color=to.name().upper()))
