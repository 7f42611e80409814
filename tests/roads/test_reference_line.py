"""Every kind of geometry against what is computed by hand, or integrated in small steps."""

import math

import numpy as np
import pytest

from recorder_editor.roads import RoadMap, read_road_map

from .builders import arc, geometry, lane, opendrive, param_poly3, poly3, road, section, spiral

THIN = section(right=[lane(-1, widths=((0.0, 0.0),))])
"""A lane of no width: its centre is the reference line."""


def one_road(*parts: str, length: float) -> RoadMap:
    return read_road_map(opendrive(road(1, length, "".join(parts), THIN)))


def place(found: RoadMap, s: float) -> tuple[float, float, float]:
    """x, y and heading in the file's coordinates."""
    point = found.waypoint(1, -1, s)
    assert point["lane"] == 0
    return float(point["x"]), -float(point["y"]), -float(point["heading_deg"])


def test_a_line() -> None:
    found = one_road(geometry(length=50.0, x=3.0, y=-4.0, heading=math.radians(30)), length=50.0)
    assert place(found, 0.0) == pytest.approx((3.0, -4.0, 30.0))
    assert place(found, 40.0) == pytest.approx((3.0 + 40 * math.cos(math.pi / 6), 16.0, 30.0))


@pytest.mark.parametrize("curvature", [0.1, -0.1, 1e-12, -1e-9])
def test_an_arc(curvature: float) -> None:
    found = one_road(geometry(arc(curvature), 20.0), length=20.0)
    for s in (0.0, 1.0, 13.0, 20.0):
        turn = curvature * s
        chord = s * (math.sin(turn / 2) / (turn / 2) if turn else 1.0)
        expected = chord * math.cos(turn / 2), chord * math.sin(turn / 2), math.degrees(turn)
        assert place(found, s) == pytest.approx(expected, abs=1e-9)


def test_an_arc_of_several_turns_comes_round_again() -> None:
    circle = 2 * math.pi * 10.0
    found = one_road(geometry(arc(0.1), 3.5 * circle), length=3.5 * circle)
    assert place(found, 3 * circle) == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    assert place(found, 2.25 * circle)[:2] == pytest.approx((10.0, 10.0), abs=1e-9)


@pytest.mark.parametrize(("begin", "end"), [(0.0, 0.02), (0.05, -0.03), (-0.01, -0.04)])
def test_a_spiral_of_a_kilometre_is_within_a_millimetre_of_the_sum_of_small_steps(begin: float, end: float) -> None:
    length = 1000.0
    found = one_road(geometry(spiral(begin, end), length), length=length)
    steps = 2_000_000
    at = (np.arange(steps) + 0.5) * (length / steps)
    heading = begin * at + (end - begin) / length * at**2 / 2
    x, y = (np.cumsum(each(heading)) * (length / steps) for each in (np.cos, np.sin))
    for s in (1.0, 250.0, 999.0, 1000.0):
        step = round(s * steps / length) - 1
        got = place(found, s)
        assert math.hypot(got[0] - x[step], got[1] - y[step]) < 1e-4
        turn = math.degrees(begin * s + (end - begin) / length * s * s / 2)
        assert (got[2] - turn + 180) % 360 - 180 == pytest.approx(0.0, abs=1e-9)


def test_a_spiral_is_the_integral_of_fresnel() -> None:
    length = math.sqrt(math.pi / 2) * 10  # C(1) and S(1) of the tables, for a parameter of 10 m
    found = one_road(geometry(spiral(0.0, length / 50.0), length), length=length)
    scale = math.sqrt(50.0 * math.pi) / math.sqrt(math.pi * 50.0) * 10 * math.sqrt(math.pi) / math.sqrt(2)
    share = length / math.sqrt(math.pi * 50.0)
    assert share == pytest.approx(1.0)
    assert place(found, length)[:2] == pytest.approx((0.7798934 * scale, 0.4382591 * scale), abs=1e-5)


def test_a_poly3_has_its_length_along_the_curve() -> None:
    """v = u² / 40: its length to u is that of a parabola."""
    found = one_road(geometry(poly3(0.0, 0.0, 1 / 40), 30.0, heading=math.pi / 2), length=30.0)
    for u in (1.0, 10.0, 22.0):
        slope = u / 20
        length = 10 * (slope * math.hypot(1, slope) + math.asinh(slope))
        x, y, heading = place(found, length)
        assert (y, -x) == pytest.approx((u, u * u / 40), abs=1e-5)
        assert heading == pytest.approx(90 + math.degrees(math.atan(slope)), abs=1e-4)


def test_a_param_poly3_of_arc_length_is_evaluated_at_s() -> None:
    found = one_road(geometry(param_poly3((0.0, 1.0), (0.0, 0.0, 0.01), "arcLength"), 10.0, x=5.0), length=10.0)
    for s in (0.0, 4.0, 10.0):
        expected = 5.0 + s, 0.01 * s * s, math.degrees(math.atan2(0.02 * s, 1.0))
        assert place(found, s) == pytest.approx(expected, abs=1e-9)


def test_a_normalized_param_poly3_is_followed_along_its_length() -> None:
    """u = 10 p + 10 p², v = 2.5 p² + 5 p³: p runs ever faster; a length in the file that is rounded changes no end."""
    p = np.linspace(0.0, 1.0, 400_001)
    u, v = 10 * p + 10 * p**2, 2.5 * p**2 + 5 * p**3
    along = np.append(0.0, np.cumsum(np.hypot(np.diff(u), np.diff(v))))
    length = round(float(along[-1]), 2)
    shape = param_poly3((0.0, 10.0, 10.0), (0.0, 0.0, 2.5, 5.0), "normalized")
    found = one_road(geometry(shape, length), length=length)
    for share in (0.0, 0.25, 0.7, 1.0):
        at = np.interp(share * along[-1], along, p)
        expected = 10 * at + 10 * at**2, 2.5 * at**2 + 5 * at**3
        assert place(found, share * length)[:2] == pytest.approx(expected, abs=1e-5)


def test_geometries_follow_one_another_in_any_order() -> None:
    first, second = geometry(length=10.0), geometry(arc(-0.1), 5.0, s=10.0, x=10.0)
    found = one_road(second, first, length=15.0)
    assert place(found, 9.0)[:2] == pytest.approx((9.0, 0.0))
    assert place(found, 15.0)[:2] == pytest.approx((10 + 10 * math.sin(0.5), -10 * (1 - math.cos(0.5))))


def test_a_geometry_that_reaches_past_the_next_one_ends_where_that_begins() -> None:
    """An arc that is said to be 255 m long, in parts, some of which begin behind the arc that follows after 30 m."""
    following = geometry(arc(0.03), 40.0, s=30.0, x=29.0, y=8.0, heading=0.6)
    plain, far = (one_road(geometry(arc(0.02), length), following, length=70.0) for length in (30.0, 255.0))
    changing = (one_road(geometry(spiral(0.0, 0.02 * k), 30.0 * k), following, length=70.0) for k in (1, 8))
    for right, wrong in ((plain, far), tuple(changing)):
        for s in (0.0, 29.0, 31.0, 45.0, 69.0):
            assert place(wrong, s) == pytest.approx(place(right, s), abs=1e-9)
        points = np.array([[wrong.waypoint(1, -1, s)[axis] for axis in "xy"] for s in (20.0, 50.0)])
        assert wrong.locate(points)["s"].tolist() == pytest.approx([20.0, 50.0], abs=1e-3)
