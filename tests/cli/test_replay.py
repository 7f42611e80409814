"""`replay`: the verb, with the simulator's own package against a server of the tests."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.edits import set_header
from recorder_editor.extras import remedy
from recorder_editor.reading import Actors

from .. import builders as b
from ..simulator import SimulatorServer, running_simulator


@pytest.fixture
def server(carla: ModuleType) -> Iterator[SimulatorServer]:
    with running_simulator() as server:
        server.release = "0.9.13"
        yield server


class Ran(NamedTuple):
    code: int
    out: str
    error: str


Run = Callable[..., Ran]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A drive of 0.9.13 in Town05 whose vehicles are 100 and 101."""
    path = tmp_path / "town 1.log"
    path.write_bytes(b.drive(8, vehicles=2))
    with recorder_editor.open(path) as recording:
        recording.apply(set_header(recording, map_name="Town05"))
        recording.save()
    return path


@pytest.fixture
def run(server: SimulatorServer, path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> Ran:
        code = main(["replay", str(path), "--host", "127.0.0.1", "--port", str(server.port), *words])
        return Ran(code, *capsys.readouterr())

    return run


def test_it_begins_and_says_what_the_simulator_answers(run: Run, server: SimulatorServer, path: Path) -> None:
    code, out, error = run("--from", "0.1", "--duration", "0.2", "--follow", "type:vehicle.*", "--sensors")
    assert code == 0
    assert out.splitlines()[0] == f"Replaying File: {path}"
    assert error.splitlines() == [
        f"CARLA 0.9.13 answers at 127.0.0.1:{server.port}, and shows Town05.",
        "The package carla is of 0.9.16 here, the simulator of 0.9.13: some calls may fail.",
        f"The simulator at 127.0.0.1:{server.port} reads {path} on its own machine.",
    ]
    assert server.calls[-1][1][:5] == [str(path), 0.1, 0.2, 100, True]


def test_the_replayer_is_set_to_what_was_chosen(run: Run, server: SimulatorServer) -> None:
    assert run("--ignore-hero", "--ignore-spectator", "--time-factor", "2.5").code == 0
    assert [each for each in server.calls if each[0] != "replay_file"] == [
        ("set_replayer_ignore_hero", [True]),
        ("set_replayer_ignore_spectator", [True]),
        ("set_replayer_time_factor", [2.5]),
    ]


def test_another_map_is_refused_until_it_may_be_loaded(run: Run, server: SimulatorServer) -> None:
    server.map = "Town01"
    code, out, error = run()
    assert (code, out, server.calls) == (1, "", [])
    wanted = f"The simulator at 127.0.0.1:{server.port} shows Town01, and this recording is of Town05."
    assert error.splitlines()[-1] == f"recorder-editor: {wanted} --load-map helps."
    assert run("--load-map").code == 0
    assert server.map == "Town05"


def test_another_release_is_refused_until_a_copy_may_be_converted(
    run: Run, server: SimulatorServer, path: Path
) -> None:
    server.release = "0.9.16"
    code, _, error = run()
    assert (code, server.calls) == (1, [])
    assert error.splitlines()[-1].endswith("--convert helps.")
    before = path.read_bytes()
    code, _, error = run("--convert")
    assert code == 0
    assert path.read_bytes() == before
    place, name = f"127.0.0.1:{server.port}", server.calls[-1][1][0]
    assert error.splitlines()[-1] == f"The simulator at {place} reads {name} on its own machine."
    assert name != str(path)
    with recorder_editor.open(server.calls[-1][1][0]) as copy:
        assert copy.dialect.name == "ue4-0.9.16"


def test_a_map_that_is_not_there_and_a_file_that_is_not_there_fail(
    run: Run, server: SimulatorServer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.map, server.maps = "Town01", []
    place = f"127.0.0.1:{server.port}"
    code, _, error = run("--load-map")
    assert (code, error.splitlines()[-1]) == (1, f"recorder-editor: The simulator at {place} refuses: map not found.")
    server.map = "Town05"
    monkeypatch.setattr(server, "finds", lambda _name: False)
    code, out, error = run()
    assert (code, out) == (1, "")
    wanted = f"recorder-editor: The simulator at {place} does not find {path}: it reads files on its own machine."
    assert error.splitlines()[-1] == wanted


def test_an_actor_that_is_not_there_is_wrong_usage(run: Run, server: SimulatorServer) -> None:
    code, _, error = run("--follow", "77")
    assert (code, server.calls) == (2, [])
    assert error == "recorder-editor: There is no actor 77 in this recording.\n"


@pytest.mark.parametrize("option", ["--duration", "--time-factor"])
def test_neither_a_duration_nor_a_speed_is_below_zero(run: Run, server: SimulatorServer, option: str) -> None:
    code, _, error = run(option, "-1")
    assert (code, server.calls) == (2, [])
    assert f"argument {option}: '-1' is not a number from 0 on" in error


@pytest.mark.parametrize("data", [b"", b"this is text\n" * 9], ids=["empty", "text"])
@pytest.mark.parametrize("words", [(), ("--script", "OUT")], ids=["replay", "script"])
def test_what_has_no_frame_is_neither_replayed_nor_looked_at(
    run: Run, server: SimulatorServer, path: Path, tmp_path: Path, data: bytes, words: tuple[str, ...]
) -> None:
    path.write_bytes(data)
    out = tmp_path / "collect.py"
    code, _, error = run(*(str(out) if word == "OUT" else word for word in words))
    assert (code, server.calls, out.exists()) == (1, [], False)
    assert error.splitlines()[-1] == "recorder-editor: There is no frame to replay."


def test_a_world_made_of_a_road_map_is_told_as_one(run: Run, server: SimulatorServer, path: Path) -> None:
    """The simulator has the name of such a world, and no road of it: loading it brings the one that was made last."""
    with recorder_editor.open(path) as recording:
        recording.apply(set_header(recording, map_name="OpenDriveMap"))
        recording.save()
    code, _, error = run()
    assert (code, server.calls) == (1, [])
    assert error.endswith(
        "of a world made of a road map: make that there (generate_opendrive_world), or load the last one that was "
        "made. --load-map helps.\n"
    )
    server.maps.append("OpenDriveMap")
    assert run("--load-map").code == 0
    assert server.map == "OpenDriveMap"


CALL = "client.replay_file({!r}, 0.100, 0.000, 101, replay_sensors=False)\n"


def test_without_a_simulator_the_call_is_printed(run: Run, server: SimulatorServer, path: Path) -> None:
    server.refusals["version"] = "out of order"
    code, out, error = run("--from", "0.1", "--follow", "101", "--time-factor", "2")
    assert (code, out) == (1, "client.set_replayer_time_factor(2.0)\n" + CALL.format(str(path)))
    place = f"127.0.0.1:{server.port}"
    assert error == f"recorder-editor: No simulator answers at {place}: out of order.\n"


def test_without_its_package_the_call_is_printed_too(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "carla", None)
    assert main(["replay", str(path), "--from", "0.1", "--follow", "101"]) == 1
    out, error = capsys.readouterr()
    assert out == CALL.format(str(path))
    assert remedy("carla") in error


def test_the_collect_script_is_written_without_a_simulator(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "carla", None)
    script = tmp_path / "collect.py"
    words = ["--script", str(script), "--follow", "101", "--host", "there", "--from", "0.1"]
    assert main(["replay", str(path), *words]) == 0
    lines = script.read_text("utf-8").splitlines()
    assert {f"RECORDING = {str(path)!r}", "HOST = 'there'", "START = 0.1", "STEP = 0.05", "MAP = 'Town05'"} <= set(
        lines
    )
    assert next(line for line in lines if line.startswith("ACTOR = ")).startswith("ACTOR = {'id': 101, ")


@pytest.mark.parametrize("given", ["IN", "there.py"])
def test_a_script_is_not_written_over_the_recording(path: Path, tmp_path: Path, given: str) -> None:
    before = path.read_bytes()
    target = path if given == "IN" else tmp_path / given
    assert main(["replay", str(path), "--script", str(target)]) == (2 if given == "IN" else 0)
    assert path.read_bytes() == before


def test_other_blueprints_are_refused_until_a_copy_may_be_converted(
    run: Run, server: SimulatorServer, path: Path
) -> None:
    old = [b.actor(1, 1, "vehicle.lincoln.mkz2017"), b.actor(2, 1, "vehicle.audi.tt", uid=2)]
    light = b.packet(10, b.vehicle_light([{"id": 1, "lights": 1}]))
    sensor = b.actor(3, 0, "sensor.camera.rgb", uid=39)
    births = b.packet(2, b.event_add([*old, sensor]))
    path.write_bytes(b.recording(b.frame(1, 0.0, 0.1, [births, light]), b.frame(2, 0.1, -1.0)))
    with recorder_editor.open(path) as recording:
        assert recording.dialect.name == "ue4-0.9.10"
        recording.apply(set_header(recording, map_name="Town05"))
        recording.save()
    server.release = "0.9.11"
    assert run().code == 0
    server.release = "0.9.13"
    code, _, error = run()
    assert code == 1
    assert "would make other actors than were recorded, or none" in error
    assert error.splitlines()[-1].endswith("--convert helps.")
    code, out, _ = run("--convert")
    assert code == 0
    assert "1 actor of vehicle.lincoln.mkz2017 becomes vehicle.lincoln.mkz_2017, as ue4-0.9.12 calls it." in out
    with recorder_editor.open(server.calls[-1][1][0]) as copy:
        assert [(life.blueprint, life.uid) for life in Actors.of(copy.snapshot)] == [
            ("vehicle.lincoln.mkz_2017", 26),
            ("vehicle.audi.tt", 2),
            ("sensor.camera.rgb", 52),
        ]


def test_the_nearest_stands_in_for_what_the_simulator_does_not_have(
    run: Run, server: SimulatorServer, path: Path
) -> None:
    server.release = "0.10.0"
    code, out, _ = run("--convert")
    assert code == 0
    assert "2 actors of vehicle.lincoln.mkz_2017 become vehicle.lincoln.mkz: ue5-0.10.0 has no such blueprint." in out
    with recorder_editor.open(server.calls[-1][1][0]) as copy:
        assert {life.blueprint for life in Actors.of(copy.snapshot)} == {"vehicle.lincoln.mkz"}
