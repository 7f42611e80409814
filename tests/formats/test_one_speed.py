"""One definition of motion: table, filter, signals, scene, survey and L1 tell the same of every actor and frame."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

from recorder_editor.analysis.recording import of_recording
from recorder_editor.edits.replace import preview
from recorder_editor.formats.export import export
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.expression.records import ActorColumns, BlockRecords
from recorder_editor.reading.tracks import speeds_in
from recorder_editor.reading.trajectories import find_trajectories
from recorder_editor.recording.blocks import blocks
from recorder_editor.recording.snapshot import Snapshot
from recorder_editor.views.frame_actors import frame_contents, life_traits
from recorder_editor.views.signal_key import Key
from recorder_editor.views.signal_reading import read_signals

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
        records = BlockRecords(snapshot.dialect.packet(6), block, packet, block.first, ActorColumns(snapshot))
        for row, (ids, speeds) in enumerate(zip(records.values["id"].tolist(), records.speeds().tolist(), strict=True)):
            found |= {(block.first + row, actor): speed for actor, speed in zip(ids, speeds, strict=True)}
    return found


def signal(snapshot: Snapshot, name: str) -> Speeds:
    keys = [Key("motion", name, "", actor) for actor in Actors.of(snapshot).ids]
    found = read_signals(snapshot, keys, None, None)
    return {(int(frame), key.actor): value for key in keys for frame, value in zip(*found.series[key], strict=True)}


def by_signals(snapshot: Snapshot, _folder: Path) -> Speeds:
    return signal(snapshot, "speed")


def by_analysis(snapshot: Snapshot, _folder: Path) -> Speeds:
    return analysed(snapshot, "v_long_raw")


def analysed(snapshot: Snapshot, column: str) -> Speeds:
    found = of_recording(snapshot)
    rows = zip(
        found.vehicles.frame.tolist(), found.vehicles.actor.tolist(), found.columns[column].tolist(), strict=True
    )
    return {(frame, actor): value for frame, actor, value in rows}


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
@pytest.mark.parametrize("way", [by_table, by_filter, by_signals, by_scene, by_analysis])
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


@pytest.mark.parametrize("with_velocities", [True, False])
def test_the_survey_tells_the_greatest_of_these_speeds(with_velocities: bool) -> None:
    data = city(with_velocities)
    with opened(data) as recording:
        found = {
            trajectory.actor: trajectory.top_speed for trajectory in find_trajectories(recording.snapshot).trajectories
        }
    for actor, top in found.items():
        speeds = [speed for (_, each), speed in naive.speeds(data).items() if each == actor and not math.isnan(speed)]
        assert top == pytest.approx(max(speeds, default=math.nan), nan_ok=True)


@pytest.mark.parametrize("with_velocities", [True, False])
def test_acceleration_is_the_slope_of_that_speed_everywhere(with_velocities: bool) -> None:
    data = city(with_velocities)
    speeds, times = naive.speeds(data), naive.elapsed(data)
    expected = {}
    for frame, actor in speeds:
        near = [each for each in (frame - 1, frame, frame + 1) if (each, actor) in speeds]
        rise, seconds = speeds[near[-1], actor] - speeds[near[0], actor], times[near[-1]] - times[near[0]]
        expected[frame, actor] = rise / seconds if seconds > 0 else math.nan
    with opened(data) as recording:
        for found in (signal(recording.snapshot, "acceleration"), analysed(recording.snapshot, "a_long_raw")):
            assert {key: found[key] for key in expected} == pytest.approx(expected, nan_ok=True)


def test_a_heading_is_the_stored_yaw_everywhere(tmp_path: Path) -> None:
    yaws = {6: 30.0, 7: -170.0, 8: 359.0}
    poses = [b.pose(actor, b.xyz(100.0 * actor), b.turn(0.0, 0.0, yaw)) for actor, yaw in yaws.items()]
    data = film([add(*map(b.actor, yaws)), b.packet(6, b.position(poses))])
    with opened(data) as recording:
        snapshot = recording.snapshot
        export(snapshot, tmp_path / "out.parquet")
        rows = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pylist()
        block = next(iter(blocks(snapshot, 0, snapshot.rows)))
        packet = block.layout.ids.tolist().index(6)
        records = BlockRecords(snapshot.dialect.packet(6), block, packet, block.first, ActorColumns(snapshot))
        keys = [Key("field", "Position", "rotation.yaw", actor) for actor in yaws]
        signals = read_signals(snapshot, keys, None, None)
        scene = frame_contents(snapshot, snapshot.frame(0), life_traits(Actors.of(snapshot))).actors
        found = [
            {row["id"]: row["heading_deg"] for row in rows},
            dict(zip(records.values["id"][0].tolist(), records.column("heading")[0].tolist(), strict=True)),
            {key.actor: signals.series[key].values[0] for key in keys},
            dict(zip(scene.ids.tolist(), np.degrees(scene.yaw).tolist(), strict=True)),
        ]
    assert found == [pytest.approx(yaws)] * 4


def test_the_first_and_the_last_frame_are_not_left_out() -> None:
    with opened(city(False)) as recording:
        found = preview(recording.snapshot, "Position where id == 7 and speed >= 0: location.z = 1")
        assert (found.matches, found.frames) == (6, 6)
