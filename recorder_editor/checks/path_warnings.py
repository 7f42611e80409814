"""What would be wrong with a path that is edited by keys: too fast a change of speed, a bend too tight, others in the
way, no road.

Said of those frames only that the keys change, and that were not so before.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray, StructuredArray
from ..edits.paths.edit_path import MAX_STEERING, wheelbase
from ..edits.paths.keyed import KeyedPath
from ..reading import Actors, Life, Tracks, short_blueprint
from ..reading.lanes import LanePlaces
from ..recording import Snapshot
from ..texts import say
from .overlaps import ROAD_USERS, VEHICLES, Boxes, are_overlapping

MAX_ACCELERATION = 8.0
MAX_JERK = 40.0
"""What a car can do on a dry road, m/s², and how fast its brakes take hold, m/s³."""

_JERK_TIME = 0.2  # s in which the acceleration changes
_CM = 100.0
_NEAR = 4_000.0  # cm: further away no boxes meet
_MORE = 0.5  # m/s² by which it must be worse than it was

_Problem = tuple[str, BoolArray]
"""What is wrong, and in which of the judged frames it is."""


class PathWarning(NamedTuple):
    """What is wrong with a path.

    Attributes:
        text: What is wrong, as text.
        frames: Indices of the frames.
    """

    text: str
    frames: IntArray


class PathJudge:
    """Judges paths of one life of a snapshot, again and again; may be used in another thread."""

    def __init__(self, snapshot: Snapshot, life: Life) -> None:
        self._actors = Actors.of(snapshot)
        span = life.within(range(len(snapshot)))
        self._life = life
        self._roads = snapshot.roads
        self._wheelbase = wheelbase(snapshot, life) if life.class_ in VEHICLES else 0.0
        self._own = Tracks(snapshot).path(life.actor, span)
        self._was_off_road = self._off_road(self._own)
        self._boxes = Boxes(self._actors, ROAD_USERS)
        others = Tracks(snapshot).positions(None, span)
        lives = self._actors.indices_of(others["id"], others["frame"])
        left_out = []  # itself, what is attached to it, and what it is attached to
        for other in self._actors:
            if life.index in (other.index, other.parent):
                left_out.append(other.index)
        if life.parent is not None:
            left_out.append(life.parent)
        lives[np.isin(lives, left_out)] = -1
        self._others = self._boxes.place(others, lives)
        self._other_frames = self._others["frame"].copy()
        self._other_x = self._others["x"].copy()
        self._other_y = self._others["y"].copy()

    @np.errstate(all="ignore")  # files may hold any number
    def warnings(self, path: KeyedPath) -> tuple[PathWarning, ...]:
        """Return what is wrong with a path of this life."""
        if path.span is None:
            return ()
        recorded = path.recorded
        first, stop = np.searchsorted(recorded.times, path.span)
        rows = np.arange(max(0, first - 1), min(len(recorded.times), stop + 2))
        problems = list(self._motion_problems(path, rows))
        problems.extend(self._surroundings_problems(path, rows))
        warnings = []
        for text, is_bad in problems:
            if is_bad.any():
                warnings.append(PathWarning(text, recorded.frames[rows[is_bad]]))
        return tuple(warnings)

    def _motion_problems(self, path: KeyedPath, rows: IntArray) -> Iterator[_Problem]:
        """Yield what is wrong with accelerations and the angle of the wheels in these rows of the path."""
        recorded = path.recorded
        times = recorded.times[rows]
        motion = path.motion(times)
        recorded_rates = np.gradient(recorded.speeds, recorded.times)
        old_speed = np.interp(motion["path"], recorded.times, recorded.speeds)
        old_rate = np.interp(motion["path"], recorded.times, recorded_rates)
        speed = path.way[rows, 2]
        rate = np.gradient(path.way[:, 2], recorded.times)[rows]
        old_bend, bend = motion["bends"].T
        acceleration = np.hypot(rate, speed**2 * bend)
        old_acceleration = np.hypot(old_rate, old_speed**2 * old_bend)
        is_bad = acceleration > np.maximum(MAX_ACCELERATION, old_acceleration + _MORE)
        worst = acceleration[is_bad].max(initial=0)
        yield say("Acceleration {worst:.1f} m/s², over {limit:g}", worst=worst, limit=MAX_ACCELERATION), is_bad
        more = rate - old_rate
        early = np.interp(times - _JERK_TIME / 2, times, more)
        late = np.interp(times + _JERK_TIME / 2, times, more)
        jerk = np.abs(late - early) / _JERK_TIME
        is_bad = jerk > MAX_JERK
        yield say("Jerk {worst:.0f} m/s³, over {limit:g}", worst=jerk[is_bad].max(initial=0), limit=MAX_JERK), is_bad
        angle = self._steering(bend)
        is_bad = angle > np.maximum(MAX_STEERING, self._steering(old_bend))
        worst = angle[is_bad].max(initial=0)
        yield say("Steering {worst:.0f}°, over {limit:g}", worst=worst, limit=MAX_STEERING), is_bad

    def _steering(self, bends: FloatArray) -> FloatArray:
        """Return the angle of the wheels in bends (1/m), degrees."""
        angles: FloatArray = np.degrees(np.arctan(np.abs(bends) * self._wheelbase))
        return angles

    def _surroundings_problems(self, path: KeyedPath, rows: IntArray) -> Iterator[_Problem]:
        """Yield others in the way, and whether there is a road, in these rows of the path."""
        frames = path.recorded.frames[rows]
        own_rows = np.searchsorted(self._own["frame"], frames)
        before = self._own[own_rows]
        now = before.copy()
        now["x"], now["y"] = path.way[rows, :2].T * _CM
        now["yaw"] += path.motion(path.recorded.times[rows])["turn"]
        overlapped = self._overlapped(now)
        if len(overlapped):
            overlapped = overlapped[~np.isin(overlapped, self._overlapped(before))]
        lives = self._others["life"][overlapped]
        for index in np.unique(lives).tolist():
            life = self._actors.lives[index]
            life_frames = self._other_frames[overlapped[lives == index]]
            actor = say("{blueprint} {actor}", blueprint=short_blueprint(life.blueprint), actor=life.actor)
            yield say("{actor} is in the way", actor=actor), np.isin(frames, life_frames)
        yield say("Off the road"), self._off_road(now) & ~self._was_off_road[own_rows]

    def _overlapped(self, positions: StructuredArray) -> IntArray:
        """Return the rows of the others' boxes that this life overlaps at these positions of its own."""
        own = self._boxes.place(positions, np.full(len(positions), self._life.index))
        if not len(own):
            return np.zeros(0, np.int64)
        first, last = own["frame"][[0, -1]].tolist()
        low, high = np.searchsorted(self._other_frames, (first, last + 1)).tolist()
        offsets = self._other_frames[low:high] - first
        own_x = np.full(last + 1 - first, np.nan)
        own_y = np.full(last + 1 - first, np.nan)
        own_x[own["frame"] - first] = own["x"]
        own_y[own["frame"] - first] = own["y"]
        distance = np.abs(own_x[offsets] - self._other_x[low:high]) + np.abs(own_y[offsets] - self._other_y[low:high])
        rows = low + np.flatnonzero(distance < _NEAR)
        own_rows = np.searchsorted(own["frame"], self._other_frames[rows])
        return np.asarray(rows[are_overlapping(own[own_rows], self._others[rows])])

    def _off_road(self, positions: StructuredArray) -> BoolArray:
        if self._roads is None or not self._wheelbase:
            return np.zeros(len(positions), np.bool_)
        return LanePlaces.of(self._roads, positions).off_road
