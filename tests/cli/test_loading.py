"""What each verb loads of the program, in words of packages: no more than it needs to start."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from recorder_editor import cli

from .. import builders as b

PROJECT = Path(__file__).resolve().parents[2]

PROGRAM = """
import json, sys
from recorder_editor.__main__ import main
code = main(sys.argv[1:])
print("\\n" + json.dumps([int(code), *sys.modules]))
"""
EACH_VERB = """
import json, sys
from recorder_editor import cli
loaded = {}
before = {name: module for name, module in sys.modules.items() if name.startswith("recorder_editor")}
for verbs in sys.argv[1:]:
    for name in [name for name in sys.modules if name.startswith("recorder_editor")]:
        del sys.modules[name]
    sys.modules.update(before)
    for verb in verbs.split():
        cli.verb_parser(verb)
        loaded[verb] = [name for name in sys.modules if name.startswith("recorder_editor.")]
print(json.dumps([loaded, [*sys.modules]]))
"""

NOTHING = {
    "__main__",
    "cli",
    "errors",
    "progress",
    "resources",
    "suggestions",
    "terminal",
    "termination",
    "texts",
    "versions",
}
"""What the program has loaded before it knows what it is to do: texts and the table of verbs."""
BASE = NOTHING | {"arrays", "extras", "format", "option_specs", "reading", "recording", "roads"}
"""What opens a recording and reads its state."""
LIBRARIES = {
    "PySide6",
    "av",
    "betterosi",
    "carla",
    "dask",
    "distributed",
    "jinja2",
    "mcap",
    "polars",
    "pyarrow",
    "pyqtgraph",
    "scipy",
    "shiboken6",
}
"""Libraries that are loaded when their work is done, those of the window by no verb."""

EDITING = {"edits"}
REPORTS = {"reports"}
CHECKS = {"checks", "edits", "extensions"}
FORMATS = {"edits", "formats"}
FLEET = {"analysis", "edits", "fleet"}
VERBS: Mapping[str, set[str]] = {
    "info": REPORTS,
    "collisions": REPORTS,
    "blocked": REPORTS,
    "events": EDITING | FORMATS | {"extensions"},
    "report": set(),
    "actors": set(),
    "diff": REPORTS | FORMATS,
    "dump": {"formats"},
    "build": {"formats"},
    "rewrite": set(),
    "check": CHECKS,
    "repair": CHECKS | REPORTS | {"repair"},
    "export": FORMATS | {"analysis", "extensions"},
    "picture": {"formats"},
    "video": EDITING | FORMATS,
    "trim": EDITING,
    "cut": EDITING,
    "split": EDITING,
    "segments": EDITING,
    "notes": set(),
    "join": EDITING,
    "edit": EDITING,
    "run": EDITING,
    "convert": EDITING,
    "lanes": FORMATS | {"analysis", "extensions"},
    "grammar": {"formats"},
    "metrics": REPORTS,
    "replay": EDITING | {"simulator"},
    "index": FLEET,
    "find": FLEET,
    "l1": FLEET,
    "import-highd": FORMATS,
    "import-report": FORMATS | REPORTS,
    "import-trajectories": FORMATS,
    "demo": EDITING | {"demo"},
    "completion": set(),
}
"""The packages that each verb may load beside the base when it starts."""


def packages(modules: list[str]) -> set[str]:
    """The parts of the program among the names of modules."""
    return {name.split(".")[1] for name in modules if name.startswith("recorder_editor.")}


def libraries(modules: list[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


def loaded(*arguments: str) -> tuple[int, list[str]]:
    """The exit code of the program, and the modules that it has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    code, *modules = json.loads(done.stdout.splitlines()[-1])
    return code, modules


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "small.log"
    path.write_bytes(b.drive(6))
    return str(path)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--version"], 0), (["--help"], 0), (["--help", "--lang", "zh_CN"], 0), (["trimm", "a.log"], 2)],
    ids=str,
)
def test_the_version_the_help_and_a_typo_load_neither_numpy_nor_a_verb(arguments: list[str], code: int) -> None:
    ended, modules = loaded(*arguments)
    assert ended == code
    assert packages(modules) <= NOTHING
    assert not libraries(modules) & {"numpy", *LIBRARIES}
    verbs = {f"recorder_editor.cli.{verb.module}" for verb in cli.VERBS.values()}
    assert verbs.isdisjoint(modules)


@pytest.mark.parametrize("more", [[], ["--all"], ["--json"]], ids=str)
def test_info_loads_what_reads_a_recording_and_its_reports(small: str, more: list[str]) -> None:
    code, modules = loaded("info", small, *more)
    assert code == 0
    assert packages(modules) <= BASE | REPORTS
    assert not libraries(modules) & LIBRARIES


def chains() -> list[list[str]]:
    """The verbs, one behind another that may load nothing which the later one may not.

    What was loaded before is not loaded again, and is allowed, or it was told of the verb that did.
    """
    found: list[list[str]] = []
    for verb in sorted(VERBS, key=lambda verb: len(VERBS[verb])):
        for chain in found:
            if VERBS[chain[-1]] <= VERBS[verb]:
                chain.append(verb)
                break
        else:
            found.append([verb])
    return found


def test_each_verb_loads_the_packages_that_it_needs() -> None:
    assert cli.VERBS.keys() == VERBS.keys()
    command = [sys.executable, "-c", EACH_VERB, *map(" ".join, chains())]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True, timeout=120)
    verbs, modules = json.loads(done.stdout)
    assert verbs.keys() == VERBS.keys()
    more = {verb: sorted(packages(names) - BASE - VERBS[verb]) for verb, names in verbs.items()}
    assert {verb: names for verb, names in more.items() if names} == {}
    assert not libraries(modules) & LIBRARIES


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("trim", ["OUT", "--from", "#2"]),
        ("actors", []),
        ("dump", []),
        ("rewrite", ["OUT"]),
        ("check", []),
        ("edit", ["OUT", "--retime", "2"]),
    ],
)
def test_a_verb_that_runs_loads_no_more_than_its_packages(
    small: str, tmp_path: Path, verb: str, words: list[str]
) -> None:
    out = str(tmp_path / "out.log")
    code, modules = loaded(verb, small, *(out if word == "OUT" else word for word in words))
    assert code == 0
    assert packages(modules) <= BASE | VERBS[verb]
    assert not libraries(modules) & LIBRARIES
