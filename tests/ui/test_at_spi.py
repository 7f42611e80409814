"""The program as a screen reader meets it: by AT-SPI, on an X server and a session bus of its own."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .. import builders as b

READER = Path(__file__).parent / "at_spi" / "reader.py"
SYSTEM_PYTHON = "/usr/bin/python3"
BINDINGS = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
PATIENCE = 120


def missing() -> str:
    """What is not installed of what the test needs."""
    for program in ("Xvfb", "dbus-run-session", SYSTEM_PYTHON):
        if shutil.which(program) is None:
            return program
    bus = Path("/usr/share/dbus-1/services/org.a11y.Bus.service")
    has_bindings = subprocess.run([SYSTEM_PYTHON, "-c", BINDINGS], capture_output=True, check=False).returncode == 0
    return "" if bus.exists() and has_bindings else "AT-SPI (at-spi2-core, gir1.2-atspi-2.0, python3-gi)"


@pytest.fixture
def display() -> Iterator[str]:
    """An X server of the test's own."""
    lacks = missing()
    if lacks:
        reason = f"no screen reader can be played: {lacks} is not installed"
        if os.environ.get("CI") and shutil.which("apt-get"):
            pytest.fail(reason)
        pytest.skip(reason)
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1440x900x24", "-noreset"]
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        with os.fdopen(read) as number:
            yield f":{number.readline().strip()}"
        server.terminate()


def heard(display: str, home: Path, path: Path, *steps: str) -> list[str]:
    """What a screen reader finds while it does these steps in the program with a recording open."""
    (home / "run").mkdir(mode=0o700)
    environment = os.environ | {
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(home / "run"),
        "DISPLAY": display,
        "WAYLAND_DISPLAY": "",
        "QT_QPA_PLATFORM": "xcb",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    }
    # The program ends with the reader, the bus with both.
    script = '"$1" -m recorder_editor "$2" & shift 2; "$@" >"$0"; code=$?; kill %1; wait %1; exit $code'
    found = home / "found"
    reader = [SYSTEM_PYTHON, str(READER), *steps]
    command = ["dbus-run-session", "--", "bash", "-c", script, str(found), sys.executable, str(path), *reader]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return found.read_text(encoding="utf-8").splitlines()


def test_a_screen_reader_finds_the_window_plays_and_reads_the_frame(display: str, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "town.log"
    path.write_bytes(b.drive(6000, vehicles=2))  # five minutes, so that it still plays when a slow reader presses again
    button, first_frame = "press:Play or pause", "Frame 1 of 6,000"
    steps = "window:town.log", f"read:{first_frame}", button, f"gone:{first_frame}", button, "hear:Frame "
    lists = "list:Scene from above", "list:Timeline"
    window, before, *pressed, told, scene, first, second, timeline, cursor = heard(display, home, path, *steps, *lists)[
        :10
    ]
    assert window == "frame: town.log - Recorder Editor"
    assert before == f"label: {first_frame}"
    assert pressed == ["push button: Play or pause"] * 2
    frame = int(told.removeprefix("announcement: Frame ").partition(" of 6,000")[0])
    assert frame > 1
    assert scene == "list: Scene from above"
    assert timeline == "list: Timeline"
    assert cursor.startswith(f"list item (selected): Cursor: frame {frame} (id {frame}), ")
    assert first.startswith("list item: ")
    assert second.startswith("list item: ")


def test_a_file_is_asked_for_while_a_screen_reader_listens(display: str, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "town.log"
    path.write_bytes(b.drive(20))
    steps = "window:town.log", "press:Open", "dialog:Open", "press:Cancel", "window:town.log", "read:Frame 1 of 20"
    found = heard(display, home, path, *steps)
    assert found[-2:] == ["frame: town.log - Recorder Editor", "label: Frame 1 of 20"]
