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
    """Return the edit that mirrors paths over a line on the ground.

    Location, yaw and roll are mirrored; velocities; steering, wheel angles (left and right are swapped), blinkers. A
    range with the EventAdd mirrors that, too; actors without Position are mirrored by the EventAdd alone; attached
    actors with a Position are mirrored, too. If a range ends within a life, the path jumps there.

    Args:
        recording: The recording, which is not changed.
        lives: The lives to mirror.
        frames: Frame indices; None: whole lives.
        point: A point of the line (x, y; m).
        angle: The direction of the line, degrees, as a yaw.
        progress: Reports progress and cancels.

    Raises:
        EditError: A life is a traffic actor, or nothing would change.
    """
    snapshot = recording.snapshot
    need_measures(N_("A line to mirror at is a point in metres and an angle in degrees."), *point, angle)
    moved = MovedActors(snapshot, lives, frames)
    return moved.edit(
        "mirror_path",
        N_("Mirror {actors}"),
        _Mirror(point[0] * CM, point[1] * CM, angle),
        progress,
        record_changes={
            "AnimVehicle": _with_mirrored_steering,
            "VehicleLight": _with_swapped_blinkers,
            "AnimVehicleWheels": _with_mirrored_wheels,
        },
        point=list(point),
        angle=angle,
    )


class _Mirror:
    """A reflection over a line on the ground."""

    def __init__(self, x: float, y: float, angle: float) -> None:
        """Keep a line through a point (x, y; cm) that runs at an angle (degrees)."""
        self._x = x
        self._y = y
        self._angle = angle
        self._cos = math.cos(math.radians(2 * angle))
        self._sin = math.sin(math.radians(2 * angle))
        # Exact along an axis: the sine of half a turn is 1e-16 otherwise.
        if (2 * angle) % 90.0 == 0.0:
            self._cos = float(round(self._cos))
            self._sin = float(round(self._sin))

    def _reflect(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Reflect vectors on the ground."""
        return self._cos * x + self._sin * y, self._sin * x - self._cos * y

    def pose(self, poses: FloatArray, frames: IntArray, lives: IntArray) -> FloatArray:
        """Return mirrored locations, headings and rolls."""
        mirrored = poses.copy()
        x, y = self._reflect(poses[:, 0] - self._x, poses[:, 1] - self._y)
        mirrored[:, 0] = self._x + x
        mirrored[:, 1] = self._y + y
        mirrored[:, 3] = -poses[:, 3]
        mirrored[:, 5] = wrapped(2 * self._angle - poses[:, 5])
        return mirrored

    def velocity(self, velocities: FloatArray, frames: IntArray, lives: IntArray, places: FloatArray) -> FloatArray:
        """Return mirrored velocities; angular ones are pseudovectors and change their sense."""
        mirrored = velocities.copy()
        mirrored[:, 0], mirrored[:, 1] = self._reflect(velocities[:, 0], velocities[:, 1])
        x, y = self._reflect(velocities[:, 3], velocities[:, 4])
        mirrored[:, 3] = -x
        mirrored[:, 4] = -y
        mirrored[:, 5] = -velocities[:, 5]
        return mirrored


def _with_mirrored_steering(records: SelectedRecords) -> Bytes:
    """Return records of AnimVehicle with steering negated."""
    values = records.values.copy()
    values[:, records.place("steering")] = as_bytes(_negated(records.column("steering")))
    return values


def _negated(numbers: AnyArray) -> AnyArray:
    """Return floats of 32 bits negated; zeros and NaNs do not change."""
    bits = np.ascontiguousarray(numbers).view("<u4").copy()
    size = bits & np.uint32(0x7FFFFFFF)
    bits[(size != 0) & (size <= 0x7F800000)] ^= np.uint32(0x80000000)
    return bits.view("<f4")


def _with_swapped_blinkers(records: SelectedRecords) -> Bytes:
    """Return records of VehicleLight with left and right blinkers swapped."""
    values = records.values.copy()
    lights = records.column("lights")
    right = lights.dtype.type(_RIGHT)
    left = lights.dtype.type(_LEFT)
    swapped = (lights & ~(right | left)) | ((lights & right) << 1) | ((lights & left) >> 1)
    values[:, records.place("lights")] = as_bytes(swapped.astype(lights.dtype))
    return values


def _with_mirrored_wheels(records: SelectedRecords) -> Bytes:
    """Return mirrored records of AnimVehicleWheels of one length; two wheels are those of a bicycle."""
    values = records.values.copy()
    place, wheels = elements_of(records.kind, values, "wheels")
    count = wheels.shape[1]
    if count < 2:
        return values
    wheels["steering"] = _negated(wheels["steering"])
    if count > 2:
        # Front left is 0, front right 1, and so on in pairs.
        locations = wheels["location"].copy()
        opposite = locations ^ np.uint8(1)
        is_pair = opposite[:, :, None] == locations[:, None, :]
        partner = np.where(is_pair.any(axis=2), is_pair.argmax(axis=2), np.arange(count))
        wheels = np.take_along_axis(wheels, partner, axis=1)
        wheels["location"] = locations
    values[:, place] = wheels.view(np.uint8)
    return values
