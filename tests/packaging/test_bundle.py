"""The bundle has what the program imports, the libraries that these modules need, and the licences of all of it."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections import deque
from fnmatch import fnmatchcase
from importlib.metadata import requires
from pathlib import Path
from types import ModuleType
from typing import Any

import PySide6
import pytest
from packaging.requirements import Requirement

from recorder_editor import cli
from recorder_editor.__main__ import overview

PROJECT = Path(__file__).resolve().parents[2]
PACKAGING = PROJECT / "packaging"
LIBRARIES = Path(PySide6.__path__[0]).parent
PROBE = r"""
import ast, gc, importlib, json, pkgutil, sys
from importlib.util import find_spec

gc.disable()  # there is nothing to be given back

unused, bundled = json.loads(sys.argv[1])

def is_left_out(name):
    return any(name == each or name.startswith(each + ".") for each in unused)

class Bundle:
    # In the place of all finders: it finds nothing that is not in the bundle.
    def __init__(self, finders):
        self.finders = finders

    def find_spec(self, name, path=None, target=None):
        if is_left_out(name) or name.partition(".")[0] not in {*sys.stdlib_module_names, *bundled, "recorder_editor"}:
            return None
        for finder in self.finders:
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                return spec
        return None

sys.meta_path[:] = [Bundle([*sys.meta_path])]
import recorder_editor
from recorder_editor.errors import RecorderError

def names(module):
    # What a module imports, in functions, too: (the module, what is taken from it).
    spec = find_spec(module)
    package = module if spec.submodule_search_locations is not None else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(spec.loader.get_source(module))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            for alias in node.names:
                yield ".".join([*above, *filter(None, [node.module])]), alias.name

modules = ["recorder_editor"]
modules += [each.name for each in pkgutil.walk_packages(recorder_editor.__path__, "recorder_editor.")]
lacking = {}
for module in modules:
    for name, part in [(module, None), *names(module)]:
        for wanted in (name, f"{name}.{part}") if part else (name,):
            try:
                importlib.import_module(wanted)
            except RecorderError:
                pass  # it says that an optional library is missing
            except ImportError as error:
                # Others are optional, those of another system, or no modules but what a module holds.
                if is_left_out(error.name or ""):
                    lacking.setdefault(error.name, []).append(module)
