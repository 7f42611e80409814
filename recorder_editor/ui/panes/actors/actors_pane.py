"""The pane Actors: a table of every life, with a filter. Sorts, selects, copies, goes to an actor."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import QItemSelection, QItemSelectionRange, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView

from ....reading import Actors, Life
from ....recording import Place
from ....texts import say
from ...session import Session
from ...session.clipboard import actor_forms
from ...session.debounce import Debounce
from ...style.boxes import fill, frameless
from ...style.theme import Theme
from ...widgets import Segmented
from ...widgets.columns_pane import ColumnsPane
from ...widgets.copied import Copied, copied_table
from ...widgets.keyboard import ViewKeys
from ...widgets.table_columns import NATURAL, Column
from .actors_model import ActorsModel

_MOST_SELECTED = 500
_MS_OF_STEPS = 100


class ActorsTable(ColumnsPane):
    """The table and its filter. Signal: `changed`: other rows were selected, perhaps several.

    Attributes:
        model: Its rows.
        alive: Whether the actors of the frame are listed or all; it is shown with the columns of the moment.
    """

    edits_selection = True

    def __init__(self, session: Session, theme: Theme, is_of_moment: Callable[[], bool] = bool) -> None:
        """Make the table.

        Args:
            session: The session.
            theme: The theme.
            is_of_moment: Returns whether the layout wants what is so in the frame that is shown.
        """
        table = frameless(QTableView(), "actorsTable", say("Actors"))
        super().__init__(session, theme, table, say("Filter: vehicle hero"))
        # Rows that were selected here, and the actors of those that are in the frame: the selection of all panes holds
        # no others.
        self._picked: list[Life] = []
        self._picked_here: set[int] = set()
        self.model = ActorsModel(session, theme, self)
        self.filter.textChanged.connect(self._set_filter)
        self.show_model(self.model)
        self.alive = Segmented(theme, (say("Alive"), say("All")), say("Which road users are listed"))
        self.alive.changed.connect(self._show_alive)
        self.alive.hide()
        self.keep("alive", lambda: self.alive.current, self.alive.set_current, lambda value: value in (0, 1))
        fill(self.strip, self.alive, margins=None)
        # By what rows are sorted, with and without the columns of the moment, until a person chooses something else.
        ascending = Qt.SortOrder.AscendingOrder
        to_hero = [column.key for column in self.model.declared].index("to_hero")
        self._sorted = {True: (to_hero, ascending), False: (NATURAL, ascending)}
        self.table.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self._is_of_moment = is_of_moment
        # The whole table is painted for it: once steps have paused, and not at each.
        self._moment_soon = Debounce(self, self._follow_frame, _MS_OF_STEPS)
        self._is_following = False
        self._is_picking = False
        self._frame_index = session.selection.frame_index  # that the rows are painted for
        self.filter.left.connect(self._select_first)
        ViewKeys(self.table, {}, letters_pass=True)
        session.opened.connect(self._forget_picked)
        session.editing.changed.connect(self._forget_picked)
        session.selection.rested.connect(self.refresh)
        session.rule_colors.changed.connect(self.table.viewport().update)
        session.background.trajectories_changed.connect(self.fit_columns)
        self.table.selectionModel().selectionChanged.connect(self._selection_changed)
        self.table.doubleClicked.connect(lambda _index: self.go_to())
        self.offer_menu(self.table, self._menu_at)
        self._update_counts()

    def _forget_picked(self) -> None:
        self._picked = []
        self._update_counts()

    def _update_counts(self) -> None:
        """Show how many lives there are, or why there is none."""
        none = say("No actors in this recording")
        about = say("Actor > Paste adds copied ones.")
        every = self.model.every
        self.show_counts(len(self.model.rows), every, say("No actor matches"), none, about)
        texts = (say("Alive {count:,}", count=self.model.alive), say("All {count:,}", count=every))
        for index, text in enumerate(texts):
            self.alive.segment(index).setAccessibleName(text)
        self.alive.show_texts(texts)

    def follow_layout(self) -> None:
        """Show what the layout wants: what became of each life, or what is so in the frame that is shown."""
        self.show_moment(self._is_of_moment())

    def show_moment(self, on: bool) -> None:
        """Show speed and distance to the hero in the frame that is shown, and not what became of each life."""
        if on == self.model.of_moment:
            return
        self._sorted[not on] = (self.header.sortIndicatorSection(), self.header.sortIndicatorOrder())
        self.alive.setVisible(on)
        self.model.show_moment(on=on, only_alive=self.alive.current == 0)
        self.table.sortByColumn(*self._sorted[on])
        self.fit_columns()
        self._update_counts()
        self.refresh()

    def _show_alive(self, index: int) -> None:
        self.model.show_moment(on=self.model.of_moment, only_alive=index == 0)
        self._update_counts()
        self.refresh()

    def _set_filter(self, text: str) -> None:
        self.model.set_words(text)
        self._update_counts()
        self.refresh()

    def is_available(self, column: Column[Any]) -> bool:
        return self.model.is_available(column)

    # --- selection --------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Select the rows of the selected actors."""
        before = self._frame_index
        self._frame_index = self.session.selection.frame_index
        if not self.isVisible():
            return
        if self.model.of_moment:
            self._moment_soon.start()
        # Dimming and colours depend on the frame; as data that changed, everything would be sorted anew.
        if self.session.rule_colors.is_on or self._alive_in_sight(before) != self._alive_in_sight(self._frame_index):
            self.table.viewport().update()
        self._follow_selection()

    def _follow_frame(self) -> None:
        """Show what is so in the frame that is shown, where that is in the table."""
        if not self.isVisible():
            return
        scrolled = self.table.verticalScrollBar().value()
        self.model.follow_frame()
        self.table.verticalScrollBar().setValue(scrolled)
        self._update_counts()
        self._follow_selection()

    def _follow_selection(self) -> None:
        wanted = set(self.session.selection.actors)
        selected = {life.actor for life in self.selected_lives()}
        if self.session.actors is None or wanted == selected or self._is_picking or self.picked_lives():
            return
        self._picked = []
        self._select_rows(self._rows_of_selection(self.session.actors))

    def _rows_of_selection(self, actors: Actors) -> list[int]:
        """Return the rows of the selected actors: of their lives in this frame, or those nearest to it."""
        selection = self.session.selection
        rows = []
        for actor in selection.actors:
            life = actors.nearest(actor, selection.frame_index)
            if life is not None:
                row = self.model.row_of(life)
                if row is not None:
                    rows.append(row)
        return rows

    def _select_rows(self, rows: list[int]) -> None:
        """Select rows without selecting their actors; the first one becomes the current one."""
        ranges = QItemSelection()
        last = self.model.columns - 1
        for row in rows:
            ranges.append(QItemSelectionRange(self.model.index(row, 0), self.model.index(row, last)))
        self._is_following = True
        selection_model = self.table.selectionModel()
        flags = selection_model.SelectionFlag
        selection_model.select(ranges, flags.ClearAndSelect)
        if rows:
            index = self.model.index(rows[0], 0)
            selection_model.setCurrentIndex(index, flags.NoUpdate)
            self.table.scrollTo(index)
        self._is_following = False

    def _alive_in_sight(self, frame_index: int) -> list[bool]:
        """Return which of the visible rows are alive in a frame."""
        first = max(0, self.table.rowAt(0))
        last = self.table.rowAt(self.table.viewport().height() - 1)
        if last < 0:
            last = self.model.rowCount() - 1
        return [self.model.life(row).is_alive(frame_index) for row in range(first, last + 1)]

    def _selection_changed(self) -> None:
        if self._is_following:
            return
        lives = self.selected_lives()
        self._picked = []
        self._is_picking = True
        if len(lives) == 1:
            if not lives[0].is_alive(self.session.selection.frame_index):
                self.session.selection.go_to_frame(lives[0].born)
            self.session.selection.select_actor(lives[0].actor)
        elif lives:
            self.session.selection.select_actors(tuple(life.actor for life in lives[:_MOST_SELECTED]))
            self._picked = lives
            self._picked_here = set(self.session.selection.actors)
        self._is_picking = False
        self.changed.emit()

    def picked_lives(self) -> list[Life]:
        """Return the lives of several rows that were selected here, whether or not they are in this frame.

        Returns:
            An empty list once other actors are selected.
        """
        if self._picked and self._picked_here == set(self.session.selection.actors):
            return self._picked
        return []

    def current_life(self) -> Life | None:
        """Return the life of the current row; None without one."""
        index = self.table.currentIndex()
        if index.isValid():
            return self.model.life(index.row())
        return None

    def go_to(self, where: Literal["birth", "end", "description"] = "birth") -> None:
        """Go to the first frame of the current life, to its last one, or to its EventAdd."""
        life = self.current_life()
        selection = self.session.selection
        if life is None:
            return
        if where == "description":
            selection.select(Place(*life.added))
            return
        if where == "birth":
            selection.go_to_frame(life.born)
        elif life.gone is not None:
            selection.go_to_frame(life.gone - 1)
        else:
            selection.go_to_frame(self.session.frames - 1)
        selection.select_actor(life.actor)

    def selected_lives(self) -> list[Life]:
        """Return the lives of the selected rows, from above."""
        return [self.model.life(row) for row in self._selected_rows()]

    def _selected_rows(self) -> list[int]:
        return sorted(index.row() for index in self.table.selectionModel().selectedRows())

    def copy(self, what: str) -> None:
        """Copy what is selected to the clipboard, one a line: `id` or `blueprint`."""
        lives = self.selected_lives()
        if what == "id":
            lines = [str(life.actor) for life in lives]
        else:
            lines = [life.blueprint for life in lives]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def copied_rows(self) -> Copied | None:
        """Return the rows; of one actor also the actor itself, which Paste adds to this or another recording."""
        chosen = [self.model.rows[number] for number in self._selected_rows()]
        heads, cells = self.cells_of(chosen or self.model.rows)
        more = {}
        if len(chosen) == 1:
            more = actor_forms(self.session, chosen[0].life)
        return copied_table(heads, cells, more)

    # --- keys and menus ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Find):
            self.open_find()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.go_to()
        else:
            super().keyPressEvent(event)

    def _select_first(self, key: Qt.Key) -> None:
        """Select a row when the filter is left for the table by a key, unless one is selected."""
        if key != Qt.Key.Key_Escape and not self.table.selectionModel().hasSelection():
            self.table.selectRow(max(0, self.table.currentIndex().row()))

    def _menu_at(self, _point: QPoint) -> QMenu | None:
        if self.current_life() is None:
            return None
        return self.menu()

    def menu(self) -> QMenu:
        """Make the context menu for what is selected."""
        menu = QMenu(self)
        several = len(self.table.selectionModel().selectedRows()) > 1
        menu.addAction(say("Go to first frame"), partial(self.go_to, "birth"))
        menu.addAction(say("Go to last frame"), partial(self.go_to, "end"))
        menu.addAction(say("Go to its EventAdd"), partial(self.go_to, "description"))
        menu.addSeparator()
        if several:
            menu.addAction(say("Copy ids"), partial(self.copy, "id"))
            menu.addAction(say("Copy blueprints"), partial(self.copy, "blueprint"))
        else:
            menu.addAction(say("Copy id"), partial(self.copy, "id"))
            menu.addAction(say("Copy blueprint"), partial(self.copy, "blueprint"))
        self.offer_copies(menu, self.table)
        self.menu_asked.emit(menu)
        return menu
