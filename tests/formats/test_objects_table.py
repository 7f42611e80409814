"""The table of objects: axes, units and sources of its values against formulas by hand, and what is chosen of it."""

import csv
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet
import pytest

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.formats.export import TableOptions, UnknownFormatError, export
from recorder_editor.reading import Actors, SelectorError, Tracks
from recorder_editor.roads import read_road_map

from .. import builders as b
from ..reading.films import Actor, Course, along, film
from ..real_recordings import MAPS, missing
from ..roads.builders import lane, opendrive, road, section

Rows = list[dict[str, Any]]

COLUMNS = [
    *("time_s", "frame", "id", "role", "blueprint", "type", "subtype", "x", "y", "z"),
    *("vel_x", "vel_y", "vel_z", "acc_x", "acc_y", "acc_z", "yaw", "pitch", "roll", "yaw_rate"),
    *("length", "width", "height", "sizes_from", "motion_from"),
]
LANES = ["road_id", "lane_id", "s", "offset", "heading_error"]


def rows_of(path: Path, *words: str, folder: Path | None = None) -> Rows:
    """The rows that the command line writes."""
    out = (folder or path.parent) / f"{path.stem}.objects.parquet"
    assert main(["export", str(path), str(out), "--table", "objects", "--overwrite", *words]) == 0
    return pl.read_parquet(out).to_dicts()


def of(rows: Iterable[Mapping[str, Any]], actor: int) -> Rows:
    return [dict(row) for row in rows if row["id"] == actor]


# --- against formulas by hand -----------------------------------------------------------------------------


def rotated(offset: tuple[float, float, float], yaw: float, pitch: float, roll: float) -> tuple[float, float, float]:
    """A vector turned by the right-hand rule about x (roll), then y (pitch), then z (yaw)."""
    x, y, z = offset
    y, z = y * math.cos(roll) - z * math.sin(roll), y * math.sin(roll) + z * math.cos(roll)
    x, z = x * math.cos(pitch) + z * math.sin(pitch), -x * math.sin(pitch) + z * math.cos(pitch)
    return x * math.cos(yaw) - y * math.sin(yaw), x * math.sin(yaw) + y * math.cos(yaw), z


def recorded(path: Path, track: str) -> dict[tuple[int, int], dict[str, float]]:
    """The stored values by frame (from 1) and id."""
    with recorder_editor.open(path) as recording:
        table = Tracks(recording.snapshot).read(track)
    names = table.dtype.names or ()
    return {(row[0] + 1, row[1]): dict(zip(names, row, strict=True)) for row in table.tolist()}


def times_of(path: Path) -> list[float]:
    with recorder_editor.open(path) as recording:
        return [math.nan, *recording.snapshot.elapsed.tolist()]


def test_recorded_boxes_and_velocities(recordings: Path, tmp_path: Path) -> None:
    """Cars crash here: one lies on its side, others are lifted."""
    path = recordings / "carla-0.9.13-town05-collisions.log"
    rows = rows_of(path, "--from", "#455", "--to", "#475", folder=tmp_path)
    placed, moved = recorded(path, "positions"), recorded(path, "kinematics")
    times = times_of(path)
    with recorder_editor.open(path) as recording:
        actors = Actors.of(recording.snapshot)
        boxes = {life.actor: actors.boxes[life.index] for life in actors if life.is_road_user}
    assert len(rows) == 20 * 17
    assert max(abs(row["roll"]) for row in rows) > 1
    for row in rows:
        here = row["frame"], row["id"]
        pose, motion, box = placed[here], moved[here], boxes[row["id"]]
        yaw, pitch, roll = -math.radians(pose["yaw"]), -math.radians(pose["pitch"]), math.radians(pose["roll"])
        assert (row["yaw"], row["pitch"], row["roll"]) == pytest.approx((yaw, pitch, roll), abs=1e-9)
        along_x, along_y, along_z = box.origin
        offset = rotated((along_x / 100, -along_y / 100, along_z / 100), yaw, pitch, roll)
        middle = pose["x"] / 100 + offset[0], -pose["y"] / 100 + offset[1], pose["z"] / 100 + offset[2]
        assert (row["x"], row["y"], row["z"]) == pytest.approx(middle, abs=1e-5)
        assert (row["length"], row["width"], row["height"]) == pytest.approx([half / 50 for half in box.extent])
        assert (row["vel_x"], row["vel_y"], row["vel_z"]) == (motion["vx"], -motion["vy"], motion["vz"])
        assert row["yaw_rate"] == pytest.approx(-math.radians(motion["wz"]), abs=1e-12)
        assert (row["sizes_from"], row["motion_from"]) == ("recorded", "recorded")
        before, after = moved[here[0] - 1, here[1]], moved[here[0] + 1, here[1]]
        seconds = times[here[0] + 1] - times[here[0] - 1]
        rates = [(after[axis] - before[axis]) / seconds for axis in ("vx", "vy", "vz")]
        assert (row["acc_x"], row["acc_y"], row["acc_z"]) == pytest.approx((rates[0], -rates[1], rates[2]), abs=1e-9)
        assert row["time_s"] == times[row["frame"]]


