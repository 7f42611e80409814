"""How fast the window follows: a step of frames with every pane in sight, a million frames in the tree, its start.

Starts and memory are measured in processes of their own, by the interpreter that runs this.
"""

import itertools
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from recorder_editor import edits
from recorder_editor.checks import check
from recorder_editor.demo import make_town
from recorder_editor.edits.paths.keyed import KeyedPath
from recorder_editor.progress import Progress
from recorder_editor.ui import create_window
from recorder_editor.ui.panes.scene.camera import Camera
from recorder_editor.ui.session.player import Player
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import PACKETS, SCENE
from tests.bench import recordings as made
from tests.real_recordings import MAPS

Ratio = Callable[..., None]
AtMost = Callable[..., None]
STEPS = 40
PICTURES = 20
MEGABYTES = """
def megabytes(name):
    with open("/proc/self/status") as status:
        return int(next(line for line in status if line.startswith(name)).split()[1]) / 1024
"""
OPENING = """
import sys
import recorder_editor
before = megabytes("VmRSS:")
with recorder_editor.open(sys.argv[1]) as recording:
    recording[0].packets
print(megabytes("VmHWM:") - before)
"""
PICTURE = """
import os, sys
from recorder_editor.ui import create_window
window = create_window(sys.argv[1])
window.grab()
print(megabytes("VmHWM:"), flush=True)
os._exit(0)
"""
PATHS = """
import os, sys
from recorder_editor.ui import create_window
from recorder_editor.ui.app import wait_for_jobs
window = create_window(sys.argv[1])
wait_for_jobs(window)
window.grab()
print(megabytes("VmRSS:"), flush=True)
os._exit(0)
"""
START = """
import time
begin = time.perf_counter()
import os, sys
if len(sys.argv) > 1:
    from recorder_editor.ui import create_window  # as the program does, before there is an application
    window = create_window(sys.argv[1], size=(1440, 900))
else:
    import pyqtgraph
    from PySide6.QtWidgets import QApplication
    application = QApplication([])
    window = pyqtgraph.PlotWidget()
    window.resize(1440, 900)
    window.show()
    application.processEvents()
print(time.perf_counter() - begin, flush=True)
os._exit(0)
"""


