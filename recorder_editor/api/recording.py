"""An open recording, for programs: the document, and what is read of its present state."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from ..format import Dialect
from ..format.detection import force
from ..format.packet_files import read_packet_file
from ..progress import SILENT, Progress
from ..reading import Actors, Tracks
from ..recording import Recording as Document
from ..recording import Snapshot
from ..recording.packet_search import using
from ..recording.recording import open_as


class Recording(Document):
    """An open recording: a sequence of frames that edits are applied to, undone and saved.

    It has what the document has, as `path`, `snapshot`, `header`, `dialect` and `findings`, and what is read of it.
    """

    @property
    def actors(self) -> Actors:
        """The actors: lives, descriptions, parents. Read once per snapshot."""
        return Actors.of(self.snapshot)

    @property
    def tracks(self) -> Tracks:
        """Packet types as columns over frames: positions, velocities, controls, lights."""
        return Tracks(self.snapshot)


def open_recording(
    path: str | os.PathLike[str],
    progress: Progress = SILENT,
    *,
    dialect: str | Dialect | None = None,
    packets: Iterable[str | os.PathLike[str]] = (),
    first: Callable[[Snapshot], None] | None = None,
) -> Recording:
    """Open a file, however damaged.

    Args:
        path: The file.
        progress: Of the scan.
        packets: Files that describe packets of users (`*.packets.json`); those in the folder of the preferences, and
            accepted ones beside the recording, are used, too.
        dialect: Forces a dialect, or by its name or release one of `recorder_editor.format.dialects.DIALECTS`.
        first: Is called with a snapshot of the first block as soon as it is scanned.

    Raises:
        PacketFileError: A file of packets is not valid (`recorder_editor.format.packet_files`).
        OSError: The file is missing, unreadable or not a file.
        KeyError: There is no such dialect.
        Cancelled: The user cancelled it.
    """
    detection = None
    if dialect is not None:
        detection = force(dialect)
    files = [read_packet_file(Path(file).absolute()) for file in packets]
    with using(files):
        return open_as(Recording, Path(path), detection, progress, first=first)
