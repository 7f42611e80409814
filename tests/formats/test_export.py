"""Tables as files, read back by other programs and compared with bytes that the library never decoded."""

import csv
import json
import math
import re
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import recorder_editor
from recorder_editor import Recording, edits
from recorder_editor.cli import main
from recorder_editor.errors import Cancelled
from recorder_editor.extras import install_command
from recorder_editor.formats.export import ExportError, TableOptions, export, preview, suffixes
from recorder_editor.formats.tables import tables
from recorder_editor.progress import Progress
from recorder_editor.reading.selectors import SelectorError, find_subset

from .. import builders as b
from ..extent import is_long
from ..recording import naive
from ..recording.films import BIKES, COLLISIONS, WALKERS, add, attach, beginning, collide, delete, film, of_real, opened

Rows = list[dict[str, Any]]
READABLE = (".csv", ".jsonl", ".parquet")
POSITION = ("x_m", "y_m", "z_m", "roll_deg", "pitch_deg", "heading_deg")


# --- reading files back -----------------------------------------------------------------------------------


def strict(text: str) -> Any:
    """JSON as the standard has it: no NaN, no Infinity."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def float_of(text: str) -> float:
    """A number of a JSON file: those that are not finite are told by their bits."""
    width, digits = text.split(":")
    code = {"f32": (">I", ">f"), "f64": (">Q", ">d")}[width]
    value: float = struct.unpack(code[1], struct.pack(code[0], int(digits, 16)))[0]
    return value


def from_csv(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, strict=True))


def from_json(path: Path) -> Rows:
    rows: Rows = [strict(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        {name: float_of(v) if isinstance(v, str) and v[:4] in ("f32:", "f64:") else v for name, v in row.items()}
        for row in rows
    ]


def from_parquet(path: Path) -> Rows:
    rows: Rows = pyarrow.parquet.read_table(path).to_pylist()
    return rows


def written(recording: Recording, folder: Path, ending: str, table: str = "positions", **subset: Any) -> Rows:
    path = folder / f"out{ending}"
    export(recording.snapshot, path, TableOptions(table), find_subset(recording.snapshot, **subset))
    return {".csv": from_csv, ".jsonl": from_json, ".parquet": from_parquet}[ending](path)


def like(told: Any, value: Any) -> Any:
    """What a file says, as the type that is expected there: CSV knows texts alone."""
    if told in ("true", "false"):
        return told == "true"
    return (None if told == "" else type(value)(told)) if isinstance(told, str) else told


def agree(found: Rows, expected: Rows) -> None:
    """Equal in every value: floats of four bytes when they are the same four bytes, a boolean of 2 is true."""
    assert len(found) == len(expected)
    for row, wanted in zip(found, expected, strict=True):
        for name, value in wanted.items():
            told = row[name] if isinstance(value, str) else like(row[name], value)
            if isinstance(told, bool):
                assert told == bool(value), (row, name)
            elif isinstance(value, float):
                same = told == value or (math.isnan(told) and math.isnan(value))
                assert same or struct.pack("<f", told) == struct.pack("<f", value), (row, name, value)
            else:
                assert told == value, (row, name, value)


# --- what the bytes say -----------------------------------------------------------------------------------


def starts(data: bytes) -> list[tuple[int, float, float]]:
    """Id, duration and elapsed time of each frame."""
    return [struct.unpack("<Qdd", packet.body) for packet in naive.packets(data) if packet.id == 0]


def known(data: bytes) -> Callable[[int, int], tuple[str, str]]:
    """Blueprint and role of an id in a frame."""
    by_id: dict[int, list[naive.Life]] = {}
    for life in naive.world(data).lives:
        by_id.setdefault(life.actor, []).append(life)

    def who(actor: int, frame: int) -> tuple[str, str]:
        for life in by_id.get(actor, []):
            if life.born <= frame and (life.gone is None or frame < life.gone):
                role = next((value for _, name, value in life.attributes if name == "role_name"), "")
                return life.blueprint, role
        return "", ""

    return who


def placed(data: bytes) -> Rows:
    """The rows of the table of positions, made one by one."""
    times, who, speeds = starts(data), known(data), naive.speeds(data)
    records: dict[tuple[int, int], tuple[float, ...]] = {}
    order: list[tuple[int, int]] = []
    for packet in naive.packets(data):
        if packet.id == 6:
            for actor, *pose in naive.records(packet.body, "<I6f"):
                records[packet.frame, actor] = tuple(pose)
                order.append((packet.frame, actor))
    rows = []
    for frame, actor in order:
        x, y, z, *turns = records[frame, actor]
        blueprint, role = who(actor, frame)
        pose = dict(zip(POSITION, (x / 100, y / 100, z / 100, *turns), strict=True))
        rows.append(
            {
                "frame": frame + 1,
                "frame_id": times[frame][0],
                "time_s": times[frame][2],
                "id": actor,
                "blueprint": blueprint,
                "role": role,
                **pose,
                "speed_mps": speeds[frame, actor],
            }
        )
    return rows


# --- positions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", READABLE)
@of_real(WALKERS)
def test_positions_of_every_real_recording_read_back_equal(short_recording: Path, tmp_path: Path, ending: str) -> None:
    expected = placed(short_recording.read_bytes())
    with recorder_editor.open(short_recording) as recording:
        found = written(recording, tmp_path, ending)
    assert list(found[0]) == list(expected[0])
    speeds = [(row.pop("speed_mps"), wanted.pop("speed_mps")) for row, wanted in zip(found, expected, strict=True)]
    agree(found, expected)
    for told, wanted in speeds:
        assert float(told) == pytest.approx(wanted, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("ending", READABLE)
def test_the_damaged_recording_gives_a_table_without_rows(damaged_recording: Path, tmp_path: Path, ending: str) -> None:
    with recorder_editor.open(damaged_recording) as recording:
        assert written(recording, tmp_path, ending) == []


@pytest.mark.parametrize("window", [1, 5000, 40_000])
@of_real(WALKERS, long=())
def test_rows_do_not_depend_on_where_blocks_end(
    short_recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, window: int
) -> None:
    with recorder_editor.open(short_recording) as recording:
        export(recording.snapshot, tmp_path / "whole.csv")
        monkeypatch.setattr("recorder_editor.formats.tables.derived._WINDOW", window)
        export(recording.snapshot, tmp_path / "parts.csv")
    assert (tmp_path / "whole.csv").read_bytes() == (tmp_path / "parts.csv").read_bytes()


def test_a_jump_has_no_part_in_a_speed_and_a_lone_frame_has_none(tmp_path: Path) -> None:
    def at(x: float) -> bytes:
        return b.packet(6, b.position([b.pose(7, b.xyz(x))]))

    with opened(film([add(b.actor(7)), at(0.0)], [at(50.0)], [at(90_000.0)], [], [at(90_000.0)])) as recording:
        speeds = [row["speed_mps"] for row in written(recording, tmp_path, ".parquet")]
    assert speeds[:2] == [pytest.approx(10.0), pytest.approx(10.0)]
    assert all(map(math.isnan, speeds[2:]))


def test_units_and_meanings_stand_in_the_parquet_file(tmp_path: Path, recordings: Path) -> None:
    with recorder_editor.open(recordings / "carla-0.9.13-opendrive.log") as recording:
        export(recording.snapshot, tmp_path / "out.parquet", TableOptions("Position"))
    schema = pyarrow.parquet.read_schema(tmp_path / "out.parquet")
    assert schema.metadata[b"table"] == b"Position"
    assert schema.field("location_x_cm").metadata[b"unit"] == b"cm"
    assert schema.field("rotation_yaw_deg").metadata[b"unit"].decode() == "°"
    assert all(field.metadata[b"meaning"] for field in schema)


# --- every packet ------------------------------------------------------------------------------------------


def flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from flat(inner, f"{path}_{name}" if path else name)
    elif not isinstance(value, list):
        yield path, value


def plain(value: Any) -> Any:
    """A value that went into the bytes, as tables tell it: the payloads of NaN are lost, odd bytes are escaped."""
    if isinstance(value, b.Bits32 | b.Bits64):
        code = ("<f", "<I") if isinstance(value, b.Bits32) else ("<d", "<Q")
        return struct.unpack(code[0], struct.pack(code[1], value.bits))[0]
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value


IN_NO_TABLE = ("padding_", "lateral_slip_graph")
"""Bytes of the memory of a server, with which nobody can calculate."""


def column(path: str, names: list[str]) -> str:
    """The one column that holds a field: its name, or that with a unit behind it."""
    if path in names:
        return path
    (found,) = [name for name in names if name.rpartition("_")[0] == path]
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("ending", READABLE)
@pytest.mark.parametrize("dialect", b.RELEASES)
def test_every_packet_of_every_dialect_reads_back_equal(dialect: str, ending: str, tmp_path: Path) -> None:
    with opened(b.everything(dialect), dialect) as recording:
        for sample in b.samples(dialect):
            if sample.records is None:
                continue
            found = [row for row in written(recording, tmp_path, ending, sample.name) if int(row["frame"]) == 1]
            names = list(found[0])
            expected = []
            for number, record in enumerate(sample.records, 1):
                # Of a packet that holds one number alone, the column has the packet's name.
                place = {"record": number} if names[3] == "record" else {}
                row = {column(path, names) if place else names[3]: plain(value) for path, value in flat(record)}
                expected.append({"frame": 1, "frame_id": 1, "time_s": 0.0, **place, **row})
            agree(found, expected)
            lists = {name for record in sample.records for name, value in record.items() if isinstance(value, list)}
            for name in lists:
                elements_agree(recording, tmp_path, ending, sample, name)


def elements_agree(recording: Recording, folder: Path, ending: str, sample: b.Sample, name: str) -> None:
    found = written(recording, folder, ending, f"{sample.name}.{name}")
    expected = []
    for number, record in enumerate(sample.records or [], 1):
        for place, element in enumerate(record[name], 1):
            told = [(path, value) for path, value in flat(element) if not path.startswith(IN_NO_TABLE)]
            values = {column(f"{name}_{path}", list(found[0])): plain(value) for path, value in told}
            expected.append({"frame": 1, "record": number, "id": record["id"], "element": place, **values})
    agree(found, expected)


def test_records_are_counted_in_their_frame_whoever_is_chosen(tmp_path: Path) -> None:
    def both(*ids: int) -> bytes:
        return b.packet(6, b.position([b.pose(each) for each in ids]))

    with opened(film([add(b.actor(1), b.actor(2)), both(1, 2), both(2)], [both(2, 1)])) as recording:
        rows = written(recording, tmp_path, ".parquet", "Position", actors=["2"])
    assert [(row["frame"], row["record"]) for row in rows] == [(1, 2), (1, 3), (2, 1)]


# --- derived tables ----------------------------------------------------------------------------------------


def test_lights_are_told_one_by_one(tmp_path: Path) -> None:
    lamps = b.packet(10, b.vehicle_light([{"id": 7, "lights": 0x2 | 0x20 | 0x400}]))
    with opened(film([add(b.actor(7)), lamps])) as recording:
        (row,) = written(recording, tmp_path, ".jsonl", "lights")
    assert {name for name, value in row.items() if value is True} == {"low_beam", "left_blinker", "special2"}


def test_traffic_lights_are_told_by_colour(tmp_path: Path) -> None:
    states = b.packet(
        7,
        b.traffic_light_state(
            [
                {"id": 3, "frozen": False, "elapsed": 1.5, "state": 0},
                {"id": 4, "frozen": True, "elapsed": 0.0, "state": 9},
            ]
        ),
    )
    with opened(film([add(b.actor(3, 3, "traffic.traffic_light")), states])) as recording:
        rows = written(recording, tmp_path, ".jsonl", "traffic_lights")
    assert [(row["blueprint"], row["state"], row["in_state_s"], row["frozen"]) for row in rows] == [
        ("traffic.traffic_light", "Red", 1.5, False),
        ("", "9", 0.0, True),
    ]


def test_collisions_carry_names_and_last_from_frame_to_frame(tmp_path: Path) -> None:
    walker = b.actor(8, 2, "walker.pedestrian.0001", attributes=[b.attribute(3, "role_name", "a, b")])
    frames = film([add(b.actor(7), walker)], [collide((7, 8))], [collide((8, 7))], [], [collide((7, 0xFFFFFFFF))])
    with opened(frames) as recording:
        rows = written(recording, tmp_path, ".csv", "collisions")
        assert len(written(recording, tmp_path, ".csv", "collisions", actors=["8"])) == 1
        assert written(recording, tmp_path, ".csv", "collisions", start="#3", stop="#5") == []
    assert [(row["frame"], row["last_frame"], row["records"], row["actor2_id"]) for row in rows] == [
        ("2", "3", "2", "8"),
        ("5", "5", "1", "4294967295"),
    ]
    assert (rows[0]["actor1_blueprint"], rows[0]["actor2_class"], rows[0]["actor2_role"]) == (
        "vehicle.lincoln.mkz_2017",
        "walker",
        "a, b",
    )
    assert (rows[1]["actor2_blueprint"], rows[1]["actor2_class"]) == ("", "")


def test_actors_that_stay_have_no_end(tmp_path: Path) -> None:
    with opened(film([add(b.actor(7), b.actor(8))], [attach((8, 7)), delete(8)], [])) as recording:
        for ending, nothing in ((".parquet", None), (".jsonl", None), (".csv", "")):
            stays, goes = written(recording, tmp_path, ending, "actors")
            assert (stays["gone_frame"], stays["gone_time_s"], stays["parent"]) == (nothing,) * 3
            assert (int(goes["gone_frame"]), float(goes["gone_time_s"])) == (2, 0.05)


@of_real(BIKES)
def test_all_tables_of_all_real_recordings_agree_between_forms(
    short_recording: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    data = short_recording.read_bytes() if is_long(request.config) else beginning(short_recording, 15)
    with opened(data, None) as recording:
        for table in tables(recording.snapshot):
            if table.name != "positions":
                columns = [column.path for column in table.columns]
                assert len(set(columns)) == len(columns)
                csv_rows, json_rows, rows = (written(recording, tmp_path, each, table.name) for each in READABLE)
                for found in (csv_rows, json_rows):
                    agree(found, rows)
                    assert all(list(row) == columns for row in (*found[:1], *rows[:1]))


# --- who and when ------------------------------------------------------------------------------------------


@pytest.fixture
def town(recordings: Path) -> Iterator[Recording]:
    """Five seconds of a real one."""
    with opened(beginning(recordings / COLLISIONS, 100), None) as recording:
        yield recording


def test_a_choice_of_actors_is_what_filtering_all_rows_gives(town: Recording, tmp_path: Path) -> None:
    every = written(town, tmp_path, ".parquet")
    ids = sorted({row["id"] for row in every})
    first, other = ids[0], ids[len(ids) // 2]
    words = {
        f"{first}": lambda row: row["id"] == first,
        "hero": lambda row: row["role"] == "hero",
        "role:auto*": lambda row: row["role"].startswith("auto"),
        "type:vehicle.*": lambda row: row["blueprint"].startswith("vehicle."),
    }
    for word, meant in words.items():
        wanted = [row for row in every if meant(row)]
        if wanted:
            assert written(town, tmp_path, ".parquet", actors=[word]) == wanted
    pair = [row for row in every if row["id"] in (first, other)]
    assert written(town, tmp_path, ".parquet", actors=[str(other), str(first)]) == pair


def test_one_life_of_an_id_that_returns_is_chosen_by_a_frame(tmp_path: Path) -> None:
    here = b.packet(6, b.position([b.pose(7)]))
    with opened(film([add(b.actor(7)), here], [here], [delete(7)], [add(b.actor(7)), here], [here])) as recording:
        assert [row["frame"] for row in written(recording, tmp_path, ".parquet", actors=["7"])] == [1, 2, 4, 5]
        assert [row["frame"] for row in written(recording, tmp_path, ".parquet", actors=["7@2"])] == [1, 2]
        assert [row["frame"] for row in written(recording, tmp_path, ".parquet", actors=["7@#5"])] == [4, 5]
        assert [row["frame"] for row in written(recording, tmp_path, ".jsonl", "EventDel", actors=["7@1"])] == [3]
        with pytest.raises(SelectorError, match="not alive in frame 3"):
            find_subset(recording.snapshot, ["7@3"])


@pytest.mark.parametrize("table", ["positions", "Position", "State", "EventAdd.attributes"])
def test_a_time_range_includes_its_start_and_not_its_end(town: Recording, tmp_path: Path, table: str) -> None:
    every = written(town, tmp_path, ".parquet", table)
    wanted = [row for row in every if 2.0 <= row["time_s"] < 4.0]
    assert written(town, tmp_path, ".parquet", table, start="2", stop="4.0") == wanted
    frames = [row for row in every if 30 <= row["frame"] < 33]
    assert written(town, tmp_path, ".parquet", table, start="#30", stop="#33") == frames
    tenth = [row for row in every if row["frame"] >= 5 and (row["frame"] - 5) % 10 == 0]
    found = written(town, tmp_path, ".parquet", table, start="#5", step=10)
    assert [(row["frame"], row["id"]) for row in found] == [(row["frame"], row["id"]) for row in tenth]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"actors": ["999999"]}, "no actor 999999"),
        ({"actors": ["role:nobody"]}, "role name"),
        ({"actors": ["type:boat.*"]}, "blueprint"),
        ({"actors": ["somebody"]}, "names no actor"),
        ({"start": "soon"}, "not a time"),
        ({"start": "#0"}, "from f1"),
        ({"start": "5", "stop": "5"}, "No frame lies"),
        ({"start": "1e9"}, "No frame lies"),
        ({"step": 0}, "A step of 0"),
    ],
)
def test_words_that_mean_nobody_or_no_time_are_refused(town: Recording, words: dict[str, Any], said: str) -> None:
    with pytest.raises(SelectorError, match=said):
        find_subset(town.snapshot, **words)


def test_seconds_mean_nothing_where_time_goes_back() -> None:
    data = b.recording(b.frame(1, 0.0), b.frame(2, 5.0), b.frame(3, 1.0))
    with opened(data) as recording:
        with pytest.raises(SelectorError, match="frame 3"):
            find_subset(recording.snapshot, start="2")
        assert find_subset(recording.snapshot, start="#2").frames == range(1, 3)


def test_an_id_that_was_never_born_can_be_chosen(tmp_path: Path) -> None:
    with opened(film([b.packet(6, b.position([b.pose(5), b.pose(6)]))])) as recording:
        assert [row["id"] for row in written(recording, tmp_path, ".parquet", actors=["6"])] == [6]


def test_a_table_without_actors_refuses_a_choice_of_them(town: Recording, tmp_path: Path) -> None:
    for table in ("PlatformTime", "SceneLight", "FrameStart"):
        with pytest.raises(SelectorError, match="has no actors"):
            written(town, tmp_path, ".csv", table, actors=["type:vehicle.*"])


# --- files ---------------------------------------------------------------------------------------------------


def test_unsaved_edits_are_written(town: Recording, tmp_path: Path) -> None:
    where = edits.place(town, frame=3, packet="Position", record=0, field="location.z")
    town.apply(edits.set_field(town, where, 1234.0))
    rows = written(town, tmp_path, ".csv", "Position", start="#4", stop="#5")
    assert rows[0]["location_z_cm"] == "1234.0"


@pytest.mark.parametrize("ending", suffixes())
def test_a_cancelled_export_leaves_the_old_file(town: Recording, tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"out{ending}"
    target.write_bytes(b"before")
    with pytest.raises(Cancelled):
        export(town.snapshot, target, progress=Progress(is_cancelled=lambda: True))
    assert target.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("ending", suffixes())
def test_progress_reaches_the_end(town: Recording, tmp_path: Path, ending: str) -> None:
    told: list[tuple[int, int]] = []
    export(town.snapshot, tmp_path / f"out{ending}", progress=Progress(lambda done, total: told.append((done, total))))
    assert told
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_parquet_without_pyarrow_says_what_to_install(
    town: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExportError, match=re.escape(install_command("parquet"))):
        export(town.snapshot, tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == []
    export(town.snapshot, tmp_path / "out.csv")


# --- a look before -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["positions", "lights", "collisions", "actors", "EventAdd.attributes", "Kinematics"])
def test_a_preview_shows_the_first_rows_and_about_the_size(recordings: Path, tmp_path: Path, table: str) -> None:
    frames = 480 if table == "collisions" else 100  # the first ones collide in frame 462
    with opened(beginning(recordings / COLLISIONS, frames), None) as town:
        rows = written(town, tmp_path, ".csv", table)
        assert rows
        for ending in (".csv", ".jsonl", ".parquet"):
            found = preview(town.snapshot, ending, TableOptions(table), rows=5)
            assert [dict(zip(found.columns, row, strict=True)) for row in found.rows] == rows[:5]
            assert found.total == pytest.approx(len(rows), rel=0.3)
            if ending != ".csv":
                export(town.snapshot, tmp_path / f"out{ending}", TableOptions(table))
            size = (tmp_path / f"out{ending}").stat().st_size
            assert found.size == pytest.approx(size, rel=2.0 if ending == ".parquet" else 0.3)
            if found.exact:
                assert found.total == len(rows)
            assert len(found.meanings) == len(found.columns)


def test_a_preview_of_late_actors_finds_their_first_rows(town: Recording, tmp_path: Path) -> None:
    life = town.actors.lives[-1]
    subset = find_subset(town.snapshot, [str(life.actor)])
    rows = written(town, tmp_path, ".csv", actors=[str(life.actor)])
    found = preview(town.snapshot, ".csv", subset=subset, rows=3)
    assert [row[0] for row in found.rows] == [row["frame"] for row in rows[:3]]


# --- the command line ----------------------------------------------------------------------------------------


def test_the_verb_writes_what_the_engine_writes(town: Recording, recordings: Path, tmp_path: Path) -> None:
    path, by_verb, by_engine = (tmp_path / name for name in ("in.log", "verb.csv", "engine.csv"))
    path.write_bytes(beginning(recordings / COLLISIONS, 100))
    arguments = ["--actors", "type:vehicle.audi.*,type:vehicle.tesla.*", "--from", "1", "--to", "#90"]
    assert main(["export", str(path), str(by_verb), "--table", "kinematics", *arguments]) == 0
    meant = find_subset(town.snapshot, ["type:vehicle.audi.*", "type:vehicle.tesla.*"], "1", "#90")
    export(town.snapshot, by_engine, TableOptions("Kinematics"), meant)
    assert by_verb.read_bytes() == by_engine.read_bytes()
    assert len(by_verb.read_bytes().splitlines()) > 10


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--list"),
        (["out.txt"], ".csv"),
        (["out.csv", "--list"], "no file"),
        (["out.xosc", "--table", "actors"], "--table"),
        (["out.csv", "--table", "wheels"], "There are: positions"),
        (["out.csv", "--actors", "hero,999999"], "recording"),
        (["out.csv", "--from", "x"], "not a time"),
        (["small.csv"], "itself"),
    ],
)
def test_wrong_usage_is_told_and_leaves_nothing(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "small.csv"
    source.write_bytes(b.drive(6))
    places = [str(tmp_path / word) if "." in word and not word.startswith("-") else word for word in arguments]
    assert main(["export", str(source), *places]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [source]
    assert source.read_bytes() == b.drive(6)


def test_texts_that_a_spreadsheet_would_run_are_guarded_if_asked(tmp_path: Path) -> None:
    texts = ["=cmd|'/c calc'!A1", "+1", "-1", "@x", "\t=1", "\r=1", "a=1", "", "'=1", '=1,"2"']
    actors = [b.actor(7 + number, blueprint=text) for number, text in enumerate(texts)]
    path, plain, guarded = (tmp_path / name for name in ("a.log", "plain.csv", "guarded.csv"))
    path.write_bytes(film([add(*actors), b.packet(6, b.position([b.pose(7, b.xyz(-100.0))]))]))
    for out, words in ((plain, []), (guarded, ["--guard-formulas"])):
        assert main(["export", str(path), str(out), "--table", "EventAdd", "--read-as", "ue4-0.9.12", *words]) == 0
    with open(plain, newline="", encoding="utf-8") as one, open(guarded, newline="", encoding="utf-8") as other:
        before, after = list(csv.reader(one)), list(csv.reader(other))
    at = before[0].index("blueprint")
    assert [row[at] for row in before[1:]] == texts
    assert [row[at] for row in after[1:]] == [f"'{text}" if text[:1] in [*"=+-@\t\r"] else text for text in texts]
    assert [row[:at] + row[at + 1 :] for row in before] == [row[:at] + row[at + 1 :] for row in after]


def test_numbers_below_zero_are_no_formulas(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(film([add(b.actor(7)), b.packet(6, b.position([b.pose(7, b.xyz(-100.0))]))]))
    assert main(["export", str(path), str(tmp_path / "a.csv"), "--guard-formulas"]) == 0
    assert "'" not in (tmp_path / "a.csv").read_text(encoding="utf-8")
    assert main(["export", str(path), str(tmp_path / "a.jsonl"), "--guard-formulas"]) == 2


def test_the_list_names_every_table_and_column(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "all.log"
    path.write_bytes(b.everything("ue4-2026"))
    assert main(["export", str(path), "--list"]) == 0
    text = capsysbinary.readouterr().out.decode()
    with recorder_editor.open(path) as recording:
        for table in tables(recording.snapshot):
            assert f"\n{table.name}: " in f"\n{text}"
            assert all(f"  {column.path} " in text for column in table.columns)


def test_a_damaged_recording_is_written_and_its_damage_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "torn.log"
    path.write_bytes(b.drive(6)[:-70])
    assert main(["export", str(path), str(tmp_path / "out.csv")]) == 0
    assert "torn.log" in capsys.readouterr().err
    assert len(from_csv(tmp_path / "out.csv")) >= 5


def test_no_qt_is_loaded_and_pyarrow_only_for_parquet(tmp_path: Path) -> None:
    path = tmp_path / "small.log"
    path.write_bytes(b.drive(6))
    told = (
        "import sys; from recorder_editor.cli import main\n"
        "for out in sys.argv[2:]:\n"
        "    assert main(['export', sys.argv[1], out]) == 0\n"
        "    print('modules:', *sys.modules)\n"
    )
    endings = (".csv", ".jsonl", ".xosc", ".parquet")
    done = subprocess.run(
        [sys.executable, "-c", told, str(path), *(str(tmp_path / f"out{ending}") for ending in endings)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=Path(__file__).parents[2],
    )
    lines = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("modules:")]
    for ending, line in zip(endings, lines, strict=True):
        loaded = {name.partition(".")[0] for name in line}
        assert not loaded & {"PySide6", "pyqtgraph", "shiboken6"}
        assert ("pyarrow" in loaded) == (ending == ".parquet")
