"""Long work where it was asked for: how far it is, Cancel, and what came of it, in place.

A part of panels and dialogs; knows no edit and no file.
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


class Text(ThemedWidget):
    """A sign and words behind it, broken where they are too long; hidden while there is nothing to say.

    Attribute: `kind` (`error`, `warning`, `fine` or `info`).
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.kind = "info"
        self._sign = Sign(theme)
        self._words = Label(theme, "", "small", wraps=True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        fill(QHBoxLayout(self), (self._sign, 0, Qt.AlignmentFlag.AlignTop), (self._words, 1), spacing=6)
        self.hide()

    def text(self) -> str:
        """What it says."""
        return self._words.text()

    def say(self, words: str, kind: str = "info") -> None:
        """Say this: `error`, `warning`, `fine` or `info`; nothing hides it."""
        self.kind = kind
        self._words.setText(words)
        self.setAccessibleName(words)
        self._sign.set_icon(_SIGNS[kind], _COLORS[kind])
        self.setVisible(bool(words))
        self.updateGeometry()  # at once: whoever asks for room does so now


class JobPanel(QWidget):
    """A strip of progress while a job runs, and a sentence of what came of it.

    Signals: `changed` (it began, ended, or said something: other room is needed), `ended` (the job did).
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
        self.sentence = Text(theme)
        fill(QVBoxLayout(self), self.strip, self.sentence, spacing=4)
        self.changed.connect(self.updateGeometry)
        self.hide()

    @property
    def is_busy(self) -> bool:
        """A job runs."""
        return self._job is not None

    def run(self, title: str, work: Work[Result], done: Done[Result]) -> None:
        """Begin a job; `done` follows with what it returned, in the window's thread. What it raises is said here."""
        self.release()
        job = self.session.jobs.start(title, work, lambda result: self._done(result, done), self.refuse)
        self._job = job
        self.sentence.say("")
        self.strip.follow(job)
        self.strip.show()
        self.show()
        self.changed.emit()
        job.ended.connect(partial(self._end, job))

    def refuse(self, error: Exception) -> None:
        """Say why it cannot be; what nobody foresaw goes to the window."""
        if isinstance(error, (RecorderError, OSError)):
            self.tell(error_sentence(error), "info" if isinstance(error, NothingToDo) else "error")
        else:
            self.session.jobs.failed.emit(error)

    def tell(self, words: str, kind: str = "error") -> None:
        """Say a sentence, or nothing."""
        self.sentence.say(words, kind)
        announce(self, words)
        self.setVisible(bool(words) or self.is_busy)
        self.changed.emit()

    def tell_done(self, words: str, losses: Sequence[LostPackets]) -> None:
        """Say what was done, and what was lost with it."""
        if not losses:
            self.tell(words, "fine")
            return
        if words.endswith((".", "。")):
            sentence = words
        else:
            sentence = say("{text}.", text=words)
        self.tell(listed((sentence, loss_text(losses)), "sentences"), "warning")

    def cancel(self) -> None:
        """Ask the job to stop."""
        if self._job is not None:
            self._job.cancel()

    def release(self) -> None:
        """Stop the job, and hear no more of it."""
        self.cancel()
        self.strip.follow(None)
        self._job = None

    def stop(self) -> None:
        """Stop the job and wait for its thread: what it reads from is about to be closed."""
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
        # Whoever shows this may have gone meanwhile; then it has let go of its job.
        if self._job is job:
            self._job = None
            self.strip.hide()
            self.setVisible(bool(self.sentence.text()))
            self.changed.emit()
            self.ended.emit()
