"""The demonstration town: sound in every dialect, believable as traffic, the same for the same seed."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import cos, degrees, hypot, radians, sin
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor import resources
from recorder_editor.checks.overlaps import overlaps_of
from recorder_editor.cli import main
from recorder_editor.demo import make_town
from recorder_editor.demo.scenario import Scenario
from recorder_editor.demo.town import FOOT, RED_LAMP, Town
from recorder_editor.demo.traffic import CYCLIST, HERO
from recorder_editor.edits import add_actor
from recorder_editor.edits.blueprints import Release
from recorder_editor.edits.new_actors.writer import Writer
from recorder_editor.format.dialects import DIALECTS

from .. import builders as b
from ..recording.films import opened, town
from .reader import ONLY_WHEN_NOT_EMPTY, RULES, Added, Frame, Recording, read

STEP = 0.05
SECONDS = 24.0
STORY = {"seconds": SECONDS, "vehicles": 20, "walkers": 12, "lights": 4, "seed": 4}
SECOND = {"seconds": 1.0, "vehicles": 14, "walkers": 8, "seed": 3}
EVERYTHING = "ue4-2026"
HERO_NEVER_FASTER = 14.0


@pytest.fixture(scope="module")
def story() -> Recording:
    """The whole story in the dialect that has every packet."""
    return read(town(dialect=EVERYTHING, **STORY), EVERYTHING)


@pytest.fixture(scope="module")
def introductions(story: Recording) -> dict[int, Added]:
    return {actor.id: actor for frame in story.frames for actor in frame.packets["EventAdd"]}


@pytest.fixture(scope="module")
def boxes(story: Recording) -> dict[int, tuple[float, ...]]:
    return {box[0]: box[1:] for frame in story.frames for box in frame.packets["BoundingBox"]}


def positions(frame: Frame) -> dict[int, tuple[float, ...]]:
    return {record[0]: record[1:] for record in frame.packets["Position"]}


def is_vehicle(introductions: dict[int, Added], actor: int) -> bool:
    return introductions[actor].blueprint.startswith("vehicle.")


def collided(story: Recording) -> set[int]:
    return {actor for frame in story.frames for hit in frame.packets["Collision"] for actor in hit[1:3]}


# --- the file -------------------------------------------------------------------------------------------


def test_the_same_arguments_give_the_same_bytes() -> None:
    arguments = {"seconds": 1.0, "vehicles": 12, "walkers": 6, "seed": 5}
    one, other = (b"".join(make_town(**arguments)) for _ in range(2))
    assert one == other
    assert one != town(**{**arguments, "seed": 6})


def test_what_a_release_never_fills_is_written_empty() -> None:
    data = b"".join(make_town(1.0, vehicles=8, walkers=2, dialect="ue5-0.10.0"))
    frames = read(data, "ue5-0.10.0").frames
    for name in ("AnimVehicleWheels", "AnimBiker"):
        assert all(frame.packets[name] == [] for frame in frames)
    assert any(frame.packets["AnimVehicle"] for frame in frames)
    with opened(data, "ue5-0.10.0") as recording:
        bicycle = next(life.blueprint for life in recording.actors if life.class_ == "two-wheeler")
        recording.apply(add_actor(recording, bicycle, path=[[0.0, 0.0], [30.0, 0.0]]))
        for frame in recording:
            for name in ("AnimVehicleWheels", "AnimBiker"):
                found = frame.packet(name)
                assert found is not None
                assert found.body == b.u16(0)


@pytest.mark.parametrize(("traits", "is_written"), [({}, True), ({"presence": "filled"}, False)])
def test_traits_of_packets_decide_which_are_written(traits: dict[str, Any], is_written: bool) -> None:
    dialect = DIALECTS[EVERYTHING]
    state = dialect.by_name("State")
    assert state is not None
    dialect = replace(dialect, packets={**dialect.packets, state.id: replace(state, **traits)})
    packets = defaultdict(list[Any], FrameStart=[(1, 0.05, 0.0)], VisualTime=[(0.0,)])
    frame = Writer(dialect).frame(packets)
    assert (b.packet(state.id, b.u16(0)) in frame) == is_written


def test_the_bytes_come_a_frame_at_a_time() -> None:
    pieces = list(make_town(1.0, vehicles=4, walkers=2))
    assert len(pieces) == 1 + 21
    assert all(piece[:5] == b"\x00\x18\x00\x00\x00" for piece in pieces[1:])
    assert all(piece[-5:] == b"\x01\x00\x00\x00\x00" for piece in pieces[1:])


def test_the_date_is_the_seed_s_own() -> None:
    header = [next(make_town(0.0, vehicles=0, walkers=0, lights=0, seed=seed)) for seed in (1, 1, 2)]
    assert header[0] == header[1] != header[2]


@pytest.mark.parametrize("dialect", RULES)
def test_every_dialect_is_written_as_its_release_writes(dialect: str) -> None:
    recording = read(town(dialect=dialect, **SECOND), dialect)
    rules = RULES[dialect]
    expected = set(rules.order) - ONLY_WHEN_NOT_EMPTY
    assert len(recording.frames) == 21
    for frame in recording.frames:
        assert expected <= set(frame.packets)
        assert ("Kinematics" in frame.packets) == ("Kinematics" in rules.ids)
    first = recording.frames[0].packets
    assert set(first) == set(rules.order), "the first frame has everything there is"


@pytest.mark.parametrize("dialect", RULES)
def test_the_library_hears_the_dialect_it_wrote(dialect: str, tmp_path: Path) -> None:
    path = tmp_path / "town.log"
    path.write_bytes(town(dialect=dialect, **SECOND))
    with recorder_editor.open(path) as recording:
        assert recording.dialect.name == dialect
        assert recording.findings == ()
        assert len(recording) == 21


@pytest.mark.parametrize("dialect", RULES)
def test_types_and_attributes_are_numbered_as_the_release_numbers_them(dialect: str) -> None:
    recording = read(town(dialect=dialect, **SECOND), dialect)
    rules = RULES[dialect]
    numbers = {"number_of_wheels": 1, "sticky_control": 0, "color": 4, "role_name": 3, "object_type": 3}
    kinds = {"vehicle": 1, "walker": 2, "sensor": rules.sensor, "static": 0, "spectator": 0}
    for actor in recording.frames[0].packets["EventAdd"]:
        family = actor.blueprint.partition(".")[0]
        if actor.blueprint == "traffic.traffic_light":
            assert actor.kind == 3
        else:
            assert actor.kind == (rules.sign if family == "traffic" else kinds[family])
        for name, (number, _) in actor.attributes.items():
            if name in numbers:
                assert number == numbers[name] + rules.shift
        assert (actor.uid == 0) == (family in ("traffic", "spectator"))


@pytest.mark.parametrize(("dialect", "earlier"), [("ue4-0.9.6", False), ("ue4-0.9.14", False), ("ue4-0.9.15", True)])
def test_the_object_type_stands_where_the_release_writes_it(dialect: str, earlier: bool) -> None:
    first = read(town(dialect=dialect, seconds=0.0, vehicles=3, walkers=0), dialect).frames[0].packets
    for names in (list(actor.attributes) for actor in first["EventAdd"] if actor.blueprint.startswith("vehicle.")):
        assert names.count("object_type") == 1
        assert (names.index("object_type") < names.index("sticky_control")) == earlier


def test_the_traffic_does_not_depend_on_the_dialect() -> None:
    floats = read(town(dialect="ue4-0.9.12", seconds=3.0, vehicles=10, walkers=4), "ue4-0.9.12")
    doubles = read(town(dialect="ue5-2026", seconds=3.0, vehicles=10, walkers=4), "ue5-2026")
    for narrow, wide in zip(floats.frames, doubles.frames, strict=True):
        assert np.allclose(narrow.packets["Position"], wide.packets["Position"], rtol=1e-6, atol=1e-3)


@pytest.mark.parametrize(("seconds", "step"), [(3.0, 0.05), (2.0, 0.02), (6.0, 0.3), (1.0, 1.0), (0.0, 0.05)])
def test_frames_follow_each_other_without_gaps(seconds: float, step: float) -> None:
    frames = read(town(seconds=seconds, step=step, vehicles=2, walkers=1), "ue4-0.9.15").frames
    assert len(frames) == round(seconds / step) + 1
    assert [frame.number for frame in frames] == list(range(1, len(frames) + 1))
    assert frames[0].elapsed == 0.0
    assert frames[-1].elapsed == pytest.approx(seconds)
    assert frames[-1].duration == -1.0
    for frame, following in pairwise(frames):
        assert frame.elapsed + frame.duration == following.elapsed


@pytest.mark.parametrize(
    "arguments",
    [
        {"vehicles": 0, "walkers": 0, "lights": 0},
        {"vehicles": 1, "walkers": 0, "lights": 1},
        {"vehicles": 2, "walkers": 1, "lights": 2},
        {"vehicles": 3, "walkers": 2, "lights": 7},
        {"vehicles": 90, "walkers": 60, "lights": 50},
    ],
)
def test_exactly_as_much_is_in_the_town_as_asked_for(arguments: dict[str, int]) -> None:
    first = read(town(seconds=0.5, **arguments), "ue4-0.9.15").frames[0].packets
    names = [actor.blueprint for actor in first["EventAdd"]]
    assert sum(name.startswith("vehicle.") for name in names) == arguments["vehicles"]
    assert sum(name.startswith("walker.") for name in names) == arguments["walkers"]
    assert names.count("traffic.traffic_light") == len(first["State"]) == arguments["lights"]


@pytest.mark.parametrize(
    "arguments", [{"seconds": -1.0}, {"step": 0.0}, {"vehicles": -1}, {"walkers": 10_000}, {"lights": -3}]
)
def test_numbers_that_make_no_town_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"A (recording|town) "):
        make_town(**arguments)


def test_a_dialect_that_does_not_exist_is_refused() -> None:
    with pytest.raises(KeyError):
        make_town(dialect="ue4-1.0")


# --- who is there -----------------------------------------------------------------------------------------


def test_nobody_is_named_who_is_not_there(story: Recording) -> None:
    alive: set[int] = set()
    parked: set[int] = set()
    for frame in story.frames:
        packets = frame.packets
        born = [actor.id for actor in packets["EventAdd"]]
        gone = [record[0] for record in packets["EventDel"]]
        assert not set(born) & alive
        assert not set(born) & parked, "an id came back"
        alive |= set(born)
        parked |= set(born)
        assert set(gone) <= alive
        assert not set(gone) & set(born)
        alive -= set(gone)
        for name in ("Position", "State", "AnimVehicle", "AnimWalker", "VehicleLight", "Kinematics", "AnimBiker"):
            named = [record[0] for record in packets[name]]
            assert set(named) <= alive
            assert len(set(named)) == len(named)
        for name in ("AnimVehicleWheels", "WalkerBones", "VehicleDoor", "TriggerVolume", "BoundingBox"):
            assert {record[0] for record in packets.get(name, [])} <= alive
        for record in (*packets["EventParent"], *(hit[1:3] for hit in packets["Collision"])):
            assert set(record) <= alive


def test_everything_that_moves_is_told_of_in_every_frame(story: Recording, introductions: dict[int, Added]) -> None:
    alive: set[int] = set()
    for frame in story.frames:
        alive |= {actor.id for actor in frame.packets["EventAdd"]}
        alive -= {record[0] for record in frame.packets["EventDel"]}
        families = {actor: introductions[actor].blueprint.partition(".")[0] for actor in alive}
        vehicles = {actor for actor, family in families.items() if family == "vehicle"}
        walkers = {actor for actor, family in families.items() if family == "walker"}
        others = {actor for actor, family in families.items() if family in ("static", "spectator")}
        assert set(positions(frame)) == vehicles | walkers | others
        for name in ("AnimVehicle", "VehicleLight", "AnimVehicleWheels"):
            assert {record[0] for record in frame.packets[name]} == vehicles
        for name in ("AnimWalker", "WalkerBones"):
            assert {record[0] for record in frame.packets[name]} == walkers
        assert {record[0] for record in frame.packets["Kinematics"]} == vehicles | walkers


def test_vehicles_and_walkers_come_and_go(story: Recording, introductions: dict[int, Added]) -> None:
    came = [actor.blueprint.partition(".")[0] for frame in story.frames[1:] for actor in frame.packets["EventAdd"]]
    gone = [
        introductions[record[0]].blueprint.partition(".")[0]
        for frame in story.frames
        for record in frame.packets["EventDel"]
    ]
    assert {"vehicle", "walker", "sensor"} <= set(came)
    assert {"vehicle", "sensor"} <= set(gone)


def test_whoever_appears_stands_where_the_event_says(story: Recording) -> None:
    for frame in story.frames:
        placed = positions(frame)
        for actor in frame.packets["EventAdd"]:
            if actor.id in placed:
                assert placed[actor.id] == (*actor.location, *actor.rotation)


def test_the_hero_carries_sensors(story: Recording, introductions: dict[int, Added]) -> None:
    heroes = [actor.id for actor in introductions.values() if actor.attributes.get("role_name", (0, ""))[1] == "hero"]
    assert len(heroes) == 1
    parents = [record for frame in story.frames for record in frame.packets["EventParent"]]
    carried = [introductions[child].blueprint for child, parent in parents if parent == heroes[0]]
    assert {"sensor.camera.rgb", "sensor.other.collision"} <= set(carried)
    first = set(story.frames[0].packets["EventParent"])
    assert len(first) == 3
    assert len(parents) > len(first), "one more is attached while it runs"


def test_boxes_of_sensors_and_spectator_are_no_boxes() -> None:
    data = town(dialect="ue4-0.9.12", seconds=0.0, vehicles=3, walkers=0)
    nothing = b"\x00\x00\xc0\xff" * 3 + b"\x00\x00\x80\xff" * 3
    assert data.count(nothing) == 4
    wide = town(dialect="ue5-2026", seconds=0.0, vehicles=3, walkers=0)
    assert wide.count(b"\x00\x00\x00\x00\x00\x00\xf8\xff" * 3 + b"\x00\x00\x00\x00\x00\x00\xf0\xff" * 3) == 4


# --- how they move ----------------------------------------------------------------------------------------


def test_velocities_are_how_far_everyone_moved(story: Recording, introductions: dict[int, Added]) -> None:
    for before, after in pairwise(story.frames):
        was, now = positions(before), positions(after)
        for record in after.packets["Kinematics"]:
            actor = record[0]
            if actor not in was:
                continue
            for axis in range(3):
                moved = (now[actor][axis] - was[actor][axis]) / 100 / STEP
                assert abs(moved - record[1 + axis]) < 0.02, introductions[actor].blueprint
            turned = ((now[actor][5] - was[actor][5] + 180) % 360 - 180) / STEP
            assert abs(turned - record[6]) < 0.05


def test_angular_velocity_is_that_of_the_body(story: Recording) -> None:
    for before, after in pairwise(story.frames[:200]):
        was, now = positions(before), positions(after)
        for record in after.packets["Kinematics"]:
            if record[0] not in was:
                continue
            roll, pitch = ((now[record[0]][axis] - was[record[0]][axis]) / STEP for axis in (3, 4))
            yaw = radians(now[record[0]][5])
            along = record[4] * cos(yaw) + record[5] * sin(yaw)
            across = -record[4] * sin(yaw) + record[5] * cos(yaw)
            assert abs(along + roll) < 0.05
            assert abs(across + pitch) < 0.05


def test_speeds_and_accelerations_are_those_of_vehicles(story: Recording, introductions: dict[int, Added]) -> None:
    pair = collided(story)
    for before, after in pairwise(story.frames):
        was = {record[0]: record[1:4] for record in before.packets["Kinematics"]}
        for record in after.packets["Kinematics"]:
            actor, speed = record[0], hypot(record[1], record[2])
            limit = HERO_NEVER_FASTER if is_vehicle(introductions, actor) else 2.2
            assert speed < limit
            if actor in was and actor not in pair:
                change = (speed - hypot(was[actor][0], was[actor][1])) / STEP
                assert -7.5 < change < 3.5, introductions[actor].blueprint


@pytest.fixture(scope="module")
def rear_axles(story: Recording, introductions: dict[int, Added]) -> dict[int, float]:
    """Centimetres from the middle of a vehicle back to its rear axle."""
    found = {}
    for frame in story.frames:
        for actor, wheels in frame.packets.get("PhysicsControl", []):
            assert len(wheels) == 4
            left, right = (np.array(place) for place in wheels[2:])
            found[actor] = float(np.hypot(*((left + right) / 2 - introductions[actor].location)[:2]))
    return found


def test_vehicles_roll_the_way_they_point(
    story: Recording, introductions: dict[int, Added], rear_axles: dict[int, float]
) -> None:
    """The rear axle never slides sideways, so steering, yaw and path belong together."""
    pair = collided(story)
    slides = []
    for before, after in pairwise(story.frames):
        was, now = positions(before), positions(after)
        for actor in now.keys() & was.keys() - pair:
            if not is_vehicle(introductions, actor) or was[actor] == now[actor]:
                continue
            slides.append(_slide(was[actor], now[actor], rear_axles[actor]))
    assert len(slides) > 1000
    assert max(slides) < 0.004


def _slide(was: tuple[float, ...], now: tuple[float, ...], back: float) -> float:
    yaw = radians(was[5] + ((now[5] - was[5] + 180) % 360 - 180) / 2)
    axles = [(pose[0] - back * cos(radians(pose[5])), pose[1] - back * sin(radians(pose[5]))) for pose in (was, now)]
    x, y = axles[1][0] - axles[0][0], axles[1][1] - axles[0][1]
    return abs(-x * sin(yaw) + y * cos(yaw)) / 100


def test_steering_fits_the_turning(story: Recording, introductions: dict[int, Added]) -> None:
    """To the right is positive, in the pedals' record and in the wheels' alike."""
    agree = total = 0
    for frame in story.frames:
        yaw_rates = {record[0]: record[6] for record in frame.packets["Kinematics"]}
        wheels = dict(frame.packets["AnimVehicleWheels"])
        for record in frame.packets["AnimVehicle"]:
            assert -1.0 <= record[1] <= 1.0
            front = wheels[record[0]][0]
            assert front[1] == pytest.approx(70 * record[1], rel=0.1, abs=0.01)
            if abs(yaw_rates[record[0]]) > 5 and record[0] not in collided(story):
                total += 1
                agree += (record[1] > 0) == (yaw_rates[record[0]] > 0)
    assert total > 200
    assert agree > 0.97 * total


def test_brake_lights_and_pedals_agree(story: Recording) -> None:
    for frame in story.frames:
        lights = dict(frame.packets["VehicleLight"])
        for actor, _, throttle, brake, handbrake, gear in frame.packets["AnimVehicle"]:
            assert 0 <= throttle <= 1
            assert 0 <= brake <= 1
            assert not (throttle and brake)
            assert gear >= (0 if handbrake else 1)
            if lights[actor] & 0x8:
                assert brake > 0


def _corners(pose: tuple[float, ...], box: tuple[float, ...]) -> np.ndarray[Any, Any]:
    yaw = radians(pose[5])
    forward, right = np.array([cos(yaw), sin(yaw)]), np.array([-sin(yaw), cos(yaw)])
    middle = np.array(pose[:2]) + box[0] * forward
    return np.array(
        [middle + a * box[3] * forward + b * box[4] * right for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
    )


def _overlap(first: np.ndarray[Any, Any], second: np.ndarray[Any, Any]) -> float:
    """How deep two rectangles reach into each other, in centimetres; negative where they are apart."""
    depths = []
    for one in (first, second):
        for edge in (one[1] - one[0], one[2] - one[1]):
            axis = np.array([-edge[1], edge[0]]) / hypot(*edge)
            a, b = first @ axis, second @ axis
            depths.append(min(a.max(), b.max()) - max(a.min(), b.min()))
    return float(min(depths))


def _close_pairs(poses: dict[int, tuple[float, ...]], actors: list[int], reach: float) -> Iterator[tuple[int, int]]:
    places = np.array([poses[actor][:2] for actor in actors])
    apart = np.hypot(*(places[:, None, axis] - places[None, :, axis] for axis in (0, 1)))
    for i, j in zip(*np.nonzero(np.triu(apart < reach, 1)), strict=True):
        yield actors[i], actors[j]


def test_no_two_vehicles_overlap_but_the_two_that_collide(
    story: Recording, introductions: dict[int, Added], boxes: dict[int, tuple[float, ...]]
) -> None:
    pair = collided(story)
    for frame in story.frames:
        poses = positions(frame)
        actors = [actor for actor in poses if is_vehicle(introductions, actor)]
        for first, second in _close_pairs(poses, actors, 700.0):
            depth = _overlap(_corners(poses[first], boxes[first]), _corners(poses[second], boxes[second]))
            assert depth < (8.0 if {first, second} == pair else 0.0), (frame.number, first, second)


def test_nobody_is_run_over(
    story: Recording, introductions: dict[int, Added], boxes: dict[int, tuple[float, ...]]
) -> None:
    for frame in story.frames[::2]:
        poses = positions(frame)
        walking = [actor for actor in poses if introductions[actor].blueprint.startswith("walker.")]
        vehicles = [actor for actor in poses if is_vehicle(introductions, actor)]
        for walker in walking:
            for vehicle in vehicles:
                if hypot(poses[walker][0] - poses[vehicle][0], poses[walker][1] - poses[vehicle][1]) < 500:
                    shapes = (_corners(poses[actor], boxes[actor]) for actor in (walker, vehicle))
                    assert _overlap(*shapes) < -20.0


@pytest.mark.parametrize(
    ("seconds", "vehicles", "walkers"), [(18.0, 6, 40), pytest.param(40.0, 24, 24, marks=pytest.mark.long)]
)
def test_some_walkers_wait_and_walkers_cross_the_road(seconds: float, vehicles: int, walkers: int) -> None:
    play = _play(seconds=seconds, vehicles=vehicles, walkers=walkers)
    traffic, crossed, waited = play.traffic, 0, 0
    for _ in play.frames():
        walking = traffic.driving & (play.town.kind[traffic.rail] == FOOT)
        left = play.town.begins[traffic.rail, traffic.ahead] - traffic.along
        crossed = max(crossed, int((walking & (left < -2.0)).sum()))
        waited = max(waited, int((walking & (left > 0) & (left < 2.0) & (traffic.speed < 0.1)).sum()))
        assert traffic.permit[walking & (left < -0.2)].all()
    assert crossed > 0
    assert waited > 0


def test_walkers_move_smoothly(story: Recording, introductions: dict[int, Added]) -> None:
    for before, after in pairwise(story.frames):
        was, now = positions(before), positions(after)
        for actor in was.keys() & now.keys():
            if introductions[actor].blueprint.startswith("walker."):
                assert hypot(now[actor][0] - was[actor][0], now[actor][1] - was[actor][1]) < 12.0
                assert abs((now[actor][5] - was[actor][5] + 180) % 360 - 180) < 12.0


# --- lights and signs -------------------------------------------------------------------------------------


def _play(**changes: Any) -> Scenario:
    arguments: dict[str, Any] = {"seconds": 30.0, "step": STEP, "vehicles": 24, "walkers": 8, "lights": 11, "seed": 4}
    return Scenario(Release(3, ue5=False), **(arguments | changes))


@pytest.mark.parametrize(
    ("seconds", "seed"),
    [(25.0, 2), pytest.param(60.0, 2, marks=pytest.mark.long), pytest.param(60.0, 4, marks=pytest.mark.long)],
)
def test_no_vehicle_crosses_a_stop_line_at_red(seconds: float, seed: int) -> None:
    play = _play(seconds=seconds, vehicles=40, seed=seed)
    traffic, town_ = play.traffic, play.town
    left_before: dict[tuple[int, int, int], float] = {}
    crossed = 0
    for index, _ in enumerate(play.frames()):
        lamp, _, _ = town_.lamps(index * STEP)
        left_now: dict[tuple[int, int, int], float] = {}
        for row in np.flatnonzero(traffic.driving & (town_.kind[traffic.rail] != FOOT)).tolist():
            rail, ahead = int(traffic.rail[row]), int(traffic.ahead[row])
            left = float(town_.begins[rail, ahead] - traffic.along[row] - traffic.front[row])
            left_now[row, rail, ahead] = left
            junction = town_.junction[rail, ahead]
            if left_before.get((row, rail, ahead), -1.0) > 0 >= left and town_.lit[junction]:
                crossed += 1
                assert lamp[junction, town_.group[rail]] != RED_LAMP
        left_before = left_now
    assert crossed > 5


def test_traffic_lights_cycle_and_tell_the_seconds_in_their_state(story: Recording) -> None:
    follows = {2: 1, 1: 0, 0: 2}
    changes = 0
    for before, after in pairwise(story.frames):
        was = {record[0]: record[1:] for record in before.packets["State"]}
        for actor, frozen, elapsed, state in after.packets["State"]:
            assert not frozen
            if state == was[actor][2]:
                assert elapsed == pytest.approx(was[actor][1] + STEP, abs=1e-3)
            else:
                changes += 1
                assert state == follows[was[actor][2]]
                assert elapsed < STEP + 1e-6
    assert changes >= 4
    times = story.frames[0].packets["TrafficLightTime"]
    assert {record[0] for record in times} == {record[0] for record in story.frames[0].packets["State"]}
    assert all(record[1:] == (9.0, 3.0, 2.0) for record in times)


@pytest.mark.parametrize("lights", [0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 40])
def test_a_town_has_exactly_as_many_lights_as_asked_for(lights: int) -> None:
    town_ = Town(10, 4, lights, Random(lights))
    assert len(town_.heads) == lights
    places = [town_.along(rail, town_.begins[rail, at])[:2] for rail, at in town_.heads]
    assert len({(round(float(x), 2), round(float(y), 2)) for x, y in places}) == lights


def test_street_lamps_go_on_and_headlights_with_them(story: Recording) -> None:
    first = story.frames[0].packets["SceneLight"]
    assert not any(record[6] for record in first)
    later = [record for frame in story.frames[1:] for record in frame.packets.get("SceneLight", [])]
    assert sorted(record[0] for record in later) == sorted(record[0] for record in first)
    assert all(record[6] and record[7] == 2 for record in later)
    assert any(lights & 0x2 for _, lights in story.frames[-1].packets["VehicleLight"])
    assert not any(lights & 0x2 for _, lights in story.frames[0].packets["VehicleLight"])


# --- the story --------------------------------------------------------------------------------------------


def test_the_hero_bumps_into_a_bicycle_late_in_the_recording(story: Recording, introductions: dict[int, Added]) -> None:
    hits = [frame for frame in story.frames if frame.packets["Collision"]]
    assert len(hits) > 5
    assert hits[0].elapsed > SECONDS / 2
    assert hits[-1].elapsed - hits[0].elapsed < 2.0
    assert len(hits) > (hits[-1].elapsed - hits[0].elapsed) / STEP / 2, "one touch, not many"
    records = [record for frame in hits for record in frame.packets["Collision"]]
    assert [record[0] for record in records] == sorted({record[0] for record in records})
    for _, first, second, first_is_hero, second_is_hero in records:
        assert first_is_hero != second_is_hero
        bicycle = second if first_is_hero else first
        assert "century" in introductions[bicycle].blueprint
    hero = records[0][1]
    still = {record[0]: record for record in story.frames[-1].packets["Kinematics"]}
    assert hypot(*still[hero][1:3]) < 0.1
    assert dict(story.frames[-1].packets["VehicleLight"])[hero] & 0x30 == 0x30


def test_the_bicycle_falls(story: Recording) -> None:
    first = next(frame for frame in story.frames if frame.packets["Collision"])
    bicycle = first.packets["Collision"][0][2]
    assert abs(positions(first)[bicycle][3]) < 20
    assert abs(positions(story.frames[-1])[bicycle][3]) > 60


@pytest.mark.parametrize(
    ("seed", "vehicles", "seconds"),
    [(4, 2, 8), (1, 8, 8), *(pytest.param(*each, 30, marks=pytest.mark.long) for each in ((4, 2), (1, 24), (7, 80)))],
)
def test_nothing_collides_where_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: int, vehicles: int, seconds: int
) -> None:
    """As the program's own report and checks see it."""
    path = tmp_path / "town.log"
    arguments = ["--seconds", str(seconds)]
    arguments += ["--vehicles", str(vehicles), "--walkers", "8", "--seed", str(seed)]
    hits = []
    for further in ([], ["--no-collision", "--overwrite"]):
        assert main(["demo", str(path), *arguments, *further]) == 0
        assert main(["collisions", str(path)]) == 0
        _, head, body = capsys.readouterr().out.partition("Actor 2")
        assert head
        hits.append(body.partition("Frames:")[0].split())
    assert hits[0]
    assert hits[1] == []
    with recorder_editor.open(path) as recording:
        assert {frame.packet("Collision").decoded.count for frame in recording} == {0}
        users = [life for life in recording.actors if life.blueprint.startswith(("vehicle.", "walker."))]
        assert len(users) >= vehicles + 8
        assert overlaps_of(recording.snapshot, users) == []
    assert main(["check", str(path), "--strict"]) == 0


