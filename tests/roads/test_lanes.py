"""Lanes of small roads: where they are, how wide, of which type and direction, and what is painted on them."""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from recorder_editor.roads import LANE_TYPES, MARK_COLORS, MARK_TYPES, RoadMap, find_route, read_road_map, shortest_way
from recorder_editor.roads.routes import places_on

from .builders import TWO_WAY, arc, geometry, joined, junction, lane, mark, opendrive, profile, road, section


def read(*parts: str, header: str = "") -> RoadMap:
    found = read_road_map(opendrive(*parts, header=header))
    assert found.problems == ()
    return found


def test_y_is_mirrored_and_lanes_on_the_left_are_driven_against_s() -> None:
    found = read(road())
    assert found.lanes["lane_id"].tolist() == [1, -1]
    assert found.lanes["direction"].tolist() == [-1, 1]
    left, right = found.waypoint(1, [1, -1], 10.0)
    assert (left["x"], left["y"], abs(left["heading_deg"])) == pytest.approx((10.0, -1.75, 180.0))
    assert (right["x"], right["y"], right["heading_deg"]) == pytest.approx((10.0, 1.75, 0.0))
    assert left["width"] == right["width"] == 3.5


def test_a_file_is_named_by_a_path_or_a_text(tmp_path: Path) -> None:
    path = tmp_path / "Town07.xodr"
    path.write_bytes(opendrive(road()))
    for source in (path, str(path)):
        found = read_road_map(source)
        assert (found.name, len(found.lanes)) == ("Town07", 2)


def test_where_one_drives_on_the_left_directions_are_the_other_way_round() -> None:
    found = read(road(rule="LHT"))
    assert found.lanes["direction"].tolist() == [1, -1]
    assert found.waypoint(1, 1, 10.0)["heading_deg"] == 0.0
    assert (found.left(1), found.right(1), found.left(0), found.right(0)) == (-1, 0, -1, 1)


def test_a_positive_lane_offset_shifts_all_lanes_to_the_left() -> None:
    offset = profile("laneOffset", (0.0, 2.0), (40.0, 2.0, 0.0, 0.03, -0.001))
    found = read(road(lanes=offset + TWO_WAY))
    assert found.waypoint(1, -1, 20.0)["y"] == pytest.approx(1.75 - 2.0)
    for s in (40.0, 47.0, 60.0):
        ds = s - 40
        shift, slope = 2 + 0.03 * ds**2 - 0.001 * ds**3, 0.06 * ds - 0.003 * ds**2
        point = found.waypoint(1, -1, s)
        assert point["y"] == pytest.approx(1.75 - shift)
        assert point["heading_deg"] == pytest.approx(-math.degrees(math.atan(slope)))


def test_widths_add_up_from_the_centre_and_change_where_they_say() -> None:
    inner = lane(-1, "driving", ((0.0, 3.0, 0.02), (50.0, 4.0)))
    outer = lane(-2, "shoulder", ((0.0, 1.0), (25.0, 1.0, 0.0, 0.001)))
    found = read(road(lanes=section(right=[inner, outer])))
    for s in (0.0, 24.0, 30.0, 49.0, 50.0, 99.0, 100.0):
        first = 3.0 + 0.02 * s if s < 50 else 4.0
        second = 1.0 + 0.001 * max(s - 25, 0) ** 2
        one, two = found.waypoint(1, [-1, -2], s)
        assert (one["width"], one["y"]) == pytest.approx((first, first / 2))
        assert (two["width"], two["y"]) == pytest.approx((second, first + second / 2))
        edges = found.edges([0, 1], s)
        assert edges[:, :, 1] == pytest.approx(np.array([[0, first], [first, first + second]]))
    assert [LANE_TYPES[number] for number in found.lanes["type"]] == ["driving", "shoulder"]


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_a_border_is_told_from_the_reference_line_in_t_or_as_a_distance(sign: float) -> None:
    right = [
        lane(-1, widths=((0.0, sign * 3.0, sign * 0.01),), tag="border"),
        lane(-2, widths=((0.0, sign * 5.0),), tag="border"),
    ]
    left = [lane(1, widths=((0.0, 4.0),), tag="border")]
    found = read(road(lanes=section(left=left, right=right)))
    one, two, other = found.waypoint(1, [-1, -2, 1], 50.0)
    assert (one["width"], one["y"]) == pytest.approx((3.5, 1.75))
    assert (two["width"], two["y"]) == pytest.approx((1.5, 4.25))
    assert (other["width"], other["y"]) == pytest.approx((4.0, -2.0))


