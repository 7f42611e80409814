"""Opening, saving and closing: what is asked before, what is said afterwards. Draws nothing but dialogs."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QStandardPaths, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from ..errors import RecorderError, SaveRefused, SourceChanged, SourceReplaced
from ..exchange.demo import make_town
from .dialogs.asking import Question
from .dialogs.closing import ClosePrompt, unsaved
from .dialogs.trouble import Trouble, TroubleDialog, trouble_of
from .jobs import Cancel, Job, Progress
from .session import Session
from .settings import Settings, recent_of
from .theme import Theme

FILTER = "CARLA recordings (*.log *.rec);;All files (*)"
DEMO_SECONDS = 30.0
_MS_UNTIL_SETTLED = 300


class Documents(QObject):
    """The file of one window.

    Signals: `began(Job)` (a file is being read, or made), `changed_on_disk(str)` (a sentence; empty: no more),
    `recents_changed()`, `window_asked(str)` (open this path in another window).
    """

    began = Signal(object)
    changed_on_disk = Signal(str)
    recents_changed = Signal()
    window_asked = Signal(str)

    def __init__(self, session: Session, settings: Settings, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.session = session
        self.settings = settings
        self.theme = theme
        self._window = window
        self._job: Job | None = None
        self._is_saving = False
        # Programs write a file in several steps: look when they have come to rest.
        self._settle = QTimer(self, singleShot=True, interval=_MS_UNTIL_SETTLED)
        self._settle.timeout.connect(self.look_at_disk)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(lambda: self._settle.start())
        session.opened.connect(self._watch)
        session.opened.connect(self.keep_mine)
        session.opened.connect(self._remember)
        session.surveyed.connect(self._remember)
        session.jobs.failed.connect(self._job_failed)

    def _job_failed(self, error: Exception) -> None:
        if isinstance(error, (SourceChanged, SourceReplaced)):
            self.look_at_disk()
        else:
            self.tell(self.tr("A job failed"), error)

    @property
    def path(self) -> Path | None:
        """The file that is open."""
        return self.session.recording.path if self.session.recording is not None else None

    @property
    def is_busy(self) -> bool:
        """A file is being read or written."""
        return self._job is not None

    # --- opening ----------------------------------------------------------------------------------------

    def ask_open(self) -> None:
        """Let a person choose a file and open it."""
        folder = str(self.path.parent) if self.path is not None else self._documents()
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open a recording"), folder, FILTER)
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Open a file in this window, as a job; unsaved edits are asked about before."""
        if self.is_busy:
            self.session.refused.emit(self.tr("Another file is being read or written; cancel that first."))
            return
        self.before_losing_edits(lambda: self._open(path))

    def _open(self, path: Path) -> None:
        job = self.session.open_later(path, lambda error: self._not_opened(error, path))
        self._start(job)
        job.ended.connect(lambda: self._drop_the_half_read(job))

    def _drop_the_half_read(self, job: Job) -> None:
        if job.is_cancelled and self.session.recording is None and self.session.snapshot is not None:
            self.session.close()
            self.session.opened.emit()

    def _not_opened(self, error: Exception, path: Path) -> None:
        self.tell(self.tr("%1 could not be opened").replace("%1", path.name), error, path)

    def dropped(self, paths: list[Path]) -> None:
        """Files were dropped: into an empty window they go, beside an open recording it is asked where."""
        first = paths[0]
        if self.session.snapshot is None:
            self.open(first)
        else:
            answers: tuple[tuple[str, Callable[[], object]], ...] = (
                (self.tr("Open here"), lambda: self.open(first)),
                (self.tr("New window"), lambda: self.window_asked.emit(str(first))),
                (self.tr("Cancel"), lambda: None),
            )
            question = Question(self.theme, answers, self._window)
            question.setObjectName("dropQuestion")
            shown = self.path.name if self.path is not None else self.tr("another recording")
            question.say(
                self.tr("Open"), self.tr("Open %1?").replace("%1", first.name),
                self.tr("This window shows %1.").replace("%1", shown),
            )  # fmt: skip
            question.open_()
        for path in paths[1:]:
            self.window_asked.emit(str(path))

    def reload(self) -> None:
        """Read the file again; unsaved edits are asked about before."""
        path = self.path
        if path is not None:
            self.open(path)

    def close(self) -> None:
        """Close the recording and show the start page."""

        def go() -> None:
            self.session.jobs.cancel_all()
            self.session.close()
            self.session.opened.emit()
            self.session.state_changed.emit()

        self.before_losing_edits(go)

    # --- a demo -----------------------------------------------------------------------------------------

    def ask_demo(self) -> None:
        """Let a person choose a name, write a demo recording there and open it."""
        place = str(Path(self._documents()) / "demo-town.log")
        name, _ = QFileDialog.getSaveFileName(self._window, self.tr("Make a demo recording"), place, FILTER)
        if name:
            self.make_demo(Path(name))

    def make_demo(self, path: Path, seconds: float = DEMO_SECONDS) -> None:
        """Write a recording of a small town as a job, and open it."""

        def work(progress: Progress, cancel: Cancel) -> bool:
            return write_demo(path, seconds, progress, cancel)

        def failed(error: Exception) -> None:
            self.tell(self.tr("%1 could not be written").replace("%1", path.name), error, path)

        def done(whole: bool) -> None:
            self._job = None
            if whole:
                self.open(path)

        self._start(self.session.jobs.start(self.tr("Making a demo recording"), work, done, failed))

    # --- saving -----------------------------------------------------------------------------------------

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Save over the open file, as a job; `then` follows when it is done."""
        self._save(None, then)

    def ask_save_as(self, then: Callable[[], object] | None = None) -> None:
        """Let a person choose another name, and save there."""
        path = self.path
        if path is None:
            return
        name, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save as"), str(path), FILTER)
        if name:
            self._save(Path(name), then)

    def _save(self, target: Path | None, then: Callable[[], object] | None) -> None:
        path = target or self.path
        if path is None or self.is_busy:
            return

        def done() -> None:
            self._job = None
            self._watch()
            self._remember()
            self.changed_on_disk.emit("")
            if then is not None:
                then()

        def failed(error: Exception) -> None:
            remedy = None
            if isinstance(error, (SaveRefused, SourceChanged, OSError)):
                remedy = (self.tr("Save as..."), lambda: self.ask_save_as(then))
            self.tell(self.tr("%1 was not saved").replace("%1", path.name), error, path, remedy)

        self._start(self.session.save_later(target, failed, done), saving=True)

    def wait_for_saving(self, then: Callable[[], object]) -> bool:
        """True while a file is being saved: `then` follows when that is over."""
        if self._job is None or not self._is_saving:
            return False
        self._job.ended.connect(lambda: then())
        return True

    # --- before it is too late --------------------------------------------------------------------------

    def before_losing_edits(self, go: Callable[[], object]) -> None:
        """Do something that closes the recording; where edits are not saved, ask first."""
        recording = self.session.recording
        if recording is None or not recording.is_modified:
            go()
            return
        prompt = ClosePrompt(
            self.theme, recording.path.name, unsaved(recording.history), lambda: self.save(go), go, self._window
        )
        prompt.open_()

    def tell(
        self, heading: str, error: BaseException, path: Path | None = None,
        remedy: tuple[str, Callable[[], object]] | None = None,
    ) -> None:  # fmt: skip
        """Say what went wrong."""
        self.tell_trouble(heading, trouble_of(error, path or self.path), remedy)

    def tell_trouble(
        self, heading: str, trouble: Trouble, remedy: tuple[str, Callable[[], object]] | None = None
    ) -> None:
        """Say what went wrong, in these words."""
        TroubleDialog(self.theme, heading, trouble, remedy, self._window).open_()

    # --- what others do to the file ---------------------------------------------------------------------

    def look_at_disk(self) -> None:
        """Say so where the file under the name is no longer the one that is open."""
        recording = self.session.recording
        if recording is None or self.is_busy:
            return
        sentence, store = "", recording.store
        try:
            store.verify(store.file)
        except SourceChanged:
            sentence = self.tr(
                "Another program has rewritten %1. What was not read before is gone; the edits are still here."
            )
        except RecorderError:
            gone = not recording.path.exists()
            sentence = (
                self.tr("%1 is no longer there. This window still holds it.") if gone
                else self.tr("Another file now stands under the name %1. This window still holds the old one.")
            )  # fmt: skip
        self.changed_on_disk.emit(sentence.replace("%1", recording.path.name))
        self._watch()

    def keep_mine(self) -> None:
        """Go on with what is open."""
        self.changed_on_disk.emit("")

    def _watch(self) -> None:
        watched = self._watcher.files()
        wanted = [str(self.path)] if self.path is not None and self.path.exists() else []
        if watched != wanted:
            if watched:
                self._watcher.removePaths(watched)
            if wanted:
                self._watcher.addPaths(wanted)

    # --- small things -----------------------------------------------------------------------------------

    def _start(self, job: Job, *, saving: bool = False) -> None:
        self._job = job
        self._is_saving = saving
        job.ended.connect(lambda: self._end(job))
        if not saving:
            self.began.emit(job)

    def _end(self, job: Job) -> None:
        if self._job is job:
            self._job = None

    def _remember(self) -> None:
        recording = self.session.recording
        if recording is not None:
            self.settings.remember(recent_of(recording, self.session.survey))
            self.recents_changed.emit()
        elif self.session.snapshot is None:
            self.recents_changed.emit()

    def _documents(self) -> str:
        return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation) or str(Path.home())


def write_demo(path: Path, seconds: float, progress: Progress, cancel: Cancel) -> bool:
    """Write a demo recording beside its place and rename it; False, and no file, where it was cancelled."""
    steps = round(seconds / 0.05) + 1
    number, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with open(number, "wb") as file:
            for step, piece in enumerate(make_town(seconds)):
                if cancel():
                    return False
                file.write(piece)
                progress(min(step, steps), steps)
        os.chmod(name, 0o644)
        os.replace(name, path)
        return True
    finally:
        Path(name).unlink(missing_ok=True)
