"""Where points are on lanes: cases by hand, the inverse of waypoints, and a search without a grid."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder_editor.roads import LANE_TYPES, RoadMap, lane_index, read_road_map

from ..extent import examples
from .builders import arc, geometry, lane, opendrive, param_poly3, poly3, profile, road, section, spiral

STREET = section(left=[lane(2, "sidewalk", ((0.0, 2.0),)), lane(1)], right=[lane(-1)])


def street() -> RoadMap:
    return read_road_map(opendrive(road(1, 200.0, lanes=STREET)))


def test_a_point_in_a_lane_on_either_side() -> None:
    found = street().locate([(50.0, 2.0), (60.0, -1.0), (70.0, 0.0)])
    assert found["lane"].tolist() == [2, 1, 1]
    assert found["s"].tolist() == pytest.approx([50.0, 60.0, 70.0])
    # To the right in driving direction: farther from the centre of the road on both sides.
    assert found["offset"].tolist() == pytest.approx([0.25, -0.75, -1.75])
    assert found["border"].tolist() == pytest.approx([1.5, 1.0, 0.0])
    assert np.abs(found["heading_deg"]).tolist() == pytest.approx([0.0, 180.0, 180.0])
    assert found["width"].tolist() == pytest.approx([3.5] * 3)
    assert found["distance"].tolist() == pytest.approx([0.25, 0.75, 1.75])


def test_beside_every_lane_the_nearest_border_counts_up_to_the_reach() -> None:
    points = [(50.0, 5.0), (50.0, -8.0), (-3.0, 1.75), (50.0, 20.0), (math.nan, 0.0), (math.inf, 1e300)]
    found = street().locate(points)
    assert found["lane"].tolist() == [2, 1, 2, -1, -1, -1]
    assert found["border"][:3].tolist() == pytest.approx([-1.5, -4.5, -2.95])
    assert found["offset"][:2].tolist() == pytest.approx([3.25, 6.25])
    assert np.isnan(found["s"][3:]).all()
    assert street().locate([(50.0, 5.0)], within=1.0)["lane"].tolist() == [-1]


def test_types_choose_the_lanes() -> None:
    found, point = street(), [(50.0, -4.0)]
    assert [found.locate(point, types)["lane"].tolist() for types in (("sidewalk",), None)] == [[0], [0]]
    assert found.locate(point)["lane"].tolist() == [1]
    assert found.locate(point, ["tram"])["lane"].tolist() == [-1]
    assert LANE_TYPES[found.lanes["type"][found.nearest_lane((50.0, -4.0), None)]] == "sidewalk"
    assert found.nearest_lane((50.0, 50.0)) == -1


def test_of_lanes_that_overlap_the_one_with_the_nearest_centre() -> None:
    across = road(2, 200.0, geometry(length=200.0, x=50.0, y=-100.0, heading=math.pi / 2), section(right=[lane(-1)]))
    found = read_road_map(opendrive(road(1, 200.0, lanes=section(right=[lane(-1)])), across))
    # Centres: y = 1.75 of road 1; x = 51.75 of road 2.
    assert found.locate([(51.0, 1.8), (51.7, 1.0), (51.7, 30.0)])["lane"].tolist() == [0, 1, 1]


def test_heights_tell_a_bridge_from_what_is_below() -> None:
    bridge = road(2, 200.0, elevation=profile("elevation", (0.0, 6.0)), lanes=section(right=[lane(-1)]))
    found = read_road_map(opendrive(road(1, 200.0, lanes=section(right=[lane(-1)])), bridge))
    assert found.locate([(50.0, 1.75, 0.2), (50.0, 1.75, 6.3), (50.0, 9.0, 5.0)])["lane"].tolist() == [0, 1, 1]
    assert found.locate([(50.0, 1.75, 900.0), (50.0, 1.75, math.nan)])["lane"].tolist()[0] == 1
    assert found.locate([(50.0, 1.75)])["lane"].tolist() == [0]


def test_the_ends_of_roads_that_meet_at_an_angle_leave_no_gap() -> None:
    bent = geometry(length=50.0, x=50.0, heading=0.02)
    found = read_road_map(opendrive(road(1, 50.0), road(2, 50.0, bent)))
    y = np.linspace(-3.4, 3.4, 201)
    points = np.stack([50.0 + 0.01 * y, y], axis=-1)
    assert (found.locate(points)["border"] >= -1e-6).all()


def test_neither_batches_nor_larger_cells_change_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    roads = [road(number, 60.0, geometry(arc(0.02), 60.0, y=4.0 * number), STREET) for number in range(5)]
    data = opendrive(*roads)
    points = np.random.default_rng(1).uniform((-10, -40), (70, 20), (500, 2))
    expected = read_road_map(data).locate(points, None)
    assert 0.3 < (expected["lane"] >= 0).mean() < 1.0
    for name, value in (("_BATCH", 16), ("_PAIRS", 64), ("_MAX_CELLS", 100), ("_CELL", 7.0)):
        monkeypatch.setattr(lane_index, name, value)
        found = read_road_map(data).locate(points, None)
        for field in ("lane", "s", "offset", "border"):
            assert np.allclose(found[field], expected[field], rtol=0.0, atol=1e-6, equal_nan=True), (name, field)


def test_no_points_and_one_point() -> None:
    assert len(street().locate(np.empty((0, 2)))) == len(street().locate([])) == 0
    assert street().locate([(50.0, 13.0), (50.0, 14.0)], within=1e9)["lane"].tolist() == [2, -1]
    assert street().locate([50.0, 2.0])["lane"].tolist() == [2]


# --- against a search without a grid ------------------------------------------------------------------------


def test_the_grid_leaves_no_lane_out(town: RoadMap) -> None:
    """The distance to the nearest border of any lane, from samples of all of them."""
    random = np.random.default_rng(20261122)
    samples = town.sample(0.25)
    driving = np.isin(town.lanes["type"][samples["lane"]], [LANE_TYPES.index("driving")])
    samples = samples[driving]
    near = samples[random.integers(0, len(samples), 120)]
    points = np.stack([near["x"], near["y"]], axis=-1) + random.normal(0.0, 5.0, (120, 2))
    found = town.locate(points, ["driving"])
    for point, mine in zip(points, found, strict=True):
        centre = np.hypot(samples["x"] - point[0], samples["y"] - point[1])
        border = (centre - samples["width"] / 2).min()
        if border > 10.0:
            assert mine["lane"] == -1 or -mine["border"] > 9.5
        elif border > 0.0:  # samples lie up to 0.125 m beside the nearest point
            assert border + mine["border"] + 0.05 >= -0.01 or mine["border"] >= 0
            assert -mine["border"] <= border + 0.01
        else:
            assert mine["border"] >= -0.01
            assert mine["distance"] <= centre[centre < samples["width"] / 2].min() + 0.01


def test_every_waypoint_of_a_town_is_located_where_it_is(town: RoadMap) -> None:
    random = np.random.default_rng(7)
    rows = random.integers(0, len(town.lanes), 20_000)
    s = town.lanes["s_begin"][rows] + random.random(len(rows)) * (town.lanes["s_end"] - town.lanes["s_begin"])[rows]
    points = town.lane_points(rows, s)
    found = town.locate(np.stack([points[axis] for axis in "xyz"], axis=-1), None)
    assert np.abs(found["offset"]).max() < 1e-3  # also where lanes overlap it is on a centre
    same = found["lane"] == rows
    assert same.mean() > 0.9
    assert np.abs(found["s"] - s)[same].max() < 1e-3
    assert np.abs(found["width"] - points["width"])[same].max() < 1e-3
    turn = (found["heading_deg"] - points["heading_deg"] + 180) % 360 - 180
    assert np.abs(turn)[same].max() < 0.1


# --- roads of any shape -------------------------------------------------------------------------------------

BEND = st.floats(-0.03, 0.03)
SHAPES = st.one_of(
    st.just(("line", 0.0, 0.0)), st.tuples(st.just("arc"), BEND, BEND), st.tuples(st.just("spiral"), BEND, BEND)
)


@st.composite
def chains(draw: st.DrawFn) -> bytes:
    """A road of up to four geometries, each of which begins where the one before ends, with lanes that change."""
    parts, s, pose = [], 0.0, (draw(st.floats(-500, 500)), draw(st.floats(-500, 500)), draw(st.floats(-3, 3)))
    for _ in range(draw(st.integers(1, 4))):
        kind, begin, end = draw(SHAPES)
        length = draw(st.floats(1.0, 60.0))
        text = {"line": "<line/>", "arc": arc(begin), "spiral": spiral(begin, end)}[kind]
        parts.append(geometry(text, length, s, *pose))
        bends = {"line": (0.0, 0.0), "arc": (begin, begin), "spiral": (begin, end)}[kind]
        at = (np.arange(4_000) + 0.5) / 4_000 * length
        heading = pose[2] + bends[0] * at + (bends[1] - bends[0]) * at**2 / (2 * length)
        x, y = (float(each(heading).mean() * length) for each in (np.cos, np.sin))
        pose = pose[0] + x, pose[1] + y, pose[2] + (bends[0] + bends[1]) / 2 * length
        s += length
    slope = draw(st.floats(-1.0, 1.0)) / s
    widths = ((0.0, 3.0, slope), (s / 2, 3.0 + slope * s / 2, slope, -slope / s))
    lanes = profile("laneOffset", (0.0, draw(st.floats(-2, 2)), draw(st.floats(-1, 1)) / s))
    elevation = profile("elevation", (0.0, draw(st.floats(-9, 9)), draw(st.floats(-0.1, 0.1))))
    lanes += section(left=[lane(1, widths=widths)], right=[lane(-1, widths=widths), lane(-2)])
    return opendrive(road(1, s, "".join(parts), lanes, elevation=elevation))


@settings(max_examples=examples(25))
@given(chains())
def test_a_road_is_continuous_within_a_millimetre_and_its_heading_is_where_it_leads(data: bytes) -> None:
    found = read_road_map(data)
    assert found.problems == ()
    end = float(found.lanes["s_end"][0])
    s = np.linspace(0.0, end, 3001)
    for row in range(3):
        points = found.lane_points(row, s)
        dx, dy, dz = (np.diff(points[axis]) for axis in "xyz")
        step = end / 3000
        assert np.sqrt(dx**2 + dy**2 + dz**2).max() < 2 * step + 1e-3
        sign = found.lanes["direction"][row]
        driven = np.degrees(np.arctan2(dy * sign, dx * sign))
        middle = found.lane_points(row, (s[1:] + s[:-1]) / 2)["heading_deg"]
        turn = np.abs((driven - middle + 180) % 360 - 180)
        assert np.median(turn) < 0.02
    # At the joints of the geometries nothing jumps by a millimetre.
    fine = found.lane_points(1, np.repeat(s, 2) + np.tile([-1e-6, 1e-6], len(s)))
    jump = np.hypot(np.diff(fine["x"])[::2], np.diff(fine["y"])[::2])
    assert jump.max() < 1e-3


@settings(max_examples=examples(25))
@given(
    chains(), st.lists(st.tuples(st.integers(0, 2), st.floats(0, 1), st.floats(-0.45, 0.45)), min_size=1, max_size=9)
)
def test_locating_is_the_inverse_of_waypoints_within_a_millimetre(
    data: bytes, places: list[tuple[int, float, float]]
) -> None:
    found = read_road_map(data)
    end = float(found.lanes["s_end"][0])
    rows, share, aside = (np.array(each) for each in zip(*places, strict=True))
    # Off the ends, so that what is asked is beside the lane and not beyond it.
    s = 0.1 + share * (end - 0.2)
    points = found.lane_points(rows, s)
    heading, offset = np.radians(points["heading_deg"]), aside * points["width"]
    x, y = points["x"] - offset * np.sin(heading), points["y"] + offset * np.cos(heading)
    located = found.locate(np.stack([x, y, points["z"]], axis=-1))
    for n, mine in enumerate(located):
        assert mine["border"] > 0
        if mine["lane"] == rows[n] and abs(mine["s"] - s[n]) < 1.0:  # a road may cross itself
            assert mine["s"] == pytest.approx(s[n], abs=1e-3)
            assert mine["offset"] == pytest.approx(offset[n], abs=1e-3)
        else:
            assert mine["distance"] <= abs(offset[n]) + 1e-3


def test_a_curve_of_polynomials_is_located_within_a_millimetre() -> None:
    shape = param_poly3((0.0, 40.0, 20.0, -10.0), (0.0, 0.0, 30.0, -20.0), "normalized")
    found = read_road_map(opendrive(road(1, 52.0, geometry(shape, 52.0))))
    s = np.linspace(0.1, 51.9, 500)
    for row in (0, 1):
        points = found.lane_points(row, s)
        located = found.locate(np.stack([points["x"], points["y"]], axis=-1))
        assert (located["lane"] == row).all()
        assert np.abs(located["s"] - s).max() < 1e-3
        assert np.abs(located["offset"]).max() < 1e-3


# --- tight bends --------------------------------------------------------------------------------------------

WIDTHS = (0.05, 0.5, 1.0, 2.0, 3.5)


def bend(shape: str, length: float, left: Sequence[float], right: Sequence[float]) -> RoadMap:
    lanes = [
        [lane(side * (n + 1), widths=((0.0, w),)) for n, w in enumerate(each)]
        for side, each in ((1, left), (-1, right))
    ]
    return read_road_map(
        opendrive(road(1, length, geometry(shape, length), section(left=lanes[0][::-1], right=lanes[1])))
    )


def is_found_where_it_is(found: RoadMap, rows: np.ndarray, s: np.ndarray, clear: np.ndarray) -> None:
    """`clear`: how far a centre moves with s, below 0 where it leads back.

    Where the lane turns, or crosses itself, two places may be the same point: then either s will do.
    """
    points = found.lane_points(rows, s)
    located = found.locate(np.stack([points[axis] for axis in "xyz"], axis=-1), None)
    assert located["distance"].max() < 1e-4
    there = found.lane_points(located["lane"], located["s"])
    assert np.hypot(there["x"] - points["x"], there["y"] - points["y"]).max() < 2e-4
    turn = np.abs((located["heading_deg"] - points["heading_deg"] + 180) % 360 - 180)
    aside = (np.abs(located["s"] - s) > 0.5) | (turn > 90)
    same = (located["lane"] == rows) & ~aside & (np.abs(clear) > 0.1)
    assert np.abs(located["s"] - s)[same].max(initial=0.0) < 1e-3
    assert turn[same].max(initial=0.0) < 0.1
    assert np.abs(located["border"] - points["width"] / 2)[same].max(initial=0.0) < 1e-3


@pytest.mark.sampled
@pytest.mark.parametrize("radius", [1.0, 2.5, 6.0])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("is_spiral", [False, True])
def test_lanes_reach_the_centre_of_a_tight_bend_and_past_it(radius: float, side: int, is_spiral: bool) -> None:
    length, bent, past = 4.0 * radius, side / radius, []
    for first in range(0, len(WIDTHS), 2):
        widths = [WIDTHS[(first + n) % len(WIDTHS)] for n in range(5)]
        found = bend(spiral(0.0, bent) if is_spiral else arc(bent), length, widths, widths)
        rows, s = np.repeat(np.arange(10), 60), np.tile(np.linspace(0.01, length - 0.01, 60), 10)
        outer = np.cumsum(widths)
        across = np.concatenate([(outer - np.array(widths) / 2)[::-1], np.array(widths) / 2 - outer])[rows]
        clear = 1 - bent * (s / length if is_spiral else 1.0) * across
        past.append((clear < 0).any())
        is_found_where_it_is(found, rows, s, clear)
    assert any(past)


def test_a_lane_whose_centre_is_that_of_the_bend_is_a_disc_about_it() -> None:
    found = bend(arc(1.0), 4.0, (0.5, 1.0), (2.0,))
    points = found.lane_points([0, 1, 2], 2.0)
    assert (points["x"][0], points["y"][0]) == pytest.approx((0.0, -1.0))
    assert found.locate(np.stack([points["x"], points["y"]], axis=-1))["lane"].tolist() == [0, 1, 2]
    assert found.locate([(0.1, -1.2)])["distance"].tolist() == pytest.approx([math.hypot(0.1, 0.2)])


@pytest.mark.parametrize("radius", [1.0, 2.5, 6.0])
@pytest.mark.parametrize("is_spiral", [False, True])
def test_points_beside_a_centre_are_found_up_to_half_the_way_to_that_of_the_bend(
    radius: float, is_spiral: bool
) -> None:
    length = 2.5 * radius
    shape = spiral(0.3 / radius, 1 / radius) if is_spiral else arc(1 / radius)
    found = bend(shape, length, (radius,), (2 * radius,))
    random = np.random.default_rng(5)
    s, row = random.uniform(0.01, length - 0.01, 400), random.integers(0, 2, 400)
    points = found.lane_points(row, s)
    # To the left along the road, which is where the bend is.
    sign = np.where(row == 0, -1.0, 1.0)
    to_left = random.uniform(-0.49, 0.24, 400) * np.where(row == 0, 1.0, 2.0) * radius
    heading = np.radians(points["heading_deg"])
    x, y = (points[axis] + sign * to_left * each for axis, each in (("x", np.sin(heading)), ("y", -np.cos(heading))))
    located = found.locate(np.stack([x, y], axis=-1))
    assert located["lane"].tolist() == row.tolist()
    assert np.abs(located["offset"] + sign * to_left).max() < 1e-3
    assert np.abs(located["s"] - s).max() < 1e-3


TIGHT = st.floats(-0.7, 0.7)


@settings(max_examples=examples(20))
@given(
    st.one_of(
        st.tuples(st.just("spiral"), TIGHT, TIGHT),
        st.tuples(st.just("poly3"), st.floats(-0.2, 0.2), st.floats(-0.02, 0.02)),
        st.tuples(st.just("paramPoly3"), st.floats(-8, 8), st.floats(-8, 8)),
    ),
    st.lists(st.sampled_from(WIDTHS), min_size=1, max_size=3),
)
def test_waypoints_of_any_bend_are_located_where_they_are(shape: tuple[str, float, float], widths: list[float]) -> None:
    kind, one, other = shape
    length = 8.0
    curve = (0.0, 8.0), (0.0, 0.0, one, other)
    if kind == "paramPoly3":
        p = np.linspace(0.0, 1.0, 4001)
        length = float(np.hypot(np.diff(8 * p), np.diff(one * p**2 + other * p**3)).sum())
    text = {
        "spiral": spiral(one, other),
        "poly3": poly3(0.0, 0.0, one, other),
        "paramPoly3": param_poly3(*curve, "normalized"),
    }[kind]
    found = bend(text, length, widths, widths)
    assert found.problems == ()
    rows, s = (
        np.repeat(np.arange(len(found.lanes)), 20),
        np.tile(np.linspace(0.01, length - 0.01, 20), len(found.lanes)),
    )
    before, after = (found.lane_points(rows, s + step) for step in (-1e-4, 1e-4))
    speed = np.hypot(after["x"] - before["x"], after["y"] - before["y"]) / 2e-4
    is_found_where_it_is(found, rows, s, speed)
