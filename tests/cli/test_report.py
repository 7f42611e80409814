"""The verb `report`: what it writes, where, of what, and what it refuses."""

import sys
from pathlib import Path

import pytest

from recorder_editor.cli import main

from .. import builders as b
from ..reading.films import Actor, along, film
from ..roads import builders as roads

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    path = tmp_path / "drive.log"
    return film(path, {1: Actor(along(5, 1.75, 0, 10), role="hero"), 2: Actor(along(40, 1.75, 0, 2))}, 1.0)


def test_it_writes_one_page_and_says_so(drive: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "out.html"
    assert main(["report", str(drive), str(out), "--verbose"]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert f"Wrote {out}: {out.stat().st_size:,} bytes." in told.err
    assert out.read_text("utf-8").startswith("<!doctype html>")
    assert main(["report", str(drive), str(out), "--quiet"]) == 0  # it is made again, and nothing is lost
    assert capsys.readouterr().err == ""


def test_it_goes_to_standard_output(drive: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["report", str(drive), "-"]) == 0
    page = capfdbinary.readouterr().out
    assert page.startswith(b"<!doctype html>")
    assert b"recorder-editor report drive.log -</p>" in page


def test_folders_and_several_recordings_are_one_page(drive: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    for name in ("a.log", "b.log"):
        (more / name).write_bytes(b.drive(3))
    out = tmp_path / "out.html"
    assert main(["report", str(drive), str(more), str(out)]) == 0
    page = out.read_text("utf-8")
    assert "<title>3 recordings</title>" in page
    assert page.count("<article") == 4


def test_it_speaks_chinese_and_takes_a_road_map(drive: Path, tmp_path: Path, capsys: Captured) -> None:
    xodr = tmp_path / "street.xodr"
    xodr.write_bytes(roads.opendrive(roads.road()))
    out = tmp_path / "out.htm"
    assert main(["report", str(drive), str(out), "--lang", "zh_CN", "--xodr", str(xodr)]) == 0
    page = out.read_text("utf-8")
    assert '<html lang="zh-CN">' in page
    assert "--xodr street.xodr --lang zh_CN" in page
    assert 'id="r1-ground"' in page
    assert "备注" in page


@pytest.mark.parametrize("name", ["out.log", "out"])
def test_the_page_has_the_ending_of_one(drive: Path, tmp_path: Path, capsys: Captured, name: str) -> None:
    assert main(["report", str(drive), str(tmp_path / name)]) == 2
    assert "the name of a report ends in .html" in capsys.readouterr().err
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("library", ["jinja2", "scipy"])
def test_a_missing_library_is_told_with_what_installs_it(
    drive: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    assert main(["report", str(drive), str(tmp_path / "out.html")]) == 1
    told = capsys.readouterr().err
    assert f"This needs {library}, which is not installed." in told
    assert "jinja2>=3.1" in told
    assert not (tmp_path / "out.html").exists()


def test_notes_that_cannot_be_read_are_told_and_leave_the_rest(drive: Path, tmp_path: Path, capsys: Captured) -> None:
    drive.with_name("drive.log.notes.json").write_text("nonsense\n", "utf-8")
    out = tmp_path / "out.html"
    assert main(["report", str(drive), str(out)]) == 0
    assert "drive.log.notes.json" in capsys.readouterr().err
    assert out.exists()
