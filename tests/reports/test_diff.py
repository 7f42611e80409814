"""What differs between two recordings, told from bytes that differ in known places."""

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import edits
from recorder_editor.errors import Cancelled, EditError
from recorder_editor.format.codec import Body
from recorder_editor.progress import Progress
from recorder_editor.reports.diff import Comparison, compare, groups
from recorder_editor.reports.diff.compare import align

from .. import builders as b
from ..recording.films import add, film, opened

POSITION, STATE = 6, 7


@contextmanager
def compared(
    one: bytes, other: bytes, tolerance: float = 0.0, dialects: tuple[str, str] = ("ue4-0.9.12", "ue4-0.9.12")
) -> Iterator[Comparison]:
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(opened(data, dialect)) for data, dialect in zip((one, other), dialects, strict=True)
        )
        yield compare(first.snapshot, second.snapshot, tolerance)


def at(*records: tuple[int, Any]) -> bytes:
    """A Position packet: (id, x)."""
    return b.packet(POSITION, b.position([b.pose(number, b.xyz(x)) for number, x in records]))


# --- which frame is which -------------------------------------------------------------------------------


def pairs(first: Sequence[float], second: Sequence[float]) -> list[tuple[int, int]]:
    found = align(np.array(first, np.float64), np.array(second, np.float64)).pairs
    return [(int(one), int(other)) for one, other in found]


def test_frames_of_the_same_times_belong_together() -> None:
    assert pairs([0, 1, 2], [0, 1, 2]) == [(0, 0), (1, 1), (2, 2)]


def test_a_missing_frame_leaves_its_partner_alone() -> None:
    assert pairs([0, 1, 2, 3], [0, 1, 3]) == [(0, 0), (1, 1), (2, -1), (3, 2)]
    assert pairs([1, 2], [0, 1, 2, 3]) == [(-1, 0), (0, 1), (1, 2), (-1, 3)]


def test_the_nearer_of_two_frames_is_the_partner() -> None:
    assert pairs([0.0, 0.9, 1.0, 2.0], [0.0, 1.01, 2.0]) == [(0, 0), (1, -1), (2, 1), (3, 2)]


def test_a_coarser_recording_is_matched_where_times_meet() -> None:
    assert pairs([0, 0.1, 0.2, 0.3, 0.4], [0, 0.2, 0.4]) == [(0, 0), (1, -1), (2, 1), (3, -1), (4, 2)]
    # Half a step of the finer one is how far apart they may be.
    assert pairs([0, 0.1, 0.2], [0, 0.26, 0.52]) == [(0, 0), (1, -1), (2, -1), (-1, 1), (-1, 2)]


def test_a_frame_told_twice_is_extra() -> None:
    assert pairs([0, 1, 2], [0, 1, 1, 2]) == [(0, 0), (1, 1), (-1, 2), (2, 3)]


@pytest.mark.parametrize("odd", [math.nan, -5.0, math.inf])
def test_times_that_do_not_rise_are_matched_by_number(odd: float) -> None:
    found = align(np.array([0.0, 1.0, odd]), np.array([0.0, 1.0]))
    assert not found.by_time
    assert found.pairs.tolist() == [[0, 0], [1, 1], [2, -1]]


TIMES = st.lists(st.floats(0, 100, allow_subnormal=False), max_size=30).map(sorted)


@given(TIMES, TIMES)
def test_every_frame_is_in_one_pair_and_the_order_stays(first: list[float], second: list[float]) -> None:
    found = pairs(first, second)
    assert [one for one, _ in found if one >= 0] == list(range(len(first)))
    assert [other for _, other in found if other >= 0] == list(range(len(second)))
    assert (-1, -1) not in found


# --- what differs ---------------------------------------------------------------------------------------


def test_a_recording_equals_itself(sound_recording: Path) -> None:
    with recorder_editor.open(sound_recording) as one, recorder_editor.open(sound_recording) as other:
        found = compare(one.snapshot, other.snapshot)
        assert not found.differ
        assert found.frames.same == len(one)
        assert (len(found), found.actors, found.header, found.groups) == (0, (), (), ())


def test_a_damaged_recording_equals_itself_and_not_its_beginning(damaged_recording: Path, tmp_path: Path) -> None:
    shorter = tmp_path / "shorter.log"
    shorter.write_bytes(damaged_recording.read_bytes()[:-1])
    with (
        recorder_editor.open(damaged_recording) as one,
        recorder_editor.open(damaged_recording) as other,
        recorder_editor.open(shorter) as third,
    ):
        assert not compare(one.snapshot, other.snapshot).differ
        found = compare(one.snapshot, third.snapshot)
        assert found.differ
        assert found.outside


