"""The actors of a frame as shapes: boxes with wedges, discs, squares, lamps.

One idea: the geometry of everybody is computed at once, as arrays, and painted colour by colour. Knows nothing of what
is selected.
"""

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from ..palette import Palette
from ..theme import Theme
from .camera import Camera
from .world import (
    LIGHT_BRAKE,
    LIGHT_LEFT,
    LIGHT_RIGHT,
    PROP,
    SENSOR,
    SIGN,
    SPECTATOR,
    TWO_WHEELER,
    VEHICLE,
    WALKER,
    Crowd,
    Fixtures,
    Reals,
    TrafficLight,
)

Mask = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]

_DOT = 5.0
_EDGED = 150
_WEDGE_FROM = 9.0
_LIGHTS_FROM = 16.0
_SIGNS_FROM = 2.5
"""Pixels a metre: from further away signs are specks that say nothing."""


def lamp_size(camera: Camera) -> tuple[float, float]:
    """Width and height of a traffic light, px: of constant size but where a whole town is seen, and there a dot."""
    if camera.scale >= 2.0:
        return 12.0, 30.0
    return (7.0, 16.0) if camera.scale >= 0.8 else (5.0, 5.0)


def walker_radius(camera: Camera) -> float:
    """Radius of a walker's disc, px."""
    return max(3.0, min(0.52 * camera.scale, 12.0))


