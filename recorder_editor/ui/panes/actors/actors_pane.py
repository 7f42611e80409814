"""The actors: every life with what became of it. Sorts, filters, selects."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import QItemSelection, QItemSelectionRange, QMimeData, QModelIndex, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView

from ....reading import Life, Trajectory, short_blueprint
from ....recording import Place
from ....texts import N_, listed, say
from ....views.describe import icon_of, number_text
from ....views.signal_key import MIME, Key
from ...session import Session
from ...style.boxes import bare
from ...style.colors import RULE_TINT, mix
from ...style.theme import Theme
from ...widgets import WholeRows
from ...widgets.dragged_signals import dragged
from ...widgets.keyboard import ViewKeys
from ...widgets.pane_parts import FilteredPane
from ...widgets.rows_model import DISPLAY, Index, RowsModel
from ...widgets.sort_header import SortHeader

SORT = int(Qt.ItemDataRole.UserRole)
COLUMNS = (
    N_("Id"),
    N_("Class"),
    N_("Blueprint"),
    N_("Role"),
    N_("First"),
    N_("Last"),
    N_("Distance"),
    N_("Top speed"),
    N_("Collisions"),
)
ID, CLASS, BLUEPRINT, ROLE, BORN, GONE, DISTANCE, SPEED, COLLISIONS = range(len(COLUMNS))
LANE_COLUMNS = (N_("Off road"), N_("Lane changes"))
"""The columns after these, where a road map is known."""
OFF_ROAD, CHANGES = range(len(COLUMNS), len(COLUMNS) + len(LANE_COLUMNS))
_EVERY = COLUMNS + LANE_COLUMNS
_WIDTHS = (70, 84, 0, 78, 46, 46, 60, 66, 62, 58, 96)
_NATURAL = -1
"""As if of a column: the hero, vehicles, walkers, then everything else, each by id."""

_RANKS = {"vehicle": 1, "two-wheeler": 1, "walker": 2}
_WORDS = (CLASS, BLUEPRINT, ROLE)
_NEEDS = {CLASS: 680, ROLE: 520, SPEED: 440, COLLISIONS: 580, OFF_ROAD: 740, CHANGES: 840}
"""The width of the table from which on a column is shown."""


class ActorsModel(RowsModel[int]):
    """One row a life that the filter leaves, in the order that was asked for; the role `SORT` gives what it goes by.

    Attributes: `lives` (all of them, in order of birth), `rows` (which of them, from above).
    """

    columns = len(_EVERY)
    numbers = frozenset(range(columns)) - frozenset(_WORDS)

    def __init__(self, session: Session, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.lives: tuple[Life, ...] = ()
        self._words: tuple[str, ...] = ()
        self._column, self._falls = _NATURAL, False
        self._row_of: dict[tuple[int, int], int] = {}
        session.opened.connect(self.rebuild)
        session.editing.changed.connect(self.rebuild)
        session.background.trajectories_changed.connect(self._surveyed)
        self.rebuild()

    def rebuild(self) -> None:
        """Take in the lives anew; nothing happens where they are the same."""
        actors = self.session.actors
        lives = tuple(actors) if actors is not None else ()
        if lives != self.lives:
            self._reset(lives)

    def set_words(self, text: str) -> None:
        """Show the lives only that all of these words are found in."""
        self._words = tuple(text.lower().split())
        if {number for number, life in enumerate(self.lives) if self._is_meant(life)} != set(self.rows):
            self._reset(self.lives)

    def _reset(self, lives: tuple[Life, ...]) -> None:
        self.beginResetModel()
        self.lives = lives
        self._arrange([number for number, life in enumerate(lives) if self._is_meant(life)])
        self.endResetModel()

    def _is_meant(self, life: Life) -> bool:
        known = (
            life.actor,
            life.class_,
            say(life.class_),
            life.blueprint,
            life.role_name,
            "hero" if life.is_hero else "",
        )
        text = " ".join(map(str, known)).lower()
        return all(word in text for word in self._words)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._column, self._falls = column, order == Qt.SortOrder.DescendingOrder
        self.layoutAboutToBeChanged.emit()
        # Not by a proxy of Qt's: it asks for both sides of every comparison, a second for ten thousand lives.
        before = self.rows
        self._arrange(self.rows)
        row = {number: row for row, number in enumerate(self.rows)}
        old = self.persistentIndexList()
        new = [self.createIndex(row[before[index.row()]], index.column()) for index in old]
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()

    def _arrange(self, shown: Sequence[int]) -> None:
        keys = {number: self._key(self.lives[number], self._column) for number in shown}
        self.rows = sorted(sorted(shown), key=keys.__getitem__, reverse=self._falls)
        self._row_of = {(self.lives[n].actor, self.lives[n].born): row for row, n in enumerate(self.rows)}

    def _surveyed(self) -> None:
        self.rebuild()
        if self._column >= DISTANCE:
            self.sort(self._column, Qt.SortOrder.DescendingOrder if self._falls else Qt.SortOrder.AscendingOrder)
        if self.rows:
            self.dataChanged.emit(self.index(0, DISTANCE), self.index(len(self.rows) - 1, CHANGES))

    def row_of(self, life: Life) -> int | None:
        """The row of a life; None where it is not shown."""
        return self._row_of.get((life.actor, life.born))

    def life(self, row: int) -> Life:
        """The life of a row."""
        return self.lives[self.rows[row]]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that there is something in; those about lanes come last."""
        return COLUMNS if self.session.background.lane_use is None else _EVERY

    def head(self, column: int) -> str:
        return say(_EVERY[column])

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.ToolTipRole:
            return super().headerData(section, orientation, role)
        return {
            CLASS: say("Class of the actor"),
            BORN: say("First frame, that of its EventAdd"),
            GONE: say("Last frame; – if it exists to the end"),
            DISTANCE: say("Distance driven ({unit})", unit=self.theme.units.unit("m")),
            SPEED: say("Top speed ({unit})", unit=self.theme.units.unit("m/s")),
            COLLISIONS: say("Number of collisions"),
            OFF_ROAD: say("Percentage of its time on no lane of the road map"),
            CHANGES: say("Number of lane changes, by the road map"),
        }.get(section)

    def shown(self, number: int, column: int, role: int) -> object:
        life = self.lives[number]
        if role == SORT:
            return self._key(life, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(life, column)
        if role == Qt.ItemDataRole.DecorationRole and column == ID:
            return self.theme.icons.icon(icon_of(life))
        if role == Qt.ItemDataRole.FontRole and column not in _WORDS:
            return self.theme.mono
        if role == Qt.ItemDataRole.ForegroundRole:
            alive = life.is_alive(self.session.selection.frame_index)
            return self.theme.palette.text if alive else self.theme.palette.faint
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.BackgroundRole):
            rule = self.session.rule_colors.of_row(self.session.selection.row).get(life.index)
            if role == Qt.ItemDataRole.BackgroundRole:
                return mix(self.theme.palette.field, rule.color, RULE_TINT) if rule is not None else None
            known = f"{life.actor} {life.blueprint}", say(life.class_), life.role_name, rule.text if rule else ""
            return listed(known, "clauses")
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else flags

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The speeds of the actors, to be dropped where signals are plotted."""
        return dragged(Key("motion", "speed", "", self.life(index.row()).actor) for index in indexes)

    def _key(self, life: Life, column: int) -> Any:
        if column == _NATURAL:
            return 0 if life.is_hero else _RANKS.get(life.class_, 3), life.actor
        if column >= OFF_ROAD:
            share, changes = self.session.background.lanes_of(life)
            return len(changes) if column == CHANGES else -1.0 if math.isnan(share) else share
        if column >= DISTANCE:
            found = self._trajectory(life)
            if found is None:
                return -1
            top = found.top_speed if not math.isnan(found.top_speed) else -1.0
            return (found.distance, top, found.collisions)[column - DISTANCE]
        gone = life.gone if life.gone is not None else self.session.frames
        return (life.actor, life.class_, life.blueprint, life.role_name, life.born, gone)[column]

    def _trajectory(self, life: Life) -> Trajectory | None:
        every = self.session.background.trajectories
        if every is None or life.index >= len(every.trajectories):
            return None
        found = every.trajectories[life.index]
        return found if found.actor == life.actor else None

    def text(self, life: Life, column: int) -> str:
        """What a cell of a life says."""
        if column >= OFF_ROAD:
            share, changes = self.session.background.lanes_of(life)
            if column == CHANGES:
                return str(len(changes) or "")
            return "–" if math.isnan(share) else f"{100 * share:.0f} %" if share else ""
        if column >= DISTANCE:
            trajectory = self._trajectory(life)
            if trajectory is None:
                return "–"
            if column == COLLISIONS:
                return str(trajectory.collisions) if trajectory.collisions else ""
            value, unit = (trajectory.distance, "m") if column == DISTANCE else (trajectory.top_speed, "m/s")
            value *= self.theme.units.factor(unit)
            decimals = self.theme.units.decimals(unit, 1)
            return "–" if math.isnan(value) else f"{value:.{decimals}f}" if abs(value) < 1e6 else number_text(value)
        gone = f"{life.gone:,}" if life.gone is not None else "–"
        blueprint = short_blueprint(life.blueprint)
        return (str(life.actor), say(life.class_), blueprint, life.role_name, f"{life.born + 1:,}", gone)[column]


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
        self.table.sortByColumn(_NATURAL, Qt.SortOrder.AscendingOrder)
        WholeRows(self.table)
        self.header.setMinimumSectionSize(24)
        self.header.setSectionResizeMode(BLUEPRINT, QHeaderView.ResizeMode.Stretch)
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
        none, about = say("No actors in this recording"), say("Actor > Paste adds copied ones.")
        self.tell(len(self.model.rows), len(self.model.lives), say("No actor matches"), none, about)

    def _set_filter(self, text: str) -> None:
        self.model.set_words(text)
        self._announce()
        self.refresh()

    def restyle(self) -> None:
        """Take over lengths."""
        self.table.verticalHeader().setDefaultSectionSize(self.theme.px(22))
        for column, width in enumerate(_WIDTHS):
            if width:
                self.table.setColumnWidth(column, max(self.theme.px(width), self.header.width_of(column)))
        self._fit()

    def _fit(self) -> None:
        for column in range(len(_EVERY)):
            fits = self.width() >= self.theme.px(_NEEDS.get(column, 0))
            self.table.setColumnHidden(column, not fits or column >= len(self.model.names))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    # --- selection --------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Select the rows of the selected actors."""
        before, self._frame_index = self._frame_index, self.session.selection.frame_index
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
        chosen_rows, last = QItemSelection(), len(_EVERY) - 1
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
        return self._picked if self._picked and self._picked_here == set(self.session.selection.actors) else []

    def current_life(self) -> Life | None:
        """The life of the current row."""
        index = self.table.currentIndex()
        return self.model.life(index.row()) if index.isValid() else None

    def go_to(self, where: Literal["birth", "end", "description"] = "birth") -> None:
        """Go to the first frame of the current one, to its last one, or to its EventAdd."""
        life, selection = self.current_life(), self.session.selection
        if life is not None and where == "description":
            selection.select(Place(*life.added))
        elif life is not None:
            gone = life.gone if life.gone is not None else self.session.frames
            selection.go_to_frame(life.born if where == "birth" else gone - 1)
            selection.select_actor(life.actor)

    def selected_lives(self) -> list[Life]:
        """The lives of the selected rows, from above."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self.model.life(row) for row in rows]

    def copy(self, what: str) -> None:
        """What is selected to the clipboard, one a line: `id`, `blueprint`, or `table` (all columns, for a sheet)."""
        lives = self.selected_lives()
        if what == "id":
            lines = [str(life.actor) for life in lives]
        elif what == "blueprint":
            lines = [life.blueprint for life in lives]
        else:
            names = self.model.names
            cells = ([self.model.text(life, column) for column in range(len(names))] for life in lives)
            lines = ["\t".join(row) for row in (names, *cells)]
        QGuiApplication.clipboard().setText("\n".join(lines))

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
        blueprint = say("Copy blueprints") if several else say("Copy blueprint")
        menu.addAction(blueprint, lambda: self.copy("blueprint"))
        table = menu.addAction(say("Copy rows"), lambda: self.copy("table"))
        table.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        self.menu_asked.emit(menu)
        return menu
