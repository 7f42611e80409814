"""The actors: every life with what became of it. Sorts, filters, selects."""

import math
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QVBoxLayout, QWidget

from ...recording.lives import Life
from ..describe import number_text
from ..icons import Icons
from ..packet_tree.outline import icon_of
from ..session import Session
from ..theme import Theme
from ..widgets import SearchField

Index = QModelIndex | QPersistentModelIndex
SORT = int(Qt.ItemDataRole.UserRole)
COLUMNS = ("Id", "Blueprint", "Role", "Born", "Gone", "Metres", "m/s", "Hits")
_WIDTHS = (64, 0, 62, 46, 46, 58, 48, 34)
_NUMBERS = {0, 3, 4, 5, 6, 7}
_NARROW = 440
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)


class ActorsModel(QAbstractTableModel):
    """One row a life, in order of birth; the role `SORT` gives what to sort by."""

    def __init__(self, session: Session, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.lives: tuple[Life, ...] = ()
        self._rows: dict[tuple[int, int], int] = {}
        session.opened.connect(self.rebuild)
        session.changed.connect(self.rebuild)
        session.surveyed.connect(self._surveyed)
        self.rebuild()

    def rebuild(self) -> None:
        """Take in the lives anew; nothing happens where they are the same."""
        actors = self.session.actors
        lives = tuple(actors) if actors is not None else ()
        if lives == self.lives:
            return
        self.beginResetModel()
        self.lives = lives
        self._rows = {(life.actor, life.born): row for row, life in enumerate(lives)}
        self.endResetModel()

    def _surveyed(self) -> None:
        self.rebuild()
        if self.lives:
            self.dataChanged.emit(self.index(0, 5), self.index(len(self.lives) - 1, 7))

    def row_of(self, life: Life) -> int | None:
        """The row of a life."""
        return self._rows.get((life.actor, life.born))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.lives)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.tr(COLUMNS[section])
        tips = {5: self.tr("Distance driven"), 6: self.tr("Top speed"), 7: self.tr("Collisions")}
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return tips.get(section)
        return None

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid() or index.row() >= len(self.lives):
            return None
        life, column = self.lives[index.row()], index.column()
        if role == SORT:
            return self._key(life, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(life, column)
        if role == Qt.ItemDataRole.DecorationRole and column == 0:
            return self.theme.icons.icon(icon_of(life))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.FontRole and column in _NUMBERS:
            return self.theme.mono
        if role == Qt.ItemDataRole.ForegroundRole:
            alive = life.is_alive(self.session.frame_index)
            return self.theme.palette.text if alive else self.theme.palette.faint
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{life.actor} {life.blueprint}, {life.class_}"
        return None

    def _key(self, life: Life, column: int) -> Any:
        journey = self.session.survey.of(life) if self._has_journey(life) and self.session.survey is not None else None
        top = journey.top_speed if journey is not None and not math.isnan(journey.top_speed) else -1.0
        last = self.session.frames
        return (
            life.actor, life.blueprint, life.role_name, life.born, life.gone if life.gone is not None else last,
            journey.distance if journey is not None else -1.0, top, journey.collisions if journey is not None else -1,
        )[column]  # fmt: skip

    def _has_journey(self, life: Life) -> bool:
        survey = self.session.survey
        if survey is None or life.index >= len(survey.journeys):
            return False
        return survey.journeys[life.index].actor == life.actor

    def _text(self, life: Life, column: int) -> str:
        if column >= 5:
            if not self._has_journey(life) or self.session.survey is None:
                return "–"
            journey = self.session.survey.of(life)
            if column == 7:
                return str(journey.collisions) if journey.collisions else ""
            value = journey.distance if column == 5 else journey.top_speed
            return "–" if math.isnan(value) else f"{value:.1f}" if abs(value) < 1e6 else number_text(value)
        gone = f"{life.gone + 1:,}" if life.gone is not None else "–"
        return (str(life.actor), life.blueprint, life.role_name, f"{life.born + 1:,}", gone)[column]


class _Filter(QSortFilterProxyModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.words: tuple[str, ...] = ()
        self.setSortRole(SORT)

    def set_words(self, text: str) -> None:
        self.beginFilterChange()
        self.words = tuple(text.lower().split())
        self.endFilterChange()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        model = self.sourceModel()
        assert isinstance(model, ActorsModel)
        life = model.lives[row]
        text = f"{life.actor} {life.class_} {life.blueprint} {life.role_name} {'hero' if life.is_hero else ''}".lower()
        return all(word in text for word in self.words)


class ActorsTable(QWidget):
    """Signal: `caption_changed(str)`."""

    caption_changed = Signal(str)
    title_switches: tuple[QWidget, ...] = ()

    def __init__(self, session: Session, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.model = ActorsModel(session, theme, self)
        self._filter = _Filter(self)
        self._filter.setSourceModel(self.model)
        self.filter = SearchField(theme, self.tr("Filter: vehicle hero"), icon="")
        self.filter.setObjectName("actorsFilter")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._set_filter)
        self.table = QTableView()
        self.table.setObjectName("actorsTable")
        self.table.setAccessibleName(self.tr("Actors"))
        self.table.setModel(self._filter)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.table.setShowGrid(False)
        self.table.setFrameShape(QTableView.Shape.NoFrame)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        strip = QVBoxLayout()
        strip.setContentsMargins(8, 5, 8, 5)
        strip.addWidget(self.filter)
        layout.addLayout(strip)
        layout.addWidget(self.table, 1)
        self.setFocusProxy(self.table)
        self._following = False
        self.restyle()
        theme.changed.connect(self.restyle)
        session.opened.connect(self._announce)
        session.changed.connect(self._announce)
        session.selected.connect(self._follow)
        self.table.selectionModel().selectionChanged.connect(self._selection_changed)
        self.table.doubleClicked.connect(self.go_to_birth)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._menu)

    @property
    def caption(self) -> str:
        """How many there are."""
        shown, every = self._filter.rowCount(), self.model.rowCount()
        return f"{shown:,} of {every:,}" if shown != every else f"{every:,}" if every else ""

    def _announce(self) -> None:
        self.caption_changed.emit(self.caption)

    def _set_filter(self, text: str) -> None:
        self._filter.set_words(text)
        self._announce()

    def restyle(self) -> None:
        """Take over lengths."""
        self.table.verticalHeader().setDefaultSectionSize(self.theme.px(22))
        for column, width in enumerate(_WIDTHS):
            if width:
                self.table.setColumnWidth(column, self.theme.px(width))
        self._fit()

    def _fit(self) -> None:
        narrow = self.width() < self.theme.px(_NARROW)
        for column in (2, 6, 7):
            self.table.setColumnHidden(column, narrow)

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()

    # --- selection --------------------------------------------------------------------------------------

    def _follow(self) -> None:
        if not self.isVisible():
            return
        # Who is dimmed depends on the frame; told as data that changed, everything would be sorted anew.
        self.table.viewport().update()
        actors = self.session.actors
        chosen = self._chosen_actors()
        wanted = set(self.session.actors_selected)
        if actors is None or wanted == chosen:
            return
        self._following = True
        flags = QItemSelectionModel.SelectionFlag
        model = self.table.selectionModel()
        model.clearSelection()
        first = True
        for actor in self.session.actors_selected:
            life = actors.at(actor, self.session.frame_index) or next(iter(actors.of_id(actor)), None)
            row = self.model.row_of(life) if life is not None else None
            if row is None:
                continue
            index = self._filter.mapFromSource(self.model.index(row, 0))
            if index.isValid():
                model.select(index, flags.Select | flags.Rows)
                if first:
                    model.setCurrentIndex(index, flags.NoUpdate)
                    self.table.scrollTo(index)
                    first = False
        self._following = False

    def _chosen_actors(self) -> set[int]:
        rows = self.table.selectionModel().selectedRows()
        return {self.model.lives[self._filter.mapToSource(index).row()].actor for index in rows}

    def _selection_changed(self) -> None:
        if self._following:
            return
        rows = self.table.selectionModel().selectedRows()
        lives = [self.model.lives[self._filter.mapToSource(index).row()] for index in rows]
        if len(lives) == 1:
            if not lives[0].is_alive(self.session.frame_index):
                self.session.go_to_frame(lives[0].born)
            self.session.select_actor(lives[0].actor)
        elif lives:
            self.session.select_actors(tuple(life.actor for life in lives[:500]))

    def current_life(self) -> Life | None:
        """The life of the current row."""
        index = self.table.currentIndex()
        return self.model.lives[self._filter.mapToSource(index).row()] if index.isValid() else None

    def go_to_birth(self) -> None:
        """Go to the frame in which the current one was created."""
        life = self.current_life()
        if life is not None:
            self.session.go_to_frame(life.born)
            self.session.select_actor(life.actor)

    def go_to_end(self) -> None:
        """Go to the last frame in which the current one is there."""
        life = self.current_life()
        if life is not None:
            self.session.go_to_frame((life.gone if life.gone is not None else self.session.frames) - 1)
            self.session.select_actor(life.actor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Find):
            self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            super().keyPressEvent(event)

    def _menu(self, point: QPoint) -> None:
        life = self.current_life()
        if life is None:
            return
        menu = QMenu(self)
        menu.addAction(self.tr("Go to birth"), self.go_to_birth)
        menu.addAction(self.tr("Go to last frame"), self.go_to_end)
        menu.addSeparator()
        menu.addAction(self.tr("Copy id"), lambda: QGuiApplication.clipboard().setText(str(life.actor)))
        menu.addAction(self.tr("Copy blueprint"), lambda: QGuiApplication.clipboard().setText(life.blueprint))
        menu.exec(self.table.viewport().mapToGlobal(point))
