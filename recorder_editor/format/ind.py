"""By what the tables of inD, rounD, exiD and uniD are known, which are laid out as one, but not as highD's."""

from collections.abc import Collection
from pathlib import Path
from typing import Final

from ..texts import say

COLUMNS: Final = ("recordingId", "trackId", "frame", "xCenter", "yCenter", "heading")
"""Columns of `NN_tracks.csv`."""

_LONGEST_LINE = 1 << 20


def is_of_family(names: Collection[str]) -> bool:
    """Whether a table with these columns is a file of tracks of inD, rounD, exiD or uniD."""
    return all(name in names for name in COLUMNS)


def is_family_file(path: Path) -> bool:
    """Whether a file is a file of tracks of the family, by its first line; a file that is missing is none.

    Raises:
        OSError: It cannot be read.
    """
    if not path.is_file():
        return False
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        names = [name.strip() for name in file.readline(_LONGEST_LINE).split(",")]
    return is_of_family(names)


def other_importer(path: Path) -> str:
    """Say which importer reads a file of tracks of the family."""
    return say(
        "{name} is not of highD but of the family of inD: `recorder-editor import-trajectories {path} OUT` makes a "
        "recording of it.",
        name=path.name,
        path=path,
    )
