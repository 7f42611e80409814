"""Who drives ahead, found from geometry alone: on bends, beside, behind, above, and against highD's own leaders."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor.analysis import Analysis, of_recording
from recorder_editor.analysis.paths import Paths, VehicleRows, build_paths
from recorder_editor.formats.highd import FIRST_ID, Highd, HighdOptions
from tests import builders as b

from . import highd

STEP = 0.1


def pose(actor: int, x: float, y: float, yaw: float, z: float = 0.0) -> dict[str, Any]:
    """Metres and degrees."""
    return b.pose(actor, b.xyz(100 * x, 100 * y, 100 * z), b.turn(yaw=yaw))


def filmed(path: Path, tracks: dict[int, list[tuple[float, ...]]], half: tuple[float, float] = (2.0, 1.0)) -> Path:
    """A recording in which actors are at (x, y, yaw[, z]) frame by frame, all from the first on."""
    ids = sorted(tracks)
    frames = []
    for index in range(max(map(len, tracks.values()))):
        packets = [
            b.packet(6, b.position([pose(each, *tracks[each][index]) for each in ids if index < len(tracks[each])]))
        ]
        if index == 0:
            boxes = [
                {"id": each, "origin": b.xyz(), "extent": b.xyz(100 * half[0], 100 * half[1], 75.0)} for each in ids
            ]
            packets = [
                b.packet(2, b.event_add([b.actor(each) for each in ids])),
                *packets,
                b.packet(13, b.bounding_box(boxes)),
            ]
        frames.append(b.frame(index + 1, STEP * index, STEP, packets))
    path.write_bytes(b.recording(*frames))
    return path


def analysed(path: Path) -> Analysis:
    with recorder_editor.open(path) as recording:
        return of_recording(recording)


def leader(analysis: Analysis, actor: int, frame: int = 0) -> int | None:
    (life,) = analysis.actors.of_id(actor)
    found = analysis.leader_of(life.index, frame)
    return None if found is None else analysis.actors.lives[found].actor


def gap(analysis: Analysis, actor: int, frame: int = 0) -> float:
    (life,) = analysis.actors.of_id(actor)
    return float(analysis.signal("gap", life.index).values[frame])


def straight(
    x: float, y: float = 0.0, speed: float = 10.0, frames: int = 40, z: float = 0.0
) -> list[tuple[float, ...]]:
    return [(x + speed * STEP * index, y, 0.0, z) for index in range(frames)]


def test_the_nearest_of_several_ahead_leads(tmp_path: Path) -> None:
    """Middles 30 m apart, boxes 4 m long: 26 m."""
    found = analysed(filmed(tmp_path / "a.log", {1: straight(0), 2: straight(30), 3: straight(55)}))
    assert [leader(found, each) for each in (1, 2, 3)] == [2, 3, None]
    assert gap(found, 1) == pytest.approx(26.0, abs=1e-3)
    assert gap(found, 2, 20) == pytest.approx(21.0, abs=1e-3)


def test_who_drives_beside_or_comes_towards_leads_nobody(tmp_path: Path) -> None:
    """Lanes 3.5 m apart; one ahead drives the other way, one across the road."""
    tracks = {
        1: straight(0),
        2: straight(25, 3.5),
        3: [(60 - index, 0.0, 180.0) for index in range(40)],
        4: [(80.0, -20 + index, 90.0) for index in range(40)],
    }
    found = analysed(filmed(tmp_path / "a.log", tracks))
    assert leader(found, 1) is None
    assert leader(found, 2) is None


def test_a_box_that_reaches_into_the_corridor_leads(tmp_path: Path) -> None:
    """Half widths of 1 m: 1.9 m aside they overlap, 2.1 m aside they do not."""
    found = analysed(filmed(tmp_path / "a.log", {1: straight(0), 2: straight(25, 1.9)}))
    assert leader(found, 1) == 2
    found = analysed(filmed(tmp_path / "b.log", {1: straight(0), 2: straight(25, 2.1)}))
    assert leader(found, 1) is None


def test_the_leader_turns_off_by_less_than_45_degrees(tmp_path: Path) -> None:
    for yaw, expected in ((44.0, 2), (46.0, None), (-44.0, 2)):
        tracks = {1: straight(0), 2: [(50.0, 0.0, yaw)] * 40}
        assert leader(analysed(filmed(tmp_path / "a.log", tracks)), 1) == expected


def test_the_reach_is_200_metres_along_the_way(tmp_path: Path) -> None:
    found = analysed(filmed(tmp_path / "a.log", {1: straight(0), 2: straight(199.5), 3: straight(400.5)}))
    assert leader(found, 1) == 2
    assert leader(found, 2) is None


def test_another_storey_is_another_road(tmp_path: Path) -> None:
    """2 m higher is a slope; 5 m higher a bridge."""
    assert leader(analysed(filmed(tmp_path / "a.log", {1: straight(0), 2: straight(30, z=2.0)})), 1) == 2
    assert leader(analysed(filmed(tmp_path / "b.log", {1: straight(0), 2: straight(30, z=5.0)})), 1) is None


def arc(start: float, frames: int = 150, radius: float = 30.0, speed: float = 10.0) -> list[tuple[float, ...]]:
    """Along a circle, from `start` metres on."""
    angles = (start + speed * STEP * np.arange(frames)) / radius
    return [
        (float(radius * np.sin(angle)), float(radius * (1 - np.cos(angle))), float(np.degrees(angle)))
        for angle in angles
    ]


def test_on_a_bend_the_corridor_bends(tmp_path: Path) -> None:
    """On a circle of 30 m a leader 40 m ahead is turned by 76 degrees and 34 m away as the crow flies.

    Straight ahead, at the end of the tangent, stands somebody who is not in the way.
    """
    tracks = {1: arc(0), 2: arc(40), 3: [(33.0, 0.0, 0.0)] * 150}
    found = analysed(filmed(tmp_path / "a.log", tracks))
    assert leader(found, 1) == 2
    assert gap(found, 1) == pytest.approx(36.0, abs=0.1)
    (life,) = found.actors.of_id(1)
    rows = found.rows_of(life.index)
    place, own = found.columns["leader_s_long"][rows], found.columns["s_long"][rows]
    np.testing.assert_allclose((place - own)[:100], 40.0, atol=0.1)


def test_a_round_way_does_not_lead_back_to_who_drives_behind(tmp_path: Path) -> None:
    """A circle of 188.5 m: who is 20 m behind is 168.5 m ahead, and the one 40 m ahead comes first."""
    tracks = {1: arc(20, 250), 2: arc(0, 250), 3: arc(60, 250)}
    found = analysed(filmed(tmp_path / "a.log", tracks))
    assert [leader(found, each) for each in (1, 2, 3)] == [3, 1, 2]
    assert gap(found, 3) == pytest.approx(188.5 - 60 - 4, abs=0.3)


def test_at_the_end_of_its_way_a_vehicle_looks_straight_ahead(tmp_path: Path) -> None:
    found = analysed(filmed(tmp_path / "a.log", {1: straight(0), 2: straight(120)}))
    assert leader(found, 1, 39) == 2
    assert gap(found, 1, 39) == pytest.approx(116.0, abs=0.01)
    standing = {1: [(0.0, 0.0, 30.0)] * 3, 2: [(26.0, 15.0, 30.0)] * 3}
    found = analysed(filmed(tmp_path / "b.log", standing))
    assert leader(found, 1) == 2
    assert gap(found, 1) == pytest.approx(np.hypot(26, 15) - 4, abs=0.02)


def test_the_nearest_follower_is_the_follower(tmp_path: Path) -> None:
    tracks = {1: straight(0), 2: straight(30), 3: straight(10, 1.9)}
    table = analysed(filmed(tmp_path / "a.log", tracks)).table()
    first = {
        row["trackId"]: (row["precedingId"], row["followingId"]) for row in table.rows(named=True) if row["frame"] == 1
    }
    assert first == {1: (3, 0), 3: (2, 1), 2: (0, 3)}


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    """highD's rows with the leaders found in the recording that was made of them."""
    folder = tmp_path_factory.mktemp("highd")
    rows = highd.traffic(32)
    highd.write(folder, 1, rows)
    Highd().write(folder, HighdOptions(number=1), folder / "one.log")
    with recorder_editor.open(folder / "one.log") as recording:
        analysis = of_recording(recording)
    leaders = analysis.columns["leader"]
    actor = np.where(leaders < 0, 0, analysis.vehicles.actor[leaders] - FIRST_ID)
    found = dict(
        zip(zip(analysis.vehicles.actor - FIRST_ID, analysis.vehicles.frame + 1, strict=True), actor, strict=True)
    )
    rows["found"] = np.array([found[key] for key in zip(rows["id"], rows["frame"], strict=True)])
    return rows


