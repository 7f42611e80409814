"""The data sets inD, rounD, exiD and uniD: three CSV files a recording, as `00_tracks.csv`, in one layout.

Places are the centres of boxes in m, y to the north; headings are degrees, counter-clockwise from x. Frames are
counted, the frame rate is in `NN_recordingMeta.csv`, the class of each track in `NN_tracksMeta.csv`. highD has another
layout.
"""

import csv
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from ...format.highd import LEAST_RATE, MOST_RATE
from ...texts import listed, say
from .delimited import LONGEST_LINE
from .trajectories import TrajectoryError

_HIGHD: Final = ("frame", "id", "x", "y", "width", "height", "xVelocity", "yVelocity")
_TRACKS = re.compile(r"(\d+)_tracks\.csv", re.ASCII)
_MOST_BYTES = 64 << 20  # of a file with one line a track


class Tracks(NamedTuple):
    """What is known of a recording besides its rows.

    Attributes:
        rate: Frames a second.
        classes: The class of each track by its id.
    """

    rate: float
    classes: Mapping[str, str]


def refuse_highd(path: Path, names: Collection[str]) -> None:
    """Refuse a file of tracks of highD, of which another importer makes a recording.

    Raises:
        TrajectoryError: It is one; the message has the command.
    """
    match = _TRACKS.fullmatch(path.name)
    if match and all(name in names for name in _HIGHD):
        raise TrajectoryError(
            say(
                "{source} is of highD: `recorder-editor import-highd {folder} {number} OUT` makes a recording of it.",
                source=path.name,
                folder=path.parent,
                number=int(match[1]),
            )
        )


def tracks_in(folder: Path) -> Path:
    """Return the file of tracks in a folder.

    Raises:
        TrajectoryError: There is none, or there are several.
        OSError: The folder cannot be read.
    """
    paths = sorted(path for path in folder.iterdir() if _TRACKS.fullmatch(path.name))
    if not paths:
        raise TrajectoryError(say("{folder} holds no table of trajectories as NN_tracks.csv.", folder=folder))
    if len(paths) > 1:
        raise TrajectoryError(
            say(
                "{folder} holds several recordings; name one of {names}.",
                folder=folder,
                names=listed([path.name for path in paths], "or"),
            )
        )
    return paths[0]


def read_tracks(path: Path) -> Tracks:
    """Read what the two files beside a file of tracks tell.

    Raises:
        TrajectoryError: A file is missing or damaged.
        OSError: It cannot be read.
    """
    match = _TRACKS.fullmatch(path.name)
    if match is None:
        raise TrajectoryError(
            say("{source} has the columns of inD, but not the name of its files, as 00_tracks.csv.", source=path.name)
        )
    recording = _lines(path.with_name(f"{match[1]}_recordingMeta.csv"), ("frameRate",))
    text = recording[0]["frameRate"]
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not LEAST_RATE <= rate <= MOST_RATE:
        raise TrajectoryError(
            say(
                "{name}, line 2: frameRate has to be a number from {least:g} to {most:,.0f}.",
                name=f"{match[1]}_recordingMeta.csv",
                least=LEAST_RATE,
                most=MOST_RATE,
            )
        )
    classes = {}
    for line in _lines(path.with_name(f"{match[1]}_tracksMeta.csv"), ("trackId", "class")):
        classes[line["trackId"].strip()] = line["class"].strip()
    return Tracks(rate, classes)


def _lines(path: Path, required: Collection[str]) -> list[dict[str, str]]:
    """The lines of a small file as dictionaries."""
    if not path.is_file():
        raise TrajectoryError(say("{path} is missing; a recording consists of three files.", path=path))
    if path.stat().st_size > _MOST_BYTES:
        raise TrajectoryError(say("{name} is too large for a file with a line for each track.", name=path.name))
    lines = []
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        names = [name.strip() for name in file.readline(LONGEST_LINE).split(",")]
        missing = [name for name in required if name not in names]
        if missing:
            raise TrajectoryError(say("{name} holds no column {names}.", name=path.name, names=listed(missing, "or")))
        try:
            for line in csv.DictReader(file, names):
                if any(line[name] is None for name in required):
                    raise TrajectoryError(say("{name} breaks off.", name=path.name))
                lines.append(line)
        except csv.Error as error:
            raise TrajectoryError(say("{name} cannot be read: {reason}.", name=path.name, reason=error)) from None
    if not lines:
        raise TrajectoryError(say("{name} holds no rows.", name=path.name))
    return lines
