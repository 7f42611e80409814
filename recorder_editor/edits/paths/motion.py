"""Motions: a turn about a point, then a shift, for each frame, and their rates.

Units are centimetres, degrees and seconds. X forward, Y right, yaw from X towards Y.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from ...arrays import BoolArray, FloatArray, IntArray
from ...errors import EditError
from ...texts import say

Pivot = Callable[[IntArray, IntArray], FloatArray]
"""The points (x, y, cm; shape (n, 2)) that records are turned about, by frame and life indices."""

CM = 100.0
"""Centimetres in a metre."""

_MAX_NUMBER = 1e30
"""Limit for numbers, so that sums and products fit stored floats."""


def centimetres(metres: float) -> float:
    """Return metres as centimetres, exact in decimal: 0.29 m are 29 cm, not 28.999999999999996."""
    return float(Decimal(repr(float(metres))).scaleb(2))


def need_measures(template: str, *numbers: float) -> None:
    """Raise an error for numbers that no path can be changed by.

    Args:
        template: The text of the error for numbers that are not finite.
        *numbers: The numbers, in any unit.

    Raises:
        EditError: A number is not finite, or too large.
    """
    if not all(map(math.isfinite, numbers)):
        raise EditError(say(template))
    largest = max(map(abs, numbers), default=0.0)
    if largest > _MAX_NUMBER:
        raise EditError(
            say(
                "{largest:g} is too large; paths are changed by numbers up to {most:g}.",
                largest=largest,
                most=_MAX_NUMBER,
            )
        )


def rates(poses: FloatArray, times: FloatArray) -> FloatArray:
    """Return the velocities of poses.

    Args:
        poses: x, y, z (m) and yaw (degrees), shape (n, 4).
        times: Their times (s), shape (n,), rising.

    Returns:
        Velocities of x, y, z (m/s) and of the heading (degrees/s), shape (n, 4).
    """
    heading = np.unwrap(poses[:, 3], period=360.0)
    offsets = np.column_stack((poses[:, :3], heading)) - poses[:1]
    if len(poses) > 1:
        return np.gradient(offsets, times, axis=0)
    return poses * 0.0


@dataclass(frozen=True)
class Motion:
    """A turn and a shift for each frame.

    Attributes:
        first: Index of the first frame; None: one entry for all frames.
        turn: Degrees, shape (n,).
        shift: cm, shape (n, 3).
        turn_rate: Degrees/s, shape (n,).
        shift_rate: cm/s, shape (n, 3).
        pivot: The points that records are turned about.
        follows: The pivot is the actor itself: its velocity is not turned.
    """

    first: int | None
    turn: FloatArray
    shift: FloatArray
    turn_rate: FloatArray
    shift_rate: FloatArray
    pivot: Pivot
    follows: bool = False

    def pose(self, poses: FloatArray, frames: IntArray, lives: IntArray) -> FloatArray:
        """Return moved poses; see `MotionChange.pose`."""
        entries = self._entries(frames)
        moved = poses.copy()
        turn = self.turn[entries]
        turned = turn != 0.0
        if turned.any():
            x, y = self.pivot(frames, lives).T
            dx, dy = rotated(poses[:, 0] - x, poses[:, 1] - y, turn)
            moved[:, 0] = np.where(turned, x + dx, poses[:, 0])
            moved[:, 1] = np.where(turned, y + dy, poses[:, 1])
            moved[:, 5] = np.where(turned, wrapped(poses[:, 5] + turn), poses[:, 5])
        moved[:, :3] += self.shift[entries]
        return moved

    def velocity(self, velocities: FloatArray, frames: IntArray, lives: IntArray, places: FloatArray) -> FloatArray:
        """Return velocities that are turned with the path, plus that of the change; see `MotionChange.velocity`."""
        entries = self._entries(frames)
        moved = velocities.copy()
        turn = self.turn[entries]
        rate = self.turn_rate[entries]
        turned = turn != 0.0
        if turned.any():
            if not self.follows:
                _turn_columns(moved, velocities, turn, turned, 0)
            _turn_columns(moved, velocities, turn, turned, 3)
        turning = rate != 0.0
        if turning.any():
            x, y = self.pivot(frames, lives).T
            dx, dy = rotated(places[:, 0] - x, places[:, 1] - y, turn)
            angle = np.radians(rate)
            moved[:, 0] += np.where(turning, -angle * dy / CM, 0.0)
            moved[:, 1] += np.where(turning, angle * dx / CM, 0.0)
            moved[:, 5] += rate
        moved[:, :3] += self.shift_rate[entries] / CM
        return moved

    def _entries(self, frames: IntArray) -> IntArray:
        """Return the index of the entry of each frame."""
        if self.first is None:
            return np.zeros_like(frames)
        return frames - self.first


def _turn_columns(moved: FloatArray, velocities: FloatArray, turn: FloatArray, turned: BoolArray, column: int) -> None:
    """Turn the vectors on the ground in `column` and the one after it where `turned`."""
    x, y = rotated(velocities[:, column], velocities[:, column + 1], turn)
    moved[:, column] = np.where(turned, x, velocities[:, column])
    moved[:, column + 1] = np.where(turned, y, velocities[:, column + 1])


def rotated(x: FloatArray, y: FloatArray, degrees: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return vectors on the ground that are turned by angles from X towards Y."""
    angle = np.radians(degrees)
    cos = np.cos(angle)
    sin = np.sin(angle)
    return x * cos - y * sin, x * sin + y * cos


def wrapped(degrees: FloatArray) -> FloatArray:
    """Return degrees wrapped to -180 to 180."""
    turned = np.asarray(degrees + 180.0)
    is_out = (turned < 0.0) | (turned >= 360.0)  # few are; the remainder takes long
    np.remainder(turned, 360.0, out=turned, where=is_out)
    return np.asarray(turned - 180.0)


def eased(times: FloatArray, ease_in: float, ease_out: float) -> tuple[FloatArray, FloatArray]:
    """Return the weight of a change at each time, by 3u² - 2u³.

    Args:
        times: Seconds, rising, shape (n,).
        ease_in: Seconds from the first time on within which the weight rises from 0.
        ease_out: Seconds before the last time within which the weight falls to 0.

    Returns:
        The weights, 0 to 1, and their rates (1/s), shape (n,) each.
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
            rate = rate * part + weight * growth
            weight = weight * part
    return weight, rate
