"""The L1 table of highD recordings: its columns, its values, and the verb that builds many of them."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest

from recorder_editor import cli
from recorder_editor.analysis.libraries import AnalysisError
from recorder_editor.extras import remedy
from recorder_editor.fleet import pool as fleet
from recorder_editor.fleet.l1 import Options, build_many, build_one, parse_recordings, table_path
from recorder_editor.progress import Progress

from . import highd

# As the document orders them, each with its type.
NAMES = [
    "recordingId",
    "frame",
    "trackId",
    "global_track_id",
    "time",
    "x_raw",
    "y_raw",
    "width",
    "height",
    "laneId_raw",
    "x_img",
    "y_img",
    "drivingDirection",
    "veh_class",
    "s_long",
    "d_lat",
    "v_long_raw",
    "a_long_raw",
    "v_long_smooth",
    "a_long_smooth",
    "precedingId",
    "followingId",
    "leftPrecedingId",
    "leftAlongsideId",
    "leftFollowingId",
    "rightPrecedingId",
    "rightAlongsideId",
    "rightFollowingId",
    "leader_s_long",
    "leader_v_long",
    "leader_a_long",
    "dist_headway_raw",
    "time_headway_raw",
    "ttc_raw",
    "dist_headway",
    "rel_velocity",
    "time_headway",
    "TTC",
    "DRAC",
    "risk_level",
    "vehicle_type",
    "v_kmh",
    "a_kmhps",
    "cpf_power_kw",
    "cpf_fuel_rate_lps",
    "cpf_co2_rate_gps",
    "vsp_value",
    "vsp_co2_rate",
    "vsp_nox_rate",
    "dt",
]
INTEGERS = {"recordingId", "frame", "trackId", "laneId_raw", *(name for name in NAMES if name.endswith("Id"))}
TYPES = {
    **dict.fromkeys(NAMES, "float"),
    **dict.fromkeys(INTEGERS, "int32"),
    "global_track_id": "int64",
    **dict.fromkeys(("drivingDirection", "veh_class", "risk_level"), "int8"),
    "vehicle_type": "string",
    "time": "double",
    "dt": "double",
}
EXTRA = [
    "drac_standard",
    "vsp_kw_per_t",
    "cpf_power_kw_literature",
    "cpf_fuel_rate_lps_literature",
    "cpf_co2_rate_gps_literature",
    "x_img_registered",
    "y_img_registered",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Recordings 1, 2 and 7, a few vehicles each."""
    made = tmp_path_factory.mktemp("highd")
    for number, vehicles in ((1, 24), (2, 8), (7, 12)):
        highd.write(made, number, highd.traffic(vehicles, seed=number))
    return made


