"""The L1 table and its signals of open recordings: speeds, uneven times, lives, risks, and the window's questions."""

import json
import math
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest

import recorder_editor
from recorder_editor import cli
from recorder_editor.analysis import SIGNALS, Analysis, AnalysisError, LibraryMissing, Options, of_recording, paths
from recorder_editor.analysis.recording import RISK
from recorder_editor.errors import Cancelled, SaveRefused
from recorder_editor.extras import remedy
from recorder_editor.fleet.l1 import build_one
from recorder_editor.formats.highd import FIRST_ID, Highd, HighdOptions
from recorder_editor.progress import Progress
from tests import builders as b

from . import highd
from .test_l1 import EXTRA, NAMES, TYPES

SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample" / "town.log"
Place = tuple[float, float]


def filmed(
    path: Path,
    times: Sequence[float],
    tracks: Mapping[int, Sequence[Place | None]],
    *,
    speeds: Mapping[int, Sequence[float]] | None = None,
    born: Mapping[int, Mapping[str, Any]] | None = None,
) -> Path:
    """A recording of vehicles at (x, y) metres, None where they are not told of; they live from the first to the last
    frame they are told of. `speeds` go into Kinematics, `born` holds what EventAdd says.
    """
    frames = []
    for index, time in enumerate(times):
        here = [each for each in sorted(tracks) if index < len(tracks[each]) and tracks[each][index] is not None]
        added = [each for each in here if all(place is None for place in tracks[each][:index])]
        ended = [
            each
            for each in tracks
            if index and tracks[each][index - 1] is not None and all(place is None for place in tracks[each][index:])
        ]
        packets = [
            b.packet(2, b.event_add([b.actor(each, **(born or {}).get(each, {})) for each in added])),
            b.packet(3, b.event_del([{"id": each} for each in ended])),
            b.packet(6, b.position([b.pose(each, placed(tracks[each][index])) for each in here])),
        ]
        if speeds:
            moved = [
                {"id": each, "linear_velocity": b.xyz(speeds[each][index]), "angular_velocity": b.xyz()}
                for each in here
                if each in speeds
            ]
            packets.append(b.packet(12, b.kinematics(moved)))
        frames.append(b.frame(index + 1, time, 0.1, packets))
    path.write_bytes(b.recording(*frames))
    return path


def placed(place: Place | None) -> dict[str, Any]:
    """Metres as the file's centimetres."""
    assert place is not None
    return b.xyz(100 * place[0], 100 * place[1])


def analysed(path: Path, **options: Any) -> Analysis:
    with recorder_editor.open(path) as recording:
        return of_recording(recording, **options)


def values(analysis: Analysis, name: str, actor: int) -> np.ndarray:
    (life,) = analysis.actors.of_id(actor)
    return analysis.signal(name, life.index).values


# --- speeds and times -------------------------------------------------------------------------------------


def test_speeds_come_from_kinematics_where_there_are_any(tmp_path: Path) -> None:
    """Actor 1 tells 7 m/s, although it moves at 10 m/s; actor 2 tells nothing."""
    times = [0.1 * index for index in range(20)]
    tracks = {1: [(index, 0.0) for index in range(20)], 2: [(index, 50.0) for index in range(20)]}
    found = analysed(filmed(tmp_path / "a.log", times, tracks, speeds={1: [7.0] * 20}))
    np.testing.assert_allclose(values(found, "speed", 1), 7.0, atol=1e-6)
    np.testing.assert_allclose(values(found, "speed", 2), 10.0, atol=1e-4)
    np.testing.assert_allclose(values(found, "acceleration", 2), 0.0, atol=1e-2)


def test_a_velocity_that_is_no_number_is_replaced_by_the_way(tmp_path: Path) -> None:
    times = [0.1 * index for index in range(12)]
    told = {1: [10.0] * 5 + [math.nan] + [10.0] * 6}
    found = analysed(filmed(tmp_path / "a.log", times, {1: [(index, 0.0) for index in range(12)]}, speeds=told))
    np.testing.assert_allclose(values(found, "speed", 1), 10.0, atol=1e-4)


