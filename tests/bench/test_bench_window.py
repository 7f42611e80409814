"""How fast the window follows: a step of frames with every pane in sight, a million frames in the tree, its start.

Each figure is a ratio: the time beside the goal in milliseconds, or beside an empty pyqtgraph window.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from recorder_editor import edits
from recorder_editor.exchange.demo import make_town
from recorder_editor.ui import create_window
from recorder_editor.ui.main_window import MainWindow
from tests.bench import recordings as made

Ratio = Callable[..., Any]
STEPS = 40
PROBE = """
import resource, sys, time
import recorder_editor
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
opened = recorder_editor.open(sys.argv[1])
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""
PICTURE = """
import resource, sys
from pathlib import Path
import pyqtgraph
from PySide6.QtWidgets import QApplication
from recorder_editor.ui import create_window
application = QApplication.instance() or QApplication([])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
window = create_window(Path(sys.argv[1]))
window.resize(1440, 900)
window.show()
for _ in range(20):
    application.processEvents()
window.grab()
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
window.session.jobs.cancel_all()
import os
sys.stdout.flush()
os._exit(0)
"""
START = """
import time
begin = time.perf_counter()
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
application = QApplication([])
if sys.argv[1] == "empty":
    import pyqtgraph
    window = pyqtgraph.PlotWidget()
else:
    from recorder_editor.ui import create_window
    window = create_window(Path(sys.argv[1]))
window.resize(1440, 900)
window.show()
application.processEvents()
window.grab()
print(time.perf_counter() - begin)
sys.stdout.flush()
import os
os._exit(0)
"""


def told(code: str, argument: str) -> float:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    run = subprocess.run(
        [sys.executable, "-c", code, argument], check=True, capture_output=True, text=True, env=environment
    )
    return float(run.stdout.split()[-1])


@pytest.fixture(scope="module")
def thousand_actors() -> Path:
    """A town with 1,000 vehicles."""
    return made.kept("thousand.log", lambda: make_town(6.0, vehicles=1000, walkers=40, lights=40, seed=3))


def window_on(path: Path) -> MainWindow:
    window = create_window(path)
    window.resize(1440, 900)
    window.show()
    window.activateWindow()
    QApplication.processEvents()
    return window


def settled(window: MainWindow) -> None:
    session = window.session
    while session.survey is None or session.jobs.running:
        QApplication.processEvents()


@pytest.fixture
def shown(qapp: QApplication) -> Iterator[Callable[[Path], MainWindow]]:
    windows: list[MainWindow] = []

    def show(path: Path) -> MainWindow:
        windows.append(window_on(path))
        return windows[-1]

    yield show
    for window in windows:
        window.session.jobs.cancel_all()
        window.session.close()
        window.deleteLater()


def seconds_a_step(window: MainWindow) -> float:
    """The median of single steps, each painted."""
    taken = []
    for number in range(STEPS):
        begin = perf_counter()
        window.session.step(1 if number % 2 == 0 else -1)
        QApplication.processEvents()
        taken.append(perf_counter() - begin)
    return sorted(taken)[STEPS // 2]


@pytest.mark.parametrize(("which", "goal"), [("big_recording", 0.016), ("thousand_actors", 0.040)])
def test_a_frame_step_with_every_pane(
    which: str, goal: float, request: pytest.FixtureRequest, shown: Callable[[Path], MainWindow], ratio: Ratio,
    benchmark: Any,
) -> None:  # fmt: skip
    window = shown(request.getfixturevalue(which))
    settled(window)
    session = window.session
    session.go_to_frame(session.frames // 2)
    users = [life.actor for life in session.actors.alive(session.frame_index) if life.class_ == "vehicle"]
    session.select_actor(users[0])
    ratio(f"frame step, {which}, beside its goal", lambda: seconds_a_step(window), lambda: goal, "<= 1.0", rounds=5)
    benchmark.extra_info["title"] = f"A frame step with every pane, {which.replace('_', ' ')}"
    benchmark.pedantic(lambda: seconds_a_step(window), rounds=1)


def test_a_frame_step_while_a_check_runs(
    big_recording: Path, shown: Callable[[Path], MainWindow], ratio: Ratio, benchmark: Any
) -> None:
    window = shown(big_recording)
    session = window.session
    settled(window)
    session.go_to_frame(session.frames // 2)

    def step() -> float:
        session._start_survey()
        QApplication.processEvents()
        return seconds_a_step(window)

    ratio("frame step while a check runs, beside its goal", step, lambda: 0.040, "<= 1.0", rounds=3)
    benchmark.extra_info["title"] = "A frame step with every pane while a check runs"
    benchmark.pedantic(step, rounds=1)


def test_a_million_frames_in_the_tree(
    million_frames: Path, shown: Callable[[Path], MainWindow], ratio: Ratio, benchmark: Any
) -> None:
    window = shown(million_frames)
    settled(window)
    pane = window.packets

    def show() -> float:
        pane.mode.set_current(0)
        begin = perf_counter()
        pane.mode.set_current(1)
        QApplication.processEvents()
        return perf_counter() - begin

    def insert() -> float:
        edit = edits.insert_frame(window.session.snapshot_or_refuse(), 500_000)
        begin = perf_counter()
        window.session.apply(edit)
        QApplication.processEvents()
        taken = perf_counter() - begin
        window.session.undo()
        return taken

    ratio("a million frames in the tree, beside 100 ms", show, lambda: 0.1, "<= 1.0", rounds=5)
    ratio("one frame inserted among a million, painted, beside 100 ms", insert, lambda: 0.1, "<= 1.0", rounds=5)
    benchmark.extra_info["title"] = "A million frames in the tree: show"
    benchmark.pedantic(show, rounds=1)


def test_start_to_the_first_picture(recordings: Path, ratio: Ratio, benchmark: Any) -> None:
    path = str(recordings / "carla-0.9.13-town01.log")
    name = "start to first picture, beside an empty plot"
    ratio(name, lambda: told(START, path), lambda: told(START, "empty"), "<= 2.0", rounds=5)
    benchmark.extra_info["title"] = "Start to the first picture of a recording"
    benchmark.pedantic(lambda: told(START, path), rounds=1)


def test_memory(big_recording: Path, ratio: Ratio, benchmark: Any) -> None:
    ratio(
        "MB added by opening 800 MB, beside 100 MB", lambda: told(PROBE, str(big_recording)), lambda: 100.0, "<= 1.0",
        rounds=1,
    )  # fmt: skip
    ratio(
        "MB added by the first full picture, beside 300 MB", lambda: told(PICTURE, str(big_recording)), lambda: 300.0,
        "<= 1.0", rounds=1,
    )  # fmt: skip
    benchmark.pedantic(lambda: None, rounds=1)
