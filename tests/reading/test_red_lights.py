"""Red lights that are passed at the stop lines of a road map."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.events import Events, find_events
from recorder_editor.reading.events.lights import RedLights
from recorder_editor.roads import RoadMap, read_road_map

from .. import builders as b
from ..real_recordings import MAPS, missing
from ..roads.builders import joined, junction, lane, opendrive, road, section
from .films import STEP, Actor, Course, along, braking, film

RED, YELLOW, GREEN = range(3)
LINE = 50.0  # m: where the junction begins in the direction of s; it ends at 70 m
HALF = 2.3  # m: half a car
LIGHT = 9

States = Callable[[int], int]
"""The state of the light by frame."""


WITHIN = 1.0  # m behind the line: where the references of the light are


def light(number: int, t: float, holds: int) -> str:
    """A light at the middle of the junction, beside its road; it holds for one of its lanes."""
    signal = f'<signal id="light {number}" type="1000001" s="10" t="{t}" orientation="+" dynamic="yes">'
    s = WITHIN if t > 0 else 20 - WITHIN
    return (
        f'<signalReference id="light {number}" s="{s}" t="0"><validity fromLane="{holds}" toLane="{holds}"/>'
        f'</signalReference>{signal}<validity fromLane="0" toLane="0"/></signal>'
    )


def crossroads(rule: str = "RHT") -> RoadMap:
    """A road along x through a junction from 50 m to 70 m, with a light for each direction, at y = -6 and y = 6."""
    both = section(left=[lane(1)], right=[lane(-1)])
    with_s, against = (-1, 1) if rule == "RHT" else (1, -1)
    plan = '<geometry s="0" x="{x}" y="0" hdg="0" length="{length}"><line/></geometry>'
    way_in = road(1, 50.0, plan.format(x=0, length=50), both, rule=rule, link=joined("successor", 1))
    way_out = road(3, 50.0, plan.format(x=70, length=50), both, rule=rule, link=joined("predecessor", 1))
    inside = road(
        2,
        20.0,
        plan.format(x=50, length=20),
        section(left=[lane(1, before=1, after=1)], right=[lane(-1, before=-1, after=-1)]),
        junction=1,
        rule=rule,
        link=joined("predecessor", 1, "end") + joined("successor", 3, "start"),
        more=f"<signals>{light(1, 6, with_s)}{light(2, -6, against)}</signals>",
    )
    lanes = junction(1, (1, 2, "start", [(with_s, with_s)]), (3, 2, "end", [(against, against)]))
    return read_road_map(opendrive(way_in, inside, way_out, lanes))


def lit(states: States, x: float = 60.0, y: float = -6.0, *, volume: bool = False) -> Callable[[int], Iterable[bytes]]:
    """The packets of a light that changes."""

    def more(index: int) -> Iterable[bytes]:
        state = {"id": LIGHT, "frozen": 0, "elapsed": 1.0, "state": states(index)}
        yield b.packet(7, b.traffic_light_state([state]))
        if not index:
            yield b.packet(2, b.event_add([b.actor(LIGHT, 3, "traffic.traffic_light", b.xyz(x * 100, y * 100))]))
            if volume:
                box = {"id": LIGHT, "origin": b.xyz(3000.0, 175.0), "extent": b.xyz(200.0, 150.0, 100.0)}
                yield b.packet(17, b.bounding_box([box]))

    return more


def events_of(
    path: Path, course: Course, more: Callable[[int], Iterable[bytes]], roads: RoadMap | None, kind: str = "vehicle"
) -> Events:
    with recorder_editor.open(film(path / "light.log", {1: Actor(course, kind)}, 8.0, more)) as recording:
        recording.context.use_road_map(roads)
        return find_events(recording.snapshot, kinds=["red-light"])


def frame_at(front: float, speed: float = 8.0) -> int:
    """The first frame in which the front of a car that starts at 20 m is beyond a place."""
    return next(index for index in range(1000) if 20 + speed * index * STEP + HALF > front)


OVER = frame_at(LINE)
THERE = frame_at(LINE + 2 * HALF + WITHIN)


def at_once(changes: int, before: int, after: int) -> States:
    """A light that changes in a frame."""
    return lambda index: before if index < changes else after


THROUGH = along(20, 1.75, 0, 8)
STOPS_AT = 20 + 8 + 8**2 / 6  # m: who drives 8 m/s and brakes with 3 m/s² after a second


def stopping(front: float, starts: float = 100.0) -> Course:
    """Comes to a stand with the front at a place, and may drive on."""
    way = braking(8, -3.0)
    return along(
        front - HALF - STOPS_AT + 20, 1.75, 0, lambda seconds: way(seconds) + max(seconds - starts, 0.0) ** 2 * 2
    )


CASES: dict[str, tuple[Course, States, bool]] = {
    "red": (THROUGH, lambda _: RED, True),
    "yellow": (THROUGH, lambda _: YELLOW, False),
    "green": (THROUGH, lambda _: GREEN, False),
    "red just before its front is over": (THROUGH, at_once(OVER - 1, YELLOW, RED), True),
    "red as its front is over": (THROUGH, at_once(OVER, YELLOW, RED), False),
    "green before it is through": (THROUGH, at_once(THERE, RED, GREEN), False),
    "green when it is through": (THROUGH, at_once(THERE + 1, RED, GREEN), True),
    "stops just before": (stopping(LINE - 0.1), lambda _: RED, False),
    "stops with its front over": (stopping(LINE + 1), lambda _: RED, False),
    "stops with its rear over, where the light holds": (stopping(LINE + 2 * HALF + 0.9), lambda _: RED, False),
    "stops behind where the light holds": (stopping(LINE + 2 * HALF + 1.1), lambda _: RED, True),
    "stops, and goes at green": (stopping(LINE + 1, 5.0), at_once(100, RED, GREEN), False),
    "stops, and goes at red": (stopping(LINE - 0.1, 5.0), lambda _: RED, True),
    "beside the lane": (along(20, 6, 0, 8), lambda _: RED, False),
    "backwards out of the junction": (along(60, 1.75, 0, -8), lambda _: RED, False),
}


@pytest.mark.parametrize("case", CASES)
def test_who_drives_over_the_line_while_it_is_red_passes_it(tmp_path: Path, case: str) -> None:
    course, states, is_event = CASES[case]
    events = events_of(tmp_path, course, lit(states), crossroads())
    assert not events.lacking
    assert len(events) == is_event
    if is_event:
        other = events.other(0)
        assert (events.life(0).actor, other and other.actor) == (1, LIGHT)


@pytest.mark.parametrize("volume", [False, True], ids=["line", "volume"])
@pytest.mark.parametrize(("height", "number"), [(2.0, 1), (8.0, 0), (-8.0, 0)])
def test_who_is_on_a_bridge_passes_no_light_below(tmp_path: Path, volume: bool, height: float, number: int) -> None:
    path = film(tmp_path / "bridge.log", {1: Actor(THROUGH, height=height)}, 8.0, lit(lambda _: RED, volume=volume))
    with recorder_editor.open(path) as recording:
        recording.context.use_road_map(None if volume else crossroads())
        assert len(find_events(recording.snapshot, kinds=["red-light"])) == number


def test_a_light_that_is_never_red_takes_no_memory_of_frames(tmp_path: Path) -> None:
    path = film(tmp_path / "green.log", {1: Actor(THROUGH)}, 8.0, lit(lambda _: GREEN, volume=True))
    with recorder_editor.open(path) as recording:
        lights = RedLights(recording.snapshot, Actors.of(recording.snapshot))
    assert lights._places
    assert lights._red == {}


def test_it_begins_when_the_front_is_over_and_ends_when_it_is_through(tmp_path: Path) -> None:
    (event,) = events_of(tmp_path, THROUGH, lit(lambda _: RED), crossroads()).table
    assert (event["first"], event["worst"], event["last"]) == (OVER, OVER, THERE)
    assert event["value"] == pytest.approx(8)
    assert (event["x"], event["y"]) == pytest.approx((20 + 8 * OVER * STEP, 1.75))


@pytest.mark.parametrize("rule", ["RHT", "LHT"])
@pytest.mark.parametrize("against", [False, True])
@pytest.mark.parametrize("own", [True, False])
def test_each_direction_has_its_own_light_whichever_side_is_driven_on(
    tmp_path: Path, rule: str, against: bool, own: bool
) -> None:
    """Right of the middle is y > 0 to one that drives along x; the light of that direction is at y = -6."""
    y = 1.75 if (rule == "RHT") != against else -1.75
    course = along(100, y, 180, 8) if against else along(20, y, 0, 8)
    at = 6.0 if against == own else -6.0
    events = events_of(tmp_path, course, lit(lambda _: RED, y=at), crossroads(rule))
    assert len(events) == own
    if own:
        assert events.table["first"][0] == OVER


def test_walkers_pass_no_red_light(tmp_path: Path) -> None:
    assert not len(events_of(tmp_path, THROUGH, lit(lambda _: RED), crossroads(), "walker"))


def test_a_trigger_volume_is_taken_before_the_map(tmp_path: Path) -> None:
    """It is at 28 to 32 m; the line of the map is at 50 m."""
    (event,) = events_of(tmp_path, THROUGH, lit(lambda _: RED, volume=True), crossroads()).table
    assert event["x"] == pytest.approx(32.4)


@pytest.mark.parametrize("x", [60.0, 61.2])
def test_without_the_lights_of_the_map_it_is_said_that_red_lights_were_not_looked_for(tmp_path: Path, x: float) -> None:
    roads = None if x == 60.0 else crossroads()
    events = events_of(tmp_path, THROUGH, lit(lambda _: RED, x), roads)
    assert [kind.name for kind in events.lacking] == ["red-light"]
    assert not len(events)


def test_lights_that_are_added_again_hold_where_they_held(tmp_path: Path) -> None:
    """As in recordings that were put one behind another."""
    once = lit(lambda _: RED)

    def more(index: int) -> Iterable[bytes]:
        yield from once(index)
        if index == 10:
            yield b.packet(2, b.event_add([b.actor(LIGHT, 3, "traffic.traffic_light", b.xyz(6000.0, -600.0))]))

    events = events_of(tmp_path, THROUGH, more, crossroads())
    assert len(events) == 1
    assert not events.lacking


# --- real recordings ----------------------------------------------------------------------------------------

REAL = {
    # It waits at the line until the scenario lets it go in frame 482, while the light stays red.
    "carla-0.9.13-town05-collisions.log": ("Town05", [(3910, 3870, 498, 525)]),
    "carla-0.9.13-opendrive.log": ("Town05", [(2229, 2183, 76, 80)]),
    "carla-0.9.10-town01-scene-lights.log": ("Town01", []),
    "carla-0.9.13-town01.log": ("Town01", []),
    "carla-0.9.15-town05-bikes.log": ("Town05", []),
    # Four of 38 lights stand elsewhere than in the map.
    "carla-0.9.6-town03-walkers.rec": ("Town03", None),
    "carla-0.9.6-town03-collision.rec": ("Town03", None),
}


@pytest.fixture(scope="module")
def towns() -> dict[str, RoadMap]:
    if not MAPS.exists():
        missing(f"no road maps in {MAPS}")
    return {name: read_road_map(MAPS / f"{name}.xodr") for name in ("Town01", "Town03", "Town05")}


@pytest.mark.parametrize("name", REAL)
def test_those_of_real_recordings(recordings: Path, towns: dict[str, RoadMap], name: str) -> None:
    town, expected = REAL[name]
    with recorder_editor.open(recordings / name) as recording:
        recording.context.use_road_map(towns[town])
        events = find_events(recording.snapshot, kinds=["red-light"])
    found = []
    for row, event in enumerate(events.table):
        other = events.other(row)
        assert other is not None
        found.append((events.life(row).actor, other.actor, int(event["first"]) + 1, int(event["last"]) + 1))
    assert [kind.name for kind in events.lacking] == (["red-light"] if expected is None else [])
    assert found == (expected or [])


def test_each_lane_before_a_light_of_the_simulators_maps_has_one_and_each_light_a_lane(
    towns: dict[str, RoadMap],
) -> None:
    """Otherwise the light of one way on would be taken for that of another one."""
    for town, lights, lanes in (("Town01", 36, 36), ("Town03", 38, 55), ("Town05", 54, 111)):
        roads = towns[town]
        assert (len(roads.lights), len(roads.light_lanes)) == (lights, lanes)
        assert len(set(roads.light_lanes["lane"].tolist())) == lanes
        assert len(set(roads.light_lanes["light"].tolist())) == lights
