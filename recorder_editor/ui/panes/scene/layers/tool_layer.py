"""What forms of edits and tools of the mouse draw: ghosts, a measured distance, the rubber band."""

import math
import re
from collections.abc import Iterator

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF, QTransform

from .....reading import Ghost
from ....style.colors import with_alpha
from ....style.painting import set_colors
from ..label_layout import NOTE, Sides, Wish, sides_along, sides_of
from ..shapes import chip_size
from .layer import Layer


def _box(there: QPointF, yaw: float, along: float, across: float) -> tuple[QPolygonF, QPointF]:
    """The box of an actor that heads to `yaw` (radians, on the screen), and where its heading points to, px."""
    turned = QTransform(math.cos(yaw), math.sin(yaw), -math.sin(yaw), math.cos(yaw), there.x(), there.y())
    return turned.map(QPolygonF(QRectF(-along, -across, 2 * along, 2 * across))), turned.map(QPointF(along + 10, 0))


class DrawnPath(Layer):
    """The path that is drawn for a new actor, what comes of it, and where that is in this frame."""

    def draw(self, painter: QPainter) -> None:
        drawn = self.state.drawn
        camera = self.state.camera
        frame = self.state.contents.frame
        if drawn is None:
            return
        edited = self.palette.edited
        actor = drawn.actor
        aim = () if drawn.aim is None else (drawn.aim,)
        painter.setPen(QPen(edited, 1.6, Qt.PenStyle.DashLine))
        painter.drawPolyline([camera.point(*place) for place in (*drawn.points, *aim)])
        set_colors(painter, with_alpha(edited, 0.4), QPen(self.palette.edge_of(edited), 1.4))
        for place in (*(leg[-1] for leg in drawn.legs), *aim):
            painter.drawEllipse(camera.point(*place), 4, 4)
        if actor is None:
            return
        way = []
        for x, y in actor.poses[:, :2].tolist():
            way.append(camera.point(x, y))
        if frame is not None and frame.index in actor.frames:
            number = frame.index - actor.frames.start
            model = actor.blueprint.model
            yaw = math.radians(actor.poses[number, 5]) + camera.angle
            scale = camera.scale / 100
            box, ahead = _box(way[number], yaw, model.half_length * scale, model.half_width * scale)
            painter.drawPolygon(box)
            painter.drawLine(way[number], ahead)
        painter.setPen(QPen(edited, 2.0))
        painter.drawPolyline(way)


class Ghosts(Layer):
    """Where actors would be after an edit."""

    def _shapes(self) -> Iterator[tuple[Ghost, QPolygonF, QLineF, QPointF]]:
        """Each ghost with its box, the line to its middle from where the actor is, and where its heading points to."""
        camera = self.state.camera
        actors = self.state.actors
        for ghost in self.state.ghosts:
            index = actors.index_of(ghost.actor)
            if index is None or not math.isfinite(actors.x[index] + actors.y[index]):
                continue
            there = camera.point(float(actors.x[index]) + ghost.dx, float(actors.y[index]) + ghost.dy)
            yaw = float(actors.yaw[index]) + math.radians(ghost.turn) + camera.angle
            box, ahead = _box(there, yaw, *(actors.half[index] * camera.scale).tolist())
            yield ghost, box, QLineF(self.state.centre(index), there), ahead

    def occupied(self) -> Iterator[Sides]:
        for _, box, way, _ in self._shapes():
            yield sides_of(box.boundingRect())
            yield from sides_along(way)

    def notes(self) -> Iterator[Wish]:
        for ghost, box, way, _ in self._shapes():
            half = box.boundingRect().width() / 2, box.boundingRect().height() / 2
            units = self.theme.units
            length = math.hypot(ghost.dx, ghost.dy)
            if ghost.turn:
                text = units.text(ghost.turn, "°", 1)
            else:
                text = units.text(length, "m", 2)
            wish = Wish(text, way.p2(), half, *chip_size(self.theme, text), NOTE, ghost.actor)
            for between, part in re.findall(r"(^|, |，)([^,，]+)", self.state.ghost_scope):
                text += (between or " ") + part
                wish = wish._replace(text=text, width=chip_size(self.theme, text)[0], shorter=wish)
            yield wish

    def draw(self, painter: QPainter) -> None:
        for ghost, box, way, ahead in self._shapes():
            edge = QPen(self.palette.edited, 1.6, Qt.PenStyle.DashLine)
            set_colors(painter, with_alpha(self.palette.edited, 0.25), edge)
            painter.drawPolygon(box)
            painter.drawLine(way.p2(), ahead)
            if ghost.dx or ghost.dy:
                painter.drawLine(way)


class Tools(Layer):
    """Distance and heading between two places, and the rubber band."""

    def _measured(self) -> QLineF:
        """What is measured, px; an empty line where nothing is."""
        camera = self.state.camera
        first, second = self.state.measured or ((camera.x, camera.y),) * 2
        return QLineF(camera.point(*first), camera.point(*second))

    def occupied(self) -> Iterator[Sides]:
        return sides_along(self._measured())

    def notes(self) -> Iterator[Wish]:
        if self.state.measured is not None:
            (ax, ay), (bx, by) = self.state.measured
            units = self.theme.units
            heading = math.degrees(math.atan2(by - ay, bx - ax))
            text = f"{units.text(math.hypot(bx - ax, by - ay), 'm', 2)}  {units.text(heading, '°', 1)}"
            yield Wish(text, self._measured().center(), (0.0, 3.0), *chip_size(self.theme, text), NOTE, -1)

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
