"""`lanes`, and `--xodr` for the verbs that ask for lanes."""

import csv
import json
import re
from pathlib import Path

import pyarrow.parquet
import pytest

from recorder_editor.cli import main

from ..formats.test_export_tables import check_forms
from ..recording.street import AWAY, CHANGE, CHANGING, FRAMES, LAMP, STREET, on_street, street_recording
from ..roads.builders import geometry, opendrive, road


@pytest.fixture
def town(tmp_path: Path) -> Path:
    """A recording, and beside it a folder with its map."""
    path = tmp_path / "town.log"
    path.write_bytes(street_recording())
    path.with_name("street.xodr").write_bytes(STREET)
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_lanes_writes_points_of_every_lane_in_the_coordinates_of_the_simulator(town: Path) -> None:
    out = town.with_name("lanes.csv")
    assert main(["lanes", str(town.with_name("street.xodr")), str(out), "--spacing", "100"]) == 0
    rows = rows_of(out)
    assert list(rows[0]) == [
        *("road_id", "section", "lane_id", "lane_type", "s_m"),
        *("x_m", "y_m", "z_m", "heading_deg", "width_m", "in_junction"),
    ]
    assert [float(row["s_m"]) for row in rows if row["lane_id"] == "-3"] == [0.0, 100.0, 200.0, 300.0, 400.0]
    assert {(row["lane_id"], row["lane_type"], row["y_m"], row["heading_deg"][:4]) for row in rows} == {
        *(
            ("1", "driving", "-1.75", head)
            for head in {row["heading_deg"][:4] for row in rows if row["lane_id"] == "1"}
        ),
        ("-1", "driving", "1.75", "0.0"),
        ("-2", "driving", "5.25", "0.0"),
        ("-3", "sidewalk", "8.0", "0.0"),
    }
    assert {abs(float(row["heading_deg"])) for row in rows if row["lane_id"] == "1"} == {180.0}
    assert {row["in_junction"] for row in rows} == {"false"}
    assert (
        main(["lanes", str(town.with_name("street.xodr")), str(out.with_suffix(".parquet")), "--spacing", "100"]) == 0
    )
    assert pyarrow.parquet.read_table(out.with_suffix(".parquet")).num_rows == len(rows)


