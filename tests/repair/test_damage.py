"""Damage of every kind, done to recordings of every kind: what was not touched is kept, and the report tells the rest.

More of the same: `python -m tests.repair.many --cases 5000`.
"""

from functools import cache
from pathlib import Path
from random import Random

import pytest

from tests.real_recordings import SOUND
from tests.recording.films import OPENDRIVE
from tests.repair.damage import KINDS, Source
from tests.repair.judge import judged, sources
from tests.repair.made import small_recordings


@cache
def known(path: Path) -> Source:
    return sources(path.read_bytes())


@cache
def made(name: str) -> Source:
    return sources(small_recordings()[name])


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        pytest.param(kind, name, marks=[pytest.mark.long] * (name != OPENDRIVE or at % 3 != 0))
        for at, kind in enumerate(KINDS)
        for name in dict.fromkeys((OPENDRIVE, SOUND[at % len(SOUND)], SOUND[(at + 3) % len(SOUND)]))
    ],
)
def test_a_real_recording_keeps_what_is_whole(kind: str, name: str, recordings: Path, tmp_path: Path) -> None:
    source = known(recordings / name)
    chance = Random(f"{kind} {name}")
    town = source.data[28 : source.begin].decode()
    assert judged(source, KINDS[kind](source, chance), tmp_path / "case.log", town) == []


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("name", small_recordings())
@pytest.mark.parametrize("kind", KINDS)
def test_a_small_recording_keeps_what_is_whole(kind: str, name: str, seed: int, tmp_path: Path) -> None:
    source = made(name)
    assert judged(source, KINDS[kind](source, Random(seed)), tmp_path / "case.log", "Town01") == []
