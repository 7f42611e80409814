"""The published maps, and the simulator's own geometry to judge by."""

import os
import platform
import sys
from pathlib import Path
from types import ModuleType

import pytest

from recorder_editor.roads import RoadMap, read_road_map
from tests.real_recordings import PROJECT

MAPS = PROJECT.parent / "shared" / "maps"


def missing(reason: str, *, may_be: bool = False) -> None:
    """Skip, or fail where CI is set, unless it may be missing there."""
    if os.environ.get("CI") and not may_be:
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def maps() -> Path:
    """The folder of the published maps."""
    if not MAPS.is_dir():
        missing("no road maps: the folder ../shared/maps beside the project does not exist")
    return MAPS


@pytest.fixture(scope="session", params=["Town01", "Town04"])
def town(maps: Path, request: pytest.FixtureRequest) -> RoadMap:
    """Each of the published maps."""
    return read_road_map(maps / f"{request.param}.xodr")


@pytest.fixture(scope="session")
def carla() -> ModuleType:
    """The simulator's client library, whose wheels are for Linux and a few releases of Python."""
    try:
        import carla as found
    except ImportError:
        has_wheel = sys.platform == "linux" and platform.machine() == "x86_64" and sys.version_info < (3, 13)
        missing("the simulator's library (the test extra installs it where it has wheels)", may_be=not has_wheel)
    return found


@pytest.fixture(scope="session")
def judge(carla: ModuleType, maps: Path, town: RoadMap) -> object:
    """The simulator's own geometry of the same map."""
    return carla.Map(town.name, (maps / f"{town.name}.xodr").read_text(encoding="utf-8"))
