"""`index` and `find`: what they print, as text and as JSON, and what they refuse."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from recorder_editor import resources
from recorder_editor.cli import main
from recorder_editor.fleet import catalogue
from recorder_editor.fleet.catalogue import NAME, Kind

from .. import builders as b

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with recordings in `drives`."""
    monkeypatch.chdir(tmp_path)
    Path("drives/deep").mkdir(parents=True)
    shutil.copy(resources.path("sample/town.log"), "drives")
    Path("drives/deep/a.log").write_bytes(b.drive(6, vehicles=2))
    return tmp_path


def strict(text: str) -> Any:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize("workers", [["--workers", "1"], pytest.param([], marks=pytest.mark.long)], ids=["one", "many"])
def test_the_index_tells_what_was_done(folder: Path, capsys: Captured, workers: list[str]) -> None:
    assert main(["index", "drives", *workers]) == 0
    assert capsys.readouterr() == (f"drives/{NAME}: 2 read, 0 unchanged, 0 gone, 0 failed.\n", "")
    Path("drives/deep/a.log").unlink()
    assert main(["index", "drives", "--workers", "1"]) == 0
    assert capsys.readouterr().out == f"drives/{NAME}: 0 read, 1 unchanged, 1 gone, 0 failed.\n"


def test_recordings_are_listed_as_a_table(folder: Path, capsys: Captured) -> None:
    main(["index", "drives", "--workers", "1"])
    capsys.readouterr()
    assert main(["find", "drives"]) == 0
    head, first, second = capsys.readouterr().out.splitlines()
    assert head.split()[:7] == ["path", "town", "release", "date", "frames", "duration", "vehicles"]
    assert first.split()[:2] == ["deep/a.log", "Town01"]
    assert second.split() == [
        *("town.log", "DemoTown", "0.9.15", "2025-01-01", "13:00:00", "421", "21.000", "22", "13", "1", "0", "-"),
        *("0", "2374816"),
    ]
    assert {len(line) for line in (head, first, second)} == {len(head)}
    assert main(["find", "drives", "town == 'Nowhere'"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    assert main(["find", "drives", "kind == 'collision'", "--events"]) == 0
    _, hit = capsys.readouterr().out.splitlines()
    assert hit.split()[:2] == ["town.log", "collision"]


@pytest.mark.parametrize(
    "condition",
    [
        "town == 'Town10HD'",
        "town == 'Town10HD_Opt'",
        "town == '/Game/Carla/Maps/Town10HD_Opt'",
        "'town10' == town",
        "town in ('Town01', 'Carla/Maps/Town10HD')",
        "not town != 'Town10'",
        "town like 'Town10*'",
        "town like '?own10HD_Opt'",
    ],
)
def test_a_town_is_found_by_each_of_its_names(folder: Path, capsys: Captured, condition: str) -> None:
    for number, name in enumerate(("Town10HD_Opt", "Carla/Maps/Town10HD", "Town02")):
        Path(f"drives/{number}.log").write_bytes(b.recording(b.frame(1), map_name=name))
    Path("drives/town.log").unlink()
    main(["index", "drives", "--workers", "1"])
    capsys.readouterr()
    assert main(["find", "drives", f"({condition}) and path != 'deep/a.log'", "--json"]) == 0
    rows = strict(capsys.readouterr().out)["recordings"]
    assert [(row["path"], row["town"]) for row in rows] == [("0.log", "Town10HD"), ("1.log", "Town10HD")]


def test_json_has_every_column(folder: Path, capsys: Captured) -> None:
    endless = b.recording(b.frame(1, 0.0, 0.1, []), b.frame(2, float("inf"), -1.0, []))
    Path("drives/endless.log").write_bytes(endless)
    main(["index", "drives", "--workers", "1"])
    capsys.readouterr()
    kinds: tuple[tuple[Kind, list[str]], ...] = (("recordings", []), ("events", ["--events"]))
    for kind, options in kinds:
        assert main(["find", "drives", "true", "--json", *options]) == 0
        told = strict(capsys.readouterr().out)
        assert told.keys() == {"folder", kind}
        assert told[kind]
        assert all([*row] == [*catalogue.COLUMNS[kind]] for row in told[kind])
    main(["find", "drives", "path == 'endless.log'", "--json"])
    (row,) = strict(capsys.readouterr().out)["recordings"]
    assert (row["duration"], row["min_ttc"], row["hero"]) == ("f64:7ff0000000000000", None, "")


def test_what_is_wrong_is_a_sentence(folder: Path, capsys: Captured) -> None:
    def said(*words: str) -> tuple[int, str]:
        code = main([*words])
        told = capsys.readouterr()
        assert told.out == ""
        return code, told.err.removeprefix("recorder-editor: ")

    assert said("index", "gone") == (2, "gone: there is no such folder.\n")
    advice = "Make one with recorder-editor index, or with Index folder in the Library."
    assert said("find", "drives") == (2, f"drives has no index yet. {advice}\n")
    Path("drives", NAME).write_text("mine", encoding="utf-8")
    foreign = f"{folder / 'drives' / NAME} is no index that this release has made, or is damaged."
    for words in (("index", "drives"), ("find", "drives")):
        code, err = said(*words)
        assert (code, err.startswith(foreign)) == (1, True)
    assert Path("drives", NAME).read_text("utf-8") == "mine"
    assert main(["index", "drives", "--new", "--workers", "1"]) == 0
    capsys.readouterr()
    assert said("find", "drives", "frame > 3") == (
        2,
        "Recording has no field “frame”. Did you mean “frames”? (column 1)\n",
    )
    assert said("find", "drives", "frames > ") == (2, "Something is missing here. (column 10)\n")


def test_files_that_cannot_be_read_are_told(folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: Path) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(catalogue, "content", broken)
    assert main(["index", "drives", "--workers", "1"]) == 1
    told = capsys.readouterr()
    assert told.out.endswith(": 0 read, 0 unchanged, 0 gone, 2 failed.\n")
    assert told.err.splitlines() == [f"drives/{name}: Permission denied." for name in ("deep/a.log", "town.log")]


def test_what_is_no_recording_is_counted_and_not_listed(folder: Path, capsys: Captured) -> None:
    Path("drives/CarlaUE4.log").write_text("LogInit: Build: 4.26\n" * 9, encoding="utf-8")
    Path("drives/empty.log").write_bytes(b"")
    Path("drives/zip.log").write_bytes(b"PK\x03\x04" + bytes(99))
    Path("drives/torn.log").write_bytes(b.drive(3)[:20] + b"\xef\xbf\xbd" * 9)
    main(["index", "drives", "--workers", "1"])
    summary = "3 read, 0 unchanged, 0 gone, 0 failed. 3 files are no recordings, and are not listed.\n"
    assert capsys.readouterr().out.endswith(summary)
    main(["find", "drives", "--json"])
    rows = strict(capsys.readouterr().out)["recordings"]
    assert [(row["path"], row["damage"] > 0) for row in rows] == [
        ("deep/a.log", False),
        ("torn.log", True),
        ("town.log", False),
    ]
    main(["index", "drives", "--workers", "1"])
    assert "0 read, 3 unchanged, 0 gone, 0 failed." in capsys.readouterr().out


def test_a_file_that_is_no_recording_any_more_is_taken_out(folder: Path, capsys: Captured) -> None:
    main(["index", "drives", "--workers", "1"])
    Path("drives/town.log").write_bytes(b"<html>" * 20)
    main(["index", "drives", "--workers", "1"])
    assert "0 read, 1 unchanged, 0 gone, 0 failed. 1 file is no recording" in capsys.readouterr().out
    main(["find", "drives", "--json"])
    assert [row["path"] for row in strict(capsys.readouterr().out)["recordings"]] == ["deep/a.log"]


def test_other_thresholds_look_for_the_events_of_all_recordings_again(folder: Path, capsys: Captured) -> None:
    def told(*words: str) -> str:
        assert main(["index", "drives", "--workers", "1", *words]) == 0
        return capsys.readouterr().out.removeprefix(f"drives/{NAME}: ")

    def brakings() -> int:
        main(["find", "drives", "kind == 'hard-braking'", "--events", "--json"])
        return len(strict(capsys.readouterr().out)["events"])

    assert told() == "2 read, 0 unchanged, 0 gone, 0 failed.\n"
    before = brakings()
    assert told("--hard-braking", "-2") == "2 read, 0 unchanged, 0 gone, 0 failed.\n"
    assert brakings() > before
    assert told("--hard-braking", "-2") == "0 read, 2 unchanged, 0 gone, 0 failed.\n"
    assert told() == "2 read, 0 unchanged, 0 gone, 0 failed.\n"
    assert brakings() == before


def test_progress_counts_the_files(folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["index", "drives", "--workers", "1"]) == 0
    assert capsys.readouterr().err.startswith("\rIndexing drives 50 %\r")


def test_an_index_that_cannot_be_written_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.log").write_bytes(b.drive(3))
    (tmp_path / "recorder-editor-index.sqlite-journal").mkdir()  # as root writes where permissions forbid it
    assert main(["index", str(tmp_path), "--workers", "1"]) == 1
    path = tmp_path / "recorder-editor-index.sqlite"
    assert capsys.readouterr().err == (
        f"recorder-editor: {path} cannot be written: the folder or the file does not permit it.\n"
    )
