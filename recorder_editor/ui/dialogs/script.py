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
from PySide6.QtWidgets import QFileDialog, QListWidget, QListWidgetItem, QStackedLayout, QWidget

from ...edits.script import Script, ScriptError, ScriptStep, perform, read_script, save_script
from ...errors import Cancelled, EditError, NothingToDo, RecorderError
from ...progress import Progress
from ...recording.compose import compose
from ...recording.history import Edit, Intent
from ...recording.snapshot import Snapshot
from ..session import Session
from ..theme import Theme
from ..widgets import EmptyState
from ..working import Working
from .base import BaseDialog
from .widgets import CommandLine, PathLine

FILTER = "Edit scripts (*.json);;All files (*)"
_ROW = 22


class Replayed(NamedTuple):
    """All steps of a script as one edit, and sentences about what could not be carried."""

    edit: Edit
    remarks: tuple[str, ...]


def replay(snapshot: Snapshot, script: Script, name: str, progress: Progress) -> Replayed:
    """The edit that does all steps, one after another; what is so already is a remark, and no failure.

    Raises `EditError` that says which step cannot be done, `NothingToDo` where none changes anything.
    """
    number = len(script.steps)
    remarks: list[str] = []

    def do(index: int, step: ScriptStep, present: Snapshot) -> Edit:
        part = progress.part(index / number, (index + 1) / number)
        part.check()
        try:
            made = perform(present, step, part)
        except Cancelled:
            raise
        except NothingToDo as error:
            remarks.append(f"{error.message} Nothing is changed by that.")
            raise
        except RecorderError as error:
            raise EditError(f"Step {index + 1} of {number}, “{step.name}”, cannot be done: {error.message}") from None
        remarks.extend(made.remarks)
        return replace(made.edit, intent=made.edit.intent or Intent(step.operation, step.arguments))

    try:
        edit = compose(snapshot, f"Run {name}", (partial(do, index, step) for index, step in enumerate(script.steps)))
    except NothingToDo:
        raise NothingToDo(" ".join(remarks) or "The script holds no step; nothing would change.") from None
    return Replayed(edit, tuple(remarks))


class _Steps(QWidget):
    """Steps by name, with a sign whether they are part of a script."""

    def __init__(self, theme: Theme, name: str, nothing: str) -> None:
        super().__init__()
        self.theme = theme
        self.list = QListWidget()
        self.list.setProperty("framed", True)
        self.list.setAccessibleName(name)
        self.list.setUniformItemSizes(True)
        self.empty = EmptyState(theme, nothing, ground="field")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.empty)
        self.setMinimumHeight(theme.px(170))
        self._stack.setCurrentWidget(self.empty)

    def show_steps(self, steps: Sequence[str], left_out: Sequence[str], reason: str) -> None:
        """Show what is done, and what is left out and why."""
        self.list.clear()
        for label in steps:
            self._add(label, "tick", "fine", "")
        for label in left_out:
            self._add(label, "warning", "warning", reason)
        self._stack.setCurrentWidget(self.list if self.list.count() else self.empty)

    def _add(self, label: str, sign: str, color: str, reason: str) -> None:
        item = QListWidgetItem(self.theme.icons.icon(sign, color), f"{label} ({reason})" if reason else label)
        item.setToolTip(item.text())
        item.setSizeHint(QSize(60, self.theme.px(_ROW)))
        self.list.addItem(item)