def test_of_a_width_and_a_border_the_width_holds() -> None:
    both = lane(-1, "driving", ((0.0, 3.0),), profile("border", (0.0, -9.0), at="sOffset"))
    assert read(road(lanes=section(right=[both]))).waypoint(1, -1, 5.0)["width"] == 3.0


def test_a_lane_on_a_bend_has_the_heading_of_its_own_centre() -> None:
    """Its width grows, so that the centre leaves the road's direction; farther inside the bend by more."""
    plan = geometry(arc(0.05), 20.0)
    found = read(road(1, 20.0, plan, section(left=[lane(1, widths=((0.0, 3.0, 0.1),))])))
    near, far = (found.waypoint(1, 1, s) for s in (10.0 - 1e-5, 10.0 + 1e-5))
    driven = math.degrees(math.atan2(near["y"] - far["y"], near["x"] - far["x"]))
    assert found.waypoint(1, 1, 10.0)["heading_deg"] == pytest.approx(driven, abs=1e-3)
    assert math.degrees(0.5) + math.degrees(math.atan(0.05 / (1 - 0.05 * 2.0))) == pytest.approx(
        180 - driven % 360, abs=1e-3
    )


def test_elevation_gives_height_and_pitch_in_driving_direction() -> None:
    found = read(road(elevation=profile("elevation", (0.0, 5.0, 0.1), (50.0, 10.0, 0.1, -0.001))))
    assert found.waypoint(1, -1, 20.0)["z"] == pytest.approx(7.0)
    assert found.waypoint(1, -1, 70.0)["z"] == pytest.approx(10 + 2 - 0.4)
    up, down = found.waypoint(1, [-1, 1], 20.0)
    assert up["pitch_deg"] == pytest.approx(math.degrees(math.atan(0.1)))
    assert down["pitch_deg"] == pytest.approx(-math.degrees(math.atan(0.1)))


def test_superelevation_lifts_the_left_side_and_draws_the_road_together() -> None:
    found = read(road(lateral=profile("superelevation", (0.0, 0.1))))
    left, right = found.waypoint(1, [1, -1], 10.0)
    assert (left["z"], right["z"]) == pytest.approx((1.75 * math.sin(0.1), -1.75 * math.sin(0.1)))
    assert right["y"] == pytest.approx(1.75 * math.cos(0.1))


def test_crossfall_and_shape_are_told_as_left_out_once() -> None:
    lateral = profile("crossfall", (0.0, 0.02)) + '<shape s="0" t="0" a="1" b="0" c="0" d="0"/>'
    found = read_road_map(opendrive(road(1, lateral=lateral), road(2, lateral=lateral)))
    assert [(problem.element, "not read" in problem.message) for problem in found.problems] == [("crossfall", True)]
    assert read(road(lateral=profile("crossfall", (0.0, 0.0)))).problems == ()


def test_sections_divide_lanes_in_both_directions() -> None:
    lanes = section(0.0, [lane(1, after=1)], [lane(-1, after=-1)]) + section(
        40.0, [lane(1, before=1), lane(2, "sidewalk")], [lane(-1, before=-1)]
    )
    found = read(road(lanes=lanes))
    assert found.lanes["section"].tolist() == [0, 0, 1, 1, 1]
    assert found.lanes["lane_id"].tolist() == [1, -1, 2, 1, -1]
    assert found.lanes["s_begin"].tolist() == [0, 0, 40, 40, 40]
    assert found.lanes["s_end"].tolist() == [40, 40, 100, 100, 100]
    assert found.waypoint(1, -1, [0.0, 39.9, 40.0, 100.0])["lane"].tolist() == [1, 1, 4, 4]
    assert (found.successors(1), found.predecessors(4)) == ((4,), (1,))
    assert (found.successors(3), found.predecessors(0)) == ((0,), (3,))
    assert found.successors(4) == found.successors(0) == found.successors(2) == ()


