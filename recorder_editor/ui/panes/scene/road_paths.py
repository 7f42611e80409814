"""The shapes of a road map as paths that Qt fills."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainterPath

from ....views.road_shapes import Quads
from .shapes import path_of_lines


def quads_within(quads: Quads, world: QRectF) -> Quads:
    """Return the quadrilaterals that may lie in a rectangle (m)."""
    return quads.within(world.left(), world.top(), world.right(), world.bottom())


def path_of_quads(quads: Quads, least: float = 0.0) -> QPainterPath:
    """Return quadrilaterals as one path; strips are at least `least` metres wide."""
    path = path_of_lines(quads.outlines(least))
    path.setFillRule(Qt.FillRule.WindingFill)
    return path
