"""The verbs that print CARLA's reports, and the same as data."""

import json
from pathlib import Path
from typing import Any

import pytest

from recorder_editor.cli import main


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


def test_blocked_as_data_is_the_report_without_its_slips(
    crash: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["blocked", crash, "--min-time", "5", "--json"]) == 0
    told = strict(capsysbinary.readouterr().out)
    assert (told["min_time_s"], told["min_distance_cm"]) == (5.0, 10.0)
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
    assert told.out == b"File is not a CARLA recorder\n"
    assert b"EF BF BD" in told.err
