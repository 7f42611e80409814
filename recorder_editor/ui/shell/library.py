"""The Library beside the start page: the index of a folder as a table of its recordings, or of their events."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMenu, QTableView

from ...analysis import AnalysisError
from ...fleet.catalogue import COLUMNS, SHOWN, Cells, Indexed, Kind, find, index, thumbnail
from ...fleet.pool import usable_cores
from ...reading.expression import ExpressionError
from ...texts import listed, say
from ..session import Session
from ..session.jobs import LatestJob
from ..session.settings import Settings
from ..session.traffic_events import SoughtEvent
from ..style.boxes import fill, frameless, push_button
from ..style.theme import Theme
from ..widgets import ElidedLabel, ProgressStrip, Segmented, WholeRows
from ..widgets.copied import table_of_view
from ..widgets.error_line import ErrorLine
from ..widgets.pane_parts import FilteredPane
from ..widgets.rows_model import DISPLAY, Index, RowsModel
from ..widgets.sort_header import SortHeader
from .recent_files import THUMBNAIL, draw_paths, short_folder

KINDS: tuple[Kind, ...] = ("recordings", "events")
_MORE = {"recordings": ["lines"], "events": ["actor", "other"]}
"""What is not shown as a text, but is needed."""


def names_of(kind: Kind) -> tuple[str, ...]:
    """Return the names of the values of a row: those that are shown, then the others."""
    return tuple(SHOWN[kind]) + tuple(_MORE[kind])


class LibraryModel(RowsModel[Cells]):
    """Rows of an index. Attributes: `kind`, `names` (of the values of a row, of which the last one is not shown)."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.show_found("recordings", ())

    def show_found(self, kind: Kind, found: Sequence[Cells]) -> None:
        """Show other rows."""
        self.kind = kind
        self.names = names_of(kind)
        self.columns = len(SHOWN[kind])
        self.numbers = [index for index, name in enumerate(SHOWN[kind]) if COLUMNS[kind][name].type != "str"]
        self.show(found)

    def head(self, column: int) -> str:
        return say(COLUMNS[self.kind][self.names[column]].meaning)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows; those without a value come last in either order."""
        rows = [row for row in self.rows if row[column] is not None]
        rows.sort(key=lambda row: row[column], reverse=order == Qt.SortOrder.DescendingOrder)
        rows.extend(row for row in self.rows if row[column] is None)
        self.show(rows)

    def shown(self, row: Cells, column: int, role: int) -> object:
        if role == DISPLAY:
            value = row[column]
            if isinstance(value, float):
                return f"{value:,.2f}"
            if isinstance(value, int):
                return f"{value:,}"
            return value or "–"
        if role == Qt.ItemDataRole.FontRole and column in self.numbers:
            return self.theme.mono
        is_path = role == Qt.ItemDataRole.DecorationRole and self.names[column] == "path"
        if is_path and self.kind == "recordings":
            return self._picture(row[-1])
        return None

    def _picture(self, stored: bytes) -> QPixmap:
        """The paths driven."""
        width, height = THUMBNAIL
        size = QSize(self.theme.px(width), self.theme.px(height))
        picture = QPixmap(size * 2)
        picture.setDevicePixelRatio(2)
        picture.fill(Qt.GlobalColor.transparent)
        draw_paths(QPainter(picture), QRect(QPoint(), size), thumbnail(stored), self.theme.palette)
        return picture


class Library(FilteredPane):
    """Signals: `open_asked(Path, Callable)` (a recording, and what follows when it is open), `indexed()`.

    Attributes: `table`, `model`, `kinds` (recordings or events), `place` (the folder), `error` (what is wrong in the
    filter), `progress`, `index_button`, `first_button` (in the middle while no folder is chosen), `back_button`.
    """

    open_asked = Signal(object, object)
    indexed = Signal()

    def __init__(self, session: Session, theme: Theme, settings: Settings) -> None:
        self.settings = settings
        self.model = LibraryModel(theme)
        self.table = frameless(QTableView(), "library", say("Library"))
        self.header = SortHeader(theme, self.table)
        super().__init__(session, theme, self.table, say("Filter: town == 'Town05' and collisions > 0"))
        self._latest = LatestJob(self, session.jobs, self._find)
        self.kinds = Segmented(theme, (say("Recordings"), say("Events")), say("Library"))
        self.index_button = push_button(say("Index folder..."), self.ask_folder)
        self.back_button = push_button(say("Start page"))
        self.place = ElidedLabel(theme, "", "font", "muted")
        self.error = ErrorLine(theme, self.filter)
        self.progress = ProgressStrip(theme)
        self.progress.hide()
        bar = fill(
            QHBoxLayout(),
            self.back_button,
            self.kinds,
            (self.place, 1),
            self.index_button,
            spacing=12,
            margins=(8, 8, 8, 3),
        )
        self.column.insertLayout(0, bar)
        self.column.removeWidget(self.table)
        framed = fill(QHBoxLayout(), self.table, margins=(8, 0, 8, 8))
        fill(self.column, self.error, self.progress, (framed, 1), spacing=0)
        self.header.setSectionResizeMode(SortHeader.ResizeMode.ResizeToContents)
        self.header.setMinimumSectionSize(theme.px(64))
        self.table.setHorizontalHeader(self.header)
        WholeRows(self.table)
        self.table.setModel(self.model)
        self.give(self.table, partial(table_of_view, self.table))
        self.offer_menu(self.table, self._menu_at)
        self.table.setSortingEnabled(True)
        self.first_button = push_button(say("Choose a folder..."), self.ask_folder)
        self.empty.add_button(self.first_button)
        self.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.table.activated.connect(self.open_row)  # by Enter and, as the system has it, a double click
        self.kinds.changed.connect(self.refresh)
        self.filter.textChanged.connect(lambda _text: self._latest.begin())
        session.jobs.changed.connect(self._show_job)
        theme.changed.connect(self._find)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the names what the others leave; where that is little, give them enough and scroll sideways."""
        super().resizeEvent(event)
        is_wide = self.width() > self.theme.px(1220)
        mode = SortHeader.ResizeMode.Stretch if is_wide else SortHeader.ResizeMode.Fixed
        self.header.setSectionResizeMode(0, mode)
        self.header.resizeSection(0, self.theme.px(220))

    def refresh(self) -> None:
        """Ask the index again."""
        self._latest.begin(at_once=True)

    def _find(self) -> None:
        kind = KINDS[self.kinds.current]
        if not self.settings.library:
            self._show(kind, ())
            return
        search = partial(find, Path(self.settings.library), self.filter.text(), kind, names_of(kind))
        self._latest.run(say("Searching"), lambda _: search(), partial(self._show, kind), self._refuse)

    def _show(self, kind: Kind, found: Sequence[Cells]) -> None:
        folder = self.settings.library
        px = self.theme.px
        self.error.show_error("")
        if kind != self.model.kind:
            self.header.setSortIndicator(0, Qt.SortOrder.AscendingOrder)
        self.model.show_found(kind, found)
        self.model.sort(self.header.sortIndicatorSection(), self.header.sortIndicatorOrder())
        width, height = THUMBNAIL
        row_height = height + 8 if kind == "recordings" else 22
        self.table.verticalHeader().setDefaultSectionSize(px(row_height))
        self.table.setIconSize(QSize(px(width), px(height)))
        if folder:
            none = say("Nothing is in the index of this folder")
            place = say("{count:,} in {folder}", count=len(found), folder=short_folder(Path(folder)))
        else:
            none = say("No folder is indexed")
            place = ""
        about = say("The recordings of a folder are read once. Then they are found here by what they hold.")
        self.index_button.setVisible(bool(folder))
        self.first_button.setVisible(not folder)
        self.show_counts(len(found), len(found) or len(self.filter.text()), say("No row matches"), none, about)
        self.place.setText(place)

    def _refuse(self, error: Exception) -> None:
        if isinstance(error, ExpressionError):
            self.error.show_error(error.message, error.column)
        elif isinstance(error, AnalysisError):
            self._show(self.model.kind, ())
            self.empty.set_text(error.message)
        else:
            self.session.jobs.failed.emit(error)

    def _menu_at(self, point: QPoint) -> QMenu:
        menu = QMenu(self)
        index = self.table.indexAt(point)
        menu.addAction(say("Open"), partial(self.open_row, index)).setEnabled(index.isValid())
        self.offer_copies(menu, self.table)
        return menu

    def open_row(self, index: Index) -> None:
        """Open the recording of a row, at its event."""
        row = dict(zip(self.model.names, self.model.rows[index.row()], strict=True))
        self.open_asked.emit(Path(self.settings.library) / row["path"], partial(self._go_to_event, row))

    def _go_to_event(self, row: Mapping[str, Any]) -> None:
        """Go to the frame and the actor of an event, which is chosen when it is found; a recording has neither."""
        frame = row.get("frame")
        actor = row.get("actor")
        if frame:
            self.session.selection.go_to_frame(frame - 1)
        if actor is not None:
            self.session.selection.seek_actor(actor)
        if frame and actor is not None:
            self.session.events.seek(SoughtEvent(row["kind"], frame - 1, actor, row["other"]))

    # --- its index --------------------------------------------------------------------------------------

    def name_way_back(self, name: str) -> None:
        """Say where the button leads: to the open recording of a name, or to the start page."""
        text = say("Start page")
        if name:
            text = say("Back to {name}", name=name)
        self.back_button.setText(text)

    def ask_folder(self) -> bool:
        """Let a person choose a folder, and index it; False where none was chosen."""
        chosen = QFileDialog.getExistingDirectory(self, say("Index folder"), self.settings.library)
        if not chosen:
            return False
        self.settings.library = chosen
        self.index()
        return True

    def index(self) -> None:
        """Bring the index of the folder up to date, as a job."""
        folder = Path(self.settings.library)

        def done(outcome: Indexed) -> None:
            sentences = [outcome.summary(folder)]
            sentences += list(outcome.failed.values())[:1]
            text = listed(sentences, "sentences")
            if outcome.failed:
                self.session.refused.emit(text)
            else:
                self.session.informed.emit(text)

        # In processes of their own, so that the window stays quick.
        work = partial(index, folder, thresholds=self.settings.thresholds, workers=max(2, usable_cores()))
        job = self.session.jobs.start(say("Indexing {name}", name=folder.name), work, done, self._refuse)
        job.ended.connect(self._show_index)

    def _show_index(self) -> None:
        self.indexed.emit()
        self.refresh()

    def _show_job(self) -> None:
        """Show the progress of the oldest job that is not quiet."""
        job = next((job for job in self.session.jobs.running if not job.quiet), None)
        self.progress.follow(job)
        self.progress.setVisible(job is not None)
