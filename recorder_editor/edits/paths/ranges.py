"""Rigid moves of lives over a range of frames: by an offset and a turn, or to a place, with easing."""

import math
from collections.abc import Sequence

import numpy as np

from ...arrays import FloatArray, IntArray
from ...errors import EditError
from ...progress import SILENT, Progress
from ...recording.actors import Actors
from ...recording.history import Edit
from ...recording.lives import Life
from ...recording.snapshot import Snapshot
from ..intents import moment
from ..place import RecordingLike
from .motion import Motion, centimetres, eased, need_measures
from .moved_actors import MovedActors, elapsed_in

Point = tuple[float, float, float]


def move_actors(
    recording: RecordingLike,
    lives: Sequence[Life],
    offset: Point = (0.0, 0.0, 0.0),
    turn: float = 0.0,
    frames: range | None = None,
    *,
    pivot: tuple[float, float] | None = None,
    ease_in: float = 0.0,
    ease_out: float = 0.0,
    progress: Progress = SILENT,
) -> Edit:
    """The edit that shifts paths by `offset` (m, world axes), turned by `turn` degrees about `pivot` (x, y, m).

    `frames` are indices (None: whole lives). Without a pivot each path is turned about the place of its actor in the
    first of them. The change grows from 0 within the first `ease_in` seconds and returns to 0 within the last
    `ease_out`. Velocities are turned with the path, and that of the easing is added. A range with the EventAdd moves
    that, too; actors without Position are moved by the EventAdd, without easing (an offset: by the change in the first
    of the frames; not if the parent is among the lives). Attached actors with a Position move along. Raises `EditError`
    for traffic actors and if nothing would move.
    """
    snapshot = recording.snapshot
    need_measures("A path is moved by numbers of metres and degrees.", *offset, turn, *(pivot or ()))
    moved = MovedActors(snapshot, lives, frames)
    if pivot is not None or not turn:
        pivots = np.full((len(Actors.of(snapshot)), 2), [centimetres(axis) for axis in pivot or (0.0, 0.0)])
    else:
        pivots = _where_they_are(snapshot, moved)
    shift = np.array([centimetres(axis) for axis in offset])
    motions = _rigid(snapshot, moved, shift, turn, pivots, ease_in, ease_out)
    return moved.edit(
        "move_actors",
        "Turn %" if turn and not any(offset) else "Move %",
        motions[0],
        progress,
        at_rest=motions[1],
        offset=list(offset),
        turn=turn,
        pivot=list(pivot) if pivot else None,
        ease_in=ease_in,
        ease_out=ease_out,
    )


def place_actors(
    recording: RecordingLike,
    lives: Sequence[Life],
    at: int,
    *,
    location: tuple[float | None, float | None, float | None] = (None, None, None),
    yaw: float | None = None,
    frames: range | None = None,
    ease_in: float = 0.0,
    ease_out: float = 0.0,
    progress: Progress = SILENT,
) -> Edit:
    """The edit that moves the first life to `location` (m; None: unchanged) and `yaw` (degrees) in frame `at` (index).

    Its path over `frames` and those of the other lives are moved by the same transform. Easing, velocities and errors
    as in `move_actors`; raises `EditError` also if the actor is not alive in that frame.
    """
    snapshot = recording.snapshot
    given = [value for value in (*location, yaw) if value is not None]
    need_measures("A place is numbers of metres, a heading a number of degrees.", *given)
    if not given:
        raise EditError("No place and no heading is named.")
    moved = MovedActors(snapshot, lives, frames, at)
    first = lives[0]
    state = Actors.of(snapshot).world_at(at).of(first.actor) if 0 <= at < len(snapshot) else None
    if state is None or state.life.index != first.index:
        raise EditError(f"Actor {first.actor} is not alive in frame {at + 1}.", frame=at + 1)
    if at not in moved.frames and first.index not in moved.without_position:
        raise EditError(f"Frame {at + 1} is not among the frames that are to be moved.", frame=at + 1)
    rests = first.index in moved.without_position and first.index not in moved.mounts
    there = first.transform if rests else state.transform
    pose = np.array(there, np.float64)
    wanted = zip(location, pose[:3].tolist(), strict=True)
    shift = np.array([0.0 if to is None else centimetres(to) - be for to, be in wanted])
    turn = 0.0 if yaw is None else yaw - float(pose[5])
    if not (np.isfinite(shift).all() and math.isfinite(turn) and (not turn or np.isfinite(pose[:2]).all())):
        raise EditError(
            f"Actor {first.actor} has no finite place and heading in frame {at + 1}, so its path cannot be moved.",
            frame=at + 1,
        )
    pivots = np.full((len(Actors.of(snapshot)), 2), pose[:2])
    motions = _rigid(snapshot, moved, shift, turn, pivots, ease_in, ease_out)
    return moved.edit(
        "place_actors",
        "Place %",
        motions[0],
        progress,
        at_rest=motions[1],
        at=moment(snapshot, at),
        location=list(location),
        yaw=yaw,
        ease_in=ease_in,
        ease_out=ease_out,
    )


