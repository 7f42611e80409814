"""The packets of forks through edits: what they set holds on, and what no table knows is told when it is cut away."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor import Recording, edits
from recorder_editor.edits.fields import ActorField
from recorder_editor.edits.operations import EVERY, argument_error
from recorder_editor.edits.operations.schema import OperationCall
from recorder_editor.edits.resample import resample
from recorder_editor.edits.segments import cut_out, join_segments
from recorder_editor.edits.trim import losses_before, part_of
from recorder_editor.errors import EditError, PacketNameError
from recorder_editor.format.dialects import DIALECTS, Dialect
from recorder_editor.format.schema import EMPTY, PacketType
from recorder_editor.reading import Tracks
from recorder_editor.reading.expression import ExpressionError, parse
from recorder_editor.recording import Edit, Snapshot

from .. import builders as b
from ..forks import CONFIG, STORY, Packets, data_of, sensor, sky
from ..recording.films import add, opened
from .conftest import saved

LASTING = (18, 21, 141)
MOMENTARY = (139, 140)
UNKNOWN = (150, 199)
NUMBERS = (*LASTING, *MOMENTARY, *UNKNOWN)


def of_the_fork(snapshot: Snapshot, index: int) -> list[tuple[int, bytes]]:
    """The fork's packets of a frame."""
    return [(packet.id, packet.body) for packet in snapshot.frame(index).packets if packet.id in NUMBERS]


def holding(snapshot: Snapshot) -> list[dict[int, bytes]]:
    """What holds at each frame: the last body of each lasting packet that is not empty."""
    found: list[dict[int, bytes]] = []
    held: dict[int, bytes] = {}
    for index in range(len(snapshot)):
        for number, body in of_the_fork(snapshot, index):
            if number in LASTING and body not in (b"", b"\0\0"):
                held = {**held, number: body}
        found.append(held)
    return found


def told(losses: Sequence[edits.LostPackets]) -> dict[int, int]:
    return {loss.number: loss.count for loss in losses}


@pytest.fixture
def recording() -> Iterator[Recording]:
    with opened(data_of(STORY), None) as found:
        assert [found.dialect.packet(number).name for number in (18, 21)] == ["DReyeVRWeather"] * 2
        yield found


def after(recording: Recording, edit: Edit) -> Snapshot:
    return recording.snapshot.after(edit)


# --- the first frame, byte for byte -------------------------------------------------------------------------


def first_frame(snapshot: Snapshot, index: int, frame_id: int, packets: Packets, *, x: float, last: bool) -> None:
    """Assert the bytes of a frame that begins a stretch with a car that is created in it."""
    found = snapshot.frame(index)
    car = add(b.actor(7, 1, "vehicle.tesla.model3", b.xyz(x)))
    poses = b.packet(6, b.position([b.pose(7, b.xyz(x))]))
    duration = -1.0 if last else 0.05
    wanted = b.frame(frame_id, 0.0, duration, [car, poses, *(b.packet(*each) for each in packets)])
    assert found.data == wanted


def test_a_trimmed_recording_begins_with_the_weather_and_the_configuration_in_force(recording: Recording) -> None:
    whole = saved(recording)
    edit = edits.trim(recording, range(3, 6))
    first_frame(
        after(recording, edit),
        0,
        1,
        [(139, sensor(3)), (150, b"\0\0"), (18, sky(10.0)), (21, sky(30.0)), (141, CONFIG)],
        x=300.0,
        last=False,
    )
    assert told(edit.losses) == {150: 1}
    recording.apply(edit)
    recording.undo()
    assert saved(recording) == whole


def test_a_frame_that_sets_it_itself_stays_as_it_is_and_an_empty_packet_is_filled(recording: Recording) -> None:
    own = after(recording, edits.trim(recording, range(4, 8)))
    first_frame(own, 0, 1, [*STORY[4], (21, sky(30.0))], x=400.0, last=False)
    filled = after(recording, edits.trim(recording, range(5, 6)))
    first_frame(
        filled, 0, 1, [(18, sky(50.0)), *STORY[5][1:], (21, sky(30.0)), (141, CONFIG + b"!")], x=500.0, last=True
    )