def test_one_moved_actor_is_one_field() -> None:
    one, other = (film([at((1, 5.0), (2, 6.0))], [at((1, 5.0), (2, x))]) for x in (7.5, 9.0))
    with compared(one, other) as found:
        assert (found.frames.same, found.frames.differ) == (1, 1)
        assert found.pair(0) == (1, 1)
        (difference,) = found.details(0)
        assert difference.level == "field"
        assert (difference.packet, difference.id, difference.path) == ("Position", 2, "location.x")
        assert (difference.value_a, difference.value_b, difference.delta) == (7.5, 9.0, 1.5)
        (group,) = found.groups
        assert (group.packet, group.id, group.path, group.frames, group.high) == ("Position", 2, "location.x", 1, 1.5)


def test_records_are_matched_by_id_wherever_they_stand() -> None:
    with compared(film([at((1, 5.0), (2, 6.0))]), film([at((2, 6.0), (1, 5.0), (3, 1.0))])) as found:
        (difference,) = found.details(0)
        assert (difference.level, difference.id, difference.record_a, difference.record_b) == ("record", 3, None, 2)
        assert [(group.packet, group.id, group.only) for group in found.groups] == [("Position", 3, "b")]


def test_ids_told_twice_are_matched_in_their_order() -> None:
    with compared(film([at((1, 5.0), (1, 6.0))]), film([at((1, 5.0), (1, 8.0), (1, 9.0))])) as found:
        changed, added = found.details(0)
        assert (changed.record_a, changed.record_b, changed.value_b) == (1, 1, 8.0)
        assert (added.record_a, added.record_b) == (None, 2)


def test_a_packet_of_one_side_only_is_told_as_a_packet() -> None:
    with compared(film([at((1, 5.0))]), film([])) as found:
        (difference,) = found.details(0)
        assert (difference.level, difference.packet, difference.packet_b) == ("packet", "Position", None)
        assert [(group.packet, group.only) for group in found.groups] == [("Position", "a")]


def test_bodies_that_nobody_decodes_differ_as_bytes() -> None:
    with compared(film([b.packet(200, b"abc")]), film([b.packet(200, b"abd")])) as found:
        (difference,) = found.details(0)
        assert difference.level == "bytes"
        assert [group.packet for group in found.groups] == ["Unknown 200"]


def test_a_tolerance_lets_small_differences_pass_and_only_those() -> None:
    one, other = film([at((1, 5.0), (2, 5.0))]), film([at((1, 5.25), (2, 6.0))])
    with compared(one, other, tolerance=0.5) as found:
        assert [difference.id for difference in found.details(0)] == [2]
    with compared(one, other, tolerance=1.0) as found:
        assert not found.differ


def test_angles_are_compared_the_short_way_round() -> None:
    one, other = (
        film([b.packet(POSITION, b.position([b.pose(1, rotation=b.turn(yaw=yaw))]))]) for yaw in (179.9, -179.9)
    )
    with compared(one, other, tolerance=0.3) as found:
        assert not found.differ
    with compared(one, other) as found:
        (difference,) = found.details(0)
        assert difference.delta == pytest.approx(0.2, abs=1e-4)


def test_nan_equals_the_same_bits_and_nothing_else_without_a_tolerance() -> None:
    quiet, signalling = b.BOX_NAN_32, b.SIGNALLING_32
    with compared(film([at((1, quiet))]), film([at((1, quiet))])) as found:
        assert not found.differ
    with compared(film([at((1, quiet))]), film([at((1, signalling))])) as found:
        assert found.frames.differ == 1
    with compared(film([at((1, quiet))]), film([at((1, 3.0))]), tolerance=1e9) as found:
        assert found.frames.differ == 1


def test_a_frame_of_another_duration_differs_in_its_frame_start() -> None:
    one = b.recording(b.frame(1, 0.0, 0.05), b.frame(2, 0.05, -1.0))
    other = b.recording(b.frame(1, 0.0, 0.05), b.frame(2, 0.05, 0.05))
    with compared(one, other) as found:
        (difference,) = found.details(0)
        assert (difference.packet, difference.path, difference.value_b) == ("FrameStart", "duration", 0.05)


def test_a_renamed_map_is_a_change_of_the_header() -> None:
    with compared(b.recording(b.frame(1), map_name="Town01"), b.recording(b.frame(1), map_name="Town02")) as found:
        assert found.header == (("map", "Town01", "Town02"),)
        assert found.differ
        assert len(found) == 0


def test_another_blueprint_is_told_of_the_actor_and_of_its_record() -> None:
    one, other = (film([add(b.actor(7, blueprint=name))]) for name in ("vehicle.audi.tt", "vehicle.bmw.grandtourer"))
    with compared(one, other) as found:
        (change,) = found.actors
        assert change.fields[0] == ("blueprint", "vehicle.audi.tt", "vehicle.bmw.grandtourer")
        assert "blueprint" in [difference.path for difference in found.details(0)]


