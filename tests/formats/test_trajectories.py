"""Trajectories as recordings: places, times, lives and blueprints come back, and what is wrong is said."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import cli, resources
from recorder_editor.format import DIALECTS
from recorder_editor.formats.trajectories import (
    ROW,
    MemoryRows,
    Origin,
    RoadUser,
    TableImport,
    TableOptions,
    Trajectories,
    TrajectoryError,
    Written,
    delimited,
    recording_pieces,
)
from recorder_editor.formats.trajectories.columns import plain_name
from recorder_editor.formats.trajectories.lives import FIRST_ID
from recorder_editor.formats.trajectories.sorted_rows import SortedRows
from recorder_editor.reading import Actors, Tracks
from recorder_editor.roads import read_road_map
from tests.roads import builders

from . import trajectory_files
from .trajectory_files import traffic, write, write_family


def import_table(source: Path, target: Path, **options: Any) -> Written:
    return TableImport().make(source, TableOptions(**options), target, overwrite=True)


def places(path: Path, dialect: str | None = None) -> dict[tuple[int, float], Sequence[float]]:
    """x, y, z (m), roll, pitch, yaw (degrees) by the number of a road user and the time, rounded to ms."""
    with recorder_editor.open(path, dialect=dialect) as recording:
        snapshot = recording.snapshot
        assert not recording.findings
        placed = Tracks(snapshot).positions(None, range(len(snapshot)))
        times = snapshot.elapsed[placed["frame"]]
    names = ("x", "y", "z", "roll", "pitch", "yaw")
    values = np.stack([placed[name].astype(np.float64) for name in names], axis=1)
    values[:, :3] /= 100
    keys = zip((placed["id"] - FIRST_ID).tolist(), np.round(times, 3).tolist(), strict=True)
    return dict(zip(keys, values.tolist(), strict=True))


def check_same(columns: trajectory_files.Columns, found: dict[tuple[int, float], Sequence[float]]) -> None:
    """Every row comes back within 1 cm and 0.1 degrees, and nothing else does."""
    first = min(columns["time"])
    assert len(found) == len(columns["x"])
    for time, name, x, y, yaw in zip(*(columns[key] for key in ("time", "track_id", "x", "y", "yaw")), strict=True):
        place = found[int(name), round(time - first, 3)]
        assert abs(place[0] - x) < 0.01
        assert abs(place[1] + y) < 0.01
        assert abs((place[5] + np.degrees(yaw) + 180) % 360 - 180) < 0.1


def attributes(path: Path) -> dict[int, tuple[str, str]]:
    """Blueprint and role by number."""
    with recorder_editor.open(path) as recording:
        lives = list(Actors.of(recording.snapshot))
    return {life.actor - FIRST_ID: (life.blueprint, life.attribute("role_name") or "") for life in lives}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("tables") / "tracks.csv", traffic())


def test_every_row_comes_back(table: Path, tmp_path: Path) -> None:
    written = import_table(table, tmp_path / "out.log", hero="5")
    assert (written.frames, written.lives, written.remarks) == (60, 5, ())
    check_same(traffic(), places(tmp_path / "out.log"))
    actors = attributes(tmp_path / "out.log")
    assert [name for name, (_, role) in actors.items() if role == "hero"] == [5]
    kinds = {name: blueprint.partition(".")[0] for name, (blueprint, _) in actors.items()}
    assert kinds == {1: "vehicle", 2: "vehicle", 3: "vehicle", 4: "walker", 5: "vehicle"}
    assert actors[3][0] in ("vehicle.diamondback.century", "vehicle.gazelle.omafiets")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_check_finds_nothing_in_any_release(
    table: Path, tmp_path: Path, dialect: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import_table(table, tmp_path / "out.log", dialect=dialect)
    assert cli.main(["check", str(tmp_path / "out.log"), "--strict", "--read-as", dialect]) == 0
    assert "no problems found in 60 frames" in capsys.readouterr().out
    check_same(traffic(), places(tmp_path / "out.log", dialect))


def test_what_a_recorder_writes_is_there(table: Path, tmp_path: Path) -> None:
    import_table(table, tmp_path / "out.log", dialect="ue4-0.9.15")
    with recorder_editor.open(tmp_path / "out.log") as recording:
        frame = recording.snapshot.frame(30)
        numbers = {packet.type.name: len(packet.decoded) for packet in frame if packet.type.body == "list"}
        first = recording.snapshot.frame(0)
        births = {packet.type.name: len(packet.decoded) for packet in first if packet.type.body == "list"}
    states = ("Position", "Kinematics", "AnimVehicle", "AnimVehicleWheels", "AnimBiker", "AnimWalker", "WalkerBones")
    assert [numbers[name] for name in states] == [5, 5, 4, 4, 1, 1, 1]
    assert (births["EventAdd"], births["BoundingBox"], births["PhysicsControl"]) == (5, 5, 4)


def test_speeds_wheels_and_pedals_follow_from_places(tmp_path: Path) -> None:
    """A car that speeds up from 5 m/s by 2 m/s²; velocities within 1 cm/s of the formula away from the ends."""
    times = np.arange(50) * 0.1
    columns = {"t": times, "id": [1] * 50, "x": (5 * times + times**2).round(6), "y": [0] * 50}
    import_table(write(tmp_path / "in.csv", columns), tmp_path / "out.log")
    with recorder_editor.open(tmp_path / "out.log") as recording:
        moved = Tracks(recording.snapshot).kinematics(None, range(50))
        frame = recording.snapshot.frame(25)
        control = next(packet.decoded.array[0] for packet in frame if packet.type.name == "AnimVehicle")
        wheels = next(packet.decoded.record(0) for packet in frame if packet.type.name == "AnimVehicleWheels")
    np.testing.assert_allclose(moved["vx"][1:-1], (5 + 2 * times)[1:-1], atol=0.01)
    assert control["throttle"] > 0.5
    assert control["brake"] == 0
    assert len(wheels["wheels"]) == 4
    assert wheels["wheels"][0]["rotation"] != 0


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_any_trajectories_come_back(data: st.DataObject) -> None:
    """Whatever drives, within 1 cm and 0.1 degrees, at its times: several lives, gaps, headings that turn round."""
    users = []
    rows = []
    times = np.cumsum(data.draw(st.lists(st.floats(0.01, 0.2), min_size=3, max_size=12))).tolist()
    for user in range(data.draw(st.integers(1, 4))):
        users.append(RoadUser(str(user + 1), data.draw(st.sampled_from(["car", "walker", "bicycle", "truck", ""]))))
        first = data.draw(st.integers(0, len(times) - 1))
        stop = data.draw(st.integers(first + 1, len(times)))
        x, y = data.draw(st.tuples(st.floats(-5000, 5000), st.floats(-5000, 5000)))
        for time in times[first:stop]:
            yaw = data.draw(st.floats(-10, 10))
            rows.append((time, user, 0, x, y, np.nan, np.nan, np.nan, yaw, np.nan, np.nan, np.nan))
            x += data.draw(st.floats(-1, 1))
            y += data.draw(st.floats(-1, 1))
    table = np.array(rows, ROW)
    pieces = recording_pieces(Trajectories("made", users, MemoryRows(table)), TableOptions())
    with TemporaryDirectory() as folder:
        path = Path(folder, "out.log")
        path.write_bytes(b"".join(pieces))
        with recorder_editor.open(path) as recording:
            placed = Tracks(recording.snapshot).positions(None, range(len(recording)))
            elapsed = recording.snapshot.elapsed[placed["frame"]] + table["time"].min()
    assert len(placed) == len(table)
    for row in table:
        user = FIRST_ID + row["user"] + 1
        match = placed[(placed["id"] == user) & (np.abs(elapsed - row["time"]) < 1e-6)][0]
        assert abs(match["x"] / 100 - row["x"]) < 0.01
        assert abs(match["y"] / 100 + row["y"]) < 0.01
        assert abs((match["yaw"] + np.degrees(float(row["yaw"])) + 180) % 360 - 180) < 0.1


# --- what tables are like ---------------------------------------------------------------------------------


def test_rows_in_any_order_are_sorted_on_disk(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By track, as most data sets have them, and in runs so short that many are merged."""
    monkeypatch.setattr("recorder_editor.formats.trajectories.sorted_rows._RUN_ROWS", 40)
    monkeypatch.setattr("recorder_editor.formats.trajectories.delimited.BLOCK", 1500)
    columns = traffic()
    order = sorted(range(len(columns["x"])), key=lambda row: (columns["track_id"][row], -columns["time"][row]))
    shuffled = {name: [column[row] for row in order] for name, column in columns.items()}
    import_table(write(tmp_path / "in.csv", shuffled), tmp_path / "out.log")
    check_same(columns, places(tmp_path / "out.log"))