def _rigid(
    snapshot: Snapshot,
    moved: MovedActors,
    shift: FloatArray,
    turn: float,
    pivots: FloatArray,
    ease_in: float,
    ease_out: float,
) -> tuple[Motion, Motion]:
    """A shift (cm) and a turn about pivots (cm, shape (lives, 2)) as two motions: with easing, and without."""

    def pivot(frames: IntArray, lives: IntArray) -> FloatArray:
        points: FloatArray = pivots[lives]
        return points

    weight, rate = weights(snapshot, moved.frames, ease_in, ease_out)
    eased_in = weight * turn, weight[:, None] * shift, rate * turn, rate[:, None] * shift
    return (
        Motion(moved.frames.start, *eased_in, pivot),
        Motion(None, np.array([turn]), shift[None], np.zeros(1), np.zeros((1, 3)), pivot),
    )


def weights(snapshot: Snapshot, frames: range, ease_in: float, ease_out: float) -> tuple[FloatArray, FloatArray]:
    """`eased` over the times of the frames. Raises `EditError` for easing that is invalid or does not fit."""
    need_measures("A change is eased over a number of seconds.", ease_in, ease_out)
    if ease_in < 0 or ease_out < 0:
        raise EditError("A change is eased over 0 seconds or more.")
    if not ease_in and not ease_out:
        return np.ones(len(frames)), np.zeros(len(frames))
    times = elapsed_in(snapshot, frames)
    span = float(times[-1] - times[0]) if len(times) else 0.0
    # A tolerance of a microsecond: elapsed is a sum of floats.
    if ease_in + ease_out > span + 1e-6:
        raise EditError(
            f"Easing over {ease_in:g} s and {ease_out:g} s does not fit into the {span:g} s of these frames; take more "
            "frames, or ease faster."
        )
    return eased(times, ease_in, ease_out)


def _where_they_are(snapshot: Snapshot, moved: MovedActors) -> FloatArray:
    """Pivots (x, y, cm; shape (lives, 2)): places in the first frame of the range, or of the EventAdd; attached actors
    have that of their parent."""
    actors = Actors.of(snapshot)
    at = moved.frames.start
    state = actors.world_at(at).actors if 0 <= at < len(snapshot) and len(moved.frames) else ()
    now = {one.life.index: one.transform for one in state}
    found = np.zeros((len(actors), 2))
    chosen = {life.index for life in moved.lives}
    for index in (*chosen, *moved.chosen.spans):
        life = actors.lives[index]
        rests = index in moved.without_position and index not in moved.mounts
        found[index] = (life.transform if rests else now.get(index, life.transform))[:2]
    for index in moved.chosen.spans.keys() - chosen:
        above: Life | None = actors.lives[index]
        for _ in range(len(moved.chosen.spans)):
            above = actors.parent_of(above) if above is not None else None
            if above is not None and above.index in chosen:
                found[index] = found[above.index]
                break
    return found