class Figures:
    """Paints them for one camera. `own_colours` by life index, or None: colours by class."""

    def __init__(
        self, painter: QPainter, theme: Theme, camera: Camera, own_colours: dict[int, QColor] | None = None
    ) -> None:
        self.painter = painter
        self.theme = theme
        self.palette: Palette = theme.palette
        self.camera = camera
        self.own_colours = own_colours

    def crowd(self, crowd: Crowd, seen: Mask) -> None:
        """Everybody who moves; the small ones on top: a bicycle under a bus must stay in sight."""
        for kind in (PROP, SENSOR, SPECTATOR):
            chosen = seen & (crowd.kind == kind)
            self.small_things(kind, crowd.x[chosen], crowd.y[chosen])
        for kind in (VEHICLE, TWO_WHEELER):
            self._boxes(crowd, np.flatnonzero(seen & (crowd.kind == kind)), kind)
        self._walkers(crowd, np.flatnonzero(seen & (crowd.kind == WALKER)))

    def fixtures(self, fixtures: Fixtures, seen: Mask) -> None:
        """What stands where it was born."""
        for kind in (PROP, SIGN) if self.camera.scale >= _SIGNS_FROM else (PROP,):
            chosen = seen & (fixtures.kind == kind)
            self.small_things(kind, fixtures.x[chosen], fixtures.y[chosen])

    # --- small things -----------------------------------------------------------------------------------

    def small_things(self, kind: int, x: Reals, y: Reals) -> None:
        """Squares for props, triangles for signs, diamonds for sensors, a camera for the spectator."""
        if not len(x):
            return
        painter, palette = self.painter, self.palette
        px, py = self.camera.points(x, y)
        points = list(zip(px.tolist(), py.tolist(), strict=True))
        if kind == SPECTATOR:
            for left, top in points:
                self.theme.icons.draw(painter, "spectator", int(left - 8), int(top - 8), 16, palette.spectator)
            return
        size = max(2.5, min(0.8 * self.camera.scale, 10.0))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.sensor if kind == SENSOR else palette.prop)
        half = size / 2
        if kind == PROP:
            painter.drawRects([QRectF(a - half, b - half, size, size) for a, b in points])
            return
        if kind == SIGN:
            painter.setPen(QPen(palette.prop, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        for a, b in points:
            if kind == SIGN:
                corners = [QPointF(a - half, b + half), QPointF(a, b - half), QPointF(a + half, b + half)]
            else:
                corners = [QPointF(a - half, b), QPointF(a, b - half), QPointF(a + half, b), QPointF(a, b + half)]
            painter.drawConvexPolygon(corners)

    # --- boxes ------------------------------------------------------------------------------------------

    def _boxes(self, crowd: Crowd, chosen: Indices, kind: int) -> None:
        if not len(chosen):
            return
        plain = self.palette.two_wheeler if kind == TWO_WHEELER else self.palette.vehicle
        for color, part in self._by_color(crowd, chosen, plain):
            lengths = 2 * crowd.half[part, 0] * self.camera.scale
            small = lengths < _DOT
            self._dots(*self.camera.points(crowd.x[part[small]], crowd.y[part[small]]), color, _DOT)
            self._polygons(crowd, part[~small], lengths[~small], color, halo=kind == TWO_WHEELER)

    def _by_color(self, crowd: Crowd, chosen: Indices, plain: QColor) -> list[tuple[QColor, Indices]]:
        """The same actors, sorted by what they are filled with."""
        own = self.own_colours
        if own is None:
            return [(plain, chosen)]
        groups: dict[int, tuple[QColor, list[int]]] = {}
        for index, life in zip(chosen.tolist(), crowd.life[chosen].tolist(), strict=True):
            color = own.get(life, plain)
            groups.setdefault(color.rgb(), (color, []))[1].append(index)
        return [(color, np.array(part, np.intp)) for color, part in groups.values()]

    def _dots(self, x: Reals, y: Reals, color: QColor, size: float) -> None:
        if not len(x):
            return
        points = QPolygonF([QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)])
        layers = [(self.palette.edge_of(color), size + 0.8), (color, size - 0.8)]
        # A dot's edge is what costs, and among hundreds of them it tells nothing.
        for ink, wide in layers if len(x) <= _EDGED else [(color, size)]:
            self.painter.setPen(QPen(ink, wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            self.painter.drawPoints(points)

    def _polygons(self, crowd: Crowd, chosen: Indices, lengths: Reals, color: QColor, *, halo: bool) -> None:
        painter, palette = self.painter, self.palette
        corners = crowd.corners(chosen)
        corners[:, :, 0], corners[:, :, 1] = self.camera.points(corners[:, :, 0], corners[:, :, 1])
        wedges = _wedges(corners)
        edge, ground = QPen(palette.edge_of(color), 1), QPen(palette.scene, 3.2)
        ground.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        lights = crowd.lights[chosen].tolist()
        rows = zip(corners.tolist(), wedges.tolist(), lengths.tolist(), lights, strict=True)
        for four, wedge, length, bits in rows:
            box = [QPointF(a, b) for a, b in four]
            if halo and length >= _WEDGE_FROM:
                # Under or over a car it would be lost in the car's colour.
                painter.setPen(ground)
                painter.drawConvexPolygon(box)
            painter.setPen(edge)
            painter.setBrush(color)
            painter.drawConvexPolygon(box)
            if length >= _WEDGE_FROM:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(palette.wedge)
                painter.drawConvexPolygon([QPointF(a, b) for a, b in wedge])
            if bits and length >= _LIGHTS_FROM:
                self._vehicle_lights(bits, box)

    def _vehicle_lights(self, lights: int, box: list[QPointF]) -> None:
        """Brake lights as a bar at the rear, blinkers at the corners of their side."""
        painter = self.painter
        if lights & LIGHT_BRAKE:
            painter.setPen(QPen(self.palette.lamp_red, 2.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawLine(box[2], box[3])
        for bit, corners in ((LIGHT_LEFT, (0, 3)), (LIGHT_RIGHT, (1, 2))):
            if lights & bit:
                painter.setPen(QPen(self.palette.scene, 0.8))
                painter.setBrush(self.palette.lamp_yellow)
                for corner in corners:
                    painter.drawEllipse(box[corner], 2.6, 2.6)

    # --- walkers ----------------------------------------------------------------------------------------

    def _walkers(self, crowd: Crowd, chosen: Indices) -> None:
        if not len(chosen):
            return
        painter, color = self.painter, self.palette.walker
        edge, radius = self.palette.edge_of(color), walker_radius(self.camera)
        x, y = self.camera.points(crowd.x[chosen], crowd.y[chosen])
        if self.camera.scale < 2.5:
            self._dots(x, y, color, _DOT)
            return
        painter.setPen(QPen(edge, 1))
        cos, sin = np.cos(crowd.yaw[chosen]).tolist(), np.sin(crowd.yaw[chosen]).tolist()
        tip, base, wide = radius * 1.9, radius * 0.8, radius * 0.66
        for px, py, c, s in zip(x.tolist(), y.tolist(), cos, sin, strict=True):
            painter.setBrush(edge)
            painter.drawConvexPolygon(
                [
                    QPointF(px + tip * c, py + tip * s),
                    QPointF(px + base * c - wide * s, py + base * s + wide * c),
                    QPointF(px + base * c + wide * s, py + base * s - wide * c),
                ]
            )
            painter.setBrush(color)
            painter.drawEllipse(QPointF(px, py), radius, radius)

    # --- lamps ------------------------------------------------------------------------------------------

    def lamp(self, light: TrafficLight) -> QRectF | None:
        """A traffic light; gives the room it takes, or None where it is not seen."""
        camera, painter, palette = self.camera, self.painter, self.palette
        centre, (width, height) = camera.point(light.x, light.y), lamp_size(camera)
        box = QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height)
        if not QRectF(0, 0, camera.width, camera.height).intersects(box):
            return None
        lit_ink = self._lamp_color(light.state)
        if width == height:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(lit_ink)
            painter.drawEllipse(centre, width / 2, width / 2)
            return box
        painter.setPen(QPen(palette.edge, 1))
        painter.setBrush(palette.field)
        painter.drawRoundedRect(box, width / 4, width / 4)
        painter.setPen(Qt.PenStyle.NoPen)
        lit_radius, dark_radius = (3.5, 2.5) if width > 10 else (2.0, 1.2)
        for place in range(3):
            lit = place == light.state
            painter.setBrush(lit_ink if lit else palette.lamp_off)
            radius = lit_radius if lit else dark_radius
            painter.drawEllipse(QPointF(centre.x(), centre.y() + (place - 1) * height * 0.283), radius, radius)
        return box

    def _lamp_color(self, state: int) -> QColor:
        palette = self.palette
        return {0: palette.lamp_red, 1: palette.lamp_yellow, 2: palette.lamp_green}.get(state, palette.lamp_off)


def _wedges(corners: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Triangles on the front part of boxes: where they head. Shape (n, 4, 2) to (n, 3, 2)."""
    front, rear = (corners[:, 0] + corners[:, 1]) / 2, (corners[:, 2] + corners[:, 3]) / 2
    along, side = front - rear, corners[:, 1] - corners[:, 0]
    tip, base = rear + 0.91 * along, rear + 0.62 * along
    # A wide and short box (a bicycle seen closely) must not get a wedge wider than it is long.
    lengths, widths = np.hypot(along[:, 0], along[:, 1]), np.hypot(side[:, 0], side[:, 1])
    share = np.minimum(0.34, 0.34 * lengths / np.maximum(widths, 1e-9))[:, None]
    return np.stack([tip, base + share * side, base - share * side], axis=1)
