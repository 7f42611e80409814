"""The frames that statistics, histogram and XY plot tell apart: those of the range, or those that are brushed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ....arrays import BoolArray, IntArray
from ....texts import say
from ....views.time_axis import Axis

MOST_STRETCHES = 200
"""Stretches of brushed frames that are drawn one by one."""


@dataclass(frozen=True, eq=False)
class ChosenFrames:
    """Frames of a recording, of which some are chosen.

    Attributes:
        axis: The time axis.
        are_chosen: Whether each frame is chosen, bool[n].
        are_brushed: Whether they were brushed, and not chosen by In and Out.
    """

    axis: Axis
    are_chosen: BoolArray
    are_brushed: bool = False

    @property
    def all_frames(self) -> range:
        """All frames of the recording."""
        return range(len(self.are_chosen))

    @cached_property
    def frames(self) -> IntArray:
        """Indices of the chosen frames, int64[k], rising."""
        return np.flatnonzero(self.are_chosen).astype(np.int64)

    @property
    def are_all(self) -> bool:
        """Whether all frames are chosen."""
        return bool(self.are_chosen.all())

    @property
    def name(self) -> str:
        """What they are, in a word or two: brushed, or in the range."""
        if self.are_brushed:
            return say("brushed")
        return say("in the range")

    @property
    def text(self) -> str:
        """The number of frames and their moments: `142 frames, 16.000 s to 23.050 s`."""
        frames = self.frames
        if self.are_brushed:
            return say("of {count:,} brushed frames", count=len(frames))
        if self.are_all:
            return say("of all {count:,} frames", count=len(frames))
        return say(
            "of {count:,} frames, {first} to {last}",
            count=len(frames),
            first=self.axis.label_of(int(frames[0])),
            last=self.axis.label_of(int(frames[-1])),
        )

    def stretches(self) -> list[tuple[float, float]]:
        """Return the moments at which each stretch of chosen frames begins and ends; none where all are chosen.

        Where there are more than can be told apart, the shortest gaps between them are left out.
        """
        if self.are_all:
            return []
        edges = np.flatnonzero(np.diff(self.are_chosen.astype(np.int8), prepend=0, append=0))
        starts = edges[::2]
        stops = edges[1::2]
        if len(starts) > MOST_STRETCHES:
            gaps = starts[1:] - stops[:-1]
            widest = np.sort(np.argsort(gaps, kind="stable")[1 - MOST_STRETCHES :])
            starts = starts[np.append(0, widest + 1)]
            stops = stops[np.append(widest, len(stops) - 1)]
        spans = []
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
            spans.append((float(self.axis.times[start]), self.axis.end_of(stop - 1)))
        return spans
