"""Passes over many frames: what stays is not written, what changes its size is one stretch of new bytes."""

import struct
import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest

from recorder_editor import Recording
from recorder_editor.edits.block_rewrite import (
    ListChange,
    NewPacket,
    RewrittenFrames,
    group_by_dropped,
    rebuild_frames,
    rewrite_blocks,
    select_frames,
)
from recorder_editor.edits.uniform_frames import Patterns, UniformFrames
from recorder_editor.errors import Cancelled, EditError
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.progress import Progress
from recorder_editor.recording.blocks import FrameBlock, blocks
from recorder_editor.recording.history import Edit, Splice

from .. import builders as b
from ..recording.films import film, opened
from .conftest import saved

SPEED = 0.25


def at(*actors: int) -> bytes:
    return b.packet(6, b.position([b.pose(actor, b.xyz(float(actor))) for actor in actors]))


def moving(*actors: int) -> bytes:
    return b.packet(
        12,
        b.kinematics([{"id": actor, "linear_velocity": b.xyz(SPEED), "angular_velocity": b.xyz()} for actor in actors]),
    )


def turning(**wheels: int) -> bytes:
    return b.packet(
        21,
        b.vehicle_wheels(
            [
                {
                    "id": int(name[1:]),
                    "wheels": [{"location": n, "steering": 0.5, "rotation": 1.0} for n in range(number)],
                }
                for name, number in wheels.items()
            ]
        ),
    )


@pytest.fixture
def six() -> Iterator[Recording]:
    """Six frames of one layout: 1, 2 and 3 in any order; frame 4 has other packets between them."""
    orders = [(1, 2, 3), (1, 2, 3), (3, 2, 1), (2, 1, 3)]
    frames = [[at(*order), moving(1)] for order in orders]
    with opened(film(*frames[:3], [b.packet(77, b"odd"), at(1, 2)], frames[3], frames[0])) as recording:
        yield recording


def without(recording: Recording, actor: int, frames: range | list[range]) -> tuple[Splice, ...]:
    """Splices that drop an actor from Position and Kinematics."""
    patterns = Patterns(recording.dialect.packet)

    def visit(block: FrameBlock) -> Iterator[RewrittenFrames]:
        for uniform in patterns.groups(block, np.arange(len(block))):
            dropped = [
                (records, records.numbers(uniform.data, 0) == actor) for records in uniform.lists if len(records)
            ]
            for part, lost in group_by_dropped(uniform, dropped):
                if lost:
                    changes = {records.packet: ListChange(keep=~mask) for records, mask in lost}
                    yield rebuild_frames(recording.dialect, part, changes)

    return rewrite_blocks(recording.snapshot, frames, visit)


def applied(recording: Recording, splices: tuple[Splice, ...]) -> bytes:
    recording.apply(Edit("Change", recording.snapshot.version, splices))
    return saved(recording)


def test_records_are_dropped_wherever_they_stand(six: Recording) -> None:
    before = saved(six)
    splices = without(six, 2, range(6))
    assert len(splices) == 1
    frames = [
        [at(1, 3), moving(1)],
        [at(1, 3), moving(1)],
        [at(3, 1), moving(1)],
        [b.packet(77, b"odd"), at(1)],
        [at(1, 3), moving(1)],
        [at(1, 3), moving(1)],
    ]
    assert applied(six, splices) == film(*frames)
    six.undo()
    assert saved(six) == before


def test_frames_that_stay_are_not_written(six: Recording) -> None:
    splices = without(six, 3, range(6))
    assert [(splice.row, splice.removed) for splice in splices] == [(0, 3), (4, 2)]
    assert all(row["source"] == six.store.scratch for splice in splices for row in splice.inserted.rows())
    assert without(six, 9, range(6)) == ()


def test_several_ranges_are_one_pass(six: Recording) -> None:
    splices = without(six, 3, [range(1, 2), range(4, 9)])
    assert [(splice.row, splice.removed) for splice in splices] == [(1, 1), (4, 2)]


def test_a_packet_that_loses_its_last_record_goes_where_the_recorder_leaves_it_out(six: Recording) -> None:
    splices = without(six, 1, range(2, 4))
    six.apply(Edit("Change", 0, splices))
    assert [packet.name for packet in six[2].packets] == ["FrameStart", "Position", "FrameEnd"]
    assert [packet.name for packet in six[3].packets] == ["FrameStart", "Unknown 77", "Position", "FrameEnd"]


def test_frames_keep_their_key_and_their_times(six: Recording) -> None:
    before = [(frame.key, frame.frame_id, frame.elapsed, frame.duration) for frame in six]
    six.apply(Edit("Change", 0, without(six, 2, range(6))))
    assert [(frame.key, frame.frame_id, frame.elapsed, frame.duration) for frame in six] == before


def test_a_cancelled_pass_gives_nothing(six: Recording) -> None:
    with pytest.raises(Cancelled):
        rewrite_blocks(six.snapshot, range(6), lambda block: (), progress=Progress(is_cancelled=lambda: True))


def test_progress_counts_rows_to_the_end(six: Recording) -> None:
    told: list[tuple[int, int]] = []
    rewrite_blocks(six.snapshot, [range(2), range(3, 6)], lambda block: (), Progress(lambda *each: told.append(each)))
    assert told[-1] == (5, 5)
    assert told == sorted(told)


def test_the_last_record_of_an_actor_is_found_in_each_frame_that_has_one() -> None:
    frames = [[at(1, 2, 1)], [at(2, 1, 3)], [at(3, 3, 3)]]
    with opened(film(*frames)) as recording:
        (block,) = blocks(recording.snapshot, 0, 3)
        (records,) = block.records(recording.dialect.packet(6))
        assert [found.tolist() for found in records.last_of(1)] == [[0, 1], [2, 1]]
        assert [found.tolist() for found in records.last_of(9)] == [[], []]


