"""What benchmarks stand on: large recordings, yardsticks, and a measure of how two things compare.

    pytest tests/bench                        all of them
    packaging/benchmarks.py --write           all of them, and their table into the README

`RECORDER_EDITOR_BENCH_DIR` says where the large files are kept (build/bench otherwise); the comparisons of a run are
written there too, as ratios.json.  A ratio is told, never asserted: a busy machine must not fail a test run.
"""

import itertools
import json
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
RATIOS = pytest.StashKey[list["Ratio"]]()


class Ratio(NamedTuple):
    """How long something took beside something else: medians of interleaved rounds, in seconds."""

    name: str
    ours: float
    other: float
    goal: str  # such as "<= 1.5"

    @property
    def value(self) -> float:
        return self.ours / self.other

    def line(self) -> str:
        sign, limit = self.goal.split()
        met = self.value <= float(limit) if sign == "<=" else self.value >= float(limit)
        told = f"{self.ours * 1e3:9.1f} ms {self.other * 1e3:9.1f} ms   {self.value:6.2f}   {self.goal:>8}"
        return f"{self.name:<52} {told}   {'met' if met else 'MISSED'}"


# --- recordings -------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def big_recording() -> Path:
    """800 MB: 72,000 frames, 1,008,000 packets, 130 actors at a time (9.4 million positions), 48 long runs."""
    return made.kept("long-runs.log", made.long_runs)


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


# --- comparisons ----------------------------------------------------------------------------------------------


@pytest.fixture
def ratio(request: pytest.FixtureRequest, benchmark: Any) -> Callable[..., Ratio]:
    """`ratio(name, ours, other, goal)`: the two, called in turn, each giving the seconds it took.

    The medians and their ratio are told at the end of the run, and stand in ratios.json and in the benchmark's
    `extra_info`.
    """
    found = request.config.stash.setdefault(RATIOS, [])

    def compare(name: str, ours: Callable[[], float], other: Callable[[], float], goal: str, rounds: int = 9) -> Ratio:
        for warm in (ours, other):
            warm()
        pairs = [(ours(), other()) for _ in range(rounds)]
        medians = [statistics.median(column) for column in zip(*pairs, strict=True)]
        result = Ratio(name, medians[0], medians[1], goal)
        found.append(result)
        benchmark.extra_info.setdefault("ratios", {})[name] = round(result.value, 3)
        return result

    return compare


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    found = config.stash.get(RATIOS, [])
    if not found:
        return
    terminalreporter.section("how it compares")
    terminalreporter.write_line(f"{'':<52} {'this':>12} {'beside':>12}   {'ratio':>6}   {'goal':>8}")
    for each in found:
        terminalreporter.write_line(each.line())
    told = [{**each._asdict(), "ratio": each.value} for each in found]
    (made.folder() / "ratios.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
