"""Import of highD recordings.

highD's image axes (x right, y down) and the simulator's have the same handedness, so nothing is mirrored. Needs only
numpy.
"""

from pathlib import Path

from ...format.dialects import DIALECTS
from ...progress import SILENT, Progress
from ...recording.atomic_file import atomic_write
from ..demo import DEFAULT_DIALECT
from .read import HighdError, read_highd
from .write import IDENTITY, Origin, frames

__all__ = ["DEFAULT_DIALECT", "DEFAULT_MAP", "HighdError", "Origin", "import_highd"]

DEFAULT_MAP = "highD"
"""Not a map of the simulator; to be replayed, a recording has to name one that is large enough."""


def import_highd(
    folder: Path,
    number: int,
    target: Path,
    *,
    map_name: str = DEFAULT_MAP,
    origin: Origin = IDENTITY,
    start: float | None = None,
    stop: float | None = None,
    dialect: str = DEFAULT_DIALECT,
    progress: Progress = SILENT,
) -> None:
    """Convert the highD recording of a number in `folder` to a recording at `target`, atomically.

    `origin` is where highD's origin is in the world, `start` and `stop` (exclusive) are seconds since its first frame.
    `progress` counts frames. Raises KeyError for an unknown dialect, `HighdError`, `Cancelled`, `SaveRefused` and
    OSError.
    """
    target_dialect = DIALECTS[dialect]
    traffic = read_highd(folder, number)
    with atomic_write(target) as file:
        file.writelines(frames(traffic, target_dialect, map_name, origin, (start, stop), progress))
