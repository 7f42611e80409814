"""The Differences pane: first the things that differ from another recording, then fields of actors, and frames.

Below a field are the frames in which it differs, computed when it is opened. A click selects.
"""

from collections.abc import Hashable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSignalBlocker, Qt
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QStackedLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from ....reports.diff import Thing
from ....texts import listed, say, say_count
from ....views.thing_texts import thing_state, thing_title
from ...session import Session
from ...session.comparison import Item
from ...style.boxes import Stretch, fill, frameless, icon_button, push_button
from ...style.painting import RIGHT, cut_between_words, draw_text
from ...style.theme import Theme
from ...widgets import ElidedLabel, EmptyState, Segmented
from ...widgets.base import Sign
from ...widgets.copied import Copied, copied_table
from ...widgets.keyboard import ViewKeys
from ...widgets.pane import Pane
from .differences_model import GROUP, MOST_DETAILS, DifferencesModel, GroupTexts
from .row_buttons import Placed, RowButton, RowButtons, left_of, paint_buttons, place_buttons
from .things_list import ROW, ThingsList

_WIDTH = 110
_FIRST = 112
"""Width of a frame below a field: where the pane is narrow, the columns of values share the rest."""

_LEAST = 44
_INDENT = 14
_PADDING = 8
_LOW = 140
"""Below this height the rows get the room of their header."""

_LOW_FOR_BOTH = 300
"""Below this height things and groups are not shown together, and the strip above them is left out."""

_COUNT = 44  # px, of the number of frames of a group
_FRAMES = 84
_CHANGE = 96
_WIDE = 400
"""From this width on, count, frames and change of a group have columns of their own."""