@pytest.fixture(scope="module")
def table(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    return pl.read_parquet(build_one(folder, tmp_path_factory.mktemp("built"), 1).path)


def by_hand(folder: Path) -> None:
    """Two cars and a truck, 10 frames each, and one that is seen once.

    In lane 7 (to +x) car 1, 4 m long, at 30 m/s, 40 m behind truck 2, 16 m long, at 25 m/s; in lane 2 (to -x) car 3 at
    20 m/s behind nobody; track 4 in one frame, behind car 1 by its number alone.
    """
    time = np.arange(10) / 25
    one = {"frame": np.arange(1, 11), "height": np.full(10, 2.0)}
    tracks = [
        one
        | {
            "id": 1,
            "x": 98 + 30 * time,
            "y": 27.0,
            "width": 4.0,
            "xVelocity": 30.0,
            "laneId": 7,
            "precedingId": 2,
            "ttc": 5.5,
            "dhw": 30.0,
            "thw": 1.0,
            "class": "Car",
            "direction": 2,
        },
        one
        | {
            "id": 2,
            "x": 132 + 25 * time,
            "y": 27.0,
            "width": 16.0,
            "xVelocity": 25.0,
            "laneId": 7,
            "followingId": 1,
            "class": "Truck",
            "direction": 2,
        },
        one
        | {
            "id": 3,
            "x": 298 - 20 * time,
            "y": 7.0,
            "width": 4.0,
            "xVelocity": -20.0,
            "laneId": 2,
            "class": "Car",
            "direction": 1,
        },
        {
            "frame": np.array([4]),
            "id": 4,
            "x": 50.0,
            "y": 27.0,
            "width": 5.0,
            "height": 2.0,
            "xVelocity": 30.0,
            "laneId": 7,
            "precedingId": 9,
            "ttc": -3.0,
            "class": "Car",
            "direction": 2,
        },
    ]
    names = sorted({name for track in tracks for name in track})
    rows = {
        name: np.concatenate([np.broadcast_to(track.get(name, 0), len(track["frame"])) for track in tracks])
        for name in names
    }
    highd.write(folder, 1, rows)


def test_the_fifty_columns_stand_in_order_with_their_types(folder: Path, tmp_path: Path) -> None:
    assert len(NAMES) == 50
    schema = pq.read_schema(build_one(folder, tmp_path, 1).path)
    assert schema.names == NAMES
    assert {field.name: str(field.type) for field in schema} == TYPES


def test_the_extra_columns_follow_when_they_are_asked_for(folder: Path, tmp_path: Path) -> None:
    schema = pq.read_schema(build_one(folder, tmp_path, 1, Options(extra=True)).path)
    assert schema.names == NAMES + EXTRA
    assert {str(schema.field(name).type) for name in EXTRA} == {"float"}


def test_the_file_carries_every_constant_and_max_x(folder: Path, tmp_path: Path) -> None:
    schema = pq.read_schema(build_one(folder, tmp_path, 1, Options(window=11, order=2)).path)
    told = json.loads(schema.metadata[b"l1"])
    rows = highd.traffic(24, seed=1)
    assert told["max_x"] == pytest.approx((rows["x"] + rows["width"] / 2).max(), abs=0.02)
    assert (told["options"]["window"], told["options"]["order"], told["frame_rate"]) == (11, 2, 25.0)
    assert told["thresholds"] == {"risk_ttc_s": [4.0, 2.0], "slowest_headway_mps": 0.1, "reaction_time_s": 1.0}
    assert told["vt_cpfm"]["literature"]["HDDT"]["most_power"] == 246
    assert told["vt_cpfm"]["documented"]["LDV"]["fuel"] == [4.7738e-4, 5.363e-5, 1.0e-6]
    assert "placeholder" in told["vsp_remark"]
    assert schema.field("TTC").metadata == {b"meaning": b"Time to collision", b"unit": b"s"}


def test_a_recording_worked_out_by_hand(tmp_path: Path) -> None:
    by_hand(tmp_path)
    found = pl.read_parquet(build_one(tmp_path, tmp_path, 1, Options(extra=True)).path)
    assert found["trackId"].to_list() == [1] * 10 + [2] * 10 + [3] * 10 + [4]
    first = found.row(0, named=True)
    # Middles at 100 and 140 m, closing at 5 m/s: 30 m, 6 s; after a second 25 m are left for 25 / 50 m/s2.
    expected = {
        "recordingId": 1,
        "global_track_id": 10_001,
        "time": 0.04,
        "dt": 0.04,
        "s_long": 100.0,
        "d_lat": 28.0,
        "v_long_smooth": 30.0,
        "a_long_smooth": 0.0,
        "leader_s_long": 140.0,
        "leader_v_long": 25.0,
        "dist_headway": 30.0,
        "rel_velocity": 5.0,
        "time_headway": 1.0,
        "TTC": 6.0,
        "DRAC": 0.5,
        "ttc_raw": 5.5,
        "drac_standard": 25 / 60,
        "risk_level": 0,
        "v_kmh": 108.0,
        "a_kmhps": 0.0,
        "x_img_registered": 100 / 0.40424,
        "y_img_registered": 28 / 0.40424,
    }
    for name, value in expected.items():
        assert first[name] == pytest.approx(value, rel=1e-6, abs=1e-4), name
    assert first["vehicle_type"] == "LDV"
    # The ninth row: 40 - 5 x 0.32 = 38.4 m between the middles, 28.4 m, 5.68 s.
    assert found["TTC"][8] == pytest.approx(5.68, abs=1e-4)
    # To -x from the greatest middle, 300 m: 0, 0.8, 1.6 m and on.
    away = found.filter(pl.col("trackId") == 3)
    np.testing.assert_allclose(away["s_long"], 0.8 * np.arange(10), atol=1e-4)
    np.testing.assert_allclose(away["v_long_raw"], 20.0)
    assert away["TTC"].is_nan().all()
    assert away["DRAC"].is_nan().all()
    # The picture: x from 50 m at its left to 298 m at its right.
    assert (found["x_img"][30], away["x_img"][0]) == (0.0, 1280.0)
    assert first["x_img"] == pytest.approx((98 - 50) / 248 * 1280, rel=1e-6)
    # One frame alone, whose leader has no row.
    alone = found.row(30, named=True)
    assert (alone["v_long_smooth"], alone["precedingId"], alone["vehicle_type"]) == (30.0, 9, "LDV")
    assert all(np.isnan(alone[name]) for name in ("a_long_smooth", "dist_headway", "TTC", "DRAC", "leader_s_long"))
    assert found["vehicle_type"][10] == "HDDT"


def test_highds_own_time_to_collision_can_be_used(tmp_path: Path) -> None:
    by_hand(tmp_path)
    found = pl.read_parquet(build_one(tmp_path, tmp_path, 1, Options(raw_ttc=True)).path)
    assert found["TTC"][0] == 5.5
    assert found["TTC"][10:].is_nan().all()  # 0 and -3 s
    assert found["DRAC"][0] == pytest.approx(0.5)


def test_gaps_and_speeds_of_traffic_agree_with_highds_own(table: pl.DataFrame) -> None:
    led = table.filter(pl.col("dist_headway").is_not_nan())
    assert len(led) > 5000
    np.testing.assert_allclose(led["dist_headway"], led["dist_headway_raw"], atol=0.03)
    np.testing.assert_allclose(table["v_long_smooth"], table["v_long_raw"], atol=0.15)
    assert set(table["risk_level"].unique().to_list()) == {0, 1, 2}
    assert table["s_long"].min() > -0.01


def test_the_directions_are_told_apart_and_trucks_from_cars(table: pl.DataFrame) -> None:
    assert set(table["drivingDirection"].unique().to_list()) == {1, 2}
    assert table["v_long_raw"].min() > 0
    assert (table["veh_class"] == 2).sum() == (table["vehicle_type"] == "HDDT").sum() > 0


# --- which, how many, where -------------------------------------------------------------------------------


def test_recordings_are_named_with_zeros_and_blanks(folder: Path) -> None:
    assert parse_recordings("1, 2,07 ,2", folder) == [1, 2, 7]
    assert parse_recordings(" all", folder) == [1, 2, 7]
    for text in ("", "1,", "0", "61", "1-3", "one"):
        with pytest.raises(AnalysisError):
            parse_recordings(text, folder)


def test_one_and_two_workers_write_the_same_files(folder: Path, tmp_path: Path) -> None:
    for workers in (1, 2):
        outcomes = list(build_many(folder, tmp_path / str(workers), workers=workers))
        assert sorted(outcome.item for outcome in outcomes) == [1, 2, 7]
        assert [outcome.error for outcome in outcomes] == [None] * 3
    for number in (1, 2, 7):
        one, two = (table_path(tmp_path / str(workers), number).read_bytes() for workers in (1, 2))
        assert one == two


def test_a_dask_cluster_writes_the_same_files(folder: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address=":0",
        local_directory=str(tmp_path / "scratch"),
    )
    with cluster:
        outcomes = list(build_many(folder, tmp_path / "cluster", [1, 2, 3], cluster=cluster.scheduler_address))
    told = {outcome.item: outcome for outcome in outcomes}
    assert told[1].result is not None
    assert told[1].result.rows > 0
    assert "03_recordingMeta.csv is missing" in (told[3].error or "")
    for number in (1, 2):
        build_one(folder, tmp_path / "here", number)
        there, here = (table_path(tmp_path / place, number).read_bytes() for place in ("cluster", "here"))
        assert there == here


def test_a_scheduler_that_does_not_answer_is_an_error(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(fleet, "_CONNECTING", "100ms")
    with pytest.raises(AnalysisError, match="No Dask scheduler answers at nowhere:1"):
        list(build_many(folder, tmp_path, [1], cluster="nowhere:1"))


def test_processes_are_as_many_as_cores_recordings_and_memory_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet, "usable_cores", lambda: 8)
    giga = 1 << 30
    assert fleet.workers_for(60, 64 * giga) == 8
    assert fleet.workers_for(3, 64 * giga) == 3
    assert fleet.workers_for(60, 7 * giga) == 3
    assert fleet.workers_for(60, giga) == 1
    assert fleet.workers_for(60, None) == 8


def test_free_memory_is_the_least_of_the_machine_and_its_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info, limit, none = tmp_path / "meminfo", tmp_path / "memory.max", tmp_path / "missing"
    info.write_text("MemTotal: 9000000 kB\nMemAvailable:    8000000 kB\n", encoding="ascii")
    limit.write_text("max\n", encoding="ascii")
    monkeypatch.setattr(fleet, "_MEMORY_INFO", info)
    monkeypatch.setattr(fleet, "_MEMORY_LIMITS", (limit, none))
    assert fleet.free_memory() == 8_000_000 << 10
    limit.write_text("4294967296\n", encoding="ascii")
    assert fleet.free_memory() == 4 << 30
    monkeypatch.setattr(fleet, "_MEMORY_INFO", none)
    assert (fleet.free_memory() or 0) > 0


def test_progress_goes_to_the_end(folder: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    build_one(folder, tmp_path, 2, progress=Progress(lambda done, total: seen.append((done, total))))
    assert [done for done, _ in seen] == list(range(seen[-1][1] + 1))


# --- the verb ---------------------------------------------------------------------------------------------


def test_the_verb_names_what_it_wrote_and_what_it_could_not(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(["l1", str(folder), str(tmp_path), "--recordings", "2,03, 7", "--workers", "1"])
    told = capfd.readouterr()
    assert code == 1
    assert told.out.splitlines() == [
        f"{table_path(tmp_path, number)}: {len(pq.read_table(table_path(tmp_path, number))):,} rows"
        for number in (2, 7)
    ]
    assert told.err == (
        f"Recording 03 was not built. {folder / '03_recordingMeta.csv'} is missing; "
        "a recording consists of three files.\n"
    )
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["L1_master_frame.parquet"] * 2


def test_without_a_word_the_time_to_collision_is_recomputed(folder: Path, tmp_path: Path) -> None:
    tables = []
    for number, words in enumerate(([], ["--recompute-safety"], ["--use-raw-ttc"])):
        out = tmp_path / str(number)
        assert cli.main(["l1", str(folder), str(out), "--recordings", "2", "--workers", "1", *words]) == 0
        tables.append(pl.read_parquet(table_path(out, 2)))
    default, recomputed, raw = tables
    assert default.equals(recomputed)
    assert not default["TTC"].equals(raw["TTC"])
    closing = default.filter(pl.col("rel_velocity") > 0, pl.col("dist_headway") > 0)
    assert len(closing)
    np.testing.assert_allclose(closing["TTC"], closing["dist_headway"] / closing["rel_velocity"], rtol=1e-5)


def test_a_broken_recording_leaves_the_old_table(folder: Path, tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    highd.write(raw, 1, highd.traffic(4))
    before = build_one(raw, tmp_path, 1).path.read_bytes()
    (raw / "01_tracks.csv").write_text("frame,id\n", encoding="utf-8")
    (outcome,) = build_many(raw, tmp_path)
    assert outcome.result is None
    assert (outcome.error or "").startswith("01_tracks.csv lacks the columns")
    assert table_path(tmp_path, 1).read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        ["--smoothing", "8,3"],
        ["--smoothing", "9"],
        ["--smoothing", "9,9"],
        ["--recordings", "x"],
        ["--workers", "0"],
        ["--use-raw-ttc", "--recompute-safety"],
    ],
)
def test_what_makes_no_sense_is_wrong_usage(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert cli.main(["l1", str(folder), str(tmp_path), *words]) == 2
    assert capfd.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_folder_without_recordings_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["l1", str(tmp_path / "none"), str(tmp_path)]) == 2
    assert cli.main(["l1", str(tmp_path), str(tmp_path)]) == 2
    assert "holds no highD recording" in capfd.readouterr().err


# --- libraries --------------------------------------------------------------------------------------------

WITHOUT = """
import sys
for name in sys.argv[1].split(","):
    sys.modules[name] = None
from recorder_editor.cli import main
sys.exit(main(sys.argv[2:]))
"""
LOADED = """
import sys
from recorder_editor.cli import main
main(["actors", sys.argv[1]])
print(*sorted({"polars", "scipy", "pyarrow", "distributed", "dask"} & set(sys.modules)), file=sys.stderr)
main(["l1", *sys.argv[2:]])
print(*sorted({"polars", "distributed", "dask"} & set(sys.modules)), file=sys.stderr)
"""
PROJECT = Path(__file__).resolve().parents[2]


def sentence(name: str) -> str:
    return f"recorder-editor: This needs {name}, which is not installed. {remedy('analysis')}\n"


def test_without_polars_the_verb_says_what_to_install(folder: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, "polars", "l1", str(folder), str(tmp_path)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (1, sentence("polars"))


@pytest.mark.parametrize("name", ["scipy", "pyarrow"])
def test_a_missing_library_is_told_before_anything_is_built(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    assert cli.main(["l1", str(folder), str(tmp_path)]) == 1
    assert capfd.readouterr().err == sentence(name)


def test_no_other_verb_loads_the_libraries_and_without_a_cluster_nothing_loads_dask(
    folder: Path, tmp_path: Path
) -> None:
    sample = PROJECT / "resources" / "sample" / "town.log"
    words = [str(folder), str(tmp_path), "--recordings", "2", "--workers", "1"]
    done = subprocess.run(
        [sys.executable, "-c", LOADED, str(sample), *words],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "\npolars\n")
