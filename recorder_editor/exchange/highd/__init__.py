"""highD recordings as recordings of the simulator, to be opened, edited, saved and replayed.

One idea: highD's picture axes (x right, y down) and the simulator's have the same handedness, so that nothing is
mirrored. Needs numpy alone. Knows no command line and no window.
"""

from pathlib import Path

from ...format.dialects import DIALECTS
from ...progress import SILENT, Progress
from ...recording.atomic_file import atomic_write
from ..demo import DEFAULT_DIALECT
from .read import HighdError, Traffic, read_highd
from .write import FIRST_ID, IDENTITY, Origin, frames

__all__ = [
    "DEFAULT_DIALECT",
    "DEFAULT_MAP",
    "FIRST_ID",
    "HighdError",
    "Origin",
    "Traffic",
    "import_highd",
    "read_highd",
]

DEFAULT_MAP = "highD"
"""No map of the simulator: to replay the recording there, it has to name one with room for it."""


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
    """Write highD's recording of that number in a folder as a recording; it appears under its name when it is whole.

    `origin` is where highD's origin is in the world, `start` and `stop` (left out) are seconds since its first frame.
    `progress` counts frames. Raises KeyError for a dialect that does not exist, `HighdError`,
    `Cancelled`, `SaveRefused` and OSError.
    """
    target_dialect = DIALECTS[dialect]
    traffic = read_highd(folder, number)
    with atomic_write(target) as file:
        file.writelines(frames(traffic, target_dialect, map_name, origin, start, stop, progress))
