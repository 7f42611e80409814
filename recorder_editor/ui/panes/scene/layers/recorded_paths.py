"""The streets as far as they were driven: a surface with an edge along each recorded path, and the ways of walkers."""

import math
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from .....arrays import FloatArray
from .....views.streets import NO_STREETS, STREET_WIDTH, WALKWAY_WIDTH, StreetPiece
from ....style.colors import with_alpha
from ....style.look import Look
from ..label_layout import sides_of
from ..shapes import path_of_lines
from ..state import SceneState
from .layer import AT_ONCE, PictureLayer

KERB = 1.2  # px beside a street
_WALKWAY_EDGE = 0.8  # px beside a way
_THINNEST_STREET = 3.0  # px
_WALKWAYS_FROM = 0.5  # px a metre
_CHEVRONS_FROM = 1.5  # px a metre
_CHEVRON = 4.6  # px; a metre where that is more
_CHEVRON_LINE = 1.3  # px
_CHEVRON_SHAPE = np.array([(-0.42, -0.75), (0.42, 0.0), (-0.42, 0.75)])
"""Its points along and across the way, in its size."""

_DOTTED_LINE = 1.2  # px
_DOTS = [1.0 / _DOTTED_LINE, 4.0 / _DOTTED_LINE]  # 1 px and 4 px without, in widths of the line
_DOTTED_ALPHA = 0.7
_LEVELS_KEPT = 4


class RecordedPaths(PictureLayer):
    """The streets of a state."""

    def __init__(self, theme: Look) -> None:
        super().__init__(theme)
        self._streets = NO_STREETS
        self._levels: dict[int, dict[int, QPainterPath]] = {}

    def set_state(self, state: SceneState) -> None:
        super().set_state(state)
        if state.streets is self._streets:
            return
        self._streets = state.streets
        self._levels.clear()
        if state.streets.pieces:
            self.set_source(state.streets)
        else:
            self.set_source(None)

    def points(self, world: QRectF, scale: float) -> int:
        count = 0
        for index in self._streets.near(*sides_of(world)):
            count += self._path(index, scale).elementCount()
            if count > AT_ONCE:
                break
        return count

    def strokes(self, painter: QPainter, world: QRectF, scale: float) -> Iterator[None]:
        """Draw the ways of walkers, and over them the streets; yield after each path.

        All edges are drawn before all surfaces: what overlaps is one street without a seam.
        """
        painter.setTransform(QTransform.fromScale(scale, scale).translate(-world.left(), -world.top()), True)
        driven = []
        walked = []
        for index in self._streets.near(*sides_of(world)):
            if self._streets.pieces[index].is_walked:
                walked.append(self._path(index, scale))
            else:
                driven.append(self._path(index, scale))
        palette = self.palette
        if scale >= _WALKWAYS_FROM:
            yield from _strokes(painter, walked, palette.walkway_edge, WALKWAY_WIDTH + 2 * _WALKWAY_EDGE / scale)
            yield from _strokes(painter, walked, palette.walkway, WALKWAY_WIDTH)
        width = max(STREET_WIDTH, _THINNEST_STREET / scale)
        yield from _strokes(painter, driven, palette.kerb, width + 2 * KERB / scale)
        yield from _strokes(painter, driven, palette.road, width)
        if scale >= _CHEVRONS_FROM:
            self._chevrons(painter, world, scale)
            yield
        dotted = QPen(with_alpha(palette.walker, _DOTTED_ALPHA), _DOTTED_LINE / scale)
        dotted.setCapStyle(Qt.PenCapStyle.FlatCap)
        dotted.setDashPattern(_DOTS)
        for path in walked:
            painter.strokePath(path, dotted)
            yield

    def _chevrons(self, painter: QPainter, world: QRectF, scale: float) -> None:
        """Draw which way was driven."""
        size = max(1.0, _CHEVRON / scale)
        around = world.adjusted(-size, -size, size, size)
        chevrons = self._streets.chevrons
        x = chevrons[:, 0]
        y = chevrons[:, 1]
        seen = (x > around.left()) & (x < around.right()) & (y > around.top()) & (y < around.bottom())
        pen = QPen(self.palette.street_chevron, _CHEVRON_LINE / scale)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(_chevron_path(chevrons[seen], size), pen)

    def _path(self, index: int, scale: float) -> QPainterPath:
        """Return a piece with no more points than can be told apart at that scale."""
        level = math.floor(math.log2(1.5 / scale))
        paths = self._levels.setdefault(level, {})
        if len(self._levels) > _LEVELS_KEPT:
            oldest = next(kept for kept in self._levels if kept != level)
            del self._levels[oldest]
        path = paths.get(index)
        if path is None:
            path = _thinned(self._streets.pieces[index], 2.0**level)
            paths[index] = path
        return path


def _strokes(painter: QPainter, paths: list[QPainterPath], color: QColor, width: float) -> Iterator[None]:
    """Draw paths as wide lines (m) with round ends; yield after each."""
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    for path in paths:
        painter.strokePath(path, pen)
        yield


def _chevron_path(chevrons: FloatArray, size: float) -> QPainterPath:
    """Return chevrons (`Streets.chevrons`) of a size (m) as one path."""
    along = _CHEVRON_SHAPE[:, 0] * size
    across = _CHEVRON_SHAPE[:, 1] * size
    cos = chevrons[:, 2:3]
    sin = chevrons[:, 3:4]
    x = chevrons[:, 0:1] + along * cos - across * sin
    y = chevrons[:, 1:2] + along * sin + across * cos
    return path_of_lines(np.stack((x, y), axis=-1))


def _thinned(piece: StreetPiece, spacing: float) -> QPainterPath:
    """Return a piece with points that are about `spacing` metres apart, and its last one."""
    way = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(piece.x), np.diff(piece.y)))])
    kept = np.diff(np.floor(way / spacing), prepend=-1.0) > 0
    kept[-1] = True
    path = QPainterPath()
    points = zip(piece.x[kept].tolist(), piece.y[kept].tolist(), strict=True)
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    return path
