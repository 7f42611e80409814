"""Lines about actors at a moment: the part of a path around it, with its speeds, and the gap to a vehicle's leader."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF

from ....reading import Actors, Trajectories, Trajectory
from ....texts import say
from ....views.frame_actors import Reals
from ....views.units import Units
from .camera import Camera

if TYPE_CHECKING:
    from ....analysis import Analysis

BEHIND = 12.0
AHEAD = 5.0
"""Seconds of the way that are shown."""

_FASTEST = 120.0
_REACH = 8.0


@dataclass(frozen=True, eq=False)
class Trail:
    """The part of a way that is shown: places in metres, the frame and the time of each, `speed` from one to the next
    in m/s (NaN where it was put elsewhere), `fastest` (m/s, where the colours end), `now` (s)."""

    x: Reals
    y: Reals
    frame: npt.NDArray[np.int64]
    time: Reals
    speed: Reals
    fastest: float
    now: float


@np.errstate(over="ignore", invalid="ignore")
def trail_of(trajectory: Trajectory, elapsed: Reals, frame_index: int) -> Trail | None:
    """What of a trajectory is shown in a frame; None where there is nothing to show."""
    points = trajectory.path
    if len(points) < 2 or not len(elapsed):
        return None
    now = float(elapsed[min(frame_index, len(elapsed) - 1)])
    times = elapsed[np.clip(points["frame"], 0, len(elapsed) - 1)]
    (near,) = np.nonzero((times >= now - BEHIND) & (times <= now + AHEAD))
    if not len(near):
        return None
    # The points beside the window belong to it: a car that stands has one before and one after.
    part = slice(max(0, int(near[0]) - 1), int(near[-1]) + 2)
    points, times = points[part], times[part]
    if len(points) < 2:
        return None
    x, y = points["x"].astype(np.float64), points["y"].astype(np.float64)
    speed = np.hypot(np.diff(x), np.diff(y)) / np.maximum(np.diff(times), 1e-6)
    speed[~(speed < _FASTEST)] = np.nan
    known = speed[np.isfinite(speed)]
    if not len(known):
        return None
    if 0 < trajectory.top_speed < _FASTEST:
        top = trajectory.top_speed
    else:
        top = float(known.max())
    return Trail(x, y, points["frame"].astype(np.int64), times, speed, float(np.ceil(max(2.0, top) - 0.05)), now)


def trajectories_of(
    survey: Trajectories | None, actors: Actors | None, selected: tuple[int, ...], frame_index: int
) -> list[Trajectory]:
    """The ways of these actors (ids) in their lives of that frame."""
    if survey is None or actors is None:
        return []
    lives = (actors.at(actor, frame_index) for actor in selected)
    indices = (life.index for life in lives if life is not None)
    found = (survey.trajectories[index] for index in indices if index < len(survey.trajectories))
    # After an edit the survey is that of the state before, for a moment.
    return [trajectory for trajectory in found if trajectory.actor in selected]


def trails_of(trajectories: Iterable[Trajectory], elapsed: Reals, frame_index: int) -> tuple[tuple[int, Trail], ...]:
    """The trails of several actors, by id, all with one `fastest`, or a colour would mean another speed on each."""
    found = ((each.actor, trail_of(each, elapsed, frame_index)) for each in trajectories)
    trails = []
    for actor, trail in found:
        if trail is not None:
            trails.append((actor, trail))
    fastest = max((trail.fastest for _, trail in trails), default=0.0)
    return tuple((actor, replace(trail, fastest=fastest)) for actor, trail in trails)


def moment_at(trail: Trail, camera: Camera, point: QPointF) -> int | None:
    """The frame in which the actor was at a point of the screen, or None where the trail is not there."""
    x, y = camera.points(trail.x, trail.y)
    dx, dy = np.diff(x), np.diff(y)
    along = ((point.x() - x[:-1]) * dx + (point.y() - y[:-1]) * dy) / np.maximum(dx * dx + dy * dy, 1e-9)
    along = np.clip(along, 0.0, 1.0)
    distance = np.hypot(x[:-1] + along * dx - point.x(), y[:-1] + along * dy - point.y())
    distance[np.isnan(trail.speed)] = np.inf
    nearest = int(np.nanargmin(np.where(np.isnan(distance), np.inf, distance)))
    if not distance[nearest] <= _REACH:
        return None
    first, last = int(trail.frame[nearest]), int(trail.frame[nearest + 1])
    return first + round(float(along[nearest]) * (last - first))


_LONGEST_TTC = 20.0


class LeaderLine(NamedTuple):
    """`actor` drives behind `leader` (ids): `gap` (m), `ttc` (s, NaN where the gap does not close), `risk` (0 to 2)."""

    actor: int
    leader: int
    gap: float
    ttc: float
    risk: int

    def texts(self, units: Units) -> tuple[str, str]:
        """`12.3 m, TTC 3.1 s`, a long time left out; and the gap alone."""
        gap = units.text(self.gap, "m", 1)
        return say("{gap}, TTC {ttc:.1f} s", gap=gap, ttc=self.ttc) if self.ttc < _LONGEST_TTC else gap, gap


def leader_lines(
    analysis: "Analysis", actors: Actors, chosen: tuple[int, ...], frame_index: int
) -> tuple[LeaderLine, ...]:
    """The lines from these actors (ids) to their leaders in a frame."""
    found = []
    for actor in chosen:
        life = actors.at(actor, frame_index)
        row = None
        if life is not None:
            row = analysis.row_at(life.index, frame_index)
        leader = None
        if life is not None:
            leader = analysis.leader_of(life.index, frame_index)
        if row is not None and leader is not None:
            gap = float(analysis.columns["dist_headway"][row])
            ttc = float(analysis.columns["TTC"][row])
            level = int(analysis.columns["risk_level"][row])
            found.append(LeaderLine(actor, analysis.actors.lives[leader].actor, gap, ttc, level))
    return tuple(found)
