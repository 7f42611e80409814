"""`metrics`: metric files written as ScenarioRunner documents them, on real recordings read here byte by byte."""

import json
import math
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from recorder_editor import simulator
from recorder_editor.cli import main
from recorder_editor.extras import remedy

from .. import builders as make
from ..builders import xyz
from ..recording.films import COLLISIONS, WALKERS, of_real

HEAD = """
import json, math
import carla
from srunner.metrics.examples.basic_metric import BasicMetric
"""
LANE = """
class DistanceToLaneCenter(BasicMetric):
    def _create_metric(self, town_map, log, criteria):
        hero = log.get_ego_vehicle_id()
        first, last = log.get_actor_alive_frames(hero)
        found = {}
        for frame in range(first, last + 1):
            place = log.get_actor_transform(hero, frame).location
            lane = town_map.get_waypoint(place).transform
            off, right = place - lane.location, lane.get_right_vector()
            found[frame] = off.x * right.x + off.y * right.y + off.z * right.z
        print(json.dumps([hero, found]))
"""
BETWEEN = """
class DistanceBetweenVehicles(BasicMetric):
    def _create_metric(self, town_map, log, criteria):
        one, other = log.get_actor_ids_with_type_id("vehicle.*")[:2]
        spans = [log.get_actor_alive_frames(each) for each in (one, other)]
        found = {}
        for frame in range(max(span[0] for span in spans), min(span[1] for span in spans) + 1):
            line = log.get_actor_transform(one, frame).location - log.get_actor_transform(other, frame).location
            found[frame] = math.sqrt(line.x ** 2 + line.y ** 2 + line.z ** 2)
        print(json.dumps([one, other, found]))
"""
CRITERIA = """
class Criteria(BasicMetric):
    def _create_metric(self, town_map, log, criteria):
        print(json.dumps({name: criteria[name]["test_status"] for name in criteria}))
"""
KEEP = """
class Keep(BasicMetric):
    def _create_metric(self, town_map, log, criteria):
        carla.kept = town_map, log
"""


# --- what is in the bytes --------------------------------------------------------------------------------


def packets(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Frame (from 1), id and body of every packet."""
    (name,) = struct.unpack_from("<H", data, 26)
    at, frame = 28 + name, 0
    while at < len(data):
        number, size = struct.unpack_from("<BI", data, at)
        frame += number == 0
        yield frame, number, data[at + 5 : at + 5 + size]
        at += 5 + size


def records(data: bytes, number: int, layout: str) -> dict[int, dict[int, tuple[Any, ...]]]:
    """The values of records of a length, by frame and id."""
    found: dict[int, dict[int, tuple[Any, ...]]] = {}
    for frame, each, body in packets(data):
        if each == number:
            found[frame] = {key: tuple(values) for key, *values in struct.iter_unpack(layout, body[2:])}
    return found


def rounding(value: float) -> float:
    """How far a number of six digits may be from the one it stands for; and the float that keeps it."""
    return 6e-6 * abs(value) + 1e-6


def are_near(told: Iterable[float], recorded: Iterable[float]) -> bool:
    """Whether numbers are those recorded, but for the rounding; NaN is recorded, too."""
    pairs = list(zip(told, recorded, strict=True))
    return all(abs(one - other) <= rounding(other) or (one != one and other != other) for one, other in pairs)


# --- running ---------------------------------------------------------------------------------------------


class Ran(NamedTuple):
    code: int
    out: str
    error: str


Run = Callable[..., Ran]


@pytest.fixture
def ran(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a metric on a recording."""

    def run(recording: Path | bytes, metric: str, *more: str) -> Ran:
        path, file = tmp_path / "a.log", tmp_path / "metric.py"
        if isinstance(recording, bytes):
            path.write_bytes(recording)
            recording = path
        file.write_text(HEAD + metric, encoding="utf-8")
        return Ran(main(["metrics", str(recording), str(file), *more]), *capsys.readouterr())

    return run


@pytest.fixture
def log_of(ran: Run, carla: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path | bytes], Any]:
    """What a metric gets of a recording."""

    def kept(recording: Path | bytes) -> Any:
        monkeypatch.setattr(carla, "kept", None, raising=False)
        assert ran(recording, KEEP).code == 0
        return carla.kept[1]

    return kept


