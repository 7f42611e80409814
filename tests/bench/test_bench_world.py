"""How fast the world at any frame is told, once it was asked for, beside a plain loop over the packets up to there."""

import random
import struct
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import recorder_editor
from recorder_editor.reading.actors import Actors
from recorder_editor.recording.snapshot import Derived
from tests.bench import recordings as made

Ratio = Callable[..., None]
LASTING = frozenset((2, 3, 4, 11, 13, 15, 16, 17))


def loop(stream: Any, frame: int) -> dict[int, bytes]:
    """What a plain loop does: every packet from the first one on, read or jumped over, up to the frame; its poses."""
    stream.seek(len(made.HEADER))
    lasting = [b""]
    passed = -1
    while True:
        number, size = struct.unpack("<BI", stream.read(5))
        passed += number == 0
        if number in LASTING and size > 2:
            lasting.append(stream.read(size))
        elif number == 6 and passed == frame:
            body = stream.read(size)
            return {int.from_bytes(body[at : at + 4], "little"): body[at : at + 28] for at in range(2, size, 28)}
        else:
            stream.seek(size, 1)


def slowest(actors: Actors, frames: int) -> float:
    """Seconds for the slowest of 200 frames chosen at random."""
    chosen = random.Random(4).sample(range(frames), 200)
    return max(taken(partial(actors.world_at, frame)) for frame in chosen)


def taken(work: Callable[[], object]) -> float:
    begin = perf_counter()
    work()
    return perf_counter() - begin


def test_the_world_at_any_frame(benchmark: Any, ratio: Ratio, big_recording: Path) -> None:
    with recorder_editor.open(big_recording) as recording, big_recording.open("rb") as stream:
        actors, middle = recording.actors, len(recording) // 2
        world = benchmark.pedantic(actors.world_at, args=(middle,), rounds=9, warmup_rounds=1)
        plain = loop(stream, middle)
        assert len(world.actors) == 130
        assert all(plain[each.life.actor][4:] == each.pose for each in world.actors)
        ratio(
            "World at the slowest of 200 frames of 800 MB",
            lambda: slowest(actors, len(recording)),
            "a plain loop over the packets up to the middle",
            lambda: taken(lambda: loop(stream, middle)),
            0.2,
        )


def test_the_world_at_any_frame_of_real_traffic(benchmark: Any, tiled_traffic: Path) -> None:
    benchmark.extra_info["title"] = "World at a frame of 100 MB of real traffic"
    with recorder_editor.open(tiled_traffic) as recording:
        frames = iter(random.Random(3).choices(range(len(recording)), k=1000))
        actors = recording.actors
        found = benchmark.pedantic(actors.world_at, setup=lambda: ((next(frames),), {}), rounds=200, warmup_rounds=1)
        assert len(found.actors) > 100


def test_the_first_use(benchmark: Any, tiled_traffic: Path) -> None:
    benchmark.extra_info["title"] = "First world of 100 MB of real traffic"
    with recorder_editor.open(tiled_traffic) as recording:
        snapshot = recording.snapshot

        def fresh() -> tuple[tuple[Any, ...], dict[str, Any]]:
            return (Actors.of(replace(snapshot, derived=Derived())),), {}

        found = benchmark.pedantic(lambda actors: actors.world_at(300), setup=fresh, rounds=5)
        assert len(found.actors) > 100
