"""What is left is left: a recording that is mirrored has the mirrored events, on a road that is mirrored, too.

The simulator's axes are x ahead and y to the right, headings clockwise.
"""

from pathlib import Path

import numpy as np
import pytest

import recorder_editor
from recorder_editor.arrays import StructuredArray
from recorder_editor.reading.events import EVENT, Events, find_events
from recorder_editor.reading.lanes import LanePlaces, LaneUse
from recorder_editor.reading.road_users import RoadUsers
from recorder_editor.reading.tracks import Tracks
from recorder_editor.roads import RoadMap, read_road_map

from ..roads.builders import lane, opendrive, road, section
from .films import Actor, Course, along, film
from .test_events import LONG, NEARLY, ON_MAP, PLANTED, bend

TO_THE_SIDE = {"y"}
"""The columns of events that change their sign."""


def mirrored(course: Course) -> Course:
    def place(seconds: float) -> tuple[float, float, float]:
        x, y, heading = course(seconds)
        return x, -y, -heading

    return place


def right_hand() -> RoadMap:
    """Two lanes along x at y > 0, one against it at y < 0: traffic drives on the right."""
    return read_road_map(opendrive(road(lanes=section(left=[lane(1)], right=[lane(-1), lane(-2)]))))


def left_hand() -> RoadMap:
    """That road mirrored: traffic drives on the left."""
    lanes = section(left=[lane(1), lane(2)], right=[lane(-1)])
    return read_road_map(opendrive(road(lanes=lanes, rule="LHT")))


def events_of(path: Path, actors: dict[int, Actor], seconds: float, roads: RoadMap | None = None) -> Events:
    with recorder_editor.open(film(path, actors, seconds)) as recording:
        if roads is not None:
            recording.context.use_road_map(roads)
        return find_events(recording.snapshot)


def assert_mirrored(table: StructuredArray, other: StructuredArray) -> None:
    """Assert that all events of one table are those of the other one, mirrored."""
    assert len(table) == len(other)
    for name in EVENT.names or ():
        sign = -1 if name in TO_THE_SIDE else 1
        np.testing.assert_allclose(table[name], sign * other[name], rtol=1e-9, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("case", [*PLANTED, *NEARLY])
def test_a_mirrored_recording_has_the_mirrored_events(tmp_path: Path, case: str) -> None:
    """A cut-in from the right is one from the left, as are bends, crossings and walkers."""
    actors = dict(NEARLY[case] if case in NEARLY else PLANTED[case][0])
    seconds = LONG if "stands for" in case else 8.0
    turned = {actor: one._replace(course=mirrored(one.course)) for actor, one in actors.items()}
    found = events_of(tmp_path / "as-it-is.log", actors, seconds)
    assert bool(len(found)) == (case in PLANTED)
    assert_mirrored(found.table, events_of(tmp_path / "mirrored.log", turned, seconds).table)


@pytest.mark.parametrize("case", ON_MAP)
def test_on_a_mirrored_road_too(tmp_path: Path, case: str) -> None:
    """A change to the right is one to the left there, and wrong is against the direction, not the left side."""
    course, expected = ON_MAP[case]
    found = events_of(tmp_path / "as-it-is.log", {1: Actor(course)}, 7.0, right_hand())
    assert bool(len(found)) == bool(expected)
    turned = events_of(tmp_path / "mirrored.log", {1: Actor(mirrored(course))}, 7.0, left_hand())
    assert_mirrored(found.table, turned.table)


RIGHT, LEFT = 1, -1


@pytest.mark.parametrize("side", [RIGHT, LEFT])
def test_a_turn_to_the_right_is_positive(tmp_path: Path, side: int) -> None:
    """5 m/s along a circle of 20 m: 0.25 radians/s."""
    course = bend(20, 5, 80)
    if side == LEFT:
        course = mirrored(course)
    with recorder_editor.open(film(tmp_path / "bend.log", {1: Actor(course)}, 4.0)) as recording:
        rows = RoadUsers(recording.snapshot).rows(range(40, 60))
    assert rows["turn"] == pytest.approx(side * 0.25, rel=0.01)
    assert (np.sign(rows["y"]) == side).all()


@pytest.mark.parametrize("side", [RIGHT, LEFT])
@pytest.mark.parametrize("heading", [0.0, 180.0])
def test_on_a_lane_what_is_right_of_its_middle_is_positive_to_one_that_drives_there(
    tmp_path: Path, side: int, heading: float
) -> None:
    """In the lane along x right is y > 0, in the one against it y < 0; the heading is 5 degrees to that side."""
    roads = right_hand()
    ahead = 1 if heading == 0 else -1
    course = along(20 if ahead > 0 else 80, ahead * (1.75 + side * 0.5), heading + side * 5, 0)
    with recorder_editor.open(film(tmp_path / "lane.log", {1: Actor(course)}, 0.1)) as recording:
        (placed,) = Tracks(recording.snapshot).blocks("positions", [1])
        places = LanePlaces.of(roads, placed[:1])
    assert places.locations["offset"][0] == pytest.approx(side * 0.5)
    assert places.heading_error[0] == pytest.approx(side * 5)


@pytest.mark.parametrize("side", [RIGHT, LEFT])
@pytest.mark.parametrize("heading", [0.0, 180.0])
def test_a_change_of_lanes_to_the_left_ends_in_the_lane_on_the_left(tmp_path: Path, side: int, heading: float) -> None:
    """Lanes -1 and -2 are driven along x, 1 and 2 against it; the second one is on the right."""
    roads = read_road_map(opendrive(road(lanes=section(left=[lane(1), lane(2)], right=[lane(-1), lane(-2)]))))
    ahead = 1 if heading == 0 else -1
    begin = 1.75 if side == RIGHT else 5.25

    def course(seconds: float) -> tuple[float, float, float]:
        across = begin + side * min(max(seconds - 2, 0.0), 3.5)
        return (5 if ahead > 0 else 95) + ahead * 10 * seconds, ahead * across, heading

    with recorder_editor.open(film(tmp_path / "change.log", {1: Actor(course)}, 7.0)) as recording:
        recording.context.use_road_map(roads)
        use = LaneUse.of(recording.snapshot)
    assert use is not None
    (change,) = use.changes
    beside = roads.right if side == RIGHT else roads.left
    assert beside(int(change["before"])) == change["after"]
    inner, outer = (-1, -2) if ahead > 0 else (1, 2)
    lanes = roads.lanes["lane_id"][[change["before"], change["after"]]].tolist()
    assert lanes == ([inner, outer] if side == RIGHT else [outer, inner])