@pytest.mark.parametrize("name", ["carla-0.9.13-town01.log", "carla-0.9.10-town01-scene-lights.log"])
def test_the_distance_of_the_hero_to_the_lane_is_that_of_its_recorded_positions(
    ran: Run, recordings: Path, maps: Path, carla: ModuleType, name: str
) -> None:
    path, town = recordings / name, maps / "Town01.xodr"
    code, out, error = ran(path, LANE, "--xodr", str(town))
    assert (code, error.count("It is code")) == (0, 1)
    hero, found = json.loads(out)
    judge = carla.Map("Town01", town.read_text("utf-8"))
    recorded = {frame: each[hero][:3] for frame, each in records(path.read_bytes(), 6, "<I6f").items() if hero in each}
    assert {int(frame) for frame in found} == set(recorded)
    assert len(found) > 400
    for frame, place in recorded.items():
        x, y, z = (each / 100 for each in place)
        lane = judge.get_waypoint(carla.Location(x, y, z)).transform
        right, at = lane.get_right_vector(), lane.location
        off = (x - at.x) * right.x + (y - at.y) * right.y + (z - at.z) * right.z
        assert found[str(frame)] == pytest.approx(off, abs=0.005)


def test_the_map_is_found_beside_the_recording_and_without_one_a_metric_is_told(
    ran: Run, recordings: Path, maps: Path, tmp_path: Path, carla: ModuleType
) -> None:
    path = tmp_path / "town.log"
    path.write_bytes((recordings / "carla-0.9.13-town01.log").read_bytes())
    (tmp_path / "Town01.xodr").write_bytes((maps / "Town01.xodr").read_bytes())
    code, out, error = ran(path, LANE)
    assert code == 0
    assert len(json.loads(out)[1]) == 431
    assert "Road map: " in error
    (tmp_path / "Town01.xodr").unlink()
    code, out, error = ran(
        path, BETWEEN.replace("town_map", "none").replace("one, other =", "assert none is None; one, other =")
    )
    assert "No road map of this town is known" in error


def test_the_distance_between_vehicles_is_that_of_their_recorded_positions(
    ran: Run, recordings: Path, carla: ModuleType
) -> None:
    path = recordings / "carla-0.9.13-town05-collisions.log"
    code, out, _ = ran(path, BETWEEN)
    assert code == 0
    one, other, found = json.loads(out)
    recorded = records(path.read_bytes(), 6, "<I6f")
    both = {
        frame: math.dist(each[one][:3], each[other][:3]) for frame, each in recorded.items() if {one, other} <= {*each}
    }
    assert {int(frame) for frame in found} == set(both)
    for frame, distance in both.items():
        assert found[str(frame)] == pytest.approx(distance / 100, abs=0.02)


def test_no_file_of_the_working_folder_is_run_unasked(
    ran: Run, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, carla: ModuleType
) -> None:
    folder = tmp_path_factory.mktemp("here")
    package = folder / "srunner" / "metrics" / "examples"
    package.mkdir(parents=True)
    for each in (package, package.parent, package.parent.parent):
        (each / "__init__.py").write_text("raise RuntimeError('run unasked')\n", encoding="utf-8")
    (package / "basic_metric.py").touch()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])  # as `python -m` has it
    before = list(sys.path)
    ran_metric = ran(make.drive(), CRITERIA)
    assert ran_metric.code == 0, ran_metric.error
    assert sys.path == before


