"""How fast a recording is saved, beside cp and sync, and how fast one frame of many is edited."""

import filecmp
import os
import random
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor import Edit, Recording, Snapshot, edits
from recorder_editor.recording.frames import FrameTable
from recorder_editor.recording.history import Splice
from recorder_editor.recording.save import System, save
from tests.bench import recordings as made

Ratio = Callable[..., None]
AtMost = Callable[..., None]
MILLION = 1_000_000
SEED = 20211123


def million_frames() -> Iterator[bytes]:
    """A million frames with an empty Position and nothing else: 41 bytes each."""
    yield made.HEADER
    kind = [("start", "V5"), ("id", "<u8"), ("duration", "<f8"), ("elapsed", "<f8"), ("rest", "V12")]
    frames = np.zeros(MILLION, kind)
    frames["start"] = np.void(made.packet(0, bytes(24))[:5])
    frames["id"] = np.arange(1, MILLION + 1)
    frames["duration"] = made.STEP
    frames["elapsed"] = np.arange(MILLION) * made.STEP
    frames["rest"] = np.void(made.packet(6, bytes(2)) + made.packet(1, b""))
    yield frames.tobytes()


@pytest.fixture
def many() -> Iterator[Recording]:
    with recorder_editor.open(made.kept("million-frames.log", million_frames)) as opened:
        yield opened


@pytest.fixture
def target() -> Iterator[Path]:
    """A file beside the large recordings, on the same disk, gone afterwards."""
    path = made.folder() / "saved.log"
    path.unlink(missing_ok=True)
    yield path
    path.unlink(missing_ok=True)


def retimed(recording: Recording) -> Edit:
    rows = recording.snapshot.table.rows().copy()
    rows["elapsed"] += 1.0
    rows["stored"] = 0
    splice = Splice(0, len(rows), FrameTable.from_rows(rows))
    return Edit("Retime", recording.snapshot.version, (splice,))


def seconds_to_save(path: Path, target: Path, system: System, edit: Callable[[Recording], Edit] | None = None) -> float:
    """Of a new file; opening and editing are not counted."""
    target.unlink(missing_ok=True)
    with recorder_editor.open(path) as opened:
        if edit is not None:
            opened.apply(edit(opened))
        begin = perf_counter()
        save(opened.snapshot, path, target, system=system, overwrite=True)
        return perf_counter() - begin


def seconds_to_copy(path: Path, target: Path) -> float:
    target.unlink(missing_ok=True)
    begin = perf_counter()
    subprocess.run(["cp", "--reflink=never", path, target], check=True)
    subprocess.run(["sync", target], check=True)
    return perf_counter() - begin


def milliseconds(benchmark: Any) -> float:
    """The median of what the benchmark has run."""
    return float(benchmark.stats.stats.median) * 1e3


# --- saving -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("how", "goal"), [("copied by the kernel", 1.3), ("copied in blocks", 1.2)])
def test_saving_without_edits(
    benchmark: Any, ratio: Ratio, big_recording: Path, target: Path, how: str, goal: float
) -> None:
    system = System() if how == "copied by the kernel" else System(kernel_copy=False)
    with ExitStack() as stack:

        def fresh() -> tuple[tuple[Snapshot, Path, Path], dict[str, Any]]:
            stack.close()
            target.unlink(missing_ok=True)
            opened = stack.enter_context(recorder_editor.open(big_recording))
            return (opened.snapshot, big_recording, target), {"system": system}

        benchmark.pedantic(save, setup=fresh, rounds=5, warmup_rounds=1)
    assert filecmp.cmp(big_recording, target, shallow=False)
    ratio(
        f"Save 800 MB without edits, {how}",
        lambda: seconds_to_save(big_recording, target, system),
        "cp and sync",
        lambda: seconds_to_copy(big_recording, target),
        goal,
        rounds=5,
    )


def test_saving_a_million_retimed_frames(benchmark: Any, ratio: Ratio, many: Recording, target: Path) -> None:
    path = many.path
    many.apply(retimed(many))
    benchmark.pedantic(save, (many.snapshot, path, target), rounds=5, warmup_rounds=1)
    ratio(
        "Save a million frames, all of them retimed",
        lambda: seconds_to_save(path, target, System(), retimed),
        "the same without edits",
        lambda: seconds_to_save(path, target, System()),
        2,
        rounds=5,
    )


# --- editing ----------------------------------------------------------------------------------------------


def test_one_field_of_any_frame_and_back(benchmark: Any, at_most: AtMost, big_recording: Path) -> None:
    chance = random.Random(SEED)
    with recorder_editor.open(big_recording) as opened:

        def placed() -> tuple[tuple[edits.Place], dict[str, Any]]:
            frame = chance.randrange(len(opened))
            return (edits.place(opened, frame=frame, packet="Position", record=77, field="rotation.yaw"),), {}

        def edit(where: edits.Place) -> None:
            opened.apply(edits.set_field(opened, where, 12.5))
            opened.undo()

        benchmark.pedantic(edit, setup=placed, rounds=300, warmup_rounds=5)
        assert not opened.is_modified
    at_most(1, "ms", "Set one field in any frame of 800 MB, and undo", lambda: milliseconds(benchmark), rounds=1)


def test_one_frame_inserted_among_a_million(benchmark: Any, at_most: AtMost, many: Recording) -> None:
    chance = random.Random(SEED)

    def placed() -> tuple[tuple[int, int], dict[str, Any]]:
        return (chance.randrange(many.snapshot.rows), chance.randrange(many.snapshot.rows)), {}

    def insert(row: int, copy_of: int) -> None:
        many.apply(edits.insert_frame(many, row, copy_of))

    benchmark.pedantic(insert, setup=placed, rounds=300, warmup_rounds=5)
    assert len(many) == MILLION + 305
    at_most(5, "ms", "Insert one frame among a million, painting apart", lambda: milliseconds(benchmark), rounds=1)


def test_one_frame_inserted_and_shown(benchmark: Any, many: Recording) -> None:
    benchmark.extra_info["title"] = "One frame inserted among a million, the next one looked at, undone"
    chance = random.Random(SEED)

    def work() -> None:
        row = chance.randrange(MILLION)
        many.apply(edits.insert_frame(many, row, 0))
        assert many.snapshot.row(row + 1).packets
        many.undo()

    benchmark.pedantic(work, rounds=300, warmup_rounds=5)
    assert os.path.getsize(many.path) == many.snapshot.size