class SaveScriptDialog(BaseDialog):
    """Shows which edits a script can tell, and writes it. Attribute: `text` (the script)."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("saveScriptDialog")
        self.session = session
        recording = session.recording
        assert recording is not None
        self.path = recording.path
        steps = recording.history.steps[: recording.history.position]
        found = save_script(steps)
        self.text = found.text
        told = [step.label for step in steps if not save_script([step]).left_out]
        self.say(
            self.tr("Save as script"),
            self.tr("Save the edits as a script"),
            self.tr("What was done here, in seconds and actors, so that it can be done to other recordings."),
        )
        self.steps = _Steps(theme, self.tr("The steps of the script"), self.tr("No edits yet"))
        self.steps.show_steps(told, found.left_out, self.tr("belongs to this file only"))
        self.body.addWidget(self.steps, 1)
        self.working = Working(session, theme)
        self.body.addWidget(self.working)
        self.command = CommandLine(theme)
        self.body.addWidget(self.command)
        self.copy = self.add_button(self.tr("Copy"), self._copy, left=True)
        self.copy.setToolTip(self.tr("Copy the script as text"))
        self.close_button = self.add_button(self.tr("Close"), self.reject)
        self.go = self.add_button(self.tr("Save..."), self.ask, filled=True)
        for button in (self.copy, self.go):
            button.setEnabled(bool(told))
        if recording.history.forgotten:
            words = self.tr("%1 older edits are forgotten, and not part of it.")
            self.working.tell(words.replace("%1", f"{recording.history.forgotten:,}"), "warning")
        session.opened.connect(self.reject)

    def ask(self) -> None:
        """Let a person choose a name, and write the script there."""
        place = self.path.with_name(f"{self.path.stem}-edits.json")
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Save as script"), str(place), FILTER)
        if name:
            self.write(Path(name))

    def write(self, target: Path) -> None:
        """Write the script."""
        if target.exists() and self.path.exists() and target.samefile(self.path):
            self.working.tell(self.tr("%1 is the recording itself; choose another name.").replace("%1", target.name))
            return
        try:
            target.write_text(self.text, encoding="utf-8", newline="\n")
        except OSError as error:
            self.working.refuse(error)
        else:
            self.working.tell(self.tr("Wrote %1").replace("%1", target.name), "fine")
            self.command.say(shlex.join(["recorder-editor", "run", target.name, "IN.log", "OUT.log"]))
        self.fit()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)


class RunScriptDialog(BaseDialog):
    """Chooses a script, shows its steps, and does them: one step that can be undone.

    Attribute: `script` (None while none is read).
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("runScriptDialog")
        self.session = session
        self.script: Script | None = None
        self.say(
            self.tr("Run script"),
            self.tr("Run a script of edits"),
            self.tr("Its steps are done to this recording, all of them or none; one undo takes them back."),
        )
        self.file = PathLine(theme, self.tr("the script"), self.ask)
        self.file.words.setText(self.tr("None chosen yet"))
        self.steps = _Steps(theme, self.tr("The steps of the script"), self.tr("Choose a script to see its steps"))
        self.body.addWidget(self.file)
        self.body.addWidget(self.steps, 1)
        self.working = Working(session, theme)
        self.working.changed.connect(self.make_room)
        self.working.ended.connect(self._enable)
        self.body.addWidget(self.working)
        self.command = CommandLine(theme)
        self.body.addWidget(self.command)
        self.close_button = self.add_button(self.tr("Cancel"), self.reject)
        self.go = self.add_button(self.tr("Run"), self.run, filled=True)
        session.opened.connect(self.reject)
        self.file.button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._enable()

    def ask(self) -> None:
        """Let a person choose a script."""
        recording = self.session.recording
        before = self.file.path or (recording.path if recording is not None else Path())
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Run script"), str(before.parent), FILTER)
        if name:
            self.read(Path(name))

    def read(self, path: Path) -> None:
        """Read a script and show its steps, or why it is none."""
        self.script = None
        self.file.show_path(path)
        self.working.tell("")
        self.command.say("")
        self.steps.show_steps((), (), "")
        try:
            self.script = read_script(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            self.working.tell(self.tr("%1 is no edit script; it is no text.").replace("%1", path.name))
        except ScriptError as error:
            self.working.tell(f"{path.name}: {error.message}")
        except OSError as error:
            self.working.refuse(error)
        else:
            names = [step.name for step in self.script.steps]
            self.steps.show_steps(names, self.script.left_out, self.tr("belonged to another file"))
            self._say_command(path)
        self._enable()
        self.make_room()

    def _say_command(self, path: Path) -> None:
        recording = self.session.recording
        if recording is not None:
            place = recording.path
            out = f"{place.stem}-edited{place.suffix}"
            self.command.say(shlex.join(["recorder-editor", "run", path.name, place.name, out]))

    def run(self) -> None:
        """Do the steps, as a job."""
        script, path = self.script, self.file.path
        if script is None or path is None or self.working.is_busy:
            return
        snapshot = self.session.snapshot_or_refuse()

        def work(progress: Progress) -> Replayed:
            return replay(snapshot, script, path.name, progress)

        self.working.run(self.tr("Running %1").replace("%1", path.name), work, self._take)
        self._enable()

    def _take(self, done: Replayed) -> None:
        self.session.apply(done.edit)
        if done.remarks:
            self.session.refused.emit(" ".join(done.remarks))
        self.accept()

    def _enable(self) -> None:
        busy = self.working.is_busy
        self.go.setEnabled(self.script is not None and bool(self.script.steps) and not busy)
        self.file.button.setEnabled(not busy)

    def let_go(self) -> None:
        """Cancel what runs."""
        self.working.let_go()
