"""How fast recordings are checked: structure alone, and everything; also one that is wrong everywhere."""

import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

import recorder_editor
from recorder_editor.checks import check, structure
from tests.bench import recordings as made

Ratio = Callable[..., None]
AtMost = Callable[..., None]


def of_structure(path: Path) -> float:
    """Milliseconds for the structure of a recording that is open."""
    with recorder_editor.open(path) as recording:
        begin = perf_counter()
        assert not list(structure.find(recording.snapshot))
        return 1e3 * (perf_counter() - begin)


def of_everything(path: Path) -> float:
    """Milliseconds for all checks, as `check` runs them."""
    with recorder_editor.open(path) as recording:
        begin = perf_counter()
        check(recording.snapshot)
        return 1e3 * (perf_counter() - begin)


def test_structure_alone(benchmark: Any, at_most: AtMost, big_recording: Path) -> None:
    benchmark.pedantic(of_structure, (big_recording,), rounds=2, warmup_rounds=1)
    goal = big_recording.stat().st_size / 300e6 * 1e3  # 300 MB/s
    at_most(round(goal), "ms", "Check the structure of 800 MB", lambda: of_structure(big_recording))


@pytest.mark.skipif(not hasattr(os, "preadv"), reason="the yardstick is preadv")
def test_everything(benchmark: Any, ratio: Ratio, big_recording: Path) -> None:
    benchmark.pedantic(of_everything, (big_recording,), rounds=2, warmup_rounds=1)
    ratio(
        "Check everything of 800 MB",
        lambda: of_everything(big_recording) / 1e3,
        "reading the file once with preadv",
        lambda: made.seconds_to_read(big_recording),
        5,
        rounds=3,
    )


def test_real_traffic(benchmark: Any, at_most: AtMost, tiled_traffic: Path) -> None:
    benchmark.pedantic(of_everything, (tiled_traffic,), rounds=2, warmup_rounds=1)
    at_most(5_000, "ms", "Check everything of 100 MB of real traffic", lambda: of_everything(tiled_traffic), rounds=3)


def test_wrong_everywhere(benchmark: Any, at_most: AtMost, unpredictable: Path) -> None:
    benchmark.pedantic(of_everything, (unpredictable,), rounds=1)
    at_most(3_000, "ms", "Check 100 MB with 95,400 damaged bodies", lambda: of_everything(unpredictable), rounds=1)
