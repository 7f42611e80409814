"""The actors of a frame: props and lights that stand, and all actors with a position. Knows no selection."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from .....arrays import IndexArray
from .....views.frame_actors import LIGHT_BRAKE, LIGHT_LEFT, LIGHT_RIGHT, Kind, Reals
from ....style.colors import Palette
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
            draw_lamp(painter, self.palette, light.state, box)


def draw_lamp(painter: QPainter, palette: Palette, state: int, box: QRectF) -> None:
    """Draw a traffic light of a state (as stored) that fills a rectangle."""
    centre = box.center()
    width = box.width()
    height = box.height()
    colors = (palette.lamp_red, palette.lamp_yellow, palette.lamp_green)
    set_colors(painter, palette.field, QPen(palette.edge, 1))
    painter.drawRoundedRect(box, width / 4, width / 4)
    painter.setPen(Qt.PenStyle.NoPen)
    if width > 8:
        lit_radius = 3.5 * width / 12
        dark_radius = 2.5 * width / 12
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
            lengths = 2 * actors.half[chosen, 0] * state.camera.scale
            is_small = lengths < _DOT
            for color, part in self._by_color(chosen[is_small], plain):
                x, y = state.camera.points(actors.x[part], actors.y[part])
                draw_dots(painter, self.palette, x, y, color, _DOT)
            large = chosen[~is_small]
            fills = self._fills(large, plain)
            self._boxes(painter, large, lengths[~is_small], fills, halo=kind == Kind.TWO_WHEELER)
        walkers = np.flatnonzero(seen & (actors.kind == Kind.WALKER))
        for color, part in self._by_color(walkers, self.palette.walker):
            self._walkers(painter, part, color)

    def _fills(self, chosen: IndexArray, plain: QColor) -> list[QColor]:
        """Return what each of these actors (by index) is filled with; `plain` is the colour of their class."""
        coloring = self.state.coloring
        if coloring is None:
            return [plain] * len(chosen)
        others = coloring.others or plain
        return [coloring.colors.get(life, others) for life in self.state.actors.life[chosen].tolist()]

    def _by_color(self, chosen: IndexArray, plain: QColor) -> Iterator[tuple[QColor, IndexArray]]:
        """Yield the actors (by index) of each colour that they are filled with; `plain` is that of their class."""
        fills = self._fills(chosen, plain)
        inks = np.array([color.rgb() for color in fills])
        distinct = {color.rgb(): color for color in fills}
        for ink, color in distinct.items():
            yield color, chosen[inks == ink]

    def _boxes(self, painter: QPainter, chosen: IndexArray, lengths: Reals, fills: list[QColor], *, halo: bool) -> None:
        """Draw vehicles as boxes.

        Args:
            painter: Draws them.
            chosen: The vehicles, by index.
            lengths: Their lengths, px.
            fills: What each is filled with.
            halo: Draw the ground around each: under or over a car it would be lost in the car's colour.
        """
        actors = self.state.actors
        corners = corners_of(self.state.camera, actors, chosen)
        ground = QPen(self.palette.scene, 3.2)
        ground.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        inks: dict[int, tuple[QPen, QColor]] = {}
        lights = actors.lights[chosen].tolist()
        rows = zip(corners.tolist(), wedges_of(corners).tolist(), lengths.tolist(), fills, lights, strict=True)
        for box_corners, wedge, length, color, bits in rows:
            box = [QPointF(left, top) for left, top in box_corners]
            if halo and length >= _WEDGE_FROM:
                painter.setPen(ground)
                painter.drawConvexPolygon(box)
            if color.rgb() not in inks:
                inks[color.rgb()] = self._inks_on(color)
            edge, arrow = inks[color.rgb()]
            set_colors(painter, color, edge)
            painter.drawConvexPolygon(box)
            if length >= _WEDGE_FROM:
                set_colors(painter, arrow)
                painter.drawConvexPolygon([QPointF(left, top) for left, top in wedge])
            if bits and length >= _LIGHTS_FROM:
                self._vehicle_lights(painter, bits, box)

    def _inks_on(self, color: QColor) -> tuple[QPen, QColor]:
        """Return the edge of a box of a colour, and the colour of its wedge."""
        palette = self.palette
        coloring = self.state.coloring
        if coloring is not None and coloring.is_own:
            return QPen(palette.text, 1), palette.wedge_on_own(color)
        return QPen(palette.edge_of(color), 1), palette.wedge_on(color)

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
