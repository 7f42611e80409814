"""Moving and turning actors: every record by the same offset, with what must go along, and nothing else."""

import math
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import recorder_editor
from recorder_editor import edits
from recorder_editor.api import Recording
from recorder_editor.edits.paths import moved_actors
from recorder_editor.edits.paths.motion import centimetres
from recorder_editor.errors import Cancelled, EditError
from recorder_editor.format.codec import Body
from recorder_editor.format.schema import PacketType
from recorder_editor.progress import Progress
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.lives import Life

from .. import builders as b
from .conftest import saved
from .drives import moved_by_cm

Fields = tuple[float, ...]


def life_of(recording: Recording, actor: int) -> Life:
    return Actors.of(recording.snapshot).of_id(actor)[0]


def told(recording: Recording, frame: int, packet: str, actor: int, *paths: str) -> Fields:
    """Fields of an actor's record in a frame, as stored."""
    found = recording[frame].packet(packet)
    assert found is not None
    record = found.decoded.find_actor(actor)
    assert record is not None
    return tuple(float(found.decoded.get(record, path)) for path in paths)  # type: ignore[arg-type]


def pose_of(recording: Recording, frame: int, actor: int) -> Fields:
    return told(recording, frame, "Position", actor, "location.x", "location.y", "location.z", "rotation.yaw")


def born_at(recording: Recording, actor: int, frame: int = 0) -> Fields:
    return told(recording, frame, "EventAdd", actor, "location.x", "location.y", "location.z", "rotation.yaw")


def changed_bytes(before: bytes, after: bytes) -> int:
    assert len(before) == len(after)
    return sum(one != other for one, other in zip(before, after, strict=True))


@contextmanager
def opened(tmp_path: Path, data: bytes, dialect: str = "ue4-0.9.12") -> Iterator[Recording]:
    file = tmp_path / "made.log"
    file.write_bytes(data)
    with recorder_editor.open(file, dialect=dialect) as recording:
        yield recording


def test_one_frame_moves_by_the_offset_and_nothing_else_changes(recording: Recording) -> None:
    before = saved(recording)
    recording.apply(moved_by_cm(recording, life_of(recording, 9), range(1, 2), offset=(12.5, -3.25, 0.5)))
    assert pose_of(recording, 1, 9) == (212.5, 86.75, 1.5, 170.0)
    assert [pose_of(recording, frame, 7)[0] for frame in range(3)] == [100.0, 200.0, 300.0]
    assert [pose_of(recording, frame, 9)[0] for frame in (0, 2)] == [100.0, 300.0]
    assert born_at(recording, 9) == (0.0, 90.0, 1.0, 170.0)
    packet = recording[1].packet("Position")
    assert packet is not None
    start = packet.offset + 5 + 2 + 28 + 4
    expected = before[:start] + struct.pack("<fff", 212.5, 86.75, 1.5) + before[start + 12 :]
    assert saved(recording) == expected


def test_undo_gives_the_same_bytes_back_and_redo_those_of_the_edit(recording: Recording) -> None:
    before = saved(recording)
    recording.apply(
        moved_by_cm(recording, life_of(recording, 7), range(3), offset=(1.0, 2.0, 0.0), turn=10.0, pivot=(0.0, 0.0))
    )
    after = saved(recording)
    assert len(recording.history.steps) == 1
    recording.undo()
    assert saved(recording) == before
    assert not recording.is_modified
    recording.redo()
    assert saved(recording) == after


def test_a_range_with_the_birth_moves_the_birth_too(recording: Recording) -> None:
    recording.apply(moved_by_cm(recording, life_of(recording, 9), range(3), offset=(10.0, 20.0, 5.0)))
    assert [pose_of(recording, frame, 9)[:3] for frame in range(3)] == [
        (110.0, 110.0, 6.0),
        (210.0, 110.0, 6.0),
        (310.0, 110.0, 6.0),
    ]
    assert born_at(recording, 9) == (10.0, 110.0, 6.0, 170.0)
    assert born_at(recording, 7) == (0.0, 70.0, 1.0, 170.0)


def test_velocities_do_not_shift(recording: Recording) -> None:
    paths = [f"{group}.{axis}" for group in ("linear_velocity", "angular_velocity") for axis in "xyz"]
    recording.apply(moved_by_cm(recording, life_of(recording, 9), range(3), offset=(10.0, 20.0, 5.0)))
    assert told(recording, 1, "Kinematics", 9, *paths) == (2.0, 0.0, 0.0, 0.0, 0.0, 5.0)


