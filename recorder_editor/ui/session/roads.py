"""The road map of the open recording: found and read as a job, and told to be that of another town.

Knows where maps are looked for, not how they are drawn.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from ...errors import RecorderError, os_error_text
from ...progress import Progress
from ...roads import DRIVABLE, RoadMap, read_road_map
from ...simulator.road_maps import SUFFIX, FoundMap, find_road_maps, take_from_simulator, town_of
from ...texts import listed, say, say_count
from .background import Background
from .jobs import LatestJob
from .state import SessionState

_MOST_OTHERS = 3
_MOST_REMEMBERED = 50


class Misfit(NamedTuple):
    """A map of another town. Attributes: `share` (of the vehicles' positions that lie on it), `others`."""

    share: float
    others: tuple[FoundMap, ...]


class _Read(NamedTuple):
    """What a job has read; `stamp` tells the file as it was."""

    map: RoadMap | None = None
    found: FoundMap | None = None
    reason: str = ""
    stamp: tuple[Path, int, int] | None = None


class Roads(QObject):
    """Where the recording drives, as far as a map is known.

    Attributes: `map` and `found` (None while there is none), `reason` (why), `misfit` (None where the map fits, or is
    not compared yet), `given` (of the command line: the map of whatever is opened), `folders` (further ones to look
    in), `remembered` (the file chosen for a town; empty: none wanted).

    Signals: `changed` (any of the first four), `chosen` (`remembered` is to be kept), `wanted` (a person asked for a
    map, or for none: what comes of it is to be seen).
    """

    changed = Signal()
    chosen = Signal()
    wanted = Signal()

    def __init__(self, state: SessionState, background: Background) -> None:
        super().__init__(state)
        self._state = state
        self._background = background
        self.map, self.found, self.reason, self._stamp = _Read()
        self.misfit: Misfit | None = None
        self.given: Path | None = None
        self.folders: tuple[Path, ...] = ()
        self.remembered: Mapping[str, str] = {}
        self._of_town = ""
        self._is_to_tell = False  # a person asked for the map that is read
        self._reading = LatestJob(self, state.jobs, self._start)
        self._asking = LatestJob(self, state.jobs)
        background.trajectories_changed.connect(self._compare)

    # --- what is known ----------------------------------------------------------------------------------

    @property
    def town(self) -> str:
        """The town of the recording; empty where it tells none."""
        header = self._state.snapshot.header if self._state.snapshot is not None else None
        if header is not None and isinstance(header.map_name, str):
            return town_of(header.map_name)
        return ""

    @property
    def is_busy(self) -> bool:
        """A map is being looked for or read."""
        return self._reading.is_pending

    @property
    def is_chosen(self) -> bool:
        """Something is remembered for this town, a map or none."""
        return self.town in self.remembered

    @property
    def is_none(self) -> bool:
        """No map is wanted for this town."""
        return self.given is None and self.remembered.get(self.town) == ""

    @property
    def words(self) -> str:
        """Which map it is and where it was found; or why there is none, and what can be done."""
        if self.map is None or self.found is None:
            return self.reason
        words = say("Road map: {name}, {origin}.", name=self.found.path.name, origin=self.found.origin)
        if self.map.problems:
            unused = say("Not used of it: {problems}", problems=self.map.problems[0])
        else:
            unused = ""
        return listed((words, unused), "sentences")

    @property
    def notice(self) -> str:
        """A sentence where the map does not fit; empty where it does."""
        if self.misfit is None or self.found is None:
            return ""
        return say(
            "{file} does not fit: {share:.0%} of the vehicles' positions lie within 5 m of its lanes.",
            file=self.found.path.name,
            share=self.misfit.share,
        )

    # --- choosing ---------------------------------------------------------------------------------------

    def give(self, path: Path) -> None:
        """Take a file as the map of whatever is opened next."""
        self.given = path
        self._is_to_tell = True
        self.wanted.emit()

    def choose(self, path: Path | None) -> None:
        """Take a file as the map of this town, or do without one, now and later."""
        self._remember([(self.town, str(path.absolute()) if path is not None else "")])

    def forget(self) -> None:
        """Forget what was chosen for this town, and look for its map."""
        self._remember([])

    def _remember(self, chosen: list[tuple[str, str]]) -> None:
        others = []
        for town, path in self.remembered.items():
            if town != self.town:
                others.append((town, path))
        self.remembered = dict([*others, *chosen][-_MOST_REMEMBERED:])
        self.given = None
        self._is_to_tell = any(path for _, path in chosen)
        self.chosen.emit()
        self.wanted.emit()
        self.look()

    def ask_simulator(self) -> None:
        """Get the map from the simulator that runs on this computer, as a job, and use it."""
        town = self.town

        def work(progress: Progress) -> Path:
            return take_from_simulator(town, progress)

        def done(path: Path) -> None:
            self._state.informed.emit(say("The map of {town} was taken from the simulator.", town=town))
            self.choose(path)

        def refuse(error: Exception) -> None:
            self._state.refused.emit(os_error_text(error) if isinstance(error, OSError) else str(error))

        self._asking.run(say("Asking the simulator for its map"), work, done, refuse, quiet=False)

    # --- finding and reading ----------------------------------------------------------------------------

    def follow(self) -> None:
        """Another recording was opened, or the same one again, or none; a map of the same town stays meanwhile."""
        if self._of_town != self.town or self._state.snapshot is None:
            self._of_town = self.town
            self._take(_Read())
        self.look()

    def set_folders(self, folders: Iterable[Path]) -> None:
        """Look for maps in these folders, too."""
        self.folders = tuple(folders)
        self.look()

    def look(self) -> None:
        """Find the map of the recording and read it, as a job."""
        if self.is_none:
            self._reading.cancel()
            self._take(_Read(reason=say("No road map, as chosen: Recording > Road map > Forget looks for one.")))
        else:
            self._reading.begin(at_once=True)

    def _start(self) -> None:
        recording = self._state.recording
        town = self.town
        folders = self.folders
        known = (self._stamp, self.map)
        if recording is None:
            return
        path = self.remembered.get(town)
        beside = recording.path
        chosen = self.given or (Path(path) if path else None)

        def work(progress: Progress) -> _Read:
            try:
                for found in find_road_maps(town, beside, chosen, folders=folders, progress=progress):
                    status = found.path.stat()
                    stamp = found.path, status.st_mtime_ns, status.st_size
                    if stamp == known[0]:
                        return _Read(known[1], found, "", stamp)
                    road_map = read_road_map(found.path, name=town, progress=progress)
                    for types in (DRIVABLE, None):
                        road_map.nearest_lane((0.0, 0.0), types)  # later ones need no wait
                    return _Read(road_map, found, "", stamp)
            except OSError as error:
                return _Read(reason=os_error_text(error))
            except RecorderError as error:
                return _Read(reason=say("{file}: {reason}", file=found.path.name, reason=error))
            return _Read()

        def done(read: _Read) -> None:
            if read.reason:
                self._state.refused.emit(read.reason)
            self._take(read if read.map or read.reason else _Read(reason=self._where_to_get_one(town)))
            self._tell_asked()

        self._reading.run(say("Reading the road map"), work, done)

    def _tell_asked(self) -> None:
        """Say which map was read, where a person asked for it."""
        if self._is_to_tell and self.map is not None and self.found is not None:
            count = len(np.unique(self.map.lanes["road_id"]))
            self._state.informed.emit(
                say_count("{file}, 1 road", "{file}, {count:,} roads", file=self.found.path.name, count=count)
            )
        self._is_to_tell = False

    def _where_to_get_one(self, town: str) -> str:
        if not town:
            return say("The recording does not name its map: choose a road map under Recording > Road map.")
        return say(
            "No map of {town} was found. The simulator has it in a folder OpenDrive: put {file} beside the recording, "
            "or choose it under Recording > Road map.",
            town=town,
            file=f"{town}{SUFFIX}",
        )

    def _take(self, read: _Read) -> None:
        if read.map is not self.map:
            self._asking.cancel()
            self.misfit = None
        self.map, self.found, self.reason, self._stamp = read
        if self.misfit is None:
            self._state.use_lanes(self.map, self.found.path if self.found is not None else None)
        self.changed.emit()

    def _compare(self) -> None:
        """See whether the map is that of this recording; else look for others, as a job, and find no lanes on it."""
        use = self._background.lane_use
        recording = self._state.recording
        town = self.town
        folders = self.folders
        if use is None or use.fits or use.roads is not self.map or recording is None or self.found is None:
            return
        share = use.near
        beside = recording.path
        used = self.found.path

        def work(progress: Progress) -> tuple[FoundMap, ...]:
            maps = find_road_maps(town, beside, folders=folders, progress=progress)
            return tuple(islice((each for each in maps if each.path != used), _MOST_OTHERS))

        def done(others: tuple[FoundMap, ...]) -> None:
            self.misfit = Misfit(share, others)
            self._state.use_lanes(None)
            self.changed.emit()

        self._asking.run(say("Looking for other road maps"), work, done)

    def stop(self) -> None:
        """Let go of the recording; tells nobody."""
        self._asking.cancel()
        self._reading.stop()
