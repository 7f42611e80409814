"""The program that collects what sensors see in a replay: run as a process, with a stand-in for the simulator."""

import ast
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import recorder_editor
from recorder_editor import resources
from recorder_editor.simulator.replay import Replay, collect_script
from recorder_editor.simulator.server import Server

from .. import builders as b

STAND_IN = Path(__file__).parent.parent / "carla_stand_in.py"
HERO, TWIN, OTHER = 25, 26, 27
WHOLE = Replay()
CAR = "vehicle.tesla.model3"
HERO_LIVE: dict[str, Any] = {"id": HERO, "type_id": CAR, "role_name": "hero"}


class Ran(NamedTuple):
    """What came of a run: exit code, what was printed, what was done with the simulator, what was written."""

    code: int
    out: str
    error: str
    done: list[list[Any]]
    folder: Path

    def files(self) -> list[str]:
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file())

    def lines(self, name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / name).read_text("utf-8").splitlines()]

    def of(self, what: str) -> list[list[Any]]:
        return [rest for kind, *rest in self.done if kind == what]


Run = Callable[..., Ran]


def recording_of(path: Path) -> Path:
    """Ten frames, a tenth of a second each: a hero and its twin 10 m beside it, and another car that comes later."""
    roles = {HERO: "hero", TWIN: "hero", OTHER: "other"}
    poses = [b.pose(HERO, b.xyz(0, 0, 50)), b.pose(TWIN, b.xyz(0, 1000, 50)), b.pose(OTHER, b.xyz(500, 0, 50))]
    frames = []
    for n in range(10):
        added = [
            b.actor(each["id"], 1, CAR, each["location"], attributes=[b.attribute(3, "role_name", roles[each["id"]])])
            for each in {0: poses[:2], 4: poses[2:]}.get(n, [])
        ]
        living = poses if n >= 4 else poses[:2]
        packets = [b.packet(2, b.event_add(added)), b.packet(3, b.event_del([])), b.packet(4, b.event_parent([]))]
        packets += [b.packet(5, b.collision([])), b.packet(6, b.position(living))]
        frames.append(b.frame(n + 1, n / 10, 0.1 if n < 9 else -1.0, packets))
    path.write_bytes(b.recording(*frames))
    return path


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Writes the program for a replay, and runs it where the stand-in shows a scene."""

    def run(*words: str, how: Replay = WHOLE, actors: Any = (HERO_LIVE,), rig: Any = None, **scene: Any) -> Ran:
        folder, script, path = tmp_path / "seen", tmp_path / "collect.py", recording_of(tmp_path / "drive.log")
        (tmp_path / "carla.py").write_bytes(STAND_IN.read_bytes())
        with recorder_editor.open(path) as recording:
            text = collect_script(recording.snapshot, path, Server("there", 2002), how)
        script.write_text(text, "utf-8")
        if rig is not None:
            (tmp_path / "rig.json").write_text(json.dumps(rig), "utf-8")
            words = ("--rig", str(tmp_path / "rig.json"), *words)
        shown = json.dumps({"map": "Carla/Maps/Town01", "actors": actors, **scene})
        environment = {**os.environ, "SCENE": shown, "DONE": str(tmp_path / "done"), "PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "-W", "error", str(script), "--out", str(folder), *words]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
        done = [json.loads(line) for line in (tmp_path / "done").read_text("utf-8").splitlines()]
        return Ran(ended.returncode, ended.stdout, ended.stderr, done, folder)

    return run


# --- what it does -------------------------------------------------------------------------------------------


def test_every_step_has_a_file_of_each_sensor_and_the_settings_are_given_back(run: Run, tmp_path: Path) -> None:
    ran = run()
    assert (ran.code, ran.error) == (0, "")
    steps = range(2, 9)  # the first step shows the actors, and the last one ends the replay
    assert ran.files() == sorted(
        [f"front/{n:06}.png" for n in steps] + [f"lidar/{n:06}.ply" for n in steps] + ["frames.jsonl"]
    )
    assert (ran.folder / "front" / "000004.png").read_text() == "Image 1004"
    assert (ran.folder / "lidar" / "000008.ply").read_text() == "LidarMeasurement 1008"
    lines = ran.lines("frames.jsonl")
    assert [(line["step"], line["time"], line["frame"]) for line in lines] == [(n, n / 10, 1000 + n) for n in steps]
    assert lines[0]["location"] == [0.2, 0.0, 0.5]
    assert lines[0]["rotation"] == [3.0, 1.0, 2.0]
    assert ran.of("client") == [["there", 2002]]
    assert ran.of("replay") == [[str(tmp_path / "drive.log"), 0.0, 0.9, 0, False]]
    names = [what for what, *_ in ran.done]
    assert names == ["client", "settings", "replay", "spawn", "spawn", "destroy", "destroy", "stop", "settings"]
    assert ran.of("settings") == [[True, 0.1], [False, None]]
    assert [attached for *_, attached in ran.of("spawn")] == [HERO, HERO]
    assert "The simulator is CARLA 0.9.15, the recording of CARLA 0.9.4 to 0.9.5." in ran.out
    assert "Saved 7 steps" in ran.out


def test_a_part_is_replayed_and_every_third_step_is_saved(run: Run, tmp_path: Path) -> None:
    ran = run("--every", "3", how=Replay(0.2, 0.6))
    assert ran.of("replay") == [[str(tmp_path / "drive.log"), 0.2, pytest.approx(0.6), 0, False]]
    assert [(line["step"], line["time"]) for line in ran.lines("frames.jsonl")] == [(3, 0.5)]
    assert ran.files() == ["frames.jsonl", "front/000003.png", "lidar/000003.ply"]


def test_a_start_before_the_end_and_other_steps(run: Run, tmp_path: Path) -> None:
    ran = run("--step", "0.05", how=Replay(-0.4))
    assert ran.of("replay") == [[str(tmp_path / "drive.log"), pytest.approx(0.5), pytest.approx(0.4), 0, False]]
    assert [line["time"] for line in ran.lines("frames.jsonl")] == [0.6, 0.65, 0.7, 0.75, 0.8, 0.85]


def test_an_actor_with_another_id_is_the_nearest_of_its_kind(run: Run) -> None:
    alike = {"type_id": CAR, "role_name": "hero"}
    others = [
        {"id": HERO, "type_id": "vehicle.audi.tt", "role_name": "hero"},
        {"id": 902, **alike, "y": 10.0},
        {"id": 901, **alike, "y": 0.5},
        {"id": 903, "type_id": CAR, "role_name": "autopilot"},
    ]
    ran = run(actors=others)
    assert [attached for *_, attached in ran.of("spawn")] == [901, 901]


def test_one_that_comes_later_is_waited_for(run: Run) -> None:
    late = {"id": OTHER, "type_id": CAR, "role_name": "other", "since": 0.35}
    ran = run(how=Replay(follow=OTHER), actors=[HERO_LIVE, late])
    assert [attached for *_, attached in ran.of("spawn")] == [OTHER, OTHER]
    assert ran.lines("frames.jsonl")[0]["step"] == 5


def test_another_actor_is_chosen_when_it_is_run(run: Run) -> None:
    actors = [HERO_LIVE, {"id": OTHER, "type_id": CAR, "role_name": "other"}]
    assert [attached for *_, attached in run("--actor", "other", actors=actors).of("spawn")] == [OTHER, OTHER]
    assert [attached for *_, attached in run("--actor", str(HERO), actors=actors).of("spawn")][-1] == HERO


def test_it_ends_when_the_actor_is_gone(run: Run) -> None:
    ran = run(actors=[{**HERO_LIVE, "until": 0.55}])
    assert (ran.code, ran.lines("frames.jsonl")[-1]["step"]) == (0, 5)
    assert "At 0.600 s: the actor is gone." in ran.out


def test_the_map_of_the_recording_is_loaded(run: Run) -> None:
    ran = run(map="Carla/Maps/Town03")
    assert ran.of("load") == [["Town01"]]
    assert len(ran.lines("frames.jsonl")) == 7


# --- rigs ---------------------------------------------------------------------------------------------------


def test_a_rig_of_the_leaderboard_is_placed_as_carla_has_it(run: Run) -> None:
    place = {"x": 0.7, "y": -0.4, "z": 1.6, "roll": 1.0, "pitch": 2.0, "yaw": 3.0}
    rig = [
        {"type": "sensor.camera.rgb", **place, "width": 300, "height": 200, "fov": 100, "id": "Left"},
        {"type": "sensor.opendrive_map", "reading_frequency": 1, "id": "OpenDRIVE"},
        {"type": "sensor.speedometer", "reading_frequency": 20, "id": "Speed"},
    ]
    ran = run(rig=rig)
    wanted = {"image_size_x": "300", "image_size_y": "200", "fov": "100", "sensor_tick": "0.0"}
    assert ran.of("spawn") == [["sensor.camera.rgb", [0.7, -0.4, 1.6, 1.0, 2.0, 3.0], wanted, HERO]]
    assert "OpenDRIVE (sensor.opendrive_map) is no sensor of the simulator; it is left out." in ran.out
    assert len(ran.files()) == 8


def test_a_rig_of_ros_bridge_is_mirrored(run: Run) -> None:
    """`spawn_point` is in the axes of ROS: y to the left, and pitch down."""
    point = {"x": -4.5, "y": 1.0, "z": 2.8, "roll": 0.0, "pitch": 20.0, "yaw": 30.0}
    ego = [
        {"type": "sensor.camera.rgb", "id": "view", "spawn_point": point, "sensor_tick": 0.05, "use_log": True},
        {"type": "sensor.pseudo.tf", "id": "tf"},
        {"type": "actor.pseudo.control", "id": "control"},
    ]
    lidar = {"type": "sensor.lidar.ray_cast", "id": "top", "spawn_point": {"z": 2.0}, "noise_stddev": 0.0}
    ran = run(rig={"objects": [{"type": "vehicle.audi.tt", "id": "ego_vehicle", "objects": ego}, lidar]})
    camera, top = ran.of("spawn")
    assert camera[1:3] == [[-4.5, -1.0, 2.8, 0.0, -20.0, -30.0], {"sensor_tick": "0.0", "use_log": "true"}]
    assert top[1][:3] == [0.0, 0.0, 2.0]
    assert "top: sensor.lidar.ray_cast has no attribute noise_stddev; it is left out." in ran.out


def test_what_is_no_picture_is_written_as_json_or_as_its_bytes(run: Run) -> None:
    kinds = ("sensor.other.radar", "sensor.camera.dvs", "sensor.other.imu", "sensor.other.collision")
    ran = run(rig={"sensors": [{"type": kind, "id": kind.rpartition(".")[2]} for kind in kinds]})
    assert ran.code == 0
    assert json.loads((ran.folder / "radar" / "000003.json").read_text()) == [[10.0, 0.1, 0.0, -1.0]]
    assert (ran.folder / "dvs" / "000003.bin").read_bytes() == b"events"
    row = {"step": 2, "accelerometer": [1.0, 2.0, 9.8], "compass": 1.5, "frame": 1002, "timestamp": 100.2}
    assert ran.lines("imu.jsonl")[0] == row
    for line in ran.lines("collision.jsonl"):
        assert line["other_actor"] == HERO


def test_names_of_sensors_stay_in_the_folder(run: Run, tmp_path: Path) -> None:
    ran = run(rig=[{"type": "sensor.camera.rgb", "id": "../up/é"}])
    assert ran.files()[0] == ".._up_é/000002.png"
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["seen"]


def start(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs the program as it is in the resources, with the package that is in a folder."""
    command = [sys.executable, str(resources.path("collect_script.py")), *words]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("rig", "words"),
    [
        ([], "The rig has no sensor."),
        ([{"type": "sensor.camera.rgb", "id": "a"}] * 2, "Two sensors of the rig have one id."),
        ("[", "{} is no rig of sensors: JSONDecodeError: Expecting value: line 1 column 2 (char 1)."),
        ([{"id": "a"}], "{} is no rig of sensors: KeyError: 'type'."),
        ([1], "{} is no rig of sensors: TypeError: 'int' object is not subscriptable."),
        (
            [{"type": "sensor.camera.rgb", "x": "left"}],
            "{} is no rig of sensors: ValueError: could not convert string to float: 'left'.",
        ),
    ],
    ids=["none", "one id", "no JSON", "no type", "a number", "no place"],
)
def test_a_rig_that_cannot_be_is_refused_before_anything_is_done(rig: Any, words: str, tmp_path: Path) -> None:
    (tmp_path / "carla.py").write_text("Location = Rotation = Transform = lambda *_places, **_axes: None")
    (tmp_path / "rig.json").write_text(rig if isinstance(rig, str) else json.dumps(rig))
    ended = start(tmp_path, "--rig", str(tmp_path / "rig.json"))
    assert (ended.returncode, ended.stderr.strip()) == (1, words.format(tmp_path / "rig.json"))


