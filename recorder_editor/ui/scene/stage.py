"""Draws a frame: boxes with wedges, discs, rings, trails, lamps, bursts, labels, and the instruments in the corners.

Pixels throughout; the camera says where. Knows nothing of the session: it is handed what to draw.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from ...recording.survey import Journey
from ..palette import Palette, with_alpha
from ..theme import Theme
from .camera import Camera, nice_length
from .labels import CROWDED, Board, Wish, place_labels
from .world import (
    LIGHT_BRAKE,
    LIGHT_LEFT,
    LIGHT_RIGHT,
    PROP,
    SENSOR,
    SPECTATOR,
    TWO_WHEELER,
    VEHICLE,
    WALKER,
    Crowd,
    Reals,
    Scenery,
    TrafficLight,
)

Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]

LAMP_BOX = (12.0, 30.0)
EDGE = 14.0


@dataclass
class Show:
    """What to draw, and how.

    Attributes: `selected` (ids, the first one first), `journeys` (of the selected, for trails), `frame_index`,
    `elapsed` (of all frames), `own_colours` (by life index), and what is switched on.
    """

    scenery: Scenery
    selected: tuple[int, ...] = ()
    journeys: tuple[Journey, ...] = ()
    frame_index: int = 0
    elapsed: np.ndarray[tuple[int], np.dtype[np.float64]] = field(default_factory=lambda: np.zeros(0))
    hits: frozenset[int] = frozenset()
    own_colours: dict[int, QColor] | None = None
    trails: bool = True
    ids: bool = True
    ghost: "Ghost | None" = None
    measure: tuple[tuple[float, float], tuple[float, float]] | None = None
    band: QRectF | None = None


@dataclass(frozen=True, slots=True)
class Ghost:
    """An edit while it is dragged: the actor, shifted by (dx, dy) metres, turned by `turn` degrees."""

    actor: int
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0


class Stage:
    """One drawing of a frame."""

    def __init__(self, painter: QPainter, theme: Theme, camera: Camera, show: Show) -> None:
        self.painter = painter
        self.theme = theme
        self.palette: Palette = theme.palette
        self.camera = camera
        self.show = show
        self.board = Board(QRectF(0, 0, camera.width, camera.height))
        self.legend: float | None = None

    def draw(self) -> None:
        """Everything but the ground."""
        painter, crowd = self.painter, self.show.scenery.crowd
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._grid()
        self._corners_taken()
        if self.show.trails:
            self._trails()
        if len(crowd):
            self._crowd(crowd)
        for light in self.show.scenery.lights:
            self._lamp(light)
        if len(crowd):
            self._rings(crowd)
            self._bursts(crowd)
            self._labels(crowd)
        if self.show.ghost is not None:
            self._ghost(crowd, self.show.ghost)
        if self.show.measure is not None:
            self._measure(*self.show.measure)
        if self.show.band is not None:
            painter.setPen(QPen(self.palette.selection, 1))
            painter.setBrush(with_alpha(self.palette.selection, 0.12))
            painter.drawRect(self.show.band)
        self._north()
        self._scale_bar()
        self._legend()

    # --- ground -----------------------------------------------------------------------------------------

    def _grid(self) -> None:
        """Ten-metre lines, only where one looks closely."""
        camera = self.camera
        if camera.scale < 24:
            return
        step = 10.0 if camera.scale < 90 else 1.0
        view = camera.view
        lines = []
        for x in np.arange(math.ceil(view.left() / step) * step, view.right(), step).tolist():
            px = camera.point(x, 0).x()
            lines.append(QLineF(px, 0, px, camera.height))
        for y in np.arange(math.ceil(view.top() / step) * step, view.bottom(), step).tolist():
            py = camera.point(0, y).y()
            lines.append(QLineF(0, py, camera.width, py))
        self.painter.setPen(QPen(with_alpha(self.palette.path, 0.35), 1))
        self.painter.drawLines(lines)

    def _corners_taken(self) -> None:
        width, height = self.camera.width, self.camera.height
        for rect in (
            QRectF(0, height - 44, 170, 44), QRectF(width - 60, 0, 60, 60), QRectF(width - 180, height - 44, 180, 44),
        ):  # fmt: skip
            self.board.take(rect)

    # --- actors -----------------------------------------------------------------------------------------

    def _visible(self, crowd: Crowd) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        view, margin = self.camera.view, 12.0
        seen: np.ndarray[tuple[int], np.dtype[np.bool_]] = (
            (crowd.x > view.left() - margin) & (crowd.x < view.right() + margin)
            & (crowd.y > view.top() - margin) & (crowd.y < view.bottom() + margin)
        )  # fmt: skip
        return seen

    def _crowd(self, crowd: Crowd) -> None:
        seen = self._visible(crowd)
        self._small_things(crowd, seen)
        # The small ones on top: a bicycle under a bus must stay in sight.
        for kind in (VEHICLE, TWO_WHEELER):
            self._boxes(crowd, np.flatnonzero(seen & (crowd.kind == kind)))
        self._walkers(crowd, np.flatnonzero(seen & (crowd.kind == WALKER)))

    def _small_things(self, crowd: Crowd, seen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
        painter = self.painter
        for kind, color, side in (
            (PROP, self.palette.prop, 5.0), (SENSOR, self.palette.sensor, 5.0),
            (SPECTATOR, self.palette.spectator, 9.0),
        ):  # fmt: skip
            chosen = np.flatnonzero(seen & (crowd.kind == kind))
            if not len(chosen):
                continue
            x, y = self.camera.points(crowd.x[chosen], crowd.y[chosen])
            if kind == SPECTATOR:
                for px, py in zip(x.tolist(), y.tolist(), strict=True):
                    self.theme.icons.draw(painter, "spectator", int(px - 8), int(py - 8), 16, color)
                continue
            size = max(side, 0.8 * self.camera.scale) if kind == PROP else side
            size = min(size, 14.0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawRects([QRectF(px - size / 2, py - size / 2, size, size) for px, py in zip(x, y, strict=True)])

    def _color(self, crowd: Crowd, index: int) -> QColor:
        own = self.show.own_colours
        if own is not None:
            color = own.get(int(crowd.life[index]))
            if color is not None:
                return color
        return self.palette.two_wheeler if crowd.kind[index] == TWO_WHEELER else self.palette.vehicle

    def _boxes(self, crowd: Crowd, chosen: np.ndarray[tuple[int], np.dtype[np.intp]]) -> None:
        if not len(chosen):
            return
        painter, camera = self.painter, self.camera
        corners = crowd.corners()[chosen]
        px, py = camera.points(corners[:, :, 0].ravel(), corners[:, :, 1].ravel())
        xs, ys = px.reshape(-1, 4).tolist(), py.reshape(-1, 4).tolist()
        for index, x, y in zip(chosen.tolist(), xs, ys, strict=True):
            color = self._color(crowd, index)
            painter.setPen(QPen(self.palette.edge_of(color), 1))
            painter.setBrush(color)
            length = math.hypot(x[0] - x[3], y[0] - y[3])
            box = QPolygonF([QPointF(a, b) for a, b in zip(x, y, strict=True)])
            if length < 5:
                painter.drawEllipse(box.boundingRect().center(), 2.5, 2.5)
                continue
            painter.drawPolygon(box)
            if length >= 9:
                self._wedge(x, y)
            if crowd.lights[index] and length >= 16:
                self._vehicle_lights(int(crowd.lights[index]), x, y)

    def _wedge(self, x: list[float], y: list[float]) -> None:
        """A triangle on the front part of a box: where it heads."""
        front = ((x[0] + x[1]) / 2, (y[0] + y[1]) / 2)
        rear = ((x[2] + x[3]) / 2, (y[2] + y[3]) / 2)
        along = (front[0] - rear[0], front[1] - rear[1])
        side = (x[1] - x[0], y[1] - y[0])
        tip = (rear[0] + 0.9 * along[0], rear[1] + 0.9 * along[1])
        base = (rear[0] + 0.6 * along[0], rear[1] + 0.6 * along[1])
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.palette.wedge)
        self.painter.drawPolygon(QPolygonF([
            QPointF(*tip), QPointF(base[0] + 0.32 * side[0], base[1] + 0.32 * side[1]),
            QPointF(base[0] - 0.32 * side[0], base[1] - 0.32 * side[1]),
        ]))  # fmt: skip

    def _vehicle_lights(self, lights: int, x: list[float], y: list[float]) -> None:
        """Brake lights as a bar at the rear, blinkers at the corners of their side."""
        painter = self.painter
        if lights & LIGHT_BRAKE:
            painter.setPen(QPen(self.palette.lamp_red, 2.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawLine(QPointF(x[2], y[2]), QPointF(x[3], y[3]))
        for bit, corners in ((LIGHT_LEFT, (0, 3)), (LIGHT_RIGHT, (1, 2))):
            if lights & bit:
                painter.setPen(QPen(self.palette.scene, 0.8))
                painter.setBrush(self.palette.lamp_yellow)
                for corner in corners:
                    painter.drawEllipse(QPointF(x[corner], y[corner]), 2.6, 2.6)

    def _walkers(self, crowd: Crowd, chosen: np.ndarray[tuple[int], np.dtype[np.intp]]) -> None:
        painter = self.painter
        color = self.palette.walker
        painter.setPen(QPen(self.palette.edge_of(color), 1))
        x, y = self.camera.points(crowd.x[chosen], crowd.y[chosen])
        radius = max(2.5, min(0.45 * self.camera.scale, 12.0))
        for px, py, yaw in zip(x.tolist(), y.tolist(), crowd.yaw[chosen].tolist(), strict=True):
            painter.setBrush(color)
            painter.drawEllipse(QPointF(px, py), radius, radius)
            if radius >= 3.5:
                cos, sin = math.cos(yaw), math.sin(yaw)
                tip, base, wide = radius * 1.9, radius * 0.9, radius * 0.62
                painter.setBrush(self.palette.edge_of(color))
                painter.drawPolygon(QPolygonF([
                    QPointF(px + tip * cos, py + tip * sin),
                    QPointF(px + base * cos - wide * sin, py + base * sin + wide * cos),
                    QPointF(px + base * cos + wide * sin, py + base * sin - wide * cos),
                ]))  # fmt: skip

    # --- marks ------------------------------------------------------------------------------------------

    def _radius(self, crowd: Crowd, index: int) -> float:
        if crowd.kind[index] == WALKER:
            return max(4.0, 0.45 * self.camera.scale)
        return max(4.0, float(crowd.half[index, 0]) * self.camera.scale)

    def _rings(self, crowd: Crowd) -> None:
        painter = self.painter
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for index in np.flatnonzero(crowd.hero & self._visible(crowd)).tolist():
            centre = self.camera.point(float(crowd.x[index]), float(crowd.y[index]))
            for extra in (6, 10):
                painter.setPen(QPen(self.palette.hero, 1.6))
                radius = self._radius(crowd, index) + extra
                painter.drawEllipse(centre, radius, radius)
        for actor in self.show.selected:
            chosen = crowd.index_of(actor)
            if chosen is not None:
                centre = self.camera.point(float(crowd.x[chosen]), float(crowd.y[chosen]))
                radius = self._radius(crowd, chosen) + (15 if crowd.hero[chosen] else 6)
                painter.setPen(QPen(self.palette.selection, 2.2))
                painter.drawEllipse(centre, radius, radius)
        for light in self.show.scenery.lights:
            if light.actor in self.show.selected:
                centre = self.camera.point(light.x, light.y)
                painter.setPen(QPen(self.palette.selection, 2.2))
                painter.drawRoundedRect(QRectF(centre.x() - 11, centre.y() - 20, 22, 40), 5, 5)

    def _bursts(self, crowd: Crowd) -> None:
        """A collision: rays round those who touch."""
        self.painter.setPen(QPen(self.palette.error, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        touching = [index for index in map(crowd.index_of, self.show.hits) if index is not None]
        for index in touching:
            if self._is_covered(crowd, index, touching):
                continue
            centre = self.camera.point(float(crowd.x[index]), float(crowd.y[index]))
            inner = self._radius(crowd, index) + (20 if crowd.hero[index] else 12)
            rays = []
            for turn in range(12):
                angle = math.radians(turn * 30 + 15)
                outer = inner + (12 if turn % 2 else 8)
                cos, sin = math.cos(angle), math.sin(angle)
                rays.append(QLineF(centre.x() + inner * cos, centre.y() + inner * sin,
                                   centre.x() + outer * cos, centre.y() + outer * sin))  # fmt: skip
            self.painter.drawLines(rays)
            self.board.take(QRectF(centre.x() - inner - 6, centre.y() - inner - 6, 2 * inner + 12, 2 * inner + 12))

    @staticmethod
    def _is_covered(crowd: Crowd, index: int, touching: list[int]) -> bool:
        """A larger one of those who collide stands so near that one burst round it says enough."""
        return any(
            crowd.half[other, 0] > crowd.half[index, 0]
            and math.hypot(crowd.x[other] - crowd.x[index], crowd.y[other] - crowd.y[index])
            < 2 * crowd.half[other, 0] + 1
            for other in touching
        )

    def _lamp(self, light: TrafficLight) -> None:
        centre = self.camera.point(light.x, light.y)
        width, height = LAMP_BOX
        box = QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height)
        if not QRectF(-20, -20, self.camera.width + 40, self.camera.height + 40).contains(box):
            return
        painter, palette = self.painter, self.palette
        if self.camera.scale < 1.0:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._lamp_color(light.state))
            painter.drawEllipse(centre, 2.5, 2.5)
            return
        painter.setPen(QPen(palette.edge, 1))
        painter.setBrush(palette.field)
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(Qt.PenStyle.NoPen)
        for place in range(3):
            lit = place == light.state
            painter.setBrush(self._lamp_color(light.state) if lit else palette.lamp_off)
            radius = 3.5 if lit else 2.5
            painter.drawEllipse(QPointF(centre.x(), box.top() + 6.5 + 8.5 * place), radius, radius)
        self.board.take(box)
        if self.camera.scale >= 2.5:
            text = f"{light.seconds:.1f} s" if math.isfinite(light.seconds) else "–"
            metrics = QFontMetricsF(self.theme.small)
            place_of = QRectF(box.right() + 4, centre.y() - 8, metrics.horizontalAdvance(text) + 2, 16)
            painter.setFont(self.theme.small)
            painter.setPen(palette.muted)
            painter.drawText(place_of, Qt.AlignmentFlag.AlignVCenter, text)
            self.board.take(place_of)

    def _lamp_color(self, state: int) -> QColor:
        palette = self.palette
        return {0: palette.lamp_red, 1: palette.lamp_yellow, 2: palette.lamp_green}.get(state, palette.lamp_off)

    # --- labels -----------------------------------------------------------------------------------------

    def _labels(self, crowd: Crowd) -> None:
        seen = self._visible(crowd) & crowd.road_users
        selected = self.show.selected
        crowded = int(seen.sum()) > CROWDED or self.camera.scale < 2.0 or not self.show.ids
        small, bold = QFontMetricsF(self.theme.small), QFontMetricsF(self.theme.small_bold)
        wishes = []
        for index in np.flatnonzero(seen).tolist():
            centre = self.camera.point(float(crowd.x[index]), float(crowd.y[index]))
            radius = self._radius(crowd, index)
            self.board.take(self._taken(crowd, index, centre, radius))
            actor = int(crowd.ids[index])
            rank = 0 if actor in selected else 1 if crowd.hero[index] else 2 if actor in self.show.hits else 3
            if rank == 3 and crowded:
                continue
            text = self._label_text(crowd, index, rank)
            if rank < 3:
                extra = 16 if rank == 1 or crowd.hero[index] else 8
                wishes.append(Wish(text, centre, radius + extra, bold.horizontalAdvance(text) + 12, 18, rank, actor))
            else:
                reach = abs(math.cos(crowd.yaw[index])) * radius + abs(math.sin(crowd.yaw[index])) * radius * 0.4
                wishes.append(Wish(text, centre, max(5.0, reach), small.horizontalAdvance(text), 14, 3, actor))
        for wish, rect in place_labels(wishes, self.board):
            self._label(wish, rect)

    def _taken(self, crowd: Crowd, index: int, centre: QPointF, radius: float) -> QRectF:
        """The room an actor takes: its box, or the rings round it."""
        actor = int(crowd.ids[index])
        if actor in self.show.selected or crowd.hero[index]:
            reach = radius + (16 if crowd.hero[index] else 8)
            return QRectF(centre.x() - reach, centre.y() - reach, 2 * reach, 2 * reach)
        cos, sin = abs(math.cos(crowd.yaw[index])), abs(math.sin(crowd.yaw[index]))
        half = crowd.half[index] * self.camera.scale
        wide, high = half[0] * cos + half[1] * sin, half[0] * sin + half[1] * cos
        return QRectF(centre.x() - wide, centre.y() - high, 2 * wide, 2 * high)

    def _label_text(self, crowd: Crowd, index: int, rank: int) -> str:
        actor = int(crowd.ids[index])
        if rank == 1:
            return f"{actor} hero"
        speed = float(crowd.speed[index])
        return f"{actor}  {speed:.1f} m/s" if rank in (0, 2) and math.isfinite(speed) else str(actor)

    def _label(self, wish: Wish, rect: QRectF) -> None:
        painter, palette = self.painter, self.palette
        if wish.rank == 3:
            painter.setFont(self.theme.small)
            painter.setPen(palette.muted)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, wish.text)
            return
        color = (palette.selection, palette.hero, palette.error)[wish.rank]
        chip = QRectF(round(rect.x()) + 0.5, round(rect.y()) + 0.5, round(rect.width()), round(rect.height()))
        painter.setPen(QPen(color, 1))
        painter.setBrush(palette.field)
        painter.drawRoundedRect(chip, 3, 3)
        painter.setFont(self.theme.small_bold)
        painter.setPen(palette.text)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, wish.text)

    # --- trails -----------------------------------------------------------------------------------------

    def _trails(self) -> None:
        for journey in self.show.journeys:
            points = journey.path
            if len(points) < 2 or not len(self.show.elapsed):
                continue
            self._trail(points)

    def _trail(self, points: np.ndarray[tuple[int], np.dtype[np.void]]) -> None:
        """Behind a line coloured by speed, ahead dots."""
        frames = np.clip(points["frame"], 0, len(self.show.elapsed) - 1)
        now = self.show.elapsed[min(self.show.frame_index, len(self.show.elapsed) - 1)]
        times = self.show.elapsed[frames]
        near = (times >= now - 12.0) & (times <= now + 5.0)
        (chosen,) = np.nonzero(near)
        if len(chosen) < 2:
            return
        part = points[chosen[0] : chosen[-1] + 1]
        times = times[chosen[0] : chosen[-1] + 1]
        x, y = self.camera.points(part["x"], part["y"])
        steps = np.hypot(np.diff(part["x"]), np.diff(part["y"]))
        waits = np.maximum(np.diff(times), 1e-6)
        speeds = steps / waits
        fine = np.isfinite(speeds) & (speeds < 120)
        fastest = float(np.ceil(max(2.0, float(speeds[fine].max()) if fine.any() else 2.0)))
        self.legend = max(self.legend or 0.0, fastest)
        here = self._here()
        self._behind(x, y, times, speeds / fastest, fine, now, here)
        self._ahead(x, y, times, speeds / fastest, fine, now)

    def _here(self) -> QPointF | None:
        index = self.show.scenery.crowd.index_of(self.show.selected[0]) if self.show.selected else None
        crowd = self.show.scenery.crowd
        return self.camera.point(float(crowd.x[index]), float(crowd.y[index])) if index is not None else None

    def _behind(
        self, x: Reals, y: Reals, times: Reals, shares: Reals, fine: Mask, now: float, here: QPointF | None
    ) -> None:
        painter = self.painter
        for index in range(len(shares)):
            if not fine[index] or times[index] >= now:
                continue
            end = QPointF(x[index + 1], y[index + 1])
            if times[index + 1] > now and here is not None:
                end = here
            color = self.palette.speed_color(float(shares[index]))
            painter.setPen(QPen(color, 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(x[index], y[index]), end)

    def _ahead(self, x: Reals, y: Reals, times: Reals, shares: Reals, fine: Mask, now: float) -> None:
        painter = self.painter
        painter.setPen(Qt.PenStyle.NoPen)
        left = 7.0
        for index in range(len(shares)):
            if not fine[index] or times[index + 1] <= now:
                continue
            start, stop = (float(x[index]), float(y[index])), (float(x[index + 1]), float(y[index + 1]))
            length = math.dist(start, stop)
            share = max(0.0, (now - times[index]) / (times[index + 1] - times[index])) if times[index] < now else 0.0
            at = share * length + left
            painter.setBrush(self.palette.speed_color(float(shares[index])))
            while at < length:
                part = at / length
                dot = QPointF(start[0] + (stop[0] - start[0]) * part, start[1] + (stop[1] - start[1]) * part)
                painter.drawEllipse(dot, 2.0, 2.0)
                at += 7.0
            left = at - length

    # --- tools ------------------------------------------------------------------------------------------

    def _ghost(self, crowd: Crowd, ghost: Ghost) -> None:
        index = crowd.index_of(ghost.actor)
        if index is None:
            return
        painter, camera = self.painter, self.camera
        x, y = float(crowd.x[index]), float(crowd.y[index])
        here, there = camera.point(x, y), camera.point(x + ghost.dx, y + ghost.dy)
        yaw = float(crowd.yaw[index]) + math.radians(ghost.turn)
        cos, sin = math.cos(yaw), math.sin(yaw)
        along, across = (crowd.half[index] * camera.scale).tolist()
        corners = [
            QPointF(there.x() + a * along * cos - b * across * sin, there.y() + a * along * sin + b * across * cos)
            for a, b in ((1, -1), (1, 1), (-1, 1), (-1, -1))
        ]
        painter.setPen(QPen(self.palette.edited, 1.6, Qt.PenStyle.DashLine))
        painter.setBrush(with_alpha(self.palette.edited, 0.25))
        painter.drawPolygon(QPolygonF(corners))
        painter.drawLine(there, QPointF(there.x() + (along + 10) * cos, there.y() + (along + 10) * sin))
        if ghost.dx or ghost.dy:
            painter.drawLine(here, there)
        distance = math.hypot(ghost.dx, ghost.dy)
        self._chip(there + QPointF(0, -along - 24), f"{ghost.turn:+.1f}°" if ghost.turn else f"{distance:.2f} m")

    def _measure(self, first: tuple[float, float], second: tuple[float, float]) -> None:
        a, b = self.camera.point(*first), self.camera.point(*second)
        painter = self.painter
        painter.setPen(QPen(self.palette.text, 1.4, Qt.PenStyle.DashLine))
        painter.drawLine(a, b)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette.text)
        for point in (a, b):
            painter.drawEllipse(point, 3, 3)
        dx, dy = second[0] - first[0], second[1] - first[1]
        heading = math.degrees(math.atan2(dy, dx))
        self._chip((a + b) / 2 + QPointF(0, -16), f"{math.hypot(dx, dy):.2f} m  {heading:.1f}°")

    def _chip(self, centre: QPointF, text: str) -> None:
        metrics = QFontMetricsF(self.theme.small_bold)
        width = metrics.horizontalAdvance(text) + 12
        rect = QRectF(centre.x() - width / 2, centre.y() - 9, width, 18)
        self.painter.setPen(QPen(self.palette.edge, 1))
        self.painter.setBrush(self.palette.field)
        self.painter.drawRoundedRect(rect, 3, 3)
        self.painter.setFont(self.theme.small_bold)
        self.painter.setPen(self.palette.text)
        self.painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)

    # --- corners ----------------------------------------------------------------------------------------

    def _north(self) -> None:
        painter = self.painter
        x, top = self.camera.width - EDGE - 8, EDGE + 2
        painter.setPen(QPen(self.palette.text, 1.3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        arrow = QPainterPath(QPointF(x, top + 22))
        arrow.lineTo(x, top)
        arrow.moveTo(x - 4, top + 5)
        arrow.lineTo(x, top)
        arrow.lineTo(x + 4, top + 5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(arrow)
        painter.setFont(self.theme.small)
        painter.drawText(QRectF(x - 10, top + 23, 20, 14), Qt.AlignmentFlag.AlignCenter, "N")

    def _scale_bar(self) -> None:
        painter, palette = self.painter, self.palette
        length = nice_length(120 / self.camera.scale)
        pixels = length * self.camera.scale
        text = f"{length:g} m" if length < 1000 else f"{length / 1000:g} km"
        width = QFontMetricsF(self.theme.small).horizontalAdvance(text)
        left, base = EDGE, self.camera.height - EDGE
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(with_alpha(palette.scene, 0.85))
        painter.drawRoundedRect(QRectF(left - 6, base - 14, pixels + width + 20, 22), 3, 3)
        painter.setPen(QPen(palette.text, 1.3))
        painter.drawLines([
            QLineF(left, base, left + pixels, base), QLineF(left, base - 4, left, base),
            QLineF(left + pixels, base - 4, left + pixels, base),
        ])  # fmt: skip
        painter.setFont(self.theme.small)
        painter.setPen(palette.muted)
        rect = QRectF(left + pixels + 6, base - 11, width + 4, 16)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, text)

    def _legend(self) -> None:
        if self.legend is None:
            return
        painter, palette = self.painter, self.palette
        text = f"{self.legend:g} m/s"
        width = QFontMetricsF(self.theme.small).horizontalAdvance(text)
        right, middle = self.camera.width - EDGE, self.camera.height - EDGE - 3
        bar = QRectF(right - width - 6 - 72, middle - 2.5, 72, 5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(with_alpha(palette.scene, 0.85))
        painter.drawRoundedRect(bar.adjusted(-20, -10, width + 12, 10), 3, 3)
        for step in range(36):
            painter.setBrush(palette.speed_color(step / 35))
            painter.drawRect(QRectF(bar.left() + 2 * step, bar.top(), 2.4, 5))
        painter.setFont(self.theme.small)
        painter.setPen(palette.muted)
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(bar.left() - 14, middle - 8, 12, 16), flags, "0")
        painter.drawText(QRectF(bar.right() + 6, middle - 8, width + 2, 16), flags, text)
