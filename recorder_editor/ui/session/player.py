"""Playback: which frame it is now, by the clock.

The recording's own times decide how long a frame stays. A timer that is a little late shows the frames late and leaves
none out, but the panes of text until it has caught up; one that is later skips frames and never slows down. Knows no
widget.
"""

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from ...recording import Snapshot
from . import Session

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""What `faster` and `slower` go through."""

_MS_PER_TICK = 16
_MS_TO_CATCH_UP = 8  # long enough to be painted in between
_SECONDS_PER_FRAME = 0.05  # where the recording's times cannot be followed
_MS_OF_LONG_FRAMES = 48
_MOST_LATE = 0.1  # seconds
_MOST_HURRIED = 6  # frames one after the other that the panes of text are left out of
_LONGEST_TICK = 1.0  # the computer slept, or the program was stopped: go on from there


class Player(QObject):
    """Plays the session's recording.

    Attributes: `is_playing`, `speed` (0.1 to 16), `is_backward` (J), `is_looping` (the in-out range, or all of it).
    Signals: `changed` (one of these is another now).
    """

    changed = Signal()

    def __init__(
        self, session: Session, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`clock` gives seconds."""
        super().__init__(parent)
        self.session = session
        self.is_playing = False
        self.is_backward = False
        self.is_looping = False
        self.speed = 1.0
        self._clock = clock
        self._last = 0.0
        self._at = 0.0
        self._shown = -1
        self._hurried = 0
        self._times: npt.NDArray[np.float64] | None = None
        self._times_of: Snapshot | None = None
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.tick)
        session.opened.connect(self.pause)

    # --- what a person asks for -------------------------------------------------------------------------

    def play(self, *, backward: bool = False) -> None:
        """Start; at the end, from the beginning again. One frame, or none, is nothing to play."""
        if self.session.frames < 2:
            return
        self.is_backward = backward
        span = self._span()
        frame = self.session.selection.frame_index
        by = -1 if backward else 1
        at_end = self.session.segments.next_shown(frame + by, by) not in span
        if at_end or (self.is_looping and frame not in span):
            self.session.selection.go_to_frame(span.stop - 1 if backward else span.start)
        self._anchor()
        self._last = self._clock()
        self.is_playing = True
        self._timer.start(_MS_PER_TICK)
        self.changed.emit()

    def pause(self) -> None:
        """Stop where it is."""
        if self.is_playing:
            self._timer.stop()
            self.is_playing = False
            self.is_backward = False
            self.session.selection.rested.emit(self.session.selection.value)  # may not have been told
            self.changed.emit()

    def toggle(self) -> None:
        """Play or pause."""
        if self.is_playing:
            self.pause()
        else:
            self.play()

    def set_speed(self, speed: float) -> None:
        """How many recorded seconds pass in one."""
        speed = min(SPEEDS[-1], max(SPEEDS[0], speed))
        if speed != self.speed:
            self.speed = speed
            self.changed.emit()

    def faster(self) -> None:
        """The next speed."""
        self.set_speed(next((speed for speed in SPEEDS if speed > self.speed), SPEEDS[-1]))

    def slower(self) -> None:
        """The speed before."""
        self.set_speed(next((speed for speed in reversed(SPEEDS) if speed < self.speed), SPEEDS[0]))

    def set_looping(self, looping: bool) -> None:
        """Begin again at the end of the range."""
        if looping != self.is_looping:
            self.is_looping = looping
            self.changed.emit()

    def shuttle(self, direction: int) -> None:
        """J (-1), K (0), L (1): backward, stop, forward; the same direction again doubles the speed."""
        if direction == 0:
            self.pause()
            self.set_speed(1.0)
        elif self.is_playing and self.is_backward == (direction < 0):
            self.faster()
        else:
            self.set_speed(1.0)
            self.play(backward=direction < 0)

    # --- the clock --------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Show the frame of this moment."""
        now = self._clock()
        passed = min(now - self._last, _LONGEST_TICK) * self.speed
        self._last = now
        if not self.is_playing or self.session.frames < 2:
            self.pause()
            return
        if self.session.selection.frame_index != self._shown or self.session.snapshot is not self._times_of:
            self._anchor()
        self._at += -passed if self.is_backward else passed
        times = self._seconds()
        span = self._span()
        first = float(times[span.start])
        end = self._end_of(span)
        is_over = not first <= self._at < end
        if is_over and self.is_looping and end > first:
            self._at = first + (self._at - first) % (end - first)
            is_over = False
        if is_over:
            if self.is_backward:
                index = span.start
            else:
                index = span.stop - 1
        else:
            index = int(np.searchsorted(times, self._at, side="right")) - 1
        late = self._not_skipping(index)
        shown = self._on(late, span)
        if shown is None:
            self.pause()
            return
        if shown != late:
            self._at = float(times[shown])
            index = shown
        self._show(shown, is_late=shown != index)
        if shown != index:
            self._timer.setInterval(_MS_TO_CATCH_UP)
        elif is_over:
            self.pause()
        elif self._timer.interval() != _MS_PER_TICK:
            self._timer.setInterval(_MS_PER_TICK)

    def _on(self, index: int, span: range) -> int | None:
        """The first frame from this one on that segments do not leave out, in a loop also from its other end."""
        by = -1 if self.is_backward else 1
        starts = (index, span[0 if by > 0 else -1]) if self.is_looping else (index,)
        return next((on for start in starts if (on := self.session.segments.next_shown(start, by)) in span), None)

    def _not_skipping(self, index: int) -> int:
        """The frame of this moment; of short ones that a late tick would leave out, the first that may still be shown.

        Frames that last less than a tick are left out evenly; long ones are only by ticks that are late by much.
        """
        by = -1 if self.is_backward else 1
        frames = (index - self._shown) * by
        if frames < 2:
            return index
        times = self._seconds()
        lasts = abs(float(times[index] - times[self._shown])) / frames / self.speed * 1000
        if not _MS_PER_TICK <= lasts < _MS_OF_LONG_FRAMES:
            return index
        earlier = self._at - by * _MOST_LATE * self.speed
        frame = int(np.searchsorted(times, earlier, side="right")) - 1
        if by > 0:
            return max(self._shown + 1, frame)
        return min(self._shown - 1, frame)

    def _show(self, index: int, *, is_late: bool) -> None:
        selection = self.session.selection
        if index != selection.frame_index:
            if is_late and self._hurried < _MOST_HURRIED:
                self._hurried = self._hurried + 1
            else:
                self._hurried = 0
            selection.skips_text_panes = self._hurried > 0
            selection.go_to_frame(index)
            selection.skips_text_panes = False
        self._shown = selection.frame_index

    def _anchor(self) -> None:
        """Go on from the frame that is shown: somebody else may have moved there."""
        self._shown = self.session.selection.frame_index
        self._at = float(self._seconds()[self._shown])

    def _span(self) -> range:
        """The frames that are played: while it loops, those of the range."""
        session = self.session
        if self.is_looping and session.range.is_set:
            return session.range.frames
        return range(session.frames)

    def _end_of(self, span: range) -> float:
        times = self._seconds()
        if span.stop < len(times):
            return float(times[span.stop])
        return float(times[-1]) + (float(times[-1] - times[-2]) if self.is_looping else 0.0)

    def _seconds(self) -> npt.NDArray[np.float64]:
        """When each frame begins; by frame numbers where the recorded times do not rise."""
        snapshot = self.session.snapshot
        assert snapshot is not None
        if self._times is None or self._times_of is not snapshot:
            times: npt.NDArray[np.float64] = np.asarray(snapshot.elapsed, np.float64)
            steps = np.diff(times)
            rises = bool(np.isfinite(times).all()) and bool((steps >= 0).all()) and bool(steps.any())
            if rises:
                self._times = times
            else:
                self._times = np.arange(len(times), dtype=np.float64) * _SECONDS_PER_FRAME
            self._times_of = snapshot
        return self._times
