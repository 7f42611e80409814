"""Frames, seconds and pixels: the axis that all timeline lanes share. No widget."""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..arrays import distinct
from ..errors import EditError
from ..reading.moments import frame_number, seconds_of
from ..recording import Snapshot
from ..texts import say
from .units import AS_STORED, Units, time_text

Reals = np.ndarray[tuple[int], np.dtype[np.float64]]
Integers = np.ndarray[tuple[int], np.dtype[np.int64]]
FEWEST = 4.0
_STEPS = (1.0, 2.0, 5.0, 10.0)
_CLOCK_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400)
_TICK_PIXELS = 66.0
_CLOCK_PIXELS = 84.0
_LEAST_SHARE = 2.0**-40
_LATEST = 1e100  # s: the squares and spans of later moments are endless
_HALF_A_MILLISECOND = 0.0005  # what is written with three decimals stands for all times that are written like that


class Tick(NamedTuple):
    """A tick of the ruler: its moment on the axis, and its label."""

    time: float
    text: str


@dataclass(frozen=True, eq=False)
class Axis:
    """The time axis of a recording, and the part of it that is visible.

    Attributes:
        times: Moment of each frame, float64[n]: seconds, or frame indices where the recorded seconds do not rise.
        in_seconds: Whether moments are seconds.
        units: Units in which moments are written.
        low: First visible moment.
        high: Last visible moment.
        left: Pixel of the first one.
        width: Width in pixels.
    """

    times: Reals
    in_seconds: bool
    units: Units = AS_STORED
    low: float = 0.0
    high: float = 1.0
    left: float = 104.0
    width: float = 600.0

    @property
    def first(self) -> float:
        """Moment at which the recording begins."""
        if len(self.times):
            return float(self.times[0])
        return 0.0

    @property
    def last(self) -> float:
        """Moment at which the last frame ends: one step after it begins, so that it has a width."""
        if len(self.times):
            return self.end_of(len(self.times) - 1)
        return 1.0

    @property
    def right(self) -> float:
        """Pixel at which the axis ends."""
        return self.left + self.width

    def end_of(self, frame: int) -> float:
        """Return the moment at which a frame ends."""
        if frame + 1 < len(self.times):
            return float(self.times[frame + 1])
        step = 1.0
        if len(self.times) > 1:
            step = float(self.times[-1] - self.times[-2])
        return float(self.times[-1]) + max(step, 1e-3)

    def x(self, time: float) -> float:
        """Return the pixel of a moment."""
        return self.left + (time - self.low) / (self.high - self.low) * self.width

    def xs(self, times: Reals) -> Reals:
        """Return the pixels of moments, float64[n]."""
        return self.left + (times - self.low) / (self.high - self.low) * self.width

    def time(self, x: float) -> float:
        """Return the moment at a pixel."""
        return self.low + (x - self.left) / self.width * (self.high - self.low)

    def frame(self, x: float) -> int:
        """Return the frame at a pixel; the first or last one beside the recording."""
        frame = int(np.searchsorted(self.times, self.time(x), side="right")) - 1
        return max(0, min(frame, len(self.times) - 1))

    def nearest(self, x: float) -> int:
        """Return the frame that begins nearest to a pixel; the number of frames for the end of the recording."""
        time = self.time(x)
        after = int(np.searchsorted(self.times, time))
        if after == 0:
            return 0
        next_time = self.last
        if after < len(self.times):
            next_time = self.times[after]
        if next_time - time < time - self.times[after - 1]:
            return after
        return after - 1

    def with_pixels(self, left: float, width: float) -> "Axis":
        """Return the axis with other pixels.

        Args:
            left: Pixel of the first visible moment.
            width: Width in pixels; at least 1 is used.
        """
        return replace(self, left=left, width=max(1.0, width))

    def showing(self, low: float, high: float) -> "Axis":
        """Return the axis with another visible part, which is moved and resized to lie in the recording.

        Args:
            low: First visible moment.
            high: Last visible moment.
        """
        whole = self.last - self.first
        step = whole / max(1, len(self.times))
        shortest = min(whole, FEWEST * step)
        span = min(max(high - low, shortest), whole)
        low = max(self.first, min(low, self.last - span))
        return replace(self, low=low, high=low + span)

    def zoomed(self, factor: float, x: float) -> "Axis":
        """Return the axis zoomed in by a factor; the moment at pixel `x` stays there."""
        time = self.time(x)
        return self.showing(time - (time - self.low) / factor, time + (self.high - time) / factor)

    def moved(self, seconds: float) -> "Axis":
        """Return the axis with what lies so much later in sight."""
        return self.showing(self.low + seconds, self.high + seconds)

    def after_wheel(self, steps: float, x: float, *, along: bool) -> "Axis":
        """Return the axis after a turn of the mouse wheel.

        Args:
            steps: Notches of the wheel, positive away from the user.
            x: Pixel under the pointer.
            along: Whether each notch moves the visible part by an eighth of it; else it zooms in at the pointer.
        """
        if along:
            return self.moved(-steps * (self.high - self.low) / 8)
        return self.zoomed(1.25**steps, max(self.left, min(x, self.right)))

    def in_units(self, units: Units) -> "Axis":
        """Return the axis with moments written in other units."""
        return replace(self, units=units)

    def whole(self) -> "Axis":
        """Return the axis with all of the recording visible."""
        return self.showing(self.first, self.last)

    @property
    def is_whole(self) -> bool:
        """Whether all of the recording is visible."""
        return self.low <= self.first and self.high >= self.last

    @property
    def has_clock(self) -> bool:
        """Whether moments are written as h:mm:ss."""
        return self.in_seconds and len(self.times) > 0 and self.units.has_clock(float(self.times[-1]))

    def ticks(self) -> list[Tick]:
        """Return round moments, so far apart that their labels do not touch.

        Where every visible frame has that much room these are the frames.
        """
        if not len(self.times):
            return []
        pixels = _CLOCK_PIXELS if self.has_clock else _TICK_PIXELS
        frames = self.visible_frames()
        if len(frames) * pixels <= self.width:
            return [Tick(float(self.times[frame]), f"#{frame + 1:,}") for frame in frames]
        shortest = (self.high - self.low) * pixels / self.width
        step = _round_step(shortest)
        if not self.in_seconds:
            return self._frame_ticks(max(1.0, round(step)))
        if self.has_clock and shortest > 0.5:
            for clock_step in _CLOCK_STEPS:
                if clock_step >= shortest:
                    step = clock_step
                    break
        return self._time_ticks(step)

    def _frame_ticks(self, step: float) -> list[Tick]:
        """Return ticks at multiples of so many frames."""
        ticks = []
        for number in range(math.ceil((self.low + 1) / step), math.floor((self.high + 1) / step) + 1):
            if number > 0:
                ticks.append(Tick(step * number - 1, f"#{round(step * number):,}"))
        return ticks

    def _time_ticks(self, step: float) -> list[Tick]:
        """Return ticks at multiples of so many seconds."""
        decimals = max(0, math.ceil(-math.log10(step) - 1e-9))
        ticks = []
        for number in range(math.ceil(self.low / step), math.floor(self.high / step) + 1):
            text = time_text(step * number, clock=self.has_clock, decimals=decimals)
            ticks.append(Tick(step * number, text))
        return ticks

    def label(self, time: float) -> str:
        """Return the text of a moment, as seconds, h:mm:ss or `#250`."""
        if not self.in_seconds:
            return f"#{int(time) + 1:,}"
        return self.units.time_label(time, float(self.times[-1]))

    def label_of(self, frame: int) -> str:
        """Return the text of the moment at which a frame begins."""
        return self.label(float(self.times[frame]))

    def visible_frames(self) -> range:
        """Return the frames of which something is visible."""
        if not len(self.times):
            return range(0)
        return range(self.frame(self.left), self.frame(self.left + self.width) + 1)

    def at(self, frames: Integers) -> Reals:
        """Return the moments at which frames begin, float64[n]; those behind the last frame begin with it."""
        return self.times[np.clip(frames, 0, len(self.times) - 1)]

    def pixels(self, frames: Integers) -> list[int]:
        """Return the pixels at which visible frames begin, each once."""
        xs = self.xs(self.at(frames))
        is_visible = (xs >= self.left - 1) & (xs <= self.right + 1)
        pixels: list[int] = distinct(xs[is_visible].astype(np.int64)).tolist()
        return pixels


