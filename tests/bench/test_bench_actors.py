"""How fast actors are edited in every frame of a large recording, beside cp and sync."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

import recorder_editor
from recorder_editor import Edit, Recording, edits
from recorder_editor.demo import make_town
from recorder_editor.reading.lives import Life
from recorder_editor.recording.save import save
from tests.bench import recordings as made

Ratio = Callable[..., None]


@pytest.fixture
def target() -> Iterator[Path]:
    """A file beside the large recordings, on the same disk, gone afterwards."""
    path = made.folder() / "edited.log"
    path.unlink(missing_ok=True)
    yield path
    path.unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def scratch_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scratch file on that disk too, as on a computer with one."""
    monkeypatch.setenv("RECORDER_EDITOR_STATE_DIR", str(made.folder() / "state"))


def of_all_frames(recording: Recording) -> Life:
    """A vehicle that is there from the first frame to the last."""
    return next(life for life in recording.actors if life.born == 0 and life.gone is None)


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


CHANGES: dict[str, Callable[[Recording], Edit]] = {
    "Remove one actor from every frame": lambda each: edits.remove_actors(each, [of_all_frames(each)]),
    "Keep one actor of 177": lambda each: edits.keep_only_actors(each, [of_all_frames(each)]),
    "Change an id in every frame": lambda each: edits.set_actor_id(each, of_all_frames(each), 9_999),
    "Duplicate one actor in every frame": lambda each: edits.duplicate_actor(each, of_all_frames(each), seconds=0.5),
}


GOALS = {
    "Remove one actor from every frame": 1.5,
    "Keep one actor of 177": 1.5,
    "Change an id in every frame": 1.5,
    "Duplicate one actor in every frame": 2,
}
"""The most that an edit and saving it may take, beside cp and sync."""


@pytest.mark.parametrize("what", CHANGES)
def test_an_edit_of_every_frame_and_saving_it(
    benchmark: Any, ratio: Ratio, big_recording: Path, target: Path, what: str
) -> None:
    benchmark.pedantic(seconds_to_edit, (big_recording, target, CHANGES[what]), rounds=2, warmup_rounds=1)
    assert os.path.getsize(target) > 0
    ratio(
        f"{what} of 800 MB, and save",
        lambda: seconds_to_edit(big_recording, target, CHANGES[what]),
        "cp and sync",
        lambda: seconds_to_copy(big_recording, target),
        GOALS[what],
        rounds=3,
    )


@pytest.fixture(scope="module")
def traffic() -> Path:
    """A minute of a town with 130 vehicles."""
    return made.kept("town130.log", lambda: make_town(60.0, vehicles=130, walkers=0, seed=2))


def test_a_follower_in_a_minute_of_traffic(benchmark: Any, at_most: Callable[..., None], traffic: Path) -> None:
    def seconds() -> float:
        with recorder_editor.open(traffic) as opened:
            assert len(opened.actors) > 130
            begin = perf_counter()
            edits.add_actor(opened, "vehicle.tesla.model3", follow="hero")
            return perf_counter() - begin

    benchmark.pedantic(seconds, rounds=2, warmup_rounds=1)
    at_most(2, "s", "Add a follower to a minute of 130 vehicles", seconds, rounds=3)
