"""Recordings as ASAM OSI: read back by betterosi, by omega-prime itself, and as recordings again."""

import json
import math
import re
import struct
import subprocess
import sys
import tracemalloc
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import betterosi
import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from mcap.writer import CompressionType

import recorder_editor
from recorder_editor import Recording
from recorder_editor.checks import check
from recorder_editor.cli import main
from recorder_editor.errors import Cancelled, RecorderError
from recorder_editor.extras import install_command
from recorder_editor.formats.export import ExportError, export, preview
from recorder_editor.formats.osi import OsiOptions
from recorder_editor.formats.trajectories import RecordingOptions, Trajectories, TrajectoryError
from recorder_editor.formats.trajectories.osi import OsiImport
from recorder_editor.progress import Progress
from recorder_editor.reading import Actors
from recorder_editor.reading.selectors import find_subset
from recorder_editor.roads import read_road_map

from .. import builders as b
from ..extent import examples
from ..real_recordings import MAPS
from ..recording.films import BIKES, add, box, delete, film, of_real, opened
from ..replay.rotation import rotation
from ..separate_python import python_with
from . import reader

MAP = Path(__file__).parents[1] / "roads" / "field.xodr"
HERO = b.actor(7, 1, "vehicle.tesla.model3", attributes=[b.attribute(3, "role_name", "hero")])
OVERTAKER = b.actor(8, 1, "vehicle.carlamotors.firetruck")
WALKER = b.actor(9, 2, "walker.pedestrian.0012")
BICYCLE = b.actor(10, 1, "vehicle.bh.crossbike", attributes=[b.attribute(1, "number_of_wheels", "2")])
HEADING = 30.0
AHEAD = np.array((math.cos(math.radians(HEADING)), math.sin(math.radians(HEADING))))
LEFT = np.array((AHEAD[1], -AHEAD[0]))
"""The left of who drives ahead, in the axes of the simulator, whose y is to the right of x."""
FRAMES = 8


def overtaking() -> bytes:
    """The hero drives slower than a truck, which overtakes on the left; a walker and a bicycle stand on a slope."""
    frames = []
    for number in range(FRAMES):
        hero = 100 * number * AHEAD
        other = (300 * number - 900) * AHEAD + 350 * LEFT
        packets = [
            b.packet(
                6,
                b.position(
                    [
                        b.pose(7, b.xyz(*hero.tolist(), 20.0), b.turn(yaw=HEADING)),
                        b.pose(8, b.xyz(*other.tolist(), 20.0), b.turn(yaw=HEADING)),
                        b.pose(9, b.xyz(500.0, 900.0, 100.0), b.turn(yaw=-120.0)),
                        b.pose(10, b.xyz(-400.0, 700.0, 10.0), b.turn(3.0, -7.0, 200.0)),
                    ]
                ),
            )
        ]
        if number == 0:
            packets = [add(HERO, OVERTAKER, WALKER, BICYCLE), box(7, 8, 10, size=240.0), *packets]
        if number >= 4:
            packets.append(b.packet(10, b.vehicle_light([{"id": 7, "lights": 0x8 | 0x20}])))
        frames.append(packets)
    return film(*frames)


def read(path: Path) -> list[Any]:
    """The messages GroundTruth of a file."""
    return list(betterosi.read(str(path), return_ground_truth=True))


def angles(orientation: Any) -> Any:
    """The rotation matrix of yaw, then pitch, then roll, by the right-hand rule."""
    sr, sp, sy = (math.sin(angle) for angle in (orientation.roll, orientation.pitch, orientation.yaw))
    cr, cp, cy = (math.cos(angle) for angle in (orientation.roll, orientation.pitch, orientation.yaw))
    yaw = np.array(((cy, -sy, 0), (sy, cy, 0), (0, 0, 1)))
    pitch = np.array(((cp, 0, sp), (0, 1, 0), (-sp, 0, cp)))
    roll = np.array(((1, 0, 0), (0, cr, -sr), (0, sr, cr)))
    return yaw @ pitch @ roll


MIRROR = np.diag((1.0, -1.0, 1.0))


