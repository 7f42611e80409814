"""What forms of edits and tools of the mouse draw: ghosts, a measured distance, the rubber band."""

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF, QTransform

from .....reading import Ghost
from ....style.colors import with_alpha
from ....style.painting import set_colors
from ..label_layout import NOTE, Sides, Wish, sides_along, sides_of
from ..shapes import chip_wish
from ..state import SceneState
from .layer import Layer

if TYPE_CHECKING:
    from .....edits.new_actors.add_actor import NewActor

_DASHES = (3.0, 2.0)
"""Of an outline, in widths of its line."""


def _box(centre: QPointF, yaw: float, along: float, across: float) -> tuple[QPolygonF, QPointF]:
    """Return the box of an actor, and where its heading points to, px.

    Args:
        centre: The middle of the actor, px.
        yaw: Its heading on the screen, radians.
        along: Half its length, px.
        across: Half its width, px.
    """
    cos = math.cos(yaw)
    sin = math.sin(yaw)
    turned = QTransform(cos, sin, -sin, cos, centre.x(), centre.y())
    box = QPolygonF(QRectF(-along, -across, 2 * along, 2 * across))
    return turned.map(box), turned.map(QPointF(along + 10, 0))


class DrawnPath(Layer):
    """The path that is drawn for a new actor, what comes of it, and where that is in this frame."""

    def draw(self, painter: QPainter) -> None:
        drawn = self.state.drawn
        if drawn is None:
            return
        camera = self.state.camera
        edited = self.palette.edited
        points = [camera.point(x, y) for x, y in drawn.points]
        places = [camera.point(*leg[-1]) for leg in drawn.legs]
        if drawn.aim is not None:
            aim = camera.point(*drawn.aim)
            points.append(aim)
            places.append(aim)
        painter.setPen(QPen(edited, 1.6, Qt.PenStyle.DashLine))
        painter.drawPolyline(points)
        set_colors(painter, with_alpha(edited, 0.4), QPen(self.palette.edge_of(edited), 1.4))
        for place in places:
            painter.drawEllipse(place, 4, 4)
        if drawn.actor is not None:
            self._draw_actor(painter, drawn.actor)

    def _draw_actor(self, painter: QPainter, actor: "NewActor") -> None:
        """Draw the way of the new actor, and its box where it is in this frame."""
        camera = self.state.camera
        frame = self.state.contents.frame
        way = [camera.point(x, y) for x, y in actor.poses[:, :2].tolist()]
        if frame is not None and frame.index in actor.frames:
            number = frame.index - actor.frames.start
            model = actor.blueprint.model
            yaw = math.radians(actor.poses[number, 5]) + camera.angle
            scale = camera.scale / 100
            along = model.half_length * scale
            across = model.half_width * scale
            box, ahead = _box(way[number], yaw, along, across)
            painter.drawPolygon(box)
            painter.drawLine(way[number], ahead)
        painter.setPen(QPen(self.palette.edited, 2.0))
        painter.drawPolyline(way)


def _shapes(state: SceneState, ghosts: Iterable[Ghost]) -> Iterator[tuple[Ghost, QPolygonF, QLineF, QPointF]]:
    """Yield each ghost with its box, the line to it from where the actor is, and where its heading points to."""
    camera = state.camera
    actors = state.actors
    for ghost in ghosts:
        index = actors.index_of(ghost.actor)
        if index is None or not math.isfinite(actors.x[index] + actors.y[index]):
            continue
        there = camera.point(float(actors.x[index]) + ghost.dx, float(actors.y[index]) + ghost.dy)
        yaw = float(actors.yaw[index]) + math.radians(ghost.turn) + camera.angle
        along, across = (actors.half[index] * camera.scale).tolist()
        box, ahead = _box(there, yaw, along, across)
        yield ghost, box, QLineF(state.centre(index), there), ahead


class FormerPlaces(Layer):
    """Where edited actors are in the saved file, as outlines on top of them."""

    def draw(self, painter: QPainter) -> None:
        pen = QPen(self.palette.edited, 1.3)
        pen.setDashPattern(_DASHES)
        set_colors(painter, None, pen)
        for _, box, _, _ in _shapes(self.state, self.state.former):
            painter.drawPolygon(box)


class Ghosts(Layer):
    """Where actors would be after an edit."""

    def occupied(self) -> Iterator[Sides]:
        for _, box, way, _ in _shapes(self.state, self.state.ghosts):
            yield sides_of(box.boundingRect())
            yield from sides_along(way)

    def notes(self) -> Iterator[Wish]:
        for ghost, box, way, _ in _shapes(self.state, self.state.ghosts):
            half = (box.boundingRect().width() / 2, box.boundingRect().height() / 2)
            units = self.theme.units
            if ghost.turn:
                text = units.text(ghost.turn, "°", 1)
            else:
                text = units.text(math.hypot(ghost.dx, ghost.dy), "m", 2)
            # One text after the other makes a larger label; the smaller one stands in where there is no room.
            wish = chip_wish(self.theme, text, way.p2(), half, rank=NOTE, actor=ghost.actor)
            if self.state.ghost_scope:
                text = f"{text} {self.state.ghost_scope}"
                longer = chip_wish(self.theme, text, way.p2(), half, rank=NOTE, actor=ghost.actor)
                wish = longer._replace(shorter=wish)
            if self.state.ghost_lane:
                text = f"{text}\n{self.state.ghost_lane}"
                longer = chip_wish(self.theme, text, way.p2(), half, rank=NOTE, actor=ghost.actor)
                wish = longer._replace(shorter=wish)
            yield wish

    def draw(self, painter: QPainter) -> None:
        for ghost, box, way, ahead in _shapes(self.state, self.state.ghosts):
            edge = QPen(self.palette.edited, 1.6, Qt.PenStyle.DashLine)
            set_colors(painter, with_alpha(self.palette.edited, 0.25), edge)
            painter.drawPolygon(box)
            painter.drawLine(way.p2(), ahead)
            if ghost.dx or ghost.dy:
                painter.drawLine(way)


class Tools(Layer):
    """Distance and heading between two places, and the rubber band."""

    def _measured(self) -> QLineF:
        """Return what is measured, px; an empty line in the middle where nothing is."""
        camera = self.state.camera
        if self.state.measured is None:
            middle = camera.point(camera.x, camera.y)
            return QLineF(middle, middle)
        first, second = self.state.measured
        return QLineF(camera.point(*first), camera.point(*second))

    def occupied(self) -> Iterator[Sides]:
        return sides_along(self._measured())

    def notes(self) -> Iterator[Wish]:
        if self.state.measured is not None:
            (ax, ay), (bx, by) = self.state.measured
            units = self.theme.units
            heading = math.degrees(math.atan2(by - ay, bx - ax))
            text = f"{units.text(math.hypot(bx - ax, by - ay), 'm', 2)}  {units.text(heading, '°', 1)}"
            yield chip_wish(self.theme, text, self._measured().center(), (0.0, 3.0), rank=NOTE)

    def draw(self, painter: QPainter) -> None:
        if self.state.measured is not None:
            line = self._measured()
            painter.setPen(QPen(self.palette.text, 1.4, Qt.PenStyle.DashLine))
            painter.drawLine(line)
            set_colors(painter, self.palette.text)
            for point in (line.p1(), line.p2()):
                painter.drawEllipse(point, 3, 3)
        if self.state.band is not None:
            set_colors(painter, with_alpha(self.palette.selection, 0.12), QPen(self.palette.selection, 1))
            painter.drawRect(self.state.band)