def test_actors_of_one_side_only_are_named() -> None:
    with compared(film([add(b.actor(7))], []), film([add(b.actor(7), b.actor(8))], [])) as found:
        (change,) = found.actors
        assert change.life_a is None
        assert change.life_b is not None
        assert change.life_b.actor == 8


def test_float_and_double_recordings_are_compared_by_value() -> None:
    def one(wide: bool, x: float) -> bytes:
        poses = [b.pose(1, b.xyz(x))]
        return film([b.packet(POSITION, b.position(poses, wide) if wide else b.position(poses))])

    with compared(one(False, 5.0), one(True, 5.0), dialects=("ue4-0.9.15", "ue5-0.10.0")) as found:
        assert not found.differ
    with compared(one(False, 5.0), one(True, 6.0), dialects=("ue4-0.9.15", "ue5-0.10.0")) as found:
        assert found.frames.differ == 1


@pytest.mark.parametrize("tolerance", [0.0, 0.5])
def test_a_signalling_nan_of_floats_is_compared_with_doubles(tolerance: float) -> None:
    def one(wide: bool, x: Any) -> bytes:
        poses = [b.pose(1, b.xyz(x))]
        return film([b.packet(POSITION, b.position(poses, wide) if wide else b.position(poses))])

    narrow = one(False, b.SIGNALLING_32)
    for x, differing in ((5.0, 1), (b.SIGNALLING_64, 0)):
        with compared(narrow, one(True, x), tolerance, dialects=("ue4-0.9.15", "ue5-0.10.0")) as found:
            assert found.frames.differ == differing


def test_an_edit_is_found_and_taking_it_back_makes_both_the_same(sound_recording: Path) -> None:
    with recorder_editor.open(sound_recording) as one, recorder_editor.open(sound_recording) as other:
        row = one.snapshot.table.row_of_frame(min(40, len(one) - 1))
        other.apply(edits.delete_rows(other, row, min(2, other.snapshot.rows - row)))
        found = compare(one.snapshot, other.snapshot)
        assert found.differ
        while (found := compare(one.snapshot, other.snapshot)).differ:
            pair = found.pair(0)
            assert pair.frame_a is not None
            assert pair.frame_b is None
            other.apply(edits.take_frame(other, pair.frame_a, one[pair.frame_a]))
        assert other.snapshot.read(0, other.snapshot.size) == one.snapshot.read(0, one.snapshot.size)


def test_a_comparison_can_be_cancelled(recordings: Path) -> None:
    with recorder_editor.open(recordings / "carla-0.9.13-town01.log") as one, pytest.raises(Cancelled):
        compare(one.snapshot, one.snapshot, progress=Progress(is_cancelled=lambda: True))


# --- taking from the other ------------------------------------------------------------------------------


def test_a_packet_is_taken_or_inserted_where_the_recorder_writes_it() -> None:
    state = b.packet(STATE, b.u16(0))
    with opened(film([at((1, 5.0)), state])) as one, opened(film([state])) as other:
        packet = one[0].packet("Position")
        assert packet is not None
        other.apply(edits.take_packet(other, edits.Place(0), packet))
        assert other[0].data == one[0].data
        other.undo()
        other.apply(edits.take_packet(other, edits.place(other, frame=0, packet="State"), one[0].packets[2]))
        assert [each.name for each in other[0].packets] == ["FrameStart", "State", "FrameEnd"]


def test_a_record_is_taken_in_place_or_added_at_the_end() -> None:
    with opened(film([at((1, 5.0), (2, 6.0))])) as one, opened(film([at((1, 9.0))])) as other:
        packet = one[0].packet("Position")
        assert packet is not None
        other.apply(edits.take_record(other, edits.place(other, frame=0, packet="Position", record=0), packet, 0))
        other.apply(edits.take_record(other, edits.place(other, frame=0, packet="Position"), packet, 1))
        assert other[0].data == one[0].data
        assert other.undo()
        assert other.undo()
        assert not other.is_modified


def test_bytes_of_another_dialect_are_refused_with_the_reason() -> None:
    wide = film([b.packet(POSITION, b.position([b.pose(1)], True))])
    with (
        opened(wide, "ue5-0.10.0") as one,
        opened(film([at((1, 9.0))])) as other,
        pytest.raises(EditError, match="read differently"),
    ):
        edits.take_frame(other, 0, one[0])


# --- differences of one field together --------------------------------------------------------------------


def grouped(found: Comparison) -> list[tuple[str, int | None, str, str, int, str]]:
    return [(each.packet, each.id, each.path, each.only, each.frames, each.change) for each in found.groups]


