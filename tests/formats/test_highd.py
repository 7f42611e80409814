"""highD as recordings: places, sizes, lives and times, read back by hand and through the library."""

import math
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor import cli
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.formats.highd import (
    _META,
    _TRACKS,
    FIRST_ID,
    Highd,
    HighdError,
    HighdOptions,
    Origin,
    nearest_model,
    read_highd,
)
from recorder_editor.reading import Tracks
from tests.analysis import highd

from .reader import ONLY_WHEN_NOT_EMPTY, RULES, Recording, read

NEWEST = "ue4-0.9.15"
MEDIAN = 20.0


def import_highd(folder: Path, number: int, target: Path, *, overwrite: bool = False, **options: Any) -> None:
    Highd().write(folder, HighdOptions(number=number, **options), target, overwrite=overwrite)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("highd")
    highd.write(made, 7, highd.traffic(12))
    return made


@pytest.fixture(scope="module")
def imported(folder: Path) -> Recording:
    import_highd(folder, 7, folder / "seven.log")
    return read((folder / "seven.log").read_bytes(), NEWEST)


def rounded(folder: Path) -> dict[str, np.ndarray]:
    """What stands in the CSV: highD's numbers have two decimals."""
    return {
        name: np.array([float(f"{value:.2f}") for value in column]) if column.dtype.kind == "f" else column
        for name, column in highd.traffic(12).items()
    }


def test_every_trajectory_comes_back_to_a_millimetre(folder: Path, imported: Recording) -> None:
    rows = rounded(folder)
    places = {
        (record[0] - FIRST_ID, frame.number): record[1:]
        for frame in imported.frames
        for record in frame.packets["Position"]
    }
    assert len(places) == len(rows["id"])
    found = np.array([places[key] for key in zip(rows["id"].tolist(), rows["frame"].tolist(), strict=True)])
    np.testing.assert_allclose(found[:, 0] / 100, rows["x"] + rows["width"] / 2, atol=0.001)
    np.testing.assert_allclose(found[:, 1] / 100, rows["y"] + rows["height"] / 2, atol=0.001)
    assert not found[:, 2:5].any()


def test_the_median_lies_on_the_drivers_left(folder: Path, imported: Recording) -> None:
    """Unreal's yaw turns clockwise from above, from X to Y; a driver's left is at yaw - 90 degrees."""
    ways = set()
    for frame in imported.frames:
        for _, _, y, _, _, _, yaw in frame.packets["Position"]:
            left = np.sin(np.radians(yaw - 90))
            assert np.sign(left) == np.sign(MEDIAN - y / 100)
            assert abs(left) > 0.9
            ways.add(round(yaw / 180) % 2)
    assert ways == {0, 1}


def test_yaw_does_not_jump_within_a_track(imported: Recording) -> None:
    before: dict[int, float] = {}
    for frame in imported.frames:
        for record in frame.packets["Position"]:
            assert abs(record[6] - before.get(record[0], record[6])) < 5
            before[record[0]] = record[6]


def test_time_begins_at_zero_in_steps_of_the_frame_rate(imported: Recording) -> None:
    assert [frame.number for frame in imported.frames] == list(range(1, len(imported.frames) + 1))
    np.testing.assert_allclose([frame.elapsed for frame in imported.frames], np.arange(len(imported.frames)) / 25)
    assert [frame.duration for frame in imported.frames] == [0.04] * (len(imported.frames) - 1) + [-1.0]


def test_tracks_are_born_in_their_first_frame_and_gone_after_their_last(folder: Path, imported: Recording) -> None:
    rows = highd.traffic(12)
    for track in np.unique(rows["id"]).tolist():
        own, actor = rows["frame"][rows["id"] == track], FIRST_ID + track
        born = [frame.number for frame in imported.frames for each in frame.packets["EventAdd"] if each.id == actor]
        gone = [frame.number for frame in imported.frames for each in frame.packets["EventDel"] if each[0] == actor]
        assert born == [own.min()]
        assert gone == ([own.max() + 1] if own.max() < len(imported.frames) else [])