def test_motion_by_positions_and_sizes_of_the_catalogue(recordings: Path, tmp_path: Path) -> None:
    path = recordings / "carla-0.9.6-town03-walkers.rec"
    rows = rows_of(path, "--from", "#100", "--to", "#112", folder=tmp_path)
    placed = recorded(path, "positions")
    times = times_of(path)

    def velocity(frame: int, actor: int) -> list[float]:
        before, after = placed[frame - 1, actor], placed[frame + 1, actor]
        seconds = times[frame + 1] - times[frame - 1]
        return [(after[axis] - before[axis]) / 100 / seconds * sign for axis, sign in (("x", 1), ("y", -1), ("z", 1))]

    assert {row["type"] for row in rows} == {"VEHICLE", "PEDESTRIAN"}
    assert len(rows) == 12 * 30
    for row in rows:
        frame, actor = row["frame"], row["id"]
        pose = placed[frame, actor]
        assert (row["x"], row["y"]) == pytest.approx((pose["x"] / 100, -pose["y"] / 100), abs=0.02)
        if row["type"] == "VEHICLE":
            assert row["z"] - pose["z"] / 100 == pytest.approx(row["height"] / 2, abs=0.01)
        else:
            assert (row["z"], row["height"]) == pytest.approx((pose["z"] / 100, row["height"]))
            assert row["subtype"] == ""
        assert (row["vel_x"], row["vel_y"], row["vel_z"]) == pytest.approx(velocity(frame, actor), abs=1e-9)
        seconds = times[frame + 1] - times[frame - 1]
        later, earlier = velocity(frame + 1, actor), velocity(frame - 1, actor)
        rates = [(end - begin) / seconds for end, begin in zip(later, earlier, strict=True)]
        assert (row["acc_x"], row["acc_y"], row["acc_z"]) == pytest.approx(rates, abs=1e-6)
        turn = (placed[frame + 1, actor]["yaw"] - placed[frame - 1, actor]["yaw"] + 180) % 360 - 180
        assert row["yaw_rate"] == pytest.approx(-math.radians(turn) / seconds, abs=1e-9)
        assert (row["sizes_from"], row["motion_from"]) == ("catalogue", "positions")
    (hero,) = {(row["length"], row["width"], row["height"]) for row in rows if row["role"] == "hero"}
    assert hero == pytest.approx((4.902, 2.128, 1.51))


# --- left and right ---------------------------------------------------------------------------------------


def circle(speed: float, radius: float) -> Course:
    """A circle in the axes of the simulator, with a positive radius to the right."""

    def place(seconds: float) -> tuple[float, float, float]:
        angle = speed * seconds / radius
        return radius * math.sin(angle), radius - radius * math.cos(angle), math.degrees(angle)

    return place


TURNS = {
    1: Actor(along(0, 0, 0, 10), role="hero"),
    2: Actor(circle(10, -20)),
    3: Actor(circle(10, 20)),
    4: Actor(along(-20, -3.5, 0, 25), kind="two-wheeler"),
}
"""Straight ahead along x; to the left; to the right; past the first one on its left, where y is negative."""


def test_who_turns_left_has_a_positive_yaw_rate_and_left_is_left(tmp_path: Path) -> None:
    rows = rows_of(film(tmp_path / "turns.log", TURNS, seconds=2))
    ahead, left, right, passing = (of(rows, actor) for actor in (1, 2, 3, 4))
    for row in left[1:-1]:
        assert row["yaw_rate"] == pytest.approx(0.5, abs=1e-3)
        assert row["vel_x"] == pytest.approx(10 * math.cos(row["yaw"]), abs=0.01)
        assert row["vel_y"] == pytest.approx(10 * math.sin(row["yaw"]), abs=0.01)
    for row in left[2:-2]:  # towards the middle of the circle, which lies to the left
        assert -math.sin(row["yaw"]) * row["acc_x"] + math.cos(row["yaw"]) * row["acc_y"] == pytest.approx(5, abs=0.05)
    for row in right[1:-1]:
        assert row["yaw_rate"] == pytest.approx(-0.5, abs=1e-3)
    assert left[-1]["y"] > 5
    assert right[-1]["y"] < -5
    for one, other in zip(ahead, passing, strict=True):
        across = -math.sin(one["yaw"]) * (other["x"] - one["x"]) + math.cos(one["yaw"]) * (other["y"] - one["y"])
        assert across == pytest.approx(3.5)
    assert passing[0]["x"] < ahead[0]["x"]
    assert passing[-1]["x"] > ahead[-1]["x"]