def test_a_lane_ends_where_it_is_also_if_the_road_goes_on_elsewhere() -> None:
    plan = geometry(length=40.0) + geometry(length=60.0, s=40.0, x=40.0, y=-7.0)
    found = read(road(1, 100.0, plan, section(0.0, right=[lane(-1)]) + section(40.0, right=[lane(-1)])))
    assert found.lane_points([0, 1], 40.0)["y"] == pytest.approx([1.75, 8.75])
    assert found.edges(0, 40.0)[0, :, 1] == pytest.approx([0.0, 3.5])
    assert found.sample(100.0)["y"] == pytest.approx([1.75, 1.75, 8.75, 8.75])


def test_what_is_not_there_is_row_minus_one() -> None:
    found = read(road())
    unknown = found.waypoint([1, 1, 1, 2, 1, 1], [-2, 0, -1, -1, -1, -1], [5.0, 5.0, 100.1, 5.0, -0.1, math.nan])
    assert unknown["lane"].tolist() == [-1] * 6
    others = [number for number in range(-3000, 3000) if abs(number) != 1]
    assert (found.waypoint(1, others, 5.0)["lane"] == -1).all()
    assert np.isnan(unknown["x"]).all()


def test_speed_limits_of_roads_and_lanes_in_their_units() -> None:
    kinds = '<type s="0" type="town"><speed max="30" unit="mph"/></type><type s="60" type="rural"/>'
    limited = lane(-1, "driving", ((0.0, 3.5),), '<speed sOffset="0" max="50" unit="km/h"/>')
    metres = lane(-2, "driving", ((0.0, 3.5),), '<speed sOffset="0" max="9"/>')
    lanes = section(0.0, [lane(1)], [limited, metres]) + section(60.0, [lane(1)])
    found = read(road(lanes=lanes, more=kinds))
    assert found.lanes["speed_limit"].tolist() == pytest.approx([13.4112, 50 / 3.6, 9.0, math.nan], nan_ok=True)


def test_marks_with_their_changes_along_the_road() -> None:
    centre = mark("solid solid", "yellow", width=0.15)
    painted = lane(-1, "driving", ((0.0, 3.5),), mark("broken", weight="bold"), mark("none", offset=30.0))
    found = read(road(lanes=section(10.0, right=[painted], centre=centre)))
    rows = found.marks
    assert rows["lane"].tolist() == [-1, 0, 0]
    assert [MARK_TYPES[number] for number in rows["type"]] == ["solid solid", "broken", "none"]
    assert [MARK_COLORS[number] for number in rows["color"]] == ["yellow", "white", "white"]
    assert rows["s_begin"].tolist() == [10, 10, 40]
    assert rows["s_end"].tolist() == [100, 40, 100]
    assert rows["width"].tolist() == [0.15, 0.25, 0.12]
    assert rows["is_bold"].tolist() == [False, True, False]
    assert found.mark_points([0, 1], 20.0)[:, :2] == pytest.approx(np.array([[20.0, 0.0], [20.0, 3.5]]))


def test_lines_of_which_a_mark_is_made_take_its_place() -> None:
    lines = (
        '<type name="mine" width="0.3"><line length="3" space="6" tOffset="0.1" sOffset="2" width="0.2"/>'
        '<line length="0" space="0" tOffset="-0.1" sOffset="0"/></type>'
    )
    once = '<explicit><line length="5" tOffset="0" sOffset="50"/></explicit>'
    painted = lane(-1, "driving", ((0.0, 3.5),), mark("custom", inside=lines), mark("custom", offset=20.0, inside=once))
    found = read(road(lanes=section(right=[painted])))
    rows = found.marks[np.argsort(found.marks["s_begin"], kind="stable")]
    assert rows["is_line"].tolist() == [True] * 3
    assert [MARK_TYPES[number] for number in rows["type"]] == ["solid", "broken", "solid"]
    assert rows["s_begin"].tolist() == [0, 2, 70]
    assert rows["s_end"].tolist() == [20, 20, 75]
    assert rows["width"].tolist() == [0.12, 0.2, 0.12]
    assert rows["space"].tolist() == [0, 6, 0]
    broken = int(np.flatnonzero(found.marks["space"] > 0)[0])
    assert found.mark_points(broken, 10.0)[0] == pytest.approx([10.0, 3.4, 0.0])


