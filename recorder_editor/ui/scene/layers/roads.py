"""The roads of a map: areas, marks from 2.5 pixels a metre, chevrons from 6."""

import math
from collections.abc import Iterator
from itertools import count

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap, QTransform

from ...theme import Theme
from ..road_shapes import THINNEST, RoadShapes
from ..state import SceneState
from .base import AT_ONCE, PictureLayer

_PART = 160
"""Pixels of the parts that are drawn one by one: the time for a long path grows with the square of its length."""


class Roads(PictureLayer):
    """The road map of a state."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._shapes: RoadShapes | None = None
        self._versions = count(1)

    def set_state(self, state: SceneState) -> None:
        super().set_state(state)
        if state.roads is not self._shapes:
            self._shapes = state.roads
            self.version = next(self._versions) if self._shapes is not None else 0
            self.forget()

    def points(self, world: QRectF, scale: float) -> int:
        return AT_ONCE + 1  # however few they are, to fill them takes long

    def strokes(self, painter: QPainter, world: QRectF, scale: float) -> Iterator[None]:
        """Part by part of the picture, and of each all of one colour after the other; a file gets them whole."""
        is_picture = isinstance(painter.device(), QPixmap)
        painter.setTransform(QTransform.fromScale(scale, scale).translate(-world.left(), -world.top()), True)
        shapes = self._shapes.at(scale) if self._shapes is not None else ()
        seen = [(self.palette.color(color), quads.within(world)) for color, quads in shapes]
        for part in _parts(world, _PART / scale) if is_picture else (world,):
            painter.setClipRect(part, Qt.ClipOperation.ReplaceClip if is_picture else Qt.ClipOperation.NoClip)
            for color, quads in seen:
                painter.fillPath(quads.within(part).path(THINNEST / scale), color)
                yield


def _parts(world: QRectF, side: float) -> Iterator[QRectF]:
    """A rectangle in squares."""
    for row in range(math.ceil(world.height() / side)):
        for column in range(math.ceil(world.width() / side)):
            yield QRectF(world.left() + column * side, world.top() + row * side, side, side)
