"""Where the road map of a recording is: files with the name of its town, and the map of a running simulator."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from .. import resources
from ..errors import RecorderError, say
from ..progress import SILENT, Progress
from ..recording import atomic_write
from ..recording.store import state_folder

SUFFIX = ".xodr"
_ROOTS = ("CARLA_ROOT", "CARLA_UE4_ROOT", "UE4_CARLA")
_MAX_FOLDERS = 100_000
_PLACE = "localhost:2000"
_NAME = re.compile(r"\w[\w.-]{0,99}", re.ASCII)


class NoRoadMap(RecorderError):
    """The simulator has no map for this recording, or cannot be asked."""


class FoundMap(NamedTuple):
    """A file with a road map. Attributes: `path`, `origin` (where it was found, in words)."""

    path: Path
    origin: str


def town_of(map_name: str) -> str:
    """The town of a map: that of `/Game/Carla/Maps/Town01`, `Carla/Maps/Town01_Opt` and `Town01` is `Town01`."""
    return re.split(r"[/\\]", map_name.rstrip("/\\"))[-1].removesuffix("_Opt")


def is_same_town(one: str, other: str) -> bool:
    """Whether two maps, by name, have the same roads."""
    return bool(_names(one) & _names(other))


def _names(map_name: str) -> frozenset[str]:
    """The names, in small letters, that the file of a map may have."""
    town = town_of(map_name).lower()
    if not town:
        return frozenset()
    # The simulator has the roads of Town10 in high definition only, and calls them by both names.
    towns = {town, "town10", "town10hd"} if town in ("town10", "town10hd") else {town}
    return frozenset(name + end for name in towns for end in ("", "_opt"))


def map_cache() -> Path:
    """The folder of the maps that were taken from a simulator; it may not exist."""
    return state_folder() / "maps"


def find_road_maps(
    map_name: str,
    recording_path: Path,
    chosen: Path | None = None,
    *,
    folders: Sequence[Path] = (),
    progress: Progress = SILENT,
) -> Iterator[FoundMap]:
    """The files with the map of that name, each once.

    `chosen` is first; then those beside the recording, in `maps` beside it, in `folders`, in the simulator's own
    folders (`CARLA_ROOT`, `CARLA_UE4_ROOT`, `UE4_CARLA`), and those that were taken from a simulator. Raises
    `Cancelled`.
    """
    beside, names = recording_path.absolute().parent, _names(map_name)
    places = [(beside, say("exchange.beside")), (beside / "maps", say("exchange.in_maps"))]
    places += [(folder, say("exchange.in_folder", folder=folder)) for folder in folders]
    roots = map(Path, dict.fromkeys(filter(None, map(os.environ.get, _ROOTS))))
    everywhere = chain(
        [FoundMap(chosen, say("exchange.chosen"))] if chosen is not None else [],
        *(_in(*place, names) for place in places),
        *(_in_installation(root, names, progress) for root in roots),
        _in(map_cache(), say("exchange.from_simulator"), names),
    )
    seen: set[Path] = set()
    for found in everywhere:
        if (place := found.path.absolute()) not in seen:
            seen.add(place)
            yield found


def _in(folder: Path, origin: str, names: frozenset[str]) -> Iterator[FoundMap]:
    """The maps of these names in a folder, by name; a folder that cannot be read has none."""
    try:
        files = sorted(entry.name for entry in os.scandir(folder) if names and entry.is_file())
    except OSError:
        return
    for file in files:
        stem, suffix = os.path.splitext(file)
        if suffix.lower() == SUFFIX and stem.lower() in names:
            yield FoundMap(folder / file, origin)


def _in_installation(root: Path, names: frozenset[str], progress: Progress) -> Iterator[FoundMap]:
    """The maps in all folders `OpenDrive` of an installation of the simulator, the usual ones first."""
    origin = say("exchange.in_folder", folder=root)
    maps = Path("CarlaUE4", "Content", "Carla", "Maps", "OpenDrive")
    for folder in (root / maps, root / "Unreal" / maps):
        yield from _in(folder, origin, names)
    for number, (place, inside, _) in enumerate(os.walk(root)):
        progress.check()
        if number >= _MAX_FOLDERS:
            return
        inside.sort()
        if os.path.basename(place) == "OpenDrive":
            yield from _in(Path(place), origin, names)


def take_from_simulator(map_name: str, progress: Progress = SILENT) -> Path:
    """Keep the map of the simulator that runs here in the cache, if it has that name; returns the file.

    Raises `NoRoadMap`, and OSError where the file cannot be written.
    """
    town = town_of(map_name)
    if not _NAME.fullmatch(town):
        raise NoRoadMap(say("exchange.no_map_name"))
    if find_spec("carla") is None:
        raise NoRoadMap(say("exchange.no_carla"))
    # In a process of its own: while carla waits for an answer no other thread of Python runs.
    asking = [sys.executable, "-P", str(resources.path("ask_simulator.py")), _PLACE]
    answer, error = _output_of(asking, progress)
    name, _, text = answer.partition("\n")
    if not text:
        reason = error.strip().partition("\n")[0].rstrip(".") or say("exchange.no_answer")
        raise NoRoadMap(say("exchange.no_simulator", place=_PLACE, reason=reason))
    if not is_same_town(name, map_name):
        raise NoRoadMap(say("exchange.other_town", place=_PLACE, shown=town_of(name), town=town))
    path = map_cache() / f"{town}{SUFFIX}"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with atomic_write(path) as file:
        file.write(text.encode())
    return path


def _output_of(command: list[str], progress: Progress) -> tuple[str, str]:
    """What a program writes to stdout, unless it fails, and to stderr; it is ended where the job is cancelled."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            while True:
                progress.check()
                with suppress(subprocess.TimeoutExpired):
                    output, error = process.communicate(timeout=0.1)
                    return ("" if process.returncode else output.decode(errors="replace")), error.decode(
                        errors="replace"
                    )
        except BaseException:
            process.kill()
            raise
