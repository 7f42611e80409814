"""Edits of packets that a user's file describes, where the actor of a record is not what it begins with."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from recorder_editor import Edit, Recording, edits
from recorder_editor.recording.packet_search import using
from recorder_editor.recording.snapshot import Snapshot

from .. import builders as b
from ..recording.films import add, film, opened
from .cargo import USERS_FILE, USERS_NUMBER, bytes_of
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


# --- vectors in world axes, where the path of an actor changes -------------------------------------------------


@pytest.fixture
def drive() -> Iterator[Recording]:
    """A car in a bend and a truck, both with two gazes in every frame; the eyes stay where they are in the car."""
    born = add(b.actor(CAR, 1, "vehicle.car", uid=21), b.actor(TRUCK, 1, "vehicle.truck", uid=22))
    frames = []
    for number in range(8):
        poses = []
        gazes = []
        for actor in (CAR, TRUCK):
            x, y, yaw = 200.0 * number, 10.0 * number**2 + 900.0 * actor, 5.0 * number
            poses.append(b.pose(actor, b.xyz(x, y, 10.0), b.turn(yaw=yaw)))
            for target in ("left", "right"):
                gazes.append(gaze(actor, CAR, x, target, eyes=(x, y + 40.0, 150.0), yaw=yaw + 30.0))
        packets = [b.packet(6, b.position(poses)), b.packet(GAZE, b.u16(4) + b"".join(gazes))]
        frames.append([born if number == 0 else add(), *packets])
    with using([FILE]), opened(film(*frames)) as found:
        yield found


def eyes(snapshot: Snapshot, frame: int, actor: int) -> list[tuple[float, ...]]:
    """The eyes of an actor in the axes of its body, and how far the head is turned in them, by record."""
    position = snapshot.frame(frame).packet("Position")
    assert position is not None
    pose = next(each for each in position.decoded.records() if each["id"] == actor)
    yaw = math.radians(pose["rotation"]["yaw"])
    found = []
    for each in records(snapshot, "DriverGaze")[frame]:
        if each["id"] == actor:
            dx, dy, dz = (each["eyes"][axis] - pose["location"][axis] for axis in "xyz")
            ahead, right = dx * math.cos(yaw) + dy * math.sin(yaw), dy * math.cos(yaw) - dx * math.sin(yaw)
            turned = (each["head"]["yaw"] - pose["rotation"]["yaw"] + 180.0) % 360.0 - 180.0
            found.append((ahead, right, dz, turned))
    return found


@pytest.mark.parametrize(
    "change",
    [
        lambda recording, life: edits.move_actors(recording, [life], (2.0, -1.0, 0.5), 30.0, range(2, 6)),
        lambda recording, life: edits.offset_path(recording, life, range(2, 6), 1.5),
        lambda recording, life: edits.mirror_path(recording, [life], range(2, 6), (1.0, 2.0), 33.0),
        lambda recording, life: edits.hold_actor(recording, life, range(2, 6), ease_in=0.05, ease_out=0.05),
        lambda recording, life: edits.smooth_path(recording, life, range(2, 6), 0.2),
    ],
    ids=["move", "offset", "mirror", "hold", "smooth"],
)
def test_eyes_stay_in_the_head_of_whoever_is_moved(drive: Recording, change: Callable[..., Edit]) -> None:
    (car,) = drive.actors.of_id(CAR)
    before = drive.snapshot
    after = before.after(change(drive, car))
    moved = 0
    for frame in range(8):
        assert len(eyes(after, frame, CAR)) == 2
        for was, now in zip(eyes(before, frame, CAR), eyes(after, frame, CAR), strict=True):
            assert now == pytest.approx(was, abs=0.05)
        assert eyes(after, frame, TRUCK) == eyes(before, frame, TRUCK)
        moved += records(after, "DriverGaze")[frame] != records(before, "DriverGaze")[frame]
    assert 1 <= moved <= 4


def test_a_shift_alone_changes_no_other_bits_and_nothing_outside_of_the_frames(drive: Recording) -> None:
    (car,) = drive.actors.of_id(CAR)
    before = records(drive.snapshot, "DriverGaze")
    after = records(
        drive.snapshot.after(edits.move_actors(drive, [car], (1.0, 0.0, 0.0), 0.0, range(2, 6))), "DriverGaze"
    )
    for frame, found in enumerate(before):
        for record in found:
            if record["id"] == CAR and 2 <= frame < 6:
                record["eyes"]["x"] += 100.0
    assert after == before


def test_records_with_a_value_that_is_no_number_keep_it(drive: Recording) -> None:
    where = edits.place(drive, frame=3, packet="DriverGaze", record=0, field="eyes.x")
    drive.apply(edits.set_field(drive, where, math.nan))
    (car,) = drive.actors.of_id(CAR)
    after = drive.snapshot.after(edits.move_actors(drive, [car], (1.0, 2.0, 0.0), 0.0, range(2, 6)))
    first, second = records(after, "DriverGaze")[3][:2]
    assert math.isnan(first["eyes"]["x"])
    assert first["eyes"]["y"] == second["eyes"]["y"]


def test_all_records_of_an_actor_in_a_frame_are_moved() -> None:
    loads = b.packet(USERS_NUMBER, b.u16(3) + bytes_of(CAR, 1.0, 5.0) + bytes_of(TRUCK, 2.0) + bytes_of(CAR, 3.0, 6.0))
    frames = [
        [add(b.actor(CAR), b.actor(TRUCK)), b.packet(6, b.position([b.pose(CAR), b.pose(TRUCK)])), loads],
        [add()],
    ]
    with using([USERS_FILE]), opened(film(*frames)) as recording:
        edit = edits.move_actors(recording, recording.actors.of_id(CAR), (1.0, 0.0, 0.0))
        found = records(recording.snapshot.after(edit), "Cargo")[0]
        assert [(each["id"], each["bound"]["x"]) for each in found] == [(CAR, 105.0), (TRUCK, 500.0), (CAR, 106.0)]
