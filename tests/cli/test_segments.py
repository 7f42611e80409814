"""segments: the files it writes, and what it refuses."""

import json
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor import resources
from recorder_editor.cli import main

from .. import builders as b
from ..real_recordings import only_one


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.log"
    path.write_bytes(b.drive(12))
    return path


def listed(folder: Path, text: str) -> Path:
    path = folder / "list"
    path.write_text(text, encoding="utf-8")
    return path


def assert_ten_segments_are_ten_trims(recording: Path, folder: Path) -> None:
    with recorder_editor.open(recording) as opened:
        frames = len(opened)
    ends = [(frames * n // 13, frames * (n + 3) // 13) for n in range(10)]
    rows = [f"#{start + 1},#{stop + 1},part {n}" for n, (start, stop) in enumerate(ends)]
    out = folder / "parts"
    assert main(["segments", str(recording), "--segments", str(listed(folder, "\n".join(rows))), str(out)]) == 0
    written = sorted(out.iterdir())
    assert [path.name for path in written] == [
        f"{recording.stem}-{n + 1:03}-part {n}{recording.suffix}" for n in range(10)
    ]
    for path, (start, stop) in zip(written, ends, strict=True):
        single = folder / "single"
        words = ["--from", f"#{start + 1}", "--to", f"#{stop + 1}"]
        assert main(["trim", str(recording), str(single), *words, "-f"]) == 0
        assert path.read_bytes() == single.read_bytes()


@only_one
def test_ten_segments_of_a_real_recording_are_ten_trims(sound_recording: Path, tmp_path: Path) -> None:
    assert_ten_segments_are_ten_trims(sound_recording, tmp_path)


def test_ten_segments_of_the_sample_are_ten_trims(tmp_path: Path) -> None:
    assert_ten_segments_are_ten_trims(resources.path("sample/town.log"), tmp_path)


def test_segments_that_are_off_are_not_written_and_the_rest_is_told_as_json(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"start": 0, "end": "#4", "name": "a"}, {"start": "#4", "on": False}, {"start": "#9", "name": "c"}]
    words = [
        "segments",
        str(small),
        "--segments",
        str(listed(tmp_path, json.dumps(rows))),
        str(tmp_path / "out"),
        "--json",
    ]
    assert main([*words, "--dry-run"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert not (tmp_path / "out").exists()
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out) == said
    assert said["file"] == str(small)
    assert [(each["name"], each["from"], each["to"], each["frames"]) for each in said["segments"]] == [
        ("a", 1, 3, 3),
        ("c", 9, 12, 4),
    ]
    assert {each["out"]: each["size"] for each in said["segments"]} == {
        str(path): path.stat().st_size for path in (tmp_path / "out").iterdir()
    }


def test_nothing_is_replaced_unless_that_is_asked_for(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "two.log").write_text("mine")
    words = ["segments", str(small), "--segments", str(listed(tmp_path, "#1,#3,one\n#3,#6,two")), str(out)]
    words += ["--names", "{segment}"]
    assert main(words) == 2
    assert f"{out / 'two.log'} exists already" in capsys.readouterr().err
    assert [path.name for path in out.iterdir()] == ["two.log"]
    assert (out / "two.log").read_text() == "mine"
    assert main([*words, "--overwrite"]) == 0
    assert sorted(path.name for path in out.iterdir()) == ["one.log", "two.log"]


def test_what_a_segment_lacks_is_told_and_the_exit_code_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unknown = [b.packet(200, b"what holds on")]
    path = tmp_path / "unknown.log"
    path.write_bytes(b.recording(*(b.frame(n + 1, 0.1 * n, 0.1, unknown if n == 0 else []) for n in range(5))))
    words = ["segments", str(path), "--segments", str(listed(tmp_path, "#3,#5,late")), str(tmp_path / "out"), "--json"]
    assert main(words) == 3
    said = json.loads(capsys.readouterr().out)
    assert not said["lossless"]
    assert len(said["remarks"]) == 1


@pytest.mark.parametrize("text", ["0,soon,x", "[{}", "\n#8,#2,x"])
def test_a_list_that_cannot_be_read_is_wrong_usage_and_names_its_line(
    small: Path, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = listed(tmp_path, text)
    assert main(["segments", str(small), "--segments", str(path), str(tmp_path / "out")]) == 2
    assert f"{path}: Line {1 + text.count(chr(10))}: " in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert main(["segments", str(small), "--segments", str(tmp_path / "none"), str(tmp_path / "out")]) == 2


def test_an_empty_list_or_one_with_nothing_on_is_refused(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in ("", "start,end,name\n", '[{"start": 0, "on": false}]'):
        assert main(["segments", str(small), "--segments", str(listed(tmp_path, text)), str(tmp_path / "out")]) == 2
        assert "No segment is on." in capsys.readouterr().err
