"""The recording as several files that each replay alone: how large the parts are, where they go, which they will be.

Where a part may begin and end, and what its first frame is told, is `edits.split`'s business.
"""

import math
import shlex
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from ...edits.segments import PATTERN
from ...errors import RecorderError, error_sentence, say
from ..job_panel import Sentence
from ..session import Session
from ..status import size_text
from ..theme import Theme
from ..widgets import Segmented
from .fields import Editor, FieldSpec
from .preview import PreviewDialog
from .split_parts import BY_FRAMES, BY_SECONDS, BY_SEGMENTS, MB, Part, parts_of, write_parts
from .widgets import NumbersTable, PathLine

_LARGEST_MB = 2_147
"""Parts of so many MB are below 2 GiB, which is what the simulator reads."""


class SplitDialog(PreviewDialog):
    """Chooses the parts, shows which they are, and writes them; the recording stays as it is.

    Attributes: `parts` (what would be written; None while it is not known), `folder`.
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None, segments: bool = False) -> None:
        super().__init__(session, theme, "splitDialog", parent)
        self.snapshot = session.snapshot_or_refuse()
        self.path = session.path
        self.folder = self.path.parent / f"{self.path.stem}-parts"
        self.parts: list[Part] | None = None
        self.say(
            self.tr("Split"),
            self.tr("Split into parts"),
            self.tr("Each part can be replayed on its own. This recording does not change."),
        )
        self._make_form(BY_SEGMENTS if segments else BY_SECONDS)
        titles = (self.tr("Part"), self.tr("Frames"), self.tr("Playable"), self.tr("Size"))
        self.list = NumbersTable(theme, self.tr("The parts"), titles, (110, 84, 84))
        self.already = Sentence(theme)
        self.place(self.stack(self.list, 190), self.already)
        self.add_answers(self.tr("Split"), self.write, stays=True)
        self.resize(theme.px(600), self.minimumHeight())
        self.choose()
        self.value.setFocus()

    def _make_form(self, chosen: int) -> None:
        means = (self.tr("Seconds"), self.tr("Frames"), self.tr("Size"), self.tr("Segments"))
        self.means = Segmented(self.theme, means, name=self.tr("Split by"))
        self.means.set_current(chosen)
        self.means.changed.connect(self._show_means)
        self.means.changed.connect(self.choose)
        elapsed, size = self.snapshot.elapsed, self.snapshot.size / MB
        span = float(elapsed[-1] - elapsed[0]) if len(elapsed) else 0.0
        span = span if math.isfinite(span) else 0.0
        seconds = 60.0 if span > 60 else float(max(1, round(span / 2)))
        number = max(1, min(1000, (len(self.snapshot) + 1) // 2))
        most = float(_LARGEST_MB) if size > _LARGEST_MB else max(0.1, round(size / 2, 1))
        add, tr = self.form.add, self.tr
        self.editors = (
            add(FieldSpec("0", tr("Seconds per part"), "number", seconds, "s", low=0, step=10, width=0)),
            add(FieldSpec("1", tr("Frames per part"), "whole", number, low=1, step=100, width=0)),
            add(
                FieldSpec(
                    "2", tr("Maximum megabytes per part"), "number", most, "MB", low=0, step=100, decimals=1, width=0
                )
            ),
            add(FieldSpec("3", tr("File names"), "text", PATTERN, tip=tr("With {name}, {index} and {segment}"))),
        )
        self.seconds, self.number, self.megabytes, self.names = self.editors
        self.form.changed.connect(self.choose)
        self.destination = PathLine(self.theme, self.tr("the folder of the parts"), self.ask_folder)
        self.destination.show_path(self.folder, whole=True)
        self.form.add_row(self.tr("Split by"), self.means, *self.editors)
        self.form.add_row(self.tr("Folder"), self.destination)
        self._show_means(self.means.current)

    # --- what is chosen ---------------------------------------------------------------------------------

    @property
    def value(self) -> Editor:
        """The editor of what is chosen."""
        return self.editors[self.means.current]

    def _show_means(self, means: int) -> None:
        for number, editor in enumerate(self.editors):
            editor.setVisible(number == means)

    def ask_folder(self) -> None:
        """Let a person choose a folder."""
        name = QFileDialog.getExistingDirectory(self, self.tr("Folder of the parts"), str(self.folder.parent))
        if name:
            self.set_folder(Path(name))

    def set_folder(self, folder: Path) -> None:
        """Write there."""
        self.folder = folder
        self.destination.show_path(folder, whole=True)
        self._say_what_is_there()
        self.command.say(self.command_line())

    def command_line(self) -> str:
        """The command that does the same."""
        means = self.means.current
        value = self.form.values[str(means)]
        if means == BY_SEGMENTS:
            kind = "csv" if all(each.is_on for each in self.session.segments.items) else "json"
            words = ["segments", self.path.name, self.folder.name, "--list", f"segments.{kind}", "--names", value]
            return shlex.join(["recorder-editor", *words])
        options = {BY_SECONDS: ["--every", f"{value:g}"], BY_FRAMES: ["--frames", str(int(value))]}
        option = options.get(means, ["--max-size", str(round(value * MB))])
        return shlex.join(["recorder-editor", "split", self.path.name, self.folder.name, *option])

    # --- looking before ---------------------------------------------------------------------------------

    def forget(self) -> None:
        """The parts are not known."""
        super().forget()
        self.parts = None

    def look(self) -> None:
        """Look for the parts."""
        means = self.means.current
        value, segments = self.form.values[str(means)], self.session.segments.items
        work = partial(parts_of, self.snapshot, self.path, means, value, segments)
        self.preview(self.tr("Computing the parts"), work, self._show)

    def _show(self, parts: list[Part]) -> None:
        self.parts = parts
        self.list.show_rows(
            [
                (
                    one.name,
                    f"{one.frames.start + 1:,} – {one.frames.stop:,}",
                    self.theme.units.time_label(one.seconds, float(self.snapshot.elapsed[-1])),
                    size_text(one.size),
                )
                for one in parts
            ]
        )
        self.show_view()
        words = self.tr("Write 1 part") if len(parts) == 1 else self.tr("Write %1 parts")
        self.go.setText(words.replace("%1", f"{len(parts):,}"))
        self._say_what_is_there()

    def show_refusal(self, error: Exception) -> None:
        """Say why there are no such parts."""
        detail = error_sentence(error) if isinstance(error, RecorderError) else ""
        self.show_words(self.tr("No parts"), detail, "error", "error")
        self.go.setText(self.tr("Split"))

    def _say_what_is_there(self) -> None:
        there = sum((self.folder / one.name).exists() for one in self.parts or ())
        self.already.say(say("ui.files_replaced", count=there) if there else "", "warning")
        self.make_room()

    # --- writing ----------------------------------------------------------------------------------------

    def write(self) -> None:
        """Write the parts, as a job."""
        if self.parts is None or self.job_panel.is_busy:
            return
        folder = self.folder

        def done(count: int) -> None:
            words = self.tr("Wrote 1 part to %2") if count == 1 else self.tr("Wrote %1 parts to %2")
            self.already.say("")
            self.job_panel.tell(words.replace("%1", f"{count:,}").replace("%2", str(folder)), "fine")

        self.run(self.tr("Writing parts"), partial(write_parts, self.snapshot, self.parts, folder), done)
