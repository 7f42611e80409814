"""The roads of a map: areas, marks from 2.5 pixels a metre, chevrons from 6."""

import math
from collections.abc import Iterator

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap, QTransform

from ..road_shapes import THINNEST
from ..state import SceneState
from .layer import AT_ONCE, PictureLayer

_PART = 160
"""Pixels of the parts that are drawn one by one: the time for a long path grows with the square of its length."""


class Roads(PictureLayer):
    """The road map of a state."""

    def set_state(self, state: SceneState) -> None:
        super().set_state(state)
        self.hold(state.roads)

    def points(self, world: QRectF, scale: float) -> int:
        return AT_ONCE + 1  # however few they are, to fill them takes long

    def strokes(self, painter: QPainter, world: QRectF, scale: float) -> Iterator[None]:
        """Part by part of the picture, and of each all of one colour after the other; a file gets them whole."""
        is_picture = isinstance(painter.device(), QPixmap)
        painter.setTransform(QTransform.fromScale(scale, scale).translate(-world.left(), -world.top()), True)
        shapes = self.state.roads.at(scale) if self.state.roads is not None else ()
        seen = [(self.palette.color_named(color), quads.within(world)) for color, quads in shapes]
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
