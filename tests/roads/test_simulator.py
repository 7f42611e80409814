"""The simulator's own geometry judges: waypoints, neighbours, successors, crosswalks, and real positions.

Where it is simpler than the standard, the difference is shown here: its pitch is that of the reference line, the slope
of a lane beside it is added to headings as if it were an angle, its paramPoly3 is a chain of half metres, and it knows
no superelevation.
"""

import math
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor.roads import LANE_TYPES, RoadMap, read_road_map

from .builders import arc, geometry, lane, opendrive, param_poly3, profile, road, section, spiral

NUMBER = 10_000
RECORDINGS = ("carla-0.9.10-town01-scene-lights.log", "carla-0.9.13-town01.log")


def turned(degrees: Any) -> Any:
    return (degrees + 180.0) % 360.0 - 180.0


def test_ten_thousand_waypoints_are_those_of_the_simulator(town: RoadMap, judge: Any) -> None:
    random = np.random.default_rng(20261122)
    rows = random.integers(0, len(town.lanes), NUMBER)
    lanes = town.lanes[rows]
    s = lanes["s_begin"] + random.random(NUMBER) * (lanes["s_end"] - lanes["s_begin"])
    s = np.minimum(s.astype(np.float32).astype(np.float64), lanes["s_end"])  # the simulator takes a float
    asked = zip(lanes["road_id"].tolist(), lanes["lane_id"].tolist(), s.tolist(), strict=True)
    told = [judge.get_waypoint_xodr(*each) for each in asked]
    assert None not in told
    poses = [(each, each.transform.location, each.transform.rotation) for each in told]
    expected = np.array([(at.x, at.y, at.z, turn.yaw, each.lane_width) for each, at, turn in poses])
    found = town.waypoint(lanes["road_id"], lanes["lane_id"], s)
    assert found["lane"].tolist() == rows.tolist()
    places = np.stack([found["x"], found["y"], found["z"]], axis=-1)
    assert np.linalg.norm(places - expected[:, :3], axis=1).max() <= 0.02
    assert np.abs(turned(found["heading_deg"] - expected[:, 3])).max() <= 0.1
    assert np.abs(found["width"] - expected[:, 4]).max() <= 0.01
    # Its pitch is that of the reference line; along a bend the same climb is longer outside and shorter inside.
    straight = np.abs(turned(town.lane_points(rows, s)["heading_deg"] - town.lane_points(rows, s - 0.1)["heading_deg"]))
    level = straight < 1e-6
    pitch = np.array([turn.pitch for _each, _at, turn in poses])
    assert np.abs(turned(found["pitch_deg"] - pitch))[level].max() <= 0.1


def test_neighbours_and_successors_are_those_of_the_simulator(town: RoadMap, judge: Any) -> None:
    def row(told: Any) -> int:
        return -1 if told is None else int(town.waypoint(told.road_id, told.lane_id, told.s)["lane"])

    driving = np.flatnonzero(town.lanes["type"] == LANE_TYPES.index("driving"))
    for number in driving.tolist():
        each = town.lanes[number]
        step = min(0.05, (each["s_end"] - each["s_begin"]) / 3)
        s = each["s_end"] - step if each["direction"] > 0 else each["s_begin"] + step
        told = judge.get_waypoint_xodr(int(each["road_id"]), int(each["lane_id"]), float(s))
        assert (town.left(number), town.right(number)) == (row(told.get_left_lane()), row(told.get_right_lane()))
        assert set(town.successors(number)) == {row(after) for after in told.next(2 * float(step))} - {number}
        assert all(number in town.predecessors(after) for after in town.successors(number))


def test_crosswalks_are_those_of_the_simulator(town: RoadMap, judge: Any) -> None:
    told = np.array([(at.x, at.y) for at in judge.get_crosswalks()]).reshape(-1, 2)
    corners = np.concatenate([np.empty((0, 3)), *town.crosswalks])[:, :2]
    assert len(town.crosswalks) == {"Town01": 0, "Town04": 27}[town.name]
    for one, others in ((told, corners), (corners, told)):
        for corner in one:
            assert np.hypot(*(others - corner).T).min() < 0.02


