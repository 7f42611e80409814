"""From metres to pixels and back: which part of the world is visible."""

import math
from typing import NamedTuple, TypeVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from ....arrays import value_at
from ....views.frame_actors import FrameActors, Mask, Reals

Number = TypeVar("Number", float, Reals)

CLOSEST = 400.0
FARTHEST = 0.005
FAR = 2000.0
"""Metres beyond which nobody is looked for: a car that was parked under the map must not shrink a town to a dot."""


class Camera(NamedTuple):
    """Attributes: `x`, `y` (m, what stands in the middle), `scale` (px a metre), `width`, `height` (px), `angle`
    (radians, how far the world is turned clockwise on the screen; 0: north is up).
    """

    x: float = 0.0
    y: float = 0.0
    scale: float = 5.0
    width: float = 800.0
    height: float = 600.0
    angle: float = 0.0

    @property
    def view(self) -> QRectF:
        """The world rectangle that holds what is seen, m; of a turned world the square that does so at any angle."""
        wide = self.width / self.scale
        high = self.height / self.scale
        if self.angle:
            wide = high = math.hypot(wide, high)
        return QRectF(self.x - wide / 2, self.y - high / 2, wide, high)

    @property
    def pane(self) -> QRectF:
        """The view in its own pixels."""
        return QRectF(0.0, 0.0, self.width, self.height)

    @property
    def level(self) -> "Camera":
        """The same with north up."""
        if self.angle:
            return self._replace(angle=0.0)
        return self

    def heading_up(self, yaw: float) -> "Camera":
        """The same, turned so that a heading (radians, clockwise) is up."""
        return self._replace(angle=-math.pi / 2 - yaw)

    def point(self, x: float, y: float) -> QPointF:
        """Where a place of the world is on the screen."""
        return QPointF(*self.points(x, y))

    def points(self, x: Number, y: Number) -> tuple[Number, Number]:
        """The same for arrays."""
        dx, dy = _turned((x - self.x) * self.scale, (y - self.y) * self.scale, self.angle)
        return dx + self.width / 2, dy + self.height / 2

    def way(self, way: QPointF) -> tuple[float, float]:
        """A way on the screen as one in the world, m."""
        dx, dy = _turned(way.x(), way.y(), -self.angle)
        return dx / self.scale, dy / self.scale

    def world(self, point: QPointF) -> tuple[float, float]:
        """The place of the world under a point of the screen."""
        dx, dy = self.way(point - self.pane.center())
        return dx + self.x, dy + self.y

    def moved(self, dx: float, dy: float) -> "Camera":
        """After dragging the ground by so many pixels."""
        x, y = self.way(QPointF(dx, dy))
        return self._replace(x=self.x - x, y=self.y - y)

    def zoomed(self, factor: float, at: QPointF) -> "Camera":
        """Closer by a factor; what is under `at` stays there."""
        x, y = self.world(at)
        closer = self._replace(scale=max(FARTHEST, min(self.scale * factor, CLOSEST)))
        dx, dy = closer.way(at - self.pane.center())
        return closer._replace(x=x - dx, y=y - dy)

    def keeping(self, x: float, y: float) -> "Camera":
        """Moved no further than it takes to have a place in the middle half."""
        wide = self.width / self.scale / 4
        high = self.height / self.scale / 4
        return self._replace(x=min(max(self.x, x - wide), x + wide), y=min(max(self.y, y - high), y + high))

    def fitted(self, box: QRectF) -> "Camera":
        """North up, with a world rectangle whole and a margin, and never closer than 14 px a metre."""
        wide = max(box.width(), 1.0) * 1.16
        high = max(box.height(), 1.0) * 1.16
        scale = max(FARTHEST, min(self.width / wide, self.height / high, 14.0))
        return Camera(box.center().x(), box.center().y(), scale, self.width, self.height)


def _turned(x: Number, y: Number, angle: float) -> tuple[Number, Number]:
    """A vector, turned clockwise on the screen."""
    if not angle:
        return x, y
    cos, sin = math.cos(angle), math.sin(angle)
    return x * cos - y * sin, x * sin + y * cos


def is_placed(actors: FrameActors) -> Mask:
    """Who has a place in the world."""
    return np.isfinite(actors.x) & np.isfinite(actors.y)


def near_road_users(actors: FrameActors) -> Mask:
    """The road users, without those who are kilometres away from the one amid them."""
    users = actors.road_users & is_placed(actors)
    if users.any():
        x, y = actors.x[users], actors.y[users]
        amid = np.argmin(np.hypot(x - value_at(x, 0.5), y - value_at(y, 0.5)))
        users[users] = np.hypot(x - x[amid], y - y[amid]) <= FAR
    return users


def box_of(actors: FrameActors, *, everybody: bool = False) -> QRectF | None:
    """The world rectangle of the road users, far-away ones left out; None without any."""
    if everybody:
        chosen = is_placed(actors)
    else:
        chosen = near_road_users(actors)
    return around(actors.x[chosen], actors.y[chosen])


def around(x: Reals, y: Reals) -> QRectF | None:
    """The world rectangle of places (m), with room for a car; None without any."""
    if not len(x):
        return None
    left, top = float(x.min()), float(y.min())
    return QRectF(left - 4, top - 4, float(np.ptp(x)) + 8, float(np.ptp(y)) + 8)


def nice_length(most: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is at most `most`."""
    power = 10.0 ** math.floor(math.log10(max(most, 1e-9)))
    return next(step * power for step in (5.0, 2.0, 1.0) if step * power <= most)