def test_the_hero_passes_the_cyclist_where_nothing_collides(story: Recording) -> None:
    """Until the cyclist would swerve, the traffic is the same."""
    calm = read(town(dialect=EVERYTHING, collision=False, **STORY), EVERYTHING)
    first = next(index for index, frame in enumerate(story.frames) if frame.packets["Collision"])
    parts = [index for index in range(first) if positions(story.frames[index]) != positions(calm.frames[index])]
    assert parts[0] > first - 2.0 / STEP
    assert parts == list(range(parts[0], first))
    hero, cyclist = story.frames[first].packets["Collision"][0][1:3]
    ahead = [positions(frame)[hero][0] - positions(frame)[cyclist][0] for frame in (calm.frames[0], calm.frames[-1])]
    assert ahead[0] * ahead[1] < 0
    assert all(abs(positions(frame)[cyclist][3]) < 20 for frame in calm.frames)


def test_a_door_opens_and_closes_again(story: Recording) -> None:
    doors = [record for frame in story.frames for record in frame.packets["VehicleDoor"]]
    assert [(door, is_open) for _, door, is_open in doors] == [(1, True), (1, False)]
    assert doors[0][0] == doors[1][0]


def test_the_weather_is_told_at_first_and_when_it_changes(story: Recording) -> None:
    told = [frame.elapsed for frame in story.frames if frame.packets.get("Weather")]
    assert told[0] == 0.0
    assert len(told) == 13
    suns = [frame.packets["Weather"][0][5] for frame in story.frames if frame.packets.get("Weather")]
    assert suns == sorted(suns, reverse=True)


