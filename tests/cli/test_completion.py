"""Completions of shells from the installed program, with the names that a recording holds."""

import shutil
import subprocess
from pathlib import Path

import pytest

from recorder_editor import resources
from recorder_editor.__main__ import main

from .. import builders as b

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "a small.log"
    path.write_bytes(b.drive(6))
    return str(path)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_program_prints_the_completion_of_each_shell(shell: str, tmp_path: Path, capsys: Captured) -> None:
    assert main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert "recorder-editor completion names" in text
    assert "--remove-actor" in text or "-l remove-actor" in text
    if shutil.which(shell) is not None:
        script = tmp_path / "completion"
        script.write_text(text, encoding="utf-8")
        subprocess.run([shell, "-n", script], check=True, timeout=60)


def test_names_are_those_of_the_recording(small: str, capsys: Captured) -> None:
    assert main(["completion", "names", "packets", small]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("Position\t") for line in lines)
    assert main(["completion", "names", "actors", small]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "100\tvehicle.lincoln.mkz_2017"
    assert all(line.partition("\t")[0].isdigit() for line in lines)


def test_the_hero_is_the_first_name(capsys: Captured) -> None:
    assert main(["completion", "names", "actors", str(resources.path("sample/town.log"))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("hero\tvehicle.")
    assert any(line.startswith("25\tvehicle.") for line in lines)


@pytest.mark.parametrize("text", [None, b"no recording at all"])
def test_names_of_what_cannot_be_read_are_none_without_a_word(
    text: bytes | None, tmp_path: Path, capsys: Captured
) -> None:
    path = tmp_path / "text.log"
    if text is not None:
        path.write_bytes(text)
    assert main(["completion", "names", "actors", str(path)]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("words", [["names"], ["names", "actors"], ["bash", "actors"]])
def test_kind_and_file_belong_to_names(words: list[str], capsys: Captured) -> None:
    assert main(["completion", *words]) == 2
    assert "names" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_offers_names_of_the_recording_on_the_line(small: str, tmp_path: Path, capsys: Captured) -> None:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "completion.bash"
    script.write_text(capsys.readouterr().out, encoding="utf-8")
    typed = small.replace(" ", "\\ ")
    lines = f"""
        source '{script}'
        compopt() {{ :; }}
        recorder-editor() {{ printf '%s\\n' "$4" "hero\tcar" "Position\tplaces" "VehicleLight\tlights"; }}
        offered() {{
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            _recorder_editor recorder-editor "${{COMP_WORDS[-1]}}" "${{COMP_WORDS[-2]}}"
            echo "${{COMPREPLY[@]}}"
        }}
        offered recorder-editor edit '{typed}' out.log --move h
        offered recorder-editor dump '{typed}' --packets Position,Veh
        offered recorder-editor dump gone.log --packets Pos
    """
    done = subprocess.run(["bash", "-c", lines], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["hero", "Position,VehicleLight", ""]
    assert done.stderr == ""
