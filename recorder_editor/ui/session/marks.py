"""Frames that one view marks for all others: those that a repair would leave out, and the matches of the filter."""

from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from ...recording import Snapshot
from .state import SessionState

T = TypeVar("T", int, range)


class FrameMarks(QObject, Generic[T]):
    """Frames or ranges of frames, rising, of the state that is shown; an edit leaves none.

    Signals:
        changed(): Others are marked, or after an edit none are looked for again.
    """

    changed = Signal()

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._state = state
        self._snapshot: Snapshot | None = None
        self._frames: tuple[T, ...] = ()

    @property
    def frames(self) -> tuple[T, ...]:
        """The frames that are marked in the state that is shown."""
        if self._snapshot is self._state.snapshot:
            return self._frames
        return ()

    @property
    def is_marking(self) -> bool:
        """Whether any are marked, or were in the state before an edit: they are looked for again."""
        return len(self._frames) > 0

    def set(self, frames: tuple[T, ...]) -> None:
        """Mark these, and no others."""
        before = (self.frames, self.is_marking)
        self._snapshot = self._state.snapshot
        self._frames = frames
        if (self.frames, self.is_marking) != before:
            self.changed.emit()


def byte_spans(snapshot: Snapshot, frames: tuple[range, ...]) -> list[tuple[int, int]]:
    """Return ranges of frames as spans of bytes `(start, stop)`, as positions in the file."""
    spans = []
    for frame_range in frames:
        first_row = snapshot.table.row_of_frame(frame_range.start)
        last_row = snapshot.table.row_of_frame(frame_range[-1])
        spans.append((snapshot.position(first_row), snapshot.position(last_row + 1)))
    return spans