def test_merged_rows_are_ordered_by_time() -> None:
    random = np.random.default_rng(7)
    rows = np.zeros(5000, ROW)
    rows["time"] = random.integers(0, 300, len(rows))
    rows["line"] = np.arange(len(rows))
    sorter = SortedRows()
    for part in np.array_split(rows, 40):
        sorter.add(part)
    merged = np.concatenate(list(sorter.blocks()))
    sorter.close()
    assert (np.diff(merged["time"]) >= 0).all()
    assert sorted(merged["line"].tolist()) == list(range(len(rows)))


def test_blocks_are_joined_without_a_seam(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recording does not depend on how many rows are worked on at a time."""
    columns = traffic(frames=400)
    source = write(tmp_path / "in.csv", columns)
    import_table(source, tmp_path / "whole.log")
    monkeypatch.setattr("recorder_editor.formats.trajectories.samples.BLOCK_ROWS", 100)
    monkeypatch.setattr("recorder_editor.formats.trajectories.sorted_rows.BLOCK_ROWS", 50)
    import_table(source, tmp_path / "parts.log")
    assert (tmp_path / "parts.log").read_bytes() == (tmp_path / "whole.log").read_bytes()


@pytest.mark.parametrize(("delimiter", "encoding"), [(";", "utf-16"), ("\t", "latin-1"), ("|", "utf-8-sig")])
def test_other_separators_and_encodings(tmp_path: Path, delimiter: str, encoding: str) -> None:
    columns = traffic(frames=5)
    columns["class"] = ["Fußgänger" if name == "pedestrian" else name for name in columns["class"]]
    source = write(tmp_path / "in.csv", columns, delimiter, encoding)
    written = import_table(source, tmp_path / "out.log", classes=("Fußgänger=walker",))
    assert written.remarks == ()
    check_same(columns, places(tmp_path / "out.log"))


def test_a_comma_in_numbers(tmp_path: Path) -> None:
    columns = traffic(frames=5)
    texts = {name: [str(value).replace(".", ",") for value in column] for name, column in columns.items()}
    import_table(write(tmp_path / "in.csv", texts, ";"), tmp_path / "out.log")
    check_same(columns, places(tmp_path / "out.log"))


def test_without_pyarrow_the_same_bytes(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import_table(table, tmp_path / "fast.log")
    monkeypatch.setattr(delimited, "_fast_parser", lambda *_: None)
    import_table(table, tmp_path / "slow.log")
    assert (tmp_path / "slow.log").read_bytes() == (tmp_path / "fast.log").read_bytes()


def test_parquet_with_units_in_the_metadata(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = traffic(frames=5)
    degrees = pa.array(np.degrees(columns["yaw"]))
    fields = [pa.field("heading", pa.float64(), metadata={"unit": "°"})]
    arrays = [degrees]
    for name in ("time", "track_id", "x", "y"):
        arrays.append(pa.array(columns[name]))
        fields.append(pa.field(name, arrays[-1].type))
    parquet.write_table(pa.Table.from_arrays(arrays, schema=pa.schema(fields)), tmp_path / "in.parquet")
    import_table(tmp_path / "in.parquet", tmp_path / "out.log")
    check_same(columns, places(tmp_path / "out.log"))


def test_units_of_names_numbers_and_options(tmp_path: Path) -> None:
    """Times in ms are told by the name, degrees by their size, feet by an option."""
    columns = traffic(frames=5)
    other = {
        "timestamp_ms": [1000 * time for time in columns["time"]],
        "agent_id": columns["track_id"],
        "px": [x / 0.3048 for x in columns["x"]],
        "py": [y / 0.3048 for y in columns["y"]],
        "heading": [np.degrees(yaw) + 360 for yaw in columns["yaw"]],
    }
    written = import_table(
        write(tmp_path / "in.csv", other), tmp_path / "out.log", columns=("x=px", "y=4"), units=("x=ft", "y=ft")
    )
    assert written.remarks == ("Nothing tells the unit of heading: by its numbers it is taken for deg.",)
    check_same(columns, places(tmp_path / "out.log"))


def test_axes_headings_and_origin(tmp_path: Path) -> None:
    """South as the simulator, headings of a compass, and the whole moved by 100 m and turned by 90 degrees."""
    columns = traffic(frames=4)
    other = dict(columns)
    other["y"] = [-y for y in columns["y"]]
    other["yaw"] = [90 - float(np.degrees(yaw)) for yaw in columns["yaw"]]
    source = write(tmp_path / "in.csv", other)
    import_table(source, tmp_path / "out.log", axes="simulator", heading="compass", units=("yaw=deg",))
    check_same(columns, places(tmp_path / "out.log"))
    import_table(
        source,
        tmp_path / "moved.log",
        axes="simulator",
        heading="compass",
        units=("yaw=deg",),
        origin=Origin(100, 200, 3, 90),
    )
    before = places(tmp_path / "out.log")
    for key, place in places(tmp_path / "moved.log").items():
        x, y, z, _, _, yaw = before[key]
        np.testing.assert_allclose(place[:3], (100 - y, 200 + x, z + 3), atol=0.001)
        assert abs((place[5] - yaw - 90 + 180) % 360 - 180) < 0.001


@pytest.mark.parametrize(
    ("name", "plain", "unit"),
    [
        ("xCenter", "xcenter", ""),
        ("timestamp_ms", "timestamp", "ms"),
        ("speed [km/h]", "speed", "km/h"),
        ("psi_rad", "psi", "rad"),
        ("x (m)", "x", "m"),
        ("Global_X", "globalx", ""),
    ],
)
def test_names_with_units(name: str, plain: str, unit: str) -> None:
    assert plain_name(name) == (plain, unit)


def test_places_between_rows_by_a_step(tmp_path: Path) -> None:
    """Uneven times, and frames every 50 ms: places lie on the line between the rows."""
    times = [0.0, 0.03, 0.11, 0.2, 0.26, 0.4]
    columns = {"time": times, "id": [7] * 6, "x": [10 * time for time in times], "y": [0.0] * 6}
    import_table(write(tmp_path / "in.csv", columns), tmp_path / "out.log", step=0.05)
    found = places(tmp_path / "out.log")
    assert [time for _, time in found] == [round(0.05 * frame, 3) for frame in range(9)]
    np.testing.assert_allclose([place[0] for place in found.values()], 0.5 * np.arange(9), atol=1e-4)
    import_table(tmp_path / "in.csv", tmp_path / "kept.log")
    assert [time for _, time in places(tmp_path / "kept.log")] == times


def test_times_that_differ_by_rounding_are_one_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One road user's times are added up, the other's multiplied, as programs do that write each by itself."""
    rows = []
    time = 0.0
    for frame in range(30):
        rows += [(time, 7, float(frame), 0.0), (round(frame * 0.1, 3), 8, float(frame), 9.0)]
        time += 0.1
    path = write(tmp_path / "in.csv", dict(zip(("time", "id", "x", "y"), zip(*rows, strict=True), strict=True)))
    assert import_table(path, tmp_path / "out.log").frames == 30
    monkeypatch.setattr("recorder_editor.formats.trajectories.samples.BLOCK_ROWS", 7)
    monkeypatch.setattr("recorder_editor.formats.trajectories.sorted_rows.BLOCK_ROWS", 7)
    assert import_table(path, tmp_path / "again.log").frames == 30
    assert (tmp_path / "again.log").read_bytes() == (tmp_path / "out.log").read_bytes()


def test_headings_that_point_elsewhere_than_road_users_go_are_told(tmp_path: Path) -> None:
    """A northbound and an eastbound car, as a compass counts; the unit is the first word in the brackets."""
    rows = ["time,id,x,y,heading (deg clockwise)"]
    for step in range(20):
        rows.append(f"{step / 10},1,3,{step},0")
        rows.append(f"{step / 10},2,{step},9,90")
    (tmp_path / "in.csv").write_text("\n".join(rows), "utf-8")
    (doubt,) = import_table(tmp_path / "in.csv", tmp_path / "out.log").remarks
    assert doubt == (
        "Only 0% of the headings point where road users go; counted as compass it would be 100%: --heading compass."
    )
    assert import_table(tmp_path / "in.csv", tmp_path / "compass.log", heading="compass").remarks == ()
    assert places(tmp_path / "compass.log")[1, 1.0][5] == pytest.approx(-90)


def test_columns_that_are_not_used_are_named(tmp_path: Path) -> None:
    columns = traffic(frames=5) | {"lane": [1] * 25, "mood": ["good"] * 25}
    written = import_table(write(tmp_path / "in.csv", columns), tmp_path / "out.log")
    assert written.remarks == ("Columns that are not used: lane, mood.",)


def test_an_origin_beyond_all_grids_is_refused(table: Path, tmp_path: Path) -> None:
    with pytest.raises(TrajectoryError, match="The origin is farther than 10,000,000 m away: --origin"):
        import_table(table, tmp_path / "out.log", origin=Origin(0, 1e300))


# --- what is missing or odd -------------------------------------------------------------------------------


def test_gaps_jumps_and_numbers_that_are_none(tmp_path: Path) -> None:
    """A short gap and a NaN are filled, after a long gap it is another actor, a jump is told with its row."""
    times = [round(0.1 * frame, 1) for frame in range(60) if frame not in (5, 6) and not 30 <= frame < 45]
    x = [time * 10 for time in times]
    x[10] = float("nan")
    x[20:] = [value + 80 for value in x[20:]]
    columns = {"time": [*times], "id": [3] * len(times), "x": x, "y": [0.0] * len(times)}
    columns = {name: column + [other] * 60 for (name, column), other in zip(columns.items(), (0, 4, 5, 5), strict=True)}
    columns["time"][len(times) :] = [round(0.1 * frame, 1) for frame in range(60)]
    written = import_table(write(tmp_path / "in.csv", columns), tmp_path / "out.log")
    assert written.remarks == (
        "Row 12, column x: there is no number. Road user 3 gets a place between its rows before and after.",
        "Row 22: road user 3 jumps 81.0 m in 0.100 s. It is kept as one.",
    )
    found = places(tmp_path / "out.log")
    assert found[3, 0.5][0] == pytest.approx(5, abs=0.001)
    assert found[3, 1.2][0] == pytest.approx(12, abs=0.001)
    assert (3, 3.0) not in found
    assert written.lives == 3
    split = import_table(tmp_path / "in.csv", tmp_path / "split.log", split_jumps=True)
    assert split.lives == 4
    assert cli.main(["check", str(tmp_path / "split.log"), "--strict"]) == 0


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("", {}, "in.csv is empty."),
        ("time,id,x,y\n", {}, "in.csv holds no rows."),
        (
            "a,id,x,y\n1,1,1,1\n",
            {},
            "in.csv: no column tells the time. There are a, id, x, y; name one: --column time=NAME.",
        ),
        ("frame,id,x,y\n1,1,1,1\n", {}, "only frame counts frames. Give their rate: --frame-rate 25."),
        (
            "time,id,x\n1,1,1\n",
            {},
            "in.csv: no column tells y of the centre. There are time, id, x; name one: --column y=NAME.",
        ),
        ("time,id,x,y\n1,1,=1+1,2\n", {}, "Row 2, column x: “=1+1” is no number."),
        ("time,id,x,y\n1,1,1,2\n\n1.1,1,1\n", {}, "Row 4 of in.csv has 3 columns, the first line 4."),
        ("time,id,x,y\n1,1,1,2\n1,1,3,2\n", {}, "Row 3: road user 1 has another row at the same time, 1.000 s."),
        (
            "time,id,x,y\n1,1,1e9,2\n",
            {},
            "Row 2, column x: 1e+09 is too large; no number there may be larger than 10,000,000.",
        ),
        ("time,id,x,y\n1,1,\0,2\n", {}, "Row 2 of in.csv holds a NUL byte: it is no text file."),
        ("time,id,x,y\n1,1,1,2\n", {"hero": "9"}, "in.csv has no road user 9 to be the hero; there are 1."),
        ("time,id,x,y\n1,1,1,2\n", {"columns": ("x=xx",)}, "There is no column xx."),
        ("time,id,x,y\n1,1,1,2\n", {"columns": ("q=x",)}, "q is nothing that a column may be; there are time, frame"),
        ("time,id,x,y\n1,1,1,2\n", {"units": ("x=furlong",)}, "furlong is no unit of x; there are m, cm, mm, km, ft."),
        ("time,id,x,y\n1,1,1,2\n", {"start": 5.0}, "No road user is there in that range of time."),
        (
            "time,id,x,y\n0,1,1,2\n9e6,1,1,2\n",
            {"step": 1e-3, "units": ("time=s",)},
            "would make 9,000,000,000 frames of 2 rows",
        ),
        ("frame,id,x,y,width,height,xVelocity,yVelocity\n", {}, "in.csv: no column tells the time"),
    ],
)
def test_what_is_wrong_is_a_sentence(tmp_path: Path, text: str, options: dict[str, Any], sentence: str) -> None:
    (tmp_path / "in.csv").write_text(text, "utf-8")
    with pytest.raises(TrajectoryError) as raised:
        import_table(tmp_path / "in.csv", tmp_path / "out.log", **options)
    assert sentence in str(raised.value)
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_hostile_lines_are_bounded(tmp_path: Path) -> None:
    """One line of 20 MB, and a million columns: a sentence, not memory."""
    (tmp_path / "line.csv").write_bytes(b"time,id,x,y\n" + b"1" * 20_000_000)
    with pytest.raises(TrajectoryError, match=r"Row 2 of line.csv is longer than 1,048,576 characters"):
        import_table(tmp_path / "line.csv", tmp_path / "out.log")
    (tmp_path / "wide.csv").write_bytes(b"," * 1_000_000 + b"\n1\n")
    with pytest.raises(TrajectoryError, match=r"wide.csv has 1,000,001 columns; a table of trajectories has at most"):
        import_table(tmp_path / "wide.csv", tmp_path / "out.log")