def test_a_turn_turns_path_heading_and_velocity_about_the_pivot(recording: Recording) -> None:
    pivot = pose_of(recording, 1, 9)[:2]
    recording.apply(moved_by_cm(recording, life_of(recording, 9), range(3), turn=90.0, pivot=pivot))
    # Clockwise as seen from above with y down: what lay 100 cm behind on x now lies 100 cm behind on y.
    assert pose_of(recording, 1, 9) == pytest.approx((200.0, 90.0, 1.0, -100.0))
    assert pose_of(recording, 0, 9) == pytest.approx((200.0, -10.0, 1.0, -100.0))
    assert pose_of(recording, 2, 9) == pytest.approx((200.0, 190.0, 1.0, -100.0))
    assert born_at(recording, 9) == pytest.approx((200.0, -110.0, 1.0, -100.0))
    linear = told(recording, 1, "Kinematics", 9, "linear_velocity.x", "linear_velocity.y", "linear_velocity.z")
    assert linear == pytest.approx((0.0, 2.0, 0.0), abs=1e-6)
    assert told(recording, 1, "Kinematics", 7, "linear_velocity.x", "linear_velocity.y") == (2.0, 0.0)
    assert told(recording, 1, "Kinematics", 9, "angular_velocity.z") == (5.0,)


@pytest.mark.parametrize("metres", [0.29, 0.07, -1.1, 1e-9, 12345678.9, 0.0])
def test_metres_are_the_centimetres_that_a_person_means(metres: float) -> None:
    assert centimetres(metres) == float(f"{Decimal(str(metres)) * 100}")


def test_the_label_says_what_was_done_and_over_how_much(recording: Recording) -> None:
    life = life_of(recording, 9)
    assert moved_by_cm(recording, life, range(1, 2), offset=(1.0, 0.0, 0.0)).label == "Move 9 in 1 frame"
    turned = moved_by_cm(recording, life, range(3), turn=5.0, pivot=(0.0, 0.0))
    assert turned.label == "Turn 9 over 3 frames"
    assert turned.intent is not None
    assert turned.intent.operation == "move_actors"
    assert "from" not in turned.intent.arguments  # its whole life


def test_a_range_beyond_the_life_is_held_within_it(tmp_path: Path) -> None:
    here = b.packet(6, b.position([b.pose(5, b.xyz(1.0, 2.0, 3.0))]))
    first = [b.packet(2, b.event_add([b.actor(5)])), here]
    data = b.recording(
        b.frame(1, 0.0, 0.1, first),
        b.frame(2, 0.1, 0.1, [here]),
        b.frame(3, 0.2, 0.1, [b.packet(3, b.event_del([{"id": 5}]))]),
        b.frame(4, 0.3),
    )
    with opened(tmp_path, data) as recording:
        edit = moved_by_cm(recording, life_of(recording, 5), range(1, 4), offset=(1.0, 0.0, 0.0))
        assert edit.label == "Move 5 in 1 frame"
        recording.apply(edit)
        assert [pose_of(recording, frame, 5)[0] for frame in (0, 1)] == [1.0, 2.0]


def test_frames_after_the_end_hold_nothing_to_move_and_the_birth_stays(tmp_path: Path) -> None:
    here = b.packet(6, b.position([b.pose(5)]))
    data = b.recording(
        b.frame(1, 0.0, 0.1, [b.packet(2, b.event_add([b.actor(5)])), here]),
        b.frame(2, 0.1, 0.1, [b.packet(3, b.event_del([{"id": 5}]))]),
        b.frame(3, 0.2),
    )
    with opened(tmp_path, data) as recording:
        for frames in (range(1, 3), range(2, 3)):
            with pytest.raises(EditError, match="no position in these frames"):
                moved_by_cm(recording, life_of(recording, 5), frames, offset=(1.0, 0.0, 0.0))


def test_a_frame_that_left_a_car_out_does_not_move_its_birth(tmp_path: Path) -> None:
    here = b.packet(6, b.position([b.pose(5)]))
    data = b.recording(
        b.frame(1, 0.0, 0.1, [b.packet(2, b.event_add([b.actor(5)])), here]),
        b.frame(2, 0.1, 0.1),
        b.frame(3, 0.2, 0.1, [here]),
    )
    with opened(tmp_path, data) as recording, pytest.raises(EditError, match="no position in these frames"):
        moved_by_cm(recording, life_of(recording, 5), range(1, 2), offset=(1.0, 0.0, 0.0))


