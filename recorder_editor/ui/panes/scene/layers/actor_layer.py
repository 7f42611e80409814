"""The actors of a frame: props and lights that stand, and everybody with a position. Knows no selection."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from .....arrays import IndexArray
from .....views.frame_actors import LIGHT_BRAKE, LIGHT_LEFT, LIGHT_RIGHT, Kind, Reals
from ....style.painting import set_colors
from ..label_layout import Sides, sides_of
from ..shapes import corners_of, draw_dots, draw_symbols, walker_radius, wedges_of
from .layer import Layer

_DOT = 5.0
_WEDGE_FROM = 9.0
_LIGHTS_FROM = 16.0
_SIGNS_FROM = 2.5
"""Pixels a metre: from further away signs are specks that say nothing."""


class Props(Layer):
    """Props and signs that no packet of the frame tells of."""

    def draw(self, painter: QPainter) -> None:
        camera = self.state.camera
        fixtures = self.state.contents.fixtures
        seen = self.state.sees(fixtures["x"], fixtures["y"])
        for kind in (Kind.PROP, Kind.SIGN) if camera.scale >= _SIGNS_FROM else (Kind.PROP,):
            chosen = fixtures[seen & (fixtures["kind"] == kind)]
            draw_symbols(painter, self.theme, camera, kind, chosen["x"], chosen["y"])


class TrafficLights(Layer):
    """Every traffic light whose state is known."""

    def occupied(self) -> Iterator[Sides]:
        return (sides_of(box) for _, box in self.state.lamps)

    def draw(self, painter: QPainter) -> None:
        for light, box in self.state.lamps:
            self._light(painter, light.state, box)

    def _light(self, painter: QPainter, state: int, box: QRectF) -> None:
        palette = self.palette
        centre = box.center()
        width = box.width()
        height = box.height()
        lit_ink = {0: palette.lamp_red, 1: palette.lamp_yellow, 2: palette.lamp_green}.get(state, palette.lamp_off)
        set_colors(painter, palette.field, QPen(palette.edge, 1))
        painter.drawRoundedRect(box, width / 4, width / 4)
        painter.setPen(Qt.PenStyle.NoPen)
        if width > 10:
            lit_radius, dark_radius = (3.5, 2.5)
        else:
            lit_radius, dark_radius = (2.0, 1.2)
        for place in range(3):
            lit = place == state
            painter.setBrush(lit_ink if lit else palette.lamp_off)
            radius = lit_radius if lit else dark_radius
            painter.drawEllipse(QPointF(centre.x(), centre.y() + (place - 1) * height * 0.283), radius, radius)


class ActorShapes(Layer):
    """Everybody with a position; the small ones on top, so that a bicycle under a bus stays visible."""

    def draw(self, painter: QPainter) -> None:
        state = self.state
        actors = state.actors
        seen = state.seen
        for kind in (Kind.PROP, Kind.SENSOR, Kind.SPECTATOR):
            chosen = seen & (actors.kind == kind)
            draw_symbols(painter, self.theme, state.camera, kind, actors.x[chosen], actors.y[chosen])
        for kind, plain in ((Kind.VEHICLE, self.palette.vehicle), (Kind.TWO_WHEELER, self.palette.two_wheeler)):
            chosen = np.flatnonzero(seen & (actors.kind == kind))
            for color, part in self._by_color(chosen, plain) if len(chosen) else ():
                lengths = 2 * actors.half[part, 0] * state.camera.scale
                small = lengths < _DOT
                x, y = state.camera.points(actors.x[part[small]], actors.y[part[small]])
                draw_dots(painter, self.palette, x, y, color, _DOT)
                self._boxes(painter, part[~small], lengths[~small], color, halo=kind == Kind.TWO_WHEELER)
        walkers = np.flatnonzero(seen & (actors.kind == Kind.WALKER))
        for color, part in self._by_color(walkers, self.palette.walker) if len(walkers) else ():
            self._walkers(painter, part, color)

    def _by_color(self, chosen: IndexArray, plain: QColor) -> Iterator[tuple[QColor, IndexArray]]:
        """The same actors, sorted by what they are filled with."""
        coloring = self.state.coloring
        if coloring is None:
            yield plain, chosen
            return
        others = coloring.others or plain
        colors = []
        for life in self.state.actors.life[chosen].tolist():
            colors.append(coloring.colors.get(life, others))
        inks = np.array([color.rgb() for color in colors])
        for ink, color in {color.rgb(): color for color in colors}.items():
            yield color, chosen[inks == ink]

    def _boxes(self, painter: QPainter, chosen: IndexArray, lengths: Reals, color: QColor, *, halo: bool) -> None:
        palette = self.palette
        actors = self.state.actors
        corners = corners_of(self.state.camera, actors, chosen)
        edge = QPen(palette.edge_of(color), 1)
        ground = QPen(palette.scene, 3.2)
        arrow = palette.wedge_on(color)
        ground.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        lights = actors.lights[chosen].tolist()
        rows = zip(corners.tolist(), wedges_of(corners).tolist(), lengths.tolist(), lights, strict=True)
        for four, wedge, length, bits in rows:
            box = [QPointF(a, b) for a, b in four]
            if halo and length >= _WEDGE_FROM:
                # Under or over a car it would be lost in the car's colour.
                painter.setPen(ground)
                painter.drawConvexPolygon(box)
            set_colors(painter, color, edge)
            painter.drawConvexPolygon(box)
            if length >= _WEDGE_FROM:
                set_colors(painter, arrow)
                painter.drawConvexPolygon([QPointF(a, b) for a, b in wedge])
            if bits and length >= _LIGHTS_FROM:
                self._vehicle_lights(painter, bits, box)

    def _vehicle_lights(self, painter: QPainter, lights: int, box: list[QPointF]) -> None:
        """Brake lights as a bar at the rear, blinkers at the corners of their side."""
        if lights & LIGHT_BRAKE:
            painter.setPen(QPen(self.palette.lamp_red, 2.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawLine(box[2], box[3])
        for bit, corners in ((LIGHT_LEFT, (0, 3)), (LIGHT_RIGHT, (1, 2))):
            if lights & bit:
                set_colors(painter, self.palette.lamp_yellow, QPen(self.palette.scene, 0.8))
                for corner in corners:
                    painter.drawEllipse(box[corner], 2.6, 2.6)

    def _walkers(self, painter: QPainter, chosen: IndexArray, color: QColor) -> None:
        camera = self.state.camera
        actors = self.state.actors
        edge = self.palette.edge_of(color)
        radius = walker_radius(camera)
        x, y = camera.points(actors.x[chosen], actors.y[chosen])
        if camera.scale < 2.5:
            draw_dots(painter, self.palette, x, y, color, _DOT)
            return
        painter.setPen(QPen(edge, 1))
        yaw = actors.yaw[chosen, None] + camera.angle
        cos, sin = np.cos(yaw), np.sin(yaw)
        along = np.array([1.9, 0.8, 0.8]) * radius
        across = np.array([0.0, 0.66, -0.66]) * radius
        wedges = np.stack([x[:, None] + along * cos - across * sin, y[:, None] + along * sin + across * cos], axis=2)
        for px, py, wedge in zip(x.tolist(), y.tolist(), wedges.tolist(), strict=True):
            painter.setBrush(edge)
            painter.drawConvexPolygon([QPointF(a, b) for a, b in wedge])
            painter.setBrush(color)
            painter.drawEllipse(QPointF(px, py), radius, radius)
