"""How fast damaged recordings are repaired: structure alone, everything, and a search through junk."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.repair import propose
from recorder_editor.repair.structure import regions
from tests.bench import recordings as made

AtMost = Callable[..., None]
Ratio = Callable[..., None]

PIECE = 8 << 20
START = b"\x00\x18\x00\x00\x00"
JUNK = {"random bytes": random.Random(24).randbytes(PIECE), "zeros": bytes(PIECE), "the byte 24": b"\x18" * PIECE}


@pytest.fixture(scope="session")
def damaged_recording(big_recording: Path) -> Path:
    """800 MB with a hole of 100 kB in each 80 MB, broken off in its last frame."""

    def parts() -> Iterator[bytes]:
        with big_recording.open("rb") as stream:
            while piece := stream.read(80_000_000):
                middle = len(piece) // 2
                yield (
                    piece[:middle]
                    + bytes(100_000)
                    + piece[middle + 100_000 : -100 if len(piece) < 80_000_000 else None]
                )

    return made.kept("holes.log", parts)


@pytest.fixture(scope="session", params=JUNK)
def junk(request: pytest.FixtureRequest, small_recording: Path) -> tuple[str, Path]:
    """3 MB of frames, 800 MB of junk, and the frames once more."""
    name = str(request.param)

    def parts() -> Iterator[bytes]:
        data = small_recording.read_bytes()
        yield data
        yield from (JUNK[name] for _ in range(800_000_000 // PIECE))
        yield data[len(made.HEADER) :]

    return name, made.kept(f"junk-{name.replace(' ', '-')}.log", parts)


def milliseconds(work: Callable[[], object]) -> float:
    begin = perf_counter()
    work()
    return 1e3 * (perf_counter() - begin)


def of_structure(path: Path) -> float:
    with recorder_editor.open(path) as recording:
        return milliseconds(lambda: regions(recording.snapshot, None))


def test_structure_alone(benchmark: Any, at_most: AtMost, damaged_recording: Path) -> None:
    benchmark.pedantic(of_structure, (damaged_recording,), rounds=2, warmup_rounds=1)
    goal = round(damaged_recording.stat().st_size / 300e6 * 1e3)  # 300 MB/s
    at_most(goal, "ms", "Repair the structure of 800 MB with ten holes", lambda: of_structure(damaged_recording))


def test_everything(benchmark: Any, at_most: AtMost, damaged_recording: Path, tmp_path: Path) -> None:
    def repaired() -> float:
        def work() -> None:
            assert main(["repair", str(damaged_recording), str(tmp_path / "out.log"), "--json", "-f"]) == 3

        return milliseconds(work)

    benchmark.pedantic(repaired, rounds=1, warmup_rounds=1)
    what = "`repair` of 800 MB with ten holes: everything, written, opened anew and checked"
    at_most(10_000, "ms", what, repaired, rounds=3)


def test_searching_junk(benchmark: Any, at_most: AtMost, ratio: Ratio, junk: tuple[str, Path]) -> None:
    name, path = junk

    def opened_and_repaired() -> None:
        with recorder_editor.open(path) as recording:
            proposal = propose(recording.snapshot)
            assert proposal.report.kept.frames >= 270

    def found() -> None:
        with path.open("rb", buffering=0) as file:
            while piece := file.read(PIECE):
                at = piece.find(START)
                while at >= 0:
                    at = piece.find(START, at + 1)

    benchmark.pedantic(opened_and_repaired, rounds=1, warmup_rounds=1)
    what = f"Search 800 MB of junk for frames and propose a repair: {name}"
    at_most(1_600, "ms", what, lambda: milliseconds(opened_and_repaired))  # 500 MB/s
    other = "bytes.find of a FrameStart's header alone"
    ratio(
        what, lambda: milliseconds(opened_and_repaired) / 1e3, other, lambda: milliseconds(found) / 1e3, 2.0, rounds=3
    )