files = [str(getattr(module, "__file__", "")) for module in list(sys.modules.values())]
extensions = [file for file in files if file.endswith(".so")]
print(json.dumps({"lacking": lacking, "modules": modules, "extensions": extensions}))
"""
"""Imports all of the program, and all that its functions import, as if only the bundle were there."""


@pytest.fixture(scope="module")
def contents() -> ModuleType:
    """The lists of what goes into the bundle."""
    sys.path.insert(0, str(PACKAGING))
    try:
        return importlib.import_module("contents")
    finally:
        sys.path.remove(str(PACKAGING))
        sys.modules.pop("contents", None)


@pytest.fixture(scope="module")
def imported(contents: ModuleType) -> dict[str, Any]:
    """What the program imports where only the bundle is there."""
    lists = json.dumps([contents.UNUSED, contents.BUNDLED])
    command = [sys.executable, "-c", PROBE, lists]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_program_imports_nothing_that_is_left_out(imported: dict[str, Any]) -> None:
    assert {"recorder_editor.__main__", "recorder_editor.ui.app"} <= set(imported["modules"])
    assert imported["lacking"] == {}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere PyInstaller keeps all libraries")
def test_libraries_of_what_is_imported_are_kept_or_are_those_of_every_system(
    imported: dict[str, Any], contents: ModuleType
) -> None:
    if shutil.which("readelf") is None:
        pytest.skip("readelf is not installed (binutils)")
    plugins = LIBRARIES / "PySide6" / "Qt" / "plugins"
    waiting = deque(Path(each) for each in imported["extensions"])
    for pattern in contents.QT_PLUGINS:
        if not pattern.startswith("platformthemes"):  # they come with the toolkits that they are for
            waiting.extend(plugins.glob(pattern))
    known = {path.name: path for package in contents.BUNDLED for path in LIBRARIES.glob(f"{package}*/**/*.so*")}
    seen: set[Path] = set()
    missing = set()
    while waiting:
        batch = set(waiting) - seen
        waiting.clear()
        seen |= batch
        for library in needed(batch):
            path = known.get(library)
            if path is not None and contents.is_among(contents.KEPT, path.relative_to(LIBRARIES).as_posix()):
                waiting.append(path)
            elif path is not None or not contents.is_among((*contents.KEPT, *contents.SYSTEM), library):
                missing.add(library)
        if not set(waiting) - seen:
            break
    names = {path.name.partition(".")[0] for path in seen}
    assert {"_sqlite3", "_multiarray_umath", "QtWidgets", "libQt6Gui", "libqxcb"} <= names
    assert missing == set()


def needed(files: set[Path]) -> set[str]:
    """The names of the libraries that some files ask for."""
    shown = subprocess.check_output(["readelf", "--dynamic", *sorted(files)], text=True)
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", shown))


def test_a_library_that_no_system_is_sure_to_have_ends_the_build(contents: ModuleType) -> None:
    done = subprocess.run(
        [sys.executable, PACKAGING / "contents.py", "libc.so.6", "libodd.so.1", "libxkbcommon-x11.so.0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "libodd.so.1\n")


def test_all_that_comes_along_tells_its_licence(contents: ModuleType) -> None:
    waiting, found = deque(["recorder-editor"]), set[str]()
    while waiting:
        for each in map(Requirement, requires(waiting.popleft()) or ()):
            is_wanted = each.marker is None or each.marker.evaluate({"extra": ""})
            name = each.name.lower().replace("_", "-")
            if is_wanted and name not in found:
                found.add(name)
                waiting.append(name)
    assert {name.lower().replace("_", "-") for name in contents.PACKAGES} == found


# --- licences ---------------------------------------------------------------------------------------------


def test_every_licence_that_is_named_is_there_and_each_text_is_named(contents: ModuleType) -> None:
    names = {path.name for path in contents.licences()}
    assert {"LICENSE", "NOTICE", "README.txt", "LGPL-3.txt", "GPL-3.txt"} <= names
    page = (PACKAGING / "licenses" / "README.txt").read_text(encoding="utf-8")
    named = set(re.findall(r"[\w.*-]+\.txt", page))
    assert {each for each in named if not any(fnmatchcase(name, each) for name in names)} == set()
    texts = names - {"LICENSE", "NOTICE", "README.txt"}
    assert {name for name in texts if not any(fnmatchcase(name, each) for each in named)} == set()


def test_the_texts_of_the_gnu_project_are_whole() -> None:
    for name, title, end in (
        ("LGPL-3", "GNU LESSER GENERAL PUBLIC LICENSE", "choose that version for the\nLibrary.\n"),
        ("GPL-3", "GNU GENERAL PUBLIC LICENSE", "<https://www.gnu.org/licenses/why-not-lgpl.html>.\n"),
    ):
        text = (PACKAGING / "licenses" / f"{name}.txt").read_text(encoding="utf-8")
        assert text.lstrip().startswith(title)
        assert text.endswith(end)


def test_libraries_and_packages_in_the_bundle_have_a_word_on_their_authors(contents: ModuleType) -> None:
    page = (PACKAGING / "licenses" / "README.txt").read_text(encoding="utf-8")
    debian = (PACKAGING / "linux" / "copyright").read_text(encoding="utf-8")
    for name in ("PySide6", "shiboken6", "libicu", "libffi", "libsqlite3", "libxcb-", "numpy", "pyqtgraph", "colorama"):
        assert name.lower() in page.lower()
        assert name in debian or name == "pyqtgraph"
    kept = {pattern for pattern in contents.KEPT if pattern.startswith("lib") and pattern != "libpython3*"}
    for pattern in kept:
        library = pattern.partition(".")[0].removeprefix("libxcb")
        assert library in page


def test_where_data_come_from_is_told() -> None:
    text = (PROJECT / "NOTICE").read_text(encoding="utf-8")
    for name in re.findall(r"resources/[\w./]+\w", text):
        assert (PROJECT / name).is_file()
    assert {"resources/lights.json", "resources/blueprints.json", "resources/reports.json"} <= set(
        re.findall(r"resources/\w+\.\w+", text)
    )
    for word in ("MIT license", "Creative Commons Attribution", "Computer Vision Center", "HARPLab"):
        assert word in text


# --- the trial --------------------------------------------------------------------------------------------


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program that tries packages."""
    monkeypatch.syspath_prepend(PACKAGING)
    monkeypatch.delitem(sys.modules, "trial", raising=False)
    return importlib.import_module("trial")


def test_every_verb_of_the_program_is_tried(trial: ModuleType) -> None:
    assert trial.verbs_of(overview()) == list(trial.TRIALS)
    assert list(trial.TRIALS) == ["open", "screenshot", *cli.VERBS]


FAKE = """
import sys
from pathlib import Path

words = sys.argv[1:]
if words == ["--help"]:
    print("Verbs:\\n\\n  info          a report\\n  other         another verb\\n")
elif "--help" in words:
    print(f"usage: recorder-editor {words[0]}")
elif words == ["--version"]:
    print("recorder-editor 1")
elif words[0] == "info":
    {info}
else:
    sys.exit(1)
"""


@pytest.mark.parametrize(
    ("info", "problem"),
    [
        ("print('Frames: 421')", ""),
        ("raise ImportError('sqlite3')", "exit code 1 and not 0"),
        ("print('Frames: 0')", "does not say"),
        ("print('Frames: 421'); Path('out').write_text('')", ""),
    ],
)
def test_the_trial_finds_what_does_not_run(
    trial: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, info: str, problem: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(FAKE.replace("{info}", info), encoding="utf-8")
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.setattr(trial, "TRIALS", {"info": (trial.Trial("info town.log", says=r"(?m)^Frames: 421$"),)})
    monkeypatch.chdir(Path(sys.executable).parent)
    python = os.path.relpath(sys.executable)
    problems = list(trial.tried([python, str(program)], folder, is_bundle=False))
    assert problems[0] == "other: packaging/trial.py does not try this verb."
    assert len(problems) == (2 if problem else 1)
    assert problem in problems[-1]


@pytest.mark.long
def test_every_trial_succeeds_without_a_bundle(
    trial: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    assert list(trial.tried([sys.executable, "-m", "recorder_editor"], tmp_path, is_bundle=False)) == []
