"""What benchmarks stand on: large recordings, yardsticks, and figures beside their goals.

    pytest tests/bench                        all of them
    packaging/benchmarks.py --write           all of them, and their tables into the pages

`RECORDER_EDITOR_BENCH_DIR` says where the large files are kept (build/bench otherwise). A figure is told, never
asserted: a busy machine must not fail a test run.
"""

import faulthandler
import itertools
import random
import shutil
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.bench import recordings as made

TILED = 100_000_000
FIGURES = pytest.StashKey[list["Figure"]]()


class Figure(NamedTuple):
    """One row of the table.

    Attributes: `what`, `this` (a median, in `unit`: ms or MB), `goal` (the most it may be: of `this`, or of the ratio
    where something stands beside it), `beside` (what that is, or empty), `other` (its median, in the same unit).
    """

    what: str
    this: float
    unit: str
    goal: float
    beside: str = ""
    other: float | None = None

    def line(self) -> str:
        value = self.this if self.other is None else self.this / self.other
        beside = "" if self.other is None else f"beside {self.other:.2f} {self.unit} ({self.beside}): {value:.2f}"
        goal = f"goal {self.goal:g}{self.unit if self.other is None else ''}"
        return f"{self.what}: {self.this:.2f} {self.unit} {beside}; {goal} {'met' if value <= self.goal else 'MISSED'}"


@pytest.fixture(autouse=True)
def any_time() -> None:
    """Let a benchmark take longer than a test that hangs: some goals are minutes."""
    faulthandler.cancel_dump_traceback_later()


# --- recordings -------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def big_recording() -> Path:
    """800 MB: 72,000 frames, 1,008,000 packets, 130 actors at a time (9.4 million positions), 48 long runs."""
    return made.kept("long-runs.log", made.long_runs)


@pytest.fixture(scope="session")
def small_recording() -> Path:
    """3 MB: 270 frames, 130 actors."""
    return made.kept("small.log", lambda: made.long_runs(frames=270))


@pytest.fixture(scope="session")
def tiled_traffic(recordings: Path) -> Path:
    """100 MB of real traffic in which actors come and go: 84 runs in each 555 frames."""
    source = recordings / "carla-0.9.13-town05-collisions.log"
    return made.kept("tiled-traffic.log", lambda: made.tiled(source, TILED))


@pytest.fixture(scope="session")
def alternating() -> Path:
    """100 MB of frames with two layouts in turn: the run ends after every frame."""
    return made.kept("alternating.log", lambda: made.plain_frames(itertools.cycle([(20, 20, 20), (21, 21, 21)]), TILED))


@pytest.fixture(scope="session")
def unpredictable() -> Path:
    """100 MB of frames with three packets of sizes chosen at random: hardly a layout is ever seen again."""
    chance = random.Random(20211123)
    counts = ((chance.randrange(60), chance.randrange(60), chance.randrange(60)) for _ in itertools.count())
    return made.kept("unpredictable.log", lambda: made.plain_frames(counts, TILED))


@pytest.fixture(scope="session")
def million_frames() -> Path:
    """34 MB: a million frames without a packet."""
    return made.kept("empty-frames.log", lambda: made.tiny_frames(1_000_000))


# --- yardsticks ---------------------------------------------------------------------------------------------


def compiled(compiler: str, source: str, options: list[str]) -> Path:
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler} to compile the yardstick with")
    text = Path(__file__).with_name(source)
    program = made.folder() / f"walk-{compiler}"
    if not program.exists() or program.stat().st_mtime < text.stat().st_mtime:
        subprocess.run([compiler, "-O2", *options, "-o", str(program), str(text)], check=True)
    return program


def walker(program: Path) -> Callable[[Path], float]:
    def seconds(path: Path) -> float:
        told = subprocess.run([program, path, str(len(made.HEADER))], check=True, capture_output=True, text=True).stdout
        return float(told.split()[0])

    return seconds


@pytest.fixture(scope="session")
def mapped_walk() -> Callable[[Path], float]:
    """Seconds a C program takes to walk the headers in a memory map."""
    return walker(compiled("cc", "walk.c", ["-std=c11", "-D_DEFAULT_SOURCE"]))


@pytest.fixture(scope="session")
def stream_walk() -> Callable[[Path], float]:
    """Seconds a C++ program takes to walk the headers through an ifstream, as the simulator's own reader does."""
    return walker(compiled("c++", "walk.cpp", ["-std=c++17"]))


# --- figures --------------------------------------------------------------------------------------------------


@pytest.fixture
def keep(request: pytest.FixtureRequest, benchmark: Any) -> Callable[[Figure], None]:
    """Takes a figure in: told at the end of the run, and kept in the benchmark's `extra_info`."""
    found = request.config.stash.setdefault(FIGURES, [])

    def take(figure: Figure) -> None:
        found.append(figure)
        benchmark.extra_info.setdefault("figures", []).append(figure._asdict())

    return take


@pytest.fixture
def ratio(keep: Callable[[Figure], None]) -> Callable[..., None]:
    """`ratio(what, this, beside, other, goal)`: the two called in turn, each giving the seconds it took."""

    def compare(
        what: str, this: Callable[[], float], beside: str, other: Callable[[], float], goal: float, rounds: int = 9
    ) -> None:
        taken: tuple[list[float], list[float]] = ([], [])
        for number in range(-1, rounds):  # the first round warms up
            # In turn, so that neither always finds what the other left behind in caches and on the disk.
            for which in (0, 1) if number % 2 else (1, 0):
                seconds = (this, other)[which]()
                if number >= 0:
                    taken[which].append(seconds)
        ours, theirs = (statistics.median(each) * 1e3 for each in taken)
        keep(Figure(what, ours, "ms", goal, beside, theirs))

    return compare


@pytest.fixture
def at_most(keep: Callable[[Figure], None]) -> Callable[..., None]:
    """`at_most(goal, unit, what, measure)`: the median of what `measure` gives, in that unit."""

    def hold(goal: float, unit: str, what: str, measure: Callable[[], float], rounds: int = 5) -> None:
        values = [measure() for _ in range(rounds + 1)]
        keep(Figure(what, statistics.median(values[1:]), unit, goal))

    return hold


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    found = config.stash.get(FIGURES, [])
    if found:
        terminalreporter.section("figures")
        for each in found:
            terminalreporter.write_line(each.line())
