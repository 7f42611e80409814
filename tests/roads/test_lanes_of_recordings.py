"""The simulator judges the table of lanes of its own recordings."""

import csv
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from recorder_editor.cli import main

from .test_simulator import RECORDINGS


@pytest.mark.parametrize("name", RECORDINGS)
def test_the_table_of_lanes_says_what_the_simulator_says(
    name: str, recordings: Path, maps: Path, carla: ModuleType, tmp_path: Path
) -> None:
    judge: Any = carla.Map("Town01", (maps / "Town01.xodr").read_text(encoding="utf-8"))
    lanes, positions = tmp_path / "lanes.csv", tmp_path / "positions.csv"
    given, who = ["export", str(recordings / name)], ["--actors", "type:vehicle.*"]
    assert main([*given, str(lanes), *who, "--table", "lanes", "--xodr", str(maps / "Town01.xodr")]) == 0
    assert main([*given, str(positions), *who]) == 0
    with lanes.open(newline="") as one, positions.open(newline="") as other:
        rows = list(zip(csv.DictReader(one), csv.DictReader(other), strict=True))
    assert len(rows) > 400
    told, expected = [], []
    for row, place in rows:
        x, y, z, yaw = (float(place[each]) for each in ("x_m", "y_m", "z_m", "heading_deg"))
        found = judge.get_waypoint(carla.Location(x, y, z))
        middle = found.transform
        turn = np.radians(middle.rotation.yaw)
        across = (y - middle.location.y) * np.cos(turn) - (x - middle.location.x) * np.sin(turn)
        error = (yaw - middle.rotation.yaw + 180.0) % 360.0 - 180.0
        expected.append((found.road_id, found.lane_id, found.is_junction, across, error, found.s, found.lane_width))
        in_junction = row["in_junction"] == "true"
        numbers = (float(row[each]) for each in ("offset_m", "heading_error_deg", "s_m", "lane_width_m"))
        told.append((int(row["road_id"]), int(row["lane_id"]), in_junction, *numbers))
    one, other = np.array(told, np.float64), np.array(expected, np.float64)
    same = (one[:, :3] == other[:, :3]).all(axis=1)
    assert same.mean() >= 0.99
    np.testing.assert_allclose(one[same, 3:], other[same, 3:], atol=0.1)
