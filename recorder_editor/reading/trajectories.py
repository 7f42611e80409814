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
    row_type,
    run_ends,
    run_starts,
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

    Attributes:
        actor: The id.
        life: The life; None for an id without an EventAdd.
        distance: Metres over the ground, without jumps.
        top_speed: The maximum by `motion`, m/s; NaN if unknown.
        collisions: The number of its contacts, see `Actors.contacts`.
        moving: The frame indices `[start, stop)` in which it was faster than 0.1 m/s, stops under half a second
            bridged: int32[n, 2].
        path: The thinned path, dtype `POINT`: frame index, x and y in metres, world; a row of NaN before the position
            after a jump.
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

    Attributes:
        trajectories: Those of every life by index, then of ids without a life.
        actors: The actors.
        version: The version of the snapshot.
        step: 1: every frame was read; more: every step-th, and distances are those between them.
        spacing: Metres along a path between its points.
    """

    trajectories: tuple[Trajectory, ...]
    actors: Actors
    version: int
    step: int
    spacing: float

    def of(self, life: Life) -> Trajectory:
        """Return the trajectory of a life of `actors`."""
        return self.trajectories[life.index]

    @cached_property
    def points(self) -> int:
        """Points of all paths together."""
        return sum(len(trajectory.path) for trajectory in self.trajectories)


def find_trajectories(snapshot: Snapshot, progress: Progress = SILENT) -> Trajectories:
    """Read the trajectories of all actors.

    Distances are exact up to `MAX_RECORDS` positions in a recording; paths are thinned along their length to
    `MAX_POINTS` together. Height is left out of both.

    Args:
        snapshot: The state of the recording.
        progress: Counts frames.

    Raises:
        Cancelled: The user stopped it.
        OSError: The file cannot be read, as by `Store.read`.
    """
    actors = Actors.of(snapshot, progress.quiet())
    tracks = Tracks(snapshot)
    step = max(1, math.ceil(tracks.count("positions") / MAX_RECORDS))
    seconds = snapshot.elapsed
    numbers = _Numbers(actors)
    places = len(actors) + _MAX_STRANGERS
    courses = PathBuilder(places, seconds)
    intervals = MovingIntervals(places, seconds)
    fastest = np.full(places, np.nan)
    window = max(64, _WINDOW * len(snapshot) // max(1, snapshot.size)) * step
    for start in range(0, len(snapshot), window):
        frames = range(start, min(start + window, len(snapshot)), step)
        around = tracks.around(None, frames)
        block = around[rows_in(around, frames)]
        courses.add(numbers.of(block["id"], block["frame"]), block)
        progress.check()
        speeds = speeds_of(around, tracks.kinematics(None, frames), seconds, frames)
        number = numbers.of(speeds["id"], speeds["frame"])
        speed = speeds["speed"]
        usable = np.flatnonzero((number >= 0) & np.isfinite(speed))
        number = number[usable]
        speed = speed[usable]
        higher = ~(speed <= fastest[number])
        np.fmax.at(fastest, number[higher], speed[higher])
        intervals.add(number, speeds["frame"][usable], speed > MOVING)
        progress.update(frames.stop, len(snapshot))
    courses.close()
    distances = courses.distance.tolist()
    top_speeds = fastest.tolist()
    collisions = _contacts(actors, places).tolist()
    owners = numbers.all
    moving = intervals.intervals(len(owners))
    paths = courses.paths(len(owners))
    trajectories = []
    for index, (actor, life) in enumerate(owners):
        trajectory = Trajectory(
            actor=actor,
            life=life,
            distance=distances[index],
            top_speed=top_speeds[index],
            collisions=collisions[index],
            moving=moving[index],
            path=paths[index],
        )
        trajectories.append(trajectory)
    return Trajectories(tuple(trajectories), actors, snapshot.version, step, courses.spacing)


class _Numbers:
    """Maps records to trajectories: the index of the life or, after those, one for each id without a life."""

    def __init__(self, actors: Actors) -> None:
        self._actors = actors
        self._strangers: dict[int, int] = {}

    @property
    def all(self) -> list[tuple[int, Life | None]]:
        """The id and life of each trajectory, in order."""
        owners: list[tuple[int, Life | None]] = [(life.actor, life) for life in self._actors]
        for actor in self._strangers:
            owners.append((actor, None))
        return owners

    def of(self, ids: UInt32Array, frames: Int32Array) -> Int32Array:
        """Return the numbers of records, int32[n]; -1 for ids without a life once there are 10,000 of them."""
        numbers = self._actors.indices_of(ids, frames)
        lifeless = numbers < 0
        if lifeless.any():
            strangers, inverse = np.unique(ids[lifeless], return_inverse=True)
            indices = [self._index_of_stranger(actor) for actor in strangers.tolist()]
            numbers[lifeless] = np.array(indices, np.int32)[inverse]
        return numbers

    def _index_of_stranger(self, actor: int) -> int:
        """Return the number of an id without a life; -1 if there are too many."""
        if actor not in self._strangers and len(self._strangers) >= _MAX_STRANGERS:
            return -1
        return self._strangers.setdefault(actor, len(self._actors) + len(self._strangers))


def _contacts(actors: Actors, places: int) -> IntArray:
    """Return the number of contacts of each life, int64[places]."""
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
        """Begin without intervals.

        Args:
            places: The largest number of trajectories.
            seconds: The elapsed time of every frame.
        """
        self._seconds = seconds
        self._moving = np.zeros(places, np.bool_)
        self._last = np.full(places, -1, np.int32)
        self._trajectories = [np.empty(0, np.int32)]
        self._frames = [np.empty(0, np.int32)]
        self._changes = [np.empty(0, np.bool_)]

    def add(self, trajectory: Int32Array, frame: Int32Array, moving: BoolArray) -> None:
        """Add a block in file order.

        Args:
            trajectory: The numbers of trajectories, int32[n].
            frame: The frame index of each, int32[n].
            moving: Whether it moves there, bool[n].
        """
        if not len(trajectory):
            return
        order = sorted_order(trajectory)
        trajectory = trajectory[order]
        frame = frame[order]
        moving = moving[order]
        (changed,) = np.nonzero(moving != values_before(trajectory, moving, self._moving))
        self._last[trajectory] = frame  # of several the last one counts
        trajectory = trajectory[changed]
        frame = frame[changed]
        moving = moving[changed]
        kept = self._without_pauses(trajectory, frame, moving)
        self._trajectories.append(trajectory[kept])
        self._frames.append(frame[kept])
        self._changes.append(moving[kept])

    def _without_pauses(self, trajectory: Int32Array, frame: Int32Array, moving: BoolArray) -> BoolArray:
        """Find the changes, sorted by trajectory, without both ends of stops shorter than half a second: bool[n]."""
        if len(trajectory) < 2:
            return np.ones(len(trajectory), np.bool_)
        stops = (trajectory[1:] == trajectory[:-1]) & ~moving[:-1]
        with np.errstate(over="ignore", invalid="ignore"):
            when = self._seconds[np.minimum(frame, len(self._seconds) - 1)]
            short = stops & (when[1:] - when[:-1] < PAUSE)
        return np.asarray(~(np.append(short, False) | np.append(False, short)))

    def intervals(self, number: int) -> list[Int32Array]:
        """Return the frames `[start, stop)` in which each of the first trajectories moves: int32[n, 2] for each.

        Args:
            number: Of the trajectories: there are fewer than places, and an array for each place would take longer than
                the search.
        """
        (still_moving,) = np.nonzero(self._moving)
        trajectory = np.concatenate([*self._trajectories, still_moving.astype(np.int32)])
        frame = np.concatenate([*self._frames, self._last[still_moving] + 1])
        moving = np.concatenate([*self._changes, np.zeros(len(still_moving), np.bool_)])
        order = sorted_order(trajectory)
        trajectory = trajectory[order]
        frame = frame[order]
        moving = moving[order]
        kept = self._without_pauses(trajectory, frame, moving)
        trajectory = trajectory[kept]
        frame = frame[kept]
        moving = moving[kept]
        pairs = np.stack((frame[moving], frame[~moving]), axis=1).astype(np.int32)
        stops = np.searchsorted(trajectory[moving], np.arange(number), side="right")
        return np.split(pairs, stops)[:number]


class PathBuilder:
    """Builds the distance and the path of trajectories; paths hold at most `MAX_POINTS` points together.

    Attributes:
        distance: Metres of each trajectory, float64[places].
        spacing: Metres between points of a path.
    """

    def __init__(self, places: int, seconds: FloatArray) -> None:
        """Begin without points.

        Args:
            places: The largest number of trajectories.
            seconds: The elapsed time of every frame.
        """
        self.distance = np.zeros(places)
        self.spacing = _FIRST_SPACING
        self._seconds = seconds
        self._frame = np.full(places, -1, np.int32)
        self._place = np.zeros((2, places))
        self._kept = np.empty(0, _KEPT)
        self._fresh: list[StructuredArray] = []
        self._number = 0

    def add(self, trajectory: Int32Array, block: StructuredArray) -> None:
        """Add a block of positions in file order.

        Args:
            trajectory: The numbers of trajectories, int32[n]; those of -1 are left out.
            block: The positions; those without a finite place are left out.
        """
        sound = np.flatnonzero((trajectory >= 0) & np.isfinite(block["x"]) & np.isfinite(block["y"]))
        order = sound[sorted_order(trajectory[sound])]
        trajectory = trajectory[order]
        frame = block["frame"][order]
        place = np.stack([block["x"][order].astype(np.float64), block["y"][order].astype(np.float64)])
        last = run_ends(trajectory, frame)
        if not last.all():
            trajectory = trajectory[last]
            frame = frame[last]
            place = place[:, last]
        if len(trajectory):
            self._continue(trajectory, frame, place)

    def _continue(self, trajectory: Int32Array, frame: Int32Array, place: FloatArray) -> None:
        """Continue trajectories by positions, ordered by trajectory and frame; `place` is float64[2, n] (cm)."""
        heads = np.flatnonzero(run_starts(trajectory))
        tails = np.append(heads[1:], len(trajectory)) - 1
        owner = trajectory[heads]
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
        along = passed + np.repeat(self.distance[owner] - passed[heads] + driven[heads], tails - heads + 1)
        # Kept are points that pass a multiple of the spacing, first points, and those before and after a jump.
        passes = np.floor(along / self.spacing) > np.floor((along - driven) / self.spacing)
        (kept,) = np.nonzero(passes | ~begun | jump)
        points = _points(trajectory[kept], frame[kept], place[:, kept], along[kept])
        points["begins"] = jump[kept]
        points["holds"] = ~begun[kept] | jump[kept]
        self._add(points)
        if jump.any():
            points = _points(trajectory[jump], from_frame[jump], from_place[:, jump], along[jump])
            points["holds"] = True
            self._add(points)
        self.distance[owner] = along[tails]
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
        self._kept = points[run_starts(points["trajectory"], points["frame"])]
        self._number = len(self._kept)

    def _thin(self, most: int) -> None:
        """Double the spacing until at most `most` points are left."""
        self._gather()
        while len(self._kept) > most and self.spacing < _LARGEST_SPACING:
            self.spacing *= 2
            first = run_starts(np.floor(self._kept["along"] / self.spacing), self._kept["trajectory"])
            self._kept = self._kept[first | self._kept["holds"]]
        if len(self._kept) > most:
            # Only where trajectories are more than points, or noise jumps about: any point is as good as another.
            self._kept = self._kept[:: math.ceil(len(self._kept) / most)]
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

    def paths(self, number: int) -> list[StructuredArray]:
        """Return the path of each of the first trajectories: dtype `POINT`; `number` as of `MovingIntervals`."""
        (pieces,) = np.nonzero(self._kept["begins"])
        points = np.empty(len(self._kept), POINT)
        for name in ("frame", "x", "y"):
            points[name] = self._kept[name]
        breaks = points[pieces]
        breaks["x"] = np.nan
        breaks["y"] = np.nan
        trajectory = np.insert(self._kept["trajectory"], pieces, self._kept["trajectory"][pieces])
        stops = np.searchsorted(trajectory, np.arange(number), side="right")
        return np.split(np.insert(points, pieces, breaks), stops)[:number]


def _points(trajectory: Int32Array, frame: Int32Array, place: FloatArray, along: FloatArray) -> StructuredArray:
    """Return points of paths, dtype `_KEPT`; `place` is x and y, float64[2, n] (cm), `along` in metres."""
    points = np.zeros(len(trajectory), _KEPT)
    points["trajectory"] = trajectory
    points["frame"] = frame
    points["x"] = place[0] * 0.01
    points["y"] = place[1] * 0.01
    points["along"] = along
    return points


# --- thumbnails -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ThumbnailPath:
    """A path in a thumbnail.

    Attributes:
        kind: The class of the actor, or `hero`; empty for an id without an EventAdd.
        points: x and y of its points, 0 to `SIDE`.
    """

    kind: str
    points: tuple[tuple[int, int], ...]


def thumbnail_lines(survey: Trajectories, points: int = _POINTS) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the points of `thumbnail_paths`."""
    return tuple(path.points for path in thumbnail_paths(survey, points))


