"""Places in the simulator's axes: what is attached goes along rigidly, what is between two frames is interpolated.

Left-handed, X forward, Y right, Z up; a pose is location (cm) and rotation (roll, pitch, yaw, degrees) as float64[6]
(format reference, section 1). Written for the replay model alone, so that what it judges has no part in it.
"""

import math

import numpy as np
import numpy.typing as npt

Pose = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]


def numbers(stored: bytes) -> Pose:
    """A stored pose (24 bytes, 48 in UE5) as float64[6]."""
    with np.errstate(invalid="ignore"):
        return np.frombuffer(stored, "<f4" if len(stored) == 24 else "<f8").astype(np.float64)


def rotation(pose: Pose) -> Matrix:
    """The axes of what stands like this as rows, float64[3, 3]: a local vector times it is the same in the world."""
    if not np.isfinite(pose[3:]).all():
        return np.full((3, 3), np.nan)
    (sr, cr), (sp, cp), (sy, cy) = ((math.sin(angle), math.cos(angle)) for angle in np.radians(pose[3:]).tolist())
    roll = np.array(((1.0, 0.0, 0.0), (0.0, cr, -sr), (0.0, sr, cr)))
    pitch = np.array(((cp, 0.0, sp), (0.0, 1.0, 0.0), (-sp, 0.0, cp)))
    yaw = np.array(((cy, sy, 0.0), (-sy, cy, 0.0), (0.0, 0.0, 1.0)))
    turned: Matrix = roll @ pitch @ yaw
    return turned


def angles(axes: Matrix) -> npt.NDArray[np.float64]:
    """Roll, pitch and yaw, degrees, of axes given as rows."""
    pitch = np.arctan2(axes[0, 2], np.hypot(axes[0, 0], axes[0, 1]))
    yaw = np.arctan2(axes[0, 1], axes[0, 0])
    # What is left after yaw and pitch are undone is a roll about X.
    upright = rotation(np.degrees(np.array((0, 0, 0, 0, pitch, yaw))))
    left = axes @ upright.T
    turned: npt.NDArray[np.float64] = np.degrees(np.array((np.arctan2(-left[1, 2], left[1, 1]), pitch, yaw)))
    return turned


def carried(child: Pose, parent: Pose, parent_now: Pose) -> Pose:
    """Where a child is that stood at `child` when it was attached to a parent at `parent`, which is elsewhere now."""
    if np.array_equal(parent, parent_now, equal_nan=True):
        return child
    with np.errstate(invalid="ignore"):
        before, after = rotation(parent), rotation(parent_now)
        moved = (child[:3] - parent[:3]) @ before.T @ after + parent_now[:3]
        return np.concatenate((moved, angles(rotation(child) @ before.T @ after)))


def composed(parent: Pose, offset: Pose) -> Pose:
    """Where a child is that stands at `offset` in the axes of its parent; the offset itself under a parent at zero."""
    if not parent.any():
        return offset
    with np.errstate(invalid="ignore"):
        axes = rotation(parent)
        return np.concatenate((offset[:3] @ axes + parent[:3], angles(rotation(offset) @ axes)))


def relative(parent: Pose, child: Pose) -> Pose:
    """The place of a child in the axes of its parent: what `composed` undoes."""
    if not parent.any():
        return child
    with np.errstate(invalid="ignore"):
        back = rotation(parent).T
        return np.concatenate(((child[:3] - parent[:3]) @ back, angles(rotation(child) @ back)))


def between(previous: Pose, current: Pose, share: float) -> Pose:
    """The way from one pose to the next, `share` of it gone; rotations take the short way round (reference 6.3)."""
    with np.errstate(all="ignore"):
        way = current - previous
        way[3:] -= 360.0 * np.round(way[3:] / 360.0)
        gone: Pose = previous + way * share
    return gone


def distance(a: Pose, b: Pose) -> tuple[float, float]:
    """How far two poses lie apart, in cm and in degrees: (0, 0) where the same numbers are not numbers in both."""
    if np.array_equal(a, b, equal_nan=True):
        return 0.0, 0.0
    with np.errstate(invalid="ignore"):
        turn = rotation(a) @ rotation(b).T
        axis = np.array((turn[1, 2] - turn[2, 1], turn[2, 0] - turn[0, 2], turn[0, 1] - turn[1, 0]))
        angle = np.degrees(np.arctan2(np.linalg.norm(axis), np.trace(turn) - 1.0))
        return float(np.linalg.norm(a[:3] - b[:3])), float(angle)
