"""The progress of a job, Cancel and its result, in the panel or dialog that has started it.

Knows no edit and no file.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ...errors import NothingToDo, RecorderError, error_sentence
from ...recording import LostPackets
from ...recording.history import loss_text
from ...texts import listed, say
from ..session import Session
from ..session.jobs import SECONDS_TO_STOP, Done, Job, Result, Work
from ..style.boxes import fill
from ..style.colors import ColorName
from ..style.theme import Theme
from . import Label, ProgressStrip, ThemedWidget
from .base import Sign
from .screen_reader import announce

_SIGNS = {"error": "error", "fine": "tick", "info": "info", "warning": "warning"}
_COLORS: Mapping[str, ColorName] = {"error": "error", "fine": "fine", "info": "muted", "warning": "warning"}


class Sentence(ThemedWidget):
    """A sentence with a sign before it, in several lines where it is long; hidden while it is empty.

    Attributes:
        kind: `error`, `warning`, `fine` or `info`.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.kind = "info"
        self._sign = Sign(theme)
        self._label = Label(theme, "", "small", wraps=True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        fill(QHBoxLayout(self), (self._sign, 0, Qt.AlignmentFlag.AlignTop), (self._label, 1), spacing=6)
        self.hide()
        self.restyle()

    def restyle(self) -> None:
        """Keep the sign beside the first line."""
        super().restyle()
        line = self.theme.metrics(self.theme.small).height()
        self._sign.setFixedHeight(max(line, self._sign.width()))

    def text(self) -> str:
        """Return the sentence."""
        return self._label.text()

    def say(self, words: str, kind: str = "info") -> None:
        """Show a sentence; an empty one hides it.

        Args:
            words: The sentence.
            kind: `error`, `warning`, `fine` or `info`.
        """
        self.kind = kind
        self._label.setText(words)
        self.setAccessibleName(words)
        self._sign.set_icon(_SIGNS[kind], _COLORS[kind])
        self.setVisible(bool(words))
        self.updateGeometry()  # at once: layouts around it ask for its size now


class JobPanel(QWidget):
    """A strip of progress while a job runs, and a sentence with its result.

    Attributes:
        session: Its jobs run the work.
        strip: The strip of progress.
        sentence: The sentence.

    Signals:
        changed(): The job began or ended, or the sentence is another: other room is needed.
        ended(): The job ended.
    """

    changed = Signal()
    ended = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._job: Job | None = None
        self.strip = ProgressStrip(theme)
        strip = self.strip.layout()
        if strip is not None:
            strip.setContentsMargins(0, 2, 0, 2)
        self.strip.hide()
        self.sentence = Sentence(theme)
        fill(QVBoxLayout(self), self.strip, self.sentence, spacing=4)
        self.changed.connect(self.updateGeometry)
        self.hide()

    @property
    def is_busy(self) -> bool:
        """Whether a job runs."""
        return self._job is not None

    def run(self, title: str, work: Work[Result], done: Done[Result]) -> None:
        """Start a job; an error of it is shown here.

        Args:
            title: What the job does, for people.
            work: Is called with a `Progress`, in a thread.
            done: Is called with what it returned, in the window's thread.
        """
        self.release()
        job = self.session.jobs.start(
            title=title, work=work, done=lambda result: self._done(result, done), failed=self.refuse
        )
        self._job = job
        self.sentence.say("")
        self.strip.follow(job)
        self.strip.show()
        self.show()
        self.changed.emit()
        job.ended.connect(partial(self._end, job))

    def refuse(self, error: Exception) -> None:
        """Show an error of the job; an unexpected one goes to the window."""
        if isinstance(error, NothingToDo):
            self.show_sentence(error_sentence(error), "info")
        elif isinstance(error, (RecorderError, OSError)):
            self.show_sentence(error_sentence(error))
        else:
            self.session.jobs.failed.emit(error)

    def show_sentence(self, words: str, kind: str = "error") -> None:
        """Show a sentence; an empty one hides it.

        Args:
            words: The sentence.
            kind: `error`, `warning`, `fine` or `info`.
        """
        self.sentence.say(words, kind)
        announce(self, words)
        self.setVisible(bool(words) or self.is_busy)
        self.changed.emit()

    def show_result(self, words: str, losses: Sequence[LostPackets]) -> None:
        """Show what was done, and what was lost with it."""
        if not losses:
            self.show_sentence(words, "fine")
            return
        sentence = words
        if not words.endswith((".", "。")):
            sentence = say("{text}.", text=words)
        self.show_sentence(listed((sentence, loss_text(losses)), "sentences"), "warning")

    def cancel(self) -> None:
        """Ask the job to stop."""
        if self._job is not None:
            self._job.cancel()

    def release(self) -> None:
        """Cancel the job, and follow it no more."""
        self.cancel()
        self.strip.follow(None)
        self._job = None

    def stop(self) -> None:
        """Cancel the job and wait for its thread: what it reads is about to be closed."""
        job = self._job
        self.release()
        if job is not None:
            job.wait(SECONDS_TO_STOP)

    def _done(self, result: Result, done: Done[Result]) -> None:
        self.strip.hide()
        try:
            done(result)
        except RecorderError as error:
            self.refuse(error)

    def _end(self, job: Job) -> None:
        # The panel may have been released meanwhile, or run another job.
        if self._job is job:
            self._job = None
            self.strip.hide()
            self.setVisible(bool(self.sentence.text()))
            self.changed.emit()
            self.ended.emit()
