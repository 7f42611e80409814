"""The bundle has what the program imports, the libraries that these modules need, and the licences of all of it."""

import importlib
import json
import re
import shutil
import subprocess
import sys
from collections import deque
from importlib.metadata import requires
from pathlib import Path
from types import ModuleType
from typing import Any

import PySide6
import pytest
from packaging.requirements import Requirement

PROJECT = Path(__file__).resolve().parents[2]
PACKAGING = PROJECT / "packaging"
LIBRARIES = Path(PySide6.__path__[0]).parent
PROBE = r"""
import ast, importlib, json, pkgutil, sys
from importlib.util import find_spec

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
