"""The road map of the open recording: found and read as a job, and compared with where its vehicles drive.

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
    """A map that the vehicles do not drive on.

    Attributes:
        share: How much of the vehicles' positions lies on it, 0 to 1.
        others: Further maps of the town.
    """

    share: float
    others: tuple[FoundMap, ...]


_Stamp = tuple[Path, int, int]
"""Path, time of the last change (ns) and size (bytes) of a file."""


class _Read(NamedTuple):
    """What a job has read.

    Attributes:
        map: The map; None where there is none.
        found: Where it was found.
        reason: Why there is none.
        stamp: The file as it was read.
    """

    map: RoadMap | None = None
    found: FoundMap | None = None
    reason: str = ""
    stamp: _Stamp | None = None


def _stamp_of(path: Path) -> _Stamp:
    status = path.stat()
    return path, status.st_mtime_ns, status.st_size


class Roads(QObject):
    """The road map of the recording.

    Attributes:
        map: None while there is none.
        found_map: Where it was found; None while there is none.
        reason: Why there is none.
        misfit: That the map does not fit; None where it does, or is not compared yet.
        given: The file that the command line names, a map for every recording that is opened.
        folders: Further folders to look in.
        remembered: The file that was chosen for a town, by its name; empty: no map is wanted.

    Signals:
        changed(): Any of the first four is another.
        chosen(): `remembered` is to be written to the settings.
        wanted(): A person asked for a map, or for none, and the scene should show it.
    """

    changed = Signal()
    chosen = Signal()
    wanted = Signal()

    def __init__(self, state: SessionState, background: Background) -> None:
        super().__init__(state)
        self._state = state
        self._background = background
        self.map: RoadMap | None = None
        self.found_map: FoundMap | None = None
        self.reason = ""
        self._stamp: _Stamp | None = None
        self.misfit: Misfit | None = None
        self.given: Path | None = None
        self._known: dict[_Stamp, RoadMap] = {}
        self.folders: tuple[Path, ...] = ()
        self.remembered: Mapping[str, str] = {}
        self._of_town = ""
        self._is_requested = False  # a person asked for the map that is read
        self._reading = LatestJob(self, state.jobs, self._start)
        self._asking = LatestJob(self, state.jobs)
        background.trajectories_changed.connect(self._compare)

    # --- what is known ----------------------------------------------------------------------------------

    @property
    def town(self) -> str:
        """The town of the recording; empty where its header names none."""
        snapshot = self._state.snapshot
        if snapshot is None or snapshot.header is None:
            return ""
        name = snapshot.header.map_name
        if isinstance(name, str):
            return town_of(name)
        return ""

    @property
    def is_busy(self) -> bool:
        """Whether a map is being looked for or read."""
        return self._reading.is_pending

    @property
    def is_chosen(self) -> bool:
        """Whether a map, or none, was chosen for this town."""
        return self.town in self.remembered

    @property
    def is_none(self) -> bool:
        """Whether no map is wanted for this town."""
        return self.given is None and self.remembered.get(self.town) == ""

    @property
    def description(self) -> str:
        """The name of the map and where it was found; or why there is none, and what can be done."""
        if self.map is None or self.found_map is None:
            return self.reason
        origin = say("Road map: {name}, {origin}.", name=self.found_map.path.name, origin=self.found_map.origin)
        unused = ""
        if self.map.problems:
            unused = say("Not used of it: {problems}", problems=self.map.problems[0])
        return listed((origin, unused), "sentences")

    @property
    def notice(self) -> str:
        """A sentence that the map does not fit; empty where it does."""
        if self.misfit is None or self.found_map is None:
            return ""
        return say(
            "{file} does not fit: {share:.0%} of the vehicles' positions lie within 5 m of its lanes.",
            file=self.found_map.path.name,
            share=self.misfit.share,
        )

    # --- choosing ---------------------------------------------------------------------------------------

    def give(self, path: Path, road_map: RoadMap | None = None) -> None:
        """Use a file as the map of every recording that is opened from now on.

        Args:
            path: The file.
            road_map: What was read of it; None: it is read when it is needed.

        Raises:
            OSError: The file of `road_map` is gone.
        """
        self.given = path
        self._known = {}
        if road_map is not None:
            self._known[_stamp_of(path)] = road_map
        self._is_requested = True
        self.wanted.emit()

    def choose(self, path: Path | None) -> None:
        """Use a file as the map of this town, now and later; None: no map."""
        self._remember("" if path is None else str(path.absolute()))

    def forget(self) -> None:
        """Forget what was chosen for this town, and look for its map."""
        self._remember(None)

    def _remember(self, file: str | None) -> None:
        """Remember the file of this town (empty: no map is wanted; None: none was chosen), and find its map."""
        choices = dict(self.remembered)
        choices.pop(self.town, None)
        if file is not None:
            choices[self.town] = file
        self.remembered = dict(list(choices.items())[-_MOST_REMEMBERED:])
        self.given = None
        self._is_requested = bool(file)
        self.chosen.emit()
        self.wanted.emit()
        self.update()

    def ask_simulator(self) -> None:
        """Get the map from the simulator that runs on this computer, as a job, and use it."""
        town = self.town

        def work(progress: Progress) -> Path:
            return take_from_simulator(town, progress)

        def done(path: Path) -> None:
            self._state.informed.emit(say("The map of {town} was taken from the simulator.", town=town))
            self.choose(path)

        def refuse(error: Exception) -> None:
            if isinstance(error, OSError):
                self._state.refused.emit(os_error_text(error))
            else:
                self._state.refused.emit(str(error))

        self._asking.run(
            title=say("Asking the simulator for its map"), work=work, done=done, failed=refuse, quiet=False
        )

    # --- finding and reading ----------------------------------------------------------------------------

    def follow(self) -> None:
        """Find the map of the recording that was opened; until then one of the same town stays."""
        if self._of_town != self.town or self._state.snapshot is None:
            self._of_town = self.town
            self._take(_Read())
        self.update()

    def set_folders(self, folders: Iterable[Path]) -> None:
        """Look for maps in these folders, too."""
        self.folders = tuple(folders)
        self.update()

    def update(self) -> None:
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
        known = dict(self._known)
        if self._stamp is not None and self.map is not None:
            known[self._stamp] = self.map
        if recording is None:
            return
        beside = recording.path
        chosen = self.given
        remembered = self.remembered.get(town)
        if chosen is None and remembered:
            chosen = Path(remembered)

        def work(progress: Progress) -> _Read:
            try:
                for found_map in find_road_maps(town, beside, chosen, folders=folders, progress=progress):
                    stamp = _stamp_of(found_map.path)
                    road_map = known.get(stamp)
                    if road_map is None:
                        road_map = read_road_map(found_map.path, name=town, progress=progress)
                    for types in (DRIVABLE, None):
                        road_map.nearest_lane((0.0, 0.0), types)  # builds the index, so that the window need not
                    return _Read(map=road_map, found=found_map, stamp=stamp)
            except OSError as error:
                return _Read(reason=os_error_text(error))
            except RecorderError as error:
                return _Read(reason=say("{file}: {reason}", file=found_map.path.name, reason=error))
            return _Read()

        def done(read: _Read) -> None:
            if read.reason:
                self._state.refused.emit(read.reason)
            elif not read.map:
                read = _Read(reason=self._where_to_get_one(town))
            self._take(read)
            self._inform_of_request()

        self._reading.run(say("Reading the road map"), work, done)

    def _inform_of_request(self) -> None:
        """Say which map was read, where a person asked for it."""
        if self._is_requested and self.map is not None and self.found_map is not None:
            count = len(np.unique(self.map.lanes["road_id"]))
            self._state.informed.emit(
                say_count("{file}, 1 road", "{file}, {count:,} roads", file=self.found_map.path.name, count=count)
            )
        self._is_requested = False

    def _where_to_get_one(self, town: str) -> str:
        """Return a sentence that no map was found and what can be done."""
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
        self.map = read.map
        self.found_map = read.found
        self.reason = read.reason
        self._stamp = read.stamp
        if self.misfit is None:
            file = None
            if self.found_map is not None:
                file = self.found_map.path
            self._state.use_lanes(self.map, file)
        self.changed.emit()

    def _compare(self) -> None:
        """Where the map does not fit the recording, use no lanes of it and look for others, as a job."""
        lane_use = self._background.lane_use
        recording = self._state.recording
        town = self.town
        folders = self.folders
        if lane_use is None or lane_use.fits or lane_use.roads is not self.map:
            return
        if recording is None or self.found_map is None:
            return
        share = lane_use.near
        beside = recording.path
        used = self.found_map.path

        def work(progress: Progress) -> tuple[FoundMap, ...]:
            maps = find_road_maps(town, beside, folders=folders, progress=progress)
            others = (found_map for found_map in maps if found_map.path != used)
            return tuple(islice(others, _MOST_OTHERS))

        def done(others: tuple[FoundMap, ...]) -> None:
            self.misfit = Misfit(share, others)
            self._state.use_lanes(None)
            self.changed.emit()

        self._asking.run(say("Looking for other road maps"), work, done)

    def stop(self) -> None:
        """Release the recording, without a signal."""
        self._asking.cancel()
        self._reading.stop()