# --- what goes wrong ----------------------------------------------------------------------------------------


def given_back(ran: Ran) -> bool:
    """Whether no sensor is left, and the settings are those of before."""
    return len(ran.of("spawn")) == len(ran.of("destroy")) and ran.done[-2:] == [
        ["stop", False],
        ["settings", False, None],
    ]


def test_a_sensor_that_sends_nothing_in_time_ends_it_with_its_name(run: Run) -> None:
    ran = run("--timeout", "0.1", silent={"sensor.lidar.ray_cast": [1006]})
    assert ran.code == 1
    assert ran.error.strip() == "Nothing came from lidar at 0.600 s."
    assert ran.lines("frames.jsonl")[-1]["step"] == 5
    assert given_back(ran)


def test_a_step_and_a_number_of_steps_are_above_zero(tmp_path: Path) -> None:
    (tmp_path / "carla.py").write_text("")
    for words in (("--step", "0"), ("--step", "nan"), ("--every", "0"), ("--every", "1.5")):
        ended = start(tmp_path, *words)
        assert ended.returncode == 2
        assert f"argument {words[0]}: invalid" in ended.stderr


def test_without_the_package_or_a_simulator_a_sentence_says_so(tmp_path: Path) -> None:
    module = tmp_path / "carla.py"
    module.write_text("raise ImportError('libtiff.so.5 is missing')")
    ended = start(tmp_path)
    command = shlex.join([sys.executable, "-m", "pip", "install", "carla"])
    reason = "libtiff.so.5 is missing"
    wanted = f"This needs the simulator's package ({reason}): `{command}` installs it, for Python 3.12 or older."
    assert (ended.returncode, ended.stderr.strip()) == (1, wanted)
    module.write_text(
        "Location = Rotation = Transform = lambda *_places, **_axes: None\n"
        "def Client(*_where): raise RuntimeError('time-out of 60000ms')"
    )
    ended = start(tmp_path)
    assert (ended.returncode, ended.stderr.strip()) == (1, "time-out of 60000ms")


