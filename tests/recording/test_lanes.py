"""Lanes at positions, and what lives do on them, by a street whose lanes are known."""

import math
from pathlib import Path

import numpy as np
import pytest

from recorder_editor.edits.replace import preview, replace_where
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.reading.expression import ExpressionError, completion, parse, parse_value
from recorder_editor.reading.expression.records import TrackRecords
from recorder_editor.reading.lanes import CHANGE as CHANGE_DTYPE
from recorder_editor.reading.lanes import OFF_ROAD, SIDEWALK, WRONG_WAY, LanePlaces, LaneUse
from recorder_editor.reading.tracks import Tracks
from recorder_editor.roads import LANE_TYPES, read_road_map

from .. import builders as b
from ..roads.builders import lane, opendrive, road, section
from .films import add, film, opened
from .street import AWAY, BLUEPRINTS, CHANGE, CHANGING, FRAMES, ON_SIDEWALK, WALKER, WRONG, on_street, places, street

DIALECT = DIALECTS["ue4-0.9.12"]


def matching(text: str) -> set[tuple[int, int | None]]:
    """Frame (index) and actor of the records that a query finds, by blocks and packet by packet."""
    with on_street() as recording:
        found = {(change.frame_index, change.actor) for change in preview(recording, text).changes}
        query = parse(text, recording.dialect)
        single = set()
        for frame in recording.snapshot:
            packet = frame.packet("Position")
            assert packet is not None
            met = query.matches(recording.snapshot, frame, packet, recording.actors)
            single |= {(frame.index, packet.records[at]["id"]) for at in np.flatnonzero(met).tolist()}
        assert found == single
        return found


def everywhere(actor: int, frames: range = range(FRAMES)) -> set[tuple[int, int | None]]:
    return {(frame, actor) for frame in frames}


def test_a_position_is_on_the_lane_under_it_or_beside_the_nearest() -> None:
    x, y = 100 * np.array([50.0, 50.0, 50.0, 50.0, 50.0]), 100 * np.array([-1.0, 2.25, 8.5, 12.0, 30.0])
    found = LanePlaces.at(street(), x, y, 0 * x, np.array([180.0, 5.0, 90.0, 0.0, 0.0]))
    assert found.of_lane("lane_id", 0).tolist() == [1, -1, -3, -3, 0]
    assert [(*LANE_TYPES, "")[each] for each in found.type.tolist()] == [
        "driving",
        "driving",
        "sidewalk",
        "sidewalk",
        "",
    ]
    np.testing.assert_allclose(found.locations["offset"][:3], [-0.75, 0.5, 0.5], atol=1e-6)
    np.testing.assert_allclose(found.locations["border"][:4], [1.0, 1.25, 0.5, -3.0], atol=1e-6)
    np.testing.assert_allclose(found.heading_error[:3], [0.0, 5.0, 90.0], atol=1e-6)
    assert found.off_road.tolist() == [False, False, False, True, True]
    assert found.on_sidewalk.tolist() == [False, False, True, False, False]


def test_places_that_are_no_numbers_or_beyond_every_map_are_on_no_lane() -> None:
    x = np.array([np.nan, np.inf, 1e300, -1e12, 5000.0])
    found = LanePlaces.at(street(), x, np.full(5, 200.0), np.zeros(5), np.array([0.0, np.nan, 0.0, 0.0, np.nan]))
    assert found.of_lane("lane_id", 0).tolist() == [0, 0, 0, 0, -1]
    assert found.off_road.tolist() == [True, True, True, True, False]
    assert not found.wrong_way.any()


def test_a_lane_for_driving_comes_before_others_that_lie_over_it() -> None:
    crossing = road(id_=2, lanes=section(right=[lane(-1, "sidewalk", [(0.0, 3.0)])]))
    both = read_road_map(opendrive(road(), crossing))
    found = LanePlaces.at(both, np.array([5000.0]), np.array([150.0]), np.zeros(1), np.zeros(1))
    assert found.of_lane("road_id", 0).tolist() == [1]


def test_in_junctions_no_direction_is_wrong() -> None:
    turn = read_road_map(opendrive(road(junction=3)))
    found = LanePlaces.at(turn, np.array([5000.0]), np.array([150.0]), np.zeros(1), np.array([180.0]))
    assert found.in_junction.tolist() == [True]
    assert abs(found.heading_error[0]) == pytest.approx(180.0)
    assert found.wrong_way.tolist() == [False]


