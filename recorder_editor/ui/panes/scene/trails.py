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

_FASTEST = 120.0  # m/s
_REACH = 8.0  # px


@dataclass(frozen=True, eq=False)
class Trail:
    """The part of a way that is shown.

    Attributes:
        x: Places of the actor, m.
        y: Places of the actor, m.
        frame: The frame of each place.
        time: The time of each place, s.
        speed: Speed from each place to the next one, m/s; NaN where the actor was put elsewhere.
        fastest: The speed at which the colours end, m/s.
        now: The time of the frame that is shown, s.
    """

    x: Reals
    y: Reals
    frame: npt.NDArray[np.int64]
    time: Reals
    speed: Reals
    fastest: float
    now: float


@np.errstate(over="ignore", invalid="ignore")
def trail_of(trajectory: Trajectory, elapsed: Reals, frame_index: int) -> Trail | None:
    """Return the part of a trajectory that is shown in a frame.

    Args:
        trajectory: The recorded way of one life.
        elapsed: Time of each frame, s.
        frame_index: Index of the frame, from 0.

    Returns:
        None where there is nothing to show.
    """
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
    points = points[part]
    times = times[part]
    if len(points) < 2:
        return None
    x = points["x"].astype(np.float64)
    y = points["y"].astype(np.float64)
    speed = np.hypot(np.diff(x), np.diff(y)) / np.maximum(np.diff(times), 1e-6)
    speed[~(speed < _FASTEST)] = np.nan
    finite = speed[np.isfinite(speed)]
    if not len(finite):
        return None
    if 0 < trajectory.top_speed < _FASTEST:
        top = trajectory.top_speed
    else:
        top = float(finite.max())
    return Trail(
        x=x,
        y=y,
        frame=points["frame"].astype(np.int64),
        time=times,
        speed=speed,
        fastest=float(np.ceil(max(2.0, top) - 0.05)),
        now=now,
    )


def trajectories_of(
    survey: Trajectories | None, actors: Actors | None, selected: tuple[int, ...], frame_index: int
) -> list[Trajectory]:
    """Return the trajectories of actors in their lives of one frame.

    Args:
        survey: The trajectories of the recording; None while they are not known.
        actors: The lives of the recording; None without a recording.
        selected: Ids of the actors.
        frame_index: Index of the frame, from 0.
    """
    if survey is None or actors is None:
        return []
    matches = []
    for actor in selected:
        life = actors.at(actor, frame_index)
        if life is not None and life.index < len(survey.trajectories):
            trajectory = survey.trajectories[life.index]
            # After an edit the survey is that of the state before, for a moment.
            if trajectory.actor in selected:
                matches.append(trajectory)
    return matches


def trails_of(trajectories: Iterable[Trajectory], elapsed: Reals, frame_index: int) -> tuple[tuple[int, Trail], ...]:
    """Return the trails of several actors, each with its id.

    All have one `fastest`, or a colour would mean another speed on each.
    """
    trails = []
    for trajectory in trajectories:
        trail = trail_of(trajectory, elapsed, frame_index)
        if trail is not None:
            trails.append((trajectory.actor, trail))
    fastest = max((trail.fastest for _, trail in trails), default=0.0)
    return tuple((actor, replace(trail, fastest=fastest)) for actor, trail in trails)


def moment_at(trail: Trail, camera: Camera, point: QPointF) -> int | None:
    """Return the frame in which the actor was at a point of the screen; None where the trail is not there."""
    x, y = camera.points(trail.x, trail.y)
    dx = np.diff(x)
    dy = np.diff(y)
    along = ((point.x() - x[:-1]) * dx + (point.y() - y[:-1]) * dy) / np.maximum(dx * dx + dy * dy, 1e-9)
    along = np.clip(along, 0.0, 1.0)
    distance = np.hypot(x[:-1] + along * dx - point.x(), y[:-1] + along * dy - point.y())
    distance[np.isnan(trail.speed)] = np.inf
    nearest = int(np.nanargmin(np.where(np.isnan(distance), np.inf, distance)))
    if not distance[nearest] <= _REACH:
        return None
    first = int(trail.frame[nearest])
    last = int(trail.frame[nearest + 1])
    return first + round(float(along[nearest]) * (last - first))


_LONGEST_TTC = 20.0  # s


class LeaderLine(NamedTuple):
    """The line from a follower to its leader.

    Attributes:
        actor: Id of the follower.
        leader: Id of the leader.
        gap: Distance between both, m.
        ttc: Time to collision, s; NaN where the gap does not close.
        risk: Level of the risk, 0 to 2.
    """

    actor: int
    leader: int
    gap: float
    ttc: float
    risk: int

    def texts(self, units: Units) -> tuple[str, str]:
        """Return the text with the time, as in `12.3 m, TTC 3.1 s` (a long time is left out), and the gap alone."""
        gap = units.text(self.gap, "m", 1)
        whole = gap
        if self.ttc < _LONGEST_TTC:
            whole = say("{gap}, TTC {ttc:.1f} s", gap=gap, ttc=self.ttc)
        return whole, gap


def leader_lines(
    analysis: "Analysis", actors: Actors, chosen: tuple[int, ...], frame_index: int
) -> tuple[LeaderLine, ...]:
    """Return the lines from these actors (ids) to their leaders in a frame."""
    lines = []
    columns = analysis.columns
    for actor in chosen:
        life = actors.at(actor, frame_index)
        if life is None:
            continue
        row = analysis.row_at(life.index, frame_index)
        leader = analysis.leader_of(life.index, frame_index)
        if row is None or leader is None:
            continue
        line = LeaderLine(
            actor=actor,
            leader=analysis.actors.lives[leader].actor,
            gap=float(columns["dist_headway"][row]),
            ttc=float(columns["TTC"][row]),
            risk=int(columns["risk_level"][row]),
        )
        lines.append(line)
    return tuple(lines)
