"""How fast the positions of 800 MB become a file, beside pyarrow writing the same arrays."""

import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
from mcap.writer import Writer
from mcap_protobuf.schema import register_schema

import recorder_editor
from recorder_editor import Recording
from recorder_editor.formats.export import TableOptions, export, preview
from recorder_editor.formats.mcap import McapOptions
from recorder_editor.reading import Tracks
from recorder_editor.reading.selectors import find_subset
from tests.bench import recordings as made
from tests.bench.conftest import Figure

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
        1.2,
        rounds=5,
    )
    ours.unlink()
    theirs.unlink()


def test_objects_to_parquet(
    benchmark: Any, ratio: Ratio, at_most: Callable[..., None], big: Recording, big_recording: Path
) -> None:
    """The table of objects, 25 columns; its memory is that of a process which does nothing else."""
    polars = pytest.importorskip("polars")
    ours, theirs = made.folder() / "objects.parquet", made.folder() / "objects-again.parquet"
    options = TableOptions("objects")
    benchmark.pedantic(export, args=(big.snapshot, ours, options), rounds=1)
    table = polars.read_parquet(ours)
    assert table.shape == (POSITIONS, 25)
    ratio(
        "Objects of 800 MB to Parquet, 9.4 million rows",
        timed(lambda: export(big.snapshot, ours, options)),
        "polars writing the same columns",
        timed(lambda: table.write_parquet(theirs)),
        1.5,
        rounds=3,
    )
    at_most(500, "MB", "Memory of exporting them, peak", partial(peak_of_objects, big_recording, ours), rounds=1)
    ours.unlink()
    theirs.unlink()


def peak_of_objects(recording: Path, target: Path) -> float:
    words = f"['export', {str(recording)!r}, {str(target)!r}, '--table', 'objects', '--overwrite']"
    program = f"from recorder_editor.cli import main; from tests.memory import peak; main({words}); print(peak())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=made.PROJECT)
    return float(done.stdout) / 1e6


def test_everything_to_mcap(benchmark: Any, keep: Callable[[Figure], None], ratio: Ratio, big: Recording) -> None:
    """The whole; and of a fortieth what the libraries take for the boxes' poses alone, as objects in Python."""
    target = made.folder() / "scene.mcap"
    seconds = timed(lambda: export(big.snapshot, target))()
    keep(Figure("800 MB to MCAP, 9.4 million boxes", seconds, "s", 60))
    keep(Figure("The file of them, for each box", target.stat().st_size / POSITIONS, "B", 8))
    part = find_subset(big.snapshot, stop=f"#{FORTIETH + 1}")
    export(big.snapshot, target, subset=part, options=McapOptions(all_poses=True))
    size = target.stat().st_size / FORTIETH / made.ACTORS
    keep(Figure("A file of 234,000, with their poses in every frame, for each box", size, "B", 13))
    positions = Tracks(big.snapshot).positions(frames=part.frames)
    ratio(
        "234,000 boxes to MCAP",
        timed(lambda: export(big.snapshot, target, subset=part)),
        "the transforms alone, as objects of protobuf",
        timed(lambda: transforms(positions, target)),
        1,
        rounds=3,
    )
    benchmark.pedantic(export, args=(big.snapshot, target), kwargs={"subset": part}, rounds=3)
    target.unlink()
    target.with_suffix(".layout.json").unlink()


def transforms(positions: Any, target: Path) -> None:
    with target.open("wb") as stream:
        writer = Writer(stream)
        writer.start()
        channel = writer.register_channel("/tf", "protobuf", register_schema(writer, FrameTransforms))
        for frame in range(FORTIETH):
            message, time = FrameTransforms(), frame * 50_000_000
            for row in positions[frame * made.ACTORS : (frame + 1) * made.ACTORS].tolist():
                each = message.transforms.add(parent_frame_id="map", child_frame_id=f"actor/{row[1]}")
                each.timestamp.FromNanoseconds(time)
                each.translation.x, each.translation.y, each.translation.z = row[2] / 100, -row[3] / 100, row[4] / 100
                half = math.radians(-row[7]) / 2
                each.rotation.z, each.rotation.w = math.sin(half), math.cos(half)
            writer.add_message(channel, time, message.SerializeToString(), time)
        writer.finish()


@pytest.mark.parametrize("ending", ["csv", "jsonl", "xosc"])
def test_positions_to_text(benchmark: Any, big: Recording, ending: str) -> None:
    target = made.folder() / f"positions.{ending}"
    part = find_subset(big.snapshot, stop=f"#{FORTIETH + 1}")
    benchmark.extra_info |= {"title": f"234,000 positions to .{ending}"}
    benchmark.pedantic(export, args=(big.snapshot, target), kwargs={"subset": part}, rounds=3, warmup_rounds=1)
    assert target.stat().st_size > POSITIONS // 40 * 50
    target.unlink()


@pytest.mark.parametrize(("ending", "write"), [("csv", "write_csv"), ("jsonl", "write_ndjson")])
def test_positions_to_text_beside_polars(benchmark: Any, ratio: Ratio, big: Recording, ending: str, write: str) -> None:
    polars = pytest.importorskip("polars")
    ours, theirs = made.folder() / f"beside.{ending}", made.folder() / f"beside-again.{ending}"
    parquet = made.folder() / "beside.parquet"
    part = find_subset(big.snapshot, stop=f"#{FORTIETH + 1}")
    export(big.snapshot, parquet, subset=part)
    frame = polars.read_parquet(parquet)
    benchmark.pedantic(export, args=(big.snapshot, ours), kwargs={"subset": part}, rounds=1)
    ratio(
        f"234,000 positions to .{ending}",
        timed(lambda: export(big.snapshot, ours, subset=part)),
        "polars writing the same frame",
        timed(lambda: getattr(frame, write)(theirs)),
        1.5,
    )
    for path in (ours, theirs, parquet):
        path.unlink()


def test_a_look_before(benchmark: Any, big: Recording) -> None:
    benchmark.extra_info |= {"title": "Preview of an export of 800 MB"}
    found = benchmark.pedantic(preview, args=(big.snapshot, ".csv"), rounds=5, warmup_rounds=1)
    assert found.total == POSITIONS