def test_the_axes_of_the_simulator(tmp_path: Path) -> None:
    path = film(tmp_path / "turns.log", TURNS, seconds=1)
    turned = {"y", "vel_y", "acc_y", "yaw", "pitch", "yaw_rate"}
    for row, other in zip(rows_of(path), rows_of(path, "--axes", "simulator"), strict=True):
        for name, value in row.items():
            assert other[name] == (0.0 - value if name in turned else value)


def test_corners_are_those_of_the_box(tmp_path: Path) -> None:
    course = {1: Actor(along(10, 20, 90, 0))}
    more = {0: b.packet(13, b.bounding_box([{"id": 1, "origin": b.xyz(50, 0, 70), "extent": b.xyz(200, 100, 70)}]))}
    path = film(tmp_path / "stands.log", course, seconds=0.1, more=lambda index: [more[index]] if index in more else [])
    row = rows_of(path, "--corners")[0]
    assert list(row)[: len(COLUMNS)] == COLUMNS
    # It faces along y of the simulator, to the right of x: that is down.
    assert (row["x"], row["y"], row["yaw"]) == pytest.approx((10, -20.5, -math.pi / 2))
    corners = {name.rpartition("_")[0]: None for name in list(row)[len(COLUMNS) :]}
    assert len(corners) == 8
    for corner in corners:
        forward = -22.5 if corner.startswith("front") else -18.5
        aside = 11 if "left" in corner else 9
        height = 1.4 if corner.endswith("top") else 0
        place = row[f"{corner}_x"], row[f"{corner}_y"], row[f"{corner}_z"]
        assert place == pytest.approx((aside, forward, height), abs=1e-5)
    other = rows_of(path, "--corners", "--axes", "simulator")[0]
    assert other["front_left_top_y"] == -row["front_left_top_y"]


def test_left_of_the_middle_of_a_lane_the_offset_is_positive(tmp_path: Path) -> None:
    """Lanes of 4 m along x, to the right of the reference line: the middle of the first one is y = 2 as recorded."""
    road_map = tmp_path / "straight.xodr"
    road_map.write_bytes(opendrive(road(lanes=section(right=[lane(-1, widths=[(0.0, 4.0)])]))))
    actors = {1: Actor(along(10, 1.5, -5, 0)), 2: Actor(along(20, 2.75, 5, 0)), 3: Actor(along(30, 500, 0, 0))}
    path = film(tmp_path / "drive.log", actors, seconds=0)
    left, right, away = rows_of(path, "--xodr", str(road_map))
    assert list(left) == COLUMNS + LANES
    assert (left["lane_id"], left["s"], left["offset"]) == (-1, pytest.approx(10), pytest.approx(0.5))
    assert left["heading_error"] == pytest.approx(math.radians(5))
    assert (right["lane_id"], right["s"], right["offset"]) == (-1, pytest.approx(20), pytest.approx(-0.75))
    assert right["heading_error"] == pytest.approx(-math.radians(5))
    assert [away[name] for name in LANES] == [None] * 5
    left, right, _ = rows_of(path, "--xodr", str(road_map), "--axes", "simulator")
    assert (left["offset"], right["heading_error"]) == (pytest.approx(-0.5), pytest.approx(math.radians(5)))


def test_lanes_are_those_of_the_table_of_lanes(recordings: Path, tmp_path: Path) -> None:
    road_map = MAPS / "Town01.xodr"
    if not road_map.exists():
        missing("There are no road maps beside the project.", may_be=True)
    path = recordings / "carla-0.9.10-town01-scene-lights.log"
    with recorder_editor.open(path) as recording:
        recording.context.use_road_map(read_road_map(road_map))
        for table in ("objects", "lanes"):
            export(recording.snapshot, tmp_path / f"{table}.parquet", TableOptions(table))
    rows = pl.read_parquet(tmp_path / "objects.parquet").to_dicts()
    lanes = pl.read_parquet(tmp_path / "lanes.parquet").to_dicts()
    for row, other in zip(rows, lanes, strict=True):
        assert [row[name] for name in ("frame", "id", "road_id", "lane_id", "s")] == [
            other[name] for name in ("frame", "id", "road_id", "lane_id", "s_m")
        ]
        assert row["offset"] == 0.0 - other["offset_m"]
        assert row["heading_error"] == pytest.approx(-math.radians(other["heading_error_deg"]))
    assert len({row["s"] for row in rows}) > 100


