"""The trajectory of every actor: distance, top speed, intervals of movement, and a thinned path for the map.

One pass over blocks of positions and velocities; each trajectory is continued from block to block, so that memory does
not grow with the recording.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import (
    BoolArray,
    FloatArray,
    Int32Array,
    IntArray,
    StructuredArray,
    UInt32Array,
    begins,
    ends,
    row_type,
    sorted_order,
    values_before,
)
from ..progress import SILENT, Progress
from ..recording.snapshot import Snapshot
from .actors import Actors
from .lives import Life
from .motion import rows_in, speeds_of, steps
from .tracks import Tracks

MAX_POINTS = 300_000
"""Points of all paths together."""

MAX_RECORDS = 50_000_000
"""Number of positions up to which every frame is read; of longer recordings every second, third... frame."""

SIDE = 1000
"""Thumbnails are kept on a square of this side."""

_POINTS = 600
_LINES = 48
_SHORTEST = 0.02  # of the whole picture: what moves less is no line
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


def find_trajectories(snapshot: Snapshot, progress: Progress = SILENT) -> Trajectories:
    """Read the trajectories of all actors.

    `progress` counts frames. Distances are exact up to `MAX_RECORDS` positions in a recording; paths are thinned along
    their length to `MAX_POINTS` together. Height is left out of both. Raises `Cancelled`, and errors of reading as
    `Store.read`.
    """
    actors = Actors.of(snapshot, progress.quiet())
    tracks = Tracks(snapshot)
    step = max(1, math.ceil(tracks.count("positions") / MAX_RECORDS))
    seconds = snapshot.elapsed
    numbers = _Numbers(actors)
    places = len(actors) + _MAX_STRANGERS
    courses = PathBuilder(places, seconds)
    moving = MovingIntervals(places, seconds)
    fastest = np.full(places, np.nan)
    window = max(64, _WINDOW * len(snapshot) // max(1, snapshot.size)) * step
    for start in range(0, len(snapshot), window):
        frames = range(start, min(start + window, len(snapshot)), step)
        around = tracks.around(None, frames)
        block = around[rows_in(around, frames)]
        courses.add(numbers.of(block["id"], block["frame"]), block)
        progress.check()
        driven = speeds_of(around, tracks.kinematics(None, frames), seconds, frames)
        number = numbers.of(driven["id"], driven["frame"])
        speed = driven["speed"]
        known = np.flatnonzero((number >= 0) & np.isfinite(speed))
        number, speed = number[known], speed[known]
        higher = ~(speed <= fastest[number])
        np.fmax.at(fastest, number[higher], speed[higher])
        moving.add(number, driven["frame"][known], speed > MOVING)
        progress.update(frames.stop, len(snapshot))
    courses.close()
    counted = courses.distance.tolist(), fastest.tolist(), _contacts(actors, places).tolist()
    values = zip(*counted, moving.intervals(), courses.paths(), strict=True)  # of places that nobody took, too
    every = zip(numbers.all, values, strict=False)
    trajectories = tuple(Trajectory(actor, life, *found) for (actor, life), found in every)
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


# --- paths and intervals, block by block ----------------------------------------------------------------

POINT = np.dtype([("frame", "i4"), ("x", "f8"), ("y", "f8")], align=True)
"""A point of a path: frame index, metres. A row with NaN for x and y separates two pieces; its frame is that of the
next piece.
"""

PAUSE = 0.5
"""Seconds: shorter stops are ignored."""

MOVING = 0.1
"""Speed in m/s above which an actor is moving."""

_FIRST_SPACING = 0.5  # m
_LARGEST_SPACING = 1e6
_KEPT = row_type("trajectory:i4 frame:i4 x y along begins:? holds:?")


class MovingIntervals:
    """Collects the intervals in which trajectories move."""

    def __init__(self, places: int, seconds: FloatArray) -> None:
        self._seconds = seconds
        self._moving = np.zeros(places, np.bool_)
        self._last = np.full(places, -1, np.int32)
        self._changes: list[tuple[Int32Array, Int32Array, BoolArray]] = []

    def add(self, trajectory: Int32Array, frame: Int32Array, moving: BoolArray) -> None:
        """Add a block in file order: which trajectories move in which frames."""
        order = sorted_order(trajectory)
        trajectory, frame, moving = trajectory[order], frame[order], moving[order]
        if not len(trajectory):
            return
        (changed,) = np.nonzero(moving != values_before(trajectory, moving, self._moving))
        self._last[trajectory] = frame  # of several the last one counts
        self._changes.append(self._without_pauses(trajectory[changed], frame[changed], moving[changed]))

    def _without_pauses(
        self, trajectory: Int32Array, at: Int32Array, moving: BoolArray
    ) -> tuple[Int32Array, Int32Array, BoolArray]:
        """Changes, sorted by trajectory, without stops shorter than half a second."""
        if len(trajectory) < 2:
            return trajectory, at, moving
        stops = (trajectory[1:] == trajectory[:-1]) & ~moving[:-1]
        with np.errstate(over="ignore", invalid="ignore"):
            when = self._seconds[np.minimum(at, len(self._seconds) - 1)]
            short = stops & (when[1:] - when[:-1] < PAUSE)
        keep = ~(np.append(short, False) | np.append(False, short))
        return trajectory[keep], at[keep], moving[keep]

    def intervals(self) -> list[Int32Array]:
        """The frames `[start, stop)` in which each trajectory moves: int32[n, 2] for each."""
        if not self._changes:
            return [np.zeros((0, 2), np.int32)] * len(self._moving)
        columns = zip(*self._changes, strict=True)
        trajectory, at, moving = (np.concatenate(column) for column in columns)
        (open_,) = np.nonzero(self._moving)
        trajectory = np.concatenate((trajectory, open_.astype(np.int32)))
        at = np.concatenate((at, self._last[open_] + 1))
        moving = np.concatenate((moving, np.zeros(len(open_), np.bool_)))
        order = sorted_order(trajectory)
        trajectory, at, moving = self._without_pauses(trajectory[order], at[order], moving[order])
        pairs = np.stack((at[moving], at[~moving]), axis=1).astype(np.int32)
        ends = np.searchsorted(trajectory[moving], np.arange(len(self._moving)), side="right")
        return np.split(pairs, ends[:-1])


class PathBuilder:
    """Builds the distance and the path of trajectories.

    `seconds` is the elapsed time of every frame; paths hold at most `MAX_POINTS` points together. Attributes:
    `distance` (m), `spacing` (m between points of a path).
    """

    def __init__(self, places: int, seconds: FloatArray) -> None:
        self.distance = np.zeros(places)
        self.spacing = _FIRST_SPACING
        self._seconds = seconds
        self._frame = np.full(places, -1, np.int32)
        self._place = np.zeros((2, places))
        self._kept = np.empty(0, _KEPT)
        self._fresh: list[StructuredArray] = []
        self._number = 0

    def add(self, trajectory: Int32Array, block: StructuredArray) -> None:
        """Add a block of positions in file order, without those of trajectory -1 and those without a finite place."""
        sound = np.flatnonzero((trajectory >= 0) & np.isfinite(block["x"]) & np.isfinite(block["y"]))
        order = sound[sorted_order(trajectory[sound])]
        trajectory = trajectory[order]
        frame = block["frame"][order]
        place = np.stack([block[axis][order].astype(np.float64) for axis in "xy"])
        last = ends(trajectory, frame)
        if not last.all():
            trajectory, frame, place = trajectory[last], frame[last], place[:, last]
        if len(trajectory):
            self._go_on(trajectory, frame, place)

    def _go_on(self, trajectory: Int32Array, frame: Int32Array, place: FloatArray) -> None:
        heads = np.flatnonzero(begins(trajectory))
        tails = np.append(heads[1:], len(trajectory)) - 1
        whose = trajectory[heads]
        from_frame = values_before(trajectory, frame, self._frame)
        from_place = values_before(trajectory, place, self._place)
        begun = from_frame >= 0
        dx, dy = place - from_place
        with np.errstate(invalid="ignore", over="ignore"):  # a time may be infinite
            seconds = self._seconds[frame] - self._seconds[from_frame]
        length, _, jump = steps(dx, dy, seconds)
        jump &= begun
        driven = np.where(begun & ~jump, length, 0.0)
        passed = np.cumsum(driven)
        along = passed + np.repeat(self.distance[whose] - passed[heads] + driven[heads], tails - heads + 1)
        # Kept are points that pass a multiple of the spacing, first points, and those before and after a jump.
        passed = np.floor(along / self.spacing) > np.floor((along - driven) / self.spacing)
        (kept,) = np.nonzero(passed | ~begun | jump)
        points = _points(trajectory[kept], frame[kept], place[:, kept], along[kept])
        points["begins"], points["holds"] = jump[kept], ~begun[kept] | jump[kept]
        self._add(points)
        if jump.any():
            points = _points(trajectory[jump], from_frame[jump], from_place[:, jump], along[jump])
            points["holds"] = True
            self._add(points)
        self.distance[whose] = along[tails]
        if self._number > MAX_POINTS:
            self._thin(MAX_POINTS // 2)

    # --- paths ------------------------------------------------------------------------------------------

    def _add(self, points: StructuredArray) -> None:
        self._fresh.append(points)
        self._number += len(points)

    def _gather(self) -> None:
        """Sort the points, and keep one for each trajectory and frame."""
        if not self._fresh:
            return
        points = np.concatenate((self._kept, *self._fresh))
        self._fresh = []
        # Of two points of one frame, the one that begins a piece says more, and comes first.
        points = points[np.lexsort((~points["holds"], ~points["begins"], points["frame"], points["trajectory"]))]
        self._kept = points[begins(points["trajectory"], points["frame"])]
        self._number = len(self._kept)

    def _thin(self, most: int) -> None:
        """Double the spacing until at most `most` points are left."""
        self._gather()
        while len(self._kept) > most and self.spacing < _LARGEST_SPACING:
            self.spacing *= 2
            first = begins(np.floor(self._kept["along"] / self.spacing), self._kept["trajectory"])
            self._kept = self._kept[first | self._kept["holds"]]
        if len(self._kept) > most:
            # Only where trajectories are more than points, or noise jumps about: any point is as good as another.
            self._kept = self._kept[:: -(-len(self._kept) // most)]
        self._number = len(self._kept)

    def close(self) -> None:
        """Add the last point of each trajectory; nothing can be added after it."""
        self._gather()
        (here,) = np.nonzero(self._frame >= 0)
        last = np.full(len(self._frame), -1.0)
        np.maximum.at(last, self._kept["trajectory"], self._kept["along"])
        here = here[self.distance[here] > last[here]]
        self._add(_points(here.astype(np.int32), self._frame[here], self._place[:, here], self.distance[here]))
        self._gather()
        room = MAX_POINTS - int(np.count_nonzero(self._kept["begins"]))
        if len(self._kept) > max(1, room):
            self._thin(max(1, room))

    def paths(self) -> list[StructuredArray]:
        """The path of each trajectory: dtype `POINT`."""
        (begins,) = np.nonzero(self._kept["begins"])
        points = np.empty(len(self._kept), POINT)
        points["frame"], points["x"], points["y"] = self._kept["frame"], self._kept["x"], self._kept["y"]
        breaks = points[begins]
        breaks["x"] = breaks["y"] = np.nan
        trajectory = np.insert(self._kept["trajectory"], begins, self._kept["trajectory"][begins])
        ends = np.searchsorted(trajectory, np.arange(len(self._frame)), side="right")
        return np.split(np.insert(points, begins, breaks), ends[:-1])


def _points(trajectory: Int32Array, frame: Int32Array, place: FloatArray, along: FloatArray) -> StructuredArray:
    points = np.zeros(len(trajectory), _KEPT)
    points["trajectory"], points["frame"], points["along"] = trajectory, frame, along
    points["x"], points["y"] = place[0] * 0.01, place[1] * 0.01
    return points


# --- thumbnails -------------------------------------------------------------------------------------------


def lines_of(found: Trajectories, points: int = _POINTS) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The longest paths driven, thinned to so many points in all and moved onto the square of a thumbnail."""
    paths = []
    for trajectory in found.trajectories:
        path = np.column_stack((trajectory.path["x"], trajectory.path["y"])).astype(np.float64)
        path = path[np.isfinite(path).all(axis=1)]
        if len(path) > 1 and trajectory.distance > 1.0:
            paths.append((trajectory.distance, path))
    paths = sorted(paths, key=lambda path: -path[0])[:_LINES]
    if not paths:
        return ()
    every = np.concatenate([path for _, path in paths])
    low, high = every.min(axis=0), every.max(axis=0)
    scale = SIDE / max(float((high - low).max()), 1.0)
    each = max(2, points // len(paths))
    lines = []
    for _, path in paths:
        kept = path[np.linspace(0, len(path) - 1, min(each, len(path))).round().astype(np.intp)]
        moved = np.round((kept - (low + high) / 2) * scale + SIDE / 2).astype(int)
        if float(np.ptp(moved, axis=0).max()) >= _SHORTEST * SIDE:
            lines.append(tuple((int(x), int(y)) for x, y in moved.tolist()))
    return tuple(lines)