def test_clocks_run(story: Recording) -> None:
    for name, least in (("PlatformTime", 0.0), ("VisualTime", STEP - 1e-9)):
        values = [frame.packets[name][0] for frame in story.frames]
        assert all(after - before > least for before, after in pairwise(values))


def test_wheels_turn_as_far_as_the_vehicle_rolls(story: Recording, introductions: dict[int, Added]) -> None:
    before, after = story.frames[99:101]
    speeds = {record[0]: hypot(*record[1:3]) for record in after.packets["Kinematics"]}
    was = dict(before.packets["AnimVehicleWheels"])
    rolled = 0
    for actor, wheels in after.packets["AnimVehicleWheels"]:
        assert [wheel[0] for wheel in wheels] == list(range(len(wheels)))
        assert len(wheels) == int(introductions[actor].attributes["number_of_wheels"][1])
        turn = (was[actor][-1][2] - wheels[-1][2]) % 1800
        if speeds[actor] > 1.0:
            rolled += 1
            assert 0.2 < speeds[actor] * STEP / radians(turn) < 0.5, "the wheel's radius"
    assert rolled > 5


# --- other towns ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "seed"),
    [(12.0, 11), pytest.param(40.0, 11, marks=pytest.mark.long), pytest.param(40.0, 12, marks=pytest.mark.long)],
)
def test_nobody_overlaps_in_a_bigger_town(seconds: float, seed: int) -> None:
    play = _play(seconds=seconds, vehicles=120, walkers=60, lights=20, seed=seed)
    traffic = play.traffic
    for index, _ in enumerate(play.frames()):
        if index % 10:
            continue
        rows = np.flatnonzero(traffic.alive).tolist()
        poses = {row: (*(100 * traffic.pose[:3, row]), 0.0, 0.0, degrees(traffic.pose[5, row])) for row in rows}
        for first, second in _close_pairs(poses, rows, 700.0):
            if {first, second} != {HERO, CYCLIST}:
                shapes = [_corners(poses[row], _box_of(play, row)) for row in (first, second)]
                assert _overlap(*shapes) < 0.0, (index * STEP, first, second)


