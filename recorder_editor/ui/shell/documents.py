"""Opening, saving and closing: what is asked before, what is said afterwards. Draws nothing but dialogs."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Signal
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from ... import resources
from ...errors import Cancelled, SaveRefused, SourceChanged, SourceReplaced
from ...progress import Progress
from ...recording import atomic_write
from ...recording.recovery import Leftover, Restored
from ...simulator.road_maps import SUFFIX
from ...texts import say
from ...views.units import size_text
from ..session import Session
from ..session.debounce import Debounce
from ..session.file_watcher import ComparedFileWatcher, FileWatcher
from ..session.jobs import Job
from ..session.preferences import KEEPS_BACKUP
from ..session.settings import Settings, recent_of
from ..style.boxes import Does
from ..style.theme import Theme
from ..widgets.file_dialogs import ask_open, ask_save, edited_path

if TYPE_CHECKING:
    from ..dialogs.error import ErrorReport, Remedy

DEMO_SECONDS = 30.0
_TABLES = (".csv", ".tsv", ".parquet", ".pq", ".mcap")
"""Endings of files of trajectories that no recording has."""


class Documents(QObject):
    """The file of one window.

    Attributes: `watcher` (what others do to the file), `compared_watcher` (the same of the file that it is compared
    with), `window` (the parent of dialogs).

    Signals: `began(Job)` (a file is being read, or made), `restore_asked(Leftover)` (restore it in another window),
    `restore_ended()` (with or without success), `library_asked()`,
    `recents_changed()`, `window_asked(str)` (open this path in another window), `import_asked(Path)` (a file of
    trajectories is to be imported).
    """

    began = Signal(object)
    restore_asked = Signal(object)
    restore_ended = Signal()
    library_asked = Signal()
    recents_changed = Signal()
    window_asked = Signal(str)
    import_asked = Signal(object)

    def __init__(self, session: Session, settings: Settings, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.session = session
        self.settings = settings
        self.theme = theme
        self.window = window
        self._job: Job | None = None
        self._is_saving = False
        self.watcher = FileWatcher(session, lambda: self.is_busy, self)
        self.watcher.grew.connect(self.reload)
        self.compared_watcher = ComparedFileWatcher(session.comparison, lambda: self.is_busy, self)
        session.opened.connect(self.watcher.watch)
        # A file is written: the first picture does not wait for it.
        self._remember_soon = Debounce(self, self._remember)
        session.opened.connect(self._remember_soon.begin)
        session.background.trajectories_changed.connect(self._remember_paths)
        session.jobs.failed.connect(self._job_failed)

    def look_at_disk(self) -> None:
        """Say so where the file under the name is no longer the one that is open."""
        if not self.is_busy:
            self.watcher.check_file()

    def _job_failed(self, error: Exception) -> None:
        if isinstance(error, (SourceChanged, SourceReplaced)):
            self.look_at_disk()
        else:
            self.tell(say("A job failed"), error)

    @property
    def path(self) -> Path | None:
        """The file that is open."""
        if self.session.recording is not None:
            return self.session.recording.path
        return None

    @property
    def is_busy(self) -> bool:
        """A file is being read or written."""
        return self._job is not None

    # --- opening ----------------------------------------------------------------------------------------

    def ask_open(self, then: Does = bool) -> None:
        """Let a person choose a file and open it; `then` follows when it is open."""
        ask_open(self.window, say("Open a recording"), self.folder, partial(self.open, then=then))

    def open(self, path: Path, then: Does = bool) -> None:
        """Open a file in this window, as a job; unsaved edits are asked about before. `then` follows."""
        if self.is_busy:
            self.session.refused.emit(say("Another file is being read or written; cancel that first."))
            return
        self.before_losing_edits(lambda: self._open(path, then))

    def _open(self, path: Path, then: Does) -> None:
        job = self.session.open_later(path, lambda error: self._not_opened(error, path))
        self._start(job)
        job.ended.connect(partial(self._opened, job, path, then))

    def _opened(self, job: Job, path: Path, then: Does) -> None:
        if job.is_cancelled:
            self.session.drop_half_read()
        elif self.path == path and self.session.is_complete:
            then()

    def _not_opened(self, error: Exception, path: Path) -> None:
        self.tell(say("{name} could not be opened", name=path.name), error, path)

    def ask_compare(self) -> None:
        """Let a person choose another recording to compare this one with."""
        ask_open(self.window, say("Compare with"), self.folder, self.compare)

    def compare_with_disk(self) -> None:
        """Compare what this window holds with the file that now stands under its name."""
        if self.path is not None:
            self.compare(self.path)

    def compare_again(self) -> None:
        """Read the other recording of the comparison again, and compare with it as it is now."""
        if self.session.comparison.other is not None:
            self.compare(self.session.comparison.other.path)

    def compare(self, path: Path) -> None:
        """Open another recording beside this one and list what differs, as a job."""

        def failed(error: Exception) -> None:
            self.tell(say("{name} could not be compared", name=path.name), error, path)

        if self.session.is_complete:
            self.session.comparison.begin_later(path, failed)

    def ask_append(self) -> None:
        """Let a person choose another recording that should follow this one."""
        ask_open(self.window, say("Append recording"), self.folder, self.append)

    def append(self, path: Path) -> None:
        """Show what comes of it when another recording follows this one, and let a person do it."""
        # Loaded when somebody asks for it: the window starts without.
        from ..dialogs.append import AppendDialog

        if self.session.is_complete:
            AppendDialog(self.session, self.theme, path, self.window).open_()
        else:
            self.session.refused.emit(say("The file is still being read; try again when that is done."))

    def dropped(self, paths: list[Path]) -> None:
        """Files were dropped: into an empty window they go, beside an open recording it is asked where.

        A road map becomes that of the open recording, or of the one that is dropped with it. A table is imported.
        """
        maps = [path for path in paths if path.suffix.lower() == SUFFIX]
        paths = [path for path in paths if path not in maps]
        if maps and self.session.is_complete:
            self.session.roads.choose(maps[0])
        elif maps and paths:
            self.session.roads.give(maps[0])
        elif maps:
            self.session.refused.emit(say("Open a recording first; then drop its road map."))
        tables = [path for path in paths if path.suffix.lower() in _TABLES]
        if tables:
            self.import_asked.emit(tables[0])
            return
        if not paths:
            return
        first = paths[0]
        if self.session.snapshot is None:
            self.open(first)
        else:
            answers: tuple[tuple[str, Does], ...] = (
                (say("Open here"), lambda: self.open(first)),
                (say("New window"), lambda: self.window_asked.emit(str(first))),
                (say("Compare"), lambda: self.compare(first)),
                (say("Append"), lambda: self.append(first)),
                (say("Cancel"), lambda: None),
            )
            from ..dialogs.base import Question

            question = Question(self.theme, answers, self.window)
            question.setMinimumWidth(self.theme.px(540))
            if self.path is not None:
                shown = self.path.name
            else:
                shown = say("another recording")
            words = say("This window shows {shown}.", shown=shown)
            question.say(say("Open"), say("Open {name}?", name=first.name), words)
            question.open_()
        for path in paths[1:]:
            self.window_asked.emit(str(path))

    def reload(self) -> None:
        """Read the file again, and stay where one is in it; unsaved edits are asked about before."""
        if not self.is_busy:
            self.before_losing_edits(self._reload)

    def _reload(self) -> None:
        path = self.path
        if path is not None:
            self._start(self.session.reload_later(lambda error: self._not_opened(error, path)))

    def close(self, then: Does = lambda: None) -> None:
        """Close the recording and show the start page, or what follows."""

        def go() -> None:
            if self.session.snapshot is not None:
                self.session.jobs.cancel_all()
                self.session.show_none()
                self.session.state_changed.emit()
            then()

        self.before_losing_edits(go)

    # --- after a crash ----------------------------------------------------------------------------------

    def restore(self, leftover: Leftover, then: Does = bool) -> None:
        """Open a recording with the edits that a crash left; in another window where this one shows another file.

        `then` follows when it is open here.
        """
        if self._job is not None:
            self._job.ended.connect(partial(self.restore, leftover, then))
        elif self.session.snapshot is None or self.path == leftover.path:
            self.before_losing_edits(partial(self._restore, leftover, then))
        else:
            self.restore_asked.emit(leftover)

    def _restore(self, leftover: Leftover, then: Does) -> None:
        name = leftover.path.name

        def work(progress: Progress) -> Restored:
            result = leftover.restore(progress)
            if progress.is_cancelled:
                result.recording.release()
                raise Cancelled
            return result

        def done(result: Restored) -> None:
            self.session.show(result.recording)
            then()
            if result.warning:
                from ..dialogs.error import ErrorReport

                heading = say("Not all edits of {name} could be restored", name=name)
                self.show_error(heading, ErrorReport(result.warning, file=str(leftover.path)))

        def failed(error: Exception) -> None:
            self.tell(say("The edits of {name} were not restored", name=name), error, leftover.path)

        job = self.session.jobs.start(say("Restoring {name}", name=name), work, done, failed)
        self._start(job)
        job.ended.connect(self._end_restoring)

    def _end_restoring(self) -> None:
        self.restore_ended.emit()

    # --- a demo -----------------------------------------------------------------------------------------

    def ask_demo(self) -> None:
        """Let a person choose a name, write a demo recording there and open it."""
        place = _documents() / "demo-town.log"
        ask_save(self.window, say("Make a demo recording"), place, self.make_demo)

    def make_demo(self, path: Path, seconds: float = DEMO_SECONDS) -> None:
        """Write a recording of a small town as a job, and open it."""

        def failed(error: Exception) -> None:
            self.tell(say("{name} could not be written", name=path.name), error, path)

        def done(whole: bool) -> None:
            self._job = None
            if whole:
                self.open(path)

        work = demo_writer(path, seconds)
        self._start(self.session.jobs.start(say("Making a demo recording"), work, done, failed))

    # --- saving -----------------------------------------------------------------------------------------

    def save(self, then: Does | None = None) -> None:
        """Save over the open file, as a job; `then` follows when it is done. The sample stays as it came."""
        if self.path is not None and resources.is_own_file(self.path):
            self.ask_save_as(then, _documents() / self.path.name)
            return
        self._save(None, then)

    def ask_save_as(self, then: Does | None = None, suggested: Path | None = None) -> None:
        """Let a person choose another name, and save there.

        Args:
            then: What follows when it is saved.
            suggested: The name to begin with; without one that of an edited copy beside the open file.
        """
        if self.path is not None:
            place = suggested or edited_path(self.path)
            ask_save(self.window, say("Save as"), place, lambda path: self._save(path, then))

    def _save(self, target: Path | None, then: Does | None) -> None:
        path = target or self.path
        if path is None or self.is_busy:
            return

        def done(differs: str) -> None:
            self._job = None
            self.watcher.watch()
            self._remember()
            if self.session.snapshot is not None:
                size = size_text(self.session.snapshot.size)
                words = say("Saved {file}, {size}, {differs}.", file=path.name, size=size, differs=differs)
                self.session.informed.emit(words)
            if then is not None:
                then()

        def failed(error: Exception) -> None:
            remedy = None
            if isinstance(error, (SaveRefused, SourceChanged, OSError)):
                remedy = (say("Save as..."), lambda: self.ask_save_as(then))
            self.tell(say("{name} was not saved", name=path.name), error, path, remedy)

        job = self.session.editing.save_later(target, failed, done, backup=self.settings[KEEPS_BACKUP])
        self._start(job, saving=True)

    def wait_for_saving(self, then: Does) -> bool:
        """True while a file is being saved: `then` follows when that is over."""
        if self._job is None or not self._is_saving:
            return False
        self._job.ended.connect(partial(self._follow_saving, then))
        return True

    def _follow_saving(self, then: Does) -> None:
        then()

    # --- before it is too late --------------------------------------------------------------------------

    def before_losing_edits(self, go: Does) -> None:
        """Do something that closes the recording; where edits or notes would be lost, ask first."""
        if not self.ask_before_losing(go):
            go()

    def ask_before_losing(self, go: Does) -> bool:
        """Where edits, notes or settings would be lost, ask what becomes of them, and let `go` follow; else False."""
        self._end_typing()
        recording = self.session.recording
        if recording is None or not recording.is_modified:
            return self._ask_of_notes(go)
        from ..dialogs.closing import ClosePrompt, unsaved

        name = recording.path.name
        then = partial(self._go_on, self._ask_of_notes, go)
        ClosePrompt(self.theme, name, unsaved(recording.history), lambda: self.save(then), then, self.window).open_()
        return True

    def before_reopening(self, go: Does) -> None:
        """Do something that closes the window and keeps its edits; where notes or settings would be lost, ask first."""
        self._end_typing()
        self._go_on(self._ask_of_notes, go)

    def _end_typing(self) -> None:
        """Take what is still being typed into a line: it is an edit or a note, too."""
        line: QWidget | None = QApplication.focusWidget()  # the stub leaves None out
        if isinstance(line, QLineEdit):
            line.clearFocus()

    def _go_on(self, ask: Callable[[Does], bool], go: Does) -> None:
        if not ask(go):
            go()

    def _ask_of_notes(self, go: Does) -> bool:
        notes = self.session.notes
        recording = self.session.recording
        if recording is None or notes.finish():
            return self._ask_of_settings(go)
        from ..dialogs.closing import UnwrittenPrompt

        again = partial(self._go_on, self._ask_of_notes, go)
        discard = partial(self._go_on, self._ask_of_settings, go)
        prompt = UnwrittenPrompt(self.theme, again, discard, self.window)
        prompt.ask_of_notes(recording.path.name, notes.unwritten, notes.reason)
        return True

    def _ask_of_settings(self, go: Does) -> bool:
        self.session.segments.keep()
        if self.settings.is_written or self.settings.write():
            return False
        from ..dialogs.closing import UnwrittenPrompt

        again = partial(self._go_on, self._ask_of_settings, go)
        UnwrittenPrompt(self.theme, again, go, self.window).ask_of_settings(self.settings.path)
        return True

    def tell(
        self, heading: str, error: BaseException, path: Path | None = None, remedy: "Remedy | None" = None
    ) -> None:
        """Say what went wrong."""
        from ..dialogs.error import error_report

        self.show_error(heading, error_report(error, path or self.path, is_kept=self.session.is_kept), remedy)

    def show_error(self, heading: str, report: "ErrorReport", remedy: "Remedy | None" = None) -> None:
        """Say what went wrong, in these words."""
        from ..dialogs.error import ErrorDialog

        ErrorDialog(self.theme, heading, report, remedy, self.window).open_()

    # --- small things -----------------------------------------------------------------------------------

    def _start(self, job: Job, *, saving: bool = False) -> None:
        self._job = job
        self._is_saving = saving
        job.ended.connect(partial(self._end, job))
        if not saving:
            self.began.emit(job)

    def _end(self, job: Job) -> None:
        if self._job is job:
            self._job = None

    def _remember_paths(self) -> None:
        """Note the paths driven of the file; those with unsaved edits are none of it."""
        if self.session.background.trajectories is not None and not self.session.is_modified:
            self._remember()

    def _remember(self) -> None:
        recording = self.session.recording
        if recording is not None and (recording.saved.header is not None or len(recording.saved)):
            survey = None
            if not recording.is_modified:
                survey = self.session.background.trajectories
            self.settings.remember(recent_of(recording, survey))
            self.recents_changed.emit()
        elif self.session.snapshot is None:
            self.recents_changed.emit()

    @property
    def folder(self) -> Path:
        """Where files are looked for first."""
        if self.path is not None:
            return self.path.parent
        return _documents()


def _documents() -> Path:
    """The folder of documents; in a home without one, a file dialog would take its name for that of a file."""
    place = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    if place.is_dir():
        return place
    return Path.home()


def demo_writer(path: Path, seconds: float) -> Callable[[Progress], bool]:
    """What writes a demo recording, as a job: False, and no file, where it was cancelled; errors as `atomic_write`."""
    # A town of seventeen modules: the window does not wait for them when it starts.
    from ...demo import make_town

    steps = round(seconds / 0.05) + 1

    def write(progress: Progress) -> bool:
        with suppress(Cancelled), atomic_write(path, overwrite=True, is_recording=True) as file:
            for step, piece in enumerate(make_town(seconds)):
                file.write(piece)
                progress.update(min(step, steps), steps)
            return True
        return False

    return write
