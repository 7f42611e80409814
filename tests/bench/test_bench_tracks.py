"""How fast everybody's positions become columns beside merely reading the file, and how fast actors are found."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor import Recording, edits
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.trajectories import find_trajectories
from recorder_editor.recording.snapshot import Derived
from tests.bench import recordings as made

Ratio = Callable[..., None]
POSITIONS = 9_360_000


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


def unread(recording: Recording) -> Actors:
    """The actors, as if nobody had asked before."""
    return Actors.of(replace(recording.snapshot, derived=Derived()))


@pytest.mark.skipif(not hasattr(os, "preadv"), reason="the yardstick is preadv")
def test_all_positions(benchmark: Any, ratio: Ratio, big: Recording, big_recording: Path) -> None:
    table = benchmark.pedantic(big.tracks.positions, rounds=9, warmup_rounds=1)
    assert len(table) == POSITIONS
    assert (np.bincount(table["frame"]) == 130).all()
    what = "All positions of 800 MB, 9.4 million records"
    ratio(
        what,
        timed(big.tracks.positions),
        "reading the file once with preadv",
        lambda: made.seconds_to_read(big_recording),
        6,
    )


@pytest.mark.skipif(not hasattr(os, "preadv"), reason="the yardstick is preadv")
def test_all_positions_in_blocks(benchmark: Any, ratio: Ratio, big: Recording, big_recording: Path) -> None:
    def blocks() -> int:
        return sum(len(block) for block in big.tracks.blocks("positions"))

    assert benchmark.pedantic(blocks, rounds=5, warmup_rounds=1) == POSITIONS
    what = "All positions of 800 MB, 9.4 million records, in blocks"
    ratio(what, timed(blocks), "reading the file once with preadv", lambda: made.seconds_to_read(big_recording), 6)


@pytest.mark.skipif(not hasattr(os, "preadv"), reason="the yardstick is preadv")
def test_positions_of_real_traffic(benchmark: Any, ratio: Ratio, tiled_traffic: Path) -> None:
    with recorder_editor.open(tiled_traffic) as recording:
        benchmark.pedantic(recording.tracks.positions, rounds=9, warmup_rounds=1)
        ratio(
            "All positions of 100 MB of real traffic",
            timed(recording.tracks.positions),
            "reading the file once with preadv",
            lambda: made.seconds_to_read(tiled_traffic),
            6,
        )


def test_the_path_of_one_actor(benchmark: Any, big: Recording) -> None:
    benchmark.extra_info["title"] = "One actor's path in 800 MB"
    actor = big.actors.lives[0].actor
    assert len(benchmark.pedantic(big.tracks.path, args=(actor,), rounds=5, warmup_rounds=1)) > 0


def test_every_tenth_frame(benchmark: Any, big: Recording) -> None:
    benchmark.extra_info["title"] = "All positions of every 10th frame of 800 MB"
    found = benchmark.pedantic(
        big.tracks.positions, kwargs={"frames": slice(None, None, 10)}, rounds=5, warmup_rounds=1
    )
    assert len(found) == POSITIONS // 10


def test_a_survey(benchmark: Any, ratio: Ratio, big: Recording) -> None:
    found = benchmark.pedantic(find_trajectories, args=(big.snapshot,), rounds=3, warmup_rounds=1)
    assert found.step == 1
    assert found.points <= 300_000
    ratio(
        "Distances, speeds and paths of everybody in 800 MB",
        timed(lambda: find_trajectories(big.snapshot)),
        "reading all positions once",
        timed(big.tracks.positions),
        4,
        rounds=3,
    )


def test_finding_actors(benchmark: Any, big: Recording) -> None:
    benchmark.extra_info["title"] = "Finding the lives in 800 MB, 72,000 frames"
    assert len(benchmark.pedantic(unread, args=(big,), rounds=9, warmup_rounds=1)) >= 130


def test_finding_actors_in_real_traffic(benchmark: Any, tiled_traffic: Path) -> None:
    benchmark.extra_info["title"] = "Finding the lives in 100 MB of real traffic"
    with recorder_editor.open(tiled_traffic) as recording:
        assert len(benchmark.pedantic(unread, args=(recording,), rounds=5, warmup_rounds=1)) > 1000


def test_actors_after_an_edit(benchmark: Any, big_recording: Path) -> None:
    benchmark.extra_info["title"] = "Finding them again after an edit of one frame"
    with recorder_editor.open(big_recording) as recording:
        assert recording.actors
        frames = iter(np.random.default_rng(7).integers(0, len(recording), 1000).tolist())

        def edit() -> tuple[tuple[Any, ...], dict[str, Any]]:
            where = edits.place(recording, frame=next(frames), packet="Position", record=0, field="location.z")
            recording.apply(edits.set_field(recording, where, 12.5))
            return (recording.snapshot,), {}

        benchmark.pedantic(Actors.of, setup=edit, rounds=50)
