"""A highD recording as a recording of the simulator: which folder and number, from when to when, and where it lies.

What is made of it is `exchange.highd`'s business; whoever opens this opens what was written.
"""

import re
import shlex
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QComboBox, QFileDialog, QGridLayout, QHBoxLayout, QWidget

from ...exchange.highd import DEFAULT_DIALECT, DEFAULT_MAP, Origin, import_highd
from ...format.dialects import DIALECTS
from ...format.header import LONGEST_MAP_NAME
from ...progress import Progress
from ..session import Session
from ..theme import Theme
from ..widgets import ChoiceEdit, Label, NumberEdit, TextEdit
from ..working import Working
from .base import BaseDialog
from .form import OptionalNumber
from .widgets import CommandLine, PathLine

_TRACKS = re.compile(r"(\d+)_tracks\.csv")
_FILTER = "CARLA recordings (*.log *.rec);;All files (*)"


def numbers_in(folder: Path) -> list[int]:
    """The numbers of the highD recordings in a folder, rising."""
    found = (_TRACKS.fullmatch(each.name) for each in folder.iterdir())
    return sorted(int(each[1]) for each in found if each is not None)


class HighdDialog(BaseDialog):
    """Asks, and writes the recording. Signal: `written(Path)`."""

    written = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("highdDialog")
        self.session = session
        self.say(
            self.tr("Import highD"),
            self.tr("Make a recording of highD's vehicles"),
            self.tr("Boxes keep their true size, blueprints are the nearest ones. The file is written, then opened."),
        )
        self.dialects = tuple(DIALECTS)
        self._make_fields()
        self.command = CommandLine(theme)
        self.body.addWidget(self.command)
        self.working = Working(session, theme)
        self.working.changed.connect(self.fit)
        self.working.ended.connect(self._look)
        self.body.addWidget(self.working)
        self.add_button(self.tr("Cancel"), self.reject)
        self.go = self.add_button(self.tr("Import..."), self.ask_and_import, filled=True)
        self.folder.button.setFocus()
        self._look()

    # --- parts ------------------------------------------------------------------------------------------

    def _make_fields(self) -> None:
        theme = self.theme
        self.folder = PathLine(theme, self.tr("Folder"), self.ask_folder)
        self.number = QComboBox()
        self.number.setAccessibleName(self.tr("Recording"))
        self.number.activated.connect(self._look)
        self.start = OptionalNumber(theme, "s", name=self.tr("From"))
        self.stop = OptionalNumber(theme, "s", name=self.tr("To"))
        self.start.hint, self.stop.hint = self.tr("beginning"), self.tr("end")
        for end in (self.start, self.stop):
            end.set_missing()
            end.committed.connect(partial(self._take, end))
        self.origin = [
            NumberEdit(theme, unit, name=name)
            for name, unit in (("x", "m"), ("y", "m"), ("z", "m"), (self.tr("yaw"), "°"))
        ]
        for edit in self.origin:
            edit.set_width(84)
            edit.set_value(0.0)
            edit.committed.connect(partial(self._take, edit))
        self.map = TextEdit(theme, longest=LONGEST_MAP_NAME, name=self.tr("Map"))
        self.map.set_value(DEFAULT_MAP)
        self.map.committed.connect(self._take_map)
        titles = {number: f"{DIALECTS[name].title}, {name}" for number, name in enumerate(self.dialects)}
        self.dialect = ChoiceEdit(theme, titles, numbers=False, name=self.tr("Release"))
        self.dialect.set_value(self.dialects.index(DEFAULT_DIALECT))
        self.dialect.committed.connect(self._take_dialect)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for row, (words, part) in enumerate(
            (
                (self.tr("Folder"), self.folder),
                (self.tr("Recording"), self.number),
                (self.tr("From"), _row(self.start, Label(theme, self.tr("to"), "font", "muted"), self.stop)),
                (self.tr("Origin"), _row(*self.origin)),
                (self.tr("Map"), self.map),
                (self.tr("Release"), self.dialect),
            )
        ):
            label = Label(theme, words, "font", "muted")
            label.setBuddy(part)
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(part, row, 1)
        self.body.addLayout(grid)

    # --- what is chosen ---------------------------------------------------------------------------------

    def ask_folder(self) -> None:
        """Let a person choose the folder of highD's files."""
        name = QFileDialog.getExistingDirectory(self, self.tr("The folder of NN_tracks.csv"))
        if name:
            self.set_folder(Path(name))

    def set_folder(self, folder: Path) -> None:
        """Take this folder, and offer the recordings in it."""
        self.folder.show_path(folder, whole=True)
        self.number.clear()
        try:
            numbers = numbers_in(folder)
        except OSError as error:
            self.working.refuse(error)
            numbers = []
        else:
            self.working.tell("" if numbers else self.tr("There is no NN_tracks.csv in this folder."))
        for number in numbers:
            self.number.addItem(f"{number:02}", number)
        self._look()

    def _take(self, edit: NumberEdit, text: str) -> None:
        try:
            value = float(text) if text.strip() else None
        except ValueError:
            edit.refuse(self.tr("Not a number."))
            return
        if value is not None:
            edit.set_value(value)
        elif isinstance(edit, OptionalNumber):
            edit.set_missing()
        self._look()

    def _take_map(self, text: str) -> None:
        self.map.set_value(text)
        self._look()

    def _take_dialect(self, text: str) -> None:
        self.dialect.set_value(int(text))
        self._look()

    @property
    def stretch(self) -> tuple[float | None, float | None]:
        """From and to, seconds; None where nothing is left out."""
        return self.start.value, self.stop.value

    def command_line(self) -> str:
        """The command that does the same; empty while something is missing."""
        number, folder = self.number.currentData(), self.folder.path
        if number is None or folder is None:
            return ""
        words = ["recorder-editor", "import-highd", str(folder), str(number), f"highd-{number:02}.log"]
        words += ["--map", self.map.text()] if self.map.text() != DEFAULT_MAP else []
        origin = self._origin()
        words += [f"--origin={','.join(f'{value:g}' for value in origin)}"] if any(origin) else []
        for option, value in zip(("--from", "--to"), self.stretch, strict=True):
            words += [option, f"{value:g}"] if value is not None else []
        dialect = self.dialects[self.dialect.value or 0]
        words += ["--dialect", dialect] if dialect != DEFAULT_DIALECT else []
        return shlex.join(words)

    def _origin(self) -> Origin:
        return Origin(*(float(edit.value or 0.0) for edit in self.origin))

    def _look(self, _what: object = None) -> None:
        ready = self.number.currentData() is not None and not self.working.is_busy
        self.number.setEnabled(self.number.count() > 0)
        self.go.setEnabled(ready)
        before = self.command.isHidden()
        self.command.say(self.command_line())
        if self.command.isHidden() != before:
            self.fit()

    # --- doing it ---------------------------------------------------------------------------------------

    def ask_and_import(self) -> None:
        """Ask where to write the recording, and write it."""
        number, folder = self.number.currentData(), self.folder.path
        if number is None or folder is None:
            return
        name, _ = QFileDialog.getSaveFileName(
            self, self.tr("Import highD"), str(folder / f"highd-{number:02}.log"), _FILTER
        )
        if name:
            self.import_to(Path(name))

    def import_to(self, target: Path) -> None:
        """Write the recording as a job."""
        number, folder = self.number.currentData(), self.folder.path
        if number is None or folder is None:
            return
        (start, stop), origin, map_name = self.stretch, self._origin(), self.map.text()
        dialect = self.dialects[self.dialect.value or 0]

        def work(progress: Progress) -> Path:
            import_highd(
                folder,
                number,
                target,
                map_name=map_name,
                origin=origin,
                start=start,
                stop=stop,
                dialect=dialect,
                progress=progress,
            )
            return target

        def done(path: Path) -> None:
            self.accept()
            self.written.emit(path)

        self.working.run(self.tr("Importing highD"), work, done)
        self.go.setEnabled(False)

    def reject(self) -> None:
        self.working.let_go()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.working.let_go()
        super().closeEvent(event)


def _row(*parts: QWidget) -> QWidget:
    """Parts beside one another."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    for part in parts:
        row.addWidget(part)
    row.addStretch(1)
    return holder
