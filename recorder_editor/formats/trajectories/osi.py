"""Import of ASAM OSI files, as those of omega-prime. They are read by `osi_file`, loaded when used."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import MapError
from ...progress import Progress
from ...roads import RoadMap, read_road_map
from ..osi import packages_missing
from .importer import TrajectoryImport
from .options import RecordingOptions
from .recording import Written, recording_pieces
from .trajectories import Trajectories

if TYPE_CHECKING:
    from .osi_file import OsiFile

_MAGIC = b"\x89MCAP0\r\n"


class OsiImport(TrajectoryImport[RecordingOptions]):
    """Messages GroundTruth of ASAM OSI in MCAP; the road map in a file tells heights that its rows do not tell."""

    name = "osi"
    title = "OSI"
    suffixes = (".mcap",)
    options = RecordingOptions

    def recognises(self, source: Path) -> bool:
        """Return whether a file is in MCAP; what it holds is known when it was read."""
        if not source.is_file():
            return False
        with source.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC

    def load(self, source: Path, options: RecordingOptions, progress: Progress) -> Trajectories:
        """Read the moving objects of a file.

        Args:
            source: The file.
            options: What was chosen.
            progress: Counts bytes.

        Raises:
            ExportError: The packages that it needs are not installed.
            TrajectoryError: The file is damaged, or holds no road users.
            Cancelled: The user stopped it.
            OSError: It cannot be read.
        """
        return _read(source, progress).trajectories

    def _pieces(
        self, source: Path, options: RecordingOptions, progress: Progress, written: Written
    ) -> Iterator[bytes | memoryview]:
        osi = _read(source, progress.part(0.0, 0.5))
        if osi.needs_ground and options.roads is None:
            options = replace(options, roads=_road_map(osi.road_map))
        yield from recording_pieces(osi.trajectories, options, progress.part(0.5, 1.0), written=written)


def _read(source: Path, progress: Progress) -> "OsiFile":
    try:
        from .osi_file import OsiFile
    except ImportError:
        raise packages_missing() from None
    return OsiFile(source, progress)


def _road_map(text: str) -> RoadMap | None:
    """Return the road map in a file; None without a sound one, since all but heights is known without it."""
    if not text:
        return None
    try:
        return read_road_map(text.encode())
    except MapError:
        return None
