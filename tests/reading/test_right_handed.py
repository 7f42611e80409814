"""Poses in right-handed axes: signs, points of boxes, and the way back."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor.arrays import FloatArray, StructuredArray
from recorder_editor.reading.right_handed import Poses, centre_poses, points_at, recorded_poses, right_handed
from recorder_editor.reading.rigid import axes_of

PLACED = np.dtype([(name, "f4") for name in ("x", "y", "z", "roll", "pitch", "yaw")])
MIRROR = np.diag((1.0, -1.0, 1.0))

ANGLES = st.floats(-180, 180, width=32)
PLACES = st.floats(-1e5, 1e5, width=32)  # cm
OFFSETS = st.tuples(*[st.floats(-3, 3)] * 3)  # m


def placed(
    x: float = 0, y: float = 0, z: float = 0, roll: float = 0, pitch: float = 0, yaw: float = 0
) -> StructuredArray:
    return np.array([(x, y, z, roll, pitch, yaw)], PLACED)


def turned(yaw: float, pitch: float, roll: float) -> FloatArray:
    """The rotation by yaw, pitch, roll about the axes that it turned, each by the right-hand rule."""
    cy, sy, cp, sp, cr, sr = (f(angle) for angle in (yaw, pitch, roll) for f in (math.cos, math.sin))
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    return about_z @ about_y @ about_x


def place_of(poses: Poses) -> FloatArray:
    return np.concatenate((poses.x, poses.y, poses.z))


def rotation_of(poses: Poses) -> FloatArray:
    return turned(float(poses.yaw[0]), float(poses.pitch[0]), float(poses.roll[0]))


@pytest.mark.parametrize(
    ("recorded", "yaw", "pitch", "roll"),
    [
        ({"yaw": 90}, -math.pi / 2, 0, 0),
        ({"yaw": -90}, math.pi / 2, 0, 0),
        ({"pitch": 10}, 0, -math.radians(10), 0),
        ({"roll": 10}, 0, 0, math.radians(10)),
        ({"yaw": 270}, math.pi / 2, 0, 0),
        ({"yaw": -720}, 0, 0, 0),
    ],
)
def test_signs(recorded: dict[str, float], yaw: float, pitch: float, roll: float) -> None:
    poses = right_handed(recorded_poses(placed(**recorded)))
    assert (poses.yaw[0], poses.pitch[0], poses.roll[0]) == pytest.approx((yaw, pitch, roll))


def test_what_is_to_the_right_has_a_negative_y_and_no_0_a_minus() -> None:
    poses = right_handed(recorded_poses(placed(x=100, y=200, z=50)))
    assert (poses.x[0], poses.y[0], poses.z[0]) == (1, -2, 0.5)
    for number in right_handed(recorded_poses(placed())):
        assert not np.signbit(number).any()


@given(ANGLES, ANGLES, ANGLES)
def test_a_rotation_is_the_mirrored_one(roll: float, pitch: float, yaw: float) -> None:
    pose = placed(roll=roll, pitch=pitch, yaw=yaw)
    mirrored = MIRROR @ axes_of(np.array((0, 0, 0, roll, pitch, yaw), np.float64)) @ MIRROR
    np.testing.assert_allclose(rotation_of(right_handed(recorded_poses(pose))), mirrored, atol=1e-12)


@given(PLACES, PLACES, PLACES, ANGLES, ANGLES, ANGLES, OFFSETS)
def test_from_the_centre_of_a_box_the_way_leads_back(
    x: float, y: float, z: float, roll: float, pitch: float, yaw: float, centre: Sequence[float]
) -> None:
    recorded = recorded_poses(placed(x, y, z, roll, pitch, yaw))
    box = right_handed(centre_poses(recorded, np.array(centre)[:, None]))
    origin = place_of(box) - rotation_of(box) @ MIRROR @ np.array(centre)
    np.testing.assert_allclose(MIRROR @ origin, np.array((x, y, z)) / 100, atol=2e-6)
    for back, was in zip(right_handed(box)[3:], (yaw, pitch, roll), strict=True):
        assert back[0] == pytest.approx(math.radians(was), abs=1e-12)


@given(ANGLES, ANGLES, ANGLES, OFFSETS)
def test_points_lie_where_the_axes_of_the_pose_have_them(
    roll: float, pitch: float, yaw: float, offset: Sequence[float]
) -> None:
    pose = np.array((100, -200, 300, roll, pitch, yaw), np.float64)
    (x,), (y,), (z,) = points_at(recorded_poses(placed(*pose)), np.array(offset)[:, None])
    np.testing.assert_allclose((x, y, z), axes_of(pose) @ np.array(offset) + (1, -2, 3), atol=2e-6)


def test_what_is_not_finite_stays_unknown() -> None:
    poses = right_handed(centre_poses(recorded_poses(placed(x=np.inf, yaw=np.nan)), np.ones((3, 1))))
    assert not np.isfinite(poses.x).any()
    assert not np.isfinite(poses.yaw).any()
    assert np.isfinite(poses.pitch).all()
