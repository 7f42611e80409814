"""Poses of boxes in metres and radians, in the simulator's axes and in those of OpenDRIVE and ASAM OSI.

The simulator has left-handed axes: x forward, y to the right, z up; yaw clockwise from above, pitch nose up, roll right
side down (format reference, section 1). OpenDRIVE, OSI and ISO 8855 have right-handed ones: x forward, y to the left, z
up, and a rotation is yaw, then pitch, then roll about the axes that it turned, each by the right-hand rule: yaw
counter-clockwise from above, pitch nose down, roll right side down. So x, z and roll are as recorded, and y, yaw and
pitch are negative.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import AnyArray, FloatArray, StructuredArray


class Poses(NamedTuple):
    """Poses; each is an array float64[n], NaN where it is unknown.

    Attributes:
        x: m, world.
        y: m, world.
        z: m, world.
        yaw: Radians, -π to π.
        pitch: Radians, -π to π.
        roll: Radians, -π to π.
    """

    x: FloatArray
    y: FloatArray
    z: FloatArray
    yaw: FloatArray
    pitch: FloatArray
    roll: FloatArray


def recorded_poses(placed: StructuredArray) -> Poses:
    """Return the poses of a table of positions in the simulator's axes.

    Args:
        placed: A table of `Tracks.positions`.
    """
    return Poses(
        x=_metres(placed["x"]),
        y=_metres(placed["y"]),
        z=_metres(placed["z"]),
        yaw=_radians(placed["yaw"]),
        pitch=_radians(placed["pitch"]),
        roll=_radians(placed["roll"]),
    )


def points_at(poses: Poses, offsets: FloatArray) -> FloatArray:
    """Return points in the world that are given in the axes of poses, all in the simulator's axes.

    Args:
        poses: In the simulator's axes.
        offsets: x, y, z of each point: m, float64[3, n].

    Returns:
        x, y, z in the world, m, float64[3, n].
    """
    forward, right, up = offsets
    with np.errstate(invalid="ignore", over="ignore"):
        cos_yaw, sin_yaw = _cos_and_sin(poses.yaw)
        cos_pitch, sin_pitch = _cos_and_sin(poses.pitch)
        cos_roll, sin_roll = _cos_and_sin(poses.roll)
        # Roll, then pitch, then yaw, about axes of the world.
        side = right * cos_roll + up * sin_roll
        above = up * cos_roll - right * sin_roll
        ahead = forward * cos_pitch - above * sin_pitch
        points = np.empty((3, len(poses.x)))
        points[0] = poses.x + ahead * cos_yaw - side * sin_yaw
        points[1] = poses.y + ahead * sin_yaw + side * cos_yaw
        points[2] = poses.z + forward * sin_pitch + above * cos_pitch
    return points


def centre_poses(poses: Poses, centres: FloatArray) -> Poses:
    """Return the poses of the centres of boxes, in the simulator's axes.

    Args:
        poses: Those of the actors, in the simulator's axes.
        centres: The centre of each box in the axes of its actor: m, float64[3, n].
    """
    x, y, z = points_at(poses, centres)
    return poses._replace(x=x, y=y, z=z)


def right_handed(poses: Poses) -> Poses:
    """Return poses of the simulator's axes in those of OpenDRIVE, or the other way round."""
    return poses._replace(y=mirrored(poses.y), yaw=mirrored(poses.yaw), pitch=mirrored(poses.pitch))


def mirrored(values: AnyArray) -> FloatArray:
    """Return values with the other sign, as y has it in the other axes: float64[n]; 0 stays a 0 without a minus."""
    return np.asarray(0.0 - values)


def _cos_and_sin(angles: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return cosine and sine in single precision, which is ten times as fast.

    They are wrong by less than 1e-7 each: at the far end of a bus by 2 µm, which is less than positions of single
    precision tell.
    """
    singles = angles.astype(np.float32)
    return np.cos(singles).astype(np.float64), np.sin(singles).astype(np.float64)


def _metres(centimetres: AnyArray) -> FloatArray:
    with np.errstate(invalid="ignore"):  # a file may hold signalling NaN
        return np.asarray(centimetres.astype(np.float64) / 100)


def _radians(degrees: AnyArray) -> FloatArray:
    """Return angles of -π to π."""
    with np.errstate(invalid="ignore"):
        angles = degrees.astype(np.float64)
        return np.asarray(np.radians(angles - 360 * np.round(angles / 360)))
