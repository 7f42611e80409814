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

    Attributes:
        jobs: The jobs of the window.
        recording: None while nothing is open, or not read to its end.
        snapshot: The state that is shown; None while nothing is.
        messages: The last sentences of `refused`, `informed` and `warned`.
        steps: The steps of undo: edits, and what was done beside the file.

    Signals:
        state_changed(): Undo, redo, modified, path, back or forward may be others.
        lanes_changed(): Lanes are found on another road map, or on none.
        refused(str): A sentence that says why something was not done.
        informed(str): A sentence that says what was done.
        written(Path): A file that another program shows was written.
        warned(str): A sentence that says what is wrong with what was done.
        announced(str): A sentence for screen readers, of what the window shows.
    """

    state_changed = Signal()
    lanes_changed = Signal()
    refused = Signal(str)
    informed = Signal(str)
    written = Signal(object)
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
        """Whether the whole file is scanned; before that it can be looked at, not changed."""
        return self.recording is not None

    @property
    def path(self) -> Path:
        """The file that is open; a default name while none is read to its end."""
        if self.recording is not None:
            return self.recording.path
        return Path("recording.log")

    @property
    def is_modified(self) -> bool:
        """Whether there is something that the file does not hold."""
        return self.recording is not None and self.recording.is_modified

    def has_edits(self) -> bool:
        """Return whether there are edits that can be undone."""
        return self.recording is not None and self.recording.history.position > 0

    def add_step(self, step: MarkStep) -> None:
        """Add a step that was just done beside the file to the history of undo."""
        self.steps.add(step)
        self.state_changed.emit()

    @property
    def is_kept(self) -> bool:
        """Whether all edits are on the disk, in the file or the journal; waits for the journal."""
        if self.recording is None or not self.recording.is_modified:
            return True
        journal = self.recording.journal
        return journal is not None and journal.flush(_JOURNAL_SECONDS)

    @property
    def frames(self) -> int:
        """The number of frames of the state that is shown."""
        if self.snapshot is not None:
            return len(self.snapshot)
        return 0

    @property
    def actors(self) -> Actors | None:
        """Lives and events of the state that is shown; None, too, where the file can no longer be read."""
        if self.snapshot is None:
            return None
        try:
            return Actors.of(self.snapshot)
        except RecorderError:
            # Views call this while they paint; that the file was rewritten is reported by what a person asks for.
            return None

    def use_lanes(self, roads: RoadMap | None, file: Path | None = None) -> None:
        """Find lanes on a road map from now on.

        Args:
            roads: The map; None: find no lanes.
            file: The file that it was read from.
        """
        if self.snapshot is not None and self.snapshot.roads is not roads:
            self.snapshot.context.use_road_map(roads, file)
            self.lanes_changed.emit()

    def snapshot_or_refuse(self) -> Snapshot:
        """Return the state that is shown, for an edit.

        Raises:
            EditError: Nothing is open, or the file is still being read.
        """
        if self.recording is None or self.snapshot is None:
            raise EditError(say("The file is still being read; it can be changed as soon as that is done."))
        return self.snapshot

    def attempt(self, action: Callable[[], object]) -> bool:
        """Call a function; an error of reading or editing is emitted as a refusal, and False returned."""
        try:
            action()
        except (RecorderError, OSError) as error:
            self.refused.emit(error_sentence(error))
            return False
        return True
