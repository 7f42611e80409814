"""Where the road map of a recording is: files with the name of its town, and the map of a running simulator."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..progress import SILENT, Progress
from ..recording import write_file
from ..recording.store import state_folder
from ..roads.towns import file_names, is_same_town, town_of
from ..texts import say
from .server import NoSimulator, Server, ask

SUFFIX = ".xodr"
_ROOTS = ("CARLA_ROOT", "CARLA_UE4_ROOT", "UE4_CARLA")
_MAX_FOLDERS = 100_000
_NAME = re.compile(r"\w[\w.-]{0,99}", re.ASCII)


class FoundMap(NamedTuple):
    """A file with a road map.

    Attributes:
        path: The file.
        origin: Where it was found, in words.
    """

    path: Path
    origin: str


def map_cache() -> Path:
    """Return the folder of the maps that were taken from a simulator; it may not exist."""
    return state_folder() / "maps"


def find_road_maps(
    map_name: str,
    recording_path: Path,
    chosen: Path | None = None,
    *,
    folders: Sequence[Path] = (),
    progress: Progress = SILENT,
) -> Iterator[FoundMap]:
    """Yield the files with the map of a name, each once.

    After the chosen one come those beside the recording, in `maps` beside it, in `folders`, in the simulator's own
    folders (`CARLA_ROOT`, `CARLA_UE4_ROOT`, `UE4_CARLA`), and those that were taken from a simulator.

    Args:
        map_name: The name of the map, as a recording has it.
        recording_path: The recording.
        chosen: The file that the user chose; None: none.
        folders: More folders with maps.
        progress: Of the search.

    Raises:
        Cancelled: The user cancelled it.
    """
    seen: set[Path] = set()
    for candidate in _candidates(map_name, recording_path, chosen, folders, progress):
        path = candidate.path.absolute()
        if path not in seen:
            seen.add(path)
            yield candidate


def _candidates(
    map_name: str, recording_path: Path, chosen: Path | None, folders: Sequence[Path], progress: Progress
) -> Iterator[FoundMap]:
    names = file_names(map_name)
    beside = recording_path.absolute().parent
    if chosen is not None:
        yield FoundMap(chosen, say("chosen"))
    yield from _in(beside, say("beside the recording"), names)
    yield from _in(beside / "maps", say("in maps beside the recording"), names)
    for folder in folders:
        yield from _in(folder, say("in {folder}", folder=folder), names)
    for root in _installations():
        yield from _in_installation(root, names, progress)
    yield from _in(map_cache(), say("taken from the simulator"), names)


def _installations() -> list[Path]:
    """The folders of the simulator that the environment names."""
    roots = []
    for variable in _ROOTS:
        root = os.environ.get(variable)
        if root and root not in roots:
            roots.append(root)
    return [Path(root) for root in roots]


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
    origin = say("in {folder}", folder=root)
    maps = Path("CarlaUE4", "Content", "Carla", "Maps", "OpenDrive")
    for folder in (root / maps, root / "Unreal" / maps):
        yield from _in(folder, origin, names)
    for count, (place, subfolders, _) in enumerate(os.walk(root)):
        progress.check()
        if count >= _MAX_FOLDERS:
            return
        subfolders.sort()
        if os.path.basename(place) == "OpenDrive":
            yield from _in(Path(place), origin, names)


def take_from_simulator(map_name: str, progress: Progress = SILENT) -> Path:
    """Keep the map of the simulator that runs here in the cache, if it has that name, and return the file.

    Raises:
        NoSimulator: No simulator answers, it shows another map, or the name is none.
        OSError: The file cannot be written.
        Cancelled: The user cancelled it.
    """
    town = town_of(map_name)
    server = Server()
    if not _NAME.fullmatch(town):
        raise NoSimulator(say("This recording does not name its map."))
    shown = ask(server, "map", progress)
    if not is_same_town(shown["map"], map_name):
        raise NoSimulator(
            say(
                "The simulator at {place} shows {shown}, and this recording is of {town}.",
                place=server,
                shown=town_of(shown["map"]),
                town=town,
            )
        )
    path = map_cache() / f"{town}{SUFFIX}"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_file(path, shown["xodr"].encode(), overwrite=True)
    return path
