"""What dialogs share that show beforehand what will come of it: a form, a preview, progress, outcome, the command line.

Knows no operation: what is asked, looked at and done is said by the dialog that builds on it.
"""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QStackedWidget, QWidget

from ...errors import EditError, RecorderError, WouldReplace, error_sentence
from ...texts import listed, say
from ..session import Session
from ..session.jobs import Done, Job, LatestJob, Result, Work
from ..style.boxes import keep_room
from ..style.colors import ColorName
from ..style.theme import Theme
from ..widgets import EmptyState
from ..widgets.file_dialogs import refuse_completed
from ..widgets.job_panel import JobPanel
from .base import SessionDialog
from .fields import Fields
from .widgets import CommandLine

_LEAST_VIEW = 72
"""Pixels that stay of a preview where sentences below it take its room."""


class PreviewDialog(SessionDialog):
    """Shows a preview of what is chosen after a pause, and does it as a job; opening another recording closes it.

    A subclass fills `form`, places the parts with `place`, overrides `update_preview` and `command_line`, and adds
    its buttons.

    Attributes:
        form: The fields.
        command: The command that does the same.
        job_panel: Progress, and what came of it.
        looking: The job of the preview.
        is_ready: Whether what is chosen was looked at, and can be done.
    """

    spare_lines = 3

    def __init__(self, session: Session, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, name, parent)
        self.is_ready = False
        self.form = Fields(theme)
        self.empty = EmptyState(theme, say("Computing..."), ground="field")
        self.command = CommandLine(theme)
        if type(self).command_line is not PreviewDialog.command_line:
            keep_room(self.command)
        self.job_panel = JobPanel(session, theme)
        self.job_panel.changed.connect(self.make_room)
        self.job_panel.ended.connect(self._end)
        self.looking = LatestJob(self, session.jobs, self.update_preview)
        self._focus: QWidget | None = None
        self._stack: QStackedWidget | None = None
        self._stack_height = 0

    # --- parts ------------------------------------------------------------------------------------------

    def place(self, *parts: QWidget) -> None:
        """Put the form, these, the command and the working strip below one another."""
        if self.form.rows:
            self.body.addWidget(self.form)
        for part in parts:
            self.body.addWidget(part, 1 if part.property("stretches") else 0)
        self.body.addWidget(self.command)
        self.body.addWidget(self.job_panel)

    def stack(self, view: QWidget, height: int) -> QWidget:
        """The preview: a view so high at first, or words in its place.

        It takes the room that is left, and gives of its own to what is said below it.
        """
        self._stack = stack = QStackedWidget()
        self._stack_height = height
        stack.setProperty("stretches", True)
        stack.addWidget(view)
        stack.addWidget(self.empty)
        stack.setCurrentWidget(self.empty)
        self.spare_lines = 0
        return stack

    def fit(self) -> None:
        if self._stack is not None:
            self._stack.setMinimumHeight(self.theme.px(self._stack_height))
        super().fit()
        if self._stack is not None:
            self._stack.setMinimumHeight(self.theme.px(_LEAST_VIEW))

    def arrangements(self) -> Iterable[object]:
        return self.form.arrangements()

    def show_view(self) -> None:
        """Show the preview."""
        if self._stack is not None:
            self._stack.setCurrentIndex(0)

    def show_words(self, text: str, detail: str = "", icon: str = "", color: ColorName = "muted") -> None:
        """Show words in place of the preview."""
        self.empty.set_icon(icon, color)
        self.empty.set_text(text, detail)
        if self._stack is not None:
            self._stack.setCurrentWidget(self.empty)
        announcement = ""
        if icon:
            announcement = listed((text, detail), "clauses")
        self.session.announced.emit(announcement)

    # --- looking before ---------------------------------------------------------------------------------

    def update_preview(self) -> None:
        """Look at what is chosen: called when a choice has come to rest. For subclasses that do so as a job."""

    def command_line(self) -> str:
        """The command that does the same; empty where there is none. For subclasses."""
        return ""

    def on_change(self, *_what: object) -> None:
        """Take up a changed choice: nothing can be done until its preview is made."""
        self.invalidate()
        self.job_panel.show_sentence("")
        self.command.say(self.command_line())
        self.enable()
        self.looking.begin()

    def invalidate(self) -> None:
        """Forget the preview, and cancel the job that makes one."""
        self.looking.cancel()
        self.is_ready = False

    def preview(self, title: str, work: Work[Result], show: Done[Result]) -> None:
        """Run the job of the preview, then `show` its result or the refusal."""
        self.invalidate()
        self.enable()

        def done(result: Result) -> None:
            self.is_ready = True
            show(result)
            self.enable()

        job = self.looking.run(title, work, done, self._refuse)
        job.progressed.connect(partial(self._report, job))

    def _report(self, job: Job) -> None:
        if job.share is not None and not job.is_cancelled:
            self.report(job.share)

    def report(self, share: float) -> None:
        """Show the progress of the preview, a share from 0 to 1. For subclasses."""

    def _refuse(self, error: Exception) -> None:
        if isinstance(error, (RecorderError, OSError)):
            self.show_refusal(error)
        else:
            self.show_refusal(EditError(say("An unexpected error occurred.")))
            self.session.jobs.failed.emit(error)
        self.enable()

    def show_refusal(self, error: Exception) -> None:
        """Show why there is no preview. For subclasses that show it elsewhere than in its place."""
        self.show_words(error_sentence(error), "", "error", "error")

    # --- doing ------------------------------------------------------------------------------------------

    def run(self, title: str, work: Work[Result], done: Done[Result]) -> None:
        """Run the job of the dialog, with progress and outcome in place."""
        self._focus = self.focusWidget()
        self.job_panel.run(title, work, done)
        self.enable()

    def _end(self) -> None:
        self.enable()
        if self._focus is not None and self._focus.isEnabled():
            self._focus.setFocus()
        self._focus = None

    def enable(self) -> None:
        """Enable the form and the button as far as they can be used now."""
        busy = self.job_panel.is_busy
        self.form.setEnabled(not busy)
        self.go.setEnabled(self.is_ready and not busy)

    def ask_target(self, title: str, kind: str, suffix: str, write: Callable[[Path], object]) -> None:
        """Let a person choose a name beside the recording, complete its ending, and have it written.

        Args:
            title: The title of the file dialog.
            kind: What files of that ending are called.
            suffix: The ending, with its dot.
            write: Writes there.
        """
        proposal = str(self.session.path.with_suffix(suffix))
        name, _ = QFileDialog.getSaveFileName(self, title, proposal, f"{kind} (*{suffix})")
        if not name:
            return
        target = Path(name)
        if not target.name.lower().endswith(suffix):
            target = target.with_name(target.name.removesuffix(Path(suffix).suffix) + suffix)
        try:
            refuse_completed(name, target)
        except WouldReplace as error:
            self.job_panel.refuse(error)
        else:
            write(target)

    def is_recording(self, target: Path) -> bool:
        """Whether the target is the open file itself, which is refused in place."""
        recording = self.session.recording
        if recording is None or not target.exists() or not recording.path.exists():
            return False
        if not target.samefile(recording.path):
            return False
        self.job_panel.show_sentence(say("{name} is the recording itself; choose another name.", name=target.name))
        return True

    def release(self) -> None:
        """Cancel the jobs, and release what they read."""
        self.job_panel.release()
        self.invalidate()
