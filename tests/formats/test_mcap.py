"""Recordings as MCAP, read back by the format's own library and by another one, against bytes read by hand."""

import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pybag.mcap_reader
import pytest
from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given, settings
from hypothesis import strategies as st
from mcap.reader import make_reader
from mcap.stream_reader import StreamReader

import recorder_editor
from recorder_editor import Recording
from recorder_editor.cli import main
from recorder_editor.errors import Cancelled
from recorder_editor.extras import install_command
from recorder_editor.formats.export import ExportError, export, preview
from recorder_editor.formats.mcap import McapOptions
from recorder_editor.formats.openscenario import ScenarioError
from recorder_editor.formats.signals import Signal
from recorder_editor.progress import Progress
from recorder_editor.reading.selectors import SelectorError, find_subset
from recorder_editor.recording.note import Note
from recorder_editor.roads import read_road_map

from .. import builders as b
from ..extent import examples
from ..recording.films import WALKERS, add, box, collide, delete, film, of_real, opened
from ..replay.rotation import rotation
from . import reader

NANO = 10**9
START = b.DATE * NANO
Messages = dict[str, list[tuple[int, Any]]]


def read(path: Path) -> Messages:
    """The messages of each topic with their log times, decoded by the schemas that the file itself has."""
    found: Messages = {}
    with path.open("rb") as stream:
        source = make_reader(stream, validate_crcs=True)
        summary = source.get_summary()
        assert summary is not None
        kinds = {}
        for schema in summary.schemas.values():
            assert schema.encoding == "protobuf"
            pool, files = DescriptorPool(), FileDescriptorSet.FromString(schema.data)
            for file in files.file:
                pool.Add(file)
            kinds[schema.id] = GetMessageClass(pool.FindMessageTypeByName(schema.name))
        for schema, channel, message in source.iter_messages():
            assert schema is not None
            assert channel.message_encoding == "protobuf"
            found.setdefault(channel.topic, []).append((message.log_time, kinds[schema.id].FromString(message.data)))
    return found


def written(recording: Recording, folder: Path, *signals: str, all_poses: bool = True, **subset: Any) -> Messages:
    chosen = find_subset(recording.snapshot, **subset)
    export(
        recording.snapshot,
        folder / "out.mcap",
        McapOptions(signals=signals, all_poses=all_poses),
        chosen,
        overwrite_beside=True,
    )
    return read(folder / "out.mcap")


def axes(turn: Any) -> Any:
    """The rotation matrix of a quaternion."""
    x, y, z, w = turn.x, turn.y, turn.z, turn.w
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
        )
    )


def assert_is_pose(place: Any, turn: Any, stored: Any) -> None:
    """The pose is the stored one (x, y, z in cm, roll, pitch, yaw in degrees) in metres with y mirrored."""
    x, y, z = (value / 100 for value in stored[:3])
    assert (place.x, place.y, place.z) == pytest.approx((x, -y, z), abs=1e-6)
    mirror = np.diag((1.0, -1.0, 1.0))
    wanted = mirror @ rotation(np.array(stored, np.float64)).T @ mirror
    assert np.abs(axes(turn) - wanted).max() < 1e-5


# --- what is in it ----------------------------------------------------------------------------------------


@of_real(WALKERS)
def test_every_pose_of_real_recordings_is_told_twice(short_recording: Path, tmp_path: Path) -> None:
    with recorder_editor.open(short_recording) as recording:
        found, dialect = written(recording, tmp_path), recording.snapshot.dialect.name
    stored = reader.read(short_recording.read_bytes(), dialect)
    assert len(found["/tf"]) == len(found["/poses"]) == len(found["/scene"]) == len(stored.frames)
    told = 0
    for at, frame in enumerate(stored.frames):
        records = {record[0]: record[1:] for record in frame.packets.get("Position", ())}
        (time, transforms), (_, poses) = found["/tf"][at], found["/poses"][at]
        assert time == pytest.approx(stored.date * NANO + frame.elapsed * NANO, abs=1000)
        assert [each.child_frame_id for each in transforms.transforms] == [f"actor/{actor}" for actor in records]
        both = zip(transforms.transforms, poses.poses, records.values(), strict=True)
        for transform, pose, values in both:
            assert transform.parent_frame_id == poses.frame_id == "map"
            assert transform.timestamp.seconds * NANO + transform.timestamp.nanos == time
            assert_is_pose(transform.translation, transform.rotation, values)
            assert_is_pose(pose.position, pose.orientation, values)
            told += 1
        boxes = [each.id for each in found["/scene"][at][1].entities if each.id.startswith("actor/")]
        assert boxes == [each.child_frame_id for each in transforms.transforms]
    assert told > 100