def test_a_start_behind_the_end_is_told(run: Run) -> None:
    ran = run("--start", "5")
    assert (ran.code, ran.of("replay")) == (1, [])
    assert ran.error.strip() == "From 5 s on there is nothing to see: the recording ends at 0.9 s."
    assert given_back(ran)


def test_the_oldest_python_that_the_package_is_built_for_reads_it() -> None:
    """CARLA 0.9.13 and 0.9.14 have packages for 3.7."""
    ast.parse(resources.path("collect_script.py").read_text("utf-8"), feature_version=(3, 7))


def test_keys_end_it_and_the_settings_are_given_back(run: Run) -> None:
    ran = run(interrupted=1004)
    assert ran.code != 0
    assert given_back(ran)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("File /x not found on server\n", "The simulator cannot replay it."),
        ("Could not load mapfile X\n", "The simulator cannot replay it."),
        ("Loading map X\n", "recorder-editor edit IN OUT --set-map Town01"),
    ],
)
def test_a_replay_that_does_not_begin_is_told(run: Run, answer: str, words: str) -> None:
    ran = run(answer=answer)
    assert ran.code == 1
    assert words in ran.error
    assert given_back(ran)


def test_an_actor_that_is_not_found_is_told_with_those_there_are(run: Run) -> None:
    ran = run(actors=[{"id": 3, "type_id": CAR, "role_name": "autopilot"}])
    assert (ran.code, ran.error.strip()) == (1, f"The actor was not found; there were: 3 {CAR}")