def test_words_that_mean_no_class_are_told(tmp_path: Path) -> None:
    columns = traffic(frames=2)
    columns["class"] = ["7"] * len(columns["x"])
    source = write(tmp_path / "in.csv", columns)
    written = import_table(source, tmp_path / "out.log")
    assert written.remarks[-1].startswith(
        "The class “7” means no kind of road user: sizes tell what the 5 with it are."
    )
    kinds = {name: blueprint for name, (blueprint, _) in attributes(tmp_path / "out.log").items()}
    assert kinds[4].startswith("walker.")
    assert kinds[2] == "vehicle.carlamotors.firetruck" or "carlacola" in kinds[2] or "hgv" in kinds[2]


# --- data sets and maps -----------------------------------------------------------------------------------


def test_an_exported_table_comes_back(tmp_path: Path) -> None:
    """The town with its hero: places, heights, blueprints and roles; props and sensors are left out."""
    town = resources.path("sample/town.log")
    assert cli.main(["export", str(town), str(tmp_path / "poses.csv"), "--to", "3"]) == 0
    written = import_table(tmp_path / "poses.csv", tmp_path / "out.log", hero="25")
    assert "are left out" in written.remarks[-1]
    with recorder_editor.open(town) as recording, recorder_editor.open(tmp_path / "out.log") as made:
        frame = int(np.searchsorted(recording.snapshot.elapsed, 2.0))
        before = Tracks(recording.snapshot).positions(None, range(frame, frame + 1))
        after = Tracks(made.snapshot).positions(None, range(frame, frame + 1))
        blueprints = {life.actor: life.blueprint for life in Actors.of(recording.snapshot)}
        lives = {life.actor: life for life in Actors.of(made.snapshot)}
    assert len(after) > 20
    for place in after:
        actor = int(place["id"]) - FIRST_ID
        (same,) = before[before["id"] == actor]
        for name in ("x", "y", "z"):
            assert abs(place[name] - same[name]) < 1
        for name in ("roll", "pitch", "yaw"):
            assert abs((place[name] - same[name] + 180) % 360 - 180) < 0.1
        assert lives[int(place["id"])].blueprint == blueprints[actor]
    assert lives[FIRST_ID + 25].attribute("role_name") == "hero"