def assert_is_pose(base: Any, stored: Any, centre: Any) -> None:
    """The box is where it is in the simulator, and stands as it does there: within 1 mm and 0.01 degrees.

    `stored` is the pose of the actor (cm, degrees), `centre` that of its box in the axes of the actor (cm).
    """
    axes = rotation(np.array(stored, np.float64))
    place = (np.array(stored[:3]) + np.array(centre) @ axes) / 100 * (1, -1, 1)
    assert (base.position.x, base.position.y, base.position.z) == pytest.approx(place.tolist(), abs=1e-3)
    wanted = MIRROR @ axes.T @ MIRROR
    # By how much the one is turned against the other.
    turn = math.degrees(math.acos(min(1.0, (np.trace(wanted.T @ angles(base.orientation)) - 1) / 2)))
    assert turn < 0.01


def to_left(truth: Any) -> float:
    """How far object 8 is to the left of object 7, m, as a reader of OSI sees it."""
    things = {thing.id.value: thing.base for thing in truth.moving_object}
    dx = things[8].position.x - things[7].position.x
    dy = things[8].position.y - things[7].position.y
    yaw = things[7].orientation.yaw
    return -dx * math.sin(yaw) + dy * math.cos(yaw)


def test_a_truck_overtakes_on_the_left_and_comes_back_as_a_recording(tmp_path: Path) -> None:
    out = tmp_path / "out.omega.mcap"
    with opened(overtaking()) as recording:
        recording.context.use_road_map(read_road_map(MAP), MAP)
        shown = preview(recording.snapshot, ".omega.mcap")
        export(recording.snapshot, out)
    assert shown.rows == (("ground_truth", "osi3.GroundTruth", "8"), ("ground_truth_map", "osi3.MapAsamOpenDrive", "1"))
    truths = read(out)
    assert [truth.timestamp.seconds * 10**9 + truth.timestamp.nanos for truth in truths] == [
        50_000_000 * number for number in range(FRAMES)
    ]
    first = {thing.id.value: thing for thing in truths[0].moving_object}
    assert list(first) == [7, 8, 9, 10]
    assert {truth.host_vehicle_id.value for truth in truths} == {7}
    assert [int(thing.type) for thing in first.values()] == [2, 2, 3, 2]
    assert [int(first[number].vehicle_classification.type) for number in (7, 8, 10)] == [4, 7, 11]
    assert [int(first[number].vehicle_classification.role) for number in (7, 8, 10)] == [2, 4, 2]
    assert_is_pose(first[7].base, (0, 0, 20, 0, 0, HEADING), (0, 0, 70))
    assert_is_pose(first[10].base, (-400, 700, 10, 3, -7, 200), (0, 0, 70))
    dimension = first[7].base.dimension
    assert (dimension.length, dimension.width, dimension.height) == pytest.approx((4.8, 1.8, 1.4))
    for truth in truths:
        assert to_left(truth) == pytest.approx(3.5, abs=1e-3)
    speed = 1.0 / 0.05
    velocity = truths[3].moving_object[0].base.velocity
    assert (velocity.x, velocity.y) == pytest.approx((speed * AHEAD[0], -speed * AHEAD[1]), rel=1e-4)
    assert not truths[3].moving_object[0].vehicle_classification.has_field("light_state")
    lights = truths[4].moving_object[0].vehicle_classification.light_state
    assert (int(lights.brake_light_state), int(lights.indicator_state), int(lights.head_light)) == (3, 3, 2)
    (road_map,) = betterosi.read(str(out), mcap_topics=["ground_truth_map"])
    assert road_map.open_drive_xml_content == MAP.read_text(encoding="utf-8")
    assert road_map.map_reference == truths[0].map_reference == "field"
    back = tmp_path / "back.log"
    OsiImport().write(out, RecordingOptions(), back)
    assert_same_road_users(back, out, tmp_path)


