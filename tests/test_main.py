"""The program as it is started: verbs to the command line, everything else to the window."""

import errno
import os
import platform
import struct
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import pytest

from recorder_editor import __version__
from recorder_editor.__main__ import main
from recorder_editor.cli import VERBS
from recorder_editor.versions import issue_page


@pytest.fixture
def path(recordings: Path) -> Path:
    return recordings / "carla-0.9.15-town05-bikes.log"


def test_verbs_go_to_the_command_line(path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["info", str(path)]) == 0
    assert b"Town05" in capsysbinary.readouterr().out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
@pytest.mark.parametrize("asked", ["--version", "--help"])
def test_a_full_disk_is_said_in_a_sentence(asked: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([sys.executable, "-m", "recorder_editor", asked], stdout=full, stderr=PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr.decode() == f"recorder-editor: {os.strerror(errno.ENOSPC)}.\n"


VERSIONS = ["recorder-editor", "Python", "NumPy", "PySide6", "pyqtgraph"]


def test_the_version_is_ours_and_the_libraries(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"recorder-editor {__version__}"
    assert [line.split()[0] for line in lines[:-1]] == VERSIONS
    assert lines[-1] == platform.platform()


def test_verbose_tells_what_qt_runs_on_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version", "--verbose"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:5]] == VERSIONS
    assert [line.split()[0] for line in lines[6:]] == ["Qt", "Platform"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a screen")
def test_verbose_prints_the_versions_where_qt_finds_no_screen_too(tmp_path: Path) -> None:
    without = {**os.environ, "QT_QPA_PLATFORM": "xcb", "DISPLAY": ":4711"}
    command = [sys.executable, "-m", "recorder_editor", "--version", "--verbose"]
    done = subprocess.run(command, cwd=tmp_path, env=without, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert [line.split()[0] for line in done.stdout.splitlines()[:5]] == VERSIONS
    assert platform.platform() in done.stdout
    assert "qt.qpa" in done.stderr


@pytest.mark.parametrize("line", ["Project-URL: Issues, https://example.org/issues\n", ""])
def test_the_issue_page_is_that_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    package = tmp_path / "recorder_editor-9.9.dist-info"
    package.mkdir()
    text = f"Metadata-Version: 2.4\nName: recorder-editor\nVersion: 9.9\nProject-URL: Home, https://a\n{line}"
    (package / "METADATA").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert issue_page() == ("https://example.org/issues" if line else "")


def test_characters_that_a_pipe_does_not_have_are_escaped() -> None:
    narrow = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    command = [sys.executable, "-m", "recorder_editor", "edit", "--help"]
    done = subprocess.run(command, env=narrow, capture_output=True, text=True, check=True)
    assert "\\xb0" in done.stdout  # degrees


def test_the_help_names_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    told = capsys.readouterr().out
    assert "cARLA" not in told
    assert all(f"\n  {verb} " in told for verb in ("open", "screenshot", *VERBS))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["gone.log"], "gone.log: No such file or directory."),
        (["open", "gone.log"], "gone.log: No such file or directory."),
        (["screenshot", "gone.log", "out.png"], "gone.log: No such file or directory."),
        (["trimm", "gone.log"], "There is no verb “trimm”, and no such file; --help lists the verbs."),
        (["trimm"], "There is no verb “trimm”, and no such file; --help lists the verbs."),
        (["gone.log", "--frame", "0"], "frames count from 1"),
        (["--frame", "1", "--time", "2"], "not allowed with"),
        (["gone.log", "--frame", "abc"], "'abc' is not a frame number"),
        (["gone.log", "--frame", "#"], "'#' is not a frame number"),
        (["gone.log", "--time", "nan"], "'nan' is not a time; write seconds"),
        (["screenshot", "gone.log", "out.png", "--frame", "9" * 5000], "is not a frame number"),
        (["screenshot", "gone.log", "out.png", "--size", "12"], "is not a size"),
        (["screenshot", "gone.log", "out.png", "--size", "16000x16000"], "320x240 to 8192x8192 pixels"),
        (["screenshot", "gone.log", "out.png", "--size", "100x100"], "320x240 to 8192x8192 pixels"),
        (["screenshot", "gone.log"], "OUT.png"),
    ],
)
def test_wrong_usage_is_told_and_gives_2(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert reason in capsys.readouterr().err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a screen")
def test_without_a_screen_no_window_is_tried(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert main([]) == 1
    assert "There is no screen" in capsys.readouterr().err


def test_a_screenshot_needs_no_screen(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    assert main(["screenshot", str(path), str(out), "--frame", "60", "--size", "1000x640", "--theme", "dark"]) == 0
    assert struct.unpack(">II", out.read_bytes()[16:24]) == (1000, 640)


@pytest.mark.parametrize("words", [["trimm", "a"], ["open", "gone.log"], ["screenshot", "gone.log"]])
def test_what_is_refused_has_its_exit_code_where_stderr_is_closed(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert main(words) == 2


def test_the_window_speaks_the_language_of_the_option(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[object] = []
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr("recorder_editor.ui.run", lambda *_, language, **__: given.append(language) or 0)
    monkeypatch.setattr("recorder_editor.ui.screenshot", lambda *_, language, **__: given.append(language))
    for words in (["open", str(path)], ["screenshot", str(path), str(tmp_path / "out.png")]):
        assert main([*words, "--lang", "zh_CN"]) == 0
        assert main(words) == 0
    assert given == ["zh_CN", None] * 2


def test_a_picture_is_never_written_over_the_recording(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["screenshot", str(path), str(path)]) == 2
    assert "the recording itself" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "reason"), [("none/out.png", "No such file or directory."), ("out.odd", "let it end in .png.")]
)
def test_a_picture_that_cannot_be_written_is_told_with_the_reason(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, reason: str
) -> None:
    out = tmp_path / name
    assert main(["screenshot", str(path), str(out)]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"recorder-editor: {out}: ")
    assert told.endswith(f"{reason}\n")


def test_a_stop_while_a_verb_is_loaded_is_told_as_any_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(_arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("recorder_editor.__main__._dispatch", stopped)
    assert main(["info", "a.log"]) == 130
    assert capsys.readouterr().err == "recorder-editor: Stopped.\n"


def test_a_desktop_is_shown_in_the_window_why_a_file_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr("recorder_editor.ui.run", lambda path, **_: len(opened.append(path) or opened))
    for path, words in (
        (tmp_path, "is a folder, not a recording."),
        (tmp_path / "gone.log", os.strerror(errno.ENOENT)),
    ):
        opened.clear()
        assert main(["open", str(path)]) == 2
        assert words in capsys.readouterr().err
        assert opened == []
        assert main(["open", "--show-errors", str(path)]) == 1
        assert opened == [path]
        assert capsys.readouterr().err == ""
