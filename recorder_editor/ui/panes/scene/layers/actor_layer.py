"""The actors of a frame: props and lights that stand, and all actors with a position. Knows no selection."""

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

_DOT = 5.0  # px of an actor below which it is a dot
_WEDGE_FROM = 9.0  # px of an actor from which its heading is drawn
_LIGHTS_FROM = 16.0  # px of a vehicle from which its lights are drawn
_WALKERS_FROM = 2.5  # px a metre from which the headings of walkers are drawn
_SIGNS_FROM = 2.5
"""Pixels a metre: from further away signs are specks that say nothing."""


class Props(Layer):
    """Props and signs that no packet of the frame tells of."""

    wipes = True

    def draw(self, painter: QPainter) -> None:
        camera = self.state.camera
        fixtures = self.state.contents.fixtures
        seen = self.state.sees(fixtures["x"], fixtures["y"])
        kinds = [Kind.PROP]
        if camera.scale >= _SIGNS_FROM:
            kinds.append(Kind.SIGN)
        for kind in kinds:
            chosen = fixtures[seen & (fixtures["kind"] == kind)]
            draw_symbols(painter, self.theme, camera, kind, chosen["x"], chosen["y"])


class TrafficLights(Layer):
    """All traffic lights with a known state."""

    wipes = True

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
        colors = (palette.lamp_red, palette.lamp_yellow, palette.lamp_green)
        set_colors(painter, palette.field, QPen(palette.edge, 1))
        painter.drawRoundedRect(box, width / 4, width / 4)
        painter.setPen(Qt.PenStyle.NoPen)
        if width > 10:
            lit_radius = 3.5
            dark_radius = 2.5
        else:
            lit_radius = 2.0
            dark_radius = 1.2
        for place, color in enumerate(colors):
            if place == state:
                painter.setBrush(color)
                radius = lit_radius
            else:
                painter.setBrush(palette.lamp_off)
                radius = dark_radius
            painter.drawEllipse(QPointF(centre.x(), centre.y() + (place - 1) * height * 0.283), radius, radius)


class ActorShapes(Layer):
    """All actors with a position; the small ones on top, so that a bicycle under a bus stays visible."""

    wipes = True

    def draw(self, painter: QPainter) -> None:
        state = self.state
        actors = state.actors
        seen = state.seen
        for kind in (Kind.PROP, Kind.SENSOR, Kind.SPECTATOR):
            chosen = seen & (actors.kind == kind)
            draw_symbols(painter, self.theme, state.camera, kind, actors.x[chosen], actors.y[chosen])
        for kind, plain in ((Kind.VEHICLE, self.palette.vehicle), (Kind.TWO_WHEELER, self.palette.two_wheeler)):
            chosen = np.flatnonzero(seen & (actors.kind == kind))
            for color, part in self._by_color(chosen, plain):
                lengths = 2 * actors.half[part, 0] * state.camera.scale
                small = lengths < _DOT
                x, y = state.camera.points(actors.x[part[small]], actors.y[part[small]])
                draw_dots(painter, self.palette, x, y, color, _DOT)
                self._boxes(painter, part[~small], lengths[~small], color, halo=kind == Kind.TWO_WHEELER)
        walkers = np.flatnonzero(seen & (actors.kind == Kind.WALKER))
        for color, part in self._by_color(walkers, self.palette.walker):
            self._walkers(painter, part, color)

    def _by_color(self, chosen: IndexArray, plain: QColor) -> Iterator[tuple[QColor, IndexArray]]:
        """Yield the actors (by index) of each colour that they are filled with; `plain` is that of their class."""
        coloring = self.state.coloring
        if not len(chosen):
            return
        if coloring is None:
            yield plain, chosen
            return
        others = coloring.others or plain
        lives = self.state.actors.life[chosen].tolist()
        colors = [coloring.colors.get(life, others) for life in lives]
        inks = np.array([color.rgb() for color in colors])
        distinct = {color.rgb(): color for color in colors}
        for ink, color in distinct.items():
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
        for box_corners, wedge, length, bits in rows:
            box = [QPointF(left, top) for left, top in box_corners]
            if halo and length >= _WEDGE_FROM:
                # Under or over a car it would be lost in the car's colour.
                painter.setPen(ground)
                painter.drawConvexPolygon(box)
            set_colors(painter, color, edge)
            painter.drawConvexPolygon(box)
            if length >= _WEDGE_FROM:
                set_colors(painter, arrow)
                painter.drawConvexPolygon([QPointF(left, top) for left, top in wedge])
            if bits and length >= _LIGHTS_FROM:
                self._vehicle_lights(painter, bits, box)

    def _vehicle_lights(self, painter: QPainter, lights: int, box: list[QPointF]) -> None:
        """Draw brake lights as a bar at the rear, blinkers at the corners of their side."""
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
        if camera.scale < _WALKERS_FROM:
            draw_dots(painter, self.palette, x, y, color, _DOT)
            return
        painter.setPen(QPen(edge, 1))
        yaw = actors.yaw[chosen, None] + camera.angle
        cos = np.cos(yaw)
        sin = np.sin(yaw)
        along = np.array([1.9, 0.8, 0.8]) * radius
        across = np.array([0.0, 0.66, -0.66]) * radius
        wedge_x = x[:, None] + along * cos - across * sin
        wedge_y = y[:, None] + along * sin + across * cos
        wedges = np.stack([wedge_x, wedge_y], axis=2)
        for centre_x, centre_y, wedge in zip(x.tolist(), y.tolist(), wedges.tolist(), strict=True):
            painter.setBrush(edge)
            painter.drawConvexPolygon([QPointF(left, top) for left, top in wedge])
            painter.setBrush(color)
            painter.drawEllipse(QPointF(centre_x, centre_y), radius, radius)