class _Cells(QStyledItemDelegate):
    """Draws cells: names that are too wide are cut between words, numbers keep their first digits.

    The row of a group has its count, its frames and its change at the right; under the pointer, its buttons.
    """

    def __init__(self, pane: "DifferencesPane") -> None:
        super().__init__(pane.tree)
        self._pane = pane

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        texts = index.data(GROUP)
        if not isinstance(texts, GroupTexts):
            super().paint(painter, option, index)
            return
        theme = self._pane.theme
        placed = self._pane.buttons_of(index)
        has_columns = option.rect.width() >= theme.px(_WIDE)
        is_wide = has_columns and not placed
        style = self._pane.tree.style()
        self.initStyleOption(option, index)
        metrics = option.fontMetrics
        right = left_of(placed, option.rect) - theme.px(_PADDING)
        name = str(index.data())
        if is_wide:
            right -= theme.px(_COUNT + _FRAMES + _CHANGE)
        if has_columns:
            name = texts.title
        option.text = cut_between_words(metrics, name, right - option.rect.left(), stay=2)
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, self._pane.tree)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_wide:
            self._paint_columns(painter, QRect(right, option.rect.top(), 0, option.rect.height()), texts, is_selected)
        pointed = self._pane.buttons.name if self._pane.buttons.points_at(index) else ""
        paint_buttons(painter, theme, placed, is_current=True, pointed=pointed)

    def _paint_columns(self, painter: QPainter, start: QRect, texts: GroupTexts, is_selected: bool) -> None:
        """Draw count, frames and change behind a name that ends at a place."""
        theme = self._pane.theme
        ink = theme.palette.on_selection if is_selected else theme.palette.text
        quiet = theme.palette.on_selection if is_selected else theme.palette.muted
        count = start.adjusted(0, 0, theme.px(_COUNT), 0)
        draw_text(painter, count, texts.number, theme.mono, ink, RIGHT)
        frames = QRect(count.right() + theme.px(6), start.top(), theme.px(_FRAMES - 6), start.height())
        draw_text(painter, frames, texts.frames, theme.small, quiet, room=frames.width())
        change = QRect(frames.right(), start.top(), theme.px(_CHANGE), start.height())
        words = texts.only or texts.change
        if texts.is_ignored:
            words = say("ignored")
        draw_text(painter, change, words, theme.small, quiet, RIGHT, room=change.width())

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
    """The things that differ, and below them the differences as a tree.

    The caption is the other recording's name, and the number of frames that differ.

    Attributes:
        things: The list of things.
        model: The rows of the tree.
        tree: The tree.
        buttons: The mouse on the buttons of the tree.
        mode: Things and groups, or the groups alone.
        fold_button: Folds the tree.
        empty: The text that is shown without differences.
        previous_button: Goes to the previous difference.
        next_button: Goes to the next difference.
        take_button: Takes the current difference over.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.setObjectName("differences")
        self.model = DifferencesModel(session, theme, self)
        self.tree = frameless(QTreeView(uniformRowHeights=True), "differencesTree", say("Differences"))
        self.tree.setModel(self.model)
        self.tree.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerItem)  # no row is cut at the top
        self.buttons = RowButtons(self.tree, self.buttons_of)
        self.buttons.pressed.connect(self._press)
        self.tree.setItemDelegate(_Cells(self))
        self.things = ThingsList(session, theme, self._take_thing, self._choose_thing)
        self.tree.setSelectionMode(QTreeView.SelectionMode.SingleSelection)
        self.tree.selectionModel().currentChanged.connect(self._select)
        header = self.tree.header()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, header.ResizeMode.Stretch)
        self.empty = EmptyState(theme, "", icon="compare", color="muted")
        self._is_folded = False
        self._stack = QStackedLayout()
        self._footer = QWidget()
        self._footer.setLayout(self._make_footer())
        fill(QVBoxLayout(self), (self._stack, 1), self._footer, spacing=0)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._make_lists())
        self._ignored = session.comparison.ignored
        self._gone: _Place | None = None
        self._unfolded: set[Hashable] = set()
        self._scrolled = 0
        self.model.modelAboutToBeReset.connect(self._note_place)
        self.model.modelReset.connect(self._return)
        self.model.rowsInserted.connect(self._span_inserted)
        self._span()
        self.setFocusProxy(self.things)
        self.give(self.things, self.copied_things)
        self.give(self.tree, self.copied_rows)
        self.offer_menu(self.things, self._things_menu)
        self.offer_menu(self.tree, self._menu_at)
        ViewKeys(self.tree, {"Return; Enter": self.take, "Del": self._ignore_current})
        session.comparison.changed.connect(self._show)
        session.comparison.marked.connect(self._follow_marked)
        session.selection.rested.connect(self.refresh)
        theme.changed.connect(self.restyle)
        self.restyle()
        self._show()

    def _make_lists(self) -> QWidget:
        """Return the strip with the name of the other recording, the things, and the tree below its heading."""
        self._strip = QWidget()
        self._name = ElidedLabel(self.theme, font="bold")
        self._sizes = ElidedLabel(self.theme, font="small", color="muted")
        self._counts = ElidedLabel(self.theme, font="small", color="muted")
        self.mode = Segmented(self.theme, (say("Things"), say("Packets")), say("What is listed"))
        self.mode.changed.connect(lambda _index: self._arrange())
        self.keep("mode", lambda: self.mode.current, self.mode.set_current, lambda value: value in (0, 1))
        sign = Sign(self.theme)
        row = fill(QHBoxLayout(), sign, self._name, (self._sizes, 1), self.mode, spacing=8, margins=(12, 5, 8, 3))
        counts = fill(QHBoxLayout(), self._counts, margins=(12, 0, 8, 4))
        fill(QVBoxLayout(self._strip), row, counts, spacing=0)
        sign.set_icon("compare", "muted")
        self.fold_button = QToolButton(autoRaise=True)
        self.fold_button.setText(say("By packet and field"))
        self.fold_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold_button.setFont(self.theme.bold)
        self.fold_button.clicked.connect(self._fold)
        self._groups = ElidedLabel(self.theme, font="small", color="muted")
        self._heading = QWidget()
        fill(QHBoxLayout(self._heading), self.fold_button, Stretch(), self._groups, margins=(6, 1, 8, 1))
        lists = QWidget()
        fill(QVBoxLayout(lists), self._strip, self.things, self._heading, (self.tree, 1), spacing=0)
        return lists

    def _fold(self) -> None:
        """Show the groups, or hide them."""
        self._is_folded = not self._is_folded
        self._arrange()

    def _arrange(self) -> None:
        """Give things and groups their room: both where there is enough, else what the switch says."""
        px = self.theme.px
        is_low = self.height() < px(_LOW_FOR_BOTH)
        shows_things = self.mode.current == 0
        shows_groups = not shows_things or not is_low
        is_unfolded = not self._is_folded or not shows_things
        self._strip.setVisible(self.height() >= px(_LOW))
        self.things.setVisible(shows_things)
        self._heading.setVisible(shows_things and shows_groups)
        self.tree.setVisible(shows_groups and is_unfolded)
        state = say("shown")
        if not is_unfolded:
            state = say("hidden")
        self.fold_button.setAccessibleDescription(state)
        self.fold_button.setIcon(self.theme.icons.icon("chevron-down" if is_unfolded else "chevron-right", "muted"))
        self.tree.header().setHidden(shows_things or self.height() < px(_LOW))
        self._footer.setVisible(not shows_things)
        self.lead_to(self.things if shows_things else self.tree)
        least = 2 * px(ROW)
        height = self.things.content_height()
        if self.tree.isVisibleTo(self):
            # Half of the room, or more where the groups need less.
            room = self.height() - self._strip.sizeHint().height() - self._heading.sizeHint().height()
            height = min(height, max(least, room * 11 // 20))
            self.things.setFixedHeight(height)
        else:
            self.things.setMinimumHeight(0)
            self.things.setMaximumHeight(16_777_215)

    def _make_footer(self) -> QHBoxLayout:
        icons = self.theme.icons
        self.previous_button = icon_button(
            icons.icon("chevron-left"), say("Previous difference"), partial(self.step, -1), 14
        )
        self.next_button = icon_button(icons.icon("chevron-right"), say("Next difference"), partial(self.step, 1), 14)
        tip = say("Make the selected difference here as it is in the other recording")
        self.take_button = push_button(say("Take over"), self.take, tip)
        row = fill(QHBoxLayout(), self.previous_button, self.next_button, spacing=8, margins=(8, 6, 8, 6))
        return fill(row, Stretch(), self.take_button, margins=None)

    def restyle(self) -> None:
        """Apply the lengths of the theme."""
        px = self.theme.px
        self.tree.setIndentation(px(_INDENT))
        width = max(px(_LEAST), min(px(_WIDTH), (self.width() - px(_FIRST)) // 2))
        for column in (1, 2):
            self.tree.setColumnWidth(column, width)
        self._arrange()

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
        count = len(comparison) + comparison.frames.reordered
        frames = say_count("1 frame differs", "{count:,} frames differ", count=count)
        return listed((other.path.name, frames), "clauses")

    def _show(self) -> None:
        comparing = self.session.comparison
        comparison = comparing.result
        if comparing.other is None or comparison is None:
            self.empty.set_text(say("No other recording"), say("File > Compare with opens another one"))
        elif not comparison.differ:
            self.empty.set_text(say("The two recordings are the same"), comparing.other.path.name)
        self.things.load()
        has_rows = bool(self.model.rowCount() or self.things.model_of_things.rows)
        self._stack.setCurrentIndex(1 if has_rows else 0)
        self._show_counts()
        self._arrange()
        self.refresh()
        other = comparing.other
        self.set_caption(self._caption_text(), short="" if other is None else other.path.name)

    def _follow_marked(self) -> None:
        """Show what is ignored, and the thing that was chosen, maybe in the scene."""
        comparison = self.session.comparison
        if comparison.ignored != self._ignored:
            self._ignored = comparison.ignored
            self._show()
        if comparison.chosen is not None and self.things.current_thing() is not comparison.chosen:
            self.things.show_current(comparison.chosen)
            self._leave_tree()
            self.refresh()
        self.things.viewport().update()

    def _leave_tree(self) -> None:
        """Let no row of the tree be the current one."""
        with QSignalBlocker(self.tree.selectionModel()):
            self.tree.selectionModel().clear()
        self.tree.viewport().update()
        self._gone = None

    def _show_counts(self) -> None:
        """Show the name of the other recording, and how much differs."""
        other = self.session.comparison.other
        comparison = self.session.comparison.result
        if other is None or comparison is None:
            return
        self._name.setText(say("with {name}", name=other.path.name))
        sizes = say("{here:,} frames here, {there:,} there", here=len(comparison.a), there=len(comparison.b))
        self._sizes.setText(sizes)
        ignored = self.things.model_of_things.ignored
        count = len(comparison.things) - ignored + comparison.unlisted
        things = say_count("1 thing differs", "{count:,} things differ", count=count)
        clauses = [things]
        if ignored:
            clauses.append(say_count("1 ignored", "{count:,} ignored", count=ignored))
        same = say(
            "{same:,} of {frames:,} frames are the same",
            same=comparison.frames.same,
            frames=len(comparison.alignment.pairs),
        )
        clauses.append(same)
        self._counts.setText(listed(clauses, "clauses"))
        groups = len(comparison.groups)
        self._groups.setText(say_count("1 group", "{count:,} groups", count=groups))

    def refresh(self) -> None:
        """Enable what can be done with the current difference."""
        if not self.isVisible():
            return
        has_rows = self.model.rowCount() > 0
        self.previous_button.setEnabled(has_rows)
        self.next_button.setEnabled(has_rows)
        item = self.current()
        reason = say("Select a thing, or one of the differences below.")
        if item is not None:
            reason = self.session.comparison.refusal_of(item)
        self.take_button.setEnabled(not reason)
        tip = say("Make the selected difference here as it is in the other recording")
        self.take_button.setToolTip(reason or tip)
        self.changed.emit()

    # --- what can be done -------------------------------------------------------------------------------

    def current(self) -> Item | None:
        """Return what the current row stands for, of the things or of the tree; None without one."""
        thing = self.things.current_thing()
        if thing is not None:
            return Item(thing=thing)
        index = self.tree.currentIndex()
        if index.isValid() and self.model.rowCount():
            return self.model.item(index)
        return None

    def _select(self) -> None:
        # A list that gets the keyboard makes its first row the current one, without it being selected.
        if not self._is_selected():
            self.refresh()
            return
        self.things.leave()
        self.session.comparison.choose(None)
        item = self.current()
        if item is not None:
            self.session.comparison.select(item)
        self.refresh()

    def _choose_thing(self) -> None:
        """Highlight the current thing in the scene, and select it; no row of the tree is current then."""
        thing = self.things.current_thing()
        self._leave_tree()
        self.session.comparison.choose(thing)
        self.refresh()

    # --- buttons in the tree ----------------------------------------------------------------------------

    def buttons_of(self, index: QModelIndex | QPersistentModelIndex) -> Placed:
        """Return the buttons of a group: of the one under the pointer, with their places."""
        item = self.model.item(index)
        if item.group is None or not self.buttons.points_at(index):
            return []
        rect = self.tree.visualRect(self.model.index(index.row(), 0))
        return place_buttons(self.theme, rect, self._offered(item))

    def _offered(self, item: Item) -> list[RowButton]:
        """Return what can be done with a group."""
        group = item.group
        assert group is not None
        if item.key in self.session.comparison.ignored:
            tip = say("List it again with the others")
            return [RowButton("restore", say("List again"), tip, is_framed=True)]
        reason = self.session.comparison.refusal_of(item)
        text = say_count("Take over 1 frame", "Take over {count:,} frames", count=group.frames)
        tip = say("Make this here as it is in the other recording, in all these frames; one step to undo")
        return [
            RowButton("take", text, reason or tip, is_enabled=not reason, is_framed=True),
            RowButton("ignore", say("Ignore"), say("Put it at the end of the list"), is_framed=True),
        ]

    def _press(self, index: QModelIndex, name: str) -> None:
        self._run(name, self.model.item(index))

    def _run(self, name: str, item: Item) -> None:
        comparison = self.session.comparison
        if name == "take":
            comparison.take(item)
        else:
            comparison.ignore(item, on=name == "ignore")

    def _ignore_current(self) -> None:
        """Ignore the group of the current row, or list it again."""
        index = _top_of(self.tree.currentIndex())
        if index.isValid():
            item = self.model.item(index)
            if item.group is not None:
                self.session.comparison.ignore(item, on=item.key not in self.session.comparison.ignored)

    def copied_things(self) -> Copied | None:
        """Return the chosen thing that differs, or all of them where none is, as a table."""
        model = self.things.model_of_things
        chosen = [model.rows[index.row()] for index in self.things.selectionModel().selectedRows()]
        rows = []
        for row in chosen or model.rows:
            if row.thing is None:
                continue
            state = thing_state(row.thing)
            if row.is_ignored:
                state = listed((state, say("ignored")), "clauses")
            rows.append((thing_title(row.thing), state, model.detail(row.thing)))
        return copied_table((say("Thing"), say("State"), say("Details")), rows)

    def copied_rows(self) -> Copied | None:
        """Return the rows of the tree that are unfolded, as a table with the values here and there."""
        rows = []
        index = self.model.index(0, 0)
        while index.isValid():
            rows.append([str(index.siblingAtColumn(column).data() or "") for column in range(3)])
            index = self.tree.indexBelow(index)
        heads = [str(self.model.headerData(column, Qt.Orientation.Horizontal)) for column in range(3)]
        return copied_table(heads, rows)

    def _things_menu(self, point: QPoint) -> QMenu | None:
        menu = self.things.menu_at(point)
        if menu is not None:
            self.offer_copies(menu, self.things)
        return menu

    def _menu_at(self, point: QPoint) -> QMenu | None:
        """Return the menu of the row at a point of the tree, or of the current one; None without."""
        index = self.tree.indexAt(point)
        if not index.isValid():
            index = self.tree.currentIndex()
        if not index.isValid():
            return None
        item = self.model.item(index)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        if item.group is None:
            entry = self.offer(menu, say("Take over"), partial(self.session.comparison.take, item), key="Return")
            entry.setEnabled(self.session.comparison.can_take(item))
            self.offer_copies(menu, self.tree)
            return menu
        keys = {"take": "Return", "ignore": "Del", "restore": "Del"}
        for button in self._offered(item):
            entry = self.offer(menu, button.text, partial(self._run, button.name, item), key=keys[button.name])
            entry.setToolTip(button.tip)
            entry.setEnabled(button.is_enabled)
        self.offer_copies(menu, self.tree)
        return menu

    # --- stepping and taking over -----------------------------------------------------------------------

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

    def _take_thing(self, thing: Thing) -> None:
        self.session.comparison.take(Item(thing=thing))

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
