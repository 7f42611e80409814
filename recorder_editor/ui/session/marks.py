"""Frames that one view marks for all others: what a repair would leave out, where the filter found something."""

from PySide6.QtCore import QObject, Signal

from ...recording import Snapshot
from .state import SessionState


class FrameMarks(QObject):
    """Marks of the state that is shown; an edit leaves none. Signals: `lost_changed`, `matched_changed`."""

    lost_changed = Signal()
    matched_changed = Signal()

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._state = state
        self._lost: tuple[Snapshot | None, tuple[range, ...]] = (None, ())
        self._bytes_lost: tuple[tuple[int, int], ...] = ()
        self._matched: tuple[Snapshot | None, tuple[int, ...]] = (None, ())

    @property
    def lost(self) -> tuple[range, ...]:
        """Frames that a repair which is looked at would leave out; of another state than the present one, none."""
        return self._lost[1] if self._lost[0] is self._state.snapshot else ()

    @property
    def bytes_lost(self) -> tuple[tuple[int, int], ...]:
        """The same as spans of bytes."""
        return self._bytes_lost if self._lost[0] is self._state.snapshot else ()

    def set_lost(self, frames: tuple[range, ...]) -> None:
        """Look at these frames, rising, as lost."""
        before, snapshot = self.lost, self._state.snapshot
        self._lost, self._bytes_lost = (snapshot, frames), ()
        if snapshot is not None:
            rows = (
                (snapshot.table.row_of_frame(one.start), snapshot.table.row_of_frame(one.stop - 1)) for one in frames
            )
            self._bytes_lost = tuple((snapshot.position(low), snapshot.position(high + 1)) for low, high in rows)
        if frames != before:
            self.lost_changed.emit()

    @property
    def matched(self) -> tuple[int, ...]:
        """Frames, rising, in which the filter found something; of another state than the present one, none."""
        return self._matched[1] if self._matched[0] is self._state.snapshot else ()

    def set_matched(self, frames: tuple[int, ...]) -> None:
        """Mark these frames, rising, as those in which the filter found something."""
        before = self.matched
        self._matched = (self._state.snapshot, frames)
        if frames != before:
            self.matched_changed.emit()
