"""Trajectories of another program as a recording: what the columns of a file are, and the first seconds in the scene.

`views.trajectory_import` finds out what a file holds; whoever opens the dialog makes the scene, and opens what was
written.
"""

import shlex
import shutil
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QScrollArea,
    QSlider,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from ...errors import RecorderError, error_sentence
from ...formats.trajectories import IMPORTS, MEANINGS, RecordingOptions, TableOptions, TrajectoryImport, Written
from ...option_specs import DeclaredOption, command_words, options_of
from ...progress import Progress
from ...recording import Recording, open_recording
from ...roads import RoadMap
from ...texts import N_, listed, say, say_count
from ...views.trajectory_import import (
    ImportPreview,
    RoadMapReader,
    ShownColumn,
    choose_meaning,
    importer_of,
    preview_import,
    survey_import,
    with_roads,
    write_import,
)
from ...views.units import size_text
from ..session import Session
from ..session.jobs import Job, LatestJob
from ..session.player import Player
from ..style.boxes import Does, Stretch, fill, icon_button, make_scrolling
from ..style.theme import Theme
from ..widgets import ChoiceEdit, ElidedLabel, Label
from ..widgets.file_dialogs import RECORDINGS, ask_open, ask_save
from ..widgets.job_panel import Sentence
from ..widgets.rows import set_read_only
from .fields import add_option, options_from
from .preview import PreviewDialog
from .widgets import PathLine, table_item


class PreviewScene(NamedTuple):
    """A view from above.

    Attributes:
        view: The view.
        fit: Lets it show all road users.
    """

    view: QWidget
    fit: Does


MakeScene = Callable[[Session], PreviewScene]
"""Makes the view that shows a session from above."""

_TITLE = N_("Import trajectories")
_FIRST_ROWS = (
    *("axes", "heading", "z_at", "dialect", "map_name", "hero", "origin", "start", "stop", "step", "gap"),
    *("split_jumps", "frame_rate", "delimiter", "decimal", "classes"),
)
"""The options in the order of the form; others follow."""

_IN_TABLE = ("columns", "units")
"""Options that are chosen in the table of columns."""

_SIGNS = {",": N_("comma"), ";": N_("semicolon"), "\t": N_("tab"), "|": N_("bar")}

_NAME = 0
_VALUES = 1
_MEANING = 2
_UNIT = 3
_ROW = 27
_HEADING = 24
_MOST_ROWS = 9  # of the table of columns; more scroll in it
_LEFT_OUT = 0


class _Opened(NamedTuple):
    """What the job of the preview makes.

    Attributes:
        preview: What was found.
        recording: That of the first seconds; None: there is none.
        road_map: The road map; None: none was chosen.
    """

    preview: ImportPreview
    recording: Recording | None
    road_map: RoadMap | None


class _PreviewSession(Session):
    """A session that is looked at, and never edited."""

    @property
    def is_complete(self) -> bool:
        """Never: what is not complete cannot be edited."""
        return False


