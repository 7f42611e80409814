"""How fast a file becomes a frame table, beside the yardsticks, and how fast a long table is edited."""

import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor.recording.frames import ROW, FrameTable
from recorder_editor.recording.scan import ScanResult, scan
from recorder_editor.recording.store import Store
from tests.bench.recordings import HEADER

Ratio = Callable[..., None]


def scanned(path: Path) -> ScanResult:
    with Store(path) as store:
        return scan(store, Store.file, len(HEADER), store.size(Store.file) - len(HEADER))


def opened(path: Path) -> None:
    """Header, scan, dialect, and the first frame ready to be shown."""
    with recorder_editor.open(path) as recording:
        assert recording[0].packets


def plain_loop(data: bytes) -> list[tuple[int, int, int, float, float]]:
    """The headers one after another, in plain Python: (offset, size, frame id, duration, elapsed) of each frame.

    The file is in memory already: what is compared with it also reads the file.
    """
    header, start = struct.Struct("<BI").unpack_from, struct.Struct("<Qdd").unpack_from
    frames = []
    at, end, begin, values = len(HEADER), len(data), 0, (0, 0.0, 0.0)
    while at + 5 <= end:
        number, size = header(data, at)
        if number == 0:
            begin, values = at, start(data, at + 5)
        elif number == 1:
            frames.append((begin, at + 5 - begin, *values))
        at += 5 + size
    return frames


def timed(work: Callable[[Any], object], given: Any) -> Callable[[], float]:
    def seconds() -> float:
        begin = perf_counter()
        work(given)
        return perf_counter() - begin

    return seconds


def run(benchmark: Any, path: Path, title: str) -> ScanResult:
    benchmark.extra_info["title"] = title
    result: ScanResult = benchmark.pedantic(scanned, args=(path,), rounds=9, warmup_rounds=1)
    assert result.damage == ()
    return result


def test_scanning_long_runs(
    benchmark: Any, ratio: Ratio, big_recording: Path, mapped_walk: Callable[[Path], float]
) -> None:
    result = run(benchmark, big_recording, "Opening 800 MB of long runs (scan, warm)")
    assert len(result.table) == 72_000
    ratio(
        "Open 800 MB, 72,000 frames, ready to show the first",
        timed(opened, big_recording),
        "a C program walking the headers in a memory map",
        lambda: mapped_walk(big_recording),
        1.1,
    )


def test_scanning_long_runs_beside_a_stream(
    benchmark: Any, ratio: Ratio, big_recording: Path, stream_walk: Callable[[Path], float]
) -> None:
    benchmark.pedantic(stream_walk, args=(big_recording,), rounds=1)
    ratio(
        "Open 800 MB, 72,000 frames, ready to show the first",
        timed(opened, big_recording),
        "a C++ loop of ifstream and seekg",
        lambda: stream_walk(big_recording),
        1 / 8,
        rounds=5,
    )


def test_scanning_long_runs_beside_a_plain_loop(benchmark: Any, ratio: Ratio, big_recording: Path) -> None:
    data = big_recording.read_bytes()
    benchmark.pedantic(plain_loop, args=(data,), rounds=1)
    what = "Open 800 MB, 72,000 frames, ready to show the first"
    beside = "a plain Python loop over the headers"
    ratio(what, timed(opened, big_recording), beside, timed(plain_loop, data), 1.5, rounds=5)


@pytest.mark.parametrize(("name", "goal"), [("tiled_traffic", 1.5), ("alternating", 1.5), ("unpredictable", 0.7)])
def test_scanning_short_runs(
    benchmark: Any, ratio: Ratio, name: str, goal: float, request: pytest.FixtureRequest
) -> None:
    path: Path = request.getfixturevalue(name)
    words = name.replace("_", " ")
    result = run(benchmark, path, f"Opening 100 MB of {words} frames (scan, warm)")
    rows = result.table.rows()
    data = path.read_bytes()
    plain = plain_loop(data)
    assert rows["offset"].tolist() == [offset + 29 for offset, *_ in plain]
    assert rows["size"].tolist() == [size - 29 for _, size, *_ in plain]
    ratio(
        f"Open 100 MB of {words} frames",
        timed(opened, path),
        "a plain Python loop over the headers",
        timed(plain_loop, data),
        goal,
    )


@pytest.mark.parametrize(("name", "rows"), [("big_recording", 72_000), ("million_frames", 1_000_000)])
def test_scanning_in_little_memory(benchmark: Any, name: str, rows: int, request: pytest.FixtureRequest) -> None:
    path: Path = request.getfixturevalue(name)
    assert len(run(benchmark, path, f"Opening {rows:,} frames (scan, warm)").table) == rows
    tracemalloc.start()
    scanned(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    benchmark.extra_info["peak_bytes"] = peak
    assert peak < 100_000_000


def test_splicing_a_million_rows(benchmark: Any) -> None:
    rows = np.zeros(1_000_000, ROW)
    rows["key"] = np.arange(len(rows))
    rows["size"] = 1000
    table = FrameTable.from_rows(rows)
    places = np.random.default_rng(7).integers(0, len(rows), 10_000).tolist()
    benchmark.extra_info["title"] = "Replacing one row of a million"

    def splice() -> FrameTable:
        return table.splice(places.pop(), 1, rows[:1])

    assert len(benchmark.pedantic(splice, rounds=500, warmup_rounds=10)) == len(rows)


def test_finding_rows_among_a_million(benchmark: Any) -> None:
    rows = np.zeros(1_000_000, ROW)
    rows["size"] = 1000
    table = FrameTable.from_rows(rows)
    places = np.random.default_rng(7).integers(0, len(rows), 10_000).tolist()
    benchmark.extra_info["title"] = "From a position to its row and back, among a million"

    def look() -> int:
        row: int = places.pop()
        return table.row_at(table.position(row)) - row

    assert benchmark.pedantic(look, rounds=2000, warmup_rounds=10) == 0
