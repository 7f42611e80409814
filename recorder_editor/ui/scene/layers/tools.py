"""What forms of edits and tools of the mouse draw: ghosts, a measured distance, the rubber band."""

import math
from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from ....edits.operations.schema import Ghost
from ...colors import with_alpha
from ...theme import Theme
from ..label_layout import Sides, sides_of
from ..shapes import CHIP, chip_width, draw_chip
from .base import Layer


class Ghosts(Layer):
    """Where actors would be after an edit."""

    def occupied(self) -> Iterator[Sides]:
        for ghost in self.state.ghosts:
            index = self.state.actors.index_of(ghost.actor)
            if index is not None:
                yield sides_of(_note_box(self.theme, *self._note(ghost, index)))

    def _note(self, ghost: Ghost, index: int) -> tuple[QPointF, str]:
        """The middle of the note above a ghost, and what it says."""
        camera, actors = self.state.camera, self.state.actors
        there = camera.point(float(actors.x[index]) + ghost.dx, float(actors.y[index]) + ghost.dy)
        units = self.theme.units
        text = units.text(ghost.turn, "°", 1) if ghost.turn else units.text(math.hypot(ghost.dx, ghost.dy), "m", 2)
        reach = float(actors.half[index, 0]) * camera.scale + 24
        return there - QPointF(0, reach), f"{text} {self.state.ghost_scope}".strip()

    def draw(self, painter: QPainter) -> None:
        for ghost in self.state.ghosts:
            index = self.state.actors.index_of(ghost.actor)
            if index is not None:
                self._ghost(painter, ghost, index)

    def _ghost(self, painter: QPainter, ghost: Ghost, index: int) -> None:
        camera, actors = self.state.camera, self.state.actors
        here = self.state.centre(index)
        there = camera.point(float(actors.x[index]) + ghost.dx, float(actors.y[index]) + ghost.dy)
        yaw = float(actors.yaw[index]) + math.radians(ghost.turn)
        cos, sin = math.cos(yaw), math.sin(yaw)
        along, across = (actors.half[index] * camera.scale).tolist()
        corners = [
            QPointF(there.x() + a * along * cos - b * across * sin, there.y() + a * along * sin + b * across * cos)
            for a, b in ((1, -1), (1, 1), (-1, 1), (-1, -1))
        ]
        painter.setPen(QPen(self.palette.edited, 1.6, Qt.PenStyle.DashLine))
        painter.setBrush(with_alpha(self.palette.edited, 0.25))
        painter.drawPolygon(corners)
        painter.drawLine(there, QPointF(there.x() + (along + 10) * cos, there.y() + (along + 10) * sin))
        if ghost.dx or ghost.dy:
            painter.drawLine(here, there)
        _draw_note(painter, self.theme, *self._note(ghost, index))


class Tools(Layer):
    """Distance and heading between two places, and the rubber band."""

    def draw(self, painter: QPainter) -> None:
        if self.state.measured is not None:
            self._measure(painter, *self.state.measured)
        if self.state.band is not None:
            painter.setPen(QPen(self.palette.selection, 1))
            painter.setBrush(with_alpha(self.palette.selection, 0.12))
            painter.drawRect(self.state.band)

    def _measure(self, painter: QPainter, first: tuple[float, float], second: tuple[float, float]) -> None:
        a, b = self.state.camera.point(*first), self.state.camera.point(*second)
        painter.setPen(QPen(self.palette.text, 1.4, Qt.PenStyle.DashLine))
        painter.drawLine(a, b)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette.text)
        for point in (a, b):
            painter.drawEllipse(point, 3, 3)
        dx, dy = second[0] - first[0], second[1] - first[1]
        units, heading = self.theme.units, math.degrees(math.atan2(dy, dx))
        text = f"{units.text(math.hypot(dx, dy), 'm', 2)}  {units.text(heading, '°', 1)}"
        _draw_note(painter, self.theme, (a + b) / 2 + QPointF(0, -16), text)


def _draw_note(painter: QPainter, theme: Theme, centre: QPointF, text: str) -> None:
    """A figure beside a tool."""
    draw_chip(painter, theme, _note_box(theme, centre, text), text, theme.palette.edge)


def _note_box(theme: Theme, centre: QPointF, text: str) -> QRectF:
    rect = QRectF(0, 0, chip_width(theme, text), CHIP)
    rect.moveCenter(centre)
    return rect
