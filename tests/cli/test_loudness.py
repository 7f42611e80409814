"""What verbs tell on stderr: a line for each file written on a terminal, less with --quiet, more with --verbose."""

import sys
from pathlib import Path

import pytest

from recorder_editor import cli
from recorder_editor.__main__ import main

from .. import builders as b

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.log").write_bytes(b.drive(6))


def last_line(captured: Captured) -> str:
    """The last line on stderr, without the progress that it replaces."""
    return captured.readouterr().err.rpartition("\r\x1b[K")[2]


@pytest.mark.parametrize(
    ("command", "frames"),
    [
        ("trim a.log out.log --from f2", "5 frames, "),
        ("cut a.log out.log --from f2 --to f3", "5 frames, "),
        ("rewrite a.log out.log", "6 frames, "),
        ("join a.log a.log out.log", "12 frames, "),
        ("edit a.log out.log --retime 2", "6 frames, "),
        ("convert a.log out.log --write-as ue4-0.9.14", "6 frames, "),
        ("export a.log out.csv", ""),
        ("grammar out.ksy", ""),
        ("replay a.log --script out.py", ""),
    ],
)
def test_every_verb_that_writes_says_what_it_wrote_on_a_terminal(
    command: str, frames: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(command.split()) == 0
    (out,) = Path().glob("out.*")
    assert last_line(capsys) == f"Wrote {out}: {frames}{out.stat().st_size:,} bytes.\n"


def test_nothing_is_said_in_a_pipe_with_quiet_or_where_nothing_was_written(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["rewrite", "a.log", "one.log"]) == 0
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["rewrite", "a.log", "two.log", "-q"]) == 0
    assert main(["trim", "a.log", "three.log", "--from", "f2", "--dry-run", "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["trim", "a.log", "three.log", "--from", "f2", "--dry-run"]) == 0
    assert "Wrote" not in capsys.readouterr().err


def test_verbose_tells_how_a_recording_is_read_in_a_pipe_too(capsys: Captured) -> None:
    assert main(["rewrite", "a.log", "out.log", "--verbose"]) == 0
    size = Path("a.log").stat().st_size
    read, wrote = capsys.readouterr().err.splitlines()
    assert read.startswith("a.log: read as CARLA 0.9.")
    assert read.endswith(f", 6 frames, {size:,} bytes.")
    assert wrote == f"Wrote out.log: 6 frames, {size:,} bytes."


def test_every_verb_has_both_and_takes_one_of_them(capsys: Captured) -> None:
    for verb in cli.VERBS:
        names = cli.verb_parser(verb).option_names()
        assert {"--quiet", "--verbose"} <= set(names), verb
    assert main(["info", "a.log", "--quiet", "--verbose"]) == 2
    assert "not allowed with" in capsys.readouterr().err


def test_many_recordings_are_told_as_one(capsys: Captured) -> None:
    Path("b.log").write_bytes(b.drive(3))
    assert main(["trim", "a.log", "b.log", "--from", "f2", "--out-dir", "outs", "--verbose"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(": read as ")[0] for line in lines] == ["a.log", "b.log"]
