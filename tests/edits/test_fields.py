"""Setting values: what was named changes, and nothing else does."""

import struct

import pytest

from recorder_editor import edits
from recorder_editor.api import Recording
from recorder_editor.edits.fields import ActorField
from recorder_editor.errors import EditError, FieldError, WrongVersion

from .. import builders as b
from ..recording.films import film, opened
from .conftest import saved


def yaw_of(recording: Recording, frame: int, actor: int) -> float:
    body = recording[frame].packet("Position")
    assert body is not None
    record = body.decoded.find_actor(actor)
    assert record is not None
    value = body.decoded.get(record, "rotation.yaw")
    assert isinstance(value, float)
    return value


def test_a_field_changes_its_own_four_bytes(recording: Recording) -> None:
    before = saved(recording)
    where = edits.place(recording, frame=1, packet="Position", actor=9, field="rotation.yaw")
    recording.apply(edits.set_field(recording, where, 92.5))
    after = saved(recording)
    changed = [at for at in range(len(before)) if before[at] != after[at]]
    start = recording[1].packets[where.packet or 0].offset + 5 + 2 + 28 + 24
    assert changed
    assert set(changed) <= set(range(start, start + 4))
    assert after[start : start + 4] == struct.pack("<f", 92.5)
    recording.undo()
    assert saved(recording) == before
    recording.redo()
    assert saved(recording) == after


def test_several_fields_are_one_step(recording: Recording) -> None:
    before = saved(recording)
    wanted = ((0, 7), (2, 9))
    places = [edits.place(recording, frame=f, packet="Position", actor=a, field="location.x") for f, a in wanted]
    recording.apply(edits.set_fields(recording, [(place, 5.0) for place in places]))
    assert len(recording.history.steps) == 1
    assert [recording[f].packets[2].decoded.get(r, "location.x") for f, r in ((0, 0), (2, 1))] == [5.0, 5.0]
    recording.undo()
    assert saved(recording) == before


def test_two_strings_of_one_record_are_set_together(recording: Recording) -> None:
    row = recording[0].row
    names = [edits.Place(row, 1, record, "blueprint") for record in (0, 1)]
    recording.apply(edits.set_fields(recording, [(names[0], "walker.pedestrian.0001"), (names[1], "a")]))
    packet = recording[0].packets[1]
    assert [record["blueprint"] for record in packet.records] == ["walker.pedestrian.0001", "a"]
    assert packet.decoded.damage is None


@pytest.mark.parametrize("value", [1e40, "text", float(2**200)])
def test_a_value_that_does_not_fit_is_refused_and_nothing_changes(recording: Recording, value: float | str) -> None:
    before = saved(recording)
    where = edits.place(recording, frame=1, packet="Position", actor=9, field="location.x")
    with pytest.raises(FieldError):
        edits.set_field(recording, where, value)
    assert saved(recording) == before


def test_an_edit_made_for_another_state_is_refused(recording: Recording) -> None:
    where = edits.place(recording, frame=1, packet="Position", actor=9, field="location.x")
    early = edits.set_field(recording, where, 1.0)
    recording.apply(edits.set_field(recording, where, 2.0))
    with pytest.raises(WrongVersion):
        recording.apply(early)


def test_the_times_of_a_frame_are_set_without_touching_its_packets(recording: Recording) -> None:
    recording.apply(edits.set_frame_start(recording, 1, {"elapsed": 0.625, "frame_id": 12}))
    assert (recording[1].elapsed, recording[1].frame_id, recording[1].duration) == (0.625, 12, 0.5)
    where = edits.place(recording, frame=1, packet="FrameStart", field="duration")
    recording.apply(edits.set_field(recording, where, 0.25))
    assert struct.pack("<BIQdd", 0, 24, 12, 0.25, 0.625) in saved(recording)


def test_a_field_is_set_over_many_frames_in_one_step(recording: Recording) -> None:
    before = saved(recording)
    where = edits.place(recording, frame=1, packet="Position", actor=7, field="rotation.yaw")
    recording.apply(edits.set_over(recording, where, -90.0, range(1, 3)))
    assert [yaw_of(recording, frame, 7) for frame in range(3)] == [170.0, -90.0, -90.0]
    assert [yaw_of(recording, frame, 9) for frame in range(3)] == [170.0, 170.0, 170.0]
    recording.undo()
    assert saved(recording) == before


def test_adding_to_an_angle_stays_on_the_circle(recording: Recording) -> None:
    where = edits.place(recording, frame=0, packet="Position", actor=7, field="rotation.yaw")
    recording.apply(edits.add_over(recording, where, 30.0, range(3)))
    assert [yaw_of(recording, frame, 7) for frame in range(3)] == [-160.0] * 3


