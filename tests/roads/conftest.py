"""The published maps, and the simulator's own geometry to judge by."""

from pathlib import Path
from types import ModuleType

import pytest

from recorder_editor.roads import RoadMap, read_road_map


@pytest.fixture(scope="session", params=["Town01", "Town04"])
def town(maps: Path, request: pytest.FixtureRequest) -> RoadMap:
    """Each of the published maps."""
    return read_road_map(maps / f"{request.param}.xodr")


@pytest.fixture(scope="session")
def judge(carla: ModuleType, maps: Path, town: RoadMap) -> object:
    """The simulator's own geometry of the same map."""
    return carla.Map(town.name, (maps / f"{town.name}.xodr").read_text(encoding="utf-8"))
