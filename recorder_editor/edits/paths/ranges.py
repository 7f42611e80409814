"""Moving lives rigidly over a range of frames: by an offset and a turn, or to a place; eased so that nothing jumps."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import EditError
from ...progress import SILENT, Progress
from ...recording.actors import Actors
from ...recording.history import Edit, Intent
from ...recording.lives import Life
from ...recording.snapshot import Snapshot
from ..intents import moment, name_lives, seconds
from ..place import RecordingLike
from .carry import MovedActors, elapsed_in
from .motion import Motion, Numbers, Reals, centimetres, eased, need_measures

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

    `frames` are indices (None: whole lives). Without a pivot each path turns about where its actor is in the first of
    them. Within `ease_in` seconds of the range's start the change grows from nothing, within `ease_out` of its end it
    goes back to nothing. Velocities turn with the path and take on what the easing adds to its own. A range that holds
    the birth moves the EventAdd too; who has no Position is moved by the EventAdd, at once (an offset from a parent: so
    that it is moved by that in the first of the frames; not at all where the parent is among the lives). Attached
    actors with positions of their own go along. Raises `EditError` for traffic actors and where nothing would be moved.
    """
    snapshot = recording.snapshot
    need_measures("A path is moved by numbers of metres and degrees.", *offset, turn, *(pivot or ()))
    cargo = MovedActors(snapshot, lives, frames)
    if pivot is not None or not turn:
        centre = np.array([centimetres(axis) for axis in pivot or (0.0, 0.0)])
        pivots: Mapping[int, Reals] | Reals = centre
    else:
        pivots = _where_they_are(snapshot, cargo)
    shift = np.array([centimetres(axis) for axis in offset])
    arguments: dict[str, Any] = {"offset": list(offset), "turn": turn, "pivot": list(pivot) if pivot else None}
    verb = "Turn" if turn and not any(offset) else "Move"
    intent = Intent("move_actors", arguments)
    return _rigid(snapshot, cargo, verb, intent, shift, turn, pivots, (ease_in, ease_out), progress)


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
    """The edit that puts the first life at `location` (m; None: stays) and `yaw` (degrees) in frame `at` (index).

    Its path over `frames` goes along as it is, and so do those of the other lives, as one body. Easing, velocities and
    errors as in `move_actors`; raises `EditError` as well where the actor is not alive in that frame.
    """
    snapshot = recording.snapshot
    given = [value for value in (*location, yaw) if value is not None]
    need_measures("A place is numbers of metres, a heading a number of degrees.", *given)
    if not given:
        raise EditError("No place and no heading is named.")
    cargo = MovedActors(snapshot, lives, frames, at)
    first = lives[0]
    standing = Actors.of(snapshot).world_at(at).of(first.actor) if 0 <= at < len(snapshot) else None
    if standing is None or standing.life.index != first.index:
        raise EditError(f"Actor {first.actor} is not alive in frame {at + 1}.", frame=at + 1)
    if at not in cargo.frames and first not in cargo.still:
        raise EditError(f"Frame {at + 1} is not among the frames that are to be moved.", frame=at + 1)
    rests = first in cargo.still and first.index not in cargo.mounts
    there = first.transform if rests else standing.transform
    pose = np.array(there, np.float64)
    wanted = zip(location, pose[:3].tolist(), strict=True)
    shift = np.array([0.0 if to is None else centimetres(to) - be for to, be in wanted])
    turn = 0.0 if yaw is None else yaw - float(pose[5])
    if not (np.isfinite(shift).all() and math.isfinite(turn) and (not turn or np.isfinite(pose[:2]).all())):
        raise EditError(
            f"Actor {first.actor} has no finite place and heading in frame {at + 1}, so its path cannot be moved.",
            frame=at + 1,
        )
    arguments = {"at": moment(snapshot, at), "location": list(location), "yaw": yaw}
    intent = Intent("place_actors", arguments)
    return _rigid(snapshot, cargo, "Place", intent, shift, turn, pose[:2], (ease_in, ease_out), progress)


