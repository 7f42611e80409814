"""How fast frames are cut and retimed, beside cp and sync of as many bytes."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

import recorder_editor
from recorder_editor import Edit, Recording, edits
from recorder_editor.recording.save import save
from tests.bench import recordings as made

Ratio = Callable[..., None]


@pytest.fixture
def targets() -> Iterator[tuple[Path, Path]]:
    """Two files beside the large recordings, on the same disk, gone afterwards."""
    paths = made.folder() / "kept.log", made.folder() / "copy.log"
    for path in paths:
        path.unlink(missing_ok=True)
    yield paths
    for path in paths:
        path.unlink(missing_ok=True)


def middle_half(recording: Recording) -> Edit:
    return edits.trim(recording, range(len(recording) // 4, 3 * len(recording) // 4))


def without_the_middle(recording: Recording) -> Edit:
    return edits.cut(recording, range(len(recording) // 4, 3 * len(recording) // 4))


def half_the_speed(recording: Recording) -> Edit:
    return edits.retime(recording, 2.0)


def seconds_to_edit(path: Path, target: Path, edit: Callable[[Recording], Edit]) -> float:
    """To make the edit, apply it and save a new file; opening is not counted."""
    target.unlink(missing_ok=True)
    with recorder_editor.open(path) as opened:
        begin = perf_counter()
        opened.apply(edit(opened))
        save(opened.snapshot, path, target, overwrite=True)
        return perf_counter() - begin


def seconds_to_copy(path: Path, target: Path) -> float:
    target.unlink(missing_ok=True)
    begin = perf_counter()
    subprocess.run(["cp", "--reflink=never", path, target], check=True)
    subprocess.run(["sync", target], check=True)
    return perf_counter() - begin


@pytest.mark.parametrize(
    ("what", "edit", "goal"),
    [
        ("Trim 800 MB to the middle half", middle_half, 1.1),
        ("Cut the middle half out of 800 MB", without_the_middle, 1.1),
        ("Retime 800 MB", half_the_speed, 1.2),
    ],
)
def test_an_edit_of_frames_and_saving_it(
    benchmark: Any,
    ratio: Ratio,
    big_recording: Path,
    targets: tuple[Path, Path],
    what: str,
    edit: Callable[[Recording], Edit],
    goal: float,
) -> None:
    target, copy = targets
    benchmark.pedantic(seconds_to_edit, (big_recording, target, edit), rounds=3, warmup_rounds=1)
    kept = target.rename(target.with_name("edited.log"))
    try:
        ratio(
            f"{what}, and save",
            lambda: seconds_to_edit(big_recording, target, edit),
            "cp and sync of the bytes kept",
            lambda: seconds_to_copy(kept, copy),
            goal,
            rounds=5,
        )
    finally:
        kept.unlink(missing_ok=True)