def test_the_family_of_ind_is_known_by_its_columns(tmp_path: Path) -> None:
    columns = traffic()
    source = write_family(tmp_path, 0, columns)
    written = import_table(source, tmp_path / "out.log")
    assert written.remarks == ()
    check_same(columns, places(tmp_path / "out.log"))
    assert attributes(tmp_path / "out.log")[4][0].startswith("walker.")
    import_table(tmp_path, tmp_path / "folder.log")
    assert (tmp_path / "folder.log").read_bytes() == (tmp_path / "out.log").read_bytes()


def test_importers_of_highd_lead_to_this_one_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_family(tmp_path, 1, traffic(frames=2))
    assert cli.main(["import-highd", str(tmp_path), "1", str(tmp_path / "out.log")]) == 1
    assert "`recorder-editor import-trajectories" in capsys.readouterr().err
    assert cli.main(["l1", str(tmp_path), str(tmp_path / "l1"), "--workers", "1"]) == 1
    assert "`recorder-editor import-trajectories" in capsys.readouterr().err
    first = tmp_path / "first"  # the numbers of inD begin with 00, which are none of highD
    first.mkdir()
    source = write_family(first, 0, traffic(frames=2))
    assert cli.main(["l1", str(first), str(tmp_path / "l1")]) == 2
    assert f"`recorder-editor import-trajectories {source} OUT`" in capsys.readouterr().err
    (tmp_path / "02_tracks.csv").write_text("frame,id,x,y,width,height,xVelocity,yVelocity\n1,1,1,1,4,2,1,1\n")
    assert cli.main(["import-trajectories", str(tmp_path / "02_tracks.csv"), str(tmp_path / "out.log")]) == 1
    assert f"`recorder-editor import-highd {tmp_path} 2 OUT`" in capsys.readouterr().err


