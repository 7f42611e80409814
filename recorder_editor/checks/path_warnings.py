"""What would be wrong with a path that is edited by keys: too fast a change of speed, a bend too tight, others in the
way, no road.

Said of those frames only that the keys change, and that were not so before.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, IntArray, StructuredArray
from ..edits.paths.edit_path import MAX_STEERING, wheelbase
from ..edits.paths.keyed import KeyedPath
from ..reading import Actors, Life, Tracks, short_blueprint
from ..reading.lanes import LanePlaces
from ..recording import Snapshot
from ..texts import say
from .overlaps import ROAD_USERS, VEHICLES, Boxes, meeting

MAX_ACCELERATION = 8.0
MAX_JERK = 40.0
"""What a car can do on a dry road, m/s², and how fast its brakes take hold, m/s³."""

_JERK_TIME = 0.2  # s in which the acceleration changes
_CM = 100.0
_NEAR = 4_000.0  # cm: further away no boxes meet
_MORE = 0.5  # m/s² by which it must be worse than it was
_Found = tuple[str, BoolArray]


class PathWarning(NamedTuple):
    """What is wrong: its `words`, and in which `frames` (indices)."""

    words: str
    frames: IntArray


class PathJudge:
    """Judges paths of one life of a snapshot, again and again; may be used in another thread."""

    def __init__(self, snapshot: Snapshot, life: Life) -> None:
        self._actors = Actors.of(snapshot)
        span = life.within(range(len(snapshot)))
        self._life = life
        self._roads = snapshot.roads
        if life.class_ in VEHICLES:
            self._axles = wheelbase(snapshot, life)
        else:
            self._axles = 0.0
        self._own = Tracks(snapshot).path(life.actor, span)
        self._was_off_road = self._off_road(self._own)
        self._boxes = Boxes(self._actors, ROAD_USERS)
        others = Tracks(snapshot).positions(None, span)
        whose = self._actors.indices_of(others["id"], others["frame"])
        attached = []
        for each in self._actors:
            if life.index in (each.index, each.parent):
                attached.append(each.index)
        whose[np.isin(whose, [*attached, -1 if life.parent is None else life.parent])] = -1
        self._others = self._boxes.placed(others, whose)
        self._columns = {name: self._others[name].copy() for name in ("frame", "x", "y")}

    @np.errstate(all="ignore")  # files may hold any number
    def warnings(self, path: KeyedPath) -> tuple[PathWarning, ...]:
        """What is wrong with a path of this life."""
        if path.span is None:
            return ()
        recorded = path.recorded
        first, stop = np.searchsorted(recorded.times, path.span)
        at = np.arange(max(0, first - 1), min(len(recorded.times), stop + 2))
        found = [*self._driven(path, at), *self._around(path, at)]
        return tuple(PathWarning(words, recorded.frames[at[bad]]) for words, bad in found if bad.any())

    def _driven(self, path: KeyedPath, at: IntArray) -> Iterator[_Found]:
        """Accelerations, and the angle of the wheels."""
        recorded = path.recorded
        times = path.recorded.times[at]
        motion = path.motion(times)
        speed = path.way[at, 2]
        before, rates = (np.gradient(each, recorded.times) for each in (recorded.speeds, path.way[:, 2]))
        old_speed, old_rate = (np.interp(motion["path"], recorded.times, each) for each in (recorded.speeds, before))
        rate, (old_bend, bend) = rates[at], motion["bends"].T
        now = np.hypot(rate, speed**2 * bend)
        old = np.hypot(old_rate, old_speed**2 * old_bend)
        bad = now > np.maximum(MAX_ACCELERATION, old + _MORE)
        yield (
            say("Acceleration {worst:.1f} m/s², over {limit:g}", worst=now[bad].max(initial=0), limit=MAX_ACCELERATION),
            bad,
        )
        early, late = (np.interp(times + each * _JERK_TIME / 2, times, rate - old_rate) for each in (-1, 1))
        jerk = np.abs(late - early) / _JERK_TIME
        bad = jerk > MAX_JERK
        yield say("Jerk {worst:.0f} m/s³, over {limit:g}", worst=jerk[bad].max(initial=0), limit=MAX_JERK), bad
        angle, old_angle = (np.degrees(np.arctan(np.abs(each) * self._axles)) for each in (bend, old_bend))
        bad = angle > np.maximum(MAX_STEERING, old_angle)
        yield say("Steering {worst:.0f}°, over {limit:g}", worst=angle[bad].max(initial=0), limit=MAX_STEERING), bad

    def _around(self, path: KeyedPath, at: IntArray) -> Iterator[_Found]:
        """Others in the way, and whether there is a road."""
        frames = path.recorded.frames[at]
        rows = np.searchsorted(self._own["frame"], frames)
        before = self._own[rows]
        now = self._own[rows].copy()
        now["x"], now["y"] = path.way[at, :2].T * _CM
        now["yaw"] += path.motion(path.recorded.times[at])["turn"]
        met = self._met(now)
        if len(met):
            met = met[~np.isin(met, self._met(before))]
        for index in np.unique(self._others["life"][met]).tolist():
            life = self._actors.lives[index]
            here = self._others["frame"][met[self._others["life"][met] == index]]
            who = say("{blueprint} {actor}", blueprint=short_blueprint(life.blueprint), actor=life.actor)
            yield say("{actor} is in the way", actor=who), np.isin(frames, here)
        yield say("Off the road"), self._off_road(now) & ~self._was_off_road[rows]

    def _met(self, own: StructuredArray) -> IntArray:
        """The rows of the others' boxes that are overlapped."""
        mine = self._boxes.placed(own, np.full(len(own), self._life.index))
        others = self._columns
        if not len(mine):
            return np.zeros(0, np.int64)
        first, last = mine["frame"][[0, -1]].tolist()
        low, high = np.searchsorted(others["frame"], (first, last + 1)).tolist()
        frames, x, y = (others[name][low:high] for name in ("frame", "x", "y"))
        places = np.full((2, last + 1 - first), np.nan)
        places[:, mine["frame"] - first] = mine["x"], mine["y"]
        near = np.abs(places[0][frames - first] - x) + np.abs(places[1][frames - first] - y) < _NEAR
        rows = low + np.flatnonzero(near)
        same = np.searchsorted(mine["frame"], others["frame"][rows])
        return np.asarray(rows[meeting(mine[same], self._others[rows])])

    def _off_road(self, placed: StructuredArray) -> BoolArray:
        if self._roads is None or not self._axles:
            return np.zeros(len(placed), np.bool_)
        return LanePlaces.of(self._roads, placed).off_road
