"""The in-out range: the frames that are looked at as what stays, or as what goes.

What a person does to it is a step of undo; what an edit does to it belongs to the edit (`Editing`).
"""

from PySide6.QtCore import QObject, Signal

from ...texts import say
from .selection import CurrentSelection
from .state import SessionState
from .undo import MarkStep

Span = tuple[int, int] | None


def within(span: Span, frames: int) -> Span:
    """A range within so many frames; None where it is all of them."""
    if span is None or not frames:
        return None
    start = max(0, min(span[0], frames - 1))
    stop = max(start + 1, min(span[1], frames))
    if (start, stop) == (0, frames):
        return None
    return (start, stop)


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
        self._range: Span = None

    @property
    def frames(self) -> range:
        """The frames from in to out (indices, stop not included); all frames where neither is set."""
        if self._range is not None:
            return range(*self._range)
        return range(self._state.frames)

    @property
    def is_set(self) -> bool:
        """In or out is set."""
        return self._range is not None

    @property
    def value(self) -> Span:
        """In and out (the frame behind the last one); None where neither is set."""
        return self._range

    def set(self, start: int, stop: int, label: str = "", gesture: str | None = None) -> None:
        """Keep the frames `[start, stop)`: at least one, within the recording; all of them is no range.

        Args:
            start: The first frame.
            stop: The frame behind the last one.
            label: What the step is called; empty: *Set in and out points*.
            gesture: Steps of the same one in a row are one step.
        """
        if self._state.frames:
            self._change(within((start, stop), self._state.frames), label or say("Set in and out points"), gesture)

    def set_in(self, frame_index: int | None = None) -> None:
        """The range begins with this frame (the current one)."""
        index = self._selection.frame_index if frame_index is None else frame_index
        self.set(index, max(self.frames.stop, index + 1), say("Set in point"))

    def set_out(self, frame_index: int | None = None) -> None:
        """This frame (the current one) is the last of the range."""
        index = self._selection.frame_index if frame_index is None else frame_index
        self.set(min(self.frames.start, index), index + 1, say("Set out point"))

    def clear(self) -> None:
        """No in, no out."""
        self._change(None, say("Clear range"))

    def _change(self, value: Span, label: str, gesture: str | None = None) -> None:
        before = self._range
        self.put(value)
        if value != before:
            self._state.add_step(MarkStep(label, lambda _before, wanted: self.put(wanted), before, value, gesture))

    def put(self, value: Span) -> None:
        """Have this range, which is no step of undo."""
        self._range = value
        self.changed.emit()

    def set_cuts(self, cuts: bool) -> None:
        """Look at the range as what goes, or as what stays."""
        if cuts != self.cuts:
            self.cuts = cuts
            self.changed.emit()

    def forget(self) -> None:
        """No in, no out; tells nobody."""
        self._range = None