def test_uneven_times_are_made_even_before_smoothing(tmp_path: Path) -> None:
    """A ramp of 2 m/s2 in steps of 0.05 and 0.15 s: the filter alone would see another slope at every row."""
    times = np.cumsum([0.0, *[0.05, 0.15] * 15])
    speed = 5.0 + 2.0 * times
    tracks = {1: [(5.0 * time + time**2, 0.0) for time in times.tolist()]}
    found = analysed(filmed(tmp_path / "a.log", times.tolist(), tracks, speeds={1: speed.tolist()}))
    assert found.step == pytest.approx(0.1, abs=0.051)
    np.testing.assert_allclose(values(found, "speed", 1), speed, atol=1e-5)
    np.testing.assert_allclose(values(found, "acceleration", 1), 2.0, atol=1e-4)


def test_the_median_step_is_that_of_the_recording(tmp_path: Path) -> None:
    times = [0.0, 0.1, 0.2, 0.3, 0.7, 0.8]
    found = analysed(filmed(tmp_path / "a.log", times, {1: [(index, 0.0) for index in range(6)]}))
    assert found.step == pytest.approx(0.1)
    assert found.table()["dt"].to_list() == [found.step] * 6


def test_a_jump_is_not_driven(tmp_path: Path) -> None:
    """Put 500 m ahead between two frames: neither way nor speed."""
    times = [0.1 * index for index in range(20)]
    tracks = {1: [(index + (500.0 if index >= 10 else 0.0), 0.0) for index in range(20)]}
    found = analysed(filmed(tmp_path / "a.log", times, tracks))
    np.testing.assert_allclose(values(found, "speed", 1), 10.0, atol=1e-3)
    assert found.columns["s_long"][-1] == pytest.approx(18.0, abs=1e-3)


def test_time_that_stands_still_or_goes_back_parts_what_is_smoothed(tmp_path: Path) -> None:
    times = [0.0, 0.1, 0.2, 0.2, 0.3, 0.1, 0.2, math.nan, 0.4]
    tracks = {1: [(index, 0.0) for index in range(9)]}
    found = analysed(filmed(tmp_path / "a.log", times, tracks))
    assert found.vehicles.runs.tolist() == [0, 3, 5, 7, 8]
    assert len(found.table()) == 9


def test_a_long_pause_is_not_filled(tmp_path: Path) -> None:
    """An hour between two frames would be 36,000 rows of nothing."""
    times = [0.0, 0.1, 0.2, 3600.0, 3600.1, 3600.2]
    found = analysed(filmed(tmp_path / "a.log", times, {1: [(index, 0.0) for index in range(6)]}))
    assert found.vehicles.runs.tolist() == [0, 3]


# --- lives ------------------------------------------------------------------------------------------------


def test_a_life_of_one_frame_has_no_acceleration(tmp_path: Path) -> None:
    times = [0.1 * index for index in range(3)]
    tracks = {1: [None, (5.0, 0.0), None], 2: [(index, 9.0) for index in range(3)]}
    found = analysed(filmed(tmp_path / "a.log", times, tracks, speeds={1: [3.0] * 3}))
    assert values(found, "speed", 1).tolist() == [3.0]
    assert np.isnan(values(found, "acceleration", 1)).all()
    assert np.isnan(values(found, "fuel", 1)).all()


@pytest.mark.parametrize("short", [1, 3])
def test_a_life_of_one_frame_without_a_speed_leaves_the_others_theirs(tmp_path: Path, short: int) -> None:
    """Nothing tells how fast it was; it is the first, or the last, of all lives."""
    times = [0.1 * index for index in range(20)]
    tracks = {short: [(5.0, 40.0)] + [None] * 19, 2: [(index, 0.0) for index in range(20)]}
    found = analysed(filmed(tmp_path / "a.log", times, tracks))
    assert np.isnan(values(found, "speed", short)).all()
    np.testing.assert_allclose(values(found, "speed", 2), 10.0, atol=1e-4)
    np.testing.assert_allclose(values(found, "acceleration", 2), 0.0, atol=1e-2)