CORNERS = "".join(f'<cornerLocal u="{u}" v="{v}" z="0.5"/>' for u, v in ((-1, -3), (1, -3), (1, 3), (-1, 3), (-1, -3)))


def test_crosswalks_of_corners_of_either_kind_and_of_a_size() -> None:
    place = f's="50" t="0" zOffset="1" hdg="{math.pi / 2}"'
    local = f'<object id="1" type="crosswalk" {place}><outline>{CORNERS}</outline></object>'
    along = '<object id="2" type="crosswalk" s="0" t="0"><outlines><outline>' + "".join(
        f'<cornerRoad s="{s}" t="{t}" dz="0.1"/>' for s, t in ((10, -4), (12, -4), (12, 4), (10, 4))
    )
    sized = '<object id="3" type="crosswalk" s="80" t="1" length="6" width="2" hdg="0"/>'
    found = read(road(more=f"<objects>{local}{along}</outline></outlines></object>{sized}</objects>"))
    first, second, third = found.crosswalks
    assert first == pytest.approx(np.array([[53, 1, 1.5], [53, -1, 1.5], [47, -1, 1.5], [47, 1, 1.5]]))
    assert second[:, :2] == pytest.approx(np.array([[10, 4], [12, 4], [12, -4], [10, -4]]))
    assert third[:, :2] == pytest.approx(np.array([[77, 0], [83, 0], [83, -2], [77, -2]]))


def test_stop_lines_of_objects_and_of_signals() -> None:
    thing = '<object id="1" name="StopLine" type="-1" s="90" t="-1.75" hdg="1.5707963267948966"><outline>'
    thing += '<cornerLocal u="-1.7" v="0" z="0"/><cornerLocal u="1.7" v="0" z="0"/></outline></object>'
    against = '<signal id="7" type="294" s="5" t="0" orientation="-"/>'
    of_lane = '<signal id="8" type="294" s="95" t="0" orientation="+"><validity fromLane="-1" toLane="-1"/></signal>'
    light = '<signal id="9" type="1000001" s="95" t="0" orientation="+"/>'
    found = read(road(more=f"<objects>{thing}</objects><signals>{against}{of_lane}{light}</signals>"))
    one, two, three = found.stop_lines
    assert one[:, :2] == pytest.approx(np.array([[90, 3.45], [90, 0.05]]))
    assert two[:, :2] == pytest.approx(np.array([[5, 0], [5, -3.5]]))
    assert three[:, :2] == pytest.approx(np.array([[95, 3.5], [95, 0]]))


@pytest.mark.parametrize(
    "size", ['length="3.4" width="0.3" hdg="1.5707963267948966"', 'length="0.3" width="3.4" hdg="0"']
)
def test_a_stop_line_of_a_size_is_as_long_as_its_longer_side(size: str) -> None:
    found = read(road(more=f'<objects><object id="1" name="StopLine" type="-1" s="90" t="-1.75" {size}/></objects>'))
    (line,) = found.stop_lines
    assert line[:, :2] == pytest.approx(np.array([[90, 3.45], [90, 0.05]]))


