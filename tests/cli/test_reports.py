"""The verbs that print CARLA's reports, and the same as data."""

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.reports.info import info_report

from .. import builders as b
from ..real_recordings import only_one
from ..recording.films import add, collide, delete, film
from ..reports.texts import CAST, hits


def strict(text: bytes) -> Any:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def crash(recordings: Path) -> str:
    return str(recordings / "carla-0.9.13-town05-collisions.log")


def test_info_as_data_tells_what_the_recording_is(crash: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["info", crash, "--json"]) == 0
    told = strict(capsysbinary.readouterr().out)
    assert told["header"]["map"] == "Town05"
    assert told["frames"] == 555
    assert told["packets"]["FrameStart"] == {"count": 555, "bytes": 13320, "records": 555}
    assert told["collisions"] == {"records": 38, "contacts": 1}
    assert told["actors"]["vehicle"] > 0
    assert set(told["time_steps"]) == {"least", "median", "greatest", "fixed"}
    assert told["dialect"] == "ue4-0.9.12"
    assert told["dialect_reason"]
    assert told["damage"] == []


def test_collisions_as_data_name_both_actors(crash: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["collisions", crash, "--json"]) == 0
    (told,) = strict(capsysbinary.readouterr().out)["collisions"]
    assert told["actor1"]["blueprint"] == "vehicle.lincoln.mkz_2017"
    assert told["actor2"]["class"] == "two-wheeler"
    assert told["frame"] <= told["last_frame"]


def test_collisions_take_two_types_or_none(crash: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["collisions", crash, "h", "v"]) == 0
    assert b"vehicle.diamondback.century" in capsysbinary.readouterr().out
    assert main(["collisions", crash, "w", "w"]) == 0
    assert b"vehicle" not in capsysbinary.readouterr().out
    assert main(["collisions", crash, "h"]) == 2
    assert b"both types or neither" in capsysbinary.readouterr().err
    assert main(["collisions", crash, "h", "x"]) == 2
    assert b"types are h, v, w, t, o, a" in capsysbinary.readouterr().err


