"""The index of 10,000 recordings, made of pieces of the real ones and of the sample: at first, again, and asked."""

import struct
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

import recorder_editor
from recorder_editor import resources
from recorder_editor.edits.trim import part_of
from recorder_editor.fleet.catalogue import NAME, SHOWN, Kind, find, index
from tests.bench import recordings as made
from tests.bench.conftest import Figure

AtMost = Callable[..., None]
NUMBER, FRAMES, STEP = 10_000, 40, 20
_DATE = 18  # where the header has it
WORKERS = 2


def pieces(recordings: Path) -> list[bytes]:
    """Every second, of 40 frames, of each sound recording, as files."""
    found = []
    for path in [*sorted(recordings.glob("carla-*")), resources.path("sample/town.log")]:
        with recorder_editor.open(path) as recording:
            for start in range(0, len(recording) - FRAMES, STEP):
                piece = part_of(recording, range(start, start + FRAMES))
                found.append(b"".join(piece.pieces(0, piece.size)))
    return found


@pytest.fixture(scope="module")
def folder(recordings: Path) -> Path:
    """10,000 recordings, each with another date, in 100 folders: about 1.2 GB."""
    place = made.folder() / "library"
    if not (place / "done").exists():
        every = pieces(recordings)
        for number in range(NUMBER):
            path = place / f"{number % 100:02}" / f"{number:05}.log"
            path.parent.mkdir(parents=True, exist_ok=True)
            data = every[number % len(every)]
            path.write_bytes(data[:_DATE] + struct.pack("<q", 1_600_000_000 + number) + data[_DATE + 8 :])
        (place / "done").touch()
    return place


def timed(work: Callable[[], object]) -> float:
    begin = perf_counter()
    work()
    return (perf_counter() - begin) * 1e3


def test_indexing(benchmark: Any, keep: Callable[[Figure], None], at_most: AtMost, folder: Path) -> None:
    (folder / NAME).unlink(missing_ok=True)
    what = f"Index {NUMBER:,} recordings of {FRAMES} frames, {WORKERS} workers"
    keep(Figure(f"{what}, at first", timed(lambda: index(folder, workers=WORKERS)), "ms", 600_000))
    at_most(5_000, "ms", f"{what}, unchanged", lambda: timed(lambda: index(folder, workers=WORKERS)))
    benchmark.pedantic(index, args=(folder,), rounds=1)


QUESTIONS: list[tuple[str, Kind]] = [
    ("town == 'Town05' and collisions > 0", "recordings"),
    ("min_ttc < 1 and hero like 'vehicle.*' or damage > 0", "recordings"),
    ("kind == 'near-miss' and value < 0.5", "events"),
]


@pytest.mark.parametrize(("text", "kind"), QUESTIONS)
def test_finding(benchmark: Any, at_most: AtMost, folder: Path, text: str, kind: Kind) -> None:
    if not (folder / NAME).exists():
        index(folder, workers=WORKERS)
    at_most(
        100, "ms", f"Find {kind} of {NUMBER:,}: {text}", lambda: timed(lambda: find(folder, text, kind, SHOWN[kind]))
    )
    benchmark.pedantic(find, args=(folder, text, kind, SHOWN[kind]), rounds=1)
