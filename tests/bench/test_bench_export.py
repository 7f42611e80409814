"""How fast the positions of 800 MB become a file, beside pyarrow writing the same arrays."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

import recorder_editor
from recorder_editor import Recording
from recorder_editor.exchange.export import export, preview
from recorder_editor.recording.selectors import find_subset
from tests.bench import recordings as made

Ratio = Callable[..., None]
POSITIONS = 9_360_000
FORTIETH = 1800  # frames of the 72,000


@pytest.fixture(scope="module")
def big(big_recording: Path) -> Iterator[Recording]:
    with recorder_editor.open(big_recording) as recording:
        yield recording


def timed(work: Callable[[], object]) -> Callable[[], float]:
    def seconds() -> float:
        begin = perf_counter()
        work()
        return perf_counter() - begin

    return seconds


def test_positions_to_parquet(benchmark: Any, ratio: Ratio, big: Recording) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    ours, theirs = made.folder() / "positions.parquet", made.folder() / "positions-again.parquet"
    benchmark.pedantic(export, args=(big.snapshot, ours), rounds=3, warmup_rounds=1)
    arrays = parquet.read_table(ours)
    rows = parquet.ParquetFile(ours).metadata.row_group(0).num_rows
    assert len(arrays) == POSITIONS
    ratio(
        "Positions of 800 MB to Parquet, 9.4 million rows",
        timed(lambda: export(big.snapshot, ours)),
        "pyarrow writing the same arrays",
        timed(lambda: parquet.write_table(arrays, theirs, row_group_size=rows)),
        3,
        rounds=5,
    )
    ours.unlink()
    theirs.unlink()


@pytest.mark.parametrize("ending", ["csv", "jsonl", "xosc"])
def test_positions_to_text(benchmark: Any, big: Recording, ending: str) -> None:
    target = made.folder() / f"positions.{ending}"
    part = find_subset(big.snapshot, stop=f"#{FORTIETH + 1}")
    benchmark.extra_info |= {"title": f"234,000 positions to .{ending}"}
    benchmark.pedantic(export, args=(big.snapshot, target), kwargs={"subset": part}, rounds=3, warmup_rounds=1)
    assert target.stat().st_size > POSITIONS // 40 * 50
    target.unlink()


def test_a_look_before(benchmark: Any, big: Recording) -> None:
    benchmark.extra_info |= {"title": "Preview of an export of 800 MB"}
    found = benchmark.pedantic(preview, args=(big.snapshot, ".csv"), rounds=5, warmup_rounds=1)
    assert found.total == POSITIONS
