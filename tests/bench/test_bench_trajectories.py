"""How fast a table of trajectories becomes a recording, beside reading that table with polars."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from recorder_editor.formats.trajectories import TableImport, TableOptions
from tests.bench import recordings as made

pl = pytest.importorskip("polars")

Ratio = Callable[..., None]
ROWS, USERS = 10_000_000, 100


@pytest.fixture(scope="module")
def table() -> Path:
    """Ten million rows ordered by time: 100 cars on circles, 25 times a second."""
    path = made.folder() / "trajectories.csv"
    if path.exists():
        return path
    frames = ROWS // USERS
    frame = np.repeat(np.arange(frames), USERS)
    user = np.tile(np.arange(USERS), frames)
    radius = 200.0 + user
    angle = frame * 0.04 * (10 + user / 10) / radius + user
    columns = {
        "time": (frame * 0.04).round(2),
        "track_id": user,
        "x": (radius * np.cos(angle)).round(3),
        "y": (radius * np.sin(angle)).round(3),
        "yaw": np.arctan2(np.cos(angle), -np.sin(angle)).round(5),
        "length": (4 + user / 100).round(2),
        "width": (1.8 + user / 500).round(2),
        "class": np.full(ROWS, "car"),
    }
    pl.DataFrame(columns).write_csv(path)
    return path


def peak_of_import(table: Path, target: Path) -> float:
    words = f"['import-trajectories', {str(table)!r}, {str(target)!r}, '--overwrite']"
    program = f"from recorder_editor.cli import main; from tests.memory import peak; main({words}); print(peak())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=made.PROJECT)
    return float(done.stdout.splitlines()[-1]) / 1e6


def test_ten_million_rows_beside_polars(
    benchmark: Any, ratio: Ratio, at_most: Callable[..., None], table: Path
) -> None:
    """The memory is that of a process which does nothing else."""
    target = made.folder() / "trajectories.log"

    def whole() -> float:
        begin = perf_counter()
        TableImport().make(table, TableOptions(), target, overwrite=True)
        return perf_counter() - begin

    def alone() -> float:
        begin = perf_counter()
        pl.read_csv(table)
        return perf_counter() - begin

    benchmark.pedantic(whole, rounds=1)
    ratio("10 million rows of CSV to a recording", whole, "polars reads that CSV", alone, 3, rounds=3)
    at_most(500, "MB", "Memory of importing them, peak", partial(peak_of_import, table, target), rounds=1)
    target.unlink()
