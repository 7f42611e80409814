"""The path that is edited by keys: its curve, its keys, the handles of the chosen one, what is wrong with it."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from .....arrays import IntArray
from ....style.painting import set_colors
from ..label_layout import NOTE, Sides, Wish
from ..shapes import chip_wish, polygon_of
from ..state import SceneState
from .layer import Layer

_HALF = 5.0  # px, half the side of a key
_APART = 4.0  # px between points of the curve
_WRONG = NOTE + 3
"""The rank of a note about a mistake: its edge is red."""


class PathKeys(Layer):
    """Keys are squares, ends of tangents dots, and the handle of a time a clock; what is wrong is red on the curve."""

    def occupied(self) -> Iterator[Sides]:
        for handle in self.state.path_handles:
            x = handle.point.x()
            y = handle.point.y()
            yield x - _HALF, y - _HALF, x + _HALF, y + _HALF

    def set_state(self, state: SceneState) -> None:
        """Set what is painted next, and thin the curve to points that are a few pixels apart."""
        super().set_state(state)
        if state.path is not None:
            way = state.path.way
            x, y = state.camera.points(way[:, 0], way[:, 1])
            steps = np.append(0.0, np.cumsum(np.hypot(np.diff(x), np.diff(y))))
            kept = np.unique(steps // _APART, return_index=True)[1]
            self._frames = state.path.recorded.frames[kept]
            self._points = polygon_of(x[kept], y[kept])

    def notes(self) -> Iterator[Wish]:
        state = self.state
        path = self.state.path
        if path is None:
            return
        units = self.theme.units
        key = state.path_key
        x, y = path.values[key, 0].tolist()
        here = state.camera.point(x, y)
        time = units.text(float(path.keys["time"][key]), "s", 2)
        speed = units.text(float(path.speeds[key]), "m/s", 1)
        notes = [(f"{time}  {speed}", here, NOTE), (state.path_refusal, here, _WRONG)]
        for warning in state.path_warnings:
            notes.append((warning.text, self._near(warning.frames)[0], _WRONG))
        for text, point, rank in notes:
            if text:
                yield chip_wish(self.theme, text, point, (12.0, 12.0), rank=rank)

    def draw(self, painter: QPainter) -> None:
        state = self.state
        palette = self.palette
        if state.path is None:
            return
        painter.setPen(QPen(palette.edited, 2.0))
        painter.drawPolyline(self._points)
        painter.setPen(QPen(palette.error, 6.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        for warning in state.path_warnings:
            painter.drawPoints(self._near(warning.frames))
        keys = [handle.point for handle in state.path_handles if handle.part == "point"]
        for part, key, point in state.path_handles:
            if part != "point":
                painter.setPen(QPen(palette.edited, 1.2))
                painter.drawLine(keys[state.path_key], point)
            if key == state.path_key:
                set_colors(painter, palette.edited, QPen(palette.text, 1.4))
            else:
                set_colors(painter, palette.field, QPen(palette.edge_of(palette.edited), 1.4))
            if part == "point":
                painter.drawRect(QRectF(point.x() - _HALF, point.y() - _HALF, 2 * _HALF, 2 * _HALF))
            elif part == "time":
                painter.drawEllipse(point, _HALF + 2, _HALF + 2)
                painter.drawPolyline([point - QPointF(0, _HALF), point, point + QPointF(_HALF - 1, 0)])
            else:
                painter.drawEllipse(point, _HALF - 1, _HALF - 1)

    def _near(self, frames: IntArray) -> list[QPointF]:
        """Return the points of the curve in or just after these frames, px."""
        last = self._points.count() - 1
        indices = np.unique(np.searchsorted(self._frames, frames)).tolist()
        return [self._points.at(min(index, last)) for index in indices]
