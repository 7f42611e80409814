"""Another recording behind the open one: which, how they go together, and what the whole would be.

What makes two recordings go together, and the seam between them, is `edits.join`'s business.
"""

import shlex
from pathlib import Path
from typing import NamedTuple

from PySide6.QtWidgets import QCheckBox, QWidget

from ...edits import RecordingSize, join, outcome
from ...errors import Cancelled, RecorderError
from ...progress import Progress
from ...recording import Edit, Recording, Snapshot, open_recording
from ...recording.source_refs import sources_of
from ...texts import listed, say, say_count
from ...views.command_words import schema_words
from ...views.units import size_text
from ..session import Session
from ..style.theme import Theme
from ..widgets import ElidedLabel, Label
from ..widgets.figures import Figure, Figures
from ..widgets.file_dialogs import ask_open
from .fields import FieldSpec
from .preview import PreviewDialog
from .widgets import PathLine

_WIDTH = 520


class Joined(NamedTuple):
    """An edit that appends, and what the recording is after it."""

    edit: Edit
    outcome: RecordingSize


class AppendDialog(PreviewDialog):
    """Chooses a recording and how it goes on from this one; one step that can be undone.

    Attributes: `other` (the recording that would follow; None while none is read), `joined` (what would come of it).
    """

    def __init__(self, session: Session, theme: Theme, path: Path | None = None, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "appendDialog", parent)
        self.snapshot = session.snapshot_or_refuse()
        self.other: Recording | None = None
        self.joined: Joined | None = None
        self._before = outcome(self.snapshot)
        self.setMinimumWidth(theme.px(_WIDTH))
        words = say(
            "It is added at the end of this recording. Actors of the level keep their ids; "
            "its other actors get new ones."
        )
        self.say(say("Append recording"), say("Append recording"), words)
        self._make_form()
        self.figures = Figures(theme, say("Result"))
        self.place(self.figures)
        self.add_answers(say("Append"), self.apply)
        session.editing.changed.connect(self.reject)
        self._show_figures()
        self.enable()
        if path is not None:
            self.read(path)
        else:
            self.file.button.setFocus()

    def _make_form(self) -> None:
        theme = self.theme
        form = self.form
        self.file = PathLine(theme, say("the recording to append"), self.ask_file)
        self.file.words.setText(say("None chosen yet"))
        self.about = ElidedLabel(theme, "", "small", "muted")
        about = say("Seconds from the last frame of this recording to the first one of the other")
        gap = FieldSpec("gap", say("Gap"), "number", None, "s", low=0, step=0.05, optional=True, tip=about, width=0)
        self.gap = form.add(gap)
        self.matches = QCheckBox(say("Match actors by id and blueprint"))
        tip = say(
            "For parts of one recording: an actor with the id and blueprint of one that is "
            "alive at the end continues it"
        )
        self.matches.setToolTip(tip)
        form.add_row(say("Recording"), self.file)
        form.add_row("", self.about)
        words = Label(theme, say("empty: duration of the last frame here"), "small", "muted")
        form.add_row(say("Gap"), self.gap, words, tip=about)
        form.add_row("", self.matches)
        form.changed.connect(self.on_change)
        self.matches.toggled.connect(self.on_change)

    # --- what is chosen ---------------------------------------------------------------------------------

    def ask_file(self) -> None:
        """Let a person choose the recording."""
        folder = self.file.path or self.session.path
        ask_open(self, say("Append recording"), folder.parent, self.read)

    def read(self, path: Path) -> None:
        """Read a recording as a job, and look at what would come of it.

        It is read with the files of packets that were given for the open one, as by the verb `join`.
        """
        self.release()
        self.file.show_path(path)
        self.about.setText("")
        self._show_figures()
        packets = self.snapshot.context.packets.given

        def work(progress: Progress) -> Recording:
            recording = open_recording(path, progress=progress, packets=packets)
            if progress.is_cancelled:
                recording.close()
                raise Cancelled()
            return recording

        self.run(say("Reading {name}", name=path.name), work, self._take_other)

    def _take_other(self, recording: Recording) -> None:
        self.other = recording
        size = outcome(recording.snapshot)
        facts = (
            _town_of(recording.snapshot),
            recording.snapshot.dialect.title,
            say_count("1 frame", "{count:,} frames", count=size.frames),
            self.theme.units.time_label(size.seconds, size.seconds),
            size_text(size.size),
        )
        self.about.setText(listed(facts, "clauses"))
        self.update_preview()

    def command_line(self) -> str:
        """The command that does the same; of a recording that speaks another dialect the one that converts it."""
        path = self.session.path
        dialect = self.snapshot.dialect.name
        other = self.other
        if other is None:
            return ""
        if other.snapshot.dialect.name != dialect:
            into = f"{other.path.stem}-{dialect}{other.path.suffix}"
            words = ["recorder-editor", "convert", other.path.name, into, "--write-as", dialect]
            words += schema_words(other.path, other.snapshot)
            return shlex.join(words)
        words = ["recorder-editor", "join", path.name, other.path.name, f"{path.stem}-joined{path.suffix}"]
        gap = self.form.values["gap"]
        if gap is not None:
            words += ["--gap", f"{gap:g}"]
        if self.matches.isChecked():
            words += ["--match-actors"]
        words += schema_words(path, self.snapshot)
        return shlex.join(words)

    # --- looking before ---------------------------------------------------------------------------------

    def invalidate(self) -> None:
        """Cancel the preview, and release the files that only its edit needs."""
        self.looking.stop()
        self.is_ready = False
        if self.joined is not None:
            _release(self.snapshot, self.joined.edit)
            self.joined = None
            self._show_figures()

    def update_preview(self) -> None:
        """Join the two for a look."""
        other = self.other
        if other is None:
            return
        self.job_panel.show_sentence("")
        self.command.say(self.command_line())
        snapshot = self.snapshot
        gap = self.form.values["gap"]
        matches = self.matches.isChecked()

        def work(progress: Progress) -> Joined:
            edit = join(snapshot, [other.snapshot], gap=gap, match_actors=matches, progress=progress)
            return Joined(edit, outcome(snapshot, edit))

        self.preview(say("Computing the result"), work, self._show)

    def _show(self, joined: Joined) -> None:
        self.joined = joined
        self._show_figures()

    def show_refusal(self, error: Exception) -> None:
        """Say why they do not go together."""
        self._show_figures()
        self.job_panel.refuse(error)

    def _show_figures(self) -> None:
        """Show the figures of the result beside those of now; dashes while there is no result."""
        before = self._before
        after = before
        if self.joined is not None:
            after = self.joined.outcome

        def figure(label: str, value: str, unit: str, old: str) -> Figure:
            now = say("now {before}", before=old)
            if self.joined is None:
                return Figure(label, "–", "", now)
            return Figure(label, value, unit, now)

        units = self.theme.units
        time, time_unit = units.time_parts(after.seconds, after.seconds)
        size, _, size_unit = size_text(after.size).partition(" ")
        self.figures.show_rows(
            (
                figure(say("frames"), f"{after.frames:,}", "", f"{before.frames:,}"),
                figure(say("playable"), time, time_unit, units.time_label(before.seconds, after.seconds)),
                figure(say("actors"), f"{after.actors:,}", "", f"{before.actors:,}"),
                figure(say("size"), size, size_unit, size_text(before.size)),
            )
        )

    # --- appending --------------------------------------------------------------------------------------

    def apply(self) -> None:
        """Append what was looked at; the dialog goes, or says why it cannot be."""
        if self.joined is None:
            return
        joined = self.joined
        self.joined = None
        self.session.editing.changed.disconnect(self.reject)
        try:
            self.session.editing.apply(joined.edit)
        except RecorderError as error:
            self.session.editing.changed.connect(self.reject)
            self.job_panel.refuse(error)
            return
        self.release()
        self.accept()

    def release(self) -> None:
        """Cancel the jobs, and close the other recording."""
        super().release()
        if self.other is not None:
            self.other.close()
            self.other = None


def _town_of(snapshot: Snapshot) -> str:
    """The last part of the map's name; its bytes where it is no text."""
    if snapshot.header is None:
        return ""
    name = snapshot.header.map_name
    if isinstance(name, bytes):
        name = name.hex(" ")
    return name.rsplit("/", 1)[-1]


def _release(snapshot: Snapshot, edit: Edit) -> None:
    """Close the files that only an edit that is not made would have needed."""
    used = sources_of([snapshot.table])
    for source in sources_of(splice.inserted for splice in edit.splices) - used:
        snapshot.store.drop(source)
