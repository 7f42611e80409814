"""The Differences pane: the differences from another recording by header, actors, fields of actors, and frames.

Below a field are the frames in which it differs, computed when it is opened. A click selects.
"""

from collections.abc import Hashable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
)

from ....texts import listed, say, say_count
from ...session import Session
from ...session.comparison import Item
from ...style.boxes import Stretch, fill, frameless, icon_button, push_button
from ...style.painting import cut_between_words
from ...style.theme import Theme
from ...widgets import EmptyState
from ...widgets.pane import Pane
from .differences_model import MOST_DETAILS, DifferencesModel

_WIDTH = 110
_FIRST = 112
"""Width of a frame below a field: where the pane is narrow, the columns of values share the rest."""

_LEAST = 44
_INDENT = 14
_PADDING = 8
_LOW = 140
"""Below this height the rows get the room of their header."""


class _Cells(QStyledItemDelegate):
    """Draws cells: names that are too wide are cut between words, numbers keep their first digits."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideRight
        if not index.column():
            option.text = cut_between_words(option.fontMetrics, option.text, option.rect.width() - _PADDING, stay=2)


class _Place(NamedTuple):
    """The place of a row.

    Attributes:
        name: Its name.
        top: Name of its top row.
        row: Index of that top row.
        number: Index of the row below its top row; -1 for the top row itself.
    """

    name: Hashable
    top: Hashable
    row: int
    number: int


class DifferencesPane(Pane):
    """The differences as a tree; the caption is the other recording's name, and the number of frames that differ.

    Attributes:
        model: The rows.
        tree: The tree.
        empty: The text that is shown without differences.
        previous_button: Goes to the previous difference.
        next_button: Goes to the next difference.
        take_button: Applies the current difference.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.setObjectName("differences")
        self.model = DifferencesModel(session, theme, self)
        self.tree = frameless(QTreeView(uniformRowHeights=True), "differencesTree", say("Differences"))
        self.tree.setModel(self.model)
        self.tree.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerItem)  # no row is cut at the top
        self.tree.setItemDelegate(_Cells(self.tree))
        self.tree.setSelectionMode(QTreeView.SelectionMode.SingleSelection)
        self.tree.selectionModel().currentChanged.connect(self._select)
        header = self.tree.header()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, header.ResizeMode.Stretch)
        self.empty = EmptyState(theme, "", icon="compare", color="muted")
        self._stack = QStackedLayout()
        fill(QVBoxLayout(self), (self._stack, 1), self._make_footer(), spacing=0)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.tree)
        self._gone: _Place | None = None
        self._unfolded: set[Hashable] = set()
        self._scrolled = 0
        self.model.modelAboutToBeReset.connect(self._note_place)
        self.model.modelReset.connect(self._return)
        self.model.rowsInserted.connect(self._span_inserted)
        self._span()
        self.setFocusProxy(self.tree)
        session.comparison.changed.connect(self._show)
        session.selection.rested.connect(self.refresh)
        theme.changed.connect(self.restyle)
        self.restyle()
        self._show()

    def _make_footer(self) -> QHBoxLayout:
        icons = self.theme.icons
        self.previous_button = icon_button(
            icons.icon("chevron-left"), say("Previous difference"), partial(self.step, -1), 14
        )
        self.next_button = icon_button(icons.icon("chevron-right"), say("Next difference"), partial(self.step, 1), 14)
        tip = say("Change this recording to match the other one here")
        self.take_button = push_button(say("Apply"), self.take, tip)
        row = fill(QHBoxLayout(), self.previous_button, self.next_button, spacing=8, margins=(8, 6, 8, 6))
        return fill(row, Stretch(), self.take_button, margins=None)

    def restyle(self) -> None:
        """Apply the lengths of the theme."""
        px = self.theme.px
        self.tree.setIndentation(px(_INDENT))
        width = max(px(_LEAST), min(px(_WIDTH), (self.width() - px(_FIRST)) // 2))
        for column in (1, 2):
            self.tree.setColumnWidth(column, width)
        self.tree.header().setHidden(self.height() < px(_LOW))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.restyle()

    def _span(self, first: int = 0) -> None:
        """Give the only cell of a field the width of all columns."""
        for row in range(first, self.model.rowCount()):
            if self.model.item(self.model.index(row, 0)).group is not None:
                self.tree.setFirstColumnSpanned(row, QModelIndex(), True)

    def _span_inserted(self, parent: QModelIndex, first: int) -> None:
        if not parent.isValid():
            self._span(first)

    def _tops(self) -> dict[Hashable, QModelIndex]:
        """Return the top rows by their names."""
        tops = {}
        for row in range(self.model.rowCount()):
            top = self.model.index(row, 0)
            tops[self.model.name(top)] = top
        return tops

    def _note_place(self) -> None:
        """Keep what is unfolded and visible, and the place of the current row.

        Stepping goes on from there where an edit removes the row.
        """
        self._unfolded = {name for name, top in self._tops().items() if self.tree.isExpanded(top)}
        self._scrolled = self.tree.verticalScrollBar().value()
        index = self.tree.currentIndex()
        if index.isValid():
            top = _top_of(index)
            number = -1
            if top != index:
                number = index.row()
            self._gone = _Place(self.model.name(index), self.model.name(top), top.row(), number)

    def _return(self) -> None:
        """Show the list as it was, as far as its rows are there; nothing is selected anew."""
        gone = self._gone
        tops = self._tops()
        self._span()
        for name in self._unfolded & tops.keys():
            self.tree.expand(tops[name])
        if gone is not None and gone.top in tops:
            index = tops[gone.top]
            if gone.number >= 0:
                index = self._row_below(index, gone.name)
            with QSignalBlocker(self.tree.selectionModel()):
                self._select_row(index)
        self.tree.executeDelayedItemsLayout()
        self.tree.verticalScrollBar().setValue(self._scrolled)
        if not tops:
            self._gone = None

    def _row_below(self, top: QModelIndex, name: Hashable) -> QModelIndex:
        """Return the row of a name below a top row; an invalid index for none."""
        for row in range(self.model.rowCount(top)):
            index = self.model.index(row, 0, top)
            if self.model.name(index) == name:
                return index
        return QModelIndex()

    def _caption_text(self) -> str:
        """Return `other.log, 3 frames differ`."""
        other = self.session.comparison.other
        comparison = self.session.comparison.result
        if other is None or comparison is None:
            return ""
        if not comparison.differ:
            return say("the same as {name}", name=other.path.name)
        frames = say_count("1 frame differs", "{count:,} frames differ", count=len(comparison))
        return listed((other.path.name, frames), "clauses")

    def _show(self) -> None:
        comparing = self.session.comparison
        comparison = comparing.result
        if comparing.other is None or comparison is None:
            self.empty.set_text(say("No other recording"), say("File > Compare with opens another one"))
        elif not comparison.differ:
            self.empty.set_text(say("The two recordings are the same"), comparing.other.path.name)
        elif not self.model.rowCount():
            self.empty.set_text(say("Only bytes outside of frames are different"), comparing.other.path.name)
        self._stack.setCurrentIndex(1 if self.model.rowCount() else 0)
        self.refresh()
        self.set_caption(self._caption_text())

    def refresh(self) -> None:
        """Enable what can be done with the current difference."""
        if not self.isVisible():
            return
        has_rows = self.model.rowCount() > 0
        self.previous_button.setEnabled(has_rows)
        self.next_button.setEnabled(has_rows)
        self.take_button.setEnabled(self.can_take())

    # --- what can be done -------------------------------------------------------------------------------

    def current(self) -> Item | None:
        """Return what the current row stands for; None without one."""
        index = self.tree.currentIndex()
        if index.isValid() and self.model.rowCount():
            return self.model.item(index)
        return None

    def _select(self) -> None:
        item = self.current()
        # A list that gets the keyboard makes its first row the current one, without it being selected.
        if item is not None and self._is_selected():
            self.session.comparison.select(item)
        self.refresh()

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) frame in which the same field differs, or else to another difference."""
        if not self.model.rowCount():
            return
        top, number, row = self._step_target(by)
        if top.isValid() and 0 <= number < self._most(top):
            index = self.model.index(number, 0, top)
        else:
            index = self._leave(top, row, by)
        self._select_row(index)
        self.tree.scrollTo(index)
        if not self.tree.hasFocus():
            self._announce(index, top)

    def _step_target(self, by: int) -> tuple[QModelIndex, int, int]:
        """Return where a step goes: to a row below a top row, or else to another top row.

        Returns:
            The current top row (invalid without one), the index of the row below it, which need not exist, and the
            index of the other top row.
        """
        index = self.tree.currentIndex()
        if self._is_selected():
            top = _top_of(index)
            number = min(0, by)  # the first row below it, or none
            if index != top:
                number = index.row() + by
            return top, number, top.row() + by
        if self._gone is not None:
            # What stood behind the row that was removed stands in its place now.
            number = self._gone.number + min(by, 0)
            top = self._tops().get(self._gone.top, QModelIndex())
            if top.isValid():
                return top, number, top.row() + by
            return top, number, self._gone.row + min(by, 0)
        row = 0 if by > 0 else self.model.rowCount() - 1
        return QModelIndex(), -1, row

    def _leave(self, top: QModelIndex, row: int, by: int) -> QModelIndex:
        """Fold a top row, and return the row at which stepping enters another one, round the ends."""
        if row >= self.model.rowCount() and self.model.canFetchMore(QModelIndex()):
            self.model.fetchMore(QModelIndex())
        self.tree.collapse(top)
        return self._first_in(self.model.index(row % self.model.rowCount(), 0), by)

    def _announce(self, index: QModelIndex, left: QModelIndex) -> None:
        """Announce a row, and its top row where that is another one than before."""
        texts = [str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "")]
        top = index.parent()
        if top != left:
            texts.insert(0, str(top.data(Qt.ItemDataRole.AccessibleTextRole) or ""))
        self.session.announced.emit(listed(texts, "clauses"))

    def _is_selected(self) -> bool:
        """Return whether the current row is selected."""
        return self.tree.selectionModel().isSelected(self.tree.currentIndex())

    def _select_row(self, index: QModelIndex) -> None:
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.tree.selectionModel().setCurrentIndex(index, flags)

    def _most(self, top: QModelIndex) -> int:
        return min(self.model.rowCount(top), MOST_DETAILS)

    def _first_in(self, top: QModelIndex, by: int) -> QModelIndex:
        """Return the row at which stepping enters a top row."""
        most = self._most(top)
        if not most:
            return top
        row = 0 if by > 0 else most - 1
        return self.model.index(row, 0, top)

    def can_take(self) -> bool:
        """Return whether the current difference can be taken from the other recording."""
        item = self.current()
        return item is not None and self.session.comparison.can_take(item)

    def take(self) -> None:
        """Change what the current row stands for to what it is in the other recording."""
        item = self.current()
        if item is not None and self.session.comparison.can_take(item):
            self.session.comparison.take(item)


def _top_of(index: QModelIndex) -> QModelIndex:
    """Return the top row of a row, which may be itself."""
    if index.parent().isValid():
        return index.parent()
    return index
