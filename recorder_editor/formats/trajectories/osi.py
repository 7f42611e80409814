"""Import of ASAM OSI files, as those of omega-prime. They are read by `osi_file`, loaded when used."""

from collections.abc import Iterator
from pathlib import Path

from ...errors import MapError
from ...progress import Progress
from ...roads import RoadMap, read_road_map
from ..import_format import ImportFormat
from ..osi import packages_missing
from .options import RecordingOptions
from .recording import recording_pieces

_MAGIC = b"\x89MCAP0\r\n"


class OsiImport(ImportFormat[RecordingOptions]):
    """Messages GroundTruth of ASAM OSI in MCAP.

    Attributes:
        suffixes: The endings of its files, in lower case.
    """

    name = "osi"
    title = "OSI"
    options = RecordingOptions
    suffixes = (".mcap",)

    def recognises(self, path: Path) -> bool:
        """Return whether a file is in MCAP; what it holds is known when it was read.

        Args:
            path: The file.

        Raises:
            OSError: It cannot be read.
        """
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC

    def pieces(self, source: Path, options: RecordingOptions, progress: Progress) -> Iterator[bytes]:
        """Yield the bytes of the recording, with heights of the road map in the file where it tells none.

        Args:
            source: The file.
            options: As of every import of trajectories.
            progress: Counts the bytes that are read, then rows.

        Raises:
            ExportError: The packages that it needs are not installed.
            RecorderError: The file is damaged or holds no road users, or the options do not fit it.
            Cancelled: The user stopped it.
            OSError: It cannot be read.
        """
        try:
            from .osi_file import OsiFile
        except ImportError:
            raise packages_missing() from None
        osi = OsiFile(source, progress)
        roads = _road_map(osi.road_map) if osi.needs_ground else None
        yield from recording_pieces(osi.trajectories, options, progress, roads=roads)


def _road_map(text: str) -> RoadMap | None:
    """Return the road map in a file; None without a sound one, since all but heights is known without it."""
    if not text:
        return None
    try:
        return read_road_map(text.encode())
    except MapError:
        return None