def test_a_traffic_light_holds_at_the_end_of_the_lanes_before_those_of_its_references() -> None:
    """Whatever its id, and wherever it stands in the file; its own validity is as good as a reference."""
    across = "".join(
        f'<signalReference id="{name}" s="1" t="0"><validity fromLane="{first}" toLane="{last}"/></signalReference>'
        for name, first, last in (("a", -1, -1), ("b", 1, -2), ("sign", -1, 1), ("none", -1, 1), ("", -1, 1))
    )
    lights = '<signal id="a" type="1000001" s="4" t="6"/><signal id="sign" type="274" s="5" t="0"/>'
    lights += '<signal type="1000001" s="0" t="0"/>'
    own = '<signal id="b" type="1000008" s="2" t="-5"><validity fromLane="0" toLane="0"/></signal>'
    outside = '<signal id="c" type="1000001" s="9" t="1"><validity fromLane="-1" toLane="-1"/></signal>'
    within = '<signal id="d" type="1000001" s="9" t="1"><validity fromLane="-1" toLane="-1"/></signal>'
    lanes = section(left=[lane(1, before=1)], right=[lane(-1, before=-1)])
    found = read(
        road(1, link=joined("successor", 1), more=f"<signals>{outside}</signals>"),
        road(
            2,
            plan=geometry(x=100.0),
            lanes=lanes,
            junction=1,
            link=joined("predecessor", 1, "end"),
            more=f"<signals>{across}{lights}{own}{within}</signals>",
        ),
        junction(1, (1, 2, "start", [(-1, -1)])),
    )
    places = np.stack([found.lights["x"], found.lights["y"]], axis=-1)
    assert places == pytest.approx(np.array([[9, -1], [104, -6], [100, 0], [102, 5], [109, -1]]))
    held = found.lanes[found.light_lanes["lane"]]
    assert set(zip(held["road_id"].tolist(), held["lane_id"].tolist(), strict=True)) == {(1, -1)}
    assert found.light_lanes[["light", "within"]].tolist() == [(1, 1), (3, 1), (4, 9)]


def test_the_header_names_the_projection() -> None:
    found = read(road(), header="<geoReference><![CDATA[+proj=tmerc +lat_0=49]]></geoReference>")
    assert found.geo_reference == "+proj=tmerc +lat_0=49"


# --- samples ------------------------------------------------------------------------------------------------


def test_samples_have_both_ends_and_the_step_between_them() -> None:
    found = read(road(1, 7.0))
    samples = found.sample(3.0)
    assert samples["lane"].tolist() == [0] * 4 + [1] * 4
    assert samples["s"].tolist() == [0, 3, 6, 7] * 2
    assert found.sample(7.0)["s"].tolist() == [0, 7] * 2
    assert found.sample(1e9)["s"].tolist() == [0, 7] * 2
    with pytest.raises(ValueError, match="above 0"):
        found.sample(0.0)


@pytest.mark.parametrize("tolerance", [0.02, 0.3])
def test_sparse_samples_keep_the_borders_within_the_tolerance(tolerance: float) -> None:
    plan = geometry(length=30.0) + geometry(arc(0.05), 30.0, s=30.0, x=30.0)
    taper = lane(-1, "driving", ((0.0, 3.0), (5.0, 3.0, 0.0, 0.012, -0.0004), (25.0, 4.6)))
    found = read(road(1, 60.0, plan, section(left=[lane(1)], right=[taper])))
    samples = found.sample(tolerance=tolerance)
    s = samples["s"][samples["lane"] == 0]
    assert s.tolist() == samples["s"][samples["lane"] == 1].tolist()
    fine = np.linspace(0.0, 60.0, 4001)
    for row in (0, 1):
        for border in (0, 1):
            coarse = found.edges(row, s)[:, border, :2]
            exact = found.edges(row, fine)[:, border, :2]
            assert distance_to_chain(exact, coarse).max() <= tolerance * 1.02
    assert len(s) < 60


def distance_to_chain(points: np.ndarray, chain: np.ndarray) -> np.ndarray:
    begin, step = chain[:-1], np.diff(chain, axis=0)
    share = ((points[:, None] - begin) * step).sum(-1) / (step**2).sum(-1)
    nearest = begin + np.clip(share, 0, 1)[..., None] * step
    return np.hypot(*(points[:, None] - nearest).transpose(2, 0, 1)).min(axis=1)


def test_a_straight_road_needs_no_sample_but_its_ends() -> None:
    assert read(road(1, 1000.0)).sample(tolerance=0.01)["s"].tolist() == [0, 1000, 0, 1000]


# --- lanes beside lanes -------------------------------------------------------------------------------------


def test_neighbours_are_told_by_driving_direction() -> None:
    lanes = section(left=[lane(2, "sidewalk"), lane(1)], right=[lane(-1), lane(-2)])
    found = read(road(lanes=lanes))
    assert [found.left(row) for row in range(4)] == [1, 2, 1, 2]
    assert [found.right(row) for row in range(4)] == [-1, 0, 3, -1]


