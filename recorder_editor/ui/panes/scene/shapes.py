"""Shapes that several layers draw, in pixels: boxes, dots, lamps, props, chips of text."""

import struct

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QByteArray, QDataStream, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from ....arrays import FloatArray, IndexArray
from ....views.frame_actors import FrameActors, Kind, Reals, TrafficLight
from ...style.colors import Palette
from ...style.look import Look
from ...style.painting import draw_text, set_colors
from .camera import Camera
from .label_layout import Wish

EDGE = 14
"""Pixels that instruments keep from the edges of the scene."""

LAMPS_WHOLE_FROM = 5.0
"""Pixels a metre from which traffic lights have their whole size, and say how long they have been as they are."""

_LINE = 14  # px from one line of a chip to the next
_EDGED = 150  # dots that are drawn with an edge, at most
_ELEMENT = np.dtype([("kind", ">i4"), ("x", ">f8"), ("y", ">f8")])
"""An element of a QPainterPath as QDataStream reads it."""

_MOVE_TO = 0
_LINE_TO = 1


def path_of_lines(lines: FloatArray) -> QPainterPath:
    """Return many lines as one path, without a call of Qt for each point.

    Args:
        lines: The points of lines that have as many points each, float64[n, points, 2].
    """
    path = QPainterPath()
    if not lines.size:
        return path
    count = len(lines)
    points = lines.shape[1]
    elements = np.empty((count, points), _ELEMENT)
    elements["kind"] = _LINE_TO
    elements["kind"][:, 0] = _MOVE_TO
    elements["x"] = lines[:, :, 0]
    elements["y"] = lines[:, :, 1]
    last_line = (count - 1) * points
    odd_even = 0  # the rule to fill with
    data = struct.pack(">i", elements.size) + elements.tobytes() + struct.pack(">ii", last_line, odd_even)
    stream = QDataStream(QByteArray(data))
    stream >> path
    return path


def polygon_of(x: FloatArray, y: FloatArray) -> QPolygonF:
    """Return points as a polygon, without a call of Qt for each; `x` and `y` are float64[n]."""
    points = np.column_stack((x, y)).astype(">f8")
    polygon = QPolygonF()
    stream = QDataStream(QByteArray(struct.pack(">I", len(points)) + points.tobytes()))
    stream >> polygon
    return polygon


def lamp_size(camera: Camera) -> tuple[float, float]:
    """Return width and height of a traffic light, px: smaller where much of a town is seen."""
    if camera.scale >= LAMPS_WHOLE_FROM:
        return (12.0, 30.0)
    if camera.scale >= 2.0:
        return (8.4, 21.0)
    if camera.scale >= 0.8:
        return (7.0, 16.0)
    return (5.0, 11.0)


def lamp_box(camera: Camera, light: TrafficLight) -> QRectF:
    """Return the room that a traffic light takes, px."""
    centre = camera.point(light.x, light.y)
    width, height = lamp_size(camera)
    return QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height)


def walker_radius(camera: Camera) -> float:
    """Return the radius of a walker's disc, px."""
    return max(3.0, min(0.52 * camera.scale, 12.0))


def corners_of(camera: Camera, actors: FrameActors, chosen: IndexArray) -> FloatArray:
    """Return the corners of the boxes of actors (by index), float64[n, 4, 2], px."""
    corners = actors.corners(chosen)
    corners[:, :, 0], corners[:, :, 1] = camera.points(corners[:, :, 0], corners[:, :, 1])
    return corners


def wedges_of(corners: FloatArray) -> npt.NDArray[np.float64]:
    """Return triangles on the front part of boxes, float64[n, 3, 2]: they show where the boxes head."""
    front = (corners[:, 0] + corners[:, 1]) / 2
    rear = (corners[:, 2] + corners[:, 3]) / 2
    along = front - rear
    side = corners[:, 1] - corners[:, 0]
    tip = rear + 0.91 * along
    base = rear + 0.46 * along  # longer than wide: an equilateral triangle would point three ways
    # A wide and short box (a bicycle seen closely) must not get a wedge wider than it is long.
    lengths = np.hypot(along[:, 0], along[:, 1])
    widths = np.hypot(side[:, 0], side[:, 1])
    share = np.minimum(0.34, 0.34 * lengths / np.maximum(widths, 1e-9))[:, None]
    return np.stack([tip, base + share * side, base - share * side], axis=1)