def test_behind_a_cut_only_what_changed_in_the_gap_is_added(recording: Recording) -> None:
    whole = saved(recording)
    edit = edits.cut(recording, range(3, 6))
    assert of_the_fork(after(recording, edit), 3) == [*STORY[6], (18, sky(50.0)), (141, CONFIG + b"!")]
    assert told(edit.losses) == {150: 1, 199: 1}
    recording.apply(edit)
    recording.undo()
    assert saved(recording) == whole


def test_parts_hold_it_and_joined_again_the_recording_is_as_it_was(recording: Recording) -> None:
    ranges = [range(3), range(3, 6), range(6, 8)]
    first, *others = (part_of(recording, frames) for frames in ranges)
    assert of_the_fork(others[1], 0) == [*STORY[6], (18, sky(50.0)), (21, sky(30.0)), (141, CONFIG + b"!")]
    whole = first.after(edits.join(first, others, match_actors=True))
    assert [of_the_fork(whole, index) for index in range(8)] == [
        *map(list, STORY[:5]),
        list(STORY[5]),
        *map(list, STORY[6:]),
    ]
    assert told(losses_before(recording, ranges)) == {150: 2, 199: 1}
    assert told(losses_before(recording, ranges[:2])) == {150: 1}
    assert losses_before(recording, [range(8)]) == ()


def test_segments_that_are_joined_or_cut_out_hold_it(recording: Recording) -> None:
    before = holding(recording.snapshot)
    made = join_segments(recording, [range(2, 4), range(6, 7)])
    assert holding(made) == [before[2], before[3], before[6]]
    edit = cut_out(recording, [range(3, 4), range(5, 6)])
    assert holding(after(recording, edit)) == [before[index] for index in (0, 1, 2, 4, 6, 7)]
    assert told(edit.losses) == {150: 1, 199: 1}


def test_what_is_joined_keeps_what_it_sets_and_is_not_told_again_what_holds() -> None:
    later = data_of([[(18, sky(1.0)), (18, sky(2.0)), (141, b"other")], [(139, b"x")]])
    with opened(data_of([[(18, sky(1.0)), (141, CONFIG)]]), None) as recording, opened(later, None) as other:
        edit = edits.join(recording, [other])
        assert of_the_fork(after(recording, edit), 1) == [(18, sky(2.0)), (141, b"other")]
        assert edit.losses == ()


def test_a_lasting_packet_before_the_first_frame_cannot_be_joined() -> None:
    stray = b.header() + b.packet(141, CONFIG) + b.frame(1) + b.frame(2, 0.05)
    with opened(data_of(STORY)) as recording, opened(stray) as other, pytest.raises(EditError, match="DReyeVRConfig"):
        edits.join(recording, [other])


def test_times_alone_change_when_they_are_stretched(recording: Recording) -> None:
    found = after(recording, edits.retime(recording, 2.0))
    assert [of_the_fork(found, index) for index in range(8)] == [list(packets) for packets in STORY]


@pytest.mark.parametrize("step", [0.02, 0.1, 0.15])
def test_frames_of_another_step_hold_what_held_at_their_time(recording: Recording, step: float) -> None:
    before = holding(recording.snapshot)
    edit = resample(recording, step)
    found = after(recording, edit)
    for frame, held in zip(found, holding(found), strict=True):
        index = min(int(frame.elapsed / 0.05 + 1e-6), len(before) - 1)
        assert held == before[index]
    copied = [each for index in range(len(found)) for each in of_the_fork(found, index)]
    for number in NUMBERS:
        assert [body for each, body in copied if each == number] == [
            body for packets in STORY for each, body in packets if each == number
        ]
    assert edit.losses == ()


# --- beside a list of frames ----------------------------------------------------------------------------------

BODIES: Mapping[int, st.SearchStrategy[bytes]] = {
    number: st.sampled_from([b"", b"\0\0", b.u8(number), sky(1.0), sky(2.0)]) for number in NUMBERS
}
STORIES = st.lists(
    st.lists(st.sampled_from(NUMBERS).flatmap(lambda number: st.tuples(st.just(number), BODIES[number])), max_size=3),
    min_size=2,
    max_size=7,
)
OWN = {number: PacketType(number, f"Own {number}", "opaque", EMPTY, "", lifetime="lasting") for number in LASTING}
FORK: Dialect = replace(DIALECTS["ue4-0.9.12"], packets={**DIALECTS["ue4-0.9.12"].packets, **OWN})
"""A dialect with packets of users that last: no table of ours names them."""