@given(
    st.lists(st.floats(-1e7, 1e7, width=32), min_size=3, max_size=3),
    st.lists(st.floats(-180, 180, width=32), min_size=3, max_size=3),
)
@settings(max_examples=examples(60))
def test_any_pose_is_told(location: list[float], turn: list[float]) -> None:
    from recorder_editor.formats.mcap_messages import _poses

    kinds = [("x", "f4"), ("y", "f4"), ("z", "f4"), ("roll", "f4"), ("pitch", "f4"), ("yaw", "f4")]
    ((x, y, z, *quaternion),) = _poses(np.array([(*location, *turn)], kinds)).tolist()
    message = FrameTransforms()
    each = message.transforms.add()
    each.translation.x, each.translation.y, each.translation.z = x, y, z
    each.rotation.x, each.rotation.y, each.rotation.z, each.rotation.w = quaternion
    assert_is_pose(each.translation, each.rotation, (*location, *turn))


def drive() -> bytes:
    """A hero that brakes and hits a walker, who is gone then; a traffic light turns green."""

    def position(n: int, *ids: int) -> bytes:
        return b.packet(6, b.position([b.pose(each, b.xyz(100.0 * n, 200.0, 0.0), b.turn(yaw=90.0)) for each in ids]))

    def moving(n: int) -> bytes:
        lights = b.packet(10, b.vehicle_light([{"id": 7, "lights": 8 if n else 0}]))
        state = {"id": 3, "frozen": False, "elapsed": 0.1, "state": 2 if n > 1 else 0}
        return lights + b.packet(7, b.traffic_light_state([state]))

    hero = b.actor(7, 1, "vehicle.lincoln.mkz_2017", attributes=[b.attribute(3, "role_name", "hero")])
    walker = b.actor(8, 2, "walker.pedestrian.0001")
    light = b.actor(3, 3, "traffic.traffic_light")
    return film(
        [add(light, hero, walker), position(0, 7, 8), moving(0), box(7, 8)],
        [collide((7, 8)), position(1, 7, 8), moving(1)],
        [delete(8), position(2, 7), moving(2)],
    )


def test_the_scene_has_boxes_labels_lights_and_collisions(tmp_path: Path) -> None:
    with opened(drive()) as recording:
        found = written(recording, tmp_path)
    first, second, third = (message for _, message in found["/scene"])
    hero = next(each for each in first.entities if each.id == "actor/7")
    assert (hero.frame_id, hero.frame_locked) == ("actor/7", True)
    (cube,), (arrow,), (label,) = hero.cubes, hero.arrows, hero.texts
    assert (cube.size.x, cube.size.y, cube.size.z) == pytest.approx((2.0, 1.8, 1.4))
    assert (cube.pose.position.x, cube.pose.position.y, cube.pose.position.z) == pytest.approx((0.0, 0.0, 0.7))
    assert label.text == "7 lincoln.mkz_2017 hero"
    assert arrow.shaft_length > 0
    assert not hero.spheres
    lit = next(each for each in second.entities if each.id == "actor/7")
    assert [(sphere.pose.position.x, sphere.color.r > 0.8) for sphere in lit.spheres] == [(-1.0, True)] * 2
    assert [(each.key, each.value) for each in lit.metadata] == [("lights", "Brake")]
    assert lit.cubes[0].color != hero.cubes[0].color, "it has hit somebody"
    assert {each.id for each in second.entities} >= {"collision/7", "collision/8"}
    assert [(each.id, each.timestamp.seconds) for each in third.deletions] == [("actor/8", b.DATE)]
    assert "actor/8" not in {each.id for each in third.entities}
    lights = [next(e for e in each.entities if e.id == "light/3").spheres[0].color for each in (first, second, third)]
    assert lights[0] == lights[1] != lights[2]


def test_a_collision_is_marked_in_its_frame_and_not_in_the_next(tmp_path: Path) -> None:
    both = b.packet(6, b.position([b.pose(7), b.pose(8)]))
    with opened(film([add(b.actor(7), b.actor(8)), both], [both, collide((7, 8))], [both], [both])) as recording:
        found = written(recording, tmp_path)
    marked = [[each.id for each in scene.entities if each.id.startswith("collision/")] for _, scene in found["/scene"]]
    assert marked == [[], ["collision/7", "collision/8"], [], []]


