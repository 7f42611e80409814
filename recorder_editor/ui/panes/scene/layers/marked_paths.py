"""Paths with marks of time, for a picture that shows several moments at once."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from .....views.frame_actors import Pairs
from ..label_layout import Sides, Wish
from ..shapes import chip_wish, polygon_of
from ..state import MarkedPath
from .layer import Layer

_WIDTH = 1.6  # px
_DOT = 2.6  # px, radius of a mark
_APART = 8.0  # px between the places that labels avoid
_FINEST = 0.3  # px between points of a line


class MarkedPaths(Layer):
    """The paths of a state, each with a dot and a time at its marks."""

    is_faint = True

    def occupied(self) -> Iterator[Sides]:
        for path in self.state.marked_paths:
            for x, y in _thinned(self._points(path), _APART).tolist():
                if np.isfinite(x):
                    yield x - 2, y - 2, x + 2, y + 2

    def notes(self) -> Iterator[Wish]:
        for path in self.state.marked_paths:
            for x, y, text in path.marks:
                centre = self.state.camera.point(x, y)
                wish = chip_wish(self.theme, text, centre, (5.0, 5.0), rank=0, actor=path.actor)
                yield wish._replace(edge=path.color)

    def draw(self, painter: QPainter) -> None:
        for path in self.state.marked_paths:
            pen = QPen(path.color, _WIDTH, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            points = _thinned(self._points(path), _FINEST)
            for part in _parts(points):
                painter.drawPolyline(polygon_of(part[:, 0], part[:, 1]))
            painter.setBrush(self.palette.field)
            painter.setPen(QPen(path.color, 1.2))
            for x, y, _ in path.marks:
                painter.drawEllipse(self.state.camera.point(x, y), _DOT, _DOT)
            painter.setBrush(Qt.BrushStyle.NoBrush)

    def _points(self, path: MarkedPath) -> Pairs:
        """Return the points of a path, px, shape (n, 2)."""
        x, y = self.state.camera.points(path.x, path.y)
        return np.column_stack((x, y))


def _thinned(points: Pairs, distance: float) -> Pairs:
    """Return the first and the last point, those where a path is interrupted, and others that far apart."""
    if not len(points):
        return points
    steps = np.nan_to_num(np.hypot(*np.diff(points, axis=0).T))
    _, kept = np.unique(np.append(0.0, steps.cumsum()) // distance, return_index=True)
    gaps = np.flatnonzero(np.isnan(points[:, 0]))
    thinned: Pairs = points[np.unique(np.concatenate((kept, gaps, [len(points) - 1])))]
    return thinned


def _parts(points: Pairs) -> list[Pairs]:
    """Return the uninterrupted parts of a path that have a length."""
    gaps = np.flatnonzero(np.isnan(points[:, 0]))
    parts = np.split(points, gaps)
    return [part[~np.isnan(part[:, 0])] for part in parts if len(part) > 1]
