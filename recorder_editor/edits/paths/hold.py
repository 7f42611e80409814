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
    """Return the edit that holds an actor still on its own path.

    Place, velocity, controls, wheels and walking speed are those of its path at that pace; while it is still, it has no
    velocity and brakes. The first and the last frame do not change. Attached actors with a Position move with it.

    Args:
        recording: The recording, which is not changed.
        life: The life to hold.
        frames: Frame indices; None: its whole life.
        ease_in: Seconds at the beginning within which it brakes; 0: at once.
        ease_out: Seconds at the end within which it catches up; 0: at once.
        progress: Reports progress and cancels.

    Raises:
        EditError: It is a traffic actor or has no Position, easing does not fit into the frames, or times do not rise.
        NothingToDo: It is still already.
    """
    snapshot = recording.snapshot
    moved = MovedActors(snapshot, [life], frames)
    moved.refuse_without_path()
    held = _HeldActor(moved, timing(snapshot, life, moved.frames, ease_in=ease_in, ease_out=ease_out), ease_out)
    return moved.edit(
        "hold_actor", N_("Hold {actors}"), held, progress, change_block=held.visit, ease_in=ease_in, ease_out=ease_out
    )


def paced(times: FloatArray, ease_in: float, ease_out: float) -> tuple[FloatArray, FloatArray]:
    """Return times on the recorded path, and paces; both are continuous if the easing is not 0.

    Args:
        times: Seconds, rising, shape (n,).
        ease_in: Seconds at the beginning within which the pace falls to 0; it fits into the times with `ease_out`.
        ease_out: Seconds at the end within which the path catches up.

    Returns:
        The time on the recorded path (s) at each time, and the pace, 1 as recorded, 0 while the actor is still; shape
        (n,) each.
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
    path[[0, -1]] = times[[0, -1]]
    pace[[0, -1]] = 1.0
    return path, pace


class Timing(NamedTuple):
    """The timing of a held actor.

    Attributes:
        span: Frame indices.
        times: Their times (s).
        path: The time on the recorded path in each of them (s; see `paced`).
        pace: The pace in each of them (see `paced`).
    """

    span: range
    times: FloatArray
    path: FloatArray
    pace: FloatArray

    def source(self, frame: int) -> int:
        """Return the index of the recorded frame with the pose that the actor has in a frame (index)."""
        if frame not in self.span:
            return frame
        index = frame - self.span.start
        sources, _ = locate(self.times, self.path[index : index + 1])
        return self.span.start + int(sources[0])


def timing(snapshot: Snapshot, life: Life, frames: range, ease_in: float, ease_out: float) -> Timing:
    """Return the timing of a life that is held within frames.

    Args:
        snapshot: The recording.
        life: The life to hold.
        frames: Frame indices.
        ease_in: Seconds within which it brakes.
        ease_out: Seconds within which it catches up.

    Raises:
        EditError: It is there in fewer than three frames, easing does not fit into them, or times do not rise.
    """
    span = life.within(range(frames.start, min(frames.stop, len(snapshot))))
    if len(span) < 3:
        raise EditError(
            say("Actor {actor} is there in fewer than three of these frames; it cannot be held.", actor=life.actor)
        )
    weights(snapshot, span, ease_in, ease_out)  # raises for easing that does not fit
    times = elapsed_in(snapshot, span)
    path, pace = paced(times, ease_in, ease_out)
    return Timing(span=span, times=times, path=path, pace=pace)


class _HeldActor(FollowedPath):
    """The change of a held life."""

    def __init__(self, moved: MovedActors, timing: Timing, ease_out: float) -> None:
        """Prepare the change; raises `NothingToDo` if the actor stands still already."""
        super().__init__(moved, timing.span, timing.times, path=timing.path, ratio=timing.pace)
        end_of_braking = timing.times[-1] - ease_out + HIT
        self._brakes = np.where(timing.times < end_of_braking, 1.0 - timing.pace, 0.0)
        if not self.settle().any():
            raise NothingToDo(say("Actor {actor} stands still in these frames already.", actor=moved.lives[0].actor))

    def control(self, table: StructuredArray, index: IndexArray) -> None:
        """Brake until it catches up."""
        brakes = self._brakes[index].astype("<f4")
        table["throttle"] = np.where(brakes > 0, np.float32(0.0), table["throttle"])
        recorded = table["brake"]
        table["brake"] = np.where(brakes > recorded, brakes, recorded)