def test_an_event_between_the_chosen_frames_is_told_in_the_next(tmp_path: Path) -> None:
    position = b.packet(6, b.position([b.pose(7)]))
    frames = [[position] for _ in range(7)]
    frames[0] = [add(b.actor(7)), position]
    with opened(film(*frames)) as recording:
        recording.context.notes = (Note("Too fast", 2, 3), Note("Slower", 3, 4), Note("Stops", 4, 5))
        found = written(recording, tmp_path, step=3)
    told = [(time - START, each.message) for time, each in found["/events"] if each.name == "note"]
    assert told == [(150_000_000, "Too fast"), (150_000_000, "Slower"), (300_000_000, "Stops")]


def test_events_and_notes_are_log_entries_and_the_header_is_metadata(tmp_path: Path) -> None:
    with opened(drive()) as recording:
        recording.context.notes = (Note("Too fast", 1, 2), Note("gone", 1, 2, is_gone=True))
        found = written(recording, tmp_path)
    told = [(time - START, each.level, each.name, each.message) for time, each in found["/events"]]
    assert (50_000_000, 3, "collision", "7 lincoln.mkz_2017 hero - 8 pedestrian.0001") in told
    assert (50_000_000, 1, "note", "Too fast") in told
    assert (100_000_000, 2, "gone", "8 pedestrian.0001") in told
    assert (0, 2, "born", "7 lincoln.mkz_2017 hero") in told
    assert not [each for each in told if each[3] == "gone"]
    with (tmp_path / "out.mcap").open("rb") as stream:
        (about,) = make_reader(stream).iter_metadata()
    assert about.name == "recording"
    assert about.metadata["map"] == "Town01"
    assert "y mirrored" in about.metadata["axes"]


def test_signals_are_those_of_heroes_or_of_chosen_actors(tmp_path: Path) -> None:
    wanted = "ahead = Position: location.x", "Position where frame == 2: z; Position where id == 7: location.y"
    with opened(drive()) as recording:
        found = written(recording, tmp_path, *wanted)
        of_walker = written(recording, tmp_path, actors=["8"])
    values = np.array([(each.speed, each.ahead, each.z, each.location_y) for _, each in found["/signals/7"]])
    wanted_values = [(20.0, 0.0, math.nan, 200.0), (20.0, 100.0, 0.0, 200.0), (20.0, 200.0, math.nan, 200.0)]
    np.testing.assert_allclose(values, wanted_values, rtol=1e-6)
    assert len(of_walker["/signals/8"]) == 2, "it is gone in the third frame"
    assert [each.id for each in of_walker["/scene"][0][1].entities] == ["actor/8"]


@pytest.mark.parametrize("text", ["speed", "Position: nonsense", "Position: blueprint", "PhysicsControl: mass", "=: x"])
def test_a_signal_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    with opened(drive()) as recording, pytest.raises(SelectorError):
        written(recording, tmp_path, text)
    assert list(tmp_path.iterdir()) == []


def test_a_signal_of_somebody_else_goes_beside_it(tmp_path: Path) -> None:
    with opened(drive()) as recording:
        own = Signal("slip", None, np.array([1]), np.array([2.5]))
        export(recording.snapshot, tmp_path / "out.mcap", signals=[own])
        found = read(tmp_path / "out.mcap")
    assert [(time - START, each.slip) for time, each in found["/signals"]] == [(50_000_000, 2.5)]


def test_lanes_are_lines_of_their_own_topic(maps: Path, recordings: Path, tmp_path: Path) -> None:
    source, out = recordings / "carla-0.9.13-town01.log", tmp_path / "out.mcap"
    assert main(["export", str(source), str(out), "--to", "#3", "--xodr", str(maps / "Town01.xodr")]) == 0
    ((time, message),) = read(out)["/map"]
    assert time == read(out)["/scene"][0][0]
    roads = read_road_map(maps / "Town01.xodr")
    points = np.array([(p.x, -p.y) for line in message.entities[0].lines for p in line.points])
    assert len(points) > 1000
    assert len(points) % 2 == 0
    found = roads.locate(points[::50])
    assert (found["lane"] >= 0).mean() > 0.9, "borders lie on lanes of the map"
    longest = np.hypot(*(points[1::2] - points[::2]).T).max()
    assert longest < 250


# --- the file ---------------------------------------------------------------------------------------------


