"""Small recordings told frame by frame, and opened, for the tests of actors, tracks and surveys."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

import recorder_editor
from recorder_editor import Recording
from recorder_editor.format.dialects import Dialect
from tests import builders
from tests.builders import actor, frame, packet, pose


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
