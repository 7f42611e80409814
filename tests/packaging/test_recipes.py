"""The recipes for packages state the same facts, are well formed, and name files that are there."""

import ast
import importlib
import json
import os
import plistlib
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
import yaml
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImageReader

from recorder_editor.texts import LANGUAGES

PROJECT = Path(__file__).resolve().parents[2]
PACKAGING = PROJECT / "packaging"
WORKFLOW = PROJECT / ".github" / "workflows" / "packages.yml"
MANIFEST = PACKAGING / "flatpak" / "manifest.yml"
INSTALLER = PACKAGING / "windows" / "installer.nsi"
SCRIPTS = [PACKAGING / name for name in ("lib.sh", "build", "appimage/build", "flatpak/build", "release")]


class Recipes(NamedTuple):
    """The scripts, as modules."""

    facts: ModuleType
    icons: ModuleType
    installer: ModuleType
    version_resource: ModuleType


@pytest.fixture
def recipes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recipes]:
    for folder in (PACKAGING, PACKAGING / "windows"):
        monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    yield Recipes(*map(importlib.import_module, Recipes._fields))
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(PACKAGING)):
            del sys.modules[name]


@pytest.fixture
def known(recipes: Recipes) -> dict[str, str]:
    return recipes.facts.facts()


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    return yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]


# --- facts and icons ------------------------------------------------------------------------------------


def test_the_desktop_entry_has_the_title_and_the_file_type(known: dict[str, str]) -> None:
    entry = ConfigParser(interpolation=None)
    entry.optionxform = str
    entry.read(PACKAGING / "linux" / "recorder-editor.desktop", encoding="utf-8")
    assert entry["Desktop Entry"]["Name"] == known["title"] == "Recorder Editor"
    assert entry["Desktop Entry"]["MimeType"] == known["mime"] + ";"


def test_scripts_of_shells_get_facts_line_by_line(known: dict[str, str]) -> None:
    command = [sys.executable, PACKAGING / "facts.py", "version", "id"]
    assert subprocess.check_output(command, text=True) == f"{known['version']}\n{known['id']}\n"


def test_icons_hold_every_size_that_windows_and_macos_ask_for(recipes: Recipes) -> None:
    assert sizes_of(recipes.icons.ico(), b"ico") == list(recipes.icons.ICO_SIZES)
    # Qt reads the types of 10.7 and later only in part, so the entries are read here.
    data = recipes.icons.icns()
    assert (data[:4], int.from_bytes(data[4:8])) == (b"icns", len(data))
    found, at = {}, 8
    while at < len(data):
        length = int.from_bytes(data[at + 4 : at + 8])
        (found[data[at : at + 4]],) = sizes_of(data[at + 8 : at + length], b"png")
        at += length
    assert found == recipes.icons.ICNS_SIZES


def sizes_of(data: bytes, form: bytes) -> list[int]:
    """The sides of the pictures in a file; all are squares with something in them."""
    buffer = QBuffer()
    buffer.setData(data)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(form))
    sides = []
    for number in range(max(1, reader.imageCount())):
        assert number == 0 or reader.jumpToImage(number)
        image = reader.read()
        assert image.width() == image.height()
        assert image.pixelColor(image.width() // 2, image.height() // 8).alpha() == 255
        sides.append(image.width())
    return sides


# --- Windows --------------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("makensis") is None, reason="makensis is not installed (Debian's package nsis)")
def test_the_installer_for_windows_compiles(recipes: Recipes, known: dict[str, str], tmp_path: Path) -> None:
    bundle, out = tmp_path / "bundle", tmp_path / "recorder-editor-windows.exe"
    (bundle / "_internal").mkdir(parents=True)
    for name in ("recorder-editor.exe", "recorder-editor-window.exe", "_internal/python3.dll"):
        (bundle / name).touch()
    recipes.installer.installer(bundle, out)
    for text in (known["version"], known["title"], known["summary"], known["publisher"]):
        assert text.encode("utf-16-le") in out.read_bytes()


def test_the_installer_offers_every_ending_of_recordings_and_takes_each_back(recipes: Recipes) -> None:
    script = INSTALLER.read_text(encoding="utf-8")
    for macro in ("Offer", "Withdraw"):
        assert re.findall(rf'!insertmacro {macro} "(\w+)"', script) == recipes.facts.endings() == ["log", "rec"]


def test_the_version_resource_tells_the_version_in_numbers_and_words(recipes: Recipes, known: dict[str, str]) -> None:
    tree = ast.parse(recipes.version_resource.version_resource("recorder-editor", known), mode="eval")
    numbers = (*map(int, known["numbers"].split(".")), 0)
    values = {
        each.arg: ast.literal_eval(each.value) for each in ast.walk(tree) if getattr(each, "arg", "") == "filevers"
    }
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call) and ast.unparse(each.func) == "StringStruct"]
    strings = dict(tuple(ast.literal_eval(argument) for argument in call.args) for call in calls)
    assert values == {"filevers": numbers}
    assert strings["FileVersion"] == strings["ProductVersion"] == known["version"]
    assert (strings["FileDescription"], strings["OriginalFilename"]) == (known["title"], "recorder-editor.exe")


