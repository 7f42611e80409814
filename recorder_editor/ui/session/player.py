"""Playback: the frame to show now, by the clock.

The recording's own times decide how long a frame stays. When the timer is a little late, frames are shown late and none
is left out, but panes of text do not follow until playback has caught up; when it is later, frames are skipped, and
playback never slows down. Knows no widget.
"""

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from ...recording import Snapshot
from . import Session

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""The speeds that `faster` and `slower` step through."""

_MS_PER_TICK = 16
_MS_TO_CATCH_UP = 8  # long enough to be painted in between
_SECONDS_PER_FRAME = 0.05  # where the recording's times cannot be followed
_MS_OF_LONG_FRAMES = 48
_MOST_LATE = 0.1  # seconds
_MOST_LATE_FRAMES = 6  # consecutive frames that panes of text do not follow
_LONGEST_TICK = 1.0  # seconds; after a longer one the computer slept, or the program was stopped


class Player(QObject):
    """Plays the session's recording.

    Attributes:
        session: The session.
        is_playing: It plays now.
        speed: Recorded seconds in one, 0.1 to 16.
        is_backward: It plays backward (J).
        is_looping: It plays the in-out range, or the whole recording, again and again.

    Signals:
        changed(): Any of these is another.
    """

    changed = Signal()

    def __init__(
        self, session: Session, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Make a player that is paused.

        Args:
            session: The session.
            parent: The object that it ends with.
            clock: Returns the time, s.
        """
        super().__init__(parent)
        self.session = session
        self.is_playing = False
        self.is_backward = False
        self.is_looping = False
        self.speed = 1.0
        self._clock = clock
        self._last_tick = 0.0  # by the clock
        self._position = 0.0  # in the recording, s
        self._shown = -1
        self._late_frames = 0
        self._times: npt.NDArray[np.float64] | None = None
        self._times_of: Snapshot | None = None
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.tick)
        session.opened.connect(self.pause)

    # --- what a person asks for -------------------------------------------------------------------------

    def play(self, *, backward: bool = False) -> None:
        """Start, at the end from the beginning again; a recording of fewer than two frames is not played."""
        if self.session.frames < 2:
            return
        self.is_backward = backward
        span = self._span()
        frame = self.session.selection.frame_index
        by = self._direction()
        is_at_end = self.session.segments.next_shown(frame + by, by) not in span
        if is_at_end or (self.is_looping and frame not in span):
            start = span.stop - 1 if backward else span.start
            self.session.selection.go_to_frame(start)
        self._anchor()
        self._last_tick = self._clock()
        self.is_playing = True
        self._timer.start(_MS_PER_TICK)
        self.changed.emit()

    def pause(self) -> None:
        """Stop at the frame that is shown."""
        if self.is_playing:
            self._timer.stop()
            self.is_playing = False
            self.is_backward = False
            self.session.selection.rested.emit(self.session.selection.value)  # left out where the frame was late
            self.changed.emit()

    def toggle(self) -> None:
        """Play or pause."""
        if self.is_playing:
            self.pause()
        else:
            self.play()

    def set_speed(self, speed: float) -> None:
        """Set how many recorded seconds pass in one, within 0.1 to 16."""
        speed = min(SPEEDS[-1], max(SPEEDS[0], speed))
        if speed != self.speed:
            self.speed = speed
            self.changed.emit()

    def faster(self) -> None:
        """Set the next higher of `SPEEDS`."""
        higher = [speed for speed in SPEEDS if speed > self.speed]
        self.set_speed(min(higher, default=SPEEDS[-1]))

    def slower(self) -> None:
        """Set the next lower of `SPEEDS`."""
        lower = [speed for speed in SPEEDS if speed < self.speed]
        self.set_speed(max(lower, default=SPEEDS[0]))

    def set_looping(self, looping: bool) -> None:
        """Begin again at the end of the range, or stop there."""
        if looping != self.is_looping:
            self.is_looping = looping
            self.changed.emit()

    def shuttle(self, direction: int) -> None:
        """Play by the keys J, K and L; the same direction again takes the next higher speed.

        Args:
            direction: -1: backward, 0: stop, 1: forward.
        """
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
        passed = min(now - self._last_tick, _LONGEST_TICK) * self.speed
        self._last_tick = now
        if not self.is_playing or self.session.frames < 2:
            self.pause()
            return
        if self.session.selection.frame_index != self._shown or self.session.snapshot is not self._times_of:
            self._anchor()
        self._position += self._direction() * passed
        times = self._seconds()
        span = self._span()
        first = float(times[span.start])
        end = self._end_of(span)
        is_over = not first <= self._position < end
        if is_over and self.is_looping and end > first:
            self._position = first + (self._position - first) % (end - first)
            is_over = False
        if not is_over:
            due = int(np.searchsorted(times, self._position, side="right")) - 1
        elif self.is_backward:
            due = span.start
        else:
            due = span.stop - 1
        wanted = self._without_skipping(due)
        shown = self._next_shown(wanted, span)
        if shown is None:
            self.pause()
            return
        if shown != wanted:  # segments leave frames out: go on from behind them
            self._position = float(times[shown])
            due = shown
        is_late = shown != due
        self._show(shown, is_late=is_late)
        if is_late:
            self._timer.setInterval(_MS_TO_CATCH_UP)
        elif is_over:
            self.pause()
        elif self._timer.interval() != _MS_PER_TICK:
            self._timer.setInterval(_MS_PER_TICK)

    def _direction(self) -> int:
        """Return 1, or -1 where it plays backward."""
        return -1 if self.is_backward else 1

    def _next_shown(self, index: int, span: range) -> int | None:
        """Return the first frame from this one on that segments do not leave out, in a loop also from its other end.

        Returns:
            None where the span has no such frame.
        """
        by = self._direction()
        starts = [index]
        if self.is_looping:
            starts.append(span[-1] if self.is_backward else span[0])
        for start in starts:
            frame = self.session.segments.next_shown(start, by)
            if frame in span:
                return frame
        return None

    def _without_skipping(self, index: int) -> int:
        """Return the frame to show when this one is due; where a late tick would skip short frames, an earlier one.

        Frames that last less than a tick are skipped evenly; long ones only by ticks that are very late.
        """
        by = self._direction()
        frames = (index - self._shown) * by
        if frames < 2:
            return index
        times = self._seconds()
        seconds = abs(float(times[index] - times[self._shown]))
        milliseconds_each = seconds / frames / self.speed * 1000
        if not _MS_PER_TICK <= milliseconds_each < _MS_OF_LONG_FRAMES:
            return index
        earliest = self._position - by * _MOST_LATE * self.speed
        frame = int(np.searchsorted(times, earliest, side="right")) - 1
        if self.is_backward:
            return min(self._shown - 1, frame)
        return max(self._shown + 1, frame)

    def _show(self, index: int, *, is_late: bool) -> None:
        selection = self.session.selection
        if index != selection.frame_index:
            if is_late and self._late_frames < _MOST_LATE_FRAMES:
                self._late_frames += 1
            else:
                self._late_frames = 0
            selection.skips_text_panes = self._late_frames > 0
            selection.go_to_frame(index)
            selection.skips_text_panes = False
        self._shown = selection.frame_index

    def _anchor(self) -> None:
        """Continue from the frame that is shown: a view may have moved the selection."""
        self._shown = self.session.selection.frame_index
        self._position = float(self._seconds()[self._shown])

    def _span(self) -> range:
        """Return the frames that are played: while it loops, those of the range."""
        session = self.session
        if self.is_looping and session.range.is_set:
            return session.range.frames
        return range(session.frames)

    def _end_of(self, span: range) -> float:
        """Return when the frames end, s; in a loop the last frame lasts as long as the one before."""
        times = self._seconds()
        if span.stop < len(times):
            return float(times[span.stop])
        end = float(times[-1])
        if self.is_looping:
            end += float(times[-1] - times[-2])
        return end

    def _seconds(self) -> npt.NDArray[np.float64]:
        """Return when each frame begins, s; by frame numbers where the recorded times do not rise."""
        snapshot = self.session.snapshot
        assert snapshot is not None
        if self._times is None or self._times_of is not snapshot:
            times: npt.NDArray[np.float64] = np.asarray(snapshot.elapsed, np.float64)
            steps = np.diff(times)
            rises = np.isfinite(times).all() and (steps >= 0).all() and steps.any()
            if rises:
                self._times = times
            else:
                self._times = np.arange(len(times), dtype=np.float64) * _SECONDS_PER_FRAME
            self._times_of = snapshot
        return self._times
