"""The edits as a script for other recordings, and a script that was saved done to this one.

The form of a script is `edits.script`'s business.
"""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSizePolicy, QWidget

from ...edits.operations import OPERATIONS
from ...edits.script import Script, ScriptError, ScriptStep, read_script, run_step, save_script
from ...errors import Cancelled, EditError, NothingToDo, RecorderError
from ...progress import Progress
from ...recording import Edit, Intent, Snapshot, write_file
from ...recording.compose import compose
from ...texts import listed, say
from ...views.command_words import schema_words
from ..session import Session
from ..style.colors import ColorName
from ..style.theme import Theme
from ..widgets.file_dialogs import SCRIPTS, ask_open, ask_save
from .preview import PreviewDialog
from .widgets import PathLine

_ROW = 22


class Replayed(NamedTuple):
    """All steps of a script as one edit, sentences about what could not be carried, and what each step does here."""

    edit: Edit
    remarks: tuple[str, ...]
    labels: tuple[str, ...]


def replay(snapshot: Snapshot, script: Script, name: str, progress: Progress) -> Replayed:
    """Make the edit that does all steps of a script, one after another; a step that changes nothing is a remark.

    Args:
        snapshot: The state of the recording.
        script: The script.
        name: The name of its file, for the label of the edit.
        progress: Counts steps.

    Raises:
        EditError: A step cannot be done; the message names it.
        NothingToDo: No step changes anything.
        Cancelled: The user cancelled it.
    """
    count = len(script.steps)
    remarks: list[str] = []
    labels: list[str] = []

    def edit_of_step(index: int, step: ScriptStep, present: Snapshot) -> Edit:
        part = progress.part(index / count, (index + 1) / count)
        part.check()
        try:
            outcome = run_step(present, step, part)
        except Cancelled:
            raise
        except NothingToDo as error:
            remarks.append(say("{message} Nothing is changed by that.", message=error.message))
            labels.append(say("{step} (changes nothing)", step=say(OPERATIONS[step.operation].title)))
            raise
        except RecorderError as error:
            message = say(
                "Step {number} of {count}, “{step}”, cannot be done: {reason}",
                number=index + 1,
                count=count,
                step=step.name,
                reason=error.message,
            )
            raise EditError(message) from None
        losses = [loss.message for loss in outcome.edit.losses]  # said when the edit is applied
        for remark in outcome.remarks:
            if remark not in losses:
                remarks.append(remark)
        labels.append(outcome.edit.label)
        return replace(outcome.edit, intent=outcome.edit.intent or Intent(step.operation, step.arguments))

    try:
        steps = (partial(edit_of_step, index, step) for index, step in enumerate(script.steps))
        edit = compose(snapshot, say("Run {name}", name=name), steps)
    except NothingToDo:
        reason = listed(remarks, "sentences")
        if not remarks:
            reason = say("The script holds no step; nothing would change.")
        raise NothingToDo(reason) from None
    return Replayed(edit, tuple(remarks), tuple(labels))


class _ScriptDialog(PreviewDialog):
    """Shows steps by name, with a sign whether they are part of a script."""

    def _make_steps(self, nothing: str) -> QWidget:
        self.steps = QListWidget()
        self.steps.setProperty("framed", True)
        self.steps.setAccessibleName(say("The steps of the script"))
        self.steps.setUniformItemSizes(True)
        self.steps.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        holder = self.stack(self.steps, 170)
        self.show_words(nothing)
        return holder

    def show_steps(self, steps: Sequence[str], left_out: Sequence[str], reason: str) -> None:
        """Show what is done, and what is left out and why."""
        self.steps.clear()
        for label in steps:
            self._add(label, "tick", "fine")
        for label in left_out:
            self._add(f"{label} ({reason})", "warning", "warning")
        if self.steps.count():
            self.show_view()

    def _add(self, text: str, sign: str, color: ColorName) -> None:
        item = QListWidgetItem(self.theme.icons.icon(sign, color), text)
        item.setToolTip(text)
        item.setSizeHint(QSize(60, self.theme.px(_ROW)))
        self.steps.addItem(item)


