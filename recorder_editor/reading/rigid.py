"""Rigid transforms in the simulator's axes, for attached actors.

Left-handed axes, X forward, Y right, Z up; rotations are degrees of roll, pitch and yaw (format reference, section 1).
Knows no recording.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray

Pose = FloatArray
"""Location (cm) and rotation (roll, pitch, yaw, degrees): float64[6]."""

Axes = FloatArray
"""A rotation matrix: the X, Y and Z axes in the world as columns, float64[3, 3]."""


class Ghost(NamedTuple):
    """An actor elsewhere.

    Attributes:
        actor: The id.
        dx: Metres that it is shifted by along x.
        dy: Metres along y.
        turn: Degrees that it is turned by.
        dz: Metres along z.
    """

    actor: int
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0
    dz: float = 0.0


def carried(pose: Pose, then: Pose, now: Pose) -> Pose:
    """Return the new pose of a child when its parent moves.

    Bit-identical if the parent did not move; its rotation is bit-identical if the parent did not turn.

    Args:
        pose: The pose of the child.
        then: The pose of the parent at that time.
        now: The pose that the parent moves to.
    """
    if then.tobytes() == now.tobytes():
        return pose
    with np.errstate(all="ignore"):
        if then[3:].tobytes() == now[3:].tobytes():
            return np.concatenate((pose[:3] - then[:3] + now[:3], pose[3:]))
        turn = axes_of(now) @ axes_of(then).T
        return np.concatenate((turn @ (pose[:3] - then[:3]) + now[:3], _angles(turn @ axes_of(pose))))


def composed(parent: Pose, offset: Pose) -> Pose:
    """Return the world pose of an offset in the axes of its parent.

    Bit-identical to the offset if all values of the parent are 0; if one of the two has no rotation, the rotation is
    that of the other.

    Args:
        parent: The pose of the parent in the world.
        offset: The offset from it.
    """
    if not parent.any():
        return offset
    with np.errstate(all="ignore"):
        if not parent[3:].any():
            return np.concatenate((parent[:3] + offset[:3], offset[3:]))
        axes = axes_of(parent)
        if offset[3:].any():
            angles = _angles(axes @ axes_of(offset))
        else:
            angles = parent[3:]
        return np.concatenate((parent[:3] + axes @ offset[:3], angles))


def relative(parent: Pose, pose: Pose) -> Pose:
    """Return the offset of a world pose in the axes of its parent; the inverse of `composed`.

    Args:
        parent: The pose of the parent in the world.
        pose: The pose of the child in the world.
    """
    if not parent.any():
        return pose
    with np.errstate(all="ignore"):
        if not parent[3:].any():
            return np.concatenate((pose[:3] - parent[:3], pose[3:]))
        axes = axes_of(parent).T
        return np.concatenate((axes @ (pose[:3] - parent[:3]), _angles(axes @ axes_of(pose))))


def are_offsets(spawns: Sequence[Pose], parents: Sequence[Pose]) -> bool:
    """Whether the spawn positions of attached actors are offsets from their parents instead of world positions.

    The smaller sum of lengths decides: an offset is short wherever the parent is, and the world position of a child is
    near its parent's. No data or a tie means offsets, as simulators read them; positions that are not finite are
    ignored.

    Args:
        spawns: The poses of the EventAdds of some actors.
        parents: The pose of the parent of each.
    """
    with np.errstate(all="ignore"):
        positions = np.array(spawns, np.float64).reshape(-1, 6)[:, :3]
        parent_positions = np.array(parents, np.float64).reshape(-1, 6)[:, :3]
        lengths = np.linalg.norm((positions, positions - parent_positions), axis=2)
        # Sorted, so that the sum does not depend on their order.
        as_offsets, in_world = np.sort(lengths[:, np.isfinite(lengths).all(axis=0)]).sum(axis=1)
        return bool(as_offsets <= in_world)


def axes_of(pose: Pose) -> Axes:
    """Return the rotation matrix of a pose; NaN for an angle that is not finite."""
    with np.errstate(all="ignore"):
        angles = np.radians(pose[3:])
        sr, sp, sy = np.sin(angles)
        cr, cp, cy = np.cos(angles)
        forward = (cp * cy, cp * sy, sp)
        right = (sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp)
        up = (-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp)
        return np.array((forward, right, up)).T


def _angles(axes: Axes) -> FloatArray:
    """Return roll, pitch and yaw of axes."""
    forward, right, up = axes.T
    pitch = np.arctan2(forward[2], np.hypot(forward[0], forward[1]))
    yaw = np.arctan2(forward[1], forward[0])
    level = np.array((-np.sin(yaw), np.cos(yaw), 0.0))
    roll = np.arctan2(up @ level, right @ level)
    return np.asarray(np.degrees(np.array((roll, pitch, yaw))))