def test_differences_are_grouped_by_actor_and_field() -> None:
    one = film(*([at((1, 5.0), (2, 100.0 + 0.1 * frame))] for frame in range(6)))
    other = film(*([at((1, 5.0), (2, 100.0 + 0.1 * frame + (300.0 if frame != 2 else 0)))] for frame in range(6)))
    with compared(one, other) as found:
        assert grouped(found) == [("Position", 2, "location.x", "", 5, "+3.00 m")]
        assert found.pairs_of(found.groups[0]).tolist() == [0, 1, 2, 3, 4]
        assert [found.pair(number).frame_a for number in found.pairs_of(found.groups[0]).tolist()] == [0, 1, 3, 4, 5]
        assert found.left_out == 0


def test_a_change_that_is_not_constant_is_told_from_to_and_the_biggest_group_comes_first() -> None:
    one = film(*([at((1, 0.0), (2, 0.0))] for _ in range(3)))
    other = film([at((1, 50.0), (2, 0.0))], [at((1, 50.0), (2, -0.25))], [at((1, -100.0), (2, 0.5))])
    with compared(one, other) as found:
        assert grouped(found) == [
            ("Position", 1, "location.x", "", 3, "-1.00 to +0.50 m"),
            ("Position", 2, "location.x", "", 2, "-0.25 to +0.5 cm"),
        ]


def test_an_angle_changes_the_short_way_and_no_number_has_no_change() -> None:
    def turned(yaw: float, x: Any = 0.0) -> bytes:
        return b.packet(POSITION, b.position([b.pose(1, b.xyz(x), b.xyz(0.0, 0.0, yaw))]))

    with compared(film([turned(179.0)], [turned(0.0)]), film([turned(-179.0)], [turned(2.0, b.BOX_NAN_32)])) as found:
        changes = {each.path: each.change for each in found.groups}
        assert changes == {"rotation.yaw": "+2 °", "location.x": ""}


def test_records_of_one_side_are_groups_too() -> None:
    one, other = (
        film([at((1, 0.0), (2, 0.0))], [at((1, 0.0), (2, 0.0))]),
        film([at((1, 0.0))], [at((1, 0.0), (2, 0.0), (3, 1.0))]),
    )
    with compared(one, other) as found:
        assert grouped(found) == [("Position", 2, "", "a", 1, ""), ("Position", 3, "", "b", 1, "")]


def test_the_biggest_groups_are_kept_of_more_than_memory_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "MOST_GROUPS", 10)
    frames = 40
    one, other = (
        film(*([at((7, x), *((1000 + 9 * frame + n, x) for n in range(9)))] for frame in range(frames)))
        for x in (1.0, 2.0)
    )
    with compared(one, other) as found:
        assert len(found.groups) == 10
        assert grouped(found)[0] == ("Position", 7, "location.x", "", frames, "+1 cm")
        assert found.left_out == frames * 10 - sum(each.count for each in found.groups)
        assert max(each.frames for each in found.groups[1:]) == 1


def test_groups_that_memory_has_no_room_for_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "_MOST_KEPT", 2)
    one, other = (film(*([at((7, x), (8, x), (9, x))] for _ in range(4))) for x in (1.0, 2.0))
    with compared(one, other) as found:
        assert [each.id for each in found.groups] == [7, 8]
        assert found.left_out == 4


def test_the_frames_of_a_group_take_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "MOST_SPANS", 3)
    rest = [(2, 0.0), (2, 1.0)] * 5
    one = film(*([at((1, 0.0), (2, 0.0))] for _ in rest))
    other = film(*([at((1, moved), (2, 1.0))] for _, moved in rest))
    with compared(one, other) as found:
        every, some = found.groups
        assert (every.id, every.frames, some.id, some.frames) == (2, 10, 1, 5)
        assert found.pairs_of(every).tolist() == list(range(10))
        # What lies between is listed with them, but not counted.
        assert found.pairs_of(some).tolist() == [1, 3, 4, 5, 6, 7, 8, 9]


def test_a_difference_of_a_group_is_found_without_making_those_of_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (film([at(*((number, x) for number in range(1, 400)))]) for x in (1.0, 2.0))
    with compared(one, other) as found:
        asked: list[tuple[int, str]] = []
        get = Body.get

        def counted(body: Body, record: int, path: str) -> Any:
            asked.append((record, path))
            return get(body, record, path)

        monkeypatch.setattr(Body, "get", counted)
        group = found.groups[200]
        (difference,) = found.details(0, group)
        assert (difference.id, difference.path, difference.value_b) == (group.id, "location.x", 2.0)
        assert {record for record, _ in asked} == {difference.record_a}
