"""The pane Actors: a table of every life, with a filter. Sorts, selects, copies, goes to an actor."""

from collections.abc import Iterator
from functools import partial
from typing import Literal

from PySide6.QtCore import QItemSelection, QItemSelectionRange, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView

from ....reading import Life
from ....recording import Place
from ....texts import say
from ...session import Session
from ...style.boxes import bare
from ...style.theme import Theme
from ...widgets import WholeRows
from ...widgets.keyboard import ViewKeys
from ...widgets.pane_parts import FilteredPane
from ...widgets.sort_header import SortHeader
from .actors_model import NATURAL, ActorsModel


class ActorsTable(FilteredPane):
    """The table and its filter; `changed` tells that other rows were selected, perhaps several."""

    edits_selection = True

    def __init__(self, session: Session, theme: Theme) -> None:
        self.table = bare(QTableView(), "actorsTable", say("Actors"))
        super().__init__(session, theme, self.table, say("Filter: vehicle hero"))
        # Rows that somebody selected, and who of them is in the frame: the selection of all panes holds no others.
        self._picked: list[Life] = []
        self._picked_here: set[int] = set()
        self.model = ActorsModel(session, theme, self)
        self.filter.textChanged.connect(self._set_filter)
        self.header = SortHeader(theme, self.table)
        self.table.setHorizontalHeader(self.header)
        self.table.setModel(self.model)
        self.table.setSortingEnabled(True)
        self.table.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.table.sortByColumn(NATURAL, Qt.SortOrder.AscendingOrder)
        WholeRows(self.table)
        self.header.setMinimumSectionSize(24)
        for position, column in enumerate(self.model.declared):
            if not column.width:
                self.header.setSectionResizeMode(position, QHeaderView.ResizeMode.Stretch)
        self._following = self._is_picking = False
        self._frame_index = session.selection.frame_index  # that the rows are painted for
        self.filter.left.connect(self._select_one)
        ViewKeys(self.table, {"Ctrl+C": partial(self.copy, "table")}, letters_pass=True)
        self.restyle()
        theme.changed.connect(self.restyle)
        session.opened.connect(self._anew)
        session.editing.changed.connect(self._anew)
        session.selection.rested.connect(self.refresh)
        session.rule_colors.changed.connect(self.table.viewport().update)
        session.background.trajectories_changed.connect(self._fit)
        self.table.selectionModel().selectionChanged.connect(self._selection_changed)
        self.table.doubleClicked.connect(lambda _index: self.go_to())
        self.offer_menu(self.table, lambda _point: self.menu() if self.current_life() is not None else None)
        self._announce()

    def _anew(self) -> None:
        self._picked = []
        self._announce()

    def _announce(self) -> None:
        none = say("No actors in this recording")
        about = say("Actor > Paste adds copied ones.")
        self.tell(len(self.model.rows), len(self.model.lives), say("No actor matches"), none, about)

    def _set_filter(self, text: str) -> None:
        self.model.set_words(text)
        self._announce()
        self.refresh()

    def restyle(self) -> None:
        """Take over lengths."""
        self.table.verticalHeader().setDefaultSectionSize(self.theme.px(22))
        for position, column in enumerate(self.model.declared):
            if column.width:
                width = max(self.theme.px(column.width), self.header.width_of(position))
                self.table.setColumnWidth(position, width)
        self._fit()

    def _fit(self) -> None:
        for position, column in enumerate(self.model.declared):
            fits = self.width() >= self.theme.px(column.shown_from)
            self.table.setColumnHidden(position, not (fits and self.model.is_available(column)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    # --- selection --------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Select the rows of the selected actors."""
        before = self._frame_index
        self._frame_index = self.session.selection.frame_index
        if not self.isVisible():
            return
        # Who is dimmed or coloured depends on the frame; told as data that changed, everything would be sorted anew.
        if self.session.rule_colors.is_on or any(
            life.is_alive(before) != life.is_alive(self._frame_index) for life in self._lives_in_sight()
        ):
            self.table.viewport().update()
        actors = self.session.actors
        chosen = {life.actor for life in self.selected_lives()}
        wanted = set(self.session.selection.actors)
        if actors is None or wanted == chosen or self._is_picking or (self._picked and wanted == self._picked_here):
            return
        self._picked = []
        frame = self.session.selection.frame_index
        lives = (actors.nearest(actor, frame) for actor in self.session.selection.actors)
        rows = [row for life in lives if life is not None and (row := self.model.row_of(life)) is not None]
        chosen_rows = QItemSelection()
        last = self.model.columns - 1
        for row in rows:
            chosen_rows.append(QItemSelectionRange(self.model.index(row, 0), self.model.index(row, last)))
        self._following = True
        flags = self.table.selectionModel().SelectionFlag
        self.table.selectionModel().select(chosen_rows, flags.ClearAndSelect)
        if rows:
            index = self.model.index(rows[0], 0)
            self.table.selectionModel().setCurrentIndex(index, flags.NoUpdate)
            self.table.scrollTo(index)
        self._following = False

    def _lives_in_sight(self) -> Iterator[Life]:
        last = self.table.rowAt(self.table.viewport().height() - 1)
        rows = range(max(0, self.table.rowAt(0)), last + 1 if last >= 0 else self.model.rowCount())
        return map(self.model.life, rows)

    def _selection_changed(self) -> None:
        if self._following:
            return
        lives = self.selected_lives()
        self._picked = []
        self._is_picking = True
        if len(lives) == 1:
            if not lives[0].is_alive(self.session.selection.frame_index):
                self.session.selection.go_to_frame(lives[0].born)
            self.session.selection.select_actor(lives[0].actor)
        elif lives:
            self.session.selection.select_actors(tuple(life.actor for life in lives[:500]))
            self._picked, self._picked_here = lives, set(self.session.selection.actors)
        self._is_picking = False
        self.changed.emit()

    def picked_lives(self) -> list[Life]:
        """Several rows that were selected here, whether or not they are in this frame; none once it is others."""
        if self._picked and self._picked_here == set(self.session.selection.actors):
            return self._picked
        return []

    def current_life(self) -> Life | None:
        """The life of the current row."""
        index = self.table.currentIndex()
        if index.isValid():
            return self.model.life(index.row())
        return None

    def go_to(self, where: Literal["birth", "end", "description"] = "birth") -> None:
        """Go to the first frame of the current one, to its last one, or to its EventAdd."""
        life = self.current_life()
        selection = self.session.selection
        if life is not None and where == "description":
            selection.select(Place(*life.added))
        elif life is not None:
            gone = life.gone if life.gone is not None else self.session.frames
            selection.go_to_frame(life.born if where == "birth" else gone - 1)
            selection.select_actor(life.actor)

    def selected_lives(self) -> list[Life]:
        """The lives of the selected rows, from above."""
        return [self.model.life(row) for row in self._selected_rows()]

    def _selected_rows(self) -> list[int]:
        return sorted(index.row() for index in self.table.selectionModel().selectedRows())

    def copy(self, what: str) -> None:
        """What is selected to the clipboard, one a line: `id`, `blueprint`, or `table` (all columns, for a sheet)."""
        lives = self.selected_lives()
        if what == "id":
            lines = [str(life.actor) for life in lives]
        elif what == "blueprint":
            lines = [life.blueprint for life in lives]
        else:
            lines = self._table_lines()
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _table_lines(self) -> list[str]:
        columns = self.model.available
        lines = ["\t".join(column.title for column in columns)]
        for number in self._selected_rows():
            row = self.model.rows[number]
            lines.append("\t".join(self.model.text(row, column) for column in columns))
        return lines

    # --- keys and menus ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Find):
            self.open_find()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.go_to()
        else:
            super().keyPressEvent(event)

    def _select_one(self, way: Qt.Key) -> None:
        if way != Qt.Key.Key_Escape and not self.table.selectionModel().hasSelection():
            self.table.selectRow(max(0, self.table.currentIndex().row()))

    def menu(self) -> QMenu:
        """The context menu for what is selected."""
        menu = QMenu(self)
        several = len(self.table.selectionModel().selectedRows()) > 1
        menu.addAction(say("Go to first frame"), partial(self.go_to, "birth"))
        menu.addAction(say("Go to last frame"), partial(self.go_to, "end"))
        menu.addAction(say("Go to its EventAdd"), partial(self.go_to, "description"))
        menu.addSeparator()
        menu.addAction(say("Copy ids") if several else say("Copy id"), lambda: self.copy("id"))
        if several:
            blueprint = say("Copy blueprints")
        else:
            blueprint = say("Copy blueprint")
        menu.addAction(blueprint, lambda: self.copy("blueprint"))
        table = menu.addAction(say("Copy rows"), lambda: self.copy("table"))
        table.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        self.menu_asked.emit(menu)
        return menu
