"""Mirroring paths over a line on the ground.

Steering, wheels and blinkers are mirrored, too; doors and skeletons are not.
"""

import math
from collections.abc import Sequence

import numpy as np

from ...arrays import AnyArray, FloatArray, IntArray
from ...progress import SILENT, Progress
from ...reading import Life
from ...recording import Bytes, Edit, RecordingLike
from ...recording.blocks import as_bytes
from ...texts import N_
from ..records import SelectedRecords, elements_of
from .motion import CM, need_measures, wrapped
from .moved_actors import MovedActors

_RIGHT = 0x10
_LEFT = 0x20


def mirror_path(
    recording: RecordingLike,
    lives: Sequence[Life],
    frames: range | None,
    point: tuple[float, float],
    angle: float,
    *,
    progress: Progress = SILENT,
) -> Edit:
    """The edit that mirrors paths over the line through `point` (x, y, m) that runs at `angle` (degrees, as a yaw).

    Location, yaw and roll; velocities; steering, wheel angles (left and right are swapped), blinkers. A range with the
    EventAdd mirrors that, too; actors without Position are mirrored by the EventAdd alone; attached actors with a
    Position are mirrored, too. If a range ends within a life, the path jumps there. Raises `EditError` for traffic
    actors and if nothing would change.
    """
    snapshot = recording.snapshot
    need_measures(N_("A line to mirror at is a point in metres and an angle in degrees."), *point, angle)
    mirror = _Mirror(point[0] * CM, point[1] * CM, angle)
    bits = {"AnimVehicle": _steered, "VehicleLight": _blinking, "AnimVehicleWheels": _turned}
    moved = MovedActors(snapshot, lives, frames)
    return moved.edit("mirror_path", N_("Mirror {actors}"), mirror, progress, bits=bits, point=list(point), angle=angle)


class _Mirror:
    """A reflection over a line on the ground."""

    def __init__(self, x: float, y: float, angle: float) -> None:
        self._x = x
        self._y = y
        self._angle = angle
        self._cos = math.cos(math.radians(2 * angle))
        self._sin = math.sin(math.radians(2 * angle))
        # Exact along an axis: the sine of half a turn is 1e-16 otherwise.
        if (2 * angle) % 90.0 == 0.0:
            self._cos, self._sin = float(round(self._cos)), float(round(self._sin))

    def _over(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self._cos * x + self._sin * y, self._sin * x - self._cos * y

    def pose(self, poses: FloatArray, frames: IntArray, lives: IntArray) -> FloatArray:
        """Mirrored locations, headings and rolls."""
        made = poses.copy()
        x, y = self._over(poses[:, 0] - self._x, poses[:, 1] - self._y)
        made[:, 0], made[:, 1] = self._x + x, self._y + y
        made[:, 3], made[:, 5] = -poses[:, 3], wrapped(2 * self._angle - poses[:, 5])
        return made

    def velocity(self, velocities: FloatArray, frames: IntArray, lives: IntArray, places: FloatArray) -> FloatArray:
        """Mirrored velocities; angular ones are pseudovectors and change their sense."""
        made = velocities.copy()
        made[:, 0], made[:, 1] = self._over(velocities[:, 0], velocities[:, 1])
        x, y = self._over(velocities[:, 3], velocities[:, 4])
        made[:, 3], made[:, 4], made[:, 5] = -x, -y, -velocities[:, 5]
        return made


def _steered(found: SelectedRecords) -> Bytes:
    """Records of AnimVehicle with steering negated."""
    made = found.values.copy()
    place = found.place("steering")
    made[:, place] = _negated(found.column("steering")).view(np.uint8).reshape(len(made), -1)
    return made


def _negated(numbers: AnyArray) -> AnyArray:
    """Floats of 32 bits, negated; zeros and NaNs do not change."""
    bits = np.ascontiguousarray(numbers).view("<u4").copy()
    size = bits & np.uint32(0x7FFFFFFF)
    bits[(size != 0) & (size <= 0x7F800000)] ^= np.uint32(0x80000000)
    return bits.view("<f4")


def _blinking(found: SelectedRecords) -> Bytes:
    """Records of VehicleLight with left and right blinkers swapped."""
    made = found.values.copy()
    lights = found.column("lights")
    right, left = (lights.dtype.type(each) for each in (_RIGHT, _LEFT))
    swapped = (lights & ~(right | left)) | ((lights & right) << 1) | ((lights & left) >> 1)
    made[:, found.place("lights")] = as_bytes(swapped.astype(lights.dtype))
    return made


def _turned(found: SelectedRecords) -> Bytes:
    """Mirrored records of AnimVehicleWheels of one length; two wheels are those of a bicycle."""
    made = found.values.copy()
    place, wheels = elements_of(found.kind, made, "wheels")
    count = wheels.shape[1]
    if count < 2:
        return made
    wheels["steering"] = _negated(wheels["steering"])
    if count > 2:
        # Front left is 0, front right 1, and so on in pairs.
        before = wheels["location"].copy()
        other = before ^ np.uint8(1)
        partner = (other[:, :, None] == before[:, None, :]).argmax(axis=2)
        paired = (other[:, :, None] == before[:, None, :]).any(axis=2)
        partner = np.where(paired, partner, np.arange(count))
        wheels = np.take_along_axis(wheels, partner, axis=1)
        wheels["location"] = before
    made[:, place] = wheels.view(np.uint8)
    return made