def test_names_of_lanes_are_those_of_the_place_of_each_record() -> None:
    assert matching("Position where lane == -2 and id == 1") == everywhere(CHANGING, range(CHANGE, FRAMES))
    assert matching("Position where wrong_way") == everywhere(WRONG)
    assert matching("Position where off_road") == everywhere(AWAY, range(6))
    on_sidewalk = {*everywhere(WALKER), *everywhere(ON_SIDEWALK, range(CHANGE)), *everywhere(6)}
    assert matching('Position where lane_type == "sidewalk"') == on_sidewalk
    assert matching('Position where lane_type == ""') == everywhere(AWAY, range(6))
    assert matching("Position where lane_offset < -0.1 and id == 1") == everywhere(CHANGING, range(CHANGE, FRAMES))
    assert matching("Position where isnan(lane)") == everywhere(AWAY, range(6))
    assert matching("Position where in_junction") == set()


def test_a_lane_may_be_a_value_and_is_never_set() -> None:
    with on_street() as recording:
        recording.apply(replace_where(recording, "Position where id == 1: location.z = lane"))
        heights = Tracks(recording.snapshot).path(CHANGING)["z"].tolist()
        assert heights == [-1.0] * CHANGE + [-2.0] * (FRAMES - CHANGE)
        query = parse_value("Position: lane_offset", recording.dialect)
        table = Tracks(recording.snapshot).read("Position", [CHANGING])
        values = query.values(TrackRecords(query.kind, table, recording.snapshot), table.shape)
        np.testing.assert_allclose(values, [0.0] * CHANGE + [-0.25] * (FRAMES - CHANGE), atol=1e-6)
    with pytest.raises(ExpressionError, match="lane is calculated and not stored"):
        parse("Position: lane = 1", DIALECT)


def test_without_a_map_lanes_are_refused_in_a_sentence_and_unknown_to_who_asks_all_the_same() -> None:
    with on_street() as recording:
        recording.context.use_road_map(None)
        text = "Position where x > 0 and off_road"
        with pytest.raises(ExpressionError, match=r"“off_road” needs a road map .*column 26"):
            preview(recording, text)
        frame = recording[0]
        packet = frame.packet("Position")
        assert packet is not None
        for condition in ("off_road", "lane == -1", 'lane_type != ""', "wrong_way", "in_junction", "lane_offset > -9"):
            query = parse(f"Position where {condition}", recording.dialect)
            assert not query.matches(recording.snapshot, frame, packet, None).any()


def test_packets_without_a_place_have_no_lane() -> None:
    with pytest.raises(ExpressionError, match="AnimVehicle has no position; “lane” is known of Position"):
        parse("AnimVehicle where lane == 1", DIALECT)


def test_names_and_types_of_lanes_are_proposed_where_there_is_a_place() -> None:
    def proposed(text: str) -> list[str]:
        return [each.word for each in completion(text, DIALECT, None).proposals]

    assert proposed("Position where lane")[:3] == ["lane", "lane_type", "lane_offset"]
    assert proposed("Position where lane_type == side") == ['"sidewalk"']
    assert "off_road" not in proposed("AnimVehicle where off")


def test_a_life_has_its_share_off_the_road_its_changes_and_its_stretches() -> None:
    with on_street() as recording:
        use = LaneUse.of(recording.snapshot)
        assert use is not None
        assert LaneUse.of(recording.snapshot) is use
        life = {each.actor: each.index for each in recording.actors}
        share = [use.off_road[life[actor]] for actor in (CHANGING, WRONG, WALKER, AWAY)]
        np.testing.assert_allclose(share, [0.0, 0.0, 0.0, 6 / 7])
        assert math.isnan(use.off_road[life[6]])
        assert [(each["life"], each["frame"]) for each in use.changes] == [(life[CHANGING], CHANGE)]
        assert use.changes_of(life[CHANGING]).tolist() == [CHANGE]
        assert use.changes_of(life[WRONG]).tolist() == []
        assert use.stretches.tolist() == [
            (WRONG_WAY, life[WRONG], 0, 7, 3.5),
            (SIDEWALK, life[ON_SIDEWALK], 0, 3, 1.5),
            (OFF_ROAD, life[AWAY], 0, 5, 2.5),
        ]


def test_another_state_or_map_is_looked_at_anew() -> None:
    with on_street() as recording:
        before = LaneUse.of(recording.snapshot)
        recording.apply(replace_where(recording, "Position where id == 1: location.y = 175"))
        after = LaneUse.of(recording.snapshot)
        assert after is not None
        assert after is not before
        assert after.changes.tolist() == []
        recording.context.use_road_map(street())
        assert LaneUse.of(recording.snapshot) is not after
        recording.context.use_road_map(None)
        assert LaneUse.of(recording.snapshot) is None