def assert_same_road_users(back: Path, out: Path, tmp_path: Path) -> None:
    """A recording that was made of an OSI file is sound, and gives the same file: within 1 cm and 0.1 degrees."""
    with recorder_editor.open(back) as recording:
        assert [finding.code for finding in check(recording.snapshot)] == []
        export(recording.snapshot, tmp_path / "again.omega.mcap")
        heroes = [life for life in Actors.of(recording.snapshot) if life.is_hero]
    truths = read(out)
    again = read(tmp_path / "again.omega.mcap")
    assert len(again) == len(truths)
    has_host = truths[0].has_field("host_vehicle_id")
    assert len(heroes) == has_host
    for one, other in zip(truths, again, strict=True):
        assert other.timestamp.nanos == pytest.approx(one.timestamp.nanos, abs=1000)
        for thing, same in zip(in_order(one), in_order(other), strict=True):
            place, place_again = thing.base.position, same.base.position
            assert (place_again.x, place_again.y, place_again.z) == pytest.approx((place.x, place.y, place.z), abs=0.01)
            turn = angles(thing.base.orientation).T @ angles(same.base.orientation)
            assert math.degrees(math.acos(min(1.0, (np.trace(turn) - 1) / 2))) < 0.1
            assert same.type == thing.type


def in_order(truth: Any) -> list[Any]:
    """The objects of a message by their places, since the recording gives them new ids."""
    return sorted(truth.moving_object, key=lambda thing: (round(thing.base.position.x, 1), thing.base.position.y))


# --- ids, times and what is left out ------------------------------------------------------------------------


def ids_of(data: bytes, folder: Path, **subset: Any) -> list[list[tuple[int, list[str]]]]:
    """Id and references of the objects of each message."""
    out = folder / "out.omega.mcap"
    with opened(data) as recording:
        export(recording.snapshot, out, None, find_subset(recording.snapshot, **subset))
    found = []
    for truth in read(out):
        found.append([(thing.id.value, list(thing.source_reference[0].identifier)) for thing in truth.moving_object])
    return found


def test_an_object_is_there_without_a_gap_and_what_comes_back_has_another_id(tmp_path: Path) -> None:
    def poses(*ids: int) -> bytes:
        return b.packet(6, b.position([b.pose(number, b.xyz(100.0 * number)) for number in ids]))

    found = ids_of(
        film(
            [add(b.actor(7), b.actor(8, 2, "walker.pedestrian.0001")), poses(7, 8)],
            [poses(7)],
            [delete(7), poses(8)],
            [add(b.actor(7, attributes=[b.attribute(3, "role_name", "scenario")])), poses(7, 8, 9)],
        ),
        tmp_path,
    )
    walker = ["actor:8"]
    assert found[0] == [(7, ["actor:7"]), (8, walker)]
    assert found[1] == [(7, ["actor:7"])]
    (gap,) = found[2]
    assert gap == (9, walker)
    assert found[3] == [(10, ["actor:7", "role:scenario"]), (9, walker)]


def test_the_hero_keeps_its_id_also_where_another_actor_had_it_before(tmp_path: Path) -> None:
    poses = b.packet(6, b.position([b.pose(7)]))
    data = film([add(b.actor(7)), poses], [delete(7), add(HERO), poses])
    with opened(data) as recording:
        export(recording.snapshot, tmp_path / "out.omega.mcap")
    truths = read(tmp_path / "out.omega.mcap")
    assert [truth.host_vehicle_id.value for truth in truths] == [7, 7]
    assert [truth.moving_object[0].id.value for truth in truths] == [8, 7]


def test_of_frames_with_the_same_time_the_last_one_is_told_and_poses_that_are_no_numbers_are_not(
    tmp_path: Path,
) -> None:
    times = (0.0, 0.05, 0.05, 0.1)
    frames = []
    for number, time in enumerate(times):
        place = b.xyz(math.nan if number == 3 else 100.0 * number)
        packets = [b.packet(6, b.position([b.pose(7, place), b.pose(1)]))]
        if number == 0:
            packets.insert(0, add(b.actor(7), b.actor(1, 0, "spectator")))
        frames.append(b.frame(number + 1, time, 0.05, packets))
    with opened(b.recording(*frames)) as recording:
        export(recording.snapshot, tmp_path / "out.omega.mcap")
    truths = read(tmp_path / "out.omega.mcap")
    assert [truth.timestamp.nanos for truth in truths] == [0, 50_000_000, 100_000_000]
    assert [[thing.base.position.x for thing in truth.moving_object] for truth in truths] == [[0.0], [2.0], []]


