"""What differs from another recording: header, actors, each field of each actor, frames.

Under a field are the frames in which it differs, worked out when it is opened. A click selects.
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
from ...style.boxes import Stretch, bare, fill, icon_button, push_button
from ...style.painting import cut_between_words
from ...style.theme import Theme
from ...widgets import EmptyState
from ...widgets.pane import Pane
from .differences_model import MOST_DETAILS, DifferencesModel

_WIDTH = 110
_FIRST = 112
"""What a frame below a field needs: where the pane is narrow, the columns of values share the rest."""

_LEAST = 44
_INDENT = 14
_PADDING = 8
_LOW = 140
"""Below this height the rows get the room of their header."""


class _Cells(QStyledItemDelegate):
    """Words that are too wide are cut between two of them, numbers keep their first digits."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideRight
        if not index.column():
            option.text = cut_between_words(option.fontMetrics, option.text, option.rect.width() - _PADDING, stay=2)


class _Place(NamedTuple):
    """Where a row stands: its `name`, that of its `top` row, the `row` of that, its `number` below it (-1: is top)."""

    name: Hashable
    top: Hashable
    row: int
    number: int


class DifferencesPane(Pane):
    """The differences as a tree; its caption is the other's name, and how many frames differ."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.setObjectName("differences")
        self.model = DifferencesModel(session, theme, self)
        self.tree = bare(QTreeView(uniformRowHeights=True), "differencesTree", say("Differences"))
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
        fill(QVBoxLayout(self), (self._stack, 1), self._foot(), spacing=0)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.tree)
        self._gone: _Place | None = None
        self._unfolded: set[Hashable] = set()
        self._scrolled = 0
        self.model.modelAboutToBeReset.connect(self._note_place)
        self.model.modelReset.connect(self._return)
        self.model.rowsInserted.connect(lambda parent, first: self._span(first) if not parent.isValid() else None)
        self._span()
        self.setFocusProxy(self.tree)
        session.comparison.changed.connect(self._show)
        session.selection.rested.connect(self.refresh)
        theme.changed.connect(self.restyle)
        self.restyle()
        self._show()

    def _foot(self) -> QHBoxLayout:
        left, right = map(self.theme.icons.icon, ("chevron-left", "chevron-right"))
        self.previous_button = icon_button(left, say("Previous difference"), partial(self.step, -1), 14)
        self.next_button = icon_button(right, say("Next difference"), partial(self.step, 1), 14)
        tip = say("Change this recording to match the other one here")
        self.take_button = push_button(say("Apply"), self.take, tip)
        parts = (self.previous_button, self.next_button, Stretch(), self.take_button)
        return fill(QHBoxLayout(), *parts, spacing=8, margins=(8, 6, 8, 6))

    def restyle(self) -> None:
        """Take over lengths."""
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
        """A field says all in its first cell."""
        for row in range(first, self.model.rowCount()):
            if self.model.item(self.model.index(row, 0)).group is not None:
                self.tree.setFirstColumnSpanned(row, QModelIndex(), True)

    def _tops(self) -> dict[Hashable, QModelIndex]:
        """The top rows by their names."""
        tops = (self.model.index(row, 0) for row in range(self.model.rowCount()))
        return {self.model.name(top): top for top in tops}

    def _note_place(self) -> None:
        """Keep what is unfolded and in sight, and where the current row stands: stepping goes on from there if an edit
        takes it away."""
        self._unfolded = {name for name, top in self._tops().items() if self.tree.isExpanded(top)}
        self._scrolled, index = self.tree.verticalScrollBar().value(), self.tree.currentIndex()
        if index.isValid():
            if index.parent().isValid():
                top = index.parent()
            else:
                top = index
            if top != index:
                number = index.row()
            else:
                number = -1
            self._gone = _Place(self.model.name(index), self.model.name(top), top.row(), number)

    def _return(self) -> None:
        """Show the list as it stood, as far as that is there: nothing is selected anew."""
        model = self.model
        gone = self._gone
        tops = self._tops()
        self._span()
        for name in self._unfolded & tops.keys():
            self.tree.expand(tops[name])
        top = None
        if gone is not None:
            top = tops.get(gone.top)
        if gone is not None and top is not None:
            below = (model.index(number, 0, top) for number in range(model.rowCount(top)))
            index = next((each for each in below if model.name(each) == gone.name), QModelIndex())
            with QSignalBlocker(self.tree.selectionModel()):
                self._stand_on(top if gone.number < 0 else index)
        self.tree.executeDelayedItemsLayout()
        self.tree.verticalScrollBar().setValue(self._scrolled)
        self._gone = gone if tops else None

    def _counts(self) -> str:
        """`other.log, 3 frames differ`."""
        other = self.session.comparison.other
        found = self.session.comparison.found
        if other is None or found is None:
            return ""
        if not found.differ:
            return say("the same as {name}", name=other.path.name)
        return listed(
            (other.path.name, say_count("1 frame differs", "{count:,} frames differ", count=len(found))), "clauses"
        )

    def _show(self) -> None:
        comparing = self.session.comparison
        found = comparing.found
        if comparing.other is None or found is None:
            self.empty.set_text(say("No other recording"), say("File > Compare with opens another one"))
        elif not found.differ:
            self.empty.set_text(say("The two recordings are the same"), comparing.other.path.name)
        elif not self.model.rowCount():
            self.empty.set_text(say("Only bytes outside of frames are different"), comparing.other.path.name)
        self._stack.setCurrentIndex(1 if self.model.rowCount() else 0)
        self.refresh()
        self.set_caption(self._counts())

    def refresh(self) -> None:
        """Enable what can be done with the current difference."""
        if not self.isVisible():
            return
        some = self.model.rowCount() > 0
        self.previous_button.setEnabled(some)
        self.next_button.setEnabled(some)
        self.take_button.setEnabled(self.can_take())

    # --- what can be done -------------------------------------------------------------------------------

    def current(self) -> Item | None:
        """What the current row stands for."""
        index = self.tree.currentIndex()
        if index.isValid() and self.model.rowCount():
            return self.model.item(index)
        return None

    def _select(self) -> None:
        item = self.current()
        # A list that gets the keyboard makes its first row the current one, which nobody chose.
        if item is not None and self._is_chosen():
            self.session.comparison.select(item)
        self.refresh()

    def step(self, by: int) -> None:
        """The next (or previous) frame in which the same field differs, then the next thing that differs."""
        model = self.model
        rows = self.model.rowCount()
        if not rows:
            return
        if self._is_chosen():
            index = self.tree.currentIndex()
        else:
            index = QModelIndex()
        if index.parent().isValid():
            top = index.parent()
        else:
            top = index
        if index != top:
            number = index.row() + by
        elif by > 0:
            number = 0
        else:
            number = -1
        if top.isValid():
            row = top.row() + by
        elif by > 0:
            row = 0
        else:
            row = rows - 1
        if not index.isValid() and self._gone is not None:
            # What stood behind the row that went stands in its place now.
            top = self._tops().get(self._gone.top, QModelIndex())
            number = self._gone.number + min(by, 0)
            if top.isValid():
                row = top.row() + by
            else:
                row = self._gone.row + min(by, 0)
        if top.isValid() and 0 <= number < self._most(top):
            chosen = model.index(number, 0, top)
        else:
            if row >= rows and model.canFetchMore(QModelIndex()):
                model.fetchMore(QModelIndex())
                rows = model.rowCount()
            self.tree.collapse(top)
            chosen = self._first_in(model.index(row % rows, 0), by)
        self._stand_on(chosen)
        self.tree.scrollTo(chosen)
        if not self.tree.hasFocus():
            if chosen.parent() != top:
                entered = chosen.parent()
            else:
                entered = QModelIndex()
            words = (str(each.data(Qt.ItemDataRole.AccessibleTextRole) or "") for each in (entered, chosen))
            self.session.announced.emit(listed(words, "clauses"))

    def _is_chosen(self) -> bool:
        return self.tree.selectionModel().isSelected(self.tree.currentIndex())

    def _stand_on(self, index: QModelIndex) -> None:
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.tree.selectionModel().setCurrentIndex(index, flags)

    def _most(self, top: QModelIndex) -> int:
        return min(self.model.rowCount(top), MOST_DETAILS)

    def _first_in(self, top: QModelIndex, by: int) -> QModelIndex:
        """Where stepping enters a top row."""
        most = self._most(top)
        if most:
            return self.model.index(0 if by > 0 else most - 1, 0, top)
        return top

    def can_take(self) -> bool:
        """The current row can be taken from the other recording."""
        item = self.current()
        return item is not None and self.session.comparison.can_take(item)

    def take(self) -> None:
        """Make what the current row stands for as it is in the other recording."""
        item = self.current()
        if item is not None and self.session.comparison.can_take(item):
            self.session.comparison.take(item)
