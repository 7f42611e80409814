"""What is drawn about actors: lines to leaders, where they are in another recording, rings, rays of collisions."""

import math
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from .....views.frame_actors import FrameActors
from ..label_layout import Sides, sides_along, sides_of
from ..shapes import corners_of
from ..state import SceneState
from .layer import Layer

_LONGEST_RAY = 12.0
_APART = 0.01  # metres
_TURNED = 0.004  # the sine of half the angle: half a degree
_TICK = 5.0


class LeaderLines(Layer):
    """From each follower to its leader, with a tick at the leader; broken unless there is a risk."""

    def occupied(self) -> Iterator[Sides]:
        for _, ends in self.state.leader_ends:
            yield from sides_along(ends)

    def draw(self, painter: QPainter) -> None:
        palette = self.palette
        for line, ends in self.state.leader_ends:
            color = (palette.selection, palette.warning, palette.error)[line.risk]
            style = Qt.PenStyle.SolidLine if line.risk else Qt.PenStyle.DashLine
            painter.setPen(QPen(color, 3.2 if line.risk == 2 else 1.8, style))
            painter.drawLine(ends)
            if ends.length() > _TICK:
                across = QPointF(ends.dy(), -ends.dx()) * (_TICK / ends.length())
                painter.setPen(QPen(color, 1.8))
                painter.drawLine(QLineF(ends.p2() - across, ends.p2() + across))


class OtherRecording(Layer):
    """Those who stand elsewhere in the other recording, as outlines with a line to where they are here."""

    _shapes: tuple[tuple[QPolygonF, QLineF | None], ...] = ()

    def set_state(self, state: SceneState) -> None:
        super().set_state(state)
        if state.other is not None:
            self._shapes = tuple(_elsewhere(state, state.other))
        else:
            self._shapes = ()

    def occupied(self) -> Iterator[Sides]:
        return (sides_of(box.boundingRect()) for box, _ in self._shapes)

    def draw(self, painter: QPainter) -> None:
        for box, way in self._shapes:
            painter.setPen(QPen(self.palette.muted, 1.4, Qt.PenStyle.DashLine))
            painter.drawConvexPolygon(box)
            if way is not None:
                painter.setPen(QPen(self.palette.muted, 1.0, Qt.PenStyle.DotLine))
                painter.drawLine(way)


class Rings(Layer):
    """Two rings round a hero, one round each of the selected."""

    def draw(self, painter: QPainter) -> None:
        state = self.state
        actors = self.state.actors
        painter.setPen(QPen(self.palette.hero, 1.6))
        for index in np.flatnonzero(actors.hero & state.seen).tolist():
            for extra in (6, 10):
                radius = float(state.radii[index]) + extra
                painter.drawEllipse(state.centre(index), radius, radius)
        painter.setPen(QPen(self.palette.selection, 2.2))
        for index in state.entries(state.selected):
            radius = float(state.radii[index]) + (15 if actors.hero[index] else 6)
            painter.drawEllipse(state.centre(index), radius, radius)
        for light, box in state.lamps:
            if light.actor in state.selected:
                painter.drawRoundedRect(box.adjusted(-5, -5, 5, 5), 5, 5)


class Collisions(Layer):
    """Rays round those who touch."""

    def _bursts(self) -> Iterator[tuple[QPointF, float]]:
        """Where they are, and where their rays begin."""
        state = self.state
        actors = self.state.actors
        touching = state.entries(state.colliding)
        for index in touching:
            if not _is_covered(actors, index, touching):
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
            for turn in range(12):
                angle = math.radians(turn * 30 + 15)
                way = QPointF(math.cos(angle), math.sin(angle))
                outer = inner + (_LONGEST_RAY if turn % 2 else 8.0)
                rays.append(QLineF(centre + way * inner, centre + way * outer))
            painter.drawLines(rays)


def _elsewhere(state: SceneState, other: FrameActors) -> Iterator[tuple[QPolygonF, QLineF | None]]:
    """The boxes of those who stand elsewhere in the other recording, and the line to where they are in this one."""
    actors = state.actors
    here = {actor: index for index, actor in enumerate(actors.ids.tolist())}
    mine = np.array([here.get(actor, -1) for actor in other.ids.tolist()], np.intp)
    # Who is not here stands infinitely far away.
    x, y, yaw = (np.append(each, far)[mine] for each, far in ((actors.x, np.inf), (actors.y, 0), (actors.yaw, 0)))
    apart = np.hypot(other.x - x, other.y - y)
    turned = np.abs(np.sin((other.yaw - yaw) / 2)) > _TURNED
    chosen = np.flatnonzero(state.sees(other.x, other.y) & ((apart > _APART) | turned))
    for index, four in zip(chosen.tolist(), corners_of(state.camera, other, chosen).tolist(), strict=True):
        there = state.camera.point(float(other.x[index]), float(other.y[index]))
        way = None
        if math.isfinite(apart[index]):
            way = QLineF(there, state.centre(int(mine[index])))
        yield QPolygonF([QPointF(x, y) for x, y in four]), way


def _is_covered(actors: FrameActors, index: int, touching: list[int]) -> bool:
    """A larger one of those who collide stands so near that one burst round it says enough."""
    bigger = actors.half[touching, 0] > actors.half[index, 0]
    distance = np.hypot(actors.x[touching] - actors.x[index], actors.y[touching] - actors.y[index])
    return bool((bigger & (distance < 2 * actors.half[touching, 0] + 1)).any())