# --- what is not there ------------------------------------------------------------------------------------


def added(*records: b.Record) -> bytes:
    return b.packet(2, b.event_add(records))


def one_frame(tmp_path: Path, *packets: bytes) -> Path:
    path = tmp_path / "one.log"
    path.write_bytes(b.recording(b.frame(1, 0.0, -1.0, packets)))
    return path


@pytest.mark.parametrize(
    "box",
    [
        {"origin": b.xyz(math.nan, 0, 0), "extent": b.xyz(200, 100, 70)},
        {"origin": b.xyz(0, 0, 70), "extent": b.xyz(math.inf, 100, 70)},
        {"origin": b.xyz(0, 0, 70), "extent": b.xyz(200, 100, 0)},
        {"origin": b.xyz(0, 0, 70), "extent": b.xyz(200, -100, 70)},
        {"origin": b.xyz(0, 0, 1e9), "extent": b.xyz(200, 100, 70)},
    ],
)
def test_a_box_that_is_none_is_replaced(tmp_path: Path, box: dict[str, Any]) -> None:
    packets = [
        added(b.actor(7)),
        b.packet(6, b.position([b.pose(7)])),
        b.packet(13, b.bounding_box([{"id": 7, **box}])),
    ]
    (row,) = rows_of(one_frame(tmp_path, *packets))
    assert row["sizes_from"] == "catalogue"
    assert row["z"] == pytest.approx(row["height"] / 2, abs=0.01)


def test_what_is_not_known_of_actors(tmp_path: Path) -> None:
    """One without a blueprint, one that no catalogue has, a lorry by its own word, one without an EventAdd, no user."""
    packets = [
        added(
            b.actor(7, 1, ""),
            b.actor(8, 1, "vehicle.own.rickshaw", attributes=[b.attribute(1, "number_of_wheels", "2")]),
            b.actor(9, 1, "vehicle.own.lorry", attributes=[b.attribute(3, "base_type", "truck")]),
            b.actor(10, 0, "sensor.camera.rgb"),
        ),
        b.packet(6, b.position([b.pose(number, b.xyz(100 * number)) for number in range(7, 12)])),
    ]
    rows = rows_of(one_frame(tmp_path, *packets))
    assert [row["id"] for row in rows] == [7, 8, 9]
    assert [row["subtype"] for row in rows] == ["CAR", "BICYCLE", "HEAVY_TRUCK"]
    assert {row["type"] for row in rows} == {"VEHICLE"}
    assert {row["sizes_from"] for row in rows} == {"class"}
    assert next(row["blueprint"] for row in rows) == ""
    for row in rows:
        assert [row[name] for name in ("vel_x", "acc_y", "yaw_rate")] == [None] * 3
        assert row["motion_from"] == ""
        assert row["x"] == row["id"]


def test_numbers_that_are_not_finite_are_missing(tmp_path: Path) -> None:
    places = [b.pose(7, b.xyz(math.nan, math.inf, 100), b.turn(yaw=math.nan))]
    motion = [{"id": 7, "linear_velocity": b.xyz(math.nan, 1, 1), "angular_velocity": b.xyz()}]
    packets = [added(b.actor(7)), b.packet(6, b.position(places)), b.packet(12, b.kinematics(motion))]
    path = one_frame(tmp_path, *packets)
    (row,) = rows_of(path)
    assert [name for name, value in row.items() if value is None] == [
        *("x", "y", "vel_x", "vel_y", "vel_z", "acc_x", "acc_y", "acc_z", "yaw", "yaw_rate")
    ]
    for ending in ("csv", "jsonl"):
        assert main(["export", str(path), str(tmp_path / f"out.{ending}"), "--table", "objects"]) == 0
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        (line,) = csv.DictReader(file)
    assert (line["x"], line["acc_z"], line["yaw"]) == ("", "", "")
    assert json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))["x"] is None


def test_a_velocity_is_not_taken_across_a_jump(tmp_path: Path) -> None:
    def place(seconds: float) -> tuple[float, float, float]:
        return (10 * seconds if seconds < 0.47 else 500 + 10 * seconds), 0.0, 0.0

    rows = rows_of(film(tmp_path / "jump.log", {1: Actor(place)}, seconds=1))
    assert {round(row["vel_x"], 2) for row in rows} == {10.0}
    assert max(abs(row["acc_x"]) for row in rows) < 0.1