def driven(*across: float, along: float = 5.0) -> list[int]:
    """The frames in which a car that is so far to the south in each frame is on another lane."""
    poses = [b.packet(6, b.position([b.pose(1, b.xyz(100 * along * n, 100 * y))])) for n, y in enumerate(across)]
    with on_street(film([add(b.actor(1)), poses[0]], *([pose] for pose in poses[1:]), step=0.5)) as recording:
        use = LaneUse.of(recording.snapshot)
        assert use is not None
        assert use.changes.dtype == CHANGE_DTYPE
        return [int(frame) for frame in use.changes["frame"]]


def test_who_drives_on_the_line_changes_once_and_who_jumps_does_not() -> None:
    assert driven(1.75, 3.4, 3.6, 3.4, 3.6, 5.0, 5.0) == [5]
    assert driven(1.75, 3.4, 3.6, 3.4, 1.75) == []
    assert driven(1.75, 5.0, 1.75) == [1, 2]
    assert driven(1.75, 1.75, 5.0, along=120.0) == []


def test_from_one_section_or_road_to_the_next_only_who_goes_aside_changes() -> None:
    first = section(right=[lane(-1, after=-1), lane(-2, after=-2)])
    second = section(50.0, right=[lane(-1, before=-1), lane(-2, before=-2)])
    parted = read_road_map(opendrive(road(lanes=first + second)))

    def changes(*across: float) -> int:
        poses = [b.packet(6, b.position([b.pose(1, b.xyz(3000 + 4000 * n, 100 * y))])) for n, y in enumerate(across)]
        with opened(film([add(b.actor(1)), poses[0]], [poses[1]], step=1.0)) as recording:
            recording.context.use_road_map(parted)
            use = LaneUse.of(recording.snapshot)
            assert use is not None
            return len(use.changes)

    assert changes(1.75, 1.75) == 0
    assert changes(1.75, 5.25) == 1


def test_the_places_of_the_street_are_what_its_docstring_says() -> None:
    with on_street() as recording:
        placed = Tracks(recording.snapshot).positions(frames=range(1))
        found = LanePlaces.of(street(), placed)
        lanes = dict(zip(placed["id"].tolist(), found.of_lane("lane_id", 0).tolist(), strict=True))
        assert lanes == {CHANGING: -1, WRONG: 1, WALKER: -3, ON_SIDEWALK: -3, AWAY: 0, 6: -3}
        assert places(0)[WALKER][1] == 8.0


def test_the_map_stays_with_a_recording_that_is_edited_and_saved(tmp_path: Path) -> None:
    with on_street() as recording:
        known = recording.snapshot.roads
        recording.apply(replace_where(recording, "Position where off_road: location.y = 175"))
        assert recording.snapshot.roads is known
        recording.save(tmp_path / "saved.log")
        assert recording.snapshot.roads is known
        assert preview(recording, "Position where off_road").matches == 0


def test_times_and_places_that_are_no_numbers_are_passed_over() -> None:
    inf = math.inf
    places = [(100.0, 175.0), (inf, 175.0), (inf, inf), (math.nan, 175.0), (400.0, 500.0)]
    poses = [b.packet(6, b.position([b.pose(1, b.xyz(x, y))])) for x, y in places]
    born = add(b.actor(1))
    times = [0.0, inf, inf, -inf, math.nan]
    frames = [
        b.frame(number + 1, time, 0.1, [*([born] if not number else []), pose])
        for number, (time, pose) in enumerate(zip(times, poses, strict=True))
    ]
    with on_street(b.recording(*frames)) as recording:
        use = LaneUse.of(recording.snapshot)
        assert use is not None
        assert math.isnan(use.off_road[0])
        assert [(each["kind"], each["first"], each["last"]) for each in use.stretches] == [(OFF_ROAD, 1, 3)]
        assert not use.stretches["seconds"][0] > 0


def test_a_map_fits_if_half_of_the_vehicles_positions_are_within_5_m_of_its_lanes() -> None:
    for y, near in ((13.9, 1.0), (14.1, 0.0)):
        moved = {id_: b.pose(id_, b.xyz(100 * 50.0, 100 * y), b.turn()) for id_ in (CHANGING, WRONG, WALKER)}
        born = add(*(b.actor(id_, *BLUEPRINTS[id_]) for id_ in moved))
        with on_street(film([born, b.packet(6, b.position(moved.values()))])) as recording:
            use = LaneUse.of(recording.snapshot)
            assert use is not None
            assert (use.near, use.fits) == (near, near > 0)
    with on_street(film([add()])) as recording:
        use = LaneUse.of(recording.snapshot)
        assert use is not None
        assert (use.near, use.fits) == (1.0, True)
