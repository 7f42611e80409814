"""The roads of a map: areas, marks from 2.5 pixels a metre, chevrons from 6."""

import math
from collections.abc import Iterable, Iterator

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPixmap, QTransform

from .....views.road_shapes import THINNEST
from ..road_paths import path_of_quads, quads_within
from ..state import SceneState
from .layer import AT_ONCE, PictureLayer

_PART = 160
"""Pixels of the parts that are drawn one by one: the time for a long path grows with the square of its length."""


class Roads(PictureLayer):
    """The road map of a state."""

    def set_state(self, state: SceneState) -> None:
        super().set_state(state)
        self.set_source(state.roads)

    def points(self, world: QRectF, scale: float) -> int:
        return AT_ONCE + 1  # however few they are, to fill them takes long

    def strokes(self, painter: QPainter, world: QRectF, scale: float) -> Iterator[None]:
        """Draw part by part of the picture, in each part colour by colour; a file gets it whole."""
        painter.setTransform(QTransform.fromScale(scale, scale).translate(-world.left(), -world.top()), True)
        shapes = []
        if self.state.roads is not None:
            for name, quads in self.state.roads.at(scale):
                shapes.append((self.palette.color_named(name), quads_within(quads, world)))
        is_picture = isinstance(painter.device(), QPixmap)
        parts: Iterable[QRectF] = [world]
        if is_picture:
            parts = _parts(world, _PART / scale)
        for part in parts:
            if is_picture:
                painter.setClipRect(part)
            for color, quads in shapes:
                painter.fillPath(path_of_quads(quads_within(quads, part), THINNEST / scale), color)
                yield


def _parts(world: QRectF, side: float) -> Iterator[QRectF]:
    """Yield a rectangle in squares."""
    for row in range(math.ceil(world.height() / side)):
        for column in range(math.ceil(world.width() / side)):
            yield QRectF(world.left() + column * side, world.top() + row * side, side, side)
