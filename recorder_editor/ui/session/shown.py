"""What a window shows, looked up: the snapshot, the current row, the selected place and its actor.

Only reads; how the selection moves and what is done to the recording is the matter of the classes above.
"""

from collections import deque

from PySide6.QtCore import QObject, Signal

from ...edits.place import Place
from ...errors import RecorderError
from ...recording.actors import Actors
from ...recording.lives import Life
from ...recording.snapshot import Snapshot
from ...recording.views import Frame, Row
from ..selection import HEADER, Found, Selection, look_up, span_of

_MAX_MESSAGES = 20


class Shown(QObject):
    """A snapshot and the selection in it.

    Attributes: `snapshot` (None while nothing is open), `selection`, `row` (shown in the tree), `frame_index` (from 0;
    of a raw row the frame before it), `messages` (the last sentences of `refused` and `informed`).

    Signals: `selected(Selection)`, `state_changed` (undo, redo, modified, path, back, forward), `refused(str)` (a
    sentence why something was not done), `informed(str)` (a sentence what was done).
    """

    selected = Signal(object)
    state_changed = Signal()
    refused = Signal(str)
    informed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.messages: deque[str] = deque(maxlen=_MAX_MESSAGES)
        self.refused.connect(self.messages.append)
        self.informed.connect(self.messages.append)
        self.snapshot: Snapshot | None = None
        self.selection = Selection(Place(HEADER))
        self.row = 0
        self.frame_index = 0
        # The packet id and the actor that stay selected from frame to frame, also where they are missing.
        self._sticky: tuple[int, int | None] | None = None

    @property
    def current(self) -> Row | None:
        """The row that is shown: a frame, or a raw stretch; None where there is none."""
        if self.snapshot is None or not 0 <= self.row < self.snapshot.rows:
            return None
        return self.snapshot.row(self.row)

    @property
    def frame(self) -> Frame | None:
        """The current frame, or None where the recording has none."""
        if self.snapshot is None or not len(self.snapshot):
            return None
        return self.snapshot.frame(min(self.frame_index, len(self.snapshot) - 1))

    @property
    def frames(self) -> int:
        """Frames of what is shown."""
        return len(self.snapshot) if self.snapshot is not None else 0

    @property
    def actors(self) -> Actors | None:
        """Lives and events of what is shown; None, too, where the file can no longer be read."""
        try:
            return Actors.of(self.snapshot) if self.snapshot is not None else None
        except RecorderError:
            # Views ask while they paint; that the file was rewritten is announced by whoever reads for a person.
            return None

    @property
    def found(self) -> Found:
        """The selected place, looked up."""
        return look_up(self.snapshot, self.selection.place) if self.snapshot is not None else Found()

    @property
    def span(self) -> tuple[int, int]:
        """The selected bytes `(start, stop)`."""
        if self.snapshot is None:
            return 0, 0
        return self.selection.span or span_of(self.snapshot, self.selection.place)

    @property
    def actor(self) -> int | None:
        """The selected actor: also while its record is missing in the current frame."""
        actor = self.found.actor
        return actor if actor is not None else self._sticky[1] if self._sticky is not None else None

    @property
    def actors_selected(self) -> tuple[int, ...]:
        """All selected actors, the first one first."""
        if self.snapshot is None:
            return ()
        more = (look_up(self.snapshot, place).actor for place in self.selection.more)
        every = dict.fromkeys((self.actor, *more))
        return tuple(actor for actor in every if actor is not None)

    @property
    def life(self) -> Life | None:
        """The life of the selected actor that holds the current frame, or its nearest one."""
        actor, actors = self.actor, self.actors
        if actor is None or actors is None:
            return None
        here = actors.at(actor, self.frame_index)
        if here is not None:
            return here
        lives = actors.of_id(actor)
        return min(lives, key=lambda life: abs(life.born - self.frame_index)) if lives else None
