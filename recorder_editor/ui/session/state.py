"""What all parts of a session share: the recording, the snapshot that is shown, jobs and messages.

Knows no part.
"""

from collections import deque
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ...errors import EditError, RecorderError, error_sentence
from ...reading import Actors
from ...recording import Recording, Snapshot
from ...roads import RoadMap
from ...texts import say
from .jobs import Jobs
from .undo import MarkStep, UndoHistory

_MAX_MESSAGES = 20
_JOURNAL_SECONDS = 5.0


class SessionState(QObject):
    """An open recording, or the first frames of one that is being read.

    Attributes: `jobs`, `recording` (None while nothing is open), `snapshot` (what is shown; None while nothing is),
    `messages` (the last sentences of `refused`, `informed` and `warned`), `steps` (edits, and what was done
    beside the file, for undo).

    Signals: `state_changed` (undo, redo, modified, path, back, forward), `lanes_changed` (lanes are found on another
    road map, or on none), `refused(str)` (a sentence why something was not done), `informed(str)` (a sentence what was
    done), `warned(str)` (a sentence what is wrong with that), `announced(str)` (a sentence for those who
    do not see what it says).
    """

    state_changed = Signal()
    lanes_changed = Signal()
    refused = Signal(str)
    informed = Signal(str)
    warned = Signal(str)
    announced = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.jobs = Jobs(self)
        self.messages: deque[str] = deque(maxlen=_MAX_MESSAGES)
        self.refused.connect(self.messages.append)
        self.informed.connect(self.messages.append)
        self.warned.connect(self.messages.append)
        self.recording: Recording | None = None
        self.snapshot: Snapshot | None = None
        self.steps = UndoHistory()

    @property
    def is_complete(self) -> bool:
        """The whole file is scanned; before that it can be looked at, not changed."""
        return self.recording is not None

    @property
    def path(self) -> Path:
        """The file that is open; a name to write to while none was read to its end."""
        if self.recording is not None:
            return self.recording.path
        return Path("recording.log")

    @property
    def is_modified(self) -> bool:
        """There is something that the file does not hold."""
        return self.recording is not None and self.recording.is_modified

    def has_edits(self) -> bool:
        """There are edits that can be undone."""
        return self.recording is not None and self.recording.history.position > 0

    def add_step(self, step: MarkStep) -> None:
        """Let Undo take back what was just done beside the file."""
        self.steps.add(step)
        self.state_changed.emit()

    @property
    def is_kept(self) -> bool:
        """All edits are on the disk, in the file or the journal; waits for the journal."""
        journal = self.recording.journal if self.recording is not None else None
        return not self.is_modified or (journal is not None and journal.flush(_JOURNAL_SECONDS))

    @property
    def frames(self) -> int:
        """Frames of what is shown."""
        if self.snapshot is not None:
            return len(self.snapshot)
        return 0

    @property
    def actors(self) -> Actors | None:
        """Lives and events of what is shown; None, too, where the file can no longer be read."""
        try:
            if self.snapshot is not None:
                return Actors.of(self.snapshot)
            return None
        except RecorderError:
            # Views ask while they paint; that the file was rewritten is announced by whoever reads for a person.
            return None

    def use_lanes(self, roads: RoadMap | None, file: Path | None = None) -> None:
        """Find lanes on a road map from now on (None: on none); `file` is where it was read from."""
        if self.snapshot is not None and self.snapshot.roads is not roads:
            self.snapshot.context.use_road_map(roads, file)
            self.lanes_changed.emit()

    def snapshot_or_refuse(self) -> Snapshot:
        """What is shown, for an edit; raises `EditError` where nothing can be edited."""
        if self.recording is None or self.snapshot is None:
            raise EditError(say("The file is still being read; it can be changed as soon as that is done."))
        return self.snapshot

    def attempt(self, does: Callable[[], object]) -> bool:
        """Do something; a refusal is told, False then."""
        try:
            does()
        except (RecorderError, OSError) as error:
            self.refused.emit(error_sentence(error))
            return False
        return True