def test_heights_slopes_and_axes_of_a_road_map(tmp_path: Path) -> None:
    """A road that rises by 10 % along x and tilts by 0.05: a car stands on it, y to the south is found."""
    rise = builders.profile("elevation", (0.0, 2.0, 0.1))
    tilt = builders.profile("superelevation", (0.0, 0.05))
    lanes = builders.section(right=[builders.lane(-1, widths=((0.0, 4.0),))])
    roads = read_road_map(builders.opendrive(builders.road(elevation=rise, lateral=tilt, lanes=lanes)))
    times = np.arange(20) * 0.1
    columns = {"time": times, "id": [1] * 20, "x": 10 + 10 * times, "y": [2.0] * 20, "yaw": [0.0] * 20}
    written = import_table(write(tmp_path / "in.csv", columns), tmp_path / "out.log", roads=roads)
    assert written.remarks[0].startswith("100% of the vehicles' places lie in a driving lane")
    place = places(tmp_path / "out.log")[1, 1.0]
    # Two metres to the right of a line that is 2 m high and rises by 0.1 a metre.
    assert place[2] == pytest.approx(2 + 0.1 * 20 - 2 * np.tan(0.05), abs=0.1)
    assert place[4] == pytest.approx(np.degrees(np.arctan(0.1)), abs=0.2)
    assert place[3] == pytest.approx(np.degrees(0.05), abs=0.3)


