"""How fast the L1 table is built of 350,000 rows of highD, step by step and whole, beside reading and writing alone."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

import recorder_editor
from recorder_editor.analysis import highd as raw_highd
from recorder_editor.analysis import of_recording
from recorder_editor.analysis.constants import STANDARD
from recorder_editor.analysis.steps import STEPS, Setting
from recorder_editor.fleet import l1
from recorder_editor.formats.highd import Highd, HighdOptions
from tests.analysis import highd
from tests.bench import recordings as made

pl = pytest.importorskip("polars")
parquet = pytest.importorskip("pyarrow.parquet")
table = pytest.importorskip("recorder_editor.analysis.table")  # of polars

Ratio = Callable[..., None]
VEHICLES, ROWS = 885, 350_000
NUMBERS = (1, 2)


@pytest.fixture(scope="module")
def folder() -> Path:
    """Two recordings of about 350,000 rows, 885 vehicles each."""
    place = made.folder() / "highd"
    for number in NUMBERS:
        if not (place / f"{number:02}_recordingMeta.csv").exists():  # written last
            highd.write(place, number, highd.traffic(VEHICLES, seed=number))
    return place


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Path]:
    """Beside the other large files, on the same disk."""
    path = made.folder() / "L1.parquet"
    yield path
    path.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def columns(folder: Path) -> dict[str, Any]:
    """All columns there are before the table is put in order."""
    raw = raw_highd.load(folder, 1)
    rows: dict[str, Any] = raw_highd.merge(raw)
    for step in STEPS:
        rows |= step(rows, setting())
    assert abs(len(rows["frame"]) - ROWS) < ROWS / 50
    return rows


def setting() -> Any:
    return Setting(1 / highd.RATE, STANDARD)


def told(benchmark: Any, title: str, rows: int) -> None:
    benchmark.extra_info |= {"title": title, "rows": rows}


def test_reading(benchmark: Any, folder: Path) -> None:
    raw = benchmark.pedantic(raw_highd.load, args=(folder, 1), rounds=7, warmup_rounds=1)
    told(benchmark, "L1, 350,000 rows: read and check", len(raw.tracks))


def test_merging(benchmark: Any, folder: Path) -> None:
    raw = raw_highd.load(folder, 1)
    benchmark.pedantic(raw_highd.merge, args=(raw,), rounds=7, warmup_rounds=1)
    told(benchmark, "L1, 350,000 rows: merge", len(raw.tracks))


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_a_step(benchmark: Any, columns: dict[str, Any], step: Callable[..., Any]) -> None:
    benchmark.pedantic(step, args=(columns, setting()), rounds=7, warmup_rounds=1)
    told(benchmark, f"L1, 350,000 rows: {step.__name__}", len(columns["frame"]))


def test_ordering(benchmark: Any, columns: dict[str, Any]) -> None:
    benchmark.pedantic(table.build_table, args=(columns,), rounds=7, warmup_rounds=1)
    told(benchmark, "L1, 350,000 rows: put in order", len(columns["frame"]))


def test_writing(benchmark: Any, columns: dict[str, Any], target: Path) -> None:
    built = table.build_table(columns)
    benchmark.pedantic(table.write, args=(built, target, {}), rounds=7, warmup_rounds=1)
    told(benchmark, "L1, 350,000 rows: write", len(built))


def test_the_whole_beside_reading_and_writing(
    benchmark: Any, ratio: Ratio, folder: Path, columns: dict[str, Any], target: Path, tmp_path: Path
) -> None:
    arrow = table.build_table(columns).to_arrow()
    out = made.folder() / "L1"

    def whole() -> float:
        begin = perf_counter()
        l1.build_one(folder, out, 1)
        return perf_counter() - begin

    def alone() -> float:
        begin = perf_counter()
        pl.read_csv(folder / "01_tracks.csv")
        parquet.write_table(arrow, target)
        return perf_counter() - begin

    benchmark.pedantic(whole, rounds=3, warmup_rounds=1)
    told(benchmark, "L1 of 350,000 rows", len(columns["frame"]))
    ratio("L1 of 350,000 rows, from CSV to Parquet", whole, "reading that CSV and writing that Parquet alone", alone, 3)


@pytest.mark.parametrize("workers", [1, 2])
def test_two_recordings(benchmark: Any, folder: Path, workers: int) -> None:
    def build() -> int:
        outcomes = list(l1.build_many(folder, made.folder() / "L1", NUMBERS, workers=workers))
        return sum(outcome.result.rows for outcome in outcomes)

    rows = benchmark.pedantic(build, rounds=3, warmup_rounds=1)
    told(benchmark, f"L1 of two recordings of 350,000 rows, {workers} worker{'s'[: workers - 1]}, started for it", rows)


def test_the_same_of_a_recording(benchmark: Any, folder: Path) -> None:
    path = made.folder() / "highd.log"
    if not path.exists():
        Highd().write(folder, HighdOptions(number=1), path)
    with recorder_editor.open(path) as recording:
        found = benchmark.pedantic(of_recording, args=(recording,), rounds=2, warmup_rounds=1)
    told(benchmark, "L1 of a recording of 350,000 positions, leaders from geometry", len(found))
