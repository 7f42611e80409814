"""The trails of the selected: behind an actor a line coloured by speed, ahead of it dots."""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from ..camera import Camera
from ..label_layout import Sides
from ..state import SceneState
from ..trails import Trail
from .base import Layer

LEVELS = 40
"""Colours from standing to the fastest."""

_WIDTH = 4.0
_DOTS = 7.0
_MOST_DOTS = 2000
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


def trail_shape(trail: Trail, camera: Camera, here: QPointF | None) -> TrailShape:
    """The shape of a trail; `here` is where the actor is now, px."""
    x, y = camera.points(trail.x, trail.y)
    levels = np.clip((np.nan_to_num(trail.speed / trail.fastest) * LEVELS).astype(np.int64), 0, LEVELS)
    levels[np.isnan(trail.speed)] = -1
    # Of points that are nearer to each other than a line is wide only one, and both ends of every jump.
    lengths = np.abs(np.diff(x)) + np.abs(np.diff(y))
    steps = np.append(0.0, np.nan_to_num(lengths).cumsum()) // _FINEST
    jumps = np.flatnonzero(levels < 0)
    kept = np.diff(steps, prepend=-1.0) > 0
    kept[[*jumps, *(jumps + 1), -1]] = True
    at = np.flatnonzero(kept)
    passed = int(np.searchsorted(trail.time[at], trail.now, side="right"))
    colors, start = levels[at[:-1]].tolist(), max(1, passed) - 1
    points = list(zip(x[at].tolist(), y[at].tolist(), strict=True))
    behind, ahead, colors_behind = points[:passed], points[start:], colors[: max(0, passed - 1)]
    if here is not None and behind:
        behind.append((here.x(), here.y()))
        colors_behind.append(colors[min(passed, len(colors)) - 1])
    if here is not None and ahead:
        ahead[0] = here.x(), here.y()
    lines, marks = _lines(behind, colors_behind)
    return TrailShape(lines, _dots(ahead, colors[start:]), marks)


def _lines(points: list[Point], levels: list[int]) -> tuple[list[tuple[int, QPolygonF]], list[Point]]:
    """One line for each run of one colour; and points along them."""
    lines: list[tuple[int, QPolygonF]] = []
    marks: list[Point] = []
    run: list[Point] = []
    level = -1

    def close() -> None:
        if len(run) > 1 and level >= 0:
            lines.append((level, QPolygonF([QPointF(x, y) for x, y in run])))

    for index, (start, stop) in enumerate(pairwise(points)):
        if levels[index] != level or not run:
            close()
            run, level = [start], levels[index]
        run.append(stop)
        if not marks or abs(stop[0] - marks[-1][0]) + abs(stop[1] - marks[-1][1]) > _MARKS:
            marks.append(stop)
    close()
    return lines, marks


def _dots(points: list[Point], levels: list[int]) -> list[tuple[int, Point]]:
    """Dots at equal distances along a way."""
    dots: list[tuple[int, Point]] = []
    left = _DOTS
    for ((x, y), stop), level in zip(pairwise(points), levels, strict=False):
        length = math.dist((x, y), stop)
        if level < 0 or not length > 0:
            continue
        at = left
        while at < length and len(dots) < _MOST_DOTS:
            dots.append((level, (x + (stop[0] - x) * (at / length), y + (stop[1] - y) * (at / length))))
            at += _DOTS
        left = at - length
    return dots
