"""trim, cut, split, join: what they write and what they return."""

import errno
import os
from pathlib import Path

import pytest

import recorder_editor
from recorder_editor.cli import main

from .. import builders as b
from ..real_recordings import only_one
from ..replaying import assert_replays_same


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.log"
    path.write_bytes(b.drive(12))
    return path


def frames(path: Path) -> int:
    with recorder_editor.open(path) as recording:
        assert not recording.findings
        return len(recording)


def test_trim_takes_seconds_and_frames_and_leaves_the_end_out(small: Path, tmp_path: Path) -> None:
    with recorder_editor.open(small) as recording:
        third, sixth = recording[2].elapsed, recording[5].elapsed
    for number, (start, stop) in enumerate((("#3", "#6"), (str(third), str(sixth)))):
        out = tmp_path / f"{number}.log"
        assert main(["trim", str(small), str(out), "--from", start, "--to", stop]) == 0
        assert frames(out) == 3
    assert (tmp_path / "0.log").read_bytes() == (tmp_path / "1.log").read_bytes()


@pytest.mark.parametrize(("start", "stop"), [("0.12s", "0.32s"), ("120 ms", "320ms"), (".12", "+3.2e-1")])
def test_a_time_may_have_a_unit(small: Path, tmp_path: Path, start: str, stop: str) -> None:
    assert main(["trim", str(small), str(tmp_path / "out.log"), "--from", start, "--to", stop]) == 0
    assert main(["trim", str(small), str(tmp_path / "plain.log"), "--from", "0.12", "--to", "0.32"]) == 0
    assert (tmp_path / "out.log").read_bytes() == (tmp_path / "plain.log").read_bytes()