@pytest.mark.parametrize("frames", [range(3), range(2, 3)], ids=["with the birth", "after it"])
def test_a_sensor_without_position_moves_by_its_birth(tmp_path: Path, frames: range) -> None:
    camera = b.actor(8, 5, "sensor.camera.rgb", b.xyz(1.0, 2.0, 3.0), b.turn(0.0, 0.0, 10.0))
    data = b.recording(
        b.frame(1, 0.0, 0.1, [b.packet(2, b.event_add([b.actor(5), camera]))]),
        b.frame(2, 0.1, 0.1),
        b.frame(3, 0.2, 0.1),
    )
    with opened(tmp_path, data) as recording:
        before = saved(recording)
        edit = moved_by_cm(
            recording, life_of(recording, 8), frames, offset=(4.0, -2.0, 1.0), turn=-20.0, pivot=(1.0, 2.0)
        )
        recording.apply(edit)
        assert born_at(recording, 8) == (5.0, 0.0, 4.0, -10.0)
        assert born_at(recording, 5) == (0.0, 0.0, 0.0, 0.0)
        recording.undo()
        assert saved(recording) == before


@pytest.mark.parametrize("blueprint", ["traffic.traffic_light", "traffic.stop", "traffic.speed_limit.30"])
def test_traffic_actors_refuse_with_the_reason(tmp_path: Path, blueprint: str) -> None:
    data = b.recording(b.frame(1, 0.0, 0.1, [b.packet(2, b.event_add([b.actor(3, 3, blueprint)]))]))
    with opened(tmp_path, data) as recording, pytest.raises(EditError, match="finds traffic actors by their position"):
        moved_by_cm(recording, life_of(recording, 3), range(1), offset=(1.0, 0.0, 0.0))


def test_doubles_move_in_double_precision(tmp_path: Path) -> None:
    x, y = 123456789.0625, -98765432.1
    there = b.turn(0.5, 0.25, 179.5)
    packets = [
        b.packet(2, b.event_add([b.actor(5, 1, "vehicle.tesla.model3", b.xyz(x, y, 1.0), there)], wide=True)),
        b.packet(6, b.position([b.pose(4), b.pose(5, b.xyz(x, y, 1.0), there)], wide=True)),
        b.packet(
            12,
            b.kinematics([{"id": 5, "linear_velocity": b.xyz(3.0, 4.0, 0.0), "angular_velocity": b.xyz()}], wide=True),
        ),
    ]
    with opened(tmp_path, b.recording(b.frame(1, 0.0, 0.1, packets)), "ue5-0.10.0") as recording:
        before = saved(recording)
        life = life_of(recording, 5)
        recording.apply(moved_by_cm(recording, life, range(1), offset=(0.001, 0.002, -0.5), turn=1.0, pivot=(x, y)))
        expected = (x + 0.001, y + 0.002, 0.5, -179.5)
        assert pose_of(recording, 0, 5) == expected
        assert born_at(recording, 5) == expected
        cos, sin = math.cos(math.radians(1.0)), math.sin(math.radians(1.0))
        velocity = told(recording, 0, "Kinematics", 5, "linear_velocity.x", "linear_velocity.y")
        assert velocity == pytest.approx((3 * cos - 4 * sin, 3 * sin + 4 * cos), rel=1e-15)
        assert pose_of(recording, 0, 4) == (0.0, 0.0, 0.0, 0.0)
        recording.undo()
        assert saved(recording) == before


def test_frames_of_different_layouts_and_junk_between_them_are_one_edit(tmp_path: Path) -> None:
    def at(index: int, *others: int) -> bytes:
        return b.packet(6, b.position([*map(b.pose, others), b.pose(5, b.xyz(float(index)))]))

    born = b.packet(2, b.event_add([b.actor(5), b.actor(6), b.actor(7)]))
    data = b.recording(
        b.frame(1, 0.0, 0.1, [born, at(0)]),
        b.frame(2, 0.1, 0.1, [at(1)]),
        b.frame(3, 0.2, 0.1, [at(2, 6)]),
        b"\xee" * 40,
        b.frame(4, 0.3, 0.1, [at(3, 6, 7)]),
        b.frame(5, 0.4, 0.1, [b.packet(77, b"?"), at(4)]),
    )
    with opened(tmp_path, data) as recording:
        before = saved(recording)
        recording.apply(moved_by_cm(recording, life_of(recording, 5), range(1, 5), offset=(0.5, 0.0, 0.0)))
        assert [pose_of(recording, frame, 5)[0] for frame in range(5)] == [0.0, 1.5, 2.5, 3.5, 4.5]
        assert b"\xee" * 40 in saved(recording)
        recording.undo()
        assert saved(recording) == before


