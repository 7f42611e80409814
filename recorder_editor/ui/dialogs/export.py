"""Writing a recording as a file other programs read: what, who, when, with a look at the rows before.

What can be written, and what the words for actors mean, is `exchange`'s business.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton, QTableWidget, QWidget

from ...analysis import Analysis, of_recording
from ...analysis.constants import COLUMNS, L1, L1_MEANING
from ...analysis.recording import lives_in
from ...errors import SaveRefused, WouldReplace
from ...formats.export import DEFAULT_TABLE, ENDINGS, WHOLE, ExportPreview, Kept, Style, export, files_beside, preview
from ...formats.openscenario import ScenarioOptions, scenario_style
from ...formats.signals import McapOptions, McapStyle, Signal, find_signals
from ...formats.tables import tables
from ...option_specs import command_words, options_of
from ...progress import Progress
from ...reading import Subset
from ...reading.selectors import find_subset
from ...recording import write_file
from ...texts import listed, say, say_count
from ...views.units import size_text
from ..session import Session
from ..style.painting import LEFT, RIGHT
from ..style.theme import Theme
from ..widgets import ElidedLabel, Label, Segmented
from ..widgets.file_dialogs import refuse_completed
from ..widgets.rows import set_read_only
from .base import Question
from .fields import FieldSpec, choice_value, option_field
from .preview import PreviewDialog
from .widgets import table_item

if TYPE_CHECKING:
    import polars as pl

Written = tuple[int, tuple[Kept, ...]]
"""The size of a file that was written, and the files beside it that were kept."""

ROWS = 100
_SAMPLE = 1000
_FORMS = ("CSV", "JSON Lines", "Parquet", "OpenSCENARIO", "MCAP")
_OPTIONS: Mapping[str, type[ScenarioOptions] | type[McapOptions]] = {".xosc": ScenarioOptions, ".mcap": McapOptions}
"""What may be chosen of a file without a table, by its ending."""


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True


def _preview_of(table: "pl.DataFrame", ending: str) -> ExportPreview:
    sample, stream = table.head(_SAMPLE), BytesIO()
    writers: dict[str, Callable[[BytesIO], object]]
    writers = {".csv": sample.write_csv, ".jsonl": sample.write_ndjson, ".parquet": sample.write_parquet}
    writers[ending](stream)
    size = round(len(stream.getvalue()) * len(table) / max(1, len(sample)))
    rows = tuple(tuple(line.split(",")) for line in table.head(ROWS).write_csv(include_header=False).splitlines())
    meanings = {column.name: column.meaning for column in COLUMNS}
    names = tuple(table.columns)
    return ExportPreview(names, tuple(meanings[name] for name in names), rows, len(table), size, exact=False)


def _short(text: str) -> str:
    """A number in the fewest digits that tell it from others of single precision, as recordings have them.

    Times are of double precision: one too large for the other stays as it is.
    """
    if "." not in text:
        return text
    with np.errstate(over="ignore"):
        single = np.float32(text)
    return str(single) if np.isfinite(single) else text


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
        self._tables = [*((table.name, say(table.meaning)) for table in tables(self.snapshot)), (L1, say(L1_MEANING))]
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
        theme, session = self.theme, self.session
        self.format = Segmented(theme, _FORMS, name=say("Format"))
        names = {number: name for number, (name, _) in enumerate(self._tables)}
        first = next((number for number, name in names.items() if name == DEFAULT_TABLE), 0)
        self.table = self.form.add(FieldSpec("table", say("Table"), "choice", first, choices=names, width=0))
        self.meaning = ElidedLabel(theme, "", "small", "muted")
        self.actors = QLineEdit()
        self.actors.setPlaceholderText(say("all; or hero, 174, 174@250, role:NAME, type:vehicle.*"))
        self.actors.setAccessibleName(say("Actors"))
        self.selected = QPushButton(say("Selected"))
        self.selected.setToolTip(say("The actors that are selected in the window"))
        self.selected.setEnabled(bool(session.selection.actors))
        self.selected.clicked.connect(lambda: self.actors.setText(str([*session.selection.actors])[1:-1]))
        self.range = Segmented(theme, (say("Whole recording"), say("In-out range")), name=say("Frames"))
        self.range.segment(1).setEnabled(session.range.is_set)
        self.form.add_row(say("Format"), self.format)
        self.form.add_row(say("Table"), self.table)
        self.form.add_row("", self.meaning)
        self.form.add_row(say("Actors"), self.actors, self.selected)
        self.form.add_row(say("Frames"), self.range)
        self.option_editors = [
            (ending, self.form.add_field(option_field(option)))
            for ending, declared in _OPTIONS.items()
            for option in options_of(declared)
        ]
        for changed in (self.format.changed, self.form.changed, self.actors.textChanged, self.range.changed):
            changed.connect(self.on_change)

    # --- what is chosen ---------------------------------------------------------------------------------

    @property
    def ending(self) -> str:
        """The ending of the file that would be written."""
        return ENDINGS[self.format.current]

    @property
    def table_name(self) -> str:
        """The table that is chosen."""
        return self._tables[int(self.form.values["table"])][0]

    @property
    def is_l1(self) -> bool:
        """The table is that of the analysis."""
        return self.table_name == L1 and self.ending not in WHOLE

    def who(self) -> list[str]:
        """The actors that were typed."""
        return [word for word in self.actors.text().replace(" ", ",").split(",") if word]

    def limits(self) -> tuple[str | None, str | None]:
        """The frames that are chosen, as the command line writes them."""
        if self.range.current == 0:
            return None, None
        frames = self.session.range.frames
        return f"#{frames.start + 1}", f"#{frames.stop + 1}" if frames.stop < self.session.frames else None

    def options(self) -> ScenarioOptions | McapOptions | None:
        """What is chosen of a file without a table; None for a table."""
        values = self.form.values
        if self.ending == ".xosc":
            named = {option.name: option for option in options_of(ScenarioOptions)}
            return ScenarioOptions(
                player=choice_value(named["player"], values["player"]),
                version=choice_value(named["version"], values["version"]),
                tolerance=values["tolerance"],
            )
        if self.ending == ".mcap":
            signals = values["signals"]
            return McapOptions(signals=(signals,) if signals else (), all_poses=values["all_poses"])
        return None

    def _style(self) -> Callable[[Subset, Progress], Style | None]:
        """What tells `export` how a file without a table is written."""
        options = self.options()
        snapshot = self.snapshot
        shown = self._shown

        def style(subset: Subset, progress: Progress) -> Style | None:
            if isinstance(options, McapOptions):
                found = find_signals(snapshot, subset, options.signals, progress.quiet())
                return McapStyle(signals=[*found, *shown], all_poses=options.all_poses)
            if isinstance(options, ScenarioOptions):
                return scenario_style(options)
            return None

        return style

    def command_line(self) -> str:
        """The command that does the same."""
        name = self.session.path.name
        words = ["recorder-editor", "export", name, f"{Path(name).stem}{self.ending}"]
        options = self.options()
        if options is None:
            words += ["--table", self.table_name]
        else:
            words += command_words(options)
        if self.who():
            words += ["--actors", ",".join(self.who())]
        start, stop = self.limits()
        if start is not None:
            words += ["--from", start]
        if stop is not None:
            words += ["--to", stop]
        return shlex.join(words)

    # --- looking before ---------------------------------------------------------------------------------

    def on_change(self, *_what: object) -> None:
        """Something is chosen anew: what goes with it is offered, and the rows are looked at."""
        self.table.setEnabled(self.ending not in WHOLE)
        for ending, editor in self.option_editors:
            self.form.show_row(editor, ending == self.ending)
        about = {
            ".xosc": say("Trajectories of moving actors; there is no table"),
            ".mcap": say("Boxes, frames, poses, signals and events for Foxglove; there is no table"),
        }
        self.meaning.setText(about.get(self.ending) or self._tables[self.form.values["table"]][1])
        super().on_change()

    def update_preview(self) -> None:
        """Look at the first rows."""
        snapshot, ending, table = self.snapshot, self.ending, self.table_name
        words, limits, is_l1, style = self.who(), self.limits(), self.is_l1, self._style()

        def work(progress: Progress) -> ExportPreview:
            subset = find_subset(snapshot, words, *limits)
            if is_l1:
                analysis = self._analysis(subset.frames, progress)
                return _preview_of(analysis.table(lives_in(analysis, subset)), ending)
            chosen = style(subset, progress)
            return preview(snapshot, ending, table, subset, rows=ROWS, style=chosen, progress=progress)

        self.preview(say("Preparing the preview"), work, self._show)

    def _analysis(self, frames: range, progress: Progress) -> Analysis:
        if frames not in self._analyses:
            self._analyses[frames] = of_recording(self.snapshot, frames=frames, progress=progress)
        return self._analyses[frames]

    def _show(self, found: ExportPreview) -> None:
        self._fill(found)
        # As wide as the first rows need: asking all rows of all columns would take long.
        self.view.resizeColumnsToContents()
        size = size_text(found.size)
        exact = say_count("1 row, {size}", "{count:,} rows, {size}", count=found.total, size=size)
        self.total.setText(
            exact
            if found.exact
            else say_count(
                "about {count:,} row, about {size}", "about {count:,} rows, about {size}", count=found.total, size=size
            )
        )
        if found.rows:
            self.show_view()
            QTimer.singleShot(0, self.view, self._end_at_a_column)
        else:
            self.show_words(say("No rows"), say("This table has no rows for these frames and actors"))

    def _end_at_a_column(self) -> None:
        """Give the last whole column the rest of the width: a number that is cut looks like another one."""
        view = self.view
        last = view.columnAt(view.viewport().width() - 1)
        rest = view.viewport().width() - view.columnViewportPosition(last)
        if last > 0 and rest < view.columnWidth(last):
            view.setColumnWidth(last - 1, view.columnWidth(last - 1) + rest)

    def _fill(self, found: ExportPreview) -> None:
        self.view.setRowCount(len(found.rows))
        self.view.setColumnCount(len(found.columns))
        for column, (title, meaning) in enumerate(zip(found.columns, found.meanings, strict=True)):
            texts = [row[column] for row in found.rows]
            side = RIGHT if texts and all(map(_is_number, texts)) else LEFT
            head = table_item(title, side)
            head.setToolTip(say(meaning))
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
        path, form = self.session.path, _FORMS[self.format.current]
        name, _ = QFileDialog.getSaveFileName(
            self, say("Export"), str(path.with_suffix(self.ending)), f"{form} (*{self.ending})"
        )
        if not name:
            return
        target = Path(name)
        if target.suffix.lower() != self.ending:
            target = target.with_name(target.name + self.ending)
        try:
            refuse_completed(name, target)
        except WouldReplace as error:
            self.job_panel.refuse(error)
        else:
            self.write(target)

    def write(self, target: Path) -> None:
        """Write the file, as a job, over one that exists; another layout beside it is kept until it is asked about."""
        if self.is_recording(target):
            return
        snapshot, table, is_l1, words, limits = self.snapshot, self.table_name, self.is_l1, self.who(), self.limits()
        style = self._style()

        def work(progress: Progress) -> Written:
            kept: tuple[Kept, ...] = ()
            subset = find_subset(snapshot, words, *limits)
            if is_l1:
                analysis = self._analysis(subset.frames, progress)
                analysis.export(target, lives_in(analysis, subset), overwrite=True)
            else:
                how = style(subset, progress)
                kept = export(snapshot, target, table, subset, style=how, overwrite=True, progress=progress)
            return target.stat().st_size, kept

        def done(written: Written) -> None:
            size, kept = written
            words = say("Wrote {name}, {size}", name=target.name, size=size_text(size))
            beside = [path.name for path in files_beside(target) if path not in [each.path for each in kept]]
            self.job_panel.tell(listed([words, *beside], "and"), "fine")
            for each in kept:
                self._ask_to_replace(each, words)

        self.run(say("Writing {name}", name=target.name), work, done)

    def _ask_to_replace(self, kept: Kept, words: str) -> None:
        """Ask what becomes of a layout that is there already."""

        def replace() -> None:
            try:
                write_file(kept.path, kept.data, overwrite=True)
            except (OSError, SaveRefused) as error:
                self.job_panel.refuse(error)
            else:
                self.job_panel.tell(listed([words, kept.path.name], "and"), "fine")

        answers = ((say("Replace"), replace), (say("Keep"), lambda: None))
        question = Question(self.theme, answers, self)
        heading = say("Replace {name}?", name=kept.path.name)
        text = say("It holds another layout than that of this export. The exported file is written.")
        question.say(say("Export"), heading, text)
        question.open_()
