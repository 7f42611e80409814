"""Commands and programs in the guide work: each is run here on small recordings, or by a test of its own."""

import io
import re
import shlex
import sys
from itertools import groupby
from pathlib import Path

import pytest

from recorder_editor import cli, resources

from .. import builders as b
from ..formats.trajectory_files import traffic, write, write_family
from ..reading.films import Actor, along, film
from ..real_recordings import PROJECT
from ..roads.builders import lane, opendrive, road, section
from .painted import paint

GUIDE = resources.path("guide")
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(GUIDE.glob("*.md"))}
LINE = re.compile(r"^ {4}((?:recorder-editor|python3?|pipx?|packaging/\w+) .*)$", re.MULTILINE)
COMMANDS = {name: LINE.findall(text) for name, text in PAGES.items()}

TESTED = {
    "analysis.md": "tests/analysis/test_guide.py",
    "extending.md": "tests/ui/test_extensions.py",
    "objects.md": "tests/formats/test_objects_page.py",
    "own-packets.md": "tests/test_own_packets_page.py",
    "python.md": "tests/api/test_facade.py",
    "recipes.md": "tests/test_recipes.py",
}
"""The test that runs the Python of a page, which it reads."""

RUN_WHOLE = {"extending.md", "objects.md", "own-packets.md", "recipes.md"}
"""Pages of which that test runs the commands, too."""

ELSEWHERE = {
    "import-highd": "tests/formats/test_highd.py",
    "l1": "tests/analysis/test_l1.py",
    "metrics": "tests/cli/test_metrics.py",
    "replay": "tests/cli/test_replay.py",
}
"""Verbs that want data of others or a simulator: what their commands in the guide say is parsed here, and run there."""

OTHER_PROGRAMS = {"python3 collect.py --rig sensors.json --out seen --every 5": "tests/formats/test_collect_script.py"}
"""Commands that begin with another program, and the test that runs it."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a recording for each name of the guide, road maps, and files that it shows."""
    actors = {
        174: Actor(along(0, 2, 0, 8)),
        214: Actor(along(-10, -2, 0, 7), role="hero"),
        3: Actor(along(5, 6, 90, 1), kind="walker"),
    }
    still = {"x": 0.0, "y": 0.0, "z": 0.0}
    kinematics = b.packet(12, b.kinematics([{"id": 214, "linear_velocity": still, "angular_velocity": still}]))
    drive = film(tmp_path / "a.log", actors, seconds=13, more=lambda _: [kinematics]).read_bytes()
    for name in ("drive", "in", "one", "two", "three", "night", "other-copy", "drives/b", "recordings/b"):
        path = tmp_path / f"{name}.log"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(drive)
    (tmp_path / "crashed.log").write_bytes(drive[:-1000])
    for town in ("Town01", "Town03", "Town05"):
        (tmp_path / f"{town}.xodr").write_bytes(opendrive(road(lanes=section(right=[lane(-1)]))))
    write_shown_files(tmp_path)
    write_tracks(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_shown_files(folder: Path) -> None:
    """Write the script and the walker that the page on editing shows."""
    page = PAGES["editing.md"]
    (walker,) = re.findall(r"^    (\{\"blueprint\": \"walker.*\})$", page, re.MULTILINE)
    (folder / "walker.json").write_text(walker, encoding="utf-8")
    (script,) = re.findall(r"^    \{\n {6}\"script\".*?^    \}$", page, re.MULTILINE | re.DOTALL)
    (folder / "edits.json").write_text(script, encoding="utf-8")


def write_tracks(folder: Path) -> None:
    """Write trajectories as a table with times in milliseconds, and as inD has them."""
    columns = traffic(frames=5)
    (folder / "inD" / "data").mkdir(parents=True)
    write_family(folder / "inD" / "data", 0, columns)
    columns["time"] = [round(time * 1000) for time in columns["time"]]
    write(folder / "tracks.csv", columns)


def run_line(line: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run the commands of a line, one after another, each with what the one before has printed."""
    words = shlex.split(line)
    target = None
    if ">" in words:
        target = words.pop()
        words.pop()
    worst = 0
    printed = b""
    for is_pipe, group in groupby(words, key="|".__eq__):
        if is_pipe:
            continue
        _, *arguments = group
        if "--workers" in arguments:
            arguments[arguments.index("--workers") + 1] = "1"  # processes are tested in tests/fleet
        if "*.log" in arguments:
            at = arguments.index("*.log")
            arguments[at : at + 1] = sorted(map(str, Path().glob("*.log")))
        stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(printed)))
            patch.setattr(sys, "stdout", stdout)
            worst = max(worst, cli.main(arguments, paint))
            stdout.flush()
        printed = stdout.buffer.getvalue()  # type: ignore[attr-defined]
    if target is not None:
        Path(target).write_bytes(printed)
    return worst


@pytest.mark.usefixtures("one_parser")
@pytest.mark.parametrize("page", [name for name, lines in COMMANDS.items() if lines and name not in RUN_WHOLE])
def test_commands_of_a_page_work(page: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = set(folder.glob("*.log"))
    for line in COMMANDS[page]:
        if line in OTHER_PROGRAMS:
            continue
        program, verb, *words = shlex.split(line)
        assert program == "recorder-editor", line
        if verb in ELSEWHERE:
            cli.verb_parser(verb).parse_args(words[: words.index(">")] if ">" in words else words)
            continue
        # What a crash has cut off is lost, and that is said.
        expected = (0, 3) if verb == "repair" else (0,)
        assert run_line(line, monkeypatch) in expected, line
        for made in set(folder.glob("*.log")) - given:
            made.unlink()  # the next line of the page may write it again


def test_each_program_is_run_by_a_test() -> None:
    assert {name for name, text in PAGES.items() if "```" in text} == TESTED.keys()
    assert TESTED.keys() >= RUN_WHOLE
    for name, test in TESTED.items():
        assert name in (PROJECT / test).read_text(encoding="utf-8"), (name, test)
    for test in (*ELSEWHERE.values(), *OTHER_PROGRAMS.values()):
        assert (PROJECT / test).exists(), test


def test_both_languages_have_the_same_commands() -> None:
    for name, lines in COMMANDS.items():
        assert LINE.findall((GUIDE / "zh_CN" / name).read_text(encoding="utf-8")) == lines, name
