"""`-` is standard input and standard output, wherever one file goes in or out."""

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from recorder_editor import cli

from .. import builders as b

Captured = pytest.CaptureFixture[bytes]


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes, *, is_terminal: bool = False) -> None:
    """Standard input holds these bytes."""
    stream = SimpleNamespace(buffer=io.BytesIO(data), isatty=lambda: is_terminal)
    monkeypatch.setattr(sys, "stdin", stream)


@pytest.fixture
def drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A recording on standard input, and as `drive.log`; the working folder holds nothing else."""
    data = b.drive(10)
    (tmp_path / "drive.log").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    feed(monkeypatch, data)
    return data


def run(capfdbinary: Captured, *words: str, code: int = 0) -> bytes:
    assert cli.main(list(words)) == code
    return capfdbinary.readouterr().out


def test_a_recording_goes_through_unchanged(drive: bytes, capfdbinary: Captured) -> None:
    assert run(capfdbinary, "rewrite", "-", "-") == drive
    assert sorted(path.name for path in Path().iterdir()) == ["drive.log"]


def test_reading_verbs_read_it(drive: bytes, capfdbinary: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    for words in (["info"], ["dump"], ["check"], ["actors"], ["info", "--summary"]):
        feed(monkeypatch, drive)
        piped = run(capfdbinary, words[0], "-", *words[1:])
        named = run(capfdbinary, words[0], "drive.log", *words[1:])
        assert piped.replace(b"stdin", b"drive.log").splitlines()[1:] == named.splitlines()[1:]
        assert piped


def test_a_dump_is_built_back_through_pipes(
    drive: bytes, capfdbinary: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, run(capfdbinary, "dump", "drive.log"))
    assert run(capfdbinary, "build", "-", "-") == drive


def test_an_edit_between_two_pipes(drive: bytes, capfdbinary: Captured) -> None:
    piped = run(capfdbinary, "trim", "-", "-", "--from", "f3", "--to", "f6")
    assert run(capfdbinary, "trim", "drive.log", "part.log", "--from", "f3", "--to", "f6") == b""
    assert Path("part.log").read_bytes() == piped


@pytest.mark.parametrize("format", ["csv", "jsonl", "xosc"])
def test_an_export_goes_to_standard_output(drive: bytes, capfdbinary: Captured, format: str) -> None:
    chosen = [] if format == "csv" else ["--format", format]
    piped = run(capfdbinary, "export", "-", "-", *chosen)
    run(capfdbinary, "export", "drive.log", f"out.{format}")
    if format != "xosc":  # holds the name of the recording
        assert Path(f"out.{format}").read_bytes() == piped
    assert piped


def test_what_cannot_be_a_stream_is_told(
    drive: bytes, capfdbinary: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for words, sentence in (
        (["join", "-", "-", "-"], b"one input and one output"),
        (["export", "drive.log", "out.csv", "--format", "csv"], b"is for --out-dir and for -"),
    ):
        assert cli.main(words) == 2
        assert sentence in capfdbinary.readouterr().err
    feed(monkeypatch, b"", is_terminal=True)
    assert cli.main(["info", "-"]) == 2
    assert b"which is a terminal here" in capfdbinary.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["drive.log"]


def test_a_failure_writes_nothing(drive: bytes, capfdbinary: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(capfdbinary, "trim", "-", "-", "--from", "100", code=2) == b""
    feed(monkeypatch, b"no recording")
    assert run(capfdbinary, "trim", "-", "-", "--from", "1", code=1) == b""
