"""What every test stands on: a home of its own, real recordings where there are any, and silence from Qt.

A warning of Qt or an unannounced log line fails the test that caused it, as a Python warning does.
"""

import gc
import logging
import os
import platform
import re
import sys
from collections.abc import Generator, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings
from PySide6.QtCore import QMessageLogContext, QSettings, QtMsgType, qInstallMessageHandler

import recorder_editor

from . import extent
from .extent import is_long
from .processor_time import Costs
from .real_recordings import DAMAGED, MAPS, PROJECT, RECORDINGS, SECOND, SOUND, missing

SHORT, LONG = 120_000, 300_000
"""Bytes that slow loops read of a real recording, and with `--long`."""

QUIET = (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg)

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for each in ("LC_ALL", "LC_MESSAGES", "LANG"):  # the verbs speak the language of the locale
    if os.environ.get(each, "").startswith("zh"):
        os.environ[each] = "C.UTF-8"
settings.register_profile("project", deadline=None, derandomize=bool(os.environ.get("CI")), max_examples=extent.SHORT)
settings.register_profile("long", settings.get_profile("project"), max_examples=extent.LONG)


# --- real recordings ------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def recordings() -> Iterator[Path]:
    """The folder of real recordings; without it the test is skipped, or fails where CI is set.

    What a test opens in it may be looked at, not written: notes and copies would stand beside the recordings.
    """
    if not RECORDINGS.is_dir():
        missing("no real recordings: the folder ../shared/recordings beside the project does not exist")
    before = sorted(path.name for path in RECORDINGS.iterdir())
    yield RECORDINGS
    assert sorted(path.name for path in RECORDINGS.iterdir()) == before


@pytest.fixture(scope="session")
def maps() -> Path:
    """The folder of the published maps."""
    if not MAPS.is_dir():
        missing("no road maps: the folder ../shared/maps beside the project does not exist")
    return MAPS


@pytest.fixture(scope="session")
def carla() -> ModuleType:
    """The simulator's client library, whose wheels are for Linux and a few releases of Python."""
    try:
        import carla as found
    except ImportError:
        has_wheel = sys.platform == "linux" and platform.machine() == "x86_64" and sys.version_info < (3, 13)
        missing("the simulator's library (the test extra installs it where it has wheels)", may_be=not has_wheel)
    return found


@pytest.fixture(params=[pytest.param(name, marks=[pytest.mark.long] * (name in SECOND)) for name in SOUND])
def sound_recording(recordings: Path, request: pytest.FixtureRequest) -> Path:
    """An undamaged real recording of each dialect in turn; with `--long` every one."""
    return recordings / str(request.param)


@cache
def _beginning(path: Path, size: int) -> bytes:
    with recorder_editor.open(path) as recording:
        stop = next((frame.offset for frame in recording if frame.offset > size), None)
    return path.read_bytes()[:stop]


@pytest.fixture
def short_recording(sound_recording: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The first frames of each `sound_recording`, for tests that go through it record by record."""
    path = tmp_path / sound_recording.name
    path.write_bytes(_beginning(sound_recording, LONG if is_long(request.config) else SHORT))
    return path


@pytest.fixture
def damaged_recording(recordings: Path) -> Path:
    """The real recording that a text editor destroyed."""
    return recordings / DAMAGED


# --- places to write ------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def artefacts() -> Path:
    """The folder for pictures a person may want to look at after the run."""
    folder = PROJECT / "build" / "artefacts"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for the state, the settings and the caches of this test alone."""
    folder = tmp_path_factory.mktemp("home")
    for name in ("config_home", "data_home", "state_home", "cache_home", "runtime_dir"):
        place = folder / name
        place.mkdir(mode=0o700)
        monkeypatch.setenv(f"XDG_{name.upper()}", str(place))
    monkeypatch.setenv("RECORDER_EDITOR_STATE_DIR", str(folder / "state_home" / "recorder-editor"))
    for name in ("CARLA_ROOT", "CARLA_UE4_ROOT", "UE4_CARLA"):
        monkeypatch.delenv(name, raising=False)
    for kind in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
        QSettings.setPath(kind, QSettings.Scope.UserScope, str(folder / "config_home"))
    return folder


# --- silence --------------------------------------------------------------------------------------------


class QtComplaints:
    """What Qt said outside the body of a test: between tests and while one is taken down.

    During the body pytest-qt listens itself (`qt_log_level_fail`) and gives the place back afterwards.
    """

    def __init__(self, ignored: Sequence[str]) -> None:
        self.lines: list[str] = []
        self.ignored = ignored
        qInstallMessageHandler(self.hear)

    def hear(self, kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        if kind not in QUIET and not any(re.search(words, message) for words in self.ignored):
            self.lines.append(message)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self) -> Generator[None, None, None]:
        yield
        lines, self.lines = self.lines, []
        if lines:
            pytest.fail("Qt complained outside the body of the test:\n" + "\n".join(lines), pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--costs", type=Path, metavar="FILE.json", help="write what each test and fixture cost")
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in an order that the seed draws")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # nothing of what is collected becomes garbage
    settings.load_profile("long" if is_long(config) else "project")
    config.pluginmanager.register(extent, "extent")
    config.pluginmanager.register(Costs(config.getoption("--costs")), "costs")
    config.pluginmanager.register(QtComplaints(config.getini("qt_log_ignore")), "qt-complaints")


def pytest_collection_finish() -> None:
    """Keeps modules and the tests themselves out of each sweep, which would else take longer than most tests."""
    gc.freeze()
    gc.enable()


class LogLines(logging.Handler):
    """Collects what is logged as a warning or worse."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def log_lines_are_announced(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test during which something was logged, unless it asks for `caplog` to look at it."""
    listener = LogLines()
    logging.getLogger().addHandler(listener)
    yield
    logging.getLogger().removeHandler(listener)
    if listener.lines and "caplog" not in request.fixturenames:
        pytest.fail("logged without a test that expects it:\n" + "\n".join(listener.lines), pytrace=False)
