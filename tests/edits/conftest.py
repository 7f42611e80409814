"""A small recording of three frames and two vehicles, built byte by byte, and a road map that is indexed once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recorder_editor.api import Recording, open_recording
from recorder_editor.roads import RoadMap, read_road_map

from .. import builders as b


def poses(step: int, actors: tuple[int, ...] = (7, 9)) -> list[b.Record]:
    return [b.pose(actor, b.xyz(100.0 * step, 10.0 * actor, 1.0), b.turn(0.0, 0.0, 170.0)) for actor in actors]


def moving(actor: int) -> b.Record:
    return {"id": actor, "linear_velocity": b.xyz(2.0, 0.0, 0.0), "angular_velocity": b.xyz(0.0, 0.0, 5.0)}


def frame(number: int, *, first: bool = False, last: bool = False, actors: tuple[int, ...] = (7, 9)) -> bytes:
    born = [
        b.actor(actor, 1, "vehicle.tesla.model3", b.xyz(0.0, 10.0 * actor, 1.0), b.turn(0.0, 0.0, 170.0))
        for actor in actors
    ]
    packets = [
        b.packet(2, b.event_add(born if first else [])),
        b.packet(6, b.position(poses(number, actors))),
        b.packet(12, b.kinematics([moving(actor) for actor in actors])),
        b.packet(77, b"\x01\x02\x03"),
    ]
    return b.frame(number, 0.5 * (number - 1), -1.0 if last else 0.5, packets)


FRAMES = (frame(1, first=True), frame(2), frame(3, last=True))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "small.log"
    file.write_bytes(b.recording(*FRAMES))
    return file


@pytest.fixture
def recording(path: Path) -> Iterator[Recording]:
    with open_recording(path) as opened:
        yield opened


@pytest.fixture(scope="package", autouse=True)
def field_is_indexed_once() -> Iterator[None]:
    """The map with a lane everywhere is soon read, but the index of its lanes takes as long as ten edits."""
    field: list[RoadMap] = []

    def read(source: Path, **options: Any) -> RoadMap:
        road_map = read_road_map(source, **options)
        if source.name != "field.xodr":
            return road_map
        if not field:
            field.append(road_map)
        return field[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("recorder_editor.edits.paths.ranges.read_road_map", read)
        yield


def saved(recording: Recording) -> bytes:
    """All bytes, as they would be saved."""
    return recording.snapshot.read(0, recording.snapshot.size)
