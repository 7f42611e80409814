"""Leaders, neighbours and lanes of the L1 table where a road map is known."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor.analysis import Analysis, of_recording
from recorder_editor.roads import read_road_map

from ..roads.builders import geometry, joined, junction, lane, opendrive, road, section
from .test_leaders import filmed, gap, leader, straight

Track = list[tuple[float, ...]]

THREE = opendrive(
    road(
        length=300.0,
        lanes=section(left=[lane(1)], right=[lane(-n, after=-n) for n in (1, 2, 3)])
        + section(100.0, left=[lane(1)], right=[lane(-n, before=-n) for n in (1, 2, 3)]),
    )
)
"""Lanes 3.5 m wide, the first half of them in another section; with s to the east -1, -2 and -3 from left to right."""
FIRST, MIDDLE, LAST = 1.75, 5.25, 8.75


def analysed(folder: Path, tracks: dict[int, Track], map_: bytes | None = THREE) -> Analysis:
    with recorder_editor.open(filmed(folder / "a.log", tracks)) as recording:
        if map_ is not None:
            recording.context.use_road_map(read_road_map(map_, name="three"))
        return of_recording(recording)


def row_of(analysis: Analysis, actor: int, frame: int = 1) -> dict[str, Any]:
    table = analysis.table()
    (found,) = table.filter((table["trackId"] == actor) & (table["frame"] == frame)).to_dicts()
    return dict(found)


def test_the_leader_is_ahead_on_the_own_lane_until_another_one_is_taken(tmp_path: Path) -> None:
    """The first turns to the middle lane in the second half, where another one is nearer."""
    swerving = [(x, FIRST if n < 20 else MIDDLE, 0.0) for n, (x, *_) in enumerate(straight(10))]
    tracks = {1: swerving, 2: straight(80, FIRST), 3: straight(50, MIDDLE)}
    found = analysed(tmp_path, tracks)
    assert [leader(found, 1, frame) for frame in (0, 10, 30)] == [2, 2, 3]
    assert gap(found, 1) == pytest.approx(66.0, abs=1e-3)
    assert leader(analysed(tmp_path, tracks, None), 1) == 3


def test_a_leader_in_the_next_section_is_as_far_as_the_lanes_are_long(tmp_path: Path) -> None:
    found = analysed(tmp_path, {1: straight(80, MIDDLE), 2: straight(130, MIDDLE), 3: straight(290, MIDDLE, frames=5)})
    assert leader(found, 1) == 2
    assert gap(found, 1) == pytest.approx(46.0, abs=1e-3)
    assert leader(found, 2) == 3


def test_where_lanes_part_the_own_path_tells_who_leads(tmp_path: Path) -> None:
    """One goes straight on at the end of the road, where another lane leads north."""
    north = geometry(length=50.0, x=100.0, heading=np.pi / 2)
    map_ = opendrive(
        road(1, 100.0, lanes=section(right=[lane(-1)]), link=joined("successor", 9)),
        road(2, 50.0, north, section(right=[lane(-1)]), junction=9, link=joined("predecessor", 1, "end")),
        road(
            3,
            50.0,
            geometry(length=50.0, x=100.0),
            section(right=[lane(-1)]),
            junction=9,
            link=joined("predecessor", 1, "end"),
        ),
        junction(9, (1, 2, "start", [(-1, -1)]), (1, 3, "start", [(-1, -1)])),
    )
    waiting = [(101.75, -10.0, -90.0)] * 40
    ahead = [(130.0, FIRST, 0.0)] * 40
    found = analysed(tmp_path, {1: straight(80, FIRST, speed=5.0), 2: waiting, 3: ahead}, map_)
    assert leader(found, 1) == 3


def test_around_a_vehicle_are_those_on_the_lanes_beside_it(tmp_path: Path) -> None:
    around = {"Preceding": 30.0, "Alongside": 2.0, "Following": -25.0}
    tracks: dict[int, Track] = {1: straight(90, MIDDLE, frames=3), 9: [(90.0, -1.75, 180.0)] * 3}
    expected = {}
    for side, y in (("left", FIRST), ("right", LAST)):
        for place, ahead in around.items():
            expected[f"{side}{place}Id"] = actor = len(tracks) + 10
            tracks[actor] = straight(90 + ahead, y, frames=3)
    for number, (y, ahead) in enumerate([(FIRST, 60.0), (LAST, -60.0), (MIDDLE, -20.0)]):
        tracks[30 + number] = straight(90 + ahead, y, frames=3)
    found = analysed(tmp_path, tracks)
    row = row_of(found, 1)
    assert {name: row[name] for name in expected} == expected
    assert (row["precedingId"], row["followingId"]) == (0, 32)
    # The leftmost lane of one direction has nobody on its left, whoever comes towards it there.
    assert {row_of(found, expected["leftAlongsideId"])[f"left{place}Id"] for place in around} == {0}
    assert row_of(found, expected["leftAlongsideId"])["rightAlongsideId"] == 1


def test_lanes_and_directions_are_those_of_the_map(tmp_path: Path) -> None:
    tracks: dict[int, Track] = {
        1: straight(10, MIDDLE, frames=3),
        2: [(90.0, -1.75, 180.0)] * 3,
        3: [(90.0, 40.0, 0.0)] * 3,
    }
    found = analysed(tmp_path, tracks)
    names = ("laneId_raw", "drivingDirection")
    assert [tuple(row_of(found, actor)[name] for name in names) for actor in (1, 2, 3)] == [(-2, 2), (1, 1), (0, 0)]
    assert found.about()["road_map"] == "three"
    bare = analysed(tmp_path, tracks, None)
    assert tuple(row_of(bare, 1)[name] for name in names) == (0, 0)
    assert "road_map" not in bare.about()


def test_a_map_that_nobody_is_on_changes_nothing(tmp_path: Path) -> None:
    tracks = {1: straight(10, 500.0), 2: straight(50, 500.0)}
    bare, found = analysed(tmp_path, tracks, None).table(), analysed(tmp_path, tracks).table()
    assert found.equals(bare)