def test_an_empty_recording_has_an_empty_table(tmp_path: Path) -> None:
    path = tmp_path / "empty.log"
    path.write_bytes(b.recording())
    assert rows_of(path) == []
    assert pyarrow.parquet.read_schema(tmp_path / "empty.objects.parquet").names == COLUMNS


# --- what is chosen ---------------------------------------------------------------------------------------


def test_every_real_recording_has_its_road_users(sound_recording: Path, tmp_path: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        snapshot = recording.snapshot
        export(snapshot, tmp_path / "out.parquet", TableOptions("objects"))
        actors = Actors.of(snapshot)
        placed = Tracks(snapshot).positions()
        lives = actors.indices_of(placed["id"], placed["frame"])
        users = sum(1 for index in lives.tolist() if index >= 0 and actors.lives[index].is_road_user)
    table = pl.read_parquet(tmp_path / "out.parquet")
    assert table.columns == COLUMNS
    assert len(table) == users > 0
    assert table["x"].is_finite().all()
    assert table["vel_x"].null_count() == 0


def test_a_row_is_the_same_in_whatever_range_it_is_exported(recordings: Path, tmp_path: Path) -> None:
    path = recordings / "carla-0.9.15-town05-bikes.log"

    def lines(*words: str) -> list[str]:
        out = tmp_path / "rows.csv"
        assert main(["export", str(path), str(out), "--table", "objects", "--overwrite", *words]) == 0
        return out.read_text(encoding="utf-8").splitlines()[1:]

    whole = lines()
    for words, frames in (
        (("--from", "#50", "--to", "#60"), range(50, 60)),
        (("--step", "3"), range(1, 200, 3)),
        (("--step", "7"), range(1, 200, 7)),
    ):
        assert lines(*words) == [line for line in whole if int(line.split(",")[1]) in frames]
    chosen = whole[-1].split(",")[2]
    assert lines("--actors", chosen) == [line for line in whole if line.split(",")[2] == chosen]


def test_texts_of_parquet_are_plain(tmp_path: Path) -> None:
    path = film(tmp_path / "turns.log", TURNS, seconds=0.2)
    rows_of(path)
    table = pl.read_parquet(tmp_path / "turns.objects.parquet")
    for name in ("role", "blueprint", "type", "subtype", "sizes_from", "motion_from"):
        assert table.schema[name] == pl.String
    assert table.filter(pl.col("blueprint").str.starts_with("vehicle.lincoln"))["id"].unique().sort().to_list() == [
        1,
        2,
        3,
    ]
    schema = pyarrow.parquet.read_schema(tmp_path / "turns.objects.parquet")
    assert schema.field("yaw").metadata[b"unit"] == b"rad"


def test_options_of_the_table_are_for_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = film(tmp_path / "turns.log", TURNS, seconds=0.2)
    for words in (["--corners"], ["--axes", "simulator"]):
        assert main(["export", str(path), str(tmp_path / "out.csv"), *words]) == 2
        assert f"{words[0]} is for the table objects." in capsys.readouterr().err
        assert main(["export", str(path), str(tmp_path / "out.xosc"), *words]) == 2
    assert main(["export", str(path), str(tmp_path / "out.csv"), "--table", "objects", "--axes", "enu"]) == 2
    with recorder_editor.open(path) as recording:
        with pytest.raises(SelectorError):
            export(recording.snapshot, tmp_path / "out.csv", TableOptions("positions", corners=True))
        with pytest.raises((SelectorError, UnknownFormatError)):
            export(recording.snapshot, tmp_path / "out.csv", TableOptions("l1", corners=True))
    assert not list(tmp_path.glob("out*"))


def test_several_recordings_at_once(tmp_path: Path) -> None:
    for name in ("one", "two"):
        film(tmp_path / f"{name}.log", TURNS, seconds=0.2)
    names = [str(tmp_path / "one.log"), str(tmp_path / "two.log")]
    out = tmp_path / "out"
    words = ["--out-dir", str(out), "--format", "parquet", "--table", "objects", "--corners", "--workers", "1"]
    assert main(["export", *names, *words]) == 0
    table = pl.concat([pl.read_parquet(path) for path in sorted(out.rglob("*.parquet"))])
    assert len(table) == 2 * 4 * 5
    assert table.width == len(COLUMNS) + 24
