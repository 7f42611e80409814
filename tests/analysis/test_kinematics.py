"""Distances driven and smoothed speeds, against numbers worked out by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.signal import savgol_filter

from recorder_editor.analysis import Options
from recorder_editor.analysis.kinematics import find_runs, interpolate, resample, smooth_speed
from recorder_editor.analysis.steps import Setting, unify

STEP = 0.04
RAW = ("x_raw", "y_raw", "width", "height", "xVelocity", "xAcceleration", "drivingDirection")


def one_run(length: int) -> np.ndarray:
    return np.zeros(1, np.int64)


def unify_axes(*columns: np.ndarray) -> SimpleNamespace:
    return SimpleNamespace(**unify(dict(zip(RAW, columns, strict=True)), Setting(STEP, Options())))


def test_both_directions_drive_forward() -> None:
    """Two cars, 4 m long, at x = 10 m: one drives to -x at 30 m/s, the other to +x; the road ends at 102 m."""
    x = np.array([10.0, 10.0, 100.0])
    made = unify_axes(
        x,
        np.array([8.0, 30.0, 30.0]),
        np.full(3, 4.0),
        np.full(3, 2.0),
        np.array([-30.0, 30.0, 25.0]),
        np.array([1.0, 1.0, -2.0]),
        np.array([1, 2, 2]),
    )
    assert made.s_long.tolist() == [90.0, 12.0, 102.0]
    assert made.d_lat.tolist() == [9.0, 31.0, 31.0]
    assert made.v_long_raw.tolist() == [30.0, 30.0, 25.0]
    assert made.a_long_raw.tolist() == [-1.0, 1.0, -2.0]


def test_a_drive_and_its_mirror_image_are_the_same_drive() -> None:
    time = np.arange(50) * STEP
    x = 10.0 + 30.0 * time - 1.5 * time**2
    speed, pull = 30.0 - 3.0 * time, np.full(50, -3.0)
    width, height, y = np.full(50, 4.5), np.full(50, 1.8), np.full(50, 20.0)
    lower = unify_axes(x, y, width, height, speed, pull, np.full(50, 2))
    upper = unify_axes(400.0 - x - width, y, width, height, -speed, -pull, np.full(50, 1))
    np.testing.assert_allclose(np.diff(upper.s_long), np.diff(lower.s_long), atol=1e-12)
    np.testing.assert_array_equal(upper.v_long_raw, lower.v_long_raw)
    np.testing.assert_array_equal(upper.a_long_raw, lower.a_long_raw)


def test_runs_end_at_tracks_and_at_missing_frames() -> None:
    track = np.array([1, 1, 1, 2, 2, 2, 3])
    frame = np.array([5, 6, 7, 8, 10, 11, 12])
    assert find_runs(track, frame).tolist() == [0, 3, 4, 6]
    assert find_runs(track[:0], frame[:0]).tolist() == []


def test_the_acceleration_of_a_ramp_is_its_slope() -> None:
    """2.5 m/s2 at 25 Hz: 0.1 m/s a row. Without the step the filter would say 0.1."""
    speed = 20.0 + 2.5 * STEP * np.arange(40)
    value, slope = smooth_speed(speed, one_run(40), STEP)
    np.testing.assert_allclose(value, speed, atol=1e-10)
    np.testing.assert_allclose(slope, 2.5, atol=1e-9)


def test_the_middle_of_a_window_is_weighed_as_the_tables_say() -> None:
    """A single 1 among zeros: 59/231 at its row, 54/231 beside (Savitzky and Golay's table, 9 points, cubic)."""
    speed = np.zeros(21)
    speed[10] = 1.0
    value, slope = smooth_speed(speed, one_run(21), 1.0)
    np.testing.assert_allclose(value[10:15] * 231, [59, 54, 39, 14, -21], atol=1e-9)
    np.testing.assert_allclose(slope[10:15] * 1188, [0, -126, -193, -142, 86], atol=1e-9)


@pytest.mark.parametrize(("window", "order"), [(9, 3), (5, 2), (11, 4), (3, 1)])
def test_all_runs_at_once_are_what_the_filter_gives_for_each(window: int, order: int) -> None:
    chance = np.random.default_rng(7)
    lengths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 30, 57, 9, 8, 1]
    speed = chance.normal(25.0, 3.0, sum(lengths))
    starts = np.cumsum([0, *lengths[:-1]])
    value, slope = smooth_speed(speed, starts, STEP, window, order)
    for start, length in zip(starts.tolist(), lengths, strict=True):
        own = speed[start : start + length]
        size = min(window, length if length % 2 else length - 1)
        if length >= min(window, order + 2):
            expected = savgol_filter(own, size, order), savgol_filter(own, size, order, deriv=1, delta=STEP)
        else:
            expected = own, np.gradient(own, STEP) if length > 1 else np.array([np.nan])
        np.testing.assert_allclose(value[start : start + length], expected[0], rtol=1e-10)
        np.testing.assert_allclose(slope[start : start + length], expected[1], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("length", range(1, 11))
def test_short_tracks_keep_what_they_can(length: int) -> None:
    """1 row has no acceleration, 2 to 4 the gradient, 5 and more a smaller window: 5, 5, 7, 7, 9, 9."""
    speed = 20.0 + 0.5 * np.arange(length)
    value, slope = smooth_speed(speed, one_run(length), STEP)
    np.testing.assert_allclose(value, speed, atol=1e-10)
    if length == 1:
        assert np.isnan(slope).all()
    else:
        np.testing.assert_allclose(slope, 12.5, atol=1e-9)


def test_four_rows_are_not_smoothed_and_five_are() -> None:
    jagged = np.array([10.0, 12.0, 10.0, 12.0, 10.0])
    short, long = smooth_speed(jagged[:4], one_run(4), STEP), smooth_speed(jagged, one_run(5), STEP)
    assert short[0].tolist() == jagged[:4].tolist()
    assert short[1].tolist() == [50.0, 0.0, 0.0, 50.0]
    # A cubic through five points, in the middle: (-3, 12, 17, 12, -3) / 35.
    assert long[0][2] == pytest.approx((-3 * 10 + 12 * 12 + 17 * 10 + 12 * 12 - 3 * 10) / 35)


def test_a_gap_is_not_smoothed_over() -> None:
    speed = np.concatenate([np.full(12, 10.0), np.full(12, 30.0)])
    value, slope = smooth_speed(speed, np.array([0, 12]), STEP)
    np.testing.assert_allclose(value, speed, atol=1e-10)
    np.testing.assert_allclose(slope, 0.0, atol=1e-9)


def test_uneven_times_become_even_ones() -> None:
    """Two runs: 0, 1, 3 s and a single row at 7 s, in steps of 1 s."""
    time = np.array([0.0, 1.0, 3.0, 7.0])
    value = np.array([0.0, 10.0, 30.0, 5.0])
    even, firsts, times = resample(time, value, np.array([0, 3]), 1.0)
    assert even.tolist() == [0.0, 10.0, 20.0, 30.0, 5.0]
    assert firsts.tolist() == [0, 4]
    assert times.tolist() == [0.0, 1.0, 2.0, 3.0, 7.0]
    back = interpolate(times, even, firsts, time, np.array([0, 3]))
    np.testing.assert_allclose(back, value)


def test_values_beyond_the_ends_of_a_run_are_those_of_its_ends() -> None:
    time, value = np.array([0.0, 1.0, 0.0, 1.0]), np.array([1.0, 2.0, 30.0, 40.0])
    wanted = np.array([-1.0, 0.5, 5.0, -2.0, 0.25, 1.5])
    found = interpolate(time, value, np.array([0, 2]), wanted, np.array([0, 3]))
    assert found.tolist() == [1.0, 1.5, 2.0, 30.0, 32.5, 40.0]


@pytest.mark.parametrize("length", [6, 12])
def test_a_run_with_a_speed_that_is_no_number_stays_as_it_is(length: int) -> None:
    speed = np.linspace(0.0, 3.0, 12 + length)
    speed[12 + length // 2] = np.inf
    value, slope = smooth_speed(speed, np.array([0, 12]), STEP)
    alone = smooth_speed(speed[:12], one_run(12), STEP)
    np.testing.assert_allclose((value[:12], slope[:12]), alone, atol=1e-12)
    np.testing.assert_array_equal(value[12:], speed[12:])
    assert np.isnan(slope[12:]).all()