def test_boxes_have_their_true_size_and_blueprints_are_near(folder: Path, imported: Recording) -> None:
    rows = rounded(folder)
    boxes = {box[0] - FIRST_ID: box for frame in imported.frames for box in frame.packets["BoundingBox"]}
    names = {each.id - FIRST_ID: each.blueprint for frame in imported.frames for each in frame.packets["EventAdd"]}
    for track, length, width, kind in zip(rows["id"], rows["width"], rows["height"], rows["class"], strict=True):
        assert boxes[track][4] == pytest.approx(50 * length, abs=1e-3)
        assert boxes[track][5] == pytest.approx(50 * width, abs=1e-3)
        assert (names[track] == "vehicle.carlamotors.carlacola") == (kind == "Truck")
    assert nearest_model(2.2, 1.5, truck=False).name == "vehicle.micro.microlino"
    assert nearest_model(5.9, 2.0, truck=False).name == "vehicle.mercedes.sprinter"


def test_velocities_are_those_of_highd(folder: Path, imported: Recording) -> None:
    rows = rounded(folder)
    told = {
        (record[0] - FIRST_ID, frame.number): record[1:]
        for frame in imported.frames
        for record in frame.packets.get("Kinematics", [])
    }
    found = np.array([told[key] for key in zip(rows["id"].tolist(), rows["frame"].tolist(), strict=True)])
    np.testing.assert_allclose(found[:, 0], rows["xVelocity"], atol=1e-5)
    np.testing.assert_allclose(found[:, 1], rows["yVelocity"], atol=1e-5)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_every_dialect_gets_the_packets_it_has(folder: Path, tmp_path: Path, dialect: str) -> None:
    import_highd(folder, 7, tmp_path / "out.log", dialect=dialect, start=2.0, stop=3.0)
    found = read((tmp_path / "out.log").read_bytes(), dialect)
    assert len(found.frames) == 25
    for name in set(RULES[dialect].ids) - ONLY_WHEN_NOT_EMPTY:
        assert all(name in frame.packets for frame in found.frames), name
    with recorder_editor.open(tmp_path / "out.log", dialect=dialect) as recording:
        assert not recording.findings


def test_a_stretch_begins_with_everybody_who_is_there(folder: Path, tmp_path: Path) -> None:
    """From 4 s up to 6 s are highD's frames 101 to 150."""
    import_highd(folder, 7, tmp_path / "out.log", start=4.0, stop=6.0)
    found, rows = read((tmp_path / "out.log").read_bytes(), NEWEST), highd.traffic(12)
    assert len(found.frames) == 50
    there = set((FIRST_ID + rows["id"][rows["frame"] == 101]).tolist())
    assert {each.id for each in found.frames[0].packets["EventAdd"]} == there
    assert {record[0] for record in found.frames[0].packets["Position"]} == there
    assert found.frames[0].elapsed == 0.0


def test_the_origin_moves_and_turns_the_road(folder: Path, tmp_path: Path, imported: Recording) -> None:
    """A quarter turn clockwise: highD's x becomes the world's Y, its y the world's -X."""
    import_highd(folder, 7, tmp_path / "out.log", origin=Origin(100.0, -50.0, 2.0, 90.0), map_name="Town04")
    data = (tmp_path / "out.log").read_bytes()
    assert b"Town04" in data[:60]
    for before, after in zip(imported.frames, read(data, NEWEST).frames, strict=True):
        for one, two in zip(before.packets["Position"], after.packets["Position"], strict=True):
            expected = (10000 - one[2], -5000 + one[1], 200.0)
            assert max(abs(a - b) for a, b in zip(two[1:4], expected, strict=True)) < 0.05
            assert abs(two[6] - one[6] - 90) < 1e-4
        for one, two in zip(before.packets.get("Kinematics", []), after.packets.get("Kinematics", []), strict=True):
            assert abs(two[1] + one[2]) < 1e-5
            assert abs(two[2] - one[1]) < 1e-5


def test_a_direction_is_held_while_a_vehicle_hardly_moves(tmp_path: Path) -> None:
    """Standing, then to +y, then creeping; and one to -x that never moves."""
    frame = np.tile(np.arange(1, 7), 2)
    rows = {
        "frame": frame,
        "id": np.repeat([1, 2], 6),
        "width": np.full(12, 4.0),
        "height": np.full(12, 2.0),
        "xVelocity": np.array([0.1, 0.0, 0.0, 0.0, 0.3, 0.0] + [0.0] * 6),
        "yVelocity": np.array([0.0, 0.1, 5.0, 5.0, 0.0, -0.4] + [0.0] * 6),
        "direction": np.repeat([2, 1], 6),
    }
    highd.write(tmp_path, 1, rows)
    yaw = np.degrees(read_highd(tmp_path, 1).yaw)
    assert yaw.tolist() == [90.0] * 6 + [180.0] * 6