def test_criteria_are_read_from_their_file_and_empty_without_one(ran: Run, tmp_path: Path, carla: ModuleType) -> None:
    file = tmp_path / "criteria.json"
    file.write_text('{"Collision": {"test_status": "FAILURE", "value": NaN}}', encoding="utf-8")
    assert json.loads(ran(make.drive(), CRITERIA, "--criteria", str(file)).out) == {"Collision": "FAILURE"}
    assert json.loads(ran(make.drive(), CRITERIA).out) == {}
    file.write_text("{", encoding="utf-8")
    assert ran(make.drive(), CRITERIA, "--criteria", str(file))[::2] == (
        2,
        f"recorder-editor: {file}: This is not JSON: Expecting property name enclosed in double quotes, at column 2.\n",
    )


# The packets with records, by number, that are in the beginning.
TOLD = {COLLISIONS: {6, 7, 8, 10, 12, 13, 14, 15, 16, 17}, WALKERS: {6, 7, 8, 9}}


@of_real(COLLISIONS, WALKERS)
def test_every_method_answers_for_every_actor_of_real_recordings(
    short_recording: Path, log_of: Callable[[Path | bytes], Any], carla: ModuleType
) -> None:
    data = short_recording.read_bytes()
    assert {number for _, number, body in packets(data) if body[2:]} >= TOLD.get(short_recording.name, set())
    log = log_of(short_recording)
    count = sum(number == 0 for _, number, _ in packets(data))
    assert log.get_total_frame_count() == count
    actors = log.get_actor_ids_with_type_id("*")
    places, motions = records(data, 6, "<I6f"), records(data, 12, "<I6f")
    for frame, each in places.items():
        for actor, (*place, roll, pitch, yaw) in each.items():
            told = log.get_actor_transform(actor, frame)
            at, turn = told.location, told.rotation
            assert are_near((at.x, at.y, at.z), (each / 100 for each in place))
            assert are_near((turn.roll, turn.pitch, turn.yaw), (roll, pitch, yaw))
        assert log.get_actor_transforms_at_frame(frame).keys() == each.keys()
    for frame, each in motions.items():
        for actor, values in each.items():
            one, other = log.get_actor_velocity(actor, frame), log.get_actor_angular_velocity(actor, frame)
            assert are_near((one.x, one.y, one.z, other.x, other.y, other.z), values)
    controls = records(data, 8, "<I3f?i")
    for frame, each in controls.items():
        for actor, (steer, throttle, brake, hand, gear) in each.items():
            told = log.get_vehicle_control(actor, frame)
            assert (told.hand_brake, told.gear, told.reverse, told.manual_gear_shift) == (hand, gear, gear < 0, False)
            assert are_near((told.steer, told.throttle, told.brake), (steer, throttle, brake))
    lights = records(data, 10, "<II")
    for frame, each in lights.items():
        for actor, (bits,) in each.items():
            on = log.get_vehicle_lights(actor, frame)
            assert sum(int(light) for light in on) == bits
            assert log.is_vehicle_light_active(carla.VehicleLightState.Brake, actor, frame) == bool(bits & 8)
    for frame, each in records(data, 9, "<If").items():
        assert all(
            log.get_walker_speed(actor, frame) == pytest.approx(speed[0], rel=1e-5) for actor, speed in each.items()
        )
    for frame, each in records(data, 7, "<I?fb").items():
        for actor, (frozen, elapsed, state) in each.items():
            assert int(log.get_traffic_light_state(actor, frame)) == state
            assert log.is_traffic_light_frozen(actor, frame) == frozen
            assert log.get_traffic_light_elapsed_time(actor, frame) == pytest.approx(elapsed, rel=1e-5)
    times = {frame: struct.unpack_from("<d", body, 16)[0] for frame, number, body in packets(data) if number == 0}
    for frame, time in times.items():
        assert log.get_elapsed_time(frame) == pytest.approx(time, rel=1e-5)
        assert log.get_delta_time(frame) == pytest.approx(time - times.get(frame - 1, time), abs=rounding(2 * time))
    clock = {frame: struct.unpack("<d", body)[0] for frame, number, body in packets(data) if number == 14}
    for frame in times:
        assert log.get_platform_time(frame) == (pytest.approx(clock[frame], rel=1e-5) if clock else None)
    collisions = [(frame, key, values) for frame, each in collided(data).items() for key, values in each.items()]
    for actor in actors:
        met = {frame for frame, _, (one, other) in collisions if actor in (one, other)}
        assert [each["frame"] for each in log.get_collisions(actor)] == sorted(met)
        assert set(log.get_actor_collisions(actor)) == met
        first, last = log.get_actor_alive_frames(actor)
        seen = [frame for frame, each in places.items() if actor in each]
        assert not seen or (first <= last == max(seen))
        assert log.get_actor_attributes(actor)["created"] == first
        assert len(log.get_all_actor_velocities(actor, 2, 9)) == 8
        assert len(log.get_all_actor_accelerations(actor, last_frame=9)) == 9
        log.get_actor_bounding_box(actor), log.get_traffic_light_trigger_volume(actor)
        physics = log.get_vehicle_physics_control(actor, count)
        assert physics is None or (len(physics.wheels) in (2, 4) and physics.mass > 0)
        log.get_traffic_light_state_time(actor, carla.TrafficLightState.Red, count)
        log.get_scene_light_state(actor, count)
    moving = {actor for each in motions.values() for actor in each} or {*actors} & {
        a for e in places.values() for a in e
    }
    assert {actor for frame in (1, count // 2) for actor in log.get_actor_velocities_at_frame(frame)} <= moving


def collided(data: bytes) -> dict[int, dict[int, tuple[int, int]]]:
    return {
        frame: {key: (one, other) for key, one, other, _, _ in struct.iter_unpack("<3I2B", body[2:])}
        for frame, number, body in packets(data)
        if number == 5
    }


def test_velocities_of_old_recordings_are_the_change_of_positions(
    recordings: Path, log_of: Callable[[Path | bytes], Any]
) -> None:
    path = recordings / "carla-0.9.6-town03-collision.rec"
    log = log_of(path)
    hero = log.get_ego_vehicle_id()
    places = records(path.read_bytes(), 6, "<I6f")
    first, last = log.get_actor_alive_frames(hero)
    for frame in range(first + 1, last + 1):
        now, before = places[frame][hero], places[frame - 1][hero]
        step, told = log.get_delta_time(frame), log.get_actor_velocity(hero, frame)
        assert told.x == pytest.approx((now[0] - before[0]) / 100 / step, abs=0.002 / step)
        was = log.get_actor_velocity(hero, frame - 1)
        assert log.get_actor_acceleration(hero, frame).y == pytest.approx((told.y - was.y) / step, rel=1e-4, abs=1e-3)
    begin, then = log.get_actor_velocity(hero, first), log.get_actor_velocity(hero, first + 1)
    assert (begin.x, begin.y) == (then.x, then.y)
    assert log.get_actor_angular_velocity(hero, first) is None


def world() -> bytes:
    """Three frames: what lasts is told in the first and partly again in the third; 7 goes in the third."""
    hero = make.actor(5, attributes=[make.attribute(3, "role_name", "hero"), make.attribute(3, "empty", "")])
    other = make.actor(7, blueprint="vehicle.audi.tt", location=xyz(100.0, 200.0, 300.0))
    light = make.actor(9, 3, "traffic.traffic_light")
    nan, inf = float("nan"), float("inf")
    first = [
        make.packet(2, make.event_add([hero, other, light])),
        make.packet(5, make.collision([{"id": 0, "actor1": 5, "actor2": 7, "hero1": 1, "hero2": 0}])),
        make.packet(6, make.position([make.pose(5, xyz(100.0, 0.0, 0.0)), make.pose(7)])),
        make.packet(11, make.scene_light(make.SCENE_LIGHTS[:1])),
        make.packet(
            13,
            make.bounding_box(
                [
                    {"id": 5, "origin": xyz(0.0, 0.0, 75.0), "extent": xyz(250.0, 100.0, 75.0)},
                    {"id": 7, "origin": xyz(nan, nan, nan), "extent": xyz(-inf, -inf, -inf)},
                ]
            ),
        ),
        make.packet(17, make.trigger_volume([{"id": 9, "origin": xyz(400.0), "extent": xyz(100.0, 300.0, 0.0)}])),
        make.packet(
            15, make.physics_control([make.physics(stiffness=True) | {"id": 5, "moi": 2.5, "use_gear_autobox": 0}])
        ),
        make.packet(16, make.traffic_light_time([{"id": 9, "green": 10.0, "yellow": 3.0, "red": 2.0}])),
    ]
    second = [make.packet(6, make.position([make.pose(5, xyz(150.0, 0.0, 0.0))]))]
    last = [
        make.packet(3, make.event_del([{"id": 7}])),
        make.packet(16, make.traffic_light_time([{"id": 9, "green": 12.5, "yellow": 3.0, "red": 2.0}])),
    ]
    return make.recording(
        make.frame(1, 0.0, 0.05, first),
        make.frame(2, 0.05, 0.05, second),
        make.frame(3, 0.1, -1.0, last),
        map_name="Nowhere",
    )


def test_physics_of_unreal_5_are_none_and_the_rest_is_told(log_of: Callable[[Path | bytes], Any]) -> None:
    log = log_of(make.everything("ue5-2026"))
    assert log.get_vehicle_physics_control(174, 1) is None
    assert log.get_actor_bounding_box(174) is not None
    assert log.get_total_frame_count() == 3


def test_what_lasts_is_told_from_the_last_frame_that_said_it(
    log_of: Callable[[Path | bytes], Any], carla: ModuleType
) -> None:
    log, states = log_of(world()), carla.TrafficLightState
    assert (log.get_ego_vehicle_id(), log.get_actor_ids_with_type_id("*.audi.*")) == (5, [7])
    assert log.get_actor_ids_with_role_name("hero") == [5]
    told = log.get_actor_attributes(5)
    assert told == {"role_name": "hero", "empty": "", "type_id": "vehicle.lincoln.mkz_2017", "created": 1} | {
        "location": told["location"]
    }
    assert log.get_actor_attributes(7)["destroyed"] == 3
    assert log.get_actor_attributes(7)["location"] == carla.Location(1.0, 2.0, 3.0)
    assert [log.get_actor_alive_frames(each) for each in (5, 7, 8)] == [(1, 3), (1, 2), (None, None)]
    box, odd, volume = (
        log.get_actor_bounding_box(5),
        log.get_actor_bounding_box(7),
        log.get_traffic_light_trigger_volume(9),
    )
    assert (box.location, box.extent) == (carla.Location(0.0, 0.0, 0.75), carla.Vector3D(2.5, 1.0, 0.75))
    assert (odd.location, odd.extent) == (carla.Location(), carla.Vector3D())
    assert (volume.location, volume.extent) == (carla.Location(4.0, 0.0, 0.0), carla.Vector3D(1.0, 3.0, 0.0))
    assert log.get_actor_bounding_box(9) is None
    greens = [log.get_traffic_light_state_time(9, states.Green, frame) for frame in (0, 1, 2, 3, 4)]
    assert greens == [None, 10.0, 10.0, 12.5, None]
    assert log.get_traffic_light_state_time(9, states.Yellow, 2) == 3.0
    assert log.get_traffic_light_state_time(9, states.Off, 2) is None
    light = log.get_scene_light_state(4, 2)
    assert (light.intensity, light.active, light.group) == (9.5, True, carla.LightGroup.NONE)
    assert light.color == carla.Color(255, 128, 64)
    physics = log.get_vehicle_physics_control(5, 3)
    assert (physics.max_rpm, physics.moi, physics.mass, physics.use_gear_autobox) == (5800.0, 2.5, 2404.0, False)
    assert physics.damping_rate_full_throttle == 0.125
    assert [(each.x, each.y) for each in physics.steering_curve] == [(20.0, 0.875), (120.0, 0.75)]
    assert [(each.ratio, each.down_ratio, each.up_ratio) for each in physics.forward_gears] == [(2.75, 0.5, 0.625)]
    assert [(each.radius, each.position.x) for each in physics.wheels] == [(35.5, 10840.0), (35.5, 10841.0)]
    assert physics.center_of_mass.x == 0.5
    assert log.get_collisions(7) == [{"frame": 1, "other_id": [5]}]
    assert log.get_actor_collisions(5) == {1: [7]}
    assert [log.get_actor_velocity(5, frame).x for frame in (1, 2)] == [10.0, 10.0]
    assert (log.get_actor_velocity(7, 1), log.get_actor_velocity(5, 3)) == (carla.Vector3D(), None)
    assert [log.get_actor_transform(5, frame) for frame in (-1, 0, 3, 9)] == [None] * 4
    assert [log.get_elapsed_time(frame) for frame in (0, 2, 4)] == [None, 0.05, None]
    assert log.get_actor_transforms_at_frame(1, [5, 8]).keys() == {5}
    assert log.get_vehicle_lights(5, 1) is None
    assert log.is_vehicle_light_active(carla.VehicleLightState.Fog, 5, 1) is False


def test_arguments_may_be_named_as_the_documentation_names_them(
    log_of: Callable[[Path | bytes], Any], carla: ModuleType
) -> None:
    log = log_of(world())
    assert log.get_actor_transform(frame=2, actor_id=5) == log.get_actor_transform(5, frame=2)
    assert log.get_actor_transform(5, 2).location.x == 1.5
    assert log.get_actor_velocity(actor_id=5, frame=2).x == 10.0
    assert log.get_actor_bounding_box(actor_id=5).extent.x == 2.5
    assert log.get_traffic_light_trigger_volume(traffic_light_id=9).extent.y == 3.0
    assert log.get_vehicle_physics_control(vehicle_id=5, frame=3).mass == 2404.0
    assert log.get_traffic_light_state_time(traffic_light_id=9, state=carla.TrafficLightState.Red, frame=1) == 2.0
    assert log.get_scene_light_state(light_id=4, frame=2).intensity == 9.5
    assert log.get_platform_time(frame=1) is None
    assert len(log.get_all_actor_transforms(actor_id=5, first_frame=1, last_frame=2)) == 2
    assert log.get_actor_transforms_at_frame(frame=1, actor_list=[5]).keys() == {5}


@pytest.mark.parametrize("dialect", ["ue4-0.9.4", "ue4-0.9.6", "ue4-0.9.10", "ue4-2026", "ue5-0.10.0"])
def test_odd_values_are_answered(log_of: Callable[[Path | bytes], Any], dialect: str) -> None:
    log = log_of(make.everything(dialect))
    for name in {each for each in dir(log) if each.endswith("_at_frame")}:
        getattr(log, name)(1)
    for actor in log.get_actor_ids_with_type_id("*"):
        for ask in (log.get_vehicle_control, log.get_traffic_light_state, log.get_scene_light_state):
            ask(actor, 1)
        log.get_vehicle_physics_control(actor, 1), log.get_vehicle_lights(actor, 1), log.get_actor_bounding_box(actor)


# --- what goes wrong -------------------------------------------------------------------------------------


def test_without_the_library_it_is_told_what_to_install(ran: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "carla", None)
    monkeypatch.delitem(sys.modules, "recorder_editor.simulator.metrics", raising=False)
    monkeypatch.delattr(simulator, "metrics", raising=False)
    assert ran(make.drive(), CRITERIA)[::2] == (
        1,
        f"recorder-editor: This needs carla, which is not installed. {remedy('carla')}\n",
    )


def test_a_metric_that_fails_shows_its_traceback(ran: Run, carla: ModuleType, tmp_path: Path) -> None:
    code, out, error = ran(make.drive(), KEEP + "        print('before')\n        1 / 0\n")
    assert (code, out) == (1, "before\n")
    file = tmp_path / "metric.py"
    assert f'File "{file}", line {len((HEAD + KEEP).splitlines()) + 2}, in _create_metric' in error
    assert error.endswith(f"ZeroDivisionError: division by zero\nrecorder-editor: {file} has failed, as told above.\n")
    assert "srunner" not in sys.modules
    assert str(tmp_path) not in sys.path
    code, _, error = ran(make.drive(), "def (\n")
    assert code == 1
    assert "SyntaxError: invalid syntax" in error
    with pytest.raises(SystemExit):
        ran(make.drive(), "raise SystemExit(3)\n")


def test_a_traceback_begins_in_the_file(ran: Run, carla: ModuleType, tmp_path: Path) -> None:
    _, _, error = ran(make.drive(), KEEP + "        log.get_actor_attributes()\n")
    lines = error.splitlines()
    begin = lines.index("Traceback (most recent call last):")
    assert lines[begin + 1].startswith(f'  File "{tmp_path / "metric.py"}", line ')
    assert "cli/metrics.py" not in error


def test_a_road_map_that_the_library_cannot_read_is_not_put_on_the_metric(
    ran: Run, carla: ModuleType, tmp_path: Path, maps: Path
) -> None:
    broken = tmp_path / "Town01.xodr"
    broken.write_bytes((maps / "Town01.xodr").read_bytes()[:300_000])
    code, out, error = ran(make.drive(), KEEP, "--xodr", str(broken))
    assert (code, out) == (2, "")
    assert error.endswith(f"recorder-editor: {broken} is a road map that the package carla cannot read.\n")
    assert "Running" not in error


def test_what_is_no_metric_is_refused(
    ran: Run, carla: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, path = tmp_path / "metric.py", tmp_path / "a.log"
    code, _, error = ran(make.drive(), "class Metric: pass\n")
    assert (code, error.splitlines()) == (
        2,
        [
            "No road map of this town is known, so the metric gets none: give it with --xodr.",
            f"Running {file}. It is code: run only files that you trust.",
            f"recorder-editor: {file} has no class whose first base is BasicMetric.",
        ],
    )
    for name, reason in (("none.py", "No such file or directory"), (".", "Is a directory")):
        assert main(["metrics", str(path), str(tmp_path / name)]) == 2
        assert capsys.readouterr().err == f"recorder-editor: {tmp_path / name}: {reason}.\n"
    assert main(["metrics", str(tmp_path / "none.log"), str(file)]) == 2
    assert "It is code" not in capsys.readouterr().err


def test_a_folder_for_results_is_not_taken_for_scenario_runner(
    ran: Run, carla: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "srunner" / "metrics" / "data").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert ran(make.drive(), CRITERIA)[:2] == (0, "{}\n")


def test_scenario_runner_is_used_where_it_is(
    ran: Run, carla: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "srunner" / "metrics" / "examples"
    folder.mkdir(parents=True)
    (folder / "basic_metric.py").write_text(
        "class BasicMetric:\n    def __init__(self, *_given): print('its own')\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert ran(make.drive(), CRITERIA)[:2] == (0, "its own\n")
    for name in [each for each in sys.modules if each.partition(".")[0] == "srunner"]:
        del sys.modules[name]


def test_a_metric_imports_its_neighbours_and_the_first_class_by_name_is_run(
    ran: Run, carla: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "neighbour_of_metric.py").write_text("NAME = 'beside'\n", encoding="utf-8")
    metric = """
from neighbour_of_metric import NAME
from srunner.metrics.tools.metrics_log import MetricsLog
import srunner.metrics.examples.basic_metric as base
class B(BasicMetric): pass
class A(base.BasicMetric):
    def _create_metric(self, town_map, log, criteria): print(NAME, isinstance(log, MetricsLog))
"""
    assert ran(make.drive(), metric).out == "beside True\n"
    sys.modules.pop("neighbour_of_metric")
