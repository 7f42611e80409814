"""What it costs to do a verb to 1,000 small recordings at once, beside the work alone."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from shutil import rmtree
from time import perf_counter
from typing import Any

import pytest

import recorder_editor
from recorder_editor import edits
from recorder_editor.cli import main
from tests import builders as b
from tests.bench import recordings as made

Ratio = Callable[..., None]
NUMBER = 1000


@pytest.fixture(scope="module")
def folder() -> Path:
    """1,000 recordings of 40 to 46 frames, six vehicles each: 18 to 21 KB."""
    place = made.folder() / "many"
    place.mkdir(exist_ok=True)
    for number in range(NUMBER):
        path = place / f"{number:03}.log"
        if not path.exists():
            path.write_bytes(b.drive(40 + number % 7, vehicles=6))
    return place


@pytest.mark.parametrize("workers", [1, 2])
def test_trimming_many(benchmark: Any, ratio: Ratio, folder: Path, workers: int) -> None:
    out = made.folder() / "many-out"
    words = ["trim", str(folder), "--from", "#11", "--to", "#31", "--out-dir", str(out)]

    def timed(work: Callable[[], object]) -> float:
        rmtree(out, ignore_errors=True)
        out.mkdir()
        begin = perf_counter()
        work()
        taken = perf_counter() - begin
        assert len(list(out.iterdir())) == NUMBER
        return taken

    def alone() -> None:
        for path in sorted(folder.iterdir()):
            with recorder_editor.open(path) as recording:
                recording.apply(edits.trim(recording, range(10, 30)))
                recording.save(out / path.name, overwrite=True)

    def many() -> None:
        if workers == 1:
            with redirect_stdout(TextIOWrapper(BytesIO())):
                main(words)
        else:
            program = [sys.executable, "-m", "recorder_editor", *words, "--workers", str(workers)]
            subprocess.run(program, cwd=made.PROJECT, check=True, stdout=subprocess.DEVNULL)

    what = "1 worker" if workers == 1 else f"{workers} workers, started for it"
    ratio(
        f"Trim {NUMBER:,} small recordings, {what}",
        lambda: timed(many),
        "open, trim and save in a loop",
        lambda: timed(alone),
        1.3,
        rounds=3,
    )
    benchmark.pedantic(timed, args=(many,), rounds=1)
    rmtree(out)