def test_leaders_are_those_that_highd_names(compared: dict[str, np.ndarray]) -> None:
    """They differ only while somebody changes lanes, for then a lane's number and the place across it disagree."""
    lanes = highd.UPPER | highd.LOWER
    middle = np.array([lanes[lane] for lane in compared["laneId"].tolist()])
    aside = np.abs(compared["y"] + compared["height"] / 2 - middle) > 0.1
    changing = {(frame, lane) for frame, lane in zip(compared["frame"][aside], compared["laneId"][aside], strict=True)}
    near = np.array(
        [
            any((frame, lane + step) in changing for step in (-1, 0, 1))
            for frame, lane in zip(compared["frame"], compared["laneId"], strict=True)
        ]
    )
    same = compared["found"] == compared["precedingId"]
    changers = np.isin(compared["id"], np.unique(compared["id"][aside]))
    settled = ~near & ~changers
    assert settled.sum() > 5000
    assert same[settled].all()
    assert same.mean() > 0.98


def test_the_strides_along_a_way_pass_nobody(recordings: Path) -> None:
    """Beside a search that looks at every point of the path, on real traffic that turns, brakes and collides."""
    with recorder_editor.open(recordings / "carla-0.9.13-town05-collisions.log") as recording:
        analysis = of_recording(recording)
    vehicles, paths = analysis.vehicles, build_paths(analysis.vehicles)
    chosen = np.random.default_rng(5).choice(len(vehicles.life), 150, replace=False)
    assert (analysis.columns["leader"][chosen] >= 0).sum() > 50
    for row in chosen.tolist():
        assert plainly(vehicles, paths, row) == analysis.columns["leader"][row]