@of_real(WALKERS)
def test_the_file_is_sound_and_another_reader_finds_the_same(short_recording: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.mcap"
    assert main(["export", str(short_recording), str(out)]) == 0
    with out.open("rb") as stream:
        list(StreamReader(stream, validate_crcs=True).records)
    with out.open("rb") as stream:
        source = make_reader(stream, validate_crcs=True)
        summary = source.get_summary()
        own = [(channel.topic, message.log_time, message.data) for _, channel, message in source.iter_messages()]
    assert summary is not None
    assert summary.statistics is not None
    assert summary.statistics.message_count == len(own)
    assert [chunk.compression for chunk in summary.chunk_indexes] == ["zstd"] * len(summary.chunk_indexes)
    assert all(chunk.message_index_offsets for chunk in summary.chunk_indexes)
    times = [time for _, time, _ in own]
    assert times == sorted(times)
    other = pybag.mcap_reader.McapFileReader.from_file(out, enable_crc_check=True)
    with other:
        counts = {topic: other.get_message_count(topic) for topic in other.get_topics()}
        inner = other._reader
        channels = {number: channel.topic for number, channel in inner.get_channels().items()}
        again = [(channels[each.channel_id], each.log_time, bytes(each.data)) for each in inner.get_messages()]
    assert counts == {topic: sum(each[0] == topic for each in own) for topic in counts}
    assert sorted(again) == sorted(own)


def test_the_layout_beside_it_follows_the_hero(tmp_path: Path) -> None:
    with opened(drive()) as recording:
        written(recording, tmp_path)
        layout = json.loads((tmp_path / "out.layout.json").read_text())
        assert layout["configById"]["3D!scene"]["followTf"] == "actor/7"
        assert layout["configById"]["Plot!signals"]["paths"][0]["value"] == "/signals/7.speed"
        panels = {layout["layout"]["first"], *map(layout["layout"]["second"].get, ("first", "second"))}
        assert panels == layout["configById"].keys()
        written(recording, tmp_path, actors=["8"])
    layout = json.loads((tmp_path / "out.layout.json").read_text())
    assert layout["configById"]["3D!scene"]["followTf"] == "map"


def test_the_preview_lists_the_channels(tmp_path: Path) -> None:
    with opened(drive()) as recording:
        chosen = find_subset(recording.snapshot)
        found = preview(recording.snapshot, ".mcap", McapOptions(all_poses=True), chosen)
        told = written(recording, tmp_path)
    assert {row[0]: int(row[2]) for row in found.rows} == {topic: len(each) for topic, each in told.items()}
    assert found.size == (tmp_path / "out.mcap").stat().st_size, "all frames are a sample of so few"
    assert found.rows[0][1] == "foxglove.SceneUpdate"


def test_the_preview_of_many_frames_tells_about_the_size_of_all(tmp_path: Path) -> None:
    def position(n: int) -> bytes:
        return b.packet(6, b.position([b.pose(each, b.xyz(37.123 * each * n % 997.0)) for each in range(1, 30)]))

    with opened(film(*([position(n)] for n in range(400)))) as recording:
        found = preview(recording.snapshot, ".mcap", McapOptions(all_poses=True), find_subset(recording.snapshot))
        written(recording, tmp_path)
    assert found.size == pytest.approx((tmp_path / "out.mcap").stat().st_size, rel=0.5)


def test_poses_are_told_each_second_unless_in_every_frame(recordings: Path, tmp_path: Path) -> None:
    with recorder_editor.open(recordings / "carla-0.9.13-town01.log") as recording:
        found, last = written(recording, tmp_path, all_poses=False), recording.snapshot.elapsed[-1]
    times = [time for time, _ in found["/poses"]]
    assert len({time // NANO for time in times}) == len(times) == int(last) + 1
    transforms = dict(found["/tf"])
    for time, message in found["/poses"]:
        both = zip(message.poses, transforms[time].transforms, strict=True)
        assert all(pose.position.x == transform.translation.x for pose, transform in both)


def test_steps_ranges_and_texts_that_are_no_unicode(tmp_path: Path) -> None:
    odd = b.actor(
        7, 1, "vehicle.\ud800".encode(errors="surrogatepass"), attributes=[b.attribute(3, "role_name", b"\xff")]
    )
    frames = [[b.packet(6, b.position([b.pose(7, b.xyz(float(n)))]))] for n in range(10)]
    frames[0] = [add(odd), collide((7, 0xFFFFFFFF)), *frames[0]]
    with opened(film(*frames)) as recording:
        found = written(recording, tmp_path, start="#2", stop="#9", step=3)
    assert [round(each.transforms[0].translation.x, 2) for _, each in found["/tf"]] == [0.01, 0.04, 0.07]
    assert "/events" not in found
    with opened(film(*frames)) as recording:
        found = written(recording, tmp_path)
    assert found["/events"][1][1].message == found["/scene"][0][1].entities[0].texts[0].text
    assert "\\x" in found["/events"][1][1].message


def test_an_actor_of_no_known_class_has_a_box(tmp_path: Path) -> None:
    poses = b.packet(6, b.position([b.pose(7), b.pose(8)]))
    with opened(film([add(b.actor(7, 0, "odd.thing")), poses])) as recording:
        found = written(recording, tmp_path)
    assert [each.texts[0].text for each in found["/scene"][0][1].entities] == ["7 odd.thing", "8"]


NOT_FINITE = [b.pose(8, b.xyz(math.nan)), b.pose(9, b.xyz(), b.turn(yaw=math.inf))]


def test_poses_that_are_no_numbers_are_left_out_and_of_several_the_last_is_told(tmp_path: Path) -> None:
    poses = [b.pose(7, b.xyz(100.0)), *NOT_FINITE, b.pose(7, b.xyz(300.0))]
    with opened(film([b.packet(6, b.position(poses))], [])) as recording:
        found = written(recording, tmp_path)
    both = [[(each.child_frame_id, each.translation.x) for each in message.transforms] for _, message in found["/tf"]]
    assert both == [[("actor/7", 3.0)], []]
    wide = b.packet(6, b.position([b.pose(7, b.xyz(1e305)), b.pose(8, b.xyz(100.0))], wide=True))
    with opened(film([wide]), "ue5-2026") as recording:
        found = written(recording, tmp_path)
    assert [each.child_frame_id for each in found["/tf"][0][1].transforms] == ["actor/8"]


@pytest.mark.parametrize("elapsed", [(0.0, math.nan), (0.1, 0.05), (0.0, 1e12), (-1.0, 0.0)])
def test_times_that_are_none_are_refused(elapsed: tuple[float, ...], tmp_path: Path) -> None:
    data = b.recording(*(b.frame(n + 1, time, 0.05, []) for n, time in enumerate(elapsed)))
    with opened(data) as recording, pytest.raises(ScenarioError, match="Time falls or is no number at frame"):
        written(recording, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_recording_without_frames_is_refused(tmp_path: Path) -> None:
    with opened(b.recording()) as recording, pytest.raises(ScenarioError, match="no frame"):
        written(recording, tmp_path)


def test_a_cancelled_export_leaves_nothing(tmp_path: Path) -> None:
    with opened(drive()) as recording, pytest.raises(Cancelled):
        export(recording.snapshot, tmp_path / "out.mcap", progress=Progress(None, lambda: True))
    assert list(tmp_path.iterdir()) == []


def test_without_its_libraries_a_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "recorder_editor.formats.mcap_messages", None)
    with opened(drive()) as recording, pytest.raises(ExportError, match=re.escape(install_command("mcap"))):
        export(recording.snapshot, tmp_path / "out.mcap")


def test_the_command_line_refuses_what_is_for_other_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "town.log"
    path.write_bytes(drive())

    def refused(*words: str) -> Iterator[str]:
        assert main(["export", str(path), *words]) == 2
        yield capsys.readouterr().err

    mcap, csv = str(tmp_path / "out.mcap"), str(tmp_path / "out.csv")
    assert "--table is for CSV (.csv), JSON Lines (.jsonl), Parquet (.parquet)." in next(
        refused(mcap, "--table", "positions")
    )
    assert "--signals is for MCAP (.mcap)." in next(refused(csv, "--signals", "Position: z"))
    assert "--for is for OpenSCENARIO (.xosc)." in next(refused(mcap, "--for", "esmini"))
    assert "no packet" in next(refused(mcap, "--signals", "Nothing: z"))
    assert main(["export", str(path), mcap, "--signals", "Position: z", "--actors", "7,8"]) == 0
    assert {"/signals/7", "/signals/8"} <= read(Path(mcap)).keys()
    assert len(read(Path(mcap))["/poses"]) == 1
    assert main(["export", str(path), mcap, "--all-poses"]) == 0
    assert len(read(Path(mcap))["/poses"]) == 3