class ImportDialog(PreviewDialog):
    """Asks what a file of trajectories means, shows its first seconds, and writes the recording.

    Signals:
        written(Path): The recording is written.

    Attributes:
        preview_session: It shows the first seconds.
        columns: The table of columns.
        source: The line of the file.
        road_map: The line of the road map.
        surveying: The job that reads the whole file.
        found: What the preview has found.
        files: The folder of the recordings of the preview.
    """

    written = Signal(object)

    def __init__(
        self, session: Session, theme: Theme, make_scene: MakeScene, folder: Path, parent: QWidget | None = None
    ) -> None:
        """Make the dialog without a file.

        Args:
            session: That of the window, whose jobs the work is.
            theme: The theme.
            make_scene: Makes the view of the preview.
            folder: Where files are looked for first.
            parent: The window.
        """
        super().__init__(session, theme, "importDialog", parent)
        session.opened.disconnect(self.reject)  # it is about no open recording
        self._folder = folder
        self._roads = RoadMapReader()
        self.files = Path(mkdtemp(prefix="recorder-editor-import-"))
        self._delete_files = weakref.finalize(self, shutil.rmtree, self.files, ignore_errors=True)
        self._number = 0
        self._chosen: dict[str, str] = {}
        self._units: dict[str, str] = {}
        self.found = ImportPreview()
        self.preview_session = _PreviewSession(self)
        self.preview_session.jobs.failed.connect(session.jobs.failed)
        self._player = Player(self.preview_session, self)
        self.surveying = LatestJob(self, session.jobs)
        words = say("CSV and Parquet tables, and files of other programs: each road user becomes an actor.")
        self.say(say(_TITLE), say(_TITLE), words)
        self.setAcceptDrops(True)
        self._make_left()
        self._make_right(make_scene(self.preview_session))
        self.total = Label(theme, "", "small", "muted")
        middle = QWidget()
        middle.setProperty("stretches", True)
        fill(QHBoxLayout(middle), (self._left_side, 5), (self._right_side, 4), spacing=12)
        self.body.addLayout(fill(QHBoxLayout(), (self.source, 3), (self.amount, 2), spacing=12))
        self.body.addWidget(middle, 1)
        self.body.addWidget(self.total)
        self.body.addWidget(self.command)
        self.body.addWidget(self.job_panel)
        self.add_answers(say("Import..."), self.ask_and_import)
        self.resize(theme.px(1120), theme.px(720))
        self.source.button.setFocus()
        self.on_change()

    # --- parts ------------------------------------------------------------------------------------------

    def _make_left(self) -> None:
        theme = self.theme
        self.source = PathLine(theme, say("File"), self.ask_file, self.set_file)
        self.amount = ElidedLabel(theme, "", "small", "muted")
        self.road_map = PathLine(theme, say("Road map"), self.ask_road_map, self.set_road_map)
        for line in (self.source, self.road_map):
            line.words.setAcceptDrops(False)  # a file is dropped on the dialog
        if isinstance(self.road_map.words, QLineEdit):
            self.road_map.words.setPlaceholderText(say("none: without heights and slopes"))
            self.road_map.words.editingFinished.connect(self._forget_road_map)
        self.columns_title = Label(theme, say("Columns"), "bold")
        self.columns_words = ElidedLabel(theme, "", "small", "muted")
        self.columns = QTableWidget(0, 4)
        set_read_only(self.columns, theme, say("Columns"))
        titles = (say("in the file"), say("first rows"), say("is"), say("unit"))
        for column, title in enumerate(titles):
            self.columns.setHorizontalHeaderItem(column, table_item(title))
        header = self.columns.horizontalHeader()
        header.setSectionResizeMode(_VALUES, QHeaderView.ResizeMode.Stretch)
        for column, width in ((_NAME, 116), (_MEANING, 148), (_UNIT, 76)):
            self.columns.setColumnWidth(column, theme.px(width))
        self.columns.verticalHeader().setDefaultSectionSize(theme.px(_ROW))
        self.columns.setFixedHeight(theme.px(_ROW * (_MOST_ROWS + 1)))
        self._make_form()
        page = QWidget()
        self.columns_title.setMinimumHeight(theme.px(_HEADING))
        heading = fill(QHBoxLayout(), self.columns_title, (self.columns_words, 1), spacing=8)
        fill(QVBoxLayout(page), heading, self.columns, 8, self.form, spacing=4, margins=(0, 0, 8, 0))
        self._left_side = make_scrolling(page)
        self._left_side.setMinimumWidth(theme.px(420))

    def _make_form(self) -> None:
        """Make the rows of the options of all importers."""
        declared: dict[str, DeclaredOption] = {}
        for importer in IMPORTS:
            for option in options_of(importer.options):
                declared.setdefault(option.name, option)
        names = [name for name in _FIRST_ROWS if name in declared]
        names += [name for name in declared if name not in names]
        self.form.add_row(say("Road map"), self.road_map)
        self._rows: dict[str, QWidget] = {}
        for name in names:
            if name not in _IN_TABLE:
                self._rows[name] = add_option(self.form, declared[name], width=84)
        self.form.changed.connect(self.on_change)

    def _make_right(self, scene: PreviewScene) -> None:
        theme = self.theme
        self.scene = scene.view
        self.preview_words = ElidedLabel(theme, "", "small", "muted")
        self.fit_button = icon_button(theme.icons.icon("fit"), say("Show all road users"), scene.fit)
        self.play = icon_button(theme.icons.icon("play"), say("Play or pause"), self._player.toggle)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(say("Frame"))
        self.slider.valueChanged.connect(self.preview_session.selection.go_to_frame)
        self.time = Label(theme, "", "mono", "muted")
        self._player.changed.connect(self._show_playing)
        theme.changed.connect(self._show_playing)
        self.preview_session.selection.changed.connect(self._show_time)
        shown = QWidget()
        playing = fill(QHBoxLayout(), self.play, self.time, (self.slider, 1), spacing=8)
        fill(QVBoxLayout(shown), (self.scene, 1), playing, spacing=4)
        self.remarks_title = Label(theme, say("Problems"), "bold")
        self.remarks_words = ElidedLabel(theme, "", "small", "muted")
        self._remarks = QWidget()
        self._remarks_column = fill(QVBoxLayout(self._remarks), Stretch(), spacing=4, margins=(0, 0, 8, 0))
        self.remarks: QScrollArea = make_scrolling(self._remarks)
        self.remarks.setAccessibleName(say("Problems"))
        self.remarks.setFixedHeight(theme.px(120))
        self.sentences: list[Sentence] = []
        self._right_side = QWidget()
        self.fit_button.setFixedSize(theme.px(_HEADING), theme.px(_HEADING))
        title = Label(theme, say("Preview"), "bold")
        preview_heading = fill(QHBoxLayout(), title, (self.preview_words, 1), self.fit_button, spacing=8)
        heading = fill(QHBoxLayout(), self.remarks_title, (self.remarks_words, 1), spacing=8)
        parts = (preview_heading, (self.stack(shown, 240), 1), heading, self.remarks)
        fill(QVBoxLayout(self._right_side), *parts, spacing=4)

    # --- what is chosen ---------------------------------------------------------------------------------

    def ask_file(self) -> None:
        """Let a person choose the file."""
        patterns = []
        for importer in IMPORTS:
            patterns += [f"*{suffix}" for suffix in importer.suffixes]
        kinds = (say("Trajectories ({patterns})", patterns=" ".join(patterns)), RECORDINGS[1])
        ask_open(self, say(_TITLE), self._folder, self.set_file, kinds)

    def set_file(self, path: Path) -> None:
        """Take another file; what was chosen of the columns of the one before is forgotten."""
        self._folder = path.parent
        self.source.show_path(path, whole=True)
        self._chosen = {}
        self._units = {}
        self.on_change()

    def ask_road_map(self) -> None:
        """Let a person choose the road map."""
        ask_open(self, say("Choose a road map"), self._folder, self.set_road_map, (N_("OpenDRIVE (*.xodr)"),))

    def set_road_map(self, path: Path) -> None:
        """Take this road map."""
        self.road_map.show_path(path, whole=True)
        self.on_change()

    def _forget_road_map(self) -> None:
        if self.road_map.path is not None and not self.road_map.words.text().strip():
            self.road_map.path = None
            self.road_map.words.setToolTip("")
            self.on_change()

    @property
    def importer(self) -> TrajectoryImport[Any]:
        """The importer of the file; without one, or where it cannot be read, that of tables."""
        if self.source.path is not None:
            with suppress(OSError):
                return importer_of(self.source.path)
        return IMPORTS[-1]

    def options(self) -> RecordingOptions:
        """Return the chosen options of the importer, without the road map."""
        values = dict(self.form.values)
        for name in _IN_TABLE:
            values[name] = ""
        options: RecordingOptions = options_from(values, self.importer.options)
        if isinstance(options, TableOptions):
            options = replace(
                options,
                columns=tuple(f"{meaning}={name}" for meaning, name in self._chosen.items()),
                units=tuple(f"{meaning}={unit}" for meaning, unit in self._units.items()),
                classes=_parts(values["classes"] or ""),
            )
        return options

    def command_line(self) -> str:
        """The command that does the same; empty without a file."""
        source = self.source.path
        if source is None:
            return ""
        words = ["recorder-editor", "import-trajectories", str(source), f"{source.stem}.log"]
        if self.road_map.path is not None:
            words += ["--xodr", str(self.road_map.path)]
        words += command_words(self.options())
        return shlex.join(words)

    # --- looking before ---------------------------------------------------------------------------------

    def on_change(self, *_what: object) -> None:
        """Show the rows of the importer, and what a changed choice leads to."""
        names = [option.name for option in options_of(self.importer.options)]
        for name, row in self._rows.items():
            self.form.show_row(row, name in names)
        for part in (self.columns_title, self.columns_words, self.columns):
            part.setVisible("columns" in names)
        self.total.setText("")
        super().on_change()

    def invalidate(self) -> None:
        """Forget the preview, and cancel the jobs that read the file."""
        self.surveying.cancel()
        super().invalidate()

    def update_preview(self) -> None:
        """Look at the first seconds."""
        source = self.source.path
        if source is None:
            self._show_columns(())
            self._show_nothing()
            hint = say("Choose a file, or drop it here. Nothing is written before you say so.")
            self.show_words(say("No file"), hint)
            return
        self._number += 1
        target = self.files / f"{self._number}.log"
        options = self.options()
        reader = self._roads
        road_map = self.road_map.path

        def work(progress: Progress) -> _Opened:
            chosen = with_roads(options, reader, road_map, progress)
            preview = preview_import(source, chosen, target, progress)
            recording = None
            if preview.recording is not None:
                recording = open_recording(preview.recording)
            return _Opened(preview, recording, chosen.roads)

        if self.found.recording is None:
            self.show_words(say("Reading {name}...", name=source.name))
        self.preview(say("Reading {name}", name=source.name), work, self._show)

    def _show(self, result: _Opened) -> None:
        preview, recording, road_map = result
        self.found = preview
        self._show_columns(preview.columns)
        source = self.source.path
        if source is not None:
            with suppress(OSError):  # it may be gone by now
                self.amount.setText(size_text(source.stat().st_size))
        if recording is None or preview.written is None:
            self.is_ready = False
            self._show_error(preview.error)
            return
        roads = self.preview_session.roads
        roads.given = None
        if self.road_map.path is not None:
            with suppress(OSError):  # it is gone: without it, recorded paths are shown
                roads.give(self.road_map.path, road_map)
        frame = self.preview_session.selection.frame_index
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(0, len(recording) - 1))
        words = say_count(
            "{count:,} road user in the first {seconds:.0f} s",
            "{count:,} road users in the first {seconds:.0f} s",
            count=preview.written.lives,
            seconds=preview.written.seconds,
        )
        self.preview_words.setText(words)
        self._propose_heroes(preview.written)
        self.fit_button.setEnabled(True)
        self.show_view()
        self.preview_session.show(recording, frame_index=frame)
        self._show_remarks(preview.written.remarks)
        self._survey()

    def _show_error(self, error: Exception | None) -> None:
        self._show_nothing()
        if error is not None:
            self.show_words(error_sentence(error), "", "error", "error")

    def _show_nothing(self) -> None:
        """Show no recording."""
        self._player.pause()
        self.preview_session.show_none()
        self.preview_words.setText("")
        self.fit_button.setEnabled(False)
        self._show_remarks(())

    def show_refusal(self, error: Exception) -> None:
        """Say why there is no preview."""
        self.found = ImportPreview()
        self._show_columns(())
        self.amount.setText("")
        self._show_error(error)

    def _survey(self) -> None:
        """Read the whole file: how much it holds, and what is odd about its rows."""
        source = self.source.path
        if source is None:
            return
        options = self.options()
        reader = self._roads
        road_map = self.road_map.path

        def work(progress: Progress) -> Written:
            return survey_import(source, with_roads(options, reader, road_map), progress)

        self.total.setText(say("Reading the whole file"))
        job = self.surveying.run(say("Reading {name}", name=source.name), work, self._show_total, self._refuse_whole)

        job.progressed.connect(partial(self._show_share, job))

    def _show_share(self, job: Job) -> None:
        """Show how much of the file is read."""
        if job.share is not None and not job.is_cancelled:
            self.total.setText(say("Reading the whole file, {share:.0%}", share=job.share))

    def _propose_heroes(self, written: Written) -> None:
        if "hero" in self.form.editors:
            self.form.propose("hero", written.users)

    def _show_total(self, written: Written) -> None:
        self._show_remarks(written.remarks)
        self._propose_heroes(written)
        parts = (
            say_count("{count:,} road user", "{count:,} road users", count=written.lives),
            say_count("{count:,} row", "{count:,} rows", count=written.rows),
            say_count("{count:,} frame", "{count:,} frames", count=written.frames),
            say("{seconds:.3f} s", seconds=written.seconds),
        )
        self.total.setText(say("Writes {parts}", parts=listed(parts)))

    def _refuse_whole(self, error: Exception) -> None:
        """Say what is wrong behind the first rows: nothing can be imported then."""
        self.total.setText("")
        if not isinstance(error, (RecorderError, OSError)):
            self.session.jobs.failed.emit(error)
            return
        self.is_ready = False
        self._show_remarks((), error_sentence(error))
        self.session.announced.emit(error_sentence(error))
        self.enable()

    def _show_remarks(self, remarks: Sequence[str], error: str = "") -> None:
        for sentence in self.sentences:
            self._remarks_column.removeWidget(sentence)
            sentence.hide()
            sentence.deleteLater()
        self.sentences = []
        texts = [(remark, "info") for remark in remarks]
        if error:
            texts.insert(0, (error, "error"))
        elif not remarks and self.found.recording is not None:
            texts.append((say("No problems found."), "fine"))
        for text, kind in texts:
            sentence = Sentence(self.theme)
            sentence.say(text, kind)
            self.sentences.append(sentence)
            self._remarks_column.insertWidget(len(self.sentences) - 1, sentence)
        words = ""
        if remarks:
            words = say_count("{count:,} remark", "{count:,} remarks", count=len(remarks))
        self.remarks_words.setText(words)

    # --- columns ----------------------------------------------------------------------------------------

    def _show_columns(self, columns: Sequence[ShownColumn]) -> None:
        """Show the columns, and keep the keyboard where it is."""
        focus: QWidget | None = self.focusWidget()  # the stub leaves None out
        self.columns.setEnabled(bool(columns))
        names = [column.name for column in columns]
        is_same = names == [self._text(row) for row in range(self.columns.rowCount())]
        self.columns.setRowCount(len(columns))
        for row, column in enumerate(columns):
            if not is_same:
                self._fill_row(row, column)
            self._show_meaning(row, column)
        if focus is not None and focus.isVisible():
            focus.setFocus()
        words = ""
        if columns:
            used = sum(1 for column in columns if column.meaning)
            words = say("{used} of {count:,} are used", used=used, count=len(self.found.names))
            if self.found.delimiter:
                sign = say(_SIGNS.get(self.found.delimiter, self.found.delimiter))
                words = listed((words, say("separator {sign}", sign=sign)), "clauses")
        self.columns_words.setText(words)

    def _text(self, row: int) -> str:
        item = self.columns.item(row, _NAME)
        if item is None:
            return ""
        return item.text()

    def _fill_row(self, row: int, column: ShownColumn) -> None:
        """Fill the row of a column of another file."""
        name = table_item(column.name)
        name.setToolTip(column.name)
        self.columns.setItem(row, _NAME, name)
        self.columns.setItem(row, _VALUES, table_item("  ".join(column.values), font=self.theme.mono))
        names = {_LEFT_OUT: say("left out")}
        names.update(enumerate((say(meaning.label) for meaning in MEANINGS.values()), 1))
        label = say("What {column} is", column=column.name)
        choice = ChoiceEdit(self.theme, names, numbers=False, name=label)
        choice.committed.connect(partial(self._choose_meaning, row))
        self.columns.setCellWidget(row, _MEANING, choice)

    def _show_meaning(self, row: int, column: ShownColumn) -> None:
        """Show what a column is taken for, and its unit."""
        choice = self.columns.cellWidget(row, _MEANING)
        assert isinstance(choice, ChoiceEdit)
        units: tuple[str, ...] = ()
        number = _LEFT_OUT
        if column.meaning:
            number = list(MEANINGS).index(column.meaning) + 1
            units = tuple(MEANINGS[column.meaning].units)
        choice.set_value(number)
        item = self.columns.item(row, _NAME)
        if item is not None:
            icon = "tick" if column.meaning else "dash"
            item.setIcon(self.theme.icons.icon(icon, "fine" if column.meaning else "muted"))
        if not units:
            self.columns.removeCellWidget(row, _UNIT)
            return
        unit = self.columns.cellWidget(row, _UNIT)
        if not isinstance(unit, ChoiceEdit) or unit.property("meaning") != column.meaning:
            label = say("Unit of {column}", column=column.name)
            unit = ChoiceEdit(self.theme, dict(enumerate(units)), numbers=False, name=label)
            unit.setProperty("meaning", column.meaning)
            unit.committed.connect(partial(self._choose_unit, column.meaning, units))
            self.columns.setCellWidget(row, _UNIT, unit)
        unit.set_value(units.index(column.unit))

    def _choose_meaning(self, row: int, number: str) -> None:
        chosen = int(number)
        meaning = ""
        if chosen != _LEFT_OUT:
            meaning = list(MEANINGS)[chosen - 1]
        column = self.found.columns[row]
        if column.meaning:
            self._units.pop(column.meaning, None)
        self._units.pop(meaning, None)
        self._chosen = choose_meaning(self.found.names, self._chosen, column, meaning)
        self.on_change()

    def _choose_unit(self, meaning: str, units: Sequence[str], number: str) -> None:
        self._units[meaning] = units[int(number)]
        self.on_change()

    # --- the preview ------------------------------------------------------------------------------------

    def _show_time(self, _selection: object = None) -> None:
        snapshot = self.preview_session.snapshot
        if snapshot is None or not len(snapshot):
            self.time.setText("")
            return
        frame = self.preview_session.selection.frame_index
        with QSignalBlocker(self.slider):
            self.slider.setValue(frame)
        elapsed = snapshot.elapsed
        self.time.setText(f"{float(elapsed[frame]):.3f} / {float(elapsed[-1]):.3f} s")

    def _show_playing(self) -> None:
        icon = "pause" if self._player.is_playing else "play"
        self.play.setIcon(self.theme.icons.icon(icon))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space plays and pauses the preview."""
        if event.key() == Qt.Key.Key_Space and self.found.recording is not None:
            self._player.toggle()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a file."""
        if _dropped_file(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take the file: a road map as that, any other as the trajectories."""
        path = _dropped_file(event)
        if path is None:
            return
        event.acceptProposedAction()
        if path.suffix.lower() == ".xodr":
            self.set_road_map(path)
        else:
            self.set_file(path)

    # --- doing it ---------------------------------------------------------------------------------------

    def ask_and_import(self) -> None:
        """Ask where to write the recording, and write it."""
        source = self.source.path
        if source is not None and self.form.commit():
            ask_save(self, say(_TITLE), source.with_name(f"{source.stem}.log"), self.import_to)

    def import_to(self, target: Path) -> None:
        """Write the recording as a job, over one that exists."""
        source = self.source.path
        if source is None or self.is_recording(target):
            return
        self.surveying.cancel()
        self._player.pause()
        options = self.options()
        reader = self._roads
        road_map = self.road_map.path

        def work(progress: Progress) -> None:
            write_import(source, with_roads(options, reader, road_map), target, progress)

        def done(_nothing: None) -> None:
            self.release()
            self.accept()
            self.written.emit(target)

        self.run(say("Importing {name}", name=source.name), work, done)

    def enable(self) -> None:
        """Enable what can be used while nothing is written."""
        super().enable()
        busy = self.job_panel.is_busy
        for part in (self.source, self.columns):
            part.setEnabled(not busy)

    def release(self) -> None:
        """Cancel the jobs, and close and delete the recordings of the preview."""
        super().release()
        self._player.pause()
        self.looking.stop()
        self.surveying.stop()
        self.preview_session.jobs.cancel_all()
        self.preview_session.show_none()
        self._delete_files()


def _parts(text: str) -> tuple[str, ...]:
    """The parts between commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _dropped_file(event: QDropEvent) -> Path | None:
    """The local file that is dragged; None where it is another thing."""
    for url in event.mimeData().urls():
        if url.isLocalFile():
            return Path(url.toLocalFile())
    return None
