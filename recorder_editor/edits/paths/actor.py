"""Moving and turning one actor: an offset over a range of frames, with everything that must go along."""

from collections.abc import Callable

import numpy as np

from ...errors import EditError
from ...recording.history import Edit, Intent
from ...recording.lives import Life
from ..intents import name_lives, seconds
from ..place import HasSnapshot
from .carry import Cargo
from .motion import Motion, Numbers, Reals

Point = tuple[float, float, float]


def move_actor(
    recording: HasSnapshot, life: Life, frames: range, *, offset: Point = (0.0, 0.0, 0.0), turn: float = 0.0,
    pivot: tuple[float, float] | None = None, progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Edit:  # fmt: skip
    """The edit that shifts an actor's path by `offset` (cm, world axes), turned by `turn` degrees about `pivot`.

    `frames` are indices from 0; `pivot` is (x, y) in cm and needed for a turn. Velocities turn with the path; a range
    that holds the birth moves the EventAdd too; an actor without Position has only that (an offset from a parent: so
    that it is moved by that in the first of the frames). Attached actors with positions of their own go along. Raises
    `EditError` for traffic actors (the simulator finds them by their place) and where nothing is to be moved.
    """
    snapshot = recording.snapshot
    cargo = Cargo(snapshot, [life], frames)
    if turn and pivot is None:
        raise EditError("A turn needs a point to turn about.")
    x, y = pivot or (0.0, 0.0)

    def about(frames: Numbers, lives: Numbers) -> tuple[Reals, Reals]:
        return np.full(len(frames), x), np.full(len(frames), y)

    motion = Motion(None, np.array([turn]), np.array([offset]), np.zeros(1), np.zeros((1, 3)), about)
    splices = cargo.move(motion, motion, progress, cancel)
    verb = "Turn" if turn and not any(offset) else "Move"
    arguments = {
        "actors": name_lives(snapshot, [life]), "offset": list(offset), "turn": turn,
        "pivot": list(pivot) if pivot else None, **seconds(snapshot, cargo.frames, [life]),
    }  # fmt: skip
    count = len(cargo.chosen.frames)
    over = f" over {count:,} frames" if count > 1 else ""
    return Edit(f"{verb} {life.actor}{over}", snapshot.version, splices, intent=Intent("move_actor", arguments))