def test_the_last_of_two_records_of_an_actor_counts_as_in_the_replayer(tmp_path: Path) -> None:
    twice = b.packet(6, b.position([b.pose(5, b.xyz(1.0)), b.pose(5, b.xyz(2.0))]))
    data = b.recording(b.frame(1, 0.0, 0.1, [b.packet(2, b.event_add([b.actor(5)])), twice]))
    with opened(tmp_path, data) as recording:
        recording.apply(moved_by_cm(recording, life_of(recording, 5), range(1), offset=(10.0, 0.0, 0.0)))
        packet = recording[0].packet("Position")
        assert packet is not None
        assert packet.array["location.x"].tolist() == [1.0, 12.0]


@pytest.mark.parametrize("x", [b.Bits32(0x7FA01234), -0.0, 1e-42], ids=["signalling NaN", "minus zero", "denormal"])
def test_an_axis_that_is_not_moved_stays_bit_for_bit(tmp_path: Path, x: Any) -> None:
    place = b.xyz(x, np.float32(16777217.0 / 3), -0.0)
    here = b.packet(6, b.position([b.pose(5, place, b.turn(-0.0, 361.5, -540.25))]))
    born = b.packet(2, b.event_add([b.actor(5, location=place)]))
    with opened(tmp_path, b.recording(b.frame(1, 0.0, 0.1, [born, here]), b.frame(2, 0.1, 0.1, [here]))) as recording:
        before = saved(recording)
        recording.apply(moved_by_cm(recording, life_of(recording, 5), range(2), offset=(0.0, 8.0, 0.0)))
        assert 3 <= changed_bytes(before, saved(recording)) <= 12
        assert saved(recording).count(before[before.index(here) + 11 :][:4]) >= 3
        assert pose_of(recording, 1, 5)[3] == -540.25


def test_a_long_move_reports_and_can_be_cancelled(recording: Recording) -> None:
    before = saved(recording)
    life = life_of(recording, 9)
    reports: list[tuple[int, int]] = []
    moved_by_cm(recording, life, range(3), offset=(1.0, 0.0, 0.0), progress=Progress(lambda *at: reports.append(at)))
    assert reports[-1] == (3, 3)
    with pytest.raises(Cancelled):
        moved_by_cm(recording, life, range(3), offset=(1.0, 0.0, 0.0), progress=Progress(is_cancelled=lambda: True))
    assert saved(recording) == before


def test_real_cars_move_over_their_whole_life(recordings: Path) -> None:
    with recorder_editor.open(recordings / "carla-0.9.13-town05-collisions.log") as recording:
        before = saved(recording)
        life = life_of(recording, 3932)
        frames = range(life.born, life.gone or len(recording.snapshot))
        was = [pose_of(recording, frame, 3932) for frame in frames]
        recording.apply(moved_by_cm(recording, life, frames, offset=(150.0, -75.0, 0.0)))
        now: Any = [pose_of(recording, frame, 3932) for frame in frames]
        assert np.array(now) - np.array(was) == pytest.approx(np.array([[150.0, -75.0, 0.0, 0.0]] * len(was)), abs=2e-3)
        moved = recording.snapshot.read(0, recording.snapshot.size)
        assert len(moved) == len(before)
        recording.undo()
        assert saved(recording) == before


def test_births_of_one_packet_are_decoded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.log"
    path.write_bytes(b.drive(frames=2, vehicles=20))
    decoded: list[str] = []

    read: Callable[[PacketType, bytes], Body] = moved_actors.decode

    def decode(kind: PacketType, data: bytes) -> Body:
        decoded.append(kind.name)
        return read(kind, data)

    monkeypatch.setattr(moved_actors, "decode", decode)
    with recorder_editor.open(path) as recording:
        before = [pose_of(recording, 0, actor) for actor in range(100, 120)]
        recording.apply(edits.move_actors(recording, list(recording.actors), offset=(0.0, 1.0, 0.0)))
        moved = [(life.transform.x, life.transform.y) for life in recording.actors]
        assert moved == [(x, y + 100.0) for x, y, *_ in before]
    assert decoded.count("EventAdd") == 1
