"""How fast a road map is read and points are located on it."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from recorder_editor.api import open_recording
from recorder_editor.formats.export import TableOptions, export
from recorder_editor.progress import SILENT
from recorder_editor.reading.lanes import LaneUse
from recorder_editor.reading.tracks import Tracks
from recorder_editor.roads import RoadMap, read_road_map
from tests.real_recordings import MAPS

AtMost = Callable[..., None]
POINTS = 1_000_000


@pytest.fixture(scope="module")
def town04() -> Path:
    path = MAPS / "Town04.xodr"
    if not path.exists():
        pytest.skip("no road maps: the folder ../shared/maps beside the project does not exist")
    return path


@pytest.fixture(scope="module")
def town(town04: Path) -> RoadMap:
    return read_road_map(town04)


def timed(work: Callable[[], object]) -> Callable[[], float]:
    def milliseconds() -> float:
        begin = perf_counter()
        work()
        return (perf_counter() - begin) * 1e3

    return milliseconds


def test_reading_a_map(benchmark: Any, at_most: AtMost, town04: Path) -> None:
    benchmark.pedantic(read_road_map, (town04,), rounds=3, warmup_rounds=1)
    at_most(300, "ms", "Read the road map of Town04, 3.4 MB", timed(lambda: read_road_map(town04)))


def test_locating_points(benchmark: Any, at_most: AtMost, town: RoadMap) -> None:
    """A million positions as cars have them: in the lanes and a little beside their centres."""
    random = np.random.default_rng(20261122)
    rows = random.integers(0, len(town.lanes), POINTS)
    s = town.lanes["s_begin"][rows] + random.random(POINTS) * (town.lanes["s_end"] - town.lanes["s_begin"])[rows]
    points = town.lane_points(rows, s)
    places = np.stack([points[axis] for axis in "xyz"], axis=-1)
    places[:, :2] += random.normal(0.0, 0.3, (POINTS, 2))
    benchmark.pedantic(town.locate, (places,), rounds=3, warmup_rounds=1)
    at_most(1000, "ms", "Locate a million positions on Town04", timed(lambda: town.locate(places)))


def test_the_first_point_of_a_map(benchmark: Any, at_most: AtMost, town04: Path) -> None:
    """Makes the grid."""

    def first() -> float:
        found = read_road_map(town04)
        return timed(lambda: found.locate([(0.0, 0.0)]))()

    benchmark.pedantic(first, rounds=1)
    at_most(500, "ms", "Locate the first position on Town04", first, rounds=3)


def test_sampling_all_lanes(benchmark: Any, town: RoadMap) -> None:
    benchmark.extra_info["title"] = "Sample every lane of Town04, borders within 2 cm"
    benchmark(town.sample, tolerance=0.02)


def test_the_lanes_of_a_recording(benchmark: Any, small_recording: Path, tmp_path: Path, town: RoadMap) -> None:
    """What every life does on lanes, and the lane of every road user in every frame as a table."""
    with open_recording(small_recording) as recording:
        snapshot = recording.snapshot
        snapshot.context.use_road_map(town)
        rows = Tracks(snapshot).count("positions")
        town.locate([(0.0, 0.0)], None)

        def find() -> None:
            use = LaneUse(snapshot, town, SILENT)
            assert len(use.off_road) > 0
            export(snapshot, tmp_path / "lanes.csv", TableOptions("lanes"))

        benchmark.extra_info.update(title="The use of lanes, and the table `lanes` as CSV, 3 MB", rows=rows)
        benchmark.pedantic(find, rounds=3, warmup_rounds=1)
