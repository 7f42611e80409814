"""The trails of the selected: behind an actor a line coloured by speed, ahead of it dots."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from .....views.frame_actors import Numbers, Pairs
from ..camera import Camera
from ..label_layout import Sides
from ..state import SceneState
from ..trails import Trail
from .layer import Layer

LEVELS = 40
"""Colours from standing to the fastest."""

_WIDTH = 4.0  # px
_DOTS = 7.0  # px between dots
_MOST = 2000  # dots of one way
_FINEST = 2.5  # px between points of a line
_MARKS = 8.0  # px between the marks that labels avoid


Point = tuple[float, float]


class TrailShape(NamedTuple):
    """A trail in pixels.

    Attributes:
        lines: Lines behind the actor, each with its colour level.
        dots: Dots ahead of it, each with its colour level.
        marks: Points along the lines for labels to avoid.
    """

    lines: list[tuple[int, QPolygonF]]
    dots: list[tuple[int, Point]]
    marks: list[Point]


class TrailLines(Layer):
    """The trails of a state."""

    is_faint = True
    _shapes: tuple[TrailShape, ...] = ()

    def set_state(self, state: SceneState) -> None:
        super().set_state(state)
        self._shapes = tuple(trail_shape(trail, state.camera, state.place_of(actor)) for actor, trail in state.trails)

    def occupied(self) -> Iterator[Sides]:
        for shape in self._shapes:
            for x, y in shape.marks:
                yield x - 3, y - 3, x + 3, y + 3
            for _, (x, y) in shape.dots:
                yield x - 3, y - 3, x + 3, y + 3

    def draw(self, painter: QPainter) -> None:
        if not self._shapes:
            return
        inks = [self.palette.speed_color(level / LEVELS) for level in range(LEVELS + 1)]
        pen = QPen(self.palette.grid, _WIDTH, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        for shape in self._shapes:
            for level, line in shape.lines:
                pen.setColor(inks[level])
                painter.setPen(pen)
                painter.drawPolyline(line)
            painter.setPen(Qt.PenStyle.NoPen)
            for level, (x, y) in shape.dots:
                painter.setBrush(inks[level])
                painter.drawEllipse(QPointF(x, y), _WIDTH / 2, _WIDTH / 2)


@np.errstate(over="ignore", invalid="ignore")
def trail_shape(trail: Trail, camera: Camera, here: QPointF | None) -> TrailShape:
    """Return the shape of a trail.

    Args:
        trail: The trail.
        camera: The camera of the view.
        here: Where the actor is now, px; None where it has no position.
    """
    x, y = camera.points(trail.x, trail.y)
    levels = np.clip((np.nan_to_num(trail.speed / trail.fastest) * LEVELS).astype(np.int64), 0, LEVELS)
    levels[np.isnan(trail.speed)] = -1
    # Of points that are nearer to each other than a line is wide only one, and both ends of every jump.
    lengths = np.abs(np.diff(x)) + np.abs(np.diff(y))
    steps = np.append(0.0, np.nan_to_num(lengths).cumsum()) // _FINEST
    jumps = np.flatnonzero(levels < 0)
    _, firsts = np.unique(steps, return_index=True)
    kept = np.unique(np.concatenate((firsts, jumps, jumps + 1, [len(x) - 1])))
    points = np.column_stack((x, y))[kept]
    colors = levels[kept[:-1]]
    passed = int(np.searchsorted(trail.time[kept], trail.now, side="right"))
    start = max(1, passed) - 1
    behind = points[:passed]
    ahead = points[start:]
    if here is not None:
        now = np.array([(here.x(), here.y())])
        behind = np.concatenate((behind, now[:passed]))
        ahead = np.concatenate((now, ahead[1:]))
    before = np.append(colors, colors[-1:])[: max(0, len(behind) - 1)]
    lines = []
    bounds = np.flatnonzero(np.diff(before, prepend=-2)).tolist()
    bounds.append(len(before))
    for first, stop in pairwise(bounds):
        if before[first] >= 0:
            line = QPolygonF([QPointF(left, top) for left, top in behind[first : stop + 1].tolist()])
            lines.append((int(before[first]), line))
    dots = _along(ahead, colors[start:], _DOTS)
    marks = _along(behind[::-1], before[::-1], _MARKS)
    return TrailShape(lines, dots, [mark for _, mark in marks])


def _along(points: Pairs, levels: Numbers, distance: float) -> list[tuple[int, Point]]:
    """Return places at equal distances along a way, with their colour levels; none where an actor was put elsewhere."""
    if not len(levels):
        return []
    steps = np.diff(points, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    is_driven = (levels >= 0) & (lengths <= distance * _MOST)  # a longer step is a jump, or to nowhere
    way = np.append(0.0, np.where(is_driven, lengths, 0.0).cumsum())
    stations = np.arange(distance, min(way[-1], distance * (_MOST + 1)), distance)
    x = np.interp(stations, way, points[:, 0]).tolist()
    y = np.interp(stations, way, points[:, 1]).tolist()
    level_of_station = levels[np.searchsorted(way, stations) - 1].tolist()
    return list(zip(level_of_station, zip(x, y, strict=True), strict=True))
