"""The tables of traffic events and of pairs: their rows, values by the measures, chosen frames and actors."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.errors import Cancelled
from recorder_editor.formats.export import TableOptions, export, preview
from recorder_editor.formats.tables import find_table
from recorder_editor.progress import Progress
from recorder_editor.reading import near_users
from recorder_editor.reading.measures import (
    Boxes,
    distance,
    drac,
    lateral_deceleration,
    longitudinal_deceleration,
    predicted_pet,
    time_headway,
    ttc2d,
)
from recorder_editor.reading.selectors import find_subset

from ..reading.films import STEP, Actor, along, film
from ..real_recordings import MAPS

CRASH = {
    1: Actor(along(0, 0, 0, 3)),
    2: Actor(along(10, 0, 0, 0), role="hero"),
    3: Actor(along(0, 20, 0, 14)),
    4: Actor(along(20, 23.5, 0, 7)),
}
"""One drives into the hero, while elsewhere another one overtakes."""

CROSSING = {
    5: Actor(along(-30, 0, 0, 10)),
    6: Actor(along(0, -20, 90, 5), kind="two-wheeler"),
    7: Actor(along(-60, 0, 0, 12)),
    8: Actor(along(40, 0, 0, 0)),
    9: Actor(along(45, 0, 0, 0)),
}
"""A bicycle crosses before a car; one car follows, two stand."""


def rows_of(path: Path, table: str, *words: str, ending: str = ".csv") -> list[dict[str, str]]:
    out = path.with_suffix(ending)
    assert main(["export", str(path), str(out), "--table", table, "--overwrite", *words]) == 0
    with out.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def told(rows: list[dict[str, str]], *names: str) -> list[tuple[str, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


# --- traffic events -----------------------------------------------------------------------------------------


def test_an_event_is_a_row_in_the_frame_of_its_worst_moment(tmp_path: Path) -> None:
    path = film(tmp_path / "crash.log", CRASH)
    collision, overtaking = rows_of(path, "events")
    assert (collision["kind"], overtaking["kind"]) == ("collision", "overtaking")
    frame = int(collision["frame"])
    # Bumper to bumper are 5.4 m at the start.
    assert frame == pytest.approx(round(5.4 / 3 / STEP) + 1, abs=1)
    assert float(collision["time_s"]) == pytest.approx((frame - 1) * STEP)
    assert collision["frame_id"] == collision["frame"]
    assert float(collision["start_s"]) == pytest.approx(float(collision["time_s"]))
    assert float(collision["end_s"]) == pytest.approx(14.6 / 3, abs=STEP)
    assert (collision["actor"], collision["other"], collision["unit"]) == ("2", "1", "m/s")
    assert collision["blueprint"] == collision["other_blueprint"] == "vehicle.lincoln.mkz_2017"
    assert float(collision["value"]) == pytest.approx(3, abs=1e-4)
    assert float(collision["severity"]) == 0.6
    assert float(collision["x_m"]) == pytest.approx(7.7, abs=0.2)
    assert (collision["road_id"], collision["lane_id"]) == ("", "")


def test_events_of_one_actor_have_no_other(tmp_path: Path) -> None:
    def place(seconds: float) -> tuple[float, float, float]:
        begun = max(seconds - 2, 0.0)
        return 20 * seconds - 4 * begun**2, 0.0, 0.0

    path = film(tmp_path / "braking.log", {1: Actor(place)}, seconds=4)
    (braking,) = rows_of(path, "events")
    assert (braking["kind"], braking["other"], braking["other_blueprint"]) == ("hard-braking", "", "")
    assert float(braking["value"]) == pytest.approx(-8, abs=0.1)


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        (["--actors", "hero"], ["collision"]),
        (["--actors", "1"], ["collision"]),
        (["--actors", "3"], ["overtaking"]),
        (["--from", "#1", "--to", "#10"], []),
        (["--from", "#30", "--to", "#45"], ["collision"]),
    ],
)
def test_frames_and_actors_choose_among_events(tmp_path: Path, words: list[str], kinds: list[str]) -> None:
    path = film(tmp_path / "crash.log", CRASH)
    assert [row["kind"] for row in rows_of(path, "events", *words)] == kinds


def test_events_have_their_lane_where_a_road_map_is_known(recordings: Path, tmp_path: Path) -> None:
    source = recordings / "carla-0.9.13-town05-collisions.log"
    road_map = MAPS / "Town05.xodr"
    if not road_map.exists():
        pytest.skip("There are no road maps beside the project.")
    out = tmp_path / "events.csv"
    assert main(["export", str(source), str(out), "--table", "events", "--xodr", str(road_map)]) == 0
    with out.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert any(row["kind"] == "lane-change" for row in rows)
    for row in rows:
        if row["kind"] == "lane-change":
            assert row["road_id"] != ""
            assert int(row["lane_id"]) != 0


def test_the_preview_of_events_looks_for_them_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from recorder_editor.formats.tables import road_users

    looked = []
    find_events = road_users.find_events

    def counting(*args: Any, **named: Any) -> Any:
        looked.append(args)
        return find_events(*args, **named)

    monkeypatch.setattr(road_users, "find_events", counting)
    with recorder_editor.open(film(tmp_path / "crash.log", CRASH)) as recording:
        shown = preview(recording.snapshot, ".csv", TableOptions("events"))
    assert (shown.total, shown.exact, len(shown.rows)) == (2, True, 2)
    assert len(looked) == 1


# --- pairs --------------------------------------------------------------------------------------------------

SIZES = {"vehicle": (2.3, 0.95), "two-wheeler": (0.95, 0.35)}
MEASURES = {
    "distance_m": distance,
    "ttc2d_s": ttc2d,
    "pet_s": predicted_pet,
    "drac_mps2": drac,
    "headway_s": time_headway,
    "long_decel_mps2": longitudinal_deceleration,
    "lat_accel_mps2": lateral_deceleration,
}


def box(actor: Actor, seconds: float) -> Boxes:
    """The box of an actor, whose velocity is constant."""
    x, y, heading = actor.course(seconds)
    later_x, later_y, _ = actor.course(seconds + 1)
    half_length, half_width = SIZES[actor.kind]
    columns = (
        x, y, np.cos(np.radians(heading)), np.sin(np.radians(heading)), half_length, half_width, later_x - x,
        later_y - y,
    )  # fmt: skip
    return Boxes(*(np.array([column]) for column in columns))


def test_pairs_have_the_values_of_the_measures_in_every_frame(tmp_path: Path) -> None:
    path = film(tmp_path / "crossing.log", CROSSING, seconds=3)
    rows = rows_of(path, "pairs")
    assert {(row["actor"], row["other"]) for row in rows} >= {("5", "6"), ("5", "7"), ("6", "7"), ("5", "8")}
    for row in rows:
        moment = float(row["time_s"])
        assert int(row["frame"]) == round(moment / STEP) + 1
        a = box(CROSSING[int(row["actor"])], moment)
        b = box(CROSSING[int(row["other"])], moment)
        for name, measure in MEASURES.items():
            check(row[name], measure(a, b).item())
        check(row["other_headway_s"], time_headway(b, a).item())
        check(row["other_long_decel_mps2"], longitudinal_deceleration(b, a).item())
        check(row["other_lat_accel_mps2"], lateral_deceleration(b, a).item())


def check(text: str, wanted: float) -> None:
    """Stored positions are in f32, so that velocities are known to a few thousandths."""
    if np.isnan(wanted):
        assert text == "" or abs(float(text)) > 1e3
    elif abs(wanted) < 1e3:
        assert float(text) == pytest.approx(wanted, rel=0.02, abs=0.02)


def test_pairs_are_near_and_one_of_the_two_moves(tmp_path: Path) -> None:
    path = film(tmp_path / "crossing.log", CROSSING, seconds=3)
    rows = rows_of(path, "pairs")
    assert max(float(row["distance_m"]) for row in rows) <= 50
    assert ("8", "9") not in told(rows, "actor", "other")
    # Bumper to bumper are 65.4 m at the start, and 10 m/s less each second.
    together = [row for row in rows if (row["actor"], row["other"]) == ("5", "8")]
    assert float(together[0]["time_s"]) == pytest.approx(1.55, abs=STEP)
    assert len(together) == 61 - int(together[0]["frame"]) + 1


def test_frames_and_actors_choose_among_pairs(tmp_path: Path) -> None:
    path = film(tmp_path / "crossing.log", CROSSING, seconds=3)
    assert {"6"} <= {actor for row in rows_of(path, "pairs", "--actors", "6") for actor in (row["actor"], row["other"])}
    assert all("6" in pair for pair in told(rows_of(path, "pairs", "--actors", "6"), "actor", "other"))
    rows = rows_of(path, "pairs", "--from", "#11", "--to", "#31", "--step", "5")
    assert sorted({int(row["frame"]) for row in rows}) == [11, 16, 21, 26]
    every = [row for row in rows_of(path, "pairs") if row["frame"] in ("11", "16", "21", "26")]
    assert rows == every


def test_the_hero_is_the_first_of_a_pair(tmp_path: Path) -> None:
    rows = rows_of(film(tmp_path / "crash.log", CRASH), "pairs")
    assert ("2", "1") in told(rows, "actor", "other")
    assert ("1", "2") not in told(rows, "actor", "other")


def test_pairs_are_the_same_in_parts_of_any_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = film(tmp_path / "crossing.log", CROSSING, seconds=3)
    rows = rows_of(path, "pairs")
    monkeypatch.setattr(near_users, "_AT_ONCE", 7)
    monkeypatch.setattr("recorder_editor.reading.road_users._AT_ONCE", 50)
    monkeypatch.setattr("recorder_editor.formats.tables.road_users._AT_ONCE", 3)
    with recorder_editor.open(path) as recording:
        table = find_table(recording.snapshot, "pairs")
        blocks = list(table.blocks(find_subset(recording.snapshot)))
    assert max(block.rows for block in blocks) == 3
    assert rows_of(path, "pairs") == rows


def test_the_preview_of_pairs_is_a_sample(tmp_path: Path) -> None:
    path = film(tmp_path / "crossing.log", CROSSING, seconds=3)
    with recorder_editor.open(path) as recording:
        shown = preview(recording.snapshot, ".csv", TableOptions("pairs"))
    assert not shown.exact
    assert shown.total == pytest.approx(len(rows_of(path, "pairs")), rel=0.1)
    assert shown.columns[:6] == ("frame", "frame_id", "time_s", "actor", "other", "distance_m")


def test_an_export_of_pairs_is_cancelled(tmp_path: Path) -> None:
    path = film(tmp_path / "crossing.log", CROSSING, seconds=3)
    stopped = Progress(is_cancelled=lambda: True)
    with recorder_editor.open(path) as recording, pytest.raises(Cancelled):
        export(recording.snapshot, tmp_path / "out.csv", TableOptions("pairs"), progress=stopped)
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("table", ["events", "pairs"])
def test_recordings_without_road_users_have_no_rows(table: str, tmp_path: Path) -> None:
    assert rows_of(film(tmp_path / "empty.log", {}), table) == []
