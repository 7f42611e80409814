"""Segments and notes as tables: cells edited in place, keys and a menu for the current row."""

from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPixmap
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
_BESIDE_SWATCH = 6
"""Pixels of it that are clear at the left: a tick before it grows with the text, and its space does not."""


class Column(NamedTuple):
    """One column.

    Attributes:
        title: Its heading.
        text: Returns the text of an item.
        typed: Returns the new attributes of an item for which a text was typed; None: the column cannot be edited.
    """

    title: str
    text: Callable[[Any], str]
    typed: Callable[[Any, str], Mapping[str, Any]] | None = None


def _swatch(color: str) -> QIcon:
    """Return a square of a colour, which a selected row does not tint."""
    square = QPixmap(_SWATCH, _SWATCH)
    square.fill(Qt.GlobalColor.transparent)
    side = _SWATCH - _BESIDE_SWATCH
    painter = QPainter(square)
    painter.fillRect(_BESIDE_SWATCH, _BESIDE_SWATCH // 2, side, side, QColor(color))
    painter.end()
    icon = QIcon(square)
    icon.addPixmap(square, QIcon.Mode.Selected)
    return icon


class ItemModel(RowsModel[Segment | Note]):
    """The items of a list of the session, with their colours and, where they can be off, a tick.

    Attributes:
        session: The session.
        theme: Gives the fonts.
        listed: The list.
        every: The columns, from the left.
    """

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
        """Show the items of the session; where there are as many as before, an open editor of a cell stays."""
        items = self.listed.items
        if len(items) != len(self.rows):
            self.show(items)
        elif items:
            self.rows = items
            self.dataChanged.emit(self.index(0, 0), self.index(len(items) - 1, self.columns - 1))

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if self.every[index.column()].typed is not None:
            flags |= Qt.ItemFlag.ItemIsEditable
        if index.column() == 0:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

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
    """The table of the items, with actions for the current row.

    Attributes:
        items: The model.

    Signals:
        row_changed(int): Another row became the current one, by mouse or keys.
    """

    row_changed = Signal(int)

    def __init__(self, model: ItemModel, name: str, *deeds: tuple[str, str, Callable[[int], object]]) -> None:
        """Make the table.

        Args:
            model: The items.
            name: Its name for screen readers.
            deeds: Actions: the name, the keys, and what is called with a row; the last one removes it.
        """
        super().__init__()
        self.items = model
        self.setModel(model)
        set_read_only(self, model.theme, name)
        self.setEditTriggers(self.EditTrigger.DoubleClicked | self.EditTrigger.EditKeyPressed)
        self.setSelectionMode(self.SelectionMode.SingleSelection)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._keys: dict[str, Callable[[], object]] = {}
        self._add_action(say("Edit"), "Return; Enter", self.write)
        for text, keys, action in deeds[:-1]:
            self._add_action(text, keys, action)
        self._add_action(say("Colour..."), "", self._pick_color)
        text, keys, remove = deeds[-1]
        self._add_action(text, keys, remove)
        ViewKeys(self, self._keys, letters_pass=True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        model.listed.changed.connect(self.refresh)
        model.theme.changed.connect(self.refresh)
        self.refresh()

    def _add_action(self, text: str, keys: str, action: Callable[[int], object]) -> None:
        entry = QAction(text, self)
        entry.setShortcut(keys.partition(";")[0])  # shown in the menu
        entry.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        entry.triggered.connect(partial(self._run, action))
        self.addAction(entry)
        self._keys[keys] = entry.trigger

    def refresh(self) -> None:
        """Show the items of the session; the current row stays, at first the first one."""
        row = max(0, self.currentIndex().row())
        column = max(0, self.currentIndex().column())
        with QSignalBlocker(self):
            self.items.refresh()
            last = self.items.rowCount() - 1
            self.setCurrentIndex(self.items.index(min(row, last), column))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.row() != previous.row():
            self.row_changed.emit(current.row())

    def write(self, row: int) -> None:
        """Let a person edit a row: its current cell, or the first one where that cannot be edited."""
        column = self.currentIndex().column()
        if self.items.every[column].typed is None:
            column = 0
        self.setCurrentIndex(self.items.index(row, column))
        self.edit(self.currentIndex())

    def _run(self, action: Callable[[int], object]) -> None:
        """Call an action with the current row, unless a filter has hidden it."""
        row = self.currentIndex().row()
        if row >= 0 and not self.isRowHidden(row):
            action(row)

    def _pick_color(self, row: int) -> None:
        pick_colour(self, QColor(self.items.rows[row].color), self._set_color)

    def _set_color(self, color: QColor) -> None:
        self.items.listed.change(self.currentIndex().row(), color=color.name().upper())
