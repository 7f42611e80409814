"""What is different on Windows and macOS, as far as Linux can show it; `tests/recording/windows.py` has the files."""

import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtGui import QAction

from recorder_editor import __main__ as program
from recorder_editor import resources
from recorder_editor.fleet import pool as fleet
from recorder_editor.recording import atomic_file
from recorder_editor.ui.dialogs import error as error_module
from recorder_editor.ui.dialogs.error import error_report
from recorder_editor.ui.session import gc_guard
from recorder_editor.ui.session.settings import Recent, Settings
from tests.recording.journal.crashes import python
from tests.recording.steps import posix

from .windows import OpenWindow

SCALED = """
import sys
from pathlib import Path
from recorder_editor.ui import create_window

window = create_window(Path(sys.argv[1]), size=(1000, 640))
picture = window.grab()
print(window.width(), window.height(), picture.width(), picture.height(), picture.devicePixelRatio())
window.close_anyway()
"""


WITHOUT_STREAMS = """
import sys
from pathlib import Path
from recorder_editor.__main__ import main

sys.stdout = sys.stderr = None
commands = ["--version"], ["--help"], ["info", sys.argv[1]], ["info", "missing"], ["open", "--missing"]
codes = [main(each) for each in commands]
Path(sys.argv[2]).write_text(str(codes))
"""


SPOKEN = """
import sys
from pathlib import Path

from recorder_editor.ui.style import language
from recorder_editor.ui.app import application, screenshot, theme_of

language.has_letters = lambda _name: True
screenshot(Path(sys.argv[1]), Path(sys.argv[2]), size=(1000, 640))
print(theme_of(application()).bold.weight().name)
"""


def test_a_picture_has_the_fonts_of_its_language(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    done = python(SPOKEN, path, tmp_path / "shot.png")
    assert done.stdout.split() == ["Bold"], done.stderr


@pytest.mark.parametrize("scale", [1.25, 2.0])
def test_a_window_is_painted_in_the_pixels_of_a_scaled_screen(
    path: Path, monkeypatch: pytest.MonkeyPatch, scale: float
) -> None:
    monkeypatch.setenv("QT_SCALE_FACTOR", str(scale))
    done = python(SCALED, path)
    width, height, *pixels, ratio = map(float, done.stdout.split())
    assert (ratio, *pixels) == (scale, width * scale, height * scale), done.stderr


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_elsewhere_there_is_always_a_screen(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(program, "sys", SimpleNamespace(platform=platform))
    assert program._has_screen()


def test_a_file_that_another_program_holds_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    error = PermissionError(13, "The process cannot access the file", r"C:\drives\town.log")
    assert error_report(error).what == "Permission was denied."
    monkeypatch.setattr(error_module, "sys", SimpleNamespace(platform="win32"))
    report = error_report(error)
    assert "another program has the file open" in report.what
    assert report.file == r"C:\drives\town.log"
    assert report.now.startswith("Close it in the other program")


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_the_heap_is_trimmed_on_linux_alone(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(gc_guard, "sys", SimpleNamespace(platform=platform))
    monkeypatch.setattr(gc_guard, "ctypes", None)
    gc_guard.trim_heap()


def test_processors_are_counted_where_none_are_assigned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert fleet.usable_cores() == 6


def test_macos_moves_the_right_entries_to_its_own_menu(open_window: OpenWindow) -> None:
    """Qt guesses by English words ("about", "settings", "quit") which entries those are, unless they say it."""
    guessed = ("about", "config", "options", "preferences", "quit", "exit", "settings", "setup")
    window = open_window()
    found = {
        spec.id: window.registry[spec.id].menuRole()
        for spec in window.registry
        if spec.menu and spec.plain_text.lower().startswith(guessed)
    }
    role = QAction.MenuRole
    assert found == {"file.preferences": role.PreferencesRole, "file.quit": role.QuitRole, "help.about": role.AboutRole}


@posix
def test_macos_keeps_the_permissions_of_a_file_that_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic_file, "sys", SimpleNamespace(platform="darwin"))
    monkeypatch.delattr(os, "listxattr", raising=False)
    path = tmp_path / "table.csv"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with atomic_file.atomic_write(path) as out:
        out.write(b"new")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o640)


def test_a_program_without_a_console_has_no_streams(path: Path, tmp_path: Path) -> None:
    """Windows starts what has a window so."""
    done = python(WITHOUT_STREAMS, path, tmp_path / "codes")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "codes").read_text() == "[0, 0, 0, 2, 2]"


def test_the_guide_names_the_keys_that_macos_takes_before_the_window(open_window: OpenWindow) -> None:
    """Qt's Ctrl is the command key there."""
    taken = {f"Ctrl+{key}" for key in ("H", "M", "Space", "Tab", "`", "Shift+3", "Shift+4", "Shift+5", "Alt+Esc")}
    taken |= {"F11", "Ctrl+Alt+D"}
    registry = open_window().registry
    used = {key.toString() for spec in registry for key in spec.keys}
    used |= {key for each in registry.gestures for key in each.keys.split(", ")}
    row = re.search(r"^\| both: shortcuts \|.*", resources.path("guide/guide.md").read_text("utf-8"), re.MULTILINE)
    assert row is not None
    assert used & taken == set(re.findall("`(.*?)`", row[0]))


def test_recent_files_with_paths_of_windows_are_remembered(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "C:\\drives\\n\u00e4chste Fahrt%20\\town.log"  # one name here, with all that a path of Windows holds
    (tmp_path / name).write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    Settings(home / "settings.ini").remember(Recent(name, "Town05", 1.0, "", "", 3, 4))
    assert [recent.path for recent in Settings(home / "settings.ini").recents] == [name]