def test_what_is_missing_or_broken_is_named(folder: Path, tmp_path: Path) -> None:
    def refusal() -> str:
        with pytest.raises(HighdError) as refused:
            import_highd(tmp_path, 7, tmp_path / "out.log")
        return refused.value.message

    assert "07_recordingMeta.csv is missing" in refusal()
    for name in ("recordingMeta", "tracksMeta", "tracks"):
        (tmp_path / f"07_{name}.csv").write_bytes((folder / f"07_{name}.csv").read_bytes())
    tracks = tmp_path / "07_tracks.csv"
    text = tracks.read_text(encoding="utf-8")
    tracks.write_text(text.replace(",x,", ",z,", 1), encoding="utf-8")
    assert refusal() == "07_tracks.csv holds no column x."
    tracks.write_text(text.replace("\n1,1,", "\n1,one,", 1), encoding="utf-8")
    assert refusal().startswith("07_tracks.csv cannot be read: could not convert string 'one'")
    tracks.write_text(text.splitlines()[0] + "\n", encoding="utf-8")
    assert refusal() == "07_tracks.csv holds no rows."
    for start in (1000.0, 1e308):
        with pytest.raises(HighdError, match="No vehicle is there"):
            import_highd(folder, 7, tmp_path / "out.log", start=start)
    for span in ({"start": math.nan}, {"stop": math.nan}, {"start": math.inf}, {"stop": -math.inf}):
        with pytest.raises(HighdError, match="begins and ends at a number of seconds"):
            import_highd(folder, 7, tmp_path / "out.log", **span)
    assert not (tmp_path / "out.log").exists()


@pytest.mark.parametrize(
    ("text", "other", "said"),
    [
        (",25,", ",0,", "07_recordingMeta.csv, line 2: frameRate has to be a number from 0.01 to 10,000."),
        (",25,", ",1e308,", "07_recordingMeta.csv, line 2: frameRate has to be a number from 0.01 to 10,000."),
        (",25,", ",1e-308,", "07_recordingMeta.csv, line 2: frameRate has to be a number from 0.01 to 10,000."),
        (",25,", ",fast,", "07_recordingMeta.csv, line 2: frameRate has to be a number from 0.01 to 10,000."),
        ("frameRate", "rate", "07_recordingMeta.csv holds no column frameRate."),
        ("7,25,1", "7", "07_recordingMeta.csv breaks off."),
        ("id,", '"id,', "07_recordingMeta.csv breaks off."),
    ],
)
def test_damage_to_what_is_said_of_a_recording_is_named(tmp_path: Path, text: str, other: str, said: str) -> None:
    meta = tmp_path / "07_recordingMeta.csv"
    meta.write_text("id,frameRate,locationId\n7,25,1\n".replace(text, other, 1), encoding="utf-8")
    with pytest.raises(HighdError, match=said):
        read_highd(tmp_path, 7)


@pytest.mark.parametrize(
    ("month", "time", "date"), [("10.2017", "08:38", "2017-10-01T08:38"), ("October", "08:38", "2017-09-01T00:00")]
)
def test_the_date_is_that_of_month_and_start_time(
    folder: Path, tmp_path: Path, month: str, time: str, date: str
) -> None:
    for name in ("recordingMeta", "tracksMeta", "tracks"):
        text = (folder / f"07_{name}.csv").read_text(encoding="utf-8")
        (tmp_path / f"07_{name}.csv").write_text(text.replace("10.2017", month).replace("08:38", time), "utf-8")
    expected = datetime.fromisoformat(f"{date}+00:00").timestamp()
    assert read_highd(tmp_path, 7).date == expected


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("2000000", "07_tracks.csv has track 1 in frame 2,000,000, but 07_tracksMeta.csv says that it ends in frame "),
        ("1e308", "07_tracks.csv, line 6: frame is 1e+308; no number there may be larger than 10,000,000."),
        ("-3", "07_tracks.csv holds frame -3; frames are whole numbers from 0 on."),
        ("2.5", "07_tracks.csv holds frame 2.5; frames are whole numbers from 0 on."),
    ],
)
def test_a_frame_number_out_of_bounds_is_refused(folder: Path, tmp_path: Path, value: str, said: str) -> None:
    for name in ("recordingMeta", "tracksMeta", "tracks"):
        (tmp_path / f"07_{name}.csv").write_bytes((folder / f"07_{name}.csv").read_bytes())
    tracks = tmp_path / "07_tracks.csv"
    tracks.write_text(tracks.read_text(encoding="utf-8").replace("\n5,1,", f"\n{value},1,", 1), encoding="utf-8")
    with pytest.raises(HighdError) as refused:
        import_highd(tmp_path, 7, tmp_path / "out.log")
    assert refused.value.message.startswith(said)
    assert not (tmp_path / "out.log").exists()


