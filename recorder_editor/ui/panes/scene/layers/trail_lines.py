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

_WIDTH = 4.0
_DOTS = 7.0
_MOST = 2000
_FINEST = 2.5
_MARKS = 8.0


Point = tuple[float, float]


class TrailShape(NamedTuple):
    """A trail in pixels: `lines` and `dots` with their colour levels, and `marks` along it for labels to avoid."""

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
            for x, y in (*shape.marks, *(dot for _, dot in shape.dots)):
                yield x - 3, y - 3, x + 3, y + 3

    def draw(self, painter: QPainter) -> None:
        inks = [self.palette.speed_color(level / LEVELS) for level in range(LEVELS + 1)]
        pen = QPen(self.palette.path, _WIDTH, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        for shape in self._shapes:
            for level, line in shape.lines:
                pen.setColor(inks[level])
                painter.setPen(pen)
                painter.drawPolyline(line)
            painter.setPen(Qt.PenStyle.NoPen)
            for level, dot in shape.dots:
                painter.setBrush(inks[level])
                painter.drawEllipse(QPointF(*dot), _WIDTH / 2, _WIDTH / 2)


@np.errstate(over="ignore", invalid="ignore")
def trail_shape(trail: Trail, camera: Camera, here: QPointF | None) -> TrailShape:
    """The shape of a trail; `here` is where the actor is now, px."""
    x, y = camera.points(trail.x, trail.y)
    levels = np.clip((np.nan_to_num(trail.speed / trail.fastest) * LEVELS).astype(np.int64), 0, LEVELS)
    levels[np.isnan(trail.speed)] = -1
    # Of points that are nearer to each other than a line is wide only one, and both ends of every jump.
    lengths = np.abs(np.diff(x)) + np.abs(np.diff(y))
    steps = np.append(0.0, np.nan_to_num(lengths).cumsum()) // _FINEST
    jumps = np.flatnonzero(levels < 0)
    firsts = np.unique(steps, return_index=True)[1]
    at = np.unique(np.concatenate((firsts, jumps, jumps + 1, [len(x) - 1])))
    points = np.column_stack((x, y))[at]
    colors = levels[at[:-1]]
    passed = int(np.searchsorted(trail.time[at], trail.now, side="right"))
    start = max(1, passed) - 1
    behind = points[:passed]
    ahead = points[start:]
    if here is not None:
        now = np.array([(here.x(), here.y())])
        behind, ahead = np.concatenate((behind, now[:passed])), np.concatenate((now, ahead[1:]))
    before = np.append(colors, colors[-1:])[: max(0, len(behind) - 1)]
    lines = []
    heads = np.flatnonzero(np.diff(before, prepend=-2)).tolist()
    for first, stop in pairwise([*heads, len(before)]):
        if before[first] >= 0:
            line = QPolygonF([QPointF(*each) for each in behind[first : stop + 1].tolist()])
            lines.append((int(before[first]), line))
    dots = _along(ahead, colors[start:], _DOTS)
    marks = _along(behind[::-1], before[::-1], _MARKS)
    return TrailShape(lines, dots, [mark for _, mark in marks])


def _along(points: Pairs, levels: Numbers, distance: float) -> list[tuple[int, Point]]:
    """Places at equal distances along a way, with their colours; none where somebody was put elsewhere."""
    if not len(levels):
        return []
    lengths = np.hypot(*np.diff(points, axis=0).T)
    is_driven = (levels >= 0) & (lengths <= distance * _MOST)  # a longer step is a jump, or to nowhere
    way = np.append(0.0, np.where(is_driven, lengths, 0.0).cumsum())
    x, y = points.T
    at = np.arange(distance, min(way[-1], distance * (_MOST + 1)), distance)
    places = zip(np.interp(at, way, x).tolist(), np.interp(at, way, y).tolist(), strict=True)
    return list(zip(levels[np.searchsorted(way, at) - 1].tolist(), places, strict=True))