def thumbnail_paths(survey: Trajectories, points: int = _POINTS) -> tuple[ThumbnailPath, ...]:
    """Return the longest paths driven, thinned and moved onto the square of a thumbnail.

    Args:
        survey: The trajectories of a recording.
        points: The number of points in all.
    """
    longest = sorted(survey.trajectories, key=lambda trajectory: -trajectory.distance)
    kept: list[tuple[str, FloatArray]] = []
    for trajectory in longest:
        if len(kept) == _LINES:
            break
        path = np.column_stack((trajectory.path["x"], trajectory.path["y"])).astype(np.float64)
        path = path[np.isfinite(path).all(axis=1)]
        if len(path) > 1 and trajectory.distance > 1.0:
            kept.append((_kind_of(trajectory), path))
    if not kept:
        return ()
    every = np.concatenate([path for _, path in kept])
    low = every.min(axis=0)
    high = every.max(axis=0)
    scale = SIDE / max(float((high - low).max()), 1.0)
    share = max(2, points // len(kept))
    paths = []
    for kind, path in kept:
        chosen = path[np.linspace(0, len(path) - 1, min(share, len(path))).round().astype(np.intp)]
        moved = np.round((chosen - (low + high) / 2) * scale + SIDE / 2).astype(int)
        if float(np.ptp(moved, axis=0).max()) >= _SHORTEST * SIDE:
            paths.append(ThumbnailPath(kind, tuple((int(x), int(y)) for x, y in moved.tolist())))
    return tuple(paths)


def _kind_of(trajectory: Trajectory) -> str:
    if trajectory.life is None:
        return ""
    if trajectory.life.is_hero:
        return "hero"
    return trajectory.life.class_