def test_collisions_as_data_know_who_was_meant(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    def told(*types: str) -> list[dict[str, Any]]:
        assert main(["collisions", str(path), *types, "--json"]) == 0
        return list(strict(capsysbinary.readouterr().out)["collisions"])

    path = tmp_path / "crash.log"
    frames = [[CAST], [delete(9)], [collide((7, 8))], [collide((8, 7))], [], [collide((7, 8))]]
    path.write_bytes(film(*frames, step=0.5))
    first, second = told()
    assert (first["frame"], first["last_frame"], first["records"], second["frame"]) == (3, 4, 2, 6)
    assert first["actor1"]["blueprint"] == "vehicle.audi.tt"
    assert len(told("w", "v")) == 2
    assert told("t", "a") == []
    # The walker is the hero here, since it collides second.
    assert len(told("h", "v")) == 2
    assert told("h", "w") == []


def test_as_data_a_sign_is_no_hero(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "sign.log"
    path.write_bytes(film([CAST, hits((7, 9, False, False))]))
    for types, number in ((("v", "o"), 1), (("h", "v"), 0)):
        assert main(["collisions", str(path), *types, "--json"]) == 0
        assert len(strict(capsysbinary.readouterr().out)["collisions"]) == number


def test_blocked_as_data_is_the_report_without_its_slips(
    crash: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["blocked", crash, "--min-time", "5", "--json"]) == 0
    told = strict(capsysbinary.readouterr().out)
    assert (told["min_time_s"], told["min_distance_cm"]) == (5.0, 10.0)
    assert set(told["blocked"][0]) == {"id", "class", "blueprint", "role", "frame", "frame_id", "time", "duration"}
    durations = [row["duration"] for row in told["blocked"]]
    assert durations == sorted(durations, reverse=True)
    assert min(durations) >= 5
    assert main(["blocked", crash, "--min-time", "5"]) == 0
    printed = capsysbinary.readouterr().out.decode().splitlines()
    assert printed[4] == "    Time     Id Actor                                 Duration"


@pytest.mark.parametrize("given", ["nan", "much", "1e300"])
def test_limits_are_numbers(given: str, crash: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["blocked", crash, f"--min-time={given}"]) == 2


@pytest.mark.parametrize("verb", ["info", "collisions", "blocked"])
def test_every_report_takes_a_release_and_utc(
    verb: str, crash: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main([verb, crash, "--release", "0.9.6", "--utc"]) == 0
    assert b"Date: 08/30/22 15:53:35\n" in capsysbinary.readouterr().out
    assert main([verb, crash, "--release", "0.8"]) == 2


@pytest.mark.parametrize("verb", ["info", "collisions", "blocked"])
def test_a_damaged_file_is_told_on_stderr_and_is_no_failure(
    verb: str, damaged_recording: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main([verb, str(damaged_recording)]) == 0
    told = capsysbinary.readouterr()
    assert told.out == b""
    assert b"EF BF BD" in told.err
    assert b"crashes when it prints the date -4616262460972875793" in told.err
    assert b"not a CARLA recorder" not in told.err


@pytest.mark.parametrize("verb", ["info", "collisions", "blocked"])
def test_a_file_of_another_kind_is_denied_as_the_server_does(
    verb: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "text.log"
    path.write_text("no recording at all")
    assert main([verb, str(path)]) == 0
    assert capsysbinary.readouterr().out == b"File is not a CARLA recorder\n"


def test_a_server_that_would_lose_its_place_is_told_on_stderr_with_the_command_that_converts(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    old, town = tmp_path / "old drive.log", tmp_path / "town.log"
    old.write_bytes(b.everything("ue4-0.9.10"))
    town.write_bytes(b.everything("ue4-0.9.12"))
    for path, release, server in ((old, "0.9.13", "ue4-0.9.12"), (town, "0.9.10", "ue4-0.9.10")):
        assert main(["info", str(path), "--all", "--release", release]) == 0
        told = capsysbinary.readouterr().err.decode()
        assert "loses its place in this file, since it reads PhysicsControl otherwise" in told
        command = shlex.split(told.rpartition(": ")[2])
        assert command[-1] == server
        assert main(command[1:]) in (0, 3)
        capsysbinary.readouterr()
        assert main(["info", command[3], "--all", "--release", release]) == 0
        assert capsysbinary.readouterr().err == b""
    for arguments in (["--all"], ["--release", "0.9.13"], ["--all", "--release", "0.9.10"]):
        assert main(["info", str(old), *arguments]) == 0
        assert capsysbinary.readouterr().err == b""


@pytest.mark.parametrize("verb", ["info", "collisions", "blocked"])
def test_a_missing_file_is_wrong_usage(verb: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main([verb, "nowhere.log"]) == 2
    assert capsysbinary.readouterr().out == b""


@only_one
def test_the_verb_prints_the_bytes_of_the_report(
    sound_recording: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["info", str(sound_recording), "--all", "--utc"]) == 0
    printed = capsysbinary.readouterr().out
    with recorder_editor.open(sound_recording) as recording:
        assert printed == b"".join(info_report(recording.snapshot, show_all=True, utc=True))


@pytest.mark.parametrize("verb", ["info", "collisions", "blocked"])
def test_the_date_is_that_of_the_time_zone_without_utc(
    verb: str, crash: str, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        assert main([verb, crash]) == 0
        assert b"Date: 08/30/22 11:53:35\n" in capsysbinary.readouterr().out
        assert main([verb, crash, "--utc"]) == 0
        assert b"Date: 08/30/22 15:53:35\n" in capsysbinary.readouterr().out
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("verb", ["info", "collisions", "blocked"])
def test_a_reader_that_has_enough_is_no_error_and_no_window_is_loaded(verb: str, crash: str) -> None:
    code = (
        "import sys; from recorder_editor.cli import main; code = main(sys.argv[1:]);"
        "assert not [name for name in sys.modules if 'PySide' in name or 'pyqtgraph' in name]; sys.exit(code)"
    )
    command = [sys.executable, "-c", code, verb, crash, *(["--all"] if verb == "info" else [])]
    root = str(Path(recorder_editor.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": root}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 0


STRAY = b.header() + add(b.actor(7), b.actor(8)) + collide((7, 8)) + b.packet(6, b.position([b.pose(7)]))
NAN = b.Bits32(0x7FC0_0000)
ODD = b.recording(
    b.frame(1, b.Bits64(0xFFF8 << 48), float("inf"), [add(b.actor(7, 1, b.NOT_UTF8), b.actor(8)), collide((7, 8))]),
    b.frame(2, float("-inf"), float("inf"), [b.packet(6, b.position([b.pose(7, b.xyz(1e38, -1e38, NAN))]))]),
)


@pytest.mark.parametrize("verb", ["info", "collisions", "blocked", "actors"])
@pytest.mark.parametrize("data", [b"", b"junk", b.header(), STRAY, ODD, ODD[:-3]])
def test_whatever_the_file_its_json_is_strict(
    verb: str, data: bytes, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "odd.log"
    path.write_bytes(data)
    more = ["--min-time", "0"] if verb == "blocked" else []
    assert main([verb, str(path), *more]) == 0
    capsysbinary.readouterr()
    assert main([verb, str(path), "--json", *more]) == 0
    told = strict(capsysbinary.readouterr().out)
    assert told["file"] == str(path)
    if verb == "collisions" and data is STRAY:
        (row,) = told["collisions"]
        assert [row[key] for key in ("frame", "frame_id", "time", "last_frame", "last_time")] == [None] * 5


def test_who_never_moved_has_no_top_speed(crash: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["actors", crash, "--json"]) == 0
    lives = strict(capsysbinary.readouterr().out)["actors"]
    assert {type(life["top_speed_mps"]) for life in lives if life["class"] == "vehicle"} == {float}
    assert {life["top_speed_mps"] for life in lives if life["class"] == "traffic light"} == {None}
