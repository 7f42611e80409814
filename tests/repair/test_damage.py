"""Damage of every kind, done to recordings of every kind: what was not touched is kept, and the report tells the rest.

More of the same: `python -m tests.repair.many --cases 5000`.
"""

from functools import cache
from pathlib import Path
from random import Random

import pytest

from tests.real_recordings import SOUND
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
        pytest.param(kind, SOUND[(at + by) % len(SOUND)], marks=[pytest.mark.long] * bool(by))
        for by in (0, 3)
        for at, kind in enumerate(KINDS)
    ],
)
def test_a_real_recording_keeps_what_is_whole(kind: str, name: str, recordings: Path, tmp_path: Path) -> None:
    source = known(recordings / name)
    chance = Random(f"{kind} {name}")
    town = source.data[28 : source.begin].decode()
    assert judged(source, KINDS[kind](source, chance), tmp_path / "case.log", town) == []


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", small_recordings())
@pytest.mark.parametrize("kind", KINDS)
def test_a_small_recording_keeps_what_is_whole(kind: str, name: str, seed: int, tmp_path: Path) -> None:
    source = made(name)
    assert judged(source, KINDS[kind](source, Random(seed)), tmp_path / "case.log", "Town01") == []