# --- macOS, and what PyInstaller is told on each system -------------------------------------------------


def test_macos_knows_the_endings_of_recordings_and_leaves_them_to_others(recipes: Recipes) -> None:
    info = plistlib.loads((PACKAGING / "macos" / "Info.plist").read_bytes())
    (kind,) = info["CFBundleDocumentTypes"]
    assert kind["CFBundleTypeExtensions"] == recipes.facts.endings()
    assert (kind["CFBundleTypeRole"], kind["LSHandlerRank"]) == ("Editor", "Alternate")
    assert info["CFBundleLocalizations"] == list(LANGUAGES)
    assert plistlib.loads((PACKAGING / "macos" / "entitlements.plist").read_bytes())


class Frozen:
    """What the spec file calls, standing in for PyInstaller: keeps all arguments."""

    def __init__(self) -> None:
        self.made: dict[str, list[dict[str, Any]]] = {}
        self.binaries = [("libbz2.so", "/usr/lib/libbz2.so", "BINARY")]
        self.datas: list[tuple[str, str, str]] = []
        self.pure = self.scripts = ()

    def __getitem__(self, name: str) -> Any:
        def make(*parts: Any, **options: Any) -> Any:
            self.made.setdefault(name, []).append(options | {"parts": parts})
            return self

        return make