def plainly(vehicles: VehicleRows, paths: Paths, row: int) -> int:
    """The row of the nearest box on the path, -1 without one."""
    segment = int(vehicles.segments.searchsorted(row, side="right")) - 1
    first, last = int(paths.first[segment]), int(paths.last[segment])
    own = float(vehicles.distance[row] - vehicles.distance[vehicles.segments[segment]])
    points = np.arange(first + int(own), min(last, first + int(own) + 202) + 1)
    found = []
    for other in np.flatnonzero(vehicles.frame == vehicles.frame[row]).tolist():
        far = np.hypot(paths.x[points] - vehicles.cx[other], paths.y[points] - vehicles.cy[other])
        nearest = (far <= np.append(far[1:], np.inf)) & (far <= np.insert(far[:-1], 0, np.inf))
        places = (met(vehicles, paths, row, other, int(point), first, last, own) for point in points[nearest])
        ahead = next((place for place in places if place is not None), None)
        if other != row and ahead is not None:
            found.append((ahead - vehicles.half_length[other], other))
    return min(found)[1] if found else -1


def met(
    vehicles: VehicleRows, paths: Paths, row: int, other: int, at: int, first: int, last: int, own: float
) -> float | None:
    """How far ahead a box is that is nearest to one point of the path, None where it is not in the corridor."""
    before, after = max(at - 1, first), min(at + 1, last)
    along = np.array([paths.x[after] - paths.x[before], paths.y[after] - paths.y[before]])
    along /= max(float(np.hypot(*along)), 1e-9)
    aside = np.array([-along[1], along[0]])
    to = np.array([vehicles.cx[other] - paths.x[at], vehicles.cy[other] - paths.y[at]])
    facing = np.array([np.cos(vehicles.yaw[other]), np.sin(vehicles.yaw[other])])
    ahead = (at - first) + float(to @ along) - own
    wide = vehicles.half_width[row] + vehicles.half_width[other] * (facing @ along)
    wide += vehicles.half_length[other] * abs(facing @ aside)
    inside = (
        0 < ahead <= 200 and abs(to @ along) <= 2 and facing @ along >= np.cos(np.pi / 4) and abs(to @ aside) < wide
    )
    return ahead if inside and not abs(vehicles.z[other] - paths.z[at]) > 3 else None