def test_nothing_is_added_where_the_actor_has_no_record() -> None:
    frames = [[b.packet(6, b.position([]))], [b.packet(6, b.position([b.pose(8)]))]]
    with opened(film(*frames)) as recording, pytest.raises(EditError, match="No frame of the range has"):
        edits.add_over(recording, ActorField.named(recording.snapshot, "Position", "location.x", 7), 1.0, range(2))


def test_what_holds_no_actor_cannot_be_set_over_frames(recording: Recording) -> None:
    where = edits.place(recording, frame=0, packet="EventAdd", record=0, field="blueprint")
    with pytest.raises(EditError):
        edits.set_over(recording, where, "x", range(3))


def test_the_header_changes_and_comes_back(recording: Recording) -> None:
    before = saved(recording)
    recording.apply(edits.set_header(recording, map_name="Town10HD_Opt"))
    assert recording.header is not None
    assert recording.header.map_name == "Town10HD_Opt"
    assert saved(recording)[26:42] == b"\x0c\x00Town10HD_Opt\x00\x18"
    recording.undo()
    assert saved(recording) == before


def test_a_map_name_longer_than_the_format_reads_back_is_refused(recording: Recording) -> None:
    with pytest.raises(FieldError):
        edits.set_header(recording, map_name="x" * 300)


def test_edits_of_one_gesture_are_one_step(recording: Recording) -> None:
    before = saved(recording)
    where = edits.place(recording, frame=1, packet="Position", actor=7, field="location.x")
    for value in (1.0, 2.0, 3.0):
        recording.apply(edits.set_field(recording, where, value), gesture="spin")
    assert len(recording.history.steps) == 1
    recording.undo()
    assert saved(recording) == before
    assert not recording.is_modified


def test_only_a_header_that_can_be_read_back_is_written(recording: Recording) -> None:
    with pytest.raises(FieldError, match="2015"):
        edits.set_header(recording, date=0)
    with pytest.raises(FieldError, match="printed"):
        edits.set_header(recording, map_name="Town\n01")
    with pytest.raises(FieldError, match="65,535"):
        edits.set_header(recording, version=65536)
    with pytest.raises(EditError):
        edits.set_header(recording)


def test_times_and_packets_of_a_frame_are_set_in_one_step(recording: Recording) -> None:
    yaw = edits.place(recording, frame=1, packet="Position", actor=9, field="rotation.yaw")
    elapsed = edits.Place(1, None, None, "elapsed")
    before = saved(recording)
    recording.apply(edits.set_fields(recording, [(elapsed, 3.0), (yaw, 5.0), (elapsed, 4.0)]))
    assert recording[1].elapsed == 4.0
    position = recording[1].packet("Position")
    assert position is not None
    assert position.decoded.get(1, "rotation.yaw") == 5.0
    assert len(recording.history.steps) == 1
    recording.undo()
    assert saved(recording) == before


@pytest.mark.parametrize("values", [{}, {"gear": 1}])
def test_a_frame_has_three_values_of_its_own_to_be_set(recording: Recording, values: dict[str, int]) -> None:
    with pytest.raises(EditError, match="elapsed"):
        edits.set_frame_start(recording, 1, values)


@pytest.mark.parametrize("delta", [float("nan"), float("inf"), 1e39, 1e300, -1e39])
@pytest.mark.parametrize("field", ["location.x", "rotation.yaw"])
def test_what_would_not_be_a_number_any_more_is_not_added(recording: Recording, delta: float, field: str) -> None:
    where = edits.place(recording, frame=1, packet="Position", actor=7, field=field)
    if field == "rotation.yaw" and 1e39 <= abs(delta) < float("inf"):
        return  # however often it turns, an angle stays an angle
    with pytest.raises(FieldError):
        edits.add_over(recording, where, delta, range(3))


def test_frames_with_gaps_between_them_are_refused_and_those_beyond_the_end_left_out(recording: Recording) -> None:
    where = edits.place(recording, frame=1, packet="Position", actor=7, field="location.x")
    with pytest.raises(EditError, match="follow one another"):
        edits.set_over(recording, where, 1.0, range(0, 3, 2))
    edit = edits.set_over(recording, where, 1.0, range(-5, 1000))
    assert "3 frames" in edit.label
    recording.apply(edit)
    assert recording.tracks.positions([7])["x"].tolist() == [1.0, 1.0, 1.0]
