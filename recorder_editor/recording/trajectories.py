"""The trajectory of every actor: distance, top speed, intervals of movement, and a thinned path for the map.

One pass over blocks of positions and velocities; each trajectory is continued from block to block, so that memory does
not grow with the recording.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Int32Array, IntArray, StructuredArray, UInt32Array
from ..progress import SILENT, Progress
from .actors import Actors
from .lives import Life
from .motion import rows_in, speeds_of
from .path_builder import MOVING, MovingIntervals, PathBuilder
from .snapshot import Snapshot
from .tracks import Tracks

MAX_POINTS = 300_000
"""Points of all paths together."""

MAX_RECORDS = 50_000_000
"""Number of positions up to which every frame is read; of longer recordings every second, third... frame."""

_WINDOW = 64 << 20  # bytes of the recording read twice, for positions and for velocities
_MAX_STRANGERS = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """The trajectory of one life.

    Attributes: `actor` (id), `life` (None for an id without an EventAdd), `distance` (m over the ground; without
    jumps), `top_speed` (m/s, the maximum by `motion`; NaN if unknown), `collisions` (number of its contacts, see
    `Actors.contacts`), `moving` (frame indices `[start, stop)` in which it was faster than 0.1 m/s, stops under half a
    second bridged: int32[n, 2]), `path` (dtype `path_builder.POINT`: frame index, x and y in metres, world; a row of
    NaN before the position after a jump).
    """

    actor: int
    life: Life | None
    distance: float
    top_speed: float
    collisions: int
    moving: Int32Array
    path: StructuredArray


@dataclass(frozen=True, eq=False)
class Trajectories:
    """The trajectories of a recording.

    Attributes: `trajectories` (of every life by index, then of ids without a life), `actors`, `version` (of the
    snapshot), `step` (1: every frame was read; more: every step-th, and distances are those between them), `spacing` (m
    along a path between its points).
    """

    trajectories: tuple[Trajectory, ...]
    actors: Actors
    version: int
    step: int
    spacing: float

    def of(self, life: Life) -> Trajectory:
        """The trajectory of a life of `actors`."""
        return self.trajectories[life.index]

    @cached_property
    def points(self) -> int:
        """Points of all paths together."""
        return sum(len(trajectory.path) for trajectory in self.trajectories)


def find_trajectories(
    snapshot: Snapshot, progress: Progress = SILENT, *, max_points: int = MAX_POINTS, max_records: int = MAX_RECORDS
) -> Trajectories:
    """Read the trajectories of all actors.

    `progress` counts frames. Distances are exact up to `max_records`
    positions in a recording; paths are thinned along their length to `max_points` together. Height is left out of
    both. Raises `Cancelled`, and errors of reading as `Store.read`.
    """
    actors = Actors.of(snapshot, progress.quiet())
    tracks = Tracks(snapshot)
    step = max(1, math.ceil(tracks.count("positions") / max_records))
    seconds = snapshot.elapsed
    numbers = _Numbers(actors)
    places = len(actors) + _MAX_STRANGERS
    courses, moving = PathBuilder(places, seconds, max_points), MovingIntervals(places, seconds)
    fastest = np.full(places, np.nan)
    window = max(64, _WINDOW * len(snapshot) // max(1, snapshot.size)) * step
    for start in range(0, len(snapshot), window):
        frames = range(start, min(start + window, len(snapshot)), step)
        around = tracks.around(None, frames)
        block = around[rows_in(around, frames)]
        courses.add(numbers.of(block["id"], block["frame"]), block)
        progress.check()
        driven = speeds_of(around, tracks.kinematics(None, frames), seconds, frames)
        number, speed = numbers.of(driven["id"], driven["frame"]), driven["speed"]
        known = np.flatnonzero((number >= 0) & np.isfinite(speed))
        number, speed = number[known], speed[known]
        higher = ~(speed <= fastest[number])
        np.fmax.at(fastest, number[higher], speed[higher])
        moving.add(number, driven["frame"][known], speed > MOVING)
        progress.update(frames.stop, len(snapshot))
    courses.close()
    paths, collisions = courses.paths(), _contacts(actors, places)
    under_way = moving.intervals()
    trajectories = tuple(
        Trajectory(
            actor,
            life,
            float(courses.distance[number]),
            float(fastest[number]),
            int(collisions[number]),
            under_way[number],
            paths[number],
        )
        for number, (actor, life) in enumerate(numbers.all)
    )
    return Trajectories(trajectories, actors, snapshot.version, step, courses.spacing)


class _Numbers:
    """Maps records to trajectories: the index of the life or, after those, one for each id without a life."""

    def __init__(self, actors: Actors) -> None:
        self._actors = actors
        self._strangers: dict[int, int] = {}

    @property
    def all(self) -> list[tuple[int, Life | None]]:
        """The id and life of each trajectory, in order."""
        return [*((life.actor, life) for life in self._actors), *((actor, None) for actor in self._strangers)]

    def of(self, ids: UInt32Array, frames: Int32Array) -> Int32Array:
        """The numbers, int32[n]; -1 for ids without a life once there are 10,000 of them."""
        numbers = self._actors.indices_of(ids, frames)
        lifeless = numbers < 0
        if lifeless.any():
            unknown, inverse = np.unique(ids[lifeless], return_inverse=True)
            numbers[lifeless] = np.array([self._unknown(actor) for actor in unknown.tolist()], np.int32)[inverse]
        return numbers

    def _unknown(self, actor: int) -> int:
        if actor not in self._strangers and len(self._strangers) >= _MAX_STRANGERS:
            return -1
        return self._strangers.setdefault(actor, len(self._actors) + len(self._strangers))


def _contacts(actors: Actors, places: int) -> IntArray:
    """The number of contacts of each life."""
    counts = np.zeros(places, np.int64)
    contacts = actors.contacts
    first = actors.indices_of(contacts["actor1"], contacts["first"])
    second = actors.indices_of(contacts["actor2"], contacts["first"])
    np.add.at(counts, first[first >= 0], 1)
    np.add.at(counts, second[(second >= 0) & (second != first)], 1)
    return counts