def told(code: str, *arguments: str) -> float:
    """What a fresh interpreter prints in the end."""
    # Both sides have their bytecode at hand, as programs that are installed have it.
    bytecode = {"PYTHONPYCACHEPREFIX": str(made.folder() / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        check=True,
        capture_output=True,
        text=True,
        cwd=made.PROJECT,
        env={**os.environ, **bytecode, "QT_QPA_PLATFORM": "offscreen"},
    )
    return float(run.stdout.split()[-1])


@pytest.fixture(scope="module")
def thousand_actors() -> Path:
    """A town with 1,000 vehicles."""
    return made.kept("thousand.log", lambda: make_town(6.0, vehicles=1000, walkers=40, lights=40, seed=3))


@pytest.fixture(scope="module")
def sixty_frames() -> Path:
    """Ten seconds of 60 frames a second, 130 actors."""
    return made.kept("sixty-frames.log", lambda: made.long_runs(frames=600, step=1 / 60))


def window_on(path: Path, xodr: Path | None = None) -> MainWindow:
    window = create_window(path, xodr=xodr)
    window.resize(1440, 900)
    window.show()
    window.activateWindow()
    QApplication.processEvents()
    return window


def settled(window: MainWindow) -> None:
    session = window.session
    while session.background.trajectories is None or session.jobs.running:
        QApplication.processEvents()


@pytest.fixture
def shown(qapp: QApplication) -> Iterator[Callable[[Path], MainWindow]]:
    windows: list[MainWindow] = []

    def show(path: Path, xodr: Path | None = None) -> MainWindow:
        windows.append(window_on(path, xodr))
        return windows[-1]

    yield show
    for window in windows:
        window.session.jobs.cancel_all()
        window.session.close()
        window.deleteLater()


def milliseconds_a_step(window: MainWindow) -> float:
    """The median of single steps forward, each painted; near the end they begin again where a quarter has passed."""
    session = window.session
    if session.frames - session.selection.frame_index <= STEPS:
        session.selection.go_to_frame(session.frames // 4)
        QApplication.processEvents()
    taken = []
    for _ in range(STEPS):
        begin = perf_counter()
        session.selection.step(1)
        QApplication.processEvents()
        taken.append(perf_counter() - begin)
    return sorted(taken)[STEPS // 2] * 1e3


def milliseconds_of(work: Callable[[], object]) -> float:
    """What it takes, painted."""
    begin = perf_counter()
    work()
    QApplication.processEvents()
    return (perf_counter() - begin) * 1e3


def in_the_middle(window: MainWindow) -> None:
    """Halfway through, a vehicle selected, the roads drawn."""
    settled(window)
    session = window.session
    session.selection.go_to_frame(session.frames // 2)
    assert session.actors is not None
    alive = session.actors.alive(session.selection.frame_index)
    session.selection.select_actor(next(life.actor for life in alive if life.class_ == "vehicle"))
    QApplication.processEvents()
    while window.session.roads.is_busy or window.panes.get(SCENE).view.is_drawing:
        QApplication.processEvents()


@pytest.mark.parametrize(("which", "actors", "goal"), [("big_recording", "130", 10), ("thousand_actors", "1,000", 16)])
def test_a_frame_step_with_every_pane(
    which: str,
    actors: str,
    goal: int,
    request: pytest.FixtureRequest,
    shown: Callable[[Path], MainWindow],
    at_most: AtMost,
    benchmark: Any,
) -> None:
    window = shown(request.getfixturevalue(which))
    in_the_middle(window)
    at_most(goal, "ms", f"Frame step, every pane visible, {actors} actors", lambda: milliseconds_a_step(window))
    benchmark.pedantic(lambda: milliseconds_a_step(window), rounds=1)


def test_a_frame_while_playing_with_every_pane(
    sixty_frames: Path, shown: Callable[[Path], MainWindow], at_most: AtMost, benchmark: Any
) -> None:
    window = shown(sixty_frames)
    in_the_middle(window)
    for dock in window.panes.docks:
        window.panes.show(dock)
    window.registry.run("signals.plot")
    settled(window)
    session, now = window.session, 0.0
    player = Player(session, window, clock=lambda: now)

    def show_next() -> None:
        nonlocal now
        now += 1 / 60
        player.tick()

    def one_after_the_other() -> float:
        nonlocal now
        session.selection.go_to_frame(session.frames // 2)
        QApplication.processEvents()
        player.play()
        now += 1 / 120  # in the middle of each frame
        taken = [milliseconds_of(show_next) for _ in range(STEPS)]
        player.pause()
        assert session.selection.frame_index == session.frames // 2 + STEPS
        return statistics.median(taken)

    what = "A frame while playing 60 a second, every pane open, 130 actors"
    at_most(16, "ms", what, one_after_the_other)
    benchmark.pedantic(one_after_the_other, rounds=1)


@pytest.mark.parametrize("front", ["packets", "actors", "problems", "differences"])
def test_playing_shows_every_frame(
    sixty_frames: Path, shown: Callable[[Path], MainWindow], at_most: AtMost, benchmark: Any, front: str
) -> None:
    """How many of the frames of two seconds are left out by the clock, with every pane open and that one in front."""
    window = shown(sixty_frames)
    in_the_middle(window)
    for dock in window.panes.docks:
        window.panes.show(dock)
    window.registry.run("signals.plot")
    window.panes.show(front)
    settled(window)
    session, player = window.session, window.player

    def left_out() -> float:
        frames: set[int] = set()
        session.selection.go_to_frame(0)
        QApplication.processEvents()
        take = session.selection.changed.connect(lambda _: frames.add(session.selection.frame_index))
        player.play()
        while session.selection.frame_index < 120:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        player.pause()
        session.selection.changed.disconnect(take)
        return max(frames) - len(frames)

    what = f"Frames left out of 120 played at 60 a second, every pane open, {front} in front, 130 actors"
    at_most(0, "frames", what, left_out, rounds=1)
    benchmark.pedantic(left_out, rounds=1)


def test_a_path_is_edited_by_keys(shown: Callable[[Path], MainWindow], at_most: AtMost, benchmark: Any) -> None:
    """A key is dragged whose neighbours are 2,000 frames apart, in the midst of 130 actors, and released."""
    path = made.kept("long-lives.log", lambda: made.long_runs(frames=2400, run=2400))
    window = shown(path)
    in_the_middle(window)
    session, editing = window.session, window.session.path_editing
    assert session.selection.life is not None
    editing.begin(session.selection.life)
    turns = itertools.count()

    def rested() -> KeyedPath:
        while editing.is_busy or session.jobs.running:
            QApplication.processEvents()
        assert editing.base is not None
        return editing.base

    times = [float(session.snapshot_or_refuse().elapsed[frame]) for frame in (0, 200, 1200, 2200, 2399)]
    editing.rest(KeyedPath.as_recorded(rested().recorded, times))

    def drag() -> None:
        assert editing.base is not None
        place = editing.base.values[2, 0] + 0.01 * (1 + next(turns) % 7)
        editing.preview(2, lambda path: path.with_key(2, point=place))

    def dragged() -> float:
        return statistics.median(milliseconds_of(drag) for _ in range(STEPS))

    def applied() -> float:
        rested()
        drag()
        rested()
        return milliseconds_of(editing.apply)

    at_most(16, "ms", "A key of a path dragged, 2,000 frames, 130 actors", dragged)
    at_most(200, "ms", "A key of a path released, 2,000 frames, 130 actors", applied)
    benchmark.pedantic(dragged, rounds=1)


@pytest.fixture
def on_roads(small_recording: Path, shown: Callable[..., MainWindow]) -> MainWindow:
    """130 actors on the map of Town04, the roads drawn."""
    if not MAPS.is_dir():
        pytest.skip(f"no road maps in {MAPS}")
    window = shown(small_recording, MAPS / "Town04.xodr")
    in_the_middle(window)
    assert window.panes.get(SCENE).view.road_map.isVisible()
    return window


def test_a_frame_step_on_roads(on_roads: MainWindow, at_most: AtMost, benchmark: Any) -> None:
    view = on_roads.panes.get(SCENE).view
    view.box.set_camera(view.camera._replace(x=200.0, y=-250.0, scale=3.0))
    in_the_middle(on_roads)
    what = "Frame step, every pane visible, 130 actors, on the road map of Town04"
    at_most(16, "ms", what, lambda: milliseconds_a_step(on_roads))
    benchmark.pedantic(lambda: milliseconds_a_step(on_roads), rounds=1)


@pytest.mark.parametrize("scale", [1.0, 3.0, 12.0])
def test_looking_around_on_roads(on_roads: MainWindow, at_most: AtMost, benchmark: Any, scale: float) -> None:
    """The slowest but one of twenty pictures while the map is dragged and drawn anew beyond the edges."""
    view = on_roads.panes.get(SCENE).view

    def slowest(turn: Callable[[Camera, int], Camera]) -> float:
        view.box.set_camera(view.camera._replace(x=200.0, y=-250.0, scale=scale))
        in_the_middle(on_roads)
        taken = [
            milliseconds_of(lambda step=step: view.box.set_camera(turn(view.camera, step)))  # type: ignore[misc]
            for step in range(PICTURES)
        ]
        return sorted(taken)[-2]

    def panned() -> float:
        return slowest(lambda camera, _step: camera.moved(-25.0, 10.0))

    def zoomed() -> float:
        middle = view.camera.pane.center()
        return slowest(lambda camera, step: camera.zoomed(1.2 if step < PICTURES / 2 else 1 / 1.2, middle))

    at_most(16, "ms", f"A picture of Town04 while it is dragged, {scale:g} px/m", panned)
    at_most(16, "ms", f"A picture of Town04 while it is zoomed, from {scale:g} px/m", zoomed)
    benchmark.pedantic(panned, rounds=1)


def test_a_frame_step_while_a_check_runs(
    big_recording: Path, shown: Callable[[Path], MainWindow], at_most: AtMost, benchmark: Any
) -> None:
    window = shown(big_recording)
    in_the_middle(window)
    session = window.session
    snapshot = session.snapshot_or_refuse()

    def work(progress: Progress) -> None:
        while True:
            check(snapshot, progress)

    session.jobs.start("Checking structure", work, lambda _found: None)
    at_most(40, "ms", "Frame step, 130 actors, while a check runs", lambda: milliseconds_a_step(window))
    benchmark.pedantic(lambda: milliseconds_a_step(window), rounds=1)


def test_a_million_frames_in_the_tree(
    million_frames: Path, shown: Callable[[Path], MainWindow], at_most: AtMost, benchmark: Any
) -> None:
    window = shown(million_frames)
    settled(window)
    pane, session = window.panes.get(PACKETS), window.session

    def show() -> float:
        pane.mode.set_current(0)
        QApplication.processEvents()
        return milliseconds_of(lambda: pane.mode.set_current(1))

    def insert() -> None:
        session.editing.apply(edits.insert_frame(session.snapshot_or_refuse(), 500_000))

    def inserted() -> float:
        taken = milliseconds_of(insert)
        milliseconds_of(session.editing.undo)
        return taken

    def taken_back() -> float:
        milliseconds_of(insert)
        return milliseconds_of(session.editing.undo)

    at_most(100, "ms", "Show a million frames in the tree, painted", show)
    at_most(100, "ms", "Insert one frame among them, painted", inserted)
    at_most(100, "ms", "Undo that, painted", taken_back)
    benchmark.pedantic(show, rounds=3)


def test_start_to_the_first_picture(small_recording: Path, ratio: Ratio, benchmark: Any) -> None:
    path = str(small_recording)
    ratio(
        "Start to the first painted frame of 3 MB",
        lambda: told(START, path),
        "an empty pyqtgraph window",
        lambda: told(START),
        1.4,
    )
    benchmark.pedantic(told, (START, path), rounds=3)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell the peak of a process")
@pytest.mark.parametrize(
    ("what", "code", "goal"),
    [
        ("Memory added by opening 800 MB, peak", OPENING, 100),
        ("Memory of the program after the first picture, peak", PICTURE, 300),
        ("Memory of the program when all paths are drawn", PATHS, 180),
    ],
)
def test_memory(what: str, code: str, goal: int, big_recording: Path, at_most: AtMost, benchmark: Any) -> None:
    at_most(goal, "MB", what, lambda: told(MEGABYTES + code, str(big_recording)), rounds=1)
    benchmark.pedantic(told, (MEGABYTES + code, str(big_recording)), rounds=1)
