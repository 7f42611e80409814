"""From metres to pixels and back: which part of the world is visible."""

import math
from typing import NamedTuple, TypeVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from ....arrays import quantile
from ....views.frame_actors import FrameActors, FrameContents, Mask, Reals
from ...session.preferences import FollowMode

Number = TypeVar("Number", float, Reals)

CLOSEST = 400.0
FARTHEST = 0.005
FAR = 2000.0
"""Metres beyond which actors are left out: a car that was parked under the map must not shrink a town to a dot."""


class Camera(NamedTuple):
    """Which part of the world is visible, and how large.

    Attributes:
        x: What stands in the middle, m.
        y: What stands in the middle, m.
        scale: Pixels a metre.
        width: Width of the pane, px.
        height: Height of the pane, px.
        angle: How far the world is turned clockwise on the screen, radians; 0: north is up.
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
        width = self.width / self.scale
        height = self.height / self.scale
        if self.angle:
            width = height = math.hypot(width, height)
        return QRectF(self.x - width / 2, self.y - height / 2, width, height)

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
        """Return this camera turned so that a heading (radians, clockwise) is up."""
        return self._replace(angle=-math.pi / 2 - yaw)

    def point(self, x: float, y: float) -> QPointF:
        """Return where a place of the world (m) is on the screen, px."""
        return QPointF(*self.points(x, y))

    def points(self, x: Number, y: Number) -> tuple[Number, Number]:
        """Return where places of the world (m, numbers or arrays) are on the screen, px."""
        dx, dy = _turned((x - self.x) * self.scale, (y - self.y) * self.scale, self.angle)
        return dx + self.width / 2, dy + self.height / 2

    def way(self, way: QPointF) -> tuple[float, float]:
        """Return a vector of the screen (px) as one of the world, m."""
        dx, dy = _turned(way.x(), way.y(), -self.angle)
        return dx / self.scale, dy / self.scale

    def world(self, point: QPointF) -> tuple[float, float]:
        """Return the place of the world (m) under a point of the screen."""
        dx, dy = self.way(point - self.pane.center())
        return dx + self.x, dy + self.y

    def moved(self, dx: float, dy: float) -> "Camera":
        """Return the camera after dragging the ground by so many pixels."""
        x, y = self.way(QPointF(dx, dy))
        return self._replace(x=self.x - x, y=self.y - y)

    def zoomed(self, factor: float, fixed: QPointF) -> "Camera":
        """Return the camera closer by a factor; what is under the point `fixed` stays there."""
        x, y = self.world(fixed)
        closer = self._replace(scale=max(FARTHEST, min(self.scale * factor, CLOSEST)))
        dx, dy = closer.way(fixed - self.pane.center())
        return closer._replace(x=x - dx, y=y - dy)

    def keeping(self, x: float, y: float) -> "Camera":
        """Return the camera moved no further than it takes to have a place (m) in the middle half."""
        reach_x = self.width / self.scale / 4
        reach_y = self.height / self.scale / 4
        nearest_x = min(max(self.x, x - reach_x), x + reach_x)
        nearest_y = min(max(self.y, y - reach_y), y + reach_y)
        return self._replace(x=nearest_x, y=nearest_y)

    def following(self, x: float, y: float, yaw: float, mode: FollowMode) -> "Camera":
        """Return the camera for an actor that is followed.

        Args:
            x: Where the actor is, m.
            y: Where the actor is, m.
            yaw: Its heading, radians, clockwise.
            mode: Where it is to be: in view, in the middle, or there with its heading up.
        """
        if mode == "keep":
            return self.level.keeping(x, y)
        camera = self._replace(x=x, y=y, angle=0.0)
        if mode == "up":
            return camera.heading_up(yaw)
        return camera

    def fitted(self, box: QRectF) -> "Camera":
        """Return a camera with north up that shows a world rectangle whole, with a margin, at most 14 px a metre."""
        width = max(box.width(), 1.0) * 1.16
        height = max(box.height(), 1.0) * 1.16
        scale = max(FARTHEST, min(self.width / width, self.height / height, 14.0))
        return Camera(x=box.center().x(), y=box.center().y(), scale=scale, width=self.width, height=self.height)


def _turned(x: Number, y: Number, angle: float) -> tuple[Number, Number]:
    """Return a vector turned clockwise on the screen."""
    if not angle:
        return x, y
    cos = math.cos(angle)
    sin = math.sin(angle)
    return x * cos - y * sin, x * sin + y * cos


def is_placed(actors: FrameActors) -> Mask:
    """Return which actors have a place in the world."""
    return np.isfinite(actors.x) & np.isfinite(actors.y)


def near_road_users(actors: FrameActors) -> Mask:
    """Return which actors are road users, without those that are kilometres away from the one amid them."""
    users = actors.road_users & is_placed(actors)
    if users.any():
        x = actors.x[users]
        y = actors.y[users]
        amid = np.argmin(np.hypot(x - quantile(x, 0.5), y - quantile(y, 0.5)))
        users[users] = np.hypot(x - x[amid], y - y[amid]) <= FAR
    return users


def box_of(actors: FrameActors, *, all_actors: bool = False) -> QRectF | None:
    """Return the world rectangle of the road users, far-away ones left out, or of all actors; None without any."""
    if all_actors:
        chosen = is_placed(actors)
    else:
        chosen = near_road_users(actors)
    return around(actors.x[chosen], actors.y[chosen])


def box_of_contents(contents: FrameContents) -> QRectF | None:
    """Return the world rectangle of a frame: its road users, else all actors, else its traffic lights; None: empty."""
    box = box_of(contents.actors) or box_of(contents.actors, all_actors=True)
    if box is None and contents.lights:
        xs = [light.x for light in contents.lights]
        ys = [light.y for light in contents.lights]
        box = QRectF(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    return box


def around(x: Reals, y: Reals) -> QRectF | None:
    """Return the world rectangle of places (m), with room for a car; None without any."""
    if not len(x):
        return None
    left = float(x.min())
    top = float(y.min())
    return QRectF(left - 4, top - 4, float(np.ptp(x)) + 8, float(np.ptp(y)) + 8)


def nice_length(most: float) -> float:
    """Return the largest of 1, 2, 5 times a power of ten that is at most `most`."""
    power = 10.0 ** math.floor(math.log10(max(most, 1e-9)))
    return next(step * power for step in (5.0, 2.0, 1.0) if step * power <= most)