def _rigid(
    snapshot: Snapshot,
    cargo: MovedActors,
    verb: str,
    intent: Intent,
    shift: Reals,
    turn: float,
    pivots: Mapping[int, Reals] | Reals,
    easing: tuple[float, float],
    progress: Progress,
) -> Edit:
    weight, rate = weights(snapshot, cargo.frames, *easing)
    table, numbers = _pivots(pivots, len(Actors.of(snapshot)))

    def pivot(frames: Numbers, lives: Numbers) -> tuple[Reals, Reals]:
        points = table[numbers[lives]]
        return points[:, 0], points[:, 1]

    motion = Motion(
        cargo.frames.start, weight * turn, weight[:, None] * shift, rate * turn, rate[:, None] * shift, pivot
    )
    at_once = Motion(None, np.array([turn]), shift[None], np.zeros(1), np.zeros((1, 3)), pivot)
    splices = cargo.move(motion, at_once, progress)
    arguments = {
        "actors": name_lives(snapshot, cargo.lives),
        **intent.arguments,
        "ease_in": easing[0],
        "ease_out": easing[1],
        **seconds(snapshot, cargo.frames, cargo.lives),
    }
    return Edit(label(verb, cargo), snapshot.version, splices, intent=Intent(intent.operation, arguments))


def weights(snapshot: Snapshot, frames: range, ease_in: float, ease_out: float) -> tuple[Reals, Reals]:
    """`eased` over the times of the frames; raises `EditError` for easing that is none or does not fit in."""
    need_measures("A change is eased over a number of seconds.", ease_in, ease_out)
    if ease_in < 0 or ease_out < 0:
        raise EditError("A change is eased over 0 seconds or more.")
    if not ease_in and not ease_out:
        return np.ones(len(frames)), np.zeros(len(frames))
    times = elapsed_in(snapshot, frames, rising=True)
    span = float(times[-1] - times[0]) if len(times) else 0.0
    # A microsecond too much is none: elapsed is summed up of floats.
    if ease_in + ease_out > span + 1e-6:
        raise EditError(
            f"Easing over {ease_in:g} s and {ease_out:g} s does not fit into the {span:g} s of these frames; take more "
            "frames, or ease faster."
        )
    return eased(times, ease_in, ease_out)


def label(verb: str, cargo: MovedActors, what: str = "") -> str:
    """What History shows: whom, and over how many frames."""
    others = len(cargo.lives) - 1
    more = f" and {others:,} other{'s' if others > 1 else ''}" if others else ""
    frames = len(cargo.chosen.frames)
    return f"{verb} {cargo.lives[0].actor}{more}{what}" + (f" over {frames:,} frames" if frames > 1 else "")


def _where_they_are(snapshot: Snapshot, cargo: MovedActors) -> dict[int, Reals]:
    """Places (x, y, cm) of everybody who moves, in the first frame of the range, or at birth; who is attached turns
    about the one he is attached to."""
    actors = Actors.of(snapshot)
    at = cargo.frames.start
    standing = actors.world_at(at).actors if 0 <= at < len(snapshot) and len(cargo.frames) else ()
    now = {one.life.index: one.transform for one in standing}
    found: dict[int, Reals] = {}
    still = {life.index for life in cargo.still}
    for index in (*(life.index for life in cargo.lives), *cargo.chosen.spans):
        life = actors.lives[index]
        rests = index in still and index not in cargo.mounts
        place = life.transform if rests else now.get(index, life.transform)
        found[index] = np.array(place[:2])
    chosen = {life.index for life in cargo.lives}
    for index in cargo.chosen.spans.keys() - chosen:
        above: Life | None = actors.lives[index]
        for _ in range(len(cargo.chosen.spans)):
            above = actors.parent_of(above) if above is not None else None
            if above is not None and above.index in chosen:
                found[index] = found[above.index]
                break
    return found


def _pivots(pivots: Mapping[int, Reals] | Reals, lives: int) -> tuple[Reals, Numbers]:
    """Points, and which of them each life turns about."""
    if not isinstance(pivots, Mapping):
        return pivots[None], np.zeros(lives, np.int64)
    numbers = np.zeros(lives, np.int64)
    numbers[list(pivots)] = np.arange(len(pivots))
    return np.array(list(pivots.values())).reshape(-1, 2), numbers
