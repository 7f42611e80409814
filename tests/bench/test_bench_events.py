"""How fast traffic events are found, and that twice as many road users at the same density take twice as long."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor.reading.events import find_events
from recorder_editor.reading.measures import Boxes, ttc2d
from recorder_editor.reading.measures.nearby import near_pairs
from recorder_editor.reading.road_users import RoadUsers, boxes_of
from tests.bench.conftest import Figure

Ratio = Callable[..., None]
APART = 2_000.0  # m: the traffic of each copy meets no other
FRAMES = 200


def test_events_of_real_traffic(benchmark: Any, keep: Callable[[Figure], None], tiled_traffic: Path) -> None:
    with recorder_editor.open(tiled_traffic) as recording:
        found = benchmark.pedantic(find_events, args=(recording.snapshot,), rounds=3, warmup_rounds=1)
        assert len(found) > 1_000
        begin = process_time()
        find_events(recording.snapshot)
        taken = (process_time() - begin) * 1e3
    keep(Figure("Traffic events of 100 MB of real traffic, processor time", taken, "ms", 10_000))


@pytest.fixture(scope="module")
def rows(recordings: Path) -> np.ndarray:
    """The road users of 200 frames of real traffic."""
    with recorder_editor.open(recordings / "carla-0.9.13-town05-collisions.log") as recording:
        return RoadUsers(recording.snapshot).rows(range(FRAMES))


def copies(rows: np.ndarray, number: int) -> tuple[np.ndarray, Boxes]:
    """Frames and boxes of the same traffic several times side by side, as of a larger town."""
    parts = []
    for index in range(number):
        part = rows.copy()
        part["x"] += APART * index
        parts.append(part)
    everyone = np.concatenate(parts)
    return everyone["frame"].astype(np.int64), boxes_of(everyone)


@pytest.mark.parametrize("number", [2, 4])
def test_the_cost_grows_with_the_pairs_that_are_near(
    benchmark: Any, ratio: Ratio, rows: np.ndarray, number: int
) -> None:
    def judge(frames: np.ndarray, boxes: Boxes) -> int:
        first, second = near_pairs(frames, boxes, 1.5)
        ttc2d(boxes.take(first), boxes.take(second))
        return len(first)

    def timed(frames: np.ndarray, boxes: Boxes) -> Callable[[], float]:
        def seconds() -> float:
            begin = perf_counter()
            judge(frames, boxes)
            return perf_counter() - begin

        return seconds

    once = copies(rows, 1)
    many = copies(rows, number)
    assert benchmark.pedantic(judge, args=many, rounds=3) == number * judge(*once)
    ratio(f"2D-TTC of {number} times the road users", timed(*many), "of those once", timed(*once), 1.25 * number)
