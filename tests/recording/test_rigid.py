"""Rigid motion by hand: what hangs on a parent goes along, in the simulator's left-handed axes."""

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor.reading.rigid import Pose, are_offsets, axes_of, carried, composed, relative

ANGLES = st.floats(-180, 180, width=32)
PLACES = st.floats(-1e5, 1e5, width=32)
POSES = st.tuples(PLACES, PLACES, PLACES, ANGLES, ANGLES, ANGLES).map(lambda values: np.array(values, np.float64))


def pose(
    x: float = 0.0, y: float = 0.0, z: float = 0.0, roll: float = 0.0, pitch: float = 0.0, yaw: float = 0.0
) -> Pose:
    return np.array((x, y, z, roll, pitch, yaw), np.float64)


def turned(axes: str, degrees: float) -> npt.NDArray[np.float64]:
    """A turn that takes the first axis towards the second."""
    first, second = ("xyz".index(axis) for axis in axes)
    made = np.eye(3)
    made[first, first] = made[second, second] = math.cos(math.radians(degrees))
    made[second, first] = math.sin(math.radians(degrees))
    made[first, second] = -made[second, first]
    return made


# --- axes -----------------------------------------------------------------------------------------------


def test_someone_who_is_not_turned_looks_along_x() -> None:
    assert axes_of(pose(1, 2, 3)).tolist() == np.eye(3).tolist()


@pytest.mark.parametrize(
    ("angles", "forward", "right", "up"),
    [
        ({"yaw": 90}, (0, 1, 0), (-1, 0, 0), (0, 0, 1)),  # to the right
        ({"pitch": 90}, (0, 0, 1), (0, 1, 0), (-1, 0, 0)),  # the nose up
        ({"roll": 90}, (1, 0, 0), (0, 0, -1), (0, 1, 0)),  # the right side down
        ({"pitch": 90, "yaw": 90}, (0, 0, 1), (-1, 0, 0), (0, -1, 0)),
        ({"roll": 90, "yaw": 90}, (0, 1, 0), (0, 0, -1), (-1, 0, 0)),
    ],
)
def test_axes_of_someone_turned_by_a_quarter(
    angles: dict[str, float], forward: tuple[int, ...], right: tuple[int, ...], up: tuple[int, ...]
) -> None:
    assert np.allclose(axes_of(pose(**angles)).T, (forward, right, up), atol=1e-15)


@given(where=POSES)
def test_roll_comes_before_pitch_and_pitch_before_yaw(where: Pose) -> None:
    roll, pitch, yaw = where[3:].tolist()
    assert np.allclose(axes_of(where), turned("xy", yaw) @ turned("xz", pitch) @ turned("zy", roll), atol=1e-12)


# --- carried ----------------------------------------------------------------------------------------------


def test_a_parent_that_turns_right_takes_what_is_before_it_to_its_right() -> None:
    camera = carried(pose(300, 0, 50), pose(100), pose(100, yaw=90))
    assert np.allclose(camera, pose(100, 200, 50, yaw=90), atol=1e-12)


def test_a_parent_that_pitches_lifts_what_is_before_it() -> None:
    camera = carried(pose(200, 10, 50), pose(), pose(pitch=90))
    assert np.allclose(camera, pose(-50, 10, 200, pitch=90), atol=1e-12)


def test_a_parent_that_rolls_lowers_what_is_at_its_right() -> None:
    camera = carried(pose(200, 10, 50), pose(), pose(roll=90))
    assert np.allclose(camera, pose(200, 50, -10, roll=90), atol=1e-12)


def test_a_turn_of_the_parent_is_about_the_world_s_axes_for_a_child_that_looks_elsewhere() -> None:
    # It looks to the right of a car whose nose rises: what it sees tilts.
    camera = carried(pose(0, 0, 100, yaw=90), pose(), pose(pitch=30))
    assert np.allclose(camera[3:], (30, 0, 90), atol=1e-12)


def test_moving_and_turning_at_once() -> None:
    camera = carried(pose(1000, 1200, 30, yaw=-90), pose(1000, 1000, 20, yaw=-90), pose(-500, 0, 70, yaw=180))
    assert np.allclose(camera[:3], (-300, 0, 80), atol=1e-9)
    assert abs(math.remainder(camera[5] - 180, 360)) < 1e-9


def test_a_parent_that_stays_leaves_every_bit() -> None:
    odd = np.frombuffer(np.array((0x7FF0000000000001, 1 << 63, 3, 4, 5, 6), np.uint64).tobytes(), np.float64)
    parent = pose(1, math.nan, 3, 4, 5, 6)
    assert carried(odd, parent, parent.copy()) is odd


def test_a_parent_that_does_not_turn_leaves_every_bit_of_the_rotation() -> None:
    child = pose(0.1, 0.2, 0.3, math.nan, -0.0, 190.1)
    found = carried(child, pose(1, 2, 3, 4, 5, 6), pose(11, 22, 33, 4, 5, 6))
    assert np.allclose(found[:3], (10.1, 20.2, 30.3))
    assert found[3:].tobytes() == child[3:].tobytes()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("axis", range(6))
def test_what_is_no_number_gives_none_and_no_warning(bad: float, axis: int) -> None:
    parent = pose(10, 20, 30, 1, 2, 3)
    parent[axis] = bad
    found = carried(pose(1, 2, 3), pose(), parent)
    assert not np.isfinite(found).all()


