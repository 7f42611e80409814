"""Frames, seconds and pixels: one axis for every lane. No widget."""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..errors import EditError
from ..recording import Snapshot
from ..texts import say
from .units import AS_STORED, Units, seconds_of, time_text

Reals = np.ndarray[tuple[int], np.dtype[np.float64]]
Integers = np.ndarray[tuple[int], np.dtype[np.int64]]
FEWEST = 4.0
_STEPS = (1.0, 2.0, 5.0)
_CLOCK_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400)
_CLOCK_PIXELS = 84.0
_LEAST_SHARE = 2.0**-40
_LATEST = 1e100  # s: the squares and spans of later moments are endless
_HALF_A_MILLISECOND = 0.0005  # what is written with three decimals stands for all times that are written like that


class Tick(NamedTuple):
    """A place on the ruler and what stands there."""

    time: float
    text: str


@dataclass(frozen=True, eq=False)
class Axis:
    """Where frames are.

    Attributes: `times` (of every frame: seconds, or frame numbers where the recorded seconds do not rise),
    `in_seconds`, `low`/`high` (what is in sight), `left`/`width` (pixels), `units` (how moments are
    written).
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
        """When the recording begins."""
        if len(self.times):
            return float(self.times[0])
        return 0.0

    @property
    def last(self) -> float:
        """When the last frame begins, and a step more, so that it has a place of its own."""
        if len(self.times):
            return self.end_of(len(self.times) - 1)
        return 1.0

    @property
    def right(self) -> float:
        """The pixel at which it ends."""
        return self.left + self.width

    def end_of(self, frame: int) -> float:
        """When a frame ends."""
        if frame + 1 < len(self.times):
            return float(self.times[frame + 1])
        if len(self.times) > 1:
            step = float(self.times[-1] - self.times[-2])
        else:
            step = 1.0
        return float(self.times[-1]) + max(step, 1e-3)

    def x(self, time: float) -> float:
        """The pixel of a moment."""
        return self.left + (time - self.low) / (self.high - self.low) * self.width

    def xs(self, times: Reals) -> Reals:
        """The same for arrays."""
        return self.left + (times - self.low) / (self.high - self.low) * self.width

    def time(self, x: float) -> float:
        """The moment under a pixel."""
        return self.low + (x - self.left) / self.width * (self.high - self.low)

    def frame(self, x: float) -> int:
        """The frame under a pixel."""
        found = int(np.searchsorted(self.times, self.time(x), side="right")) - 1
        return max(0, min(found, len(self.times) - 1))

    def nearest(self, x: float) -> int:
        """The frame boundary next to a pixel: the frame that begins there, or the number of frames for the end."""
        time = self.time(x)
        after = int(np.searchsorted(self.times, time))
        if after == 0:
            return 0
        if after < len(self.times):
            following = self.times[after]
        else:
            following = self.last
        if following - time < time - self.times[after - 1]:
            return after
        return after - 1

    def sized(self, left: float, width: float) -> "Axis":
        """In other pixels."""
        return Axis(self.times, self.in_seconds, self.units, self.low, self.high, left, max(1.0, width))

    def seeing(self, low: float, high: float) -> "Axis":
        """With another part in sight, held within the recording."""
        whole = self.last - self.first
        step = whole / max(1, len(self.times))
        span = min(max(high - low, min(whole, FEWEST * step)), whole)
        low = max(self.first, min(low, self.last - span))
        return Axis(self.times, self.in_seconds, self.units, low, low + span, self.left, self.width)

    def zoomed(self, factor: float, x: float) -> "Axis":
        """Closer by a factor; the moment under `x` stays there."""
        at = self.time(x)
        return self.seeing(at - (at - self.low) / factor, at + (self.high - at) / factor)

    def moved(self, seconds: float) -> "Axis":
        """With what lies so much later in sight."""
        return self.seeing(self.low + seconds, self.high + seconds)

    def wheeled(self, steps: float, x: float, *, along: bool) -> "Axis":
        """After notches of a wheel over a pixel: closer to it or, `along`, an eighth of what is in sight back each."""
        if along:
            return self.moved(-steps * (self.high - self.low) / 8)
        return self.zoomed(1.25**steps, max(self.left, min(x, self.right)))

    def written_in(self, units: Units) -> "Axis":
        """With moments as these units have them."""
        return replace(self, units=units)

    def whole(self) -> "Axis":
        """With everything in sight."""
        return self.seeing(self.first, self.last)

    @property
    def is_whole(self) -> bool:
        """Everything is in sight."""
        return self.low <= self.first and self.high >= self.last

    @property
    def has_clock(self) -> bool:
        """Moments are written as h:mm:ss."""
        return self.in_seconds and len(self.times) > 0 and self.units.has_clock(float(self.times[-1]))

    def ticks(self) -> list[Tick]:
        """Round moments, so far apart that their words do not touch; frames, where each of them has that much room."""
        if not len(self.times):
            return []
        pixels = _CLOCK_PIXELS if self.has_clock else 66.0
        first, last = self.frame(self.left), self.frame(self.left + self.width)
        if (last - first + 1) * pixels <= self.width:
            return [Tick(float(self.times[frame]), f"#{frame + 1:,}") for frame in range(first, last + 1)]
        least = (self.high - self.low) * pixels / self.width
        power = 10.0 ** math.floor(math.log10(max(least, 1e-9)))
        step = next((one * power for one in (*_STEPS, 10.0) if one * power >= least), 10 * power)
        if not self.in_seconds:
            step = max(1.0, round(step))
            numbers = range(math.ceil((self.low + 1) / step), math.floor((self.high + 1) / step) + 1)
            return [Tick(step * n - 1, f"#{round(step * n):,}") for n in numbers if n > 0]
        if self.has_clock and least > 0.5:
            step = next((one for one in _CLOCK_STEPS if one >= least), step)
        decimals = max(0, math.ceil(-math.log10(step) - 1e-9))
        numbers = range(math.ceil(self.low / step), math.floor(self.high / step) + 1)
        return [Tick(step * n, time_text(step * n, clock=self.has_clock, decimals=decimals)) for n in numbers]

    def label(self, time: float) -> str:
        """A moment in words."""
        if not self.in_seconds:
            return f"#{int(time) + 1:,}"
        return self.units.time_label(time, float(self.times[-1]))

    def label_of(self, frame: int) -> str:
        """When a frame begins, in words."""
        return self.label(float(self.times[frame]))

    def frames_in_sight(self) -> range:
        """The frames of which something is in sight."""
        if not len(self.times):
            return range(0)
        return range(self.frame(self.left), self.frame(self.left + self.width) + 1)

    def at(self, frames: Integers) -> Reals:
        """When frames begin; those behind the last one with it."""
        return self.times[np.clip(frames, 0, len(self.times) - 1)]

    def pixels(self, frames: Integers) -> list[int]:
        """The pixels of frames in sight, each once."""
        xs = self.xs(self.at(frames))
        seen = xs[(xs >= self.left - 1) & (xs <= self.left + self.width + 1)]
        pixels: list[int] = np.unique(seen.astype(np.int64)).tolist()
        return pixels


def joined(starts: Reals, stops: Reals) -> list[tuple[float, float]]:
    """Stretches, whose starts rise, with those that touch as one."""
    if not len(starts):
        return []
    heads = np.flatnonzero(np.append(True, starts[1:] > np.maximum.accumulate(stops)[:-1]))
    return list(zip(starts[heads].tolist(), np.maximum.reduceat(stops, heads).tolist(), strict=True))


def axis_of(snapshot: Snapshot | None) -> Axis:
    """The axis of a recording, all of it in sight; by frame numbers where its seconds are no rising row."""
    if snapshot is None or not len(snapshot):
        return Axis(np.zeros(0), True)
    times = snapshot.elapsed
    in_seconds = times_rise(times)
    made = Axis(times if in_seconds else np.arange(len(times), dtype=np.float64), in_seconds)
    return made.whole()


def times_rise(times: Reals) -> bool:
    """Whether seconds can be an axis: all of them numbers, none before the one before it, not all the same.

    A frame has to last long enough to be told from none beside the largest of them, which leaves room for sums.
    """
    if len(times):
        first, last = (float(times[0]), float(times[-1]))
    else:
        first, last = (0.0, 0.0)
    if not max(abs(first), abs(last)) <= _LATEST:
        return False
    if len(times) > 1:
        each = (last - first) / len(times)
    else:
        each = 1.0
    if not (math.isfinite(each) and each > _LEAST_SHARE * max(abs(first), abs(last))):
        return False
    with np.errstate(invalid="ignore"):
        return bool((times[1:] >= times[:-1]).all())  # never true beside what is no number


def frame_of(times: Reals, text: str, *, stop: bool) -> int:
    """The first frame at a typed time or after, or a frame as `#250`; of a `stop` the frame behind it.

    The last frame's own time as a `stop` keeps that frame.
    Raises `EditError` with a sentence.
    """
    given = text.strip()
    try:
        if given.startswith("#"):
            return int(given[1:].replace(",", "")) - (not stop)
        seconds = seconds_of(given)
    except ValueError:
        seconds = math.nan
    if math.isnan(seconds):
        raise EditError(say("Enter seconds, such as 12.5, a time as h:mm:ss, or a frame, such as #250."))
    if not times_rise(times):
        raise EditError(say("The recorded times do not increase. Enter a frame, such as #250."))
    if stop and seconds >= float(times[-1]) - _HALF_A_MILLISECOND:
        return len(times)
    return int(np.searchsorted(times, seconds - _HALF_A_MILLISECOND))