def test_without_a_hero_an_actor_has_to_be_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "none.log"
    path.write_bytes(b.drive(3))
    with recorder_editor.open(path) as recording:
        assert "\nACTOR = None\n" in collect_script(recording.snapshot, path, Server(), Replay())


# --- the program itself -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ['it\'s "quoted".log', "two\nlines.log", "RECORDING = 1\\", "é 中.log"])
def test_whatever_a_file_is_called_the_program_names_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = recording_of(tmp_path / name)
    with recorder_editor.open(path) as recording:
        text = collect_script(recording.snapshot, path, Server("a'b", 1), Replay(1.0, 2.0, TWIN))
    script = tmp_path / "script.py"
    script.write_text(text, "utf-8")
    monkeypatch.setitem(sys.modules, "carla", ModuleType("carla"))
    named = runpy.run_path(str(script), run_name="looked at")
    wanted = {"RECORDING": str(path), "HOST": "a'b", "PORT": 1, "START": 1.0, "DURATION": 2.0, "END": 0.9, "STEP": 0.1}
    assert {key: named[key] for key in wanted} == wanted
    twin = {"id": TWIN, "type_id": CAR, "role_name": "hero", "since": 0.9, "location": [0.0, 10.0, 0.5]}
    assert named["ACTOR"] == twin


