"""Writing a recording as a file other programs read: what, who, when, with a look at the rows before.

What can be written, and what the words for actors mean, is `exchange`'s business.
"""

import shlex
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedLayout,
    QTableView,
    QWidget,
)

from ...errors import RecorderError
from ...exchange.export import DEFAULT_TABLE, ENDINGS, Choice, Preview, choose, export, preview
from ...exchange.tables import tables
from ...progress import Progress
from ..jobs import Job
from ..rest import Rest
from ..session import Session
from ..theme import Theme
from ..widgets import ChoiceEdit, ElidedLabel, EmptyState, Label, ProgressStrip, Segmented
from .base import BaseDialog

Index = QModelIndex | QPersistentModelIndex
ROWS = 100
_FORMS = ("CSV", "JSON Lines", "Parquet", "OpenSCENARIO")


class PreviewModel(QAbstractTableModel):
    """The first rows of an export, as texts."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.shown: Preview | None = None

    def show(self, found: Preview | None) -> None:
        """Show these rows, or none."""
        self.beginResetModel()
        self.shown = found
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.shown is None else len(self.shown.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.shown is None else len(self.shown.columns)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid() or self.shown is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.shown.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.FontRole:
            return self.theme.mono
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> Any:
        if self.shown is None or orientation != Qt.Orientation.Horizontal or section >= len(self.shown.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.shown.columns[section]
        return self.shown.meanings[section] if role == Qt.ItemDataRole.ToolTipRole else None


class ExportDialog(BaseDialog):
    """Chooses a table, actors and frames, shows the first rows and how large the file will be, and writes it."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("exportDialog")
        self.session = session
        snapshot = session.snapshot_or_refuse()
        self.snapshot = snapshot
        self.say(self.tr("Export"), self.tr("Export"), self.tr("The recording as a file other programs read"))
        self._tables = tables(snapshot)
        names = {number: table.name for number, table in enumerate(self._tables)}
        self.form = Segmented(theme, _FORMS, name=self.tr("Format"))
        self.table = ChoiceEdit(theme, names, numbers=False, name=self.tr("Table"))
        self.table.set_value(next((number for number, name in names.items() if name == DEFAULT_TABLE), 0))
        self.meaning = ElidedLabel(theme, "", "small", "muted")
        self.actors = QLineEdit()
        self.actors.setPlaceholderText(self.tr("everybody; or hero, 174, 174@250, role:NAME, type:vehicle.*"))
        self.actors.setAccessibleName(self.tr("Actors"))
        self.selected = QPushButton(self.tr("Selected"))
        self.selected.setToolTip(self.tr("The actors that are selected in the window"))
        self.selected.setEnabled(bool(session.actors_selected))
        self.range = Segmented(theme, (self.tr("Whole recording"), self.tr("In to out")), name=self.tr("Frames"))
        self.range.segment(1).setEnabled(session.has_range)
        self.guard = QCheckBox(self.tr("Guard against formulas"))
        self.guard.setToolTip(self.tr("In CSV, ' before texts that a spreadsheet would take for a formula"))
        self.body.addLayout(self._grid())
        self._make_preview()
        self._make_foot()
        self._job: Job | None = None
        self._looking: Job | None = None
        self._soon = Rest(self, self._look)
        changes = (self.form.changed, self.table.committed, self.actors.textChanged, self.range.changed)
        for changed in (*changes, self.guard.toggled):
            changed.connect(self._changed)
        self.selected.clicked.connect(self._take_selected)
        session.opened.connect(self.reject)
        self.resize(theme.px(820), theme.px(600))
        self._changed()

    # --- parts ------------------------------------------------------------------------------------------

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        who = QHBoxLayout()
        who.setSpacing(8)
        who.addWidget(self.actors, 1)
        who.addWidget(self.selected)
        rows: tuple[tuple[str, Any], ...] = (
            (self.tr("Format"), self.form),
            (self.tr("Table"), self.table),
            ("", self.meaning),
            (self.tr("Actors"), who),
            (self.tr("Frames"), self.range),
            (self.tr("Texts"), self.guard),
        )
        for row, (words, part) in enumerate(rows):
            label = Label(self.theme, words, "font", "muted")
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if isinstance(part, QHBoxLayout):
                grid.addLayout(part, row, 1)
            elif part in (self.form, self.range):
                grid.addWidget(part, row, 1, Qt.AlignmentFlag.AlignLeft)
            else:
                grid.addWidget(part, row, 1)
        grid.setColumnStretch(1, 1)
        return grid

    def _make_preview(self) -> None:
        self.model = PreviewModel(self.theme, self)
        self.view = QTableView()
        self.view.setModel(self.model)
        self.view.setProperty("framed", True)
        self.view.setAccessibleName(self.tr("First rows"))
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(self.theme.px(22))
        self.view.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        header = self.view.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        self.empty = EmptyState(self.theme, self.tr("Reading..."), ground="field")
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        holder.setMinimumHeight(self.theme.px(220))
        self.total = Label(self.theme, "", "small", "muted")
        self.body.addWidget(holder, 1)
        self.body.addWidget(self.total)

    def _make_foot(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.command = ElidedLabel(self.theme, "", "mono", "muted")
        self.command.setAccessibleName(self.tr("The command that does the same"))
        copy = QPushButton(self.tr("Copy command"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command_line()))
        line.addWidget(self.command, 1)
        line.addWidget(copy)
        self.body.addLayout(line)
        self.strip = ProgressStrip(self.theme)
        self.strip.cancelled.connect(self._cancel)
        self.strip.hide()
        self.body.addWidget(self.strip)
        self.outcome = Label(self.theme, "", "font")
        self.outcome.setWordWrap(True)
        self.outcome.hide()
        self.body.addWidget(self.outcome)
        self.close_button = self.add_button(self.tr("Close"), self.reject)
        self.go = self.add_button(self.tr("Export..."), self.ask, filled=True)

    # --- what is chosen ---------------------------------------------------------------------------------

    @property
    def ending(self) -> str:
        """The ending of the file that would be written."""
        return ENDINGS[self.form.current]

    @property
    def table_name(self) -> str:
        """The table that is chosen."""
        return self._tables[self.table.value or 0].name

    @property
    def guards(self) -> bool:
        """Texts that a spreadsheet would take for a formula get a mark."""
        return self.ending == ".csv" and self.guard.isChecked()

    def who(self) -> list[str]:
        """The actors that were typed."""
        return [word for word in self.actors.text().replace(" ", ",").split(",") if word]

    def limits(self) -> tuple[str | None, str | None]:
        """The frames that are chosen, as the command line writes them."""
        if self.range.current == 0:
            return None, None
        frames = self.session.range
        return f"#{frames.start + 1}", f"#{frames.stop + 1}" if frames.stop < self.session.frames else None

    def choice(self) -> Choice:
        """Whom and when is meant; raises `ChoiceError`."""
        return choose(self.snapshot, self.who(), *self.limits())

    def command_line(self) -> str:
        """The command that does the same."""
        recording = self.session.recording
        name = recording.path.name if recording is not None else "IN"
        start, stop = self.limits()
        words = ["recorder-editor", "export", name, f"{Path(name).stem}{self.ending}"]
        if self.ending != ".xosc":
            words += ["--table", self.table_name]
        words += ["--actors", ",".join(self.who())] if self.who() else []
        words += ["--from", start] if start is not None else []
        words += ["--to", stop] if stop is not None else []
        words += ["--guard-formulas"] if self.guards else []
        return shlex.join(words)

    def _take_selected(self) -> None:
        self.actors.setText(", ".join(map(str, self.session.actors_selected)))

    # --- looking before ---------------------------------------------------------------------------------

    def _changed(self, _value: object = None) -> None:
        number = self.table.currentData()
        if number is not None:
            self.table.set_value(int(number))
        scenario = self.ending == ".xosc"
        self.table.setEnabled(not scenario)
        self.guard.setEnabled(self.ending == ".csv")
        about = self.tr("The trajectories of those who move; no table")
        self.meaning.setText(about if scenario else self._tables[self.table.value or 0].meaning)
        self.command.setText(self.command_line())
        self.command.setToolTip(self.command_line())
        self._soon.begin()

    def _look(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
        self.go.setEnabled(False)
        snapshot, ending, table = self.snapshot, self.ending, self.table_name
        words, limits, guards = self.who(), self.limits(), self.guards

        def work(progress: Progress) -> Preview:
            choice = choose(snapshot, words, *limits)
            return preview(snapshot, ending, table, choice, rows=ROWS, guard_formulas=guards, progress=progress)

        self._looking = self.session.jobs.start(
            self.tr("Looking at the export"), work, self._show, self._refuse, quiet=True
        )

    def _show(self, found: Preview) -> None:
        self._looking = None
        self.model.show(found)
        # As wide as the first rows need: asking all rows of all columns would take long.
        self.view.resizeColumnsToContents()
        about = "" if found.exact else self.tr("about ")
        rows = self.tr("1 row") if found.total == 1 else self.tr("%1 rows")
        self.total.setText(f"{about}{rows.replace('%1', f'{found.total:,}')}, {about}{_size(found.size)}")
        self._stack.setCurrentIndex(0 if found.rows else 1)
        self.empty.set_text(self.tr("No rows"), self.tr("Nothing of this table is in the frames and actors chosen"))
        self.go.setEnabled(True)

    def _refuse(self, error: Exception) -> None:
        self._looking = None
        self.model.show(None)
        self.total.setText("")
        self.empty.set_text(_sentence(error))
        self._stack.setCurrentIndex(1)

    # --- writing ----------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Let a person choose a name, and write there."""
        recording = self.session.recording
        path = recording.path if recording is not None else Path("recording.log")
        form = _FORMS[self.form.current]
        name, _ = QFileDialog.getSaveFileName(
            self, self.tr("Export"), str(path.with_suffix(self.ending)), f"{form} (*{self.ending})"
        )
        if name:
            given = Path(name)
            self.write(given if given.suffix.lower() == self.ending else given.with_name(given.name + self.ending))

    def write(self, target: Path) -> None:
        """Write the file, as a job."""
        recording = self.session.recording
        if recording is not None and target.exists() and target.samefile(recording.path):
            self._tell(self.tr("%1 is the recording itself; choose another name.").replace("%1", target.name), "error")
            return
        snapshot, table, words, limits = self.snapshot, self.table_name, self.who(), self.limits()
        guards = self.guards

        def work(progress: Progress) -> int:
            export(snapshot, target, table, choose(snapshot, words, *limits), guard_formulas=guards, progress=progress)
            return target.stat().st_size

        def done(size: int) -> None:
            self._tell(self.tr("Wrote %1, %2").replace("%1", target.name).replace("%2", _size(size)), "fine")

        title = self.tr("Writing %1").replace("%1", target.name)
        job = self.session.jobs.start(title, work, done, lambda error: self._tell(_sentence(error), "error"))
        self._job = job
        self._tell("")
        self.strip.set_cancellable(True)
        self.strip.set_progress(title, None)
        self.strip.show()
        self.go.setEnabled(False)
        job.progressed.connect(lambda: self._report(job))
        job.ended.connect(lambda: self._end(job))

    def _report(self, job: Job) -> None:
        if self._job is job:
            self.strip.set_progress(job.title, job.share, job.seconds_left)

    def _end(self, job: Job) -> None:
        # The dialog may have gone meanwhile; then it has let go of its job.
        if self._job is job:
            self._job = None
            self.strip.hide()
            self.go.setEnabled(True)

    def _tell(self, words: str, color: str = "text") -> None:
        """Say what came of it."""
        self.outcome.set_color(color)
        self.outcome.setText(words)
        self.outcome.setVisible(bool(words))

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def reject(self) -> None:
        self._stop()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop()
        super().closeEvent(event)

    def _stop(self) -> None:
        self._soon.stop()
        for job in (self._job, self._looking):
            if job is not None:
                job.cancel()
        self._job = self._looking = None


def _sentence(error: Exception) -> str:
    if isinstance(error, RecorderError):
        return error.message
    if isinstance(error, OSError):
        return f"{error.filename or ''}: {error.strerror or error}".removeprefix(": ") + "."
    return str(error)


def _size(size: int) -> str:
    for unit, one in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= one:
            return f"{size / one:.1f} {unit}"
    return f"{size} bytes"