def _box_of(play: Scenario, row: int) -> tuple[float, ...]:
    model = play.traffic.model[row]
    half = (18.75, 18.75, 90.0) if model is None else (model.half_length, model.half_width, model.half_height)
    return (0.0, 0.0, 0.0, *half)


@pytest.mark.parametrize("vehicles", [300, pytest.param(1000, marks=pytest.mark.long)])
def test_a_thousand_vehicles_find_room(vehicles: int) -> None:
    data = town(seconds=0.2, vehicles=vehicles, walkers=50, lights=40)
    frames = read(data, "ue4-0.9.15").frames
    assert len(frames[-1].packets["AnimVehicle"]) >= 0.99 * vehicles
    moving = sum(hypot(*record[1:3]) > 0.5 for record in frames[-1].packets["Kinematics"])
    assert moving > vehicles / 2


# --- the bundled sample -----------------------------------------------------------------------------------


def test_the_bundled_sample_is_such_a_town() -> None:
    data = resources.path("sample/town.log").read_bytes()
    recording = read(data, "ue4-0.9.15")
    assert len(data) < 2_500_000
    assert recording.map_name == "DemoTown"
    assert 20 <= recording.frames[-1].elapsed <= 30
    assert {name for frame in recording.frames for name in frame.packets} == set(RULES["ue4-0.9.15"].order)
    assert any(frame.packets["Collision"] for frame in recording.frames)