def test_chosen_actors_and_frames_are_written_and_a_cancelled_export_leaves_nothing(tmp_path: Path) -> None:
    found = ids_of(overtaking(), tmp_path, actors=["type:vehicle.*"], start="#2", stop="#8", step=3)
    assert [[number for number, _ in message] for message in found] == [[7, 8, 10]] * 2
    (tmp_path / "out.omega.mcap").unlink()
    with opened(overtaking()) as recording, pytest.raises(Cancelled):
        export(recording.snapshot, tmp_path / "out.omega.mcap", progress=Progress(None, lambda: True))
    assert list(tmp_path.iterdir()) == []


def test_a_road_map_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "field.xodr"
    first = b'<?xml version="1.0" encoding="latin-1"?><!--\xe4-->'
    path.write_bytes(MAP.read_bytes().replace(b'<?xml version="1.0"?>', first))
    with opened(overtaking()) as recording:
        recording.context.use_road_map(read_road_map(path), path)
        with pytest.raises(ExportError, match="not in UTF-8"):
            export(recording.snapshot, tmp_path / "out.omega.mcap")


# --- the command line ---------------------------------------------------------------------------------------


def test_the_command_line_writes_it_by_the_ending_or_for_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "town.log"
    path.write_bytes(overtaking())
    for words in (["a.omega.mcap"], ["b.mcap", "--for", "omega-prime"]):
        assert main(["export", str(path), str(tmp_path / words[0]), *words[1:]]) == 0
        assert len(read(tmp_path / words[0])) == FRAMES
    assert main(["export", str(path), "--out-dir", str(tmp_path / "many"), "--for", "omega-prime"]) == 0
    assert [each.name for each in (tmp_path / "many").glob("*.mcap")] == ["town.omega.mcap"]
    capsys.readouterr()
    assert main(["export", str(path), str(tmp_path / "c.xosc"), "--for", "omega-prime"]) == 2
    assert "--for omega-prime is for OSI (.omega.mcap, .mcap)." in capsys.readouterr().err
    assert main(["export", str(path), str(tmp_path / "c.omega.mcap"), "--for", "esmini"]) == 2
    assert "--for is for OpenSCENARIO (.xosc)." in capsys.readouterr().err
    back = tmp_path / "back.log"
    assert main(["import-trajectories", str(tmp_path / "b.mcap"), str(back), "--unit", "time=ms"]) == 2
    assert "--unit is for CSV, Parquet." in capsys.readouterr().err
    assert main(["import-trajectories", str(tmp_path / "b.mcap"), str(back), "--hero", "8"]) == 0
    assert {row["role"] for row in object_rows(back) if row["subtype"] == "HEAVY_TRUCK"} == {"hero"}


def test_without_its_libraries_a_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "recorder_editor.formats.osi_messages", None)
    monkeypatch.setitem(sys.modules, "recorder_editor.formats.trajectories.osi_file", None)
    with opened(overtaking()) as recording, pytest.raises(ExportError, match=re.escape(install_command("osi"))):
        export(recording.snapshot, tmp_path / "out.mcap", OsiOptions())
    with pytest.raises(ExportError, match=re.escape(install_command("osi"))):
        OsiImport().write(tmp_path / "out.mcap", RecordingOptions(), tmp_path / "back.log")


# --- files of others ----------------------------------------------------------------------------------------


def written_elsewhere(path: Path, truths: list[Any], **options: Any) -> Path:
    """A file that betterosi writes."""
    with betterosi.Writer(path, **options) as writer:
        for truth in truths:
            writer.add(truth)
    return path