def test_a_body_without_room_for_a_record_has_no_last_one() -> None:
    with opened(film([at()], [at()])) as recording:
        (block,) = blocks(recording.snapshot, 0, 2)
        (records,) = block.records(recording.dialect.packet(6))
        assert records.shape == (2, 0)
        assert [found.tolist() for found in records.last_of(1)] == [[], []]


def test_records_of_changing_length_are_found_where_they_are() -> None:
    first, second = turning(_1=2, _2=4, _3=2), turning(_3=4, _1=2, _2=2)
    assert len(first) == len(second)
    with opened(film([first], [first], [second], [first]), "ue4-0.9.15") as recording:
        (block,) = blocks(recording.snapshot, 0, 4)
        groups = list(Patterns(recording.dialect.packet).groups(block, np.arange(4)))
        assert [group.rows.tolist() for group in groups] == [[0, 1, 3], [2]]
        applied(recording, without(recording, 1, range(4)))
        left = [turning(_2=4, _3=2), turning(_2=4, _3=2), turning(_3=4, _2=2), turning(_2=4, _3=2)]
        assert saved(recording) == film(*([each] for each in left))


def one_block(recording: Recording) -> UniformFrames:
    (block,) = blocks(recording.snapshot, 0, recording.snapshot.rows)
    (uniform,) = Patterns(recording.dialect.packet).groups(block, np.arange(len(block)))
    return uniform


def test_new_packets_stand_where_the_recorder_writes_them() -> None:
    with opened(film([at(1), b.packet(14, bytes(8))], [at(1), b.packet(14, bytes(8))])) as recording:
        uniform = one_block(recording)
        state = np.frombuffer(b.traffic_light_state([{"id": 2, "frozen": True, "elapsed": 1.0, "state": 1}])[2:], "u1")
        births = b.event_add([b.actor(1), b.actor(2)])
        made = rebuild_frames(
            recording.dialect,
            uniform,
            {},
            [
                NewPacket(7, 1, state.reshape(1, -1)),
                NewPacket(99, 0, np.empty((1, 0), np.uint8)),
                NewPacket(2, 2, np.frombuffer(births[2:], "u1").reshape(1, -1)),
            ],
        )
        assert np.frombuffer(made.headers, [("id", "u1"), ("size", "<u4")])["id"].tolist() == [2, 6, 7, 14, 99, 1]
        expected = b.frame(
            2,
            0.05,
            0.05,
            [
                b.packet(2, births),
                at(1),
                b.packet(7, struct.pack("<H", 1) + bytes(state)),
                b.packet(14, bytes(8)),
                b.packet(99, b"\0\0"),
            ],
        )
        assert made.data[1].tobytes() == expected


def test_bytes_behind_the_last_record_stay_behind_it() -> None:
    tail = b.packet(6, b.position([b.pose(1), b.pose(2)]) + b"tail")
    short = b.packet(10, struct.pack("<HIIIIB", 3, 1, 8, 2, 8, 7))
    with opened(film([tail, short])) as recording:
        uniform = one_block(recording)
        keep = np.array([False, True])
        more = np.frombuffer(struct.pack("<II", 5, 9), "u1").reshape(1, -1)
        made = rebuild_frames(recording.dialect, uniform, {0: ListChange(keep), 1: ListChange(keep, more, 1)})
        packets = [
            b.packet(6, b.position([b.pose(2)]) + b"tail"),
            b.packet(10, struct.pack("<HIIIIB", 3, 2, 8, 5, 9, 7)),
        ]
        assert made.data.tobytes() == b.frame(1, 0.0, 0.05, packets)


def test_more_records_than_a_count_can_tell_are_refused() -> None:
    full = b.packet(10, b.vehicle_light([{"id": 1, "lights": 0}] * 65_535))
    with opened(film([full])) as recording:
        uniform = one_block(recording)
        more = np.zeros((1, 8), np.uint8)
        with pytest.raises(EditError, match="65,536 records"):
            rebuild_frames(recording.dialect, uniform, {0: ListChange(added=more, number=1)})


def test_some_frames_of_those_that_are_alike_keep_their_bytes(six: Recording) -> None:
    block = next(blocks(six.snapshot, 0, 6))
    uniform = next(Patterns(six.dialect.packet).groups(block, np.arange(3)))
    assert select_frames(uniform, np.arange(3)) is uniform
    part = select_frames(uniform, np.array([2]))
    assert part.rows.tolist() == [2]
    assert part.data.tobytes() == block.data[2].tobytes()


def test_a_body_of_too_many_lengths_is_handled_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def birth() -> bytes:
        return b.packet(2, b.event_add([b.actor(7, attributes=[b.attribute(3, "role_name", "hero")] * 5)]))

    def groups() -> list[int]:
        with opened(film([birth()], [birth()], [birth()])) as recording:
            patterns = Patterns(recording.dialect.packet)
            return [
                len(uniform)
                for block in blocks(recording.snapshot, 0, 3)
                for uniform in patterns.groups(block, np.arange(len(block)))
            ]

    assert groups() == [3]
    monkeypatch.setattr("recorder_editor.edits.uniform_frames.MAX_PLACES", 20)
    assert groups() == [1, 1, 1]


def test_a_body_that_nobody_can_read_is_not_compared_byte_by_byte() -> None:
    kind = DIALECTS["ue4-0.9.12"].packet(6)
    body = np.zeros(2_000_000, np.uint8)
    tracemalloc.start()
    try:
        found = Patterns(DIALECTS["ue4-0.9.12"].packet).of(kind, body)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.starts.tolist() == [2]
    assert peak < 3 * len(body)
