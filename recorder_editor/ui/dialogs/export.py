"""The Export dialog: format, table, actors and frames, with a preview of the first rows.

`formats` knows what can be written, `reading.selectors` what the texts for actors mean.
"""

import shlex
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLineEdit, QPushButton, QTableWidget, QWidget

from ...analysis import Analysis
from ...errors import SaveRefused
from ...formats.export import (
    ExportPreview,
    FileBeside,
    TableOptions,
    export,
    export_formats,
    find_format,
    paths_beside,
    preview,
    table_names,
)
from ...formats.export_format import AnyFormat
from ...formats.signals import Signal
from ...option_specs import command_words, options_of, without_other_tables
from ...progress import Progress
from ...reading.selectors import find_subset
from ...recording import write_file
from ...texts import listed, say, say_count
from ...views.command_words import schema_words
from ...views.units import size_text
from ..session import Session
from ..style.painting import LEFT, RIGHT
from ..style.theme import Theme
from ..widgets import ElidedLabel, Label, Segmented
from ..widgets.rows import set_read_only
from .base import Question
from .fields import add_option, options_from, table_field
from .preview import PreviewDialog
from .widgets import table_item

Written = tuple[int, tuple[FileBeside, ...]]
"""The size of a file that was written, and the files beside it that were kept."""

ROWS = 100

_BETWEEN_ACTORS = ", "
"""What separates actors in a field that a person types, the same in every language."""

(_TABLE,) = (option for option in options_of(TableOptions) if option.spec.kind == "table")


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True


def _short(text: str) -> str:
    """A number in the fewest digits that tell it from others of single precision, as recordings have them.

    Times are of double precision: one too large for the other stays as it is.
    """
    if "." not in text:
        return text
    with np.errstate(over="ignore"):
        single = np.float32(text)
    if np.isfinite(single):
        return str(single)
    return text