class SaveScriptDialog(_ScriptDialog):
    """Shows which edits a script can tell, and writes it. Attribute: `text` (the script)."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "saveScriptDialog", parent)
        recording = session.recording
        assert recording is not None
        self.path = recording.path
        steps = recording.history.steps[: recording.history.position]
        saved = save_script(steps, recording.dialect)
        self.text = saved.text
        labels = [step.label for step in steps if not save_script([step]).left_out]
        words = say("The edits in terms of seconds and actors, to apply them to other recordings.")
        self.say(say("Save as script"), say("Save the edits as a script"), words)
        self.place(self._make_steps(say("No edits yet")))
        self.show_steps(labels, saved.left_out, say("belongs to this file only"))
        self.copy = self.add_button(say("Copy"), lambda: QGuiApplication.clipboard().setText(self.text), left=True)
        self.copy.setToolTip(say("Copy the script as text"))
        self.add_answers(say("Save..."), self.ask, stays=True)
        self.copy.setEnabled(bool(labels))
        self.go.setEnabled(bool(labels))
        if recording.history.dropped:
            words = say(
                "{number:,} older edits are no longer available and not included.", number=recording.history.dropped
            )
            self.job_panel.show_sentence(words, "warning")

    def ask(self) -> None:
        """Let a person choose a name, and write the script there."""
        place = self.path.with_name(f"{self.path.stem}-edits.json")
        ask_save(self, say("Save as script"), place, self.write, SCRIPTS)

    def write(self, target: Path) -> None:
        """Write the script."""
        if self.is_recording(target):
            return
        try:
            write_file(target, self.text.encode(), overwrite=True)
        except (RecorderError, OSError) as error:
            self.job_panel.refuse(error)
        else:
            self.job_panel.show_sentence(say("Wrote {name}", name=target.name), "fine")
            self.command.say(shlex.join(["recorder-editor", "run", target.name, "IN.log", "OUT.log"]))
        self.make_room()


class RunScriptDialog(_ScriptDialog):
    """Chooses a script, shows its steps, and does them: one step that can be undone.

    Attribute: `script` (None while none is read).
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, "runScriptDialog", parent)
        self.script: Script | None = None
        words = say("Applies all steps to this recording, or none, as one undo step.")
        self.say(say("Run script"), say("Run a script of edits"), words)
        self.file = PathLine(theme, say("the script"), self.ask)
        self.file.words.setText(say("None chosen yet"))
        self.form.add_row(say("Script"), self.file)
        self.place(self._make_steps(say("Choose a script to see its steps")))
        self.add_answers(say("Run"), self.apply)
        self.file.button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.enable()

    def ask(self) -> None:
        """Let a person choose a script."""
        before = self.file.path or self.session.path
        ask_open(self, say("Run script"), before.parent, self.read, SCRIPTS)

    def read(self, path: Path) -> None:
        """Read a script and show its steps, or why it is none."""
        self.script = None
        self.looking.cancel()
        self.file.show_path(path)
        self.job_panel.show_sentence("")
        self.steps.clear()
        self.show_words(say("Choose a script to see its steps"))
        try:
            self.script = read_script(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            self.job_panel.show_sentence(say("{name} is not an edit script: it is not a text file.", name=path.name))
        except ScriptError as error:
            self.job_panel.show_sentence(say("{file}: {reason}", file=path.name, reason=error.message))
        except OSError as error:
            self.job_panel.refuse(error)
        else:
            # Their labels count what they changed in the recording they were made in.
            self._show([OPERATIONS[step.operation].title for step in self.script.steps])
            work = partial(replay, self.session.snapshot_or_refuse(), self.script, path.name)
            self.looking.run(say("Reading {name}", name=path.name), work, self._show_replayed, self._refuse)
        self.is_ready = self.script is not None and bool(self.script.steps)
        self.command.say(self.command_line())
        self.enable()

    def _show_replayed(self, replayed: Replayed) -> None:
        self._show(replayed.labels)

    def _show(self, labels: Sequence[str]) -> None:
        left_out: Sequence[str] = ()
        if self.script is not None:
            left_out = self.script.left_out
        self.show_steps(labels, left_out, say("belonged to another file"))

    def show_refusal(self, error: Exception) -> None:
        self.job_panel.refuse(error)

    def command_line(self) -> str:
        """The command that does the same; empty while no script is read."""
        path = self.session.path
        script = self.file.path
        if script is None or self.script is None:
            return ""
        words = ["recorder-editor", "run", script.name, path.name, f"{path.stem}-edited{path.suffix}"]
        words += schema_words(path, self.session.snapshot)
        return shlex.join(words)

    def apply(self) -> None:
        """Do the steps, as a job."""
        script = self.script
        path = self.file.path
        if script is None or path is None or self.job_panel.is_busy:
            return
        snapshot = self.session.snapshot_or_refuse()
        self.looking.cancel()

        def done(replayed: Replayed) -> None:
            self.session.editing.apply(replayed.edit)
            if replayed.remarks:
                self.session.refused.emit(listed(replayed.remarks, "sentences"))
            self.accept()

        work = partial(replay, snapshot, script, path.name)
        self.run(say("Running {name}", name=path.name), work, done)