@pytest.fixture
def spec(recipes: Recipes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run the spec file as on a system; returns what it made, by the classes of PyInstaller."""

    def run(system: str) -> dict[str, list[dict[str, Any]]]:
        frozen = Frozen()
        hooks = ModuleType("PyInstaller.utils.hooks")
        hooks.collect_data_files = hooks.collect_submodules = lambda name: []
        for name in ("PyInstaller", "PyInstaller.utils"):
            monkeypatch.setitem(sys.modules, name, ModuleType(name))
        monkeypatch.setitem(sys.modules, hooks.__name__, hooks)
        monkeypatch.setattr(sys, "platform", system)
        path = PACKAGING / "linux" / "bundle.spec"
        names = {name: frozen[name] for name in ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE")}
        runpy.run_path(str(path), names | {"SPECPATH": str(path.parent), "workpath": str(tmp_path)})
        return frozen.made

    return run


def test_on_windows_there_is_a_program_with_a_console_and_one_without(spec: Any, known: dict[str, str]) -> None:
    made = spec("win32")
    assert {each["name"]: each["console"] for each in made["EXE"]} == {
        "recorder-editor": True,
        "recorder-editor-window": False,
    }
    script = INSTALLER.read_text(encoding="utf-8")
    for each in made["EXE"]:
        assert f'"{each["name"]}.exe"' in script
        assert Path(each["icon"]).read_bytes()[:4] == b"\0\0\1\0"
        assert f"StringStruct('OriginalFilename', '{each['name']}.exe')" in Path(each["version"]).read_text("utf-8")
    assert "BUNDLE" not in made


def test_on_macos_the_bundle_has_names_version_and_file_types(spec: Any, known: dict[str, str]) -> None:
    (bundle,) = spec("darwin")["BUNDLE"]
    assert (bundle["name"], bundle["version"]) == ("Recorder Editor.app", known["numbers"])
    assert re.fullmatch(r"[A-Za-z0-9.-]+", bundle["bundle_identifier"])
    assert Path(bundle["icon"]).read_bytes()[:4] == b"icns"
    assert "CFBundleDocumentTypes" in bundle["info_plist"]


@pytest.mark.parametrize("system", ["linux", "win32", "darwin"])
def test_licences_and_notices_go_into_every_bundle(spec: Any, system: str) -> None:
    (analysis,) = spec(system)["Analysis"]
    placed = {Path(source).name for source, folder in analysis["datas"] if folder == "licenses"}
    assert {"LICENSE", "NOTICE", "README.txt", "LGPL-3.txt", "GPL-3.txt", "Python.txt"} <= placed


def test_on_linux_libraries_of_the_system_stay_with_it(spec: Any) -> None:
    made = spec("linux")
    assert [each["name"] for each in made["EXE"]] == ["recorder-editor"]
    (folder,) = made["COLLECT"]
    assert [("libbz2.so", "/usr/lib/libbz2.so", "BINARY")] not in folder["parts"]
    assert "BUNDLE" not in made


# --- Flatpak and AppImage -------------------------------------------------------------------------------


def test_the_manifest_of_flatpak_has_the_id_a_runtime_and_what_it_installs(known: dict[str, str]) -> None:
    manifest = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))
    assert manifest["id"] == known["id"]
    assert manifest["command"] == manifest["rename-icon"] == "recorder-editor"
    assert (PACKAGING / "linux" / manifest["rename-desktop-file"]).exists()
    assert (manifest["runtime"], manifest["sdk"]) == ("org.freedesktop.Platform", "org.freedesktop.Sdk")
    assert "--share=network" not in manifest["finish-args"]
    (module,) = manifest["modules"]
    (source,) = module["sources"]
    assert (MANIFEST.parent / source["path"]).resolve() == PROJECT / "build" / "flatpak" / "bundle"


@pytest.mark.skipif(shutil.which("flatpak-builder") is None, reason="flatpak-builder is not installed")
def test_flatpak_builder_understands_every_line_of_the_manifest(tmp_path: Path) -> None:
    shown = subprocess.check_output(["flatpak-builder", "--show-manifest", MANIFEST], cwd=tmp_path, text=True)
    assert json.loads(shown) == yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))


@pytest.mark.skipif(sys.platform != "linux", reason="AppImages are for Linux")
def test_the_folder_of_the_appimage_runs_from_its_top_and_has_entry_and_icon(
    known: dict[str, str], tmp_path: Path
) -> None:
    bundle = tmp_path / f"recorder-editor-{known['version']}-linux-{os.uname().machine}"
    for name, text in (
        ("recorder-editor", '#!/bin/sh\necho "$@"\n'),
        ("share/applications/recorder-editor.desktop", "[Desktop Entry]\nIcon=recorder-editor\n"),
        ("share/icons/hicolor/scalable/apps/recorder-editor.svg", "<svg/>"),
        ("share/icons/hicolor/256x256/apps/recorder-editor.png", "PNG"),
    ):
        (bundle / name).parent.mkdir(parents=True, exist_ok=True)
        (bundle / name).write_text(text)
    (bundle / "recorder-editor").chmod(0o755)
    with tarfile.open(tmp_path / f"{bundle.name}.tar.xz", "w:xz") as archive:
        archive.add(bundle, bundle.name)
    environment = {
        **os.environ,
        "RECORDER_EDITOR_DIST": str(tmp_path),
        "RECORDER_EDITOR_BUILD": str(tmp_path / "build"),
    }
    subprocess.run([PACKAGING / "appimage" / "build", "--folder"], env=environment, check=True)
    folder = tmp_path / "build" / "recorder-editor.AppDir"
    assert subprocess.check_output([folder / "AppRun", "--version"], text=True) == "--version\n"
    assert "Icon=recorder-editor\n" in (folder / "recorder-editor.desktop").read_text()
    assert (folder / "recorder-editor.svg").read_text() == "<svg/>"
    assert (folder / ".DirIcon").read_text() == "PNG"
    assert (folder / "usr" / "share" / "applications" / "recorder-editor.desktop").exists()


# --- the workflow ---------------------------------------------------------------------------------------


def test_every_job_calls_scripts_that_are_there(jobs: dict[str, Any]) -> None:
    for name, job in jobs.items():
        lines = "\n".join(step.get("run", "") for step in job["steps"])
        called = re.findall(r"(?<!python )(?<!python3 )\bpackaging/[\w/]+(?![\w/.])", lines)
        read = re.findall(r"\bpackaging/[\w/]+\.\w+", lines)
        assert called or read, name
        assert [path for path in called if not os.access(PROJECT / path, os.X_OK)] == []
        assert [path for path in read if not (PROJECT / path).is_file()] == []


def test_every_job_that_makes_a_program_tries_it(jobs: dict[str, Any]) -> None:
    for name in jobs.keys() - {"test", "release"}:
        lines = "\n".join(step.get("run", "") for step in jobs[name]["steps"]).replace("\\", "/")
        assert "packaging/trial.py" in lines or "packaging/build packages" in lines, name
    build = (PACKAGING / "build").read_text(encoding="utf-8")
    before, _, after = build.rpartition("\ntry_packages\n")
    assert "packages)" in before
    assert "check.sh" in after


def test_the_release_has_what_every_other_job_made(jobs: dict[str, Any]) -> None:
    release = jobs["release"]
    assert set(release["needs"]) == jobs.keys() - {"release"}
    assert release["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert "--draft" in release["steps"][-1]["run"]
    for name in release["needs"]:
        uploads = [step for step in jobs[name]["steps"] if "upload-artifact" in step.get("uses", "")]
        assert len(uploads) == (name != "test")


def test_the_tests_run_on_three_systems(jobs: dict[str, Any]) -> None:
    systems = {each["system"].partition("-")[0] for each in jobs["test"]["strategy"]["matrix"]["include"]}
    assert systems == {"ubuntu", "windows", "macos"}


def test_secrets_are_named_only_where_they_are_needed_and_never_in_a_command(jobs: dict[str, Any]) -> None:
    for name, job in jobs.items():
        for step in job["steps"]:
            assert "secrets." not in step.get("run", "")
            assert name in {"windows", "macos"} or "secrets." not in json.dumps(step)


@pytest.mark.skipif(os.name == "nt", reason="they are scripts of bash")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(PACKAGING)))
def test_scripts_are_whole(script: Path) -> None:
    subprocess.run(["bash", "-n", script], check=True)
