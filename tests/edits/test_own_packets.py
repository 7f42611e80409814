"""Edits of packets that a user's file describes, where the actor of a record is not what it begins with."""

from collections.abc import Iterator
from typing import Any

import pytest

from recorder_editor import Recording, edits
from recorder_editor.recording.packet_search import using
from recorder_editor.recording.snapshot import Snapshot

from .. import builders as b
from ..recording.films import add, film, opened
from .gazes import FILE, GAZE, PULSE, gaze, pulse

CAR, TRUCK = 7, 8


@pytest.fixture
def recording() -> Iterator[Recording]:
    """A car and a truck that roll along x; their pulses in every frame, gazes in frames 1 and 3."""
    born = add(b.actor(CAR, 1, "vehicle.car", uid=21), b.actor(TRUCK, 1, "vehicle.truck", uid=22))
    frames = []
    for number in range(5):
        poses = b.position([b.pose(actor, b.xyz(100.0 * number, 10.0 * actor)) for actor in (CAR, TRUCK)])
        pulses = b.u16(2) + pulse(TRUCK, 70.0 + number) + pulse(CAR, 60.0 + number)
        frames.append([born if number == 0 else add(), b.packet(6, poses), b.packet(PULSE, pulses)])
    frames[0].append(b.packet(GAZE, b.u16(2) + gaze(CAR, TRUCK, 0.0, "a", 2) + gaze(TRUCK, CAR, 1.0, "b")))
    frames[2].append(b.packet(GAZE, b.u16(1) + gaze(TRUCK, CAR, 2.0, "")))
    with using([FILE]), opened(film(*frames)) as found:
        yield found


def records(snapshot: Snapshot, name: str) -> list[list[dict[str, Any]]]:
    """The records of a packet, frame by frame."""
    found = []
    for frame in snapshot:
        packet = frame.packet(name)
        found.append(packet.decoded.records() if packet is not None else [])
    return found


def named(snapshot: Snapshot) -> list[list[tuple[int, int]]]:
    """Who looks at whom, frame by frame."""
    return [[(each["id"], each["whom"]) for each in found] for found in records(snapshot, "DriverGaze")]


def test_a_copy_gets_the_records_of_its_actor(recording: Recording) -> None:
    (truck,) = recording.actors.of_id(TRUCK)
    after = recording.snapshot.after(edits.duplicate_actor(recording, truck, new_id=9))
    assert named(after) == [[(7, 8), (8, 7), (9, 7)], [], [(8, 7), (9, 7)], [], []]
    rates = [{each["id"]: each["rate"] for each in found} for found in records(after, "Pulse")]
    assert rates == [{8: 70.0 + number, 7: 60.0 + number, 9: 70.0 + number} for number in range(5)]


def test_a_piece_begins_with_what_holds_for_each(recording: Recording) -> None:
    after = recording.snapshot.after(edits.trim(recording, range(3, 5)))
    assert sorted(named(after)[0]) == [(7, 8), (8, 7)]
    assert {each["id"]: each["eyes"]["x"] for each in records(after, "DriverGaze")[0]} == {7: 0.0, 8: 2.0}


def test_another_id_is_another_one_wherever_it_stands(recording: Recording) -> None:
    (truck,) = recording.actors.of_id(TRUCK)
    after = recording.snapshot.after(edits.set_actor_id(recording, truck, 30))
    assert named(after) == [[(7, 30), (30, 7)], [], [(30, 7)], [], []]


def test_records_that_name_a_removed_actor_go(recording: Recording) -> None:
    after = recording.snapshot.after(edits.remove_actors(recording, recording.actors.of_id(TRUCK)))
    assert named(after) == [[]] * 5
    assert [[each["id"] for each in found] for found in records(after, "Pulse")] == [[7]] * 5


def test_frames_between_have_values_between(recording: Recording) -> None:
    after = recording.snapshot.after(edits.resample(recording, 0.025))
    rates = [{each["id"]: each["rate"] for each in found} for found in records(after, "Pulse")]
    assert rates[:3] == [{8: 70.0, 7: 60.0}, {8: 70.5, 7: 60.5}, {8: 71.0, 7: 61.0}]
