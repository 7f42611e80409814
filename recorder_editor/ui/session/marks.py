"""Frames that one view marks for all others: what a repair would leave out, where the filter found something."""

from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from ...recording import Snapshot
from .state import SessionState

T = TypeVar("T", int, range)


class FrameMarks(QObject, Generic[T]):
    """Frames or ranges of frames, rising, of the state that is shown; an edit leaves none. Signal: `changed`."""

    changed = Signal()

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._state = state
        self._marked: tuple[Snapshot | None, tuple[T, ...]] = (None, ())

    @property
    def frames(self) -> tuple[T, ...]:
        """Those that are marked; of another state than the present one, none."""
        if self._marked[0] is self._state.snapshot:
            return self._marked[1]
        return ()

    def set(self, frames: tuple[T, ...]) -> None:
        """Mark these, and no others."""
        before = self.frames
        self._marked = (self._state.snapshot, frames)
        if frames != before:
            self.changed.emit()


def bytes_of(snapshot: Snapshot, frames: tuple[range, ...]) -> list[tuple[int, int]]:
    """Ranges of frames as spans of bytes."""
    row_of = snapshot.table.row_of_frame
    return [(snapshot.position(row_of(one.start)), snapshot.position(row_of(one[-1]) + 1)) for one in frames]