def crossing() -> RoadMap:
    """Road 1 leads to junction 9, road 3 straight on through it to road 2, road 4 off it to the end of road 5."""
    one = road(1, link=joined("successor", 9), lanes=section(right=[lane(-1), lane(-2)]))
    straight = [lane(-1, before=-1, after=-1), lane(-2, before=-2, after=-2)]
    three = road(
        3,
        20.0,
        geometry(length=20.0, x=100.0),
        section(right=straight),
        junction=9,
        link=joined("predecessor", 1, "end") + joined("successor", 2, "start"),
    )
    off = road(
        4,
        10.0,
        geometry(arc(-0.1), 10.0, x=100.0),
        section(right=[lane(-1, before=-2, after=1)]),
        junction=9,
        link=joined("predecessor", 1, "end") + joined("successor", 5, "end"),
    )
    two = road(
        2, 50.0, geometry(length=50.0, x=120.0), section(right=[lane(-1), lane(-2)]), link=joined("predecessor", 9)
    )
    five = road(5, 50.0, geometry(length=50.0, x=90.0, y=-80.0, heading=1.0), link=joined("successor", 9))
    paths = junction(9, (1, 3, "start", [(-1, -1), (-2, -2)]), (1, 4, "start", [(-2, -1)]))
    return read(one, three, off, two, five, paths)


def rows_of(found: RoadMap, *lanes: tuple[int, int]) -> list[int]:
    return [int(found.waypoint(road_id, lane_id, 1.0)["lane"]) for road_id, lane_id in lanes]


def test_a_junction_leads_from_lane_to_lane() -> None:
    found = crossing()
    inner, outer, on, on_outer, off, ahead, away = rows_of(
        found, (1, -1), (1, -2), (3, -1), (3, -2), (4, -1), (2, -1), (5, 1)
    )
    assert found.lanes["junction"][[inner, on, off, ahead]].tolist() == [-1, 9, 9, -1]
    assert found.successors(inner) == (on,)
    assert set(found.successors(outer)) == {on_outer, off}
    assert found.predecessors(off) == (outer,)
    assert found.successors(on) == (ahead,)
    assert found.successors(off) == (away,)
    assert found.predecessors(away) == (off,)
    assert found.predecessors(ahead) == (on,)


def test_lanes_that_meet_head_on_do_not_follow_one_another() -> None:
    """The end of a lane that is driven with s, and the begin of one that is driven against it."""
    first = road(1, lanes=section(right=[lane(-1, after=1)]), link=joined("successor", 2, "start"))
    found = read(first, road(2, plan=geometry(x=100.0), lanes=section(left=[lane(1)])))
    assert [found.successors(row) for row in range(2)] == [(), ()]


def way_between(roads: RoadMap, first: int, last: int, begin: float = 0.0, end: float = 0.0) -> tuple[int, ...]:
    """The lanes of the shortest way, from so many metres along the first one to so many along the last."""
    return tuple(stretch.lane for stretch in shortest_way(roads, [(first, begin)], {last: end}))


def test_a_route_changes_lanes_where_it_must() -> None:
    found = crossing()
    inner, outer, on, off, ahead, away = rows_of(found, (1, -1), (1, -2), (3, -1), (4, -1), (2, -1), (5, 1))
    assert way_between(found, inner, ahead) == (inner, on, ahead)
    assert way_between(found, inner, away) == (inner, outer, off, away)
    assert way_between(found, ahead, inner) == ()
    assert way_between(found, inner, inner) == (inner,)


def test_roads_that_lead_round_in_a_circle_end_every_search() -> None:
    link = joined("predecessor", 1, "end") + joined("successor", 1, "start")
    found = read(road(lanes=section(right=[lane(-1, before=-1, after=-1)]), link=link), road(2, plan=geometry(y=50.0)))
    assert found.successors(0) == found.predecessors(0) == (0,)
    assert way_between(found, 0, 1) == ()
    assert way_between(found, 0, 0, begin=5.0, end=4.0) == (0, 0)  # once round


