"""Writing a recording as a file other programs read: what, who, when, with a look at the rows before.

What can be written, and what the words for actors mean, is `exchange`'s business.
"""

import shlex
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLineEdit, QPushButton, QTableWidget, QWidget

from ...exchange.export import DEFAULT_TABLE, ENDINGS, ExportPreview, export, preview
from ...exchange.tables import tables
from ...progress import Progress
from ...recording.selectors import find_subset
from ..painting import LEFT, RIGHT
from ..session import Session
from ..status import size_text
from ..theme import Theme
from ..widgets import ElidedLabel, Label, Segmented
from .fields import FieldSpec
from .preview import PreviewDialog
from .widgets import set_read_only, table_item

ROWS = 100
_FORMS = ("CSV", "JSON Lines", "Parquet", "OpenSCENARIO")


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True


def _short(text: str) -> str:
    """A number in the fewest digits that tell it from others of single precision, as recordings have them."""
    return str(np.float32(text)) if "." in text else text


class ExportDialog(PreviewDialog):
    """Chooses a table, actors and frames, shows the first rows and how large the file will be, and writes it."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "exportDialog", parent)
        self.snapshot = session.snapshot_or_refuse()
        self.say(self.tr("Export"), self.tr("Export"), self.tr("Write the recording in a format of other programs"))
        self._tables = tables(self.snapshot)
        self._make_form()
        self.view = QTableWidget()
        set_read_only(self.view, theme, self.tr("First rows"))
        self.total = Label(theme, "", "small", "muted")
        self.place(self.stack(self.view, 220), self.total)
        self.close_button = self.add_button(self.tr("Close"), self.reject)
        self.go = self.add_button(self.tr("Export..."), self.ask, filled=True)
        self.resize(theme.px(820), theme.px(600))
        self.choose()

    def _make_form(self) -> None:
        theme, session = self.theme, self.session
        self.format = Segmented(theme, _FORMS, name=self.tr("Format"))
        names = {number: table.name for number, table in enumerate(self._tables)}
        first = next((number for number, name in names.items() if name == DEFAULT_TABLE), 0)
        self.table = self.form.add(FieldSpec("table", self.tr("Table"), "choice", first, choices=names, width=0))
        self.meaning = ElidedLabel(theme, "", "small", "muted")
        self.actors = QLineEdit()
        self.actors.setPlaceholderText(self.tr("all; or hero, 174, 174@250, role:NAME, type:vehicle.*"))
        self.actors.setAccessibleName(self.tr("Actors"))
        self.selected = QPushButton(self.tr("Selected"))
        self.selected.setToolTip(self.tr("The actors that are selected in the window"))
        self.selected.setEnabled(bool(session.selection.actors))
        self.selected.clicked.connect(lambda: self.actors.setText(", ".join(map(str, session.selection.actors))))
        self.range = Segmented(theme, (self.tr("Whole recording"), self.tr("In to out")), name=self.tr("Frames"))
        self.range.segment(1).setEnabled(session.range.is_set)
        self.guard = QCheckBox(self.tr("Guard against formulas"))
        self.guard.setToolTip(self.tr("In CSV, ' before texts that a spreadsheet would take for a formula"))
        self.form.add_row(self.tr("Format"), self.format)
        self.form.add_row(self.tr("Table"), self.table)
        self.form.add_row("", self.meaning)
        self.form.add_row(self.tr("Actors"), self.actors, self.selected)
        self.form.add_row(self.tr("Frames"), self.range)
        self.form.add_row(self.tr("Texts"), self.guard)
        changes = (self.format.changed, self.form.changed, self.actors.textChanged, self.range.changed)
        for changed in (*changes, self.guard.toggled):
            changed.connect(self.choose)

    # --- what is chosen ---------------------------------------------------------------------------------

    @property
    def ending(self) -> str:
        """The ending of the file that would be written."""
        return ENDINGS[self.format.current]

    @property
    def table_name(self) -> str:
        """The table that is chosen."""
        return self._tables[int(self.form.values["table"])].name

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
        frames = self.session.range.frames
        return f"#{frames.start + 1}", f"#{frames.stop + 1}" if frames.stop < self.session.frames else None

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

    # --- looking before ---------------------------------------------------------------------------------

    def choose(self, *_what: object) -> None:
        """Something is chosen anew: what goes with it is offered, and the rows are looked at."""
        scenario = self.ending == ".xosc"
        self.table.setEnabled(not scenario)
        self.guard.setEnabled(self.ending == ".csv")
        about = self.tr("The trajectories of moving actors; no table")
        self.meaning.setText(about if scenario else self._tables[self.form.values["table"]].meaning)
        super().choose()

    def look(self) -> None:
        """Look at the first rows."""
        snapshot, ending, table = self.snapshot, self.ending, self.table_name
        words, limits, guards = self.who(), self.limits(), self.guards

        def work(progress: Progress) -> ExportPreview:
            subset = find_subset(snapshot, words, *limits)
            return preview(snapshot, ending, table, subset, rows=ROWS, guard_formulas=guards, progress=progress)

        self.preview(self.tr("Preparing the preview"), work, self._show)

    def _show(self, found: ExportPreview) -> None:
        self._fill(found)
        # As wide as the first rows need: asking all rows of all columns would take long.
        self.view.resizeColumnsToContents()
        about = "" if found.exact else self.tr("about ")
        rows = self.tr("1 row") if found.total == 1 else self.tr("%1 rows")
        self.total.setText(f"{about}{rows.replace('%1', f'{found.total:,}')}, {about}{size_text(found.size)}")
        if found.rows:
            self.show_view()
        else:
            self.show_words(self.tr("No rows"), self.tr("This table has no rows for these frames and actors"))

    def _fill(self, found: ExportPreview) -> None:
        self.view.setRowCount(len(found.rows))
        self.view.setColumnCount(len(found.columns))
        for column, (title, meaning) in enumerate(zip(found.columns, found.meanings, strict=True)):
            texts = [row[column] for row in found.rows]
            side = RIGHT if texts and all(map(_is_number, texts)) else LEFT
            head = table_item(title, side)
            head.setToolTip(meaning)
            self.view.setHorizontalHeaderItem(column, head)
            for row, text in enumerate(texts):
                item = table_item(_short(text) if side == RIGHT else text, side, self.theme.mono)
                item.setToolTip(text)
                self.view.setItem(row, column, item)

    def show_refusal(self, error: Exception) -> None:
        """Say why there are no rows."""
        super().show_refusal(error)
        self.view.setRowCount(0)
        self.view.setColumnCount(0)
        self.total.setText("")

    # --- writing ----------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Let a person choose a name, and write there."""
        recording = self.session.recording
        path = recording.path if recording is not None else Path("recording.log")
        form = _FORMS[self.format.current]
        name, _ = QFileDialog.getSaveFileName(
            self, self.tr("Export"), str(path.with_suffix(self.ending)), f"{form} (*{self.ending})"
        )
        if name:
            given = Path(name)
            self.write(given if given.suffix.lower() == self.ending else given.with_name(given.name + self.ending))

    def write(self, target: Path) -> None:
        """Write the file, as a job."""
        if self.is_recording(target):
            return
        snapshot, table, words, limits = self.snapshot, self.table_name, self.who(), self.limits()
        guards = self.guards

        def work(progress: Progress) -> int:
            export(
                snapshot, target, table, find_subset(snapshot, words, *limits), guard_formulas=guards, progress=progress
            )
            return target.stat().st_size

        def done(size: int) -> None:
            words = self.tr("Wrote %1, %2").replace("%1", target.name).replace("%2", size_text(size))
            self.job_panel.tell(words, "fine")

        self.run(self.tr("Writing %1").replace("%1", target.name), work, done)
