"""Small recordings told frame by frame, made-up towns and real recordings, and how they are opened."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Recording
from recorder_editor.demo import make_town
from recorder_editor.format.dialects import Dialect
from tests import builders
from tests.builders import actor, frame, packet, pose
from tests.real_recordings import SOUND

WALKERS, SCENE_LIGHTS, COLLISIONS, OPENDRIVE, BIKES = (SOUND[at] for at in (0, 2, 4, 5, 6))
"""Real recordings; OPENDRIVE is the smallest."""
RIDDEN = SOUND[2:6]
"""Those in which sensors ride on a car: in COLLISIONS and OPENDRIVE from the first frame on."""


def of_real(*short: str, long: Sequence[str] = SOUND) -> pytest.MarkDecorator:
    """Which ones `sound_recording` and `short_recording` are in turn: few in the short suite, more with `--long`."""
    names = [*short, *(name for name in long if name not in short)]
    marked = [pytest.param(name, marks=[pytest.mark.long] * (name not in short)) for name in names]
    return pytest.mark.parametrize("sound_recording", marked, indirect=True)


@cache
def beginning(path: Path, frames: int) -> bytes:
    """The first frames of a recording."""
    with recorder_editor.open(path) as recording:
        return recording.snapshot.read(0, recording[frames].offset)


@lru_cache(maxsize=32)
def town(seconds: float, **arguments: Any) -> bytes:
    """The recording that `make_town` makes."""
    return b"".join(make_town(seconds, **arguments))


@contextmanager
def opened(data: bytes, dialect: str | Dialect | None = "ue4-0.9.12") -> Iterator[Recording]:
    """A recording of these bytes; the dialect is given because a few packets alone do not always show it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "town.log"
        path.write_bytes(data)
        with recorder_editor.open(path, dialect=dialect) as recording:
            yield recording


def film(*frames: Sequence[bytes], step: float = 0.05) -> bytes:
    """A recording of frames that hold these packets, `step` seconds apart."""
    return builders.recording(*(frame(n + 1, n * step, step, packets) for n, packets in enumerate(frames)))


def add(*records: dict[str, Any]) -> bytes:
    return packet(2, builders.event_add(list(records)))


def delete(*ids: int) -> bytes:
    return packet(3, builders.event_del([{"id": number} for number in ids]))


def attach(*pairs: tuple[int, int]) -> bytes:
    return packet(4, builders.event_parent([{"child": child, "parent": parent} for child, parent in pairs]))


def collide(*pairs: tuple[int, int]) -> bytes:
    return packet(
        5,
        builders.collision(
            [
                {"id": number, "actor1": one, "actor2": two, "hero1": False, "hero2": True}
                for number, (one, two) in enumerate(pairs)
            ]
        ),
    )


def box(*ids: int, size: float = 100.0, number: int = 13) -> bytes:
    return packet(
        number,
        builders.bounding_box(
            [
                {"id": each, "origin": builders.xyz(0.0, 0.0, 70.0), "extent": builders.xyz(size, 90.0, 70.0)}
                for each in ids
            ]
        ),
    )


COMINGS = st.lists(
    st.lists(
        st.one_of(
            st.builds(lambda ids: add(*map(actor, ids)), st.lists(st.integers(1, 4), max_size=2)),
            st.builds(lambda ids: delete(*ids), st.lists(st.integers(1, 5), max_size=2)),
            st.builds(
                lambda pairs: attach(*pairs), st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), max_size=2)
            ),
            st.builds(
                lambda pairs: collide(*pairs), st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), max_size=2)
            ),
            st.builds(lambda ids: box(*ids), st.lists(st.integers(1, 5), max_size=2)),
            st.just(packet(6, builders.position([pose(1)]))),
        ),
        max_size=3,
    ),
    min_size=1,
    max_size=12,
)
"""Frames in which a few ids come, go, are attached, collide and get boxes, in no sensible order."""
