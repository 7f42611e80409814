"""The deprecated `move_actor`: `move_actors` in centimetres, for one actor."""

import warnings

from ...errors import EditError
from ...progress import SILENT, Progress
from ...recording.history import Edit
from ...recording.lives import Life
from ..place import RecordingLike
from .motion import CM
from .ranges import Point, move_actors


def move_actor(
    recording: RecordingLike,
    life: Life,
    frames: range,
    *,
    offset: Point = (0.0, 0.0, 0.0),
    turn: float = 0.0,
    pivot: tuple[float, float] | None = None,
    progress: Progress = SILENT,
) -> Edit:
    """Deprecated: `move_actors` with lengths in metres. Here `offset` and `pivot` are centimetres."""
    warnings.warn("move_actor takes centimetres; use move_actors, in metres", DeprecationWarning, stacklevel=2)
    if turn and pivot is None:
        raise EditError("A turn needs a point to turn about.")
    x, y, z = (axis / CM for axis in offset)
    centre = (pivot[0] / CM, pivot[1] / CM) if pivot is not None else None
    return move_actors(recording, [life], (x, y, z), turn, frames, pivot=centre, progress=progress)