@pytest.mark.parametrize("data", [b.recording(), b.recording(b.frame(1, float("nan"), 0.05))], ids=["empty", "no time"])
def test_odd_recordings_have_a_program_too(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.log"
    path.write_bytes(data)
    with recorder_editor.open(path) as recording:
        for start in (0.0, -5.0):
            compile(collect_script(recording.snapshot, path, Server(), Replay(start)), "odd", "exec")


def test_what_it_uses_of_the_simulators_package_is_there(carla: ModuleType) -> None:
    """The names that the stand-in has in the place of the real one."""
    text = resources.path("collect_script.py").read_text("utf-8")
    for name in set(re.findall(r"\bcarla\.(\w+)", text)) - {"read"}:
        assert hasattr(carla, name), name
    for kind, names in {
        "Client": "get_server_version get_world load_world set_replayer_time_factor replay_file stop_replayer",
        "World": "get_map get_settings apply_settings get_actors get_snapshot get_blueprint_library spawn_actor tick",
        "WorldSettings": "synchronous_mode fixed_delta_seconds",
        "WorldSnapshot": "has_actor",
        "Actor": "id type_id attributes get_location get_transform",
        "Sensor": "listen stop destroy is_alive type_id",
        "ActorBlueprint": "has_attribute set_attribute",
        "Image": "frame save_to_disk width raw_data",
        "LidarMeasurement": "frame save_to_disk raw_data",
        "RadarMeasurement": "frame get_detection_count raw_data __iter__",
        "RadarDetection": "depth azimuth altitude velocity",
        "IMUMeasurement": "accelerometer compass",
        "CollisionEvent": "other_actor",
        "Location": "distance",
    }.items():
        for name in names.split():
            assert hasattr(getattr(carla, kind), name), f"{kind}.{name}"