def truth_of(seconds: float, *things: Any) -> Any:
    nanos = round(seconds * 1e9)
    return betterosi.GroundTruth(
        version=betterosi.InterfaceVersion(version_major=3, version_minor=8, version_patch=0),
        timestamp=betterosi.Timestamp(seconds=nanos // 10**9, nanos=nanos % 10**9),
        moving_object=list(things),
    )


def thing_of(number: int, x: float, **base: Any) -> Any:
    return betterosi.MovingObject(
        id=betterosi.Identifier(value=number),
        type=betterosi.MovingObjectType(2),
        base=betterosi.BaseMoving(position=betterosi.Vector3d(x=x, y=5.0), **base),
    )


ELSEWHERE = [
    {"compression": CompressionType.LZ4},
    {"compression": CompressionType.ZSTD, "chunk_size": 300},
    {"use_chunking": False},
]


@pytest.mark.parametrize("options", ELSEWHERE, ids=str)
def test_a_file_of_another_program_gets_headings_and_blueprints(options: dict[str, Any], tmp_path: Path) -> None:
    size = betterosi.Dimension3d(length=12.0, width=2.5, height=3.4)
    truths = [truth_of(0.1 * number, thing_of(3, 2.0 * number, dimension=size)) for number in range(5)]
    path = written_elsewhere(tmp_path / "other.mcap", truths, **options)
    back = tmp_path / "back.log"
    OsiImport().write(path, RecordingOptions(), back)
    assert OsiImport().recognises(path)
    assert not OsiImport().recognises(back)
    rows = object_rows(back)
    assert [(row["time_s"], row["x"], row["y"], row["yaw"]) for row in rows] == [
        (
            pytest.approx(0.1 * number, abs=1e-6),
            pytest.approx(2.0 * number, abs=0.01),
            pytest.approx(5.0, abs=0.01),
            pytest.approx(0.0, abs=1e-6),
        )
        for number in range(5)
    ]
    assert {(round(row["length"], 3), row["type"]) for row in rows} == {(12.0, "VEHICLE")}


def object_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of the table of objects."""
    out = path.with_suffix(".jsonl")
    assert main(["export", str(path), str(out), "--table", "objects", "--overwrite"]) == 0
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def test_heights_of_a_file_in_which_all_are_0_are_those_of_its_road_map(tmp_path: Path) -> None:
    path = tmp_path / "flat.mcap"
    hill = MAP.read_text(encoding="utf-8").replace(
        "<elevationProfile></elevationProfile>",
        '<elevationProfile><elevation s="0.0" a="30.0" b="0.0" c="0.0" d="0.0"/></elevationProfile>',
    )
    with betterosi.Writer(path) as writer:
        writer.add(betterosi.MapAsamOpenDrive(map_reference="Hill", open_drive_xml_content=hill), "map", log_time=0)
        for number in range(3):
            writer.add(truth_of(0.1 * number, thing_of(3, 2.0 * number)))
    OsiImport().write(path, RecordingOptions(), tmp_path / "back.log")
    rows = object_rows(tmp_path / "back.log")
    assert [row["z"] - row["height"] / 2 for row in rows] == pytest.approx([30.0] * 3, abs=0.01)


def test_what_holds_no_road_users_or_is_damaged_is_refused_in_a_sentence(tmp_path: Path) -> None:
    def refused(path: Path) -> str:
        with pytest.raises(TrajectoryError) as caught:
            OsiImport().write(path, RecordingOptions(), tmp_path / "back.log")
        assert not (tmp_path / "back.log").exists()
        return str(caught.value)

    with opened(overtaking()) as recording:
        export(recording.snapshot, tmp_path / "scene.mcap")
    assert "holds no moving objects" in refused(tmp_path / "scene.mcap")
    nowhere = betterosi.MovingObject(id=betterosi.Identifier(value=4), base=betterosi.BaseMoving())
    assert "message 1: the position of object 4 is missing" in refused(
        written_elsewhere(tmp_path / "nowhere.mcap", [truth_of(0.0, nowhere)])
    )
    path = written_elsewhere(tmp_path / "cut.mcap", [truth_of(0.1 * n, thing_of(3, 2.0 * n)) for n in range(9)])
    data = path.read_bytes()
    path.write_bytes(data[:-200])
    assert "ends in the middle" in refused(path)
    chunk = data.index(b"zstd")
    size = chunk - 16
    path.write_bytes(data[:size] + struct.pack("<Q", 1 << 40) + data[size + 8 :])
    assert "one that says so of itself" in refused(path)
    data_size = chunk + 4
    path.write_bytes(data[:data_size] + struct.pack("<Q", 1 << 40) + data[data_size + 8 :])
    assert "ends in the middle" in refused(path)


def test_numbers_that_tell_nothing_do_not_get_into_a_recording(tmp_path: Path) -> None:
    def moving(x: float, *, z: float = 0.0, yaw: float = 0.0, length: float = 4.0) -> Any:
        base = betterosi.BaseMoving(
            position=betterosi.Vector3d(x=x, y=1.0, z=z),
            orientation=betterosi.Orientation3d(roll=0.0, pitch=0.0, yaw=yaw),
            dimension=betterosi.Dimension3d(length=length, width=2.0, height=1.5),
        )
        return betterosi.MovingObject(id=betterosi.Identifier(value=3), base=base)

    def read_back(*truths: Any) -> Trajectories:
        path = written_elsewhere(tmp_path / "odd.mcap", list(truths))
        return OsiImport().load(path, RecordingOptions(), Progress())

    odd = read_back(*(truth_of(0.1 * n, moving(2.0, z=math.inf, yaw=1e30, length=1e300)) for n in range(3)))
    (rows,) = odd.rows.blocks()
    assert np.isnan([rows["z"], rows["yaw"]]).all()
    assert (str(odd.users[0].length), odd.users[0].width) == ("nan", 2.0)
    for truth in (truth_of(0.1, moving(math.inf)), truth_of(0.1, moving(1e9))):
        with pytest.raises(TrajectoryError, match=r"message 2: the position of object 3 .* too large"):
            read_back(truth_of(0.0, moving(2.0)), truth)
    late = betterosi.GroundTruth(timestamp=betterosi.Timestamp(seconds=1 << 40), moving_object=[moving(2.0)])
    with betterosi.Writer(tmp_path / "late.mcap") as writer:
        writer.add(late, log_time=0)
    with pytest.raises(TrajectoryError, match="message 1: the time is too large"):
        OsiImport().load(tmp_path / "late.mcap", RecordingOptions(), Progress())
    twice = written_elsewhere(tmp_path / "twice.mcap", [truth_of(0.0, moving(2.0)), truth_of(0.1, *[moving(2.0)] * 2)])
    with pytest.raises(TrajectoryError, match="Row 2: road user 3 has another row"):
        OsiImport().write(twice, RecordingOptions(), tmp_path / "back.log")


def test_a_compression_that_is_not_known_is_named(tmp_path: Path) -> None:
    chunk = struct.pack("<QQQI", 0, 0, 1, 0) + struct.pack("<I", 6) + b"brotli" + struct.pack("<Q", 1) + b"?"
    path = tmp_path / "odd.mcap"
    path.write_bytes(b"\x89MCAP0\r\n" + struct.pack("<BQ", 6, len(chunk)) + chunk)
    with pytest.raises(TrajectoryError, match=r"odd\.mcap is compressed by brotli; lz4 and zstd are read\."):
        OsiImport().write(path, RecordingOptions(), tmp_path / "back.log")


def test_a_chunk_of_many_small_records_is_read_one_by_one(tmp_path: Path) -> None:
    record = struct.pack("<BQHIQQ", 5, 22, 9, 0, 0, 0)  # a message of a channel that there is not
    data = record * 100_000
    packed = zstandard.compress(data)
    fields = struct.pack("<QQQI", 0, 0, len(data), 0) + struct.pack("<I", 4) + b"zstd"
    chunk = fields + struct.pack("<Q", len(packed)) + packed
    path = tmp_path / "many.mcap"
    path.write_bytes(b"\x89MCAP0\r\n" + struct.pack("<BQ", 6, len(chunk)) + chunk)
    tracemalloc.start()
    try:
        with pytest.raises(TrajectoryError):
            OsiImport().load(path, RecordingOptions(), Progress())
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 3 * len(data)


@settings(max_examples=examples(60))
@given(place=st.integers(8, 10_000), value=st.integers(0, 255))
def test_a_damaged_file_gets_a_sentence_or_is_read(place: int, value: int, tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    path = written_elsewhere(folder / "sound.mcap", [truth_of(0.1 * n, thing_of(3, 2.0 * n)) for n in range(3)])
    data = bytearray(path.read_bytes())
    # Most of a file is the description of the messages, which is read as one piece.
    place = 8 + (place * (len(data) - 8)) // 10_000
    data[min(place, len(data) - 1)] = value
    path.write_bytes(data)
    with suppress(RecorderError):
        OsiImport().write(path, RecordingOptions(), folder / "back.log")


# --- real recordings, read by omega-prime -------------------------------------------------------------------

READ_BY_OMEGA_PRIME = """
import json, sys, warnings
warnings.simplefilter("ignore")
import omega_prime
path, apply_proj = sys.argv[1:]
recording = omega_prime.Recording.from_file(path, validate=True, parse_map=False, apply_proj=apply_proj == "True")
columns = "total_nanos idx x y z roll pitch yaw vel_x vel_y length width height type subtype".split()
print(json.dumps({
    "version": omega_prime.__version__,
    "host": recording.host_vehicle_idx,
    "map": getattr(recording.map, "odr_xml", None),
    "rows": recording.df.select(columns).rows(),
}))
"""


def by_omega_prime(path: Path, *, apply_proj: bool) -> dict[str, Any]:
    """What omega-prime reads and finds valid."""
    done = subprocess.run(
        [python_with("omega_prime"), "-c", READ_BY_OMEGA_PRIME, path, str(apply_proj)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def map_of(recording: Recording) -> Path | None:
    header = recording.snapshot.header
    assert header is not None
    path = MAPS / f"{str(header.map_name).split('/')[-1].removesuffix('_Opt')}.xodr"
    return path if path.is_file() else None


@pytest.mark.long
@of_real()
def test_omega_prime_finds_every_real_recording_valid_and_each_pose_where_it_was(
    sound_recording: Path, tmp_path: Path
) -> None:
    python_with("omega_prime")
    out = tmp_path / "out.omega.mcap"
    with recorder_editor.open(sound_recording) as recording:
        road_map = map_of(recording)
        if road_map is not None:
            recording.context.use_road_map(read_road_map(road_map), road_map)
        export(recording.snapshot, out)
        dialect = recording.snapshot.dialect.name
        actors = Actors.of(recording.snapshot)
        users = {life.actor for life in actors if life.is_road_user}
        heroes = [life.actor for life in actors if life.is_hero]
    # The projection of a map is from it to itself; reading the whole map for it takes minutes, so once is enough.
    found = by_omega_prime(out, apply_proj=sound_recording.name == BIKES)
    assert found["host"] == (heroes[0] if heroes else None)
    assert found["map"] == (None if road_map is None else road_map.read_text(encoding="utf-8"))
    assert_are_stored(found["rows"], reader.read(sound_recording.read_bytes(), dialect), users)
    back = tmp_path / "back.log"
    OsiImport().write(out, RecordingOptions(dialect=dialect), back)
    with recorder_editor.open(back) as recording:
        assert [finding.code for finding in check(recording.snapshot) if finding.severity == "error"] == []


def assert_are_stored(rows: list[list[Any]], stored: Any, users: set[int]) -> None:
    """The rows are the stored poses (and boxes, where they are recorded) of road users, and nothing else."""
    by_time: dict[int, dict[int, list[Any]]] = {}
    for time, number, *values in rows:
        by_time.setdefault(time, {})[number] = values
    boxes: dict[int, Any] = {}
    times = [round(frame.elapsed * 1e9) for frame in stored.frames]
    compared = 0
    for index, frame in enumerate(stored.frames):
        boxes.update({record[0]: record[1:] for record in frame.packets.get("BoundingBox", ())})
        if index + 1 < len(times) and times[index + 1] == times[index]:
            continue
        poses = {record[0]: record[1:] for record in frame.packets.get("Position", ()) if record[0] in users}
        told = by_time.pop(times[index], {})
        assert set(told) == set(poses)
        for actor, pose in poses.items():
            x, y, z, roll, pitch, yaw, _, _, length, width, height, _, _ = told[actor]
            base = SimpleNamespace(
                position=SimpleNamespace(x=x, y=y, z=z), orientation=SimpleNamespace(roll=roll, pitch=pitch, yaw=yaw)
            )
            box = boxes.get(actor)
            if box is not None and np.isfinite(box).all() and min(box[3:]) > 0:
                assert (length, width, height) == pytest.approx([each / 50 for each in box[3:]], rel=1e-6)
                assert_is_pose(base, pose, box[:3])
                compared += 1
            else:
                # The box is as high as the catalogue says, above the ground on which the actor stands.
                assert (x, y) == pytest.approx((pose[0] / 100, -pose[1] / 100), abs=height)
    assert by_time == {}
    assert compared or not boxes
