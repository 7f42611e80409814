"""The verb `events`: a table, JSON, chosen kinds and actors, thresholds, and each moment as a recording."""

import json
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.reading.events import KINDS

from .. import builders as b
from ..reading.films import STEP, Actor, along, film
from ..real_recordings import MAPS
from ..roads.builders import geometry, opendrive, road

CRASH = {
    1: Actor(along(0, 0, 0, 3)),
    2: Actor(along(10, 0, 0, 0), role="hero"),
    3: Actor(along(0, 20, 0, 14)),
    4: Actor(along(20, 23.5, 0, 7)),
}
"""One drives into the hero, while elsewhere another one overtakes."""


@pytest.fixture
def crash(tmp_path: Path) -> Path:
    return film(tmp_path / "crash.log", CRASH)


def told(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    assert main(["events", *map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("flag", "given", "sentence"),
    [
        ("--near-miss", "0", "'0' is not from 0.1 to 10 s"),
        ("--hard-braking", "4", "'4' is not from -20 to 0 m/s²"),
        ("--standstill", "nan", "'nan' is not a number"),
    ],
)
def test_a_threshold_out_of_its_range_is_refused(
    crash: Path, capsys: pytest.CaptureFixture[str], flag: str, given: str, sentence: str
) -> None:
    assert main(["events", str(crash), flag, given]) == 2
    assert f"{flag}: {sentence}" in capsys.readouterr().err


def test_of_a_file_without_frames_only_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.log"
    path.write_bytes(b"")
    main(["events", str(path)])
    out, err = capsys.readouterr()
    assert out == "No events in 0 frames.\n"
    assert err == "empty.log at 0x000000: The file is empty.\n"


def test_without_an_event_a_file_has_its_columns_alone(crash: Path, tmp_path: Path) -> None:
    out = tmp_path / "none.csv"
    assert main(["events", str(crash), "--kinds", "u-turn", "--out", str(out)]) == 0
    (line,) = out.read_text(encoding="utf-8").splitlines()
    assert line.startswith("frame,frame_id,time_s,kind")


def test_the_table_has_a_line_for_each_event(crash: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["events", str(crash)]) == 0
    out, err = capsys.readouterr()
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == ["event", "start", "end", "frame", "actor", "other", "value", "unit", "blueprint"]
    assert [line[0] for line in lines[1:]] == ["collision", "overtaking"]
    assert lines[1][4:8] == ["2", "1", "3.000", "m/s"]
    assert err == "crash.log: no wrong-way, off-road, lane-change: these need the road map (--xodr).\n"


def test_json_has_times_places_and_thresholds(crash: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = told(capsys, crash, "--kinds", "collision", "--near-miss", "2.5")
    assert report.keys() == {"file", "events", "thresholds", "needs_map"}
    assert report["thresholds"]["near_miss"] == 2.5
    assert report["thresholds"]["hard_braking"] == -4.0
    (event,) = report["events"]
    # Bumper to bumper are 5.4 m at the start.
    frame = round(5.4 / 3 / STEP) + 1
    assert event["frame"] == pytest.approx(frame, abs=1)
    assert event["start_s"] == pytest.approx((event["frame"] - 1) * STEP)
    assert event["end_s"] == pytest.approx(14.6 / 3, abs=STEP)
    assert {name: event[name] for name in ("kind", "actor", "other", "unit", "lane")} == {
        "kind": "collision",
        "actor": 2,
        "other": 1,
        "unit": "m/s",
        "lane": None,
    }
    assert event["value"] == pytest.approx(3, abs=1e-4)
    assert event["x_m"] == pytest.approx(7.7, abs=0.2)


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        (["--actors", "hero"], ["collision"]),
        (["--actors", "3,4"], ["overtaking"]),
        (["--actors", "1", "--actors", "3"], ["collision", "overtaking"]),
        (["--kinds", "overtaking,cut-in"], ["overtaking"]),
        (["--kinds", "near-miss"], []),
    ],
)
def test_kinds_and_actors_choose(
    crash: Path, capsys: pytest.CaptureFixture[str], words: list[str], kinds: list[str]
) -> None:
    assert [event["kind"] for event in told(capsys, crash, *words)["events"]] == kinds


def test_a_mistyped_kind_is_told_with_the_one_that_was_meant(crash: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["events", str(crash), "--kinds", "near-mis"]) == 2
    err = capsys.readouterr().err
    assert "“near-miss”?" in err
    assert all(kind.name in err for kind in KINDS)


def test_each_event_becomes_a_recording_of_the_seconds_about_it(
    crash: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "moments"
    (event, _) = told(capsys, crash)["events"]
    words = ["events", str(crash), "--trim", "1", "--out-dir", str(out)]
    assert main(words) == 0
    first, second = sorted(out.iterdir())
    assert first.name == f"crash-collision-{event['frame']:05}-2.log"
    assert second.name.startswith("crash-overtaking-")
    with recorder_editor.open(first) as moment:
        assert len(moment) == 40
        assert moment.snapshot.elapsed[-1] == pytest.approx(2.0 - STEP)
    capsys.readouterr()
    assert main(words) == 2
    assert "exist" in capsys.readouterr().err
    assert main([*words, "--overwrite"]) == 0


def test_what_is_cut_away_and_may_hold_on_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unknown = b.packet(150, b"\1")
    path = film(tmp_path / "crash.log", CRASH, more=lambda index: [unknown] if not index else [])
    words = ["events", str(path), "--kinds", "collision", "--trim", "0.5", "--out-dir", str(tmp_path / "out")]
    assert main(words) == 3
    assert "150" in capsys.readouterr().err
    assert len(list((tmp_path / "out").iterdir())) == 1


def test_of_a_damaged_recording_moments_are_written_where_that_is_accepted(crash: Path, tmp_path: Path) -> None:
    crash.write_bytes(crash.read_bytes()[:-3])
    words = ["events", str(crash), "--trim", "0.5", "--out-dir", str(tmp_path / "out")]
    assert main(words) == 1
    assert not (tmp_path / "out").exists()
    assert main([*words, "--damaged"]) == 0
    assert main(["events", str(crash)]) == 0


def test_a_folder_without_recordings_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["events", str(tmp_path)]) == 2
    assert "there is no recording (.log, .rec) in this folder." in capsys.readouterr().err


def test_the_map_of_another_town_is_told(crash: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    town = tmp_path / "elsewhere.xodr"
    town.write_bytes(opendrive(road(plan=geometry(x=9000.0))))
    assert main(["events", str(crash), "--kinds", "wrong-way", "--xodr", str(town)]) == 0
    assert "no wrong-way: the road map is that of another town or release." in capsys.readouterr().err


def test_trim_and_out_dir_go_together(crash: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--trim", "1"], ["--out-dir", str(tmp_path / "out")]):
        assert main(["events", str(crash), *words]) == 2
        assert "--trim and --out-dir go together." in capsys.readouterr().err


def test_folders_are_searched_and_what_cannot_be_read_is_told_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "drives"
    (folder / "deep").mkdir(parents=True)
    film(folder / "one.log", CRASH)
    film(folder / "deep" / "two.log", {1: Actor(along(0, 0, 0, 3))})
    missing = tmp_path / "none.log"
    assert main(["events", str(folder), str(missing)]) == 2
    out, err = capsys.readouterr()
    assert f"{folder / 'one.log'}:" in out
    assert "No events in 121 frames." in out
    assert "none.log" in err
    reports = told(capsys, folder)
    assert [len(report["events"]) for report in reports] in ([2, 0], [0, 2])


def test_lanes_are_those_of_the_map_that_is_given(recordings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recordings / "carla-0.9.13-town05-collisions.log"
    words = ["--xodr", MAPS / "Town05.xodr", "--kinds", "lane-change,near-miss"]
    report = told(capsys, path, *words)
    assert report["needs_map"] == []
    kinds = [event["kind"] for event in report["events"]]
    assert kinds.count("lane-change") == 1
    assert all(event["lane"].keys() == {"road", "lane"} for event in report["events"])