@pytest.mark.parametrize(
    ("text", "arguments", "sentence"),
    [
        (b"<OpenDRIVE>", ["out.csv"], "bad.xodr: .*line 1"),
        (STREET, ["out.xosc"], "Lanes are a table and no scenario"),
        (STREET, ["out.txt"], "cannot be written"),
        (STREET, ["out.csv", "--spacing", "0"], "--spacing takes metres, from 0.01 on"),
        (STREET, ["bad.xodr"], "is the input itself"),
    ],
)
def test_what_cannot_be_written_is_told_in_a_sentence(
    text: bytes,
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.xodr").write_bytes(text)
    assert main(["lanes", "bad.xodr", *arguments]) == 2
    assert re.search(sentence, capsys.readouterr().err)


def test_the_table_of_lanes_has_a_row_for_every_road_user_and_frame(town: Path) -> None:
    out = town.with_name("out.csv")
    map_ = ["--xodr", str(town.with_name("street.xodr")), "--read-as", "ue4-0.9.12"]
    assert main(["export", str(town), str(out), "--table", "lanes", *map_]) == 0
    rows = rows_of(out)
    assert list(rows[0]) == [
        *("frame", "time_s", "id", "road_id", "section", "lane_id", "lane_type", "s_m", "offset_m"),
        *("heading_error_deg", "lane_width_m", "in_junction"),
    ]
    assert len(rows) == 5 * FRAMES
    assert str(LAMP) not in {row["id"] for row in rows}
    mine = [row for row in rows if row["id"] == str(CHANGING)]
    assert [row["lane_id"] for row in mine] == ["-1"] * CHANGE + ["-2"] * (FRAMES - CHANGE)
    assert {(row["road_id"], row["section"], row["lane_type"], row["in_junction"]) for row in mine} == {
        ("7", "0", "driving", "false")
    }
    assert [float(row["s_m"]) for row in mine] == pytest.approx([10.0 + 5 * n for n in range(FRAMES)])
    gone = next(row for row in rows if row["id"] == str(AWAY))
    assert set(gone.values()) == {"1", "0.0", str(AWAY), ""}
    assert main(["export", str(town), str(out), "--table", "lanes", "--actors", "1,6", "--from", "#3", *map_]) == 0
    assert [(row["id"], row["frame"]) for row in rows_of(out)] == [("1", str(n)) for n in range(3, FRAMES + 1)]


def test_all_forms_say_the_same_of_lanes(tmp_path: Path) -> None:
    with on_street() as recording:
        assert check_forms(recording, tmp_path, "lanes") == 5 * FRAMES


def test_without_a_map_there_is_no_such_table(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["export", "--read-as", "ue4-0.9.12", str(town)]
    assert main([*given, str(town.with_name("out.csv")), "--table", "lanes"]) == 2
    assert "needs a road map" in capsys.readouterr().err
    assert main([*given, "--list"]) == 0
    assert "lanes:" not in capsys.readouterr().out
    assert main([*given, "--list", "--xodr", str(town.with_name("street.xodr"))]) == 0
    assert "lanes: The lane of every vehicle and walker" in capsys.readouterr().out


def test_the_map_is_found_by_the_name_of_the_town(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (town.parent / "maps").mkdir()
    town.with_name("street.xodr").rename(town.parent / "maps" / "Town01.xodr")
    out = town.with_name("out.csv")
    assert main(["export", str(town), str(out), "--table", "lanes", "--read-as", "ue4-0.9.12"]) == 0
    assert "Town01.xodr, in maps beside the recording." in capsys.readouterr().err
    assert len(rows_of(out)) == 5 * FRAMES


def test_check_takes_a_map_and_tells_of_vehicles_off_the_road(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(town), "--json", "--read-as", "ue4-0.9.12", "--xodr", str(town.with_name("street.xodr"))])
    told = json.loads(capsys.readouterr().out)
    assert {"off-road", "wrong-way", "on-sidewalk"} < {finding["code"] for finding in told["findings"]}
    assert main(["check", str(town), "--xodr", str(town)]) == 2


@pytest.mark.parametrize(
    "words",
    [
        ["check", "town.log"],
        ["export", "town.log", "out.csv", "--table", "lanes"],
        ["events", "town.log", "--kinds", "collision"],
        ["edit", "town.log", "out.log", "--set", "Position where lane == 1: location.z = 100"],
        ["check", "town.log", "other.log", "--out-dir", "reports"],
    ],
    ids=" ".join,
)
def test_the_map_of_another_town_is_told_once_a_file(
    town: Path, words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(town.parent)
    Path("other.log").write_bytes(town.read_bytes())
    Path("elsewhere.xodr").write_bytes(opendrive(road(plan=geometry(x=9000.0))))
    main([*words, "--read-as", "ue4-0.9.12", "--xodr", "elsewhere.xodr"])
    told = capsys.readouterr().err
    for name in words:
        if name in ("town.log", "other.log"):
            line = f"{name}: elsewhere.xodr does not fit: 0% of the vehicles' positions lie within 5 m of its lanes."
            assert told.count(line) == 1
    main([*words, "--read-as", "ue4-0.9.12", "--xodr", "street.xodr", "--overwrite"])
    assert "does not fit" not in capsys.readouterr().err


def test_edit_and_run_find_records_by_lane(town: Path) -> None:
    out, script = town.with_name("out.log"), town.with_name("script.json")
    given = ["--read-as", "ue4-0.9.12", "--xodr", str(town.with_name("street.xodr"))]
    text = "Position where off_road: location.z = 100"
    saved = ["--save-script", str(script)]
    assert main(["edit", str(town), str(out), "--set", text, *saved, *given]) == 0
    edited = out.read_bytes()
    assert edited != town.read_bytes()
    assert main(["run", str(script), str(town), str(town.with_name("again.log")), *given]) == 0
    assert town.with_name("again.log").read_bytes() == edited
    assert main(["run", str(script), str(town), str(out), "--overwrite", *given[:2]]) == 1


def test_a_scenario_names_the_file_of_the_map(town: Path) -> None:
    other = town.with_name("maps")
    other.mkdir()
    for file, written in ((town.with_name("street.xodr"), "street.xodr"), (other / "s.xodr", "maps/s.xodr")):
        file.write_bytes(opendrive(road()))
        assert main(["export", str(town), str(town.with_name("o.xosc")), "--xodr", str(file)]) == 0
        assert f'<LogicFile filepath="{written}"/>' in town.with_name("o.xosc").read_text()
    other.joinpath("in").mkdir()
    assert main(["export", str(town), str(other / "in" / "o.xosc"), "--xodr", str(file)]) == 0
    assert f'<LogicFile filepath="{file.resolve().as_posix()}"/>' in (other / "in" / "o.xosc").read_text()
    assert main(["export", str(town), str(town.with_name("o.xosc"))]) == 0
    assert '<LogicFile filepath="Town01"/>' in town.with_name("o.xosc").read_text()
