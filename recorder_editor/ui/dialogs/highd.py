"""A highD recording as a recording of the simulator: which folder and number, from when to when, and where it lies.

What is made of it is `formats.highd`'s business; whoever opens this opens what was written.
"""

import re
import shlex
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget

from ...formats.highd import Highd, HighdOptions
from ...option_specs import command_words, options_of
from ...texts import say
from ..session import Session
from ..style.theme import Theme
from ..widgets import Label
from ..widgets.file_dialogs import ask_save
from .fields import add_option, option_field, options_from
from .preview import PreviewDialog
from .widgets import PathLine

_TRACKS = re.compile(r"(\d+)_tracks\.csv")


def numbers_in(folder: Path) -> list[int]:
    """Return the numbers of the highD recordings in a folder, rising."""
    numbers = []
    for path in folder.iterdir():
        match = _TRACKS.fullmatch(path.name)
        if match is not None:
            numbers.append(int(match[1]))
    return sorted(numbers)


class HighdDialog(PreviewDialog):
    """Asks, and writes the recording. Signal: `written(Path)`."""

    written = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "highdDialog", parent)
        session.opened.disconnect(self.reject)  # it is about no open recording
        words = say("Bounding boxes keep their size, with the closest blueprints. The file is written and opened.")
        self.say(say("Import highD"), say("Make a recording of a highD dataset"), words)
        self._make_form()
        self.place()
        self.add_answers(say("Import..."), self.ask_and_import)
        self.folder.button.setFocus()
        self._refresh()

    def _make_form(self) -> None:
        form = self.form
        self.folder = PathLine(self.theme, say("Folder"), self.ask_folder, self.set_folder)
        self.number = QComboBox()
        self.number.setAccessibleName(say("Recording"))
        self.number.activated.connect(self._refresh)
        options = {}
        for option in options_of(HighdOptions):
            options[option.name] = option
        self.start = form.add(replace(option_field(options["start"]), width=0))
        self.stop = form.add(replace(option_field(options["stop"]), width=0))
        form.add_row(say("Folder"), self.folder)
        form.add_row(say("Recording"), self.number)
        form.add_row(say("From"), self.start, Label(self.theme, say("to"), "font", "muted"), self.stop)
        add_option(form, options["origin"], width=84)
        add_option(form, options["map_name"])
        add_option(form, options["dialect"])
        form.changed.connect(self._refresh)

    # --- what is chosen ---------------------------------------------------------------------------------

    def ask_folder(self) -> None:
        """Let a person choose the folder of highD's files."""
        name = QFileDialog.getExistingDirectory(self, say("The folder of NN_tracks.csv"))
        if name:
            self.set_folder(Path(name))

    def set_folder(self, folder: Path) -> None:
        """Take this folder, and offer the recordings in it."""
        self.folder.show_path(folder, whole=True)
        self.number.clear()
        try:
            numbers = numbers_in(folder)
        except OSError as error:
            self.job_panel.refuse(error)
            numbers = []
        else:
            remark = ""
            if not numbers:
                remark = say("There is no NN_tracks.csv in this folder.")
            self.job_panel.show_sentence(remark)
        for number in numbers:
            self.number.addItem(f"{number:02}", number)
        self._refresh()

    def options(self) -> HighdOptions:
        """Return the chosen options."""
        return options_from(self.form.values, HighdOptions, number=self.number.currentData())

    def command_line(self) -> str:
        """The command that does the same; empty while something is missing."""
        number = self.number.currentData()
        folder = self.folder.path
        if number is None or folder is None:
            return ""
        words = ["recorder-editor", "import-highd", str(folder), str(number), f"highd-{number:02}.log"]
        words += command_words(self.options())
        return shlex.join(words)

    def _refresh(self, _what: object = None) -> None:
        self.is_ready = self.number.currentData() is not None
        self.number.setEnabled(self.number.count() > 0)
        self.command.say(self.command_line())
        self.enable()
        self.make_room()

    # --- doing it ---------------------------------------------------------------------------------------

    def ask_and_import(self) -> None:
        """Ask where to write the recording, and write it."""
        number = self.number.currentData()
        folder = self.folder.path
        if number is not None and folder is not None:
            ask_save(self, say("Import highD"), folder / f"highd-{number:02}.log", self.import_to)

    def import_to(self, target: Path) -> None:
        """Write the recording as a job."""
        folder = self.folder.path
        if self.number.currentData() is None or folder is None:
            return
        work = partial(Highd().write, folder, self.options(), target, overwrite=True)

        def done(_nothing: None) -> None:
            self.accept()
            self.written.emit(target)

        self.run(say("Importing highD"), work, done)
