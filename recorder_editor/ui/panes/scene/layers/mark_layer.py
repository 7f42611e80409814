"""What is drawn about actors: lines to leaders, rings, rays of collisions."""

import math
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from .....views.frame_actors import FrameActors
from ..label_layout import Sides, sides_along
from .layer import Layer

_LONGEST_RAY = 12.0  # px
_SHORTER_RAY = 8.0
_RAYS = 12
_TICK = 5.0  # px


class LeaderLines(Layer):
    """From each follower to its leader, with a tick at the leader; broken unless there is a risk."""

    def occupied(self) -> Iterator[Sides]:
        for _, ends in self.state.leader_ends:
            yield from sides_along(ends)

    def draw(self, painter: QPainter) -> None:
        palette = self.palette
        thin = 1.8
        pens = (
            QPen(palette.selection, thin, Qt.PenStyle.DashLine),
            QPen(palette.warning, thin, Qt.PenStyle.SolidLine),
            QPen(palette.error, 3.2, Qt.PenStyle.SolidLine),
        )
        for line, ends in self.state.leader_ends:
            pen = pens[line.risk]
            painter.setPen(pen)
            painter.drawLine(ends)
            if ends.length() > _TICK:
                across = QPointF(ends.dy(), -ends.dx()) * (_TICK / ends.length())
                painter.setPen(QPen(pen.color(), thin))
                painter.drawLine(QLineF(ends.p2() - across, ends.p2() + across))


class Rings(Layer):
    """Two rings round a hero, one round each of the selected, a thin one round those of the event under the pointer."""

    wipes = True

    def draw(self, painter: QPainter) -> None:
        state = self.state
        actors = self.state.actors
        painter.setPen(QPen(self.palette.hero, 1.6))
        for index in np.flatnonzero(actors.hero & state.seen).tolist():
            for extra in (6, 10):
                radius = float(state.radii[index]) + extra
                painter.drawEllipse(state.centre(index), radius, radius)
        pointed = [actor for actor in state.pointed if actor not in state.selected]
        for ids, width in ((state.selected, 2.2), (pointed, 1.2)):
            painter.setPen(QPen(self.palette.selection, width))
            for index in state.entries(ids):
                if actors.hero[index]:
                    radius = float(state.radii[index]) + 15
                else:
                    radius = float(state.radii[index]) + 6
                painter.drawEllipse(state.centre(index), radius, radius)
        painter.setPen(QPen(self.palette.selection, 2.2))
        for light, box in state.lamps:
            if light.actor in state.selected:
                painter.drawRoundedRect(box.adjusted(-5, -5, 5, 5), 5, 5)


class Collisions(Layer):
    """Rays round actors that collide."""

    def _bursts(self) -> Iterator[tuple[QPointF, float]]:
        """Yield where the actors are, and how far from there their rays begin, px."""
        state = self.state
        actors = self.state.actors
        touching = state.entries(state.colliding)
        for index in touching:
            if _is_covered(actors, index, touching):
                continue
            # Outside of the rings that are drawn round it.
            if actors.hero[index]:
                rings = 20
            elif int(actors.ids[index]) in state.selected:
                rings = 12
            else:
                rings = 8
            yield state.centre(index), float(state.radii[index]) + rings

    def occupied(self) -> Iterator[Sides]:
        for centre, inner in self._bursts():
            reach = inner + _LONGEST_RAY
            yield centre.x() - reach, centre.y() - reach, centre.x() + reach, centre.y() + reach

    def draw(self, painter: QPainter) -> None:
        painter.setPen(QPen(self.palette.error, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        for centre, inner in self._bursts():
            rays = []
            for number in range(_RAYS):
                angle = math.radians(number * 360 / _RAYS + 15)
                way = QPointF(math.cos(angle), math.sin(angle))
                if number % 2:
                    outer = inner + _LONGEST_RAY
                else:
                    outer = inner + _SHORTER_RAY
                rays.append(QLineF(centre + way * inner, centre + way * outer))
            painter.drawLines(rays)


def _is_covered(actors: FrameActors, index: int, touching: list[int]) -> bool:
    """Return whether a larger colliding actor stands so near that one burst round it says enough."""
    bigger = actors.half[touching, 0] > actors.half[index, 0]
    distance = np.hypot(actors.x[touching] - actors.x[index], actors.y[touching] - actors.y[index])
    return bool((bigger & (distance < 2 * actors.half[touching, 0] + 1)).any())