@pytest.mark.parametrize("town", ["Town01"], indirect=True)
@pytest.mark.parametrize("name", RECORDINGS)
def test_real_cars_are_in_the_lanes_in_which_the_simulator_sees_them(
    recordings: Path, town: RoadMap, judge: Any, carla: ModuleType, name: str
) -> None:
    with recorder_editor.open(recordings / name) as recording:
        cars = [life.actor for life in recording.actors if life.blueprint.startswith("vehicle.")]
        positions = recording.tracks.positions(cars)
    points = np.stack([positions[axis] for axis in "xyz"], axis=-1).astype(np.float64) / 100
    found = town.locate(points, ["driving"])
    assert (found["border"] >= 0).mean() >= 0.99
    for point, mine in zip(points.tolist(), found, strict=True):
        told = judge.get_waypoint(carla.Location(*point), project_to_road=True, lane_type=carla.LaneType.Driving)
        at = told.transform.location
        row = int(town.waypoint(told.road_id, told.lane_id, told.s)["lane"])
        assert row == mine["lane"] or mine["distance"] <= math.hypot(at.x - point[0], at.y - point[1]) + 0.1
    aligned = np.abs(turned(found["heading_deg"] - positions["yaw"]))
    assert np.median(aligned) < 0.1


# --- where the simulator is simpler -------------------------------------------------------------------------


def told_of(carla: ModuleType, data: bytes, s: float, lane_id: int = -1) -> Any:
    header = "<geoReference>+proj=tmerc +lat_0=0 +lon_0=0</geoReference>"
    text = data.decode().replace("</header>", f"{header}</header>")
    return carla.Map("made", text).get_waypoint_xodr(1, lane_id, s).transform


def one(plan: str, length: float = 100.0, *, lanes: str = "", **more: str) -> bytes:
    return opendrive(road(1, length, plan, lanes + section(right=[lane(-1)]), **more))


def test_its_spiral_is_the_same(carla: ModuleType) -> None:
    data = one(geometry(spiral(0.001, 0.02)))
    for s in (10.0, 50.0, 99.0):
        told, mine = told_of(carla, data, s), read_road_map(data).waypoint(1, -1, s)
        assert (told.location.x, told.location.y) == pytest.approx((float(mine["x"]), float(mine["y"])), abs=1e-3)
        assert turned(told.rotation.yaw - mine["heading_deg"]) == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("p_range", ["normalized", "arcLength"])
def test_its_param_poly3_is_the_same_but_for_pieces_of_half_a_metre(carla: ModuleType, p_range: str) -> None:
    p = np.linspace(0.0, 1.0, 100_001)
    length = float(np.hypot(np.diff(98 * p + 4 * p**2 - 2 * p**3), np.diff(12 * p**2 + 4 * p**3)).sum())
    scale = length if p_range == "arcLength" else 1.0
    u, v = (0.0, 98.0 / scale, 4.0 / scale**2, -2.0 / scale**3), (0.0, 0.0, 12.0 / scale**2, 4.0 / scale**3)
    data = one(geometry(param_poly3(u, v, p_range), length), length)
    mine = read_road_map(data)
    for s in (10.0, 33.3, 90.0):
        told, point = told_of(carla, data, s), mine.waypoint(1, -1, s)
        off = math.hypot(told.location.x - point["x"], told.location.y - point["y"])
        # It takes s for the length along the curve also where the file says that p is s, which only nearly agree.
        assert off < (0.02 if p_range == "normalized" else 1.0)
        beside = mine.locate([(told.location.x, told.location.y)])
        assert abs(beside["offset"][0]) < 0.01
        assert abs(turned(told.rotation.yaw - beside["heading_deg"][0])) < 0.2


def test_its_headings_take_slopes_for_angles_also_inside_of_bends(carla: ModuleType) -> None:
    """The centre of a lane that grows wider inside of a bend: where the simulator's own points lead is the judge."""
    plan, inner = geometry(arc(0.05), 20.0), section(left=[lane(1, widths=((0.0, 3.0, 0.1),))])
    data = opendrive(road(1, 20.0, plan, inner))
    told, mine = told_of(carla, data, 10.0, 1), read_road_map(data).waypoint(1, 1, 10.0)
    assert (told.location.x, told.location.y) == pytest.approx((float(mine["x"]), float(mine["y"])), abs=1e-3)
    before, after = (told_of(carla, data, s, 1).location for s in (10.5, 9.5))
    driven = math.degrees(math.atan2(after.y - before.y, after.x - before.x))
    assert turned(driven - mine["heading_deg"]) == pytest.approx(0.0, abs=0.02)
    assert abs(turned(told.rotation.yaw - driven)) > 0.25


def test_it_knows_no_superelevation(carla: ModuleType) -> None:
    data = one(geometry(), lateral=profile("superelevation", (0.0, 0.1)))
    assert told_of(carla, data, 50.0).location.z == 0.0
    assert read_road_map(data).waypoint(1, -1, 50.0)["z"] == pytest.approx(-1.75 * math.sin(0.1))
