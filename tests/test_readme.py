"""What README, ARCHITECTURE and CONTRIBUTING promise: the example runs, every file they point to is there."""

import re
import runpy
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import recorder_editor
from recorder_editor import cli, resources

PROJECT = Path(__file__).resolve().parents[1]
MADE_BY_USERS = {"resources/locale/NAME.po", "packaging/reference_NAME.po"}
README = (PROJECT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with copies of both samples in which the examples are tried."""
    for path in resources.path("sample").glob("*.log"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_example_reads_the_sample_and_cuts_the_accident_out(
    samples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where pandas and matplotlib are not installed, what they would be given is looked at."""
    plots: list[Any] = []
    axes = SimpleNamespace(plot=lambda *values, label: plots.append((*values, label)), set_xlabel=str, set_ylabel=str)
    pyplot = SimpleNamespace(subplots=lambda: (None, axes))
    monkeypatch.setitem(sys.modules, "matplotlib", SimpleNamespace(pyplot=pyplot))
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", pyplot)
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=dict))
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (samples / "example.py").write_text(example, encoding="utf-8")
    made = runpy.run_path("example.py")
    assert capsys.readouterr().out == "<Recording town.log: 421 frames, 21.000 s, ue4-0.9.15> 1 collision\n"
    ((times, speeds, label),) = plots
    assert (len(times), max(speeds).round(1), label) == (421, 8.4, "speed 25")
    assert set(made["positions"]["id"]) == {25}
    with recorder_editor.open("accident.log") as accident:
        assert 7.9 < accident.snapshot[-1].elapsed < 8.1
        assert len(accident.collisions) == 1


def test_the_commands_do_what_stands_above_them(samples: Path, capfd: pytest.CaptureFixture[str]) -> None:
    told = {}
    for line in re.findall(
        r"^recorder-editor (.*town.*)$", README.partition("## On the command line")[2], re.MULTILINE
    ):
        command = line.split()
        code = cli.main(command)
        told[command[0]] = (code, *capfd.readouterr())
    assert len(told) == 7
    assert {verb: code for verb, (code, _, _) in told.items()} == dict.fromkeys(told, 0) | {"check": 1, "repair": 3}
    assert "Frame 51 is never ended" in told["check"][1]
    assert "      13   v v      25 vehicle.lincoln.mkz_2017" in told["collisions"][1]
    with recorder_editor.open("accident.log") as accident:
        assert len(accident.collisions) == 1
    assert "collision     13.350" in told["events"][1]
    rows = (samples / "hero.csv").read_text(encoding="utf-8").splitlines()
    assert (rows[0].split(",")[2:4], len(rows)) == (["time_s", "id"], 422)


@pytest.mark.parametrize(
    "name", ["README.md", "SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "packaging/README.md"]
)
def test_everything_a_page_points_to_is_there(name: str) -> None:
    page = PROJECT / name
    targets = set(re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8")))
    assert [target for target in sorted(targets) if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md", "packaging/README.md"])
def test_every_file_that_a_page_names_is_there(name: str) -> None:
    """By its path from the project or the package, or by its name alone within a folder that the sentence names."""
    text = re.sub(r"```.*?```", "", (PROJECT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    names = set(re.findall(r"`(?:python )?([\w/.-]+\.(?:py|json|md|po|qss|txt|yml))`", text))
    assert len(names) > 10
    roots = (PROJECT, PROJECT / "recorder_editor")
    files = [
        path.as_posix()
        for root in ("recorder_editor", "resources", "packaging", "tests")
        for path in (PROJECT / root).rglob("*.*")
    ]
    for path in sorted(names):
        is_there = any((root / path).is_file() for root in roots) or any(file.endswith(f"/{path}") for file in files)
        assert is_there or path in MADE_BY_USERS, f"{name}: {path}"


def test_the_architecture_page_names_every_folder_of_the_package() -> None:
    text = (PROJECT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    package = PROJECT / "recorder_editor"
    for path in sorted([*package.glob("*/__init__.py"), *package.glob("ui/*/__init__.py")]):
        assert path.parent.name in text, path.parent


@pytest.mark.parametrize("name", ["command-line.md", "zh_CN/command-line.md"])
def test_every_option_that_the_tables_of_verbs_name_is_one(name: str) -> None:
    text = resources.path(f"guide/{name}").read_text(encoding="utf-8")
    lines = [line for line in re.findall(r"^\| `([^`]*)`", text, re.MULTILINE) if line.partition(" ")[0] in cli.VERBS]
    assert {line.partition(" ")[0] for line in lines} == cli.VERBS.keys()
    for line in lines:
        verb = line.partition(" ")[0]
        options = cli.verb_parser(verb).option_names()
        assert set(re.findall(r"--[a-z0-9-]+", line)) <= set(options), verb