class ExportDialog(PreviewDialog):
    """Chooses a table, actors and frames, shows the first rows and how large the file will be, and writes it."""

    def __init__(
        self, session: Session, theme: Theme, parent: QWidget | None = None, shown: Sequence[Signal] = ()
    ) -> None:
        """`shown`: the signals of the pane Signals, which go into MCAP, too."""
        super().__init__(session, theme, "exportDialog", parent)
        self._shown = shown
        self.snapshot = session.snapshot_or_refuse()
        self.say(say("Export"), say("Export"), say("Write the recording in a format for other programs"))
        self._tables = list(table_names(self.snapshot))
        self._formats = [format for format in export_formats() if not format.tables]
        traffic = session.traffic
        self._analyses: dict[range, Analysis] = {}
        if traffic.analysis is not None and traffic.is_current:
            self._analyses[range(len(self.snapshot))] = traffic.analysis
        self._make_form()
        self.view = QTableWidget()
        set_read_only(self.view, theme, say("First rows"))
        self.total = Label(theme, "", "small", "muted")
        self.place(self.stack(self.view, 220), self.total)
        self.add_answers(say("Export..."), self.ask, stays=True)
        self.resize(theme.px(820), theme.px(600))
        self.on_change()

    def _make_form(self) -> None:
        theme = self.theme
        session = self.session
        self.format = Segmented(theme, [format.title for format in self._formats], name=say("Format"))
        self.meaning = ElidedLabel(theme, "", "small", "muted")
        self.actors = QLineEdit()
        self.actors.setPlaceholderText(say("all; or hero, 174, 174@250, role:NAME, type:vehicle.*"))
        self.actors.setAccessibleName(say("Actors"))
        self.selected = QPushButton(say("Selected"))
        self.selected.setToolTip(say("The actors that are selected in the window"))
        self.selected.setVisible(bool(session.selection.actors))
        self.selected.clicked.connect(self._take_selected)
        self.range = Segmented(theme, (say("Whole recording"), say("In-out range")), name=say("Frames"))
        self.range.setVisible(session.range.is_set)
        whole = Label(theme, say("Whole recording; In and Out in the timeline choose a part"), "font", "muted")
        whole.setVisible(not session.range.is_set)
        self.form.add_row(say("Format"), self.format)
        self.table = self.form.add_field(table_field(_TABLE, [name for name, _ in self._tables]))
        self.form.add_row("", self.meaning)
        self.form.add_row(say("Actors"), self.actors, self.selected)
        self.form.add_row(say("Frames"), self.range, whole)
        self.option_rows: dict[str, QWidget] = {_TABLE.name: self.table}
        for format in self._formats:
            for option in options_of(format.options):
                if option.name not in self.option_rows:
                    self.option_rows[option.name] = add_option(self.form, option)
        self.form.declare_choices([self._rows_of(format) for format in export_formats()])
        self.format.changed.connect(self.on_change)
        self.form.changed.connect(self.on_change)
        self.actors.textChanged.connect(self.on_change)
        self.range.changed.connect(self.on_change)

    def _rows_of(self, format: AnyFormat, table: str | None = None) -> list[QWidget]:
        """The rows that apply to a format: that of its table, if it has one, and those of its options.

        Without those that are for other tables than the given one.
        """
        names = set()
        for option in options_of(format.options):
            if table is None or option.spec.is_for_table(table):
                names.add(option.name)
        if format.contents:
            names.discard(_TABLE.name)
        else:
            names.add(_TABLE.name)
        return [row for name, row in self.option_rows.items() if name in names]

    def _take_selected(self) -> None:
        ids = map(str, self.session.selection.actors)
        self.actors.setText(_BETWEEN_ACTORS.join(ids))

    # --- what is chosen ---------------------------------------------------------------------------------

    @property
    def suffix(self) -> str:
        """The ending of the file that would be written."""
        return self._formats[self.format.current].suffixes[0]

    @property
    def chosen_format(self) -> AnyFormat:
        """The format of the file; a table may have one of its own."""
        return find_format(self.suffix, self.table_name.lower())

    @property
    def table_name(self) -> str:
        """The table that is chosen."""
        return self._tables[int(self.form.values["table"])][0]

    def actor_names(self) -> list[str]:
        """Return the typed actors."""
        return [word for word in self.actors.text().replace(" ", ",").split(",") if word]

    def limits(self) -> tuple[str | None, str | None]:
        """Return the first frame and the one behind the last, as the command line writes them; None: no limit."""
        if self.range.current == 0:
            return None, None
        frames = self.session.range.frames
        stop = None
        if frames.stop < self.session.frames:
            stop = f"f{frames.stop + 1}"
        return f"f{frames.start + 1}", stop

    def options(self) -> object:
        """Return the chosen options of the format, an instance of its dataclass."""
        values = self.form.values | {_TABLE.name: self.table_name}
        options = options_from(values, self.chosen_format.options)
        return without_other_tables(options, self.table_name.lower())

    def command_line(self) -> str:
        """The command that does the same."""
        name = self.session.path.name
        words = ["recorder-editor", "export", name, f"{Path(name).stem}{self.suffix}"]
        words += command_words(self.options())
        if self.actor_names():
            words += ["--actors", ",".join(self.actor_names())]
        start, stop = self.limits()
        if start is not None:
            words += ["--from", start]
        if stop is not None:
            words += ["--to", stop]
        words += schema_words(self.session.path, self.snapshot)
        return shlex.join(words)

    # --- looking before ---------------------------------------------------------------------------------

    def on_change(self, *_what: object) -> None:
        """Show the options of the format, and the rows of what is chosen."""
        rows = self._rows_of(self.chosen_format, self.table_name.lower())
        for row in self.option_rows.values():
            self.form.show_row(row, row in rows)
        contents = say(self._formats[self.format.current].contents)
        self.meaning.setText(contents or self._tables[self.form.values["table"]][1])
        super().on_change()

    def update_preview(self) -> None:
        """Look at the first rows."""
        snapshot = self.snapshot
        suffix = self.suffix
        options = self.options()
        actors = self.actor_names()
        start, stop = self.limits()

        def work(progress: Progress) -> ExportPreview:
            return preview(
                snapshot,
                suffix,
                options,
                find_subset(snapshot, actors, start, stop),
                rows=ROWS,
                signals=self._shown,
                analyses=self._analyses,
                progress=progress,
            )

        self.preview(say("Preparing the preview"), work, self._show)

    def _show(self, result: ExportPreview) -> None:
        self._fill(result)
        # As wide as the first rows need: asking all rows of all columns would take long.
        self.view.resizeColumnsToContents()
        self.total.setText(self._amount(result))
        if result.rows:
            self.show_view()
            QTimer.singleShot(0, self.view, self._end_at_a_column)
        else:
            self.show_words(say("No rows"), say("This table has no rows for these frames and actors"))

    def _amount(self, result: ExportPreview) -> str:
        """What would be written: how much, and which other files."""
        size = size_text(result.size)
        if result.amount:
            amount = say("{amount}, about {size}", amount=result.amount, size=size)
        elif result.exact:
            amount = say_count("1 row, {size}", "{count:,} rows, {size}", count=result.total, size=size)
        else:
            amount = say_count(
                "about {count:,} row, about {size}", "about {count:,} rows, about {size}", count=result.total, size=size
            )
        beside = paths_beside(self.session.path.with_suffix(self.suffix))
        if not beside:
            return amount
        names = listed([path.name for path in beside], "and")
        return say("{amount}; {names} is written beside it", amount=amount, names=names)

    def _end_at_a_column(self) -> None:
        """Give the last whole column the rest of the width: a number that is cut looks like another one."""
        view = self.view
        last = view.columnAt(view.viewport().width() - 1)
        rest = view.viewport().width() - view.columnViewportPosition(last)
        if last > 0 and rest < view.columnWidth(last):
            view.setColumnWidth(last - 1, view.columnWidth(last - 1) + rest)

    def _fill(self, result: ExportPreview) -> None:
        self.view.setRowCount(len(result.rows))
        self.view.setColumnCount(len(result.columns))
        for column, (title, meaning) in enumerate(zip(result.columns, result.meanings, strict=True)):
            self._fill_column(column, title, meaning, [row[column] for row in result.rows])

    def _fill_column(self, column: int, title: str, meaning: str, texts: Sequence[str]) -> None:
        """Fill a column; numbers stand at its right."""
        is_numeric = bool(texts) and all(map(_is_number, texts))
        side = RIGHT if is_numeric else LEFT
        heading = table_item(title, side)
        heading.setToolTip(say(meaning))
        self.view.setHorizontalHeaderItem(column, heading)
        for row, text in enumerate(texts):
            shown = text
            if is_numeric:
                shown = _short(text)
            item = table_item(shown, side, self.theme.mono)
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
        self.ask_target(say("Export"), self._formats[self.format.current].title, self.suffix, self.write)

    def write(self, target: Path) -> None:
        """Write the file, as a job, over one that exists; another layout beside it is kept until it is asked about."""
        if self.is_recording(target):
            return
        snapshot = self.snapshot
        options = self.options()
        actors = self.actor_names()
        start, stop = self.limits()

        def work(progress: Progress) -> Written:
            kept = export(
                snapshot,
                target,
                options,
                find_subset(snapshot, actors, start, stop),
                signals=self._shown,
                analyses=self._analyses,
                overwrite=True,
                progress=progress,
            )
            return target.stat().st_size, kept

        def done(written: Written) -> None:
            size, kept = written
            kept_paths = [file.path for file in kept]
            names = [say("{name} ({size})", name=target.name, size=size_text(size))]
            for path in paths_beside(target):
                if path not in kept_paths:
                    names.append(path.name)
            self._say_written(names)
            for file in kept:
                self._ask_to_replace(file, names)

        self.run(say("Writing {name}", name=target.name), work, done)

    def _say_written(self, names: Sequence[str]) -> None:
        """Name every file that was written."""
        self.job_panel.show_sentence(say("Wrote {names}", names=listed(names, "and")), "fine")

    def _ask_to_replace(self, kept: FileBeside, written: Sequence[str]) -> None:
        """Ask what becomes of a layout that is there already."""

        def replace() -> None:
            try:
                write_file(kept.path, kept.data, overwrite=True)
            except (OSError, SaveRefused) as error:
                self.job_panel.refuse(error)
            else:
                self._say_written([*written, kept.path.name])

        answers = ((say("Replace"), replace), (say("Keep"), lambda: None))
        question = Question(self.theme, answers, self)
        heading = say("Replace {name}?", name=kept.path.name)
        text = say("It holds another layout than that of this export. The exported file is written.")
        question.say(say("Export"), heading, text)
        question.open_()
