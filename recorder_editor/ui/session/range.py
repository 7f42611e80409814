"""The in-out range: the frames that are looked at as what stays, or as what goes.

Knows the edits that were made of a range only by their numbers in the history.
"""

from PySide6.QtCore import QObject, Signal

from ...recording import Change
from .selection import CurrentSelection
from .state import SessionState


class InOutRange(QObject):
    """The frames from in to out.

    Attribute: `cuts` (the range is looked at as what goes, not as what stays). Signal: `changed`.
    """

    changed = Signal()

    def __init__(self, state: SessionState, selection: CurrentSelection) -> None:
        super().__init__(state)
        self._state = state
        self._selection = selection
        self.cuts = False
        self._range: tuple[int, int] | None = None
        self._spent: tuple[int, range] | None = None

    @property
    def frames(self) -> range:
        """The frames from in to out (indices, stop not included); all frames where neither is set."""
        return range(*self._range) if self._range is not None else range(self._state.frames)

    @property
    def is_set(self) -> bool:
        """In or out is set."""
        return self._range is not None

    def set(self, start: int, stop: int) -> None:
        """Keep the frames `[start, stop)`: at least one, within the recording; all of them is no range."""
        frames = self._state.frames
        if not frames:
            return
        start = max(0, min(start, frames - 1))
        stop = max(start + 1, min(stop, frames))
        self._range = None if (start, stop) == (0, frames) else (start, stop)
        self.changed.emit()

    def set_in(self, frame_index: int | None = None) -> None:
        """The range begins with this frame (the current one)."""
        index = self._selection.frame_index if frame_index is None else frame_index
        self.set(index, max(self.frames.stop, index + 1))

    def set_out(self, frame_index: int | None = None) -> None:
        """This frame (the current one) is the last of the range."""
        index = self._selection.frame_index if frame_index is None else frame_index
        self.set(min(self.frames.start, index), index + 1)

    def clear(self) -> None:
        """No in, no out."""
        self._range = None
        self.changed.emit()

    def spend(self, frames: range) -> None:
        """No in, no out: the last edit was made of these frames. Taking it back brings them back."""
        recording = self._state.recording
        if recording is not None and recording.history.position:
            self._spent = (recording.history.steps[recording.history.position - 1].number, frames)
        self.clear()

    def set_cuts(self, cuts: bool) -> None:
        """Look at the range as what goes, or as what stays."""
        if cuts != self.cuts:
            self.cuts = cuts
            self.changed.emit()

    def forget(self) -> None:
        """No in, no out, and nothing to bring back; tells nobody."""
        self._range = self._spent = None

    def carry(self, change: Change) -> None:
        """Follow an edit: a range that it spent comes back when it is taken back."""
        if self._spent is not None and self._state.recording is not None and change.splices:
            (number, chosen), history = self._spent, self._state.recording.history
            at, steps = history.position, history.steps
            if self._range is None and at < len(steps) and steps[at].number == number:
                self.set(chosen.start, chosen.stop)
                return
            if at and steps[at - 1].number == number and self._range == (chosen.start, chosen.stop):
                self.clear()
        if self._range is not None and self._state.frames:
            self.set(*self._range)
        elif self._range is not None:
            self.clear()
