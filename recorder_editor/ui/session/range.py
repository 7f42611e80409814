"""The in-out range: the frames that are meant to be kept, or to be cut out.

What a person does to it is a step of undo; what an edit does to it belongs to the edit (`Editing`).
"""

from PySide6.QtCore import QObject, Signal

from ...reading.events.moments import Seconds, frames_around
from ...texts import say
from .selection import CurrentSelection
from .state import SessionState
from .undo import MarkStep

AROUND = Seconds(before=5.0, after=5.0)
"""What *Set 5 s around the cursor* keeps."""

Span = tuple[int, int] | None
"""The first frame (from 0) and the frame behind the last one; None: all frames."""


def within(span: Span, frames: int) -> Span:
    """Limit a range to so many frames; None where it is all of them."""
    if span is None or not frames:
        return None
    start = max(0, min(span[0], frames - 1))
    stop = max(start + 1, min(span[1], frames))
    if (start, stop) == (0, frames):
        return None
    return (start, stop)


class InOutRange(QObject):
    """The frames from in to out.

    A range can be proposed: handles show it, and it is the range once a person moves a handle. Edits and exports know
    nothing of it.

    Attributes:
        cuts: The range is to be cut out, not kept.

    Signals:
        changed(): The range, the proposed one, or what it is meant for, is another.
    """

    changed = Signal()

    def __init__(self, state: SessionState, selection: CurrentSelection) -> None:
        super().__init__(state)
        self._state = state
        self._selection = selection
        self.cuts = False
        self._range: Span = None
        self._proposed: Span = None

    @property
    def frames(self) -> range:
        """The frames from in to out (indices, stop not included); all frames where neither is set."""
        if self._range is not None:
            return range(*self._range)
        return range(self._state.frames)

    @property
    def is_set(self) -> bool:
        """Whether in or out is set."""
        return self._range is not None

    @property
    def value(self) -> Span:
        """In and out (the frame behind the last one); None where neither is set."""
        return self._range

    @property
    def shown(self) -> range:
        """The frames between the handles: those of the proposed range, without one as `frames`."""
        if self._proposed is not None:
            return range(*self._proposed)
        return self.frames

    @property
    def is_shown(self) -> bool:
        """Whether there is a range between the handles, proposed or set."""
        return self.is_set or self._proposed is not None

    @property
    def is_cut(self) -> bool:
        """Whether the range between the handles is to be cut out; a proposed one is to be kept."""
        return self.cuts and self.is_set and self._proposed is None

    def propose(self, frames: range | None) -> None:
        """Show a range between the handles before it is set; None, none and all frames: take the proposed one back.

        A range that is set stays between the handles, as edits and exports take it.
        """
        span = None
        if frames and not self.is_set:
            span = within((frames.start, frames.stop), self._state.frames)
        if span != self._proposed:
            self._proposed = span
            self.changed.emit()

    def set(self, start: int, stop: int, label: str = "", gesture: str | None = None) -> None:
        """Set the range: at least one frame, within the recording; all of them are no range.

        Args:
            start: The first frame.
            stop: The frame behind the last one.
            label: What the step is called; empty: *Mark in and out*.
            gesture: Steps of the same one in a row are one step.
        """
        if self._state.frames:
            span = within((start, stop), self._state.frames)
            self._change(span, label or say("Mark in and out"), gesture)

    def set_in(self, frame_index: int | None = None) -> None:
        """Make a frame the first of the range; None: the current one."""
        if frame_index is None:
            frame_index = self._selection.frame_index
        self.set(frame_index, max(self.shown.stop, frame_index + 1), say("Mark in"))

    def set_out(self, frame_index: int | None = None) -> None:
        """Make a frame the last of the range; None: the current one."""
        if frame_index is None:
            frame_index = self._selection.frame_index
        self.set(min(self.shown.start, frame_index), frame_index + 1, say("Mark out"))

    def set_around(self, frame_index: int | None = None) -> None:
        """Set the range to the frames within `AROUND` of a frame; None: of the current one."""
        if frame_index is None:
            frame_index = self._selection.frame_index
        frames = frames_around(self._state.snapshot_or_refuse(), frame_index, AROUND)
        self.set(frames.start, frames.stop)

    def put_back(self, value: Span, gesture: str) -> None:
        """Have in and out as they were before a gesture, which is no step of undo then."""
        self._change(value, say("Mark in and out"), gesture)

    def clear(self) -> None:
        """Clear in and out, as a step of undo."""
        self._change(None, say("Clear range"))

    def _change(self, value: Span, label: str, gesture: str | None = None) -> None:
        before = self._range
        self.put(value)
        if value != before:
            step = MarkStep(label, move=self._move, before=before, after=value, gesture=gesture)
            self._state.add_step(step)

    def _move(self, _present: Span, wanted: Span) -> None:
        """Undo or redo a step."""
        self.put(wanted)

    def put(self, value: Span) -> None:
        """Set the range without a step of undo."""
        self.take(value)
        self.changed.emit()

    def take(self, value: Span) -> None:
        """Set the range without a step of undo and without a signal: the caller emits it."""
        self._range = value
        self._proposed = None

    def set_cuts(self, cuts: bool) -> None:
        """Mean the range to be cut out, or to be kept."""
        if cuts != self.cuts:
            self.cuts = cuts
            self.changed.emit()

    def forget(self) -> None:
        """Clear in and out, without a signal and without a step of undo."""
        self.take(None)