@given(child=POSES, then=POSES, now=POSES)
def test_there_and_back_is_where_it_was(child: Pose, then: Pose, now: Pose) -> None:
    back = carried(carried(child, then, now), now, then)
    assert np.allclose(back[:3], child[:3], atol=1e-6)
    assert np.allclose(axes_of(back), axes_of(child), atol=1e-7)


@given(child=POSES, first=POSES, second=POSES, third=POSES)
def test_two_ways_are_one_way(child: Pose, first: Pose, second: Pose, third: Pose) -> None:
    two, one = carried(carried(child, first, second), second, third), carried(child, first, third)
    assert np.allclose(two[:3], one[:3], atol=1e-6)
    assert np.allclose(axes_of(two), axes_of(one), atol=1e-7)


@given(child=POSES, then=POSES, now=POSES)
def test_it_stays_where_it_was_in_the_axes_of_its_parent(child: Pose, then: Pose, now: Pose) -> None:
    found = carried(child, then, now)
    assert np.allclose(axes_of(now).T @ (found[:3] - now[:3]), axes_of(then).T @ (child[:3] - then[:3]), atol=1e-6)
    assert np.allclose(axes_of(now).T @ axes_of(found), axes_of(then).T @ axes_of(child), atol=1e-7)


# --- offsets ----------------------------------------------------------------------------------------------


def test_what_is_before_a_parent_that_looks_right_is_to_the_right() -> None:
    camera = composed(pose(1000, 500, 10, yaw=90), pose(300, 20, 50, pitch=-15))
    assert np.allclose(camera, pose(980, 800, 60, pitch=-15, yaw=90), atol=1e-12)


def test_what_is_before_a_parent_that_looks_up_is_above_it() -> None:
    camera = composed(pose(1000, pitch=90), pose(300, 20, 50))
    assert np.allclose(camera, pose(950, 20, 300, pitch=90), atol=1e-12)


def test_an_offset_is_turned_in_the_axes_of_its_parent() -> None:
    # It looks to the right of a car whose nose rises: what it sees tilts.
    assert np.allclose(composed(pose(pitch=30), pose(yaw=90)), pose(roll=30, yaw=90), atol=1e-12)


@pytest.mark.parametrize("nothing", [0.0, -0.0])
def test_an_offset_from_a_parent_at_zero_keeps_every_bit(nothing: float) -> None:
    odd = np.frombuffer(np.array((0x7FF0000000000001, 1 << 63, 3, 4, 5, 6), np.uint64).tobytes(), np.float64)
    zero = np.full(6, nothing)
    assert composed(zero, odd) is odd
    assert relative(zero, odd) is odd


def test_of_two_rotations_of_which_one_is_none_the_other_keeps_every_bit() -> None:
    child, parent = pose(0.1, 0.2, 0.3, math.nan, -0.0, 190.1), pose(1, 2, 3)
    assert composed(parent, child)[3:].tobytes() == child[3:].tobytes()
    assert relative(parent, child)[3:].tobytes() == child[3:].tobytes()
    assert np.allclose(composed(parent, child)[:3], (1.1, 2.2, 3.3))
    assert composed(child, parent)[3:].tobytes() == child[3:].tobytes()


@given(parent=POSES, offset=POSES)
def test_an_offset_is_where_it_stands_in_the_axes_of_its_parent(parent: Pose, offset: Pose) -> None:
    found = composed(parent, offset)
    assert np.allclose(axes_of(parent).T @ (found[:3] - parent[:3]), offset[:3], atol=1e-6)
    assert np.allclose(axes_of(parent).T @ axes_of(found), axes_of(offset), atol=1e-7)


@given(parent=POSES, child=POSES)
def test_an_offset_that_is_taken_and_put_back_is_where_it_was(parent: Pose, child: Pose) -> None:
    back = composed(parent, relative(parent, child))
    assert np.allclose(back[:3], child[:3], atol=1e-6)
    assert np.allclose(axes_of(back), axes_of(child), atol=1e-7)


@given(offset=POSES, then=POSES, now=POSES)
def test_who_stands_at_an_offset_is_carried(offset: Pose, then: Pose, now: Pose) -> None:
    one, other = carried(composed(then, offset), then, now), composed(now, offset)
    assert np.allclose(one[:3], other[:3], atol=1e-6)
    assert np.allclose(axes_of(one), axes_of(other), atol=1e-7)


@pytest.mark.parametrize(
    ("spawns", "parents", "expected"),
    [
        ([pose(-550, 0, 280)], [pose(-14517, -60)], True),
        ([pose(-15067, -60, 280)], [pose(-14517, -60)], False),
        ([pose(-550, 0, 280)], [pose(0, 0, 0)], True),  # a tie
        ([pose(1)], [pose(2)], True),
        ([], [], True),
        ([pose(), pose(100)], [pose(5000), pose(90)], True),  # together they say so, one alone would not
        ([pose(math.nan), pose(100)], [pose(5000), pose(5000)], True),
        ([pose(100), pose(100)], [pose(math.inf), pose(5000)], True),
        ([pose(100)], [pose(math.nan)], True),
        ([pose(1e308, 1e308)], [pose(-1e308, 1e308)], True),
        ([pose(100, yaw=math.nan)], [pose(5000, roll=math.nan)], True),
    ],
)
def test_places_of_birth_are_offsets_where_that_makes_them_shorter(
    spawns: list[Pose], parents: list[Pose], expected: bool
) -> None:
    assert are_offsets(spawns, parents) is expected