def test_lives_are_counted_and_not_ids(tmp_path: Path) -> None:
    """Actor 12,345 lives twice: two tracks, both of which the table can tell apart."""
    times = [0.1 * index for index in range(6)]
    tracks: dict[int, list[Place | None]] = {7: [(index, 0.0) for index in range(6)]}
    path = filmed(tmp_path / "a.log", times, tracks)
    frames = []
    for index, time in enumerate(times):
        added = [12345] if index in (0, 3) else []
        gone = [{"id": 12345}] if index == 2 else []
        placed = [] if index == 2 else [b.pose(12345, b.xyz(100.0 * index))]
        frames.append(
            b.frame(
                index + 1,
                time,
                0.1,
                [
                    b.packet(2, b.event_add([b.actor(each) for each in added])),
                    b.packet(3, b.event_del(gone)),
                    b.packet(6, b.position(placed)),
                ],
            )
        )
    path.write_bytes(b.recording(*frames))
    table = analysed(path, recording_id=3).table()
    assert table["trackId"].to_list() == [12345] * 5
    assert table["global_track_id"].to_list() == [30_001] * 2 + [30_002] * 3
    assert table["frame"].to_list() == [1, 2, 4, 5, 6]
    assert table["recordingId"].to_list() == [3] * 5
    np.testing.assert_allclose(table["s_long"], [0, 1, 0, 1, 2], atol=1e-6)


@pytest.mark.parametrize(
    ("blueprint", "base", "expected"),
    [
        ("vehicle.tesla.model3", None, 1),
        ("vehicle.carlamotors.firetruck", None, 2),
        ("vehicle.mitsubishi.fusorosa", "bus", 2),
        ("vehicle.mercedes.sprinter", "van", 1),
        ("vehicle.own.thing", "Truck", 2),
        ("vehicle.carlamotors.carlacola", "van", 1),
        ("vehicle.bh.crossbike", "bicycle", 1),
    ],
)
def test_the_class_is_told_by_base_type_or_blueprint(
    tmp_path: Path, blueprint: str, base: str | None, expected: int
) -> None:
    attributes = [] if base is None else [b.attribute(3, "base_type", base)]
    born = {1: {"blueprint": blueprint, "attributes": attributes}}
    table = analysed(filmed(tmp_path / "a.log", [0.0, 0.1], {1: [(0.0, 0.0), (1.0, 0.0)]}, born=born)).table()
    assert table["veh_class"].to_list() == [expected] * 2
    assert table["vehicle_type"].to_list() == [{1: "LDV", 2: "HDDT"}[expected]] * 2


def test_walkers_and_props_are_no_vehicles(tmp_path: Path) -> None:
    born = {1: {"kind": 2, "blueprint": "walker.pedestrian.0001"}, 2: {"kind": 0, "blueprint": "static.prop.bin"}}
    tracks = {each: [(0.0, 0.0), (1.0, 0.0)] for each in (1, 2)}
    found = analysed(filmed(tmp_path / "a.log", [0.0, 0.1], tracks, born=born))
    assert len(found) == 0
    assert len(found.table()) == 0
    assert len(found.risks) == 0


