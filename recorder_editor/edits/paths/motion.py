"""Motions: a turn about a point, then a shift, for each frame, and their rates.

Units are centimetres, degrees and seconds. X forward, Y right, yaw from X towards Y.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from ...arrays import FloatArray, IntArray
from ...errors import EditError
from ...texts import say

Pivot = Callable[[IntArray, IntArray], FloatArray]
"""The points (x, y, cm; shape (n, 2)) that records are turned about, by frame and life indices."""

CM = 100.0
"""Centimetres in a metre."""

_MOST = 1e30
"""Limit for numbers, so that sums and products fit stored floats."""


def centimetres(metres: float) -> float:
    """Metres in centimetres, exact in decimal: 0.29 m are 29 cm, not 28.999999999999996."""
    return float(Decimal(repr(float(metres))).scaleb(2))


def need_measures(template: str, *numbers: float) -> None:
    """Raises `EditError`: with the sentence of the code for numbers that are not finite, and for too large ones."""
    if not all(map(math.isfinite, numbers)):
        raise EditError(say(template))
    largest = max(map(abs, numbers), default=0.0)
    if largest > _MOST:
        raise EditError(
            say("{largest:g} is too large; paths are changed by numbers up to {most:g}.", largest=largest, most=_MOST)
        )


def rates(poses: FloatArray, times: FloatArray) -> FloatArray:
    """Velocities of x, y, z (m/s) and of the heading (degrees/s) of poses x, y, z, yaw: shape (n, 4)."""
    moved = np.column_stack((poses[:, :3], np.unwrap(poses[:, 3], period=360.0))) - poses[:1]
    if len(poses) > 1:
        return np.gradient(moved, times, axis=0)
    return poses * 0.0


@dataclass(frozen=True)
class Motion:
    """A turn and a shift for each frame.

    Attributes: `first` (index of the first frame; None: one entry for all frames), `turn` (degrees, shape (n,)),
    `shift` (cm, shape (n, 3)), `turn_rate` (degrees/s) and `shift_rate` (cm/s) in the same shapes, `pivot`, `follows`
    (the pivot is the actor itself: its velocity is not turned).
    """

    first: int | None
    turn: FloatArray
    shift: FloatArray
    turn_rate: FloatArray
    shift_rate: FloatArray
    pivot: Pivot
    follows: bool = False

    def pose(self, poses: FloatArray, frames: IntArray, lives: IntArray) -> FloatArray:
        """Locations and rotations (shape (n, 6): x, y, z, roll, pitch, yaw), moved."""
        at = self._entries(frames)
        made = poses.copy()
        turn = self.turn[at]
        turned = turn != 0.0
        if turned.any():
            x, y = self.pivot(frames, lives).T
            dx, dy = rotated(poses[:, 0] - x, poses[:, 1] - y, turn)
            made[:, 0] = np.where(turned, x + dx, poses[:, 0])
            made[:, 1] = np.where(turned, y + dy, poses[:, 1])
            made[:, 5] = np.where(turned, wrapped(poses[:, 5] + turn), poses[:, 5])
        made[:, :3] += self.shift[at]
        return made

    def velocity(self, velocities: FloatArray, frames: IntArray, lives: IntArray, places: FloatArray) -> FloatArray:
        """Linear (m/s) and angular (degrees/s) velocities, shape (n, 6), of actors that were at `places` (x, y, cm).

        They are turned with the path, and the velocity of the change is added.
        """
        at = self._entries(frames)
        made = velocities.copy()
        turn = self.turn[at]
        rate = self.turn_rate[at]
        turned = turn != 0.0
        if turned.any():
            for column in (3,) if self.follows else (0, 3):
                x, y = rotated(velocities[:, column], velocities[:, column + 1], turn)
                made[:, column] = np.where(turned, x, velocities[:, column])
                made[:, column + 1] = np.where(turned, y, velocities[:, column + 1])
        turning = rate != 0.0
        if turning.any():
            x, y = self.pivot(frames, lives).T
            dx, dy = rotated(places[:, 0] - x, places[:, 1] - y, turn)
            angle = np.radians(rate)
            made[:, 0] += np.where(turning, -angle * dy / CM, 0.0)
            made[:, 1] += np.where(turning, angle * dx / CM, 0.0)
            made[:, 5] += rate
        made[:, :3] += self.shift_rate[at] / CM
        return made

    def _entries(self, frames: IntArray) -> IntArray:
        if self.first is None:
            return np.zeros_like(frames)
        return frames - self.first


def rotated(x: FloatArray, y: FloatArray, degrees: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Vectors on the ground, turned."""
    angle = np.radians(degrees)
    cos, sin = np.cos(angle), np.sin(angle)
    return x * cos - y * sin, x * sin + y * cos


def wrapped(degrees: FloatArray) -> FloatArray:
    """Degrees wrapped to -180 to 180."""
    return np.asarray((degrees + 180.0) % 360.0 - 180.0)


def eased(times: FloatArray, ease_in: float, ease_out: float) -> tuple[FloatArray, FloatArray]:
    """The weight of a change at each time, 0 to 1, and its rate (1/s).

    It rises from 0 within the first `ease_in` seconds and falls to 0 within the last `ease_out`, by 3u² - 2u³.
    """
    weight = np.ones(len(times))
    rate = np.zeros(len(times))
    if not len(times):
        return weight, rate
    for seconds, since, sign in ((ease_in, times - times[0], 1.0), (ease_out, times[-1] - times, -1.0)):
        if seconds > 0:
            u = np.minimum(since, seconds) / seconds
            part = u * u * (3.0 - 2.0 * u)
            growth = sign * 6.0 * u * (1.0 - u) / seconds
            weight, rate = weight * part, rate * part + weight * growth
    return weight, rate