def draw_dots(painter: QPainter, palette: Palette, x: Reals, y: Reals, color: QColor, size: float) -> None:
    """Draw round dots (px), edged where they are few."""
    if not len(x):
        return
    points = QPolygonF([QPointF(left, top) for left, top in zip(x.tolist(), y.tolist(), strict=True)])
    # A dot's edge is what costs, and among hundreds of them it tells nothing.
    if len(x) <= _EDGED:
        layers = [(palette.edge_of(color), size + 0.8), (color, size - 0.8)]
    else:
        layers = [(color, size)]
    for ink, width in layers:
        painter.setPen(QPen(ink, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPoints(points)


def draw_symbols(painter: QPainter, theme: Look, camera: Camera, kind: int, x: Reals, y: Reals) -> None:
    """Draw symbols of one kind of actor.

    Args:
        painter: The painter, in pixels of the view.
        theme: Colours and icons.
        camera: The camera of the view.
        kind: Props are squares, signs triangles, sensors diamonds, the spectator a camera.
        x: Places, m.
        y: Places, m.
    """
    if not len(x):
        return
    px, py = camera.points(x, y)
    points = list(zip(px.tolist(), py.tolist(), strict=True))
    draw_symbol_at(painter, theme, kind, points, half=max(2.5, min(0.8 * camera.scale, 10.0)) / 2)


def draw_symbol_at(
    painter: QPainter, theme: Look, kind: int, points: list[tuple[float, float]], *, half: float
) -> None:
    """Draw symbols of one kind of actor.

    Args:
        painter: The painter, in pixels of the view.
        theme: Colours and icons.
        kind: Props are squares, signs triangles, sensors diamonds, the spectator a camera.
        points: Where, px.
        half: Half their size, px; that of the camera is always the same.
    """
    palette = theme.palette
    if kind == Kind.SPECTATOR:
        for left, top in points:
            theme.icons.draw(painter, "spectator", int(left - 8), int(top - 8), 16, palette.spectator)
        return
    if kind == Kind.PROP:
        set_colors(painter, palette.prop)
        painter.drawRects([QRectF(left - half, top - half, 2 * half, 2 * half) for left, top in points])
        return
    shape: tuple[tuple[int, int], ...]
    if kind == Kind.SIGN:
        set_colors(painter, None, QPen(palette.prop, 1))
        shape = ((-1, 1), (0, -1), (1, 1))
    else:
        set_colors(painter, palette.sensor if kind == Kind.SENSOR else palette.prop)
        shape = ((-1, 0), (0, -1), (1, 0), (0, 1))
    for left, top in points:
        painter.drawConvexPolygon([QPointF(left + half * dx, top + half * dy) for dx, dy in shape])


def chip_size(theme: Look, text: str) -> tuple[float, float]:
    """Return width and height of a chip that holds a text of one or more lines, px."""
    lines = text.split("\n")
    metrics = QFontMetricsF(theme.small_bold)
    width = max(metrics.horizontalAdvance(line) for line in lines)
    return width + 12, theme.px(18) + (len(lines) - 1) * theme.px(_LINE)


def chip_wish(
    theme: Look, text: str, centre: QPointF, half: tuple[float, float], *, rank: int, actor: int = -1
) -> Wish:
    """Return the wish of a label that is drawn as a chip, with the size that its text needs."""
    width, height = chip_size(theme, text)
    return Wish(text=text, centre=centre, half=half, width=width, height=height, rank=rank, actor=actor)


def draw_chip(painter: QPainter, theme: Look, rect: QRectF, text: str, edge: QColor) -> None:
    """Draw a text on a ground of its own."""
    chip = QRectF(round(rect.x()) + 0.5, round(rect.y()) + 0.5, round(rect.width()), round(rect.height()))
    set_colors(painter, theme.palette.field, QPen(edge, 1))
    painter.drawRoundedRect(chip, 3, 3)
    lines = text.split("\n")
    line = QRectF(chip.left(), chip.top(), chip.width(), chip.height() - (len(lines) - 1) * theme.px(_LINE))
    for words in lines:
        draw_text(painter, line, words, theme.small_bold, theme.palette.text, Qt.AlignmentFlag.AlignCenter)
        line.translate(0, theme.px(_LINE))
