"""Words of commands that do the same as the window."""

from pathlib import Path

from ..recording import Snapshot


def schema_words(path: Path, snapshot: Snapshot | None) -> list[str]:
    """The words of a command that reads a recording with the same files of packets as the window.

    The command finds accepted files beside the recording, and those in the folder of the preferences.

    Args:
        path: The recording; the command names it without its folder.
        snapshot: A state of it; None: nothing of it is read.
    """
    if snapshot is None:
        return []
    words = []
    for file in snapshot.context.packets.given:
        name = str(file.path)
        if file.path.parent == path.absolute().parent:
            name = file.path.name
        words += ["--schema", name]
    return words
