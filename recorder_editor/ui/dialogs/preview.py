"""What dialogs share that show beforehand what will come of it: a form, a preview, progress, outcome, the command line.

Knows no operation: what is asked, looked at and done is said by the dialog that builds on it.
"""

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QStackedWidget, QWidget

from ...errors import EditError, RecorderError, error_sentence
from ...texts import listed, say
from ..session import Session
from ..session.jobs import Done, Job, LatestJob, Result, Work
from ..style.colors import ColorName
from ..style.theme import Theme
from ..widgets import EmptyState
from ..widgets.job_panel import JobPanel
from .base import SessionDialog
from .fields import Fields
from .widgets import CommandLine


class PreviewDialog(SessionDialog):
    """Looks after a pause at what is chosen, and does it as a job; the next recording that is opened closes it.

    A subclass fills `form`, places the parts with `place`, overrides `update_preview` and `command_line`, and adds
    its buttons.

    Attributes:
        form: The fields.
        command: The command that does the same.
        job_panel: Progress, and what came of it.
        looking: The job of the preview.
        is_ready: Whether what is chosen was looked at, and can be done.
    """

    def __init__(self, session: Session, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, name, parent)
        self.is_ready = False
        self.form = Fields(theme)
        self.empty = EmptyState(theme, say("Computing..."), ground="field")
        self.command = CommandLine(theme)
        self.job_panel = JobPanel(session, theme)
        self.job_panel.changed.connect(self.make_room)
        self.job_panel.ended.connect(self._end)
        self.looking = LatestJob(self, session.jobs, self.update_preview)
        self._focus: QWidget | None = None

    # --- parts ------------------------------------------------------------------------------------------

    def place(self, *parts: QWidget) -> None:
        """Put the form, these, the command and the working strip below one another."""
        for part in (*([self.form] if self.form.rows else []), *parts, self.command, self.job_panel):
            self.body.addWidget(part, 1 if part.property("stretches") else 0)

    def stack(self, view: QWidget, height: int) -> QWidget:
        """The preview: a view at least so high, or words in its place; it takes the room that is left."""
        self._stack = QStackedWidget()
        self._stack.setProperty("stretches", True)
        self._stack.setMinimumHeight(self.theme.px(height))
        self._stack.addWidget(view)
        self._stack.addWidget(self.empty)
        self._stack.setCurrentWidget(self.empty)
        return self._stack

    def show_view(self) -> None:
        """Show the preview."""
        self._stack.setCurrentIndex(0)

    def show_words(self, text: str, detail: str = "", icon: str = "", color: ColorName = "muted") -> None:
        """Show words in place of the preview."""
        self.empty.set_icon(icon, color)
        self.empty.set_text(text, detail)
        self._stack.setCurrentWidget(self.empty)
        self.session.announced.emit(listed((text, detail), "clauses") if icon else "")

    # --- looking before ---------------------------------------------------------------------------------

    def update_preview(self) -> None:
        """Look at what is chosen: called when a choice has come to rest. For subclasses that do so as a job."""

    def command_line(self) -> str:
        """The command that does the same; empty where there is none. For subclasses."""
        return ""

    def on_change(self, *_what: object) -> None:
        """Something is chosen anew: nothing can be done before it was looked at."""
        self.invalidate()
        self.job_panel.tell("")
        self.command.say(self.command_line())
        self.enable()
        self.looking.begin()

    def invalidate(self) -> None:
        """What was looked at holds no more."""
        self.looking.cancel()
        self.is_ready = False

    def preview(self, title: str, work: Work[Result], show: Done[Result]) -> None:
        """Look at something as a job: then `show` it, or say why it cannot be."""
        self.invalidate()
        self.enable()

        def done(found: Result) -> None:
            self.is_ready = True
            show(found)
            self.enable()

        job = self.looking.run(title, work, done, self._refuse)
        job.progressed.connect(partial(self._report, job))

    def _report(self, job: Job) -> None:
        if job.share is not None and not job.is_cancelled:
            self.report(job.share)

    def report(self, share: float) -> None:
        """So much was looked at, 0 to 1. For subclasses that say it."""

    def _refuse(self, error: Exception) -> None:
        if isinstance(error, (RecorderError, OSError)):
            self.show_refusal(error)
        else:
            self.show_refusal(EditError(say("An unexpected error occurred.")))
            self.session.jobs.failed.emit(error)
        self.enable()

    def show_refusal(self, error: Exception) -> None:
        """Say why it cannot be; for subclasses that say it elsewhere than in the preview's place."""
        self.show_words(error_sentence(error), "", "error", "error")

    # --- doing ------------------------------------------------------------------------------------------

    def run(self, title: str, work: Work[Result], done: Done[Result]) -> None:
        """Do it as a job, with progress and outcome in place."""
        self._focus = self.focusWidget()
        self.job_panel.run(title, work, done)
        self.enable()

    def _end(self) -> None:
        self.enable()
        if self._focus is not None and self._focus.isEnabled():
            self._focus.setFocus()
        self._focus = None

    def enable(self) -> None:
        """Let be done what can be done now."""
        busy = self.job_panel.is_busy
        self.form.setEnabled(not busy)
        self.go.setEnabled(self.is_ready and not busy)

    def is_recording(self, target: Path) -> bool:
        """The target is the open file itself; that it is not written over is said in place."""
        recording = self.session.recording
        if recording is None or not (target.exists() and recording.path.exists() and target.samefile(recording.path)):
            return False
        self.job_panel.tell(say("{name} is the recording itself; choose another name.", name=target.name))
        return True

    def release(self) -> None:
        """Cancel what runs, and let go of what was read."""
        self.job_panel.release()
        self.invalidate()
