"""How fast traffic events are found, and that twice as many road users at the same density take twice as long."""

from collections.abc import Callable
from pathlib import Path
from time import process_time
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
FRAMES = 555


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
    """The road users of all frames of a recording of real traffic."""
    with recorder_editor.open(recordings / "carla-0.9.13-town05-collisions.log") as recording:
        return RoadUsers(recording.snapshot).rows(range(FRAMES))


Portion = tuple[np.ndarray, Boxes]


def copies(rows: np.ndarray, number: int) -> list[Portion]:
    """Frames and boxes of the same traffic several times side by side, as of a larger town.

    They are in portions of as many rows as all of it once has, as the search reads them: so many times fewer frames.
    """
    parts = []
    for index in range(number):
        part = rows.copy()
        part["x"] += APART * index
        parts.append(part)
    everyone = np.concatenate(parts)
    everyone = everyone[np.argsort(everyone["frame"], kind="stable")]
    portions = []
    for frames in np.array_split(np.arange(FRAMES), number):
        portion = everyone[np.isin(everyone["frame"], frames)]
        portions.append((portion["frame"].astype(np.int64), boxes_of(portion)))
    return portions


@pytest.mark.parametrize("number", [2, 4])
def test_the_cost_grows_with_the_pairs_that_are_near(
    benchmark: Any, ratio: Ratio, rows: np.ndarray, number: int
) -> None:
    def judge(portions: list[Portion]) -> int:
        found = 0
        for frames, boxes in portions:
            first, second = near_pairs(frames, boxes, 1.5)
            ttc2d(boxes.take(first), boxes.take(second))
            found += len(first)
        return found

    def timed(portions: list[Portion]) -> Callable[[], float]:
        def seconds() -> float:
            begin = process_time()
            judge(portions)
            return process_time() - begin

        return seconds

    once = copies(rows, 1)
    many = copies(rows, number)
    assert benchmark.pedantic(judge, args=(many,), rounds=3) == number * judge(once)
    what = f"2D-TTC of {number} times the road users, processor time"
    ratio(what, timed(many), "of those once", timed(once), 1.25 * number)