def lost(story: Sequence[Packets], frames: range) -> dict[int, int]:
    """The packets of no table in frames, without empty ones."""
    found: dict[int, int] = {}
    for index in frames:
        for number, body in story[index]:
            if number in UNKNOWN and body not in (b"", b"\0\0"):
                found[number] = found.get(number, 0) + 1
    return found


@given(STORIES, st.data())
def test_what_holds_at_kept_frames_is_what_held_there(story: list[Packets], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(story) - 1))
    stop = data.draw(st.integers(start + 1, len(story)))
    with opened(data_of(story), FORK) as recording:
        before = holding(recording.snapshot)
        whole = saved(recording)
        if stop - start < len(story):
            kept = edits.trim(recording, range(start, stop))
            assert holding(after(recording, kept)) == before[start:stop]
            assert told(kept.losses) == lost(story, range(start))
            rest = edits.cut(recording, range(start, stop))
            assert holding(after(recording, rest)) == before[:start] + before[stop:]
            assert told(rest.losses) == (lost(story, range(start, stop)) if stop < len(story) else {})
            recording.apply(rest)
            recording.undo()
        assert saved(recording) == whole
        if start:
            first, second = part_of(recording, range(start)), part_of(recording, range(start, len(story)))
            assert holding(second) == before[start:]
            again = first.after(edits.join(first, [second], gap=0.05, match_actors=True))
            assert holding(again) == before


@given(STORIES)
def test_momentary_packets_of_kept_frames_stay_byte_for_byte(story: list[Packets]) -> None:
    with opened(data_of(story), FORK) as recording:
        found = after(recording, edits.trim(recording, range(1, len(story))))
        for index, packets in enumerate(story[1:]):
            wanted = [each for each in packets if each[0] not in LASTING]
            assert [each for each in of_the_fork(found, index) if each[0] not in LASTING] == wanted


def test_a_million_frames_are_not_read_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    story: list[Packets] = [[(141, CONFIG)], *([[(139, b"x")]] * 400)]
    with opened(data_of(story), None) as recording:
        rows: list[int] = []
        row = Snapshot.row
        monkeypatch.setattr(Snapshot, "row", lambda self, index: (rows.append(index), row(self, index))[1])
        edits.trim(recording, range(300, 400))
        assert len(rows) < 20


# --- numbers for names ----------------------------------------------------------------------------------------


def test_a_packet_of_a_frame_is_named_by_its_number(recording: Recording) -> None:
    frame = recording[1]
    for name in (150, "150", "Unknown 150"):
        packet = frame.packet(name)
        assert packet is not None
        assert packet.body == b"mode 1"
    assert frame.packet("77") is None
    assert edits.place(recording, frame=1, packet="6", actor=7) == edits.place(
        recording, frame=1, packet="Position", actor=7
    )
    with pytest.raises(PacketNameError, match="There is no packet 256: ids are 0 to 255"):
        frame.packet(256)


def test_fields_expressions_and_tracks_take_the_number(recording: Recording) -> None:
    one = ActorField.named(recording.snapshot, "6", "location.x", 7)
    assert one == ActorField.named(recording.snapshot, "Position", "location.x", 7)
    with pytest.raises(EditError, match="ids are 0 to 255"):
        ActorField.named(recording.snapshot, "300", "location.x", 7)
    query = parse("6 where location.x > 100", recording.dialect)
    assert (query.type_name, query.ids) == ("Position", {6})
    assert parse("150", recording.dialect).ids == {150}
    assert parse("DReyeVRWeather", recording.dialect).ids == {18, 21}
    for text, column in (("256", 1), (" 1.5 where x > 1", 2), ("0x6: location.x = 1", 1)):
        with pytest.raises(ExpressionError) as refused:
            parse(text, recording.dialect)
        assert refused.value.column == column
    tracks = Tracks(recording.snapshot)
    assert tracks.read("6").tobytes() == tracks.read("Position").tobytes()
    step = {"packet": 6, "field": "location.z", "delta": 1.0, "actors": [{"id": 7}]}
    assert argument_error("add_over", step) is None
    assert argument_error("add_over", {**step, "packet": 256}) is not None
    made = EVERY["add_over"].do(OperationCall(recording.snapshot, step))
    assert after(recording, made.edit).frame(0).packet("Position").array["location.z"][0] == 1.0  # type: ignore[union-attr]