def _round_step(shortest: float) -> float:
    """Return the smallest step of 1, 2 or 5 times a power of ten that is at least so long."""
    power = 10.0 ** math.floor(math.log10(max(shortest, 1e-9)))
    for factor in _STEPS:
        if factor * power >= shortest:
            return factor * power
    return 10 * power


def joined(starts: Reals, stops: Reals) -> list[tuple[float, float]]:
    """Join intervals that touch or overlap.

    Args:
        starts: Starts of the intervals, rising, float64[n].
        stops: Their ends, float64[n].

    Returns:
        Start and end of each interval that is left.
    """
    if not len(starts):
        return []
    begins_behind = starts[1:] > np.maximum.accumulate(stops)[:-1]
    heads = np.flatnonzero(np.append(True, begins_behind))
    ends = np.maximum.reduceat(stops, heads)
    return list(zip(starts[heads].tolist(), ends.tolist(), strict=True))


def axis_of(snapshot: Snapshot | None) -> Axis:
    """Return the axis of a recording with all of it visible; by frames where its seconds do not rise."""
    if snapshot is None or not len(snapshot):
        return Axis(np.zeros(0), in_seconds=True)
    times = snapshot.elapsed
    if times_rise(times):
        return Axis(times, in_seconds=True).whole()
    return Axis(np.arange(len(times), dtype=np.float64), in_seconds=False).whole()