@pytest.mark.parametrize("text", ["nan", "5 km", "s", "1.2.3", "", "five"])
def test_what_is_no_time_is_wrong_usage(
    small: Path, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trim", str(small), str(tmp_path / "out.log"), f"--from={text}"]) == 2
    assert "is not a time" in capsys.readouterr().err


def test_trim_to_everything_is_a_copy(small: Path, tmp_path: Path) -> None:
    assert main(["trim", str(small), str(tmp_path / "all.log")]) == 0
    assert (tmp_path / "all.log").read_bytes() == small.read_bytes()


def test_cut_leaves_what_is_around(small: Path, tmp_path: Path) -> None:
    assert main(["cut", str(small), str(tmp_path / "rest.log"), "--from", "#3", "--to", "#6"]) == 0
    assert frames(tmp_path / "rest.log") == 9
    assert main(["cut", str(small), str(tmp_path / "rest.log"), "--to", "#6", "-f"]) == 0
    assert frames(tmp_path / "rest.log") == 7


@pytest.mark.parametrize(
    "words",
    [
        ["trim", "--from", "#9", "--to", "#4"],
        ["trim", "--from", "soon"],
        ["trim", "--from", "99999"],
        ["cut"],
        ["cut", "--from", "#0"],
    ],
)
def test_a_range_that_is_none_is_wrong_usage_and_writes_nothing(
    small: Path, tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.log"
    assert main([words[0], str(small), str(out), *words[1:]]) == 2
    assert capsys.readouterr().err.startswith("recorder-editor: ")
    assert not out.exists()


def test_cutting_everything_fails_with_a_sentence(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cut", str(small), str(tmp_path / "out.log"), "--from", "#1"]) == 1
    assert "nothing would be left" in capsys.readouterr().err


def test_a_dry_run_says_what_would_be_written_and_writes_nothing(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.log"
    assert main(["trim", str(small), str(out), "--from", "#3", "--to", "#6", "--dry-run"]) == 0
    assert not out.exists()
    said = capsys.readouterr().out
    assert said.startswith("3 frames, ")
    assert main(["trim", str(small), str(out), "--from", "#3", "--to", "#6"]) == 0
    assert f"{out.stat().st_size:,} bytes" in said


@pytest.mark.parametrize("verb", [["trim", "--to", "#2"], ["cut", "--to", "#2"]])
def test_a_damaged_recording_is_refused_with_the_command_that_helps(
    small: Path, tmp_path: Path, verb: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    small.write_bytes(small.read_bytes()[:-3])
    out = tmp_path / "out.log"
    assert main([verb[0], str(small), str(out), *verb[1:]]) == 1
    assert f"recorder-editor repair {small} OUT" in capsys.readouterr().err
    assert not out.exists()
    assert main([verb[0], str(small), str(out), *verb[1:], "--damaged"]) == 0
    assert out.exists()


def test_no_verb_writes_onto_its_input(small: Path, tmp_path: Path) -> None:
    before = small.read_bytes()
    assert main(["trim", str(small), str(small), "--to", "#2"]) == 2
    assert main(["cut", str(small), str(small), "--to", "#2"]) == 2
    assert main(["join", str(small), str(small), str(small)]) == 2
    named = tmp_path / "small-001.log"
    named.symlink_to(small)
    assert main(["split", str(small), str(tmp_path), "--frames", "5"]) == 2
    assert small.read_bytes() == before


@only_one
def test_split_and_join_give_the_recording_again(short_recording: Path, tmp_path: Path) -> None:
    parts, whole = tmp_path / "parts", tmp_path / "whole.log"
    assert main(["split", str(short_recording), str(parts), "--frames", "20"]) == 0
    names = sorted(parts.iterdir())
    assert names[0].name == f"{short_recording.stem}-001{short_recording.suffix}"
    assert main(["join", *map(str, names), str(whole), "--match-actors"]) == 0
    with recorder_editor.open(short_recording) as recording, recorder_editor.open(whole) as joined:
        assert_replays_same(recording.snapshot, 0, len(recording), joined.snapshot)


def test_split_by_size_and_by_time(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limit = small.stat().st_size // 2
    assert main(["split", str(small), str(tmp_path / "sizes"), "--max-size", str(limit)]) == 0
    written = sorted((tmp_path / "sizes").iterdir())
    assert sum(map(frames, written)) == 12
    assert all(path.stat().st_size <= limit for path in written)
    assert main(["split", str(small), str(tmp_path / "times"), "--every", "0.2", "--dry-run"]) == 0
    assert not (tmp_path / "times").exists()
    assert "small-002.log: frames " in capsys.readouterr().out


def test_a_split_that_fails_leaves_no_new_part_and_says_so(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parts, replace = tmp_path / "parts", os.replace
    command = ["split", str(small), str(parts), "--frames", "3", "--overwrite"]

    def fails(one: Path, other: Path) -> None:
        if Path(other).name == "small-003.log":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(one))
        replace(one, other)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fails)
        assert main(command) == 1
        removed = "The new files that were written before are removed again."
        failed = f"recorder-editor: {parts / 'small-003.log'}: {os.strerror(errno.ENOSPC)}. {removed}"
        assert capsys.readouterr() == ("", f"{failed}\n")
        assert not parts.exists()
        parts.mkdir()
        (parts / "small-002.log").write_bytes(b"an older one")
        assert main(command) == 1
        assert capsys.readouterr().err == f"{failed} Older files that are replaced, and whole: 1.\n"
        assert [path.name for path in parts.iterdir()] == ["small-002.log"]
        assert frames(parts / "small-002.log") == 3
    assert main(command) == 0
    assert len(list(parts.iterdir())) == 4


def test_join_needs_two_recordings(small: Path, tmp_path: Path) -> None:
    assert main(["join", str(small), str(tmp_path / "out.log")]) == 2


def test_the_gap_of_a_join_can_be_told(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.log"
    assert main(["join", str(small), str(small), str(out), "--gap", "1.5"]) == 0
    with recorder_editor.open(out) as recording:
        assert recording[11].duration == 1.5
        assert len(recording) == 24
    assert main(["join", str(small), str(small), str(out), "--gap", "0", "--overwrite"]) == 1


def test_a_recording_without_frames_is_not_split(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "header only.log"
    path.write_bytes(b.recording())
    for way in (("--frames", "2"), ("--every", "1"), ("--max-size", "100000")):
        assert main(["split", str(path), str(tmp_path / "parts"), *way]) == 1
        assert "has no frames" in capsys.readouterr().err
    assert not (tmp_path / "parts").exists()


@pytest.mark.parametrize("way", [("--frames", "0"), ("--every", "nan"), ("--every", "0"), ("--max-size", "-5")])
def test_parts_of_nothing_are_wrong_usage(small: Path, tmp_path: Path, way: tuple[str, str]) -> None:
    assert main(["split", str(small), str(tmp_path / "parts"), *way]) == 2
    assert not (tmp_path / "parts").exists()
