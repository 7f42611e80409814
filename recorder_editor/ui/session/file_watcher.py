"""What others do to the open file: looked at once a second, told as a sentence. Changes nothing, draws nothing.

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

MS_BETWEEN_LOOKS = 1000
Kind = Literal["", "growing", "rewritten", "replaced", "gone", "following", "unsafe", "shared"]
_State = tuple[int, int, int] | None


class News(NamedTuple):
    """What became of the file, and a sentence that says so; no `kind` and no words: it is as it was.

    `has_edits`: what was done in this window is still there, and could be kept.
    """

    kind: Kind = ""
    words: str = ""
    has_edits: bool = False


class FileWatcher(QObject):
    """Attributes: `is_following` (the file is read again whenever it became longer).

    Signals: `told(News)`, `grew` (it is followed, and there is more to read).
    """

    told = Signal(object)
    grew = Signal()

    def __init__(self, session: Session, is_busy: Callable[[], bool], parent: QObject | None = None) -> None:
        """`is_busy`: the program itself reads or writes the file, and what is there now says nothing."""
        super().__init__(parent)
        self.session = session
        self._is_busy = is_busy
        self._path: Path | None = None
        self.is_following = False
        self._seen: _State = None
        self._is_moving = self._is_shared = self._was_unsafe = False
        self._dismissed: set[Kind] = set()
        self._news = News()
        self._timer = QTimer(self, interval=MS_BETWEEN_LOOKS)
        self._timer.timeout.connect(self._look_again)
        session.state_changed.connect(self._count_edits)

    def watch(self) -> None:
        """Take the file that is open as it is now; nothing is watched where none is open."""
        recording = self.session.recording
        self._is_moving = False
        self._dismissed.clear()
        path = recording.path if recording is not None else None
        self.is_following = self.is_following and path == self._path
        self._path = path
        if recording is None:
            self._timer.stop()
            self._tell(News())
            return
        self._seen = _state(recording)
        self._is_shared = bool(other_sessions(recording))
        self._timer.start()
        words = say("{name} is reloaded whenever it grows.", name=recording.path.name)
        self._tell(News("following", words) if self.is_following else self._quiet_news(recording))

    def keep_mine(self) -> None:
        """Go on with what is open, and say no more that the file grows."""
        self._dismissed.add(self._news.kind)
        self.is_following = False
        self._tell(News())

    def follow(self) -> None:
        """Read the file again now, and whenever it became longer."""
        self.is_following = True
        self.grew.emit()

    def _look_again(self) -> None:
        """Programs write a file in several steps: only growth is told before they have come to rest."""
        recording = self.session.recording
        if recording is None or self._is_busy():
            return
        before = self._seen
        self._seen = _state(recording)
        was_moving = self._is_moving
        self._is_moving = self._seen != before
        unsafe = _is_unsafe(recording)
        if not unsafe:
            self._dismissed.discard("unsafe")
        if was_moving or self._is_moving or unsafe != self._was_unsafe:
            self._was_unsafe = unsafe
            self.look()

    def look(self) -> None:
        """Tell what became of the file."""
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
        self._tell(news if news.kind else self._quiet_news(recording))

    def _quiet_news(self, recording: Recording) -> News:
        """What is worth a sentence while the file is as it was."""
        name = recording.path.name
        if _is_unsafe(recording) and "unsafe" not in self._dismissed:
            words = say(
                "Edits of {file} would be lost in a crash: the folder {folder} is not writable. Save soon.",
                file=name,
                folder=state_folder(),
            )
            return News("unsafe", words)
        if self._is_shared and "shared" not in self._dismissed:
            words = say(
                "{file} is open in another window, too. The window that saves second will be asked for another name.",
                file=name,
            )
            return News("shared", words)
        return News()

    def _news_of(self, recording: Recording) -> News:
        store = recording.store
        name = recording.path.name
        try:
            store.verify(store.file)
        except SourceGrown:
            return News("growing", self._growing(recording))
        except SourceChanged:
            return self._rewritten(recording)
        except RecorderError:
            if not recording.path.exists():
                return News("gone", say("{name} was deleted or moved. This window still has it.", name=name))
            words = say("{file} was replaced by another file. This window still has the old one.", file=name)
            return News("replaced", words)
        return News()

    def _rewritten(self, recording: Recording) -> News:
        has_edits = recording.history.position > 0
        template = N_("Another program has rewritten {file}. What was not read before is lost.")
        if has_edits:
            template = N_(
                "Another program has rewritten {file}. What was not read before is lost; the edits are still here."
            )
        return News("rewritten", say(template, file=recording.path.name), has_edits)

    def _count_edits(self) -> None:
        """The edits that can be kept come and go with each step."""
        if self._news.kind == "rewritten" and self.session.recording is not None:
            self._tell(self._rewritten(self.session.recording))

    def _growing(self, recording: Recording) -> str:
        store = recording.store
        now = _state(recording)
        more = size_text(max(0, now[1] - store.size(store.file)) if now is not None else 0)
        template = N_("{file} is still being written: it has {more} more than this window shows.")
        if not self._is_moving:
            template = N_("{file} has grown: it has {more} more than this window shows.")
        return say(template, file=recording.path.name, more=more)

    def _tell(self, news: News) -> None:
        if news != self._news:
            self._news = news
            self.told.emit(news)


def _is_unsafe(recording: Recording) -> bool:
    return recording.journal is None or recording.journal.error is not None


def _state(recording: Recording) -> _State:
    """What tells one state of the file from another; None where it is gone."""
    try:
        status = os.stat(recording.path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
