"""What other programs do to open files: checked once a second, reported as a sentence. Changes and draws nothing.

No notification of the system is used: it is lost when the program itself saves over the file, and network folders have
none.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from ...errors import RecorderError, SourceChanged, SourceGrown
from ...recording import Recording
from ...recording.recovery import other_sessions
from ...recording.store import state_folder
from ...texts import N_, say
from ...views.units import size_text
from . import Session
from .comparison import ComparedRecording

MS_BETWEEN_CHECKS = 1000
Kind = Literal["", "growing", "rewritten", "replaced", "gone", "following", "unsafe", "shared"]
_State = tuple[int, int, int] | None
"""Inode, size (bytes) and time of the last change (ns) of the file; None where there is none."""


class FileNews(NamedTuple):
    """What became of the file.

    Attributes:
        kind: What it is; empty: the file is as it was.
        sentence: A sentence that says so.
        has_edits: What was done in this window is still there, and could be kept.
    """

    kind: Kind = ""
    sentence: str = ""
    has_edits: bool = False


class DiskWatcher(QObject):
    """Looks once a second whether the file of a recording is another one on the disk.

    Signals:
        reported(FileNews): Something else became of the file.
    """

    reported = Signal(object)

    def __init__(self, is_busy: Callable[[], bool], parent: QObject | None) -> None:
        """Make a watcher that watches nothing yet.

        Args:
            is_busy: Returns whether the program itself reads or writes a file: its state then says nothing.
            parent: The object that it ends with.
        """
        super().__init__(parent)
        self._is_busy = is_busy
        self._watched: Recording | None = None
        self._seen: _State = None
        self._is_moving = False
        self._news = FileNews()
        self._timer = QTimer(self, interval=MS_BETWEEN_CHECKS)
        self._timer.timeout.connect(self._look)

    def _begin(self, recording: Recording | None) -> None:
        """Take the file of a recording as it is now; None: watch nothing."""
        self._watched = recording
        self._is_moving = False
        if recording is None:
            self._timer.stop()
            self._report(FileNews())
        else:
            self._seen = _state(recording)
            self._timer.start()

    def _look(self) -> None:
        if self._watched is not None and not self._is_busy():
            self._check(self._watched)

    def _check(self, recording: Recording) -> None:
        """Report what became of the file, while it changes and once more when it stands still."""
        if self._moves(recording):
            self.check_file()

    def _moves(self, recording: Recording) -> bool:
        """Return whether the file has changed since it was looked at last, or did until then.

        Programs write a file in several steps: what became of it is known when it stands still.
        """
        before = self._seen
        self._seen = _state(recording)
        was_moving = self._is_moving
        self._is_moving = self._seen != before
        return was_moving or self._is_moving

    def check_file(self) -> None:
        """Report what became of the file now."""

    def _report(self, news: FileNews) -> None:
        if news != self._news:
            self._news = news
            self.reported.emit(news)


class ComparedFileWatcher(DiskWatcher):
    """Watches the file of the recording that the open one is compared with."""

    def __init__(self, comparison: ComparedRecording, is_busy: Callable[[], bool], parent: QObject | None) -> None:
        super().__init__(is_busy, parent)
        self._comparison = comparison
        comparison.changed.connect(self._follow)

    def _follow(self) -> None:
        """Watch the other file, where it is another one than before."""
        if self._comparison.other is not self._watched:
            self._report(FileNews())
            self._begin(self._comparison.other)

    def check_file(self) -> None:
        recording = self._watched
        if recording is None or self._is_moving:
            return
        name = recording.path.name
        news = FileNews()
        try:
            recording.store.verify(recording.store.file)
        except (RecorderError, OSError):
            if recording.path.exists():
                sentence = say("{name}, with which this recording is compared, has changed on the disk.", name=name)
                news = FileNews("replaced", sentence)
            else:
                sentence = say("{name}, with which this recording is compared, was deleted or moved.", name=name)
                news = FileNews("gone", sentence)
        self._report(news)


class FileWatcher(DiskWatcher):
    """Watches the file of the open recording.

    Attributes:
        session: The session whose recording is watched.
        is_following: The file is read again whenever it became longer.

    Signals:
        grew(): It is followed, and there is more to read.
    """

    grew = Signal()

    def __init__(self, session: Session, is_busy: Callable[[], bool], parent: QObject | None = None) -> None:
        """Make a watcher that watches nothing yet.

        Args:
            session: The session whose recording is watched.
            is_busy: As of `DiskWatcher`.
            parent: The object that it ends with.
        """
        super().__init__(is_busy, parent)
        self.session = session
        self._path: Path | None = None
        self.is_following = False
        self._is_shared = False
        self._was_unsafe = False
        self._dismissed: set[Kind] = set()
        session.state_changed.connect(self._count_edits)

    def watch(self) -> None:
        """Take the file that is open as it is now; nothing is watched where none is open."""
        recording = self.session.recording
        self._dismissed.clear()
        path = recording.path if recording is not None else None
        self.is_following = self.is_following and path == self._path
        self._path = path
        self._begin(recording)
        if recording is None:
            return
        self._is_shared = bool(other_sessions(recording))
        if self.is_following:
            sentence = say("{name} is reloaded whenever it grows.", name=recording.path.name)
            self._report(FileNews("following", sentence))
        else:
            self._report(self._quiet_news(recording))

    def keep_mine(self) -> None:
        """Go on with what is open, and report no more that the file grows."""
        self._dismissed.add(self._news.kind)
        self.is_following = False
        self._report(FileNews())

    def follow(self) -> None:
        """Read the file again now, and whenever it became longer."""
        self.is_following = True
        self.grew.emit()

    def _check(self, recording: Recording) -> None:
        unsafe = _is_unsafe(recording)
        if not unsafe:
            self._dismissed.discard("unsafe")
        if self._moves(recording) or unsafe != self._was_unsafe:
            self._was_unsafe = unsafe
            self.check_file()

    def check_file(self) -> None:
        """Report what became of the file, and read on where it is followed; while it changes, report growth alone."""
        recording = self.session.recording
        if recording is None:
            return
        news = self._news_of(recording)
        if news.kind == "growing":
            if self.is_following and not self.session.is_modified:
                self.grew.emit()
                return
            if "growing" in self._dismissed:
                return
        elif self._is_moving and news.kind:
            return
        self.is_following = False
        if not news.kind:
            news = self._quiet_news(recording)
        self._report(news)

    def _quiet_news(self, recording: Recording) -> FileNews:
        """Return what is worth a sentence while the file is as it was."""
        name = recording.path.name
        if _is_unsafe(recording) and "unsafe" not in self._dismissed:
            sentence = say(
                "Edits of {file} would be lost in a crash: the folder {folder} is not writable. Save soon.",
                file=name,
                folder=state_folder(),
            )
            return FileNews("unsafe", sentence)
        if self._is_shared and "shared" not in self._dismissed:
            sentence = say(
                "{file} is open in another window, too. The window that saves second will be asked for another name.",
                file=name,
            )
            return FileNews("shared", sentence)
        return FileNews()

    def _news_of(self, recording: Recording) -> FileNews:
        store = recording.store
        name = recording.path.name
        try:
            store.verify(store.file)
        except SourceGrown:
            return FileNews("growing", self._growing(recording))
        except SourceChanged:
            return self._rewritten(recording)
        except RecorderError:
            if not recording.path.exists():
                return FileNews("gone", say("{name} was deleted or moved. This window still has it.", name=name))
            sentence = say("{file} was replaced by another file. This window still has the old one.", file=name)
            return FileNews("replaced", sentence)
        return FileNews()

    def _rewritten(self, recording: Recording) -> FileNews:
        has_edits = recording.history.position > 0
        template = N_("Another program has rewritten {file}. What was not read before is lost.")
        if has_edits:
            template = N_(
                "Another program has rewritten {file}. What was not read before is lost; the edits are still here."
            )
        return FileNews("rewritten", say(template, file=recording.path.name), has_edits)

    def _count_edits(self) -> None:
        """Report anew whether there are edits that could be kept: that changes with each step."""
        if self._news.kind == "rewritten" and self.session.recording is not None:
            self._report(self._rewritten(self.session.recording))

    def _growing(self, recording: Recording) -> str:
        store = recording.store
        state = _state(recording)
        unread = 0
        if state is not None:
            unread = max(0, state[1] - store.size(store.file))
        template = N_("{file} is still being written: it has {more} more than this window shows.")
        if not self._is_moving:
            template = N_("{file} has grown: it has {more} more than this window shows.")
        return say(template, file=recording.path.name, more=size_text(unread))


def _is_unsafe(recording: Recording) -> bool:
    return recording.journal is None or recording.journal.error is not None


def _state(recording: Recording) -> _State:
    """Return what tells one state of the file from another; None where it is gone."""
    try:
        status = os.stat(recording.path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