def times_rise(times: Reals) -> bool:
    """Return whether seconds can be an axis: all are numbers, none is before the one before it, not all are the same.

    A frame has to last long enough to differ from none beside the largest of them, which leaves room for sums.
    """
    first = 0.0
    last = 0.0
    if len(times):
        first = float(times[0])
        last = float(times[-1])
    largest = max(abs(first), abs(last))
    if not largest <= _LATEST:  # also for NaN
        return False
    mean_step = 1.0
    if len(times) > 1:
        mean_step = (last - first) / len(times)
    if not (math.isfinite(mean_step) and mean_step > _LEAST_SHARE * largest):
        return False
    with np.errstate(invalid="ignore"):
        return bool((times[1:] >= times[:-1]).all())  # never true beside what is no number


def frame_of(times: Reals, text: str, *, stop: bool) -> int:
    """Return the frame of a typed moment.

    Args:
        times: Moment of each frame, s.
        text: Seconds, a time as h:mm:ss, or a frame as `#250` or `f250`.
        stop: Whether the frame is the end of a range: for `#250` the frame behind it is returned, and for the moment of
            the last frame the number of frames, so that the range holds that frame.

    Returns:
        Index of the first frame at that moment or after it.

    Raises:
        EditError: The text is no moment, or the times do not rise.
    """
    number = frame_number(text, least=0)
    if number is not None:
        return number if stop else number - 1
    try:
        seconds = seconds_of(text)
    except ValueError:
        seconds = math.nan
    if math.isnan(seconds):
        raise EditError(say("Enter seconds, such as 12.5, a time as h:mm:ss, or a frame, such as #250."))
    if not times_rise(times):
        raise EditError(say("The recorded times do not increase. Enter a frame, such as #250."))
    if stop and seconds >= float(times[-1]) - _HALF_A_MILLISECOND:
        return len(times)
    return int(np.searchsorted(times, seconds - _HALF_A_MILLISECOND))
