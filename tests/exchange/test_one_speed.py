"""One definition of speed: the table, the filter, the signals and the scene tell the same in every frame."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow.parquet
import pytest

from recorder_editor.edits.replace import preview
from recorder_editor.exchange.export import export
from recorder_editor.recording.blocks import blocks
from recorder_editor.recording.expression.blocks import BlockRecords, Names
from recorder_editor.recording.snapshot import Snapshot
from recorder_editor.recording.speeds import speeds_in
from recorder_editor.recording.tracks import Tracks

from .. import builders as b
from ..recording import naive
from ..recording.films import add, film, opened

Speeds = Mapping[tuple[int, int], float]


def by_table(snapshot: Snapshot, folder: Path) -> Speeds:
    export(snapshot, folder / "out.parquet")
    rows = pyarrow.parquet.read_table(folder / "out.parquet").to_pylist()
    return {(row["frame"] - 1, row["id"]): row["speed_mps"] for row in rows}


def by_filter(snapshot: Snapshot, _folder: Path) -> Speeds:
    found = {}
    for block in blocks(snapshot, 0, snapshot.rows):
        packet = block.layout.ids.tolist().index(6)
        records = BlockRecords(snapshot, snapshot.dialect.packet(6), block, packet, block.first, Names(snapshot))
        for row, (ids, speeds) in enumerate(zip(records.view["id"].tolist(), records.speeds().tolist(), strict=True)):
            found |= {(block.first + row, actor): speed for actor, speed in zip(ids, speeds, strict=True)}
    return found


def by_signals(snapshot: Snapshot, _folder: Path) -> Speeds:
    return {(frame, actor): speed for frame, actor, speed in Tracks(snapshot).speeds().tolist()}


def by_scene(snapshot: Snapshot, _folder: Path) -> Speeds:
    return {(frame.index, actor): speed for frame in snapshot for actor, speed in speeds_in(snapshot, frame).items()}


def city(with_velocities: bool) -> bytes:
    """Cars for all frames, for three and for one, and one that is put elsewhere; velocities are those of car 7."""

    def frame(n: int) -> list[bytes]:
        spans = {6: range(6), 7: range(6), 8: range(2, 5), 9: range(3, 4)}
        here = [actor for actor, frames in spans.items() if n in frames]
        places = [b.xyz(7.0 * n * n + actor + 90_000.0 * (actor == 6 and n > 2), 3.0, -1.0 * n) for actor in here]
        velocity = {"id": 7, "linear_velocity": b.xyz(1.0 + n), "angular_velocity": b.xyz()}
        return [
            add(*(b.actor(actor) for actor in spans if n == spans[actor].start)),
            b.packet(6, b.position([b.pose(actor, place) for actor, place in zip(here, places, strict=True)])),
            *[b.packet(12, b.kinematics([velocity]))] * with_velocities,
        ]

    return film(*map(frame, range(6)))


@pytest.mark.parametrize("with_velocities", [True, False])
@pytest.mark.parametrize("way", [by_table, by_filter, by_signals, by_scene])
def test_every_frame_has_one_speed(
    tmp_path: Path, way: Callable[[Snapshot, Path], Speeds], with_velocities: bool
) -> None:
    data = city(with_velocities)
    expected = naive.speeds(data)
    with opened(data) as recording:
        found = way(recording.snapshot, tmp_path)
    assert [key for key, speed in expected.items() if math.isnan(speed)] == [(3, 9)]
    told = {key: speed for key, speed in found.items() if not math.isnan(speed)}
    assert told == pytest.approx({key: speed for key, speed in expected.items() if not math.isnan(speed)})


def test_the_first_and_the_last_frame_are_not_left_out() -> None:
    with opened(city(False)) as recording:
        found = preview(recording.snapshot, "Position where id == 7 and speed >= 0: location.z = 1")
        assert (found.matches, found.frames) == (6, 6)
