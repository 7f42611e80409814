"""The way of a selected actor: behind it a line coloured by speed, ahead of it dots; and which moment lies where."""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from ...recording.trajectories import Trajectory
from ..palette import Palette
from .camera import Camera
from .world import Reals

BEHIND, AHEAD = 12.0, 5.0
"""Seconds of the way that are shown."""

WIDTH = 4.0
_DOTS = 7.0
_FASTEST = 120.0
_LEVELS = 40
_FINEST = 2.5
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
    top = trajectory.top_speed if 0 < trajectory.top_speed < _FASTEST else float(known.max())
    return Trail(x, y, points["frame"].astype(np.int64), times, speed, float(np.ceil(max(2.0, top) - 0.05)), now)


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


def draw_trail(
    painter: QPainter, palette: Palette, camera: Camera, trail: Trail, here: QPointF | None
) -> list[QPointF]:
    """Draw it; `here` is where the actor is now. Gives points along it, for labels to keep away from."""
    x, y = camera.points(trail.x, trail.y)
    shares = np.nan_to_num(trail.speed / trail.fastest)
    levels = np.clip((shares * _LEVELS).astype(np.int64), 0, _LEVELS)
    levels[np.isnan(trail.speed)] = -1
    passed = int(np.searchsorted(trail.time, trail.now, side="right"))
    kept = [*_behind(painter, palette, x, y, levels, passed, here)]
    kept += _ahead(painter, palette, x, y, levels, passed, here)
    return kept


def _behind(
    painter: QPainter,
    palette: Palette,
    x: Reals,
    y: Reals,
    levels: npt.NDArray[np.int64],
    passed: int,
    here: QPointF | None,
) -> list[QPointF]:
    """One line for each run of one colour; points nearer than a line is wide are left out."""
    points = [QPointF(a, b) for a, b in zip(x[:passed].tolist(), y[:passed].tolist(), strict=True)]
    colours = levels[: max(0, passed - 1)].tolist()
    if here is not None and points:
        points.append(here)
        colours.append(int(levels[min(passed, len(levels)) - 1]))
    marks: list[QPointF] = []
    run: list[QPointF] = []
    level = -1
    round_ = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    pen = QPen(palette.path, WIDTH, Qt.PenStyle.SolidLine, *round_)

    def close() -> None:
        if len(run) > 1 and level >= 0:
            pen.setColor(palette.speed_color(level / _LEVELS))
            painter.setPen(pen)
            painter.drawPolyline(QPolygonF(run))

    for index, (start, stop) in enumerate(pairwise(points)):
        if colours[index] != level or not run:
            run.append(start)
            close()
            run, level = [start], colours[index]
        last = run[-1]
        if abs(stop.x() - last.x()) + abs(stop.y() - last.y()) >= _FINEST or index == len(points) - 2:
            run.append(stop)
        if not marks or abs(stop.x() - marks[-1].x()) + abs(stop.y() - marks[-1].y()) > 8:
            marks.append(stop)
    close()
    return marks


def _ahead(
    painter: QPainter,
    palette: Palette,
    x: Reals,
    y: Reals,
    levels: npt.NDArray[np.int64],
    passed: int,
    here: QPointF | None,
) -> list[QPointF]:
    """Dots at equal distances along the way, from where the actor is."""
    start = max(1, passed) - 1
    xs, ys, colours = x[start:].tolist(), y[start:].tolist(), levels[start:].tolist()
    if here is not None and xs:
        xs[0], ys[0] = here.x(), here.y()
    painter.setPen(Qt.PenStyle.NoPen)
    dots: list[QPointF] = []
    left = _DOTS
    for index in range(len(xs) - 1):
        length = math.dist((xs[index], ys[index]), (xs[index + 1], ys[index + 1]))
        if colours[index] < 0 or not length > 0:
            continue
        at = left
        painter.setBrush(palette.speed_color(colours[index] / _LEVELS))
        while at < length and len(dots) < 2000:
            part = at / length
            dot = QPointF(
                xs[index] + (xs[index + 1] - xs[index]) * part, ys[index] + (ys[index + 1] - ys[index]) * part
            )
            painter.drawEllipse(dot, WIDTH / 2, WIDTH / 2)
            dots.append(dot)
            at += _DOTS
        left = at - length
    return dots
