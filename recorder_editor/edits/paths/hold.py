"""Holding an actor still: within a range of frames it follows its recorded path at another pace.

It brakes, stops and catches up, so that its pose in the first and last frame is the recorded one. Its records are those
of the time at which it was at that point of its path, with speeds scaled by the pace.
"""

from typing import NamedTuple

import numpy as np

from ...arrays import FloatArray, IndexArray, StructuredArray
from ...errors import EditError, NothingToDo
from ...progress import SILENT, Progress
from ...reading import Life
from ...recording import Edit, RecordingLike, Snapshot
from ...texts import N_, say
from ..interpolation import HIT, locate
from .followed import FollowedPath
from .moved_actors import MovedActors, elapsed_in
from .ranges import weights


def hold_actor(
    recording: RecordingLike,
    life: Life,
    frames: range | None = None,
    *,
    ease_in: float = 1.0,
    ease_out: float = 1.0,
    progress: Progress = SILENT,
) -> Edit:
    """The edit that holds an actor still within `frames` (indices; None: its whole life), on its own path.

    It brakes within the first `ease_in` seconds and catches up within the last `ease_out` seconds; 0 is at once. Place,
    velocity, controls, wheels and walking speed are those of its path at that pace; while it is still, it has no
    velocity and brakes. The first and the last frame do not change. Attached actors with a Position move with it.
    Raises `EditError` for traffic actors, for an actor without Position, for easing that does not fit into the frames,
    and if times do not rise; `NothingToDo` if it is still already.
    """
    moved = MovedActors(recording.snapshot, [life], frames)
    moved.refuse_without_path()
    held = _HeldActor(moved, timing(recording.snapshot, life, moved.frames, ease_in, ease_out), ease_out)
    code = N_("Hold {actors}")
    return moved.edit("hold_actor", code, held, progress, extra=held.visit, ease_in=ease_in, ease_out=ease_out)


def paced(times: FloatArray, ease_in: float, ease_out: float) -> tuple[FloatArray, FloatArray]:
    """The time on the recorded path at each time, and the pace: 1 as recorded, 0 while it is still.

    Both are continuous if the easing is not 0. `times` rise, and the easing fits into them.
    """
    start = float(times[0])
    end = float(times[-1])
    halt = start + ease_in / 2
    path = np.full(len(times), halt)
    pace = np.zeros(len(times))
    braking = times < start + ease_in
    if ease_in > 0:
        u = (times[braking] - start) / ease_in
        path[braking] = start + ease_in * (u - u**3 + u**4 / 2)
        pace[braking] = 1.0 - u * u * (3.0 - 2.0 * u)
    late = times > end - ease_out
    if ease_out > 0:
        # The pace is a rise from 0 to 1 plus a bow that covers the rest of the path.
        u = (times[late] - end) / ease_out + 1.0
        bow = (end - halt) / ease_out - 0.5
        path[late] = halt + ease_out * (u**3 - u**4 / 2 + bow * u**3 * (10.0 - 15.0 * u + 6.0 * u * u))
        pace[late] = u * u * (3.0 - 2.0 * u) + bow * 30.0 * (u * (1.0 - u)) ** 2
    path[[0, -1]], pace[[0, -1]] = times[[0, -1]], 1.0
    return path, pace


class Timing(NamedTuple):
    """The timing of a held actor: `span` (frame indices), `times` (s), `path` and `pace` (see `paced`)."""

    span: range
    times: FloatArray
    path: FloatArray
    pace: FloatArray

    def source(self, frame: int) -> int:
        """The recorded frame whose pose it has in this frame."""
        at = frame - self.span.start
        if frame in self.span:
            return self.span.start + int(locate(self.times, self.path[at : at + 1])[0][0])
        return frame


def timing(snapshot: Snapshot, life: Life, frames: range, ease_in: float, ease_out: float) -> Timing:
    """The timing of a life that is held within frames. Raises `EditError` if that is not possible."""
    span = life.within(range(frames.start, min(frames.stop, len(snapshot))))
    if len(span) < 3:
        raise EditError(
            say("Actor {actor} is there in fewer than three of these frames; it cannot be held.", actor=life.actor)
        )
    weights(snapshot, span, ease_in, ease_out)  # raises for easing that does not fit
    times = elapsed_in(snapshot, span)
    return Timing(span, times, *paced(times, ease_in, ease_out))


class _HeldActor(FollowedPath):
    """The change of a held life. Raises `NothingToDo` if it stands still already."""

    def __init__(self, moved: MovedActors, timing: Timing, ease_out: float) -> None:
        span, times, path, pace = timing
        super().__init__(moved, span, times, path, pace)
        self._brakes = np.where(times < times[-1] - ease_out + HIT, 1.0 - pace, 0.0)
        if not self.settle().any():
            raise NothingToDo(say("Actor {actor} stands still in these frames already.", actor=moved.lives[0].actor))

    def control(self, table: StructuredArray, at: IndexArray) -> None:
        """Brake until it catches up."""
        brakes = self._brakes[at].astype("<f4")
        table["throttle"] = np.where(brakes > 0, np.float32(0.0), table["throttle"])
        table["brake"] = np.where(brakes > table["brake"], brakes, table["brake"])