def test_the_verb_says_what_is_odd(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["import-trajectories", str(table), str(tmp_path / "out.log"), "--hero", "1", "--class", "car=van"]
    assert cli.main(command) == 0
    assert capsys.readouterr() == ("", "")
    assert attributes(tmp_path / "out.log")[1][1] == "hero"
    assert cli.main(["import-trajectories", str(tmp_path / "none.csv"), str(tmp_path / "other.log")]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_an_error_of_the_system_is_a_sentence(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a full stop, as every other failure."""

    def refuse(*_: Any) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / "out.log"))

    monkeypatch.setattr(TableImport, "load", refuse)
    assert cli.main(["import-trajectories", str(table), str(tmp_path / "out.log")]) == 1
    assert capsys.readouterr().err.endswith("out.log: Permission denied.\n")


def test_many_short_steps_are_made_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many frames as a step makes of few rows do not come at once, and are the same."""
    source = write(tmp_path / "in.csv", traffic(frames=6))
    import_table(source, tmp_path / "whole.log", step=0.001)
    monkeypatch.setattr("recorder_editor.formats.trajectories.samples._MOST_SAMPLES", 100)
    import_table(source, tmp_path / "parts.log", step=0.001)
    assert (tmp_path / "parts.log").read_bytes() == (tmp_path / "whole.log").read_bytes()


def test_places_too_far_for_floats_are_told_with_what_helps(tmp_path: Path) -> None:
    columns = {"time": [0.0, 0.1], "id": [1, 1], "x": [500_000.0, 500_001.0], "y": [5_400_000.0] * 2}
    source = write(tmp_path / "in.csv", columns)
    (remark,) = import_table(source, tmp_path / "far.log").remarks
    assert remark.endswith("keeps them to 64 cm only. Move them nearer: --origin=-500000,5400000,0,0.")
    assert import_table(source, tmp_path / "near.log", origin=Origin(-500_000, 5_400_000)).remarks == ()
    assert import_table(source, tmp_path / "wide.log", dialect="ue5-0.10.0").remarks == ()