def test_an_empty_recording_has_an_empty_table(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(b.recording())
    found = analysed(tmp_path / "a.log")
    assert math.isnan(found.step)
    assert found.table().columns == NAMES


# --- what the window asks ---------------------------------------------------------------------------------


@pytest.fixture
def closing(tmp_path: Path) -> Analysis:
    """Actor 1 at 10 m/s behind actor 2 that stands 54.6 m ahead; without boxes they are 4.6 m long: a gap of 50 m that
    shrinks by 1 m a frame, TTC from 5 s on by 0.1 s a frame.
    """
    times = [0.1 * index for index in range(36)]
    tracks = {1: [(index, 0.0) for index in range(36)], 2: [(54.6, 0.0)] * 36}
    return analysed(filmed(tmp_path / "a.log", times, tracks, speeds={1: [10.0] * 36, 2: [0.0] * 36}))


def test_signals_are_times_and_values_of_a_life(closing: Analysis) -> None:
    (life,) = closing.actors.of_id(1)
    signal = closing.signal("ttc", life.index)
    assert (signal.kind.title, signal.kind.unit) == ("TTC", "s")
    assert signal.frames.tolist() == list(range(36))
    np.testing.assert_allclose(signal.times, 0.1 * np.arange(36))
    np.testing.assert_allclose(signal.values, 5.0 - 0.1 * np.arange(36), atol=1e-5)
    np.testing.assert_allclose(values(closing, "gap", 1), 50.0 - np.arange(36), atol=1e-4)
    # A metre is driven before the brakes act: 100 / (2 x (50 - 10)) m/s2 in the first frame.
    assert values(closing, "drac", 1)[0] == pytest.approx(1.25, abs=1e-5)
    assert np.isnan(values(closing, "ttc", 2)).all()
    for name in SIGNALS:
        assert values(closing, name, 1).shape == (36,)
    with pytest.raises(KeyError):
        closing.signal("altitude", life.index)


def test_leaders_are_told_by_life_and_frame(closing: Analysis) -> None:
    (one,), (two,) = closing.actors.of_id(1), closing.actors.of_id(2)
    assert closing.leader_of(one.index, 0) == two.index
    assert closing.leader_of(two.index, 0) is None
    assert closing.leader_of(one.index, 99) is None
    assert closing.leader_of(99, 0) is None
    assert closing.leader_of(one.index, 3) == two.index


def test_stretches_at_risk_are_marks_with_their_worst_moment(closing: Analysis) -> None:
    """Below 4 s from frame 11 on (index; at index 10 it is 4 s, or a rounding below), below 2 s in the last ones."""
    assert closing.risks.dtype == RISK
    (risk,) = closing.risks
    (one,), (two,) = closing.actors.of_id(1), closing.actors.of_id(2)
    assert (risk["life"], risk["leader"], risk["level"]) == (one.index, two.index, 2)
    assert risk["first"] in (10, 11)
    assert (risk["last"], risk["worst"]) == (35, 35)
    assert risk["ttc"] == pytest.approx(1.5, abs=1e-5)
    assert not closing.risks.flags.writeable


def test_the_least_ttc_of_each_frame_is_that_of_whoever_is_nearest_to_a_collision(closing: Analysis) -> None:
    ttc = closing.signal("ttc", 0), closing.signal("ttc", 1)
    expected = np.full(len(closing.snapshot), np.inf)
    for signal in ttc:
        for frame, value in zip(signal.frames.tolist(), signal.values.tolist(), strict=True):
            expected[frame] = np.fmin(expected[frame], value)
    assert np.isfinite(expected).any()
    assert closing.least_ttc.tolist() == expected.tolist()


def test_two_stretches_of_one_life_are_two_marks(tmp_path: Path) -> None:
    """3 s, then 6 s, then 1 s: the speed that is told changes, the gap hardly does."""
    times = [0.1 * index for index in range(60)]
    speed = [10.0] * 20 + [5.0] * 20 + [29.0] * 20
    tracks = {1: [(0.001 * index, 0.0) for index in range(60)], 2: [(34.6, 0.0)] * 60}
    found = analysed(filmed(tmp_path / "a.log", times, tracks, speeds={1: speed, 2: [0.0] * 60}))
    assert [int(each["level"]) for each in found.risks] == [1, 2]
    assert found.risks["first"][0] == 0
    assert found.risks["last"][1] == 59
    assert found.risks["last"][0] < found.risks["first"][1]


def test_a_part_of_a_recording_can_be_analysed() -> None:
    with recorder_editor.open(SAMPLE) as recording:
        whole, part = of_recording(recording), of_recording(recording, frames=range(100, 150))
    assert set(part.vehicles.frame.tolist()) == set(range(100, 150))
    frame = 120
    for life in part.values_at("gap", frame)[0].tolist():
        assert part.leader_of(life, frame) in (None, whole.leader_of(life, frame))


def test_the_collision_of_the_sample_is_the_worst_risk() -> None:
    """The hero drives into the cyclist."""
    with recorder_editor.open(SAMPLE) as recording:
        found = of_recording(recording)
        worst = found.risks[np.argmin(found.risks["ttc"])]
        contact = found.actors.contacts[0]
    lives = found.actors.lives
    pair = {lives[worst["life"]].actor, lives[worst["leader"]].actor}
    assert pair == {int(contact["actor1"]), int(contact["actor2"])}
    assert lives[worst["life"]].is_hero
    assert worst["first"] <= contact["first"] <= worst["last"] + 10


def test_an_analysis_can_be_stopped_and_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []
    with recorder_editor.open(SAMPLE) as recording:
        found = of_recording(recording, progress=Progress(lambda done, total: seen.append((done, total))))
        assert seen[-1] == (len(found), len(found))
        with pytest.raises(Cancelled):
            of_recording(recording, progress=Progress(is_cancelled=lambda: True))
        monkeypatch.setattr(paths, "MAX_ROWS", 100)
        with pytest.raises(AnalysisError, match=r"positions of vehicles, and 100 can be analysed together\. Choose"):
            of_recording(recording)


def test_without_scipy_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.signal", None)
    with recorder_editor.open(SAMPLE) as recording, pytest.raises(LibraryMissing, match=re.escape(remedy("analysis"))):
        of_recording(recording)


# --- the table --------------------------------------------------------------------------------------------


def test_real_recordings_have_the_fifty_columns(sound_recording: Path) -> None:
    found = analysed(sound_recording, options=Options(extra=True))
    table = found.table()
    assert table.columns == NAMES + EXTRA
    assert len(table) == len(found) > 0
    assert table.select("global_track_id", "frame").is_unique().all()
    assert (table["drivingDirection"] == 0).all()
    assert (table["laneId_raw"] == 0).all()
    led = table.filter(pl.col("precedingId") != 0)
    assert (led["leader_s_long"] > led["s_long"]).all()
    np.testing.assert_array_equal(
        table["TTC"].is_not_nan(), (table["rel_velocity"].fill_nan(0) > 0) & (table["precedingId"] != 0)
    )


def test_a_highd_recording_gives_the_same_values_both_ways(tmp_path: Path) -> None:
    """From the CSV, and from the recording that was made of it: where both name the same leader on a straight lane."""
    highd.write(tmp_path, 1, highd.traffic(16))
    Highd().write(tmp_path, HighdOptions(number=1), tmp_path / "one.log")
    first = pl.read_parquet(build_one(tmp_path, tmp_path, 1).path)
    second = analysed(tmp_path / "one.log").table().with_columns(pl.col("trackId", "precedingId") - FIRST_ID)
    both = first.join(second, on=["trackId", "frame"], suffix="_recorded")
    assert len(both) == len(first) == len(second)
    np.testing.assert_allclose(both["v_long_smooth_recorded"], both["v_long_smooth"], atol=0.1)
    np.testing.assert_allclose(both["v_kmh_recorded"], both["v_kmh"], atol=0.4)
    same = both.filter((pl.col("precedingId") == pl.col("precedingId_recorded")) & pl.col("laneId_raw").is_in([4, 6]))
    assert len(same) > 1000
    np.testing.assert_allclose(same["dist_headway_recorded"], same["dist_headway"], atol=0.06)
    np.testing.assert_allclose(same["rel_velocity_recorded"], same["rel_velocity"], atol=0.06)
    assert (both["veh_class_recorded"] == both["veh_class"]).all()


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl"])
def test_the_export_verb_writes_the_table(tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"out.{ending}"
    assert cli.main(["export", str(SAMPLE), str(target), "--table", "L1", "--actors", "hero", "--to", "#101"]) == 0
    if ending == "jsonl":
        table = pl.DataFrame([json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()])
    else:
        table = pl.read_parquet(target) if ending == "parquet" else pl.read_csv(target)
    assert table.columns == NAMES
    assert set(table["trackId"]) == {25}
    assert table["frame"].to_list() == list(range(1, 101))
    if ending == "parquet":
        schema = pq.read_schema(target)
        assert {field.name: str(field.type) for field in schema} == TYPES
        assert b"CARLA recording" in schema.metadata[b"l1"]


def test_the_table_takes_no_steps_and_stands_in_the_list(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["export", str(SAMPLE), str(tmp_path / "x.csv"), "--table", "l1", "--step", "2"]) == 2
    assert "leave --step away" in capfd.readouterr().err
    assert cli.main(["export", str(SAMPLE), "--list"]) == 0
    assert "\nl1: Kinematics" in capfd.readouterr().out


def test_the_recording_itself_is_not_written_over(tmp_path: Path) -> None:
    path = filmed(tmp_path / "a.csv", [0.0, 0.1], {1: [(0.0, 0.0), (1.0, 0.0)]})
    with recorder_editor.open(path) as recording:
        found = of_recording(recording)
        with pytest.raises(SaveRefused):
            found.export(path)
        with pytest.raises(AnalysisError, match="cannot be written"):
            found.export(tmp_path / "a.xlsx")