def with_cell(folder: Path, other: Path, name: str, column: str, value: str) -> None:
    """Copy a recording with another value in the second row of a file, or in its only one."""
    for each in ("recordingMeta", "tracksMeta", "tracks"):
        text = (folder / f"07_{each}.csv").read_text(encoding="utf-8")
        if each == name:
            lines = text.split("\n")
            row = 2 if lines[2] else 1
            cells = lines[row].split(",")
            cells[lines[0].split(",").index(column)] = value
            lines[row] = ",".join(cells)
            text = "\n".join(lines)
        (other / f"07_{each}.csv").write_text(text, encoding="utf-8")


READ = ("x", "y", "width", "height", "xVelocity", "yVelocity")


@pytest.mark.parametrize(("value", "said"), [("1e308", "is 1e+308"), ("-2e7", "is -2e+07"), ("nan", "is not a finite")])
@pytest.mark.parametrize("column", READ)
def test_a_number_without_bounds_is_refused_with_its_line(
    folder: Path, tmp_path: Path, column: str, value: str, said: str
) -> None:
    with_cell(folder, tmp_path, "tracks", column, value)
    with pytest.raises(HighdError) as refused:
        import_highd(tmp_path, 7, tmp_path / "out.log")
    assert refused.value.message.startswith(f"07_tracks.csv, line 3: {column} {said}")
    assert not (tmp_path / "out.log").exists()


CELLS = [
    ("recordingMeta", "frameRate"),
    *(("tracksMeta", column) for column in _META),
    *(("tracks", column) for column in _TRACKS),
]
"""The cells that are read."""


@pytest.mark.parametrize(("name", "column"), CELLS)
def test_no_number_of_a_file_makes_a_recording_of_infinities(
    folder: Path, tmp_path: Path, name: str, column: str
) -> None:
    out = tmp_path / "out.log"
    refused = []
    for value in ("1e308", "-1e308", "1e7", "-1e7", "1e-308", "inf", "999999999999999"):
        with_cell(folder, tmp_path, name, column, value)
        try:
            import_highd(tmp_path, 7, out, stop=0.2, overwrite=True)
        except HighdError as error:
            refused.append(error.message)
            continue
        with recorder_editor.open(out) as recording:
            for packet in ("Position", "Kinematics", "BoundingBox"):
                for table in Tracks(recording.snapshot).blocks(packet):
                    assert all(np.isfinite(table[field]).all() for field in table.dtype.names or ())
    assert all(message.startswith("07_") for message in refused)


@pytest.mark.parametrize("origin", [Origin(1e308), Origin(y=-1e308), Origin(z=2e7), Origin(yaw=1e308)])
def test_an_origin_without_bounds_is_refused(folder: Path, tmp_path: Path, origin: Origin) -> None:
    with pytest.raises(HighdError, match="The origin has to lie within 10,000,000 m"):
        import_highd(folder, 7, tmp_path / "out.log", origin=origin)


def test_the_verb_writes_a_recording_that_opens(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = [str(folder), "07", str(tmp_path / "out.log"), "--from", "1", "--to", "2", "--write-as", "ue5-2026"]
    assert cli.main(["import-highd", *words, "--origin=-1,2,0,180", "--map", "Town04"]) == 0
    assert capfd.readouterr() == ("", "")
    with recorder_editor.open(tmp_path / "out.log") as recording:
        assert len(recording) == 25
        assert recording.dialect.name == "ue5-2026"
        assert recording.header is not None
        assert recording.header.map_name == "Town04"
    assert cli.main(["import-highd", str(folder), "7", str(tmp_path / "x.log"), "--origin", "1,2"]) == 2
    assert cli.main(["import-highd", str(folder / "none"), "7", str(tmp_path / "x.log")]) == 2
    assert cli.main(["import-highd", str(folder), "8", str(tmp_path / "x.log")]) == 1
