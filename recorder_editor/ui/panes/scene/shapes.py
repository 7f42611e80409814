"""Shapes that several layers draw, in pixels: boxes, dots, lamps, props, chips of text."""

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from ....arrays import FloatArray, IndexArray
from ....views.frame_actors import FrameActors, Kind, Reals, TrafficLight
from ...style.colors import Palette
from ...style.painting import draw_text, set_colors
from ...style.theme import Theme
from .camera import Camera

"""Height of a chip."""

_EDGED = 150


def lamp_size(camera: Camera) -> tuple[float, float]:
    """Width and height of a traffic light: smaller where much of a town is seen."""
    if camera.scale >= 2.0:
        return 12.0, 30.0
    if camera.scale >= 0.8:
        return (7.0, 16.0)
    return (5.0, 11.0)


def lamp_box(camera: Camera, light: TrafficLight) -> QRectF:
    """The room that a traffic light takes."""
    centre, (width, height) = camera.point(light.x, light.y), lamp_size(camera)
    return QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height)


def walker_radius(camera: Camera) -> float:
    """Radius of a walker's disc."""
    return max(3.0, min(0.52 * camera.scale, 12.0))


def corners_of(camera: Camera, actors: FrameActors, chosen: IndexArray) -> FloatArray:
    """The corners of the boxes of actors."""
    corners = actors.corners(chosen)
    corners[:, :, 0], corners[:, :, 1] = camera.points(corners[:, :, 0], corners[:, :, 1])
    return corners


def wedges_of(corners: FloatArray) -> npt.NDArray[np.float64]:
    """Triangles on the front part of boxes: where they head. Shape (n, 3, 2)."""
    front = (corners[:, 0] + corners[:, 1]) / 2
    rear = (corners[:, 2] + corners[:, 3]) / 2
    along = front - rear
    side = corners[:, 1] - corners[:, 0]
    tip = rear + 0.91 * along
    base = rear + 0.62 * along
    # A wide and short box (a bicycle seen closely) must not get a wedge wider than it is long.
    lengths = np.hypot(along[:, 0], along[:, 1])
    widths = np.hypot(side[:, 0], side[:, 1])
    share = np.minimum(0.34, 0.34 * lengths / np.maximum(widths, 1e-9))[:, None]
    return np.stack([tip, base + share * side, base - share * side], axis=1)


def draw_dots(painter: QPainter, palette: Palette, x: Reals, y: Reals, color: QColor, size: float) -> None:
    """Round dots, edged where they are few."""
    if not len(x):
        return
    points = QPolygonF([QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)])
    layers = [(palette.edge_of(color), size + 0.8), (color, size - 0.8)]
    # A dot's edge is what costs, and among hundreds of them it tells nothing.
    for ink, wide in layers if len(x) <= _EDGED else [(color, size)]:
        painter.setPen(QPen(ink, wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPoints(points)


def draw_symbols(painter: QPainter, theme: Theme, camera: Camera, kind: int, x: Reals, y: Reals) -> None:
    """Squares for props, triangles for signs, diamonds for sensors, a camera for the spectator; `x`, `y` in m."""
    if not len(x):
        return
    palette = theme.palette
    px, py = camera.points(x, y)
    points = list(zip(px.tolist(), py.tolist(), strict=True))
    if kind == Kind.SPECTATOR:
        for left, top in points:
            theme.icons.draw(painter, "spectator", int(left - 8), int(top - 8), 16, palette.spectator)
        return
    half = max(2.5, min(0.8 * camera.scale, 10.0)) / 2
    if kind == Kind.SIGN:
        set_colors(painter, None, QPen(palette.prop, 1))
    else:
        set_colors(painter, palette.sensor if kind == Kind.SENSOR else palette.prop)
    if kind == Kind.PROP:
        painter.drawRects([QRectF(a - half, b - half, 2 * half, 2 * half) for a, b in points])
        return
    shape = ((-1, 1), (0, -1), (1, 1)) if kind == Kind.SIGN else ((-1, 0), (0, -1), (1, 0), (0, 1))
    for a, b in points:
        painter.drawConvexPolygon([QPointF(a + half * dx, b + half * dy) for dx, dy in shape])


def chip_size(theme: Theme, text: str) -> tuple[float, float]:
    """Width and height of a chip that holds a text."""
    return QFontMetricsF(theme.small_bold).horizontalAdvance(text) + 12, theme.px(18)


def draw_chip(painter: QPainter, theme: Theme, rect: QRectF, text: str, edge: QColor) -> None:
    """A text on a ground of its own."""
    chip = QRectF(round(rect.x()) + 0.5, round(rect.y()) + 0.5, round(rect.width()), round(rect.height()))
    set_colors(painter, theme.palette.field, QPen(edge, 1))
    painter.drawRoundedRect(chip, 3, 3)
    draw_text(painter, chip, text, theme.small_bold, theme.palette.text, Qt.AlignmentFlag.AlignCenter)