def test_routes_of_towns_are_the_shortest(town: RoadMap) -> None:
    """Against Dijkstra's search without a queue; of routes that are as long any will do."""
    change, number = 20.0, len(town.lanes)
    links = np.full((number, 8), -1)
    for lane_ in range(number):
        after = town.successors(lane_)
        links[lane_, : len(after)] = after
    links = np.concatenate([links, town.beside], axis=1)
    prices = np.repeat(town.lengths[:, None], 10, axis=1)
    prices[:, 8:] = change
    driving = np.flatnonzero(town.lanes["type"] == LANE_TYPES.index("driving"))
    random = np.random.default_rng(20261123)
    for first in random.choice(driving, 10).tolist():
        metres, is_open = np.full(number, np.inf), np.ones(number, bool)
        metres[first] = 0.0
        while np.isfinite(nearest := np.where(is_open, metres, np.inf)).any():
            lane_ = int(nearest.argmin())
            is_open[lane_] = False
            for after, price in zip(links[lane_].tolist(), prices[lane_].tolist(), strict=True):
                if after >= 0:
                    metres[after] = min(metres[after], metres[lane_] + price)
        for last in random.choice(driving, 20).tolist():
            way = way_between(town, first, last)
            assert (way != ()) == bool(np.isfinite(metres[last]))
            steps = [
                min(
                    [float(town.lengths[one])] * (other in town.successors(one))
                    + [change] * (other in town.beside[one].tolist())
                )
                for one, other in pairwise(way)
            ]
            assert not way or sum(steps) == pytest.approx(metres[last], abs=1e-9)


def test_a_path_between_places_follows_links_and_allowed_changes(town: RoadMap) -> None:
    """20 random pairs of places in driving lanes: the lanes of the way, and a path that nowhere leaves them."""
    samples = town.sample(5.0)
    samples = samples[town.lanes["type"][samples["lane"]] == LANE_TYPES.index("driving")]
    found = changes = 0
    for one, other in np.random.default_rng(20261123).choice(samples, (20, 2)):
        ends = [(float(each["x"]), float(each["y"])) for each in (one, other)]
        path = find_route(town, *ends)
        way = shortest_way(town, places_on(town, ends[0]).items(), places_on(town, ends[1]))
        assert (path is None) == (way == ())
        if path is None:
            continue
        found += 1
        for before, after in pairwise(way):
            changes += after.is_change
            allowed = town.beside[before.lane].tolist() if after.is_change else town.successors(before.lane)
            assert after.lane in allowed
            assert town.lanes["direction"][after.lane] == town.lanes["direction"][before.lane] or not after.is_change
            assert before.end == pytest.approx(float(town.lengths[before.lane])) or after.is_change
        steps = np.hypot(*np.diff(path[:, :2], axis=0).T)
        assert 0.0 < steps.min() <= steps.max() < 100.0
        assert int((steps > 4.5).sum()) <= sum(each.is_change for each in way)
        assert np.hypot(*(path[[0, -1], :2] - ends).T).max() < 2.0
        assert (town.locate(path, within=2.0)["distance"] < 0.1).all()
        assert float(steps.sum()) == pytest.approx(sum(each.end - each.begin for each in way), rel=0.01, abs=8.0)
    assert found >= 15
    assert changes or town.name == "Town01"


def test_a_place_off_all_roads_has_no_way_to_it() -> None:
    found = crossing()
    assert find_route(found, (5.0, 1.5), (50.0, 400.0)) is None
    assert find_route(found, (5.0, 400.0), (50.0, 1.5)) is None
    assert find_route(found, (60.0, 1.5), (5.0, 1.5)) is None  # back against the direction of the lane


def test_a_change_of_lanes_leaves_room_for_a_smooth_curve() -> None:
    """From the inner lane to the outer one of a straight road: nothing between within 30 m, then the middle of it."""
    path = find_route(crossing(), (5.0, 1.5), (80.0, 5.0))
    assert path is not None
    assert path[:2, :2].tolist() == [
        [pytest.approx(5.0, abs=0.6), pytest.approx(1.75)],
        [pytest.approx(36.5, abs=2.0), 5.25],
    ]
    assert (path[1:, 1] == 5.25).all()
